//! Packing: bytes become the container's elements, by the choices of the reference implementation.
//! `docs/reference/binary.md` describes the container.

use super::hash::strict_hash;
use super::stream::Sink;
use super::{BLOCK, CHECK_SEED, LONGEST_RUN, MAGIC, SHORTEST_MATCH};
use crate::ir::Result;
use crate::mem::{Allocator, Vec};

/// Packs bytes into a sink, block by block.
pub(super) struct Packer<'s, 'm, S> {
    sink: &'s mut S,
    block: Vec<'m, u8>,
    /// The entries of the block so far; none if only literals are written.
    history: Option<History<'m>>,
    check: u64,
}

impl<'s, 'm, S: Sink> Packer<'s, 'm, S> {
    pub(super) fn new(sink: &'s mut S, pack: bool, allocator: &'m dyn Allocator) -> Result<Self> {
        sink.take(&MAGIC)?;
        Ok(Packer {
            sink,
            block: Vec::new(allocator),
            history: pack.then(|| History::new(allocator)).transpose()?,
            check: CHECK_SEED,
        })
    }

    /// Packs the next bytes.
    pub(super) fn take(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            let room = bytes.len().min(BLOCK - self.block.len());
            let (now, later) = bytes.split_at(room);
            self.block.extend_from_slice(now)?;
            if self.block.len() == BLOCK {
                self.end_block()?;
            }
            bytes = later;
        }
        Ok(())
    }

    /// Writes the rest, the end and the check value.
    pub(super) fn finish(mut self) -> Result<()> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.sink.take(&[0])?;
        self.sink.take(&self.check.to_le_bytes())
    }

    fn end_block(&mut self) -> Result<()> {
        self.check = strict_hash(&self.block, self.check);
        let mut literals = 0;
        if let Some(history) = &mut self.history {
            history.clear();
            let mut at = 0;
            while at < self.block.len() {
                let found = history.find(&self.block, at);
                history.add(&self.block, at)?;
                if let Some(found) = found {
                    write_element(self.sink, &self.block[literals..at], Some(found))?;
                    at += found.len;
                    literals = at;
                } else {
                    at += 1;
                }
            }
        }
        let rest = &self.block[literals..];
        write_element(self.sink, rest, None)?;
        self.block.clear();
        Ok(())
    }
}

/// A repetition of earlier bytes.
#[derive(Clone, Copy)]
struct Match {
    len: usize,
    /// The distance back, in entries.
    distance: u32,
}

impl Match {
    /// Returns the number of bytes that distance and length take in a file, without the tag.
    fn cost(self) -> usize {
        let excess = (self.len - SHORTEST_MATCH + 1) as u32;
        number_len(self.distance) + if excess < 31 { 0 } else { number_len(excess) }
    }
}

/// Writes literals and the match after them: as many elements as the literals need.
fn write_element<S: Sink>(sink: &mut S, literals: &[u8], found: Option<Match>) -> Result<()> {
    let mut literals = literals;
    while let Some((full, rest)) = literals.split_at_checked(LONGEST_RUN)
        && !rest.is_empty()
    {
        write_tagged(sink, full, 0)?;
        literals = rest;
    }
    let Some(found) = found else {
        return if literals.is_empty() {
            Ok(())
        } else {
            write_tagged(sink, literals, 0)
        };
    };
    let excess = (found.len - SHORTEST_MATCH + 1) as u32;
    write_tagged(sink, literals, excess.min(31) as u8)?;
    if excess >= 31 {
        write_number(sink, excess)?;
    }
    write_number(sink, found.distance)
}

/// Writes a tag and literals.
fn write_tagged<S: Sink>(sink: &mut S, literals: &[u8], reference: u8) -> Result<()> {
    let count = literals.len();
    sink.take(&[(count.min(7) as u8) << 5 | reference])?;
    if count >= 7 {
        write_number(sink, count as u32)?;
    }
    sink.take(literals)
}

/// Returns the number of bytes that a number takes.
const fn number_len(number: u32) -> usize {
    match number {
        0..0x80 => 1,
        0x80..0x4000 => 2,
        0x4000..0x20_0000 => 3,
        _ => 4,
    }
}

/// Writes a number of at most 28 bits.
fn write_number<S: Sink>(sink: &mut S, number: u32) -> Result<()> {
    let len = number_len(number);
    let marked = number | 1 << (7 * len);
    sink.take(&marked.to_be_bytes()[4 - len..])
}

/// The places of the block at which a match may begin, found by the four bytes there.
struct History<'m> {
    /// For each hash the newest place + 1; 0 if there is none.
    newest: Vec<'m, u32>,
    places: Vec<'m, RingNode>,
    /// The number of literals and matches so far.
    entries: u32,
}

/// A place in the ring of those with the same hash.
#[derive(Clone, Copy)]
struct RingNode {
    position: u32,
    entry: u32,
    older: u16,
    newer: u16,
}

/// The number of hashes, and of places that are remembered.
const PLACES: usize = 1 << 16;
const HASH_SEED: u64 = 24;

impl<'m> History<'m> {
    fn new(allocator: &'m dyn Allocator) -> Result<History<'m>> {
        let mut newest = Vec::new(allocator);
        newest.resize(PLACES, 0)?;
        Ok(History {
            newest,
            places: Vec::new(allocator),
            entries: 0,
        })
    }

    fn clear(&mut self) {
        self.newest.fill(0);
        self.places.clear();
        self.entries = 0;
    }

    /// Returns the hash of the four bytes at `at`, if there are as many.
    fn bucket(block: &[u8], at: usize) -> Option<usize> {
        let start = block.get(at..at + SHORTEST_MATCH)?;
        Some(strict_hash(start, HASH_SEED) as usize % PLACES)
    }

    /// Returns the match at `at` that saves most: of equal ones the newest.
    fn find(&self, block: &[u8], at: usize) -> Option<Match> {
        let newest = self.newest[Self::bucket(block, at)?].checked_sub(1)? as u16;
        let mut best: Option<Match> = None;
        let mut number = newest;
        loop {
            let place = self.places[usize::from(number)];
            let position = place.position as usize;
            // The distance of an older match costs no less, so only a longer one can save more:
            // comparing one byte rejects most of a long ring.
            let is_longer = |best: Match| {
                let (from, to) = (position + best.len, at + best.len);
                from < at && to < block.len() && block[from] == block[to]
            };
            if best.is_none_or(is_longer) {
                let found = Match {
                    len: common_len(block, position, at),
                    distance: self.entries - place.entry,
                };
                let is_better = |best: Match| best.len + found.cost() < found.len + best.cost();
                if found.len >= SHORTEST_MATCH && best.is_none_or(is_better) {
                    best = Some(found);
                }
            }
            number = place.older;
            if number == newest {
                return best;
            }
        }
    }

    /// Makes `at` the place of the next entry.
    fn add(&mut self, block: &[u8], at: usize) -> Result<()> {
        let entry = self.entries;
        self.entries += 1;
        let Some(bucket) = Self::bucket(block, at) else {
            return Ok(());
        };
        let newest = self.newest[bucket]
            .checked_sub(1)
            .map(|number| number as u16);
        let number = match newest {
            _ if self.places.len() < PLACES => self.new_place(newest)?,
            // No place is left: the oldest of the ring becomes its newest.
            Some(newest) => self.places[usize::from(newest)].newer,
            None => return Ok(()),
        };
        let place = &mut self.places[usize::from(number)];
        (place.position, place.entry) = (at as u32, entry);
        self.newest[bucket] = u32::from(number) + 1;
        Ok(())
    }

    /// Makes a place between the newest of a ring and its oldest, or in a ring of its own.
    fn new_place(&mut self, newest: Option<u16>) -> Result<u16> {
        let number = self.places.len() as u16;
        let older = newest.unwrap_or(number);
        let newer = newest.map_or(number, |newest| self.places[usize::from(newest)].newer);
        self.places.push(RingNode {
            position: 0,
            entry: 0,
            older,
            newer,
        })?;
        self.places[usize::from(older)].newer = number;
        self.places[usize::from(newer)].older = number;
        Ok(number)
    }
}

/// Returns how many bytes at `at` equal those at `from`, without overlap.
fn common_len(block: &[u8], from: usize, at: usize) -> usize {
    let (before, after) = block.split_at(at);
    let pairs = before[from..].iter().zip(after);
    pairs.take_while(|(left, right)| left == right).count()
}
