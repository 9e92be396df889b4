//! MIR (Medium IR) where there is no operating system: a small, typed, portable intermediate
//! language with loader, verifier, linker, interpreter and an optimising compiler for `x86_64`,
//! aarch64, ppc64le, riscv64 and s390x.
//!
//! The crate is given memory and a byte slice; it runs programs without the standard library,
//! without the `alloc` crate, without a global allocator and without panicking. Text and binary are
//! those of the C implementation of MIR.
//!
//! # A program
//!
//! An embedder takes this crate, and the crate of its machine: `target-x86_64`, `target-aarch64`,
//! `target-ppc64le`, `target-riscv64` or `target-s390x`. A program is read, verified, loaded,
//! linked and called:
//!
//! ```
//! # #[cfg(feature = "text")] {
//! use mir_nostd::interp::{Engine, Interpreter, Options};
//! use mir_nostd::link::{Context, ContextOptions};
//! use mir_nostd::mem::Allocator;
//! use mir_nostd::text;
//! use mir_nostd::verify::Verified;
//! use target_x86_64::TARGET;
//!
//! const PROGRAM: &[u8] = b"
//! m:    module
//!       import report
//!       export sum
//! told: proto i64:number
//! sum:  func i64, i64:count
//!       local i64:total
//!       mov total, 0
//! next: add total, total, count
//!       sub count, count, 1
//!       bgt next, count, 0
//!       call told, report, total
//!       ret total
//!       endfunc
//!       endmodule
//! ";
//!
//! /// Adds the numbers up to ten, in memory that the caller lends.
//! fn run(memory: &'static dyn Allocator) -> Result<i64, Box<dyn core::error::Error>> {
//!     let report = |total: i64| println!("the sum is {total}");
//!     let engine = Engine::new();
//!     let context = Context::new(ContextOptions::new(memory, &TARGET, &engine));
//!     context.define("report", &report)?;
//!     let mut modules = text::parse(PROGRAM, memory, TARGET.long_double, &mut |_| {})?;
//!     while let Some(module) = modules.pop() {
//!         let verified = Verified::new(module, &TARGET, &mut |_| {})?;
//!         // SAFETY: the program is known to touch its own memory only.
//!         unsafe { context.load(verified)? };
//!     }
//!     context.link(&mut |_| None)?;
//!     let mut interpreter = Interpreter::new(&context, Options::default())?;
//!     let sum = interpreter.get::<i64, i64>("sum")?; // compared with the signature once
//!     let total = sum.call(&mut interpreter, 10);
//!     Ok(total.map_err(|stop| stop.to_string())?)
//! }
//! # #[cfg(target_arch = "x86_64")]
//! assert!(run(&testkit::SystemAllocator).is_ok_and(|sum| sum == 55));
//! # }
//! ```
//!
//! [`run::Jit`] compiles what is linked, at level 0 to 3, into pages that the embedder lends
//! ([`target::Pages`]), and calls it by the same [`run::TypedFunc`]. On an operating system the
//! crate `mir-host` lends memory, pages and symbols. Programs that nobody trusts are loaded
//! [`confined`]: a safe function, by which they get memory of their own and nothing else.
//!
//! # Modules
//!
//! | Module | What it has |
//! |---|---|
//! | [`ir`] | modules, items, functions and instructions, and the builder |
//! | [`binary`], `text` | both forms of programs, read and written |
//! | [`verify`] | the rules of the language: what passes can be run |
//! | [`link`] | contexts, imports, what is redefined and freed |
//! | [`interp`] | the interpreter |
//! | [`run`] | compiled code: at once, by function or by block when they are first come to |
//! | [`confined`] | programs that nobody trusts |
//! | [`codegen`], [`machine`] | the compiler, its stages and what it makes |
//! | [`target`] | what a crate of a machine says of it, and what an embedder lends it |
//! | [`mem`] | allocators and containers whose every growth may fail |
//!
//! # Features
//!
//! | Feature | Default | What it adds |
//! |---|---|---|
//! | `text` | yes | the textual form |
//! | `listing` | yes | Machine IR in words |
//! | `check` | yes | the proof of register allocations, on request |
//! | `level-1`, `level-2`, `level-3` | 3 | the levels of the compiler up to that one |
//! | `tail-calls` | yes | calls that give up the frame of their function |
//! | `heap` | | an allocator over one region of memory |
//! | `allocator-api2` | | an adaptor for allocators of that crate |
//! | `native-long-double` | | only the long double format of the machine it is built for |
//! | `match-loop` | | an interpreter that dispatches by a match in a loop everywhere |
//!
//! # Sizes
//!
//! | What | Size |
//! |---|---|
//! | reader of binary, verifier, linker, interpreter, on bare riscv64 | 176 KB of code at most |
//! | the compiler and the backend of `x86_64` on top | 217 KB of code for level 0, 411 for all |
//! | a kernel that compiles and runs a small program (`examples/kernel`) | 32 KB of heap |
//! | a confined program of a hundred instructions | 32 KB of heap at most |
//!
//! Tests hold what is said to be at most so large.
//!
//! The crate is `no_std`, does not link `alloc`, and has no global state: all memory is lent to it.
//!
//! # Further reading
//!
//! In the repository: `docs/embedding.md` (page hooks, threads, interrupts, limits),
//! `docs/reference` (the language), `docs/confined.md`, `docs/soundness.md`, `ARCHITECTURE.md`.
#![no_std]
#![deny(unsafe_code)]

#[cfg(test)]
extern crate std;

// Before all that use its macro.
#[macro_use]
pub mod target;

pub mod binary;
pub mod codegen;
pub mod confined;
pub mod describe;
pub mod interp;
pub mod ir;
pub mod link;
pub mod machine;
pub mod mem;
pub mod num;
pub mod run;
#[cfg(feature = "text")]
pub mod text;
pub mod verify;
