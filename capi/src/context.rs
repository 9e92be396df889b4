//! Programs that are vouched for: the functions of contexts.

use crate::fault::{Fault, frame};
use crate::import::{Closure, Import};
use crate::options::{Limits, Settings};
use crate::signature::{Signature, Wrong};
use crate::state::{Metering, State, bytes};
use crate::status::Status;
use core::alloc::Layout;
use core::ffi::{CStr, c_char, c_void};
use core::ptr::NonNull;
use mir_nostd::interp::{Interpreter, Options, Stop};
use mir_nostd::ir::Problem;
use mir_nostd::link::{Callable, LinkedModule};
use mir_nostd::mem::{Allocator, Vec};
#[cfg(feature = "compile")]
use mir_nostd::run::CallError;
use mir_nostd::target::Value;

/// Programs that were loaded, and what they need to run. A context belongs to one thread at a time,
/// and so do its functions. Functions that its programs import may call functions of this header
/// for it, all but `mir_close`.
#[derive(Debug)]
pub struct ContextOfC(State);

/// A function of a context; it lives as long as that.
#[derive(Debug)]
pub struct FunctionOfC(Callable<'static>);

/// Gives the address of a function or of data that a program imports, or null. Functions are called
/// by the platform's convention, unchecked. The name ends in a NUL and is valid during the call.
pub type Resolver =
    Option<unsafe extern "C" fn(state: *mut c_void, name: *const c_char) -> *mut c_void>;

/// Opens a context for programs that may be trusted with all memory. `settings` is copied.
///
/// `MIR_STATUS_BAD_ARGUMENT` if a function is missing in the settings, `MIR_STATUS_OUT_OF_MEMORY`;
/// `*context` is null then. It may be called by any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_open(
    settings: *const Settings,
    context: *mut *mut ContextOfC,
) -> Status {
    // SAFETY: the caller vouches for both.
    let (Some(settings), Some(context)) =
        (unsafe { settings.as_ref() }, unsafe { context.as_mut() })
    else {
        return Status::BadArgument;
    };
    *context = core::ptr::null_mut();
    let opened = State::memory(settings).and_then(|memory| {
        let layout = Layout::new::<ContextOfC>();
        let block = memory.allocate(layout).map_err(|_| Status::OutOfMemory)?;
        let place = block.cast::<ContextOfC>().as_ptr();
        // SAFETY: the block is new, and as large and aligned as a state; it stays until
        // `mir_close`.
        let opened = unsafe { State::open(&raw mut (*place).0, settings, Metering::AsAsked) };
        opened.inspect_err(|_| {
            // SAFETY: as it was allocated; nothing is in it.
            unsafe { memory.deallocate(block, layout) };
        })?;
        Ok(place)
    });
    match opened {
        Ok(place) => {
            *context = place;
            Status::Ok
        }
        Err(status) => status,
    }
}

/// Closes a context and gives its memory back. Null is allowed. No function of it may be running,
/// or be called later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_close(context: *mut ContextOfC) {
    let Some(place) = NonNull::new(context) else {
        return;
    };
    // SAFETY: the state is whole, and nobody uses it any more.
    unsafe {
        let memory = State::close(&raw mut (*place.as_ptr()).0);
        memory.deallocate(place.cast(), Layout::new::<ContextOfC>());
    }
}

/// Returns the state of a context, about to do what C asks for.
///
/// # Safety
///
/// The context is null, or was opened and not closed; one thread uses it.
unsafe fn begin<'a>(context: *const ContextOfC) -> Option<&'a State> {
    // SAFETY: by the caller's word.
    let context = unsafe { context.as_ref() }?;
    context.0.begin();
    Some(&context.0)
}

/// Loads the modules of a program: binary, or text that need not end in a NUL. Running it lets it
/// touch any memory, as C does: load only what you trust, and the rest with `mir_program_load`. The
/// bytes are not needed afterwards.
///
/// `MIR_STATUS_BAD_PROGRAM` if it does not read or breaks a rule of the language, which the message
/// says with the function and the instruction; `MIR_STATUS_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_load(
    context: *mut ContextOfC,
    program: *const c_void,
    size: usize,
) -> Status {
    // SAFETY: the caller vouches for it.
    let Some(state) = (unsafe { begin(context) }) else {
        return Status::BadArgument;
    };
    // SAFETY: the caller vouches for the bytes.
    let Some(bytes) = (unsafe { bytes(program, size) }) else {
        return state.refuse(&"there is no program");
    };
    match load(state, bytes) {
        Ok(()) => Status::Ok,
        Err(status) => status,
    }
}

fn load(state: &State, bytes: &[u8]) -> Result<(), Status> {
    // All modules are verified before the first is loaded: a program is loaded entirely or not at
    // all.
    let mut verified = state.verified(bytes)?;
    while let Some(module) = verified.pop() {
        // SAFETY: the caller of `mir_load` trusts the program.
        let loaded = unsafe { state.context().load(module) };
        loaded.map_err(|error| state.fail(error, Status::BadProgram))?;
    }
    Ok(())
}

/// Defines an import: a C function with its signature. Calls by a prototype with another signature
/// fault with `MIR_REASON_SIGNATURE`. Modules that are linked keep what they have.
///
/// `MIR_STATUS_BAD_ARGUMENT` for a null pointer or an unknown type, `MIR_STATUS_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_define(
    context: *mut ContextOfC,
    name: *const c_char,
    signature: *const Signature,
    function: Import,
    state: *mut c_void,
) -> Status {
    // SAFETY: the caller vouches for all.
    let Some(this) = (unsafe { begin(context) }) else {
        return Status::BadArgument;
    };
    // SAFETY: as above.
    let Some(signature) = (unsafe { signature.as_ref() }) else {
        return this.refuse(&"there is no signature");
    };
    let (false, Some(function)) = (name.is_null(), function) else {
        return this.refuse(&"there is no name or no function");
    };
    // SAFETY: as above; the closures are kept as long as the context.
    let defined = unsafe {
        let allocator = this.forever().allocator();
        signature.check(allocator).and_then(|checked| {
            let closure = this.imports.keep(this, Closure { function, state })?;
            let name = CStr::from_ptr(name).to_bytes();
            let added = this.context().add_host_fn(name, checked.spec(), closure);
            added.map_err(|_| Wrong::Memory)
        })
    };
    match defined {
        Ok(()) => Status::Ok,
        Err(Wrong::Signature) => this.refuse(&"the signature has no such types"),
        Err(Wrong::Memory) => this.fail(Problem::OutOfMemory.into(), Status::OutOfMemory),
    }
}

/// Links what was loaded since the last time. Imports are looked for among exports and what was
/// defined; then `resolve` is asked, which may be null if there are no others.
///
/// `MIR_STATUS_NOT_LINKED` if something stays undefined, which the message names, or if a value of
/// the program's data cannot be computed; `MIR_STATUS_OUT_OF_MEMORY`. It may be linked again then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_link(
    context: *mut ContextOfC,
    resolve: Resolver,
    state: *mut c_void,
) -> Status {
    // SAFETY: the caller vouches for it.
    let Some(this) = (unsafe { begin(context) }) else {
        return Status::BadArgument;
    };
    let mut has_memory = true;
    let mut find = |name: &[u8]| {
        let found = resolve.and_then(|resolve| {
            let mut text = Vec::new(this.context().allocator());
            let copied = text.extend_from_slice(name).and_then(|()| text.push(0));
            has_memory &= copied.is_ok();
            copied.ok()?;
            // SAFETY: the caller vouches for the function; the name ends in a NUL.
            NonNull::new(unsafe { resolve(state, text.as_ptr().cast()) })
        });
        if found.is_none() {
            let name = crate::fault::Lossy(name);
            this.say(&format_args!("nothing defines the imported name {name}"));
        }
        found.map(|found| found.as_ptr().expose_provenance())
    };
    match this.context().link(&mut find) {
        Ok(()) => Status::Ok,
        Err(_) if !has_memory => this.fail(Problem::OutOfMemory.into(), Status::OutOfMemory),
        Err(error) if error.problem == Problem::UnresolvedImport => Status::NotLinked,
        Err(error) => this.fail(error, Status::NotLinked),
    }
}

/// Compiles all functions that are linked and not compiled yet, at a level from 0 to
/// `MIR_HIGHEST_LEVEL`: at once, or later, as `when` says. A level that is left out of the library
/// is its highest. What cannot be compiled stays with the interpreter: `left`, which may be null,
/// gets how many functions that is, and the message says why the first is. Functions that are
/// linked later are compiled by another call. A function keeps its address.
///
/// `MIR_STATUS_BAD_ARGUMENT` if no executable pages were lent or there is no such level or time;
/// `MIR_STATUS_OUT_OF_MEMORY`. The library has it with its feature `compile`.
#[cfg(feature = "compile")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_compile(
    context: *mut ContextOfC,
    level: u32,
    when: crate::compile::WhenNumber,
    left: *mut usize,
) -> Status {
    // SAFETY: the caller vouches for them.
    let Some(state) = (unsafe { begin(context) }) else {
        return Status::BadArgument;
    };
    match state.compile(level, when) {
        Ok(count) => {
            // SAFETY: as above.
            if let Some(left) = unsafe { left.as_mut() } {
                *left = count;
            }
            Status::Ok
        }
        Err(status) => status,
    }
}

/// Finds a function that a linked program exports.
///
/// `MIR_STATUS_NOT_FOUND` if there is none of this name; `*function` is null then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_find(
    context: *mut ContextOfC,
    name: *const c_char,
    function: *mut *const FunctionOfC,
) -> Status {
    // SAFETY: the caller vouches for them.
    let Some(state) = (unsafe { begin(context) }) else {
        return Status::BadArgument;
    };
    // SAFETY: as above.
    let (Some(function), false) = (unsafe { function.as_mut() }, name.is_null()) else {
        return state.refuse(&"there is no name, or no place for the function");
    };
    *function = core::ptr::null();
    // SAFETY: as above.
    let name = unsafe { CStr::from_ptr(name) };
    match state.context().find_func(name.to_bytes()) {
        Some(found) => {
            *function = core::ptr::from_ref(found).cast();
            Status::Ok
        }
        None => {
            let name = crate::fault::Lossy(name.to_bytes());
            state.say(&format_args!("no function {name} is exported"));
            Status::NotFound
        }
    }
}

/// Returns the address of a function, for C to call by the platform's convention; a function that
/// is compiled later keeps it. Null if it has none: where no executable pages were lent there are
/// 256 for all contexts together, taken in the order of loading. A fault in such a call ends the
/// call by `mir_call` that it comes from, if there is one; else results are zeros, or the machine
/// stops.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_address(function: *const FunctionOfC) -> *const c_void {
    // SAFETY: the caller vouches for it.
    let function = unsafe { function.as_ref() };
    let address = function.and_then(|function| function.0.native_address());
    address.map_or(core::ptr::null(), core::ptr::with_exposed_provenance)
}

/// Calls a function with as many arguments, and room for as many results, as it has: compiled,
/// where it was compiled. Pointers may be null where their count is 0.
///
/// `MIR_STATUS_BAD_ARGUMENT` if the counts are others, `MIR_STATUS_STOPPED` if it faults,
/// `MIR_STATUS_OUT_OF_MEMORY` if there is no memory for making the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_call(
    context: *mut ContextOfC,
    function: *const FunctionOfC,
    arguments: *const Value,
    argument_count: usize,
    results: *mut Value,
    result_count: usize,
) -> Status {
    // SAFETY: the caller vouches for them.
    let Some(state) = (unsafe { begin(context) }) else {
        return Status::BadArgument;
    };
    // SAFETY: as above.
    let Some(function) = (unsafe { function.as_ref() }) else {
        return state.refuse(&"there is no function");
    };
    // SAFETY: as above.
    let (arguments, results) = unsafe {
        (
            given(arguments, argument_count),
            room(results, result_count),
        )
    };
    let (Some(arguments), Some(results)) = (arguments, results) else {
        return state.refuse(&"there are no arguments, or no room for results");
    };
    let has = counts(&function.0);
    if has != Some((arguments.len(), results.len())) {
        return wrong_counts(state, has, arguments.len(), results.len());
    }
    state.run(|| call(state, &function.0, arguments, results))
}

/// Returns the values that C gives.
///
/// # Safety
///
/// The pointer is null or to so many values.
pub(crate) unsafe fn given<'a>(start: *const Value, count: usize) -> Option<&'a [Value]> {
    match (start.is_null(), count) {
        (_, 0) => Some(&[]),
        (true, _) => None,
        // SAFETY: by the caller's word.
        (false, _) => Some(unsafe { core::slice::from_raw_parts(start, count) }),
    }
}

/// Returns the room for values that C gives.
///
/// # Safety
///
/// The pointer is null or to so many values, which nobody else uses.
pub(crate) unsafe fn room<'a>(start: *mut Value, count: usize) -> Option<&'a mut [Value]> {
    match (start.is_null(), count) {
        (_, 0) => Some(&mut []),
        (true, _) => None,
        // SAFETY: by the caller's word.
        (false, _) => Some(unsafe { core::slice::from_raw_parts_mut(start, count) }),
    }
}

/// Returns the numbers of named arguments and of results of a function.
fn counts(function: &Callable<'static>) -> Option<(usize, usize)> {
    let (linked, func) = function.func()?;
    let module = linked.module();
    let signature = module.func(func).signature;
    Some((
        module.args(&signature).len(),
        module.results(&signature).len(),
    ))
}

/// Says that a call has other numbers of arguments and results than the function.
pub(crate) fn wrong_counts(
    state: &State,
    has: Option<(usize, usize)>,
    arguments: usize,
    results: usize,
) -> Status {
    match has {
        None => state.refuse(&"this is no function of a program"),
        Some((takes, gives)) => {
            let [more, many] = [takes, gives].map(|count| if count == 1 { "" } else { "s" });
            state.refuse(&format_args!(
                "the function has {takes} argument{more} and {gives} result{many}, not \
                 {arguments} and {results}"
            ))
        }
    }
}

fn call(
    state: &State,
    function: &Callable<'static>,
    arguments: &[Value],
    results: &mut [Value],
) -> Status {
    #[cfg(feature = "compile")]
    if let Some(jit) = state.compilers.any()
        && (function.is_native() || state.is_metered())
    {
        // SAFETY: whoever loaded the program vouches for it, and for the arguments.
        let called = unsafe { jit.call(function, arguments, results) };
        return called.map_or_else(|error| stopped_in_code(state, error), |()| Status::Ok);
    }
    let limits = state.limits.get();
    let options = Options {
        stack: limits.stack,
        depth: limits.depth,
        fuel: state.fuel(),
    };
    let Ok(mut interpreter) = Interpreter::new(state.context(), options) else {
        return state.fail(Problem::OutOfMemory.into(), Status::OutOfMemory);
    };
    let ran = interpreter.run(function, arguments, results);
    state.set_fuel(interpreter.fuel());
    match ran {
        Ok(()) => Status::Ok,
        Err(stop) => stopped(state, &interpreter, &stop),
    }
}

/// Notes the fault of a run of the interpreter.
fn stopped(
    state: &State,
    interpreter: &Interpreter<'_, 'static>,
    stop: &Stop<'_, 'static>,
) -> Status {
    let mut fault = Fault::new(stop.reason);
    interpreter.backtrace(|at| {
        let insn = at.insn.and_then(|insn| {
            let mut insns = at.module.insns(at.func);
            insns.position(|other| other == insn)
        });
        let insn = insn.map(|insn| insn as u32);
        let is_it = |linked: &LinkedModule<'_>| core::ptr::eq(linked.module(), at.module);
        if let Some((number, linked)) = modules(state).find(|(_, linked)| is_it(linked)) {
            fault.push(frame(number, linked, at.func, insn));
        }
        !fault.is_cut
    });
    state.stop(stop.reason, fault)
}

/// Returns the modules that are linked, with their numbers.
fn modules(state: &State) -> impl Iterator<Item = (usize, &LinkedModule<'static>)> {
    (0..).map_while(|number| Some((number, state.context().module(number)?)))
}

/// Notes the failure of a call of compiled code, whose calls under way are not known beyond the
/// place of the fault.
#[cfg(feature = "compile")]
fn stopped_in_code(state: &State, error: CallError) -> Status {
    let stopped = match error {
        CallError::Fault(stopped) => stopped,
        CallError::OutOfMemory => return state.fail(Problem::OutOfMemory.into(), Status::Stopped),
        error => return state.refuse(&error),
    };
    let mut fault = Fault::new(stopped.reason());
    let place = modules(state).find_map(|(number, linked)| {
        let mut callables = linked.callables().iter();
        let (_, func) = callables.find(|callable| stopped.is_in(callable))?.func()?;
        Some(frame(number, linked, func, stopped.instruction()))
    });
    if let Some(place) = place {
        fault.push(place);
    }
    fault.is_cut = true;
    state.stop(stopped.reason(), fault)
}

/// Sets the limits of calls from now on; at first there is fuel without end, 1 MiB of the
/// interpreter's stack, 10,000 calls inside each other, and as much native stack as there is. Calls
/// that imports make share those of the call that they come from.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_limit(context: *mut ContextOfC, limits: *const Limits) -> Status {
    // SAFETY: the caller vouches for them.
    let Some(state) = (unsafe { begin(context) }) else {
        return Status::BadArgument;
    };
    // SAFETY: as above.
    match unsafe { limits.as_ref() } {
        Some(limits) => {
            state.limits.set(*limits);
            Status::Ok
        }
        None => state.refuse(&"there are no limits"),
    }
}

/// Returns the fuel that the last call left; 0 for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_fuel(context: *const ContextOfC) -> u64 {
    // SAFETY: the caller vouches for it.
    unsafe { context.as_ref() }.map_or(0, |context| context.0.fuel())
}

/// Returns what the last call with this context has to say: why it failed, and where. Empty if it
/// went well. Valid until the next call with the context; never null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_message(context: *const ContextOfC) -> *const c_char {
    // SAFETY: the caller vouches for it.
    let context = unsafe { context.as_ref() };
    context.map_or(c"".as_ptr(), |context| context.0.message())
}

/// Returns the fault that the last call with this context ended with; null if it did not fault.
/// Valid until the next call with the context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_last_fault(context: *const ContextOfC) -> *const Fault {
    // SAFETY: the caller vouches for it.
    let context = unsafe { context.as_ref() };
    context.map_or(core::ptr::null(), |context| context.0.fault())
}
