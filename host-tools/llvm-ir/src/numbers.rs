//! Numbers of the distinct values of a list.

use core::hash::{BuildHasher, Hash};
use hashbrown::HashTable;
use std::hash::RandomState;

/// Finds values in a list by their hash, without a second copy of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    table: HashTable<u32>,
    hasher: RandomState,
}

impl Numbers {
    /// Returns the number of a value in `list`, all of which was numbered here. A new value gets
    /// the next number, and the caller adds it to the list; then the flag is true.
    pub(crate) fn number<T, Q>(&mut self, list: &[T], value: &Q) -> (u32, bool)
    where
        T: core::borrow::Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let at = |&number: &u32| list[number as usize].borrow();
        let hash = self.hasher.hash_one(value);
        let found = self.table.entry(
            hash,
            |number| at(number) == value,
            |number| self.hasher.hash_one(at(number)),
        );
        match found {
            hashbrown::hash_table::Entry::Occupied(known) => (*known.get(), false),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let number = list.len() as u32;
                place.insert(number);
                (number, true)
            }
        }
    }

    /// Returns the number of a value in `list`, if it has one.
    pub(crate) fn known<T, Q>(&self, list: &[T], value: &Q) -> Option<u32>
    where
        T: core::borrow::Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = self.hasher.hash_one(value);
        let is_it = |&number: &u32| list[number as usize].borrow() == value;
        self.table.find(hash, is_it).copied()
    }
}
