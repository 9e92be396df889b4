//! Branch threading: a block that writes a register and goes on to nothing but a test of what
//! follows from it branches by itself. On generic instructions that are not in SSA form.
//!
//! Front ends make a value of `a && b` and then test it: a constant on the paths that decide
//! early, a comparison on the last. An inlined function that returns such a value extends it as
//! its type demands before it is tested. After a constant the outcome of the test is known, so that
//! the block goes to where the test leads; after a comparison, if the outcomes are known for both
//! results, it branches on that. What is computed on the way to the test is copied. Registers have
//! several definitions here, so that nothing else need be mended (Mueller and Whalley, "Avoiding
//! conditional branches by code replication", 1995).
//!
//! The head of a loop stays its only entry: tests that are one are not copied, and no outcome leads
//! into another loop by its head.
//!
//! The cost: the last instructions of each block are looked at, and a few from where those that
//! write such a register lead.

use crate::codegen::analysis::branches::{is_generic_terminator, layout_places};
use crate::codegen::analysis::constants::{evaluate, holds};
use crate::machine::{BlockId, Function, Generic, InsnId, LowType, Operand, Reg, VReg};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The most blocks on the way from a value to its test.
const MOST_BLOCKS: usize = 8;

/// The most instructions on the way from a value to its test.
const MOST_STEPS: usize = 8;

/// The way to a comparison of a register with a constant, and from there.
struct Test {
    /// The instructions before the branch, which are computed from registers alone.
    steps: heapless::Vec<InsnId, MOST_STEPS>,
    branch: InsnId,
    /// The blocks that it leads to if the comparison holds, and if not.
    outcomes: [BlockId; 2],
}

/// Threads the branches of a function.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn thread_branches(function: &mut Function<'_>) -> Result<(), Error> {
    let places = layout_places(function, function.allocator())?;
    let heads = find_heads(function, &places)?;
    for place in 0..function.layout.len() {
        if let Some(test) = test_at_end(function, &places, place) {
            let writer = function.insn(test.branch).previous();
            branch_on(function, writer, &test)?;
            continue;
        }
        let Some((block, jump, next)) = only_successor(function, place) else {
            continue;
        };
        let writer = match jump {
            Some(jump) => function.insn(jump).previous(),
            None => function.block(block).last(),
        };
        let Some(writer) = writer.filter(|&writer| is_writer(function, writer)) else {
            continue;
        };
        let enters = |to: BlockId| heads[to.index()] && places[next.index()] < places[to.index()];
        if let Some(test) = test_from(function, &places, &heads, next)
            && next != block
            && !test.outcomes.iter().any(|&outcome| enters(outcome))
        {
            thread(function, block, jump, writer, &test)?;
        }
    }
    Ok(())
}

/// Returns whether an instruction writes a constant, or the result of a comparison.
fn is_writer(function: &Function<'_>, insn: InsnId) -> bool {
    let generic = function.insn(insn).opcode.generic();
    matches!(
        generic,
        Some(Generic::Constant | Generic::Icmp | Generic::Fcmp)
    )
}

/// Finds the blocks that a later one, or they themselves, lead to.
fn find_heads<'m>(function: &Function<'m>, places: &[u32]) -> Result<Vec<'m, bool>, Error> {
    let mut heads = Vec::new(function.allocator());
    heads.resize(function.block_count(), false)?;
    for (place, &block) in function.layout.iter().enumerate() {
        let mut cursor = function.cursor_at_end(block);
        while let Some(insn) = cursor.previous_if(function, is_generic_terminator) {
            for target in function.operands(insn).iter().filter_map(|o| o.as_block()) {
                heads[target.index()] |= places[target.index()] as usize <= place;
            }
        }
    }
    let tables = (function.table_ids()).flat_map(|table| function.table(table).iter());
    for &block in tables {
        heads[block.index()] = true;
    }
    Ok(heads)
}

/// Returns the block of a place, its jump if it ends with one, and the only block that it leads to.
fn only_successor(
    function: &Function<'_>,
    place: usize,
) -> Option<(BlockId, Option<InsnId>, BlockId)> {
    let block = *function.layout.get(place)?;
    let last = function.block(block).last();
    let Some(last) = last.filter(|&last| is_generic_terminator(function, last)) else {
        return Some((block, None, *function.layout.get(place + 1)?));
    };
    let is_jump = function.insn(last).opcode.generic() == Some(Generic::Br);
    let target = function.operands(last).first()?.as_block();
    Some((block, Some(last), target.filter(|_| is_jump)?))
}

/// Returns the test that the block of a place does in the end, after something else.
fn test_at_end(function: &Function<'_>, places: &[u32], place: usize) -> Option<Test> {
    let block = *function.layout.get(place)?;
    let mut branch = function.block(block).last()?;
    if function.insn(branch).opcode.generic() == Some(Generic::Br) {
        branch = function.insn(branch).previous()?;
    }
    test(function, places, branch)
}

/// Returns the test that control comes to from the start of a block, if no head of a loop and
/// nothing but a few computations is on the way.
fn test_from(
    function: &Function<'_>,
    places: &[u32],
    heads: &[bool],
    mut block: BlockId,
) -> Option<Test> {
    let mut steps = heapless::Vec::new();
    for _ in 0..MOST_BLOCKS {
        if heads[block.index()] || function.block(block).address_taken {
            return None;
        }
        let mut next = None;
        for insn in function.insns(block) {
            match function.insn(insn).opcode.generic()? {
                Generic::Br => next = function.operands(insn).first()?.as_block(),
                Generic::BrIcmp => {
                    let test = test(function, places, insn)?;
                    return Some(Test { steps, ..test });
                }
                _ if is_step(function, insn) => steps.push(insn).ok()?,
                _ => return None,
            }
        }
        block = match next {
            Some(next) => next,
            None => *function
                .layout
                .get(*places.get(block.index())? as usize + 1)?,
        };
    }
    None
}

/// Returns whether an instruction computes a register from others and constants, and costs little.
fn is_step(function: &Function<'_>, insn: InsnId) -> bool {
    let generic = function.insn(insn).opcode.generic();
    let is_cheap = matches!(
        generic,
        Some(
            Generic::Constant
                | Generic::Copy
                | Generic::And
                | Generic::Xor
                | Generic::Icmp
                | Generic::SextInreg
                | Generic::ZextInreg
        )
    );
    let is_physical = |operand: &Operand| operand.as_reg().is_some_and(Reg::is_physical);
    is_cheap && !function.operands(insn).iter().any(is_physical)
}

/// Returns the test that a branch does if only a jump follows.
fn test(function: &Function<'_>, places: &[u32], branch: InsnId) -> Option<Test> {
    let row = function.insn(branch);
    let is_branch = row.opcode.generic() == Some(Generic::BrIcmp);
    let &[_, tested, against, target] = function.operands(branch) else {
        return None;
    };
    tested.vreg().and(function.immediate(against))?;
    let other = match row.next() {
        Some(jump) if function.insn(jump).opcode.generic() == Some(Generic::Br) => {
            function.operands(jump).first()?.as_block()?
        }
        Some(_) => return None,
        None => *(function.layout).get(*places.get(row.block().index())? as usize + 1)?,
    };
    is_branch.then_some(Test {
        steps: heapless::Vec::new(),
        branch,
        outcomes: [target.as_block()?, other],
    })
}

/// Has a block that ends with `writer`, and maybe a jump, do a test by itself, if what is tested
/// follows from what `writer` writes.
fn thread(
    function: &mut Function<'_>,
    block: BlockId,
    jump: Option<InsnId>,
    writer: InsnId,
    test: &Test,
) -> Result<(), Error> {
    if function.insn(writer).opcode.generic() != Some(Generic::Constant) {
        return branch_on(function, Some(writer), test);
    }
    let constant = function.operands(writer).get(1).copied();
    let constant = constant.and_then(|constant| function.immediate(constant));
    let target = constant.and_then(|constant| outcome(function, writer, constant, test));
    let Some(target) = target else {
        return Ok(());
    };
    if let Some(jump) = jump {
        function.remove(jump);
    }
    copy_steps(function, block, test)?;
    function.append(block, Generic::Br, LowType::S64, &[Operand::block(target)])?;
    Ok(())
}

/// Replaces what follows a comparison in its block by the computations up to a test, and branches
/// on the comparison, if they are decided by that.
fn branch_on(
    function: &mut Function<'_>,
    comparison: Option<InsnId>,
    test: &Test,
) -> Result<(), Error> {
    let Some(comparison) = comparison else {
        return Ok(());
    };
    let row = *function.insn(comparison);
    let generic = match row.opcode.generic() {
        Some(Generic::Icmp) => Generic::BrIcmp,
        Some(Generic::Fcmp) => Generic::BrFcmp,
        _ => return Ok(()),
    };
    let &[_, predicate, a, b] = function.operands(comparison) else {
        return Ok(());
    };
    let [yes, no] = [1, 0].map(|result| outcome(function, comparison, result, test));
    let (Some(yes), Some(no)) = (yes, no) else {
        return Ok(());
    };
    let mut writers = test.steps.iter().chain([&comparison]);
    let is_overwritten = writers.any(|&insn| {
        let written = writes(function, insn);
        written.is_some() && [a, b].iter().any(|side| side.vreg() == written)
    });
    if is_overwritten {
        return Ok(());
    }
    while let Some(after) = function.insn(comparison).next() {
        function.remove(after);
    }
    let block = row.block();
    copy_steps(function, block, test)?;
    let operands = [predicate, a, b, Operand::block(yes)];
    function.append(block, generic, row.ty, &operands)?;
    function.append(block, Generic::Br, LowType::S64, &[Operand::block(no)])?;
    Ok(())
}

/// Copies the instructions on the way to a test to the end of a block.
fn copy_steps(function: &mut Function<'_>, block: BlockId, test: &Test) -> Result<(), Error> {
    function.origins.begin_copies();
    for &step in &test.steps {
        let operands: heapless::Vec<Operand, 4> =
            function.operands(step).iter().copied().take(4).collect();
        function.append_like(block, step, &operands)?;
    }
    Ok(())
}

/// Returns the register that an instruction writes first.
fn writes(function: &Function<'_>, insn: InsnId) -> Option<VReg> {
    let first = *function.operands(insn).first()?;
    first.vreg().filter(|_| first.is_def())
}

/// Returns the block that a test leads to if `writer` writes a constant.
fn outcome(function: &Function<'_>, writer: InsnId, constant: i64, test: &Test) -> Option<BlockId> {
    // The last value of a register counts; a register of which the value is not known has `None`.
    let mut known = heapless::Vec::<(VReg, Option<i64>), { MOST_STEPS + 1 }>::new();
    known
        .push((writes(function, writer)?, Some(constant)))
        .ok()?;
    let value = |known: &[(VReg, Option<i64>)], operand: Operand| match operand.vreg() {
        Some(vreg) => known.iter().rev().find(|(known, _)| *known == vreg)?.1,
        None => function.immediate(operand),
    };
    for &step in &test.steps {
        let result = evaluate(function, step, |operand| value(&known, operand));
        known.push((writes(function, step)?, result)).ok()?;
    }
    let &[predicate, tested, against, _] = function.operands(test.branch) else {
        return None;
    };
    let [tested, against] = [tested, against].map(|side| value(&known, side));
    let ty = function.insn(test.branch).ty;
    let [yes, no] = test.outcomes;
    let holds = holds(predicate.as_int_predicate()?, ty, tested?, against?);
    Some(if holds { yes } else { no })
}
