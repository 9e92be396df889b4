//! The encoding of instructions as words, and the fixups in them.

use super::encoding::{Encoding, Field};
use super::insns::INSNS;
use super::isa::Backend;
use super::registers;
use super::target_flags::{PAGE, PAGE_OFFSET, TABLE_PAGE, TABLE_PAGE_OFFSET};
use mir_nostd::codegen::{Code, Error, FixupKind, FixupTarget, ShortBranch};
use mir_nostd::machine::{Function, Operand};
use mir_nostd::target::Encoder;

/// B and BL: 26 bits, in words.
pub(crate) const CODE_26: FixupKind = FixupKind(0);
/// The same field in a B after a branch on the opposite condition; the two are the long form of a
/// conditional branch.
const LONG: FixupKind = FixupKind(1);
/// Conditional branches and literal loads: 19 bits, in words.
const CODE_19: FixupKind = FixupKind(2);
/// TBZ and TBNZ: 14 bits, in words.
const CODE_14: FixupKind = FixupKind(3);
/// ADR: 21 bits, in bytes.
const CODE_21: FixupKind = FixupKind(4);
/// MOVZ: the low 16 bits of the distance from the instruction before.
const LOW_16: FixupKind = FixupKind(5);
/// MOVK: the high 16 bits of the distance from the instruction two before.
const HIGH_16: FixupKind = FixupKind(6);
/// ADRP: 21 bits, in pages of 4 KiB.
pub(crate) const PAGE_21: FixupKind = FixupKind(7);
/// ADD: the low 12 bits of an address.
pub(crate) const LOW_12: FixupKind = FixupKind(8);
/// ADRP: 21 bits, in pages, to an entry of the global offset table.
pub(crate) const TABLE_PAGE_21: FixupKind = FixupKind(9);
/// LDR: the low 12 bits of the address of such an entry, in words of 64 bits.
pub(crate) const TABLE_LOW_12: FixupKind = FixupKind(10);
/// LDR: the low 12 bits of an address, in words of 32 bits.
pub(crate) const LOW_12_IN_4: FixupKind = FixupKind(11);
/// LDR: the low 12 bits of an address, in words of 64 bits.
pub(crate) const LOW_12_IN_8: FixupKind = FixupKind(12);

/// The bits of a branch's opcode that tell TBZ and TBNZ from other branches.
const TEST_MASK: u32 = 0x7E00_0000;
const TEST: u32 = 0x3600_0000;
/// The bits that tell Bcc from other branches.
const CONDITION_MASK: u32 = 0xFF00_0000;
const CONDITION: u32 = 0x5400_0000;

/// The bits of an opcode that tell a load or store with an unsigned offset, and its size.
const ACCESS_MASK: u32 = 0xFB00_0000;
const ACCESS_OF_4: u32 = 0xB900_0000;
const ACCESS_OF_8: u32 = 0xF900_0000;

const JUMP: u32 = 0x1400_0000;
const NOP: u32 = 0xD503_201F;

impl Encoder for Backend {
    /// Writes one instruction with these operands; returns `None` if it has no encoding.
    fn encode_row(
        &self,
        code: &mut Code<'_>,
        function: &Function<'_>,
        row: usize,
        operands: &[Operand],
    ) -> Option<Result<(), Error>> {
        let row = INSNS.get(row)?;
        let encoding = Encoding::of(row.encoding);
        let mut word = encoding.fixed();
        if word == 0 {
            return None;
        }
        let mut place = None;
        for (&field, &operand) in encoding.fields().iter().zip(operands) {
            match target(word, field, operand) {
                Some(found) => place = Some(found),
                None => word |= bits(function, field, operand)?,
            }
        }
        if operands.len() < encoding.fields().len() {
            return None;
        }
        Some(write(code, word, place))
    }

    /// Changes an instruction so that it refers to `target`, in bytes from the start of the code.
    /// Returns whether it was in reach.
    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        let distance = target - i64::from(place);
        let Some(field) = field_bits(kind, distance) else {
            return false;
        };
        let Some(place) = bytes.first_chunk_mut() else {
            return false;
        };
        *place = (u32::from_le_bytes(*place) | field).to_le_bytes();
        true
    }

    /// Returns the short form of a conditional branch: one instruction instead of two.
    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        if kind != LONG || number > 0 {
            return None;
        }
        let before = code.get(..at as usize)?;
        let word = opposite(u32::from_le_bytes(*before.last_chunk()?));
        let (mask, kind) = if word & TEST_MASK == TEST {
            (0x3FFF << 5, CODE_14)
        } else {
            (0x7_FFFF << 5, CODE_19)
        };
        let mut bytes = [0; 8];
        *bytes.first_chunk_mut()? = (word & !mask).to_le_bytes();
        Some(ShortBranch {
            before: 4,
            behind: 4,
            bytes,
            len: 4,
            place: 0,
            kind,
        })
    }

    /// Fills bytes with NOPs.
    fn pad(&self, bytes: &mut [u8]) {
        for place in bytes.chunks_mut(4) {
            match place.first_chunk_mut() {
                Some(word) => *word = NOP.to_le_bytes(),
                None => place.fill(0),
            }
        }
    }
}

/// Returns the fixup for an operand whose field is filled in later.
fn target(word: u32, field: Field, operand: Operand) -> Option<(FixupKind, FixupTarget)> {
    if operand.as_reg().is_some() {
        return None;
    }
    let flag = operand.target_flag();
    let kind = match field {
        Field::Code26 => CODE_26,
        Field::Code19 => CODE_19,
        Field::Code14 => CODE_14,
        Field::Code21 if flag == PAGE => PAGE_21,
        Field::Code21 if flag == TABLE_PAGE => TABLE_PAGE_21,
        Field::Code21 => CODE_21,
        Field::Unsigned(10, 12) if flag == PAGE_OFFSET => match word & ACCESS_MASK {
            ACCESS_OF_4 => LOW_12_IN_4,
            ACCESS_OF_8 => LOW_12_IN_8,
            _ => LOW_12,
        },
        Field::Unsigned(10, 12) if flag == TABLE_PAGE_OFFSET => TABLE_LOW_12,
        // Only MOVaddr makes such operands: MOVZ and MOVK, which add up to the distance from their
        // ADR.
        Field::Unsigned(5, 16) => LOW_16,
        _ => return None,
    };
    Some((kind, FixupTarget::of(operand)?))
}

/// Returns the bits of an operand in its field.
fn bits(function: &Function<'_>, field: Field, operand: Operand) -> Option<u32> {
    let unsigned = |at: u8, bits: u8| {
        let value = u32::try_from(operand.small()?).ok()?;
        (value >> bits == 0).then_some(value << at)
    };
    let signed = |at: u8, bits: u8| {
        let value = operand.small()?;
        let spare = 32 - bits;
        (value << spare >> spare == value)
            .then_some((value.cast_unsigned() << spare >> spare) << at)
    };
    match field {
        Field::Reg(at) => {
            let reg = operand.as_reg().filter(|reg| reg.is_physical())?;
            Some(u32::from(registers::FILE.row(reg).encoding) << at)
        }
        Field::Tied | Field::Nothing => Some(0),
        Field::Unsigned(at, bits) => unsigned(at, bits),
        Field::Signed(at, bits) => signed(at, bits),
        Field::Shift12 => match operand.small()? {
            0 => Some(0),
            12 => Some(1 << 22),
            _ => None,
        },
        Field::Shift16 => match operand.small()? {
            shift @ (0 | 16 | 32 | 48) => Some((shift as u32 / 16) << 21),
            _ => None,
        },
        Field::Shifted => {
            let value = unsigned(0, 8)?;
            Some((value >> 6) << 22 | (value & 63) << 10)
        }
        Field::Extended => {
            let value = unsigned(0, 6)?;
            (value & 7 <= 4).then_some((value >> 3) << 13 | (value & 7) << 10)
        }
        Field::IndexSign => unsigned(15, 1),
        Field::Bit => {
            let value = unsigned(0, 6)?;
            Some((value >> 5) << 31 | (value & 31) << 19)
        }
        // Distances between instructions, from this one on.
        Field::Code26 => signed(0, 26),
        Field::Code19 => signed(5, 19),
        Field::Code14 => signed(5, 14),
        Field::Code21 => {
            let distance = i32::try_from(function.immediate(operand)?).ok()?;
            in_bytes(distance.into())
        }
    }
}

/// Encodes a distance in the fields of ADR, if it is in reach.
fn in_bytes(distance: i64) -> Option<u32> {
    let value = (distance << 43 >> 43 == distance).then_some(distance as u32 & 0x1F_FFFF)?;
    Some((value & 3) << 29 | (value >> 2) << 5)
}

fn write(
    code: &mut Code<'_>,
    word: u32,
    place: Option<(FixupKind, FixupTarget)>,
) -> Result<(), Error> {
    match place {
        Some((CODE_19 | CODE_14, target @ FixupTarget::Block(_))) => {
            // The opposite branch goes over the jump that follows.
            let skip = 2 << 5;
            code.put(&(opposite(word) | skip).to_le_bytes())?;
            code.fixup(LONG, target)?;
            code.put(&JUMP.to_le_bytes())?;
        }
        Some((LOW_16, target)) => {
            let is_high = word >> 21 & 3 != 0;
            code.fixup(if is_high { HIGH_16 } else { LOW_16 }, target)?;
            code.put(&word.to_le_bytes())?;
        }
        Some((kind, target)) => {
            code.fixup(kind, target)?;
            code.put(&word.to_le_bytes())?;
        }
        None => code.put(&word.to_le_bytes())?,
    }
    Ok(())
}

/// Returns the branch on the opposite condition.
const fn opposite(word: u32) -> u32 {
    if word & CONDITION_MASK == CONDITION {
        word ^ 1
    } else {
        word ^ 1 << 24
    }
}

fn field_bits(kind: FixupKind, distance: i64) -> Option<u32> {
    let words = |bits: u32, at: u32| {
        let spare = 64 - bits;
        let value = distance >> 2;
        let is_near = distance & 3 == 0 && value << spare >> spare == value;
        is_near.then_some((value as u32 & ((1 << bits) - 1)) << at)
    };
    // MOVZ and MOVK hold the distance from the ADR before them.
    let half = |from_adr: i64, shift: u32| {
        let value = i32::try_from(distance + from_adr).ok()?.cast_unsigned();
        Some((value >> shift & 0xFFFF) << 5)
    };
    match kind {
        CODE_26 | LONG => words(26, 0),
        CODE_19 => words(19, 5),
        CODE_14 => words(14, 5),
        CODE_21 => in_bytes(distance),
        LOW_16 => half(4, 0),
        HIGH_16 => half(8, 16),
        _ => None,
    }
}
