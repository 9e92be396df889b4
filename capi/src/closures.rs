//! The C functions that a context or a program keeps as imports.

use crate::state::State;
use core::cell::Cell;
use core::fmt;
use mir_nostd::mem::{Box, OutOfMemory, Vec};

/// Closures, which stay where they are until all are dropped.
pub(crate) struct Closures<C: 'static>(Cell<Option<Vec<'static, Box<'static, C>>>>);

impl<C> fmt::Debug for Closures<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Closures")
    }
}

impl<C> Closures<C> {
    pub(crate) const fn new() -> Closures<C> {
        Closures(Cell::new(None))
    }

    /// Keeps a closure.
    ///
    /// # Errors
    ///
    /// Out of memory.
    ///
    /// # Safety
    ///
    /// The result is not used after [`Closures::clear`], which comes before the state is closed.
    pub(crate) unsafe fn keep(&self, state: &State, closure: C) -> Result<&'static C, OutOfMemory> {
        // SAFETY: by the caller's word.
        let allocator = unsafe { state.forever() }.allocator();
        let mut list = self.0.take().unwrap_or_else(|| Vec::new(allocator));
        let kept = Box::new(allocator, closure).and_then(|closure| {
            let place = core::ptr::from_ref(&*closure);
            list.push(closure).map(|()| place)
        });
        self.0.set(Some(list));
        // SAFETY: the closure stays where it is as long as its box, which is never changed.
        kept.map(|place| unsafe { &*place })
    }

    /// Drops all closures.
    pub(crate) fn clear(&self) {
        drop(self.0.take());
    }
}
