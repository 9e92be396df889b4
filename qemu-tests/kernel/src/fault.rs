//! Handles faults: an expected one resumes a test, any other is reported and ends the run.

use crate::{arch, console, say};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A fault, as the handler of the ISA reports it.
pub struct Fault {
    /// The name of the fault.
    pub name: &'static str,
    /// The ISA's code of the fault.
    pub code: u64,
    /// The address of the instruction.
    pub pc: usize,
    /// The address whose access faulted, if any.
    pub address: usize,
}

static EXPECTED: AtomicBool = AtomicBool::new(false);
static SEEN_ADDRESS: AtomicUsize = AtomicUsize::new(0);

/// Handles a fault. Returns if it was expected: the handler then resumes at `probe_faulted`.
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
    /// Calls `body(argument)`; returns 1 if it faulted and was abandoned, else 0. Only one CPU may
    /// call this at a time.
    fn probe(body: extern "C" fn(usize), argument: usize) -> usize;
    /// The address at which a handler resumes after an expected fault.
    pub fn probe_faulted();
}

/// Runs `body(argument)` and returns the address of its fault, `None` if it does not fault.
///
/// `body` is abandoned at the fault: it must not own anything.
pub fn expect(body: extern "C" fn(usize), argument: usize) -> Option<usize> {
    EXPECTED.store(true, Ordering::Relaxed);
    // SAFETY: the assembly saves the registers that a call preserves, and restores them when the
    // body is abandoned.
    let faulted = unsafe { probe(body, argument) } != 0;
    EXPECTED.store(false, Ordering::Relaxed);
    faulted.then(|| SEEN_ADDRESS.load(Ordering::Relaxed))
}
