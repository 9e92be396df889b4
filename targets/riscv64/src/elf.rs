//! The facts that ELF objects need: machine, relocations, rules for unwinders.

use super::encode::{CALL_PAIR, PAIR, TABLE_PAIR};
use mir_nostd::codegen::FixupKind;
use mir_nostd::target::{Elf, ElfReference, ElfRelocation};

/// The facts that objects of this ISA need.
pub(crate) static ELF: Elf = Elf {
    machine: 243,
    // EF_RISCV_RVC: there are compressed instructions. EF_RISCV_FLOAT_ABI_DOUBLE: doubles are
    // passed in registers.
    flags: 1 | 4,
    address: R_RISCV_64,
    distance: R_RISCV_32_PCREL,
    relocations,
    return_address: 1,
    entry_cfa_offset: 0,
    function_other: 0,
    behind: &[],
    // UNIMP.
    trap: &[0x73, 0x10, 0x00, 0xC0],
    landing_pads: None,
};

const R_RISCV_64: u32 = 2;
const R_RISCV_CALL_PLT: u32 = 19;
const R_RISCV_GOT_HI20: u32 = 20;
const R_RISCV_PCREL_HI20: u32 = 23;
const R_RISCV_PCREL_LO12_I: u32 = 24;
const R_RISCV_32_PCREL: u32 = 57;

fn relocations(kind: FixupKind) -> &'static [ElfRelocation] {
    /// The low half refers to the place of the high half.
    const LOW: ElfRelocation = ElfRelocation::new(R_RISCV_PCREL_LO12_I, 0)
        .behind(4)
        .to(ElfReference::Place);
    static NEAR: [ElfRelocation; 2] = [ElfRelocation::new(R_RISCV_PCREL_HI20, 0), LOW];
    static TABLE: [ElfRelocation; 2] = [
        ElfRelocation::new(R_RISCV_GOT_HI20, 0).always(),
        LOW.always(),
    ];
    static CALL: [ElfRelocation; 1] = [ElfRelocation::new(R_RISCV_CALL_PLT, 0)];
    match kind {
        PAIR => &NEAR,
        TABLE_PAIR => &TABLE,
        CALL_PAIR => &CALL,
        _ => &[],
    }
}
