//! The console on the serial port.

use crate::arch;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};

static BUSY: AtomicBool = AtomicBool::new(false);

/// Prints one line.
#[macro_export]
macro_rules! say {
    ($($part:tt)*) => { $crate::console::line(format_args!($($part)*)) };
}

/// Prints one line; lines of two CPUs do not mix.
pub fn line(text: fmt::Arguments<'_>) {
    while BUSY.swap(true, Ordering::Acquire) {
        arch::pause();
    }
    let mut port = Port::new();
    let _ = fmt::Write::write_fmt(&mut port, text);
    port.put(b'\n');
    port.flush();
    BUSY.store(false, Ordering::Release);
}

/// Prints bytes unchanged.
pub fn bytes(text: &[u8]) {
    while BUSY.swap(true, Ordering::Acquire) {
        arch::pause();
    }
    text.chunks(CHUNK).for_each(arch::write);
    BUSY.store(false, Ordering::Release);
}

/// Takes the console from its owner, for reports after which nothing follows.
pub fn seize() {
    BUSY.store(false, Ordering::Release);
}

/// The number of bytes that every machine accepts at once.
const CHUNK: usize = 256;

struct Port {
    buffer: [u8; CHUNK],
    used: usize,
}

impl Port {
    const fn new() -> Port {
        Port {
            buffer: [0; CHUNK],
            used: 0,
        }
    }

    fn put(&mut self, byte: u8) {
        if self.used == CHUNK {
            self.flush();
        }
        self.buffer[self.used] = byte;
        self.used += 1;
    }

    fn flush(&mut self) {
        arch::write(&self.buffer[..self.used]);
        self.used = 0;
    }
}

impl fmt::Write for Port {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.put(byte));
        Ok(())
    }
}
