//! The costs of functions in fuel, which all engines charge alike.
//!
//! Instructions form blocks, and blocks form regions: parts of the control-flow graph without a
//! cycle that control enters at one block only. A region is paid for there, at once: the
//! instructions of its longest path. So a loop that decides and goes on inside pays once per
//! iteration.
//!
//! A region begins with the function; where a cycle closes, by depth-first search in the order of
//! the code; at a label whose address is taken; where control comes from several regions; and
//! after a loop, which is all that lies between a label and the last branch back to it. In
//! functions that `longjmp` may come back to, each block is a region.

use super::{Code, Flags, FuncId, InsnId, ItemKind, Label, Module, Operand};
use crate::mem::{Allocator, OutOfMemory, Vec, sort_by_key};

/// A block of a function, in the order of the code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Its first instruction.
    pub(crate) first: InsnId,
    /// The fuel that is charged when control comes to it; 0 inside of regions.
    pub(crate) cost: u32,
}

/// Returns the blocks of a function. A block begins at a label that something refers to, and after
/// an instruction that may branch.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn blocks<'m>(
    module: &Module<'_>,
    func: FuncId,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, Block>, OutOfMemory> {
    let mut graph = Graph::new(allocator);
    graph.find_labels(module, func)?;
    graph.find_blocks(module, func)?;
    graph.resolve_edges();
    graph.find_scopes()?;
    graph.find_order()?;
    graph.find_cycles();
    graph.find_regions();
    graph.find_costs();
    Ok(graph.blocks)
}

/// No block.
const NONE: u32 = u32::MAX;

/// The facts on a block that its cost depends on.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The index of its first edge.
    edges: u32,
    /// The innermost loop around it: its first and last block.
    scope: (u32, u32),
    /// Its place in reverse postorder, from 1 on; 0 while it is not known.
    place: u32,
    /// The block with which its region begins; while it is not known, the only one that control
    /// came from.
    region: u32,
    is_first: bool,
    /// The instructions of the longest path from it to the end of the region.
    length: u32,
}

const UNKNOWN: Node = Node {
    edges: 0,
    scope: (0, NONE),
    place: 0,
    region: NONE,
    is_first: false,
    length: 0,
};

/// The control-flow graph of a function.
struct Graph<'m> {
    blocks: Vec<'m, Block>,
    nodes: Vec<'m, Node>,
    /// The labels that something refers to, sorted, and their blocks.
    labels: Vec<'m, (Label, u32)>,
    /// The labels whose addresses are taken.
    taken: Vec<'m, Label>,
    /// The blocks that control may go to, or numbers of labels before they are resolved, from one
    /// block after the other.
    edges: Vec<'m, Edge>,
    /// The blocks in reverse postorder.
    order: Vec<'m, u32>,
    /// True if `longjmp` may come back into the function: then each block is a region.
    comes_back: bool,
}

#[derive(Clone, Copy, Debug)]
enum Edge {
    Label(Label),
    Block(u32),
}

impl<'m> Graph<'m> {
    fn new(allocator: &'m dyn Allocator) -> Graph<'m> {
        Graph {
            blocks: Vec::new(allocator),
            nodes: Vec::new(allocator),
            labels: Vec::new(allocator),
            taken: Vec::new(allocator),
            edges: Vec::new(allocator),
            order: Vec::new(allocator),
            comes_back: false,
        }
    }

    /// Lists the labels that something refers to.
    fn find_labels(&mut self, module: &Module<'_>, func: FuncId) -> Result<(), OutOfMemory> {
        for insn in module.insns(func) {
            let code = module.code(insn);
            if code == Code::Label {
                continue;
            }
            for operand in module.operands(insn) {
                if let Operand::Label(label) = operand {
                    self.labels.push((label, NONE))?;
                    if code == Code::Laddr {
                        self.taken.push(label)?;
                    }
                }
            }
        }
        for item in module.lrefs(func) {
            if let ItemKind::Lref { label, label2, .. } = module.item(item).kind {
                for label in [Some(label), label2].into_iter().flatten() {
                    self.labels.push((label, NONE))?;
                    self.taken.push(label)?;
                }
            }
        }
        sort_by_key(&mut self.labels, |&(label, _)| label);
        Ok(())
    }

    /// Returns the index of the first entry of a label that something refers to.
    fn label_index(&self, label: Label) -> Option<usize> {
        let index = self.labels.partition_point(|&(other, _)| other < label);
        self.labels
            .get(index)
            .filter(|&&(found, _)| found == label)?;
        Some(index)
    }

    /// Returns the block at a label.
    fn block_of(&self, label: Label) -> Option<u32> {
        let (_, block) = self.labels[self.label_index(label)?];
        Some(block).filter(|&block| block != NONE)
    }

    /// Counts the instructions of each block, and notes where control goes from it.
    fn find_blocks(&mut self, module: &Module<'_>, func: FuncId) -> Result<(), OutOfMemory> {
        let (mut begins, mut falls) = (true, false);
        for insn in module.insns(func) {
            if let Some(label) = module.label_of(insn) {
                if let Some(index) = self.label_index(label) {
                    // The block begins with the next instruction.
                    self.labels[index].1 = self.blocks.len() as u32;
                    begins = true;
                }
                continue;
            }
            if begins {
                let number = self.blocks.len() as u32;
                if falls {
                    self.edges.push(Edge::Block(number))?;
                }
                let edges = self.edges.len() as u32;
                self.nodes.push(Node { edges, ..UNKNOWN })?;
                self.blocks.push(Block {
                    first: insn,
                    cost: 0,
                })?;
            }
            let code = module.code(insn);
            if let Some(node) = self.nodes.last_mut() {
                node.length += 1;
            }
            self.comes_back |= code.is_call() && module.calls_set_jump(insn);
            if code.flags().contains(Flags::BRANCH) {
                for operand in module.operands(insn) {
                    if let Operand::Label(label) = operand {
                        self.edges.push(Edge::Label(label))?;
                    }
                }
            }
            begins = code.ends_block();
            falls = !code.flags().contains(Flags::TERMINATOR);
        }
        Ok(())
    }

    /// Replaces labels by the blocks that they begin; one at the end begins none.
    fn resolve_edges(&mut self) {
        for index in 0..self.edges.len() {
            if let Edge::Label(label) = self.edges[index] {
                let block = self.block_of(label).unwrap_or(NONE);
                self.edges[index] = Edge::Block(block);
            }
        }
        for index in 0..self.taken.len() {
            let block = self.block_of(self.taken[index]);
            if let Some(node) = block.and_then(|block| self.nodes.get_mut(block as usize)) {
                node.is_first = true;
            }
        }
        if let Some(entry) = self.nodes.first_mut() {
            entry.is_first = true;
        }
    }

    /// Returns the block that an edge leads to, if there is one.
    fn target(&self, edge: usize) -> Option<usize> {
        match *self.edges.get(edge)? {
            Edge::Block(block) => Some(block as usize).filter(|&block| block < self.nodes.len()),
            Edge::Label(_) => None,
        }
    }

    /// Returns the edges that leave a block.
    fn edges_of(&self, block: usize) -> core::ops::Range<usize> {
        let end = self.nodes.get(block + 1).map(|next| next.edges as usize);
        self.nodes[block].edges as usize..end.unwrap_or(self.edges.len())
    }

    /// Finds the loops: from a block to the last that branches back to it, but not beyond the end
    /// of the loop around it.
    fn find_scopes(&mut self) -> Result<(), OutOfMemory> {
        for block in 0..self.nodes.len() {
            for edge in self.edges_of(block) {
                if let Some(to) = self.target(edge).filter(|&to| to <= block) {
                    self.nodes[to].scope = (to as u32, block as u32);
                }
            }
        }
        let mut around = Vec::new(self.order.allocator());
        for block in 0..self.nodes.len() {
            while around.last().is_some_and(|&(_, last)| block as u32 > last) {
                around.pop();
            }
            let (first, last) = self.nodes[block].scope;
            let outer = around.last().copied().unwrap_or(UNKNOWN.scope);
            if (first, last) != UNKNOWN.scope {
                around.push((first, last.min(outer.1)))?;
            }
            self.nodes[block].scope = around.last().copied().unwrap_or(UNKNOWN.scope);
        }
        Ok(())
    }

    /// Finds the reverse postorder of all blocks, those first that control can come to from
    /// elsewhere.
    fn find_order(&mut self) -> Result<(), OutOfMemory> {
        let count = self.nodes.len();
        self.order.reserve(count)?;
        let mut path: Vec<'_, (usize, usize)> = Vec::new(self.order.allocator());
        for is_first in [true, false] {
            for start in 0..count {
                if self.nodes[start].is_first == is_first {
                    self.visit(start, &mut path)?;
                }
            }
        }
        self.order.reverse();
        for place in 0..count {
            let block = self.order[place] as usize;
            self.nodes[block].place = place as u32 + 1;
        }
        Ok(())
    }

    /// Adds the blocks that can be reached from one and are not in the order yet, in postorder.
    fn visit(
        &mut self,
        start: usize,
        path: &mut Vec<'_, (usize, usize)>,
    ) -> Result<(), OutOfMemory> {
        if core::mem::replace(&mut self.nodes[start].place, 1) != 0 {
            return Ok(());
        }
        path.push((start, self.edges_of(start).start))?;
        while let Some(&mut (block, ref mut edge)) = path.last_mut() {
            if !self.edges_of(block).contains(edge) {
                self.order.push(block as u32)?;
                path.pop();
                continue;
            }
            let next = self.target(*edge);
            *edge += 1;
            if let Some(next) = next
                && core::mem::replace(&mut self.nodes[next].place, 1) == 0
            {
                path.push((next, self.edges_of(next).start))?;
            }
        }
        Ok(())
    }

    /// Has regions begin where a cycle closes.
    fn find_cycles(&mut self) {
        for block in 0..self.nodes.len() {
            for edge in self.edges_of(block) {
                if let Some(to) = self.target(edge)
                    && self.nodes[to].place <= self.nodes[block].place
                {
                    self.nodes[to].is_first = true;
                }
            }
        }
    }

    /// Finds the region of each block, after those that control comes from.
    fn find_regions(&mut self) {
        for index in 0..self.order.len() {
            let block = self.order[index] as usize;
            let node = self.nodes[block];
            let from = self
                .nodes
                .get(node.region as usize)
                .map(|first| first.scope);
            let is_inside = |(first, last)| (first..=last).contains(&(block as u32));
            if node.is_first || self.comes_back || !from.is_some_and(is_inside) {
                self.nodes[block].is_first = true;
                self.nodes[block].region = block as u32;
            }
            let region = self.nodes[block].region;
            for edge in self.edges_of(block) {
                let Some(to) = self.target(edge) else {
                    continue;
                };
                let next = &mut self.nodes[to];
                if next.place > node.place {
                    next.is_first |= next.region != NONE && next.region != region;
                    next.region = region;
                }
            }
        }
    }

    /// Finds the costs, from the ends of regions to where they begin.
    fn find_costs(&mut self) {
        for index in (0..self.order.len()).rev() {
            let block = self.order[index] as usize;
            let mut longest = 0;
            for edge in self.edges_of(block) {
                if let Some(to) = self.target(edge)
                    && !self.nodes[to].is_first
                {
                    longest = longest.max(self.nodes[to].length);
                }
            }
            let length = self.nodes[block].length.saturating_add(longest);
            self.nodes[block].length = length;
            if self.nodes[block].is_first {
                self.blocks[block].cost = length;
            }
        }
    }
}
