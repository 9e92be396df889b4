//! `x86_64` on QEMU's `microvm`: entered by PVH, long mode with the first gibibyte at its own
//! address, COM1.

use core::arch::{asm, global_asm};

/// The address of the image.
pub const IMAGE: usize = 0x800_0000;

global_asm!(
    ".section .note.pvh, \"a\", @note; .balign 4",
    ".long 4, 8, 18; .asciz \"Xen\"; .quad boot32",
    ".data; .balign 4096",
    "tables: .quad directories + 3; .fill 511, 8, 0",
    "directories: .quad pages + 3; .fill 511, 8, 0",
    "pages: .set number, 0; .rept 512; .quad number << 21 | 0x83; .set number, number + 1; .endr",
    "segments: .quad 0, 0x00AF9B000000FFFF; pointer: .short 15; .long segments",
    ".bss; .balign 16; .space 0x10000; stack_top:",
    ".section .boot, \"ax\", @progbits; .code32; .globl boot32",
    "boot32: cld; movl $tables, %eax; movl %eax, %cr3",
    // Physical address extension, SSE; long mode; paging.
    "movl $0x620, %eax; movl %eax, %cr4",
    "movl $0xC0000080, %ecx; xorl %edx, %edx; movl $0x100, %eax; wrmsr",
    "movl $0x80000013, %eax; movl %eax, %cr0",
    "lgdt pointer; ljmpl $8, $1f; .code64",
    "1: leaq stack_top(%rip), %rsp; xorl %ebp, %ebp; call kernel_main; ud2",
    options(att_syntax)
);

/// Writes to the serial port.
pub fn write(bytes: &[u8]) {
    for &byte in bytes {
        // SAFETY: the port's register for sending, which QEMU never has wait.
        unsafe { asm!("out dx, al", in("dx") 0x3F8_u16, in("al") byte, options(nomem, nostack)) };
    }
}

/// Ends the run; the emulator's status is 33 or 35.
pub fn exit(good: bool) -> ! {
    let code: u32 = if good { 16 } else { 17 };
    loop {
        // SAFETY: the device that ends the emulator.
        unsafe { asm!("out dx, eax", in("dx") 0xF4_u16, in("eax") code, options(nomem, nostack)) };
    }
}
