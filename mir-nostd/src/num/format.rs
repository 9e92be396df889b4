//! The long double formats: the meaning of their bits, and arithmetic on them that is the same on
//! every host.
//!
//! Promises: IEEE arithmetic in software, rounded to nearest, ties to even, with subnormals and
//! infinities. A NaN operand yields a quiet NaN with its sign and payload (the first of two; the
//! x87 format takes the larger mantissa, as the x87 unit does), an invalid operation the format's
//! default NaN. No bit pattern panics. x87 patterns that the unit itself refuses (integer bit clear
//! with a nonzero exponent) count as NaN, pseudo-denormals as their value.

use super::double_double::Pair;
use super::soft::{self, Double, Extended, Form, Layout, Parts, Quad, Single};
use core::cmp::Ordering;

/// The bits of a long double; a [`LongDoubleFormat`] says what they mean.
///
/// | format | bits |
/// |---|---|
/// | `X87` | mantissa 0 to 63, exponent 64 to 78, sign 79, rest zero |
/// | `Quad` | IEEE binary128 |
/// | `DoubleDouble` | high double 0 to 63, low double 64 to 127 |
/// | `Double` | IEEE binary64 in 0 to 63, rest zero |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LongDouble(pub u128);

/// The representation of long double on a target.
///
/// ```
/// use mir_nostd::num::LongDoubleFormat::Quad;
/// let third = Quad.div(Quad.from_i64(1), Quad.from_i64(3));
/// assert_eq!(third.0, 0x3ffd_5555_5555_5555_5555_5555_5555_5555);
/// assert_eq!(Quad.to_f64(third), 1.0 / 3.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LongDoubleFormat {
    /// The 80-bit format of the x87 unit (`x86_64`).
    X87,
    /// IEEE binary128 (`aarch64`, `riscv64`, `s390x`).
    Quad,
    /// The sum of two doubles (`ppc64le`).
    DoubleDouble,
    /// The same as double.
    Double,
}

/// The category of a float, which the writers of text distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// A number with a decimal expansion, zero included.
    Finite,
    /// Positive or negative infinity.
    Infinite,
    /// Not a number.
    Nan,
}

const X87_INTEGER_BIT: u128 = 1 << 63;
const LOW_WORD: u128 = u64::MAX as u128;

/// Decodes an x87 number: without the integer bit it is an ordinary [`Layout`].
fn decode_x87(value: LongDouble) -> Parts {
    let exponent = value.0 >> 64 & 0x7fff;
    let fraction = value.0 & (X87_INTEGER_BIT - 1);
    let sign_bit = (value.0 >> 79 & 1) << 78;
    match (exponent, value.0 & X87_INTEGER_BIT != 0) {
        // A pseudo-denormal has the value of the normal number with the same mantissa.
        (0, true) => soft::decode::<Extended>(sign_bit | 1 << 63 | fraction),
        (1.., false) => soft::decode::<Extended>(Extended::SIGN | Extended::INFINITY | 1 << 62),
        _ => soft::decode::<Extended>(sign_bit | exponent << 63 | fraction),
    }
}

fn encode_x87(parts: Parts) -> LongDouble {
    let bits = soft::encode::<Extended>(parts);
    let sign_and_exponent = bits >> 63;
    let integer_bit = if sign_and_exponent & 0x7fff == 0 {
        0
    } else {
        X87_INTEGER_BIT
    };
    LongDouble(sign_and_exponent << 64 | integer_bit | bits & (X87_INTEGER_BIT - 1))
}

/// Defines one binary operation for every format.
macro_rules! operation {
    ($(#[$doc:meta])* $name:ident, $soft:ident, $soft_as:ident) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name(self, a: LongDouble, b: LongDouble) -> LongDouble {
            match self.known() {
                Self::DoubleDouble => {
                    let (a, b) = (Pair::from_bits(a.0), Pair::from_bits(b.0));
                    LongDouble(a.$name(b).settled(a, b, soft::$soft::<Double>).to_bits())
                }
                format => format.compute(a, b, soft::$soft_as),
            }
        }
    };
}

/// The only format of a build with the feature `native-long-double`: that of the machine.
const ONLY: Option<LongDoubleFormat> = if !cfg!(feature = "native-long-double") {
    None
} else if cfg!(target_arch = "x86_64") {
    Some(LongDoubleFormat::X87)
} else if cfg!(target_arch = "powerpc64") {
    Some(LongDoubleFormat::DoubleDouble)
} else if cfg!(any(
    target_arch = "aarch64",
    target_arch = "riscv64",
    target_arch = "s390x"
)) {
    Some(LongDoubleFormat::Quad)
} else {
    None
};

impl LongDoubleFormat {
    /// Returns whether this build computes with the format. It does, except for formats of other
    /// machines with the feature `native-long-double`. There are no modules of a format that it
    /// does not compute with.
    #[must_use]
    pub const fn is_built_in(self) -> bool {
        self as u8 == self.known() as u8
    }

    /// Returns the format, which is a constant in a build with only one.
    #[inline(always)]
    pub(super) const fn known(self) -> Self {
        match ONLY {
            Some(only) => only,
            None => self,
        }
    }

    /// Returns the result of an operation on the parts of two numbers, which are no double-doubles.
    #[cfg_attr(not(small_code), inline(always))]
    #[cfg_attr(small_code, inline(never))]
    fn compute(
        self,
        LongDouble(a): LongDouble,
        LongDouble(b): LongDouble,
        operation: fn(Form, Parts, Parts) -> Parts,
    ) -> LongDouble {
        match self {
            Self::X87 => {
                let (a, b) = (decode_x87(LongDouble(a)), decode_x87(LongDouble(b)));
                encode_x87(operation(Extended::FORM, a, b))
            }
            Self::Quad => {
                let (a, b) = (soft::decode::<Quad>(a), soft::decode::<Quad>(b));
                LongDouble(soft::encode::<Quad>(operation(Quad::FORM, a, b)))
            }
            Self::DoubleDouble | Self::Double => {
                let [a, b] = [a, b].map(|bits| soft::decode::<Double>(bits & LOW_WORD));
                LongDouble(soft::encode::<Double>(operation(Double::FORM, a, b)))
            }
        }
    }

    operation! {
        /// Returns `a + b`.
        add, add, add_as
    }
    operation! {
        /// Returns `a * b`.
        mul, multiply, multiply_as
    }
    operation! {
        /// Returns `a / b`. A division by zero yields an infinity, or NaN for zero by zero.
        div, divide, divide_as
    }

    /// Returns `a - b`.
    #[must_use]
    pub fn sub(self, a: LongDouble, b: LongDouble) -> LongDouble {
        // A NaN keeps its sign.
        let b = if self.category(b) == Category::Nan {
            b
        } else {
            self.neg(b)
        };
        self.add(a, b)
    }

    /// Flips the sign, even of zero and NaN.
    #[must_use]
    pub fn neg(self, a: LongDouble) -> LongDouble {
        match self.known() {
            Self::X87 => LongDouble(a.0 ^ 1 << 79),
            Self::Quad => LongDouble(a.0 ^ Quad::SIGN),
            Self::DoubleDouble => LongDouble(Pair::from_bits(a.0).neg().to_bits()),
            Self::Double => LongDouble(a.0 ^ Double::SIGN),
        }
    }

    /// Compares by value; zeros of either sign are equal. Returns `None` if one of them is NaN.
    #[must_use]
    pub fn compare(self, a: LongDouble, b: LongDouble) -> Option<Ordering> {
        match self.known() {
            Self::X87 => decode_x87(a).compare(decode_x87(b)),
            Self::Quad => soft::decode::<Quad>(a.0).compare(soft::decode::<Quad>(b.0)),
            Self::DoubleDouble => Pair::from_bits(a.0).compare(Pair::from_bits(b.0)),
            Self::Double => self.decode(a).compare(self.decode(b)),
        }
    }

    /// Returns the number nearest to `parts`.
    pub(super) fn encode(self, parts: Parts) -> LongDouble {
        match self.known() {
            Self::X87 => encode_x87(parts),
            Self::Quad => LongDouble(soft::encode::<Quad>(parts)),
            Self::DoubleDouble => LongDouble(Pair::from_parts(parts).to_bits()),
            Self::Double => LongDouble(soft::encode::<Double>(parts)),
        }
    }

    /// Decodes a number. A double-double yields its sum, whose lowest bit is sticky: it stands for
    /// all below the 128th bit.
    pub(super) fn decode(self, value: LongDouble) -> Parts {
        match self.known() {
            Self::X87 => decode_x87(value),
            Self::Quad => soft::decode::<Quad>(value.0),
            Self::DoubleDouble => Pair::from_bits(value.0).sum(),
            Self::Double => soft::decode::<Double>(value.0 & LOW_WORD),
        }
    }

    /// Returns the nearest number to a signed integer: exact but for `Double`.
    #[must_use]
    pub fn from_i64(self, value: i64) -> LongDouble {
        self.encode(Parts::integer(value < 0, u128::from(value.unsigned_abs())))
    }

    /// Returns the nearest number to an unsigned integer: exact but for `Double`.
    #[must_use]
    pub fn from_u64(self, value: u64) -> LongDouble {
        self.encode(Parts::integer(false, u128::from(value)))
    }

    /// Converts a float exactly; a signalling NaN becomes quiet.
    #[must_use]
    pub fn from_f32(self, value: f32) -> LongDouble {
        self.encode(soft::decode::<Single>(u128::from(value.to_bits())))
    }

    /// Converts a double exactly; a signalling NaN becomes quiet.
    #[must_use]
    pub fn from_f64(self, value: f64) -> LongDouble {
        match self.known() {
            Self::Double => LongDouble(u128::from(value.to_bits())),
            _ => self.encode(soft::decode::<Double>(u128::from(value.to_bits()))),
        }
    }

    /// Converts to an integer, toward zero and saturating; NaN becomes 0.
    #[must_use]
    pub fn to_i64(self, value: LongDouble) -> i64 {
        self.decode(value).to_i64()
    }

    /// Converts to an unsigned integer, toward zero and saturating, so a negative number becomes 0;
    /// NaN becomes 0.
    #[must_use]
    pub fn to_u64(self, value: LongDouble) -> u64 {
        self.decode(value).to_u64()
    }

    /// Converts to a float, rounded to nearest, ties to even. A double-double rounds its high part,
    /// as the target's C compiler does.
    #[must_use]
    pub fn to_f32(self, value: LongDouble) -> f32 {
        let parts = match self.known() {
            Self::DoubleDouble => soft::decode::<Double>(value.0 & LOW_WORD),
            _ => self.decode(value),
        };
        f32::from_bits(soft::encode::<Single>(parts) as u32)
    }

    /// Converts to a double, rounded to nearest, ties to even.
    #[must_use]
    pub fn to_f64(self, value: LongDouble) -> f64 {
        match self.known() {
            Self::DoubleDouble | Self::Double => f64::from_bits(value.0 as u64),
            _ => f64::from_bits(soft::encode::<Double>(self.decode(value)) as u64),
        }
    }

    /// Returns whether the value is a number, an infinity or NaN.
    #[must_use]
    pub fn category(self, value: LongDouble) -> Category {
        let parts = match self.known() {
            Self::DoubleDouble => soft::decode::<Double>(value.0 & LOW_WORD),
            _ => self.decode(value),
        };
        match parts.kind {
            soft::Kind::Zero | soft::Kind::Finite => Category::Finite,
            soft::Kind::Infinite => Category::Infinite,
            soft::Kind::Nan => Category::Nan,
        }
    }

    /// Returns whether the sign bit is set, also for zeros and NaNs.
    #[must_use]
    pub const fn is_negative(self, value: LongDouble) -> bool {
        let bit = match self.known() {
            Self::X87 => 79,
            Self::Quad => 127,
            Self::DoubleDouble | Self::Double => 63,
        };
        value.0 >> bit & 1 != 0
    }

    /// Returns the number of mantissa bits, the integer bit included, which is the number of digits
    /// after the point in Medium IR text.
    #[must_use]
    pub const fn precision(self) -> u32 {
        match self {
            Self::X87 => 64,
            Self::Quad => 113,
            Self::DoubleDouble => 106,
            Self::Double => 53,
        }
    }

    /// Returns the size in memory in bytes: 16, or 8 for `Double`.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Double => 8,
            _ => 16,
        }
    }

    /// Returns the two 64-bit words in the order in which they lie in memory.
    const fn words(self, value: LongDouble, big_endian: bool) -> [u64; 2] {
        let (low, high) = (value.0 as u64, (value.0 >> 64) as u64);
        if big_endian && matches!(self, Self::Quad) {
            [high, low]
        } else {
            [low, high]
        }
    }

    /// Reverses [`words`](Self::words); bits that the format does not have are dropped.
    const fn join_words(self, [first, second]: [u64; 2], big_endian: bool) -> LongDouble {
        let bits = if big_endian && matches!(self, Self::Quad) {
            (first as u128) << 64 | second as u128
        } else {
            (second as u128) << 64 | first as u128
        };
        match self {
            Self::X87 => LongDouble(bits & ((1 << 80) - 1)),
            Self::Double => LongDouble(bits & LOW_WORD),
            _ => LongDouble(bits),
        }
    }

    /// Returns the bytes in memory on a machine of the given byte order. Bytes beyond the format's
    /// own are zero.
    #[must_use]
    pub const fn to_bytes(self, value: LongDouble, big_endian: bool) -> [u8; 16] {
        let [first, second] = self.words(value, big_endian);
        if big_endian {
            ((first as u128) << 64 | second as u128).to_be_bytes()
        } else {
            ((second as u128) << 64 | first as u128).to_le_bytes()
        }
    }

    /// Reads the bytes that [`to_bytes`](Self::to_bytes) returns; bytes beyond the format's own are
    /// ignored.
    #[must_use]
    pub const fn from_bytes(self, bytes: [u8; 16], big_endian: bool) -> LongDouble {
        let words = if big_endian {
            let bits = u128::from_be_bytes(bytes);
            [(bits >> 64) as u64, bits as u64]
        } else {
            let bits = u128::from_le_bytes(bytes);
            [bits as u64, (bits >> 64) as u64]
        };
        self.join_words(words, big_endian)
    }

    /// Returns the 16 bytes of a long double in binary Medium IR: the words in the order in which
    /// they lie in memory, each with its lowest byte first. `big_endian` is the byte order of the
    /// machine that the file is for.
    #[must_use]
    pub const fn to_payload(self, value: LongDouble, big_endian: bool) -> [u8; 16] {
        let [first, second] = self.words(value, big_endian);
        ((second as u128) << 64 | first as u128).to_le_bytes()
    }

    /// Reads the bytes that [`to_payload`](Self::to_payload) returns.
    #[must_use]
    pub const fn from_payload(self, bytes: [u8; 16], big_endian: bool) -> LongDouble {
        let bits = u128::from_le_bytes(bytes);
        self.join_words([bits as u64, (bits >> 64) as u64], big_endian)
    }
}
