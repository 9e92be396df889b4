//! Jump threading after register allocation: as copies vanished, blocks may be empty or hold
//! nothing but a jump.

use crate::codegen::analysis::branches::redirect;
use crate::codegen::analysis::properties;
use crate::machine::{BlockId, Function, InsnId, LayoutCursor};
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
    Ok(())
}

fn is_branch(function: &Function<'_>, isa: &dyn Isa, insn: InsnId) -> bool {
    let wanted = InsnFlags::TERMINATOR.union(InsnFlags::BRANCH);
    properties::flags(isa, function.insn(insn)).contains(wanted)
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
    let flags = properties::flags(isa, function.insn(first));
    let is_jump = is_branch(function, isa, first) && flags.contains(InsnFlags::BARRIER);
    match function.operands(first) {
        [target] if is_jump => target.as_block(),
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
