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
    // All that changes leads to or past a block that only leads on, or is a jump after a branch.
    let leads_on = |block: BlockId| {
        let first = function.block(block).first();
        first.is_none_or(|first| is_jump(function, isa, first))
    };
    let may_change = |(place, &block): (usize, &BlockId)| {
        leads_on(block) || with_jump(function, isa, place).is_some()
    };
    if !function.layout.iter().enumerate().any(may_change) {
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
    let mut entered = Vec::new(function.allocator());
    entered.resize(function.block_count(), false)?;
    mark_entered(function, isa, &mut entered);
    drop_jumps(function, isa, &entered, &mut nexts);
    turn_around(function, isa, &entered, &nexts);
    Ok(())
}

/// Removes the jumps that control never comes to: those alone in a block that nothing leads to.
fn drop_jumps(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    entered: &[bool],
    nexts: &mut [Option<BlockId>],
) {
    // The entry is where control comes from outside.
    let mut falls_through = true;
    for place in 0..function.layout.len() {
        let block = function.layout[place];
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
            nexts[block.index()] = function.layout.get(place + 1).copied();
        } else {
            let flags = properties::flags(isa, function.insn(last));
            falls_through = !flags.contains(InsnFlags::BARRIER);
        }
    }
}

/// A conditional branch and the jump that control comes to if it is not taken.
struct Pair {
    branch: InsnId,
    /// The block that the branch leads to.
    target: BlockId,
    jump: InsnId,
    /// The place in the layout after the jump.
    next: usize,
}

/// Replaces each branch around nothing but a jump by the inverse branch to the target of the jump.
fn turn_around(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    entered: &[bool],
    nexts: &[Option<BlockId>],
) {
    for place in 0..function.layout.len() {
        let pair = with_jump(function, isa, place);
        let pair = pair.or_else(|| before_jump(function, isa, entered, place));
        let Some(pair) = pair else {
            continue;
        };
        let after = function.layout.get(pair.next);
        let end = end_of(nexts, pair.target);
        let is_around = after.is_some_and(|&after| end_of(nexts, after) == end);
        let to = function.operands(pair.jump).first().copied();
        if let Some(to) = to.filter(|to| is_around && to.as_block().is_some())
            && isa.invert_branch(function, pair.branch)
        {
            let old = Operand::block(pair.target);
            let mut operands = function.operands_mut(pair.branch).iter_mut();
            if let Some(place) = operands.find(|place| **place == old) {
                *place = to;
                function.remove(pair.jump);
            }
        }
    }
}

/// Returns the branch and the jump at the end of the block at a place of the layout, if it ends so.
fn with_jump(function: &Function<'_>, isa: &dyn Isa, place: usize) -> Option<Pair> {
    let jump = function.block(*function.layout.get(place)?).last()?;
    is_jump(function, isa, jump).then_some(())?;
    let branch = function.insn(jump).previous()?;
    is_branch(function, isa, branch).then_some(())?;
    Some(Pair {
        branch,
        target: target_of(function, branch)?,
        jump,
        next: place + 1,
    })
}

/// Returns the branch at the end of the block at a place of the layout, if it is the only one there
/// and the jump comes next, alone in a block that nothing else leads to.
fn before_jump(
    function: &Function<'_>,
    isa: &dyn Isa,
    entered: &[bool],
    place: usize,
) -> Option<Pair> {
    let (branch, target) = only_branch(function, isa, place)?;
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
    Some(Pair {
        branch,
        target,
        jump: jump.filter(|&jump| is_jump(function, isa, jump))?,
        next: next + 1,
    })
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
    Some((branch, target_of(function, branch)?))
}

/// Returns the block that a branch leads to.
fn target_of(function: &Function<'_>, branch: InsnId) -> Option<BlockId> {
    let mut operands = function.operands(branch).iter();
    operands.find_map(|operand| operand.as_block())
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
