//! The code generator: Medium IR becomes machine code, stage by stage, the same for every target.
//!
//! What differs between targets is behind [`Isa`](crate::target::Isa): tables and a few functions.

pub(crate) mod analysis;
pub(crate) mod emit;
pub(crate) mod fired;
pub(crate) mod form;
pub(crate) mod helper;
pub(crate) mod lower;
pub(crate) mod opt;
pub(crate) mod pipeline;
pub(crate) mod regalloc;
pub(crate) mod ssa;
pub(crate) mod translate;

pub use crate::target::code::{Code, Fixup, FixupKind, FixupTarget, Relocation, ShortBranch};
pub use crate::target::emitter::Emitter;
pub use crate::target::error::Error;
pub use crate::target::frame_layout::FrameLayout;
pub use analysis::callees::Callees;
pub use analysis::properties::edges;
pub(crate) use analysis::properties::flags;
pub use analysis::verifier::{Rule, Violation, verify, verify_ssa};
pub use emit::encode::{Offsets, emit};
pub use emit::frame::{LARGEST_CHECKED, Prologue, finish_frame};
pub use helper::{FaultKind, Helper};
pub use lower::select::select;
pub use opt::combine::RULES as COMBINE_RULES;
pub use pipeline::compiler::{Budget, Compiler, Look};
pub(crate) use pipeline::debug::FuncName;
pub use pipeline::debug::{DebugLevel, DebugOutput, DebugSink};
pub use pipeline::listing::{Printed, PrintedInsn};
pub use pipeline::stage;
pub use pipeline::stage::{Backend, Form, Stage, Work};
pub use regalloc::allocate::allocate;
pub use regalloc::kill_flags::{live_ins, mark_last_uses};
pub(crate) use translate::thunk_shift;
pub use translate::{Extras, Inlining, LabelAddress, Labels, Limits, translate};
