//! The instruction table of `x86_64`: LLVM's opcode names, operands, implicit registers, encodings.
//!
//! A memory operand is five operands as LLVM has them: base, scale, index, displacement, segment.

use super::encoding::{Encoding, digit, mr, plus_reg, raw, rm};
use super::regs::{
    CL, EAX, EDX, EFLAGS, FPCW, FPSW, FR32, FR64, GR8, GR16, GR32, GR64, GR64_NOSP, GR64_TC, MXCSR,
    RAX, RDX, RSP, RST, SEGMENT_REG, SSP, ST0, VR128,
};
use mir_nostd::machine::{Opcode, Reg};
use mir_nostd::target::OperandRow::{self, Address, Def, Label, Tied, Use};
use mir_nostd::target::{InsnFlags, InsnRow, List, Name};

type Shape = &'static [OperandRow];

const BASE: OperandRow = Address(GR64);
const INDEX: OperandRow = Address(GR64_NOSP);
const SEGMENT: OperandRow = Address(SEGMENT_REG);
const IMM: OperandRow = OperandRow::Immediate;

// The lists of operands: D a definition, T a use tied to the first one, U a use, with its width in
// bits or S and D for floats and doubles, V for xmm registers.
const D32: Shape = &[Def(GR32)];
const D32_IMM: Shape = &[Def(GR32), IMM];
const D32_MEM: Shape = &[Def(GR32), BASE, IMM, INDEX, IMM, SEGMENT];
const D32_T32: Shape = &[Def(GR32), Tied(GR32, 0)];
const D32_T32_IMM: Shape = &[Def(GR32), Tied(GR32, 0), IMM];
const D32_T32_MEM: Shape = &[Def(GR32), Tied(GR32, 0), BASE, IMM, INDEX, IMM, SEGMENT];
const D32_T32_U32: Shape = &[Def(GR32), Tied(GR32, 0), Use(GR32)];
const D32_T32_U32_IMM: Shape = &[Def(GR32), Tied(GR32, 0), Use(GR32), IMM];
const D32_U16: Shape = &[Def(GR32), Use(GR16)];
const D32_U32: Shape = &[Def(GR32), Use(GR32)];
const D32_U32_IMM: Shape = &[Def(GR32), Use(GR32), IMM];
const D32_U8: Shape = &[Def(GR32), Use(GR8)];
const D32_US: Shape = &[Def(GR32), Use(FR32)];
const D64: Shape = &[Def(GR64)];
const D64_IMM: Shape = &[Def(GR64), IMM];
const D64_MEM: Shape = &[Def(GR64), BASE, IMM, INDEX, IMM, SEGMENT];
const D64_T64: Shape = &[Def(GR64), Tied(GR64, 0)];
const D64_T64_IMM: Shape = &[Def(GR64), Tied(GR64, 0), IMM];
const D64_T64_MEM: Shape = &[Def(GR64), Tied(GR64, 0), BASE, IMM, INDEX, IMM, SEGMENT];
const D64_T64_U64: Shape = &[Def(GR64), Tied(GR64, 0), Use(GR64)];
const D64_T64_U64_IMM: Shape = &[Def(GR64), Tied(GR64, 0), Use(GR64), IMM];
const D64_U16: Shape = &[Def(GR64), Use(GR16)];
const D64_U32: Shape = &[Def(GR64), Use(GR32)];
const D64_U64: Shape = &[Def(GR64), Use(GR64)];
const D64_U64_IMM: Shape = &[Def(GR64), Use(GR64), IMM];
const D64_U8: Shape = &[Def(GR64), Use(GR8)];
const D64_UD: Shape = &[Def(GR64), Use(FR64)];
const D64_US: Shape = &[Def(GR64), Use(FR32)];
const D8_IMM: Shape = &[Def(GR8), IMM];
const DD: Shape = &[Def(FR64)];
const DD_MEM: Shape = &[Def(FR64), BASE, IMM, INDEX, IMM, SEGMENT];
const DD_TD_MEM: Shape = &[Def(FR64), Tied(FR64, 0), BASE, IMM, INDEX, IMM, SEGMENT];
const DD_TD_UD: Shape = &[Def(FR64), Tied(FR64, 0), Use(FR64)];
const DD_U64: Shape = &[Def(FR64), Use(GR64)];
const DD_US: Shape = &[Def(FR64), Use(FR32)];
const DS: Shape = &[Def(FR32)];
const DS_MEM: Shape = &[Def(FR32), BASE, IMM, INDEX, IMM, SEGMENT];
const DS_TS_MEM: Shape = &[Def(FR32), Tied(FR32, 0), BASE, IMM, INDEX, IMM, SEGMENT];
const DS_TS_US: Shape = &[Def(FR32), Tied(FR32, 0), Use(FR32)];
const DS_U32: Shape = &[Def(FR32), Use(GR32)];
const DS_UD: Shape = &[Def(FR32), Use(FR64)];
const DV_TV_MEM: Shape = &[Def(VR128), Tied(VR128, 0), BASE, IMM, INDEX, IMM, SEGMENT];
const DV_TV_UV: Shape = &[Def(VR128), Tied(VR128, 0), Use(VR128)];
const DV_TV_U64: Shape = &[Def(VR128), Tied(VR128, 0), Use(GR64)];
const DV_UV: Shape = &[Def(VR128), Use(VR128)];
const LABEL: Shape = &[Label];
const LABEL_IMM: Shape = &[Label, IMM];
const MEM: Shape = &[BASE, IMM, INDEX, IMM, SEGMENT];
const MEM_IMM: Shape = &[BASE, IMM, INDEX, IMM, SEGMENT, IMM];
const MEM_U16: Shape = &[BASE, IMM, INDEX, IMM, SEGMENT, Use(GR16)];
const MEM_U32: Shape = &[BASE, IMM, INDEX, IMM, SEGMENT, Use(GR32)];
const MEM_U64: Shape = &[BASE, IMM, INDEX, IMM, SEGMENT, Use(GR64)];
const MEM_U8: Shape = &[BASE, IMM, INDEX, IMM, SEGMENT, Use(GR8)];
const MEM_UD: Shape = &[BASE, IMM, INDEX, IMM, SEGMENT, Use(FR64)];
const MEM_US: Shape = &[BASE, IMM, INDEX, IMM, SEGMENT, Use(FR32)];
const NONE: Shape = &[];
const U32: Shape = &[Use(GR32)];
const U32_IMM: Shape = &[Use(GR32), IMM];
const U32_MEM: Shape = &[Use(GR32), BASE, IMM, INDEX, IMM, SEGMENT];
const U32_U32: Shape = &[Use(GR32), Use(GR32)];
const U64: Shape = &[Use(GR64)];
const U64_IMM: Shape = &[Use(GR64), IMM];
const U64_MEM: Shape = &[Use(GR64), BASE, IMM, INDEX, IMM, SEGMENT];
const U64_U64: Shape = &[Use(GR64), Use(GR64)];
const U8_U8: Shape = &[Use(GR8), Use(GR8)];
const UD_MEM: Shape = &[Use(FR64), BASE, IMM, INDEX, IMM, SEGMENT];
const UD_UD: Shape = &[Use(FR64), Use(FR64)];
const UST: Shape = &[Use(RST)];
const US_MEM: Shape = &[Use(FR32), BASE, IMM, INDEX, IMM, SEGMENT];
const US_US: Shape = &[Use(FR32), Use(FR32)];
const UTC: Shape = &[Use(GR64_TC)];

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
    // Moves of integers.
    MOV64rr D64_U64 [] [] [] mr(0x89).w();
    MOV32rr D32_U32 [] [] [] mr(0x89);
    MOV32ri D32_IMM [] [] [REMATERIALIZABLE] plus_reg(0xB8).imm32();
    MOV64ri32 D64_IMM [] [] [REMATERIALIZABLE] digit(0xC7, 0).w().imm32();
    MOV64ri D64_IMM [] [] [REMATERIALIZABLE] plus_reg(0xB8).w().imm64();
    MOV32r0 D32 [EFLAGS] [] [PSEUDO] raw(0);
    MOV8mr MEM_U8 [] [] [STORE(1)] mr(0x88);
    MOV16mr MEM_U16 [] [] [STORE(2)] mr(0x89).p66();
    MOV32mr MEM_U32 [] [] [STORE(4)] mr(0x89);
    MOV64mr MEM_U64 [] [] [STORE(8)] mr(0x89).w();
    MOV8mi MEM_IMM [] [] [STORE(1)] digit(0xC6, 0).imm8();
    MOV16mi MEM_IMM [] [] [STORE(2)] digit(0xC7, 0).p66().imm16();
    MOV32mi MEM_IMM [] [] [STORE(4)] digit(0xC7, 0).imm32();
    MOV64mi32 MEM_IMM [] [] [STORE(8)] digit(0xC7, 0).w().imm32();
    MOV32rm D32_MEM [] [] [LOAD(4)] rm(0x8B);
    MOV64rm D64_MEM [] [] [LOAD(8)] rm(0x8B).w();
    MOVZX32rm8 D32_MEM [] [] [LOAD(1)] rm(0xB6).map();
    MOVZX32rm16 D32_MEM [] [] [LOAD(2)] rm(0xB7).map();
    MOVSX64rm8 D64_MEM [] [] [LOAD(1)] rm(0xBE).map().w();
    MOVSX64rm16 D64_MEM [] [] [LOAD(2)] rm(0xBF).map().w();
    MOVSX64rm32 D64_MEM [] [] [LOAD(4)] rm(0x63).w();
    MOVZX32rr8 D32_U8 [] [] [] rm(0xB6).map();
    MOVZX32rr16 D32_U16 [] [] [] rm(0xB7).map();
    MOVSX64rr8 D64_U8 [] [] [] rm(0xBE).map().w();
    MOVSX64rr16 D64_U16 [] [] [] rm(0xBF).map().w();
    MOVSX64rr32 D64_U32 [] [] [] rm(0x63).w();
    LEA64r D64_MEM [] [] [] rm(0x8D).w();
    LEA64_32r D32_MEM [] [] [] rm(0x8D);
    PUSH64r U64 [RSP] [RSP] [STORE(8)] plus_reg(0x50);
    POP64r D64 [RSP] [RSP] [LOAD(8)] plus_reg(0x58);
    // Arithmetic on integers.
    ADD64rr D64_T64_U64 [EFLAGS] [] [] mr(0x01).w();
    ADD32rr D32_T32_U32 [EFLAGS] [] [] mr(0x01);
    ADD64ri32 D64_T64_IMM [EFLAGS] [] [] digit(0x81, 0).w().short();
    ADD32ri D32_T32_IMM [EFLAGS] [] [] digit(0x81, 0).short();
    ADD64rm D64_T64_MEM [EFLAGS] [] [LOAD(8)] rm(0x03).w();
    ADD32rm D32_T32_MEM [EFLAGS] [] [LOAD(4)] rm(0x03);
    OR64rr D64_T64_U64 [EFLAGS] [] [] mr(0x09).w();
    OR32rr D32_T32_U32 [EFLAGS] [] [] mr(0x09);
    OR64ri32 D64_T64_IMM [EFLAGS] [] [] digit(0x81, 1).w().short();
    OR32ri D32_T32_IMM [EFLAGS] [] [] digit(0x81, 1).short();
    OR64rm D64_T64_MEM [EFLAGS] [] [LOAD(8)] rm(0x0B).w();
    OR32rm D32_T32_MEM [EFLAGS] [] [LOAD(4)] rm(0x0B);
    AND64rr D64_T64_U64 [EFLAGS] [] [] mr(0x21).w();
    AND32rr D32_T32_U32 [EFLAGS] [] [] mr(0x21);
    AND64ri32 D64_T64_IMM [EFLAGS] [] [] digit(0x81, 4).w().short();
    AND32ri D32_T32_IMM [EFLAGS] [] [] digit(0x81, 4).short();
    AND64rm D64_T64_MEM [EFLAGS] [] [LOAD(8)] rm(0x23).w();
    AND32rm D32_T32_MEM [EFLAGS] [] [LOAD(4)] rm(0x23);
    SUB64rr D64_T64_U64 [EFLAGS] [] [] mr(0x29).w();
    SUB32rr D32_T32_U32 [EFLAGS] [] [] mr(0x29);
    SUB64ri32 D64_T64_IMM [EFLAGS] [] [] digit(0x81, 5).w().short();
    SUB32ri D32_T32_IMM [EFLAGS] [] [] digit(0x81, 5).short();
    SUB64rm D64_T64_MEM [EFLAGS] [] [LOAD(8)] rm(0x2B).w();
    SUB32rm D32_T32_MEM [EFLAGS] [] [LOAD(4)] rm(0x2B);
    XOR64rr D64_T64_U64 [EFLAGS] [] [] mr(0x31).w();
    XOR32rr D32_T32_U32 [EFLAGS] [] [] mr(0x31);
    XOR64ri32 D64_T64_IMM [EFLAGS] [] [] digit(0x81, 6).w().short();
    XOR32ri D32_T32_IMM [EFLAGS] [] [] digit(0x81, 6).short();
    XOR64rm D64_T64_MEM [EFLAGS] [] [LOAD(8)] rm(0x33).w();
    XOR32rm D32_T32_MEM [EFLAGS] [] [LOAD(4)] rm(0x33);
    CMP64rr U64_U64 [EFLAGS] [] [] mr(0x39).w();
    CMP32rr U32_U32 [EFLAGS] [] [] mr(0x39);
    CMP64ri32 U64_IMM [EFLAGS] [] [] digit(0x81, 7).w().short();
    CMP32ri U32_IMM [EFLAGS] [] [] digit(0x81, 7).short();
    CMP64rm U64_MEM [EFLAGS] [] [LOAD(8)] rm(0x3B).w();
    CMP32rm U32_MEM [EFLAGS] [] [LOAD(4)] rm(0x3B);
    CMP64mi32 MEM_IMM [EFLAGS] [] [LOAD(8)] digit(0x81, 7).w().short();
    CMP32mi MEM_IMM [EFLAGS] [] [LOAD(4)] digit(0x81, 7).short();
    OR64mi32 MEM_IMM [EFLAGS] [] [LOAD STORE(8)] digit(0x81, 1).w().short();
    TEST64rr U64_U64 [EFLAGS] [] [] mr(0x85).w();
    TEST32rr U32_U32 [EFLAGS] [] [] mr(0x85);
    TEST8rr U8_U8 [EFLAGS] [] [] mr(0x84);
    TEST64ri32 U64_IMM [EFLAGS] [] [] digit(0xF7, 0).w().short();
    TEST32ri U32_IMM [EFLAGS] [] [] digit(0xF7, 0).short();
    IMUL64rr D64_T64_U64 [EFLAGS] [] [] rm(0xAF).map().w();
    IMUL32rr D32_T32_U32 [EFLAGS] [] [] rm(0xAF).map();
    IMUL64rm D64_T64_MEM [EFLAGS] [] [LOAD(8)] rm(0xAF).map().w();
    IMUL32rm D32_T32_MEM [EFLAGS] [] [LOAD(4)] rm(0xAF).map();
    IMUL64rri32 D64_U64_IMM [EFLAGS] [] [] rm(0x69).w().short();
    IMUL32rri D32_U32_IMM [EFLAGS] [] [] rm(0x69).short();
    MUL64r U64 [RAX RDX EFLAGS] [RAX] [] digit(0xF7, 4).w();
    MUL32r U32 [EAX EDX EFLAGS] [EAX] [] digit(0xF7, 4);
    IMUL64r U64 [RAX RDX EFLAGS] [RAX] [] digit(0xF7, 5).w();
    DIV64r U64 [RAX RDX EFLAGS] [RAX RDX] [] digit(0xF7, 6).w();
    DIV32r U32 [EAX EDX EFLAGS] [EAX EDX] [] digit(0xF7, 6);
    IDIV64r U64 [RAX RDX EFLAGS] [RAX RDX] [] digit(0xF7, 7).w();
    IDIV32r U32 [EAX EDX EFLAGS] [EAX EDX] [] digit(0xF7, 7);
    CQO NONE [RAX RDX] [RAX] [] raw(0x99).w();
    CDQ NONE [EAX EDX] [EAX] [] raw(0x99);
    NEG64r D64_T64 [EFLAGS] [] [] digit(0xF7, 3).w();
    NEG32r D32_T32 [EFLAGS] [] [] digit(0xF7, 3);
    NOT64r D64_T64 [] [] [] digit(0xF7, 2).w();
    NOT32r D32_T32 [] [] [] digit(0xF7, 2);
    SHL64rCL D64_T64 [EFLAGS] [CL] [] digit(0xD3, 4).w();
    SHL32rCL D32_T32 [EFLAGS] [CL] [] digit(0xD3, 4);
    SHL64ri D64_T64_IMM [EFLAGS] [] [] digit(0xC1, 4).w().short();
    SHL32ri D32_T32_IMM [EFLAGS] [] [] digit(0xC1, 4).short();
    SHR64rCL D64_T64 [EFLAGS] [CL] [] digit(0xD3, 5).w();
    SHR32rCL D32_T32 [EFLAGS] [CL] [] digit(0xD3, 5);
    SHR64ri D64_T64_IMM [EFLAGS] [] [] digit(0xC1, 5).w().short();
    SHR32ri D32_T32_IMM [EFLAGS] [] [] digit(0xC1, 5).short();
    SAR64rCL D64_T64 [EFLAGS] [CL] [] digit(0xD3, 7).w();
    SAR32rCL D32_T32 [EFLAGS] [CL] [] digit(0xD3, 7);
    SAR64ri D64_T64_IMM [EFLAGS] [] [] digit(0xC1, 7).w().short();
    SAR32ri D32_T32_IMM [EFLAGS] [] [] digit(0xC1, 7).short();
    ROL64rCL D64_T64 [EFLAGS] [CL] [] digit(0xD3, 0).w();
    ROL32rCL D32_T32 [EFLAGS] [CL] [] digit(0xD3, 0);
    ROL64ri D64_T64_IMM [EFLAGS] [] [] digit(0xC1, 0).w().short();
    ROL32ri D32_T32_IMM [EFLAGS] [] [] digit(0xC1, 0).short();
    SETCCr D8_IMM [] [EFLAGS] [] digit(0x90, 0).map().condition();
    CMOV64rr D64_T64_U64_IMM [] [EFLAGS] [] rm(0x40).map().w().condition();
    CMOV32rr D32_T32_U32_IMM [] [EFLAGS] [] rm(0x40).map().condition();
    // Control.
    JCC_1 LABEL_IMM [] [EFLAGS] [TERMINATOR BRANCH] raw(0x70).condition().near();
    JCC_4 LABEL_IMM [] [EFLAGS] [TERMINATOR BRANCH] raw(0x80).map().condition().far();
    JMP_1 LABEL [] [] [BARRIER TERMINATOR BRANCH] raw(0xEB).near();
    JMP_4 LABEL [] [] [BARRIER TERMINATOR BRANCH] raw(0xE9).far();
    JMP64r U64 [] [] [BARRIER TERMINATOR BRANCH INDIRECT] digit(0xFF, 4);
    JMP64m MEM [] [] [BARRIER TERMINATOR BRANCH INDIRECT LOAD(8)] digit(0xFF, 4);
    TAILJMPr64 UTC [] [RSP SSP] [RETURN BARRIER TERMINATOR] digit(0xFF, 4);
    CALL64r U64 [] [RSP SSP] [CALL] digit(0xFF, 2);
    CALL64m MEM [] [RSP SSP] [CALL LOAD(8)] digit(0xFF, 2);
    CALL64pcrel32 LABEL [] [RSP SSP] [CALL] raw(0xE8).far();
    RET64 NONE [] [] [RETURN BARRIER TERMINATOR] raw(0xC3);
    TRAP NONE [] [] [] raw(0x0B).map();
    ENDBR64 NONE [] [] [] digit(0x1E, 7).fixed_rm(2).map().pf3();
    PROBED_ALLOCA_64 D64_U64 [RAX RSP EFLAGS] [RSP] [PSEUDO SPLITS] raw(0);
    // Floats and doubles.
    FsFLD0SS DS [] [] [PSEUDO REMATERIALIZABLE] raw(0);
    FsFLD0SD DD [] [] [PSEUDO REMATERIALIZABLE] raw(0);
    MOVSSrm_alt DS_MEM [] [] [LOAD(4)] rm(0x10).map().pf3();
    MOVSDrm_alt DD_MEM [] [] [LOAD(8)] rm(0x10).map().pf2();
    MOVSSmr MEM_US [] [] [STORE(4)] mr(0x11).map().pf3();
    MOVSDmr MEM_UD [] [] [STORE(8)] mr(0x11).map().pf2();
    MOVAPSrr DV_UV [] [] [] rm(0x28).map();
    MOV64toSDrr DD_U64 [] [] [] rm(0x6E).map().p66().w();
    MOVSDto64rr D64_UD [] [] [] mr(0x7E).map().p66().w();
    MOVDI2SSrr DS_U32 [] [] [] rm(0x6E).map().p66();
    MOVSS2DIrr D32_US [] [] [] mr(0x7E).map().p66();
    ADDSSrr DS_TS_US [] [MXCSR] [] rm(0x58).map().pf3();
    ADDSDrr DD_TD_UD [] [MXCSR] [] rm(0x58).map().pf2();
    ADDSSrm DS_TS_MEM [] [MXCSR] [LOAD(4)] rm(0x58).map().pf3();
    ADDSDrm DD_TD_MEM [] [MXCSR] [LOAD(8)] rm(0x58).map().pf2();
    SUBSSrr DS_TS_US [] [MXCSR] [] rm(0x5C).map().pf3();
    SUBSDrr DD_TD_UD [] [MXCSR] [] rm(0x5C).map().pf2();
    SUBSSrm DS_TS_MEM [] [MXCSR] [LOAD(4)] rm(0x5C).map().pf3();
    SUBSDrm DD_TD_MEM [] [MXCSR] [LOAD(8)] rm(0x5C).map().pf2();
    MULSSrr DS_TS_US [] [MXCSR] [] rm(0x59).map().pf3();
    MULSDrr DD_TD_UD [] [MXCSR] [] rm(0x59).map().pf2();
    MULSSrm DS_TS_MEM [] [MXCSR] [LOAD(4)] rm(0x59).map().pf3();
    MULSDrm DD_TD_MEM [] [MXCSR] [LOAD(8)] rm(0x59).map().pf2();
    DIVSSrr DS_TS_US [] [MXCSR] [] rm(0x5E).map().pf3();
    DIVSDrr DD_TD_UD [] [MXCSR] [] rm(0x5E).map().pf2();
    DIVSSrm DS_TS_MEM [] [MXCSR] [LOAD(4)] rm(0x5E).map().pf3();
    DIVSDrm DD_TD_MEM [] [MXCSR] [LOAD(8)] rm(0x5E).map().pf2();
    XORPSrr DV_TV_UV [] [] [] rm(0x57).map();
    XORPSrm DV_TV_MEM [] [] [LOAD(16)] rm(0x57).map();
    UCOMISSrr US_US [EFLAGS] [MXCSR] [] rm(0x2E).map();
    UCOMISDrr UD_UD [EFLAGS] [MXCSR] [] rm(0x2E).map().p66();
    UCOMISSrm US_MEM [EFLAGS] [MXCSR] [LOAD(4)] rm(0x2E).map();
    UCOMISDrm UD_MEM [EFLAGS] [MXCSR] [LOAD(8)] rm(0x2E).map().p66();
    CVTSI642SSrr_Int DV_TV_U64 [] [MXCSR] [] rm(0x2A).map().pf3().w();
    CVTSI642SDrr_Int DV_TV_U64 [] [MXCSR] [] rm(0x2A).map().pf2().w();
    CVTTSS2SI64rr D64_US [] [MXCSR] [] rm(0x2C).map().pf3().w();
    CVTTSD2SI64rr D64_UD [] [MXCSR] [] rm(0x2C).map().pf2().w();
    CVTSS2SDrr DD_US [] [MXCSR] [] rm(0x5A).map().pf3();
    CVTSD2SSrr DS_UD [] [MXCSR] [] rm(0x5A).map().pf2();
    // Long doubles.
    LD_F32m MEM [FPSW] [FPCW] [LOAD(4)] digit(0xD9, 0);
    LD_F64m MEM [FPSW] [FPCW] [LOAD(8)] digit(0xDD, 0);
    LD_F80m MEM [FPSW] [FPCW] [LOAD(10)] digit(0xDB, 5);
    ST_FP32m MEM [FPSW] [FPCW] [STORE(4)] digit(0xD9, 3);
    ST_FP64m MEM [FPSW] [FPCW] [STORE(8)] digit(0xDD, 3);
    ST_FP80m MEM [FPSW] [FPCW] [STORE(10)] digit(0xDB, 7);
    ILD_F64m MEM [FPSW] [FPCW] [LOAD(8)] digit(0xDF, 5);
    IST_FP64m MEM [FPSW] [FPCW] [STORE(8)] digit(0xDF, 7);
    ADD_F32m MEM [FPSW] [FPCW] [LOAD(4)] digit(0xD8, 0);
    ADD_FPrST0 UST [FPSW] [FPCW] [] digit(0xDE, 0);
    MUL_FPrST0 UST [FPSW] [FPCW] [] digit(0xDE, 1);
    SUB_FPrST0 UST [FPSW] [FPCW] [] digit(0xDE, 5);
    DIV_FPrST0 UST [FPSW] [FPCW] [] digit(0xDE, 7);
    CHS_F NONE [FPSW] [] [] digit(0xD9, 4);
    UCOM_FIPr UST [EFLAGS FPSW] [ST0 FPCW] [] digit(0xDF, 5);
    ST_FPrr UST [FPSW] [FPCW] [] digit(0xDD, 3);
    XCH_F UST [FPSW] [FPCW] [] digit(0xD9, 1);
    FNSTCW16m MEM [FPSW] [FPCW] [STORE(2)] digit(0xD9, 7);
    FLDCW16m MEM [FPSW FPCW] [] [LOAD(2)] digit(0xD9, 5);
}
