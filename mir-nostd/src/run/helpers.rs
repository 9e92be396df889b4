//! The routines that compiled code calls.

use crate::codegen::{FaultKind, Helper};
use crate::ir::Type;
use crate::link::Callable;
use crate::num::LongDouble;
use crate::target::{Argument, Cursor, Guard, Native, Target, VariableArguments};
use core::cmp::Ordering;
use spin::Mutex;

/// What compiled code faulted on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// The number of the instruction in its function, labels counted, from 0.
    pub instruction: u32,
    callable: usize,
}

impl Fault {
    /// Whether the fault happened in this function.
    #[must_use]
    pub fn is_in(&self, callable: &Callable<'_>) -> bool {
        core::ptr::from_ref(callable).addr() == self.callable
    }
}

impl core::fmt::Display for Fault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self.kind {
            FaultKind::DivisionByZero => "division by zero",
            FaultKind::SwitchRange => "switch index out of range",
            FaultKind::EndReached => "end of function reached without ret",
            FaultKind::OutOfMemory => "out of memory",
        })
    }
}

/// What compiled code and its routines share: it stays at its place as long as the code exists.
pub struct Runtime<'m> {
    target: &'static Target,
    native: &'m dyn Native,
    runs: Mutex<Runs>,
}

/// The calls under way, by their guards.
struct Runs(*mut Run);

// SAFETY: the runs in the list are followed under the lock only, and each leaves the list before it ends.
unsafe impl Send for Runs {}

/// A call of compiled code from Rust.
pub(super) struct Run {
    pub(super) guard: Guard,
    next: *mut Run,
}

impl core::fmt::Debug for Runtime<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Runtime({})", self.target.name)
    }
}

impl Run {
    pub(super) const fn new() -> Run {
        Run {
            guard: Guard::new(),
            next: core::ptr::null_mut(),
        }
    }

    /// What the run ended with, if its guard was jumped to.
    pub(super) fn fault(&self) -> Fault {
        let [callable, kind, instruction] = self.guard.words;
        Fault {
            kind: FaultKind::from_number(kind),
            instruction: instruction as u32,
            callable,
        }
    }
}

impl<'m> Runtime<'m> {
    pub(super) fn new(native: &'m dyn Native) -> Runtime<'m> {
        Runtime {
            target: native.target(),
            native,
            runs: Mutex::new(Runs(core::ptr::null_mut())),
        }
    }

    pub(super) fn native(&self) -> &'m dyn Native {
        self.native
    }

    /// # Safety
    ///
    /// The run stays where it is until it is removed.
    pub(super) unsafe fn add(&self, run: *mut Run) {
        let mut runs = self.runs.lock();
        // SAFETY: the run is the caller's until it is in the list.
        unsafe { (*run).next = runs.0 };
        runs.0 = run;
    }

    /// # Safety
    ///
    /// The run was added.
    pub(super) unsafe fn remove(&self, run: *mut Run) {
        let mut runs = self.runs.lock();
        let mut place = &raw mut runs.0;
        // SAFETY: all runs in the list are there; the lock is held.
        unsafe {
            while !(*place).is_null() && *place != run {
                place = &raw mut (**place).next;
            }
            if !(*place).is_null() {
                *place = (*run).next;
            }
        }
    }

    /// The innermost run of the stack that `here` is on: stacks grow down, so it is the nearest one above.
    fn innermost(&self, here: usize) -> *mut Run {
        let runs = self.runs.lock();
        let mut nearest: *mut Run = core::ptr::null_mut();
        let mut run = runs.0;
        while !run.is_null() {
            if run.addr() > here && (nearest.is_null() || run.addr() < nearest.addr()) {
                nearest = run;
            }
            // SAFETY: all runs in the list are there.
            run = unsafe { (*run).next };
        }
        nearest
    }

    fn read(&self, place: *const [u8; 16]) -> LongDouble {
        // SAFETY: compiled code passes addresses of long doubles.
        let bytes = unsafe { place.read_unaligned() };
        (self.target.long_double).from_bytes(bytes, self.target.big_endian)
    }

    fn write(&self, place: *mut [u8; 16], value: LongDouble) {
        let bytes = (self.target.long_double).to_bytes(value, self.target.big_endian);
        // SAFETY: compiled code passes addresses of room for long doubles.
        unsafe { place.write_unaligned(bytes) };
    }
}

/// The address of a routine.
pub(super) fn address(number: u8) -> usize {
    let Some(helper) = Helper::ALL.get(usize::from(number)) else {
        return 0;
    };
    match helper {
        Helper::Fault => fault as *const () as usize,
        Helper::CopyBlock => copy_block as *const () as usize,
        Helper::VaStart => va_start as *const () as usize,
        Helper::VaArg => va_arg as *const () as usize,
        Helper::VaBlockArg => va_block_arg as *const () as usize,
        Helper::LdAdd => ld_add as *const () as usize,
        Helper::LdSub => ld_sub as *const () as usize,
        Helper::LdMul => ld_mul as *const () as usize,
        Helper::LdDiv => ld_div as *const () as usize,
        Helper::LdNeg => ld_neg as *const () as usize,
        Helper::LdCompare => ld_compare as *const () as usize,
        Helper::LdFromInt => ld_from_int as *const () as usize,
        Helper::LdFromUnsigned => ld_from_unsigned as *const () as usize,
        Helper::LdToInt => ld_to_int as *const () as usize,
        Helper::LdFromFloat => ld_from_float as *const () as usize,
        Helper::LdFromDouble => ld_from_double as *const () as usize,
        Helper::LdToFloat => ld_to_float as *const () as usize,
        Helper::LdToDouble => ld_to_double as *const () as usize,
    }
}

/// A function that returns like `setjmp` after `longjmp`: what leads a run to its guard.
extern "C" fn second_return(_: usize, _: usize) -> i32 {
    1
}

impl Runtime<'_> {
    /// Has a function fault whose code cannot go on.
    ///
    /// # Safety
    ///
    /// As [`fault`].
    pub(super) unsafe fn fail(&self, callable: &Callable<'_>, kind: FaultKind) {
        let callable = core::ptr::from_ref(callable).addr();
        // SAFETY: by the caller's word.
        unsafe { fault(self, callable, kind as usize, 0) };
    }
}

/// Ends the innermost run of this stack.
///
/// # Safety
///
/// Called by what that run called, with nothing in between that needs to be dropped.
unsafe extern "C" fn fault(
    runtime: &Runtime<'_>,
    callable: usize,
    kind: usize,
    instruction: usize,
) {
    let run = runtime.innermost((&raw const callable).addr());
    if run.is_null() {
        // Compiled code was called by somebody who prepared for nothing.
        loop {
            core::hint::spin_loop();
        }
    }
    // SAFETY: the run is under way above this place of the stack, and nothing in between needs to be dropped.
    unsafe {
        let guard = &raw mut (*run).guard;
        let jump = second_return as *const () as usize;
        runtime
            .native()
            .set_jump(guard, jump, [0, 0], [callable, kind, instruction]);
    }
}

unsafe extern "C" fn copy_block(_: &Runtime<'_>, to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: compiled code passes blocks of this size.
    unsafe { core::ptr::copy(from, to, bytes) };
}

unsafe extern "C" fn va_start(
    runtime: &Runtime<'_>,
    list: *mut u8,
    image: *mut u8,
    stack: *mut u8,
    used: u64,
) {
    let [ints, floats, placed_low, placed_high, ..] = used.to_le_bytes();
    let named = Cursor {
        ints,
        floats,
        stack: (used >> 32) as u32,
        placed: u32::from(u16::from_le_bytes([placed_low, placed_high])),
    };
    let arguments = VariableArguments {
        named,
        image,
        stack,
    };
    // SAFETY: compiled code passes a list, and the image and stack of its own arguments.
    unsafe { (runtime.target.abi.va_list.start)(list, &arguments) };
}

unsafe extern "C" fn va_arg(runtime: &Runtime<'_>, list: *mut u8, ty: usize) -> *mut u8 {
    let ty = Type::ALL.get(ty).copied().unwrap_or(Type::I64);
    // SAFETY: compiled code passes a list that has such an argument left.
    unsafe { (runtime.target.abi.va_list.argument)(list, ty) }
}

unsafe extern "C" fn va_block_arg(
    runtime: &Runtime<'_>,
    to: *mut u8,
    list: *mut u8,
    bytes: u64,
    ty: usize,
) {
    let ty = Type::ALL.get(ty).copied().unwrap_or(Type::Blk0);
    // SAFETY: compiled code passes a list that has such a block left, and room for it.
    unsafe { (runtime.target.abi.va_list.block)(to, list, Argument::block(ty, bytes)) };
}

macro_rules! binary {
    ($($name:ident $operation:ident;)*) => {$(
        extern "C" fn $name(
            runtime: &Runtime<'_>,
            to: *mut [u8; 16],
            a: *const [u8; 16],
            b: *const [u8; 16],
        ) {
            let (a, b) = (runtime.read(a), runtime.read(b));
            runtime.write(to, runtime.target.long_double.$operation(a, b));
        }
    )*};
}
binary! { ld_add add; ld_sub sub; ld_mul mul; ld_div div; }

extern "C" fn ld_neg(runtime: &Runtime<'_>, to: *mut [u8; 16], a: *const [u8; 16]) {
    let value = runtime.target.long_double.neg(runtime.read(a));
    runtime.write(to, value);
}

extern "C" fn ld_compare(runtime: &Runtime<'_>, a: *const [u8; 16], b: *const [u8; 16]) -> u64 {
    match (runtime.target.long_double).compare(runtime.read(a), runtime.read(b)) {
        Some(Ordering::Less) => 1,
        Some(Ordering::Equal) => 2,
        Some(Ordering::Greater) => 4,
        None => 8,
    }
}

extern "C" fn ld_from_int(runtime: &Runtime<'_>, to: *mut [u8; 16], value: i64) {
    runtime.write(to, runtime.target.long_double.from_i64(value));
}

extern "C" fn ld_from_unsigned(runtime: &Runtime<'_>, to: *mut [u8; 16], value: u64) {
    runtime.write(to, runtime.target.long_double.from_u64(value));
}

extern "C" fn ld_to_int(runtime: &Runtime<'_>, a: *const [u8; 16]) -> i64 {
    runtime.target.long_double.to_i64(runtime.read(a))
}

extern "C" fn ld_from_float(runtime: &Runtime<'_>, to: *mut [u8; 16], a: *const u32) {
    // SAFETY: compiled code passes the address of a float.
    let bits = unsafe { a.read_unaligned() };
    runtime.write(
        to,
        runtime.target.long_double.from_f32(f32::from_bits(bits)),
    );
}

extern "C" fn ld_from_double(runtime: &Runtime<'_>, to: *mut [u8; 16], a: *const u64) {
    // SAFETY: compiled code passes the address of a double.
    let bits = unsafe { a.read_unaligned() };
    runtime.write(
        to,
        runtime.target.long_double.from_f64(f64::from_bits(bits)),
    );
}

extern "C" fn ld_to_float(runtime: &Runtime<'_>, to: *mut u32, a: *const [u8; 16]) {
    let value = runtime.target.long_double.to_f32(runtime.read(a));
    // SAFETY: compiled code passes the address of a float.
    unsafe { to.write_unaligned(value.to_bits()) };
}

extern "C" fn ld_to_double(runtime: &Runtime<'_>, to: *mut u64, a: *const [u8; 16]) {
    let value = runtime.target.long_double.to_f64(runtime.read(a));
    // SAFETY: compiled code passes the address of a double.
    unsafe { to.write_unaligned(value.to_bits()) };
}
