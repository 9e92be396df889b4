//! The loop that a compare-exchange of a part of a word becomes when registers are known.

use super::insns::Op;
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{InsnId, Operand, Reg};

/// The mask of possible condition codes of comparisons, and that of "not equal".
const COMPARED: Operand = Operand::imm(14);
const NOT_EQUAL: Operand = Operand::imm(6);
/// The condition code after a compare-and-swap that found another value.
const SWAPPED: Operand = Operand::imm(12);
const NOT_SWAPPED: Operand = Operand::imm(4);

/// Expands a compare-exchange: tries to replace the word as long as its other bits change. Returns
/// whether the instruction is one.
pub(crate) fn expand(out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<bool, Error> {
    let opcode = out.function.insn(insn).opcode;
    if opcode != Op::ATOMIC_CMP_SWAPW.into() {
        return Ok(false);
    }
    let &[old, scratch, place, expected, new, mask, ..] = out.function.operands(insn) else {
        return Err(Error::NotEncoded(opcode));
    };
    let operands = [old, scratch, place, expected, new, mask].map(plain);
    let [old, scratch, place, expected, new, mask] = operands;
    let none = Operand::imm(0);
    out.emit(Op::LY, &[old, place, none, Operand::NO_REG])?;
    let again = out.split()?;
    out.emit(Op::NRK, &[scratch, old, mask])?;
    out.emit(Op::CR, &[scratch, expected])?;
    out.split()?;
    // The bits that are not meant stay.
    out.emit(Op::XRK, &[scratch, old, scratch])?;
    out.emit(Op::ORK, &[scratch, scratch, new])?;
    out.emit(Op::CSY, &[old, old, scratch, place, none])?;
    out.emit(Op::BRCL, &[SWAPPED, NOT_SWAPPED, Operand::block(again)])?;
    let done = out.split()?;
    out.go_to(again, None);
    out.emit(Op::BRCL, &[COMPARED, NOT_EQUAL, Operand::block(done)])?;
    out.go_to(done, Some(insn));
    Ok(true)
}

/// Returns a register without what was said of it at the pseudo: the loop reads it more than once.
fn plain(operand: Operand) -> Operand {
    Operand::reg(operand.as_reg().unwrap_or(Reg::NONE))
}
