//! The loops that compare-exchanges become when registers are known. They have the form for which
//! the manual promises that some store succeeds in the end.

use super::insns::Op;
use super::registers::ZERO;
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::ir::Order;
use mir_nostd::machine::{InsnId, Operand, Reg};

/// Expands a compare-exchange: loads until the value is another one than expected or the store
/// succeeds. Returns whether the instruction is one.
pub(crate) fn expand(out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<bool, Error> {
    let opcode = out.function.insn(insn).opcode;
    let (load, store, is_masked) = match opcode {
        _ if opcode == Op::PseudoCmpXchg64.into() => {
            ([Op::LR_D, Op::LR_D_AQRL], [Op::SC_D, Op::SC_D_RL], false)
        }
        _ if opcode == Op::PseudoCmpXchg32.into() => {
            ([Op::LR_W, Op::LR_W_AQRL], [Op::SC_W, Op::SC_W_RL], false)
        }
        _ if opcode == Op::PseudoMaskedCmpXchg32.into() => {
            ([Op::LR_W, Op::LR_W_AQRL], [Op::SC_W, Op::SC_W_RL], true)
        }
        _ => return Ok(false),
    };
    let &[old, scratch, place, expected, new, more, ..] = out.function.operands(insn) else {
        return Err(Error::NotEncoded(opcode));
    };
    let [old, scratch, place, expected, new] = [old, scratch, place, expected, new].map(plain);
    let order = out.function.operands(insn).get(5 + usize::from(is_masked));
    let order = order.and_then(|order| order.small());
    let is_ordered = usize::from(order != Some(Order::Relaxed as i32));
    let zero = Operand::reg(ZERO);
    let again = out.split()?;
    out.emit(load[is_ordered], &[old, place])?;
    let mut seen = old;
    if is_masked {
        out.emit(Op::AND, &[scratch, old, plain(more)])?;
        seen = scratch;
    }
    out.split()?;
    let mut stored = new;
    if is_masked {
        // The bits that are not meant stay.
        out.emit(Op::XOR, &[scratch, old, expected])?;
        out.emit(Op::OR, &[scratch, scratch, new])?;
        stored = scratch;
    }
    out.emit(store[is_ordered], &[scratch, stored, place])?;
    out.emit(Op::BNE, &[scratch, zero, Operand::block(again)])?;
    let done = out.split()?;
    out.go_to(again, None);
    out.emit(Op::BNE, &[seen, expected, Operand::block(done)])?;
    out.go_to(done, Some(insn));
    Ok(true)
}

/// Returns a register without what was said of it at the pseudo: the loop reads it more than once.
fn plain(operand: Operand) -> Operand {
    Operand::reg(operand.as_reg().unwrap_or(Reg::NONE))
}
