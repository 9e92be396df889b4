//! The gates between Rust and native code on ppc64le.
#![expect(unsafe_code, reason = "the gates are assembly")]

use crate::TARGET;
use crate::abi::ABI;
use core::arch::naked_asm;
use core::mem::offset_of;
use mir_nostd::target::{Assembly, Body, Entry, Guard, Incoming, Machine, Outgoing};
use mir_nostd::unwind_rule;

/// The machine that this is compiled for.
// SAFETY: the gates below follow version 2 of the ELF ABI.
pub static NATIVE: Machine = unsafe {
    Machine::new(Assembly {
        target: &TARGET,
        call,
        guarded,
        set_jump,
        halt,
        entry,
        resolver,
        gates,
        gate_bytes: 32,
        entries: &ENTRIES,
        flush,
    })
};

const GATES: usize = 256;

static ENTRIES: [Entry; GATES] = [const { Entry::new() }; GATES];

/// A length that no cache line is shorter than.
const LINE: usize = 32;

/// Stores the data cache lines and invalidates the instruction cache lines.
///
/// # Safety
///
/// See [`Assembly::flush`].
unsafe fn flush(start: *const u8, length: usize) {
    let first = start.wrapping_sub(start.addr() % LINE);
    let end = start.wrapping_add(length);
    let mut line = first;
    while line < end {
        // SAFETY: the caller vouches that the range is mapped.
        unsafe { core::arch::asm!("dcbst 0, {}", in(reg_nonzero) line, options(nostack)) };
        line = line.wrapping_add(LINE);
    }
    // SAFETY: orders the storing before the invalidation.
    unsafe { core::arch::asm!("sync", options(nostack)) };
    let mut line = first;
    while line < end {
        // SAFETY: as above.
        unsafe { core::arch::asm!("icbi 0, {}", in(reg_nonzero) line, options(nostack)) };
        line = line.wrapping_add(LINE);
    }
    // SAFETY: waits for both, and refetches instructions.
    unsafe { core::arch::asm!("sync", "isync", options(nostack)) };
}

/// The offset of the integer registers in an [`Outgoing`].
const INTS: usize = offset_of!(Outgoing, image) + ABI.image.ints as usize;
/// The offset of the floating registers in an [`Outgoing`].
const FLOATS: usize = offset_of!(Outgoing, image) + ABI.image.floats as usize;

/// Loads the image, calls the function, and stores the results in the image.
///
/// r30 holds `outgoing`, r31 the frame. Below it is the parameter area, at least the slots of the
/// registers, allocated page by page with a back chain each, so that guard pages work.
///
/// # Safety
///
/// See [`Assembly::call`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn call(outgoing: *mut Outgoing) {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "mflr 0",
        "std 0, 16(1)",
        "stdu 1, -64(1)",
        "std 31, 56(1)",
        "std 30, 48(1)",
        "mr 31, 1",
        unwind_rule!(".cfi_def_cfa 31, 64"),
        unwind_rule!(".cfi_offset 65, 16"),
        unwind_rule!(".cfi_offset 31, -8"),
        unwind_rule!(".cfi_offset 30, -16"),
        "mr 30, 3",
        "ld 4, {stack_bytes}(30)",
        "2: cmpldi 4, 4096",
        "ble 3f",
        "stdu 1, -4096(1)",
        "addi 4, 4, -4096",
        "b 2b",
        "3: addi 4, 4, 96",
        "neg 4, 4",
        "stdux 1, 1, 4",
        "std 2, 24(1)",
        "ld 4, {stack_bytes}(30)",
        "cmpldi 4, 0",
        "beq 4f",
        "ld 12, {fill}(30)",
        "mtctr 12",
        "addi 4, 1, 32",
        "bctrl",
        "ld 2, 24(1)",
        "4: ld 4, {argument_floats}(30)",
        "cmpldi 4, 0",
        "beq 5f",
        ".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13",
        "lfd \\n, {floats} - 8 + 8 * \\n(30)",
        ".endr",
        "5: ld 12, {function}(30)",
        "mtctr 12",
        ".irp n, 3,4,5,6,7,8,9,10",
        "ld \\n, {ints} - 24 + 8 * \\n(30)",
        ".endr",
        "bctrl",
        "ld 2, 24(1)",
        ".irp n, 3,4,5,6,7,8,9,10",
        "std \\n, {ints} - 24 + 8 * \\n(30)",
        ".endr",
        "ld 4, {result_floats}(30)",
        "cmpldi 4, 0",
        "beq 6f",
        ".irp n, 1,2,3,4,5,6,7,8",
        "stfd \\n, {floats} - 8 + 8 * \\n(30)",
        ".endr",
        "6: ld 4, {stack_bytes}(30)",
        "cmpldi 4, 0",
        "beq 7f",
        "ld 12, {finish}(30)",
        "mtctr 12",
        "mr 3, 30",
        "addi 4, 1, 32",
        "bctrl",
        "ld 2, 24(1)",
        "7: mr 1, 31",
        "ld 30, 48(1)",
        "ld 31, 56(1)",
        "addi 1, 1, 64",
        "ld 0, 16(1)",
        "mtlr 0",
        "blr",
        unwind_rule!(".cfi_endproc"),
        stack_bytes = const offset_of!(Outgoing, stack_bytes),
        fill = const offset_of!(Outgoing, fill),
        finish = const offset_of!(Outgoing, finish),
        function = const offset_of!(Outgoing, function),
        argument_floats = const offset_of!(Outgoing, argument_floats),
        result_floats = const offset_of!(Outgoing, result_floats),
        ints = const INTS,
        floats = const FLOATS,
    )
}

/// The frame of [`entry`], from the stack pointer on.
#[repr(C)]
struct EntryFrame {
    /// The area that the ABI puts below the parameters: back chain, condition, link and TOC
    /// pointer.
    header: [usize; 4],
    /// 8 integer and 13 floating registers, and a word to align the rest.
    image: [usize; 22],
    incoming: Incoming,
    has_floats: usize,
    padding: [usize; 2],
}

const _: () = assert!(size_of::<EntryFrame>() % 16 == 0 && offset_of!(EntryFrame, header) == 0);
const _: () = assert!(offset_of!(EntryFrame, padding) == size_of::<EntryFrame>() - 16);

/// Catches a call: r11 holds the [`Entry`]. The frame is an [`EntryFrame`]. The parameter area
/// starts 32 bytes above the caller's stack pointer.
#[unsafe(naked)]
unsafe extern "C" fn entry() {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "mflr 0",
        "std 0, 16(1)",
        "stdu 1, -{frame}(1)",
        unwind_rule!(".cfi_def_cfa_offset {frame}"),
        unwind_rule!(".cfi_offset 65, 16"),
        "std 2, 24(1)",
        ".irp n, 3,4,5,6,7,8,9,10",
        "std \\n, {registers} - 24 + 8 * \\n(1)",
        ".endr",
        "ld 4, {floats}(11)",
        "std 4, {has_floats}(1)",
        "cmpldi 4, 0",
        "beq 2f",
        ".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13",
        "stfd \\n, {vectors} - 8 + 8 * \\n(1)",
        ".endr",
        "2: addi 5, 1, {registers}",
        "std 5, {incoming} + {image}(1)",
        "addi 5, 1, {frame} + 32",
        "std 5, {incoming} + {stack}(1)",
        "li 5, 0",
        "std 5, {incoming} + {result_x87}(1)",
        "ld 12, {handler}(11)",
        "mtctr 12",
        "mr 3, 11",
        "addi 4, 1, {incoming}",
        "bctrl",
        "ld 2, 24(1)",
        "ld 4, {has_floats}(1)",
        "cmpldi 4, 0",
        "beq 3f",
        ".irp n, 1,2,3,4,5,6,7,8",
        "lfd \\n, {vectors} - 8 + 8 * \\n(1)",
        ".endr",
        "3:",
        ".irp n, 3,4,5,6,7,8,9,10",
        "ld \\n, {registers} - 24 + 8 * \\n(1)",
        ".endr",
        "addi 1, 1, {frame}",
        "ld 0, 16(1)",
        "mtlr 0",
        "blr",
        unwind_rule!(".cfi_endproc"),
        floats = const Entry::FLOATS,
        handler = const Entry::HANDLER,
        image = const offset_of!(Incoming, image),
        stack = const offset_of!(Incoming, stack),
        result_x87 = const offset_of!(Incoming, result_x87),
        frame = const size_of::<EntryFrame>(),
        registers = const offset_of!(EntryFrame, image),
        vectors = const offset_of!(EntryFrame, image) + ABI.image.floats as usize,
        incoming = const offset_of!(EntryFrame, incoming),
        has_floats = const offset_of!(EntryFrame, has_floats),
    )
}

/// Traps, and never continues.
#[unsafe(naked)]
unsafe extern "C" fn halt() -> ! {
    naked_asm!("trap")
}

/// Catches control: r11 holds the [`Entry`]. Saves every register that a call may change, calls the
/// handler without an [`Incoming`], and goes on through the entry.
#[unsafe(naked)]
unsafe extern "C" fn resolver() {
    naked_asm!(
        "mflr 0",
        "std 0, 16(1)",
        "stdu 1, -288(1)",
        "std 2, 24(1)",
        ".irp n, 3,4,5,6,7,8,9,10,11,12",
        "std \\n, 8 + 8 * \\n(1)",
        ".endr",
        "ld 0, {floats}(11)",
        "std 0, 112(1)",
        "cmpldi 0, 0",
        "beq 2f",
        ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13",
        "stfd \\n, 120 + 8 * \\n(1)",
        ".endr",
        "2: ld 12, {handler}(11)",
        "mtctr 12",
        "mr 3, 11",
        "li 4, 0",
        "bctrl",
        "ld 2, 24(1)",
        "ld 0, 112(1)",
        "cmpldi 0, 0",
        "beq 3f",
        ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13",
        "lfd \\n, 120 + 8 * \\n(1)",
        ".endr",
        "3:",
        ".irp n, 3,4,5,6,7,8,9,10,11",
        "ld \\n, 8 + 8 * \\n(1)",
        ".endr",
        "addi 1, 1, 288",
        "ld 0, 16(1)",
        "mtlr 0",
        "ld 12, 0(11)",
        "mtctr 12",
        "bctr",
        floats = const Entry::FLOATS,
        handler = const Entry::HANDLER,
    )
}

/// The static gates: each finds its entry relative to r12, which holds the gate's own address, as
/// for any function that is called by address, and jumps through the entry's first word.
#[unsafe(naked)]
unsafe extern "C" fn gates() {
    naked_asm!(
        ".irp high, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        ".irp low, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        "2: addis 11, 12, ({entries} + (\\high * 16 + \\low) * {entry} - 2b)@ha",
        "addi 11, 11, ({entries} + (\\high * 16 + \\low) * {entry} - 2b)@l",
        "ld 12, 0(11)",
        "mtctr 12",
        "bctr",
        "nop",
        "nop",
        "nop",
        ".endr",
        ".endr",
        entries = sym ENTRIES,
        entry = const size_of::<Entry>(),
    )
}

/// Calls `body` in a frame that [`set_jump`] can return to. It saves r14 to r31 (from 32), f14 to
/// f31 (from 176), v20 to v31 (from 320), and condition and link register in the caller's header.
///
/// # Safety
///
/// See [`Assembly::guarded`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn guarded(guard: *mut Guard, body: Body, argument: *mut ()) -> usize {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "mflr 0",
        "std 0, 16(1)",
        "mfcr 0",
        "stw 0, 8(1)",
        "stdu 1, -512(1)",
        unwind_rule!(".cfi_def_cfa_offset 512"),
        unwind_rule!(".cfi_offset 65, 16"),
        "std 2, 24(1)",
        ".irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        "std \\n, 8 * \\n - 80(1)",
        "stfd \\n, 64 + 8 * \\n(1)",
        ".endr",
        ".irp n, 20,21,22,23,24,25,26,27,28,29,30,31",
        "li 6, 16 * \\n",
        "stvx \\n, 1, 6",
        ".endr",
        "std 1, {stack}(3)",
        "li 0, 0",
        "std 0, {jumped}(3)",
        "mr 12, 4",
        "mtctr 12",
        "mr 3, 5",
        "bctrl",
        "li 3, 0",
        "b {leave}",
        unwind_rule!(".cfi_endproc"),
        stack = const Guard::STACK,
        jumped = const offset_of!(Guard, jumped),
        leave = sym leave,
    )
}

/// Returns from the frame of [`guarded`] that the stack pointer points to.
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        "ld 2, 24(1)",
        ".irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        "ld \\n, 8 * \\n - 80(1)",
        "lfd \\n, 64 + 8 * \\n(1)",
        ".endr",
        ".irp n, 20,21,22,23,24,25,26,27,28,29,30,31",
        "li 6, 16 * \\n",
        "lvx \\n, 1, 6",
        ".endr",
        "addi 1, 1, 512",
        "lwz 0, 8(1)",
        "mtcrf 255, 0",
        "ld 0, 16(1)",
        "mtlr 0",
        "blr",
    )
}

/// Calls a function of the `setjmp` family with guard and words in registers that `longjmp`
/// restores. When the function returns the second time, this frame is gone: only those registers
/// are valid, and control returns from the frame of [`guarded`].
///
/// # Safety
///
/// See [`Assembly::set_jump`].
#[unsafe(naked)]
unsafe extern "C" fn set_jump(
    guard: *mut Guard,
    function: usize,
    first: usize,
    second: usize,
    words: *const usize,
) -> i32 {
    naked_asm!(
        "mflr 0",
        "std 0, 16(1)",
        "stdu 1, -80(1)",
        "std 2, 24(1)",
        "std 28, 48(1)",
        "std 29, 56(1)",
        "std 30, 64(1)",
        "std 31, 72(1)",
        "mr 31, 3",
        "ld 28, 0(7)",
        "ld 29, 8(7)",
        "ld 30, 16(7)",
        "mr 12, 4",
        "mtctr 12",
        "mr 3, 5",
        "mr 4, 6",
        "bctrl",
        "extsw 3, 3",
        "cmpdi 3, 0",
        "bne 2f",
        "ld 2, 24(1)",
        "ld 28, 48(1)",
        "ld 29, 56(1)",
        "ld 30, 64(1)",
        "ld 31, 72(1)",
        "addi 1, 1, 80",
        "ld 0, 16(1)",
        "mtlr 0",
        "blr",
        "2: ld 1, {stack}(31)",
        "std 3, {value}(31)",
        "std 28, {words}(31)",
        "std 29, {words} + 8(31)",
        "std 30, {words} + 16(31)",
        "li 3, 1",
        "std 3, {jumped}(31)",
        "b {leave}",
        stack = const Guard::STACK,
        value = const offset_of!(Guard, value),
        words = const offset_of!(Guard, words),
        jumped = const offset_of!(Guard, jumped),
        leave = sym leave,
    )
}
