//! Tail duplication of indirect jumps: a block that ends with one is copied to the ends of the
//! blocks that jump to it. On generic instructions that are not in SSA form.
//!
//! An interpreter that is written with labels as values goes from each of its operations to the
//! next one by an indirect jump. Front ends make one block of all these jumps; copies of it save
//! the jump to it, values do not have to meet in the registers that it expects, and the processor
//! predicts each jump by its own history (Ertl and Gregg, "The structure and performance of
//! efficient interpreters", 2003). Registers have several definitions here, so that a copy computes
//! the same registers, and nothing else need be mended.
//!
//! Each copy may lead to every label whose address is taken, where values from all copies meet
//! then. A block is copied if it does little, calls nothing, and these edges are few.
//!
//! The cost: one walk over the ends of blocks, one over their ends for each block that is copied,
//! and its instructions for each copy.

use crate::codegen::analysis::branches::is_copied_cheaply;
use crate::machine::{BlockId, Function, Generic, InsnId};
use crate::mem::Vec;
use crate::target::error::Error;

/// The most edges from the copies of a block to labels.
const MOST_EDGES: usize = 1024;

/// Copies the blocks of a function that end with an indirect jump. Returns whether there were any.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn duplicate_tails(function: &mut Function<'_>) -> Result<bool, Error> {
    let allocator = function.allocator();
    let mut blocks = Vec::new(allocator);
    for &block in &function.layout {
        if let Some(jump) = last_of(function, block, Generic::Brindirect)
            && is_copied_cheaply(function, block, jump)
        {
            blocks.push(block)?;
        }
    }
    if blocks.is_empty() {
        return Ok(false);
    }
    let is_label = |&block: &BlockId| function.block(block).address_taken;
    let labels = function.block_ids().filter(is_label).count();
    let mut changed = false;
    let mut predecessors = Vec::new(allocator);
    let mut operands = Vec::new(allocator);
    for &block in &blocks {
        predecessors.clear();
        for &predecessor in &function.layout {
            if jump_to(function, predecessor, block).is_some() {
                predecessors.push(predecessor)?;
            }
        }
        if predecessors.len().saturating_mul(labels) > MOST_EDGES {
            continue;
        }
        for &predecessor in &predecessors {
            let Some(jump) = jump_to(function, predecessor, block) else {
                continue;
            };
            function.remove(jump);
            function.origins.begin_copies();
            let mut next = function.block(block).first();
            while let Some(insn) = next {
                next = function.insn(insn).next();
                operands.clear();
                operands.extend_from_slice(function.operands(insn))?;
                function.append_like(predecessor, insn, &operands)?;
            }
            changed = true;
        }
    }
    Ok(changed)
}

/// Returns the last instruction of a block if it is this one.
fn last_of(function: &Function<'_>, block: BlockId, generic: Generic) -> Option<InsnId> {
    let last = function.block(block).last()?;
    (function.insn(last).opcode.generic() == Some(generic)).then_some(last)
}

/// Returns the jump at the end of a block if it leads to this other one.
fn jump_to(function: &Function<'_>, block: BlockId, target: BlockId) -> Option<InsnId> {
    let jump = last_of(function, block, Generic::Br)?;
    let to = function.operands(jump).first()?.as_block()?;
    (to == target && block != target).then_some(jump)
}
