//! The flow of control: the blocks in reverse postorder and the tree of dominators.
//!
//! Dominators by semidominators (Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph", 1979; the
//! last step as in Georgiadis, "Linear-time algorithms for dominators and related problems", 2005): linear in practice.

use super::properties;
use crate::machine::{BlockId, Edges, Function};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::Isa;

/// No number.
const NONE: u32 = u32::MAX;

/// The flow of control of a function at one moment. Blocks that nothing leads to are left out.
#[derive(Debug)]
pub(super) struct Flow<'m> {
    pub(super) edges: Edges<'m>,
    /// The blocks in reverse postorder.
    pub(super) order: Vec<'m, BlockId>,
    /// The place of each block in the order.
    places: Vec<'m, u32>,
    /// The immediate dominator of each place, a place; the entry has itself.
    idoms: Vec<'m, u32>,
    /// The blocks so that each comes behind its dominators and before all others that those dominate.
    pub(super) tree: Vec<'m, BlockId>,
    /// For each place, where it is in `tree`, and where what it dominates ends.
    spans: Vec<'m, (u32, u32)>,
}

impl<'m> Flow<'m> {
    pub(super) fn new(
        function: &Function<'_>,
        isa: &dyn Isa,
        allocator: &'m dyn Allocator,
    ) -> Result<Flow<'m>, OutOfMemory> {
        let edges = properties::edges(function, isa, allocator)?;
        let walk = Walk::new(function, &edges, allocator)?;
        let idoms = walk.dominators(&edges, allocator)?;
        let count = walk.vertices.len();
        let mut order = Vec::with_capacity(allocator, count)?;
        let mut places = Vec::new(allocator);
        places.resize(function.block_count(), NONE)?;
        for &number in walk.postorder.iter().rev() {
            let block = walk.vertices[number as usize];
            places[block.index()] = order.len() as u32;
            order.push(block)?;
        }
        let mut by_place = Vec::new(allocator);
        by_place.resize(count, 0_u32)?;
        for (number, &block) in walk.vertices.iter().enumerate() {
            let idom = walk.vertices[idoms[number] as usize];
            by_place[places[block.index()] as usize] = places[idom.index()];
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

    /// Fills in `tree` and `spans`.
    fn number_tree(&mut self, allocator: &'m dyn Allocator) -> Result<(), OutOfMemory> {
        let count = self.order.len();
        // First how many blocks each one dominates, itself included: children come behind their parents in the order.
        let mut sizes = Vec::new(allocator);
        sizes.resize(count, 1_u32)?;
        for place in (1..count).rev() {
            let size = sizes[place];
            sizes[self.idoms[place] as usize] += size;
        }
        // Then each gets the next free room within that of its parent.
        let mut free = Vec::new(allocator);
        free.resize(count, 1_u32)?;
        self.spans.resize(count, (0, count as u32))?;
        if let Some(&entry) = self.order.first() {
            self.tree.resize(count, entry)?;
        }
        for place in 1..count {
            let idom = self.idoms[place] as usize;
            let start = self.spans[idom].0 + free[idom];
            free[idom] += sizes[place];
            self.spans[place] = (start, start + sizes[place]);
            self.tree[start as usize] = self.order[place];
        }
        Ok(())
    }

    /// The place of a block in the order; `None` if nothing leads to it.
    pub(super) fn place(&self, block: BlockId) -> Option<usize> {
        let place = self.places.get(block.index()).copied()?;
        (place != NONE).then_some(place as usize)
    }

    /// Whether any way leads back: without one there are no loops.
    pub(super) fn has_loops(&self) -> bool {
        let leads_back = |(place, &block): (usize, &BlockId)| {
            let sources = self.edges.predecessors(block).iter();
            { sources }.any(|&from| self.place(from).is_some_and(|from| from >= place))
        };
        self.order.iter().enumerate().any(leads_back)
    }

    /// Forgets the ways from blocks that nothing leads to.
    pub(super) fn forget_unreached(&mut self) {
        let places = &self.places;
        self.edges
            .keep_from(|from| places.get(from.index()).is_some_and(|&place| place != NONE));
    }

    /// The immediate dominator of a block; `None` for the entry.
    pub(super) fn idom(&self, block: BlockId) -> Option<BlockId> {
        let place = self.place(block)?;
        let idom = self.idoms[place] as usize;
        (idom != place).then(|| self.order[idom])
    }

    /// Whether every way to `b` leads through `a`.
    pub(super) fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        match (self.place(a), self.place(b)) {
            (Some(a), Some(b)) => {
                let ((start, end), (at, _)) = (self.spans[a], self.spans[b]);
                (start..end).contains(&at)
            }
            _ => false,
        }
    }
}

/// A walk depth first; blocks are known by their number in it.
struct Walk<'m> {
    vertices: Vec<'m, BlockId>,
    numbers: Vec<'m, u32>,
    parents: Vec<'m, u32>,
    postorder: Vec<'m, u32>,
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
            parents: Vec::with_capacity(allocator, blocks)?,
            postorder: Vec::with_capacity(allocator, blocks)?,
        };
        walk.numbers.resize(function.block_count(), NONE)?;
        // Numbers of blocks, and how many successors were visited.
        let mut stack: Vec<'_, (u32, u32)> = Vec::with_capacity(allocator, blocks)?;
        if let Some(&entry) = function.layout.first() {
            walk.visit(entry, 0)?;
            stack.push((0, 0))?;
        }
        while let Some((number, done)) = stack.pop() {
            let successors = edges.successors(walk.vertices[number as usize]);
            // From the last one on, so that in reverse postorder what comes first in the layout is first.
            let left = successors.len() - done as usize;
            let Some(&next) = left.checked_sub(1).and_then(|left| successors.get(left)) else {
                walk.postorder.push(number)?;
                continue;
            };
            stack.push((number, done + 1))?;
            if walk.numbers[next.index()] == NONE {
                stack.push((walk.vertices.len() as u32, 0))?;
                walk.visit(next, number)?;
            }
        }
        Ok(walk)
    }

    fn visit(&mut self, block: BlockId, parent: u32) -> Result<(), OutOfMemory> {
        self.numbers[block.index()] = self.vertices.len() as u32;
        self.vertices.push(block)?;
        self.parents.push(parent)
    }

    /// The immediate dominators, by numbers.
    fn dominators(
        &self,
        edges: &Edges<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Vec<'m, u32>, OutOfMemory> {
        let count = self.vertices.len();
        let mut forest = Forest {
            ancestors: Vec::new(allocator),
            labels: Vec::with_capacity(allocator, count)?,
            semis: Vec::with_capacity(allocator, count)?,
            path: Vec::new(allocator),
        };
        forest.ancestors.resize(count, NONE)?;
        for number in 0..count as u32 {
            forest.labels.push(number)?;
            forest.semis.push(number)?;
        }
        for number in (1..count).rev() {
            for from in edges.predecessors(self.vertices[number]) {
                let from = self.numbers[from.index()];
                if from == NONE {
                    continue;
                }
                let label = forest.eval(from)?;
                let semi = forest.semis[label as usize];
                forest.semis[number] = forest.semis[number].min(semi);
            }
            forest.ancestors[number] = self.parents[number];
        }
        let mut idoms = Vec::from_slice(allocator, &self.parents)?;
        for number in 1..count {
            let mut idom = idoms[number];
            while idom > forest.semis[number] {
                idom = idoms[idom as usize];
            }
            idoms[number] = idom;
        }
        Ok(idoms)
    }
}

/// The forest that semidominators are found in.
struct Forest<'m> {
    ancestors: Vec<'m, u32>,
    labels: Vec<'m, u32>,
    semis: Vec<'m, u32>,
    path: Vec<'m, u32>,
}

impl Forest<'_> {
    /// The vertex with the least semidominator on the way up from `vertex`; shortens the way.
    fn eval(&mut self, vertex: u32) -> Result<u32, OutOfMemory> {
        let mut next = vertex;
        while self.ancestors[next as usize] != NONE {
            self.path.push(next)?;
            next = self.ancestors[next as usize];
        }
        // The last but one keeps its ancestor: the root, which has no better label.
        let root = next;
        let mut above = self.path.pop();
        while let Some(vertex) = self.path.pop() {
            let (label, upper) = (self.labels[vertex as usize], above.unwrap_or(root));
            let better = self.labels[upper as usize];
            if self.semis[better as usize] < self.semis[label as usize] {
                self.labels[vertex as usize] = better;
            }
            self.ancestors[vertex as usize] = root;
            above = Some(vertex);
        }
        Ok(self.labels[vertex as usize])
    }
}
