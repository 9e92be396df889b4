//! Range merging: makes one test of several in a row of whether sums of the same registers with
//! constants are below limits, as accesses to the fields of a structure test in confined programs.
//! In SSA form.
//!
//! Blocks follow each other that each test such a sum, unsigned, and end the run if it is not below
//! its limit. All tests hold if and only if what the first tests is in the intersection of their
//! ranges, which is a range, so that the first block can test for all. If that fails a copy of the
//! blocks runs, with each test at its place: one of them fails, so that the run ends as it would
//! have, with memory as it would have been, and the copy never leads back. The idea of testing for
//! the widest of several accesses is that of Gupta, "Optimizing array bound checks using flow
//! analysis", 1993; there the run may end early.
//!
//! The invariant: blocks beside the hot path are left only by ending the run. The cost is linear,
//! as each block is copied at most once and blocks of more than a few instructions are not.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{definitions, is_phi, rename_reads};
use crate::codegen::analysis::preserved::Preserved;
use crate::codegen::analysis::properties::is_removable;
use crate::codegen::analysis::ranges::comparison;
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, OperandFlags, Reg, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::error::Error;

/// The most tests that become one.
const MOST_TESTS: usize = 16;
/// The most instructions of a block that is copied.
const MOST_COPIED: usize = 24;
/// The greatest limit of a test, and the greatest distance between sums: so small that the
/// intersection of ranges is a range.
const MOST_DISTANT: i64 = 1 << 40;

/// The most registers of a sum.
const MOST_SUMMANDS: usize = 4;

/// The most additions that a sum is made of.
const MOST_STEPS: usize = 8;

/// A sum of registers, in order, and a constant.
#[derive(Clone)]
struct Sum {
    registers: heapless::Vec<VReg, MOST_SUMMANDS>,
    more: i64,
}

impl Sum {
    /// Returns whether so many more registers are not too many.
    fn has_room(&self, count: usize) -> bool {
        self.registers.len() + count <= MOST_SUMMANDS
    }
}

/// A test whether a sum is below a limit, without which the run ends.
#[derive(Clone)]
struct Test {
    branch: InsnId,
    sum: Sum,
    limit: i64,
    /// The block that ends the run, and the one where it goes on.
    end: BlockId,
    next: BlockId,
}

/// Merges tests. Returns what is preserved.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn merge_ranges(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
) -> Result<Preserved, Error> {
    let is_test = |&&block: &&BlockId| branch_of_range(function, flow, block).is_some();
    if flow.order.iter().filter(is_test).take(2).count() < 2 {
        return Ok(Preserved::ControlFlow);
    }
    let definitions = definitions(function)?;
    let mut is_merged = Vec::new(function.allocator());
    is_merged.resize(function.block_count(), false)?;
    let mut preserved = Preserved::ControlFlow;
    for &block in &flow.order {
        if is_merged.get(block.index()) != Some(&false) {
            continue;
        }
        let Some(first) = find(function, flow, &definitions, block) else {
            continue;
        };
        let (tests, range) = follow(function, flow, &definitions, &first);
        if tests.len() > 1 {
            for test in &tests {
                is_merged[function.insn(test.branch).block().index()] = true;
            }
            write_out(function, &tests, range)?;
            preserved = Preserved::Nothing;
        }
    }
    Ok(preserved)
}

/// Returns the branch at the end of a block that ends the run where a register is not below a
/// constant.
fn branch_of_range(function: &Function<'_>, flow: &Flow<'_>, block: BlockId) -> Option<InsnId> {
    let branch = comparison(function, block)?;
    let &[predicate, tested, limit, end] = function.operands(branch) else {
        return None;
    };
    let is_test = predicate.as_int_predicate() == Some(IntPredicate::Uge)
        && tested.vreg().is_some()
        && function.immediate(limit).is_some()
        && flow.ends_run(block, end.as_block()?);
    is_test.then_some(branch)
}

/// Returns the test that a block ends with.
fn find(
    function: &Function<'_>,
    flow: &Flow<'_>,
    definitions: &[Option<InsnId>],
    block: BlockId,
) -> Option<Test> {
    let branch = branch_of_range(function, flow, block)?;
    let &[_, tested, limit, end] = function.operands(branch) else {
        return None;
    };
    let (tested, limit, end) = (tested.vreg()?, function.immediate(limit)?, end.as_block()?);
    let next = flow.next_beside(block, end)?;
    (1..=MOST_DISTANT).contains(&limit).then(|| Test {
        branch,
        sum: sum_of(function, definitions, tested),
        limit,
        end,
        next,
    })
}

/// Returns a register as a sum, as far as it was computed as one.
fn sum_of(function: &Function<'_>, definitions: &[Option<InsnId>], register: VReg) -> Sum {
    let mut sum = Sum {
        registers: heapless::Vec::new(),
        more: 0,
    };
    let mut left: heapless::Vec<VReg, MOST_SUMMANDS> = heapless::Vec::new();
    let mut now = Some(register);
    let mut steps = 0..MOST_STEPS;
    while let Some(register) = now {
        let is_last = steps.next().is_none();
        match summands(function, definitions, register) {
            _ if is_last => {}
            Some((of, Summand::Constant(by))) if sum.more.checked_add(by).is_some() => {
                sum.more += by;
                now = Some(of);
                continue;
            }
            Some((of, Summand::Register(other))) if sum.has_room(left.len() + 2) => {
                now = Some(of);
                let _ = left.push(other);
                continue;
            }
            _ => {}
        }
        let _ = sum.registers.push(register);
        now = left.pop();
    }
    sum.registers.sort_unstable();
    sum
}

/// The second summand of a sum.
enum Summand {
    Register(VReg),
    Constant(i64),
}

/// Returns the summands of a register that is the sum of another and something.
fn summands(
    function: &Function<'_>,
    definitions: &[Option<InsnId>],
    sum: VReg,
) -> Option<(VReg, Summand)> {
    let insn = definitions.get(sum.index()).copied().flatten()?;
    let row = function.insn(insn);
    let &[_, of, by] = function.operands(insn) else {
        return None;
    };
    let is_sum = row.opcode.generic() == Some(Generic::Add) && row.ty == LowType::S64;
    let second = match (function.immediate(by), by.vreg()) {
        (Some(number), _) => Summand::Constant(number),
        (None, Some(register)) => Summand::Register(register),
        _ => return None,
    };
    Some((of.vreg().filter(|_| is_sum)?, second))
}

/// Returns the tests in a row that begins with one, and the range in which what the first tests has
/// to be for all to hold: from the one number up to below the other.
fn follow(
    function: &Function<'_>,
    flow: &Flow<'_>,
    definitions: &[Option<InsnId>],
    first: &Test,
) -> (heapless::Vec<Test, MOST_TESTS>, [i64; 2]) {
    let mut tests = heapless::Vec::new();
    let mut range = [0, first.limit];
    let (mut block, mut last) = (first.next, first.clone());
    while tests.push(last).is_ok() {
        let is_next =
            flow.edges.predecessors(block).len() == 1 && !function.block(block).address_taken;
        let next = find(function, flow, definitions, block).filter(|next| {
            is_next
                && next.sum.registers == first.sum.registers
                && can_copy(function, block, next.branch, next.end)
        });
        let Some(next) = next else {
            break;
        };
        let Some(now) = intersection(range, first, &next) else {
            break;
        };
        (block, last, range) = (next.next, next, now);
    }
    (tests, range)
}

/// Returns the part of a range of what the first test is on, in which another test holds, too.
fn intersection(range: [i64; 2], first: &Test, other: &Test) -> Option<[i64; 2]> {
    let distance = other.sum.more.checked_sub(first.sum.more)?;
    let is_near = (-MOST_DISTANT..=MOST_DISTANT).contains(&distance);
    let low = range[0].max(distance.checked_neg()?);
    let high = range[1].min(other.limit.checked_sub(distance)?);
    (is_near && low < high).then_some([low, high])
}

/// Returns whether a block can be copied up to its test, and what ends the run after it be moved to
/// the copy.
fn can_copy(function: &Function<'_>, block: BlockId, branch: InsnId, end: BlockId) -> bool {
    let mut body = { function.insns(block) }.take_while(|&insn| insn != branch);
    let is_short = body.clone().nth(MOST_COPIED).is_none();
    is_short
        && body.all(|insn| is_copied(function, insn))
        && !function.insns(end).any(|insn| is_phi(function, insn))
}

/// Returns whether an instruction can be copied: it computes on virtual registers, or it accesses
/// memory.
fn is_copied(function: &Function<'_>, insn: InsnId) -> bool {
    let row = function.insn(insn);
    let Some(generic) = row.opcode.generic() else {
        return false;
    };
    let is_physical = |operand: &Operand| operand.as_reg().is_some_and(Reg::is_physical);
    let is_simple = generic != Generic::Phi && !generic.is_terminator();
    let is_known = generic == Generic::Store || is_removable(generic, row.ty);
    is_simple && is_known && !function.operands(insn).iter().any(is_physical)
}

/// Makes one test of these, which all hold where what the first tests is in this range.
fn write_out(function: &mut Function<'_>, tests: &[Test], range: [i64; 2]) -> Result<(), Error> {
    let Some((first, rest)) = tests.split_first() else {
        return Ok(());
    };
    let mut copy = add_block(function)?;
    function.origins.begin_copies();
    let mut names = Vec::new(function.allocator());
    copy_insn(function, first.branch, copy, &mut names)?;
    test_range(function, first.branch, range, copy)?;
    for (number, test) in rest.iter().enumerate() {
        let next = add_block(function)?;
        let to_next = [Operand::block(next)];
        function.append(copy, Generic::Br, LowType::S64, &to_next)?;
        copy = next;
        let block = function.insn(test.branch).block();
        let mut insn = function.block(block).first();
        while let Some(now) = insn.filter(|&insn| insn != test.branch) {
            insn = function.insn(now).next();
            copy_insn(function, now, copy, &mut names)?;
        }
        if number + 1 < rest.len() {
            copy_insn(function, test.branch, copy, &mut names)?;
        } else {
            let end = [Operand::block(test.end)];
            function.append(copy, Generic::Br, LowType::S64, &end)?;
        }
        rename_reads(function, test.end, |vreg| name_of(&names, vreg));
        function.remove(test.branch);
    }
    Ok(())
}

fn add_block(function: &mut Function<'_>) -> Result<BlockId, OutOfMemory> {
    let block = function.add_block()?;
    function.layout.push(block)?;
    Ok(block)
}

/// Has a branch go to a block if what it tests is not in a range.
fn test_range(
    function: &mut Function<'_>,
    branch: InsnId,
    [low, high]: [i64; 2],
    target: BlockId,
) -> Result<(), Error> {
    let &[predicate, mut tested, _, _] = function.operands(branch) else {
        return Ok(());
    };
    if let (true, Some(vreg)) = (low != 0, tested.vreg()) {
        let more = function.int(-low)?;
        let sum = function.add_vreg(function.vreg(vreg))?;
        let operands = [Operand::from(sum).with(OperandFlags::DEF), tested, more];
        let (block, add) = (function.insn(branch).block(), Generic::Add.into());
        function.insert(block, Some(branch), add, LowType::S64, &operands)?;
        tested = sum.into();
    }
    let limit = function.int(high - low)?;
    let operands = [predicate, tested, limit, Operand::block(target)];
    Ok(function.set_operands(branch, &operands)?)
}

/// Copies an instruction to the end of a block. What it reads has the new names, and what it writes
/// gets some.
fn copy_insn(
    function: &mut Function<'_>,
    insn: InsnId,
    to: BlockId,
    names: &mut Vec<'_, (VReg, VReg)>,
) -> Result<(), Error> {
    let mut operands = Vec::from_slice(function.allocator(), function.operands(insn))?;
    for operand in operands.iter_mut() {
        let Some(vreg) = operand.vreg() else {
            continue;
        };
        let new = match operand.is_def() {
            true => {
                let new = function.add_vreg(function.vreg(vreg))?;
                names.push((vreg, new))?;
                new
            }
            false => name_of(names, vreg),
        };
        *operand = operand.on(Reg::virt(new));
    }
    Ok(function.append_like(to, insn, &operands)?)
}

fn name_of(names: &[(VReg, VReg)], vreg: VReg) -> VReg {
    let name = names.iter().find(|&&(old, _)| old == vreg);
    name.map_or(vreg, |&(_, new)| new)
}
