//! Dead store elimination: removes stores of values that nothing can read. In SSA form.
//!
//! A backward pass over each block keeps the last eight places that are certainly overwritten
//! before they are read; a store to such a place is dead. A load forgets the places that it may
//! overlap; anything else that may read memory, such as a call, forgets all. Before a return,
//! stores to frame objects that no pointer leads to are dead, too, if nothing reads such objects in
//! between.
//!
//! Addresses are compared by their operands: in SSA form equal ones are the same address throughout
//! the block. Two different ones are apart only if they differ in the displacement alone, by
//! enough. The cost is linear.

use crate::codegen::analysis::frame_escape::{address_place, private_frames};
use crate::codegen::analysis::properties::is_removable;
use crate::machine::{FrameKind, Function, Generic, InsnId, LayoutCursor, Operand, Reg};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The number of places that are remembered.
const RECENT: usize = 8;

/// Removes dead stores.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn remove_dead_stores(function: &mut Function<'_>) -> Result<(), Error> {
    let has_frame = (function.frame.iter()).any(|(_, object)| object.kind == FrameKind::Local);
    let private = if has_frame {
        private_frames(function)?
    } else {
        Vec::new(function.allocator())
    };
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(function) {
        let mut later = Later {
            written: [None; RECENT],
            newest: 0,
            is_left: false,
        };
        let mut previous = function.block(block).last();
        while let Some(insn) = previous {
            previous = function.insn(insn).previous();
            if later.is_dead(function, &private, insn) {
                function.remove(insn);
            }
        }
    }
    Ok(())
}

/// A place in memory: the address and the number of bytes.
type MemoryRange = ([Operand; 4], u32);

/// The effects of the rest of the block after the present instruction.
struct Later {
    /// The places that are overwritten before anything reads them.
    written: [Option<MemoryRange>; RECENT],
    newest: usize,
    /// True if the function returns before it reads any private frame object.
    is_left: bool,
}

impl Later {
    /// Returns whether an instruction is a dead store, and notes its effect.
    fn is_dead(&mut self, function: &Function<'_>, private: &[bool], insn: InsnId) -> bool {
        let row = function.insn(insn);
        let Some(generic) = row.opcode.generic() else {
            self.forget();
            return false;
        };
        let is_plain = is_removable(generic, row.ty) || generic.is_terminator();
        let Some(first) = address_place(function, insn) else {
            if generic == Generic::Ret {
                self.is_left = true;
            } else if !is_plain {
                self.forget();
            }
            return false;
        };
        let operands = function.operands(insn).get(first..first + 4);
        let Some(Ok(address)) = operands.map(<[Operand; 4]>::try_from) else {
            self.forget();
            return false;
        };
        let is_physical = |operand: &Operand| operand.as_reg().is_some_and(Reg::is_physical);
        if address.iter().any(is_physical) {
            self.forget();
            return false;
        }
        let place = (address, row.ty.bytes());
        let frame = address[0].as_frame();
        let is_private = frame.is_some_and(|frame| private.get(frame.index()) == Some(&true));
        if generic != Generic::Store || row.ty.is_long_double() {
            self.read(place, is_private);
            return false;
        }
        let is_dead = self.is_left && is_private || self.is_written(place);
        if !is_dead {
            self.written[self.newest] = Some(place);
            self.newest = (self.newest + 1) % RECENT;
        }
        is_dead
    }

    /// Forgets everything, as anything may be read.
    fn forget(&mut self) {
        self.written = [None; RECENT];
        self.is_left = false;
    }

    /// Forgets the places that a read may overlap.
    fn read(&mut self, place: MemoryRange, is_private: bool) {
        for written in &mut self.written {
            if written.is_some_and(|written| !is_apart(written, place)) {
                *written = None;
            }
        }
        self.is_left &= !is_private;
    }

    fn is_written(&self, (address, bytes): MemoryRange) -> bool {
        self.written
            .iter()
            .flatten()
            .any(|&(written, more)| written == address && bytes <= more)
    }
}

/// Returns whether two places share no byte, for addresses that differ in the displacement only.
fn is_apart((a, a_bytes): MemoryRange, (b, b_bytes): MemoryRange) -> bool {
    let (Some(left), Some(right)) = (a[3].small(), b[3].small()) else {
        return false;
    };
    let (left, right) = (i64::from(left), i64::from(right));
    a[..3] == b[..3] && (left + i64::from(a_bytes) <= right || right + i64::from(b_bytes) <= left)
}
