//! Memory generations: where memory is certainly as it was at another place.
//!
//! Memory is one variable in SSA form (Novillo, "Memory SSA - a unified approach for sparsely
//! representing memory operations", 2007): whatever changes it defines it anew, and so does a join
//! that different definitions reach. The definition that is valid at the start of each block is
//! found as a fixed point from the assumption that no join defines one, so that a loop that changes
//! nothing keeps the generation from before it. The definition dominates the block: each path
//! there passes it. A pass over the blocks is linear; after `MOST_PASSES` each join defines one.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::properties::is_removable;
use crate::machine::{BlockId, Function, Generic, Insn};
use crate::mem::{Entity, OutOfMemory, Vec};

const NONE: u32 = u32::MAX;
const MOST_PASSES: usize = 8;

/// The generations of memory of a walk that visits blocks after those that dominate them.
pub(crate) struct MemoryGenerations<'m> {
    /// The definition that is valid at the start of each block: the number of a block for its
    /// join, and that number plus the count of blocks for what the block changes.
    starts: Vec<'m, u32>,
    /// The generation of each definition.
    generations: Vec<'m, u32>,
    newest: u32,
}

impl<'m> MemoryGenerations<'m> {
    /// Finds the definitions of memory.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub(crate) fn new(
        function: &Function<'m>,
        flow: &Flow<'_>,
    ) -> Result<MemoryGenerations<'m>, OutOfMemory> {
        let (allocator, count) = (function.allocator(), function.block_count());
        let mut starts = Vec::new(allocator);
        starts.resize(count, NONE)?;
        // First the definitions at the ends of blocks, where they are known; at last generations.
        let mut ends = Vec::new(allocator);
        ends.resize(2 * count, NONE)?;
        for &block in &flow.order {
            if function.rows(block).any(|(_, row)| changes_memory(row)) {
                ends[block.index()] = (count + block.index()) as u32;
            }
        }
        let mut passes = 0;
        while pass(flow, &mut starts, &mut ends[..count], passes >= MOST_PASSES) {
            passes += 1;
        }
        Ok(MemoryGenerations {
            starts,
            generations: ends,
            newest: 0,
        })
    }

    /// Returns the generation at the start of a block.
    pub(crate) fn enter(&mut self, block: BlockId) -> u32 {
        let start = self.starts[block.index()];
        if start as usize == block.index() {
            self.generations[block.index()] = self.begin();
        }
        self.generations.get(start as usize).copied().unwrap_or(0)
    }

    /// Notes the generation at the end of a block.
    pub(crate) fn leave(&mut self, block: BlockId, generation: u32) {
        let change = self.starts.len() + block.index();
        self.generations[change] = generation;
    }

    /// Returns a new generation.
    pub(crate) fn begin(&mut self) -> u32 {
        self.newest += 1;
        self.newest
    }
}

/// Computes the definitions at the starts and ends of all blocks from those at the ends of their
/// predecessors; in the `last` pass each join defines memory. Returns whether another pass is
/// needed.
fn pass(flow: &Flow<'_>, starts: &mut [u32], ends: &mut [u32], last: bool) -> bool {
    let mut changed = false;
    for (place, &block) in flow.order.iter().enumerate() {
        let own = block.index() as u32;
        let predecessors = flow.edges.predecessors(block);
        let joined = if place == 0 || starts[block.index()] == own || last && predecessors.len() > 1
        {
            own
        } else {
            let known = |&from: &BlockId| Some(ends[from.index()]).filter(|&end| end != NONE);
            let mut known = predecessors.iter().filter_map(known);
            let first = known.next().unwrap_or(NONE);
            if known.all(|end| end == first) {
                first
            } else {
                own
            }
        };
        if joined != starts[block.index()] {
            changed = true;
            let start = core::mem::replace(&mut starts[block.index()], joined);
            if ends[block.index()] == start {
                ends[block.index()] = joined;
            }
        }
    }
    changed && !last
}

/// Returns whether an instruction may change memory.
pub(crate) fn changes_memory(row: &Insn) -> bool {
    match row.opcode.generic() {
        None | Some(Generic::Store) => true,
        Some(
            Generic::Copy | Generic::Phi | Generic::Load | Generic::SextLoad | Generic::ZextLoad,
        ) => false,
        Some(generic) => !is_removable(generic, row.ty) && !generic.is_terminator(),
    }
}
