//! Folding of an instruction into its user: masks of extended or rotated values, shifts of masked
//! ones, comparisons with 0, stores of extended values.

use super::insns::Op;
use mir_nostd::machine::Operand;
use mir_nostd::target::{FoldedSource, InsnView, Peephole};

/// The peepholes, in the order in which they are tried.
pub(crate) static PEEPHOLES: &[Peephole] = &[
    Peephole::new("mask-again", mask),
    Peephole::new("shift-masked", shift),
    Peephole::new("and-with-complement", inverted),
    Peephole::new("compare-with-zero", with_zero),
    Peephole::new("store-extended", stored),
];

/// Folds an extension, rotation or mask into a mask of its low bits.
fn mask(insn: &InsnView<'_>, _: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let begin = insn.immediate(3)?;
    if !insn.is(Op::RLDICL) || insn.immediate(2) != Some(0) {
        return None;
    }
    let (to, from) = (insn.at(0), source.at(1));
    let extended = [(Op::EXTSB8, 56), (Op::EXTSH8, 48), (Op::EXTSW, 32)];
    if extended
        .iter()
        .any(|&(op, bits)| source.is(op) && begin >= bits)
    {
        return Some(FoldedSource::new(
            Op::RLDICL,
            &[to, from, Operand::imm(0), insn.at(3)],
        ));
    }
    if source.is(Op::RLDICL) {
        let begin = Operand::imm(begin.max(source.immediate(3)?));
        return Some(FoldedSource::new(
            Op::RLDICL,
            &[to, from, source.at(2), begin],
        ));
    }
    let is_field = source.is(Op::RLWINM8) && source.immediate(4) == Some(31) && begin >= 32;
    is_field.then_some(())?;
    let begin = Operand::imm((begin - 32).max(source.immediate(3)?));
    let operands = [to, from, source.at(2), begin, source.at(4)];
    Some(FoldedSource::new(Op::RLWINM8, &operands))
}

/// Folds a mask of low bits into a shift to the left.
fn shift(insn: &InsnView<'_>, _: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let (by, last) = (insn.immediate(2)?, insn.immediate(3)?);
    let is_shift = insn.is(Op::RLDICR) && last == 63 - by;
    let is_mask = source.is(Op::RLDICL) && source.immediate(2) == Some(0);
    let begin = source.immediate(3)? - by;
    (is_shift && is_mask && begin >= 0).then(|| {
        let operands = [insn.at(0), source.at(1), insn.at(2), Operand::imm(begin)];
        FoldedSource::new(Op::RLDIC, &operands)
    })
}

/// Folds to `a & !b`.
fn inverted(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let is_not = source.is(Op::NOR8) && source.at(1).as_reg() == source.at(2).as_reg();
    let other = match number {
        1 => insn.at(2),
        2 => insn.at(1),
        _ => return None,
    };
    (insn.is(Op::AND8) && is_not)
        .then(|| FoldedSource::new(Op::ANDC8, &[insn.at(0), other, source.at(1)]))
}

/// Folds a comparison with 0 into the computation, if nothing else reads its result: the record
/// form of the instruction.
fn with_zero(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    if !insn.is(Op::CMPDI) || number != 1 || insn.immediate(2) != Some(0) {
        return None;
    }
    let recording = [
        (Op::EXTSB8, Op::EXTSB8_rec, 2),
        (Op::EXTSH8, Op::EXTSH8_rec, 2),
        (Op::EXTSW, Op::EXTSW_rec, 2),
        (Op::AND8, Op::AND8_rec, 3),
        (Op::RLDICL, Op::RLDICL_rec, 4),
    ];
    let &(_, op, count) = recording.iter().find(|&&(plain, ..)| source.is(plain))?;
    Some(FoldedSource::new(op, source.operands.get(..count)?))
}

/// Removes an extension before a store of no more bits than were extended.
fn stored(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let stores = [
        (Op::STB8, 8),
        (Op::STBX8, 8),
        (Op::STH8, 16),
        (Op::STHX8, 16),
        (Op::STW8, 32),
        (Op::STWX8, 32),
    ];
    let &(op, bits) = stores.iter().find(|&&(op, _)| insn.is(op))?;
    let extensions = [(Op::EXTSB8, 8), (Op::EXTSH8, 16), (Op::EXTSW, 32)];
    let is_extension = (extensions.iter()).any(|&(op, from)| source.is(op) && bits <= from);
    let is_mask = source.is(Op::RLDICL)
        && source.immediate(2) == Some(0)
        && source.immediate(3)? <= 64 - bits;
    (number == 0 && (is_extension || is_mask)).then(|| {
        let operands = [source.at(1), insn.at(1), insn.at(2)];
        FoldedSource::new(op, &operands)
    })
}
