//! The stack frame, from the top: return address; saved registers; frame objects; area for outgoing
//! arguments, at which the stack pointer points. Nothing is ever kept below the stack pointer.
//!
//! Frame objects are addressed from the stack pointer. Only where the function moves that, rbp is
//! saved below the return address, points to where it was saved, and is what they are addressed
//! from; else rbp is allocated as the other callee-saved registers are.

use super::insns::Op;
use super::isa::Backend;
use super::registers::{R11, RAX, RBP, RSP, saved_register};
use mir_nostd::codegen::{Emitter, Error, FrameLayout, FrameRecord};
use mir_nostd::machine::{BlockId, Function, InsnId, Operand, OperandFlags, Reg, UnitSet};
use mir_nostd::target::FrameLowering;

/// Condition codes as jumps encode them.
const BELOW: i32 = 2;
const NOT_EQUAL: i32 = 5;

/// The size of a page: larger frames touch each page.
const PAGE: u32 = 4096;

impl FrameLowering for Backend {
    /// Decides where the objects of a frame lie.
    fn lay_out_frame(
        &self,
        function: &mut Function<'_>,
        saved: UnitSet,
    ) -> Result<FrameLayout, Error> {
        let has_frame_pointer = function.has_dynamic_stack;
        // Offsets count from below the return address and 8 bytes more, where the frame pointer
        // points if there is one. This is its distance from a multiple of 16.
        let bias = if function.is_jumped_to { 8 } else { 0 };
        let pushed = 8 * saved.iter().count() as i64;
        let first = if has_frame_pointer { 0 } else { 8 };
        let mut end = first - pushed;
        // Small objects lie nearest to the register that references go through, where a
        // displacement of one byte reaches them.
        for is_small in [has_frame_pointer, !has_frame_pointer] {
            end = FrameLayout::place_down(function, end, is_small, (16 - bias, bias))?;
        }
        let outgoing_bytes = function.outgoing_bytes;
        let depth = (i64::from(outgoing_bytes) - end - bias + 15) / 16 * 16 + bias;
        let from_base = if has_frame_pointer { 0 } else { depth };
        for object in function.frame.values_mut() {
            let offset = i64::from(object.offset) + from_base;
            object.offset = i32::try_from(offset).map_err(|_| Error::TooLarge)?;
        }
        let is_needed =
            !function.frame.is_empty() || function.has_calls || function.has_dynamic_stack;
        let bytes = if is_needed { depth + first - pushed } else { 0 };
        Ok(FrameLayout {
            base: if has_frame_pointer { RBP } else { RSP },
            bytes: u32::try_from(bytes).map_err(|_| Error::TooLarge)?,
            saved,
            save_offset: -8,
            outgoing_bytes,
            has_frame_pointer,
        })
    }

    /// Saves registers and allocates the frame.
    fn prologue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        if layout.has_frame_pointer {
            out.emit(Op::PUSH64r, &[Operand::reg(RBP)])?;
            out.emit(Op::MOV64rr, &[Operand::reg(RBP), Operand::reg(RSP)])?;
        }
        for unit in layout.saved.iter() {
            out.emit(Op::PUSH64r, &[Operand::reg(saved_register(unit))])?;
        }
        let (pages, rest) = (layout.bytes / PAGE, layout.bytes % PAGE);
        if pages > 4 {
            // The loop goes down page by page.
            lea(out, R11, RSP, -((pages * PAGE) as i32))?;
            let again = out.split()?;
            change(out, Op::SUB64ri32, RSP, PAGE)?;
            touch(out)?;
            out.emit(Op::CMP64rr, &[Operand::reg(RSP), Operand::reg(R11)])?;
            jump_if(out, NOT_EQUAL, again)?;
            out.split()?;
        } else {
            for _ in 0..pages {
                change(out, Op::SUB64ri32, RSP, PAGE)?;
                touch(out)?;
            }
        }
        if rest != 0 {
            change(out, Op::SUB64ri32, RSP, rest)?;
        }
        Ok(())
    }

    /// Restores registers and frees the frame.
    fn epilogue(&self, out: &mut Emitter<'_, '_>, layout: &FrameLayout) -> Result<(), Error> {
        if out.function.has_dynamic_stack {
            let pushed = 8 * layout.saved.iter().count() as i32;
            lea(out, RSP, RBP, -pushed)?;
        } else if layout.bytes != 0 {
            change(out, Op::ADD64ri32, RSP, layout.bytes)?;
        }
        let mut left = layout.saved;
        while let Some(unit) = left.iter().last() {
            out.emit(Op::POP64r, &[Operand::reg(saved_register(unit))])?;
            left = left.without(UnitSet::unit(unit));
        }
        if layout.has_frame_pointer {
            out.emit(Op::POP64r, &[Operand::reg(RBP)])?;
        }
        Ok(())
    }

    /// Replaces frame objects by the stack or frame pointer, and expands pseudos that need
    /// registers and frame.
    fn resolve_frame(
        &self,
        out: &mut Emitter<'_, '_>,
        insn: InsnId,
        layout: &FrameLayout,
    ) -> Result<(), Error> {
        let opcode = out.function.insn(insn).opcode;
        if opcode == Op::MEMBARRIER.into() {
            out.function.remove(insn);
            return Ok(());
        }
        for op in [
            Op::MOV32r0,
            Op::FsFLD0SS,
            Op::FsFLD0SD,
            Op::PROBED_ALLOCA_64,
        ] {
            if opcode == op.into() {
                expand(out, op, insn, layout)?;
                out.function.remove(insn);
                return Ok(());
            }
        }
        for number in 0..out.function.operands(insn).len() {
            let operands = out.function.operands(insn);
            let Some(frame) = operands.get(number).and_then(|operand| operand.as_frame()) else {
                continue;
            };
            let offset = out.frame_offset(insn, frame)?;
            let operands = out.function.operands_mut(insn);
            let displacement = operands.get(number + 3).and_then(|operand| operand.small());
            let displacement = displacement.and_then(|old| old.checked_add(offset));
            let displacement = displacement.ok_or(Error::TooLarge)?;
            if let [base, _, _, place, ..] = operands.get_mut(number..).unwrap_or(&mut []) {
                *base = Operand::reg(layout.base);
                *place = Operand::imm(displacement);
            }
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
        let mut depth = 8;
        if layout.has_frame_pointer {
            depth += 8;
            saved(RBP, -depth);
        }
        for unit in layout.saved.iter() {
            depth += 8;
            saved(saved_register(unit), -depth);
        }
        Some(if layout.has_frame_pointer {
            (RBP, 16)
        } else {
            (RSP, depth + layout.bytes as i32)
        })
    }

    /// Returns where a function's frame leads to the caller's.
    fn frame_record(&self, function: &Function<'_>, layout: &FrameLayout) -> Option<FrameRecord> {
        if function.is_jumped_to || function.has_dynamic_stack {
            return None;
        }
        let pushed = layout.saved.iter().count() + usize::from(layout.has_frame_pointer);
        let return_address = layout.bytes + 8 * pushed as u32;
        Some(FrameRecord {
            caller: return_address + 8,
            return_address,
        })
    }
}

/// Returns a memory operand without index.
pub(crate) fn memory(base: Reg, displacement: i32) -> [Operand; 5] {
    [
        Operand::reg(base),
        Operand::imm(1),
        Operand::NO_REG,
        Operand::imm(displacement),
        Operand::NO_REG,
    ]
}

/// Emits `reg = reg op value`.
fn change(out: &mut Emitter<'_, '_>, op: Op, reg: Reg, value: u32) -> Result<(), Error> {
    let operand = Operand::reg(reg);
    out.emit(op, &[operand, operand, Operand::imm(value as i32)])
}

/// Emits `lea to, [base + displacement]`.
fn lea(out: &mut Emitter<'_, '_>, to: Reg, base: Reg, displacement: i32) -> Result<(), Error> {
    let [base, scale, index, displacement, segment] = memory(base, displacement);
    out.emit(
        Op::LEA64r,
        &[Operand::reg(to), base, scale, index, displacement, segment],
    )
}

/// Touches the memory at the stack pointer.
fn touch(out: &mut Emitter<'_, '_>) -> Result<(), Error> {
    let [base, scale, index, displacement, segment] = memory(RSP, 0);
    let operands = [base, scale, index, displacement, segment, Operand::imm(0)];
    out.emit(Op::OR64mi32, &operands)
}

/// Emits a jump that is taken if the condition is met.
fn jump_if(out: &mut Emitter<'_, '_>, condition: i32, to: BlockId) -> Result<(), Error> {
    out.emit(Op::JCC_4, &[Operand::block(to), Operand::imm(condition)])
}

fn expand(
    out: &mut Emitter<'_, '_>,
    op: Op,
    insn: InsnId,
    layout: &FrameLayout,
) -> Result<(), Error> {
    let operands = out.function.operands(insn);
    let Some(&to) = operands.first() else {
        return Err(Error::NotEncoded(op.into()));
    };
    let from = operands.get(1).copied().unwrap_or(to);
    let undefined = to.without(OperandFlags::DEF).with(OperandFlags::UNDEF);
    match op {
        Op::MOV32r0 => out.emit(Op::XOR32rr, &[to, undefined, undefined]),
        Op::PROBED_ALLOCA_64 => {
            let to = to.as_reg().unwrap_or(RAX);
            allocate(out, insn, to, from, layout.outgoing_bytes as i32)
        }
        _ => out.emit(Op::XORPSrr, &[to, undefined, undefined]),
    }
}

/// Lowers the stack pointer by a number of bytes, page by page, and computes the start of the new
/// area.
fn allocate(
    out: &mut Emitter<'_, '_>,
    insn: InsnId,
    to: Reg,
    bytes: Operand,
    above: i32,
) -> Result<(), Error> {
    let rax = Operand::reg(RAX);
    if bytes.as_reg() != Some(RAX) {
        out.emit(Op::MOV64rr, &[rax, bytes])?;
    }
    let again = out.split()?;
    out.emit(Op::CMP64ri32, &[rax, Operand::imm(PAGE as i32)])?;
    out.split()?;
    change(out, Op::SUB64ri32, RSP, PAGE)?;
    touch(out)?;
    change(out, Op::SUB64ri32, RAX, PAGE)?;
    out.emit(Op::JMP_4, &[Operand::block(again)])?;
    let rest = out.split()?;
    out.go_to(again, None);
    jump_if(out, BELOW, rest)?;
    out.go_to(rest, Some(insn));
    let rsp = Operand::reg(RSP);
    out.emit(Op::SUB64rr, &[rsp, rsp, rax])?;
    lea(out, to, RSP, above)
}
