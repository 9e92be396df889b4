//! LLVM's layout of YAML: padding after keys, wrapping of flow collections, quoting.

use super::push_number;

/// The text printed so far, with the state of its layout.
pub(super) struct Yaml {
    pub(super) out: Vec<u8>,
    line: usize,
    indent: usize,
    pub(super) simplify: bool,
}

/// The column after which a flow collection is continued on the next line.
const WRAP: usize = 70;

impl Yaml {
    pub(super) fn new(out: Vec<u8>, simplify: bool) -> Yaml {
        let line = out.len();
        Yaml {
            out,
            line,
            indent: 0,
            simplify,
        }
    }

    pub(super) fn newline(&mut self) {
        self.out.push(b'\n');
        self.line = self.out.len();
    }

    fn push(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
    }

    fn spaces(&mut self, count: usize) {
        self.out.resize(self.out.len() + count, b' ');
    }

    /// Adds a key of a block mapping with its padding.
    pub(super) fn key(&mut self, key: &str) {
        self.spaces(self.indent);
        self.unindented_key(key);
    }

    /// Adds a key that follows the dash of a sequence.
    pub(super) fn unindented_key(&mut self, key: &str) {
        self.push(key.as_bytes());
        self.push(b":");
        self.spaces(
            16_usize
                .checked_sub(key.len())
                .filter(|pad| *pad > 0)
                .unwrap_or(1),
        );
    }

    /// Adds a key whose value is the lines that `inner` writes, indented further.
    pub(super) fn nested(&mut self, key: &str, inner: impl FnOnce(&mut Yaml)) {
        self.spaces(self.indent);
        self.push(key.as_bytes());
        self.push(b":");
        self.newline();
        self.indent += 2;
        inner(self);
        self.indent -= 2;
    }

    /// Adds a key and a scalar.
    pub(super) fn scalar(&mut self, key: &str, value: &[u8]) {
        self.key(key);
        push_scalar(&mut self.out, value);
        self.newline();
    }

    /// Adds a key and a number, unless it is the default.
    pub(super) fn number(&mut self, key: &str, value: impl Into<i128>, default: i128) {
        let value = value.into();
        if self.simplify && value == default {
            return;
        }
        self.key(key);
        push_number(&mut self.out, value);
        self.newline();
    }

    /// Adds a key and a boolean, unless it is false.
    pub(super) fn boolean(&mut self, key: &str, value: bool) {
        if !self.simplify || value {
            self.always_boolean(key, value);
        }
    }

    /// Adds a key and a boolean.
    pub(super) fn always_boolean(&mut self, key: &str, value: bool) {
        self.key(key);
        self.push(if value { b"true" } else { b"false" });
        self.newline();
    }

    /// Adds a key and a list; `each` writes an element after its dash.
    pub(super) fn list<T>(
        &mut self,
        key: &str,
        list: &[T],
        mut each: impl FnMut(&mut Yaml, usize, &T),
    ) {
        if list.is_empty() {
            if !self.simplify {
                self.key(key);
                self.push(b"[]");
                self.newline();
            }
            return;
        }
        self.nested(key, |yaml| {
            for (at, item) in list.iter().enumerate() {
                yaml.spaces(yaml.indent);
                yaml.push(b"- ");
                yaml.indent += 2;
                each(yaml, at, item);
                yaml.indent -= 2;
            }
        });
    }

    /// Adds a flow mapping and ends the line.
    pub(super) fn flow(&mut self, fields: impl FnOnce(&mut Flow<'_>)) {
        self.push(b"{ ");
        let start = self.column() - 2;
        let mut flow = Flow {
            yaml: self,
            start,
            first: true,
        };
        fields(&mut flow);
        self.push(b" }");
        self.newline();
    }

    /// Adds a flow sequence of scalars.
    pub(super) fn flow_sequence(&mut self, items: impl Iterator<Item = Vec<u8>>) {
        let start = self.column();
        self.push(b"[ ");
        for (at, item) in items.enumerate() {
            if at != 0 {
                self.push(b", ");
                self.wrap(start);
            }
            push_scalar(&mut self.out, &item);
        }
        self.push(b" ]");
    }

    fn column(&self) -> usize {
        self.out.len() - self.line
    }

    fn wrap(&mut self, start: usize) {
        if self.column() > WRAP {
            self.newline();
            self.spaces(start + 2);
        }
    }
}

/// A printer of the fields of a flow mapping.
pub(super) struct Flow<'a> {
    pub(super) yaml: &'a mut Yaml,
    start: usize,
    first: bool,
}

impl Flow<'_> {
    /// Adds a key; the caller writes its value next.
    pub(super) fn key(&mut self, key: &str) {
        if !self.first {
            self.yaml.push(b", ");
            self.yaml.wrap(self.start);
        }
        self.first = false;
        self.yaml.push(key.as_bytes());
        self.yaml.push(b": ");
    }

    /// Adds a key and a scalar.
    pub(super) fn scalar(&mut self, key: &str, value: &[u8]) {
        self.key(key);
        push_scalar(&mut self.yaml.out, value);
    }

    /// Adds a key and a scalar, unless it is the default.
    pub(super) fn optional(&mut self, key: &str, value: &[u8], default: &[u8]) {
        if !self.yaml.simplify || value != default {
            self.scalar(key, value);
        }
    }

    /// Adds a key and a number.
    pub(super) fn number(&mut self, key: &str, value: impl Into<i128>) {
        self.key(key);
        push_number(&mut self.yaml.out, value);
    }

    /// Adds a key and a number, unless it is the default.
    pub(super) fn optional_number(&mut self, key: &str, value: impl Into<i128>, default: i128) {
        let value = value.into();
        if !self.yaml.simplify || value != default {
            self.number(key, value);
        }
    }

    /// Adds a key and a boolean, unless it is the default.
    pub(super) fn boolean(&mut self, key: &str, value: bool, default: bool) {
        if !self.yaml.simplify || value != default {
            self.key(key);
            self.yaml.push(if value { b"true" } else { b"false" });
        }
    }

    /// Adds a key and a list of flow mappings in block form.
    pub(super) fn block_list<T>(
        &mut self,
        key: &str,
        list: &[T],
        each: impl Fn(&mut Flow<'_>, &T),
    ) {
        if list.is_empty() {
            if !self.yaml.simplify {
                self.key(key);
                self.yaml.push(b"[]");
            }
            return;
        }
        self.key(key);
        let indent = self.yaml.indent + 2;
        for item in list {
            self.yaml.newline();
            self.yaml.spaces(indent);
            self.yaml.push(b"- { ");
            let mut flow = Flow {
                yaml: self.yaml,
                start: indent + 2,
                first: true,
            };
            each(&mut flow, item);
            self.yaml.push(b" }");
        }
    }

    /// Ends the line and continues with deeper indentation.
    pub(super) fn break_line(&mut self) {
        self.yaml.newline();
        let indent = self.yaml.indent + 2;
        self.yaml.spaces(indent);
    }
}

#[derive(PartialEq, PartialOrd)]
enum Quotes {
    None,
    Single,
    Double,
}

/// Adds a scalar, in quotes where YAML needs them.
pub(super) fn push_scalar(out: &mut Vec<u8>, value: &[u8]) {
    match quotes(value) {
        Quotes::None => out.extend_from_slice(value),
        Quotes::Single => {
            out.push(b'\'');
            for &byte in value {
                out.push(byte);
                if byte == b'\'' {
                    out.push(byte);
                }
            }
            out.push(b'\'');
        }
        Quotes::Double => push_double(out, value),
    }
}

fn push_double(out: &mut Vec<u8>, value: &[u8]) {
    out.push(b'"');
    for chunk in value.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_escaped(out, c);
        }
        if !chunk.invalid().is_empty() {
            out.extend_from_slice("\u{FFFD}".as_bytes());
        }
    }
    out.push(b'"');
}

fn push_escaped(out: &mut Vec<u8>, c: char) {
    let short = match c {
        '\\' => Some("\\\\"),
        '"' => Some("\\\""),
        '\0' => Some("\\0"),
        '\x07' => Some("\\a"),
        '\x08' => Some("\\b"),
        '\t' => Some("\\t"),
        '\n' => Some("\\n"),
        '\x0B' => Some("\\v"),
        '\x0C' => Some("\\f"),
        '\r' => Some("\\r"),
        '\x1B' => Some("\\e"),
        '\u{85}' => Some("\\N"),
        '\u{A0}' => Some("\\_"),
        '\u{2028}' => Some("\\L"),
        '\u{2029}' => Some("\\P"),
        _ => None,
    };
    match short {
        Some(escape) => out.extend_from_slice(escape.as_bytes()),
        None if c < ' ' || c == '\x7F' => {
            out.extend_from_slice(format!("\\x{:02X}", u32::from(c)).as_bytes());
        }
        None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

fn quotes(value: &[u8]) -> Quotes {
    let (Some(&first), Some(&last)) = (value.first(), value.last()) else {
        return Quotes::Single;
    };
    let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
    let indicates = b"-?:\\,[]{}#&*!|>'\"%@`".contains(&first);
    let mut needed =
        if is_blank(first) || is_blank(last) || indicates || is_word(value) || is_number(value) {
            Quotes::Single
        } else {
            Quotes::None
        };
    for &byte in value {
        match byte {
            b'\n' | b'\r' | 0x7F.. => return Quotes::Double,
            b'\t' => {}
            ..b' ' => return Quotes::Double,
            _ if byte.is_ascii_alphanumeric() || b"_-^., ".contains(&byte) => {}
            _ => needed = Quotes::Single,
        }
    }
    needed
}

fn is_word(value: &[u8]) -> bool {
    const WORDS: [&[u8]; 10] = [
        b"null", b"Null", b"NULL", b"~", b"true", b"True", b"TRUE", b"false", b"False", b"FALSE",
    ];
    WORDS.contains(&value)
}

/// Returns whether YAML would read the text as a number.
fn is_number(value: &[u8]) -> bool {
    if [&b".nan"[..], b".NaN", b".NAN"].contains(&value) {
        return true;
    }
    let unsigned = value
        .strip_prefix(b"-")
        .or_else(|| value.strip_prefix(b"+"))
        .unwrap_or(value);
    if [&b".inf"[..], b".Inf", b".INF"].contains(&unsigned) {
        return true;
    }
    if let Some(digits) = value.strip_prefix(b"0o") {
        return !digits.is_empty() && digits.iter().all(|byte| (b'0'..b'8').contains(byte));
    }
    if let Some(digits) = value.strip_prefix(b"0x") {
        return !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    }
    is_decimal(unsigned)
}

fn is_decimal(unsigned: &[u8]) -> bool {
    let skip = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = skip(unsigned);
    let mut rest = &unsigned[whole..];
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix(b".") {
        fraction = skip(after);
        rest = &after[fraction..];
    }
    if whole + fraction == 0 {
        return false;
    }
    if let Some(after) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let after = after
            .strip_prefix(b"-")
            .or_else(|| after.strip_prefix(b"+"))
            .unwrap_or(after);
        return !after.is_empty() && skip(after) == after.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(value: &[u8]) -> String {
        let mut out = Vec::new();
        push_scalar(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn scalars_are_quoted_where_they_must_be() {
        for (value, written) in [
            ("gr64", "gr64"),
            ("f g", "f g"),
            ("", "''"),
            ("$rax", "'$rax'"),
            ("double -5.000000e-01", "double -5.000000e-01"),
            ("true", "'true'"),
            ("-12", "'-12'"),
            ("1.5e3", "'1.5e3'"),
            ("a'b", "'a''b'"),
            ("a/b", "'a/b'"),
            ("a\nb", "\"a\\nb\""),
        ] {
            assert_eq!(scalar(value.as_bytes()), written);
        }
    }
}
