//! The backend as the code generator sees it: its facts that are data. The traits with what it
//! computes are implemented where that is done.

use super::{TARGET, elf, encode, fold, insns, registers, target_flags};
use mir_nostd::codegen;
use mir_nostd::codegen::Stage;
use mir_nostd::codegen::stage::Levels;
use mir_nostd::machine::Generic;
use mir_nostd::target::{Description, Isa};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend {
    /// True if the machine has prefixed instructions.
    pub(crate) has_prefixes: bool,
}

/// The backend of the code generator for ppc64le: POWER8 and later.
pub static ISA: Backend = Backend {
    has_prefixes: false,
};

/// The backend with the prefixed instructions of POWER10: immediates, displacements, and distances
/// from the instruction itself, of 34 bits.
pub static POWER10: Backend = Backend { has_prefixes: true };

/// The facts about the ISA that are data.
const POWER8: Description = Description {
    // The division does not trap, but its quotient is undefined.
    division_traps: true,
    optional: &[
        Generic::Rotl,
        Generic::Select,
        Generic::Umulh,
        Generic::Ctlz,
        Generic::Ctpop,
        Generic::Fma,
        Generic::Ffloor,
        Generic::Fceil,
        Generic::Ftrunc,
    ],
    count_register: Some(registers::CTR8),
    peepholes: fold::PEEPHOLES,
    from_start: encode::FROM_START,
    unaligned_loads: true,
    target_flags: target_flags::NAMES,
    elf: Some(&elf::ELF),
    ..Description::new(&TARGET, &registers::FILE, insns::INSNS)
};

/// The facts about the ISA without prefixed instructions, and with them: these must not cross
/// multiples of 64 bytes.
static DESCRIPTIONS: [Description; 2] = [
    POWER8,
    Description {
        code_align: 64,
        ..POWER8
    },
];

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
        let [power8, power10] = &DESCRIPTIONS;
        if self.has_prefixes { power10 } else { power8 }
    }
}
