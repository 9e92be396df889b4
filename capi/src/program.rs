//! Confined programs: what they do is no danger to whoever runs them.

use crate::closures::Closures;
use crate::context::{given, room, wrong_counts};
use crate::fault::{Fault, Frame, MIR_UNKNOWN};
use crate::import::returned;
use crate::options::{Limits, Settings};
use crate::signature::{Signature, Wrong};
use crate::state::{Metering, State, bytes};
use crate::status::Status;
use core::alloc::Layout;
use core::cell::{Cell, UnsafeCell};
use core::ffi::{CStr, c_char, c_void};
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use mir_nostd::confined::{self, ConfinedFn, Memory, Program, Space};
use mir_nostd::ir::{Error, Problem};
use mir_nostd::link::{Access, HostError};
use mir_nostd::mem::Allocator;
use mir_nostd::target::Value;

/// A confined program: it reads and writes memory that it was lent and nothing else, calls the
/// imports that it was given, and stops when its fuel is used up. It belongs to one thread at a
/// time. While it runs its imports may use its memory and call it back by the `mir_memory`
/// functions, and nothing else: the others return `MIR_STATUS_BUSY`.
#[derive(Debug)]
pub struct ProgramOfC {
    state: State,
    imports: Closures<Closure>,
    space: MaybeUninit<Space<'static>>,
    program: UnsafeCell<MaybeUninit<Program<'static, 'static>>>,
    is_busy: Cell<bool>,
}

/// The memory of a program that waits for an import to return: addresses are the program's, and
/// each is checked. It is valid until the import returns.
#[derive(Debug)]
pub struct MemoryOfC(());

/// The memory of a confined program, and how it is laid out.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SpaceOfC {
    /// The program's memory, which it sees from address `MIR_FIRST_ADDRESS` on. Its contents stay
    /// as they are, but for the program's data. Only the program uses it while it runs, and between
    /// calls it may be read and written; it is needed until the program is closed.
    pub memory: *mut c_void,
    /// Its bytes: 4 KiB to 4 GiB.
    pub size: usize,
    /// The bytes of the program's stack, which is at the end of its memory; 0 for a quarter of the
    /// memory, at most 8 MiB. Compiled code needs native stack beside it, about four times as much:
    /// see `mir_limits`.
    pub stack: u64,
    /// True if windows may be granted.
    pub has_windows: bool,
    /// True if addresses are masked after their check, so that a mispredicted check loads nothing
    /// from outside of the memory. It cannot be had together with windows.
    pub has_masks: bool,
}

/// The address at which a program sees its memory.
pub const MIR_FIRST_ADDRESS: u64 = 4096;
/// The lowest address at which a program can have a window.
pub const MIR_FIRST_WINDOW: u64 = 0x2_0000_0000;
/// The number that an import returns which was given an address outside of the program's memory.
pub const MIR_BAD_ADDRESS: u32 = u32::MAX;
/// The number that an import returns to end the run with the fault of a call back.
pub const MIR_CALL_FAILED: u32 = u32::MAX - 1;

const _: () = assert!(
    MIR_FIRST_ADDRESS == confined::FIRST_ADDRESS
        && MIR_FIRST_WINDOW == confined::FIRST_WINDOW
        && MIR_BAD_ADDRESS == confined::BAD_ADDRESS
        && MIR_CALL_FAILED == confined::CALL_FAILED
);

/// A C function that a confined program calls, with one value per argument and room for one per
/// result: all zeros at first. `state` is what it was defined with, and `memory` the program's. It
/// returns 0; another number ends the run with `MIR_REASON_IMPORT` and that number, but for
/// `MIR_CALL_FAILED`.
pub type ProgramImport = Option<
    unsafe extern "C" fn(
        state: *mut c_void,
        memory: *mut MemoryOfC,
        arguments: *const Value,
        results: *mut Value,
    ) -> u32,
>;

/// A C function with its state.
#[derive(Debug)]
struct Closure {
    function: unsafe extern "C" fn(*mut c_void, *mut MemoryOfC, *const Value, *mut Value) -> u32,
    state: *mut c_void,
}

// SAFETY: a program, and so its imports, belongs to one thread at a time: the header says so.
unsafe impl Sync for Closure {}

impl ConfinedFn for Closure {
    fn call(
        &self,
        memory: &mut Memory<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> Result<(), HostError> {
        let memory = core::ptr::from_mut(memory).cast::<MemoryOfC>();
        let (arguments, results) = (arguments.as_ptr(), results.as_mut_ptr());
        // SAFETY: whoever defined the function vouches for it.
        returned(unsafe { (self.function)(self.state, memory, arguments, results) })
    }
}

/// Opens a program without modules. `settings` and `space` are copied.
///
/// `MIR_STATUS_BAD_ARGUMENT` if a function is missing in the settings, or the memory is too small,
/// too large, or has windows and masks; `MIR_STATUS_OUT_OF_MEMORY`; `*program` is null then. It may
/// be called by any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_open(
    settings: *const Settings,
    space: *const SpaceOfC,
    program: *mut *mut ProgramOfC,
) -> Status {
    // SAFETY: the caller vouches for all.
    let (Some(settings), Some(space), Some(program)) =
        (unsafe { (settings.as_ref(), space.as_ref(), program.as_mut()) })
    else {
        return Status::BadArgument;
    };
    *program = core::ptr::null_mut();
    if space.memory.is_null() || space.size > isize::MAX as usize {
        return Status::BadArgument;
    }
    let opened = State::memory(settings).and_then(|memory| {
        let layout = Layout::new::<ProgramOfC>();
        let block = memory.allocate(layout).map_err(|_| Status::OutOfMemory)?;
        let place = block.cast::<ProgramOfC>();
        // SAFETY: the block is new, and as large and aligned as a program; it stays until it is
        // closed. The caller vouches for the memory.
        let opened = unsafe { open(place.as_ptr(), settings, space) };
        opened.inspect_err(|_| {
            // SAFETY: as it was allocated; nothing is in it.
            unsafe { memory.deallocate(block, layout) };
        })?;
        Ok(place)
    });
    match opened {
        Ok(place) => {
            *program = place.as_ptr();
            Status::Ok
        }
        Err(status) => status,
    }
}

/// Writes a program to its place. If that fails nothing has to be dropped.
///
/// # Safety
///
/// The place is valid for it, and it stays there; the memory is lent to it.
unsafe fn open(
    place: *mut ProgramOfC,
    settings: &Settings,
    space: &SpaceOfC,
) -> Result<(), Status> {
    // SAFETY: by the caller's word. What is made later refers to what was made before, in the same
    // block, and is dropped before that.
    unsafe {
        State::open(&raw mut (*place).state, settings, Metering::Always)?;
        (&raw mut (*place).imports).write(Closures::new());
        (&raw mut (*place).is_busy).write(Cell::new(false));
        let state = (*place).state.forever();
        let memory = core::slice::from_raw_parts_mut(space.memory.cast(), space.size);
        let options = confined::Options {
            stack: (space.stack != 0).then_some(space.stack),
            windows: space.has_windows,
            masks: space.has_masks,
        };
        let refused = |error: Error| Status::of(error, Status::BadArgument);
        let made = Space::new(state.allocator(), memory, options).map_err(refused);
        let made = made.and_then(|space| {
            (&raw mut (*place).space).write(MaybeUninit::new(space));
            let space = &*(&raw const (*place).space).cast::<Space<'static>>();
            Program::new(state.context(), space).map_err(|error| {
                (*place).space.assume_init_drop();
                refused(error)
            })
        });
        match made {
            Ok(program) => {
                (&raw mut (*place).program).write(UnsafeCell::new(MaybeUninit::new(program)));
                Ok(())
            }
            Err(status) => {
                State::close(&raw mut (*place).state);
                Err(status)
            }
        }
    }
}

/// Closes a program and gives its memory back. Null is allowed. It must not be running.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_close(program: *mut ProgramOfC) {
    let Some(place) = NonNull::new(program) else {
        return;
    };
    // SAFETY: the program is whole, and nobody uses it any more. Each is dropped before what it
    // refers to; the context comes before the space, as its modules refer to that.
    unsafe {
        let it = place.as_ptr();
        (*it).program.get_mut().assume_init_drop();
        let memory = State::close(&raw mut (*it).state);
        (*it).imports.clear();
        (*it).space.assume_init_drop();
        memory.deallocate(place.cast(), Layout::new::<ProgramOfC>());
    }
}

/// A program that C does something with, which nobody else uses meanwhile.
struct Held<'a> {
    this: &'a ProgramOfC,
    program: &'a mut Program<'static, 'static>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.this.is_busy.set(false);
    }
}

/// Returns a program, about to do what C asks for.
///
/// # Safety
///
/// The program is null, or was opened and not closed; one thread uses it.
unsafe fn begin<'a>(program: *const ProgramOfC) -> Result<Held<'a>, Status> {
    // SAFETY: by the caller's word.
    let this = unsafe { program.as_ref() }.ok_or(Status::BadArgument)?;
    if this.is_busy.replace(true) {
        return Err(Status::Busy);
    }
    this.state.begin();
    // SAFETY: it was not busy, so nobody refers to it; it was initialised when it was opened.
    let program = unsafe { (*this.program.get()).assume_init_mut() };
    Ok(Held { this, program })
}

/// Calls `body` with a program.
///
/// # Safety
///
/// As [`begin`].
unsafe fn with(
    program: *const ProgramOfC,
    body: impl FnOnce(&State, &mut Program<'static, 'static>) -> Result<(), Status>,
) -> Status {
    // SAFETY: by the caller's word.
    let held = unsafe { begin(program) };
    let done = held.and_then(|held| body(&held.this.state, held.program));
    done.err().unwrap_or(Status::Ok)
}

/// Defines an import with its signature, before the program is linked. Calls by a prototype with
/// another signature fault with `MIR_REASON_SIGNATURE`.
///
/// `MIR_STATUS_BAD_ARGUMENT` for a null pointer, an unknown type, a name that is taken, or if the
/// program is linked; `MIR_STATUS_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_define(
    program: *mut ProgramOfC,
    name: *const c_char,
    signature: *const Signature,
    function: ProgramImport,
    state: *mut c_void,
) -> Status {
    let body = |this: &State, program: &mut Program<'static, 'static>, imports: &Closures<_>| {
        // SAFETY: the caller vouches for them.
        let signature = unsafe { signature.as_ref() };
        let (Some(signature), Some(function), false) = (signature, function, name.is_null()) else {
            return Err(this.refuse(&"there is no name, no signature or no function"));
        };
        // SAFETY: as above; the closures are kept as long as the program.
        let (checked, closure, name) = unsafe {
            let checked = signature.check(this.forever().allocator());
            let closure = imports.keep(this, Closure { function, state });
            (checked, closure, CStr::from_ptr(name).to_bytes())
        };
        let no_memory = || this.fail(Problem::OutOfMemory.into(), Status::OutOfMemory);
        let checked = checked.map_err(|wrong| match wrong {
            Wrong::Signature => this.refuse(&"the signature has no such types"),
            Wrong::Memory => no_memory(),
        })?;
        let closure = closure.map_err(|_| no_memory())?;
        let defined = program.define(name, checked.spec(), closure);
        defined.map_err(|error| this.fail(error, Status::BadArgument))
    };
    // SAFETY: the caller vouches for it.
    let held = unsafe { begin(program) };
    let done = held.and_then(|held| body(&held.this.state, held.program, &held.this.imports));
    done.err().unwrap_or(Status::Ok)
}

/// Loads the modules of a program: binary, or text that need not end in a NUL. Nothing has to be
/// trusted. The bytes are not needed afterwards.
///
/// `MIR_STATUS_BAD_PROGRAM` if it does not read or breaks a rule of the language, or the program is
/// linked; `MIR_STATUS_OUT_OF_MEMORY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_load(
    program: *mut ProgramOfC,
    contents: *const c_void,
    size: usize,
) -> Status {
    // SAFETY: the caller vouches for both.
    unsafe {
        with(program, |state, program| {
            load(state, program, contents, size, Program::load)
        })
    }
}

/// Loads modules as a library: of their functions only those stay that the rest of the program
/// refers to. Of two exports of one name that of the module which was loaded first counts. Else it
/// is as `mir_program_load`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_load_library(
    program: *mut ProgramOfC,
    contents: *const c_void,
    size: usize,
) -> Status {
    let load_library = Program::load_library;
    // SAFETY: the caller vouches for both.
    unsafe {
        with(program, |state, program| {
            load(state, program, contents, size, load_library)
        })
    }
}

/// A way to load a module.
type Load = fn(
    &mut Program<'static, 'static>,
    mir_nostd::verify::Verified<'static>,
) -> mir_nostd::ir::Result<()>;

/// # Safety
///
/// The contents are null or of that size. What is loaded is dropped before the state is closed.
unsafe fn load(
    state: &State,
    program: &mut Program<'static, 'static>,
    contents: *const c_void,
    size: usize,
    load: Load,
) -> Result<(), Status> {
    // SAFETY: by the caller's word.
    let Some(bytes) = (unsafe { bytes(contents, size) }) else {
        return Err(state.refuse(&"there is no program"));
    };
    let mut verified = state.verified(bytes)?;
    while let Some(module) = verified.pop() {
        let loaded = load(program, module);
        loaded.map_err(|error| state.fail(error, Status::BadProgram))?;
    }
    Ok(())
}

/// Links what was loaded, once: imports are exports of its modules or what was defined.
///
/// `MIR_STATUS_NOT_LINKED` if an import is neither, `MIR_STATUS_BAD_PROGRAM` if an instruction
/// cannot be confined or data does not fit in the memory, or it is linked already;
/// `MIR_STATUS_OUT_OF_MEMORY`. The program can only be closed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_link(program: *mut ProgramOfC) -> Status {
    let body = |state: &State, program: &mut Program<'static, 'static>| {
        program.link().map_err(|error| {
            let status = match error.problem {
                Problem::UnresolvedImport | Problem::RedefinedExport => Status::NotLinked,
                _ => Status::BadProgram,
            };
            state.fail(error, status)
        })
    };
    // SAFETY: the caller vouches for it.
    unsafe { with(program, body) }
}

/// Compiles a program that is linked, as `mir_compile` does. It runs in compiled code from then on.
/// Set `native_stack` of its limits before it is called: code that is not confined by that may use
/// up the native stack.
#[cfg(feature = "compile")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_compile(
    program: *mut ProgramOfC,
    level: u32,
    when: crate::compile::WhenNumber,
    left: *mut usize,
) -> Status {
    let body = |state: &State, _: &mut Program<'static, 'static>| {
        let count = state.compile(level, when)?;
        // SAFETY: the caller vouches for it.
        if let Some(left) = unsafe { left.as_mut() } {
            *left = count;
        }
        Ok(())
    };
    // SAFETY: the caller vouches for it.
    unsafe { with(program, body) }
}

/// Calls an exported function by its name, with as many arguments, and room for as many results, as
/// it has, and at most the fuel of the limits. Pointers may be null where their count is 0. After a
/// fault the program's memory is as it was then, and another call may be made.
///
/// `MIR_STATUS_NOT_FOUND`; `MIR_STATUS_BAD_ARGUMENT` if the counts are others; `MIR_STATUS_STOPPED`
/// if it faults; `MIR_STATUS_BUSY` if it runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_call(
    program: *mut ProgramOfC,
    name: *const c_char,
    arguments: *const Value,
    argument_count: usize,
    results: *mut Value,
    result_count: usize,
) -> Status {
    let body = |state: &State, program: &mut Program<'static, 'static>| {
        // SAFETY: the caller vouches for them.
        let (arguments, results) = unsafe {
            (
                given(arguments, argument_count),
                room(results, result_count),
            )
        };
        let (Some(arguments), Some(results), false) = (arguments, results, name.is_null()) else {
            return Err(state.refuse(&"there is no name, no arguments or no room for results"));
        };
        // SAFETY: as above.
        let name = unsafe { CStr::from_ptr(name) }.to_bytes();
        let Some(has) = program.counts(name) else {
            let name = crate::fault::Lossy(name);
            state.say(&format_args!("no function {name} is exported"));
            return Err(Status::NotFound);
        };
        if has != (arguments.len(), results.len()) {
            let (taken, given) = (arguments.len(), results.len());
            return Err(wrong_counts(state, Some(has), taken, given));
        }
        let ran = state.run(|| call(state, program, name, arguments, results));
        ran.map_err(|fault| stopped(state, program, &fault))
    };
    // SAFETY: the caller vouches for it.
    unsafe { with(program, body) }
}

/// Calls a function in the engine that the program has.
fn call(
    state: &State,
    program: &mut Program<'static, 'static>,
    name: &[u8],
    arguments: &[Value],
    results: &mut [Value],
) -> Result<(), confined::Fault> {
    #[cfg(feature = "compile")]
    {
        // SAFETY: compilers are dropped before the state is closed.
        let state = unsafe { state.forever() };
        if let Some(jit) = state.compilers.any() {
            return program.run(jit, name, arguments, results);
        }
    }
    let ran = program.interpret(name, arguments, results, state.fuel());
    state.set_fuel(program.fuel());
    ran
}

/// Notes the fault of a run.
fn stopped(state: &State, program: &Program<'static, 'static>, fault: &confined::Fault) -> Status {
    let mut noted = Fault::new(fault.reason);
    let backtrace = program.backtrace();
    for at in &backtrace.frames {
        noted.push(Frame {
            function: program.c_name(at.function).as_ptr(),
            module: at.function.module,
            instruction: at.instruction.unwrap_or(MIR_UNKNOWN),
        });
    }
    noted.is_cut |= backtrace.is_cut;
    state.stop(fault.reason, noted)
}

/// Sets the limits of calls from now on: `stack` and `depth` are not used, as the program's own
/// stack limits it. At first there is fuel without end. Set `native_stack` where the program is
/// compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_limit(
    program: *mut ProgramOfC,
    limits: *const Limits,
) -> Status {
    // SAFETY: the caller vouches for both.
    unsafe {
        with(program, |state, _| match limits.as_ref() {
            Some(limits) => {
                state.limits.set(*limits);
                Ok(())
            }
            None => Err(state.refuse(&"there are no limits")),
        })
    }
}

/// Grants a window, until it is revoked or the program is closed: the program sees `memory` at
/// `address`, and may write to it only if `may_write` says so. There are 8 at most.
///
/// `MIR_STATUS_BAD_ARGUMENT` if the space was made without windows, the address is below
/// `MIR_FIRST_WINDOW`, or there are too many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_grant(
    program: *mut ProgramOfC,
    address: u64,
    memory: *mut c_void,
    size: usize,
    may_write: bool,
) -> Status {
    let body = |state: &State, program: &mut Program<'static, 'static>| {
        let memory = match (memory.is_null(), size) {
            (_, 0) => &mut [],
            (true, _) => return Err(state.refuse(&"there is no memory for the window")),
            // SAFETY: the caller lends the memory.
            _ => unsafe { core::slice::from_raw_parts_mut(memory.cast::<u8>(), size) },
        };
        let access = if may_write {
            Access::Write
        } else {
            Access::Read
        };
        let granted = program.grant(address, memory, access);
        granted.map_err(|error| state.fail(error, Status::BadArgument))
    };
    // SAFETY: the caller vouches for it.
    unsafe { with(program, body) }
}

/// Takes the windows at an address back.
///
/// `MIR_STATUS_NOT_FOUND` if there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_revoke(program: *mut ProgramOfC, address: u64) -> Status {
    let body = |state: &State, program: &mut Program<'static, 'static>| {
        if program.revoke(address) {
            return Ok(());
        }
        state.say(&"no window is there");
        Err(Status::NotFound)
    };
    // SAFETY: the caller vouches for it.
    unsafe { with(program, body) }
}

/// Returns the address in the program of data that one of its modules exports; 0 if there is none
/// of this name, or the program runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_address(program: *mut ProgramOfC, name: *const c_char) -> u64 {
    if name.is_null() {
        return 0;
    }
    // SAFETY: the caller vouches for both.
    unsafe {
        let name = CStr::from_ptr(name).to_bytes();
        let address = begin(program).map(|held| held.program.address(name));
        address.ok().flatten().unwrap_or(0)
    }
}

/// Stores the bounds of what neither data nor stack of a linked program take of its memory, as its
/// addresses: the heap of its C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_heap(
    program: *mut ProgramOfC,
    start: *mut u64,
    end: *mut u64,
) -> Status {
    let body = |state: &State, program: &mut Program<'static, 'static>| {
        // SAFETY: the caller vouches for them.
        let (Some(start), Some(end)) = (unsafe { (start.as_mut(), end.as_mut()) }) else {
            return Err(state.refuse(&"there is no place for the bounds"));
        };
        let heap = program.heap();
        (*start, *end) = (heap.start, heap.end);
        Ok(())
    };
    // SAFETY: the caller vouches for it.
    unsafe { with(program, body) }
}

/// Copies the program's memory out, all of it: `size` is that of the space. Copied back by
/// `mir_program_restore` it takes the program back to what it was, in another program of the same
/// modules too: it holds all of its state, and no address of the host.
///
/// `MIR_STATUS_BAD_ARGUMENT` for another size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_save(
    program: *mut ProgramOfC,
    copy: *mut c_void,
    size: usize,
) -> Status {
    // SAFETY: the caller vouches for both.
    unsafe {
        with(program, |state, program| {
            copied(state, program, copy.is_null(), size, |memory| {
                core::ptr::copy_nonoverlapping(memory.as_ptr(), copy.cast(), size);
            })
        })
    }
}

/// Copies the program's memory in, which `mir_program_save` copied out. Errors are the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_restore(
    program: *mut ProgramOfC,
    copy: *const c_void,
    size: usize,
) -> Status {
    // SAFETY: the caller vouches for both.
    unsafe {
        with(program, |state, program| {
            copied(state, program, copy.is_null(), size, |memory| {
                core::ptr::copy_nonoverlapping(copy.cast(), memory.as_mut_ptr(), size);
            })
        })
    }
}

fn copied(
    state: &State,
    program: &mut Program<'static, 'static>,
    is_null: bool,
    size: usize,
    copy: impl FnOnce(&mut [u8]),
) -> Result<(), Status> {
    let done = program.with_memory(|memory| {
        let fits = !is_null && memory.len() == size;
        fits.then(|| copy(memory))
    });
    match done {
        Some(Some(())) => Ok(()),
        _ => Err(state.refuse(&"a copy has the size of the program's memory")),
    }
}

/// Returns a hash of the program's memory, the same on every machine and from every engine; 0 if
/// the program runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_hash(program: *mut ProgramOfC) -> u64 {
    // SAFETY: the caller vouches for it.
    let hash = unsafe { begin(program) }.map(|held| held.program.memory_hash());
    hash.ok().flatten().unwrap_or(0)
}

/// Returns the fuel that the last call left; 0 for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_fuel(program: *const ProgramOfC) -> u64 {
    // SAFETY: the caller vouches for it.
    unsafe { program.as_ref() }.map_or(0, |program| program.state.fuel())
}

/// Returns what the last call with this program has to say, as `mir_message` does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_message(program: *const ProgramOfC) -> *const c_char {
    // SAFETY: the caller vouches for it.
    let program = unsafe { program.as_ref() };
    program.map_or(c"".as_ptr(), |program| program.state.message())
}

/// Returns the fault that the last call with this program ended with, as `mir_last_fault` does. The
/// same fault comes from every engine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_program_last_fault(program: *const ProgramOfC) -> *const Fault {
    // SAFETY: the caller vouches for it.
    let program = unsafe { program.as_ref() };
    program.map_or(core::ptr::null(), |program| program.state.fault())
}

/// Returns the memory that an import was given.
///
/// # Safety
///
/// It is null, or what the import was given, which did not return yet.
unsafe fn memory<'a>(memory: *mut MemoryOfC) -> Option<&'a mut Memory<'a>> {
    // SAFETY: by the caller's word; the import alone uses it.
    unsafe { memory.cast::<Memory<'a>>().as_mut() }
}

/// Returns `size` bytes at an address of the program, for reading: of its own memory, or of one
/// window. Null if they are not all there: an import then returns `MIR_BAD_ADDRESS`, unless it
/// knows better. Valid until the import returns or calls back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_memory_slice(
    program: *mut MemoryOfC,
    address: u64,
    size: u64,
) -> *const c_void {
    // SAFETY: the caller vouches for it.
    let slice = unsafe { memory(program) }.and_then(|memory| memory.slice(address, size).ok());
    slice.map_or(core::ptr::null(), |slice| slice.as_ptr().cast())
}

/// Returns `size` bytes at an address of the program, to be written to: as `mir_memory_slice`, but
/// null for a window that is for reading only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_memory_slice_mut(
    program: *mut MemoryOfC,
    address: u64,
    size: u64,
) -> *mut c_void {
    // SAFETY: the caller vouches for it.
    let memory = unsafe { memory(program) };
    let slice = memory.and_then(|memory| memory.slice_mut(address, size).ok());
    slice.map_or(core::ptr::null_mut(), |slice| slice.as_mut_ptr().cast())
}

/// Returns the string at an address of the program, which ends in a NUL within its memory; null if
/// it does not. Valid until the import returns or calls back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_memory_string(program: *mut MemoryOfC, address: u64) -> *const c_char {
    // SAFETY: the caller vouches for it.
    let Some(memory) = (unsafe { memory(program) }) else {
        return core::ptr::null();
    };
    let Ok(length) = memory.c_string(address).map(<[u8]>::len) else {
        return core::ptr::null();
    };
    // With the NUL, so that the pointer is good for that too.
    let string = memory.slice(address, length as u64 + 1);
    string.map_or(core::ptr::null(), |string| string.as_ptr().cast())
}

/// Calls a function of the program that waits for an import: by its exported name or, where that is
/// null, by its value in the program, as programs pass function pointers. It takes of the run's
/// fuel and stack.
///
/// `MIR_STATUS_STOPPED` if it faults, which it also does if there is no such function or the counts
/// are others: an import that returns `MIR_CALL_FAILED` then ends the run with that fault; one that
/// returns 0 goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mir_memory_call(
    program: *mut MemoryOfC,
    name: *const c_char,
    function: u64,
    arguments: *const Value,
    argument_count: usize,
    results: *mut Value,
    result_count: usize,
) -> Status {
    // SAFETY: the caller vouches for them.
    let (memory, arguments, results) = unsafe {
        (
            memory(program),
            given(arguments, argument_count),
            room(results, result_count),
        )
    };
    let (Some(memory), Some(arguments), Some(results)) = (memory, arguments, results) else {
        return Status::BadArgument;
    };
    let callee = match name.is_null() {
        true => confined::Callee::Value(function),
        // SAFETY: as above.
        false => confined::Callee::Name(unsafe { CStr::from_ptr(name) }.to_bytes()),
    };
    match memory.call(callee, arguments, results) {
        Ok(()) => Status::Ok,
        Err(_) => Status::Stopped,
    }
}
