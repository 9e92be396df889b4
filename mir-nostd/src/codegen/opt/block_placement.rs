//! Block placement: each loop is contiguous in the layout, cold exits come after it, and its test
//! is at its end. In SSA form.
//!
//! Otherwise blocks keep their order. A block that lies between those of a loop without being part
//! of it (a return, or a path that leaves for good) goes after the loop, and after the code that
//! follows the loop without a jump. A loop with its test at the beginning and a jump back at the
//! end is rotated (loop inversion): it begins after the test, so that an iteration executes one
//! branch instead of two. Tests that only end the run, as that of the fuel, go with it. So is a
//! loop with its last test before steps and the jump back, as `continue` leads to: it begins with
//! the steps. Finally each branch is inverted if that makes it the one that stays in the loop or
//! lets it fall through.
//!
//! The layout is a tree of blocks and the loops of the loop forest, built and flattened in linear
//! time.
//!
//! How often each block is executed is estimated on the way, since the loops are known here.
//!
//! The invariant: the new order contains each block once, with the entry first; only branches and
//! jumps at the ends of blocks change, and each block keeps its successors.

use crate::codegen::analysis::block_frequency::estimate_frequencies;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::loop_forest::LoopForest;
use crate::codegen::analysis::properties::opposite_of;
use crate::machine::{BlockId, Function, Generic, InsnId, LowType, Operand};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::error::Error;

const NONE: u32 = u32::MAX;

/// Orders the blocks, and estimates their frequencies.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn place_blocks(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<(), Error> {
    let allocator = function.allocator();
    let loops = LoopForest::find(flow, function.block_count(), allocator)?;
    estimate_frequencies(function, flow, loops.as_ref())?;
    let Some(loops) = loops else {
        return Ok(());
    };
    // All blocks must be reachable, and the entry must not be in a loop, as it must come first.
    let is_whole = flow.order.len() == function.layout.len();
    let entry = function.layout.first().copied();
    if !is_whole || entry.is_none_or(|entry| loops.inner(entry).is_some()) {
        return Ok(());
    }
    let mut falls_to = Vec::new(allocator);
    falls_to.resize(function.block_count(), None)?;
    for pair in function.layout.windows(2) {
        if let &[block, next] = pair {
            falls_to[block.index()] = Some(next);
        }
    }
    let mut tree = Tree::new(function, &loops, allocator)?;
    for (place, &block) in function.layout.iter().enumerate() {
        tree.add(function, &loops, block, place as u32);
    }
    tree.flush_all();
    for &header in &flow.order {
        if loops.inner(header) == Some(header) {
            tree.rotate(function, flow, &loops, header);
        }
    }
    function.layout = tree.order(function.layout.len(), allocator)?;
    for place in 0..function.layout.len() {
        let next = function.layout.get(place + 1).copied();
        if let Some(&block) = function.layout.get(place) {
            lead(function, &loops, block, falls_to[block.index()], next)?;
        }
    }
    Ok(())
}

/// A list of nodes.
#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
}

const EMPTY: List = List {
    first: NONE,
    last: NONE,
};

/// The function and its loops as ordered trees of blocks and loops. The node of a block has its
/// number, that of a loop the number of its header plus the number of blocks, and the last list is
/// that of the function.
struct Tree<'m> {
    blocks: u32,
    /// The next node in the list of each node.
    nexts: Vec<'m, u32>,
    /// The parts of each loop, and of the function.
    parts: Vec<'m, List>,
    /// The parts that go after the present loop in each of these.
    waiting: Vec<'m, List>,
    /// The index in the old layout of the last block of each loop.
    ends: Vec<'m, u32>,
    /// The index at which the loops end that are parts of each loop.
    open: Vec<'m, u32>,
}

impl<'m> Tree<'m> {
    fn new(
        function: &Function<'_>,
        loops: &LoopForest<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Tree<'m>, OutOfMemory> {
        let blocks = function.block_count();
        let mut tree = Tree {
            blocks: blocks as u32,
            nexts: Vec::new(allocator),
            parts: Vec::new(allocator),
            waiting: Vec::new(allocator),
            ends: Vec::new(allocator),
            open: Vec::new(allocator),
        };
        tree.nexts.resize(2 * blocks, NONE)?;
        tree.parts.resize(blocks + 1, EMPTY)?;
        tree.waiting.resize(blocks + 1, EMPTY)?;
        tree.ends.resize(blocks + 1, 0)?;
        tree.open.resize(blocks + 1, 0)?;
        for (place, &block) in function.layout.iter().enumerate() {
            // Loops around a loop do not end before it; a few levels are followed.
            let mut around = loops.inner(block);
            for _ in 0..MOST_LEVELS {
                let Some(header) = around else {
                    break;
                };
                tree.ends[header.index()] = place as u32;
                around = loops.outer(header);
            }
        }
        Ok(tree)
    }

    /// Returns the list of a loop, or of the function.
    fn number(&self, header: Option<BlockId>) -> usize {
        header.map_or(self.blocks as usize, Entity::index)
    }

    /// Adds a block, and the loops that begin with it.
    fn add(&mut self, function: &Function<'_>, loops: &LoopForest<'_>, block: BlockId, place: u32) {
        let mut node = block.number();
        let mut around = loops.inner(block);
        loop {
            let list = self.number(around);
            let is_within = self.open[list] > place;
            if is_within {
                append(&mut self.nexts, &mut self.waiting[list], node);
            } else {
                append(&mut self.nexts, &mut self.parts[list], node);
                if node < self.blocks && is_closed(function, block) {
                    self.flush(list);
                }
            }
            if let Some(inner) = node.checked_sub(self.blocks) {
                self.open[list] = self.open[list].max(self.ends[inner as usize]);
            }
            match around {
                // The loop itself is not part of anything yet.
                Some(header) if self.is_new(list, node) => {
                    node = self.blocks + header.number();
                    around = loops.outer(header);
                }
                _ => break,
            }
        }
    }

    /// Returns whether this node is the only one of a loop so far.
    fn is_new(&self, list: usize, node: u32) -> bool {
        self.parts[list].first == node && self.nexts[node as usize] == NONE
    }

    /// Appends the waiting parts.
    fn flush(&mut self, list: usize) {
        let waiting = core::mem::replace(&mut self.waiting[list], EMPTY);
        let parts = &mut self.parts[list];
        if waiting.first != NONE {
            match parts.last {
                NONE => parts.first = waiting.first,
                last => self.nexts[last as usize] = waiting.first,
            }
            parts.last = waiting.last;
        }
    }

    fn flush_all(&mut self) {
        for list in 0..self.parts.len() {
            self.flush(list);
        }
    }

    /// Rotates a loop whose last block jumps back to the header, so that a test comes last: that in
    /// its header, or else the last one.
    fn rotate(
        &mut self,
        function: &Function<'_>,
        flow: &Flow<'_>,
        loops: &LoopForest<'_>,
        header: BlockId,
    ) {
        let parts = self.parts[header.index()];
        let (first, last) = (header.number(), parts.last);
        if parts.first != first || last == first || last >= self.blocks {
            return;
        }
        let latch = BlockId::new(last);
        let jumps_back = only_terminator(function, latch).is_some_and(|jump| {
            let target = function.operands(jump).first().and_then(|o| o.as_block());
            function.insn(jump).opcode.generic() == Some(Generic::Br) && target == Some(header)
        });
        if !jumps_back {
            return;
        }
        let test = self.exit_test(flow, loops, header);
        if let Some(test) = test.or_else(|| self.last_exit(flow, loops, header)) {
            self.parts[header.index()] = List {
                first: self.nexts[test.index()],
                last: test.number(),
            };
            self.nexts[last as usize] = first;
            self.nexts[test.index()] = NONE;
        }
    }

    /// Returns the block at the beginning of a loop that tests whether to leave it: the header, or
    /// one that follows it after tests that only end the run, as those of fuel and addresses do.
    fn exit_test(
        &self,
        flow: &Flow<'_>,
        loops: &LoopForest<'_>,
        header: BlockId,
    ) -> Option<BlockId> {
        let mut block = header;
        for _ in 0..MOST_TESTS {
            let &[a, b] = flow.edges.successors(block) else {
                return None;
            };
            let (stay, leave) = match [a, b].map(|to| is_member(loops, header, to)) {
                [true, false] => (a, b),
                [false, true] => (b, a),
                _ => return None,
            };
            if !flow.ends_run(block, leave) {
                return Some(block);
            }
            let is_next = self.nexts[block.index()] == stay.number();
            if !is_next || flow.edges.predecessors(stay) != [block] {
                return None;
            }
            block = stay;
        }
        None
    }

    /// Returns the last block of a loop, but for its latch, that tests whether to leave it and goes
    /// on to the next one.
    fn last_exit(
        &self,
        flow: &Flow<'_>,
        loops: &LoopForest<'_>,
        header: BlockId,
    ) -> Option<BlockId> {
        let mut found = None;
        let mut node = header.number();
        while self.nexts[node as usize] != NONE {
            let next = self.nexts[node as usize];
            if node < self.blocks {
                let block = BlockId::new(node);
                if let &[a, b] = flow.edges.successors(block) {
                    let [stay, leave] = if a.number() == next { [a, b] } else { [b, a] };
                    let is_exit = stay.number() == next && !is_member(loops, header, leave);
                    if is_exit && !flow.ends_run(block, leave) {
                        found = Some(block);
                    }
                }
            }
            node = next;
        }
        found
    }

    /// Returns all blocks in order.
    fn order(
        &self,
        count: usize,
        allocator: &'m dyn Allocator,
    ) -> Result<Vec<'m, BlockId>, OutOfMemory> {
        let mut order = Vec::with_capacity(allocator, count)?;
        let mut stack = Vec::new(allocator);
        let mut node = self.parts[self.blocks as usize].first;
        loop {
            while node == NONE {
                match stack.pop() {
                    Some(around) => node = self.nexts[around as usize],
                    None => return Ok(order),
                }
            }
            match node.checked_sub(self.blocks) {
                Some(header) => {
                    stack.push(node)?;
                    node = self.parts[header as usize].first;
                }
                None => {
                    order.push(BlockId::new(node))?;
                    node = self.nexts[node as usize];
                }
            }
        }
    }
}

/// The most tests at the beginning of a loop that are looked at.
const MOST_TESTS: usize = 8;

/// The most loops around a block that are looked at.
const MOST_LEVELS: usize = 32;

/// Returns whether a block is in a loop, as far as the levels around it are looked at.
fn is_member(loops: &LoopForest<'_>, header: BlockId, block: BlockId) -> bool {
    let mut around = loops.inner(block);
    for _ in 0..MOST_LEVELS {
        match around {
            Some(found) if found == header => return true,
            Some(found) => around = loops.outer(found),
            None => return false,
        }
    }
    true
}

fn append(nexts: &mut [u32], list: &mut List, node: u32) {
    match nexts.get_mut(list.last as usize) {
        Some(next) => *next = node,
        None => list.first = node,
    }
    list.last = node;
}

/// Returns whether a block never falls through to the next one.
fn is_closed(function: &Function<'_>, block: BlockId) -> bool {
    let last = function.block(block).last();
    let generic = last.and_then(|last| function.insn(last).opcode.generic());
    generic.is_some_and(|generic| {
        let goes_on = matches!(
            generic,
            Generic::BrIcmp | Generic::BrFcmp | Generic::PropertyBranch
        );
        generic.is_terminator() && !goes_on
    })
}

fn is_terminator(function: &Function<'_>, insn: InsnId) -> bool {
    let generic = function.insn(insn).opcode.generic();
    generic.is_some_and(Generic::is_terminator)
}

/// Returns the last instruction of a block, if it is its only terminator.
fn only_terminator(function: &Function<'_>, block: BlockId) -> Option<InsnId> {
    let last = function.block(block).last()?;
    let before = function.insn(last).previous();
    let is_only = before.is_none_or(|before| !is_terminator(function, before));
    (is_only && is_terminator(function, last)).then_some(last)
}

/// Returns the only conditional branch of a block, and the jump after it, if there is one.
fn branch_of(function: &Function<'_>, block: BlockId) -> Option<(InsnId, Option<InsnId>)> {
    let last = function.block(block).last()?;
    let is_jump = function.insn(last).opcode.generic() == Some(Generic::Br);
    let branch = if is_jump {
        function.insn(last).previous()?
    } else {
        last
    };
    let before = function.insn(branch).previous();
    let is_only = before.is_none_or(|before| !is_terminator(function, before));
    opposite_of(function, branch)?;
    is_only.then_some((branch, is_jump.then_some(last)))
}

/// Fixes the end of a block for its new successor in the layout, so that it leads where it did. The
/// branch is inverted where it then stays in the loop or the block falls through.
fn lead(
    function: &mut Function<'_>,
    loops: &LoopForest<'_>,
    block: BlockId,
    fell_to: Option<BlockId>,
    next: Option<BlockId>,
) -> Result<(), Error> {
    let jump_to = |function: &mut Function<'_>, to: BlockId| {
        let target = [Operand::block(to)];
        let appended = function.append(block, Generic::Br, LowType::S64, &target);
        appended.map(|_| ())
    };
    if let Some((branch, jump)) = branch_of(function, block) {
        let target = function.operands(branch).get(3).and_then(|o| o.as_block());
        let jumped = jump.and_then(|jump| function.operands(jump).first()?.as_block());
        let otherwise = if jump.is_some() { jumped } else { fell_to };
        if let (Some(target), Some(otherwise)) = (target, otherwise) {
            let around = loops.inner(block);
            let stays = |to| around.is_some_and(|header| is_member(loops, header, to));
            let is_better = Some(target) == next
                || Some(otherwise) != next && stays(otherwise) && !stays(target);
            let mut otherwise = otherwise;
            if is_better && target != otherwise {
                invert(function, branch, otherwise);
                otherwise = target;
            }
            if let Some(jump) = jump {
                function.remove(jump);
            }
            if Some(otherwise) != next {
                jump_to(function, otherwise)?;
            }
            return Ok(());
        }
    }
    if let Some(fell_to) = fell_to
        && !is_closed(function, block)
        && Some(fell_to) != next
    {
        jump_to(function, fell_to)?;
    }
    Ok(())
}

/// Inverts the condition of a branch and redirects it.
fn invert(function: &mut Function<'_>, branch: InsnId, to: BlockId) {
    if let Some(opposite) = opposite_of(function, branch)
        && let [predicate, _, _, target] = function.operands_mut(branch)
    {
        *predicate = opposite;
        *target = Operand::block(to);
    }
}
