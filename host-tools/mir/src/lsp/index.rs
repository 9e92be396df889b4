//! The names of a text: where each is declared and used, found in linear time from its statements,
//! also where the program is wrong.

use crate::outline::{Entry, Outline};
use crate::source_map::skip_blanks;
use core::ops::Range;
use mir_nostd::ir::{Code, Mode};
use std::collections::HashMap;

/// The names of a text.
#[derive(Debug, Default)]
pub(super) struct Index {
    symbols: Vec<Symbol>,
    /// The places of all names in order, each with the number of its symbol.
    places: Vec<(Range<usize>, usize)>,
    /// The imported and exported symbols of each name.
    public: HashMap<Vec<u8>, Vec<usize>>,
    entries: Vec<Entry>,
}

/// Something that has a name.
#[derive(Debug)]
pub(super) struct Symbol {
    pub(super) kind: Kind,
    pub(super) scope: Scope,
    /// The name where it is defined, else where it is first declared.
    pub(super) name: Range<usize>,
    /// All places of the name, with its definitions and declarations.
    pub(super) occurrences: Vec<Occurrence>,
    is_exported: bool,
}

/// A place of a name.
#[derive(Debug)]
pub(super) struct Occurrence {
    pub(super) range: Range<usize>,
    pub(super) role: Role,
}

/// The role of a name at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Declaration,
    Use,
}

/// The kind of what has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Module,
    Function,
    Prototype,
    Data,
    /// An item that the module only declares.
    Import,
    Argument,
    Variable,
    Label,
}

/// The part of the text in which a name means one thing; modules have their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Scope {
    Modules,
    Items(Option<usize>),
    Labels(Option<usize>),
    /// The variables of the function whose `func` is the statement of this number.
    Variables(usize),
}

impl Kind {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Kind::Module => "module",
            Kind::Function => "function",
            Kind::Prototype => "prototype",
            Kind::Data => "data",
            Kind::Import => "import",
            Kind::Argument => "argument",
            Kind::Variable => "variable",
            Kind::Label => "label",
        }
    }
}

impl Index {
    pub(super) fn new(text: &[u8]) -> Index {
        let outline = Outline::new(text);
        let mut names = Names {
            outline: &outline,
            text,
            known: HashMap::new(),
            index: Index::default(),
        };
        let entries = || outline.entries().iter().enumerate();
        entries().for_each(|(number, entry)| names.declare(number, entry));
        entries().for_each(|(_, entry)| names.refer(entry));
        let mut index = names.index;
        index.entries = outline.into_entries();
        index.places.sort_by_key(|(range, _)| range.start);
        index
    }

    pub(super) fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Returns the number and place of the name at an offset, or that ends there.
    fn place(&self, offset: usize) -> Option<&(Range<usize>, usize)> {
        let after = self
            .places
            .partition_point(|(range, _)| range.start <= offset);
        let place = self.places.get(after.checked_sub(1)?)?;
        (offset <= place.0.end).then_some(place)
    }

    /// Returns the symbol whose name is at an offset, and the place of the name.
    pub(super) fn symbol_at(&self, offset: usize) -> Option<(&Symbol, Range<usize>)> {
        let (range, number) = self.place(offset)?;
        Some((self.symbols.get(*number)?, range.clone()))
    }

    /// Returns the place where a symbol is defined: that of the module that exports it, if it is
    /// imported.
    pub(super) fn definition<'i>(&'i self, text: &[u8], symbol: &'i Symbol) -> &'i Symbol {
        if symbol.kind != Kind::Import {
            return symbol;
        }
        let defines = |other: &&Symbol| other.is_exported && other.kind != Kind::Import;
        self.same(text, symbol).find(defines).unwrap_or(symbol)
    }

    /// Returns the symbols that are the same as this one when the modules are linked.
    pub(super) fn same<'i>(
        &'i self,
        text: &[u8],
        symbol: &'i Symbol,
    ) -> impl Iterator<Item = &'i Symbol> {
        let is_item = matches!(symbol.scope, Scope::Items(_));
        let name = text.get(symbol.name.clone()).unwrap_or_default();
        let all = self.public.get(name).filter(|_| is_item);
        let all = all.into_iter().flatten();
        let others = all.filter_map(|&number| self.symbols.get(number));
        // One that is neither imported nor exported is alone, whatever others are called.
        let is_public = symbol.is_exported || symbol.kind == Kind::Import;
        let others = others.filter(move |other| is_public && !core::ptr::eq(*other, symbol));
        core::iter::once(symbol).chain(others)
    }

    /// Returns the range of the statement that defines a symbol, from its name; of a function, to
    /// its end.
    pub(super) fn extent(&self, symbol: &Symbol) -> Range<usize> {
        let start = symbol.name.start;
        let Some((number, entry)) = self.entry_at(start) else {
            return symbol.name.clone();
        };
        let rest = self.entries.get(number..).unwrap_or_default();
        let of_func = |other: &&Entry| symbol.kind == Kind::Function && other.func == Some(number);
        let last = rest.iter().take_while(of_func).last().unwrap_or(entry);
        start..last.range.end.max(symbol.name.end)
    }

    /// Returns the number of the last statement that begins at or before an offset, and the
    /// statement.
    pub(super) fn entry_at(&self, offset: usize) -> Option<(usize, &Entry)> {
        let after = self.entries.partition_point(|entry| {
            let start = entry.labels.first().unwrap_or(&entry.range).start;
            start.min(entry.range.start) <= offset
        });
        let number = after.checked_sub(1)?;
        Some((number, self.entries.get(number)?))
    }
}

/// An index that is being made.
struct Names<'t> {
    outline: &'t Outline<'t>,
    text: &'t [u8],
    /// The number of the symbol of each name.
    known: HashMap<(Scope, &'t [u8]), usize>,
    index: Index,
}

impl<'t> Names<'t> {
    /// Adds what a statement declares.
    fn declare(&mut self, number: usize, entry: &Entry) {
        let word = self.outline.word_of(entry);
        let in_code = entry.func.is_some_and(|func| func != number);
        let (scope, kind) = match word {
            b"module" => (Scope::Modules, Kind::Module),
            _ if in_code => (Scope::Labels(entry.module), Kind::Label),
            b"func" => (Scope::Items(entry.module), Kind::Function),
            b"proto" => (Scope::Items(entry.module), Kind::Prototype),
            _ => (Scope::Items(entry.module), Kind::Data),
        };
        for label in &entry.labels {
            self.add(scope, kind, label);
        }
        let kind = match word {
            b"import" | b"export" | b"forward" => {
                for name in &entry.statement.operands {
                    self.declare_item(entry.module, name, word);
                }
                return;
            }
            b"func" => Kind::Argument,
            b"local" | b"global" => Kind::Variable,
            _ => return,
        };
        let Some(func) = entry.func else { return };
        for operand in &entry.statement.operands {
            if let Some(name) = self.outline.declared(operand) {
                self.add(Scope::Variables(func), kind, &name);
            }
        }
    }

    /// Adds a name of an `import`, `export` or `forward`: the word.
    fn declare_item(&mut self, module: Option<usize>, name: &Range<usize>, word: &[u8]) {
        let Some(number) = self.add(Scope::Items(module), Kind::Import, name) else {
            return;
        };
        if let Some(symbol) = self.index.symbols.get_mut(number) {
            symbol.is_exported |= word == b"export";
        }
        if word != b"forward" {
            let name = self.outline.bytes(name).to_vec();
            let public = self.index.public.entry(name).or_default();
            if !public.contains(&number) {
                public.push(number);
            }
        }
    }

    /// Adds a declaration or definition; returns the number of its symbol.
    fn add(&mut self, scope: Scope, kind: Kind, name: &Range<usize>) -> Option<usize> {
        let text = self.outline.bytes(name);
        if text.is_empty() {
            return None;
        }
        let symbols = &mut self.index.symbols;
        let number = *self.known.entry((scope, text)).or_insert_with(|| {
            symbols.push(Symbol {
                kind,
                scope,
                name: name.clone(),
                occurrences: Vec::new(),
                is_exported: false,
            });
            symbols.len() - 1
        });
        let symbol = symbols.get_mut(number)?;
        if symbol.kind == Kind::Import && kind != Kind::Import {
            (symbol.kind, symbol.name) = (kind, name.clone());
        }
        self.note(number, name, Role::Declaration);
        Some(number)
    }

    fn note(&mut self, number: usize, range: &Range<usize>, role: Role) {
        let range = range.clone();
        if let Some(symbol) = self.index.symbols.get_mut(number) {
            self.index.places.push((range.clone(), number));
            symbol.occurrences.push(Occurrence { range, role });
        }
    }

    /// Adds the names that a statement uses.
    fn refer(&mut self, entry: &Entry) {
        let word = self.outline.word_of(entry);
        let items = Scope::Items(entry.module);
        let labels = Scope::Labels(entry.module);
        let code = Code::from_name(word);
        for (number, operand) in entry.statement.operands.iter().enumerate() {
            let scopes = match (word, entry.func, code) {
                (
                    b"import" | b"export" | b"forward" | b"func" | b"proto" | b"local" | b"global",
                    _,
                    _,
                ) => return,
                (b"lref", _, _) => [Some(labels), None, None],
                (_, None, _) => [Some(items), None, None],
                (_, Some(_), Some(code)) if code.mode(number) == Mode::Label => {
                    [Some(labels), None, None]
                }
                (_, Some(func), Some(_)) => [Some(Scope::Variables(func)), Some(items), None],
                // The instruction is misspelt: any name may have been meant.
                (_, Some(func), None) => [Some(Scope::Variables(func)), Some(items), Some(labels)],
            };
            for name in names(self.text, operand) {
                let text = self.outline.bytes(&name);
                let mut scopes = scopes.iter().flatten();
                let found = scopes.find_map(|&scope| self.known.get(&(scope, text)));
                if let Some(&number) = found {
                    self.note(number, &name, Role::Use);
                }
            }
        }
    }
}

/// Returns the places in an operand where names of variables, items and labels stand: all of it, or
/// within parentheses. Types, displacements, aliases, numbers and strings are none.
fn names<'t>(
    text: &'t [u8],
    operand: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let (start, end) = (operand.start, operand.end.min(text.len()));
    let (mut at, mut depth) = (start, 0_u32);
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$%.".contains(byte);
    core::iter::from_fn(move || {
        while at < end {
            let from = at;
            match text[at] {
                b'"' => return None,
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                byte if in_word(&byte) => {
                    let len = text[from..end]
                        .iter()
                        .take_while(|byte| in_word(byte))
                        .count();
                    at = from + len;
                    let is_type = text[..end].get(skip_blanks(text, at, end)) == Some(&b':');
                    if !byte.is_ascii_digit() && (depth > 0 || from == start && !is_type) {
                        return Some(from..at);
                    }
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"a: module\n export f\n import printf\np: proto i64, i64:x\nx: i64 1\n\
f: func i64, i64:x, blk:16(b)\n local i64:y\nL: add i64:8(x, y, 8), x, inf; bgt L, x, \"x(y)\"\n\
 mov y, x:(y):x:y\n mvo y, L\n endfunc\n lref L, 4\n endmodule\n\
b: module\n import f\n forward g\nr: ref f, 0\ng: func\n call f, f, x\n endfunc\n endmodule\n";

    /// Returns the lines in which the name is that the first place after `before` has.
    fn lines(before: &str) -> Vec<usize> {
        let index = Index::new(TEXT);
        let found = TEXT
            .windows(before.len())
            .position(|part| part == before.as_bytes());
        let offset = found.expect("the text") + before.len();
        let Some((symbol, _)) = index.symbol_at(offset) else {
            return Vec::new();
        };
        let all = index.same(TEXT, symbol);
        let all = all.flat_map(|symbol| &symbol.occurrences);
        let line = |at: usize| TEXT[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let mut lines: Vec<usize> = all.map(|place| line(place.range.start)).collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn names_are_found_in_their_scopes() {
        // The variable x, which hides the item of the same name.
        assert_eq!(lines("blk:16("), [6]);
        assert_eq!(
            lines("i64, i64:x, blk:16(b)\n local i64:"),
            [7, 8, 9, 9, 10]
        );
        assert_eq!(lines("mov y, x:("), [7, 8, 9, 9, 10]);
        assert_eq!(lines("i64:8("), [6, 8, 8, 8]);
        assert_eq!(lines("i64:x\n"), [5]);
        // The label, in the table too.
        assert_eq!(lines("bgt "), [8, 8, 10, 12]);
        // The function, from module to module.
        assert_eq!(lines("export "), [2, 6, 15, 17, 19, 19]);
        assert_eq!(lines("r: ref "), [2, 6, 15, 17, 19, 19]);
        // A name that is declared nowhere has no place, and neither have aliases.
        assert_eq!(lines("call f, f, "), [0; 0]);
        assert_eq!(lines("mov y, x:(y):x:"), [0; 0]);
    }

    #[test]
    fn imports_lead_to_what_exports_them() {
        let index = Index::new(TEXT);
        let imports = index
            .symbols()
            .iter()
            .filter(|symbol| symbol.kind == Kind::Import);
        let defined: Vec<Kind> = imports
            .map(|symbol| index.definition(TEXT, symbol).kind)
            .collect();
        assert_eq!(defined, [Kind::Import, Kind::Function]);
    }
}
