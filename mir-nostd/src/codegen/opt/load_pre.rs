//! Partial redundancy elimination of loads (Morel and Renvoise, "Global optimization by suppression
//! of partial redundancies", 1979). In SSA form.
//!
//! For each load the accesses that leave its value in a register are looked for backward, block by
//! block, up to what may change the place, over joins and around loops. Where some path has such an
//! access, the others get a load, at the end of a block that leads nowhere else: one that is only
//! executed where the first load would be, or one before a loop, of a place that can always be
//! read. A new variable then holds the value; SSA construction makes PHIs of it. So a place that a
//! loop reads and writes is read before the loop alone, and a load that is loop-invariant moves out
//! of it.
//!
//! The blocks that are looked at are bounded for each load, and so is the work for all loads, by a
//! multiple of the number of accesses.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::frame_escape::private_frames;
use crate::codegen::analysis::loops::{Loops, registers_for};
use crate::codegen::analysis::memory_generations::changes_memory;
use crate::codegen::analysis::phis::first_terminator;
use crate::codegen::analysis::private_data::{Data, DataFacts};
use crate::codegen::ssa::construction;
use crate::machine::{
    Bank, BlockId, FrameId, Function, Generic, Insn, InsnId, LowType, Opcode, Operand,
    OperandFlags, OperandKind, Symbol, VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::Isa;
use crate::target::error::Error;
use bitflags::bitflags;

/// The most blocks before a load that are looked at.
const MOST_BLOCKS: usize = 48;
/// The most loads that are inserted for one.
const MOST_INSERTED: usize = 2;
/// The most loads that are inserted for all.
const MOST_INSERTED_OF_ALL: usize = 256;
/// The most blocks between an inserted load and the one that it is for.
const MOST_DISTANCE: usize = 4;
/// The work for all loads, in blocks and accesses per access.
const MOST_WORK: usize = 24;

/// The most loops in which registers are counted.
const MOST_LOOPS: usize = 256;
/// The most variables that hold values of loads.
const MOST_VARIABLES: usize = 64;
/// The most registers that an address is traced back to.
const MOST_ORIGINS: usize = 12;

/// The outcome for a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// No load was replaced.
    Unchanged,
    /// Loads were replaced.
    Replaced,
    /// The PHIs would be too many: the function is in SSA form but for those.
    NotSsa,
}

/// Replaces loads whose value is in a register on some path to them. Inserts loads if `inserts`
/// says so.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn share_loads(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
    data: DataFacts<'_>,
    inserts: bool,
) -> Result<Outcome, Error> {
    let loads = |&block: &BlockId| function.rows(block).any(|(_, row)| is_shared_load(row));
    if !function.layout.iter().any(loads) {
        return Ok(Outcome::Unchanged);
    }
    let allocator = function.allocator();
    let mut search = Search {
        isa,
        flow,
        data,
        inserts,
        definitions: Vec::new(allocator),
        events: Vec::new(allocator),
        spans: Vec::new(allocator),
        private: Vec::new(allocator),
        slots: Vec::new(allocator),
        walked: Vec::new(allocator),
        variables: Vec::new(allocator),
        inserted: Vec::new(allocator),
        loops: None,
        room: Vec::new(allocator),
        first_slot: 0,
        budget: 0,
    };
    search.list_events(function)?;
    let first = function.vreg_count();
    for &block in &flow.order {
        let (start, end) = search.spans[block.index()];
        for number in start..end {
            search.replace(function, number)?;
        }
    }
    if function.vreg_count() == first {
        return Ok(Outcome::Unchanged);
    }
    match construction::rename(function, flow, first)? {
        true => Ok(Outcome::Replaced),
        false => Ok(Outcome::NotSsa),
    }
}

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Base {
    /// A register of SSA form.
    Register(VReg),
    /// The address of something outside the function.
    Symbol(Symbol),
    /// Data of the module.
    Data(Data),
    /// A frame object.
    Frame(FrameId),
    /// The arguments of calls on the stack.
    Outgoing,
}

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    base: Base,
    index: Option<VReg>,
    scale: i32,
    disp: i64,
    bytes: u32,
}

bitflags! {
    /// A set of kinds of loads.
    #[derive(Clone, Copy, PartialEq, Eq)]
    struct Kinds: u8 {
        const PLAIN = 1;
        const SIGNED = 1 << 1;
        const UNSIGNED = 1 << 2;
    }
}

/// An instruction that reads or may change memory. All that it may change is `place`, if it has
/// one.
#[derive(Clone, Copy)]
struct Event {
    insn: InsnId,
    opcode: Opcode,
    ty: LowType,
    place: Option<Place>,
    /// True if a register of the address may have been computed from that of private data.
    may_be_private: bool,
    /// The kinds of loads for whose variables the value was copied after the access.
    copied: Kinds,
    /// True for a load that reads a variable whose upper bits are not extended.
    is_narrow: bool,
}

/// A variable that holds the value of loads of one kind.
#[derive(Clone, Copy)]
struct Variable {
    place: Place,
    kind: Kinds,
    vreg: VReg,
}

impl Event {
    /// Returns the kind of a load.
    fn kind(&self) -> Kinds {
        match self.opcode.generic() {
            Some(Generic::SextLoad) => Kinds::SIGNED,
            Some(Generic::ZextLoad) => Kinds::UNSIGNED,
            _ => Kinds::PLAIN,
        }
    }

    fn is_load(&self) -> bool {
        is_load(self.opcode)
    }
}

fn is_load(opcode: Opcode) -> bool {
    use Generic as G;
    matches!(opcode.generic(), Some(G::Load | G::SextLoad | G::ZextLoad))
}

/// Returns whether an instruction is a load whose value may be shared.
fn is_shared_load(row: &Insn) -> bool {
    is_load(row.opcode) && !row.ty.is_long_double()
}

/// The effect of an access on the value of a load.
enum Effect {
    /// It leaves the value in a register.
    Provides,
    /// It may change the place.
    Changes,
    Nothing,
}

/// A block from whose end a load was looked for.
#[derive(Clone, Copy)]
struct Walked {
    block: BlockId,
    /// The access of the block that provides the value.
    event: Option<u32>,
    /// True if the search went on to the predecessors.
    is_passed: bool,
    /// True if some access provides the value at the end of the block.
    is_reached: bool,
}

/// The registers of each bank that a loop leaves free.
struct Room {
    header: BlockId,
    free: [usize; 2],
    /// True while the load that wants one is in the loop.
    is_taken: bool,
}

struct Search<'a, 'm> {
    isa: &'a dyn Isa,
    flow: &'a Flow<'a>,
    data: DataFacts<'a>,
    inserts: bool,
    /// The definition of each register.
    definitions: Vec<'m, Option<InsnId>>,
    events: Vec<'m, Event>,
    /// The events of each block.
    spans: Vec<'m, (u32, u32)>,
    private: Vec<'m, bool>,
    /// The index of each block in `walked`, plus `first_slot`; smaller numbers are of no account.
    slots: Vec<'m, u32>,
    walked: Vec<'m, Walked>,
    variables: Vec<'m, Variable>,
    /// The blocks at whose ends variables are loaded.
    inserted: Vec<'m, (BlockId, VReg)>,
    /// The loops, once somebody asks.
    loops: Option<Loops<'m>>,
    room: Vec<'m, Room>,
    first_slot: u32,
    budget: usize,
}

impl<'m> Search<'_, 'm> {
    /// Lists the definitions and events of a function.
    fn list_events(&mut self, function: &Function<'m>) -> Result<(), Error> {
        self.definitions.resize(function.vreg_count(), None)?;
        self.spans.resize(function.block_count(), (0, 0))?;
        for &block in &self.flow.order {
            let start = self.events.len() as u32;
            for (insn, row) in function.rows(block) {
                for operand in function.operands_of(row).iter().take_while(|o| o.is_def()) {
                    if let Some(vreg) = operand.vreg() {
                        self.definitions[vreg.index()] = Some(insn);
                    }
                }
                let mut event = Event {
                    insn,
                    opcode: row.opcode,
                    ty: row.ty,
                    place: None,
                    may_be_private: true,
                    copied: Kinds::empty(),
                    is_narrow: false,
                };
                let is_store = row.opcode.generic() == Some(Generic::Store);
                if is_shared_load(row) || is_store && !row.ty.is_long_double() {
                    event.place = self.place(function, insn);
                    self.events.push(event)?;
                } else if changes_memory(row) {
                    self.events.push(event)?;
                }
            }
            self.spans[block.index()] = (start, self.events.len() as u32);
        }
        self.slots.resize(function.block_count(), 0)?;
        self.first_slot = 1;
        self.private = private_frames(function)?;
        self.budget = MOST_WORK * (self.events.len() + 16);
        self.trace(function);
        Ok(())
    }

    /// Returns the place that an access names.
    fn place(&self, function: &Function<'_>, insn: InsnId) -> Option<Place> {
        let &[_, base, index, scale, disp] = function.operands(insn) else {
            return None;
        };
        let index = match (index.vreg(), index.as_reg()) {
            (None, Some(reg)) if reg.is_none() => None,
            (Some(index), _) => Some(index),
            _ => return None,
        };
        let base = match (base.vreg(), base.as_reg(), base.as_frame()) {
            (Some(vreg), ..) => match self.symbol(function, vreg) {
                Some(symbol) => self.symbol_base(symbol),
                None => Base::Register(vreg),
            },
            (None, Some(reg), _) if reg == self.isa.registers().stack_pointer => Base::Outgoing,
            (.., Some(frame)) => Base::Frame(frame),
            _ => return None,
        };
        Some(Place {
            base,
            index,
            scale: scale.small()?,
            disp: function.immediate(disp)?,
            bytes: function.insn(insn).ty.bytes(),
        })
    }

    /// Finds the accesses whose addresses are not computed from those of private data.
    fn trace(&mut self, function: &Function<'_>) {
        let is_private = |event: &Event| {
            let base = event.place.map(|place| place.base);
            base.is_some_and(|base| self.is_private_item(base))
        };
        if !self.events.iter().any(is_private) {
            return;
        }
        for number in 0..self.events.len() {
            if let Some(place) = self.events[number].place {
                let base = match place.base {
                    Base::Register(vreg) => Some(vreg),
                    _ => None,
                };
                let may_be_private = self.may_be_private(function, [base, place.index]);
                self.events[number].may_be_private = may_be_private;
            }
        }
    }

    /// Returns whether registers may have been computed from the address of private data, which is
    /// never in memory and never passed.
    fn may_be_private(&self, function: &Function<'_>, registers: [Option<VReg>; 2]) -> bool {
        let mut origins: heapless::Vec<VReg, MOST_ORIGINS> = heapless::Vec::new();
        for vreg in registers.into_iter().flatten() {
            if origins.push(vreg).is_err() {
                return true;
            }
        }
        let mut next = 0;
        while let Some(&vreg) = origins.get(next) {
            next += 1;
            let Some(insn) = self.definition(vreg) else {
                return true;
            };
            use Generic as G;
            match function.insn(insn).opcode.generic() {
                None => return true,
                Some(G::Load | G::SextLoad | G::ZextLoad) => continue,
                _ => {}
            }
            for &operand in function.operands(insn) {
                if let Some(symbol) = operand.as_symbol()
                    && self.is_private_item(self.symbol_base(function.symbol(symbol)))
                {
                    return true;
                }
                if let Some(vreg) = operand.read_vreg()
                    && !origins.contains(&vreg)
                    && origins.push(vreg).is_err()
                {
                    return true;
                }
            }
        }
        false
    }

    /// Returns the base that a symbol is.
    fn symbol_base(&self, symbol: Symbol) -> Base {
        self.data
            .of(symbol)
            .map_or(Base::Symbol(symbol), Base::Data)
    }

    fn is_private_item(&self, base: Base) -> bool {
        matches!(base, Base::Data(data) if self.data.is_private(data))
    }

    fn definition(&self, vreg: VReg) -> Option<InsnId> {
        self.definitions.get(vreg.index()).copied().flatten()
    }

    /// Returns the symbol whose address a register holds.
    fn symbol(&self, function: &Function<'_>, vreg: VReg) -> Option<Symbol> {
        let insn = self.definition(vreg)?;
        let is_address = function.insn(insn).opcode.generic() == Some(Generic::GlobalValue);
        let symbol = function.operands(insn).get(1)?.as_symbol()?;
        is_address.then(|| function.symbol(symbol))
    }

    /// Returns whether a block defines a register of an address.
    fn defines(&self, function: &Function<'_>, block: BlockId, place: &Place) -> bool {
        let base = match place.base {
            Base::Register(vreg) => Some(vreg),
            _ => None,
        };
        [base, place.index].into_iter().flatten().any(|vreg| {
            let insn = self.definition(vreg);
            insn.is_none_or(|insn| function.insn(insn).block() == block)
        })
    }

    /// Returns what an access means for the value of a load.
    fn effect(&self, function: &Function<'_>, event: &Event, load: &Event) -> Effect {
        let (Some(place), Some(wanted)) = (event.place, load.place) else {
            return match (event.is_load(), load.place) {
                (true, _) => Effect::Nothing,
                (_, Some(wanted)) if self.is_left_alone(function, &wanted) => Effect::Nothing,
                _ => Effect::Changes,
            };
        };
        if place == wanted {
            return match (self.value(function, event, load), event.is_load()) {
                (true, _) => Effect::Provides,
                (false, true) => Effect::Nothing,
                (false, false) => Effect::Changes,
            };
        }
        if event.is_load()
            || self.is_apart(&place, &wanted)
            || self.is_other_data(function, event, load)
        {
            return Effect::Nothing;
        }
        Effect::Changes
    }

    /// Returns whether two accesses are certainly to different pieces of data. One that names
    /// private data leads to nothing else, as nobody subtracts that address.
    fn is_other_data(&self, function: &Function<'_>, a: &Event, b: &Event) -> bool {
        let (Some(left), Some(right)) = (a.place, b.place) else {
            return false;
        };
        let is_data = |place: Place| matches!(place.base, Base::Data(_));
        let is_inside = |place| is_data(place) && self.is_inside(function, &place);
        left.base != right.base
            && (self.is_private_item(left.base) && !b.may_be_private
                || self.is_private_item(right.base) && !a.may_be_private
                || is_inside(left) && is_inside(right))
    }

    /// Returns whether a place is certainly part of the data or frame object that it names.
    fn is_inside(&self, function: &Function<'_>, place: &Place) -> bool {
        self.inner_bytes(place, function).is_some_and(|bytes| {
            let end = place.disp.checked_add(i64::from(place.bytes));
            let end = end.and_then(|end| u64::try_from(end).ok());
            place.index.is_none() && place.disp >= 0 && end.is_some_and(|end| end <= bytes)
        })
    }

    /// Returns the size of the data or frame object that a place names, as far as it is known.
    fn inner_bytes(&self, place: &Place, function: &Function<'_>) -> Option<u64> {
        match place.base {
            Base::Frame(frame) => Some(u64::from(function.frame[frame].bytes)),
            Base::Data(data) => self.data.bytes_from(data),
            _ => None,
        }
    }

    /// Returns whether a variable for the value of a load can have the value of an access.
    fn value(&self, function: &Function<'_>, event: &Event, load: &Event) -> bool {
        let first = |insn| function.operands(insn).first().copied();
        let (Some(value), Some(to)) = (first(event.insn), first(load.insn)) else {
            return false;
        };
        let Some(to) = to.vreg() else {
            return false;
        };
        match value.vreg() {
            Some(value) => function.vreg(value) == function.vreg(to),
            None => {
                value.kind() == OperandKind::Immediate && function.vreg(to).bank == Bank::General
            }
        }
    }

    /// Returns whether calls neither change a place nor have to come before it is read.
    fn is_left_alone(&self, function: &Function<'_>, place: &Place) -> bool {
        self.is_private(place.base) && self.is_inside(function, place)
    }

    fn is_private(&self, base: Base) -> bool {
        match base {
            Base::Frame(frame) => self.private.get(frame.index()) == Some(&true),
            _ => false,
        }
    }

    /// Returns whether two places certainly have no byte in common.
    fn is_apart(&self, a: &Place, b: &Place) -> bool {
        if a.base == Base::Outgoing || b.base == Base::Outgoing {
            return true;
        }
        if a.base != b.base && (self.is_private(a.base) || self.is_private(b.base)) {
            return true;
        }
        let is_beside = a.base == b.base && a.index == b.index && a.scale == b.scale;
        let (Some(a_end), Some(b_end)) = (
            a.disp.checked_add(i64::from(a.bytes)),
            b.disp.checked_add(i64::from(b.bytes)),
        ) else {
            return false;
        };
        is_beside && (a_end <= b.disp || b_end <= a.disp)
    }

    /// Replaces the load of an event, if its value is in a register on some path.
    fn replace(&mut self, function: &mut Function<'m>, number: u32) -> Result<(), Error> {
        let load = self.events[number as usize];
        let is_wanted = load.is_load()
            && (load.place).is_some_and(|place| place.base != Base::Outgoing)
            && function
                .operands(load.insn)
                .first()
                .is_some_and(|to| to.vreg().is_some());
        if !is_wanted || !self.look(function, number)? {
            return Ok(());
        }
        let target = function.insn(load.insn).block();
        let mut edges: heapless::Vec<BlockId, MOST_INSERTED> = heapless::Vec::new();
        let is_here = matches!(self.walked.first(), Some(walked) if walked.block == target
            && walked.event.is_some_and(|event| event < number));
        if !is_here && !self.find_edges(function, number, target, &mut edges) {
            return Ok(());
        }
        if !edges.is_empty() && !self.take_registers(function, &load, target)? {
            return Ok(());
        }
        self.write(function, number, &edges)
    }

    /// Looks for the accesses that provide the value of a load. Returns whether there are any
    /// before its block.
    fn look(&mut self, function: &Function<'_>, number: u32) -> Result<bool, Error> {
        let load = self.events[number as usize];
        let target = function.insn(load.insn).block();
        let (start, _) = self.spans[target.index()];
        self.first_slot += self.walked.len() as u32;
        self.walked.clear();
        for number in (start..number).rev() {
            let event = &self.events[number as usize];
            self.budget = self.budget.saturating_sub(1);
            match self.effect(function, event, &load) {
                _ if self.budget == 0 => return Ok(false),
                Effect::Changes => return Ok(false),
                Effect::Nothing => {}
                Effect::Provides => {
                    self.walked.push(Walked {
                        block: target,
                        event: Some(number),
                        is_passed: false,
                        is_reached: true,
                    })?;
                    return Ok(true);
                }
            }
        }
        if !self.climb(function, target, &load)? {
            return Ok(false);
        }
        let mut next = 0;
        while let Some(&Walked { block, .. }) = self.walked.get(next) {
            if self.walked.len() > MOST_BLOCKS || self.budget == 0 {
                return Ok(false);
            }
            self.budget -= 1;
            let (start, end) = self.spans[block.index()];
            let mut found = None;
            for number in (start..end).rev() {
                self.budget = self.budget.saturating_sub(1);
                match self.effect(function, &self.events[number as usize], &load) {
                    Effect::Nothing => {}
                    effect => {
                        found = Some((number, effect));
                        break;
                    }
                }
            }
            match found {
                Some((number, Effect::Provides)) => {
                    let walked = &mut self.walked[next];
                    (walked.event, walked.is_reached) = (Some(number), true);
                }
                Some(_) => {}
                None => self.walked[next].is_passed = self.climb(function, block, &load)?,
            }
            next += 1;
        }
        Ok(self.spread(target))
    }

    /// Goes on to the predecessors of a block that has no access that matters to a load. Returns
    /// whether that is possible.
    fn climb(
        &mut self,
        function: &Function<'_>,
        block: BlockId,
        load: &Event,
    ) -> Result<bool, Error> {
        let is_entry = self.flow.place(block) == Some(0);
        let is_defined = (load.place).is_none_or(|place| self.defines(function, block, &place));
        let sources = self.flow.edges.predecessors(block);
        self.budget = self.budget.saturating_sub(sources.len());
        if is_entry
            || is_defined
            || function.block(block).address_taken
            || sources.len() > MOST_BLOCKS
        {
            return Ok(false);
        }
        for &from in sources {
            if self.slots[from.index()] >= self.first_slot {
                continue;
            }
            self.slots[from.index()] = self.first_slot + self.walked.len() as u32;
            self.walked.push(Walked {
                block: from,
                event: None,
                is_passed: false,
                is_reached: false,
            })?;
        }
        Ok(true)
    }

    /// Returns whether some access provides the value at the end of a block that was looked at.
    fn is_reached(&self, block: BlockId) -> bool {
        let slot = self.slots[block.index()].checked_sub(self.first_slot);
        slot.is_some_and(|slot| self.walked[slot as usize].is_reached)
    }

    /// Finds the blocks at whose ends the value may be in a register. Returns whether that is so
    /// for one before `target`.
    fn spread(&mut self, target: BlockId) -> bool {
        let mut changed = true;
        while changed {
            changed = false;
            for number in (0..self.walked.len()).rev() {
                let walked = self.walked[number];
                if walked.is_passed && !walked.is_reached {
                    let mut sources = self.flow.edges.predecessors(walked.block).iter();
                    let is_reached = sources.any(|&from| self.is_reached(from));
                    self.walked[number].is_reached = is_reached;
                    changed |= is_reached;
                }
            }
        }
        let mut sources = self.flow.edges.predecessors(target).iter();
        sources.any(|&from| self.is_reached(from))
    }

    /// Takes a register all through the loops around a load that were passed. Returns whether each
    /// had one left.
    fn take_registers(
        &mut self,
        function: &Function<'m>,
        load: &Event,
        target: BlockId,
    ) -> Result<bool, Error> {
        let result = function
            .operands(load.insn)
            .first()
            .and_then(|to| to.vreg());
        let Some(result) = result.filter(|_| self.room.len() < MOST_LOOPS) else {
            return Ok(false);
        };
        let bank = function.vreg(result).bank as usize;
        let mut is_free = true;
        let loops = match &mut self.loops {
            Some(loops) => loops,
            none => none.insert(Loops::new(function, self.flow)?),
        };
        for number in 0..=self.walked.len() {
            let header = match self.walked.get(number) {
                Some(walked) if walked.is_passed => walked.block,
                Some(_) => continue,
                None => target,
            };
            if loops.members(header).is_empty() || !loops.contains(header, target) {
                continue;
            }
            let place = match self.room.iter().position(|room| room.header == header) {
                Some(place) => place,
                None => {
                    let free = free_registers(loops, function, self.isa, header);
                    self.room.push(Room {
                        header,
                        free,
                        is_taken: false,
                    })?;
                    self.room.len() - 1
                }
            };
            let room = &mut self.room[place];
            room.is_taken = true;
            if room.free[bank] == 0 {
                is_free = false;
            }
        }
        for room in self.room.iter_mut() {
            let is_taken = core::mem::take(&mut room.is_taken);
            room.free[bank] -= usize::from(is_taken && is_free);
        }
        Ok(is_free)
    }

    /// Finds the blocks at whose ends a load is missing. Returns whether it can be inserted in all.
    fn find_edges(
        &self,
        function: &Function<'_>,
        number: u32,
        target: BlockId,
        edges: &mut heapless::Vec<BlockId, MOST_INSERTED>,
    ) -> bool {
        let passed = self.walked.iter().filter(|w| w.is_passed && w.is_reached);
        let joins = passed.map(|walked| walked.block).chain([target]);
        for to in joins {
            for &from in self.flow.edges.predecessors(to) {
                if self.is_reached(from) || edges.contains(&from) {
                    continue;
                }
                let is_possible = self.inserts
                    && self.flow.edges.successors(from).len() == 1
                    && self.may_insert(function, number, from, to, target);
                if !is_possible || edges.push(from).is_err() {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether a load may be executed at the end of `from`, which leads to `to`.
    fn may_insert(
        &self,
        function: &Function<'_>,
        number: u32,
        from: BlockId,
        to: BlockId,
        target: BlockId,
    ) -> bool {
        let mut next = to;
        for _ in 0..MOST_DISTANCE {
            if next == target {
                return true;
            }
            match self.flow.edges.successors(next) {
                &[only] => next = only,
                _ => break,
            }
        }
        // Before a loop around the load, which leads to itself then.
        let is_around = self.flow.dominates(to, target) && !self.flow.dominates(to, from);
        let is_after = |walked: &Walked| self.flow.dominates(target, walked.block);
        is_around
            && self.walked.iter().any(is_after)
            && (self.events[number as usize].place)
                .is_some_and(|place| self.is_inside(function, &place))
    }

    /// Replaces a load by a variable, which the accesses that provide its value write, and loads
    /// at the ends of `edges`.
    fn write(
        &mut self,
        function: &mut Function<'m>,
        number: u32,
        edges: &[BlockId],
    ) -> Result<(), Error> {
        let load = self.events[number as usize];
        let &[to, base, index, scale, disp] = function.operands(load.insn) else {
            return Ok(());
        };
        let Some(variable) = self.variable(function, &load, to)? else {
            return Ok(());
        };
        let written = Operand::from(variable).with(OperandFlags::DEF);
        let is_narrow = self.copy_values(function, number, written)?;
        for &block in edges {
            if !self.inserted.contains(&(block, variable)) {
                let before = first_terminator(function, block);
                let base = self.rematerialise(function, block, before, base)?;
                let operands = [written, base, index, scale, disp];
                function.insert(block, before, load.opcode, load.ty, &operands)?;
                self.inserted.push((block, variable))?;
            }
        }
        let value = Operand::from(variable);
        let extension = match load.kind() {
            Kinds::SIGNED if is_narrow => Some(Generic::SextInreg),
            Kinds::UNSIGNED if is_narrow => Some(Generic::ZextInreg),
            _ => None,
        };
        match extension {
            Some(extension) => {
                let bits = Operand::imm(load.ty.bits() as i32);
                function.replace(load.insn, extension, LowType::S64, &[to, value, bits])?;
            }
            None => function.replace(load.insn, Generic::Copy, LowType::S64, &[to, value])?,
        }
        let event = &mut self.events[number as usize];
        event.copied |= load.kind();
        event.is_narrow = extension.is_some();
        Ok(())
    }

    /// Copies the values of the accesses that provide that of a load to its variable. Returns
    /// whether its upper bits are not always extended as the load does.
    fn copy_values(
        &mut self,
        function: &mut Function<'m>,
        number: u32,
        written: Operand,
    ) -> Result<bool, Error> {
        let load = self.events[number as usize];
        let mut is_narrow = false;
        for slot in 0..self.walked.len() {
            let Some(event) = self.walked[slot].event else {
                continue;
            };
            let provider = &mut self.events[event as usize];
            is_narrow |= provider.is_narrow || provider.opcode != load.opcode;
            if provider.copied.contains(load.kind()) || event == number {
                continue;
            }
            provider.copied |= load.kind();
            let insn = provider.insn;
            let value = function.operands(insn).first().copied();
            let value = value.unwrap_or(Operand::NO_REG).without(OperandFlags::DEF);
            let generic = match value.vreg() {
                Some(_) => Generic::Copy,
                None => Generic::Constant,
            };
            let (block, next) = (function.insn(insn).block(), function.insn(insn).next());
            let operands = [written, value];
            function.insert(block, next, generic.into(), LowType::S64, &operands)?;
        }
        Ok(is_narrow)
    }

    /// Returns the variable for the value of a load, whose result is `to`.
    fn variable(
        &mut self,
        function: &mut Function<'m>,
        load: &Event,
        to: Operand,
    ) -> Result<Option<VReg>, Error> {
        let (Some(place), Some(result)) = (load.place, to.vreg()) else {
            return Ok(None);
        };
        let (info, kind) = (function.vreg(result), load.kind());
        let is_it = |known: &&Variable| {
            (known.place, known.kind) == (place, kind) && function.vreg(known.vreg) == info
        };
        if let Some(known) = self.variables.iter().find(is_it) {
            return Ok(Some(known.vreg));
        }
        if self.variables.len() == MOST_VARIABLES || self.inserted.len() > MOST_INSERTED_OF_ALL {
            return Ok(None);
        }
        let vreg = function.add_vreg(info)?;
        self.variables.push(Variable { place, kind, vreg })?;
        Ok(Some(vreg))
    }

    /// Returns the base of an address at the end of a block: that of data is computed there.
    fn rematerialise(
        &self,
        function: &mut Function<'m>,
        block: BlockId,
        before: Option<InsnId>,
        base: Operand,
    ) -> Result<Operand, Error> {
        let Some(vreg) = base.vreg() else {
            return Ok(base);
        };
        let Some(insn) = self.definition(vreg) else {
            return Ok(base);
        };
        let row = *function.insn(insn);
        let &[_, symbol] = function.operands(insn) else {
            return Ok(base);
        };
        if row.opcode.generic() != Some(Generic::GlobalValue) {
            return Ok(base);
        }
        let address = function.add_vreg(function.vreg(vreg))?;
        let to = Operand::from(address).with(OperandFlags::DEF);
        function.insert(block, before, row.opcode, row.ty, &[to, symbol])?;
        Ok(address.into())
    }
}

/// Returns the number of registers of each bank that a loop leaves free.
fn free_registers(
    loops: &mut Loops<'_>,
    function: &Function<'_>,
    isa: &dyn Isa,
    header: BlockId,
) -> [usize; 2] {
    let has_call = loops.has_call(function, header);
    let mut free = loops.pressure(function, header);
    for (free, bank) in free.iter_mut().zip([Bank::General, Bank::Floating]) {
        *free = registers_for(isa, bank, has_call).saturating_sub(*free);
    }
    free
}
