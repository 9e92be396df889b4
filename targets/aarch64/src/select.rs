//! Instruction selection: target instructions for each generic one.

mod control;
mod float;
mod int;
mod memory;
mod overflow;
mod takes;

use super::immediates::{self, HalfWords};
use super::insns::Op;
use super::regs::{self, XZR};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{Bank, Generic, InsnId, LowType, Operand};

pub(crate) use takes::{takes_address, takes_immediate};

/// The maximum number of instructions for literal loads and ADR, which reach 1 MiB: code of larger
/// functions may be too long.
const LARGE: usize = 1 << 14;

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
    selector.int()
}

/// Two opcodes of the same operation in 64 and in 32 bits.
type Pair = [Op; 2];

/// A condition as instructions encode it.
#[derive(Clone, Copy)]
struct Condition(i32);

impl Condition {
    const EQUAL: Condition = Condition(0);
    const NOT_EQUAL: Condition = Condition(1);
    const CARRY: Condition = Condition(2);
    const NO_CARRY: Condition = Condition(3);
    const MINUS: Condition = Condition(4);
    const PLUS: Condition = Condition(5);
    const OVERFLOW: Condition = Condition(6);
    const HIGHER: Condition = Condition(8);
    const LOWER_SAME: Condition = Condition(9);
    const GREATER_EQUAL: Condition = Condition(10);
    const LESS: Condition = Condition(11);
    const GREATER: Condition = Condition(12);
    const LESS_EQUAL: Condition = Condition(13);

    const fn operand(self) -> Operand {
        Operand::imm(self.0)
    }

    const fn inverse(self) -> Condition {
        Condition(self.0 ^ 1)
    }
}

/// Returns the operand for a register shifted left by some bits.
const fn left_by(count: i32) -> Operand {
    Operand::imm(count)
}

/// Returns the operand for a register shifted right by some bits, with zeros shifted in.
const fn right_by(count: i32) -> Operand {
    Operand::imm(1 << 6 | count)
}

/// Returns the operand for a register shifted right by some bits, with copies of the sign shifted
/// in.
const fn sign_right_by(count: i32) -> Operand {
    Operand::imm(2 << 6 | count)
}

const ZERO: Operand = Operand::reg(XZR);
const NOT_SHIFTED: Operand = Operand::imm(0);
/// The extension of a 64-bit register, which does not change it.
const UXTX: Operand = Operand::imm(3 << 3);
/// The extension of a 32-bit register by its sign.
const SXTW: Operand = Operand::imm(6 << 3);

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

    fn is_wide(&self) -> bool {
        self.ty == LowType::S64
    }

    /// Emits the opcode that has the width of the instruction's type.
    fn emit_sized(&mut self, [wide, narrow]: Pair, operands: &[Operand]) -> Result<(), Error> {
        let op = if self.is_wide() { wide } else { narrow };
        self.emit(op, operands)
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

    /// Returns whether the constants after the code may be out of reach.
    fn is_large(&self) -> bool {
        self.out.function.insn_count() > LARGE
    }

    /// Emits `to` = an integer.
    fn constant(&mut self, to: Operand, value: i64) -> Result<(), Error> {
        let value = value.cast_unsigned();
        let is_short = value >> 32 == 0;
        let halves = HalfWords::new(value, if is_short { 32 } else { 64 });
        if halves.count() > 1
            && let Some(pattern) = immediates::logical(value, 64)
        {
            return self.emit(Op::ORRXri, &[to, ZERO, Operand::imm(pattern)]);
        }
        let [first, rest] = match (is_short, halves.inverted) {
            (true, false) => [Op::MOVZWi, Op::MOVKWi],
            (true, true) => [Op::MOVNWi, Op::MOVKWi],
            (false, false) => [Op::MOVZXi, Op::MOVKXi],
            (false, true) => [Op::MOVNXi, Op::MOVKXi],
        };
        for (place, (half, shift)) in halves.iter().enumerate() {
            let (half, shift) = (Operand::imm(half), Operand::imm(shift));
            if place == 0 {
                self.emit(first, &[to, half, shift])?;
            } else {
                self.emit(rest, &[to, to, half, shift])?;
            }
        }
        Ok(())
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
            self.load_symbol(temp, operand)?;
            return Ok(temp);
        }
        Ok(operand)
    }

    /// Returns the same for operands for which register number 31 is zero and not the stack
    /// pointer.
    fn register_or_zero(&mut self, operand: Operand) -> Result<Operand, Error> {
        if self.value(operand) == Some(0) {
            Ok(ZERO)
        } else {
            self.register(operand)
        }
    }

    /// Returns an immediate as instructions of this type see it.
    fn value(&self, operand: Operand) -> Option<i64> {
        let value = self.out.immediate(operand)?;
        Some(if self.is_wide() {
            value
        } else {
            i64::from(value as i32)
        })
    }

    /// Returns whether a register is a floating one.
    fn is_float(&self, operand: Operand) -> bool {
        match operand.vreg() {
            Some(vreg) => self.out.function.vreg(vreg).bank == Bank::Floating,
            None => operand.as_reg().is_some_and(regs::is_float),
        }
    }

    /// Emits `to` = 1 if the flags meet the condition, else 0.
    fn set(&mut self, to: Operand, condition: Condition) -> Result<(), Error> {
        let inverse = condition.inverse().operand();
        self.emit(Op::CSINCWr, &[to, ZERO, ZERO, inverse])
    }

    /// Branches to the block if the flags meet the condition.
    fn branch(&mut self, block: Operand, condition: Condition) -> Result<(), Error> {
        self.emit(Op::Bcc, &[condition.operand(), block])
    }
}
