//! The stack frame, from the top: stored argument registers of variadic functions, saved registers,
//! frame objects, area for outgoing arguments, at which the stack pointer points. Nothing is ever
//! kept below the stack pointer.
//!
//! Frame references go through the stack pointer; only functions in which it moves have a frame
//! pointer, which points to the frame's top.

use super::constant::steps;
use super::expand;
use super::insns::Op;
use super::isa::Backend;
use super::registers::{self, FP, RA, RA_UNIT, SCRATCH, SP, ZERO, saved_register};
use mir_nostd::codegen::{Emitter, Error, FrameLayout, FrameRecord};
use mir_nostd::machine::{FrameKind, Function, InsnId, Operand, Reg, UnitSet};
use mir_nostd::target::FrameLowering;

/// The size of a page: larger frames touch each page.
const PAGE: i32 = 4096;

/// The maximum distance of the first step of the stack pointer: all saved registers are in reach
/// after it.
const FIRST_STEP: u32 = 2032;

/// The maximum number of pages that are touched without a loop.
const MOST_TOUCHES: i32 = 4;

impl FrameLowering for Backend {
    /// Decides where the objects of a frame lie.
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        saved: UnitSet,
    ) -> Result<FrameLayout, Error> {
        let is_tied = function.reserved.overlaps(RA_UNIT);
        let saved = if function.has_calls || is_tied {
            saved.union(RA_UNIT)
        } else {
            saved.without(RA_UNIT)
        };
        let has_frame_pointer = function.has_dynamic_stack;
        let image = image_bytes(function);
        let count = saved.iter().count() as i64 + i64::from(has_frame_pointer);
        let mut end = -i64::from(image) - 8 * count;
        // Small objects lie nearest to the register that references go through.
        for is_small in [has_frame_pointer, !has_frame_pointer] {
            end = FrameLayout::place_down(function, end, is_small, (0, 0))?;
        }
        let outgoing_bytes = function.outgoing_bytes;
        let bytes = (i64::from(outgoing_bytes) - end + 15) / 16 * 16;
        let from_base = if has_frame_pointer { 0 } else { bytes };
        for object in function.frame.values_mut() {
            let offset = i64::from(object.offset) + from_base;
            object.offset = i32::try_from(offset).map_err(|_| Error::TooLarge)?;
        }
        Ok(FrameLayout {
            base: if has_frame_pointer { FP } else { SP },
            bytes: u32::try_from(bytes).map_err(|_| Error::TooLarge)?,
            saved,
            save_offset: -(image.cast_signed()) - 8,
            outgoing_bytes,
            has_frame_pointer,
        })
    }

    /// Makes the frame and saves registers.
    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        let first = first_step(layout);
        move_stack(out, -first)?;
        transfer(out, layout, [Op::SD, Op::FSD])?;
        if layout.has_frame_pointer {
            add(out, FP, SP, first)?;
        }
        let rest = layout.bytes as i32 - first;
        let (pages, rest) = (rest / PAGE, rest % PAGE);
        let [step, end] = SCRATCH;
        if pages > MOST_TOUCHES {
            let sp = Operand::reg(SP);
            load_constant(out, end, -i64::from(pages * PAGE))?;
            out.emit(Op::ADD, &[Operand::reg(end), Operand::reg(end), sp])?;
            out.emit(Op::LUI, &[Operand::reg(step), Operand::imm(1)])?;
            // The loop goes down page by page.
            let again = out.split()?;
            out.emit(Op::SUB, &[sp, sp, Operand::reg(step)])?;
            touch(out)?;
            out.emit(Op::BNE, &[sp, Operand::reg(end), Operand::block(again)])?;
            out.split()?;
        } else {
            for _ in 0..pages {
                move_stack(out, -PAGE)?;
                touch(out)?;
            }
        }
        move_stack(out, -rest)
    }

    /// Restores registers and frees the frame.
    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        let first = first_step(layout);
        if layout.has_frame_pointer {
            add(out, SP, FP, -first)?;
        } else {
            move_stack(out, layout.bytes as i32 - first)?;
        }
        transfer(out, layout, [Op::LD, Op::FLD])?;
        move_stack(out, first)
    }

    /// Reports the place of each saved register, and returns the register and offset of the
    /// canonical frame address; `None` if the frame cannot be unwound.
    fn unwind(
        &self,
        function: &Function<'_>,
        layout: &FrameLayout,
        saved: &mut dyn FnMut(Reg, i32),
    ) -> Option<(Reg, i32)> {
        if function.is_jumped_to || function.reserved.overlaps(RA_UNIT) {
            return None;
        }
        let frame_pointer = layout.has_frame_pointer.then_some(FP);
        let registers = layout.saved.iter().map(saved_register);
        for (number, reg) in (0..).zip(registers.chain(frame_pointer)) {
            saved(reg, layout.save_offset - 8 * number);
        }
        Some(if layout.has_frame_pointer {
            (FP, 0)
        } else {
            (SP, layout.bytes as i32)
        })
    }

    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        expand::resolve(out, insn, layout)
    }

    /// Returns where a function's frame leads to the caller's.
    fn frame_record(&self, function: &Function<'_>, layout: &FrameLayout) -> Option<FrameRecord> {
        if function.has_dynamic_stack || !function.has_calls {
            return None;
        }
        let mut place = None;
        self.unwind(function, layout, &mut |reg, offset| {
            if reg == RA {
                place = layout.bytes.checked_add_signed(offset);
            }
        })?;
        Some(FrameRecord {
            caller: layout.bytes,
            return_address: place?,
        })
    }
}

/// Returns the number of bytes directly below the stack arguments that hold argument registers of a
/// variadic function.
fn image_bytes(function: &Function<'_>) -> u32 {
    let depths = function
        .frame
        .values()
        .iter()
        .map(|object| match object.kind {
            FrameKind::Incoming(at) if at < 0 => at.unsigned_abs(),
            _ => 0,
        });
    depths.max().unwrap_or(0).next_multiple_of(16)
}

/// `to = from + value`, for values of 12 bits.
pub(crate) fn add(out: &mut Emitter<'_, '_>, to: Reg, from: Reg, value: i32) -> Result<(), Error> {
    let operands = [Operand::reg(to), Operand::reg(from), Operand::imm(value)];
    out.emit(Op::ADDI, &operands)
}

/// `to` = an integer.
pub(crate) fn load_constant(out: &mut Emitter<'_, '_>, to: Reg, value: i64) -> Result<(), Error> {
    let to = Operand::reg(to);
    let mut from = Operand::reg(ZERO);
    for step in &steps(value) {
        let value = Operand::imm(step.value);
        match step.op {
            Op::LUI => out.emit(Op::LUI, &[to, value])?,
            op => out.emit(op, &[to, from, value])?,
        }
        from = to;
    }
    Ok(())
}

/// Moves the stack pointer by any distance; a long distance goes through a scratch register.
fn move_stack(out: &mut Emitter<'_, '_>, distance: i32) -> Result<(), Error> {
    if distance == 0 {
        return Ok(());
    }
    if (-2048..2048).contains(&distance) {
        return add(out, SP, SP, distance);
    }
    let [_, scratch] = SCRATCH;
    load_constant(out, scratch, i64::from(distance))?;
    let sp = Operand::reg(SP);
    out.emit(Op::ADD, &[sp, sp, Operand::reg(scratch)])
}

/// Touches the memory at the stack pointer.
fn touch(out: &mut Emitter<'_, '_>) -> Result<(), Error> {
    let operands = [Operand::reg(ZERO), Operand::reg(SP), Operand::imm(0)];
    out.emit(Op::SD, &operands)
}

/// Returns the number of bytes that the first instruction of the prologue allocates.
const fn first_step(layout: &FrameLayout) -> i32 {
    if layout.bytes < FIRST_STEP {
        layout.bytes as i32
    } else {
        FIRST_STEP as i32
    }
}

/// Loads or stores all saved registers, relative to the stack pointer after the first step.
fn transfer(out: &mut Emitter<'_, '_>, layout: &FrameLayout, ops: [Op; 2]) -> Result<(), Error> {
    let frame_pointer = layout.has_frame_pointer.then_some(FP);
    let is_tied = out.function.reserved.overlaps(RA_UNIT);
    let saved = layout.saved.iter().map(saved_register);
    let mut offset = first_step(layout) + layout.save_offset;
    for reg in saved.chain(frame_pointer) {
        let [general, floating] = ops;
        let op = if registers::is_floating(reg) {
            floating
        } else {
            general
        };
        // If the return address register holds a global variable, the function returns by another
        // register.
        let reg = if is_tied && reg == RA && op == Op::LD {
            SCRATCH[1]
        } else {
            reg
        };
        let operands = [Operand::reg(reg), Operand::reg(SP), Operand::imm(offset)];
        out.emit(op, &operands)?;
        offset -= 8;
    }
    Ok(())
}

/// Lowers the stack pointer to an address, page by page, and writes the start of the new area to
/// `to`.
pub(crate) fn allocate(
    out: &mut Emitter<'_, '_>,
    insn: InsnId,
    to: Option<Reg>,
    below: Operand,
    layout: &FrameLayout,
) -> Result<(), Error> {
    let [first, second] = SCRATCH;
    let is_first = below.as_reg() == Some(first);
    let scratch = Operand::reg(if is_first { second } else { first });
    let sp = Operand::reg(SP);
    let zero = Operand::imm(0);
    // The loop takes a page more as long as that does not go below the address.
    let again = out.split()?;
    out.emit(Op::LUI, &[scratch, Operand::imm(1)])?;
    out.emit(Op::SUB, &[scratch, sp, scratch])?;
    out.split()?;
    out.emit(Op::ADDI, &[sp, scratch, zero])?;
    touch(out)?;
    out.emit(Op::PseudoBR, &[Operand::block(again)])?;
    let rest = out.split()?;
    out.go_to(again, None);
    out.emit(Op::BLTU, &[scratch, below, Operand::block(rest)])?;
    out.go_to(rest, Some(insn));
    out.emit(Op::ADDI, &[sp, below, zero])?;
    let Some(to) = to else {
        return Ok(());
    };
    let outgoing = layout.outgoing_bytes as i32;
    if outgoing < 2048 {
        return add(out, to, SP, outgoing);
    }
    load_constant(out, to, i64::from(outgoing))?;
    out.emit(Op::ADD, &[Operand::reg(to), Operand::reg(to), sp])
}
