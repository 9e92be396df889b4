//! Sets of registers, and register units.

use super::Target;
use super::packed::{Packed, Section};

/// A set of registers in the tables.
#[derive(Clone, Copy)]
pub struct RegisterSet {
    packed: Packed,
    section: Section,
    first: usize,
    words: usize,
}

impl core::fmt::Debug for RegisterSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl RegisterSet {
    pub(super) fn new(packed: Packed, section: Section, row: usize, words: usize) -> RegisterSet {
        RegisterSet {
            packed,
            section,
            first: row * words,
            words,
        }
    }

    fn word(&self, at: usize) -> u32 {
        self.packed.word(self.section, self.first + at)
    }

    /// Returns whether the register is in the set.
    #[must_use]
    pub fn contains(&self, register: u16) -> bool {
        let word = usize::from(register / 32);
        word < self.words && self.word(word) >> (register % 32) & 1 != 0
    }

    /// Returns whether all registers of the set are in the other.
    #[must_use]
    pub fn is_subset(&self, other: &RegisterSet) -> bool {
        (0..self.words).all(|at| self.word(at) & !other.word(at) == 0)
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        (0..self.words).all(|at| self.word(at) == 0)
    }

    /// Returns the registers of the set, lowest number first.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        let set = *self;
        let count = u16::try_from(self.words * 32).unwrap_or(u16::MAX);
        (0..count).filter(move |register| set.contains(*register))
    }
}

/// The register units of all registers.
#[derive(Debug)]
pub(super) struct Registers {
    /// The index in `units` of the first unit of each register, and one more entry as the end.
    starts: Vec<u32>,
    units: Vec<u16>,
    /// The number of registers that have each unit.
    sharers: Vec<u16>,
}

impl Registers {
    /// Computes the units. A register without parts is a unit; all others have the units of their
    /// parts.
    pub(super) fn new(target: &Target) -> Registers {
        let mut made = Registers {
            starts: vec![0, 0],
            units: Vec::new(),
            sharers: Vec::new(),
        };
        let last = u16::try_from(target.register_count()).unwrap_or(u16::MAX);
        let mut unit_of = vec![u16::MAX; usize::from(last) + 1];
        for register in 1..=last {
            if target.parts(register).next().is_none() {
                unit_of[usize::from(register)] = made.sharers.len() as u16;
                made.sharers.push(0);
            }
        }
        for register in 1..=last {
            let from = made.units.len();
            let all = core::iter::once(register).chain(target.parts(register).map(|part| part.1));
            let units = all.filter_map(|part| unit_of.get(usize::from(part)).copied());
            made.units.extend(units.filter(|unit| *unit != u16::MAX));
            made.units[from..].sort_unstable();
            for unit in &made.units[from..] {
                made.sharers[usize::from(*unit)] += 1;
            }
            made.starts.push(made.units.len() as u32);
        }
        made
    }

    pub(super) fn units(&self, register: u16) -> &[u16] {
        let at = usize::from(register);
        let range = self.starts.get(at).zip(self.starts.get(at + 1));
        range.map_or(&[], |(from, to)| &self.units[*from as usize..*to as usize])
    }

    /// Returns whether no other register overlaps this one.
    pub(super) fn is_alone(&self, register: u16) -> bool {
        match self.units(register) {
            [unit] => self.sharers.get(usize::from(*unit)) == Some(&1),
            _ => false,
        }
    }

    pub(super) fn unit_count(&self) -> usize {
        self.sharers.len()
    }
}
