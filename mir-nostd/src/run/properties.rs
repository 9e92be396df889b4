//! Sets of properties: the constants that a program attached to values.

use crate::mem::{Allocator, HashKey, OutOfMemory, Vec};

/// The most properties of a set: others count as 0.
const MOST: usize = 16;

/// The properties that are not 0, by the number of the variable or place in memory.
pub(super) struct Properties<'m>(Vec<'m, (u32, i64)>);

impl<'m> Properties<'m> {
    /// Returns the empty set; allocates nothing.
    pub(super) const fn new(allocator: &'m dyn Allocator) -> Properties<'m> {
        Properties(Vec::new(allocator))
    }

    pub(super) fn copy(&self) -> Result<Properties<'m>, OutOfMemory> {
        Ok(Properties(Vec::from_slice(self.0.allocator(), &self.0)?))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_same(&self, other: &Properties<'_>) -> bool {
        *self.0 == *other.0
    }

    pub(super) fn hash(&self) -> u32 {
        let key = HashKey::new(self.0.allocator().hash_seed());
        self.0.iter().fold(0, |hash, &(place, value)| {
            let place = u64::from(hash) << 32 | u64::from(place);
            key.word(place ^ u64::from(key.word(value.cast_unsigned())).rotate_left(16))
        })
    }

    /// Returns the property of a variable, 0 if it has none.
    pub(super) fn get(&self, variable: u32) -> i64 {
        let place = (self.0).binary_search_by_key(&variable, |&(variable, _)| variable);
        let known = place.ok().and_then(|place| self.0.get(place));
        known.map_or(0, |&(_, value)| value)
    }

    /// Changes a property. If there is no room for it, it counts as 0.
    pub(super) fn set(&mut self, variable: u32, value: i64) -> Result<(), OutOfMemory> {
        let properties = &mut self.0;
        let place = properties.binary_search_by_key(&variable, |&(variable, _)| variable);
        match (place, value) {
            (Ok(place), 0) => {
                properties[place..].rotate_left(1);
                properties.pop();
            }
            (Ok(place), value) => properties[place].1 = value,
            (Err(_), 0) => {}
            (Err(place), value) => {
                if properties.len() < MOST {
                    properties.push((variable, value))?;
                    properties[place..].rotate_right(1);
                }
            }
        }
        Ok(())
    }
}
