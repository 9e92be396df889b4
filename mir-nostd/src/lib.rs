//! MIR (Medium IR) where there is no operating system.
//!
//! The crate is given memory and a byte slice; it loads, checks, links and interprets programs
//! without the standard library, without the `alloc` crate, without a global allocator and without
//! panicking.
#![no_std]
#![deny(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod binary;
pub mod codegen;
pub mod confined;
pub mod describe;
pub mod interp;
pub mod ir;
pub mod link;
pub mod machine;
pub mod mem;
pub mod num;
pub mod run;
pub mod target;
#[cfg(feature = "text")]
pub mod text;
pub mod verify;
