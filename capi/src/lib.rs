//! mir-nostd for C: `include/mir_nostd.h` is made of the documentation and the signatures here.
//!
//! Nothing panics or aborts. A null pointer where none is allowed is
//! [`status::Status::BadArgument`]. A failed call leaves a context unchanged. All memory comes from
//! the allocator that C lends.
//!
//! | Feature | Default | What it adds |
//! |---|---|---|
//! | `text` | yes | programs as text, and instructions as text |
//! | `compile`, `level-1` to `level-3` | 3 | the compiler: level 0 alone, or up to a level |
//! | `confined` | yes | programs that nobody trusts |
//!
//! `README.md` beside it says how it is installed (`cargo xtask install-capi`), and what the
//! examples show.
#![no_std]

pub mod allocator;
mod closures;
#[cfg(feature = "compile")]
pub mod compile;
pub mod context;
pub mod fault;
pub mod import;
mod message;
pub mod options;
pub mod pages;
mod platform;
#[cfg(feature = "confined")]
pub mod program;
#[cfg(feature = "text")]
pub mod show;
pub mod signature;
mod state;
pub mod status;
pub mod version;
