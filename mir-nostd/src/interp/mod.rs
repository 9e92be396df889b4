//! The interpreter, which runs linked functions without generating code.
//!
//! A function is decoded once, when it is first called, into dense code (`decode`), which is run
//! (`dispatch`) on a stack of its own (`frame`): calls between interpreted functions take no native
//! stack, and addresses into the interpreter's stack hold until the frame is left. Decoded code
//! belongs to the context and is shared by all its interpreters; every thread may have one.
//!
//! A run that executes an operation without meaning (division by zero, a `switch` index out of
//! range) ends with a [`Stop`] that names function and instruction; nothing else in this module
//! fails but memory and the limits of [`Options`]. The memory that a program addresses itself is
//! its own affair, as in C.
//!
//! ```
//! use mir_nostd::interp::{Engine, Interpreter, Options};
//! use mir_nostd::ir::{ArgSpec, Code, Error, Module, SignatureSpec, Type};
//! use mir_nostd::link::{Context, ContextOptions};
//! use mir_nostd::target::Value;
//! use mir_nostd::verify::Verified;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let system = testkit::SystemAllocator;
//! # let target = &target_x86_64::TARGET;
//! let mut module = Module::new(&system, b"m", target.long_double)?;
//! let args = [ArgSpec::new(Type::I64, "n")];
//! let spec = SignatureSpec { results: &[Type::I64], args: &args, vararg: false };
//! let mut func = module.build_func("double", spec)?;
//! let n = func.arg(0);
//! func.emit(Code::Add, (n, n, n))?;
//! func.emit(Code::Ret, (n,))?;
//! func.finish()?;
//! module.export(b"double")?;
//!
//! let engine = Engine::new();
//! let context = Context::new(ContextOptions::new(&system, target, &engine));
//! let verified = Verified::new(module, target, &mut |_| {}).map_err(Error::from)?;
//! // SAFETY: the program touches no memory.
//! unsafe { context.load(verified)? };
//! context.link(&mut |_| None)?;
//! let double = context.find_func(b"double").ok_or("not exported")?;
//! let mut interpreter = Interpreter::new(&context, Options::default())?;
//! let mut results = [Value::ZERO];
//! let arguments = [Value::from_i64(21)];
//! let run = interpreter.run(double, &arguments, &mut results);
//! run.map_err(|stop| stop.reason.to_string())?;
//! assert_eq!(results[0].i64(), 42);
//! # Ok(()) }
//! ```
#![expect(
    unsafe_code,
    reason = "running programs: registers, stack and memory are raw"
)]

mod adapt;
mod atomic;
mod call;
mod code;
mod decode;
mod dispatch;
mod engine;
mod frame;
mod interpreter;
mod operation;
mod ops;
mod run;
mod site;
mod stop;
mod typed;
mod values;

pub use crate::link::Reason;
pub use engine::Engine;
pub use interpreter::{Interpreter, Options};
pub(crate) use run::call_inside;
pub use stop::{Frame, Stop};
pub use typed::TypedFunc;
