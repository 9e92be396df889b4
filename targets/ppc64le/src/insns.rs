//! The instruction table of ppc64le: LLVM's opcode names, operands, implicit registers, encodings
//! (Power ISA 2.07; prefixed instructions are of 3.1).
//!
//! A memory operand is a displacement and a base as LLVM has them, or a base and an index.

use super::encoding::Field::{
    A, B as RB, Bd, C, Crf, Ds, Els, ElsPc, Fxm, Ha, Li, Mb5, Mb6, Me5, Mls, MlsPc, No, Nop, Pred,
    PredCr, Sh5, Sh6, Si, T, Ui, X, Xxx, Zero,
};
use super::encoding::{Encoding, word};
use super::regs::{
    CARRY, CR0, CRBITRC, CRRC, CTR8, F4RC, F8RC, G8RC, G8RC_NOX0, GPRC, LR8, RM, VSFRC, VSSRC, X1,
};
use mir_nostd::machine::{Opcode, Reg};
use mir_nostd::target::OperandRow::{self, Address, Def, Label, Tied, Use};
use mir_nostd::target::{InsnFlags, InsnRow, List, Name};

type Shape = &'static [OperandRow];

const BASE: OperandRow = Address(G8RC_NOX0);
const IMM: OperandRow = OperandRow::Immediate;

// The lists of operands: definitions, uses tied to the first definition, uses. G stands for 64-bit
// registers, W for their low halves, D and S for doubles and floats, V for registers that may hold
// either, F for fields and K for bits of the condition register, M for a displacement and a base, N
// for a base and an index.
const DG: Shape = &[Def(G8RC)];
const DG_G: Shape = &[Def(G8RC), Use(G8RC)];
const DG_G_G: Shape = &[Def(G8RC), Use(G8RC), Use(G8RC)];
const DG_G_W: Shape = &[Def(G8RC), Use(G8RC), Use(GPRC)];
const DG_G_W_I: Shape = &[Def(G8RC), Use(G8RC), Use(GPRC), IMM];
const DG_G_I: Shape = &[Def(G8RC), Use(G8RC), IMM];
const DG_G_I_I: Shape = &[Def(G8RC), Use(G8RC), IMM, IMM];
const DG_G_I_I_I: Shape = &[Def(G8RC), Use(G8RC), IMM, IMM, IMM];
const DG_B_I: Shape = &[Def(G8RC), BASE, IMM];
const DG_B_G_K: Shape = &[Def(G8RC), Use(G8RC_NOX0), Use(G8RC), Use(CRBITRC)];
const DG_F: Shape = &[Def(G8RC), Use(CRRC)];
const DG_I: Shape = &[Def(G8RC), IMM];
const DG_I_I: Shape = &[Def(G8RC), IMM, IMM];
const DG_M: Shape = &[Def(G8RC), IMM, BASE];
const DG_N: Shape = &[Def(G8RC), Use(G8RC_NOX0), Use(G8RC)];
const DG_G_M: Shape = &[Def(G8RC), Use(G8RC), IMM, BASE];
const DG_V: Shape = &[Def(G8RC), Use(VSFRC)];
const DW_W: Shape = &[Def(GPRC), Use(GPRC)];
const DW_W_W: Shape = &[Def(GPRC), Use(GPRC), Use(GPRC)];
const DW_W_W_I_I: Shape = &[Def(GPRC), Use(GPRC), Use(GPRC), IMM, IMM];
const DW_W_I: Shape = &[Def(GPRC), Use(GPRC), IMM];
const DF_G_G: Shape = &[Def(CRRC), Use(G8RC), Use(G8RC)];
const DF_W_W: Shape = &[Def(CRRC), Use(GPRC), Use(GPRC)];
const DF_G_I: Shape = &[Def(CRRC), Use(G8RC), IMM];
const DF_W_I: Shape = &[Def(CRRC), Use(GPRC), IMM];
const DF_D_D: Shape = &[Def(CRRC), Use(F8RC), Use(F8RC)];
const DF_S_S: Shape = &[Def(CRRC), Use(F4RC), Use(F4RC)];
const DK_K_K: Shape = &[Def(CRBITRC), Use(CRBITRC), Use(CRBITRC)];
const DD_M: Shape = &[Def(F8RC), IMM, BASE];
const DD_I_I: Shape = &[Def(F8RC), IMM, IMM];
const DD_N: Shape = &[Def(F8RC), Use(G8RC_NOX0), Use(G8RC)];
const DD_D: Shape = &[Def(F8RC), Use(F8RC)];
const DD_D_D: Shape = &[Def(F8RC), Use(F8RC), Use(F8RC)];
const DS_M: Shape = &[Def(F4RC), IMM, BASE];
const DS_I_I: Shape = &[Def(F4RC), IMM, IMM];
const DS_N: Shape = &[Def(F4RC), Use(G8RC_NOX0), Use(G8RC)];
const DS_D: Shape = &[Def(F4RC), Use(F8RC)];
const DS_S: Shape = &[Def(F4RC), Use(F4RC)];
const DS_S_S: Shape = &[Def(F4RC), Use(F4RC), Use(F4RC)];
const DV: Shape = &[Def(VSFRC)];
const DVS: Shape = &[Def(VSSRC)];
const DV_G: Shape = &[Def(VSFRC), Use(G8RC)];
const G: Shape = &[Use(G8RC)];
const G_M: Shape = &[Use(G8RC), IMM, BASE];
const G_N: Shape = &[Use(G8RC), Use(G8RC_NOX0), Use(G8RC)];
const D_M: Shape = &[Use(F8RC), IMM, BASE];
const D_N: Shape = &[Use(F8RC), Use(G8RC_NOX0), Use(G8RC)];
const S_M: Shape = &[Use(F4RC), IMM, BASE];
const S_N: Shape = &[Use(F4RC), Use(G8RC_NOX0), Use(G8RC)];
/// A store that updates the base with the address.
const DB_G_M: Shape = &[Def(G8RC_NOX0), Use(G8RC), IMM, Tied(G8RC_NOX0, 0)];
const DB_G_N: Shape = &[Def(G8RC_NOX0), Use(G8RC), Tied(G8RC_NOX0, 0), Use(G8RC)];
const I_F_L: Shape = &[IMM, Use(CRRC), Label];
const L: Shape = &[Label];
const NONE: Shape = &[];

macro_rules! table {
    ($($name:ident $shape:ident [$($def:ident)*] [$($read:ident)*] [$($flag:ident$(($bytes:literal))?)*]
        $word:literal [$($field:ident)*];)*) => {
        /// The rows of the table, by LLVM's names.
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names are LLVM's")]
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
            encoding: Encoding::bits(word($word, &[$($field),*])),
        }),*];
    };
}

impl From<Op> for Opcode {
    fn from(op: Op) -> Opcode {
        Opcode::target(op as u16)
    }
}

table! {
    // Integers: constants, sums, products.
    LI8 DG_I [] [] [REMATERIALIZABLE] 0x3800_0000 [T Si];
    LIS8 DG_I [] [] [REMATERIALIZABLE] 0x3C00_0000 [T Si];
    ADD8 DG_G_G [] [] [] 0x7C00_0214 [T A RB];
    ADDI8 DG_B_I [] [] [] 0x3800_0000 [T A Si];
    ADDIS8 DG_B_I [] [] [] 0x3C00_0000 [T A Ha];
    ADDIC8 DG_G_I [CARRY] [] [] 0x3000_0000 [T A Si];
    ADDC8 DG_G_G [CARRY] [] [] 0x7C00_0014 [T A RB];
    ADDZE8 DG_G [CARRY] [CARRY] [] 0x7C00_0194 [T A];
    SUBF8 DG_G_G [] [] [] 0x7C00_0050 [T A RB];
    SUBFIC8 DG_G_I [CARRY] [] [] 0x2000_0000 [T A Si];
    SUBFC8 DG_G_G [CARRY] [] [] 0x7C00_0010 [T A RB];
    SUBFE8 DG_G_G [CARRY] [CARRY] [] 0x7C00_0110 [T A RB];
    NEG8 DG_G [] [] [] 0x7C00_00D0 [T A];
    MULLD DG_G_G [] [] [] 0x7C00_01D2 [T A RB];
    MULLW DW_W_W [] [] [] 0x7C00_01D6 [T A RB];
    MULLI8 DG_G_I [] [] [] 0x1C00_0000 [T A Si];
    MULHD DG_G_G [] [] [] 0x7C00_0092 [T A RB];
    MULHDU DG_G_G [] [] [] 0x7C00_0012 [T A RB];
    MULHWU DW_W_W [] [] [] 0x7C00_0016 [T A RB];
    DIVD DG_G_G [] [] [] 0x7C00_03D2 [T A RB];
    DIVDU DG_G_G [] [] [] 0x7C00_0392 [T A RB];
    DIVW DW_W_W [] [] [] 0x7C00_03D6 [T A RB];
    DIVWU DW_W_W [] [] [] 0x7C00_0396 [T A RB];
    // Bits.
    AND8 DG_G_G [] [] [] 0x7C00_0038 [A T RB];
    AND8_rec DG_G_G [CR0] [] [] 0x7C00_0039 [A T RB];
    ANDC8 DG_G_G [] [] [] 0x7C00_0078 [A T RB];
    ANDI8_rec DG_G_I [CR0] [] [] 0x7000_0000 [A T Ui];
    ANDIS8_rec DG_G_I [CR0] [] [] 0x7400_0000 [A T Ui];
    OR8 DG_G_G [] [] [] 0x7C00_0378 [A T RB];
    ORI8 DG_G_I [] [] [] 0x6000_0000 [A T Ui];
    ORIS8 DG_G_I [] [] [] 0x6400_0000 [A T Ui];
    XOR8 DG_G_G [] [] [] 0x7C00_0278 [A T RB];
    XORI8 DG_G_I [] [] [] 0x6800_0000 [A T Ui];
    XORIS8 DG_G_I [] [] [] 0x6C00_0000 [A T Ui];
    NOR8 DG_G_G [] [] [] 0x7C00_00F8 [A T RB];
    EXTSB8 DG_G [] [] [] 0x7C00_0774 [A T];
    EXTSB8_rec DG_G [CR0] [] [] 0x7C00_0775 [A T];
    EXTSH8 DG_G [] [] [] 0x7C00_0734 [A T];
    EXTSH8_rec DG_G [CR0] [] [] 0x7C00_0735 [A T];
    EXTSW DG_G [] [] [] 0x7C00_07B4 [A T];
    EXTSW_rec DG_G [CR0] [] [] 0x7C00_07B5 [A T];
    CNTLZD DG_G [] [] [] 0x7C00_0074 [A T];
    CNTLZW DW_W [] [] [] 0x7C00_0034 [A T];
    SLD DG_G_W [] [] [] 0x7C00_0036 [A T RB];
    SRD DG_G_W [] [] [] 0x7C00_0436 [A T RB];
    SRAD DG_G_W [CARRY] [] [] 0x7C00_0634 [A T RB];
    SLW DW_W_W [] [] [] 0x7C00_0030 [A T RB];
    SRW DW_W_W [] [] [] 0x7C00_0430 [A T RB];
    SRAW DW_W_W [CARRY] [] [] 0x7C00_0630 [A T RB];
    SRADI DG_G_I [CARRY] [] [] 0x7C00_0674 [A T Sh6];
    SRAWI DW_W_I [CARRY] [] [] 0x7C00_0670 [A T Sh5];
    RLDCL DG_G_W_I [] [] [] 0x7800_0010 [A T RB Mb6];
    RLWNM DW_W_W_I_I [] [] [] 0x5C00_0000 [A T RB Mb5 Me5];
    RLDICL DG_G_I_I [] [] [] 0x7800_0000 [A T Sh6 Mb6];
    RLDICL_rec DG_G_I_I [CR0] [] [] 0x7800_0001 [A T Sh6 Mb6];
    RLDIC DG_G_I_I [] [] [] 0x7800_0008 [A T Sh6 Mb6];
    RLDICR DG_G_I_I [] [] [] 0x7800_0004 [A T Sh6 Mb6];
    RLWINM8 DG_G_I_I_I [] [] [] 0x5400_0000 [A T Sh5 Mb5 Me5];
    // Comparisons, and instructions that read their results.
    CMPD DF_G_G [] [] [] 0x7C20_0000 [Crf A RB];
    CMPW DF_W_W [] [] [] 0x7C00_0000 [Crf A RB];
    CMPLD DF_G_G [] [] [] 0x7C20_0040 [Crf A RB];
    CMPLW DF_W_W [] [] [] 0x7C00_0040 [Crf A RB];
    CMPDI DF_G_I [] [] [] 0x2C20_0000 [Crf A Si];
    CMPWI DF_W_I [] [] [] 0x2C00_0000 [Crf A Si];
    CMPLDI DF_G_I [] [] [] 0x2820_0000 [Crf A Ui];
    CMPLWI DF_W_I [] [] [] 0x2800_0000 [Crf A Ui];
    FCMPUD DF_D_D [] [] [] 0xFC00_0000 [Crf A RB];
    FCMPUS DF_S_S [] [] [] 0xFC00_0000 [Crf A RB];
    CROR DK_K_K [] [] [] 0x4C00_0382 [T A RB];
    MFOCRF8 DG_F [] [] [] 0x7C10_0026 [T Fxm];
    ISEL8 DG_B_G_K [] [] [] 0x7C00_001E [T A RB C];
    // Memory.
    LBZ8 DG_M [] [] [LOAD(1)] 0x8800_0000 [T Si A];
    LBZX8 DG_N [] [] [LOAD(1)] 0x7C00_00AE [T A RB];
    LHZ8 DG_M [] [] [LOAD(2)] 0xA000_0000 [T Si A];
    LHZX8 DG_N [] [] [LOAD(2)] 0x7C00_022E [T A RB];
    LHA8 DG_M [] [] [LOAD(2)] 0xA800_0000 [T Si A];
    LHAX8 DG_N [] [] [LOAD(2)] 0x7C00_02AE [T A RB];
    LWZ8 DG_M [] [] [LOAD(4)] 0x8000_0000 [T Si A];
    LWZX8 DG_N [] [] [LOAD(4)] 0x7C00_002E [T A RB];
    LWA DG_M [] [] [LOAD(4)] 0xE800_0002 [T Ds A];
    LWAX DG_N [] [] [LOAD(4)] 0x7C00_02AA [T A RB];
    LD DG_M [] [] [LOAD(8)] 0xE800_0000 [T Ds A];
    LDX DG_N [] [] [LOAD(8)] 0x7C00_002A [T A RB];
    LFS DS_M [] [] [LOAD(4)] 0xC000_0000 [T Si A];
    LFSX DS_N [] [] [LOAD(4)] 0x7C00_042E [T A RB];
    LFD DD_M [] [] [LOAD(8)] 0xC800_0000 [T Si A];
    LFDX DD_N [] [] [LOAD(8)] 0x7C00_04AE [T A RB];
    STB8 G_M [] [] [STORE(1)] 0x9800_0000 [T Si A];
    STBX8 G_N [] [] [STORE(1)] 0x7C00_01AE [T A RB];
    STH8 G_M [] [] [STORE(2)] 0xB000_0000 [T Si A];
    STHX8 G_N [] [] [STORE(2)] 0x7C00_032E [T A RB];
    STW8 G_M [] [] [STORE(4)] 0x9000_0000 [T Si A];
    STWX8 G_N [] [] [STORE(4)] 0x7C00_012E [T A RB];
    STD G_M [] [] [STORE(8)] 0xF800_0000 [T Ds A];
    STDX G_N [] [] [STORE(8)] 0x7C00_012A [T A RB];
    STDU DB_G_M [] [] [STORE(8)] 0xF800_0001 [No T Ds A];
    STDUX DB_G_N [] [] [STORE(8)] 0x7C00_016A [No T A RB];
    STFS S_M [] [] [STORE(4)] 0xD000_0000 [T Si A];
    STFSX S_N [] [] [STORE(4)] 0x7C00_052E [T A RB];
    STFD D_M [] [] [STORE(8)] 0xD800_0000 [T Si A];
    STFDX D_N [] [] [STORE(8)] 0x7C00_05AE [T A RB];
    // Immediates and distances of 34 bits.
    PLI8 DG_I [] [] [REMATERIALIZABLE] 0x3800_0000 [T Mls];
    PADDI8 DG_B_I [] [] [] 0x3800_0000 [T A Mls];
    PADDI8pc DG_I_I [] [] [] 0x3800_0000 [T Zero MlsPc];
    PLBZ8 DG_M [] [] [LOAD(1)] 0x8800_0000 [T Mls A];
    PLHZ8 DG_M [] [] [LOAD(2)] 0xA000_0000 [T Mls A];
    PLHA8 DG_M [] [] [LOAD(2)] 0xA800_0000 [T Mls A];
    PLWZ8 DG_M [] [] [LOAD(4)] 0x8000_0000 [T Mls A];
    PLWA8 DG_M [] [] [LOAD(4)] 0xA400_0000 [T Els A];
    PLD DG_M [] [] [LOAD(8)] 0xE400_0000 [T Els A];
    PLDpc DG_I_I [] [] [LOAD(8)] 0xE400_0000 [T ElsPc Zero];
    PLFS DS_M [] [] [LOAD(4)] 0xC000_0000 [T Mls A];
    PLFSpc DS_I_I [] [] [LOAD(4)] 0xC000_0000 [T MlsPc Zero];
    PLFD DD_M [] [] [LOAD(8)] 0xC800_0000 [T Mls A];
    PLFDpc DD_I_I [] [] [LOAD(8)] 0xC800_0000 [T MlsPc Zero];
    PSTB8 G_M [] [] [STORE(1)] 0x9800_0000 [T Mls A];
    PSTH8 G_M [] [] [STORE(2)] 0xB000_0000 [T Mls A];
    PSTW8 G_M [] [] [STORE(4)] 0x9000_0000 [T Mls A];
    PSTD G_M [] [] [STORE(8)] 0xF400_0000 [T Els A];
    PSTFS S_M [] [] [STORE(4)] 0xD000_0000 [T Mls A];
    PSTFD D_M [] [] [STORE(8)] 0xD800_0000 [T Mls A];
    // Control.
    BCC I_F_L [] [] [TERMINATOR BRANCH] 0x4000_0000 [Pred PredCr Bd];
    BDNZ8 L [CTR8] [CTR8] [TERMINATOR BRANCH] 0x4200_0000 [Bd];
    BDZ8 L [CTR8] [CTR8] [TERMINATOR BRANCH] 0x4240_0000 [Bd];
    B L [] [] [BARRIER TERMINATOR BRANCH] 0x4800_0000 [Li];
    BCTR8 NONE [] [CTR8] [BARRIER TERMINATOR BRANCH INDIRECT] 0x4E80_0420 [];
    BCTRL8 NONE [LR8] [CTR8 RM] [CALL] 0x4E80_0421 [];
    TAILBCTR8 NONE [] [CTR8 RM] [RETURN BARRIER TERMINATOR BRANCH INDIRECT] 0x4E80_0420 [];
    BL8_NOP L [LR8] [RM] [CALL] 0x4800_0001 [Li Nop];
    BLR8 NONE [] [LR8 RM] [RETURN BARRIER TERMINATOR] 0x4E80_0020 [];
    MFLR8 DG [] [LR8] [] 0x7C08_02A6 [T];
    MTLR8 G [LR8] [] [] 0x7C08_03A6 [T];
    MTCTR8 G [CTR8] [] [] 0x7C09_03A6 [T];
    DYNALLOC8 DG_G_M [X1] [X1] [PSEUDO] 0 [];
    // Floats and doubles.
    XXLXORdpz DV [] [] [REMATERIALIZABLE] 0xF000_04D0 [Xxx];
    XXLXORspz DVS [] [] [REMATERIALIZABLE] 0xF000_04D0 [Xxx];
    MTVSRD DV_G [] [] [] 0x7C00_0166 [X A];
    MFVSRD DG_V [] [] [] 0x7C00_0066 [A X];
    FMR DS_S [] [] [] 0xFC00_0090 [T RB];
    FNEGD DD_D [] [] [] 0xFC00_0050 [T RB];
    FNEGS DS_S [] [] [] 0xFC00_0050 [T RB];
    FADD DD_D_D [] [RM] [] 0xFC00_002A [T A RB];
    FADDS DS_S_S [] [RM] [] 0xEC00_002A [T A RB];
    FSUB DD_D_D [] [RM] [] 0xFC00_0028 [T A RB];
    FSUBS DS_S_S [] [RM] [] 0xEC00_0028 [T A RB];
    FMUL DD_D_D [] [RM] [] 0xFC00_0032 [T A C];
    FMULS DS_S_S [] [RM] [] 0xEC00_0032 [T A C];
    FDIV DD_D_D [] [RM] [] 0xFC00_0024 [T A RB];
    FDIVS DS_S_S [] [RM] [] 0xEC00_0024 [T A RB];
    FRSP DS_D [] [RM] [] 0xFC00_0018 [T RB];
    FCFID DD_D [] [RM] [] 0xFC00_069C [T RB];
    FCFIDS DS_D [] [RM] [] 0xEC00_069C [T RB];
    FCFIDU DD_D [] [RM] [] 0xFC00_079C [T RB];
    FCFIDUS DS_D [] [RM] [] 0xEC00_079C [T RB];
    FCTIDZ DD_D [] [RM] [] 0xFC00_065E [T RB];
}
