//! Rules for the addresses of loads and stores: the computation of a base or an index becomes part
//! of the address.

use super::super::rule::{Address, Opcodes, Rewrite, Rule};
use super::super::values::{Fact, Shape};
use crate::machine::{Generic, Operand};

const MEMORY: Opcodes = Opcodes::These(&[
    Generic::Load,
    Generic::SextLoad,
    Generic::ZextLoad,
    Generic::Store,
]);

pub(super) const RULES: &[Rule] = &[
    // An earlier step may have made a constant the base: the index becomes the base then.
    Rule {
        name: "base-constant",
        opcodes: MEMORY,
        operands: [Shape::CONSTANT, Shape::ANY],
        rewrite: |insn| match (insn.fact(1), insn.address()?) {
            (Fact::Constant(value), address) if address.has_plain_index() => {
                let address = address.displaced(value)?;
                Some(Rewrite::Address(Address {
                    base: address.index,
                    index: Operand::NO_REG,
                    ..address
                }))
            }
            _ => None,
        },
    },
    Rule {
        name: "base-offset",
        opcodes: MEMORY,
        operands: [Shape::OFFSET, Shape::ANY],
        rewrite: |insn| match insn.fact(1) {
            Fact::Offset(of, more) => {
                let base = insn.current(of)?;
                let address = insn.address()?.displaced(more.into())?;
                Some(Rewrite::Address(Address { base, ..address }))
            }
            _ => None,
        },
    },
    Rule {
        name: "base-frame-object",
        opcodes: MEMORY,
        operands: [Shape::FRAME, Shape::ANY],
        rewrite: |insn| match insn.fact(1) {
            Fact::Frame(base, more) => {
                let address = insn.address()?.displaced(more.into())?;
                Some(Rewrite::Address(Address { base, ..address }))
            }
            _ => None,
        },
    },
    Rule {
        name: "base-sum",
        opcodes: MEMORY,
        operands: [Shape::SUM, Shape::ANY],
        rewrite: |insn| match (insn.fact(1), insn.address()?) {
            (Fact::Sum(left, right), address) if address.index == Operand::NO_REG => {
                let (base, index) = (insn.current(left)?, insn.current(right)?);
                Some(Rewrite::Address(Address {
                    base,
                    index,
                    scale: 1,
                    ..address
                }))
            }
            _ => None,
        },
    },
    Rule {
        name: "index-constant",
        opcodes: MEMORY,
        operands: [Shape::ANY, Shape::CONSTANT],
        rewrite: |insn| match (insn.fact(2), insn.address()?) {
            (Fact::Constant(value), address) => {
                let offset = value.checked_mul(address.scale.into())?;
                Some(Rewrite::Address(Address {
                    index: Operand::NO_REG,
                    scale: 1,
                    ..address.displaced(offset)?
                }))
            }
            _ => None,
        },
    },
    Rule {
        name: "index-offset",
        opcodes: MEMORY,
        operands: [Shape::ANY, Shape::OFFSET],
        rewrite: |insn| match (insn.fact(2), insn.address()?) {
            (Fact::Offset(of, more), address) => {
                let index = insn.current(of)?;
                let address = address.displaced(more.checked_mul(address.scale)?.into())?;
                Some(Rewrite::Address(Address { index, ..address }))
            }
            _ => None,
        },
    },
    Rule {
        name: "index-scaled",
        opcodes: MEMORY,
        operands: [Shape::ANY, Shape::SCALED],
        rewrite: |insn| match (insn.fact(2), insn.address()?) {
            (Fact::Scaled(of, factor), address) if factor * address.scale <= 8 => {
                let (index, scale) = (insn.current(of)?, factor * address.scale);
                Some(Rewrite::Address(Address {
                    index,
                    scale,
                    ..address
                }))
            }
            _ => None,
        },
    },
];
