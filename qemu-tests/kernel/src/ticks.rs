//! Timer interrupts, and time.

use crate::arch;
use core::sync::atomic::{AtomicU64, Ordering};

/// Interrupts per second.
pub const RATE: u64 = 1000;

static TAKEN: AtomicU64 = AtomicU64::new(0);

/// Called by the handler of the ISA.
pub fn tick() {
    TAKEN.store(TAKEN.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

/// How many interrupts were taken.
pub fn taken() -> u64 {
    TAKEN.load(Ordering::Relaxed)
}

/// Microseconds from one value of the ISA's clock to another.
pub fn microseconds(from: u64, to: u64) -> u64 {
    let ticks = u128::from(to.wrapping_sub(from));
    (ticks * 1_000_000 / u128::from(arch::clock_rate())) as u64
}
