//! Page tables. Every used page is mapped at its own address, writable or executable but never
//! both; pages for code made at run time are mapped a second time as executable.
//!
//! The tables are built here for all ISAs; each describes the shape of its tree and entries as a
//! [`Format`].

use crate::arch;
use crate::layout::{self, PAGE, RUN_ALIAS, Region, Shared};
use crate::pages;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

/// The permitted accesses to a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Execute and read.
    Code,
    /// Read.
    Constants,
    /// Read and write.
    Data,
    /// Read and write, uncached: device registers.
    #[allow(dead_code, reason = "some machines have no devices in memory")]
    Device,
}

/// One level of the page-table tree.
pub struct Level {
    /// The lowest bit of the address that selects an entry.
    pub shift: u32,
    /// The number of bits that select an entry.
    pub bits: u32,
    /// The value of an entry that maps nothing.
    pub empty: u64,
}

/// The shape of an ISA's page tables.
pub struct Format {
    /// The levels from the root down to pages.
    pub levels: &'static [Level],
    /// Returns the entry of this level for the table at this address.
    pub table: fn(&Level, usize) -> u64,
    /// Returns the address of the table that an entry refers to.
    pub target: fn(u64) -> usize,
    /// Returns the entry that maps the page at this address.
    pub leaf: fn(usize, Access) -> u64,
    /// True if entries are big-endian on a little-endian machine.
    pub swapped: bool,
}

/// The size of the memory for tables.
const POOL_BYTES: usize = 1 << 20;

#[repr(C, align(65536))]
struct Pool(Region<POOL_BYTES>);

static POOL: Shared<Pool> = Shared::new(Pool(Region([0; POOL_BYTES])));
static POOL_USED: AtomicUsize = AtomicUsize::new(0);
static ROOT: AtomicUsize = AtomicUsize::new(0);

/// Maps the kernel, its devices and the programs, and turns the tables on for this CPU.
pub fn install() {
    let root = new_table(&arch::PAGES.levels[0]);
    ROOT.store(root, Ordering::Relaxed);
    map(layout::text(), Access::Code);
    map(layout::constants(), Access::Constants);
    map(layout::data(), Access::Data);
    map(
        arch::PROGRAMS..arch::PROGRAMS + arch::PROGRAM_BYTES,
        Access::Constants,
    );
    for (range, access) in arch::EXTRA {
        map(range.clone(), *access);
    }
    for page in pages::written().step_by(PAGE) {
        map_page(page + RUN_ALIAS, page, Access::Code);
    }
    arch::use_tables(root);
}

/// Returns the root table for a further CPU.
#[cfg(not(any(target_arch = "x86_64", target_arch = "powerpc64")))]
pub fn root() -> usize {
    ROOT.load(Ordering::Relaxed)
}

fn map(range: Range<usize>, access: Access) {
    let start = range.start / PAGE * PAGE;
    for page in (start..range.end).step_by(PAGE) {
        if !layout::is_guard(page) {
            map_page(page, page, access);
        }
    }
}

/// Maps the physical page `frame` at the address `page`.
fn map_page(page: usize, frame: usize, access: Access) {
    let format = &arch::PAGES;
    let mut table = ROOT.load(Ordering::Relaxed);
    let (last, upper) = format
        .levels
        .split_last()
        .expect("a tree has at least one level");
    for (level, next) in upper.iter().zip(&format.levels[1..]) {
        let entry = entry(table, level, page);
        if load(entry) == level.empty {
            store(entry, (format.table)(level, new_table(next)));
        }
        table = (format.target)(load(entry));
    }
    store(entry(table, last, page), (format.leaf)(frame, access));
}

fn entry(table: usize, level: &Level, page: usize) -> *mut u64 {
    let index = page >> level.shift & ((1 << level.bits) - 1);
    (table as *mut u64).wrapping_add(index)
}

fn load(entry: *mut u64) -> u64 {
    // SAFETY: an entry of a table of the pool, before anybody else uses it.
    let value = unsafe { entry.read() };
    if arch::PAGES.swapped {
        value.swap_bytes()
    } else {
        value
    }
}

fn store(entry: *mut u64, value: u64) {
    let value = if arch::PAGES.swapped {
        value.swap_bytes()
    } else {
        value
    };
    // SAFETY: as in `load`.
    unsafe { entry.write(value) };
}

/// Returns an empty table, aligned to its size.
fn new_table(level: &Level) -> usize {
    let bytes = 8 << level.bits;
    let offset = POOL_USED.load(Ordering::Relaxed).next_multiple_of(bytes);
    assert!(offset + bytes <= POOL_BYTES, "no memory for page tables");
    POOL_USED.store(offset + bytes, Ordering::Relaxed);
    let table = POOL.get().expose_provenance() + offset;
    for index in 0..1 << level.bits {
        store((table as *mut u64).wrapping_add(index), level.empty);
    }
    table
}
