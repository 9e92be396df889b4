//! Values as they cross between interpreted code, native code and the embedder.

use crate::ir::Type;
use crate::num::LongDouble;

/// A value of any type in a cell of 16 bytes, in the memory form of the machine at the start of the
/// cell.
///
/// An integer is held extended to 64 bits, floats and long doubles as their bits, a block as its
/// address. A cell is therefore also what the address of a variable may point to, in either byte
/// order.
///
/// ```
/// use mir_nostd::target::Value;
/// assert_eq!(Value::from_i64(-1).u64(), u64::MAX);
/// assert_eq!(Value::from_f32_bits(0x3F80_0000).f32_bits(), 0x3F80_0000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub struct Value([u64; 2]);

/// The half of a cell that holds the low half of a number of 16 bytes.
const LOW: usize = cfg!(target_endian = "big") as usize;

impl Value {
    /// All bits zero: the zero of every type.
    pub const ZERO: Value = Value([0; 2]);

    /// Returns the cell of a signed integer.
    #[must_use]
    pub const fn from_i64(value: i64) -> Value {
        Value([value.cast_unsigned(), 0])
    }

    /// Returns the cell of an unsigned integer or an address.
    #[must_use]
    pub const fn from_u64(value: u64) -> Value {
        Value([value, 0])
    }

    /// Returns the cell of the address of `place`.
    #[must_use]
    pub fn from_address<T>(place: *const T) -> Value {
        Value([place.expose_provenance() as u64, 0])
    }

    /// Returns the cell of a float, given by its bits.
    #[must_use]
    pub const fn from_f32_bits(bits: u32) -> Value {
        let [b0, b1, b2, b3] = bits.to_ne_bytes();
        Value([u64::from_ne_bytes([b0, b1, b2, b3, 0, 0, 0, 0]), 0])
    }

    /// Returns the cell of a double, given by its bits.
    #[must_use]
    pub const fn from_f64_bits(bits: u64) -> Value {
        Value([bits, 0])
    }

    /// Returns the cell of a long double in the target's format.
    #[must_use]
    pub const fn from_long_double(LongDouble(bits): LongDouble) -> Value {
        let mut halves = [0; 2];
        halves[LOW] = bits as u64;
        halves[1 - LOW] = (bits >> 64) as u64;
        Value(halves)
    }

    /// Returns the value as a signed integer.
    #[must_use]
    pub const fn i64(self) -> i64 {
        self.0[0].cast_signed()
    }

    /// Returns the value as an unsigned integer.
    #[must_use]
    pub const fn u64(self) -> u64 {
        self.0[0]
    }

    /// Returns the value as an address.
    #[must_use]
    pub fn address<T>(self) -> *mut T {
        core::ptr::with_exposed_provenance_mut(self.0[0] as usize)
    }

    /// Returns the bits of a float.
    #[must_use]
    pub const fn f32_bits(self) -> u32 {
        let [b0, b1, b2, b3, ..] = self.0[0].to_ne_bytes();
        u32::from_ne_bytes([b0, b1, b2, b3])
    }

    /// Returns the bits of a double.
    #[must_use]
    pub const fn f64_bits(self) -> u64 {
        self.0[0]
    }

    /// Returns the bytes of the cell as they lie in memory.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let halves = [self.0[0].to_ne_bytes(), self.0[1].to_ne_bytes()];
        let mut index = 0;
        while index < 16 {
            bytes[index] = halves[index / 8][index % 8];
            index += 1;
        }
        bytes
    }

    /// Returns the value as a long double.
    #[must_use]
    pub const fn long_double(self) -> LongDouble {
        LongDouble((self.0[1 - LOW] as u128) << 64 | self.0[LOW] as u128)
    }
}

impl core::fmt::Debug for Value {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Value({:#x})", self.long_double().0)
    }
}

/// Returns `value` truncated to the width of the integer type `ty` and extended to 64 bits by its
/// signedness.
///
/// ```
/// use mir_nostd::{ir::Type, target::extend};
/// assert_eq!(extend(Type::I8, 0x1FF), u64::MAX);
/// assert_eq!(extend(Type::U16, 0x1_FFFF), 0xFFFF);
/// ```
#[must_use]
pub const fn extend(ty: Type, value: u64) -> u64 {
    match ty {
        Type::I8 => value as i8 as u64,
        Type::U8 => value as u8 as u64,
        Type::I16 => value as i16 as u64,
        Type::U16 => value as u16 as u64,
        Type::I32 => value as i32 as u64,
        Type::U32 => value as u32 as u64,
        _ => value,
    }
}
