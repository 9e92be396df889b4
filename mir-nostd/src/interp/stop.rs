//! The place where a run stopped, for the embedder.

use super::code::Code;
use crate::ir::{FuncId, InsnId, Module};
use crate::link::Reason;

/// A frame of a run that stopped: a function and the instruction that it stands at.
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
    /// Returns a frame that stands at `pc`, and stopped there for a reason if it is the innermost.
    ///
    /// # Safety
    ///
    /// `code` is of a context that lives for `'c`, and was made from modules over `'m`.
    #[expect(unsafe_code, reason = "code is found through the frame on the stack")]
    pub(super) unsafe fn new(
        code: *const Code<'static>,
        pc: *const u64,
        exit: Option<Reason>,
    ) -> Option<Frame<'c, 'm>> {
        // SAFETY: by the caller's word; the erased lifetime is put back.
        let code: &'c Code<'m> = unsafe { &*code.cast() };
        // SAFETY: a callable lives as long as its context.
        let (module, func) = unsafe { &*code.callable }.func()?;
        Some(Frame {
            module: module.module(),
            func,
            insn: code.place(pc, exit),
        })
    }

    /// Returns the function's name.
    #[must_use]
    pub fn name(&self) -> &'c [u8] {
        let item = self.module.item(self.module.func(self.func).item);
        item.name.map_or(b"", |name| self.module.name_bytes(name))
    }
}

/// The place where a run stopped and the reason; [`super::Interpreter::backtrace`] tells the calls
/// that led there.
#[derive(Clone, Copy, Debug)]
pub struct Stop<'c, 'm> {
    /// The reason.
    pub reason: Reason,
    /// The function and the instruction; `None` before the first.
    pub at: Option<Frame<'c, 'm>>,
}

impl core::error::Error for Stop<'_, '_> {}
