//! Rules for instructions on constants: they are computed.

use super::super::rule::{Opcodes, Rewrite, Rule};
use super::super::values::{Fact, Shape};
use crate::codegen::analysis::constants::{compute, extended};
use crate::machine::{Facts, Generic, LowType};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "constant-copy",
        opcodes: Opcodes::These(&[Generic::Copy]),
        operands: [Shape::IMMEDIATE, Shape::ANY],
        rewrite: |copy| Some(Rewrite::constant(copy.immediate(1)?)),
    },
    Rule {
        name: "constant-extension",
        opcodes: Opcodes::These(&[Generic::SextInreg, Generic::ZextInreg]),
        operands: [Shape::IMMEDIATE, Shape::ANY],
        rewrite: |insn| {
            let is_signed = insn.generic == Generic::SextInreg;
            let bits = insn.at(2).small().unwrap_or(64);
            let value = extended(insn.immediate(1)?, is_signed, bits);
            Some(Rewrite::constant(value))
        },
    },
    Rule {
        name: "constant-arithmetic",
        opcodes: Opcodes::With(Facts::COMPUTED),
        operands: [Shape::IMMEDIATE, Shape::IMMEDIATE],
        rewrite: |insn| {
            let (left, right) = (insn.immediate(1)?, insn.immediate(2)?);
            let value = compute(insn.generic, insn.ty, left, right)?;
            Some(Rewrite::constant(value))
        },
    },
    // To a float or double.
    Rule {
        name: "constant-conversion",
        opcodes: Opcodes::These(&[Generic::Sitofp]),
        operands: [Shape::CONSTANT.union(Shape::IMMEDIATE), Shape::ANY],
        rewrite: |insn| {
            let value = match insn.fact(1) {
                Fact::Constant(value) => value,
                _ => insn.immediate(1)?,
            };
            let bits = match insn.ty {
                LowType::S64 => (value as f64).to_bits().cast_signed(),
                LowType::S32 => i64::from((value as f32).to_bits()),
                _ => return None,
            };
            Some(Rewrite::float_constant(insn.ty, bits))
        },
    },
];
