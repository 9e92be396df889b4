//! `aarch64` on QEMU's `virt`: EL1, two gibibytes at their own addresses (devices and memory),
//! PL011, semihosting for the exit.

use core::arch::{asm, global_asm};
use core::ptr;

/// The address of the image.
pub const IMAGE: usize = 0x4800_0000;

global_asm!(
    ".data; .balign 4096",
    "table: .quad 0x0060000000000405, 0x40000701; .fill 510, 8, 0",
    ".bss; .balign 16; .space 0x10000; stack_top:",
    ".section .boot, \"ax\", @progbits; .globl boot",
    // Attribute 0 is ordinary memory, 1 is devices; addresses have 39 bits; the MMU and caches on.
    "boot: adrp x0, table; msr ttbr0_el1, x0; mov x0, #0xFF; msr mair_el1, x0",
    "ldr x0, =0x200803519; msr tcr_el1, x0; isb; tlbi vmalle1; dsb sy; isb",
    "mrs x0, sctlr_el1; mov x1, #0x1005; orr x0, x0, x1; msr sctlr_el1, x0",
    // Floating point.
    "mov x0, #3 << 20; msr cpacr_el1, x0; isb",
    "adrp x0, stack_top; add x0, x0, :lo12:stack_top; mov sp, x0; mov x29, xzr",
    "bl kernel_main; brk #0; .ltorg"
);

/// Writes to the serial port.
pub fn write(bytes: &[u8]) {
    for &byte in bytes {
        // SAFETY: the port's register for sending, which QEMU never has wait.
        unsafe { ptr::with_exposed_provenance_mut::<u8>(0x0900_0000).write_volatile(byte) };
    }
}

/// Ends the run; the emulator's status is 0 or 1.
pub fn exit(good: bool) -> ! {
    let block: [u64; 2] = [0x2_0026, u64::from(!good)];
    loop {
        // SAFETY: semihosting reads the block and ends the emulator.
        unsafe { asm!("hlt #0xF000", in("x0") 0x18, in("x1") &block, options(nostack)) };
    }
}
