//! The memory layout: the kernel's sections, stacks with guard pages, memory for page tables and
//! the heap.

use core::cell::UnsafeCell;
use core::ops::Range;

/// The page size in bytes, on every ISA.
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

    /// The offset of the top.
    pub const TOP: usize = PAGE + BYTES;
}

/// Static memory that is used through its address.
#[repr(transparent)]
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: only the address is given out; its users answer for the accesses.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub const fn new(value: T) -> Shared<T> {
        Shared(UnsafeCell::new(value))
    }

    pub const fn get(&self) -> *mut T {
        self.0.get()
    }
}

/// The stacks of one CPU.
#[repr(C)]
pub struct Stacks {
    /// The stack of everything but handlers.
    pub main: Stack<MAIN>,
    /// The stack for faults, so that overflows of the other stacks are reported.
    pub faults: Stack<HANDLER>,
    /// The stack for interrupts, where the ISA distinguishes them from faults before it chooses a
    /// stack.
    pub interrupts: Stack<HANDLER>,
}

/// The size of a hosted program's stack, as deeply recursive compiled programs run on it.
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

    /// The offset of the top of the main stack.
    pub const MAIN_TOP: usize = core::mem::offset_of!(Stacks, main) + Stack::<MAIN>::TOP;
    /// The offset of the top of the stack for faults.
    pub const FAULTS_TOP: usize = core::mem::offset_of!(Stacks, faults) + Stack::<HANDLER>::TOP;
    /// The offset of the top of the stack for interrupts.
    #[allow(dead_code, reason = "some ISAs have one stack for all handlers")]
    pub const INTERRUPTS_TOP: usize =
        core::mem::offset_of!(Stacks, interrupts) + Stack::<HANDLER>::TOP;

    /// The offsets of the guard pages.
    pub const GUARDS: [usize; 3] = [
        core::mem::offset_of!(Stacks, main),
        core::mem::offset_of!(Stacks, faults),
        core::mem::offset_of!(Stacks, interrupts),
    ];
}

/// The stacks of the two CPUs.
pub static STACKS: [Shared<Stacks>; 2] = [const { Shared::new(Stacks::new()) }; 2];

/// Returns the lowest address that compiled code may reach on the first CPU's main stack. Below it
/// there is room for a frame that is checked late, and for what the code calls.
pub fn lowest_of_stack() -> usize {
    STACKS[0].get().addr() + Stacks::MAIN_TOP - MAIN + (256 << 10)
}

/// The distance from the writable address of code to its executable one.
pub const RUN_ALIAS: usize = 1 << 36;

/// The size of the heap in bytes.
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

/// Returns the range of the kernel's code.
pub fn text() -> Range<usize> {
    address(&raw const text_start)..address(&raw const rodata_start)
}

/// Returns the range of the kernel's constants.
pub fn constants() -> Range<usize> {
    address(&raw const rodata_start)..address(&raw const data_start)
}

/// Returns the range of the kernel's initialised variables.
pub fn initialised() -> Range<usize> {
    address(&raw const data_start)..address(&raw const bss_start)
}

/// Returns the range of all the kernel's variables.
pub fn data() -> Range<usize> {
    address(&raw const data_start)..address(&raw const image_end)
}

/// Returns whether a page is a guard page of a stack.
pub fn is_guard(page: usize) -> bool {
    STACKS.iter().any(|stacks| {
        let start = stacks.get().addr();
        Stacks::GUARDS.iter().any(|guard| start + guard == page)
    })
}
