//! Comparisons of integers: into a register, or fused with the branch.

use super::{Selector, small};
use crate::insns::Op;
use crate::registers::ZERO;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{IntPredicate, Operand};

/// A comparison in 64 bits, reduced to fewer predicates by swapping the operands.
#[derive(Clone, Copy)]
struct Comparison {
    predicate: IntPredicate,
    a: Operand,
    b: Operand,
}

impl Selector<'_, '_, '_> {
    /// Returns the comparison that operand `first`, the predicate, and the two operands after it
    /// describe; an immediate comes second.
    fn comparison(&mut self, first: usize) -> Result<Comparison, Error> {
        let Some(mut predicate) = self.operand(first).as_int_predicate() else {
            return self.unknown();
        };
        let given = [self.operand(first + 1), self.operand(first + 2)];
        let [a, b] = self.immediate_last(given[0], given[1]);
        if a != given[0] {
            predicate = predicate.swapped();
        }
        Ok(Comparison { predicate, a, b })
    }

    /// Emits `to` = 0 or 1, the result of the comparison.
    pub(super) fn set_comparison(&mut self) -> Result<(), Error> {
        use IntPredicate as P;
        let to = self.operand(0);
        let Comparison { predicate, a, b } = self.comparison(1)?;
        let a = self.whole(a)?;
        let is_equality = matches!(predicate, P::Eq | P::Ne);
        if is_equality {
            let rest = self.difference(a, b)?;
            return match predicate {
                P::Eq => self.with_immediate(Op::SLTIU, to, rest, 1),
                _ => self.emit(Op::SLTU, &[to, Operand::reg(ZERO), rest]),
            };
        }
        let is_signed = matches!(predicate, P::Slt | P::Sle | P::Sgt | P::Sge);
        let [less, less_immediate] = if is_signed {
            [Op::SLT, Op::SLTI]
        } else {
            [Op::SLTU, Op::SLTIU]
        };
        // a <= b is a < b + 1, unless b + 1 overflows.
        let limit = match (predicate, self.immediate(b)) {
            (P::Slt | P::Sge | P::Ult | P::Uge, limit) => limit,
            (P::Ule | P::Ugt, Some(-1)) => None,
            (_, limit) => limit.and_then(|limit| limit.checked_add(1)),
        };
        if let Some(limit) = limit.and_then(small) {
            if matches!(predicate, P::Slt | P::Sle | P::Ult | P::Ule) {
                return self.with_immediate(less_immediate, to, a, limit);
            }
            let opposite = self.new_with_immediate(less_immediate, a, limit)?;
            return self.with_immediate(Op::XORI, to, opposite, 1);
        }
        let b = self.whole(b)?;
        match predicate {
            P::Slt | P::Ult => self.emit(less, &[to, a, b]),
            P::Sgt | P::Ugt => self.emit(less, &[to, b, a]),
            _ => {
                let is_swapped = matches!(predicate, P::Sle | P::Ule);
                let [a, b] = if is_swapped { [b, a] } else { [a, b] };
                let opposite = self.new_with(less, a, b)?;
                self.with_immediate(Op::XORI, to, opposite, 1)
            }
        }
    }

    /// Returns a register that is 0 if both are equal.
    fn difference(&mut self, a: Operand, b: Operand) -> Result<Operand, Error> {
        match self.immediate(b) {
            Some(0) => Ok(a),
            Some(value @ -2047..=2048) => self.new_with_immediate(Op::ADDI, a, -value as i32),
            _ => {
                let b = self.whole(b)?;
                self.new_with(Op::XOR, a, b)
            }
        }
    }

    /// Branches to a block if the comparison holds.
    pub(super) fn branch_comparison(&mut self) -> Result<(), Error> {
        use IntPredicate as P;
        let block = self.operand(3);
        let Comparison { predicate, a, b } = self.comparison(0)?;
        let (a, b) = (self.whole(a)?, self.whole(b)?);
        let (op, is_swapped) = match predicate {
            P::Eq => (Op::BEQ, false),
            P::Ne => (Op::BNE, false),
            P::Slt => (Op::BLT, false),
            P::Sge => (Op::BGE, false),
            P::Ult => (Op::BLTU, false),
            P::Uge => (Op::BGEU, false),
            P::Sgt => (Op::BLT, true),
            P::Sle => (Op::BGE, true),
            P::Ugt => (Op::BLTU, true),
            P::Ule => (Op::BGEU, true),
        };
        let [a, b] = if is_swapped { [b, a] } else { [a, b] };
        self.emit(op, &[a, b, block])
    }
}
