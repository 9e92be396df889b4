//! Loop rotation: a loop that begins with its exit test ends with it instead. On generic
//! instructions that are not in SSA form.
//!
//! Front ends write `while` and `for` with the test at the head, to which the body jumps at its
//! end. The test is copied, for all jumps back to the head; the head stays before the loop, where
//! it decides whether the loop is entered (loop inversion; Muchnick, "Advanced Compiler Design and
//! Implementation", 1997, section 18.5). An iteration then executes one branch, what is invariant
//! in it is executed whenever the loop is entered, and the value that steps is compared after its
//! step, which is the form that the passes on loops look for. Registers have several definitions
//! here, so that a copy computes the same registers, and nothing else need be mended.
//!
//! A loop is what lies in the layout from its head to the last block that leads back there. A head
//! is copied if it does little and calls nothing, one of its two ways leaves the loop, and the
//! other does not lead to the head of another loop, which would have two loops share one. Loops
//! that end with a test already are left alone.
//!
//! The cost: one walk over the branches, and one over the instructions of heads.

use crate::codegen::analysis::branches::{
    NOWHERE, end_of, is_copied_cheaply, is_generic_terminator, layout_places, redirect,
};
use crate::machine::{BlockId, Function, Generic, LowType, Operand};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The loops of a function by the blocks that they begin with.
struct Loops<'m> {
    /// The place of each block in the layout.
    places: Vec<'m, u32>,
    /// The place of the last block that leads back to each block.
    ends: Vec<'m, u32>,
    /// True for blocks that an unconditional jump leads back to.
    is_jumped_to: Vec<'m, bool>,
}

/// Rotates the loops of a function. Returns whether there were any.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn rotate_loops(function: &mut Function<'_>) -> Result<bool, Error> {
    let loops = find_loops(function)?;
    let allocator = function.allocator();
    let mut copies: Vec<'_, Option<BlockId>> = Vec::new(allocator);
    let mut operands = Vec::new(allocator);
    for place in 0..function.layout.len() {
        let head = function.layout[place];
        if let Some(other) = other_way(function, &loops, place) {
            if copies.is_empty() {
                copies.resize(function.block_count(), None)?;
            }
            copies[head.index()] = Some(copy_head(function, head, other, &mut operands)?);
        }
    }
    if copies.is_empty() {
        return Ok(false);
    }
    for place in 0..loops.places.len().min(function.layout.len()) {
        let block = function.layout[place];
        redirect(function, block, is_generic_terminator, |_, target| {
            let copy = copies.get(target.index()).copied().flatten();
            copy.filter(|_| loops.places[target.index()] as usize <= place)
                .unwrap_or(target)
        });
    }
    let copies = copies.iter().flatten().copied();
    for copy in copies {
        function.layout.push(copy)?;
    }
    Ok(true)
}

/// Finds what later blocks, or they themselves, lead back to.
fn find_loops<'m>(function: &Function<'m>) -> Result<Loops<'m>, Error> {
    let allocator = function.allocator();
    let mut loops = Loops {
        places: layout_places(function, allocator)?,
        ends: Vec::new(allocator),
        is_jumped_to: Vec::new(allocator),
    };
    loops.ends.resize(function.block_count(), NOWHERE)?;
    loops.is_jumped_to.resize(function.block_count(), false)?;
    for (place, &block) in function.layout.iter().enumerate() {
        let mut cursor = function.cursor_at_end(block);
        while let Some(insn) = cursor.previous_if(function, is_generic_terminator) {
            let is_jump = function.insn(insn).opcode.generic() == Some(Generic::Br);
            for target in function.operands(insn).iter().filter_map(|o| o.as_block()) {
                if loops.places[target.index()] <= place as u32 {
                    loops.ends[target.index()] = place as u32;
                    loops.is_jumped_to[target.index()] |= is_jump;
                }
            }
        }
    }
    Ok(loops)
}

/// Returns where the block of a place goes on if its last branch is not taken, if it is the head of
/// a loop that is rotated.
fn other_way(function: &Function<'_>, loops: &Loops<'_>, place: usize) -> Option<BlockId> {
    let head = *function.layout.get(place)?;
    let end = *loops.ends.get(head.index())?;
    if end == NOWHERE || !loops.is_jumped_to[head.index()] || function.block(head).address_taken {
        return None;
    }
    let last = function.block(head).last()?;
    let (branch, other) = match function.insn(last).opcode.generic()? {
        Generic::Br => {
            let other = function.operands(last).first()?.as_block()?;
            (function.insn(last).previous()?, other)
        }
        _ => (last, *function.layout.get(place + 1)?),
    };
    let is_branch = |generic| matches!(generic, Generic::BrIcmp | Generic::BrFcmp);
    let target = function.operands(branch).get(3)?.as_block()?;
    let [target, other] = [target, other].map(|block| end_of(function, &loops.places, block));
    let leaves = |block: BlockId| {
        let to = loops.places[block.index()];
        to > end || (to as usize) < place
    };
    let stays = match [target, other].map(leaves) {
        [true, false] => other,
        [false, true] => target,
        _ => return None,
    };
    let is_other_head = loops.ends[stays.index()] != NOWHERE;
    let is_tested = function
        .insn(branch)
        .opcode
        .generic()
        .is_some_and(is_branch);
    (is_tested && !is_other_head && is_copied_cheaply(function, head, branch)).then_some(other)
}

/// Returns a copy of the head of a loop, which goes on to `other` if its branch is not taken.
fn copy_head(
    function: &mut Function<'_>,
    head: BlockId,
    other: BlockId,
    operands: &mut Vec<'_, Operand>,
) -> Result<BlockId, Error> {
    let copy = function.add_block()?;
    function.origins.begin_copies();
    let mut next = function.block(head).first();
    while let Some(insn) = next {
        let row = *function.insn(insn);
        next = row.next();
        if row.opcode.generic() != Some(Generic::Br) {
            operands.clear();
            operands.extend_from_slice(function.operands(insn))?;
            function.append_like(copy, insn, operands)?;
        }
    }
    function.append(copy, Generic::Br, LowType::S64, &[Operand::block(other)])?;
    Ok(copy)
}
