//! The backend as the code generator sees it: its facts that are data. The traits with what it
//! computes are implemented where that is done.

use super::{TARGET, elf, fold, insns, registers, target_flags};
use mir_nostd::codegen;
use mir_nostd::codegen::Stage;
use mir_nostd::codegen::stage::Levels;
use mir_nostd::machine::Generic;
use mir_nostd::target::{Description, Isa};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend {
    /// True if the machine has the instructions of the Large System Extensions.
    pub(crate) has_lse: bool,
}

/// The backend of the code generator for aarch64: Armv8.0 and later.
pub static ISA: Backend = Backend { has_lse: false };

/// The backend with the Large System Extensions of Armv8.1, which update memory atomically by one
/// instruction.
pub static LSE: Backend = Backend { has_lse: true };

/// The generic instructions that selection supports, and those that it also supports with the Large
/// System Extensions.
const OPTIONAL: [&[Generic]; 2] = {
    const ALL: &[Generic] = &[
        Generic::Bitcast,
        Generic::Rotl,
        Generic::Select,
        Generic::Ctlz,
        Generic::Bswap,
        Generic::Bitreverse,
        Generic::Fma,
        Generic::Ffloor,
        Generic::Fceil,
        Generic::Ftrunc,
        Generic::Froundeven,
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
    ];
    // The atomic updates come last.
    let (base, updates) = ALL.split_at(13);
    assert!(matches!(updates, [Generic::AtomicXchg, ..]));
    [base, ALL]
};

/// The facts about the ISA that are data.
const ARMV8: Description = Description {
    optional: OPTIONAL[0],
    peepholes: fold::PEEPHOLES,
    unaligned_loads: true,
    target_flags: target_flags::NAMES,
    elf: Some(&elf::ELF),
    ..Description::new(&TARGET, &registers::FILE, insns::INSNS)
};

/// The facts about the ISA without and with the Large System Extensions.
static DESCRIPTIONS: [Description; 2] = [
    ARMV8,
    Description {
        optional: OPTIONAL[1],
        ..ARMV8
    },
];

/// The levels without the stages that would find nothing on this target.
static LEVELS: Levels = Levels::without(&[
    "strength-reduction",
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
        let [armv8, lse] = &DESCRIPTIONS;
        if self.has_lse { lse } else { armv8 }
    }
}
