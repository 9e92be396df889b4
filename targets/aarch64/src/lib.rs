//! The aarch64 backend of mir-nostd: AAPCS64 as Linux has it, quad long double.
//!
//! Programs are read, verified and linked for [`TARGET`]. [`ISA`] is the backend of the compiler,
//! which makes code for aarch64 on any machine. `NATIVE`, on aarch64 alone, has the gates
//! between Rust and that code: a [`run::Jit`](mir_nostd::run::Jit) takes both, an interpreter
//! neither. The crate is `no_std`, allocates nothing and needs no other crate but `mir-nostd`,
//! whose page has an example.
//!
//! It has all the files that the targets have in common, and its own for the encoded forms of
//! immediates (`immediates`) and for addressing modes (`memory`).
#![no_std]
#![deny(unsafe_code)]

mod abi;
mod atomic;
mod elf;
mod encode;
mod encoding;
mod fold;
mod frame;
mod immediates;
mod info;
mod insns;
mod isa;
mod memory;
#[cfg(target_arch = "aarch64")]
mod native;
mod registers;
mod select;
mod target_flags;
mod thunks;

use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::{Target, Vouched};

pub use isa::{Backend, ISA};
#[cfg(target_arch = "aarch64")]
pub use native::NATIVE;

/// The description of aarch64.
///
/// ```
/// use mir_nostd::{ir::Class, target::HardRegisterError};
/// let target = &target_aarch64::TARGET;
/// assert!(target.hard_register(b"v8", Class::LongDouble).is_ok());
/// assert_eq!(target.hard_register(b"x28", Class::Int), Err(HardRegisterError::Unknown));
/// ```
#[expect(unsafe_code, reason = "vouches for the description")]
pub static TARGET: Target = Target {
    name: "aarch64",
    big_endian: false,
    long_double: LongDoubleFormat::Quad,
    alloca_align: 16,
    registers: registers::REGISTERS,
    long_double_registers: true,
    abi: abi::ABI,
    thunk: thunks::THUNK,
    // SAFETY: the tables are those of the ABI's documents, and tested against C compilers.
    vouched: unsafe { Vouched::new() },
};
