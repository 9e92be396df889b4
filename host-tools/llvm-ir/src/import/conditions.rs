//! Imports the conditions of branches: comparisons that nothing else uses become the branch itself,
//! and conjunctions and disjunctions of them branches one after the other.
//!
//! **Idea.** Optimisers write `a && b` as a value where both sides are cheap: `select i1 %a, i1 %b,
//! i1 false`, or `and`. A processor branches on a comparison for less than it makes the value of
//! one, so the value is taken apart again (short-circuit evaluation; Aho, Lam, Sethi and Ullman,
//! "Compilers", 6.6).
//!
//! **Invariant.** A value is put off only within its block and only for its single user, so its
//! operands hold the same values at the branch. What a `select` leaves out is not evaluated, so
//! that poison in it does not matter.
//!
//! **Cost.** One walk over each block, backward; conditions nest at most [`DEEPEST`] times.

use super::function::Lower;
use super::integers::Outcome;
use super::values::Held;
use crate::ast::{Binary, Const, FloatPredicate, Insn, IntPredicate, LocalId, Op, Value};
use crate::error::Result;
use mir_nostd::ir::{Code, Label};
use std::collections::HashMap;

/// The deepest nesting of conditions that are taken apart.
const DEEPEST: u32 = 6;

/// A condition made of two others.
enum Junction<'s> {
    /// Both hold.
    And(&'s Value, &'s Value),
    /// One of them holds at least.
    Or(&'s Value, &'s Value),
}

impl<'s> Lower<'_, 's, '_> {
    /// Finds the comparisons and junctions that only the block's branch, or one selection, uses.
    pub(super) fn defer_conditions(&mut self, insns: &'s [Insn]) {
        // The values that are wanted as conditions, and how deep junctions may nest in them.
        let mut wanted: HashMap<LocalId, u32> = HashMap::new();
        for insn in insns.iter().rev() {
            let condition = match &insn.op {
                Op::CondBr(condition, ..) => Some((condition, DEEPEST)),
                Op::Select(condition, ..) => Some((condition, 0)),
                _ => None,
            };
            if let Some((Value::Local(local), depth)) = condition
                && self.is_used_once(*local)
            {
                wanted.entry(*local).or_insert(depth);
            }
            let Some((result, &depth)) = insn.result.and_then(|it| Some((it, wanted.get(&it)?)))
            else {
                continue;
            };
            if self.pinned.contains(&result) {
                continue;
            }
            if matches!(insn.op, Op::Icmp(..) | Op::Fcmp(..)) {
                self.deferred.insert(result, &insn.op);
            } else if depth > 0
                && let Some(Junction::And(a, b) | Junction::Or(a, b)) = self.junction(&insn.op)
            {
                self.deferred.insert(result, &insn.op);
                for side in [a, b] {
                    if let Value::Local(local) = side
                        && self.is_used_once(*local)
                    {
                        wanted.insert(*local, depth - 1);
                    }
                }
            }
        }
    }

    /// Returns the two conditions that an operation on truth values joins.
    fn junction(&self, op: &'s Op) -> Option<Junction<'s>> {
        let (Op::Select(_, ty, ..) | Op::Binary(_, ty, ..)) = op else {
            return None;
        };
        if self.importer.source.types.int_width(*ty) != Some(1) {
            return None;
        }
        Some(match op {
            Op::Select(a, _, Value::Const(Const::Int(yes)), b) if yes & 1 == 1 => {
                Junction::Or(a, b)
            }
            Op::Select(a, _, b, Value::Const(Const::Int(no))) if no & 1 == 0 => Junction::And(a, b),
            Op::Binary(Binary::Or, _, a, b) => Junction::Or(a, b),
            Op::Binary(Binary::And, _, a, b) => Junction::And(a, b),
            _ => return None,
        })
    }

    /// Branches to a label if a value of one bit is `wanted`.
    pub(super) fn branch_if(
        &mut self,
        condition: &Value,
        wanted: bool,
        label: Label,
    ) -> Result<()> {
        let deferred = match condition {
            Value::Local(local) => self.deferred.remove(local),
            _ => None,
        };
        let Some(op) = deferred else {
            let held = match condition {
                Value::Local(_) => self.pointer(condition)?,
                Value::Const(Const::Int(bit)) => Held::Int((bit & 1) as i64),
                _ => Held::Int(0),
            };
            let operand = self.operand(held)?;
            let code = if wanted { Code::Bt } else { Code::Bf };
            return self.emit(code, (label, operand));
        };
        match (self.junction(op), wanted) {
            (None, true) => self.compare(op, Outcome::Branch(label)),
            (None, false) => self.compare(&negation(op), Outcome::Branch(label)),
            (Some(Junction::Or(a, b)), true) | (Some(Junction::And(a, b)), false) => {
                self.branch_if(a, wanted, label)?;
                self.branch_if(b, wanted, label)
            }
            (Some(Junction::And(a, b)), true) | (Some(Junction::Or(a, b)), false) => {
                let other = self.new_label()?;
                self.branch_if(a, !wanted, other)?;
                self.branch_if(b, wanted, label)?;
                self.place_label(other)
            }
        }
    }
}

/// Returns the comparison that holds if this one does not.
fn negation(op: &Op) -> Op {
    match op {
        Op::Icmp(predicate, ty, a, b) => Op::Icmp(opposite(*predicate), *ty, a.clone(), b.clone()),
        Op::Fcmp(predicate, ty, a, b) => {
            Op::Fcmp(float_opposite(*predicate), *ty, a.clone(), b.clone())
        }
        other => other.clone(),
    }
}

const fn opposite(predicate: IntPredicate) -> IntPredicate {
    use IntPredicate as P;
    match predicate {
        P::Eq => P::Ne,
        P::Ne => P::Eq,
        P::Ugt => P::Ule,
        P::Uge => P::Ult,
        P::Ult => P::Uge,
        P::Ule => P::Ugt,
        P::Sgt => P::Sle,
        P::Sge => P::Slt,
        P::Slt => P::Sge,
        P::Sle => P::Sgt,
    }
}

const fn float_opposite(predicate: FloatPredicate) -> FloatPredicate {
    use FloatPredicate as P;
    match predicate {
        P::False => P::True,
        P::True => P::False,
        P::Oeq => P::Une,
        P::Une => P::Oeq,
        P::Ogt => P::Ule,
        P::Ule => P::Ogt,
        P::Oge => P::Ult,
        P::Ult => P::Oge,
        P::Olt => P::Uge,
        P::Uge => P::Olt,
        P::Ole => P::Ugt,
        P::Ugt => P::Ole,
        P::One => P::Ueq,
        P::Ueq => P::One,
        P::Ord => P::Uno,
        P::Uno => P::Ord,
    }
}
