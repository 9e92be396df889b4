//! Check elimination: decides tests of ranges, as those of addresses and indexes are, that other
//! tests or the way in which a value is computed imply. In SSA form.
//!
//! A walk down the dominator tree keeps the ranges of registers ([`Ranges`]), after one that finds
//! those of PHIs. So what an object that was taken from the stack as a whole has inside needs no
//! test, of three fields of a structure that were accessed the one in between does not, nor does a
//! pointer that was tested where it was stepped. If one bound is known the other needs only one
//! comparison, and no sum. Source: Gupta, "Optimizing array bound checks using flow analysis",
//! 1993, along the dominator tree only.
//!
//! An offset that was tested need not stay in a register for later accesses either: where the
//! target can, those add its constant part to what it was computed from, if that is read elsewhere.
//! The cost is linear.

use crate::codegen::analysis::bounds::set_outcome;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::ranges::{Ranges, Steps, Walk, comparison};
use crate::machine::{BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, Reg};
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
    let mut blocks = flow.order.iter();
    if !blocks.any(|&block| tests_range(function, block)) {
        return Ok(false);
    }
    let mut changed = false;
    let mut walk = Walk::new(function)?;
    let reads = count_reads(function)?;
    if !has_masks(function, flow, &reads) {
        walk.learn_phis(function, flow, Steps::Ignored)?;
    }
    for &block in &flow.tree {
        walk.enter(function, flow, block)?;
        let ranges = &walk.ranges;
        if tests_range(function, block)
            && let Some(branch) = comparison(function, block)
        {
            if let Some(holds) = ranges.decide(function, branch) {
                set_outcome(function, branch, holds)?;
                changed = true;
            } else if let Some(operands) = one_sided(function, isa, flow, ranges, &reads, branch) {
                function.set_operands(branch, &operands)?;
                changed = true;
            }
        }
        let mut cursor = function.cursor(block);
        while let Some(insn) = cursor.next(function) {
            if let Some((index, displacement)) = without_sum(function, isa, flow, ranges, insn)
                && { index.vreg() }.is_some_and(|vreg| reads[vreg.index()].count > 1)
                && let [_, _, old, _, old_displacement] = function.operands_mut(insn)
            {
                (*old, *old_displacement) = (old.on(index), displacement);
            }
        }
    }
    Ok(changed)
}

/// The reads of a virtual register.
#[derive(Clone, Copy)]
struct Reads {
    /// Their number, up to 2.
    count: u8,
    /// True if there are comparisons among them that do not branch.
    is_compared: bool,
}

/// Returns the reads of each virtual register.
fn count_reads<'m>(function: &Function<'m>) -> Result<Vec<'m, Reads>, OutOfMemory> {
    let none = Reads {
        count: 0,
        is_compared: false,
    };
    let mut reads = Vec::new(function.allocator());
    reads.resize(function.vreg_count(), none)?;
    for &block in &function.layout {
        for (_, row) in function.rows(block) {
            let is_comparison = row.opcode == Generic::Icmp.into();
            for operand in function.operands_of(row) {
                if let Some(vreg) = operand.read_vreg() {
                    let reads = &mut reads[vreg.index()];
                    reads.count = (reads.count + 1).min(2);
                    reads.is_compared |= is_comparison;
                }
            }
        }
    }
    Ok(reads)
}

/// Returns whether what is tested makes masks, too: the verifier of confined functions has to find
/// in the same place that both bounds hold, and does not look at the values that PHIs merge there.
fn has_masks(function: &Function<'_>, flow: &Flow<'_>, reads: &[Reads]) -> bool {
    let mut tests = { flow.order.iter() }
        .filter(|&&block| tests_range(function, block))
        .filter_map(|&block| comparison(function, block));
    tests.any(|test| {
        let tested = function
            .operands(test)
            .get(1)
            .and_then(|tested| tested.vreg());
        tested.is_some_and(|tested| reads[tested.index()].is_compared)
    })
}

/// Returns the operands of a test of one summand, in place of its sum with a constant, for the one
/// bound that is not known of it. None if a mask is made of the sum, or accesses cannot add the
/// constant.
fn one_sided(
    function: &Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
    ranges: &Ranges<'_>,
    reads: &[Reads],
    branch: InsnId,
) -> Option<[Operand; 4]> {
    let &[predicate, tested, limit, end] = function.operands(branch) else {
        return None;
    };
    let (of, by) = ranges.sum(function, tested)?;
    if reads.get(tested.vreg()?.index())?.is_compared {
        return None;
    }
    let (least, most) = ranges.of(function, of);
    let low = by.checked_neg().filter(|&low| low > 0 && least >= 0)?;
    let high = function.immediate(limit)?.checked_add(low)?;
    if !isa.takes_address(LowType::S64, &indexed(by)) {
        return None;
    }
    let is_below = predicate.as_int_predicate()? == IntPredicate::Ult;
    let (predicate, bound) = match (least >= low, most < high) {
        (true, _) => (predicate, high),
        (_, true) if is_below => (Operand::int_predicate(IntPredicate::Uge), low),
        (_, true) => (Operand::int_predicate(IntPredicate::Ult), low),
        _ => return None,
    };
    // Tests of upper bounds in a row can be merged.
    let before = { flow.idom(function.insn(branch).block()) }
        .and_then(|block| comparison(function, block))
        .and_then(|test| ranges.sum(function, *function.operands(test).get(1)?));
    if bound == low && before.is_some_and(|(other, _)| other.vreg() == of.vreg()) {
        return None;
    }
    let bound = Operand::imm(i32::try_from(bound).ok()?);
    Some([predicate, of, bound, end])
}

/// Returns the form of an address with a base, an index and a displacement.
const fn indexed(displacement: i64) -> AddressForm {
    AddressForm {
        has_frame: false,
        has_index: true,
        scale: 1,
        displacement,
    }
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
    let &[_, base, index, scale, displacement] = function.operands(insn) else {
        return None;
    };
    let is_access = matches!(
        generic,
        Generic::Load | Generic::SextLoad | Generic::ZextLoad | Generic::Store
    );
    if !is_access || scale.small() != Some(1) || base.vreg().is_none() {
        return None;
    }
    let from = function.insn(ranges.definition(index)?).block();
    if from == row.block() || flow.idom(row.block()) == Some(from) {
        return None;
    }
    let (of, by) = ranges.sum(function, index)?;
    let displacement = i64::from(displacement.small()?).checked_add(by)?;
    let form = indexed(displacement);
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
