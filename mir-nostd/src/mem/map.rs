//! Hashing: a table that finds `u32` numbers by the keys that they identify.

use super::{Allocator, OutOfMemory, Vec};
use core::fmt;

/// A hash table of numbers. The table holds each number and part of its hash; the caller holds the
/// keys of the numbers and compares them. Open addressing with linear probing, at most three
/// quarters full.
///
/// Names come from untrusted programs, so hashes are made with a [`HashKey`].
///
/// ```
/// use mir_nostd::mem::{HashKey, HashTable};
/// # fn main() -> Result<(), mir_nostd::mem::OutOfMemory> {
/// # let system = testkit::SystemAllocator;
/// let words = ["zero", "one", "two"];
/// let key = HashKey::new(7);
/// let mut table = HashTable::new(&system);
/// for (number, word) in words.iter().enumerate() {
///     table.insert(key.bytes(word.as_bytes()), number as u32)?;
/// }
/// let found = table.find(key.bytes(b"two"), |number| words[number as usize] == "two");
/// assert_eq!(found, Some(2));
/// # Ok(()) }
/// ```
pub struct HashTable<'m> {
    slots: Vec<'m, Slot>,
    used: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

const EMPTY: Slot = Slot {
    hash: 0,
    number: u32::MAX,
};

impl<'m> HashTable<'m> {
    /// Makes an empty table; allocates nothing.
    #[must_use]
    pub const fn new(allocator: &'m dyn Allocator) -> HashTable<'m> {
        HashTable {
            slots: Vec::new(allocator),
            used: 0,
        }
    }

    /// Returns the number with this hash for which `is_it` returns true.
    pub fn find(&self, hash: u32, is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        self.find_or_place(hash, is_it).ok()
    }

    /// Returns the number with this hash for which `is_it` returns true; if there is none, the
    /// place where [`HashTable::insert_at`] adds it.
    #[inline]
    pub(crate) fn find_or_place(
        &self,
        hash: u32,
        mut is_it: impl FnMut(u32) -> bool,
    ) -> Result<u32, usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots.get(place).ok_or(place)?;
            if slot.number == u32::MAX {
                return Err(place);
            }
            if slot.hash == hash && is_it(slot.number) {
                return Ok(slot.number);
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds a number at the place that [`HashTable::find_or_place`] returned for its hash last.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the table is then unchanged.
    #[inline]
    pub(crate) fn insert_at(
        &mut self,
        place: usize,
        hash: u32,
        number: u32,
    ) -> Result<(), OutOfMemory> {
        if self.used >= self.slots.len() / 4 * 3 {
            return self.insert(hash, number);
        }
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = Slot { hash, number };
            self.used += 1;
        }
        Ok(())
    }

    /// Adds a number, which must not be `u32::MAX`; the caller knows that it is not in the table.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`]; the table is then unchanged.
    pub fn insert(&mut self, hash: u32, number: u32) -> Result<(), OutOfMemory> {
        self.reserve_one()?;
        place(&mut self.slots, Slot { hash, number });
        self.used += 1;
        Ok(())
    }

    /// Ensures that the next [`HashTable::insert`] does not fail.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn reserve_one(&mut self) -> Result<(), OutOfMemory> {
        self.reserve(1)
    }

    /// Ensures that the next `additional` calls of [`HashTable::insert`] do not fail.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn reserve(&mut self, additional: usize) -> Result<(), OutOfMemory> {
        let needed = self.used.checked_add(additional).ok_or(OutOfMemory)?;
        if needed > self.slots.len() / 4 * 3 {
            self.grow(needed)
        } else {
            Ok(())
        }
    }

    /// Returns how far all numbers together are from where their hashes would have them.
    #[cfg(test)]
    pub(crate) fn displacement(&self) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        let distance = |(place, slot): (usize, &Slot)| {
            let is_used = slot.number != u32::MAX;
            is_used.then(|| place.wrapping_sub(slot.hash as usize) & mask)
        };
        self.slots.iter().enumerate().filter_map(distance).sum()
    }

    #[cold]
    fn grow(&mut self, needed: usize) -> Result<(), OutOfMemory> {
        let len = (needed.checked_mul(4).ok_or(OutOfMemory)? / 3 + 1).next_power_of_two();
        let mut larger = Vec::new(self.slots.allocator());
        larger.resize(len.max(16), EMPTY)?;
        for &slot in self.slots.iter().filter(|slot| slot.number != u32::MAX) {
            place(&mut larger, slot);
        }
        self.slots = larger;
        Ok(())
    }
}

/// Puts a slot into the first free place; there is one.
fn place(slots: &mut [Slot], slot: Slot) {
    let mask = slots.len() - 1;
    let mut place = slot.hash as usize & mask;
    while let Some(there) = slots.get_mut(place) {
        if there.number == u32::MAX {
            *there = slot;
            return;
        }
        place = (place + 1) & mask;
    }
}

impl fmt::Debug for HashTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashTable")
            .field("used", &self.used)
            .field("slots", &self.slots.len())
            .finish()
    }
}

/// A secret that decides which names have equal hashes.
///
/// Hashes multiply and fold: a word is combined with what came before, multiplied by a secret odd
/// number, and the halves of the product are combined. Where the secret is not known, no names are
/// known that collide more often than others.
#[derive(Clone, Copy, Debug)]
pub struct HashKey {
    start: u64,
    multiplier: u64,
}

impl HashKey {
    /// Returns the key of a seed, which programs that are not trusted must not know.
    #[must_use]
    pub const fn new(seed: u64) -> HashKey {
        HashKey {
            start: spread(seed),
            multiplier: spread(seed ^ GOLDEN_RATIO) | 1,
        }
    }

    /// Returns the hash of one word.
    #[inline]
    #[must_use]
    pub const fn word(self, word: u64) -> u32 {
        let state = self.fold(self.start, word);
        (state ^ state >> 32) as u32
    }

    /// Returns the hash of bytes, eight at a time.
    #[inline]
    #[must_use]
    pub fn bytes(self, bytes: &[u8]) -> u32 {
        let mut state = self.start ^ (bytes.len() as u64).wrapping_mul(self.multiplier);
        let mut rest = bytes;
        while let Some((word, tail)) = rest.split_first_chunk::<8>() {
            state = self.fold(state, u64::from_le_bytes(*word));
            rest = tail;
        }
        let last = match (rest.first_chunk::<4>(), rest.last_chunk::<4>(), rest) {
            (Some(first), Some(last), _) => {
                u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
            }
            (_, _, [first, .., last]) => {
                u64::from(*first) | u64::from(rest[rest.len() / 2]) << 8 | u64::from(*last) << 16
            }
            (_, _, [only]) => u64::from(*only),
            _ => 0,
        };
        state = self.fold(state, last);
        (state ^ state >> 32) as u32
    }

    #[inline]
    const fn fold(self, state: u64, word: u64) -> u64 {
        let product = (state ^ word) as u128 * self.multiplier as u128;
        (product as u64) ^ ((product >> 64) as u64)
    }
}

const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;

/// Spreads each bit over the whole word: the output function of `SplitMix64` (Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators", 2014).
const fn spread(seed: u64) -> u64 {
    let seed = seed.wrapping_add(GOLDEN_RATIO);
    let seed = (seed ^ seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let seed = (seed ^ seed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    seed ^ seed >> 31
}
