//! Control flow: the blocks in reverse postorder and the dominator tree.
//!
//! A block *dominates* another if it is on every path from the entry to that. Dominators are
//! computed by semidominators (Lengauer and Tarjan, "A fast algorithm for finding dominators in a
//! flowgraph", 1979; the last step as in Georgiadis, "Linear-time algorithms for dominators and
//! related problems", 2005): linear in practice.

use crate::codegen::analysis::properties;
use crate::machine::{BlockId, Edges, Function};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::Isa;

/// The mark of no number.
const NONE: u32 = u32::MAX;

/// The control-flow graph of a function at one moment, without unreachable blocks.
#[derive(Debug)]
pub(crate) struct Flow<'m> {
    pub(crate) edges: Edges<'m>,
    /// The blocks in reverse postorder.
    pub(crate) order: Vec<'m, BlockId>,
    /// The index of each block in the order.
    places: Vec<'m, u32>,
    /// The immediate dominator of each block, both as indexes in the order; the entry has itself.
    idoms: Vec<'m, u32>,
    /// The blocks in preorder of the dominator tree: each comes after its dominators, directly
    /// followed by all blocks that it dominates.
    pub(crate) tree: Vec<'m, BlockId>,
    /// For each index in the order, the index in `tree`, and the end of the blocks that it
    /// dominates.
    spans: Vec<'m, (u32, u32)>,
}

impl<'m> Flow<'m> {
    pub(crate) fn new(
        function: &Function<'_>,
        isa: &dyn Isa,
        allocator: &'m dyn Allocator,
    ) -> Result<Flow<'m>, OutOfMemory> {
        let edges = properties::edges(function, isa, allocator)?;
        let mut walk = Walk::new(function, &edges, allocator)?;
        walk.find_dominators(&edges, allocator)?;
        let Walk {
            vertices,
            numbers: mut places,
            postorder,
        } = walk;
        let count = vertices.len();
        let mut order = Vec::with_capacity(allocator, count)?;
        for &number in postorder.iter().rev() {
            let block = vertices[number as usize].block;
            places[block.index()] = order.len() as u32;
            order.push(block)?;
        }
        // The memory of the postorder is reused for the immediate dominators.
        let mut by_place = postorder;
        for vertex in &vertices {
            let idom = vertices[vertex.parent as usize].block;
            by_place[places[vertex.block.index()] as usize] = places[idom.index()];
        }
        let mut flow = Flow {
            edges,
            order,
            places,
            idoms: by_place,
            tree: Vec::new(allocator),
            spans: Vec::new(allocator),
        };
        flow.number_tree(allocator)?;
        Ok(flow)
    }

    /// Computes `tree` and `spans`.
    fn number_tree(&mut self, allocator: &'m dyn Allocator) -> Result<(), OutOfMemory> {
        let count = self.order.len();
        // First the number of blocks that each one dominates, itself included: children come after
        // their parents in the order.
        self.spans.resize(count, (0, 1))?;
        for place in (1..count).rev() {
            let (_, size) = self.spans[place];
            self.spans[self.idoms[place] as usize].1 += size;
        }
        // Then each gets the next free room within that of its parent.
        let mut free = Vec::new(allocator);
        free.resize(count, 1_u32)?;
        if let Some(&entry) = self.order.first() {
            self.tree.resize(count, entry)?;
        }
        for place in 1..count {
            let idom = self.idoms[place] as usize;
            let (start, (_, size)) = (free[idom], self.spans[place]);
            free[idom] += size;
            free[place] = start + 1;
            self.spans[place] = (start, start + size);
            self.tree[start as usize] = self.order[place];
        }
        Ok(())
    }

    /// Returns whether there is a block that only leads to itself, as [`Flow::ends_run`] wants.
    pub(crate) fn has_stop(&self) -> bool {
        let mut blocks = self.order.iter();
        blocks.any(|&block| self.edges.successors(block) == [block])
    }

    /// Returns whether a block that `from` leads to ends the run: nothing else leads there, and it
    /// goes on to a block that only leads to itself.
    pub(crate) fn ends_run(&self, from: BlockId, block: BlockId) -> bool {
        let &[stop] = self.edges.successors(block) else {
            return false;
        };
        self.edges.predecessors(block) == [from] && self.edges.successors(stop) == [stop]
    }

    /// Returns where a block goes on that has two ways, of which `end` ends the run.
    pub(crate) fn next_beside(&self, block: BlockId, end: BlockId) -> Option<BlockId> {
        let next = match *self.edges.successors(block) {
            [a, b] if a == end => b,
            [a, b] if b == end => a,
            _ => return None,
        };
        (next != end && self.ends_run(block, end)).then_some(next)
    }

    /// Returns the index of a block in the order; `None` if it is unreachable.
    pub(crate) fn place(&self, block: BlockId) -> Option<usize> {
        let place = self.places.get(block.index()).copied()?;
        (place != NONE).then_some(place as usize)
    }

    /// Returns whether there is a retreating edge: without one there are no loops.
    pub(crate) fn has_loops(&self) -> bool {
        let leads_back = |(place, &block): (usize, &BlockId)| {
            let sources = self.edges.predecessors(block).iter();
            { sources }.any(|&from| self.place(from).is_some_and(|from| from >= place))
        };
        self.order.iter().enumerate().any(leads_back)
    }

    /// Removes the edges from unreachable blocks.
    pub(crate) fn forget_unreached(&mut self) {
        let places = &self.places;
        self.edges
            .keep_from(|from| places.get(from.index()).is_some_and(|&place| place != NONE));
    }

    /// Updates the graph after blocks were merged: `heads` are the blocks that each was merged
    /// into, `tails` the blocks whose ends they have. `layout` has the blocks that are left.
    pub(crate) fn contract(
        &mut self,
        layout: &[BlockId],
        heads: &[BlockId],
        tails: &[BlockId],
    ) -> Result<(), OutOfMemory> {
        self.edges.contract(layout, heads, tails)?;
        // Dominators are by block while indexes change.
        for idom in self.idoms.iter_mut() {
            *idom = heads[self.order[*idom as usize].index()].number();
        }
        let mut count = 0;
        for place in 0..self.order.len() {
            let block = self.order[place];
            if heads[block.index()] == block {
                self.places[block.index()] = count as u32;
                self.order[count] = block;
                self.idoms[count] = self.idoms[place];
                count += 1;
            } else {
                self.places[block.index()] = NONE;
            }
        }
        self.order.truncate(count);
        self.idoms.truncate(count);
        for idom in self.idoms.iter_mut() {
            *idom = self.places[*idom as usize];
        }
        self.tree.clear();
        self.spans.clear();
        let allocator = self.order.allocator();
        self.number_tree(allocator)
    }

    /// Returns the immediate dominator of a block; `None` for the entry.
    pub(crate) fn idom(&self, block: BlockId) -> Option<BlockId> {
        let place = self.place(block)?;
        let idom = self.idoms[place] as usize;
        (idom != place).then(|| self.order[idom])
    }

    /// Returns whether `a` dominates `b`.
    pub(crate) fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        match (self.place(a), self.place(b)) {
            (Some(a), Some(b)) => {
                let ((start, end), (at, _)) = (self.spans[a], self.spans[b]);
                (start..end).contains(&at)
            }
            _ => false,
        }
    }
}

/// A depth-first search. Blocks are known by their number in it, in preorder.
struct Walk<'m> {
    vertices: Vec<'m, Vertex>,
    /// The number of each block.
    numbers: Vec<'m, u32>,
    postorder: Vec<'m, u32>,
}

/// A block of the search. All fields but the block are numbers.
struct Vertex {
    block: BlockId,
    /// The parent in the depth-first tree; in the end the immediate dominator.
    parent: u32,
    /// The parent in the forest that semidominators are found in.
    ancestor: u32,
    /// The vertex with the least semidominator between here and the ancestor.
    label: u32,
    semi: u32,
    /// The number of successors that are still to be visited.
    left: u32,
}

impl<'m> Walk<'m> {
    fn new(
        function: &Function<'_>,
        edges: &Edges<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Walk<'m>, OutOfMemory> {
        let blocks = function.layout.len();
        let mut walk = Walk {
            vertices: Vec::with_capacity(allocator, blocks)?,
            numbers: Vec::new(allocator),
            postorder: Vec::with_capacity(allocator, blocks)?,
        };
        walk.numbers.resize(function.block_count(), NONE)?;
        let Some(&entry) = function.layout.first() else {
            return Ok(walk);
        };
        walk.visit(edges, entry, 0)?;
        let mut number = 0;
        while let Some(vertex) = walk.vertices.get_mut(number as usize) {
            // The last successor is visited first, so that the first of the layout comes first in
            // reverse postorder.
            if let Some(left) = vertex.left.checked_sub(1) {
                vertex.left = left;
                let next = edges.successors(vertex.block)[left as usize];
                if walk.numbers[next.index()] == NONE {
                    walk.visit(edges, next, number)?;
                    number = walk.vertices.len() as u32 - 1;
                }
                continue;
            }
            walk.postorder.push(number)?;
            if number == 0 {
                break;
            }
            number = vertex.parent;
        }
        Ok(walk)
    }

    fn visit(&mut self, edges: &Edges<'_>, block: BlockId, parent: u32) -> Result<(), OutOfMemory> {
        let number = self.vertices.len() as u32;
        self.numbers[block.index()] = number;
        self.vertices.push(Vertex {
            block,
            parent,
            ancestor: NONE,
            label: number,
            semi: number,
            left: edges.successors(block).len() as u32,
        })
    }

    /// Replaces the parents by the immediate dominators.
    fn find_dominators(
        &mut self,
        edges: &Edges<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<(), OutOfMemory> {
        let mut path = Vec::new(allocator);
        for number in (1..self.vertices.len()).rev() {
            let mut least = self.vertices[number].semi;
            for from in edges.predecessors(self.vertices[number].block) {
                let from = self.numbers[from.index()];
                if from == NONE {
                    continue;
                }
                let label = self.eval(from, &mut path)?;
                least = least.min(self.vertices[label as usize].semi);
            }
            let vertex = &mut self.vertices[number];
            vertex.semi = least;
            vertex.ancestor = vertex.parent;
        }
        for number in 1..self.vertices.len() {
            let Vertex { parent, semi, .. } = self.vertices[number];
            let mut idom = parent;
            while idom > semi {
                idom = self.vertices[idom as usize].parent;
            }
            self.vertices[number].parent = idom;
        }
        Ok(())
    }

    /// Returns the vertex with the least semidominator on the path up from `vertex`, and compresses
    /// the path.
    fn eval(&mut self, vertex: u32, path: &mut Vec<'_, u32>) -> Result<u32, OutOfMemory> {
        let above = self.vertices[vertex as usize].ancestor;
        if above == NONE || self.vertices[above as usize].ancestor == NONE {
            return Ok(self.vertices[vertex as usize].label);
        }
        let mut next = vertex;
        while self.vertices[next as usize].ancestor != NONE {
            path.push(next)?;
            next = self.vertices[next as usize].ancestor;
        }
        // The last but one keeps its ancestor: the root, which has no better label.
        let root = next;
        let mut above = path.pop();
        while let Some(vertex) = path.pop() {
            let upper = self.vertices[above.unwrap_or(root) as usize].label;
            let semi = self.vertices[upper as usize].semi;
            let label = self.vertices[vertex as usize].label;
            if semi < self.vertices[label as usize].semi {
                self.vertices[vertex as usize].label = upper;
            }
            self.vertices[vertex as usize].ancestor = root;
            above = Some(vertex);
        }
        Ok(self.vertices[vertex as usize].label)
    }
}
