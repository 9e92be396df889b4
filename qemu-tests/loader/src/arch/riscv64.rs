//! `riscv64` on QEMU's `virt` without firmware: M-mode, 16550.

use core::arch::global_asm;
use core::ptr;

/// The address of the image.
pub const IMAGE: usize = 0x8800_0000;

global_asm!(
    ".option arch, +d",
    ".bss; .balign 16; .space 0x10000; stack_top:",
    ".section .boot, \"ax\", @progbits; .globl boot",
    // Harts other than the first wait for ever.
    "boot: csrr t0, mhartid; 1: bnez t0, 1b",
    "li t0, 0x2000; csrs mstatus, t0; la sp, stack_top; call kernel_main; unimp"
);

/// Writes to the serial port.
pub fn write(bytes: &[u8]) {
    for &byte in bytes {
        // SAFETY: the port's register for sending, which QEMU never has wait.
        unsafe { ptr::with_exposed_provenance_mut::<u8>(0x1000_0000).write_volatile(byte) };
    }
}

/// Ends the run; the emulator's status is 0 or 1.
pub fn exit(good: bool) -> ! {
    let status: u32 = if good { 0x5555 } else { 0x1_3333 };
    loop {
        // SAFETY: the register that ends the emulator.
        unsafe { ptr::with_exposed_provenance_mut::<u32>(0x10_0000).write_volatile(status) };
    }
}
