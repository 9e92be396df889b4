//! Spill slots: frame objects for virtual registers, shared by those that are never live together.

use crate::machine::{FrameId, Function};
use crate::mem::{Allocator, OutOfMemory, Vec};

/// The number of frame objects that are looked at when one is taken.
const NEARBY: usize = 8;

/// The frame objects that hold spilled virtual registers.
pub(crate) struct Slots<'m> {
    /// Each object with its size and the position until which it is taken.
    all: Vec<'m, (FrameId, u32, u32)>,
    shares: bool,
}

impl<'m> Slots<'m> {
    pub(crate) fn new(function: &Function<'_>, allocator: &'m dyn Allocator) -> Slots<'m> {
        Slots {
            all: Vec::new(allocator),
            // After `longjmp` a value may be read again, long after its last read in the code.
            shares: !function.is_jumped_back_into,
        }
    }

    /// Returns a frame object for a live interval, which must not start before those that took one
    /// already.
    pub(crate) fn take(
        &mut self,
        function: &mut Function<'_>,
        start: u32,
        end: u32,
        bytes: u32,
    ) -> Result<FrameId, OutOfMemory> {
        if self.shares {
            let nearby = self.all.iter_mut().rev().take(NEARBY);
            for (frame, size, until) in nearby {
                if *size == bytes && *until <= start {
                    *until = end;
                    return Ok(*frame);
                }
            }
        }
        let frame = function.add_spill_slot(bytes, bytes)?;
        self.all.push((frame, bytes, end))?;
        Ok(frame)
    }
}
