//! QEMU's `microvm`: a 16550, and an exception that nobody handles, which ends the emulator.

use core::arch::{asm, global_asm};

pub use target_x86_64::TARGET;

global_asm!(include_str!("x86_64.s"), options(att_syntax));

/// The address of the ramdisk.
pub const RAMDISK: usize = 0x800_0000;

/// Writes a byte to the serial port.
pub fn put(byte: u8) {
    // SAFETY: the port's register for sending; the emulator is always ready.
    unsafe { asm!("out dx, al", in("dx") 0x3F8_u16, in("al") byte, options(nomem, nostack)) };
}

/// Ends the emulator.
pub fn exit() {
    // SAFETY: there is no table of handlers, so that the processor is reset.
    unsafe { asm!("ud2") };
}
