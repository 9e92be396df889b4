//! Raw memory of loaded modules: sections of data and the strings of instructions.
#![expect(unsafe_code, reason = "programs read and write this memory by address")]

use crate::mem::{Allocator, OutOfMemory};
use core::alloc::Layout;
use core::ptr::NonNull;

/// A block of memory at a fixed address that the program owns; given back when dropped.
///
/// Nothing here keeps a reference into it: the program writes to it through its address at any
/// time, so all access is through raw pointers.
#[derive(Debug)]
pub(super) struct Block<'m> {
    start: NonNull<u8>,
    layout: Layout,
    allocator: &'m dyn Allocator,
}

// SAFETY: the block is owned memory, and the allocator is `Sync`.
unsafe impl Send for Block<'_> {}
// SAFETY: a shared `Block` only tells its address.
unsafe impl Sync for Block<'_> {}

impl<'m> Block<'m> {
    /// `size` zero bytes at a multiple of `align`.
    pub(super) fn zeroed(
        allocator: &'m dyn Allocator,
        size: usize,
        align: u32,
    ) -> Result<Block<'m>, OutOfMemory> {
        let layout = Layout::from_size_align(size, align as usize).map_err(|_| OutOfMemory)?;
        let start = allocator.allocate(layout)?;
        // SAFETY: the block is `size` bytes long and ours.
        unsafe { start.write_bytes(0, size) };
        Ok(Block {
            start,
            layout,
            allocator,
        })
    }

    /// Returns the address of the block, which native code and programs may use.
    pub(super) fn address(&self) -> usize {
        self.start.as_ptr().expose_provenance()
    }

    /// Writes bytes at an offset; what lies beyond the end is dropped.
    pub(super) fn write(&mut self, offset: usize, bytes: &[u8]) {
        let len = bytes.len().min(self.layout.size().saturating_sub(offset));
        // SAFETY: `offset + len` is within the block, and `bytes` is borrowed while nobody else
        // runs.
        unsafe {
            let place = self.start.add(offset);
            place.copy_from_nonoverlapping(NonNull::from(bytes).cast(), len);
        }
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout; programs that use its address have ended, as the
        // context is dropped.
        unsafe { self.allocator.deallocate(self.start, self.layout) };
    }
}
