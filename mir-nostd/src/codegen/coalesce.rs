//! Copies that need not be: virtual registers that a copy connects and that are never live together become one.
//!
//! Copies in the deepest loops are tried first.

use super::liveness::{Liveness, Segment};
use crate::machine::{BlockId, Function, Generic, InsnId, Reg, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::Isa;

/// Lists of segments longer than this are not joined, so that time stays linear.
const LONGEST: usize = 256;

/// Which virtual register stands for which.
#[derive(Debug)]
pub(super) struct Leaders<'m>(Vec<'m, VReg>);

impl Leaders<'_> {
    /// The virtual register that stands for `vreg`.
    pub(super) fn of(&self, vreg: VReg) -> VReg {
        let mut vreg = vreg;
        while let Some(&leader) = self.0.get(vreg.index()) {
            if leader == vreg {
                break;
            }
            vreg = leader;
        }
        vreg
    }

    /// The same, and shortens the way to it.
    fn find(&mut self, vreg: VReg) -> VReg {
        let leader = self.of(vreg);
        let mut next = vreg;
        while next != leader {
            let Some(place) = self.0.get_mut(next.index()) else {
                break;
            };
            next = core::mem::replace(place, leader);
        }
        leader
    }
}

/// Joins what copies connect; the leaders' segments and weights are then those of all that they stand for. Copies in the
/// block `apart` keep apart what lives across calls.
pub(super) fn coalesce<'m>(
    function: &Function<'_>,
    isa: &dyn Isa,
    liveness: &mut Liveness<'m>,
    apart: Option<BlockId>,
) -> Result<Leaders<'m>, OutOfMemory> {
    let allocator = liveness.allocator();
    let mut leaders = Vec::with_capacity(allocator, function.vreg_count())?;
    for number in 0..function.vreg_count() as u32 {
        leaders.push(VReg::new(number))?;
    }
    let mut leaders = Leaders(leaders);
    let mut copies = Vec::new(allocator);
    for &block in &function.layout {
        let depth = function.block(block).depth;
        for insn in function.insns(block) {
            if let Some((to, from)) = copy_of(function, insn) {
                let place = copies.len() as u32;
                copies.push((u8::MAX - depth, place, insn, to, from, apart == Some(block)))?;
            }
        }
    }
    copies.sort_unstable_by_key(|&(depth, place, ..)| (depth, place));
    for &(_, _, copy, to, from, is_apart) in &copies {
        let (to, from) = (leaders.find(to), leaders.find(from));
        if to != from
            && !(is_apart && keeps_apart(liveness, to, from))
            && is_same_kind(function, isa, to, from)
            && !drags_to_memory(function, isa, liveness, [to, from])
            && liveness.join(to, from, copy)?
        {
            leaders.0[from.index()] = to;
        }
    }
    // Whoever asks from now on finds each leader in one step.
    for number in 0..function.vreg_count() as u32 {
        leaders.find(VReg::new(number));
    }
    Ok(leaders)
}

/// Whether a copy begins what lives across calls with what does not.
pub(super) fn keeps_apart(liveness: &Liveness<'_>, to: VReg, from: VReg) -> bool {
    liveness.is_across_call(liveness.of(to)) && !liveness.is_across_call(liveness.of(from))
}

/// The virtual registers of a copy between two.
fn copy_of(function: &Function<'_>, insn: InsnId) -> Option<(VReg, VReg)> {
    if function.insn(insn).opcode.generic() != Some(Generic::Copy) {
        return None;
    }
    match function.operands(insn) {
        &[to, from] => Some((to.vreg()?, from.vreg()?)),
        _ => None,
    }
}

/// Whether the two can take each other's place.
fn is_same_kind(function: &Function<'_>, isa: &dyn Isa, a: VReg, b: VReg) -> bool {
    let [a, b] = [function.vreg(a).class, function.vreg(b).class];
    let class = |class| isa.registers().class(class);
    a == b || class(a).order == class(b).order
}

/// Whether one of the two is live across a call, the other is not, and no register of their class survives calls: then
/// the other would have to live in memory, too.
fn drags_to_memory(
    function: &Function<'_>,
    isa: &dyn Isa,
    liveness: &Liveness<'_>,
    [a, b]: [VReg; 2],
) -> bool {
    let registers = isa.registers();
    let order = registers.class(function.vreg(a).class).order;
    let survives = |&row: &u16| {
        registers
            .saved
            .overlaps(registers.units(Reg::physical(row)))
    };
    !order.iter().any(survives)
        && liveness.is_across_call(liveness.of(a)) != liveness.is_across_call(liveness.of(b))
}

/// Puts the segments of two virtual registers together into an empty list; false if they overlap or are too many.
pub(super) fn merge(
    a: &[Segment],
    b: &[Segment],
    into: &mut Vec<'_, Segment>,
) -> Result<bool, OutOfMemory> {
    if a.len() + b.len() > LONGEST {
        return Ok(false);
    }
    let (mut a, mut b) = (a, b);
    while let Some(&next) = earlier(&mut a, &mut b) {
        match into.iter_mut().next_back() {
            Some(last) if last.end > next.start => return Ok(false),
            Some(last) if last.end == next.start => last.end = next.end,
            _ => into.push(next)?,
        }
    }
    Ok(true)
}

/// Takes the earlier one of the first segments.
fn earlier<'s>(a: &mut &'s [Segment], b: &mut &'s [Segment]) -> Option<&'s Segment> {
    let from_a = match (a.first(), b.first()) {
        (Some(a), Some(b)) => a.start <= b.start,
        (first, _) => first.is_some(),
    };
    let list = if from_a { a } else { b };
    let (first, rest) = list.split_first()?;
    *list = rest;
    Some(first)
}
