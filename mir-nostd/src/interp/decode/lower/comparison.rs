//! Lowering of comparisons and of branches on them.

use super::super::super::code::Op;
use super::super::extensions::Extensions;
use super::super::flow::{branch_on, opposite};
use super::super::operand::Source;
use super::super::{DecodeError, Decoder, Var, Width};
use crate::ir::{Code, InsnId};

/// The relation that a comparison tests; greater is less with swapped operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
}

/// The kind of values that a comparison compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Int,
    Short,
    Unsigned,
    UnsignedShort,
    Float,
    Double,
    LongDouble,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    relation: Relation,
    pub(super) kind: Kind,
    swapped: bool,
}

/// The side of a comparison that an operand is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Left,
    Right,
}

impl Comparison {
    /// Returns the comparison that an instruction makes; the numbers of both families follow one
    /// pattern.
    pub(super) fn of(code: Code) -> Option<Comparison> {
        let number = code.number();
        let place = match number {
            72..=109 => number - 72,
            123..=160 => number - 123,
            _ => return None,
        };
        const EQUALITY: [Kind; 5] = [
            Kind::Int,
            Kind::Short,
            Kind::Float,
            Kind::Double,
            Kind::LongDouble,
        ];
        const ORDER: [Kind; 7] = [
            Kind::Int,
            Kind::Short,
            Kind::Unsigned,
            Kind::UnsignedShort,
            Kind::Float,
            Kind::Double,
            Kind::LongDouble,
        ];
        let (relation, kind, swapped) = match place.checked_sub(10) {
            None => {
                let relation = if place < 5 {
                    Relation::Eq
                } else {
                    Relation::Ne
                };
                (relation, EQUALITY[usize::from(place % 5)], false)
            }
            Some(place) => {
                let relation = if place / 7 % 2 == 0 {
                    Relation::Lt
                } else {
                    Relation::Le
                };
                (relation, ORDER[usize::from(place % 7)], place >= 14)
            }
        };
        Some(Comparison {
            relation,
            kind,
            swapped,
        })
    }

    pub(super) fn bits(self) -> u32 {
        match self.kind {
            Kind::Short | Kind::UnsignedShort => 32,
            Kind::LongDouble => 128,
            _ => 64,
        }
    }

    fn is_int(self) -> bool {
        !matches!(self.kind, Kind::Float | Kind::Double | Kind::LongDouble)
    }

    fn is_unsigned(self) -> bool {
        matches!(self.kind, Kind::Unsigned | Kind::UnsignedShort)
    }

    /// Returns whether it holds for constants, if they are integers.
    fn holds(self, a: i64, b: i64) -> Option<bool> {
        let order = match self.kind {
            Kind::Int => a.cmp(&b),
            Kind::Short => (a as i32).cmp(&(b as i32)),
            Kind::Unsigned => (a as u64).cmp(&(b as u64)),
            Kind::UnsignedShort => (a as u32).cmp(&(b as u32)),
            _ => return None,
        };
        Some(match self.relation {
            Relation::Eq => order.is_eq(),
            Relation::Ne => order.is_ne(),
            Relation::Lt => order.is_lt(),
            Relation::Le => order.is_le(),
        })
    }

    /// Returns the operations on registers: one for the result, and one that branches if there is
    /// such.
    fn ops(self) -> (Op, Option<Op>) {
        use Kind::{Double, Float, LongDouble, Short, Unsigned, UnsignedShort};
        use Relation::{Eq, Le, Lt, Ne};
        let (value, branch) = match (self.relation, self.kind) {
            (Eq, Float) => (Op::Feq, Op::Fbeq),
            (Eq, Double) => (Op::Deq, Op::Dbeq),
            (Eq, LongDouble) => return (Op::Ldeq, None),
            (Eq, Short | UnsignedShort) => (Op::Eqs, Op::Beqs),
            (Eq, _) => (Op::Eq, Op::Beq),
            (Ne, Float) => (Op::Fne, Op::Fbne),
            (Ne, Double) => (Op::Dne, Op::Dbne),
            (Ne, LongDouble) => return (Op::Ldne, None),
            (Ne, Short | UnsignedShort) => (Op::Nes, Op::Bnes),
            (Ne, _) => (Op::Ne, Op::Bne),
            (Lt, Kind::Int) => (Op::Lt, Op::Blt),
            (Lt, Short) => (Op::Lts, Op::Blts),
            (Lt, Unsigned) => (Op::Ult, Op::Ublt),
            (Lt, UnsignedShort) => (Op::Ults, Op::Ublts),
            (Lt, Float) => (Op::Flt, Op::Fblt),
            (Lt, Double) => (Op::Dlt, Op::Dblt),
            (Lt, LongDouble) => return (Op::Ldlt, None),
            (Le, Kind::Int) => (Op::Le, Op::Ble),
            (Le, Short) => (Op::Les, Op::Bles),
            (Le, Unsigned) => (Op::Ule, Op::Uble),
            (Le, UnsignedShort) => (Op::Ules, Op::Ubles),
            (Le, Float) => (Op::Fle, Op::Fble),
            (Le, Double) => (Op::Dle, Op::Dble),
            (Le, LongDouble) => return (Op::Ldle, None),
        };
        (value, Some(branch))
    }

    /// Returns the operations that compare a register with a constant, and the constant;
    /// `side` is that of the constant. `x <= c` becomes `x < c + 1`, `c <= x` becomes `x > c - 1`.
    fn constant_ops(self, constant: i64, side: Side) -> Option<(Op, Op, u32)> {
        let constant = match self.kind {
            Kind::Short | Kind::UnsignedShort => i64::from(constant as i32),
            _ => constant,
        };
        let unsigned = self.is_unsigned();
        let constant = match (self.relation, side) {
            (Relation::Le, Side::Right) if unsigned && constant == -1 => return None,
            (Relation::Le, Side::Right) => constant.checked_add(1)?,
            (Relation::Le, Side::Left) if unsigned && constant == 0 => return None,
            (Relation::Le, Side::Left) => constant.checked_sub(1)?,
            _ => constant,
        };
        let small = i32::try_from(constant).ok()? as u32;
        let less = side == Side::Right;
        let (value, branch) = match (self.relation, self.kind) {
            (Relation::Eq, Kind::Int | Kind::Unsigned) => (Op::EqI, Op::BeqI),
            (Relation::Eq, Kind::Short | Kind::UnsignedShort) => (Op::EqsI, Op::BeqsI),
            (Relation::Ne, Kind::Int | Kind::Unsigned) => (Op::NeI, Op::BneI),
            (Relation::Ne, Kind::Short | Kind::UnsignedShort) => (Op::NesI, Op::BnesI),
            (_, Kind::Int) if less => (Op::LtI, Op::BltI),
            (_, Kind::Int) => (Op::GtI, Op::BgtI),
            (_, Kind::Short) if less => (Op::LtsI, Op::BltsI),
            (_, Kind::Short) => (Op::GtsI, Op::BgtsI),
            (_, Kind::Unsigned) if less => (Op::UltI, Op::UbltI),
            (_, Kind::Unsigned) => (Op::UgtI, Op::UbgtI),
            (_, Kind::UnsignedShort) if less => (Op::UltsI, Op::UbltsI),
            (_, Kind::UnsignedShort) => (Op::UgtsI, Op::UbgtsI),
            _ => return None,
        };
        Some((value, branch, small))
    }
}

/// Returns the branch on a value that is zero or not, in place of one on a comparison with zero.
const fn test_of_zero(op: Op, constant: u32) -> Option<Op> {
    Some(match (op, constant) {
        (Op::BeqI, 0) => Op::Bf,
        (Op::BeqsI, 0) => Op::Bfs,
        (Op::BneI, 0) => Op::Bt,
        (Op::BnesI, 0) => Op::Bts,
        _ => return None,
    })
}

/// The inputs of a comparison.
enum Compared {
    /// A result that is known.
    ValueFacts(bool),
    /// A register and a constant: operation for the result, for the branch, register, constant.
    Constant(Op, Op, Var, u32),
    Vars(Var, Var),
}

impl Decoder<'_, '_> {
    pub(super) fn compare(
        &mut self,
        insn: InsnId,
        comparison: Comparison,
    ) -> Result<(), DecodeError> {
        let output = self.operand(insn, 0)?;
        let (op, inputs) = match self.compared(insn, comparison)? {
            Compared::ValueFacts(holds) => {
                return self.move_to(output, Source::Constant(i64::from(holds)));
            }
            Compared::Constant(op, _, var, constant) => (op, [var.0, constant]),
            Compared::Vars(a, b) => (comparison.ops().0, [a.0, b.0]),
        };
        let target = self.target(output)?;
        self.compute(target, op, &inputs, Extensions::up_to(1))
    }

    pub(super) fn compare_and_branch(
        &mut self,
        insn: InsnId,
        comparison: Comparison,
        block: usize,
    ) -> Result<(), DecodeError> {
        let label = self.branch_label(insn)?;
        let [to, cost] = self.edge(label, block);
        match self.compared(insn, comparison)? {
            Compared::ValueFacts(true) => self.push(Op::Jmp, &[to, cost]),
            Compared::ValueFacts(false) => Ok(()),
            Compared::Constant(_, op, var, constant) => match test_of_zero(op, constant) {
                Some(op) => self.test_and_branch(op, var, [to, cost]),
                None => self.push(op, &[var.0, constant, to, cost]),
            },
            Compared::Vars(a, b) => match comparison.ops() {
                (_, Some(op)) => self.push(op, &[a.0, b.0, to, cost]),
                (op, None) => {
                    let temp = self.temp(Width::Cell)?;
                    self.push(op, &[temp.0, a.0, b.0])?;
                    self.written(temp);
                    self.push(Op::Bt, &[temp.0, to, cost])
                }
            },
        }
    }

    /// Adds a branch on a variable being zero or not, or on the comparison that it results from.
    pub(super) fn test_and_branch(
        &mut self,
        op: Op,
        var: Var,
        [to, cost]: [u32; 2],
    ) -> Result<(), DecodeError> {
        let holds = matches!(op, Op::Bt | Op::Bts);
        match self.comparison_that_made(var, holds) {
            Some((op, [a, b])) => match test_of_zero(op, b) {
                Some(op) => self.push(op, &[a, to, cost]),
                None => self.push(op, &[a, b, to, cost]),
            },
            None => self.push(op, &[var.0, to, cost]),
        }
    }

    /// Returns the branch that is taken if a variable is true, or if it is false, and its operands:
    /// if the variable lives in this stretch only and is the result of a comparison, or its
    /// opposite, and the inputs have not changed since.
    fn comparison_that_made(&self, mut var: Var, mut holds: bool) -> Option<(Op, [u32; 2])> {
        for _ in 0..3 {
            let (op, [a, b, _]) = self.made_by(var).filter(|_| self.var(var).local)?;
            if let Some(op) = branch_on(op) {
                return match holds {
                    true => Some((op, [a, b])),
                    false => opposite(op, [a, b]),
                };
            }
            let is_opposite = op == Op::XorI && b == 1;
            if !is_opposite || a == var.0 {
                return None;
            }
            (var, holds) = (Var(a), !holds);
        }
        None
    }

    /// Returns the inputs of a comparison, which are operands 1 and 2.
    fn compared(&mut self, insn: InsnId, comparison: Comparison) -> Result<Compared, DecodeError> {
        let bits = comparison.bits();
        let a = self.source_at(insn, 1, bits)?;
        let b = self.source_at(insn, 2, bits)?;
        let (a, b) = if comparison.swapped { (b, a) } else { (a, b) };
        if comparison.is_int() {
            let by_constant = match (a, b) {
                (Source::Constant(a), Source::Constant(b)) => {
                    if let Some(holds) = comparison.holds(a, b) {
                        return Ok(Compared::ValueFacts(holds));
                    }
                    None
                }
                (Source::Var(var), Source::Constant(constant)) => comparison
                    .constant_ops(constant, Side::Right)
                    .map(|(value, branch, constant)| (value, branch, var, constant)),
                (Source::Constant(constant), Source::Var(var)) => comparison
                    .constant_ops(constant, Side::Left)
                    .map(|(value, branch, constant)| (value, branch, var, constant)),
                _ => None,
            };
            if let Some((value, branch, var, constant)) = by_constant {
                return Ok(Compared::Constant(value, branch, var, constant));
            }
        }
        Ok(Compared::Vars(self.in_var(a)?, self.in_var(b)?))
    }
}
