//! Folding of an instruction into its user: products into sums, shifts and extensions into
//! operands, bit-field extracts, tests of one bit, comparisons into branches.

use super::immediates::{Field, pattern_of};
use super::insns::Op;
use super::registers::{WZR, XZR};
use mir_nostd::machine::Operand;
use mir_nostd::target::{FoldedSource, InsnView, Peephole};

/// Returns which of these pairs of opcodes, of 64 and of 32 bits, an instruction has, and whether
/// it is the one of 64 bits.
fn which(insn: &InsnView<'_>, pairs: &[[Op; 2]]) -> Option<(usize, bool)> {
    let number = (pairs.iter()).position(|&[wide, narrow]| insn.is(wide) || insn.is(narrow))?;
    let &[wide, _] = pairs.get(number)?;
    Some((number, insn.is(wide)))
}

/// Returns whether an operand is the zero register, of either width.
fn is_zero(insn: &InsnView<'_>, number: usize) -> bool {
    let reg = insn.at(number).as_reg();
    reg.is_some_and(|reg| reg == XZR || reg == WZR)
}

/// The operations whose last register may be shifted; those that commute come first.
const SHIFTING: &[[Op; 2]] = &[
    [Op::ADDXrs, Op::ADDWrs],
    [Op::ANDXrs, Op::ANDWrs],
    [Op::ORRXrs, Op::ORRWrs],
    [Op::EORXrs, Op::EORWrs],
    [Op::SUBXrs, Op::SUBWrs],
    [Op::SUBSXrs, Op::SUBSWrs],
    [Op::BICXrs, Op::BICWrs],
    [Op::ORNXrs, Op::ORNWrs],
];
/// The number of operations in `SHIFTING` that commute.
const COMMUTING: usize = 4;

/// The peepholes, in the order in which they are tried.
pub(crate) static PEEPHOLES: &[Peephole] = &[
    Peephole::new("multiply-add", product),
    Peephole::new("shifted-operand", shifted),
    Peephole::new("extended-operand", extended),
    Peephole::new("inverted-operand", inverted),
    Peephole::new("extended-index", index),
    Peephole::new("test-in-branch", branch),
    Peephole::new("extract-bits", bits),
];

/// Returns kind, width and other operand of a sum or difference of registers that are not shifted.
fn plain(insn: &InsnView<'_>, number: usize) -> Option<(usize, bool, Operand)> {
    let (kind, is_wide) = which(insn, SHIFTING)?;
    let is_plain = insn.immediate(3) == Some(0);
    let other = match number {
        2 => insn.at(1),
        1 if kind < COMMUTING => insn.at(2),
        _ => return None,
    };
    is_plain.then_some((kind, is_wide, other))
}

/// Folds to `a * b + c` or `c - a * b`.
fn product(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let (_, is_wide) = which(source, &[[Op::MADDXrrr, Op::MADDWrrr]])?;
    let (kind, is_wide_too, other) = plain(insn, number)?;
    let op = match (kind, is_wide) {
        (0, true) => Op::MADDXrrr,
        (0, false) => Op::MADDWrrr,
        (4, true) => Op::MSUBXrrr,
        (4, false) => Op::MSUBWrrr,
        _ => return None,
    };
    let is_same = is_wide == is_wide_too && is_zero(source, 3);
    is_same.then(|| FoldedSource::new(op, &[insn.at(0), source.at(1), source.at(2), other]))
}

/// Returns the operand of a shift by a constant, and the shift as instructions encode it.
fn shift(source: &InsnView<'_>, is_wide: bool) -> Option<(Operand, i32)> {
    let unsigned = [[Op::UBFMXri, Op::UBFMWri]];
    let signed = [[Op::SBFMXri, Op::SBFMWri]];
    let last = if is_wide { 63 } else { 31 };
    let (from, to) = (source.immediate(2)?, source.immediate(3)?);
    if let Some((_, width)) = which(source, &unsigned)
        && width == is_wide
    {
        if to == last {
            return Some((source.at(1), 1 << 6 | from));
        }
        return (to + 1 == from).then_some((source.at(1), last - to));
    }
    let (_, width) = which(source, &signed)?;
    (width == is_wide && to == last).then_some((source.at(1), 2 << 6 | from))
}

/// Folds to `a + (b << n)`.
fn shifted(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let (kind, is_wide, other) = plain(insn, number)?;
    let (register, shift) = shift(source, is_wide)?;
    let &[wide, narrow] = SHIFTING.get(kind)?;
    let op = if is_wide { wide } else { narrow };
    let operands = [insn.at(0), other, register, Operand::imm(shift)];
    Some(FoldedSource::new(op, &operands))
}

/// Returns the operand of an extension from 32 bits or less, and the extension as instructions
/// encode it.
fn extension(source: &InsnView<'_>) -> Option<(Operand, i32)> {
    if source.is(Op::ORRWrs) && is_zero(source, 1) && source.immediate(3) == Some(0) {
        return Some((source.at(2), 2 << 3));
    }
    let (from, to) = (source.immediate(2)?, source.immediate(3)?);
    let width = match (from, to) {
        (0, 7) => 0,
        (0, 15) => 1,
        (0, 31) => 2,
        _ => return None,
    };
    if source.is(Op::SBFMXri) {
        Some((source.at(1), (4 + width) << 3))
    } else {
        source.is(Op::UBFMWri).then_some((source.at(1), width << 3))
    }
}

/// Folds to `a + (extended b << n)`.
fn extended(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    const KINDS: [(Op, Op); 3] = [
        (Op::ADDXrs, Op::ADDXrx),
        (Op::SUBXrs, Op::SUBXrx),
        (Op::SUBSXrs, Op::SUBSXrx),
    ];
    let &(plain, op) = KINDS.iter().find(|&&(plain, _)| insn.is(plain))?;
    let count = insn.immediate(3).filter(|count| *count <= 4)?;
    let other = match number {
        2 => 1,
        1 if plain == Op::ADDXrs && count == 0 => 2,
        _ => return None,
    };
    let (register, how) = extension(source)?;
    // Register number 31 is the stack pointer in this form.
    if is_zero(insn, other) {
        return None;
    }
    let operands = [
        insn.at(0),
        insn.at(other),
        register,
        Operand::imm(how | count),
    ];
    Some(FoldedSource::new(op, &operands))
}

/// Folds to `a & !b`.
fn inverted(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let (kind, is_wide, other) = plain(insn, number)?;
    let (_, width) = which(source, &[[Op::ORNXrs, Op::ORNWrs]])?;
    let [wide, narrow] = match kind {
        1 => [Op::BICXrs, Op::BICWrs],
        2 => [Op::ORNXrs, Op::ORNWrs],
        3 => [Op::EONXrs, Op::EONWrs],
        _ => return None,
    };
    let op = if is_wide { wide } else { narrow };
    let operands = [insn.at(0), other, source.at(2), source.at(3)];
    (width == is_wide && is_zero(source, 1)).then(|| FoldedSource::new(op, &operands))
}

macro_rules! indexed {
    ($($bytes:literal $x:ident $w:ident;)*) => {
        /// The size in bytes, and the opcodes with an index of 64 and of 32 bits.
        const INDEXED: &[(i32, Op, Op)] = &[$(($bytes, Op::$x, Op::$w)),*];
    };
}

indexed! {
    1 LDRBBroX LDRBBroW; 1 LDRSBXroX LDRSBXroW; 1 STRBBroX STRBBroW;
    2 LDRHHroX LDRHHroW; 2 LDRSHXroX LDRSHXroW; 2 STRHHroX STRHHroW;
    4 LDRWroX LDRWroW; 4 LDRSWroX LDRSWroW; 4 STRWroX STRWroW;
    4 LDRSroX LDRSroW; 4 STRSroX STRSroW;
    8 LDRXroX LDRXroW; 8 STRXroX STRXroW;
    8 LDRDroX LDRDroW; 8 STRDroX STRDroW;
}

/// Folds the extension or shift of an index into a load or store.
fn index(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let &(bytes, wide, narrow) = INDEXED.iter().find(|&&(_, wide, _)| insn.is(wide))?;
    let scaled = insn.immediate(4)?;
    let base = match number {
        2 => insn.at(1),
        1 if scaled == 0 => insn.at(2),
        _ => return None,
    };
    if let Some((register, how)) = extension(source)
        && let sign @ (2 | 6) = how >> 3
    {
        let sign = Operand::imm(sign >> 2);
        let operands = [insn.at(0), base, register, sign, Operand::imm(scaled)];
        return Some(FoldedSource::new(narrow, &operands));
    }
    let (register, count) = shift(source, true)?;
    let fits = scaled == 0 && count < 64 && 1 << count == bytes;
    let operands = [insn.at(0), base, register, Operand::imm(0), Operand::imm(1)];
    fits.then(|| FoldedSource::new(wide, &operands))
}

/// Folds a test of one bit, or a comparison, into a branch.
fn branch(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let pairs = [[Op::CBZX, Op::CBZW], [Op::CBNZX, Op::CBNZW]];
    let (kind, is_wide) = which(insn, &pairs).filter(|_| number == 0)?;
    let goes_if_set = kind == 1;
    let block = insn.at(1);
    if source.is(Op::CSINCWr) && is_zero(source, 1) && is_zero(source, 2) {
        // CSINC yields 1 if the condition does not hold.
        let condition = source.immediate(3)? ^ i32::from(goes_if_set);
        return Some(FoldedSource::new(
            Op::Bcc,
            &[Operand::imm(condition), block],
        ));
    }
    let (_, and_is_wide) = which(source, &[[Op::ANDXri, Op::ANDWri]])?;
    let pattern = pattern_of(source.immediate(2)?, if and_is_wide { 64 } else { 32 });
    if pattern.count_ones() != 1 {
        return None;
    }
    let bit = pattern.trailing_zeros() as i32;
    let op = match (bit < 32, goes_if_set) {
        (true, false) => Op::TBZW,
        (true, true) => Op::TBNZW,
        (false, _) if !is_wide => return None,
        (false, false) => Op::TBZX,
        (false, true) => Op::TBNZX,
    };
    let operands = [source.at(1), Operand::imm(bit), block];
    Some(FoldedSource::new(op, &operands))
}

/// Folds a shift to the right and a mask or extension of its result to the extract of a bit field.
fn bits(insn: &InsnView<'_>, number: usize, source: &InsnView<'_>) -> Option<FoldedSource> {
    let Field { is_signed, width } = low_bits(insn).filter(|_| number == 1)?;
    let (_, is_wide) = which(source, &[[Op::UBFMXri, Op::UBFMWri]])?;
    let last = if is_wide { 63 } else { 31 };
    let from = source.immediate(2)?;
    let to = from + width - 1;
    if source.immediate(3) != Some(last) || to > last {
        return None;
    }
    let op = match (is_signed, is_wide) {
        (true, true) => Op::SBFMXri,
        (true, false) => return None,
        (false, true) => Op::UBFMXri,
        (false, false) => Op::UBFMWri,
    };
    let operands = [
        insn.at(0),
        source.at(1),
        Operand::imm(from),
        Operand::imm(to),
    ];
    Some(FoldedSource::new(op, &operands))
}

/// Returns the low bits that an instruction keeps, if it does nothing else.
fn low_bits(insn: &InsnView<'_>) -> Option<Field> {
    let unsigned = |width| Field {
        is_signed: false,
        width,
    };
    if let Some((_, is_wide)) = which(insn, &[[Op::ANDXri, Op::ANDWri]]) {
        let pattern = pattern_of(insn.immediate(2)?, if is_wide { 64 } else { 32 });
        let pattern = if is_wide {
            pattern
        } else {
            pattern & 0xFFFF_FFFF
        };
        let is_low = pattern & pattern.wrapping_add(1) == 0;
        return is_low.then(|| unsigned(pattern.count_ones() as i32));
    }
    let (register, how) = extension(insn)?;
    let width = 8 << (how >> 3 & 3);
    // The register must be operand 1.
    (register == insn.at(1)).then_some(Field {
        is_signed: how >> 5 != 0,
        width,
    })
}
