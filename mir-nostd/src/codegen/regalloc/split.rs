//! Live-range splitting: a live range that found no register for all its life gets one for parts of
//! it.
//!
//! Outside its parts the value keeps its assignment: a frame object, or an instruction that is
//! rematerialised. A part is either a loop, or a run of instructions in one block. Loops are tried
//! from the outermost to the innermost, first whole, then without the blocks in which a call
//! clobbers the register (holes); blocks are tried where no loop has a register free. Allocating by
//! loops is an idea of Callahan and Koblenz, "Register allocation via hierarchical graph coloring"
//! (1991); here it is done after assignment, with the registers that are left over.
//!
//! The register is loaded at the ends of the blocks that lead into a part. A value that the part
//! writes is stored after the last write in each block or, if that costs less, at the exits of the
//! loop.
//!
//! The last scratch register of a bank is spare on some targets: it may hold such a value, all its
//! life or for parts of it, if no instruction passes so many others through scratch registers that
//! it is needed (crowds).
//!
//! The invariant: wherever no part is, the frame holds the value. A part is only made if its loads
//! and stores cost less, weighted by block frequencies, than the reloads and spills that it saves.
//! Nesting, blocks, edges and run lengths are bounded by constants, so that the cost is linear in
//! the number of uses and definitions.
//!
//! Parts are found first and become edits; the function is unchanged until all are known.

mod crowds;
mod loops;
mod mention;
mod survey;

use crate::codegen::analysis::block_frequency::ITERATIONS;
use crate::codegen::analysis::liveness::{Liveness, Segment, UNITS};
use crate::codegen::regalloc::allocation::{Allocation, SAVING};
use crate::codegen::regalloc::assignment::Assignment;
use crate::codegen::regalloc::coalesce::Leaders;
use crate::codegen::regalloc::rematerialise::put;
use crate::codegen::regalloc::split::crowds::Crowds;
use crate::codegen::regalloc::split::loops::{Loop, Loops};
use crate::codegen::regalloc::split::mention::Mention;
use crate::codegen::regalloc::split::survey::Survey;
use crate::machine::{
    BlockId, Edges, Function, Generic, InsnId, LowType, Operand, OperandFlags, Reg, UnitSet, VReg,
};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec, sort_by_key};
use crate::target::error::Error;
use crate::target::{ClassRow, Isa};

/// The most loops around a loop that is tried as a part.
const DEEPEST: u8 = 8;
/// The most blocks that a part loads in, stores in, or leaves out.
const MOST_BLOCKS: usize = 8;
/// The most edges into a loop, out of it, or to an exit block that are examined.
const MOST_WAYS: usize = 32;
/// The most segments of a live range inside a loop.
const MOST_SEGMENTS: usize = 128;
/// The most parts of one live range that are stored at the exits of a loop.
const MOST_PARTS: usize = 64;
/// The most uses and definitions, and the most calls, that are examined for a part in a block.
const LONGEST_RUN: usize = 32;
/// The cost of a move relative to a load or a store.
const MOVE: f32 = 0.5;
/// The mark of no entry of a list.
const NONE: u32 = u32::MAX;

/// A change to the function.
#[derive(Clone, Copy)]
pub(crate) struct Edit {
    vreg: VReg,
    reg: Reg,
    place: EditKind,
}

/// The kind of an edit and its place.
#[derive(Clone, Copy)]
enum EditKind {
    /// The register replaces the virtual one in the instruction.
    In(InsnId),
    /// The register is loaded before an instruction, or at the end of the block.
    LoadBefore(BlockId, Option<InsnId>),
    /// It is stored right after an instruction.
    StoreBehind(InsnId),
    /// It is stored at the start of a block.
    StoreAt(BlockId),
}

/// Applies the edits. Loads and stores become copies, which the rewriter lowers to the assignment
/// of the virtual register.
pub(crate) fn apply(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    leaders: &Leaders<'_>,
    edits: &[Edit],
) -> Result<(), Error> {
    let (copy, ty) = (Generic::Copy.into(), LowType::S64);
    for edit in edits {
        let load = [Operand::def(edit.reg), Operand::from(edit.vreg)];
        let target = Operand::from(edit.vreg).with(OperandFlags::DEF);
        let store = [target, Operand::reg(edit.reg)];
        match edit.place {
            EditKind::In(insn) => {
                for operand in function.operands_mut(insn) {
                    if operand.vreg().map(|vreg| leaders.of(vreg)) == Some(edit.vreg) {
                        put(isa.registers(), operand, edit.reg);
                    }
                }
            }
            EditKind::LoadBefore(block, next) => {
                function.insert(block, next, copy, ty, &load)?;
            }
            EditKind::StoreBehind(insn) => {
                let (block, next) = (function.insn(insn).block(), function.insn(insn).next());
                function.insert(block, next, copy, ty, &store)?;
            }
            EditKind::StoreAt(block) => {
                let first = function.block(block).first();
                function.insert(block, first, copy, ty, &store)?;
            }
        }
    }
    Ok(())
}

/// Finds registers for the live ranges with the keys in `failed`, which have none, in that order:
/// a spare register for all of one, or registers for its parts. Takes the registers and returns the
/// edits that the parts need.
pub(crate) fn split<'m>(
    function: &Function<'_>,
    edges: &Edges<'_>,
    allocation: &mut Allocation<'_, 'm>,
    leaders: &Leaders<'_>,
    failed: &[u64],
) -> Result<Vec<'m, Edit>, OutOfMemory> {
    let allocator = allocation.allocator();
    // After `longjmp` registers have the contents of an earlier time, which the frame need not
    // match.
    if failed.is_empty() || function.is_jumped_back_into {
        return Ok(Vec::new(allocator));
    }
    let mut vregs = Vec::with_capacity(allocator, failed.len())?;
    for &key in failed {
        vregs.push(VReg::new(key as u32))?;
    }
    let (isa, liveness) = (allocation.isa, allocation.liveness);
    let (survey, crowds) = Survey::new(function, isa, liveness, leaders, &vregs)?;
    let loops = Loops::new(function, edges, allocator)?;
    let mut search = Search {
        function,
        edges,
        allocation,
        crowds,
        survey: &survey,
        loops: &loops,
        part: Part::new(allocator),
        edits: Vec::new(allocator),
        tried: Vec::new(allocator),
        loaded: Vec::new(allocator),
        stale: Vec::new(allocator),
        clobbered: [0; UNITS],
    };
    search.tried.resize(loops.all.len(), NONE)?;
    let mut mentions = Vec::new(allocator);
    for (rank, &vreg) in vregs.iter().enumerate() {
        let life = search.life(vreg);
        let may_store = survey.mentions(rank, &mut mentions)?;
        if !search.keep_whole(life, &mentions)? && may_store {
            search.split(rank as u32, life, &mentions)?;
        }
    }
    Ok(search.edits)
}

/// A part of a live range that might get a register.
struct Part<'m> {
    /// The segments in which the register must be free.
    segments: Vec<'m, Segment>,
    /// The blocks at the ends of which it is loaded.
    loads: Vec<'m, u32>,
    /// The blocks at the starts of which it is stored, if `stores_behind` is set.
    stores: Vec<'m, u32>,
    stores_at_once: bool,
    stores_behind: bool,
    /// The blocks of the loop that are left out, ascending.
    holes: Vec<'m, u32>,
    gain: f32,
}

impl<'m> Part<'m> {
    fn new(allocator: &'m dyn Allocator) -> Part<'m> {
        Part {
            segments: Vec::new(allocator),
            loads: Vec::new(allocator),
            stores: Vec::new(allocator),
            stores_at_once: false,
            stores_behind: false,
            holes: Vec::new(allocator),
            gain: 0.0,
        }
    }

    fn is_hole(&self, place: u32) -> bool {
        self.holes.contains(&place)
    }
}

/// A virtual register with a live range to split.
#[derive(Clone, Copy)]
struct Life {
    vreg: VReg,
    class: &'static ClassRow,
    /// The spare register that it may get.
    spare: Option<Reg>,
    /// True if it is rematerialised where it is read.
    is_rematerialised: bool,
}

impl Life {
    /// Returns the registers that a part of it may get.
    fn candidates(self) -> impl Iterator<Item = Reg> {
        let order = self.class.order.iter().map(|&row| Reg::physical(row));
        order.chain(self.spare)
    }
}

struct Search<'s, 'a, 'm> {
    function: &'s Function<'s>,
    edges: &'s Edges<'s>,
    allocation: &'s mut Allocation<'a, 'm>,
    survey: &'s Survey<'m>,
    crowds: Crowds<'m>,
    loops: &'s Loops<'m>,
    part: Part<'m>,
    edits: Vec<'m, Edit>,
    /// The virtual register for which each loop was last tried.
    tried: Vec<'m, u32>,
    /// The blocks at the ends of which the present virtual register is loaded.
    loaded: Vec<'m, u32>,
    /// The ranges of the layout in which the frame does not hold its value.
    stale: Vec<'m, (u32, u32)>,
    /// The position at which a call first clobbers each unit, for a part in a block.
    clobbered: [u32; UNITS],
}

impl Search<'_, '_, '_> {
    /// Returns what is known of a virtual register.
    fn life(&self, vreg: VReg) -> Life {
        let registers = self.allocation.isa.registers();
        let class = registers.class(self.function.vreg(vreg).class);
        let scratch = registers.scratch(class.bank);
        let spare = { scratch.last() }.filter(|reg| registers.spare.contains(reg));
        // Spill code avoids scratch registers that are reserved, and may take this one instead.
        let mut units = scratch.iter().map(|&reg| registers.units(reg));
        let is_reserved = units.any(|units| self.allocation.reserved.overlaps(units));
        let spare = spare.filter(|_| !is_reserved);
        Life {
            vreg,
            class,
            spare: spare.map(|&reg| registers.part(reg, class.part)),
            is_rematerialised: self.allocation.rematerialised(vreg).is_some(),
        }
    }

    /// Gives a virtual register the spare register for all of its life, if that is free. Returns
    /// whether it is.
    fn keep_whole(&mut self, life: Life, mentions: &[Mention]) -> Result<bool, OutOfMemory> {
        let allocation = &mut *self.allocation;
        let segments = allocation.liveness.of(life.vreg);
        let changed = allocation.liveness.changed(segments);
        let Some(reg) = life.spare.filter(|&reg| {
            let units = allocation.isa.registers().units(reg);
            !changed.overlaps(units)
                && allocation.is_free(units, segments)
                && !self.crowds.keep_out(life.class.bank, segments, mentions)
        }) else {
            return Ok(false);
        };
        allocation.take(reg, segments)?;
        allocation.assignments[life.vreg.index()] = Assignment::Register(reg);
        for mention in mentions {
            self.crowds.leave(mention, life.class.bank);
        }
        Ok(true)
    }

    /// Splits the live range of a virtual register with these mentions.
    fn split(&mut self, rank: u32, life: Life, mentions: &[Mention]) -> Result<(), OutOfMemory> {
        self.loaded.clear();
        self.stale.clear();
        let mut rest = mentions;
        while let Some(&first) = rest.first() {
            let mut inside = self.in_loop(rank, life, rest)?;
            if inside == 0 {
                inside = rest.partition_point(|mention| mention.place == first.place);
                // A loop that begins in this block was tried; further ones begin at other blocks.
                self.in_block(life, &rest[..inside])?;
            }
            rest = &rest[inside..];
        }
        Ok(())
    }

    /// Tries to give the virtual register a register in one of the loops around the first of the
    /// mentions. Returns the number of mentions that this settles.
    fn in_loop(
        &mut self,
        rank: u32,
        life: Life,
        mentions: &[Mention],
    ) -> Result<usize, OutOfMemory> {
        let (loops, mut around, mut count) = (self.loops, [NONE; DEEPEST as usize], 0);
        let mut number = mentions
            .first()
            .map_or(NONE, |first| loops.innermost[first.place as usize]);
        while let Some(row) = loops.all.get(number as usize) {
            if core::mem::replace(&mut self.tried[number as usize], rank) == rank {
                break;
            }
            around[count] = number;
            count += 1;
            number = row.parent;
        }
        for &number in around[..count].iter().rev() {
            let last = loops.all[number as usize].last;
            let inside = mentions.partition_point(|mention| mention.place <= last);
            let inside = &mentions[..inside];
            self.part.holes.clear();
            if let Some(reg) = self.try_loop(number, life, inside)? {
                self.settle(number, reg, life, inside)?;
                return Ok(inside.len());
            }
            if self.find_holes(number, life)?
                && let Some(reg) = self.try_loop(number, life, inside)?
            {
                self.settle(number, reg, life, inside)?;
                return Ok(inside.len());
            }
        }
        Ok(0)
    }

    /// Finds the blocks of a loop in which calls happen while the virtual register is live. Returns
    /// whether there are any, and few.
    fn find_holes(&mut self, number: u32, life: Life) -> Result<bool, OutOfMemory> {
        let row = self.loops.all[number as usize];
        let bounds = self.survey.bounds_of(row.first, row.last);
        let liveness = self.allocation.liveness;
        let segments = liveness.of(life.vreg);
        let first = segments.partition_point(|segment| segment.end <= bounds.start);
        let mut from = bounds.start;
        for segment in segments
            .iter()
            .skip(first)
            .take_while(|s| s.start < bounds.end)
        {
            loop {
                from = from.max(segment.start);
                let next = liveness.clobbers.from(from).first();
                let end = segment.end.min(bounds.end);
                let Some(next) = next.filter(|next| next.position < end) else {
                    break;
                };
                if self.part.holes.len() == MOST_BLOCKS {
                    return Ok(false);
                }
                let place = self.survey.place_of(next.position);
                self.part.holes.push(place)?;
                from = self.survey.bounds(place).end;
            }
        }
        Ok(!self.part.holes.is_empty())
    }

    /// Returns a register for a loop without its holes, if there is one that pays.
    fn try_loop(
        &mut self,
        number: u32,
        life: Life,
        mentions: &[Mention],
    ) -> Result<Option<Reg>, OutOfMemory> {
        let row = self.loops.all[number as usize];
        self.part.gain = 0.0;
        let saved = self.saved_in(life, mentions);
        let once = (self.weight(row.first) / ITERATIONS).min(1.0);
        if saved < once
            || !self.collect_segments(row, life)?
            || !self.collect_loads(number, life)?
            || !self.collect_stores(number, life, mentions)?
        {
            return Ok(None);
        }
        self.part.gain += saved;
        if self.part.gain < once {
            return Ok(None);
        }
        Ok(self.find(life, SAVING * once, mentions))
    }

    /// Returns the cost of reloads that the part saves outside of holes, or nothing if there must
    /// not be a part.
    fn saved_in(&self, life: Life, mentions: &[Mention]) -> f32 {
        let mut saved = 0.0;
        for mention in mentions
            .iter()
            .filter(|mention| !self.part.is_hole(mention.place))
        {
            if life.is_rematerialised && mention.writes {
                return 0.0;
            }
            if mention.reads {
                saved += self.saved_at(mention);
            }
        }
        saved
    }

    fn weight(&self, place: u32) -> f32 {
        let block = self.function.layout[place as usize];
        self.function.block(block).frequency.value()
    }

    /// Returns whether a virtual register is live into a block of the layout.
    fn is_live_into(&self, life: Life, place: u32) -> bool {
        self.end_of(life, self.survey.bounds(place).start).is_some()
    }

    /// Returns the end of the segment of a virtual register that contains a position.
    fn end_of(&self, life: Life, position: u32) -> Option<u32> {
        let segments = self.allocation.liveness.of(life.vreg);
        let place = segments.partition_point(|segment| segment.end <= position);
        let segment = segments.get(place)?;
        (segment.start <= position).then_some(segment.end)
    }

    /// Collects the segments of a virtual register in a loop without its holes. Returns whether
    /// they are few enough.
    fn collect_segments(&mut self, row: Loop, life: Life) -> Result<bool, OutOfMemory> {
        let bounds = self.survey.bounds_of(row.first, row.last);
        let segments = self.allocation.liveness.of(life.vreg);
        let first = segments.partition_point(|segment| segment.end <= bounds.start);
        let list = &mut self.part.segments;
        list.clear();
        for segment in segments
            .iter()
            .skip(first)
            .take_while(|s| s.start < bounds.end)
        {
            let mut start = segment.start.max(bounds.start);
            let end = segment.end.min(bounds.end);
            for &hole in &self.part.holes {
                let hole = self.survey.bounds(hole);
                if hole.start >= end || hole.end <= start {
                    continue;
                }
                if start < hole.start {
                    list.push(Segment {
                        start,
                        end: hole.start,
                    })?;
                }
                start = hole.end;
            }
            if start < end {
                list.push(Segment { start, end })?;
            }
        }
        Ok(list.len() <= MOST_SEGMENTS)
    }

    /// Finds the blocks, holes among them, from which the loop is entered with the virtual register
    /// live. Returns whether they are few enough.
    fn collect_loads(&mut self, number: u32, life: Life) -> Result<bool, OutOfMemory> {
        let loops = self.loops;
        let row = loops.all[number as usize];
        self.part.loads.clear();
        let entries = loops.entries.of(number as usize);
        // Control also enters a loop with the first block when the function is called: the register
        // was never written then, so that nothing need be loaded.
        if entries.len() > MOST_WAYS {
            return Ok(false);
        }
        for &way in entries {
            let (from, to) = loops.ways[way as usize];
            if !self.part.is_hole(to) && self.is_live_into(life, to) && !self.load_in(from)? {
                return Ok(false);
            }
        }
        for index in 0..self.part.holes.len() {
            let hole = self.part.holes[index];
            let block = self.function.layout[hole as usize];
            for next in self.edges.successors(block).iter().take(MOST_WAYS) {
                let to = loops.places[next.index()];
                let leads_in = to != NONE && row.has(to) && !self.part.is_hole(to);
                if leads_in && self.is_live_into(life, to) {
                    if !self.load_in(hole)? {
                        return Ok(false);
                    }
                    break;
                }
            }
            if self.edges.successors(block).len() > MOST_WAYS {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a block at the end of which the register is loaded. Returns false if there are too
    /// many, or if the frame does not hold the value there.
    fn load_in(&mut self, place: u32) -> Result<bool, OutOfMemory> {
        if self.part.loads.contains(&place) {
            return Ok(true);
        }
        let is_stale = |&(first, last): &(u32, u32)| first <= place && place <= last;
        if self.part.loads.len() == MOST_BLOCKS || self.stale.iter().any(is_stale) {
            return Ok(false);
        }
        self.part.loads.push(place)?;
        self.part.gain -= self.weight(place);
        // The register must be free before the terminators; without any, after the last
        // instruction.
        let end = self.survey.bounds(place).end;
        let start = match self.survey.ends[place as usize] {
            Some((_, number)) => 2 * number,
            None => end - 1,
        };
        self.part.segments.push(Segment { start, end })?;
        Ok(true)
    }

    /// Decides where the register is stored. Returns whether that is possible.
    fn collect_stores(
        &mut self,
        number: u32,
        life: Life,
        mentions: &[Mention],
    ) -> Result<bool, OutOfMemory> {
        self.part.stores.clear();
        self.part.stores_at_once = false;
        self.part.stores_behind = false;
        let (mut behind, mut at_once) = (0.0, 0.0);
        let mut is_written = false;
        for mention in mentions.iter().filter(|mention| mention.writes) {
            if self.part.is_hole(mention.place) {
                continue;
            }
            is_written = true;
            behind += self.saved_at(mention);
            if self.leaves_block(life, mention) {
                at_once -= self.weight(mention.place);
            }
        }
        if !is_written {
            return Ok(true);
        }
        at_once += behind;
        if self.part.holes.is_empty()
            && let Some(cost) = self.collect_exits(number, life)?
            && behind - cost > at_once
        {
            self.part.gain += behind - cost;
            self.part.stores_behind = true;
            for index in 0..self.part.stores.len() {
                let start = self.survey.bounds(self.part.stores[index]).start;
                let end = start + 1;
                self.part.segments.push(Segment { start, end })?;
            }
            return Ok(true);
        }
        self.part.stores.clear();
        self.part.stores_at_once = true;
        self.part.gain += at_once;
        Ok(true)
    }

    /// Returns whether the value that an instruction writes may be read in other blocks.
    fn leaves_block(&self, life: Life, mention: &Mention) -> bool {
        let end = self.survey.bounds(mention.place).end;
        mention.is_last && self.outlives(life, mention, end - 1)
    }

    /// Returns whether the value that an instruction writes may be read after a position.
    fn outlives(&self, life: Life, mention: &Mention, position: u32) -> bool {
        let end = self.end_of(life, 2 * mention.number + 1);
        end.is_none_or(|end| end > position)
    }

    /// Finds the exit blocks of a loop into which the virtual register is live and returns the cost
    /// of storing there. Returns `None` if there are too many, or one has predecessors outside the
    /// loop.
    fn collect_exits(&mut self, number: u32, life: Life) -> Result<Option<f32>, OutOfMemory> {
        let loops = self.loops;
        let row = loops.all[number as usize];
        let (exits, mut cost) = (loops.exits.of(number as usize), 0.0);
        // Loads for other parts read the frame.
        let is_loaded = self.loaded.iter().any(|&place| row.has(place));
        if exits.len() > MOST_WAYS
            || is_loaded
            || self.loaded.len().max(self.stale.len()) > MOST_PARTS
        {
            return Ok(None);
        }
        for &way in exits {
            let (_, to) = loops.ways[way as usize];
            if !self.is_live_into(life, to) || self.part.stores.contains(&to) {
                continue;
            }
            let block = self.function.layout[to as usize];
            let sources = self.edges.predecessors(block);
            let mut sources = sources.iter().take(MOST_WAYS + 1);
            let is_own = |from: &BlockId| {
                let place = loops.places[from.index()];
                place == NONE || row.has(place)
            };
            let is_full = self.part.stores.len() == MOST_BLOCKS;
            if is_full || to == 0 || sources.len() > MOST_WAYS || !sources.all(is_own) {
                return Ok(None);
            }
            self.part.stores.push(to)?;
            cost += self.weight(to);
        }
        Ok(Some(cost))
    }

    /// Returns a register that is free in all of the part and that the gain pays for. Saving and
    /// restoring one costs `saving`.
    fn find(&mut self, life: Life, saving: f32, mentions: &[Mention]) -> Option<Reg> {
        sort_by_key(&mut self.part.segments, |segment| segment.start);
        let (allocation, segments) = (&*self.allocation, &self.part.segments);
        let registers = allocation.isa.registers();
        let clobbered = allocation
            .liveness
            .changed(segments)
            .union(allocation.reserved);
        life.candidates().find(|&reg| {
            let units = registers.units(reg);
            let is_dear = allocation.costs_saving(units) && self.part.gain < saving;
            let is_crowded = || {
                let bank = life.class.bank;
                life.spare == Some(reg) && self.crowds.keep_out(bank, segments, mentions)
            };
            !clobbered.overlaps(units)
                && !is_dear
                && allocation.is_free(units, segments)
                && !is_crowded()
        })
    }

    /// Assigns a register to a part.
    fn settle(
        &mut self,
        number: u32,
        reg: Reg,
        life: Life,
        mentions: &[Mention],
    ) -> Result<(), OutOfMemory> {
        self.allocation.take(reg, &self.part.segments)?;
        if self.part.stores_behind {
            let row = self.loops.all[number as usize];
            self.stale.push((row.first, row.last))?;
        }
        self.loaded.extend_from_slice(&self.part.loads)?;
        let vreg = life.vreg;
        let mut rest = mentions;
        while let Some(&mention) = rest.first() {
            if self.part.is_hole(mention.place) {
                let inside = rest.partition_point(|other| other.place == mention.place);
                self.in_block(life, &rest[..inside])?;
                rest = &rest[inside..];
                continue;
            }
            let stores = self.part.stores_at_once && self.leaves_block(life, &mention);
            self.mention(life, reg, &mention, stores)?;
            rest = &rest[1..];
        }
        for &place in &self.part.loads {
            let block = self.function.layout[place as usize];
            let next = self.survey.ends[place as usize].map(|(insn, _)| insn);
            let place = EditKind::LoadBefore(block, next);
            self.edits.push(Edit { vreg, reg, place })?;
        }
        for &place in &self.part.stores {
            let place = EditKind::StoreAt(self.function.layout[place as usize]);
            self.edits.push(Edit { vreg, reg, place })?;
        }
        Ok(())
    }

    /// Replaces the virtual register by `reg` in an instruction, and stores the value that it
    /// writes if `stores` is set.
    fn mention(
        &mut self,
        life: Life,
        reg: Reg,
        mention: &Mention,
        stores: bool,
    ) -> Result<(), OutOfMemory> {
        let vreg = life.vreg;
        self.crowds.leave(mention, life.class.bank);
        let place = EditKind::In(mention.insn);
        self.edits.push(Edit { vreg, reg, place })?;
        if stores {
            let place = EditKind::StoreBehind(mention.insn);
            self.edits.push(Edit { vreg, reg, place })?;
        }
        Ok(())
    }

    /// Assigns a register each to runs of the mentions, all in one block.
    fn in_block(&mut self, life: Life, mentions: &[Mention]) -> Result<(), OutOfMemory> {
        let mut rest = mentions;
        while let Some(first) = rest.first() {
            let is_start = first.reads || first.writes && !life.is_rematerialised;
            let count = if is_start && rest.len() > 1 {
                self.run(life, rest)?
            } else {
                1
            };
            rest = &rest[count..];
        }
        Ok(())
    }

    /// Assigns one register to the first of the mentions and as many as possible after it. Returns
    /// the number of mentions that this settles.
    fn run(&mut self, life: Life, mentions: &[Mention]) -> Result<usize, OutOfMemory> {
        let is_maker = |mention: &Mention| life.is_rematerialised && mention.writes;
        let count = mentions.iter().take(LONGEST_RUN);
        let count = count.take_while(|mention| !is_maker(mention)).count();
        let mentions = &mentions[..count];
        let (Some(first), Some(last)) = (mentions.first(), mentions.last()) else {
            return Ok(1);
        };
        let start = first.start();
        let limit = self.note_clobbers(start, last.end());
        let allocation = &*self.allocation;
        let registers = allocation.isa.registers();
        let mut best: Option<(usize, f32, Reg)> = None;
        for reg in life.candidates() {
            let units = registers.units(reg);
            if allocation.reserved.overlaps(units) {
                continue;
            }
            let clobbered = units.iter().map(|unit| self.clobbered[usize::from(unit)]);
            let until = clobbered.min().unwrap_or(0).min(limit);
            let mut until = allocation.free_until(units, start, until);
            if life.spare == Some(reg) {
                let segment = Segment { start, end: until };
                let crowd = self.crowds.first(life.class.bank, segment, mentions);
                until = crowd.unwrap_or(until);
            }
            let count = mentions.partition_point(|mention| mention.end() <= until);
            if best.is_some_and(|(most, ..)| most >= count) {
                continue;
            }
            let (count, gain) = self.gain(life, &mentions[..count]);
            let once = self.weight(first.place).min(1.0);
            let least = if allocation.costs_saving(units) {
                SAVING * once
            } else {
                once
            };
            if gain >= least && best.is_none_or(|(_, most, _)| gain > most) {
                best = Some((count, gain, reg));
                if count == mentions.len() {
                    break;
                }
            }
        }
        let Some((count, _, reg)) = best else {
            return Ok(1);
        };
        let (run, vreg) = (&mentions[..count], life.vreg);
        let end = run.last().map_or(start, Mention::end);
        self.allocation.take(reg, &[Segment { start, end }])?;
        if first.reads {
            let block = self.function.layout[first.place as usize];
            let place = EditKind::LoadBefore(block, Some(first.insn));
            self.edits.push(Edit { vreg, reg, place })?;
        }
        let last_write = run.iter().rposition(|mention| mention.writes);
        for (index, mention) in run.iter().enumerate() {
            let stores = last_write == Some(index) && self.outlives(life, mention, end);
            self.mention(life, reg, mention, stores)?;
        }
        Ok(count)
    }

    /// Notes the position at which a call first clobbers each unit from `start` on, up to `end`.
    /// Returns the position up to which that is known.
    fn note_clobbers(&mut self, start: u32, end: u32) -> u32 {
        self.clobbered = [u32::MAX; UNITS];
        let clobbers = self.allocation.liveness.clobbers.from(start);
        let mut seen = UnitSet::EMPTY;
        for (count, clobber) in clobbers.iter().enumerate() {
            if clobber.position >= end {
                break;
            }
            if count == LONGEST_RUN {
                return clobber.position;
            }
            for unit in clobber.units.without(seen).iter() {
                self.clobbered[usize::from(unit)] = clobber.position;
            }
            seen = seen.union(clobber.units);
        }
        end
    }

    /// Returns how many of the mentions in one block should share a register, and the cost that
    /// this saves.
    fn gain(&self, life: Life, mentions: &[Mention]) -> (usize, f32) {
        let last_read = mentions.iter().rposition(|mention| mention.reads);
        let mentions = &mentions[..last_read.map_or(0, |last| last + 1)];
        let Some((first, last)) = mentions.first().zip(mentions.last()) else {
            return (0, 0.0);
        };
        let weight = self.weight(first.place);
        let mut gain = if first.reads { -weight } else { 0.0 };
        for mention in mentions {
            let sides = u8::from(mention.reads) + u8::from(mention.writes);
            gain += f32::from(sides) * self.saved_at(mention);
        }
        let last_write = mentions.iter().rfind(|mention| mention.writes);
        if last_write.is_some_and(|mention| self.outlives(life, mention, last.end())) {
            gain -= weight;
        }
        (mentions.len(), gain)
    }

    /// Returns the cost that is saved if one operand of an instruction is a register instead of the
    /// frame.
    fn saved_at(&self, mention: &Mention) -> f32 {
        let weight = self.weight(mention.place);
        if mention.is_copy {
            weight * (1.0 - MOVE)
        } else {
            weight
        }
    }
}
