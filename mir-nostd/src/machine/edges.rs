//! The edges between blocks, derived from the terminators.

use super::{BlockId, Function, Insn};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// The edges of a function at one moment, both ways, without repetitions of neighbours.
#[derive(Debug)]
pub struct Edges<'m> {
    successors: Lists<'m>,
    predecessors: Lists<'m>,
}

/// A list of blocks per block: the lists in one array, and where each starts.
#[derive(Debug)]
struct Lists<'m> {
    starts: Vec<'m, u32>,
    blocks: Vec<'m, BlockId>,
}

impl Lists<'_> {
    fn of(&self, block: BlockId) -> &[BlockId] {
        let index = block.index();
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(&start), Some(&end)) => &self.blocks[start as usize..end as usize],
            _ => &[],
        }
    }
}

impl<'m> Edges<'m> {
    /// The edges of `function`. `is_terminator` and `falls_through` say of the instructions of a block whether they end
    /// it, and of its last one whether control may go on to the next block of the layout.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn new(
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
        is_terminator: impl Fn(&Insn) -> bool,
        falls_through: impl Fn(&Insn) -> bool,
        is_indirect: impl Fn(&Insn) -> bool,
    ) -> Result<Edges<'m>, OutOfMemory> {
        let mut pairs = Vec::new(allocator);
        for (place, &block) in function.layout.iter().enumerate() {
            let mut insn = function.block(block).last();
            let next = function.layout.get(place + 1).copied();
            let falls = insn.is_none_or(|last| falls_through(function.insn(last)));
            if let (true, Some(next)) = (falls, next) {
                pairs.push((block, next))?;
            }
            while let Some(id) = insn {
                let row = function.insn(id);
                if !is_terminator(row) {
                    break;
                }
                // What jumps through a table goes nowhere else.
                let mut tables = function.operands(id).iter().filter_map(|o| o.as_table());
                if is_indirect(row) && tables.next().is_none() {
                    for taken in function.block_ids() {
                        if function.block(taken).address_taken {
                            pairs.push((block, taken))?;
                        }
                    }
                }
                for operand in function.operands(id) {
                    if let Some(target) = operand.as_block() {
                        pairs.push((block, target))?;
                    } else if let Some(table) = operand.as_table() {
                        for &target in function.table(table) {
                            pairs.push((block, target))?;
                        }
                    }
                }
                insn = row.previous();
            }
        }
        let count = function.block_count();
        Ok(Edges {
            successors: group(&pairs, count, allocator, |&(from, to)| (from, to))?,
            predecessors: group(&pairs, count, allocator, |&(from, to)| (to, from))?,
        })
    }

    /// Where control may go from a block.
    #[must_use]
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.of(block)
    }

    /// Where control may come from to a block.
    #[must_use]
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.of(block)
    }
}

/// Sorts pairs of key and value by key: a counting sort.
fn group<'m>(
    pairs: &[(BlockId, BlockId)],
    count: usize,
    allocator: &'m dyn Allocator,
    pair: impl Fn(&(BlockId, BlockId)) -> (BlockId, BlockId),
) -> Result<Lists<'m>, OutOfMemory> {
    let mut starts = Vec::new(allocator);
    starts.resize(count + 2, 0_u32)?;
    for edge in pairs {
        starts[pair(edge).0.index() + 2] += 1;
    }
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut blocks = Vec::new(allocator);
    blocks.resize(pairs.len(), BlockId::new(0))?;
    for edge in pairs {
        let (key, value) = pair(edge);
        let place = &mut starts[key.index() + 1];
        blocks[*place as usize] = value;
        *place += 1;
    }
    Ok(Lists { starts, blocks })
}
