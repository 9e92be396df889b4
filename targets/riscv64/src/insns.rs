//! The instruction table of riscv64: LLVM's opcode names, operands, implicit registers, encodings.
//!
//! Chapters are those of the RISC-V Instruction Set Manual, volume I. A memory operand is two
//! operands as LLVM has them: base and displacement of 12 bits.

use super::encoding::{
    atomic, branch, call, call_symbol, fence, fixed, fused, immediate, jump, load, move_float,
    none, register, reserve, return_by, round, shift, store, unary, upper,
};
use super::registers::{CLASSES, FPR32, FPR64, GPR, GPRJALR, GPRTC, RA, SP};
use mir_nostd::target::OperandRow::{self, Address, Def, EarlyDef, Immediate, Label, Use};

// Operands: D a definition, U a use; of integer registers (X), those that jumps (J) and tail calls
// (T) take, doubles (D) and floats (S).
const DX: OperandRow = Def(GPR);
/// A definition that shares its register with no use.
const EX: OperandRow = EarlyDef(GPR);
const DD: OperandRow = Def(FPR64);
const DS: OperandRow = Def(FPR32);
const UX: OperandRow = Use(GPR);
const UJ: OperandRow = Use(GPRJALR);
const UT: OperandRow = Use(GPRTC);
const UD: OperandRow = Use(FPR64);
const US: OperandRow = Use(FPR32);
/// The base of an address.
const A: OperandRow = Address(GPR);
/// An immediate, a symbol or a constant.
const I: OperandRow = Immediate;
/// A block.
const L: OperandRow = Label;

mir_nostd::instruction_table! {
    classes &CLASSES;

    // Name               Operands     Writes Reads Flags              Encoding

    // Constants and addresses; these are expanded when registers and frame are known.
    PseudoLI              [DX I]       []     []    [PSEUDO REMATERIALIZABLE] none();
    PseudoLLA             [DX I]       []     []    [PSEUDO REMATERIALIZABLE] none();
    PseudoLGA             [DX I]       []     []    [PSEUDO LOAD(8)]   none();
    PseudoLD              [DX I]       []     []    [PSEUDO LOAD(8)]   none();
    PseudoFLD             [DX DD I]    []     []    [PSEUDO LOAD(8)]   none();
    PseudoFLW             [DX DS I]    []     []    [PSEUDO LOAD(4)]   none();

    // RV32I and RV64I, integer computational instructions: upper immediates.
    LUI                   [DX I]       []     []    [REMATERIALIZABLE] upper(0x37);
    AUIPC                 [DX I]       []     []    []                 upper(0x17);

    // RV32I and RV64I, integer computational instructions: register and immediate.
    ADDI                  [DX UX I]    []     []    []                 immediate(0, 0x13);
    SLTI                  [DX UX I]    []     []    []                 immediate(2, 0x13);
    SLTIU                 [DX UX I]    []     []    []                 immediate(3, 0x13);
    XORI                  [DX UX I]    []     []    []                 immediate(4, 0x13);
    ORI                   [DX UX I]    []     []    []                 immediate(6, 0x13);
    ANDI                  [DX UX I]    []     []    []                 immediate(7, 0x13);
    ADDIW                 [DX UX I]    []     []    []                 immediate(0, 0x1b);
    SLLI                  [DX UX I]    []     []    []                 shift(1, 0x00, 0x13);
    SRLI                  [DX UX I]    []     []    []                 shift(5, 0x00, 0x13);
    SRAI                  [DX UX I]    []     []    []                 shift(5, 0x20, 0x13);
    SLLIW                 [DX UX I]    []     []    []                 shift(1, 0x00, 0x1b);
    SRLIW                 [DX UX I]    []     []    []                 shift(5, 0x00, 0x1b);
    SRAIW                 [DX UX I]    []     []    []                 shift(5, 0x20, 0x1b);

    // RV32I and RV64I, integer computational instructions: two registers.
    ADD                   [DX UX UX]   []     []    []                 register(0, 0x00, 0x33);
    SUB                   [DX UX UX]   []     []    []                 register(0, 0x20, 0x33);
    SLL                   [DX UX UX]   []     []    []                 register(1, 0x00, 0x33);
    SLT                   [DX UX UX]   []     []    []                 register(2, 0x00, 0x33);
    SLTU                  [DX UX UX]   []     []    []                 register(3, 0x00, 0x33);
    XOR                   [DX UX UX]   []     []    []                 register(4, 0x00, 0x33);
    SRL                   [DX UX UX]   []     []    []                 register(5, 0x00, 0x33);
    SRA                   [DX UX UX]   []     []    []                 register(5, 0x20, 0x33);
    OR                    [DX UX UX]   []     []    []                 register(6, 0x00, 0x33);
    AND                   [DX UX UX]   []     []    []                 register(7, 0x00, 0x33);
    ADDW                  [DX UX UX]   []     []    []                 register(0, 0x00, 0x3b);
    SUBW                  [DX UX UX]   []     []    []                 register(0, 0x20, 0x3b);
    SLLW                  [DX UX UX]   []     []    []                 register(1, 0x00, 0x3b);
    SRLW                  [DX UX UX]   []     []    []                 register(5, 0x00, 0x3b);
    SRAW                  [DX UX UX]   []     []    []                 register(5, 0x20, 0x3b);

    // The M extension: integer multiplication and division.
    MUL                   [DX UX UX]   []     []    []                 register(0, 0x01, 0x33);
    MULH                  [DX UX UX]   []     []    []                 register(1, 0x01, 0x33);
    MULHU                 [DX UX UX]   []     []    []                 register(3, 0x01, 0x33);
    DIV                   [DX UX UX]   []     []    []                 register(4, 0x01, 0x33);
    DIVU                  [DX UX UX]   []     []    []                 register(5, 0x01, 0x33);
    REM                   [DX UX UX]   []     []    []                 register(6, 0x01, 0x33);
    REMU                  [DX UX UX]   []     []    []                 register(7, 0x01, 0x33);
    MULW                  [DX UX UX]   []     []    []                 register(0, 0x01, 0x3b);
    DIVW                  [DX UX UX]   []     []    []                 register(4, 0x01, 0x3b);
    DIVUW                 [DX UX UX]   []     []    []                 register(5, 0x01, 0x3b);
    REMW                  [DX UX UX]   []     []    []                 register(6, 0x01, 0x3b);
    REMUW                 [DX UX UX]   []     []    []                 register(7, 0x01, 0x3b);

    // RV32I and RV64I, load and store instructions.
    LB                    [DX A I]     []     []    [LOAD(1)]          load(0, 0x03);
    LH                    [DX A I]     []     []    [LOAD(2)]          load(1, 0x03);
    LW                    [DX A I]     []     []    [LOAD(4)]          load(2, 0x03);
    LD                    [DX A I]     []     []    [LOAD(8)]          load(3, 0x03);
    LBU                   [DX A I]     []     []    [LOAD(1)]          load(4, 0x03);
    LHU                   [DX A I]     []     []    [LOAD(2)]          load(5, 0x03);
    LWU                   [DX A I]     []     []    [LOAD(4)]          load(6, 0x03);
    SB                    [UX A I]     []     []    [STORE(1)]         store(0, 0x23);
    SH                    [UX A I]     []     []    [STORE(2)]         store(1, 0x23);
    SW                    [UX A I]     []     []    [STORE(4)]         store(2, 0x23);
    SD                    [UX A I]     []     []    [STORE(8)]         store(3, 0x23);

    // RV32I, memory ordering instructions: the sets of accesses before and after.
    FENCE                 [I I]        []     []    [LOAD STORE]       fence();
    FENCE_TSO             []           []     []    [LOAD STORE]       fixed(0x8330_000f);

    // The A extension: result or 0, new value, address; `reserve` has no new value.
    LR_W                  [DX UX]      []     []    [LOAD(4)]          reserve(2, 0);
    LR_W_AQ               [DX UX]      []     []    [LOAD(4)]          reserve(2, 2);
    LR_W_AQRL             [DX UX]      []     []    [LOAD(4)]          reserve(2, 3);
    LR_D                  [DX UX]      []     []    [LOAD(8)]          reserve(3, 0);
    LR_D_AQ               [DX UX]      []     []    [LOAD(8)]          reserve(3, 2);
    LR_D_AQRL             [DX UX]      []     []    [LOAD(8)]          reserve(3, 3);
    SC_W                  [DX UX UX]   []     []    [STORE(4)]         atomic(2, 3, 0);
    SC_W_RL               [DX UX UX]   []     []    [STORE(4)]         atomic(2, 3, 1);
    SC_D                  [DX UX UX]   []     []    [STORE(8)]         atomic(3, 3, 0);
    SC_D_RL               [DX UX UX]   []     []    [STORE(8)]         atomic(3, 3, 1);
    AMOSWAP_W             [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 1, 0);
    AMOSWAP_D             [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 1, 0);
    AMOSWAP_W_AQ          [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 1, 2);
    AMOSWAP_D_AQ          [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 1, 2);
    AMOSWAP_W_RL          [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 1, 1);
    AMOSWAP_D_RL          [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 1, 1);
    AMOSWAP_W_AQRL        [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 1, 3);
    AMOSWAP_D_AQRL        [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 1, 3);
    AMOADD_W              [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 0, 0);
    AMOADD_D              [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 0, 0);
    AMOADD_W_AQ           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 0, 2);
    AMOADD_D_AQ           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 0, 2);
    AMOADD_W_RL           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 0, 1);
    AMOADD_D_RL           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 0, 1);
    AMOADD_W_AQRL         [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 0, 3);
    AMOADD_D_AQRL         [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 0, 3);
    AMOAND_W              [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 12, 0);
    AMOAND_D              [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 12, 0);
    AMOAND_W_AQ           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 12, 2);
    AMOAND_D_AQ           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 12, 2);
    AMOAND_W_RL           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 12, 1);
    AMOAND_D_RL           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 12, 1);
    AMOAND_W_AQRL         [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 12, 3);
    AMOAND_D_AQRL         [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 12, 3);
    AMOOR_W               [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 8, 0);
    AMOOR_D               [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 8, 0);
    AMOOR_W_AQ            [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 8, 2);
    AMOOR_D_AQ            [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 8, 2);
    AMOOR_W_RL            [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 8, 1);
    AMOOR_D_RL            [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 8, 1);
    AMOOR_W_AQRL          [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 8, 3);
    AMOOR_D_AQRL          [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 8, 3);
    AMOXOR_W              [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 4, 0);
    AMOXOR_D              [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 4, 0);
    AMOXOR_W_AQ           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 4, 2);
    AMOXOR_D_AQ           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 4, 2);
    AMOXOR_W_RL           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 4, 1);
    AMOXOR_D_RL           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 4, 1);
    AMOXOR_W_AQRL         [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 4, 3);
    AMOXOR_D_AQRL         [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 4, 3);
    AMOMIN_W              [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 16, 0);
    AMOMIN_D              [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 16, 0);
    AMOMIN_W_AQ           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 16, 2);
    AMOMIN_D_AQ           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 16, 2);
    AMOMIN_W_RL           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 16, 1);
    AMOMIN_D_RL           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 16, 1);
    AMOMIN_W_AQRL         [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 16, 3);
    AMOMIN_D_AQRL         [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 16, 3);
    AMOMAX_W              [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 20, 0);
    AMOMAX_D              [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 20, 0);
    AMOMAX_W_AQ           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 20, 2);
    AMOMAX_D_AQ           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 20, 2);
    AMOMAX_W_RL           [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 20, 1);
    AMOMAX_D_RL           [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 20, 1);
    AMOMAX_W_AQRL         [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 20, 3);
    AMOMAX_D_AQRL         [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 20, 3);
    AMOMINU_W             [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 24, 0);
    AMOMINU_D             [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 24, 0);
    AMOMINU_W_AQ          [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 24, 2);
    AMOMINU_D_AQ          [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 24, 2);
    AMOMINU_W_RL          [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 24, 1);
    AMOMINU_D_RL          [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 24, 1);
    AMOMINU_W_AQRL        [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 24, 3);
    AMOMINU_D_AQRL        [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 24, 3);
    AMOMAXU_W             [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 28, 0);
    AMOMAXU_D             [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 28, 0);
    AMOMAXU_W_AQ          [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 28, 2);
    AMOMAXU_D_AQ          [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 28, 2);
    AMOMAXU_W_RL          [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 28, 1);
    AMOMAXU_D_RL          [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 28, 1);
    AMOMAXU_W_AQRL        [DX UX UX]   []     []    [LOAD STORE(4)]    atomic(2, 28, 3);
    AMOMAXU_D_AQRL        [DX UX UX]   []     []    [LOAD STORE(8)]    atomic(3, 28, 3);

    // Expanded to loops when registers are known: result, scratch, address, expected, new, then the
    // mask of the bits that are meant, and the order.
    PseudoCmpXchg32       [EX EX UX UX UX I] [] []  [PSEUDO LOAD STORE SPLITS] none();
    PseudoCmpXchg64       [EX EX UX UX UX I] [] []  [PSEUDO LOAD STORE SPLITS] none();
    PseudoMaskedCmpXchg32 [EX EX UX UX UX UX I] [] [] [PSEUDO LOAD STORE SPLITS] none();

    // The F and D extensions, loads and stores.
    FLW                   [DS A I]     []     []    [LOAD(4)]          load(2, 0x07);
    FLD                   [DD A I]     []     []    [LOAD(8)]          load(3, 0x07);
    FSW                   [US A I]     []     []    [STORE(4)]         store(2, 0x27);
    FSD                   [UD A I]     []     []    [STORE(8)]         store(3, 0x27);

    // RV32I, control transfer instructions: conditional branches.
    BEQ                   [UX UX L]    []     []    [TERMINATOR BRANCH] branch(0);
    BNE                   [UX UX L]    []     []    [TERMINATOR BRANCH] branch(1);
    BLT                   [UX UX L]    []     []    [TERMINATOR BRANCH] branch(4);
    BGE                   [UX UX L]    []     []    [TERMINATOR BRANCH] branch(5);
    BLTU                  [UX UX L]    []     []    [TERMINATOR BRANCH] branch(6);
    BGEU                  [UX UX L]    []     []    [TERMINATOR BRANCH] branch(7);

    // RV32I, control transfer instructions: jumps and calls.
    PseudoBR              [L]          []     []    [BARRIER TERMINATOR BRANCH] jump();
    PseudoBRIND           [UJ I]       []     []    [BARRIER TERMINATOR BRANCH INDIRECT] return_by();
    PseudoCALLIndirect    [UJ]         [RA]   []    [CALL]             call();
    PseudoCALL            [I]          [RA]   []    [CALL]             call_symbol();
    PseudoTAILIndirect    [UT]         []     [SP]  [RETURN BARRIER TERMINATOR] return_by();
    PseudoRET             []           []     []    [RETURN BARRIER TERMINATOR] fixed(0x0000_8067);

    // Expanded to a loop when the frame is known.
    PROBED_STACKALLOC_DYN [UX]         [SP]   [SP]  [PSEUDO LOAD STORE SPLITS] none();

    // The F and D extensions, computational instructions. The last operand is the rounding mode.
    FADD_S                [DS US US I] []     []    []                 round(0x00);
    FADD_D                [DD UD UD I] []     []    []                 round(0x01);
    FSUB_S                [DS US US I] []     []    []                 round(0x04);
    FSUB_D                [DD UD UD I] []     []    []                 round(0x05);
    FMUL_S                [DS US US I] []     []    []                 round(0x08);
    FMUL_D                [DD UD UD I] []     []    []                 round(0x09);
    FDIV_S                [DS US US I] []     []    []                 round(0x0c);
    FDIV_D                [DD UD UD I] []     []    []                 round(0x0d);

    FSQRT_S               [DS US I]    []     []    []                 unary(0x2c, 0);
    FSQRT_D               [DD UD I]    []     []    []                 unary(0x2d, 0);
    FMADD_S               [DS US US US I] []  []    []                 fused(0);
    FMADD_D               [DD UD UD UD I] []  []    []                 fused(1);
    FMIN_S                [DS US US]   []     []    []                 register(0, 0x14, 0x53);
    FMIN_D                [DD UD UD]   []     []    []                 register(0, 0x15, 0x53);
    FMAX_S                [DS US US]   []     []    []                 register(1, 0x14, 0x53);
    FMAX_D                [DD UD UD]   []     []    []                 register(1, 0x15, 0x53);

    // The F and D extensions, sign injection and comparison.
    FSGNJ_S               [DS US US]   []     []    []                 register(0, 0x10, 0x53);
    FSGNJ_D               [DD UD UD]   []     []    []                 register(0, 0x11, 0x53);
    FSGNJN_S              [DS US US]   []     []    []                 register(1, 0x10, 0x53);
    FSGNJN_D              [DD UD UD]   []     []    []                 register(1, 0x11, 0x53);
    FLE_S                 [DX US US]   []     []    []                 register(0, 0x50, 0x53);
    FLE_D                 [DX UD UD]   []     []    []                 register(0, 0x51, 0x53);
    FLT_S                 [DX US US]   []     []    []                 register(1, 0x50, 0x53);
    FLT_D                 [DX UD UD]   []     []    []                 register(1, 0x51, 0x53);
    FEQ_S                 [DX US US]   []     []    []                 register(2, 0x50, 0x53);
    FEQ_D                 [DX UD UD]   []     []    []                 register(2, 0x51, 0x53);

    // The F and D extensions, conversion and move instructions.
    FCVT_L_S              [DX US I]    []     []    []                 unary(0x60, 2);
    FCVT_L_D              [DX UD I]    []     []    []                 unary(0x61, 2);
    FCVT_S_L              [DS UX I]    []     []    []                 unary(0x68, 2);
    FCVT_S_LU             [DS UX I]    []     []    []                 unary(0x68, 3);
    FCVT_D_L              [DD UX I]    []     []    []                 unary(0x69, 2);
    FCVT_D_LU             [DD UX I]    []     []    []                 unary(0x69, 3);
    FCVT_S_D              [DS UD I]    []     []    []                 unary(0x20, 1);
    FCVT_D_S              [DD US I]    []     []    []                 unary(0x21, 0);
    FMV_X_W               [DX US]      []     []    []                 move_float(0x70);
    FMV_X_D               [DX UD]      []     []    []                 move_float(0x71);
    FMV_W_X               [DS UX]      []     []    []                 move_float(0x78);
    FMV_D_X               [DD UX]      []     []    []                 move_float(0x79);
}
