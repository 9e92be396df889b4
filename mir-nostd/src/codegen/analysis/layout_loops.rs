//! The loops of a layout: runs of blocks, the last of which branches back to the first.
//!
//! After block placement natural loops are contiguous, so that they are found without dominators.
//! In other layouts runs may cross, or be entered in the middle; passes that rely on more check it.

use crate::codegen::analysis::branches::{NOWHERE, layout_places};
use crate::codegen::analysis::properties::ends;
use crate::machine::{BlockId, Edges, Function, each_successor};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::Isa;

/// The extents of the loops of a layout.
pub(crate) struct LayoutLoops<'m> {
    /// The index of each block in the layout; `u32::MAX` for blocks outside.
    pub(crate) places: Vec<'m, u32>,
    /// For each index in the layout, the last block that leads there.
    lasts: Vec<'m, u32>,
}

impl<'m> LayoutLoops<'m> {
    pub(crate) fn new(
        function: &Function<'_>,
        edges: &Edges<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<LayoutLoops<'m>, OutOfMemory> {
        let places = layout_places(function, allocator)?;
        let mut lasts = Vec::with_capacity(allocator, function.layout.len())?;
        for &block in &function.layout {
            let sources = edges.predecessors(block).iter();
            let sources = sources.map(|from| places[from.index()]);
            let last = sources.filter(|&from| from != NOWHERE).max();
            lasts.push(last.unwrap_or(NOWHERE))?;
        }
        Ok(LayoutLoops { places, lasts })
    }

    /// Returns the last block of the loop that begins at an index in the layout, as such an index;
    /// `None` if none begins there.
    pub(crate) fn last(&self, first: usize) -> Option<u32> {
        let last = self.lasts.get(first).copied()?;
        (last != NOWHERE && last as usize >= first).then_some(last)
    }
}

/// Returns whether control may go from a block to itself or to one before it in the layout.
pub(crate) fn has_back_edges(
    function: &Function<'_>,
    isa: &dyn Isa,
    allocator: &dyn Allocator,
) -> Result<bool, OutOfMemory> {
    let end_of = ends(isa);
    let mut is_before = Vec::new(allocator);
    is_before.resize(function.block_count(), false)?;
    for (place, &block) in function.layout.iter().enumerate() {
        is_before[block.index()] = true;
        let visit = |to: BlockId| {
            if is_before[to.index()] {
                Err(())
            } else {
                Ok(())
            }
        };
        if each_successor(function, place, &end_of, visit).is_err() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sets [`crate::machine::Block::depth`] and [`crate::machine::Block::starts_loop`] from the back
/// edges in the layout.
pub(crate) fn mark_depths(
    function: &mut Function<'_>,
    edges: &Edges<'_>,
) -> Result<(), OutOfMemory> {
    let allocator = function.allocator();
    let count = function.layout.len();
    // Most functions have no loop: then no block leads to itself or to one before it.
    let mut places = Vec::new(allocator);
    places.resize(function.block_count(), NOWHERE)?;
    let mut change = Vec::new(allocator);
    for index in 0..count {
        let block = function.layout[index];
        function.block_mut(block).depth = 0;
        function.block_mut(block).starts_loop = false;
        places[block.index()] = index as u32;
        let leads_back = |to: &BlockId| places[to.index()] != NOWHERE;
        if change.is_empty() && edges.successors(block).iter().any(leads_back) {
            change.resize(count + 1, 0_i32)?;
        }
    }
    if change.is_empty() {
        return Ok(());
    }
    let loops = LayoutLoops::new(function, edges, allocator)?;
    for first in 0..count {
        if let Some(last) = loops.last(first) {
            let block = function.layout[first];
            function.block_mut(block).starts_loop = true;
            change[first] += 1;
            change[last as usize + 1] -= 1;
        }
    }
    let mut depth = 0;
    for index in 0..count {
        depth += change[index];
        let block = function.layout[index];
        function.block_mut(block).depth = depth.clamp(0, 255) as u8;
    }
    Ok(())
}
