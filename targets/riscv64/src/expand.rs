//! Expansion after register allocation and frame layout: frame objects get a register and an
//! offset, pseudos become instructions.

use super::atomic;
use super::frame::{self, load_constant};
use super::insns::Op;
use super::registers::{SCRATCH, is_floating};
use super::target_flags::{HIGH, LOW, TABLE_HIGH};
use mir_nostd::codegen::{Emitter, Error, FrameLayout};
use mir_nostd::machine::{InsnId, Operand, Reg};

/// Replaces a frame object by a register and an offset, or expands a pseudo.
pub(crate) fn resolve(
    out: &mut Emitter<'_, '_>,
    insn: InsnId,
    layout: &FrameLayout,
) -> Result<(), Error> {
    let opcode = out.function.insn(insn).opcode;
    let pseudos = [
        Op::PseudoLI,
        Op::PseudoLLA,
        Op::PseudoLGA,
        Op::PseudoLD,
        Op::PseudoFLD,
        Op::PseudoFLW,
        Op::PROBED_STACKALLOC_DYN,
    ];
    if atomic::expand(out, insn)? {
        out.function.remove(insn);
        return Ok(());
    }
    if let Some(op) = pseudos.into_iter().find(|&op| opcode == op.into()) {
        expand(out, op, insn, layout)?;
        out.function.remove(insn);
        return Ok(());
    }
    let &[value, base, displacement, ..] = out.function.operands(insn) else {
        return Err(Error::NotEncoded(opcode));
    };
    let (Some(frame), Some(more)) = (base.as_frame(), displacement.small()) else {
        return Err(Error::NotEncoded(opcode));
    };
    let offset = out.frame_offset(insn, frame)?.checked_add(more);
    let offset = offset.ok_or(Error::TooLarge)?;
    let (base, offset) = if (-2048..2048).contains(&offset) {
        (layout.base, offset)
    } else {
        far_base(out, value, layout.base, offset)?
    };
    if let [_, place, displacement, ..] = out.function.operands_mut(insn) {
        *place = Operand::reg(base);
        *displacement = Operand::imm(offset);
    }
    Ok(())
}

/// Puts the high part of an offset that is out of reach, plus the base, in a register, and returns
/// that register and the low part. It is the register that the instruction writes, or a scratch
/// register: the other one may be in use around the instruction.
fn far_base(
    out: &mut Emitter<'_, '_>,
    value: Operand,
    base: Reg,
    offset: i32,
) -> Result<(Reg, i32), Error> {
    let [first, second] = SCRATCH;
    let through = match value.as_reg() {
        Some(reg) if value.is_def() && !is_floating(reg) => reg,
        Some(reg) if reg == second => first,
        _ => second,
    };
    let low = offset << 20 >> 20;
    load_constant(out, through, i64::from(offset) - i64::from(low))?;
    let operand = Operand::reg(through);
    out.emit(Op::ADD, &[operand, operand, Operand::reg(base)])?;
    Ok((through, low))
}

fn expand(
    out: &mut Emitter<'_, '_>,
    op: Op,
    insn: InsnId,
    layout: &FrameLayout,
) -> Result<(), Error> {
    let missing = Error::NotEncoded(op.into());
    let operands = out.function.operands(insn);
    let (first, second) = (operands.first().copied(), operands.get(1).copied());
    let third = operands.get(2).copied();
    let first = first.ok_or(missing)?;
    let reg = first.as_reg().ok_or(missing)?;
    if op == Op::PROBED_STACKALLOC_DYN {
        let to = second.and_then(Operand::as_reg);
        return frame::allocate(out, insn, to, first, layout);
    }
    let second = second.ok_or(missing)?;
    let near = Operand::reg(reg);
    match op {
        Op::PseudoLI => {
            let value = out.immediate(second).ok_or(missing)?;
            load_constant(out, reg, value)
        }
        Op::PseudoLLA | Op::PseudoLD | Op::PseudoLGA => {
            let low = if op == Op::PseudoLLA {
                Op::ADDI
            } else {
                Op::LD
            };
            let flag = if op == Op::PseudoLGA {
                TABLE_HIGH
            } else {
                HIGH
            };
            out.emit(Op::AUIPC, &[near, second.flagged(flag)])?;
            out.emit(low, &[near, near, second.flagged(LOW)])
        }
        _ => {
            let low = if op == Op::PseudoFLD {
                Op::FLD
            } else {
                Op::FLW
            };
            let place = third.ok_or(missing)?;
            out.emit(Op::AUIPC, &[near, place.flagged(HIGH)])?;
            out.emit(low, &[second, near, place.flagged(LOW)])
        }
    }
}
