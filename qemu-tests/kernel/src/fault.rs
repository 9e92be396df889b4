//! What the processor refuses: reported and the end of the run, or what a test waited for.

use crate::{arch, console, say};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A fault, as the handler of the ISA tells it.
pub struct Fault {
    /// Its name.
    pub name: &'static str,
    /// The code that the ISA gives it.
    pub code: u64,
    /// The instruction.
    pub pc: usize,
    /// The address that could not be accessed, if any.
    pub address: usize,
}

static EXPECTED: AtomicBool = AtomicBool::new(false);
static SEEN_ADDRESS: AtomicUsize = AtomicUsize::new(0);

/// Called by handlers. Returns if the fault was expected: the handler then resumes at `probe_faulted`.
pub fn handle(fault: &Fault) {
    if EXPECTED.swap(false, Ordering::Relaxed) {
        SEEN_ADDRESS.store(fault.address, Ordering::Relaxed);
        return;
    }
    console::seize();
    say!(
        "FAULT {} (code {:#x}) at {:#x}, address {:#x}",
        fault.name,
        fault.code,
        fault.pc,
        fault.address
    );
    arch::exit(false)
}

unsafe extern "C" {
    /// Calls `body(argument)`; gives 1 if it faulted and was given up, else 0. One CPU at a time.
    fn probe(body: extern "C" fn(usize), argument: usize) -> usize;
    /// Where a handler resumes after an expected fault.
    pub fn probe_faulted();
}

/// Runs `body(argument)` and returns the address of its fault, `None` if it does not fault.
///
/// `body` is given up in the middle: it must not own anything.
pub fn expect(body: extern "C" fn(usize), argument: usize) -> Option<usize> {
    EXPECTED.store(true, Ordering::Relaxed);
    // SAFETY: the assembly saves what a call preserves, and restores it when the body is given up.
    let faulted = unsafe { probe(body, argument) } != 0;
    EXPECTED.store(false, Ordering::Relaxed);
    faulted.then(|| SEEN_ADDRESS.load(Ordering::Relaxed))
}
