//! The stack frame. General registers are saved in the area that the caller provides, which is 160
//! bytes long; the function's stack arguments lie above it. Below it lie frame objects, saved
//! floating registers, the area for outgoing arguments, and 160 bytes for the callees to save
//! registers in, at which the stack pointer points. Nothing is ever kept below the stack pointer.

use super::atomic;
use super::encoding::Encoding;
use super::fold::far_form;
use super::insns::{INSNS, Op};
use super::isa::Backend;
use super::registers::{R11, R14, R15, floats, general, has_r14, highest_general, lowest_general};
use mir_nostd::codegen::{Emitter, Error, FrameLayout, FrameRecord};
use mir_nostd::machine::{FrameKind, Function, InsnId, Opcode, Operand, Reg, UnitSet};
use mir_nostd::target::FrameLowering;

/// The size of a page: larger frames touch each page.
const PAGE: u32 = 4096;

/// The maximum number of bytes of a frame.
const LIMIT: i64 = 1 << 30;

/// The size of the area that the caller provides above its stack pointer, with a place for each
/// register from r2 on.
const SAVE_AREA: i64 = 160;

impl FrameLowering for Backend {
    /// Decides where the objects of a frame lie: offsets are from the stack pointer after the
    /// prologue.
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        saved: UnitSet,
    ) -> Result<FrameLayout, Error> {
        let outgoing_bytes = function.outgoing_bytes.next_multiple_of(8);
        let save_offset = i64::from(outgoing_bytes);
        let mut end = save_offset + 8 * floats(saved).count() as i64;
        // Small objects come first, where a displacement of 12 bits reaches them.
        for is_small in [true, false] {
            for object in function.frame.values_mut() {
                if !object.is_incoming() && (object.bytes <= 16) == is_small {
                    let align = i64::from(object.align.clamp(1, 8));
                    let start = (end + align - 1) / align * align;
                    end = start + i64::from(object.bytes);
                    object.offset = i32::try_from(start).map_err(|_| Error::TooLarge)?;
                }
            }
        }
        let bytes = (end + 7) / 8 * 8;
        let mut last = end;
        for object in function.frame.values_mut() {
            if let FrameKind::Incoming(at) = object.kind {
                let offset = bytes + SAVE_AREA + i64::from(at);
                last = last.max(offset + i64::from(object.bytes));
                object.offset = i32::try_from(offset).map_err(|_| Error::TooLarge)?;
            }
        }
        if last > LIMIT {
            return Err(Error::TooLarge);
        }
        // Objects that are farther away are reached through r14, and the frame's loops count in it.
        // Calls change it, too.
        let is_r14_used = function.has_calls
            || function.has_dynamic_stack
            || last > i64::from(PAGE)
            || has_r14(function.reserved);
        let r14 = if is_r14_used {
            UnitSet::unit(14)
        } else {
            UnitSet::EMPTY
        };
        Ok(FrameLayout {
            base: if function.has_dynamic_stack { R11 } else { R15 },
            bytes: bytes as u32,
            saved: saved.union(r14),
            save_offset: save_offset as i32,
            outgoing_bytes,
            has_frame_pointer: function.has_dynamic_stack,
        })
    }

    /// Saves registers and allocates the frame.
    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        let sp = Operand::reg(R15);
        if let Some((first, last)) = saved_range(layout) {
            let place = Operand::imm(save_place(first));
            let [first, last] = [first, last].map(|number| Operand::reg(general(number)));
            if first == last {
                out.emit(Op::STG, &[first, sp, place, Operand::NO_REG])?;
            } else {
                out.emit(Op::STMG, &[first, last, sp, place])?;
            }
        }
        let (pages, rest) = (layout.bytes / PAGE, layout.bytes % PAGE);
        if pages > 4 {
            // The loop goes down page by page, to the address in r14: code on the path to a block
            // may overwrite r0 and r1.
            let end = Operand::reg(R14);
            out.emit(Op::LGR, &[end, sp])?;
            add(out, R14, -((pages * PAGE) as i32))?;
            let again = out.split()?;
            add(out, R15, -(PAGE as i32))?;
            touch(out)?;
            let not_equal = Operand::imm(6);
            let operands = [sp, end, not_equal, Operand::block(again)];
            out.emit(Op::CGRJ, &operands)?;
            out.split()?;
        } else {
            for _ in 0..pages {
                add(out, R15, -(PAGE as i32))?;
                touch(out)?;
            }
        }
        if rest != 0 {
            add(out, R15, -(rest as i32))?;
        }
        for (reg, offset) in floats(layout.saved).zip((layout.save_offset..).step_by(8)) {
            access(out, Op::STD, reg, R15, offset)?;
        }
        if layout.has_frame_pointer {
            out.emit(Op::LGR, &[Operand::reg(R11), sp])?;
        }
        Ok(())
    }

    /// Restores registers and frees the frame.
    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        for (reg, offset) in floats(layout.saved).zip((layout.save_offset..).step_by(8)) {
            access(out, Op::LD, reg, layout.base, offset)?;
        }
        let bytes = layout.bytes as i32;
        let Some((first, last)) = saved_range(layout) else {
            return if bytes == 0 {
                Ok(())
            } else {
                add(out, R15, bytes)
            };
        };
        let base = layout.base;
        let start = if super::is_reached(bytes + save_place(last)) {
            bytes
        } else {
            add(out, base, bytes)?;
            0
        };
        // Registers that hold global variables are not restored.
        let reserved = out.function.reserved;
        let is_restored = |number: &u16| {
            *number == 11 || *number == 15 || !reserved.contains(UnitSet::unit(*number as u8))
        };
        let mut from = first;
        while from <= last {
            if !is_restored(&from) {
                from += 1;
                continue;
            }
            let to = (from..=last).take_while(is_restored).last().unwrap_or(from);
            let place = Operand::imm(start + save_place(from));
            let [low, high] = [from, to].map(|number| Operand::reg(general(number)));
            if from == to {
                out.emit(Op::LG, &[low, Operand::reg(base), place, Operand::NO_REG])?;
            } else {
                out.emit(Op::LMG, &[low, high, Operand::reg(base), place])?;
            }
            from = to + 1;
        }
        Ok(())
    }

    /// Replaces frame objects by registers and displacements, and expands pseudos that need
    /// registers and frame.
    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        let opcode = out.function.insn(insn).opcode;
        if opcode == Op::PROBED_ALLOCA.into() {
            let &[to, _, bytes, ..] = out.function.operands(insn) else {
                return Err(Error::NotEncoded(opcode));
            };
            allocate(out, insn, to, bytes, layout.outgoing_bytes as i32)?;
            out.function.remove(insn);
            return Ok(());
        }
        if opcode == Op::MEMBARRIER.into() || atomic::expand(out, insn)? {
            out.function.remove(insn);
            return Ok(());
        }
        for number in 0..out.function.operands(insn).len() {
            let operands = out.function.operands(insn);
            let Some(frame) = operands.get(number).and_then(|operand| operand.as_frame()) else {
                continue;
            };
            let displacement = operands.get(number + 1).and_then(|operand| operand.small());
            let offset = out.frame_offset(insn, frame)?;
            let offset = displacement.and_then(|old| old.checked_add(offset));
            let offset = offset.ok_or(Error::TooLarge)?;
            let (reaching, base, offset) = reach(out, opcode, layout.base, offset)?;
            out.function.set_opcode(insn, reaching);
            let operands = out.function.operands_mut(insn);
            if let [address, place, ..] = operands.get_mut(number..).unwrap_or(&mut []) {
                *address = Operand::reg(base);
                *place = Operand::imm(offset);
            }
        }
        Ok(())
    }

    /// Reports the place of each saved register, and returns the register and offset of the
    /// canonical frame address, which is 160 bytes above the caller's stack pointer; `None` if the
    /// frame cannot be unwound.
    fn unwind(
        &self,
        function: &Function<'_>,
        layout: &FrameLayout,
        saved: &mut dyn FnMut(Reg, i32),
    ) -> Option<(Reg, i32)> {
        if function.is_jumped_to || function.reserved.overlaps(UnitSet::unit(14)) {
            return None;
        }
        let area = SAVE_AREA as i32;
        if let Some((first, last)) = saved_range(layout) {
            for number in first..=last {
                saved(general(number), save_place(number) - area);
            }
        }
        let bytes = layout.bytes as i32;
        for (reg, offset) in floats(layout.saved).zip((layout.save_offset..).step_by(8)) {
            saved(reg, offset - bytes - area);
        }
        Some((layout.base, bytes + area))
    }

    /// Returns where a function's frame leads to the caller's.
    fn frame_record(&self, function: &Function<'_>, layout: &FrameLayout) -> Option<FrameRecord> {
        if function.has_dynamic_stack || function.is_jumped_to || !function.has_calls {
            return None;
        }
        Some(FrameRecord {
            caller: layout.bytes,
            return_address: layout.bytes.checked_add_signed(save_place(14))?,
        })
    }
}

/// Returns the first and last general register to save.
fn saved_range(layout: &FrameLayout) -> Option<(u16, u16)> {
    let mut first = lowest_general(layout.saved);
    if layout.has_frame_pointer {
        first = Some(first.map_or(11, |first| first.min(11)));
    }
    let last = if layout.bytes > 0 || layout.has_frame_pointer {
        15
    } else {
        highest_general(layout.saved)?
    };
    Some((first?, last))
}

/// Returns where a register is saved, from the caller's stack pointer.
fn save_place(number: u16) -> i32 {
    i32::from(number) * 8
}

/// Emits `reg += value`; clobbers the condition code.
fn add(out: &mut Emitter<'_, '_>, reg: Reg, value: i32) -> Result<(), Error> {
    let operand = Operand::reg(reg);
    let op = if i16::try_from(value).is_ok() {
        Op::AGHI
    } else {
        Op::AGFI
    };
    out.emit(op, &[operand, operand, Operand::imm(value)])
}

/// Touches the memory at the stack pointer; clobbers the condition code.
fn touch(out: &mut Emitter<'_, '_>) -> Result<(), Error> {
    let operands = [Operand::reg(R15), Operand::imm(0), Operand::imm(0)];
    out.emit(Op::TM, &operands)
}

/// Emits `op reg, offset(base)` for any offset.
fn access(
    out: &mut Emitter<'_, '_>,
    op: Op,
    reg: Reg,
    base: Reg,
    offset: i32,
) -> Result<(), Error> {
    let (op, base, offset) = reach(out, op.into(), base, offset)?;
    let operands = [
        Operand::reg(reg),
        Operand::reg(base),
        Operand::imm(offset),
        Operand::NO_REG,
    ];
    out.emit(op, &operands)
}

/// Returns the form of an instruction, base and displacement that reach a place; the base is r14 if
/// no form does. The code clobbers no other register and no condition code.
fn reach(
    out: &mut Emitter<'_, '_>,
    opcode: Opcode,
    base: Reg,
    offset: i32,
) -> Result<(Opcode, Reg, i32), Error> {
    let is_long = |opcode: Opcode| {
        let row = opcode.row().and_then(|row| INSNS.get(row));
        row.is_some_and(|row| Encoding::of(row.encoding).has_long_displacement())
    };
    if (0..4096).contains(&offset) || is_long(opcode) && super::is_reached(offset) {
        return Ok((opcode, base, offset));
    }
    if let (Some(far), true) = (far_form(opcode), super::is_reached(offset)) {
        return Ok((far.into(), base, offset));
    }
    let (through, none) = (Operand::reg(R14), Operand::NO_REG);
    if super::is_reached(offset) {
        let operands = [through, Operand::reg(base), Operand::imm(offset), none];
        out.emit(Op::LAY, &operands)?;
    } else {
        out.emit(Op::LGFI, &[through, Operand::imm(offset)])?;
        let operands = [through, Operand::reg(base), Operand::imm(0), through];
        out.emit(Op::LA, &operands)?;
    }
    Ok((opcode, R14, 0))
}

/// Lowers the stack pointer by a number of bytes, page by page, and computes the start of the new
/// area; r14 is the counter.
fn allocate(
    out: &mut Emitter<'_, '_>,
    insn: InsnId,
    to: Operand,
    bytes: Operand,
    above: i32,
) -> Result<(), Error> {
    let (count, sp) = (Operand::reg(R14), Operand::reg(R15));
    out.emit(Op::LGR, &[count, bytes])?;
    let again = out.split()?;
    out.emit(Op::CLGFI, &[count, Operand::imm(PAGE as i32)])?;
    out.split()?;
    add(out, R15, -(PAGE as i32))?;
    touch(out)?;
    add(out, R14, -(PAGE as i32))?;
    out.emit(Op::JG, &[Operand::block(again)])?;
    let rest = out.split()?;
    out.go_to(again, None);
    let (all, low) = (Operand::imm(14), Operand::imm(4));
    out.emit(Op::BRCL, &[all, low, Operand::block(rest)])?;
    out.go_to(rest, Some(insn));
    out.emit(Op::SGR, &[sp, sp, count])?;
    let (op, base, offset) = reach(out, Op::LA.into(), R15, above)?;
    let operands = [
        to,
        Operand::reg(base),
        Operand::imm(offset),
        Operand::NO_REG,
    ];
    out.emit(op, &operands)
}
