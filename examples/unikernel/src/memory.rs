//! The memory of ArceOS behind the hooks: its heap, and pages for code from its page allocator.

use arceos_api::mem::{ax_alloc, ax_dealloc};
use arceos_api::modules::axalloc::{UsageKind, global_allocator};
use arceos_api::modules::axhal::asm::flush_tlb;
use arceos_api::modules::axhal::mem::{PAGE_SIZE_4K, kernel_aspace, virt_to_phys};
use arceos_api::modules::axhal::paging::MappingFlags;
use arceos_api::modules::axmm;
use core::alloc::Layout;
use core::fmt;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicUsize, Ordering};
use mir_nostd::mem::{Allocator, Limited, OutOfMemory};
use mir_nostd::target::{Native, Pages, Region};

use crate::target::NATIVE;

/// The heap of ArceOS, of which programs and all that they need may take so many bytes.
pub static HEAP: Limited<'static> = Limited::new(&Heap, MOST);
const MOST: usize = 4 << 20;

struct Heap;

// SAFETY: blocks of the heap are disjoint, and stay where they are until they are freed.
unsafe impl Allocator for Heap {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: ArceOS asks for nothing; it can refuse.
        unsafe { ax_alloc(layout) }.ok_or(OutOfMemory)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: the block came from `allocate`, by the caller's promise.
        unsafe { ax_dealloc(block, layout) };
    }
}

/// Pages for code from the page allocator of ArceOS: written where it maps all memory, run where
/// they are mapped once more, to be read and executed. No page is writable and executable at one
/// address.
pub struct Code;

/// The bytes of addresses that were given to code, from the middle of those that ArceOS has on. No
/// address is used twice, so that no processor has an old translation of one.
static USED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the page allocator lends disjoint ranges; each is writable at one address and executable
// at the other all the time. `make_executable` reaches the instruction fetch of this processor;
// others call `fetch_anew` before they run the code.
unsafe impl Pages for Code {
    fn granule(&self) -> usize {
        PAGE_SIZE_4K
    }

    fn reserve(&self, bytes: usize, _near: Option<usize>) -> Result<Region, OutOfMemory> {
        let bytes = bytes.checked_next_multiple_of(PAGE_SIZE_4K);
        let bytes = bytes.ok_or(OutOfMemory)?;
        let (count, memory) = (bytes / PAGE_SIZE_4K, global_allocator());
        let lent = memory.alloc_pages(count, PAGE_SIZE_4K, UsageKind::VirtMem);
        let write = lent.map_err(|_| OutOfMemory)?;
        let (base, size) = kernel_aspace();
        let used = USED.fetch_add(bytes, Ordering::Relaxed);
        let run = base + (size / 2).next_multiple_of(PAGE_SIZE_4K) + used;
        let flags = MappingFlags::READ | MappingFlags::EXECUTE;
        let pages = virt_to_phys(write.into());
        let mapped = { axmm::kernel_aspace().lock() }.map_linear(run, pages, bytes, flags);
        if mapped.is_err() {
            memory.dealloc_pages(write, count, UsageKind::VirtMem);
            return Err(OutOfMemory);
        }
        let pointer = |address| NonNull::new(ptr::with_exposed_provenance_mut(address));
        let (write, run) = (pointer(write), pointer(run.into()));
        Ok(Region {
            write: write.ok_or(OutOfMemory)?,
            run: run.ok_or(OutOfMemory)?,
            bytes,
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
        for start in [region.write, region.run] {
            // SAFETY: the range is mapped at both addresses.
            unsafe { NATIVE.flush_instruction_cache(start.as_ptr().wrapping_add(offset), length) };
        }
        Ok(())
    }

    unsafe fn release(&self, region: Region) {
        let run = region.run.addr().get().into();
        if { axmm::kernel_aspace().lock() }
            .unmap(run, region.bytes)
            .is_ok()
        {
            let (write, count) = (region.write.addr().get(), region.bytes / PAGE_SIZE_4K);
            global_allocator().dealloc_pages(write, count, UsageKind::VirtMem);
        }
    }
}

/// Makes this processor see code and mappings that another one made.
pub fn fetch_anew() {
    flush_tlb(None);
    // SAFETY: the range is empty; what matters is that instructions are fetched anew.
    unsafe { NATIVE.flush_instruction_cache(ptr::null(), 0) };
}

/// The bytes that are lent: of the heap, of pages for code, of all pages for page tables.
#[derive(Clone, Copy, PartialEq)]
pub struct Lent([usize; 3]);

impl Lent {
    /// Returns what is lent at this moment; ArceOS counts the pages.
    pub fn now() -> Lent {
        let pages = |kind| global_allocator().usages().get(kind);
        let (code, tables) = (pages(UsageKind::VirtMem), pages(UsageKind::PageTable));
        Lent([MOST - HEAP.left(), code, tables])
    }
}

impl fmt::Display for Lent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lent([heap, code, tables]) = self;
        write!(
            f,
            "{heap} bytes of heap, {code} of pages for code, {tables} of page tables"
        )
    }
}
