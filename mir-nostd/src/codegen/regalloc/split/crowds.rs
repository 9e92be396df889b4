//! Crowds: the instructions at which several virtual registers without a register pass through
//! scratch registers, so that no spare one can hold another value there.

use crate::codegen::analysis::liveness::Segment;
use crate::codegen::regalloc::split::mention::Mention;
use crate::machine::Bank;
use crate::mem::{Allocator, OutOfMemory, Vec};

/// The number of virtual registers that need all scratch registers of a bank.
const FULL: u8 = 2;

/// An instruction, and the virtual registers that pass through scratch registers at it.
#[derive(Clone, Copy)]
struct Crowd {
    /// The number of the instruction.
    number: u32,
    /// The number of those virtual registers in each bank.
    counts: [u8; 2],
}

/// All crowds, ascending.
pub(super) struct Crowds<'m> {
    all: Vec<'m, Crowd>,
}

impl<'m> Crowds<'m> {
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Crowds<'m> {
        Crowds {
            all: Vec::new(allocator),
        }
    }

    /// Notes how many virtual registers of each bank pass at an instruction, if they are several.
    pub(super) fn note(&mut self, number: u32, counts: [u8; 2]) -> Result<(), OutOfMemory> {
        if counts.iter().all(|&count| count < FULL) {
            return Ok(());
        }
        self.all.push(Crowd { number, counts })
    }

    /// Notes that a virtual register does not pass at a mention any more.
    pub(super) fn leave(&mut self, mention: &Mention, bank: Bank) {
        let place = self
            .all
            .partition_point(|crowd| crowd.number < mention.number);
        if let Some(crowd) = self.all.get_mut(place)
            && crowd.number == mention.number
        {
            let count = &mut crowd.counts[bank as usize];
            *count = count.saturating_sub(mention.count);
        }
    }

    /// Returns whether the last scratch register of a bank is needed for others than the virtual
    /// register with these mentions in one of some segments.
    pub(super) fn keep_out(&self, bank: Bank, segments: &[Segment], mentions: &[Mention]) -> bool {
        let mut segments = segments.iter();
        segments.any(|&segment| self.first(bank, segment, mentions).is_some())
    }

    /// Returns the position of the first instruction in a segment at which it is.
    pub(super) fn first(&self, bank: Bank, segment: Segment, mentions: &[Mention]) -> Option<u32> {
        let place = { &self.all }.partition_point(|crowd| 2 * crowd.number + 1 < segment.start);
        let mut inside = (self.all[place..].iter()).take_while(|c| 2 * c.number < segment.end);
        let own = |number| match mentions.binary_search_by_key(&number, |mention| mention.number) {
            Ok(place) => mentions[place].count,
            Err(_) => 0,
        };
        let found = inside.find(|crowd| {
            let all = crowd.counts[bank as usize];
            all >= FULL && all.saturating_sub(own(crowd.number)) >= FULL
        });
        found.map(|crowd| 2 * crowd.number)
    }
}
