//! Tests of compiled code from outside: threads, lazily compiled functions and blocks, freed code,
//! mixed engines, faults, limits, memory that runs out.
//!
//! The results of each instruction are in the file tests; these tests cover what only a caller in
//! Rust can observe.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]
#![expect(unsafe_code, reason = "machine code is called")]

mod confined;
mod dropped;
mod faults;
mod laziness;
mod limits;
mod memory;
mod pages;
mod prelude;
mod threads;
