//! The flags of instructions, generic ones and the target's, and the control-flow edges that follow
//! from them.

use crate::machine::{
    Edges, End, Facts, Function, Generic, Insn, InsnId, LowType, Operand, OperandKind,
};
use crate::mem::{Allocator, OutOfMemory};
use crate::target::{InsnFlags, InsnRow, Isa};

/// The flags of each generic instruction, computed from the facts in its row.
static FLAGS: [InsnFlags; Generic::ALL.len()] = {
    let mut flags = [InsnFlags::empty(); Generic::ALL.len()];
    let mut number = 0;
    while number < flags.len() {
        flags[number] = flags_of_facts(Generic::ALL[number].facts());
        number += 1;
    }
    flags
};

const fn flags_of_facts(facts: Facts) -> InsnFlags {
    const MEANINGS: [(Facts, InsnFlags); 6] = [
        (Facts::TERMINATOR, InsnFlags::TERMINATOR),
        (Facts::BARRIER, InsnFlags::BARRIER),
        (Facts::TO_BLOCKS, InsnFlags::BRANCH),
        (Facts::TO_ADDRESS, InsnFlags::INDIRECT),
        (Facts::LEAVES, InsnFlags::RETURN),
        (Facts::CALLS, InsnFlags::CALL),
    ];
    let (mut flags, mut number) = (InsnFlags::empty(), 0);
    while number < MEANINGS.len() {
        let (fact, flag) = MEANINGS[number];
        if facts.contains(fact) {
            flags = flags.union(flag);
        }
        number += 1;
    }
    flags
}

/// Returns the flags of an instruction.
pub(crate) fn flags(isa: &dyn Isa, insn: &Insn) -> InsnFlags {
    flags_of(isa.insns(), insn)
}

/// Returns the flags of an instruction, for callers that have the target's table at hand.
pub(crate) fn flags_of(rows: &[InsnRow], insn: &Insn) -> InsnFlags {
    if let Some(row) = insn.opcode.row() {
        let row = rows.get(row);
        return row.map_or(InsnFlags::empty(), |row| row.flags);
    }
    let generic = insn.opcode.generic();
    generic.map_or(InsnFlags::empty(), |generic| FLAGS[generic as usize])
}

/// Returns the control-flow edges of a function, at any stage.
///
/// # Errors
///
/// [`OutOfMemory`].
pub fn edges<'m>(
    function: &Function<'_>,
    isa: &dyn Isa,
    allocator: &'m dyn Allocator,
) -> Result<Edges<'m>, OutOfMemory> {
    Edges::new(function, allocator, ends(isa))
}

/// Returns a function that tells how an instruction ends its block, if it does.
pub(crate) fn ends(isa: &dyn Isa) -> impl Fn(&Insn) -> Option<End> + use<> {
    let rows = isa.insns();
    |insn| {
        let flags = flags_of(rows, insn);
        if !flags.contains(InsnFlags::TERMINATOR) {
            None
        } else if flags.contains(InsnFlags::INDIRECT) {
            Some(End::Indirect)
        } else if flags.contains(InsnFlags::BARRIER) {
            Some(End::Always)
        } else {
            Some(End::Conditional)
        }
    }
}

/// Returns whether an instruction of this type can be removed if its results are not needed.
pub(crate) const fn is_removable(generic: Generic, ty: LowType) -> bool {
    !generic.is(Facts::EFFECT) && !ty.is_long_double()
}

/// Returns the inverse of a branch's condition.
pub(crate) fn opposite_of(function: &Function<'_>, branch: InsnId) -> Option<Operand> {
    let generic = function.insn(branch).opcode.generic();
    if !matches!(generic, Some(Generic::BrIcmp | Generic::BrFcmp)) {
        return None;
    }
    let predicate = *function.operands(branch).first()?;
    match predicate.kind() {
        OperandKind::IntPredicate => {
            let predicate = predicate.as_int_predicate()?;
            Some(Operand::int_predicate(predicate.inverse()))
        }
        _ => {
            let predicate = predicate.as_float_predicate()?;
            Some(Operand::float_predicate(predicate.inverse()))
        }
    }
}
