//! Liveness: the live interval of each virtual register, as a list of segments, and the segments in
//! which physical registers are taken.
//!
//! Instructions are numbered in layout order, and each block takes one number for its start.
//! Instruction `n` reads at position `2n` and writes at `2n + 1`; a value is live in half-open
//! segments of positions. The blocks that registers are live into are found backward from their
//! uses, 64 registers at a time; one backward walk over the layout then makes the segments. Time
//! and memory are linear in the instructions plus the blocks through which values live, and
//! [`analyse`] gives up if the latter are out of proportion.
//!
//! The invariant: the segments of a register are ascending and disjoint, do not touch, and cover
//! each position from a definition to the last use that it reaches. A definition that nothing reads
//! has a segment of one position, so that nothing else is written there.

use crate::codegen::analysis::live_blocks::{Search, Side, Wanted};
use crate::codegen::analysis::properties;
use crate::codegen::analysis::rematerialisable::is_fixed;
use crate::machine::{
    BlockId, Edges, Frequency, Function, Generic, InsnId, Opcode, Operand, OperandFlags, UnitSet,
    VReg,
};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::{InsnFlags, InsnRow, Isa, RegisterFile};

/// A half-open range of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A call, or another instruction that clobbers many registers at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clobber {
    pub(crate) position: u32,
    pub(crate) units: UnitSet,
}

/// All calls, in the order of their positions.
#[derive(Debug)]
pub(crate) struct Clobbers<'m> {
    list: Vec<'m, Clobber>,
    /// The units that any of them clobbers.
    all: UnitSet,
}

impl<'m> Clobbers<'m> {
    /// The most calls that are examined one by one; beyond it, the units that any of them clobbers
    /// count.
    const MOST: usize = 64;

    pub(crate) const fn new(allocator: &'m dyn Allocator) -> Clobbers<'m> {
        Clobbers {
            list: Vec::new(allocator),
            all: UnitSet::EMPTY,
        }
    }

    pub(crate) fn push(&mut self, clobber: Clobber) -> Result<(), OutOfMemory> {
        self.all = self.all.union(clobber.units);
        self.list.push(clobber)
    }

    /// Returns the calls at or after a position.
    pub(crate) fn from(&self, position: u32) -> &[Clobber] {
        let first = (self.list).partition_point(|clobber| clobber.position < position);
        self.list.get(first..).unwrap_or(&[])
    }

    /// Returns the position of the call with this number.
    pub(crate) fn position(&self, number: usize) -> Option<u32> {
        self.list.get(number).map(|clobber| clobber.position)
    }

    /// Returns the calls from this number on.
    pub(crate) fn starting_at(&self, number: usize) -> &[Clobber] {
        self.list.get(number..).unwrap_or(&[])
    }

    /// Adds the units that the consecutive calls `some` clobber before position `end` to `units`.
    pub(crate) fn changed(&self, some: &[Clobber], end: u32, mut units: UnitSet) -> UnitSet {
        for (number, clobber) in some.iter().enumerate() {
            if clobber.position >= end || units == self.all {
                break;
            }
            if number == Clobbers::MOST {
                return self.all;
            }
            units = units.union(clobber.units);
        }
        units
    }
}

/// The most register units of a target.
pub(crate) const UNITS: usize = 128;

/// Merges two lists of segments into an empty one. Returns whether it could.
pub(crate) type Merge =
    fn(&[Segment], &[Segment], &mut Vec<'_, Segment>) -> Result<bool, OutOfMemory>;

/// The kind of definition that a virtual register has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Maker {
    /// No definition.
    None,
    /// One copy.
    Copy(InsnId),
    /// One instruction that can be rematerialised wherever the register is read.
    Fixed(InsnId),
    /// Any other, or several.
    Many,
}

impl Maker {
    /// Returns the kind for a register with one more definition.
    fn and(self, other: Maker) -> Maker {
        if self == Maker::None {
            other
        } else {
            Maker::Many
        }
    }
}

/// The facts about a virtual register that its instructions tell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Its uses and definitions, weighted by block frequencies.
    pub(crate) weight: f32,
    /// The frequency of the block that defines it first in the layout.
    pub(crate) birth: Frequency,
    /// The kind of its definition.
    pub(crate) maker: Maker,
}

/// The live intervals of a function, and the facts on them that allocation asks for.
#[derive(Debug)]
pub(crate) struct Liveness<'m> {
    /// The range in `segments` of each virtual register.
    ranges: Vec<'m, (u32, u32)>,
    segments: Vec<'m, Segment>,
    /// The facts about each virtual register.
    pub(crate) summaries: Vec<'m, Summary>,
    /// The copies, in the order of the layout, and whether they are among the dead instructions.
    pub(crate) copies: Vec<'m, (InsnId, bool)>,
    /// The units that physical registers take, each with its segment, by descending position.
    pub(crate) fixed: Vec<'m, (u8, Segment)>,
    /// The position up to which each unit is taken from the entry of the function on.
    pub(crate) entry: [u32; UNITS],
    /// Calls, ascending.
    pub(crate) clobbers: Clobbers<'m>,
    /// Instructions whose results nothing reads and that have no other effect, with their numbers,
    /// descending. The fields above do not count them.
    pub(crate) dead: Vec<'m, (InsnId, u32)>,
    /// The buffer of [`Liveness::join`].
    merged: Vec<'m, Segment>,
}

impl<'m> Liveness<'m> {
    /// Returns the segments of a virtual register, ascending.
    pub(crate) fn of(&self, vreg: VReg) -> &[Segment] {
        match self.ranges.get(vreg.index()) {
            Some(&(start, end)) => &self.segments[start as usize..end as usize],
            _ => &[],
        }
    }

    pub(crate) const fn allocator(&self) -> &'m dyn Allocator {
        self.segments.allocator()
    }

    /// Returns the units that calls clobber within the segments.
    pub(crate) fn changed(&self, segments: &[Segment]) -> UnitSet {
        segments.iter().fold(UnitSet::EMPTY, |units, segment| {
            let some = self.clobbers.from(segment.start);
            self.clobbers.changed(some, segment.end, units)
        })
    }

    /// Returns whether a call happens within the segments.
    pub(crate) fn is_across_call(&self, segments: &[Segment]) -> bool {
        segments.iter().any(|segment| {
            let next = self.clobbers.from(segment.start).first();
            next.is_some_and(|clobber| clobber.position < segment.end)
        })
    }

    /// Adds the segments, weight and definitions of `from`, which instruction `copy` copies to
    /// `to`, to those of `to`, if `merge` can merge the segments. Returns whether it could.
    pub(crate) fn join(
        &mut self,
        to: VReg,
        from: VReg,
        copy: InsnId,
        merge: Merge,
    ) -> Result<bool, OutOfMemory> {
        let empty = Vec::new(self.allocator());
        let mut merged = core::mem::replace(&mut self.merged, empty);
        merged.clear();
        let is_apart = merge(self.of(to), self.of(from), &mut merged)?;
        if is_apart {
            // The lists often touch, so that one of them has the room.
            let fits = |&(start, end): &(u32, u32)| merged.len() <= (end - start) as usize;
            let own = [self.ranges[to.index()], self.ranges[from.index()]];
            let is_earlier =
                self.of(from).first().map(|s| s.start) < self.of(to).first().map(|s| s.start);
            let other = self.summaries[from.index()];
            let summary = &mut self.summaries[to.index()];
            if is_earlier {
                summary.birth = other.birth;
            }
            summary.weight += other.weight;
            summary.maker = if summary.maker == Maker::Copy(copy) {
                other.maker
            } else {
                summary.maker.and(other.maker)
            };
            self.ranges[to.index()] = match own.into_iter().find(fits) {
                Some((start, _)) => {
                    let end = start as usize + merged.len();
                    self.segments[start as usize..end].copy_from_slice(&merged);
                    (start, end as u32)
                }
                None => {
                    let start = self.segments.len() as u32;
                    self.segments.extend_from_slice(&merged)?;
                    (start, self.segments.len() as u32)
                }
            };
            self.ranges[from.index()] = (0, 0);
        }
        self.merged = merged;
        Ok(is_apart)
    }
}

/// Pairs of numbers, such as a block and a virtual register, grouped by the first.
pub(crate) struct Groups<'m> {
    /// The index of the first value of each group in this list, and at last their end; the values.
    /// Empty if there are none.
    all: Vec<'m, u32>,
}

impl<'m> Groups<'m> {
    pub(crate) fn new(
        pairs: &[(u32, u32)],
        keys: usize,
        allocator: &'m dyn Allocator,
    ) -> Result<Groups<'m>, OutOfMemory> {
        if pairs.is_empty() {
            return Ok(Groups {
                all: Vec::new(allocator),
            });
        }
        let first = keys + 2;
        let mut all = Vec::with_capacity(allocator, first + pairs.len())?;
        all.resize(first + pairs.len(), 0_u32)?;
        let (starts, values) = all.split_at_mut(first);
        for &(key, _) in pairs {
            starts[key as usize + 2] += 1;
        }
        let mut start = first as u32;
        for place in starts.iter_mut() {
            start += *place;
            *place = start;
        }
        for &(key, value) in pairs {
            let place = &mut starts[key as usize + 1];
            values[*place as usize - first] = value;
            *place += 1;
        }
        Ok(Groups { all })
    }

    pub(crate) fn of(&self, key: usize) -> &[u32] {
        match (self.all.get(key), self.all.get(key + 1)) {
            (Some(&start), Some(&end)) => &self.all[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Returns the virtual register of an operand, unless its value does not matter, and whether the
/// operand writes it.
fn vreg_of(operand: Operand) -> Option<(VReg, bool)> {
    let is_read = !operand.flags().contains(OperandFlags::UNDEF);
    let vreg = operand.vreg()?;
    (operand.is_def() || is_read).then_some((vreg, operand.is_def()))
}

/// The virtual registers that are live into, and those that are live out of each block.
pub(crate) struct LiveAcross<'m> {
    pub(crate) into: Groups<'m>,
    pub(crate) out: Groups<'m>,
    /// The number of the blocks of the layout and their instructions.
    numbers: u32,
}

/// Finds the virtual registers that are live into and out of each block. Returns `None` if either
/// is the case more than `most` times.
pub(crate) fn live_across<'m>(
    function: &Function<'_>,
    edges: &Edges<'_>,
    wanted: Wanted,
    most: usize,
    allocator: &'m dyn Allocator,
) -> Result<Option<LiveAcross<'m>>, OutOfMemory> {
    let vregs = function.vreg_count();
    let blocks = function.block_count();
    let LocalSets {
        exposed,
        mut defined,
        numbers,
    } = local_sets(function, 0, |_| {}, allocator)?;
    let (mut live_in, mut live_out) = (Vec::new(allocator), Vec::new(allocator));
    if !exposed.is_empty() {
        // Lists of pairs are freed as soon as they are grouped.
        let reads = Groups::new(&exposed, vregs, allocator)?;
        drop(exposed);
        // Most registers live within one block.
        defined.retain(|&(vreg, _)| !reads.of(vreg as usize).is_empty());
        let writes = Groups::new(&defined, vregs, allocator)?;
        drop(defined);
        let mut search = Search::new(function, edges, wanted, most, allocator)?;
        for vreg in 0..vregs {
            let reads = reads.of(vreg);
            if !reads.is_empty() {
                let writes = writes.of(vreg).iter();
                search.add(vreg as u32, reads.iter().copied(), writes.copied())?;
            }
            if search.is_full() || vreg + 1 == vregs {
                if !search.run()? {
                    return Ok(None);
                }
                search.each(|side, block, vreg| match side {
                    Side::In => live_in.push((block, vreg)),
                    Side::Out => live_out.push((block, vreg)),
                })?;
                search.clear();
            }
        }
    }
    let into = Groups::new(&live_in, blocks, allocator)?;
    drop(live_in);
    let out = Groups::new(&live_out, blocks, allocator)?;
    Ok(Some(LiveAcross { into, out, numbers }))
}

/// The most blocks that virtual registers may live through, altogether, per block and instruction.
const MOST: usize = 64;
/// The same for small functions.
const FEW: usize = 1 << 16;

/// Computes the liveness of a function of target instructions and copies. Returns `None` if so much
/// lives through so many blocks that it would take memory and time out of proportion to the
/// function.
pub(crate) fn analyse<'m>(
    function: &Function<'_>,
    isa: &dyn Isa,
    edges: &Edges<'_>,
    allocator: &'m dyn Allocator,
) -> Result<Option<Liveness<'m>>, OutOfMemory> {
    let vregs = function.vreg_count();
    let most = (MOST * (function.insn_count() + function.block_count())).max(FEW);
    let Some(across) = live_across(function, edges, Wanted::Changes, most, allocator)? else {
        return Ok(None);
    };
    let mut walk = Walk {
        function,
        isa,
        rows: isa.insns(),
        registers: isa.registers(),
        ends: Vec::new(allocator),
        unit_ends: [0; UNITS],
        open: UnitSet::EMPTY,
        allocatable: isa.registers().with_spare(),
        pieces: Vec::with_capacity(allocator, vregs)?,
        summaries: Vec::new(allocator),
        copies: Vec::new(allocator),
        fixed: Vec::new(allocator),
        entry: [0; UNITS],
        clobbers: Clobbers::new(allocator),
        dead: Vec::new(allocator),
    };
    walk.ends.resize(vregs, 0)?;
    let unmentioned = Summary {
        weight: 0.0,
        birth: Frequency::default(),
        maker: Maker::None,
    };
    walk.summaries.resize(vregs, unmentioned)?;
    let mut number = across.numbers;
    for &block in function.layout.iter().rev() {
        number = walk.block(block, number, &across)?;
    }
    walk.finish(vregs, allocator).map(Some)
}

/// A part of a function in which a virtual register is live: the positions from `start` to before
/// `end`. Instruction `n`, in the order of the layout, reads at position `2n` and writes at
/// `2n + 1`; the start of each block takes a number, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveSegment {
    /// The register.
    pub vreg: VReg,
    /// The first position.
    pub start: u32,
    /// The position after the last one.
    pub end: u32,
}

/// Returns where the virtual registers of a function of target instructions and copies are live, in
/// the order of their numbers and of the positions: what allocation works with. Returns `None` if
/// so much is live through so many blocks that allocation does without.
///
/// # Errors
///
/// [`OutOfMemory`].
pub fn live_segments<'m>(
    function: &Function<'_>,
    isa: &dyn Isa,
    allocator: &'m dyn Allocator,
) -> Result<Option<Vec<'m, LiveSegment>>, OutOfMemory> {
    let edges = properties::edges(function, isa, allocator)?;
    let Some(liveness) = analyse(function, isa, &edges, allocator)? else {
        return Ok(None);
    };
    let mut all = Vec::with_capacity(allocator, liveness.segments.len())?;
    for number in 0..function.vreg_count() {
        let vreg = VReg::new(number as u32);
        for &Segment { start, end } in liveness.of(vreg) {
            all.push(LiveSegment { vreg, start, end })?;
        }
    }
    Ok(Some(all))
}

pub(crate) type Pairs<'m> = Vec<'m, (u32, u32)>;

/// The upward-exposed uses and the definitions of virtual registers, as pairs of the register's
/// number and a block.
pub(crate) struct LocalSets<'m> {
    pub(crate) exposed: Pairs<'m>,
    pub(crate) defined: Pairs<'m>,
    /// The number of the blocks of the layout and their instructions.
    numbers: u32,
}

/// Returns the upward-exposed uses and the definitions of each virtual register from `first` on,
/// with numbers that count from `first`. Calls `is_redefined` for each register that one block
/// writes more than once.
pub(crate) fn local_sets<'m>(
    function: &Function<'_>,
    first: usize,
    mut is_redefined: impl FnMut(usize),
    allocator: &'m dyn Allocator,
) -> Result<LocalSets<'m>, OutOfMemory> {
    let vregs = function.vreg_count() - first;
    let mut numbers = 0;
    let mut exposed = Vec::with_capacity(allocator, vregs)?;
    let mut defined = Vec::with_capacity(allocator, vregs)?;
    // The last block that read and the last that wrote each register.
    let mut last = Vec::new(allocator);
    last.resize(vregs, [u32::MAX; 2])?;
    for &block in &function.layout {
        let number = block.number();
        numbers += 1;
        for (_, row) in function.rows(block) {
            numbers += 1;
            let operands = function.operands_of(row);
            // Definitions mostly come first among the operands, but are written after the uses are
            // read.
            let mut writes = 0;
            for (place, &operand) in operands.iter().enumerate() {
                let Some((vreg, is_def)) = vreg_of(operand) else {
                    continue;
                };
                if is_def {
                    writes = place + 1;
                    continue;
                }
                let Some(vreg) = vreg.index().checked_sub(first) else {
                    continue;
                };
                let last = &mut last[vreg];
                if !last.contains(&number) {
                    last[0] = number;
                    exposed.push((vreg as u32, number))?;
                }
            }
            for operand in operands.iter().take(writes) {
                let vreg = operand.vreg().filter(|_| operand.is_def());
                let Some(vreg) = vreg.and_then(|vreg| vreg.index().checked_sub(first)) else {
                    continue;
                };
                let [_, last] = &mut last[vreg];
                if *last == number {
                    is_redefined(vreg);
                } else {
                    *last = number;
                    defined.push((vreg as u32, number))?;
                }
            }
        }
    }
    Ok(LocalSets {
        exposed,
        defined,
        numbers,
    })
}

/// The backward walk that makes the segments.
struct Walk<'f, 'x, 'm> {
    function: &'f Function<'x>,
    isa: &'f dyn Isa,
    rows: &'static [InsnRow],
    registers: &'static RegisterFile,
    /// The end of the segment of each virtual register that is live here; 0 if it is not live.
    ends: Vec<'m, u32>,
    /// The same for units; those that hold a value here are in `open`.
    unit_ends: [u32; UNITS],
    open: UnitSet,
    /// The units that virtual registers can be assigned; the others need no segments.
    allocatable: UnitSet,
    pieces: Vec<'m, (u32, Segment)>,
    summaries: Vec<'m, Summary>,
    /// The copies, the last one first.
    copies: Vec<'m, (InsnId, bool)>,
    fixed: Vec<'m, (u8, Segment)>,
    entry: [u32; UNITS],
    clobbers: Clobbers<'m>,
    dead: Vec<'m, (InsnId, u32)>,
}

impl<'m> Walk<'_, '_, 'm> {
    /// Walks a block, after whose last instruction the numbers continue with `end`. Returns the
    /// number of the block itself.
    fn block(
        &mut self,
        block: BlockId,
        end: u32,
        across: &LiveAcross<'_>,
    ) -> Result<u32, OutOfMemory> {
        for &vreg in across.out.of(block.index()) {
            self.ends[vreg as usize] = 2 * end;
        }
        let frequency = self.function.block(block).frequency;
        let mut number = end;
        let mut cursor = self.function.cursor_at_end(block);
        while let Some(insn) = cursor.previous(self.function) {
            number -= 1;
            self.insn(insn, number, frequency)?;
        }
        number -= 1;
        for &vreg in across.into.of(block.index()) {
            self.close(vreg, 2 * number)?;
        }
        for unit in self.open.iter().map(usize::from) {
            // The unit is live into the block: it holds an argument of the function.
            let end = core::mem::take(&mut self.unit_ends[unit]);
            self.entry[unit] = self.entry[unit].max(end);
        }
        self.open = UnitSet::EMPTY;
        Ok(number)
    }

    /// Ends the walk along a segment of a virtual register, at its start.
    fn close(&mut self, vreg: u32, start: u32) -> Result<(), OutOfMemory> {
        let end = core::mem::take(&mut self.ends[vreg as usize]).max(start + 1);
        self.pieces.push((vreg, Segment { start, end }))
    }

    /// Returns whether an instruction has no effect but to compute values that are not read from
    /// here on.
    fn is_dead(&self, operands: &[Operand], flags: InsnFlags) -> bool {
        let effects = InsnFlags::TERMINATOR
            .union(InsnFlags::CALL)
            .union(InsnFlags::LOAD)
            .union(InsnFlags::STORE);
        if flags.intersects(effects) {
            return false;
        }
        let mut defs = operands.iter().filter(|o| o.is_def());
        let is_unused = |operand: &Operand| match (operand.vreg(), operand.as_reg()) {
            (Some(vreg), _) => self.ends[vreg.index()] == 0,
            (None, Some(reg)) => {
                let units = self.registers.units(reg);
                let is_unused = |unit| self.unit_ends[usize::from(unit)] == 0;
                operand.flags().contains(OperandFlags::IMPLICIT)
                    && !units.is_empty()
                    && units.iter().all(is_unused)
            }
            _ => false,
        };
        defs.clone().any(|operand| operand.vreg().is_some()) && defs.all(is_unused)
    }

    /// Returns the kind of definition that an instruction is.
    fn maker(&self, insn: InsnId, opcode: Opcode, operands: &[Operand]) -> Maker {
        if opcode == Generic::Copy.into() {
            Maker::Copy(insn)
        } else if is_fixed(self.function, self.isa, opcode, operands) {
            Maker::Fixed(insn)
        } else {
            Maker::Many
        }
    }

    fn insn(&mut self, insn: InsnId, number: u32, frequency: Frequency) -> Result<(), OutOfMemory> {
        let (function, weight) = (self.function, frequency.value());
        let row = function.insn(insn);
        let operands = function.operands_of(row);
        let flags = properties::flags_of(self.rows, row);
        let is_dead = self.is_dead(operands, flags);
        if row.opcode == Generic::Copy.into() {
            self.copies.push((insn, is_dead))?;
        }
        if is_dead {
            return self.dead.push((insn, number));
        }
        for &operand in operands.iter().filter(|operand| operand.is_def()) {
            let early = operand.flags().contains(OperandFlags::EARLY_CLOBBER);
            let position = 2 * number + u32::from(!early);
            if let Some(vreg) = operand.vreg() {
                let maker = self.maker(insn, row.opcode, operands);
                let summary = &mut self.summaries[vreg.index()];
                summary.weight += weight;
                summary.birth = frequency;
                summary.maker = summary.maker.and(maker);
                self.close(vreg.number(), position)?;
            } else if let Some(reg) = operand.as_reg() {
                let units = self.registers.units(reg);
                self.open = self.open.without(units);
                for unit in units.iter() {
                    let end = core::mem::take(&mut self.unit_ends[usize::from(unit)]);
                    let end = end.max(2 * number + 2);
                    let start = position;
                    if self.allocatable.contains(UnitSet::unit(unit)) {
                        self.fixed.push((unit, Segment { start, end }))?;
                    }
                }
            }
        }
        if flags.contains(InsnFlags::CALL) || flags.contains(InsnFlags::INDIRECT) {
            let mask = operands
                .iter()
                .find_map(|&operand| self.function.mask(operand));
            if let Some(preserved) = mask {
                let units = UnitSet(u128::MAX).without(preserved);
                let position = 2 * number + 1;
                self.clobbers.push(Clobber { position, units })?;
            }
        }
        for &operand in operands.iter().filter(|operand| !operand.is_def()) {
            let is_undef = operand.flags().contains(OperandFlags::UNDEF);
            if let Some(vreg) = operand.vreg() {
                self.summaries[vreg.index()].weight += weight;
                let end = &mut self.ends[vreg.index()];
                if *end == 0 && !is_undef {
                    *end = 2 * number + 1;
                }
            } else if let (Some(reg), false) = (operand.as_reg(), is_undef) {
                let units = self.registers.units(reg);
                self.open = self.open.union(units);
                for unit in units.iter() {
                    let end = &mut self.unit_ends[usize::from(unit)];
                    if *end == 0 {
                        *end = 2 * number + 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Sorts the pieces by virtual register and joins those that touch.
    fn finish(
        mut self,
        vregs: usize,
        allocator: &'m dyn Allocator,
    ) -> Result<Liveness<'m>, OutOfMemory> {
        let mut counts = Vec::new(allocator);
        counts.resize(vregs + 1, 0_u32)?;
        for &(vreg, _) in &self.pieces {
            counts[vreg as usize + 1] += 1;
        }
        for index in 1..counts.len() {
            counts[index] += counts[index - 1];
        }
        let mut sorted = Vec::new(allocator);
        sorted.resize(self.pieces.len(), Segment { start: 0, end: 0 })?;
        for &(vreg, segment) in self.pieces.iter().rev() {
            let place = &mut counts[vreg as usize];
            sorted[*place as usize] = segment;
            *place += 1;
        }
        // Now `counts[v]` is the end of the segments of `v`.
        let mut ranges = Vec::with_capacity(allocator, vregs)?;
        let (mut from, mut to) = (0, 0);
        for &end in counts.iter().take(vregs) {
            let end = end as usize;
            let first = to;
            while from < end {
                let segment = sorted[from];
                if to > first && sorted[to - 1].end >= segment.start {
                    sorted[to - 1].end = sorted[to - 1].end.max(segment.end);
                } else {
                    sorted[to] = segment;
                    to += 1;
                }
                from += 1;
            }
            ranges.push((first as u32, to as u32))?;
        }
        self.clobbers.list.reverse();
        self.copies.reverse();
        Ok(Liveness {
            merged: Vec::new(allocator),
            ranges,
            segments: sorted,
            summaries: self.summaries,
            copies: self.copies,
            fixed: self.fixed,
            entry: self.entry,
            clobbers: self.clobbers,
            dead: self.dead,
        })
    }
}

/// Returns the weight of a use in a block of this loop depth: 8 to the power of the depth.
pub(crate) fn weight_of_depth(depth: u8) -> f32 {
    let mut weight = 1.0;
    for _ in 0..depth.min(6) {
        weight *= 8.0;
    }
    weight
}
