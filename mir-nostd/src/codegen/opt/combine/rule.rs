//! The form of the rules: a pattern, and what replaces an instruction or operand that matches it.

use super::values::{Fact, Shape, Source, Values, same_bank};
use crate::machine::{BlockId, Facts, Function, Generic, LowType, Operand};

/// A rule: a pattern of an opcode and the shapes of `N` operands, and a replacement.
pub(super) struct Pattern<const N: usize, F> {
    /// The name by which tests and debug output refer to the rule.
    pub(super) name: &'static str,
    pub(super) opcodes: Opcodes,
    /// The shapes that the operands may have.
    pub(super) operands: [Shape; N],
    /// Returns the replacement of what matches so far; `None` if it is to stay.
    pub(super) rewrite: F,
}

/// A rule that replaces an instruction, by the shapes of its operands 1 and 2.
pub(super) type Rule = Pattern<2, fn(&Site<'_, '_>) -> Option<Rewrite>>;

/// A rule that replaces the operand of this number, by its own shape.
pub(super) type OperandRule = Pattern<1, fn(&Site<'_, '_>, usize) -> Option<Value>>;

/// The opcodes that a rule is for.
#[derive(Clone, Copy)]
pub(super) enum Opcodes {
    These(&'static [Generic]),
    AllBut(&'static [Generic]),
    /// All of which one of these facts is true.
    With(Facts),
}

impl Opcodes {
    /// True if an opcode is among them.
    pub(super) const fn contain(self, generic: Generic) -> bool {
        match self {
            Opcodes::With(facts) => generic.is(facts),
            Opcodes::These(these) => is_among(these, generic),
            Opcodes::AllBut(others) => !is_among(others, generic),
        }
    }
}

const fn is_among(all: &[Generic], generic: Generic) -> bool {
    let mut number = 0;
    while number < all.len() {
        if all[number] as u16 == generic as u16 {
            return true;
        }
        number += 1;
    }
    false
}

/// An operand that a rule makes.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Operand(Operand),
    Int(i64),
}

/// The replacement of an instruction.
pub(super) enum Rewrite {
    /// Another instruction on one or two sources, which defines the same register. No other rule is
    /// tried on it.
    Insn(Generic, LowType, [Option<Value>; 2]),
    /// Other sources, from the operand of this number on, and another type.
    Sources(usize, [Operand; 2], LowType),
    /// Another comparison: its predicate and sides, which stand together, and its type.
    Comparison([Operand; 3], LowType),
    /// Another address.
    Address(Address),
    /// A jump to this block in place of a branch that is always taken.
    Jump(Operand),
    /// Nothing in place of a branch that is never taken.
    Nothing,
}

impl Rewrite {
    /// A copy of a register.
    pub(super) const fn copy(of: Operand) -> Rewrite {
        let of = Value::Operand(of);
        Rewrite::Insn(Generic::Copy, LowType::S64, [Some(of), None])
    }

    pub(super) const fn constant(value: i64) -> Rewrite {
        let value = Value::Int(value);
        Rewrite::Insn(Generic::Constant, LowType::S64, [Some(value), None])
    }

    /// A float or double of these bits.
    pub(super) const fn float_constant(ty: LowType, bits: i64) -> Rewrite {
        Rewrite::Insn(Generic::FConstant, ty, [Some(Value::Int(bits)), None])
    }

    /// An instruction on a register and a constant.
    pub(super) const fn binary(generic: Generic, ty: LowType, a: Operand, b: i64) -> Rewrite {
        let (a, b) = (Value::Operand(a), Value::Int(b));
        Rewrite::Insn(generic, ty, [Some(a), Some(b)])
    }
}

/// The address of a load or store whose scale and displacement are of 32 bits: operands 1 to 4.
#[derive(Clone, Copy)]
pub(super) struct Address {
    pub(super) base: Operand,
    pub(super) index: Operand,
    pub(super) scale: i32,
    pub(super) disp: i32,
}

impl Address {
    /// True if there is an index that is not scaled.
    pub(super) fn has_plain_index(self) -> bool {
        self.index != Operand::NO_REG && self.scale == 1
    }

    /// Returns the address with the displacement increased, unless that overflows.
    pub(super) fn displaced(self, by: i64) -> Option<Address> {
        let disp = i64::from(self.disp).checked_add(by)?;
        let disp = i32::try_from(disp).ok()?;
        Some(Address { disp, ..self })
    }

    pub(super) fn operands(self) -> [Operand; 4] {
        let (scale, disp) = (Operand::imm(self.scale), Operand::imm(self.disp));
        [self.base, self.index, scale, disp]
    }
}

/// An instruction that a rule may replace, with what is known of its operands.
pub(super) struct Site<'a, 'f> {
    pub(super) function: &'a Function<'f>,
    pub(super) block: BlockId,
    pub(super) values: &'a Values<'f>,
    pub(super) generic: Generic,
    pub(super) ty: LowType,
    pub(super) operands: &'a [Operand],
}

impl Site<'_, '_> {
    /// Returns an operand; no register if there are not that many.
    pub(super) fn at(&self, number: usize) -> Operand {
        self.operands
            .get(number)
            .copied()
            .unwrap_or(Operand::NO_REG)
    }

    /// Returns the value of an operand that is an immediate.
    pub(super) fn immediate(&self, number: usize) -> Option<i64> {
        self.function.immediate(self.at(number))
    }

    /// Returns how the register of an operand was computed.
    pub(super) fn fact(&self, number: usize) -> Fact {
        self.values.fact(self.at(number))
    }

    /// Returns the register of a source, unless it was written since.
    pub(super) fn current(&self, source: Source) -> Option<Operand> {
        self.values.current(source)
    }

    /// True if two registers are virtual and of one bank.
    pub(super) fn same_bank(&self, a: Operand, b: Operand) -> bool {
        same_bank(self.function, a, b)
    }

    /// Returns the address of a load or store.
    pub(super) fn address(&self) -> Option<Address> {
        let (base, index) = (self.at(1), self.at(2));
        let (scale, disp) = (self.at(3).small()?, self.at(4).small()?);
        Some(Address {
            base,
            index,
            scale,
            disp,
        })
    }
}
