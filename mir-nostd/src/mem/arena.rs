//! Memory for one task, freed as a whole.

use super::{Allocator, OutOfMemory};
use core::alloc::Layout;
use core::cell::Cell;
use core::fmt;
use core::num::NonZero;
use core::ptr::NonNull;

/// The header of a chunk; the chunk's bytes follow it.
struct Chunk {
    previous: Option<NonNull<Chunk>>,
    /// The size of the whole block, header included.
    size: usize,
}

/// The size of the smallest chunk in bytes.
const SMALLEST_CHUNK: usize = 4096 - 64;

/// A bump allocator over chunks of the lent allocator.
///
/// Its allocations live until [`Arena::reset`] or drop and are not dropped themselves: only `Copy`
/// values go in. Chunks double, so the lent allocator is called a logarithmic number of times. One
/// large array that keeps growing does not belong here, because its old copies would stay: use a
/// [`super::Vec`].
///
/// # Invariants
///
/// `chunk` heads a list of live blocks; `next..end` is the unused rest of the first.
pub struct Arena<'m> {
    allocator: &'m dyn Allocator,
    chunk: Cell<Option<NonNull<Chunk>>>,
    next: Cell<usize>,
    end: Cell<usize>,
}

// SAFETY: the arena owns its chunks, and the allocator is `Sync`.
unsafe impl Send for Arena<'_> {}

impl<'m> Arena<'m> {
    /// Makes an empty arena; allocates nothing.
    #[must_use]
    pub const fn new(allocator: &'m dyn Allocator) -> Arena<'m> {
        Arena {
            allocator,
            chunk: Cell::new(None),
            next: Cell::new(0),
            end: Cell::new(0),
        }
    }

    /// Copies `value` to a place that lives until the arena is reset.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    #[expect(
        clippy::mut_from_ref,
        reason = "every call hands out memory of its own"
    )]
    pub fn alloc<T: Copy>(&self, value: T) -> Result<&mut T, OutOfMemory> {
        let place = self.take(Layout::new::<T>())?.cast::<T>();
        // SAFETY: the place has the layout of `T`, is allocated once, and lives until `&mut self`
        // is needed.
        unsafe {
            place.write(value);
            Ok(&mut *place.as_ptr())
        }
    }

    /// Makes a slice of `len` copies of `value`.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    #[expect(
        clippy::mut_from_ref,
        reason = "every call hands out memory of its own"
    )]
    pub fn alloc_slice<T: Copy>(&self, len: usize, value: T) -> Result<&mut [T], OutOfMemory> {
        let layout = Layout::array::<T>(len).map_err(|_| OutOfMemory)?;
        let place = self.take(layout)?.cast::<T>();
        for index in 0..len {
            // SAFETY: the place has room for `len` elements.
            unsafe { place.add(index).write(value) };
        }
        // SAFETY: all elements were just written; the memory is allocated once and lives until
        // `&mut self` is needed.
        Ok(unsafe { core::slice::from_raw_parts_mut(place.as_ptr(), len) })
    }

    /// Copies `elements` to a slice that lives until the arena is reset.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    #[expect(
        clippy::mut_from_ref,
        reason = "every call hands out memory of its own"
    )]
    pub fn copy_slice<T: Copy>(&self, elements: &[T]) -> Result<&mut [T], OutOfMemory> {
        let place = self.take(Layout::for_value(elements))?.cast::<T>();
        // SAFETY: the place has the layout of `elements`, is new and allocated once.
        unsafe {
            core::ptr::copy_nonoverlapping(elements.as_ptr(), place.as_ptr(), elements.len());
            Ok(core::slice::from_raw_parts_mut(
                place.as_ptr(),
                elements.len(),
            ))
        }
    }

    /// Frees everything that was allocated; the largest chunk is kept for later allocations.
    pub fn reset(&mut self) {
        let Some(newest) = self.chunk.get() else {
            return;
        };
        // SAFETY: chunks in the list are live; the newest, which is the largest, stays.
        unsafe {
            free_list(self.allocator, (*newest.as_ptr()).previous.take());
            self.open(newest);
        }
    }

    /// Allocates memory of this layout.
    fn take(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        loop {
            let start = self
                .next
                .get()
                .checked_next_multiple_of(layout.align())
                .ok_or(OutOfMemory)?;
            let end = start.checked_add(layout.size()).ok_or(OutOfMemory)?;
            if end <= self.end.get()
                && let Some(chunk) = self.chunk.get()
            {
                self.next.set(end);
                let place = |chunk_start| NonZero::new(start).unwrap_or(chunk_start);
                return Ok(chunk.cast::<u8>().map_addr(place));
            }
            self.add_chunk(layout)?;
        }
    }

    #[cold]
    fn add_chunk(&self, layout: Layout) -> Result<(), OutOfMemory> {
        let previous = self.chunk.get();
        let size_of_chunk = |chunk: NonNull<Chunk>| {
            // SAFETY: chunks in the list are live.
            unsafe { chunk.as_ref() }.size
        };
        let doubled = previous.map_or(SMALLEST_CHUNK, |chunk| {
            size_of_chunk(chunk).saturating_mul(2)
        });
        let needed = layout
            .size()
            .checked_add(layout.align() + size_of::<Chunk>())
            .ok_or(OutOfMemory)?;
        let size = doubled.max(needed);
        let block = chunk_layout(size).and_then(|layout| self.allocator.allocate(layout));
        // A doubled chunk may fail where the necessary one does not.
        let (block, size) = match block {
            Ok(block) => (block, size),
            Err(_) => (self.allocator.allocate(chunk_layout(needed)?)?, needed),
        };
        let chunk = block.cast::<Chunk>();
        // SAFETY: the block is at least a header long and aligned for it.
        unsafe {
            chunk.write(Chunk { previous, size });
            self.open(chunk);
        }
        self.chunk.set(Some(chunk));
        Ok(())
    }

    /// Makes all of a chunk's bytes available.
    ///
    /// # Safety
    ///
    /// `chunk` is live and nothing allocated from it is in use.
    unsafe fn open(&self, chunk: NonNull<Chunk>) {
        let start = chunk.addr().get();
        self.next.set(start + size_of::<Chunk>());
        // SAFETY: the chunk is live.
        self.end.set(start + unsafe { chunk.as_ref() }.size);
    }
}

fn chunk_layout(size: usize) -> Result<Layout, OutOfMemory> {
    Layout::from_size_align(size, align_of::<Chunk>()).map_err(|_| OutOfMemory)
}

/// Deallocates a list of chunks.
///
/// # Safety
///
/// The chunks are live blocks of `allocator`, and nothing in them is used again.
unsafe fn free_list(allocator: &dyn Allocator, mut list: Option<NonNull<Chunk>>) {
    while let Some(chunk) = list {
        // SAFETY: the chunk is live until it is deallocated here, once.
        unsafe {
            let size = chunk.as_ref().size;
            list = chunk.as_ref().previous;
            if let Ok(layout) = chunk_layout(size) {
                allocator.deallocate(chunk.cast(), layout);
            }
        }
    }
}

impl Drop for Arena<'_> {
    fn drop(&mut self) {
        // SAFETY: the arena is not used again, and its allocations cannot outlive it.
        unsafe { free_list(self.allocator, self.chunk.take()) };
    }
}

impl fmt::Debug for Arena<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena")
            .field("unused", &(self.end.get() - self.next.get()))
            .finish_non_exhaustive()
    }
}
