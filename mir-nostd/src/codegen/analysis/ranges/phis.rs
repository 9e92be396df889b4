//! The ranges of PHIs, from those of the values that come to them at the ends of blocks.

use super::Ranges;
use super::arithmetic::Range;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::is_phi;
use crate::machine::{BlockId, Function, LowType, Operand, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The values that come to a PHI.
#[derive(Clone, Copy)]
pub(super) struct Met {
    /// The range of all: their greatest value, and the least of those that are not the PHI plus
    /// something; likewise for those that are less than the PHI by something.
    range: Range,
    /// The most that comes to be added to the PHI and to be subtracted, as a negative number.
    steps: Range,
}

impl Met {
    /// Returns what is met where nothing is.
    const NONE: Met = Met {
        range: (i64::MAX, i64::MIN),
        steps: (0, 0),
    };

    /// Adds a value: one of this range, which is the PHI plus a number that is not 0 if it is
    /// stepped.
    fn add(&mut self, range: Range, step: Option<i64>) {
        let step = step.unwrap_or(0);
        if step <= 0 {
            self.range.0 = self.range.0.min(range.0);
        }
        if step >= 0 {
            self.range.1 = self.range.1.max(range.1);
        }
        self.steps = (self.steps.0.min(step), self.steps.1.max(step));
    }

    /// Returns the range of the PHI, if no step wraps.
    fn range(&self) -> Option<Range> {
        let (least, most) = self.range;
        least.checked_add(self.steps.0)?;
        most.checked_add(self.steps.1)?;
        (least <= most).then_some((least, most))
    }
}

impl Ranges<'_> {
    /// Notes the values that come from a block to PHIs, with what is known at its end.
    pub(super) fn meet_phis(
        &mut self,
        function: &Function<'_>,
        flow: &Flow<'_>,
        sources: &Sources<'_>,
        from: BlockId,
    ) {
        for &(to, source) in sources.of(from) {
            let implied = |is_low| self.implied_of(function, flow, from, (to, source), is_low);
            let range = implied(false).unwrap_or_else(|| self.of(function, source));
            let step = { self.sum(function, source) }
                .filter(|(of, _)| self.follows_steps && of.vreg() == Some(to));
            let low = self
                .follows_steps
                .then(|| implied(true).unwrap_or_else(|| self.low(function, source)));
            let met = self.met[to.index()].get_or_insert(Met::NONE);
            met.add(range, step.map(|(_, step)| step));
            if let Some(low) = low {
                let met = self.met_low[to.index()].get_or_insert(low);
                *met = (met.0.min(low.0), met.1.max(low.1));
            }
        }
    }

    /// Returns what the edge from a block to a PHI implies about a value that comes by it, if that
    /// is about its low half, or about all of it, as asked.
    fn implied_of(
        &self,
        function: &Function<'_>,
        flow: &Flow<'_>,
        from: BlockId,
        (phi, source): (VReg, Operand),
        is_low: bool,
    ) -> Option<Range> {
        let vreg = source.vreg().filter(|_| self.follows_steps)?;
        let block = function.insn(self.definition(phi.into())?).block();
        let implied = self.implied(function, flow, from, block)?;
        let mut ranges = implied.ranges.into_iter();
        let (_, range) = ranges.find(|(operand, _)| operand.vreg() == Some(vreg))?;
        range.filter(|_| implied.is_low == is_low)
    }

    /// Has the walks after this one know in which ranges PHIs are.
    pub(super) fn learn_phis(&mut self, function: &Function<'_>, flow: &Flow<'_>) {
        for &block in &flow.order {
            let phis = function
                .insns(block)
                .take_while(|&insn| is_phi(function, insn));
            let is_known = !function.block(block).address_taken;
            for phi in phis.filter(|_| is_known) {
                let vreg = { function.operands(phi).first() }.and_then(|to| to.vreg());
                if let Some(vreg) = vreg
                    && let Some(range) = self.met[vreg.index()].and_then(|met| met.range())
                {
                    self.learnt[vreg.index()] = range;
                }
                if let Some(vreg) = vreg
                    && let Some(&Some(low)) = self.met_low.get(vreg.index())
                {
                    let place = self.low_place(vreg);
                    self.learnt[place] = low;
                }
            }
        }
    }
}

/// The values that come to PHIs of 64 bits, by the block that they come from.
pub(super) struct Sources<'m> {
    /// The first value of each block among all, and at last their number.
    firsts: Vec<'m, u32>,
    values: Vec<'m, (VReg, Operand)>,
}

impl<'m> Sources<'m> {
    pub(super) fn new(
        function: &Function<'m>,
        flow: &Flow<'_>,
    ) -> Result<Sources<'m>, OutOfMemory> {
        let mut firsts = Vec::new(function.allocator());
        firsts.resize(function.block_count() + 2, 0_u32)?;
        each_source(function, flow, &mut |from, _| firsts[from.index() + 2] += 1);
        for number in 2..firsts.len() {
            firsts[number] += firsts[number - 1];
        }
        let mut values = Vec::new(function.allocator());
        let count = firsts.last().map_or(0, |&count| count as usize);
        values.resize(count, (VReg::new(0), Operand::NO_REG))?;
        each_source(function, flow, &mut |from, value| {
            let place = &mut firsts[from.index() + 1];
            values[*place as usize] = value;
            *place += 1;
        });
        Ok(Sources { firsts, values })
    }

    fn of(&self, block: BlockId) -> &[(VReg, Operand)] {
        let [first, end] = [0, 1].map(|more| self.firsts[block.index() + more] as usize);
        &self.values[first..end]
    }
}

/// Calls `visit` for each value that comes to a PHI of 64 bits: with the block that it comes from,
/// the PHI's register and the value.
fn each_source(
    function: &Function<'_>,
    flow: &Flow<'_>,
    visit: &mut dyn FnMut(BlockId, (VReg, Operand)),
) {
    for &block in &flow.order {
        let phis = function
            .insns(block)
            .take_while(|&insn| is_phi(function, insn));
        for phi in phis.filter(|&insn| function.insn(insn).ty == LowType::S64) {
            let [to, sources @ ..] = function.operands(phi) else {
                continue;
            };
            for source in sources.chunks_exact(2) {
                if let (Some(to), Some(from)) = (to.vreg(), source[1].as_block()) {
                    visit(from, (to, source[0]));
                }
            }
        }
    }
}
