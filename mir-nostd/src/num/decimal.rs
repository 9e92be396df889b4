//! Decimal text of floats, exactly as C's `printf` makes it.
//!
//! Promises: the digits are those of the exact value, rounded to nearest, ties to even; any
//! precision; about 1 KB of stack, 8 KB for an x87 or quad number outside the range of a double.

use super::double_double::Pair;
use super::expand::{self, Digits, Extent};
use super::soft::{self, Double, Kind, Parts, Single};
use super::{LongDouble, LongDoubleFormat};
use core::fmt::{self, Write};

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

/// The notation of a float: a conversion of `printf` with its precision and flags.
///
/// ```
/// use mir_nostd::num::{Notation, write_f64};
/// let mut text = String::new();
/// write_f64(&mut text, 0.1, Notation::exponent(24)).unwrap();
/// assert_eq!(text, "1.000000000000000055511151e-01");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// The conversion.
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

    fn extent(self) -> Extent {
        match self.style {
            Style::Exponent => Extent::Significant(self.precision.saturating_add(1)),
            Style::Fixed => Extent::Fraction(self.precision),
            Style::General => Extent::Significant(self.precision.max(1)),
        }
    }
}

/// The limbs and chunks of digits for numbers whose binary exponents stay within a double's. A
/// double-double has the most of both: 1024 bits before and 1074 after the point.
const SMALL: (usize, usize) = (70, 160);
/// The limbs and chunks for all other numbers. A quad has either 16384 bits before the point or
/// 16494 after it, the first 4931 digits of which are zeros.
const LARGE: (usize, usize) = (524, 1300);

/// Writes a float; infinities and NaNs as `inf`, `nan`, with `-` before them if the sign bit is
/// set.
///
/// # Errors
/// Only those of `out`.
pub fn write_f32(out: &mut dyn Write, value: f32, notation: Notation) -> fmt::Result {
    write_parts(
        out,
        soft::decode::<Single>(u128::from(value.to_bits())),
        Parts::zero(false),
        notation,
    )
}

/// Writes a double; infinities and NaNs as `inf`, `nan`, with `-` before them if the sign bit is
/// set.
///
/// # Errors
/// Only those of `out`.
pub fn write_f64(out: &mut dyn Write, value: f64, notation: Notation) -> fmt::Result {
    write_parts(
        out,
        soft::decode::<Double>(u128::from(value.to_bits())),
        Parts::zero(false),
        notation,
    )
}

/// Writes a long double; infinities and NaNs as `inf`, `nan`, with `-` before them if the sign bit
/// is set. A double-double is written as the exact sum of its parts.
///
/// # Errors
/// Only those of `out`.
pub fn write_long_double(
    out: &mut dyn Write,
    format: LongDoubleFormat,
    value: LongDouble,
    notation: Notation,
) -> fmt::Result {
    let (large, small) = match format.known() {
        LongDoubleFormat::DoubleDouble => Pair::from_bits(value.0).ordered(),
        _ => (format.decode(value), Parts::zero(false)),
    };
    write_parts(out, large, small, notation)
}

fn write_parts(out: &mut dyn Write, large: Parts, small: Parts, notation: Notation) -> fmt::Result {
    if large.sign {
        out.write_str("-")?;
    }
    match (large.kind, notation.upper) {
        (Kind::Infinite, false) => out.write_str("inf"),
        (Kind::Infinite, true) => out.write_str("INF"),
        (Kind::Nan, false) => out.write_str("nan"),
        (Kind::Nan, true) => out.write_str("NAN"),
        _ if large.exponent < 1024 && expand::reduced(large).1 >= -1088 => {
            write_small(out, large, small, notation)
        }
        _ => write_large(out, large, notation),
    }
}

fn write_small(out: &mut dyn Write, large: Parts, small: Parts, notation: Notation) -> fmt::Result {
    let (mut limbs, mut chunks) = ([0; SMALL.0], [0; SMALL.1]);
    Text { out, notation }.write(Digits::of(
        large,
        small,
        notation.extent(),
        &mut limbs,
        &mut chunks,
    ))
}

#[inline(never)]
fn write_large(out: &mut dyn Write, number: Parts, notation: Notation) -> fmt::Result {
    let (mut limbs, mut chunks) = ([0; LARGE.0], [0; LARGE.1]);
    let zero = Parts::zero(false);
    Text { out, notation }.write(Digits::of(
        number,
        zero,
        notation.extent(),
        &mut limbs,
        &mut chunks,
    ))
}

/// The state of writing one number.
struct Text<'a> {
    out: &'a mut dyn Write,
    notation: Notation,
}

impl Text<'_> {
    fn write(mut self, mut digits: Digits<'_>) -> fmt::Result {
        digits.round(self.notation.extent());
        let precision = i64::from(self.notation.precision);
        match self.notation.style {
            Style::Exponent => self.exponent(&digits, precision),
            Style::Fixed => self.fixed(&digits, precision),
            Style::General => self.general(&digits, precision.max(1)),
        }
    }

    fn general(&mut self, digits: &Digits<'_>, precision: i64) -> fmt::Result {
        let before_point = digits.point() - digits.first();
        let fixed = (-3..=precision).contains(&before_point);
        let (start, places) = if fixed {
            (digits.point(), precision - before_point)
        } else {
            (digits.first() + 1, precision - 1)
        };
        let places = if self.notation.alternate {
            places
        } else {
            places.min((digits.end() - start).max(0))
        };
        if fixed {
            self.fixed(digits, places)
        } else {
            self.exponent(digits, places)
        }
    }

    fn fixed(&mut self, digits: &Digits<'_>, places: i64) -> fmt::Result {
        let (first, point) = (digits.first(), digits.point());
        if first >= point {
            self.out.write_str("0")?;
        } else {
            self.digits(digits, first, point)?;
        }
        self.point(places)?;
        self.digits(digits, point, point + places)
    }

    fn exponent(&mut self, digits: &Digits<'_>, places: i64) -> fmt::Result {
        let first = digits.first();
        self.digits(digits, first, first + 1)?;
        self.point(places)?;
        self.digits(digits, first + 1, first + 1 + places)?;
        let exponent = digits.point() - 1 - first;
        let letter = if self.notation.upper { 'E' } else { 'e' };
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(self.out, "{letter}{sign}{:02}", exponent.unsigned_abs())
    }

    fn point(&mut self, places: i64) -> fmt::Result {
        if places > 0 || self.notation.alternate {
            self.out.write_str(".")
        } else {
            Ok(())
        }
    }

    /// Writes the digits from one position up to another.
    fn digits(&mut self, digits: &Digits<'_>, from: i64, to: i64) -> fmt::Result {
        let mut position = from;
        while position < to {
            let (text, start) = digits.chunk_at(position);
            let text = text.get(start..).unwrap_or_default();
            let length = text.len().min((to - position) as usize);
            let text = text.get(..length).unwrap_or_default();
            self.out
                .write_str(core::str::from_utf8(text).map_err(|_| fmt::Error)?)?;
            position += length as i64;
        }
        Ok(())
    }
}
