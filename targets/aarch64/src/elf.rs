//! The facts that ELF objects need: machine, relocations, rules for unwinders.

use super::encode::{
    CODE_26, LOW_12, LOW_12_IN_4, LOW_12_IN_8, PAGE_21, TABLE_LOW_12, TABLE_PAGE_21,
};
use mir_nostd::codegen::FixupKind;
use mir_nostd::target::{Elf, ElfRelocation};

/// The facts that objects of this ISA need.
pub(crate) static ELF: Elf = Elf {
    machine: 183,
    flags: 0,
    address: R_AARCH64_ABS64,
    distance: R_AARCH64_PREL32,
    relocations,
    return_address: 30,
    entry_cfa_offset: 0,
    function_other: 0,
    behind: &[],
    // BRK.
    trap: &[0x00, 0x00, 0x20, 0xD4],
    landing_pads: Some((GNU_PROPERTY_AARCH64_FEATURE_1_AND, 1)),
};

// Bit 0 is GNU_PROPERTY_AARCH64_FEATURE_1_BTI: branch target identification.
const GNU_PROPERTY_AARCH64_FEATURE_1_AND: u32 = 0xC000_0000;

const R_AARCH64_ABS64: u32 = 257;
const R_AARCH64_PREL32: u32 = 261;
const R_AARCH64_ADR_PREL_PG_HI21: u32 = 275;
const R_AARCH64_ADD_ABS_LO12_NC: u32 = 277;
const R_AARCH64_CALL26: u32 = 283;
const R_AARCH64_LDST32_ABS_LO12_NC: u32 = 285;
const R_AARCH64_LDST64_ABS_LO12_NC: u32 = 286;
const R_AARCH64_ADR_GOT_PAGE: u32 = 311;
const R_AARCH64_LD64_GOT_LO12_NC: u32 = 312;

fn relocations(kind: FixupKind) -> &'static [ElfRelocation] {
    const fn paged(number: u32) -> [ElfRelocation; 1] {
        [ElfRelocation::new(number, 0).always()]
    }
    static CALL: [ElfRelocation; 1] = [ElfRelocation::new(R_AARCH64_CALL26, 0)];
    static PAGE: [ElfRelocation; 1] = paged(R_AARCH64_ADR_PREL_PG_HI21);
    static LOW: [ElfRelocation; 1] = paged(R_AARCH64_ADD_ABS_LO12_NC);
    static LOW_IN_4: [ElfRelocation; 1] = paged(R_AARCH64_LDST32_ABS_LO12_NC);
    static LOW_IN_8: [ElfRelocation; 1] = paged(R_AARCH64_LDST64_ABS_LO12_NC);
    static TABLE_PAGE: [ElfRelocation; 1] = paged(R_AARCH64_ADR_GOT_PAGE);
    static TABLE_LOW: [ElfRelocation; 1] = paged(R_AARCH64_LD64_GOT_LO12_NC);
    match kind {
        CODE_26 => &CALL,
        PAGE_21 => &PAGE,
        LOW_12 => &LOW,
        LOW_12_IN_4 => &LOW_IN_4,
        LOW_12_IN_8 => &LOW_IN_8,
        TABLE_PAGE_21 => &TABLE_PAGE,
        TABLE_LOW_12 => &TABLE_LOW,
        _ => &[],
    }
}
