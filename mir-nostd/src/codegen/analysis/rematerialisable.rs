//! Instructions whose result can be rematerialised anywhere.

use crate::machine::{Function, Opcode, Operand, OperandFlags, SubIndex};
use crate::target::{InsnFlags, Isa};

/// Returns whether a target instruction with these operands computes the same value wherever it
/// stands and costs no more than a load.
pub(crate) fn is_fixed(
    function: &Function<'_>,
    isa: &dyn Isa,
    opcode: Opcode,
    operands: &[Operand],
) -> bool {
    let Some((result, sources)) = operands.split_first() else {
        return false;
    };
    // The condition that most instructions fail comes first.
    if !sources.iter().all(|&source| is_fixed_source(isa, source)) {
        return false;
    }
    let Some(row) = opcode.row().and_then(|row| isa.insns().get(row)) else {
        return false;
    };
    let is_whole = result.sub() == SubIndex(0) || result.flags().contains(OperandFlags::UNDEF);
    let is_implicit = result.flags().contains(OperandFlags::IMPLICIT);
    if !result.is_def() || !is_whole || is_implicit || result.tied().is_some() {
        return false;
    }
    let reads_constant = sources.iter().any(|source| source.as_constant().is_some());
    let allowed = if reads_constant {
        InsnFlags::PSEUDO
            .union(InsnFlags::REMATERIALIZABLE)
            .union(InsnFlags::LOAD)
    } else {
        InsnFlags::PSEUDO.union(InsnFlags::REMATERIALIZABLE)
    };
    let is_address = |&source: &Operand| {
        source.as_frame().is_some()
            || source.as_symbol().is_some()
            || source.as_constant().is_some()
            || isa.description().is_zero(source)
    };
    let is_known =
        row.flags.contains(InsnFlags::REMATERIALIZABLE) || sources.iter().any(is_address);
    // A wide constant that is still to be expanded takes more than two instructions.
    let is_short = |&source: &Operand| {
        !row.flags.contains(InsnFlags::PSEUDO)
            || function
                .immediate(source)
                .is_none_or(|value| i32::try_from(value).is_ok())
    };
    allowed.contains(row.flags)
        && is_known
        && row.implicit.is_empty()
        && sources.iter().all(is_short)
}

/// Returns whether an operand has the same value at every place.
fn is_fixed_source(isa: &dyn Isa, source: Operand) -> bool {
    let Some(reg) = source.as_reg() else {
        return true;
    };
    let is_own = !source.is_def() && !source.flags().contains(OperandFlags::IMPLICIT);
    let is_undef = source.flags().contains(OperandFlags::UNDEF);
    let registers = isa.registers();
    let moves = reg == registers.stack_pointer;
    let is_free = is_undef || !moves && registers.units(reg).is_empty();
    is_own && reg.vreg().is_none() && is_free
}
