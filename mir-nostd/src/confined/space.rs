//! The space of a program: its memory, its windows, its imports, and the words of the host's that
//! rewritten code reads and writes.
#![expect(unsafe_code, reason = "memory that a program writes to by address")]

use super::FIRST_ADDRESS;
use super::caller::Caller;
use super::memory::Memory;
use crate::ir::{Problem, Result};
use crate::link::{HostError, HostFn, Trace, Window, Windows};
use crate::mem::{Allocator, Box};
use crate::target::Value;
use core::alloc::Layout;
use core::cell::UnsafeCell;
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

/// The settings of a [`Space`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The bytes of the program's stack, which is at the end of its memory; `None` for a quarter of
    /// the memory, at most 8 MiB. Compiled code needs native stack beside it, about four times as
    /// much; where there is less a run may end with [`Reason::Stack`](crate::link::Reason::Stack)
    /// earlier.
    pub stack: Option<u64>,
    /// True if windows may be granted: code then looks for a window where an access is not in the
    /// program's own memory.
    pub windows: bool,
    /// True if addresses are masked after their check, so that a mispredicted check does not load
    /// what lies outside. It cannot be had together with windows.
    pub masks: bool,
}

/// A closure of the embedder that a confined program can import.
///
/// Implemented by every
/// `Fn(&mut Memory, &[Value], &mut [Value]) -> Result<(), HostError> + Sync`.
pub trait ConfinedFn: Sync {
    /// Takes the program's memory and the arguments, one cell each, and stores the results, one
    /// cell each.
    ///
    /// # Errors
    ///
    /// [`HostError`] ends the run.
    fn call(
        &self,
        memory: &mut Memory<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> core::result::Result<(), HostError>;
}

impl<F> ConfinedFn for F
where
    F: Fn(&mut Memory<'_>, &[Value], &mut [Value]) -> core::result::Result<(), HostError> + Sync,
{
    fn call(
        &self,
        memory: &mut Memory<'_>,
        arguments: &[Value],
        results: &mut [Value],
    ) -> core::result::Result<(), HostError> {
        self(memory, arguments, results)
    }
}

/// The words that rewritten code reads and writes by their addresses.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Words {
    /// The lowest address of the program's stack that is in use.
    pub(super) stack_pointer: AtomicU64,
    /// The address of the table of functions.
    pub(super) functions: AtomicU64,
    /// The bytes of the table's rows.
    pub(super) functions_bytes: AtomicU64,
    /// 0, or 1 more than the code with which an import failed.
    pub(super) failed: AtomicU64,
}

/// The memory of one program. It is lent to a context, in which the program is linked, and stays at
/// its place as long as that.
pub struct Space<'a> {
    start: NonNull<u8>,
    bytes: usize,
    lent: PhantomData<&'a mut [u8]>,
    allocator: &'a dyn Allocator,
    pub(super) options: Options,
    words: Box<'a, Words>,
    windows: Box<'a, UnsafeCell<Windows>>,
    trace: Box<'a, Trace>,
    caller: Box<'a, UnsafeCell<Waiting>>,
    /// True while the program runs.
    is_running: AtomicBool,
    /// True once a program has the space.
    is_taken: AtomicBool,
    /// The imports, a list that only grows; each belongs to the space.
    imports: AtomicPtr<Import<'static>>,
}

// SAFETY: the memory is lent to the space alone; whoever uses it holds `is_running`, or borrows the
// space mutably.
unsafe impl Send for Space<'_> {}
// SAFETY: as above; all else is atomic or locked.
unsafe impl Sync for Space<'_> {}

/// The least memory of a program, in bytes.
pub const LEAST_BYTES: usize = 4096;

/// The most memory of a program, in bytes.
pub const MOST_BYTES: u64 = 1 << 32;

/// The largest stack that is chosen for a program without being asked for.
const LARGEST_STACK: u64 = 8 << 20;

impl<'a> Space<'a> {
    /// Returns the space of a program with this memory, whose contents stay as they are. If it does
    /// not begin at a multiple of 8, atomic accesses of the program fault that would not elsewhere.
    ///
    /// # Errors
    ///
    /// The memory is smaller than [`LEAST_BYTES`] or larger than [`MOST_BYTES`]; out of memory for
    /// the host's part.
    pub fn new(
        allocator: &'a dyn Allocator,
        memory: &'a mut [u8],
        options: Options,
    ) -> Result<Space<'a>> {
        let bytes = memory.len();
        if bytes < LEAST_BYTES || bytes as u64 > MOST_BYTES {
            return Err(Problem::ConfinedSize.into());
        }
        if options.masks && options.windows {
            return Err(Problem::ConfinedWindow.into());
        }
        let words = Words {
            stack_pointer: AtomicU64::new(FIRST_ADDRESS + (bytes as u64 & !15)),
            functions: AtomicU64::new(0),
            functions_bytes: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        };
        Ok(Space {
            start: NonNull::from(memory).cast(),
            bytes,
            lent: PhantomData,
            allocator,
            options,
            words: Box::new(allocator, words)?,
            windows: Box::new(allocator, UnsafeCell::new(Windows::new()))?,
            trace: Box::new(allocator, Trace::new())?,
            caller: Box::new(allocator, UnsafeCell::new(None))?,
            is_running: AtomicBool::new(false),
            is_taken: AtomicBool::new(false),
            imports: AtomicPtr::new(core::ptr::null_mut()),
        })
    }

    /// Returns the number of bytes of the program's memory.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    /// Returns the address of the memory in the host.
    pub(super) fn base(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }

    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    /// Returns the calls inside each other when the program faulted last.
    pub(super) fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Returns the address of the words in the host.
    pub(super) fn words_address(&self) -> u64 {
        self.words.place().as_ptr().expose_provenance() as u64
    }

    /// Returns the address of the table of windows in the host; 0 if none may be granted.
    pub(super) fn windows_address(&self) -> u64 {
        match self.options.windows {
            true => self.windows.place().as_ptr().expose_provenance() as u64,
            false => 0,
        }
    }

    /// Returns the bytes of the program's stack: the top is the end of its memory.
    pub(super) fn stack_bytes(&self) -> u64 {
        let chosen = (self.bytes() / 4).min(LARGEST_STACK);
        let bytes = self.options.stack.unwrap_or(chosen);
        bytes.min(self.bytes()) & !15
    }

    /// Returns the address of the end of the program's stack.
    pub(super) fn stack_top(&self) -> u64 {
        FIRST_ADDRESS + (self.bytes() & !15)
    }

    /// Takes the space for a program; false if another has it.
    pub(super) fn take(&self) -> bool {
        !self.is_taken.swap(true, Ordering::AcqRel)
    }

    /// Notes that the program runs; false if it does already.
    pub(super) fn begin(&self) -> bool {
        !self.is_running.swap(true, Ordering::AcqRel)
    }

    /// Notes whom imports call back while the program runs.
    #[expect(
        clippy::disallowed_methods,
        reason = "the lifetime of a trait object changes"
    )]
    pub(super) fn enter<'s>(&self, caller: &'s (dyn Caller + 's)) {
        let caller = NonNull::from(caller);
        // SAFETY: only the lifetime is another, and the caller is used until `end` only, which
        // comes before it is gone. Nobody else uses the cell then.
        unsafe {
            let caller =
                core::mem::transmute::<NonNull<dyn Caller + 's>, NonNull<dyn Caller>>(caller);
            *self.caller.get() = Some(caller);
        }
    }

    /// Notes that the program does not run any more.
    pub(super) fn end(&self) {
        // SAFETY: who runs the program alone uses the cell.
        unsafe { *self.caller.get() = None };
        self.is_running.store(false, Ordering::Release);
    }

    /// Calls `body` with the memory, unless the program runs.
    pub(super) fn with_memory<T>(&self, body: impl FnOnce(&mut [u8]) -> T) -> Option<T> {
        if !self.begin() {
            return None;
        }
        // SAFETY: the memory is the space's, and nobody else uses it while the program counts as
        // running.
        let memory = unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) };
        let result = body(memory);
        self.end();
        Some(result)
    }

    /// Returns the import of a closure, which lives as long as the space is borrowed.
    pub(super) fn import<'m>(&'m self, function: &'m dyn ConfinedFn) -> Result<&'m dyn HostFn> {
        let import = Import {
            next: core::ptr::null_mut(),
            function,
            start: self.start,
            bytes: self.bytes,
            words: self.words.place(),
            windows: self.windows.place(),
            caller: self.caller.place(),
        };
        let place = Box::new(self.allocator, import)?.into_raw();
        let listed = place.cast::<Import<'static>>();
        let mut head = self.imports.load(Ordering::Relaxed);
        loop {
            // SAFETY: the import is ours until it is in the list.
            unsafe { (*place).next = head };
            let order = (Ordering::AcqRel, Ordering::Relaxed);
            match { &self.imports }.compare_exchange(head, listed, order.0, order.1) {
                Ok(_) => break,
                Err(other) => head = other,
            }
        }
        // SAFETY: the import stays at its place until the space is dropped, which is borrowed for
        // as long.
        Ok(unsafe { &*place })
    }

    /// Puts a window into the table, unless the program runs.
    pub(super) fn add_window(&self, window: Window) -> Result<()> {
        if !self.options.windows || window.start < FIRST_WINDOW || !self.begin() {
            return Err(Problem::ConfinedWindow.into());
        }
        // SAFETY: nobody else uses the table while the program counts as running.
        let added = unsafe { (*self.windows.get()).open(window) };
        self.end();
        added.map_err(|_| Problem::ConfinedWindow.into())
    }

    /// Takes the windows at an address of the program out of the table, unless the program runs.
    pub(super) fn remove_windows(&self, start: u64) -> bool {
        self.change_windows(|windows| windows.close(start))
    }

    /// Takes one window out of the table, unless the program runs.
    pub(super) fn remove_window(&self, window: &Window) -> bool {
        self.change_windows(|windows| windows.close_one(window))
    }

    fn change_windows(&self, change: impl FnOnce(&mut Windows) -> bool) -> bool {
        if !self.begin() {
            return false;
        }
        // SAFETY: as above.
        let changed = change(unsafe { &mut *self.windows.get() });
        self.end();
        changed
    }
}

/// The lowest address at which a program can have a window.
pub const FIRST_WINDOW: u64 = 1 << 33;

impl Drop for Space<'_> {
    fn drop(&mut self) {
        let mut next = *self.imports.get_mut();
        while let Some(import) = NonNull::new(next) {
            // SAFETY: made in `import`, with this layout; who used it borrowed the space. There is
            // nothing in it to drop.
            unsafe {
                next = import.as_ref().next;
                let layout = Layout::new::<Import<'_>>();
                (self.allocator).deallocate(import.cast(), layout);
            }
        }
    }
}

/// A closure of the embedder as a program's import.
struct Import<'m> {
    next: *mut Import<'static>,
    function: &'m dyn ConfinedFn,
    start: NonNull<u8>,
    bytes: usize,
    words: NonNull<Words>,
    windows: NonNull<UnsafeCell<Windows>>,
    caller: NonNull<UnsafeCell<Waiting>>,
}

/// The run that waits for an import.
type Waiting = Option<NonNull<dyn Caller>>;

// SAFETY: the closure is `Sync`; the pointers are to parts of the space, used only by the one run
// that there is at a time.
unsafe impl Send for Import<'_> {}
// SAFETY: as above.
unsafe impl Sync for Import<'_> {}

impl HostFn for Import<'_> {
    /// Calls the closure. If it fails that is noted in a word, and the code that called it looks
    /// there: so that the place of the fault is known in every engine.
    fn call(
        &self,
        arguments: &[Value],
        results: &mut [Value],
    ) -> core::result::Result<(), HostError> {
        // SAFETY: the space outlives the import. Its program called this and waits: nobody uses the
        // memory and the windows until it goes on.
        let (mut memory, words, caller) = unsafe {
            let windows = &*self.windows.as_ref().get();
            let caller = (*self.caller.as_ref().get()).map(|caller| caller.as_ref());
            let memory = Memory::new(self.start, self.bytes, windows, caller);
            (memory, self.words.as_ref(), caller)
        };
        let result = self.function.call(&mut memory, arguments, results);
        caller.inspect(|caller| caller.import_ended(result));
        if let Err(HostError(code)) = result {
            words.failed.store(u64::from(code) + 1, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl fmt::Debug for Space<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Space")
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
