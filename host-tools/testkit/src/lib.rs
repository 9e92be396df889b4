//! What the tests share: failing allocators, generators, oracles, the file-test runner.

use core::alloc::Layout;
use core::ptr::NonNull;
use mir_nostd::mem::{Allocator, OutOfMemory};

/// The system's allocator, lendable.
#[derive(Debug, Clone, Copy)]
pub struct SystemAllocator;

/// The layout that the system is asked for: it has no blocks of size zero.
fn system_layout(layout: Layout) -> Layout {
    if layout.size() == 0 {
        Layout::new::<u128>()
    } else {
        layout
    }
}

// SAFETY: the system's allocator keeps the promises; sizes of zero are widened the same way on both ways.
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
        // SAFETY: the caller promises that the block has layout `old` and that `new` is not smaller.
        let moved = unsafe {
            std::alloc::realloc(
                block.as_ptr(),
                system_layout(old),
                system_layout(new).size(),
            )
        };
        NonNull::new(moved).ok_or(OutOfMemory)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller promises that the block came from here with this layout.
        unsafe { std::alloc::dealloc(block.as_ptr(), system_layout(layout)) }
    }
}
