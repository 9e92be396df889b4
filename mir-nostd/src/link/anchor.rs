//! The anchor, by which native code finds a context that may move.
//!
//! Native code that calls a function or closure comes with an address fixed long ago, and a context
//! may move until then: what native code knows leads to the context's anchor, which stays. Whoever
//! borrows the context for native code to run, which is
//! [`Interpreter::new`](crate::interp::Interpreter::new) and [`Jit::new`](crate::run::Jit::new),
//! says there where it is; it cannot move then until the borrow ends.
#![expect(unsafe_code, reason = "the anchor is shared with native code")]

use super::Context;
use crate::mem::{Box, OutOfMemory};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, Ordering};

/// Says where a context is; it stays at its place as long as the context lives, and no other
/// context has it.
pub(crate) struct Anchor<'m> {
    context: AtomicPtr<Context<'m>>,
}

impl<'m> Anchor<'m> {
    /// Returns where the context was when it was last borrowed for running native code.
    pub(crate) fn context(&self) -> *const Context<'m> {
        self.context.load(Ordering::Acquire)
    }
}

impl<'m> Context<'m> {
    /// Returns the anchor, which is made if there is none yet.
    pub(crate) fn anchor(&self) -> Result<*const Anchor<'m>, OutOfMemory> {
        let there = self.known_anchor();
        if !there.is_null() {
            return Ok(there);
        }
        let context = AtomicPtr::new(core::ptr::from_ref(self).cast_mut());
        let made = Box::new(self.allocator(), Anchor { context })?;
        let (null, ours) = (core::ptr::null_mut(), made.place().as_ptr());
        let (order, failed) = (Ordering::AcqRel, Ordering::Acquire);
        match (self.anchor).compare_exchange(null, ours, order, failed) {
            Ok(_) => Ok(made.into_raw()),
            Err(theirs) => Ok(theirs),
        }
    }

    /// Returns the anchor, null if there is none yet.
    pub(super) fn known_anchor(&self) -> *const Anchor<'m> {
        self.anchor.load(Ordering::Acquire)
    }

    /// Says where the context is, for calls back from native code that runs while it is borrowed.
    pub(crate) fn settle(&self) {
        // SAFETY: an anchor lives as long as its context.
        if let Some(anchor) = unsafe { self.known_anchor().as_ref() } {
            let context = core::ptr::from_ref(self).cast_mut();
            anchor.context.store(context, Ordering::Release);
        }
    }

    /// Drops the anchor. No native code can call the context's functions any more.
    pub(super) fn drop_anchor(&mut self) {
        let anchor = core::mem::replace(self.anchor.get_mut(), core::ptr::null_mut());
        if let Some(anchor) = NonNull::new(anchor) {
            // SAFETY: taken apart in `anchor`, over this allocator, and put together only here.
            drop(unsafe { Box::from_raw(self.allocator(), anchor) });
        }
    }
}
