//! Stores whose value nothing can read any more go. In SSA form.
//!
//! One walk backward through each block, with the places that are certainly written again before they are read. Behind a
//! return nothing reads the frame objects that no pointer leads to.

use super::cse::{address_place, private_frames};
use super::{Error, dead};
use crate::machine::{FrameKind, Function, Generic, InsnId, Operand, Reg};
use crate::mem::{Entity, Vec};

/// How many places are remembered.
const RECENT: usize = 8;

/// Removes dead stores.
///
/// # Errors
///
/// Out of memory.
pub(super) fn remove_dead_stores(function: &mut Function<'_>) -> Result<(), Error> {
    let has_frame = (function.frame.iter()).any(|(_, object)| object.kind == FrameKind::Local);
    let private = if has_frame {
        private_frames(function)?
    } else {
        Vec::new(function.allocator())
    };
    for place in 0..function.layout.len() {
        let Some(&block) = function.layout.get(place) else {
            break;
        };
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

/// A place in memory: the address and how many bytes.
type Place = ([Operand; 4], u32);

/// What happens behind the present instruction in its block.
struct Later {
    /// What is written before anything reads it.
    written: [Option<Place>; RECENT],
    newest: usize,
    /// Whether the function returns before it reads any private frame object.
    is_left: bool,
}

impl Later {
    /// Whether an instruction is a dead store; notes what it does.
    fn is_dead(&mut self, function: &Function<'_>, private: &[bool], insn: InsnId) -> bool {
        let row = function.insn(insn);
        let Some(generic) = row.opcode.generic() else {
            self.forget();
            return false;
        };
        let is_plain = dead::is_removable(generic, row.ty) || generic.is_terminator();
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

    /// Anything may be read.
    fn forget(&mut self) {
        self.written = [None; RECENT];
        self.is_left = false;
    }

    /// What is at a place is read: what is not certainly elsewhere may be that.
    fn read(&mut self, place: Place, is_private: bool) {
        for written in &mut self.written {
            if written.is_some_and(|written| !is_apart(written, place)) {
                *written = None;
            }
        }
        self.is_left &= !is_private;
    }

    fn is_written(&self, (address, bytes): Place) -> bool {
        self.written
            .iter()
            .flatten()
            .any(|&(written, more)| written == address && bytes <= more)
    }
}

/// Whether two places have no byte in common: the same but for the displacement.
fn is_apart((a, a_bytes): Place, (b, b_bytes): Place) -> bool {
    let (Some(left), Some(right)) = (a[3].small(), b[3].small()) else {
        return false;
    };
    let (left, right) = (i64::from(left), i64::from(right));
    a[..3] == b[..3] && (left + i64::from(a_bytes) <= right || right + i64::from(b_bytes) <= left)
}
