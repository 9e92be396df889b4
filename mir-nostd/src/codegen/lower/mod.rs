//! Lowering: generic instructions become the target's, and what can be folded into them is.

pub(crate) mod compare_elimination;
pub(crate) mod constant_hoisting;
pub(crate) mod fold;
pub(crate) mod legalise;
pub(crate) mod redundant_extensions;
pub(crate) mod select;
pub(crate) mod source_order;
