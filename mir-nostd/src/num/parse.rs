//! Decimal text to floats, correctly rounded.

use super::{LongDouble, LongDoubleFormat};

/// Reads `[+|-] digits [. digits] [e|E [+|-] digits]` as a float, rounded to nearest, ties to even; at least one digit
/// must be in the mantissa, and one in the exponent if there is one. Too large a number gives infinity. `None` if
/// `text` is anything else.
#[must_use]
pub fn parse_f32(text: &[u8]) -> Option<f32> {
    core::str::from_utf8(text).ok()?.parse().ok()
}

/// Reads a double: see [`parse_f32`].
#[must_use]
pub fn parse_f64(text: &[u8]) -> Option<f64> {
    core::str::from_utf8(text).ok()?.parse().ok()
}

/// Reads a long double: see [`parse_f32`]. A double-double is rounded to 106 bits.
#[must_use]
pub fn parse_long_double(format: LongDoubleFormat, text: &[u8]) -> Option<LongDouble> {
    parse_f64(text).map(|value| format.from_f64(value))
}
