//! The states in which the machine stops.

use crate::link::{HostError, Reason};
use crate::mem::OutOfMemory;
use crate::target::PlanError;

/// The state in which the machine stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// The function that was run returned.
    Returned,
    /// As the reason of this name; all of these can be resumed.
    Fuel,
    Depth,
    Stack,
    OutOfMemory,
    /// As the reasons of these names.
    TooLarge,
    Division,
    SwitchRange,
    BadLabel,
    EndReached,
    Signature,
    NoNativeGate,
    SetJump,
    Invalid,
    Callback,
    Host(HostError),
}

impl Exit {
    /// Returns the state in which a run stops whose call of compiled code stopped for this reason:
    /// it cannot go on there.
    pub(super) const fn of_call(reason: Reason) -> Exit {
        match reason {
            Reason::TooLarge => Exit::TooLarge,
            Reason::Division => Exit::Division,
            Reason::SwitchRange => Exit::SwitchRange,
            Reason::BadLabel => Exit::BadLabel,
            Reason::EndReached => Exit::EndReached,
            Reason::Signature => Exit::Signature,
            Reason::NoNativeGate => Exit::NoNativeGate,
            Reason::SetJump => Exit::SetJump,
            Reason::Invalid => Exit::Invalid,
            Reason::Host(error) => Exit::Host(error),
            _ => Exit::Callback,
        }
    }

    /// Returns the reason for the embedder; `None` if all is well.
    pub(super) fn reason(self) -> Option<Reason> {
        Some(match self {
            Exit::Returned => return None,
            Exit::Fuel => Reason::OutOfFuel,
            Exit::Depth => Reason::Depth,
            Exit::Stack => Reason::Stack,
            Exit::OutOfMemory => Reason::OutOfMemory,
            Exit::TooLarge => Reason::TooLarge,
            Exit::Division => Reason::Division,
            Exit::SwitchRange => Reason::SwitchRange,
            Exit::BadLabel => Reason::BadLabel,
            Exit::EndReached => Reason::EndReached,
            Exit::Signature => Reason::Signature,
            Exit::NoNativeGate => Reason::NoNativeGate,
            Exit::SetJump => Reason::SetJump,
            Exit::Invalid => Reason::Invalid,
            Exit::Callback => Reason::Callback,
            Exit::Host(error) => Reason::Host(error),
        })
    }
}

impl From<OutOfMemory> for Exit {
    fn from(_: OutOfMemory) -> Exit {
        Exit::OutOfMemory
    }
}

impl From<PlanError> for Exit {
    fn from(error: PlanError) -> Exit {
        match error {
            PlanError::OutOfMemory => Exit::OutOfMemory,
            PlanError::TooLarge => Exit::TooLarge,
        }
    }
}
