//! The facts about target instructions that passes after selection ask for, and the moves that
//! allocation adds.

use super::insns::Op;
use super::isa::Backend;
use super::registers;
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{ClassId, FrameId, Operand, Reg};
use mir_nostd::target::InsnInfo;

impl InsnInfo for Backend {
    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        let is_float = registers::is_float(to);
        let [to, from] = [Operand::reg(to), Operand::reg(from)];
        if is_float {
            out.emit(Op::FMR, &[to, from])?;
        } else {
            out.emit(Op::OR8, &[to, from, from])?;
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
        let op = if registers::is_float(to) {
            Op::LFD
        } else {
            Op::LD
        };
        access(out, op, to, from)
    }

    fn spill(
        &self,
        out: &mut Emitter<'_, '_>,
        from: Reg,
        _: ClassId,
        to: FrameId,
    ) -> Result<(), Error> {
        let op = if registers::is_float(from) {
            Op::STFD
        } else {
            Op::STD
        };
        access(out, op, from, to)
    }
}

/// Loads or stores a register at a frame object.
fn access(out: &mut Emitter<'_, '_>, op: Op, reg: Reg, frame: FrameId) -> Result<(), Error> {
    let operands = [Operand::reg(reg), Operand::imm(0), Operand::frame(frame)];
    out.emit(op, &operands)
}
