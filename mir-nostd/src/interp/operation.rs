//! The operations that C has no operators for, out of line, one function for all of them.

use crate::ir::{Code, Type};
use crate::target::extend;

/// The distance of a float from the low end of its cell.
const FLOAT: u32 = if cfg!(target_endian = "big") { 32 } else { 0 };

/// Returns the cell with the result of the instruction of this number, from the cells of its
/// inputs.
///
/// They are three words and no array, which would be passed by address: the handler's local that
/// it points to would keep the jump to the next handler a call.
#[inline(never)]
pub(super) fn result(number: u32, first: i64, second: i64, third: i64) -> i64 {
    let operation = Code::from_number(u64::from(number)).and_then(Code::operation);
    let Some((operation, ty)) = operation else {
        return 0;
    };
    // Unsigned numbers of 64 bits are ordered like signed ones whose highest bit differs.
    let flipped = if operation.is_ordered() && ty == Type::U64 {
        1 << 63
    } else {
        0
    };
    let shift = if ty == Type::F { FLOAT } else { 0 };
    let inputs =
        [first, second, third].map(|input| extended(ty, input.cast_unsigned() >> shift ^ flipped));
    let result = match ty {
        Type::F | Type::D => operation.of_floats(ty == Type::D, inputs) << shift,
        _ => operation.of_ints(8 * ty.size(), inputs[0], inputs[1]) ^ flipped,
    };
    extended(ty, result).cast_signed()
}

/// Extends as [`extend`] does, in one place: it is called four times, and is large.
#[inline(never)]
fn extended(ty: Type, value: u64) -> u64 {
    extend(ty, value)
}

/// True if the processor's square root can be had.
pub(super) const HAS_SQUARE_ROOT: bool = cfg!(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
));

/// Returns the square root of a double.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(super) fn square_root(value: f64) -> f64 {
    use core::arch::x86_64::{_mm_cvtsd_f64, _mm_set_sd, _mm_sqrt_pd};
    // SAFETY: the processor has these instructions.
    unsafe { _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set_sd(value))) }
}

/// Returns the square root of a double.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[inline(always)]
pub(super) fn square_root(value: f64) -> f64 {
    use core::arch::aarch64::{vdup_n_f64, vget_lane_f64, vsqrt_f64};
    // SAFETY: the processor has these instructions.
    unsafe { vget_lane_f64::<0>(vsqrt_f64(vdup_n_f64(value))) }
}

/// Returns the square root of a double. Nothing is decoded to this where it is not fast.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
)))]
#[inline(always)]
pub(super) fn square_root(value: f64) -> f64 {
    value
}
