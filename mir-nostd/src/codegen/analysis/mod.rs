//! Analyses: facts on a function that passes ask for, and that no pass computes for itself.

pub(crate) mod callees;
pub(crate) mod control_flow;
pub(crate) mod liveness;
pub(crate) mod properties;
pub(crate) mod verifier;
