//! The semantics of the integer instructions, in one place for the interpreter and for constant
//! folding.
//!
//! This module decides what the language leaves open: shift counts are taken modulo the width; the
//! most negative number divided by -1 is itself, with remainder 0; division by zero has no result.
//! The 32-bit forms (`...s`) read the low halves of their operands. The high half of their results
//! is not part of the language: it is the sign for signed operations and zero for `udivs`, `umods`,
//! `urshs` and `umulos`. Nothing here panics.

/// A result with the flags that an overflow branch tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// The result, wrapped to its width.
    pub value: i64,
    /// True if the signed result did not fit.
    pub signed: bool,
    /// True if the unsigned result did not fit: a carry out of a sum, a borrow of a difference.
    pub unsigned: bool,
}

/// Sign-extends the low half.
const fn short(value: i32) -> i64 {
    value as i64
}

/// Zero-extends the low half.
const fn short_unsigned(value: u32) -> i64 {
    value as i64
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),+) -> $result:ty = $body:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $name($($argument: i64),+) -> $result {
            $body
        }
    )*};
}

functions! {
    /// Returns the low 8 bits, sign-extended.
    ext8(a) -> i64 = a as i8 as i64;
    /// Returns the low 16 bits, sign-extended.
    ext16(a) -> i64 = a as i16 as i64;
    /// Returns the low 32 bits, sign-extended.
    ext32(a) -> i64 = a as i32 as i64;
    /// Returns the low 8 bits, zero-extended.
    uext8(a) -> i64 = a as u8 as i64;
    /// Returns the low 16 bits, zero-extended.
    uext16(a) -> i64 = a as u16 as i64;
    /// Returns the low 32 bits, zero-extended.
    uext32(a) -> i64 = a as u32 as i64;

    /// Returns `-a`.
    neg(a) -> i64 = a.wrapping_neg();
    /// Returns `-a` in 32 bits.
    negs(a) -> i64 = short((a as i32).wrapping_neg());
    /// Returns `a + b`.
    add(a, b) -> i64 = a.wrapping_add(b);
    /// Returns `a + b` in 32 bits.
    adds(a, b) -> i64 = short((a as i32).wrapping_add(b as i32));
    /// Returns `a - b`.
    sub(a, b) -> i64 = a.wrapping_sub(b);
    /// Returns `a - b` in 32 bits.
    subs(a, b) -> i64 = short((a as i32).wrapping_sub(b as i32));
    /// Returns `a * b`.
    mul(a, b) -> i64 = a.wrapping_mul(b);
    /// Returns `a * b` in 32 bits.
    muls(a, b) -> i64 = short((a as i32).wrapping_mul(b as i32));

    /// Returns the signed quotient toward zero; `None` for `b = 0`.
    div(a, b) -> Option<i64> = if b == 0 { None } else { Some(a.wrapping_div(b)) };
    /// Returns the signed 32-bit quotient toward zero; `None` if the low half of `b` is 0.
    divs(a, b) -> Option<i64> = if b as i32 == 0 { None } else { Some(short((a as i32).wrapping_div(b as i32))) };
    /// Returns the unsigned quotient; `None` for `b = 0`.
    udiv(a, b) -> Option<i64> = if b == 0 { None } else { Some((a as u64 / b as u64) as i64) };
    /// Returns the unsigned 32-bit quotient; `None` if the low half of `b` is 0.
    udivs(a, b) -> Option<i64> = match (a as u32).checked_div(b as u32) {
        Some(quotient) => Some(short_unsigned(quotient)),
        None => None,
    };
    /// Returns the signed remainder with the sign of `a`; `None` for `b = 0`.
    r#mod(a, b) -> Option<i64> = if b == 0 { None } else { Some(a.wrapping_rem(b)) };
    /// Returns the signed 32-bit remainder with the sign of `a`; `None` if the low half of `b` is
    /// 0.
    mods(a, b) -> Option<i64> = if b as i32 == 0 { None } else { Some(short((a as i32).wrapping_rem(b as i32))) };
    /// Returns the unsigned remainder; `None` for `b = 0`.
    umod(a, b) -> Option<i64> = if b == 0 { None } else { Some((a as u64 % b as u64) as i64) };
    /// Returns the unsigned 32-bit remainder; `None` if the low half of `b` is 0.
    umods(a, b) -> Option<i64> = match (a as u32).checked_rem(b as u32) {
        Some(rest) => Some(short_unsigned(rest)),
        None => None,
    };

    /// Returns the bitwise and.
    and(a, b) -> i64 = a & b;
    /// Returns the bitwise and of the low halves.
    ands(a, b) -> i64 = short(a as i32 & b as i32);
    /// Returns the bitwise or.
    or(a, b) -> i64 = a | b;
    /// Returns the bitwise or of the low halves.
    ors(a, b) -> i64 = short(a as i32 | b as i32);
    /// Returns the bitwise exclusive or.
    xor(a, b) -> i64 = a ^ b;
    /// Returns the bitwise exclusive or of the low halves.
    xors(a, b) -> i64 = short(a as i32 ^ b as i32);
    /// Returns the shift left by `b` modulo 64.
    lsh(a, b) -> i64 = a.wrapping_shl(b as u32);
    /// Returns the 32-bit shift left by `b` modulo 32.
    lshs(a, b) -> i64 = short((a as i32).wrapping_shl(b as u32));
    /// Returns the arithmetic shift right by `b` modulo 64.
    rsh(a, b) -> i64 = a.wrapping_shr(b as u32);
    /// Returns the 32-bit arithmetic shift right by `b` modulo 32.
    rshs(a, b) -> i64 = short((a as i32).wrapping_shr(b as u32));
    /// Returns the logical shift right by `b` modulo 64.
    ursh(a, b) -> i64 = (a as u64).wrapping_shr(b as u32) as i64;
    /// Returns the 32-bit logical shift right by `b` modulo 32.
    urshs(a, b) -> i64 = short_unsigned((a as u32).wrapping_shr(b as u32));

    /// Returns `a + b` with both flags.
    addo(a, b) -> Overflow = {
        let (value, signed) = a.overflowing_add(b);
        Overflow { value, signed, unsigned: (a as u64).overflowing_add(b as u64).1 }
    };
    /// Returns `a + b` in 32 bits with both flags.
    addos(a, b) -> Overflow = {
        let (value, signed) = (a as i32).overflowing_add(b as i32);
        Overflow { value: short(value), signed, unsigned: (a as u32).overflowing_add(b as u32).1 }
    };
    /// Returns `a - b` with both flags.
    subo(a, b) -> Overflow = {
        let (value, signed) = a.overflowing_sub(b);
        Overflow { value, signed, unsigned: (a as u64) < b as u64 }
    };
    /// Returns `a - b` in 32 bits with both flags.
    subos(a, b) -> Overflow = {
        let (value, signed) = (a as i32).overflowing_sub(b as i32);
        Overflow { value: short(value), signed, unsigned: (a as u32) < b as u32 }
    };
    /// Returns the signed product `a * b` with the signed flag; the unsigned one is clear.
    mulo(a, b) -> Overflow = {
        let (value, signed) = a.overflowing_mul(b);
        Overflow { value, signed, unsigned: false }
    };
    /// Returns the signed product `a * b` in 32 bits with the signed flag; the unsigned one is
    /// clear.
    mulos(a, b) -> Overflow = {
        let (value, signed) = (a as i32).overflowing_mul(b as i32);
        Overflow { value: short(value), signed, unsigned: false }
    };
    /// Returns the unsigned product `a * b` with the unsigned flag; the signed one is clear.
    umulo(a, b) -> Overflow = {
        let (value, unsigned) = (a as u64).overflowing_mul(b as u64);
        Overflow { value: value as i64, signed: false, unsigned }
    };
    /// Returns the unsigned product `a * b` in 32 bits with the unsigned flag; the signed one is
    /// clear.
    umulos(a, b) -> Overflow = {
        let (value, unsigned) = (a as u32).overflowing_mul(b as u32);
        Overflow { value: short_unsigned(value), signed: false, unsigned }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIGH: i64 = 0x7654_3210_0000_0000;

    #[test]
    fn division_has_no_result_for_zero_and_wraps_at_the_most_negative() {
        assert_eq!(div(7, 0), None);
        assert_eq!(udivs(7, HIGH), None);
        assert_eq!(umods(7, HIGH), None);
        assert_eq!(divs(7, HIGH), None);
        assert_eq!(div(i64::MIN, -1), Some(i64::MIN));
        assert_eq!(r#mod(i64::MIN, -1), Some(0));
        assert_eq!(divs(HIGH | 0x8000_0000, -1), Some(i64::from(i32::MIN)));
        assert_eq!(mods(0x8000_0000, HIGH | 0xffff_ffff), Some(0));
        assert_eq!((div(-7, 2), r#mod(-7, 2)), (Some(-3), Some(-1)));
        assert_eq!((udiv(-1, 2), umod(-1, 2)), (Some(i64::MAX), Some(1)));
        assert_eq!((udivs(-1, 2), umods(-1, 2)), (Some(0x7fff_ffff), Some(1)));
    }

    #[test]
    fn shift_counts_count_modulo_the_width() {
        assert_eq!(
            (lsh(1, 65), lsh(1, 63), lsh(1, -1)),
            (2, i64::MIN, i64::MIN)
        );
        assert_eq!((rsh(-8, 65), ursh(-8, 65)), (-4, 0x7fff_ffff_ffff_fffc));
        assert_eq!(
            (lshs(1, 33), lshs(1, 31), lshs(1, HIGH | 1)),
            (2, i64::from(i32::MIN), 2)
        );
        assert_eq!(
            (rshs(0x8000_0000, 36), urshs(-1, 36)),
            (-0x0800_0000, 0x0fff_ffff)
        );
    }

    #[test]
    fn short_forms_read_low_halves() {
        assert_eq!(adds(HIGH | 0x7fff_ffff, 1), i64::from(i32::MIN));
        assert_eq!(subs(HIGH, 1), -1);
        assert_eq!(muls(HIGH | 0x1_0000, 0x1_0000), 0);
        assert_eq!(
            (
                negs(HIGH | 1),
                ands(-1, HIGH | 6),
                ors(HIGH, 6),
                xors(-1, HIGH | 6)
            ),
            (-1, 6, 6, -7)
        );
    }

    #[test]
    fn extensions_take_low_bits() {
        assert_eq!(
            (ext8(0x180), ext16(0x1_8000), ext32(0x1_8000_0000)),
            (-0x80, -0x8000, -0x8000_0000)
        );
        assert_eq!(
            (uext8(-1), uext16(-1), uext32(-1)),
            (0xff, 0xffff, 0xffff_ffff)
        );
    }

    #[test]
    fn flags_are_those_of_the_width() {
        let flags = |o: Overflow| (o.value, o.signed, o.unsigned);
        assert_eq!(flags(addo(i64::MAX, 1)), (i64::MIN, true, false));
        assert_eq!(flags(addo(-1, 1)), (0, false, true));
        assert_eq!(
            flags(addos(HIGH | 0x7fff_ffff, HIGH | 1)),
            (i64::from(i32::MIN), true, false)
        );
        assert_eq!(flags(addos(0xffff_ffff, 1)), (0, false, true));
        assert_eq!(flags(subo(0, 1)), (-1, false, true));
        assert_eq!(flags(subo(i64::MIN, 1)), (i64::MAX, true, false));
        assert_eq!(flags(subos(0x8000_0000, 1)), (0x7fff_ffff, true, false));
        assert_eq!(flags(subos(HIGH, 1)), (-1, false, true));
        assert_eq!(flags(mulo(i64::MIN, -1)), (i64::MIN, true, false));
        assert_eq!(
            flags(mulos(0x1_0000, 0x8000)),
            (i64::from(i32::MIN), true, false)
        );
        assert_eq!(flags(umulo(-1, 2)), (-2, false, true));
        assert_eq!(flags(umulos(0xffff_ffff, 2)), (0xffff_fffe, false, true));
        assert_eq!(flags(umulos(HIGH | 3, 5)), (15, false, false));
    }
}
