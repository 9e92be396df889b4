//! The core that all binary formats share: decode a number, compute on its parts, encode the result
//! with one rounding.
//!
//! Promises: every operation is exact until [`encode`], which rounds to nearest, ties to even, with
//! subnormals; no loop over bits; nothing panics for any bit pattern. Between decoding and encoding
//! a finite mantissa holds 128 bits, the lowest of which is sticky: it also stands for all bits
//! below it. No format keeps more than 113, so that bit never reaches the result by itself.

use core::cmp::Ordering;

/// The kind of number that [`Parts`] hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Zero,
    Finite,
    Infinite,
    Nan,
}

/// A decoded number.
///
/// Finite: bit 127 of the mantissa is set and the value is `mantissa / 2^127 * 2^exponent`. NaN:
/// bit 126 of the mantissa is the quiet bit, the payload follows below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) sign: bool,
    pub(super) kind: Kind,
    pub(super) exponent: i32,
    pub(super) mantissa: u128,
}

/// A binary format with an implicit integer bit: sign, exponent, fraction from the top down.
pub(super) trait Layout {
    /// The number of mantissa bits, the integer bit included.
    const PRECISION: u32;
    /// The width of the exponent field.
    const EXPONENT_BITS: u32;
    /// True if NaNs are as the x87 unit makes them: of two the one with the larger mantissa, and a
    /// negative one for an invalid operation.
    const X87_NANS: bool = false;
    /// The largest exponent.
    const BIAS: i32 = Self::FORM.bias();
    /// The bits of positive infinity.
    const INFINITY: u128 = Self::FORM.infinity();
    /// The sign bit.
    const SIGN: u128 = Self::FORM.sign();
    /// The numbers of the format, for the functions that all formats share.
    const FORM: Form = Form {
        precision: Self::PRECISION,
        fraction_bits: Self::PRECISION - 1,
        exponent_bits: Self::EXPONENT_BITS,
        x87_nans: Self::X87_NANS,
    };
}

/// The numbers of a [`Layout`]. Functions that take one are a copy for each format, where it is a
/// constant; in builds for size they are one for all.
#[derive(Clone, Copy)]
pub(super) struct Form {
    precision: u32,
    fraction_bits: u32,
    exponent_bits: u32,
    x87_nans: bool,
}

impl Form {
    /// Returns the exponent field of infinities and NaNs.
    const fn exponent_mask(self) -> u32 {
        (1 << self.exponent_bits) - 1
    }

    /// Returns the bias of the exponent field, which is also the largest exponent.
    const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Returns the bits of positive infinity.
    const fn infinity(self) -> u128 {
        (self.exponent_mask() as u128) << self.fraction_bits
    }

    /// Returns the sign bit.
    const fn sign(self) -> u128 {
        1 << (self.fraction_bits + self.exponent_bits)
    }
}

/// IEEE binary32.
pub(super) struct Single;
/// IEEE binary64.
pub(super) struct Double;
/// The x87 format without its explicit integer bit (`format.rs` removes and restores it).
pub(super) struct Extended;
/// IEEE binary128.
pub(super) struct Quad;

impl Layout for Single {
    const PRECISION: u32 = 24;
    const EXPONENT_BITS: u32 = 8;
}
impl Layout for Double {
    const PRECISION: u32 = 53;
    const EXPONENT_BITS: u32 = 11;
}
impl Layout for Extended {
    const PRECISION: u32 = 64;
    const EXPONENT_BITS: u32 = 15;
    const X87_NANS: bool = true;
}
impl Layout for Quad {
    const PRECISION: u32 = 113;
    const EXPONENT_BITS: u32 = 15;
}

const INTEGER_BIT: u128 = 1 << 127;
const QUIET_BIT: u128 = 1 << 126;

impl Parts {
    #[cfg_attr(small_code, inline(never))]
    const fn special(kind: Kind, sign: bool) -> Self {
        Parts {
            sign,
            kind,
            exponent: 0,
            mantissa: 0,
        }
    }

    pub(super) const fn zero(sign: bool) -> Self {
        Self::special(Kind::Zero, sign)
    }

    pub(super) const fn infinity(sign: bool) -> Self {
        Self::special(Kind::Infinite, sign)
    }

    /// Returns the finite number `mantissa / 2^127 * 2^exponent`, or zero; the mantissa need not be
    /// normalised.
    #[cfg_attr(small_code, inline(never))]
    pub(super) const fn finite(sign: bool, exponent: i32, mantissa: u128) -> Self {
        if mantissa == 0 {
            return Self::zero(sign);
        }
        let shift = mantissa.leading_zeros();
        Parts {
            sign,
            kind: Kind::Finite,
            exponent: exponent - shift as i32,
            mantissa: mantissa << shift,
        }
    }

    /// Returns the integer `magnitude`, negated if `sign`. Zero is positive.
    pub(super) const fn integer(sign: bool, magnitude: u128) -> Self {
        Self::finite(sign && magnitude != 0, 127, magnitude)
    }

    /// Returns the result of an invalid operation.
    pub(super) const fn invalid<L: Layout>() -> Self {
        Self::invalid_as(L::FORM)
    }

    const fn invalid_as(form: Form) -> Self {
        Self::special(Kind::Nan, form.x87_nans)
    }

    /// Returns the NaN that results from two operands, at least one of them NaN: the first NaN
    /// (x87: the one with the larger mantissa, the positive one if they are equal). [`encode`]
    /// makes it quiet.
    #[cfg_attr(small_code, inline(never))]
    fn nan_of(form: Form, a: Self, b: Self) -> Self {
        let second = a.kind != Kind::Nan
            || (form.x87_nans
                && b.kind == Kind::Nan
                && (b.mantissa, !b.sign) > (a.mantissa, !a.sign));
        if second { b } else { a }
    }

    fn is_nan(self) -> bool {
        self.kind == Kind::Nan
    }

    /// Compares by value; returns `None` if one of them is NaN.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        if self.is_nan() || other.is_nan() {
            return None;
        }
        let rank = |p: Self| match p.kind {
            Kind::Zero => (i32::MIN, 0),
            Kind::Infinite => (i32::MAX, 0),
            _ => (p.exponent, p.mantissa),
        };
        let (a, b) = (rank(self), rank(other));
        let both_zero = self.kind == Kind::Zero && other.kind == Kind::Zero;
        Some(match (self.sign, other.sign) {
            _ if both_zero => Ordering::Equal,
            (false, false) => a.cmp(&b),
            (true, true) => b.cmp(&a),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }

    /// Returns the magnitude without its fraction, `u128::MAX` if it is larger; NaN becomes 0.
    fn truncated(self) -> u128 {
        match self.kind {
            Kind::Zero | Kind::Nan => 0,
            Kind::Infinite => u128::MAX,
            Kind::Finite if self.exponent < 0 => 0,
            Kind::Finite if self.exponent > 127 => u128::MAX,
            Kind::Finite => self.mantissa >> (127 - self.exponent),
        }
    }

    /// Converts toward zero, saturating; NaN becomes 0.
    pub(super) fn to_i64(self) -> i64 {
        let magnitude = self.truncated();
        let limit = i64::MAX as u128 + u128::from(self.sign);
        let bits = magnitude.min(limit) as u64 as i64;
        if self.sign { bits.wrapping_neg() } else { bits }
    }

    /// Converts toward zero, saturating; negative numbers and NaN become 0.
    pub(super) fn to_u64(self) -> u64 {
        if self.sign {
            0
        } else {
            self.truncated().min(u128::from(u64::MAX)) as u64
        }
    }
}

/// Shifts right; bits that are shifted out are kept as a sticky lowest bit.
#[cfg_attr(small_code, inline(never))]
const fn shift_right_sticky(value: u128, count: u32) -> u128 {
    if count == 0 {
        value
    } else if count < 128 {
        value >> count | (value << (128 - count) != 0) as u128
    } else {
        (value != 0) as u128
    }
}

/// Decodes the bits of a number.
pub(super) fn decode<L: Layout>(bits: u128) -> Parts {
    decode_as(L::FORM, bits)
}

#[cfg_attr(not(small_code), inline(always))]
#[cfg_attr(small_code, inline(never))]
fn decode_as(form: Form, bits: u128) -> Parts {
    let sign = bits & form.sign() != 0;
    let biased = (bits >> form.fraction_bits) as u32 & form.exponent_mask();
    let fraction = bits << (128 - form.fraction_bits) >> 1;
    if biased == 0 {
        Parts::finite(sign, 1 - form.bias(), fraction)
    } else if biased < form.exponent_mask() {
        let exponent = biased as i32 - form.bias();
        Parts {
            sign,
            kind: Kind::Finite,
            exponent,
            mantissa: fraction | INTEGER_BIT,
        }
    } else if fraction == 0 {
        Parts::infinity(sign)
    } else {
        Parts {
            sign,
            kind: Kind::Nan,
            exponent: 0,
            mantissa: fraction | INTEGER_BIT,
        }
    }
}

/// Encodes a number, rounded to nearest, ties to even. A NaN keeps the payload bits that fit and
/// becomes quiet.
pub(super) fn encode<L: Layout>(parts: Parts) -> u128 {
    encode_as(L::FORM, parts)
}

#[cfg_attr(not(small_code), inline(always))]
#[cfg_attr(small_code, inline(never))]
fn encode_as(form: Form, parts: Parts) -> u128 {
    let magnitude = match parts.kind {
        Kind::Zero => 0,
        Kind::Infinite => form.infinity(),
        Kind::Nan => {
            form.infinity() | (parts.mantissa | QUIET_BIT) << 1 >> (128 - form.fraction_bits)
        }
        Kind::Finite => encode_finite(form, parts),
    };
    magnitude | if parts.sign { form.sign() } else { 0 }
}

#[cfg_attr(not(small_code), inline(always))]
fn encode_finite(form: Form, parts: Parts) -> u128 {
    if parts.exponent > form.bias() {
        return form.infinity();
    }
    let missing = (1 - form.bias() - parts.exponent).max(0);
    let biased = parts.exponent + missing + form.bias();
    let mantissa = shift_right_sticky(parts.mantissa, missing as u32);
    let kept = round(mantissa, 128 - form.precision);
    // The integer bit of `kept`, or a carry out of it, increments the exponent; a subnormal has
    // neither.
    (((biased - 1) as u128) << form.fraction_bits) + kept
}

/// Drops the lowest `count` bits (1 to 127), rounding to nearest, ties to even.
pub(super) const fn round(mantissa: u128, count: u32) -> u128 {
    let kept = mantissa >> count;
    let dropped = mantissa << (128 - count);
    kept + (dropped > INTEGER_BIT || (dropped == INTEGER_BIT && kept & 1 != 0)) as u128
}

/// Returns the sum, not yet rounded.
pub(super) fn add<L: Layout>(a: Parts, b: Parts) -> Parts {
    add_as(L::FORM, a, b)
}

#[cfg_attr(not(small_code), inline(always))]
#[cfg_attr(small_code, inline(never))]
pub(super) fn add_as(form: Form, a: Parts, b: Parts) -> Parts {
    match (a.kind, b.kind) {
        (Kind::Finite, Kind::Finite) => add_finite(a, b),
        (Kind::Nan, _) | (_, Kind::Nan) => Parts::nan_of(form, a, b),
        (Kind::Infinite, Kind::Infinite) if a.sign != b.sign => Parts::invalid_as(form),
        (Kind::Zero, Kind::Zero) => Parts::zero(a.sign && b.sign),
        (Kind::Infinite, _) | (_, Kind::Zero) => a,
        _ => b,
    }
}

/// Returns the sum of finite numbers. Both are shifted by one bit first, to make room for a carry.
pub(super) fn add_finite(a: Parts, b: Parts) -> Parts {
    let ordered = (a.exponent, a.mantissa) >= (b.exponent, b.mantissa);
    let (large, small) = if ordered { (a, b) } else { (b, a) };
    let distance = large.exponent.abs_diff(small.exponent);
    let high = shift_right_sticky(large.mantissa, 1);
    let low = shift_right_sticky(small.mantissa, distance.saturating_add(1));
    if a.sign == b.sign {
        Parts::finite(a.sign, large.exponent + 1, high + low)
    } else if high == low {
        Parts::zero(false)
    } else {
        Parts::finite(large.sign, large.exponent + 1, high - low)
    }
}

/// Returns the product, not yet rounded.
pub(super) fn multiply<L: Layout>(a: Parts, b: Parts) -> Parts {
    multiply_as(L::FORM, a, b)
}

#[cfg_attr(not(small_code), inline(always))]
#[cfg_attr(small_code, inline(never))]
pub(super) fn multiply_as(form: Form, a: Parts, b: Parts) -> Parts {
    let sign = a.sign != b.sign;
    match (a.kind, b.kind) {
        (Kind::Finite, Kind::Finite) => {
            let mantissa = if form.precision <= 64 {
                (a.mantissa >> 64) * (b.mantissa >> 64)
            } else {
                multiply_high_sticky(a.mantissa, b.mantissa)
            };
            Parts::finite(sign, a.exponent + b.exponent + 1, mantissa)
        }
        (Kind::Nan, _) | (_, Kind::Nan) => Parts::nan_of(form, a, b),
        (Kind::Infinite, Kind::Zero) | (Kind::Zero, Kind::Infinite) => Parts::invalid_as(form),
        (Kind::Infinite, _) | (_, Kind::Infinite) => Parts::infinity(sign),
        _ => Parts::zero(sign),
    }
}

/// Returns the upper 128 bits of the 256-bit product, the lowest set if anything lies below.
fn multiply_high_sticky(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let (cross, carry) = middle.overflowing_add(a0 * b1);
    let high = a1 * b1 + (cross >> 64) + (u128::from(carry) << 64);
    high | u128::from(cross << 64 | low & LOW != 0)
}

/// Returns the quotient, not yet rounded.
pub(super) fn divide<L: Layout>(a: Parts, b: Parts) -> Parts {
    divide_as(L::FORM, a, b)
}

#[cfg_attr(not(small_code), inline(always))]
#[cfg_attr(small_code, inline(never))]
pub(super) fn divide_as(form: Form, a: Parts, b: Parts) -> Parts {
    let sign = a.sign != b.sign;
    match (a.kind, b.kind) {
        (Kind::Finite, Kind::Finite) => {
            let quotient = divide_sticky(a.mantissa, b.mantissa);
            Parts::finite(sign, a.exponent - b.exponent, quotient)
        }
        (Kind::Nan, _) | (_, Kind::Nan) => Parts::nan_of(form, a, b),
        (Kind::Infinite, Kind::Infinite) | (Kind::Zero, Kind::Zero) => Parts::invalid_as(form),
        (Kind::Infinite, _) | (_, Kind::Zero) => Parts::infinity(sign),
        _ => Parts::zero(sign),
    }
}

/// Returns `a * 2^127 / b`, in two steps of 64 quotient bits, the lowest set if there is a
/// remainder. Both have bit 127 set, and `a` has its lowest bit clear.
fn divide_sticky(a: u128, b: u128) -> u128 {
    let (high, rest) = divide_step(a >> 1, b);
    let (low, rest) = divide_step(rest, b);
    u128::from(high) << 64 | u128::from(low) | u128::from(rest != 0)
}

/// Returns quotient and remainder of `value * 2^64` by `divisor`, for `value < divisor` and bit 127
/// of `divisor` set.
///
/// The quotient by the upper half of the divisor is at most two too large; the lower half corrects
/// it.
fn divide_step(value: u128, divisor: u128) -> (u64, u128) {
    let (top, bottom) = (divisor >> 64, divisor & u128::from(u64::MAX));
    let mut quotient = u128::from(quotient_by_half(value, top as u64));
    let mut rest = value - quotient * top;
    while rest >> 64 == 0 && quotient * bottom > rest << 64 {
        quotient -= 1;
        rest += top;
    }
    (
        quotient as u64,
        (rest << 64).wrapping_sub(quotient * bottom),
    )
}

/// Returns `value / divisor` if that is below 2^64, else the largest number below; bit 63 of
/// `divisor` is set. The quotient has two digits of 32 bits: the upper half of the divisor yields
/// each, at most two too large.
fn quotient_by_half(value: u128, divisor: u64) -> u64 {
    let mut rest = (value >> 64) as u64;
    if rest >= divisor {
        return u64::MAX;
    }
    let (top, bottom) = (divisor >> 32, divisor & u64::from(u32::MAX));
    let mut quotient = 0;
    for next in [(value >> 32) as u32, value as u32].map(u64::from) {
        let (mut digit, mut left) = (rest / top, rest % top);
        while left >> 32 == 0 && (digit >> 32 != 0 || digit * bottom > (left << 32 | next)) {
            digit -= 1;
            left += top;
        }
        rest = (rest << 32 | next).wrapping_sub(digit.wrapping_mul(divisor));
        quotient = quotient << 32 | digit;
    }
    quotient
}

/// Returns `a * b + c` of doubles with a single rounding.
pub(super) fn fused_multiply_add(a: f64, b: f64, c: f64) -> f64 {
    let [x, y, z] = [a, b, c].map(|v| decode::<Double>(u128::from(v.to_bits())));
    if [x, y, z].iter().any(|p| p.kind != Kind::Finite) {
        // With a zero, an infinity or a NaN among them, at most one of the two steps rounds.
        return a * b + c;
    }
    let sum = add_finite(multiply::<Double>(x, y), z);
    f64::from_bits(encode::<Double>(sum) as u64)
}

#[cfg(test)]
mod tests {
    use super::quotient_by_half;
    use std::vec::Vec;

    #[test]
    fn quotients_are_those_of_the_core_library() {
        let edges = [
            0,
            1,
            2,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0xffff_ffff_0000_0000,
        ];
        let words: Vec<u64> = edges.iter().flat_map(|&e| [e, !e, e ^ 1 << 63]).collect();
        for divisor in words.iter().map(|word| word | 1 << 63) {
            for (&high, &low) in words.iter().flat_map(|h| words.iter().map(move |l| (h, l))) {
                let value = u128::from(high) << 64 | u128::from(low);
                let exact = (value / u128::from(divisor)).min(u128::from(u64::MAX));
                assert_eq!(u128::from(quotient_by_half(value, divisor)), exact);
            }
        }
    }
}
