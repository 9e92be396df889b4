//! The text of the last error, in a buffer of fixed length.

use core::ffi::c_char;
use core::fmt::{self, Display, Write};
use heapless::CString;

/// The size of the buffer.
const SIZE: usize = 256;

/// A text that ends in a NUL and is truncated to the buffer.
#[derive(Debug)]
pub(crate) struct Message(CString<SIZE>);

impl Message {
    pub(crate) fn new() -> Message {
        Message(CString::new())
    }

    pub(crate) fn set(&mut self, what: &dyn Display) {
        *self = Message::new();
        // A truncated text is valid too.
        let _ = write!(self, "{what}");
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.0.as_c_str().as_ptr()
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = SIZE - self.0.as_bytes_with_nul().len();
        let taken = &text.as_bytes()[..text.len().min(room)];
        self.0.extend_from_bytes(taken).map_err(|_| fmt::Error)
    }
}
