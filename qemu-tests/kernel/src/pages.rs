//! Executable pages: a static region that the page tables map twice, writable and executable, so
//! that no page is ever both at one address.

use crate::arch::{self, NATIVE};
use crate::layout::{PAGE, RUN_ALIAS, Region as Bytes, Shared};
use core::alloc::Layout;
use core::ops::Range;
use core::ptr::NonNull;
use mir_nostd::mem::{Allocator, LockedHeap, OutOfMemory};
use mir_nostd::target::{Native, Pages, Region};
use spin::Once;

const BYTES: usize = 2 << 20;

static CODE: Shared<Bytes<BYTES>> = Shared::new(Bytes([0; BYTES]));

/// Returns the range in which the region is writable.
pub fn written() -> Range<usize> {
    let start = CODE.get().expose_provenance();
    start..start + BYTES
}

/// The page hook.
pub struct KernelPages {
    free: LockedHeap,
}

/// Returns the kernel's executable pages.
pub fn pages() -> &'static KernelPages {
    static PAGES: Once<KernelPages> = Once::new();
    PAGES.call_once(|| KernelPages {
        // SAFETY: nobody else uses the region, and this runs once.
        free: unsafe { LockedHeap::new(CODE.get().cast(), BYTES) },
    })
}

impl KernelPages {
    /// Returns the number of bytes lent at this moment.
    pub fn used(&self) -> usize {
        self.free.used()
    }
}

fn layout(bytes: usize) -> Result<Layout, OutOfMemory> {
    let bytes = bytes.checked_next_multiple_of(PAGE).ok_or(OutOfMemory)?;
    Layout::from_size_align(bytes, PAGE).map_err(|_| OutOfMemory)
}

// SAFETY: the regions are disjoint blocks of a heap; each is writable at one address and executable
// at the other all the time; new code is made visible to all CPUs.
unsafe impl Pages for KernelPages {
    fn granule(&self) -> usize {
        PAGE
    }

    fn reserve(&self, bytes: usize, _near: Option<usize>) -> Result<Region, OutOfMemory> {
        let layout = layout(bytes)?;
        let write = self.free.allocate(layout)?;
        let run = core::ptr::with_exposed_provenance_mut(write.addr().get() + RUN_ALIAS);
        Ok(Region {
            write,
            run: NonNull::new(run).ok_or(OutOfMemory)?,
            bytes: layout.size(),
        })
    }

    unsafe fn make_writable(&self, _: &Region, _: usize, _: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    unsafe fn make_executable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        // SAFETY: both addresses of the range are mapped.
        unsafe {
            NATIVE.flush_instruction_cache(region.write.as_ptr().wrapping_add(offset), length);
            NATIVE.flush_instruction_cache(region.run.as_ptr().wrapping_add(offset), length);
        }
        // SAFETY: the caller owns the region, which is written through this address.
        unsafe { arch::fetch_anew(region.write.as_ptr().wrapping_add(offset), length) };
        Ok(())
    }

    unsafe fn release(&self, region: Region) {
        if let Ok(layout) = layout(region.bytes) {
            // SAFETY: allocated with this layout, by the caller's promise.
            unsafe { self.free.deallocate(region.write, layout) };
        }
    }
}
