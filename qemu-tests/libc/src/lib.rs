//! The C functions that programs in the kernels import, over memory and output that the kernel lends.
//!
//! Functions with a fixed number of arguments are C functions as the ISA's C compiler would make them. `printf` is one
//! too, but as Rust cannot define a function with variable arguments, it is caught by a static gate and reads its
//! arguments through the target's `va_list`.
#![no_std]

#[cfg(test)]
extern crate std;

mod allocate;
mod memory;
mod print;
mod stdio;
mod string;
#[cfg(test)]
mod tests;

pub use memory::{bcmp, memcmp, memcpy, memmove, memset};
pub use print::{Arguments, print};
pub use stdio::Printf;

use mir_nostd::mem::Allocator;
use spin::Once;

/// What the kernel lends.
pub trait Lender: Sync {
    /// Where `malloc` takes memory from.
    fn allocator(&self) -> &dyn Allocator;

    /// Takes what programs print.
    fn output(&self, bytes: &[u8]);
}

static LENDER: Once<&'static dyn Lender> = Once::new();

/// Says where memory comes from and output goes; the first call counts. Until then there is neither.
pub fn lend(lender: &'static dyn Lender) {
    LENDER.call_once(|| lender);
}

/// Returns the names of all functions but `printf`, with their addresses.
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
