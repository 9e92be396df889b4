//! The trait by which an embedder lends memory.

use core::alloc::Layout;
use core::fmt;
use core::ptr::NonNull;

/// The error that the lent allocator had no memory left, or that a container reached its 32-bit
/// length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("out of memory")
    }
}

impl core::error::Error for OutOfMemory {}

/// A source of memory, lent by the embedder, one for each context.
///
/// `Sync` is required because linked modules are shared between threads.
///
/// # Safety
///
/// Implementors uphold the guarantees of each method: a block that was allocated is not allocated
/// again, and stays where it is, until it is deallocated.
pub unsafe trait Allocator: Sync {
    /// Allocates a block of at least `layout.size()` bytes aligned to `layout.align()`.
    ///
    /// Its contents are unspecified. The size may be zero; then any well-aligned pointer will do.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is no such block.
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory>;

    /// Returns a number that decides which names of programs collide in tables: programs that are
    /// not trusted must not know it. It stays the same, and nothing else depends on it.
    ///
    /// As given here it is the allocator's address, which a program may know where addresses are
    /// not random.
    fn hash_seed(&self) -> u64 {
        core::ptr::from_ref(self).cast::<()>().addr() as u64
    }

    /// Enlarges a block, moving it if need be; the first `old.size()` bytes keep their contents.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the old block is then still allocated and unchanged.
    ///
    /// # Safety
    ///
    /// `block` came from this allocator with layout `old` and was not deallocated; `new.size() >=
    /// old.size()` and `new.align() == old.align()`.
    unsafe fn grow(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        let moved = self.allocate(new)?;
        // SAFETY: both blocks are at least `old.size()` long, distinct, and owned by the caller;
        // `block` has layout `old`.
        unsafe {
            core::ptr::copy_nonoverlapping(block.as_ptr(), moved.as_ptr(), old.size());
            self.deallocate(block, old);
        }
        Ok(moved)
    }

    /// Shrinks a block, moving it if need be; the first `new.size()` bytes keep their contents.
    ///
    /// By default the contents move to a new block; allocators that can shrink in place should do
    /// so.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the old block is then still allocated and unchanged.
    ///
    /// # Safety
    ///
    /// `block` came from this allocator with layout `old` and was not deallocated; `new.size() <=
    /// old.size()` and `new.align() == old.align()`.
    unsafe fn shrink(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        let moved = self.allocate(new)?;
        // SAFETY: both blocks are at least `new.size()` long, distinct, and owned by the caller;
        // `block` has layout `old`.
        unsafe {
            core::ptr::copy_nonoverlapping(block.as_ptr(), moved.as_ptr(), new.size());
            self.deallocate(block, old);
        }
        Ok(moved)
    }

    /// Deallocates a block.
    ///
    /// # Safety
    ///
    /// `block` came from this allocator with this `layout`, was not deallocated, and is not used
    /// afterwards.
    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout);
}

impl fmt::Debug for dyn Allocator + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Allocator")
    }
}

/// An adaptor that lends the memory of an [`allocator_api2::alloc::Allocator`] to the runtime.
///
/// It is for version 0.2 of that trait, which hashbrown and bumpalo implement.
#[cfg(feature = "allocator-api2")]
#[derive(Debug)]
pub struct Api2<A>(pub A);

#[cfg(feature = "allocator-api2")]
// SAFETY: the traits demand the same of their implementors.
unsafe impl<A: allocator_api2::alloc::Allocator + Sync> Allocator for Api2<A> {
    fn allocate(&self, layout: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        self.0
            .allocate(layout)
            .map(NonNull::cast)
            .map_err(|_| OutOfMemory)
    }

    unsafe fn grow(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: the caller's promises are those that this method requires.
        unsafe { self.0.grow(block, old, new) }
            .map(NonNull::cast)
            .map_err(|_| OutOfMemory)
    }

    unsafe fn shrink(
        &self,
        block: NonNull<u8>,
        old: Layout,
        new: Layout,
    ) -> Result<NonNull<u8>, OutOfMemory> {
        // SAFETY: the caller's promises are those that this method requires.
        unsafe { self.0.shrink(block, old, new) }
            .map(NonNull::cast)
            .map_err(|_| OutOfMemory)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        // SAFETY: as above.
        unsafe { self.0.deallocate(block, layout) }
    }
}
