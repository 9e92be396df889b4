//! The stack frame, from the stack pointer up: the area for outgoing arguments; the saved frame
//! pointer and link register, which the frame pointer points to; saved registers; frame objects;
//! the caller's frame. With this order nearly all objects are in reach of a load's offset. Nothing
//! is ever kept below the stack pointer.

use super::atomic;
use super::immediates::{self, HalfWords};
use super::insns::Op;
use super::isa::Backend;
use super::memory::Access;
use super::registers::{FP, LR, SP, X16, X17, XZR, is_float, saved_register, x};
use mir_nostd::codegen::{Emitter, Error, FrameLayout, FrameRecord};
use mir_nostd::machine::{FrameKind, Function, InsnId, Operand, Reg, UnitSet};
use mir_nostd::target::FrameLowering;

/// The size of a page: larger frames touch each page.
const PAGE: u32 = 4096;

/// The maximum number of bytes of a frame.
const LIMIT: i64 = 1 << 30;

/// The number of bytes of the saved frame pointer and link register.
const RECORD: i32 = 16;

/// The largest frame that STP with writeback allocates and LDP with writeback frees.
const MOST_BY_PAIR: u32 = 504;

/// The counter of the loops that lower the stack pointer. Nothing else is in the scratch registers
/// there; x16 and x17 are no use, as thunks may change them between blocks.
const LEFT: Reg = x(9);

const NOT_EQUAL: Operand = Operand::imm(1);
const NOT_ABOVE: Operand = Operand::imm(9);
const NO_SHIFT: Operand = Operand::imm(0);
const UXTX: Operand = Operand::imm(3 << 3);
const SXTW: Operand = Operand::imm(6 << 3);

impl FrameLowering for Backend {
    /// Decides where the objects of a frame lie.
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        saved: UnitSet,
    ) -> Result<FrameLayout, Error> {
        let count = saved.iter().count() as i64;
        let mut end = i64::from(RECORD) + 8 * count;
        // Small objects come first, where every offset reaches them.
        for is_small in [true, false] {
            for object in function.frame.values_mut() {
                if !object.is_incoming() && (object.bytes <= 16) == is_small {
                    let align = i64::from(object.align.max(1));
                    let start = (end + align - 1) / align * align;
                    end = start + i64::from(object.bytes);
                    if end > LIMIT {
                        return Err(Error::TooLarge);
                    }
                    object.offset = start as i32;
                }
            }
        }
        let bytes = (end + 15) / 16 * 16;
        for object in function.frame.values_mut() {
            if let FrameKind::Incoming(at) = object.kind {
                let offset = i32::try_from(bytes + i64::from(at));
                object.offset = offset.map_err(|_| Error::TooLarge)?;
            }
        }
        // A global variable in the link register overwrites the return address, so the frame saves
        // it.
        let has_frame_pointer = !function.frame.is_empty()
            || !saved.is_empty()
            || function.has_calls
            || function.has_dynamic_stack
            || function.reserved.overlaps(super::registers::FILE.units(LR));
        Ok(FrameLayout {
            base: FP,
            bytes: if has_frame_pointer { bytes as u32 } else { 0 },
            saved,
            save_offset: RECORD,
            outgoing_bytes: function.outgoing_bytes.next_multiple_of(16),
            has_frame_pointer,
        })
    }

    /// Saves registers and allocates the frame.
    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        if !layout.has_frame_pointer {
            return Ok(());
        }
        let [fp, lr, sp] = [FP, LR, SP].map(reg);
        if layout.bytes <= MOST_BY_PAIR {
            let offset = Operand::imm(-(layout.bytes as i32 / 8));
            out.emit(Op::STPXpre, &[sp, fp, lr, sp, offset])?;
        } else {
            lower(out, layout.bytes)?;
            out.emit(Op::STPXi, &[fp, lr, sp, Operand::imm(0)])?;
        }
        out.emit(Op::ADDXri, &[fp, sp, Operand::imm(0), NO_SHIFT])?;
        let ops = [Op::STPXi, Op::STRXui, Op::STPDi, Op::STRDui];
        move_saved(out, layout, ops)?;
        lower(out, layout.outgoing_bytes)
    }

    /// Restores registers and frees the frame.
    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        if !layout.has_frame_pointer {
            return Ok(());
        }
        let ops = [Op::LDPXi, Op::LDRXui, Op::LDPDi, Op::LDRDui];
        move_saved(out, layout, ops)?;
        let [fp, lr, sp] = [FP, LR, SP].map(reg);
        if out.function.has_dynamic_stack || layout.outgoing_bytes != 0 {
            out.emit(Op::ADDXri, &[sp, fp, Operand::imm(0), NO_SHIFT])?;
        }
        if layout.bytes <= MOST_BY_PAIR {
            let offset = Operand::imm(layout.bytes as i32 / 8);
            return out.emit(Op::LDPXpost, &[sp, fp, lr, sp, offset]);
        }
        out.emit(Op::LDPXi, &[fp, lr, sp, Operand::imm(0)])?;
        // The address of a tail jump is in x16, so x17 is the temporary.
        add(out, SP, SP, layout.bytes as i32, X17)
    }

    /// Replaces frame objects by the frame pointer, and expands pseudos that need registers and
    /// frame.
    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        _: &FrameLayout,
    ) -> Result<(), Error> {
        if expanded(out, insn)? {
            out.function.remove(insn);
            return Ok(());
        }
        let opcode = out.function.insn(insn).opcode;
        let [first, second, third] = first_operands(out.function, insn);
        let (Some(frame), Some(given)) = (second.as_frame(), third.small()) else {
            return Err(Error::NotEncoded(opcode));
        };
        let offset = i64::from(out.frame_offset(insn, frame)?);
        let far = |offset: i64| i32::try_from(offset).map_err(|_| Error::TooLarge);
        if opcode == Op::ADDXri.into() {
            let to = first.as_reg().unwrap_or(X17);
            let offset = far(offset + i64::from(given))?;
            // The register may hold the distance itself, as it is no source.
            add(out, to, FP, offset, to)?;
            out.function.remove(insn);
            return Ok(());
        }
        let Some((access, unit)) = Access::of(opcode) else {
            return Err(Error::NotEncoded(opcode));
        };
        let offset = far(offset + i64::from(given) * i64::from(unit))?;
        let (op, base, offset) = match access.with_offset(offset) {
            Some((op, offset)) => (op, FP, offset),
            None => from_temporary(out, &access, first, offset)?,
        };
        out.function.set_opcode(insn, op.into());
        if let [_, place, immediate, ..] = out.function.operands_mut(insn) {
            *place = Operand::reg(base);
            *immediate = Operand::imm(offset);
        }
        Ok(())
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
        if !layout.has_frame_pointer {
            return Some((SP, 0));
        }
        let bytes = layout.bytes as i32;
        saved(FP, -bytes);
        saved(LR, 8 - bytes);
        for (number, unit) in (0..).zip(layout.saved.iter()) {
            saved(
                saved_register(unit),
                layout.save_offset + 8 * number - bytes,
            );
        }
        Some((FP, bytes))
    }

    /// Returns where a function's frame leads to the caller's.
    fn frame_record(&self, function: &Function<'_>, layout: &FrameLayout) -> Option<FrameRecord> {
        if function.is_jumped_to || function.has_dynamic_stack || !layout.has_frame_pointer {
            return None;
        }
        Some(FrameRecord {
            caller: layout.outgoing_bytes + layout.bytes,
            return_address: layout.outgoing_bytes + 8,
        })
    }
}

const fn reg(reg: Reg) -> Operand {
    Operand::reg(reg)
}

/// Writes `to` = an integer of 32 bits, sign-extended.
fn constant(out: &mut Emitter<'_, '_>, to: Reg, value: i32) -> Result<(), Error> {
    let halves = HalfWords::new(i64::from(value).cast_unsigned(), 64);
    for (place, (half, shift)) in halves.iter().enumerate() {
        let (half, shift) = (Operand::imm(half), Operand::imm(shift));
        match (place, halves.inverted) {
            (0, false) => out.emit(Op::MOVZXi, &[reg(to), half, shift])?,
            (0, true) => out.emit(Op::MOVNXi, &[reg(to), half, shift])?,
            _ => out.emit(Op::MOVKXi, &[reg(to), reg(to), half, shift])?,
        }
    }
    Ok(())
}

/// Writes `to = from + value`. A value that is out of reach goes through `temp`, which may be `to`,
/// but not `from`.
fn add(out: &mut Emitter<'_, '_>, to: Reg, from: Reg, value: i32, temp: Reg) -> Result<(), Error> {
    let op = if value < 0 { Op::SUBXri } else { Op::ADDXri };
    let size = u64::from(value.unsigned_abs());
    if let Some([bits, shift]) = immediates::arithmetic(size) {
        let operands = [reg(to), reg(from), Operand::imm(bits), Operand::imm(shift)];
        return out.emit(op, &operands);
    }
    if size < 1 << 24 {
        // For the stack pointer, this step takes at most a page.
        let (high, low) = ((size >> 12) as i32, (size & 0xFFF) as i32);
        let operands = [reg(to), reg(from), Operand::imm(high), Operand::imm(12)];
        out.emit(op, &operands)?;
        return out.emit(op, &[reg(to), reg(to), Operand::imm(low), NO_SHIFT]);
    }
    constant(out, temp, value)?;
    out.emit(Op::ADDXrx64, &[reg(to), reg(from), reg(temp), UXTX])
}

/// Touches the memory at the stack pointer.
fn touch(out: &mut Emitter<'_, '_>) -> Result<(), Error> {
    out.emit(Op::STRXui, &[reg(XZR), reg(SP), Operand::imm(0)])
}

fn lower_by_page(out: &mut Emitter<'_, '_>) -> Result<(), Error> {
    take_page(out)?;
    touch(out)
}

fn take_page(out: &mut Emitter<'_, '_>) -> Result<(), Error> {
    let operands = [reg(SP), reg(SP), Operand::imm(1), Operand::imm(12)];
    out.emit(Op::SUBXri, &operands)
}

/// Lowers the stack pointer, touching each page that it passes.
fn lower(out: &mut Emitter<'_, '_>, bytes: u32) -> Result<(), Error> {
    let (pages, rest) = (bytes / PAGE, bytes % PAGE);
    if pages > 4 {
        let least = -((pages * PAGE) as i32);
        add(out, LEFT, SP, least, X17)?;
        let again = out.split()?;
        lower_by_page(out)?;
        out.emit(Op::SUBSXrx64, &[reg(XZR), reg(SP), reg(LEFT), UXTX])?;
        out.emit(Op::Bcc, &[NOT_EQUAL, Operand::block(again)])?;
        out.split()?;
    } else {
        for _ in 0..pages {
            lower_by_page(out)?;
        }
    }
    if rest != 0 {
        add(out, SP, SP, -(rest as i32), X16)?;
    }
    Ok(())
}

/// Saves or restores registers in pairs of one bank.
fn move_saved(
    out: &mut Emitter<'_, '_>,
    layout: &FrameLayout,
    [pair, single, float_pair, float_single]: [Op; 4],
) -> Result<(), Error> {
    let mut at = layout.save_offset / 8;
    let mut units = layout.saved.iter().map(saved_register).peekable();
    while let Some(first) = units.next() {
        let second = units.next_if(|&other| is_float(other) == is_float(first));
        let (pair, single) = if is_float(first) {
            (float_pair, float_single)
        } else {
            (pair, single)
        };
        let offset = Operand::imm(at);
        at += 1;
        match second {
            Some(second) => {
                out.emit(pair, &[reg(first), reg(second), reg(FP), offset])?;
                at += 1;
            }
            None => out.emit(single, &[reg(first), reg(FP), offset])?,
        }
    }
    Ok(())
}

/// Returns a register for the address of a frame object that is far away: the one that is loaded,
/// or a scratch register, unless it holds a global variable.
fn temporary(function: &Function<'_>, access: &Access, register: Operand) -> Result<Reg, Error> {
    let registers = &super::registers::FILE;
    if let Some(reg) = register
        .as_reg()
        .filter(|&reg| access.is_load() && !is_float(reg))
    {
        let encoding = registers.row(reg).encoding;
        return Ok(super::registers::x(u16::from(encoding)));
    }
    let free = |reg: &Reg| !function.reserved.overlaps(registers.units(*reg));
    [X17, X16].into_iter().find(free).ok_or(Error::Unsupported)
}

/// Returns the first three operands of an instruction.
fn first_operands(function: &Function<'_>, insn: InsnId) -> [Operand; 3] {
    let operands = function.operands(insn);
    [0, 1, 2].map(|number| operands.get(number).copied().unwrap_or(Operand::NO_REG))
}

/// Expands a pseudo that is none of an object's address; `false` if it is another instruction.
fn expanded(out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<bool, Error> {
    let opcode = out.function.insn(insn).opcode;
    let [first, second, _] = first_operands(out.function, insn);
    if opcode == Op::PROBED_STACKALLOC_DYN.into() {
        allocate(out, insn, first)?;
    } else if opcode == Op::MOVaddr.into() {
        far_address(out, first, second)?;
    } else if !atomic::expand(out, insn)? {
        // A barrier for the compiler alone becomes nothing.
        return Ok(opcode == Op::MEMBARRIER.into());
    }
    Ok(true)
}

/// Adds the far part of an object's offset to a temporary. Returns the form of the access, its base
/// and the rest of the offset.
fn from_temporary(
    out: &mut Emitter<'_, '_>,
    access: &Access,
    register: Operand,
    offset: i32,
) -> Result<(Op, Reg, i32), Error> {
    let temp = temporary(out.function, access, register)?;
    let near = offset & 0xFFF;
    let (op, near, far) = match access.with_offset(near) {
        Some((op, scaled)) if near % access.bytes == 0 => (op, scaled, offset - near),
        _ => (access.scaled, 0, offset),
    };
    add(out, temp, FP, far, temp)?;
    Ok((op, temp, near))
}

/// Lowers the stack pointer to an address, page by page.
fn allocate(out: &mut Emitter<'_, '_>, insn: InsnId, end: Operand) -> Result<(), Error> {
    let (sp, zero) = (reg(SP), reg(XZR));
    let again = out.split()?;
    take_page(out)?;
    out.emit(Op::SUBSXrx64, &[zero, sp, end, UXTX])?;
    out.split()?;
    touch(out)?;
    out.emit(Op::B, &[Operand::block(again)])?;
    let rest = out.split()?;
    out.go_to(again, None);
    out.emit(Op::Bcc, &[NOT_ABOVE, Operand::block(rest)])?;
    out.go_to(rest, Some(insn));
    out.emit(Op::ADDXri, &[sp, end, Operand::imm(0), NO_SHIFT])?;
    // This is a load, as the new area may be empty.
    out.emit(Op::LDRXui, &[zero, sp, Operand::imm(0)])
}

/// Writes an address that may be out of reach of ADR: the address of the ADR plus the distance.
fn far_address(out: &mut Emitter<'_, '_>, to: Operand, what: Operand) -> Result<(), Error> {
    let temp = if to.as_reg() == Some(X16) { X17 } else { X16 };
    let temp = reg(temp);
    out.emit(Op::ADR, &[to, Operand::imm(0)])?;
    out.emit(Op::MOVZWi, &[temp, what, Operand::imm(0)])?;
    out.emit(Op::MOVKWi, &[temp, temp, what, Operand::imm(16)])?;
    out.emit(Op::ADDXrx, &[to, to, temp, SXTW])
}
