//! Prints names of LLVM IR, in quotes where they need them.

/// Adds a name.
pub(crate) fn push_name(out: &mut Vec<u8>, name: &[u8]) {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    let starts_with_digit = name.first().is_some_and(u8::is_ascii_digit);
    if !name.is_empty() && !starts_with_digit && name.iter().all(is_plain) {
        out.extend_from_slice(name);
    } else {
        push_quoted(out, name);
    }
}

/// Adds a name in quotes.
pub(super) fn push_quoted(out: &mut Vec<u8>, name: &[u8]) {
    out.push(b'"');
    for &byte in name {
        if byte == b'\\' {
            out.extend_from_slice(b"\\\\");
        } else if (b' '..0x7F).contains(&byte) && byte != b'"' {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("\\{byte:02X}").as_bytes());
        }
    }
    out.push(b'"');
}
