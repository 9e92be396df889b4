//! Check elimination: decides tests of ranges, as those of addresses and indexes are, that other
//! tests or the way in which a value is computed imply. In SSA form.
//!
//! One walk down the dominator tree keeps the ranges of registers ([`Ranges`]). So what an object
//! that was taken from the stack as a whole has inside needs no test, and of three fields of a
//! structure that were accessed the one in between does not. Source: Gupta, "Optimizing array bound
//! checks using flow analysis", 1993, along the dominator tree only.
//!
//! An offset that was tested need not stay in a register for later accesses either: where the
//! target can, those add its constant part to what it was computed from, if that is read elsewhere.
//! The cost is linear.

use crate::codegen::analysis::bounds::set_outcome;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::ranges::{Ranges, comparison};
use crate::machine::{BlockId, Function, Generic, InsnId, IntPredicate, Operand, Reg};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::error::Error;
use crate::target::{AddressForm, Isa};

/// Rewrites decided tests as branches on constants. Returns whether there were any, which the next
/// combine removes.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn eliminate_checks(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
) -> Result<bool, Error> {
    let tests = flow
        .order
        .iter()
        .filter(|&&block| tests_range(function, block));
    if tests.take(2).count() < 2 {
        return Ok(false);
    }
    let mut changed = false;
    let mut ranges = Ranges::new(function)?;
    let reads = count_reads(function)?;
    // The blocks around the present one in the dominator tree, with the number of ranges before.
    let mut around: Vec<'_, (BlockId, usize)> = Vec::new(function.allocator());
    for &block in &flow.tree {
        while let Some(&(scope, count)) = around.last()
            && Some(scope) != flow.idom(block)
        {
            ranges.forget_to(count);
            around.pop();
        }
        around.push((block, ranges.count()))?;
        ranges.enter(function, flow, block)?;
        if tests_range(function, block)
            && let Some(branch) = comparison(function, block)
            && let Some(holds) = ranges.decide(function, branch)
        {
            set_outcome(function, branch, holds)?;
            changed = true;
        }
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if let Some((index, displacement)) = without_sum(function, isa, flow, &ranges, insn)
                && { index.vreg() }.is_some_and(|vreg| reads[vreg.index()] > 1)
                && let [_, _, old, _, old_displacement] = function.operands_mut(insn)
            {
                (*old, *old_displacement) = (old.on(index), displacement);
            }
        }
    }
    Ok(changed)
}

/// Returns how often each virtual register is read, up to 2.
fn count_reads<'m>(function: &Function<'m>) -> Result<Vec<'m, u8>, OutOfMemory> {
    let mut reads = Vec::new(function.allocator());
    reads.resize(function.vreg_count(), 0_u8)?;
    for &block in &function.layout {
        for insn in function.insns(block) {
            let operands = function.operands(insn).iter();
            for vreg in operands.filter_map(|operand| operand.read_vreg()) {
                reads[vreg.index()] = (reads[vreg.index()] + 1).min(2);
            }
        }
    }
    Ok(reads)
}

/// Returns the index and displacement of an access whose index is the sum of another register and a
/// constant, if the target takes them and the sum would have to stay in a register for it: it was
/// computed neither in this block nor in the one before.
fn without_sum(
    function: &Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
    ranges: &Ranges<'_>,
    insn: InsnId,
) -> Option<(Reg, Operand)> {
    let row = function.insn(insn);
    let generic = row.opcode.generic()?;
    let is_access = matches!(
        generic,
        Generic::Load | Generic::SextLoad | Generic::ZextLoad | Generic::Store
    );
    let &[_, base, index, scale, displacement] = function.operands(insn) else {
        return None;
    };
    if !is_access || scale.small() != Some(1) || base.vreg().is_none() {
        return None;
    }
    let from = function.insn(ranges.definition(index)?).block();
    if from == row.block() || flow.idom(row.block()) == Some(from) {
        return None;
    }
    let (of, by) = ranges.sum(function, index)?;
    let displacement = i64::from(displacement.small()?).checked_add(by)?;
    let form = AddressForm {
        has_frame: false,
        has_index: true,
        scale: 1,
        displacement,
    };
    let displacement = Operand::imm(i32::try_from(displacement).ok()?);
    let index = of.as_reg().filter(|_| isa.takes_address(row.ty, &form))?;
    Some((index, displacement))
}

/// Returns whether a block ends in a test of whether a register is below a constant, unsigned.
fn tests_range(function: &Function<'_>, block: BlockId) -> bool {
    let operands = comparison(function, block).map(|insn| function.operands(insn));
    let Some(&[predicate, a, b, _]) = operands else {
        return false;
    };
    let predicate = predicate.as_int_predicate();
    let is_unsigned = matches!(predicate, Some(IntPredicate::Ult | IntPredicate::Uge));
    is_unsigned && a.vreg().is_some() && function.immediate(b).is_some()
}
