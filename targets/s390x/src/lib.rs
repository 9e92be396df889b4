//! The s390x backend of mir-nostd: the ELF ABI of Linux, quad long double.
//!
//! Programs are read, verified and linked for [`TARGET`]. [`ISA`] is the backend of the compiler,
//! which makes code for s390x on any machine. `NATIVE`, on s390x alone, has the gates
//! between Rust and that code: a [`run::Jit`](mir_nostd::run::Jit) takes both, an interpreter
//! neither. The crate is `no_std`, allocates nothing and needs no other crate but `mir-nostd`,
//! whose page has an example.
//!
//! ```
//! use mir_nostd::{codegen::Compiler, text, verify::Verified};
//! use target_s390x::{ISA, TARGET};
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
//!         assert!(code.ends_with(&[0x07, 0xfe])); // `br %r14`
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
//! Of the files that the targets have in common it has no `target_flags`: an instruction alone
//! tells which part of an address its operand means.
#![no_std]
#![deny(unsafe_code)]

mod abi;
mod atomic;
mod elf;
mod encode;
mod encoding;
mod fold;
mod frame;
mod info;
mod insns;
mod isa;
#[cfg(target_arch = "s390x")]
mod native;
mod registers;
mod select;
mod thunks;

use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::{Target, Vouched};

pub use isa::{Backend, ISA};
#[cfg(target_arch = "s390x")]
pub use native::NATIVE;

/// The description of s390x.
///
/// ```
/// use mir_nostd::{ir::Class, target::HardRegisterError};
/// let target = &target_s390x::TARGET;
/// assert!(target.hard_register(b"r7", Class::Int).is_ok());
/// assert_eq!(target.hard_register(b"f0", Class::Int), Err(HardRegisterError::WrongClass));
/// ```
#[expect(unsafe_code, reason = "vouches for the description")]
pub static TARGET: Target = Target {
    name: "s390x",
    big_endian: true,
    long_double: LongDoubleFormat::Quad,
    alloca_align: 8,
    registers: registers::REGISTERS,
    long_double_registers: false,
    abi: abi::ABI,
    thunk: thunks::THUNK,
    // SAFETY: the tables are those of the ABI's documents, and tested against C compilers.
    vouched: unsafe { Vouched::new() },
};

/// Returns whether a signed displacement of 20 bits reaches that far.
fn is_reached(displacement: i32) -> bool {
    (-0x8_0000..0x8_0000).contains(&displacement)
}
