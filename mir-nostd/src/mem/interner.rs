//! A table of byte sequences: names, strings, keys.

use super::{Allocator, HashKey, HashTable, OutOfMemory, Vec};

/// Byte sequences, each kept once, numbered in the order in which they came.
///
/// A sequence is given in two parts, of which only the first is hashed: so a name that ends in NUL
/// is found without making a copy of it that has one.
#[derive(Debug)]
pub(crate) struct Interner<'m> {
    bytes: Vec<'m, u8>,
    /// The end of each sequence in `bytes`; it starts at the end of the one before.
    ends: Vec<'m, u32>,
    table: HashTable<'m>,
    key: HashKey,
}

impl<'m> Interner<'m> {
    pub(crate) fn new(allocator: &'m dyn Allocator, key: HashKey) -> Interner<'m> {
        Interner {
            bytes: Vec::new(allocator),
            ends: Vec::new(allocator),
            table: HashTable::new(allocator),
            key,
        }
    }

    /// Returns the number of sequences.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the sequence of this number.
    pub(crate) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = match number {
            0 => 0,
            _ => self.ends[number - 1],
        };
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// Returns the number of the sequence that consists of these parts.
    pub(crate) fn find(&self, start: &[u8], end: &[u8]) -> Option<u32> {
        self.find_or_place(self.key.bytes(start), start, end).ok()
    }

    /// Returns the number of the sequence that consists of these parts, or else the place in the
    /// table for it.
    #[inline]
    fn find_or_place(&self, hash: u32, start: &[u8], end: &[u8]) -> Result<u32, usize> {
        self.table.find_or_place(hash, |number| {
            let there = self.get(number);
            there.len() == start.len() + end.len()
                && there.starts_with(start)
                && there.ends_with(end)
        })
    }

    /// Returns the number of the sequence that consists of these parts, which is added if it is
    /// new; `None` if all together would have 4 GiB.
    ///
    /// # Errors
    ///
    /// Out of memory; never after [`Interner::reserve`] for it.
    pub(crate) fn intern(&mut self, start: &[u8], end: &[u8]) -> Result<Option<u32>, OutOfMemory> {
        let hash = self.key.bytes(start);
        let place = match self.find_or_place(hash, start, end) {
            Ok(known) => return Ok(Some(known)),
            Err(place) => place,
        };
        let added = start.len() + end.len();
        let total = self.bytes.len().checked_add(added);
        let Some(total) = total.and_then(|total| u32::try_from(total).ok()) else {
            return Ok(None);
        };
        self.bytes.reserve(added)?;
        self.ends.reserve(1)?;
        let number = self.ends.len() as u32;
        self.table.insert_at(place, hash, number)?;
        self.bytes.extend_from_slice(start)?;
        self.bytes.extend_from_slice(end)?;
        self.ends.push(total)?;
        Ok(Some(number))
    }

    /// Makes room for `count` sequences that have so many bytes together.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub(crate) fn reserve(&mut self, count: usize, bytes: usize) -> Result<(), OutOfMemory> {
        self.bytes.reserve(bytes)?;
        self.ends.reserve(count)?;
        self.table.reserve(self.ends.len() + count)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Returns how far the sequences lie from their places in the table, altogether.
    #[cfg(test)]
    pub(crate) fn displacement(&self) -> usize {
        self.table.displacement()
    }
}
