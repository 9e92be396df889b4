//! The native gate: what the machine itself must do for calls between interpreted and native code.
//!
//! Everything that can be decided ahead is decided in [`super::Plan`]; what is left is one piece of
//! assembly per ISA that loads registers, calls and stores registers, and its mirror image for
//! calls from C. Floating registers are touched only where a call passes floats.

use super::{Target, Value};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Gives functions, and types of function pointers, the calling convention of the target's
/// description, to which gates and compiled code keep. That is C's, and they stay as they are; but
/// on `x86_64` under UEFI, where C's is that of Windows, they become `extern "sysv64"`.
///
/// It takes functions, either all unsafe or none, or a type:
///
/// ```
/// use mir_nostd::native_abi;
/// use mir_nostd::target::{Entry, Handler, Incoming};
///
/// native_abi! {
///     unsafe extern "C-unwind" fn nothing(_: &Entry, _: Option<&mut Incoming>) {}
/// }
/// let handler: Handler = nothing;
/// type Nothing = native_abi!(unsafe extern "C-unwind" fn(&Entry, Option<&mut Incoming>));
/// let same: Nothing = handler;
/// ```
#[cfg(not(all(target_arch = "x86_64", target_os = "uefi")))]
#[macro_export]
macro_rules! native_abi {
    ($($item:tt)+) => { $($item)+ };
}

/// Gives functions, and types of function pointers, the System V calling convention, to which gates
/// and compiled code keep: C's is that of Windows here. It takes functions, either all unsafe or
/// none, or a type.
#[cfg(all(target_arch = "x86_64", target_os = "uefi"))]
#[macro_export]
macro_rules! native_abi {
    ($(
        $(#[$attribute:meta])*
        $vis:vis unsafe extern $abi:literal fn $name:ident $parameters:tt $(-> $result:ty)? $body:block
    )+) => {$(
        $(#[$attribute])*
        $vis unsafe extern "sysv64" fn $name $parameters $(-> $result)? $body
    )+};
    ($(
        $(#[$attribute:meta])*
        $vis:vis extern $abi:literal fn $name:ident $parameters:tt $(-> $result:ty)? $body:block
    )+) => {$(
        $(#[$attribute])*
        $vis extern "sysv64" fn $name $parameters $(-> $result)? $body
    )+};
    (unsafe extern $abi:literal fn $parameters:tt $(-> $result:ty)?) => {
        unsafe extern "sysv64" fn $parameters $(-> $result)?
    };
}

/// The argument registers, and after the call the result registers, of one call, as the target's
/// [`super::ImageLayout`] says.
pub type Image = [MaybeUninit<u128>; 14];

/// A call to native code that [`Native::call`] makes. The layout is known to the assembly gates.
#[derive(Debug)]
#[repr(C, align(16))]
pub struct Outgoing {
    /// Argument registers before, result registers after.
    pub image: Image,
    /// The address of the function.
    pub function: usize,
    /// Bytes of stack arguments, a multiple of 16.
    pub stack_bytes: usize,
    /// Writes all arguments, called with this structure and the start of the stack arguments; only
    /// if there are any.
    pub fill: native_abi!(unsafe extern "C" fn(*mut Outgoing, *mut u8)),
    /// Called likewise when the result registers are in the image, before the stack arguments are
    /// given up.
    pub finish: native_abi!(unsafe extern "C" fn(*mut Outgoing, *mut u8)),
    /// The number of floating registers that are arguments; with 0 none is loaded.
    pub argument_floats: usize,
    /// The number of floating registers that are results; with 0 none is stored.
    pub result_floats: usize,
    /// The number of registers of the x87 stack that are results.
    pub result_x87: usize,
}

/// A call from native code as an [`Entry`] catches it. The layout is known to the assembly gates.
#[derive(Debug)]
#[repr(C)]
pub struct Incoming {
    /// Argument registers before, result registers after: an image of them.
    pub image: *mut u8,
    /// The start of the stack arguments.
    pub stack: *mut u8,
    /// The number of registers of the x87 stack that are results; 0 at first.
    pub result_x87: usize,
}

/// The data word that native code reaches when it calls an interpreted function: the static gates
/// and the thunks load its address and jump through its first word.
///
/// It is the one thing that changes when a function changes its engine: machine code is never
/// patched for that. [`Entry::bind`] comes before anybody is told the address of its gate or thunk;
/// [`Entry::redirect`] at any time.
///
/// Anybody can look at the entries of the static gates; who changes one vouches for the calls
/// through it:
///
/// ```compile_fail,E0133
/// fn redirect(entry: &mir_nostd::target::Entry) {
///     entry.redirect(0x1000);
/// }
/// ```
/// ```compile_fail,E0133
/// fn release(entry: &mir_nostd::target::Entry) {
///     entry.release();
/// }
/// ```
#[derive(Debug)]
#[repr(C, align(32))]
pub struct Entry {
    code: AtomicUsize,
    handler: AtomicUsize,
    context: AtomicPtr<()>,
    floats: AtomicUsize,
}

/// The function that an [`Entry`] calls. With an [`Incoming`] it runs a call that was caught
/// ([`Native::entry`]): takes the arguments from there and puts the results there. Without one it
/// decides where control goes on ([`Native::resolver`]) and says so by [`Entry::redirect`].
///
/// An entry that changes between the two uses while threads call through it may find either in its
/// handler, whichever gate caught it.
pub type Handler = native_abi!(unsafe extern "C-unwind" fn(&Entry, Option<&mut Incoming>));

/// The registers that a gate saves and loads beside the general ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GateRegisters {
    /// None: no argument or result is a floating one. Floating registers stay untouched.
    General,
    /// The floating ones.
    Floating,
}

impl Entry {
    /// Returns an entry that nothing may call yet.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an entry has a place; a default would suggest a value"
    )]
    pub const fn new() -> Entry {
        Entry {
            code: AtomicUsize::new(0),
            handler: AtomicUsize::new(0),
            context: AtomicPtr::new(core::ptr::null_mut()),
            floats: AtomicUsize::new(0),
        }
    }

    /// Makes calls run `handler`, for arguments and results in these registers.
    ///
    /// # Safety
    ///
    /// The entry is the caller's: its own, or of a gate that it claimed. The handler does for calls
    /// through it what it is written for, given this context, as long as native code may call.
    pub unsafe fn bind(
        &self,
        native: &dyn Native,
        handler: Handler,
        context: *mut (),
        registers: GateRegisters,
    ) {
        self.handler.store(handler as usize, Ordering::Relaxed);
        self.context.store(context, Ordering::Relaxed);
        let floats = usize::from(registers == GateRegisters::Floating);
        self.floats.store(floats, Ordering::Relaxed);
        self.code.store(native.entry(), Ordering::Release);
    }

    /// Sets another handler for a bound entry; returns the address of the one before.
    ///
    /// # Safety
    ///
    /// As [`Entry::bind`], with what the entry is bound to; `handler` is the address of a
    /// [`Handler`].
    pub(crate) unsafe fn replace_handler(&self, handler: usize) -> usize {
        self.handler.swap(handler, Ordering::AcqRel)
    }

    /// Returns the handler; `None` before the entry is bound.
    pub(crate) fn handler(&self) -> Option<Handler> {
        // SAFETY: the word holds the address of a handler, or 0.
        unsafe { handler_at(self.handler.load(Ordering::Acquire)) }
    }

    /// Has `handler` decide where control goes on whenever it comes by, while these registers may
    /// hold something that is still needed.
    ///
    /// # Safety
    ///
    /// As [`Entry::bind`].
    pub unsafe fn resolve(
        &self,
        native: &dyn Native,
        handler: Handler,
        context: *mut (),
        registers: GateRegisters,
    ) {
        // SAFETY: by the caller's word; the resolver is for bound entries.
        unsafe {
            self.bind(native, handler, context, registers);
            self.redirect(native.resolver());
        }
    }

    /// Makes calls go straight to machine code at this address.
    ///
    /// # Safety
    ///
    /// The entry is the caller's, and the code there can be called in the ways in which the entry
    /// is, as long as it may be.
    pub unsafe fn redirect(&self, code: usize) {
        self.code.store(code, Ordering::Release);
    }

    /// Returns the registers that are saved.
    pub(crate) fn registers(&self) -> GateRegisters {
        match self.floats.load(Ordering::Relaxed) {
            0 => GateRegisters::General,
            _ => GateRegisters::Floating,
        }
    }

    /// Returns the context that [`Entry::bind`] took for the handler.
    #[must_use]
    pub fn context(&self) -> *mut () {
        self.context.load(Ordering::Relaxed)
    }

    /// Sets what [`Entry::context`] returns.
    ///
    /// # Safety
    ///
    /// The entry is the caller's, and its handler, if there is one, takes this.
    pub unsafe fn set_context(&self, context: *mut ()) {
        self.context.store(context, Ordering::Relaxed);
    }

    /// Takes the entry if nobody has it: for pools that several contexts share.
    #[must_use]
    pub fn claim(&self) -> bool {
        self.code
            .compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    /// Releases a claimed entry.
    ///
    /// # Safety
    ///
    /// The caller claimed it, and nothing calls it any more.
    pub unsafe fn release(&self) {
        self.code.store(0, Ordering::Release);
    }
}

/// Returns the handler at an address; `None` for 0.
///
/// # Safety
///
/// The address is that of a [`Handler`], or 0.
#[expect(
    clippy::disallowed_methods,
    reason = "an address becomes the function there"
)]
pub(crate) unsafe fn handler_at(address: usize) -> Option<Handler> {
    // SAFETY: by the caller's word.
    unsafe { core::mem::transmute::<usize, Option<Handler>>(address) }
}

/// The static gates: functions in the program's own text, each bound to one [`Entry`] for ever.
#[derive(Clone, Copy, Debug)]
pub struct Gates {
    /// The entries, one per gate.
    pub entries: &'static [Entry],
    /// The address of the first gate.
    pub start: usize,
    /// Bytes from one gate to the next.
    pub stride: usize,
}

impl Gates {
    /// Takes a gate that nobody has: its entry, and the address that C calls.
    #[must_use]
    pub fn claim(&self) -> Option<(&'static Entry, usize)> {
        let (index, entry) = self
            .entries
            .iter()
            .enumerate()
            .find(|(_, entry)| entry.claim())?;
        Some((entry, self.start + index * self.stride))
    }
}

/// The data of an interpreter run with which C's `longjmp` can come back to it.
///
/// # Protocol
///
/// A program that cannot call `setjmp` needs none of this: `guarded` saves floating registers, and
/// a kernel that keeps off them runs the interpreter directly.
///
/// The outermost function of a run owns a `Guard` that stays where it is, and runs the interpreter
/// by [`Native::guarded`]. An interpreted call of `setjmp` is made by [`Native::set_jump`] with the
/// guard of the innermost run and three words by which the interpreter will know the place again
/// (they live in callee-saved registers, so in the `jmp_buf`): say frame, instruction and stack
/// top. The first return is an ordinary one. When anything below the run later calls `longjmp` on
/// that buffer, then `guarded` returns with [`Guard::jumped`] set, the words and the value in the
/// guard; everything between is gone, C frames and Rust frames alike, so no Rust frame there may
/// rely on being dropped. The interpreter sets its state back by the words, stores the value as the
/// result of the `setjmp` call and calls `guarded` again.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Guard {
    stack: usize,
    /// Not 0 if `guarded` returned by `longjmp`; cleared by the next call of it.
    pub jumped: usize,
    /// The value that `setjmp` returned the second time, never 0.
    pub value: usize,
    /// The words that `set_jump` took.
    pub words: [usize; 3],
}

impl Guard {
    /// Returns a guard that is not in use.
    #[must_use]
    pub const fn new() -> Guard {
        Guard {
            stack: 0,
            jumped: 0,
            value: 0,
            words: [0; 3],
        }
    }

    /// Offset of the saved stack pointer, for the gates.
    pub const STACK: usize = core::mem::offset_of!(Guard, stack);
}

/// Offsets in [`Entry`] for the gates and thunks.
impl Entry {
    /// Of the address that is jumped to: 0, which thunks rely on.
    pub const CODE: usize = core::mem::offset_of!(Entry, code);
    /// Of the handler.
    pub const HANDLER: usize = core::mem::offset_of!(Entry, handler);
    /// Of the word that is not 0 if floating registers are to be saved and loaded.
    pub const FLOATS: usize = core::mem::offset_of!(Entry, floats);
}

/// The machine that runs the program: its assembly gates. One instance per target crate, there only
/// when compiled for that machine.
///
/// # Safety
///
/// An implementor follows the platform's ABI exactly as [`Native::target`] describes it, and
/// preserves everything that the ABI has a callee preserve.
pub unsafe trait Native: Sync {
    /// Returns the description of this machine.
    fn target(&self) -> &'static Target;

    /// Makes a call.
    ///
    /// # Safety
    ///
    /// The function exists and takes and returns what the image and the stack arguments hold; it
    /// may do anything that C can. Stack for `stack_bytes` is there.
    unsafe fn call(&self, outgoing: *mut Outgoing);

    /// Calls `body(argument)` so that [`Native::set_jump`] can be used in it; see [`Guard`].
    /// Returns whether it came back by `longjmp`.
    ///
    /// # Safety
    ///
    /// `body` may be called so, and the guard stays at its place and is used by one run at a time.
    unsafe fn guarded(&self, guard: *mut Guard, body: Body, argument: *mut ()) -> bool;

    /// Calls a function of the `setjmp` family with up to two arguments; see [`Guard`].
    ///
    /// # Safety
    ///
    /// Runs below `guarded` of this guard; the function is `setjmp`, `_setjmp` or `sigsetjmp`, and
    /// the arguments suit. The buffer is not used once that `guarded` is over for good.
    unsafe fn set_jump(
        &self,
        guard: *mut Guard,
        function: usize,
        arguments: [usize; 2],
        words: [usize; 3],
    ) -> i32;

    /// Stops the machine, or this process: for code that cannot go on and has nobody to tell.
    fn halt(&self) -> !;

    /// Returns the code that catches a call for an [`Entry`].
    fn entry(&self) -> usize;

    /// Returns the code that catches control at an [`Entry`], has its handler decide where it goes
    /// on, and goes there through the entry with all registers as they were, but those that thunks
    /// use.
    fn resolver(&self) -> usize;

    /// Returns the pool of static gates.
    fn gates(&self) -> Gates;

    /// Makes code that was written at these addresses visible to instruction fetch on this core.
    ///
    /// # Safety
    ///
    /// The range is mapped.
    unsafe fn flush_instruction_cache(&self, start: *const u8, length: usize);
}

impl core::fmt::Debug for dyn Native + '_ {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Native({})", self.target().name)
    }
}

/// The function that [`Native::guarded`] calls.
pub type Body = native_abi!(unsafe extern "C-unwind" fn(*mut ()));

/// Calls a function that runs in [`Native::guarded`].
///
/// # Safety
///
/// It may be called so.
#[inline(always)]
pub(crate) unsafe fn call_body(body: Body, argument: *mut ()) {
    #[cfg(not(panic = "unwind"))]
    // SAFETY: the calling convention is the same; what does not unwind passes no exceptions on, so
    // that callers need not be prepared for any.
    let body = unsafe {
        type To = native_abi!(unsafe extern "C" fn(*mut ()));
        core::mem::transmute::<Body, To>(body)
    };
    // SAFETY: by the caller's word.
    unsafe { body(argument) };
}

/// Calls the handler of an entry.
///
/// # Safety
///
/// The handler is one of this entry.
#[inline(always)]
pub(crate) unsafe fn call_handler(
    handler: Handler,
    entry: &Entry,
    incoming: Option<&mut Incoming>,
) {
    #[cfg(not(panic = "unwind"))]
    // SAFETY: as in `call_body`.
    let handler = unsafe {
        type To = native_abi!(unsafe extern "C" fn(&Entry, Option<&mut Incoming>));
        core::mem::transmute::<Handler, To>(handler)
    };
    // SAFETY: by the caller's word.
    unsafe { handler(entry, incoming) };
}

/// Makes a line of assembly of a rule for unwinding the frame of a gate: the rule itself where
/// exceptions may pass, and an empty line in programs that end at a panic.
///
/// ```
/// # use mir_nostd::unwind_rule;
/// let rule = unwind_rule!(".cfi_startproc");
/// assert_eq!(rule.is_empty(), cfg!(not(panic = "unwind")));
/// ```
#[cfg(panic = "unwind")]
#[macro_export]
macro_rules! unwind_rule {
    ($rule:literal) => {
        $rule
    };
}

/// Makes an empty line of assembly of a rule for unwinding the frame of a gate, as no exception
/// passes where a panic ends the program.
#[cfg(not(panic = "unwind"))]
#[macro_export]
macro_rules! unwind_rule {
    ($rule:literal) => {
        ""
    };
}

/// The assembly of one ISA, as [`Machine`] offers it.
#[derive(Clone, Copy, Debug)]
pub struct Assembly {
    /// The machine.
    pub target: &'static Target,
    /// [`Native::call`].
    pub call: native_abi!(unsafe extern "C-unwind" fn(*mut Outgoing)),
    /// [`Native::guarded`]; returns 0 if `body` returned.
    pub guarded: native_abi!(unsafe extern "C-unwind" fn(*mut Guard, Body, *mut ()) -> usize),
    /// [`Native::set_jump`] with both arguments and the address of the words.
    pub set_jump:
        native_abi!(unsafe extern "C" fn(*mut Guard, usize, usize, usize, *const usize) -> i32),
    /// [`Native::halt`].
    pub halt: unsafe extern "C" fn() -> !,
    /// [`Native::entry`].
    pub entry: unsafe extern "C" fn(),
    /// [`Native::resolver`].
    pub resolver: unsafe extern "C" fn(),
    /// The first static gate.
    pub gates: unsafe extern "C" fn(),
    /// Bytes from one static gate to the next.
    pub gate_bytes: usize,
    /// The entries of the static gates.
    pub entries: &'static [Entry],
    /// [`Native::flush_instruction_cache`].
    pub flush: unsafe fn(*const u8, usize),
}

/// A machine made of its [`Assembly`].
#[derive(Debug)]
pub struct Machine(Assembly);

impl Machine {
    /// Returns the machine with these gates.
    ///
    /// # Safety
    ///
    /// They do what [`Native`] demands.
    #[must_use]
    pub const unsafe fn new(assembly: Assembly) -> Machine {
        Machine(assembly)
    }
}

// SAFETY: whoever made the machine vouched for its gates.
unsafe impl Native for Machine {
    fn target(&self) -> &'static Target {
        self.0.target
    }

    unsafe fn call(&self, outgoing: *mut Outgoing) {
        let call = self.0.call;
        #[cfg(not(panic = "unwind"))]
        // SAFETY: as in `call_body`.
        let call = unsafe {
            type From = native_abi!(unsafe extern "C-unwind" fn(*mut Outgoing));
            type To = native_abi!(unsafe extern "C" fn(*mut Outgoing));
            core::mem::transmute::<From, To>(call)
        };
        // SAFETY: the caller vouches for the call.
        unsafe { call(outgoing) };
    }

    unsafe fn guarded(&self, guard: *mut Guard, body: Body, argument: *mut ()) -> bool {
        let guarded = self.0.guarded;
        #[cfg(not(panic = "unwind"))]
        // SAFETY: as in `call_body`.
        let guarded = unsafe {
            type From =
                native_abi!(unsafe extern "C-unwind" fn(*mut Guard, Body, *mut ()) -> usize);
            type To = native_abi!(unsafe extern "C" fn(*mut Guard, Body, *mut ()) -> usize);
            core::mem::transmute::<From, To>(guarded)
        };
        // SAFETY: the caller vouches for body and guard.
        unsafe { guarded(guard, body, argument) != 0 }
    }

    unsafe fn set_jump(
        &self,
        guard: *mut Guard,
        function: usize,
        arguments: [usize; 2],
        words: [usize; 3],
    ) -> i32 {
        let [first, second] = arguments;
        // SAFETY: the caller vouches for the function and for being below `guarded`.
        unsafe { (self.0.set_jump)(guard, function, first, second, words.as_ptr()) }
    }

    fn halt(&self) -> ! {
        // SAFETY: it does not come back.
        unsafe { (self.0.halt)() }
    }

    fn entry(&self) -> usize {
        self.0.entry as usize
    }

    fn resolver(&self) -> usize {
        self.0.resolver as usize
    }

    fn gates(&self) -> Gates {
        Gates {
            entries: self.0.entries,
            start: self.0.gates as usize,
            stride: self.0.gate_bytes,
        }
    }

    unsafe fn flush_instruction_cache(&self, start: *const u8, length: usize) {
        // SAFETY: the caller vouches for the range.
        unsafe { (self.0.flush)(start, length) };
    }
}

const _: () = assert!(Entry::CODE == 0 && size_of::<Entry>() == 32 && align_of::<Value>() == 16);
