//! The backend's implementation of the code generator's interface.

use super::{TARGET, encode, fold, frame, insns, regs, select};
use crate::insns::Op;
use crate::regs::{SP, is_float};
use mir_nostd::codegen;
use mir_nostd::codegen::stage::Levels;
use mir_nostd::codegen::{Code, Emitter, Error, FixupKind, FrameLayout, ShortBranch, Stage};
use mir_nostd::machine::{
    ClassId, FrameId, Function, Generic, InsnId, LowType, Operand, Reg, TargetFlag, UnitSet,
};
use mir_nostd::target::{AddressForm, Elf, FoldedSource, InsnRow, Isa, RegisterFile, Target};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend;

/// The backend of the code generator for aarch64.
pub static ISA: Backend = Backend;

/// The page of an address.
pub(crate) const PAGE: TargetFlag = TargetFlag(1);
/// The offset of an address in its page.
pub(crate) const PAGE_OFFSET: TargetFlag = TargetFlag(2);
/// The page of a symbol's entry in the global offset table.
pub(crate) const TABLE_PAGE: TargetFlag = TargetFlag(3);
/// The offset of that entry in its page.
pub(crate) const TABLE_PAGE_OFFSET: TargetFlag = TargetFlag(4);

/// The levels without the stages that would find nothing on this target.
static LEVELS: Levels = Levels::without(&["reduce", "extensions", "constants"]);

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

    fn has(&self, generic: Generic) -> bool {
        matches!(generic, Generic::Rotl | Generic::Select)
    }

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        select::takes_immediate(generic, ty, number, value)
    }

    fn takes_address(&self, ty: LowType, address: &AddressForm) -> bool {
        select::takes_address(ty, address)
    }

    fn select(&self, out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<(), Error> {
        select::select(out, insn)
    }

    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        let [to_sp, from_sp] = [to == SP, from == SP];
        let (zero, no) = (Operand::reg(regs::XZR), Operand::imm(0));
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

    fn landing_pad(&self, out: &mut Emitter<'_, '_>, is_entry: bool) -> Result<(), Error> {
        // `bti jc` at entries, for calls and for `jcall`, which jumps; `bti j` at labels.
        let number = if is_entry { 38 } else { 36 };
        out.emit(Op::HINT, &[Operand::imm(number)])
    }

    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        frame::resolve(out, insn, layout)
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
        let encoded = encode::encode(code, function, row, function.operands(insn));
        encoded.unwrap_or(Err(Error::NotEncoded(opcode)))
    }

    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        encode::patch(bytes, kind, place, target)
    }

    fn fold_source(
        &self,
        function: &Function<'_>,
        insn: InsnId,
        number: usize,
        source: InsnId,
    ) -> Option<FoldedSource> {
        fold::fold_source(function, insn, number, source)
    }

    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        encode::short_branch(kind, number, code, at)
    }

    fn target_flags(&self) -> &'static [&'static str] {
        &[
            "",
            "aarch64-page",
            "aarch64-pageoff, aarch64-nc",
            "aarch64-page, aarch64-got",
            "aarch64-pageoff, aarch64-got, aarch64-nc",
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

    fn pad(&self, bytes: &mut [u8]) {
        encode::pad(bytes);
    }
}
