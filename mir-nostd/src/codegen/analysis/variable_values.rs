//! The values of variables at each instruction of the source, for debuggers.
//!
//! Before an instruction of the source a variable has the value that one definition gave it, or
//! that came into a block where several definitions meet. An iteration over the blocks finds these:
//! a block has a value of its own for a variable if its predecessors do not agree, where they may
//! have the block's own (the trivial PHIs of Braun et al., "Simple and efficient construction of
//! static single assignment form", 2013). The values have names that no optimisation changes: the
//! numbers of instructions of the source, and of blocks. So a function can be compared with what it
//! was: a register holds a variable only if its last definition is the one that the source has
//! there. What comes from a definition that the code has lost is no value that it could have.
//!
//! Copies of instructions, as of loops that are rotated, count as instructions of their own. Those
//! that are made in SSA form have their values by the registers that took the place of others in
//! them (`machine::copies`), and constants that nothing holds by evaluation.
//!
//! Nothing here runs unless debuggers ask for variables.

use crate::codegen::analysis::branches::layout_places;
use crate::codegen::analysis::known_constants::KnownConstants;
use crate::codegen::analysis::phis::is_phi;
use crate::codegen::analysis::properties;
use crate::machine::{CallSite, FrameId, Function, Generic, InsnId, VReg, VariablePlace};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec, sort_by_key};
use crate::target::Isa;

/// The name of nothing: no value, no variable, no instruction.
pub(crate) const NONE: u32 = u32::MAX;
/// The name of what a variable has at the entry of the function.
const AT_ENTRY: u32 = u32::MAX - 1;
/// The name of a value of which the source says nothing, such as that of an argument.
const UNNAMED: u32 = u32::MAX - 2;
/// The name of the value of a definition that is no longer in the code, and of what it meets.
const LOST: u32 = u32::MAX - 3;
/// The bit of the names of values that come into a block.
const MEETING: u32 = 1 << 31;

/// The number of bits of names that are the number of an instruction of the source. The bits above
/// are the number of the copy.
const SITE_BITS: u32 = 20;
/// The most copies of copies.
const MOST_COPIES: usize = 8;

/// The most rounds over the blocks.
const ROUNDS: usize = 64;
/// The rounds after which a block keeps a value of its own that it has: in nested loops two blocks
/// may else give theirs up in turns for ever.
const FREE_ROUNDS: usize = 16;
/// The most values that are kept: variables times blocks, and changes of variables. No variable of
/// a larger function is followed.
const MOST: usize = 1 << 20;

/// The variables of a function that are followed, by the virtual registers that they are in.
pub(crate) struct Tracked<'m> {
    /// The variable of each register, or [`NONE`].
    pub(crate) of: Vec<'m, u32>,
    /// The number of variables.
    pub(crate) count: usize,
}

/// The kind of the names of values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// The instruction of the source that defines them.
    Definitions,
    /// The register that holds them, in SSA form.
    Registers,
}

/// A place that holds a variable in allocated code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// This unit of registers.
    Unit(u8),
    /// This frame object.
    Frame(FrameId),
    /// Nothing: it has this value.
    Number(i64),
}

/// A variable that a place holds at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeldVariable {
    /// The instruction.
    pub insn: InsnId,
    /// The number of the variable.
    pub variable: u32,
    /// The place.
    pub holder: Holder,
    /// True if the place still holds that value after the instruction.
    pub stays: bool,
}

/// The values of the variables of a function.
#[derive(Debug)]
pub struct VariableValues<'m> {
    /// The definitions that the source has.
    source: Outline<'m>,
    /// The number of copies that had been made when these were found.
    copies: u32,
    /// The registers that hold these values, in a function that was in SSA form.
    pub(crate) registers: Option<Snapshot<'m>>,
    /// The constants that registers hold, in a function that was in SSA form.
    pub(crate) constants: KnownConstants<'m>,
    /// The variables that places hold in the allocated code, in the order of instructions.
    pub held: Vec<'m, HeldVariable>,
    /// The instructions of the allocated code, to which prologues and epilogues are added.
    pub insns: Vec<'m, InsnId>,
}

/// The names of the values that variables have before instructions of the source.
#[derive(Debug)]
pub struct Snapshot<'m> {
    /// The number of copies that had been made.
    copies: u32,
    /// The instructions of the source with their places in the order in which they were met,
    /// sorted.
    ordinals: Vec<'m, (u32, u32)>,
    /// Variables, with the ordinal from which on they have values of these names; sorted.
    changes: Vec<'m, (u32, u32, u32)>,
    /// Variables whose value at an ordinal is not one; sorted.
    unsure: Vec<'m, (u32, u32)>,
}

/// Returns the number of the instruction of the function's own source that an instruction comes
/// from: of an inlined function that is the call.
#[must_use]
pub fn own_site(function: &Function<'_>, insn: InsnId) -> Option<u32> {
    let outer = |site: &CallSite| {
        let number = (site.inlined as usize).checked_sub(1)?;
        function.inlined.get(number).map(|inlined| inlined.site)
    };
    let sites = core::iter::successors(function.insn_site(insn), outer);
    let mut sites = sites.take(function.inlined.len() + 1);
    let own = sites.find(|site| site.inlined == 0)?;
    (own.number < LOST & !MEETING).then_some(own.number)
}

/// Returns the name of the instruction of the source that an instruction comes from, with its copy;
/// [`LOST`] if either number is too large.
fn own_name(function: &Function<'_>, insn: InsnId) -> Option<u32> {
    own_site(function, insn).map(|site| name_of(site, function.origins.copy_of(insn)))
}

const fn name_of(site: u32, copy: u32) -> u32 {
    match site < 1 << SITE_BITS && copy < MEETING >> SITE_BITS {
        true => site | copy << SITE_BITS,
        false => LOST,
    }
}

/// The copies that an instruction is in: the name of the instruction of the source in what there
/// was when values were found, and the rounds of copies of it that were made after that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Provenance {
    pub(crate) name: u32,
    pub(crate) rounds: heapless::Vec<u32, MOST_COPIES>,
}

impl Provenance {
    /// Returns that of an instruction where so many copies had been made; `None` if it comes from
    /// nothing in the source.
    fn new(function: &Function<'_>, insn: InsnId, copies: u32) -> Option<Provenance> {
        let site = own_site(function, insn)?;
        let mut copy = function.origins.copy_of(insn);
        let mut rounds = heapless::Vec::new();
        while copy > copies {
            let (of, round) = function.origins.copies().origin(copy)?;
            rounds.push(round).ok()?;
            copy = of;
        }
        rounds.reverse();
        let name = name_of(site, copy);
        (name != LOST).then_some(Provenance { name, rounds })
    }
}

impl<'m> Tracked<'m> {
    /// Returns the variables of a translated function.
    pub(crate) fn new(
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Tracked<'m>, OutOfMemory> {
        let mut of = Vec::new(allocator);
        of.resize(function.vreg_count(), NONE)?;
        for (number, place) in function.variables.iter().enumerate() {
            if let Some(VariablePlace::Register(vreg)) = *place
                && let Some(of) = of.get_mut(vreg.index())
            {
                *of = number as u32;
            }
        }
        let count = function.variables.len();
        Ok(Tracked { of, count })
    }

    pub(crate) fn variable(&self, vreg: VReg) -> Option<usize> {
        let variable = self.of.get(vreg.index()).copied();
        let variable = variable.filter(|&variable| variable != NONE)?;
        Some(variable as usize)
    }

    /// Finds the variables of the registers that took their place in SSA form: `before` has the
    /// registers that instructions defined. All sources of a PHI are values of one variable.
    pub(crate) fn rename(
        &mut self,
        function: &Function<'_>,
        before: &[(InsnId, u16, VReg)],
    ) -> Result<(), OutOfMemory> {
        self.of.resize(function.vreg_count(), NONE)?;
        for &(insn, number, vreg) in before {
            let now = function.operands(insn).get(usize::from(number));
            if let Some(now) = now.and_then(|operand| operand.vreg()) {
                self.of[now.index()] = self.of[vreg.index()];
            }
        }
        for _ in 0..ROUNDS {
            let mut is_changed = false;
            for &block in &function.layout {
                for phi in function
                    .insns(block)
                    .take_while(|&insn| is_phi(function, insn))
                {
                    let operands = function.operands(phi);
                    let mut all = operands.iter().filter_map(|operand| operand.vreg());
                    let Some(to) = all.next().filter(|&to| self.variable(to).is_none()) else {
                        continue;
                    };
                    if let Some(variable) = all.find_map(|vreg| self.variable(vreg)) {
                        self.of[to.index()] = variable as u32;
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                break;
            }
        }
        Ok(())
    }

    /// Returns the registers of variables that instructions define, with the numbers of operands.
    pub(crate) fn definitions(
        &self,
        function: &Function<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Vec<'m, (InsnId, u16, VReg)>, OutOfMemory> {
        let mut all = Vec::new(allocator);
        for &block in &function.layout {
            for insn in function.insns(block) {
                for (number, operand) in function.operands(insn).iter().enumerate() {
                    let vreg = operand.vreg().filter(|_| operand.is_def());
                    if let Some(vreg) = vreg.filter(|&vreg| self.variable(vreg).is_some()) {
                        all.push((insn, number as u16, vreg))?;
                    }
                }
            }
        }
        Ok(all)
    }

    /// Returns the name of the definition that an instruction is.
    pub(crate) fn definition(function: &Function<'_>, insn: InsnId) -> u32 {
        own_name(function, insn).unwrap_or(UNNAMED)
    }
}

/// An instruction of a function, as far as it matters for variables: the instruction of the source
/// that it comes from and is the first of in its block, or [`NONE`]; a variable that it gives a
/// value, or [`NONE`]; the name of that.
#[derive(Clone, Copy, Debug)]
struct Event {
    site: u32,
    variable: u32,
    name: u32,
    /// True if it is a definition that is not in the code any more.
    is_lost: bool,
}

/// The parts of a function that matter for variables.
#[derive(Debug)]
pub(crate) struct Outline<'m> {
    /// The number of variables.
    count: usize,
    /// The number of each block of the layout, and the index after its last event.
    blocks: Vec<'m, (u32, u32)>,
    events: Vec<'m, Event>,
    /// True if a number of an instruction or a copy is too large.
    is_too_large: bool,
    /// The edges between places in the layout, by target: pairs of target and source.
    edges: Vec<'m, (u32, u32)>,
}

/// The name of values that come from definitions which are not in the code any more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lost {
    /// That of the definition.
    Named,
    /// [`LOST`].
    Unknown,
}

impl Event {
    /// Returns the name of the value that its variable gets.
    const fn value(&self, lost: Lost) -> u32 {
        match lost {
            Lost::Unknown if self.is_lost => LOST,
            _ => self.name,
        }
    }
}

impl<'m> Outline<'m> {
    fn new(
        function: &Function<'_>,
        isa: &dyn Isa,
        tracked: &Tracked<'_>,
        names: Names,
        allocator: &'m dyn Allocator,
    ) -> Result<Outline<'m>, OutOfMemory> {
        let mut outline = Outline {
            count: tracked.count,
            blocks: Vec::new(allocator),
            events: Vec::new(allocator),
            is_too_large: false,
            edges: Vec::new(allocator),
        };
        let edges = properties::edges(function, isa, allocator)?;
        let places = layout_places(function, allocator)?;
        for (place, &block) in function.layout.iter().enumerate() {
            for &next in edges.successors(block) {
                outline.edges.push((places[next.index()], place as u32))?;
            }
            let mut previous = None;
            for insn in function.insns(block) {
                let is_phi = is_phi(function, insn);
                let site =
                    own_name(function, insn).filter(|&site| !is_phi && Some(site) != previous);
                if let Some(site) = site {
                    outline.is_too_large |= site == LOST;
                    previous = Some(site);
                    outline.events.push(Event {
                        site,
                        variable: NONE,
                        name: NONE,
                        is_lost: false,
                    })?;
                }
                outline.add_definitions(function, insn, (tracked, names))?;
            }
            let end = outline.events.len() as u32;
            outline.blocks.push((block.number(), end))?;
        }
        sort_by_key(&mut outline.edges, |&edge| edge);
        Ok(outline)
    }

    /// Adds the variables that an instruction gives values.
    fn add_definitions(
        &mut self,
        function: &Function<'_>,
        insn: InsnId,
        (tracked, names): (&Tracked<'_>, Names),
    ) -> Result<(), OutOfMemory> {
        for operand in function.operands(insn).iter().filter(|o| o.is_def()) {
            let vreg = operand.vreg();
            let (Some(vreg), Some(variable)) = (vreg, vreg.and_then(|vreg| tracked.variable(vreg)))
            else {
                continue;
            };
            let name = match names {
                Names::Registers => vreg.number(),
                Names::Definitions if is_phi(function, insn) => continue,
                Names::Definitions => Tracked::definition(function, insn),
            };
            self.events.push(Event {
                site: NONE,
                variable: variable as u32,
                name,
                is_lost: false,
            })?;
        }
        Ok(())
    }

    /// Marks the definitions that are not in the code any more: those that `now` does not have.
    fn lose(&mut self, now: &Outline<'_>) -> Result<(), OutOfMemory> {
        let mut kept = Vec::new(self.events.allocator());
        for event in now.events.iter().filter(|event| event.variable != NONE) {
            kept.push((event.variable, event.name))?;
        }
        sort_by_key(&mut kept, |&pair| pair);
        for event in self
            .events
            .iter_mut()
            .filter(|event| event.variable != NONE)
        {
            event.is_lost = kept.binary_search(&(event.variable, event.name)).is_err();
        }
        Ok(())
    }

    /// Returns the events of the block at a place.
    fn events(&self, place: usize) -> &[Event] {
        let before = place
            .checked_sub(1)
            .and_then(|place| self.blocks.get(place));
        let start = before.map_or(0, |&(_, end)| end);
        let end = self.blocks.get(place).map_or(0, |&(_, end)| end);
        self.events
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    /// Returns the names of the values that variables have at the start of the block at each place:
    /// those of place `p` from `p` times the number of variables on. `None` if the function is too
    /// large.
    fn entries(&self, lost: Lost) -> Result<Option<Vec<'m, u32>>, OutOfMemory> {
        let allocator = self.events.allocator();
        let size = self.blocks.len().saturating_mul(self.count);
        if size > MOST || self.is_too_large {
            return Ok(None);
        }
        let (mut starts, mut ends) = (Vec::new(allocator), Vec::new(allocator));
        starts.resize(size, NONE)?;
        ends.resize(size, NONE)?;
        let mut state = Vec::new(allocator);
        state.resize(self.count, NONE)?;
        for round in 0..ROUNDS {
            let mut is_changed = false;
            for (place, &(block, _)) in self.blocks.iter().enumerate() {
                let start = place * self.count;
                let first = self.edges.partition_point(|&(to, _)| (to as usize) < place);
                let edges = self.edges.get(first..).unwrap_or_default();
                for (number, value) in state.iter_mut().enumerate() {
                    let at_entry = (place == 0).then_some(AT_ENTRY);
                    let from = edges.iter().take_while(|&&(to, _)| to as usize == place);
                    let values = from.map(|&(_, from)| ends[from as usize * self.count + number]);
                    *value = meet(block, at_entry.into_iter().chain(values));
                    let known = &mut starts[start + number];
                    let has_own = *known == MEETING | block && *value != LOST;
                    if has_own && round >= FREE_ROUNDS {
                        *value = *known;
                    }
                    *known = *value;
                }
                for event in self.events(place) {
                    if let Some(value) = state.get_mut(event.variable as usize) {
                        *value = event.value(lost);
                    }
                }
                let end = ends.get_mut(start..start + self.count);
                if let Some(end) = end.filter(|end| **end != *state) {
                    end.copy_from_slice(&state);
                    is_changed = true;
                }
            }
            if !is_changed {
                return Ok(Some(starts));
            }
        }
        Ok(None)
    }
}

/// Returns the name of the value that comes into a block from these.
fn meet(block: u32, values: impl Iterator<Item = u32>) -> u32 {
    let own = MEETING | block;
    let mut met = NONE;
    for value in values.filter(|&value| value != NONE && value != own) {
        met = match met {
            _ if value == LOST || met == LOST => LOST,
            NONE => value,
            _ if met == value => met,
            _ => own,
        };
    }
    met
}

impl<'m> VariableValues<'m> {
    /// Returns the values of a translated function.
    pub(crate) fn new(
        function: &Function<'_>,
        isa: &dyn Isa,
        allocator: &'m dyn Allocator,
    ) -> Result<VariableValues<'m>, OutOfMemory> {
        let tracked = Tracked::new(function, allocator)?;
        Ok(VariableValues {
            source: Outline::new(function, isa, &tracked, Names::Definitions, allocator)?,
            copies: function.origins.copies().count(),
            registers: None,
            constants: KnownConstants::new(allocator),
            held: Vec::new(allocator),
            insns: Vec::new(allocator),
        })
    }

    /// Finds the registers of values in a function that was brought into SSA form; `before` has the
    /// registers that instructions defined. Returns false if it is too large.
    pub(crate) fn rename(
        &mut self,
        function: &Function<'_>,
        isa: &dyn Isa,
        mut tracked: Tracked<'m>,
        before: &[(InsnId, u16, VReg)],
    ) -> Result<bool, OutOfMemory> {
        let allocator = self.held.allocator();
        tracked.rename(function, before)?;
        let definitions = Outline::new(function, isa, &tracked, Names::Definitions, allocator)?;
        self.source.lose(&definitions)?;
        let Some(source) = self.snapshot(&[&self.source], Lost::Unknown, None)? else {
            return Ok(false);
        };
        let registers = Outline::new(function, isa, &tracked, Names::Registers, allocator)?;
        let mut copied = Vec::new(allocator);
        find_copies(function, &mut copied)?;
        let same = Some((&source, &*copied));
        let both = [&definitions, &registers];
        self.registers = self.snapshot(&both, Lost::Named, same)?;
        self.constants.find(function)?;
        Ok(self.registers.is_some())
    }

    /// Returns the definitions that the source has and the function still has, which was never in
    /// SSA form, and those of the function at the start of each block of its layout. `None` if it
    /// is too large.
    pub(crate) fn compare(
        &mut self,
        function: &Function<'_>,
        isa: &dyn Isa,
        tracked: &Tracked<'_>,
    ) -> Result<Option<(Snapshot<'m>, Vec<'m, u32>)>, OutOfMemory> {
        let allocator = self.held.allocator();
        let definitions = Outline::new(function, isa, tracked, Names::Definitions, allocator)?;
        self.source.lose(&definitions)?;
        let source = self.snapshot(&[&self.source], Lost::Unknown, None)?;
        Ok(source.zip(definitions.entries(Lost::Named)?))
    }

    /// Returns the definitions that the source has, whatever became of them in the code. `None` if
    /// the function is too large.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`].
    pub fn definitions(&self) -> Result<Option<Snapshot<'m>>, OutOfMemory> {
        self.snapshot(&[&self.source], Lost::Named, None)
    }

    fn snapshot(
        &self,
        outlines: &[&Outline<'m>],
        lost: Lost,
        same: Option<(&Snapshot<'_>, &[u32])>,
    ) -> Result<Option<Snapshot<'m>>, OutOfMemory> {
        Snapshot::new(outlines, lost, same, (self.copies, self.held.allocator()))
    }
}

impl<'m> Snapshot<'m> {
    /// Returns the values of a function by the names in an outline; of two outlines the names in
    /// the second where those in the first are the same as in the source, and copies of registers
    /// replaced by what they are copies of. `None` if the function is too large.
    fn new(
        outlines: &[&Outline<'m>],
        lost: Lost,
        same: Option<(&Snapshot<'_>, &[u32])>,
        (copies, allocator): (u32, &'m dyn Allocator),
    ) -> Result<Option<Snapshot<'m>>, OutOfMemory> {
        let mut snapshot = Snapshot {
            copies,
            ordinals: Vec::new(allocator),
            changes: Vec::new(allocator),
            unsure: Vec::new(allocator),
        };
        let mut starts = Vec::new(allocator);
        for outline in outlines {
            match outline.entries(lost)? {
                Some(entries) => starts.push(entries)?,
                None => return Ok(None),
            }
        }
        let mut walk = Walk {
            outlines,
            starts: &starts,
            lost,
            same,
            next: 0,
            left: MOST,
        };
        let is_whole =
            walk.run(&mut |site, ordinal, values| snapshot.add(site, ordinal, values))?;
        sort_by_key(&mut snapshot.changes, |&change| change);
        sort_by_key(&mut snapshot.ordinals, |&ordinal| ordinal);
        let is_whole = is_whole
            && walk.run(&mut |site, ordinal, values| snapshot.doubt(site, ordinal, values))?;
        sort_by_key(&mut snapshot.unsure, |&unsure| unsure);
        Ok(is_whole.then_some(snapshot))
    }

    /// Adds the changes of values up to an instruction of the source, which may be known already.
    fn add(
        &mut self,
        site: u32,
        ordinal: u32,
        values: &mut dyn Iterator<Item = (u32, u32, bool)>,
    ) -> Result<(), OutOfMemory> {
        self.ordinals.push((site, ordinal))?;
        for (variable, value, _) in values.filter(|&(.., is_new)| is_new) {
            self.changes.push((variable, ordinal, value))?;
        }
        Ok(())
    }

    /// Notes the variables that have another value where an instruction is met again.
    fn doubt(
        &mut self,
        site: u32,
        ordinal: u32,
        values: &mut dyn Iterator<Item = (u32, u32, bool)>,
    ) -> Result<(), OutOfMemory> {
        if let Some(first) = self.ordinal(site).filter(|&first| first != ordinal) {
            for (variable, value, _) in values {
                if self.at(first, variable) != Some(value) {
                    self.unsure.push((first, variable))?;
                }
            }
        }
        Ok(())
    }

    /// Returns the first ordinal of an instruction of the source.
    fn ordinal(&self, site: u32) -> Option<u32> {
        let place = self.ordinals.partition_point(|&(of, _)| of < site);
        let &(of, ordinal) = self.ordinals.get(place)?;
        (of == site).then_some(ordinal)
    }

    /// Returns the name of the value of a variable at an ordinal.
    fn at(&self, ordinal: u32, variable: u32) -> Option<u32> {
        let known = self
            .changes
            .partition_point(|&(of, from, _)| (of, from) <= (variable, ordinal));
        let &(of, _, value) = self.changes.get(known.checked_sub(1)?)?;
        (of == variable).then_some(value)
    }

    /// Returns the number of the instruction of the source that gave a variable the value which it
    /// has before the instruction of the source that an instruction comes from, if it is one.
    #[must_use]
    pub fn definition(&self, function: &Function<'_>, insn: InsnId, variable: u32) -> Option<u32> {
        let name = self.get(self.provenance(function, insn)?.name, variable)?;
        (name < MEETING).then_some(name & ((1 << SITE_BITS) - 1))
    }

    /// Returns which copies an instruction is in; `None` if it comes from nothing in the source.
    pub(crate) fn provenance(&self, function: &Function<'_>, insn: InsnId) -> Option<Provenance> {
        Provenance::new(function, insn, self.copies)
    }

    /// Returns the name of the value that a variable has before an instruction of the source.
    pub(crate) fn get(&self, site: u32, variable: u32) -> Option<u32> {
        let ordinal = self.ordinal(site)?;
        let is_sure = self.unsure.binary_search(&(ordinal, variable)).is_err();
        self.at(ordinal, variable).filter(|_| is_sure)
    }

    /// Returns the variables that have values in registers somewhere, with these.
    pub(crate) fn in_registers(&self) -> impl Iterator<Item = (u32, u32)> {
        let changes = self.changes.iter().filter(|change| change.2 < MEETING);
        changes.map(|&(variable, _, register)| (variable, register))
    }
}

/// Finds for each register that is a copy of another one, in SSA form, which one.
fn find_copies(function: &Function<'_>, copied: &mut Vec<'_, u32>) -> Result<(), OutOfMemory> {
    copied.resize(function.vreg_count(), NONE)?;
    for &block in &function.layout {
        for insn in function.insns(block) {
            let is_copy = function.insn(insn).opcode.generic() == Some(Generic::Copy);
            if let (true, [to, from]) = (is_copy, function.operands(insn))
                && let (Some(to), Some(from)) = (to.vreg(), from.vreg())
            {
                copied[to.index()] = from.number();
            }
        }
    }
    Ok(())
}

/// A walk over the instructions of a function in the order of its layout, with the values of
/// variables. The outlines have the same blocks and sites.
struct Walk<'a, 'm> {
    outlines: &'a [&'a Outline<'m>],
    /// The values at the start of each block, of each outline.
    starts: &'a [Vec<'m, u32>],
    lost: Lost,
    same: Option<(&'a Snapshot<'a>, &'a [u32])>,
    next: u32,
    /// The number of further values that may be looked at.
    left: usize,
}

/// A receiver of an instruction of the source that is met, its ordinal, and the variables with
/// their values, and with true if that changed since the last one.
type Meet<'a> =
    dyn FnMut(u32, u32, &mut dyn Iterator<Item = (u32, u32, bool)>) -> Result<(), OutOfMemory> + 'a;

impl Walk<'_, '_> {
    /// Walks over the function. Returns false if that takes too long.
    fn run(&mut self, meet: &mut Meet<'_>) -> Result<bool, OutOfMemory> {
        let Some((&first, others)) = self.outlines.split_first() else {
            return Ok(true);
        };
        let (allocator, count) = (first.events.allocator(), first.count);
        let mut last = Vec::new(allocator);
        last.resize(count, NONE)?;
        self.next = 0;
        for place in 0..first.blocks.len() {
            let mut states = [Vec::new(allocator), Vec::new(allocator)];
            for (state, starts) in states.iter_mut().zip(self.starts) {
                let start = place * count;
                state.extend_from_slice(starts.get(start..start + count).unwrap_or_default())?;
            }
            let [definitions, registers] = &mut states;
            let mut further = others
                .first()
                .map_or(&[][..], |other| other.events(place))
                .iter();
            for event in first.events(place) {
                if let Some(value) = definitions.get_mut(event.variable as usize) {
                    *value = event.value(self.lost);
                }
                if event.site == NONE {
                    continue;
                }
                // The second outline has definitions before the same instruction, too.
                for event in further.by_ref().take_while(|other| other.site == NONE) {
                    if let Some(value) = registers.get_mut(event.variable as usize) {
                        *value = event.value(self.lost);
                    }
                }
                let Some(left) = self.left.checked_sub(count) else {
                    return Ok(false);
                };
                self.left = left;
                let mut values = last.iter_mut().enumerate().map(|(variable, known)| {
                    let [definition, register] = [&*definitions, &*registers]
                        .map(|state| state.get(variable).copied().unwrap_or(NONE));
                    let variable = variable as u32;
                    let value = self.value(event.site, variable, [definition, register]);
                    let is_new = core::mem::replace(known, value) != value;
                    (variable, value, is_new)
                });
                meet(event.site, self.next, &mut values)?;
                self.next += 1;
            }
        }
        Ok(true)
    }

    /// Returns the name of the value that a variable has before an instruction of the source.
    fn value(&self, site: u32, variable: u32, [definition, register]: [u32; 2]) -> u32 {
        let Some((source, copied)) = self.same else {
            return definition;
        };
        let is_same = source.get(site, variable) == Some(definition);
        let register = Some(register).filter(|&register| is_same && register < MEETING);
        let from = |&register: &u32| {
            let from = copied.get(register as usize).copied();
            from.filter(|&from| from != NONE)
        };
        let copies = core::iter::successors(register, from);
        copies.take(ROUNDS).last().unwrap_or(NONE)
    }
}
