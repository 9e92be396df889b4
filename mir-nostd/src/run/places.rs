//! Tables from the parts of a piece of code to their places.

use crate::codegen::FixupTarget;
use crate::mem::{Allocator, Entity, HashKey, HashTable, OutOfMemory, Vec};

/// The places of the parts of a piece of code, each with its key.
pub(super) struct Places<'m, K> {
    pub(super) list: Vec<'m, (K, u32)>,
    /// Finds keys in the list, if they are more than a few.
    table: HashTable<'m>,
}

/// The most keys that are looked for one by one.
const FEW: usize = 8;

impl<'m, K: Key> Places<'m, K> {
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Self {
        Places {
            list: Vec::new(allocator),
            table: HashTable::new(allocator),
        }
    }

    pub(super) fn find(&self, key: K) -> Option<u32> {
        if self.list.len() <= FEW {
            let found = self.list.iter().find(|&&(of, _)| of == key);
            return found.map(|&(_, at)| at);
        }
        let is_it = |number: u32| self.list[number as usize].0 == key;
        let number = self.table.find(key.hash(), is_it)?;
        Some(self.list[number as usize].1)
    }

    /// Adds a key that is not there.
    pub(super) fn add(&mut self, key: K, at: u32) -> Result<(), OutOfMemory> {
        self.list.push((key, at))?;
        let len = self.list.len();
        let unknown = match len.checked_sub(FEW + 1) {
            None => len..len,
            Some(0) => 0..len,
            Some(_) => len - 1..len,
        };
        for number in unknown {
            self.table
                .insert(self.list[number].0.hash(), number as u32)?;
        }
        Ok(())
    }
}

/// A part that [`Places`] finds.
pub(super) trait Key: Copy + Eq {
    /// Returns a number that no other key of the type has.
    fn word(self) -> u64;

    fn hash(self) -> u32 {
        HashKey::new(0).word(self.word())
    }
}

/// The number of a version.
impl Key for u32 {
    fn word(self) -> u64 {
        self.into()
    }
}

impl Key for FixupTarget {
    fn word(self) -> u64 {
        let (kind, number) = match self {
            FixupTarget::Block(block) => (0, block.number()),
            FixupTarget::Constant(constant) => (1, constant.number()),
            FixupTarget::Table(table) => (2, table.number()),
            FixupTarget::Symbol(symbol) => (3, symbol.number()),
        };
        u64::from(number) << 2 | kind
    }
}
