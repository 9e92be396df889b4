//! Bit sets.

use crate::target::RegisterSet;

/// A set of numbers below a bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Returns the empty set of numbers below `bound`.
    pub(super) fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    /// Returns the numbers of the registers of a set.
    pub(super) fn of(set: &RegisterSet, bound: usize) -> Bits {
        let mut bits = Bits::new(bound);
        for register in set.iter() {
            bits.insert(register.into());
        }
        bits
    }

    /// Adds a number; returns whether it was not in the set before.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        let Some(word) = self.0.get_mut(number / 64) else {
            return false;
        };
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(super) fn remove(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0
            .get(number / 64)
            .is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// Removes the numbers that are not in the other set.
    pub(super) fn intersect(&mut self, other: &Bits) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }
}
