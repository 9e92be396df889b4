//! The facts about target instructions that passes after selection ask for, and the moves that
//! allocation adds.

use super::frame::add;
use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, ZERO, is_floating};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{ClassId, FrameId, Function, InsnId, Opcode, Operand, Reg};
use mir_nostd::target::{InsnInfo, UpperHalf};

impl InsnInfo for Backend {
    /// Moves between registers of one bank. The float and the double of one number are one
    /// register.
    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        use super::registers::{FILE, is_float};
        if !is_floating(to) {
            return add(out, to, from, 0);
        }
        if FILE.units(to) == FILE.units(from) {
            return Ok(());
        }
        let op = if is_float(to) || is_float(from) {
            Op::FSGNJ_S
        } else {
            Op::FSGNJ_D
        };
        let (to, from) = (Operand::reg(to), Operand::reg(from));
        out.emit(op, &[to, from, from])
    }

    fn reload(
        &self,
        out: &mut Emitter<'_, '_>,
        to: Reg,
        _: ClassId,
        from: FrameId,
    ) -> Result<(), Error> {
        let op = match to {
            to if registers::is_float(to) => Op::FLW,
            to if registers::is_floating(to) => Op::FLD,
            _ => Op::LD,
        };
        let operands = [Operand::reg(to), Operand::frame(from), Operand::imm(0)];
        out.emit(op, &operands)
    }

    fn spill(
        &self,
        out: &mut Emitter<'_, '_>,
        from: Reg,
        _: ClassId,
        to: FrameId,
    ) -> Result<(), Error> {
        let op = match from {
            from if registers::is_float(from) => Op::FSW,
            from if registers::is_floating(from) => Op::FSD,
            _ => Op::SD,
        };
        let operands = [Operand::reg(from), Operand::frame(to), Operand::imm(0)];
        out.emit(op, &operands)
    }

    fn has_constants(&self, _: &Function<'_>) -> bool {
        true
    }

    /// Returns whether an instruction that reads no virtual register computes the same value
    /// wherever it stands.
    fn is_constant(&self, function: &Function<'_>, insn: InsnId) -> bool {
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

    /// Returns the kind of bits in the upper half of an instruction's result.
    fn upper_half(&self, function: &Function<'_>, insn: InsnId) -> UpperHalf {
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
}

/// Returns whether an operand is the register that is always 0.
fn is_zero(operand: Operand) -> bool {
    operand.as_reg() == Some(ZERO)
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
