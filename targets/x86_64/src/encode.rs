//! The bytes of instructions: prefixes, opcode, `ModRM`, SIB, displacement, immediate, in the forms
//! that LLVM chooses.

use super::encoding::{ESCAPE, Encoding, FAR, Form, Immediate, LOCK, NEAR, PREFIXES, WIDE};
use super::insns::INSNS;
use super::isa::Backend;
use super::registers::{self, RIP};
use super::target_flags::GOT;
use mir_nostd::codegen::{Code, Error, FixupKind, FixupTarget, ShortBranch};
use mir_nostd::machine::{Function, Operand, Reg, SymbolId};
use mir_nostd::target::{Encoder, OperandRow};

/// A distance of 8 bits from the end of the field.
const NEAR_FIXUP: FixupKind = FixupKind(0);
/// The first kind of a distance of 32 bits. It counts from the end of the instruction; the number
/// of bytes between the field and that end is added to the kind.
pub(crate) const FAR_FIXUP: u8 = 1;

/// A distance of 32 bits in a `JMP_4`.
pub(crate) const JUMP_FIXUP: FixupKind = FixupKind(16);
/// A distance of 32 bits in a `JCC_4`.
pub(crate) const CONDITION_FIXUP: FixupKind = FixupKind(17);

/// The distance of an entry of the global offset table in a `MOV64rm`.
pub(crate) const TABLE_LOAD_FIXUP: FixupKind = FixupKind(18);
/// The first kind of such a distance in any other instruction; the kinds count as those from
/// [`FAR_FIXUP`] on.
pub(crate) const TABLE_FIXUP: u8 = 19;

impl Encoder for Backend {
    /// Writes one instruction of this row of the table with these operands; returns `None` if it
    /// has no encoding.
    fn encode_row(
        &self,
        code: &mut Code<'_>,
        function: &Function<'_>,
        row: usize,
        operands: &[Operand],
    ) -> Option<Result<(), Error>> {
        let column = COLUMNS.get(row)?;
        let operands = operands.get(..usize::from(column.count))?;
        let insn = Insn::new(function, column, operands)?;
        Some(insn.write(code))
    }

    /// Changes bytes so that they refer to `target`, in bytes from the start of the code. Returns
    /// whether it was in reach.
    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
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

    /// Returns the short form of a jump.
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

    /// Fills bytes with long NOPs.
    fn pad(&self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let len = bytes.len().min(NOPS.len());
            let (now, rest) = bytes.split_at_mut(len);
            if let Some(nop) = NOPS.get(len - 1) {
                now.copy_from_slice(nop);
            }
            bytes = rest;
        }
    }
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

/// The facts about a row that encoding needs, in few bytes: the number of the operand for each
/// field.
#[derive(Clone, Copy)]
struct Column {
    encoding: Encoding,
    /// The operands that are registers, neither tied nor part of an address.
    registers: [u8; 2],
    /// The first operand of the address.
    address: u8,
    immediate: u8,
    label: u8,
    /// The number of operands.
    count: u8,
}

/// The number that stands for no operand.
const ABSENT: u8 = u8::MAX;

/// The columns of all rows.
static COLUMNS: [Column; INSNS.len()] = {
    let mut columns = [Column::new(&[], 0); INSNS.len()];
    let mut number = 0;
    while number < columns.len() {
        let row = &INSNS[number];
        columns[number] = Column::new(row.operands.0, row.encoding);
        number += 1;
    }
    columns
};

impl Column {
    const fn new(operands: &[OperandRow], encoding: u64) -> Column {
        let mut column = Column {
            encoding: Encoding::of(encoding),
            registers: [ABSENT; 2],
            address: ABSENT,
            immediate: ABSENT,
            label: ABSENT,
            count: operands.len() as u8,
        };
        let (mut number, mut count) = (0, 0);
        while number < operands.len() {
            let place = number as u8;
            match operands[number] {
                OperandRow::Def(_) | OperandRow::EarlyDef(_) | OperandRow::Use(_) => {
                    column.registers[count] = place;
                    count += 1;
                }
                OperandRow::Tied(..) => {}
                OperandRow::Address(_) => {
                    column.address = place;
                    number += 4;
                }
                OperandRow::Immediate => column.immediate = place,
                OperandRow::Label => column.label = place,
            }
            number += 1;
        }
        column
    }

    /// Returns the number of one of the registers, as in [`NUMBERS`]; 0 if there is none.
    fn register(&self, place: usize, operands: &[Operand]) -> Option<u8> {
        let number = self.registers[place];
        if number == ABSENT {
            return Some(0);
        }
        let reg = operands.get(usize::from(number))?.as_reg()?;
        NUMBERS.get(usize::from(reg.row()?)).copied()
    }

    /// Returns the address in the operands from [`Column::address`] on.
    fn memory(&self, operands: &[Operand]) -> Option<RmOperand> {
        let operands = operands.get(usize::from(self.address)..)?;
        RmOperand::memory(operands.first_chunk()?)
    }
}

/// The flag of an 8-bit register whose number needs a REX prefix.
const NEEDS_REX: u8 = 0x80;

/// The number of each register, as instructions encode it.
static NUMBERS: [u8; registers::ROWS.len()] = {
    let mut numbers = [0; registers::ROWS.len()];
    let mut row = 0;
    while row < numbers.len() {
        let needs_rex = registers::needs_rex(Reg::physical(row as u16));
        numbers[row] = registers::ROWS[row].encoding | if needs_rex { NEEDS_REX } else { 0 };
        row += 1;
    }
    numbers
};

/// The operand that ModRM.rm refers to.
#[derive(Clone, Copy)]
enum RmOperand {
    /// There is no `ModRM`.
    None,
    Register(u8),
    /// A place relative to the instruction.
    Code(FixupTarget),
    /// The place's entry in the global offset table, relative to the instruction.
    Table(FixupTarget),
    Memory {
        base: Option<u8>,
        index: Option<u8>,
        scale: u8,
        displacement: i32,
    },
}

impl RmOperand {
    fn memory(&[base, scale, index, displacement, _]: &[Operand; 5]) -> Option<RmOperand> {
        let register = |operand: Operand| {
            let reg = operand.as_reg()?;
            Some(match reg.row() {
                Some(row) => Some(*NUMBERS.get(usize::from(row))? & 15),
                None if reg.is_none() => None,
                None => return None,
            })
        };
        if base.as_reg() == Some(RIP) {
            let target = FixupTarget::of(displacement)?;
            return Some(if displacement.target_flag() == GOT {
                RmOperand::Table(target)
            } else {
                RmOperand::Code(target)
            });
        }
        Some(RmOperand::Memory {
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

/// The end of an instruction.
#[derive(Clone, Copy)]
enum Tail {
    Number { value: i64, len: usize },
    Symbol(SymbolId),
    Label(FixupTarget, FixupKind),
}

impl Tail {
    const NONE: Tail = Tail::number(0, 0);

    const fn number(value: i64, len: usize) -> Tail {
        Tail::Number { value, len }
    }

    fn len(&self) -> usize {
        match *self {
            Tail::Number { len, .. } => len,
            Tail::Symbol(_) => 8,
            Tail::Label(_, NEAR_FIXUP) => 1,
            Tail::Label(..) => 4,
        }
    }
}

/// An instruction that is ready to be written.
#[derive(Clone, Copy)]
struct Insn {
    encoding: Encoding,
    opcode: u8,
    /// ModRM.reg, or the register in the opcode.
    reg: u8,
    /// ModRM.rm.
    place: RmOperand,
    tail: Tail,
    needs_rex: bool,
}

impl Insn {
    #[inline]
    fn new(function: &Function<'_>, column: &Column, operands: &[Operand]) -> Option<Insn> {
        let (first, second) = (column.register(0, operands)?, column.register(1, operands)?);
        let needs_rex = (first | second) & NEEDS_REX != 0;
        let (first, second) = (first & 15, second & 15);
        let encoding = column.encoding;
        let (reg, place) = match (encoding.form(), column.address != ABSENT) {
            (Form::Raw, _) => (0, RmOperand::None),
            (Form::PlusReg, _) => (first, RmOperand::None),
            (Form::Digit, true) => (encoding.digit(), column.memory(operands)?),
            (Form::Digit, false) if column.registers[0] == ABSENT => {
                let rm = encoding.rm_without_operand();
                (encoding.digit(), RmOperand::Register(rm))
            }
            (Form::Digit, false) => (encoding.digit(), RmOperand::Register(first)),
            (Form::Rm | Form::Mr, true) => (first, column.memory(operands)?),
            (Form::Rm, false) => (first, RmOperand::Register(second)),
            (Form::Mr, false) => (second, RmOperand::Register(first)),
        };
        let mut insn = Insn {
            encoding,
            opcode: encoding.opcode(),
            reg,
            place,
            tail: Tail::NONE,
            needs_rex,
        };
        if insn.opcode == 0x63 && reg == 0 && matches!(place, RmOperand::Register(0)) {
            // Extending eax into rax has an opcode of its own.
            (insn.opcode, insn.place) = (0x98, RmOperand::None);
        }
        if let Some(&immediate) = operands.get(usize::from(column.immediate)) {
            insn.set_immediate(function, immediate, first)?;
        }
        if let Some(&label) = operands.get(usize::from(column.label)) {
            insn.set_label(label)?;
        }
        Some(insn)
    }

    /// Sets the immediate; `first` is the first register.
    #[inline]
    fn set_immediate(
        &mut self,
        function: &Function<'_>,
        operand: Operand,
        first: u8,
    ) -> Option<()> {
        let kind = self.encoding.immediate_kind();
        if let (Immediate::Bits64, Some(symbol)) = (kind, operand.as_symbol()) {
            self.tail = Tail::Symbol(symbol);
            return Some(());
        }
        if kind == Immediate::None {
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
            Immediate::Short => self.set_short(value, first),
        }
        Some(())
    }

    /// Chooses the shortest form that the immediate allows.
    fn set_short(&mut self, value: i64, first: u8) {
        let is_byte = i8::try_from(value).is_ok();
        let is_accumulator = first == 0 && matches!(self.place, RmOperand::Register(_));
        let is_word = self.encoding.prefix() == 0x66;
        self.tail = Tail::number(value, if is_word { 2 } else { 4 });
        match self.opcode {
            0xC1 if value == 1 => (self.opcode, self.tail) = (0xD1, Tail::NONE),
            0xC1 => self.tail = Tail::number(value, 1),
            0x69 | 0x81 if is_byte => {
                self.opcode |= 2;
                self.tail = Tail::number(value, 1);
            }
            0x81 if is_accumulator => {
                (self.opcode, self.place) = (self.encoding.digit() << 3 | 5, RmOperand::None);
            }
            0xF7 if is_accumulator => (self.opcode, self.place) = (0xA9, RmOperand::None),
            _ => {}
        }
        if matches!(self.place, RmOperand::None) {
            self.reg = 0;
        }
    }

    #[inline]
    fn set_label(&mut self, label: Operand) -> Option<()> {
        let (len, kind) = match self.encoding {
            encoding if encoding.has(NEAR) => (1, NEAR_FIXUP),
            encoding if encoding.has(FAR) && encoding.has(ESCAPE) => (4, CONDITION_FIXUP),
            encoding if encoding.has(FAR) => (4, JUMP_FIXUP),
            _ => return Some(()),
        };
        self.tail = match label.small() {
            Some(distance) => Tail::number(i64::from(distance), len),
            None => Tail::Label(FixupTarget::of(label)?, kind),
        };
        Some(())
    }

    #[inline(always)]
    fn write(&self, code: &mut Code<'_>) -> Result<(), Error> {
        let mut head = Bytes::default();
        self.write_opcode(&mut head);
        let reg = (self.reg & 7) << 3;
        match self.place {
            RmOperand::None => {}
            RmOperand::Register(rm) => head.put(0xC0 | reg | rm & 7),
            RmOperand::Code(target) | RmOperand::Table(target) => {
                head.put(reg | 5);
                return self.write_distance(code, head, target);
            }
            RmOperand::Memory {
                base,
                index,
                scale,
                displacement,
            } => head.put_memory(reg, base, index, scale, displacement),
        }
        self.write_tail(code, head)
    }

    /// Writes the rest of an instruction that refers to a place at a distance from it. The
    /// instruction is a copy, so that others stay in registers.
    #[inline(never)]
    fn write_distance(
        self,
        code: &mut Code<'_>,
        head: Bytes,
        target: FixupTarget,
    ) -> Result<(), Error> {
        head.write(code)?;
        let kind = match self.place {
            RmOperand::Table(_) if self.opcode == 0x8B => TABLE_LOAD_FIXUP,
            RmOperand::Table(_) => FixupKind(TABLE_FIXUP + self.tail.len() as u8),
            _ => FixupKind(FAR_FIXUP + self.tail.len() as u8),
        };
        code.fixup(kind, target)?;
        self.write_tail(code, Bytes::zeros(4))
    }

    /// Writes prefixes and opcode.
    #[inline]
    fn write_opcode(&self, head: &mut Bytes) {
        let in_opcode = self.encoding.form() == Form::PlusReg;
        if self.encoding.has(PREFIXES) {
            if self.encoding.prefix() != 0 {
                head.put(self.encoding.prefix());
            }
            if self.encoding.has(LOCK) {
                head.put(0xF0);
            }
        }
        let (base, index) = match self.place {
            RmOperand::Register(rm) => (rm, 0),
            RmOperand::Memory { base, index, .. } => (base.unwrap_or(0), index.unwrap_or(0)),
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

    /// Writes the tail of the instruction after the bytes in `rest`.
    #[inline(always)]
    fn write_tail(&self, code: &mut Code<'_>, mut rest: Bytes) -> Result<(), Error> {
        match self.tail {
            Tail::Number { value, len } => rest.put_last(value, len),
            Tail::Symbol(symbol) => {
                rest.write(code)?;
                code.relocation(symbol, 0)?;
                rest = Bytes::zeros(8);
            }
            Tail::Label(target, kind) => {
                rest.write(code)?;
                code.fixup(kind, target)?;
                rest = Bytes::zeros(self.tail.len());
            }
        }
        rest.write(code)
    }
}

/// The bytes of an instruction, or a part of them, at most 15: up to seven bytes, which end in
/// `ModRM` and SIB, and then the numbers. They are collected in registers, as many small stores
/// that one large load reads back would have to wait for each other.
#[derive(Default)]
struct Bytes {
    head: u64,
    /// The number of bytes in `head`.
    len: usize,
    /// The displacement and the immediate.
    numbers: u64,
    /// The number of bytes in `numbers`.
    numbers_len: usize,
}

impl Bytes {
    fn zeros(len: usize) -> Bytes {
        Bytes {
            numbers_len: len,
            ..Bytes::default()
        }
    }

    #[inline(always)]
    fn put(&mut self, byte: u8) {
        self.head |= u64::from(byte) << ((8 * self.len) & 63);
        self.len += 1;
    }

    /// Appends the first `len` bytes of the last number; what its other bytes are does not matter.
    #[inline(always)]
    fn put_last(&mut self, value: i64, len: usize) {
        self.numbers |= value.cast_unsigned() << ((8 * self.numbers_len) & 63);
        self.numbers_len += len;
    }

    #[inline(always)]
    fn write(&self, code: &mut Code<'_>) -> Result<(), Error> {
        let shift = (8 * self.len) & 63;
        let low = self.head | self.numbers << shift;
        let high = self.numbers >> 1 >> (63 - shift);
        let bytes = u128::from(high) << 64 | u128::from(low);
        Ok(code.put_first(&bytes.to_le_bytes(), self.len + self.numbers_len)?)
    }

    /// Appends `ModRM`, SIB and displacement.
    #[inline(always)]
    fn put_memory(
        &mut self,
        reg: u8,
        base: Option<u8>,
        index: Option<u8>,
        scale: u8,
        displacement: i32,
    ) {
        let far = u64::from(displacement.cast_unsigned());
        let (size, number) = match (base, displacement) {
            (None, _) => (4, far),
            // rbp and r13 without displacement have another meaning.
            (Some(base), 0) if base & 7 != 5 => (0, 0),
            _ if i8::try_from(displacement).is_ok() => (1, far & 0xFF),
            _ => (4, far),
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
        (self.numbers, self.numbers_len) = (number, size);
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
