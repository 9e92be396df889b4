//! The facts that ELF objects need, after version 2 of the ELF ABI. Functions that need the TOC
//! pointer begin with two instructions that compute it from r12; calls within the object enter
//! after them.

use super::encode::{
    CALL, GOT_HIGH, GOT_LOW_DS, GOT_PC, PC_FAR, START_HIGH, START_LOW, TOC_HIGH, TOC_LOW,
    TOC_LOW_DS,
};
use mir_nostd::codegen::FixupKind;
use mir_nostd::target::{Elf, ElfReference, ElfRelocation};

/// The facts that objects of this ISA need.
pub(crate) static ELF: Elf = Elf {
    machine: 21,
    flags: 2,
    address: R_PPC64_ADDR64,
    distance: R_PPC64_REL32,
    relocations,
    return_address: 65,
    entry_cfa_offset: 0,
    function_other: LOCAL_ENTRY,
    behind: &NO_TRACEBACK,
    // trap
    trap: &[0x08, 0x00, 0xE0, 0x7F],
    landing_pads: None,
};

/// An empty traceback table: a reader stops at the word of zeros.
const NO_TRACEBACK: [u8; 12] = [0; 12];

/// The bits of `st_other` that say that the local entry is 8 bytes after the global one.
const LOCAL_ENTRY: u8 = 3 << 5;

const R_PPC64_REL24: u32 = 10;
const R_PPC64_GOT16_HA: u32 = 17;
const R_PPC64_REL32: u32 = 26;
const R_PPC64_ADDR64: u32 = 38;
const R_PPC64_TOC16_LO: u32 = 48;
const R_PPC64_TOC16_HA: u32 = 50;
const R_PPC64_GOT16_LO_DS: u32 = 59;
const R_PPC64_TOC16_LO_DS: u32 = 64;
const R_PPC64_PCREL34: u32 = 132;
const R_PPC64_GOT_PCREL34: u32 = 133;
const R_PPC64_REL16_LO: u32 = 250;
const R_PPC64_REL16_HA: u32 = 252;

/// Makes the relocation that is always left to the linker.
const fn one(number: u32) -> [ElfRelocation; 1] {
    [ElfRelocation::new(number, 0).always()]
}

const fn start(number: u32, addend: i64) -> [ElfRelocation; 1] {
    let relocation = ElfRelocation::new(number, addend).always();
    [relocation.to(ElfReference::Linker(".TOC."))]
}

fn relocations(kind: FixupKind) -> &'static [ElfRelocation] {
    macro_rules! each {
        ($($kind:ident $relocations:expr;)*) => {
            match kind {
                $($kind => {
                    static LIST: [ElfRelocation; 1] = $relocations;
                    &LIST
                })*
                _ => &[],
            }
        };
    }
    each! {
        CALL [ElfRelocation::new(R_PPC64_REL24, 0)];
        TOC_HIGH one(R_PPC64_TOC16_HA);
        TOC_LOW one(R_PPC64_TOC16_LO);
        TOC_LOW_DS one(R_PPC64_TOC16_LO_DS);
        GOT_HIGH one(R_PPC64_GOT16_HA);
        GOT_LOW_DS one(R_PPC64_GOT16_LO_DS);
        PC_FAR one(R_PPC64_PCREL34);
        GOT_PC one(R_PPC64_GOT_PCREL34);
        START_HIGH start(R_PPC64_REL16_HA, 0);
        START_LOW start(R_PPC64_REL16_LO, 4);
    }
}
