//! The end of a confined run by what the program did.

use crate::ir::FuncId;
use crate::link::Reason;
use core::fmt;

/// The reason and the place of a fault: the same from every engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The reason.
    pub reason: Reason,
    /// The function that faulted; `None` if the run did not come to one.
    pub function: Option<Function>,
    /// The number of the instruction in its function as it was loaded, labels counted, from 0.
    pub instruction: Option<u32>,
}

/// A function of a program, which [`Program::name`](super::Program::name) tells the name of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    /// The number of the module in its program.
    pub module: u32,
    /// The function.
    pub func: FuncId,
}

impl Fault {
    /// Returns a fault without a place.
    pub(super) const fn new(reason: Reason) -> Self {
        Fault {
            reason,
            function: None,
            instruction: None,
        }
    }

    /// Returns the address of the program whose access faulted.
    #[must_use]
    pub const fn address(&self) -> Option<u64> {
        match self.reason {
            Reason::BadAddress(address) => Some(address),
            _ => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl core::error::Error for Fault {}
