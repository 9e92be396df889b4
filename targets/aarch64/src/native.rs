//! The gates between Rust and native code on aarch64. Code that is reached through a register
//! begins with BTI (`hint #34` for calls, `hint #36` after `longjmp`), so that the gates can lie on
//! guarded pages.
#![expect(unsafe_code, reason = "the gates are assembly")]

use crate::TARGET;
use crate::abi::ABI;
use core::arch::naked_asm;
use core::mem::offset_of;
use mir_nostd::target::{Assembly, Body, Entry, Guard, Incoming, Machine, Outgoing};
use mir_nostd::unwind_rule;

/// The machine that this is compiled for.
// SAFETY: the gates below follow AAPCS64.
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
        gate_bytes: 20,
        entries: &ENTRIES,
        flush,
    })
};

const GATES: usize = 256;

static ENTRIES: [Entry; GATES] = [const { Entry::new() }; GATES];

/// Cleans the data cache to the point of unification and invalidates the instruction cache, line by
/// line.
///
/// # Safety
///
/// See [`Assembly::flush`].
unsafe fn flush(start: *const u8, length: usize) {
    let lines: usize;
    // SAFETY: reads the sizes of the cache lines.
    unsafe { core::arch::asm!("mrs {}, ctr_el0", out(reg) lines, options(nomem, nostack)) };
    let end = start.wrapping_add(length);
    let data_line = 4 << (lines >> 16 & 0xF);
    let mut line = start.wrapping_sub(start.addr() % data_line);
    while line < end {
        // SAFETY: the caller vouches that the range is mapped.
        unsafe { core::arch::asm!("dc cvau, {}", in(reg) line, options(nostack)) };
        line = line.wrapping_add(data_line);
    }
    // SAFETY: orders the cleaning before the invalidation.
    unsafe { core::arch::asm!("dsb ish", options(nostack)) };
    let code_line = 4 << (lines & 0xF);
    let mut line = start.wrapping_sub(start.addr() % code_line);
    while line < end {
        // SAFETY: as above.
        unsafe { core::arch::asm!("ic ivau, {}", in(reg) line, options(nostack)) };
        line = line.wrapping_add(code_line);
    }
    // SAFETY: waits for both, and refetches instructions.
    unsafe { core::arch::asm!("dsb ish", "isb", options(nostack)) };
}

/// The offset of the integer registers in an [`Outgoing`].
const INTS: usize = offset_of!(Outgoing, image) + ABI.image.ints as usize;
/// The offset of the floating registers in an [`Outgoing`].
const FLOATS: usize = offset_of!(Outgoing, image) + ABI.image.floats as usize;

/// Loads the image, calls the function, and stores the results in the image.
///
/// x19 holds `outgoing`. Stack for arguments is allocated page by page, each touched, so that guard
/// pages work.
///
/// # Safety
///
/// See [`Assembly::call`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn call(outgoing: *mut Outgoing) {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        ".arch_extension fp",
        ".arch_extension simd",
        "stp x29, x30, [sp, #-32]!",
        "mov x29, sp",
        "str x19, [sp, #16]",
        unwind_rule!(".cfi_def_cfa x29, 32"),
        unwind_rule!(".cfi_offset x29, -32"),
        unwind_rule!(".cfi_offset x30, -24"),
        unwind_rule!(".cfi_offset x19, -16"),
        "mov x19, x0",
        "ldr x1, [x0, {stack_bytes}]",
        "cbz x1, 4f",
        "2: cmp x1, #4096",
        "b.ls 3f",
        "sub sp, sp, #4096",
        "str xzr, [sp]",
        "sub x1, x1, #4096",
        "b 2b",
        "3: sub sp, sp, x1",
        "mov x1, sp",
        "ldr x2, [x0, {fill}]",
        "blr x2",
        "4: ldr x9, [x19, {argument_floats}]",
        "cbz x9, 5f",
        "ldp q0, q1, [x19, {floats}]",
        "ldp q2, q3, [x19, {floats} + 32]",
        "ldp q4, q5, [x19, {floats} + 64]",
        "ldp q6, q7, [x19, {floats} + 96]",
        "5: ldp x0, x1, [x19, {ints}]",
        "ldp x2, x3, [x19, {ints} + 16]",
        "ldp x4, x5, [x19, {ints} + 32]",
        "ldp x6, x7, [x19, {ints} + 48]",
        "ldr x8, [x19, {ints} + 64]",
        "ldr x9, [x19, {function}]",
        "blr x9",
        "stp x0, x1, [x19, {ints}]",
        "stp x2, x3, [x19, {ints} + 16]",
        "stp x4, x5, [x19, {ints} + 32]",
        "stp x6, x7, [x19, {ints} + 48]",
        "ldr x9, [x19, {result_floats}]",
        "cbz x9, 6f",
        "stp q0, q1, [x19, {floats}]",
        "stp q2, q3, [x19, {floats} + 32]",
        "stp q4, q5, [x19, {floats} + 64]",
        "stp q6, q7, [x19, {floats} + 96]",
        "6: ldr x9, [x19, {stack_bytes}]",
        "cbz x9, 7f",
        "mov x0, x19",
        "mov x1, sp",
        "ldr x9, [x19, {finish}]",
        "blr x9",
        "7: ldr x19, [x29, #16]",
        "mov sp, x29",
        "ldp x29, x30, [sp], #32",
        "ret",
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
#[repr(C, align(16))]
struct EntryFrame {
    /// x29 and x30.
    link: [usize; 2],
    image: [u8; (ABI.image.floats + 8 * ABI.image.float_stride) as usize],
    incoming: Incoming,
    has_floats: usize,
}

const _: () = assert!(offset_of!(EntryFrame, link) == 0);

/// Catches a call: x16 holds the [`Entry`]. The frame is an [`EntryFrame`].
#[unsafe(naked)]
unsafe extern "C" fn entry() {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "hint #34",
        ".arch_extension fp",
        ".arch_extension simd",
        "stp x29, x30, [sp, -{frame}]!",
        "mov x29, sp",
        unwind_rule!(".cfi_def_cfa x29, {frame}"),
        unwind_rule!(".cfi_offset x29, -{frame}"),
        unwind_rule!(".cfi_offset x30, 8 - {frame}"),
        "stp x0, x1, [sp, {registers}]",
        "stp x2, x3, [sp, {registers} + 16]",
        "stp x4, x5, [sp, {registers} + 32]",
        "stp x6, x7, [sp, {registers} + 48]",
        "str x8, [sp, {registers} + 64]",
        "ldr x9, [x16, {floats}]",
        "str x9, [sp, {has_floats}]",
        "cbz x9, 2f",
        "stp q0, q1, [sp, {vectors}]",
        "stp q2, q3, [sp, {vectors} + 32]",
        "stp q4, q5, [sp, {vectors} + 64]",
        "stp q6, q7, [sp, {vectors} + 96]",
        "2: add x9, sp, {registers}",
        "str x9, [sp, {incoming} + {image}]",
        "add x9, sp, {frame}",
        "str x9, [sp, {incoming} + {stack}]",
        "str xzr, [sp, {incoming} + {result_x87}]",
        "mov x0, x16",
        "add x1, sp, {incoming}",
        "ldr x9, [x16, {handler}]",
        "blr x9",
        "ldp x0, x1, [sp, {registers}]",
        "ldp x2, x3, [sp, {registers} + 16]",
        "ldp x4, x5, [sp, {registers} + 32]",
        "ldp x6, x7, [sp, {registers} + 48]",
        "ldr x9, [sp, {has_floats}]",
        "cbz x9, 3f",
        "ldp q0, q1, [sp, {vectors}]",
        "ldp q2, q3, [sp, {vectors} + 32]",
        "ldp q4, q5, [sp, {vectors} + 64]",
        "ldp q6, q7, [sp, {vectors} + 96]",
        "3: ldp x29, x30, [sp], {frame}",
        "ret",
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
    naked_asm!("brk #1")
}

/// Catches control: x16 holds the [`Entry`]. Saves every register that a call may change, calls the
/// handler without an [`Incoming`], and goes on through the entry.
#[unsafe(naked)]
unsafe extern "C" fn resolver() {
    naked_asm!(
        "hint #34",
        ".arch_extension fp",
        ".arch_extension simd",
        "stp x29, x30, [sp, #-192]!",
        "mov x29, sp",
        "stp x0, x1, [sp, #16]",
        "stp x2, x3, [sp, #32]",
        "stp x4, x5, [sp, #48]",
        "stp x6, x7, [sp, #64]",
        "stp x8, x9, [sp, #80]",
        "stp x10, x11, [sp, #96]",
        "stp x12, x13, [sp, #112]",
        "stp x14, x15, [sp, #128]",
        "stp x16, x17, [sp, #144]",
        "str x18, [sp, #160]",
        "ldr x9, [x16, {floats}]",
        "str x9, [sp, #168]",
        "cbz x9, 2f",
        "sub sp, sp, #384",
        "stp q0, q1, [sp, #0]",
        "stp q2, q3, [sp, #32]",
        "stp q4, q5, [sp, #64]",
        "stp q6, q7, [sp, #96]",
        "stp q16, q17, [sp, #128]",
        "stp q18, q19, [sp, #160]",
        "stp q20, q21, [sp, #192]",
        "stp q22, q23, [sp, #224]",
        "stp q24, q25, [sp, #256]",
        "stp q26, q27, [sp, #288]",
        "stp q28, q29, [sp, #320]",
        "stp q30, q31, [sp, #352]",
        "2: mov x0, x16",
        "mov x1, #0",
        "ldr x9, [x16, {handler}]",
        "blr x9",
        "ldr x9, [x29, #168]",
        "cbz x9, 3f",
        "ldp q0, q1, [sp, #0]",
        "ldp q2, q3, [sp, #32]",
        "ldp q4, q5, [sp, #64]",
        "ldp q6, q7, [sp, #96]",
        "ldp q16, q17, [sp, #128]",
        "ldp q18, q19, [sp, #160]",
        "ldp q20, q21, [sp, #192]",
        "ldp q22, q23, [sp, #224]",
        "ldp q24, q25, [sp, #256]",
        "ldp q26, q27, [sp, #288]",
        "ldp q28, q29, [sp, #320]",
        "ldp q30, q31, [sp, #352]",
        "add sp, sp, #384",
        "3: ldp x0, x1, [sp, #16]",
        "ldp x2, x3, [sp, #32]",
        "ldp x4, x5, [sp, #48]",
        "ldp x6, x7, [sp, #64]",
        "ldp x8, x9, [sp, #80]",
        "ldp x10, x11, [sp, #96]",
        "ldp x12, x13, [sp, #112]",
        "ldp x14, x15, [sp, #128]",
        "ldp x16, x17, [sp, #144]",
        "ldr x18, [sp, #160]",
        "ldp x29, x30, [sp], #192",
        "ldr x17, [x16]",
        "br x17",
        floats = const Entry::FLOATS,
        handler = const Entry::HANDLER,
    )
}

/// The static gates: each loads its entry and jumps through the entry's first word.
#[unsafe(naked)]
unsafe extern "C" fn gates() {
    naked_asm!(
        ".irp high, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        ".irp low, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        "hint #34",
        "adrp x16, {entries} + (\\high * 16 + \\low) * {entry}",
        "add x16, x16, :lo12:{entries} + (\\high * 16 + \\low) * {entry}",
        "ldr x17, [x16]",
        "br x17",
        ".endr",
        ".endr",
        entries = sym ENTRIES,
        entry = const size_of::<Entry>(),
    )
}

/// Calls `body` in a frame that [`set_jump`] can return to: it saves x19 to x30, d8 to d15.
///
/// # Safety
///
/// See [`Assembly::guarded`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn guarded(guard: *mut Guard, body: Body, argument: *mut ()) -> usize {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "stp x29, x30, [sp, #-160]!",
        "mov x29, sp",
        unwind_rule!(".cfi_def_cfa x29, 160"),
        unwind_rule!(".cfi_offset x29, -160"),
        unwind_rule!(".cfi_offset x30, -152"),
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        ".if {hard_floats}",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        ".endif",
        "mov x9, sp",
        "str x9, [x0, {stack}]",
        "str xzr, [x0, {jumped}]",
        "mov x0, x2",
        "blr x1",
        "mov x0, #0",
        "b {leave}",
        unwind_rule!(".cfi_endproc"),
        stack = const Guard::STACK,
        jumped = const offset_of!(Guard, jumped),
        hard_floats = const HARD_FLOATS,
        leave = sym leave,
    )
}

/// 1 if compiled code uses floating registers at all, else 0.
const HARD_FLOATS: usize = !cfg!(target_abi = "softfloat") as usize;

/// Returns from the frame of [`guarded`] that the stack pointer points to.
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        ".if {hard_floats}",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        ".endif",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp x29, x30, [sp], #160",
        "ret",
        hard_floats = const HARD_FLOATS,
    )
}

/// Calls a function of the `setjmp` family with guard and words in registers that `longjmp`
/// restores. When it returns the second time, this frame is gone: only those registers count, and
/// the frame of [`guarded`] is returned from.
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
        "stp x29, x30, [sp, #-48]!",
        "mov x29, sp",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "mov x19, x0",
        "ldp x20, x21, [x4]",
        "ldr x22, [x4, #16]",
        "mov x9, x1",
        "mov x0, x2",
        "mov x1, x3",
        "blr x9",
        "hint #36",
        "cbnz w0, 2f",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x29, x30, [sp], #48",
        "ret",
        "2: ldr x9, [x19, {stack}]",
        "mov sp, x9",
        "sxtw x0, w0",
        "str x0, [x19, {value}]",
        "stp x20, x21, [x19, {words}]",
        "str x22, [x19, {words} + 16]",
        "mov x0, #1",
        "str x0, [x19, {jumped}]",
        "b {leave}",
        stack = const Guard::STACK,
        value = const offset_of!(Guard, value),
        words = const offset_of!(Guard, words),
        jumped = const offset_of!(Guard, jumped),
        leave = sym leave,
    )
}
