//! Why a run ended before its function returned.

use super::code::Code;
use crate::ir::{FuncId, InsnId, Module};
use crate::link::{HostError, Reason};
use core::fmt;

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
