//! An allocator with a limit, over another allocator.

use super::{Allocator, OutOfMemory};
use core::alloc::Layout;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// An allocator that lends at most a number of bytes of another allocator's memory at a time.
///
/// ```
/// # use mir_nostd::mem::{Limited, Vec};
/// # let system = testkit::SystemAllocator;
/// let limited = Limited::new(&system, 1000);
/// let mut bytes = Vec::new(&limited);
/// assert!(bytes.resize(900, 0_u8).is_ok() && bytes.resize(1100, 0).is_err());
/// assert!(limited.was_reached());
/// ```
#[derive(Debug)]
pub struct Limited<'m> {
    allocator: &'m dyn Allocator,
    left: AtomicUsize,
    reached: AtomicBool,
}

impl<'m> Limited<'m> {
    /// Makes an allocator of at most `bytes` of the memory of `allocator`.
    #[must_use]
    pub const fn new(allocator: &'m dyn Allocator, bytes: usize) -> Limited<'m> {
        Limited {
            allocator,
            left: AtomicUsize::new(bytes),
            reached: AtomicBool::new(false),
        }
    }

    /// Returns the number of bytes that can still be lent.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }

    /// Returns whether something was refused because of the limit since the last call.
    #[must_use]
    pub fn was_reached(&self) -> bool {
        self.reached.swap(false, Ordering::Relaxed)
    }

    fn take(&self, bytes: usize) -> Result<(), OutOfMemory> {
        let order = Ordering::Relaxed;
        let taken = self
            .left
            .fetch_update(order, order, |left| left.checked_sub(bytes));
        if taken.is_err() {
            self.reached.store(true, order);
        }
        taken.map(|_| ()).map_err(|_| OutOfMemory)
    }

    fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}

// SAFETY: everything is passed on; the count only decides whether a request is refused.
unsafe impl Allocator for Limited<'_> {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        self.take(layout.size())?;
        let lent = self.allocator.allocate(layout);
        lent.inspect_err(|_| self.give_back(layout.size()))
    }

    fn hash_seed(&self) -> u64 {
        self.allocator.hash_seed()
    }

    unsafe fn grow(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        let more = new.size().saturating_sub(old.size());
        self.take(more)?;
        // SAFETY: the caller's promises are those that this method requires.
        let lent = unsafe { self.allocator.grow(block, old, new) };
        lent.inspect_err(|_| self.give_back(more))
    }

    unsafe fn shrink(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: as above.
        let lent = unsafe { self.allocator.shrink(block, old, new) }?;
        self.give_back(old.size().saturating_sub(new.size()));
        Ok(lent)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: as above.
        unsafe { self.allocator.deallocate(block, layout) };
        self.give_back(layout.size());
    }
}
