//! The names that modules share: exports and what the embedder defines.

use crate::mem::{Allocator, HashKey, Interner, OutOfMemory, Vec};

/// The meaning of a global name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Global {
    pub(super) address: usize,
    /// True if it is a function of a module, which may not be redefined unless the context permits
    /// it.
    pub(super) is_func: bool,
}

/// The table of global names.
#[derive(Debug)]
pub(super) struct Globals<'m> {
    names: Interner<'m>,
    /// The meaning of each name.
    meanings: Vec<'m, Global>,
}

impl<'m> Globals<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator, key: HashKey) -> Globals<'m> {
        Globals {
            names: Interner::new(allocator, key),
            meanings: Vec::new(allocator),
        }
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<Global> {
        let number = self.names.find(name, &[])?;
        self.meanings.get(number as usize).copied()
    }

    /// Makes room, so that `names` definitions with `bytes` bytes of names cannot fail.
    pub(super) fn reserve(&mut self, names: usize, bytes: usize) -> Result<(), OutOfMemory> {
        self.names.reserve(names, bytes)?;
        self.meanings.reserve(names)
    }

    /// Enters a name, replacing what it stood for.
    ///
    /// # Errors
    ///
    /// Out of memory; never after [`Globals::reserve`] for it.
    pub(super) fn define(&mut self, name: &[u8], global: Global) -> Result<(), OutOfMemory> {
        self.meanings.reserve(1)?;
        let number = self.names.intern(name, &[])?.ok_or(OutOfMemory)?;
        match self.meanings.get_mut(number as usize) {
            Some(known) => *known = global,
            None => self.meanings.push(global)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::tests::System;

    /// Returns how far the names lie from their places, altogether.
    fn displacement(names: &[u64], seed: u64) -> usize {
        let mut globals = Globals::new(&System, HashKey::new(seed));
        let global = Global {
            address: 1,
            is_func: false,
        };
        for name in names {
            globals.define(&name.to_le_bytes(), global).unwrap();
        }
        let found = |name: &u64| globals.find(&name.to_le_bytes()) == Some(global);
        assert!(names.iter().all(found));
        globals.names.displacement()
    }

    #[test]
    fn names_that_collide_for_one_seed_do_not_for_another() {
        let (count, places) = (500, 1024);
        let key = HashKey::new(0);
        let collide = |name: &u64| key.bytes(&name.to_le_bytes()) % places == 7;
        let names: std::vec::Vec<u64> = (0..).filter(collide).take(count).collect();
        assert_eq!(displacement(&names, 0), count * (count - 1) / 2);
        for seed in [1, 2, 3, u64::MAX, 1 << 63] {
            // Names that are not chosen lie less than one place from theirs in a table half full.
            assert!(displacement(&names, seed) < 2 * count);
        }
    }
}
