//! Compiled code at work: linked functions are compiled, put into executable pages and called.
//!
//! A [`Jit`] compiles functions of one context. What it compiled is reached through the functions' thunks, whose entries
//! it redirects; what it cannot compile stays with the context's engine, and both call each other as C would. A fault in
//! compiled code ends the outermost call made by [`Jit::call`] on the same stack.
#![expect(unsafe_code, reason = "machine code is written and called")]

mod helpers;
mod jit;
mod memory;

pub use helpers::{Fault, Runtime};
pub use jit::{CallError, Compiled, Jit, Options};
