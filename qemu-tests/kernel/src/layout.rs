//! Where everything lies: the kernel's parts, stacks with guard pages, memory for page tables and the heap.

use core::cell::UnsafeCell;
use core::ops::Range;

/// Bytes of a page, on every ISA.
pub const PAGE: usize = 4096;

/// A stack above a page that is not mapped.
#[repr(C, align(4096))]
pub struct Stack<const BYTES: usize> {
    guard: [u8; PAGE],
    bytes: [u8; BYTES],
}

impl<const BYTES: usize> Stack<BYTES> {
    const fn new() -> Self {
        Stack {
            guard: [0; PAGE],
            bytes: [0; BYTES],
        }
    }

    /// Offset of the top.
    pub const TOP: usize = PAGE + BYTES;
}

/// Static memory that somebody uses by its address.
#[repr(transparent)]
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: only the address is given away; whoever uses it answers for the access.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub const fn new(value: T) -> Shared<T> {
        Shared(UnsafeCell::new(value))
    }

    pub const fn get(&self) -> *mut T {
        self.0.get()
    }
}

/// What one CPU runs on.
#[repr(C)]
pub struct Stacks {
    /// For everything but handlers.
    pub main: Stack<MAIN>,
    /// For faults, so that an overflow of the other stacks can be told.
    pub faults: Stack<HANDLER>,
    /// For interrupts, where the ISA tells them from faults before it chooses a stack.
    pub interrupts: Stack<HANDLER>,
}

/// As much as a hosted program has: compiled programs that call themselves deeply run on it.
const MAIN: usize = 8 << 20;
const HANDLER: usize = 32 * 1024;

impl Stacks {
    const fn new() -> Stacks {
        Stacks {
            main: Stack::new(),
            faults: Stack::new(),
            interrupts: Stack::new(),
        }
    }

    /// Offset of the top of the main stack.
    pub const MAIN_TOP: usize = core::mem::offset_of!(Stacks, main) + Stack::<MAIN>::TOP;
    /// Offset of the top of the stack for faults.
    pub const FAULTS_TOP: usize = core::mem::offset_of!(Stacks, faults) + Stack::<HANDLER>::TOP;
    /// Offset of the top of the stack for interrupts.
    #[allow(dead_code, reason = "some ISAs have one stack for all handlers")]
    pub const INTERRUPTS_TOP: usize =
        core::mem::offset_of!(Stacks, interrupts) + Stack::<HANDLER>::TOP;

    /// Offsets of the guard pages.
    pub const GUARDS: [usize; 3] = [
        core::mem::offset_of!(Stacks, main),
        core::mem::offset_of!(Stacks, faults),
        core::mem::offset_of!(Stacks, interrupts),
    ];
}

/// The stacks of the two CPUs.
pub static STACKS: [Shared<Stacks>; 2] = [const { Shared::new(Stacks::new()) }; 2];

/// Distance from where code is written to where it runs.
pub const RUN_ALIAS: usize = 1 << 36;

/// Bytes of the heap.
pub const HEAP_BYTES: usize = 24 << 20;

#[repr(C, align(4096))]
pub struct Region<const BYTES: usize>(pub [u8; BYTES]);

/// The heap's memory.
pub static HEAP: Shared<Region<HEAP_BYTES>> = Shared::new(Region([0; HEAP_BYTES]));

unsafe extern "C" {
    static text_start: u8;
    static rodata_start: u8;
    static data_start: u8;
    static bss_start: u8;
    static image_end: u8;
}

fn address(symbol: *const u8) -> usize {
    symbol.addr()
}

/// Returns the kernel's code.
pub fn text() -> Range<usize> {
    address(&raw const text_start)..address(&raw const rodata_start)
}

/// Returns the kernel's constants.
pub fn constants() -> Range<usize> {
    address(&raw const rodata_start)..address(&raw const data_start)
}

/// Returns the kernel's variables that the image holds.
pub fn initialised() -> Range<usize> {
    address(&raw const data_start)..address(&raw const bss_start)
}

/// Returns all the kernel's variables.
pub fn data() -> Range<usize> {
    address(&raw const data_start)..address(&raw const image_end)
}

/// Returns whether a page is a guard below a stack.
pub fn is_guard(page: usize) -> bool {
    STACKS.iter().any(|stacks| {
        let start = stacks.get().addr();
        Stacks::GUARDS.iter().any(|guard| start + guard == page)
    })
}
