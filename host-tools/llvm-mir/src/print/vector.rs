//! Comments on operands of RISC-V's vector instructions: element width, register grouping, tail and
//! mask policies.

use crate::target::{Isa, Kind, Signature, Target};

/// Adds the comment on an immediate, if there is one.
pub(super) fn push_comment(
    out: &mut Vec<u8>,
    target: &Target,
    signature: &Signature,
    at: usize,
    value: i64,
) {
    if target.isa() != Isa::Riscv64 {
        return;
    }
    let Some(Kind::Own(kind)) = signature.operand(at).map(|info| info.kind()) else {
        return;
    };
    let text = match kind {
        67 | 68 => vector_type(value),
        80 => policy(value & 1 != 0, value & 2 != 0),
        // The value is the logarithm of the element width; masks have 0, which stands for bytes.
        81 | 82 => format!("e{}", 1_u64 << if value == 0 { 3 } else { value & 31 }),
        _ => return,
    };
    out.extend_from_slice(format!(" /* {text} */").as_bytes());
}

fn policy(tail_agnostic: bool, mask_agnostic: bool) -> String {
    let tail = if tail_agnostic { "ta" } else { "tu" };
    let mask = if mask_agnostic { "ma" } else { "mu" };
    format!("{tail}, {mask}")
}

/// Returns the text of a `vtype` value.
fn vector_type(value: i64) -> String {
    const GROUPS: [&str; 8] = ["m1", "m2", "m4", "m8", "mf16", "mf8", "mf4", "mf2"];
    let width = 8_u64 << (value >> 3 & 7);
    let alternative = if value >> 8 & 1 != 0 { "alt" } else { "" };
    let group = GROUPS[(value & 7) as usize];
    let policy = policy(value >> 6 & 1 != 0, value >> 7 & 1 != 0);
    format!("e{width}{alternative}, {group}, {policy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_types_are_told_as_llvm_tells_them() {
        for (value, text) in [
            (217, "e64, m2, ta, ma"),
            (7, "e8, mf2, tu, mu"),
            (64, "e8, m1, ta, mu"),
            (1023, "e1024alt, mf2, ta, ma"),
        ] {
            assert_eq!(vector_type(value), text);
        }
    }
}
