//! The program's own stack: variables whose address is taken, copies of blocks, `alloca`.
//!
//! The stack pointer is a word of the host's, an address of the program between the lowest of its
//! stack and the end of its memory, always a multiple of 16. A function that needs room takes it at
//! its entry and gives it back where it returns. One that calls another takes some in any case, in
//! proportion to its variables: so how deep calls may go is the same in every engine, and the
//! native stack or the interpreter's holds what so many calls need.

use super::{Body, Rewriter, raw};
use crate::ir::{Code, FaultKind, FuncId, InsnId, Operand, Reg, Register, Result, Type};
use crate::mem::{Entity, Vec};

/// The bytes that a function takes which calls others, besides those for its variables.
const CALL_BYTES: u64 = 128;

/// The bytes that it takes for each variable.
const VARIABLE_BYTES: u64 = 8;

/// The use of the stack by a function.
pub(super) struct Frame<'m> {
    /// The bytes taken at the entry.
    bytes: u64,
    /// The place of each old variable in the frame.
    slots: Vec<'m, Option<i64>>,
    /// The place of each block argument's copy, by argument.
    blocks: Vec<'m, (u32, u64, i64)>,
    /// The variable with the host's address of the frame, or with more: see
    /// [`super::Environment::bias`].
    pub(super) pointer: Reg,
    /// The variable with the program's address of the frame; the same as `pointer` unless the code
    /// is made ahead, where the distance between the two is not known.
    address: Reg,
    /// True if the frame has places, so that its address is needed.
    has_places: bool,
    /// True if `alloca` or `bend` move the stack pointer.
    is_dynamic: bool,
    /// For each old variable, true if its upper half may be read.
    pub(super) whole: Vec<'m, bool>,
    /// Variables that may be read before they are written.
    undefined: Vec<'m, Reg>,
}

impl<'m> Frame<'m> {
    /// Looks at a function and decides what lies in its frame.
    pub(super) fn plan(rewriter: &mut Rewriter<'_, 'm>, func: FuncId) -> Result<Frame<'m>> {
        let (name, ty, hard_reg) = (rewriter.nameless, Type::I64, None);
        let register = Register { name, ty, hard_reg };
        let pointer = rewriter.new.push_register(func, register)?;
        let address = match rewriter.environment.is_ahead() {
            true => rewriter.new.push_register(func, register)?,
            false => pointer,
        };
        let allocator = rewriter.allocator();
        let mut frame = Frame {
            bytes: 0,
            slots: Vec::new(allocator),
            blocks: Vec::new(allocator),
            pointer,
            address,
            has_places: false,
            is_dynamic: false,
            whole: super::widths::read_whole(&rewriter.placed.module, func)?,
            undefined: Vec::new(allocator),
        };
        let old = &rewriter.placed.module;
        let function = old.func(func);
        frame.slots.resize(function.registers().len(), None)?;
        let mut calls = false;
        for insn in old.insns(func) {
            match old.code(insn) {
                Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => {
                    if let Some(Operand::Reg(reg)) = old.operand(insn, 1) {
                        frame.take_slot(reg);
                    }
                }
                Code::Call | Code::Inline => calls = true,
                Code::Alloca | Code::Bstart | Code::Bend => frame.is_dynamic = true,
                _ => {}
            }
        }
        for (number, arg) in (0..).zip(old.args(&function.signature)) {
            if arg.ty.is_block() && arg.ty != Type::Rblk {
                let place = frame.take(arg.size);
                frame.blocks.push((number, arg.size, place))?;
            }
        }
        frame.has_places = frame.bytes > 0;
        if calls {
            let variables = function.registers().len() as u64;
            let reserve = CALL_BYTES + VARIABLE_BYTES * variables;
            frame.bytes = frame.bytes.saturating_add(reserve.next_multiple_of(16));
        }
        frame.find_undefined(rewriter, func)?;
        Ok(frame)
    }

    /// Takes bytes of the frame; returns their offset, which only matters where the frame fits.
    fn take(&mut self, bytes: u64) -> i64 {
        let place = self.bytes.cast_signed();
        let end = self.bytes.saturating_add(bytes).saturating_add(15) & !15;
        self.bytes = end.min(1 << 40);
        place
    }

    fn take_slot(&mut self, reg: Reg) {
        if matches!(self.slots.get(reg.index()), Some(None)) {
            let place = self.take(16);
            self.slots[reg.index()] = Some(place);
        }
    }

    /// Returns the offset of a variable in the frame, if it is there.
    pub(super) fn slot(&self, old: Reg) -> Option<i64> {
        self.slots.get(old.index()).copied().flatten()
    }

    /// True if the stack pointer is moved by the function.
    const fn is_needed(&self) -> bool {
        self.bytes > 0 || self.is_dynamic
    }

    /// Finds the variables that may be read before they are written and are not in the frame.
    fn find_undefined(&mut self, rewriter: &Rewriter<'_, 'm>, func: FuncId) -> Result<()> {
        let old = &rewriter.placed.module;
        let vararg = u32::from(old.func(func).signature.is_vararg());
        for &reg in &super::undefined::find(old, func)? {
            if self.slots[reg.index()].is_none() {
                self.undefined.push(Reg::new(reg.number() + vararg))?;
            }
        }
        Ok(())
    }
}

impl Body<'_, '_, '_> {
    /// Emits the entry: the frame, copies of blocks, variables that may be read before they are
    /// written.
    pub(super) fn enter(&mut self) -> Result<()> {
        let base = self.memory()?;
        self.emit(Code::Mov, (self.base, base))?;
        if self.frame.bytes > 0 {
            let top = match self.environment().is_ahead() {
                true => self.frame.address,
                false => self.temporary(Type::I64)?,
            };
            self.take_stack(top, self.frame.bytes.cast_signed().into())?;
            if self.frame.has_places || self.frame.is_dynamic {
                let distance = self.distance();
                self.emit(Code::Add, (self.frame.pointer, top, distance))?;
            }
        } else if self.frame.is_dynamic {
            // Nothing lies in the frame: ahead only its address in the program matters.
            let top = self.stack_pointer();
            let difference = self.difference();
            self.emit(Code::Add, (self.frame.address, top, difference))?;
        }
        for number in 0..self.frame.undefined.len() {
            let reg = self.frame.undefined[number];
            let ty = self.module.new.func(self.func).registers()[reg.index()].ty;
            self.copy(ty, reg, Operand::zero(ty))?;
        }
        self.copy_arguments()
    }

    /// Moves arguments whose address is taken to the frame, and copies blocks there.
    fn copy_arguments(&mut self) -> Result<()> {
        let count = self.old().func(self.func).arg_count();
        for number in 0..self.frame.blocks.len() {
            self.used = [0; 4];
            let (argument, bytes, place) = self.frame.blocks[number];
            let reg = Reg::new(argument);
            let bias = self.environment().bias();
            let to = self.binary(Code::Add, self.frame.pointer, place + bias)?;
            self.copy_block(to.into(), reg.into(), bytes)?;
            let difference = self.difference();
            self.emit(Code::Add, (reg, self.frame.address, place - difference))?;
        }
        for number in 0..count as u32 {
            let reg = Reg::new(number);
            if let Some(offset) = self.frame.slot(reg) {
                let ty = self.module.new.func(self.func).registers()[number as usize].ty;
                let offset = offset + self.environment().bias();
                let slot = raw(ty, Some(self.frame.pointer), offset);
                self.copy(ty, slot, reg)?;
            }
        }
        Ok(())
    }

    /// Returns the host's address of the program's memory.
    fn memory(&mut self) -> Result<Operand> {
        #[cfg(feature = "ahead")]
        if self.environment().is_ahead {
            return Ok(self
                .module
                .new
                .import(super::super::symbols::MEMORY)?
                .into());
        }
        Ok(self.environment().base.cast_signed().into())
    }

    /// Returns what is added to an address of the program's memory to get the host's, or to one
    /// that is so much above it as [`super::Environment::bias`] says.
    pub(super) fn distance(&self) -> Operand {
        match self.environment().is_ahead() {
            true => self.base.into(),
            false => self.difference().into(),
        }
    }

    /// Returns how far [`Frame::address`] is above the program's address.
    fn difference(&self) -> i64 {
        if self.environment().is_ahead() {
            return 0;
        }
        let first = super::super::FIRST_ADDRESS;
        self.environment().base.wrapping_sub(first).cast_signed()
    }

    /// Returns the word with the stack pointer.
    fn stack_pointer(&self) -> Operand {
        self.word(core::mem::offset_of!(
            super::super::space::Words,
            stack_pointer
        ))
    }

    /// Emits code that takes bytes of the stack, a multiple of 16, and assigns the new stack
    /// pointer, an address of the program, to `top`.
    pub(super) fn take_stack(&mut self, top: Reg, bytes: Operand) -> Result<()> {
        let word = self.stack_pointer();
        self.emit(Code::Mov, (top, word))?;
        let low = self.environment().stack_low.cast_signed();
        match bytes {
            // The distance from the lowest address afterwards has both a least and a greatest value
            // then, from which it follows that accesses to what was taken are inside.
            Operand::Int(bytes) => {
                let high = super::super::FIRST_ADDRESS + (self.environment().bytes & !15);
                let room = high.wrapping_sub(self.environment().stack_low);
                let most = room.checked_sub(bytes.cast_unsigned());
                let left = self.binary(Code::Sub, top, low.wrapping_add(bytes))?;
                let limit = most.map_or(0, |most| most.cast_signed() + 1);
                self.ensure(left, limit, FaultKind::Stack, 0)?;
            }
            _ => {
                let room = self.binary(Code::Sub, top, low - 1)?;
                self.ensure(bytes, room, FaultKind::Stack, 0)?;
            }
        }
        self.emit(Code::Sub, (top, top, bytes))?;
        self.emit(Code::Mov, (word, top))
    }

    /// Emits code that gives back bytes that were taken last.
    pub(super) fn give_back(&mut self, bytes: i64) -> Result<()> {
        let word = self.stack_pointer();
        let top = self.binary(Code::Add, word, bytes)?;
        self.emit(Code::Mov, (word, top))
    }

    pub(super) fn ret(&mut self, insn: InsnId) -> Result<()> {
        let signature = self.old().func(self.func).signature;
        let count = self.old().results(&signature).len();
        let mut values = crate::mem::Vec::new(self.module.allocator());
        for operand in self.operands(insn)?.iter().take(count).copied() {
            values.push(self.value(operand)?)?;
        }
        if self.frame.is_dynamic {
            let bytes = self.frame.bytes.cast_signed() - self.difference();
            let top = self.binary(Code::Add, self.frame.address, bytes)?;
            let word = self.stack_pointer();
            self.emit(Code::Mov, (word, top))?;
        } else if self.frame.is_needed() {
            self.give_back(self.frame.bytes.cast_signed())?;
        }
        self.emit(Code::Ret, &values[..])
    }

    pub(super) fn address_of(&mut self, insn: InsnId, code: Code) -> Result<()> {
        let operands = self.operands(insn)?;
        let (Some(&to), Some(&Operand::Reg(variable))) = (operands.first(), operands.get(1)) else {
            return Err(crate::ir::Problem::OperandCount.into());
        };
        let offset = match code {
            _ if !self.environment().target.big_endian => 0,
            Code::Addr8 => 7,
            Code::Addr16 => 6,
            Code::Addr32 => 4,
            _ => 0,
        };
        let place = self.frame.slot(variable).unwrap_or(0) + offset;
        let address = place - self.difference();
        let value = self.binary(Code::Add, self.frame.address, address)?;
        self.set(to, Type::I64, value.into())
    }

    /// Emits code that assigns a value to an old output operand.
    pub(super) fn set(&mut self, to: Operand, ty: Type, value: Operand) -> Result<()> {
        let to = match to {
            Operand::Mem(mem) => self.access(mem, crate::link::Access::Write)?,
            _ => self.value(to)?,
        };
        self.copy(ty, to, value)
    }

    pub(super) fn alloca(&mut self, insn: InsnId) -> Result<()> {
        let operands = self.operands(insn)?;
        let bytes = match operands[1] {
            Operand::Int(bytes) => rounded(bytes.max(1).cast_unsigned()),
            Operand::Uint(bytes) => rounded(bytes.cast_signed().max(1).cast_unsigned()),
            bytes => self.computed_bytes(bytes)?,
        };
        let top = self.temporary(Type::I64)?;
        self.take_stack(top, bytes)?;
        self.set(operands[0], Type::I64, top.into())
    }

    /// Emits code that brings a number of bytes to what is taken: at least 1, rounded up. One that
    /// is too large to be rounded becomes 2^63, for which there is no room.
    fn computed_bytes(&mut self, bytes: Operand) -> Result<Operand> {
        let bytes = self.value(bytes)?;
        let is_less = self.binary(Code::Lt, bytes, 1)?;
        let mask = self.binary(Code::Sub, is_less, 1)?;
        let counted = self.binary(Code::And, bytes, mask)?;
        let least = self.binary(Code::Add, counted, is_less)?;
        let sum = self.binary(Code::Add, least, 15)?;
        Ok(self.binary(Code::And, sum, -16)?.into())
    }

    pub(super) fn block_start(&mut self, insn: InsnId) -> Result<()> {
        let operands = self.operands(insn)?;
        let top = self.temporary(Type::I64)?;
        let word = self.stack_pointer();
        self.emit(Code::Mov, (top, word))?;
        self.set(operands[0], Type::I64, top.into())
    }

    /// Sets the stack pointer back to what `bstart` gave: to an address between the stack pointer
    /// and the function's frame.
    pub(super) fn block_end(&mut self, insn: InsnId) -> Result<()> {
        let operands = self.operands(insn)?;
        // The checked address is the one stored, also where the variable is in the frame.
        let to = self.value(operands[0])?;
        let to = self.in_operand(to)?;
        let difference = self.difference();
        let word = self.stack_pointer();
        let low = self.environment().stack_low.cast_signed();
        let room = self.binary(Code::Sub, self.frame.address, difference - 1 + low)?;
        let distance = self.binary(Code::Sub, to, low)?;
        self.ensure(distance, room, FaultKind::Stack, 0)?;
        let end = self.binary(Code::Add, to, 1)?;
        self.ensure(word, end, FaultKind::Stack, 0)?;
        let low = self.binary(Code::And, to, 15)?;
        self.ensure(low, 1, FaultKind::Stack, 0)?;
        self.emit(Code::Mov, (word, to))
    }
}

/// Returns a constant number of bytes, rounded up to a multiple of 16; 2^63 if that is too large.
fn rounded(bytes: u64) -> Operand {
    let rounded = bytes.checked_next_multiple_of(16).unwrap_or(1 << 63);
    Operand::Int(rounded.cast_signed())
}
