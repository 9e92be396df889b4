//! The places that hold variables in allocated code, for debuggers.
//!
//! The proof of an allocation ([`checker`](super::checker)) knows which values each place holds at
//! each instruction, whatever was coalesced, split or spilled. A place holds a variable before an
//! instruction if it holds the variable's register, and that has the value that the variable has in
//! the source before the instruction that this one comes from: by the names of
//! [`variable_values`](crate::codegen::analysis::variable_values) in code that was never in SSA
//! form, where a register has several definitions; else by the register itself.

use crate::codegen::analysis::variable_values::{
    HeldVariable, Holder, Snapshot, Tracked, VariableValues, own_site,
};
use crate::codegen::regalloc::checker::{FRAMES, Held, Observe, UNALLOCATED};
use crate::machine::{FrameId, Function, InsnId, Operand};
use crate::mem::{Entity, OutOfMemory, Vec};
use crate::target::Isa;

/// The most places of variables that are noted; a function with more has none.
const MOST: usize = 1 << 20;

/// An observer of what places hold.
pub(crate) struct Observer<'a, 'm> {
    held: &'a mut Vec<'m, HeldVariable>,
    insns: &'a mut Vec<'m, InsnId>,
    /// The values of the source: by definitions, or by registers if it was in SSA form.
    known: Snapshot<'m>,
    /// The registers and the variables that have their values, if it was in SSA form.
    pairs: Vec<'m, (u32, u32)>,
    tracked: Tracked<'m>,
    /// The definitions that variables have their values from at the start of each block, if it was
    /// not in SSA form.
    starts: Vec<'m, u32>,
    /// The same at the current instruction.
    state: Vec<'m, u32>,
    /// The index of the first variable that is noted of the current instruction.
    first: usize,
    /// The symbols of those that are noted of it.
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
        let mut pairs = Vec::new(allocator);
        let (known, starts) = match values.registers.take() {
            Some(registers) => {
                pairs = registers.pairs()?;
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
            known,
            pairs,
            tracked,
            starts,
            state: Vec::new(allocator),
            first: 0,
            symbols: Vec::new(allocator),
        }))
    }

    /// Notes that a place holds the variables that have the value of a symbol before an instruction
    /// that comes from this one of the source.
    fn note(&mut self, insn: InsnId, site: u32, held: Held) -> Result<(), OutOfMemory> {
        let (place, symbol) = held;
        let holder = match place.checked_sub(FRAMES) {
            Some(frame) => Holder::Frame(FrameId::new(frame)),
            None if place == u32::from(UNALLOCATED) => return Ok(()),
            None => Holder::Unit(place as u8),
        };
        let variable = self.tracked.of.get(symbol as usize).copied();
        let value = variable.and_then(|variable| self.state.get(variable as usize));
        if let (Some(variable), Some(&value)) = (variable, value)
            && self.known.get(site, variable) == Some(value)
        {
            self.add(insn, variable, holder, held)?;
        }
        let mut index = self.pairs.partition_point(|&(of, _)| of < symbol);
        while let Some(&(_, variable)) = self.pairs.get(index).filter(|&&(of, _)| of == symbol) {
            index += 1;
            if self.known.get(site, variable) == Some(symbol) {
                self.add(insn, variable, holder, held)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        insn: InsnId,
        variable: u32,
        holder: Holder,
        held: Held,
    ) -> Result<(), OutOfMemory> {
        self.symbols.push(held)?;
        self.held.push(HeldVariable {
            insn,
            variable,
            holder,
            stays: false,
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
        held: &[Held],
    ) -> Result<(), OutOfMemory> {
        self.first = self.held.len();
        self.symbols.clear();
        let site = own_site(function, insn).filter(|_| self.first < MOST);
        self.insns.push(insn)?;
        for &held in held {
            if let Some(site) = site {
                self.note(insn, site, held)?;
            }
        }
        Ok(())
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
