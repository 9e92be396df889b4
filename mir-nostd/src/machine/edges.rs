//! The edges between blocks, derived from the terminators.

use super::{BlockId, Function, Insn};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// The edges of a function at one moment, both ways, without repetitions of neighbours.
#[derive(Debug)]
pub struct Edges<'m> {
    successors: Lists<'m>,
    predecessors: Lists<'m>,
}

/// How an instruction ends a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Control may go on behind it.
    Conditional,
    /// Control never goes on behind it, but where its operands say.
    Always,
    /// Likewise, or to any block whose address is taken.
    Indirect,
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
    /// The edges of `function`; `end_of` says how an instruction ends its block, if it does.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn new(
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
        end_of: impl Fn(&Insn) -> Option<End>,
    ) -> Result<Edges<'m>, OutOfMemory> {
        let mut pairs = Vec::with_capacity(allocator, 2 * function.layout.len())?;
        for (place, &block) in function.layout.iter().enumerate() {
            let mut insn = function.block(block).last();
            let next = function.layout.get(place + 1).copied();
            let mut end = insn.and_then(|last| end_of(function.insn(last)));
            if let (None | Some(End::Conditional), Some(next)) = (end, next) {
                pairs.push((block, next))?;
            }
            while let (Some(id), Some(how)) = (insn, end) {
                // What jumps through a table goes nowhere else.
                let mut tables = function.operands(id).iter().filter_map(|o| o.as_table());
                if how == End::Indirect && tables.next().is_none() {
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
                insn = function.insn(id).previous();
                end = insn.and_then(|insn| end_of(function.insn(insn)));
            }
        }
        let count = function.block_count();
        Ok(Edges {
            successors: group(&pairs, count, allocator, |&(from, to)| (from, to))?,
            predecessors: group(&pairs, count, allocator, |&(from, to)| (to, from))?,
        })
    }

    /// Forgets the ways from blocks of which `is_left` does not hold.
    pub(crate) fn keep_from(&mut self, is_left: impl Fn(BlockId) -> bool) {
        let Lists { starts, blocks } = &mut self.predecessors;
        let (mut from, mut to) = (0, 0);
        for end in starts.iter_mut().skip(1) {
            while from < *end as usize {
                let block = blocks[from];
                from += 1;
                if is_left(block) {
                    blocks[to] = block;
                    to += 1;
                }
            }
            *end = to as u32;
        }
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
