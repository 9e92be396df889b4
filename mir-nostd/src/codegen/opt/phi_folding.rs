//! PHI folding: an addition of a PHI that is 0 on some paths moves into the blocks of the others.
//! In SSA form.
//!
//! The pattern is `total + (condition ? value : 0)`: of `x = PHI(value, p; 0, q)` and
//! `sum = total + x` is made `moved = total + value` at the end of `p`, and
//! `sum = PHI(moved, p; total, q)`. Nothing is computed on the path through `q` any more, which
//! often leaves an empty block. The same goes for exclusive and inclusive or, and where such a PHI
//! is subtracted (LLVM's instruction combining folds operations into PHIs likewise).
//!
//! The invariant: no path executes more than before. What moves is read by nothing but the one
//! instruction, and moves to blocks that lead nowhere else. The other operand is defined outside of
//! the block, so that its definition dominates the ends of the predecessors, or is a PHI of it,
//! whose values on the edges take its place. Headers of loops are left alone: what they add up is
//! read in the loop. The cost is that of one walk over the blocks with PHIs, with constant work for
//! each instruction, and where there is a candidate, of the use-def chains.

mod distances;

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{
    chains_of_phis, definitions, first_terminator, is_phi, value_from,
};
use crate::machine::{
    BlockId, Function, Generic, InsnId, LowType, Operand, OperandFlags, UseDefs, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::error::Error;
use distances::merge_distant;

/// The most PHIs of a block that are looked at.
const MOST_PHIS: usize = 16;
/// The most operands of a PHI whose values on the edges are looked for.
const MOST_OPERANDS: usize = 64;

/// Moves the additions.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn fold_phis(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<(), Error> {
    let mut facts = None;
    for &block in &flow.order {
        if !is_join(function, flow, block) {
            continue;
        }
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            let Some(addition) = Addition::find(function, insn) else {
                continue;
            };
            let facts = match &mut facts {
                Some(facts) => facts,
                none => none.insert(Facts::new(function)?),
            };
            if addition.is_worth_it(function, flow, facts) {
                addition.fold(function, facts)?;
            }
        }
    }
    merge_distant(function, flow)
}

/// Returns whether a block has PHIs and is no header of a loop.
fn is_join(function: &Function<'_>, flow: &Flow<'_>, block: BlockId) -> bool {
    let first = function.block(block).first();
    let is_before = |&from: &BlockId| flow.place(from) < flow.place(block);
    first.is_some_and(|first| is_phi(function, first))
        && flow.edges.predecessors(block).iter().all(is_before)
}

/// The facts on the registers of the function.
struct Facts<'m> {
    definitions: Vec<'m, Option<InsnId>>,
    /// The chains of the registers that PHIs write and read.
    chains: UseDefs<'m>,
}

impl<'m> Facts<'m> {
    fn new(function: &Function<'m>) -> Result<Facts<'m>, OutOfMemory> {
        Ok(Facts {
            definitions: definitions(function)?,
            chains: chains_of_phis(function)?,
        })
    }

    /// Returns the instruction that defines a register, unless that was made meanwhile.
    fn definition(&self, operand: Operand) -> Option<InsnId> {
        *self.definitions.get(operand.vreg()?.index())?
    }

    /// Returns the value of a register that is a constant.
    fn constant(&self, function: &Function<'_>, operand: Operand) -> Option<i64> {
        let insn = self.definition(operand)?;
        let is_constant = function.insn(insn).opcode.generic() == Some(Generic::Constant);
        let value = *function.operands(insn).get(1)?;
        is_constant.then(|| function.immediate(value))?
    }
}

/// An instruction that changes nothing if one operand is 0, which is a PHI of the same block.
struct Addition {
    insn: InsnId,
    phi: InsnId,
    /// The number of the operand that is the PHI.
    number: usize,
    merged: VReg,
    to: Operand,
    other: Operand,
}

impl Addition {
    fn find(function: &Function<'_>, insn: InsnId) -> Option<Addition> {
        let row = function.insn(insn);
        let commutes = match row.opcode.generic()? {
            Generic::Add | Generic::Or | Generic::Xor => true,
            Generic::Sub => false,
            _ => return None,
        };
        let &[to, a, b] = function.operands(insn) else {
            return None;
        };
        let found = |number, merged: Operand, other: Operand| {
            let phi = phi_of(function, row.block(), merged)?;
            (other.vreg().is_some() && other != merged).then_some(Addition {
                insn,
                phi,
                number,
                merged: merged.vreg()?,
                to,
                other,
            })
        };
        if row.ty != LowType::S64 {
            return None;
        }
        found(2, b, a).or_else(|| found(1, a, b).filter(|_| commutes))
    }

    /// Returns whether the PHI has no other reader, is 0 on some path and no constant on another,
    /// and the operand beside it is known on all of them.
    fn is_worth_it(&self, function: &Function<'_>, flow: &Flow<'_>, facts: &Facts<'_>) -> bool {
        let block = function.insn(self.insn).block();
        let is_elsewhere = |insn: InsnId| function.insn(insn).block() != block;
        let is_short = |insn: InsnId| function.operands(insn).len() <= MOST_OPERANDS;
        let is_known = { facts.definition(self.other) }
            .is_none_or(|insn| is_elsewhere(insn) || is_phi(function, insn) && is_short(insn));
        if !is_known || facts.chains.uses(self.merged) != [self.insn] {
            return false;
        }
        let (mut has_zero, mut has_value) = (false, false);
        for (value, from) in edges(function, self.phi) {
            let constant = facts.constant(function, value);
            if constant == Some(0) {
                has_zero = true;
            } else if flow.edges.successors(from) != [block] {
                return false;
            }
            has_value |= constant.is_none();
        }
        has_zero && has_value
    }

    /// Moves the instruction; the PHI then is its result.
    fn fold(&self, function: &mut Function<'_>, facts: &mut Facts<'_>) -> Result<(), Error> {
        let row = *function.insn(self.insn);
        let merged = { facts.definition(self.other) }
            .filter(|&insn| function.insn(insn).block() == row.block());
        let mut number = 1;
        while let Some(&[value, from]) = pair(function, self.phi, number) {
            let Some(block) = from.as_block() else {
                break;
            };
            let other = match merged {
                Some(phi) => value_from(function, phi, block).unwrap_or(self.other),
                None => self.other,
            };
            let mut result = other;
            if facts.constant(function, value) != Some(0) {
                let Some(to) = self.to.vreg() else {
                    break;
                };
                let moved = Operand::from(function.add_vreg(function.vreg(to))?);
                let mut operands = [moved.with(OperandFlags::DEF), other, other];
                operands[self.number] = value;
                let next = first_terminator(function, block);
                function.insert(block, next, row.opcode, row.ty, &operands)?;
                result = moved;
            }
            if let Some(place) = function.operands_mut(self.phi).get_mut(number) {
                *place = result;
            }
            number += 2;
        }
        if let Some(place) = function.operands_mut(self.phi).first_mut() {
            *place = self.to;
        }
        if let Some(to) = self.to.vreg()
            && let Some(definition) = facts.definitions.get_mut(to.index())
        {
            *definition = Some(self.phi);
        }
        function.remove(self.insn);
        Ok(())
    }
}

/// Returns the PHI of a block that defines a register, if it is one of the first.
fn phi_of(function: &Function<'_>, block: BlockId, operand: Operand) -> Option<InsnId> {
    let vreg = operand.vreg()?;
    let phis = { function.insns(block) }.take_while(|&insn| is_phi(function, insn));
    phis.take(MOST_PHIS).find(|&phi| {
        let to = function.operands(phi).first();
        to.and_then(|to| to.vreg()) == Some(vreg)
    })
}

/// Returns the value and the block of a PHI from this operand on.
fn pair<'f>(function: &'f Function<'_>, phi: InsnId, number: usize) -> Option<&'f [Operand; 2]> {
    function.operands(phi).get(number..)?.first_chunk()
}

/// Returns the values that come to a PHI, and the blocks that they come from.
fn edges(function: &Function<'_>, phi: InsnId) -> impl Iterator<Item = (Operand, BlockId)> {
    let pairs = (1..)
        .step_by(2)
        .map_while(move |number| pair(function, phi, number));
    pairs.filter_map(|&[value, from]| Some((value, from.as_block()?)))
}
