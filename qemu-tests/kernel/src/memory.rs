//! The heap: one static region, lent to contexts and to the C functions that programs import, with
//! its peak measured.

use crate::layout::{HEAP, HEAP_BYTES};
use core::alloc::Layout;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering};
use mir_nostd::mem::{Allocator, LockedHeap, OutOfMemory};
use spin::Once;

/// A heap that records its peak use.
pub struct Meter {
    heap: LockedHeap,
    peak: AtomicUsize,
}

static METER: Once<Meter> = Once::new();

/// Returns the kernel's heap.
pub fn heap() -> &'static Meter {
    METER.call_once(|| Meter {
        // SAFETY: nobody else uses the region, and this runs once.
        heap: unsafe { LockedHeap::new(HEAP.get().cast(), HEAP_BYTES) },
        peak: AtomicUsize::new(0),
    })
}

impl Meter {
    /// Returns the number of bytes lent at this moment.
    pub fn used(&self) -> usize {
        self.heap.used()
    }

    /// Resets the peak to the current use.
    pub fn restart(&self) {
        self.peak.store(self.used(), Ordering::Relaxed);
    }

    /// Returns the most bytes lent at one time since [`Meter::restart`].
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }
}

// SAFETY: every call is forwarded to the heap.
unsafe impl Allocator for Meter {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        let block = self.heap.allocate(layout)?;
        self.peak.fetch_max(self.used(), Ordering::Relaxed);
        Ok(block)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: passed on to the caller.
        unsafe { self.heap.deallocate(block, layout) };
    }
}
