//! Medium IR: types, the one instruction table, operands, functions, modules and their builder.

mod types;

pub use types::{Class, Type};
