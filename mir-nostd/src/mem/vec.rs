//! A growable array whose growth can fail.

use super::{Allocator, OutOfMemory};
use core::alloc::Layout;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut, Index, IndexMut};
use core::ptr::NonNull;
use core::slice::SliceIndex;

/// A growable array over the lent allocator, at most `u32::MAX` elements long.
///
/// # Invariants
///
/// The block is for elements of type `T`; the first `len` of them are initialised.
///
/// ```
/// # fn main() -> Result<(), mir_nostd::mem::OutOfMemory> {
/// # let system = testkit::SystemAllocator;
/// let mut squares = mir_nostd::mem::Vec::new(&system);
/// for n in 0..4_u64 {
///     squares.push(n * n)?;
/// }
/// assert_eq!(&squares[..], [0, 1, 4, 9]);
/// # Ok(()) }
/// ```
pub struct Vec<'m, T> {
    block: Block<'m>,
    owns: PhantomData<T>,
}

/// The part that arrays of all types have in common: memory for elements whose layout is an
/// argument of each function. So growing, which is rare, is one function for all types.
///
/// # Invariants
///
/// `start` is a block of `allocator` for `capacity` elements (only aligned for them if `capacity`
/// is 0 or they have no size), always of the same layout; `len` is at most `capacity`.
struct Block<'m> {
    start: NonNull<u8>,
    allocator: &'m dyn Allocator,
    len: u32,
    capacity: u32,
}

/// The size in bytes from which on arrays grow by half, and the one from which on by a quarter.
const LARGE: usize = 1 << 10;
const HUGE: usize = 1 << 16;

/// Returns the layout of `count` elements.
fn array(element: Layout, count: usize) -> Result<Layout, OutOfMemory> {
    let size = element.size().checked_mul(count).ok_or(OutOfMemory)?;
    if size > isize::MAX as usize - (element.align() - 1) {
        return Err(OutOfMemory);
    }
    // SAFETY: the alignment is that of a layout, and the size was tested.
    Ok(unsafe { Layout::from_size_align_unchecked(size, element.align()) })
}

impl Block<'_> {
    /// Makes room for `additional` more elements; the capacity doubles, from [`LARGE`] bytes on
    /// it grows by half and from [`HUGE`] bytes on by a quarter, as room that is not needed counts
    /// there, and old and new elements are in memory at a time.
    #[cold]
    #[inline(never)]
    fn grow_by(&mut self, element: Layout, additional: usize) -> Result<(), OutOfMemory> {
        // About 64 bytes.
        let smallest = match element.size() {
            ..=4 => 16,
            5..=8 => 8,
            _ => 4,
        };
        let capacity = self.capacity as usize;
        if capacity == 0 {
            return self.set_capacity(element, additional.max(smallest));
        }
        let len = self.len as usize;
        let needed = len.checked_add(additional).ok_or(OutOfMemory)?;
        let more = match element.size().saturating_mul(capacity) {
            ..LARGE => capacity,
            LARGE..HUGE => capacity / 2,
            _ => capacity / 4,
        };
        let grown = capacity.saturating_add(more);
        let grown = grown.clamp(smallest, u32::MAX as usize);
        self.set_capacity(element, needed.max(grown))
    }

    /// Makes room for one more element, which counts already: the caller writes it next.
    #[cfg_attr(not(small_code), inline(always))]
    #[cfg_attr(small_code, inline(never))]
    fn add_slot(&mut self, element: Layout) -> Result<NonNull<u8>, OutOfMemory> {
        if self.len == self.capacity {
            self.grow_by(element, 1)?;
        }
        // SAFETY: `len < capacity`, so the slot lies within the block.
        let slot = unsafe { self.start.add(self.len as usize * element.size()) };
        self.len += 1;
        Ok(slot)
    }

    /// Makes room for `additional` more elements, if there is not as much.
    #[cfg_attr(not(small_code), inline(always))]
    #[cfg_attr(small_code, inline(never))]
    fn reserve(&mut self, element: Layout, additional: usize) -> Result<(), OutOfMemory> {
        if additional > (self.capacity - self.len) as usize {
            self.grow_by(element, additional)?;
        }
        Ok(())
    }

    /// Grows the block to exactly `capacity` elements, more than it has now.
    fn set_capacity(&mut self, element: Layout, capacity: usize) -> Result<(), OutOfMemory> {
        let counted = u32::try_from(capacity).map_err(|_| OutOfMemory)?;
        if element.size() > 0 {
            let new = array(element, capacity)?;
            self.start = match self.layout(element) {
                None => self.allocator.allocate(new)?,
                // SAFETY: the block has layout `old` by the invariant, and `new` is larger.
                Some(old) => unsafe { self.allocator.grow(self.start, old, new)? },
            };
        }
        self.capacity = counted;
        Ok(())
    }

    /// Does the same as [`Block::set_capacity`], without being inlined.
    #[inline(never)]
    fn reserve_exactly(&mut self, element: Layout, capacity: usize) -> Result<(), OutOfMemory> {
        self.set_capacity(element, capacity)
    }

    /// Moves the elements to a block of exactly their size, if there is one.
    #[inline(never)]
    fn shrink(&mut self, element: Layout) {
        if self.len == 0 {
            self.release(element);
            self.capacity = 0;
            return;
        }
        let (Some(old), Ok(new)) = (self.layout(element), array(element, self.len as usize)) else {
            return;
        };
        if new.size() < old.size()
            // SAFETY: the block has layout `old` by the invariant, and `new`, which holds all
            // elements, is smaller.
            && let Ok(block) = unsafe { self.allocator.shrink(self.start, old, new) }
        {
            self.start = block;
            self.capacity = self.len;
        }
    }

    /// Deallocates the memory, which is not used again.
    #[inline(never)]
    fn release(&mut self, element: Layout) {
        if let Some(layout) = self.layout(element) {
            // SAFETY: the block has this layout by the invariant and is not used again.
            unsafe { self.allocator.deallocate(self.start, layout) };
        }
    }

    /// Returns the layout of the memory, if there is some.
    fn layout(&self, element: Layout) -> Option<Layout> {
        if self.capacity == 0 || element.size() == 0 {
            return None;
        }
        let size = element.size() * self.capacity as usize;
        // SAFETY: there is a block of this layout by the invariant.
        Some(unsafe { Layout::from_size_align_unchecked(size, element.align()) })
    }
}

/// Room after the elements of an array; see [`Vec::room_for`].
///
/// # Invariants
///
/// `slots` begins at the slot after the first `len` elements of the array.
pub(crate) struct Room<'v, T> {
    slots: core::slice::IterMut<'v, MaybeUninit<T>>,
    len: &'v mut u32,
}

impl<T: Copy> Room<'_, T> {
    /// Writes further elements, as many as there is room for; they belong to the array then.
    #[inline(always)]
    pub(crate) fn extend(&mut self, elements: impl Iterator<Item = T>) {
        let before = self.slots.len();
        for element in elements {
            match self.slots.next() {
                Some(slot) => slot.write(element),
                None => break,
            };
        }
        // The slots that are no longer left were written.
        *self.len += (before - self.slots.len()) as u32;
    }
}

// SAFETY: a `Vec` owns its elements, and the allocator is `Sync`.
unsafe impl<T: Send> Send for Vec<'_, T> {}
// SAFETY: shared access to a `Vec` is shared access to its elements and to the `Sync` allocator
// only.
unsafe impl<T: Sync> Sync for Vec<'_, T> {}

impl<'m, T> Vec<'m, T> {
    /// Makes an empty array; allocates nothing.
    #[must_use]
    pub const fn new(allocator: &'m dyn Allocator) -> Vec<'m, T> {
        Vec {
            block: Block {
                start: NonNull::<T>::dangling().cast(),
                allocator,
                len: 0,
                capacity: 0,
            },
            owns: PhantomData,
        }
    }

    /// Makes an empty array with room for `capacity` elements.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn with_capacity(
        allocator: &'m dyn Allocator,
        capacity: usize,
    ) -> Result<Vec<'m, T>, OutOfMemory> {
        let mut vec = Vec::new(allocator);
        if capacity > 0 {
            vec.block.reserve_exactly(Layout::new::<T>(), capacity)?;
        }
        Ok(vec)
    }

    /// Makes a copy of `elements`.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn from_slice(
        allocator: &'m dyn Allocator,
        elements: &[T],
    ) -> Result<Vec<'m, T>, OutOfMemory>
    where
        T: Copy,
    {
        let mut vec = Vec::with_capacity(allocator, elements.len())?;
        vec.extend_from_slice(elements)?;
        Ok(vec)
    }

    /// Returns the allocator that this array takes its memory from.
    #[must_use]
    pub const fn allocator(&self) -> &'m dyn Allocator {
        self.block.allocator
    }

    /// Returns the number of elements that fit without growing.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.block.capacity as usize
    }

    /// Appends an element.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the element is then dropped and the array unchanged.
    pub fn push(&mut self, element: T) -> Result<(), OutOfMemory> {
        let slot = self.block.add_slot(Layout::new::<T>())?;
        // SAFETY: the slot is the last of the block that counts, and is uninitialised.
        unsafe { slot.cast().write(element) };
        Ok(())
    }

    /// Removes and returns the last element.
    pub fn pop(&mut self) -> Option<T> {
        self.block.len = self.block.len.checked_sub(1)?;
        // SAFETY: the element at the old last index is initialised and no longer counted.
        Some(unsafe { self.start().add(self.block.len as usize).read() })
    }

    /// Appends a copy of every element of `elements`.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the array is then unchanged.
    pub fn extend_from_slice(&mut self, elements: &[T]) -> Result<(), OutOfMemory>
    where
        T: Copy,
    {
        self.reserve(elements.len())?;
        // SAFETY: room for all of them was reserved after `len`, and a shared slice cannot overlap
        // a block that `&mut self` owns.
        unsafe {
            core::ptr::copy_nonoverlapping(
                elements.as_ptr(),
                self.start().as_ptr().add(self.block.len as usize),
                elements.len(),
            );
        }
        self.block.len += elements.len() as u32;
        Ok(())
    }

    /// Appends a copy of the first `len` elements, all if there are fewer: faster than
    /// [`Vec::extend_from_slice`] for a few.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the array is then unchanged.
    #[inline]
    pub fn extend_from_first<const N: usize>(
        &mut self,
        elements: &[T; N],
        len: usize,
    ) -> Result<(), OutOfMemory>
    where
        T: Copy,
    {
        self.reserve(N)?;
        // SAFETY: room for all of them was reserved after `len`, and a shared array cannot overlap
        // a block that `&mut self` owns.
        unsafe {
            core::ptr::copy_nonoverlapping(
                elements.as_ptr(),
                self.start().as_ptr().add(self.block.len as usize),
                N,
            );
        }
        self.block.len += len.min(N) as u32;
        Ok(())
    }

    /// Returns room for exactly `count` further elements, to be written one after the other: the
    /// array and its length are looked at once for all of them.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the array is then unchanged.
    #[inline]
    pub(crate) fn room_for(&mut self, count: usize) -> Result<Room<'_, T>, OutOfMemory>
    where
        T: Copy,
    {
        self.reserve(count)?;
        // SAFETY: room for `count` elements was reserved after `len`, and `MaybeUninit` needs no
        // initialised memory.
        let slots = unsafe {
            let end = self.start().as_ptr().add(self.block.len as usize);
            core::slice::from_raw_parts_mut(end.cast::<MaybeUninit<T>>(), count)
        };
        Ok(Room {
            slots: slots.iter_mut(),
            len: &mut self.block.len,
        })
    }

    /// Makes the array `len` elements long, adding copies of `element` at the end or dropping
    /// surplus elements.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the array is then unchanged.
    pub fn resize(&mut self, len: usize, element: T) -> Result<(), OutOfMemory>
    where
        T: Copy,
    {
        self.reserve(len.saturating_sub(self.len()))?;
        self.truncate(len);
        let added = len - self.len();
        // SAFETY: room for `added` elements was reserved after `len`, and `MaybeUninit` needs no
        // initialised memory.
        let spare = unsafe {
            core::slice::from_raw_parts_mut(
                self.start()
                    .as_ptr()
                    .add(self.len())
                    .cast::<MaybeUninit<T>>(),
                added,
            )
        };
        spare.fill(MaybeUninit::new(element));
        self.block.len = len as u32;
        Ok(())
    }

    /// Drops all elements from index `len` on.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len() {
            return;
        }
        let dropped = core::ptr::slice_from_raw_parts_mut(
            // SAFETY: `len` is within the initialised elements.
            unsafe { self.start().as_ptr().add(len) },
            self.len() - len,
        );
        self.block.len = len as u32;
        // SAFETY: these elements were initialised and are no longer counted.
        unsafe { dropped.drop_in_place() };
    }

    /// Drops all elements and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Keeps the elements for which `is_kept` holds, in order.
    pub fn retain(&mut self, is_kept: impl Fn(&T) -> bool)
    where
        T: Copy,
    {
        let mut kept = 0;
        for place in 0..self.len() {
            let element = self[place];
            if is_kept(&element) {
                self[kept] = element;
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Makes room for `additional` more elements.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn reserve(&mut self, additional: usize) -> Result<(), OutOfMemory> {
        self.block.reserve(Layout::new::<T>(), additional)
    }

    /// Returns memory beyond the elements to the allocator, if that has a smaller block for them.
    ///
    /// Does nothing otherwise: this is an economy, not a duty.
    pub fn shrink_to_fit(&mut self) {
        self.block.shrink(Layout::new::<T>());
    }

    /// Drops the elements and deallocates the memory; neither is used again. It is not inlined, as
    /// most functions that have arrays do this in several places.
    #[inline(never)]
    fn free(&mut self) {
        let elements: *mut [T] = &mut **self;
        // SAFETY: these elements are initialised and not used again.
        unsafe { elements.drop_in_place() };
        self.block.release(Layout::new::<T>());
    }

    #[inline(always)]
    const fn start(&self) -> NonNull<T> {
        self.block.start.cast()
    }
}

impl<T> Deref for Vec<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the first `len` elements are initialised.
        unsafe { core::slice::from_raw_parts(self.start().as_ptr(), self.block.len as usize) }
    }
}

impl<T> DerefMut for Vec<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the first `len` elements are initialised, and `self` is borrowed uniquely.
        unsafe { core::slice::from_raw_parts_mut(self.start().as_ptr(), self.block.len as usize) }
    }
}

/// Indexes as a slice does, but with a panic that does not tell the index, which would cost code at
/// each place.
impl<T, I: SliceIndex<[T]>> Index<I> for Vec<'_, T> {
    type Output = I::Output;

    #[cfg_attr(debug_assertions, track_caller)]
    fn index(&self, index: I) -> &I::Output {
        match self.get(index) {
            Some(found) => found,
            None => outside(),
        }
    }
}

impl<T, I: SliceIndex<[T]>> IndexMut<I> for Vec<'_, T> {
    #[cfg_attr(debug_assertions, track_caller)]
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        match self.get_mut(index) {
            Some(found) => found,
            None => outside(),
        }
    }
}

/// Panics because an index is not within the array.
#[cold]
#[inline(never)]
#[cfg_attr(debug_assertions, track_caller)]
fn outside() -> ! {
    panic!("index outside of the array");
}

impl<'v, T> IntoIterator for &'v Vec<'_, T> {
    type Item = &'v T;
    type IntoIter = core::slice::Iter<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Drop for Vec<'_, T> {
    fn drop(&mut self) {
        self.free();
    }
}

impl<T: fmt::Debug> fmt::Debug for Vec<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Appends text as UTF-8; [`fmt::Error`] stands for [`OutOfMemory`].
impl fmt::Write for Vec<'_, u8> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.extend_from_slice(text.as_bytes())
            .map_err(|_| fmt::Error)
    }
}
