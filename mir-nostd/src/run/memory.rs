//! Executable memory for code that is made at once.

use crate::mem::{OutOfMemory, Vec};
use crate::target::{Pages, Region};

/// Regions of executable pages, given back when this is dropped.
pub(super) struct CodeMemory<'m> {
    pages: &'m dyn Pages,
    regions: Vec<'m, Region>,
}

// SAFETY: regions are addresses of pages that the hook lends; they are used by one thread at a time.
unsafe impl Send for CodeMemory<'_> {}

impl<'m> CodeMemory<'m> {
    pub(super) const fn new(
        pages: &'m dyn Pages,
        allocator: &'m dyn crate::mem::Allocator,
    ) -> CodeMemory<'m> {
        CodeMemory {
            pages,
            regions: Vec::new(allocator),
        }
    }

    /// Puts code into pages of its own. `finish` completes the bytes when the address at which they will run is known.
    /// Gives that address.
    pub(super) fn add(
        &mut self,
        code: &mut [u8],
        finish: impl FnOnce(&mut [u8], usize),
    ) -> Result<usize, OutOfMemory> {
        let bytes = code.len().checked_next_multiple_of(self.pages.granule());
        let bytes = bytes.ok_or(OutOfMemory)?;
        self.regions.reserve(1)?;
        let region = self.pages.reserve(bytes, None)?;
        let run = region.run.as_ptr().expose_provenance();
        finish(code, run);
        // SAFETY: the region is new, ours, at least as long as the code, and not run by anybody yet.
        let written = unsafe {
            self.pages.make_writable(&region, 0, bytes).and_then(|()| {
                region
                    .write
                    .as_ptr()
                    .copy_from_nonoverlapping(code.as_ptr(), code.len());
                self.pages.make_executable(&region, 0, bytes)
            })
        };
        if let Err(error) = written {
            // SAFETY: it came from this hook and nothing runs in it.
            unsafe { self.pages.release(region) };
            return Err(error);
        }
        self.regions.push(region)?;
        Ok(run)
    }
}

impl Drop for CodeMemory<'_> {
    fn drop(&mut self) {
        while let Some(region) = self.regions.pop() {
            // SAFETY: it came from this hook; whoever drops the code vouches that nothing runs in it.
            unsafe { self.pages.release(region) };
        }
    }
}
