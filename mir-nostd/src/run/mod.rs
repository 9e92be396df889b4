//! Compiled code at work: linked functions are compiled, put into executable pages and called.
//!
//! A [`Jit`] compiles functions of one context: a module at once, single functions, or functions
//! and blocks when control first comes to them. What it compiled is reached through the functions'
//! thunks, whose entries it redirects; what it cannot compile stays with the context's engine, and
//! both call each other as C would. A fault in compiled code ends the outermost call made by
//! [`Jit::call`] on the same stack.
#![expect(unsafe_code, reason = "machine code is written and called")]

mod batch;
mod blocks;
mod call;
mod fault;
mod helpers;
mod jit;
mod job;
mod memory;
mod misfits;
mod options;
mod places;
mod properties;
mod references;
mod shared;
mod trace;
mod typed;
mod unit;
mod work_list;

pub use crate::codegen::Granularity;
pub use call::CallError;
pub use fault::Fault;
pub use helpers::Runtime;
pub use jit::Jit;
pub use options::{Compiled, Options, Refuel, Stages, Threads, Watch};
pub use typed::TypedFunc;
