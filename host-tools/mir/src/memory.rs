//! The memory that programs are lent: a pool that is taken from the system in one step, then the system's allocator.
//!
//! The pool keeps the time of a step free of page faults, which cost as much as the reading of small programs. What is
//! given back to the pool is used again only if it was given out last.
#![expect(unsafe_code, reason = "an allocator")]

use core::alloc::Layout;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};
use mir_nostd::mem::{Allocator, OutOfMemory};

/// Where all programs of this process take their memory from.
pub(crate) static MEMORY: Memory = Memory {
    pool: AtomicPtr::new(core::ptr::null_mut()),
    pool_bytes: AtomicUsize::new(0),
    used: AtomicUsize::new(0),
    live: AtomicUsize::new(0),
    peak: AtomicUsize::new(0),
};

/// The pool, and a count of what is lent.
///
/// # Invariants
///
/// `pool` is null while `pool_bytes` is 0, else a mapping of that many bytes that is never given back. Blocks of the
/// pool lie below `used` and do not overlap.
#[derive(Debug)]
pub(crate) struct Memory {
    pool: AtomicPtr<u8>,
    pool_bytes: AtomicUsize,
    used: AtomicUsize,
    live: AtomicUsize,
    peak: AtomicUsize,
}

/// The pool is never larger.
const MOST_POOL_BYTES: usize = 64 << 20;

impl Memory {
    /// Makes a pool for what is expected to be lent, if there is none yet.
    pub(crate) fn expect(&self, bytes: usize) {
        let bytes = bytes.min(MOST_POOL_BYTES);
        if bytes == 0 || self.pool_bytes.load(Relaxed) != 0 {
            return;
        }
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_POPULATE;
        // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
        let pool = unsafe { libc::mmap(core::ptr::null_mut(), bytes, protection, flags, -1, 0) };
        if pool != libc::MAP_FAILED {
            self.pool.store(pool.cast(), Relaxed);
            self.pool_bytes.store(bytes, Relaxed);
        }
    }

    /// Bytes lent at this moment.
    pub(crate) fn live_bytes(&self) -> u64 {
        self.live.load(Relaxed) as u64
    }

    /// The most bytes that were ever lent at one time.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak.load(Relaxed) as u64
    }

    fn lend(&self, bytes: usize) {
        let live = self.live.fetch_add(bytes, Relaxed) + bytes;
        // Mostly it is no peak: then a look is enough.
        if live > self.peak.load(Relaxed) {
            self.peak.fetch_max(live, Relaxed);
        }
    }

    fn take_back(&self, bytes: usize) {
        self.live.fetch_sub(bytes, Relaxed);
    }

    /// A block of the pool, if it has room.
    fn pooled(&self, layout: Layout) -> Option<NonNull<u8>> {
        let (pool, bytes) = (self.pool.load(Relaxed), self.pool_bytes.load(Relaxed));
        let mut start = 0;
        let taken = self.used.fetch_update(Relaxed, Relaxed, |used| {
            start = used.checked_next_multiple_of(layout.align())?;
            start.checked_add(layout.size()).filter(|&end| end <= bytes)
        });
        taken.ok()?;
        // SAFETY: the offset is within the pool, as there is one if there is room.
        NonNull::new(unsafe { pool.add(start) })
    }

    /// The offset of a block in the pool, if it is of the pool.
    fn in_pool(&self, block: NonNull<u8>) -> Option<usize> {
        let offset = block
            .addr()
            .get()
            .checked_sub(self.pool.load(Relaxed).addr())?;
        (offset < self.pool_bytes.load(Relaxed)).then_some(offset)
    }

    /// Moves the end of a block of the pool, if it was given out last and there is room.
    fn move_end(&self, offset: usize, old: usize, new: usize) -> bool {
        let end = offset + new;
        let has_room = end <= self.pool_bytes.load(Relaxed);
        has_room
            && self
                .used
                .compare_exchange(offset + old, end, Relaxed, Relaxed)
                .is_ok()
    }

    /// Another size for a block, in place if that is easy.
    ///
    /// # Safety
    ///
    /// As for [`Allocator::grow`] and [`Allocator::shrink`].
    unsafe fn resize(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        let (old, new) = (whole(old), whole(new));
        let Some(offset) = self.in_pool(block) else {
            // SAFETY: the block came from the system with layout `old`; the new size is not zero.
            let moved = unsafe { std::alloc::realloc(block.as_ptr(), old, new.size()) };
            return NonNull::new(moved).ok_or(OutOfMemory);
        };
        if self.move_end(offset, old.size(), new.size()) || new.size() <= old.size() {
            return Ok(block);
        }
        let moved = self.block(new)?;
        // SAFETY: both blocks are at least as long as the old one, and distinct.
        unsafe { core::ptr::copy_nonoverlapping(block.as_ptr(), moved.as_ptr(), old.size()) };
        Ok(moved)
    }

    /// A block of the pool or of the system.
    fn block(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: the size is not zero.
        let of_system = || NonNull::new(unsafe { std::alloc::alloc(layout) });
        self.pooled(layout).or_else(of_system).ok_or(OutOfMemory)
    }
}

// SAFETY: blocks of the pool do not overlap as long as they are not given back; all others are the system's.
unsafe impl Allocator for Memory {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        let block = self.block(whole(layout))?;
        self.lend(layout.size());
        Ok(block)
    }

    unsafe fn grow(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: passed on.
        let moved = unsafe { self.resize(block, old, new) }?;
        self.lend(new.size() - old.size());
        Ok(moved)
    }

    unsafe fn shrink(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: passed on.
        let moved = unsafe { self.resize(block, old, new) }?;
        self.take_back(old.size() - new.size());
        Ok(moved)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        self.take_back(layout.size());
        let layout = whole(layout);
        match self.in_pool(block) {
            Some(offset) => {
                self.move_end(offset, layout.size(), 0);
            }
            // SAFETY: the block came from the system with this layout.
            None => unsafe { std::alloc::dealloc(block.as_ptr(), layout) },
        }
    }
}

/// No block has size zero.
fn whole(layout: Layout) -> Layout {
    Layout::from_size_align(layout.size().max(1), layout.align()).unwrap_or(layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_the_pool_grow_shrink_and_spill() {
        let memory = Memory {
            pool: AtomicPtr::new(core::ptr::null_mut()),
            pool_bytes: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
            live: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
        };
        memory.expect(4096);
        let bytes = |size| Layout::from_size_align(size, 8).unwrap();
        let first = memory.allocate(bytes(16)).unwrap();
        let second = memory.allocate(bytes(0)).unwrap();
        assert!(memory.in_pool(first).is_some() && first != second);
        // SAFETY: blocks are used with the layouts that they have, and not after they were given back.
        unsafe {
            first.cast::<u64>().write(7);
            let moved = memory.grow(first, bytes(16), bytes(1024)).unwrap();
            assert!(moved != first && moved.cast::<u64>().read() == 7);
            let longer = memory.grow(moved, bytes(1024), bytes(2048)).unwrap();
            assert_eq!(longer, moved);
            let spilled = memory.grow(longer, bytes(2048), bytes(8192)).unwrap();
            assert!(memory.in_pool(spilled).is_none() && spilled.cast::<u64>().read() == 7);
            let shorter = memory.shrink(spilled, bytes(8192), bytes(8)).unwrap();
            assert_eq!((memory.live_bytes(), memory.peak_bytes()), (8, 8192));
            memory.deallocate(shorter, bytes(8));
        }
        assert_eq!(memory.live_bytes(), 0);
    }
}
