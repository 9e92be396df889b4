//! Comparison merging: makes one comparison of two in a row of the same register with constants. In
//! SSA form.
//!
//! A block compares a register and leads to a block L or to a block that compares the same register
//! and leads to L or elsewhere, as for `c >= '0' && c <= '9'` and `c == 9 || c == 10`. The numbers
//! for which each goes to L are an interval, counted round the end of the numbers. If these two
//! intervals make one, a single unsigned comparison of the distance from its start decides: the
//! first block does it, and the branch of the second is decided. What the second block does beside
//! may be left out on the way to L, since it has no effects (Korobeynikov, "Improving switch
//! lowering for the LLVM compiler system", 2007, has such tests of ranges for `switch`).
//!
//! Blocks are looked at in postorder, so that the merged comparison of later ones is merged on. The
//! cost is linear.

use crate::codegen::analysis::bounds::{only_branch, set_outcome};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{definitions, first_terminator, is_phi, value_from};
use crate::codegen::analysis::preserved::Preserved;
use crate::codegen::analysis::properties::is_removable;
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, OperandFlags, VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::error::{Error, Phase};

/// The most empty blocks on a way.
const MOST_EMPTY: usize = 4;

/// The numbers of so many bits from `start` on, round the end of the numbers: at least one, and not
/// all.
#[derive(Clone, Copy)]
struct Interval {
    start: u64,
    size: u128,
    bits: u32,
}

impl Interval {
    /// Returns the interval, if it has at least one number, but not all.
    fn new(start: u64, size: u128, bits: u32) -> Option<Interval> {
        let start = start & mask(bits);
        (0 < size && size < 1 << bits).then_some(Interval { start, size, bits })
    }

    /// Returns the numbers for which a comparison with a constant holds.
    fn of(predicate: IntPredicate, constant: i64, ty: LowType) -> Option<Interval> {
        let bits = match ty {
            LowType::S32 => 32,
            LowType::S64 => 64,
            _ => return None,
        };
        let (all, least) = (1 << bits, 1 << (bits - 1));
        let constant = constant.cast_unsigned() & mask(bits);
        let (from_zero, from_least) = (u128::from(constant), constant.wrapping_sub(least));
        let from_least = u128::from(from_least & mask(bits));
        let (start, size) = match predicate {
            IntPredicate::Eq => (constant, 1),
            IntPredicate::Ult => (0, from_zero),
            IntPredicate::Ule => (0, from_zero + 1),
            IntPredicate::Slt => (least, from_least),
            IntPredicate::Sle => (least, from_least + 1),
            IntPredicate::Ne => (constant.wrapping_add(1), all - 1),
            IntPredicate::Uge => (constant, all - from_zero),
            IntPredicate::Ugt => (constant.wrapping_add(1), all - from_zero - 1),
            IntPredicate::Sge => (constant, all - from_least),
            IntPredicate::Sgt => (constant.wrapping_add(1), all - from_least - 1),
        };
        Interval::new(start, size, bits)
    }

    /// Returns the numbers that are not in it.
    fn complement(self) -> Interval {
        let end = self.start.wrapping_add(self.size as u64);
        Interval {
            start: end & mask(self.bits),
            size: (1 << self.bits) - self.size,
            bits: self.bits,
        }
    }

    /// Returns the numbers that are in it or in another, if they are an interval.
    fn union(self, other: Interval) -> Option<Interval> {
        let joined = |a: Interval, b: Interval| {
            let distance = u128::from(b.start.wrapping_sub(a.start) & mask(a.bits));
            let size = a.size.max(distance + b.size);
            (distance <= a.size).then(|| Interval::new(a.start, size, a.bits))
        };
        joined(self, other).or_else(|| joined(other, self))?
    }

    /// Returns the comparison that tells whether a number is in it: the predicate, what is
    /// subtracted from the number before, and the constant.
    fn comparison(self) -> (IntPredicate, u64, u64) {
        let (start, least) = (self.start, 1 << (self.bits - 1));
        let outside = self.complement();
        let end = outside.start;
        match self {
            _ if self.size == 1 => (IntPredicate::Eq, 0, start),
            _ if outside.size == 1 => (IntPredicate::Ne, 0, end),
            _ if start == 0 => (IntPredicate::Ult, 0, end),
            _ if end == 0 => (IntPredicate::Uge, 0, start),
            _ if start == least => (IntPredicate::Slt, 0, end),
            _ if end == least => (IntPredicate::Sge, 0, start),
            _ if outside.size < self.size => (IntPredicate::Uge, end, outside.size as u64),
            _ => (IntPredicate::Ult, start, self.size as u64),
        }
    }
}

/// Returns the greatest unsigned number of so many bits, of at most 64.
const fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// A way out of a block.
#[derive(Clone, Copy)]
struct Way {
    /// The first block that does anything or that others lead to.
    end: BlockId,
    /// The block from which control comes to it, behind what is empty.
    from: BlockId,
}

/// A branch by a comparison of a register with constants.
#[derive(Clone, Copy)]
struct Comparison {
    branch: InsnId,
    register: VReg,
    /// The numbers for which control takes the first way, to the target of the branch.
    interval: Interval,
    ways: [Way; 2],
}

impl Comparison {
    /// Returns the numbers for which control takes a way.
    fn takes(&self, way: usize) -> Interval {
        match way {
            0 => self.interval,
            _ => self.interval.complement(),
        }
    }
}

/// Two comparisons that can be merged, and which of their ways lead to the same block.
struct Pair {
    first: Comparison,
    second: Comparison,
    common: [usize; 2],
}

impl Pair {
    /// Returns the numbers for which control goes to the common block.
    fn union(&self) -> Option<Interval> {
        let [first, second] = self.common;
        self.first.takes(first).union(self.second.takes(second))
    }
}

/// Merges comparisons. Returns what is preserved.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn merge_comparisons(
    function: &mut Function<'_>,
    flow: &Flow<'_>,
) -> Result<Preserved, Error> {
    let mut known = None;
    let mut preserved = Preserved::ControlFlow;
    for &block in flow.order.iter().rev() {
        if only_branch(function, block).is_none() {
            continue;
        }
        let definitions = match &mut known {
            Some(definitions) => definitions,
            None => known.insert(definitions(function)?),
        };
        if let Some(pair) = find(function, flow, definitions, block) {
            merge(function, definitions, &pair)?;
            preserved = Preserved::Nothing;
        }
    }
    Ok(preserved)
}

/// Returns the comparison of a block and one to which nothing else leads, if they can be merged.
fn find(
    function: &Function<'_>,
    flow: &Flow<'_>,
    definitions: &[Option<InsnId>],
    block: BlockId,
) -> Option<Pair> {
    let first = read(function, flow, definitions, block)?;
    for way in 0..2 {
        let (Way { end: next, from }, beside) = (first.ways[way], first.ways[1 - way]);
        if next == block || flow.edges.predecessors(next) != [from] {
            continue;
        }
        let Some(second) = read(function, flow, definitions, next) else {
            continue;
        };
        let [a, b] = second.ways;
        if second.register != first.register
            || second.interval.bits != first.interval.bits
            || a.end == b.end
        {
            continue;
        }
        let Some(other) = (0..2).find(|&other| second.ways[other].end == beside.end) else {
            continue;
        };
        let sources = [beside.from, second.ways[other].from];
        let pair = Pair {
            first,
            second,
            common: [1 - way, other],
        };
        if is_immediate(&pair)
            && agree(function, beside.end, sources)
            && has_no_effects(function, next)
        {
            return Some(pair);
        }
    }
    None
}

/// Returns whether one comparison decides, with constants that are immediates.
fn is_immediate(pair: &Pair) -> bool {
    let is_signed = |union: Interval| {
        let sides = [union.comparison(), union.complement().comparison()];
        let mut constants = sides.iter().flat_map(|&(_, start, limit)| [start, limit]);
        constants.all(|constant| signed(constant, union.bits).is_some())
    };
    pair.union().is_some_and(is_signed)
}

/// Returns a number of so many bits as a signed one, if it and its negation are immediates.
fn signed(number: u64, bits: u32) -> Option<i32> {
    let unused = 64 - bits;
    let number = number.cast_signed() << unused >> unused;
    let is_immediate = number.unsigned_abs() <= i32::MAX as u64;
    is_immediate.then_some(number as i32)
}

/// Returns the comparison that a block ends with, of a register or of its sum with a constant.
fn read(
    function: &Function<'_>,
    flow: &Flow<'_>,
    definitions: &[Option<InsnId>],
    block: BlockId,
) -> Option<Comparison> {
    let branch = only_branch(function, block)?;
    let &[predicate, tested, against, target] = function.operands(branch) else {
        return None;
    };
    let (ty, target) = (function.insn(branch).ty, target.as_block()?);
    let &[a, b] = flow.edges.successors(block) else {
        return None;
    };
    let other = if a == target { b } else { a };
    let constant = function.immediate(against)?;
    let mut interval = Interval::of(predicate.as_int_predicate()?, constant, ty)?;
    let mut register = tested.vreg()?;
    let sum = definitions.get(register.index()).copied().flatten();
    if let Some(sum) = sum.filter(|&sum| function.insn(sum).ty == ty)
        && function.insn(sum).opcode.generic() == Some(Generic::Add)
        && let &[_, of, more] = function.operands(sum)
        && let (Some(of), Some(more)) = (of.vreg(), function.immediate(more))
    {
        register = of;
        let start = interval.start.wrapping_sub(more.cast_unsigned());
        interval.start = start & mask(interval.bits);
    }
    Some(Comparison {
        branch,
        register,
        interval,
        ways: [target, other].map(|to| follow(function, flow, block, to)),
    })
}

/// Returns the way out of a block that begins with an edge.
fn follow(function: &Function<'_>, flow: &Flow<'_>, block: BlockId, to: BlockId) -> Way {
    let is_jump = |insn| function.insn(insn).opcode.generic() == Some(Generic::Br);
    let mut way = Way {
        end: to,
        from: block,
    };
    for _ in 0..MOST_EMPTY {
        let &[next] = flow.edges.successors(way.end) else {
            break;
        };
        let body = function.block(way.end);
        let is_empty = body.first().is_none_or(is_jump) && !body.address_taken;
        if !is_empty || flow.edges.predecessors(way.end) != [way.from] {
            break;
        }
        way = Way {
            end: next,
            from: way.end,
        };
    }
    way
}

/// Returns whether the PHIs of a block have the same value on the edges from two others.
fn agree(function: &Function<'_>, block: BlockId, from: [BlockId; 2]) -> bool {
    let mut phis = function
        .insns(block)
        .take_while(|&insn| is_phi(function, insn));
    phis.all(|phi| {
        let [a, b] = from.map(|from| value_from(function, phi, from));
        a.is_some() && a == b
    })
}

/// Returns whether a block does nothing but compute values before its branches.
fn has_no_effects(function: &Function<'_>, block: BlockId) -> bool {
    let end = first_terminator(function, block);
    let mut insns = function.insns(block).take_while(|&insn| Some(insn) != end);
    !function.block(block).address_taken
        && insns.all(|insn| {
            let row = function.insn(insn);
            let generic = row.opcode.generic();
            generic.is_some_and(|generic| is_removable(generic, row.ty))
        })
}

/// Has the first of two comparisons decide whether control goes to the block that both lead to.
fn merge(
    function: &mut Function<'_>,
    definitions: &mut Vec<'_, Option<InsnId>>,
    pair: &Pair,
) -> Result<(), Error> {
    let (first, second) = (&pair.first, &pair.second);
    let Some(union) = pair.union() else {
        return Ok(());
    };
    let interval = match pair.common {
        [0, _] => union,
        _ => union.complement(),
    };
    let (predicate, start, limit) = interval.comparison();
    let (Some(start), Some(limit)) = (signed(start, union.bits), signed(limit, union.bits)) else {
        return Ok(());
    };
    let (row, target) = (
        *function.insn(first.branch),
        function.operands(first.branch).get(3),
    );
    let target = *target.ok_or(Phase::Optimisation.internal(Some(first.branch)))?;
    let mut tested = first.register;
    if start != 0 {
        tested = function.add_vreg(function.vreg(first.register))?;
        let operands = [
            Operand::from(tested).with(OperandFlags::DEF),
            Operand::from(first.register),
            Operand::imm(-start),
        ];
        let before = Some(first.branch);
        let sum = function.insert(row.block(), before, Generic::Add.into(), row.ty, &operands)?;
        definitions.resize(tested.index(), None)?;
        definitions.push(Some(sum))?;
    }
    let operands = [
        Operand::int_predicate(predicate),
        Operand::from(tested),
        Operand::imm(limit),
        target,
    ];
    function.set_operands(first.branch, &operands)?;
    set_outcome(function, second.branch, pair.common[1] != 0)
}
