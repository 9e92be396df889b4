//! Folding of loads into the instructions that have a form with a memory operand.

use super::insns::Op;

mir_nostd::folded_loads! {
    /// The loads that other instructions do by themselves.
    LOADS:
    2 MOV64rm: ADD64rr ADD64rm, SUB64rr SUB64rm, AND64rr AND64rm, OR64rr OR64rm, XOR64rr XOR64rm, IMUL64rr IMUL64rm;
    2 MOV32rm: ADD32rr ADD32rm, SUB32rr SUB32rm, AND32rr AND32rm, OR32rr OR32rm, XOR32rr XOR32rm, IMUL32rr IMUL32rm;
    // An instruction that reads the low half makes no use of the extension.
    2 MOVSX64rm32: ADD32rr ADD32rm, SUB32rr SUB32rm, AND32rr AND32rm, OR32rr OR32rm, XOR32rr XOR32rm, IMUL32rr IMUL32rm;
    1 MOV64rm: CMP64rr CMP64rm;
    1 MOV32rm: CMP32rr CMP32rm;
    1 MOVSX64rm32: CMP32rr CMP32rm;
    0 MOV64rm: CMP64ri32 CMP64mi32;
    0 MOV32rm: CMP32ri CMP32mi;
    0 MOVSX64rm32: CMP32ri CMP32mi;
    2 MOVSDrm_alt: ADDSDrr ADDSDrm, SUBSDrr SUBSDrm, MULSDrr MULSDrm, DIVSDrr DIVSDrm;
    2 MOVSSrm_alt: ADDSSrr ADDSSrm, SUBSSrr SUBSSrm, MULSSrr MULSSrm, DIVSSrr DIVSSrm;
    1 MOVSDrm_alt: UCOMISDrr UCOMISDrm;
    1 MOVSSrm_alt: UCOMISSrr UCOMISSrm;
}
