//! Integers and floats in the form that instructions encode.

/// Encodes a bit pattern for `ANDXri` and its like, if it is a run of ones, rotated and repeated.
/// `bits` is 32 or 64.
pub(crate) fn logical(value: u64, bits: u32) -> Option<i32> {
    let value = if bits == 32 {
        value & 0xFFFF_FFFF | value << 32
    } else {
        value
    };
    if value == 0 || value == u64::MAX {
        return None;
    }
    let mut size = 64;
    while size > 2 && value.rotate_right(size / 2) == value {
        size /= 2;
    }
    let element = value & u64::MAX >> (64 - size);
    let ones = element.count_ones();
    let run = (1 << ones) - 1;
    let rotation = if element & 1 == 0 {
        let zeros = element.trailing_zeros();
        (element >> zeros == run).then_some(size - zeros)?
    } else {
        let high = ones - element.trailing_ones();
        let low = element.trailing_ones();
        let top = ((1_u64 << high) - 1).checked_shl(size - high).unwrap_or(0);
        (element == ((1 << low) - 1) | top).then_some(high)?
    };
    let is_whole = u32::from(size == 64);
    let length = (size * 2).wrapping_neg() & 63 | (ones - 1);
    Some((is_whole << 12 | rotation << 6 | length).cast_signed())
}

/// Decodes a pattern to the low bits that it stands for, as the manual defines it.
pub(crate) const fn pattern_of(encoded: i32, bits: u32) -> u64 {
    let encoded = encoded.cast_unsigned();
    let (n, rotation, length) = (encoded >> 12 & 1, encoded >> 6 & 63, encoded & 63);
    let size = 1 << (31 - (n << 6 | !length & 63).leading_zeros());
    let ones = (length & (size - 1)) + 1;
    let run = u64::MAX >> (64 - ones);
    let rotation = rotation & (size - 1);
    let mut element = run;
    if rotation != 0 {
        let mask = u64::MAX >> (64 - size);
        element = (run >> rotation | run << (size - rotation)) & mask;
    }
    let mut pattern = 0;
    let mut place = 0;
    while place < bits {
        pattern |= element << place;
        place += size;
    }
    pattern
}

/// A bit field at the low end of a register.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    /// True if the field is sign-extended, false if zero-extended.
    pub(crate) is_signed: bool,
    /// Its width in bits.
    pub(crate) width: i32,
}

/// Encodes the magnitude of an integer, and its shift, for `ADDXri`, if possible.
pub(crate) const fn arithmetic(value: u64) -> Option<[i32; 2]> {
    if value < 1 << 12 {
        Some([value as i32, 0])
    } else if value < 1 << 24 && value & 0xFFF == 0 {
        Some([(value >> 12) as i32, 12])
    } else {
        None
    }
}

/// Encodes the bits of a double for `FMOVDi`, if possible.
pub(crate) const fn double(bits: u64) -> Option<i32> {
    let exponent = bits >> 54 & 0x1FF;
    if bits << 16 != 0 || exponent != 0x100 && exponent != 0xFF {
        return None;
    }
    Some(((bits >> 63) << 7 | (exponent & 1) << 6 | bits >> 48 & 0x3F) as i32)
}

/// Encodes the bits of a float for `FMOVSi`, if possible.
pub(crate) const fn float(bits: u32) -> Option<i32> {
    let exponent = bits >> 25 & 0x3F;
    if bits << 13 != 0 || exponent != 0x20 && exponent != 0x1F {
        return None;
    }
    Some(((bits >> 31) << 7 | (exponent & 1) << 6 | bits >> 19 & 0x3F) as i32)
}

/// The sequence that builds an integer: the first instruction writes one half-word and makes the
/// others all zeros or all ones, each further one writes one half-word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HalfWords {
    /// True if the first instruction makes the others ones.
    pub(crate) inverted: bool,
    /// The set of half-words to write.
    needed: u8,
    value: u64,
}

impl HalfWords {
    /// Returns the shorter sequence for an integer of 32 or 64 bits.
    pub(crate) fn new(value: u64, bits: u32) -> HalfWords {
        let other_than = |filler: u64| {
            let differs = |number: &u32| value >> (16 * number) & 0xFFFF != filler;
            (0..bits / 16)
                .filter(differs)
                .fold(0, |needed: u8, number| needed | 1 << number)
        };
        let (zeros, ones) = (other_than(0), other_than(0xFFFF));
        let inverted = ones.count_ones() < zeros.count_ones();
        let needed = if inverted { ones } else { zeros };
        HalfWords {
            inverted,
            needed: needed.max(1),
            value,
        }
    }

    /// Returns the number of instructions.
    pub(crate) const fn count(self) -> u32 {
        self.needed.count_ones()
    }

    /// Returns the half-words and their positions in bits. The first one is as MOVZ or MOVN takes
    /// it.
    pub(crate) fn iter(self) -> impl Iterator<Item = (i32, i32)> {
        let numbers = (0..4).filter(move |number| self.needed >> number & 1 != 0);
        numbers.enumerate().map(move |(place, number)| {
            let half = self.value >> (16 * number) & 0xFFFF;
            let flipped = if place == 0 && self.inverted {
                0xFFFF
            } else {
                0
            };
            ((half ^ flipped) as i32, 16 * number)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{HalfWords, double, float, logical, pattern_of};

    #[test]
    fn patterns_mean_what_they_stand_for() {
        let mut found = 0;
        for size in [2, 4, 8, 16, 32, 64_u32] {
            for ones in 1..size {
                for rotation in 0..size {
                    let run = u64::MAX >> (64 - ones);
                    let mask = u64::MAX >> (64 - size);
                    let left = if rotation == 0 {
                        0
                    } else {
                        run << (size - rotation)
                    };
                    let element = (run >> rotation | left) & mask;
                    let value = (0..64 / size).fold(0, |value, n| value | element << (n * size));
                    let encoded = logical(value, 64);
                    assert_eq!(
                        encoded.map(|encoded| pattern_of(encoded, 64)),
                        Some(value),
                        "{value:#x}"
                    );
                    found += 1;
                }
            }
        }
        // The manual counts as many.
        assert_eq!(found, 5334);
        for value in [
            0,
            u64::MAX,
            5,
            0x1234,
            0xFFFF_FFFF_0000_0001 ^ 4,
            1 << 63 | 1 << 5,
        ] {
            assert_eq!(logical(value, 64), None, "{value:#x}");
        }
        assert_eq!(logical(0xFFFF_FFFF, 32), None);
        assert_eq!(
            logical(0xFFFF_FF00, 32).map(|encoded| pattern_of(encoded, 64)),
            Some(0xFFFF_FF00_FFFF_FF00)
        );
    }

    /// The numbers that the manual lists: n / 16 times a power of two from 2^-3 to 2^4, n from 16
    /// to 31.
    #[test]
    fn small_floats_have_a_short_form() {
        for number in 0..=255_u32 {
            let sign = if number & 128 != 0 { -1.0 } else { 1.0 };
            let exponent = [1, 2, 3, 4, -3, -2, -1, 0][(number >> 4 & 7) as usize];
            let value = sign * f64::from(16 + (number & 15)) / 16.0 * 2_f64.powi(exponent);
            assert_eq!(double(value.to_bits()), Some(number as i32), "{value}");
            assert_eq!(
                float((value as f32).to_bits()),
                Some(number as i32),
                "{value}"
            );
        }
        for value in [0.0, 0.1, 32.0, 0.0625, 1.03125, f64::INFINITY, f64::NAN] {
            assert_eq!(double(value.to_bits()), None, "{value}");
            assert_eq!(float((value as f32).to_bits()), None, "{value}");
        }
    }

    #[test]
    fn half_words_add_up() {
        for (value, bits, count) in [
            (0, 64, 1),
            (u64::MAX, 64, 1),
            (0xFFFF_FFFF, 32, 1),
            (0xFFFF_1234, 32, 1),
            (0x1_0000_0001, 64, 2),
            (0xFFFF_FFFF_FFFF_8000, 64, 1),
            (0x1234_5678_9ABC_DEF0, 64, 4),
            (0xFFFF_5678_FFFF_DEF0, 64, 2),
        ] {
            let halves = HalfWords::new(value, bits);
            assert_eq!(halves.count(), count, "{value:#x}");
            let mut built = if halves.inverted { u64::MAX } else { 0 };
            for (place, (half, shift)) in halves.iter().enumerate() {
                let flipped = if place == 0 && halves.inverted {
                    0xFFFF
                } else {
                    0
                };
                built &= !(0xFFFF << shift);
                built |= ((half ^ flipped) as u64) << shift;
            }
            assert_eq!(built & u64::MAX >> (64 - bits), value);
        }
    }
}
