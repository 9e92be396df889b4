//! The instruction table of ppc64le: LLVM's opcode names, operands, implicit registers, encodings.
//!
//! Chapters are those of the Power ISA, book I; prefixed instructions are of version 3.1, all
//! others of 2.07. A memory operand is a displacement and a base as LLVM has them, or a base and an
//! index.

use super::encoding::Field::{
    Bd, Crf, Ds, Els, ElsPc, Fxm, Ha, Li, Mb5, Mb6, Me5, Mls, MlsPc, No, Nop, Pred, PredCr, Ra, Rb,
    Rc, Rt, Sh5, Sh6, Si, Sync, Ui, Xt, Xtab, Zero,
};
use super::encoding::{pseudo, word};
use super::registers::{
    CARRY, CLASSES, CR0, CRBITRC, CRRC, CTR8, F4RC, F8RC, G8RC, G8RC_NOX0, GPRC, LR8, RM, VSFRC,
    VSSRC, X1,
};
use mir_nostd::target::OperandRow::{self, Address, Def, EarlyDef, Immediate, Label, Tied, Use};

// Operands: D a definition, T a use tied to the first one, U a use; of 64 bits (G), the same
// without r0 (B), 32 bits (W), doubles (D), floats (S), registers that may hold either (V, VS),
// fields (F) and bits (K) of the condition register.
const DG: OperandRow = Def(G8RC);
/// A definition that shares its register with no use.
const EG: OperandRow = EarlyDef(G8RC);
const DB: OperandRow = Def(G8RC_NOX0);
const DW: OperandRow = Def(GPRC);
const DD: OperandRow = Def(F8RC);
const DS: OperandRow = Def(F4RC);
const DV: OperandRow = Def(VSFRC);
const DVS: OperandRow = Def(VSSRC);
const DF: OperandRow = Def(CRRC);
const DK: OperandRow = Def(CRBITRC);
const TB: OperandRow = Tied(G8RC_NOX0, 0);
const UG: OperandRow = Use(G8RC);
const UB: OperandRow = Use(G8RC_NOX0);
const UW: OperandRow = Use(GPRC);
const UD: OperandRow = Use(F8RC);
const US: OperandRow = Use(F4RC);
const UV: OperandRow = Use(VSFRC);
const UF: OperandRow = Use(CRRC);
const UK: OperandRow = Use(CRBITRC);
/// The base of an address.
const A: OperandRow = Address(G8RC_NOX0);
/// An immediate; a displacement, too.
const I: OperandRow = Immediate;
/// A block or a symbol.
const L: OperandRow = Label;

mir_nostd::instruction_table! {
    classes &CLASSES;

    // Name    Operands       Writes  Reads     Flags              Encoding

    // Chapter 3, Fixed-Point Arithmetic Instructions.
    LI8        [DG I]         []      []        [REMATERIALIZABLE] word(0x3800_0000, &[Rt, Si]);
    LIS8       [DG I]         []      []        [REMATERIALIZABLE] word(0x3C00_0000, &[Rt, Si]);
    ADD8       [DG UG UG]     []      []        []                 word(0x7C00_0214, &[Rt, Ra, Rb]);
    ADDI8      [DG A I]       []      []        []                 word(0x3800_0000, &[Rt, Ra, Si]);
    ADDIS8     [DG A I]       []      []        []                 word(0x3C00_0000, &[Rt, Ra, Ha]);
    ADDIC8     [DG UG I]      [CARRY] []        []                 word(0x3000_0000, &[Rt, Ra, Si]);
    ADDC8      [DG UG UG]     [CARRY] []        []                 word(0x7C00_0014, &[Rt, Ra, Rb]);
    ADDZE8     [DG UG]        [CARRY] [CARRY]   []                 word(0x7C00_0194, &[Rt, Ra]);
    SUBF8      [DG UG UG]     []      []        []                 word(0x7C00_0050, &[Rt, Ra, Rb]);
    SUBFIC8    [DG UG I]      [CARRY] []        []                 word(0x2000_0000, &[Rt, Ra, Si]);
    SUBFC8     [DG UG UG]     [CARRY] []        []                 word(0x7C00_0010, &[Rt, Ra, Rb]);
    SUBFE8     [DG UG UG]     [CARRY] [CARRY]   []                 word(0x7C00_0110, &[Rt, Ra, Rb]);
    NEG8       [DG UG]        []      []        []                 word(0x7C00_00D0, &[Rt, Ra]);
    MULLD      [DG UG UG]     []      []        []                 word(0x7C00_01D2, &[Rt, Ra, Rb]);
    MULLW      [DW UW UW]     []      []        []                 word(0x7C00_01D6, &[Rt, Ra, Rb]);
    MULLI8     [DG UG I]      []      []        []                 word(0x1C00_0000, &[Rt, Ra, Si]);
    MULHD      [DG UG UG]     []      []        []                 word(0x7C00_0092, &[Rt, Ra, Rb]);
    MULHDU     [DG UG UG]     []      []        []                 word(0x7C00_0012, &[Rt, Ra, Rb]);
    MULHWU     [DW UW UW]     []      []        []                 word(0x7C00_0016, &[Rt, Ra, Rb]);
    DIVD       [DG UG UG]     []      []        []                 word(0x7C00_03D2, &[Rt, Ra, Rb]);
    DIVDU      [DG UG UG]     []      []        []                 word(0x7C00_0392, &[Rt, Ra, Rb]);
    DIVW       [DW UW UW]     []      []        []                 word(0x7C00_03D6, &[Rt, Ra, Rb]);
    DIVWU      [DW UW UW]     []      []        []                 word(0x7C00_0396, &[Rt, Ra, Rb]);

    // Chapter 3, Fixed-Point Logical Instructions.
    AND8       [DG UG UG]     []      []        []                 word(0x7C00_0038, &[Ra, Rt, Rb]);
    AND8_rec   [DG UG UG]     [CR0]   []        []                 word(0x7C00_0039, &[Ra, Rt, Rb]);
    ANDC8      [DG UG UG]     []      []        []                 word(0x7C00_0078, &[Ra, Rt, Rb]);
    ANDI8_rec  [DG UG I]      [CR0]   []        []                 word(0x7000_0000, &[Ra, Rt, Ui]);
    ANDIS8_rec [DG UG I]      [CR0]   []        []                 word(0x7400_0000, &[Ra, Rt, Ui]);
    OR8        [DG UG UG]     []      []        []                 word(0x7C00_0378, &[Ra, Rt, Rb]);
    ORI8       [DG UG I]      []      []        []                 word(0x6000_0000, &[Ra, Rt, Ui]);
    ORIS8      [DG UG I]      []      []        []                 word(0x6400_0000, &[Ra, Rt, Ui]);
    XOR8       [DG UG UG]     []      []        []                 word(0x7C00_0278, &[Ra, Rt, Rb]);
    XORI8      [DG UG I]      []      []        []                 word(0x6800_0000, &[Ra, Rt, Ui]);
    XORIS8     [DG UG I]      []      []        []                 word(0x6C00_0000, &[Ra, Rt, Ui]);
    NOR8       [DG UG UG]     []      []        []                 word(0x7C00_00F8, &[Ra, Rt, Rb]);
    EXTSB8     [DG UG]        []      []        []                 word(0x7C00_0774, &[Ra, Rt]);
    EXTSB8_rec [DG UG]        [CR0]   []        []                 word(0x7C00_0775, &[Ra, Rt]);
    EXTSH8     [DG UG]        []      []        []                 word(0x7C00_0734, &[Ra, Rt]);
    EXTSH8_rec [DG UG]        [CR0]   []        []                 word(0x7C00_0735, &[Ra, Rt]);
    EXTSW      [DG UG]        []      []        []                 word(0x7C00_07B4, &[Ra, Rt]);
    EXTSW_rec  [DG UG]        [CR0]   []        []                 word(0x7C00_07B5, &[Ra, Rt]);
    CNTLZD     [DG UG]        []      []        []                 word(0x7C00_0074, &[Ra, Rt]);
    CNTLZW     [DW UW]        []      []        []                 word(0x7C00_0034, &[Ra, Rt]);
    POPCNTD    [DG UG]        []      []        []                 word(0x7C00_03F4, &[Ra, Rt]);
    POPCNTW    [DW UW]        []      []        []                 word(0x7C00_02F4, &[Ra, Rt]);

    // Chapter 3, Fixed-Point Rotate and Shift Instructions.
    SLD        [DG UG UW]     []      []        []                 word(0x7C00_0036, &[Ra, Rt, Rb]);
    SRD        [DG UG UW]     []      []        []                 word(0x7C00_0436, &[Ra, Rt, Rb]);
    SRAD       [DG UG UW]     [CARRY] []        []                 word(0x7C00_0634, &[Ra, Rt, Rb]);
    SLW        [DW UW UW]     []      []        []                 word(0x7C00_0030, &[Ra, Rt, Rb]);
    SRW        [DW UW UW]     []      []        []                 word(0x7C00_0430, &[Ra, Rt, Rb]);
    SRAW       [DW UW UW]     [CARRY] []        []                 word(0x7C00_0630, &[Ra, Rt, Rb]);
    SRADI      [DG UG I]      [CARRY] []        []                 word(0x7C00_0674, &[Ra, Rt, Sh6]);
    SRAWI      [DW UW I]      [CARRY] []        []                 word(0x7C00_0670, &[Ra, Rt, Sh5]);
    RLDCL      [DG UG UW I]   []      []        []                 word(0x7800_0010, &[Ra, Rt, Rb, Mb6]);
    RLWNM      [DW UW UW I I] []      []        []                 word(0x5C00_0000, &[Ra, Rt, Rb, Mb5, Me5]);
    RLDICL     [DG UG I I]    []      []        []                 word(0x7800_0000, &[Ra, Rt, Sh6, Mb6]);
    RLDICL_rec [DG UG I I]    [CR0]   []        []                 word(0x7800_0001, &[Ra, Rt, Sh6, Mb6]);
    RLDIC      [DG UG I I]    []      []        []                 word(0x7800_0008, &[Ra, Rt, Sh6, Mb6]);
    RLDICR     [DG UG I I]    []      []        []                 word(0x7800_0004, &[Ra, Rt, Sh6, Mb6]);
    RLWINM8    [DG UG I I I]  []      []        []                 word(0x5400_0000, &[Ra, Rt, Sh5, Mb5, Me5]);

    // Chapter 3, Fixed-Point Compare Instructions.
    CMPD       [DF UG UG]     []      []        []                 word(0x7C20_0000, &[Crf, Ra, Rb]);
    CMPW       [DF UW UW]     []      []        []                 word(0x7C00_0000, &[Crf, Ra, Rb]);
    CMPLD      [DF UG UG]     []      []        []                 word(0x7C20_0040, &[Crf, Ra, Rb]);
    CMPLW      [DF UW UW]     []      []        []                 word(0x7C00_0040, &[Crf, Ra, Rb]);
    CMPDI      [DF UG I]      []      []        []                 word(0x2C20_0000, &[Crf, Ra, Si]);
    CMPWI      [DF UW I]      []      []        []                 word(0x2C00_0000, &[Crf, Ra, Si]);
    CMPLDI     [DF UG I]      []      []        []                 word(0x2820_0000, &[Crf, Ra, Ui]);
    CMPLWI     [DF UW I]      []      []        []                 word(0x2800_0000, &[Crf, Ra, Ui]);

    // Chapter 4, Floating-Point Compare Instructions.
    FCMPUD     [DF UD UD]     []      []        []                 word(0xFC00_0000, &[Crf, Ra, Rb]);
    FCMPUS     [DF US US]     []      []        []                 word(0xFC00_0000, &[Crf, Ra, Rb]);

    // Chapter 2, Condition Register Instructions; chapter 3, moves from it and selects on it.
    CROR       [DK UK UK]     []      []        []                 word(0x4C00_0382, &[Rt, Ra, Rb]);
    MFOCRF8    [DG UF]        []      []        []                 word(0x7C10_0026, &[Rt, Fxm]);
    ISEL8      [DG UB UG UK]  []      []        []                 word(0x7C00_001E, &[Rt, Ra, Rb, Rc]);

    // Chapter 3, Fixed-Point Load Instructions.
    LBZ8       [DG I A]       []      []        [LOAD(1)]          word(0x8800_0000, &[Rt, Si, Ra]);
    LBZX8      [DG UB UG]     []      []        [LOAD(1)]          word(0x7C00_00AE, &[Rt, Ra, Rb]);
    LHZ8       [DG I A]       []      []        [LOAD(2)]          word(0xA000_0000, &[Rt, Si, Ra]);
    LHZX8      [DG UB UG]     []      []        [LOAD(2)]          word(0x7C00_022E, &[Rt, Ra, Rb]);
    LHA8       [DG I A]       []      []        [LOAD(2)]          word(0xA800_0000, &[Rt, Si, Ra]);
    LHAX8      [DG UB UG]     []      []        [LOAD(2)]          word(0x7C00_02AE, &[Rt, Ra, Rb]);
    LWZ8       [DG I A]       []      []        [LOAD(4)]          word(0x8000_0000, &[Rt, Si, Ra]);
    LWZX8      [DG UB UG]     []      []        [LOAD(4)]          word(0x7C00_002E, &[Rt, Ra, Rb]);
    LWA        [DG I A]       []      []        [LOAD(4)]          word(0xE800_0002, &[Rt, Ds, Ra]);
    LWAX       [DG UB UG]     []      []        [LOAD(4)]          word(0x7C00_02AA, &[Rt, Ra, Rb]);
    LD         [DG I A]       []      []        [LOAD(8)]          word(0xE800_0000, &[Rt, Ds, Ra]);
    // Book II, chapter 4, Storage Control: load and reserve, store conditional, barriers.
    LBARX      [DW UB UG]     []      []        [LOAD(1)]          word(0x7C00_0068, &[Rt, Ra, Rb]);
    LHARX      [DW UB UG]     []      []        [LOAD(2)]          word(0x7C00_00E8, &[Rt, Ra, Rb]);
    LWARX      [DW UB UG]     []      []        [LOAD(4)]          word(0x7C00_0028, &[Rt, Ra, Rb]);
    LDARX      [DG UB UG]     []      []        [LOAD(8)]          word(0x7C00_00A8, &[Rt, Ra, Rb]);
    STBCX      [UW UB UG]     [CR0]   []        [STORE(1)]         word(0x7C00_056D, &[Rt, Ra, Rb]);
    STHCX      [UW UB UG]     [CR0]   []        [STORE(2)]         word(0x7C00_05AD, &[Rt, Ra, Rb]);
    STWCX      [UW UB UG]     [CR0]   []        [STORE(4)]         word(0x7C00_012D, &[Rt, Ra, Rb]);
    STDCX      [UG UB UG]     [CR0]   []        [STORE(8)]         word(0x7C00_01AD, &[Rt, Ra, Rb]);
    SYNC       [I]            []      []        [LOAD STORE]       word(0x7C00_04AC, &[Sync]);
    // Nothing moves across it; it has no code.
    MEMBARRIER []             []      []        [PSEUDO LOAD STORE] pseudo();
    // Expanded to loops when registers are known: result, address, expected, new.
    ATOMIC_CMP_SWAP_I8  [EG UG UG UG] [CR0] []  [PSEUDO LOAD STORE SPLITS] pseudo();
    ATOMIC_CMP_SWAP_I16 [EG UG UG UG] [CR0] []  [PSEUDO LOAD STORE SPLITS] pseudo();
    ATOMIC_CMP_SWAP_I32 [EG UG UG UG] [CR0] []  [PSEUDO LOAD STORE SPLITS] pseudo();
    ATOMIC_CMP_SWAP_I64 [EG UG UG UG] [CR0] []  [PSEUDO LOAD STORE SPLITS] pseudo();
    LDX        [DG UB UG]     []      []        [LOAD(8)]          word(0x7C00_002A, &[Rt, Ra, Rb]);

    // Chapter 4, Floating-Point Load Instructions.
    LFS        [DS I A]       []      []        [LOAD(4)]          word(0xC000_0000, &[Rt, Si, Ra]);
    LFSX       [DS UB UG]     []      []        [LOAD(4)]          word(0x7C00_042E, &[Rt, Ra, Rb]);
    LFD        [DD I A]       []      []        [LOAD(8)]          word(0xC800_0000, &[Rt, Si, Ra]);
    LFDX       [DD UB UG]     []      []        [LOAD(8)]          word(0x7C00_04AE, &[Rt, Ra, Rb]);

    // Chapter 3, Fixed-Point Store Instructions. Those with update define the base.
    STB8       [UG I A]       []      []        [STORE(1)]         word(0x9800_0000, &[Rt, Si, Ra]);
    STBX8      [UG UB UG]     []      []        [STORE(1)]         word(0x7C00_01AE, &[Rt, Ra, Rb]);
    STH8       [UG I A]       []      []        [STORE(2)]         word(0xB000_0000, &[Rt, Si, Ra]);
    STHX8      [UG UB UG]     []      []        [STORE(2)]         word(0x7C00_032E, &[Rt, Ra, Rb]);
    STW8       [UG I A]       []      []        [STORE(4)]         word(0x9000_0000, &[Rt, Si, Ra]);
    STWX8      [UG UB UG]     []      []        [STORE(4)]         word(0x7C00_012E, &[Rt, Ra, Rb]);
    STD        [UG I A]       []      []        [STORE(8)]         word(0xF800_0000, &[Rt, Ds, Ra]);
    STDX       [UG UB UG]     []      []        [STORE(8)]         word(0x7C00_012A, &[Rt, Ra, Rb]);
    STDU       [DB UG I TB]   []      []        [STORE(8)]         word(0xF800_0001, &[No, Rt, Ds, Ra]);
    STDUX      [DB UG TB UG]  []      []        [STORE(8)]         word(0x7C00_016A, &[No, Rt, Ra, Rb]);

    // Chapter 4, Floating-Point Store Instructions.
    STFS       [US I A]       []      []        [STORE(4)]         word(0xD000_0000, &[Rt, Si, Ra]);
    STFSX      [US UB UG]     []      []        [STORE(4)]         word(0x7C00_052E, &[Rt, Ra, Rb]);
    STFD       [UD I A]       []      []        [STORE(8)]         word(0xD800_0000, &[Rt, Si, Ra]);
    STFDX      [UD UB UG]     []      []        [STORE(8)]         word(0x7C00_05AE, &[Rt, Ra, Rb]);

    // The same chapters: prefixed instructions, with immediates and distances of 34 bits.
    PLI8       [DG I]         []      []        [REMATERIALIZABLE] word(0x3800_0000, &[Rt, Mls]);
    PADDI8     [DG A I]       []      []        []                 word(0x3800_0000, &[Rt, Ra, Mls]);
    PADDI8pc   [DG I I]       []      []        []                 word(0x3800_0000, &[Rt, Zero, MlsPc]);
    PLBZ8      [DG I A]       []      []        [LOAD(1)]          word(0x8800_0000, &[Rt, Mls, Ra]);
    PLHZ8      [DG I A]       []      []        [LOAD(2)]          word(0xA000_0000, &[Rt, Mls, Ra]);
    PLHA8      [DG I A]       []      []        [LOAD(2)]          word(0xA800_0000, &[Rt, Mls, Ra]);
    PLWZ8      [DG I A]       []      []        [LOAD(4)]          word(0x8000_0000, &[Rt, Mls, Ra]);
    PLWA8      [DG I A]       []      []        [LOAD(4)]          word(0xA400_0000, &[Rt, Els, Ra]);
    PLD        [DG I A]       []      []        [LOAD(8)]          word(0xE400_0000, &[Rt, Els, Ra]);
    PLDpc      [DG I I]       []      []        [LOAD(8)]          word(0xE400_0000, &[Rt, ElsPc, Zero]);
    PLFS       [DS I A]       []      []        [LOAD(4)]          word(0xC000_0000, &[Rt, Mls, Ra]);
    PLFSpc     [DS I I]       []      []        [LOAD(4)]          word(0xC000_0000, &[Rt, MlsPc, Zero]);
    PLFD       [DD I A]       []      []        [LOAD(8)]          word(0xC800_0000, &[Rt, Mls, Ra]);
    PLFDpc     [DD I I]       []      []        [LOAD(8)]          word(0xC800_0000, &[Rt, MlsPc, Zero]);
    PSTB8      [UG I A]       []      []        [STORE(1)]         word(0x9800_0000, &[Rt, Mls, Ra]);
    PSTH8      [UG I A]       []      []        [STORE(2)]         word(0xB000_0000, &[Rt, Mls, Ra]);
    PSTW8      [UG I A]       []      []        [STORE(4)]         word(0x9000_0000, &[Rt, Mls, Ra]);
    PSTD       [UG I A]       []      []        [STORE(8)]         word(0xF400_0000, &[Rt, Els, Ra]);
    PSTFS      [US I A]       []      []        [STORE(4)]         word(0xD000_0000, &[Rt, Mls, Ra]);
    PSTFD      [UD I A]       []      []        [STORE(8)]         word(0xD800_0000, &[Rt, Mls, Ra]);

    // Chapter 2, Branch Instructions.
    BCC        [I UF L]       []      []        [TERMINATOR BRANCH] word(0x4000_0000, &[Pred, PredCr, Bd]);
    BDNZ8      [L]            [CTR8]  [CTR8]    [TERMINATOR BRANCH] word(0x4200_0000, &[Bd]);
    BDZ8       [L]            [CTR8]  [CTR8]    [TERMINATOR BRANCH] word(0x4240_0000, &[Bd]);
    B          [L]            []      []        [BARRIER TERMINATOR BRANCH] word(0x4800_0000, &[Li]);
    BCTR8      []             []      [CTR8]    [BARRIER TERMINATOR BRANCH INDIRECT] word(0x4E80_0420, &[]);
    BCTRL8     []             [LR8]   [CTR8 RM] [CALL]             word(0x4E80_0421, &[]);
    TAILBCTR8  []             []      [CTR8 RM] [RETURN BARRIER TERMINATOR BRANCH INDIRECT] word(0x4E80_0420, &[]);
    BL8_NOP    [L]            [LR8]   [RM]      [CALL]             word(0x4800_0001, &[Li, Nop]);
    BLR8       []             []      [LR8 RM]  [RETURN BARRIER TERMINATOR] word(0x4E80_0020, &[]);

    // Chapter 3, Move To/From System Register Instructions.
    MFLR8      [DG]           []      [LR8]     []                 word(0x7C08_02A6, &[Rt]);
    MTLR8      [UG]           [LR8]   []        []                 word(0x7C08_03A6, &[Rt]);
    MTCTR8     [UG]           [CTR8]  []        []                 word(0x7C09_03A6, &[Rt]);

    // Expanded to a loop when the frame is known.
    DYNALLOC8  [DG UG I A]    [X1]    [X1]      [PSEUDO]           pseudo();

    // Chapter 7, Vector-Scalar Floating-Point Operations; chapter 3, moves to and from their
    // registers.
    XXLXORdpz  [DV]           []      []        [REMATERIALIZABLE] word(0xF000_04D0, &[Xtab]);
    XXLXORspz  [DVS]          []      []        [REMATERIALIZABLE] word(0xF000_04D0, &[Xtab]);
    MTVSRD     [DV UG]        []      []        []                 word(0x7C00_0166, &[Xt, Ra]);
    MFVSRD     [DG UV]        []      []        []                 word(0x7C00_0066, &[Ra, Xt]);

    // Chapter 4, Floating-Point Move Instructions.
    FMR        [DS US]        []      []        []                 word(0xFC00_0090, &[Rt, Rb]);
    FNEGD      [DD UD]        []      []        []                 word(0xFC00_0050, &[Rt, Rb]);
    FNEGS      [DS US]        []      []        []                 word(0xFC00_0050, &[Rt, Rb]);
    FCPSGND    [DD UD UD]     []      []        []                 word(0xFC00_0010, &[Rt, Ra, Rb]);
    FCPSGNS    [DS US US]     []      []        []                 word(0xFC00_0010, &[Rt, Ra, Rb]);

    // Chapter 4, Floating-Point Arithmetic Instructions.
    FADD       [DD UD UD]     []      [RM]      []                 word(0xFC00_002A, &[Rt, Ra, Rb]);
    FADDS      [DS US US]     []      [RM]      []                 word(0xEC00_002A, &[Rt, Ra, Rb]);
    FSUB       [DD UD UD]     []      [RM]      []                 word(0xFC00_0028, &[Rt, Ra, Rb]);
    FSUBS      [DS US US]     []      [RM]      []                 word(0xEC00_0028, &[Rt, Ra, Rb]);
    FMUL       [DD UD UD]     []      [RM]      []                 word(0xFC00_0032, &[Rt, Ra, Rc]);
    FMULS      [DS US US]     []      [RM]      []                 word(0xEC00_0032, &[Rt, Ra, Rc]);
    FDIV       [DD UD UD]     []      [RM]      []                 word(0xFC00_0024, &[Rt, Ra, Rb]);
    FDIVS      [DS US US]     []      [RM]      []                 word(0xEC00_0024, &[Rt, Ra, Rb]);

    FSQRT      [DD UD]        []      [RM]      []                 word(0xFC00_002C, &[Rt, Rb]);
    FSQRTS     [DS US]        []      [RM]      []                 word(0xEC00_002C, &[Rt, Rb]);
    FMADD      [DD UD UD UD]  []      [RM]      []                 word(0xFC00_003A, &[Rt, Ra, Rc, Rb]);
    FMADDS     [DS US US US]  []      [RM]      []                 word(0xEC00_003A, &[Rt, Ra, Rc, Rb]);

    // Chapter 4, Floating-Point Rounding and Conversion Instructions.
    FRIMD      [DD UD]        []      []        []                 word(0xFC00_03D0, &[Rt, Rb]);
    FRIMS      [DS US]        []      []        []                 word(0xFC00_03D0, &[Rt, Rb]);
    FRIPD      [DD UD]        []      []        []                 word(0xFC00_0390, &[Rt, Rb]);
    FRIPS      [DS US]        []      []        []                 word(0xFC00_0390, &[Rt, Rb]);
    FRIZD      [DD UD]        []      []        []                 word(0xFC00_0350, &[Rt, Rb]);
    FRIZS      [DS US]        []      []        []                 word(0xFC00_0350, &[Rt, Rb]);
    FRSP       [DS UD]        []      [RM]      []                 word(0xFC00_0018, &[Rt, Rb]);
    FCFID      [DD UD]        []      [RM]      []                 word(0xFC00_069C, &[Rt, Rb]);
    FCFIDS     [DS UD]        []      [RM]      []                 word(0xEC00_069C, &[Rt, Rb]);
    FCFIDU     [DD UD]        []      [RM]      []                 word(0xFC00_079C, &[Rt, Rb]);
    FCFIDUS    [DS UD]        []      [RM]      []                 word(0xEC00_079C, &[Rt, Rb]);
    FCTIDZ     [DD UD]        []      [RM]      []                 word(0xFC00_065E, &[Rt, Rb]);
}
