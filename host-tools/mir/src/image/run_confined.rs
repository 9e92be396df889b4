//! Images of confined programs on this machine: they can write to standard output and error, read
//! standard input, end, and ask for the time, as `mir run --confined` lets them.
#![expect(unsafe_code, reason = "runs code that was made ahead")]

use crate::codes::Code;
use crate::confined::{AT_ONCE, EXIT, Ended};
use crate::diagnostics::{Diagnostics, Finding};
use crate::failure::{Failure, Result};
use crate::host;
use crate::program::reason_word;
use mir_image::{Budget, Confined, Fault, Image, Import, Memory, Place, Reason};
use mir_nostd::confined::BAD_ADDRESS;
use mir_nostd::link::{self, HostError};
use std::io::{Read, Write};
use std::sync::OnceLock;
use std::time::Instant;

/// The bytes of the native stack that a program runs on, and those at its end that are the
/// runtime's.
const STACK: (usize, usize) = (64 << 20, 1 << 20);

/// The memory of the program.
static MEMORY: OnceLock<Memory> = OnceLock::new();

// Imports take integers of 64 bits, of whatever size the program has them: C's calling convention
// passes shorter ones so, and a program may leave anything in the upper half.

/// Ends the run with a code, when the import that calls this returns.
fn fail(code: u32) {
    if let Some(memory) = MEMORY.get() {
        // SAFETY: imports are called by the program, which waits.
        unsafe { memory.fail(code) };
    }
}

/// Returns bytes of the program's; where there are none the run ends.
fn bytes(at: u64, count: u64) -> Option<&'static mut [u8]> {
    // SAFETY: the program waits for the import that asks, which uses nothing else of the memory.
    let bytes = MEMORY
        .get()
        .and_then(|memory| unsafe { memory.slice_mut(at, count) });
    if bytes.is_none() {
        fail(BAD_ADDRESS);
    }
    bytes
}

extern "C" fn write(stream: i64, at: u64, count: u64) -> i64 {
    let Some(bytes) = bytes(at, count) else {
        return -1;
    };
    let written = match stream as i32 {
        1 => std::io::stdout().write_all(bytes),
        2 => std::io::stderr().write_all(bytes),
        _ => return -1,
    };
    written.map_or(-1, |()| bytes.len() as i64)
}

extern "C" fn read(stream: i64, at: u64, count: u64) -> i64 {
    match (bytes(at, count), stream as i32) {
        (Some(bytes), 0) => std::io::stdin()
            .read(bytes)
            .map_or(-1, |count| count as i64),
        _ => -1,
    }
}

extern "C" fn exit(status: u64) {
    fail(EXIT | (status & 0xFF) as u32);
}

extern "C" fn exit_at_once(status: u64) {
    fail(EXIT | AT_ONCE | (status & 0xFF) as u32);
}

/// Microseconds since the first call.
extern "C" fn clock() -> i64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_micros() as i64
}

extern "C" fn heap_start() -> u64 {
    // SAFETY: the program is loaded.
    MEMORY
        .get()
        .map_or(0, |memory| unsafe { memory.heap() }.start)
}

extern "C" fn heap_end() -> u64 {
    // SAFETY: the program is loaded.
    MEMORY
        .get()
        .map_or(0, |memory| unsafe { memory.heap() }.end)
}

/// Returns the numbers of arguments and results of a signature whose types are all integers.
fn counts(signature: &[u8]) -> Option<(usize, usize)> {
    let text = core::str::from_utf8(signature).ok()?;
    let (results, arguments) = text.strip_suffix(')')?.split_once('(')?;
    let count = |types: &str| {
        let mut types = types.split(',').filter(|ty| !ty.is_empty());
        let is_int = |ty: &str| ty == "p" || ty.starts_with(['i', 'u']);
        types.clone().all(is_int).then(|| types.by_ref().count())
    };
    Some((count(arguments)?, count(results)?))
}

/// Returns the address of an import, by name and signature; routines of the code's own are looked
/// up in this process.
fn resolve(import: Import<'_>, routine: &mut dyn FnMut(&[u8]) -> Option<u64>) -> Option<u64> {
    if import.is_routine {
        return routine(import.name);
    }
    let (name, counts) = (import.name, counts(import.signature)?);
    let function = match (name, counts) {
        (b"write", (3, 1)) => write as *const (),
        (b"read", (3, 1)) => read as *const (),
        (b"exit", (1, 0)) => exit as *const (),
        (b"_exit", (1, 0)) => exit_at_once as *const (),
        (b"clock", (0, 1)) => clock as *const (),
        (b"__heap_start", (0, 1)) => heap_start as *const (),
        (b"__heap_end", (0, 1)) => heap_end as *const (),
        _ => return None,
    };
    Some(function.expose_provenance() as u64)
}

/// A program and the fuel that it has left.
struct Session {
    program: Confined<'static>,
    budget: Budget,
}

impl Session {
    /// Calls a function, with no arguments of `main`.
    fn call(&mut self, address: u64) -> core::result::Result<Ended, Fault<'static>> {
        // SAFETY: the user vouches for the image's having been made by `mir image --confined`. The
        // function is one of the program's.
        let ran = unsafe { self.program.call_at(address, &[0; 3], self.budget) };
        self.budget.fuel = self.program.fuel();
        match ran {
            Ok(value) => Ok(Ended::Returned(value as i32)),
            Err(fault) => match fault.reason {
                Reason::Import(code) => Ended::of_code(code).ok_or(fault),
                _ => Err(fault),
            },
        }
    }

    /// Runs constructors, `main` and destructors; returns the exit status.
    fn run(&mut self, main: u64, returns: bool) -> core::result::Result<i32, Fault<'static>> {
        let before = self.program.initialisers();
        let mut status = 0;
        let mut has_exited = false;
        for function in before.chain(core::iter::once(main)) {
            match self.call(function)? {
                Ended::Returned(value) if returns && function == main => status = value,
                Ended::Returned(_) => {}
                Ended::Exited(given) => {
                    status = given;
                    has_exited = true;
                }
                Ended::AtOnce(status) => return Ok(status),
            }
            if has_exited {
                break;
            }
        }
        for function in self.program.finalisers() {
            match self.call(function)? {
                Ended::Returned(_) => {}
                Ended::Exited(given) => status = given,
                Ended::AtOnce(status) => return Ok(status),
            }
        }
        Ok(status)
    }
}

/// Returns a reason as the runtime has it.
#[must_use]
pub fn runtime_reason(reason: Reason) -> link::Reason {
    match reason {
        Reason::DivisionByZero => link::Reason::Division,
        Reason::SwitchRange => link::Reason::SwitchRange,
        Reason::EndReached => link::Reason::EndReached,
        Reason::Stack => link::Reason::Stack,
        Reason::BadLabel => link::Reason::BadLabel,
        Reason::BadAddress(address) => link::Reason::BadAddress(address),
        Reason::BadFunction(value) => link::Reason::BadFunction(value),
        Reason::Signature => link::Reason::Signature,
        Reason::Import(code) => link::Reason::Host(HostError(code)),
        Reason::Unaligned => link::Reason::Unaligned,
        Reason::OutOfFuel => link::Reason::OutOfFuel,
    }
}

/// Says why and where the program ended. An image has no lines.
pub(super) fn report(name: &str, fault: Fault<'_>, diagnostics: &Diagnostics) {
    let reason = runtime_reason(fault.reason);
    let function = String::from_utf8_lossy(fault.function).into_owned();
    let finding = Finding {
        reason: Some(reason_word(reason)),
        address: match reason {
            link::Reason::BadAddress(address) => Some(address),
            _ => None,
        },
        number: fault.instruction,
        function: Some(function).filter(|name| !name.is_empty()),
        ..Finding::error(Code::FAULT, reason.to_string())
    };
    diagnostics.report(name, &[], &finding);
}

/// Loads a confined program into `ram`, with its code at an address, and runs its `main` on a stack
/// of its own; returns the exit status.
pub(super) fn run(
    image: Image<'static>,
    ram: &'static mut [u8],
    code: u64,
    fuel: u64,
    routine: &mut dyn FnMut(&[u8]) -> Option<u64>,
    refuse: &dyn Fn(mir_image::Error) -> Failure,
    report: impl FnOnce(Fault<'_>) + Send + 'static,
) -> Result<i32> {
    let loaded = image.load_confined(ram, code, &mut |import| resolve(import, routine));
    let program = loaded.map_err(refuse)?;
    let _ = MEMORY.set(program.memory());
    let main = program.export(b"main");
    let Some((main, at @ Place::Code(_))) = main.map(|main| (main, main.place)) else {
        return Err(Failure::Usage("the image exports no main".into()));
    };
    let (address, returns) = (program.address_of(at), !main.signature.starts_with(b"("));
    // The pointers in it are to memory that is the program's alone.
    struct Moved(Session);
    // SAFETY: nobody else has them.
    unsafe impl Send for Moved {}
    let budget = Budget {
        fuel,
        stack_limit: 0,
    };
    let moved = Moved(Session { program, budget });
    let body = move || -> Result<i32> {
        let Moved(mut session) = { moved };
        let here = 0_u8;
        let lowest = (&raw const here).addr() - (STACK.0 - STACK.1);
        session.budget.stack_limit = lowest as u64;
        let status = session.run(address, returns).unwrap_or_else(|fault| {
            host::flush_streams();
            report(fault);
            1
        });
        host::exit(status);
    };
    let thread = std::thread::Builder::new().stack_size(STACK.0);
    let thread = thread.spawn(body);
    let thread = thread.map_err(|error| Failure::Usage(error.to_string()))?;
    thread.join().unwrap_or(Err(Failure::Program))
}
