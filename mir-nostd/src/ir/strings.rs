//! Names and strings of a module, each kept once.

use super::entities::{Name, Str};
use super::error::{Error, Problem, Result};
use crate::mem::{Allocator, Entity, HashKey, Interner};

/// All byte sequences of a module. Names are hashed without the NUL that ends them, so that they
/// are found by texts that have none.
#[derive(Debug)]
pub(super) struct Strings<'m>(Interner<'m>);

impl<'m> Strings<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator) -> Strings<'m> {
        Strings(Interner::new(
            allocator,
            HashKey::new(allocator.hash_seed()),
        ))
    }

    pub(super) fn get(&self, string: Str) -> &[u8] {
        self.0.get(string.number())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn find_name(&self, name: &[u8]) -> Option<Name> {
        self.0.find(name, &[0]).map(Str::new)
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

    fn intern(&mut self, start: &[u8], end: &[u8]) -> Result<Str> {
        let number = self.0.intern(start, end)?;
        number.map(Str::new).ok_or(Error::new(Problem::TooLarge))
    }

    /// Makes room for `count` sequences.
    pub(super) fn reserve(&mut self, count: usize) -> Result<()> {
        Ok(self.0.reserve(count, 0)?)
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
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
