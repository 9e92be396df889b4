//! `s390x` on QEMU's `s390-ccw-virtio`: address translation off, the service-call console.

use core::arch::{asm, global_asm};
use core::cell::UnsafeCell;

/// The address of the image.
pub const IMAGE: usize = 0x800_0000;

global_asm!(
    ".bss; .balign 16; .space 0x10000; stack_top:",
    ".section .boot, \"ax\", @progbits; .globl boot",
    // Floating point; a frame of 160 bytes for who is called.
    "boot: stctg %c0, %c0, 512; lg %r2, 512; oilh %r2, 4; stg %r2, 512; lctlg %c0, %c0, 512",
    "larl %r15, stack_top; aghi %r15, -160; lghi %r2, 0; stg %r2, 0(%r15)",
    "brasl %r14, kernel_main; j ."
);

/// A control block of the console, which writes a byte.
#[repr(C, align(4096))]
struct Block {
    length: u16,
    function: u8,
    control: [u8; 3],
    response: u16,
    event_length: u16,
    event_type: u8,
    event_rest: [u8; 3],
    text: u8,
}

/// The console's block, for the one processor that runs.
struct Console(UnsafeCell<Block>);

// SAFETY: the other processors are stopped.
unsafe impl Sync for Console {}

static CONSOLE: Console = Console(UnsafeCell::new(Block {
    length: 15,
    function: 0,
    control: [0; 3],
    response: 0,
    event_length: 7,
    event_type: 0x1A,
    event_rest: [0; 3],
    text: 0,
}));

/// Writes to the console.
pub fn write(bytes: &[u8]) {
    let block = CONSOLE.0.get();
    for &byte in bytes {
        let mut busy = 1_u32;
        // SAFETY: nobody else uses the block; the service call reads it and writes its response.
        unsafe {
            (&raw mut (*block).response).write_volatile(0);
            (&raw mut (*block).text).write_volatile(byte);
            while busy != 0 {
                asm!(
                    ".insn rre, 0xB2200000, {}, {}",
                    "ipm {}",
                    in(reg) 0x0076_0005_u64,
                    in(reg) block.expose_provenance(),
                    out(reg) busy,
                    options(nostack)
                );
                busy = busy >> 28 & 3;
            }
        }
    }
}

/// Ends the run; the emulator's status is 0 or 1.
pub fn exit(good: bool) -> ! {
    let status = [0x0002_0001_8000_0000_u64, if good { 0xFFF } else { 0xBAD }];
    // SAFETY: waits with interrupts off, which ends the emulator.
    unsafe { asm!("lpswe 0({})", in(reg_addr) &status, options(nostack, noreturn)) }
}
