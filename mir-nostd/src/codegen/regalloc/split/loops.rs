//! The natural loops that are contiguous in the layout.

use crate::codegen::analysis::layout_loops::LayoutLoops;
use crate::codegen::analysis::liveness::Groups;
use crate::codegen::regalloc::split::{DEEPEST, NONE};
use crate::machine::{Edges, Function};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// A loop: consecutive blocks of the layout, the last of which branches back to the first.
#[derive(Clone, Copy)]
pub(super) struct Loop {
    pub(super) first: u32,
    pub(super) last: u32,
    /// The loop around it.
    pub(super) parent: u32,
    depth: u8,
}

impl Loop {
    pub(super) const fn has(&self, place: u32) -> bool {
        self.first <= place && place <= self.last
    }
}

/// The loops of the layout that do not cross others, outer ones before those inside them.
pub(super) struct Loops<'m> {
    pub(super) all: Vec<'m, Loop>,
    /// The innermost loop of each block of the layout.
    pub(super) innermost: Vec<'m, u32>,
    /// The index of each block in the layout.
    pub(super) places: Vec<'m, u32>,
    /// The edges between blocks with different innermost loops, as indexes in the layout.
    pub(super) ways: Vec<'m, (u32, u32)>,
    /// The edges that lead into each loop.
    pub(super) entries: Groups<'m>,
    /// The edges that lead out of each loop.
    pub(super) exits: Groups<'m>,
}

impl<'m> Loops<'m> {
    pub(super) fn new(
        function: &Function<'_>,
        edges: &Edges<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Loops<'m>, OutOfMemory> {
        let extents = LayoutLoops::new(function, edges, allocator)?;
        let mut all = Vec::new(allocator);
        let mut innermost = Vec::with_capacity(allocator, function.layout.len())?;
        let mut open = NONE;
        for place in 0..function.layout.len() {
            open = enter(&mut all, open, place as u32, extents.last(place))?;
            innermost.push(open)?;
        }
        let places = extents.places;
        let (mut ways, mut entries, mut exits) = (
            Vec::new(allocator),
            Vec::new(allocator),
            Vec::new(allocator),
        );
        for (from, &block) in function.layout.iter().enumerate() {
            let from = from as u32;
            for next in edges.successors(block) {
                let to = places[next.index()];
                if to == NONE || innermost[from as usize] == innermost[to as usize] {
                    continue;
                }
                let way = ways.len() as u32;
                ways.push((from, to))?;
                let sides = [(to, from, &mut entries), (from, to, &mut exits)];
                for (inside, outside, list) in sides {
                    let mut number = innermost[inside as usize];
                    while let Some(row) = all.get(number as usize).filter(|row| !row.has(outside)) {
                        list.push((number, way))?;
                        number = row.parent;
                    }
                }
            }
        }
        Ok(Loops {
            entries: Groups::new(&entries, all.len(), allocator)?,
            exits: Groups::new(&exits, all.len(), allocator)?,
            all,
            innermost,
            places,
            ways,
        })
    }
}

/// Returns the innermost loop of the block at `place`, and notes that loop if it is new. `open` is
/// the innermost loop of the block before it; `last` is the last block of the loop that
/// begins here, if any.
fn enter(
    all: &mut Vec<'_, Loop>,
    mut open: u32,
    place: u32,
    last: Option<u32>,
) -> Result<u32, OutOfMemory> {
    while let Some(outer) = all.get(open as usize).filter(|open| open.last < place) {
        open = outer.parent;
    }
    let outer = all.get(open as usize);
    let depth = outer.map_or(0, |outer| outer.depth + 1);
    let fits = |last: &u32| outer.is_none_or(|outer| *last <= outer.last);
    let Some(last) = last.filter(fits).filter(|_| depth < DEEPEST) else {
        return Ok(open);
    };
    let number = all.len() as u32;
    all.push(Loop {
        first: place,
        last,
        parent: open,
        depth,
    })?;
    Ok(number)
}
