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
    let is_masked = opcode == Op::PseudoMaskedCmpXchg32.into();
    let is_word = is_masked || opcode == Op::PseudoCmpXchg32.into();
    if !is_word && opcode != Op::PseudoCmpXchg64.into() {
        return Ok(false);
    }
    let &[old, scratch, place, expected, new, more, ..] = out.function.operands(insn) else {
        return Err(Error::NotEncoded(opcode));
    };
    let [old, scratch, place, expected, new] = [old, scratch, place, expected, new].map(plain);
    let order = out.function.operands(insn).get(5 + usize::from(is_masked));
    let order = order.and_then(|order| order.as_order());
    let (load, store) = of_order(order.ok_or(Error::NotEncoded(opcode))?, is_word);
    let zero = Operand::reg(ZERO);
    let again = out.split()?;
    out.emit(load, &[old, place])?;
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
    out.emit(store, &[scratch, stored, place])?;
    out.emit(Op::BNE, &[scratch, zero, Operand::block(again)])?;
    let done = out.split()?;
    out.go_to(again, None);
    out.emit(Op::BNE, &[seen, expected, Operand::block(done)])?;
    out.go_to(done, Some(insn));
    Ok(true)
}

/// Returns the load and the store for an order, as table A.6 of the manual's explanation of its
/// memory model has them.
fn of_order(order: Order, is_word: bool) -> (Op, Op) {
    let loads = match order {
        Order::Relaxed | Order::Release => [Op::LR_D, Op::LR_W],
        Order::Acquire | Order::AcqRel => [Op::LR_D_AQ, Op::LR_W_AQ],
        Order::SeqCst => [Op::LR_D_AQRL, Op::LR_W_AQRL],
    };
    let stores = match order.releases() {
        false => [Op::SC_D, Op::SC_W],
        true => [Op::SC_D_RL, Op::SC_W_RL],
    };
    let of_size = |[whole, word]: [Op; 2]| if is_word { word } else { whole };
    (of_size(loads), of_size(stores))
}

/// Returns a register without what was said of it at the pseudo: the loop reads it more than once.
fn plain(operand: Operand) -> Operand {
    Operand::reg(operand.as_reg().unwrap_or(Reg::NONE))
}
