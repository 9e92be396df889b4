//! Tests of the memory rules: a lack of memory is an error that leaks nothing, and freed memory can
//! be used again.

use crate::arch;
use crate::memory::heap;
use crate::output;
use crate::report::Report;
use crate::run::{self, Failure};
use core::alloc::Layout;
use core::ptr::NonNull;
use mir_nostd::mem::{Allocator, LockedHeap};

/// Runs all tests of this module.
pub fn memory(report: &mut Report) {
    too_small(report);
    thousands(report);
}

/// The limit on the heap that the embedded program needs.
const SMALLEST: usize = 64 << 10;

/// Tests the embedded program with heaps that grow until it runs.
fn too_small(report: &mut Report) {
    let layout = Layout::new::<[u64; 1 << 17]>();
    let Ok(region) = heap().allocate(layout) else {
        return report.test(
            format_args!("too little memory"),
            false,
            format_args!("no memory for the test"),
        );
    };
    let mut refusals = 0;
    let mut clean = true;
    let mut needed = None;
    for size in (512..layout.size()).step_by(512) {
        match with_heap(region, size, &mut clean) {
            Ok(()) => {
                needed = Some(size);
                break;
            }
            Err(failure) => {
                clean &= failure.is_lack_of_memory();
                refusals += 1;
            }
        }
    }
    // SAFETY: allocated above with this layout.
    unsafe { heap().deallocate(region, layout) };
    let needed = needed.unwrap_or(usize::MAX);
    report.test(
        format_args!("too little memory"),
        clean && refusals > 10 && needed <= SMALLEST,
        format_args!("{refusals} refusals that left nothing; runs with {needed} bytes"),
    );
}

/// Runs the embedded program in a heap of `size` bytes; clears `clean` if anything is left in it.
fn with_heap(region: NonNull<u8>, size: usize, clean: &mut bool) -> Result<(), Failure> {
    // SAFETY: the region is larger than `size` and used by this alone.
    let small = unsafe { LockedHeap::new(region.as_ptr(), size) };
    output::restart(false);
    let outcome = run::program(&small, arch::EMBEDDED);
    *clean &= small.used() == 0;
    *clean &= outcome.is_err() || output::kept() == arch::EMBEDDED_PRINTS;
    outcome
}

/// The number of contexts that are made, filled and freed.
const ROUNDS: usize = 10_000;

fn thousands(report: &mut Report) {
    let before = heap().used();
    let largest = largest_block();
    let mut failed = 0;
    for _ in 0..ROUNDS {
        let loaded = run::context(heap()).and_then(|context| run::load(&context, arch::EMBEDDED));
        failed += usize::from(loaded.is_err());
    }
    let same = heap().used() == before && largest_block() == largest;
    report.test(
        format_args!("{ROUNDS} times loaded and freed"),
        failed == 0 && same,
        format_args!(
            "heap {before} bytes before, {} after, largest free block {} KB",
            heap().used(),
            largest >> 10
        ),
    );
}

/// Returns the size of the largest block that can be allocated, in steps of 64 KB.
fn largest_block() -> usize {
    const STEP: usize = 64 << 10;
    let fits = |size: usize| {
        let Ok(layout) = Layout::from_size_align(size, 16) else {
            return false;
        };
        let block = heap().allocate(layout);
        if let Ok(block) = block {
            // SAFETY: allocated with this layout.
            unsafe { heap().deallocate(block, layout) };
        }
        block.is_ok()
    };
    (1..).take_while(|steps| fits(steps * STEP)).count() * STEP
}
