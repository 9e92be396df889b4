//! The layout of text that `mir fmt` produces, comments kept.
//!
//! Labels of instructions stand on lines of their own, names of items before their item; everything
//! else is indented by a tab; a word is followed by a tab, a comma by a space. Several blank lines
//! become one. Nothing but blanks, line ends and semicolons changes.

use crate::source_map::{Statement, skip_blanks, split, statements, string_end};
use core::ops::Range;

/// Returns the text of a program in the usual layout; the program has been read without errors.
pub(crate) fn layout(text: &[u8]) -> Vec<u8> {
    let mut layout = Layout {
        text,
        out: Vec::with_capacity(text.len() + text.len() / 8),
        in_func: false,
        blank_before: false,
        line_is_empty: true,
        labels: Vec::new(),
    };
    for part in statements(text) {
        layout.part(part.code, part.comment, part.ends_line);
    }
    layout.out
}

struct Layout<'a> {
    text: &'a [u8],
    out: Vec<u8>,
    in_func: bool,
    /// True if a blank line comes before the next statement or comment.
    blank_before: bool,
    /// True if nothing has been on this line of the source yet.
    line_is_empty: bool,
    /// Names that wait for their item.
    labels: Vec<Range<usize>>,
}

impl Layout<'_> {
    fn part(&mut self, code: Range<usize>, comment: Option<Range<usize>>, ends_line: bool) {
        let line_start = code.start;
        let statement = split(self.text, code, &mut self.labels);
        let says_something = !statement.word.is_empty() || !self.labels.is_empty();
        if says_something {
            self.statement(&statement);
        } else if comment.is_none() && ends_line && self.line_is_empty {
            self.blank_before = !self.out.is_empty();
        }
        if let Some(comment) = comment {
            self.comment(comment, line_start);
        }
        self.line_is_empty = ends_line;
    }

    fn statement(&mut self, statement: &Statement) {
        let word = &self.text[statement.word.clone()];
        let labels = core::mem::take(&mut self.labels);
        let is_code = self.in_func && word != b"endfunc";
        if !is_code && statement.word.is_empty() {
            self.labels = labels;
            return;
        }
        self.line_is_empty = false;
        self.blank_line();
        if is_code {
            for label in labels {
                self.copy(label);
                self.out.extend_from_slice(b":\n");
            }
        } else {
            for label in labels {
                self.copy(label);
                self.out.push(b':');
            }
        }
        if !word.is_empty() {
            self.out.push(b'\t');
            self.out.extend_from_slice(word);
            self.operands(&statement.operands);
            self.out.push(b'\n');
        }
        match word {
            b"func" => self.in_func = true,
            b"endfunc" => self.in_func = false,
            _ => {}
        }
    }

    fn operands(&mut self, operands: &[Range<usize>]) {
        for (number, operand) in operands.iter().enumerate() {
            self.out
                .extend_from_slice(if number == 0 { b"\t" } else { b", " });
            self.operand(operand.clone());
        }
    }

    /// Writes an operand without blanks except after commas.
    fn operand(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            match self.text[at] {
                b'"' => {
                    let end = string_end(self.text, at).min(range.end);
                    self.copy(at..end);
                    at = end;
                    continue;
                }
                b',' => self.out.extend_from_slice(b", "),
                b' ' | b'\t' | b'\r' => {}
                byte => self.out.push(byte),
            }
            at += 1;
        }
    }

    /// Writes a comment: after the code on its line if there was any, else on a line of its own,
    /// indented if it was.
    fn comment(&mut self, comment: Range<usize>, line_start: usize) {
        let text = self.text[comment.clone()].trim_ascii_end();
        let behind_code = !self.line_is_empty && self.out.last() == Some(&b'\n');
        if behind_code {
            self.out.pop();
            self.out.push(b' ');
        } else {
            self.blank_line();
            if skip_blanks(self.text, line_start, comment.start) > line_start {
                self.out.push(b'\t');
            }
        }
        self.out.extend_from_slice(text);
        self.out.push(b'\n');
    }

    fn blank_line(&mut self) {
        if core::mem::take(&mut self.blank_before) {
            self.out.push(b'\n');
        }
    }

    fn copy(&mut self, range: Range<usize>) {
        self.out.extend_from_slice(&self.text[range]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(text: &str) -> String {
        let once = layout(text.as_bytes());
        assert_eq!(layout(&once), once, "laying out twice changes nothing");
        String::from_utf8(once).unwrap()
    }

    #[test]
    fn statements_get_lines_and_tabs() {
        let text = "m :module\n\n\n# about f\n f: func i64,i64 : a ; local  i64:x # x\n\n  # deep\nL1 :  L2:\n add x,i64 : 8(a,x ,2),\
 \"a , b\";ret x\n endfunc;endmodule";
        let wanted = "m:\tmodule\n\n# about f\nf:\tfunc\ti64, i64:a\n\tlocal\ti64:x # x\n\n\t# deep\nL1:\nL2:\n\
\tadd\tx, i64:8(a, x, 2), \"a , b\"\n\tret\tx\n\tendfunc\n\tendmodule\n";
        assert_eq!(laid_out(text), wanted);
    }

    #[test]
    fn comments_stay_where_they_are() {
        let text = "# top\nm: module # a\n; \n  # b ; c\n\tendmodule\n# end";
        assert_eq!(
            laid_out(text),
            "# top\nm:\tmodule # a\n\t# b ; c\n\tendmodule\n# end\n"
        );
    }

    #[test]
    fn labels_keep_their_comments() {
        let text = "m: module\nf: func\nl: # here\n jmp l\nendfunc\nendmodule\n";
        assert_eq!(
            laid_out(text),
            "m:\tmodule\nf:\tfunc\nl: # here\n\tjmp\tl\n\tendfunc\n\tendmodule\n"
        );
    }
}
