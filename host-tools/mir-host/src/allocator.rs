//! The system's allocator, lent to programs.
#![expect(unsafe_code, reason = "an allocator")]

use core::alloc::Layout;
use core::ptr::NonNull;
use mir_nostd::mem::{Allocator, OutOfMemory};

/// The system's allocator in the form of [`Allocator`].
#[derive(Debug, Clone, Copy)]
pub struct SystemAllocator;

/// Returns the layout to request from the system, which has no blocks of size zero.
fn system_layout(layout: Layout) -> Layout {
    Layout::from_size_align(layout.size().max(1), layout.align()).unwrap_or(layout)
}

// SAFETY: the system's allocator keeps the promises; a size of zero is widened the same way
// everywhere.
unsafe impl Allocator for SystemAllocator {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: the size is not zero.
        NonNull::new(unsafe { std::alloc::alloc(system_layout(layout)) }).ok_or(OutOfMemory)
    }

    unsafe fn grow(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        let size = system_layout(new).size();
        // SAFETY: the caller promises that the block has layout `old` and that `new` is not
        // smaller.
        let moved = unsafe { std::alloc::realloc(block.as_ptr(), system_layout(old), size) };
        NonNull::new(moved).ok_or(OutOfMemory)
    }

    unsafe fn shrink(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        let size = system_layout(new).size();
        // SAFETY: the caller promises that the block has layout `old`; the size is not zero.
        let moved = unsafe { std::alloc::realloc(block.as_ptr(), system_layout(old), size) };
        NonNull::new(moved).ok_or(OutOfMemory)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller promises that the block came from here with this layout.
        unsafe { std::alloc::dealloc(block.as_ptr(), system_layout(layout)) }
    }
}
