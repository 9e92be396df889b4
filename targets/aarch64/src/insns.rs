//! The instruction table of aarch64: LLVM's opcode names, operands, implicit registers, encodings.
//!
//! Sections are those of the Arm Architecture Reference Manual for A-profile, chapter C3, which
//! lists the instructions by group; chapters C6 and C7 describe each under its name.
//!
//! As in LLVM, offsets of scaled loads and stores and of pairs count in units of their size,
//! logical immediates are encoded, a shift is its kind (LSL, LSR, ASR, ROR) times 64 plus the
//! amount, and an extension its kind (UXTB to UXTX, SXTB to SXTX) times 8 plus the amount.

use super::encoding::{
    code26, cond_code19, imm4, imm7, none, pair_pre, rd_code21, rd_float8, rd_imm16, rd_rn,
    rd_rn_bits32, rd_rn_bits64, rd_rn_imm12, rd_rn_logical32, rd_rn_logical64, rd_rn_rm,
    rd_rn_rm_bit32, rd_rn_rm_bit64, rd_rn_rm_cond, rd_rn_rm_extend, rd_rn_rm_ra, rd_rn_rm_shift,
    rd_tied_imm16, rn, rn_rm, rs_rt_rn, rt_bit_code14, rt_code19, rt_rn_offset9, rt_rn_offset12,
    rt_rn_rm_index, rt_rs_rn, rt_rt2_rn_offset7, tail_rn, tied_rs_rt_rn,
};
use super::registers::{
    CLASSES, FPCR, FPR32, FPR64, FPR128, GPR32, GPR32SP, GPR64, GPR64COMMON, GPR64SP, LR, NZCV, SP,
    TCGPR64,
};
use mir_nostd::target::OperandRow::{self, Address, Def, EarlyDef, Immediate, Label, Tied, Use};

// Operands: D a definition, E an early-clobber definition, T a use tied to the first one, U a use;
// of 64 (X) and 32 bits (W), the same or the stack pointer (P, V), neither that nor the zero
// register (C), those that tail calls take (T), doubles (D), floats (S), quads (Q).
const DX: OperandRow = Def(GPR64);
const DW: OperandRow = Def(GPR32);
const DP: OperandRow = Def(GPR64SP);
const DV: OperandRow = Def(GPR32SP);
const DC: OperandRow = Def(GPR64COMMON);
const DD: OperandRow = Def(FPR64);
const DS: OperandRow = Def(FPR32);
const DQ: OperandRow = Def(FPR128);
const EX: OperandRow = EarlyDef(GPR64);
const EW: OperandRow = EarlyDef(GPR32);
const EP: OperandRow = EarlyDef(GPR64SP);
const TX: OperandRow = Tied(GPR64, 0);
const TW: OperandRow = Tied(GPR32, 0);
const TP: OperandRow = Tied(GPR64SP, 0);
const UX: OperandRow = Use(GPR64);
const UW: OperandRow = Use(GPR32);
const UP: OperandRow = Use(GPR64SP);
const UV: OperandRow = Use(GPR32SP);
const UC: OperandRow = Use(GPR64COMMON);
const UT: OperandRow = Use(TCGPR64);
const UD: OperandRow = Use(FPR64);
const US: OperandRow = Use(FPR32);
const UQ: OperandRow = Use(FPR128);
/// The base of an address; before frame layout it may be a frame object.
const A: OperandRow = Address(GPR64SP);
/// An immediate, or a place relative to the code.
const I: OperandRow = Immediate;
/// A block or a symbol.
const L: OperandRow = Label;

mir_nostd::instruction_table! {
    classes CLASSES;

    // Name               Operands        Writes    Reads  Flags              Encoding

    // Data processing (immediate): arithmetic.
    ADDXri                [DP A I I]      []        []     []                 rd_rn_imm12(0x9100_0000);
    ADDWri                [DV UV I I]     []        []     []                 rd_rn_imm12(0x1100_0000);
    ADDSXri               [DX UP I I]     [NZCV]    []     []                 rd_rn_imm12(0xB100_0000);
    ADDSWri               [DW UV I I]     [NZCV]    []     []                 rd_rn_imm12(0x3100_0000);
    SUBXri                [DP A I I]      []        []     []                 rd_rn_imm12(0xD100_0000);
    SUBWri                [DV UV I I]     []        []     []                 rd_rn_imm12(0x5100_0000);
    SUBSXri               [DX UP I I]     [NZCV]    []     []                 rd_rn_imm12(0xF100_0000);
    SUBSWri               [DW UV I I]     [NZCV]    []     []                 rd_rn_imm12(0x7100_0000);

    // Data processing (register): arithmetic, shifted register.
    ADDXrs                [DX UX UX I]    []        []     []                 rd_rn_rm_shift(0x8B00_0000);
    ADDWrs                [DW UW UW I]    []        []     []                 rd_rn_rm_shift(0x0B00_0000);
    ADDSXrs               [DX UX UX I]    [NZCV]    []     []                 rd_rn_rm_shift(0xAB00_0000);
    ADDSWrs               [DW UW UW I]    [NZCV]    []     []                 rd_rn_rm_shift(0x2B00_0000);
    SUBXrs                [DX UX UX I]    []        []     []                 rd_rn_rm_shift(0xCB00_0000);
    SUBWrs                [DW UW UW I]    []        []     []                 rd_rn_rm_shift(0x4B00_0000);
    SUBSXrs               [DX UX UX I]    [NZCV]    []     []                 rd_rn_rm_shift(0xEB00_0000);
    SUBSWrs               [DW UW UW I]    [NZCV]    []     []                 rd_rn_rm_shift(0x6B00_0000);

    // Data processing (register): arithmetic, extended register.
    ADDXrx                [DP UP UW I]    []        []     []                 rd_rn_rm_extend(0x8B20_0000);
    ADDXrx64              [DP UP UX I]    []        []     []                 rd_rn_rm_extend(0x8B20_0000);
    SUBXrx                [DP UP UW I]    []        []     []                 rd_rn_rm_extend(0xCB20_0000);
    SUBXrx64              [DP UP UX I]    []        []     []                 rd_rn_rm_extend(0xCB20_0000);
    SUBSXrx               [DX UP UW I]    [NZCV]    []     []                 rd_rn_rm_extend(0xEB20_0000);
    SUBSXrx64             [DX UP UX I]    [NZCV]    []     []                 rd_rn_rm_extend(0xEB20_0000);

    // Data processing (immediate): logical.
    ANDXri                [DP UX I]       []        []     []                 rd_rn_logical64(0x9200_0000);
    ANDWri                [DV UW I]       []        []     []                 rd_rn_logical32(0x1200_0000);
    ORRXri                [DP UX I]       []        []     []                 rd_rn_logical64(0xB200_0000);
    ORRWri                [DV UW I]       []        []     []                 rd_rn_logical32(0x3200_0000);
    EORXri                [DP UX I]       []        []     []                 rd_rn_logical64(0xD200_0000);
    EORWri                [DV UW I]       []        []     []                 rd_rn_logical32(0x5200_0000);

    // Data processing (register): logical, shifted register.
    ANDXrs                [DX UX UX I]    []        []     []                 rd_rn_rm_shift(0x8A00_0000);
    ANDWrs                [DW UW UW I]    []        []     []                 rd_rn_rm_shift(0x0A00_0000);
    BICXrs                [DX UX UX I]    []        []     []                 rd_rn_rm_shift(0x8A20_0000);
    BICWrs                [DW UW UW I]    []        []     []                 rd_rn_rm_shift(0x0A20_0000);
    ORRXrs                [DX UX UX I]    []        []     []                 rd_rn_rm_shift(0xAA00_0000);
    ORRWrs                [DW UW UW I]    []        []     []                 rd_rn_rm_shift(0x2A00_0000);
    ORNXrs                [DX UX UX I]    []        []     []                 rd_rn_rm_shift(0xAA20_0000);
    ORNWrs                [DW UW UW I]    []        []     []                 rd_rn_rm_shift(0x2A20_0000);
    EORXrs                [DX UX UX I]    []        []     []                 rd_rn_rm_shift(0xCA00_0000);
    EORWrs                [DW UW UW I]    []        []     []                 rd_rn_rm_shift(0x4A00_0000);
    EONXrs                [DX UX UX I]    []        []     []                 rd_rn_rm_shift(0xCA20_0000);
    EONWrs                [DW UW UW I]    []        []     []                 rd_rn_rm_shift(0x4A20_0000);

    // Data processing (register): multiply and divide.
    MADDXrrr              [DX UX UX UX]   []        []     []                 rd_rn_rm_ra(0x9B00_0000);
    MADDWrrr              [DW UW UW UW]   []        []     []                 rd_rn_rm_ra(0x1B00_0000);
    MSUBXrrr              [DX UX UX UX]   []        []     []                 rd_rn_rm_ra(0x9B00_8000);
    MSUBWrrr              [DW UW UW UW]   []        []     []                 rd_rn_rm_ra(0x1B00_8000);
    SMADDLrrr             [DX UW UW UX]   []        []     []                 rd_rn_rm_ra(0x9B20_0000);
    UMADDLrrr             [DX UW UW UX]   []        []     []                 rd_rn_rm_ra(0x9BA0_0000);
    SMULHrr               [DX UX UX]      []        []     []                 rd_rn_rm(0x9B40_7C00);
    UMULHrr               [DX UX UX]      []        []     []                 rd_rn_rm(0x9BC0_7C00);
    SDIVXr                [DX UX UX]      []        []     []                 rd_rn_rm(0x9AC0_0C00);
    SDIVWr                [DW UW UW]      []        []     []                 rd_rn_rm(0x1AC0_0C00);
    UDIVXr                [DX UX UX]      []        []     []                 rd_rn_rm(0x9AC0_0800);
    UDIVWr                [DW UW UW]      []        []     []                 rd_rn_rm(0x1AC0_0800);

    // Data processing (register): shift.
    LSLVXr                [DX UX UX]      []        []     []                 rd_rn_rm(0x9AC0_2000);
    LSLVWr                [DW UW UW]      []        []     []                 rd_rn_rm(0x1AC0_2000);
    LSRVXr                [DX UX UX]      []        []     []                 rd_rn_rm(0x9AC0_2400);
    LSRVWr                [DW UW UW]      []        []     []                 rd_rn_rm(0x1AC0_2400);
    ASRVXr                [DX UX UX]      []        []     []                 rd_rn_rm(0x9AC0_2800);
    ASRVWr                [DW UW UW]      []        []     []                 rd_rn_rm(0x1AC0_2800);
    RORVXr                [DX UX UX]      []        []     []                 rd_rn_rm(0x9AC0_2C00);
    RORVWr                [DW UW UW]      []        []     []                 rd_rn_rm(0x1AC0_2C00);

    // Data processing (register): bit operations.
    CLZXr                 [DX UX]         []        []     []                 rd_rn(0xDAC0_1000);
    CLZWr                 [DW UW]         []        []     []                 rd_rn(0x5AC0_1000);
    RBITXr                [DX UX]         []        []     []                 rd_rn(0xDAC0_0000);
    RBITWr                [DW UW]         []        []     []                 rd_rn(0x5AC0_0000);
    REVXr                 [DX UX]         []        []     []                 rd_rn(0xDAC0_0C00);
    REVWr                 [DW UW]         []        []     []                 rd_rn(0x5AC0_0800);

    // Data processing (immediate): bitfield move and extract.
    UBFMXri               [DX UX I I]     []        []     []                 rd_rn_bits64(0xD340_0000);
    UBFMWri               [DW UW I I]     []        []     []                 rd_rn_bits32(0x5300_0000);
    SBFMXri               [DX UX I I]     []        []     []                 rd_rn_bits64(0x9340_0000);
    SBFMWri               [DW UW I I]     []        []     []                 rd_rn_bits32(0x1300_0000);
    EXTRXrri              [DX UX UX I]    []        []     []                 rd_rn_rm_bit64(0x93C0_0000);
    EXTRWrri              [DW UW UW I]    []        []     []                 rd_rn_rm_bit32(0x1380_0000);

    // Data processing (register): conditional select.
    CSELXr                [DX UX UX I]    []        [NZCV] []                 rd_rn_rm_cond(0x9A80_0000);
    CSINCWr               [DW UW UW I]    []        [NZCV] []                 rd_rn_rm_cond(0x1A80_0400);

    // Data processing (immediate): move wide, PC-relative address.
    MOVZXi                [DX I I]        []        []     [REMATERIALIZABLE] rd_imm16(0xD280_0000);
    MOVZWi                [DW I I]        []        []     [REMATERIALIZABLE] rd_imm16(0x5280_0000);
    MOVNXi                [DX I I]        []        []     [REMATERIALIZABLE] rd_imm16(0x9280_0000);
    MOVNWi                [DW I I]        []        []     [REMATERIALIZABLE] rd_imm16(0x1280_0000);
    MOVKXi                [DX TX I I]     []        []     []                 rd_tied_imm16(0xF280_0000);
    MOVKWi                [DW TW I I]     []        []     []                 rd_tied_imm16(0x7280_0000);
    ADR                   [DX I]          []        []     []                 rd_code21(0x1000_0000);
    ADRP                  [DX I]          []        []     []                 rd_code21(0x9000_0000);
    MOVaddr               [DC I I]        []        []     [PSEUDO]           none(0);

    // Branches, exception generating and system instructions.
    B                     [L]             []        []     [BARRIER TERMINATOR BRANCH] code26(0x1400_0000);
    Bcc                   [I L]           []        [NZCV] [TERMINATOR BRANCH] cond_code19(0x5400_0000);
    CBZX                  [UX L]          []        []     [TERMINATOR BRANCH] rt_code19(0xB400_0000);
    CBZW                  [UW L]          []        []     [TERMINATOR BRANCH] rt_code19(0x3400_0000);
    CBNZX                 [UX L]          []        []     [TERMINATOR BRANCH] rt_code19(0xB500_0000);
    CBNZW                 [UW L]          []        []     [TERMINATOR BRANCH] rt_code19(0x3500_0000);
    TBZX                  [UX I L]        []        []     [TERMINATOR BRANCH] rt_bit_code14(0xB600_0000);
    TBZW                  [UW I L]        []        []     [TERMINATOR BRANCH] rt_bit_code14(0x3600_0000);
    TBNZX                 [UX I L]        []        []     [TERMINATOR BRANCH] rt_bit_code14(0xB700_0000);
    TBNZW                 [UW I L]        []        []     [TERMINATOR BRANCH] rt_bit_code14(0x3700_0000);
    BR                    [UX]            []        []     [BARRIER TERMINATOR BRANCH INDIRECT] rn(0xD61F_0000);
    BL                    [L]             [LR]      [SP]   [CALL]             code26(0x9400_0000);
    BLR                   [UX]            [LR]      [SP]   [CALL]             rn(0xD63F_0000);
    RET                   [UX]            []        []     [RETURN BARRIER TERMINATOR] rn(0xD65F_0000);
    TCRETURNri            [UT I]          []        [SP]   [RETURN BARRIER TERMINATOR] tail_rn(0xD61F_0000);
    HINT                  [I]             []        []     [LOAD STORE]       imm7(0xD503_201F);

    // Barriers, and nothing that anything moves across.
    DMB                   [I]             []        []     [LOAD STORE]       imm4(0xD503_30BF);
    MEMBARRIER            []              []        []     [PSEUDO LOAD STORE] none(0);

    // Loads and stores: load-acquire and store-release, alone and exclusive.
    LDARB                 [DW UP]         []        []     [LOAD(1)]          rd_rn(0x08DF_FC00);
    LDARH                 [DW UP]         []        []     [LOAD(2)]          rd_rn(0x48DF_FC00);
    LDARW                 [DW UP]         []        []     [LOAD(4)]          rd_rn(0x88DF_FC00);
    LDARX                 [DX UP]         []        []     [LOAD(8)]          rd_rn(0xC8DF_FC00);
    STLRB                 [UW UP]         []        []     [STORE(1)]         rd_rn(0x089F_FC00);
    STLRH                 [UW UP]         []        []     [STORE(2)]         rd_rn(0x489F_FC00);
    STLRW                 [UW UP]         []        []     [STORE(4)]         rd_rn(0x889F_FC00);
    STLRX                 [UX UP]         []        []     [STORE(8)]         rd_rn(0xC89F_FC00);
    LDXRB                 [DW UP]         []        []     [LOAD STORE(1)]    rd_rn(0x085F_7C00);
    LDXRH                 [DW UP]         []        []     [LOAD STORE(2)]    rd_rn(0x485F_7C00);
    LDXRW                 [DW UP]         []        []     [LOAD STORE(4)]    rd_rn(0x885F_7C00);
    LDXRX                 [DX UP]         []        []     [LOAD STORE(8)]    rd_rn(0xC85F_7C00);
    LDAXRB                [DW UP]         []        []     [LOAD STORE(1)]    rd_rn(0x085F_FC00);
    LDAXRH                [DW UP]         []        []     [LOAD STORE(2)]    rd_rn(0x485F_FC00);
    LDAXRW                [DW UP]         []        []     [LOAD STORE(4)]    rd_rn(0x885F_FC00);
    LDAXRX                [DX UP]         []        []     [LOAD STORE(8)]    rd_rn(0xC85F_FC00);
    STXRB                 [EW UW UP]      []        []     [LOAD STORE(1)]    rs_rt_rn(0x0800_7C00);
    STXRH                 [EW UW UP]      []        []     [LOAD STORE(2)]    rs_rt_rn(0x4800_7C00);
    STXRW                 [EW UW UP]      []        []     [LOAD STORE(4)]    rs_rt_rn(0x8800_7C00);
    STXRX                 [EW UX UP]      []        []     [LOAD STORE(8)]    rs_rt_rn(0xC800_7C00);
    STLXRB                [EW UW UP]      []        []     [LOAD STORE(1)]    rs_rt_rn(0x0800_FC00);
    STLXRH                [EW UW UP]      []        []     [LOAD STORE(2)]    rs_rt_rn(0x4800_FC00);
    STLXRW                [EW UW UP]      []        []     [LOAD STORE(4)]    rs_rt_rn(0x8800_FC00);
    STLXRX                [EW UX UP]      []        []     [LOAD STORE(8)]    rs_rt_rn(0xC800_FC00);

    // Loads and stores: compare and swap, swap, and atomic operations on memory: add, clear bits,
    // exclusive-or, set bits, signed and unsigned maximum and minimum.
    CASB                  [DW TW UW UP]   []        []     [LOAD STORE(1)]    tied_rs_rt_rn(0x08A0_7C00);
    CASH                  [DW TW UW UP]   []        []     [LOAD STORE(2)]    tied_rs_rt_rn(0x48A0_7C00);
    CASW                  [DW TW UW UP]   []        []     [LOAD STORE(4)]    tied_rs_rt_rn(0x88A0_7C00);
    CASX                  [DX TX UX UP]   []        []     [LOAD STORE(8)]    tied_rs_rt_rn(0xC8A0_7C00);
    CASAB                 [DW TW UW UP]   []        []     [LOAD STORE(1)]    tied_rs_rt_rn(0x08E0_7C00);
    CASAH                 [DW TW UW UP]   []        []     [LOAD STORE(2)]    tied_rs_rt_rn(0x48E0_7C00);
    CASAW                 [DW TW UW UP]   []        []     [LOAD STORE(4)]    tied_rs_rt_rn(0x88E0_7C00);
    CASAX                 [DX TX UX UP]   []        []     [LOAD STORE(8)]    tied_rs_rt_rn(0xC8E0_7C00);
    CASLB                 [DW TW UW UP]   []        []     [LOAD STORE(1)]    tied_rs_rt_rn(0x08A0_FC00);
    CASLH                 [DW TW UW UP]   []        []     [LOAD STORE(2)]    tied_rs_rt_rn(0x48A0_FC00);
    CASLW                 [DW TW UW UP]   []        []     [LOAD STORE(4)]    tied_rs_rt_rn(0x88A0_FC00);
    CASLX                 [DX TX UX UP]   []        []     [LOAD STORE(8)]    tied_rs_rt_rn(0xC8A0_FC00);
    CASALB                [DW TW UW UP]   []        []     [LOAD STORE(1)]    tied_rs_rt_rn(0x08E0_FC00);
    CASALH                [DW TW UW UP]   []        []     [LOAD STORE(2)]    tied_rs_rt_rn(0x48E0_FC00);
    CASALW                [DW TW UW UP]   []        []     [LOAD STORE(4)]    tied_rs_rt_rn(0x88E0_FC00);
    CASALX                [DX TX UX UP]   []        []     [LOAD STORE(8)]    tied_rs_rt_rn(0xC8E0_FC00);
    SWPB                  [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_8000);
    SWPH                  [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_8000);
    SWPW                  [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_8000);
    SWPX                  [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_8000);
    SWPAB                 [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_8000);
    SWPAH                 [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_8000);
    SWPAW                 [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_8000);
    SWPAX                 [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_8000);
    SWPLB                 [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_8000);
    SWPLH                 [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_8000);
    SWPLW                 [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_8000);
    SWPLX                 [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_8000);
    SWPALB                [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_8000);
    SWPALH                [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_8000);
    SWPALW                [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_8000);
    SWPALX                [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_8000);
    LDADDB                [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_0000);
    LDADDH                [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_0000);
    LDADDW                [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_0000);
    LDADDX                [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_0000);
    LDADDAB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_0000);
    LDADDAH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_0000);
    LDADDAW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_0000);
    LDADDAX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_0000);
    LDADDLB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_0000);
    LDADDLH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_0000);
    LDADDLW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_0000);
    LDADDLX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_0000);
    LDADDALB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_0000);
    LDADDALH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_0000);
    LDADDALW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_0000);
    LDADDALX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_0000);
    LDCLRB                [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_1000);
    LDCLRH                [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_1000);
    LDCLRW                [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_1000);
    LDCLRX                [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_1000);
    LDCLRAB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_1000);
    LDCLRAH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_1000);
    LDCLRAW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_1000);
    LDCLRAX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_1000);
    LDCLRLB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_1000);
    LDCLRLH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_1000);
    LDCLRLW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_1000);
    LDCLRLX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_1000);
    LDCLRALB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_1000);
    LDCLRALH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_1000);
    LDCLRALW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_1000);
    LDCLRALX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_1000);
    LDEORB                [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_2000);
    LDEORH                [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_2000);
    LDEORW                [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_2000);
    LDEORX                [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_2000);
    LDEORAB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_2000);
    LDEORAH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_2000);
    LDEORAW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_2000);
    LDEORAX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_2000);
    LDEORLB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_2000);
    LDEORLH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_2000);
    LDEORLW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_2000);
    LDEORLX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_2000);
    LDEORALB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_2000);
    LDEORALH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_2000);
    LDEORALW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_2000);
    LDEORALX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_2000);
    LDSETB                [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_3000);
    LDSETH                [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_3000);
    LDSETW                [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_3000);
    LDSETX                [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_3000);
    LDSETAB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_3000);
    LDSETAH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_3000);
    LDSETAW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_3000);
    LDSETAX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_3000);
    LDSETLB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_3000);
    LDSETLH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_3000);
    LDSETLW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_3000);
    LDSETLX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_3000);
    LDSETALB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_3000);
    LDSETALH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_3000);
    LDSETALW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_3000);
    LDSETALX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_3000);
    LDSMAXB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_4000);
    LDSMAXH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_4000);
    LDSMAXW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_4000);
    LDSMAXX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_4000);
    LDSMAXAB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_4000);
    LDSMAXAH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_4000);
    LDSMAXAW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_4000);
    LDSMAXAX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_4000);
    LDSMAXLB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_4000);
    LDSMAXLH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_4000);
    LDSMAXLW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_4000);
    LDSMAXLX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_4000);
    LDSMAXALB             [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_4000);
    LDSMAXALH             [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_4000);
    LDSMAXALW             [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_4000);
    LDSMAXALX             [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_4000);
    LDSMINB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_5000);
    LDSMINH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_5000);
    LDSMINW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_5000);
    LDSMINX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_5000);
    LDSMINAB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_5000);
    LDSMINAH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_5000);
    LDSMINAW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_5000);
    LDSMINAX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_5000);
    LDSMINLB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_5000);
    LDSMINLH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_5000);
    LDSMINLW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_5000);
    LDSMINLX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_5000);
    LDSMINALB             [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_5000);
    LDSMINALH             [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_5000);
    LDSMINALW             [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_5000);
    LDSMINALX             [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_5000);
    LDUMAXB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_6000);
    LDUMAXH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_6000);
    LDUMAXW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_6000);
    LDUMAXX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_6000);
    LDUMAXAB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_6000);
    LDUMAXAH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_6000);
    LDUMAXAW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_6000);
    LDUMAXAX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_6000);
    LDUMAXLB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_6000);
    LDUMAXLH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_6000);
    LDUMAXLW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_6000);
    LDUMAXLX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_6000);
    LDUMAXALB             [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_6000);
    LDUMAXALH             [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_6000);
    LDUMAXALW             [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_6000);
    LDUMAXALX             [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_6000);
    LDUMINB               [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3820_7000);
    LDUMINH               [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7820_7000);
    LDUMINW               [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB820_7000);
    LDUMINX               [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF820_7000);
    LDUMINAB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38A0_7000);
    LDUMINAH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78A0_7000);
    LDUMINAW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8A0_7000);
    LDUMINAX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8A0_7000);
    LDUMINLB              [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x3860_7000);
    LDUMINLH              [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x7860_7000);
    LDUMINLW              [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB860_7000);
    LDUMINLX              [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF860_7000);
    LDUMINALB             [DW UW UP]      []        []     [LOAD STORE(1)]    rt_rs_rn(0x38E0_7000);
    LDUMINALH             [DW UW UP]      []        []     [LOAD STORE(2)]    rt_rs_rn(0x78E0_7000);
    LDUMINALW             [DW UW UP]      []        []     [LOAD STORE(4)]    rt_rs_rn(0xB8E0_7000);
    LDUMINALX             [DX UX UP]      []        []     [LOAD STORE(8)]    rt_rs_rn(0xF8E0_7000);

    // Expanded to a loop when registers are known: result, scratch, address, expected, new,
    // order.
    CMP_SWAP_8            [EW EW UP UW UW I] [NZCV]   []     [PSEUDO LOAD STORE SPLITS] none(0);
    CMP_SWAP_16           [EW EW UP UW UW I] [NZCV]   []     [PSEUDO LOAD STORE SPLITS] none(0);
    CMP_SWAP_32           [EW EW UP UW UW I] [NZCV]   []     [PSEUDO LOAD STORE SPLITS] none(0);
    CMP_SWAP_64           [EX EW UP UX UX I] [NZCV]   []     [PSEUDO LOAD STORE SPLITS] none(0);

    // Expanded to a loop when the frame is known.
    PROBED_STACKALLOC_DYN [UC]            [SP NZCV] [SP]   [PSEUDO SPLITS]    none(0);

    // Loads and stores: a register with a scaled offset, with an unscaled one, with an index of 64
    // or of 32 bits.
    LDRBBui               [DW A I]        []        []     [LOAD(1)]          rt_rn_offset12(0x3940_0000);
    LDURBBi               [DW A I]        []        []     [LOAD(1)]          rt_rn_offset9(0x3840_0000);
    LDRBBroX              [DW A UX I I]   []        []     [LOAD(1)]          rt_rn_rm_index(0x3860_6800);
    LDRBBroW              [DW A UW I I]   []        []     [LOAD(1)]          rt_rn_rm_index(0x3860_4800);
    LDRSBXui              [DX A I]        []        []     [LOAD(1)]          rt_rn_offset12(0x3980_0000);
    LDURSBXi              [DX A I]        []        []     [LOAD(1)]          rt_rn_offset9(0x3880_0000);
    LDRSBXroX             [DX A UX I I]   []        []     [LOAD(1)]          rt_rn_rm_index(0x38A0_6800);
    LDRSBXroW             [DX A UW I I]   []        []     [LOAD(1)]          rt_rn_rm_index(0x38A0_4800);
    LDRHHui               [DW A I]        []        []     [LOAD(2)]          rt_rn_offset12(0x7940_0000);
    LDURHHi               [DW A I]        []        []     [LOAD(2)]          rt_rn_offset9(0x7840_0000);
    LDRHHroX              [DW A UX I I]   []        []     [LOAD(2)]          rt_rn_rm_index(0x7860_6800);
    LDRHHroW              [DW A UW I I]   []        []     [LOAD(2)]          rt_rn_rm_index(0x7860_4800);
    LDRSHXui              [DX A I]        []        []     [LOAD(2)]          rt_rn_offset12(0x7980_0000);
    LDURSHXi              [DX A I]        []        []     [LOAD(2)]          rt_rn_offset9(0x7880_0000);
    LDRSHXroX             [DX A UX I I]   []        []     [LOAD(2)]          rt_rn_rm_index(0x78A0_6800);
    LDRSHXroW             [DX A UW I I]   []        []     [LOAD(2)]          rt_rn_rm_index(0x78A0_4800);
    LDRWui                [DW A I]        []        []     [LOAD(4)]          rt_rn_offset12(0xB940_0000);
    LDURWi                [DW A I]        []        []     [LOAD(4)]          rt_rn_offset9(0xB840_0000);
    LDRWroX               [DW A UX I I]   []        []     [LOAD(4)]          rt_rn_rm_index(0xB860_6800);
    LDRWroW               [DW A UW I I]   []        []     [LOAD(4)]          rt_rn_rm_index(0xB860_4800);
    LDRSWui               [DX A I]        []        []     [LOAD(4)]          rt_rn_offset12(0xB980_0000);
    LDURSWi               [DX A I]        []        []     [LOAD(4)]          rt_rn_offset9(0xB880_0000);
    LDRSWroX              [DX A UX I I]   []        []     [LOAD(4)]          rt_rn_rm_index(0xB8A0_6800);
    LDRSWroW              [DX A UW I I]   []        []     [LOAD(4)]          rt_rn_rm_index(0xB8A0_4800);
    LDRXui                [DX A I]        []        []     [LOAD(8)]          rt_rn_offset12(0xF940_0000);
    LDURXi                [DX A I]        []        []     [LOAD(8)]          rt_rn_offset9(0xF840_0000);
    LDRXroX               [DX A UX I I]   []        []     [LOAD(8)]          rt_rn_rm_index(0xF860_6800);
    LDRXroW               [DX A UW I I]   []        []     [LOAD(8)]          rt_rn_rm_index(0xF860_4800);

    // Loads and stores (SIMD and floating-point), with the same four forms of an address.
    LDRSui                [DS A I]        []        []     [LOAD(4)]          rt_rn_offset12(0xBD40_0000);
    LDURSi                [DS A I]        []        []     [LOAD(4)]          rt_rn_offset9(0xBC40_0000);
    LDRSroX               [DS A UX I I]   []        []     [LOAD(4)]          rt_rn_rm_index(0xBC60_6800);
    LDRSroW               [DS A UW I I]   []        []     [LOAD(4)]          rt_rn_rm_index(0xBC60_4800);
    LDRDui                [DD A I]        []        []     [LOAD(8)]          rt_rn_offset12(0xFD40_0000);
    LDURDi                [DD A I]        []        []     [LOAD(8)]          rt_rn_offset9(0xFC40_0000);
    LDRDroX               [DD A UX I I]   []        []     [LOAD(8)]          rt_rn_rm_index(0xFC60_6800);
    LDRDroW               [DD A UW I I]   []        []     [LOAD(8)]          rt_rn_rm_index(0xFC60_4800);
    LDRQui                [DQ A I]        []        []     [LOAD(16)]         rt_rn_offset12(0x3DC0_0000);
    LDURQi                [DQ A I]        []        []     [LOAD(16)]         rt_rn_offset9(0x3CC0_0000);
    LDRQroX               [DQ A UX I I]   []        []     [LOAD(16)]         rt_rn_rm_index(0x3CE0_6800);

    // Loads and stores: stores of a register.
    STRBBui               [UW A I]        []        []     [STORE(1)]         rt_rn_offset12(0x3900_0000);
    STURBBi               [UW A I]        []        []     [STORE(1)]         rt_rn_offset9(0x3800_0000);
    STRBBroX              [UW A UX I I]   []        []     [STORE(1)]         rt_rn_rm_index(0x3820_6800);
    STRBBroW              [UW A UW I I]   []        []     [STORE(1)]         rt_rn_rm_index(0x3820_4800);
    STRHHui               [UW A I]        []        []     [STORE(2)]         rt_rn_offset12(0x7900_0000);
    STURHHi               [UW A I]        []        []     [STORE(2)]         rt_rn_offset9(0x7800_0000);
    STRHHroX              [UW A UX I I]   []        []     [STORE(2)]         rt_rn_rm_index(0x7820_6800);
    STRHHroW              [UW A UW I I]   []        []     [STORE(2)]         rt_rn_rm_index(0x7820_4800);
    STRWui                [UW A I]        []        []     [STORE(4)]         rt_rn_offset12(0xB900_0000);
    STURWi                [UW A I]        []        []     [STORE(4)]         rt_rn_offset9(0xB800_0000);
    STRWroX               [UW A UX I I]   []        []     [STORE(4)]         rt_rn_rm_index(0xB820_6800);
    STRWroW               [UW A UW I I]   []        []     [STORE(4)]         rt_rn_rm_index(0xB820_4800);
    STRXui                [UX A I]        []        []     [STORE(8)]         rt_rn_offset12(0xF900_0000);
    STURXi                [UX A I]        []        []     [STORE(8)]         rt_rn_offset9(0xF800_0000);
    STRXroX               [UX A UX I I]   []        []     [STORE(8)]         rt_rn_rm_index(0xF820_6800);
    STRXroW               [UX A UW I I]   []        []     [STORE(8)]         rt_rn_rm_index(0xF820_4800);

    // Loads and stores (SIMD and floating-point): stores of a register.
    STRSui                [US A I]        []        []     [STORE(4)]         rt_rn_offset12(0xBD00_0000);
    STURSi                [US A I]        []        []     [STORE(4)]         rt_rn_offset9(0xBC00_0000);
    STRSroX               [US A UX I I]   []        []     [STORE(4)]         rt_rn_rm_index(0xBC20_6800);
    STRSroW               [US A UW I I]   []        []     [STORE(4)]         rt_rn_rm_index(0xBC20_4800);
    STRDui                [UD A I]        []        []     [STORE(8)]         rt_rn_offset12(0xFD00_0000);
    STURDi                [UD A I]        []        []     [STORE(8)]         rt_rn_offset9(0xFC00_0000);
    STRDroX               [UD A UX I I]   []        []     [STORE(8)]         rt_rn_rm_index(0xFC20_6800);
    STRDroW               [UD A UW I I]   []        []     [STORE(8)]         rt_rn_rm_index(0xFC20_4800);
    STRQui                [UQ A I]        []        []     [STORE(16)]        rt_rn_offset12(0x3D80_0000);
    STURQi                [UQ A I]        []        []     [STORE(16)]        rt_rn_offset9(0x3C80_0000);
    STRQroX               [UQ A UX I I]   []        []     [STORE(16)]        rt_rn_rm_index(0x3CA0_6800);

    // Loads and stores: pairs.
    STPXi                 [UX UX A I]     []        []     [STORE(8)]         rt_rt2_rn_offset7(0xA900_0000);
    LDPXi                 [DX DX A I]     []        []     [LOAD(8)]          rt_rt2_rn_offset7(0xA940_0000);
    STPDi                 [UD UD A I]     []        []     [STORE(8)]         rt_rt2_rn_offset7(0x6D00_0000);
    LDPDi                 [DD DD A I]     []        []     [LOAD(8)]          rt_rt2_rn_offset7(0x6D40_0000);
    STPXpre               [EP UX UX TP I] []        []     [STORE(8)]         pair_pre(0xA980_0000);
    LDPXpost              [EP DX DX TP I] []        []     [LOAD(8)]          pair_pre(0xA8C0_0000);

    // Loads and stores: literals.
    LDRXl                 [DX I]          []        []     [LOAD(8)]          rt_code19(0x5800_0000);
    LDRSl                 [DS I]          []        []     [LOAD(4)]          rt_code19(0x1C00_0000);
    LDRDl                 [DD I]          []        []     [LOAD(8)]          rt_code19(0x5C00_0000);

    // Data processing (SIMD and floating-point): move, arithmetic.
    FMOVDr                [DD UD]         []        []     []                 rd_rn(0x1E60_4000);
    FNEGDr                [DD UD]         []        []     []                 rd_rn(0x1E61_4000);
    FNEGSr                [DS US]         []        []     []                 rd_rn(0x1E21_4000);
    FADDDrr               [DD UD UD]      []        [FPCR] []                 rd_rn_rm(0x1E60_2800);
    FADDSrr               [DS US US]      []        [FPCR] []                 rd_rn_rm(0x1E20_2800);
    FSUBDrr               [DD UD UD]      []        [FPCR] []                 rd_rn_rm(0x1E60_3800);
    FSUBSrr               [DS US US]      []        [FPCR] []                 rd_rn_rm(0x1E20_3800);
    FMULDrr               [DD UD UD]      []        [FPCR] []                 rd_rn_rm(0x1E60_0800);
    FMULSrr               [DS US US]      []        [FPCR] []                 rd_rn_rm(0x1E20_0800);
    FDIVDrr               [DD UD UD]      []        [FPCR] []                 rd_rn_rm(0x1E60_1800);
    FDIVSrr               [DS US US]      []        [FPCR] []                 rd_rn_rm(0x1E20_1800);

    FSQRTDr               [DD UD]         []        [FPCR] []                 rd_rn(0x1E61_C000);
    FSQRTSr               [DS US]         []        [FPCR] []                 rd_rn(0x1E21_C000);
    FMADDDrrr             [DD UD UD UD]   []        [FPCR] []                 rd_rn_rm_ra(0x1F40_0000);
    FMADDSrrr             [DS US US US]   []        [FPCR] []                 rd_rn_rm_ra(0x1F00_0000);

    // Data processing (SIMD and floating-point): minimum and maximum, round to integral value.
    FMINNMDrr             [DD UD UD]      []        [FPCR] []                 rd_rn_rm(0x1E60_7800);
    FMINNMSrr             [DS US US]      []        [FPCR] []                 rd_rn_rm(0x1E20_7800);
    FMAXNMDrr             [DD UD UD]      []        [FPCR] []                 rd_rn_rm(0x1E60_6800);
    FMAXNMSrr             [DS US US]      []        [FPCR] []                 rd_rn_rm(0x1E20_6800);
    FRINTNDr              [DD UD]         []        [FPCR] []                 rd_rn(0x1E64_4000);
    FRINTNSr              [DS US]         []        [FPCR] []                 rd_rn(0x1E24_4000);
    FRINTPDr              [DD UD]         []        [FPCR] []                 rd_rn(0x1E64_C000);
    FRINTPSr              [DS US]         []        [FPCR] []                 rd_rn(0x1E24_C000);
    FRINTMDr              [DD UD]         []        [FPCR] []                 rd_rn(0x1E65_4000);
    FRINTMSr              [DS US]         []        [FPCR] []                 rd_rn(0x1E25_4000);
    FRINTZDr              [DD UD]         []        [FPCR] []                 rd_rn(0x1E65_C000);
    FRINTZSr              [DS US]         []        [FPCR] []                 rd_rn(0x1E25_C000);

    // Data processing (SIMD and floating-point): compare.
    FCMPDrr               [UD UD]         [NZCV]    [FPCR] []                 rn_rm(0x1E60_2000);
    FCMPSrr               [US US]         [NZCV]    [FPCR] []                 rn_rm(0x1E20_2000);

    // Data processing (SIMD and floating-point): conversion.
    FCVTDSr               [DD US]         []        [FPCR] []                 rd_rn(0x1E22_C000);
    FCVTSDr               [DS UD]         []        [FPCR] []                 rd_rn(0x1E62_4000);
    SCVTFUXDri            [DD UX]         []        [FPCR] []                 rd_rn(0x9E62_0000);
    SCVTFUXSri            [DS UX]         []        [FPCR] []                 rd_rn(0x9E22_0000);
    UCVTFUXDri            [DD UX]         []        [FPCR] []                 rd_rn(0x9E63_0000);
    UCVTFUXSri            [DS UX]         []        [FPCR] []                 rd_rn(0x9E23_0000);
    FCVTZSUXDr            [DX UD]         []        [FPCR] []                 rd_rn(0x9E78_0000);
    FCVTZSUXSr            [DX US]         []        [FPCR] []                 rd_rn(0x9E38_0000);

    // Data processing (SIMD and floating-point): move between banks, move of an immediate.
    FMOVXDr               [DD UX]         []        []     []                 rd_rn(0x9E67_0000);
    FMOVWSr               [DS UW]         []        []     []                 rd_rn(0x1E27_0000);
    FMOVDXr               [DX UD]         []        []     []                 rd_rn(0x9E66_0000);
    FMOVSWr               [DW US]         []        []     []                 rd_rn(0x1E26_0000);
    FMOVDi                [DD I]          []        []     [REMATERIALIZABLE] rd_float8(0x1E60_1000);
    FMOVSi                [DS I]          []        []     [REMATERIALIZABLE] rd_float8(0x1E20_1000);
}
