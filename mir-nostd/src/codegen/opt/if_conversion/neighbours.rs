//! Joins the loads of both sides of a branch, if they are from places beside each other: the
//! comparison becomes the index of one load.
//!
//! `node = key < node->key ? node->left : node->right` is the step of a search in a tree, and what
//! it compares cannot be predicted. Where compilers of C load both places and select, which only
//! their language allows, this loads the one that was loaded before, and nothing else. So the
//! result waits for the comparison and the load, which takes less time than to mispredict every
//! second branch.

use super::{Branch, Test, replace, sources};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::is_phi;
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, OperandFlags,
};
use crate::target::error::{Error, Phase};

/// Two sides of a branch, each of which only loads.
pub(super) struct Neighbours {
    branch: Branch,
    /// The load of each side.
    loads: [Load; 2],
}

/// A load from a place at a distance from a base.
#[derive(Clone, Copy)]
struct Load {
    insn: InsnId,
    to: Operand,
    base: Operand,
    displacement: i32,
}

impl Load {
    /// Returns the load that is the only instruction of a block, but for a jump.
    fn of(function: &Function<'_>, block: BlockId) -> Option<Load> {
        let insn = function.block(block).first()?;
        let row = function.insn(insn);
        let is_end = |insn| function.insn(insn).opcode.generic() == Some(Generic::Br);
        if !row.next().is_none_or(is_end) || function.block(block).address_taken {
            return None;
        }
        let (Some(Generic::Load | Generic::SextLoad | Generic::ZextLoad), &[to, base, index, ..]) =
            (row.opcode.generic(), function.operands(insn))
        else {
            return None;
        };
        let displacement = function.operands(insn).get(4)?.small()?;
        let is_plain = base.vreg().is_some() && index.as_reg()?.is_none();
        is_plain.then_some(Load {
            insn,
            to,
            base,
            displacement,
        })
    }
}

impl Neighbours {
    /// Returns the loads of the sides of a branch, if one can stand for both.
    pub(super) fn find(
        function: &Function<'_>,
        flow: &Flow<'_>,
        test: &Test,
    ) -> Option<Neighbours> {
        let sides = [test.target, test.other];
        let is_reached_once = |&side: &BlockId| flow.edges.predecessors(side).len() == 1;
        let (&[join], &[end]) = (
            flow.edges.successors(test.target),
            flow.edges.successors(test.other),
        ) else {
            return None;
        };
        if join != end || join == test.block || !sides.iter().all(is_reached_once) {
            return None;
        }
        let loads = [Load::of(function, sides[0])?, Load::of(function, sides[1])?];
        let [a, b] = loads.map(|load| function.insn(load.insn));
        let is_alike = a.opcode == b.opcode
            && a.ty == b.ty
            && !a.ty.is_long_double()
            && loads[0].base.as_reg() == loads[1].base.as_reg();
        let found = Neighbours {
            branch: Branch {
                block: test.block,
                insn: test.insn,
                sides: sides.map(Some),
                join,
                has_addresses: false,
            },
            loads,
        };
        (is_alike && matches!(found.distance(), 1 | 2 | 4 | 8) && found.is_chosen(function))
            .then_some(found)
    }

    /// Returns the number of bytes between the places.
    fn distance(&self) -> u32 {
        let [a, b] = self.loads.map(|load| load.displacement);
        a.abs_diff(b)
    }

    /// Returns whether the sides differ in what they load alone.
    fn is_chosen(&self, function: &Function<'_>) -> bool {
        let [x, y] = self.loads.map(|load| load.to.vreg());
        let mut are_any = false;
        let mut phis =
            { function.insns(self.branch.join) }.take_while(|&phi| is_phi(function, phi));
        let is_same = phis.all(|phi| {
            let Some([a, b]) = sources(function, phi, &self.branch) else {
                return false;
            };
            let is_loaded = a.vreg() == x && b.vreg() == y;
            are_any |= is_loaded;
            is_loaded || a == b
        });
        is_same && are_any
    }

    /// Replaces the branch and both loads by one load.
    pub(super) fn join(&self, function: &mut Function<'_>) -> Result<(), Error> {
        let [x, y] = self.loads;
        let row = *function.insn(x.insn);
        function.remove(x.insn);
        function.remove(y.insn);
        let missing = Phase::Optimisation.internal(Some(self.branch.insn));
        let mut loaded = None;
        replace(function, &self.branch, |function, comparison, [a, b]| {
            if a == b || loaded.is_some() {
                return Ok(if a == b { Some(a) } else { loaded });
            }
            let (ty, [predicate, left, right]) = comparison;
            let predicate = predicate.as_int_predicate().ok_or(missing)?;
            let block = self.branch.block;
            let index = self.index(function, (ty, predicate, [left, right]))?;
            let old = x.to.vreg().ok_or(missing)?;
            let to = Operand::from(function.add_vreg(function.vreg(old))?);
            let operands = [
                to.with(OperandFlags::DEF),
                x.base,
                index,
                Operand::imm(self.distance().cast_signed()),
                Operand::imm(x.displacement.min(y.displacement)),
            ];
            function.append(block, row.opcode, row.ty, &operands)?;
            loaded = Some(to);
            Ok(loaded)
        })
    }

    /// Appends what computes 1 if the place further up is loaded, else 0. Returns its register.
    fn index(
        &self,
        function: &mut Function<'_>,
        (ty, predicate, [left, right]): (LowType, IntPredicate, [Operand; 2]),
    ) -> Result<Operand, Error> {
        let [x, y] = self.loads.map(|load| load.displacement);
        let predicate = if x > y {
            predicate
        } else {
            predicate.inverse()
        };
        let base = { self.loads[0].base.vreg() }
            .ok_or(Phase::Optimisation.internal(Some(self.branch.insn)))?;
        let index = Operand::from(function.add_vreg(function.vreg(base))?);
        let def = index.with(OperandFlags::DEF);
        let operands = [def, Operand::int_predicate(predicate), left, right];
        function.append(self.branch.block, Generic::Icmp, ty, &operands)?;
        Ok(index)
    }
}
