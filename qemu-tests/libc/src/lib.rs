//! The C functions that programs in the kernels import, on memory and output that the kernel lends.
//!
//! Functions with a fixed number of arguments follow the ISA's C calling convention. `printf` does
//! too, but as Rust cannot define a function with variable arguments, a static gate receives its
//! calls and it reads its arguments through the target's `va_list`.
#![no_std]

#[cfg(test)]
extern crate std;

mod allocate;
mod exit;
mod print;
mod stdio;
mod string;
#[cfg(test)]
mod tests;

pub use exit::{call_registered, forget_registered};
pub use kernel_memory::{bcmp, memcmp, memcpy, memmove, memset};
pub use print::{Arguments, print};
pub use stdio::Printf;

use mir_nostd::mem::Allocator;
use spin::Once;

/// A lender of memory and output.
pub trait Lender: Sync {
    /// Returns the allocator that `malloc` uses.
    fn allocator(&self) -> &dyn Allocator;

    /// Accepts the output of programs.
    fn output(&self, bytes: &[u8]);
}

static LENDER: Once<&'static dyn Lender> = Once::new();

/// Sets the source of memory and destination of output. Only the first call counts; before it there
/// is neither.
pub fn lend(lender: &'static dyn Lender) {
    LENDER.call_once(|| lender);
}

/// Returns the names by which programs register functions for their end, with their addresses.
#[must_use]
pub fn at_exit() -> [(&'static [u8], usize); 3] {
    let address = |function: *const ()| function.expose_provenance();
    let handle = (&raw const exit::DSO_HANDLE).expose_provenance();
    [
        (b"atexit", address(exit::atexit as *const ())),
        (b"__cxa_atexit", address(exit::cxa_atexit as *const ())),
        (b"__dso_handle", handle),
    ]
}

/// Returns the names of all functions but `printf` and those of [`at_exit`], with their addresses.
#[must_use]
pub fn functions() -> [(&'static [u8], usize); 15] {
    let address = |function: *const ()| function.expose_provenance();
    [
        (b"malloc", address(allocate::malloc as *const ())),
        (b"calloc", address(allocate::calloc as *const ())),
        (b"realloc", address(allocate::realloc as *const ())),
        (b"free", address(allocate::free as *const ())),
        (b"memcpy", address(memcpy as *const ())),
        (b"memmove", address(memmove as *const ())),
        (b"memset", address(memset as *const ())),
        (b"memcmp", address(memcmp as *const ())),
        (b"strlen", address(string::strlen as *const ())),
        (b"strcmp", address(string::strcmp as *const ())),
        (b"strncmp", address(string::strncmp as *const ())),
        (b"strcpy", address(string::strcpy as *const ())),
        (b"strchr", address(string::strchr as *const ())),
        (b"puts", address(stdio::puts as *const ())),
        (b"abs", address(string::abs as *const ())),
    ]
}
