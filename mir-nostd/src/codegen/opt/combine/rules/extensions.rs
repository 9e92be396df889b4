//! Rules for extensions that are there already.

use super::super::rule::{Opcodes, Rewrite, Rule};
use super::super::values::{Fact, Shape};
use crate::machine::Generic;

const EXTENSIONS: Opcodes = Opcodes::These(&[Generic::SextInreg, Generic::ZextInreg]);

pub(super) const RULES: &[Rule] = &[
    // Of a value that is extended from as few bits.
    Rule {
        name: "extend-extended",
        opcodes: EXTENSIONS,
        operands: [
            Shape::SIGNED
                .union(Shape::UNSIGNED)
                .union(Shape::EXTENDED)
                .union(Shape::COMPARED),
            Shape::ANY,
        ],
        rewrite: |insn| {
            let width = insn.at(2).small().unwrap_or(64);
            let (was_signed, bits) = match insn.fact(1) {
                Fact::Signed(bits) => (true, bits),
                Fact::Unsigned(bits) => (false, bits),
                Fact::Compared(_) => (false, 1),
                Fact::Extended { signed, bits, .. } => (signed, bits),
                _ => return None,
            };
            let bits = i32::from(bits);
            let is_there = match (was_signed, insn.generic == Generic::SextInreg) {
                (true, true) | (false, false) => bits <= width,
                (false, true) => bits < width,
                (true, false) => false,
            };
            is_there.then(|| Rewrite::copy(insn.at(1)))
        },
    },
    // Of a register that was extended in the same way before. In SSA form value numbering does
    // that.
    Rule {
        name: "extend-again",
        opcodes: EXTENSIONS,
        operands: [Shape::REGISTER, Shape::ANY],
        rewrite: |insn| {
            if insn.values.is_ssa() {
                return None;
            }
            let register = insn.values.extended(insn.at(1))?;
            let wanted = Fact::Extended {
                signed: insn.generic == Generic::SextInreg,
                bits: u8::try_from(insn.at(2).small()?).ok()?,
                of: insn.values.source(insn.at(1))?,
            };
            let is_same = insn.values.fact(register) == wanted;
            is_same.then_some(Rewrite::copy(register))
        },
    },
];
