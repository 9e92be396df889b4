//! Memory that C lends.

use core::alloc::Layout;
use core::ffi::c_void;
use core::ptr::NonNull;
use mir_nostd::mem::{Allocator, OutOfMemory};

/// `mir_allocator`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CAllocator {
    state: *mut c_void,
    allocate: Option<unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void>,
    deallocate: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize, usize)>,
}

/// The allocator of a context.
#[derive(Debug)]
pub(crate) struct LentMemory(CAllocator);

// SAFETY: a context, and so its allocator, belongs to one thread at a time: the header says so.
unsafe impl Sync for LentMemory {}

impl LentMemory {
    pub(crate) const fn new(allocator: CAllocator) -> LentMemory {
        LentMemory(allocator)
    }
}

// SAFETY: the lender of the memory vouches that the functions return blocks as the header says,
// which is what the trait requires.
unsafe impl Allocator for LentMemory {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        let allocate = self.0.allocate.ok_or(OutOfMemory)?;
        // SAFETY: the lender of the memory vouches for the function.
        let block = unsafe { allocate(self.0.state, layout.size(), layout.align()) };
        match NonNull::new(block.cast::<u8>()) {
            Some(block) => Ok(block),
            None if layout.size() == 0 => Ok(layout.dangling_ptr()),
            None => Err(OutOfMemory),
        }
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        if let Some(deallocate) = self.0.deallocate
            && layout.size() > 0
        {
            // SAFETY: the block came from `allocate` with this layout.
            unsafe {
                deallocate(
                    self.0.state,
                    block.as_ptr().cast(),
                    layout.size(),
                    layout.align(),
                )
            };
        }
    }
}
