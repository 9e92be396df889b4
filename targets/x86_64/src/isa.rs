//! The backend as the code generator sees it: its facts that are data. The traits with what it
//! computes are implemented where that is done.

use super::{TARGET, elf, flags, fold, insns, registers, select, target_flags};
use crate::insns::Op;
use mir_nostd::codegen;
use mir_nostd::codegen::Stage;
use mir_nostd::codegen::stage::Levels;
use mir_nostd::machine::Generic;
use mir_nostd::target::{Description, Isa};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend;

/// The backend of the code generator for `x86_64`.
pub static ISA: Backend = Backend;

/// The facts about the ISA that are data.
static DESCRIPTION: Description = Description {
    division_traps: true,
    optional: &[
        Generic::Bitcast,
        Generic::Rotl,
        Generic::Ctlz,
        Generic::Cttz,
        Generic::Bswap,
        Generic::Select,
        Generic::AtomicXchg,
        Generic::AtomicAdd,
    ],
    unaligned_loads: true,
    overwrites_sources: true,
    line_bytes: 64,
    long_double: select::LONG_DOUBLE,
    folded_loads: fold::LOADS,
    peepholes: fold::PEEPHOLES,
    flag_rules: Some(&flags::RULES),
    short_opcodes: &[
        (Op::JMP_4.opcode(), Op::JMP_1.opcode()),
        (Op::JCC_4.opcode(), Op::JCC_1.opcode()),
    ],
    target_flags: target_flags::NAMES,
    elf: Some(&elf::ELF),
    ..Description::new(&TARGET, &registers::FILE, insns::INSNS)
};

/// The levels without the stages that would find nothing on this target.
static LEVELS: Levels = Levels::without(&["legalise", "redundant-extensions"]);

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
