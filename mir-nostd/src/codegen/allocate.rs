//! Register allocation: virtual registers get physical registers or frame objects.
//!
//! The most valuable first, by uses weighted with loop depth per length: each takes the first register of its class that
//! is free wherever it is live, preferring one that makes a copy vanish; if there is none it is made again wherever it
//! is read, if that takes one instruction, or lives in the frame; it gets registers for parts of its life then (`split.rs`).
//! Where so much lives through so many blocks that this would take too long, allocation is that of level 0 (`quick.rs`).
//! What is read from or written to the frame passes through registers that nothing is allocated to, or, where they do not
//! suffice, through one that is saved around the instruction.

use super::check::Before;
use super::coalesce::{Leaders, coalesce, keeps_apart};
use super::liveness::{Liveness, Maker, Segment, UNITS, analyse, mark_depths};
use super::quick::find_homes;
use super::slots::Slots;
use super::split::{Edit, apply, split};
use super::taken::Taken;
use super::{Emitter, Error, properties, rewrite};
use crate::machine::{BlockId, Edges, FrameId, Function, Generic, InsnId, Reg, UnitSet, VReg};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec, sort_by_key};
use crate::target::Isa;

/// Where a virtual register lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// Nowhere: it is never used.
    None,
    /// In a physical register.
    Register(Reg),
    /// In the frame.
    Frame(FrameId),
    /// Nowhere: the instruction is repeated wherever the register is read.
    Again(InsnId),
}

/// The homes of all virtual registers.
pub(super) type Homes<'m> = Vec<'m, Home>;

/// Gives every virtual register of a function of target instructions a home and rewrites the function accordingly.
/// Gives the units of all registers that are used. What is quick needs less time and gives slower code. With `check` the
/// result is proven right. Copies in the block `apart` keep what survives calls from what need not.
///
/// # Errors
///
/// Out of memory; [`Error::WrongAllocation`] if the proof fails, [`Error::Unsupported`] if it is wanted and left out (feature
/// `check`).
pub fn allocate(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    is_quick: bool,
    apart: Option<BlockId>,
    check: bool,
) -> Result<UnitSet, Error> {
    let allocator = function.allocator();
    let edges = properties::edges(function, isa, allocator)?;
    mark_depths(function, &edges)?;
    let best = match is_quick {
        true => None,
        false => best_homes(function, isa, &edges, apart, allocator)?,
    };
    let (homes, used, parts) = match best {
        Some(best) => best,
        None => {
            let (homes, used) = find_homes(function, isa, &edges, allocator)?;
            (homes, used, None)
        }
    };
    let before = match check {
        false => None,
        true if cfg!(feature = "check") => Some(Before::new(function, allocator)?),
        true => return Err(Error::Unsupported),
    };
    if let Some((leaders, edits)) = parts {
        apply(function, isa, &leaders, &edits)?;
    }
    let (used, repeated) = rewrite::rewrite(function, isa, &homes, used)?;
    // Told once more, so that the proof is not even linked without the feature.
    let Some(before) = before.filter(|_| cfg!(feature = "check")) else {
        return Ok(used);
    };
    match before.check(function, isa, &edges, &repeated)? {
        Some((insn, operand)) => Err(Error::WrongAllocation { insn, operand }),
        None => Ok(used),
    }
}

/// Which virtual register stands for which, and the changes that give parts of their lives other homes.
type Parts<'m> = Option<(Leaders<'m>, Vec<'m, Edit>)>;

/// The homes by worth, the units of the registers among them, and parts of lives that have other homes; instructions that
/// nobody needs are gone. `None` if too much lives through too many blocks: nothing is changed then.
fn best_homes<'m>(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    edges: &Edges<'_>,
    apart: Option<BlockId>,
    allocator: &'m dyn Allocator,
) -> Result<Option<(Homes<'m>, UnitSet, Parts<'m>)>, OutOfMemory> {
    let Some(mut liveness) = analyse(function, isa, edges, allocator)? else {
        return Ok(None);
    };
    let leaders = coalesce(function, isa, &mut liveness, apart)?;
    for &(insn, _) in &liveness.dead {
        function.remove(insn);
    }
    let mut allocation = Allocation::new(function, isa, &liveness, allocator)?;
    allocation.take_hints(function, &leaders, apart)?;
    let failed = allocation.run(function, &leaders)?;
    let edits = split(function, edges, &mut allocation, &leaders, &failed)?;
    let parts = (!edits.is_empty()).then_some((leaders, edits));
    Ok(Some((allocation.homes, allocation.used, parts)))
}

/// What a register is worth to what can be made again, beside what has to go to the frame and come back.
const AGAIN: f32 = 0.5;

/// No list.
const NONE: u8 = u8::MAX;

/// What is where, as far as that is decided.
pub(super) struct Allocation<'a, 'm> {
    pub(super) isa: &'a dyn Isa,
    pub(super) liveness: &'a Liveness<'m>,
    /// The list of each unit that is taken somewhere, a place in `taken`.
    lists: [u8; UNITS],
    taken: Vec<'m, Taken<'m>>,
    hints: Vec<'m, Hint>,
    pub(super) homes: Homes<'m>,
    used: UnitSet,
    pub(super) reserved: UnitSet,
}

/// What would make a copy vanish.
#[derive(Clone, Copy, Default)]
struct Hint {
    physical: Option<Reg>,
    other: [Option<VReg>; 2],
}

impl<'a, 'm> Allocation<'a, 'm> {
    fn new(
        function: &Function<'_>,
        isa: &'a dyn Isa,
        liveness: &'a Liveness<'m>,
        allocator: &'m dyn Allocator,
    ) -> Result<Allocation<'a, 'm>, OutOfMemory> {
        let mut hints = Vec::new(allocator);
        hints.resize(function.vreg_count(), Hint::default())?;
        let mut homes = Vec::new(allocator);
        homes.resize(function.vreg_count(), Home::None)?;
        let mut allocation = Allocation {
            isa,
            liveness,
            lists: [NONE; UNITS],
            taken: Vec::new(allocator),
            hints,
            homes,
            used: UnitSet::EMPTY,
            reserved: function.reserved,
        };
        for &(unit, segment) in liveness.fixed.iter().rev() {
            allocation.taken(unit)?.take_last(segment)?;
        }
        Ok(allocation)
    }

    /// Where a unit is taken, to add to it.
    fn taken(&mut self, unit: u8) -> Result<&mut Taken<'m>, OutOfMemory> {
        let number = &mut self.lists[usize::from(unit)];
        if *number == NONE {
            *number = self.taken.len() as u8;
            self.taken.push(Taken::new(self.homes.allocator()))?;
        }
        Ok(&mut self.taken[usize::from(*number)])
    }

    /// Notes which registers copies connect.
    fn take_hints(
        &mut self,
        function: &Function<'_>,
        leaders: &Leaders<'_>,
        apart: Option<BlockId>,
    ) -> Result<(), OutOfMemory> {
        let leader = |reg: Reg| reg.vreg().map_or(reg, |vreg| Reg::virt(leaders.of(vreg)));
        for &block in &function.layout {
            for insn in function.insns(block) {
                if function.insn(insn).opcode.generic() != Some(Generic::Copy) {
                    continue;
                }
                let &[to, from] = function.operands(insn) else {
                    continue;
                };
                let (Some(to), Some(from)) = (to.as_reg(), from.as_reg()) else {
                    continue;
                };
                let (to, from) = (leader(to), leader(from));
                let keeps_apart = apart == Some(block)
                    && matches!((to.vreg(), from.vreg()), (Some(to), Some(from))
                        if keeps_apart(self.liveness, to, from));
                if to != from && !keeps_apart {
                    self.hint(to, from);
                    self.hint(from, to);
                }
            }
        }
        Ok(())
    }

    fn hint(&mut self, reg: Reg, other: Reg) {
        let Some(hint) = reg.vreg().and_then(|vreg| self.hints.get_mut(vreg.index())) else {
            return;
        };
        match other.vreg() {
            None => hint.physical = hint.physical.or(Some(other)),
            Some(other) if hint.other[0].is_none() => hint.other[0] = Some(other),
            Some(other) => hint.other[1] = Some(other),
        }
    }

    /// Gives every virtual register a home; gives those that found no register, best ones first.
    fn run(
        &mut self,
        function: &mut Function<'_>,
        leaders: &Leaders<'_>,
    ) -> Result<Vec<'m, VReg>, OutOfMemory> {
        let allocator = self.homes.allocator();
        let mut order = Vec::with_capacity(allocator, function.vreg_count())?;
        let (mut spilled, mut failed) = (Vec::new(allocator), Vec::new(allocator));
        for number in 0..function.vreg_count() as u32 {
            let vreg = VReg::new(number);
            let segments = self.liveness.of(vreg);
            if segments.is_empty() {
                continue;
            }
            let length: u32 = segments.iter().map(|s| s.end - s.start).sum();
            let mut weight = self.liveness.weights[vreg.index()];
            if self.again(vreg).is_some() {
                weight *= AGAIN;
            }
            // Numbers that are not negative are in the order of their bits.
            let worth = weight / (length as f32 + 4.0);
            order.push(u64::from(!worth.to_bits()) << 32 | u64::from(number))?;
        }
        sort_by_key(&mut order, |&key| key);
        for &key in &order {
            let vreg = VReg::new(key as u32);
            if let Some(reg) = self.find(function, vreg) {
                self.take(reg, self.liveness.of(vreg))?;
                self.homes[vreg.index()] = Home::Register(reg);
                continue;
            }
            failed.push(vreg)?;
            if let Some(insn) = self.again(vreg) {
                self.homes[vreg.index()] = Home::Again(insn);
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
            self.homes[vreg.index()] = Home::Frame(frame);
        }
        for number in 0..function.vreg_count() as u32 {
            let vreg = VReg::new(number);
            let leader = leaders.of(vreg);
            self.homes[vreg.index()] = self.homes[leader.index()];
        }
        Ok(failed)
    }

    /// The instruction that makes a virtual register, if it can be repeated.
    fn again(&self, vreg: VReg) -> Option<InsnId> {
        match self.liveness.makers.get(vreg.index()) {
            Some(&Maker::Fixed(insn)) => Some(insn),
            _ => None,
        }
    }

    /// A register that is free wherever the virtual register is live.
    fn find(&self, function: &Function<'_>, vreg: VReg) -> Option<Reg> {
        let registers = self.isa.registers();
        let class = registers.class(function.vreg(vreg).class);
        let segments = self.liveness.of(vreg);
        let clobbered = self.liveness.changed(segments).union(self.reserved);
        let hint = self.hints[vreg.index()];
        let hinted = hint.other.into_iter().flatten().find_map(|other| {
            match self.homes.get(other.index()) {
                Some(&Home::Register(reg)) => Some(reg),
                _ => self.hints.get(other.index()).and_then(|hint| hint.physical),
            }
        });
        let weight = self.liveness.weights[vreg.index()];
        let least = if self.again(vreg).is_some() { 4.0 } else { 3.0 };
        let order = class.order.iter().map(|&row| Reg::physical(row));
        let is_ours = |reg: &Reg| class.order.iter().any(|&row| Reg::physical(row) == *reg);
        let preferred = [hint.physical, hinted]
            .into_iter()
            .flatten()
            .filter(is_ours);
        preferred.chain(order).find(|&reg| {
            let units = registers.units(reg);
            // Saving and restoring a register costs about two uses outside of loops; making again spares the first.
            !(clobbered.overlaps(units) || self.costs_saving(units) && weight < least)
                && self.is_free(units, segments)
        })
    }

    /// Whether the function does not save these units yet, but must if it uses them.
    pub(super) fn costs_saving(&self, units: UnitSet) -> bool {
        self.isa.registers().saved.contains(units) && !self.used.contains(units)
    }

    /// Whether units are free in all of the segments.
    pub(super) fn is_free(&self, units: UnitSet, segments: &[Segment]) -> bool {
        units.iter().all(|unit| {
            let entry = self.liveness.entry[usize::from(unit)];
            // They are ascending.
            let is_behind = segments.first().is_none_or(|first| first.start >= entry);
            let taken = self.taken.get(usize::from(self.lists[usize::from(unit)]));
            is_behind
                && taken.is_none_or(|taken| segments.iter().all(|&segment| taken.is_free(segment)))
        })
    }

    /// Up to where units are free from a position on, at most until another.
    pub(super) fn free_until(&self, units: UnitSet, start: u32, most: u32) -> u32 {
        units.iter().fold(most, |until, unit| {
            if start < self.liveness.entry[usize::from(unit)] {
                return 0;
            }
            let taken = self.taken.get(usize::from(self.lists[usize::from(unit)]));
            taken.map_or(until, |taken| until.min(taken.free_until(start)))
        })
    }

    /// Takes a register in segments in which it is free.
    pub(super) fn take(&mut self, reg: Reg, segments: &[Segment]) -> Result<(), OutOfMemory> {
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

    pub(super) fn allocator(&self) -> &'m dyn Allocator {
        self.homes.allocator()
    }
}

/// Puts a copy of physical registers at a place, if it is one at all.
pub(super) fn copy(
    out: &mut Emitter<'_, '_>,
    isa: &dyn Isa,
    to: Reg,
    from: Reg,
) -> Result<(), Error> {
    if to == from {
        return Ok(());
    }
    isa.copy(out, to, from)
}
