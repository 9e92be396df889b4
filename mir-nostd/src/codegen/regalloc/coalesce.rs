//! Coalescing: virtual registers that a copy connects and that never hold different values while
//! both are live become one, so that the copy goes.
//!
//! This is aggressive coalescing before assignment, with union-find over the registers (Chaitin,
//! "Register allocation and spilling via graph coloring", 1982), for copies in the deepest loops
//! first. Most registers that copies connect do not interfere: their segments are disjoint and are
//! merged. For the others their values decide: if neither is written while the other is live,
//! except by copies between the two, both hold the same value wherever both are live.
//!
//! The invariant: the segments of a leader are those of all registers that it stands for. The
//! segments that are merged, and comparisons, are limited by constants per copy on average, so that
//! the cost is linear in the function but for sorting the copies.

use crate::codegen::analysis::liveness::{Liveness, Segment};
use crate::machine::{BlockId, Function, Generic, InsnId, OperandFlags, Reg, VReg};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec, numbered};
use crate::target::Isa;

/// The most writes that are examined for a copy, and the most segments that are merged for each
/// copy on average, so that time stays linear.
const LONGEST: usize = 256;

/// The representatives of coalesced virtual registers, as a union-find forest.
#[derive(Debug)]
pub(crate) struct Leaders<'m>(Vec<'m, VReg>);

impl Leaders<'_> {
    /// Returns the representative of `vreg`.
    pub(crate) fn of(&self, vreg: VReg) -> VReg {
        let mut vreg = vreg;
        while let Some(&leader) = self.0.get(vreg.index()) {
            if leader == vreg {
                break;
            }
            vreg = leader;
        }
        vreg
    }

    /// Returns the representative of `vreg`, and compresses the path to it.
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

/// A copy from one virtual register to another.
#[derive(Clone, Copy)]
struct Joint {
    insn: InsnId,
    to: VReg,
    from: VReg,
    /// True if its sides are not coalesced if one lives across calls.
    is_apart: bool,
}

/// Coalesces virtual registers that copies connect. The segments and weights of leaders are
/// afterwards those of all registers that they stand for. A copy in the block `apart` is kept if
/// its target lives across calls and its source does not.
pub(crate) fn coalesce<'m>(
    function: &Function<'_>,
    isa: &dyn Isa,
    liveness: &mut Liveness<'m>,
    apart: Option<BlockId>,
) -> Result<Leaders<'m>, OutOfMemory> {
    let allocator = liveness.allocator();
    let mut leaders = Leaders(numbered(allocator, function.vreg_count())?);
    let copies = sorted_copies(function, &liveness.copies, apart)?;
    let mut overlapping = Vec::new(allocator);
    let mut segments_left = LONGEST * copies.len();
    for &(.., joint) in &copies {
        let (to, from) = (leaders.find(joint.to), leaders.find(joint.from));
        if !pay(&mut segments_left, liveness, [to, from])
            || !is_wanted(function, isa, liveness, joint, [to, from])
        {
            continue;
        }
        if liveness.join(to, from, joint.insn, merge)? {
            leaders.0[from.index()] = to;
        } else {
            overlapping.push(joint)?;
        }
    }
    // Values that `longjmp` restores are not in the segments.
    if !overlapping.is_empty() && !function.is_jumped_back_into {
        let mut writes = Writes::new(function, &mut leaders, &overlapping, allocator)?;
        for &joint in &overlapping {
            let (to, from) = (leaders.find(joint.to), leaders.find(joint.from));
            if pay(&mut segments_left, liveness, [to, from])
                && is_wanted(function, isa, liveness, joint, [to, from])
                && writes.agree(&mut leaders, liveness, to, from)
                && liveness.join(to, from, joint.insn, unite)?
            {
                leaders.0[from.index()] = to;
                writes.join(to, from);
            }
        }
    }
    // From now on each leader is found in one step.
    for number in 0..function.vreg_count() as u32 {
        leaders.find(VReg::new(number));
    }
    Ok(leaders)
}

/// Takes the number of segments of two different virtual registers from what is left. Returns
/// whether they are different, and that was enough.
fn pay(left: &mut usize, liveness: &Liveness<'_>, [to, from]: [VReg; 2]) -> bool {
    let count = liveness.of(to).len() + liveness.of(from).len();
    match left.checked_sub(count) {
        Some(less) if to != from => {
            *left = less;
            true
        }
        _ => false,
    }
}

/// Returns the copies between virtual registers, those in the deepest loops first, with their keys.
fn sorted_copies<'m>(
    function: &Function<'_>,
    copies: &Vec<'m, (InsnId, bool)>,
    apart: Option<BlockId>,
) -> Result<Vec<'m, (u8, u32, Joint)>, OutOfMemory> {
    let mut sorted = Vec::with_capacity(copies.allocator(), copies.len())?;
    for &(insn, _) in copies {
        if let Some((to, from)) = copy_of(function, insn) {
            let place = sorted.len() as u32;
            let block = function.insn(insn).block();
            let is_apart = apart == Some(block);
            let joint = Joint {
                insn,
                to,
                from,
                is_apart,
            };
            sorted.push((u8::MAX - function.block(block).depth, place, joint))?;
        }
    }
    sorted.sort_unstable_by_key(|&(depth, place, _)| (depth, place));
    Ok(sorted)
}

/// Returns whether the sides of a copy, with these leaders, should be coalesced.
fn is_wanted(
    function: &Function<'_>,
    isa: &dyn Isa,
    liveness: &Liveness<'_>,
    joint: Joint,
    [to, from]: [VReg; 2],
) -> bool {
    !(joint.is_apart && keeps_apart(liveness, to, from))
        && is_same_kind(function, isa, to, from)
        && !drags_to_memory(function, isa, liveness, [to, from])
}

/// Returns whether the target of a copy lives across calls and its source does not.
pub(crate) fn keeps_apart(liveness: &Liveness<'_>, to: VReg, from: VReg) -> bool {
    liveness.is_across_call(liveness.of(to)) && !liveness.is_across_call(liveness.of(from))
}

/// Returns the target and the source of a copy between virtual registers.
fn copy_of(function: &Function<'_>, insn: InsnId) -> Option<(VReg, VReg)> {
    if function.insn(insn).opcode.generic() != Some(Generic::Copy) {
        return None;
    }
    match function.operands(insn) {
        &[to, from] => Some((to.vreg()?, from.vreg()?)),
        _ => None,
    }
}

/// Returns whether the two registers can be assigned the same physical registers.
fn is_same_kind(function: &Function<'_>, isa: &dyn Isa, a: VReg, b: VReg) -> bool {
    let [a, b] = [function.vreg(a).class, function.vreg(b).class];
    let class = |class| isa.registers().class(class);
    a == b || class(a).order == class(b).order
}

/// Returns whether one of the two is live across a call, the other is not, and no register of their
/// class is preserved by calls: then the other would have to be spilled, too.
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
    // Those that are preserved come last.
    !order.iter().rev().any(survives)
        && liveness.is_across_call(liveness.of(a)) != liveness.is_across_call(liveness.of(b))
}

/// Merges the segments of two virtual registers into an empty list. Returns false if they overlap.
fn merge(a: &[Segment], b: &[Segment], into: &mut Vec<'_, Segment>) -> Result<bool, OutOfMemory> {
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

/// Merges the segments of two virtual registers, which may overlap, into an empty list. Returns
/// true.
fn unite(a: &[Segment], b: &[Segment], into: &mut Vec<'_, Segment>) -> Result<bool, OutOfMemory> {
    let (mut a, mut b) = (a, b);
    while let Some(&next) = earlier(&mut a, &mut b) {
        match into.iter_mut().next_back() {
            Some(last) if last.end >= next.start => last.end = last.end.max(next.end),
            _ => into.push(next)?,
        }
    }
    Ok(true)
}

/// The number of no write.
const NONE: u32 = u32::MAX;

/// A write of a virtual register.
#[derive(Clone, Copy)]
struct Write {
    position: u32,
    /// The source, if the write is a copy.
    source: Option<VReg>,
    /// The next one in the list.
    next: u32,
}

/// The writes of the virtual registers whose segments overlap.
struct Writes<'m> {
    /// The first and the last write of each leader.
    lists: Vec<'m, (u32, u32)>,
    all: Vec<'m, Write>,
    /// The number of further copies between compared registers that may be skipped, in all
    /// comparisons together.
    copies_left: usize,
}

impl<'m> Writes<'m> {
    /// Collects the writes of the registers that the copies connect.
    fn new(
        function: &Function<'_>,
        leaders: &mut Leaders<'_>,
        overlapping: &[Joint],
        allocator: &'m dyn Allocator,
    ) -> Result<Writes<'m>, OutOfMemory> {
        let mut is_wanted = Vec::new(allocator);
        is_wanted.resize(function.vreg_count(), false)?;
        for joint in overlapping {
            for vreg in [joint.to, joint.from] {
                is_wanted[leaders.find(vreg).index()] = true;
            }
        }
        let mut writes = Writes {
            lists: Vec::new(allocator),
            all: Vec::new(allocator),
            copies_left: 0,
        };
        writes.lists.resize(function.vreg_count(), (NONE, NONE))?;
        let mut number = 0;
        for &block in &function.layout {
            for (insn, row) in function.rows(block) {
                number += 1;
                for operand in function.operands_of(row).iter().filter(|o| o.is_def()) {
                    let Some(vreg) = operand.vreg().map(|vreg| leaders.find(vreg)) else {
                        continue;
                    };
                    if is_wanted[vreg.index()] {
                        let is_early = operand.flags().contains(OperandFlags::EARLY_CLOBBER);
                        let source = copy_of(function, insn).map(|(_, from)| from);
                        writes.add(vreg, 2 * number + u32::from(!is_early), source)?;
                    }
                }
            }
            number += 1;
        }
        writes.copies_left = LONGEST * (writes.all.len() + LONGEST);
        Ok(writes)
    }

    fn add(&mut self, vreg: VReg, position: u32, source: Option<VReg>) -> Result<(), OutOfMemory> {
        let number = self.all.len() as u32;
        self.all.push(Write {
            position,
            source,
            next: NONE,
        })?;
        let (first, last) = &mut self.lists[vreg.index()];
        match self.all.get_mut(*last as usize) {
            Some(last) => last.next = number,
            None => *first = number,
        }
        *last = number;
        Ok(())
    }

    /// Returns whether two leaders hold the same value wherever both are live.
    fn agree(
        &mut self,
        leaders: &mut Leaders<'_>,
        liveness: &Liveness<'_>,
        to: VReg,
        from: VReg,
    ) -> bool {
        let mut left = LONGEST;
        let mut copies_left = self.copies_left;
        let mut keeps = |one: VReg, other: VReg| {
            let segments = liveness.of(other);
            let mut next = self.lists[one.index()].0;
            while let Some(&write) = self.all.get(next as usize) {
                next = write.next;
                let source = write.source.map(|source| leaders.find(source));
                if source == Some(one) || source == Some(other) {
                    match copies_left.checked_sub(1) {
                        Some(less) => copies_left = less,
                        None => return false,
                    }
                    continue;
                }
                let place = segments.partition_point(|segment| segment.end <= write.position);
                let is_live = { segments.get(place) }.is_some_and(|s| s.start <= write.position);
                if is_live || left == 0 {
                    return false;
                }
                left -= 1;
            }
            true
        };
        let agree = keeps(to, from) && keeps(from, to);
        self.copies_left = copies_left;
        agree
    }

    /// Appends the writes of `from` to those of `to`.
    fn join(&mut self, to: VReg, from: VReg) {
        let (first, last) = self.lists[from.index()];
        let list = &mut self.lists[to.index()];
        match self.all.get_mut(list.1 as usize) {
            Some(end) => end.next = first,
            None => list.0 = first,
        }
        if last != NONE {
            list.1 = last;
        }
    }
}

/// Takes the segment that starts first from the two lists.
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
