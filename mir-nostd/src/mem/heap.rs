//! A heap over one region of memory, for firmware: `linked_list_allocator` with a spin lock.

use super::{Allocator, OutOfMemory};
use core::alloc::Layout;
use core::fmt;
use core::ptr::NonNull;

/// A heap over one region of memory that can be lent.
///
/// ```
/// use core::alloc::Layout;
/// use core::mem::MaybeUninit;
/// use mir_nostd::mem::{Allocator, LockedHeap};
/// static mut REGION: [MaybeUninit<u8>; 4096] = [MaybeUninit::uninit(); 4096];
/// // SAFETY: nothing else uses the region, and it lives for ever.
/// let heap = unsafe { LockedHeap::new((&raw mut REGION).cast(), 4096) };
/// assert!(heap.allocate(Layout::new::<[u64; 16]>()).is_ok());
/// assert!(heap.allocate(Layout::new::<[u64; 4096]>()).is_err());
/// assert!(heap.used() >= 128);
/// ```
pub struct LockedHeap {
    heap: spin::Mutex<linked_list_allocator::Heap>,
}

impl LockedHeap {
    /// Makes a heap over `size` bytes that start at `start`.
    ///
    /// # Safety
    ///
    /// The region is valid for reads and writes as long as the heap or anything allocated from it
    /// is in use, and nobody else touches it.
    #[must_use]
    pub unsafe fn new(start: *mut u8, size: usize) -> LockedHeap {
        // SAFETY: passed on to the caller.
        let heap = unsafe { linked_list_allocator::Heap::new(start, size) };
        LockedHeap {
            heap: spin::Mutex::new(heap),
        }
    }

    /// Returns the number of bytes that are allocated.
    #[must_use]
    pub fn used(&self) -> usize {
        self.heap.lock().used()
    }

    /// Returns the number of bytes that are free.
    #[must_use]
    pub fn free(&self) -> usize {
        self.heap.lock().free()
    }
}

impl fmt::Debug for LockedHeap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LockedHeap")
            .field("used", &self.used())
            .field("free", &self.free())
            .finish()
    }
}

// SAFETY: `linked_list_allocator` allocates disjoint blocks of its region; the lock serialises
// access to it.
unsafe impl Allocator for LockedHeap {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        self.heap
            .lock()
            .allocate_first_fit(layout)
            .map_err(|()| OutOfMemory)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller promises that the block came from here with this layout.
        unsafe { self.heap.lock().deallocate(block, layout) }
    }
}
