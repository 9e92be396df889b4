//! Rules for arithmetic with one constant, which the first puts on the right if it is an integer.

use super::super::rule::{Opcodes, Rewrite, Rule, Value};
use super::super::values::{Fact, Shape};
use crate::machine::{Facts, Generic, LowType};

pub(super) const RULES: &[Rule] = &[
    // 5 + x is x + 5.
    Rule {
        name: "commute-constant",
        opcodes: Opcodes::With(Facts::COMMUTES),
        operands: [Shape::IMMEDIATE, Shape::REGISTER],
        rewrite: |insn| Some(Rewrite::Sources(1, [insn.at(2), insn.at(1)], insn.ty)),
    },
    // x + 0, x - 0, x | 0, x ^ 0, x << 0, x >> 0, x * 1 are x.
    Rule {
        name: "neutral-constant",
        opcodes: Opcodes::With(Facts::COMPUTED),
        operands: [Shape::REGISTER, Shape::IMMEDIATE],
        rewrite: |insn| {
            let neutral = match insn.generic {
                Generic::And => return None,
                Generic::Mul => 1,
                _ => 0,
            };
            let is_neutral = insn.immediate(2) == Some(neutral);
            is_neutral.then(|| Rewrite::copy(insn.at(1)))
        },
    },
    // x * 8 is x << 3.
    Rule {
        name: "multiply-by-power-of-two",
        opcodes: Opcodes::These(&[Generic::Mul]),
        operands: [Shape::REGISTER, Shape::IMMEDIATE],
        rewrite: |product| {
            let factor = product.immediate(2)?;
            let is_power = (1..1 << 31).contains(&factor) && factor.count_ones() == 1;
            let count = i64::from(factor.trailing_zeros());
            is_power.then(|| Rewrite::binary(Generic::Shl, product.ty, product.at(1), count))
        },
    },
    // x - 5 is x + -5, which can be folded into addresses.
    Rule {
        name: "subtract-constant",
        opcodes: Opcodes::These(&[Generic::Sub]),
        operands: [Shape::REGISTER, Shape::IMMEDIATE],
        rewrite: |difference| {
            let more = difference.immediate(2)?.checked_neg()?;
            let is_short = i32::try_from(more).is_ok();
            let (ty, x) = (difference.ty, difference.at(1));
            (is_short && ty == LowType::S64).then(|| Rewrite::binary(Generic::Add, ty, x, more))
        },
    },
    // x + 1 + 2 is x + 3.
    Rule {
        name: "add-to-sum",
        opcodes: Opcodes::These(&[Generic::Add]),
        operands: [Shape::OFFSET, Shape::IMMEDIATE],
        rewrite: |sum| {
            let Fact::Offset(x, first) = sum.fact(1) else {
                return None;
            };
            let x = sum.current(x)?;
            let more = i64::from(first).checked_add(sum.immediate(2)?)?;
            let is_wide = sum.ty == LowType::S64;
            is_wide.then(|| Rewrite::binary(Generic::Add, sum.ty, x, more))
        },
    },
    // x * 2.0 and 2.0 * x are x + x, whatever x is and however it is rounded.
    Rule {
        name: "multiply-by-two",
        opcodes: Opcodes::These(&[Generic::Fmul]),
        operands: [Shape::ANY, Shape::ANY],
        rewrite: |product| {
            let two = match product.ty {
                LowType::S32 => i64::from(2.0_f32.to_bits()),
                LowType::S64 => 2.0_f64.to_bits().cast_signed(),
                _ => return None,
            };
            let is_two = |number| product.fact(number) == Fact::FloatConstant(two);
            let x = match (is_two(1), is_two(2)) {
                (_, true) => product.at(1),
                (true, false) => product.at(2),
                (false, false) => return None,
            };
            let x = Some(Value::Operand(x));
            Some(Rewrite::Insn(Generic::Fadd, product.ty, [x, x]))
        },
    },
];
