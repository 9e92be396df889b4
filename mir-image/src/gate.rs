//! The gate through which confined programs are run: a fault comes back to it from wherever the
//! program is, without looking at the calls between.
//!
//! [`enter`] keeps in its frame what the ABI has a callee preserve, and notes where that is;
//! [`leave`], which the program's own code calls when it faults, returns from that frame. Floating
//! registers are only touched if the program does: kernels may have them turned off.
//!
//! The gates of the runtime (`targets/*/src/native.rs`) keep the same registers, as one ABI says
//! which, but belong to a context of the runtime, and the loader has none of it.
#![expect(unsafe_code, reason = "the gates are assembly")]

use core::arch::naked_asm;

/// 1 if code of this build may have values in floating registers, else 0.
#[cfg(any(target_arch = "aarch64", target_arch = "s390x"))]
const HARD_FLOATS: usize = !cfg!(target_abi = "softfloat") as usize;

/// Defines the gate of a machine, whose code has this calling convention.
macro_rules! gate {
    (
        $abi:literal,
        enter: [$($enter:tt)*],
        leave: [$($leave:tt)*],
        finish: [$($finish:tt)*] $(, $name:ident: $constant:expr)*
    ) => {
        /// A function that a run consists of.
        pub(crate) type Body = unsafe extern $abi fn(*mut ());

        /// A function of six integers.
        pub(crate) type Integers = unsafe extern $abi fn(u64, u64, u64, u64, u64, u64) -> u64;

        /// Calls `body(argument)` and returns 0; or 1, if [`leave`] was called meanwhile with the
        /// address that this writes to `place`. `floats` is not 0 if floating registers may be
        /// changed in between.
        ///
        /// # Safety
        ///
        /// The body may be called so, and what it calls may be ended at any time.
        #[unsafe(naked)]
        pub(crate) unsafe extern $abi fn enter(
            place: *mut u64,
            body: Body,
            argument: *mut (),
            floats: u64,
        ) -> usize {
            naked_asm!($($enter)* finish = sym finish, $($name = const $constant,)*)
        }

        /// Ends the call of [`enter`] that noted this address.
        ///
        /// # Safety
        ///
        /// That call is under way on this stack, and nothing since then needs to be dropped.
        #[unsafe(naked)]
        pub(crate) unsafe extern $abi fn leave(noted: u64) {
            naked_asm!($($leave)* finish = sym finish)
        }

        /// Returns from the frame of [`enter`] that the stack pointer points to.
        #[unsafe(naked)]
        unsafe extern $abi fn finish() {
            naked_asm!($($finish)* $($name = const $constant,)*)
        }

        /// A call that is made in a run.
        struct Call<F, R> {
            body: Option<F>,
            result: Option<R>,
        }

        /// Calls the body of a [`Call`].
        ///
        /// # Safety
        ///
        /// It is one, and nobody else uses it.
        unsafe extern $abi fn perform<F: FnOnce() -> R, R>(call: *mut ()) {
            // SAFETY: by the caller's word.
            let call = unsafe { &mut *call.cast::<Call<F, R>>() };
            if let Some(body) = call.body.take() {
                call.result = Some(body());
            }
        }
    };
}

/// Calls `body`; returns `None` if [`leave`] was called meanwhile with the address that this writes
/// to `place`. `floats` is not 0 if floating registers may be changed in between.
///
/// # Safety
///
/// The functions that the body calls may be ended at any time; `place` can be written.
pub(crate) unsafe fn run<F: FnOnce() -> R, R>(place: *mut u64, body: F, floats: u64) -> Option<R> {
    let mut call = Call {
        body: Some(body),
        result: None,
    };
    // SAFETY: `perform` takes the call; all else by the caller's word.
    let has_left = unsafe { enter(place, perform::<F, R>, (&raw mut call).cast(), floats) };
    call.result.filter(|_| has_left == 0)
}

#[cfg(target_arch = "x86_64")]
gate!(
    "sysv64",
    enter: [
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "mov [rdi], rsp",
        "mov rdi, rdx",
        "call rsi",
        "xor eax, eax",
        "jmp {finish}",
    ],
    leave: [
        "endbr64",
        "mov rsp, rdi",
        "mov eax, 1",
        "jmp {finish}",
    ],
    finish: [
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    ]
);

#[cfg(target_arch = "aarch64")]
gate!(
    "C",
    enter: [
        "stp x29, x30, [sp, #-176]!",
        "mov x29, sp",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        "str x3, [sp, #160]",
        ".if {hard_floats}",
        "cbz x3, 2f",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        "2:",
        ".endif",
        "mov x9, sp",
        "str x9, [x0]",
        "mov x0, x2",
        "blr x1",
        "mov x0, #0",
        "b {finish}",
    ],
    leave: [
        "hint #34",
        "mov sp, x0",
        "mov x0, #1",
        "b {finish}",
    ],
    finish: [
        ".if {hard_floats}",
        "ldr x9, [sp, #160]",
        "cbz x9, 2f",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "2:",
        ".endif",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp x29, x30, [sp], #176",
        "ret",
    ],
    hard_floats: HARD_FLOATS
);

#[cfg(target_arch = "powerpc64")]
gate!(
    "C",
    enter: [
        "mflr 0",
        "std 0, 16(1)",
        "mfcr 0",
        "stw 0, 8(1)",
        "stdu 1, -528(1)",
        "std 2, 24(1)",
        "std 6, 512(1)",
        ".irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        "std \\n, 8 * \\n - 80(1)",
        ".endr",
        "cmpdi 6, 0",
        "beq 2f",
        ".irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        "stfd \\n, 64 + 8 * \\n(1)",
        ".endr",
        ".irp n, 20,21,22,23,24,25,26,27,28,29,30,31",
        "li 6, 16 * \\n",
        "stvx \\n, 1, 6",
        ".endr",
        "2: std 1, 0(3)",
        "mr 12, 4",
        "mtctr 12",
        "mr 3, 5",
        "bctrl",
        "li 3, 0",
        "b {finish}",
    ],
    leave: [
        "mr 1, 3",
        "li 3, 1",
        "b {finish}",
    ],
    finish: [
        "ld 2, 24(1)",
        ".irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        "ld \\n, 8 * \\n - 80(1)",
        ".endr",
        "ld 6, 512(1)",
        "cmpdi 6, 0",
        "beq 2f",
        ".irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        "lfd \\n, 64 + 8 * \\n(1)",
        ".endr",
        ".irp n, 20,21,22,23,24,25,26,27,28,29,30,31",
        "li 6, 16 * \\n",
        "lvx \\n, 1, 6",
        ".endr",
        "2: addi 1, 1, 528",
        "lwz 0, 8(1)",
        "mtcrf 255, 0",
        "ld 0, 16(1)",
        "mtlr 0",
        "blr",
    ]
);

#[cfg(target_arch = "riscv64")]
gate!(
    "C",
    enter: [
        ".option arch, +d",
        "addi sp, sp, -224",
        "sd ra, 0(sp)",
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
        "sd a3, 208(sp)",
        "beqz a3, 2f",
        ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11",
        "fsd fs\\n, 104 + 8 * \\n(sp)",
        ".endr",
        "2: sd sp, 0(a0)",
        "mv a0, a2",
        "jalr a1",
        "li a0, 0",
        "tail {finish}",
    ],
    leave: [
        "mv sp, a0",
        "li a0, 1",
        "tail {finish}",
    ],
    finish: [
        ".option arch, +d",
        "ld t0, 208(sp)",
        "beqz t0, 2f",
        ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11",
        "fld fs\\n, 104 + 8 * \\n(sp)",
        ".endr",
        "2: ld ra, 0(sp)",
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
        "addi sp, sp, 224",
        "ret",
    ]
);

#[cfg(target_arch = "s390x")]
gate!(
    "C",
    enter: [
        "stmg %r6, %r15, 48(%r15)",
        "lgr %r1, %r15",
        "aghi %r15, -232",
        "stg %r1, 0(%r15)",
        "stg %r5, 224(%r15)",
        ".if {hard_floats}",
        "ltgr %r5, %r5",
        "jz 2f",
        ".irp n, 8,9,10,11,12,13,14,15",
        "std %f\\n, 96 + 8 * \\n(%r15)",
        ".endr",
        "2:",
        ".endif",
        "stg %r15, 0(%r2)",
        "lgr %r2, %r4",
        "basr %r14, %r3",
        "lghi %r2, 0",
        "jg {finish}",
    ],
    leave: [
        "lgr %r15, %r2",
        "lghi %r2, 1",
        "jg {finish}",
    ],
    finish: [
        ".if {hard_floats}",
        "lg %r1, 224(%r15)",
        "ltgr %r1, %r1",
        "jz 2f",
        ".irp n, 8,9,10,11,12,13,14,15",
        "ld %f\\n, 96 + 8 * \\n(%r15)",
        ".endr",
        "2:",
        ".endif",
        "lmg %r6, %r15, 232 + 48(%r15)",
        "br %r14",
    ],
    hard_floats: HARD_FLOATS
);
