//! The pipeline: stages as values, levels, the compiler that goes through them, and what it
//! tells those who look.

pub(crate) mod compiler;
pub(crate) mod listing;
pub(crate) mod report;
pub(crate) mod rules;
pub mod stage;
pub(crate) mod work;
