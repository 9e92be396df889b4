//! The things that an operating system lends to mir-nostd: memory, executable pages, symbols of the
//! process.
//!
//! A program is compiled and called in four steps: read, verify, link, compile.
//!
//! ```
//! use mir_nostd::interp::Engine;
//! use mir_nostd::link::Context;
//! use mir_nostd::run::{Options, TypedFunc};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let source = b"
//!     m: module
//!     import report
//!     export add
//! p:  proto i64:sum
//! add: func i64, i64:a, i64:b
//!     local i64:sum
//!     add sum, a, b
//!     call p, report, sum
//!     ret sum
//!     endfunc
//!     endmodule
//! ";
//! let report = |sum: i64| println!("the sum is {sum}");
//! let engine = Engine::new();
//! let context = Context::new(mir_host::context_options(&engine));
//! context.define("report", &report)?;
//! // SAFETY: the program touches no memory.
//! unsafe { mir_host::load(&context, source)? };
//! let mut symbols = mir_host::Symbols::open(&[])?;
//! context.link(&mut |name| symbols.find(name))?;
//!
//! let jit = mir_host::jit(&context, Options::default())?;
//! let compiled = jit.compile_all(&mut |_, _, error| eprintln!("interpreted: {error}"))?;
//! assert_eq!((compiled.functions, compiled.left), (1, 0));
//! let add: TypedFunc<(i64, i64), i64> = jit.get("add")?;
//! assert_eq!(add.call((40, 2))?, 42);
//! # Ok(())
//! # }
//! ```
//!
//! | Lent | By |
//! |---|---|
//! | memory | [`SystemAllocator`], Rust's own |
//! | pages for code, mapped twice, so that none is writable and executable | [`HostPages`] |
//! | the same with one mapping, into which debuggers can put breakpoints | [`PrivatePages`] |
//! | threads that help to compile | [`HostThreads`] |
//! | symbols of the process and of libraries | [`Symbols`] |
//! | the unwinder, for exceptions of C++ and panics of Rust | [`outermost`], [`register_frames`] |
//!
//! The crate needs `std` and a Unix with `mmap`; it is tested on Linux, on the five ISAs, and has
//! no features. What a kernel or firmware lends in its place is in `docs/embedding.md` of the
//! repository, and a whole program with this crate in `examples/jit`.

mod allocator;
mod exceptions;
mod load;
mod pages;
mod symbols;
mod thread_local;
mod threads;

pub use allocator::SystemAllocator;
pub use exceptions::{outermost, register_frames};
pub use load::{LoadError, context_options, jit, load, load_module};
pub use pages::{HostPages, PrivatePages};
pub use symbols::{LibraryError, Symbols};
pub use threads::HostThreads;
