//! The branches at the ends of blocks, and their redirection.

use crate::machine::{BlockId, Function, Generic, InsnId, Operand};

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
