//! Rules for single operands: a register is replaced by what it was computed from.

use super::super::rule::{Opcodes, OperandRule, Site, Value};
use super::super::values::{Fact, Shape};
use crate::machine::{Facts, Generic, LowType};

pub(super) const RULES: &[OperandRule] = &[
    OperandRule {
        name: "propagate-copy",
        // These read physical registers.
        opcodes: Opcodes::AllBut(&[Generic::Call, Generic::Ret]),
        operands: [Shape::COPY],
        rewrite: |insn, number| match insn.fact(number) {
            Fact::Copy(of) => Some(Value::Operand(insn.current(of)?)),
            _ => None,
        },
    },
    OperandRule {
        name: "propagate-constant",
        opcodes: Opcodes::AllBut(&[Generic::Phi]),
        operands: [Shape::CONSTANT],
        rewrite: |insn, number| match insn.fact(number) {
            Fact::Constant(value) if insn.generic.immediates().contains(&number) => {
                Some(Value::Int(value))
            }
            _ => None,
        },
    },
    // The other rules are for what reads only the low bits of a register that was extended from as
    // many.
    OperandRule {
        name: "narrow-arithmetic",
        opcodes: Opcodes::With(Facts::COMPUTED),
        operands: [Shape::EXTENDED],
        rewrite: |insn, number| narrowed(insn, number, short_bits(insn)?),
    },
    OperandRule {
        name: "narrow-rotate",
        opcodes: Opcodes::These(&[Generic::Rotl]),
        operands: [Shape::EXTENDED],
        rewrite: |insn, number| narrowed(insn, number, short_bits(insn)?),
    },
    // Not the values that a select chooses between.
    OperandRule {
        name: "narrow-side",
        opcodes: Opcodes::These(&[Generic::Icmp, Generic::Select, Generic::BrIcmp]),
        operands: [Shape::EXTENDED],
        rewrite: |insn, number| {
            let is_side = insn.generic.immediates().contains(&number);
            narrowed(insn, number, short_bits(insn).filter(|_| is_side)?)
        },
    },
    // The value, not the address.
    OperandRule {
        name: "narrow-store",
        opcodes: Opcodes::These(&[Generic::Store]),
        operands: [Shape::EXTENDED],
        rewrite: |store, number| match (number, store.ty.bits()) {
            (0, bits @ ..64) => narrowed(store, number, bits),
            _ => None,
        },
    },
    // Memory takes the bits from either bank.
    OperandRule {
        name: "stored-bits",
        opcodes: Opcodes::These(&[Generic::Store]),
        operands: [Shape::BITS],
        rewrite: |store, number| match store.fact(number) {
            Fact::Bits(of, ty) if number == 0 && ty == store.ty => {
                Some(Value::Operand(store.current(of)?))
            }
            _ => None,
        },
    },
    OperandRule {
        name: "narrow-extension",
        opcodes: Opcodes::These(&[Generic::SextInreg, Generic::ZextInreg]),
        operands: [Shape::EXTENDED],
        rewrite: |insn, number| {
            let bits = insn.at(2).small()?.cast_unsigned();
            narrowed(insn, number, bits)
        },
    },
];

/// Returns the register that an operand was extended from, if that kept this many bits.
fn narrowed(insn: &Site<'_, '_>, number: usize, bits: u32) -> Option<Value> {
    let Fact::Extended { bits: kept, of, .. } = insn.fact(number) else {
        return None;
    };
    let source = insn.current(of)?;
    let is_same = u32::from(kept) >= bits && insn.same_bank(source, insn.at(number));
    is_same.then_some(Value::Operand(source))
}

/// Returns how many bits of its sources an instruction of 32 bits reads.
fn short_bits(insn: &Site<'_, '_>) -> Option<u32> {
    (insn.ty == LowType::S32).then_some(32)
}
