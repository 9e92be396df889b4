//! The process as C programs know it: the arguments of `main`, the end.
#![expect(unsafe_code, reason = "the C library's interface")]

use core::ffi::c_char;
use mir_nostd::target::Value;
use std::ffi::CString;

/// The arguments of `main`, in C's form. They live as long as the process.
#[derive(Debug)]
pub(crate) struct MainArguments {
    argc: i64,
    argv: *const *mut c_char,
    envp: *const *mut c_char,
}

impl MainArguments {
    /// Returns the arguments `words` with the environment of this process.
    pub(crate) fn new(words: Vec<CString>) -> MainArguments {
        unsafe extern "C" {
            static environ: *const *mut c_char;
        }
        let argc = i64::try_from(words.len()).unwrap_or(i64::MAX);
        let pointers = words.into_iter().map(CString::into_raw);
        let argv: Vec<_> = pointers.chain([core::ptr::null_mut()]).collect();
        MainArguments {
            argc,
            argv: argv.leak().as_ptr(),
            // SAFETY: the C library defines it, and nothing in this process changes it at this
            // time.
            envp: unsafe { environ },
        }
    }

    /// Returns them as values of a call.
    pub(crate) fn values(&self) -> [Value; 3] {
        let (argv, envp) = (
            Value::from_address(self.argv),
            Value::from_address(self.envp),
        );
        [Value::from_i64(self.argc), argv, envp]
    }
}

/// Ends the process as C does: the buffers of C's streams are written, functions registered for the
/// end run.
pub(crate) fn exit(status: i32) -> ! {
    crate::sarif::finish();
    // C does not know of what confined programs wrote, whose last line may have no end.
    let _ = std::io::Write::flush(&mut std::io::stdout());
    // SAFETY: called from the main thread at the end of `main`, outside any exit handler.
    unsafe { libc::exit(status) }
}

/// Ends the process at once: other threads may be anywhere.
pub(crate) fn end(status: i32) -> ! {
    crate::sarif::finish();
    // SAFETY: nothing runs any more.
    unsafe { libc::_exit(status) }
}

/// Returns a number for this thread that no other has.
pub(crate) fn thread() -> usize {
    thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| core::ptr::from_ref(here).addr())
}

/// Writes the buffers of C's streams.
pub(crate) fn flush_streams() {
    // SAFETY: null means all streams.
    unsafe { libc::fflush(core::ptr::null_mut()) };
}

/// Registers a function that is called when the process exits.
pub(crate) fn at_exit(function: extern "C" fn()) {
    // SAFETY: the function lives as long as the process.
    unsafe { libc::atexit(function) };
}

/// Makes a write to a closed pipe end the process, as in any C program.
pub(crate) fn die_of_broken_pipes() {
    // SAFETY: the default action needs no handler; nothing else runs yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// Makes a write to a closed pipe fail instead.
pub(crate) fn ignore_broken_pipes() {
    // SAFETY: ignoring needs no handler.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
}
