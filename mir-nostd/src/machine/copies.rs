//! The copies of instructions that passes make, and the registers that took the place of others in
//! them, for debuggers.
//!
//! A copy comes from the same place in the source, and the value that a variable has there is in
//! another register. Copies are made in rounds, such as an iteration of a loop that is unrolled.
//! Nothing is noted unless places in the source are.

use crate::machine::VReg;
use crate::mem::{Allocator, OutOfMemory, Vec, sort_by_key};

/// The number of the round of registers that were replaced wherever they were read.
const EVERYWHERE: u32 = 0;

/// The round that a copy was made in, and the number of the copy that it was made of.
#[derive(Clone, Copy, Debug)]
struct Made {
    round: u32,
    of: u32,
}

/// A register that another one took the place of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Renamed {
    /// The round, or [`EVERYWHERE`].
    round: u32,
    /// The number of rounds that had begun.
    begun: u32,
    pub(crate) old: VReg,
    /// The one that has the value; `None` if none does.
    pub(crate) new: Option<VReg>,
}

/// The copies of a function. Those of number 0 are the originals.
#[derive(Debug)]
pub(crate) struct Copies<'m> {
    /// The copies from 1 on.
    made: Vec<'m, Made>,
    /// The index of the first copy of the present round.
    first: usize,
    rounds: u32,
    /// The registers in the order in which they were replaced.
    renamed: Vec<'m, Renamed>,
}

impl<'m> Copies<'m> {
    pub(crate) const fn new(allocator: &'m dyn Allocator) -> Copies<'m> {
        Copies {
            made: Vec::new(allocator),
            first: 0,
            rounds: EVERYWHERE,
            renamed: Vec::new(allocator),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.made.clear();
        self.renamed.clear();
        (self.first, self.rounds) = (0, EVERYWHERE);
    }

    /// Begins a round.
    pub(crate) fn begin(&mut self) {
        self.first = self.made.len();
        self.rounds += 1;
    }

    /// Returns the number of what is copied in this round from instructions of a copy.
    pub(crate) fn copy_of(&mut self, of: u32) -> Result<u32, OutOfMemory> {
        let made = self.made.iter().skip(self.first);
        let known = made.take_while(|made| made.of != of).count() + self.first;
        if known == self.made.len() {
            let round = self.rounds;
            self.made.push(Made { round, of })?;
        }
        Ok(known as u32 + 1)
    }

    /// Notes that a register has another name in what is copied in this round.
    pub(crate) fn rename(&mut self, old: VReg, new: Option<VReg>) -> Result<(), OutOfMemory> {
        self.note(self.rounds, old, new)
    }

    fn note(&mut self, round: u32, old: VReg, new: Option<VReg>) -> Result<(), OutOfMemory> {
        let begun = self.rounds;
        self.renamed.push(Renamed {
            round,
            begun,
            old,
            new,
        })
    }

    /// Notes that the value of a register is in another one from now on.
    pub(crate) fn replace(&mut self, old: VReg, new: VReg) -> Result<(), OutOfMemory> {
        self.note(EVERYWHERE, old, Some(new))
    }

    /// Returns the number of copies.
    pub(crate) fn count(&self) -> u32 {
        self.made.len() as u32
    }

    /// Returns the number of the copy that one was made of, and of the round; `None` for originals.
    pub(crate) fn origin(&self, copy: u32) -> Option<(u32, u32)> {
        let made = self.made.get((copy as usize).checked_sub(1)?)?;
        Some((made.of, made.round))
    }

    /// Returns the registers in the order in which they were replaced.
    pub(crate) fn renamed(&self) -> &[Renamed] {
        &self.renamed
    }
}

/// The registers that others took the place of, for finding them.
#[derive(Debug)]
pub(crate) struct NewNames<'m> {
    /// Sorted by the round and the old register.
    names: Vec<'m, Renamed>,
}

/// The most registers that may take each other's place one after the other.
const MOST: usize = 64;

impl<'m> NewNames<'m> {
    pub(crate) fn new(
        copies: &Copies<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<NewNames<'m>, OutOfMemory> {
        let mut names = Vec::from_slice(allocator, &copies.renamed)?;
        sort_by_key(&mut names, |renamed| (renamed.round, renamed.old));
        Ok(NewNames { names })
    }

    fn find(&self, round: u32, old: VReg) -> Option<Renamed> {
        let key = |renamed: &Renamed| (renamed.round, renamed.old);
        let found = self.names.binary_search_by_key(&(round, old), key);
        self.names.get(found.ok()?).copied()
    }

    /// Returns the register that has the value of another one in what was copied in these rounds,
    /// the first one first; `None` if none has.
    pub(crate) fn resolve(&self, rounds: &[u32], old: VReg) -> Option<VReg> {
        let mut now = old;
        let mut left = MOST;
        for &round in rounds {
            loop {
                if let Some(renamed) = self.find(round, now) {
                    now = renamed.new?;
                    break;
                }
                // Registers that were replaced after that round were read in what it copied.
                let replaced = self.find(EVERYWHERE, now);
                match replaced.filter(|replaced| replaced.begun < round) {
                    Some(replaced) => now = replaced.new?,
                    None => break,
                }
                left = left.checked_sub(1)?;
            }
        }
        while let Some(replaced) = self.find(EVERYWHERE, now) {
            now = replaced.new?;
            left = left.checked_sub(1)?;
        }
        Some(now)
    }
}
