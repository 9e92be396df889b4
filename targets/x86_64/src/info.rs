//! The facts about target instructions that passes after selection ask for, and the moves that
//! allocation adds.

use super::insns::Op;
use super::isa::Backend;
use super::registers;
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{ClassId, FrameId, Operand, Reg};
use mir_nostd::target::{InsnInfo, LandingPad};

impl InsnInfo for Backend {
    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        let op = if registers::is_xmm(to) {
            Op::MOVAPSrr
        } else {
            Op::MOV64rr
        };
        out.emit(op, &[Operand::reg(to), Operand::reg(from)])
    }

    fn reload(
        &self,
        out: &mut Emitter<'_, '_>,
        to: Reg,
        _: ClassId,
        from: FrameId,
    ) -> Result<(), Error> {
        let op = if registers::is_xmm(to) {
            Op::MOVSDrm_alt
        } else {
            Op::MOV64rm
        };
        let [base, scale, index, displacement, segment] = place(from);
        let operands = [Operand::reg(to), base, scale, index, displacement, segment];
        out.emit(op, &operands)
    }

    fn spill(
        &self,
        out: &mut Emitter<'_, '_>,
        from: Reg,
        _: ClassId,
        to: FrameId,
    ) -> Result<(), Error> {
        let op = if registers::is_xmm(from) {
            Op::MOVSDmr
        } else {
            Op::MOV64mr
        };
        let [base, scale, index, displacement, segment] = place(to);
        let operands = [
            base,
            scale,
            index,
            displacement,
            segment,
            Operand::reg(from),
        ];
        out.emit(op, &operands)
    }

    fn landing_pad(&self, out: &mut Emitter<'_, '_>, _: LandingPad) -> Result<(), Error> {
        out.emit(Op::ENDBR64, &[])
    }
}

/// Returns a frame object as a memory operand.
fn place(frame: FrameId) -> [Operand; 5] {
    let none = Operand::NO_REG;
    [
        Operand::frame(frame),
        Operand::imm(1),
        none,
        Operand::imm(0),
        none,
    ]
}
