//! QEMU's `virt`: the entry in machine mode, which turns floating registers on (gates keep them for
//! their callers), a serial port, and a register that ends the emulator.

use core::{arch::global_asm, ptr};
pub use target_riscv64::{ISA, NATIVE};

global_asm!(
    ".section .entry, \"ax\"",
    "entry: .globl entry",
    "li t0, 0x2000; csrs mstatus, t0; la sp, stack_top; j kernel"
);

/// Writes a byte to the serial port.
pub fn put(byte: u8) {
    // SAFETY: the port's register for sending.
    unsafe { ptr::with_exposed_provenance_mut::<u8>(0x1000_0000).write_volatile(byte) };
}

/// Ends the emulator.
pub fn exit() -> ! {
    // SAFETY: the register is there for this.
    unsafe { ptr::with_exposed_provenance_mut::<u32>(0x10_0000).write_volatile(0x5555) };
    loop {
        core::hint::spin_loop();
    }
}
