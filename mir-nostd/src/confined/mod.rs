//! Confined programs: whatever they do, they read and write their own memory and windows that they
//! were granted, call their own functions and the imports that they were given, and stop when their
//! fuel is used up.
//!
//! Loading is safe: [`Program::load`] takes any verified module. When the program is linked, each
//! function is rewritten, Medium IR to Medium IR: every access to memory is preceded by a check and
//! goes to the program's own memory, functions and labels become numbers that are checked where
//! they are used, and what would live on the native stack under an address that the program knows
//! lives on a stack in the program's own memory. Both engines run what comes out of that, so the
//! interpreter and compiled code of every level agree on each result, each fault and its place.
//! `docs/confined.md` lists what is promised.
//!
//! Addresses of the program begin at [`FIRST_ADDRESS`], so a null pointer faults. It never learns
//! an address of the host.
//!
//! ```
//! use mir_nostd::confined::{Memory, Options, Program, Space};
//! use mir_nostd::interp::Engine;
//! use mir_nostd::ir::{ArgSpec, Code, Error, Mem, Module, SignatureSpec, Type};
//! use mir_nostd::link::{Context, ContextOptions, HostError, Reason};
//! use mir_nostd::target::Value;
//! use mir_nostd::verify::Verified;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let system = testkit::SystemAllocator;
//! # let target = &target_x86_64::TARGET;
//! let mut module = Module::new(&system, b"m", target.long_double)?;
//! let args = [ArgSpec::new(Type::P, "at")];
//! let spec = SignatureSpec { results: &[Type::I64], args: &args, vararg: false };
//! let mut func = module.build_func("first", spec)?;
//! let at = func.arg(0);
//! func.emit(Code::Ret, (Mem::new(Type::I64, 0, at),))?;
//! func.finish()?;
//! module.export(b"first")?;
//!
//! let mut memory = [7_u8; 8192];
//! let space = Space::new(&system, &mut memory, Options::default())?;
//! let engine = Engine::with_fuel();
//! let context = Context::new(ContextOptions::new(&system, target, &engine));
//! let mut program = Program::new(&context, &space)?;
//! program.load(Verified::new(module, target, &mut |_| {}).map_err(Error::from)?)?;
//! program.link()?;
//!
//! let mut results = [Value::ZERO];
//! let at = [Value::from_u64(4096)];
//! program.interpret(b"first", &at, &mut results, 1000)?;
//! assert_eq!(results[0].u64(), 0x0707_0707_0707_0707);
//! let fault = program.interpret(b"first", &[Value::ZERO], &mut results, 1000).unwrap_err();
//! assert_eq!(fault.reason, Reason::BadAddress(0));
//! # Ok(()) }
//! ```

#[cfg(feature = "ahead")]
mod ahead;
mod caller;
mod fault;
mod layout;
mod linkage;
mod linked;
mod memory;
mod needed;
mod program;
mod rewrite;
mod run;
mod session;
mod signature;
mod space;
#[cfg(feature = "ahead")]
mod symbols;
mod typed;

pub use crate::link::MOST_FRAMES;
#[cfg(feature = "ahead")]
pub use ahead::Ahead;
pub use caller::{CALL_FAILED, Callee, MOST_CALLS_BACK};
pub use fault::{Backtrace, Fault, Frame, Function};
pub use memory::{BAD_ADDRESS, Memory};
pub use program::Program;
pub use space::{ConfinedFn, FIRST_WINDOW, LEAST_BYTES, MOST_BYTES, Options, Space};
#[cfg(feature = "ahead")]
pub use symbols::{MEMORY, TABLE, WORDS_BYTES};
pub use typed::ImportFn;

/// The lowest address that a program can access: what lies below is never its own, so that a null
/// pointer with a small offset faults.
pub const FIRST_ADDRESS: u64 = 4096;

/// The value of a program's function number 0; each further one is [`HANDLE_STEP`] more. No memory
/// lies there.
const FIRST_FUNCTION: u64 = 1 << 40;

/// The value of a program's label number 0, likewise.
const FIRST_LABEL: u64 = 1 << 41;

/// The distance between the values of two functions or labels.
const HANDLE_STEP: u64 = 16;
