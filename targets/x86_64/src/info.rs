//! The facts about target instructions that passes after selection ask for, and the moves that
//! allocation adds.

use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, SUB_32};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{ClassId, FrameId, Function, InsnId, Operand, OperandFlags, Reg};
use mir_nostd::target::{InsnInfo, LandingPad, UpperHalf};

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

    fn has_constants(&self, function: &Function<'_>) -> bool {
        let makes = |&block| { function.insns(block) }.any(|insn| self.is_constant(function, insn));
        let may_have = function.has_wide_immediates() || !function.constants.is_empty();
        may_have && function.layout.iter().any(makes)
    }

    /// Returns whether an instruction makes an integer of 64 bits, or loads a constant of the
    /// function: a float that nothing reads from memory itself.
    fn is_constant(&self, function: &Function<'_>, insn: InsnId) -> bool {
        let opcode = function.insn(insn).opcode;
        if opcode == Op::MOV64ri.into() {
            let value = function.operands(insn).get(1);
            return value.is_some_and(|&value| function.immediate(value).is_some());
        }
        let loads = [Op::MOVSDrm_alt, Op::MOVSSrm_alt];
        loads.iter().any(|&op| opcode == op.into()) && { function.operands(insn).iter() }
            .any(|operand| operand.as_constant().is_some())
    }

    /// Returns what the upper half of the first register has: a write of the low half clears it,
    /// but if BSF and BSR leave the register alone.
    fn upper_half(&self, function: &Function<'_>, insn: InsnId) -> UpperHalf {
        let opcode = function.insn(insn).opcode;
        let is = |op: Op| opcode == op.into();
        let is_half = |operand: &Operand| operand.sub() == SUB_32;
        let mut operands = function.operands(insn).iter();
        let writes_half = operands.next().is_some_and(|first| {
            first.is_def() && first.flags().contains(OperandFlags::UNDEF) && is_half(first)
        });
        if !writes_half || opcode.row().is_none() || is(Op::BSF32rr) || is(Op::BSR32rr) {
            return UpperHalf::Unknown;
        }
        match operands.next().is_some_and(is_half) && is(Op::MOV32rr) {
            true => UpperHalf::ZeroExtension,
            false => UpperHalf::Zero,
        }
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
