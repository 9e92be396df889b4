//! The loops that compare-exchanges become when registers are known.

use super::insns::Op;
use super::registers::XZR;
use mir_nostd::codegen::{Emitter, Error};
use mir_nostd::ir::Order;
use mir_nostd::machine::{InsnId, Opcode, Operand, Reg};

/// The condition "not equal".
const NOT_EQUAL: Operand = Operand::imm(1);

/// The instructions of a loop: load, comparison, store. Loads and stores are those that order
/// nothing, and those that acquire and release.
type Loop = ([Op; 2], Op, [Op; 2]);

/// Returns the instructions of the loop that a pseudo becomes.
fn loop_of(pseudo: Opcode) -> Option<Loop> {
    use Op::{
        CMP_SWAP_8, CMP_SWAP_16, CMP_SWAP_32, CMP_SWAP_64, LDAXRB, LDAXRH, LDAXRW, LDAXRX, LDXRB,
        LDXRH, LDXRW, LDXRX, STLXRB, STLXRH, STLXRW, STLXRX, STXRB, STXRH, STXRW, STXRX, SUBSWrs,
        SUBSXrs,
    };
    let loops = [
        (CMP_SWAP_8, ([LDXRB, LDAXRB], SUBSWrs, [STXRB, STLXRB])),
        (CMP_SWAP_16, ([LDXRH, LDAXRH], SUBSWrs, [STXRH, STLXRH])),
        (CMP_SWAP_32, ([LDXRW, LDAXRW], SUBSWrs, [STXRW, STLXRW])),
        (CMP_SWAP_64, ([LDXRX, LDAXRX], SUBSXrs, [STXRX, STLXRX])),
    ];
    let found = loops.into_iter().find(|(op, _)| pseudo == (*op).into());
    found.map(|(_, ops)| ops)
}

/// Expands a compare-exchange: loads until the value is another one than expected or the store
/// succeeds. Returns whether the instruction is one.
pub(crate) fn expand(out: &mut Emitter<'_, '_>, insn: InsnId) -> Result<bool, Error> {
    let opcode = out.function.insn(insn).opcode;
    let Some((loads, compare, stores)) = loop_of(opcode) else {
        return Ok(false);
    };
    let &[old, scratch, place, expected, new, order, ..] = out.function.operands(insn) else {
        return Err(Error::NotEncoded(opcode));
    };
    let order = order.as_order().ok_or(Error::NotEncoded(opcode))?;
    let (load, store) = of_order(order, loads, stores);
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
    Ok(true)
}

/// Returns the load and the store for an order.
fn of_order(order: Order, [load, acquire]: [Op; 2], [store, release]: [Op; 2]) -> (Op, Op) {
    order.choose([
        (load, store),
        (acquire, store),
        (load, release),
        (acquire, release),
    ])
}

/// Returns a register without what was said of it at the pseudo: the loop reads it more than once.
fn plain(operand: Operand) -> Operand {
    Operand::reg(operand.as_reg().unwrap_or(Reg::NONE))
}
