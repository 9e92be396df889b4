//! The backend as the code generator sees it: its facts that are data. The traits with what it
//! computes are implemented where that is done.

use super::{TARGET, elf, fold, insns, registers, select};
use crate::insns::Op;
use mir_nostd::codegen;
use mir_nostd::codegen::Stage;
use mir_nostd::codegen::stage::Levels;
use mir_nostd::machine::Generic;
use mir_nostd::target::{Description, Isa};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend;

/// The backend of the code generator for s390x.
pub static ISA: Backend = Backend;

/// The facts about the ISA that are data.
static DESCRIPTION: Description = Description {
    division_traps: true,
    optional: &[
        Generic::Bitcast,
        Generic::Rotl,
        Generic::Select,
        Generic::Ctlz,
        Generic::Bswap,
        Generic::Fma,
        Generic::Ffloor,
        Generic::Fceil,
        Generic::Ftrunc,
        Generic::Froundeven,
        Generic::AtomicAdd,
        Generic::AtomicAnd,
        Generic::AtomicOr,
        Generic::AtomicXor,
    ],
    atomic_bytes: 4,
    unaligned_loads: true,
    long_double: select::LONG_DOUBLE,
    folded_loads: fold::LOADS,
    peepholes: fold::PEEPHOLES,
    short_opcodes: &[
        (Op::JG.opcode(), Op::J.opcode()),
        (Op::BRCL.opcode(), Op::BRC.opcode()),
    ],
    elf: Some(&elf::ELF),
    ..Description::new(&TARGET, &registers::FILE, insns::INSNS)
};

/// The levels without the stages that would find nothing on this target.
static LEVELS: Levels = Levels::without(&[
    "redundant-extensions",
    "constant-hoisting",
    "compare-elimination",
]);

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
