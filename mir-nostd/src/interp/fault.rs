//! Why a run ended before its function returned.

use super::code::Code;
use crate::ir::{FuncId, InsnId, Module};
use crate::link::HostError;
use crate::mem::OutOfMemory;
use core::fmt;

/// Why a run ended before its function returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The fuel does not suffice for the next block.
    OutOfFuel,
    /// More calls inside each other than [`super::Options::depth`].
    Depth,
    /// More stack than [`super::Options::stack`].
    Stack,
    /// The lent allocator has no more memory.
    OutOfMemory,
    /// Division or remainder by zero.
    Division,
    /// The index of a `switch` is not that of one of its labels.
    SwitchRange,
    /// `jmpi` or `jret` to what is no address of a label of the function.
    BadLabel,
    /// A function was left at its end without a `ret`.
    EndReached,
    /// A function was called with arguments or results of other kinds than it has, or a float was passed as variable
    /// argument.
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
}

/// What the machine notes when it stops.
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
    /// What a run stops with whose call of compiled code stopped for this reason: it cannot go on there.
    pub(super) const fn of_call(reason: Reason) -> Exit {
        match reason {
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

    /// The reason for the embedder; `None` if all is well.
    pub(super) fn reason(self) -> Option<Reason> {
        Some(match self {
            Exit::Returned => return None,
            Exit::Fuel => Reason::OutOfFuel,
            Exit::Depth => Reason::Depth,
            Exit::Stack => Reason::Stack,
            Exit::OutOfMemory => Reason::OutOfMemory,
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

impl From<OutOfMemory> for Reason {
    fn from(_: OutOfMemory) -> Reason {
        Reason::OutOfMemory
    }
}

impl Reason {
    /// The reasons without a value, in the order of their numbers.
    const NUMBERED: [Reason; 14] = [
        Reason::Division,
        Reason::SwitchRange,
        Reason::EndReached,
        Reason::OutOfMemory,
        Reason::OutOfFuel,
        Reason::Depth,
        Reason::Stack,
        Reason::BadLabel,
        Reason::Signature,
        Reason::NoNativeGate,
        Reason::SetJump,
        Reason::Invalid,
        Reason::Callback,
        Reason::NotLinked,
    ];

    /// A number for the reason, and the value that it has, if any.
    pub(crate) fn number(self) -> (u32, u32) {
        match self {
            Reason::Host(HostError(code)) => (u32::MAX, code),
            _ => {
                let known = Reason::NUMBERED.iter().position(|&known| known == self);
                (known.unwrap_or(0) as u32, 0)
            }
        }
    }

    /// The reason of this number.
    pub(crate) fn of_number(number: u32, error: HostError) -> Reason {
        let known = Reason::NUMBERED.get(number as usize).copied();
        known.unwrap_or(Reason::Host(error))
    }

    /// Whether the run can go on where it stopped, once what it lacked has been granted.
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
            Reason::Host(error) => return error.fmt(f),
        })
    }
}

/// Where a run stopped, or what a calling function was about to do.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'c, 'm> {
    /// The module of the function.
    pub module: &'c Module<'m>,
    /// The function.
    pub func: FuncId,
    /// The instruction that runs or calls.
    pub insn: Option<InsnId>,
}

impl<'c, 'm> Frame<'c, 'm> {
    /// # Safety
    ///
    /// `code` is of a context that lives for `'c`, and was made from modules over `'m`.
    #[expect(unsafe_code, reason = "code is found through the frame on the stack")]
    pub(super) unsafe fn new(code: *const Code<'static>, pc: *const u64) -> Option<Frame<'c, 'm>> {
        // SAFETY: by the caller's word; the erased lifetime is put back.
        let code: &'c Code<'m> = unsafe { &*code.cast() };
        // SAFETY: a callable lives as long as its context.
        let (module, func) = unsafe { &*code.callable }.func()?;
        Some(Frame {
            module: module.module(),
            func,
            insn: code.origin(pc),
        })
    }

    /// The function's name.
    #[must_use]
    pub fn name(&self) -> &'c [u8] {
        let item = self.module.item(self.module.func(self.func).item);
        item.name.map_or(b"", |name| self.module.name_bytes(name))
    }
}

/// Where and why a run stopped; [`super::Interpreter::backtrace`] tells the way there.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'c, 'm> {
    /// Why.
    pub reason: Reason,
    /// In which function, and at which instruction; `None` before the first.
    pub at: Option<Frame<'c, 'm>>,
}

impl fmt::Display for Stop<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)?;
        if let Some(frame) = &self.at {
            f.write_str(" in ")?;
            for chunk in frame.name().utf8_chunks() {
                f.write_str(chunk.valid())?;
            }
        }
        Ok(())
    }
}

impl core::error::Error for Stop<'_, '_> {}
