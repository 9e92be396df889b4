//! `malloc` and related functions: blocks of the lent allocator with their size before them.

use crate::LENDER;
use core::alloc::Layout;
use core::ptr::{self, NonNull};

/// The size of the header before a block, which is also its alignment.
const HEADER: usize = 16;

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, HEADER).ok()
}

fn take(size: usize) -> Option<NonNull<u8>> {
    let start = LENDER.get()?.allocator().allocate(layout(size)?).ok()?;
    // SAFETY: the block has room for the header, and what follows it is inside.
    unsafe {
        start.cast::<usize>().write(size);
        Some(start.add(HEADER))
    }
}

/// # Safety
///
/// `block` was allocated here and is not freed.
unsafe fn size_of_block(block: *mut u8) -> usize {
    // SAFETY: the header lies before the block.
    unsafe { block.sub(HEADER).cast::<usize>().read() }
}

pub(crate) extern "C" fn malloc(size: usize) -> *mut u8 {
    take(size).map_or(ptr::null_mut(), NonNull::as_ptr)
}

pub(crate) extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    let Some(bytes) = count.checked_mul(size) else {
        return ptr::null_mut();
    };
    let block = malloc(bytes);
    if !block.is_null() {
        // SAFETY: the block is that long and ours.
        unsafe { block.write_bytes(0, bytes) };
    }
    block
}

pub(crate) unsafe extern "C" fn realloc(block: *mut u8, size: usize) -> *mut u8 {
    let moved = malloc(size);
    if !block.is_null() && !moved.is_null() {
        // SAFETY: the caller passes a block of ours; both are at least that long and distinct.
        unsafe {
            ptr::copy_nonoverlapping(block, moved, size_of_block(block).min(size));
            free(block);
        }
    }
    moved
}

pub(crate) unsafe extern "C" fn free(block: *mut u8) {
    if block.is_null() {
        return;
    }
    // SAFETY: the caller passes a block of ours, which has a header.
    let (start, size) = unsafe { (block.sub(HEADER), size_of_block(block)) };
    let (Some(lender), Some(layout), Some(start)) =
        (LENDER.get(), layout(size), NonNull::new(start))
    else {
        return;
    };
    // SAFETY: it came from that allocator with this layout.
    unsafe { lender.allocator().deallocate(start, layout) };
}
