//! The part that contexts and confined programs have in common: a context of the runtime with all
//! that belongs to it, in one block of the lent memory.

use crate::allocator::LentMemory;
use crate::closures::Closures;
use crate::fault::Fault;
use crate::import::Closure;
use crate::message::Message;
use crate::options::{Limits, Settings};
use crate::pages::Hook;
use crate::platform::{NATIVE, TARGET};
use crate::status::Status;
use core::cell::{Cell, UnsafeCell};
use core::fmt::Display;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::interp::Engine;
use mir_nostd::ir::{Error, Module};
use mir_nostd::link::{self, Context, ContextOptions};
use mir_nostd::mem::{Allocator, Vec};
use mir_nostd::verify::Verified;

/// A context of the runtime, and what it and its compilers refer to.
///
/// The context refers to the allocator, the pages and the engine in the same block: the block never
/// moves, and the context is dropped first. What changes is in cells, as a function that C imported
/// into a program may call functions of the interface for the same context.
#[derive(Debug)]
pub(crate) struct State {
    memory: LentMemory,
    pages: Option<Hook>,
    engine: Engine,
    #[cfg(feature = "compile")]
    is_metered: bool,
    fuel: AtomicU64,
    stack_limit: AtomicUsize,
    context: MaybeUninit<Context<'static>>,
    #[cfg(feature = "compile")]
    pub(crate) compilers: crate::compile::Compilers,
    pub(crate) imports: Closures<Closure>,
    pub(crate) limits: Cell<Limits>,
    /// The number of calls inside each other.
    calls: Cell<u32>,
    message: UnsafeCell<Message>,
    fault: Cell<Option<Fault>>,
}

/// The settings of fuel: running takes it if the embedder asked for that, or always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Metering {
    AsAsked,
    Always,
}

impl State {
    /// Returns the allocator that settings lend.
    pub(crate) fn memory(settings: &Settings) -> Result<LentMemory, Status> {
        match settings.allocator.allocate {
            None => Err(Status::BadArgument),
            Some(_) => Ok(LentMemory::new(settings.allocator)),
        }
    }

    /// Writes a state to a place of its own.
    ///
    /// # Errors
    ///
    /// The settings lack a function; nothing has to be dropped then.
    ///
    /// # Safety
    ///
    /// The place is valid for a state, which stays there until it is dropped by [`State::close`].
    pub(crate) unsafe fn open(
        place: *mut State,
        settings: &Settings,
        metering: Metering,
    ) -> Result<(), Status> {
        let is_metered = settings.is_metered || metering == Metering::Always;
        let state = State {
            memory: State::memory(settings)?,
            pages: settings.pages.hook().map_err(|()| Status::BadArgument)?,
            engine: match is_metered {
                true => Engine::with_fuel(),
                false => Engine::new(),
            },
            #[cfg(feature = "compile")]
            is_metered,
            fuel: AtomicU64::new(0),
            stack_limit: AtomicUsize::new(0),
            context: MaybeUninit::uninit(),
            #[cfg(feature = "compile")]
            compilers: crate::compile::Compilers::new(),
            imports: Closures::new(),
            limits: Cell::new(Limits::FIRST),
            calls: Cell::new(0),
            message: UnsafeCell::new(Message::new()),
            fault: Cell::new(None),
        };
        // SAFETY: the place is valid for it. What the context refers to is in the same block and
        // outlives it; neither is changed but through cells.
        unsafe {
            place.write(state);
            let mut options = ContextOptions::new(&(*place).memory, &TARGET, &(*place).engine);
            options.native = Some(&NATIVE);
            options.pages = (*place).pages.as_ref().map(|pages| pages as _);
            options.use_gates = true;
            (&raw mut (*place).context).write(MaybeUninit::new(Context::new(options)));
        }
        Ok(())
    }

    /// Drops a state, and returns its allocator.
    ///
    /// # Safety
    ///
    /// [`State::open`] wrote it, and nobody uses it any more.
    pub(crate) unsafe fn close(place: *mut State) -> LentMemory {
        // SAFETY: compilers go before the context, and that before what both refer to, which is
        // moved out of the block and dropped here.
        unsafe {
            #[cfg(feature = "compile")]
            (*place).compilers.close();
            (*place).context.assume_init_drop();
            (*place).imports.clear();
            let State { memory, .. } = place.read();
            memory
        }
    }

    pub(crate) fn context(&self) -> &Context<'static> {
        // SAFETY: `open` writes the context before it hands out the state, and only `close` drops
        // it.
        unsafe { self.context.assume_init_ref() }
    }

    /// Returns the state, its context and all that belongs to it as what lives for ever.
    ///
    /// # Safety
    ///
    /// Whatever refers to it is dropped before the state is closed.
    pub(crate) unsafe fn forever(&self) -> &'static State {
        // SAFETY: by the caller's word.
        unsafe { &*core::ptr::from_ref(self) }
    }

    pub(crate) const fn allocator(&self) -> &LentMemory {
        &self.memory
    }

    #[cfg(feature = "compile")]
    pub(crate) const fn pages(&self) -> Option<&Hook> {
        self.pages.as_ref()
    }

    #[cfg(feature = "compile")]
    pub(crate) const fn is_metered(&self) -> bool {
        self.is_metered
    }

    /// Returns the word that compiled code takes fuel from.
    #[cfg(feature = "compile")]
    pub(crate) const fn fuel_word(&self) -> &AtomicU64 {
        &self.fuel
    }

    #[cfg(feature = "compile")]
    pub(crate) const fn stack_limit_word(&self) -> &AtomicUsize {
        &self.stack_limit
    }

    /// Returns the fuel that the last call left.
    pub(crate) fn fuel(&self) -> u64 {
        self.fuel.load(Ordering::Relaxed)
    }

    pub(crate) fn set_fuel(&self, fuel: u64) {
        self.fuel.store(fuel, Ordering::Relaxed);
    }

    /// Begins a call from C: what was said of the one before is stale.
    pub(crate) fn begin(&self) {
        // SAFETY: a context is used by one thread at a time, and nobody else refers to the message
        // while it changes.
        unsafe { *self.message.get() = Message::new() };
        self.fault.set(None);
    }

    /// Keeps the text of an error, for `mir_message`.
    pub(crate) fn say(&self, what: &dyn Display) {
        // SAFETY: as above.
        unsafe { (*self.message.get()).set(what) };
    }

    /// Keeps the text of an error and returns its status: out of memory, or `otherwise`.
    pub(crate) fn fail(&self, error: Error, otherwise: Status) -> Status {
        self.say(&error);
        Status::of(error, otherwise)
    }

    /// Keeps the text of what is wrong with an argument, and returns the status of that.
    pub(crate) fn refuse(&self, what: &dyn Display) -> Status {
        self.say(what);
        Status::BadArgument
    }

    /// Keeps a fault, and returns its status.
    pub(crate) fn stop(&self, reason: link::Reason, fault: Fault) -> Status {
        self.say(&crate::fault::Said(reason, &fault));
        self.fault.set(Some(fault));
        Status::Stopped
    }

    pub(crate) fn message(&self) -> *const core::ffi::c_char {
        // SAFETY: nothing changes the message now.
        unsafe { (*self.message.get()).as_ptr() }
    }

    /// Returns the fault of the last call; null if it did not fault.
    pub(crate) fn fault(&self) -> *const Fault {
        // SAFETY: nothing changes the fault now.
        match unsafe { &*self.fault.as_ptr() } {
            Some(fault) => fault,
            None => core::ptr::null(),
        }
    }

    /// Runs a program: the outermost call has the limits for itself, and those inside share them.
    pub(crate) fn run<T>(&self, body: impl FnOnce() -> T) -> T {
        let calls = self.calls.get();
        if calls == 0 {
            let limits = self.limits.get();
            self.set_fuel(limits.fuel);
            let here = (&raw const calls).addr();
            let lowest = match limits.native_stack {
                0 => 0,
                bytes => here.saturating_sub(bytes),
            };
            self.stack_limit.store(lowest, Ordering::Relaxed);
        }
        self.calls.set(calls + 1);
        let result = body();
        self.calls.set(calls);
        result
    }

    /// Reads and verifies the modules of a program, in reverse order. After an error the message
    /// tells it with the program's names.
    pub(crate) fn verified(&self, bytes: &[u8]) -> Result<Vec<'static, Verified<'static>>, Status> {
        let bad = |error: Error| self.fail(error, Status::BadProgram);
        let mut modules = read(bytes, self.context().allocator()).map_err(bad)?;
        let mut verified = Vec::new(self.context().allocator());
        while let Some(module) = modules.pop() {
            let checked = Verified::new(module, &TARGET, &mut |_| {}).map_err(|rejected| {
                self.say(&rejected);
                Status::of(rejected.error, Status::BadProgram)
            })?;
            let kept = verified.push(checked);
            kept.map_err(|error| bad(error.into()))?;
        }
        Ok(verified)
    }
}

/// Reads the modules of a program, text or binary.
pub(crate) fn read<'m>(
    bytes: &[u8],
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, Module<'m>>, Error> {
    #[cfg(feature = "text")]
    if !binary::is_binary(bytes) {
        return mir_nostd::text::parse(bytes, allocator, TARGET.long_double, &mut |_| {});
    }
    let options = ReadOptions::new(TARGET.long_double, TARGET.big_endian);
    binary::read(bytes, allocator, &options)
}

/// Returns bytes that C gives; `None` if they are missing.
///
/// # Safety
///
/// The pointer is null or valid for so many bytes.
pub(crate) unsafe fn bytes<'a>(start: *const core::ffi::c_void, count: usize) -> Option<&'a [u8]> {
    match (start.is_null(), count) {
        (true, _) => None,
        (_, count) if count > isize::MAX as usize => None,
        // SAFETY: by the caller's word.
        _ => Some(unsafe { core::slice::from_raw_parts(start.cast(), count) }),
    }
}
