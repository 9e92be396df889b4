//! The things that an operating system lends to mir-nostd: memory, executable pages, symbols of the
//! process.
//!
//! A program is compiled and called in four steps: read, verify, link, compile.
//!
//! ```
//! use mir_host::{HostPages, SystemAllocator};
//! use mir_nostd::interp::Engine;
//! use mir_nostd::link::{Context, ContextOptions};
//! use mir_nostd::run::{Jit, Options};
//! use mir_nostd::target::Value;
//! use mir_nostd::text;
//! use mir_nostd::verify::{Verified, Violation};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let source = b"
//!     m: module
//!     export add
//! add: func i64, i64:a, i64:b
//!     local i64:sum
//!     add sum, a, b
//!     ret sum
//!     endfunc
//!     endmodule
//! ";
//! let target = target_all::HOST.target();
//! let engine = Engine::new();
//! let mut lent = ContextOptions::new(&SystemAllocator, target, &engine);
//! lent.native = Some(target_all::NATIVE);
//! lent.pages = Some(&HostPages);
//! let context = Context::new(lent);
//! let parsed = text::parse(source, &SystemAllocator, target.long_double, &mut |_| {});
//! let mut modules = parsed.map_err(|error| error.to_string())?;
//! while let Some(module) = modules.pop() {
//!     let mut report = |violation: Violation| eprintln!("{}", violation.error);
//!     let verified = Verified::new(module, target, &mut report);
//!     let verified = verified.map_err(|_| "the program is wrong")?;
//!     // SAFETY: the program touches no memory.
//!     unsafe { context.load(verified) }.map_err(|error| error.to_string())?;
//! }
//! context.link(&mut |_| None).map_err(|error| error.to_string())?;
//!
//! let codegen = mir_nostd::codegen::Options { level: 2, ..Default::default() };
//! let options = Options { codegen, ..Options::default() };
//! let jit = Jit::new(&context, target_all::HOST, target_all::NATIVE, &HostPages, options);
//! let jit = jit.map_err(|error| error.to_string())?;
//! for module in (0..context.linked_modules()).filter_map(|number| context.module(number)) {
//!     let mut report = |_, error| eprintln!("interpreted: {error}");
//!     jit.compile_module(module, &mut report).map_err(|error| error.to_string())?;
//! }
//! let add = context.find_func(b"add").ok_or("no function add")?;
//! let mut sum = [Value::ZERO];
//! // SAFETY: the arguments are those of the function, which touches no memory.
//! unsafe { jit.call(add, &[Value::from_i64(40), Value::from_i64(2)], &mut sum) }.unwrap();
//! assert_eq!(sum[0].i64(), 42);
//! assert_eq!(jit.compiled().left, 0);
//! # Ok(())
//! # }
//! ```

mod allocator;
mod pages;
mod symbols;

pub use allocator::SystemAllocator;
pub use pages::HostPages;
pub use symbols::{LibraryError, Symbols};
