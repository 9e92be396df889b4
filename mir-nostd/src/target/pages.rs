//! Executable pages: the hook through which an embedder lends memory for code.

use crate::mem::OutOfMemory;
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
