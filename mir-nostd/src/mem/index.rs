//! Entities: things that are numbered by `u32` and kept in arrays.

use super::{Allocator, OutOfMemory, Vec};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

/// A number that identifies an entity of one kind.
pub trait Entity: Copy + Eq {
    /// Returns the entity of this number, which is not `u32::MAX`: that is the niche for `None`, so
    /// that an `Option` takes no more room.
    fn new(number: u32) -> Self;

    /// Returns the entity's number.
    fn number(self) -> u32;

    /// Returns the entity's number as an array index.
    fn index(self) -> usize {
        self.number() as usize
    }
}

/// Defines a type of entity: `entity! { /// Doc. pub struct Name; "prefix" }`; `Debug` shows the
/// prefix.
macro_rules! entity {
    ($(#[$doc:meta])* $visibility:vis struct $name:ident; $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        $visibility struct $name(core::num::NonZeroU32);

        impl $crate::mem::Entity for $name {
            fn new(number: u32) -> Self {
                let next = core::num::NonZeroU32::new(number.wrapping_add(1));
                $name(next.unwrap_or(core::num::NonZeroU32::MAX))
            }

            fn number(self) -> u32 {
                self.0.get() - 1
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!($prefix, "{}"), $crate::mem::Entity::number(*self))
            }
        }
    };
}
pub(crate) use entity;

/// Returns the first `count` entities of a kind, in order.
pub(crate) fn numbered<K: Entity>(
    allocator: &dyn Allocator,
    count: usize,
) -> Result<Vec<'_, K>, OutOfMemory> {
    let mut entities = Vec::with_capacity(allocator, count)?;
    entities.resize(count, K::new(0))?;
    for (number, entity) in (0..).zip(entities.iter_mut()) {
        *entity = K::new(number);
    }
    Ok(entities)
}

/// The values of all entities of one kind, numbered from 0 in order of creation.
///
/// Indexing with an entity of another map may panic; entities only come from their own map.
pub struct IndexMap<'m, K, V> {
    values: Vec<'m, V>,
    keys: PhantomData<fn() -> K>,
}

impl<'m, K: Entity, V> IndexMap<'m, K, V> {
    /// Makes an empty map; allocates nothing.
    #[must_use]
    pub const fn new(allocator: &'m dyn Allocator) -> Self {
        IndexMap {
            values: Vec::new(allocator),
            keys: PhantomData,
        }
    }

    /// Adds a value and returns its entity.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the map is then unchanged.
    pub fn push(&mut self, value: V) -> Result<K, OutOfMemory> {
        let key = K::new(self.values.len() as u32);
        self.values.push(value)?;
        Ok(key)
    }

    /// Returns the entity that the next [`IndexMap::push`] will return.
    #[must_use]
    pub fn next_key(&self) -> K {
        K::new(self.values.len() as u32)
    }

    /// Returns the value of an entity, if it is one of this map.
    pub fn get(&self, key: K) -> Option<&V> {
        self.values.get(key.index())
    }

    /// Returns the value of an entity, if it is one of this map, to change it.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.values.get_mut(key.index())
    }

    /// Returns the number of entities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there is no entity.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns all entities in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.values.len() as u32).map(K::new)
    }

    /// Returns all entities with their values, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.values
            .iter()
            .enumerate()
            .map(|(number, value)| (K::new(number as u32), value))
    }

    /// Returns all values in order.
    #[must_use]
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// Returns all values in order, to change them.
    pub fn values_mut(&mut self) -> &mut [V] {
        &mut self.values
    }

    /// Removes the entities from number `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.values.truncate(len);
    }

    /// Makes room for `additional` more values.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn reserve(&mut self, additional: usize) -> Result<(), OutOfMemory> {
        self.values.reserve(additional)
    }

    /// Returns memory beyond the values, as [`Vec::shrink_to_fit`] does.
    pub fn shrink_to_fit(&mut self) {
        self.values.shrink_to_fit();
    }
}

impl<K: Entity, V> Index<K> for IndexMap<'_, K, V> {
    type Output = V;

    #[cfg_attr(debug_assertions, track_caller)]
    fn index(&self, key: K) -> &V {
        &self.values[key.index()]
    }
}

impl<K: Entity, V> IndexMut<K> for IndexMap<'_, K, V> {
    #[cfg_attr(debug_assertions, track_caller)]
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.values[key.index()]
    }
}

impl<K: Entity + fmt::Debug, V: fmt::Debug> fmt::Debug for IndexMap<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
