//! The memory that programs are lent: a pool that is taken from the system in one step, then lists
//! of free blocks for what is small, and the system's allocator for what is not.
//!
//! The pool keeps the time of a step free of page faults, which cost as much as the reading of
//! small programs; its pages are made from its end to its start, which caches have then. What is
//! given back to the pool is used again only if it was given out last. When a program is read, its
//! rest goes to the lists.
//!
//! The compiler takes and gives back many arrays of a few hundred bytes. They are blocks of sizes
//! that are powers of two; each thread has lists of those that are free, so that taking one and
//! giving it back are a few instructions. What is lent is counted by thread, and added up for all
//! threads where that is asked for, or now and then: exactly while there is one.
#![expect(unsafe_code, reason = "an allocator")]

use core::alloc::Layout;
use core::cell::Cell;
use core::hash::BuildHasher;
use core::ptr::NonNull;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicIsize, AtomicPtr, AtomicUsize};
use mir_nostd::mem::{Allocator, OutOfMemory};
use std::hash::RandomState;
use std::sync::{Once, OnceLock};

/// The memory of all programs of this process.
pub(crate) static MEMORY: Memory = Memory::new();

/// The pool, and a count of what is lent.
///
/// # Invariants
///
/// `pool` is null while `pool_bytes` is 0, else a mapping of at least that many bytes that is never
/// given back. Blocks of the pool lie below `used` and `pool_bytes` and do not overlap.
#[derive(Debug)]
pub(crate) struct Memory {
    made: Once,
    pool: AtomicPtr<u8>,
    pool_bytes: AtomicUsize,
    used: AtomicUsize,
    live: AtomicIsize,
    peak: AtomicIsize,
}

/// The pool is never larger.
const MOST_POOL_BYTES: usize = 64 << 20;

/// The smallest block of the lists is of 16 bytes, as aligned as anything wants to be; the largest
/// of 256 KiB.
const SMALLEST: usize = 16;
const LARGEST: usize = 256 << 10;
const CLASSES: usize = (LARGEST / SMALLEST).ilog2() as usize + 1;
/// The size of the smallest pages.
const PAGE: usize = 4096;
/// The size of the pieces in which the pool is made: a few hundred for the largest.
const PIECE_BYTES: usize = 128 << 10;
/// The size of the chunks that new blocks are cut from, beside the rest of the pool.
const CHUNK_BYTES: usize = 512 << 10;
/// The size of further chunks, unless a block is larger: little, as all of a chunk is made when it
/// is mapped.
const FURTHER_BYTES: usize = 128 << 10;

/// Free blocks of one thread, and the rest of what new ones are cut from.
///
/// # Invariants
///
/// Each list is of blocks of its class, which nobody uses, each beginning with the address of the
/// next, or null. `rest` is the address of `left` bytes that nobody uses, and aligned for a block
/// of the smallest class.
struct Lists {
    first: [Cell<*mut u8>; CLASSES],
    rest: Cell<*mut u8>,
    left: Cell<usize>,
    /// The bytes that this thread lent beyond those counted, and the most that this was since then.
    uncounted: Cell<isize>,
    most_uncounted: Cell<isize>,
}

/// Bytes that a thread lends or takes back without telling the others.
const LEAST_COUNTED: isize = 64 << 10;

thread_local! {
    // The blocks of a thread that ends are not used again.
    static LISTS: Lists = const {
        Lists {
            first: [const { Cell::new(core::ptr::null_mut()) }; CLASSES],
            rest: Cell::new(core::ptr::null_mut()),
            left: Cell::new(0),
            uncounted: Cell::new(0),
            most_uncounted: Cell::new(0),
        }
    };
}

impl Lists {
    /// The class of a layout, if it is small.
    #[inline]
    fn class(layout: Layout) -> Option<usize> {
        let is_small = layout.size() <= LARGEST && layout.align() <= SMALLEST;
        let last = layout.size().saturating_sub(1) | (SMALLEST - 1);
        is_small.then(|| (last.ilog2() + 1 - SMALLEST.ilog2()) as usize)
    }

    fn take(&self, class: usize) -> Option<NonNull<u8>> {
        self.pop(class).or_else(|| self.cut(SMALLEST << class))
    }

    /// A block that was given back.
    #[inline]
    fn pop(&self, class: usize) -> Option<NonNull<u8>> {
        let list = self.first.get(class)?;
        let block = NonNull::new(list.get())?;
        // SAFETY: a block of a list begins with an address, and is aligned for one.
        list.set(unsafe { block.cast::<*mut u8>().read() });
        Some(block)
    }

    /// # Safety
    ///
    /// The block is of this class, and nobody uses it any more.
    unsafe fn give_back(&self, block: NonNull<u8>, class: usize) {
        if let Some(list) = self.first.get(class) {
            // SAFETY: the block is ours now, and large enough.
            unsafe { block.cast::<*mut u8>().write(list.get()) };
            list.set(block.as_ptr());
        }
    }

    /// Gets a new chunk for a block of this size, if there is one.
    fn refill(&self, size: usize) {
        let bytes = size.max(FURTHER_BYTES);
        if let Some(chunk) = map(bytes) {
            self.rest.set(chunk.as_ptr());
            self.left.set(bytes);
        }
    }

    /// A new block.
    #[cold]
    #[inline(never)]
    fn cut(&self, size: usize) -> Option<NonNull<u8>> {
        if self.left.get() < size {
            self.refill(size);
            if self.left.get() < size {
                return None;
            }
        }
        let block = self.rest.get();
        self.left.set(self.left.get() - size);
        // SAFETY: there are that many bytes.
        self.rest.set(unsafe { block.add(size) });
        NonNull::new(block)
    }
}

/// New memory from the system that causes no page faults.
fn map(bytes: usize) -> Option<NonNull<u8>> {
    new_mapping(bytes, libc::MAP_POPULATE)
}

/// New memory like [`map`], made piece by piece from its end to its start, so that caches have what
/// is used first.
fn map_from_end(bytes: usize) -> Option<NonNull<u8>> {
    let start = new_mapping(bytes, 0)?;
    for offset in (0..bytes).step_by(PIECE_BYTES).rev() {
        let piece = start.as_ptr().wrapping_add(offset);
        let len = PIECE_BYTES.min(bytes - offset);
        // Systems that cannot do this make pages when they are touched.
        // SAFETY: making pages changes nothing that can be seen.
        let _ = unsafe { libc::madvise(piece.cast(), len, libc::MADV_POPULATE_WRITE) };
    }
    Some(start)
}

/// New memory from the system at an address of its choice.
fn new_mapping(bytes: usize, flags: libc::c_int) -> Option<NonNull<u8>> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags;
    // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
    let mapped = unsafe { libc::mmap(core::ptr::null_mut(), bytes, protection, flags, -1, 0) };
    NonNull::new(mapped.cast()).filter(|_| mapped != libc::MAP_FAILED)
}

impl Memory {
    /// Without a pool.
    const fn new() -> Memory {
        Memory {
            made: Once::new(),
            pool: AtomicPtr::new(core::ptr::null_mut()),
            pool_bytes: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
            live: AtomicIsize::new(0),
            peak: AtomicIsize::new(0),
        }
    }

    /// Makes a pool for what is expected to be lent until [`Memory::settle`] and for some of what
    /// comes then, if there is none yet.
    pub(crate) fn expect(&self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        self.made.call_once(|| {
            let bytes = bytes.min(MOST_POOL_BYTES) + CHUNK_BYTES;
            if let Some(pool) = map_from_end(bytes) {
                self.pool.store(pool.as_ptr(), Relaxed);
                // Whoever sees the size sees the address as well.
                self.pool_bytes.store(bytes, Release);
            }
        });
    }

    /// Moves the rest of the pool to the lists of this thread, after what was expected was lent:
    /// what is taken and given back from now on is used again, while caches still have it.
    pub(crate) fn settle(&self) {
        let (pool, bytes) = (self.pool.load(Relaxed), self.pool_bytes.load(Relaxed));
        // Nobody gets anything of the pool from here on.
        let used = self.used.swap(bytes, Relaxed).next_multiple_of(SMALLEST);
        let left = bytes.saturating_sub(used) & !(SMALLEST - 1);
        LISTS.with(|lists| {
            if left > lists.left.get() {
                // SAFETY: the offset is within the pool.
                lists.rest.set(unsafe { pool.add(used) });
                lists.left.set(left);
                self.pool_bytes.store(used, Relaxed);
            }
        });
    }

    /// Bytes lent at this moment.
    pub(crate) fn live_bytes(&self) -> u64 {
        LISTS.with(|lists| self.count(lists));
        self.live.load(Relaxed).max(0) as u64
    }

    /// The most bytes that were ever lent at one time.
    pub(crate) fn peak_bytes(&self) -> u64 {
        LISTS.with(|lists| self.count(lists));
        self.peak.load(Relaxed).max(0) as u64
    }

    /// Counts for all threads what this one lent and took back since it last did.
    #[inline(never)]
    fn count(&self, lists: &Lists) {
        let (more, most) = (lists.uncounted.take(), lists.most_uncounted.take());
        let live = self.live.fetch_add(more, Relaxed);
        self.peak.fetch_max(live + most, Relaxed);
    }

    /// Notes that this thread lent some bytes more.
    #[inline]
    fn lend(&self, lists: &Lists, bytes: usize) {
        let uncounted = lists.uncounted.get() + bytes.cast_signed();
        lists.uncounted.set(uncounted);
        // The most so far is below `LEAST_COUNTED`.
        if uncounted > lists.most_uncounted.get() {
            lists.most_uncounted.set(uncounted);
            if uncounted >= LEAST_COUNTED {
                self.count(lists);
            }
        }
    }

    /// Notes that this thread took some bytes back.
    #[inline]
    fn take_back(&self, lists: &Lists, bytes: usize) {
        let uncounted = lists.uncounted.get() - bytes.cast_signed();
        lists.uncounted.set(uncounted);
        if uncounted <= -LEAST_COUNTED {
            self.count(lists);
        }
    }

    /// True if blocks come from the pool first.
    #[inline]
    fn has_pool(&self) -> bool {
        self.used.load(Relaxed) < self.pool_bytes.load(Relaxed)
    }

    /// A block of the pool, if it has room.
    fn pooled(&self, layout: Layout) -> Option<NonNull<u8>> {
        // The pool begins with a page.
        if layout.align() > PAGE {
            return None;
        }
        let bytes = self.pool_bytes.load(Acquire);
        let pool = self.pool.load(Relaxed);
        let mut start = 0;
        let taken = self.used.fetch_update(Relaxed, Relaxed, |used| {
            start = used.checked_add(layout.align() - 1)? & !(layout.align() - 1);
            start.checked_add(layout.size()).filter(|&end| end <= bytes)
        });
        taken.ok()?;
        // SAFETY: the offset is within the pool, as there is one if there is room.
        NonNull::new(unsafe { pool.add(start) })
    }

    /// The offset of a block in the pool, if it is of the pool.
    fn in_pool(&self, block: NonNull<u8>) -> Option<usize> {
        let pool = self.pool.load(Relaxed).addr();
        let offset = block.addr().get().wrapping_sub(pool);
        (offset < self.pool_bytes.load(Relaxed)).then_some(offset)
    }

    /// Moves the end of a block of the pool, if it was given out last and there is room.
    fn move_end(&self, offset: usize, old: usize, new: usize) -> bool {
        let end = offset + new;
        let has_room = end <= self.pool_bytes.load(Relaxed);
        // Most are not the last, which is seen without the price of an exchange.
        self.used.load(Relaxed) == offset + old
            && has_room
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
        lists: &Lists,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        let (old, new) = (whole(old), whole(new));
        match (self.in_pool(block), Lists::class(old), Lists::class(new)) {
            (Some(offset), _, _)
                if self.move_end(offset, old.size(), new.size()) || new.size() <= old.size() =>
            {
                return Ok(block);
            }
            (None, None, None) => {
                // SAFETY: the block came from the system with layout `old`; the new size is not
                // zero.
                let moved = unsafe { std::alloc::realloc(block.as_ptr(), old, new.size()) };
                return NonNull::new(moved).ok_or(OutOfMemory);
            }
            (None, old_class, new_class) if old_class == new_class => return Ok(block),
            _ => {}
        }
        let moved = self.block(lists, new)?;
        let kept = old.size().min(new.size());
        // SAFETY: both blocks are at least that long, and distinct; the old one is not used again.
        unsafe {
            core::ptr::copy_nonoverlapping(block.as_ptr(), moved.as_ptr(), kept);
            self.free(lists, block, old);
        }
        Ok(moved)
    }

    /// A block of the lists, if one was given back and the most that was lent stays the same: the
    /// usual case, which calls nothing.
    #[inline]
    fn listed(&self, lists: &Lists, layout: Layout) -> Option<NonNull<u8>> {
        let class = Lists::class(layout)?;
        let uncounted = lists.uncounted.get() + layout.size().cast_signed();
        if self.has_pool() || uncounted > lists.most_uncounted.get() {
            return None;
        }
        let block = lists.pop(class)?;
        lists.uncounted.set(uncounted);
        Some(block)
    }

    /// Lends a block in any case.
    #[cold]
    #[inline(never)]
    fn allocate_slowly(&self, lists: &Lists, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        let block = self.block(lists, layout)?;
        self.lend(lists, layout.size());
        Ok(block)
    }

    /// Takes back a block of any kind.
    ///
    /// # Safety
    ///
    /// As for [`Memory::free`].
    #[cold]
    #[inline(never)]
    unsafe fn deallocate_slowly(&self, lists: &Lists, block: NonNull<u8>, layout: Layout) {
        // SAFETY: passed on.
        unsafe { self.free(lists, block, layout) };
        self.take_back(lists, layout.size());
    }

    /// A block of the pool, of the lists, or of the system.
    #[inline]
    fn block(&self, lists: &Lists, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        let block = match Lists::class(layout) {
            Some(class) if !self.has_pool() => lists.take(class),
            _ => self.other_block(lists, layout),
        };
        block.ok_or(OutOfMemory)
    }

    /// The same where there is a pool, or the block is large.
    #[inline(never)]
    fn other_block(&self, lists: &Lists, layout: Layout) -> Option<NonNull<u8>> {
        let layout = whole(layout);
        self.pooled(layout).or_else(|| match Lists::class(layout) {
            Some(class) => lists.take(class),
            // SAFETY: the size is not zero.
            None => NonNull::new(unsafe { std::alloc::alloc(layout) }),
        })
    }

    /// Returns a block to its list or to the system.
    ///
    /// # Safety
    ///
    /// The block was lent with this layout and is not used again.
    #[inline]
    unsafe fn free(&self, lists: &Lists, block: NonNull<u8>, layout: Layout) {
        match Lists::class(layout) {
            // SAFETY: what is small and not of the pool came from the lists of some thread.
            Some(class) if self.in_pool(block).is_none() => unsafe {
                lists.give_back(block, class);
            },
            // SAFETY: passed on.
            _ => unsafe { self.free_other(block, layout) },
        }
    }

    /// Does the same for a block of the pool, or a large one.
    ///
    /// # Safety
    ///
    /// As for [`Memory::free`].
    #[inline(never)]
    unsafe fn free_other(&self, block: NonNull<u8>, layout: Layout) {
        match self.in_pool(block) {
            Some(offset) => _ = self.move_end(offset, whole(layout).size(), 0),
            // SAFETY: the block came from the system with this layout.
            None => unsafe { std::alloc::dealloc(block.as_ptr(), whole(layout)) },
        }
    }
}

// SAFETY: blocks of the pool and of the lists do not overlap as long as they are not given back;
// all others are the system's.
unsafe impl Allocator for Memory {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        LISTS.with(|lists| match self.listed(lists, layout) {
            Some(block) => Ok(block),
            None => self.allocate_slowly(lists, layout),
        })
    }

    /// Another number in each process.
    fn hash_seed(&self) -> u64 {
        static SEED: OnceLock<u64> = OnceLock::new();
        *SEED.get_or_init(|| RandomState::new().hash_one(0))
    }

    unsafe fn grow(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        LISTS.with(|lists| {
            // SAFETY: passed on.
            let moved = unsafe { self.resize(lists, block, old, new) }?;
            self.lend(lists, new.size() - old.size());
            Ok(moved)
        })
    }

    unsafe fn shrink(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        LISTS.with(|lists| {
            // SAFETY: passed on.
            let moved = unsafe { self.resize(lists, block, old, new) }?;
            self.take_back(lists, old.size() - new.size());
            Ok(moved)
        })
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        LISTS.with(|lists| match Lists::class(layout) {
            Some(class) if self.in_pool(block).is_none() => {
                // SAFETY: what is small and not of the pool came from the lists of some thread.
                unsafe { lists.give_back(block, class) };
                self.take_back(lists, layout.size());
            }
            // SAFETY: passed on.
            _ => unsafe { self.deallocate_slowly(lists, block, layout) },
        });
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
        let memory = Memory::new();
        memory.expect(4096);
        let bytes = |size| Layout::from_size_align(size, 8).unwrap();
        let first = memory.allocate(bytes(16)).unwrap();
        let second = memory.allocate(bytes(0)).unwrap();
        assert!(memory.in_pool(first).is_some() && first != second);
        // SAFETY: blocks are used with the layouts that they have, and not after they were given
        // back.
        unsafe {
            first.cast::<u64>().write(7);
            let moved = memory.grow(first, bytes(16), bytes(1024)).unwrap();
            assert!(moved != first && moved.cast::<u64>().read() == 7);
            let longer = memory.grow(moved, bytes(1024), bytes(2048)).unwrap();
            assert_eq!(longer, moved);
            let spilled = memory
                .grow(longer, bytes(2048), bytes(2 * CHUNK_BYTES))
                .unwrap();
            assert!(memory.in_pool(spilled).is_none() && spilled.cast::<u64>().read() == 7);
            let shorter = memory
                .shrink(spilled, bytes(2 * CHUNK_BYTES), bytes(8))
                .unwrap();
            assert_eq!(
                (memory.live_bytes(), memory.peak_bytes()),
                (8, 2 * CHUNK_BYTES as u64)
            );
            memory.deallocate(shorter, bytes(8));
        }
        assert_eq!(memory.live_bytes(), 0);
    }

    #[test]
    fn the_rest_of_the_pool_is_used_again() {
        let memory = Memory::new();
        // More than the thread can have left of a chunk.
        memory.expect(CHUNK_BYTES);
        let bytes = |size| Layout::from_size_align(size, 8).unwrap();
        let first = memory.allocate(bytes(100)).unwrap();
        memory.settle();
        let second = memory.allocate(bytes(200)).unwrap();
        assert!(memory.in_pool(first).is_some() && memory.in_pool(second).is_none());
        let distance = second.addr().get() - first.addr().get();
        assert!((100..2 * CHUNK_BYTES).contains(&distance));
        // SAFETY: blocks are used with the layouts that they have, and not after they were given
        // back.
        unsafe {
            first.write_bytes(7, 100);
            memory.deallocate(second, bytes(200));
            let again = memory.allocate(bytes(130)).unwrap();
            assert_eq!(second, again);
            memory.settle();
            let moved = memory.grow(first, bytes(100), bytes(300)).unwrap();
            let kept = core::slice::from_raw_parts(moved.as_ptr(), 100);
            assert!(kept.iter().all(|&byte| byte == 7));
            memory.deallocate(again, bytes(130));
            memory.deallocate(moved, bytes(300));
        }
        assert_eq!(memory.live_bytes(), 0);
    }

    #[test]
    fn small_blocks_are_used_again_and_large_ones_are_the_systems() {
        let memory = Memory::new();
        let bytes = |size| Layout::from_size_align(size, 8).unwrap();
        let mut blocks: Vec<_> = (1..3000)
            .map(|size| (memory.allocate(bytes(size)).unwrap(), bytes(size)))
            .collect();
        // SAFETY: blocks are used with the layouts that they have, and not after they were given
        // back.
        unsafe {
            for &(block, layout) in &blocks {
                block.write_bytes(layout.size() as u8, layout.size());
            }
            for (block, layout) in &mut blocks {
                let more = bytes(layout.size() * 20);
                *block = memory.grow(*block, *layout, more).unwrap();
                let less = bytes(layout.size() / 2 + 1);
                *block = memory.shrink(*block, more, less).unwrap();
                let kept = core::slice::from_raw_parts(block.as_ptr(), less.size());
                assert!(kept.iter().all(|&byte| byte == layout.size() as u8));
                *layout = less;
            }
            let mut starts: Vec<_> = blocks.iter().map(|(block, _)| block.addr()).collect();
            starts.sort_unstable();
            starts.dedup();
            assert_eq!(starts.len(), blocks.len());
            for (block, layout) in blocks {
                memory.deallocate(block, layout);
            }
            let first = memory.allocate(bytes(100)).unwrap();
            memory.deallocate(first, bytes(100));
            let second = memory.allocate(bytes(70)).unwrap();
            assert_eq!(first, second);
            memory.deallocate(second, bytes(70));
        }
        assert_eq!(memory.live_bytes(), 0);
    }
}
