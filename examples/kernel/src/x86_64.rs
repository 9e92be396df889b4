//! QEMU's `microvm`: the way to long mode, a serial port, and an exception that ends the emulator.

use core::arch::{asm, global_asm};
pub use target_x86_64::{ISA, NATIVE};

global_asm!(include_str!("x86_64.s"), options(att_syntax));

/// Writes a byte to the serial port.
pub fn put(byte: u8) {
    // SAFETY: the port's register for sending.
    unsafe { asm!("out dx, al", in("dx") 0x3F8_u16, in("al") byte, options(nomem, nostack)) };
}

/// Ends the emulator.
pub fn exit() -> ! {
    // SAFETY: there is no table of handlers, so that the processor is reset.
    unsafe { asm!("ud2", options(noreturn)) };
}
