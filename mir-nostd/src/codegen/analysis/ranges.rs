//! Ranges of the values of 64-bit virtual registers, from what computes them and from the branches
//! that control came by. In SSA form.
//!
//! A walk down the dominator tree learns a range where a block has one predecessor, which branches
//! on a comparison: it holds in all blocks that the block dominates. Where the register that is
//! compared is a sum with a constant, the other summand gets a range, too, so that what is known of
//! one part of an object tells something of its neighbours. Ranges are forgotten in reverse order
//! when the walk leaves these blocks. Each range is one of signed numbers that is exact: a sum has
//! one only if no value in it wraps. Learning and asking take constant time, as both look at a few
//! instructions.
//!
//! A PHI is in the smallest range that has all values that come to it. A walk before, in which PHIs
//! count as any value, notes the ranges of these at the ends of the blocks that they come from, so
//! a pointer that a loop steps is known to be where it was tested before and in the loop. A PHI
//! that is stepped up by a constant is never below its other values if it cannot wrap, as the test
//! of the loop says, and one that is stepped down never above them. Where that is asked for,
//! comparisons of 32 bits tell of the low halves of registers, as signed numbers.

use crate::codegen::analysis::bounds::only_branch;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{definitions, is_phi};
use crate::machine::{BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The least and the greatest value of a 64-bit register.
pub(crate) type Range = (i64, i64);

/// The range of a register of which nothing is known.
const ALL: Range = (i64::MIN, i64::MAX);

/// The most instructions that are looked at in a row to find a range.
const MOST_DEEP: usize = 5;

/// The values that come to a PHI.
#[derive(Clone, Copy)]
struct Met {
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

/// The ranges that an edge implies for the operands of a comparison.
struct Implied {
    /// True if they are those of the low halves, as signed numbers.
    is_low: bool,
    ranges: [(Operand, Option<Range>); 2],
}

/// The ranges that hold at the present block of a walk down the dominator tree.
pub(crate) struct Ranges<'m> {
    definitions: Vec<'m, Option<InsnId>>,
    /// The range of each register that branches implied, and if steps are followed that of its low
    /// half as a signed number, after those of all registers.
    learnt: Vec<'m, Range>,
    /// The values that were met at each PHI, by its register; `None` if none was.
    met: Vec<'m, Option<Met>>,
    /// The range of their low halves, if steps are followed.
    met_low: Vec<'m, Option<Range>>,
    /// The ranges that were replaced, to be put back.
    replaced: Vec<'m, (usize, Range)>,
    /// True if a PHI that is stepped is known to stay on one side of its other values.
    follows_steps: bool,
}

impl<'m> Ranges<'m> {
    pub(crate) fn new(function: &Function<'m>) -> Result<Ranges<'m>, OutOfMemory> {
        let mut learnt = Vec::new(function.allocator());
        learnt.resize(function.vreg_count(), ALL)?;
        let mut met = Vec::new(function.allocator());
        met.resize(function.vreg_count(), None)?;
        Ok(Ranges {
            definitions: definitions(function)?,
            learnt,
            met,
            met_low: Vec::new(function.allocator()),
            replaced: Vec::new(function.allocator()),
            follows_steps: false,
        })
    }

    /// Sets whether steps are followed, before anything is learnt.
    fn follow(&mut self, steps: Steps) -> Result<(), OutOfMemory> {
        self.follows_steps = steps == Steps::Followed;
        if self.follows_steps {
            let count = self.definitions.len();
            self.learnt.resize(2 * count, signed(32))?;
            self.met_low.resize(count, None)?;
        }
        Ok(())
    }

    /// Returns the number of ranges so far, for [`Ranges::forget_to`].
    fn count(&self) -> usize {
        self.replaced.len()
    }

    /// Forgets all ranges but the first `count`.
    fn forget_to(&mut self, count: usize) {
        while self.replaced.len() > count {
            if let Some((index, old)) = self.replaced.pop()
                && let Some(range) = self.learnt.get_mut(index)
            {
                *range = old;
            }
        }
    }

    /// Learns what the only edge into a block implies.
    fn enter(
        &mut self,
        function: &Function<'_>,
        flow: &Flow<'_>,
        block: BlockId,
    ) -> Result<(), OutOfMemory> {
        let &[from] = flow.edges.predecessors(block) else {
            return Ok(());
        };
        let Some(implied) = self.implied(function, flow, from, block) else {
            return Ok(());
        };
        for (operand, range) in implied.ranges {
            match (range, operand.vreg()) {
                (Some(low), Some(vreg)) if implied.is_low => {
                    self.replace(self.low_place(vreg), low)?;
                }
                _ if implied.is_low => {}
                _ => self.learn(function, operand, range)?,
            }
        }
        Ok(())
    }

    /// Notes a range that replaces another.
    fn replace(&mut self, index: usize, range: Range) -> Result<(), OutOfMemory> {
        if let Some(place) = self.learnt.get_mut(index)
            && *place != range
        {
            self.replaced.push((index, *place))?;
            *place = range;
        }
        Ok(())
    }

    /// Returns what the edge from a block to another implies: the ranges of the operands that the
    /// branch at its end compares.
    fn implied(
        &self,
        function: &Function<'_>,
        flow: &Flow<'_>,
        from: BlockId,
        to: BlockId,
    ) -> Option<Implied> {
        let &[one, other] = flow.edges.successors(from) else {
            return None;
        };
        if function.block(to).address_taken || one == other {
            return None;
        }
        let insn = only_branch(function, from)?;
        let &[predicate, a, b, target] = function.operands(insn) else {
            return None;
        };
        let mut predicate = predicate.as_int_predicate()?;
        if target.as_block() != Some(to) {
            predicate = predicate.inverse();
        }
        let (of_a, of_b) = (self.of(function, a), self.of(function, b));
        // Numbers that are extended from 32 bits, with the sign, are in the order of their low
        // halves: as signed ones, and as unsigned ones.
        let is_extended =
            |operand, range| is_in(range, signed(32)) && self.is_extended(function, operand);
        let are_extended = is_extended(a, of_a) && is_extended(b, of_b);
        let is_low = function.insn(insn).ty != LowType::S64 && !are_extended;
        let (of_a, of_b) = match is_low {
            true if !self.follows_steps => return None,
            true => (self.low(function, a), self.low(function, b)),
            false => (of_a, of_b),
        };
        let ranges = [
            (a, narrowed(predicate, of_a, of_b)),
            (b, narrowed(predicate.swapped(), of_b, of_a)),
        ];
        Some(Implied { is_low, ranges })
    }

    /// Returns the place in `learnt` of the range of a register's low half.
    fn low_place(&self, vreg: VReg) -> usize {
        self.definitions.len() + vreg.index()
    }

    /// Returns the range of the low half of an operand, as a signed number.
    pub(crate) fn low(&self, function: &Function<'_>, operand: Operand) -> Range {
        self.look_low(function, operand, MOST_DEEP)
    }

    fn look_low(&self, function: &Function<'_>, operand: Operand, deep: usize) -> Range {
        let Some(vreg) = operand.vreg() else {
            let value = function.immediate(operand);
            let low = value.map(|value| i64::from(value as i32));
            return low.map_or(signed(32), |low| (low, low));
        };
        let learnt = self.learnt.get(self.low_place(vreg)).copied();
        let learnt = learnt.unwrap_or(signed(32));
        let all = self.look(function, operand, deep);
        let known = Some(all).filter(|&all| is_in(all, signed(32)));
        let computed = known.or_else(|| {
            let insn = self.definition(operand)?;
            self.low_computed(function, insn, deep.checked_sub(1)?)
        });
        match computed {
            Some(computed) => meet(learnt, computed).unwrap_or(learnt),
            None => learnt,
        }
    }

    /// Returns the range of the low half of what an instruction of 32 bits computes, if it is
    /// known: a sum or a product has one only if no value in it wraps.
    fn low_computed(&self, function: &Function<'_>, insn: InsnId, deep: usize) -> Option<Range> {
        let row = function.insn(insn);
        let &[_, a, b] = function.operands(insn) else {
            return None;
        };
        if row.ty != LowType::S32 {
            return None;
        }
        let low = |operand| self.look_low(function, operand, deep);
        let positive = || {
            Some(low(b))
                .filter(|by| by.0 == by.1 && by.0 > 0)
                .map(|by| by.0)
        };
        let computed = match row.opcode.generic()? {
            Generic::Add => sum(low(a), low(b)),
            Generic::Sub => difference(low(a), low(b)),
            Generic::Mul => product(low(a), low(b)),
            Generic::And => {
                let mask = low(b);
                (mask.0 == mask.1 && mask.0 >= 0).then_some((0, mask.0))
            }
            Generic::Sdiv => positive().map(|by| quotient(low(a), by)),
            Generic::Srem => positive().map(|by| remainder(low(a), by)),
            _ => None,
        };
        computed.filter(|&computed| is_in(computed, signed(32)))
    }

    /// Notes the values that come from a block to PHIs, with what is known at its end.
    fn meet_phis(
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
    fn learn_phis(&mut self, function: &Function<'_>, flow: &Flow<'_>) {
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

    /// Returns whether an operand is a number, or was extended from fewer bits when it was loaded.
    fn is_extended(&self, function: &Function<'_>, operand: Operand) -> bool {
        let Some(insn) = self.definition(operand) else {
            return function.immediate(operand).is_some();
        };
        matches!(
            function.insn(insn).opcode.generic(),
            Some(Generic::Constant | Generic::SextLoad | Generic::ZextLoad)
        )
    }

    /// Learns the range of a register, and of the register that it is the sum of with a constant.
    fn learn(
        &mut self,
        function: &Function<'_>,
        operand: Operand,
        range: Option<Range>,
    ) -> Result<(), OutOfMemory> {
        let (mut operand, mut range) = (operand, range);
        for _ in 0..MOST_DEEP {
            let (Some(vreg), Some(now)) = (operand.vreg(), range) else {
                return Ok(());
            };
            if vreg.index() < self.definitions.len() {
                self.replace(vreg.index(), now)?;
            }
            let Some((of, by)) = self.sum(function, operand) else {
                return Ok(());
            };
            let less = |bound: i64| bound.checked_sub(by);
            let found = less(now.0).zip(less(now.1));
            range = found.and_then(|found| meet(self.of(function, of), found));
            operand = of;
        }
        Ok(())
    }

    /// Returns the instruction that defines a register.
    pub(crate) fn definition(&self, operand: Operand) -> Option<InsnId> {
        *self.definitions.get(operand.vreg()?.index())?
    }

    /// Returns the summands of a register that is the sum of another and a constant.
    pub(crate) fn sum(&self, function: &Function<'_>, operand: Operand) -> Option<(Operand, i64)> {
        let insn = self.definition(operand)?;
        let row = function.insn(insn);
        match (row.opcode.generic()?, function.operands(insn)) {
            (Generic::Add, &[_, of, by]) if row.ty == LowType::S64 => {
                Some((of, function.immediate(by)?))
            }
            _ => None,
        }
    }

    /// Returns the range of an operand.
    pub(crate) fn of(&self, function: &Function<'_>, operand: Operand) -> Range {
        self.look(function, operand, MOST_DEEP)
    }

    /// Returns whether a value is what it would be if its low bits were extended, with the sign or
    /// without.
    pub(crate) fn fits(
        &self,
        function: &Function<'_>,
        operand: Operand,
        bits: u32,
        is_signed: bool,
    ) -> bool {
        let all = match is_signed {
            true => Some(signed(bits)),
            false => unsigned(bits),
        };
        all.is_some_and(|all| is_in(self.of(function, operand), all))
    }

    fn look(&self, function: &Function<'_>, operand: Operand, deep: usize) -> Range {
        let Some(vreg) = operand.vreg() else {
            let value = function.immediate(operand);
            return value.map_or(ALL, |value| (value, value));
        };
        // Registers that are newer than the ranges have none.
        let place = Some(vreg.index()).filter(|&place| place < self.definitions.len());
        let learnt = place.and_then(|place| self.learnt.get(place).copied());
        let learnt = learnt.unwrap_or(ALL);
        let definition = self.definitions.get(vreg.index()).copied().flatten();
        let computed = match (definition, deep.checked_sub(1)) {
            (Some(insn), Some(deep)) => self.computed(function, insn, deep),
            _ => None,
        };
        match computed {
            Some(computed) => meet(learnt, computed).unwrap_or(learnt),
            None => learnt,
        }
    }

    /// Returns the range of what an instruction computes, if it is known.
    fn computed(&self, function: &Function<'_>, insn: InsnId, deep: usize) -> Option<Range> {
        let row = function.insn(insn);
        let generic = row.opcode.generic()?;
        let operands = function.operands(insn);
        let of = |operand: Operand| self.look(function, operand, deep);
        match (generic, operands) {
            (Generic::SextLoad, _) => Some(signed(row.ty.bits())),
            (Generic::ZextLoad, _) => unsigned(row.ty.bits()),
            (Generic::Icmp | Generic::Fcmp, _) => Some((0, 1)),
            (Generic::SextInreg, &[_, from, bits]) => {
                let all = signed(bits.small()?.cast_unsigned());
                Some(Some(of(from)).filter(|&of| is_in(of, all)).unwrap_or(all))
            }
            (Generic::ZextInreg, &[_, from, bits]) => {
                let all = unsigned(bits.small()?.cast_unsigned())?;
                Some(Some(of(from)).filter(|&of| is_in(of, all)).unwrap_or(all))
            }
            _ if row.ty != LowType::S64 => None,
            (Generic::Constant | Generic::Copy, &[_, from]) => Some(of(from)),
            (Generic::Add, &[_, a, b]) => sum(of(a), of(b)),
            (Generic::Sub, &[_, a, b]) => difference(of(a), of(b)),
            (Generic::Sdiv, &[_, a, b]) => {
                let by = function.immediate(b).filter(|&by| by > 0)?;
                Some(quotient(of(a), by))
            }
            (Generic::Srem, &[_, a, b]) => {
                let by = function.immediate(b).filter(|&by| by > 0)?;
                Some(remainder(of(a), by))
            }
            (Generic::Mul, &[_, a, b]) if self.follows_steps || b.small().is_some() => {
                product(of(a), of(b))
            }
            (Generic::Shl, &[_, a, b]) => {
                let bits = function
                    .immediate(b)
                    .filter(|bits| (0..31).contains(bits))?;
                product(of(a), (1 << bits, 1 << bits))
            }
            (Generic::Lshr, &[_, _, b]) => {
                let bits = function
                    .immediate(b)
                    .filter(|bits| (1..64).contains(bits))?;
                Some((0, (u64::MAX >> bits).cast_signed()))
            }
            (Generic::And, &[_, _, b]) => {
                let mask = function.immediate(b).filter(|&mask| mask >= 0)?;
                Some((0, mask))
            }
            _ => None,
        }
    }

    /// Returns whether the condition of a branch always or never holds, if that is known.
    pub(crate) fn decide(&self, function: &Function<'_>, branch: InsnId) -> Option<bool> {
        let &[predicate, a, b, _] = function.operands(branch) else {
            return None;
        };
        let (a, b) = (self.of(function, a), self.of(function, b));
        decided(predicate.as_int_predicate()?, a, b)
    }
}

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

/// The values that come to PHIs of 64 bits, by the block that they come from.
struct Sources<'m> {
    /// The first value of each block among all, and at last their number.
    firsts: Vec<'m, u32>,
    values: Vec<'m, (VReg, Operand)>,
}

impl<'m> Sources<'m> {
    fn new(function: &Function<'m>, flow: &Flow<'_>) -> Result<Sources<'m>, OutOfMemory> {
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

/// Returns the only conditional branch at the end of a block, if it compares 64-bit registers.
pub(crate) fn comparison(function: &Function<'_>, block: BlockId) -> Option<InsnId> {
    only_branch(function, block).filter(|&insn| function.insn(insn).ty == LowType::S64)
}

/// Returns the range of numbers of so many bits.
const fn signed(bits: u32) -> Range {
    match bits {
        1..64 => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
        _ => ALL,
    }
}

fn unsigned(bits: u32) -> Option<Range> {
    (bits < 64).then(|| (0, (1 << bits) - 1))
}

const fn is_in(inner: Range, outer: Range) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

/// Returns what two ranges have in common; `None` if that is nothing, as where control never comes.
fn meet(a: Range, b: Range) -> Option<Range> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

fn sum(a: Range, b: Range) -> Option<Range> {
    a.0.checked_add(b.0).zip(a.1.checked_add(b.1))
}

fn difference(a: Range, b: Range) -> Option<Range> {
    a.0.checked_sub(b.1).zip(a.1.checked_sub(b.0))
}

fn product(a: Range, b: Range) -> Option<Range> {
    let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let mut range = (i64::MAX, i64::MIN);
    for (a, b) in corners {
        let product = a.checked_mul(b)?;
        range = (range.0.min(product), range.1.max(product));
    }
    Some(range)
}

/// Returns the range of the quotient by a positive number.
const fn quotient(range: Range, by: i64) -> Range {
    (range.0 / by, range.1 / by)
}

/// Returns the range of the remainder by a positive number.
fn remainder(range: Range, by: i64) -> Range {
    (range.0.clamp(1 - by, 0), range.1.clamp(0, by - 1))
}

/// Returns the range of `a` where its comparison with `b` holds.
fn narrowed(predicate: IntPredicate, a: Range, b: Range) -> Option<Range> {
    let (least, most) = (i64::MIN, i64::MAX);
    let implied = match predicate {
        IntPredicate::Eq => b,
        IntPredicate::Slt => (least, b.1.checked_sub(1)?),
        IntPredicate::Sle => (least, b.1),
        IntPredicate::Sgt => (b.0.checked_add(1)?, most),
        IntPredicate::Sge => (b.0, most),
        IntPredicate::Ult if b.0 >= 0 => (0, b.1.checked_sub(1)?),
        IntPredicate::Ule if b.0 >= 0 => (0, b.1),
        IntPredicate::Ugt if a.0 >= 0 && b.0 >= 0 => (b.0.checked_add(1)?, most),
        IntPredicate::Uge if a.0 >= 0 && b.0 >= 0 => (b.0, most),
        _ => return None,
    };
    meet(a, implied)
}

/// Returns whether a comparison of any values of two ranges always or never holds.
fn decided(predicate: IntPredicate, a: Range, b: Range) -> Option<bool> {
    let is_natural = a.0 >= 0 && b.0 >= 0;
    let less = |a: Range, b: Range| match () {
        () if a.1 < b.0 => Some(true),
        () if a.0 >= b.1 => Some(false),
        () => None,
    };
    match predicate {
        IntPredicate::Slt => less(a, b),
        IntPredicate::Sge => less(a, b).map(|less| !less),
        IntPredicate::Sgt => less(b, a),
        IntPredicate::Sle => less(b, a).map(|less| !less),
        IntPredicate::Ult if is_natural => less(a, b),
        IntPredicate::Uge if is_natural => less(a, b).map(|less| !less),
        IntPredicate::Ugt if is_natural => less(b, a),
        IntPredicate::Ule if is_natural => less(b, a).map(|less| !less),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, decided, meet, narrowed, product, signed, unsigned};
    use crate::machine::IntPredicate as P;

    #[test]
    fn comparisons_of_ranges_are_decided_only_where_all_values_agree() {
        let all = [
            P::Slt,
            P::Sle,
            P::Sgt,
            P::Sge,
            P::Ult,
            P::Ule,
            P::Ugt,
            P::Uge,
        ];
        let numbers = [-3_i64, -1, 0, 1, 2, 5];
        let ranges = || {
            let from = numbers.into_iter().enumerate();
            from.flat_map(|(at, low)| numbers[at..].iter().map(move |&high| (low, high)))
        };
        let holds = |predicate, a: i64, b: i64| {
            let (natural_a, natural_b) = (a.cast_unsigned(), b.cast_unsigned());
            match predicate {
                P::Slt => a < b,
                P::Sle => a <= b,
                P::Sgt => a > b,
                P::Sge => a >= b,
                P::Ult => natural_a < natural_b,
                P::Ule => natural_a <= natural_b,
                P::Ugt => natural_a > natural_b,
                _ => natural_a >= natural_b,
            }
        };
        let mut decisions = 0;
        for (predicate, a, b) in all
            .into_iter()
            .flat_map(|p| ranges().flat_map(move |a| ranges().map(move |b| (p, a, b))))
        {
            let of = |range: (i64, i64)| range.0..=range.1;
            let pairs = || of(a).flat_map(|a| of(b).map(move |b| (a, b)));
            if let Some(decision) = decided(predicate, a, b) {
                assert!(pairs().all(|(a, b)| holds(predicate, a, b) == decision));
                decisions += 1;
            }
            let narrow = narrowed(predicate, a, b);
            for (x, y) in pairs() {
                if holds(predicate, x, y)
                    && let Some((low, high)) = narrow
                {
                    assert!((low..=high).contains(&x), "{predicate:?} {a:?} {b:?}");
                }
            }
        }
        assert!(decisions > 500);
    }

    #[test]
    fn ranges_that_would_wrap_are_unknown() {
        assert_eq!(product((1, i64::MAX / 2), (3, 3)), None);
        assert_eq!(product((-2, 3), (-4, -4)), Some((-12, 8)));
        assert_eq!(product((-2, 3), (-4, 5)), Some((-12, 15)));
        assert_eq!(meet((0, 1), (2, 3)), None);
        assert_eq!((signed(8), signed(64)), ((-128, 127), ALL));
        assert_eq!((unsigned(32), unsigned(64)), (Some((0, 0xFFFF_FFFF)), None));
    }
}
