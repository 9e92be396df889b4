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

mod arithmetic;
mod phis;
mod walk;

use crate::codegen::analysis::bounds::only_branch;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::definitions;
use crate::machine::{BlockId, Function, Generic, InsnId, LowType, Operand, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};
pub(crate) use arithmetic::Range;
use arithmetic::{
    ALL, decided, difference, is_in, meet, narrowed, product, quotient, remainder, signed, sum,
    unsigned,
};
use phis::Met;
pub(crate) use walk::{Steps, Walk};

/// The most instructions that are looked at in a row to find a range.
const MOST_DEEP: usize = 5;

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

/// Returns the only conditional branch at the end of a block, if it compares 64-bit registers.
pub(crate) fn comparison(function: &Function<'_>, block: BlockId) -> Option<InsnId> {
    only_branch(function, block).filter(|&insn| function.insn(insn).ty == LowType::S64)
}
