//! C's string functions, and a few on numbers.

use kernel_memory::keep;

pub(crate) unsafe extern "C" fn strlen(text: *const u8) -> usize {
    let mut length = 0;
    // SAFETY: the caller passes a string that ends in 0.
    while unsafe { text.add(length).read() } != 0 {
        length += 1;
        keep();
    }
    length
}

pub(crate) unsafe extern "C" fn strcmp(first: *const u8, second: *const u8) -> i32 {
    // SAFETY: passed on to the caller.
    unsafe { strncmp(first, second, usize::MAX) }
}

pub(crate) unsafe extern "C" fn strncmp(first: *const u8, second: *const u8, most: usize) -> i32 {
    for index in 0..most {
        // SAFETY: the caller passes strings, and both go on until they differ or end.
        let (one, other) = unsafe { (first.add(index).read(), second.add(index).read()) };
        if one != other || one == 0 {
            return i32::from(one) - i32::from(other);
        }
    }
    0
}

pub(crate) unsafe extern "C" fn strcpy(to: *mut u8, from: *const u8) -> *mut u8 {
    // SAFETY: the caller passes a string, and room for it.
    unsafe { crate::memcpy(to, from, strlen(from) + 1) }
}

pub(crate) unsafe extern "C" fn strchr(text: *const u8, byte: i32) -> *const u8 {
    let mut at = text;
    // SAFETY: the caller passes a string that ends in 0.
    unsafe {
        while at.read() != byte as u8 {
            if at.read() == 0 {
                return core::ptr::null();
            }
            at = at.add(1);
        }
    }
    at
}

pub(crate) extern "C" fn abs(value: i32) -> i32 {
    value.wrapping_abs()
}
