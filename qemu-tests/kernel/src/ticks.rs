//! Timer interrupts and time.

use crate::arch;
use core::sync::atomic::{AtomicU64, Ordering};

/// The number of interrupts per second.
pub const RATE: u64 = 1000;

static TAKEN: AtomicU64 = AtomicU64::new(0);

/// Counts an interrupt; the ISA's handler calls it.
pub fn tick() {
    TAKEN.store(TAKEN.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

/// Returns the number of interrupts taken.
pub fn taken() -> u64 {
    TAKEN.load(Ordering::Relaxed)
}

/// Returns the microseconds between two values of the ISA's clock.
pub fn microseconds(from: u64, to: u64) -> u64 {
    let ticks = u128::from(to.wrapping_sub(from));
    (ticks * 1_000_000 / u128::from(arch::clock_rate())) as u64
}
