//! The reasons why runs of functions end early.

use super::HostError;
use crate::ir::FaultKind;
use crate::mem::OutOfMemory;
use crate::target::PlanError;
use core::fmt;

/// The reason why a run ended before its function returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The fuel does not suffice for the next block.
    OutOfFuel,
    /// More calls inside each other than [`Options::depth`](crate::interp::Options::depth).
    Depth,
    /// More stack than [`Options::stack`](crate::interp::Options::stack).
    Stack,
    /// The lent allocator has no more memory.
    OutOfMemory,
    /// The function is too large to decode, its arguments are too large for a call, or a block of
    /// it is over the limits of compilation.
    TooLarge,
    /// Division or remainder by zero.
    Division,
    /// The index of a `switch` is not that of one of its labels.
    SwitchRange,
    /// `jmpi` or `jret` to what is no address of a label of the function.
    BadLabel,
    /// A function was left at its end without a `ret`.
    EndReached,
    /// A function was called with arguments or results of other kinds than it has, or a float was
    /// passed as variable argument.
    Signature,
    /// Native code was called, but no native gate was given.
    NoNativeGate,
    /// `setjmp` was called by `jcall`.
    SetJump,
    /// The instruction is not one that the verifier lets pass.
    Invalid,
    /// Code that C called back into failed; the reason is that of the inner run.
    Callback,
    /// The function is of another context, or its module is not linked.
    NotLinked,
    /// A closure of the embedder gave up.
    Host(HostError),
    /// A confined program accessed this address, which is outside of its memory.
    BadAddress(u64),
    /// A confined program called this value, which is no function.
    BadFunction(u64),
    /// An atomic access at an address that is no multiple of its size.
    Unaligned,
}

impl From<OutOfMemory> for Reason {
    fn from(_: OutOfMemory) -> Reason {
        Reason::OutOfMemory
    }
}

impl From<PlanError> for Reason {
    fn from(error: PlanError) -> Reason {
        match error {
            PlanError::OutOfMemory => Reason::OutOfMemory,
            PlanError::TooLarge => Reason::TooLarge,
        }
    }
}

impl Reason {
    /// Returns the reason for a fault of this kind that reports `value`.
    pub(crate) const fn of_kind(kind: FaultKind, value: u64) -> Reason {
        match kind {
            FaultKind::DivisionByZero => Reason::Division,
            FaultKind::SwitchRange => Reason::SwitchRange,
            FaultKind::EndReached => Reason::EndReached,
            FaultKind::OutOfMemory => Reason::OutOfMemory,
            FaultKind::Stack => Reason::Stack,
            FaultKind::BadLabel => Reason::BadLabel,
            FaultKind::BadAddress => Reason::BadAddress(value),
            FaultKind::BadFunction => Reason::BadFunction(value),
            FaultKind::Signature => Reason::Signature,
            FaultKind::Unaligned => Reason::Unaligned,
            FaultKind::Host => Reason::Host(HostError(value.wrapping_sub(1) as u32)),
        }
    }

    /// Returns the reason for which a run stops whose call of compiled code stopped for this
    /// reason: it cannot go on there.
    pub(crate) const fn of_caller(self) -> Reason {
        if self.can_resume() || matches!(self, Reason::NotLinked) {
            Reason::Callback
        } else {
            self
        }
    }

    /// True if the run can go on where it stopped, once what it lacked has been granted.
    #[must_use]
    pub const fn can_resume(self) -> bool {
        matches!(
            self,
            Reason::OutOfFuel | Reason::Depth | Reason::Stack | Reason::OutOfMemory
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::OutOfFuel => "out of fuel",
            Reason::Depth => "too many calls inside each other",
            Reason::Stack => "out of interpreter stack",
            Reason::OutOfMemory => "out of memory",
            Reason::TooLarge => "function or arguments over a limit",
            Reason::Division => "division by zero",
            Reason::SwitchRange => "switch index out of range",
            Reason::BadLabel => "jump to what is no label of the function",
            Reason::EndReached => "end of function reached without ret",
            Reason::Signature => "call with another signature than the function's",
            Reason::NoNativeGate => "call of native code without a native gate",
            Reason::SetJump => "jcall of setjmp",
            Reason::Invalid => "instruction that was not verified",
            Reason::Callback => "fault in a function called back from native code",
            Reason::NotLinked => "function that is not linked in this context",
            Reason::Unaligned => "atomic access that is not aligned",
            Reason::Host(error) => return error.fmt(f),
            Reason::BadAddress(address) => {
                return write!(f, "access at address {address:#x} outside of its memory");
            }
            Reason::BadFunction(value) => {
                return write!(f, "call of {value:#x}, which is no function");
            }
        })
    }
}
