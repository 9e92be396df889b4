//! The instruction table of aarch64: LLVM's opcode names, operands, implicit registers, encodings.
//!
//! As in LLVM, offsets of scaled loads and stores and of pairs count in units of their size,
//! logical immediates are encoded, a shift is its kind (LSL, LSR, ASR, ROR) times 64 plus the
//! amount, and an extension its kind (UXTB to UXTX, SXTB to SXTX) times 8 plus the amount.

use super::encoding::{Encoding, Form as F, form};
use super::regs::{
    FPCR, FPR32, FPR64, FPR128, GPR32, GPR32SP, GPR64, GPR64COMMON, GPR64SP, LR, NZCV, SP, TCGPR64,
};
use mir_nostd::machine::{Opcode, Reg};
use mir_nostd::target::OperandRow::{self, Address, Def, EarlyDef, Label, Tied, Use};
use mir_nostd::target::{InsnFlags, InsnRow, List, Name};

type Shape = &'static [OperandRow];

/// The base of an address; before frame layout it may be a frame object.
const BASE: OperandRow = Address(GPR64SP);
const IMM: OperandRow = OperandRow::Immediate;

// The lists of operands: D a definition, E an early-clobber definition, T a use tied to the operand
// of this number, U a use, M the base of an address. X and W are general registers of 64 and 32
// bits, P and V include the stack pointer, C has neither that nor the zero register; D, S and Q are
// floating ones. CODE is a place relative to the code.
const DC_IMM_IMM: Shape = &[Def(GPR64COMMON), IMM, IMM];
const DD_CODE: Shape = &[Def(FPR64), IMM];
const DD_DD_M_IMM: Shape = &[Def(FPR64), Def(FPR64), BASE, IMM];
const DD_IMM: Shape = &[Def(FPR64), IMM];
const DD_M_IMM: Shape = &[Def(FPR64), BASE, IMM];
const DD_M_UW_IMM_IMM: Shape = &[Def(FPR64), BASE, Use(GPR32), IMM, IMM];
const DD_M_UX_IMM_IMM: Shape = &[Def(FPR64), BASE, Use(GPR64), IMM, IMM];
const DD_UD: Shape = &[Def(FPR64), Use(FPR64)];
const DD_UD_UD: Shape = &[Def(FPR64), Use(FPR64), Use(FPR64)];
const DD_UD_UD_IMM: Shape = &[Def(FPR64), Use(FPR64), Use(FPR64), IMM];
const DD_US: Shape = &[Def(FPR64), Use(FPR32)];
const DD_UW: Shape = &[Def(FPR64), Use(GPR32)];
const DD_UX: Shape = &[Def(FPR64), Use(GPR64)];
const DP_M_IMM_IMM: Shape = &[Def(GPR64SP), BASE, IMM, IMM];
const DP_UP_UW_IMM: Shape = &[Def(GPR64SP), Use(GPR64SP), Use(GPR32), IMM];
const DP_UP_UX_IMM: Shape = &[Def(GPR64SP), Use(GPR64SP), Use(GPR64), IMM];
const DP_UX_IMM: Shape = &[Def(GPR64SP), Use(GPR64), IMM];
const DQ_M_IMM: Shape = &[Def(FPR128), BASE, IMM];
const DQ_M_UW_IMM_IMM: Shape = &[Def(FPR128), BASE, Use(GPR32), IMM, IMM];
const DQ_M_UX_IMM_IMM: Shape = &[Def(FPR128), BASE, Use(GPR64), IMM, IMM];
const DS_CODE: Shape = &[Def(FPR32), IMM];
const DS_IMM: Shape = &[Def(FPR32), IMM];
const DS_M_IMM: Shape = &[Def(FPR32), BASE, IMM];
const DS_M_UW_IMM_IMM: Shape = &[Def(FPR32), BASE, Use(GPR32), IMM, IMM];
const DS_M_UX_IMM_IMM: Shape = &[Def(FPR32), BASE, Use(GPR64), IMM, IMM];
const DS_UD: Shape = &[Def(FPR32), Use(FPR64)];
const DS_US: Shape = &[Def(FPR32), Use(FPR32)];
const DS_US_US: Shape = &[Def(FPR32), Use(FPR32), Use(FPR32)];
const DS_US_US_IMM: Shape = &[Def(FPR32), Use(FPR32), Use(FPR32), IMM];
const DS_UW: Shape = &[Def(FPR32), Use(GPR32)];
const DS_UX: Shape = &[Def(FPR32), Use(GPR64)];
const DV_UV_IMM_IMM: Shape = &[Def(GPR32SP), Use(GPR32SP), IMM, IMM];
const DV_UW_IMM: Shape = &[Def(GPR32SP), Use(GPR32), IMM];
const DW_IMM_IMM: Shape = &[Def(GPR32), IMM, IMM];
const DW_M_IMM: Shape = &[Def(GPR32), BASE, IMM];
const DW_M_UW_IMM_IMM: Shape = &[Def(GPR32), BASE, Use(GPR32), IMM, IMM];
const DW_M_UX_IMM_IMM: Shape = &[Def(GPR32), BASE, Use(GPR64), IMM, IMM];
const DW_T0W_IMM_IMM: Shape = &[Def(GPR32), Tied(GPR32, 0), IMM, IMM];
const DW_US: Shape = &[Def(GPR32), Use(FPR32)];
const DW_UV_IMM_IMM: Shape = &[Def(GPR32), Use(GPR32SP), IMM, IMM];
const DW_UW_IMM: Shape = &[Def(GPR32), Use(GPR32), IMM];
const DW_UW_IMM_IMM: Shape = &[Def(GPR32), Use(GPR32), IMM, IMM];
const DW_UW_UW: Shape = &[Def(GPR32), Use(GPR32), Use(GPR32)];
const DW_UW_UW_IMM: Shape = &[Def(GPR32), Use(GPR32), Use(GPR32), IMM];
const DW_UW_UW_UW: Shape = &[Def(GPR32), Use(GPR32), Use(GPR32), Use(GPR32)];
const DX_CODE: Shape = &[Def(GPR64), IMM];
const DX_DX_M_IMM: Shape = &[Def(GPR64), Def(GPR64), BASE, IMM];
const DX_IMM_IMM: Shape = &[Def(GPR64), IMM, IMM];
const DX_M_IMM: Shape = &[Def(GPR64), BASE, IMM];
const DX_M_UW_IMM_IMM: Shape = &[Def(GPR64), BASE, Use(GPR32), IMM, IMM];
const DX_M_UX_IMM_IMM: Shape = &[Def(GPR64), BASE, Use(GPR64), IMM, IMM];
const DX_T0X_IMM_IMM: Shape = &[Def(GPR64), Tied(GPR64, 0), IMM, IMM];
const DX_UD: Shape = &[Def(GPR64), Use(FPR64)];
const DX_UP_IMM_IMM: Shape = &[Def(GPR64), Use(GPR64SP), IMM, IMM];
const DX_UP_UW_IMM: Shape = &[Def(GPR64), Use(GPR64SP), Use(GPR32), IMM];
const DX_UP_UX_IMM: Shape = &[Def(GPR64), Use(GPR64SP), Use(GPR64), IMM];
const DX_US: Shape = &[Def(GPR64), Use(FPR32)];
const DX_UW_UW_UX: Shape = &[Def(GPR64), Use(GPR32), Use(GPR32), Use(GPR64)];
const DX_UX_IMM: Shape = &[Def(GPR64), Use(GPR64), IMM];
const DX_UX_IMM_IMM: Shape = &[Def(GPR64), Use(GPR64), IMM, IMM];
const DX_UX_UX: Shape = &[Def(GPR64), Use(GPR64), Use(GPR64)];
const DX_UX_UX_IMM: Shape = &[Def(GPR64), Use(GPR64), Use(GPR64), IMM];
const DX_UX_UX_UX: Shape = &[Def(GPR64), Use(GPR64), Use(GPR64), Use(GPR64)];
const EP_DX_DX_T0P_IMM: Shape = &[
    EarlyDef(GPR64SP),
    Def(GPR64),
    Def(GPR64),
    Tied(GPR64SP, 0),
    IMM,
];
const EP_UX_UX_T0P_IMM: Shape = &[
    EarlyDef(GPR64SP),
    Use(GPR64),
    Use(GPR64),
    Tied(GPR64SP, 0),
    IMM,
];
const IMM_LABEL: Shape = &[IMM, Label];
const LABEL: Shape = &[Label];
const NUMBER: Shape = &[IMM];
const UC: Shape = &[Use(GPR64COMMON)];
const UD: Shape = &[Use(FPR64)];
const UD_M_IMM: Shape = &[Use(FPR64), BASE, IMM];
const UD_M_UW_IMM_IMM: Shape = &[Use(FPR64), BASE, Use(GPR32), IMM, IMM];
const UD_M_UX_IMM_IMM: Shape = &[Use(FPR64), BASE, Use(GPR64), IMM, IMM];
const UD_UD: Shape = &[Use(FPR64), Use(FPR64)];
const UD_UD_M_IMM: Shape = &[Use(FPR64), Use(FPR64), BASE, IMM];
const UQ_M_IMM: Shape = &[Use(FPR128), BASE, IMM];
const UQ_M_UW_IMM_IMM: Shape = &[Use(FPR128), BASE, Use(GPR32), IMM, IMM];
const UQ_M_UX_IMM_IMM: Shape = &[Use(FPR128), BASE, Use(GPR64), IMM, IMM];
const US: Shape = &[Use(FPR32)];
const US_M_IMM: Shape = &[Use(FPR32), BASE, IMM];
const US_M_UW_IMM_IMM: Shape = &[Use(FPR32), BASE, Use(GPR32), IMM, IMM];
const US_M_UX_IMM_IMM: Shape = &[Use(FPR32), BASE, Use(GPR64), IMM, IMM];
const US_US: Shape = &[Use(FPR32), Use(FPR32)];
const UT_IMM: Shape = &[Use(TCGPR64), IMM];
const UW_IMM_LABEL: Shape = &[Use(GPR32), IMM, Label];
const UW_LABEL: Shape = &[Use(GPR32), Label];
const UW_M_IMM: Shape = &[Use(GPR32), BASE, IMM];
const UW_M_UW_IMM_IMM: Shape = &[Use(GPR32), BASE, Use(GPR32), IMM, IMM];
const UW_M_UX_IMM_IMM: Shape = &[Use(GPR32), BASE, Use(GPR64), IMM, IMM];
const UX: Shape = &[Use(GPR64)];
const UX_IMM_LABEL: Shape = &[Use(GPR64), IMM, Label];
const UX_LABEL: Shape = &[Use(GPR64), Label];
const UX_M_IMM: Shape = &[Use(GPR64), BASE, IMM];
const UX_M_UW_IMM_IMM: Shape = &[Use(GPR64), BASE, Use(GPR32), IMM, IMM];
const UX_M_UX_IMM_IMM: Shape = &[Use(GPR64), BASE, Use(GPR64), IMM, IMM];
const UX_UX_M_IMM: Shape = &[Use(GPR64), Use(GPR64), BASE, IMM];

macro_rules! table {
    ($($name:ident $shape:ident [$($def:ident)*] [$($read:ident)*] [$($flag:ident$(($bytes:literal))?)*] $encoding:expr;)*) => {
        /// The rows of the table, by LLVM's names.
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names are LLVM's")]
        #[expect(dead_code, reason = "some rows are for stages to come")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub(crate) enum Op {
            $($name,)*
        }

        /// The instruction table.
        pub(crate) static INSNS: &[InsnRow] = &[$(InsnRow {
            name: Name::new(stringify!($name)),
            operands: List(&$shape),
            implicit_defs: List(&(&[$($def),*] as &[Reg])),
            implicit_uses: List(&(&[$($read),*] as &[Reg])),
            flags: InsnFlags::empty()$(.union(InsnFlags::$flag))*,
            bytes: 0 $($(+ $bytes)?)*,
            encoding: Encoding::bits($encoding),
        }),*];
    };
}

impl From<Op> for Opcode {
    fn from(op: Op) -> Opcode {
        Opcode::target(op as u16)
    }
}

table! {
    // Arithmetic on integers.
    ADDXri DP_M_IMM_IMM [] [] [] form(F::RdRnImm12, 0x91000000);
    ADDWri DV_UV_IMM_IMM [] [] [] form(F::RdRnImm12, 0x11000000);
    ADDSXri DX_UP_IMM_IMM [NZCV] [] [] form(F::RdRnImm12, 0xB1000000);
    ADDSWri DW_UV_IMM_IMM [NZCV] [] [] form(F::RdRnImm12, 0x31000000);
    SUBXri DP_M_IMM_IMM [] [] [] form(F::RdRnImm12, 0xD1000000);
    SUBWri DV_UV_IMM_IMM [] [] [] form(F::RdRnImm12, 0x51000000);
    SUBSXri DX_UP_IMM_IMM [NZCV] [] [] form(F::RdRnImm12, 0xF1000000);
    SUBSWri DW_UV_IMM_IMM [NZCV] [] [] form(F::RdRnImm12, 0x71000000);
    ADDXrs DX_UX_UX_IMM [] [] [] form(F::RdRnRmShift, 0x8B000000);
    ADDWrs DW_UW_UW_IMM [] [] [] form(F::RdRnRmShift, 0x0B000000);
    ADDSXrs DX_UX_UX_IMM [NZCV] [] [] form(F::RdRnRmShift, 0xAB000000);
    ADDSWrs DW_UW_UW_IMM [NZCV] [] [] form(F::RdRnRmShift, 0x2B000000);
    SUBXrs DX_UX_UX_IMM [] [] [] form(F::RdRnRmShift, 0xCB000000);
    SUBWrs DW_UW_UW_IMM [] [] [] form(F::RdRnRmShift, 0x4B000000);
    SUBSXrs DX_UX_UX_IMM [NZCV] [] [] form(F::RdRnRmShift, 0xEB000000);
    SUBSWrs DW_UW_UW_IMM [NZCV] [] [] form(F::RdRnRmShift, 0x6B000000);
    ADDXrx DP_UP_UW_IMM [] [] [] form(F::RdRnRmExtend, 0x8B200000);
    ADDXrx64 DP_UP_UX_IMM [] [] [] form(F::RdRnRmExtend, 0x8B200000);
    SUBXrx DP_UP_UW_IMM [] [] [] form(F::RdRnRmExtend, 0xCB200000);
    SUBXrx64 DP_UP_UX_IMM [] [] [] form(F::RdRnRmExtend, 0xCB200000);
    SUBSXrx DX_UP_UW_IMM [NZCV] [] [] form(F::RdRnRmExtend, 0xEB200000);
    SUBSXrx64 DX_UP_UX_IMM [NZCV] [] [] form(F::RdRnRmExtend, 0xEB200000);
    ANDXri DP_UX_IMM [] [] [] form(F::RdRnLogical64, 0x92000000);
    ANDWri DV_UW_IMM [] [] [] form(F::RdRnLogical32, 0x12000000);
    ORRXri DP_UX_IMM [] [] [] form(F::RdRnLogical64, 0xB2000000);
    ORRWri DV_UW_IMM [] [] [] form(F::RdRnLogical32, 0x32000000);
    EORXri DP_UX_IMM [] [] [] form(F::RdRnLogical64, 0xD2000000);
    EORWri DV_UW_IMM [] [] [] form(F::RdRnLogical32, 0x52000000);
    ANDSXri DX_UX_IMM [NZCV] [] [] form(F::RdRnLogical64, 0xF2000000);
    ANDSWri DW_UW_IMM [NZCV] [] [] form(F::RdRnLogical32, 0x72000000);
    ANDXrs DX_UX_UX_IMM [] [] [] form(F::RdRnRmShift, 0x8A000000);
    ANDWrs DW_UW_UW_IMM [] [] [] form(F::RdRnRmShift, 0x0A000000);
    BICXrs DX_UX_UX_IMM [] [] [] form(F::RdRnRmShift, 0x8A200000);
    BICWrs DW_UW_UW_IMM [] [] [] form(F::RdRnRmShift, 0x0A200000);
    ORRXrs DX_UX_UX_IMM [] [] [] form(F::RdRnRmShift, 0xAA000000);
    ORRWrs DW_UW_UW_IMM [] [] [] form(F::RdRnRmShift, 0x2A000000);
    ORNXrs DX_UX_UX_IMM [] [] [] form(F::RdRnRmShift, 0xAA200000);
    ORNWrs DW_UW_UW_IMM [] [] [] form(F::RdRnRmShift, 0x2A200000);
    EORXrs DX_UX_UX_IMM [] [] [] form(F::RdRnRmShift, 0xCA000000);
    EORWrs DW_UW_UW_IMM [] [] [] form(F::RdRnRmShift, 0x4A000000);
    EONXrs DX_UX_UX_IMM [] [] [] form(F::RdRnRmShift, 0xCA200000);
    EONWrs DW_UW_UW_IMM [] [] [] form(F::RdRnRmShift, 0x4A200000);
    ANDSXrs DX_UX_UX_IMM [NZCV] [] [] form(F::RdRnRmShift, 0xEA000000);
    ANDSWrs DW_UW_UW_IMM [NZCV] [] [] form(F::RdRnRmShift, 0x6A000000);
    MADDXrrr DX_UX_UX_UX [] [] [] form(F::RdRnRmRa, 0x9B000000);
    MADDWrrr DW_UW_UW_UW [] [] [] form(F::RdRnRmRa, 0x1B000000);
    MSUBXrrr DX_UX_UX_UX [] [] [] form(F::RdRnRmRa, 0x9B008000);
    MSUBWrrr DW_UW_UW_UW [] [] [] form(F::RdRnRmRa, 0x1B008000);
    SMADDLrrr DX_UW_UW_UX [] [] [] form(F::RdRnRmRa, 0x9B200000);
    SMSUBLrrr DX_UW_UW_UX [] [] [] form(F::RdRnRmRa, 0x9B208000);
    UMADDLrrr DX_UW_UW_UX [] [] [] form(F::RdRnRmRa, 0x9BA00000);
    UMSUBLrrr DX_UW_UW_UX [] [] [] form(F::RdRnRmRa, 0x9BA08000);
    SMULHrr DX_UX_UX [] [] [] form(F::RdRnRm, 0x9B407C00);
    UMULHrr DX_UX_UX [] [] [] form(F::RdRnRm, 0x9BC07C00);
    SDIVXr DX_UX_UX [] [] [] form(F::RdRnRm, 0x9AC00C00);
    SDIVWr DW_UW_UW [] [] [] form(F::RdRnRm, 0x1AC00C00);
    UDIVXr DX_UX_UX [] [] [] form(F::RdRnRm, 0x9AC00800);
    UDIVWr DW_UW_UW [] [] [] form(F::RdRnRm, 0x1AC00800);
    LSLVXr DX_UX_UX [] [] [] form(F::RdRnRm, 0x9AC02000);
    LSLVWr DW_UW_UW [] [] [] form(F::RdRnRm, 0x1AC02000);
    LSRVXr DX_UX_UX [] [] [] form(F::RdRnRm, 0x9AC02400);
    LSRVWr DW_UW_UW [] [] [] form(F::RdRnRm, 0x1AC02400);
    ASRVXr DX_UX_UX [] [] [] form(F::RdRnRm, 0x9AC02800);
    ASRVWr DW_UW_UW [] [] [] form(F::RdRnRm, 0x1AC02800);
    RORVXr DX_UX_UX [] [] [] form(F::RdRnRm, 0x9AC02C00);
    RORVWr DW_UW_UW [] [] [] form(F::RdRnRm, 0x1AC02C00);
    UBFMXri DX_UX_IMM_IMM [] [] [] form(F::RdRnBits64, 0xD3400000);
    UBFMWri DW_UW_IMM_IMM [] [] [] form(F::RdRnBits32, 0x53000000);
    SBFMXri DX_UX_IMM_IMM [] [] [] form(F::RdRnBits64, 0x93400000);
    SBFMWri DW_UW_IMM_IMM [] [] [] form(F::RdRnBits32, 0x13000000);
    EXTRXrri DX_UX_UX_IMM [] [] [] form(F::RdRnRmBit64, 0x93C00000);
    EXTRWrri DW_UW_UW_IMM [] [] [] form(F::RdRnRmBit32, 0x13800000);
    CSELXr DX_UX_UX_IMM [] [NZCV] [] form(F::RdRnRmCond, 0x9A800000);
    CSELWr DW_UW_UW_IMM [] [NZCV] [] form(F::RdRnRmCond, 0x1A800000);
    CSINCXr DX_UX_UX_IMM [] [NZCV] [] form(F::RdRnRmCond, 0x9A800400);
    CSINCWr DW_UW_UW_IMM [] [NZCV] [] form(F::RdRnRmCond, 0x1A800400);
    CSINVXr DX_UX_UX_IMM [] [NZCV] [] form(F::RdRnRmCond, 0xDA800000);
    CSINVWr DW_UW_UW_IMM [] [NZCV] [] form(F::RdRnRmCond, 0x5A800000);
    CSNEGXr DX_UX_UX_IMM [] [NZCV] [] form(F::RdRnRmCond, 0xDA800400);
    CSNEGWr DW_UW_UW_IMM [] [NZCV] [] form(F::RdRnRmCond, 0x5A800400);
    // Constants and addresses.
    MOVZXi DX_IMM_IMM [] [] [REMATERIALIZABLE] form(F::RdImm16, 0xD2800000);
    MOVZWi DW_IMM_IMM [] [] [REMATERIALIZABLE] form(F::RdImm16, 0x52800000);
    MOVNXi DX_IMM_IMM [] [] [REMATERIALIZABLE] form(F::RdImm16, 0x92800000);
    MOVNWi DW_IMM_IMM [] [] [REMATERIALIZABLE] form(F::RdImm16, 0x12800000);
    MOVKXi DX_T0X_IMM_IMM [] [] [] form(F::RdTiedImm16, 0xF2800000);
    MOVKWi DW_T0W_IMM_IMM [] [] [] form(F::RdTiedImm16, 0x72800000);
    ADR DX_CODE [] [] [] form(F::RdCode21, 0x10000000);
    ADRP DX_CODE [] [] [] form(F::RdCode21, 0x90000000);
    MOVaddr DC_IMM_IMM [] [] [PSEUDO] form(F::None, 0x00000000);
    // Control.
    B LABEL [] [] [BARRIER TERMINATOR BRANCH] form(F::Code26, 0x14000000);
    Bcc IMM_LABEL [] [NZCV] [TERMINATOR BRANCH] form(F::CondCode19, 0x54000000);
    CBZX UX_LABEL [] [] [TERMINATOR BRANCH] form(F::RtCode19, 0xB4000000);
    CBZW UW_LABEL [] [] [TERMINATOR BRANCH] form(F::RtCode19, 0x34000000);
    CBNZX UX_LABEL [] [] [TERMINATOR BRANCH] form(F::RtCode19, 0xB5000000);
    CBNZW UW_LABEL [] [] [TERMINATOR BRANCH] form(F::RtCode19, 0x35000000);
    TBZX UX_IMM_LABEL [] [] [TERMINATOR BRANCH] form(F::RtBitCode14, 0xB6000000);
    TBZW UW_IMM_LABEL [] [] [TERMINATOR BRANCH] form(F::RtBitCode14, 0x36000000);
    TBNZX UX_IMM_LABEL [] [] [TERMINATOR BRANCH] form(F::RtBitCode14, 0xB7000000);
    TBNZW UW_IMM_LABEL [] [] [TERMINATOR BRANCH] form(F::RtBitCode14, 0x37000000);
    BR UX [] [] [BARRIER TERMINATOR BRANCH INDIRECT] form(F::Rn, 0xD61F0000);
    BL LABEL [LR] [SP] [CALL] form(F::Code26, 0x94000000);
    BLR UX [LR] [SP] [CALL] form(F::Rn, 0xD63F0000);
    RET UX [] [] [RETURN BARRIER TERMINATOR] form(F::Rn, 0xD65F0000);
    TCRETURNri UT_IMM [] [SP] [RETURN BARRIER TERMINATOR] form(F::TailRn, 0xD61F0000);
    HINT NUMBER [] [] [LOAD STORE] form(F::Imm7, 0xD503201F);
    BRK NUMBER [] [] [] form(F::Imm16, 0xD4200000);
    PROBED_STACKALLOC_DYN UC [SP NZCV] [SP] [PSEUDO SPLITS] form(F::None, 0x00000000);
    // Loads and stores: scaled, unscaled, with a register of 64 or 32 bits as index.
    LDRBBui DW_M_IMM [] [] [LOAD(1)] form(F::RtRnOffset12, 0x39400000);
    LDURBBi DW_M_IMM [] [] [LOAD(1)] form(F::RtRnOffset9, 0x38400000);
    LDRBBroX DW_M_UX_IMM_IMM [] [] [LOAD(1)] form(F::RtRnRmIndex, 0x38606800);
    LDRBBroW DW_M_UW_IMM_IMM [] [] [LOAD(1)] form(F::RtRnRmIndex, 0x38604800);
    LDRSBXui DX_M_IMM [] [] [LOAD(1)] form(F::RtRnOffset12, 0x39800000);
    LDURSBXi DX_M_IMM [] [] [LOAD(1)] form(F::RtRnOffset9, 0x38800000);
    LDRSBXroX DX_M_UX_IMM_IMM [] [] [LOAD(1)] form(F::RtRnRmIndex, 0x38A06800);
    LDRSBXroW DX_M_UW_IMM_IMM [] [] [LOAD(1)] form(F::RtRnRmIndex, 0x38A04800);
    LDRHHui DW_M_IMM [] [] [LOAD(2)] form(F::RtRnOffset12, 0x79400000);
    LDURHHi DW_M_IMM [] [] [LOAD(2)] form(F::RtRnOffset9, 0x78400000);
    LDRHHroX DW_M_UX_IMM_IMM [] [] [LOAD(2)] form(F::RtRnRmIndex, 0x78606800);
    LDRHHroW DW_M_UW_IMM_IMM [] [] [LOAD(2)] form(F::RtRnRmIndex, 0x78604800);
    LDRSHXui DX_M_IMM [] [] [LOAD(2)] form(F::RtRnOffset12, 0x79800000);
    LDURSHXi DX_M_IMM [] [] [LOAD(2)] form(F::RtRnOffset9, 0x78800000);
    LDRSHXroX DX_M_UX_IMM_IMM [] [] [LOAD(2)] form(F::RtRnRmIndex, 0x78A06800);
    LDRSHXroW DX_M_UW_IMM_IMM [] [] [LOAD(2)] form(F::RtRnRmIndex, 0x78A04800);
    LDRWui DW_M_IMM [] [] [LOAD(4)] form(F::RtRnOffset12, 0xB9400000);
    LDURWi DW_M_IMM [] [] [LOAD(4)] form(F::RtRnOffset9, 0xB8400000);
    LDRWroX DW_M_UX_IMM_IMM [] [] [LOAD(4)] form(F::RtRnRmIndex, 0xB8606800);
    LDRWroW DW_M_UW_IMM_IMM [] [] [LOAD(4)] form(F::RtRnRmIndex, 0xB8604800);
    LDRSWui DX_M_IMM [] [] [LOAD(4)] form(F::RtRnOffset12, 0xB9800000);
    LDURSWi DX_M_IMM [] [] [LOAD(4)] form(F::RtRnOffset9, 0xB8800000);
    LDRSWroX DX_M_UX_IMM_IMM [] [] [LOAD(4)] form(F::RtRnRmIndex, 0xB8A06800);
    LDRSWroW DX_M_UW_IMM_IMM [] [] [LOAD(4)] form(F::RtRnRmIndex, 0xB8A04800);
    LDRXui DX_M_IMM [] [] [LOAD(8)] form(F::RtRnOffset12, 0xF9400000);
    LDURXi DX_M_IMM [] [] [LOAD(8)] form(F::RtRnOffset9, 0xF8400000);
    LDRXroX DX_M_UX_IMM_IMM [] [] [LOAD(8)] form(F::RtRnRmIndex, 0xF8606800);
    LDRXroW DX_M_UW_IMM_IMM [] [] [LOAD(8)] form(F::RtRnRmIndex, 0xF8604800);
    LDRSui DS_M_IMM [] [] [LOAD(4)] form(F::RtRnOffset12, 0xBD400000);
    LDURSi DS_M_IMM [] [] [LOAD(4)] form(F::RtRnOffset9, 0xBC400000);
    LDRSroX DS_M_UX_IMM_IMM [] [] [LOAD(4)] form(F::RtRnRmIndex, 0xBC606800);
    LDRSroW DS_M_UW_IMM_IMM [] [] [LOAD(4)] form(F::RtRnRmIndex, 0xBC604800);
    LDRDui DD_M_IMM [] [] [LOAD(8)] form(F::RtRnOffset12, 0xFD400000);
    LDURDi DD_M_IMM [] [] [LOAD(8)] form(F::RtRnOffset9, 0xFC400000);
    LDRDroX DD_M_UX_IMM_IMM [] [] [LOAD(8)] form(F::RtRnRmIndex, 0xFC606800);
    LDRDroW DD_M_UW_IMM_IMM [] [] [LOAD(8)] form(F::RtRnRmIndex, 0xFC604800);
    LDRQui DQ_M_IMM [] [] [LOAD(16)] form(F::RtRnOffset12, 0x3DC00000);
    LDURQi DQ_M_IMM [] [] [LOAD(16)] form(F::RtRnOffset9, 0x3CC00000);
    LDRQroX DQ_M_UX_IMM_IMM [] [] [LOAD(16)] form(F::RtRnRmIndex, 0x3CE06800);
    LDRQroW DQ_M_UW_IMM_IMM [] [] [LOAD(16)] form(F::RtRnRmIndex, 0x3CE04800);
    STRBBui UW_M_IMM [] [] [STORE(1)] form(F::RtRnOffset12, 0x39000000);
    STURBBi UW_M_IMM [] [] [STORE(1)] form(F::RtRnOffset9, 0x38000000);
    STRBBroX UW_M_UX_IMM_IMM [] [] [STORE(1)] form(F::RtRnRmIndex, 0x38206800);
    STRBBroW UW_M_UW_IMM_IMM [] [] [STORE(1)] form(F::RtRnRmIndex, 0x38204800);
    STRHHui UW_M_IMM [] [] [STORE(2)] form(F::RtRnOffset12, 0x79000000);
    STURHHi UW_M_IMM [] [] [STORE(2)] form(F::RtRnOffset9, 0x78000000);
    STRHHroX UW_M_UX_IMM_IMM [] [] [STORE(2)] form(F::RtRnRmIndex, 0x78206800);
    STRHHroW UW_M_UW_IMM_IMM [] [] [STORE(2)] form(F::RtRnRmIndex, 0x78204800);
    STRWui UW_M_IMM [] [] [STORE(4)] form(F::RtRnOffset12, 0xB9000000);
    STURWi UW_M_IMM [] [] [STORE(4)] form(F::RtRnOffset9, 0xB8000000);
    STRWroX UW_M_UX_IMM_IMM [] [] [STORE(4)] form(F::RtRnRmIndex, 0xB8206800);
    STRWroW UW_M_UW_IMM_IMM [] [] [STORE(4)] form(F::RtRnRmIndex, 0xB8204800);
    STRXui UX_M_IMM [] [] [STORE(8)] form(F::RtRnOffset12, 0xF9000000);
    STURXi UX_M_IMM [] [] [STORE(8)] form(F::RtRnOffset9, 0xF8000000);
    STRXroX UX_M_UX_IMM_IMM [] [] [STORE(8)] form(F::RtRnRmIndex, 0xF8206800);
    STRXroW UX_M_UW_IMM_IMM [] [] [STORE(8)] form(F::RtRnRmIndex, 0xF8204800);
    STRSui US_M_IMM [] [] [STORE(4)] form(F::RtRnOffset12, 0xBD000000);
    STURSi US_M_IMM [] [] [STORE(4)] form(F::RtRnOffset9, 0xBC000000);
    STRSroX US_M_UX_IMM_IMM [] [] [STORE(4)] form(F::RtRnRmIndex, 0xBC206800);
    STRSroW US_M_UW_IMM_IMM [] [] [STORE(4)] form(F::RtRnRmIndex, 0xBC204800);
    STRDui UD_M_IMM [] [] [STORE(8)] form(F::RtRnOffset12, 0xFD000000);
    STURDi UD_M_IMM [] [] [STORE(8)] form(F::RtRnOffset9, 0xFC000000);
    STRDroX UD_M_UX_IMM_IMM [] [] [STORE(8)] form(F::RtRnRmIndex, 0xFC206800);
    STRDroW UD_M_UW_IMM_IMM [] [] [STORE(8)] form(F::RtRnRmIndex, 0xFC204800);
    STRQui UQ_M_IMM [] [] [STORE(16)] form(F::RtRnOffset12, 0x3D800000);
    STURQi UQ_M_IMM [] [] [STORE(16)] form(F::RtRnOffset9, 0x3C800000);
    STRQroX UQ_M_UX_IMM_IMM [] [] [STORE(16)] form(F::RtRnRmIndex, 0x3CA06800);
    STRQroW UQ_M_UW_IMM_IMM [] [] [STORE(16)] form(F::RtRnRmIndex, 0x3CA04800);
    // Loads and stores of pairs, literal loads.
    STPXi UX_UX_M_IMM [] [] [STORE(8)] form(F::RtRt2RnOffset7, 0xA9000000);
    LDPXi DX_DX_M_IMM [] [] [LOAD(8)] form(F::RtRt2RnOffset7, 0xA9400000);
    STPDi UD_UD_M_IMM [] [] [STORE(8)] form(F::RtRt2RnOffset7, 0x6D000000);
    LDPDi DD_DD_M_IMM [] [] [LOAD(8)] form(F::RtRt2RnOffset7, 0x6D400000);
    STPXpre EP_UX_UX_T0P_IMM [] [] [STORE(8)] form(F::PairPre, 0xA9800000);
    LDPXpost EP_DX_DX_T0P_IMM [] [] [LOAD(8)] form(F::PairPre, 0xA8C00000);
    LDRXl DX_CODE [] [] [LOAD(8)] form(F::RtCode19, 0x58000000);
    LDRSl DS_CODE [] [] [LOAD(4)] form(F::RtCode19, 0x1C000000);
    LDRDl DD_CODE [] [] [LOAD(8)] form(F::RtCode19, 0x5C000000);
    // Floats and doubles.
    FMOVDr DD_UD [] [] [] form(F::RdRn, 0x1E604000);
    FMOVSr DS_US [] [] [] form(F::RdRn, 0x1E204000);
    FNEGDr DD_UD [] [] [] form(F::RdRn, 0x1E614000);
    FNEGSr DS_US [] [] [] form(F::RdRn, 0x1E214000);
    FADDDrr DD_UD_UD [] [FPCR] [] form(F::RdRnRm, 0x1E602800);
    FADDSrr DS_US_US [] [FPCR] [] form(F::RdRnRm, 0x1E202800);
    FSUBDrr DD_UD_UD [] [FPCR] [] form(F::RdRnRm, 0x1E603800);
    FSUBSrr DS_US_US [] [FPCR] [] form(F::RdRnRm, 0x1E203800);
    FMULDrr DD_UD_UD [] [FPCR] [] form(F::RdRnRm, 0x1E600800);
    FMULSrr DS_US_US [] [FPCR] [] form(F::RdRnRm, 0x1E200800);
    FDIVDrr DD_UD_UD [] [FPCR] [] form(F::RdRnRm, 0x1E601800);
    FDIVSrr DS_US_US [] [FPCR] [] form(F::RdRnRm, 0x1E201800);
    FCMPDrr UD_UD [NZCV] [FPCR] [] form(F::RnRm, 0x1E602000);
    FCMPSrr US_US [NZCV] [FPCR] [] form(F::RnRm, 0x1E202000);
    FCMPDri UD [NZCV] [FPCR] [] form(F::Rn, 0x1E602008);
    FCMPSri US [NZCV] [FPCR] [] form(F::Rn, 0x1E202008);
    FCVTDSr DD_US [] [FPCR] [] form(F::RdRn, 0x1E22C000);
    FCVTSDr DS_UD [] [FPCR] [] form(F::RdRn, 0x1E624000);
    SCVTFUXDri DD_UX [] [FPCR] [] form(F::RdRn, 0x9E620000);
    SCVTFUXSri DS_UX [] [FPCR] [] form(F::RdRn, 0x9E220000);
    UCVTFUXDri DD_UX [] [FPCR] [] form(F::RdRn, 0x9E630000);
    UCVTFUXSri DS_UX [] [FPCR] [] form(F::RdRn, 0x9E230000);
    SCVTFUWDri DD_UW [] [FPCR] [] form(F::RdRn, 0x1E620000);
    SCVTFUWSri DS_UW [] [FPCR] [] form(F::RdRn, 0x1E220000);
    UCVTFUWDri DD_UW [] [FPCR] [] form(F::RdRn, 0x1E630000);
    UCVTFUWSri DS_UW [] [FPCR] [] form(F::RdRn, 0x1E230000);
    FCVTZSUXDr DX_UD [] [FPCR] [] form(F::RdRn, 0x9E780000);
    FCVTZSUXSr DX_US [] [FPCR] [] form(F::RdRn, 0x9E380000);
    FMOVXDr DD_UX [] [] [] form(F::RdRn, 0x9E670000);
    FMOVDXr DX_UD [] [] [] form(F::RdRn, 0x9E660000);
    FMOVWSr DS_UW [] [] [] form(F::RdRn, 0x1E270000);
    FMOVSWr DW_US [] [] [] form(F::RdRn, 0x1E260000);
    FMOVDi DD_IMM [] [] [REMATERIALIZABLE] form(F::RdFloat8, 0x1E601000);
    FMOVSi DS_IMM [] [] [REMATERIALIZABLE] form(F::RdFloat8, 0x1E201000);
    FCSELDrrr DD_UD_UD_IMM [] [NZCV] [] form(F::RdRnRmCond, 0x1E600C00);
    FCSELSrrr DS_US_US_IMM [] [NZCV] [] form(F::RdRnRmCond, 0x1E200C00);
}
