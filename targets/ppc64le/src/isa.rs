//! The backend's implementation of the code generator's interface.

use super::{TARGET, elf, encode, fold, frame, insns, regs, select};
use crate::insns::Op;
use mir_nostd::codegen;
use mir_nostd::codegen::stage::Levels;
use mir_nostd::codegen::{Code, Emitter, Error, FixupKind, FrameLayout, ShortBranch, Stage};
use mir_nostd::machine::{
    ClassId, FrameId, Function, Generic, InsnId, LowType, Operand, Reg, TargetFlag, UnitSet,
};
use mir_nostd::target::{AddressForm, Elf, FoldedSource, InsnRow, Isa, RegisterFile, Target};

/// The high half of the distance from the TOC pointer.
pub(crate) const TOC_HIGH: TargetFlag = TargetFlag(1);
/// The low half of the distance from the TOC pointer.
pub(crate) const TOC_LOW: TargetFlag = TargetFlag(2);
/// The high half of the distance of an entry of the global offset table.
pub(crate) const GOT_HIGH: TargetFlag = TargetFlag(3);
/// The low half of the distance of such an entry.
pub(crate) const GOT_LOW: TargetFlag = TargetFlag(4);
/// The distance of a place from a prefixed instruction.
pub(crate) const PC: TargetFlag = TargetFlag(5);
/// The distance of an entry of the global offset table from a prefixed instruction.
pub(crate) const GOT_PC: TargetFlag = TargetFlag(6);

/// The type of [`ISA`].
#[derive(Debug)]
pub struct Backend {
    /// True if the machine has prefixed instructions.
    has_prefixes: bool,
}

/// The backend of the code generator for ppc64le: POWER8 and later.
pub static ISA: Backend = Backend {
    has_prefixes: false,
};

/// The backend with the prefixed instructions of POWER10: immediates, displacements, and distances
/// from the instruction itself, of 34 bits.
pub static POWER10: Backend = Backend { has_prefixes: true };

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

    /// The division does not trap, but its quotient is undefined.
    fn division_traps(&self) -> bool {
        true
    }

    fn has_long_double(&self, _: Generic) -> bool {
        false
    }

    fn has(&self, generic: Generic) -> bool {
        matches!(generic, Generic::Rotl | Generic::Select | Generic::Umulh)
    }

    fn count_register(&self) -> Option<Reg> {
        Some(regs::CTR8)
    }

    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        select::takes_immediate(generic, ty, number, value, self.has_prefixes)
    }

    fn takes_address(&self, _: LowType, address: &AddressForm) -> bool {
        !address.has_index || !address.has_frame && address.scale == 1 && address.displacement == 0
    }

    fn select(&self, out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<(), Error> {
        select::select(out, insn, self.has_prefixes)
    }

    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error> {
        let is_float = regs::is_float(to);
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
        let op = if regs::is_float(to) { Op::LFD } else { Op::LD };
        access(out, op, to, from)
    }

    fn spill(
        &self,
        out: &mut Emitter<'_, '_>,
        from: Reg,
        _: ClassId,
        to: FrameId,
    ) -> Result<(), Error> {
        let op = if regs::is_float(from) {
            Op::STFD
        } else {
            Op::STD
        };
        access(out, op, from, to)
    }

    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        used_saved: UnitSet,
    ) -> Result<FrameLayout, Error> {
        frame::lay_out(function, used_saved)
    }

    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        frame::prologue(out, layout, self.has_prefixes)
    }

    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        frame::epilogue(out, layout, self.has_prefixes)
    }

    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        frame::resolve(out, insn, layout, self.has_prefixes)
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

    fn enter(&self, code: &mut Code<'_>, function: &Function<'_>) -> Result<(), Error> {
        encode::enter(code, function)
    }

    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool {
        encode::patch(bytes, kind, place, target)
    }

    fn target_flags(&self) -> &'static [&'static str] {
        &[
            "",
            "ppc-ha",
            "ppc-toc-lo",
            "ppc-got",
            "ppc-lo",
            "ppc-pcrel",
            "ppc-got-pcrel",
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
        Some(&elf::ELF)
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

    fn counts_from_start(&self, kind: FixupKind) -> bool {
        encode::counts_from_start(kind)
    }

    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        let before = code.get(..at as usize)?;
        (number == 0).then(|| encode::short_branch(kind, before))?
    }

    fn pad(&self, bytes: &mut [u8]) {
        encode::pad(bytes);
    }

    /// Returns the alignment: prefixed instructions must not cross multiples of 64.
    fn code_align(&self) -> u32 {
        if self.has_prefixes { 64 } else { 16 }
    }
}

/// Loads or stores a register at a frame object.
fn access(out: &mut Emitter<'_, '_>, op: Op, reg: Reg, frame: FrameId) -> Result<(), Error> {
    let operands = [Operand::reg(reg), Operand::imm(0), Operand::frame(frame)];
    out.emit(op, &operands)
}
