//! What the machine gives: a place to show text, and a start. Here that is a process; in firmware, a serial port and the
//! reset vector.

use core::fmt::Write;

/// Where text goes: a serial port in firmware, standard output here.
pub(crate) struct Console;

impl Write for Console {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        // SAFETY: `write` reads as many bytes as the text has.
        let written = unsafe { write(1, text.as_ptr(), text.len()) };
        if written < 0 {
            Err(core::fmt::Error)
        } else {
            Ok(())
        }
    }
}

#[link(name = "c")]
unsafe extern "C" {
    fn write(file: i32, bytes: *const u8, count: usize) -> isize;
}

/// Where the machine starts.
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    match super::run() {
        Ok(()) => 0,
        Err(error) => {
            _ = writeln!(Console, "{error}");
            1
        }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// The precompiled core library names it, though nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
