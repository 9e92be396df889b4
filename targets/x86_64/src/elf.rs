//! The facts that ELF objects need: machine, relocations, rules for unwinders.

use super::encode::{CONDITION_FIXUP, FAR_FIXUP, JUMP_FIXUP, TABLE_FIXUP, TABLE_LOAD_FIXUP};
use mir_nostd::codegen::FixupKind;
use mir_nostd::target::{Elf, ElfRelocation};

/// Makes the relocation for a distance from the end of an instruction that has this many bytes
/// after the field.
const fn distance(number: u32, behind: i64) -> [ElfRelocation; 1] {
    [ElfRelocation::new(number, -4 - behind)]
}

/// Makes one relocation for each number of bytes after the field, up to 4.
const fn distances(number: u32) -> [[ElfRelocation; 1]; 5] {
    [
        distance(number, 0),
        distance(number, 1),
        distance(number, 2),
        distance(number, 3),
        distance(number, 4),
    ]
}

const R_X86_64_64: u32 = 1;
const R_X86_64_PC32: u32 = 2;
const R_X86_64_PLT32: u32 = 4;
const R_X86_64_GOTPCREL: u32 = 9;
const R_X86_64_REX_GOTPCRELX: u32 = 42;

/// The facts that objects of this ISA need.
pub(crate) static ELF: Elf = Elf {
    machine: 62,
    flags: 0,
    address: R_X86_64_64,
    distance: R_X86_64_PC32,
    relocations,
    return_address: 16,
    entry_cfa_offset: 8,
    function_other: 0,
    behind: &[],
    trap: &[0x0F, 0x0B],
    landing_pads: Some((GNU_PROPERTY_X86_FEATURE_1_AND, 1)),
};

// Bit 0 is GNU_PROPERTY_X86_FEATURE_1_IBT: indirect branch tracking.
const GNU_PROPERTY_X86_FEATURE_1_AND: u32 = 0xC000_0002;

fn relocations(kind: FixupKind) -> &'static [ElfRelocation] {
    static DISTANCES: [[ElfRelocation; 1]; 5] = distances(R_X86_64_PC32);
    static TABLES: [[ElfRelocation; 1]; 5] = distances(R_X86_64_GOTPCREL);
    static JUMP: [ElfRelocation; 1] = distance(R_X86_64_PLT32, 0);
    static TABLE_LOAD: [ElfRelocation; 1] = distance(R_X86_64_REX_GOTPCRELX, 0);
    let (list, first) = match kind {
        JUMP_FIXUP | CONDITION_FIXUP => return &JUMP,
        TABLE_LOAD_FIXUP => return &TABLE_LOAD,
        FixupKind(number) if number >= TABLE_FIXUP => (&TABLES, TABLE_FIXUP),
        _ => (&DISTANCES, FAR_FIXUP),
    };
    let behind = kind.0.checked_sub(first);
    let found = behind.and_then(|behind| list.get(usize::from(behind)));
    found.map_or(&[], |found| found)
}
