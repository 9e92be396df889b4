//! Names and strings of a module, each kept once.

use super::entities::{Name, Str};
use super::error::{Error, Problem, Result};
use crate::mem::{Allocator, Entity, HashKey, HashTable, Vec};

/// All byte sequences of a module.
#[derive(Debug)]
pub(super) struct Strings<'m> {
    bytes: Vec<'m, u8>,
    /// The end of each sequence in `bytes`; it starts at the end of the one before.
    ends: Vec<'m, u32>,
    table: HashTable<'m>,
    key: HashKey,
}

impl<'m> Strings<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator) -> Strings<'m> {
        Strings {
            bytes: Vec::new(allocator),
            ends: Vec::new(allocator),
            table: HashTable::new(allocator),
            key: HashKey::new(allocator.hash_seed()),
        }
    }

    /// Returns the hash, which leaves a terminating NUL out, so that a name can be looked up
    /// without it.
    fn hash(&self, unterminated: &[u8]) -> u32 {
        self.key.bytes(unterminated)
    }

    pub(super) fn get(&self, string: Str) -> &[u8] {
        let start = match string.index() {
            0 => 0,
            index => self.ends[index - 1],
        };
        &self.bytes[start as usize..self.ends[string.index()] as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn find_name(&self, name: &[u8]) -> Option<Name> {
        self.find(self.hash(name), name, &[0])
    }

    pub(super) fn name(&mut self, name: &[u8]) -> Result<Name> {
        self.intern(name, &[0])
    }

    pub(super) fn string(&mut self, bytes: &[u8]) -> Result<Str> {
        match bytes.split_last() {
            Some((0, rest)) => self.intern(rest, &[0]),
            _ => self.intern(bytes, &[]),
        }
    }

    fn find(&self, hash: u32, start: &[u8], end: &[u8]) -> Option<Str> {
        let is_it = |number| {
            let there = self.get(Str::new(number));
            there.len() == start.len() + end.len()
                && there.starts_with(start)
                && there.ends_with(end)
        };
        self.table.find(hash, is_it).map(Str::new)
    }

    fn intern(&mut self, start: &[u8], end: &[u8]) -> Result<Str> {
        let hash = self.hash(start);
        match self.find(hash, start, end) {
            Some(known) => Ok(known),
            None => self.add(hash, start, end),
        }
    }

    fn add(&mut self, hash: u32, start: &[u8], end: &[u8]) -> Result<Str> {
        let total = self.bytes.len().checked_add(start.len() + end.len());
        let total = total
            .and_then(|total| u32::try_from(total).ok())
            .ok_or(Error::new(Problem::TooLarge))?;
        self.bytes.reserve(start.len() + end.len())?;
        self.ends.reserve(1)?;
        let string = Str::new(self.ends.len() as u32);
        self.table.insert(hash, string.number())?;
        self.bytes.extend_from_slice(start)?;
        self.bytes.extend_from_slice(end)?;
        self.ends.push(total)?;
        Ok(string)
    }

    /// Makes room for `count` sequences.
    pub(super) fn reserve(&mut self, count: usize) -> Result<()> {
        self.ends.reserve(count)?;
        Ok(self.table.reserve(self.ends.len() + count)?)
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::tests::System;

    #[test]
    fn names_and_terminated_strings_are_one() {
        let mut strings = Strings::new(&System);
        let name = strings.name(b"hi").unwrap();
        assert_eq!(strings.string(b"hi\0").unwrap(), name);
        let bare = strings.string(b"hi").unwrap();
        assert_ne!(bare, name);
        assert_eq!(strings.string(b"").unwrap(), strings.string(b"").unwrap());
        assert_eq!(
            (strings.get(name), strings.get(bare)),
            (&b"hi\0"[..], &b"hi"[..])
        );
        assert_eq!(
            (strings.find_name(b"hi"), strings.find_name(b"ho")),
            (Some(name), None)
        );
    }
}
