//! The backend's implementation of the code generator's interface.

use super::{TARGET, encode, expand, facts, frame, insns, regs, select};
use crate::insns::Op;
use mir_nostd::codegen;
use mir_nostd::codegen::stage::{Levels, Stage};
use mir_nostd::codegen::{Code, Emitter, Error, FixupKind, FrameLayout, ShortBranch};
use mir_nostd::machine::{
    ClassId, FrameId, Function, Generic, InsnId, LowType, Operand, Reg, TargetFlag, UnitSet,
};
use mir_nostd::target::{AddressForm, Elf, InsnRow, Isa, RegisterFile, Target, UpperHalf};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend {
    /// True if the machine has compressed instructions.
    compresses: bool,
}

/// The backend of the code generator for rv64gc.
pub static ISA: Backend = Backend { compresses: true };

/// The backend for machines without the extension C. Programs without floats run on machines
/// without F and D as well.
pub static ISA_UNCOMPRESSED: Backend = Backend { compresses: false };

/// The high 20 bits of a distance.
pub(crate) const HIGH: TargetFlag = TargetFlag(1);
/// The low 12 bits of the distance from the instruction before.
pub(crate) const LOW: TargetFlag = TargetFlag(2);
/// The high 20 bits of the distance to the entry of a symbol in the global offset table.
pub(crate) const TABLE_HIGH: TargetFlag = TargetFlag(3);
/// The callee of a call.
pub(crate) const CALLEE: TargetFlag = TargetFlag(4);

/// The levels without the stages that would find nothing on this target.
static LEVELS: Levels = Levels::without(&["fold"]);

impl codegen::Backend for Backend {
    fn stages(&self, level: u8) -> &'static [Stage<'static>] {
        LEVELS.of(level)
    }
}

#[expect(unsafe_code, reason = "vouches for the code that it makes")]
// SAFETY: tables and functions are tested against LLVM, and what is compiled against the interpreter.
unsafe impl Isa for Backend {
    fn target(&self) -> &'static Target {
        &TARGET
    }

    fn registers(&self) -> &'static RegisterFile {
        &regs::FILE
    }

    fn insns(&self) -> &'static [InsnRow] {
        insns::INSNS
    }

    fn division_traps(&self) -> bool {
        false
    }

    fn has_long_double(&self, _: Generic) -> bool {
        false
    }

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        select::takes_immediate(generic, ty, number, value)
    }

    fn takes_address(&self, _: LowType, address: &AddressForm) -> bool {
        select::takes_address(address)
    }

    fn select(&self, out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<(), Error> {
        select::select(out, insn)
    }

    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        expand::copy(out, to, from)
    }

    fn reload(
        &self,
        out: &mut Emitter<'_, '_>,
        to: Reg,
        _: ClassId,
        from: FrameId,
    ) -> Result<(), Error> {
        let op = match to {
            to if regs::is_float(to) => Op::FLW,
            to if regs::is_floating(to) => Op::FLD,
            _ => Op::LD,
        };
        let operands = [Operand::reg(to), Operand::frame(from), Operand::imm(0)];
        frame::emit(out, op, &operands)
    }

    fn spill(
        &self,
        out: &mut Emitter<'_, '_>,
        from: Reg,
        _: ClassId,
        to: FrameId,
    ) -> Result<(), Error> {
        let op = match from {
            from if regs::is_float(from) => Op::FSW,
            from if regs::is_floating(from) => Op::FSD,
            _ => Op::SD,
        };
        let operands = [Operand::reg(from), Operand::frame(to), Operand::imm(0)];
        frame::emit(out, op, &operands)
    }

    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        used_saved: UnitSet,
    ) -> Result<FrameLayout, Error> {
        frame::lay_out(function, used_saved)
    }

    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        frame::prologue(out, layout)
    }

    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        frame::epilogue(out, layout)
    }

    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        expand::resolve(out, insn, layout)
    }

    fn encode(
        &self,
        code: &mut Code<'_>,
        function: &Function<'_>,
        insn: InsnId,
    ) -> Result<(), Error> {
        let opcode = function.insn(insn).opcode;
        let row = opcode.row().and_then(|row| insns::INSNS.get(row));
        let row = row.ok_or(Error::NotEncoded(opcode))?;
        let operands = function.operands(insn);
        let encoded = encode::encode(code, function, row, operands, self.compresses);
        encoded.unwrap_or(Err(Error::NotEncoded(opcode)))
    }

    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        encode::patch(bytes, kind, place, target)
    }

    fn target_flags(&self) -> &'static [&'static str] {
        &[
            "",
            "riscv-pcrel-hi",
            "riscv-pcrel-lo",
            "riscv-got-hi",
            "riscv-call",
        ]
    }

    fn unwind(
        &self,
        function: &Function<'_>,
        layout: &FrameLayout,
        saved: &mut dyn FnMut(Reg, i32),
    ) -> Option<(Reg, i32)> {
        frame::unwind(function, layout, saved)
    }

    fn elf(&self) -> Option<&'static Elf> {
        Some(&encode::ELF)
    }

    fn is_constant(&self, function: &Function<'_>, insn: InsnId) -> bool {
        facts::is_constant(function, insn)
    }

    fn upper_half(&self, function: &Function<'_>, insn: InsnId) -> UpperHalf {
        facts::upper_half(function, insn)
    }

    fn is_zero(&self, operand: Operand) -> bool {
        facts::is_zero(operand)
    }

    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        encode::short_branch(kind, number, code, at, self.compresses)
    }

    fn pad(&self, bytes: &mut [u8]) {
        encode::pad(bytes);
    }
}
