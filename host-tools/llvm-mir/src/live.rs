//! Live intervals of a function's registers over LLVM's slot indexes.
//!
//! Blocks and instructions are numbered by 16 in their order. A number has four slots: `B` at the
//! start of a block, `e` for early clobbers, `r` for reads and other definitions, `d` for the end
//! of dead definitions. A live interval is a list of half-open segments, each of one value number:
//! the definition by one instruction, or the join of several at the start of a block (`phi`).
//! Physical registers are followed by their register units.

use crate::model::{Function, Instruction, OperandFlags, OperandKind};
use crate::print::InstructionPrinter;
use crate::target::Target;
use core::fmt::{self, Write};
use std::collections::BTreeMap;

/// A slot index: four times the number, plus the slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Slot(u32);

/// The slots of a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum At {
    Begin,
    EarlyClobber,
    Register,
    Dead,
}

impl Slot {
    const fn new(number: u32, at: At) -> Slot {
        Slot(4 * number + at as u32)
    }

    /// Returns another slot of the same number.
    const fn at(self, at: At) -> Slot {
        Slot::new(self.0 / 4, at)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = ["B", "e", "r", "d"][self.0 as usize % 4];
        write!(f, "{}{letter}", self.0 / 4 * 16)
    }
}

/// A tracked register: virtual registers by index, then register units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Unit(u16),
    Virtual(usize),
}

/// A read or write of a register in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Read(Slot),
    Write(Slot),
}

/// The events of a register by block, and the blocks at whose ends PHIs read it.
#[derive(Default)]
struct History {
    events: BTreeMap<usize, Vec<Event>>,
    read_at_end: Vec<usize>,
}

/// The live interval of a register.
struct Range {
    segments: Vec<(Slot, Slot, Value)>,
}

/// A value number: its definition, and whether that is a join at the start of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Value {
    from: Slot,
    is_phi: bool,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut values: Vec<Value> = self.segments.iter().map(|&(.., value)| value).collect();
        values.sort_unstable();
        values.dedup();
        for (start, end, value) in &self.segments {
            let number = values.binary_search(value).unwrap_or_default();
            write!(f, "[{start},{end}:{number})")?;
        }
        for (number, value) in values.iter().enumerate() {
            let phi = if value.is_phi { "-phi" } else { "" };
            write!(f, " {number}@{}{phi}", value.from)?;
        }
        Ok(())
    }
}

/// Prints the live intervals of a function, and its instructions with their slot indexes, much as
/// LLVM's `-passes=print<live-intervals>` does. All register units that the function reads or
/// writes are included except reserved registers, values are numbered in the order of their
/// definitions, and weights are left out.
#[must_use]
pub fn print_live(target: &'static Target, function: &Function) -> Vec<u8> {
    let lives = Lives::new(target, function);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _: fmt::Result = lives.print(&mut out);
    out.into_bytes()
}

/// A function with its slot indexes.
struct Lives<'a> {
    target: &'static Target,
    function: &'a Function,
    /// The number of each block, and the one after the last block.
    starts: Vec<u32>,
    predecessors: Vec<Vec<usize>>,
    histories: BTreeMap<Key, History>,
    /// The slots of calls with a register mask.
    masks: Vec<Slot>,
}

impl<'a> Lives<'a> {
    fn new(target: &'static Target, function: &'a Function) -> Lives<'a> {
        let mut lives = Lives {
            target,
            function,
            starts: Vec::new(),
            predecessors: vec![Vec::new(); function.blocks.len()],
            histories: BTreeMap::new(),
            masks: Vec::new(),
        };
        let phis = [target.opcode(b"PHI"), target.opcode(b"G_PHI")];
        let mut number = 0;
        for (place, block) in function.blocks.iter().enumerate() {
            lives.starts.push(number);
            for successor in &block.successors {
                if let Some(list) = lives.predecessors.get_mut(successor.block as usize) {
                    list.push(place);
                }
            }
            for insn in &block.instructions {
                number += u32::from(!insn.in_bundle);
                lives.add(place, number, insn, phis.contains(&Some(insn.opcode)));
            }
            number += 1;
        }
        lives.starts.push(number);
        for &(register, _) in function
            .blocks
            .iter()
            .take(1)
            .flat_map(|block| &block.live_ins)
        {
            for key in lives.keys(register) {
                lives.histories.entry(key).or_default();
            }
        }
        lives
    }

    /// Returns the keys of a register: itself if virtual, else its units unless reserved.
    fn keys(&self, register: crate::model::Register) -> Vec<Key> {
        if let Some(index) = register.virtual_index() {
            return vec![Key::Virtual(index)];
        }
        let reserved = self.target.reserved();
        let number = register
            .number()
            .filter(|number| !reserved.contains(*number));
        let units = number.map_or(&[][..], |number| self.target.units(number));
        units.iter().map(|&unit| Key::Unit(unit)).collect()
    }

    /// Records the reads of an instruction, then its writes.
    fn add(&mut self, block: usize, number: u32, insn: &Instruction, is_phi: bool) {
        let here = Slot::new(number, At::Register);
        let has_mask = |operand: &crate::model::Operand| {
            matches!(
                operand.kind,
                OperandKind::Mask(_) | OperandKind::CustomMask(_)
            )
        };
        if insn.operands.iter().any(has_mask) {
            self.masks.push(here);
        }
        for (place, operand) in insn.operands.iter().enumerate() {
            let Some(operand) = operand.register().filter(|operand| operand.is_read()) else {
                continue;
            };
            let from = match insn.operands.get(place + 1).map(|next| &next.kind) {
                Some(OperandKind::Block(from)) if is_phi => Some(*from as usize),
                _ => None,
            };
            for key in self.keys(operand.register) {
                let history = self.histories.entry(key).or_default();
                match from {
                    Some(from) => history.read_at_end.push(from),
                    None => history.add(block, Event::Read(here)),
                }
            }
        }
        for operand in insn
            .operands
            .iter()
            .filter_map(|operand| operand.register())
        {
            let at = match operand.flags.contains(OperandFlags::EARLY_CLOBBER) {
                true => At::EarlyClobber,
                false => At::Register,
            };
            if operand.is_def() {
                for key in self.keys(operand.register) {
                    let history = self.histories.entry(key).or_default();
                    history.add(block, Event::Write(here.at(at)));
                }
            }
        }
    }

    fn start_of(&self, block: usize) -> Slot {
        Slot::new(self.starts[block], At::Begin)
    }

    /// Computes the live interval of a register.
    fn range(&self, history: &History) -> Range {
        let live_in = self.live_in(history);
        let read_at_end = self.live_out(history, &live_in);
        let values = self.values(history, &live_in);
        let mut segments: Vec<(Slot, Slot, Value)> = Vec::new();
        let mut close = |start: Slot, end: Slot, value| match segments.last_mut() {
            Some(last) if last.1 == start && last.2 == value => last.1 = end,
            _ => segments.push((start, end, value)),
        };
        for block in 0..self.function.blocks.len() {
            let begin = self.start_of(block);
            // The start of the current segment, its last known read, and its value.
            let mut now = values[block].map(|value| (begin, begin, value));
            for &event in history.of(block) {
                match (event, now) {
                    (Event::Read(slot), Some((start, _, value))) => {
                        now = Some((start, slot, value));
                    }
                    (Event::Read(_), None) => {}
                    (Event::Write(slot), before) => {
                        if let Some((start, end, value)) = before {
                            close(start, end, value);
                        }
                        let value = Value {
                            from: slot,
                            is_phi: false,
                        };
                        now = Some((slot, slot.at(At::Dead), value));
                    }
                }
            }
            if let Some((start, end, value)) = now {
                let behind = self.start_of(block + 1);
                let end = if read_at_end[block] { behind } else { end };
                close(start, end, value);
            }
        }
        Range { segments }
    }

    /// Returns the blocks where a register is live in.
    fn live_in(&self, history: &History) -> Vec<bool> {
        let mut live_in = vec![false; self.function.blocks.len()];
        let is_exposed = |(&block, events): (&usize, &Vec<Event>)| {
            matches!(events.first(), Some(Event::Read(_))).then_some(block)
        };
        let mut open: Vec<usize> = history.events.iter().filter_map(is_exposed).collect();
        let passes = |block: &usize| history.of(*block).is_empty();
        open.extend(history.read_at_end.iter().copied().filter(passes));
        while let Some(block) = open.pop() {
            if live_in.get(block) != Some(&false) {
                continue;
            }
            live_in[block] = true;
            let before = self.predecessors[block].iter().copied();
            open.extend(before.filter(|before| !history.writes(*before)));
        }
        live_in
    }

    /// Returns the blocks where a register is live out.
    fn live_out(&self, history: &History, live_in: &[bool]) -> Vec<bool> {
        let blocks = self.function.blocks.iter();
        let mut live_out: Vec<bool> = blocks
            .map(|block| {
                let mut successors = block.successors.iter();
                successors.any(|next| live_in.get(next.block as usize) == Some(&true))
            })
            .collect();
        for &block in &history.read_at_end {
            if let Some(is_live) = live_out.get_mut(block) {
                *is_live = true;
            }
        }
        live_out
    }

    /// Returns the value at the start of each block where the register is live in. Every block
    /// begins with a `phi` value; one that has a single other incoming value is replaced by that
    /// value for good, until nothing changes.
    fn values(&self, history: &History, live_in: &[bool]) -> Vec<Option<Value>> {
        let own = |block: usize| Value {
            from: self.start_of(block),
            is_phi: true,
        };
        let mut values: Vec<Option<Value>> = (0..live_in.len())
            .map(|block| live_in[block].then(|| own(block)))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for block in 1..live_in.len() {
                if values[block] != Some(own(block)) {
                    continue;
                }
                let before = self.predecessors[block].iter();
                let incoming = before.filter_map(|&before| history.last(before).or(values[before]));
                let incoming = incoming.map(|value| self.settled(&values, value));
                let mut others = incoming.filter(|&incoming| incoming != own(block));
                let Some(first) = others.next() else {
                    continue;
                };
                if others.all(|other| other == first) {
                    values[block] = Some(first);
                    changed = true;
                }
            }
        }
        for block in 1..live_in.len() {
            if values[block] == Some(own(block)) {
                self.settle_together(history, &mut values, block);
            }
        }
        let settled = |&value: &Option<Value>| value.map(|value| self.settled(&values, value));
        values.iter().map(settled).collect()
    }

    /// Replaces the `phi` values of blocks whose incoming values are only each other and one
    /// further value by the latter: those of loops with several entries.
    fn settle_together(&self, history: &History, values: &mut [Option<Value>], block: usize) {
        let (mut together, mut open, mut others) = (vec![block], vec![block], Vec::new());
        while let Some(block) = open.pop() {
            for &before in &self.predecessors[block] {
                let Some(value) = history.last(before).or(values[before]) else {
                    continue;
                };
                let value = self.settled(values, value);
                let from = self.starts.binary_search(&(value.from.0 / 4));
                match from.ok().filter(|&from| value.is_phi && from != 0) {
                    Some(from) if together.contains(&from) => {}
                    Some(from) => {
                        together.push(from);
                        open.push(from);
                    }
                    None => others.push(value),
                }
            }
        }
        others.sort_unstable();
        others.dedup();
        if let [other] = others[..] {
            for block in together {
                values[block] = Some(other);
            }
        }
    }

    /// Follows the replacements of a value.
    fn settled(&self, values: &[Option<Value>], mut value: Value) -> Value {
        while value.is_phi {
            let block = self.starts.binary_search(&(value.from.0 / 4));
            match block.ok().and_then(|block| *values.get(block)?) {
                Some(other) if other != value => value = other,
                _ => break,
            }
        }
        value
    }

    fn print(&self, out: &mut String) -> fmt::Result {
        let name = String::from_utf8_lossy(self.function.name.as_bytes());
        writeln!(out, "Live intervals for machine function: {name}:")?;
        writeln!(out, "********** INTERVALS **********")?;
        for (key, history) in &self.histories {
            let range = self.range(history);
            if range.segments.is_empty() {
                continue;
            }
            match key {
                Key::Virtual(index) => write!(out, "%{index}")?,
                Key::Unit(unit) => out.write_str(&self.unit_name(*unit))?,
            }
            writeln!(out, " {range}")?;
        }
        out.write_str("RegMasks:")?;
        for mask in &self.masks {
            write!(out, " {mask}")?;
        }
        writeln!(out, "\n********** MACHINEINSTRS **********")?;
        let printer = InstructionPrinter::new(self.target, self.function);
        for (place, block) in self.function.blocks.iter().enumerate() {
            let mut number = self.starts[place];
            writeln!(out, "{}B\tbb.{place}:", 16 * number)?;
            for insn in &block.instructions {
                number += u32::from(!insn.in_bundle);
                writeln!(out, "{}B\t  {}", 16 * number, printer.text(insn))?;
            }
        }
        writeln!(out)
    }

    /// Returns the name of a register unit: the registers that consist of it alone and have no
    /// parts.
    fn unit_name(&self, unit: u16) -> String {
        let registers = 1..self.target.register_count() as u16;
        let is_it = |&register: &u16| {
            self.target.units(register) == [unit] && self.target.parts(register).next().is_none()
        };
        let names = registers
            .filter(is_it)
            .map(|register| self.target.register_name(register));
        let names: Vec<String> = names.map(str::to_uppercase).collect();
        names.join("~")
    }
}

impl History {
    fn add(&mut self, block: usize, event: Event) {
        let events = self.events.entry(block).or_default();
        // An instruction may name a register twice.
        if events.last() != Some(&event) {
            events.push(event);
        }
    }

    fn of(&self, block: usize) -> &[Event] {
        self.events.get(&block).map_or(&[], |events| events)
    }

    fn writes(&self, block: usize) -> bool {
        self.last(block).is_some()
    }

    /// Returns the last value that a block writes.
    fn last(&self, block: usize) -> Option<Value> {
        let writes = self.of(block).iter().rev().find_map(|event| match event {
            Event::Write(slot) => Some(*slot),
            Event::Read(_) => None,
        });
        writes.map(|from| Value {
            from,
            is_phi: false,
        })
    }
}
