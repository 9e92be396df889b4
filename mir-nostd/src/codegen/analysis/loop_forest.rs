//! The loop forest: the natural loops of the control-flow graph and their nesting.
//!
//! Loops come from back edges to dominators, innermost first; collapsing each into its header by
//! union-find makes that almost linear (Tarjan, "Testing flow graph reducibility", 1974).

use crate::codegen::analysis::control_flow::Flow;
use crate::machine::{BlockId, Function};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::Isa;

/// The number of no block.
const NONE: u32 = u32::MAX;

/// The nesting of natural loops. A loop is known by its header.
pub(crate) struct LoopForest<'m> {
    /// The innermost loop of each block.
    inner: Vec<'m, u32>,
    /// The loop around each loop.
    outer: Vec<'m, u32>,
}

impl<'m> LoopForest<'m> {
    /// Finds the loops; returns `None` if there are none.
    pub(crate) fn find(
        flow: &Flow<'_>,
        blocks: usize,
        allocator: &'m dyn Allocator,
    ) -> Result<Option<LoopForest<'m>>, OutOfMemory> {
        let (mut inner, mut outer) = (Vec::new(allocator), Vec::new(allocator));
        let mut above = Vec::new(allocator);
        let mut stack = Vec::new(allocator);
        // Headers come before their loops in the order, so the reverse finds inner loops first.
        for &header in flow.order.iter().rev() {
            for &from in flow.edges.predecessors(header) {
                if flow.dominates(header, from) {
                    stack.push(from)?;
                }
            }
            if stack.is_empty() {
                continue;
            }
            if inner.is_empty() {
                inner.resize(blocks, NONE)?;
                outer.resize(blocks, NONE)?;
                for number in 0..blocks as u32 {
                    above.push(number)?;
                }
            }
            inner[header.index()] = header.number();
            while let Some(block) = stack.pop() {
                // The outermost known loop around it.
                let top = outermost(&mut above, block);
                if top == header || !flow.dominates(header, top) {
                    continue;
                }
                above[top.index()] = header.number();
                let list = if inner[top.index()] == top.number() {
                    &mut outer
                } else {
                    &mut inner
                };
                list[top.index()] = header.number();
                for &from in flow.edges.predecessors(top) {
                    stack.push(from)?;
                }
            }
        }
        Ok((!inner.is_empty()).then_some(LoopForest { inner, outer }))
    }

    /// Returns the header of the innermost loop around a block.
    pub(crate) fn inner(&self, block: BlockId) -> Option<BlockId> {
        let header = self.inner.get(block.index()).copied();
        header.filter(|&header| header != NONE).map(BlockId::new)
    }

    /// Returns the header of the loop around another one, known by its header.
    pub(crate) fn outer(&self, header: BlockId) -> Option<BlockId> {
        let around = self.outer.get(header.index()).copied();
        around.filter(|&header| header != NONE).map(BlockId::new)
    }
}

/// Returns the number of natural loops around each block of a function, at any stage; 0 for blocks
/// that nothing reaches.
///
/// # Errors
///
/// [`OutOfMemory`].
pub fn loop_depths<'m>(
    function: &Function<'_>,
    isa: &dyn Isa,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, u32>, OutOfMemory> {
    let flow = Flow::new(function, isa, allocator)?;
    let blocks = function.block_count();
    let mut depths = Vec::new(allocator);
    depths.resize(blocks, 0)?;
    let Some(forest) = LoopForest::find(&flow, blocks, allocator)? else {
        return Ok(depths);
    };
    // The header of a loop comes before its blocks, and after those of the loops around.
    for &block in &flow.order {
        let around = match forest.inner(block) {
            Some(header) if header == block => forest.outer(header),
            Some(header) => {
                depths[block.index()] = depths[header.index()];
                continue;
            }
            None => continue,
        };
        depths[block.index()] = 1 + around.map_or(0, |outer| depths[outer.index()]);
    }
    Ok(depths)
}

/// Returns the representative of a block in the union-find forest, halving the path to it.
fn outermost(above: &mut [u32], block: BlockId) -> BlockId {
    let mut at = block.number();
    while let Some(&next) = above.get(at as usize)
        && next != at
    {
        let skipped = above.get(next as usize).copied().unwrap_or(next);
        if let Some(place) = above.get_mut(at as usize) {
            *place = skipped;
        }
        at = skipped;
    }
    BlockId::new(at)
}
