//! The text of the last error, in a buffer of fixed length.

use core::ffi::c_char;
use core::fmt::{Display, Write};

/// A text that ends in a NUL and is truncated to the buffer.
#[derive(Debug)]
pub(crate) struct Message {
    bytes: [u8; 256],
    length: usize,
}

impl Message {
    pub(crate) const fn new() -> Message {
        Message {
            bytes: [0; 256],
            length: 0,
        }
    }

    pub(crate) fn set(&mut self, what: &dyn Display) {
        self.length = 0;
        // A truncated text is valid too.
        let _ = write!(self, "{what}");
        self.bytes[self.length] = 0;
    }

    pub(crate) const fn as_ptr(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let room = self.bytes.len() - 1 - self.length;
        let taken = &text.as_bytes()[..text.len().min(room)];
        self.bytes[self.length..self.length + taken.len()].copy_from_slice(taken);
        self.length += taken.len();
        Ok(())
    }
}
