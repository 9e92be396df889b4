//! QEMU's `virt`: a 16550, and a register that ends the emulator.

use core::ptr;

pub use target_riscv64::TARGET;

core::arch::global_asm!(include_str!("riscv64.s"));

/// The address of the ramdisk.
pub const RAMDISK: usize = 0x8800_0000;

/// Writes a byte to the serial port.
pub fn put(byte: u8) {
    // SAFETY: the port's register for sending; the emulator is always ready.
    unsafe { ptr::with_exposed_provenance_mut::<u8>(0x1000_0000).write_volatile(byte) };
}

/// Ends the emulator.
pub fn exit() {
    // SAFETY: the register that ends the emulator.
    unsafe { ptr::with_exposed_provenance_mut::<u32>(0x10_0000).write_volatile(0x5555) };
}
