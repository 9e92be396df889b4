//! Instruction selection: target instructions for each generic one.

mod atomic;
mod control;
mod float;
mod int;
mod legal;
mod memory;
mod overflow;

use super::immediates::{self, HalfWords};
use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, XZR};
use super::target_flags::{TABLE_PAGE, TABLE_PAGE_OFFSET};
use core::ops::{Deref, DerefMut};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{Function, Generic, InsnId, LowType, Opcode, Operand, Reg};
use mir_nostd::target::{AddressForm, GenericInsn, InsnSelector, Materialise, Selection};

/// The maximum number of instructions for literal loads and ADR, which reach 1 MiB: code of larger
/// functions may be too long.
const LARGE: usize = 1 << 14;

impl InsnSelector for Backend {
    /// Writes target instructions for a generic one.
    fn select(&self, out: &mut Emitter<'_, '_>, insn: GenericInsn<'_>) -> Result<(), Error> {
        let of = Selection::new(out, insn);
        let mut selector = Selector {
            of,
            has_lse: self.has_lse,
        };
        selector.int()
    }

    fn invert_branch(&self, function: &mut Function<'_>, insn: InsnId) -> bool {
        if function.insn(insn).opcode == Op::Bcc.opcode() {
            // Conditions of even and odd numbers are the opposites of each other.
            return function.flip_immediate(insn, 0, 1);
        }
        function.swap_opcode(insn, &OPPOSITES)
    }

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        legal::takes_immediate(generic, ty, number, value)
    }

    fn takes_address(&self, ty: LowType, address: &AddressForm) -> bool {
        legal::takes_address(ty, address)
    }
}

/// The branches whose conditions are the opposites of each other.
const OPPOSITES: [[Opcode; 2]; 4] = [
    [Op::CBZX.opcode(), Op::CBNZX.opcode()],
    [Op::CBZW.opcode(), Op::CBNZW.opcode()],
    [Op::TBZX.opcode(), Op::TBNZX.opcode()],
    [Op::TBZW.opcode(), Op::TBNZW.opcode()],
];

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
    of: Selection<'s, 'f, 'm>,
    has_lse: bool,
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
        registers::is_float(reg)
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

    /// Emits `to` = the address of a symbol.
    fn symbol(&mut self, to: Operand, symbol: Operand) -> Result<(), Error> {
        if self.out.function.is_position_independent {
            let id = symbol.as_symbol();
            if id.is_some_and(|id| self.out.function.is_near(id)) {
                return self.address_of(to, symbol);
            }
            self.emit(Op::ADRP, &[to, symbol.flagged(TABLE_PAGE)])?;
            let entry = symbol.flagged(TABLE_PAGE_OFFSET);
            return self.emit(Op::LDRXui, &[to, to, entry]);
        }
        if self.is_large() {
            self.emit(Op::MOVaddr, &[to, symbol, symbol])?;
            return self.emit(Op::LDRXui, &[to, to, Operand::imm(0)]);
        }
        self.emit(Op::LDRXl, &[to, symbol])
    }
}

impl Selector<'_, '_, '_> {
    /// Returns whether the constants after the code may be out of reach.
    fn is_large(&self) -> bool {
        self.out.function.estimated_insns() > LARGE
    }

    /// Returns the same for operands for which register number 31 is zero and not the stack
    /// pointer.
    fn register_or_zero(&mut self, operand: Operand) -> Result<Operand, Error> {
        if self.immediate(operand) == Some(0) {
            Ok(ZERO)
        } else {
            self.register(operand)
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
