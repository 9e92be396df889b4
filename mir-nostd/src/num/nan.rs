//! Canonical NaNs: the bits of the one NaN that confined programs see of those that they compute.

use super::{Category, LongDouble, LongDoubleFormat};

/// The bits of the canonical NaN of floats: quiet, positive, without a payload.
pub const NAN_F32: u32 = 0x7FC0_0000;

/// The bits of the canonical NaN of doubles.
pub const NAN_F64: u64 = 0x7FF8_0000_0000_0000;

/// Returns the bits of a float, those of the canonical NaN for any.
///
/// ```
/// use mir_nostd::num::{NAN_F32, canonical_f32};
/// assert_eq!(canonical_f32(0xFF80_0001), NAN_F32);
/// assert_eq!(canonical_f32(0xFF80_0000), f32::NEG_INFINITY.to_bits());
/// ```
#[must_use]
#[inline(always)]
pub const fn canonical_f32(bits: u32) -> u32 {
    if f32::from_bits(bits).is_nan() {
        NAN_F32
    } else {
        bits
    }
}

/// Returns the bits of a double, those of the canonical NaN for any.
#[must_use]
#[inline(always)]
pub const fn canonical_f64(bits: u64) -> u64 {
    if f64::from_bits(bits).is_nan() {
        NAN_F64
    } else {
        bits
    }
}

impl LongDoubleFormat {
    /// Returns the canonical NaN.
    #[must_use]
    pub fn nan(self) -> LongDouble {
        self.from_f64(f64::from_bits(NAN_F64))
    }

    /// Returns a number, the canonical NaN for any.
    #[must_use]
    pub fn canonical(self, value: LongDouble) -> LongDouble {
        match self.category(value) {
            Category::Nan => self.nan(),
            _ => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LongDouble, LongDoubleFormat};

    #[test]
    fn each_format_has_its_canonical_nan() {
        for (format, nan, other) in [
            (LongDoubleFormat::X87, 0x7FFF_C000_0000_0000_0000, 0xFFFF_8000_0000_0000_0001),
            (LongDoubleFormat::Quad, 0x7FFF_8000 << 96, (0xFFFF << 112) | 1),
            (LongDoubleFormat::DoubleDouble, 0x7FF8 << 48, (1 << 64) | (0xFFF8 << 48) | 7),
            (LongDoubleFormat::Double, 0x7FF8 << 48, (0xFFF0 << 48) | 7),
        ] {
            if format.is_built_in() {
                assert_eq!(format.nan(), LongDouble(nan), "{format:?}");
                assert_eq!(format.canonical(LongDouble(other)), LongDouble(nan));
                let one = format.from_i64(1);
                assert_eq!(format.canonical(one), one);
            }
        }
    }
}
