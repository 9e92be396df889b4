//! The facts about target instructions that passes after selection ask for, and the moves that
//! allocation adds.

use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, Kind};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{ClassId, FrameId, Operand, Reg};
use mir_nostd::target::InsnInfo;

impl InsnInfo for Backend {
    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        let op = match registers::kind(to) {
            Kind::General => Op::LGR,
            Kind::Double => Op::LDR,
            Kind::Single => Op::LDR32,
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
        let op = match registers::kind(to) {
            Kind::General => Op::LG,
            Kind::Double => Op::LD,
            Kind::Single => Op::LE,
        };
        out.emit(op, &with_frame(to, from))
    }

    fn spill(
        &self,
        out: &mut Emitter<'_, '_>,
        from: Reg,
        _: ClassId,
        to: FrameId,
    ) -> Result<(), Error> {
        let op = match registers::kind(from) {
            Kind::General => Op::STG,
            Kind::Double => Op::STD,
            Kind::Single => Op::STE,
        };
        out.emit(op, &with_frame(from, to))
    }
}

/// Returns the operands of a load or store of a register at a frame object.
fn with_frame(reg: Reg, frame: FrameId) -> [Operand; 4] {
    [
        Operand::reg(reg),
        Operand::frame(frame),
        Operand::imm(0),
        Operand::NO_REG,
    ]
}
