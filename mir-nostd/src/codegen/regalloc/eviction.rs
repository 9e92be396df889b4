//! Eviction: a live range that found no register takes one from others that matter less together.
//!
//! Spill weight per length serves short live ranges first, so that a long one with many uses, such
//! as the program counter of an interpreter, may find each register taken somewhere by one with
//! few. For each of the heaviest without a register, heaviest first, the weights of all that are
//! in the way are added up by register. Where the least sum is well below its own weight those
//! lose the register: they get another one, or are split or spilled. Comparing spill costs is
//! Chaitin's idea ("Register allocation and spilling via graph coloring", 1982); taking a register
//! back is that of LLVM's greedy allocator.
//!
//! The invariant: no register unit is taken twice at one position.
//!
//! The number of live ranges that may evict is bounded, and so are their segments; for each of them
//! the cost is that of a binary search per segment of the others.

use crate::codegen::analysis::liveness::{Segment, UNITS};
use crate::codegen::regalloc::allocation::Allocation;
use crate::codegen::regalloc::assignment::Assignment;
use crate::machine::{Function, Reg, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The most live ranges that take registers from others.
const MOST: usize = 8;
/// The least weight of a live range that takes a register from others.
const LEAST_WEIGHT: f32 = 32.0;
/// The factor by which its weight exceeds the sum of theirs at least, since without a register it
/// may still get one for parts of its life.
const FACTOR: f32 = 2.0;

/// Gives registers of others to the heaviest live ranges in `failed`, which found none. `failed`
/// has those without a register afterwards, in the order of their keys.
pub(super) fn evict(
    function: &Function<'_>,
    allocation: &mut Allocation<'_, '_>,
    failed: &mut Vec<'_, u64>,
) -> Result<(), OutOfMemory> {
    let mut heaviest = Vec::new(allocation.allocator());
    for &key in failed.iter() {
        let vreg = VReg::new(key as u32);
        let weight = allocation.weight(vreg);
        if weight >= LEAST_WEIGHT {
            heaviest.push(u64::from(!weight.to_bits()) << 32 | u64::from(vreg.number()))?;
        }
    }
    heaviest.sort_unstable();
    for &key in heaviest.iter().take(MOST) {
        let vreg = VReg::new(key as u32);
        // Those that were evicted for an earlier one may have left another register free.
        if allocation.assign(function, vreg)? {
            continue;
        }
        if let Some(reg) = find(function, allocation, vreg) {
            take(function, allocation, failed, (vreg, reg))?;
        }
    }
    failed.retain(|&key| !allocation.has_register(VReg::new(key as u32)));
    failed.sort_unstable();
    Ok(())
}

/// Returns the register that a virtual register should take from others, if there is one.
fn find(function: &Function<'_>, allocation: &Allocation<'_, '_>, vreg: VReg) -> Option<Reg> {
    let (liveness, registers) = (allocation.liveness, allocation.isa.registers());
    let segments = liveness.of(vreg);
    let mut costs = [0.0; UNITS];
    for &(unit, segment) in &liveness.fixed {
        if overlap(segments, &[segment]) {
            costs[usize::from(unit)] = f32::INFINITY;
        }
    }
    for other in (0..function.vreg_count() as u32).map(VReg::new) {
        if let Some(&Assignment::Register(reg)) = allocation.assignments.get(other.index())
            && overlap(segments, liveness.of(other))
        {
            for unit in registers.units(reg).iter() {
                costs[usize::from(unit)] += allocation.weight(other);
            }
        }
    }
    let (mut best, mut most) = (None, allocation.weight(vreg) / FACTOR);
    for reg in allocation.candidates(function, vreg) {
        let units = registers.units(reg);
        let cost: f32 = units.iter().map(|unit| costs[usize::from(unit)]).sum();
        let saving = if allocation.costs_saving(units) {
            allocation.saving(vreg)
        } else {
            0.0
        };
        if cost + saving < most {
            (best, most) = (Some(reg), cost + saving);
        }
    }
    best
}

/// Gives a register to a virtual register, and adds those that lose it and find no other to
/// `failed`.
fn take(
    function: &Function<'_>,
    allocation: &mut Allocation<'_, '_>,
    failed: &mut Vec<'_, u64>,
    (vreg, reg): (VReg, Reg),
) -> Result<(), OutOfMemory> {
    let (liveness, registers) = (allocation.liveness, allocation.isa.registers());
    let segments = liveness.of(vreg);
    let first = failed.len();
    for other in (0..function.vreg_count() as u32).map(VReg::new) {
        if let Some(&Assignment::Register(taken)) = allocation.assignments.get(other.index())
            && registers.units(taken).overlaps(registers.units(reg))
            && overlap(segments, liveness.of(other))
        {
            allocation.release(taken, liveness.of(other));
            allocation.assignments[other.index()] = Assignment::None;
            failed.push(allocation.key(other))?;
        }
    }
    allocation.take(reg, segments)?;
    allocation.assignments[vreg.index()] = Assignment::Register(reg);
    failed[first..].sort_unstable();
    for index in first..failed.len() {
        allocation.assign(function, VReg::new(failed[index] as u32))?;
    }
    Ok(())
}

/// Returns whether two lists of segments have a position in common. The search is in the first.
fn overlap(many: &[Segment], few: &[Segment]) -> bool {
    let Some((first, last)) = many.first().zip(many.last()) else {
        return false;
    };
    few.iter()
        .filter(|segment| segment.start < last.end && first.start < segment.end)
        .any(|segment| {
            let place = many.partition_point(|other| other.end <= segment.start);
            many.get(place)
                .is_some_and(|other| other.start < segment.end)
        })
}
