//! The `x86_64` backend of mir-nostd: System V calling convention, x87 long double.
//!
//! Programs are read, verified and linked for [`TARGET`]. [`ISA`] is the backend of the compiler,
//! which makes code for `x86_64` on any machine. `NATIVE`, on `x86_64` alone, has the gates
//! between Rust and that code: a [`run::Jit`](mir_nostd::run::Jit) takes both, an interpreter
//! neither. The crate is `no_std`, allocates nothing and needs no other crate but `mir-nostd`,
//! whose page has an example.
//!
//! ```
//! use mir_nostd::{codegen::Compiler, text, verify::Verified};
//! use target_x86_64::{ISA, TARGET};
//!
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! # let memory = &testkit::SystemAllocator;
//! let twice = b"m: module
//! twice: func i64, i64:n
//!        add n, n, n
//!        ret n
//!        endfunc
//!        endmodule";
//! let mut modules = text::parse(twice, memory, TARGET.long_double, &mut |_| {})?;
//! while let Some(module) = modules.pop() {
//!     let verified = Verified::new(module, &TARGET, &mut |_| {})?;
//!     let mut compiler = Compiler::new(&ISA, memory); // on any machine
//!     for (func, _) in verified.module().funcs() {
//!         compiler.compile(verified.module(), func)?;
//!         let code = &compiler.output.code.bytes;
//!         assert!(code.ends_with(&[0xc3])); // `ret`
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! There are no features. What the crate adds to a program is in the tables of sizes of `mir-nostd`
//! and of `docs/api.md`; `docs/targets.md` says what this target has that others have not, and
//! `docs/abi.md` how calls pass values.
//!
//! Of the files that the targets have in common it has no `select/legal`: instructions take
//! nearly all immediates and addresses, so that the stage `legalise` is left out.
#![no_std]
#![deny(unsafe_code)]

mod abi;
mod elf;
mod encode;
mod encoding;
mod flags;
mod fold;
mod frame;
mod info;
mod insns;
mod isa;
#[cfg(target_arch = "x86_64")]
mod native;
mod registers;
mod select;
mod target_flags;
mod thunks;

use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::{Target, Vouched};

pub use isa::{Backend, ISA};
#[cfg(target_arch = "x86_64")]
pub use native::NATIVE;

/// The description of `x86_64`.
///
/// ```
/// use mir_nostd::{ir::Class, target::HardRegisterError};
/// let target = &target_x86_64::TARGET;
/// assert!(target.hard_register(b"r12", Class::Int).is_ok());
/// assert_eq!(target.hard_register(b"rsp", Class::Int), Err(HardRegisterError::Reserved));
/// ```
#[expect(unsafe_code, reason = "vouches for the description")]
pub static TARGET: Target = Target {
    name: "x86_64",
    big_endian: false,
    long_double: LongDoubleFormat::X87,
    alloca_align: 16,
    registers: registers::REGISTERS,
    long_double_registers: false,
    abi: abi::ABI,
    thunk: thunks::THUNK,
    // SAFETY: the tables are those of the ABI's documents, and tested against C compilers.
    vouched: unsafe { Vouched::new() },
};
