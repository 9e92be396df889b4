//! `memcpy` and related functions, for programs and for the compiler, which calls them by these
//! names: the feature `symbols` has the linker see them under those.
#![no_std]

use core::arch::asm;

/// Keeps the compiler from replacing a loop by a call of the function that contains it.
#[inline(always)]
pub fn keep() {
    // SAFETY: no instruction at all.
    unsafe { asm!("", options(nostack, preserves_flags)) };
}

/// Copies `size` bytes between ranges that do not overlap.
///
/// # Safety
///
/// As in C.
#[cfg_attr(feature = "symbols", unsafe(no_mangle))]
pub unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    // SAFETY: the caller vouches for both ranges.
    unsafe { copy_up(to, from, size) };
    to
}

/// Copies `size` bytes between ranges that may overlap.
///
/// # Safety
///
/// As in C.
#[cfg_attr(feature = "symbols", unsafe(no_mangle))]
pub unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    if to.addr().wrapping_sub(from.addr()) >= size {
        // SAFETY: the caller vouches for both ranges; nothing is overwritten before it is read.
        unsafe { copy_up(to, from, size) };
    } else {
        for index in (0..size).rev() {
            // SAFETY: as above.
            unsafe { to.add(index).write(from.add(index).read()) };
            keep();
        }
    }
    to
}

/// # Safety
///
/// Both ranges are valid, and `to` is not inside the range from `from` on, except at its start.
unsafe fn copy_up(to: *mut u8, from: *const u8, size: usize) {
    let words = size / 8;
    // SAFETY: the caller vouches for the ranges. A word is read whole before it is written; where
    // the ranges overlap, `to` is below `from`, and what a word overwrites was read before, if they
    // are 8 bytes apart or more.
    unsafe {
        let start = if from.addr().wrapping_sub(to.addr()) >= 8 {
            for index in 0..words {
                let word = from.cast::<u64>().add(index).read_unaligned();
                to.cast::<u64>().add(index).write_unaligned(word);
                keep();
            }
            words * 8
        } else {
            0
        };
        for index in start..size {
            to.add(index).write(from.add(index).read());
            keep();
        }
    }
}

/// Sets `size` bytes to the low 8 bits of `value`.
///
/// # Safety
///
/// As in C.
#[cfg_attr(feature = "symbols", unsafe(no_mangle))]
pub unsafe extern "C" fn memset(to: *mut u8, value: i32, size: usize) -> *mut u8 {
    let byte = value as u8;
    let words = size / 8;
    // SAFETY: the caller vouches for the range.
    unsafe {
        for index in 0..words {
            let word = u64::from_ne_bytes([byte; 8]);
            to.cast::<u64>().add(index).write_unaligned(word);
            keep();
        }
        for index in words * 8..size {
            to.add(index).write(byte);
            keep();
        }
    }
    to
}

/// Compares two pieces of memory; the result is negative, zero or positive.
///
/// # Safety
///
/// As in C.
#[cfg_attr(feature = "symbols", unsafe(no_mangle))]
pub unsafe extern "C" fn memcmp(first: *const u8, second: *const u8, size: usize) -> i32 {
    for index in 0..size {
        // SAFETY: the caller vouches for both ranges.
        let (one, other) = unsafe { (first.add(index).read(), second.add(index).read()) };
        if one != other {
            return i32::from(one) - i32::from(other);
        }
        keep();
    }
    0
}

/// Compares two pieces of memory; the result is 0 if they are equal.
///
/// # Safety
///
/// As in C.
#[cfg_attr(feature = "symbols", unsafe(no_mangle))]
pub unsafe extern "C" fn bcmp(first: *const u8, second: *const u8, size: usize) -> i32 {
    // SAFETY: passed on to the caller.
    unsafe { memcmp(first, second, size) }
}
