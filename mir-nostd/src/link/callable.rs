//! Callables: functions that have an address, which are linked functions and the embedder's
//! closures.
#![expect(unsafe_code, reason = "found again by address, shared between threads")]

mod host;
mod linked;

use super::Context;
pub use host::Host;
pub use linked::{LinkedModule, Lref};

use crate::ir::FuncId;
use crate::mem::{Allocator, OutOfMemory, Vec};
use crate::target::{Entry, Gates, Pages, Region, Target};
use core::alloc::Layout;
use core::fmt;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// A function that can be called by its address: a linked one or a closure of the embedder.
///
/// It stays where it is as long as its context lives. Its address for programs is, in this order: a
/// thunk where a page hook is given, a static gate of the pool where one is free, else the address
/// of this structure, which C must not call.
///
/// Only engines and compilers decide what runs when it is called:
///
/// ```compile_fail,E0624
/// fn publish(callable: &mir_nostd::link::Callable<'_>) {
///     callable.publish(0x1000 as *mut ());
/// }
/// ```
/// ```compile_fail,E0624
/// fn redirect(callable: &mir_nostd::link::Callable<'_>) {
///     callable.redirect(0x1000);
/// }
/// ```
#[repr(C)]
pub struct Callable<'m> {
    /// The data word that thunks jump through.
    pub(super) entry: Entry,
    address: AtomicUsize,
    /// The code that the engine made of the function; null until it is first run.
    code: AtomicPtr<()>,
    /// The unit of the compiler that has the function; null if none has it.
    unit: AtomicPtr<()>,
    /// True if the engine calls the function by its address, too.
    is_native: AtomicBool,
    pub(super) body: Body<'m>,
}

/// The body of a callable.
pub(super) enum Body<'m> {
    /// Nothing yet.
    Vacant,
    /// A function of a linked module.
    Func {
        module: NonNull<LinkedModule<'m>>,
        func: FuncId,
        has_lrefs: bool,
    },
    /// A closure of the embedder, which the context keeps.
    Host(NonNull<Host<'m>>),
}

// SAFETY: the module pointer is to a linked module, which is `Sync` and outlives the callable's use
// (both belong to the context); closures are `Sync`.
unsafe impl Send for Callable<'_> {}
// SAFETY: as above; what changes after linking is atomic.
unsafe impl Sync for Callable<'_> {}

impl<'m> Callable<'m> {
    const fn vacant() -> Callable<'m> {
        Callable {
            entry: Entry::new(),
            address: AtomicUsize::new(0),
            code: AtomicPtr::new(core::ptr::null_mut()),
            unit: AtomicPtr::new(core::ptr::null_mut()),
            is_native: AtomicBool::new(false),
            body: Body::Vacant,
        }
    }

    /// Returns the address by which programs know the function, for life.
    #[must_use]
    pub fn address(&self) -> usize {
        self.address.load(Ordering::Relaxed)
    }

    /// Returns the address by which C can call the function too, if it has one: that of a thunk or
    /// gate.
    #[must_use]
    pub fn native_address(&self) -> Option<usize> {
        // Without thunk and gate the address is that of this structure, which only our engines know
        // to call.
        let address = self.address();
        (address != core::ptr::from_ref(self).addr()).then_some(address)
    }

    pub(super) fn set_address(&self, address: usize) {
        self.address.store(address, Ordering::Relaxed);
    }

    /// Makes calls through the function's thunk go straight to machine code at this address.
    ///
    /// # Safety
    ///
    /// The code there is the function's, or one of the machine's gates to which the entry is bound,
    /// as long as it may be called.
    pub(crate) unsafe fn redirect(&self, code: usize) {
        // SAFETY: by the caller's word.
        unsafe { self.entry.redirect(code) };
    }

    /// Returns the data word that thunks jump through.
    pub(crate) const fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Returns the unit of the compiler that has the function; null if none has it.
    pub(crate) fn unit(&self) -> *mut () {
        self.unit.load(Ordering::Acquire)
    }

    /// Lets a compiler have the function, if none has it; returns whether that was so.
    pub(crate) fn claim(&self, unit: *mut ()) -> bool {
        let null = core::ptr::null_mut();
        let claimed = (self.unit).compare_exchange(null, unit, Ordering::AcqRel, Ordering::Acquire);
        claimed.is_ok()
    }

    /// Takes the function away from its compiler.
    pub(crate) fn disclaim(&self) {
        self.set_native(false);
        self.unit.store(core::ptr::null_mut(), Ordering::Release);
    }

    /// True if there is, or will be at the first call, machine code of the function: the context's
    /// engine then calls it by its address.
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.is_native.load(Ordering::Relaxed)
    }

    pub(crate) fn set_native(&self, is_native: bool) {
        self.is_native.store(is_native, Ordering::Relaxed);
    }

    /// Returns the module and number of the function; `None` for a closure.
    #[must_use]
    pub fn func(&self) -> Option<(&LinkedModule<'m>, FuncId)> {
        match self.body {
            // SAFETY: the module lives as long as the context, which `self` is borrowed from.
            Body::Func { module, func, .. } => Some((unsafe { module.as_ref() }, func)),
            _ => None,
        }
    }

    /// Returns the closure; `None` for a function.
    #[must_use]
    pub fn host(&self) -> Option<&Host<'m>> {
        match self.body {
            // SAFETY: the context, which `self` is borrowed from, keeps the closure as long as it
            // lives.
            Body::Host(host) => Some(unsafe { host.as_ref() }),
            _ => None,
        }
    }

    /// True if `lref` items of the module take addresses of this function's labels.
    #[must_use]
    pub fn has_lrefs(&self) -> bool {
        matches!(
            self.body,
            Body::Func {
                has_lrefs: true,
                ..
            }
        )
    }

    /// Returns whether the function can be run in this context: it is one of its functions, and
    /// linked.
    pub(crate) fn runs_in(&self, context: &Context<'_>) -> bool {
        let linked = self.func().map(|(linked, _)| linked);
        linked.is_some_and(|linked| {
            linked.is_linked() && linked.is_of(context) && !linked.is_confined()
        })
    }

    /// Returns whether a confined program can run the function in this context.
    pub(crate) fn runs_confined_in(&self, context: &Context<'_>) -> bool {
        let linked = self.func().map(|(linked, _)| linked);
        linked.is_some_and(|linked| {
            linked.is_linked() && linked.is_of(context) && linked.is_confined()
        })
    }

    /// Returns the code that the engine made of the function: null until it is first run.
    #[must_use]
    pub(crate) fn code(&self) -> *mut () {
        self.code.load(Ordering::Acquire)
    }

    /// Publishes the code that the engine made of the function, if there is none yet; returns the
    /// code that is there now.
    ///
    /// The loser of a race gets the winner's code and drops its own.
    pub(crate) fn publish(&self, code: *mut ()) -> *mut () {
        let null = core::ptr::null_mut();
        match self
            .code
            .compare_exchange(null, code, Ordering::AcqRel, Ordering::Acquire)
        {
            Ok(_) => code,
            Err(there) => there,
        }
    }

    /// Takes the code away, for the engine to release.
    pub(super) fn take_code(&self) -> *mut () {
        self.code.swap(core::ptr::null_mut(), Ordering::AcqRel)
    }
}

impl fmt::Debug for Callable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let func = self.func().map(|(_, func)| func);
        f.debug_struct("Callable")
            .field("address", &self.address())
            .field("func", &func)
            .finish_non_exhaustive()
    }
}

/// The most segments: each is at least as large as all before it together, so this is never
/// reached.
const SEGMENTS: usize = 32;

/// A run of callables that do not move, and their thunks.
struct Segment<'m> {
    start: AtomicPtr<Callable<'m>>,
    len: AtomicUsize,
    /// The number of them, from the first on, that are committed: only these can be found.
    used: AtomicUsize,
    thunks: AtomicUsize,
}

impl Segment<'_> {
    const fn empty() -> Self {
        Segment {
            start: AtomicPtr::new(core::ptr::null_mut()),
            len: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
            thunks: AtomicUsize::new(0),
        }
    }
}

/// All callables of a context.
///
/// # Invariants
///
/// A segment whose `start` is not null is a live block of `len` initialised callables; segments are
/// only added, `start` last. The first `used` callables of a segment belong to modules or closures
/// and change only through atomics; the rest is vacant, written by whoever holds the context's
/// lock, and never referred to.
pub(super) struct Callables<'m> {
    allocator: &'m dyn Allocator,
    target: &'static Target,
    pages: Option<&'m dyn Pages>,
    segments: [Segment<'m>; SEGMENTS],
}

/// The part of the table that only the thread that loads uses.
#[derive(Debug)]
pub(super) struct CallableState<'m> {
    segments: usize,
    regions: Vec<'m, Region>,
}

impl<'m> CallableState<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator) -> CallableState<'m> {
        CallableState {
            segments: 0,
            regions: Vec::new(allocator),
        }
    }
}

// SAFETY: `Region` pointers are addresses of pages that the hook lends; using them is synchronised
// by the context's lock.
unsafe impl Send for CallableState<'_> {}

impl<'m> Callables<'m> {
    pub(super) const fn new(
        allocator: &'m dyn Allocator,
        target: &'static Target,
        pages: Option<&'m dyn Pages>,
    ) -> Callables<'m> {
        Callables {
            allocator,
            target,
            pages,
            segments: [const { Segment::empty() }; SEGMENTS],
        }
    }

    /// Makes sure that `count` vacant callables lie side by side, and returns them. They are vacant
    /// until [`Callables::commit`].
    pub(super) fn reserve(
        &self,
        state: &mut CallableState<'m>,
        count: usize,
    ) -> Result<*mut Callable<'m>, OutOfMemory> {
        if let Some(segment) = self.last_segment(state) {
            let len = segment.len.load(Ordering::Relaxed);
            let used = segment.used.load(Ordering::Relaxed);
            if len - used >= count {
                // SAFETY: `used` is at most the length.
                return Ok(unsafe { segment.start.load(Ordering::Relaxed).add(used) });
            }
        }
        self.add_segment(state, count)
    }

    fn last_segment(&self, state: &CallableState<'m>) -> Option<&Segment<'m>> {
        self.segments.get(state.segments.checked_sub(1)?)
    }

    fn add_segment(
        &self,
        state: &mut CallableState<'m>,
        count: usize,
    ) -> Result<*mut Callable<'m>, OutOfMemory> {
        let segment = self.segments.get(state.segments).ok_or(OutOfMemory)?;
        let before: usize = self
            .segments
            .iter()
            .map(|segment| segment.len.load(Ordering::Relaxed))
            .sum();
        let len = count.max(before).max(1);
        let layout = Layout::array::<Callable<'m>>(len).map_err(|_| OutOfMemory)?;
        let start = self.allocator.allocate(layout)?.cast::<Callable<'m>>();
        for index in 0..len {
            // SAFETY: the block has room for `len` callables.
            unsafe { start.add(index).write(Callable::vacant()) };
        }
        match self.write_thunks(state, start, len) {
            Ok(thunks) => segment.thunks.store(thunks, Ordering::Relaxed),
            Err(error) => {
                // SAFETY: allocated above with this layout; vacant callables need no drop.
                unsafe { self.allocator.deallocate(start.cast(), layout) };
                return Err(error);
            }
        }
        segment.len.store(len, Ordering::Relaxed);
        segment.start.store(start.as_ptr(), Ordering::Release);
        state.segments += 1;
        Ok(start.as_ptr())
    }

    /// Writes a thunk for each callable of a new segment; returns the address of the first, 0
    /// without a page hook.
    fn write_thunks(
        &self,
        state: &mut CallableState<'m>,
        start: NonNull<Callable<'m>>,
        len: usize,
    ) -> Result<usize, OutOfMemory> {
        let Some(pages) = self.pages else {
            return Ok(0);
        };
        let thunk = &self.target.thunk;
        let granule = pages.granule();
        let bytes = len
            .checked_mul(thunk.bytes)
            .ok_or(OutOfMemory)?
            .next_multiple_of(granule);
        state.regions.reserve(1)?;
        let region = pages.reserve(bytes, None)?;
        // SAFETY: the region is new, ours, and not run by anybody yet.
        let written = unsafe {
            pages.make_writable(&region, 0, bytes).and_then(|()| {
                let code = core::slice::from_raw_parts_mut(region.write.as_ptr(), bytes);
                for (index, code) in code.chunks_exact_mut(thunk.bytes).take(len).enumerate() {
                    let entry = start.add(index).as_ptr().expose_provenance();
                    (thunk.write)(code, entry as u64);
                }
                pages.make_executable(&region, 0, bytes)
            })
        };
        if let Err(error) = written {
            // SAFETY: the region came from this hook and nothing runs in it.
            unsafe { pages.release(region) };
            return Err(error);
        }
        state.regions.push(region)?;
        Ok(region.run.as_ptr().expose_provenance())
    }

    /// Counts `count` reserved callables as used, whose bodies the caller wrote: from now on they
    /// are found.
    pub(super) fn commit(&self, state: &mut CallableState<'m>, count: usize) {
        if let Some(segment) = self.last_segment(state) {
            segment.used.fetch_add(count, Ordering::Release);
        }
    }

    /// Returns the address of a thunk for a callable of this table, if there are thunks.
    pub(super) fn thunk_of(&self, callable: *const Callable<'m>) -> Option<usize> {
        let (segment, index) = self.place_of(callable.addr(), |segment| &segment.len)?;
        let thunks = segment.thunks.load(Ordering::Relaxed);
        (thunks != 0).then(|| thunks + index * self.target.thunk.bytes)
    }

    /// Returns the segment and index of the callable whose structure is at this address, among as
    /// many as `count` says.
    fn place_of(
        &self,
        address: usize,
        count: impl for<'s> Fn(&'s Segment<'m>) -> &'s AtomicUsize,
    ) -> Option<(&Segment<'m>, usize)> {
        for segment in &self.segments {
            let start = segment.start.load(Ordering::Acquire).addr();
            if start == 0 {
                return None;
            }
            let offset = address.wrapping_sub(start);
            let count = count(segment).load(Ordering::Acquire);
            if offset < count * size_of::<Callable<'m>>()
                && offset.is_multiple_of(size_of::<Callable<'m>>())
            {
                return Some((segment, offset / size_of::<Callable<'m>>()));
            }
        }
        None
    }

    /// Returns the callable whose address for programs this is.
    pub(super) fn find(&self, address: usize, gates: Option<Gates>) -> Option<&Callable<'m>> {
        let callable = self
            .by_thunk(address)
            .or_else(|| self.by_structure(address));
        callable.or_else(|| self.by_gate(address, gates?))
    }

    fn by_structure(&self, address: usize) -> Option<&Callable<'m>> {
        let (segment, index) = self.place_of(address, |segment| &segment.used)?;
        // SAFETY: the index is of a callable that is committed, by the invariant.
        Some(unsafe { &*segment.start.load(Ordering::Acquire).add(index) })
    }

    fn by_thunk(&self, address: usize) -> Option<&Callable<'m>> {
        let stride = self.target.thunk.bytes;
        for segment in &self.segments {
            let start = segment.start.load(Ordering::Acquire);
            if start.is_null() {
                return None;
            }
            let thunks = segment.thunks.load(Ordering::Relaxed);
            let offset = address.wrapping_sub(thunks);
            if thunks != 0
                && offset < segment.used.load(Ordering::Acquire) * stride
                && offset.is_multiple_of(stride)
            {
                // SAFETY: the index is of a callable that is committed, by the invariant.
                return Some(unsafe { &*start.add(offset / stride) });
            }
        }
        None
    }

    fn by_gate(&self, address: usize, gates: Gates) -> Option<&Callable<'m>> {
        let offset = address.wrapping_sub(gates.start);
        if !offset.is_multiple_of(gates.stride) {
            return None;
        }
        let entry = gates.entries.get(offset / gates.stride)?;
        // Another context may own the gate: then its callable is not in this table.
        self.by_structure(entry.context().addr())
    }

    /// Drops everything. The caller has released all code.
    pub(super) fn free(&self, state: &mut CallableState<'m>) {
        for segment in &self.segments {
            let start = segment.start.swap(core::ptr::null_mut(), Ordering::AcqRel);
            let len = segment.len.load(Ordering::Relaxed);
            let (Some(start), Ok(layout)) =
                (NonNull::new(start), Layout::array::<Callable<'m>>(len))
            else {
                break;
            };
            // SAFETY: a live block of `len` initialised callables with this layout, by the
            // invariant.
            unsafe {
                NonNull::slice_from_raw_parts(start, len).drop_in_place();
                self.allocator.deallocate(start.cast(), layout);
            }
        }
        while let (Some(region), Some(pages)) = (state.regions.pop(), self.pages) {
            // SAFETY: reserved from this hook; programs that run its thunks have ended.
            unsafe { pages.release(region) };
        }
    }

    /// Writes the body and address of a reserved callable.
    ///
    /// # Safety
    ///
    /// `callable` was given by [`Callables::reserve`] and is not committed, so nobody else looks at
    /// it.
    pub(super) unsafe fn fill(&self, callable: *mut Callable<'m>, body: Body<'m>, address: usize) {
        // SAFETY: the callable is initialised, and ours by the caller's promise.
        unsafe {
            (*callable).body = body;
            (*callable).set_address(address);
        }
    }
}

impl fmt::Debug for Callables<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callables").finish_non_exhaustive()
    }
}
