//! Executable pages of the host: each is mapped twice, once to write and once to run, so that none
//! is ever writable and executable at one address, and code can be changed while it runs. Where the
//! system allows no such mapping, a page is either writable or executable at any time.
#![expect(unsafe_code, reason = "maps memory")]

use core::ptr::NonNull;
use mir_nostd::mem::OutOfMemory;
use mir_nostd::target::{Pages, Region};

/// The hook for executable pages of this process.
///
/// ```
/// use mir_nostd::target::Pages;
/// let region = mir_host::HostPages.reserve(100, None).unwrap();
/// assert!(region.bytes >= 100);
/// // SAFETY: nothing uses the region, and it is released once.
/// unsafe { mir_host::HostPages.release(region) };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HostPages;

impl HostPages {
    /// True if the system lends any executable pages.
    #[must_use]
    pub fn are_lent(&self) -> bool {
        let Ok(region) = self.reserve(1, None) else {
            return false;
        };
        // SAFETY: the region is ours, nothing runs in it, and it is released once.
        unsafe {
            let is_executable = self.make_executable(&region, 0, region.bytes).is_ok();
            self.release(region);
            is_executable
        }
    }
}

/// Maps `bytes` bytes of a file from its start.
fn map(file: i32, bytes: usize, protection: i32, flags: i32) -> Result<NonNull<u8>, OutOfMemory> {
    let anywhere = core::ptr::null_mut();
    // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
    let address = unsafe { libc::mmap(anywhere, bytes, protection, flags, file, 0) };
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
    let write = map(
        file,
        bytes,
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_SHARED,
    )?;
    let run = map(
        file,
        bytes,
        libc::PROT_READ | libc::PROT_EXEC,
        libc::MAP_SHARED,
    )
    .inspect_err(|_| unmap(write, bytes))?;
    Ok(Region { write, run, bytes })
}

/// Maps `bytes` bytes of new memory once, to be written first.
fn map_once(bytes: usize) -> Result<Region, OutOfMemory> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let write = map(-1, bytes, libc::PROT_READ | libc::PROT_WRITE, flags)?;
    Ok(Region {
        write,
        run: write,
        bytes,
    })
}

/// Changes the protection of a part of a region that is mapped once.
fn protect(
    region: &Region,
    offset: usize,
    length: usize,
    protection: i32,
) -> Result<(), OutOfMemory> {
    if region.has_alias() {
        return Ok(());
    }
    // SAFETY: callers give a range within the region, which is ours, and which nobody runs or
    // writes meanwhile.
    let done = unsafe {
        let start = region.run.as_ptr().add(offset);
        libc::mprotect(start.cast(), length, protection)
    };
    if done == 0 { Ok(()) } else { Err(OutOfMemory) }
}

/// Makes all harts refetch code: `fence.i` orders the current one only.
#[cfg(target_arch = "riscv64")]
fn fetch_anew_everywhere(start: *mut u8, length: usize) {
    const RISCV_FLUSH_ICACHE: libc::c_long = 259;
    // SAFETY: changes no memory; kernels that do not know the call return an error.
    unsafe { libc::syscall(RISCV_FLUSH_ICACHE, start, start.wrapping_add(length), 0) };
}

/// True if code written at one address is always seen at its alias: qemu-user, which runs the
/// tests, keeps its translations of riscv64 code until the pages that they came from are written
/// themselves.
const SEES_ALIASES: bool = !cfg!(target_arch = "riscv64");

// SAFETY: every region is new memory of its own. With two mappings it is writable at one address
// and executable at the other all the time, with one it is made so; instruction caches are
// maintained when it is made executable.
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
        if !SEES_ALIASES {
            return map_once(bytes);
        }
        // SAFETY: the name ends in NUL.
        let file = unsafe { libc::memfd_create(c"mir".as_ptr(), libc::MFD_CLOEXEC) };
        if file < 0 {
            return map_once(bytes);
        }
        let region = map_twice(file, bytes);
        // SAFETY: the file is ours; the mappings keep its memory.
        unsafe { libc::close(file) };
        region.or_else(|_| map_once(bytes))
    }

    unsafe fn make_writable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        protect(region, offset, length, libc::PROT_READ | libc::PROT_WRITE)
    }

    unsafe fn make_executable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        protect(region, offset, length, libc::PROT_READ | libc::PROT_EXEC)?;
        // SAFETY: the caller gives a range within the region, which is mapped.
        unsafe {
            let start = region.run.as_ptr().add(offset);
            target_all::NATIVE.flush_instruction_cache(start, length);
            #[cfg(target_arch = "riscv64")]
            fetch_anew_everywhere(start, length);
        }
        Ok(())
    }

    unsafe fn release(&self, region: Region) {
        unmap(region.write, region.bytes);
        if region.has_alias() {
            unmap(region.run, region.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes to a region twice as its protocol requires, and reads it where it runs.
    fn write_and_read(region: Region) {
        for byte in [7, 9] {
            // SAFETY: the region is ours, nobody runs it, and it is released once.
            unsafe {
                HostPages.make_writable(&region, 0, region.bytes).unwrap();
                region.write.as_ptr().write(byte);
                HostPages.make_executable(&region, 0, region.bytes).unwrap();
                assert_eq!(region.run.as_ptr().read(), byte);
            }
        }
        // SAFETY: as above.
        unsafe { HostPages.release(region) };
    }

    #[test]
    fn what_is_written_is_what_runs() {
        let granule = HostPages.granule();
        let region = HostPages.reserve(1, None).unwrap();
        assert_eq!(region.bytes, granule);
        write_and_read(region);
        let once = map_once(granule).unwrap();
        assert!(!once.has_alias());
        write_and_read(once);
    }
}
