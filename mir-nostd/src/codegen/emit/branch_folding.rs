//! Jump threading after register allocation: as copies vanished, blocks may be empty or hold
//! nothing but a jump. Branches lead past them, and one around a jump becomes the inverse branch.

use crate::codegen::analysis::branches::redirect;
use crate::codegen::analysis::properties;
use crate::machine::{BlockId, Function, InsnId, LayoutCursor, Operand};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::{InsnFlags, Isa};

/// The most jumps that are followed from one branch.
const MOST_JUMPS: usize = 16;

/// Redirects branches past blocks that only lead on.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn follow_jumps(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), OutOfMemory> {
    // All that changes leads to or past such a block.
    let leads_on = |&block: &BlockId| {
        let first = function.block(block).first();
        first.is_none_or(|first| is_jump(function, isa, first))
    };
    if !function.layout.iter().any(leads_on) {
        return Ok(());
    }
    let mut nexts = Vec::new(function.allocator());
    nexts.resize(function.block_count(), None)?;
    for (place, &block) in function.layout.iter().enumerate() {
        let after = function.layout.get(place + 1).copied();
        nexts[block.index()] = goes_on_to(function, isa, block, after);
    }
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let is_branch = |function: &Function<'_>, insn| is_branch(function, isa, insn);
        redirect(function, block, is_branch, |_, target| {
            end_of(&nexts, target)
        });
    }
    turn_around(function, isa, &nexts)?;
    drop_jumps(function, isa)
}

/// Removes the jumps that control never comes to: those alone in a block that nothing leads to.
fn drop_jumps(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), OutOfMemory> {
    let mut entered = Vec::new(function.allocator());
    entered.resize(function.block_count(), false)?;
    mark_entered(function, isa, &mut entered);
    // The entry is where control comes from outside.
    let mut falls_through = true;
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let Some(last) = function.block(block).last() else {
            falls_through |= entered[block.index()];
            continue;
        };
        let is_reached = falls_through || entered[block.index()];
        if !is_reached
            && function.block(block).first() == Some(last)
            && is_jump(function, isa, last)
        {
            function.remove(last);
        } else {
            let flags = properties::flags(isa, function.insn(last));
            falls_through = !flags.contains(InsnFlags::BARRIER);
        }
    }
    Ok(())
}

/// Replaces each branch around nothing but a jump by the inverse branch to the target of the jump.
fn turn_around(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    nexts: &[Option<BlockId>],
) -> Result<(), OutOfMemory> {
    let mut entered = Vec::new(function.allocator());
    entered.resize(function.block_count(), false)?;
    mark_entered(function, isa, &mut entered);
    for place in 0..function.layout.len() {
        let Some((branch, target)) = only_branch(function, isa, place) else {
            continue;
        };
        // The jump is alone in a block that nothing else leads to.
        let mut next = place + 1;
        let jump = loop {
            match function.layout.get(next) {
                Some(block) if !entered[block.index()] => match function.block(*block).first() {
                    Some(first) => break Some(first),
                    None => next += 1,
                },
                _ => break None,
            }
        };
        let Some(jump) = jump.filter(|&jump| is_jump(function, isa, jump)) else {
            continue;
        };
        let after = function.layout.get(next + 1);
        let is_around = after.is_some_and(|&after| end_of(nexts, after) == end_of(nexts, target));
        let to = function.operands(jump).first().copied();
        if let Some(to) = to.filter(|to| is_around && to.as_block().is_some())
            && isa.invert_branch(function, branch)
        {
            let old = Operand::block(target);
            let place = (function.operands_mut(branch).iter_mut()).find(|place| **place == old);
            if let Some(place) = place {
                *place = to;
                function.remove(jump);
            }
        }
    }
    Ok(())
}

/// Marks the blocks that branches, jump tables and addresses lead to.
fn mark_entered(function: &Function<'_>, isa: &dyn Isa, entered: &mut [bool]) {
    let taken = (function.block_ids()).filter(|&block| function.block(block).address_taken);
    let listed = (function.table_ids()).flat_map(|table| function.table(table).iter().copied());
    for block in taken.chain(listed) {
        entered[block.index()] = true;
    }
    for &block in &function.layout {
        let mut cursor = function.cursor_at_end(block);
        while let Some(insn) = cursor.previous_if(function, |f, insn| is_branch(f, isa, insn)) {
            for target in function.operands(insn).iter().filter_map(|o| o.as_block()) {
                entered[target.index()] = true;
            }
        }
    }
}

/// Returns the conditional branch at the end of the block at a place of the layout, if it is the
/// only one there, with its target.
fn only_branch(function: &Function<'_>, isa: &dyn Isa, place: usize) -> Option<(InsnId, BlockId)> {
    let branch = function.block(*function.layout.get(place)?).last()?;
    let before = function.insn(branch).previous();
    let is_only = before.is_none_or(|before| !is_branch(function, isa, before));
    if !is_only || !is_branch(function, isa, branch) || is_jump(function, isa, branch) {
        return None;
    }
    let target = function
        .operands(branch)
        .iter()
        .find_map(|o| o.as_block())?;
    Some((branch, target))
}

/// Returns whether an instruction is a branch that is always taken.
fn is_jump(function: &Function<'_>, isa: &dyn Isa, insn: InsnId) -> bool {
    let wanted = BRANCH.union(InsnFlags::BARRIER);
    properties::flags(isa, function.insn(insn)).contains(wanted)
}

/// The flags of a branch.
const BRANCH: InsnFlags = InsnFlags::TERMINATOR.union(InsnFlags::BRANCH);

fn is_branch(function: &Function<'_>, isa: &dyn Isa, insn: InsnId) -> bool {
    properties::flags(isa, function.insn(insn)).contains(BRANCH)
}

/// Returns the successor of a block that is empty or only jumps.
fn goes_on_to(
    function: &Function<'_>,
    isa: &dyn Isa,
    block: BlockId,
    after: Option<BlockId>,
) -> Option<BlockId> {
    let Some(first) = function.block(block).first() else {
        return after;
    };
    match function.operands(first) {
        [target] if is_jump(function, isa, first) => target.as_block(),
        _ => None,
    }
}

/// Returns the block that control ends up in after going to `target`.
fn end_of(nexts: &[Option<BlockId>], target: BlockId) -> BlockId {
    let mut end = target;
    for _ in 0..MOST_JUMPS {
        match nexts.get(end.index()) {
            Some(&Some(next)) if next != end => end = next,
            _ => break,
        }
    }
    end
}
