//! Live intervals against registers: where each virtual register was from its definition to its
//! last use, found by comparing the function before allocation with the function after it.
//!
//! An instruction keeps its number when its virtual registers are replaced, so each operand says
//! where its value is at that place. Between two such places a value is where the next one finds
//! it, but in the frame if either of them does: split live ranges are in the frame wherever no part
//! of them has a register. What allocation inserted are spills, reloads, copies and values computed
//! anew.

use mir_nostd::codegen::{LiveSegment, Printed, live_segments};
use mir_nostd::machine::{Bank, FrameId, Function, Generic, InsnId, LowType, Operand, Reg, VReg};
use mir_nostd::mem::{Allocator, Entity, OutOfMemory};
use mir_nostd::target::{InsnFlags, RegisterFile};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The place of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    /// A register, by its first unit.
    Register(u8),
    /// A frame object.
    Slot(FrameId),
    /// In the frame, in an object that is not known.
    Frame,
    /// Nowhere: it is computed again where it is read.
    Recomputed,
}

/// A virtual register as an operand.
#[derive(Clone, Copy, Debug)]
struct Mention {
    /// The position, as those of live segments.
    position: u32,
    insn: InsnId,
    operand: usize,
}

/// The function before allocation.
#[derive(Debug)]
pub(super) struct Before {
    segments: Vec<LiveSegment>,
    mentions: BTreeMap<VReg, Vec<Mention>>,
    /// The number of each instruction.
    numbers: HashMap<InsnId, u32>,
    /// The copies, by instruction: what is written and what is read.
    copies: BTreeMap<InsnId, (Operand, Operand)>,
    /// The end of the last position.
    end: u32,
}

impl Before {
    /// Returns what is to be known of a function before allocation; `None` if so much is live that
    /// allocation does without live intervals.
    pub(super) fn new(
        printed: &Printed<'_, '_>,
        allocator: &dyn Allocator,
    ) -> Result<Option<Before>, OutOfMemory> {
        let function = printed.function;
        let Some(segments) = live_segments(function, printed.isa, allocator)? else {
            return Ok(None);
        };
        let mut before = Before {
            segments: segments.to_vec(),
            mentions: BTreeMap::new(),
            numbers: HashMap::new(),
            copies: BTreeMap::new(),
            end: 0,
        };
        let mut number = 0;
        for &block in &function.layout {
            number += 1;
            for insn in function.insns(block) {
                before.add(function, insn, number);
                number += 1;
            }
        }
        before.end = 2 * number;
        Ok(Some(before))
    }

    fn add(&mut self, function: &Function<'_>, insn: InsnId, number: u32) {
        self.numbers.insert(insn, number);
        let operands = function.operands(insn);
        if let (Some(Generic::Copy), &[to, from]) = (function.insn(insn).opcode.generic(), operands)
        {
            self.copies.insert(insn, (to, from));
        }
        for (operand, value) in operands.iter().enumerate() {
            let Some(vreg) = value.vreg() else { continue };
            self.mentions.entry(vreg).or_default().push(Mention {
                position: 2 * number + u32::from(value.is_def()),
                insn,
                operand,
            });
        }
    }
}

/// Returns the name of the widest register of a unit.
pub(super) fn name_of_unit(registers: &RegisterFile, unit: u8) -> &'static str {
    let defaults = [Bank::General, Bank::Floating]
        .map(|bank| registers.class((registers.class_of)(bank, LowType::S64)));
    let in_class = defaults.iter().flat_map(|class| class.order);
    let in_class = in_class.filter_map(|&row| registers.registers.get(usize::from(row)));
    let mut all = in_class.chain(registers.registers);
    let found = all.find(|row| row.units.iter().any(|other| other == unit));
    found.map_or("?", |row| row.name.text())
}

/// The function after allocation, beside the function before it.
struct After<'a, 'm> {
    before: &'a Before,
    function: &'a Function<'m>,
    printed: Printed<'a, 'm>,
    /// The instructions after allocation.
    kept: HashSet<InsnId>,
    places: BTreeMap<VReg, Vec<(u32, Place)>>,
}

impl<'a, 'm> After<'a, 'm> {
    fn new(before: &'a Before, printed: Printed<'a, 'm>) -> After<'a, 'm> {
        let function = printed.function;
        let blocks = function.layout.iter();
        let kept = blocks.flat_map(|&block| function.insns(block));
        After {
            before,
            function,
            printed,
            kept: kept.collect(),
            places: BTreeMap::new(),
        }
    }

    fn registers(&self) -> &'static RegisterFile {
        self.printed.isa.registers()
    }

    fn place_of(&self, reg: Reg) -> Option<Place> {
        let unit = self.registers().units(reg).iter().next()?;
        Some(Place::Register(unit))
    }

    fn is_scratch(&self, reg: Reg) -> bool {
        let registers = self.registers();
        let units = registers.units(reg);
        let scratch = registers.scratch_general.iter();
        let mut scratch = scratch.chain(registers.scratch_floating);
        scratch.any(|&scratch| registers.units(scratch).overlaps(units))
    }

    /// Returns whether allocation inserted an instruction.
    fn is_new(&self, insn: InsnId) -> bool {
        !self.before.numbers.contains_key(&insn)
    }

    fn frame_of(&self, insn: InsnId) -> Option<FrameId> {
        let mut operands = self.function.operands(insn).iter();
        operands.find_map(|operand| operand.as_frame())
    }

    /// Returns the frame object that a scratch register is loaded from right before an instruction,
    /// or stored to right after it.
    fn slot_beside(&self, insn: InsnId, scratch: Reg) -> Option<FrameId> {
        let names = |other: InsnId| {
            let mut operands = self.function.operands(other).iter();
            operands.any(|operand| operand.as_reg() == Some(scratch))
        };
        let row = |insn| self.function.insn(insn);
        let before = core::iter::successors(row(insn).previous(), |&insn| row(insn).previous());
        let after = core::iter::successors(row(insn).next(), |&insn| row(insn).next());
        let before = before.take_while(|&other| self.is_new(other));
        let after = after.take_while(|&other| self.is_new(other));
        let mut beside = before.chain(after).filter(|&other| names(other));
        beside.find_map(|other| self.frame_of(other))
    }

    /// Returns the place of a value at a mention; `None` if the instruction is gone.
    fn place_at(&self, mention: &Mention) -> Option<Place> {
        self.kept.get(&mention.insn)?;
        let operand = self.function.operands(mention.insn).get(mention.operand)?;
        if let Some(frame) = operand.as_frame() {
            return Some(Place::Slot(frame));
        }
        let reg = operand.as_reg()?;
        if self.is_scratch(reg) {
            let slot = self.slot_beside(mention.insn, reg);
            return Some(slot.map_or(Place::Frame, Place::Slot));
        }
        self.place_of(reg)
    }

    /// Finds the places of all virtual registers where they are mentioned, and then of those that
    /// only copies mention that are gone: they are where the other side is.
    fn find_places(&mut self) {
        for (&vreg, mentions) in &self.before.mentions {
            let places = mentions.iter();
            let places =
                places.filter_map(|mention| Some((mention.position, self.place_at(mention)?)));
            let mut places: Vec<_> = places.collect();
            if self.is_recomputed(mentions) {
                places = vec![(mentions[0].position, Place::Recomputed)];
            }
            self.places.insert(vreg, places);
        }
        for _ in 0..8 {
            let mut changed = false;
            for (insn, &(to, from)) in &self.before.copies {
                let position = 2 * self.before.numbers.get(insn).copied().unwrap_or(0);
                changed |= self.follow(to, from, position) | self.follow(from, to, position);
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns whether a value is computed again where it is read: the one instruction that made it
    /// is gone, and it was no copy.
    fn is_recomputed(&self, mentions: &[Mention]) -> bool {
        let is_made = |mention: &&Mention| mention.position % 2 == 1;
        let mut made = mentions.iter().filter(is_made);
        let (Some(only), None) = (made.next(), made.next()) else {
            return false;
        };
        let is_copy = self.before.copies.contains_key(&only.insn);
        !is_copy && mentions.len() > 1 && !self.kept.contains(&only.insn)
    }

    /// Puts a value whose place is not known where the other side of a copy is.
    fn follow(&mut self, unknown: Operand, known: Operand, position: u32) -> bool {
        let Some(vreg) = unknown.vreg() else {
            return false;
        };
        if self
            .places
            .get(&vreg)
            .is_some_and(|places| !places.is_empty())
        {
            return false;
        }
        let place = match (known.vreg(), known.as_reg()) {
            (Some(other), _) => {
                let places = self.places.get(&other).map_or(&[][..], Vec::as_slice);
                let near = { places.iter() }.min_by_key(|(at, _)| at.abs_diff(position));
                near.map(|&(_, place)| place)
            }
            (None, Some(reg)) => self.place_of(reg),
            _ => None,
        };
        let Some(place) = place else { return false };
        self.places.insert(vreg, vec![(position, place)]);
        true
    }

    /// Returns the pieces of a live segment: each with its place.
    fn pieces(&self, segment: &LiveSegment) -> Vec<(u32, u32, Place)> {
        let places = self.places.get(&segment.vreg);
        let places = places.map_or(&[][..], Vec::as_slice);
        let inside = { places.iter() }.filter(|(at, _)| (segment.start..segment.end).contains(at));
        let mut pieces: Vec<(u32, u32, Place)> = Vec::new();
        let mut from = segment.start;
        for &(at, place) in inside {
            match pieces.last_mut() {
                Some(last) if last.2 == place => last.1 = at + 1,
                Some(last) => {
                    let is_register = |place| matches!(place, Place::Register(_));
                    // A value that goes to the frame is stored right after it was written.
                    let change = if is_register(place) { at } else { last.1 };
                    last.1 = change;
                    from = change;
                    pieces.push((from, at + 1, place));
                }
                None => pieces.push((from, at + 1, place)),
            }
        }
        if let Some(last) = pieces.last_mut() {
            last.1 = segment.end;
            return pieces;
        }
        let in_frame = { places.iter() }.find(|(_, place)| !matches!(place, Place::Register(_)));
        let near = { places.iter() }.min_by_key(|(at, _)| at.abs_diff(segment.start));
        let place = in_frame.or(near).map(|&(_, place)| place);
        place.map_or(Vec::new(), |place| vec![(from, segment.end, place)])
    }

    /// Returns what allocation inserted: the position, the kind, the place, and the instruction.
    fn moves(&self) -> Vec<(u32, &'static str, Option<Place>, InsnId)> {
        let mut found = Vec::new();
        let rows = self.printed.isa.insns();
        for &block in &self.function.layout {
            let mut last = self.start_of(block);
            for insn in self.function.insns(block) {
                if let Some(&number) = self.before.numbers.get(&insn) {
                    last = number;
                    continue;
                }
                let operands = self.function.operands(insn);
                let row = self.function.insn(insn).opcode.row();
                let flags = row.and_then(|row| rows.get(row)).map(|row| row.flags);
                let has = |flag| flags.is_some_and(|flags| flags.contains(flag));
                let kind = match self.frame_of(insn) {
                    Some(_) if has(InsnFlags::STORE) => "spill",
                    Some(_) => "reload",
                    None if operands.iter().filter(|o| o.as_reg().is_some()).count() > 1 => "copy",
                    None => "recomputed",
                };
                let reg = operands.iter().find_map(|operand| operand.as_reg());
                let place = reg.and_then(|reg| self.place_of(reg));
                found.push((2 * last + 1, kind, place, insn));
            }
        }
        found
    }

    /// Returns the number of the start of a block.
    fn start_of(&self, block: mir_nostd::machine::BlockId) -> u32 {
        let mut insns = self.function.insns(block);
        let first = insns.find_map(|insn| self.before.numbers.get(&insn));
        first.map_or(0, |number| number - 1)
    }
}

/// Values in frame objects, by the name of the object.
pub(super) type Spilled = Vec<(String, Vec<String>)>;

/// Returns the live intervals with the places of their pieces, and which values each frame object
/// has: `bars` are register, start, end and row, `moves` position, kind, row and text. A row is a
/// register, a frame object, or what is computed again; for texts there is what `record` returns.
pub(super) fn registers(
    before: &Before,
    printed: Printed<'_, '_>,
    record: &dyn Fn(InsnId) -> Option<u32>,
) -> (Value, Spilled) {
    let mut after = After::new(before, printed);
    after.find_places();
    let pieces: Vec<_> = { before.segments.iter() }
        .flat_map(|segment| {
            let pieces = after.pieces(segment).into_iter();
            pieces.map(|(start, end, place)| (segment.vreg, start, end, place))
        })
        .collect();
    let moves = after.moves();
    let used = pieces.iter().map(|piece| piece.3);
    let used: BTreeSet<Place> = used.chain(moves.iter().filter_map(|step| step.2)).collect();
    let used: Vec<Place> = used.into_iter().collect();
    let row = |place: Place| used.binary_search(&place).ok();
    let bars: Vec<_> = { pieces.iter() }
        .map(|&(vreg, start, end, place)| json!([vreg.index(), start, end, row(place)]))
        .collect();
    let moves: Vec<_> = { moves.into_iter() }
        .map(|(at, kind, place, insn)| json!([at, kind, place.and_then(row), record(insn)]))
        .collect();
    let rows: Vec<_> = { used.iter() }
        .map(|&place| match place {
            Place::Register(unit) => {
                json!([name_of_unit(printed.isa.registers(), unit), "register"])
            }
            Place::Slot(frame) => json!([format!("{frame:?}"), "frame"]),
            Place::Frame => json!(["frame", "frame"]),
            Place::Recomputed => json!(["again", "recomputed"]),
        })
        .collect();
    let mut spilled: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for &(vreg, _, _, place) in &pieces {
        if let Place::Slot(frame) = place {
            let values = spilled.entry(format!("{frame:?}")).or_default();
            let name = format!("{vreg:?}");
            if !values.contains(&name) {
                values.push(name);
            }
        }
    }
    let value = json!({ "rows": rows, "bars": bars, "moves": moves, "end": before.end });
    (value, spilled.into_iter().collect())
}
