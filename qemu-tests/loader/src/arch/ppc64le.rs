//! `ppc64le` on QEMU's `pseries`: a guest of the emulated hypervisor, in real mode.

use core::arch::{asm, global_asm};

/// The address of the image.
pub const IMAGE: usize = 0x800_0000;

global_asm!(
    ".bss; .balign 16; .space 0x10000; stack_top:",
    ".section .boot, \"ax\", @progbits; .globl boot; boot:",
    // In our byte order this is a trap never taken and a branch; in the other one a branch to the
    // words after that, which change the order.
    "tdi 0, 0, 0x48; b . + 36",
    ".byte 0x7d,0x60,0x00,0xa6, 0x69,0x6b,0x00,0x01, 0x42,0x9f,0x00,0x05, 0x7d,0x48,0x02,0xa6",
    ".byte 0x39,0x4a,0x00,0x14, 0x7d,0x5a,0x03,0xa6, 0x7d,0x7b,0x03,0xa6, 0x4c,0x00,0x00,0x24",
    // 64-bit mode, floating point and vectors.
    "li 3, 1; sldi 3, 3, 63; mfmsr 4; or 3, 3, 4; oris 3, 3, 0x280; ori 3, 3, 0x2000",
    "mtmsrd 3; isync; lis 2, .TOC.@ha; addi 2, 2, .TOC.@l",
    "lis 1, (stack_top - 112)@ha; addi 1, 1, (stack_top - 112)@l; li 0, 0; std 0, 0(1)",
    "bl kernel_main; nop; trap"
);

/// Calls the hypervisor.
///
/// # Safety
///
/// The call's accesses to memory are sound.
unsafe fn hypercall(number: u64, [a, b, c, d]: [u64; 4]) -> i64 {
    let result: i64;
    // SAFETY: by the caller's word; the call keeps to the registers named.
    unsafe {
        asm!(
            ".long 0x44000022",
            inout("r3") number => result,
            inout("r4") a => _,
            inout("r5") b => _,
            inout("r6") c => _,
            inout("r7") d => _,
            out("r0") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _,
            out("ctr") _, out("xer") _, out("cr0") _, out("cr1") _,
            out("cr5") _, out("cr6") _, out("cr7") _,
            options(nostack)
        );
    }
    result
}

/// Writes to the console.
pub fn write(bytes: &[u8]) {
    for &byte in bytes {
        let arguments = [0, 1, u64::from(byte) << 56, 0];
        // SAFETY: puts a character to the terminal; 1 means that it is busy.
        while unsafe { hypercall(0x58, arguments) } == 1 {}
    }
}

/// Ends the run; the emulator's status is 0 or 1.
pub fn exit(good: bool) -> ! {
    static MESSAGE: &[u8; 7] = b"failed\0";
    // Services of the firmware: to turn the machine off, or to end it with a message.
    let block: [u32; 6] = match good {
        true => [0x2003, 2, 1, u32::MAX, u32::MAX, 0],
        false => [
            0x201F,
            1,
            1,
            MESSAGE.as_ptr().expose_provenance() as u32,
            0,
            0,
        ],
    };
    let block = block.map(u32::to_be);
    loop {
        // SAFETY: the firmware reads the block and ends the emulator.
        unsafe {
            hypercall(
                0xF000,
                [(&raw const block).expose_provenance() as u64, 0, 0, 0],
            )
        };
    }
}
