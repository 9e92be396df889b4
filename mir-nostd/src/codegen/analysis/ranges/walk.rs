//! The walk down the dominator tree.

use super::Ranges;
use super::phis::Sources;
use crate::codegen::analysis::control_flow::Flow;
use crate::machine::{BlockId, Function};
use crate::mem::{OutOfMemory, Vec};

/// Says if a PHI that is stepped is known to stay on one side of its other values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Steps {
    /// It is not: the proof of a confined function does not know it either.
    Ignored,
    /// It is.
    Followed,
}

/// A walk down the dominator tree that keeps the ranges of registers.
pub(crate) struct Walk<'m> {
    pub(crate) ranges: Ranges<'m>,
    /// The blocks around the present one, with the number of ranges before each.
    around: Vec<'m, (BlockId, usize)>,
}

impl<'m> Walk<'m> {
    pub(crate) fn new(function: &Function<'m>) -> Result<Walk<'m>, OutOfMemory> {
        Ok(Walk {
            ranges: Ranges::new(function)?,
            around: Vec::new(function.allocator()),
        })
    }

    /// Goes on to the next block of the tree.
    pub(crate) fn enter(
        &mut self,
        function: &Function<'_>,
        flow: &Flow<'_>,
        block: BlockId,
    ) -> Result<(), OutOfMemory> {
        while let Some(&(scope, count)) = self.around.last()
            && Some(scope) != flow.idom(block)
        {
            self.ranges.forget_to(count);
            self.around.pop();
        }
        self.around.push((block, self.ranges.count()))?;
        self.ranges.enter(function, flow, block)
    }

    /// Walks over the whole function to find the ranges of PHIs, and goes back to the start.
    pub(crate) fn learn_phis(
        &mut self,
        function: &Function<'m>,
        flow: &Flow<'_>,
        steps: Steps,
    ) -> Result<(), OutOfMemory> {
        self.ranges.follow(steps)?;
        let sources = Sources::new(function, flow)?;
        for &block in &flow.tree {
            self.enter(function, flow, block)?;
            self.ranges.meet_phis(function, flow, &sources, block);
        }
        self.ranges.forget_to(0);
        self.around.clear();
        self.ranges.learn_phis(function, flow);
        Ok(())
    }
}
