//! The second CPU: it waits for work, does it, and waits again.

use crate::arch;
use crate::layout::Shared;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Work for the second CPU.
pub type Work = extern "C" fn(*mut ());

static WORK: Shared<Option<(Work, *mut ())>> = Shared::new(None);
static STATE: AtomicUsize = AtomicUsize::new(ABSENT);

const ABSENT: usize = 0;
const IDLE: usize = 1;
const BUSY: usize = 2;

/// The second CPU enters Rust here, on its stack, with interrupts off and the kernel's page tables in use.
#[unsafe(no_mangle)]
extern "C" fn second_main() -> ! {
    STATE.store(IDLE, Ordering::Release);
    loop {
        while STATE.load(Ordering::Acquire) != BUSY {
            arch::pause();
        }
        arch::synchronise();
        // SAFETY: `start` wrote this before it set the state, and writes again only when the state is idle.
        if let Some((work, argument)) = unsafe { WORK.get().read() } {
            work(argument);
        }
        STATE.store(IDLE, Ordering::Release);
    }
}

/// Starts the second CPU; whether it answered within a second.
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

/// Has the second CPU call `work(argument)`. It must be there and idle.
///
/// # Safety
///
/// What `argument` points to may be used by another CPU until [`wait`] returns.
pub unsafe fn start(work: Work, argument: *mut ()) {
    // SAFETY: the second CPU is idle and does not look.
    unsafe { WORK.get().write(Some((work, argument))) };
    STATE.store(BUSY, Ordering::Release);
}

/// Waits until the second CPU has done its work.
pub fn wait() {
    while STATE.load(Ordering::Acquire) == BUSY {
        arch::pause();
    }
}
