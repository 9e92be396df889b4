//! Constants of LLVM IR and nodes of metadata that stand in machine code, as LLVM prints them.

use super::error::{Result, fault};
use super::ir::leading_number;

/// Returns a node with one space after each comma and colon, and no other.
pub(super) fn spaced(text: &[u8]) -> Vec<u8> {
    if !text.starts_with(b"!DI") {
        return text.to_vec();
    }
    let (mut out, mut is_quoted) = (Vec::with_capacity(text.len()), false);
    for &byte in text {
        is_quoted ^= byte == b'"';
        match byte {
            b' ' | b'\t' if !is_quoted => {}
            b',' | b':' if !is_quoted => out.extend([byte, b' ']),
            _ => out.push(byte),
        }
    }
    out
}

/// Checks a node of a function's own metadata from its `=` on, at offset `start`, as far as it is a
/// tuple; adds the numbers of nodes that it names, with their offsets.
pub(super) fn check_node(
    start: usize,
    text: &[u8],
    references: &mut Vec<(usize, u32)>,
) -> Result<()> {
    let at = |rest: &[u8]| start + text.len() - rest.len();
    let rest = text.trim_ascii_start();
    let Some(rest) = rest.strip_prefix(b"=") else {
        return fault(at(rest), "expected '=' here");
    };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"distinct").unwrap_or(rest);
    let rest = rest.trim_ascii_start();
    let Some(rest) = rest.strip_prefix(b"!") else {
        return fault(at(rest), "expected a metadata node");
    };
    if rest.starts_with(b"DI") {
        return Ok(());
    }
    let Some(mut rest) = rest.strip_prefix(b"{") else {
        return fault(at(rest), "expected '{' here");
    };
    loop {
        rest = rest.trim_ascii_start();
        if rest.starts_with(b"}") {
            return Ok(());
        }
        if let Some(node) = rest.strip_prefix(b"!") {
            if let Some((number, _)) = leading_number(node) {
                references.push((at(rest), number));
            } else if !node.starts_with(b"\"") && !node.starts_with(b"{") {
                return fault(at(node), "expected metadata id after '!'");
            }
        } else if rest.first().is_some_and(u8::is_ascii_digit) {
            return fault(at(rest), "expected '!' here");
        }
        rest = after_element(rest);
        match rest.strip_prefix(b",") {
            Some(after) => rest = after,
            None if rest.starts_with(b"}") => return Ok(()),
            None => return fault(at(rest), "expected end of metadata node"),
        }
    }
}

/// Returns the text from the comma or brace on that ends an element of a tuple.
fn after_element(text: &[u8]) -> &[u8] {
    let (mut is_quoted, mut depth) = (false, 0_usize);
    let end = text.iter().position(|&byte| {
        is_quoted ^= byte == b'"';
        match byte {
            _ if is_quoted => {}
            b',' | b'}' if depth == 0 => return true,
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        false
    });
    &text[end.unwrap_or(text.len())..]
}

/// Returns a constant with opaque pointers: a pointer that is only of another type is that itself.
pub(super) fn opaque(text: &[u8]) -> Vec<u8> {
    let Some((space, mut value)) = typed_pointer(text) else {
        return text.to_vec();
    };
    while let Some(inner) = value
        .strip_prefix(b"bitcast (")
        .and_then(|value| value.strip_suffix(b")"))
    {
        let Some((inner_space, inner_value)) = typed_pointer(inner) else {
            break;
        };
        let Some(end) = find(inner_value, b" to ") else {
            break;
        };
        if inner_space != space {
            break;
        }
        value = &inner_value[..end];
    }
    let mut out = b"ptr ".to_vec();
    if !space.is_empty() {
        out.extend_from_slice(space);
        out.push(b' ');
    }
    out.extend_from_slice(value);
    out
}

/// Returns the address space, as it is written, and the value of a constant whose type is a typed
/// pointer.
fn typed_pointer(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut depth = 0_usize;
    let star = text.iter().enumerate().position(|(at, &byte)| {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        byte == b'*' && depth == 0 && text.get(at + 1) == Some(&b' ')
    })?;
    let ty = &text[..star];
    let space = match ty.iter().rposition(|&byte| byte == b' ') {
        Some(at) if ty[at + 1..].starts_with(b"addrspace(") => &ty[at + 1..],
        _ => b"",
    };
    Some((space, &text[star + 2..]))
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).rposition(|window| window == word)
}

/// Returns a vector whose elements are equal numbers in LLVM's short form, any other constant as it
/// is.
pub(super) fn folded(text: &[u8]) -> Vec<u8> {
    splat(text).unwrap_or_else(|| text.to_vec())
}

fn splat(text: &[u8]) -> Option<Vec<u8>> {
    let (ty, elements) = str::from_utf8(text).ok()?.split_once("> <")?;
    let elements = elements.strip_suffix('>')?;
    if !ty.starts_with('<') || elements.contains(['<', '(', '{', '[']) {
        return None;
    }
    let mut elements = elements.split(", ");
    let first = elements.next()?;
    if !elements.all(|element| element == first) {
        return None;
    }
    let (_, value) = first.split_once(' ')?;
    let is_number = value.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    match value {
        "0" | "false" | "0.000000e+00" | "null" => Some(format!("{ty}> zeroinitializer").into()),
        "true" => Some(format!("{ty}> splat ({first})").into()),
        _ if is_number => Some(format!("{ty}> splat ({first})").into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{check_node, folded, opaque, spaced};

    // The expected texts are those of llc 22.
    #[test]
    fn constants_are_as_llvm_prints_them() {
        for (text, printed) in [
            ("i32 ()** bitcast (i32 (...)** @a to i32 ()**)", "ptr @a"),
            ("i8** bitcast (%0** @x to i8**)", "ptr @x"),
            ("i32* undef", "ptr undef"),
            ("i8 addrspace(1)* null", "ptr addrspace(1) null"),
            (
                "ptr inttoptr (i64 16 to ptr)",
                "ptr inttoptr (i64 16 to ptr)",
            ),
        ] {
            assert_eq!(opaque(text.as_bytes()), printed.as_bytes());
        }
        for (text, printed) in [
            ("<1 x i8> <i8 0>", "<1 x i8> zeroinitializer"),
            ("<2 x i8> <i8 1, i8 1>", "<2 x i8> splat (i8 1)"),
            ("<2 x i8> <i8 1, i8 2>", "<2 x i8> <i8 1, i8 2>"),
            (
                "<2 x i8> <i8 undef, i8 undef>",
                "<2 x i8> <i8 undef, i8 undef>",
            ),
            ("double 1.000000e+00", "double 1.000000e+00"),
        ] {
            assert_eq!(folded(text.as_bytes()), printed.as_bytes());
        }
    }

    #[test]
    fn nodes_have_one_space_after_commas_and_colons() {
        assert_eq!(
            spaced(b"!DIExpression(DW_OP_LLVM_entry_value, 1,  DW_OP_deref)"),
            b"!DIExpression(DW_OP_LLVM_entry_value, 1, DW_OP_deref)"
        );
        assert_eq!(
            spaced(b"!DILocation( line:1,column: 2 , scope: !3)"),
            b"!DILocation(line: 1, column: 2, scope: !3)"
        );
        assert_eq!(spaced(b"!7"), b"!7");
    }

    // The columns are those of llc 22.
    #[test]
    fn tuples_of_metadata_are_checked() {
        for (text, message, offset) in [
            (" = distinct {!9, !7}", "expected a metadata node", 12),
            (" = distinct !!9, !7}", "expected '{' here", 13),
            (" = !{!9, !\"Dst\"", "expected end of metadata node", 15),
            (" = !{9, !7}", "expected '!' here", 5),
            (" = !{!, !7}", "expected metadata id after '!'", 6),
        ] {
            let fault = check_node(0, text.as_bytes(), &mut Vec::new()).unwrap_err();
            assert_eq!((fault.message.as_str(), fault.at), (message, Some(offset)));
        }
        let mut references = Vec::new();
        let text = b" = distinct !{!9, i64 0, !\"a, }\", !7, null}";
        check_node(0, text, &mut references).unwrap();
        assert_eq!(references, [(14, 9), (34, 7)]);
    }
}
