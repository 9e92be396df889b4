//! The loops that compare-exchanges become when registers are known.

use super::insns::Op;
use super::registers::{CR0, ZERO8};
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::machine::{InsnId, Operand, Reg};

/// The predicate "not equal" of a branch, in LLVM's form.
const NOT_EQUAL: Operand = Operand::imm(2 << 5 | 4);

/// Expands a compare-exchange: loads until the value is another one than expected or the store
/// succeeds. Returns whether the instruction is one.
pub(crate) fn expand(out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<bool, Error> {
    let opcode = out.function.insn(insn).opcode;
    let loops = [
        (Op::ATOMIC_CMP_SWAP_I8, [Op::LBARX, Op::CMPW, Op::STBCX]),
        (Op::ATOMIC_CMP_SWAP_I16, [Op::LHARX, Op::CMPW, Op::STHCX]),
        (Op::ATOMIC_CMP_SWAP_I32, [Op::LWARX, Op::CMPW, Op::STWCX]),
        (Op::ATOMIC_CMP_SWAP_I64, [Op::LDARX, Op::CMPD, Op::STDCX]),
    ];
    let found = loops.into_iter().find(|(op, _)| opcode == (*op).into());
    let Some((_, [load, compare, store])) = found else {
        return Ok(false);
    };
    let &[old, place, expected, new, ..] = out.function.operands(insn) else {
        return Err(Error::NotEncoded(opcode));
    };
    let [old, place, expected, new] = [old, place, expected, new].map(plain);
    let (zero, field) = (Operand::reg(ZERO8), Operand::reg(CR0));
    let again = out.split()?;
    out.emit(load, &[old, zero, place])?;
    out.emit(compare, &[field, old, expected])?;
    out.split()?;
    out.emit(store, &[new, zero, place])?;
    out.emit(Op::BCC, &[NOT_EQUAL, field, Operand::block(again)])?;
    let done = out.split()?;
    out.go_to(again, None);
    out.emit(Op::BCC, &[NOT_EQUAL, field, Operand::block(done)])?;
    out.go_to(done, Some(insn));
    Ok(true)
}

/// Returns a register without what was said of it at the pseudo: the loop reads it more than once.
fn plain(operand: Operand) -> Operand {
    Operand::reg(operand.as_reg().unwrap_or(Reg::NONE))
}
