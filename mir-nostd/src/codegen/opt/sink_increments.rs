//! Sinking of increments: the step of an induction variable moves after the last reader of its old
//! value. The old value is dead by then, so that old and new value can share a register. In SSA
//! form.
//!
//! An exit test `old == n` at the end of an iteration becomes `new == n + step`, so that it does
//! not read the old value.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{chains_of_phis, is_phi};
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, UseDefs, VReg,
};
use crate::target::Isa;
use crate::target::error::Error;

/// The work for all induction variables, in instructions per instruction of the function.
const MOST_WORK: usize = 4;

/// Sinks the steps of induction variables.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn sink_increments(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
) -> Result<(), Error> {
    if !flow.has_loops() {
        return Ok(());
    }
    let chains = chains_of_phis(function)?;
    let mut budget = MOST_WORK * (function.insn_count() + 16);
    for &header in &flow.order {
        let mut cursor = function.cursor(header);
        while let Some(phi) = cursor.next_if(function, is_phi) {
            let old = function.operands(phi).first().and_then(|to| to.vreg());
            let Some(old) = old else {
                continue;
            };
            let mut number = 1;
            while let Some(&new) = function.operands(phi).get(number) {
                number += 2;
                let step = new.vreg().and_then(|new| chains.definition(new));
                let step = step.and_then(|step| Step::new(function, step, old));
                if let Some(step) = step.filter(|step| step.is_last(function, flow, &chains)) {
                    step.delay(function, isa, &mut budget)?;
                }
            }
        }
    }
    Ok(())
}

/// The instruction `new = old + by`, with `old` the result of a PHI.
struct Step {
    insn: InsnId,
    block: BlockId,
    old: VReg,
    new: VReg,
    by: i32,
    ty: LowType,
}

impl Step {
    fn new(function: &Function<'_>, insn: InsnId, old: VReg) -> Option<Step> {
        let row = function.insn(insn);
        let &[to, from, by] = function.operands(insn) else {
            return None;
        };
        let by = by.small()?;
        let by = match row.opcode.generic()? {
            Generic::Add => by,
            Generic::Sub => by.checked_neg()?,
            _ => return None,
        };
        (from.vreg() == Some(old)).then_some(Step {
            insn,
            block: row.block(),
            old,
            new: to.vreg()?,
            by,
            ty: row.ty,
        })
    }

    /// Returns whether nothing reads the old value after the block of the step.
    fn is_last(&self, function: &Function<'_>, flow: &Flow<'_>, chains: &UseDefs<'_>) -> bool {
        chains.uses(self.old).iter().all(|&user| {
            let block = function.insn(user).block();
            if !is_phi(function, user) {
                return flow.dominates(block, self.block);
            }
            let mut read = function.operands(user).get(1..).unwrap_or(&[]).chunks(2);
            read.all(|pair| match *pair {
                [value, from] if value.vreg() == Some(self.old) => from
                    .as_block()
                    .is_some_and(|from| from != self.block && flow.dominates(from, self.block)),
                _ => true,
            })
        })
    }

    /// Moves the step after the last instruction that reads the old value, if nothing before that
    /// reads the new one.
    fn delay(
        &self,
        function: &mut Function<'_>,
        isa: &dyn Isa,
        budget: &mut usize,
    ) -> Result<(), Error> {
        let (mut last, mut is_read) = (None, false);
        let mut cursor = function.cursor_at(self.insn);
        cursor.next(function);
        while let Some(insn) = cursor.next(function) {
            let Some(left) = budget.checked_sub(1) else {
                return Ok(());
            };
            *budget = left;
            let reads = |vreg| {
                let mut read = function.operands(insn).iter().filter(|o| !o.is_def());
                read.any(|operand| operand.vreg() == Some(vreg))
            };
            let reads_old = reads(self.old);
            is_read |= reads(self.new);
            let generic = function.insn(insn).opcode.generic();
            if !reads_old || self.asks_for_new(function, isa, insn)? {
                continue;
            }
            if is_read || generic.is_none_or(Generic::is_terminator) {
                return Ok(());
            }
            last = Some(insn);
        }
        if let Some(last) = last {
            let behind = function.insn(last).next();
            function.move_insn(self.insn, self.block, behind);
        }
        Ok(())
    }

    /// Rewrites an equality test of the old value as one of the new value. Returns whether it did.
    fn asks_for_new(
        &self,
        function: &mut Function<'_>,
        isa: &dyn Isa,
        insn: InsnId,
    ) -> Result<bool, Error> {
        let row = function.insn(insn);
        let (generic, ty) = (row.opcode.generic(), row.ty);
        let &[predicate, a, b, _] = function.operands(insn) else {
            return Ok(false);
        };
        let is_equality = matches!(
            predicate.as_int_predicate(),
            Some(IntPredicate::Eq | IntPredicate::Ne)
        );
        let is_whole = ty == self.ty || ty == LowType::S32;
        let (Some(Generic::BrIcmp), true, true, Some(number)) =
            (generic, is_equality, is_whole, function.immediate(b))
        else {
            return Ok(false);
        };
        let number = number.wrapping_add(i64::from(self.by));
        let number = if ty == LowType::S32 {
            i64::from(number as i32)
        } else {
            number
        };
        if a.vreg() != Some(self.old) || !isa.takes_immediate(Generic::BrIcmp, ty, 2, number) {
            return Ok(false);
        }
        let number = function.int(number)?;
        if let Some([value, place]) = function
            .operands_mut(insn)
            .get_mut(1..3)
            .and_then(|places| <&mut [Operand; 2]>::try_from(places).ok())
        {
            *value = Operand::from(self.new);
            *place = number;
        }
        Ok(true)
    }
}
