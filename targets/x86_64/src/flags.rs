//! The rules by which a comparison with zero is left out: which instructions set the flags by their
//! result, and which could.

use super::insns::Op;
use super::registers::{EFLAGS, whole};
use super::select::{Condition, Pair};
use mir_nostd::machine::{Operand, Reg};
use mir_nostd::target::{FlagRules, FoldedSource, InsnView};

/// The rules for the stage that eliminates comparisons.
pub(crate) static RULES: FlagRules = FlagRules {
    register: EFLAGS,
    may_set: &[Op::LEA64r.opcode(), Op::LEA64_32r.opcode()],
    setting,
    reuse,
};

/// An instruction whose effect depends on a condition.
pub(crate) struct Reader {
    /// The number of the operand that is the condition.
    operand: usize,
    condition: Condition,
}

/// The most copies between a comparison and the instruction that reads the flags.
const MOST_COPIES: usize = 2;

impl Reader {
    /// Returns what an instruction reads.
    fn new(insn: &InsnView<'_>) -> Option<Reader> {
        let operand = match Op::try_from(insn.opcode).ok()? {
            Op::JCC_4 | Op::SETCCr => 1,
            Op::CMOV64rr => 3,
            _ => return None,
        };
        let condition = Condition::of(insn.at(operand))?;
        Some(Reader { operand, condition })
    }

    /// Returns the reader of the flags of a comparison of integers. Selection emits it next, but
    /// for the copies that a conditional move is preceded by, and emits no other one.
    pub(crate) fn of(compare: &InsnView<'_>) -> Option<Reader> {
        let mut next = compare.next()?;
        for _ in 0..MOST_COPIES {
            if let Some(reader) = Reader::new(&next) {
                return Some(reader);
            }
            next = next.next()?;
        }
        Reader::new(&next)
    }

    /// Returns whether the condition is one of numbers without a sign, or equality.
    pub(crate) const fn is_unsigned(&self) -> bool {
        matches!(
            self.condition,
            Condition::EQUAL
                | Condition::NOT_EQUAL
                | Condition::BELOW
                | Condition::BELOW_EQUAL
                | Condition::ABOVE
                | Condition::ABOVE_EQUAL
        )
    }
}

/// Returns the register that an instruction compares with 0, in the width in which it does.
pub(crate) fn tested(insn: &InsnView<'_>) -> Option<Reg> {
    let is_test = insn.is(Op::TEST64rr) || insn.is(Op::TEST32rr);
    let [a, b] = [insn.at(0).as_reg()?, insn.at(1).as_reg()?];
    (is_test && a == b).then_some(a)
}

/// Returns the addition that does what an LEA does, and sets the flags: one to a register that it
/// reads.
fn setting(insn: &InsnView<'_>) -> Option<FoldedSource> {
    let [add_register, add_immediate] = match Op::try_from(insn.opcode).ok()? {
        Op::LEA64r => [Op::ADD64rr, Op::ADD64ri32],
        Op::LEA64_32r => [Op::ADD32rr, Op::ADD32ri],
        _ => return None,
    };
    let [to, base, index] = [0, 1, 3].map(|number| insn.at(number));
    let target = to.as_reg().map(whole)?;
    let is_target = |operand: Operand| operand.as_reg() == Some(target);
    (insn.immediate(2)? == 1 && insn.at(5) == Operand::NO_REG).then_some(())?;
    let displacement = insn.immediate(4)?;
    if index == Operand::NO_REG {
        let operands = [to, to, Operand::imm(displacement)];
        return is_target(base).then(|| FoldedSource::new(add_immediate, &operands));
    }
    let other = match [base, index] {
        [base, other] if is_target(base) => other,
        [other, index] if is_target(index) => other,
        _ => return None,
    };
    let is_sum = displacement == 0 && other != Operand::NO_REG;
    is_sum.then(|| FoldedSource::new(add_register, &[to, to, other]))
}

/// The instructions of 64 and of 32 bits after which the flags are those of a comparison of the
/// result with 0: there is neither carry nor overflow.
const COMPARING: [Pair; 9] = [
    [Op::AND64rr, Op::AND32rr],
    [Op::AND64ri32, Op::AND32ri],
    [Op::AND64rm, Op::AND32rm],
    [Op::OR64rr, Op::OR32rr],
    [Op::OR64ri32, Op::OR32ri],
    [Op::OR64rm, Op::OR32rm],
    [Op::XOR64rr, Op::XOR32rr],
    [Op::XOR64ri32, Op::XOR32ri],
    [Op::XOR64rm, Op::XOR32rm],
];

/// Those after which the flags tell only if the result is 0, and its sign. A shift by 0 bits, which
/// leaves the flags alone, is not selected.
const SIGNING: [Pair; 10] = [
    [Op::ADD64rr, Op::ADD32rr],
    [Op::ADD64ri32, Op::ADD32ri],
    [Op::ADD64rm, Op::ADD32rm],
    [Op::SUB64rr, Op::SUB32rr],
    [Op::SUB64ri32, Op::SUB32ri],
    [Op::SUB64rm, Op::SUB32rm],
    [Op::NEG64r, Op::NEG32r],
    [Op::SHL64ri, Op::SHL32ri],
    [Op::SHR64ri, Op::SHR32ri],
    [Op::SAR64ri, Op::SAR32ri],
];

/// Returns whether an instruction is one of 64 bits in a list; `None` if it is not in it.
fn width_in(list: &[Pair], insn: &InsnView<'_>) -> Option<bool> {
    let pair = (list.iter()).find(|pair| pair.iter().any(|&op| insn.is(op)))?;
    Some(insn.is(pair[0]))
}

/// Returns the operand that the reader of a comparison's flags must have, and its number, so that
/// it reads the flags of `result` to the same effect.
fn reuse(
    result: &InsnView<'_>,
    compare: &InsnView<'_>,
    reader: &InsnView<'_>,
) -> Option<(usize, Operand)> {
    let register = tested(compare)?;
    let comparing = width_in(&COMPARING, result);
    let is_wide = comparing.or_else(|| width_in(&SIGNING, result))?;
    let is_compared_wide = compare.is(Op::TEST64rr);
    let target = result.at(0).as_reg()?;
    (whole(target) == whole(register) && (is_compared_wide || !is_wide)).then_some(())?;
    let Reader { operand, condition } = Reader::new(reader)?;
    let condition = match condition {
        Condition::EQUAL | Condition::NOT_EQUAL => condition,
        // The upper half of what has 32 bits is 0, which gives it another sign.
        _ if is_compared_wide != is_wide => return None,
        _ if comparing.is_some() => condition,
        Condition::LESS => Condition::SIGN,
        Condition::GREATER_EQUAL => Condition::NOT_SIGN,
        _ => return None,
    };
    Some((operand, condition.operand()))
}
