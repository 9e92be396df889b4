//! Where a register unit is taken.

use super::liveness::Segment;
use crate::mem::{Allocator, OutOfMemory, Vec};

/// Segments that do not overlap, in order, in pieces of bounded length: adding one costs little wherever it goes, also
/// among a million.
pub(super) struct Taken<'m> {
    pieces: Vec<'m, Vec<'m, Segment>>,
    allocator: &'m dyn Allocator,
}

/// The most segments of a piece.
const LARGEST: usize = 512;

impl<'m> Taken<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator) -> Taken<'m> {
        Taken {
            pieces: Vec::new(allocator),
            allocator,
        }
    }

    /// The piece of the first segment that ends behind a position, and its place there.
    fn place(&self, position: u32) -> (usize, usize) {
        let ends_before =
            |piece: &Vec<'m, Segment>| piece.last().is_none_or(|last| last.end <= position);
        let number = self.pieces.partition_point(ends_before);
        let piece = self.pieces.get(number).map_or(&[][..], |piece| piece);
        (number, piece.partition_point(|other| other.end <= position))
    }

    /// Whether nothing of a segment is taken.
    pub(super) fn is_free(&self, segment: Segment) -> bool {
        let (piece, place) = self.place(segment.start);
        let next = self.pieces.get(piece).and_then(|piece| piece.get(place));
        next.is_none_or(|next| next.start >= segment.end)
    }

    /// Up to where nothing is taken from a position on; 0 if that itself is.
    pub(super) fn free_until(&self, position: u32) -> u32 {
        let (piece, place) = self.place(position);
        let next = self.pieces.get(piece).and_then(|piece| piece.get(place));
        match next {
            None => u32::MAX,
            Some(next) if next.start <= position => 0,
            Some(next) => next.start,
        }
    }

    /// Takes a segment that is free.
    pub(super) fn take(&mut self, segment: Segment) -> Result<(), OutOfMemory> {
        let (mut piece, mut place) = self.place(segment.start);
        if piece == self.pieces.len() {
            if piece == 0 {
                self.pieces.push(Vec::new(self.allocator))?;
            } else {
                piece -= 1;
                place = self.pieces[piece].len();
            }
        }
        if self.pieces[piece].len() >= LARGEST {
            self.split(piece)?;
            if let Some(behind) = place.checked_sub(LARGEST / 2) {
                (piece, place) = (piece + 1, behind);
            }
        }
        let list = &mut self.pieces[piece];
        list.push(segment)?;
        list[place..].rotate_right(1);
        Ok(())
    }

    /// Makes two pieces of one that is full.
    fn split(&mut self, piece: usize) -> Result<(), OutOfMemory> {
        let upper = Vec::from_slice(self.allocator, &self.pieces[piece][LARGEST / 2..])?;
        self.pieces.push(upper)?;
        self.pieces[piece + 1..].rotate_right(1);
        self.pieces[piece].truncate(LARGEST / 2);
        Ok(())
    }

    /// Takes a segment that starts behind all others' starts; what overlaps or touches the last becomes one with it.
    pub(super) fn take_last(&mut self, segment: Segment) -> Result<(), OutOfMemory> {
        if let Some(last) = self.pieces.last_mut().and_then(|piece| piece.last_mut())
            && last.end >= segment.start
        {
            last.start = last.start.min(segment.start);
            last.end = last.end.max(segment.end);
            return Ok(());
        }
        self.take(segment)
    }
}
