//! What the kernel proves.

mod machine;
mod memory;
mod programs;
mod second;

pub use machine::machine;
pub use memory::memory;
pub use programs::{first, programs};
pub use second::second;
