//! The reasons why a function cannot be decoded.

use crate::link::Reason;
use crate::mem::OutOfMemory;
use crate::target::PlanError;

/// The reason why a function cannot be decoded: one byte, so that the results of the decoder's
/// functions fit in registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::interp) enum DecodeError {
    /// The lent allocator has no more memory.
    OutOfMemory,
    /// The frame is larger than any stack.
    Stack,
    /// The function is too large, or its arguments are.
    TooLarge,
    /// The callable is no function.
    Signature,
    /// An instruction is not one that the verifier lets pass.
    Invalid,
}

impl From<DecodeError> for Reason {
    #[cold]
    fn from(error: DecodeError) -> Reason {
        match error {
            DecodeError::OutOfMemory => Reason::OutOfMemory,
            DecodeError::Stack => Reason::Stack,
            DecodeError::TooLarge => Reason::TooLarge,
            DecodeError::Signature => Reason::Signature,
            DecodeError::Invalid => Reason::Invalid,
        }
    }
}

impl From<OutOfMemory> for DecodeError {
    fn from(_: OutOfMemory) -> DecodeError {
        DecodeError::OutOfMemory
    }
}

impl From<PlanError> for DecodeError {
    fn from(error: PlanError) -> DecodeError {
        match error {
            PlanError::OutOfMemory => DecodeError::OutOfMemory,
            PlanError::TooLarge => DecodeError::TooLarge,
        }
    }
}
