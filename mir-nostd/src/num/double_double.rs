//! Double-double: a number as the unevaluated sum of two doubles, the long double of 64-bit
//! PowerPC.
//!
//! Promises: results are normalised (`high` is the sum rounded to double) and bit for bit those of
//! the C compiler's support library on that target, whose order of operations is followed; the
//! error is a few units of the 106th bit. The fused multiplications that the order needs are
//! computed in software.

use super::soft::{self, Double, Kind, Layout, Parts, fused_multiply_add};
use core::cmp::Ordering;

/// 2^-969: below it the low part of a product would be subnormal.
const TINY: f64 = f64::from_bits((1023 - 969) << 52);
/// 2^106.
const SCALE: f64 = f64::from_bits((1023 + 106) << 52);

/// The sum `high + low`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) high: f64,
    pub(super) low: f64,
}

impl Pair {
    pub(super) const fn from_bits(bits: u128) -> Self {
        Pair {
            high: f64::from_bits(bits as u64),
            low: f64::from_bits((bits >> 64) as u64),
        }
    }

    pub(super) const fn to_bits(self) -> u128 {
        (self.low.to_bits() as u128) << 64 | self.high.to_bits() as u128
    }

    pub(super) const fn from_f64(high: f64) -> Self {
        Pair { high, low: 0.0 }
    }

    /// Normalises the sum of a large part and a correction.
    fn from_sum(large: f64, correction: f64) -> Self {
        let high = large + correction;
        if !high.is_finite() {
            return Self::from_f64(high);
        }
        Pair {
            high,
            low: large - high + correction,
        }
    }

    /// Returns the pair for `parts`: `high` is its nearest double, `low` the nearest double of the
    /// rest.
    pub(super) fn from_parts(parts: Parts) -> Self {
        let nearest = |p| soft::encode::<Double>(p) as u64;
        let high = f64::from_bits(nearest(parts));
        if !high.is_finite() || parts.kind != Kind::Finite {
            return Self::from_f64(high);
        }
        let mut back = soft::decode::<Double>(u128::from(high.to_bits()));
        if back.kind != Kind::Finite {
            return Self::from_f64(high);
        }
        back.sign = !back.sign;
        let low = f64::from_bits(nearest(soft::add_finite(parts, back)));
        Pair { high, low }
    }

    /// Returns the pair for `parts` rounded to 106 bits, none of them below 2^-1074.
    pub(super) fn rounded(parts: Parts) -> Self {
        if parts.kind != Kind::Finite || parts.exponent <= -Double::BIAS {
            return Self::from_f64(f64::from_bits(soft::encode::<Double>(parts) as u64));
        }
        let dropped = 22 + (-969 - parts.exponent).max(0);
        let kept = soft::round(parts.mantissa, dropped as u32);
        Self::from_parts(Parts::finite(parts.sign, parts.exponent + dropped, kept))
    }

    /// Decodes both parts.
    pub(super) fn parts(self) -> [Parts; 2] {
        [self.high, self.low].map(|v| soft::decode::<Double>(u128::from(v.to_bits())))
    }

    /// Decodes both parts, the larger in magnitude first. The low part counts only beside a finite
    /// high part.
    pub(super) fn ordered(self) -> (Parts, Parts) {
        let [high, low] = self.parts();
        match (high.kind, low.kind) {
            (Kind::Finite, Kind::Finite)
                if (low.exponent, low.mantissa) > (high.exponent, high.mantissa) =>
            {
                (low, high)
            }
            (Kind::Finite, Kind::Finite) => (high, low),
            _ => (high, Parts::zero(false)),
        }
    }

    /// Returns the sum; its lowest bit is sticky: it stands for all bits below.
    pub(super) fn sum(self) -> Parts {
        let [high, low] = self.parts();
        if high.kind == Kind::Finite {
            soft::add::<Double>(high, low)
        } else {
            high
        }
    }

    pub(super) fn add(self, other: Self) -> Self {
        let (a, b) = (self.high, other.high);
        let sum = a + b;
        if !sum.is_finite() {
            return self.add_near_overflow(other, sum);
        }
        let back = a - sum;
        let correction = back + b + (a - (back + sum)) + self.low + other.low;
        if correction == 0.0 {
            return Self::from_f64(sum);
        }
        Self::from_sum(sum, correction)
    }

    /// Returns the sum if adding the high parts overflowed: the low parts may bring it back into
    /// range.
    fn add_near_overflow(self, other: Self, sum: f64) -> Self {
        if sum.is_nan() {
            return Self::from_f64(sum);
        }
        let high = other.low + self.low + other.high + self.high;
        if !high.is_finite() {
            return Self::from_f64(high);
        }
        let lows = self.low + other.low;
        let (large, small) = if self.high.abs() > other.high.abs() {
            (self.high, other.high)
        } else {
            (other.high, self.high)
        };
        Pair {
            high,
            low: large - high + small + lows,
        }
    }

    pub(super) fn mul(self, other: Self) -> Self {
        let product = self.high * other.high;
        if product == 0.0 || !product.is_finite() {
            return Self::from_f64(product);
        }
        let error = fused_multiply_add(self.high, other.high, -product);
        let cross = fused_multiply_add(self.high, other.low, self.low * other.high);
        Self::from_sum(product, error + cross)
    }

    pub(super) fn div(self, other: Self) -> Self {
        let quotient = self.high / other.high;
        if quotient == 0.0 || !quotient.is_finite() {
            return Self::from_f64(quotient);
        }
        // Products of tiny numbers would lose their low parts.
        let (this, other) = if self.high.abs() <= TINY {
            (self.scaled(), other.scaled())
        } else {
            (self, other)
        };
        let product = other.high * quotient;
        let low_rest = fused_multiply_add(other.low, quotient, -this.low);
        let error = fused_multiply_add(other.high, quotient, -product);
        let rest = this.high - product - error - low_rest;
        Self::from_sum(quotient, rest / other.high)
    }

    /// Returns 2^106 times the number.
    fn scaled(self) -> Self {
        Pair {
            high: self.high * SCALE,
            low: self.low * SCALE,
        }
    }

    /// Returns this result of an operation on `a` and `b`, where `operation` is the same on parts.
    /// If the result is NaN, its bits come from there, as those of the host's NaN vary.
    pub(super) fn settled(self, a: Self, b: Self, operation: fn(Parts, Parts) -> Parts) -> Self {
        if !self.high.is_nan() {
            return self;
        }
        let parts = operation(a.parts()[0], b.parts()[0]);
        let nan = if parts.kind == Kind::Nan {
            parts
        } else {
            Parts::invalid::<Double>()
        };
        Self::from_parts(nan)
    }

    pub(super) fn neg(self) -> Self {
        Pair {
            high: -self.high,
            low: -self.low,
        }
    }

    /// Compares by value: high parts first, low parts if those are equal.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        let high = self.high.partial_cmp(&other.high)?;
        if high != Ordering::Equal || !self.high.is_finite() {
            return Some(high);
        }
        self.low.partial_cmp(&other.low)
    }
}
