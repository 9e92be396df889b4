//! Distances of PHIs: one that is another PHI of its block plus a constant on every edge is
//! computed from that. In SSA form.
//!
//! The fetch of an interpreter reads the operation at `p` and goes on with `p + 4`. Front ends
//! compute the sum at the end of each operation, so that both come to the fetch by PHIs. A loop
//! that steps two variables alike has such PHIs, too: on the way back each is itself plus the same
//! step. One addition after the PHIs stands for those on all edges, and one register for two.
//!
//! The invariant: the PHI is replaced only where nothing else reads the sums that come to it, so
//! that no path executes more than before. The cost is that of one walk over the PHIs, each of
//! which is compared with a few others, and of their use-def chains where two fit.

use super::pair;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{chains_of_phis, definitions, is_phi};
use crate::machine::{
    BlockId, Function, Generic, InsnId, LowType, Operand, OperandFlags, UseDefs, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::error::Error;

/// The most PHIs of a block that are compared.
const MOST_PHIS: usize = 16;

/// Computes the PHIs that can be from others.
pub(super) fn merge_distant(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<(), Error> {
    let mut facts = None;
    for &block in &flow.order {
        let mut phis = phis_of(function, block);
        if phis.len() < 2 {
            continue;
        }
        let facts = match &mut facts {
            Some(facts) => facts,
            none => none.insert(Facts::new(function)?),
        };
        let mut number = 0;
        while let Some(&phi) = phis.get(number) {
            number += 1;
            let mut others = phis.iter().filter(|&&other| other != phi);
            let found = others.find_map(|&other| {
                let distance = facts.distance(function, phi, other)?;
                Some((function.operands(other).first()?.vreg()?, distance))
            });
            if let Some((from, distance)) = found
                && facts.has_private_sums(function, phi)?
            {
                compute(function, phi, from, distance)?;
                number -= 1;
                phis.remove(number);
            }
        }
    }
    Ok(())
}

/// Returns the first PHIs of a block.
fn phis_of(function: &Function<'_>, block: BlockId) -> heapless::Vec<InsnId, MOST_PHIS> {
    let phis = { function.insns(block) }.take_while(|&insn| is_phi(function, insn));
    phis.take(MOST_PHIS).collect()
}

/// Replaces a PHI by the sum of another one, of which this is the result, and a constant.
fn compute(
    function: &mut Function<'_>,
    phi: InsnId,
    from: VReg,
    distance: i32,
) -> Result<(), Error> {
    let block = function.insn(phi).block();
    let Some(&to) = function.operands(phi).first() else {
        return Ok(());
    };
    let mut after = { function.insns(block) }.skip_while(|&insn| is_phi(function, insn));
    let next = after.next();
    let operands = [
        to.with(OperandFlags::DEF),
        Operand::from(from),
        Operand::imm(distance),
    ];
    function.remove(phi);
    function.insert(block, next, Generic::Add.into(), LowType::S64, &operands)?;
    Ok(())
}

/// A value as the sum of a register, if there is one, and a constant.
type Sum = (Option<VReg>, i64);

/// The facts on the registers of the function.
struct Facts<'m> {
    definitions: Vec<'m, Option<InsnId>>,
    /// The chains of the registers that PHIs write and read, once they are needed.
    chains: Option<UseDefs<'m>>,
}

impl<'m> Facts<'m> {
    fn new(function: &Function<'m>) -> Result<Facts<'m>, OutOfMemory> {
        Ok(Facts {
            definitions: definitions(function)?,
            chains: None,
        })
    }

    /// Returns the instruction that defines a register if it is this one.
    fn definition(&self, function: &Function<'_>, of: VReg, generic: Generic) -> Option<InsnId> {
        let definition = (*self.definitions.get(of.index())?)?;
        let row = function.insn(definition);
        (row.opcode.generic() == Some(generic) && row.ty == LowType::S64).then_some(definition)
    }

    /// Returns a value in parts.
    fn sum(&self, function: &Function<'_>, value: Operand) -> Option<Sum> {
        let vreg = value.vreg()?;
        let input = |insn, number| function.operands(insn).get(number).copied();
        if let Some(constant) = self.definition(function, vreg, Generic::Constant) {
            return Some((None, function.immediate(input(constant, 1)?)?));
        }
        if let Some(sum) = self.definition(function, vreg, Generic::Add)
            && let (Some(of), Some(constant)) = (input(sum, 1)?.vreg(), input(sum, 2))
            && let Some(constant) = function.immediate(constant)
        {
            return Some((Some(of), constant));
        }
        Some((Some(vreg), 0))
    }

    /// Returns the constant that one PHI is more than another one on every edge, itself included
    /// where both come back.
    fn distance(&self, function: &Function<'_>, phi: InsnId, other: InsnId) -> Option<i32> {
        let result = |phi| function.operands(phi).first().and_then(|to| to.vreg());
        let (to, from) = (result(phi)?, result(other)?);
        let mut distance = None;
        let mut number = 1;
        while let Some(&[value, block]) = pair(function, phi, number) {
            let &[other_value, other_block] = pair(function, other, number)?;
            let (base, constant) = self.sum(function, value)?;
            let (other_base, other_constant) = self.sum(function, other_value)?;
            let more = constant.wrapping_sub(other_constant);
            let comes_back = (base, other_base) == (Some(to), Some(from));
            let is_known = match comes_back {
                true => more == 0,
                false => base == other_base && *distance.get_or_insert(more) == more,
            };
            if !is_known || block != other_block {
                return None;
            }
            number += 2;
        }
        i32::try_from(distance?)
            .ok()
            .filter(|&distance| distance != 0)
    }

    /// Returns whether all that comes to a PHI is constants, and sums that nothing else reads.
    fn has_private_sums(
        &mut self,
        function: &Function<'m>,
        phi: InsnId,
    ) -> Result<bool, OutOfMemory> {
        let chains = match &mut self.chains {
            Some(chains) => chains,
            none => none.insert(chains_of_phis(function)?),
        };
        let mut number = 1;
        while let Some(&[value, _]) = pair(function, phi, number) {
            number += 2;
            let is_private = value.vreg().is_some_and(|vreg| {
                let definition = self.definitions.get(vreg.index()).copied().flatten();
                definition.is_some_and(|definition| {
                    match function.insn(definition).opcode.generic() {
                        Some(Generic::Constant) => true,
                        Some(Generic::Add) => chains.uses(vreg) == [phi],
                        _ => false,
                    }
                })
            });
            if !is_private {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
