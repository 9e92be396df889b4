//! Instruction selection: target instructions for each generic one.

mod compare;
mod control;
mod float;
mod int;
mod memory;
mod overflow;
mod takes;

pub(crate) use takes::{takes_address, takes_immediate};

use super::constant::{MOST_STEPS, steps};
use super::insns::Op;
use super::regs::{self, ZERO};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{Bank, ClassId, Generic, InsnId, LowType, Operand, VRegInfo};

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
    if row.ty.is_long_double() {
        return selector.unknown();
    }
    selector.int()
}

/// Two opcodes of the same operation in 64 and in 32 bits.
type Pair = [Op; 2];

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

    /// Returns the opcode that has the width of the instruction's type.
    fn sized(&self, [wide, narrow]: Pair) -> Op {
        if self.ty == LowType::S64 {
            wide
        } else {
            narrow
        }
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

    /// Emits `to = op a, imm`.
    fn with_immediate(&mut self, op: Op, to: Operand, a: Operand, value: i32) -> Result<(), Error> {
        self.emit(op, &[to, a, Operand::imm(value)])
    }

    /// Emits `op a, imm` into a new register.
    fn new_with_immediate(&mut self, op: Op, a: Operand, value: i32) -> Result<Operand, Error> {
        let to = self.new_int()?;
        self.with_immediate(op, to, a, value)?;
        Ok(to)
    }

    /// Emits `op a, b` into a new register.
    fn new_with(&mut self, op: Op, a: Operand, b: Operand) -> Result<Operand, Error> {
        let to = self.new_int()?;
        self.emit(op, &[to, a, b])?;
        Ok(to)
    }

    /// Emits `to` = an integer.
    fn constant(&mut self, to: Operand, value: i64) -> Result<(), Error> {
        let steps = steps(value);
        match steps.get() {
            [step] if step.op == Op::LUI => self.emit(Op::LUI, &[to, Operand::imm(step.value)]),
            [step] => self.with_immediate(step.op, to, Operand::reg(ZERO), step.value),
            steps if steps.len() <= MOST_STEPS => {
                let value = self.out.function.int(value)?;
                self.emit(Op::PseudoLI, &[to, value])
            }
            _ => {
                let bits = value.cast_unsigned();
                let constant = self.out.constant(u128::from(bits), 8)?;
                self.emit(Op::PseudoLD, &[to, constant])
            }
        }
    }

    /// Emits `to` = the address of something outside the function.
    fn symbol(&mut self, to: Operand, symbol: Operand) -> Result<(), Error> {
        if self.out.function.is_position_independent {
            let id = symbol.as_symbol();
            let is_near = id.is_some_and(|id| self.out.function.is_near(id));
            let op = if is_near {
                Op::PseudoLLA
            } else {
                Op::PseudoLGA
            };
            return self.emit(op, &[to, symbol]);
        }
        let constant = self.out.address_constant(symbol)?;
        self.emit(Op::PseudoLD, &[to, constant])
    }

    /// Returns the register that holds an operand: a new one for a symbol or an immediate other
    /// than 0.
    fn register(&mut self, operand: Operand) -> Result<Operand, Error> {
        if let Some(value) = self.out.immediate(operand) {
            if value == 0 {
                return Ok(Operand::reg(ZERO));
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

    /// Returns a register of a subclass of the general class that holds an operand.
    fn register_of(&mut self, operand: Operand, class: ClassId) -> Result<Operand, Error> {
        let register = self.register(operand)?;
        let info = VRegInfo {
            ty: LowType::S64,
            bank: Bank::General,
            class,
        };
        let constrained = Operand::from(self.out.function.add_vreg(info)?);
        self.out.copy(constrained, register)?;
        Ok(constrained)
    }

    /// Returns the value of an immediate of the instruction's type, with narrow ones sign-extended.
    fn immediate(&self, operand: Operand) -> Option<i64> {
        let value = self.out.immediate(operand)?;
        Some(match self.ty {
            LowType::S64 => value,
            _ => i64::from(value as i32),
        })
    }

    /// Returns an immediate that instructions take.
    fn small(&self, operand: Operand) -> Option<i32> {
        small(self.immediate(operand)?)
    }

    /// Returns whether a register is a floating one.
    fn is_float(&self, operand: Operand) -> bool {
        match operand.vreg() {
            Some(vreg) => self.out.function.vreg(vreg).bank == Bank::Floating,
            None => operand.as_reg().is_some_and(regs::is_floating),
        }
    }
}

/// Returns a value that fits in 12 signed bits.
fn small(value: i64) -> Option<i32> {
    (-2048..2048).contains(&value).then_some(value as i32)
}
