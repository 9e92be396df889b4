//! The reasons why a function is not compiled.

use crate::machine::{InsertError, InsnId, Opcode};
use crate::mem::{Entity, OutOfMemory};
use crate::target::TooLarge;

/// The reason why a function is not compiled. The interpreter can still run it, but should not
/// after an error that [is internal](Error::is_internal).
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
    /// A function of a confined program has an instruction that is not proven to access only what
    /// the program may: an error of the code generator, not of the program.
    Unconfined {
        /// The instruction.
        insn: InsnId,
    },
    /// Compiling takes more instructions or memory than it may.
    Budget,
    /// The embedder asks for something that it cannot have.
    Unsupported,
    /// An invariant of the code generator does not hold: an error of its own, not of the program.
    Internal {
        /// The phase that found it.
        phase: Phase,
        /// The number of the instruction, if there is one: of Medium IR in its function in
        /// [`Phase::Translation`], of Machine IR in the others.
        insn: Option<InsnId>,
    },
    /// The compiler's list of stages has one that does not work on what those before it leave.
    WrongForm,
}

/// A phase of the code generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// From Medium IR to generic instructions.
    Translation,
    /// SSA construction and destruction.
    Ssa,
    /// Passes on generic instructions.
    Optimisation,
    /// Instruction selection, and passes around it.
    Selection,
    /// Register allocation.
    Allocation,
    /// Frame layout and emission.
    Emission,
    /// The placement of code in memory.
    Placement,
}

impl Phase {
    /// Returns the error for an invariant that does not hold, at an instruction if there is one.
    #[must_use]
    pub const fn internal(self, insn: Option<InsnId>) -> Error {
        Error::Internal { phase: self, insn }
    }

    const fn name(self) -> &'static str {
        match self {
            Phase::Translation => "translation",
            Phase::Ssa => "SSA construction",
            Phase::Optimisation => "optimisation",
            Phase::Selection => "selection",
            Phase::Allocation => "register allocation",
            Phase::Emission => "emission",
            Phase::Placement => "placement of code",
        }
    }
}

impl Error {
    /// Returns whether this is an error of the code generator itself. Nothing may hide it, such as
    /// by running the function in the interpreter.
    #[must_use]
    pub const fn is_internal(self) -> bool {
        matches!(
            self,
            Error::Internal { .. }
                | Error::WrongAllocation { .. }
                | Error::Unconfined { .. }
                | Error::NotSelected(_)
                | Error::NotEncoded(_)
        )
    }
}

impl From<OutOfMemory> for Error {
    fn from(_: OutOfMemory) -> Error {
        Error::OutOfMemory
    }
}

impl From<InsertError> for Error {
    fn from(error: InsertError) -> Error {
        match error {
            InsertError::OutOfMemory => Error::OutOfMemory,
            InsertError::TooManyOperands => Error::TooLarge,
        }
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
            Error::Unconfined { insn } => write!(
                f,
                "{insn:?} is not proven to keep to what a confined program may access"
            ),
            Error::Budget => f.write_str("compiling the function takes more than it may"),
            Error::Unsupported => f.write_str("the function cannot be compiled"),
            Error::Internal { phase, insn } => {
                write!(
                    f,
                    "internal error of the code generator in {}",
                    phase.name()
                )?;
                match insn {
                    Some(insn) => write!(f, ", instruction {}", insn.number()),
                    None => Ok(()),
                }
            }
            Error::WrongForm => f.write_str("a stage does not work on what those before it leave"),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of nearly every function of the generator is returned in a register.
    #[test]
    fn results_are_small() {
        assert!(size_of::<Result<(), Error>>() <= 8);
    }
}
