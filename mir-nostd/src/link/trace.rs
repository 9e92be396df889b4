//! The calls inside each other when a confined program faulted, and what is known of compiled code
//! so that they can be found there.
//!
//! Nothing is noted while code runs. Compiled frames of confined functions have a fixed size, so
//! from the stack pointer at a fault the return addresses of all calls under way are found, and a
//! table made with the code tells which call each belongs to.

use crate::machine::{CallSite, InlinedCall};
use crate::mem::{Allocator, OutOfMemory, Vec};
use crate::target::FrameRecord;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

/// The most calls that a trace holds.
pub const MOST_FRAMES: usize = 16;

/// The innermost calls of a run that faulted, from the innermost outward.
#[derive(Debug)]
pub(crate) struct Trace {
    frames: [Frame; MOST_FRAMES],
    len: AtomicUsize,
    is_cut: AtomicBool,
}

/// A call: the address of the function's callable, and 1 more than the number of the instruction
/// in it, 0 if that is not known.
#[derive(Debug)]
struct Frame {
    callable: AtomicUsize,
    instruction: AtomicU32,
}

impl Frame {
    const fn new() -> Frame {
        Frame {
            callable: AtomicUsize::new(0),
            instruction: AtomicU32::new(0),
        }
    }
}

impl Trace {
    pub(crate) const fn new() -> Trace {
        Trace {
            frames: [const { Frame::new() }; MOST_FRAMES],
            len: AtomicUsize::new(0),
            is_cut: AtomicBool::new(false),
        }
    }

    /// Removes all frames.
    pub(crate) fn clear(&self) {
        self.len.store(0, Ordering::Relaxed);
        self.is_cut.store(false, Ordering::Relaxed);
    }

    /// Notes that the frames from here on are not known.
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::Relaxed);
    }

    /// True if frames were left out.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed)
    }

    /// Adds a frame outside of those that are there: the address of a callable, and the number of
    /// the instruction.
    pub(crate) fn push(&self, callable: usize, instruction: Option<u32>) {
        if self.is_cut() {
            return;
        }
        let len = self.len.load(Ordering::Relaxed);
        let Some(frame) = self.frames.get(len) else {
            return self.cut();
        };
        let instruction = instruction.map_or(0, |number| number.wrapping_add(1));
        frame.callable.store(callable, Ordering::Relaxed);
        frame.instruction.store(instruction, Ordering::Relaxed);
        self.len.store(len + 1, Ordering::Relaxed);
    }

    /// Returns the frames: the addresses of callables, and the numbers of instructions.
    pub(crate) fn frames(&self) -> impl Iterator<Item = (usize, Option<u32>)> {
        let len = self.len.load(Ordering::Relaxed);
        { self.frames.iter().take(len) }.map(|frame| {
            let instruction = frame.instruction.load(Ordering::Relaxed);
            let callable = frame.callable.load(Ordering::Relaxed);
            (callable, instruction.checked_sub(1))
        })
    }
}

/// A compiled function of a confined program.
pub(crate) struct TracedFunction<'m> {
    /// The compiler that made it, by a number of its own.
    pub(crate) compiler: usize,
    /// The address of its callable.
    pub(crate) callable: usize,
    /// The way from its frame to its caller's.
    pub(crate) record: Option<FrameRecord>,
    pub(crate) inlined: Vec<'m, InlinedCall>,
}

/// Code of such a function, at the addresses from `start` to `end`.
pub(crate) struct TracedPiece<'m> {
    pub(crate) compiler: usize,
    pub(crate) callable: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The calls, with the offsets of what follows them, in order.
    pub(crate) sites: Vec<'m, (u32, CallSite)>,
}

/// The compiled code of the confined programs of a context.
pub(crate) struct TracedCode<'m> {
    functions: Vec<'m, TracedFunction<'m>>,
    pieces: Vec<'m, TracedPiece<'m>>,
}

impl<'m> TracedCode<'m> {
    pub(crate) const fn new(allocator: &'m dyn Allocator) -> TracedCode<'m> {
        TracedCode {
            functions: Vec::new(allocator),
            pieces: Vec::new(allocator),
        }
    }

    pub(crate) fn add_function(&mut self, function: TracedFunction<'m>) -> Result<(), OutOfMemory> {
        self.functions.push(function)
    }

    pub(crate) fn add_piece(&mut self, piece: TracedPiece<'m>) -> Result<(), OutOfMemory> {
        self.pieces.push(piece)
    }

    /// Removes what a compiler added.
    pub(crate) fn forget(&mut self, compiler: usize) {
        keep(&mut self.functions, |function| {
            function.compiler != compiler
        });
        keep(&mut self.pieces, |piece| piece.compiler != compiler);
    }

    /// Returns the function with a callable at this address.
    pub(crate) fn function(&self, callable: usize) -> Option<&TracedFunction<'m>> {
        { self.functions.iter().rev() }.find(|function| function.callable == callable)
    }

    /// Returns the call that returns to an address: the callable of the function that it is in,
    /// and its place there.
    pub(crate) fn call_before(&self, address: usize) -> Option<(usize, CallSite)> {
        let is_it = |piece: &&TracedPiece<'_>| piece.start < address && address <= piece.end;
        // The last that was added is there now.
        let piece = self.pieces.iter().rev().find(is_it)?;
        let offset = address - piece.start;
        let number = piece
            .sites
            .partition_point(|&(end, _)| (end as usize) < offset);
        let &(_, site) = piece.sites.get(number)?;
        Some((piece.callable, site))
    }
}

/// Removes all elements but those that are wanted, in any order.
fn keep<T>(list: &mut Vec<'_, T>, is_wanted: impl Fn(&T) -> bool) {
    let mut number = 0;
    while let Some(element) = list.get(number) {
        if is_wanted(element) {
            number += 1;
        } else {
            let last = list.len() - 1;
            list.swap(number, last);
            list.pop();
        }
    }
}
