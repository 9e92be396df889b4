//! The end of a confined run by what the program did.

use crate::ir::FuncId;
use crate::link::{MOST_FRAMES, Reason};
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

/// A call that was under way when a program faulted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function.
    pub function: Function,
    /// The number of the instruction that faulted, or that called the frame before, in its function
    /// as it was loaded, labels counted, from 0.
    pub instruction: Option<u32>,
}

/// The calls inside each other when a program faulted: the same from every engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Backtrace {
    /// The calls, from the innermost outward.
    pub frames: heapless::Vec<Frame, MOST_FRAMES>,
    /// True if there were more outside of them.
    pub is_cut: bool,
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
