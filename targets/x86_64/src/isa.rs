//! The backend's implementation of the code generator's interface.

use super::{TARGET, encode, fold, frame, insns, regs, select};
use crate::insns::Op;
use mir_nostd::codegen;
use mir_nostd::codegen::stage::Levels;
use mir_nostd::codegen::{Code, Emitter, Error, FixupKind, FrameLayout, ShortBranch, Stage};
use mir_nostd::machine::{
    ClassId, FrameId, Function, Generic, InsnId, Opcode, Operand, Reg, TargetFlag, UnitSet,
};
use mir_nostd::target::{Elf, InsnRow, Isa, RegisterFile, Target};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend;

/// The backend of the code generator for `x86_64`.
pub static ISA: Backend = Backend;

/// The levels without the stages that would find nothing on this target.
static LEVELS: Levels = Levels::without(&["legalise", "reduce", "extensions", "constants"]);

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
        true
    }

    fn has_long_double(&self, generic: Generic) -> bool {
        select::has_long_double(generic)
    }

    fn has(&self, generic: Generic) -> bool {
        matches!(generic, Generic::Rotl | Generic::Select)
    }

    fn select(&self, out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<(), Error> {
        select::select(out, insn)
    }

    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        let op = if regs::is_xmm(to) {
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
        let op = if regs::is_xmm(to) {
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
        let op = if regs::is_xmm(from) {
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

    fn landing_pad(&self, out: &mut Emitter<'_, '_>, _: bool) -> Result<(), Error> {
        out.emit(Op::ENDBR64, &[])
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
        let row = opcode.row().ok_or(Error::NotEncoded(opcode))?;
        let encoded = encode::encode(code, function, row, function.operands(insn));
        encoded.unwrap_or(Err(Error::NotEncoded(opcode)))
    }

    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        encode::patch(bytes, kind, place, target)
    }

    fn fold_load(&self, opcode: Opcode, number: usize, load: Opcode) -> Option<Opcode> {
        fold::fold_load(opcode, number, load)
    }

    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        (number == 0).then(|| encode::short_branch(kind, code, at))?
    }

    fn short_opcode(&self, opcode: Opcode, _: FixupKind) -> Option<Opcode> {
        [(Op::JMP_4, Op::JMP_1), (Op::JCC_4, Op::JCC_1)]
            .into_iter()
            .find(|&(long, _)| opcode == long.into())
            .map(|(_, short)| short.into())
    }

    fn target_flags(&self) -> &'static [&'static str] {
        &["", "x86-gotpcrel", "x86-plt"]
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

/// A symbol's entry in the global offset table.
pub(crate) const GOT: TargetFlag = TargetFlag(1);
/// A symbol's entry in the procedure linkage table.
pub(crate) const PLT: TargetFlag = TargetFlag(2);

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
