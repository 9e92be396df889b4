//! The outcome of a call.

use core::ffi::{CStr, c_char};
use mir_nostd::ir::{Error, Problem};

/// The outcome of a call. The numbers do not change between versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Status {
    /// Everything went well.
    Ok = 0,
    /// The lent allocator had no more memory.
    OutOfMemory = 1,
    /// A program does not read, or breaks a rule of the language, or cannot be confined.
    BadProgram = 2,
    /// A name is defined nowhere, or twice.
    NotLinked = 3,
    /// No function of this name is exported.
    NotFound = 4,
    /// A null pointer, a number out of range, or not as many values as the function has.
    BadArgument = 5,
    /// The program faulted, or reached a limit: `mir_last_fault` or `mir_program_last_fault` knows
    /// more.
    Stopped = 6,
    /// The program runs, and this cannot be done meanwhile.
    Busy = 7,
}

/// A [`Status`] as C gives it, which may be any number.
pub type StatusNumber = u32;

impl Status {
    /// Returns the status of an error: out of memory, or `otherwise`.
    pub(crate) fn of(error: Error, otherwise: Status) -> Status {
        match error.problem {
            Problem::OutOfMemory => Status::OutOfMemory,
            _ => otherwise,
        }
    }
}

const TEXTS: [&CStr; 8] = [
    c"everything went well",
    c"out of memory",
    c"the program is wrong",
    c"the program does not link",
    c"no such function",
    c"a wrong argument",
    c"the program stopped",
    c"the program is running",
];

/// Returns a sentence for a status; never null, and valid for ever. It may be called by any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mir_status_text(status: StatusNumber) -> *const c_char {
    let text = TEXTS.get(status as usize).copied();
    text.unwrap_or(c"no such status").as_ptr()
}
