//! Jump threading: branches to blocks that only jump are redirected to the final target, a branch
//! around a jump becomes the inverse branch, and unreachable blocks are removed from the layout.

use crate::codegen::analysis::branches::{
    end_of, is_generic_terminator, jump_target, layout_places, redirect,
};
use crate::codegen::analysis::properties::opposite_of;
use crate::machine::{BlockId, Function, InsnId, Operand};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// Threads the jumps of a function of generic instructions, without removing the blocks that become
/// unreachable. Returns whether anything changed.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn thread_jumps(function: &mut Function<'_>) -> Result<bool, Error> {
    // All that changes leads to or past such a block.
    let leads_on = |&block: &BlockId| {
        let first = function.block(block).first();
        first.is_none_or(|first| jump_target(function, first).is_some())
    };
    if !function.layout.iter().any(leads_on) {
        return Ok(false);
    }
    let allocator = function.allocator();
    let places = layout_places(function, allocator)?;
    let mut changed = false;
    for place in 0..function.layout.len() {
        if let Some(&block) = function.layout.get(place) {
            changed |= redirect(
                function,
                block,
                is_generic_terminator,
                |function, target| end_of(function, &places, target),
            );
        }
    }
    let mut entered = Vec::new(allocator);
    entered.resize(function.block_count(), false)?;
    keep_addressed(function, &mut entered);
    mark_targets(function, &mut entered);
    for place in 0..function.layout.len() {
        changed |= turn_around(function, &places, &entered, place);
    }
    Ok(changed)
}

fn set(function: &mut Function<'_>, insn: InsnId, number: usize, operand: Operand) {
    if let Some(place) = function.operands_mut(insn).get_mut(number) {
        *place = operand;
    }
}

/// Marks the blocks that addresses and jump tables refer to.
fn keep_addressed(function: &Function<'_>, kept: &mut [bool]) {
    let taken = (function.block_ids()).filter(|&block| function.block(block).address_taken);
    let listed = (function.table_ids()).flat_map(|table| function.table(table).iter().copied());
    for block in taken.chain(listed) {
        if let Some(place) = kept.get_mut(block.index()) {
            *place = true;
        }
    }
}

/// Marks the targets of branches.
fn mark_targets(function: &Function<'_>, entered: &mut [bool]) {
    for &block in &function.layout {
        let mut cursor = function.cursor_at_end(block);
        while let Some(insn) = cursor.previous_if(function, is_generic_terminator) {
            for target in function.operands(insn).iter().filter_map(|o| o.as_block()) {
                entered[target.index()] = true;
            }
        }
    }
}

/// If a block ends with a branch around nothing but a jump, replaces both by the inverse branch to
/// the target of the jump. Returns whether it did.
fn turn_around(
    function: &mut Function<'_>,
    places: &[u32],
    entered: &[bool],
    place: usize,
) -> bool {
    let block = function.layout.get(place).copied();
    let branch = block.and_then(|block| function.block(block).last());
    let Some(branch) = branch else {
        return false;
    };
    let Some(opposite) = opposite_of(function, branch) else {
        return false;
    };
    let around = function.operands(branch).get(3).and_then(|o| o.as_block());
    let mut next = place + 1;
    let jump = loop {
        match function.layout.get(next) {
            Some(block) if !entered[block.index()] => match function.block(*block).first() {
                Some(first) => break first,
                None => next += 1,
            },
            _ => return false,
        }
    };
    let (Some(target), Some(&after)) = (jump_target(function, jump), function.layout.get(next + 1))
    else {
        return false;
    };
    let is_around = around == Some(end_of(function, places, after));
    if is_around {
        set(function, branch, 0, opposite);
        set(function, branch, 3, Operand::block(target));
        function.remove(jump);
    }
    is_around
}
