//! Medium IR: types, the one instruction table, operands, functions, modules and their builder.
//!
//! A [`Module`] holds everything of one module in a few pools and hands out numbers ([`ItemId`],
//! [`FuncId`], [`InsnId`], [`Reg`], [`Label`], [`Name`]). A number is only meaningful in the module
//! that made it; methods that take a number of another module may panic, as indexing does. A
//! mistake in a program that was read from outside is an [`Error`] here or a violation reported by
//! `verify`, never a panic.

mod alignment;
mod builder;
mod code;
mod confinement;
pub(crate) mod costs;
mod entities;
mod error;
mod fault;
mod function;
mod function_list;
mod insns;
mod item;
mod module;
mod operand;
mod order;
mod strings;
mod types;

pub use alignment::Alignments;
pub use builder::FuncBuilder;
pub(crate) use code::{Binary, LOWEST_ADDRESS};
pub use code::{Code, Flags, Mode, RETURN_ADDRESS, SET_JUMPS, TAIL_CALL};
pub use confinement::{Confinement, Symbols};
pub use entities::{FuncId, InsnId, ItemId, Label, Name, Reg, Str};
pub use error::{Error, ErrorKind, Place, Problem, Result};
pub use fault::FaultKind;
pub use function::{Function, Register};
pub(crate) use function_list::by_priority;
pub use function_list::{FunctionList, Phase};
pub use insns::{Insns, Position};
pub use item::{Arg, Binding, Data, Item, ItemKind, Signature};
pub use module::{ArgSpec, Module, SignatureSpec};
pub use operand::{Mem, Operand, Operands};
pub use order::Order;
pub use types::{Class, Type};
