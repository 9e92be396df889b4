//! The places in a text of its items, variables and instructions: modules do not keep them, so they
//! are found again when a diagnostic needs one.

use crate::diagnostics::Span;
use core::ops::Range;
use std::collections::HashMap;

/// The places of everything in a text, found in linear time and looked up in logarithmic time.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    modules: Vec<ModulePlaces>,
    lines: Lines,
}

/// The lines of a text: the offset of each one's start.
#[derive(Debug, Default)]
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn of(text: &[u8]) -> Lines {
        let line_ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = line_ends.map(|(end, _)| end + 1);
        Lines(core::iter::once(0).chain(starts).collect())
    }

    /// Returns the offset of the start of a line, from 1.
    pub(crate) fn start(&self, line: u32) -> Option<usize> {
        self.0.get((line as usize).saturating_sub(1)).copied()
    }

    /// Returns line, column and length of a range.
    pub(crate) fn span(&self, range: &Range<usize>) -> Span {
        let line = self.0.partition_point(|&start| start <= range.start);
        let line_start = self.0.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        Span {
            line: number(line),
            column: number(range.start - line_start + 1),
            len: number(range.len()),
            line_start: Some(line_start),
        }
    }
}

/// The places of a module's items.
#[derive(Debug, Default)]
struct ModulePlaces {
    /// The first definition of each name, and its first declaration.
    defined: HashMap<Vec<u8>, Range<usize>>,
    declared: HashMap<Vec<u8>, Range<usize>>,
    /// The items without a name, in order.
    unnamed: Vec<Range<usize>>,
    funcs: Vec<FuncPlaces>,
}

/// The places of a function's variables and instructions.
#[derive(Debug, Default)]
struct FuncPlaces {
    name: Vec<u8>,
    variables: Vec<Range<usize>>,
    insns: Vec<Statement>,
    end: Range<usize>,
}

/// A statement without its labels: the first word, and the operands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    pub(crate) word: Range<usize>,
    pub(crate) operands: Vec<Range<usize>>,
}

/// The text between two line ends or semicolons.
pub(crate) struct Part {
    /// Everything but the comment.
    pub(crate) code: Range<usize>,
    pub(crate) comment: Option<Range<usize>>,
    /// True if a line ends after it.
    pub(crate) ends_line: bool,
}

impl Statement {
    /// Returns the range from the word to the end of the last operand.
    fn whole(&self) -> Range<usize> {
        let end = self
            .operands
            .last()
            .map_or(self.word.end, |operand| operand.end);
        self.word.start..end
    }
}

impl SourceMap {
    /// Finds everything in a text.
    pub(crate) fn new(text: &[u8]) -> SourceMap {
        let mut map = SourceMap {
            modules: Vec::new(),
            lines: Lines::of(text),
        };
        let mut labels = Vec::new();
        let mut in_func = false;
        for part in statements(text) {
            let statement = split(text, part.code, &mut labels);
            if statement.word.is_empty() {
                continue;
            }
            let names = core::mem::take(&mut labels);
            if &text[statement.word.clone()] == b"module" {
                map.modules.push(ModulePlaces::default());
            } else if let Some(module) = map.modules.last_mut() {
                in_func = module.take(text, &statement, &names, in_func);
            }
        }
        map
    }
}

impl ModulePlaces {
    /// Adds a statement; returns whether a function is open after it.
    fn take(
        &mut self,
        text: &[u8],
        statement: &Statement,
        names: &[Range<usize>],
        in_func: bool,
    ) -> bool {
        match (&text[statement.word.clone()], self.funcs.last_mut()) {
            (b"func", _) => {
                note(text, names, &mut self.defined);
                let name = names.first().map(|name| text[name.clone()].to_vec());
                self.funcs.push(FuncPlaces {
                    name: name.unwrap_or_default(),
                    ..FuncPlaces::default()
                });
                return true;
            }
            (b"endfunc", Some(func)) => {
                func.end = statement.word.clone();
                return false;
            }
            (b"endmodule", _) => {}
            (b"import" | b"export" | b"forward", _) => {
                note(text, &statement.operands, &mut self.declared);
            }
            (b"local" | b"global", Some(func)) => {
                func.variables.extend(statement.operands.iter().cloned());
            }
            (_, Some(func)) if in_func => func.insns.push(statement.clone()),
            _ if names.is_empty() => self.unnamed.push(statement.whole()),
            _ => note(text, names, &mut self.defined),
        }
        in_func
    }
}

/// Records the first place of each name.
fn note(text: &[u8], names: &[Range<usize>], places: &mut HashMap<Vec<u8>, Range<usize>>) {
    for name in names {
        let place = places.entry(text[name.clone()].to_vec());
        place.or_insert_with(|| name.clone());
    }
}

impl SourceMap {
    /// Returns the span of a named item of module number `module`: its definition, or the first
    /// `import`, `export` or `forward`.
    pub(crate) fn named(&self, module: usize, name: &[u8], is_declaration: bool) -> Option<Span> {
        let module = self.modules.get(module)?;
        let places = if is_declaration {
            &module.declared
        } else {
            &module.defined
        };
        Some(self.lines.span(places.get(name)?))
    }

    /// Returns the span of the unnamed item with this number among them.
    pub(crate) fn unnamed(&self, module: usize, number: usize) -> Option<Span> {
        Some(
            self.lines
                .span(self.modules.get(module)?.unnamed.get(number)?),
        )
    }

    /// Returns the span of the declaration of a variable of function number `func`, by its number
    /// among those that are not arguments.
    pub(crate) fn variable(&self, module: usize, func: usize, number: usize) -> Option<Span> {
        let func = self.modules.get(module)?.funcs.get(func)?;
        Some(self.lines.span(func.variables.get(number)?))
    }

    /// Returns the number of the first function of this name.
    pub(crate) fn func_named(&self, module: usize, name: &[u8]) -> Option<usize> {
        let mut funcs = self.modules.get(module)?.funcs.iter();
        funcs.position(|func| func.name == name)
    }

    /// Returns the span of instruction number `number` (labels not counted) of function number
    /// `func`, or of one of its operands; of `endfunc` if the text does not have that many.
    pub(crate) fn insn(
        &self,
        module: usize,
        func: usize,
        number: usize,
        operand: Option<usize>,
    ) -> Option<Span> {
        let func = self.modules.get(module)?.funcs.get(func)?;
        let Some(insn) = func.insns.get(number) else {
            return Some(self.lines.span(&func.end));
        };
        let operand = operand.and_then(|operand| insn.operands.get(operand).cloned());
        Some(self.lines.span(&operand.unwrap_or_else(|| insn.whole())))
    }
}

/// Returns the end of a string that starts at `start` with its quote; one that lacks the other
/// quote ends with its line.
pub(crate) fn string_end(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// Returns the parts of a text.
pub(crate) fn statements(text: &[u8]) -> impl Iterator<Item = Part> {
    let mut at = 0;
    core::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let (start, mut comment) = (at, None);
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\n' => break,
                b';' if comment.is_none() => break,
                b'#' => comment = comment.or(Some(at)),
                b'"' if comment.is_none() => at = string_end(text, at) - 1,
                _ => {}
            }
            at += 1;
        }
        let end = at.min(text.len());
        at = end + 1;
        Some(Part {
            code: start..comment.unwrap_or(end),
            comment: comment.map(|start| start..end),
            ends_line: text.get(end) != Some(&b';'),
        })
    })
}

/// Splits a statement. Its labels are appended to `labels`, where those of preceding statements of
/// labels alone are already.
pub(crate) fn split(text: &[u8], range: Range<usize>, labels: &mut Vec<Range<usize>>) -> Statement {
    let mut at = range.start;
    loop {
        let word = word(text, skip_blanks(text, at, range.end), range.end);
        let behind = skip_blanks(text, word.end, range.end);
        if word.is_empty() || behind >= range.end || text[behind] != b':' {
            let operands = operands(text, word.end..range.end);
            return Statement { word, operands };
        }
        labels.push(word);
        at = behind + 1;
    }
}

pub(crate) fn skip_blanks(text: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && matches!(text[at], b' ' | b'\t' | b'\r') {
        at += 1;
    }
    at
}

fn word(text: &[u8], start: usize, end: usize) -> Range<usize> {
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$%.".contains(byte);
    let len = text[start..end]
        .iter()
        .take_while(|byte| in_word(byte))
        .count();
    start..start + len
}

/// Returns the parts between commas that are not in parentheses or strings.
fn operands(text: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut at, mut depth) = (range.start, range.start, 0_u32);
    let mut take = |start, end: usize| {
        let start = skip_blanks(text, start, end);
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let blanks = text[start..end].iter().rev().take_while(blank).count();
        if start < end - blanks {
            found.push(start..end - blanks);
        }
    };
    while at < range.end {
        match text[at] {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'"' => at = string_end(text, at).min(range.end) - 1,
            b',' if depth == 0 => {
                take(start, at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    take(start, range.end);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"m: module # comment; func\n export a, f\n i64 1; a: string \"x;#,\\\"\"\n\
f: func i64, i64:p\n local i64:x, d:y ; global i64:g:rbx\nL1:\n L2: add x, i64:8(p, x), \"a,(\" ; ret x\n endfunc\n\
 lref L1\n endmodule\n";

    fn text_of(span: Option<Span>) -> (u32, &'static str) {
        let span = span.unwrap();
        let line = TEXT
            .split(|&byte| byte == b'\n')
            .nth(span.line as usize - 1)
            .unwrap();
        let start = span.column as usize - 1;
        (
            span.line,
            core::str::from_utf8(&line[start..start + span.len as usize]).unwrap(),
        )
    }

    #[test]
    fn everything_is_found_in_its_line() {
        let map = SourceMap::new(TEXT);
        assert_eq!(text_of(map.named(0, b"f", true)), (2, "f"));
        assert_eq!(text_of(map.named(0, b"f", false)), (4, "f"));
        assert_eq!(text_of(map.named(0, b"a", false)), (3, "a"));
        assert_eq!(text_of(map.unnamed(0, 0)), (3, "i64 1"));
        assert_eq!(text_of(map.unnamed(0, 1)), (9, "lref L1"));
        assert_eq!(text_of(map.variable(0, 0, 2)), (5, "i64:g:rbx"));
        assert_eq!(text_of(map.insn(0, 0, 0, Some(1))), (7, "i64:8(p, x)"));
        assert_eq!(text_of(map.insn(0, 0, 0, Some(2))), (7, "\"a,(\""));
        assert_eq!(text_of(map.insn(0, 0, 1, None)), (7, "ret x"));
        assert_eq!(text_of(map.insn(0, 0, 2, None)), (8, "endfunc"));
    }
}
