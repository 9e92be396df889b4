//! Executable pages: the hook through which an embedder lends memory for code.

use super::Native;
use crate::mem::{Allocator, OutOfMemory};
use core::alloc::Layout;
use core::ptr::NonNull;

/// A range of pages for code, with the address to write it through and the address to run it at.
///
/// The two differ where the embedder maps the pages twice; then code can be changed while it
/// runs. Where they are equal, a page is either writable or executable at any time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The address at which code is written.
    pub write: NonNull<u8>,
    /// The address at which code runs.
    pub run: NonNull<u8>,
    /// Its length in bytes, a multiple of [`Pages::granule`].
    pub bytes: usize,
}

impl Region {
    /// True if the region may be written while it runs.
    #[must_use]
    pub fn has_alias(&self) -> bool {
        self.write != self.run
    }
}

/// A lender of executable pages. No page is ever writable and executable at one address.
///
/// # Safety
///
/// An implementor lends ranges that nobody else uses until they are released. After
/// [`make_writable`], bytes of the range can be written at `write`; after [`make_executable`], the
/// bytes written can be executed at `run` by every core: cache maintenance on all of them is part
/// of it.
///
/// [`make_writable`]: Pages::make_writable
/// [`make_executable`]: Pages::make_executable
pub unsafe trait Pages: Sync {
    /// Returns the size in bytes, a power of two, in which pages change their protection.
    fn granule(&self) -> usize;

    /// Reserves at least `bytes` bytes, if possible within reach of direct branches from the
    /// address `near`.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there are none.
    fn reserve(&self, bytes: usize, near: Option<usize>) -> Result<Region, OutOfMemory>;

    /// Makes `length` bytes of the region from `offset` on writable at [`Region::write`]. Without
    /// an alias they cease to be executable, so no core may be running them.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the embedder cannot; the pages are then as they were.
    ///
    /// # Safety
    ///
    /// The region came from this hook, and offset and length are multiples of the granule within
    /// it.
    unsafe fn make_writable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory>;

    /// Makes `length` bytes of the region from `offset` on executable at [`Region::run`], on all
    /// cores. Without an alias they cease to be writable.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the embedder cannot; the pages are then as they were.
    ///
    /// # Safety
    ///
    /// As for [`Pages::make_writable`].
    unsafe fn make_executable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory>;

    /// Takes the region back.
    ///
    /// # Safety
    ///
    /// It came from this hook, and nothing runs in it or will.
    unsafe fn release(&self, region: Region);
}

/// Pages of a machine without memory protection: blocks of an allocator, which can be written and
/// run at any time.
///
/// For firmware and kernels that leave the memory management unit off or map everything for all
/// purposes. A machine that can protect pages has a hook of its own.
#[derive(Clone, Copy, Debug)]
pub struct UnprotectedPages<'a> {
    memory: &'a dyn Allocator,
    native: &'a dyn Native,
}

impl<'a> UnprotectedPages<'a> {
    /// The size in which code is taken: a cache line of any of the ISAs.
    const GRANULE: usize = 256;

    /// Returns a hook over an allocator's memory.
    ///
    /// # Safety
    ///
    /// Memory of the allocator can be executed as it is, and no other core runs code that this one
    /// writes before it has synchronised its instruction fetch.
    #[must_use]
    #[expect(unsafe_code, reason = "whether memory can be executed is not visible")]
    pub const unsafe fn new(memory: &'a dyn Allocator, native: &'a dyn Native) -> Self {
        UnprotectedPages { memory, native }
    }

    fn layout(bytes: usize) -> Result<Layout, OutOfMemory> {
        let bytes = bytes.checked_next_multiple_of(Self::GRANULE);
        let layout = bytes.map(|bytes| Layout::from_size_align(bytes, Self::GRANULE));
        layout.ok_or(OutOfMemory)?.map_err(|_| OutOfMemory)
    }
}

// SAFETY: blocks of an allocator are disjoint, and its maker vouches that they can be run; new code
// is made visible to this core, and others see to it themselves, by the same word.
#[expect(unsafe_code, reason = "what is lent is run")]
unsafe impl Pages for UnprotectedPages<'_> {
    fn granule(&self) -> usize {
        Self::GRANULE
    }

    fn reserve(&self, bytes: usize, _near: Option<usize>) -> Result<Region, OutOfMemory> {
        let layout = Self::layout(bytes)?;
        let start = self.memory.allocate(layout)?;
        Ok(Region {
            write: start,
            run: start,
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
        let start = region.run.as_ptr().wrapping_add(offset);
        // SAFETY: the range lies in a block of the allocator.
        unsafe { self.native.flush_instruction_cache(start, length) };
        Ok(())
    }

    unsafe fn release(&self, region: Region) {
        if let Ok(layout) = Self::layout(region.bytes) {
            // SAFETY: the block was allocated with this layout, by the caller's word.
            unsafe { self.memory.deallocate(region.write, layout) };
        }
    }
}
