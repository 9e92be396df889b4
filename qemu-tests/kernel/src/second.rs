//! The second CPU, which waits for work in a loop.

use crate::arch;
use crate::layout::Shared;
use core::sync::atomic::{AtomicUsize, Ordering};

/// A function that the second CPU calls.
pub type Work = extern "C" fn(*mut ());

static WORK: Shared<Option<(Work, *mut ())>> = Shared::new(None);
static STATE: AtomicUsize = AtomicUsize::new(ABSENT);

const ABSENT: usize = 0;
const IDLE: usize = 1;
const BUSY: usize = 2;

/// Enters Rust on the second CPU, on its stack, with interrupts off and the kernel's page tables in
/// use.
#[unsafe(no_mangle)]
extern "C" fn second_main() -> ! {
    STATE.store(IDLE, Ordering::Release);
    loop {
        while STATE.load(Ordering::Acquire) != BUSY {
            arch::pause();
        }
        arch::synchronise();
        // SAFETY: `start` wrote this before it set the state, and writes again only when the state
        // is idle.
        if let Some((work, argument)) = unsafe { WORK.get().read() } {
            work(argument);
        }
        STATE.store(IDLE, Ordering::Release);
    }
}

/// Starts the second CPU; returns whether it answered within a second.
pub fn wake() -> bool {
    arch::start_second();
    let start = arch::now();
    while STATE.load(Ordering::Acquire) == ABSENT {
        if crate::ticks::microseconds(start, arch::now()) > 1_000_000 {
            return false;
        }
        arch::pause();
    }
    true
}

/// Makes the second CPU call `work(argument)`. It must be started and idle.
///
/// # Safety
///
/// The target of `argument` may be used by another CPU until [`wait`] returns.
pub unsafe fn start(work: Work, argument: *mut ()) {
    // SAFETY: the second CPU is idle and does not read it.
    unsafe { WORK.get().write(Some((work, argument))) };
    STATE.store(BUSY, Ordering::Release);
}

/// Waits until the second CPU has done its work.
pub fn wait() {
    while STATE.load(Ordering::Acquire) == BUSY {
        arch::pause();
    }
}
