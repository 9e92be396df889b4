//! The code generator: Medium IR becomes machine code, stage by stage, the same for every target.
//!
//! [`Isa`](crate::target::Isa) has what differs between targets: tables and a few functions.

pub(crate) mod analysis;
#[cfg(feature = "check")]
pub(crate) mod confinement;
pub(crate) mod debug;
pub(crate) mod emit;
pub(crate) mod fired;
pub(crate) mod form;
pub(crate) mod helper;
pub(crate) mod lower;
pub(crate) mod opt;
pub(crate) mod options;
pub(crate) mod pipeline;
pub(crate) mod regalloc;
pub(crate) mod ssa;
pub(crate) mod translate;

pub use crate::target::code::{Code, Fixup, FixupKind, FixupTarget, Relocation, ShortBranch};
pub use crate::target::emitter::Emitter;
pub use crate::target::error::{Error, Phase};
pub use crate::target::frame_layout::{FrameLayout, FrameRecord};
pub use analysis::callees::Callees;
pub use analysis::liveness::{LiveSegment, live_segments};
pub use analysis::loop_forest::loop_depths;
pub use analysis::properties::edges;
pub(crate) use analysis::properties::flags;
pub use analysis::variable_values::{HeldVariable, Holder, Snapshot, VariableValues, own_site};
pub use analysis::verifier::{Rule, Violation, verify, verify_ssa};
pub use debug::{DebugLevel, DebugOutput, DebugSink};
pub use emit::encode::Offsets;
pub use emit::frame::{LARGEST_CHECKED, Prologue};
pub use helper::Helper;
pub(crate) use helper::Place;
pub use options::{Budget, Execution, Fuel, Granularity, Limits, Options};
pub use pipeline::compiler::{Compiler, Look};
pub use pipeline::listing::{Printed, PrintedInsn};
pub(crate) use pipeline::report::FuncName;
pub use pipeline::rules::{RuleName, rules};
pub use pipeline::stage;
pub use pipeline::stage::{Backend, Form, Stage};
pub use pipeline::work::{Output, Work};
pub use regalloc::checker::AllocationProof;
pub use regalloc::kill_flags::{live_ins, mark_last_uses};
pub use translate::{LabelAddress, Labels};
pub(crate) use translate::{MOST_INLINED, thunk_shift};
