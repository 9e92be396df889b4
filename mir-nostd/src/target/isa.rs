//! The trait that a backend implements for the code generator.

pub(crate) mod emitter;

use super::{Elf, InsnRow, RegisterFile, Target};
use crate::machine::{
    ClassId, FrameId, Function, Generic, InsnId, LowType, Opcode, Operand, OperandFlags, Reg,
};
use crate::target::code::{Code, FixupKind, ShortBranch};
use crate::target::error::Error;
use crate::target::frame_layout::FrameLayout;
use emitter::Emitter;

/// The contents of the upper half of a 64-bit register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpperHalf {
    /// Anything.
    Unknown,
    /// The sign of the low half in all bits.
    Sign,
    /// The sign of the low half in all bits, if that is so in all registers that the instruction
    /// reads.
    SignOfSources,
    /// The sign of the low half in all bits, where the low half is that of the operand after the
    /// definition: the instruction is only a sign extension.
    Extension,
}

/// The form of an address: a register or frame object, an optional scaled index, a displacement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressForm {
    /// True if a frame object is the base.
    pub has_frame: bool,
    /// True if there is an index.
    pub has_index: bool,
    /// The factor of the index.
    pub scale: i32,
    /// The displacement.
    pub displacement: i64,
}

/// A backend of the code generator: the tables of an ISA and the functions for all that tables
/// cannot say. It is object safe and the same on every host.
///
/// Instructions are selected and encoded one at a time; all code that looks at more than one is
/// target-independent, but for the queries here.
///
/// # Contract with the stages
///
/// - An indirect jump through a jump table has the table as an operand after those of its row.
/// - A call has a mask operand and its implicit registers after those of its row; a return has its
///   implicit uses there.
/// - A virtual register of the general bank has 64 bits, whatever the instruction's type; narrower
///   operands are parts of it, which [`Emitter::emit`] sees from the class in the row.
/// - The definition of a generic load, constant, global value or frame index may be a physical
///   register.
/// - A generic load or store of 128 bits is only asked for with a physical register of that size.
/// - If [`Function::is_position_independent`], code is for an object file, put anywhere in the
///   address space by a linker. Symbols (`GlobalValue`, calls, bases of addresses) are reached
///   relative to the code if [`Function::is_near`], else through the global offset table; calls of
///   symbols are direct, and the linker routes them through its procedure linkage table. Constants,
///   jump tables and symbols are encoded as fixups whose kinds [`Isa::elf`] maps to ELF
///   relocations; the fields hold 0, as addends are in the relocations. Constants and tables lie in
///   a read-only section anywhere within 2 GiB of the code, so the short-range forms (a literal
///   load) are no use. The target flags of an operand
///   ([`Operand::flagged`](crate::machine::Operand::flagged), a row of [`Isa::target_flags`] such
///   as `aarch64-page` or `ppc-toc-ha`) say which part of the address it means.
/// - Fixed registers of an instruction (a divisor in `rcx`, a flag) are used by copies right before
///   and after it; no virtual register is expected to stay out of their way.
///
/// # Safety
///
/// The tables and functions of an implementor are those of the machine that [`Isa::target`]
/// describes: compiled code does what its function says.
pub unsafe trait Isa: Sync {
    /// Returns the description of the ISA and its platform ABI.
    fn target(&self) -> &'static Target;

    /// Returns the register file.
    fn registers(&self) -> &'static RegisterFile;

    /// Returns the instruction table, indexed by [`crate::machine::Opcode::row`].
    fn insns(&self) -> &'static [InsnRow];

    /// True if the division instructions trap or have no defined result for the most negative
    /// number divided by -1, so that the code generator tests for -1 before.
    fn division_traps(&self) -> bool;

    /// True if `select` supports a generic instruction on the target's long double type; the others
    /// become calls of routines of the runtime.
    fn has_long_double(&self, generic: Generic) -> bool;

    /// True if `select` supports an optional generic instruction: `Rotl`, `Select`, `Umulh` of 32
    /// bits. A supported `Select` must cost about as much as an addition, and no branch.
    fn has(&self, generic: Generic) -> bool {
        let _ = generic;
        false
    }

    /// Returns the register that counted loops count down in, if there is one. `SetCount` sets it,
    /// and `select` turns a 64-bit `BrIcmp` that compares it with 0 for equality into a branch that
    /// first decrements it. It is never allocated; besides, only calls, indirect jumps and the
    /// stubs that compile blocks when control reaches them may change it.
    fn count_register(&self) -> Option<Reg> {
        None
    }

    /// True if the instruction for a generic one of the type takes an integer directly as its
    /// operand of this number. For [`Generic::Constant`] and [`Generic::FConstant`]: true if
    /// materialising the value again costs no more than keeping it. `select` must handle the other
    /// values all the same; optimisation puts those into registers, outside of loops.
    fn takes_immediate(&self, generic: Generic, ty: LowType, number: usize, value: i64) -> bool {
        let _ = (generic, ty, number, value);
        true
    }

    /// True if a store of an immediate takes the address directly; the rest is as for
    /// [`Isa::takes_immediate`].
    fn takes_immediate_at(&self, address: &AddressForm) -> bool {
        let _ = address;
        true
    }

    /// True if loads and stores of the type take an address with an index directly; the rest is as
    /// for [`Isa::takes_immediate`].
    fn takes_address(&self, ty: LowType, address: &AddressForm) -> bool {
        let _ = (ty, address);
        true
    }

    /// Writes target instructions for one generic instruction, at the place of `out`. It is never
    /// called for `Copy`, which stays until allocation is done.
    ///
    /// The instruction's virtual registers may have several definitions, so a result must be
    /// written last, or at least not before all sources that come after it are read:
    /// [`Emitter::emit`] takes care of tied operands.
    ///
    /// # Errors
    ///
    /// Out of memory; [`Error::NotSelected`] for an instruction that the target does not have (see
    /// `legalise`).
    fn select(&self, out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<(), Error>;

    /// Writes a move between physical registers of one class.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn copy(&self, out: &mut Emitter<'_, '_>, to: Reg, from: Reg) -> Result<(), Error>;

    /// Writes a load of a register of the class from a frame object; touches nothing else, no flags
    /// either.
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

    /// Writes a store of a register of the class to a frame object; touches nothing else, no flags
    /// either.
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

    /// Lays out the frame: sets [`crate::machine::FrameObject::offset`] of each object, from the
    /// frame pointer or from the stack pointer as the returned layout says.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the frame is too large.
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        used_saved: crate::machine::UnitSet,
    ) -> Result<FrameLayout, Error>;

    /// Writes the prologue: saves registers and builds the frame, probing each page of a large one.
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

    /// Replaces the frame objects among the operands of an instruction by registers and offsets,
    /// and expands pseudo-instructions that wait for the frame's layout. The instruction may be
    /// replaced.
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
    /// Out of memory; [`Error::NotEncoded`] for an instruction that has no encoding.
    fn encode(
        &self,
        code: &mut Code<'_>,
        function: &Function<'_>,
        insn: InsnId,
    ) -> Result<(), Error>;

    /// Writes the code before the first instruction of a linked function (the global entry of
    /// ppc64le); LLVM writes the same by itself.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn enter(&self, code: &mut Code<'_>, function: &Function<'_>) -> Result<(), Error> {
        let _ = (code, function);
        Ok(())
    }

    /// Patches the bytes that start at a fixup's place so that they refer to a target `target`
    /// bytes from the start of the code, where `place` is the offset of the bytes. Returns whether
    /// the target is in reach.
    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool;

    /// True if a target instruction that reads no virtual register computes the same value wherever
    /// it stands: a constant or an address.
    fn is_constant(&self, function: &Function<'_>, insn: InsnId) -> bool {
        let _ = (function, insn);
        false
    }

    /// Returns the contents of the upper half of the first register that a target instruction
    /// writes.
    fn upper_half(&self, function: &Function<'_>, insn: InsnId) -> UpperHalf {
        let _ = (function, insn);
        UpperHalf::Unknown
    }

    /// True if an operand is a register that always holds 0.
    fn is_zero(&self, operand: Operand) -> bool {
        let _ = operand;
        false
    }

    /// Returns the instruction that reads from memory the operand that `opcode` reads from register
    /// `number`, if there is one: the address operands of `load`, which loaded the register, take
    /// the place of that operand.
    fn fold_load(&self, opcode: Opcode, number: usize, load: Opcode) -> Option<Opcode> {
        let _ = (opcode, number, load);
        None
    }

    /// True if a fixup of this kind refers to its target by the distance from the start of the
    /// function's code, so that its own place does not matter.
    fn counts_from_start(&self, kind: FixupKind) -> bool {
        let _ = kind;
        false
    }

    /// Returns the instruction that does the work of `insn` and of `source`, which computes its
    /// register operand `number`, if there is one. Nothing else reads that operand's value, and the
    /// inputs of `source` have not changed since.
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

    /// Returns the shorter form of this number, the shortest first, of a branch whose fixup is of
    /// this kind and patches the bytes from `at` on, if it has that many. Shorter forms may have
    /// shorter ones themselves; nothing is ever lengthened.
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

    /// Writes the landing pad that the machine requires at targets of indirect branches, if it has
    /// one: at the function's entry, or at a label.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn landing_pad(&self, out: &mut Emitter<'_, '_>, is_entry: bool) -> Result<(), Error> {
        let _ = (out, is_entry);
        Ok(())
    }

    /// Returns the opcode of a branch whose short form has a fixup of this kind, if it differs from
    /// that of the long form.
    fn short_opcode(&self, opcode: Opcode, kind: FixupKind) -> Option<Opcode> {
        let _ = (opcode, kind);
        None
    }

    /// Returns LLVM's names of the target flags of operands that are not registers, by number of
    /// the [`TargetFlag`](crate::machine::TargetFlag); several are separated by `, `, the direct
    /// one first. The first, for 0, is empty.
    fn target_flags(&self) -> &'static [&'static str] {
        &[""]
    }

    /// Returns the facts for writing ELF objects, if position-independent code is supported.
    fn elf(&self) -> Option<&'static Elf> {
        None
    }

    /// Returns the rule for unwinding a function's frame from the end of its prologue on: the
    /// register that the canonical frame address (the stack pointer at the call) is computed from,
    /// and its distance above that register. Calls `saved` for each register that the prologue
    /// saved, with its offset from that address. None if the function cannot be unwound.
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

    /// Returns the alignment of the code of functions, at least 16.
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
    /// Its opcode.
    pub opcode: Opcode,
    /// Its explicit operands, definitions first.
    pub operands: &'f [Operand],
}

impl InsnView<'_> {
    /// Returns the instruction `insn` of a function.
    #[must_use]
    pub fn new<'f>(function: &'f Function<'_>, insn: InsnId) -> InsnView<'f> {
        InsnView {
            opcode: function.insn(insn).opcode,
            operands: function.operands(insn),
        }
    }

    /// True if it has this opcode.
    #[must_use]
    pub fn is(&self, opcode: impl Into<Opcode>) -> bool {
        self.opcode == opcode.into()
    }

    /// Returns an operand; [`Operand::NO_REG`] if there are not that many.
    #[must_use]
    pub fn at(&self, number: usize) -> Operand {
        self.operands
            .get(number)
            .copied()
            .unwrap_or(Operand::NO_REG)
    }

    /// Returns the value of an operand that is an immediate of 32 bits.
    #[must_use]
    pub fn immediate(&self, number: usize) -> Option<i32> {
        self.at(number).small()
    }
}

/// An instruction that does the work of two: see [`Isa::fold_source`].
#[derive(Clone, Copy, Debug)]
pub struct FoldedSource {
    /// Its opcode.
    pub opcode: Opcode,
    operands: [Operand; 6],
    count: usize,
}

impl FoldedSource {
    /// Returns an instruction with these explicit operands, at most six; their roles come from its
    /// row, except that `UNDEF` uses stay so.
    #[must_use]
    pub fn new(opcode: impl Into<Opcode>, given: &[Operand]) -> FoldedSource {
        let mut operands = [Operand::NO_REG; 6];
        for (place, operand) in operands.iter_mut().zip(given) {
            *place = match operand.as_reg() {
                // A definition of a sub-register has the flag, too.
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

    /// Returns its operands.
    #[must_use]
    pub fn operands(&self) -> &[Operand] {
        self.operands.get(..self.count).unwrap_or(&[])
    }
}
