//! A box: one value in a block of its own.

use super::{Allocator, OutOfMemory};
use core::alloc::Layout;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

/// One value in memory of the lent allocator; it does not move.
///
/// # Invariants
///
/// `value` is initialised and is a block of `allocator` with the layout of `T` (dangling if `T` has
/// no size).
pub struct Box<'m, T> {
    value: NonNull<T>,
    allocator: &'m dyn Allocator,
    owns: PhantomData<T>,
}

// SAFETY: a `Box` owns its value, and the allocator is `Sync`.
unsafe impl<T: Send> Send for Box<'_, T> {}
// SAFETY: shared access to a `Box` is shared access to its value.
unsafe impl<T: Sync> Sync for Box<'_, T> {}

impl<'m, T> Box<'m, T> {
    /// Moves `value` into memory of `allocator`.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the value is then dropped.
    pub fn new(allocator: &'m dyn Allocator, value: T) -> Result<Box<'m, T>, OutOfMemory> {
        let block = if size_of::<T>() == 0 {
            NonNull::dangling()
        } else {
            allocator.allocate(Layout::new::<T>())?.cast()
        };
        // SAFETY: the block has the layout of `T` and is ours.
        unsafe { block.write(value) };
        Ok(Box {
            value: block,
            allocator,
            owns: PhantomData,
        })
    }
}

impl<'m, T> Box<'m, T> {
    /// Returns the value's address, which holds as long as the box, wherever that is moved. No
    /// reference is made, so neither one that is made later nor a change through the box takes
    /// anything from the pointer.
    pub(crate) const fn place(&self) -> NonNull<T> {
        self.value
    }

    /// Returns the value's address; [`Box::from_raw`] turns it into a box again.
    pub(crate) fn into_raw(self) -> *mut T {
        let pointer = self.value.as_ptr();
        core::mem::forget(self);
        pointer
    }

    /// Returns the box that [`Box::into_raw`] took apart.
    ///
    /// # Safety
    ///
    /// `value` is the result of that function for a box over this allocator, and becomes a box
    /// once.
    pub(crate) unsafe fn from_raw(allocator: &'m dyn Allocator, value: NonNull<T>) -> Box<'m, T> {
        Box {
            value,
            allocator,
            owns: PhantomData,
        }
    }
}

impl<T> Deref for Box<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: initialised by the invariant.
        unsafe { self.value.as_ref() }
    }
}

impl<T> DerefMut for Box<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: initialised by the invariant, and `self` is borrowed uniquely.
        unsafe { self.value.as_mut() }
    }
}

impl<T> Drop for Box<'_, T> {
    fn drop(&mut self) {
        // SAFETY: initialised by the invariant, and not used again.
        unsafe { self.value.drop_in_place() };
        if size_of::<T>() > 0 {
            let layout = Layout::new::<T>();
            // SAFETY: the block came from this allocator with this layout.
            unsafe { self.allocator.deallocate(self.value.cast(), layout) };
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Box<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
