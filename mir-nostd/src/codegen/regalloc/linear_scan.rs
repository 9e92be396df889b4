//! Linear scan: the register allocation of level 0 (Poletto and Sarkar, "Linear scan register
//! allocation", 1999).
//!
//! A forward pass computes the live interval of each virtual register: one run of positions from
//! the first to the last at which it is live, without holes. A second pass visits the intervals by
//! their starts. Each gets a register that is free from its start on, preferring one that makes a
//! copy vanish; if there is none, it evicts the interval that a register is worth least to, by uses
//! weighted with loop depth per length, if that is less than its own worth (Poletto and Sarkar
//! spill the interval that ends last). An evicted interval is spilled for its whole length.
//! Physical registers that the code names, and calls, take their units at fixed positions.
//!
//! Positions are those of `liveness.rs`. Values that stay in a block cost nothing but their
//! operands. Where control only goes ahead in the layout, neither do others: a value is not live
//! before the first or after the last position that names it. Elsewhere the pass walks from the
//! blocks that read values up to the blocks that write them; when these walks become out of
//! proportion to the function, the remaining intervals are extended over all of it. The second pass
//! costs, for each interval, the registers of its class.
//!
//! The invariant: the registers of two intervals that overlap share no unit.

use crate::codegen::analysis::live_blocks::{Search, Side, Wanted};
use crate::codegen::analysis::liveness::{Clobber, Clobbers, UNITS, weight_of_depth};
use crate::codegen::regalloc::assignment::{Assignment, Assignments};
use crate::codegen::regalloc::spill_slots::Slots;
use crate::machine::{
    BlockId, Edges, Function, Generic, Insn, Operand, OperandFlags, Reg, UnitSet, VReg,
};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::{ClassRow, Isa, RegisterFile};

/// The most times that registers are live into blocks: `MOST` per position, and `FEW` in any
/// function.
const MOST: usize = 128;
const FEW: usize = 1 << 20;

/// The mark of no block, and of no entry of a list.
const NONE: u32 = u32::MAX;

/// The live interval of a virtual register.
#[derive(Clone, Copy)]
struct Life {
    start: u32,
    /// The end; 0 if the register is never live.
    end: u32,
    /// The spill weight: uses and definitions, weighted by loop depth.
    weight: f32,
    /// The last block in which it was read or written.
    block: u32,
    /// The first block that writes it before reading it.
    defined: u32,
    /// The further blocks that do so: a list in [`Survey::lists`].
    definitions: u32,
    /// The blocks that read it before writing it: a list, too.
    exposed: u32,
    /// The source of the first copy to it.
    from: Reg,
    /// The target of the last copy from it.
    to: Reg,
}

impl Life {
    const NONE: Life = Life {
        start: u32::MAX,
        end: 0,
        weight: 0.0,
        block: NONE,
        defined: NONE,
        definitions: NONE,
        exposed: NONE,
        from: Reg::NONE,
        to: Reg::NONE,
    };

    fn cover(&mut self, start: u32, end: u32) {
        self.start = self.start.min(start);
        self.end = self.end.max(end);
    }

    /// Extends the interval by positions that do not begin before those it has.
    fn go_on(&mut self, start: u32, end: u32) {
        if self.end == 0 {
            self.start = start;
        }
        self.end = end;
    }

    /// Returns the spill weight per length.
    fn worth(&self) -> f32 {
        self.weight / (self.end.saturating_sub(self.start) as f32 + 4.0)
    }
}

/// A run of positions in which a physical register takes a unit.
#[derive(Clone, Copy)]
struct Fixed {
    start: u32,
    end: u32,
    /// The next run of the same unit.
    next: u32,
}

/// Returns assignments for all virtual registers, and the units of the registers among them. There
/// may be no edges if control only goes ahead in the layout.
pub(crate) fn scan_linearly<'m>(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    edges: Option<&Edges<'_>>,
    allocator: &'m dyn Allocator,
) -> Result<(Assignments<'m>, UnitSet), OutOfMemory> {
    let mut survey = Survey::new(isa.registers(), allocator);
    survey.walk(function, edges)?;
    let order = by_start(&survey, allocator)?;
    let mut assignments = Vec::new(allocator);
    assignments.resize(survey.lives.len(), Assignment::None)?;
    let mut scan = Scan {
        registers: isa.registers(),
        reserved: function.reserved,
        cursors: survey.first,
        survey: &survey,
        assignments,
        until: [0; UNITS],
        holders: [NONE; UNITS],
        clobber: 0,
        used: UnitSet::EMPTY,
    };
    for &vreg in &order {
        scan.place(function, vreg);
    }
    let (mut assignments, used) = (scan.assignments, scan.used);
    let mut slots = Slots::new(function, allocator);
    for &vreg in &order {
        if assignments[vreg.index()] == Assignment::None {
            let bytes = isa.registers().class(function.vreg(vreg).class).spill_bytes;
            let life = &survey.lives[vreg.index()];
            let frame = slots.take(function, life.start, life.end, u32::from(bytes))?;
            assignments[vreg.index()] = Assignment::Frame(frame);
        }
    }
    Ok((assignments, used))
}

/// Returns the virtual registers that are live anywhere by the starts of their intervals, equal
/// ones by their numbers (a counting sort).
fn by_start<'m>(
    survey: &Survey<'_>,
    allocator: &'m dyn Allocator,
) -> Result<Vec<'m, VReg>, OutOfMemory> {
    // First the number of intervals that start before each position, then the index at which the
    // next one that starts there goes.
    let mut places = Vec::new(allocator);
    places.resize(survey.end as usize + 1, 0_u32)?;
    let is_live = |life: &&Life| life.end != 0;
    for life in survey.lives.iter().filter(is_live) {
        places[life.start as usize + 1] += 1;
    }
    let mut count = 0;
    for place in &mut *places {
        count += *place;
        *place = count;
    }
    let mut order = Vec::new(allocator);
    order.resize(count as usize, VReg::new(0))?;
    for (number, life) in survey.lives.iter().enumerate() {
        if is_live(&life) {
            let place = &mut places[life.start as usize];
            order[*place as usize] = VReg::new(number as u32);
            *place += 1;
        }
    }
    Ok(order)
}

/// The result of the forward pass.
struct Survey<'m> {
    lives: Vec<'m, Life>,
    /// Lists of blocks: each entry has the index of the next.
    lists: Vec<'m, (u32, u32)>,
    /// The position after the last instruction.
    end: u32,
    /// The first position of each block and the one after it, by number.
    bounds: Vec<'m, (u32, u32)>,
    fixed: Vec<'m, Fixed>,
    /// The first run of each unit.
    first: [u32; UNITS],
    /// The last run of each unit.
    last: [u32; UNITS],
    /// The position until which a unit holds an argument of the function.
    entry: [u32; UNITS],
    /// The calls, ascending.
    clobbers: Clobbers<'m>,
    /// The units that hold a value of a physical register, and the runs of those as far as they are
    /// known.
    open: UnitSet,
    runs: [(u32, u32); UNITS],
    /// The units that can be allocated to virtual registers.
    allocatable: UnitSet,
    registers: &'static RegisterFile,
}

impl<'m> Survey<'m> {
    /// Returns an empty survey and allocates nothing. The survey is large, so it is inlined to be
    /// built in its place.
    #[inline(always)]
    fn new(registers: &'static RegisterFile, allocator: &'m dyn Allocator) -> Survey<'m> {
        Survey {
            lives: Vec::new(allocator),
            lists: Vec::new(allocator),
            end: 0,
            bounds: Vec::new(allocator),
            fixed: Vec::new(allocator),
            first: [NONE; UNITS],
            last: [NONE; UNITS],
            entry: [0; UNITS],
            clobbers: Clobbers::new(allocator),
            open: UnitSet::EMPTY,
            runs: [(0, 0); UNITS],
            allocatable: registers.allocatable,
            registers,
        }
    }

    /// Walks the function.
    fn walk(
        &mut self,
        function: &Function<'_>,
        edges: Option<&Edges<'_>>,
    ) -> Result<(), OutOfMemory> {
        self.lists.reserve(function.block_count())?;
        self.fixed.reserve(function.vreg_count() / 2)?;
        self.lives.resize(function.vreg_count(), Life::NONE)?;
        self.bounds.resize(function.block_count(), (0, 0))?;
        let mut number = 0;
        for &block in &function.layout {
            number = self.block(function, block, number)?;
        }
        self.end = 2 * number;
        match edges {
            Some(edges) => self.spread(function, edges),
            None => Ok(()),
        }
    }

    /// Walks the block with this number. Returns the number after its last instruction.
    fn block(
        &mut self,
        function: &Function<'_>,
        block: BlockId,
        first: u32,
    ) -> Result<u32, OutOfMemory> {
        let weight = weight_of_depth(function.block(block).depth);
        let mut number = first + 1;
        for (_, insn) in function.rows(block) {
            self.insn(function, insn, number, block.number(), weight)?;
            number += 1;
        }
        self.bounds[block.index()] = (2 * first, 2 * number);
        for unit in self.open.iter() {
            self.close(unit)?;
        }
        self.open = UnitSet::EMPTY;
        Ok(number)
    }

    fn insn(
        &mut self,
        function: &Function<'_>,
        insn: &Insn,
        number: u32,
        block: u32,
        weight: f32,
    ) -> Result<(), OutOfMemory> {
        let operands = function.operands_of(insn);
        // The index after the last definition that matters.
        let mut end = 0;
        for (place, &operand) in operands.iter().enumerate() {
            let Some(reg) = operand.as_reg() else {
                if let Some(preserved) = function.mask(operand) {
                    let units = self.allocatable.without(preserved);
                    let position = 2 * number + 1;
                    self.clobbers.push(Clobber { position, units })?;
                }
                continue;
            };
            let vreg = reg.vreg();
            if operand.is_def() {
                // Flags are written often and cannot be allocated.
                if vreg.is_some() || !self.units(reg).is_empty() {
                    end = place + 1;
                }
                continue;
            }
            let is_undef = operand.flags().contains(OperandFlags::UNDEF);
            match vreg {
                Some(vreg) => self.read(vreg, number, block, weight, is_undef)?,
                None if !is_undef && !reg.is_none() => self.read_physical(reg, number),
                None => {}
            }
        }
        for &operand in operands.iter().take(end) {
            if !operand.is_def() {
                continue;
            }
            let early = operand.flags().contains(OperandFlags::EARLY_CLOBBER);
            let position = 2 * number + u32::from(!early);
            if let Some(vreg) = operand.vreg() {
                self.write(vreg, position, 2 * number + 2, block, weight)?;
            } else if let Some(reg) = operand.as_reg() {
                self.write_physical(reg, position, 2 * number + 2)?;
            }
        }
        if insn.opcode == Generic::Copy.into() {
            self.note_copy(operands);
        }
        Ok(())
    }

    /// Counts a definition, and lists its block.
    fn write(
        &mut self,
        vreg: VReg,
        start: u32,
        end: u32,
        block: u32,
        weight: f32,
    ) -> Result<(), OutOfMemory> {
        let life = &mut self.lives[vreg.index()];
        life.go_on(start, end);
        life.weight += weight;
        if life.block == block {
            return Ok(());
        }
        life.block = block;
        if life.defined == NONE {
            life.defined = block;
            return Ok(());
        }
        let next = core::mem::replace(&mut life.definitions, self.lists.len() as u32);
        self.lists.push((block, next))
    }

    fn read(
        &mut self,
        vreg: VReg,
        number: u32,
        block: u32,
        weight: f32,
        is_undef: bool,
    ) -> Result<(), OutOfMemory> {
        let life = &mut self.lives[vreg.index()];
        life.weight += weight;
        life.go_on(2 * number, 2 * number + 1);
        if life.block != block && !is_undef {
            life.block = block;
            let next = core::mem::replace(&mut life.exposed, self.lists.len() as u32);
            self.lists.push((block, next))?;
        }
        Ok(())
    }

    fn read_physical(&mut self, reg: Reg, number: u32) {
        for unit in self.units(reg).iter() {
            if self.open.overlaps(UnitSet::unit(unit)) {
                self.runs[usize::from(unit)].1 = 2 * number + 1;
            } else {
                // An argument of the function.
                self.entry[usize::from(unit)] = 2 * number + 1;
            }
        }
    }

    fn write_physical(&mut self, reg: Reg, start: u32, end: u32) -> Result<(), OutOfMemory> {
        let units = self.units(reg);
        if units.is_empty() {
            return Ok(());
        }
        for unit in units.iter() {
            if self.open.overlaps(UnitSet::unit(unit)) {
                self.close(unit)?;
            }
            self.runs[usize::from(unit)] = (start, end);
        }
        self.open = self.open.union(units);
        Ok(())
    }

    fn units(&self, reg: Reg) -> UnitSet {
        UnitSet(self.registers.units(reg).0 & self.allocatable.0)
    }

    /// Ends the run of a unit, as the value that it holds was read for the last time.
    fn close(&mut self, unit: u8) -> Result<(), OutOfMemory> {
        let (start, end) = self.runs[usize::from(unit)];
        let number = self.fixed.len() as u32;
        let next = NONE;
        self.fixed.push(Fixed { start, end, next })?;
        let last = core::mem::replace(&mut self.last[usize::from(unit)], number);
        match self.fixed.get_mut(last as usize) {
            Some(last) => last.next = number,
            None => self.first[usize::from(unit)] = number,
        }
        Ok(())
    }

    fn note_copy(&mut self, operands: &[Operand]) {
        let &[to, from] = operands else {
            return;
        };
        let (Some(to), Some(from)) = (to.as_reg(), from.as_reg()) else {
            return;
        };
        if let Some(vreg) = to.vreg() {
            let life = &mut self.lives[vreg.index()];
            if life.from.is_none() {
                life.from = from;
            }
        }
        if let Some(vreg) = from.vreg() {
            self.lives[vreg.index()].to = to;
        }
    }

    /// Extends the intervals of values that are read in other blocks than written. Those that
    /// remain once visiting blocks has taken time out of proportion are extended over the whole
    /// function.
    fn spread(&mut self, function: &Function<'_>, edges: &Edges<'_>) -> Result<(), OutOfMemory> {
        let allocator = self.lives.allocator();
        if self.lives.iter().all(|life| life.exposed == NONE) {
            return Ok(());
        }
        let most = MOST * self.end as usize + FEW;
        let mut search = Search::new(function, edges, Wanted::Changes, most, allocator)?;
        let mut first = 0;
        for number in 0..self.lives.len() {
            let life = &self.lives[number];
            if life.exposed != NONE {
                let defined = (life.defined != NONE).then_some(life.defined).into_iter();
                let defined = defined.chain(self.list(life.definitions));
                search.add(number as u32, self.list(life.exposed), defined)?;
            }
            if search.is_full() || number + 1 == self.lives.len() {
                if !search.run()? {
                    break;
                }
                self.cover(&search)?;
                search.clear();
                first = number + 1;
            }
        }
        for life in self.lives.iter_mut().skip(first) {
            if life.exposed != NONE {
                life.cover(0, self.end);
            }
        }
        Ok(())
    }

    /// Returns the blocks of a list.
    fn list(&self, first: u32) -> impl Iterator<Item = u32> {
        let entry = |number: u32| self.lists.get(number as usize);
        let entries = core::iter::successors(entry(first), move |&&(_, next)| entry(next));
        entries.map(|&(block, _)| block)
    }

    /// Extends the intervals of a group of registers over the blocks that were found.
    fn cover(&mut self, search: &Search<'_, '_>) -> Result<(), OutOfMemory> {
        search.each(|side, block, vreg| {
            let (start, end) = self.bounds[block as usize];
            let life = &mut self.lives[vreg as usize];
            match side {
                Side::In => life.cover(start, start),
                Side::Out => life.cover(life.start, end),
            }
            Ok(())
        })
    }
}

/// The pass over the intervals by their starts.
struct Scan<'s, 'm> {
    survey: &'s Survey<'m>,
    registers: &'static RegisterFile,
    reserved: UnitSet,
    assignments: Assignments<'m>,
    /// The position until which a virtual register takes each unit.
    until: [u32; UNITS],
    /// The virtual register that takes each unit.
    holders: [u32; UNITS],
    /// The first run of each unit that does not end before the present position.
    cursors: [u32; UNITS],
    /// The first call that is not before the present position.
    clobber: usize,
    used: UnitSet,
}

impl Scan<'_, '_> {
    /// Assigns a register to a virtual register, if there is one for it.
    fn place(&mut self, function: &Function<'_>, vreg: VReg) {
        let life = &self.survey.lives[vreg.index()];
        let class = self.registers.class(function.vreg(vreg).class);
        let banned = self.clobbered(life).union(self.reserved);
        let reg = self.hinted(life, class, banned);
        let reg = reg.or_else(|| self.free(life, class, banned));
        let Some(reg) = reg.or_else(|| self.evict(life, class, banned)) else {
            return;
        };
        let units = self.registers.units(reg);
        self.used = self.used.union(units);
        for unit in units.iter() {
            self.until[usize::from(unit)] = life.end;
            self.holders[usize::from(unit)] = vreg.number();
        }
        self.assignments[vreg.index()] = Assignment::Register(reg);
    }

    /// Returns the units that calls clobber within an interval.
    fn clobbered(&mut self, life: &Life) -> UnitSet {
        let clobbers = &self.survey.clobbers;
        while (clobbers.position(self.clobber)).is_some_and(|position| position < life.start) {
            self.clobber += 1;
        }
        clobbers.changed(clobbers.starting_at(self.clobber), life.end, UnitSet::EMPTY)
    }

    /// Returns a free register with which a copy vanishes.
    fn hinted(&mut self, life: &Life, class: &ClassRow, banned: UnitSet) -> Option<Reg> {
        let lives = &self.survey.lives;
        let to = match life.to.vreg().and_then(|vreg| lives.get(vreg.index())) {
            Some(other) if other.to.is_physical() => other.to,
            _ => life.to,
        };
        self.hint(life, class, banned, life.from)
            .or_else(|| self.hint(life, class, banned, to))
    }

    /// Returns the register at the other end of a copy, if it is free.
    #[inline]
    fn hint(&mut self, life: &Life, class: &ClassRow, banned: UnitSet, other: Reg) -> Option<Reg> {
        let assigned = other.vreg().map(|vreg| self.assignments[vreg.index()]);
        let reg = match assigned {
            Some(Assignment::Register(reg)) => reg,
            _ => other,
        };
        let row = reg.row()?;
        let units = self.registers.units(reg);
        let is_free = !banned.overlaps(units)
            && self.pays(life, units)
            && self.is_free(life, units)
            && class.order.contains(&row);
        is_free.then_some(reg)
    }

    /// Returns the first free register.
    fn free(&mut self, life: &Life, class: &ClassRow, banned: UnitSet) -> Option<Reg> {
        class.order.iter().find_map(|&row| {
            let reg = Reg::physical(row);
            let units = self.registers.units(reg);
            let is_free =
                !banned.overlaps(units) && self.pays(life, units) && self.is_free(life, units);
            is_free.then_some(reg)
        })
    }

    /// Returns whether the interval is worth saving and restoring a callee-saved register, which
    /// costs about two uses outside of loops.
    fn pays(&self, life: &Life, units: UnitSet) -> bool {
        life.weight >= 3.0 || !self.registers.saved.contains(units) || self.used.contains(units)
    }

    fn is_free(&mut self, life: &Life, units: UnitSet) -> bool {
        let mut units = units.iter();
        units.all(|unit| self.until[usize::from(unit)] <= life.start && self.is_open(life, unit))
    }

    /// Returns whether no physical register takes a unit within an interval.
    fn is_open(&mut self, life: &Life, unit: u8) -> bool {
        let unit = usize::from(unit);
        if self.survey.entry[unit] > life.start {
            return false;
        }
        loop {
            match self.survey.fixed.get(self.cursors[unit] as usize) {
                Some(fixed) if fixed.end <= life.start => self.cursors[unit] = fixed.next,
                next => return next.is_none_or(|next| next.start >= life.end),
            }
        }
    }

    /// Evicts the intervals of the register that is worth least to its holders, if that is less
    /// than its worth to this one, and returns the register.
    fn evict(&mut self, life: &Life, class: &ClassRow, banned: UnitSet) -> Option<Reg> {
        let mut least = (life.worth(), None);
        for &row in class.order {
            let reg = Reg::physical(row);
            let units = self.registers.units(reg);
            if banned.overlaps(units) || !self.pays(life, units) {
                continue;
            }
            let worth = self.worth_of(life, units);
            if worth < least.0 && units.iter().all(|unit| self.is_open(life, unit)) {
                least = (worth, Some(reg));
            }
        }
        let reg = least.1?;
        for unit in self.registers.units(reg).iter() {
            if self.until[usize::from(unit)] > life.start {
                let holder = self.holders[usize::from(unit)];
                self.assignments[holder as usize] = Assignment::None;
            }
        }
        Some(reg)
    }

    /// Returns the greatest worth of units to the intervals that hold them.
    fn worth_of(&self, life: &Life, units: UnitSet) -> f32 {
        let mut worth = 0.0;
        for unit in units.iter().map(usize::from) {
            let holder = self.survey.lives.get(self.holders[unit] as usize);
            if let Some(holder) = holder.filter(|_| self.until[unit] > life.start) {
                worth = holder.worth().max(worth);
            }
        }
        worth
    }
}
