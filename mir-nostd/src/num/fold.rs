//! What the integer instructions compute, in one place for the interpreter and for constant folding.
//!
//! Where the language leaves a result open this is the meaning: shift counts count modulo the width; the most negative
//! number divided by -1 is itself, remainder 0; division by zero has no result. The 32-bit forms (`...s`) read the low
//! halves of their operands. The high half of their results is not part of the language: it is the sign for signed
//! operations and zero for `udivs`, `umods`, `urshs` and `umulos`. Nothing here panics.

/// A result with the flags that an overflow branch tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// The result, wrapped to its width.
    pub value: i64,
    /// The signed result did not fit.
    pub signed: bool,
    /// The unsigned result did not fit: carry out of a sum, borrow of a difference.
    pub unsigned: bool,
}

/// The low half, extended by its sign.
#[inline]
const fn short(value: i32) -> i64 {
    value as i64
}

/// The low half, extended by zeros.
#[inline]
const fn short_unsigned(value: u32) -> i64 {
    value as i64
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),+) -> $result:ty = $body:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub const fn $name($($argument: i64),+) -> $result {
            $body
        }
    )*};
}

functions! {
    /// The low 8 bits, sign-extended.
    ext8(a) -> i64 = a as i8 as i64;
    /// The low 16 bits, sign-extended.
    ext16(a) -> i64 = a as i16 as i64;
    /// The low 32 bits, sign-extended.
    ext32(a) -> i64 = a as i32 as i64;
    /// The low 8 bits, zero-extended.
    uext8(a) -> i64 = a as u8 as i64;
    /// The low 16 bits, zero-extended.
    uext16(a) -> i64 = a as u16 as i64;
    /// The low 32 bits, zero-extended.
    uext32(a) -> i64 = a as u32 as i64;

    /// `-a`.
    neg(a) -> i64 = a.wrapping_neg();
    /// `-a` in 32 bits.
    negs(a) -> i64 = short((a as i32).wrapping_neg());
    /// `a + b`.
    add(a, b) -> i64 = a.wrapping_add(b);
    /// `a + b` in 32 bits.
    adds(a, b) -> i64 = short((a as i32).wrapping_add(b as i32));
    /// `a - b`.
    sub(a, b) -> i64 = a.wrapping_sub(b);
    /// `a - b` in 32 bits.
    subs(a, b) -> i64 = short((a as i32).wrapping_sub(b as i32));
    /// `a * b`.
    mul(a, b) -> i64 = a.wrapping_mul(b);
    /// `a * b` in 32 bits.
    muls(a, b) -> i64 = short((a as i32).wrapping_mul(b as i32));

    /// Signed quotient toward zero; `None` for `b = 0`.
    div(a, b) -> Option<i64> = if b == 0 { None } else { Some(a.wrapping_div(b)) };
    /// Signed 32-bit quotient toward zero; `None` if the low half of `b` is 0.
    divs(a, b) -> Option<i64> = if b as i32 == 0 { None } else { Some(short((a as i32).wrapping_div(b as i32))) };
    /// Unsigned quotient; `None` for `b = 0`.
    udiv(a, b) -> Option<i64> = if b == 0 { None } else { Some((a as u64 / b as u64) as i64) };
    /// Unsigned 32-bit quotient; `None` if the low half of `b` is 0.
    udivs(a, b) -> Option<i64> = match (a as u32).checked_div(b as u32) {
        Some(quotient) => Some(short_unsigned(quotient)),
        None => None,
    };
    /// Signed remainder with the sign of `a`; `None` for `b = 0`.
    r#mod(a, b) -> Option<i64> = if b == 0 { None } else { Some(a.wrapping_rem(b)) };
    /// Signed 32-bit remainder with the sign of `a`; `None` if the low half of `b` is 0.
    mods(a, b) -> Option<i64> = if b as i32 == 0 { None } else { Some(short((a as i32).wrapping_rem(b as i32))) };
    /// Unsigned remainder; `None` for `b = 0`.
    umod(a, b) -> Option<i64> = if b == 0 { None } else { Some((a as u64 % b as u64) as i64) };
    /// Unsigned 32-bit remainder; `None` if the low half of `b` is 0.
    umods(a, b) -> Option<i64> = match (a as u32).checked_rem(b as u32) {
        Some(rest) => Some(short_unsigned(rest)),
        None => None,
    };

    /// Bitwise and.
    and(a, b) -> i64 = a & b;
    /// Bitwise and of the low halves.
    ands(a, b) -> i64 = short(a as i32 & b as i32);
    /// Bitwise or.
    or(a, b) -> i64 = a | b;
    /// Bitwise or of the low halves.
    ors(a, b) -> i64 = short(a as i32 | b as i32);
    /// Bitwise exclusive or.
    xor(a, b) -> i64 = a ^ b;
    /// Bitwise exclusive or of the low halves.
    xors(a, b) -> i64 = short(a as i32 ^ b as i32);
    /// Shift left by `b` modulo 64.
    lsh(a, b) -> i64 = a.wrapping_shl(b as u32);
    /// 32-bit shift left by `b` modulo 32.
    lshs(a, b) -> i64 = short((a as i32).wrapping_shl(b as u32));
    /// Arithmetic shift right by `b` modulo 64.
    rsh(a, b) -> i64 = a.wrapping_shr(b as u32);
    /// 32-bit arithmetic shift right by `b` modulo 32.
    rshs(a, b) -> i64 = short((a as i32).wrapping_shr(b as u32));
    /// Logical shift right by `b` modulo 64.
    ursh(a, b) -> i64 = (a as u64).wrapping_shr(b as u32) as i64;
    /// 32-bit logical shift right by `b` modulo 32.
    urshs(a, b) -> i64 = short_unsigned((a as u32).wrapping_shr(b as u32));

    /// `a + b` with both flags.
    addo(a, b) -> Overflow = {
        let (value, signed) = a.overflowing_add(b);
        Overflow { value, signed, unsigned: (a as u64).overflowing_add(b as u64).1 }
    };
    /// `a + b` in 32 bits with both flags.
    addos(a, b) -> Overflow = {
        let (value, signed) = (a as i32).overflowing_add(b as i32);
        Overflow { value: short(value), signed, unsigned: (a as u32).overflowing_add(b as u32).1 }
    };
    /// `a - b` with both flags.
    subo(a, b) -> Overflow = {
        let (value, signed) = a.overflowing_sub(b);
        Overflow { value, signed, unsigned: (a as u64) < b as u64 }
    };
    /// `a - b` in 32 bits with both flags.
    subos(a, b) -> Overflow = {
        let (value, signed) = (a as i32).overflowing_sub(b as i32);
        Overflow { value: short(value), signed, unsigned: (a as u32) < b as u32 }
    };
    /// Signed `a * b` with the signed flag; the unsigned one is clear.
    mulo(a, b) -> Overflow = {
        let (value, signed) = a.overflowing_mul(b);
        Overflow { value, signed, unsigned: false }
    };
    /// Signed `a * b` in 32 bits with the signed flag; the unsigned one is clear.
    mulos(a, b) -> Overflow = {
        let (value, signed) = (a as i32).overflowing_mul(b as i32);
        Overflow { value: short(value), signed, unsigned: false }
    };
    /// Unsigned `a * b` with the unsigned flag; the signed one is clear.
    umulo(a, b) -> Overflow = {
        let (value, unsigned) = (a as u64).overflowing_mul(b as u64);
        Overflow { value: value as i64, signed: false, unsigned }
    };
    /// Unsigned `a * b` in 32 bits with the unsigned flag; the signed one is clear.
    umulos(a, b) -> Overflow = {
        let (value, unsigned) = (a as u32).overflowing_mul(b as u32);
        Overflow { value: short_unsigned(value), signed: false, unsigned }
    };
}
