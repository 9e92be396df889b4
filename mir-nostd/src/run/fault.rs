//! Faults of compiled code, for the embedder.

use crate::link::{Callable, Reason, Stopped};
use core::fmt;

/// The reason and the place of a fault in compiled code, or in what it called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault(Stopped);

impl Fault {
    pub(super) const fn new(stopped: Stopped) -> Fault {
        Fault(stopped)
    }

    /// Returns what the run left.
    pub(crate) const fn stopped(&self) -> Stopped {
        self.0
    }

    /// Returns the reason.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.0.reason
    }

    /// Returns the number of the instruction in its function, labels counted, from 0; `None` if it
    /// is not known, as where a closure failed.
    #[must_use]
    pub const fn instruction(&self) -> Option<u32> {
        self.0.instruction
    }

    /// True if the fault happened in this function.
    #[must_use]
    pub fn is_in(&self, callable: &Callable<'_>) -> bool {
        core::ptr::from_ref(callable).addr() == self.0.callable
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason().fmt(f)
    }
}

impl core::error::Error for Fault {}
