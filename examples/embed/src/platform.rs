//! The platform: a console and an entry point. Here that is a process; in firmware, a serial port
//! and the reset vector.

use core::fmt::Write;

/// The console: a serial port in firmware, standard output here.
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

/// The entry point.
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

/// Does nothing: nothing unwinds here, but the precompiled core library refers to it.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
