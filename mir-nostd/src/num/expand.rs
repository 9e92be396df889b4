//! The decimal digits of a binary number: exact, as many as asked for, nine at a time.
//!
//! The number is laid out as a fixed-point binary number in limbs that the caller lends. Dividing
//! the part left of the point by 10^9 yields its digits from the last to the first, multiplying the
//! part right of it by 10^9 yields its digits from the first to the last. Time depends on the size
//! of the exponent and on the number of digits. Nothing panics: lent memory that is too short costs
//! digits.

use super::soft::Parts;

/// The number of digits in a chunk.
pub(super) const CHUNK: i64 = 9;
const CHUNK_UNIT: u32 = 1_000_000_000;

/// The digits that are asked for.
#[derive(Clone, Copy)]
pub(super) enum Extent {
    /// This many from the first digit that is not zero.
    Significant(u32),
    /// This many after the decimal point.
    Fraction(u32),
}

/// Decimal digits in chunks of nine.
///
/// Digit 0 is the first of chunk 0, which starts as zero to have room for a carry. Digit `i` counts
/// 10^(`point` - 1 - `i`). Digits after the last chunk are zero, unless `more` is set.
pub(super) struct Digits<'a> {
    chunks: &'a mut [u32],
    used: usize,
    point: i64,
    more: bool,
}

/// Divides by 10^9 in place and returns the remainder.
fn divide(limbs: &mut [u32]) -> u32 {
    let mut rest = 0;
    for limb in limbs.iter_mut().rev() {
        let value = rest << 32 | u64::from(*limb);
        *limb = (value / u64::from(CHUNK_UNIT)) as u32;
        rest = value % u64::from(CHUNK_UNIT);
    }
    rest as u32
}

/// Multiplies by 10^9 in place and returns the carry out of the top.
fn multiply(limbs: &mut [u32]) -> u32 {
    let mut carry = 0;
    for limb in limbs {
        carry += u64::from(*limb) * u64::from(CHUNK_UNIT);
        *limb = carry as u32;
        carry >>= 32;
    }
    carry as u32
}

/// Adds `mantissa * 2^bit`, or subtracts it.
fn accumulate(limbs: &mut [u32], subtract: bool, mantissa: u128, bit: usize) {
    let shift = bit % 32;
    let (low, high) = (mantissa << shift, mantissa >> 1 >> (127 - shift));
    let words = [
        low as u32,
        (low >> 32) as u32,
        (low >> 64) as u32,
        (low >> 96) as u32,
        high as u32,
    ];
    let mut carry = 0;
    for (index, limb) in limbs.iter_mut().skip(bit / 32).enumerate() {
        let word = match words.get(index) {
            Some(&word) => i64::from(word),
            None if carry == 0 => break,
            None => 0,
        };
        carry += i64::from(*limb) + if subtract { -word } else { word };
        *limb = carry as u32;
        carry >>= 32;
    }
}

/// Returns a finite number as an odd integer and the exponent of a power of two.
pub(super) fn reduced(parts: Parts) -> (u128, i32) {
    let zeros = parts.mantissa.trailing_zeros().min(127);
    (parts.mantissa >> zeros, parts.exponent - 127 + zeros as i32)
}

/// Returns `limbs` without the zeros at the top.
fn trim_top(limbs: &mut [u32]) -> &mut [u32] {
    let length = limbs
        .iter()
        .rposition(|&limb| limb != 0)
        .map_or(0, |last| last + 1);
    limbs.split_at_mut(length).0
}

impl<'a> Digits<'a> {
    /// Returns the digits of the magnitude of `large + small`, where `large` is finite and the
    /// larger in magnitude, and `small` is finite or zero.
    ///
    /// `limbs`, all zero, must have room for the number, `chunks` for one chunk more than the
    /// digits asked for.
    pub(super) fn of(
        large: Parts,
        small: Parts,
        extent: Extent,
        limbs: &mut [u32],
        chunks: &'a mut [u32],
    ) -> Self {
        let mut lowest = 0;
        for (_, exponent) in [reduced(large), reduced(small)] {
            lowest = exponent.min(lowest);
        }
        let point = lowest.unsigned_abs().div_ceil(32) as usize;
        for parts in [large, small] {
            let (mantissa, exponent) = reduced(parts);
            let bit = 32 * point as i64 + i64::from(exponent);
            accumulate(limbs, parts.sign != large.sign, mantissa, bit as usize);
        }
        if let Some(first) = chunks.first_mut() {
            *first = 0;
        }
        let mut digits = Digits {
            chunks,
            used: 1,
            point: CHUNK,
            more: false,
        };
        if let Some((fraction, integer)) = limbs.split_at_mut_checked(point) {
            digits.take_integer(trim_top(integer));
            digits.take_fraction(fraction, extent);
        }
        digits
    }

    fn push(&mut self, chunk: u32) -> bool {
        let Some(place) = self.chunks.get_mut(self.used) else {
            return false;
        };
        *place = chunk;
        self.used += 1;
        true
    }

    fn take_integer(&mut self, mut integer: &mut [u32]) {
        while !integer.is_empty() {
            let chunk = divide(integer);
            integer = trim_top(integer);
            self.push(chunk);
        }
        self.point = CHUNK * self.used as i64;
        if let Some(chunks) = self.chunks.get_mut(1..self.used) {
            chunks.reverse();
        }
    }

    fn take_fraction(&mut self, mut fraction: &mut [u32], extent: Extent) {
        loop {
            let zeros = fraction.iter().take_while(|&&limb| limb == 0).count();
            fraction = fraction.split_at_mut(zeros).1;
            if fraction.is_empty() {
                return;
            }
            if CHUNK * self.used as i64 > self.keep(extent) {
                break;
            }
            let chunk = multiply(fraction);
            if self.used == 1 && chunk == 0 {
                self.point -= CHUNK;
            } else if !self.push(chunk) {
                break;
            }
        }
        self.more = true;
    }

    /// Returns the number of digits, counted from digit 0, that `extent` keeps.
    fn keep(&self, extent: Extent) -> i64 {
        match extent {
            Extent::Significant(_) if self.used == 1 => i64::MAX,
            Extent::Significant(count) => self.first() + i64::from(count),
            Extent::Fraction(count) => self.point + i64::from(count),
        }
    }

    /// Returns the position of the first digit that is not zero; for zero, the position before the
    /// point.
    pub(super) fn first(&self) -> i64 {
        let chunks = self.chunks.get(..self.used).unwrap_or_default();
        match chunks.iter().position(|&chunk| chunk != 0) {
            Some(index) => CHUNK * index as i64 + CHUNK - 1 - i64::from(chunks[index].ilog10()),
            None => self.point - 1,
        }
    }

    /// Returns the position after the last digit that is not zero; 0 if there is none.
    pub(super) fn end(&self) -> i64 {
        let chunks = self.chunks.get(..self.used).unwrap_or_default();
        let Some(index) = chunks.iter().rposition(|&chunk| chunk != 0) else {
            return 0;
        };
        let mut chunk = chunks[index];
        let mut end = CHUNK * index as i64 + CHUNK;
        while chunk % 10 == 0 {
            chunk /= 10;
            end -= 1;
        }
        end
    }

    /// Returns the position of the decimal point: the number of digits before it.
    pub(super) fn point(&self) -> i64 {
        self.point
    }

    /// Rounds to `extent`, to nearest, ties to even.
    pub(super) fn round(&mut self, extent: Extent) {
        let keep = self.keep(extent);
        let Ok(kept) = usize::try_from(keep) else {
            self.used = 1;
            return;
        };
        let (index, within) = (kept / 9, kept % 9);
        let Some(&chunk) = self.chunks.get(index).filter(|_| index < self.used) else {
            return;
        };
        let unit = 10_u32.pow(9 - within as u32);
        let (dropped, kept) = (chunk % unit, chunk - chunk % unit);
        let before = if within > 0 {
            kept / unit
        } else {
            index.checked_sub(1).map_or(0, |i| self.chunks[i])
        };
        let rest = self.more
            || self
                .chunks
                .get(index + 1..self.used)
                .unwrap_or_default()
                .iter()
                .any(|&c| c != 0);
        let up = dropped > unit / 2 || (dropped == unit / 2 && (rest || before % 2 == 1));
        self.used = index + 1;
        self.more = false;
        self.chunks[index] = kept;
        if up {
            self.add(index, unit);
        }
    }

    /// Adds `unit`, 10^9 at most, to a chunk and propagates the carry.
    fn add(&mut self, index: usize, unit: u32) {
        let mut carry = unit;
        for chunk in self.chunks.iter_mut().take(index + 1).rev() {
            let sum = *chunk + carry;
            *chunk = sum % CHUNK_UNIT;
            if sum < CHUNK_UNIT {
                return;
            }
            carry = 1;
        }
    }

    /// Returns the digits of the chunk that contains digit `position`, and the digit's index in it.
    /// All digits beyond the last chunk are zero.
    pub(super) fn chunk_at(&self, position: i64) -> ([u8; 9], usize) {
        let index = usize::try_from(position.div_euclid(CHUNK)).unwrap_or(usize::MAX);
        let mut value = self
            .chunks
            .get(index)
            .filter(|_| index < self.used)
            .copied()
            .unwrap_or(0);
        let mut text = [b'0'; 9];
        for digit in text.iter_mut().rev() {
            *digit = b'0' + (value % 10) as u8;
            value /= 10;
        }
        (text, position.rem_euclid(CHUNK) as usize)
    }
}
