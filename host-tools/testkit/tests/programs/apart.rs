//! Runs functions in processes of their own.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;

/// The time limit of a process in seconds, far above what it needs, also when emulated.
const SECONDS: u32 = 600;

/// A process that runs a function, and the pipe for its outcome.
pub(crate) struct Apart {
    process: libc::pid_t,
    said: File,
}

/// Runs a function in a process of its own and returns its outcome, a crash included.
///
/// This process must have one thread.
pub(crate) fn run(body: &dyn Fn() -> Result<(), String>) -> Result<(), String> {
    start(body)?.end()
}

/// Starts a function in a process of its own. This process must have one thread.
pub(crate) fn start(body: &dyn Fn() -> Result<(), String>) -> Result<Apart, String> {
    let mut ends = [0; 2];
    // SAFETY: the array takes two file descriptors.
    if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
        return Err(std::io::Error::last_os_error().to_string());
    }
    // SAFETY: both are open, and nobody else's.
    let [said, write] = ends.map(|end| unsafe { File::from_raw_fd(end) });
    // SAFETY: this process has one thread.
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error().to_string()),
        0 => child(body, write),
        process => Ok(Apart { process, said }),
    }
}

impl Apart {
    /// Waits for the process and returns its outcome.
    pub(crate) fn end(mut self) -> Result<(), String> {
        let mut said = String::new();
        let read = self.said.read_to_string(&mut said);
        let mut status = 0;
        // SAFETY: the child is ours.
        unsafe { libc::waitpid(self.process, &raw mut status, 0) };
        read.map_err(|error| error.to_string())?;
        if libc::WIFSIGNALED(status) {
            return Err(format!("stopped by signal {}", libc::WTERMSIG(status)));
        }
        if said.is_empty() { Ok(()) } else { Err(said) }
    }
}

fn child(body: &dyn Fn() -> Result<(), String>, mut write: File) -> ! {
    // SAFETY: the alarm's signal is not handled, and ends the process.
    unsafe { libc::alarm(SECONDS) };
    // While a program is shrunk, a C library would report corrupt memory hundreds of times, which
    // helps nobody.
    // SAFETY: the name ends in a zero, and the process has nothing to write to its standard error.
    unsafe { libc::dup2(libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY), 2) };
    let ended = std::panic::catch_unwind(core::panic::AssertUnwindSafe(body));
    let said = match ended {
        Ok(Ok(())) => String::new(),
        Ok(Err(wrong)) => wrong,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            format!("panicked: {}", text.unwrap_or_default())
        }
    };
    let _ = write.write_all(said.as_bytes());
    drop(write);
    // SAFETY: nothing of the parent's is flushed or dropped.
    unsafe { libc::_exit(0) }
}
