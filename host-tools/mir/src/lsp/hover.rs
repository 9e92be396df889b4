//! Explanations of the word at a place: the declaration of a name, the reference's text on an
//! instruction, a directive or a type.

use super::document::Document;
use super::reference::explanation;
use core::ops::Range;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use mir_nostd::ir::Type;

/// Returns what is shown of the word at an offset.
pub(super) fn hover(document: &Document, offset: usize) -> Option<Hover> {
    let (value, range) = declaration(document, offset).or_else(|| explained(document, offset))?;
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: Some(document.text.range(&range)),
    })
}

/// Returns the line that declares the name at an offset.
fn declaration(document: &Document, offset: usize) -> Option<(String, Range<usize>)> {
    let (symbol, range) = document.index().symbol_at(offset)?;
    let symbol = document.index().definition(document.text.bytes(), symbol);
    let line = document.text.line(symbol.name.start);
    let number = document.text.position(symbol.name.start).line + 1;
    let kind = symbol.kind.word();
    Some((format!("```mir\n{line}\n```\n{kind}, line {number}"), range))
}

/// Returns the reference's text on the word at an offset.
fn explained(document: &Document, offset: usize) -> Option<(String, Range<usize>)> {
    let (_, entry) = document.index().entry_at(offset)?;
    let statement = &entry.statement;
    let is_in = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    if is_in(&statement.word) {
        let word = document.text.slice(statement.word.clone());
        return Some((explanation(word)?.text.clone(), statement.word.clone()));
    }
    // Types begin operands.
    let operand = statement.operands.iter().find(|operand| is_in(operand))?;
    let text = document.text.slice(operand.clone());
    let len = text.find([':', ' ', '\t', '\r']).unwrap_or(text.len());
    let range = operand.start..operand.start + len;
    let word = document.text.slice(range.clone());
    let is_type = Type::ALL.into_iter().any(|ty| ty.name() == word);
    let found = explanation(word).filter(|_| is_type && is_in(&range))?;
    Some((found.text.clone(), range))
}
