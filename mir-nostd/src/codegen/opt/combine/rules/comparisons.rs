//! Rules for comparisons and the branches on them.

use super::super::rule::{Opcodes, Rewrite, Rule, Site};
use super::super::values::{Fact, Shape};
use crate::codegen::analysis::constants::holds;
use crate::machine::{Generic, IntPredicate, LowType, Operand};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "narrow-comparison",
        opcodes: Opcodes::These(&[Generic::Icmp, Generic::Select]),
        operands: [Shape::ANY, Shape::EXTENDED],
        rewrite: |insn| narrow(insn, 1),
    },
    Rule {
        name: "narrow-branch",
        opcodes: Opcodes::These(&[Generic::BrIcmp]),
        operands: [Shape::EXTENDED, Shape::ANY],
        rewrite: |insn| narrow(insn, 0),
    },
    // x - 3 is 0 where x is 3.
    Rule {
        name: "compare-difference",
        opcodes: Opcodes::These(&[Generic::BrIcmp]),
        operands: [Shape::OFFSET, Shape::IMMEDIATE],
        rewrite: |branch| {
            let Fact::Offset(x, more) = branch.fact(1) else {
                return None;
            };
            let is_equality = matches!(
                branch.at(0).as_int_predicate(),
                Some(IntPredicate::Eq | IntPredicate::Ne)
            );
            let number = branch.immediate(2)?.checked_sub(more.into())?;
            let number = Operand::imm(i32::try_from(number).ok()?);
            let sides = [branch.current(x)?, number];
            let is_wide = branch.ty == LowType::S64;
            (is_equality && is_wide).then_some(Rewrite::Sources(1, sides, branch.ty))
        },
    },
    // (a < b) != 0 is a < b.
    Rule {
        name: "branch-on-comparison",
        opcodes: Opcodes::These(&[Generic::BrIcmp]),
        operands: [Shape::COMPARED, Shape::IMMEDIATE],
        rewrite: |branch| test(branch, 1, branch.at(0), branch.immediate(2)?),
    },
    Rule {
        name: "compare-comparison",
        opcodes: Opcodes::These(&[Generic::Icmp, Generic::Select]),
        operands: [Shape::ANY, Shape::COMPARED],
        rewrite: |insn| test(insn, 2, insn.at(1), insn.immediate(3)?),
    },
    // (a < b) ^ 1 is a >= b.
    Rule {
        name: "invert-comparison",
        opcodes: Opcodes::These(&[Generic::Xor]),
        operands: [Shape::COMPARED, Shape::IMMEDIATE],
        rewrite: |insn| {
            let is_inverse = insn.immediate(2)? == 1;
            let same = Operand::int_predicate(IntPredicate::Eq);
            test(insn, 1, same, 0).filter(|_| is_inverse)
        },
    },
    // (a < b) & 1 is a < b.
    Rule {
        name: "mask-comparison",
        opcodes: Opcodes::These(&[Generic::And]),
        operands: [Shape::COMPARED, Shape::IMMEDIATE],
        rewrite: |insn| {
            let keeps = insn.immediate(2)? & 1 == 1;
            keeps.then(|| Rewrite::copy(insn.at(1)))
        },
    },
    // A branch on constants.
    Rule {
        name: "decide-branch",
        opcodes: Opcodes::These(&[Generic::BrIcmp]),
        operands: [Shape::IMMEDIATE, Shape::IMMEDIATE],
        rewrite: |branch| {
            let predicate = branch.at(0).as_int_predicate()?;
            let (left, right) = (branch.immediate(1)?, branch.immediate(2)?);
            if !holds(predicate, branch.ty, left, right) {
                return Some(Rewrite::Nothing);
            }
            Some(Rewrite::Jump(branch.at(3)))
        },
    },
];

/// Compares 32 bits instead of 64 where both sides are extended from them. The predicate is the
/// operand of this number, the sides follow it.
fn narrow(insn: &Site<'_, '_>, predicate: usize) -> Option<Rewrite> {
    let is_equality = matches!(
        insn.at(predicate).as_int_predicate(),
        Some(IntPredicate::Eq | IntPredicate::Ne)
    );
    let b = insn.at(predicate + 2);
    let Fact::Extended {
        signed,
        bits: 32,
        of,
    } = insn.fact(predicate + 1)
    else {
        return None;
    };
    let right = match (insn.fact(predicate + 2), b.small()) {
        (_, Some(value)) if signed || is_equality && value >= 0 => b,
        (
            Fact::Extended {
                signed: same,
                bits: 32,
                of,
            },
            _,
        ) if same == signed && (signed || is_equality) => insn.current(of)?,
        _ => return None,
    };
    let sides = [insn.current(of)?, right];
    let is_wide = insn.ty == LowType::S64;
    is_wide.then_some(Rewrite::Sources(predicate + 1, sides, LowType::S32))
}

/// Compares what another comparison compared, where its result, the operand of this number, is
/// compared with 0 or 1. Registers stay alive no longer for that than the result would.
fn test(insn: &Site<'_, '_>, number: usize, predicate: Operand, with: i64) -> Option<Rewrite> {
    use IntPredicate as P;
    let Fact::Compared(comparison) = insn.fact(number) else {
        return None;
    };
    let row = insn.function.insn(comparison);
    let &[_, holds, a, b] = insn.function.operands(comparison) else {
        return None;
    };
    let holds = holds.as_int_predicate()?;
    let holds = match (predicate.as_int_predicate()?, with) {
        (P::Ne, 0) | (P::Eq, 1) => holds,
        (P::Eq, 0) | (P::Ne, 1) => holds.inverse(),
        _ => return None,
    };
    let is_value = |side: Operand| side.vreg().is_some() || side.as_reg().is_none();
    let is_near = row.block() == insn.block || a.vreg().is_none() || b.vreg().is_none();
    let comparison = [Operand::int_predicate(holds), a, b];
    (is_near && is_value(a) && is_value(b)).then_some(Rewrite::Comparison(comparison, row.ty))
}
