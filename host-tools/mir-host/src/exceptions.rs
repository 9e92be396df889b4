//! Exceptions of C++ and Rust that pass through programs: `mir_try`, to which `mir import` turns
//! calls that may throw, and the unwind tables of compiled code.
//!
//! `mir_try(call, context)` calls `call(context)` in a frame whose personality routine reads the
//! clauses in the context (the importer's `exceptions.rs` describes both). The frame has no landing
//! pad of its own: an exception that the clauses name returns from the call as a result would,
//! after the routine wrote the exception and the selector into the context. The context is in a
//! register that the call preserves, so the routine finds it in the frame.
//!
//! Types are matched as the personality of C++ does it, by the functions in the virtual table of
//! `std::type_info` (the same in libstdc++ and libc++abi).
#![expect(unsafe_code, reason = "the interface of the unwinder")]

use core::arch::naked_asm;
use core::ffi::c_int;

/// The head of an exception, as the unwinder knows it.
#[repr(C)]
struct Exception {
    class: u64,
}

/// The state of a frame during unwinding.
#[repr(C)]
struct Frame {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn _Unwind_GetGR(frame: *mut Frame, register: c_int) -> usize;
    fn _Unwind_GetIP(frame: *mut Frame) -> usize;
    fn _Unwind_SetIP(frame: *mut Frame, address: usize);
    fn __register_frame(table: *const u8);
}

// The answers of a personality routine.
const FATAL: c_int = 3;
const HANDLER_FOUND: c_int = 6;
const INSTALL_CONTEXT: c_int = 7;
const CONTINUE_UNWIND: c_int = 8;

// The questions to a personality routine.
const SEARCH: c_int = 1;
const HANDLER_FRAME: c_int = 4;
const FORCED: c_int = 8;

/// The memory by which a call and the code around it exchange values, as the importer lays it out.
#[repr(C)]
struct Context {
    exception: *mut Exception,
    selector: i64,
    clauses: *const i64,
}

/// A class of `std::type_info` in memory.
#[repr(C)]
struct TypeInfo {
    functions: *const TypeFunctions,
}

/// The virtual functions of `std::type_info`.
#[repr(C)]
struct TypeFunctions {
    destructors: [usize; 2],
    is_pointer: unsafe extern "C" fn(*const TypeInfo) -> bool,
    is_function: usize,
    can_catch: unsafe extern "C" fn(*const TypeInfo, *const TypeInfo, *mut *mut u8, u32) -> bool,
}

/// The classes of exceptions of C++ but for the last byte, which is 1 if the exception shares its
/// object with another.
const LIBSTDCXX: u64 = u64::from_be_bytes(*b"GNUCC++\0");
const LIBCXXABI: u64 = u64::from_be_bytes(*b"CLNGC++\0");

/// The bytes from the start of `__cxa_exception` to the exception's head, and the head's own.
const HEADER: usize = 80;
const HEAD: usize = 32;

/// An exception of C++: the type and address of its object.
struct Thrown {
    ty: *const TypeInfo,
    object: *mut u8,
}

/// Returns the object of an exception of C++; `None` for others.
///
/// # Safety
///
/// The exception is under way.
unsafe fn thrown(exception: *mut Exception, class: u64) -> Option<Thrown> {
    let runtime = class & !0xFF;
    if runtime != LIBSTDCXX && runtime != LIBCXXABI {
        return None;
    }
    let head = exception.cast::<u8>();
    // SAFETY: by the ABI of C++ the header lies before the head and begins with the type, and the
    // object follows the head; one that shares has the object's address in place of the type.
    unsafe {
        let own = head.add(HEAD);
        let object = match class & 0xFF {
            0 => own,
            _ => head.sub(HEADER).cast::<*mut u8>().read(),
        };
        let ty = object.sub(HEAD + HEADER).cast::<*const TypeInfo>().read();
        let is_pointer = runtime == LIBSTDCXX && ((*(*ty).functions).is_pointer)(ty);
        let object = match is_pointer {
            true => object.cast::<*mut u8>().read(),
            false => object,
        };
        Some(Thrown { ty, object })
    }
}

impl Thrown {
    /// Returns the address by which a handler of a type finds the object, if it catches it.
    ///
    /// # Safety
    ///
    /// `ty` is a type information of C++.
    unsafe fn caught_as(&self, ty: *const TypeInfo) -> Option<*mut u8> {
        let mut object = self.object;
        // SAFETY: by the caller's word.
        let is_caught = unsafe { ((*(*ty).functions).can_catch)(ty, self.ty, &raw mut object, 1) };
        is_caught.then_some(object)
    }
}

/// The outcome of the clauses: the selector, 0 for none, and the object as the handler finds it.
struct Selection {
    selector: i64,
    object: *mut u8,
    is_cleanup: bool,
}

/// Returns what clauses select.
///
/// # Safety
///
/// The clauses are such as the importer makes.
unsafe fn select(mut clause: *const i64, thrown: Option<&Thrown>) -> Selection {
    let object = thrown.map_or(core::ptr::null_mut(), |thrown| thrown.object);
    // SAFETY: by the caller's word; addresses in clauses are those of type informations.
    unsafe {
        let caught_as = |word: *const i64| {
            let ty = word.cast::<*const TypeInfo>().read();
            match thrown {
                _ if ty.is_null() => Some(object),
                Some(thrown) => thrown.caught_as(ty),
                None => None,
            }
        };
        loop {
            let selector = clause.read();
            let first = clause.add(1);
            if selector == 0 {
                return Selection {
                    selector,
                    object,
                    is_cleanup: first.read() != 0,
                };
            }
            let (object, next) = if selector > 0 {
                (caught_as(first), clause.add(2))
            } else {
                let count = first.read() as usize;
                let is_allowed = (1..=count).any(|number| caught_as(first.add(number)).is_some());
                ((!is_allowed).then_some(object), first.add(1 + count))
            };
            if let Some(object) = object {
                return Selection {
                    selector,
                    object,
                    is_cleanup: false,
                };
            }
            clause = next;
        }
    }
}

/// The clauses of a frame that no exception passes: the search for a handler ends there as at the
/// end of the stack.
static NO_HANDLER: [i64; 2] = [i64::MIN, 0];

/// A call in a frame that no exception passes.
#[repr(C)]
struct Outermost<F, R> {
    context: Context,
    body: Option<F>,
    result: Option<R>,
}

/// Calls a closure in which programs run. An exception that nothing catches ends the process by
/// `std::terminate` before any destructor runs, as it does where `main` is the outermost function;
/// otherwise the search for a handler would go on to those of the Rust program around.
pub fn outermost<R>(body: impl FnOnce() -> R) -> R {
    unsafe extern "C-unwind" fn call<F: FnOnce() -> R, R>(outermost: *mut Outermost<F, R>) {
        // SAFETY: the only reference to what `outermost` has.
        let outermost = unsafe { &mut *outermost };
        outermost.result = outermost.body.take().map(|body| body());
    }
    fn callee<F: FnOnce() -> R, R>(_: &Outermost<F, R>) -> usize {
        call::<F, R> as *const () as usize
    }
    let mut outermost = Outermost {
        context: Context {
            exception: core::ptr::null_mut(),
            selector: 0,
            clauses: NO_HANDLER.as_ptr(),
        },
        body: Some(body),
        result: None,
    };
    let callee = callee(&outermost);
    // SAFETY: the function takes this, and the clauses end at once.
    unsafe { mir_try(callee, (&raw mut outermost).expose_provenance()) };
    match outermost.result {
        Some(result) => result,
        // The closure ran, and no exception passes.
        None => std::process::abort(),
    }
}

/// Decides where an exception goes on that comes to the frame of [`mir_try`].
///
/// # Safety
///
/// Called by the unwinder.
unsafe extern "C" fn personality(
    _: c_int,
    actions: c_int,
    class: u64,
    exception: *mut Exception,
    frame: *mut Frame,
) -> c_int {
    // SAFETY: by the caller's word the frame is that of `mir_try`, whose context is in the
    // register; the header of an exception of C++ ends in the address of the object as the handler
    // finds it.
    unsafe {
        let context = _Unwind_GetGR(frame, CONTEXT);
        let context = core::ptr::with_exposed_provenance_mut::<Context>(context);
        if (*context).clauses == NO_HANDLER.as_ptr() {
            return if actions & SEARCH != 0 {
                FATAL
            } else {
                CONTINUE_UNWIND
            };
        }
        let thrown = thrown(exception, class);
        let mut selection = select((*context).clauses, thrown.as_ref());
        if actions & SEARCH != 0 {
            return match selection.selector {
                0 => CONTINUE_UNWIND,
                _ => HANDLER_FOUND,
            };
        }
        if actions & (HANDLER_FRAME | FORCED) == 0 {
            selection.selector = 0;
        }
        if selection.selector == 0 && !selection.is_cleanup {
            return CONTINUE_UNWIND;
        }
        if actions & HANDLER_FRAME != 0 && thrown.is_some() {
            exception.cast::<*mut u8>().sub(1).write(selection.object);
        }
        (*context).exception = exception;
        (*context).selector = selection.selector;
        _Unwind_SetIP(frame, _Unwind_GetIP(frame));
        INSTALL_CONTEXT
    }
}

/// The number in DWARF of the register in which [`mir_try`] has the context.
const CONTEXT: c_int = if cfg!(target_arch = "x86_64") {
    3
} else if cfg!(target_arch = "aarch64") {
    19
} else if cfg!(target_arch = "powerpc64") {
    31
} else if cfg!(target_arch = "riscv64") {
    9
} else {
    11
};

/// Calls a function with the context, and returns when that returns, or throws what the clauses of
/// the context name.
///
/// # Safety
///
/// The function may be called so, and the context is such as the importer makes.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn mir_try(call: usize, context: usize) {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_personality 0x1b, {personality}",
        "endbr64",
        "push rbx",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbx, -16",
        "mov rbx, rsi",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "pop rbx",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
        personality = sym personality,
    )
}

/// As on `x86_64`.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn mir_try(call: usize, context: usize) {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_personality 0x1b, {personality}",
        "hint #34",
        "stp x29, x30, [sp, #-32]!",
        ".cfi_def_cfa_offset 32",
        ".cfi_offset x29, -32",
        ".cfi_offset x30, -24",
        "str x19, [sp, #16]",
        ".cfi_offset x19, -16",
        "mov x29, sp",
        "mov x19, x1",
        "mov x9, x0",
        "mov x0, x1",
        "blr x9",
        "ldr x19, [sp, #16]",
        "ldp x29, x30, [sp], #32",
        "ret",
        ".cfi_endproc",
        personality = sym personality,
    )
}

/// As on `x86_64`.
#[cfg(target_arch = "powerpc64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn mir_try(call: usize, context: usize) {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_personality 0x1b, {personality}",
        "mflr 0",
        "std 0, 16(1)",
        "std 31, -8(1)",
        "stdu 1, -48(1)",
        ".cfi_def_cfa_offset 48",
        ".cfi_offset 65, 16",
        ".cfi_offset 31, -8",
        "std 2, 24(1)",
        "mr 31, 4",
        "mr 12, 3",
        "mtctr 12",
        "mr 3, 4",
        "bctrl",
        "ld 2, 24(1)",
        "addi 1, 1, 48",
        "ld 31, -8(1)",
        "ld 0, 16(1)",
        "mtlr 0",
        "blr",
        ".cfi_endproc",
        personality = sym personality,
    )
}

/// As on `x86_64`.
#[cfg(target_arch = "riscv64")]
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn mir_try(call: usize, context: usize) {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_personality 0x1b, {personality}",
        "addi sp, sp, -16",
        ".cfi_def_cfa_offset 16",
        "sd ra, 8(sp)",
        ".cfi_offset ra, -8",
        "sd s1, 0(sp)",
        ".cfi_offset s1, -16",
        "mv s1, a1",
        "mv t0, a0",
        "mv a0, a1",
        "jalr t0",
        "ld ra, 8(sp)",
        "ld s1, 0(sp)",
        "addi sp, sp, 16",
        "ret",
        ".cfi_endproc",
        personality = sym personality,
    )
}

/// As on `x86_64`.
#[cfg(target_arch = "s390x")]
#[unsafe(naked)]
pub(crate) unsafe extern "C-unwind" fn mir_try(call: usize, context: usize) {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_personality 0x1b, {personality}",
        "stmg %r6, %r15, 48(%r15)",
        ".cfi_offset 11, -72",
        ".cfi_offset 14, -48",
        ".cfi_offset 15, -40",
        "lgr %r1, %r15",
        "aghi %r15, -160",
        ".cfi_def_cfa_offset 320",
        "stg %r1, 0(%r15)",
        "lgr %r11, %r3",
        "lgr %r1, %r2",
        "lgr %r2, %r3",
        "basr %r14, %r1",
        "lmg %r6, %r15, 208(%r15)",
        "br %r14",
        ".cfi_endproc",
        personality = sym personality,
    )
}

/// Tells the unwinder of this process of a table in the form of `.eh_frame`, with its end, which
/// stays for the life of the process.
///
/// # Safety
///
/// The table is well formed and true of the code at the addresses in it.
pub unsafe fn register_frames(table: Vec<u8>) {
    // SAFETY: by the caller's word.
    unsafe { __register_frame(table.leak().as_ptr()) };
}
