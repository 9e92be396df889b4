//! Landing pads: instructions without an effect that a machine may require at the targets of
//! indirect branches (ENDBR64 on `x86_64`, BTI on aarch64).
//!
//! `longjmp` returns through a register to the instruction after a call of `setjmp`. Therefore a
//! function that calls `setjmp` by name gets pads after all its calls, as addresses may be in
//! registers by then.

use crate::codegen::analysis::properties;
use crate::codegen::options::Granularity;
use crate::machine::{BlockId, Function};
use crate::mem::{Entity, Vec};
use crate::target::emitter::Emitter;
use crate::target::error::Error;
use crate::target::{InsnFlags, Isa, LandingPad};

/// Inserts landing pads at the entry, at blocks with their address taken and at targets of jump
/// tables, and at every block that is compiled lazily, as thunks lead there. For the form
/// after the stage `frame`.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn add_landing_pads(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    granularity: Granularity,
) -> Result<(), Error> {
    let mut is_target = Vec::new(function.allocator());
    is_target.resize(function.block_count(), granularity == Granularity::Block)?;
    let listed = function.table_ids();
    for block in listed.flat_map(|table| function.table(table).iter().copied()) {
        is_target[block.index()] = true;
    }
    for block in function.block_ids() {
        is_target[block.index()] |= function.block(block).address_taken;
    }
    let entry = function.layout.first().copied();
    for place in 0..function.layout.len() {
        let block = function.layout[place];
        if entry == Some(block) {
            pad(function, isa, block, LandingPad::Entry)?;
        } else if is_target[block.index()] {
            pad(function, isa, block, LandingPad::Label)?;
        }
        if function.is_jumped_back_into {
            pad_returns(function, isa, block)?;
        }
    }
    Ok(())
}

/// Inserts landing pads after the calls of a block.
fn pad_returns(function: &mut Function<'_>, isa: &dyn Isa, block: BlockId) -> Result<(), Error> {
    let mut cursor = function.cursor(block);
    while let Some(insn) = cursor.next(function) {
        let flags = properties::flags(isa, function.insn(insn));
        if flags.contains(InsnFlags::CALL) && !flags.contains(InsnFlags::TERMINATOR) {
            let mut out = Emitter::new(function, isa, block, cursor.peek());
            isa.landing_pad(&mut out, LandingPad::Label)?;
        }
    }
    Ok(())
}

fn pad(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    block: BlockId,
    place: LandingPad,
) -> Result<(), Error> {
    let first = function.block(block).first();
    let mut out = Emitter::new(function, isa, block, first);
    isa.landing_pad(&mut out, place)
}
