//! The traits that a backend implements for the code generator: one for each part of its work, and
//! [`Isa`], which joins them and has the facts that are data.

pub(crate) mod emitter;

use super::{Description, InsnRow, RegisterFile, Target};
use crate::machine::{ClassId, FrameId, Function, Generic, InsnId, LowType, Operand, Reg, UnitSet};
use crate::target::code::{Code, FixupKind, ShortBranch};
use crate::target::error::Error;
use crate::target::frame_layout::{FrameLayout, FrameRecord};
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
    /// Zero in all bits.
    Zero,
    /// Zero in all bits, where the low half is that of the only virtual register that is read: the
    /// instruction is only a zero extension.
    ZeroExtension,
}

/// The place of a landing pad, which determines how control may get there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LandingPad {
    /// The entry of a function: by a call or a jump.
    Entry,
    /// A label, or the place after a call: by a jump.
    Label,
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

/// A backend of the code generator: the tables of an ISA, and by the traits that it includes the
/// functions for all that tables cannot say. It is object safe and the same on every host.
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
///   jump tables and symbols are encoded as fixups whose kinds [`Description::elf`] maps to ELF
///   relocations; the fields hold 0, as addends are in the relocations. Constants and tables lie in
///   a read-only section anywhere within 2 GiB of the code, so the short-range forms (a literal
///   load) are no use. The target flags of an operand
///   ([`Operand::flagged`](crate::machine::Operand::flagged), a row of
///   [`Description::target_flags`] such as `aarch64-page` or `ppc-toc-ha`) say which part of the
///   address it means.
/// - Fixed registers of an instruction (a divisor in `rcx`, a flag) are used by copies right before
///   and after it; no virtual register is expected to stay out of their way.
///
/// # Safety
///
/// The tables and functions of an implementor are those of the machine that [`Isa::target`]
/// describes: compiled code does what its function says.
pub unsafe trait Isa: InsnSelector + InsnInfo + FrameLowering + Encoder + Sync {
    /// Returns the facts about the ISA that are data.
    fn description(&self) -> &'static Description;

    /// Returns the description of the ISA and its platform ABI.
    fn target(&self) -> &'static Target {
        self.description().target
    }

    /// Returns the register file.
    fn registers(&self) -> &'static RegisterFile {
        self.description().registers
    }

    /// Returns the instruction table, indexed by [`crate::machine::Opcode::row`].
    fn insns(&self) -> &'static [InsnRow] {
        self.description().insns
    }
}

impl dyn Isa + '_ {
    /// Writes the bytes of one instruction.
    ///
    /// # Errors
    ///
    /// Out of memory; [`Error::NotEncoded`] for an instruction that has no encoding.
    #[inline]
    pub fn encode(
        &self,
        code: &mut Code<'_>,
        function: &Function<'_>,
        insn: InsnId,
    ) -> Result<(), Error> {
        let insn = function.insn(insn);
        let row = insn.opcode.row();
        let encoded =
            row.and_then(|row| self.encode_row(code, function, row, function.operands_of(insn)));
        encoded.unwrap_or(Err(Error::NotEncoded(insn.opcode)))
    }
}

impl core::fmt::Debug for dyn Isa + '_ {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Isa({})", self.target().name)
    }
}

/// A generic instruction for which target instructions are selected.
#[derive(Clone, Copy, Debug)]
pub struct GenericInsn<'a> {
    /// The opcode.
    pub generic: Generic,
    /// The type.
    pub ty: LowType,
    /// The operands.
    pub operands: &'a [Operand],
}

/// The selection of target instructions, and what it takes directly.
pub trait InsnSelector {
    /// Writes target instructions for one generic instruction, at the place of `out`. It is never
    /// called for `Copy`, which stays until allocation is done. The instruction itself need not be
    /// in the function.
    ///
    /// The instruction's virtual registers may have several definitions, so a result must be
    /// written last, or at least not before all sources that come after it are read:
    /// [`Emitter::emit`] takes care of tied operands.
    ///
    /// # Errors
    ///
    /// Out of memory; [`Error::NotSelected`] for an instruction that the target does not have (see
    /// `legalise`).
    fn select(&self, out: &mut Emitter<'_, '_>, insn: GenericInsn<'_>) -> Result<(), Error>;

    /// True if the instruction for a generic one of the type takes an integer directly as its
    /// operand of this number. For [`Generic::Constant`] and [`Generic::FConstant`]: true if
    /// materialising the value again costs no more than keeping it. `select` must handle the other
    /// values all the same; optimisation puts those into registers, outside of loops.
    fn takes_immediate(
        &self,
        _generic: Generic,
        _ty: LowType,
        _number: usize,
        _value: i64,
    ) -> bool {
        true
    }

    /// True if a store of an immediate takes the address directly; the rest is as for
    /// [`InsnSelector::takes_immediate`].
    fn takes_immediate_at(&self, _address: &AddressForm) -> bool {
        true
    }

    /// True if loads and stores of the type take an address, which has an index, directly; the rest
    /// is as for [`InsnSelector::takes_immediate`].
    fn takes_address(&self, _ty: LowType, _address: &AddressForm) -> bool {
        true
    }

    /// Inverts the condition of a conditional branch. Returns whether it could: the branch is
    /// unchanged otherwise.
    fn invert_branch(&self, _function: &mut Function<'_>, _insn: InsnId) -> bool {
        false
    }
}

/// The facts of target instructions that passes after selection need, and the instructions that
/// allocation adds.
pub trait InsnInfo {
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

    /// Writes the landing pad that the machine requires at targets of indirect branches, if it has
    /// one.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn landing_pad(&self, _out: &mut Emitter<'_, '_>, _place: LandingPad) -> Result<(), Error> {
        Ok(())
    }

    /// True if a function may have instructions of which [`InsnInfo::is_constant`] is true.
    fn has_constants(&self, _function: &Function<'_>) -> bool {
        false
    }

    /// True if a target instruction that reads no virtual register computes the same value wherever
    /// it stands: a constant or an address.
    fn is_constant(&self, _function: &Function<'_>, _insn: InsnId) -> bool {
        false
    }

    /// Returns the contents of the upper half of the first register that a target instruction
    /// writes.
    fn upper_half(&self, _function: &Function<'_>, _insn: InsnId) -> UpperHalf {
        UpperHalf::Unknown
    }
}

/// The stack frame: its layout, its code, and how it is unwound.
pub trait FrameLowering {
    /// Lays out the frame: sets [`crate::machine::FrameObject::offset`] of each object, from the
    /// frame pointer or from the stack pointer as the returned layout says.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the frame is too large.
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        used_saved: UnitSet,
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

    /// Returns the rule for unwinding a function's frame from the end of its prologue on: the
    /// register that the canonical frame address (the stack pointer at the call) is computed from,
    /// and its distance above that register. Calls `saved` for each register that the prologue
    /// saved, with its offset from that address. None if the function cannot be unwound.
    fn unwind(
        &self,
        function: &Function<'_>,
        layout: &FrameLayout,
        saved: &mut dyn FnMut(Reg, i32),
    ) -> Option<(Reg, i32)>;

    /// Returns where a function's frame, from the end of its prologue on, leads to the caller's;
    /// `None` if the stack pointer moves in the function, or it is not called.
    fn frame_record(&self, function: &Function<'_>, layout: &FrameLayout) -> Option<FrameRecord>;
}

/// The bytes of instructions, and the fixups in them.
pub trait Encoder {
    /// Writes the bytes of an instruction of this row of the table; `None` if it has no encoding.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn encode_row(
        &self,
        code: &mut Code<'_>,
        function: &Function<'_>,
        row: usize,
        operands: &[Operand],
    ) -> Option<Result<(), Error>>;

    /// Writes the code before the first instruction of a linked function (the global entry of
    /// ppc64le); LLVM writes the same by itself.
    ///
    /// # Errors
    ///
    /// Out of memory.
    fn enter(&self, _code: &mut Code<'_>, _function: &Function<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Patches the bytes that start at a fixup's place so that they refer to a target `target`
    /// bytes from the start of the code, where `place` is the offset of the bytes. Returns whether
    /// the target is in reach.
    fn patch(&self, bytes: &mut [u8], kind: FixupKind, place: u32, target: i64) -> bool;

    /// Returns the shorter form of this number, the shortest first, of a branch whose fixup is of
    /// this kind and patches the bytes from `at` on, if it has that many. Shorter forms may have
    /// shorter ones themselves; nothing is ever lengthened.
    fn short_branch(
        &self,
        kind: FixupKind,
        number: usize,
        code: &[u8],
        at: u32,
    ) -> Option<ShortBranch>;

    /// Fills bytes between functions and before constants: long NOPs or traps.
    fn pad(&self, bytes: &mut [u8]);
}
