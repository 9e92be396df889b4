//! The encoding of instructions as words, and the fixups in them.

use super::encoding::{Encoding, Field, MOST};
use super::insns::INSNS;
use super::isa::Backend;
use super::{registers, target_flags};
use mir_nostd::codegen::{Code, Error, FixupKind, FixupTarget, ShortBranch};
use mir_nostd::machine::{Function, Operand, Reg};
use mir_nostd::target::{Encoder, InsnRow};

/// A branch with a distance of 24 bits, in words.
const FAR: FixupKind = FixupKind(0);
/// A branch with a distance of 14 bits, in words.
const NEAR: FixupKind = FixupKind(1);
/// A branch of 24 bits after the opposite conditional branch over it.
const OVER: FixupKind = FixupKind(2);
/// The high half of the distance from the start of the code.
const HIGH: FixupKind = FixupKind(3);
/// The low half of that distance.
const LOW: FixupKind = FixupKind(4);
/// The low half, a multiple of 4, beside two bits of the opcode.
const LOW_DS: FixupKind = FixupKind(5);

/// A call, which a linker fills in.
pub(crate) const CALL: FixupKind = FixupKind(6);
/// The halves of a distance from the TOC pointer, which a linker fills in.
pub(crate) const TOC_HIGH: FixupKind = FixupKind(7);
pub(crate) const TOC_LOW: FixupKind = FixupKind(8);
pub(crate) const TOC_LOW_DS: FixupKind = FixupKind(9);
/// The halves of the distance of an entry of the global offset table from the TOC pointer.
pub(crate) const GOT_HIGH: FixupKind = FixupKind(10);
pub(crate) const GOT_LOW_DS: FixupKind = FixupKind(11);
/// The halves of the distance of the TOC pointer from the start of the function.
pub(crate) const START_HIGH: FixupKind = FixupKind(12);
pub(crate) const START_LOW: FixupKind = FixupKind(13);
/// The distance of a place from a prefixed instruction.
pub(crate) const PC_FAR: FixupKind = FixupKind(14);
/// The distance of an entry of the global offset table from a prefixed instruction.
pub(crate) const GOT_PC: FixupKind = FixupKind(15);

const BRANCH: u32 = 0x4800_0000;
/// The bit of a conditional branch that ignores the condition register.
const UNCONDITIONED: u32 = 16 << 21;
const NOP: u32 = 0x6000_0000;

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
        let mut word = encoding.word();
        if word == 0 {
            return None;
        }
        if encoding.is_prefixed() {
            return encode_prefixed(code, function, row, operands);
        }
        let mut fixup = None;
        for (number, &operand) in operands
            .iter()
            .enumerate()
            .take(row.operands.len().min(MOST))
        {
            let field = encoding.field(number);
            if let Some(place) = FixupTarget::of(operand) {
                fixup = Some((kind(field, operand)?, place));
            } else {
                word |= bits(function, field, operand)?;
            }
        }
        let written = write(code, word, fixup);
        if encoding.field(row.operands.len()) == Field::Nop {
            return Some(written.and_then(|()| Ok(code.put(&NOP.to_le_bytes())?)));
        }
        Some(written)
    }

    /// Writes the global entry, which computes the TOC pointer from the function's address, if the
    /// function needs it: `addis r2, r12, ..; addi r2, r2, ..`.
    fn enter(&self, code: &mut Code<'_>, function: &Function<'_>) -> Result<(), Error> {
        let (true, Some(&entry)) = (
            function.is_position_independent && has_toc(function),
            function.layout.first(),
        ) else {
            return Ok(());
        };
        for (kind, word) in [(START_HIGH, 0x3C4C_0000), (START_LOW, 0x3842_0000)] {
            write(code, word, Some((kind, FixupTarget::Block(entry))))?;
        }
        Ok(())
    }

    /// Changes bytes so that they refer to `target`, in bytes from the start of the code. Returns
    /// whether it was in reach.
    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        if kind == PC_FAR {
            return patch_prefixed(bytes, target - i64::from(place));
        }
        let Some(bytes) = bytes.first_chunk_mut() else {
            return false;
        };
        let word = u32::from_le_bytes(*bytes);
        let distance = target - i64::from(place);
        let high = (target + 0x8000) >> 16;
        let (value, mask, is_near) = match kind {
            FAR | OVER | CALL => (distance, 0x03FF_FFFC, distance >> 25 == distance >> 63),
            NEAR => (distance, 0xFFFC, distance >> 15 == distance >> 63),
            HIGH => (high, 0xFFFF, i16::try_from(high).is_ok()),
            LOW => (target, 0xFFFF, true),
            LOW_DS => (target, 0xFFFC, target & 3 == 0),
            START_HIGH | START_LOW => (0, 0, true),
            _ => return false,
        };
        *bytes = (word & !mask | value as u32 & mask).to_le_bytes();
        is_near
    }

    /// Returns the short form of a conditional branch.
    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        let before = code.get(..at as usize)?;
        if kind != OVER || number > 0 {
            return None;
        }
        let opposite = u32::from_le_bytes(*before.last_chunk()?);
        let branch = (opposite ^ sense(opposite)) & !0xFFFC;
        Some(ShortBranch {
            before: 4,
            behind: 4,
            bytes: u64::from(branch).to_le_bytes(),
            len: 4,
            place: 0,
            kind: NEAR,
        })
    }

    /// Fills bytes with NOPs.
    fn pad(&self, bytes: &mut [u8]) {
        for place in bytes.chunks_exact_mut(4) {
            place.copy_from_slice(&NOP.to_le_bytes());
        }
    }
}

fn has_toc(function: &Function<'_>) -> bool {
    let mut insns = (function.layout.iter()).flat_map(|&block| function.insns(block));
    let toc = Some(registers::X2);
    insns.any(|insn| {
        function
            .operands(insn)
            .iter()
            .any(|operand| operand.as_reg() == toc)
    })
}

/// Writes a prefixed instruction, with a NOP before it where it would cross a boundary of 64 bytes.
fn encode_prefixed(
    code: &mut Code<'_>,
    function: &Function<'_>,
    row: &InsnRow,
    operands: &[Operand],
) -> Option<Result<(), Error>> {
    let encoding = Encoding::of(row.encoding);
    let [mut prefix, mut word] = [0, encoding.word()];
    let mut fixup = None;
    for (number, &operand) in operands.iter().enumerate().take(row.operands.len()) {
        let field = encoding.field(number);
        if let Some(place) = FixupTarget::of(operand) {
            prefix |= field.prefix()?;
            fixup = Some((kind(field, operand)?, place));
        } else if let Some(opcode) = field.prefix() {
            let value = function
                .immediate(operand)
                .filter(|&value| is_long(value))?;
            prefix |= opcode | (value >> 16) as u32 & 0x3_FFFF;
            word |= value as u32 & 0xFFFF;
        } else {
            word |= bits(function, field, operand)?;
        }
    }
    let mut written = || {
        code.put_padding(NOP.to_le_bytes())?;
        if let Some((kind, target)) = fixup {
            code.fixup(kind, target)?;
        }
        code.put(&prefix.to_le_bytes())?;
        Ok(code.put(&word.to_le_bytes())?)
    };
    Some(written())
}

/// Returns whether an immediate fits in 34 signed bits.
pub(crate) const fn is_long(value: i64) -> bool {
    value >> 33 == value >> 63
}

fn write(
    code: &mut Code<'_>,
    mut word: u32,
    fixup: Option<(FixupKind, FixupTarget)>,
) -> Result<(), Error> {
    if let Some((mut kind, target)) = fixup {
        if kind == NEAR {
            // The distance to the block is not known yet, so the long form is written.
            code.put(&(word ^ sense(word) | 8).to_le_bytes())?;
            (word, kind) = (BRANCH, OVER);
        }
        code.fixup(kind, target)?;
    }
    Ok(code.put(&word.to_le_bytes())?)
}

/// Returns the bit that inverts a conditional branch: on the condition register, or on the count
/// register, which is decremented either way.
const fn sense(branch: u32) -> u32 {
    if branch & UNCONDITIONED == 0 {
        8 << 21
    } else {
        2 << 21
    }
}

/// Returns the kind of fixup for a field that refers to a place of the code.
fn kind(field: Field, operand: Operand) -> Option<FixupKind> {
    Some(match (field, operand.target_flag()) {
        (Field::Li, _) if operand.as_symbol().is_some() => CALL,
        (Field::Ha, target_flags::TOC_HIGH) => TOC_HIGH,
        (Field::Si, target_flags::TOC_LOW) => TOC_LOW,
        (Field::Ds, target_flags::TOC_LOW) => TOC_LOW_DS,
        (Field::Ha, target_flags::GOT_HIGH) => GOT_HIGH,
        (Field::Ds, target_flags::GOT_LOW) => GOT_LOW_DS,
        (Field::MlsPc | Field::ElsPc, target_flags::GOT_PC) => GOT_PC,
        (Field::MlsPc | Field::ElsPc, _) => PC_FAR,
        (Field::Li, _) => FAR,
        (Field::Bd, _) => NEAR,
        (Field::Ha, _) => HIGH,
        (Field::Si, _) => LOW,
        (Field::Ds, _) => LOW_DS,
        _ => return None,
    })
}

fn encoding(reg: Reg) -> u32 {
    u32::from(registers::FILE.row(reg).encoding)
}

/// Returns the bits of an operand that is no place of the code.
fn bits(function: &Function<'_>, field: Field, operand: Operand) -> Option<u32> {
    if field == Field::No {
        return Some(0);
    }
    if let Some(reg) = operand.as_reg() {
        return register_bits(field, encoding(reg.is_physical().then_some(reg)?));
    }
    let value = function.immediate(operand)?;
    let within = |low: i64, high: i64| (low..=high).contains(&value).then_some(value as u32);
    let signed = |bits: u32| within(-1 << (bits - 1), (1 << (bits - 1)) - 1);
    Some(match field {
        Field::Si | Field::Ha => signed(16)? & 0xFFFF,
        Field::Ui => within(0, 0xFFFF)?,
        Field::Ds if value & 3 == 0 => signed(16)? & 0xFFFC,
        Field::Sh6 => {
            let shift = within(0, 63)?;
            (shift & 31) << 11 | shift >> 5 << 1
        }
        Field::Mb6 => {
            let bit = within(0, 63)?;
            (bit & 31) << 6 | bit >> 5 << 5
        }
        Field::Zero => within(0, 0)?,
        Field::Sync => within(0, 3)? << 21,
        Field::Sh5 => within(0, 31)? << 11,
        Field::Mb5 => within(0, 31)? << 6,
        Field::Me5 => within(0, 31)? << 1,
        Field::Pred => {
            let predicate = within(0, 127)?;
            (predicate & 31) << 21 | predicate >> 5 << 16
        }
        // Distances between instructions that are written together, in words.
        Field::Li => signed(24)? << 2 & 0x03FF_FFFC,
        Field::Bd => signed(14)? << 2 & 0xFFFC,
        _ => return None,
    })
}

fn register_bits(field: Field, number: u32) -> Option<u32> {
    Some(match field {
        Field::Rt | Field::Xt => number << 21,
        Field::Ra => number << 16,
        Field::Rb => number << 11,
        Field::Rc => number << 6,
        Field::Xtab => number << 21 | number << 16 | number << 11,
        Field::Crf => number << 23,
        Field::Fxm => 0x80 >> number << 12,
        Field::PredCr => number << 18,
        _ => return None,
    })
}

/// The kinds of fixups that count from the start of the code.
pub(crate) const FROM_START: &[FixupKind] = &[HIGH, LOW, LOW_DS];

/// Patches a prefixed instruction with a distance; returns whether it was in reach.
fn patch_prefixed(bytes: &mut [u8], distance: i64) -> bool {
    let Some((prefix, word)) = bytes.split_first_chunk_mut() else {
        return false;
    };
    let Some(word) = word.first_chunk_mut() else {
        return false;
    };
    let high = (distance >> 16) as u32 & 0x3_FFFF;
    *prefix = (u32::from_le_bytes(*prefix) & !0x3_FFFF | high).to_le_bytes();
    let low = distance as u32 & 0xFFFF;
    *word = (u32::from_le_bytes(*word) & !0xFFFF | low).to_le_bytes();
    is_long(distance)
}
