//! The runs under way that native code may end: calls of compiled code from Rust, and runs of the
//! interpreter.
//!
//! Nothing unwinds the stack of compiled code: a fault goes straight back to the innermost run that
//! is prepared for it, as `longjmp` would. That run is found by address, as stacks grow down. Where
//! several threads run, their stacks must not be taken for each other: the embedder says which
//! thread is running, if it can.
#![expect(unsafe_code, reason = "runs are found by their addresses on stacks")]

use super::fault::Reason;
use crate::mem::OnExit;
use crate::target::{Body, Guard, Native};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use spin::Mutex;

/// The embedder's way to tell threads apart: a number that no two threads have at a time.
pub type ThreadId = fn() -> usize;

/// The list of the runs under way.
pub(crate) struct Runs {
    first: Mutex<First>,
    thread: Option<ThreadId>,
}

struct First(*mut Run);

// SAFETY: the list is followed under the lock only, and each run leaves it before it ends.
unsafe impl Send for First {}

/// A call of compiled code from Rust, or a run of the interpreter.
///
/// It lies on the stack that it runs on, and its fields are reached through pointers: other threads
/// read the first four of them while it is in the list, of which only the frame changes.
pub(crate) struct Run {
    next: *mut Run,
    thread: usize,
    /// The interpreter's state; null in a call of compiled code.
    pub(crate) state: *mut (),
    /// The address of the frame from which the run called native code; 0 if it is in no such call.
    pub(crate) frame: AtomicUsize,
    /// The place where the run goes on if it is ended.
    pub(crate) guard: *mut Guard,
    /// The reason and the place if it was ended.
    pub(crate) stopped: Option<Stopped>,
    /// The word from which the compiled code that is called takes fuel; null if it takes none.
    fuel: *const AtomicU64,
    /// True if a function that native code called back failed since the run called that code.
    pub(crate) callback_failed: bool,
}

impl Run {
    /// Returns a run of the interpreter with this state, which sets a guard before it calls native
    /// code.
    pub(crate) const fn new(state: *mut ()) -> Run {
        Run {
            next: core::ptr::null_mut(),
            thread: 0,
            state,
            frame: AtomicUsize::new(0),
            guard: core::ptr::null_mut(),
            stopped: None,
            fuel: core::ptr::null(),
            callback_failed: false,
        }
    }
}

/// The reason and the place that a fault leaves to the run that it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped {
    pub(crate) reason: Reason,
    /// The address of the function's callable, 0 if not known.
    pub(crate) callable: usize,
    /// The number of the instruction in its function, if known.
    pub(crate) instruction: Option<u32>,
}

impl Stopped {
    /// Returns a fault at an instruction of the function with the callable at this address.
    pub(crate) const fn at(reason: Reason, callable: usize, instruction: u32) -> Self {
        Self {
            reason,
            callable,
            instruction: Some(instruction),
        }
    }
}

/// If threads cannot be told apart, a frame that is farther away than this many bytes may be on the
/// stack of another.
const NEAR: usize = 256 << 10;

/// The words that a guard gets when its run is ended: no place of a `setjmp`.
const ENDED: [usize; 3] = [0; 3];

native_abi! {
    /// Returns like `setjmp` after `longjmp`: the function that leads a run to its guard.
    extern "C" fn second_return(_: usize, _: usize) -> i32 {
        1
    }
}

impl Runs {
    pub(super) const fn new(thread: Option<ThreadId>) -> Runs {
        Runs {
            first: Mutex::new(First(core::ptr::null_mut())),
            thread,
        }
    }

    /// True if no run is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.first.lock().0.is_null()
    }

    fn thread(&self) -> usize {
        self.thread.map_or(0, |thread| thread())
    }

    /// Calls `body(argument)`, which calls compiled code that takes fuel from a word, unless that
    /// is null; returns why it stopped, if it did.
    ///
    /// # Safety
    ///
    /// `body` may be called so, on the machine of `native`. If it stops, nothing that it has on the
    /// stack is dropped.
    // In a frame of its own the run lies below the frame that its caller noted for a run of the
    // interpreter: within one frame the compiler may order them either way.
    #[inline(never)]
    pub(crate) unsafe fn call(
        &self,
        native: &dyn Native,
        fuel: *const AtomicU64,
        body: Body,
        argument: *mut (),
    ) -> Option<Stopped> {
        let mut guard = Guard::new();
        let mut run = Run::new(core::ptr::null_mut());
        let (guard, run) = (&raw mut guard, &raw mut run);
        // SAFETY: the run stays here until it is removed; the caller vouches for `body`.
        unsafe {
            (*run).guard = guard;
            (*run).fuel = fuel;
            (*run).frame.store(run.addr(), Ordering::Relaxed);
            self.add(run);
            // Also if an exception passes.
            let removing = OnExit(move || self.remove(run));
            native.guarded(guard, body, argument);
            drop(removing);
            (*run).stopped
        }
    }

    /// Adds a run of this thread.
    ///
    /// # Safety
    ///
    /// The run stays where it is until it is removed.
    pub(crate) unsafe fn add(&self, run: *mut Run) {
        let thread = self.thread();
        let mut first = self.first.lock();
        // SAFETY: the run is the caller's until it is in the list.
        unsafe {
            (*run).thread = thread;
            (*run).next = first.0;
        }
        first.0 = run;
    }

    /// Removes a run.
    ///
    /// # Safety
    ///
    /// The run was added.
    pub(crate) unsafe fn remove(&self, run: *mut Run) {
        // SAFETY: by the caller's word.
        unsafe { self.remove_those(|other, _| other == run) };
    }

    /// Removes the runs that a `longjmp` to the frame at `frame` has left.
    ///
    /// # Safety
    ///
    /// `frame` is an address in the innermost frame of this thread's stack that is still in use,
    /// and no run that is not left lies below it in that frame.
    pub(crate) unsafe fn forget_below(&self, frame: usize) {
        let here = self.thread();
        let is_gone = |run: *mut Run, thread| {
            let below = frame.wrapping_sub(run.addr());
            let is_below = below != 0 && below < usize::MAX / 2;
            is_below && thread == here && (self.thread.is_some() || below < NEAR)
        };
        // SAFETY: by the caller's word those frames are gone.
        unsafe { self.remove_those(is_gone) };
    }

    /// # Safety
    ///
    /// All runs in the list are there, or have been left by `longjmp` and not yet written over.
    unsafe fn remove_those(&self, is_gone: impl Fn(*mut Run, usize) -> bool) {
        let mut first = self.first.lock();
        let mut place = &raw mut first.0;
        // SAFETY: by the caller's word; the lock is held.
        unsafe {
            while !(*place).is_null() {
                let run = *place;
                if is_gone(run, (*run).thread) {
                    *place = (*run).next;
                } else {
                    place = &raw mut (*run).next;
                }
            }
        }
    }

    /// Returns the innermost run of the stack that `here` is on: the nearest one above that is in a
    /// native call. Null if there is none.
    fn innermost(&self, here: usize) -> *mut Run {
        let thread = self.thread();
        let first = self.first.lock();
        let (mut call, mut interpreter) = (Nearest::NONE, Nearest::NONE);
        let mut run = first.0;
        while !run.is_null() {
            // SAFETY: all runs in the list are there; their threads change their frames only, which
            // are atomic words.
            let (state, of, frame, next) = unsafe {
                let frame = (*run).frame.load(Ordering::Relaxed);
                ((*run).state, (*run).thread, frame, (*run).next)
            };
            let nearest = if state.is_null() {
                &mut call
            } else {
                &mut interpreter
            };
            if of == thread && frame > here && frame < nearest.frame {
                *nearest = Nearest { frame, run };
            }
            run = next;
        }
        // Only a call shows how far the stack goes.
        let is_known = self.thread.is_some() || !call.run.is_null();
        let end = if is_known {
            call.frame
        } else {
            here.saturating_add(NEAR)
        };
        if interpreter.frame < end {
            interpreter.run
        } else {
            call.run
        }
    }

    /// Returns the run of the interpreter that what happens at stack address `here` comes from;
    /// null if a call of compiled code is nearer, or there is none.
    pub(crate) fn interpreter(&self, here: usize) -> *mut Run {
        let run = self.innermost(here);
        // SAFETY: the run is under way above this place of the stack.
        if run.is_null() || unsafe { (*run).state.is_null() } {
            return core::ptr::null_mut();
        }
        run
    }

    /// Returns the word from which compiled code takes fuel that called what happens at stack
    /// address `here`; null if it takes none.
    pub(crate) fn fuel(&self, here: usize) -> *const AtomicU64 {
        let run = self.innermost(here);
        if run.is_null() {
            return core::ptr::null();
        }
        // SAFETY: the run is under way above this place of the stack; its word was set before.
        unsafe { (*run).fuel }
    }

    /// Ends the innermost run of this stack; comes back only if there is none.
    ///
    /// # Safety
    ///
    /// Called by what that run called, with nothing in between that needs to be dropped.
    pub(crate) unsafe fn end(&self, native: &dyn Native, stopped: Stopped) {
        let here = 0_u8;
        let run = self.innermost((&raw const here).addr());
        if run.is_null() {
            return;
        }
        // SAFETY: the run is under way above this place of the stack, waits for the native call to
        // return, and nothing in between needs to be dropped.
        unsafe {
            (*run).stopped = Some(stopped);
            let jump = second_return as *const () as usize;
            native.set_jump((*run).guard, jump, [0, 0], ENDED);
        }
    }
}

/// The run of the lowest frame that was found.
struct Nearest {
    frame: usize,
    run: *mut Run,
}

impl Nearest {
    const NONE: Nearest = Nearest {
        frame: usize::MAX,
        run: core::ptr::null_mut(),
    };
}
