//! The process as C programs know it: the arguments of `main`, the limit of the stack, the end.
#![expect(unsafe_code, reason = "the C library's interface")]

use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};
use mir_nostd::target::Value;
use std::ffi::CString;
use std::sync::OnceLock;

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
    // SAFETY: called from the main thread at the end of `main`, outside any exit handler.
    unsafe { libc::exit(status) }
}

/// Ends the process at once: other threads may be anywhere.
pub(crate) fn end(status: i32) -> ! {
    // SAFETY: nothing runs any more.
    unsafe { libc::_exit(status) }
}

/// The lowest address of the main thread's stack.
static STACK_END: AtomicUsize = AtomicUsize::new(0);

/// The message for a stack that is used up.
static USED_UP: OnceLock<String> = OnceLock::new();

/// Accesses so near to the end of the stack are those of a program that has used it up.
const NEAR_END: usize = 1 << 20;

/// The size of the main thread's stack where the system sets none, in bytes.
const OWN_LIMIT: usize = 256 << 20;

/// Returns the limit of the main thread's stack in bytes.
fn stack_limit() -> Option<usize> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the limit is ours to be written.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) } == 0;
    let is_set = known && limit.rlim_cur != libc::RLIM_INFINITY;
    is_set
        .then(|| usize::try_from(limit.rlim_cur).ok())
        .flatten()
}

/// Sets a limit for the main thread's stack, which must not grow into its neighbour in the address
/// space.
fn limit_stack() {
    let limit = libc::rlimit {
        rlim_cur: OWN_LIMIT as libc::rlim_t,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the system only reads the limit. If it refuses, `stack_limit` says so.
    unsafe { libc::setrlimit(libc::RLIMIT_STACK, &raw const limit) };
}

/// Returns the start of the mapping that this address is in.
fn mapping_start(address: usize) -> Option<usize> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().find_map(|line| {
        let (start, rest) = line.split_once('-')?;
        let (end, _) = rest.split_once(' ')?;
        let [start, end] = [start, end].map(|word| usize::from_str_radix(word, 16).ok());
        let (start, end) = (start?, end?);
        (start..end).contains(&address).then_some(start)
    })
}

/// Returns the lowest address that the main thread's stack may have. A stack without a limit gets
/// one; an emulator that ignores it has given the stack all of its memory at once.
fn stack_end() -> Option<usize> {
    let here = 0_u8;
    let here = (&raw const here).addr();
    if stack_limit().is_none() {
        limit_stack();
    }
    match stack_limit() {
        Some(bytes) => here.checked_sub(bytes),
        None => mapping_start(here),
    }
}

/// Makes the process say `message` and end with status 1 when the main thread uses up its stack.
pub(crate) fn catch_overflow(message: String) {
    let Some(end) = stack_end() else {
        return;
    };
    STACK_END.store(end, Ordering::Relaxed);
    if USED_UP.set(message).is_err() {
        return;
    }
    // SAFETY: all zeros are a valid `sigaction`; the standard library gave the main thread a stack
    // for signals.
    unsafe {
        let mut action: libc::sigaction = core::mem::zeroed();
        action.sa_sigaction = refused_access as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGSEGV, &raw const action, core::ptr::null_mut());
    }
}

/// Handles the signal of an access to memory that is not the process's.
extern "C" fn refused_access(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the system passes a description of the access.
    let address = unsafe { (*info).si_addr() } as usize;
    let end = STACK_END.load(Ordering::Relaxed);
    if let (true, Some(message)) = (address.abs_diff(end) < NEAR_END, USED_UP.get()) {
        // SAFETY: both calls are allowed in a signal handler.
        unsafe {
            libc::write(2, message.as_ptr().cast(), message.len());
            libc::_exit(1)
        }
    }
    // SAFETY: as above; the access comes again and ends the process.
    unsafe { libc::signal(libc::SIGSEGV, libc::SIG_DFL) };
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
