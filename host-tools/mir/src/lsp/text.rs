//! A text, and its places as the protocol counts them: lines, and UTF-16 units within a line.

use crate::diagnostics::Span;
use core::ops::Range;
use lsp_types::Position;

/// A text with the starts of its lines.
#[derive(Debug)]
pub(super) struct Text {
    content: String,
    /// The starts of lines that end in a line feed, a carriage return, or both, as in the protocol.
    protocol_lines: Vec<usize>,
    /// The starts of lines that end in a line feed, as in the language.
    lines: Vec<usize>,
    /// The ends of characters of several bytes, each with the number of bytes that the text has
    /// until there beyond its UTF-16 units: long lines have many places.
    surplus: Vec<(usize, usize)>,
}

impl Text {
    pub(super) fn new(content: String) -> Text {
        let bytes = content.as_bytes();
        let is_end = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = |ends: &dyn Fn(&usize) -> bool| -> Vec<usize> {
            let after = (0..bytes.len()).filter(ends).map(|end| end + 1);
            core::iter::once(0).chain(after).collect()
        };
        let protocol_lines = starts(&is_end);
        let lines = starts(&|at| bytes[*at] == b'\n');
        let wide = content
            .char_indices()
            .filter(|(_, character)| !character.is_ascii());
        let add = |total: &mut usize, (at, character): (usize, char)| {
            *total += character.len_utf8() - character.len_utf16();
            Some((at + character.len_utf8(), *total))
        };
        Text {
            surplus: wide.scan(0, add).collect(),
            protocol_lines,
            lines,
            content,
        }
    }

    pub(super) fn content(&self) -> &str {
        &self.content
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.content.as_bytes()
    }

    /// Returns the text of a range, or nothing if that is no range of characters of it.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.content.get(range).unwrap_or_default()
    }

    /// Returns the position of an offset; one within a character counts as the character's.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = self.content.floor_char_boundary(offset);
        let line = self
            .protocol_lines
            .partition_point(|&start| start <= offset)
            .saturating_sub(1);
        let start = self.protocol_lines.get(line).copied().unwrap_or(0);
        let bytes = offset.saturating_sub(start);
        let units = bytes - (self.surplus(offset) - self.surplus(start)).min(bytes);
        Position::new(small(line), small(units))
    }

    /// Returns the number of bytes that the text has before an offset beyond its UTF-16 units.
    fn surplus(&self, offset: usize) -> usize {
        let before = self.surplus.partition_point(|&(end, _)| end <= offset);
        let last = before
            .checked_sub(1)
            .and_then(|last| self.surplus.get(last));
        last.map_or(0, |&(_, total)| total)
    }

    /// Returns the offset of a position; one after its line's end, or within a character, counts as
    /// the next place before it.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.protocol_lines.get(line) else {
            return self.content.len();
        };
        let next = self.protocol_lines.get(line + 1);
        let end = next.copied().unwrap_or(self.content.len());
        let line = self.slice(start..end).trim_end_matches(['\r', '\n']);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            units += character.len_utf16();
            if units > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }

    pub(super) fn range(&self, range: &Range<usize>) -> lsp_types::Range {
        lsp_types::Range::new(self.position(range.start), self.position(range.end))
    }

    /// Returns the offsets of a span, which ends at the end of its line at the latest.
    pub(super) fn offsets(&self, span: Span) -> Range<usize> {
        let line = (span.line as usize).saturating_sub(1);
        let Some(&start) = self.lines.get(line) else {
            return self.content.len()..self.content.len();
        };
        let next = self.lines.get(line + 1);
        let line_end = next.map_or(self.content.len(), |next| next - 1);
        let start = start + (span.column as usize).saturating_sub(1);
        let start = start.min(line_end);
        start..start.saturating_add(span.len as usize).min(line_end)
    }

    /// Returns the line that an offset is in, without the blanks around it.
    pub(super) fn line(&self, offset: usize) -> &str {
        let number = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines.get(number.saturating_sub(1));
        let end = self.lines.get(number).copied();
        let range = start.copied().unwrap_or(0)..end.unwrap_or(self.content.len());
        self.slice(range).trim()
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of one, two, three and four bytes are one, one, one and two units.
    #[test]
    fn places_are_counted_in_units_of_utf_16() {
        let text = Text::new("a\u{e9}\u{20ac}\u{1f600}b\r\nc\rd\n".into());
        let places = [
            (0, 0, 0),
            (1, 0, 1),
            (3, 0, 2),
            (6, 0, 3),
            (10, 0, 5),
            (11, 0, 6),
            (13, 1, 0),
            (15, 2, 0),
            (17, 3, 0),
        ];
        for (offset, line, unit) in places {
            assert_eq!(text.position(offset), Position::new(line, unit), "{offset}");
            assert_eq!(text.offset(Position::new(line, unit)), offset);
        }
        // In the middle of characters, after the end of a line, and of the text.
        assert_eq!(text.position(8), Position::new(0, 3));
        assert_eq!(text.offset(Position::new(0, 4)), 6);
        assert_eq!(text.offset(Position::new(0, 99)), 11);
        assert_eq!(text.offset(Position::new(9, 9)), 17);
        assert_eq!(text.position(99), Position::new(3, 0));
    }

    #[test]
    fn spans_stay_in_their_lines() {
        let text = Text::new("ab\ncd\n".into());
        let span = |line, column, len| Span {
            line,
            column,
            len,
            line_start: None,
        };
        assert_eq!(text.offsets(span(2, 1, 9)), 3..5);
        assert_eq!(text.offsets(span(2, 9, 9)), 5..5);
        assert_eq!(text.offsets(span(9, 9, 9)), 6..6);
        assert_eq!(text.line(4), "cd");
    }
}
