//! What an instruction is, generic or the target's.

use crate::machine::{Edges, End, Facts, Function, Generic, Insn};
use crate::mem::{Allocator, OutOfMemory};
use crate::target::{InsnFlags, InsnRow, Isa};

/// The flags of each generic instruction, made from the facts in its row.
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

/// What an instruction does beyond computing.
pub(crate) fn flags(isa: &dyn Isa, insn: &Insn) -> InsnFlags {
    flags_of(isa.insns(), insn)
}

/// The same for many instructions of a target whose table is at hand.
pub(crate) fn flags_of(rows: &[InsnRow], insn: &Insn) -> InsnFlags {
    if let Some(row) = insn.opcode.row() {
        let row = rows.get(row);
        return row.map_or(InsnFlags::empty(), |row| row.flags);
    }
    let generic = insn.opcode.generic();
    generic.map_or(InsnFlags::empty(), |generic| FLAGS[generic as usize])
}

/// The edges of a function, at any stage.
///
/// # Errors
///
/// [`OutOfMemory`].
pub fn edges<'m>(
    function: &Function<'_>,
    isa: &dyn Isa,
    allocator: &'m dyn Allocator,
) -> Result<Edges<'m>, OutOfMemory> {
    let rows = isa.insns();
    Edges::new(function, allocator, |insn| {
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
    })
}
