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

/// The hook for executable pages that a debugger can put breakpoints into: each is mapped once and
/// privately, since the system lets a debugger change no code of a shared mapping. A page cannot
/// run while code is added to it, so threads must not run code while another one compiles.
///
/// ```
/// use mir_nostd::target::Pages;
/// let region = mir_host::PrivatePages.reserve(100, None).unwrap();
/// assert!(!region.has_alias());
/// // SAFETY: nothing uses the region, and it is released once.
/// unsafe { mir_host::PrivatePages.release(region) };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PrivatePages;

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

/// The access to memory that is written, and to memory that is run.
const WRITE: i32 = libc::PROT_READ | libc::PROT_WRITE;
const RUN: i32 = libc::PROT_READ | libc::PROT_EXEC;

/// Maps `bytes` bytes of new memory, to be written; shared or private.
fn map(bytes: usize, sharing: i32) -> Result<NonNull<u8>, OutOfMemory> {
    map_file(-1, bytes, WRITE, sharing | libc::MAP_ANONYMOUS)
}

/// Maps `bytes` bytes of a file from its start.
fn map_file(file: i32, bytes: usize, access: i32, flags: i32) -> Result<NonNull<u8>, OutOfMemory> {
    let anywhere = core::ptr::null_mut();
    // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
    address_of(unsafe { libc::mmap(anywhere, bytes, access, flags, file, 0) })
}

/// Returns the address of a new mapping.
fn address_of(address: *mut libc::c_void) -> Result<NonNull<u8>, OutOfMemory> {
    if address == libc::MAP_FAILED {
        return Err(OutOfMemory);
    }
    NonNull::new(address.cast()).ok_or(OutOfMemory)
}

fn unmap(address: NonNull<u8>, bytes: usize) {
    // SAFETY: callers give back mappings of `map` of that length, which nothing uses any more.
    unsafe { libc::munmap(address.as_ptr().cast(), bytes) };
}

/// Maps `bytes` bytes of new memory twice. The memory belongs to no file: profilers read the map of
/// a process's own functions for such memory only.
fn map_twice(bytes: usize) -> Result<Region, OutOfMemory> {
    let write = map(bytes, libc::MAP_SHARED)?;
    let run = map_again(write, bytes).inspect_err(|_| unmap(write, bytes))?;
    Ok(Region { write, run, bytes })
}

/// Maps a shared mapping a second time, to be run.
fn map_again(shared: NonNull<u8>, bytes: usize) -> Result<NonNull<u8>, OutOfMemory> {
    let shared = shared.as_ptr().cast();
    // SAFETY: an old length of 0 leaves the mapping as it is and makes a further one of its pages.
    let again = address_of(unsafe { libc::mremap(shared, 0, bytes, libc::MREMAP_MAYMOVE) })?;
    // SAFETY: the mapping is new, nobody knows of it.
    if unsafe { libc::mprotect(again.as_ptr().cast(), bytes, RUN) } == 0 {
        return Ok(again);
    }
    unmap(again, bytes);
    Err(OutOfMemory)
}

/// Maps a new file in memory twice, for systems that map no memory again: qemu-user, which runs
/// the tests, is one.
fn map_file_twice(bytes: usize) -> Result<Region, OutOfMemory> {
    // SAFETY: the name ends in NUL.
    let file = unsafe { libc::memfd_create(c"mir".as_ptr(), libc::MFD_CLOEXEC) };
    if file < 0 {
        return Err(OutOfMemory);
    }
    let region = map_both(file, bytes);
    // SAFETY: the file is ours; the mappings keep its memory.
    unsafe { libc::close(file) };
    region
}

/// Maps `bytes` bytes of a file, which is made as long, to be written and to be run.
fn map_both(file: i32, bytes: usize) -> Result<Region, OutOfMemory> {
    let length = libc::off_t::try_from(bytes).map_err(|_| OutOfMemory)?;
    // SAFETY: the file is ours.
    if unsafe { libc::ftruncate(file, length) } != 0 {
        return Err(OutOfMemory);
    }
    let write = map_file(file, bytes, WRITE, libc::MAP_SHARED)?;
    let run = map_file(file, bytes, RUN, libc::MAP_SHARED).inspect_err(|_| unmap(write, bytes))?;
    Ok(Region { write, run, bytes })
}

/// Maps `bytes` bytes of new memory once, to be written first.
fn map_once(bytes: usize) -> Result<Region, OutOfMemory> {
    let write = map(bytes, libc::MAP_PRIVATE)?;
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

/// Returns the size of a page.
fn page_size() -> usize {
    // SAFETY: a query.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(65536)
}

/// Returns a length rounded up to whole pages.
fn whole_pages(bytes: usize) -> Result<usize, OutOfMemory> {
    bytes
        .checked_next_multiple_of(page_size())
        .ok_or(OutOfMemory)
}

/// Makes a part of a region executable.
///
/// # Safety
///
/// As [`Pages::make_executable`].
unsafe fn make_executable(
    region: &Region,
    offset: usize,
    length: usize,
) -> Result<(), OutOfMemory> {
    protect(region, offset, length, RUN)?;
    // SAFETY: the caller gives a range within the region, which is mapped.
    unsafe {
        let start = region.run.as_ptr().add(offset);
        target_all::NATIVE.flush_instruction_cache(start, length);
        #[cfg(target_arch = "riscv64")]
        fetch_anew_everywhere(start, length);
    }
    Ok(())
}

/// Implements [`Pages`] for a type by the way in which it maps regions.
macro_rules! pages {
    ($pages:ty, $map:expr) => {
        // SAFETY: every region is new memory of its own. With two mappings it is writable at one
        // address and executable at the other all the time, with one it is made so; instruction
        // caches are maintained when it is made executable.
        unsafe impl Pages for $pages {
            fn granule(&self) -> usize {
                page_size()
            }

            fn reserve(&self, bytes: usize, _near: Option<usize>) -> Result<Region, OutOfMemory> {
                $map(whole_pages(bytes)?)
            }

            unsafe fn make_writable(
                &self,
                region: &Region,
                offset: usize,
                length: usize,
            ) -> Result<(), OutOfMemory> {
                protect(region, offset, length, WRITE)
            }

            unsafe fn make_executable(
                &self,
                region: &Region,
                offset: usize,
                length: usize,
            ) -> Result<(), OutOfMemory> {
                // SAFETY: by the caller's word.
                unsafe { make_executable(region, offset, length) }
            }

            unsafe fn release(&self, region: Region) {
                unmap(region.write, region.bytes);
                if region.has_alias() {
                    unmap(region.run, region.bytes);
                }
            }
        }
    };
}

pages!(HostPages, |bytes| match SEES_ALIASES {
    true => map_twice(bytes)
        .or_else(|_| map_file_twice(bytes))
        .or_else(|_| map_once(bytes)),
    false => map_once(bytes),
});
pages!(PrivatePages, map_once);
