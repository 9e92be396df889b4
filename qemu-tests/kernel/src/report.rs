//! Prints one line per test, and the summary that ends a run.

use crate::{arch, say, ticks};
use core::fmt;

/// The counts of tests so far.
pub struct Report {
    passed: u32,
    failed: u32,
}

impl Report {
    pub const fn new() -> Report {
        Report {
            passed: 0,
            failed: 0,
        }
    }

    /// Counts a test and prints its line.
    pub fn test(&mut self, name: fmt::Arguments<'_>, good: bool, detail: fmt::Arguments<'_>) {
        if good {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
        let verdict = if good { "ok    " } else { "FAILED" };
        say!("{verdict} {name}: {detail}");
    }

    /// Prints the summary; returns whether everything passed.
    pub fn finish(&self) -> bool {
        let Report { passed, failed } = *self;
        say!("interrupts taken: {}", ticks::taken());
        say!("kernel {}: {passed} passed, {failed} failed", arch::NAME);
        failed == 0 && passed > 0
    }
}
