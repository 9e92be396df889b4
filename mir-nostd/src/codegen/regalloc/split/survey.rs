//! The survey before live-range splitting: the positions of blocks, and the instructions that
//! mention virtual registers without a register.

use crate::codegen::analysis::liveness::Groups;
use crate::codegen::analysis::properties;
use crate::codegen::regalloc::split::crowds::Crowds;
use crate::codegen::regalloc::split::mention::Mention;
use crate::codegen::regalloc::split::{Leaders, Liveness, NONE, Segment};
use crate::machine::{Function, Generic, InsnId, Operand, OperandFlags, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::{InsnFlags, Isa};

/// The first terminator of a block, and its number.
type End = Option<(InsnId, u32)>;

/// The positions of blocks, and the mentions of the virtual registers.
pub(super) struct Survey<'m> {
    /// The number of each block of the layout, then the number after the last instruction.
    starts: Vec<'m, u32>,
    /// The first terminator of each block of the layout.
    pub(super) ends: Vec<'m, End>,
    mentions: Vec<'m, Mention>,
    /// The mentions of each virtual register, ascending.
    groups: Groups<'m>,
}

impl<'m> Survey<'m> {
    /// Surveys a function and finds its crowds. Virtual registers are numbered by their index in
    /// `failed`.
    pub(super) fn new(
        function: &Function<'_>,
        isa: &dyn Isa,
        liveness: &Liveness<'m>,
        leaders: &Leaders<'_>,
        failed: &[VReg],
    ) -> Result<(Survey<'m>, Crowds<'m>), OutOfMemory> {
        let allocator = liveness.allocator();
        let mut walk = Walk {
            function,
            isa,
            ranks: Vec::new(allocator),
            mentions: Vec::new(allocator),
            pairs: Vec::new(allocator),
            crowds: Crowds::new(allocator),
        };
        walk.ranks.resize(function.vreg_count(), NONE)?;
        for (rank, vreg) in failed.iter().enumerate() {
            walk.ranks[vreg.index()] = rank as u32;
        }
        for number in 0..walk.ranks.len() {
            let leader = leaders.of(VReg::new(number as u32));
            walk.ranks[number] = walk.ranks[leader.index()];
        }
        let mut starts = Vec::with_capacity(allocator, function.layout.len() + 1)?;
        let mut ends = Vec::with_capacity(allocator, function.layout.len())?;
        // Removed instructions keep their numbers.
        let dead = liveness.dead.iter().rev();
        let mut dead = dead.map(|&(_, number)| number).peekable();
        let mut number = 0;
        for (place, &block) in function.layout.iter().enumerate() {
            starts.push(number)?;
            let mut end = None;
            number += 1;
            for insn in function.insns(block) {
                while dead.next_if_eq(&number).is_some() {
                    number += 1;
                }
                end = walk.insn(insn, number, place as u32, end)?;
                number += 1;
            }
            while dead.next_if_eq(&number).is_some() {
                number += 1;
            }
            ends.push(end)?;
        }
        starts.push(number)?;
        let survey = Survey {
            starts,
            ends,
            groups: Groups::new(&walk.pairs, failed.len(), allocator)?,
            mentions: walk.mentions,
        };
        Ok((survey, walk.crowds))
    }

    /// Puts the mentions of a virtual register into a list, ascending. Returns whether a store can
    /// follow each write, which it cannot after a terminator.
    pub(super) fn mentions(
        &self,
        rank: usize,
        list: &mut Vec<'_, Mention>,
    ) -> Result<bool, OutOfMemory> {
        list.clear();
        for &number in self.groups.of(rank) {
            let mut mention = self.mentions[number as usize];
            // The copy is coalesced: both sides are the same.
            if mention.is_copy && mention.reads && mention.writes {
                (mention.reads, mention.writes) = (false, false);
            }
            list.push(mention)?;
        }
        let mut place = NONE;
        for mention in list.iter_mut().rev().filter(|mention| mention.writes) {
            mention.is_last = place != mention.place;
            place = mention.place;
        }
        Ok(list
            .iter()
            .all(|mention| !(mention.writes && mention.is_terminator)))
    }

    /// Returns the positions of a block of the layout.
    pub(super) fn bounds(&self, place: u32) -> Segment {
        self.bounds_of(place, place)
    }

    /// Returns the positions from one block of the layout to another.
    pub(super) fn bounds_of(&self, first: u32, last: u32) -> Segment {
        Segment {
            start: 2 * self.starts[first as usize],
            end: 2 * self.starts[last as usize + 1],
        }
    }

    /// Returns the block of the layout that contains a position.
    pub(super) fn place_of(&self, position: u32) -> u32 {
        let behind = self.starts.partition_point(|&start| 2 * start <= position);
        behind.saturating_sub(1) as u32
    }
}

/// The walk through the code.
struct Walk<'f, 'x, 'm> {
    function: &'f Function<'x>,
    isa: &'f dyn Isa,
    /// The index of each virtual register among those without a register.
    ranks: Vec<'m, u32>,
    mentions: Vec<'m, Mention>,
    pairs: Vec<'m, (u32, u32)>,
    crowds: Crowds<'m>,
}

impl Walk<'_, '_, '_> {
    /// Returns whether spill code passes two operands, each a virtual register, through the same
    /// scratch register.
    fn passes_with(&self, operand: Operand, other: Operand) -> bool {
        let (Some(vreg), Some(other_vreg)) = (operand.vreg(), other.vreg()) else {
            return false;
        };
        let is_early = |operand: Operand| operand.flags().contains(OperandFlags::EARLY_CLOBBER);
        let class = |vreg| self.function.vreg(vreg).class;
        vreg == other_vreg
            || self.ranks[vreg.index()] == self.ranks[other_vreg.index()]
                && class(vreg) == class(other_vreg)
                && !is_early(operand)
                && !is_early(other)
    }

    /// Notes the virtual registers that an instruction mentions. `end` is the first terminator of
    /// the block so far; returns the same after this instruction.
    fn insn(
        &mut self,
        insn: InsnId,
        number: u32,
        place: u32,
        end: End,
    ) -> Result<End, OutOfMemory> {
        let row = self.function.insn(insn);
        let flags = properties::flags(self.isa, row);
        let mention = Mention {
            insn,
            number,
            place,
            reads: false,
            writes: false,
            count: 0,
            is_last: false,
            is_copy: row.opcode.generic() == Some(Generic::Copy),
            is_early: false,
            is_terminator: flags.contains(InsnFlags::TERMINATOR),
        };
        let first = self.pairs.len();
        let operands = self.function.operands(insn);
        let mut counts = [0; 2];
        for (place, &operand) in operands.iter().enumerate() {
            let Some(vreg) = operand.vreg() else {
                continue;
            };
            let rank = self.ranks[vreg.index()];
            if rank == NONE {
                continue;
            }
            let known = self.pairs[first..].iter();
            let known = { known }.find_map(|&(other, index)| (other == rank).then_some(index));
            let index = known.map_or(self.mentions.len(), |index| index as usize);
            if known.is_none() {
                self.pairs.push((rank, index as u32))?;
                self.mentions.push(mention)?;
            }
            let passes_with = |&other: &Operand| self.passes_with(operand, other);
            let is_further = !operands[..place].iter().any(passes_with);
            let noted = &mut self.mentions[index];
            noted.note(operand);
            if is_further {
                noted.count = noted.count.saturating_add(1);
                let class = self.isa.registers().class(self.function.vreg(vreg).class);
                let count: &mut u8 = &mut counts[class.bank as usize];
                *count = count.saturating_add(1);
            }
        }
        // From frame object to frame object one scratch register is enough.
        if !mention.is_copy {
            self.crowds.note(number, counts)?;
        }
        Ok((mention.is_terminator).then(|| end.unwrap_or((insn, number))))
    }
}
