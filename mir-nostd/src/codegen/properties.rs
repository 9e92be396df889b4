//! What an instruction is, generic or the target's.

use crate::machine::{Edges, End, Function, Generic, Insn};
use crate::mem::{Allocator, OutOfMemory};
use crate::target::{InsnFlags, InsnRow, Isa};

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
    let Some(generic) = insn.opcode.generic() else {
        return InsnFlags::empty();
    };
    let barrier = InsnFlags::TERMINATOR.union(InsnFlags::BARRIER);
    match generic {
        Generic::BrIcmp | Generic::BrFcmp | Generic::PropertyBranch => {
            InsnFlags::TERMINATOR.union(InsnFlags::BRANCH)
        }
        Generic::Br | Generic::Brjt => barrier.union(InsnFlags::BRANCH),
        Generic::Brindirect => barrier.union(InsnFlags::INDIRECT),
        Generic::Ret | Generic::TailJump => barrier.union(InsnFlags::RETURN),
        Generic::Call => InsnFlags::CALL,
        _ => InsnFlags::empty(),
    }
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
