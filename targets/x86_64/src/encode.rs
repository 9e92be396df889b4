//! Bytes of instructions: prefixes, opcode, `ModRM`, SIB, displacement, immediate, in LLVM's choice of forms.

use super::encoding::{ESCAPE, Encoding, FAR, Form, Immediate, NEAR, WIDE};
use super::isa::GOT;
use super::regs::{self, RAX, RIP};
use mir_nostd::codegen::{Code, Error, FixupKind, FixupTarget, ShortBranch};
use mir_nostd::machine::{Function, Operand, Reg, SymbolId};
use mir_nostd::target::{Elf, ElfRelocation, InsnRow, OperandRow};

/// A distance of 8 bits from the end of the field.
const NEAR_FIXUP: FixupKind = FixupKind(0);
/// A distance of 32 bits, counted from as many bytes behind the end of the field as the kind is greater than this.
const FAR_FIXUP: u8 = 1;

/// As above, at the end of a `JMP_4`.
const JUMP_FIXUP: FixupKind = FixupKind(16);
/// At the end of a `JCC_4`.
const CONDITION_FIXUP: FixupKind = FixupKind(17);

/// The distance of an entry of the global offset table, at the end of a `MOV64rm`.
const TABLE_LOAD_FIXUP: FixupKind = FixupKind(18);
/// The same in any other instruction, counted as from [`FAR_FIXUP`] on.
const TABLE_FIXUP: u8 = 19;

/// A distance, counted from the end of an instruction that goes on this many bytes behind the field.
const fn distance(number: u32, behind: i64) -> [ElfRelocation; 1] {
    [ElfRelocation::new(number, -4 - behind)]
}

/// One for each length of what is behind, up to 4.
const fn distances(number: u32) -> [[ElfRelocation; 1]; 5] {
    [
        distance(number, 0),
        distance(number, 1),
        distance(number, 2),
        distance(number, 3),
        distance(number, 4),
    ]
}

const R_X86_64_64: u32 = 1;
const R_X86_64_PC32: u32 = 2;
const R_X86_64_PLT32: u32 = 4;
const R_X86_64_GOTPCREL: u32 = 9;
const R_X86_64_REX_GOTPCRELX: u32 = 42;

/// What objects are made of.
pub(crate) static ELF: Elf = Elf {
    machine: 62,
    flags: 0,
    address: R_X86_64_64,
    distance: R_X86_64_PC32,
    relocations,
    return_address: 16,
    entry_cfa_offset: 8,
    function_other: 0,
    behind: &[],
    trap: &[0x0F, 0x0B],
    landing_pads: Some((GNU_PROPERTY_X86_FEATURE_1_AND, 1)),
};

// Bit 0: indirect branch tracking.
const GNU_PROPERTY_X86_FEATURE_1_AND: u32 = 0xC000_0002;

fn relocations(kind: FixupKind) -> &'static [ElfRelocation] {
    static DISTANCES: [[ElfRelocation; 1]; 5] = distances(R_X86_64_PC32);
    static TABLES: [[ElfRelocation; 1]; 5] = distances(R_X86_64_GOTPCREL);
    static JUMP: [ElfRelocation; 1] = distance(R_X86_64_PLT32, 0);
    static TABLE_LOAD: [ElfRelocation; 1] = distance(R_X86_64_REX_GOTPCRELX, 0);
    let (list, first) = match kind {
        JUMP_FIXUP | CONDITION_FIXUP => return &JUMP,
        TABLE_LOAD_FIXUP => return &TABLE_LOAD,
        FixupKind(number) if number >= TABLE_FIXUP => (&TABLES, TABLE_FIXUP),
        _ => (&DISTANCES, FAR_FIXUP),
    };
    let behind = kind.0.checked_sub(first);
    let found = behind.and_then(|behind| list.get(usize::from(behind)));
    found.map_or(&[], |found| found)
}

/// The short form of a jump.
pub(crate) fn short_branch(kind: FixupKind, code: &[u8], at: u32) -> Option<ShortBranch> {
    let (before, first) = match kind {
        JUMP_FIXUP => (1, 0xEB),
        CONDITION_FIXUP => (2, 0x70 | code.get(at as usize - 1)? & 15),
        _ => return None,
    };
    Some(ShortBranch {
        before,
        behind: 4,
        bytes: [first, 0, 0, 0, 0, 0, 0, 0],
        len: 2,
        place: 1,
        kind: NEAR_FIXUP,
    })
}

/// Writes one instruction with these operands; `None` if it has no encoding.
pub(crate) fn encode(
    code: &mut Code<'_>,
    function: &Function<'_>,
    row: &InsnRow,
    operands: &[Operand],
) -> Option<Result<(), Error>> {
    let parts = Parts::new(row, operands)?;
    let insn = Insn::new(function, Encoding::of(row.encoding), &parts)?;
    Some(insn.write(code))
}

/// Changes bytes so that they refer to what is `target` bytes from the start of the code; whether it was in reach.
pub(crate) fn patch(bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
    let place = i64::from(place);
    if kind == NEAR_FIXUP {
        let distance = i8::try_from(target - place - 1);
        return put(bytes, distance.map(i8::to_le_bytes));
    }
    let behind = match kind {
        JUMP_FIXUP | CONDITION_FIXUP => 0,
        kind => i64::from(kind.0.wrapping_sub(FAR_FIXUP)),
    };
    let distance = i32::try_from(target - place - 4 - behind);
    put(bytes, distance.map(i32::to_le_bytes))
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

/// The operands of an instruction, sorted by what encoding does with them.
#[derive(Default)]
struct Parts {
    regs: [Option<Reg>; 2],
    count: usize,
    memory: Option<[Operand; 5]>,
    immediate: Option<Operand>,
    label: Option<Operand>,
    /// Whether an 8-bit register is there that only a REX prefix names.
    needs_rex: bool,
}

impl Parts {
    fn new(row: &InsnRow, operands: &[Operand]) -> Option<Parts> {
        let mut parts = Parts::default();
        let mut number = 0;
        while let Some(kind) = row.operands.get(number) {
            let operand = *operands.get(number)?;
            match kind {
                OperandRow::Def(_) | OperandRow::EarlyDef(_) | OperandRow::Use(_) => {
                    let reg = operand.as_reg().filter(|reg| reg.is_physical())?;
                    *parts.regs.get_mut(parts.count)? = Some(reg);
                    parts.count += 1;
                    parts.needs_rex |= regs::needs_rex(reg);
                }
                OperandRow::Tied(..) => {}
                OperandRow::Address(_) => {
                    let memory = operands.get(number..number + 5)?;
                    parts.memory = memory.try_into().ok();
                    number += 4;
                }
                OperandRow::Immediate => parts.immediate = Some(operand),
                OperandRow::Label => parts.label = Some(operand),
            }
            number += 1;
        }
        Some(parts)
    }

    /// The register or memory that ModRM.rm refers to, register `number` if there is no memory.
    fn place(&self, number: usize) -> Option<Place> {
        match self.memory {
            Some(memory) => Place::memory(memory),
            None => Some(Place::Register(encoding(self.reg(number)?))),
        }
    }

    fn reg(&self, number: usize) -> Option<Reg> {
        *self.regs.get(number)?
    }
}

fn encoding(reg: Reg) -> u8 {
    regs::FILE.row(reg).encoding
}

/// What ModRM.rm refers to.
#[derive(Clone, Copy)]
enum Place {
    Register(u8),
    /// Relative to the instruction.
    Code(FixupTarget),
    /// The entry of the global offset table for it, relative to the instruction.
    Table(FixupTarget),
    Memory {
        base: Option<u8>,
        index: Option<u8>,
        scale: u8,
        displacement: i32,
    },
}

impl Place {
    fn memory([base, scale, index, displacement, _]: [Operand; 5]) -> Option<Place> {
        let register = |operand: Operand| {
            let reg = operand.as_reg().filter(|reg| reg.vreg().is_none())?;
            Some((!reg.is_none()).then(|| encoding(reg)))
        };
        if base.as_reg() == Some(RIP) {
            let target = target(displacement)?;
            return Some(if displacement.target_flag() == GOT {
                Place::Table(target)
            } else {
                Place::Code(target)
            });
        }
        Some(Place::Memory {
            base: register(base)?,
            index: register(index)?.filter(|&index| index != 4),
            scale: match scale.small()? {
                1 => 0,
                2 => 1,
                4 => 2,
                8 => 3,
                _ => return None,
            },
            displacement: displacement.small()?,
        })
    }
}

fn target(operand: Operand) -> Option<FixupTarget> {
    (operand.as_block().map(FixupTarget::Block))
        .or_else(|| operand.as_constant().map(FixupTarget::Constant))
        .or_else(|| operand.as_table().map(FixupTarget::Table))
        .or_else(|| operand.as_symbol().map(FixupTarget::Symbol))
}

/// What comes at the end of an instruction.
enum Tail {
    None,
    Number { bytes: [u8; 8], len: usize },
    Symbol(SymbolId),
    Label(FixupTarget, FixupKind),
}

impl Tail {
    fn number(value: i64, len: usize) -> Tail {
        Tail::Number {
            bytes: value.to_le_bytes(),
            len,
        }
    }

    fn len(&self) -> usize {
        match *self {
            Tail::None => 0,
            Tail::Number { len, .. } => len,
            Tail::Symbol(_) => 8,
            Tail::Label(_, NEAR_FIXUP) => 1,
            Tail::Label(..) => 4,
        }
    }
}

/// An instruction ready to be written.
struct Insn {
    encoding: Encoding,
    opcode: u8,
    /// ModRM.reg, or the register in the opcode.
    reg: u8,
    /// ModRM.rm.
    place: Option<Place>,
    tail: Tail,
    needs_rex: bool,
}

impl Insn {
    fn new(function: &Function<'_>, column: Encoding, parts: &Parts) -> Option<Insn> {
        let first = parts.reg(0).map(encoding);
        let (reg, place) = match column.form() {
            Form::Raw => (0, None),
            Form::PlusReg => (first?, None),
            Form::Digit if parts.count == 0 && parts.memory.is_none() => {
                let rm = column.rm_without_operand();
                (column.digit(), Some(Place::Register(rm)))
            }
            Form::Digit => (column.digit(), Some(parts.place(0)?)),
            Form::Rm => (first?, Some(parts.place(1)?)),
            Form::Mr if parts.memory.is_some() => (first?, Some(parts.place(0)?)),
            Form::Mr => (parts.reg(1).map(encoding)?, Some(parts.place(0)?)),
        };
        let mut insn = Insn {
            encoding: column,
            opcode: column.opcode(),
            reg,
            place,
            tail: Tail::None,
            needs_rex: parts.needs_rex,
        };
        if insn.opcode == 0x63 && reg == 0 && matches!(place, Some(Place::Register(0))) {
            // Extending eax into rax has an opcode of its own.
            (insn.opcode, insn.place) = (0x98, None);
        }
        insn.set_immediate(function, parts)?;
        insn.set_label(parts)?;
        Some(insn)
    }

    fn set_immediate(&mut self, function: &Function<'_>, parts: &Parts) -> Option<()> {
        let kind = self.encoding.immediate_kind();
        if kind == Immediate::None {
            return Some(());
        }
        let operand = parts.immediate?;
        if let (Immediate::Bits64, Some(symbol)) = (kind, operand.as_symbol()) {
            self.tail = Tail::Symbol(symbol);
            return Some(());
        }
        let value = function.immediate(operand)?;
        match kind {
            Immediate::None => {}
            Immediate::Bits8 => self.tail = Tail::number(value, 1),
            Immediate::Bits16 => self.tail = Tail::number(value, 2),
            Immediate::Bits32 => self.tail = Tail::number(value, 4),
            Immediate::Bits64 => self.tail = Tail::number(value, 8),
            Immediate::Condition => self.opcode |= value as u8 & 15,
            Immediate::Short => self.set_short(value, parts),
        }
        Some(())
    }

    /// Takes the shortest form that the immediate allows.
    fn set_short(&mut self, value: i64, parts: &Parts) {
        let is_byte = i8::try_from(value).is_ok();
        let is_accumulator = parts
            .reg(0)
            .is_some_and(|reg| encoding(reg) == encoding(RAX));
        self.tail = Tail::number(value, 4);
        match self.opcode {
            0xC1 if value == 1 => (self.opcode, self.tail) = (0xD1, Tail::None),
            0xC1 => self.tail = Tail::number(value, 1),
            0x69 | 0x81 if is_byte => {
                self.opcode |= 2;
                self.tail = Tail::number(value, 1);
            }
            0x81 if is_accumulator => {
                (self.opcode, self.place) = (self.encoding.digit() << 3 | 5, None);
            }
            0xF7 if is_accumulator => (self.opcode, self.place) = (0xA9, None),
            _ => {}
        }
        if self.place.is_none() {
            self.reg = 0;
        }
    }

    fn set_label(&mut self, parts: &Parts) -> Option<()> {
        let (len, kind) = match self.encoding {
            encoding if encoding.has(NEAR) => (1, NEAR_FIXUP),
            encoding if encoding.has(FAR) && encoding.has(ESCAPE) => (4, CONDITION_FIXUP),
            encoding if encoding.has(FAR) => (4, JUMP_FIXUP),
            _ => return Some(()),
        };
        let label = parts.label?;
        self.tail = match label.small() {
            Some(distance) => Tail::number(i64::from(distance), len),
            None => Tail::Label(target(label)?, kind),
        };
        Some(())
    }

    fn write(&self, code: &mut Code<'_>) -> Result<(), Error> {
        let mut head = Bytes::default();
        self.write_opcode(&mut head);
        let Some(place) = self.place else {
            return self.write_tail(code, head);
        };
        let reg = (self.reg & 7) << 3;
        match place {
            Place::Register(rm) => head.put(0xC0 | reg | rm & 7),
            Place::Code(target) | Place::Table(target) => {
                head.put(reg | 5);
                head.write(code)?;
                let kind = match place {
                    Place::Table(_) if self.opcode == 0x8B => TABLE_LOAD_FIXUP,
                    Place::Table(_) => FixupKind(TABLE_FIXUP + self.tail.len() as u8),
                    _ => FixupKind(FAR_FIXUP + self.tail.len() as u8),
                };
                code.fixup(kind, target)?;
                let mut distance = Bytes::default();
                distance.put_all([0; 8], 4);
                return self.write_tail(code, distance);
            }
            Place::Memory {
                base,
                index,
                scale,
                displacement,
            } => head.put_memory(reg, base, index, scale, displacement),
        }
        self.write_tail(code, head)
    }

    /// Prefixes and opcode.
    fn write_opcode(&self, head: &mut Bytes) {
        let in_opcode = self.encoding.form() == Form::PlusReg;
        if self.encoding.prefix() != 0 {
            head.put(self.encoding.prefix());
        }
        let (base, index) = match self.place {
            Some(Place::Register(rm)) => (rm, 0),
            Some(Place::Memory { base, index, .. }) => (base.unwrap_or(0), index.unwrap_or(0)),
            _ if in_opcode => (self.reg, 0),
            _ => (0, 0),
        };
        let reg = if in_opcode { 0 } else { self.reg };
        let wide = u8::from(self.encoding.has(WIDE)) << 3;
        let rex = wide | (reg & 8) >> 1 | (index & 8) >> 2 | (base & 8) >> 3;
        if rex != 0 || self.needs_rex {
            head.put(0x40 | rex);
        }
        if self.encoding.has(ESCAPE) {
            head.put(0x0F);
        }
        head.put(self.opcode | if in_opcode { self.reg & 7 } else { 0 });
    }

    /// Writes the end of the instruction behind what is not written yet.
    fn write_tail(&self, code: &mut Code<'_>, mut rest: Bytes) -> Result<(), Error> {
        match self.tail {
            Tail::None => {}
            Tail::Number { bytes, len } => rest.put_all(bytes, len),
            Tail::Symbol(_) | Tail::Label(..) => {
                rest.write(code)?;
                rest = Bytes::default();
                rest.put_all([0; 8], self.tail.len());
                match self.tail {
                    Tail::Symbol(symbol) => code.relocation(symbol, 0)?,
                    Tail::Label(target, kind) => code.fixup(kind, target)?,
                    _ => {}
                }
            }
        }
        rest.write(code)
    }
}

/// The bytes of an instruction, or a part of them: at most 15, and room behind them.
#[derive(Default)]
struct Bytes {
    bytes: [u8; 24],
    len: usize,
}

impl Bytes {
    fn put(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    /// The first `len` bytes.
    fn put_all(&mut self, bytes: [u8; 8], len: usize) {
        let rest = self.bytes.get_mut(self.len..);
        if let Some(place) = rest.and_then(|rest| rest.first_chunk_mut()) {
            *place = bytes;
            self.len += len;
        }
    }

    fn write(&self, code: &mut Code<'_>) -> Result<(), Error> {
        Ok(code.put_first(&self.bytes, self.len)?)
    }

    /// `ModRM`, SIB and displacement.
    fn put_memory(
        &mut self,
        reg: u8,
        base: Option<u8>,
        index: Option<u8>,
        scale: u8,
        displacement: i32,
    ) {
        let size = match (base, displacement) {
            (None, _) => 4,
            // rbp and r13 without displacement mean something else.
            (Some(base), 0) if base & 7 != 5 => 0,
            _ if i8::try_from(displacement).is_ok() => 1,
            _ => 4,
        };
        let mode = match (base, size) {
            (None, _) | (_, 0) => 0,
            (_, 1) => 0x40,
            _ => 0x80,
        };
        match (base, index) {
            // rsp and r12 as a base need a SIB byte.
            (Some(base), None) if base & 7 != 4 => self.put(mode | reg | base & 7),
            _ => {
                self.put(mode | reg | 4);
                let index = index.unwrap_or(4);
                self.put(scale << 6 | (index & 7) << 3 | base.unwrap_or(5) & 7);
            }
        }
        self.put_all(i64::from(displacement).to_le_bytes(), size);
    }
}

/// NOPs of 1 to 10 bytes: those that the manual recommends, and one with a further prefix.
const NOPS: [&[u8]; 10] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0F, 0x1F, 0x00],
    &[0x0F, 0x1F, 0x40, 0x00],
    &[0x0F, 0x1F, 0x44, 0x00, 0x00],
    &[0x66, 0x0F, 0x1F, 0x44, 0x00, 0x00],
    &[0x0F, 0x1F, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x2E, 0x0F, 0x1F, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

/// Fills bytes with long NOPs.
pub(crate) fn pad(mut bytes: &mut [u8]) {
    while !bytes.is_empty() {
        let len = bytes.len().min(NOPS.len());
        let (now, rest) = bytes.split_at_mut(len);
        if let Some(nop) = NOPS.get(len - 1) {
            now.copy_from_slice(nop);
        }
        bytes = rest;
    }
}
