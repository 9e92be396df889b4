//! The version of the interface.

use core::ffi::{CStr, c_char};

/// The version that this header is of: 10,000 times the major number, 100 times the minor number,
/// and the third.
pub const MIR_VERSION: u32 = 100;

/// Returns the version that the library is of: another than `MIR_VERSION` is that of another
/// header. It may be called by any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mir_version() -> u32 {
    MIR_VERSION
}

const fn number(text: &str) -> u32 {
    let (bytes, mut index, mut number) = (text.as_bytes(), 0, 0);
    while index < bytes.len() {
        number = 10 * number + (bytes[index] - b'0') as u32;
        index += 1;
    }
    number
}

const _: () = assert!(
    MIR_VERSION
        == 10_000 * number(env!("CARGO_PKG_VERSION_MAJOR"))
            + 100 * number(env!("CARGO_PKG_VERSION_MINOR"))
            + number(env!("CARGO_PKG_VERSION_PATCH"))
);

/// Returns the version as text, such as "0.1.0"; valid for ever. It may be called by any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mir_version_text() -> *const c_char {
    let text = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    CStr::from_bytes_until_nul(text)
        .unwrap_or_default()
        .as_ptr()
}
