//! Reads the subset of YAML that these files are written in.
//!
//! Only scalars with escapes are copied. A block of literal text is a range of the input, so that
//! offsets in it are offsets in the file.

use super::error::{Result, fault};
use std::borrow::Cow;

/// A nesting depth that no valid file reaches.
const MAX_DEPTH: usize = 24;

/// A node and its offset.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) at: usize,
    pub(super) value: Value<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    /// An empty node.
    Null,
    Scalar(Cow<'a, [u8]>),
    Sequence(Vec<Node<'a>>),
    Mapping(Vec<Field<'a>>),
    /// Literal text: its range and its indentation.
    Literal(Literal),
}

/// The lines of a literal block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) indent: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    pub(super) key: Cow<'a, [u8]>,
    pub(super) at: usize,
    pub(super) value: Node<'a>,
}

/// The documents of the input.
pub(super) struct Documents<'a> {
    scanner: Scanner<'a>,
}

impl<'a> Documents<'a> {
    pub(super) fn new(input: &'a [u8]) -> Documents<'a> {
        Documents {
            scanner: Scanner { input, at: 0 },
        }
    }

    /// Reads the next document that is not empty.
    pub(super) fn next(&mut self) -> Result<Option<Node<'a>>> {
        loop {
            let Some(node) = self.document()? else {
                return Ok(None);
            };
            let at_end = node.at >= self.scanner.input.len() || self.scanner.at == node.at;
            if !(at_end && matches!(node.value, Value::Null)) {
                return Ok(Some(node));
            }
        }
    }

    fn document(&mut self) -> Result<Option<Node<'a>>> {
        let scanner = &mut self.scanner;
        scanner.skip_space();
        while scanner.is_marker(b"...") {
            // The rest of the line begins the next document.
            scanner.at += 3;
            scanner.skip_space();
        }
        if scanner.at >= scanner.input.len() {
            return Ok(None);
        }
        if scanner.is_marker(b"---") {
            scanner.at += 3;
            scanner.skip_blanks();
            if scanner.peek() == Some(b'|') {
                let at = scanner.at;
                let literal = scanner.literal(0)?;
                return Ok(Some(Node {
                    at,
                    value: Value::Literal(literal),
                }));
            }
        }
        let node = scanner.block_node(0, 0)?;
        scanner.skip_space();
        if scanner.at < scanner.input.len() && !scanner.is_document_end() {
            return fault(scanner.at, "Could not find expected ':'");
        }
        Ok(Some(node))
    }
}

/// A number of keys that no mapping of these files reaches.
const MAX_FIELDS: usize = 64;

fn push_field<'a>(fields: &mut Vec<Field<'a>>, field: Field<'a>) -> Result<()> {
    let repeated = fields.iter().any(|known| known.key == field.key);
    if repeated || fields.len() == MAX_FIELDS {
        let key = String::from_utf8_lossy(&field.key).into_owned();
        let what = if repeated {
            "duplicated mapping key"
        } else {
            "unknown key"
        };
        return fault(field.at, format!("{what} '{key}'"));
    }
    fields.push(field);
    Ok(())
}

struct Scanner<'a> {
    input: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.input.get(self.at + ahead).copied()
    }

    fn is_marker(&self, marker: &[u8]) -> bool {
        let rest = &self.input[self.at.min(self.input.len())..];
        let starts = self.at == 0 || self.input.get(self.at - 1) == Some(&b'\n');
        starts
            && rest.starts_with(marker)
            && rest
                .get(marker.len())
                .is_none_or(|byte| b" \t\r\n".contains(byte))
    }

    fn is_document_end(&self) -> bool {
        self.is_marker(b"---") || self.is_marker(b"...")
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.input[self.at.min(self.input.len())..];
        let len = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(rest.len(), |end| end + 1);
        self.at += len;
    }

    /// Skips blanks, comments and ends of lines.
    fn skip_space(&mut self) {
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'\n') => self.at += 1,
                Some(b'#') => self.skip_line(),
                _ => return,
            }
        }
    }

    fn column(&self) -> usize {
        let before = &self.input[..self.at.min(self.input.len())];
        self.at
            - before
                .iter()
                .rposition(|&byte| byte == b'\n')
                .map_or(0, |end| end + 1)
    }

    fn is_dash(&self) -> bool {
        self.peek() == Some(b'-') && self.byte(1).is_none_or(|byte| b" \t\r\n".contains(&byte))
    }

    /// Reads the node that begins at the next content, indented at least `min_indent` columns.
    fn block_node(&mut self, min_indent: usize, depth: usize) -> Result<Node<'a>> {
        self.skip_space();
        let at = self.at;
        if depth > MAX_DEPTH {
            return fault(at, "nested too deeply");
        }
        let column = self.column();
        if at >= self.input.len() || self.is_document_end() || column < min_indent {
            return Ok(Node {
                at,
                value: Value::Null,
            });
        }
        if self.is_dash() {
            return self.block_sequence(column, depth);
        }
        match self.peek() {
            Some(b'{' | b'[') => self.flow_node(depth),
            Some(b'|') => Ok(Node {
                at,
                value: Value::Literal(self.literal(min_indent)?),
            }),
            _ => self.scalar_or_mapping(column, depth),
        }
    }

    fn block_sequence(&mut self, column: usize, depth: usize) -> Result<Node<'a>> {
        let at = self.at;
        let mut items = Vec::new();
        while self.at < self.input.len() && self.is_dash() && self.column() == column {
            if self.is_document_end() {
                break;
            }
            self.at += 1;
            items.push(self.block_node(column + 1, depth + 1)?);
            self.skip_space();
        }
        Ok(Node {
            at,
            value: Value::Sequence(items),
        })
    }

    /// Reads a scalar or, if a colon follows it, a mapping.
    fn scalar_or_mapping(&mut self, column: usize, depth: usize) -> Result<Node<'a>> {
        let at = self.at;
        let mut key = self.scalar(false)?;
        self.skip_blanks();
        if !self.is_colon() {
            return Ok(Node {
                at,
                value: Value::Scalar(key),
            });
        }
        let mut fields: Vec<Field<'a>> = Vec::new();
        let mut key_at = at;
        loop {
            self.at += 1;
            let value = self.value(column, depth)?;
            push_field(
                &mut fields,
                Field {
                    key,
                    at: key_at,
                    value,
                },
            )?;
            self.skip_space();
            if self.at >= self.input.len() || self.is_document_end() || self.column() != column {
                break;
            }
            key_at = self.at;
            if matches!(self.peek(), Some(b'{' | b'[' | b'|')) || self.is_dash() {
                return fault(key_at, "Unexpected token. Expected Key or Block End");
            }
            key = self.scalar(false)?;
            self.skip_blanks();
            if !self.is_colon() {
                return fault(self.at, "Could not find expected ':'");
            }
        }
        if self.at < self.input.len() && !self.is_document_end() && self.column() > column {
            return fault(self.at, "Unexpected token. Expected Key or Block End");
        }
        Ok(Node {
            at,
            value: Value::Mapping(fields),
        })
    }

    fn is_colon(&self) -> bool {
        self.peek() == Some(b':')
            && self
                .byte(1)
                .is_none_or(|byte| b" \t\r\n,}]".contains(&byte))
    }

    /// Reads the value of a key of a block mapping at this column.
    fn value(&mut self, column: usize, depth: usize) -> Result<Node<'a>> {
        self.skip_blanks();
        let at = self.at;
        match self.peek() {
            Some(b'|') => Ok(Node {
                at,
                value: Value::Literal(self.literal(column + 1)?),
            }),
            Some(b'{' | b'[') => self.flow_node(depth),
            None | Some(b'\n' | b'#') => {
                self.skip_space();
                if self.is_dash() && self.column() == column && !self.is_document_end() {
                    return self.block_sequence(column, depth + 1);
                }
                let node = self.block_node(column + 1, depth + 1)?;
                Ok(Node {
                    at: if matches!(node.value, Value::Null) {
                        at
                    } else {
                        node.at
                    },
                    ..node
                })
            }
            _ => {
                let value = Value::Scalar(self.scalar(false)?);
                self.skip_blanks();
                match self.peek() {
                    None | Some(b'\n' | b'#') => Ok(Node { at, value }),
                    _ => fault(self.at, "Unexpected token. Expected Key or Block End"),
                }
            }
        }
    }

    fn flow_node(&mut self, depth: usize) -> Result<Node<'a>> {
        let at = self.at;
        if depth > MAX_DEPTH {
            return fault(at, "nested too deeply");
        }
        match self.peek() {
            Some(b'{') => self.flow_mapping(depth),
            Some(b'[') => self.flow_sequence(depth),
            // Call sites have block sequences within flow mappings.
            _ if self.is_dash() => self.block_sequence(self.column(), depth + 1),
            Some(b',' | b'}' | b']') => Ok(Node {
                at,
                value: Value::Null,
            }),
            _ => Ok(Node {
                at,
                value: Value::Scalar(self.scalar(true)?),
            }),
        }
    }

    fn flow_mapping(&mut self, depth: usize) -> Result<Node<'a>> {
        let at = self.at;
        self.at += 1;
        let mut fields: Vec<Field<'a>> = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Node {
                        at,
                        value: Value::Mapping(fields),
                    });
                }
                Some(b',') => self.at += 1,
                None => return fault(self.at, "Expected , between entries"),
                _ => {
                    let key_at = self.at;
                    let key = self.scalar(true)?;
                    self.skip_space();
                    if self.peek() != Some(b':') {
                        return fault(self.at, "Could not find expected ':'");
                    }
                    self.at += 1;
                    self.skip_space();
                    let value = self.flow_node(depth + 1)?;
                    push_field(
                        &mut fields,
                        Field {
                            key,
                            at: key_at,
                            value,
                        },
                    )?;
                    self.end_of_entry(b'}')?;
                }
            }
        }
    }

    fn flow_sequence(&mut self, depth: usize) -> Result<Node<'a>> {
        let at = self.at;
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Ok(Node {
                        at,
                        value: Value::Sequence(items),
                    });
                }
                Some(b',') => self.at += 1,
                None => return fault(self.at, "Expected , between entries"),
                _ => {
                    items.push(self.flow_node(depth + 1)?);
                    self.end_of_entry(b']')?;
                }
            }
        }
    }

    fn end_of_entry(&mut self, close: u8) -> Result<()> {
        self.skip_space();
        match self.peek() {
            Some(b',') => Ok(()),
            Some(byte) if byte == close => Ok(()),
            _ => fault(self.at, "Expected , between entries"),
        }
    }

    /// Reads a scalar on one line: quoted, or plain up to its delimiter.
    fn scalar(&mut self, flow: bool) -> Result<Cow<'a, [u8]>> {
        match self.peek() {
            Some(b'\'') => self.single_quoted(),
            Some(b'"') => self.double_quoted(),
            _ => self.plain(flow),
        }
    }

    fn plain(&mut self, flow: bool) -> Result<Cow<'a, [u8]>> {
        let start = self.at;
        let mut end = start;
        while let Some(byte) = self.peek() {
            let ends = match byte {
                b'\n' => true,
                b',' | b'{' | b'}' | b'[' | b']' => flow,
                b':' => self.is_colon(),
                b'#' => end != self.at,
                _ => false,
            };
            if ends {
                break;
            }
            self.at += 1;
            if !b" \t\r".contains(&byte) {
                end = self.at;
            }
        }
        self.at = end;
        if start == end {
            return fault(start, "Unrecognized character while tokenizing.");
        }
        Ok(Cow::Borrowed(&self.input[start..end]))
    }

    fn single_quoted(&mut self) -> Result<Cow<'a, [u8]>> {
        let start = self.at + 1;
        let mut at = start;
        let mut doubled = false;
        loop {
            match self.input.get(at) {
                Some(b'\'') if self.input.get(at + 1) == Some(&b'\'') => {
                    doubled = true;
                    at += 2;
                }
                Some(b'\'') => break,
                Some(_) => at += 1,
                None => return fault(self.at, "Expected quote at end of scalar"),
            }
        }
        self.at = at + 1;
        let text = &self.input[start..at];
        if !doubled {
            return Ok(Cow::Borrowed(text));
        }
        let mut decoded = Vec::with_capacity(text.len());
        let mut quote = false;
        for &byte in text {
            quote = byte == b'\'' && !quote;
            if !quote {
                decoded.push(byte);
            }
        }
        Ok(Cow::Owned(decoded))
    }

    fn double_quoted(&mut self) -> Result<Cow<'a, [u8]>> {
        let open = self.at;
        self.at += 1;
        let mut decoded = Vec::new();
        loop {
            let Some(byte) = self.peek() else {
                return fault(open, "Expected quote at end of scalar");
            };
            self.at += 1;
            match byte {
                b'"' => return Ok(Cow::Owned(decoded)),
                b'\\' => self.escape(&mut decoded)?,
                byte => decoded.push(byte),
            }
        }
    }

    fn escape(&mut self, decoded: &mut Vec<u8>) -> Result<()> {
        let at = self.at;
        let Some(byte) = self.peek() else {
            return fault(at, "Unrecognized escape code");
        };
        self.at += 1;
        let digits = match byte {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        if digits != 0 {
            let text = self
                .input
                .get(self.at..self.at + digits)
                .and_then(|text| str::from_utf8(text).ok());
            let code = text.and_then(|text| u32::from_str_radix(text, 16).ok());
            let Some(code) = code.and_then(char::from_u32) else {
                return fault(at, "Unrecognized escape code");
            };
            self.at += digits;
            decoded.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes());
            return Ok(());
        }
        let text = match byte {
            b'0' => "\0",
            b'a' => "\x07",
            b'b' => "\x08",
            b't' | b'\t' => "\t",
            b'n' => "\n",
            b'v' => "\x0B",
            b'f' => "\x0C",
            b'r' => "\r",
            b'e' => "\x1B",
            b' ' => " ",
            b'"' => "\"",
            b'/' => "/",
            b'\\' => "\\",
            b'N' => "\u{85}",
            b'_' => "\u{A0}",
            b'L' => "\u{2028}",
            b'P' => "\u{2029}",
            _ => return fault(at, "Unrecognized escape code"),
        };
        decoded.extend_from_slice(text.as_bytes());
        Ok(())
    }

    /// Reads the lines of a literal block after `|`: those indented at least `min_indent` columns.
    fn literal(&mut self, min_indent: usize) -> Result<Literal> {
        self.at += 1;
        while matches!(self.peek(), Some(b'+' | b'-')) {
            self.at += 1;
        }
        self.skip_blanks();
        if !matches!(self.peek(), None | Some(b'\n' | b'#')) {
            return fault(self.at, "Expected a line break after block scalar header");
        }
        self.skip_line();
        let start = self.at;
        let mut indent = None;
        let mut end = start;
        while self.at < self.input.len() && !self.is_document_end() {
            let line = &self.input[self.at..];
            let line = &line[..line
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(line.len())];
            let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
            let is_empty = line[blanks..].iter().all(|byte| b" \t\r".contains(byte));
            if !is_empty {
                if blanks < indent.unwrap_or(min_indent) {
                    break;
                }
                indent.get_or_insert(blanks);
            }
            self.skip_line();
            if !is_empty {
                end = self.at;
            }
        }
        Ok(Literal {
            start,
            end,
            indent: indent.unwrap_or(min_indent),
        })
    }
}
