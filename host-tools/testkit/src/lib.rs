//! What the tests share: failing allocators, the file-test runner, generators and oracles.

pub mod fuzz;
mod memory;

pub use memory::{FailingAllocator, Failure, SystemAllocator, sweep};
