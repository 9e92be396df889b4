//! The code generator: Medium IR becomes machine code, stage by stage, the same for every target.
//!
//! What differs between targets is behind [`Isa`](crate::target::Isa): tables and a few functions.

mod again;
mod allocate;
mod arrange;
mod callees;
mod check;
mod choose;
mod coalesce;
mod code;
mod combine;
mod compile;
mod constants;
mod cse;
mod dead;
mod debug;
mod divide;
mod emit;
mod emitter;
mod error;
mod extended;
mod flow;
mod fold;
mod frame;
mod guarded;
mod helper;
mod hoist;
mod jumps;
mod kills;
mod landing;
mod layout;
mod legalise;
mod liveness;
mod merge;
mod outset;
mod padding;
mod print;
mod promote;
mod propagate;
mod properties;
mod quick;
mod reduce;
mod rewrite;
mod rotate;
mod select;
mod shorten;
mod slots;
mod split;
mod ssa;
pub mod stage;
mod step;
mod stores;
mod taken;
mod translate;
mod unroll;
mod verify;
mod widen;

pub use allocate::allocate;
pub use callees::Callees;
pub use code::{Code, Fixup, FixupKind, FixupTarget, Relocation, ShortBranch};
pub use combine::combine;
pub use compile::{Budget, Compiler, Look};
pub(crate) use debug::FuncName;
pub use debug::{DebugLevel, DebugOutput, DebugSink};
pub use emit::{Offsets, emit};
pub use emitter::Emitter;
pub use error::Error;
pub use frame::{LARGEST_CHECKED, Prologue, finish_frame};
pub use helper::{FaultKind, Helper};
pub use kills::{live_ins, mark_last_uses};
pub use print::{Printed, PrintedInsn};
pub use properties::edges;
pub(crate) use properties::flags;
pub use select::select;
pub use stage::{Form, Stage, Work};
pub(crate) use translate::thunk_shift;
pub use translate::{Extras, Inlining, LabelAddress, Labels, Limits, translate};
pub use verify::{Rule, Violation, verify, verify_ssa};

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
    /// Where the first of them is saved, for targets that store them in the frame.
    pub save_offset: i32,
    /// Bytes at the stack pointer for arguments of calls.
    pub outgoing_bytes: u32,
    /// Whether the frame pointer is set up.
    pub has_frame_pointer: bool,
}
