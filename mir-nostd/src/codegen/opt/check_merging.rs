//! Check merging: makes one test of several in a row by which a meter, as the fuel is, goes down.
//! In SSA form.
//!
//! A block that tests whether `x` is below a constant `c`, and ends the run if so, leads to one
//! that does the same with `x - c` and another constant `d`; in between is only what nobody sees
//! once the run has ended. The first then tests whether `x` is below `c + d`. Where it is, a new
//! block finds out which of the two it was: so the run ends where it would have, with the meter as
//! it would have been. Inlined functions, which pay where they begin, leave many such tests. The
//! cost is linear.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{definitions, rename_reads};
use crate::codegen::analysis::preserved::Preserved;
use crate::codegen::analysis::properties::is_removable;
use crate::codegen::analysis::ranges::comparison;
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, OperandFlags, VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The most tests that become one.
const MOST_TESTS: usize = 16;

/// A test whether a register is below a constant, after which the run ends.
#[derive(Clone, Copy)]
struct Test {
    branch: InsnId,
    meter: VReg,
    cost: i32,
    /// The block that ends the run, and the one where it goes on.
    end: BlockId,
    next: BlockId,
}

/// Merges tests. Returns what is preserved.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn merge_checks(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
) -> Result<Preserved, Error> {
    let has_tests = |&&block: &&BlockId| find(function, flow, block).is_some();
    if flow.order.iter().filter(has_tests).take(2).count() < 2 {
        return Ok(Preserved::ControlFlow);
    }
    let definitions = definitions(function)?;
    let mut is_merged = Vec::new(function.allocator());
    is_merged.resize(function.block_count(), false)?;
    let mut preserved = Preserved::ControlFlow;
    for &block in &flow.order {
        let first = match is_merged.get(block.index()) {
            Some(false) => find(function, flow, block),
            _ => None,
        };
        let Some(first) = first else {
            continue;
        };
        let mut tests: heapless::Vec<Test, MOST_TESTS> = heapless::Vec::new();
        let (mut last, mut sum) = (first, 0_i32);
        loop {
            match sum.checked_add(last.cost) {
                Some(now) if tests.push(last).is_ok() => sum = now,
                _ => break,
            }
            let Some(next) = follower(function, flow, &definitions, block, &last) else {
                break;
            };
            last = next;
        }
        if tests.len() > 1 {
            for test in &tests {
                is_merged[function.insn(test.branch).block().index()] = true;
            }
            write_out(function, &tests, sum)?;
            preserved = Preserved::Nothing;
        }
    }
    Ok(preserved)
}

/// Returns the test that a block ends with.
fn find(function: &Function<'_>, flow: &Flow<'_>, block: BlockId) -> Option<Test> {
    let branch = comparison(function, block)?;
    let &[predicate, meter, cost, end] = function.operands(branch) else {
        return None;
    };
    let (meter, cost, end) = (meter.vreg()?, cost.small()?, end.as_block()?);
    let next = flow.next_beside(block, end)?;
    let is_test = predicate.as_int_predicate() == Some(IntPredicate::Ult) && cost > 0;
    is_test.then_some(Test {
        branch,
        meter,
        cost,
        end,
        next,
    })
}

/// Returns the test in the block after another that can be made there.
fn follower(
    function: &Function<'_>,
    flow: &Flow<'_>,
    definitions: &[Option<InsnId>],
    first: BlockId,
    test: &Test,
) -> Option<Test> {
    let block = test.next;
    let is_next = flow.edges.predecessors(block).len() == 1 && !function.block(block).address_taken;
    let next = find(function, flow, block).filter(|_| is_next)?;
    let defined = |vreg: VReg| definitions.get(vreg.index()).copied().flatten();
    let less = function.operands(defined(next.meter)?);
    let is_less = match (function.insn(defined(next.meter)?).opcode.generic()?, less) {
        (Generic::Sub, &[_, of, by]) => {
            of.vreg() == Some(test.meter) && by.small() == Some(test.cost)
        }
        (Generic::Add, &[_, of, by]) => {
            of.vreg() == Some(test.meter) && by.small() == test.cost.checked_neg()
        }
        _ => false,
    };
    let mut insns = function.insns(block);
    let is_quiet = insns.all(|insn| {
        let row = function.insn(insn);
        let generic = row.opcode.generic();
        generic.is_some_and(|generic| generic.is_terminator() || is_removable(generic, row.ty))
    });
    let is_known = |operand: &Operand| {
        let Some(vreg) = operand.vreg().filter(|_| !operand.is_def()) else {
            return true;
        };
        let from = defined(vreg).map(|insn| function.insn(insn).block());
        vreg == next.meter
            || from.is_some_and(|from| from == next.end || flow.dominates(from, first))
    };
    let mut at_end = function.insns(next.end);
    let can_move = at_end.all(|insn| function.operands(insn).iter().all(is_known));
    (is_less && is_quiet && can_move).then_some(next)
}

/// Makes one test of these, whose costs have this sum.
fn write_out(function: &mut Function<'_>, tests: &[Test], sum: i32) -> Result<(), Error> {
    let (Some(&first), Some(&last)) = (tests.first(), tests.last()) else {
        return Ok(());
    };
    let mut meter = first.meter;
    let mut found = function.add_block()?;
    let operands = [
        Operand::int_predicate(IntPredicate::Ult),
        meter.into(),
        Operand::imm(sum),
        Operand::block(found),
    ];
    function.set_operands(first.branch, &operands)?;
    let ty = LowType::S64;
    for (number, test) in tests.iter().enumerate() {
        function.layout.push(found)?;
        if number > 0 {
            function.remove(test.branch);
            let same = |vreg| if vreg == test.meter { meter } else { vreg };
            rename_reads(function, test.end, same);
        }
        if test.branch == last.branch {
            let end = [Operand::block(test.end)];
            function.append(found, Generic::Br, ty, &end)?;
            break;
        }
        let operands = [
            Operand::int_predicate(IntPredicate::Ult),
            meter.into(),
            Operand::imm(test.cost),
            Operand::block(test.end),
        ];
        function.append(found, Generic::BrIcmp, ty, &operands)?;
        let next = function.add_block()?;
        function.append(found, Generic::Br, ty, &[Operand::block(next)])?;
        let info = function.vreg(meter);
        let less = function.add_vreg(info)?;
        let to = Operand::from(less).with(OperandFlags::DEF);
        let operands = [to, meter.into(), Operand::imm(-test.cost)];
        function.append(next, Generic::Add, ty, &operands)?;
        (meter, found) = (less, next);
    }
    Ok(())
}
