//! The bytes of instructions, and the fixups in them that refer to other places of the code.

use super::encoding::{Encoding, Form};
use super::insns::INSNS;
use super::isa::Backend;
use super::registers;
use heapless::Vec;
use mir_nostd::codegen::{Code, Error, FixupKind, FixupTarget, ShortBranch};
use mir_nostd::machine::{Function, Operand};
use mir_nostd::target::{Encoder, InsnRow, OperandRow};

/// A distance of 16 bits, in units of 2 bytes, from 2 bytes before the field.
const NEAR: FixupKind = FixupKind(0);
/// The same of 32 bits.
pub(crate) const FAR: FixupKind = FixupKind(1);
/// The same of 32 bits in a `JG`.
const JUMP: FixupKind = FixupKind(2);
/// The same of 32 bits in a `BRCL`.
const CONDITION: FixupKind = FixupKind(3);
/// The first kind for a `BRCL` that belongs to the comparison before it. The length of the
/// comparison in bytes is added to it.
const COMPARISON: u8 = 4;
/// A distance as for [`FAR`], to a symbol's entry in the global offset table. The longest
/// comparison has 6 bytes, so the number is free.
pub(crate) const GLOBAL_TABLE: FixupKind = FixupKind(16);
/// A distance as for [`FAR`], to a function or the stub that the linker puts in its place.
pub(crate) const FUNCTION: FixupKind = FixupKind(17);

/// A fixup in an instruction: its offset in bytes, its kind and its target.
type Reference = (usize, FixupKind, FixupTarget);

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
        let parts = Parts::new(function, row, operands)?;
        let mut insn = Insn {
            parts,
            encoding: Encoding::of(row.encoding),
            bytes: Vec::new(),
            reference: None,
        };
        insn.encode()?;
        Some(insn.write(code))
    }

    /// Changes bytes so that they refer to `target`, in bytes from the start of the code. Returns
    /// whether it was in reach.
    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        let distance = target - i64::from(place) + 2;
        if distance % 2 != 0 {
            return false;
        }
        let halves = distance / 2;
        if kind == NEAR {
            put(bytes, i16::try_from(halves).map(i16::to_be_bytes))
        } else {
            put(bytes, i32::try_from(halves).map(i32::to_be_bytes))
        }
    }

    /// Returns the short form of a branch whose field starts at the byte `at`.
    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        if number > 0 {
            return None;
        }
        let before = code.get(..at as usize)?;
        let mask = before.last()? & 0xF0;
        let form = |before, form: [u8; 6], len| {
            let mut bytes = [0; 8];
            let (start, _) = bytes.split_at_mut(form.len());
            start.copy_from_slice(&form);
            ShortBranch {
                before,
                behind: 4,
                bytes,
                len,
                place: 2,
                kind: NEAR,
            }
        };
        match kind {
            JUMP | CONDITION => Some(form(2, [0xA7, mask | 4, 0, 0, 0, 0], 4)),
            FixupKind(kind) if kind > COMPARISON => {
                let len = usize::from(kind - COMPARISON) + 2;
                let bytes = before.get(before.len().checked_sub(len)?..)?;
                let [registers, third, low] = joined(bytes, mask)?;
                Some(form(len as u32, [0xEC, registers, 0, 0, third, low], 6))
            }
            _ => None,
        }
    }

    /// Fills bytes with NOPs.
    fn pad(&self, bytes: &mut [u8]) {
        for pair in bytes.chunks_mut(2) {
            pair.copy_from_slice(NOP.get(..pair.len()).unwrap_or(&[]));
        }
    }
}

/// Returns the number of a base or an index; 0 stands for none.
fn address_register(operand: Operand) -> Option<u8> {
    let reg = operand.as_reg().filter(|reg| reg.vreg().is_none())?;
    Some(registers::FILE.row(reg).encoding)
}

/// A memory operand.
#[derive(Clone, Copy, Default)]
struct Memory {
    base: u8,
    index: u8,
    displacement: i32,
}

/// The operands of an instruction, sorted by their use in the encoding.
#[derive(Default)]
struct Parts {
    regs: [u8; 4],
    reg_count: usize,
    immediates: [i64; 4],
    immediate_count: usize,
    memory: Memory,
    label: Option<Operand>,
}

impl Parts {
    fn new(function: &Function<'_>, row: &InsnRow, operands: &[Operand]) -> Option<Parts> {
        let mut parts = Parts::default();
        let mut number = 0;
        while let Some(kind) = row.operands.get(number) {
            let operand = *operands.get(number)?;
            match kind {
                OperandRow::Def(_) | OperandRow::EarlyDef(_) | OperandRow::Use(_) => {
                    let reg = operand.as_reg().filter(|reg| reg.is_physical())?;
                    *parts.regs.get_mut(parts.reg_count)? = registers::FILE.row(reg).encoding;
                    parts.reg_count += 1;
                }
                OperandRow::Tied(..) => {}
                OperandRow::Address(_) => {
                    let memory = &mut parts.memory;
                    memory.base = address_register(operand)?;
                    memory.displacement = operands.get(number + 1)?.small()?;
                    number += 1;
                    if let Some(OperandRow::Address(_)) = row.operands.get(number + 1) {
                        memory.index = address_register(*operands.get(number + 1)?)?;
                        number += 1;
                    }
                }
                OperandRow::Immediate => {
                    let value = function.immediate(operand)?;
                    *parts.immediates.get_mut(parts.immediate_count)? = value;
                    parts.immediate_count += 1;
                }
                OperandRow::Label => parts.label = Some(operand),
            }
            number += 1;
        }
        Some(parts)
    }

    fn reg(&self, number: usize) -> u8 {
        self.regs.get(number).copied().unwrap_or(0)
    }

    fn immediate(&self, number: usize) -> i64 {
        self.immediates.get(number).copied().unwrap_or(0)
    }
}

/// Encodes a number as a field of 16 bits, signed or not.
fn bits16(value: i64) -> Option<[u8; 2]> {
    let is_in_range = (-0x8000..0x1_0000).contains(&value);
    is_in_range.then_some((value as u16).to_be_bytes())
}

/// Encodes a number as a field of 32 bits, signed or not.
fn bits32(value: i64) -> Option<[u8; 4]> {
    let is_in_range = (-0x8000_0000..0x1_0000_0000).contains(&value);
    is_in_range.then_some((value as u32).to_be_bytes())
}

/// Encodes a number as a field of 8 bits, signed or not.
fn bits8(value: i64) -> Option<u8> {
    (-0x80..0x100).contains(&value).then_some(value as u8)
}

/// Encodes a base and a displacement of 12 bits.
fn short(memory: Memory) -> Option<[u8; 2]> {
    let displacement = u16::try_from(memory.displacement).ok();
    let displacement = displacement.filter(|&displacement| displacement < 4096)?;
    Some((u16::from(memory.base) << 12 | displacement).to_be_bytes())
}

/// Encodes a base and a displacement of 20 bits: low part, then high part.
fn long(memory: Memory) -> Option<[u8; 3]> {
    let displacement = memory.displacement;
    if !super::is_reached(displacement) {
        return None;
    }
    let low = (displacement & 0xFFF) as u16;
    let [a, b] = (u16::from(memory.base) << 12 | low).to_be_bytes();
    Some([a, b, (displacement >> 12) as u8])
}

/// An instruction while it is written.
struct Insn {
    parts: Parts,
    encoding: Encoding,
    /// The bytes so far, of one instruction or of two that belong together.
    bytes: Vec<u8, 12>,
    reference: Option<Reference>,
}

impl Insn {
    fn put(&mut self, more: &[u8]) -> Option<()> {
        self.bytes.extend_from_slice(more).ok()
    }

    fn write(self, code: &mut Code<'_>) -> Result<(), Error> {
        let bytes = self.bytes.as_slice();
        let Some((at, kind, target)) = self.reference else {
            return Ok(code.put(bytes)?);
        };
        let (before, behind) = bytes.split_at(at.min(bytes.len()));
        code.put(before)?;
        code.fixup(kind, target)?;
        Ok(code.put(behind)?)
    }

    fn encode(&mut self) -> Option<()> {
        let [high, low] = self.encoding.opcode().to_be_bytes();
        let parts = &self.parts;
        let [first, second, third] = [parts.reg(0), parts.reg(1), parts.reg(2)];
        let [value, mask] = [parts.immediate(0), parts.immediate(1)];
        match self.encoding.form() {
            Form::Raw if high == 0 => None,
            Form::Raw => self.put(&[high, low]),
            Form::Rr if self.encoding.register() != 0 => {
                let fixed = self.encoding.register();
                self.put(&[low, fixed << 4 | first])
            }
            Form::Rr => self.put(&[low, first << 4 | second]),
            Form::Branch => self.put(&[low >> 4, low << 4 | first]),
            Form::Rre => self.put(&[high, low, 0, first << 4 | second]),
            Form::Rrd => self.put(&[high, low, first << 4, second << 4 | third]),
            Form::RrfA => self.put(&[high, low, third << 4, first << 4 | second]),
            Form::RrfC => {
                let mask = mask as u8 & 15;
                self.put(&[high, low, mask << 4, first << 4 | second])
            }
            Form::RrfE => {
                let masks = (value as u8) << 4 | mask as u8 & 15;
                self.put(&[high, low, masks, first << 4 | second])
            }
            Form::Ri => {
                let [a, b] = bits16(value)?;
                self.put(&[high, first << 4 | low, a, b])
            }
            Form::Ril => {
                let [a, b, c, d] = bits32(value)?;
                self.put(&[high, first << 4 | low, a, b, c, d])
            }
            Form::RieD => {
                let [a, b] = bits16(value)?;
                self.put(&[high, first << 4 | second, a, b, 0, low])
            }
            Form::RieF | Form::RieFZero => self.rotate(high, low),
            Form::RieG => {
                let [a, b] = bits16(value)?;
                let mask = parts.immediate(2) as u8 & 15;
                self.put(&[high, first << 4 | mask, a, b, 0, low])
            }
            Form::RiBranch | Form::RiJump | Form::RieB | Form::RieC => self.branch(high, low),
            Form::RilPlace | Form::RilBranch | Form::RilJump => self.branch(high, low),
            _ => self.encode_memory(low),
        }
    }

    fn rotate(&mut self, high: u8, low: u8) -> Option<()> {
        let parts = &self.parts;
        let registers = parts.reg(0) << 4 | parts.reg(1);
        let [start, end, by] = [0, 1, 2].map(|number| parts.immediate(number) as u8);
        let zero = match self.encoding.form() {
            Form::RieFZero => 0x80,
            _ => 0,
        };
        self.put(&[high, registers, start, end | zero, by, low])
    }

    fn encode_memory(&mut self, low: u8) -> Option<()> {
        let parts = &self.parts;
        let memory = parts.memory;
        let [first, second] = [parts.reg(0), parts.reg(1)];
        let value = parts.immediate(0);
        let indexed = first << 4 | memory.index;
        match self.encoding.form() {
            Form::Rx => {
                let [a, b] = short(memory)?;
                self.put(&[low, indexed, a, b])
            }
            Form::Rxy | Form::RxyFloat => {
                let [a, b, c] = long(memory)?;
                let high = if self.encoding.form() == Form::Rxy {
                    0xE3
                } else {
                    0xED
                };
                self.put(&[high, indexed, a, b, c, low])
            }
            Form::Rxe => {
                let [a, b] = short(memory)?;
                self.put(&[0xED, indexed, a, b, 0, low])
            }
            Form::Rsy => {
                let [a, b, c] = long(memory)?;
                self.put(&[0xEB, first << 4 | second, a, b, c, low])
            }
            Form::Si => {
                let [a, b] = short(memory)?;
                self.put(&[low, bits8(value)?, a, b])
            }
            Form::Siy => {
                let [a, b, c] = long(memory)?;
                self.put(&[0xEB, bits8(value)?, a, b, c, low])
            }
            Form::Sil => {
                let opcode = self.encoding.opcode().to_be_bytes();
                let ([a, b], [c, d]) = (short(memory)?, bits16(value)?);
                self.put(&[opcode[0], opcode[1], a, b, c, d])
            }
            _ => None,
        }
    }

    /// Encodes an instruction that refers to a place of the code.
    fn branch(&mut self, high: u8, low: u8) -> Option<()> {
        let label = self.parts.label?;
        let first = match self.encoding.register() {
            0 => self.parts.reg(0),
            fixed => fixed,
        };
        let (second, mask) = match self.encoding.form() {
            Form::RiJump | Form::RilJump => (low, JUMP),
            Form::RiBranch | Form::RilBranch => {
                ((self.parts.immediate(1) as u8) << 4 | low, CONDITION)
            }
            Form::RieB | Form::RieC => return self.compare_and_branch(label, low),
            // `LGRL` loads a symbol's address from the global offset table.
            _ if low == 8 && label.as_symbol().is_some() => (first << 4 | low, GLOBAL_TABLE),
            _ if self.encoding.register() != 0 => (first << 4 | low, FUNCTION),
            _ => (first << 4 | low, FAR),
        };
        self.put(&[high, second])?;
        let is_near = matches!(self.encoding.form(), Form::RiJump | Form::RiBranch);
        self.place(label, if is_near { NEAR } else { mask })
    }

    /// Adds the next field: a distance in bytes, or a fixup.
    fn place(&mut self, label: Operand, kind: FixupKind) -> Option<()> {
        let at = self.bytes.len();
        let halves = match label.small() {
            Some(distance) => i64::from(distance >> 1),
            None => {
                self.reference = Some((at, kind, FixupTarget::of(label)?));
                0
            }
        };
        if kind == NEAR {
            self.put(&i16::try_from(halves).ok()?.to_be_bytes())
        } else {
            self.put(&bits32(halves)?)
        }
    }

    /// Encodes a comparison, then a branch; they become one instruction if the target proves to be
    /// near.
    fn compare_and_branch(&mut self, label: Operand, low: u8) -> Option<()> {
        let parts = &self.parts;
        let first = parts.reg(0);
        let registers = first << 4 | parts.reg(1);
        let value = parts.immediate(0);
        let is_immediate = self.encoding.form() == Form::RieC;
        let mask = parts.immediate(usize::from(is_immediate)) as u8 & 15;
        let is_near = label.small().is_some();
        if is_near {
            return self.near_compare_and_branch(label, mask, low);
        }
        match low {
            0x64 => self.put(&[0xB9, 0x20, 0, registers])?,
            0x65 => self.put(&[0xB9, 0x21, 0, registers])?,
            0x76 => self.put(&[0x19, registers])?,
            0x77 => self.put(&[0x15, registers])?,
            0x7C | 0x7E => {
                let opcode = if low == 0x7C { 0xF } else { 0xE };
                let [a, b] = i16::from(i8::try_from(value).ok()?).to_be_bytes();
                self.put(&[0xA7, first << 4 | opcode, a, b])?;
            }
            _ => {
                let opcode = if low == 0x7D { 0xE } else { 0xF };
                let value = u8::try_from(value).ok()?;
                self.put(&[0xC2, first << 4 | opcode, 0, 0, 0, value])?;
            }
        }
        let kind = FixupKind(COMPARISON + self.bytes.len() as u8);
        self.put(&[0xC0, mask << 4 | 4])?;
        self.place(label, kind)
    }

    /// Encodes the single instruction, for a known distance.
    fn near_compare_and_branch(&mut self, label: Operand, mask: u8, low: u8) -> Option<()> {
        let parts = &self.parts;
        let first = parts.reg(0);
        let (second, third) = if self.encoding.form() == Form::RieC {
            (mask, bits8(parts.immediate(0))?)
        } else {
            (parts.reg(1), mask << 4)
        };
        self.put(&[0xEC, first << 4 | second])?;
        self.place(label, NEAR)?;
        self.put(&[third, low])
    }
}

/// Returns the bytes of a compare-and-branch instruction, without the first byte and the distance.
fn joined(bytes: &[u8], mask: u8) -> Option<[u8; 3]> {
    Some(match *bytes {
        [0xB9, opcode, _, registers, ..] => [registers, mask, opcode - 0x20 + 0x64],
        [0x19, registers, ..] => [registers, mask, 0x76],
        [0x15, registers, ..] => [registers, mask, 0x77],
        [0xA7, first, _, value, ..] => {
            let low = if first & 15 == 0xF { 0x7C } else { 0x7E };
            [first & 0xF0 | mask >> 4, value, low]
        }
        [0xC2, first, _, _, _, value, ..] => {
            let low = if first & 15 == 0xE { 0x7D } else { 0x7F };
            [first & 0xF0 | mask >> 4, value, low]
        }
        _ => return None,
    })
}

fn put<const N: usize, E>(bytes: &mut [u8], value: Result<[u8; N], E>) -> bool {
    match (bytes.first_chunk_mut(), value) {
        (Some(place), Ok(value)) => {
            *place = value;
            true
        }
        _ => false,
    }
}

/// `BCR 0,%r7`, which does nothing.
const NOP: [u8; 2] = [0x07, 0x07];
