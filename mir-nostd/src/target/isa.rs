//! What a backend implements for the code generator.

use super::{Elf, InsnRow, RegisterFile, Target};
use crate::codegen::{self, Code, Emitter, Error, FixupKind, FrameLayout, ShortBranch, Stage};
use crate::machine::{
    ClassId, FrameId, Function, Generic, InsnId, LowType, Opcode, Operand, OperandFlags, Reg,
};

/// What the upper half of a register of 64 bits holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpperHalf {
    /// Anything.
    Unknown,
    /// Copies of the sign of the low half.
    Sign,
    /// The same, if that is so in all registers that the instruction reads.
    SignOfSources,
    /// Copies of the sign of the low half, which is that of the operand behind: the instruction does nothing else.
    Extension,
}

/// The form of an address: a register or frame object, perhaps an index times a scale, a displacement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressForm {
    /// Whether a frame object is the base.
    pub has_frame: bool,
    /// Whether there is an index.
    pub has_index: bool,
    /// What the index is multiplied by.
    pub scale: i32,
    /// What is added.
    pub displacement: i64,
}

/// A backend of the code generator: the tables of an ISA and what cannot be said by tables. Object safe; the same on
/// every host.
///
/// Instructions are selected and encoded one at a time; everything that looks at more than one is target-independent.
///
/// # What the stages rely on
///
/// - An indirect jump through a jump table has the table as an operand behind those of its row.
/// - A call has a mask operand and its implicit registers behind those of its row; so has a return its implicit uses.
/// - A virtual register of the general bank has 64 bits, whatever the instruction's type; narrower operands are parts of
///   it, which [`Emitter::emit`] sees from the class in the row.
/// - The definition of a generic load, constant, global value or frame index may be a physical register.
/// - A generic load or store of 128 bits is only asked for with a physical register of that size.
/// - If [`Function::is_position_independent`], code is for an object file, put anywhere in the address space by a linker.
///   Symbols (`GlobalValue`, calls, bases of addresses) are reached relative to the code if [`Function::is_near`], else
///   through the global offset table; calls of symbols are direct, for the linker to lead through its procedure linkage
///   table. Constants, jump tables and symbols are encoded as fixups whose kinds [`Isa::elf`] maps to ELF relocations; the
///   fields hold 0, as addends are in the relocations. Constants and tables lie in a read-only section anywhere within 2
///   GiB of the code, so the short-range forms (a literal load) are no use. Operands say how they are meant by
///   [`Operand::flagged`](crate::machine::Operand::flagged), a row of [`Isa::target_flags`]: `aarch64-page`,
///   `ppc-toc-ha`.
/// - Registers that an instruction needs by themselves (a divisor in `rcx`, a flag) are used by copies right before and
///   behind it; no virtual register is expected to stay out of their way.
///
/// # Safety
///
/// An implementor's tables and functions are those of the machine that [`Isa::target`] describes: what is compiled by them
/// does what the function says.
pub unsafe trait Isa: Sync {
    /// The description of the ISA and its platform ABI.
    fn target(&self) -> &'static Target;

    /// The register file.
    fn registers(&self) -> &'static RegisterFile;

    /// The instruction table, indexed by [`crate::machine::Opcode::row`].
    fn insns(&self) -> &'static [InsnRow];

    /// The stages that functions go through at a level.
    fn stages(&self, level: u8) -> &'static [Stage<'static>] {
        codegen::stage::LEVELS.of(level)
    }

    /// Whether the division instructions misbehave for the most negative number divided by -1, so that the code
    /// generator tests for -1 before.
    fn division_traps(&self) -> bool;

    /// Whether `select` knows a generic instruction of the target's long double type; what it does not know becomes a
    /// call of a routine of the runtime.
    fn has_long_double(&self, generic: Generic) -> bool;

    /// Whether `select` knows a generic instruction that the code generator can do without: `Rotl`, `Select`, `Umulh` of 32
    /// bits. `Select` must cost about as much as an addition, and no branch.
    fn has(&self, generic: Generic) -> bool {
        let _ = generic;
        false
    }

    /// The register that loops count down in, if there is one: `SetCount` sets it, and `select` makes of a `BrIcmp` of 64 bits
    /// that asks whether it is, or is not, 0 a branch that takes 1 from it before. It is never allocated; besides, only calls,
    /// indirect jumps, and what makes blocks when control comes to them may change it.
    fn count_register(&self) -> Option<Reg> {
        None
    }

    /// Whether the instruction for a generic one of the type takes an integer directly as its operand of this number; of
    /// [`Generic::Constant`] and [`Generic::FConstant`], whether having the value anew costs no more than keeping it.
    /// `select` must know what it does not take all the same; optimisation puts it into registers, outside of loops.
    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        let _ = (generic, ty, number, value);
        true
    }

    /// Whether a store of an integer that the instruction holds takes an address; otherwise likewise.
    fn takes_immediate_at(&self, address: &AddressForm) -> bool {
        let _ = address;
        true
    }

    /// Whether loads and stores of the type take an address with an index directly; otherwise likewise.
    fn takes_address(&self, ty: LowType, address: &AddressForm) -> bool {
        let _ = (ty, address);
        true
    }

    /// Writes target instructions for one generic instruction, at the place of `out`. Never called for `Copy`,
    /// which stays until allocation is done.
    ///
    /// The instruction's virtual registers may have several definitions, so a result must be written last, or at least
    /// not before all sources that come after it are read: [`Emitter::emit`] takes care of tied operands.
    ///
    /// # Errors
    ///
    /// Out of memory; [`Error::NotSelected`] for what the target does not have (see `legalise`).
    fn select(&self, out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<(), Error>;

    /// Writes a move between physical registers of one class.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error>;

    /// Writes a load of a register of the class from a frame object; touches nothing else, no flags either.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn reload(
        &self,
        out: &mut Emitter<'_, '_>,
        to: Reg,
        class: ClassId,
        from: FrameId,
    ) -> Result<(), Error>;

    /// Writes a store of a register of the class to a frame object; touches nothing else, no flags either.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn spill(
        &self,
        out: &mut Emitter<'_, '_>,
        from: Reg,
        class: ClassId,
        to: FrameId,
    ) -> Result<(), Error>;

    /// Decides where the frame's objects lie: sets [`crate::machine::FrameObject::offset`] of each, from the frame
    /// pointer or from the stack pointer as the layout then says.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the frame is.
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        used_saved: crate::machine::UnitSet,
    ) -> Result<FrameLayout, Error>;

    /// Writes the prologue: saves registers, makes the frame, touching each page of a large one.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error>;

    /// Writes the epilogue, before an instruction that leaves the function.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error>;

    /// Puts registers and offsets in place of the frame objects among the operands of an instruction, and expands
    /// what waits for the frame's layout. The instruction may be replaced.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error>;

    /// Writes the bytes of one instruction.
    ///
    /// # Errors
    ///
    /// Out of memory; [`Error::NotEncoded`] for what has no encoding.
    fn encode(
        &self,
        code: &mut Code<'_>,
        function: &Function<'_>,
        insn: InsnId,
    ) -> Result<(), Error>;

    /// Writes what comes before the first instruction of a function, for code that is linked: LLVM writes the same by itself.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn enter(&self, code: &mut Code<'_>, function: &Function<'_>) -> Result<(), Error> {
        let _ = (code, function);
        Ok(())
    }

    /// Changes the bytes that start at a fixup's place so that they refer to what is `target` bytes from the start
    /// of the code, the place being `place` bytes from it. Whether it was in reach.
    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool;

    /// Whether a target instruction that reads no virtual register gives the same wherever it stands: a constant, an
    /// address.
    fn is_constant(&self, function: &Function<'_>, insn: InsnId) -> bool {
        let _ = (function, insn);
        false
    }

    /// What the upper half of the first register that a target instruction writes holds.
    fn upper_half(&self, function: &Function<'_>, insn: InsnId) -> UpperHalf {
        let _ = (function, insn);
        UpperHalf::Unknown
    }

    /// Whether an operand is a register that always holds 0.
    fn is_zero(&self, operand: Operand) -> bool {
        let _ = operand;
        false
    }

    /// The instruction that reads from memory what `opcode` reads from the register operand `number`, if there is one:
    /// the address operands of `load`, which loaded the register, come in the place of that operand.
    fn fold_load(&self, opcode: Opcode, number: usize, load: Opcode) -> Option<Opcode> {
        let _ = (opcode, number, load);
        None
    }

    /// Whether a fixup of this kind refers to its target by the distance from the start of the function's code, so that
    /// its place does not matter.
    fn counts_from_start(&self, kind: FixupKind) -> bool {
        let _ = kind;
        false
    }

    /// What an instruction becomes that computes its register operand `number` by itself as `source` does, if there is
    /// such an instruction. Nothing else reads that operand's value, and what `source` reads has not changed.
    fn fold_source(
        &self,
        function: &Function<'_>,
        insn: InsnId,
        number: usize,
        source: InsnId,
    ) -> Option<FoldedSource> {
        let _ = (function, insn, number, source);
        None
    }

    /// The shorter form of this number, the shortest first, of a branch whose fixup is of this kind and changes the bytes
    /// from `at` on, if it has so many. Shorter forms may have shorter ones themselves; nothing is ever lengthened.
    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch> {
        let _ = (kind, number, code, at);
        None
    }

    /// Writes what the machine may want to find where control comes to through a register or memory, if it has such a thing: at
    /// the function's entry, or at a label.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn landing_pad(&self, out: &mut Emitter<'_, '_>, is_entry: bool) -> Result<(), Error> {
        let _ = (out, is_entry);
        Ok(())
    }

    /// The opcode of a branch whose short form has a fixup of this kind, if it is another one than that of the long form.
    fn short_opcode(&self, opcode: Opcode, kind: FixupKind) -> Option<Opcode> {
        let _ = (opcode, kind);
        None
    }

    /// LLVM's names of how operands that are no registers can be meant, by number of the
    /// [`TargetFlag`](crate::machine::TargetFlag); several are separated by `, `, the direct one first. The first, for 0,
    /// is empty.
    fn target_flags(&self) -> &'static [&'static str] {
        &[""]
    }

    /// What ELF objects are made of, if position-independent code can be made.
    fn elf(&self) -> Option<&'static Elf> {
        None
    }

    /// How to leave a function's frame from the end of its prologue on: the register that the canonical frame address (the
    /// stack pointer at the call) is found from, and how far above it that is; `saved` is told of each register that the
    /// prologue saved, and where from that address. None if nobody can unwind the function.
    fn unwind(
        &self,
        function: &Function<'_>,
        layout: &FrameLayout,
        saved: &mut dyn FnMut(Reg, i32),
    ) -> Option<(Reg, i32)> {
        let _ = (function, layout, saved);
        None
    }

    /// Fills bytes between functions and before constants: long NOPs or traps.
    fn pad(&self, bytes: &mut [u8]);

    /// The code of a function begins at a multiple of this, at least 16.
    fn code_align(&self) -> u32 {
        16
    }
}

impl core::fmt::Debug for dyn Isa + '_ {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Isa({})", self.target().name)
    }
}

/// An instruction with its explicit operands, for [`Isa::fold_source`].
#[derive(Clone, Copy, Debug)]
pub struct InsnView<'f> {
    /// What it does.
    pub opcode: Opcode,
    /// What it does it with, definitions first.
    pub operands: &'f [Operand],
}

impl InsnView<'_> {
    /// The instruction `insn` of a function.
    #[must_use]
    pub fn new<'f>(function: &'f Function<'_>, insn: InsnId) -> InsnView<'f> {
        InsnView {
            opcode: function.insn(insn).opcode,
            operands: function.operands(insn),
        }
    }

    /// Whether it is of this opcode.
    #[must_use]
    pub fn is(&self, opcode: impl Into<Opcode>) -> bool {
        self.opcode == opcode.into()
    }

    /// An operand; [`Operand::NO_REG`] if there are not so many.
    #[must_use]
    pub fn at(&self, number: usize) -> Operand {
        self.operands
            .get(number)
            .copied()
            .unwrap_or(Operand::NO_REG)
    }

    /// The value of an operand that is an immediate of 32 bits.
    #[must_use]
    pub fn immediate(&self, number: usize) -> Option<i32> {
        self.at(number).small()
    }
}

/// An instruction that does the work of two: see [`Isa::fold_source`].
#[derive(Clone, Copy, Debug)]
pub struct FoldedSource {
    /// What it is.
    pub opcode: Opcode,
    operands: [Operand; 6],
    count: usize,
}

impl FoldedSource {
    /// An instruction with these explicit operands, at most six; what they are for comes from its row, but for whether a
    /// register's value matters.
    #[must_use]
    pub fn new(opcode: impl Into<Opcode>, given: &[Operand]) -> FoldedSource {
        let mut operands = [Operand::NO_REG; 6];
        for (place, operand) in operands.iter_mut().zip(given) {
            *place = match operand.as_reg() {
                // A definition of a part has the flag, too.
                Some(reg) if !operand.is_def() && operand.flags().contains(OperandFlags::UNDEF) => {
                    Operand::reg(reg).with(OperandFlags::UNDEF)
                }
                Some(reg) => Operand::reg(reg),
                None => *operand,
            };
        }
        FoldedSource {
            opcode: opcode.into(),
            operands,
            count: given.len(),
        }
    }

    /// Its operands.
    #[must_use]
    pub fn operands(&self) -> &[Operand] {
        self.operands.get(..self.count).unwrap_or(&[])
    }
}
