//! Executable pages of the host: each is mapped twice, once to write and once to run, so that none is ever writable and
//! executable at one address, and code can be changed while it runs.
#![expect(unsafe_code, reason = "maps memory")]

use crate::isa::native;
use core::ptr::NonNull;
use mir_nostd::mem::OutOfMemory;
use mir_nostd::target::{Pages, Region};

/// The hook for executable pages of this process.
#[derive(Debug)]
pub(crate) struct HostPages;

/// Maps `bytes` bytes of a file from its start.
fn map(file: i32, bytes: usize, protection: i32) -> Result<NonNull<u8>, OutOfMemory> {
    let anywhere = core::ptr::null_mut();
    // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
    let address = unsafe { libc::mmap(anywhere, bytes, protection, libc::MAP_SHARED, file, 0) };
    if address == libc::MAP_FAILED {
        return Err(OutOfMemory);
    }
    NonNull::new(address.cast()).ok_or(OutOfMemory)
}

fn unmap(address: NonNull<u8>, bytes: usize) {
    // SAFETY: callers give back mappings of `map` of that length, which nothing uses any more.
    unsafe { libc::munmap(address.as_ptr().cast(), bytes) };
}

/// Maps `bytes` bytes of new memory twice.
fn map_twice(file: i32, bytes: usize) -> Result<Region, OutOfMemory> {
    let length = libc::off_t::try_from(bytes).map_err(|_| OutOfMemory)?;
    // SAFETY: the file is ours.
    if unsafe { libc::ftruncate(file, length) } != 0 {
        return Err(OutOfMemory);
    }
    let write = map(file, bytes, libc::PROT_READ | libc::PROT_WRITE)?;
    let run =
        map(file, bytes, libc::PROT_READ | libc::PROT_EXEC).inspect_err(|_| unmap(write, bytes))?;
    Ok(Region { write, run, bytes })
}

// SAFETY: every region is new memory of its own, writable at one address and executable at the other all the time;
// instruction caches are maintained when it is made executable.
unsafe impl Pages for HostPages {
    fn granule(&self) -> usize {
        // SAFETY: a query.
        let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(size).unwrap_or(65536)
    }

    fn reserve(&self, bytes: usize, _near: Option<usize>) -> Result<Region, OutOfMemory> {
        let bytes = bytes
            .checked_next_multiple_of(self.granule())
            .ok_or(OutOfMemory)?;
        // SAFETY: the name ends in NUL.
        let file = unsafe { libc::memfd_create(c"mir".as_ptr(), libc::MFD_CLOEXEC) };
        if file < 0 {
            return Err(OutOfMemory);
        }
        let region = map_twice(file, bytes);
        // SAFETY: the file is ours; the mappings keep its memory.
        unsafe { libc::close(file) };
        region
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
        // SAFETY: the caller gives a range within the region, which is mapped.
        unsafe {
            let start = region.run.as_ptr().add(offset);
            native().flush_instruction_cache(start, length);
        }
        Ok(())
    }

    unsafe fn release(&self, region: Region) {
        unmap(region.write, region.bytes);
        unmap(region.run, region.bytes);
    }
}
