//! The stack frame, from the stack pointer up: the ABI's header with the back chain, the area for
//! outgoing arguments, saved registers, frame objects. Offsets count from the stack pointer; if
//! that moves, from r31, which keeps its value after the prologue. Nothing is ever kept below the
//! stack pointer.

use super::atomic;
use super::insns::Op;
use super::isa::Backend;
use super::registers::{CR0, LR8, X0, X1, X11, X31, is_float, saved_register};
use mir_nostd::codegen::{Emitter, Error, FrameLayout, FrameRecord};
use mir_nostd::machine::{BlockId, FrameKind, Function, InsnId, Opcode, Operand, Reg, UnitSet};
use mir_nostd::target::FrameLowering;

/// The size of a page: larger frames touch each page.
const PAGE: i32 = 4096;

/// The maximum number of bytes of a frame.
const LIMIT: i64 = 1 << 30;

/// The number of bytes of the header: back chain, condition register, link register, TOC.
const HEADER: i64 = 32;
/// The offset of the link register's place in the caller's header.
const LINK: i32 = 16;

impl FrameLowering for Backend {
    /// Decides where the objects of a frame lie.
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        saved: UnitSet,
    ) -> Result<FrameLayout, Error> {
        let mut locals = function.frame.values().iter();
        let has_locals = locals.any(|object| !object.is_incoming());
        let outgoing = i64::from(function.outgoing_bytes).max(HEADER);
        // r31 is saved first.
        let is_moving = function.has_dynamic_stack;
        let save_offset = (outgoing + 7) / 8 * 8;
        let mut end = save_offset + 8 * (saved.iter().count() as i64 + i64::from(is_moving));
        // Small objects come first, where displacements reach them.
        for is_small in [true, false] {
            for object in function.frame.values_mut() {
                if !object.is_incoming() && (object.bytes <= 16) == is_small {
                    let align = i64::from(object.align.max(1));
                    let start = (end + align - 1) / align * align;
                    object.offset = i32::try_from(start).map_err(|_| Error::TooLarge)?;
                    end = start + i64::from(object.bytes);
                }
            }
            if end > LIMIT {
                return Err(Error::TooLarge);
            }
        }
        let needs_frame = has_locals || function.has_calls || is_moving || !saved.is_empty();
        let bytes = if needs_frame { (end + 15) / 16 * 16 } else { 0 };
        for object in function.frame.values_mut() {
            if let FrameKind::Incoming(at) = object.kind {
                let offset = bytes + HEADER + i64::from(at);
                object.offset = i32::try_from(offset).map_err(|_| Error::TooLarge)?;
            }
        }
        Ok(FrameLayout {
            base: if is_moving { X31 } else { X1 },
            bytes: u32::try_from(bytes).map_err(|_| Error::TooLarge)?,
            saved,
            save_offset: save_offset as i32,
            outgoing_bytes: outgoing as u32,
            has_frame_pointer: is_moving,
        })
    }

    /// Saves registers and allocates the frame. It preserves r12, which holds the function's
    /// address.
    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        let has_prefixes = self.has_prefixes;
        if out.function.has_calls {
            out.emit(Op::MFLR8, &[Operand::reg(X0)])?;
            access(out, Op::STD, X0, LINK, has_prefixes)?;
        }
        if layout.bytes == 0 {
            return Ok(());
        }
        lower_stack(out, layout.bytes as i32)?;
        for (reg, offset) in saves(layout) {
            let op = if is_float(reg) { Op::STFD } else { Op::STD };
            access(out, op, reg, offset, has_prefixes)?;
        }
        if layout.has_frame_pointer {
            let [to, from] = [Operand::reg(X31), Operand::reg(X1)];
            out.emit(Op::OR8, &[to, from, from])?;
        }
        Ok(())
    }

    /// Restores registers and frees the frame.
    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        let has_prefixes = self.has_prefixes;
        let pointer = Operand::reg(X1);
        if layout.has_frame_pointer {
            let from = Operand::reg(X31);
            out.emit(Op::OR8, &[pointer, from, from])?;
        }
        for (reg, offset) in saves(layout) {
            let op = if is_float(reg) { Op::LFD } else { Op::LD };
            access(out, op, reg, offset, has_prefixes)?;
        }
        match i16::try_from(layout.bytes) {
            Ok(0) => {}
            Ok(bytes) => {
                let bytes = Operand::imm(i32::from(bytes));
                out.emit(Op::ADDI8, &[pointer, pointer, bytes])?;
            }
            Err(_) => out.emit(Op::LD, &[pointer, Operand::imm(0), pointer])?,
        }
        if out.function.has_calls {
            access(out, Op::LD, X0, LINK, has_prefixes)?;
            out.emit(Op::MTLR8, &[Operand::reg(X0)])?;
        }
        Ok(())
    }

    /// Replaces frame objects by the frame's register and offsets, and expands pseudos that need
    /// the frame.
    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        let opcode = out.function.insn(insn).opcode;
        if opcode == Op::DYNALLOC8.into() {
            allocate(out, insn, layout)?;
            out.function.remove(insn);
            return Ok(());
        }
        if opcode == Op::MEMBARRIER.into() || atomic::expand(out, insn)? {
            out.function.remove(insn);
            return Ok(());
        }
        let Some(reference) = FrameReference::of(out, insn)? else {
            return Ok(());
        };
        let FrameReference { is_sum, offset, .. } = reference;
        let is_near = i16::try_from(offset).is_ok() && (is_sum || is_step(opcode, offset));
        if is_near || is_prefixed(opcode) {
            reference.replace(out, insn, layout);
            Ok(())
        } else if self.has_prefixes {
            let op = match is_sum {
                true => Op::PADDI8,
                false => Forms::of(opcode)?.prefixed,
            };
            out.function.set_opcode(insn, op.into());
            reference.replace(out, insn, layout);
            Ok(())
        } else {
            reference.expand(out, opcode, layout)?;
            out.function.remove(insn);
            Ok(())
        }
    }

    /// Reports the place of each saved register, and returns the register and offset of the
    /// canonical frame address; `None` if the frame cannot be unwound.
    fn unwind(
        &self,
        function: &Function<'_>,
        layout: &FrameLayout,
        saved: &mut dyn FnMut(Reg, i32),
    ) -> Option<(Reg, i32)> {
        if function.is_jumped_to {
            return None;
        }
        let bytes = i32::try_from(layout.bytes).ok()?;
        for (reg, offset) in saves(layout) {
            saved(reg, offset - bytes);
        }
        if function.has_calls {
            saved(LR8, LINK);
        }
        Some((layout.base, bytes))
    }

    /// Returns where a function's frame leads to the caller's.
    fn frame_record(&self, function: &Function<'_>, layout: &FrameLayout) -> Option<FrameRecord> {
        if function.is_jumped_to || function.has_dynamic_stack || !function.has_calls {
            return None;
        }
        Some(FrameRecord {
            caller: layout.bytes,
            return_address: layout.bytes.checked_add_signed(LINK)?,
        })
    }
}

/// An instruction that names a frame object.
struct FrameReference {
    /// True for a sum, which has the object before its offset; loads and stores have it after.
    is_sum: bool,
    /// The register that is computed, loaded or stored.
    value: Operand,
    /// The distance from the frame's register.
    offset: i32,
}

impl FrameReference {
    /// Returns the reference to a frame object that an instruction makes, if it makes one.
    fn of(out: &Emitter<'_, '_>, insn: InsnId) -> Result<Option<FrameReference>, Error> {
        let opcode = out.function.insn(insn).opcode;
        let &[value, middle, last, ..] = out.function.operands(insn) else {
            return Ok(None);
        };
        let is_sum = [Op::ADDI8, Op::PADDI8].map(Opcode::from).contains(&opcode);
        let (frame, displacement) = match is_sum {
            true => (middle, last),
            false => (last, middle),
        };
        let Some(frame) = frame.as_frame() else {
            return Ok(None);
        };
        let offset = out.frame_offset(insn, frame)?;
        let offset = displacement.small().and_then(|old| old.checked_add(offset));
        Ok(Some(FrameReference {
            is_sum,
            value,
            offset: offset.ok_or(Error::TooLarge)?,
        }))
    }

    /// Replaces the object by the frame's register and the offset.
    fn replace(&self, out: &mut Emitter<'_, '_>, insn: InsnId, layout: &FrameLayout) {
        let (base, offset) = (Operand::reg(layout.base), Operand::imm(self.offset));
        let places = match self.is_sum {
            true => [base, offset],
            false => [offset, base],
        };
        if let Some(old) = out.function.operands_mut(insn).get_mut(1..3) {
            old.copy_from_slice(&places);
        }
    }

    /// Emits instructions that do what `opcode` does, with an offset of more than 16 bits.
    fn expand(
        &self,
        out: &mut Emitter<'_, '_>,
        opcode: Opcode,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        let (value, base) = (self.value, Operand::reg(layout.base));
        if self.is_sum {
            let low = i32::from(self.offset as i16);
            let high = Operand::imm(self.offset.wrapping_sub(low) >> 16);
            out.emit(Op::ADDIS8, &[value, base, high])?;
            out.emit(Op::ADDI8, &[value, value, Operand::imm(low)])
        } else {
            let index = far(out, self.offset)?;
            out.emit(Forms::of(opcode)?.indexed, &[value, base, index])
        }
    }
}

/// Returns whether an instruction takes a displacement of 34 bits.
fn is_prefixed(opcode: Opcode) -> bool {
    opcode == Op::PADDI8.into() || FORMS.iter().any(|forms| opcode == forms.prefixed.into())
}

/// Emits `op reg, offset(r1)`; an offset that is out of reach takes a prefix or goes through r0.
fn access(
    out: &mut Emitter<'_, '_>,
    op: Op,
    reg: Reg,
    offset: i32,
    has_prefixes: bool,
) -> Result<(), Error> {
    let [reg, base] = [Operand::reg(reg), Operand::reg(X1)];
    if i16::try_from(offset).is_ok() {
        return out.emit(op, &[reg, Operand::imm(offset), base]);
    }
    let forms = Forms::of(op.into())?;
    if has_prefixes {
        return out.emit(forms.prefixed, &[reg, Operand::imm(offset), base]);
    }
    let index = far(out, offset)?;
    out.emit(forms.indexed, &[reg, base, index])
}

/// Loads a number into r0, which addresses take as an index but not as a base.
fn far(out: &mut Emitter<'_, '_>, offset: i32) -> Result<Operand, Error> {
    let index = Operand::reg(X0);
    let [high, low] = [Operand::imm(offset >> 16), Operand::imm(offset & 0xFFFF)];
    out.emit(Op::LIS8, &[index, high])?;
    out.emit(Op::ORI8, &[index, index, low])?;
    Ok(index)
}

/// The forms of a load or store: with a displacement, with an index, and with a displacement of 34
/// bits.
pub(crate) struct Forms {
    near: Op,
    indexed: Op,
    pub(crate) prefixed: Op,
}

const fn forms(near: Op, indexed: Op, prefixed: Op) -> Forms {
    Forms {
        near,
        indexed,
        prefixed,
    }
}

const FORMS: &[Forms] = &[
    forms(Op::LBZ8, Op::LBZX8, Op::PLBZ8),
    forms(Op::LHZ8, Op::LHZX8, Op::PLHZ8),
    forms(Op::LHA8, Op::LHAX8, Op::PLHA8),
    forms(Op::LWZ8, Op::LWZX8, Op::PLWZ8),
    forms(Op::LWA, Op::LWAX, Op::PLWA8),
    forms(Op::LD, Op::LDX, Op::PLD),
    forms(Op::LFS, Op::LFSX, Op::PLFS),
    forms(Op::LFD, Op::LFDX, Op::PLFD),
    forms(Op::STB8, Op::STBX8, Op::PSTB8),
    forms(Op::STH8, Op::STHX8, Op::PSTH8),
    forms(Op::STW8, Op::STWX8, Op::PSTW8),
    forms(Op::STD, Op::STDX, Op::PSTD),
    forms(Op::STFS, Op::STFSX, Op::PSTFS),
    forms(Op::STFD, Op::STFDX, Op::PSTFD),
];

impl Forms {
    /// Returns the forms of the opcode with a displacement.
    pub(crate) fn of(opcode: Opcode) -> Result<&'static Forms, Error> {
        let forms = FORMS.iter().find(|forms| opcode == forms.near.into());
        forms.ok_or(Error::NotEncoded(opcode))
    }
}

/// Returns the registers that the prologue saves, with their offsets.
fn saves(layout: &FrameLayout) -> impl Iterator<Item = (Reg, i32)> + use<> {
    let pointer = layout.has_frame_pointer.then_some(X31);
    let saved = layout.saved.iter().map(saved_register);
    let first = layout.save_offset;
    (pointer.into_iter().chain(saved)).zip((0..).map(move |place| first + 8 * place))
}

/// Predicates as branches encode them.
const NOT_EQUAL: i32 = 68;
const NOT_LESS: i32 = 4;

/// Starts a block for a loop; returns `None` where blocks may be compiled one at a time on demand:
/// r0, r11 and r12 do not live from one block to the next then, so the loop is written with
/// distances inside its block.
fn loop_start(out: &mut Emitter<'_, '_>) -> Result<Option<BlockId>, Error> {
    if out.function.is_position_independent {
        Ok(Some(out.split()?))
    } else {
        Ok(None)
    }
}

/// Emits a branch on the first field of the condition register.
fn branch(out: &mut Emitter<'_, '_>, predicate: i32, to: Operand) -> Result<(), Error> {
    out.emit(Op::BCC, &[Operand::imm(predicate), Operand::reg(CR0), to])
}

/// Lowers the stack pointer page by page; each step stores the back chain at the new place.
fn lower_stack(out: &mut Emitter<'_, '_>, bytes: i32) -> Result<(), Error> {
    let (pages, rest) = (bytes / PAGE, bytes % PAGE);
    let [pointer, chain] = [Operand::reg(X1), Operand::reg(X11)];
    let down = |out: &mut Emitter<'_, '_>, chain: Operand, by: i32| {
        out.emit(Op::STDU, &[pointer, chain, Operand::imm(-by), pointer])
    };
    if pages == 0 {
        return down(out, pointer, rest);
    }
    out.emit(Op::OR8, &[chain, pointer, pointer])?;
    if pages > 4 {
        // The loop goes down to where r0 points.
        let limit = far(out, -pages * PAGE)?;
        out.emit(Op::ADD8, &[limit, pointer, limit])?;
        let again = loop_start(out)?;
        down(out, chain, PAGE)?;
        let field = Operand::reg(CR0);
        out.emit(Op::CMPLD, &[field, pointer, limit])?;
        branch(
            out,
            NOT_EQUAL,
            again.map_or(Operand::imm(-2), Operand::block),
        )?;
        if again.is_some() {
            out.split()?;
        }
    } else {
        for _ in 0..pages {
            down(out, chain, PAGE)?;
        }
    }
    if rest != 0 {
        down(out, chain, rest)?;
    }
    Ok(())
}

/// Returns whether the instruction can have the displacement.
fn is_step(opcode: Opcode, displacement: i32) -> bool {
    let is_word = [Op::LD, Op::STD, Op::LWA]
        .into_iter()
        .any(|op| opcode == op.into());
    !is_word || displacement % 4 == 0
}

/// Lowers the stack pointer by a number of bytes, page by page, and computes the start of the new
/// area.
fn allocate(out: &mut Emitter<'_, '_>, insn: InsnId, layout: &FrameLayout) -> Result<(), Error> {
    let &[to, down, _, chain, ..] = out.function.operands(insn) else {
        return Err(Error::NotEncoded(Op::DYNALLOC8.into()));
    };
    let [rest, pointer] = [Operand::reg(X0), Operand::reg(X1)];
    let field = Operand::reg(CR0);
    let page = Operand::imm(PAGE);
    out.emit(Op::OR8, &[rest, down, down])?;
    let again = loop_start(out)?;
    out.emit(Op::CMPDI, &[field, rest, Operand::imm(-PAGE)])?;
    if again.is_some() {
        out.split()?;
    } else {
        branch(out, NOT_LESS, Operand::imm(4))?;
    }
    out.emit(Op::STDU, &[pointer, chain, Operand::imm(-PAGE), pointer])?;
    out.emit(Op::ADDIC8, &[rest, rest, page])?;
    out.emit(Op::B, &[again.map_or(Operand::imm(-4), Operand::block)])?;
    if let Some(again) = again {
        let last = out.split()?;
        out.go_to(again, None);
        branch(out, NOT_LESS, Operand::block(last))?;
        out.go_to(last, Some(insn));
    }
    out.emit(Op::STDUX, &[pointer, chain, pointer, rest])?;
    let above = layout.outgoing_bytes as i32;
    let low = i32::from(above as i16);
    let high = above.wrapping_sub(low) >> 16;
    let base = if high == 0 {
        pointer
    } else {
        out.emit(Op::ADDIS8, &[to, pointer, Operand::imm(high)])?;
        to
    };
    out.emit(Op::ADDI8, &[to, base, Operand::imm(low)])
}
