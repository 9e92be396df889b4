//! Reads fields and values of YAML nodes.

use super::error::{Fault, Result, fault, lossy};
use super::yaml::{Field, Node, Value};
use std::borrow::Cow;

/// The fields of a mapping, each taken once.
pub(super) struct Fields<'a> {
    at: usize,
    fields: Vec<Field<'a>>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(node: Node<'a>) -> Result<Fields<'a>> {
        match node.value {
            Value::Mapping(fields) => Ok(Fields {
                at: node.at,
                fields,
            }),
            Value::Null => Ok(Fields {
                at: node.at,
                fields: Vec::new(),
            }),
            _ => fault(node.at, "not a mapping"),
        }
    }

    pub(super) fn take(&mut self, key: &str) -> Option<Node<'a>> {
        let at = self
            .fields
            .iter()
            .position(|field| *field.key == *key.as_bytes())?;
        Some(self.fields.remove(at).value)
    }

    pub(super) fn required(&mut self, key: &str) -> Result<Node<'a>> {
        let at = self.at;
        self.take(key).ok_or_else(|| Fault {
            at: Some(at),
            message: format!("missing required key '{key}'"),
        })
    }

    /// Fails if a field was not taken.
    pub(super) fn finish(self) -> Result<()> {
        match self.fields.first() {
            Some(field) => fault(field.at, format!("unknown key '{}'", lossy(&field.key))),
            None => Ok(()),
        }
    }

    pub(super) fn scalar(&mut self, key: &str) -> Result<Option<(usize, Cow<'a, [u8]>)>> {
        self.take(key)
            .map(|node| Ok((node.at, scalar(node)?)))
            .transpose()
    }

    pub(super) fn text(&mut self, key: &str) -> Result<Cow<'a, [u8]>> {
        Ok(self
            .scalar(key)?
            .map_or(Cow::Borrowed(b""), |(_, text)| text))
    }

    pub(super) fn boolean(&mut self, key: &str) -> Result<Option<bool>> {
        let Some((at, text)) = self.scalar(key)? else {
            return Ok(None);
        };
        match BOOLEANS.iter().find(|row| is_spelling(row.0, &text)) {
            Some(row) => Ok(Some(row.1)),
            None => fault(at, "invalid boolean"),
        }
    }

    pub(super) fn number<T: TryFrom<i128>>(&mut self, key: &str) -> Result<Option<T>> {
        self.take(key).map(number).transpose()
    }

    /// Takes a field that holds one of the words of a table.
    pub(super) fn word<T: Copy>(&mut self, key: &str, table: &[(T, &str)]) -> Result<Option<T>> {
        let Some((at, text)) = self.scalar(key)? else {
            return Ok(None);
        };
        match table.iter().find(|row| row.1.as_bytes() == &*text) {
            Some(row) => Ok(Some(row.0)),
            None => fault(at, "unknown enumerated scalar"),
        }
    }

    pub(super) fn list(&mut self, key: &str) -> Result<Vec<Node<'a>>> {
        self.take(key).map_or(Ok(Vec::new()), list)
    }
}

/// The words for truth values.
const BOOLEANS: [(&[u8], bool); 8] = [
    (b"true", true),
    (b"false", false),
    (b"yes", true),
    (b"no", false),
    (b"on", true),
    (b"off", false),
    (b"y", true),
    (b"n", false),
];

/// Returns whether a text is the word in small letters, in capitals, or with a capital first.
fn is_spelling(word: &[u8], text: &[u8]) -> bool {
    let Some((first, rest)) = text.split_first() else {
        return false;
    };
    let begins = first.to_ascii_lowercase() == word[0];
    begins && (rest == &word[1..] || text == word.to_ascii_uppercase())
}

pub(super) fn scalar(node: Node<'_>) -> Result<Cow<'_, [u8]>> {
    match node.value {
        Value::Scalar(text) => Ok(text),
        Value::Null => Ok(Cow::Borrowed(b"")),
        _ => fault(node.at, "unexpected scalar"),
    }
}

/// Reads a number; its range is that of the type `T`.
pub(super) fn number<T: TryFrom<i128>>(node: Node<'_>) -> Result<T> {
    let at = node.at;
    let text = scalar(node)?;
    let text = str::from_utf8(&text).unwrap_or("");
    let value = match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse::<i128>().ok(),
    };
    let Some(value) = value else {
        return fault(at, "invalid number");
    };
    T::try_from(value).map_err(|_| Fault {
        at: Some(at),
        message: "out of range number".into(),
    })
}

/// Reads an alignment: 0 for none, or a power of two.
pub(super) fn alignment(fields: &mut Fields<'_>, key: &str) -> Result<Option<u64>> {
    let Some(node) = fields.take(key) else {
        return Ok(None);
    };
    let at = node.at;
    match number::<u64>(node)? {
        0 => Ok(None),
        value if value.is_power_of_two() => Ok(Some(value)),
        _ => fault(at, "must be 0 or a power of two"),
    }
}

pub(super) fn list(node: Node<'_>) -> Result<Vec<Node<'_>>> {
    match node.value {
        Value::Sequence(items) => Ok(items),
        Value::Null => Ok(Vec::new()),
        Value::Scalar(text) if &*text == b"~" => Ok(Vec::new()),
        _ => fault(node.at, "not a sequence"),
    }
}
