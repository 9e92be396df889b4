//! An allocator for tests that counts and fails on demand.

use core::alloc::Layout;
use core::fmt;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use mir_host::SystemAllocator;
use mir_nostd::mem::{Allocator, OutOfMemory};

/// An allocator that counts requests and bytes and fails where a test wants it to.
///
/// Every successful or failed `allocate`, `grow` and `shrink` is one request; requests are numbered
/// from 0.
#[derive(Debug, Default)]
pub struct FailingAllocator {
    requests: AtomicU64,
    /// The first request to refuse, plus one; 0 for none.
    refuse_from: AtomicU64,
    /// True if all requests after it are refused too.
    refuse_on: AtomicBool,
    live: AtomicUsize,
    peak: AtomicUsize,
    total: AtomicUsize,
    freed_bytes_wrong: AtomicBool,
}

/// The duration of a failure after a request was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The next request is granted again.
    Once,
    /// All further requests are refused too.
    FromThenOn,
}

impl FailingAllocator {
    /// Returns an allocator that grants everything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Refuses request number `request`, counted from now, and then as `failure` says.
    pub fn refuse(&self, request: u64, failure: Failure) {
        self.refuse_on.store(failure == Failure::FromThenOn, SeqCst);
        let from = self.requests.load(SeqCst) + request + 1;
        self.refuse_from.store(from, SeqCst);
    }

    /// Grants every request from now on.
    pub fn grant(&self) {
        self.refuse_from.store(0, SeqCst);
    }

    /// Returns the number of requests so far, refused ones included.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests.load(SeqCst)
    }

    /// Returns the number of bytes lent and not freed.
    #[must_use]
    pub fn live_bytes(&self) -> usize {
        self.live.load(SeqCst)
    }

    /// Returns the most bytes that were ever lent at one time.
    #[must_use]
    pub fn peak_bytes(&self) -> usize {
        self.peak.load(SeqCst)
    }

    /// Returns the sum of all bytes that were ever lent.
    #[must_use]
    pub fn total_bytes(&self) -> usize {
        self.total.load(SeqCst)
    }

    /// Counts a request; returns whether it is granted.
    fn granted(&self) -> bool {
        let number = self.requests.fetch_add(1, SeqCst) + 1;
        match self.refuse_from.load(SeqCst) {
            0 => true,
            from if self.refuse_on.load(SeqCst) => number < from,
            from => number != from,
        }
    }

    fn lend(&self, bytes: usize) {
        let live = self.live.fetch_add(bytes, SeqCst) + bytes;
        self.peak.fetch_max(live, SeqCst);
        self.total.fetch_add(bytes, SeqCst);
    }

    fn take_back(&self, bytes: usize) {
        if self.live.fetch_sub(bytes, SeqCst) < bytes {
            self.freed_bytes_wrong.store(true, SeqCst);
        }
    }
}

// SAFETY: memory comes from `SystemAllocator`, which keeps the promises; a refused `grow` leaves
// the block unchanged.
unsafe impl Allocator for FailingAllocator {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        if !self.granted() {
            return Err(OutOfMemory);
        }
        let block = SystemAllocator.allocate(layout)?;
        self.lend(layout.size());
        Ok(block)
    }

    unsafe fn grow(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        if !self.granted() {
            return Err(OutOfMemory);
        }
        // SAFETY: the caller's promises are those that this method requires.
        let moved = unsafe { SystemAllocator.grow(block, old, new) }?;
        self.lend(new.size());
        self.take_back(old.size());
        Ok(moved)
    }

    unsafe fn shrink(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        if !self.granted() {
            return Err(OutOfMemory);
        }
        // SAFETY: the caller's promises are those that this method requires.
        let moved = unsafe { SystemAllocator.shrink(block, old, new) }?;
        self.lend(new.size());
        self.take_back(old.size());
        Ok(moved)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        self.take_back(layout.size());
        // SAFETY: as above.
        unsafe { SystemAllocator.deallocate(block, layout) }
    }
}

/// Runs `operation` with each of its allocations refused, once alone and once with all that follow.
///
/// `operation` builds its data from the allocator and drops it again. With a refused request it
/// must return an error for which `is_out_of_memory` holds, or do without that memory and succeed;
/// in both cases all memory must be freed, and the same operation must succeed afterwards. Returns
/// the number of allocations that were refused.
///
/// # Panics
///
/// If any of that does not hold: this is the assertion of a test.
pub fn sweep<E: fmt::Debug>(
    operation: impl Fn(&FailingAllocator) -> Result<(), E>,
    is_out_of_memory: impl Fn(&E) -> bool,
) -> u64 {
    let allocator = FailingAllocator::new();
    let succeeds = |when: &str| {
        let before = allocator.requests();
        let outcome = operation(&allocator);
        assert!(outcome.is_ok(), "{when}: {outcome:?}");
        assert_eq!(allocator.live_bytes(), 0, "{when}: memory not given back");
        allocator.requests() - before
    };
    let requests = succeeds("with memory");
    // Under Miri a few of them: it takes thousands of times as long.
    let step = if cfg!(miri) { requests / 5 + 1 } else { 1 };
    for request in (0..requests).step_by(step as usize) {
        for failure in [Failure::Once, Failure::FromThenOn] {
            allocator.refuse(request, failure);
            let outcome = operation(&allocator);
            allocator.grant();
            if let Err(error) = &outcome {
                assert!(
                    is_out_of_memory(error),
                    "request {request} {failure:?}: {error:?}"
                );
            }
            assert_eq!(
                allocator.live_bytes(),
                0,
                "request {request} {failure:?}: memory not given back"
            );
            assert!(
                !allocator.freed_bytes_wrong.load(SeqCst),
                "more given back than lent"
            );
            succeeds("afterwards");
        }
    }
    requests
}

#[cfg(test)]
mod tests {
    use super::*;
    use mir_nostd::mem::Vec;

    /// Fills two arrays, so that both `allocate` and `grow` are requested.
    fn fill(allocator: &FailingAllocator) -> Result<(), OutOfMemory> {
        for _ in 0..2 {
            let mut numbers = Vec::new(allocator);
            for number in 0..100_u32 {
                numbers.push(number)?;
            }
        }
        Ok(())
    }

    #[test]
    fn a_sweep_fails_every_allocation() {
        assert!(sweep(fill, |_| true) > 4);
    }

    #[test]
    #[cfg(panic = "unwind")]
    fn a_sweep_notices_a_leak() {
        let leaking =
            |allocator: &FailingAllocator| allocator.allocate(Layout::new::<u64>()).map(|_| ());
        assert!(std::panic::catch_unwind(|| sweep(leaking, |_| true)).is_err());
    }

    #[test]
    fn refusing_once_and_from_then_on() {
        let allocator = FailingAllocator::new();
        let ask = || {
            let block = allocator.allocate(Layout::new::<u64>())?;
            // SAFETY: just lent with this layout and not used.
            unsafe { allocator.deallocate(block, Layout::new::<u64>()) };
            Ok::<(), OutOfMemory>(())
        };
        allocator.refuse(1, Failure::Once);
        assert_eq!([ask(), ask(), ask()], [Ok(()), Err(OutOfMemory), Ok(())]);
        allocator.refuse(1, Failure::FromThenOn);
        assert_eq!(
            [ask(), ask(), ask()],
            [Ok(()), Err(OutOfMemory), Err(OutOfMemory)]
        );
        allocator.grant();
        assert_eq!(ask(), Ok(()));
        assert_eq!(
            (
                allocator.live_bytes(),
                allocator.peak_bytes(),
                allocator.requests()
            ),
            (0, 8, 7)
        );
    }
}
