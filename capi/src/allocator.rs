//! Memory that C lends.

use core::alloc::Layout;
use core::ffi::c_void;
use core::ptr::NonNull;
use mir_nostd::mem::{Allocator, OutOfMemory};

/// Memory that is lent. Sizes are in bytes and may be zero; alignments are powers of two. `state`
/// is passed through. The functions are called by the thread that calls a function of this header,
/// and must not call one themselves.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LentAllocator {
    /// The first argument of the functions.
    pub state: *mut c_void,
    /// Returns a block, or null if there is none. Required.
    pub allocate: Option<
        unsafe extern "C" fn(state: *mut c_void, size: usize, alignment: usize) -> *mut c_void,
    >,
    /// Takes a block back, whose size and alignment are those that it was asked for with. Where it
    /// is null nothing is ever given back.
    pub deallocate: Option<
        unsafe extern "C" fn(state: *mut c_void, block: *mut c_void, size: usize, alignment: usize),
    >,
}

/// The allocator of a context.
#[derive(Debug)]
pub(crate) struct LentMemory(LentAllocator);

// SAFETY: a context, and so its allocator, belongs to one thread at a time: the header says so.
unsafe impl Sync for LentMemory {}

impl LentMemory {
    pub(crate) const fn new(allocator: LentAllocator) -> LentMemory {
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
