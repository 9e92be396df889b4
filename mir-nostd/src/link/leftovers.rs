//! Leftovers: code that is freed later, because a thread may still run it.
//!
//! A compiler can be dropped while its code runs: a closure that the code called may do it, or
//! another thread. The ways to the code are closed at once; the code itself, and all that it needs,
//! is left to the context, and freed when no thread can be in it any more: when the next compiler
//! is made or dropped while no call of native code and no work of a compiler is under way, at the
//! latest with the context.
#![expect(
    unsafe_code,
    reason = "what is freed later is kept in a list of its own"
)]

use super::Context;
use spin::Mutex;

/// The head of something that may be left to a context.
pub(crate) struct Leftover {
    next: *mut Leftover,
    /// Frees the whole, given its head.
    free: unsafe fn(*mut Leftover),
}

// SAFETY: only the context to which it was left looks at it, under a lock.
unsafe impl Send for Leftover {}
// SAFETY: as above.
unsafe impl Sync for Leftover {}

impl Leftover {
    pub(crate) const fn new(free: unsafe fn(*mut Leftover)) -> Leftover {
        Leftover {
            next: core::ptr::null_mut(),
            free,
        }
    }
}

/// The code left to a context, and how many compilers are at work.
pub(super) struct Leftovers(Mutex<Left>);

struct Left {
    first: *mut Leftover,
    at_work: usize,
}

// SAFETY: what is in the list is nobody else's, and was `Send` by the word of whoever left it.
unsafe impl Send for Left {}

impl Leftovers {
    pub(super) const fn new() -> Leftovers {
        Leftovers(Mutex::new(Left {
            first: core::ptr::null_mut(),
            at_work: 0,
        }))
    }

    fn take(&self) -> *mut Leftover {
        core::mem::replace(&mut self.0.lock().first, core::ptr::null_mut())
    }

    /// Frees a list.
    ///
    /// # Safety
    ///
    /// It was taken from here, and nobody is in what it holds.
    unsafe fn free(mut list: *mut Leftover) {
        while !list.is_null() {
            // SAFETY: what is in the list is whole until it is freed here, once.
            unsafe {
                let Leftover { next, free } = list.read();
                free(list);
                list = next;
            }
        }
    }
}

/// Keeps what is left to a context from being freed, as long as a compiler looks at functions that
/// others may have.
pub(crate) struct AtWork<'c>(&'c Leftovers);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.0.lock().at_work -= 1;
    }
}

impl Context<'_> {
    /// Keeps what is left to the context until the result is dropped.
    pub(crate) fn at_work(&self) -> AtWork<'_> {
        self.leftovers.0.lock().at_work += 1;
        AtWork(&self.leftovers)
    }

    /// Takes something over that is freed when nobody can be in it any more.
    ///
    /// # Safety
    ///
    /// Only who is already in it uses it: it cannot be found any more. It is the caller's, stays
    /// where it is, lives as long as the context unless it is freed, and may be freed by any
    /// thread.
    pub(crate) unsafe fn leave(&self, leftover: *mut Leftover) {
        let mut left = self.leftovers.0.lock();
        // SAFETY: it is the caller's.
        unsafe { (*leftover).next = left.first };
        left.first = leftover;
    }

    /// Frees what was left to the context, if nobody can be in it.
    pub(crate) fn clear_away(&self) {
        let list = self.leftovers.take();
        if list.is_null() {
            return;
        }
        // Whoever is in it came there before it was left, and has been counted, or is in the list
        // of runs, since then. The locks see to it that this is seen here.
        let is_used = self.leftovers.0.lock().at_work > 0 || !self.runs.is_empty();
        if !is_used {
            // SAFETY: the list was just taken, and nobody is in it, as said above.
            return unsafe { Leftovers::free(list) };
        }
        let mut left = self.leftovers.0.lock();
        let mut last = list;
        // SAFETY: what is in the list is whole.
        unsafe {
            while !(*last).next.is_null() {
                last = (*last).next;
            }
            (*last).next = left.first;
        }
        left.first = list;
    }

    /// Frees what was left to the context, which is being dropped: nobody borrows it, so nothing of
    /// it runs.
    pub(super) fn free_leftovers(&mut self) {
        let list = self.leftovers.take();
        // SAFETY: as said above.
        unsafe { Leftovers::free(list) };
    }
}
