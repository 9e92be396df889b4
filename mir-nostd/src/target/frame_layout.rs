//! The layout of a stack frame, which a backend decides and the stage `frame` applies.

use crate::machine::{FrameKind, Function, Reg, UnitSet};
use crate::target::error::Error;

/// The maximum number of bytes of a frame.
const LIMIT: i64 = 1 << 30;

/// The way from a function's frame to its caller's: distances from the stack pointer in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameRecord {
    /// The distance to what the stack pointer was before the call.
    pub caller: u32,
    /// The distance to the place of the return address.
    pub return_address: u32,
}

/// The stack frame of a function as the stage `frame` laid it out.
#[derive(Clone, Copy, Debug)]
pub struct FrameLayout {
    /// The register that offsets of frame objects count from.
    pub base: Reg,
    /// Bytes that the prologue takes below what it pushes.
    pub bytes: u32,
    /// The registers that calls preserve and that the function uses.
    pub saved: UnitSet,
    /// The offset at which the first of them is saved, for targets that store them in the frame.
    pub save_offset: i32,
    /// Bytes at the stack pointer for arguments of calls.
    pub outgoing_bytes: u32,
    /// True if the frame pointer is set up.
    pub has_frame_pointer: bool,
}

impl FrameLayout {
    /// Gives the small objects of a frame (up to 16 bytes) or the large ones their offsets, one
    /// below the other from `end` down, and arguments on the stack theirs, which count from
    /// `incoming`. All are bytes from an origin that lies `bias` bytes above a multiple of the
    /// largest alignment. Returns the new end.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] for more than 2^30 bytes.
    ///
    /// ```
    /// use mir_nostd::codegen::FrameLayout;
    /// use mir_nostd::machine::Function;
    ///
    /// # let system = testkit::SystemAllocator;
    /// let mut function = Function::new(&system);
    /// let slot = function.add_local(8, 8)?;
    /// let end = FrameLayout::place_down(&mut function, -8, true, (16, 0))?;
    /// assert_eq!((end, function.frame.get(slot).unwrap().offset), (-16, -16));
    /// # Ok::<(), mir_nostd::codegen::Error>(())
    /// ```
    pub fn place_down(
        function: &mut Function<'_>,
        mut end: i64,
        is_small: bool,
        (incoming, bias): (i64, i64),
    ) -> Result<i64, Error> {
        for object in function.frame.values_mut() {
            let offset = match object.kind {
                FrameKind::Incoming(at) => incoming + i64::from(at),
                FrameKind::Local | FrameKind::Spill if (object.bytes <= 16) == is_small => {
                    let align = i64::from(object.align.max(1));
                    let start = end - i64::from(object.bytes) + bias;
                    end = start.div_euclid(align) * align - bias;
                    end
                }
                FrameKind::Local | FrameKind::Spill => continue,
            };
            if end < -LIMIT || offset > LIMIT {
                return Err(Error::TooLarge);
            }
            object.offset = offset as i32;
        }
        Ok(end)
    }
}
