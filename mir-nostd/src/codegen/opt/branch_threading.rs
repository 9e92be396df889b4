//! Branch threading: a block that writes a register and goes on to nothing but a test of it
//! branches by itself. On generic instructions that are not in SSA form.
//!
//! Front ends make a value of `a && b` and then test it: a constant on the paths that decide
//! early, a comparison on the last. After a constant the outcome of the test is known, so that the
//! block goes to where the test leads. After a comparison it branches on that. Registers have
//! several definitions here, so that nothing else need be mended (Mueller and Whalley, "Avoiding
//! conditional branches by code replication", 1995).
//!
//! The head of a loop stays its only entry: tests that are one are not copied, and no outcome leads
//! into another loop by its head.
//!
//! The cost: the first and last instructions of each block are looked at.

use crate::codegen::analysis::branches::is_generic_terminator;
use crate::codegen::analysis::constants::holds;
use crate::machine::{BlockId, Function, Generic, InsnId, LowType, Operand, VReg};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The number of empty blocks between a value and its test that are looked through.
const MOST_EMPTY: usize = 8;

/// A block that only compares a register with a constant.
struct Test {
    branch: InsnId,
    tested: VReg,
    /// The blocks that it leads to if the comparison holds, and if not.
    outcomes: [BlockId; 2],
}

/// Threads the branches of a function.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn thread_branches(function: &mut Function<'_>) -> Result<(), Error> {
    let mut places = Vec::new(function.allocator());
    places.resize(function.block_count(), u32::MAX)?;
    for (place, &block) in function.layout.iter().enumerate() {
        places[block.index()] = place as u32;
    }
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
        let next = skip_empty(function, &places, &heads, next);
        let Some(test) = test_of(function, &places, next) else {
            continue;
        };
        let enters = |to: BlockId| heads[to.index()] && places[next.index()] < places[to.index()];
        let may = !heads[next.index()] && !test.outcomes.iter().any(|&outcome| enters(outcome));
        let writer = match jump {
            Some(jump) => function.insn(jump).previous(),
            None => function.block(block).last(),
        };
        if let Some(writer) = writer.filter(|_| may && next != block) {
            thread(function, block, jump, writer, &test)?;
        }
    }
    Ok(())
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

/// Returns the first block on the way from `block` that does more than go on to another, or that is
/// the head of a loop.
fn skip_empty(
    function: &Function<'_>,
    places: &[u32],
    heads: &[bool],
    mut block: BlockId,
) -> BlockId {
    for _ in 0..MOST_EMPTY {
        let is_jump = |insn| function.insn(insn).opcode.generic() == Some(Generic::Br);
        let is_empty = function.block(block).first().is_none_or(is_jump);
        let place = places.get(block.index()).copied().unwrap_or(u32::MAX);
        match only_successor(function, place as usize) {
            Some((_, _, next)) if is_empty && !heads[block.index()] => block = next,
            _ => break,
        }
    }
    block
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

/// Returns what a block does if it does nothing but test a register.
fn test_of(function: &Function<'_>, places: &[u32], block: BlockId) -> Option<Test> {
    let is_addressed = function.block(block).address_taken;
    let first = function.block(block).first().filter(|_| !is_addressed)?;
    test(function, places, first)
}

/// Returns the test that a branch does if only a jump follows.
fn test(function: &Function<'_>, places: &[u32], branch: InsnId) -> Option<Test> {
    let row = function.insn(branch);
    let is_branch = row.opcode.generic() == Some(Generic::BrIcmp);
    let &[_, tested, against, target] = function.operands(branch) else {
        return None;
    };
    function.immediate(against)?;
    let other = match row.next() {
        Some(jump) if function.insn(jump).opcode.generic() == Some(Generic::Br) => {
            function.operands(jump).first()?.as_block()?
        }
        Some(_) => return None,
        None => *(function.layout).get(*places.get(row.block().index())? as usize + 1)?,
    };
    Some(Test {
        branch,
        tested: tested.vreg().filter(|_| is_branch)?,
        outcomes: [target.as_block()?, other],
    })
}

/// Has a block that ends with `writer`, and maybe a jump, do a test by itself, if `writer` writes
/// what is tested.
fn thread(
    function: &mut Function<'_>,
    block: BlockId,
    jump: Option<InsnId>,
    writer: InsnId,
    test: &Test,
) -> Result<(), Error> {
    let is_constant = function.insn(writer).opcode.generic() == Some(Generic::Constant);
    if !is_constant {
        return branch_on(function, Some(writer), test);
    }
    let constant = function.operands(writer).get(1).copied();
    let constant = constant.and_then(|constant| function.immediate(constant));
    let target = constant.and_then(|constant| outcome(function, constant, test));
    let Some(target) = target.filter(|_| writes(function, writer) == Some(test.tested)) else {
        return Ok(());
    };
    if let Some(jump) = jump {
        function.remove(jump);
    }
    function.append(block, Generic::Br, LowType::S64, &[Operand::block(target)])?;
    Ok(())
}

/// Replaces what follows a comparison in its block by branches on it, if a test of the result is
/// all that is done there or next.
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
    let is_overwritten = [a, b].iter().any(|side| side.vreg() == Some(test.tested));
    let outcomes = (outcome(function, 1, test), outcome(function, 0, test));
    let (Some(yes), Some(no)) = outcomes else {
        return Ok(());
    };
    if is_overwritten || writes(function, comparison) != Some(test.tested) {
        return Ok(());
    }
    while let Some(after) = function.insn(comparison).next() {
        function.remove(after);
    }
    let operands = [predicate, a, b, Operand::block(yes)];
    function.append(row.block(), generic, row.ty, &operands)?;
    function.append(
        row.block(),
        Generic::Br,
        LowType::S64,
        &[Operand::block(no)],
    )?;
    Ok(())
}

/// Returns the register that an instruction writes first.
fn writes(function: &Function<'_>, insn: InsnId) -> Option<VReg> {
    let first = *function.operands(insn).first()?;
    first.vreg().filter(|_| first.is_def())
}

/// Returns the block that a test leads to if the register holds a constant.
fn outcome(function: &Function<'_>, constant: i64, test: &Test) -> Option<BlockId> {
    let &[predicate, _, against, _] = function.operands(test.branch) else {
        return None;
    };
    let (predicate, against) = (predicate.as_int_predicate()?, function.immediate(against)?);
    let [yes, no] = test.outcomes;
    let holds = holds(predicate, function.insn(test.branch).ty, constant, against);
    Some(if holds { yes } else { no })
}
