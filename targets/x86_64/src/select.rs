//! Instruction selection: target instructions for each generic one.

mod atomic;
mod control;
mod float;
mod int;
mod long_double;
mod memory;

use super::insns::Op;
use super::isa::Backend;
use super::registers;
use super::target_flags::GOT;
use core::ops::{Deref, DerefMut};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{Function, Generic, InsnId, LowType, Operand, Reg};
use mir_nostd::target::{GenericInsn, InsnSelector, Materialise, Selection};

impl InsnSelector for Backend {
    /// Writes target instructions for a generic one.
    fn select(&self, out: &mut Emitter<'_, '_>, insn: GenericInsn<'_>) -> Result<(), Error> {
        let of = Selection::new(out, insn);
        let mut selector = Selector { of };
        if selector.ty.is_long_double() || selector.is_truncation() {
            return selector.long_double();
        }
        selector.int()
    }

    fn invert_branch(&self, function: &mut Function<'_>, insn: InsnId) -> bool {
        let is_conditional = function.insn(insn).opcode == Op::JCC_4.opcode();
        // Conditions of even and odd numbers are the opposites of each other.
        is_conditional && function.flip_immediate(insn, 1, 1)
    }
}

/// The generic instructions that are selected on long doubles.
pub(crate) const LONG_DOUBLE: &[Generic] = {
    use Generic as G;
    &[
        G::Fadd,
        G::Fsub,
        G::Fmul,
        G::Fdiv,
        G::Fneg,
        G::Fcmp,
        G::BrFcmp,
        G::Fpext,
        G::Fptrunc,
        G::FptosiSat,
        G::Sitofp,
        G::Uitofp,
        G::TakeResult,
        G::GiveResult,
    ]
};

/// Two opcodes of the same operation in 64 and in 32 bits.
pub(crate) type Pair = [Op; 2];

/// A condition as instructions encode it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Condition(i32);

impl Condition {
    pub(crate) const OVERFLOW: Condition = Condition(0);
    pub(crate) const BELOW: Condition = Condition(2);
    pub(crate) const ABOVE_EQUAL: Condition = Condition(3);
    pub(crate) const EQUAL: Condition = Condition(4);
    pub(crate) const NOT_EQUAL: Condition = Condition(5);
    pub(crate) const BELOW_EQUAL: Condition = Condition(6);
    pub(crate) const ABOVE: Condition = Condition(7);
    pub(crate) const SIGN: Condition = Condition(8);
    pub(crate) const NOT_SIGN: Condition = Condition(9);
    pub(crate) const PARITY: Condition = Condition(10);
    pub(crate) const NOT_PARITY: Condition = Condition(11);
    pub(crate) const LESS: Condition = Condition(12);
    pub(crate) const GREATER_EQUAL: Condition = Condition(13);
    pub(crate) const LESS_EQUAL: Condition = Condition(14);
    pub(crate) const GREATER: Condition = Condition(15);

    /// Returns the condition that an operand is.
    pub(crate) fn of(operand: Operand) -> Option<Condition> {
        operand.small().map(Condition)
    }

    pub(crate) const fn operand(self) -> Operand {
        Operand::imm(self.0)
    }
}

/// The selection of one instruction.
struct Selector<'s, 'f, 'm> {
    of: Selection<'s, 'f, 'm>,
}

impl<'s, 'f, 'm> Deref for Selector<'s, 'f, 'm> {
    type Target = Selection<'s, 'f, 'm>;

    fn deref(&self) -> &Self::Target {
        &self.of
    }
}

impl DerefMut for Selector<'_, '_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.of
    }
}

impl<'s, 'f, 'm> Materialise<'s, 'f, 'm> for Selector<'s, 'f, 'm> {
    fn is_floating(reg: Reg) -> bool {
        registers::is_xmm(reg)
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

    /// Emits `to` = the address of a symbol.
    fn symbol(&mut self, to: Operand, symbol: Operand) -> Result<(), Error> {
        if !self.out.function.is_position_independent {
            return self.emit(Op::MOV64ri, &[to, symbol]);
        }
        if self.is_near(symbol) {
            return self.emit_load(Op::LEA64r, to, memory::in_code(symbol));
        }
        self.emit_load(Op::MOV64rm, to, memory::in_code(symbol.flagged(GOT)))
    }
}

impl Selector<'_, '_, '_> {
    /// Returns an immediate as instructions of this type take it.
    fn small(&self, operand: Operand) -> Option<i32> {
        let value = self.out.immediate(operand)?;
        if self.ty == LowType::S64 {
            i32::try_from(value).ok()
        } else {
            Some(value as i32)
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
