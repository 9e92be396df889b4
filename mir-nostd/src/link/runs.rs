//! The calls of compiled code from Rust that are under way: what a fault in such code ends.
//!
//! Nothing unwinds the stack of compiled code: a fault goes straight back to the innermost call that is prepared for it,
//! as `longjmp` would. That call is found by address, as stacks grow down. Where several threads run, their stacks must
//! not be taken for each other: the embedder says which thread is running, if it can.
#![expect(unsafe_code, reason = "runs are found by their addresses on stacks")]

use super::HostError;
use crate::interp::Reason;
use crate::target::{Body, Guard, Native};
use spin::Mutex;

/// How the embedder tells threads apart: a number that no two threads have at a time.
pub type ThreadId = fn() -> usize;

/// The calls under way, by their guards.
pub(crate) struct Runs {
    first: Mutex<First>,
    thread: Option<ThreadId>,
}

struct First(*mut Run);

// SAFETY: the runs in the list are followed under the lock only, and each leaves the list before it ends.
unsafe impl Send for First {}

/// A call of compiled code from Rust.
struct Run {
    guard: Guard,
    thread: usize,
    next: *mut Run,
}

/// Why and where code stopped: what a fault leaves behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped {
    pub(crate) reason: Reason,
    /// The address of the function's callable, 0 if not known.
    pub(crate) callable: usize,
    /// The number of the instruction in its function, if known.
    pub(crate) instruction: Option<u32>,
}

impl Stopped {
    fn pack(self) -> [usize; 3] {
        let instruction = self.instruction.map_or(0, |number| number as usize + 1);
        let (kind, code) = self.reason.number();
        [
            self.callable,
            kind as usize | (code as usize) << 32,
            instruction,
        ]
    }

    fn unpack([callable, kind, instruction]: [usize; 3]) -> Stopped {
        Stopped {
            reason: Reason::of_number(kind as u32, HostError((kind >> 32) as u32)),
            callable,
            instruction: instruction.checked_sub(1).map(|number| number as u32),
        }
    }
}

/// Without a way to tell threads apart, what is farther away than this may be of another thread's stack.
const NEAR: usize = 256 << 10;

/// A function that returns like `setjmp` after `longjmp`: what leads a run to its guard.
pub(crate) extern "C" fn second_return(_: usize, _: usize) -> i32 {
    1
}

impl Runs {
    pub(super) const fn new(thread: Option<ThreadId>) -> Runs {
        Runs {
            first: Mutex::new(First(core::ptr::null_mut())),
            thread,
        }
    }

    /// Returns whether no call is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.first.lock().0.is_null()
    }

    fn thread(&self) -> usize {
        self.thread.map_or(0, |thread| thread())
    }

    /// Calls `body(argument)`, which calls compiled code; gives why that stopped, if it did not return.
    ///
    /// # Safety
    ///
    /// `body` may be called so, on the machine of `native`. If it stops, nothing that it has on the stack is dropped.
    pub(crate) unsafe fn call(
        &self,
        native: &dyn Native,
        body: Body,
        argument: *mut (),
    ) -> Option<Stopped> {
        let mut run = Run {
            guard: Guard::new(),
            thread: self.thread(),
            next: core::ptr::null_mut(),
        };
        let run = &raw mut run;
        // SAFETY: the run stays here until it is removed; the caller vouches for `body`.
        unsafe {
            self.add(run);
            let stopped = native.guarded(&raw mut (*run).guard, body, argument);
            self.remove(run);
            stopped.then(|| Stopped::unpack((*run).guard.words))
        }
    }

    /// # Safety
    ///
    /// The run stays where it is until it is removed.
    unsafe fn add(&self, run: *mut Run) {
        let mut first = self.first.lock();
        // SAFETY: the run is the caller's until it is in the list.
        unsafe { (*run).next = first.0 };
        first.0 = run;
    }

    /// # Safety
    ///
    /// The run was added.
    unsafe fn remove(&self, run: *mut Run) {
        // SAFETY: by the caller's word.
        unsafe { self.remove_those(|other, _| other == run) };
    }

    /// Removes the runs that a `longjmp` to the frame at `frame` has left.
    ///
    /// # Safety
    ///
    /// `frame` is an address in the innermost frame of this thread's stack that is still in use.
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

    /// The innermost run of the stack that `here` is on: the nearest one above.
    fn innermost(&self, here: usize) -> *mut Run {
        let first = self.first.lock();
        let thread = self.thread();
        let mut nearest: *mut Run = core::ptr::null_mut();
        let mut run = first.0;
        while !run.is_null() {
            // SAFETY: all runs in the list are there.
            let (of, next) = unsafe { ((*run).thread, (*run).next) };
            let is_nearer = nearest.is_null() || run.addr() < nearest.addr();
            if of == thread && run.addr() > here && is_nearer {
                nearest = run;
            }
            run = next;
        }
        nearest
    }

    /// The address of the innermost run of the stack that `here` is on.
    pub(crate) fn nearest(&self, here: usize) -> Option<usize> {
        let run = self.innermost(here);
        (!run.is_null()).then(|| run.addr())
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
        // SAFETY: the run is under way above this place of the stack, and nothing in between needs to be dropped.
        unsafe {
            let guard = &raw mut (*run).guard;
            let jump = second_return as *const () as usize;
            native.set_jump(guard, jump, [0, 0], stopped.pack());
        }
    }
}
