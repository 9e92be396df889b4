//! What the tests share: failing allocators, the file-test runner, generators and oracles.

pub mod container;
pub mod engines;
pub mod harmless;
pub mod hostile;
mod memory;
pub mod programs;
pub mod readers;
mod rows;
pub mod seeds;

pub use memory::{FailingAllocator, Failure, SystemAllocator, sweep};
pub use rows::{Rows, hex};

/// The program in the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

/// So does the stage in docs/how-to/stage.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/how-to/stage.md")]
mod stage {}
