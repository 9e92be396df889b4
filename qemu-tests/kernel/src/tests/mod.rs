//! What the kernel proves.

mod machine;

pub use machine::machine;
