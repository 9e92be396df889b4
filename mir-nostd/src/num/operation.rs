//! The operations that every ISA has and C has no operators for, in one place for the interpreter
//! and for constant folding.
//!
//! Counts of zeros are the width for 0; counts of rotations are taken modulo the width. `Fmin` and
//! `Fmax` are minimumNumber and maximumNumber of IEEE 754-2019: -0 is less than +0, and of a NaN
//! and a number the result is the number. What is rounded is rounded once, to nearest, ties to
//! even; which NaN a result is, is not defined. Nothing here panics, and nothing of a C library is
//! needed.

use super::soft::{self, Double, Kind, Parts, Quad, Single};

/// An operation on integers or floats of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Counts the zeros above the highest one.
    Clz,
    /// Counts the zeros below the lowest one.
    Ctz,
    /// Counts the ones.
    Popcnt,
    /// Reverses the order of the bytes.
    Bswap,
    /// Reverses the order of the bits.
    Bitrev,
    /// Rotates to the left.
    Rotl,
    /// Rotates to the right.
    Rotr,
    /// Returns the lesser of two integers, signed or unsigned by their type.
    Min,
    /// Returns the greater of two integers, signed or unsigned by their type.
    Max,
    /// Returns the square root.
    Sqrt,
    /// Returns the first operand with the sign of the second one, be they NaNs or not.
    Copysign,
    /// Rounds to an integer toward negative infinity.
    Floor,
    /// Rounds to an integer toward positive infinity.
    Ceil,
    /// Rounds to an integer toward zero.
    Trunc,
    /// Rounds to the nearest integer, to the even one of two.
    Nearest,
    /// Returns the lesser of two floats.
    Fmin,
    /// Returns the greater of two floats.
    Fmax,
    /// Returns the product of the first two operands plus the third one, rounded once.
    Fma,
}

impl Operation {
    /// Returns whether it compares integers.
    pub(crate) const fn is_ordered(self) -> bool {
        matches!(self, Operation::Min | Operation::Max)
    }

    /// Returns the result for integers of a width (16, 32 or 64 bits) in 64 bits, zero-extended;
    /// `Min` and `Max` compare all 64 bits as signed numbers. 0 for operations on floats.
    #[inline(never)]
    pub(crate) const fn of_ints(self, bits: u32, a: u64, b: u64) -> u64 {
        let mask = u64::MAX >> (64 - bits);
        let low = a & mask;
        let count = b as u32 & (bits - 1);
        match self {
            Operation::Min | Operation::Max => {
                let is_less = a.cast_signed() < b.cast_signed();
                if is_less == matches!(self, Operation::Min) {
                    a
                } else {
                    b
                }
            }
            Operation::Popcnt => ones(low),
            Operation::Ctz => trailing_zeros(low, bits),
            Operation::Clz => trailing_zeros(reversed(low, 1) >> (64 - bits), bits),
            Operation::Bswap => reversed(low, 8) >> (64 - bits),
            Operation::Bitrev => reversed(low, 1) >> (64 - bits),
            Operation::Rotl | Operation::Rotr => {
                let up = if matches!(self, Operation::Rotl) {
                    count
                } else {
                    bits - count
                };
                // A shift by the whole width leaves nothing.
                let [up, down] = [up & (bits - 1), (bits - up) & (bits - 1)];
                (low << up | low >> down) & mask
            }
            _ => 0,
        }
    }

    /// Returns the result for doubles, as their bits.
    pub(crate) fn of_doubles(self, operands: [u64; 3]) -> u64 {
        self.of_floats(true, operands)
    }

    /// Returns the result for doubles, or for floats in the low halves, as their bits.
    pub(crate) fn of_floats(self, is_double: bool, operands: [u64; 3]) -> u64 {
        if self == Operation::Copysign {
            let [a, b, _] = operands;
            let unused = if is_double { 0 } else { 32 };
            return with_sign(a << unused, b << unused) >> unused;
        }
        let numbers = operands.map(|bits| match is_double {
            true => f64::from_bits(bits),
            false => f64::from(f32::from_bits(bits as u32)),
        });
        let result = self.of_numbers(numbers);
        match is_double {
            true => soft::encode::<Double>(result) as u64,
            false => soft::encode::<Single>(result) as u64,
        }
    }

    /// Returns the result, not yet rounded to the type.
    fn of_numbers(self, [a, b, c]: [f64; 3]) -> Parts {
        match self {
            Operation::Sqrt => square_root(decode(a)),
            Operation::Fma => {
                let product = soft::multiply::<Quad>(decode(a), decode(b));
                soft::add::<Quad>(product, decode(c))
            }
            Operation::Fmin | Operation::Fmax => {
                let is_less = order(a) < order(b);
                let is_first = b.is_nan() || !a.is_nan() && is_less == (self == Operation::Fmin);
                decode(if is_first { a } else { b })
            }
            _ => decode(self.rounded(a)),
        }
    }

    /// Rounds to an integer.
    fn rounded(self, a: f64) -> f64 {
        if magnitude(a) >= INTEGRAL || a.is_nan() {
            return a;
        }
        let integer = a as i64;
        let toward_zero = integer as f64;
        let rest = a - toward_zero;
        let away = if a < 0.0 { -1 } else { 1 };
        let is_away = match self {
            Operation::Floor => rest < 0.0,
            Operation::Ceil => rest > 0.0,
            Operation::Nearest => {
                let twice = magnitude(rest + rest);
                twice > 1.0 || twice == 1.0 && integer & 1 != 0
            }
            _ => false,
        };
        let rounded = if is_away { integer + away } else { integer };
        f64::from_bits(with_sign((rounded as f64).to_bits(), a.to_bits()))
    }
}

/// The least double from which on all are integers.
const INTEGRAL: f64 = 4_503_599_627_370_496.0;

const SIGN: u64 = 1 << 63;

const fn ones(a: u64) -> u64 {
    a.count_ones() as u64
}

const fn trailing_zeros(a: u64, bits: u32) -> u64 {
    let below = ones(!a & a.wrapping_sub(1));
    if below > bits as u64 {
        bits as u64
    } else {
        below
    }
}

/// Returns the number with the order of its groups of so many bits, a power of two, reversed:
/// halves are exchanged, then the halves of these.
#[inline(never)]
const fn reversed(mut a: u64, group: u32) -> u64 {
    let (mut step, mut mask) = (32, u64::MAX);
    while step >= group {
        mask ^= mask << step;
        a = a >> step & mask | (a & mask) << step;
        step /= 2;
    }
    a
}

const fn with_sign(a: u64, sign: u64) -> u64 {
    a & !SIGN | sign & SIGN
}

const fn magnitude(a: f64) -> f64 {
    f64::from_bits(a.to_bits() & !SIGN)
}

/// Returns a number by which doubles that are no NaNs are ordered, -0 before +0.
const fn order(a: f64) -> i64 {
    let bits = a.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

#[inline(never)]
fn decode(number: f64) -> Parts {
    soft::decode::<Double>(number.to_bits().into())
}

/// Returns the square root of a double, not yet rounded: digit by digit, with 55 bits, below which
/// one stands for the rest.
fn square_root(a: Parts) -> Parts {
    match a.kind {
        Kind::Finite if !a.sign => {}
        Kind::Infinite if !a.sign => return a,
        Kind::Zero | Kind::Nan => return a,
        _ => return Parts::invalid::<Quad>(),
    }
    // The number is these bits, a fraction, times an even power of two.
    let odd = a.exponent & 1;
    let mut bits = (a.mantissa >> 64) as u64 >> (1 - odd);
    let (mut root, mut rest) = (0_u64, 0_u64);
    for _ in 0..55 {
        rest = rest << 2 | bits >> 62;
        bits <<= 2;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let power = (a.exponent + 2 - odd) / 2;
    Parts::finite(
        false,
        power + 71,
        u128::from(root << 1 | u64::from(rest != 0)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use Operation as O;

    #[test]
    fn integers_are_those_of_rust() {
        let mut x = 0x0123_4567_89ab_cdef_u64;
        for round in 0..2000_u32 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let a = x >> (round % 65).min(63) << (round % 7);
            let count = (x >> 58) as u32;
            let (s, h) = (a as u32, a as u16);
            let of = |operation: O, bits| operation.of_ints(bits, a, count.into());
            for (operation, wide, short) in [
                (O::Clz, a.leading_zeros().into(), s.leading_zeros()),
                (O::Ctz, a.trailing_zeros().into(), s.trailing_zeros()),
                (O::Popcnt, a.count_ones().into(), s.count_ones()),
                (O::Bswap, a.swap_bytes(), s.swap_bytes()),
                (O::Bitrev, a.reverse_bits(), s.reverse_bits()),
                (O::Rotl, a.rotate_left(count), s.rotate_left(count)),
                (O::Rotr, a.rotate_right(count), s.rotate_right(count)),
            ] {
                assert_eq!(of(operation, 64), wide, "{operation:?} {a:#x} {count}");
                assert_eq!(of(operation, 32), short.into(), "{operation:?} {s:#x}");
            }
            assert_eq!(of(O::Bswap, 16), h.swap_bytes().into());
        }
        assert_eq!(
            (O::Clz.of_ints(64, 0, 0), O::Ctz.of_ints(32, 0, 0)),
            (64, 32)
        );
        assert_eq!(O::Min.of_ints(64, 1, u64::MAX), u64::MAX);
        assert_eq!(O::Max.of_ints(64, 1, u64::MAX), 1);
    }

    #[test]
    fn floats_are_those_of_the_c_library() {
        let edges = [
            0.0,
            -0.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            0.499_999_999_999_999_94,
            1.0,
            -1.0,
            4_503_599_627_370_495.5,
            -4_503_599_627_370_497.0,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            2.0,
            0.1,
        ];
        let same = |operation: O, operands: [f64; 3], expected: f64| {
            let bits = operation.of_doubles(operands.map(f64::to_bits));
            let result = f64::from_bits(bits);
            assert!(
                bits == expected.to_bits() || result.is_nan() && expected.is_nan(),
                "{operation:?} {operands:?}: {result:?}, not {expected:?}"
            );
        };
        let same_short = |operation: O, operands: [f32; 3], expected: f32| {
            let operands_bits = operands.map(|operand| operand.to_bits().into());
            let bits = operation.of_floats(false, operands_bits) as u32;
            let result = f32::from_bits(bits);
            assert!(
                bits == expected.to_bits() || result.is_nan() && expected.is_nan(),
                "{operation:?} {operands:?}: {result:?}, not {expected:?}"
            );
        };
        let mut x = 1_u64;
        let mut random = || {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            x ^ x >> 31
        };
        for round in 0..40_000 {
            let mut number = |place: usize| match random() % 4 {
                0 => edges[(place + random() as usize % 64) % edges.len()],
                1 => f64::from_bits(random()),
                2 => (random() as i64 >> (random() % 64)) as f64 / 8.0,
                _ => f64::from_bits(random() >> 12 | (1023 + round % 8) << 52),
            };
            let [a, b, c] = [number(0), number(1), number(2)];
            same(O::Fma, [a, b, c], a.mul_add(b, c));
            same(O::Sqrt, [a, b, c], a.sqrt());
            same(O::Copysign, [a, b, c], a.copysign(b));
            same(O::Floor, [a, b, c], a.floor());
            same(O::Ceil, [a, b, c], a.ceil());
            same(O::Trunc, [a, b, c], a.trunc());
            same(O::Nearest, [a, b, c], a.round_ties_even());
            let [a, b, c] = [a as f32, b as f32, c as f32];
            same_short(O::Fma, [a, b, c], a.mul_add(b, c));
            same_short(O::Sqrt, [a, b, c], a.sqrt());
            same_short(O::Copysign, [a, b, c], a.copysign(b));
            same_short(O::Floor, [a, b, c], a.floor());
            same_short(O::Ceil, [a, b, c], a.ceil());
            same_short(O::Trunc, [a, b, c], a.trunc());
            same_short(O::Nearest, [a, b, c], a.round_ties_even());
        }
    }

    #[test]
    fn the_lesser_float_is_the_number_and_the_negative_zero() {
        let cases: [(f64, f64, f64, f64); 4] = [
            (1.0, 2.0, 1.0, 2.0),
            (-0.0, 0.0, -0.0, 0.0),
            (f64::NAN, 3.0, 3.0, 3.0),
            (f64::NEG_INFINITY, -1.0, f64::NEG_INFINITY, -1.0),
        ];
        for (a, b, least, greatest) in cases {
            for [a, b] in [[a, b], [b, a]] {
                let operands = [a.to_bits(), b.to_bits(), 0];
                assert_eq!(O::Fmin.of_doubles(operands), least.to_bits());
                assert_eq!(O::Fmax.of_doubles(operands), greatest.to_bits());
                let operands = [(a as f32).to_bits().into(), (b as f32).to_bits().into(), 0];
                let result = O::Fmin.of_floats(false, operands);
                assert_eq!(result, (least as f32).to_bits().into());
            }
        }
        let nan = f64::NAN.to_bits();
        assert!(f64::from_bits(O::Fmin.of_doubles([nan, nan, 0])).is_nan());
    }
}
