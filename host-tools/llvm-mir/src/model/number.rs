//! Integers of any width and floating constants of any format.

/// An integer with a width.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Integer {
    bits: u32,
    /// The value, lowest word first; bits beyond the width are copies of the sign.
    words: Box<[u64]>,
}

impl Integer {
    /// Returns an integer of at most 64 bits, truncated to its width.
    #[must_use]
    pub fn new(bits: u32, value: i64) -> Integer {
        let fill = if value < 0 { u64::MAX } else { 0 };
        let mut words = vec![fill; (bits.div_ceil(64) as usize).max(1)];
        words[0] = value.cast_unsigned();
        Integer::from_words(bits, words)
    }

    fn from_words(bits: u32, mut words: Vec<u64>) -> Integer {
        let beyond = (64 - bits % 64) % 64;
        if let Some(last) = words.last_mut() {
            *last = (last.cast_signed() << beyond >> beyond).cast_unsigned();
        }
        Integer {
            bits,
            words: words.into(),
        }
    }

    /// Parses an integer and keeps the bits that its width has, as LLVM does; `None` if it is none.
    #[must_use]
    pub fn parse(bits: u32, text: &[u8]) -> Option<Integer> {
        let (negative, digits) = match text.strip_prefix(b"-") {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let mut words = vec![0; (bits.div_ceil(64) as usize).max(1)];
        for digit in digits {
            let mut carry = u128::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
            for word in &mut words {
                carry += u128::from(*word) * 10;
                *word = carry as u64;
                carry >>= 64;
            }
        }
        if negative {
            negate(&mut words);
        }
        Some(Integer::from_words(bits, words))
    }

    /// Returns the width in bits.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the value, if it has at most 64 bits with its sign.
    #[must_use]
    pub fn value(&self) -> Option<i64> {
        let low = self.words.first()?.cast_signed();
        let fill = if low < 0 { u64::MAX } else { 0 };
        self.words
            .iter()
            .skip(1)
            .all(|word| *word == fill)
            .then_some(low)
    }

    /// Returns the digits of the value as a signed number.
    #[must_use]
    pub fn digits(&self) -> String {
        if let Some(value) = self.value() {
            return value.to_string();
        }
        let mut words = self.words.to_vec();
        let negative = words.last().is_some_and(|word| word >> 63 != 0);
        if negative {
            negate(&mut words);
        }
        let mut digits = Vec::new();
        while words.iter().any(|word| *word != 0) {
            let mut rest = 0;
            for word in words.iter_mut().rev() {
                let value = rest << 64 | u128::from(*word);
                *word = (value / 10_u128.pow(18)) as u64;
                rest = value % 10_u128.pow(18);
            }
            digits.push(rest as u64);
        }
        let mut text = String::from(if negative { "-" } else { "" });
        for (at, group) in digits.iter().rev().enumerate() {
            text += &if at == 0 {
                group.to_string()
            } else {
                format!("{group:018}")
            };
        }
        text
    }
}

fn negate(words: &mut [u64]) {
    let mut carry = true;
    for word in words {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
}

/// A format of floating constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFormat {
    /// `half`, 16 bits.
    Half,
    /// `bfloat`, 16 bits.
    Bfloat,
    /// `float`, 32 bits.
    Single,
    /// `double`, 64 bits.
    Double,
    /// `x86_fp80`, 80 bits.
    X87,
    /// `fp128`, 128 bits.
    Quad,
    /// `ppc_fp128`, a sum of two doubles.
    DoubleDouble,
}

impl FloatFormat {
    /// All formats with their words, the letter of the hexadecimal form and its number of digits.
    pub const TABLE: [(FloatFormat, &'static str, u8, usize); 7] = [
        (FloatFormat::Half, "half", b'H', 4),
        (FloatFormat::Bfloat, "bfloat", b'R', 4),
        (FloatFormat::Single, "float", 0, 16),
        (FloatFormat::Double, "double", 0, 16),
        (FloatFormat::X87, "x86_fp80", b'K', 20),
        (FloatFormat::Quad, "fp128", b'L', 32),
        (FloatFormat::DoubleDouble, "ppc_fp128", b'M', 32),
    ];

    /// Returns the width in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            FloatFormat::Half | FloatFormat::Bfloat => 16,
            FloatFormat::Single => 32,
            FloatFormat::Double => 64,
            FloatFormat::X87 => 80,
            FloatFormat::Quad | FloatFormat::DoubleDouble => 128,
        }
    }
}

/// A floating constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Float {
    /// Its format.
    pub format: FloatFormat,
    /// The digits of its hexadecimal form; for a `float`, those of the double of the same value.
    pub image: u128,
}

impl Float {
    /// Returns a `float`.
    #[must_use]
    pub fn single(value: f32) -> Float {
        Float {
            format: FloatFormat::Single,
            image: u128::from(widened(value).to_bits()),
        }
    }

    /// Returns a `double`.
    #[must_use]
    pub fn double(value: f64) -> Float {
        Float {
            format: FloatFormat::Double,
            image: u128::from(value.to_bits()),
        }
    }
}

/// Returns the double of the same value; a NaN keeps its payload.
fn widened(value: f32) -> f64 {
    if !value.is_nan() {
        return f64::from(value);
    }
    let bits = u64::from(value.to_bits());
    f64::from_bits((bits & 0x8000_0000) << 32 | 0x7FF << 52 | (bits & 0x7F_FFFF) << 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_signed_within_their_width() {
        let digits = |bits, text: &str| Integer::parse(bits, text.as_bytes()).map(|i| i.digits());
        assert_eq!(digits(8, "255").as_deref(), Some("-1"));
        assert_eq!(digits(8, "-128").as_deref(), Some("-128"));
        assert_eq!(digits(8, "300").as_deref(), Some("44"));
        assert_eq!(digits(8, "-129").as_deref(), Some("127"));
        let ones = "340282366920938463463374607431768211455";
        assert_eq!(digits(128, ones).as_deref(), Some("-1"));
        assert_eq!(digits(256, ones).as_deref(), Some(ones));
        let least = "-170141183460469231731687303715884105728";
        assert_eq!(digits(128, least).as_deref(), Some(least));
        assert_eq!(Integer::new(1, 1).digits(), "-1");
    }
}
