//! The state of priority-based allocation: assignments so far, the segments in which each register
//! unit is taken, and the search for a register that is free.
//!
//! [`allocate`](super::allocate) assigns whole live ranges with it, [`split`](super::split) parts
//! of those that are left.

use crate::codegen::analysis::liveness::{Liveness, Maker, Segment, UNITS};
use crate::codegen::regalloc::assignment::{Assignment, Assignments};
use crate::codegen::regalloc::coalesce::{Leaders, keeps_apart};
use crate::codegen::regalloc::interval_set::Taken;
use crate::codegen::regalloc::spill_slots::Slots;
use crate::machine::{BlockId, Function, InsnId, Reg, UnitSet, VReg};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec, sort_by_key};
use crate::target::Isa;

/// The factor on the spill weight of values that can be rematerialised, since that costs less than
/// a spill and a reload.
const AGAIN: f32 = 0.5;

/// The cost of saving and restoring a callee-saved register in a block that is executed once.
pub(crate) const SAVING: f32 = 3.0;

/// The mark of a unit without a list.
const NONE: u8 = u8::MAX;

/// The state of allocation.
pub(crate) struct Allocation<'a, 'm> {
    pub(crate) isa: &'a dyn Isa,
    pub(crate) liveness: &'a Liveness<'m>,
    /// The index in `taken` of each unit that is taken somewhere.
    lists: [u8; UNITS],
    taken: Vec<'m, Taken<'m>>,
    hints: Vec<'m, Hint>,
    pub(crate) assignments: Assignments<'m>,
    pub(crate) used: UnitSet,
    pub(crate) reserved: UnitSet,
}

/// The registers at the other ends of copies, with which those copies would vanish.
#[derive(Clone, Copy)]
struct Hint {
    /// The physical register; [`Reg::NONE`] if there is none.
    physical: Reg,
    other: [Option<VReg>; 2],
}

impl Hint {
    /// The hint of a virtual register that no copy reads or writes.
    const NONE: Hint = Hint {
        physical: Reg::NONE,
        other: [None; 2],
    };

    /// Returns the physical register, if there is one.
    fn physical(&self) -> Option<Reg> {
        Some(self.physical).filter(|reg| !reg.is_none())
    }
}

impl<'a, 'm> Allocation<'a, 'm> {
    pub(crate) fn new(
        function: &Function<'_>,
        isa: &'a dyn Isa,
        liveness: &'a Liveness<'m>,
        allocator: &'m dyn Allocator,
    ) -> Result<Allocation<'a, 'm>, OutOfMemory> {
        let mut hints = Vec::new(allocator);
        hints.resize(function.vreg_count(), Hint::NONE)?;
        let mut assignments = Vec::new(allocator);
        assignments.resize(function.vreg_count(), Assignment::None)?;
        let mut allocation = Allocation {
            isa,
            liveness,
            lists: [NONE; UNITS],
            taken: Vec::new(allocator),
            hints,
            assignments,
            used: UnitSet::EMPTY,
            reserved: function.reserved,
        };
        for &(unit, segment) in liveness.fixed.iter().rev() {
            allocation.taken(unit)?.take_last(segment)?;
        }
        Ok(allocation)
    }

    /// Returns the interval set of a unit, to add to it.
    fn taken(&mut self, unit: u8) -> Result<&mut Taken<'m>, OutOfMemory> {
        let number = &mut self.lists[usize::from(unit)];
        if *number == NONE {
            *number = self.taken.len() as u8;
            self.taken.push(Taken::new(self.assignments.allocator()))?;
        }
        Ok(&mut self.taken[usize::from(*number)])
    }

    /// Notes the registers that copies connect.
    pub(crate) fn take_hints(
        &mut self,
        function: &Function<'_>,
        leaders: &Leaders<'_>,
        apart: Option<BlockId>,
    ) {
        let leader = |reg: Reg| reg.vreg().map_or(reg, |vreg| Reg::virt(leaders.of(vreg)));
        let copies = self.liveness.copies.iter();
        for &(insn, _) in copies.filter(|&&(_, is_dead)| !is_dead) {
            let row = function.insn(insn);
            let &[to, from] = function.operands_of(row) else {
                continue;
            };
            let (Some(to), Some(from)) = (to.as_reg(), from.as_reg()) else {
                continue;
            };
            let (to, from) = (leader(to), leader(from));
            let keeps_apart = apart == Some(row.block())
                && matches!((to.vreg(), from.vreg()), (Some(to), Some(from))
                    if keeps_apart(self.liveness, to, from));
            if to != from && !keeps_apart {
                self.hint(to, from);
                self.hint(from, to);
            }
        }
    }

    fn hint(&mut self, reg: Reg, other: Reg) {
        let Some(hint) = reg.vreg().and_then(|vreg| self.hints.get_mut(vreg.index())) else {
            return;
        };
        match other.vreg() {
            None => hint.physical = hint.physical().unwrap_or(other),
            Some(other) if hint.other[0].is_none() => hint.other[0] = Some(other),
            Some(other) => hint.other[1] = Some(other),
        }
    }

    /// Assigns registers to virtual registers. Returns the keys of those that found none.
    pub(super) fn run(&mut self, function: &Function<'_>) -> Result<Vec<'m, u64>, OutOfMemory> {
        let allocator = self.assignments.allocator();
        let mut order = Vec::with_capacity(allocator, function.vreg_count())?;
        let mut failed = Vec::new(allocator);
        for number in 0..function.vreg_count() as u32 {
            let vreg = VReg::new(number);
            if !self.liveness.of(vreg).is_empty() {
                order.push(self.key(vreg))?;
            }
        }
        order.sort_unstable();
        for &key in &order {
            if !self.assign(function, VReg::new(key as u32))? {
                failed.push(key)?;
            }
        }
        Ok(failed)
    }

    /// Assigns an instruction to rematerialise or a frame object to the virtual registers with
    /// these keys that have no register, and to all others what their leader has.
    pub(super) fn finish(
        &mut self,
        function: &mut Function<'_>,
        leaders: &Leaders<'_>,
        failed: &[u64],
    ) -> Result<(), OutOfMemory> {
        self.spill(function, failed)?;
        for number in 0..function.vreg_count() as u32 {
            let vreg = VReg::new(number);
            let leader = leaders.of(vreg);
            self.assignments[vreg.index()] = self.assignments[leader.index()];
        }
        Ok(())
    }

    /// Assigns an instruction to rematerialise or a frame object to those in `failed` that have no
    /// register.
    fn spill(&mut self, function: &mut Function<'_>, failed: &[u64]) -> Result<(), OutOfMemory> {
        let allocator = self.assignments.allocator();
        let mut spilled = Vec::new(allocator);
        for vreg in failed.iter().map(|&key| VReg::new(key as u32)) {
            if self.has_register(vreg) {
                continue;
            }
            if let Some(insn) = self.rematerialised(vreg) {
                self.assignments[vreg.index()] = Assignment::Rematerialised(insn);
            } else if let Some(first) = self.liveness.of(vreg).first() {
                spilled.push(u64::from(first.start) << 32 | u64::from(vreg.number()))?;
            }
        }
        sort_by_key(&mut spilled, |&key| key);
        let mut slots = Slots::new(function, allocator);
        for &key in &spilled {
            let vreg = VReg::new(key as u32);
            let segments = self.liveness.of(vreg);
            let (first, last) = (segments.first(), segments.last());
            let start = first.map_or(0, |segment| segment.start);
            let end = last.map_or(u32::MAX, |segment| segment.end);
            let class = self.isa.registers().class(function.vreg(vreg).class);
            let frame = slots.take(function, start, end, u32::from(class.spill_bytes))?;
            self.assignments[vreg.index()] = Assignment::Frame(frame);
        }
        Ok(())
    }

    /// Returns the spill weight of a virtual register.
    pub(super) fn weight(&self, vreg: VReg) -> f32 {
        let weight = self.liveness.summaries[vreg.index()].weight;
        match self.rematerialised(vreg) {
            Some(_) => weight * AGAIN,
            None => weight,
        }
    }

    /// Returns a number that contains a virtual register and is less the more spill weight it has
    /// per length.
    pub(super) fn key(&self, vreg: VReg) -> u64 {
        let segments = self.liveness.of(vreg);
        let length: u32 = segments.iter().map(|s| s.end - s.start).sum();
        let worth = self.weight(vreg) / (length as f32 + 4.0);
        // The bits of floats that are not negative are in the order of their values.
        u64::from(!worth.to_bits()) << 32 | u64::from(vreg.number())
    }

    /// Assigns a register to a virtual register, if one is free. Returns whether there is one.
    pub(super) fn assign(
        &mut self,
        function: &Function<'_>,
        vreg: VReg,
    ) -> Result<bool, OutOfMemory> {
        let Some(reg) = self.find(function, vreg) else {
            return Ok(false);
        };
        self.take(reg, self.liveness.of(vreg))?;
        self.assignments[vreg.index()] = Assignment::Register(reg);
        Ok(true)
    }

    /// Returns whether a virtual register has a register.
    pub(super) fn has_register(&self, vreg: VReg) -> bool {
        matches!(
            self.assignments.get(vreg.index()),
            Some(Assignment::Register(_))
        )
    }

    /// Returns the registers that could hold a virtual register if no other one were in the way.
    pub(super) fn candidates(
        &self,
        function: &Function<'_>,
        vreg: VReg,
    ) -> impl Iterator<Item = Reg> {
        let registers = self.isa.registers();
        let segments = self.liveness.of(vreg);
        let unusable = self.liveness.changed(segments).union(self.reserved);
        let start = segments.first().map_or(0, |first| first.start);
        let class = registers.class(function.vreg(vreg).class);
        let order = class.order.iter().map(|&row| Reg::physical(row));
        order.filter(move |&reg| {
            let mut units = registers.units(reg).iter();
            !unusable.overlaps(registers.units(reg))
                && units.all(|unit| start >= self.liveness.entry[usize::from(unit)])
        })
    }

    /// Returns the instruction that defines a virtual register, if it can be rematerialised.
    pub(super) fn rematerialised(&self, vreg: VReg) -> Option<InsnId> {
        match self.liveness.summaries.get(vreg.index())?.maker {
            Maker::Fixed(insn) => Some(insn),
            _ => None,
        }
    }

    /// Returns a register that is free wherever the virtual register is live.
    fn find(&self, function: &Function<'_>, vreg: VReg) -> Option<Reg> {
        let registers = self.isa.registers();
        let class = registers.class(function.vreg(vreg).class);
        let segments = self.liveness.of(vreg);
        let clobbered = self.liveness.changed(segments).union(self.reserved);
        let hint = self.hints[vreg.index()];
        let hinted = hint.other.into_iter().flatten().find_map(|other| {
            match self.assignments.get(other.index()) {
                Some(&Assignment::Register(reg)) => Some(reg),
                _ => self.hints.get(other.index()).and_then(Hint::physical),
            }
        });
        let weight = self.liveness.summaries[vreg.index()].weight;
        let least = self.saving(vreg);
        let order = class.order.iter().map(|&row| Reg::physical(row));
        let is_ours = |reg: &Reg| class.order.iter().any(|&row| Reg::physical(row) == *reg);
        let preferred = [hint.physical(), hinted]
            .into_iter()
            .flatten()
            .filter(is_ours);
        preferred.chain(order).find(|&reg| {
            let units = registers.units(reg);
            !(clobbered.overlaps(units) || self.costs_saving(units) && weight < least)
                && self.is_free(units, segments)
        })
    }

    /// Returns whether units are callee-saved and the function does not save them yet.
    pub(crate) fn costs_saving(&self, units: UnitSet) -> bool {
        self.isa.registers().saved.contains(units) && !self.used.contains(units)
    }

    /// Returns the cost of saving and restoring a callee-saved register for a virtual register,
    /// which is done about where that begins to live.
    pub(super) fn saving(&self, vreg: VReg) -> f32 {
        let once = self.liveness.summaries[vreg.index()].birth.value().min(1.0);
        match self.rematerialised(vreg) {
            // The definition is spared, too, which the weight counts.
            Some(_) => (SAVING + 1.0) * once,
            None => SAVING * once,
        }
    }

    /// Returns whether units are free in all of the segments.
    pub(crate) fn is_free(&self, units: UnitSet, segments: &[Segment]) -> bool {
        units.iter().all(|unit| {
            let entry = self.liveness.entry[usize::from(unit)];
            // Segments are ascending, so the first one decides.
            let is_behind = segments.first().is_none_or(|first| first.start >= entry);
            let taken = self.taken.get(usize::from(self.lists[usize::from(unit)]));
            is_behind
                && taken.is_none_or(|taken| segments.iter().all(|&segment| taken.is_free(segment)))
        })
    }

    /// Returns the position up to which units are free from `start` on, at most `most`.
    pub(crate) fn free_until(&self, units: UnitSet, start: u32, most: u32) -> u32 {
        units.iter().fold(most, |until, unit| {
            if start < self.liveness.entry[usize::from(unit)] {
                return 0;
            }
            let taken = self.taken.get(usize::from(self.lists[usize::from(unit)]));
            taken.map_or(until, |taken| until.min(taken.free_until(start)))
        })
    }

    /// Takes a register in segments in which it is free.
    pub(crate) fn take(&mut self, reg: Reg, segments: &[Segment]) -> Result<(), OutOfMemory> {
        let units = self.isa.registers().units(reg);
        self.used = self.used.union(units);
        for unit in units.iter() {
            let taken = self.taken(unit)?;
            for &segment in segments {
                taken.take(segment)?;
            }
        }
        Ok(())
    }

    /// Frees a register in segments in which it was taken.
    pub(super) fn release(&mut self, reg: Reg, segments: &[Segment]) {
        for unit in self.isa.registers().units(reg).iter() {
            let list = usize::from(self.lists[usize::from(unit)]);
            if let Some(taken) = self.taken.get_mut(list) {
                for &segment in segments {
                    taken.release(segment);
                }
            }
        }
    }

    pub(crate) fn allocator(&self) -> &'m dyn Allocator {
        self.assignments.allocator()
    }
}
