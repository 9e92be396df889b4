//! Instruction selection: target instructions for each generic one.

mod atomic;
mod compare;
mod control;
mod float;
mod int;
mod legal;
mod memory;
mod overflow;

use super::constant::{MOST_STEPS, steps};
use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, ZERO};
use core::ops::{Deref, DerefMut};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{
    Bank, ClassId, Function, Generic, InsnId, LowType, Opcode, Operand, Reg, VRegInfo,
};
use mir_nostd::target::{AddressForm, GenericInsn, InsnSelector, Materialise, Selection};

impl InsnSelector for Backend {
    /// Writes target instructions for a generic one.
    fn select(&self, out: &mut Emitter<'_, '_>, insn: GenericInsn<'_>) -> Result<(), Error> {
        let of = Selection::new(out, insn);
        let mut selector = Selector { of };
        if selector.ty.is_long_double() {
            return selector.unknown();
        }
        selector.int()
    }

    fn invert_branch(&self, function: &mut Function<'_>, insn: InsnId) -> bool {
        function.swap_opcode(insn, &OPPOSITES)
    }

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        legal::takes_immediate(generic, ty, number, value)
    }

    /// Returns false: no instruction has an index.
    fn takes_address(&self, _: LowType, _: &AddressForm) -> bool {
        false
    }
}

/// The branches whose conditions are the opposites of each other.
const OPPOSITES: [[Opcode; 2]; 3] = [
    [Op::BEQ.opcode(), Op::BNE.opcode()],
    [Op::BLT.opcode(), Op::BGE.opcode()],
    [Op::BLTU.opcode(), Op::BGEU.opcode()],
];

/// Two opcodes of the same operation in 64 and in 32 bits.
type Pair = [Op; 2];

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
    const ZERO: Option<Reg> = Some(ZERO);

    fn is_floating(reg: Reg) -> bool {
        registers::is_floating(reg)
    }

    /// Emits `to` = an integer.
    fn constant(&mut self, to: Operand, value: i64) -> Result<(), Error> {
        let steps = steps(value);
        match steps.as_slice() {
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
}

impl Selector<'_, '_, '_> {
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

    /// Returns an immediate that instructions take.
    fn small(&self, operand: Operand) -> Option<i32> {
        small(self.immediate(operand)?)
    }
}

/// Returns a value that fits in 12 signed bits.
fn small(value: i64) -> Option<i32> {
    (-2048..2048).contains(&value).then_some(value as i32)
}
