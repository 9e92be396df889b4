//! The instruction table of s390x: LLVM's opcode names, operands, implicit registers, encodings.
//!
//! Chapters are those of IBM's z/Architecture Principles of Operation. A memory operand is base,
//! displacement and, where the instruction has one, index, as LLVM has them.

use super::encoding::{
    branch, raw, ri, ri_branch, ri_jump, rie_b, rie_c, rie_d, rie_f, rie_f_zero, rie_g, ril,
    ril_branch, ril_jump, ril_place, rr, rrd, rre, rrf_a, rrf_c, rrf_e, rsy, rx, rxe, rxy,
    rxy_float, si, sil, siy,
};
use super::registers::{
    ADDR32, ADDR64, CC, CLASSES, FP32, FP64, FP128, FPC, GR32, GR64, GR128, R14, R15,
};
use mir_nostd::target::OperandRow::{self, Address, Def, EarlyDef, Immediate, Label, Tied, Use};

// Operands: D a definition, T a use tied to the first one, U a use; of 64 and 32 bits, pairs of
// general registers (Q), registers of addresses (A), doubles (D), floats (S), pairs of floating
// registers (X).
const D64: OperandRow = Def(GR64);
const D32: OperandRow = Def(GR32);
/// A definition that shares its register with no use.
const E32: OperandRow = EarlyDef(GR32);
const DQ: OperandRow = Def(GR128);
const DD: OperandRow = Def(FP64);
const DS: OperandRow = Def(FP32);
const DX: OperandRow = Def(FP128);
const T64: OperandRow = Tied(GR64, 0);
const T32: OperandRow = Tied(GR32, 0);
const TQ: OperandRow = Tied(GR128, 0);
const TD: OperandRow = Tied(FP64, 0);
const TS: OperandRow = Tied(FP32, 0);
const TX: OperandRow = Tied(FP128, 0);
const U64: OperandRow = Use(GR64);
const U32: OperandRow = Use(GR32);
const UA: OperandRow = Use(ADDR64);
const UD: OperandRow = Use(FP64);
const US: OperandRow = Use(FP32);
const UX: OperandRow = Use(FP128);
/// A base or an index of an address.
const A: OperandRow = Address(ADDR64);
/// The base of a shift's amount.
const A32: OperandRow = Address(ADDR32);
/// An immediate.
const I: OperandRow = Immediate;
/// A block, a symbol or a constant.
const L: OperandRow = Label;

mir_nostd::instruction_table! {
    classes &CLASSES;

    // Name       Operands            Writes   Reads Flags              Encoding

    // Chapter 7, General Instructions: loads, stores and moves.
    LGR           [D64 U64]           []       []    []                 rre(0xB904);
    LGHI          [D64 I]             []       []    [REMATERIALIZABLE] ri(0xA709);
    LGFI          [D64 I]             []       []    [REMATERIALIZABLE] ril(0xC001);
    LLILL         [D64 I]             []       []    [REMATERIALIZABLE] ri(0xA50F);
    LLILH         [D64 I]             []       []    [REMATERIALIZABLE] ri(0xA50E);
    LLIHL         [D64 I]             []       []    [REMATERIALIZABLE] ri(0xA50D);
    LLIHH         [D64 I]             []       []    [REMATERIALIZABLE] ri(0xA50C);
    LLILF         [D64 I]             []       []    [REMATERIALIZABLE] ril(0xC00F);
    LLIHF         [D64 I]             []       []    [REMATERIALIZABLE] ril(0xC00E);
    IILF64        [D64 T64 I]         []       []    []                 ril(0xC009);
    LARL          [D64 L]             []       []    [REMATERIALIZABLE] ril_place(0xC000);
    LGRL          [D64 L]             []       []    [LOAD(8)]          ril_place(0xC408);
    LA            [D64 A I A]         []       []    []                 rx(0x41);
    LAY           [D64 A I A]         []       []    []                 rxy(0x71);
    L             [D32 A I A]         []       []    [LOAD(4)]          rx(0x58);
    LY            [D32 A I A]         []       []    [LOAD(4)]          rxy(0x58);
    LG            [D64 A I A]         []       []    [LOAD(8)]          rxy(0x04);
    LGB           [D64 A I A]         []       []    [LOAD(1)]          rxy(0x77);
    LGH           [D64 A I A]         []       []    [LOAD(2)]          rxy(0x15);
    LGF           [D64 A I A]         []       []    [LOAD(4)]          rxy(0x14);
    LLGC          [D64 A I A]         []       []    [LOAD(1)]          rxy(0x90);
    LLGH          [D64 A I A]         []       []    [LOAD(2)]          rxy(0x91);
    LLGF          [D64 A I A]         []       []    [LOAD(4)]          rxy(0x16);
    STC           [U32 A I A]         []       []    [STORE(1)]         rx(0x42);
    STCY          [U32 A I A]         []       []    [STORE(1)]         rxy(0x72);
    STH           [U32 A I A]         []       []    [STORE(2)]         rx(0x40);
    STHY          [U32 A I A]         []       []    [STORE(2)]         rxy(0x70);
    ST            [U32 A I A]         []       []    [STORE(4)]         rx(0x50);
    STY           [U32 A I A]         []       []    [STORE(4)]         rxy(0x50);
    STG           [U64 A I A]         []       []    [STORE(8)]         rxy(0x24);
    MVI           [A I I]             []       []    [STORE(1)]         si(0x92);
    MVIY          [A I I]             []       []    [STORE(1)]         siy(0x52);
    MVHHI         [A I I]             []       []    [STORE(2)]         sil(0xE544);
    MVHI          [A I I]             []       []    [STORE(4)]         sil(0xE54C);
    MVGHI         [A I I]             []       []    [STORE(8)]         sil(0xE548);
    LMG           [D64 D64 A I]       []       []    [LOAD]             rsy(0x04);
    STMG          [U64 U64 A I]       []       []    [STORE]            rsy(0x24);
    LGBR          [D64 U64]           []       []    []                 rre(0xB906);
    LGHR          [D64 U64]           []       []    []                 rre(0xB907);
    LGFR          [D64 U32]           []       []    []                 rre(0xB914);
    LLGCR         [D64 U64]           []       []    []                 rre(0xB984);
    LLGHR         [D64 U64]           []       []    []                 rre(0xB985);
    LLGFR         [D64 U32]           []       []    []                 rre(0xB916);

    // Chapter 7, General Instructions: sums.
    AGR           [D64 T64 U64]       [CC]     []    []                 rre(0xB908);
    AGRK          [D64 U64 U64]       [CC]     []    []                 rrf_a(0xB9E8);
    ARK           [D32 U32 U32]       [CC]     []    []                 rrf_a(0xB9F8);
    ALGRK         [D64 U64 U64]       [CC]     []    []                 rrf_a(0xB9EA);
    ALRK          [D32 U32 U32]       [CC]     []    []                 rrf_a(0xB9FA);
    AGHI          [D64 T64 I]         [CC]     []    []                 ri(0xA70B);
    AHI           [D32 T32 I]         [CC]     []    []                 ri(0xA70A);
    AGHIK         [D64 U64 I]         [CC]     []    []                 rie_d(0xECD9);
    AHIK          [D32 U32 I]         [CC]     []    []                 rie_d(0xECD8);
    AGFI          [D64 T64 I]         [CC]     []    []                 ril(0xC208);
    AFI           [D32 T32 I]         [CC]     []    []                 ril(0xC209);
    ALGFI         [D64 T64 I]         [CC]     []    []                 ril(0xC20A);
    ALFI          [D32 T32 I]         [CC]     []    []                 ril(0xC20B);
    AG            [D64 T64 A I A]     [CC]     []    [LOAD(8)]          rxy(0x08);
    AGF           [D64 T64 A I A]     [CC]     []    [LOAD(4)]          rxy(0x18);
    AY            [D32 T32 A I A]     [CC]     []    [LOAD(4)]          rxy(0x5A);
    AR            [D32 T32 U32]       [CC]     []    []                 rr(0x1A);
    AGFR          [D64 T64 U32]       [CC]     []    []                 rre(0xB918);
    ALGFR         [D64 T64 U32]       [CC]     []    []                 rre(0xB91A);

    // Chapter 7, General Instructions: differences.
    SGR           [D64 T64 U64]       [CC]     []    []                 rre(0xB909);
    SGRK          [D64 U64 U64]       [CC]     []    []                 rrf_a(0xB9E9);
    SRK           [D32 U32 U32]       [CC]     []    []                 rrf_a(0xB9F9);
    SLGRK         [D64 U64 U64]       [CC]     []    []                 rrf_a(0xB9EB);
    SLRK          [D32 U32 U32]       [CC]     []    []                 rrf_a(0xB9FB);
    SLGFI         [D64 T64 I]         [CC]     []    []                 ril(0xC204);
    SLFI          [D32 T32 I]         [CC]     []    []                 ril(0xC205);
    SG            [D64 T64 A I A]     [CC]     []    [LOAD(8)]          rxy(0x09);
    SGF           [D64 T64 A I A]     [CC]     []    [LOAD(4)]          rxy(0x19);
    SY            [D32 T32 A I A]     [CC]     []    [LOAD(4)]          rxy(0x5B);
    SR            [D32 T32 U32]       [CC]     []    []                 rr(0x1B);
    SGFR          [D64 T64 U32]       [CC]     []    []                 rre(0xB919);
    SLGFR         [D64 T64 U32]       [CC]     []    []                 rre(0xB91B);

    // Chapter 7, General Instructions: logic.
    NGRK          [D64 U64 U64]       [CC]     []    []                 rrf_a(0xB9E4);
    NRK           [D32 U32 U32]       [CC]     []    []                 rrf_a(0xB9F4);
    NILL64        [D64 T64 I]         [CC]     []    []                 ri(0xA507);
    NILF64        [D64 T64 I]         [CC]     []    []                 ril(0xC00B);
    NIHF64        [D64 T64 I]         [CC]     []    []                 ril(0xC00A);
    NILF          [D32 T32 I]         [CC]     []    []                 ril(0xC00B);
    NG            [D64 T64 A I A]     [CC]     []    [LOAD(8)]          rxy(0x80);
    NY            [D32 T32 A I A]     [CC]     []    [LOAD(4)]          rxy(0x54);
    OGRK          [D64 U64 U64]       [CC]     []    []                 rrf_a(0xB9E6);
    ORK           [D32 U32 U32]       [CC]     []    []                 rrf_a(0xB9F6);
    OILL64        [D64 T64 I]         [CC]     []    []                 ri(0xA50B);
    OILF64        [D64 T64 I]         [CC]     []    []                 ril(0xC00D);
    OIHF64        [D64 T64 I]         [CC]     []    []                 ril(0xC00C);
    OILF          [D32 T32 I]         [CC]     []    []                 ril(0xC00D);
    OG            [D64 T64 A I A]     [CC]     []    [LOAD(8)]          rxy(0x81);
    OY            [D32 T32 A I A]     [CC]     []    [LOAD(4)]          rxy(0x56);
    XGRK          [D64 U64 U64]       [CC]     []    []                 rrf_a(0xB9E7);
    XRK           [D32 U32 U32]       [CC]     []    []                 rrf_a(0xB9F7);
    XILF64        [D64 T64 I]         [CC]     []    []                 ril(0xC007);
    XIHF64        [D64 T64 I]         [CC]     []    []                 ril(0xC006);
    XILF          [D32 T32 I]         [CC]     []    []                 ril(0xC007);
    XG            [D64 T64 A I A]     [CC]     []    [LOAD(8)]          rxy(0x82);
    XY            [D32 T32 A I A]     [CC]     []    [LOAD(4)]          rxy(0x57);

    // Chapter 7, General Instructions: complement, products, quotients.
    LCGR          [D64 U64]           [CC]     []    []                 rre(0xB903);
    LCR           [D32 U32]           [CC]     []    []                 rr(0x13);
    MSGR          [D64 T64 U64]       []       []    []                 rre(0xB90C);
    MSR           [D32 T32 U32]       []       []    []                 rre(0xB252);
    MSGFR         [D64 T64 U32]       []       []    []                 rre(0xB91C);
    MGHI          [D64 T64 I]         []       []    []                 ri(0xA70D);
    MHI           [D32 T32 I]         []       []    []                 ri(0xA70C);
    MSGFI         [D64 T64 I]         []       []    []                 ril(0xC200);
    MSFI          [D32 T32 I]         []       []    []                 ril(0xC201);
    MSG           [D64 T64 A I A]     []       []    [LOAD(8)]          rxy(0x0C);
    MSGF          [D64 T64 A I A]     []       []    [LOAD(4)]          rxy(0x1C);
    MSY           [D32 T32 A I A]     []       []    [LOAD(4)]          rxy(0x51);
    MLGR          [DQ TQ U64]         []       []    []                 rre(0xB986);
    DSGR          [DQ TQ U64]         []       []    []                 rre(0xB90D);
    DSGFR         [DQ TQ U32]         []       []    []                 rre(0xB91D);
    DLGR          [DQ TQ U64]         []       []    []                 rre(0xB987);
    DLR           [DQ TQ U32]         []       []    []                 rre(0xB997);

    // Chapter 7, General Instructions: the leftmost one, the order of bytes.
    FLOGR         [DQ U64]            [CC]     []    []                 rre(0xB983);
    LRVGR         [D64 U64]           []       []    []                 rre(0xB90F);
    LRVR          [D32 U32]           []       []    []                 rre(0xB91F);

    // Chapter 7, General Instructions: shifts and rotations.
    SLLG          [D64 U64 A32 I]     []       []    []                 rsy(0x0D);
    SRLG          [D64 U64 A32 I]     []       []    []                 rsy(0x0C);
    SRAG          [D64 U64 A32 I]     [CC]     []    []                 rsy(0x0A);
    SLLK          [D32 U32 A32 I]     []       []    []                 rsy(0xDF);
    SRLK          [D32 U32 A32 I]     []       []    []                 rsy(0xDE);
    SRAK          [D32 U32 A32 I]     [CC]     []    []                 rsy(0xDC);
    RLLG          [D64 U64 A32 I]     []       []    []                 rsy(0x1C);
    RLL           [D32 U32 A32 I]     []       []    []                 rsy(0x1D);
    RISBGNZ       [D64 T64 U64 I I I] []       []    []                 rie_f_zero(0xEC59);
    RXSBG         [D64 T64 U64 I I I] [CC]     []    []                 rie_f(0xEC57);
    ROSBG         [D64 T64 U64 I I I] [CC]     []    []                 rie_f(0xEC56);

    // Chapter 7, General Instructions: comparisons, and loads on their results.
    CGR           [U64 U64]           [CC]     []    []                 rre(0xB920);
    CR            [U32 U32]           [CC]     []    []                 rr(0x19);
    CLGR          [U64 U64]           [CC]     []    []                 rre(0xB921);
    CLR           [U32 U32]           [CC]     []    []                 rr(0x15);
    CGHI          [U64 I]             [CC]     []    []                 ri(0xA70F);
    CHI           [U32 I]             [CC]     []    []                 ri(0xA70E);
    CGFI          [U64 I]             [CC]     []    []                 ril(0xC20C);
    CFI           [U32 I]             [CC]     []    []                 ril(0xC20D);
    CLGFI         [U64 I]             [CC]     []    []                 ril(0xC20E);
    CLFI          [U32 I]             [CC]     []    []                 ril(0xC20F);
    CG            [U64 A I A]         [CC]     []    [LOAD(8)]          rxy(0x20);
    CGF           [U64 A I A]         [CC]     []    [LOAD(4)]          rxy(0x30);
    CY            [U32 A I A]         [CC]     []    [LOAD(4)]          rxy(0x59);
    CLG           [U64 A I A]         [CC]     []    [LOAD(8)]          rxy(0x21);
    CLY           [U32 A I A]         [CC]     []    [LOAD(4)]          rxy(0x55);
    TM            [A I I]             [CC]     []    [LOAD(1)]          si(0x91);
    LOCGR         [D64 T64 U64 I I]   []       [CC]  []                 rrf_c(0xB9E2);
    LOCGHI        [D64 T64 I I I]     []       [CC]  []                 rie_g(0xEC46);

    // Chapter 7, General Instructions: interlocked updates of memory, the branch that serialises.
    CSY           [D32 T32 U32 A I]   [CC]     []    [LOAD STORE(4)]    rsy(0x14);
    CSG           [D64 T64 U64 A I]   [CC]     []    [LOAD STORE(8)]    rsy(0x30);
    LAA           [D32 U32 A I]       [CC]     []    [LOAD STORE(4)]    rsy(0xF8);
    LAAG          [D64 U64 A I]       [CC]     []    [LOAD STORE(8)]    rsy(0xE8);
    LAN           [D32 U32 A I]       [CC]     []    [LOAD STORE(4)]    rsy(0xF4);
    LANG          [D64 U64 A I]       [CC]     []    [LOAD STORE(8)]    rsy(0xE4);
    LAO           [D32 U32 A I]       [CC]     []    [LOAD STORE(4)]    rsy(0xF6);
    LAOG          [D64 U64 A I]       [CC]     []    [LOAD STORE(8)]    rsy(0xE6);
    LAX           [D32 U32 A I]       [CC]     []    [LOAD STORE(4)]    rsy(0xF7);
    LAXG          [D64 U64 A I]       [CC]     []    [LOAD STORE(8)]    rsy(0xE7);
    Serialize     []                  []       []    [LOAD STORE]       raw(0x07F0);
    // Nothing moves across it; it has no code.
    MEMBARRIER    []                  []       []    [PSEUDO LOAD STORE] raw(0);
    // Expanded to a loop when registers are known: result, scratch, address of the word, expected
    // and new at their places in it, the mask of the bits that are meant.
    ATOMIC_CMP_SWAPW [E32 E32 UA U32 U32 U32] [CC] [] [PSEUDO LOAD STORE SPLITS] raw(0);

    // Chapter 7, General Instructions: branches and calls.
    BRC           [I I L]             []       [CC]  [TERMINATOR BRANCH] ri_branch(0xA704);
    BRCL          [I I L]             []       [CC]  [TERMINATOR BRANCH] ril_branch(0xC004);
    J             [L]                 []       []    [BARRIER TERMINATOR BRANCH] ri_jump(0xA7F4);
    JG            [L]                 []       []    [BARRIER TERMINATOR BRANCH] ril_jump(0xC0F4);
    CGRJ          [U64 U64 I L]       [CC]     []    [TERMINATOR BRANCH] rie_b(0xEC64);
    CRJ           [U32 U32 I L]       [CC]     []    [TERMINATOR BRANCH] rie_b(0xEC76);
    CLGRJ         [U64 U64 I L]       [CC]     []    [TERMINATOR BRANCH] rie_b(0xEC65);
    CLRJ          [U32 U32 I L]       [CC]     []    [TERMINATOR BRANCH] rie_b(0xEC77);
    CGIJ          [U64 I I L]         [CC]     []    [TERMINATOR BRANCH] rie_c(0xEC7C);
    CIJ           [U32 I I L]         [CC]     []    [TERMINATOR BRANCH] rie_c(0xEC7E);
    CLGIJ         [U64 I I L]         [CC]     []    [TERMINATOR BRANCH] rie_c(0xEC7D);
    CLIJ          [U32 I I L]         [CC]     []    [TERMINATOR BRANCH] rie_c(0xEC7F);
    BR            [UA]                []       []    [BARRIER TERMINATOR BRANCH INDIRECT] branch(0x7F);
    CallBASR      [UA]                [R14 CC] [FPC] [CALL]             rr(0x0D).fixed(14);
    CallBRASL     [L]                 [R14 CC] [FPC] [CALL]             ril_place(0xC005).fixed(14);
    CallBR        [UA]                []       []    [RETURN BARRIER TERMINATOR] branch(0x7F);
    Return        []                  []       []    [RETURN BARRIER TERMINATOR] raw(0x07FE);
    PROBED_ALLOCA [D64 U64 U64]       [R15 CC] [R15] [PSEUDO SPLITS]    raw(0);

    // Chapter 9, floating-point support: loads, stores and moves.
    LDR           [DD UD]             []       []    []                 rr(0x28);
    LDR32         [DS US]             []       []    []                 rr(0x28);
    LZDR          [DD]                []       []    [REMATERIALIZABLE] rre(0xB375);
    LZER          [DS]                []       []    [REMATERIALIZABLE] rre(0xB374);
    LD            [DD A I A]          []       []    [LOAD(8)]          rx(0x68);
    LDY           [DD A I A]          []       []    [LOAD(8)]          rxy_float(0x65);
    LE            [DS A I A]          []       []    [LOAD(4)]          rx(0x78);
    LEY           [DS A I A]          []       []    [LOAD(4)]          rxy_float(0x64);
    STD           [UD A I A]          []       []    [STORE(8)]         rx(0x60);
    STDY          [UD A I A]          []       []    [STORE(8)]         rxy_float(0x67);
    STE           [US A I A]          []       []    [STORE(4)]         rx(0x70);
    STEY          [US A I A]          []       []    [STORE(4)]         rxy_float(0x66);

    // Chapter 19, Binary-Floating-Point Instructions: arithmetic on doubles and floats.
    ADBR          [DD TD UD]          [CC]     [FPC] []                 rre(0xB31A);
    AEBR          [DS TS US]          [CC]     [FPC] []                 rre(0xB30A);
    ADB           [DD TD A I A]       [CC]     [FPC] [LOAD(8)]          rxe(0x1A);
    AEB           [DS TS A I A]       [CC]     [FPC] [LOAD(4)]          rxe(0x0A);
    SDBR          [DD TD UD]          [CC]     [FPC] []                 rre(0xB31B);
    SEBR          [DS TS US]          [CC]     [FPC] []                 rre(0xB30B);
    SDB           [DD TD A I A]       [CC]     [FPC] [LOAD(8)]          rxe(0x1B);
    SEB           [DS TS A I A]       [CC]     [FPC] [LOAD(4)]          rxe(0x0B);
    MDBR          [DD TD UD]          []       [FPC] []                 rre(0xB31C);
    MEEBR         [DS TS US]          []       [FPC] []                 rre(0xB317);
    MDB           [DD TD A I A]       []       [FPC] [LOAD(8)]          rxe(0x1C);
    MEEB          [DS TS A I A]       []       [FPC] [LOAD(4)]          rxe(0x17);
    DDBR          [DD TD UD]          []       [FPC] []                 rre(0xB31D);
    DEBR          [DS TS US]          []       [FPC] []                 rre(0xB30D);
    DDB           [DD TD A I A]       []       [FPC] [LOAD(8)]          rxe(0x1D);
    DEB           [DS TS A I A]       []       [FPC] [LOAD(4)]          rxe(0x0D);
    SQDBR         [DD UD]             []       [FPC] []                 rre(0xB315);
    SQEBR         [DS US]             []       [FPC] []                 rre(0xB314);
    MADBR         [DD TD UD UD]       []       [FPC] []                 rrd(0xB31E);
    MAEBR         [DS TS US US]       []       [FPC] []                 rrd(0xB30E);
    FIDBR         [DD I UD]           []       [FPC] []                 rrf_e(0xB35F);
    FIEBR         [DS I US]           []       [FPC] []                 rrf_e(0xB357);
    CPSDRdd       [DD UD UD]          []       []    []                 rrf_a(0xB372);
    CPSDRss       [DS US US]          []       []    []                 rrf_a(0xB372);
    LCDFR         [DD UD]             []       []    []                 rre(0xB373);
    LCDFR_32      [DS US]             []       []    []                 rre(0xB373);
    LDGR          [DD U64]            []       []    []                 rre(0xB3C1);
    LGDR          [D64 UD]            []       []    []                 rre(0xB3CD);

    // Chapter 19, Binary-Floating-Point Instructions: comparisons and conversions.
    CDBR          [UD UD]             [CC]     [FPC] []                 rre(0xB319);
    CEBR          [US US]             [CC]     [FPC] []                 rre(0xB309);
    CDB           [UD A I A]          [CC]     [FPC] [LOAD(8)]          rxe(0x19);
    CEB           [US A I A]          [CC]     [FPC] [LOAD(4)]          rxe(0x09);
    LDEBR         [DD US]             []       [FPC] []                 rre(0xB304);
    LDEB          [DD A I A]          []       [FPC] [LOAD(4)]          rxe(0x04);
    LEDBR         [DS UD]             []       [FPC] []                 rre(0xB344);
    CGDBR         [D64 I UD]          [CC]     [FPC] []                 rrf_e(0xB3A9);
    CGEBR         [D64 I US]          [CC]     [FPC] []                 rrf_e(0xB3A8);
    CDGBR         [DD U64]            []       [FPC] []                 rre(0xB3A5);
    CEGBR         [DS U64]            []       [FPC] []                 rre(0xB3A4);
    CDFBR         [DD U32]            []       [FPC] []                 rre(0xB395);
    CEFBR         [DS U32]            []       [FPC] []                 rre(0xB394);
    CDLGBR        [DD I U64 I]        []       [FPC] []                 rrf_e(0xB3A1);
    CELGBR        [DS I U64 I]        []       [FPC] []                 rrf_e(0xB3A0);

    // Chapter 19, Binary-Floating-Point Instructions: long doubles.
    AXBR          [DX TX UX]          [CC]     [FPC] []                 rre(0xB34A);
    SXBR          [DX TX UX]          [CC]     [FPC] []                 rre(0xB34B);
    MXBR          [DX TX UX]          []       [FPC] []                 rre(0xB34C);
    DXBR          [DX TX UX]          []       [FPC] []                 rre(0xB34D);
    CXBR          [UX UX]             [CC]     [FPC] []                 rre(0xB349);
    LXDBR         [DX UD]             []       [FPC] []                 rre(0xB305);
    LXEBR         [DX US]             []       [FPC] []                 rre(0xB306);
    LDXBR         [DX UX]             []       [FPC] []                 rre(0xB345);
    LEXBR         [DX UX]             []       [FPC] []                 rre(0xB346);
    CGXBR         [D64 I UX]          [CC]     [FPC] []                 rrf_e(0xB3AA);
    CXGBR         [DX U64]            []       [FPC] []                 rre(0xB3A6);
    CXLGBR        [DX I U64 I]        []       [FPC] []                 rrf_e(0xB3A2);
}
