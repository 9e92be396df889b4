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
//! then. A block is copied if it does little, calls nothing, and these edges are few; all that are
//! added are in proportion to the function.
//!
//! The cost: one walk over the ends of blocks, sorting the jumps to those that are copied, and the
//! instructions of a block for each copy.

use crate::codegen::analysis::branches::is_copied_cheaply;
use crate::machine::{BlockId, Function, Generic, InsnId, Operand};
use crate::mem::{Entity, Vec, sort_by_key};
use crate::target::error::Error;

/// The most edges from the copies of a block to labels.
const MOST_EDGES: usize = 1024;

/// A jump at the end of a block to one that is copied.
struct Jump {
    to: BlockId,
    insn: InsnId,
}

/// Copies the blocks of a function that end with an indirect jump. Returns whether there were any.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn duplicate_tails(function: &mut Function<'_>) -> Result<bool, Error> {
    let jumps = find_jumps(function)?;
    let is_label = |&block: &BlockId| function.block(block).address_taken;
    let labels = function.block_ids().filter(is_label).count();
    let mut room = MOST_EDGES.max(function.insn_count());
    let mut operands = Vec::new(function.allocator());
    let mut changed = false;
    for jumps in jumps.chunk_by(|a, b| a.to == b.to) {
        let edges = jumps.len().saturating_mul(labels);
        if edges > MOST_EDGES.min(room) {
            continue;
        }
        room -= edges;
        for jump in jumps {
            copy(function, jump, &mut operands)?;
            changed = true;
        }
    }
    Ok(changed)
}

/// Returns the jumps to blocks that can be copied, those to one block beside each other.
fn find_jumps<'m>(function: &Function<'m>) -> Result<Vec<'m, Jump>, Error> {
    let allocator = function.allocator();
    let (mut jumps, mut is_copied) = (Vec::new(allocator), Vec::new(allocator));
    for &block in &function.layout {
        if let Some(jump) = last_of(function, block, Generic::Brindirect)
            && is_copied_cheaply(function, block, jump)
        {
            is_copied.resize(function.block_count(), false)?;
            is_copied[block.index()] = true;
        }
    }
    if is_copied.is_empty() {
        return Ok(jumps);
    }
    for &block in &function.layout {
        if let Some(insn) = last_of(function, block, Generic::Br)
            && let Some(to) = function.operands(insn).first().and_then(|to| to.as_block())
            && is_copied[to.index()]
        {
            jumps.push(Jump { to, insn })?;
        }
    }
    sort_by_key(&mut jumps, |jump| jump.to);
    Ok(jumps)
}

/// Puts the instructions of the block that a jump leads to in its place.
fn copy(
    function: &mut Function<'_>,
    jump: &Jump,
    operands: &mut Vec<'_, Operand>,
) -> Result<(), Error> {
    let block = function.insn(jump.insn).block();
    function.remove(jump.insn);
    function.origins.begin_copies();
    let mut next = function.block(jump.to).first();
    while let Some(insn) = next {
        next = function.insn(insn).next();
        operands.clear();
        operands.extend_from_slice(function.operands(insn))?;
        function.append_like(block, insn, operands)?;
    }
    Ok(())
}

/// Returns the last instruction of a block if it is this one.
fn last_of(function: &Function<'_>, block: BlockId, generic: Generic) -> Option<InsnId> {
    let last = function.block(block).last()?;
    (function.insn(last).opcode.generic() == Some(generic)).then_some(last)
}
