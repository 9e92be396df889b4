//! Functions as what is to be compiled.

use super::shared::Shared;
use crate::ir::FuncId;
use crate::link::{Callable, LinkedModule};

/// A function that a compiler has, and what it shares with the compiler's others.
#[derive(Clone, Copy)]
pub(super) struct Job<'m> {
    shared: *const Shared<'m>,
    linked: *const LinkedModule<'m>,
    func: FuncId,
}

// SAFETY: the pointers are to what the compiler and its context keep, both `Sync`.
unsafe impl Send for Job<'_> {}
// SAFETY: as above.
unsafe impl Sync for Job<'_> {}

impl<'m> Job<'m> {
    /// Returns the job of a function of the module. Both references outlive it.
    pub(super) const fn new(
        shared: &Shared<'m>,
        linked: &LinkedModule<'m>,
        func: FuncId,
    ) -> Job<'m> {
        Job {
            shared,
            linked,
            func,
        }
    }

    /// True if the function is that compiler's.
    pub(super) fn is_of(&self, shared: &Shared<'m>) -> bool {
        core::ptr::eq(self.shared, shared)
    }

    pub(super) fn shared(&self) -> &Shared<'m> {
        // SAFETY: the compiler outlives its units; those of others have no users.
        unsafe { &*self.shared }
    }

    pub(super) fn linked(&self) -> &LinkedModule<'m> {
        // SAFETY: the context outlives the compiler.
        unsafe { &*self.linked }
    }

    pub(super) const fn func(&self) -> FuncId {
        self.func
    }

    pub(super) fn callable(&self) -> &Callable<'m> {
        self.linked().callable(self.func)
    }
}
