//! The control flow of a function, its dominator tree and dominance frontiers, for the verifier
//! alone: it believes no analysis of the optimiser's.
//!
//! Dominators are found as by Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm",
//! 2001). Only blocks that control may come to are there, numbered in reverse postorder.

use super::{most_pairs, unproven};
use crate::codegen::helper::ends_run;
use crate::machine::{BlockId, Facts, Function, Operand};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::error::Error;

/// No block.
pub(super) const NONE: u32 = u32::MAX;

/// An edge between blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The number of the edge among those of its block: first those of its terminators in order,
    /// last that to the block after it.
    pub(super) ordinal: u32,
}

/// Lists of numbers, one for each block.
pub(super) struct Lists<'m> {
    starts: Vec<'m, u32>,
    entries: Vec<'m, u32>,
}

impl<'m> Lists<'m> {
    /// Makes the lists of pairs of a block and an entry; entries keep their order.
    pub(super) fn new(
        pairs: &[(u32, u32)],
        blocks: usize,
        allocator: &'m dyn Allocator,
    ) -> Result<Lists<'m>, OutOfMemory> {
        let mut starts = Vec::new(allocator);
        starts.resize(blocks + 1, 0)?;
        for &(block, _) in pairs {
            starts[block as usize + 1] += 1;
        }
        for block in 0..blocks {
            starts[block + 1] += starts[block];
        }
        let mut entries = Vec::new(allocator);
        entries.resize(pairs.len(), 0)?;
        let mut next = Vec::from_slice(allocator, &starts)?;
        for &(block, entry) in pairs {
            let place = &mut next[block as usize];
            entries[*place as usize] = entry;
            *place += 1;
        }
        Ok(Lists { starts, entries })
    }

    pub(super) fn of(&self, block: u32) -> &[u32] {
        let block = block as usize;
        &self.entries[self.starts[block] as usize..self.starts[block + 1] as usize]
    }
}

/// The graph of a function.
pub(super) struct Graph<'m> {
    /// The blocks in reverse postorder: the first is the entry.
    pub(super) blocks: Vec<'m, BlockId>,
    /// The edges, in the order of the blocks that they leave.
    pub(super) edges: Vec<'m, Edge>,
    /// The numbers of the edges to each block.
    pub(super) incoming: Lists<'m>,
    /// The number of the first edge that leaves each block, and at last that of all edges.
    first_edges: Vec<'m, u32>,
    /// The immediate dominator of each block; that of the entry is the entry.
    dominators: Vec<'m, u32>,
    /// The children of each block in the dominator tree.
    pub(super) children: Lists<'m>,
    /// The dominance frontier of each block.
    frontiers: Lists<'m>,
}

impl<'m> Graph<'m> {
    pub(super) fn new(function: &Function<'m>) -> Result<Graph<'m>, Error> {
        let allocator = function.allocator();
        let layout = Layout::new(function)?;
        let (blocks, numbers) = order(&layout)?;
        let mut edges = Vec::new(allocator);
        let mut first_edges = Vec::new(allocator);
        for (from, &block) in (0..).zip(&blocks) {
            first_edges.push(edges.len() as u32)?;
            let mut ordinal = 0;
            layout.each_successor(block, &mut |to| {
                let to = numbers[to.index()];
                edges.push(Edge { from, to, ordinal })?;
                ordinal += 1;
                Ok(())
            })?;
        }
        first_edges.push(edges.len() as u32)?;
        let mut pairs = Vec::new(allocator);
        for (number, edge) in (0..).zip(&edges) {
            pairs.push((edge.to, number))?;
        }
        let incoming = Lists::new(&pairs, blocks.len(), allocator)?;
        let mut graph = Graph {
            blocks,
            edges,
            incoming,
            first_edges,
            dominators: Vec::new(allocator),
            children: Lists::new(&[], 0, allocator)?,
            frontiers: Lists::new(&[], 0, allocator)?,
        };
        graph.find_dominators()?;
        graph.find_frontiers()?;
        Ok(graph)
    }

    fn allocator(&self) -> &'m dyn Allocator {
        self.blocks.allocator()
    }

    /// Returns the numbers of the edges that leave a block.
    pub(super) fn outgoing(&self, block: u32) -> core::ops::Range<u32> {
        self.first_edges[block as usize]..self.first_edges[block as usize + 1]
    }

    /// Returns whether control comes to a block from more than one place: the entry of the function
    /// is one, too.
    pub(super) fn is_join(&self, block: u32) -> bool {
        self.incoming.of(block).len() + usize::from(block == 0) > 1
    }

    fn find_dominators(&mut self) -> Result<(), OutOfMemory> {
        self.dominators.resize(self.blocks.len(), NONE)?;
        self.dominators[0] = 0;
        let mut is_changing = true;
        while is_changing {
            is_changing = false;
            for block in 1..self.blocks.len() as u32 {
                let mut found = NONE;
                for &edge in self.incoming.of(block) {
                    let from = self.edges[edge as usize].from;
                    if self.dominators[from as usize] != NONE {
                        found = match found {
                            NONE => from,
                            _ => self.common(found, from),
                        };
                    }
                }
                is_changing |= self.dominators[block as usize] != found;
                self.dominators[block as usize] = found;
            }
        }
        let mut pairs = Vec::new(self.allocator());
        for block in 1..self.blocks.len() as u32 {
            pairs.push((self.dominators[block as usize], block))?;
        }
        self.children = Lists::new(&pairs, self.blocks.len(), self.allocator())?;
        Ok(())
    }

    /// Returns the last block that dominates both.
    fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            match a > b {
                true => a = self.dominators[a as usize],
                false => b = self.dominators[b as usize],
            }
        }
        a
    }

    /// Returns whether a block dominates another and is not the same.
    pub(super) fn dominates_strictly(&self, a: u32, mut b: u32) -> bool {
        let is_other = a != b;
        while b > a {
            b = self.dominators[b as usize];
        }
        is_other && a == b
    }

    fn find_frontiers(&mut self) -> Result<(), Error> {
        let mut pairs: Vec<'m, (u32, u32)> = Vec::new(self.allocator());
        let mut last = Vec::new(self.allocator());
        last.resize(self.blocks.len(), NONE)?;
        for block in (0..self.blocks.len() as u32).filter(|&block| self.is_join(block)) {
            for &edge in self.incoming.of(block) {
                let mut runner = self.edges[edge as usize].from;
                // The entry has no dominator but is, for a jump back to it, in its own frontier.
                while (block == 0 || runner != self.dominators[block as usize])
                    && last[runner as usize] != block
                {
                    last[runner as usize] = block;
                    pairs.push((runner, block))?;
                    if runner == 0 {
                        break;
                    }
                    runner = self.dominators[runner as usize];
                }
            }
            if pairs.len() > most_pairs(self.blocks.len()) {
                return Err(Error::Budget);
            }
        }
        self.frontiers = Lists::new(&pairs, self.blocks.len(), self.allocator())?;
        Ok(())
    }

    /// Adds the blocks where definitions of a variable in these blocks meet. A block that is
    /// added gets the mark.
    pub(super) fn find_meetings(
        &self,
        definitions: &mut Vec<'m, u32>,
        is_marked: &mut [u32],
        mark: u32,
        meetings: &mut Vec<'m, u32>,
    ) -> Result<(), OutOfMemory> {
        while let Some(block) = definitions.pop() {
            for &meeting in self.frontiers.of(block) {
                if is_marked[meeting as usize] != mark {
                    is_marked[meeting as usize] = mark;
                    meetings.push(meeting)?;
                    definitions.push(meeting)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the blocks in reverse postorder, and the number of each there.
fn order<'m>(layout: &Layout<'_, 'm>) -> Result<(Vec<'m, BlockId>, Vec<'m, u32>), Error> {
    let function = layout.function;
    let allocator = function.allocator();
    let mut numbers = Vec::new(allocator);
    numbers.resize(function.block_count(), NONE)?;
    let mut done = Vec::new(allocator);
    let mut path: Vec<'m, (BlockId, u32)> = Vec::new(allocator);
    let mut successors: Vec<'m, BlockId> = Vec::new(allocator);
    let mut opened = function.layout.first().copied();
    loop {
        if let Some(block) = opened.take() {
            numbers[block.index()] = 0;
            path.push((block, successors.len() as u32))?;
            layout.each_successor(block, &mut |to| Ok(successors.push(to)?))?;
        }
        let Some(&(block, start)) = path.last() else {
            break;
        };
        if successors.len() > start as usize {
            opened = (successors.pop()).filter(|next| numbers[next.index()] == NONE);
        } else {
            path.pop();
            done.push(block)?;
        }
    }
    let mut blocks = Vec::new(allocator);
    for (number, &block) in (0..).zip(done.iter().rev()) {
        numbers[block.index()] = number;
        blocks.push(block)?;
    }
    match blocks.is_empty() {
        true => Err(Error::WrongForm),
        false => Ok((blocks, numbers)),
    }
}

/// A function with the block after each in its layout.
struct Layout<'f, 'm> {
    function: &'f Function<'m>,
    next: Vec<'m, Option<BlockId>>,
}

impl<'f, 'm> Layout<'f, 'm> {
    fn new(function: &'f Function<'m>) -> Result<Layout<'f, 'm>, OutOfMemory> {
        let mut next = Vec::new(function.allocator());
        next.resize(function.block_count(), None)?;
        for pair in function.layout.windows(2) {
            if let &[block, after] = pair {
                next[block.index()] = Some(after);
            }
        }
        Ok(Layout { function, next })
    }

    /// Calls `see` with the successors of a block, one for each edge.
    fn each_successor(
        &self,
        block: BlockId,
        see: &mut dyn FnMut(BlockId) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let function = self.function;
        let mut is_ended = false;
        for insn in function.insns(block) {
            if ends_run(function, insn) {
                return Ok(());
            }
            let generic = function.insn(insn).opcode.generic();
            let generic = generic.ok_or(Error::WrongForm)?;
            if !generic.is_terminator() {
                if is_ended {
                    return Err(unproven(insn));
                }
                continue;
            }
            is_ended = true;
            if generic.is(Facts::TO_ADDRESS) {
                return Err(unproven(insn));
            }
            for &operand in function.operands(insn) {
                each_target(function, operand, see)?;
            }
            if generic.is(Facts::BARRIER) {
                return Ok(());
            }
        }
        match self.next[block.index()] {
            Some(next) => see(next),
            None => Err(Error::WrongForm),
        }
    }
}

/// Calls `see` with the blocks that an operand of a terminator names.
fn each_target(
    function: &Function<'_>,
    operand: Operand,
    see: &mut dyn FnMut(BlockId) -> Result<(), Error>,
) -> Result<(), Error> {
    if let Some(block) = operand.as_block() {
        see(block)?;
    }
    if let Some(table) = operand.as_table() {
        for &block in function.table(table) {
            see(block)?;
        }
    }
    Ok(())
}
