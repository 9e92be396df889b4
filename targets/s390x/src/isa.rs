//! The backend's implementation of the code generator's interface.

use super::{TARGET, encode, fold, frame, insns, regs, select};
use crate::insns::Op;
use crate::regs::Kind;
use mir_nostd::codegen;
use mir_nostd::codegen::stage::Levels;
use mir_nostd::codegen::{Code, Emitter, Error, FixupKind, FrameLayout, ShortBranch, Stage};
use mir_nostd::machine::{
    ClassId, FrameId, Function, Generic, InsnId, LowType, Opcode, Operand, Reg, UnitSet,
};
use mir_nostd::target::{AddressForm, Elf, FoldedSource, InsnRow, Isa, RegisterFile, Target};

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend;

/// The backend of the code generator for s390x.
pub static ISA: Backend = Backend;

/// Returns the operands of a load or store of a register at a frame object.
fn with_frame(reg: Reg, frame: FrameId) -> [Operand; 4] {
    [
        Operand::reg(reg),
        Operand::frame(frame),
        Operand::imm(0),
        Operand::NO_REG,
    ]
}

/// The levels without the stages that would find nothing on this target.
static LEVELS: Levels = Levels::without(&["extensions", "constants"]);

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

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        select::takes_immediate(generic, ty, number, value)
    }

    fn takes_immediate_at(&self, address: &AddressForm) -> bool {
        select::takes_immediate_at(address)
    }

    fn takes_address(&self, _: LowType, address: &AddressForm) -> bool {
        select::takes_address(address)
    }

    fn select(&self, out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<(), Error> {
        select::select(out, insn)
    }

    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        let op = match regs::kind(to) {
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
        let op = match regs::kind(to) {
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
        let op = match regs::kind(from) {
            Kind::General => Op::STG,
            Kind::Double => Op::STD,
            Kind::Single => Op::STE,
        };
        out.emit(op, &with_frame(from, to))
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

    fn fold_load(&self, opcode: Opcode, number: usize, load: Opcode) -> Option<Opcode> {
        fold::fold_load(opcode, number, load)
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
        (number == 0).then(|| encode::short_branch(kind, code, at))?
    }

    fn short_opcode(&self, opcode: Opcode, _: FixupKind) -> Option<Opcode> {
        [(Op::JG, Op::J), (Op::BRCL, Op::BRC)]
            .into_iter()
            .find(|&(long, _)| opcode == long.into())
            .map(|(_, short)| short.into())
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
