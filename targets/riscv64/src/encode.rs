//! The bytes of instructions, and the fixups in them that refer to other places of the code.

use super::compress::{
    branch_field, compress, compress_branch, expand_branch, jump_field, wide_branch_field,
    wide_jump_field,
};
use super::encoding::{Encoding, Format};
use super::insns::INSNS;
use super::isa::Backend;
use super::registers::{self, SCRATCH};
use super::target_flags::TABLE_HIGH;
use mir_nostd::codegen::{Code, Error, FixupKind, FixupTarget, ShortBranch};
use mir_nostd::machine::{Function, Operand};
use mir_nostd::target::Encoder;

/// `beqz` or `bnez` of 2 bytes.
const SHORT_BRANCH: FixupKind = FixupKind(0);
/// `j` of 2 bytes.
const SHORT_JUMP: FixupKind = FixupKind(1);
/// A branch of 4 bytes.
const BRANCH: FixupKind = FixupKind(2);
/// `j` of 4 bytes.
const JUMP: FixupKind = FixupKind(3);
/// `j` of 4 bytes after a branch around it.
const BRANCH_AND_JUMP: FixupKind = FixupKind(4);
/// `auipc` and `jr` by a scratch register.
const FAR_JUMP: FixupKind = FixupKind(5);
/// `auipc` and `jr` after a branch around them.
const BRANCH_AND_FAR_JUMP: FixupKind = FixupKind(6);
/// `auipc` and an instruction that has the low bits of the distance.
pub(crate) const PAIR: FixupKind = FixupKind(7);
/// The same for the distance to an entry of the global offset table.
pub(crate) const TABLE_PAIR: FixupKind = FixupKind(8);
/// `auipc` and `jalr`, a call.
pub(crate) const CALL_PAIR: FixupKind = FixupKind(9);

/// Functions of fewer instructions, of at most 32 bytes each, are short enough that jumps of 4
/// bytes reach all of their code.
const NEAR_INSNS: usize = 1 << 15;

/// The call's `jalr`.
const CALL_JUMP: u32 = 0xE7 | 1 << 15;
/// The far jump's `jr`.
const FAR_RETURN: u32 = 0x67 | 31 << 15;
/// The far jump's `auipc`.
const FAR_UPPER: u32 = 0x17 | 31 << 7;
const _: () = assert!(SCRATCH[1].row().is_some());

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
        let compresses = self.compresses;
        let encoding = Encoding::of(row.encoding);
        let label = operands.iter().rev().copied().find_map(FixupTarget::of);
        let is_in_table = operands
            .iter()
            .any(|operand| operand.as_reg().is_none() && operand.target_flag() == TABLE_HIGH);
        let is_far = function.insn_count() >= NEAR_INSNS;
        let word = word(function, encoding, operands)?;
        Some(match (encoding.format(), label) {
            (Format::Branch, Some(label)) => put_branch(code, word, label, is_far, compresses),
            (Format::Jump, Some(label)) => put_jump(code, label, is_far),
            (Format::Upper, Some(label)) if is_in_table => put_pair(code, TABLE_PAIR, word, label),
            (Format::Upper, Some(label)) => put_pair(code, PAIR, word, label),
            (Format::Symbol, Some(label)) => {
                put_pair(code, CALL_PAIR, word, label).and_then(|()| put(code, CALL_JUMP, false))
            }
            (Format::Symbol, None) => return None,
            (Format::Immediate, Some(_)) => put(code, word, false),
            _ => put(code, word, compresses),
        })
    }

    /// Changes bytes so that they refer to `target`, in bytes from the start of the code. Returns
    /// whether it was in reach.
    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        let distance = target - i64::from(place);
        let reach = |bits: u32| {
            let limit = 1 << (bits - 1);
            let is_near = (-limit..limit).contains(&distance);
            is_near.then_some(distance as i32)
        };
        let patched = match kind {
            SHORT_BRANCH => reach(9).and_then(|near| patch_half(bytes, branch_field(near))),
            SHORT_JUMP => reach(12).and_then(|near| patch_half(bytes, jump_field(near))),
            BRANCH => reach(13).and_then(|near| patch_word(bytes, wide_branch_field(near))),
            JUMP | BRANCH_AND_JUMP => {
                reach(21).and_then(|near| patch_word(bytes, wide_jump_field(near)))
            }
            _ => i32::try_from(distance)
                .ok()
                .and_then(|distance| patch_pair(bytes, distance)),
        };
        patched.is_some()
    }

    /// Returns the shorter form of this number.
    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        let compresses = self.compresses;
        let at = at as usize;
        let forms = match kind {
            BRANCH if number == 0 => {
                let half = compress_branch(word_at(code, at)?).filter(|_| compresses)?;
                return Some(
                    Form::default()
                        .half(half.into())
                        .instead([0, 4], SHORT_BRANCH),
                );
            }
            JUMP => &[SHORT_JUMP][..],
            FAR_JUMP => &[SHORT_JUMP, JUMP],
            BRANCH_AND_JUMP => &[SHORT_BRANCH, BRANCH],
            BRANCH_AND_FAR_JUMP => &[SHORT_BRANCH, BRANCH, BRANCH_AND_JUMP],
            _ => return None,
        };
        let (branch, around_len) = match kind {
            BRANCH_AND_JUMP | BRANCH_AND_FAR_JUMP => before(code, at)?,
            _ => (0, 0),
        };
        let is_far = matches!(kind, FAR_JUMP | BRANCH_AND_FAR_JUMP);
        let long = [around_len, if is_far { 8 } else { 4 }];
        // Forms that there are not for this branch are skipped, so that the numbers have no gap.
        let all = forms.iter().filter_map(|&form| match form {
            SHORT_JUMP if compresses => Some(Form::default().half(0xA001).instead(long, form)),
            JUMP => Some(Form::default().word(0x6F).instead(long, form)),
            SHORT_BRANCH => {
                let half = compress_branch(branch).filter(|_| compresses)?;
                Some(Form::default().half(half.into()).instead(long, form))
            }
            BRANCH => Some(Form::default().word(branch).instead(long, form)),
            BRANCH_AND_JUMP => {
                let around = around(branch, 4, compresses);
                let mut both = around.word(0x6F).instead(long, form);
                both.place = u32::from(around.len);
                Some(both)
            }
            _ => None,
        });
        { all }.nth(number)
    }

    /// Fills bytes with NOPs.
    fn pad(&self, bytes: &mut [u8]) {
        let (first, rest) = bytes.split_at_mut(bytes.len() % 4);
        for (place, byte) in first.iter_mut().zip([0x01, 0x00, 0x00]) {
            *place = byte;
        }
        for nop in rest.chunks_exact_mut(4) {
            nop.copy_from_slice(&[0x13, 0, 0, 0]);
        }
    }
}

fn word(function: &Function<'_>, encoding: Encoding, operands: &[Operand]) -> Option<u32> {
    assemble(encoding, operands, |operand| function.immediate(operand))
}

/// Returns the word of an instruction; fields that refer to other places are left 0.
fn assemble(
    encoding: Encoding,
    operands: &[Operand],
    value: impl Fn(Operand) -> Option<i64>,
) -> Option<u32> {
    let reg = |number: usize| {
        let reg = operands.get(number)?.as_reg()?;
        (reg.is_physical()).then(|| u32::from(registers::FILE.row(reg).encoding))
    };
    let immediate = |number: usize, bits: u32, is_signed: bool| {
        let operand = *operands.get(number)?;
        if FixupTarget::of(operand).is_some() {
            return Some(0);
        }
        let value = value(operand)?;
        let least = if is_signed { -(1 << (bits - 1)) } else { 0 };
        let fits = (least..least + (1 << bits)).contains(&value);
        fits.then_some(value as i32)
    };
    let low_bits = |number| immediate(number, 12, true).map(|value| (value << 20).cast_unsigned());
    let rounding = |number| immediate(number, 3, false).map(|value| value.cast_unsigned() << 12);
    let fields = match encoding.format() {
        Format::None => return None,
        Format::Fixed | Format::Symbol => 0,
        Format::Register => reg(0)? << 7 | reg(1)? << 15 | reg(2)? << 20,
        Format::Atomic => reg(0)? << 7 | reg(1)? << 20 | reg(2)? << 15,
        Format::Immediate => reg(0)? << 7 | reg(1)? << 15 | low_bits(2)?,
        Format::Shift => {
            let count = immediate(2, 6, false)?.cast_unsigned();
            reg(0)? << 7 | reg(1)? << 15 | count << 20
        }
        Format::Store => {
            let offset = immediate(2, 12, true)?.cast_unsigned();
            reg(0)? << 20 | reg(1)? << 15 | (offset & 0xFE0) << 20 | (offset & 0x1F) << 7
        }
        Format::Branch => {
            let distance = immediate(2, 13, true)?;
            reg(0)? << 15 | reg(1)? << 20 | wide_branch_field(distance)
        }
        Format::Upper => reg(0)? << 7 | immediate(1, 20, false)?.cast_unsigned() << 12,
        Format::Jump => wide_jump_field(immediate(0, 21, true)?),
        Format::Through => {
            let has_offset = operands
                .get(1)
                .is_some_and(|operand| operand.small().is_some());
            reg(0)? << 15 | if has_offset { low_bits(1)? } else { 0 }
        }
        Format::Round => reg(0)? << 7 | reg(1)? << 15 | reg(2)? << 20 | rounding(3)?,
        Format::Fused => {
            let sources = reg(1)? << 15 | reg(2)? << 20 | reg(3)? << 27;
            reg(0)? << 7 | sources | rounding(4)?
        }
        Format::Unary => reg(0)? << 7 | reg(1)? << 15 | rounding(2)?,
        Format::Move => reg(0)? << 7 | reg(1)? << 15,
        Format::Fence => {
            let [before, after] = [immediate(0, 4, false)?, immediate(1, 4, false)?];
            before.cast_unsigned() << 24 | after.cast_unsigned() << 20
        }
    };
    Some(encoding.word() | fields)
}

fn put(code: &mut Code<'_>, word: u32, compresses: bool) -> Result<(), Error> {
    match compress(word).filter(|_| compresses) {
        Some(half) => code.put(&half.to_le_bytes())?,
        None => code.put(&word.to_le_bytes())?,
    }
    Ok(())
}

/// Returns a branch on the opposite condition over the `bytes` bytes after it: two bytes where it
/// has a compressed form.
fn around(branch: u32, bytes: i32, compresses: bool) -> Form {
    let opposite = branch ^ 0x1000;
    match compress_branch(opposite).filter(|_| compresses) {
        Some(half) => Form::default().half(u32::from(half) | branch_field(2 + bytes)),
        None => Form::default().word(opposite | wide_branch_field(4 + bytes)),
    }
}

/// Returns the branch, without its distance, whose opposite ends at this place, and how many bytes
/// that opposite has.
///
/// There is no ambiguity: the last half-word of a branch of four bytes that goes a few bytes
/// forward begins with zeros, and so is no compressed branch.
fn before(code: &[u8], at: usize) -> Option<(u32, u32)> {
    let half = code.get(at.checked_sub(2)?..)?.first_chunk()?;
    if let Some(word) = expand_branch(u16::from_le_bytes(*half)) {
        return Some((word ^ 0x1000, 2));
    }
    let word = word_at(code, at.checked_sub(4)?)?;
    Some(((word ^ 0x1000) & !wide_branch_field(-2), 4))
}

fn put_branch(
    code: &mut Code<'_>,
    word: u32,
    label: FixupTarget,
    is_far: bool,
    compresses: bool,
) -> Result<(), Error> {
    let bytes = if is_far { 8 } else { 4 };
    code.put(around(word, bytes, compresses).bytes())?;
    if is_far {
        return put_far(code, BRANCH_AND_FAR_JUMP, label);
    }
    code.fixup(BRANCH_AND_JUMP, label)?;
    put(code, 0x6F, false)
}

fn put_jump(code: &mut Code<'_>, label: FixupTarget, is_far: bool) -> Result<(), Error> {
    if is_far {
        return put_far(code, FAR_JUMP, label);
    }
    code.fixup(JUMP, label)?;
    put(code, 0x6F, false)
}

fn put_far(code: &mut Code<'_>, kind: FixupKind, label: FixupTarget) -> Result<(), Error> {
    code.fixup(kind, label)?;
    put(code, FAR_UPPER, false)?;
    put(code, FAR_RETURN, false)
}

/// Writes the first instruction of a pair; the second one follows.
fn put_pair(
    code: &mut Code<'_>,
    kind: FixupKind,
    word: u32,
    label: FixupTarget,
) -> Result<(), Error> {
    code.fixup(kind, label)?;
    put(code, word, false)
}

/// One or two instructions.
#[derive(Clone, Copy, Default)]
struct Form {
    bytes: [u8; 8],
    len: u8,
}

impl Form {
    fn half(self, half: u32) -> Self {
        self.with(&(half as u16).to_le_bytes())
    }

    fn word(self, word: u32) -> Self {
        self.with(&word.to_le_bytes())
    }

    fn with(mut self, insn: &[u8]) -> Self {
        let free = self.bytes.iter_mut().skip(self.len.into());
        for (place, &byte) in free.zip(insn) {
            *place = byte;
            self.len += 1;
        }
        self
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.into()).unwrap_or(&[])
    }

    /// Replaces so many bytes before and after the place that the fixup of the long form changes.
    const fn instead(self, [before, behind]: [u32; 2], kind: FixupKind) -> ShortBranch {
        ShortBranch {
            before,
            behind,
            bytes: self.bytes,
            len: self.len,
            place: 0,
            kind,
        }
    }
}

fn word_at(code: &[u8], at: usize) -> Option<u32> {
    let bytes = code.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn patch_half(bytes: &mut [u8], field: u32) -> Option<()> {
    let place = bytes.first_chunk_mut()?;
    *place = (u16::from_le_bytes(*place) | field as u16).to_le_bytes();
    Some(())
}

fn patch_word(bytes: &mut [u8], field: u32) -> Option<()> {
    let place = bytes.first_chunk_mut()?;
    *place = (u32::from_le_bytes(*place) | field).to_le_bytes();
    Some(())
}

/// Adds the high 20 bits of the distance to `auipc` and the low 12 to the instruction after it.
fn patch_pair(bytes: &mut [u8], distance: i32) -> Option<()> {
    let low = distance << 20 >> 20;
    let high = distance.checked_sub(low)?;
    let (upper, rest) = bytes.split_at_mut_checked(4)?;
    patch_word(rest, (low << 20).cast_unsigned())?;
    patch_word(upper, high.cast_unsigned())
}
