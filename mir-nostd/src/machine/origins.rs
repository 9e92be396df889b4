//! The origins of instructions: the places in the source that they come from, for backtraces and
//! tables of lines, and the copies that they belong to, for debuggers.
//!
//! Each instruction's origin is noted when it is added. Nothing is noted, and nothing allocated,
//! unless that was asked for before the first instruction.

use super::copies::Copies;
use super::entities::{InsnId, VReg};
use super::operand::Operand;
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// The place of a call or another instruction in the source of a function, for backtraces and
/// tables of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The inlined function that the instruction is in: 1 more than its number in
    /// [`Function::inlined`](super::Function::inlined); 0 for the function itself.
    pub inlined: u32,
    /// The number of the instruction in that function, labels counted.
    pub number: u32,
}

impl CallSite {
    /// The place of an instruction that comes from none of the source, or that is not known.
    const UNKNOWN: CallSite = CallSite {
        inlined: 0,
        number: u32::MAX,
    };
}

/// The place of an instruction in the source, and the number of the copy of what was translated
/// that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Origin {
    site: CallSite,
    copy: u32,
}

impl Origin {
    const UNKNOWN: Origin = Origin {
        site: CallSite::UNKNOWN,
        copy: 0,
    };
}

/// The origins of instructions that are added to a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Added {
    /// They are not noted.
    Unnoted,
    /// That of the instruction before which they are inserted, or after which at the end of a
    /// block: what replaces an instruction is inserted before it.
    Near,
    /// This one at the end of a block, elsewhere as with [`Added::Near`].
    At(Origin),
    /// They are not known.
    Nowhere,
}

/// The origins of the instructions of a function.
#[derive(Debug)]
pub(crate) struct Origins<'m> {
    /// The origin of each instruction, if they are noted.
    origins: Vec<'m, Origin>,
    added: Added,
    copies: Copies<'m>,
}

impl<'m> Origins<'m> {
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Origins<'m> {
        Origins {
            origins: Vec::new(allocator),
            added: Added::Unnoted,
            copies: Copies::new(allocator),
        }
    }

    /// Forgets all instructions. Nothing is noted of the next ones.
    pub(super) fn clear(&mut self) {
        self.origins.clear();
        self.added = Added::Unnoted;
        self.copies.clear();
    }

    /// Begins to note origins, in a function without instructions.
    pub(crate) fn begin(&mut self) {
        self.added = Added::Near;
    }

    /// Returns whether origins are noted.
    #[inline]
    pub(super) fn are_noted(&self) -> bool {
        self.added != Added::Unnoted
    }

    fn of(&self, insn: InsnId) -> Option<Origin> {
        self.origins.get(insn.index()).copied()
    }

    /// Returns the place of an instruction in the source, if it is known.
    pub(super) fn site(&self, insn: InsnId) -> Option<CallSite> {
        let site = self.of(insn).map(|origin| origin.site);
        site.filter(|&site| site != CallSite::UNKNOWN)
    }

    /// Returns the number of the copy that an instruction belongs to; 0 for the original.
    pub(crate) fn copy_of(&self, insn: InsnId) -> u32 {
        self.of(insn).map_or(0, |origin| origin.copy)
    }

    /// Notes the origin of an instruction that is about to be linked beside `near`, and whether it
    /// will be the last of its block.
    #[cold]
    #[inline(never)]
    pub(super) fn note(
        &mut self,
        insn: InsnId,
        near: Option<InsnId>,
        is_last: bool,
    ) -> Result<(), OutOfMemory> {
        let near = near.and_then(|near| self.of(near));
        let origin = match self.added {
            Added::Nowhere => Origin::UNKNOWN,
            Added::At(origin) if is_last => origin,
            _ => near.unwrap_or(Origin::UNKNOWN),
        };
        match self.origins.get_mut(insn.index()) {
            Some(place) => *place = origin,
            None => self.origins.push(origin)?,
        }
        Ok(())
    }

    // ---- origins of what is added from now on

    /// Instructions that are added to the ends of blocks from now on come from this place, if
    /// origins are noted.
    pub(crate) fn place_at(&mut self, site: CallSite) {
        self.place(Added::At(Origin { site, copy: 0 }));
    }

    /// Instructions that are added to the ends of blocks from now on have the origin of `insn`, of
    /// which they are a copy or a part.
    pub(crate) fn place_as(&mut self, insn: InsnId) {
        self.place(Added::At(self.of(insn).unwrap_or(Origin::UNKNOWN)));
    }

    /// Instructions that are added from now on come from nowhere in the source.
    pub(crate) fn place_nowhere(&mut self) {
        self.place(Added::Nowhere);
    }

    /// Instructions that are added from now on have the origin of those beside them.
    pub(crate) fn place_near(&mut self) {
        self.place(Added::Near);
    }

    #[inline]
    fn place(&mut self, added: Added) {
        if self.are_noted() {
            self.added = added;
        }
    }

    /// Makes the origin of `insn` that of another instruction, if they are noted: one that is
    /// executed before a branch decides that it should be comes from the branch.
    pub(crate) fn set_to_that_of(&mut self, insn: InsnId, other: InsnId) {
        let origin = self.of(other);
        if let (Some(origin), Some(place)) = (origin, self.origins.get_mut(insn.index())) {
            *place = origin;
        }
    }

    // ---- copies

    /// Begins a round of copies by [`Function::append_like`](super::Function::append_like).
    pub(crate) fn begin_copies(&mut self) {
        if self.are_noted() {
            self.copies.begin();
        }
    }

    /// Notes, for noted origins, that the next instruction at the end of a block is a copy of
    /// `insn` with other operands.
    #[cold]
    #[inline(never)]
    pub(super) fn place_as_copy(
        &mut self,
        insn: InsnId,
        old: &[Operand],
        new: &[Operand],
    ) -> Result<(), OutOfMemory> {
        let mut origin = self.of(insn).unwrap_or(Origin::UNKNOWN);
        origin.copy = self.copies.copy_of(origin.copy)?;
        self.added = Added::At(origin);
        for (old, new) in old.iter().zip(new) {
            if let (true, Some(old), Some(new)) = (new.is_def(), old.vreg(), new.vreg())
                && old != new
            {
                self.copies.rename(old, Some(new))?;
            }
        }
        Ok(())
    }

    /// Notes, if origins are, that a register has another value in the copies that are made in this
    /// round: that of an operand.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub(crate) fn note_value_in_copies(
        &mut self,
        of: VReg,
        value: Operand,
    ) -> Result<(), OutOfMemory> {
        match self.are_noted() {
            true => self.copies.rename(of, value.vreg()),
            false => Ok(()),
        }
    }

    /// Notes, if origins are, that the value of a register is from now on that of an operand, which
    /// takes its place.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub(crate) fn note_replaced(&mut self, old: VReg, new: Operand) -> Result<(), OutOfMemory> {
        match new.vreg().filter(|_| self.are_noted()) {
            Some(new) => self.copies.replace(old, new),
            None => Ok(()),
        }
    }

    /// Returns the copies of instructions, which are noted if origins are.
    pub(crate) const fn copies(&self) -> &Copies<'m> {
        &self.copies
    }
}
