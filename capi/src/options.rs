//! The settings that a context is opened with, and the limits of calls.

use crate::allocator::LentAllocator;
use crate::pages::LentPages;

/// The lenders that a context or a confined program lives on. It is copied; the functions in it are
/// used until the context or the program is closed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Settings {
    /// All memory comes from here, and is given back when the context or program is closed.
    pub allocator: LentAllocator,
    /// Pages for compiled code, and for the addresses by which C calls functions. All zeros if
    /// there are none: then everything is interpreted, and functions take their addresses from a
    /// small pool.
    pub pages: LentPages,
    /// True if running takes fuel, which then limits each call. Confined programs always take it.
    pub is_metered: bool,
}

/// The limits of calls.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Limits {
    /// The fuel of each call, where running takes fuel. An instruction takes about 1, the same in
    /// every engine.
    pub fuel: u64,
    /// The most bytes of the interpreter's stack, which is lent memory.
    pub stack: usize,
    /// The most interpreted calls inside each other.
    pub depth: usize,
    /// The bytes of native stack that compiled code may take below a call; a function that would go
    /// beyond ends the call. Lend 64 KiB more, and what C functions need that the code calls. 0 for
    /// no limit.
    pub native_stack: usize,
}

impl Limits {
    /// The limits of a new context.
    pub(crate) const FIRST: Limits = Limits {
        fuel: u64::MAX,
        stack: 1 << 20,
        depth: 10_000,
        native_stack: 0,
    };
}
