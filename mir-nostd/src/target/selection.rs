//! The selection of one generic instruction, as far as it is the same for all backends.

use super::emitter::MAX_OPERANDS;
use super::{Emitter, Error, GenericInsn};
use crate::ir::Order;
use crate::machine::{Bank, Generic, LowType, Opcode, Operand, Reg};
use core::ops::DerefMut;

/// A generic instruction for which target instructions are emitted. The selector of a backend
/// wraps it and dereferences to it.
#[derive(Debug)]
pub struct Selection<'s, 'f, 'm> {
    /// The emitter, at the place of the instruction.
    pub out: &'s mut Emitter<'f, 'm>,
    /// The instruction's opcode.
    pub generic: Generic,
    /// The instruction's type.
    pub ty: LowType,
    /// The instruction's operands.
    operands: &'s [Operand],
}

impl<'s, 'f, 'm> Selection<'s, 'f, 'm> {
    /// Returns the order of an atomic instruction, its operand of this number.
    ///
    /// # Errors
    ///
    /// [`Error::NotSelected`] if the operand is none.
    pub fn order(&self, number: usize) -> Result<Order, Error> {
        match self.operand(number).as_order() {
            Some(order) => Ok(order),
            None => self.unknown(),
        }
    }

    /// Returns the selection of an instruction.
    pub fn new(out: &'s mut Emitter<'f, 'm>, insn: GenericInsn<'s>) -> Self {
        Selection {
            out,
            generic: insn.generic,
            ty: insn.ty,
            operands: insn.operands,
        }
    }

    /// Returns an operand of the generic instruction; [`Operand::NO_REG`] if it has not that many.
    #[must_use]
    pub fn operand(&self, number: usize) -> Operand {
        let operand = self.operands.get(number);
        operand.copied().unwrap_or(Operand::NO_REG)
    }

    fn operands_from(&self, number: usize) -> &'s [Operand] {
        self.operands.get(number..).unwrap_or(&[])
    }

    /// True if the instruction's type has 64 bits.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.ty == LowType::S64
    }

    /// Returns the one of two, for 64 and for 32 bits, that has the width of the instruction's
    /// type.
    #[must_use]
    pub fn sized<T>(&self, [wide, narrow]: [T; 2]) -> T {
        if self.is_wide() { wide } else { narrow }
    }

    /// Returns the value of an immediate as instructions of this type see it: those of 32 bits
    /// sign-extended.
    #[must_use]
    pub fn immediate(&self, operand: Operand) -> Option<i64> {
        let value = self.out.immediate(operand)?;
        Some(self.sized([value, i64::from(value as i32)]))
    }

    /// Returns both sources, with the immediate second if only the first is one.
    #[must_use]
    pub fn immediate_last(&self, a: Operand, b: Operand) -> [Operand; 2] {
        if self.out.immediate(a).is_some() && self.out.immediate(b).is_none() {
            [b, a]
        } else {
            [a, b]
        }
    }

    /// True if an operand is a symbol that is reached directly.
    #[must_use]
    pub fn is_near(&self, symbol: Operand) -> bool {
        let symbol = symbol.as_symbol();
        symbol.is_some_and(|symbol| self.out.function.is_near(symbol))
    }

    /// Returns the error that the backend has no instruction for this.
    ///
    /// # Errors
    ///
    /// Always [`Error::NotSelected`].
    pub fn unknown<T>(&self) -> Result<T, Error> {
        Err(Error::NotSelected(self.generic.into()))
    }

    /// Returns a new virtual register for an integer.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new_int(&mut self) -> Result<Operand, Error> {
        self.out.int()
    }

    /// Returns a new floating register of a type.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new_float(&mut self, ty: LowType) -> Result<Operand, Error> {
        Ok(self.out.vreg(Bank::Floating, ty)?.into())
    }

    /// Emits a target instruction.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn emit(&mut self, op: impl Into<Opcode>, operands: &[Operand]) -> Result<(), Error> {
        self.out.emit(op, operands)
    }

    /// Emits the one of two opcodes that has the width of the instruction's type.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn emit_sized<O: Into<Opcode>>(
        &mut self,
        pair: [O; 2],
        operands: &[Operand],
    ) -> Result<(), Error> {
        let op = self.sized(pair);
        self.out.emit(op, operands)
    }

    /// Emits a target instruction with the operands `first` and those of the generic instruction
    /// from number `from` on.
    ///
    /// # Errors
    ///
    /// Out of memory; [`Error::TooLarge`] for more than 48 operands.
    pub fn emit_with_rest(
        &mut self,
        op: impl Into<Opcode>,
        first: &[Operand],
        from: usize,
    ) -> Result<(), Error> {
        self.emit_around(op, first, from, &[])
    }

    /// Emits the same with the operands `last` after those.
    ///
    /// # Errors
    ///
    /// As [`Selection::emit_with_rest`].
    pub fn emit_around(
        &mut self,
        op: impl Into<Opcode>,
        first: &[Operand],
        from: usize,
        last: &[Operand],
    ) -> Result<(), Error> {
        let mut operands = heapless::Vec::<Operand, MAX_OPERANDS>::new();
        for part in [first, self.operands_from(from), last] {
            let added = operands.extend_from_slice(part);
            added.map_err(|_| Error::TooLarge)?;
        }
        self.out.emit(op, &operands)
    }

    /// Emits a copy, if the registers differ.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn copy(&mut self, to: Operand, from: Operand) -> Result<(), Error> {
        if to.as_reg() != from.as_reg() {
            self.out.copy(to, from)?;
        }
        Ok(())
    }
}

/// A backend's way to put constants and addresses into registers.
pub trait Materialise<'s, 'f: 's, 'm: 'f>: DerefMut<Target = Selection<'s, 'f, 'm>> {
    /// The register that always holds 0, if instructions take it in place of any other.
    const ZERO: Option<Reg> = None;

    /// True if a physical register is a floating one.
    fn is_floating(reg: Reg) -> bool;

    /// Emits `to` = an integer.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn constant(&mut self, to: Operand, value: i64) -> Result<(), Error>;

    /// Emits `to` = the address of a symbol.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn symbol(&mut self, to: Operand, symbol: Operand) -> Result<(), Error>;

    /// Returns the register that holds an operand: a new one for an immediate or a symbol.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn register(&mut self, operand: Operand) -> Result<Operand, Error> {
        if let Some(value) = self.out.immediate(operand) {
            if let (0, Some(zero)) = (value, Self::ZERO) {
                return Ok(Operand::reg(zero));
            }
            let temp = self.new_int()?;
            self.constant(temp, value)?;
            return Ok(temp);
        }
        if operand.as_symbol().is_some() {
            let temp = self.new_int()?;
            self.symbol(temp, operand)?;
            return Ok(temp);
        }
        Ok(operand)
    }

    /// True if an operand is a floating register.
    fn is_float(&self, operand: Operand) -> bool {
        match operand.vreg() {
            Some(vreg) => self.out.function.vreg(vreg).bank == Bank::Floating,
            None => operand.as_reg().is_some_and(Self::is_floating),
        }
    }
}
