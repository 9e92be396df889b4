//! The backend as the code generator sees it: its facts that are data. The traits with what it
//! computes are implemented where that is done.

use super::{TARGET, elf, insns, registers, target_flags};
use mir_nostd::codegen;
use mir_nostd::codegen::stage::{Levels, Stage};
use mir_nostd::machine::Generic;
use mir_nostd::target::{Description, Isa};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend {
    /// True if the machine has compressed instructions.
    pub(crate) compresses: bool,
}

/// The backend of the code generator for rv64gc.
pub static ISA: Backend = Backend { compresses: true };

/// The backend for machines without the extension C. Programs without floats run on machines
/// without F and D as well.
pub static ISA_UNCOMPRESSED: Backend = Backend { compresses: false };

/// The facts about the ISA that are data.
static DESCRIPTION: Description = Description {
    optional: &[
        Generic::Bitcast,
        Generic::Fma,
        Generic::Fminimumnum,
        Generic::Fmaximumnum,
        Generic::AtomicXchg,
        Generic::AtomicAdd,
        Generic::AtomicAnd,
        Generic::AtomicOr,
        Generic::AtomicXor,
        Generic::AtomicMin,
        Generic::AtomicMax,
        Generic::AtomicUmin,
        Generic::AtomicUmax,
    ],
    atomic_bytes: 4,
    zero: Some(registers::ZERO),
    target_flags: target_flags::NAMES,
    elf: Some(&elf::ELF),
    ..Description::new(&TARGET, &registers::FILE, insns::INSNS)
};

/// The levels without the stages that would find nothing on this target.
static LEVELS: Levels = Levels::without(&["extension-elimination", "fold", "compare-elimination"]);

impl codegen::Backend for Backend {
    fn stages(&self, level: u8) -> &'static [Stage<'static>] {
        LEVELS.of(level)
    }
}

#[expect(unsafe_code, reason = "vouches for the code that it makes")]
// SAFETY: tables and functions are tested against LLVM, and what is compiled against the
// interpreter.
unsafe impl Isa for Backend {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }
}
