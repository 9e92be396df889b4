//! Block frequencies: how often each block is executed for each execution of the function,
//! estimated from the shape of the code alone.
//!
//! The frequency of a block is the sum of those of the edges that lead to it. The successors of a
//! block are equally likely, but for those that leave a loop, which are taken once in
//! [`ITERATIONS`] (Ball and Larus, "Branch prediction for free", 1993). The header of a loop is
//! executed as often as the loop is entered, times [`ITERATIONS`] (Wu and Larus, "Static branch
//! frequency and program profile analysis", 1994).
//!
//! The invariant: the sum of a block is complete when the walk in reverse postorder reaches it,
//! since only back edges, which the header stands for, lead to an earlier block. In irreducible
//! code the estimate is worse and nothing else. The cost is linear in blocks and edges.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::loop_forest::LoopForest;
use crate::machine::{BlockId, Frequency, Function};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The number of times that a loop is executed each time that it is entered.
pub(crate) const ITERATIONS: f32 = 8.0;
/// The most loops that an edge leaves which are told apart.
const MOST_LEFT: i32 = 6;

/// Sets [`crate::machine::Block::frequency`].
pub(crate) fn estimate_frequencies(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
    loops: Option<&LoopForest<'_>>,
) -> Result<(), OutOfMemory> {
    let mut sums = Vec::new(function.allocator());
    sums.resize(function.block_count(), 0.0_f32)?;
    if let Some(entry) = flow.order.first() {
        sums[entry.index()] = 1.0;
    }
    for &block in &flow.order {
        let mut sum = sums[block.index()];
        if loops.is_some_and(|loops| loops.inner(block) == Some(block)) {
            sum *= ITERATIONS;
        }
        let frequency = Frequency::new(sum);
        function.block_mut(block).frequency = frequency;
        let successors = flow.edges.successors(block);
        let share = |to: BlockId| share_of(flow, loops, block, to);
        let total: f32 = successors.iter().map(|&to| share(to)).sum();
        for &to in successors {
            if flow.place(block) < flow.place(to) {
                sums[to.index()] += frequency.value() * share(to) / total;
            }
        }
    }
    function.has_frequencies = true;
    Ok(())
}

/// Returns how likely an edge is relative to one that leaves no loop.
fn share_of(flow: &Flow<'_>, loops: Option<&LoopForest<'_>>, from: BlockId, to: BlockId) -> f32 {
    let Some(loops) = loops else {
        return 1.0;
    };
    // The loop around both. An edge enters a loop at its header only.
    let enters = loops.inner(to) == Some(to) && flow.place(from) < flow.place(to);
    let common = if enters {
        loops.outer(to)
    } else {
        loops.inner(to)
    };
    let (mut around, mut left) = (loops.inner(from), 0);
    while let Some(header) = around.filter(|_| around != common && left < MOST_LEFT) {
        around = loops.outer(header);
        left += 1;
    }
    (0..left).fold(1.0, |share, _| share / ITERATIONS)
}
