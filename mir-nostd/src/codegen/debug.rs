//! The receiver of messages about the work of a compiler.

use core::fmt;

/// The receiver of messages. Several threads may compile at the same time, so each message is
/// whole.
pub trait DebugSink: Sync {
    /// Takes a message: one or several lines, each with its end.
    fn say(&self, message: fmt::Arguments<'_>);
}

/// The amount of messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DebugLevel {
    /// A line for each function.
    Functions,
    /// In addition a line for each stage: the number of blocks and instructions before and after
    /// it, and of spills; the rules that fired.
    Stages,
    /// In addition the function as Machine IR after each stage.
    Code,
}

/// The receiver and amount of messages. There are none without the feature `listing`.
#[derive(Clone, Copy)]
pub struct DebugOutput<'m> {
    /// The receiver.
    pub sink: &'m dyn DebugSink,
    /// The amount.
    pub level: DebugLevel,
}

impl fmt::Debug for DebugOutput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DebugOutput")
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}
