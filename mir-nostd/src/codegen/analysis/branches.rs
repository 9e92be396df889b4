//! The branches at the ends of blocks, and their redirection.

use crate::machine::{BlockId, Function, Generic, InsnId, Operand};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// The most jumps that are followed from one branch; front ends write no longer chains.
const MOST_JUMPS: usize = 16;

/// The mark of a block that is not in the layout.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Returns the place of each block in the layout.
pub(crate) fn layout_places<'m>(
    function: &Function<'_>,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, u32>, OutOfMemory> {
    let mut places = Vec::new(allocator);
    places.resize(function.block_count(), NOWHERE)?;
    for (place, &block) in function.layout.iter().enumerate() {
        places[block.index()] = place as u32;
    }
    Ok(places)
}

/// Redirects the branches at the end of a block: `to` returns the new target for each. The branches
/// are the last instructions for which `is_branch` holds. Returns whether any target changed.
pub(crate) fn redirect(
    function: &mut Function<'_>,
    from: BlockId,
    is_branch: impl Fn(&Function<'_>, InsnId) -> bool,
    to: impl Fn(&Function<'_>, BlockId) -> BlockId,
) -> bool {
    let mut changed = false;
    let mut cursor = function.cursor_at_end(from);
    while let Some(insn) = cursor.previous_if(function, &is_branch) {
        for number in 0..function.operands(insn).len() {
            let operand = function.operands(insn).get(number);
            let Some(old) = operand.and_then(|operand| operand.as_block()) else {
                continue;
            };
            let new = to(function, old);
            if new != old
                && let Some(place) = function.operands_mut(insn).get_mut(number)
            {
                *place = Operand::block(new);
                changed = true;
            }
        }
    }
    changed
}

/// Returns whether a generic instruction ends a block.
pub(crate) fn is_generic_terminator(function: &Function<'_>, insn: InsnId) -> bool {
    let generic = function.insn(insn).opcode.generic();
    generic.is_some_and(Generic::is_terminator)
}

/// Returns the block that control ends up in after going to `block`. `places` are those of the
/// blocks in the layout.
pub(crate) fn end_of(function: &Function<'_>, places: &[u32], block: BlockId) -> BlockId {
    let mut block = block;
    for _ in 0..MOST_JUMPS {
        let next = match function.block(block).first() {
            Some(first) => jump_target(function, first),
            None => next_of(function, places, block),
        };
        match next {
            Some(next) if next != block => block = next,
            _ => break,
        }
    }
    block
}

/// Returns the target of an unconditional jump.
pub(crate) fn jump_target(function: &Function<'_>, insn: InsnId) -> Option<BlockId> {
    if function.insn(insn).opcode.generic() != Some(Generic::Br) {
        return None;
    }
    function.operands(insn).first()?.as_block()
}

/// Returns the next block of the layout.
fn next_of(function: &Function<'_>, places: &[u32], block: BlockId) -> Option<BlockId> {
    let place = *places.get(block.index())? as usize;
    function.layout.get(place.checked_add(1)?).copied()
}

/// The most instructions of a block that is copied, but for its branch.
const MOST_COPIED: usize = 12;

/// Returns whether the instructions of a block before its branch are few, and can be copied.
pub(crate) fn is_copied_cheaply(function: &Function<'_>, block: BlockId, branch: InsnId) -> bool {
    let is_physical = |operand: &Operand| operand.as_reg().is_some_and(|reg| reg.is_physical());
    let mut count = 0;
    let before = function.insns(block).take_while(|&insn| insn != branch);
    for insn in before {
        count += 1;
        let is_copied = match function.insn(insn).opcode.generic() {
            Some(Generic::Call) | None => false,
            Some(generic) => !generic.is_terminator() && !generic.is_property(),
        };
        let is_free = !function.operands(insn).iter().any(is_physical);
        if count > MOST_COPIED || !is_copied || !is_free {
            return false;
        }
    }
    true
}
