//! Block merging: joins a block with its only successor if it is the only predecessor of that. In
//! SSA form.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::is_phi;
use crate::codegen::analysis::phis::rename_source;
use crate::machine::{BlockId, Function, Generic, LowType, Operand};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// Merges each block with its only successor where that has no other predecessor.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn merge_blocks(function: &mut Function<'_>, flow: &mut Flow<'_>) -> Result<(), Error> {
    let is_merged = |&block: &BlockId| only_next(function, flow, block, block).is_some();
    if !flow.order.iter().any(is_merged) {
        return Ok(());
    }
    let allocator = function.allocator();
    // For each block, the block whose end it has now, and the block that it was merged into.
    let mut tails = Vec::with_capacity(allocator, function.block_count())?;
    for block in function.block_ids() {
        tails.push(block)?;
    }
    let mut heads = Vec::from_slice(allocator, &tails)?;
    let is_gone = |heads: &[BlockId], block: BlockId| heads[block.index()] != block;
    let mut nexts = Vec::new(allocator);
    nexts.resize(function.block_count(), None)?;
    for (place, &block) in function.layout.iter().enumerate() {
        nexts[block.index()] = function.layout.get(place + 1).copied();
    }
    for &block in &flow.order {
        if is_gone(&heads, block) {
            continue;
        }
        while let Some(next) = only_next(function, flow, block, tails[block.index()]) {
            heads[next.index()] = block;
            let tail = tails[next.index()];
            take_in(function, flow, block, next, tail, &nexts)?;
            tails[block.index()] = tail;
        }
    }
    let mut layout = Vec::with_capacity(allocator, function.layout.len())?;
    for &block in &function.layout {
        if !is_gone(&heads, block) {
            layout.push(block)?;
        }
    }
    if layout.len() < function.layout.len() {
        function.layout = layout;
        flow.contract(&function.layout, &heads, &tails)?;
    }
    Ok(())
}

/// Returns the block that can be merged into a block, which ends as `tail` did.
fn only_next(
    function: &Function<'_>,
    flow: &Flow<'_>,
    block: BlockId,
    tail: BlockId,
) -> Option<BlockId> {
    let &[next] = flow.edges.successors(tail) else {
        return None;
    };
    let is_plain = |last| function.insn(last).opcode.generic();
    let last = function.block(block).last().and_then(is_plain);
    let ends_plainly = last.is_none_or(|last| !last.is_terminator() || last == Generic::Br);
    let starts_plainly =
        (function.block(next).first()).is_none_or(|first| !is_phi(function, first));
    let is_free = next != block
        && flow.place(next) != Some(0)
        && flow.edges.predecessors(next).len() == 1
        && !function.block(next).address_taken;
    (ends_plainly && starts_plainly && is_free).then_some(next)
}

/// Appends the instructions of `next`, which ends as `tail` did, to those of `block`.
fn take_in(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    block: BlockId,
    next: BlockId,
    tail: BlockId,
    nexts: &[Option<BlockId>],
) -> Result<(), Error> {
    if let Some(last) = function.block(block).last()
        && function.insn(last).opcode.generic() == Some(Generic::Br)
    {
        function.remove(last);
    }
    function.move_insns(next, block);
    let is_closed = function.block(block).last().is_some_and(|last| {
        let generic = function.insn(last).opcode.generic();
        generic.is_some_and(|generic| {
            generic.is_terminator() && !matches!(generic, Generic::BrIcmp | Generic::BrFcmp)
        })
    });
    // It falls through to the block after it, which may lie elsewhere now.
    if let (false, Some(&Some(behind))) = (is_closed, nexts.get(tail.index())) {
        function.append(block, Generic::Br, LowType::S64, &[Operand::block(behind)])?;
    }
    for &to in flow.edges.successors(tail) {
        rename_source(function, to, tail, block);
    }
    Ok(())
}
