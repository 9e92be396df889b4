//! The tests that the kernel runs.

mod code;
mod ebpf;
mod files;
mod hostile;
mod machine;
mod memory;
mod parallel;
mod programs;
mod second;

pub use code::code;
pub use ebpf::ebpf;
pub use hostile::hostile;
pub use machine::machine;
pub use memory::memory;
pub use parallel::parallel;
pub use programs::{first, programs};
pub use second::second;
