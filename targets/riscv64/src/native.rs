//! The gates between Rust and native code on riscv64.
#![expect(unsafe_code, reason = "the gates are assembly")]

use crate::TARGET;
use crate::abi::ABI;
use core::arch::naked_asm;
use core::mem::offset_of;
use mir_nostd::target::{Assembly, Body, Entry, Guard, Incoming, Machine, Outgoing};
use mir_nostd::unwind_rule;

/// The machine that this is compiled for.
// SAFETY: the gates below follow the LP64D ABI.
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
        gate_bytes: 16,
        entries: &ENTRIES,
        flush,
    })
};

/// Enables the extension D: link-time optimisation assembles the gates without the target's
/// features.
macro_rules! floats {
    () => {
        ".option arch, +d"
    };
}

const GATES: usize = 256;

static ENTRIES: [Entry; GATES] = [const { Entry::new() }; GATES];

/// Orders instruction fetch of this hart after its stores.
///
/// # Safety
///
/// See [`Assembly::flush`].
unsafe fn flush(_: *const u8, _: usize) {
    // SAFETY: changes no state that the program can see.
    unsafe { core::arch::asm!("fence.i", options(nostack)) };
}

/// The offset of the integer registers in an [`Outgoing`].
const INTS: usize = offset_of!(Outgoing, image) + ABI.image.ints as usize;
/// The offset of the floating registers in an [`Outgoing`].
const FLOATS: usize = offset_of!(Outgoing, image) + ABI.image.floats as usize;

/// Loads the image, calls the function, and stores the results in the image.
///
/// s1 holds `outgoing`. Stack for arguments is allocated page by page, each touched, so that guard
/// pages work.
///
/// # Safety
///
/// See [`Assembly::call`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn call(outgoing: *mut Outgoing) {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        floats!(),
        "addi sp, sp, -32",
        "sd ra, 24(sp)",
        "sd s0, 16(sp)",
        "sd s1, 8(sp)",
        "addi s0, sp, 32",
        unwind_rule!(".cfi_def_cfa s0, 0"),
        unwind_rule!(".cfi_offset ra, -8"),
        unwind_rule!(".cfi_offset s0, -16"),
        unwind_rule!(".cfi_offset s1, -24"),
        "mv s1, a0",
        "ld t0, {stack_bytes}(s1)",
        "beqz t0, 4f",
        "lui t1, 1",
        "2: bleu t0, t1, 3f",
        "sub sp, sp, t1",
        "sd zero, 0(sp)",
        "sub t0, t0, t1",
        "j 2b",
        "3: sub sp, sp, t0",
        "mv a1, sp",
        "ld t0, {fill}(s1)",
        "jalr t0",
        "4: ld t0, {argument_floats}(s1)",
        "beqz t0, 5f",
        "fld fa0, {floats}(s1)",
        "fld fa1, {floats} + 8(s1)",
        "fld fa2, {floats} + 16(s1)",
        "fld fa3, {floats} + 24(s1)",
        "fld fa4, {floats} + 32(s1)",
        "fld fa5, {floats} + 40(s1)",
        "fld fa6, {floats} + 48(s1)",
        "fld fa7, {floats} + 56(s1)",
        "5: ld a0, {ints}(s1)",
        "ld a1, {ints} + 8(s1)",
        "ld a2, {ints} + 16(s1)",
        "ld a3, {ints} + 24(s1)",
        "ld a4, {ints} + 32(s1)",
        "ld a5, {ints} + 40(s1)",
        "ld a6, {ints} + 48(s1)",
        "ld a7, {ints} + 56(s1)",
        "ld t0, {function}(s1)",
        "jalr t0",
        "sd a0, {ints}(s1)",
        "sd a1, {ints} + 8(s1)",
        "ld t0, {result_floats}(s1)",
        "beqz t0, 6f",
        "fsd fa0, {floats}(s1)",
        "fsd fa1, {floats} + 8(s1)",
        "6: ld t0, {stack_bytes}(s1)",
        "beqz t0, 7f",
        "mv a0, s1",
        "mv a1, sp",
        "ld t0, {finish}(s1)",
        "jalr t0",
        "7: addi sp, s0, -32",
        "ld ra, 24(sp)",
        "ld s0, 16(sp)",
        "ld s1, 8(sp)",
        "addi sp, sp, 32",
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

/// The frame of [`entry`], from the stack pointer on: the image ends where the stack arguments
/// start.
#[repr(C)]
struct EntryFrame {
    incoming: Incoming,
    padding: usize,
    has_floats: usize,
    /// The return address.
    link: usize,
    image: [u8; (ABI.image.ints + 8 * 8) as usize],
}

const _: () = assert!(size_of::<EntryFrame>() % 16 == 0 && offset_of!(EntryFrame, incoming) == 0);
const _: () = assert!(offset_of!(EntryFrame, padding) == size_of::<Incoming>());

/// Catches a call: t1 holds the [`Entry`]. The frame is an [`EntryFrame`].
#[unsafe(naked)]
unsafe extern "C" fn entry() {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        floats!(),
        "addi sp, sp, -{frame}",
        "sd a0, {registers}(sp)",
        "sd a1, {registers} + 8(sp)",
        "sd a2, {registers} + 16(sp)",
        "sd a3, {registers} + 24(sp)",
        "sd a4, {registers} + 32(sp)",
        "sd a5, {registers} + 40(sp)",
        "sd a6, {registers} + 48(sp)",
        "sd a7, {registers} + 56(sp)",
        "sd ra, {link}(sp)",
        unwind_rule!(".cfi_def_cfa_offset {frame}"),
        unwind_rule!(".cfi_offset ra, {link} - {frame}"),
        "ld t0, {floats}(t1)",
        "sd t0, {has_floats}(sp)",
        "beqz t0, 2f",
        "fsd fa0, {vectors}(sp)",
        "fsd fa1, {vectors} + 8(sp)",
        "fsd fa2, {vectors} + 16(sp)",
        "fsd fa3, {vectors} + 24(sp)",
        "fsd fa4, {vectors} + 32(sp)",
        "fsd fa5, {vectors} + 40(sp)",
        "fsd fa6, {vectors} + 48(sp)",
        "fsd fa7, {vectors} + 56(sp)",
        "2: addi t0, sp, {image_at}",
        "sd t0, {image}(sp)",
        "addi t0, sp, {frame}",
        "sd t0, {stack}(sp)",
        "sd zero, {result_x87}(sp)",
        "mv a0, t1",
        "mv a1, sp",
        "ld t0, {handler}(t1)",
        "jalr t0",
        "ld a0, {registers}(sp)",
        "ld a1, {registers} + 8(sp)",
        "ld t0, {has_floats}(sp)",
        "beqz t0, 3f",
        "fld fa0, {vectors}(sp)",
        "fld fa1, {vectors} + 8(sp)",
        "3: ld ra, {link}(sp)",
        "addi sp, sp, {frame}",
        "ret",
        unwind_rule!(".cfi_endproc"),
        floats = const Entry::FLOATS,
        handler = const Entry::HANDLER,
        image = const offset_of!(Incoming, image),
        stack = const offset_of!(Incoming, stack),
        result_x87 = const offset_of!(Incoming, result_x87),
        frame = const size_of::<EntryFrame>(),
        image_at = const offset_of!(EntryFrame, image),
        registers = const offset_of!(EntryFrame, image) + ABI.image.ints as usize,
        vectors = const offset_of!(EntryFrame, image) + ABI.image.floats as usize,
        has_floats = const offset_of!(EntryFrame, has_floats),
        link = const offset_of!(EntryFrame, link),
    )
}

/// Traps, and never continues.
#[unsafe(naked)]
unsafe extern "C" fn halt() -> ! {
    naked_asm!("ebreak")
}

/// Catches control: t1 holds the [`Entry`]. Saves every register that a call may change, calls the
/// handler without an [`Incoming`], and goes on through the entry.
#[unsafe(naked)]
unsafe extern "C" fn resolver() {
    naked_asm!(
        floats!(),
        "addi sp, sp, -304",
        "sd ra, 0(sp)",
        "sd t0, 8(sp)",
        "sd t1, 16(sp)",
        "sd t2, 24(sp)",
        "sd t3, 32(sp)",
        "sd t4, 40(sp)",
        "sd t5, 48(sp)",
        "sd t6, 56(sp)",
        "sd a0, 64(sp)",
        "sd a1, 72(sp)",
        "sd a2, 80(sp)",
        "sd a3, 88(sp)",
        "sd a4, 96(sp)",
        "sd a5, 104(sp)",
        "sd a6, 112(sp)",
        "sd a7, 120(sp)",
        "ld t0, {floats}(t1)",
        "sd t0, 128(sp)",
        "beqz t0, 2f",
        "fsd ft0, 144(sp)",
        "fsd ft1, 152(sp)",
        "fsd ft2, 160(sp)",
        "fsd ft3, 168(sp)",
        "fsd ft4, 176(sp)",
        "fsd ft5, 184(sp)",
        "fsd ft6, 192(sp)",
        "fsd ft7, 200(sp)",
        "fsd ft8, 208(sp)",
        "fsd ft9, 216(sp)",
        "fsd ft10, 224(sp)",
        "fsd ft11, 232(sp)",
        "fsd fa0, 240(sp)",
        "fsd fa1, 248(sp)",
        "fsd fa2, 256(sp)",
        "fsd fa3, 264(sp)",
        "fsd fa4, 272(sp)",
        "fsd fa5, 280(sp)",
        "fsd fa6, 288(sp)",
        "fsd fa7, 296(sp)",
        "2: mv a0, t1",
        "li a1, 0",
        "ld t0, {handler}(t1)",
        "jalr t0",
        "ld t0, 128(sp)",
        "beqz t0, 3f",
        "fld ft0, 144(sp)",
        "fld ft1, 152(sp)",
        "fld ft2, 160(sp)",
        "fld ft3, 168(sp)",
        "fld ft4, 176(sp)",
        "fld ft5, 184(sp)",
        "fld ft6, 192(sp)",
        "fld ft7, 200(sp)",
        "fld ft8, 208(sp)",
        "fld ft9, 216(sp)",
        "fld ft10, 224(sp)",
        "fld ft11, 232(sp)",
        "fld fa0, 240(sp)",
        "fld fa1, 248(sp)",
        "fld fa2, 256(sp)",
        "fld fa3, 264(sp)",
        "fld fa4, 272(sp)",
        "fld fa5, 280(sp)",
        "fld fa6, 288(sp)",
        "fld fa7, 296(sp)",
        "3: ld ra, 0(sp)",
        "ld t0, 8(sp)",
        "ld t1, 16(sp)",
        "ld t2, 24(sp)",
        "ld t3, 32(sp)",
        "ld t4, 40(sp)",
        "ld t5, 48(sp)",
        "ld t6, 56(sp)",
        "ld a0, 64(sp)",
        "ld a1, 72(sp)",
        "ld a2, 80(sp)",
        "ld a3, 88(sp)",
        "ld a4, 96(sp)",
        "ld a5, 104(sp)",
        "ld a6, 112(sp)",
        "ld a7, 120(sp)",
        "addi sp, sp, 304",
        "ld t2, 0(t1)",
        "jr t2",
        floats = const Entry::FLOATS,
        handler = const Entry::HANDLER,
    )
}

/// The static gates: each loads its entry and jumps through the entry's first word.
#[unsafe(naked)]
unsafe extern "C" fn gates() {
    naked_asm!(
        ".option push",
        ".option norvc",
        ".irp high, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        ".irp low, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        "lla t1, {entries} + (\\high * 16 + \\low) * {entry}",
        "ld t2, 0(t1)",
        "jr t2",
        ".endr",
        ".endr",
        ".option pop",
        entries = sym ENTRIES,
        entry = const size_of::<Entry>(),
    )
}

/// Calls `body` in a frame that [`set_jump`] can return to: it saves ra, s0 to s11, fs0 to fs11.
///
/// # Safety
///
/// See [`Assembly::guarded`].
#[unsafe(naked)]
unsafe extern "C-unwind" fn guarded(guard: *mut Guard, body: Body, argument: *mut ()) -> usize {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        floats!(),
        "addi sp, sp, -208",
        "sd ra, 0(sp)",
        unwind_rule!(".cfi_def_cfa_offset 208"),
        unwind_rule!(".cfi_offset ra, -208"),
        "sd s0, 8(sp)",
        "sd s1, 16(sp)",
        "sd s2, 24(sp)",
        "sd s3, 32(sp)",
        "sd s4, 40(sp)",
        "sd s5, 48(sp)",
        "sd s6, 56(sp)",
        "sd s7, 64(sp)",
        "sd s8, 72(sp)",
        "sd s9, 80(sp)",
        "sd s10, 88(sp)",
        "sd s11, 96(sp)",
        "fsd fs0, 104(sp)",
        "fsd fs1, 112(sp)",
        "fsd fs2, 120(sp)",
        "fsd fs3, 128(sp)",
        "fsd fs4, 136(sp)",
        "fsd fs5, 144(sp)",
        "fsd fs6, 152(sp)",
        "fsd fs7, 160(sp)",
        "fsd fs8, 168(sp)",
        "fsd fs9, 176(sp)",
        "fsd fs10, 184(sp)",
        "fsd fs11, 192(sp)",
        "sd sp, {stack}(a0)",
        "sd zero, {jumped}(a0)",
        "mv a0, a2",
        "jalr a1",
        "li a0, 0",
        "tail {leave}",
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
        floats!(),
        "ld ra, 0(sp)",
        "ld s0, 8(sp)",
        "ld s1, 16(sp)",
        "ld s2, 24(sp)",
        "ld s3, 32(sp)",
        "ld s4, 40(sp)",
        "ld s5, 48(sp)",
        "ld s6, 56(sp)",
        "ld s7, 64(sp)",
        "ld s8, 72(sp)",
        "ld s9, 80(sp)",
        "ld s10, 88(sp)",
        "ld s11, 96(sp)",
        "fld fs0, 104(sp)",
        "fld fs1, 112(sp)",
        "fld fs2, 120(sp)",
        "fld fs3, 128(sp)",
        "fld fs4, 136(sp)",
        "fld fs5, 144(sp)",
        "fld fs6, 152(sp)",
        "fld fs7, 160(sp)",
        "fld fs8, 168(sp)",
        "fld fs9, 176(sp)",
        "fld fs10, 184(sp)",
        "fld fs11, 192(sp)",
        "addi sp, sp, 208",
        "ret",
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
        floats!(),
        "addi sp, sp, -48",
        "sd ra, 40(sp)",
        "sd s0, 32(sp)",
        "sd s1, 24(sp)",
        "sd s2, 16(sp)",
        "sd s3, 8(sp)",
        "mv s0, a0",
        "ld s1, 0(a4)",
        "ld s2, 8(a4)",
        "ld s3, 16(a4)",
        "mv t0, a1",
        "mv a0, a2",
        "mv a1, a3",
        "jalr t0",
        "sext.w a0, a0",
        "bnez a0, 2f",
        "ld ra, 40(sp)",
        "ld s0, 32(sp)",
        "ld s1, 24(sp)",
        "ld s2, 16(sp)",
        "ld s3, 8(sp)",
        "addi sp, sp, 48",
        "ret",
        "2: ld sp, {stack}(s0)",
        "sd a0, {value}(s0)",
        "sd s1, {words}(s0)",
        "sd s2, {words} + 8(s0)",
        "sd s3, {words} + 16(s0)",
        "li a0, 1",
        "sd a0, {jumped}(s0)",
        "tail {leave}",
        stack = const Guard::STACK,
        value = const offset_of!(Guard, value),
        words = const offset_of!(Guard, words),
        jumped = const offset_of!(Guard, jumped),
        leave = sym leave,
    )
}
