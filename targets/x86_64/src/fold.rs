//! Folding of loads into the instructions that have a form with a memory operand, comparisons of
//! their low bytes included, and of the parts of a sum into one LEA.

use super::flags::{Reader, tested};
use super::insns::Op;
use mir_nostd::machine::Operand;
use mir_nostd::target::{FoldedSource, InsnView, Peephole};

mir_nostd::folded_loads! {
    /// The loads that other instructions do by themselves.
    LOADS:
    2 MOV64rm: ADD64rr ADD64rm, SUB64rr SUB64rm, AND64rr AND64rm, OR64rr OR64rm, XOR64rr XOR64rm, IMUL64rr IMUL64rm;
    2 MOV32rm: ADD32rr ADD32rm, SUB32rr SUB32rm, AND32rr AND32rm, OR32rr OR32rm, XOR32rr XOR32rm, IMUL32rr IMUL32rm;
    // An instruction that reads the low half makes no use of the extension.
    2 MOVSX64rm32: ADD32rr ADD32rm, SUB32rr SUB32rm, AND32rr AND32rm, OR32rr OR32rm, XOR32rr XOR32rm, IMUL32rr IMUL32rm;
    // Those that read the low part of a word read no more of it from memory.
    2 MOV64rm: ADD32rr ADD32rm, SUB32rr SUB32rm, AND32rr AND32rm, OR32rr OR32rm, XOR32rr XOR32rm, IMUL32rr IMUL32rm;
    1 MOV64rm: CMP32rr CMP32rm, MOV32rr MOV32rm, MOVSX64rr32 MOVSX64rm32;
    1 MOV64rm: MOVZX32rr8 MOVZX32rm8, MOVZX32rr16 MOVZX32rm16, MOVSX64rr8 MOVSX64rm8, MOVSX64rr16 MOVSX64rm16;
    1 MOV64rm: CMP64rr CMP64rm;
    1 MOV32rm: CMP32rr CMP32rm;
    1 MOVSX64rm32: CMP32rr CMP32rm;
    2 MOVSDrm_alt: ADDSDrr ADDSDrm, SUBSDrr SUBSDrm, MULSDrr MULSDrm, DIVSDrr DIVSDrm;
    2 MOVSSrm_alt: ADDSSrr ADDSSrm, SUBSSrr SUBSSrm, MULSSrr MULSSrm, DIVSSrr DIVSSrm;
    1 MOVSDrm_alt: UCOMISDrr UCOMISDrm;
    1 MOVSSrm_alt: UCOMISSrr UCOMISSrm;
}

/// The peepholes, in the order in which they are tried.
pub(crate) static PEEPHOLES: &[Peephole] = &[
    Peephole::new("sum-in-sum", sum),
    Peephole::new("load-in-sum", load_in_sum).without_copies(),
    Peephole::new("compare-in-memory", compare_in_memory),
    Peephole::new("test-bits", test_bits),
    Peephole::new("test-in-memory", test_in_memory),
];

/// Folds the conjunction with a constant into the test of its result with zero: the flags are the
/// same, but for the sign where the widths differ.
fn test_bits(insn: &InsnView<'_>, _: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    tested(insn)?;
    let is_short = source.is(Op::AND32ri);
    if !is_short && !source.is(Op::AND64ri32) {
        return None;
    }
    let mask = source.immediate(2)?;
    let op = if mask >= 0 || insn.is(Op::TEST32rr) {
        Op::TEST32ri
    } else if !is_short {
        Op::TEST64ri32
    } else {
        Reader::of(insn)?.is_unsigned().then_some(Op::TEST32ri)?
    };
    Some(FoldedSource::new(op, &[source.at(1), source.at(2)]))
}

/// Folds a load into the test of its bits, which then reads no more than these from memory.
fn test_in_memory(insn: &InsnView<'_>, _: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    if !insn.is(Op::TEST32ri) {
        return None;
    }
    let mask = insn.immediate(1)?;
    let is_word = match Op::try_from(source.opcode).ok()? {
        Op::MOV64rm | Op::MOV32rm | Op::MOVSX64rm32 => true,
        Op::MOVZX32rm8 | Op::MOVSX64rm8 | Op::MOVZX32rm16 | Op::MOVSX64rm16 => false,
        _ => return None,
    };
    let op = match mask {
        0..=127 => Op::TEST8mi,
        _ if is_word => Op::TEST32mi,
        _ => return None,
    };
    let mut operands = [1, 2, 3, 4, 5, 0].map(|number| source.at(number));
    operands[5] = Operand::imm(mask);
    Some(FoldedSource::new(op, &operands))
}

/// Folds a load, also one that extends, into the comparison of its register with a constant, which
/// then is one of as many bytes as the load reads.
fn compare_in_memory(insn: &InsnView<'_>, _: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let value = if insn.is(Op::CMP64ri32) || insn.is(Op::CMP32ri) {
        insn.immediate(1)?
    } else {
        tested(insn)?;
        0
    };
    let is_narrow = insn.is(Op::CMP32ri) || insn.is(Op::TEST32rr);
    let byte = i32::from(i8::MIN)..=i32::from(i8::MAX);
    // A word whose constant has two bytes is slow to decode after its prefix.
    let (op, is_zero_extended, takes) = match Op::try_from(source.opcode).ok()? {
        Op::MOVZX32rm8 => (Op::CMP8mi, true, (0..=255).contains(&value)),
        Op::MOVSX64rm8 => (Op::CMP8mi, false, byte.contains(&value)),
        Op::MOVZX32rm16 => (Op::CMP16mi, true, (0..=127).contains(&value)),
        Op::MOVSX64rm16 => (Op::CMP16mi, false, byte.contains(&value)),
        Op::MOV32rm | Op::MOV64rm if is_narrow => (Op::CMP32mi, false, true),
        Op::MOV32rm => (Op::CMP32mi, true, value >= 0),
        Op::MOVSX64rm32 => (Op::CMP32mi, false, true),
        Op::MOV64rm => (Op::CMP64mi32, false, true),
        _ => return None,
    };
    // The sign of what is zero-extended is not that of the bytes.
    let is_same = takes && (!is_zero_extended || Reader::of(insn)?.is_unsigned());
    let value = match op {
        Op::CMP8mi => i32::from(value as i8),
        _ => value,
    };
    // The operands of the address, and the constant after them.
    let mut operands = [1, 2, 3, 4, 5, 0].map(|number| source.at(number));
    operands[5] = Operand::imm(value);
    is_same.then(|| FoldedSource::new(op, &operands))
}

/// The numbers of LEA's operands.
const BASE: usize = 1;
const INDEX: usize = 3;

/// An LEA: base, scale, index and displacement.
#[derive(Clone, Copy)]
struct Lea {
    base: Operand,
    scale: i32,
    index: Operand,
    displacement: i32,
}

impl Lea {
    /// Returns the operands of an LEA whose displacement is a number; for one of 64 bits only if
    /// `insn` is.
    fn of(insn: &InsnView<'_>, user: &InsnView<'_>) -> Option<Lea> {
        let is_lea = insn.is(Op::LEA64r) || insn.is(Op::LEA64_32r) && user.is(Op::LEA64_32r);
        (is_lea && insn.at(5) == Operand::NO_REG).then_some(())?;
        Some(Lea {
            base: insn.at(BASE),
            scale: insn.immediate(2)?,
            index: insn.at(INDEX),
            displacement: insn.immediate(4)?,
        })
    }

    /// Returns the other register if this is the sum of two, of which one is operand `number`.
    fn beside(&self, number: usize) -> Option<Operand> {
        let is_plain = self.scale == 1 && self.displacement == 0;
        let other = match number {
            BASE => self.index,
            INDEX => self.base,
            _ => return None,
        };
        (is_plain && other != Operand::NO_REG).then_some(other)
    }

    fn has_index(&self) -> bool {
        self.index != Operand::NO_REG
    }

    /// Returns the same without a base, if it is a multiple of one register.
    fn multiple(self) -> Option<Lea> {
        let twice = Lea {
            base: Operand::NO_REG,
            scale: 2,
            ..self
        };
        match self.base {
            Operand::NO_REG => self.has_index().then_some(self),
            base => (base == self.index && self.scale == 1).then_some(twice),
        }
    }

    /// Returns the instruction with these operands that defines what `user` does, with so much more
    /// displacement.
    fn in_place_of(self, user: &InsnView<'_>, more: i32) -> Option<FoldedSource> {
        let displacement = Operand::imm(self.displacement.checked_add(more)?);
        let (scale, segment) = (Operand::imm(self.scale), Operand::NO_REG);
        let operands = [
            user.at(0),
            self.base,
            scale,
            self.index,
            displacement,
            segment,
        ];
        Some(FoldedSource::new(user.opcode, &operands))
    }
}

/// Folds `(a + b) + n`, `(a + n) + b`, and `a + b` where one of the two is a scaled register.
fn sum(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let (user, part) = (Lea::of(insn, insn)?, Lea::of(source, insn)?);
    let more = part.displacement;
    if number == BASE && !user.has_index() {
        return part.in_place_of(insn, user.displacement);
    }
    if let (Some(multiple), 1) = (part.multiple(), user.scale) {
        let base = match number {
            INDEX => user.base,
            BASE => user.index,
            _ => return None,
        };
        let (scale, index) = (multiple.scale, multiple.index);
        return Lea {
            base,
            scale,
            index,
            ..user
        }
        .in_place_of(insn, more);
    }
    if part.has_index() || part.base.vreg().is_none() {
        return None;
    }
    match number {
        BASE => Lea {
            base: part.base,
            ..user
        }
        .in_place_of(insn, more),
        INDEX => {
            let more = more.checked_mul(user.scale)?;
            Lea {
                index: part.base,
                ..user
            }
            .in_place_of(insn, more)
        }
        _ => None,
    }
}

/// Folds a load into the sum of its register and another one, which is no LEA then.
fn load_in_sum(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let is_narrow = insn.is(Op::LEA64_32r);
    let op = match Op::try_from(source.opcode).ok()? {
        Op::MOV64rm if !is_narrow => Op::ADD64rm,
        // A sum of 32 bits makes no use of what is above.
        Op::MOV64rm | Op::MOV32rm | Op::MOVSX64rm32 if is_narrow => Op::ADD32rm,
        _ => return None,
    };
    let other = Lea::of(insn, insn)?.beside(number)?;
    let [base, scale, index, displacement, segment] =
        [1, 2, 3, 4, 5].map(|number| source.at(number));
    let operands = [insn.at(0), other, base, scale, index, displacement, segment];
    Some(FoldedSource::new(op, &operands))
}
