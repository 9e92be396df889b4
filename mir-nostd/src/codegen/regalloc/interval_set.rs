//! Interval sets: the segments in which a register unit is taken.

use crate::codegen::analysis::liveness::Segment;
use crate::mem::{Allocator, OutOfMemory, Vec};

/// A set of disjoint segments, in order, in pieces of bounded length: inserting one costs little
/// wherever it goes, even among a million.
pub(crate) struct Taken<'m> {
    first: Vec<'m, Segment>,
    /// The pieces after the first.
    more: Vec<'m, Vec<'m, Segment>>,
}

/// The most segments of a piece.
const LARGEST: usize = 512;

impl<'m> Taken<'m> {
    pub(crate) const fn new(allocator: &'m dyn Allocator) -> Taken<'m> {
        Taken {
            first: Vec::new(allocator),
            more: Vec::new(allocator),
        }
    }

    fn piece(&self, number: usize) -> &[Segment] {
        match number.checked_sub(1) {
            None => &self.first,
            Some(number) => self.more.get(number).map_or(&[], |piece| piece),
        }
    }

    fn piece_mut(&mut self, number: usize) -> &mut Vec<'m, Segment> {
        match number.checked_sub(1) {
            None => &mut self.first,
            Some(number) => &mut self.more[number],
        }
    }

    /// Returns the piece and the index in it of the first segment that ends after a position, or
    /// the end of the last piece if there is none.
    fn place(&self, position: u32) -> (usize, usize) {
        let ends_before =
            |piece: &Vec<'m, Segment>| piece.last().is_none_or(|last| last.end <= position);
        let mut number = 0;
        if !self.more.is_empty() && ends_before(&self.first) {
            number = 1 + self.more.partition_point(ends_before);
            number = number.min(self.more.len());
        }
        let piece = self.piece(number);
        (number, piece.partition_point(|other| other.end <= position))
    }

    /// Returns whether no part of a segment is taken.
    pub(crate) fn is_free(&self, segment: Segment) -> bool {
        let (piece, place) = self.place(segment.start);
        let next = self.piece(piece).get(place);
        next.is_none_or(|next| next.start >= segment.end)
    }

    /// Returns the position up to which nothing is taken from `position` on; 0 if that itself is
    /// taken.
    pub(crate) fn free_until(&self, position: u32) -> u32 {
        let (piece, place) = self.place(position);
        match self.piece(piece).get(place) {
            None => u32::MAX,
            Some(next) if next.start <= position => 0,
            Some(next) => next.start,
        }
    }

    /// Takes a segment that is free.
    pub(crate) fn take(&mut self, segment: Segment) -> Result<(), OutOfMemory> {
        let (mut piece, mut place) = self.place(segment.start);
        if self.piece(piece).len() >= LARGEST {
            self.split(piece)?;
            if let Some(behind) = place.checked_sub(LARGEST / 2) {
                (piece, place) = (piece + 1, behind);
            }
        }
        let list = self.piece_mut(piece);
        let last = list.len();
        list.push(segment)?;
        list.copy_within(place..last, place + 1);
        list[place] = segment;
        Ok(())
    }

    /// Frees a segment that was taken as it is.
    pub(crate) fn release(&mut self, segment: Segment) {
        let (piece, place) = self.place(segment.start);
        let list = self.piece_mut(piece);
        if list.get(place) != Some(&segment) {
            return;
        }
        list[place..].rotate_left(1);
        list.truncate(list.len() - 1);
        // The search for a position expects that no piece after the first is empty.
        if let Some(number) = piece
            .checked_sub(1)
            .filter(|_| self.piece(piece).is_empty())
        {
            self.more[number..].rotate_left(1);
            self.more.truncate(self.more.len() - 1);
        }
    }

    /// Splits a full piece in two.
    fn split(&mut self, piece: usize) -> Result<(), OutOfMemory> {
        let upper = &self.piece(piece)[LARGEST / 2..];
        let upper = Vec::from_slice(self.first.allocator(), upper)?;
        self.more.push(upper)?;
        self.more[piece..].rotate_right(1);
        self.piece_mut(piece).truncate(LARGEST / 2);
        Ok(())
    }

    /// Takes a segment that starts after the starts of all others. One that overlaps or touches the
    /// last is merged with it.
    pub(crate) fn take_last(&mut self, segment: Segment) -> Result<(), OutOfMemory> {
        let piece = self.piece_mut(self.more.len());
        if let Some(last) = piece.last_mut()
            && last.end >= segment.start
        {
            last.start = last.start.min(segment.start);
            last.end = last.end.max(segment.end);
            return Ok(());
        }
        if piece.len() < LARGEST {
            return piece.push(segment);
        }
        self.take(segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::tests::System;

    /// Returns the segment with a number, which is free of all others.
    fn segment(number: u32) -> Segment {
        Segment {
            start: 4 * number,
            end: 4 * number + 3,
        }
    }

    /// Segments of several pieces are taken and freed; the rest stay as they are, even if a whole
    /// piece goes.
    #[test]
    fn what_is_freed_is_free_and_nothing_else() {
        let count = 3 * LARGEST as u32;
        let mut taken = Taken::new(&System);
        for number in 0..count {
            taken.take(segment(number)).unwrap();
        }
        let goes = |number: u32| number.is_multiple_of(3) || (500..1200).contains(&number);
        for number in (0..count).filter(|&number| goes(number)) {
            taken.release(segment(number));
        }
        for number in 0..count {
            assert_eq!(taken.is_free(segment(number)), goes(number), "{number}");
        }
        for number in (0..count).rev().filter(|&number| goes(number)) {
            taken.take(segment(number)).unwrap();
        }
        assert!((0..count).all(|number| !taken.is_free(segment(number))));
    }

    /// Segments that come in order take what they cover, over several pieces, and those that touch
    /// the last become one with it.
    #[test]
    fn segments_in_order_take_what_they_cover() {
        let count = 3 * LARGEST as u32;
        let mut taken = Taken::new(&System);
        for number in 0..count {
            let Segment { start, end } = segment(number);
            let middle = start + 1;
            taken.take_last(Segment { start, end: middle }).unwrap();
            taken.take_last(Segment { start: middle, end }).unwrap();
        }
        for number in 0..count {
            let Segment { start, end } = segment(number);
            assert_eq!(taken.free_until(start), 0, "{number}");
            assert_eq!(taken.free_until(end - 1), 0, "{number}");
            let next = if number + 1 < count {
                end + 1
            } else {
                u32::MAX
            };
            assert_eq!(taken.free_until(end), next, "{number}");
            taken.release(segment(number));
            assert!(taken.is_free(segment(number)), "{number}");
        }
    }
}
