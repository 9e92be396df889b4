//! Ranges of the values of virtual registers.

/// The least and the greatest value of a 64-bit register.
pub(crate) type Range = (i64, i64);
