//! The text of the last error, in a buffer of fixed length.

use core::ffi::c_char;
use core::fmt::{self, Display, Write};
use heapless::CString;

/// The size of the buffer.
const SIZE: usize = 256;

/// The end of a text for which the buffer is too small.
const CUT: &[u8] = b"...";

/// A text that ends in a NUL; one that does not fit ends in dots.
#[derive(Debug)]
pub(crate) struct Message(CString<SIZE>);

impl Message {
    pub(crate) fn new() -> Message {
        Message(CString::new())
    }

    pub(crate) fn set(&mut self, what: &dyn Display) {
        *self = Message::new();
        // A text that was cut is valid too.
        let _ = write!(self, "{what}");
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.0.as_c_str().as_ptr()
    }
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let used = self.0.as_bytes_with_nul().len() + CUT.len();
        let room = SIZE.saturating_sub(used);
        // A NUL would end the text.
        let mut bytes = text.bytes().filter(|&byte| byte != 0);
        for byte in bytes.by_ref().take(room) {
            self.0.extend_from_bytes(&[byte]).map_err(|_| fmt::Error)?;
        }
        if bytes.next().is_some() {
            let _ = self.0.extend_from_bytes(CUT);
            return Err(fmt::Error);
        }
        Ok(())
    }
}
