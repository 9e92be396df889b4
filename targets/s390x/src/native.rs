//! The gates between Rust and native code on s390x.
#![expect(unsafe_code, reason = "the gates are assembly")]

use crate::TARGET;
use crate::abi::ABI;
use core::arch::naked_asm;
use core::mem::offset_of;
use mir_nostd::target::{Assembly, Body, Entry, Guard, Incoming, Machine, Outgoing};
use mir_nostd::unwind_rule;

/// The machine that this is compiled for.
// SAFETY: the gates below follow the ELF ABI of Linux.
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
        gate_bytes: 24,
        entries: &ENTRIES,
        flush,
    })
};

const GATES: usize = 256;

static ENTRIES: [Entry; GATES] = [const { Entry::new() }; GATES];

/// Serialises: later instruction fetches see earlier stores.
///
/// # Safety
///
/// See [`Assembly::flush`].
unsafe fn flush(_: *const u8, _: usize) {
    // SAFETY: changes no state that the program can see.
    unsafe { core::arch::asm!("bcr 15, %r0", options(nostack)) };
}

/// The offset of the integer registers in an [`Outgoing`].
const INTS: usize = offset_of!(Outgoing, image) + ABI.image.ints as usize;
/// The offset of the floating registers in an [`Outgoing`].
const FLOATS: usize = offset_of!(Outgoing, image) + ABI.image.floats as usize;

/// Loads the image, calls the function, and stores the results in the image.
///
/// r10 holds `outgoing`, r11 the frame. The stack arguments lie above the register save area of the
/// callee; they are allocated page by page, each touched, so that guard pages work.
///
/// # Safety
///
/// See [`Assembly::call`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn call(outgoing: *mut Outgoing) {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "stmg %r6, %r15, 48(%r15)",
        "lgr %r1, %r15",
        "aghi %r15, -160",
        "stg %r1, 0(%r15)",
        "lgr %r11, %r15",
        unwind_rule!(".cfi_def_cfa %r11, 320"),
        unwind_rule!(".cfi_offset %r10, -80"),
        unwind_rule!(".cfi_offset %r11, -72"),
        unwind_rule!(".cfi_offset %r14, -48"),
        unwind_rule!(".cfi_offset %r15, -40"),
        "lgr %r10, %r2",
        "lg %r3, {stack_bytes}(%r10)",
        "ltgr %r3, %r3",
        "jz 4f",
        "2: clgfi %r3, 4096",
        "jle 3f",
        "aghi %r15, -4096",
        "stg %r11, 0(%r15)",
        "aghi %r3, -4096",
        "j 2b",
        "3: sgr %r15, %r3",
        "stg %r11, 0(%r15)",
        "la %r3, 160(%r15)",
        "lg %r1, {fill}(%r10)",
        "basr %r14, %r1",
        "4: lg %r1, {argument_floats}(%r10)",
        "ltgr %r1, %r1",
        "jz 5f",
        "ld %f0, {floats}(%r10)",
        "ld %f2, {floats} + 8(%r10)",
        "ld %f4, {floats} + 16(%r10)",
        "ld %f6, {floats} + 24(%r10)",
        "5: lg %r1, {function}(%r10)",
        "lmg %r2, %r6, {ints}(%r10)",
        "basr %r14, %r1",
        "stmg %r2, %r5, {ints}(%r10)",
        "lg %r1, {result_floats}(%r10)",
        "ltgr %r1, %r1",
        "jz 6f",
        "std %f0, {floats}(%r10)",
        "std %f2, {floats} + 8(%r10)",
        "std %f4, {floats} + 16(%r10)",
        "std %f6, {floats} + 24(%r10)",
        "6: lg %r1, {stack_bytes}(%r10)",
        "ltgr %r1, %r1",
        "jz 7f",
        "lgr %r2, %r10",
        "la %r3, 160(%r15)",
        "lg %r1, {finish}(%r10)",
        "basr %r14, %r1",
        "7: lmg %r6, %r15, 208(%r11)",
        "br %r14",
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
    /// The area in which callees save registers.
    callees: [usize; 20],
    incoming: Incoming,
    has_floats: usize,
}

const _: () = assert!(offset_of!(EntryFrame, callees) == 0);

/// Catches a call: r0 holds the [`Entry`]. The image is the register save area that the caller
/// provides, results included; the frame is an [`EntryFrame`].
#[unsafe(naked)]
unsafe extern "C" fn entry() {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "stmg %r2, %r15, {registers}(%r15)",
        "lgr %r1, %r15",
        "aghi %r15, -{frame}",
        unwind_rule!(".cfi_def_cfa_offset 160 + {frame}"),
        unwind_rule!(".cfi_offset %r14, -48"),
        unwind_rule!(".cfi_offset %r15, -40"),
        "stg %r1, 0(%r15)",
        "lgr %r2, %r0",
        "lg %r4, {floats}(%r2)",
        "stg %r4, {has_floats}(%r15)",
        "ltgr %r4, %r4",
        "jz 2f",
        "std %f0, {vectors}(%r1)",
        "std %f2, {vectors} + 8(%r1)",
        "std %f4, {vectors} + 16(%r1)",
        "std %f6, {vectors} + 24(%r1)",
        "2: stg %r1, {incoming} + {image}(%r15)",
        "la %r4, 160(%r1)",
        "stg %r4, {incoming} + {stack}(%r15)",
        "lghi %r4, 0",
        "stg %r4, {incoming} + {result_x87}(%r15)",
        "la %r3, {incoming}(%r15)",
        "lg %r1, {handler}(%r2)",
        "basr %r14, %r1",
        "lg %r4, {has_floats}(%r15)",
        "ltgr %r4, %r4",
        "jz 3f",
        "ld %f0, {frame} + {vectors}(%r15)",
        "ld %f2, {frame} + {vectors} + 8(%r15)",
        "ld %f4, {frame} + {vectors} + 16(%r15)",
        "ld %f6, {frame} + {vectors} + 24(%r15)",
        "3: lmg %r2, %r15, {frame} + {registers}(%r15)",
        "br %r14",
        unwind_rule!(".cfi_endproc"),
        floats = const Entry::FLOATS,
        handler = const Entry::HANDLER,
        image = const offset_of!(Incoming, image),
        stack = const offset_of!(Incoming, stack),
        result_x87 = const offset_of!(Incoming, result_x87),
        frame = const size_of::<EntryFrame>(),
        registers = const ABI.image.ints,
        vectors = const ABI.image.floats,
        incoming = const offset_of!(EntryFrame, incoming),
        has_floats = const offset_of!(EntryFrame, has_floats),
    )
}

/// Traps, and never continues.
#[unsafe(naked)]
unsafe extern "C" fn halt() -> ! {
    naked_asm!(".short 0")
}

/// Catches control: r0 holds the [`Entry`]. Saves every register that a call may change, calls the
/// handler without an [`Incoming`], and goes on through the entry.
#[unsafe(naked)]
unsafe extern "C" fn resolver() {
    naked_asm!(
        "lgr %r1, %r15",
        "aghi %r15, -280",
        "stg %r1, 0(%r15)",
        "stmg %r2, %r5, 160(%r15)",
        "stg %r14, 192(%r15)",
        "stg %r0, 200(%r15)",
        "lgr %r2, %r0",
        "lg %r4, {floats}(%r2)",
        "stg %r4, 208(%r15)",
        "ltgr %r4, %r4",
        "jz 2f",
        "std %f0, 216(%r15)",
        "std %f1, 224(%r15)",
        "std %f2, 232(%r15)",
        "std %f3, 240(%r15)",
        "std %f4, 248(%r15)",
        "std %f5, 256(%r15)",
        "std %f6, 264(%r15)",
        "std %f7, 272(%r15)",
        "2: lghi %r3, 0",
        "lg %r1, {handler}(%r2)",
        "basr %r14, %r1",
        "lg %r4, 208(%r15)",
        "ltgr %r4, %r4",
        "jz 3f",
        "ld %f0, 216(%r15)",
        "ld %f1, 224(%r15)",
        "ld %f2, 232(%r15)",
        "ld %f3, 240(%r15)",
        "ld %f4, 248(%r15)",
        "ld %f5, 256(%r15)",
        "ld %f6, 264(%r15)",
        "ld %f7, 272(%r15)",
        "3: lg %r14, 192(%r15)",
        "lg %r0, 200(%r15)",
        "lmg %r2, %r5, 160(%r15)",
        "la %r15, 280(%r15)",
        "lgr %r1, %r0",
        "lg %r1, 0(%r1)",
        "br %r1",
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
        "larl %r1, {entries} + (\\high * 16 + \\low) * {entry}",
        "lgr %r0, %r1",
        "lg %r1, 0(%r1)",
        "br %r1",
        "bcr 0, %r7",
        "bcr 0, %r7",
        "bcr 0, %r7",
        ".endr",
        ".endr",
        entries = sym ENTRIES,
        entry = const size_of::<Entry>(),
    )
}

/// 1 if compiled code uses floating registers at all, else 0.
const HARD_FLOATS: usize = !cfg!(target_abi = "softfloat") as usize;

/// Calls `body` in a frame that [`set_jump`] can return to: it saves f8 to f15 above the save area
/// for callees, and r6 to r15 in the caller's area.
///
/// # Safety
///
/// See [`Assembly::guarded`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn guarded(guard: *mut Guard, body: Body, argument: *mut ()) -> usize {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "stmg %r6, %r15, 48(%r15)",
        "lgr %r1, %r15",
        "aghi %r15, -224",
        unwind_rule!(".cfi_def_cfa_offset 384"),
        unwind_rule!(".cfi_offset %r14, -48"),
        unwind_rule!(".cfi_offset %r15, -40"),
        "stg %r1, 0(%r15)",
        ".if {hard_floats}",
        "std %f8, 160(%r15)",
        "std %f9, 168(%r15)",
        "std %f10, 176(%r15)",
        "std %f11, 184(%r15)",
        "std %f12, 192(%r15)",
        "std %f13, 200(%r15)",
        "std %f14, 208(%r15)",
        "std %f15, 216(%r15)",
        ".endif",
        "stg %r15, {stack}(%r2)",
        "lghi %r1, 0",
        "stg %r1, {jumped}(%r2)",
        "lgr %r2, %r4",
        "basr %r14, %r3",
        "lghi %r2, 0",
        "jg {leave}",
        unwind_rule!(".cfi_endproc"),
        stack = const Guard::STACK,
        jumped = const offset_of!(Guard, jumped),
        hard_floats = const HARD_FLOATS,
        leave = sym leave,
    )
}

/// Returns from the frame of [`guarded`] that the stack pointer points to.
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        ".if {hard_floats}",
        "ld %f8, 160(%r15)",
        "ld %f9, 168(%r15)",
        "ld %f10, 176(%r15)",
        "ld %f11, 184(%r15)",
        "ld %f12, 192(%r15)",
        "ld %f13, 200(%r15)",
        "ld %f14, 208(%r15)",
        "ld %f15, 216(%r15)",
        ".endif",
        "lmg %r6, %r15, 224 + 48(%r15)",
        "br %r14",
        hard_floats = const HARD_FLOATS,
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
        "stmg %r6, %r15, 48(%r15)",
        "lgr %r1, %r15",
        "aghi %r15, -160",
        "stg %r1, 0(%r15)",
        "lgr %r7, %r2",
        "lg %r8, 0(%r6)",
        "lg %r9, 8(%r6)",
        "lg %r10, 16(%r6)",
        "lgr %r1, %r3",
        "lgr %r2, %r4",
        "lgr %r3, %r5",
        "basr %r14, %r1",
        "lgfr %r2, %r2",
        "ltgr %r2, %r2",
        "jnz 2f",
        "lmg %r6, %r15, 208(%r15)",
        "br %r14",
        "2: lg %r15, {stack}(%r7)",
        "stg %r2, {value}(%r7)",
        "stg %r8, {words}(%r7)",
        "stg %r9, {words} + 8(%r7)",
        "stg %r10, {words} + 16(%r7)",
        "lghi %r2, 1",
        "stg %r2, {jumped}(%r7)",
        "jg {leave}",
        stack = const Guard::STACK,
        value = const offset_of!(Guard, value),
        words = const offset_of!(Guard, words),
        jumped = const offset_of!(Guard, jumped),
        leave = sym leave,
    )
}
