//! This module follows the frame of a function through its finished code, to tell at every
//! instruction where the caller's frame and registers are.
//!
//! A forward analysis keeps what is known of registers and of places in the frame: that they have
//! what a register had at the entry of the function, an address at a fixed distance from the
//! canonical frame address, or a number. Where paths meet, what differs is forgotten. It trusts
//! neither order nor form of prologues and epilogues, only the effects of their instructions, and
//! visits each instruction once for each time that a path brings something new.
//!
//! The same analysis follows arguments of the function, for debuggers: what holds one is told of
//! instructions that copy registers, store them in spill slots and load them from there. Nothing
//! but code of the register allocator writes a spill slot, and that by its distance from a register
//! whose distance from the frame address is known; what that code writes there otherwise is no
//! argument.
//!
//! A loop that lowers the stack pointer page by page ends when it equals another register, which is
//! taken for its value after a block that leads to itself.

use super::effects::{Effect, Forms};
use super::{Body, Rule, Rules, number};
use crate::memory::MEMORY;
use mir_nostd::codegen::{Compiler, edges};
use mir_nostd::machine::{BlockId, FrameKind, Function, InsnId, Operand, Reg, UnitSet};
use mir_nostd::target::{InsnFlags, InsnRow, Isa, OperandRow};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A fact about a register or a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    /// It has what the register of this row had at the entry.
    Entry(u16),
    /// It is the address so many bytes above the canonical frame address.
    Frame(i64),
    /// It is this number.
    Number(i64),
    /// Its low bits, so many, are those of the argument of this number.
    Argument(usize, u32),
    /// Its high bits, so many, are those of the argument of this number.
    High(usize, u32),
}

impl Value {
    /// Returns whether nothing else matters than so many of its low bits: they are the argument, or
    /// a number without the sign.
    fn fits(self, bits: u32) -> bool {
        match self {
            Value::Argument(_, needed) => needed <= bits,
            Value::Number(number) => number >= 0 && i64::BITS - number.leading_zeros() < bits,
            _ => false,
        }
    }
}

/// A place that an argument may be in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Place {
    /// The register of this row.
    Register(u16),
    /// Memory, so many bytes above the canonical frame address.
    Memory(i64),
    /// None, as it is this number.
    Number(i64),
}

/// Arguments, each with a place that holds it.
pub(crate) type Held = BTreeSet<(usize, Place)>;

/// The places of arguments at the entry, and the bits of each.
pub(crate) type Entry = Vec<(usize, u32, Place)>;

/// The arguments that are followed.
#[derive(Default, Debug)]
struct Followed {
    entry: Entry,
    /// The spill slots, as memory by its distance from the canonical frame address.
    slots: BTreeSet<i64>,
    /// The registers that code may change which no operand tells.
    scratch: UnitSet,
}

/// All that is known at a place of the code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct State {
    registers: BTreeMap<u16, Value>,
    /// The units of these registers, and perhaps of others.
    units: UnitSet,
    /// Memory by its distance from the canonical frame address.
    memory: BTreeMap<i64, Value>,
}

impl Followed {
    /// Returns whether memory may have this value: arguments are in spill slots, or where they
    /// came.
    fn may_be(&self, place: i64, value: Value) -> bool {
        match value {
            Value::Argument(argument, bits) => {
                let came = (argument, bits, Place::Memory(place));
                self.slots.contains(&place) || self.entry.contains(&came)
            }
            _ => true,
        }
    }
}

/// The frame of a function.
pub(crate) struct Frame<'a> {
    compiler: &'a Compiler<'a>,
    body: Body,
    /// The distance of that address from the stack pointer at the entry.
    above: i64,
    /// True if the stack pointer of the caller is the one at the entry, and not that address.
    keeps_stack_pointer: bool,
    followed: Option<Followed>,
}

/// The largest distance of a spill slot from the register that frame objects are addressed by at
/// which each ISA accesses it without computing its address in a register.
const REACH: i64 = 2_000;

impl<'a> Frame<'a> {
    /// Returns the frame of the function that was compiled last.
    pub(super) fn new(
        compiler: &'a Compiler<'a>,
        body: Body,
        (above, pushes_return_address): (u32, bool),
    ) -> Frame<'a> {
        Frame {
            compiler,
            body,
            above: above.into(),
            keeps_stack_pointer: above > 0 && !pushes_return_address,
            followed: None,
        }
    }

    /// Returns the place at the entry of an argument that lies so many bytes above the first one
    /// on the stack.
    pub(crate) fn stack_argument(&self, offset: u32) -> Place {
        let call = match self.keeps_stack_pointer {
            true => -self.above,
            false => 0,
        };
        let first = self.compiler.isa().registers().stack_arguments;
        Place::Memory(call + i64::from(first) + i64::from(offset))
    }

    /// Returns the offset of each instruction, what holds arguments before it, and what holds them
    /// before it and after it. At the entry these hold them. `None` if the code cannot be followed.
    pub(crate) fn arguments(mut self, entry: Entry) -> Option<Vec<(u32, Held, Held)>> {
        self.followed = Some(Followed {
            entry,
            slots: self.slots(),
            scratch: self.scratch(),
        });
        let function = &self.compiler.function;
        let mut forms = Forms::new(self.compiler.isa());
        let starts = self.starts(&mut forms)?;
        let mut all = Vec::new();
        let mut current: Option<(BlockId, State)> = None;
        for &(at, insn) in &*self.compiler.output.code.places {
            let block = function.insn(insn).block();
            let state = match &mut current {
                Some((of, state)) if *of == block => state,
                _ => {
                    let state = starts.get(&block).cloned().unwrap_or_default();
                    &mut current.insert((block, state)).1
                }
            };
            let before = state.held(self.stack_pointer());
            self.step(insn, state, &mut forms);
            let after = state.held(self.stack_pointer());
            let both = before.intersection(&after).copied().collect();
            all.push((at, before, both));
        }
        Some(all)
    }

    /// Returns the units of the registers that the prologue saves.
    pub(crate) fn saved(&self) -> UnitSet {
        let registers = self.compiler.isa().registers();
        let units = self.body.saved.iter().map(|&(reg, _)| registers.units(reg));
        units.fold(UnitSet::EMPTY, UnitSet::union)
    }

    /// Returns the place of a frame object at this offset.
    pub(crate) fn object(&self, offset: i32) -> Place {
        Place::Memory(i64::from(offset) - i64::from(self.body.below))
    }

    /// Returns the spill slots of words; none if one is out of reach.
    fn slots(&self) -> BTreeSet<i64> {
        let function = &self.compiler.function;
        let objects = function.frame.iter().map(|(_, object)| object);
        let spilled = objects.filter(|object| object.kind == FrameKind::Spill);
        let offsets = spilled.map(|object| (i64::from(object.offset), object.bytes));
        let offsets: Vec<(i64, u32)> = offsets.collect();
        let is_near = |&(offset, _): &(i64, u32)| offset.abs() <= REACH;
        if !offsets.iter().all(is_near) {
            return BTreeSet::new();
        }
        let words = offsets.iter().filter(|&&(_, bytes)| bytes == 8);
        words
            .map(|&(offset, _)| offset - i64::from(self.body.below))
            .collect()
    }

    /// Returns the units of the scratch registers.
    fn scratch(&self) -> UnitSet {
        let registers = self.compiler.isa().registers();
        let scratch = registers.scratch_general.iter();
        let scratch = scratch.chain(registers.scratch_floating);
        let units = scratch.map(|&reg| registers.units(reg));
        units.fold(UnitSet::EMPTY, UnitSet::union)
    }

    /// Returns the rules at each offset from which on they are others than before. `None` if they
    /// cannot be told somewhere.
    pub(super) fn rules(&self, body: &Rules) -> Option<Vec<(u32, Rules)>> {
        let function = &self.compiler.function;
        let mut forms = Forms::new(self.compiler.isa());
        let starts = self.starts(&mut forms)?;
        let mut rows: Vec<(u32, Rules)> = Vec::new();
        let mut current: Option<(BlockId, State)> = None;
        let mut is_new = true;
        for &(at, insn) in &*self.compiler.output.code.places {
            let block = function.insn(insn).block();
            let state = match &mut current {
                Some((of, state)) if *of == block => state,
                _ => {
                    is_new = true;
                    let state = starts.get(&block).cloned().unwrap_or_default();
                    &mut current.insert((block, state)).1
                }
            };
            if core::mem::take(&mut is_new) {
                let rules = match starts.contains_key(&block) {
                    true => self.rules_in(state)?,
                    // Nothing is known of what is entered by other ways than branches.
                    false if function.block(block).is_early => return None,
                    false => body.clone(),
                };
                add(&mut rows, at, rules);
            }
            is_new = self.step(insn, state, &mut forms);
        }
        Some(rows)
    }

    /// Returns what is known at the beginning of each block that is reached.
    fn starts(&self, forms: &mut Forms<'_>) -> Option<HashMap<BlockId, State>> {
        let function = &self.compiler.function;
        let edges = edges(function, self.compiler.isa(), &MEMORY).ok()?;
        let first = *function.layout.first()?;
        let mut starts = HashMap::from([(first, self.entry())]);
        let mut waiting = vec![first];
        while let Some(block) = waiting.pop() {
            let mut state = starts.get(&block)?.clone();
            for insn in function.insns(block) {
                self.step(insn, &mut state, forms);
            }
            let successors = edges.successors(block);
            let is_loop = successors.contains(&block);
            for &next in successors {
                let mut after = state.clone();
                if is_loop && next != block && self.moves_stack(block) {
                    self.leave_loop(block, &mut after);
                }
                let joined = match starts.get(&next) {
                    Some(known) => known.join(&after),
                    None => after,
                };
                if starts.get(&next) != Some(&joined) {
                    starts.insert(next, joined);
                    waiting.push(next);
                }
            }
        }
        Some(starts)
    }

    /// Returns what is known at the entry of the function.
    fn entry(&self) -> State {
        let (mut state, isa) = (State::default(), self.compiler.isa());
        let saved = self.body.saved.iter().map(|&(reg, _)| reg);
        for row in saved.chain([self.body.base]).filter_map(Reg::row) {
            state.set(isa, Reg::physical(row), Some(Value::Entry(row)));
        }
        state.set(
            isa,
            isa.registers().stack_pointer,
            Some(Value::Frame(-self.above)),
        );
        let arguments = self.followed.iter().flat_map(|followed| &followed.entry);
        for &(argument, bits, place) in arguments {
            let value = Value::Argument(argument, bits);
            match place {
                Place::Register(row) => {
                    state.set(isa, Reg::physical(row), Some(value));
                }
                Place::Memory(place) => {
                    state.memory.insert(place, value);
                }
                Place::Number(_) => {}
            }
        }
        state
    }

    fn stack_pointer(&self) -> Reg {
        self.compiler.isa().registers().stack_pointer
    }

    /// Returns the rules where this is known; `None` if that is too little.
    fn rules_in(&self, state: &State) -> Option<Rules> {
        let isa = self.compiler.isa();
        let stack = self.stack_pointer();
        let distance = |reg: Reg| match state.of(reg)? {
            Value::Frame(distance) => Some((reg, distance)),
            _ => None,
        };
        let mut rows = state.registers.keys();
        let frame = distance(self.body.base).or_else(|| distance(stack));
        let frame = frame.or_else(|| rows.find_map(|&row| distance(Reg::physical(row))));
        let (base, above) = frame?;
        let lowest = distance(stack).map_or(i64::MIN, |(_, lowest)| lowest);
        let mut saved = Vec::new();
        for &(reg, offset) in &self.body.saved {
            let entry = match reg == stack {
                true => Value::Frame(-self.above),
                false => Value::Entry(reg.row()?),
            };
            let place = i64::from(offset);
            if place >= lowest && state.memory.get(&place) == Some(&entry) {
                saved.push((number(isa, reg), Rule::At(offset)));
            } else if state.of(reg) != Some(entry) && reg != stack {
                return None;
            }
        }
        let caller = number(isa, stack);
        let is_told = saved.iter().any(|&(reg, _)| reg == caller);
        let is_moved = state.of(stack) != Some(Value::Frame(-self.above));
        if self.keeps_stack_pointer && is_moved && !is_told {
            saved.push((caller, Rule::Above(i32::try_from(-self.above).ok()?)));
        }
        let frame = (number(isa, base), i32::try_from(-above).ok()?);
        Some(Rules::new(frame, saved))
    }

    /// Changes what is known as an instruction does; returns whether it changes anything.
    fn step(&self, insn: InsnId, state: &mut State, forms: &mut Forms<'_>) -> bool {
        let (function, isa) = (&self.compiler.function, self.compiler.isa());
        let row = function.insn(insn).opcode.row();
        let Some(row) = row.and_then(|row| isa.insns().get(row)) else {
            *state = State::default();
            return true;
        };
        let operands = function.operands(insn);
        let mut is_changed = false;
        let mut told = Vec::new();
        let effects = forms.effects(row, operands);
        if effects.is_empty() {
            self.forget_arguments((row, operands), state);
        }
        let passing = self.in_scratch(state);
        for effect in effects {
            let (result, is_stored) = state.result_of(effect);
            is_changed |= is_stored;
            if let Some((reg, value)) = result {
                is_changed |= state.set(isa, reg, value);
                told.push(reg);
            }
        }
        for reg in passing.into_iter().filter(|reg| !told.contains(reg)) {
            state.forget(isa, reg);
        }
        if let Some(followed) = &self.followed {
            (state.memory).retain(|&place, &mut value| followed.may_be(place, value));
        }
        self.forget_written((function, row, operands), &told, state) || is_changed
    }

    /// Returns the scratch registers that hold arguments. They do for one instruction only, as code
    /// may change them which no operand tells.
    fn in_scratch(&self, state: &State) -> Vec<Reg> {
        let Some(followed) = &self.followed else {
            return Vec::new();
        };
        let registers = self.compiler.isa().registers();
        let held = state.registers.iter();
        let held = held.filter(|(_, value)| matches!(value, Value::Argument(..)));
        let held = held.map(|(&row, _)| Reg::physical(row));
        held.filter(|&reg| registers.units(reg).overlaps(followed.scratch))
            .collect()
    }

    /// Forgets the arguments that an instruction without known effects may overwrite: those in
    /// memory if it may store in the frame, and those in registers if it loads several, of which it
    /// may name the first and the last alone.
    fn forget_arguments(&self, (row, operands): (&InsnRow, &[Operand]), state: &mut State) {
        let is_argument = |value: &Value| matches!(value, Value::Argument(..));
        let regs = || operands.iter().filter_map(|operand| operand.as_reg());
        let is_frame = |reg: Reg| matches!(state.of(reg), Some(Value::Frame(_)));
        let stores = row.flags.contains(InsnFlags::STORE) && regs().any(is_frame);
        if stores {
            state.memory.retain(|_, value| !is_argument(value));
        }
        let is_def =
            |operand: &&OperandRow| matches!(operand, OperandRow::Def(_) | OperandRow::EarlyDef(_));
        if row.flags.contains(InsnFlags::LOAD) && row.operands.iter().filter(is_def).count() > 1 {
            state.registers.retain(|_, value| !is_argument(value));
        }
    }

    /// Forgets what registers had that an instruction writes; those in `told` are known. Returns
    /// whether anything was known.
    fn forget_written(
        &self,
        (function, row, operands): (&Function<'_>, &InsnRow, &[Operand]),
        told: &[Reg],
        state: &mut State,
    ) -> bool {
        let isa = self.compiler.isa();
        let registers = isa.registers();
        let is_def = |(number, operand): &(usize, &Operand)| {
            let kind = row.operands.get(*number);
            let is_def = matches!(kind, Some(OperandRow::Def(_) | OperandRow::EarlyDef(_)));
            operand.is_def() || is_def
        };
        let defs = operands.iter().enumerate().filter(is_def);
        let defs = defs.filter_map(|(_, operand)| operand.as_reg());
        let written = defs.chain(row.implicit_defs());
        let mut is_changed = false;
        // A register that is told may be written by a name of its low half.
        let is_told = |reg: &Reg| {
            let units = registers.units(*reg);
            let mut told = told.iter();
            told.any(|told| {
                told == reg || units != UnitSet::EMPTY && registers.units(*told) == units
            })
        };
        for reg in written.filter(|reg| !is_told(reg)) {
            is_changed |= state.forget(isa, reg);
        }
        let mut masks = operands
            .iter()
            .filter_map(|&operand| function.mask(operand));
        let preserved = masks.next();
        if !row.flags.contains(InsnFlags::CALL) && preserved.is_none() {
            return is_changed;
        }
        let preserved = preserved.unwrap_or(UnitSet::EMPTY);
        let stack = registers.stack_pointer.row();
        let count = state.registers.len();
        state.registers.retain(|&row, _| {
            let units = registers.units(Reg::physical(row));
            Some(row) == stack || preserved.contains(units)
        });
        is_changed || state.registers.len() < count
    }

    /// Returns whether a block moves the stack pointer other than by calls.
    fn moves_stack(&self, block: BlockId) -> bool {
        let function = &self.compiler.function;
        let rows = self.compiler.isa().insns();
        let moves = |insn: InsnId| {
            let row = function.insn(insn).opcode.row();
            let kind = row.and_then(|row| rows.get(row)?.operands.first());
            let is_def = matches!(kind, Some(OperandRow::Def(_) | OperandRow::EarlyDef(_)));
            let first = function.operands(insn).first();
            is_def && first.and_then(|operand| operand.as_reg()) == Some(self.stack_pointer())
        };
        function.insns(block).any(moves)
    }

    /// Sets the stack pointer to the register that the last comparison of a block compares it with,
    /// which is equal to it where the block's loop is left.
    fn leave_loop(&self, block: BlockId, state: &mut State) {
        let function = &self.compiler.function;
        let stack = self.stack_pointer();
        let mut limit = None;
        for insn in function.insns(block) {
            let regs = function
                .operands(insn)
                .iter()
                .filter_map(|operand| operand.as_reg());
            let regs: Vec<Reg> = regs.collect();
            let values = regs
                .iter()
                .filter(|&&reg| reg != stack)
                .filter_map(|&reg| state.of(reg));
            let mut values = values.filter(|value| matches!(value, Value::Frame(_)));
            if regs.contains(&stack) {
                limit = values.next().or(limit);
            }
        }
        if limit.is_some() {
            state.set(self.compiler.isa(), stack, limit);
        }
    }
}

impl State {
    /// Returns what is known of a register.
    fn of(&self, reg: Reg) -> Option<Value> {
        self.registers.get(&reg.row()?).copied()
    }

    /// Returns the places of arguments; of memory those that are not below the stack.
    fn held(&self, stack_pointer: Reg) -> Held {
        let lowest = match self.of(stack_pointer) {
            Some(Value::Frame(lowest)) => lowest,
            _ => i64::MIN,
        };
        let registers = self.registers.iter();
        let registers = registers.map(|(&row, value)| (Place::Register(row), value));
        let memory = self.memory.range(lowest..);
        let memory = memory.map(|(&place, value)| (Place::Memory(place), value));
        let argument = |(place, value): (Place, &Value)| match *value {
            Value::Argument(argument, _) => Some((argument, place)),
            _ => None,
        };
        registers.chain(memory).filter_map(argument).collect()
    }

    /// Returns what is known where both may be true.
    fn join(&self, other: &State) -> State {
        fn common<K: Copy + Ord>(
            some: &BTreeMap<K, Value>,
            others: &BTreeMap<K, Value>,
        ) -> BTreeMap<K, Value> {
            let is_common = |&(key, value): &(&K, &Value)| others.get(key) == Some(value);
            let common = some.iter().filter(is_common);
            common.map(|(&key, &value)| (key, value)).collect()
        }
        State {
            registers: common(&self.registers, &other.registers),
            units: self.units.union(other.units),
            memory: common(&self.memory, &other.memory),
        }
    }

    /// Applies an effect to memory, or returns the register that it changes and its value. Returns
    /// whether memory was changed, too.
    fn result_of(&mut self, effect: Effect) -> (Option<(Reg, Option<Value>)>, bool) {
        let (to, value) = match effect {
            Effect::Sum(to, from, number) => (to, sum(self.of(from), number)),
            Effect::NumberSum(to, from, number) => {
                let value = self.of(from);
                let value = value.filter(|value| matches!(value, Value::Number(_)));
                (to, sum(value, number))
            }
            Effect::Total(to, first, second) => match (self.of(first), self.of(second)) {
                (value, Some(Value::Number(number))) => (to, sum(value, number)),
                (Some(Value::Number(number)), value) => (to, sum(value, number)),
                _ => (to, None),
            },
            Effect::Number(to, number) => (to, Some(Value::Number(number))),
            Effect::Low(to, from, most) => (to, self.of(from).filter(|value| value.fits(most))),
            Effect::Raise(to, from, by) => match self.of(from) {
                Some(Value::Argument(argument, bits)) if bits + by == 64 => {
                    (to, Some(Value::High(argument, bits)))
                }
                _ => (to, None),
            },
            Effect::Lower(to, from, by) => match self.of(from) {
                Some(Value::High(argument, bits)) if bits + by == 64 => {
                    (to, Some(Value::Argument(argument, bits)))
                }
                _ => (to, None),
            },
            Effect::Load(to, base, offset) => {
                let place = self.place(base, offset);
                (to, place.and_then(|place| self.memory.get(&place).copied()))
            }
            Effect::Store(from, base, offset) => {
                let place = self.place(base, offset);
                let value = self.of(from);
                return (None, place.is_some_and(|place| self.store(place, value)));
            }
        };
        (Some((to, value)), false)
    }

    /// Returns the place of memory so many bytes from a register, if it is known.
    fn place(&self, base: Reg, offset: i64) -> Option<i64> {
        match sum(self.of(base), offset)? {
            Value::Frame(place) => Some(place),
            _ => None,
        }
    }

    /// Stores a word; returns whether that changes anything. Arguments that it overlaps are gone.
    fn store(&mut self, place: i64, value: Option<Value>) -> bool {
        let near = place.saturating_sub(7)..place.saturating_add(8);
        let is_lost = |&(other, value): &(&i64, &Value)| {
            *other != place && matches!(value, Value::Argument(..))
        };
        let lost = self.memory.range(near).filter(is_lost);
        let lost: Vec<i64> = lost.map(|(&other, _)| other).collect();
        for other in lost {
            self.memory.remove(&other);
        }
        let before = match value {
            Some(value) => self.memory.insert(place, value),
            None => self.memory.remove(&place),
        };
        before != value
    }

    /// Sets what is known of a register; returns whether that changes anything.
    fn set(&mut self, isa: &dyn Isa, reg: Reg, value: Option<Value>) -> bool {
        let before = self.of(reg);
        let is_forgotten = self.forget(isa, reg);
        if let (Some(row), Some(value)) = (reg.row(), value) {
            self.registers.insert(row, value);
            self.units = self.units.union(isa.registers().units(reg));
        }
        before != value || is_forgotten && before.is_none()
    }

    /// Forgets what a register and its parts had; returns whether anything was known. Not all
    /// registers have units.
    fn forget(&mut self, isa: &dyn Isa, reg: Reg) -> bool {
        let registers = isa.registers();
        let units = registers.units(reg);
        let is_known = reg
            .row()
            .is_some_and(|row| self.registers.contains_key(&row));
        if !is_known && !self.units.overlaps(units) {
            return false;
        }
        let count = self.registers.len();
        self.registers.retain(|&row, _| {
            Some(row) != reg.row() && !registers.units(Reg::physical(row)).overlaps(units)
        });
        self.registers.len() < count
    }
}

/// Returns a value plus a number.
fn sum(value: Option<Value>, number: i64) -> Option<Value> {
    match value? {
        Value::Entry(_) | Value::Argument(..) | Value::High(..) => value.filter(|_| number == 0),
        Value::Frame(distance) => Some(Value::Frame(distance.checked_add(number)?)),
        Value::Number(value) => Some(Value::Number(value.checked_add(number)?)),
    }
}

/// Adds the rules from an offset on, unless they are those before it.
fn add(rows: &mut Vec<(u32, Rules)>, at: u32, rules: Rules) {
    if rows.last().is_some_and(|&(start, _)| start == at) {
        rows.pop();
    }
    if rows.last().is_none_or(|(_, last)| *last != rules) {
        rows.push((at, rules));
    }
}
