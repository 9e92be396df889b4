//! Register allocation: live intervals, coalescing, splitting, spilling, shrink wrapping, and
//! the proof of the result.

pub(crate) mod allocate;
pub(crate) mod allocation;
pub(crate) mod assignment;
pub(crate) mod checker;
pub(crate) mod coalesce;
pub(crate) mod eviction;
pub(crate) mod interval_set;
pub(crate) mod kill_flags;
pub(crate) mod linear_scan;
pub(crate) mod reload_elimination;
pub(crate) mod rematerialise;
pub(crate) mod rewrite;
pub(crate) mod shrink_wrap;
pub(crate) mod spill_slots;
pub(crate) mod split;
pub(crate) mod variable_places;
