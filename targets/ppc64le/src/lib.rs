//! The ppc64le backend of mir-nostd: ELF version 2, double-double long double.
//!
//! Programs are read, verified and linked for [`TARGET`]. [`ISA`] is the backend of the compiler,
//! which makes code for ppc64le on any machine, [`POWER10`] the one for later processors. `NATIVE`,
//! on ppc64le alone, has the gates between Rust and that code: a [`run::Jit`](mir_nostd::run::Jit)
//! takes both, an interpreter neither. The crate is `no_std`, allocates nothing and needs no other
//! crate but `mir-nostd`, whose page has an example.
//!
//! It has all the files that the targets have in common, and no other.
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
#[cfg(target_arch = "powerpc64")]
mod native;
mod registers;
mod select;
mod target_flags;
mod thunks;

use mir_nostd::num::LongDoubleFormat;
use mir_nostd::target::{Target, Vouched};

pub use isa::{Backend, ISA, POWER10};
#[cfg(target_arch = "powerpc64")]
pub use native::NATIVE;

/// The description of ppc64le.
///
/// ```
/// use mir_nostd::{ir::Class, target::HardRegisterError};
/// let target = &target_ppc64le::TARGET;
/// assert!(target.hard_register(b"r14", Class::Int).is_ok());
/// assert_eq!(target.hard_register(b"r1", Class::Int), Err(HardRegisterError::Reserved));
/// ```
#[expect(unsafe_code, reason = "vouches for the description")]
pub static TARGET: Target = Target {
    name: "ppc64le",
    big_endian: false,
    long_double: LongDoubleFormat::DoubleDouble,
    alloca_align: 16,
    registers: registers::REGISTERS,
    long_double_registers: false,
    abi: abi::ABI,
    thunk: thunks::THUNK,
    // SAFETY: the tables are those of the ABI's documents, and tested against C compilers.
    vouched: unsafe { Vouched::new() },
};
