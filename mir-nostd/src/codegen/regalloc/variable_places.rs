//! The places that hold variables in allocated code, for debuggers.
//!
//! The proof of an allocation ([`checker`](super::checker)) knows which values each place holds at
//! each instruction, whatever was coalesced, split or spilled. A place holds a variable before an
//! instruction if it holds the variable's register, and that has the value that the variable has in
//! the source before the instruction that this one comes from: by the names of
//! [`variable_values`](crate::codegen::analysis::variable_values) in code that was never in SSA
//! form, where a register has several definitions; else by the register itself.

use crate::codegen::analysis::known_constants::KnownConstants;
use crate::codegen::analysis::variable_values::{
    HeldVariable, Holder, NONE, Provenance, Snapshot, Tracked, VariableValues,
};
use crate::codegen::regalloc::checker::{FRAMES, Held, Observe, UNALLOCATED};
use crate::machine::{FrameId, Function, InsnId, NewNames, Operand, UnitSet, VReg};
use crate::mem::{Allocator, Entity, OutOfMemory, Vec};
use crate::target::{Isa, RegisterFile};

/// The most places of variables that are noted; a function with more has none.
const MOST: usize = 1 << 20;
/// The most values of variables that are looked up.
const MOST_LOOKUPS: usize = 1 << 24;

/// The variables that may have the value of each register.
struct Candidates<'m> {
    /// The index after the first item of each register; 0 for none.
    heads: Vec<'m, u32>,
    /// Variables, and the index after the next item.
    items: Vec<'m, (u32, u32)>,
    /// The number of further items that may be looked at.
    left: usize,
}

impl<'m> Candidates<'m> {
    /// Returns those of a function that was in SSA form, with the registers of copies; `None` if
    /// they are too many.
    fn new(
        function: &Function<'_>,
        known: &Snapshot<'_>,
        allocator: &'m dyn Allocator,
    ) -> Result<Option<Candidates<'m>>, OutOfMemory> {
        let mut candidates = Candidates {
            heads: Vec::new(allocator),
            items: Vec::new(allocator),
            left: MOST_LOOKUPS,
        };
        candidates.heads.resize(function.vreg_count(), 0)?;
        for (variable, register) in known.in_registers() {
            candidates.add(register as usize, variable)?;
        }
        for renamed in function.origins.copies().renamed() {
            let Some(new) = renamed.new.filter(|_| candidates.left > 0) else {
                continue;
            };
            let mut next = candidates.first(renamed.old.index());
            while let Some((variable, after)) = candidates.item(next) {
                candidates.add(new.index(), variable)?;
                next = after;
            }
        }
        Ok((candidates.left > 0).then_some(candidates))
    }

    fn first(&self, register: usize) -> u32 {
        self.heads.get(register).copied().unwrap_or(0)
    }

    fn item(&self, index: u32) -> Option<(u32, u32)> {
        self.items.get((index as usize).checked_sub(1)?).copied()
    }

    fn add(&mut self, register: usize, variable: u32) -> Result<(), OutOfMemory> {
        let first = self.first(register);
        let mut next = first;
        while let Some((other, after)) = self.item(next) {
            self.left = self.left.saturating_sub(1);
            if other == variable || self.left == 0 {
                return Ok(());
            }
            next = after;
        }
        if let Some(head) = self.heads.get_mut(register) {
            self.items.push((variable, first))?;
            *head = self.items.len() as u32;
        }
        Ok(())
    }
}

/// The values of variables in a function that was in SSA form.
struct InSsa<'m> {
    candidates: Candidates<'m>,
    names: NewNames<'m>,
}

/// An observer of what places hold.
pub(crate) struct Observer<'a, 'm> {
    held: &'a mut Vec<'m, HeldVariable>,
    insns: &'a mut Vec<'m, InsnId>,
    constants: &'a KnownConstants<'m>,
    /// The units of the scratch registers.
    scratch: UnitSet,
    /// The values of the source: by definitions, or by registers if it was in SSA form.
    known: Snapshot<'m>,
    in_ssa: Option<InSsa<'m>>,
    tracked: Tracked<'m>,
    /// The definitions that variables have their values from at the start of each block, if it was
    /// not in SSA form.
    starts: Vec<'m, u32>,
    /// The same at the current instruction.
    state: Vec<'m, u32>,
    /// The place of the last instruction in the source, and the copies that it was in.
    provenance: Option<Provenance>,
    /// The names of the values that variables have there, or [`NONE`].
    values: Vec<'m, u32>,
    /// The number of further values that may be looked up.
    left: usize,
    /// The index of the first variable that is noted of the current instruction.
    first: usize,
    /// The symbols of those that are noted of it, constants apart, which come after these.
    symbols: Vec<'m, Held>,
}

impl<'a, 'm> Observer<'a, 'm> {
    /// Returns an observer of a function that is about to be allocated; `None` if it is too large.
    pub(crate) fn new(
        function: &Function<'_>,
        isa: &dyn Isa,
        values: &'a mut VariableValues<'m>,
    ) -> Result<Option<Self>, OutOfMemory> {
        let allocator = values.held.allocator();
        let tracked = Tracked::new(function, allocator)?;
        let mut in_ssa = None;
        let (known, starts) = match values.registers.take() {
            Some(registers) => {
                let names = NewNames::new(function.origins.copies(), allocator)?;
                let Some(candidates) = Candidates::new(function, &registers, allocator)? else {
                    return Ok(None);
                };
                in_ssa = Some(InSsa { candidates, names });
                (registers, Vec::new(allocator))
            }
            None => match values.compare(function, isa, &tracked)? {
                Some(both) => both,
                None => return Ok(None),
            },
        };
        Ok(Some(Observer {
            held: &mut values.held,
            insns: &mut values.insns,
            constants: &values.constants,
            scratch: scratch_units(isa.registers()),
            known,
            in_ssa,
            tracked,
            starts,
            state: Vec::new(allocator),
            provenance: None,
            values: Vec::new(allocator),
            left: MOST_LOOKUPS,
            first: 0,
            symbols: Vec::new(allocator),
        }))
    }

    /// Finds the values that variables have where an instruction comes from. Returns whether they
    /// are known.
    fn find_values(&mut self, function: &Function<'_>, insn: InsnId) -> Result<bool, OutOfMemory> {
        let provenance = self.known.provenance(function, insn);
        let Some(provenance) = provenance.filter(|_| self.held.len() < MOST) else {
            return Ok(false);
        };
        if self.provenance.as_ref() == Some(&provenance) {
            return Ok(true);
        }
        let count = self.tracked.count;
        let Some(left) = self.left.checked_sub(count) else {
            return Ok(false);
        };
        self.left = left;
        self.values.clear();
        for variable in 0..count as u32 {
            let value = self.known.get(provenance.name, variable);
            let value = match &self.in_ssa {
                Some(in_ssa) => value.filter(|&value| value != NONE).and_then(|value| {
                    let new = in_ssa.names.resolve(&provenance.rounds, VReg::new(value));
                    new.map(|new| new.number())
                }),
                None => value,
            };
            self.values.push(value.unwrap_or(NONE))?;
        }
        self.provenance = Some(provenance);
        Ok(true)
    }

    /// Notes that a place holds the variables that have the value of a symbol before an
    /// instruction.
    fn note(&mut self, insn: InsnId, held: Held, all: &[Held]) -> Result<(), OutOfMemory> {
        let (place, symbol) = held;
        let is_in_frame =
            || { all.iter() }.any(|&(place, other)| place >= FRAMES && other == symbol);
        let holder = match place.checked_sub(FRAMES) {
            Some(frame) => Holder::Frame(FrameId::new(frame)),
            None if place == u32::from(UNALLOCATED) => return Ok(()),
            // A later stage may have a value read from the frame that is in a scratch register,
            // too.
            None if self.scratch.overlaps(UnitSet::unit(place as u8)) && is_in_frame() => {
                return Ok(());
            }
            None => Holder::Unit(place as u8),
        };
        let Some(in_ssa) = &self.in_ssa else {
            let variable = self.tracked.of.get(symbol as usize).copied();
            let [state, value] = [&self.state, &self.values]
                .map(|all| variable.and_then(|variable| all.get(variable as usize)));
            if let (Some(variable), true, Some(_)) = (variable, state == value, value) {
                self.symbols.push(held)?;
                return self.add(insn, variable, holder);
            }
            return Ok(());
        };
        let mut next = in_ssa.candidates.first(symbol as usize);
        while let Some((variable, after)) = { &self.in_ssa }
            .as_ref()
            .and_then(|in_ssa| in_ssa.candidates.item(next))
        {
            next = after;
            if self.values.get(variable as usize) == Some(&symbol) {
                self.symbols.push(held)?;
                self.add(insn, variable, holder)?;
            }
        }
        Ok(())
    }

    /// Notes the variables that have constant values.
    fn note_constants(&mut self, insn: InsnId) -> Result<(), OutOfMemory> {
        for variable in 0..self.values.len() {
            let value = Some(self.values[variable]).filter(|&value| value != NONE);
            let constant = value.and_then(|value| self.constants.get(VReg::new(value)));
            if let Some(constant) = constant.filter(|_| self.in_ssa.is_some()) {
                self.add(insn, variable as u32, Holder::Number(constant))?;
            }
        }
        Ok(())
    }

    fn add(&mut self, insn: InsnId, variable: u32, holder: Holder) -> Result<(), OutOfMemory> {
        self.held.push(HeldVariable {
            insn,
            variable,
            holder,
            stays: matches!(holder, Holder::Number(_)),
        })
    }
}

impl Observe for Observer<'_, '_> {
    fn enter(&mut self, place: usize) -> Result<(), OutOfMemory> {
        let count = self.tracked.count;
        let start = place.saturating_mul(count);
        let state = self.starts.get(start..start.saturating_add(count));
        self.state.clear();
        self.state.extend_from_slice(state.unwrap_or_default())
    }

    fn before(
        &mut self,
        function: &Function<'_>,
        insn: InsnId,
        all: &[Held],
    ) -> Result<(), OutOfMemory> {
        self.first = self.held.len();
        self.symbols.clear();
        self.insns.push(insn)?;
        if !self.find_values(function, insn)? {
            return Ok(());
        }
        for &held in all {
            self.note(insn, held, all)?;
        }
        self.note_constants(insn)
    }

    fn after(&mut self, held: &[Held]) {
        let noted = self.held.iter_mut().skip(self.first);
        for (noted, symbol) in noted.zip(&self.symbols) {
            noted.stays = held.contains(symbol);
        }
    }

    fn define(&mut self, function: &Function<'_>, insn: InsnId, operands: &[Operand]) {
        let name = Tracked::definition(function, insn);
        for operand in operands.iter().filter(|operand| operand.is_def()) {
            let variable = operand.vreg().and_then(|vreg| self.tracked.variable(vreg));
            if let Some(value) = variable.and_then(|variable| self.state.get_mut(variable)) {
                *value = name;
            }
        }
    }
}

/// Returns the units of the scratch registers.
fn scratch_units(registers: &RegisterFile) -> UnitSet {
    let scratch = { registers.scratch_general.iter() }.chain(registers.scratch_floating);
    scratch.fold(UnitSet::EMPTY, |units, &reg| {
        units.union(registers.units(reg))
    })
}
