//! Instruction selection: target instructions for each generic one.

mod control;
mod float;
mod int;
mod long_double;
mod memory;

use super::insns::Op;
use super::isa::GOT;
use super::regs;
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{Bank, Generic, InsnId, LowType, Operand};

/// Writes target instructions for a generic one.
pub(crate) fn select(out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<(), Error> {
    let row = *out.function.insn(insn);
    let Some(generic) = row.opcode.generic() else {
        return Err(Error::NotSelected(row.opcode));
    };
    let mut selector = Selector {
        out,
        insn,
        generic,
        ty: row.ty,
    };
    if row.ty.is_long_double() || selector.is_truncation() {
        return selector.long_double();
    }
    selector.int()
}

/// Returns whether instructions of type long double are selected.
pub(crate) fn has_long_double(generic: Generic) -> bool {
    use Generic as G;
    matches!(
        generic,
        G::Fadd
            | G::Fsub
            | G::Fmul
            | G::Fdiv
            | G::Fneg
            | G::Fcmp
            | G::BrFcmp
            | G::Fpext
            | G::Fptrunc
            | G::FptosiSat
            | G::Sitofp
            | G::Uitofp
            | G::TakeResult
            | G::GiveResult
    )
}

/// Two opcodes of the same operation in 64 and in 32 bits.
type Pair = [Op; 2];

/// A condition as instructions encode it.
#[derive(Clone, Copy)]
struct Condition(i32);

impl Condition {
    const OVERFLOW: Condition = Condition(0);
    const BELOW: Condition = Condition(2);
    const ABOVE_EQUAL: Condition = Condition(3);
    const EQUAL: Condition = Condition(4);
    const NOT_EQUAL: Condition = Condition(5);
    const BELOW_EQUAL: Condition = Condition(6);
    const ABOVE: Condition = Condition(7);
    const NOT_SIGN: Condition = Condition(9);
    const PARITY: Condition = Condition(10);
    const NOT_PARITY: Condition = Condition(11);
    const LESS: Condition = Condition(12);
    const GREATER_EQUAL: Condition = Condition(13);
    const LESS_EQUAL: Condition = Condition(14);
    const GREATER: Condition = Condition(15);

    const fn operand(self) -> Operand {
        Operand::imm(self.0)
    }
}

/// The selection of one instruction.
struct Selector<'s, 'f, 'm> {
    out: &'s mut Emitter<'f, 'm>,
    insn: InsnId,
    generic: Generic,
    ty: LowType,
}

impl Selector<'_, '_, '_> {
    /// Returns an operand of the generic instruction.
    fn operand(&self, number: usize) -> Operand {
        let operands = self.out.function.operands(self.insn);
        operands.get(number).copied().unwrap_or(Operand::NO_REG)
    }

    fn emit(&mut self, op: Op, operands: &[Operand]) -> Result<(), Error> {
        self.out.emit(op.into(), operands)?;
        Ok(())
    }

    /// Emits the opcode that has the width of the instruction's type.
    fn emit_sized(&mut self, [wide, narrow]: Pair, operands: &[Operand]) -> Result<(), Error> {
        let is_wide = self.ty == LowType::S64;
        self.emit(if is_wide { wide } else { narrow }, operands)
    }

    fn copy(&mut self, to: Operand, from: Operand) -> Result<(), Error> {
        if to.as_reg() != from.as_reg() {
            self.out.copy(to, from)?;
        }
        Ok(())
    }

    fn unknown<T>(&self) -> Result<T, Error> {
        Err(Error::NotSelected(self.generic.into()))
    }

    /// Returns a new virtual register for an integer.
    fn new_int(&mut self) -> Result<Operand, Error> {
        self.out.int()
    }

    /// Returns a new floating register of the instruction's type.
    fn new_float(&mut self) -> Result<Operand, Error> {
        Ok(self.out.vreg(Bank::Floating, self.ty)?.into())
    }

    /// Emits `to` = an integer.
    fn constant(&mut self, to: Operand, value: i64) -> Result<(), Error> {
        if value == 0 {
            self.emit(Op::MOV32r0, &[to])
        } else if let Ok(low) = u32::try_from(value) {
            self.emit(Op::MOV32ri, &[to, Operand::imm(low.cast_signed())])
        } else {
            let operand = self.out.function.int(value)?;
            let is_small = operand.small().is_some();
            self.emit(
                if is_small { Op::MOV64ri32 } else { Op::MOV64ri },
                &[to, operand],
            )
        }
    }

    /// Returns the register that holds an operand: a new one for an immediate or a symbol.
    fn register(&mut self, operand: Operand) -> Result<Operand, Error> {
        if let Some(value) = self.out.immediate(operand) {
            let temp = self.new_int()?;
            self.constant(temp, value)?;
            return Ok(temp);
        }
        if operand.as_symbol().is_some() {
            let temp = self.new_int()?;
            self.symbol_address(temp, operand)?;
            return Ok(temp);
        }
        Ok(operand)
    }

    /// Emits `to` = the address of a symbol.
    fn symbol_address(&mut self, to: Operand, symbol: Operand) -> Result<(), Error> {
        if !self.out.function.is_position_independent {
            return self.emit(Op::MOV64ri, &[to, symbol]);
        }
        if self.is_near(symbol) {
            return self.emit_load(Op::LEA64r, to, memory::in_code(symbol));
        }
        self.emit_load(Op::MOV64rm, to, memory::in_code(symbol.flagged(GOT)))
    }

    /// Returns whether an operand is a symbol that is reached directly.
    fn is_near(&self, symbol: Operand) -> bool {
        let symbol = symbol.as_symbol();
        symbol.is_some_and(|symbol| self.out.function.is_near(symbol))
    }

    /// Returns an immediate as instructions of this type take it.
    fn small(&self, operand: Operand) -> Option<i32> {
        let value = self.out.immediate(operand)?;
        if self.ty == LowType::S64 {
            i32::try_from(value).ok()
        } else {
            Some(value as i32)
        }
    }

    /// Returns whether a register is a floating one.
    fn is_float(&self, operand: Operand) -> bool {
        match operand.vreg() {
            Some(vreg) => self.out.function.vreg(vreg).bank == Bank::Floating,
            None => operand.as_reg().is_some_and(regs::is_xmm),
        }
    }

    /// Emits `to` = 1 if the flags meet the condition, else 0.
    fn set(&mut self, to: Operand, condition: Condition) -> Result<(), Error> {
        let byte = self.set_byte(condition)?;
        self.emit(Op::MOVZX32rr8, &[to, byte])
    }

    /// Emits a new register whose low byte is 0 or 1.
    fn set_byte(&mut self, condition: Condition) -> Result<Operand, Error> {
        let byte = self.new_int()?;
        self.emit(Op::SETCCr, &[byte, condition.operand()])?;
        Ok(byte)
    }

    /// Branches to the block if the flags meet the condition.
    fn branch(&mut self, block: Operand, condition: Condition) -> Result<(), Error> {
        self.emit(Op::JCC_4, &[block, condition.operand()])
    }
}
