//! The facts about target instructions that passes after selection ask for, and the moves that
//! allocation adds.

use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, SP, is_float};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{ClassId, FrameId, Operand, Reg};
use mir_nostd::target::{InsnInfo, LandingPad};

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
}
