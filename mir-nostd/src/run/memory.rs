//! Executable memory, given out piece by piece and taken back.
//!
//! If the pages have an address of their own to be written through, pieces lie side by side, and
//! code is added while other code of the page runs. Otherwise every piece has pages for itself: no
//! page that may be running is ever made writable.

use crate::mem::{Allocator, OutOfMemory, Vec};
use crate::target::{Pages, Region};

/// The least bytes of a region, if pieces can share it.
const SMALLEST: usize = 16 << 10;

/// The most bytes of a region, unless a piece takes more.
const LARGEST: usize = 1 << 20;

/// A piece of executable memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// The address at which it runs.
    pub(super) run: usize,
    /// Its length as it was taken.
    pub(super) bytes: usize,
}

/// Memory that is free, in one region.
#[derive(Clone, Copy, Debug)]
struct Gap {
    start: usize,
    bytes: usize,
    /// The address at which the region runs.
    region: usize,
}

/// Regions of executable pages, given back when this is dropped.
pub(super) struct CodeMemory<'m> {
    pages: &'m dyn Pages,
    /// Pieces begin at multiples of this, a power of two.
    align: usize,
    regions: Vec<'m, Region>,
    /// By address; neighbours of one region are joined.
    gaps: Vec<'m, Gap>,
    /// The number of pieces that are taken.
    pieces: usize,
}

// SAFETY: regions are addresses of pages that the hook lends; they are used by one thread at a
// time.
unsafe impl Send for CodeMemory<'_> {}

impl<'m> CodeMemory<'m> {
    pub(super) const fn new(
        pages: &'m dyn Pages,
        allocator: &'m dyn Allocator,
        align: usize,
    ) -> CodeMemory<'m> {
        CodeMemory {
            pages,
            align,
            regions: Vec::new(allocator),
            gaps: Vec::new(allocator),
            pieces: 0,
        }
    }

    /// Returns the number of bytes of pages that are reserved.
    pub(super) fn reserved(&self) -> usize {
        self.regions.iter().map(|region| region.bytes).sum()
    }

    /// Takes a piece. Nothing runs there until it is written.
    pub(super) fn take(&mut self, bytes: usize) -> Result<Piece, OutOfMemory> {
        // Every piece may leave a gap, so that giving back needs no memory.
        let most = self.pieces + self.regions.len() + 3;
        self.gaps.reserve(most.saturating_sub(self.gaps.len()))?;
        let place = match self.find(bytes) {
            Some(place) => place,
            None => {
                self.add_region(bytes)?;
                self.find(bytes).ok_or(OutOfMemory)?
            }
        };
        let bytes = self.rounded(bytes, self.gaps[place].region);
        let gap = &mut self.gaps[place];
        let piece = Piece {
            run: gap.start,
            bytes,
        };
        gap.start += bytes;
        gap.bytes -= bytes;
        if gap.bytes == 0 {
            self.gaps[place..].rotate_left(1);
            self.gaps.pop();
        }
        self.pieces += 1;
        Ok(piece)
    }

    /// Returns the first gap with so much room.
    fn find(&self, bytes: usize) -> Option<usize> {
        let has_room = |gap: &Gap| gap.bytes >= self.rounded(bytes, gap.region);
        self.gaps.iter().position(has_room)
    }

    /// Returns the bytes that a piece takes in a region.
    fn rounded(&self, bytes: usize, region: usize) -> usize {
        let is_shared = self.region(region).is_some_and(|region| region.has_alias());
        let unit = if is_shared {
            self.align
        } else {
            self.pages.granule()
        };
        bytes.max(1).saturating_add(unit - 1) & !(unit - 1)
    }

    /// Returns the region that this address is in.
    fn region(&self, address: usize) -> Option<&Region> {
        let is_in = |region: &&Region| address.wrapping_sub(region.run.addr().get()) < region.bytes;
        self.regions.iter().find(is_in)
    }

    fn add_region(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        self.regions.reserve(1)?;
        let usual = self.reserved().clamp(SMALLEST, LARGEST);
        let granule = self.pages.granule();
        let bytes = bytes.max(usual).checked_next_multiple_of(granule);
        let region = self.pages.reserve(bytes.ok_or(OutOfMemory)?, None)?;
        let start = region.run.as_ptr().expose_provenance();
        let gap = Gap {
            start,
            bytes: region.bytes,
            region: start,
        };
        self.regions.push(region)?;
        let place = self.gaps.partition_point(|other| other.start < start);
        self.gaps.push(gap)?;
        self.gaps[place..].rotate_right(1);
        Ok(())
    }

    /// Writes code to a piece, which may then be run.
    pub(super) fn write(&mut self, piece: Piece, code: &[u8]) -> Result<(), OutOfMemory> {
        let region = *self.region(piece.run).ok_or(OutOfMemory)?;
        let granule = self.pages.granule();
        let at = piece.run - region.run.addr().get();
        let start = at & !(granule - 1);
        let length = (at + piece.bytes).next_multiple_of(granule) - start;
        let count = code.len().min(piece.bytes);
        // SAFETY: the region came from the hook and the range is in it. The piece belongs to the
        // caller, who does not run it yet; others are in these pages only if they can be written
        // while they run.
        unsafe {
            self.pages.make_writable(&region, start, length)?;
            let to = region.write.as_ptr().add(at);
            to.copy_from_nonoverlapping(code.as_ptr(), count);
            self.pages.make_executable(&region, start, length)
        }
    }

    /// Takes a piece back, in which nothing runs any more.
    pub(super) fn give_back(&mut self, piece: Piece) {
        let Some(region) = self.region(piece.run).copied() else {
            return;
        };
        self.pieces = self.pieces.saturating_sub(1);
        let start = region.run.addr().get();
        let gap = Gap {
            start: piece.run,
            bytes: piece.bytes,
            region: start,
        };
        let mut place = self.gaps.partition_point(|other| other.start < gap.start);
        // There is room: every piece reserved it.
        if self.gaps.push(gap).is_err() {
            return;
        }
        self.gaps[place..].rotate_right(1);
        self.join(place);
        if place > 0 && self.join(place - 1) {
            place -= 1;
        }
        self.release_empty(place, &region);
    }

    /// Joins a gap with the next one if they touch.
    fn join(&mut self, place: usize) -> bool {
        let (Some(&gap), Some(&next)) = (self.gaps.get(place), self.gaps.get(place + 1)) else {
            return false;
        };
        let touches = gap.region == next.region && gap.start + gap.bytes == next.start;
        if touches {
            self.gaps[place].bytes += next.bytes;
            self.gaps[place + 1..].rotate_left(1);
            self.gaps.pop();
        }
        touches
    }

    /// Releases a region that is one gap, if another one is empty already: so code that comes and
    /// goes does not reserve and release pages each time.
    fn release_empty(&mut self, place: usize, region: &Region) {
        let is_empty = |gap: &Gap| {
            let region = self.region(gap.start);
            region.is_some_and(|region| region.bytes == gap.bytes)
        };
        let empty = self.gaps.iter().filter(|gap| is_empty(gap)).count();
        let this_one = self.gaps.get(place).is_some_and(is_empty);
        if empty < 2 || !this_one {
            return;
        }
        self.gaps[place..].rotate_left(1);
        self.gaps.pop();
        if let Some(number) = self.regions.iter().position(|other| other == region) {
            self.regions[number..].rotate_left(1);
            self.regions.pop();
            // SAFETY: it came from this hook, and nothing is in it.
            unsafe { self.pages.release(*region) };
        }
    }
}

impl Drop for CodeMemory<'_> {
    fn drop(&mut self) {
        while let Some(region) = self.regions.pop() {
            // SAFETY: it came from this hook; whoever drops the code vouches that nothing runs in
            // it.
            unsafe { self.pages.release(region) };
        }
    }
}
