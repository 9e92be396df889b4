//! Emission: frames, prologues, the forms of branches, bytes.

pub(crate) mod branch_folding;
pub(crate) mod branch_relaxation;
pub(crate) mod encode;
pub(crate) mod frame;
pub(crate) mod landing_pads;
pub(crate) mod padding;
