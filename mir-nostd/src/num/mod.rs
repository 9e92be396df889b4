//! Numbers: soft long double in every target's format, exact decimal text of every format, integer
//! semantics.
//!
//! Promises: the same bits on every host; correct rounding in every conversion and in every
//! operation but those of double-double, which are the target's own; no memory but fixed arrays on
//! the stack; no panics, whatever the input.
//!
//! - [`LongDoubleFormat`] computes on the bits of a [`LongDouble`].
//! - [`write_f64`] and its kin make decimal text as C's `printf` does, [`parse_f64`] and its kin
//!   read it.
//! - [`fold`] has the semantics of the integer instructions, [`Operation`] those of what C has no
//!   operators for.
//!
//! A float becomes an integer as by Rust's `as`: toward zero, saturating, NaN as 0. An integer
//! becomes a float rounded to nearest, ties to even.

mod decimal;
mod double_double;
mod expand;
pub mod fold;
mod format;
mod operation;
mod parse;
mod soft;
#[cfg(test)]
mod tests;

pub use decimal::{Notation, Style, write_f32, write_f64, write_long_double};
pub use format::{Category, LongDouble, LongDoubleFormat};
pub use operation::Operation;
pub use parse::{parse_f32, parse_f64, parse_long_double};
