//! The errors with which compilation fails.

use crate::machine::{InsnId, Opcode};
use crate::mem::OutOfMemory;
use crate::target::TooLarge;

/// The reason why a function cannot be compiled. The interpreter can still run it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// No memory.
    OutOfMemory,
    /// The frame, the arguments or the code are too large.
    TooLarge,
    /// The target has no instruction for this.
    NotSelected(Opcode),
    /// The instruction has no encoding, or not with these operands.
    NotEncoded(Opcode),
    /// The proof of a register allocation failed: an error of the allocator, not of the program.
    WrongAllocation {
        /// The instruction that finds another value than it should.
        insn: InsnId,
        /// The number of the operand.
        operand: u16,
    },
    /// Compiling takes more instructions or memory than it may.
    Budget,
    /// The function uses something that is not compiled.
    Unsupported,
    /// Something is missing that must be there: an error of the compiler, not of the program.
    Internal,
    /// The compiler's list of stages has one that does not work on what those before it leave.
    WrongForm,
}

impl From<OutOfMemory> for Error {
    fn from(_: OutOfMemory) -> Error {
        Error::OutOfMemory
    }
}

impl From<TooLarge> for Error {
    fn from(_: TooLarge) -> Error {
        Error::TooLarge
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Error::OutOfMemory => f.write_str("out of memory"),
            Error::TooLarge => f.write_str("the function is too large to compile"),
            Error::NotSelected(opcode) => write!(f, "no instruction for {opcode:?}"),
            Error::NotEncoded(opcode) => write!(f, "no encoding of {opcode:?}"),
            Error::WrongAllocation { insn, operand } => {
                write!(
                    f,
                    "the proof of the register allocation failed: {insn:?}, operand {operand}"
                )
            }
            Error::Budget => f.write_str("compiling the function takes more than it may"),
            Error::Unsupported => f.write_str("the function cannot be compiled"),
            Error::Internal => f.write_str("internal error of the compiler"),
            Error::WrongForm => f.write_str("a stage does not work on what those before it leave"),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of nearly every function of the generator comes back in a register.
    #[test]
    fn results_are_small() {
        assert!(size_of::<Result<(), Error>>() <= 8);
    }
}
