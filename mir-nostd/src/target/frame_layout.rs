//! The layout of a stack frame, which a backend decides and the stage `frame` applies.

use crate::machine::{Reg, UnitSet};

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
