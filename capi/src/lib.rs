//! mir-nostd for C: the functions of `include/mir_nostd.h`, which documents them.
//!
//! Nothing panics or aborts. A null pointer where none is allowed is [`Status::BadArgument`]. A
//! failed call leaves the context unchanged. All memory comes from the allocator that C lends.
#![no_std]

mod allocator;
mod message;
mod platform;

use allocator::{CAllocator, LentMemory};
use core::alloc::Layout;
use core::cell::{Cell, UnsafeCell};
use core::ffi::{CStr, c_char, c_void};
use core::fmt::Display;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use heapless::CString;
use message::Message;
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::ir::{Error, Problem};
use mir_nostd::link::{Callable, Context, ContextOptions};
use mir_nostd::mem::Allocator;
use mir_nostd::target::Value;
use mir_nostd::verify::Verified;
use platform::{NATIVE, TARGET};

/// `mir_status`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum Status {
    /// `MIR_OK`
    Ok = 0,
    /// `MIR_OUT_OF_MEMORY`
    OutOfMemory = 1,
    /// `MIR_BAD_PROGRAM`
    BadProgram = 2,
    /// `MIR_NOT_LINKED`
    NotLinked = 3,
    /// `MIR_NOT_FOUND`
    NotFound = 4,
    /// `MIR_BAD_ARGUMENT`
    BadArgument = 5,
    /// `MIR_STOPPED`
    Stopped = 6,
}

/// `mir_context`: a context with everything that belongs to it, in one block of the lent memory.
///
/// The context refers to the allocator and the engine in the same block: the block never moves, and
/// the context is dropped first. What changes is in cells, as a function that C imported into a
/// program may call any function here for the same context.
#[derive(Debug)]
pub struct State {
    memory: LentMemory,
    engine: Engine,
    context: MaybeUninit<Context<'static>>,
    limits: Cell<Options>,
    message: UnsafeCell<Message>,
}

/// `mir_function`.
pub type Function = Callable<'static>;

/// `mir_resolver`.
pub type Resolver = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

impl State {
    fn context(&self) -> &Context<'static> {
        // SAFETY: `mir_open` writes the context before it hands out the state, and only `mir_close`
        // drops it.
        unsafe { self.context.assume_init_ref() }
    }

    /// Keeps the text of an error, for [`mir_message`].
    fn say(&self, what: &dyn Display) {
        // SAFETY: a context is used by one thread at a time, and nobody else refers to the message
        // while it changes.
        unsafe { (*self.message.get()).set(what) };
    }

    /// Keeps the text of an error and returns its status: out of memory, or `otherwise`.
    fn fail(&self, error: Error, otherwise: Status) -> Status {
        self.say(&error);
        match error.problem {
            Problem::OutOfMemory => Status::OutOfMemory,
            _ => otherwise,
        }
    }
}

/// The longest name that is passed to a resolver.
const LONGEST_NAME: usize = 1 << 10;

/// Returns a sentence that describes a status.
#[unsafe(no_mangle)]
pub extern "C" fn mir_status_text(status: u32) -> *const c_char {
    let text = match status {
        0 => c"everything went well",
        1 => c"out of memory",
        2 => c"the program is wrong",
        3 => c"the program does not link",
        4 => c"no such function",
        5 => c"a wrong argument",
        6 => c"the program stopped",
        _ => c"no such status",
    };
    text.as_ptr()
}

/// Creates a context.
///
/// # Safety
///
/// The pointers are null or valid; the functions of the allocator do as the header says, until
/// [`mir_close`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_open(
    allocator: *const CAllocator,
    context: *mut *mut State,
) -> Status {
    // SAFETY: the caller vouches for both.
    let (Some(allocator), Some(context)) =
        (unsafe { allocator.as_ref() }, unsafe { context.as_mut() })
    else {
        return Status::BadArgument;
    };
    *context = core::ptr::null_mut();
    let memory = LentMemory::new(*allocator);
    let Ok(block) = memory.allocate(Layout::new::<State>()) else {
        return Status::OutOfMemory;
    };
    let state = State {
        memory,
        engine: Engine::new(),
        context: MaybeUninit::uninit(),
        limits: Cell::new(Options {
            stack: 1 << 20,
            depth: 10_000,
            ..Options::default()
        }),
        message: UnsafeCell::new(Message::new()),
    };
    let place = block.cast::<State>().as_ptr();
    // SAFETY: the block is new, and as large and aligned as a state. It stays until `mir_close`, so
    // what the context refers to outlives it; neither that nor the context is changed but through
    // cells.
    unsafe {
        place.write(state);
        let mut options = ContextOptions::new(&(*place).memory, &TARGET, &(*place).engine);
        options.native = Some(&NATIVE);
        options.use_gates = true;
        (&raw mut (*place).context).write(MaybeUninit::new(Context::new(options)));
    }
    *context = place;
    Status::Ok
}

/// Closes a context.
///
/// # Safety
///
/// The context is null, or came from [`mir_open`] and was not closed; nothing of it is in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_close(context: *mut State) {
    let Some(state) = NonNull::new(context) else {
        return;
    };
    // SAFETY: the state is whole, and nobody uses it any more. The context is dropped before what
    // it refers to; the memory is moved out of the block before that is freed.
    unsafe {
        (*state.as_ptr()).context.assume_init_drop();
        let State { memory, .. } = state.read();
        memory.deallocate(state.cast(), Layout::new::<State>());
    }
}

/// Loads the modules of a program.
///
/// # Safety
///
/// The context came from [`mir_open`] and is used by nobody else; `program` has `length` bytes. The
/// program may be trusted with the memory that it touches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_load(
    context: *mut State,
    program: *const c_void,
    length: usize,
) -> Status {
    // SAFETY: the caller vouches for it.
    let Some(state) = (unsafe { context.as_ref() }) else {
        return Status::BadArgument;
    };
    if program.is_null() || length > isize::MAX as usize {
        return Status::BadArgument;
    }
    // SAFETY: the caller vouches for the bytes.
    let bytes = unsafe { core::slice::from_raw_parts(program.cast::<u8>(), length) };
    match load(state.context(), bytes) {
        Ok(()) => Status::Ok,
        Err(error) => state.fail(error, Status::BadProgram),
    }
}

fn load(context: &Context<'static>, bytes: &[u8]) -> Result<(), Error> {
    let allocator = context.allocator();
    let mut modules = read(bytes, allocator)?;
    // All modules are verified before the first is loaded: a program is loaded entirely or not at
    // all.
    let mut verified = mir_nostd::mem::Vec::new(allocator);
    while let Some(module) = modules.pop() {
        verified.push(Verified::new(module, &TARGET, &mut |_| {})?)?;
    }
    while let Some(module) = verified.pop() {
        // SAFETY: the caller of `mir_load` trusts the program.
        unsafe { context.load(module)? };
    }
    Ok(())
}

/// Reads the modules of a program, text or binary.
fn read(
    bytes: &[u8],
    allocator: &'static dyn Allocator,
) -> Result<mir_nostd::mem::Vec<'static, mir_nostd::ir::Module<'static>>, Error> {
    #[cfg(feature = "text")]
    if !binary::is_binary(bytes) {
        return mir_nostd::text::parse(bytes, allocator, TARGET.long_double, &mut |_| {});
    }
    let options = ReadOptions::new(TARGET.long_double, TARGET.big_endian);
    binary::read(bytes, allocator, &options)
}

/// Links the loaded modules.
///
/// # Safety
///
/// As for [`mir_load`]; `resolve` is null, or returns valid addresses for the programs' imports.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_link(
    context: *mut State,
    resolve: Option<Resolver>,
    data: *mut c_void,
) -> Status {
    // SAFETY: the caller vouches for it.
    let Some(state) = (unsafe { context.as_ref() }) else {
        return Status::BadArgument;
    };
    let mut find = |name: &[u8]| {
        let resolve = resolve?;
        let mut text = CString::<LONGEST_NAME>::new();
        text.extend_from_bytes(name).ok()?;
        // SAFETY: the caller vouches for the function; the name ends in a NUL.
        let found = unsafe { resolve(data, text.as_c_str().as_ptr()) };
        (!found.is_null()).then(|| found.expose_provenance())
    };
    match state.context().link(&mut find) {
        Ok(()) => Status::Ok,
        Err(error) => state.fail(error, Status::NotLinked),
    }
}

/// Finds a function by name.
///
/// # Safety
///
/// As for [`mir_load`]; `name` ends in a NUL; `function` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_find(
    context: *mut State,
    name: *const c_char,
    function: *mut *const Function,
) -> Status {
    // SAFETY: the caller vouches for them.
    let (Some(state), Some(function)) = (unsafe { context.as_ref() }, unsafe { function.as_mut() })
    else {
        return Status::BadArgument;
    };
    *function = core::ptr::null();
    if name.is_null() {
        return Status::BadArgument;
    }
    // SAFETY: the caller vouches for the name.
    let name = unsafe { CStr::from_ptr(name) };
    match state.context().find_func(name.to_bytes()) {
        Some(found) => {
            *function = found;
            Status::Ok
        }
        None => state.fail(Problem::UndeclaredName.into(), Status::NotFound),
    }
}

/// Returns the address by which C calls a function.
///
/// # Safety
///
/// As for [`mir_load`]; the function is null, or belongs to this context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_address(
    context: *mut State,
    function: *const Function,
) -> *const c_void {
    // SAFETY: the caller vouches for them.
    let (Some(_), Some(function)) = (unsafe { context.as_ref() }, unsafe { function.as_ref() })
    else {
        return core::ptr::null();
    };
    match function.native_address() {
        Some(address) => core::ptr::with_exposed_provenance(address),
        None => core::ptr::null(),
    }
}

/// Calls a function.
///
/// # Safety
///
/// As for [`mir_load`]; the function belongs to this context; `arguments` and `results` have as
/// many values as stated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_call(
    context: *mut State,
    function: *const Function,
    arguments: *const Value,
    argument_count: usize,
    results: *mut Value,
    result_count: usize,
) -> Status {
    // SAFETY: the caller vouches for them.
    let (Some(state), Some(function)) = (unsafe { context.as_ref() }, unsafe { function.as_ref() })
    else {
        return Status::BadArgument;
    };
    let missing =
        (arguments.is_null() && argument_count > 0) || (results.is_null() && result_count > 0);
    if missing || !fits(function, argument_count, result_count) {
        return Status::BadArgument;
    }
    // With a count of 0 the pointer is not used.
    let arguments = match argument_count {
        0 => &[][..],
        // SAFETY: the caller vouches for the values.
        count => unsafe { core::slice::from_raw_parts(arguments, count) },
    };
    let results = match result_count {
        0 => &mut [][..],
        // SAFETY: the caller vouches for the room.
        count => unsafe { core::slice::from_raw_parts_mut(results, count) },
    };
    let Ok(mut interpreter) = Interpreter::new(state.context(), state.limits.get()) else {
        return state.fail(Problem::OutOfMemory.into(), Status::OutOfMemory);
    };
    match interpreter.run(function, arguments, results) {
        Ok(()) => Status::Ok,
        Err(stop) => {
            state.say(&stop);
            Status::Stopped
        }
    }
}

/// Returns whether a function has exactly this number of named arguments and of results.
fn fits(function: &Function, arguments: usize, results: usize) -> bool {
    let Some((module, func)) = function.func() else {
        return false;
    };
    let module = module.module();
    let signature = module.func(func).signature;
    let fixed = module.args(&signature).len();
    arguments == fixed && module.results(&signature).len() == results
}

/// Sets the limits of calls.
///
/// # Safety
///
/// As for [`mir_load`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_limit(context: *mut State, stack: usize, depth: usize) {
    // SAFETY: the caller vouches for it.
    if let Some(state) = unsafe { context.as_ref() } {
        state.limits.set(Options {
            stack,
            depth,
            ..state.limits.get()
        });
    }
}

/// Returns the message of the last call that failed.
///
/// # Safety
///
/// As for [`mir_load`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_message(context: *const State) -> *const c_char {
    // SAFETY: the caller vouches for it.
    match unsafe { context.as_ref() } {
        // SAFETY: nothing changes the message now.
        Some(state) => unsafe { (*state.message.get()).as_ptr() },
        None => c"".as_ptr(),
    }
}
