//! The facts about target instructions that passes after selection ask for, and the moves that
//! allocation adds.

use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, SP, SUB_32, WZR, is_float};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{ClassId, FrameId, Function, InsnId, Operand, OperandFlags, Reg};
use mir_nostd::target::{InsnInfo, LandingPad, UpperHalf};

impl InsnInfo for Backend {
    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        let [to_sp, from_sp] = [to == SP, from == SP];
        let (zero, no) = (Operand::reg(registers::XZR), Operand::imm(0));
        let [to, from] = [to, from].map(Operand::reg);
        if from.as_reg().is_some_and(is_float) {
            out.emit(Op::FMOVDr, &[to, from])?;
        } else if to_sp || from_sp {
            out.emit(Op::ADDXri, &[to, from, no, no])?;
        } else {
            out.emit(Op::ORRXrs, &[to, zero, from, no])?;
        }
        Ok(())
    }

    fn reload(
        &self,
        out: &mut Emitter<'_, '_>,
        to: Reg,
        _: ClassId,
        from: FrameId,
    ) -> Result<(), Error> {
        let op = if is_float(to) { Op::LDRDui } else { Op::LDRXui };
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
        let op = if is_float(from) {
            Op::STRDui
        } else {
            Op::STRXui
        };
        let operands = [Operand::reg(from), Operand::frame(to), Operand::imm(0)];
        out.emit(op, &operands)
    }

    fn landing_pad(&self, out: &mut Emitter<'_, '_>, place: LandingPad) -> Result<(), Error> {
        // `bti jc` at entries, for calls and for `jcall`, which jumps; `bti j` at labels.
        let number = match place {
            LandingPad::Entry => 38,
            LandingPad::Label => 36,
        };
        out.emit(Op::HINT, &[Operand::imm(number)])
    }

    /// Returns what the upper half of the first register has: a write of the low half clears it.
    fn upper_half(&self, function: &Function<'_>, insn: InsnId) -> UpperHalf {
        let opcode = function.insn(insn).opcode;
        let is_half = |operand: &Operand| operand.sub() == SUB_32;
        let operands = function.operands(insn);
        let writes_half = operands.first().is_some_and(|first| {
            first.is_def() && first.flags().contains(OperandFlags::UNDEF) && is_half(first)
        });
        if !writes_half || opcode.row().is_none() {
            return UpperHalf::Unknown;
        }
        match operands {
            [_, zero, from, by, ..]
                if opcode == Op::ORRWrs.into()
                    && zero.as_reg() == Some(WZR)
                    && is_half(from)
                    && by.small() == Some(0) =>
            {
                UpperHalf::ZeroExtension
            }
            _ => UpperHalf::Zero,
        }
    }
}
