//! The statements of a text that has errors, with the function and module that each is in, for
//! what diagnostics say of them: names in scope, first definitions, where something began.

use crate::diagnostics::Span;
use crate::source_map::{Lines, Statement, split, statements};
use core::ops::Range;

/// The statements of a text in order.
#[derive(Debug)]
pub(crate) struct Outline<'t> {
    text: &'t [u8],
    lines: Lines,
    entries: Vec<Entry>,
}

/// A statement.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Everything of it but the comment.
    pub(crate) range: Range<usize>,
    pub(crate) labels: Vec<Range<usize>>,
    pub(crate) statement: Statement,
    /// The number of the `module` before it.
    pub(crate) module: Option<usize>,
    /// The number among all statements of the `func` that it is in; a `func` is in itself.
    pub(crate) func: Option<usize>,
}

impl<'t> Outline<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Outline<'t> {
        let mut outline = Outline {
            text,
            lines: Lines::of(text),
            entries: Vec::new(),
        };
        let (mut module, mut func) = (None, None);
        let mut labels = Vec::new();
        for part in statements(text) {
            let range = part.code.clone();
            let statement = split(text, part.code, &mut labels);
            if statement.word.is_empty() && statement.operands.is_empty() {
                continue;
            }
            let number = outline.entries.len();
            let word = &text[statement.word.clone()];
            match word {
                b"module" => {
                    module = Some(module.map_or(0, |module| module + 1));
                    func = None;
                }
                b"func" => func = Some(number),
                b"endmodule" => func = None,
                _ => {}
            }
            let ends_func = word == b"endfunc";
            outline.entries.push(Entry {
                range,
                labels: core::mem::take(&mut labels),
                statement,
                module,
                func,
            });
            if ends_func {
                func = None;
            }
        }
        outline
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn into_entries(self) -> Vec<Entry> {
        self.entries
    }

    /// Returns the offset of a line and column, both from 1.
    pub(crate) fn offset(&self, line: u32, column: u32) -> usize {
        let start = self.lines.start(line).unwrap_or(self.text.len());
        (start + (column as usize).saturating_sub(1)).min(self.text.len())
    }

    /// Returns the number of the statement that an offset is in, else of the one before.
    pub(crate) fn number_at(&self, offset: usize) -> Option<usize> {
        let entries = self.entries.partition_point(|entry| {
            let start = entry.labels.first().unwrap_or(&entry.range).start;
            start.min(entry.range.start) <= offset
        });
        entries.checked_sub(1)
    }

    pub(crate) fn at(&self, offset: usize) -> Option<&Entry> {
        self.entries.get(self.number_at(offset)?)
    }

    pub(crate) fn bytes(&self, range: &Range<usize>) -> &'t [u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    pub(crate) fn words(&self, range: &Range<usize>) -> String {
        String::from_utf8_lossy(self.bytes(range)).into_owned()
    }

    pub(crate) fn word_of(&self, entry: &Entry) -> &'t [u8] {
        self.bytes(&entry.statement.word)
    }

    /// Returns the statement that the function of this one begins with.
    pub(crate) fn func_of(&self, entry: &Entry) -> Option<&Entry> {
        self.entries.get(entry.func?)
    }

    /// Returns the statements of the function that this one is in.
    pub(crate) fn body<'o>(
        &'o self,
        entry: &Entry,
    ) -> impl Iterator<Item = &'o Entry> + use<'o, 't> {
        let func = entry.func;
        let from = func.unwrap_or(self.entries.len());
        let rest = self.entries.get(from..).unwrap_or_default();
        rest.iter().take_while(move |entry| entry.func == func)
    }

    /// Returns the places of the names of a function's registers: arguments and variables.
    pub(crate) fn registers(&self, entry: &Entry) -> Vec<Range<usize>> {
        let declares =
            |entry: &&Entry| matches!(self.word_of(entry), b"func" | b"local" | b"global");
        let operands = self.body(entry).filter(declares);
        let operands = operands.flat_map(|entry| &entry.statement.operands);
        operands
            .filter_map(|operand| self.declared(operand))
            .collect()
    }

    /// Returns the name in `TYPE:NAME`, `TYPE:NAME:HARDREG` or `blk:SIZE(NAME)`.
    pub(crate) fn declared(&self, operand: &Range<usize>) -> Option<Range<usize>> {
        let text = self.bytes(operand);
        let colon = text.iter().position(|&byte| byte == b':')? + 1;
        let open = text.iter().position(|&byte| byte == b'(');
        let from = open.map_or(colon, |open| open + 1);
        let rest = &text[from..];
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let from = from + rest.iter().take_while(|byte| is_blank(byte)).count();
        let ends = |byte: &u8| is_blank(byte) || matches!(byte, b':' | b')');
        let len = text[from..]
            .iter()
            .position(ends)
            .unwrap_or(text.len() - from);
        (len > 0).then(|| operand.start + from..operand.start + from + len)
    }

    /// Returns the places of the labels of the function that this statement is in.
    pub(crate) fn labels<'o>(
        &'o self,
        entry: &Entry,
    ) -> impl Iterator<Item = Range<usize>> + use<'o, 't> {
        let is_label = |entry: &&Entry| self.word_of(entry) != b"func";
        let entries = self.body(entry).filter(is_label);
        entries.flat_map(|entry| entry.labels.iter().cloned())
    }

    /// Returns the places of the names of the items of the module that this statement is in:
    /// definitions, then declarations.
    pub(crate) fn items(&self, entry: &Entry) -> Vec<Range<usize>> {
        let is_declaration =
            |entry: &Entry| matches!(self.word_of(entry), b"import" | b"export" | b"forward");
        let of_module = || {
            let module = entry.module;
            let entries = self.entries.iter();
            entries.filter(move |entry| entry.module == module)
        };
        let defines = |entry: &&Entry| {
            let is_outside = entry.func.is_none() || self.word_of(entry) == b"func";
            is_outside && self.word_of(entry) != b"module"
        };
        let defined = of_module().filter(defines).flat_map(|entry| &entry.labels);
        let declared = of_module().filter(|entry| is_declaration(entry));
        let declared = declared.flat_map(|entry| &entry.statement.operands);
        defined.chain(declared).cloned().collect()
    }

    /// Returns line, column and length of a range.
    pub(crate) fn span(&self, range: &Range<usize>) -> Span {
        self.lines.span(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"m: module\n import x\nd: i64 1\nf: func i64, i64:p, blk:16(q)\n \
local i64:x, d:y:xmm1\nL1:\n L2: add x, p, 1 ; mvo 5\n endfunc\ng: func\n ret\n endmodule\n";

    #[test]
    fn names_are_found_by_their_scope() {
        let outline = Outline::new(TEXT);
        let at = TEXT
            .windows(3)
            .position(|word| word == b"mvo")
            .expect("the word");
        let entry = outline.at(at).expect("a statement");
        let texts = |ranges: Vec<Range<usize>>| -> Vec<String> {
            ranges.iter().map(|range| outline.words(range)).collect()
        };
        assert_eq!(outline.word_of(entry), b"mvo");
        assert_eq!(texts(outline.registers(entry)), ["p", "q", "x", "y"]);
        assert_eq!(texts(outline.labels(entry).collect()), ["L1", "L2"]);
        assert_eq!(texts(outline.items(entry)), ["d", "f", "g", "x"]);
        let func = outline.func_of(entry).expect("a function");
        assert_eq!(texts(func.labels.clone()), ["f"]);
        assert_eq!(outline.span(&func.labels[0]).line, 4);
        assert_eq!(entry.module, Some(0));
    }
}
