//! The facts that ELF objects need: machine, relocations, rules for unwinders.

use super::encode::{FAR, FUNCTION, GLOBAL_TABLE};
use mir_nostd::codegen::FixupKind;
use mir_nostd::target::{Elf, ElfRelocation};

/// The facts that objects of this ISA need.
pub(crate) static ELF: Elf = Elf {
    machine: 22,
    flags: 0,
    address: R_390_64,
    distance: R_390_PC32,
    relocations,
    return_address: 14,
    entry_cfa_offset: 160,
    function_other: 0,
    behind: &[],
    // The trap is a jump into itself.
    trap: &[0xA7, 0xF4, 0x00, 0x01],
    landing_pads: None,
};

const R_390_PC32: u32 = 5;
const R_390_PC32DBL: u32 = 19;
const R_390_PLT32DBL: u32 = 20;
const R_390_64: u32 = 22;
const R_390_GOTENT: u32 = 26;

fn relocations(kind: FixupKind) -> &'static [ElfRelocation] {
    // The distance counts from 2 bytes before the place.
    const fn one(number: u32) -> [ElfRelocation; 1] {
        [ElfRelocation::new(number, 2)]
    }
    static DISTANCE: [ElfRelocation; 1] = one(R_390_PC32DBL);
    static TABLE: [ElfRelocation; 1] = one(R_390_GOTENT);
    // Calls are always left to the linker, as LLVM's are.
    static CALL: [ElfRelocation; 1] = [ElfRelocation::new(R_390_PLT32DBL, 2).always()];
    match kind {
        FAR => &DISTANCE,
        GLOBAL_TABLE => &TABLE,
        FUNCTION => &CALL,
        _ => &[],
    }
}
