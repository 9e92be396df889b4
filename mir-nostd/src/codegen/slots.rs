//! Frame objects for virtual registers, shared by those that are never live together.

use crate::machine::{FrameId, Function};
use crate::mem::{Allocator, OutOfMemory, Vec};

/// How many frame objects are looked at for one.
const NEARBY: usize = 8;

/// Frame objects that hold virtual registers.
pub(super) struct Slots<'m> {
    /// With its size, and until which position it is taken.
    all: Vec<'m, (FrameId, u32, u32)>,
    shares: bool,
}

impl<'m> Slots<'m> {
    pub(super) fn new(function: &Function<'_>, allocator: &'m dyn Allocator) -> Slots<'m> {
        Slots {
            all: Vec::new(allocator),
            // A value may be wanted once more, long after it was read last.
            shares: !function.is_jumped_back_into,
        }
    }

    /// A frame object for a life, which must not start before those that took one already.
    pub(super) fn take(
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
        let frame = function.add_local(bytes, bytes)?;
        self.all.push((frame, bytes, end))?;
        Ok(frame)
    }
}
