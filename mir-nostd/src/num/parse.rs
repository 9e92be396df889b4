//! Decimal text to floats, correctly rounded.
//!
//! The digits become an integer, which is multiplied by a power of five or divided by one; the
//! leading 128 bits of the result, with one sticky bit for whether anything follows, are all that
//! rounding needs. Promises: rounded to nearest, ties to even, in one step; time linear in the
//! length of the text; arrays on the stack of under 1 KB, of 10 KB for a long double with more
//! digits or a larger exponent than a double has. Only integer instructions are used.

use super::double_double::Pair;
use super::soft::{self, Double, Parts, Single};
use super::{LongDouble, LongDoubleFormat};

/// Reads `[+|-] digits [. [digits]] [e|E [+|-] digits]`, rounded to nearest, ties to even. A number
/// that is too large becomes infinity. Returns `None` if `text` is anything else.
///
/// ```
/// use mir_nostd::num::parse_f32;
/// assert_eq!(parse_f32(b"0.1"), Some(0.1));
/// assert_eq!(parse_f32(b"1e39"), Some(f32::INFINITY));
/// assert_eq!(parse_f32(b"1e"), None);
/// ```
#[must_use]
pub fn parse_f32(text: &[u8]) -> Option<f32> {
    let parts = Literal::read(text)?.parts(&DOUBLE_RANGE);
    Some(f32::from_bits(soft::encode::<Single>(parts) as u32))
}

/// Reads a double: see [`parse_f32`].
#[must_use]
pub fn parse_f64(text: &[u8]) -> Option<f64> {
    let parts = Literal::read(text)?.parts(&DOUBLE_RANGE);
    Some(f64::from_bits(soft::encode::<Double>(parts) as u64))
}

/// Reads a long double: see [`parse_f32`]. A double-double is rounded to 106 bits, as C does.
#[must_use]
pub fn parse_long_double(format: LongDoubleFormat, text: &[u8]) -> Option<LongDouble> {
    let literal = Literal::read(text)?;
    Some(match format.known() {
        LongDoubleFormat::X87 | LongDoubleFormat::Quad => format.encode(literal.parts(&QUAD_RANGE)),
        LongDoubleFormat::DoubleDouble => {
            LongDouble(Pair::rounded(literal.parts(&DOUBLE_RANGE)).to_bits())
        }
        LongDoubleFormat::Double => format.encode(literal.parts(&DOUBLE_RANGE)),
    })
}

/// The range of decimal numbers that need exact evaluation.
struct Range {
    /// The scales of the values 0.d * 10^scale that need it: with a larger scale a value is
    /// infinite, with a smaller one it rounds to zero.
    scale: core::ops::RangeInclusive<i64>,
    /// The maximum number of digits of a halfway case between two numbers of the format.
    digits: usize,
}

const DOUBLE_RANGE: Range = Range {
    scale: -330..=310,
    digits: 800,
};
const QUAD_RANGE: Range = Range {
    scale: -4970..=4934,
    digits: 11_600,
};
/// The number of limbs for each of two integers. A double needs at most 801 digits over 5^1131, a
/// quad 11601 over 5^16571.
const SMALL_LIMBS: usize = 48;
const LARGE_LIMBS: usize = 608;

/// A parsed literal: 0.`integer` `fraction` * 10^`scale`, with neither leading nor trailing zeros.
struct Literal<'a> {
    negative: bool,
    integer: &'a [u8],
    fraction: &'a [u8],
    scale: i64,
}

/// Splits off the longest prefix of bytes that `belongs` accepts.
fn split_while(text: &[u8], belongs: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(
        text.iter()
            .position(|byte| !belongs(byte))
            .unwrap_or(text.len()),
    )
}

fn strip_sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Reads the rest after the mantissa: nothing, or `e`, sign, digits. A huge exponent saturates.
fn read_exponent(text: &[u8]) -> Option<i64> {
    let [letter, rest @ ..] = text else {
        return Some(0);
    };
    let (negative, digits) = strip_sign(rest);
    if !letter.eq_ignore_ascii_case(&b'e')
        || digits.is_empty()
        || !digits.iter().all(u8::is_ascii_digit)
    {
        return None;
    }
    const HUGE: i64 = i64::MAX / 4;
    let value = digits.iter().fold(0, |value: i64, digit| {
        value
            .saturating_mul(10)
            .saturating_add(i64::from(digit - b'0'))
            .min(HUGE)
    });
    Some(if negative { -value } else { value })
}

impl<'a> Literal<'a> {
    fn read(text: &'a [u8]) -> Option<Self> {
        let (negative, text) = strip_sign(text);
        let (integer, rest) = split_while(text, u8::is_ascii_digit);
        let (fraction, rest) = match rest {
            [b'.', rest @ ..] => split_while(rest, u8::is_ascii_digit),
            _ => (&[][..], rest),
        };
        if integer.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = read_exponent(rest)?;
        let (_, integer) = split_while(integer, |&digit| digit == b'0');
        let mut literal = Literal {
            negative,
            integer,
            fraction,
            scale: exponent + integer.len() as i64,
        };
        literal.strip_zeros();
        Some(literal)
    }

    /// Strips the zeros after the point of a number below 1, and trailing zeros.
    fn strip_zeros(&mut self) {
        if self.integer.is_empty() {
            let (zeros, rest) = split_while(self.fraction, |&digit| digit == b'0');
            self.fraction = rest;
            self.scale -= zeros.len() as i64;
        }
        for part in [&mut self.fraction, &mut self.integer] {
            let length = part
                .iter()
                .rposition(|&digit| digit != b'0')
                .map_or(0, |last| last + 1);
            *part = part.get(..length).unwrap_or_default();
            if length > 0 {
                break;
            }
        }
    }

    fn len(&self) -> usize {
        self.integer.len() + self.fraction.len()
    }

    /// Returns the number; its lowest bit is sticky: it stands for all bits below.
    fn parts(&self, range: &Range) -> Parts {
        if self.len() == 0 || self.scale < *range.scale.start() {
            Parts::zero(self.negative)
        } else if self.scale > *range.scale.end() {
            Parts::infinity(self.negative)
        } else if range.digits == DOUBLE_RANGE.digits
            || (self.len() <= DOUBLE_RANGE.digits && DOUBLE_RANGE.scale.contains(&self.scale))
        {
            self.evaluate::<SMALL_LIMBS>(DOUBLE_RANGE.digits)
        } else {
            self.evaluate_large(range.digits)
        }
    }

    /// Evaluates with large arrays; a function of its own, so that only its callers pay for the
    /// stack.
    #[inline(never)]
    fn evaluate_large(&self, limit: usize) -> Parts {
        self.evaluate::<LARGE_LIMBS>(limit)
    }

    /// Evaluates with at most `limit` digits; one further digit stands for all that are left out.
    fn evaluate<const LIMBS: usize>(&self, limit: usize) -> Parts {
        let (mut numerator, mut denominator) = ([0; LIMBS], [0; LIMBS]);
        let mut number = Integer::new(&mut numerator);
        number.append(self.integer.iter().chain(self.fraction).take(limit));
        let mut taken = self.len();
        if taken > limit {
            number.append([b'1'].iter());
            taken = limit + 1;
        }
        let power = self.scale - taken as i64;
        let count = power.unsigned_abs() as u32;
        if power >= 0 {
            number.multiply_by_power_of_five(count);
            return number.leading(self.negative, power as i32);
        }
        let mut divisor = Integer::new(&mut denominator);
        divisor.multiply_add(0, 1);
        divisor.multiply_by_power_of_five(count);
        number.quotient(divisor, self.negative, power as i32)
    }
}

/// An unsigned integer in lent limbs, lowest first. Bits that the limbs have no room for are lost.
struct Integer<'a> {
    limbs: &'a mut [u64],
    used: usize,
}

impl<'a> Integer<'a> {
    /// Makes zero. The limbs must be zero.
    fn new(limbs: &'a mut [u64]) -> Self {
        Integer { limbs, used: 0 }
    }

    fn multiply_add(&mut self, factor: u64, addend: u64) {
        let mut carry = u128::from(addend);
        for limb in self.limbs.iter_mut().take(self.used) {
            carry += u128::from(*limb) * u128::from(factor);
            *limb = carry as u64;
            carry >>= 64;
        }
        if carry != 0
            && let Some(limb) = self.limbs.get_mut(self.used)
        {
            *limb = carry as u64;
            self.used += 1;
        }
    }

    /// Appends decimal digits.
    fn append<'b>(&mut self, digits: impl Iterator<Item = &'b u8>) {
        let (mut unit, mut value) = (1_u64, 0_u64);
        for digit in digits {
            value = value * 10 + u64::from(digit.wrapping_sub(b'0'));
            unit *= 10;
            if unit == 10_u64.pow(18) {
                self.multiply_add(unit, value);
                (unit, value) = (1, 0);
            }
        }
        self.multiply_add(unit, value);
    }

    fn multiply_by_power_of_five(&mut self, count: u32) {
        for _ in 0..count / 27 {
            self.multiply_add(5_u64.pow(27), 0);
        }
        self.multiply_add(5_u64.pow(count % 27), 0);
    }

    fn bits(&self) -> u32 {
        let top = self
            .used
            .checked_sub(1)
            .and_then(|last| self.limbs.get(last));
        top.map_or(0, |limb| self.used as u32 * 64 - limb.leading_zeros())
    }

    /// Multiplies by 2^`count`; the result has `used` limbs.
    fn shift_left(&mut self, count: u32, used: usize) {
        let (limbs, bits) = ((count / 64) as usize, count % 64);
        let used = used.min(self.limbs.len());
        for index in (0..used).rev() {
            let source = |distance: usize| {
                let from = index.checked_sub(limbs + distance)?;
                self.limbs.get(from).copied()
            };
            let pair =
                u128::from(source(0).unwrap_or(0)) << 64 | u128::from(source(1).unwrap_or(0));
            if let Some(limb) = self.limbs.get_mut(index) {
                *limb = (pair << bits >> 64) as u64;
            }
        }
        self.used = used;
    }

    /// Returns the leading 128 bits of the integer times 2^`exponent`, the lowest set if anything
    /// follows.
    fn leading(mut self, negative: bool, exponent: i32) -> Parts {
        let bits = self.bits();
        let used = self.used.max(2);
        self.shift_left(used as u32 * 64 - bits, used);
        match self.limbs.get(..used).unwrap_or_default() {
            [rest @ .., low, high] => {
                let sticky = rest.iter().any(|&limb| limb != 0);
                let mantissa = u128::from(*high) << 64 | u128::from(*low) | u128::from(sticky);
                Parts::finite(negative, bits as i32 - 1 + exponent, mantissa)
            }
            _ => Parts::zero(negative),
        }
    }

    /// Returns the leading 127 or 128 bits of the quotient times 2^`exponent`, the lowest set if
    /// anything follows.
    ///
    /// Both are shifted so that the divisor fills its limbs and the number is 127 bits longer: the
    /// quotient then has two limbs.
    fn quotient(mut self, mut divisor: Integer<'_>, negative: bool, exponent: i32) -> Parts {
        let (bits, divisor_bits) = (self.bits(), divisor.bits());
        let limbs = divisor_bits.max(bits.saturating_sub(127)).div_ceil(64);
        let (shift, divisor_shift) = (64 * limbs + 127 - bits, 64 * limbs - divisor_bits);
        let limbs = limbs as usize;
        self.shift_left(shift, limbs + 2);
        divisor.shift_left(divisor_shift, limbs);
        let divisor = divisor.limbs.get(..limbs).unwrap_or_default();
        let high = divide_step(
            self.limbs.get_mut(1..limbs + 2).unwrap_or_default(),
            divisor,
        );
        let low = divide_step(self.limbs.get_mut(..=limbs).unwrap_or_default(), divisor);
        let sticky = self.limbs.iter().take(limbs).any(|&limb| limb != 0);
        let mantissa = u128::from(high) << 64 | u128::from(low) | u128::from(sticky);
        Parts::finite(
            negative,
            127 + divisor_shift as i32 - shift as i32 + exponent,
            mantissa,
        )
    }
}

/// Performs one step of long division and returns the quotient's limb. `rest`, which is a limb
/// longer than `divisor` and less than 2^64 times it, becomes the remainder. The top bit of
/// `divisor` is set.
fn divide_step(rest: &mut [u64], divisor: &[u64]) -> u64 {
    let (&[.., second, first, top], &[.., below, leading]) = (&*rest, divisor) else {
        return divide_step_short(rest, divisor);
    };
    let value = u128::from(top) << 64 | u128::from(first);
    let mut quotient = (value / u128::from(leading)).min(u128::from(u64::MAX));
    let mut left = value - quotient * u128::from(leading);
    while left >> 64 == 0 && quotient * u128::from(below) > (left << 64 | u128::from(second)) {
        quotient -= 1;
        left += u128::from(leading);
    }
    let mut borrow = 0_u128;
    for (limb, &part) in rest.iter_mut().zip(divisor.iter().chain(&[0])) {
        borrow += quotient * u128::from(part);
        let (difference, under) = limb.overflowing_sub(borrow as u64);
        *limb = difference;
        borrow = (borrow >> 64) + u128::from(under);
    }
    if borrow != 0 {
        // The estimate was one too large, which is rare.
        quotient -= 1;
        let mut carry = 0_u128;
        for (limb, &part) in rest.iter_mut().zip(divisor.iter().chain(&[0])) {
            carry += u128::from(*limb) + u128::from(part);
            *limb = carry as u64;
            carry >>= 64;
        }
    }
    quotient as u64
}

/// Performs the step for a divisor of one limb.
fn divide_step_short(rest: &mut [u64], divisor: &[u64]) -> u64 {
    let ([low, high], &[divisor]) = (rest, divisor) else {
        return 0;
    };
    let value = u128::from(*high) << 64 | u128::from(*low);
    (*low, *high) = ((value % u128::from(divisor)) as u64, 0);
    (value / u128::from(divisor)) as u64
}
