//! The stack frame: inserts prologue and epilogues, and replaces frame objects by registers and
//! offsets.

use crate::codegen::analysis::properties;
use crate::codegen::regalloc::shrink_wrap;
use crate::machine::{BlockId, Function, InsnId, LayoutCursor, StackLimit, UnitSet};
use crate::mem::OutOfMemory;
use crate::target::emitter::Emitter;
use crate::target::error::{Error, Phase};
use crate::target::frame_layout::FrameLayout;
use crate::target::{InsnFlags, Isa};

/// The largest frame of a function under a limit of the stack. The check comes after the frame is
/// made, and functions that call nothing have none, so the room that must be left below the limit
/// is bounded.
pub const LARGEST_CHECKED: u32 = 64 << 10;

/// The size from which on frames are made at the entry instead of where shrink wrapping puts them,
/// as touching their pages changes registers.
const LARGEST_LATE: u32 = 2048;

/// The frame that a function's prologue made, and the place at which that ends.
#[derive(Clone, Copy, Debug)]
pub struct Prologue {
    /// The frame.
    pub layout: FrameLayout,
    /// The block that the function continues in.
    pub block: BlockId,
    /// The prologue's last instruction, if any of it is in that block.
    pub last: Option<InsnId>,
}

/// The place of the prologue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FramePlacement {
    /// The entry.
    Entry,
    /// The point from which on something needs the frame (shrink wrapping).
    ShrinkWrapped,
}

/// Lays out the frame of an allocated function, and makes it concrete. `used` are the units of all
/// registers that the function uses.
///
/// # Errors
///
/// Out of memory; [`Error::TooLarge`].
pub(crate) fn finish_frame(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    used: UnitSet,
    placement: FramePlacement,
) -> Result<Prologue, Error> {
    let saved = UnitSet(used.0 & isa.registers().saved.0).without(function.reserved);
    let layout = isa.lay_out_frame(function, saved)?;
    if function.stack_limit != StackLimit::None && layout.bytes > LARGEST_CHECKED {
        return Err(Error::TooLarge);
    }
    let outset = if placement == FramePlacement::ShrinkWrapped
        && layout.bytes.max(layout.outgoing_bytes) < LARGEST_LATE
    {
        shrink_wrap::mark(function, isa, layout.saved)?
    } else {
        None
    };
    let outset = outset.or(function.layout.first().copied());
    let mut prologue = Prologue {
        layout,
        block: outset.ok_or(Phase::Emission.internal(None))?,
        last: None,
    };
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        if function.has_dynamic_stack {
            split_block(function, isa, block)?;
        }
        finish_block(function, isa, block, outset, &mut prologue)?;
    }
    function.lay_out_splits()?;
    Ok(prologue)
}

/// Finishes a block, and the blocks that it was split into. The prologue comes into `outset`.
fn finish_block(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    block: BlockId,
    outset: Option<BlockId>,
    prologue: &mut Prologue,
) -> Result<(), Error> {
    let mut rest = Some(block);
    // The block that later instructions of this block belong to.
    let mut end = None;
    while let Some(block) = rest {
        // This comes before any instruction here is replaced by further blocks, which need no
        // finishing.
        rest = function.rest(block);
        let first = function.block(block).first();
        if outset == Some(block) {
            function.origins.place_nowhere();
            let mut out = Emitter::new(function, isa, block, first);
            isa.prologue(&mut out, &prologue.layout)?;
            prologue.block = out.block();
            function.origins.place_near();
            prologue.last = match first {
                Some(first) => function.insn(first).previous(),
                None => function.block(prologue.block).last(),
            };
        }
        let ended = finish_insns(function, isa, first, &prologue.layout)?;
        // A block may be compiled lazily, apart from others; a register that passes a value to
        // the next instruction does not survive that, so such blocks are joined again.
        let is_joined = end.map(|end| function.unsplit(end));
        end = match (ended, is_joined) {
            (Some(ended), _) if ended != block => Some(ended),
            (_, None) => Some(block),
            _ => end,
        };
    }
    Ok(())
}

/// Splits a block after each instruction that becomes several blocks: backward, so that each
/// instruction moves once.
fn split_block(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    block: BlockId,
) -> Result<(), OutOfMemory> {
    let mut insn = function.block(block).last();
    while let Some(id) = insn {
        let row = function.insn(id);
        let (previous, next) = (row.previous(), row.next());
        if properties::flags(isa, row).contains(InsnFlags::SPLITS) {
            function.split(block, next)?;
        }
        insn = previous;
    }
    Ok(())
}

/// Finishes the instructions from `first` on. Returns the block that the last one ended in.
fn finish_insns(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    first: Option<InsnId>,
    layout: &FrameLayout,
) -> Result<Option<BlockId>, Error> {
    let (mut next, mut ended) = (first, None);
    let rows = isa.insns();
    let wanted = InsnFlags::RETURN.union(InsnFlags::PSEUDO);
    let has_objects = !function.frame.is_empty();
    while let Some(insn) = next {
        let row = function.insn(insn);
        let block = row.block();
        next = row.next();
        ended = Some(block);
        let flags = row.opcode.row().and_then(|row| rows.get(row));
        let flags = flags.map_or(InsnFlags::empty(), |row| row.flags);
        let mut operands = function.operands_of(row).iter();
        let has_frame = has_objects && operands.any(|o| o.as_frame().is_some());
        if !has_frame && !flags.intersects(wanted) {
            continue;
        }
        let mut out = Emitter::new(function, isa, block, Some(insn));
        if flags.contains(InsnFlags::RETURN) && !out.function.block(block).is_early {
            isa.epilogue(&mut out, layout)?;
        }
        if has_frame || flags.contains(InsnFlags::PSEUDO) {
            isa.resolve_frame(&mut out, insn, layout)?;
        }
        ended = Some(out.block());
    }
    Ok(ended)
}
