//! The console on the serial port.

use crate::arch;
use core::fmt;
use spin::mutex::SpinMutex;
use spin::relax::RelaxStrategy;

/// The right to write to the port, which one CPU has at a time.
static TURN: SpinMutex<(), Pause> = SpinMutex::new(());

/// Waits for the port as the machine does best.
struct Pause;

impl RelaxStrategy for Pause {
    fn relax() {
        arch::pause();
    }
}

/// Prints one line.
#[macro_export]
macro_rules! say {
    ($($part:tt)*) => { $crate::console::line(format_args!($($part)*)) };
}

/// Prints one line; lines of two CPUs do not mix.
pub fn line(text: fmt::Arguments<'_>) {
    let _turn = TURN.lock();
    let mut port = Port(heapless::Vec::new());
    let _ = fmt::Write::write_fmt(&mut port, text);
    port.put(b'\n');
    port.flush();
}

/// Prints bytes unchanged.
pub fn bytes(text: &[u8]) {
    let _turn = TURN.lock();
    text.chunks(CHUNK).for_each(arch::write);
}

/// Takes the console from its owner, for reports after which nothing follows.
pub fn seize() {
    // SAFETY: the lock guards no memory; at worst the report mixes with a line of another CPU.
    unsafe { TURN.force_unlock() };
}

/// The number of bytes that every machine accepts at once.
const CHUNK: usize = 256;

/// The bytes that the port has not been given yet.
struct Port(heapless::Vec<u8, CHUNK>);

impl Port {
    fn put(&mut self, byte: u8) {
        if self.0.is_full() {
            self.flush();
        }
        // There is room.
        let _ = self.0.push(byte);
    }

    fn flush(&mut self) {
        arch::write(&self.0);
        self.0.clear();
    }
}

impl fmt::Write for Port {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.put(byte));
        Ok(())
    }
}
