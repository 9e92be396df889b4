//! The operands of inline assembly and the meaning of their flags.

use crate::model::{Instruction, OperandKind};
use crate::target::{ClassId, Target};

const KINDS: [&str; 8] = [
    "",
    "reguse",
    "regdef",
    "regdef-ec",
    "clobber",
    "imm",
    "mem",
    "func",
];

/// Constraint codes of memory operands, in LLVM's order.
const MEMORY: [&str; 7] = ["", "es", "i", "k", "m", "o", "v"];

const EXTRA: [(i64, &str); 6] = [
    (1, "sideeffect"),
    (8, "mayload"),
    (16, "maystore"),
    (32, "isconvergent"),
    (2, "alignstack"),
    (64, "unwind"),
];

/// Returns the number of operands that follow the flags of a group.
fn group_len(flags: i64) -> usize {
    (flags >> 3 & 0x1FFF) as usize
}

/// Returns whether the operand is the flags of a group.
fn is_flags(insn: &Instruction, wanted: usize) -> bool {
    let mut at = 2;
    while at < wanted {
        let Some(OperandKind::Immediate(flags)) =
            insn.operands.get(at).map(|operand| &operand.kind)
        else {
            return false;
        };
        at += 1 + group_len(*flags);
    }
    at == wanted
}

/// Adds LLVM's comment on an immediate.
pub(crate) fn push_comment(
    out: &mut Vec<u8>,
    target: &Target,
    insn: &Instruction,
    at: usize,
    value: i64,
) {
    let text = match at {
        0 => return,
        1 => extra(value),
        _ if is_flags(insn, at) => flags(target, value),
        _ => return,
    };
    out.extend_from_slice(format!(" /* {text} */").as_bytes());
}

fn extra(value: i64) -> String {
    let mut words: Vec<&str> = EXTRA
        .iter()
        .filter(|(bit, _)| value & bit != 0)
        .map(|(_, word)| *word)
        .collect();
    words.push(if value & 4 != 0 {
        "inteldialect"
    } else {
        "attdialect"
    });
    words.join(" ")
}

fn flags(target: &Target, value: i64) -> String {
    let kind = (value & 7) as usize;
    let mut text = KINDS[kind].to_string();
    let above = (value >> 16 & 0x7FFF) as usize;
    if value >> 31 & 1 != 0 {
        return format!("{text} tiedto:${above}");
    }
    if kind == 6 {
        return format!("{text}:{}", MEMORY.get(above).unwrap_or(&"?"));
    }
    let is_register = (1..=4).contains(&kind);
    if is_register && let Some(class) = (above & 0x3FFF).checked_sub(1) {
        let class = u16::try_from(class).map(|class| target.declared_class_name(ClassId(class)));
        text += &format!(":{}", class.unwrap_or(""));
    }
    if is_register && value >> 30 & 1 != 0 {
        text += " foldable";
    }
    text
}
