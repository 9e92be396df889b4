//! Loop-invariant code motion, and the preheaders and dedicated exits that it needs. In SSA form.
//!
//! An instruction is loop-invariant if all its operands are constants or defined outside the loop.
//! It moves to the preheader, the one block before the loop, if it computes without an effect,
//! cannot fault, and a register is left for its result all through the loop: the registers that the
//! loop wants anyway are counted first, and those of operands that nothing else in the loop reads
//! are free again. A division stays, since it might not have been executed at
//! all (Muchnick, "Advanced Compiler Design and Implementation", 13.2).
//!
//! Headers are visited in reverse order, inner loops before outer ones, so that what is invariant
//! in those as well moves outward again. The total size of the loops that are visited is bounded by
//! a multiple of the function's.

mod addresses;

use addresses::Addresses;

use crate::codegen::analysis::branches::{is_generic_terminator, redirect};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::layout_loops::mark_depths;
use crate::codegen::analysis::loops::{Loops, registers_for};
use crate::codegen::analysis::phis::{first_terminator, is_phi, rename_source};
use crate::codegen::analysis::preserved::Preserved;
use crate::machine::{
    Bank, BlockId, Facts, Function, Generic, InsnId, LayoutCursor, LowType, Operand,
};
use crate::mem::Vec;
use crate::target::Isa;
use crate::target::error::Error;

/// The work for all loops, in instructions per instruction of the function.
const MOST_WORK: usize = 12;

/// Moves loop-invariant instructions that are worth a register to the preheaders. Returns whether
/// any was moved.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn hoist<'m>(
    function: &mut Function<'m>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
    are_addresses_kept: bool,
) -> Result<bool, Error> {
    let mut moved = false;
    if !flow.has_loops() {
        return Ok(moved);
    }
    let mut loops = Loops::new(function, flow)?;
    let mut addresses = Addresses::new(function);
    let mut budget = MOST_WORK * (function.insn_count() + 16);
    for place in (1..flow.order.len()).rev() {
        let Some(&header) = flow.order.get(place) else {
            break;
        };
        let Some(outside) = loops.entering_block(flow, header) else {
            continue;
        };
        let size = loops.size(function, header);
        if size > budget {
            break;
        }
        budget -= size;
        if let &[next] = flow.edges.successors(outside)
            && next == header
        {
            moved |= hoist_from(&mut loops, function, isa, header, outside);
            if !are_addresses_kept {
                moved |= addresses.split(&mut loops, function, isa, [header, outside])?;
            }
        }
    }
    Ok(moved)
}

/// Inserts a preheader before each loop that has none.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn add_preheaders(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
) -> Result<Preserved, Error> {
    let allocator = function.allocator();
    let mut layout = Vec::with_capacity(allocator, function.layout.len())?;
    for place in 0..function.layout.len() {
        let Some(&header) = function.layout.get(place) else {
            break;
        };
        if let Some(from) = entry_edge(function, flow, header, place) {
            let entry = function.add_block()?;
            layout.push(entry)?;
            replace_target(function, from, header, entry);
            rename_source(function, header, from, entry);
            let to = [Operand::block(header)];
            function.append(entry, Generic::Br, LowType::S64, &to)?;
        }
        layout.push(header)?;
    }
    let changed = layout.len() > function.layout.len();
    function.layout = layout;
    Ok(Preserved::control_flow_unless(changed))
}

/// Inserts dedicated exits of loops where an edge leaves for a block with PHIs and its source leads
/// elsewhere, too: the copies for the PHIs are not executed in each iteration then.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn add_dedicated_exits(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
) -> Result<Preserved, Error> {
    mark_depths(function, &flow.edges)?;
    let allocator = function.allocator();
    let mut layout = Vec::with_capacity(allocator, function.layout.len())?;
    let mut last = Vec::new(allocator);
    let mut blocks = LayoutCursor::default();
    while let Some(from) = blocks.next(function) {
        layout.push(from)?;
        let nexts = flow.edges.successors(from);
        if nexts.len() < 2 || !branches_plainly(function, from) {
            continue;
        }
        for &to in nexts {
            if !leaves_for_phis(function, from, to) {
                continue;
            }
            let exit = function.add_block()?;
            if replace_target(function, from, to, exit) {
                last.push(exit)?;
            } else {
                layout.push(exit)?;
            }
            rename_source(function, to, from, exit);
            function.append(exit, Generic::Br, LowType::S64, &[Operand::block(to)])?;
        }
    }
    let changed = layout.len() + last.len() > function.layout.len();
    layout.extend_from_slice(&last)?;
    function.layout = layout;
    Ok(Preserved::control_flow_unless(changed))
}

/// Returns whether an edge leads to a smaller loop depth and to a block that begins with PHIs.
fn leaves_for_phis(function: &Function<'_>, from: BlockId, to: BlockId) -> bool {
    let first = function.block(to).first();
    function.block(to).depth < function.block(from).depth
        && !function.block(to).address_taken
        && first.is_some_and(|first| is_phi(function, first))
}

/// Redirects the branches of a block from `old` to `new`. Returns whether there were any.
fn replace_target(function: &mut Function<'_>, from: BlockId, old: BlockId, new: BlockId) -> bool {
    redirect(function, from, is_generic_terminator, |_, target| {
        if target == old { new } else { target }
    })
}

/// Returns whether all branches of a block can be redirected, which those through jump tables
/// cannot.
fn branches_plainly(function: &Function<'_>, block: BlockId) -> bool {
    let last = function.block(block).last();
    let last = last.and_then(|last| function.insn(last).opcode.generic());
    !matches!(last, Some(Generic::Brjt | Generic::Brindirect))
}

/// Returns the one block that a loop is entered from, if it leads elsewhere, too, and a preheader
/// can be put between.
fn entry_edge(
    function: &Function<'_>,
    flow: &Flow<'_>,
    header: BlockId,
    place: usize,
) -> Option<BlockId> {
    let (mut outside, mut is_loop) = (None, false);
    for &from in flow.edges.predecessors(header) {
        if flow.dominates(header, from) {
            is_loop = true;
        } else if outside.replace(from).is_some() {
            return None;
        }
    }
    let from = outside.filter(|_| is_loop && !function.block(header).address_taken)?;
    if flow.edges.successors(from).len() < 2 {
        return None;
    }
    // The block before it in the layout must not fall through into the preheader from inside the
    // loop.
    let before = function.layout.get(place.checked_sub(1)?).copied()?;
    let falls = function.block(before).last().is_none_or(|last| {
        let generic = function.insn(last).opcode.generic();
        generic.is_none_or(|generic| {
            !generic.is_terminator() || matches!(generic, Generic::BrIcmp | Generic::BrFcmp)
        })
    });
    (branches_plainly(function, from) && (before == from || !falls)).then_some(from)
}

/// Returns whether an instruction is worth a register all through a loop. A division is not, as it
/// might not be executed at all.
fn is_worth_it(function: &Function<'_>, isa: &dyn Isa, insn: InsnId, generic: Generic) -> bool {
    use Generic as G;
    if matches!(generic, G::Constant | G::FConstant) {
        let value = function.operands(insn).get(1).copied();
        let value = value.and_then(|value| function.immediate(value));
        let ty = function.insn(insn).ty;
        return value.is_some_and(|value| !isa.takes_immediate(generic, ty, 1, value));
    }
    generic.is(Facts::HOISTED)
}

/// Moves the invariants of a loop into the block that it is entered from, as long as
/// registers are free all through it. Returns whether it moved any.
fn hoist_from(
    loops: &mut Loops<'_>,
    function: &mut Function<'_>,
    isa: &dyn Isa,
    header: BlockId,
    outside: BlockId,
) -> bool {
    let mut moved = false;
    let has_call = loops.has_call(function, header);
    let mut room = loops.pressure(function, header);
    for (room, bank) in room.iter_mut().zip([Bank::General, Bank::Floating]) {
        *room = registers_for(isa, bank, has_call).saturating_sub(*room);
    }
    for number in 0..loops.members(header).len() {
        let Some(&member) = loops.members(header).get(number) else {
            break;
        };
        let mut cursor = function.cursor(member);
        while let Some(insn) = cursor.next(function) {
            let row = *function.insn(insn);
            let is_wanted = (row.opcode.generic())
                .is_some_and(|generic| is_worth_it(function, isa, insn, generic));
            let is_fixed = (function.operands(insn).iter())
                .all(|&operand| operand.is_def() || loops.is_fixed(function, header, operand));
            let computes = function.operands(insn).first().and_then(|to| to.vreg());
            let Some(computes) = computes.filter(|_| is_wanted && is_fixed) else {
                continue;
            };
            let bank = function.vreg(computes).bank as usize;
            let freed = loops.frees(function, insn);
            if room[bank] + freed[bank] == 0 || row.ty.is_long_double() {
                continue;
            }
            loops.leave(function, insn);
            let before = first_terminator(function, outside);
            function.move_insn(insn, outside, before);
            moved = true;
            for (room, freed) in room.iter_mut().zip(freed) {
                *room += freed;
            }
            room[bank] -= 1;
        }
    }
    moved
}
