//! Analyses: facts on a function that passes ask for, and that no pass computes for itself.

pub(crate) mod block_frequency;
pub(crate) mod bounds;
pub(crate) mod branches;
pub(crate) mod callees;
pub(crate) mod constants;
pub(crate) mod control_flow;
pub(crate) mod demanded_bits;
pub(crate) mod frame_escape;
pub(crate) mod known_constants;
pub(crate) mod layout_loops;
pub(crate) mod live_blocks;
pub(crate) mod liveness;
pub(crate) mod loop_forest;
pub(crate) mod loops;
pub(crate) mod memory_generations;
pub(crate) mod phis;
pub(crate) mod preserved;
pub(crate) mod private_data;
pub(crate) mod properties;
pub(crate) mod ranges;
pub(crate) mod rematerialisable;
pub(crate) mod unreachable;
pub(crate) mod variable_values;
pub(crate) mod verifier;
