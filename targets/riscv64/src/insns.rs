//! The instruction table of riscv64: LLVM's opcode names, operands, implicit registers, encodings.
//!
//! A memory operand is two operands as LLVM has them: base and displacement of 12 bits.

use super::encoding::{
    Encoding, branch, call, call_symbol, fixed, immediate, jump, load, move_float, none, register,
    return_by, round, shift, store, unary, upper,
};
use super::regs::{FPR32, FPR64, GPR, GPRJALR, GPRTC, RA, SP};
use mir_nostd::machine::{Opcode, Reg};
use mir_nostd::target::OperandRow::{self, Address, Def, Label, Use};
use mir_nostd::target::{InsnFlags, InsnRow, List, Name};

type Shape = &'static [OperandRow];

const BASE: OperandRow = Address(GPR);
const IMM: OperandRow = OperandRow::Immediate;

// The lists of operands: first those that are written, then those that are read. X stands for
// integer registers, D and S for doubles and floats.
const NONE: Shape = &[];
const DX_IMM: Shape = &[Def(GPR), IMM];
const DX_UX_IMM: Shape = &[Def(GPR), Use(GPR), IMM];
const DX_UX_UX: Shape = &[Def(GPR), Use(GPR), Use(GPR)];
const DX_MEM: Shape = &[Def(GPR), BASE, IMM];
const UX_MEM: Shape = &[Use(GPR), BASE, IMM];
const DD_MEM: Shape = &[Def(FPR64), BASE, IMM];
const UD_MEM: Shape = &[Use(FPR64), BASE, IMM];
const DS_MEM: Shape = &[Def(FPR32), BASE, IMM];
const US_MEM: Shape = &[Use(FPR32), BASE, IMM];
const UX_UX_LABEL: Shape = &[Use(GPR), Use(GPR), Label];
const LABEL: Shape = &[Label];
const ADDRESS: Shape = &[IMM];
const UX: Shape = &[Use(GPR)];
const UJ: Shape = &[Use(GPRJALR)];
const UJ_IMM: Shape = &[Use(GPRJALR), IMM];
const UT: Shape = &[Use(GPRTC)];
const DX_DD_IMM: Shape = &[Def(GPR), Def(FPR64), IMM];
const DX_DS_IMM: Shape = &[Def(GPR), Def(FPR32), IMM];
const DD_UD_UD: Shape = &[Def(FPR64), Use(FPR64), Use(FPR64)];
const DS_US_US: Shape = &[Def(FPR32), Use(FPR32), Use(FPR32)];
const DD_UD_UD_IMM: Shape = &[Def(FPR64), Use(FPR64), Use(FPR64), IMM];
const DS_US_US_IMM: Shape = &[Def(FPR32), Use(FPR32), Use(FPR32), IMM];
const DX_UD_UD: Shape = &[Def(GPR), Use(FPR64), Use(FPR64)];
const DX_US_US: Shape = &[Def(GPR), Use(FPR32), Use(FPR32)];
const DX_UD_IMM: Shape = &[Def(GPR), Use(FPR64), IMM];
const DX_US_IMM: Shape = &[Def(GPR), Use(FPR32), IMM];
const DD_UX_IMM: Shape = &[Def(FPR64), Use(GPR), IMM];
const DS_UX_IMM: Shape = &[Def(FPR32), Use(GPR), IMM];
const DD_US_IMM: Shape = &[Def(FPR64), Use(FPR32), IMM];
const DS_UD_IMM: Shape = &[Def(FPR32), Use(FPR64), IMM];
const DD_UX: Shape = &[Def(FPR64), Use(GPR)];
const DS_UX: Shape = &[Def(FPR32), Use(GPR)];

macro_rules! table {
    ($($name:ident $shape:ident [$($def:ident)*] [$($read:ident)*] [$($flag:ident$(($bytes:literal))?)*] $encoding:expr;)*) => {
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
    // Constants and addresses. The first six are expanded when registers and frame are known.
    PseudoLI DX_IMM [] [] [PSEUDO REMATERIALIZABLE] none();
    PseudoLLA DX_IMM [] [] [PSEUDO REMATERIALIZABLE] none();
    PseudoLGA DX_IMM [] [] [PSEUDO LOAD(8)] none();
    PseudoLD DX_IMM [] [] [PSEUDO LOAD(8)] none();
    PseudoFLD DX_DD_IMM [] [] [PSEUDO LOAD(8)] none();
    PseudoFLW DX_DS_IMM [] [] [PSEUDO LOAD(4)] none();
    LUI DX_IMM [] [] [REMATERIALIZABLE] upper(0x37);
    AUIPC DX_IMM [] [] [] upper(0x17);
    // Arithmetic on integers.
    ADDI DX_UX_IMM [] [] [] immediate(0, 0x13);
    SLTI DX_UX_IMM [] [] [] immediate(2, 0x13);
    SLTIU DX_UX_IMM [] [] [] immediate(3, 0x13);
    XORI DX_UX_IMM [] [] [] immediate(4, 0x13);
    ORI DX_UX_IMM [] [] [] immediate(6, 0x13);
    ANDI DX_UX_IMM [] [] [] immediate(7, 0x13);
    ADDIW DX_UX_IMM [] [] [] immediate(0, 0x1b);
    SLLI DX_UX_IMM [] [] [] shift(1, 0x00, 0x13);
    SRLI DX_UX_IMM [] [] [] shift(5, 0x00, 0x13);
    SRAI DX_UX_IMM [] [] [] shift(5, 0x20, 0x13);
    SLLIW DX_UX_IMM [] [] [] shift(1, 0x00, 0x1b);
    SRLIW DX_UX_IMM [] [] [] shift(5, 0x00, 0x1b);
    SRAIW DX_UX_IMM [] [] [] shift(5, 0x20, 0x1b);
    ADD DX_UX_UX [] [] [] register(0, 0x00, 0x33);
    SUB DX_UX_UX [] [] [] register(0, 0x20, 0x33);
    SLL DX_UX_UX [] [] [] register(1, 0x00, 0x33);
    SLT DX_UX_UX [] [] [] register(2, 0x00, 0x33);
    SLTU DX_UX_UX [] [] [] register(3, 0x00, 0x33);
    XOR DX_UX_UX [] [] [] register(4, 0x00, 0x33);
    SRL DX_UX_UX [] [] [] register(5, 0x00, 0x33);
    SRA DX_UX_UX [] [] [] register(5, 0x20, 0x33);
    OR DX_UX_UX [] [] [] register(6, 0x00, 0x33);
    AND DX_UX_UX [] [] [] register(7, 0x00, 0x33);
    ADDW DX_UX_UX [] [] [] register(0, 0x00, 0x3b);
    SUBW DX_UX_UX [] [] [] register(0, 0x20, 0x3b);
    SLLW DX_UX_UX [] [] [] register(1, 0x00, 0x3b);
    SRLW DX_UX_UX [] [] [] register(5, 0x00, 0x3b);
    SRAW DX_UX_UX [] [] [] register(5, 0x20, 0x3b);
    MUL DX_UX_UX [] [] [] register(0, 0x01, 0x33);
    MULH DX_UX_UX [] [] [] register(1, 0x01, 0x33);
    MULHU DX_UX_UX [] [] [] register(3, 0x01, 0x33);
    DIV DX_UX_UX [] [] [] register(4, 0x01, 0x33);
    DIVU DX_UX_UX [] [] [] register(5, 0x01, 0x33);
    REM DX_UX_UX [] [] [] register(6, 0x01, 0x33);
    REMU DX_UX_UX [] [] [] register(7, 0x01, 0x33);
    MULW DX_UX_UX [] [] [] register(0, 0x01, 0x3b);
    DIVW DX_UX_UX [] [] [] register(4, 0x01, 0x3b);
    DIVUW DX_UX_UX [] [] [] register(5, 0x01, 0x3b);
    REMW DX_UX_UX [] [] [] register(6, 0x01, 0x3b);
    REMUW DX_UX_UX [] [] [] register(7, 0x01, 0x3b);
    // Memory.
    LB DX_MEM [] [] [LOAD(1)] load(0, 0x03);
    LH DX_MEM [] [] [LOAD(2)] load(1, 0x03);
    LW DX_MEM [] [] [LOAD(4)] load(2, 0x03);
    LD DX_MEM [] [] [LOAD(8)] load(3, 0x03);
    LBU DX_MEM [] [] [LOAD(1)] load(4, 0x03);
    LHU DX_MEM [] [] [LOAD(2)] load(5, 0x03);
    LWU DX_MEM [] [] [LOAD(4)] load(6, 0x03);
    SB UX_MEM [] [] [STORE(1)] store(0, 0x23);
    SH UX_MEM [] [] [STORE(2)] store(1, 0x23);
    SW UX_MEM [] [] [STORE(4)] store(2, 0x23);
    SD UX_MEM [] [] [STORE(8)] store(3, 0x23);
    FLW DS_MEM [] [] [LOAD(4)] load(2, 0x07);
    FLD DD_MEM [] [] [LOAD(8)] load(3, 0x07);
    FSW US_MEM [] [] [STORE(4)] store(2, 0x27);
    FSD UD_MEM [] [] [STORE(8)] store(3, 0x27);
    // Control.
    BEQ UX_UX_LABEL [] [] [TERMINATOR BRANCH] branch(0);
    BNE UX_UX_LABEL [] [] [TERMINATOR BRANCH] branch(1);
    BLT UX_UX_LABEL [] [] [TERMINATOR BRANCH] branch(4);
    BGE UX_UX_LABEL [] [] [TERMINATOR BRANCH] branch(5);
    BLTU UX_UX_LABEL [] [] [TERMINATOR BRANCH] branch(6);
    BGEU UX_UX_LABEL [] [] [TERMINATOR BRANCH] branch(7);
    PseudoBR LABEL [] [] [BARRIER TERMINATOR BRANCH] jump();
    PseudoBRIND UJ_IMM [] [] [BARRIER TERMINATOR BRANCH INDIRECT] return_by();
    PseudoCALLIndirect UJ [RA] [] [CALL] call();
    PseudoCALL ADDRESS [RA] [] [CALL] call_symbol();
    PseudoTAILIndirect UT [] [SP] [RETURN BARRIER TERMINATOR] return_by();
    PseudoRET NONE [] [] [RETURN BARRIER TERMINATOR] fixed(0x0000_8067);
    PROBED_STACKALLOC_DYN UX [SP] [SP] [PSEUDO LOAD STORE SPLITS] none();
    // Floats and doubles.
    FADD_S DS_US_US_IMM [] [] [] round(0x00);
    FADD_D DD_UD_UD_IMM [] [] [] round(0x01);
    FSUB_S DS_US_US_IMM [] [] [] round(0x04);
    FSUB_D DD_UD_UD_IMM [] [] [] round(0x05);
    FMUL_S DS_US_US_IMM [] [] [] round(0x08);
    FMUL_D DD_UD_UD_IMM [] [] [] round(0x09);
    FDIV_S DS_US_US_IMM [] [] [] round(0x0c);
    FDIV_D DD_UD_UD_IMM [] [] [] round(0x0d);
    FSGNJ_S DS_US_US [] [] [] register(0, 0x10, 0x53);
    FSGNJ_D DD_UD_UD [] [] [] register(0, 0x11, 0x53);
    FSGNJN_S DS_US_US [] [] [] register(1, 0x10, 0x53);
    FSGNJN_D DD_UD_UD [] [] [] register(1, 0x11, 0x53);
    FLE_S DX_US_US [] [] [] register(0, 0x50, 0x53);
    FLE_D DX_UD_UD [] [] [] register(0, 0x51, 0x53);
    FLT_S DX_US_US [] [] [] register(1, 0x50, 0x53);
    FLT_D DX_UD_UD [] [] [] register(1, 0x51, 0x53);
    FEQ_S DX_US_US [] [] [] register(2, 0x50, 0x53);
    FEQ_D DX_UD_UD [] [] [] register(2, 0x51, 0x53);
    FCVT_L_S DX_US_IMM [] [] [] unary(0x60, 2);
    FCVT_L_D DX_UD_IMM [] [] [] unary(0x61, 2);
    FCVT_S_L DS_UX_IMM [] [] [] unary(0x68, 2);
    FCVT_S_LU DS_UX_IMM [] [] [] unary(0x68, 3);
    FCVT_D_L DD_UX_IMM [] [] [] unary(0x69, 2);
    FCVT_D_LU DD_UX_IMM [] [] [] unary(0x69, 3);
    FCVT_S_D DS_UD_IMM [] [] [] unary(0x20, 1);
    FCVT_D_S DD_US_IMM [] [] [] unary(0x21, 0);
    FMV_W_X DS_UX [] [] [] move_float(0x78);
    FMV_D_X DD_UX [] [] [] move_float(0x79);
}
