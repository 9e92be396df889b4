//! Optimisations on generic instructions, most of them in SSA form.

pub(crate) mod block_merging;
pub(crate) mod block_placement;
pub(crate) mod branch_threading;
pub(crate) mod check_elimination;
pub(crate) mod check_merging;
pub(crate) mod combine;
pub(crate) mod comparison_merging;
pub(crate) mod correlated_branches;
pub(crate) mod cse;
pub(crate) mod dead_code;
pub(crate) mod dead_stores;
pub(crate) mod division;
pub(crate) mod if_conversion;
pub(crate) mod jump_threading;
pub(crate) mod licm;
pub(crate) mod load_combining;
pub(crate) mod load_pre;
pub(crate) mod loop_rotation;
pub(crate) mod range_merging;
pub(crate) mod rotates;
pub(crate) mod scalar_replacement;
pub(crate) mod sccp;
pub(crate) mod sink_increments;
pub(crate) mod strength_reduction;
pub(crate) mod unroll;
pub(crate) mod widen_induction;
