//! Unpacking: the container's elements become the bytes of the token stream, one block at a time.
//! `docs/reference/binary.md` describes the container.
//!
//! Promises: every count, distance and length is checked before it is used; only one block of
//! unpacked bytes is in memory, in a buffer that grows with the packed bytes at hand; the end of
//! the data is only reported after the check value agreed and nothing follows it.

use super::hash::strict_hash;
use super::stream::Source;
use super::{BLOCK, CHECK_SEED, LONGEST_RUN, MAGIC, SHORTEST_MATCH};
use crate::ir::{Error, Place, Problem, Result};
use crate::mem::{Allocator, Vec};

/// The number of bytes after the last one that a reader of [`Unpacker::bytes`] may access; their
/// values are meaningless.
pub(super) const MARGIN: usize = 64;

/// The minimum growth of the buffer.
const GROWTH: usize = 2048;

/// A file being unpacked: a window of unpacked bytes, moved on block by block.
pub(super) struct Unpacker<'m, S> {
    input: Input<S>,
    /// `MARGIN` bytes for the kept end of the block before, the block, and `MARGIN` meaningless
    /// bytes.
    buffer: Vec<'m, u8>,
    matches: Matches<'m>,
    check: u64,
    unpacked: u64,
    limit: u64,
    is_at_end: bool,
}

impl<'m, S: Source> Unpacker<'m, S> {
    /// Begins with a file, which starts with the magic. At most `limit` bytes may be unpacked from
    /// it.
    pub(super) fn new(source: S, limit: u64, allocator: &'m dyn Allocator) -> Result<Self> {
        let mut input = Input { source, offset: 0 };
        for byte in MAGIC {
            if input.byte()? != byte {
                return Err(Error::at(Problem::WrongMagic, Place::Byte(0)));
            }
        }
        Ok(Unpacker {
            input,
            buffer: Vec::new(allocator),
            matches: Matches::new(allocator),
            check: CHECK_SEED,
            unpacked: 0,
            limit,
            is_at_end: false,
        })
    }

    /// Returns whether the last block has been unpacked, and the check value agreed.
    pub(super) const fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Returns the number of bytes unpacked so far.
    pub(super) const fn unpacked(&self) -> u64 {
        self.unpacked
    }

    /// Returns the bytes, of which the last [`Unpacker::next_block`] said the valid range, and
    /// `MARGIN` meaningless bytes after them.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Unpacks the next block, keeping the bytes `kept` (at most `MARGIN`) before it. Returns where
    /// in [`Unpacker::bytes`] the kept bytes start and the block ends.
    pub(super) fn next_block(&mut self, kept: core::ops::Range<usize>) -> Result<(usize, usize)> {
        self.make_room(0)?;
        let start = MARGIN.saturating_sub(kept.len());
        self.buffer.copy_within(kept, start);
        self.matches.clear();
        let mut len = 0;
        while len < BLOCK && !self.is_at_end {
            len = self.common_elements(len)?;
            if len < BLOCK {
                len = self.element(len)?;
            }
        }
        if let Some(block) = self.buffer.get(MARGIN..MARGIN + len)
            && !block.is_empty()
        {
            self.check = strict_hash(block, self.check);
        }
        self.unpacked += len as u64;
        if self.is_at_end {
            self.input.finish(self.check)?;
            // Later structures can use their memory.
            self.matches = Matches::new(self.buffer.allocator());
        }
        Ok((start, MARGIN + len))
    }

    /// Unpacks elements as long as they are common ones: valid, with few literals, and with room
    /// for them in the buffer. It leaves all others, errors included, to [`Unpacker::element`].
    fn common_elements(&mut self, mut len: usize) -> Result<usize> {
        let allowed = usize::try_from(self.limit - self.unpacked).unwrap_or(usize::MAX);
        let (buffer, matches) = (&mut self.buffer[..], &mut self.matches);
        let room = allowed.min(BLOCK).min(buffer.len() - 2 * MARGIN);
        let packed = self.input.source.fill();
        let mut at = 0;
        while let Some(element) = Element::common(&packed[at..]) {
            let literals = usize::from(element.literals);
            let (to, behind) = (MARGIN + len, len + literals);
            let entries = matches.entries + u32::from(element.literals);
            let from = match element.count {
                0 => Some(behind),
                _ => matches.position(entries, element.distance),
            };
            let count = element.count as usize;
            let Some(from) = from.filter(|from| from + count <= behind && behind + count <= room)
            else {
                break;
            };
            copy_short(buffer, to, &packed[at + element.start..]);
            matches.entries = entries;
            if count > 0 {
                copy_match(buffer, MARGIN + from, MARGIN + behind, count);
                matches.add(count)?;
            }
            len = behind + count;
            at += element.len;
        }
        self.input.source.consume(at);
        self.input.offset += at as u64;
        Ok(len)
    }

    /// Unpacks one element after the first `len` bytes of the block, and returns the new number of
    /// bytes.
    fn element(&mut self, len: usize) -> Result<usize> {
        let place = Place::Byte(self.input.offset);
        let tag = self.input.byte()?;
        if tag == 0 {
            self.is_at_end = true;
            return Ok(len);
        }
        let literals = match tag >> 5 {
            7 => self.input.number()? as usize,
            count => usize::from(count),
        };
        let len = self.literals(literals, len).map_err(|e| e.or_at(place))?;
        match tag & 31 {
            0 => return Ok(len),
            31 => self.input.number().map(|number| number as usize),
            short => Ok(usize::from(short)),
        }
        .and_then(|excess| self.reference(excess + SHORTEST_MATCH - 1, len))
        .map_err(|error| error.or_at(place))
    }

    fn literals(&mut self, count: usize, len: usize) -> Result<usize> {
        if count > LONGEST_RUN || count > BLOCK - len {
            return Err(Problem::WrongLiteralCount.into());
        }
        self.make_room(len + count)?;
        self.matches.entries += count as u32;
        let to = MARGIN + len;
        self.input.copy(&mut self.buffer[to..], count)?;
        Ok(len + count)
    }

    fn reference(&mut self, count: usize, len: usize) -> Result<usize> {
        let distance = self.input.number()?;
        let from = self
            .matches
            .position(self.matches.entries, distance)
            .ok_or(Problem::WrongDistance)?;
        if count > BLOCK - len || from + count > len {
            return Err(Problem::WrongMatchLength.into());
        }
        self.make_room(len + count)?;
        self.matches.add(count)?;
        copy_match(&mut self.buffer, MARGIN + from, MARGIN + len, count);
        Ok(len + count)
    }

    /// Ensures that the buffer is large enough for a block of `len` bytes.
    fn make_room(&mut self, len: usize) -> Result<()> {
        if self.buffer.len() < len + 2 * MARGIN {
            self.grow(len)?;
        }
        if self.unpacked + len as u64 > self.limit {
            return Err(Problem::OverLimit.into());
        }
        Ok(())
    }

    /// Makes the buffer larger than requested, by about what the packed bytes at hand will need:
    /// each time that it grows while other arrays do, it is copied.
    #[cold]
    fn grow(&mut self, len: usize) -> Result<()> {
        let expected = self.input.source.fill().len().min(BLOCK) * 2;
        let some_more = (len + GROWTH.max(expected)).min(BLOCK).max(len);
        Ok(self.buffer.resize(some_more + 2 * MARGIN, 0)?)
    }
}

/// A common element, in at least [`Element::LONGEST`] packed bytes.
struct Element {
    /// The start of its literals.
    start: usize,
    literals: u8,
    /// The length of the match; 0 if there is none.
    count: u32,
    distance: u32,
    len: usize,
}

impl Element {
    /// The maximum number of literals of a common element.
    const MOST_LITERALS: u8 = 16;
    /// The maximum length: tag, length of the literals, literals, two numbers.
    const LONGEST: usize = 2 + Element::MOST_LITERALS as usize + 8;

    /// Decodes the element at the start of `packed`, if it is a common one.
    fn common(packed: &[u8]) -> Option<Element> {
        let packed = packed.first_chunk::<{ Element::LONGEST }>()?;
        let [tag, first, ..] = *packed;
        let (start, literals) = match tag >> 5 {
            7 => (2, first ^ 0x80),
            literals => (1, literals),
        };
        if tag == 0 || literals > Element::MOST_LITERALS {
            return None;
        }
        let mut element = Element {
            start,
            literals,
            count: 0,
            distance: 0,
            len: start + usize::from(literals),
        };
        let reference = u32::from(tag & 31);
        if reference > 0 {
            element.count = reference + SHORTEST_MATCH as u32 - 1;
            if reference == 31 {
                element.count = element.number(packed)? + SHORTEST_MATCH as u32 - 1;
            }
            element.distance = element.number(packed)?;
        }
        Some(element)
    }

    /// Decodes the next number.
    fn number(&mut self, packed: &[u8; Element::LONGEST]) -> Option<u32> {
        let bytes = packed.get(self.len..)?.first_chunk::<4>()?;
        let word = u32::from_be_bytes(*bytes);
        let more = word.leading_zeros();
        if more > 3 {
            return None;
        }
        self.len += 1 + more as usize;
        let shift = 8 * (3 - more);
        Some((word ^ 0x8000_0000 >> more) >> shift)
    }
}

/// Copies `Element::MOST_LITERALS` bytes, the last of which may be meaningless.
fn copy_short(buffer: &mut [u8], to: usize, literals: &[u8]) {
    const LEN: usize = Element::MOST_LITERALS as usize;
    let place = buffer.get_mut(to..).and_then(<[u8]>::first_chunk_mut);
    if let (Some(place), Some(literals)) = (place, literals.first_chunk::<LEN>()) {
        *place = *literals;
    }
}

/// Copies `count` bytes from `from` to `to`, which is after all of them. A short match is copied as
/// one piece of fixed size, which may write meaningless bytes after the copy.
fn copy_match(buffer: &mut [u8], from: usize, to: usize, count: usize) {
    let piece = buffer
        .get(from..)
        .and_then(<[u8]>::first_chunk::<16>)
        .copied();
    let place = buffer.get_mut(to..).and_then(<[u8]>::first_chunk_mut::<16>);
    match (piece, place) {
        (Some(piece), Some(place)) if count <= 16 => *place = piece,
        _ => buffer.copy_within(from..from + count, to),
    }
}

/// The packed bytes and their count.
struct Input<S> {
    source: S,
    offset: u64,
}

impl<S: Source> Input<S> {
    fn byte(&mut self) -> Result<u8> {
        let Some(&byte) = self.source.fill().first() else {
            return Err(self.cut_short());
        };
        self.source.consume(1);
        self.offset += 1;
        Ok(byte)
    }

    /// Reads one to four bytes, most significant first; the leading zero bits of the first say how
    /// many.
    fn number(&mut self) -> Result<u32> {
        let place = Place::Byte(self.offset);
        let first = self.byte()?;
        let more = first.leading_zeros();
        if more > 3 {
            return Err(Error::at(Problem::WrongContainerNumber, place));
        }
        let mut number = u32::from(first & (0x7F >> more));
        for _ in 0..more {
            number = number << 8 | u32::from(self.byte()?);
        }
        Ok(number)
    }

    /// Copies `count` bytes to the start of `to`, which is at least `MARGIN` longer.
    fn copy(&mut self, mut to: &mut [u8], count: usize) -> Result<()> {
        let mut left = count;
        while left > 0 {
            let from = self.source.fill();
            if from.is_empty() {
                return Err(self.cut_short());
            }
            let taken = left.min(from.len());
            match (from.first_chunk::<8>(), to.first_chunk_mut::<8>()) {
                (Some(from), Some(to)) if taken <= 8 => *to = *from,
                _ => to[..taken].copy_from_slice(&from[..taken]),
            }
            to = &mut to[taken..];
            self.source.consume(taken);
            self.offset += taken as u64;
            left -= taken;
        }
        Ok(())
    }

    /// Compares the check value, after which nothing may follow.
    fn finish(&mut self, check: u64) -> Result<()> {
        let place = Place::Byte(self.offset);
        let mut stored = [0; 8];
        for byte in &mut stored {
            *byte = self.byte()?;
        }
        if u64::from_le_bytes(stored) != check {
            return Err(Error::at(Problem::WrongCheck, place));
        }
        if !self.source.fill().is_empty() {
            return Err(Error::at(Problem::AfterEnd, Place::Byte(self.offset)));
        }
        Ok(())
    }

    #[cold]
    const fn cut_short(&self) -> Error {
        Error::at(Problem::CutShort, Place::Byte(self.offset))
    }
}

/// The positions of a block's entries: every literal byte and every match is one entry.
///
/// An entry's position exceeds its number by the sum of the lengths, less one each, of the matches
/// before it. So only matches are kept, and a bit set of them for each 32 entries; an entry's
/// position is found without searching.
struct Matches<'m> {
    entries: u32,
    groups: Vec<'m, Group>,
    /// For each number of matches, how much position exceeds entry; the first is for no match.
    excess: Vec<'m, u32>,
}

/// Thirty-two consecutive entries.
#[derive(Clone, Copy)]
struct Group {
    /// The set of those that are matches, the first in the lowest bit.
    matches: u32,
    /// The number of matches before.
    before: u32,
}

impl<'m> Matches<'m> {
    const fn new(allocator: &'m dyn Allocator) -> Matches<'m> {
        Matches {
            entries: 0,
            groups: Vec::new(allocator),
            excess: Vec::new(allocator),
        }
    }

    fn clear(&mut self) {
        self.entries = 0;
        self.groups.clear();
        self.excess.clear();
    }

    /// Returns the position of the entry that lies `distance` before entry number `entries`, if
    /// there is one. Entries that were not counted yet are taken as literals.
    fn position(&self, entries: u32, distance: u32) -> Option<usize> {
        let entry = entries.checked_sub(distance)?;
        if distance == 0 {
            return None;
        }
        // Entries after the last group are literals that came after all matches.
        let matches = match self.groups.get(entry as usize / 32) {
            Some(group) => {
                let before = group.matches & ((1 << (entry % 32)) - 1);
                (group.before + before.count_ones()) as usize
            }
            None => self.excess.len().saturating_sub(1),
        };
        let excess = self.excess.get(matches).copied().unwrap_or(0);
        Some((entry + excess) as usize)
    }

    /// Makes the next entry a match of `len` bytes.
    #[cfg_attr(not(small_code), inline(always))]
    fn add(&mut self, len: usize) -> Result<()> {
        let excess = match self.excess.last() {
            Some(&excess) => excess,
            None => {
                self.excess.push(0)?;
                0
            }
        };
        let group = self.entries as usize / 32;
        while self.groups.len() <= group {
            self.groups.push(Group {
                matches: 0,
                before: self.excess.len() as u32 - 1,
            })?;
        }
        self.groups[group].matches |= 1 << (self.entries % 32);
        self.excess.push(excess + len as u32 - 1)?;
        self.entries += 1;
        Ok(())
    }
}
