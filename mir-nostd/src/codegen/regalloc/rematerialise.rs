//! Rematerialisation: an instruction whose sources never change (constants, addresses of frame
//! objects and symbols) can be repeated where its result is read, so that the value needs neither a
//! register until there nor a frame object (Briggs, Cooper and Torczon, "Rematerialization", 1992;
//! here each value has a single such definition, so no data-flow problem is solved).

use crate::machine::{Function, InsnId, Operand, OperandFlags, Reg, SubIndex};
use crate::target::RegisterFile;
use crate::target::error::{Error, Phase};

/// Replaces a virtual register in an operand by a physical one, or by the part of it that the
/// operand's subregister index names.
pub(crate) fn put(registers: &RegisterFile, operand: &mut Operand, reg: Reg) {
    let sub = operand.sub();
    *operand = operand.on(reg);
    if sub != SubIndex(0) {
        let part = registers.part(reg, sub);
        *operand = operand.on(part).part(SubIndex(0));
    }
    if operand.is_def() {
        // On a definition the flag says that the rest of the virtual register is undefined, which
        // has no meaning for a physical one.
        *operand = operand.without(OperandFlags::UNDEF);
    }
}

/// Rematerialises the result of `insn` in a register, before another instruction.
pub(crate) fn make_again(
    function: &mut Function<'_>,
    registers: &RegisterFile,
    insn: InsnId,
    to: Reg,
    before: InsnId,
) -> Result<InsnId, Error> {
    let row = *function.insn(insn);
    let block = function.insn(before).block();
    let given = function.operands(insn);
    let mut operands = [Operand::NO_REG; MOST];
    let operands = operands.get_mut(..given.len());
    let operands = operands.ok_or(Phase::Allocation.internal(Some(insn)))?;
    operands.copy_from_slice(given);
    if let Some(result) = operands.first_mut() {
        put(registers, result, to);
    }
    Ok(function.insert(block, Some(before), row.opcode, row.ty, operands)?)
}

/// The most operands of an instruction that is rematerialised.
const MOST: usize = 8;
