//! Facts about instructions for the passes after selection.

use super::insns::Op;
use super::regs::ZERO;
use mir_nostd::machine::{Function, InsnId, Opcode, Operand};
use mir_nostd::target::UpperHalf;

/// Returns whether an instruction that reads no virtual register computes the same value wherever
/// it stands.
pub(crate) fn is_constant(function: &Function<'_>, insn: InsnId) -> bool {
    let opcode = function.insn(insn).opcode;
    let is = |op: &Op| opcode == Opcode::from(*op);
    let constants = [
        Op::PseudoLI,
        Op::PseudoLLA,
        Op::PseudoLD,
        Op::PseudoLGA,
        Op::PseudoFLD,
        Op::PseudoFLW,
        Op::LUI,
    ];
    if constants.iter().any(is) {
        return true;
    }
    let moves = [Op::ADDI, Op::FMV_D_X, Op::FMV_W_X];
    let source = function.operands(insn).get(1).copied();
    let is_fixed = |operand: Operand| operand.as_frame().is_some() || is_zero(operand);
    moves.iter().any(is) && source.is_some_and(is_fixed)
}

/// Returns whether an operand is the register that is always 0.
pub(crate) fn is_zero(operand: Operand) -> bool {
    operand.as_reg() == Some(ZERO)
}

/// Returns the kind of bits in the upper half of an instruction's result.
pub(crate) fn upper_half(function: &Function<'_>, insn: InsnId) -> UpperHalf {
    let opcode = function.insn(insn).opcode;
    let Some(&(_, half)) = HALVES.iter().find(|&&(op, _)| opcode == op.into()) else {
        return UpperHalf::Unknown;
    };
    let operands = function.operands(insn);
    let value = operands.last().and_then(|&value| function.immediate(value));
    match half {
        Half::Sign => UpperHalf::Sign,
        Half::SignOfSources => UpperHalf::SignOfSources,
        Half::Extension if value == Some(0) => UpperHalf::Extension,
        Half::Extension => UpperHalf::Sign,
        Half::Constant => match value.map(i32::try_from) {
            Some(Ok(_)) => UpperHalf::Sign,
            _ => UpperHalf::Unknown,
        },
        // The sum is of zero and an immediate, or the address in a frame object.
        Half::Sum => match operands.get(1) {
            Some(&source) if is_zero(source) => UpperHalf::Sign,
            Some(source) if source.as_reg().is_some() && value == Some(0) => {
                UpperHalf::SignOfSources
            }
            _ => UpperHalf::Unknown,
        },
        Half::Mask => match value {
            Some(0..) => UpperHalf::Sign,
            _ => UpperHalf::SignOfSources,
        },
        Half::ShiftedDown => match value {
            Some(33..) => UpperHalf::Sign,
            _ => UpperHalf::Unknown,
        },
    }
}

/// The rule by which an instruction's upper half follows from its operands.
#[derive(Clone, Copy)]
enum Half {
    Sign,
    SignOfSources,
    Extension,
    Constant,
    Sum,
    Mask,
    ShiftedDown,
}

macro_rules! halves {
    ($($half:ident: $($op:ident)*;)*) => {
        const HALVES: &[(Op, Half)] = &[$($((Op::$op, Half::$half),)*)*];
    };
}

halves! {
    Sign: LB LBU LH LHU LW ADDW SUBW MULW DIVW DIVUW REMW REMUW SLLW SRLW SRAW SLLIW SRLIW SRAIW;
    Sign: SLT SLTU SLTI SLTIU FEQ_D FEQ_S FLT_D FLT_S FLE_D FLE_S LUI;
    SignOfSources: AND OR XOR ORI XORI SRA SRAI REM;
    Extension: ADDIW;
    Constant: PseudoLI;
    Sum: ADDI;
    Mask: ANDI;
    ShiftedDown: SRLI;
}
