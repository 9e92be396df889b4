//! Loop peeling: gives a loop a copy of its body before it, for the first iteration. In SSA form.
//!
//! It is for values that every iteration but the first finds in a register: all iterations that are
//! left find them there. Without the copy they would have to be loaded before the loop, which could
//! fault if only some paths load them. The copies are made as those of unrolling are, of the same
//! loops: without inner ones, and left at the latch. Nothing but PHIs of the block after the loop
//! may read its registers.

use super::{Copies, Found, Heads, copy_member, find, own_names, source_of};
use crate::codegen::analysis::branches::{is_generic_terminator, redirect};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::is_phi;
use crate::codegen::analysis::preserved::Preserved;
use crate::machine::{BlockId, Function, InsnId, Operand};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The most loops of a function that are peeled.
const MOST_PEELED: usize = 4;
/// The most instructions of a loop that is peeled.
const MOST_INSNS: usize = 64;

/// Peels the first iteration off the loops with these headers, as far as that is possible.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn peel(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    headers: &[BlockId],
) -> Result<Preserved, Error> {
    let mut preserved = Preserved::ControlFlow;
    for &header in headers.iter().take(MOST_PEELED) {
        let Some(found) = find(function, flow, header) else {
            continue;
        };
        let has_side = found.body.iter().any(|member| member.side.is_some());
        if has_side || found.size > MOST_INSNS || is_read_after(function, &found)? {
            continue;
        }
        copy_first(function, &found)?;
        preserved = Preserved::Nothing;
    }
    Ok(preserved)
}

/// Returns whether an instruction after a loop, other than a PHI of its exit, reads a register that
/// the loop defines.
fn is_read_after(function: &Function<'_>, found: &Found) -> Result<bool, Error> {
    let mut defined = Vec::new(function.allocator());
    defined.resize(function.vreg_count(), false)?;
    for insn in found.blocks().flat_map(|block| function.insns(block)) {
        let operands = function.operands(insn).iter();
        for vreg in operands.filter(|o| o.is_def()).filter_map(|o| o.vreg()) {
            defined[vreg.index()] = true;
        }
    }
    let is_read = |insn: InsnId| {
        let mut read = { function.operands(insn).iter() }.filter_map(|operand| operand.read_vreg());
        read.any(|vreg| defined[vreg.index()])
    };
    let is_member = |block| found.blocks().any(|member| member == block);
    let others = function.layout.iter().filter(|&&block| !is_member(block));
    for &block in others {
        let is_exit = block == found.exit;
        let mut insns = function.insns(block);
        if insns.any(|insn| is_read(insn) && !(is_exit && is_phi(function, insn))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Copies the body of a loop to before it, with the test at its end.
fn copy_first(function: &mut Function<'_>, found: &Found) -> Result<(), Error> {
    let mut names = own_names(function)?;
    let mut copies = Copies::new(function)?;
    let heads = Heads {
        first: function.block_count() as u32,
        next: found.header,
        keeps_test: true,
    };
    for _ in &found.body {
        function.add_block()?;
    }
    function.origins.begin_copies();
    let phis = phis_of(function, found.header)?;
    for &phi in &phis {
        let value = source_of(function, phi, found.from)?;
        if let Some(to) = function.operands(phi).first().and_then(|to| to.vreg()) {
            names[to.index()] = value;
            function.origins.note_value_in_copies(to, value)?;
        }
    }
    let count = found.body.len();
    for place in 0..count {
        copy_member(function, found, (0, place), &heads, &mut names, &mut copies)?;
    }
    let latch = heads.block(found, 0, count - 1);
    enter_from_copy(function, found, &phis, latch, &names)?;
    let (header, first) = (found.header, BlockId::new(heads.first));
    copies.before[header.index()] = (heads.first, heads.first + count as u32);
    redirect(function, found.from, is_generic_terminator, |_, target| {
        if target == header { first } else { target }
    });
    copies.lay_out(function)
}

/// Returns the PHIs of a block.
fn phis_of<'m>(function: &Function<'m>, block: BlockId) -> Result<Vec<'m, InsnId>, Error> {
    let mut phis = Vec::new(function.allocator());
    let insns = function.insns(block);
    for phi in insns.take_while(|&insn| is_phi(function, insn)) {
        phis.push(phi)?;
    }
    Ok(phis)
}

/// Has the loop begin, and the code after it go on, with the values of the copy, whose last block
/// is `latch`.
fn enter_from_copy(
    function: &mut Function<'_>,
    found: &Found,
    phis: &[InsnId],
    latch: BlockId,
    names: &[Operand],
) -> Result<(), Error> {
    let named = |value: Operand| match value.vreg() {
        Some(vreg) => names.get(vreg.index()).copied().unwrap_or(value),
        None => value,
    };
    for &phi in phis {
        let value = named(source_of(function, phi, found.latch)?);
        let operands = function.operands_mut(phi);
        let mut sources = operands.iter().skip(2).step_by(2);
        let place = sources.position(|source| source.as_block() == Some(found.from));
        if let Some(place) = place {
            operands[2 * place + 1] = value;
            operands[2 * place + 2] = Operand::block(latch);
        }
    }
    for &phi in &phis_of(function, found.exit)? {
        let value = named(source_of(function, phi, found.latch)?);
        let mut operands = Vec::from_slice(function.allocator(), function.operands(phi))?;
        operands.push(value)?;
        operands.push(Operand::block(latch))?;
        function.set_operands(phi, &operands)?;
    }
    Ok(())
}
