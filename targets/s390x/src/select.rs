//! Instruction selection: target instructions for each generic one.

mod atomic;
mod control;
mod float;
mod int;
mod legal;
mod logic;
mod long_double;
mod memory;
mod multiply;

use super::insns::Op;
use super::isa::Backend;
use super::registers;
use core::ops::{Deref, DerefMut};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{Function, Generic, InsnId, LowType, Operand, Reg};
use mir_nostd::target::{AddressForm, GenericInsn, InsnSelector, Materialise, Selection};

pub(crate) use logic::run_of_bits;
pub(crate) use long_double::LONG_DOUBLE;
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
        let opcode = function.insn(insn).opcode;
        if opcode == Op::BRCL.opcode() {
            let valid = function.operands(insn).first().and_then(|o| o.small());
            return valid.is_some_and(|valid| function.flip_immediate(insn, 1, valid));
        }
        let compares = COMPARE_AND_BRANCH.iter().any(|op| opcode == op.opcode());
        compares && function.flip_immediate(insn, 2, EQUAL | LESS | GREATER)
    }

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        legal::takes_immediate(generic, ty, number, value)
    }

    fn takes_immediate_at(&self, address: &AddressForm) -> bool {
        legal::takes_immediate_at(address)
    }

    fn takes_address(&self, _: LowType, address: &AddressForm) -> bool {
        legal::takes_address(address)
    }
}

/// The instructions that compare and branch.
const COMPARE_AND_BRANCH: [Op; 8] = [
    Op::CGRJ,
    Op::CRJ,
    Op::CLGRJ,
    Op::CLRJ,
    Op::CGIJ,
    Op::CIJ,
    Op::CLGIJ,
    Op::CLIJ,
];

/// Two opcodes of the same operation in 64 and in 32 bits.
type Pair = [Op; 2];

/// A condition as two sets of condition codes: those that the instruction before can set, and those
/// that meet the condition.
#[derive(Clone, Copy)]
struct Condition {
    valid: i32,
    mask: i32,
}

// Condition codes 0 to 3 are the bits of a mask from the left.
const EQUAL: i32 = 8;
const LESS: i32 = 4;
const GREATER: i32 = 2;
const UNORDERED: i32 = 1;

impl Condition {
    /// Overflow of signed arithmetic.
    const OVERFLOW: Condition = Condition::any(1);
    /// A carry out of an unsigned addition.
    const CARRY: Condition = Condition::any(2 | 1);
    /// A borrow of an unsigned subtraction.
    const BORROW: Condition = Condition::any(4);
    const NOT_EQUAL: Condition = Condition::compared(LESS | GREATER);
    const UNORDERED: Condition = Condition::any(UNORDERED);

    /// Makes a condition after an instruction that can set all four codes.
    const fn any(mask: i32) -> Condition {
        Condition { valid: 15, mask }
    }

    /// Makes a condition after a comparison of integers.
    const fn compared(mask: i32) -> Condition {
        Condition { valid: 14, mask }
    }

    const fn operands(self) -> [Operand; 2] {
        [Operand::imm(self.valid), Operand::imm(self.mask)]
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
        registers::kind(reg) != registers::Kind::General
    }

    /// Emits `to` = an integer, without changing the condition code.
    fn constant(&mut self, to: Operand, value: i64) -> Result<(), Error> {
        let bits = value.cast_unsigned();
        let parts = [
            (Op::LLILL, 0),
            (Op::LLILH, 16),
            (Op::LLIHL, 32),
            (Op::LLIHH, 48),
        ];
        if i16::try_from(value).is_ok() {
            return self.emit(Op::LGHI, &[to, Operand::imm(value as i32)]);
        }
        for (op, shift) in parts {
            if bits & !(0xFFFF << shift) == 0 {
                let part = Operand::imm((bits >> shift) as i32);
                return self.emit(op, &[to, part]);
            }
        }
        let (high, low) = ((bits >> 32) as i64, i64::from(bits as u32));
        let [high_part, low_part] = [self.out.function.int(high)?, self.out.function.int(low)?];
        if i32::try_from(value).is_ok() {
            self.emit(Op::LGFI, &[to, Operand::imm(value as i32)])
        } else if high == 0 {
            self.emit(Op::LLILF, &[to, low_part])
        } else if low == 0 {
            self.emit(Op::LLIHF, &[to, high_part])
        } else {
            let upper = self.new_or_same(to)?;
            self.emit(Op::LLIHF, &[upper, high_part])?;
            self.emit(Op::IILF64, &[to, upper, low_part])
        }
    }

    /// Emits `to` = the address of a symbol: from a word after the code; in objects relative to the
    /// code or from the global offset table.
    fn symbol(&mut self, to: Operand, symbol: Operand) -> Result<(), Error> {
        if self.out.function.is_position_independent {
            let id = symbol.as_symbol();
            if id.is_some_and(|id| self.out.function.is_near(id)) {
                return self.emit(Op::LARL, &[to, symbol]);
            }
            return self.emit(Op::LGRL, &[to, symbol]);
        }
        let word = self.out.address_constant(symbol)?;
        self.emit(Op::LGRL, &[to, word])
    }
}

impl Selector<'_, '_, '_> {
    /// Returns the register itself if it is physical, else a new one.
    fn new_or_same(&mut self, reg: Operand) -> Result<Operand, Error> {
        match reg.vreg() {
            Some(_) => self.new_int(),
            None => Ok(reg),
        }
    }

    /// Emits `to` = 1 if the condition code meets the condition, else 0.
    fn set(&mut self, to: Operand, condition: Condition) -> Result<(), Error> {
        let zero = self.new_int()?;
        self.constant(zero, 0)?;
        let [valid, mask] = condition.operands();
        let one = Operand::imm(1);
        self.emit(Op::LOCGHI, &[to, zero, one, valid, mask])
    }

    /// Branches to the block if the condition code meets the condition.
    fn branch(&mut self, block: Operand, condition: Condition) -> Result<(), Error> {
        let [valid, mask] = condition.operands();
        self.emit(Op::BRCL, &[valid, mask, block])
    }
}
