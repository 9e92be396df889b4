//! Rules for the bits of a register that go to one of the other bank.

use super::super::rule::{Opcodes, Rewrite, Rule};
use super::super::values::{Fact, Shape};
use crate::machine::{Generic, LowType};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "constant-bits",
        opcodes: Opcodes::These(&[Generic::Bitcast]),
        operands: [Shape::CONSTANT.union(Shape::FLOAT_CONSTANT), Shape::ANY],
        rewrite: |insn| match (insn.fact(1), insn.ty) {
            (Fact::FloatConstant(bits), _) => Some(Rewrite::constant(bits)),
            (Fact::Constant(bits), LowType::S64) => Some(Rewrite::float_constant(insn.ty, bits)),
            (Fact::Constant(bits), _) => {
                Some(Rewrite::float_constant(insn.ty, i64::from(bits as u32)))
            }
            _ => None,
        },
    },
    Rule {
        name: "bits-of-bits",
        opcodes: Opcodes::These(&[Generic::Bitcast]),
        operands: [Shape::BITS, Shape::ANY],
        rewrite: |insn| match insn.fact(1) {
            Fact::Bits(of, ty) if ty == insn.ty => {
                let source = insn.current(of)?;
                let is_same = insn.same_bank(source, insn.at(0));
                is_same.then(|| Rewrite::copy(source))
            }
            _ => None,
        },
    },
];
