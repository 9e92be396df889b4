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
//! The search takes the place along in the names of values where it is: a PHI is its value from the
//! predecessor that the search goes on to (PHI translation: Chow et al., "A new algorithm for
//! partial redundancy elimination based on SSA form", 1997). It finds `a[i - 1]` where the
//! iteration before stored `a[i]`; then the loop carries the value over in a register, and
//! recurrences do not wait for memory.
//!
//! The blocks that are looked at are bounded for each load, and so is the work for all loads, by a
//! multiple of the number of accesses.

mod counters;
mod places;
mod replacement;

use self::counters::counters_of_stores;
use self::places::{Base, Place};
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::frame_escape::private_frames;
use crate::codegen::analysis::loops::{Loops, registers_for};
use crate::codegen::analysis::memory_generations::changes_memory;
use crate::codegen::analysis::private_data::DataFacts;
use crate::codegen::ssa::construction;
use crate::machine::{
    Bank, BlockId, Function, Generic, Insn, InsnId, LowType, Opcode, OperandKind, VReg,
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
    let mut search = Search::new(function, isa, flow, data, inserts);
    search.share(function, |_| true)
}

/// Replaces the loads of which loops step the address, as [`share_loads`] does. Adds the headers of
/// loops to `late` that have such a load from their second iteration on, as not every path of the
/// first one executes it.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn carry_loads(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
    data: DataFacts<'_>,
    late: &mut Vec<'_, BlockId>,
) -> Result<Outcome, Error> {
    let counters = counters_of_stores(function, flow)?;
    if counters.is_empty() {
        return Ok(Outcome::Unchanged);
    }
    let is_counter = |vreg: VReg| counters.get(vreg.index()) == Some(&true);
    let mut search = Search::new(function, isa, flow, data, true);
    let outcome = search.share(function, |place| place.registers().any(is_counter))?;
    late.extend_from_slice(&search.late)?;
    Ok(outcome)
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
    /// True if the place is certainly part of the data of the module that it names.
    is_in_data: bool,
    /// The kinds of loads for whose variables the value was copied after the access.
    copied: Kinds,
    /// True for a load that reads a variable whose upper bits are not extended.
    is_narrow: bool,
    /// True for a load whose value was carried over from where its place has another name.
    was_carried: bool,
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
    /// The place of the load in the names of values at the end of the block.
    place: Place,
    /// The variable for the value there.
    variable: VReg,
    /// The access of the block that provides the value.
    event: Option<u32>,
    /// True if the search went on to the predecessors.
    is_passed: bool,
    /// True if some access provides the value at the end of the block.
    is_reached: bool,
    /// True if the search came here around a loop that makes the place another in each iteration.
    is_earlier: bool,
}

/// A block at whose end a load is missing.
struct Edge {
    block: BlockId,
    /// The block that it leads to.
    to: BlockId,
    /// The place of the load in the names of values there.
    place: Place,
    /// The register that is the base of the address there, if one is.
    base: Option<VReg>,
}

impl Edge {
    const fn new(block: BlockId, to: BlockId, place: &Place) -> Edge {
        Edge {
            block,
            to,
            place: *place,
            base: None,
        }
    }
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
    /// True for the registers of the addresses of stores.
    stored: Vec<'m, bool>,
    /// The index of each block in `walked`, plus `first_slot`; smaller numbers are of no account.
    slots: Vec<'m, u32>,
    walked: Vec<'m, Walked>,
    variables: Vec<'m, Variable>,
    /// The blocks at whose ends variables are loaded.
    inserted: Vec<'m, (BlockId, VReg)>,
    /// The loops, once somebody asks.
    loops: Option<Loops<'m>>,
    room: Vec<'m, Room>,
    /// True if the search for the load in hand goes on across PHIs of its address.
    is_across: bool,
    /// True if the load in hand has another place in the names of some block that provides its
    /// value.
    is_carried: bool,
    /// The variables for such a load, one for each name of its place.
    names: Vec<'m, Variable>,
    /// The number of variables for all such loads.
    carried: usize,
    /// The headers of loops in which every iteration but the first has the value of some load in a
    /// register.
    late: Vec<'m, BlockId>,
    first_slot: u32,
    budget: usize,
}

/// The blocks at whose ends a load is missing.
enum Missing {
    /// It can be inserted in all.
    Inserted(heapless::Vec<Edge, MOST_INSERTED>),
    /// It can but for that before the first iteration of the loop with this header.
    FirstIteration(BlockId),
    /// It cannot be inserted in some.
    Impossible,
}

impl<'a, 'm> Search<'a, 'm> {
    fn new(
        function: &Function<'m>,
        isa: &'a dyn Isa,
        flow: &'a Flow<'a>,
        data: DataFacts<'a>,
        inserts: bool,
    ) -> Search<'a, 'm> {
        let allocator = function.allocator();
        Search {
            isa,
            flow,
            data,
            inserts,
            definitions: Vec::new(allocator),
            events: Vec::new(allocator),
            spans: Vec::new(allocator),
            private: Vec::new(allocator),
            stored: Vec::new(allocator),
            slots: Vec::new(allocator),
            walked: Vec::new(allocator),
            variables: Vec::new(allocator),
            inserted: Vec::new(allocator),
            loops: None,
            room: Vec::new(allocator),
            is_across: false,
            is_carried: false,
            names: Vec::new(allocator),
            carried: 0,
            late: Vec::new(allocator),
            first_slot: 0,
            budget: 0,
        }
    }

    /// Replaces loads from the places that are asked for.
    fn share(
        &mut self,
        function: &mut Function<'m>,
        is_asked: impl Fn(&Place) -> bool,
    ) -> Result<Outcome, Error> {
        self.list_events(function)?;
        let first = function.vreg_count();
        for place in 0..self.flow.order.len() {
            let (start, end) = self.spans[self.flow.order[place].index()];
            for number in start..end {
                let place = self.events[number as usize].place;
                if place.as_ref().is_some_and(&is_asked) {
                    self.replace(function, number)?;
                }
            }
        }
        if function.vreg_count() == first {
            return Ok(Outcome::Unchanged);
        }
        match construction::rename(function, self.flow, first)? {
            true => Ok(Outcome::Replaced),
            false => Ok(Outcome::NotSsa),
        }
    }

    /// Lists the definitions and events of a function.
    fn list_events(&mut self, function: &Function<'m>) -> Result<(), Error> {
        self.definitions.resize(function.vreg_count(), None)?;
        self.spans.resize(function.block_count(), (0, 0))?;
        self.stored.resize(function.vreg_count(), false)?;
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
                    is_in_data: false,
                    copied: Kinds::empty(),
                    is_narrow: false,
                    was_carried: false,
                };
                let is_store = row.opcode.generic() == Some(Generic::Store);
                if is_shared_load(row) || is_store && !row.ty.is_long_double() {
                    event.place = self.place(function, insn);
                    if let Some(place) = event.place.filter(|_| is_store) {
                        for vreg in place.registers() {
                            self.stored[vreg.index()] = true;
                        }
                    }
                    event.is_in_data = event
                        .place
                        .is_some_and(|place| self.is_in_data(function, &place));
                    self.events.push(event)?;
                } else if changes_memory(row) {
                    self.events.push(event)?;
                }
            }
            self.spans[block.index()] = (start, self.events.len() as u32);
        }
        self.slots.resize(function.block_count(), 0)?;
        self.first_slot = 1;
        let is_frame = |place: Place| matches!(place.base, Base::Frame(_));
        if self
            .events
            .iter()
            .any(|event| event.place.is_some_and(is_frame))
        {
            self.private = private_frames(function)?;
        }
        self.budget = MOST_WORK * (self.events.len() + 16);
        self.trace(function);
        Ok(())
    }

    fn definition(&self, vreg: VReg) -> Option<InsnId> {
        self.definitions.get(vreg.index()).copied().flatten()
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
        if event.is_load() || self.is_apart(&place, &wanted) || self.is_other_data(event, load) {
            return Effect::Nothing;
        }
        Effect::Changes
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
        let mut edges = heapless::Vec::new();
        let is_here = matches!(self.walked.first(), Some(walked) if walked.block == target
            && walked.event.is_some_and(|event| event < number));
        if !is_here {
            match self.find_edges(function, number, target) {
                Missing::Inserted(missing) => edges = missing,
                Missing::FirstIteration(header) if !self.late.contains(&header) => {
                    return Ok(self.late.push(header)?);
                }
                _ => return Ok(()),
            }
        }
        if !edges.is_empty() && !self.take_registers(function, &load, target)? {
            return Ok(());
        }
        self.write(function, number, &edges)
    }

    /// Looks for the accesses that provide the value of a load. Returns whether there are any
    /// before its block.
    fn look(&mut self, function: &Function<'_>, number: u32) -> Result<bool, Error> {
        let is_found = self.walk(function, number, true)?;
        if is_found && self.is_carried && !self.carries_store() {
            return self.walk(function, number, false);
        }
        Ok(is_found)
    }

    /// Walks backward from a load to the accesses that provide its value, `across` PHIs of its
    /// address or not. Returns whether there are any before its block.
    fn walk(&mut self, function: &Function<'_>, number: u32, across: bool) -> Result<bool, Error> {
        let load = self.events[number as usize];
        let target = function.insn(load.insn).block();
        let (start, _) = self.spans[target.index()];
        let Some(place) = load.place else {
            return Ok(false);
        };
        self.first_slot += self.walked.len() as u32;
        self.walked.clear();
        (self.is_across, self.is_carried) = (across, false);
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
                        place,
                        variable: VReg::new(0),
                        event: Some(number),
                        is_passed: false,
                        is_reached: true,
                        is_earlier: false,
                    })?;
                    return Ok(true);
                }
            }
        }
        if !self.climb(function, target, &place)? {
            return Ok(false);
        }
        let mut next = 0;
        while let Some(&Walked { block, place, .. }) = self.walked.get(next) {
            let load = self.named(function, &load, place);
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
                None => self.walked[next].is_passed = self.climb(function, block, &place)?,
            }
            next += 1;
        }
        let is_found = self.spread(target);
        let mut reached = self.walked.iter().filter(|walked| walked.is_reached);
        self.is_carried = reached.any(|walked| walked.place != place);
        Ok(is_found)
    }

    /// Returns a load of which the place has this name.
    fn named(&self, function: &Function<'_>, load: &Event, place: Place) -> Event {
        if load.place == Some(place) {
            return *load;
        }
        Event {
            place: Some(place),
            is_in_data: self.is_in_data(function, &place),
            ..*load
        }
    }

    /// Returns whether a store of an earlier iteration provides the value of a load, be it through
    /// other loads. Without one the value would only be read from memory again, which costs no more
    /// than to keep it.
    fn carries_store(&self) -> bool {
        let mut walked = self.walked.iter().filter(|walked| walked.is_earlier);
        walked.any(|walked| {
            let event = walked.event.map(|event| self.events[event as usize]);
            event.is_some_and(|event| !event.is_load() || event.was_carried)
        })
    }

    /// Goes on to the predecessors of a block that has no access that matters to a load. Returns
    /// whether that is possible.
    fn climb(
        &mut self,
        function: &Function<'_>,
        block: BlockId,
        place: &Place,
    ) -> Result<bool, Error> {
        let is_entry = self.flow.place(block) == Some(0);
        let sources = self.flow.edges.predecessors(block);
        self.budget = self.budget.saturating_sub(sources.len());
        if is_entry || function.block(block).address_taken || sources.len() > MOST_BLOCKS {
            return Ok(false);
        }
        let is_renamed = self.defines(function, block, place);
        let is_earlier = self
            .walked_at(block)
            .is_some_and(|walked| walked.is_earlier);
        for &from in sources {
            let named = match is_renamed {
                true => self.name_in(function, place, block, from),
                false => Some(Edge::new(from, block, place)),
            };
            let Some(Edge { place: named, .. }) = named else {
                return Ok(false);
            };
            if let Some(walked) = self.walked_at(from) {
                if walked.place != named {
                    return Ok(false);
                }
                continue;
            }
            self.slots[from.index()] = self.first_slot + self.walked.len() as u32;
            self.walked.push(Walked {
                block: from,
                place: named,
                variable: VReg::new(0),
                event: None,
                is_passed: false,
                is_reached: false,
                is_earlier: is_earlier || named != *place && self.flow.dominates(block, from),
            })?;
        }
        Ok(true)
    }

    /// Returns whether some access provides the value at the end of a block that was looked at.
    fn is_reached(&self, block: BlockId) -> bool {
        self.walked_at(block)
            .is_some_and(|walked| walked.is_reached)
    }

    /// Returns what is known of a block, if it was looked at.
    fn walked_at(&self, block: BlockId) -> Option<&Walked> {
        let slot = self.slots[block.index()].checked_sub(self.first_slot)?;
        self.walked.get(slot as usize)
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

    /// Finds the blocks at whose ends a load is missing.
    fn find_edges(&self, function: &Function<'_>, number: u32, target: BlockId) -> Missing {
        let Some(place) = self.events[number as usize].place else {
            return Missing::Impossible;
        };
        let mut edges: heapless::Vec<Edge, MOST_INSERTED> = heapless::Vec::new();
        let mut late = None;
        let passed = self.walked.iter().filter(|w| w.is_passed && w.is_reached);
        let joins = passed.map(|walked| (walked.block, walked.place));
        for (to, place) in joins.chain([(target, place)]) {
            for &from in self.flow.edges.predecessors(to) {
                if self.is_reached(from) || edges.iter().any(|edge| edge.block == from) {
                    continue;
                }
                let Some(edge) = self.name_in(function, &place, to, from) else {
                    return Missing::Impossible;
                };
                let is_possible = self.inserts
                    && self.flow.edges.successors(from).len() == 1
                    && self.may_insert(function, &edge, to, target)
                    && self.can_name(function, self.events[number as usize].insn, &edge);
                let is_first = self.is_carried
                    && late.is_none_or(|header| header == to)
                    && self.flow.dominates(to, target)
                    && !self.flow.dominates(to, from);
                if !is_possible && is_first {
                    late = Some(to);
                } else if !is_possible || edges.push(edge).is_err() {
                    return Missing::Impossible;
                }
            }
        }
        late.map_or(Missing::Inserted(edges), Missing::FirstIteration)
    }

    /// Returns whether a load may be executed at the end of an edge's block, which leads to `to`.
    fn may_insert(
        &self,
        function: &Function<'_>,
        edge: &Edge,
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
        let is_around = self.flow.dominates(to, target) && !self.flow.dominates(to, edge.block);
        let is_after = |walked: &Walked| self.flow.dominates(target, walked.block);
        is_around && self.walked.iter().any(is_after) && self.is_inside(function, &edge.place)
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
