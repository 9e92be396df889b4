//! The edges between blocks, derived from the terminators.

use super::{BlockId, Function, Insn};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};

/// The edges of a function at one moment, as successors and predecessors: one edge for each target
/// that a terminator names, and one where a block falls through.
///
/// ```
/// use mir_nostd::machine::{Edges, End, Function, Generic, LowType, Operand};
/// # fn main() -> Result<(), mir_nostd::machine::InsertError> {
/// # let system = testkit::SystemAllocator;
/// let mut function = Function::new(&system);
/// let [entry, body, end] = [function.add_block()?, function.add_block()?, function.add_block()?];
/// function.layout.extend_from_slice(&[entry, body, end])?;
/// function.append(body, Generic::Br, LowType::S64, &[Operand::block(body)])?;
///
/// let edges = Edges::new(&function, &system, |insn| {
///     (insn.opcode == Generic::Br.into()).then_some(End::Always)
/// })?;
/// assert_eq!(edges.successors(entry), [body]);
/// assert_eq!(edges.predecessors(body), [entry, body]);
/// assert!(edges.predecessors(end).is_empty());
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Edges<'m> {
    /// The successors of all blocks, one block after the other, and the span of each block.
    successors: Vec<'m, BlockId>,
    spans: Vec<'m, (u32, u32)>,
    predecessors: Lists<'m>,
}

/// The kind of a terminator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Control may continue after it.
    Conditional,
    /// Control only goes to its operands.
    Always,
    /// Control only goes to its operands, or to any block whose address is taken.
    Indirect,
}

/// A list of blocks for each block: the lists in one array, and the start of each.
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

/// Visits the blocks that control may go to from the block at a place in the layout, until a visit
/// fails.
#[inline]
pub(crate) fn each_successor<E>(
    function: &Function<'_>,
    place: usize,
    end_of: &impl Fn(&Insn) -> Option<End>,
    mut visit: impl FnMut(BlockId) -> Result<(), E>,
) -> Result<(), E> {
    let Some(&block) = function.layout.get(place) else {
        return Ok(());
    };
    let mut insn = function.block(block).last();
    let next = function.layout.get(place + 1).copied();
    let mut end = insn.and_then(|last| end_of(function.insn(last)));
    if let (None | Some(End::Conditional), Some(next)) = (end, next) {
        visit(next)?;
    }
    while let (Some(id), Some(how)) = (insn, end) {
        // A jump through a table only goes to the table's blocks.
        let mut tables = function.operands(id).iter().filter_map(|o| o.as_table());
        if how == End::Indirect && tables.next().is_none() {
            for taken in function.block_ids() {
                if function.block(taken).address_taken {
                    visit(taken)?;
                }
            }
        }
        for operand in function.operands(id) {
            if let Some(target) = operand.as_block() {
                visit(target)?;
            } else if let Some(table) = operand.as_table() {
                function
                    .table(table)
                    .iter()
                    .copied()
                    .try_for_each(&mut visit)?;
            }
        }
        insn = function.insn(id).previous();
        end = insn.and_then(|insn| end_of(function.insn(insn)));
    }
    Ok(())
}

/// Adds the blocks that control may go to from the block at a place in the layout.
pub(crate) fn add_successors(
    function: &Function<'_>,
    place: usize,
    end_of: &impl Fn(&Insn) -> Option<End>,
    successors: &mut Vec<'_, BlockId>,
) -> Result<(), OutOfMemory> {
    each_successor(function, place, end_of, |to| successors.push(to))
}

impl<'m> Edges<'m> {
    /// Finds the edges of `function`; `end_of` returns how an instruction ends its block, if it
    /// does.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn new(
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
        end_of: impl Fn(&Insn) -> Option<End>,
    ) -> Result<Edges<'m>, OutOfMemory> {
        let mut successors = Vec::with_capacity(allocator, 2 * function.layout.len())?;
        let mut spans = Vec::new(allocator);
        spans.resize(function.block_count(), (0, 0))?;
        for (place, &block) in function.layout.iter().enumerate() {
            let start = successors.len() as u32;
            add_successors(function, place, &end_of, &mut successors)?;
            spans[block.index()] = (start, successors.len() as u32);
        }
        let mut edges = Edges {
            successors,
            spans,
            predecessors: Lists {
                starts: Vec::new(allocator),
                blocks: Vec::new(allocator),
            },
        };
        edges.reverse(&function.layout)?;
        Ok(edges)
    }

    /// Computes the predecessors from the successors, by a counting sort.
    fn reverse(&mut self, layout: &[BlockId]) -> Result<(), OutOfMemory> {
        let Lists { starts, blocks } = &mut self.predecessors;
        starts.resize(self.spans.len() + 2, 0)?;
        for from in layout {
            let (start, end) = self.spans[from.index()];
            for to in &self.successors[start as usize..end as usize] {
                starts[to.index() + 2] += 1;
            }
        }
        let mut start = 0;
        for place in starts.iter_mut() {
            start += *place;
            *place = start;
        }
        blocks.resize(self.successors.len(), BlockId::new(0))?;
        for &from in layout {
            let (start, end) = self.spans[from.index()];
            for to in &self.successors[start as usize..end as usize] {
                let place = &mut starts[to.index() + 1];
                blocks[*place as usize] = from;
                *place += 1;
            }
        }
        Ok(())
    }

    /// Removes the edges from blocks for which `is_left` does not hold.
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

    /// Updates the edges after blocks were merged: each remaining block has the successors of the
    /// block that `tails` holds for it, and replaces the blocks that the function no longer has.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub(crate) fn contract(
        &mut self,
        layout: &[BlockId],
        heads: &[BlockId],
        tails: &[BlockId],
    ) -> Result<(), OutOfMemory> {
        for (number, &tail) in tails.iter().enumerate() {
            let block = BlockId::new(number as u32);
            if heads.get(number) == Some(&block) {
                self.spans[number] = self.spans[tail.index()];
            }
        }
        self.predecessors.starts.clear();
        self.predecessors.blocks.clear();
        self.reverse(layout)
    }

    /// Returns the blocks that control may go to from a block.
    #[must_use]
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        let span = self.spans.get(block.index());
        span.map_or(&[], |&(start, end)| {
            &self.successors[start as usize..end as usize]
        })
    }

    /// Returns the blocks that control may come from to a block.
    #[must_use]
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.of(block)
    }
}
