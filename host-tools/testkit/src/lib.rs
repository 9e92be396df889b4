//! The parts that tests share: failing allocators, the file-test runner, generators and oracles.

pub mod command;
pub mod confined;
pub mod container;
pub mod engines;
pub mod harmless;
pub mod hostile;
pub mod images;
pub mod llvm;
mod memory;
pub mod programs;
pub mod random;
pub mod readers;
pub mod routines;
mod rows;
pub mod seeds;
pub mod wild;

pub use memory::{FailingAllocator, Failure, sweep};
pub use mir_host::SystemAllocator;
pub use rows::{Rows, hex};

/// Returns the backend of this machine, for the processor that `MIR_CPU` names if it is one of this
/// machine's.
#[must_use]
pub fn host_backend() -> &'static dyn mir_nostd::codegen::Backend {
    let named = std::env::var("MIR_CPU").ok();
    let backend = named.and_then(|name| target_all::backend(&name));
    let is_host = |backend: &&dyn mir_nostd::codegen::Backend| {
        core::ptr::eq(backend.target(), target_all::HOST.target())
    };
    backend.filter(is_host).unwrap_or(target_all::HOST)
}

/// The program in the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

/// So does the stage in docs/how-to/stage.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/how-to/stage.md")]
mod stage {}
