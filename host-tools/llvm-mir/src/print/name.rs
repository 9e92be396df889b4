//! Prints names of LLVM IR, in quotes where they need them.

fn is_plain(byte: u8, first: bool) -> bool {
    byte.is_ascii_alphabetic() || b"-$._".contains(&byte) || (!first && byte.is_ascii_digit())
}

/// Adds a name.
pub(crate) fn push_name(out: &mut Vec<u8>, name: &[u8]) {
    let plain = name
        .iter()
        .enumerate()
        .all(|(at, &byte)| is_plain(byte, at == 0));
    if plain && !name.is_empty() {
        out.extend_from_slice(name);
    } else {
        push_quoted(out, name);
    }
}

/// Adds a name in quotes.
pub(super) fn push_quoted(out: &mut Vec<u8>, name: &[u8]) {
    out.push(b'"');
    for &byte in name {
        if (b' '..0x7F).contains(&byte) && byte != b'"' && byte != b'\\' {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("\\{byte:02X}").as_bytes());
        }
    }
    out.push(b'"');
}
