//! Pages for code from the firmware.

use core::ptr::NonNull;
use mir_nostd::mem::OutOfMemory;
use mir_nostd::target::{Native, Pages, Region};
use uefi::boot::{self, AllocateType, MemoryAttribute, MemoryType, PAGE_SIZE};
use uefi::proto::security::MemoryProtection;

use crate::target::NATIVE;

/// The attributes, each of which forbids something: of pages that are written, of pages that are
/// run, of pages for both.
const WRITTEN: MemoryAttribute = MemoryAttribute::EXECUTE_PROTECT;
const RUN: MemoryAttribute = MemoryAttribute::READ_ONLY;
pub const BOTH: MemoryAttribute = MemoryAttribute::empty();

/// Allocates pages for code.
pub fn allocate(bytes: usize) -> Result<NonNull<u8>, OutOfMemory> {
    let (any, count) = (AllocateType::AnyPages, bytes / PAGE_SIZE);
    boot::allocate_pages(any, MemoryType::LOADER_CODE, count).map_err(|_| OutOfMemory)
}

/// Says what is forbidden in pages. Returns false if the firmware has no protocol for that: pages
/// of loader code are for both then.
pub fn protect(
    start: NonNull<u8>,
    bytes: usize,
    forbidden: MemoryAttribute,
) -> Result<bool, OutOfMemory> {
    let Ok(handle) = boot::get_handle_for_protocol::<MemoryProtection>() else {
        return Ok(false);
    };
    let start = start.addr().get() as u64;
    let range = || start..start + bytes as u64;
    let change = || {
        let protocol = boot::open_protocol_exclusive::<MemoryProtection>(handle)?;
        // In this order: in between nothing is allowed, rather than both.
        if !forbidden.is_empty() {
            protocol.set_memory_attributes(range(), forbidden)?;
        }
        protocol.clear_memory_attributes(range(), (WRITTEN | RUN) - forbidden)
    };
    change()
        .map(|()| true)
        .map_err(|_: uefi::Error| OutOfMemory)
}

/// The firmware as a lender of pages.
pub struct Firmware;

// SAFETY: the firmware lends pages to one at a time. They may be written and run as was said last,
// and instruction fetch on the one core that runs here sees what was written.
unsafe impl Pages for Firmware {
    fn granule(&self) -> usize {
        PAGE_SIZE
    }

    fn reserve(&self, bytes: usize, _near: Option<usize>) -> Result<Region, OutOfMemory> {
        let bytes = bytes.next_multiple_of(PAGE_SIZE);
        let start = allocate(bytes)?;
        protect(start, bytes, WRITTEN)?;
        Ok(Region {
            write: start,
            run: start,
            bytes,
        })
    }

    unsafe fn make_writable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        // SAFETY: the offset lies in the region.
        protect(unsafe { region.write.add(offset) }, length, WRITTEN).map(drop)
    }

    unsafe fn make_executable(
        &self,
        region: &Region,
        offset: usize,
        length: usize,
    ) -> Result<(), OutOfMemory> {
        // SAFETY: the offset lies in the region.
        let start = unsafe { region.run.add(offset) };
        protect(start, length, RUN)?;
        // SAFETY: so does the range.
        unsafe { NATIVE.flush_instruction_cache(start.as_ptr(), length) };
        Ok(())
    }

    unsafe fn release(&self, region: Region) {
        _ = protect(region.run, region.bytes, BOTH);
        // SAFETY: `reserve` allocated these pages.
        _ = unsafe { boot::free_pages(region.run, region.bytes / PAGE_SIZE) };
    }
}
