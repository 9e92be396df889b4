//! The proof of register allocations: a symbolic checker that follows every value from place to
//! place.
//!
//! The idea is that of regalloc2's checker and of Rideau and Leroy, "Validating register allocation
//! and spilling" (2010). Each place (a register unit or a frame object) holds a set of symbols: the
//! virtual registers, and the contents of physical registers, whose current value is there. The
//! rewritten code is walked beside the original. An original instruction must find the symbols that
//! it read in the places that it reads now, and binds those that it wrote to the places that it
//! writes now; loads, stores and moves that allocation added carry sets from place to place; an
//! original copy renames. At a join a place holds the intersection. Nothing of the allocator is
//! trusted but that it keeps instructions and their operands in order.
//!
//! A value that no path has written is undefined, and so is every copy of it: it is in all places
//! at once. At a join of an undefined and a defined value, the places are those of the defined one.
//! So the states form a lattice with the undefined at its top, and a worklist of blocks reaches the
//! fixed point: each visit after the first shrinks a set. The cost is the number of visits times
//! the size of the states.
//!
//! A rematerialisable value (see [`rematerialise`](super::rematerialise)) is the same wherever it
//! is computed. So it has a symbol of its own, which is in the places where it was rematerialised
//! and is never forgotten; a register with no other definition is in these places too. The states
//! need not repeat that, so the proof takes no longer if much is rematerialised.

use crate::codegen::analysis::properties;
use crate::codegen::analysis::rematerialisable::is_fixed;
use crate::codegen::regalloc::rewrite::Repeated;
use crate::machine::{
    BlockId, Edges, Function, Generic, InsnId, Operand, OperandFlags, Reg, UnitSet, VReg,
};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec, sort_by_key};
use crate::target::error::Error;
use crate::target::{InsnFlags, Isa, RegisterFile};

/// The error that the proof found: the instruction that reads another value than it should, and the
/// number of the operand.
pub(crate) type WrongAllocation = (InsnId, u16);

/// A place and a symbol that it holds.
pub(crate) type Held = (u32, u32);

/// The symbols that each place holds at a point of the function.
struct Contents<'m> {
    held: Vec<'m, Held>,
    /// True for symbols whose value is undefined on all paths to here. Any place will do for them,
    /// and none is listed.
    undefined: Vec<'m, bool>,
}

impl<'m> Contents<'m> {
    fn copy(&self, allocator: &'m dyn Allocator) -> Result<Contents<'m>, OutOfMemory> {
        Ok(Contents {
            held: Vec::from_slice(allocator, &self.held)?,
            undefined: Vec::from_slice(allocator, &self.undefined)?,
        })
    }

    fn is_undefined(&self, symbol: u32) -> bool {
        self.undefined
            .get(symbol as usize)
            .copied()
            .unwrap_or(false)
    }
}

/// The function before allocation.
pub(crate) struct Before<'m> {
    allocator: &'m dyn Allocator,
    /// The instructions of each block of the layout, in order, with the range of their operands.
    insns: Vec<'m, (InsnId, u32, u32)>,
    /// The index in `insns` of the first instruction of each block of the layout.
    blocks: Vec<'m, u32>,
    operands: Vec<'m, Operand>,
    /// For each number of an instruction, true if it is one of these: the others are of those that
    /// allocation adds, which may have numbers that selection has done with.
    had: Vec<'m, bool>,
    vreg_count: u32,
}

/// The unit that stands for registers without units, which no stage changes.
pub(crate) const UNALLOCATED: u8 = 127;

/// Returns the place that a register is; `None` for no register.
fn place_of(registers: &RegisterFile, reg: Reg) -> Option<u32> {
    let unit = registers.units(reg).iter().next();
    (!reg.is_none()).then(|| u32::from(unit.unwrap_or(UNALLOCATED)))
}

/// The first place that is a frame object; units come before.
pub(crate) const FRAMES: u32 = 128;

/// The first symbol that is the value of a rematerialisable instruction, by its number.
const FIXED: u32 = 1 << 31;

/// An observer of what places hold at each instruction of the allocated code.
pub(crate) trait Observe {
    /// Begins with the block at a place of the layout.
    fn enter(&mut self, place: usize) -> Result<(), OutOfMemory>;

    /// Takes what places hold before an instruction.
    fn before(
        &mut self,
        function: &Function<'_>,
        insn: InsnId,
        held: &[Held],
    ) -> Result<(), OutOfMemory>;

    /// Takes what places hold after it.
    fn after(&mut self, held: &[Held]);

    /// Notes that an original instruction, which had these operands and may be gone, has defined
    /// its registers.
    fn define(&mut self, function: &Function<'_>, insn: InsnId, operands: &[Operand]);
}

/// The kind of definition that a virtual register has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maker {
    None,
    /// One rematerialisable instruction.
    Fixed(InsnId),
    /// One copy, of this register.
    Copy(VReg),
    Many,
}

/// The definitions of all virtual registers, copies replaced by their sources; empty if nothing is
/// rematerialised.
struct FixedValues<'m>(Vec<'m, Maker>);

impl FixedValues<'_> {
    /// Returns the symbol of the rematerialisable value that a virtual register always holds.
    fn of(&self, symbol: u32) -> Option<u32> {
        match self.0.get(symbol as usize) {
            Some(&Maker::Fixed(insn)) => Some(FIXED + insn.number()),
            _ => None,
        }
    }

    /// Returns whether a place holds a symbol or its rematerialisable value, according to
    /// `is_held`.
    fn is_there(&self, (place, symbol): Held, is_held: impl Fn(Held) -> bool) -> bool {
        is_held((place, symbol)) || self.of(symbol).is_some_and(|value| is_held((place, value)))
    }
}

/// The proof that a register allocation kept the meaning of a function, for whoever allocates in a
/// stage of its own: made before, asked after. It knows nothing of rematerialised values, which the
/// proof of the allocator's own stages does.
#[expect(missing_debug_implementations, reason = "a copy of a function")]
pub struct AllocationProof<'m>(Before<'m>);

impl<'m> AllocationProof<'m> {
    /// Remembers a function of target instructions before allocation.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn new(
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<AllocationProof<'m>, OutOfMemory> {
        Before::new(function, allocator).map(AllocationProof)
    }

    /// Checks the same function after allocation: each instruction from before must find in its
    /// registers and frame objects the values that it read before.
    ///
    /// # Errors
    ///
    /// [`Error::WrongAllocation`] with the first instruction that does not; out of memory.
    pub fn check(&self, function: &Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
        let edges = properties::edges(function, isa, self.0.allocator)?;
        match self.0.check(function, isa, &edges, &[], None)? {
            Some((insn, operand)) => Err(Error::WrongAllocation { insn, operand }),
            None => Ok(()),
        }
    }
}

impl<'m> Before<'m> {
    pub(crate) fn new(
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Before<'m>, OutOfMemory> {
        let mut before = Before {
            allocator,
            insns: Vec::new(allocator),
            blocks: Vec::new(allocator),
            operands: Vec::new(allocator),
            had: Vec::new(allocator),
            vreg_count: function.vreg_count() as u32,
        };
        before.had.resize(function.insn_count(), false)?;
        for &block in &function.layout {
            before.blocks.push(before.insns.len() as u32)?;
            for insn in function.insns(block) {
                let start = before.operands.len() as u32;
                before.had[insn.index()] = true;
                before.operands.extend_from_slice(function.operands(insn))?;
                before
                    .insns
                    .push((insn, start, before.operands.len() as u32))?;
            }
        }
        before.blocks.push(before.insns.len() as u32)?;
        Ok(before)
    }

    /// Returns whether an instruction was there before allocation.
    fn has(&self, insn: InsnId) -> bool {
        self.had.get(insn.index()) == Some(&true)
    }

    /// Checks the function after allocation. Returns the first error. An observer takes what each
    /// place holds then; with one, a value that some path has not written is nowhere, and an
    /// instruction may read it.
    pub(crate) fn check(
        &self,
        function: &Function<'_>,
        isa: &dyn Isa,
        edges: &Edges<'_>,
        repeated: &[Repeated],
        mut observer: Option<&mut dyn Observe>,
    ) -> Result<Option<WrongAllocation>, OutOfMemory> {
        let mut states: Vec<'_, Option<Contents<'_>>> = Vec::new(self.allocator);
        let mut places = Vec::new(self.allocator);
        places.resize(function.block_count(), u32::MAX)?;
        for (place, &block) in function.layout.iter().enumerate() {
            states.push(None)?;
            places[block.index()] = place as u32;
        }
        let fixed = if repeated.is_empty() {
            FixedValues(Vec::new(self.allocator))
        } else {
            self.fixed_values(function, isa)?
        };
        let mut waiting = Vec::new(self.allocator);
        waiting.resize(states.len(), false)?;
        if let (Some(first), Some(waits)) = (states.get_mut(0), waiting.get_mut(0)) {
            *first = Some(self.at_entry(observer.is_none())?);
            *waits = true;
        }
        // Blocks are visited in layout order, so that a block is visited after all its predecessors
        // but for back edges. A stack would visit the blocks of a switch that fall through to each
        // other once per path.
        while waiting.contains(&true) {
            for place in 0..states.len() {
                if !core::mem::take(&mut waiting[place]) {
                    continue;
                }
                let block = function.layout[place];
                let Some(state) = &states[place] else {
                    continue;
                };
                let mut walk = Walk {
                    before: self,
                    function,
                    isa,
                    repeated,
                    fixed: &fixed,
                    state: state.copy(self.allocator)?,
                    is_strict: observer.is_none(),
                    observer: None,
                };
                if let Some(wrong) = walk.block(place as u32, block)? {
                    return Ok(Some(wrong));
                }
                for &next in edges.successors(block) {
                    let number = places[next.index()] as usize;
                    if let Some(state) = states.get_mut(number)
                        && meet(state, &mut walk.state, &fixed, self.allocator)?
                    {
                        waiting[number] = true;
                    }
                }
            }
        }
        let Some(observer) = &mut observer else {
            return Ok(None);
        };
        for (place, state) in states.iter().enumerate() {
            let (Some(&block), Some(state)) = (function.layout.get(place), state) else {
                continue;
            };
            observer.enter(place)?;
            let mut walk = Walk {
                before: self,
                function,
                isa,
                repeated,
                fixed: &fixed,
                state: state.copy(self.allocator)?,
                is_strict: false,
                observer: Some(&mut **observer),
            };
            if let Some(wrong) = walk.block(place as u32, block)? {
                return Ok(Some(wrong));
            }
        }
        Ok(None)
    }

    /// Returns the operands of an instruction from its range.
    fn operands(&self, start: u32, end: u32) -> &[Operand] {
        let range = start as usize..end as usize;
        self.operands.get(range).unwrap_or(&[])
    }

    fn fixed_values(
        &self,
        function: &Function<'_>,
        isa: &dyn Isa,
    ) -> Result<FixedValues<'m>, OutOfMemory> {
        let mut makers = Vec::new(self.allocator);
        makers.resize(self.vreg_count as usize, Maker::None)?;
        for &(insn, start, end) in &self.insns {
            let operands = self.operands(start, end);
            let opcode = function.insn(insn).opcode;
            let is_copy = opcode.generic() == Some(Generic::Copy);
            let maker = match operands.get(1).and_then(|from| from.vreg()) {
                Some(from) if is_copy => Maker::Copy(from),
                _ if is_fixed(function, isa, opcode, operands) => Maker::Fixed(insn),
                _ => Maker::Many,
            };
            let defs = operands.iter().filter(|operand| operand.is_def());
            for vreg in defs.filter_map(|operand| operand.vreg()) {
                let known = &mut makers[vreg.index()];
                *known = match *known {
                    Maker::None => maker,
                    _ => Maker::Many,
                };
            }
        }
        let mut copies = Vec::new(self.allocator);
        for number in 0..self.vreg_count {
            let mut vreg = VReg::new(number);
            while let Maker::Copy(from) = makers[vreg.index()] {
                // The register is a copy of itself in the end, so it has no rematerialisable value.
                makers[vreg.index()] = Maker::Many;
                copies.push(vreg)?;
                vreg = from;
            }
            while let Some(copy) = copies.pop() {
                makers[copy.index()] = makers[vreg.index()];
            }
        }
        Ok(FixedValues(makers))
    }

    /// Returns the state at the entry: every register holds its own contents. Virtual registers are
    /// undefined there, or nowhere.
    fn at_entry(&self, are_undefined: bool) -> Result<Contents<'m>, OutOfMemory> {
        let mut state = Contents {
            held: Vec::new(self.allocator),
            undefined: Vec::new(self.allocator),
        };
        for unit in 0..FRAMES {
            state.held.push((unit, self.contents(unit)))?;
        }
        state
            .undefined
            .resize(self.vreg_count as usize, are_undefined)?;
        let symbols = self.vreg_count as usize + FRAMES as usize;
        state.undefined.resize(symbols, false)?;
        Ok(state)
    }

    /// Returns the symbol for the contents of a unit.
    const fn contents(&self, unit: u32) -> u32 {
        self.vreg_count + unit
    }
}

/// Intersects `state` with `other`. Returns whether that changed it.
fn meet<'m>(
    state: &mut Option<Contents<'m>>,
    other: &mut Contents<'m>,
    fixed: &FixedValues<'_>,
    allocator: &'m dyn Allocator,
) -> Result<bool, OutOfMemory> {
    sort_by_key(&mut other.held, |&held| held);
    let Some(state) = state else {
        *state = Some(other.copy(allocator)?);
        return Ok(true);
    };
    let mut kept = Vec::new(allocator);
    let mut changed = false;
    let [in_state, in_other] =
        [&*state, &*other].map(|state| move |held: Held| state.held.binary_search(&held).is_ok());
    for &held in &state.held {
        if fixed.is_there(held, in_other) || other.is_undefined(held.1) {
            kept.push(held)?;
        } else {
            changed = true;
        }
    }
    for &held in &other.held {
        let is_known_as_value = !in_state(held) && fixed.is_there(held, in_state);
        if is_known_as_value || state.is_undefined(held.1) {
            kept.push(held)?;
        }
    }
    sort_by_key(&mut kept, |&held| held);
    for (ours, &theirs) in state.undefined.iter_mut().zip(other.undefined.iter()) {
        changed |= *ours && !theirs;
        *ours &= theirs;
    }
    state.held = kept;
    Ok(changed)
}

/// The walk through one block.
struct Walk<'a, 'f, 'm> {
    before: &'a Before<'m>,
    function: &'a Function<'f>,
    isa: &'a dyn Isa,
    repeated: &'a [Repeated],
    fixed: &'a FixedValues<'m>,
    state: Contents<'m>,
    /// True if it is an error to read a value that is not there.
    is_strict: bool,
    observer: Option<&'a mut dyn Observe>,
}

impl Walk<'_, '_, '_> {
    fn block(
        &mut self,
        place: u32,
        block: BlockId,
    ) -> Result<Option<WrongAllocation>, OutOfMemory> {
        let before = self.before;
        let bounds = before.blocks.get(place as usize..).unwrap_or(&[]);
        let &[from, to, ..] = bounds else {
            // The original function has no such block.
            let first = self.function.block(block).first();
            return Ok(Some((first.unwrap_or(InsnId::new(0)), 0)));
        };
        let old = before.insns.get(from as usize..to as usize).unwrap_or(&[]);
        let mut next = self.function.block(block).first();
        let mut kept = self.kept(next);
        let mut copies = 0;
        for (index, &(insn, start, end)) in old.iter().enumerate() {
            let operands = before.operands(start, end);
            if self.function.insn(insn).opcode.generic() == Some(Generic::Copy) {
                copies += 1;
                continue;
            }
            if kept != Some(insn) {
                // Moves that are added here read the result of `insn`, so apply it and pending
                // copies first. These only change the symbols of places, not their contents.
                self.rename(&old[index - copies..index])?;
                copies = 0;
                if self.leave_out(insn, operands) {
                    self.observe_definition(insn, operands);
                    continue;
                }
                return Ok(Some((insn, 0)));
            }
            while let Some(added) = next.filter(|&added| !before.has(added)) {
                self.added(added)?;
                next = self.function.insn(added).next();
            }
            self.rename(&old[index - copies..index])?;
            copies = 0;
            self.observe_before(insn)?;
            if let Some(wrong) = self.original(insn, operands)? {
                return Ok(Some(wrong));
            }
            self.observe_after();
            self.observe_definition(insn, operands);
            next = self.function.insn(insn).next();
            kept = self.kept(next);
        }
        while let Some(added) = next {
            self.added(added)?;
            next = self.function.insn(added).next();
        }
        self.rename(&old[old.len() - copies..])?;
        Ok(None)
    }

    /// Handles an instruction that allocation added.
    fn added(&mut self, insn: InsnId) -> Result<(), OutOfMemory> {
        self.observe_before(insn)?;
        self.carry(insn)?;
        self.observe_after();
        Ok(())
    }

    fn observe_before(&mut self, insn: InsnId) -> Result<(), OutOfMemory> {
        match &mut self.observer {
            Some(observer) => observer.before(self.function, insn, &self.state.held),
            None => Ok(()),
        }
    }

    fn observe_after(&mut self) {
        if let Some(observer) = &mut self.observer {
            observer.after(&self.state.held);
        }
    }

    fn observe_definition(&mut self, insn: InsnId, operands: &[Operand]) {
        if let Some(observer) = &mut self.observer {
            observer.define(self.function, insn, operands);
        }
    }

    /// Returns the next original instruction from `from` on.
    fn kept(&self, from: Option<InsnId>) -> Option<InsnId> {
        let mut next = from;
        while let Some(added) = next.filter(|&added| !self.before.has(added)) {
            next = self.function.insn(added).next();
        }
        next
    }

    fn holds(&self, place: u32, symbol: u32) -> bool {
        let Contents { held, .. } = &self.state;
        let is_held = |pair| held.contains(&pair);
        self.state.is_undefined(symbol) || self.fixed.is_there((place, symbol), is_held)
    }

    fn forget(&mut self, mut is_gone: impl FnMut(Held) -> bool) {
        let mut kept = 0;
        for index in 0..self.state.held.len() {
            let held = self.state.held[index];
            if !is_gone(held) {
                self.state.held[kept] = held;
                kept += 1;
            }
        }
        self.state.held.truncate(kept);
    }

    fn set_undefined(&mut self, symbol: u32, is_undefined: bool) {
        if let Some(place) = self.state.undefined.get_mut(symbol as usize) {
            *place = is_undefined;
        }
    }

    /// Handles an original instruction that was removed. Returns whether it is rematerialisable, so
    /// that its result can be computed elsewhere.
    fn leave_out(&mut self, insn: InsnId, operands: &[Operand]) -> bool {
        let result = operands.first().and_then(|result| result.vreg());
        let opcode = self.function.insn(insn).opcode;
        let Some(result) = result.filter(|_| is_fixed(self.function, self.isa, opcode, operands))
        else {
            return false;
        };
        self.forget(|(_, symbol)| symbol == result.number());
        self.set_undefined(result.number(), false);
        true
    }

    /// Returns the symbol of the value that an added instruction rematerialises, if it does.
    fn repeated_by(&self, added: InsnId) -> Option<u32> {
        let find = self
            .repeated
            .binary_search_by_key(&added, |&(added, _)| added);
        let &(_, insn) = self.repeated.get(find.ok()?)?;
        let function = self.function;
        let [old, new] = [insn, added].map(|insn| function.operands(insn));
        let is_same = function.insn(insn).opcode == function.insn(added).opcode
            && old.get(1..) == new.get(1..);
        is_same.then(|| FIXED + insn.number())
    }

    /// Handles an instruction that allocation added: the contents of one place go to another.
    fn carry(&mut self, insn: InsnId) -> Result<(), OutOfMemory> {
        let value = self.repeated_by(insn);
        let registers = self.isa.registers();
        let (mut from, mut to) = (None, None);
        let mut frame = None;
        // An instruction that reads two registers copies neither; zero registers have no unit.
        let mut is_copy = true;
        let is_zero = |place| place == Some(u32::from(UNALLOCATED));
        for operand in self.function.operands(insn) {
            let is_implicit = operand.flags().contains(OperandFlags::IMPLICIT);
            if let Some(object) = operand.as_frame() {
                frame = Some(FRAMES + object.number());
            } else if let (Some(reg), false) = (operand.as_reg(), is_implicit) {
                let place = place_of(registers, reg);
                if operand.is_def() {
                    to = place;
                } else if place.is_some() && (from.is_none() || !is_zero(place)) {
                    is_copy &= from.is_none() || is_zero(from) || from == place;
                    from = place;
                }
            }
        }
        if !is_copy {
            self.forget(|(place, _)| Some(place) == to);
            return Ok(());
        }
        if let (Some(value), Some(to)) = (value, to) {
            self.forget(|(place, _)| place == to);
            return self.state.held.push((to, value));
        }
        let (Some(from), Some(to)) = (from.or(frame), to.or(frame)) else {
            return Ok(());
        };
        self.forget(|(place, _)| place == to);
        for index in 0..self.state.held.len() {
            let (place, symbol) = self.state.held[index];
            if place == from {
                self.state.held.push((to, symbol))?;
            }
        }
        Ok(())
    }

    /// Returns the symbol for a side of a copy.
    fn symbol(&self, operand: Operand) -> Option<u32> {
        match operand.vreg() {
            Some(vreg) => Some(vreg.number()),
            None => {
                let place = place_of(self.isa.registers(), operand.as_reg()?)?;
                Some(self.before.contents(place))
            }
        }
    }

    /// Handles original copies: the places of the source hold the target too.
    fn rename(&mut self, copies: &[(InsnId, u32, u32)]) -> Result<(), OutOfMemory> {
        for &(insn, start, end) in copies {
            let operands = self.before.operands(start, end);
            self.observe_definition(insn, operands);
            let &[to, from] = operands else {
                continue;
            };
            let (Some(to), Some(from)) = (self.symbol(to), self.symbol(from)) else {
                continue;
            };
            if to == from {
                continue;
            }
            self.forget(|(_, symbol)| symbol == to);
            let is_undefined = self.state.is_undefined(from);
            self.set_undefined(to, is_undefined);
            if is_undefined {
                continue;
            }
            let value = self.fixed.of(from);
            for index in 0..self.state.held.len() {
                let (place, symbol) = self.state.held[index];
                if symbol == from || Some(symbol) == value {
                    self.state.held.push((place, to))?;
                }
            }
        }
        Ok(())
    }

    /// Handles an original instruction, which had the operands `before`.
    fn original(
        &mut self,
        insn: InsnId,
        before: &[Operand],
    ) -> Result<Option<WrongAllocation>, OutOfMemory> {
        let registers = self.isa.registers();
        let now = self.function.operands(insn);
        for (operand, (&old, &new)) in before.iter().zip(now).enumerate() {
            let skip = old.is_def() || old.flags().contains(OperandFlags::UNDEF);
            let Some(reg) = new.as_reg().filter(|_| !skip) else {
                continue;
            };
            let vreg = old.vreg().map(Entity::number);
            let reads = |unit: u8| vreg.unwrap_or(self.before.contents(u32::from(unit)));
            let units = registers.units(reg);
            let is_lost = vreg.is_some() && units.is_empty();
            let mut units = units.iter();
            let is_there = units.all(|unit| self.holds(u32::from(unit), reads(unit)));
            if self.is_strict && (is_lost || !is_there) {
                return Ok(Some((insn, operand as u16)));
            }
        }
        self.clobber(insn)?;
        for (&old, &new) in before.iter().zip(now).filter(|(old, _)| old.is_def()) {
            let Some(reg) = new.as_reg() else {
                continue;
            };
            let units = registers.units(reg);
            let in_units =
                |place: u32| place < FRAMES && units.contains(UnitSet::unit(place as u8));
            let vreg = old.vreg().map(Entity::number);
            let contents = self.before.contents(0);
            self.forget(|(place, symbol)| {
                in_units(place)
                    || Some(symbol) == vreg
                    || vreg.is_none() && symbol >= contents && in_units(symbol - contents)
            });
            for unit in units.iter() {
                let symbol = vreg.unwrap_or(self.before.contents(u32::from(unit)));
                self.set_undefined(symbol, false);
                self.state.held.push((u32::from(unit), symbol))?;
            }
        }
        Ok(None)
    }

    /// Handles a call: it changes every register but those that it preserves. Each of them then
    /// holds new contents of its own, as in the code before allocation.
    fn clobber(&mut self, insn: InsnId) -> Result<(), OutOfMemory> {
        let flags = properties::flags(self.isa, self.function.insn(insn));
        if !flags.intersects(InsnFlags::CALL.union(InsnFlags::INDIRECT)) {
            return Ok(());
        }
        let operands = self.function.operands(insn);
        let mask = operands
            .iter()
            .find_map(|&operand| self.function.mask(operand));
        if let Some(preserved) = mask {
            let kept = preserved.union(self.function.reserved);
            let kept = kept.union(UnitSet::unit(UNALLOCATED));
            let contents = self.before.contents(0);
            let is_changed = |unit: u32| unit < FRAMES && !kept.contains(UnitSet::unit(unit as u8));
            self.forget(|(place, symbol)| {
                is_changed(place) || symbol >= contents && is_changed(symbol - contents)
            });
            for unit in (0..FRAMES).filter(|&unit| is_changed(unit)) {
                self.set_undefined(contents + unit, false);
                self.state.held.push((unit, contents + unit))?;
            }
        }
        Ok(())
    }
}
