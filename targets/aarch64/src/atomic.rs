//! The loops that compare-exchanges become when registers are known.

use super::insns::Op;
use super::registers::XZR;
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{InsnId, Opcode, Operand, Reg};

/// The condition "not equal".
const NOT_EQUAL: Operand = Operand::imm(1);

/// The instructions of a loop: load, comparison, store.
pub(crate) type Loop = [Op; 3];

/// Returns the instructions of the loop that a pseudo becomes.
pub(crate) fn loop_of(pseudo: Opcode) -> Option<Loop> {
    let loops = [
        (Op::CMP_SWAP_8, [Op::LDAXRB, Op::SUBSWrs, Op::STLXRB]),
        (Op::CMP_SWAP_16, [Op::LDAXRH, Op::SUBSWrs, Op::STLXRH]),
        (Op::CMP_SWAP_32, [Op::LDAXRW, Op::SUBSWrs, Op::STLXRW]),
        (Op::CMP_SWAP_64, [Op::LDAXRX, Op::SUBSXrs, Op::STLXRX]),
    ];
    let found = loops.into_iter().find(|(op, _)| pseudo == (*op).into());
    found.map(|(_, ops)| ops)
}

/// Expands a compare-exchange: loads until the value is another one than expected or the store
/// succeeds.
pub(crate) fn expand(
    out: &mut Emitter<'_, '_>,
    insn: InsnId,
    [load, compare, store]: Loop,
) -> Result<(), Error> {
    let &[old, scratch, place, expected, new, ..] = out.function.operands(insn) else {
        return Err(Error::NotEncoded(out.function.insn(insn).opcode));
    };
    let [old, scratch, place, expected, new] = [old, scratch, place, expected, new].map(plain);
    let (zero, none) = (Operand::reg(XZR), Operand::imm(0));
    let again = out.split()?;
    out.emit(load, &[old, place])?;
    out.emit(compare, &[zero, old, expected, none])?;
    out.split()?;
    out.emit(store, &[scratch, new, place])?;
    out.emit(Op::CBNZW, &[scratch, Operand::block(again)])?;
    let done = out.split()?;
    out.go_to(again, None);
    out.emit(Op::Bcc, &[NOT_EQUAL, Operand::block(done)])?;
    out.go_to(done, Some(insn));
    Ok(())
}

/// Returns a register without what was said of it at the pseudo: the loop reads it more than once.
fn plain(operand: Operand) -> Operand {
    Operand::reg(operand.as_reg().unwrap_or(Reg::NONE))
}
