//! The layout of a stack frame, which a backend decides and the stage `frame` applies.

use crate::machine::{Reg, UnitSet};

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
