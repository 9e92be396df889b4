//! Completions at a place: words of the language where a statement begins, names and types in
//! operands.

use super::document::Document;
use super::index::{Kind, Scope, Symbol};
use super::reference::{WordKind, explanation, words};
use crate::source_map::{split, statements};
use core::ops::Range;
use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, TextEdit};
use mir_nostd::ir::Code;

/// The part of a program that a place is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    File,
    Module(Option<usize>),
    /// The number of the function's first statement, and of its module.
    Function(usize, Option<usize>),
}

/// Returns what may be written at an offset.
pub(super) fn completions(document: &Document, offset: usize) -> Vec<CompletionItem> {
    let bytes = document.text.bytes();
    let before = bytes.get(..offset).unwrap_or_default();
    let line_start = before.iter().rposition(|&byte| byte == b'\n');
    let line = &before[line_start.map_or(0, |end| end + 1)..];
    let Some(part) = statements(line).last() else {
        // The line is empty, or the statement is after a semicolon.
        return statement_words(document, offset..offset);
    };
    if part.comment.is_some() || is_in_string(&line[part.code.clone()]) {
        return Vec::new();
    }
    let code = match line.last() {
        Some(b';') => line.len()..line.len(),
        _ => part.code,
    };
    let in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$%.".contains(byte);
    let typed = line[code.clone()].iter().rev().take_while(in_word).count();
    let replaced = offset - typed..offset;
    let statement = split(line, code.clone(), &mut Vec::new());
    let is_first = statement.word.is_empty() || statement.word.end == code.end;
    match is_first && statement.operands.is_empty() {
        true => statement_words(document, replaced),
        false => operands(document, replaced),
    }
}

/// True if a string begins in the text and does not end.
fn is_in_string(text: &[u8]) -> bool {
    let (mut is_open, mut is_escaped) = (false, false);
    for &byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_open,
            b'"' => is_open = !is_open,
            _ => {}
        }
    }
    is_open
}

/// Returns the part of the program that an offset is in.
fn part(document: &Document, offset: usize) -> Part {
    let before = offset.checked_sub(1);
    let Some((_, entry)) = before.and_then(|at| document.index().entry_at(at)) else {
        return Part::File;
    };
    let ended = entry.statement.word.end < offset;
    match (
        document.text.slice(entry.statement.word.clone()),
        entry.func,
    ) {
        ("endmodule", _) if ended => Part::File,
        ("endfunc", Some(_)) if ended => Part::Module(entry.module),
        (_, Some(func)) => Part::Function(func, entry.module),
        (_, None) if entry.module.is_some() => Part::Module(entry.module),
        _ => Part::File,
    }
}

/// Returns the words that begin statements.
fn statement_words(document: &Document, replaced: Range<usize>) -> Vec<CompletionItem> {
    let part = part(document, replaced.start);
    let fits = |word: &str, kind| match part {
        Part::File => word == "module",
        Part::Module(_) => kind != WordKind::Instruction && word != "module",
        Part::Function(..) => {
            kind == WordKind::Instruction || matches!(word, "local" | "global" | "endfunc")
        }
    };
    let words = words().filter(|(word, kind)| fits(word, *kind));
    words
        .map(|(word, kind)| language_word(document, word, kind, &replaced))
        .collect()
}

fn language_word(
    document: &Document,
    word: &str,
    kind: WordKind,
    replaced: &Range<usize>,
) -> CompletionItem {
    let cells = explanation(word).map_or(&[][..], |found| &found.cells);
    let (item_kind, detail) = match (kind, cells) {
        (WordKind::Instruction, [_, operands, meaning, ..]) => {
            let operands = operands.replace("**", "");
            let detail = format!("{operands}: {meaning}");
            (CompletionItemKind::KEYWORD, detail)
        }
        (WordKind::Type, [.., meaning]) => (CompletionItemKind::STRUCT, (*meaning).to_owned()),
        (WordKind::Type, []) => (CompletionItemKind::STRUCT, "type".to_owned()),
        _ => (CompletionItemKind::KEYWORD, "directive".to_owned()),
    };
    item(document, word, item_kind, detail, replaced)
}

/// Returns the names in scope, and the types.
fn operands(document: &Document, replaced: Range<usize>) -> Vec<CompletionItem> {
    let part = part(document, replaced.start);
    let line = document.index().entry_at(replaced.start);
    let word = line.map_or("", |(_, entry)| {
        document.text.slice(entry.statement.word.clone())
    });
    let takes_labels = word == "lref" || Code::from_name(word.as_bytes()).is_some();
    let is_in_scope = |symbol: &&Symbol| match (symbol.scope, part) {
        (Scope::Variables(func), Part::Function(here, _)) => func == here,
        (Scope::Labels(module), Part::Module(here) | Part::Function(_, here)) => {
            takes_labels && module == here && is_in_part(document, symbol, part)
        }
        (Scope::Items(module), Part::Module(here) | Part::Function(_, here)) => module == here,
        _ => false,
    };
    let symbols = document.index().symbols().iter().filter(is_in_scope);
    let names = symbols.map(|symbol| {
        let name = document.text.slice(symbol.name.clone());
        let line = document.text.line(symbol.name.start).to_owned();
        item(document, name, item_kind(symbol.kind), line, &replaced)
    });
    let types = words().filter(|(_, kind)| *kind == WordKind::Type);
    let types = types.map(|(word, kind)| language_word(document, word, kind, &replaced));
    names.chain(types).collect()
}

/// True if a label is of the function that the place is in, where that is in one.
fn is_in_part(document: &Document, label: &Symbol, part: Part) -> bool {
    let Part::Function(func, _) = part else {
        return true;
    };
    let entry = document.index().entry_at(label.name.start);
    entry.is_some_and(|(_, entry)| entry.func == Some(func))
}

const fn item_kind(kind: Kind) -> CompletionItemKind {
    match kind {
        Kind::Module => CompletionItemKind::MODULE,
        Kind::Function => CompletionItemKind::FUNCTION,
        Kind::Prototype => CompletionItemKind::INTERFACE,
        Kind::Data => CompletionItemKind::FIELD,
        Kind::Import => CompletionItemKind::REFERENCE,
        Kind::Argument | Kind::Variable => CompletionItemKind::VARIABLE,
        Kind::Label => CompletionItemKind::CONSTANT,
    }
}

fn item(
    document: &Document,
    word: &str,
    kind: CompletionItemKind,
    detail: String,
    replaced: &Range<usize>,
) -> CompletionItem {
    let edit = TextEdit::new(document.text.range(replaced), word.to_owned());
    CompletionItem {
        label: word.to_owned(),
        kind: Some(kind),
        detail: Some(detail),
        text_edit: Some(CompletionTextEdit::Edit(edit)),
        ..CompletionItem::default()
    }
}
