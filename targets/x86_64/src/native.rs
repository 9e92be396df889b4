//! The gates between Rust and native code on `x86_64`. Code that is jumped to begins with ENDBR64,
//! so that it runs in a kernel that enforces indirect branch tracking.
#![expect(unsafe_code, reason = "the gates are assembly")]

use crate::TARGET;
use crate::abi::ABI;
use core::arch::naked_asm;
use core::mem::offset_of;
use mir_nostd::target::{Assembly, Body, Entry, Guard, Incoming, Machine, Outgoing};
use mir_nostd::{native_abi, unwind_rule};

/// The machine that this is compiled for.
///
/// ```
/// use mir_nostd::ir::Type;
/// use mir_nostd::target::{Argument, Plan, Signature, Value};
/// use target_x86_64::{NATIVE, TARGET};
///
/// extern "C" fn scaled(number: i32, by: f64) -> f64 {
///     f64::from(number) * by
/// }
///
/// # fn main() -> Result<(), mir_nostd::target::PlanError> {
/// # let system = testkit::SystemAllocator;
/// let signature = Signature {
///     results: &[Type::D],
///     arguments: &[Argument::scalar(Type::I32), Argument::scalar(Type::D)],
///     variadic: None,
/// };
/// let plan = Plan::new(&TARGET, &signature, &system)?;
/// let arguments = [Value::from_i64(-3), Value::from_f64_bits(0.5_f64.to_bits())];
/// let mut results = [Value::ZERO];
/// // SAFETY: the function has this signature.
/// unsafe { plan.call(&NATIVE, scaled as *const () as usize, &arguments, &mut results) };
/// assert_eq!(f64::from_bits(results[0].f64_bits()), -1.5);
/// # Ok(()) }
/// ```
// SAFETY: the gates below follow the System V ABI.
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

const GATES: usize = 256;

static ENTRIES: [Entry; GATES] = [const { Entry::new() }; GATES];

/// Does nothing: the machine keeps instruction fetch coherent.
unsafe fn flush(_: *const u8, _: usize) {}

/// The offset of the integer registers in an [`Outgoing`].
const INTS: usize = offset_of!(Outgoing, image) + ABI.image.ints as usize;
/// The offset of the floating registers in an [`Outgoing`].
const FLOATS: usize = offset_of!(Outgoing, image) + ABI.image.floats as usize;

/// The offset of the registers of the x87 stack in an [`Outgoing`].
const X87: usize = offset_of!(Outgoing, image) + ABI.image.x87 as usize;

native_abi! {
    /// Loads the image, calls the function, and stores the results in the image.
    ///
    /// rbx holds `outgoing`. Stack for arguments is allocated page by page, each touched, so that
    /// guard pages work.
    ///
    /// # Safety
    ///
    /// See [`Assembly::call`].
    #[unsafe(naked)]
    unsafe extern "C-unwind" fn call(outgoing: *mut Outgoing) {
        naked_asm!(
            unwind_rule!(".cfi_startproc"),
            "push rbp",
            "mov rbp, rsp",
            "push rbx",
            "sub rsp, 8",
            unwind_rule!(".cfi_def_cfa rbp, 16"),
            unwind_rule!(".cfi_offset rbp, -16"),
            unwind_rule!(".cfi_offset rbx, -24"),
            "mov rbx, rdi",
            "mov rcx, [rdi + {stack_bytes}]",
            "test rcx, rcx",
            "jz 4f",
            "2: cmp rcx, 4096",
            "jbe 3f",
            "sub rsp, 4096",
            "mov [rsp], rcx",
            "sub rcx, 4096",
            "jmp 2b",
            "3: sub rsp, rcx",
            "mov rsi, rsp",
            "call [rdi + {fill}]",
            "4: mov rax, [rbx + {argument_floats}]",
            "test rax, rax",
            "jz 5f",
            "movsd xmm0, [rbx + {floats}]",
            "movsd xmm1, [rbx + {floats} + 16]",
            "movsd xmm2, [rbx + {floats} + 32]",
            "movsd xmm3, [rbx + {floats} + 48]",
            "movsd xmm4, [rbx + {floats} + 64]",
            "movsd xmm5, [rbx + {floats} + 80]",
            "movsd xmm6, [rbx + {floats} + 96]",
            "movsd xmm7, [rbx + {floats} + 112]",
            "5: mov rdi, [rbx + {ints}]",
            "mov rsi, [rbx + {ints} + 8]",
            "mov rdx, [rbx + {ints} + 16]",
            "mov rcx, [rbx + {ints} + 24]",
            "mov r8, [rbx + {ints} + 32]",
            "mov r9, [rbx + {ints} + 40]",
            "call [rbx + {function}]",
            "mov [rbx + {ints}], rax",
            "mov [rbx + {ints} + 8], rdx",
            "cmp qword ptr [rbx + {result_floats}], 0",
            "je 6f",
            "movsd [rbx + {floats}], xmm0",
            "movsd [rbx + {floats} + 16], xmm1",
            "6: mov rcx, [rbx + {result_x87}]",
            "test rcx, rcx",
            "jz 7f",
            "mov qword ptr [rbx + {x87} + 8], 0",
            "fstp tbyte ptr [rbx + {x87}]",
            "dec rcx",
            "jz 7f",
            "mov qword ptr [rbx + {x87} + 24], 0",
            "fstp tbyte ptr [rbx + {x87} + 16]",
            "7: cmp qword ptr [rbx + {stack_bytes}], 0",
            "je 8f",
            "mov rdi, rbx",
            "mov rsi, rsp",
            "call [rbx + {finish}]",
            "8: mov rbx, [rbp - 8]",
            "leave",
            "ret",
            unwind_rule!(".cfi_endproc"),
            stack_bytes = const offset_of!(Outgoing, stack_bytes),
            fill = const offset_of!(Outgoing, fill),
            finish = const offset_of!(Outgoing, finish),
            function = const offset_of!(Outgoing, function),
            argument_floats = const offset_of!(Outgoing, argument_floats),
            result_floats = const offset_of!(Outgoing, result_floats),
            result_x87 = const offset_of!(Outgoing, result_x87),
            ints = const INTS,
            floats = const FLOATS,
            x87 = const X87,
        )
    }
}

/// The frame of [`entry`], from the stack pointer on.
#[repr(C, align(16))]
struct EntryFrame {
    image: [u8; (ABI.image.floats + 8 * ABI.image.float_stride) as usize],
    incoming: Incoming,
    has_floats: usize,
}

const _: () = assert!(offset_of!(EntryFrame, image) == 0);

/// Catches a call: r10 holds the [`Entry`]. The frame is an [`EntryFrame`].
#[unsafe(naked)]
unsafe extern "C" fn entry() {
    naked_asm!(
        unwind_rule!(".cfi_startproc"),
        "endbr64",
        "push rbp",
        "mov rbp, rsp",
        "sub rsp, {frame}",
        unwind_rule!(".cfi_def_cfa rbp, 16"),
        unwind_rule!(".cfi_offset rbp, -16"),
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
        "mov rax, [r10 + {floats}]",
        "mov [rsp + {has_floats}], rax",
        "test rax, rax",
        "jz 2f",
        "movups [rsp + {vectors}], xmm0",
        "movups [rsp + {vectors} + 16], xmm1",
        "movups [rsp + {vectors} + 32], xmm2",
        "movups [rsp + {vectors} + 48], xmm3",
        "movups [rsp + {vectors} + 64], xmm4",
        "movups [rsp + {vectors} + 80], xmm5",
        "movups [rsp + {vectors} + 96], xmm6",
        "movups [rsp + {vectors} + 112], xmm7",
        "2: mov [rsp + {incoming} + {image}], rsp",
        "lea rax, [rbp + 16]",
        "mov [rsp + {incoming} + {stack}], rax",
        "mov qword ptr [rsp + {incoming} + {result_x87}], 0",
        "mov rdi, r10",
        "lea rsi, [rsp + {incoming}]",
        "call [r10 + {handler}]",
        "mov rax, [rsp]",
        "mov rdx, [rsp + 8]",
        "cmp qword ptr [rsp + {has_floats}], 0",
        "je 4f",
        "movsd xmm0, [rsp + {vectors}]",
        "movsd xmm1, [rsp + {vectors} + 16]",
        "mov rcx, [rsp + {incoming} + {result_x87}]",
        "test rcx, rcx",
        "jz 4f",
        "dec rcx",
        "jz 3f",
        "fld tbyte ptr [rsp + {x87} + 16]",
        "3: fld tbyte ptr [rsp + {x87}]",
        "4: leave",
        "ret",
        unwind_rule!(".cfi_endproc"),
        floats = const Entry::FLOATS,
        handler = const Entry::HANDLER,
        image = const offset_of!(Incoming, image),
        stack = const offset_of!(Incoming, stack),
        result_x87 = const offset_of!(Incoming, result_x87),
        frame = const size_of::<EntryFrame>(),
        incoming = const offset_of!(EntryFrame, incoming),
        has_floats = const offset_of!(EntryFrame, has_floats),
        vectors = const ABI.image.floats,
        x87 = const ABI.image.x87,
    )
}

/// Traps, and never continues.
#[unsafe(naked)]
unsafe extern "C" fn halt() -> ! {
    naked_asm!("ud2")
}

/// The area in which [`resolver`] saves, from a multiple of 16 on: integer registers but rbx, rbp,
/// rsp and r12 to r15, the flag for floats, and all vector registers.
#[repr(C, align(16))]
struct Saved {
    ints: [usize; 9],
    has_floats: usize,
    vectors: [[u64; 2]; 16],
}

const _: () = assert!(offset_of!(Saved, ints) == 0);

/// Catches control: r10 holds the [`Entry`]. Saves every register that a call may change, calls the
/// handler without an [`Incoming`], and goes on through the entry. The stack may be aligned to 8
/// only.
#[unsafe(naked)]
unsafe extern "C" fn resolver() {
    naked_asm!(
        "endbr64",
        "push rbp",
        "mov rbp, rsp",
        "sub rsp, {saved} + 16",
        "and rsp, -16",
        "mov [rsp + 0], rax",
        "mov [rsp + 8], rcx",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rsi",
        "mov [rsp + 32], rdi",
        "mov [rsp + 40], r8",
        "mov [rsp + 48], r9",
        "mov [rsp + 56], r10",
        "mov [rsp + 64], r11",
        "mov rax, [r10 + {floats}]",
        "mov [rsp + {has_floats}], rax",
        "test rax, rax",
        "jz 2f",
        "movups [rsp + {vectors}], xmm0",
        "movups [rsp + {vectors} + 16], xmm1",
        "movups [rsp + {vectors} + 32], xmm2",
        "movups [rsp + {vectors} + 48], xmm3",
        "movups [rsp + {vectors} + 64], xmm4",
        "movups [rsp + {vectors} + 80], xmm5",
        "movups [rsp + {vectors} + 96], xmm6",
        "movups [rsp + {vectors} + 112], xmm7",
        "movups [rsp + {vectors} + 128], xmm8",
        "movups [rsp + {vectors} + 144], xmm9",
        "movups [rsp + {vectors} + 160], xmm10",
        "movups [rsp + {vectors} + 176], xmm11",
        "movups [rsp + {vectors} + 192], xmm12",
        "movups [rsp + {vectors} + 208], xmm13",
        "movups [rsp + {vectors} + 224], xmm14",
        "movups [rsp + {vectors} + 240], xmm15",
        "2: mov rdi, r10",
        "xor esi, esi",
        "call [r10 + {handler}]",
        "cmp qword ptr [rsp + {has_floats}], 0",
        "je 3f",
        "movups xmm0, [rsp + {vectors}]",
        "movups xmm1, [rsp + {vectors} + 16]",
        "movups xmm2, [rsp + {vectors} + 32]",
        "movups xmm3, [rsp + {vectors} + 48]",
        "movups xmm4, [rsp + {vectors} + 64]",
        "movups xmm5, [rsp + {vectors} + 80]",
        "movups xmm6, [rsp + {vectors} + 96]",
        "movups xmm7, [rsp + {vectors} + 112]",
        "movups xmm8, [rsp + {vectors} + 128]",
        "movups xmm9, [rsp + {vectors} + 144]",
        "movups xmm10, [rsp + {vectors} + 160]",
        "movups xmm11, [rsp + {vectors} + 176]",
        "movups xmm12, [rsp + {vectors} + 192]",
        "movups xmm13, [rsp + {vectors} + 208]",
        "movups xmm14, [rsp + {vectors} + 224]",
        "movups xmm15, [rsp + {vectors} + 240]",
        "3: mov rax, [rsp]",
        "mov rcx, [rsp + 8]",
        "mov rdx, [rsp + 16]",
        "mov rsi, [rsp + 24]",
        "mov rdi, [rsp + 32]",
        "mov r8, [rsp + 40]",
        "mov r9, [rsp + 48]",
        "mov r10, [rsp + 56]",
        "mov r11, [rsp + 64]",
        "leave",
        "jmp [r10]",
        floats = const Entry::FLOATS,
        handler = const Entry::HANDLER,
        saved = const size_of::<Saved>(),
        has_floats = const offset_of!(Saved, has_floats),
        vectors = const offset_of!(Saved, vectors),
    )
}

/// The static gates: each loads its entry and jumps through the entry's first word.
#[unsafe(naked)]
unsafe extern "C" fn gates() {
    naked_asm!(
        ".irp high, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        ".irp low, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        "endbr64",
        "lea r10, [rip + {entries} + (\\high * 16 + \\low) * {entry}]",
        "jmp [r10]",
        ".fill 2, 1, 0xCC",
        ".endr",
        ".endr",
        entries = sym ENTRIES,
        entry = const size_of::<Entry>(),
    )
}

native_abi! {
    /// Calls `body` in a frame that [`set_jump`] can return to: six saved registers and 8 bytes.
    ///
    /// # Safety
    ///
    /// See [`Assembly::guarded`].
    #[unsafe(naked)]
    unsafe extern "C-unwind" fn guarded(guard: *mut Guard, body: Body, argument: *mut ()) -> usize {
        naked_asm!(
            unwind_rule!(".cfi_startproc"),
            "push rbp",
            "push rbx",
            "push r12",
            "push r13",
            "push r14",
            "push r15",
            "sub rsp, 8",
            unwind_rule!(".cfi_def_cfa_offset 64"),
            "mov [rdi + {stack}], rsp",
            "mov qword ptr [rdi + {jumped}], 0",
            "mov rdi, rdx",
            "call rsi",
            "xor eax, eax",
            "jmp {leave}",
            unwind_rule!(".cfi_endproc"),
            stack = const Guard::STACK,
            jumped = const offset_of!(Guard, jumped),
            leave = sym leave,
        )
    }
}

/// Returns from the frame of [`guarded`] that the stack pointer points to.
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

native_abi! {
    /// Calls a function of the `setjmp` family with guard and words in registers that `longjmp`
    /// restores. When the function returns the second time, this frame is gone: only those
    /// registers are valid, and control returns from the frame of [`guarded`].
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
            "push rbp",
            "push rbx",
            "push r12",
            "push r13",
            "push r14",
            "mov rbx, rdi",
            "mov r12, [r8]",
            "mov r13, [r8 + 8]",
            "mov r14, [r8 + 16]",
            "mov rax, rsi",
            "mov rdi, rdx",
            "mov rsi, rcx",
            "call rax",
            "endbr64",
            "test eax, eax",
            "jnz 2f",
            "pop r14",
            "pop r13",
            "pop r12",
            "pop rbx",
            "pop rbp",
            "ret",
            "2: mov rsp, [rbx + {stack}]",
            "cdqe",
            "mov [rbx + {value}], rax",
            "mov [rbx + {words}], r12",
            "mov [rbx + {words} + 8], r13",
            "mov [rbx + {words} + 16], r14",
            "mov eax, 1",
            "mov [rbx + {jumped}], rax",
            "jmp {leave}",
            stack = const Guard::STACK,
            value = const offset_of!(Guard, value),
            words = const offset_of!(Guard, words),
            jumped = const offset_of!(Guard, jumped),
            leave = sym leave,
        )
    }
}
