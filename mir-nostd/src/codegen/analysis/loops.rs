//! Natural loops, found one at a time from their headers, and the registers that they leave free.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::phis::{definitions, is_phi};
use crate::machine::{Bank, BlockId, Function, Generic, InsnId, LowType, Operand, Reg};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;
use crate::target::{AddressForm, Isa};

/// The loops of a function, one at a time.
pub(crate) struct Loops<'m> {
    /// The blocks of the present loop.
    pub(crate) members: Vec<'m, BlockId>,
    /// The header of the loop that each block was last found in.
    pub(crate) stamps: Vec<'m, u32>,
    /// The header of the loop in which each register was last counted.
    read: Vec<'m, u32>,
    pub(crate) definitions: Vec<'m, Option<InsnId>>,
}

impl<'m> Loops<'m> {
    pub(crate) fn new(function: &Function<'m>) -> Result<Loops<'m>, Error> {
        let allocator = function.allocator();
        let mut loops = Loops {
            members: Vec::new(allocator),
            stamps: Vec::new(allocator),
            read: Vec::new(allocator),
            definitions: definitions(function)?,
        };
        loops.stamps.resize(function.block_count(), u32::MAX)?;
        loops.read.resize(function.vreg_count(), u32::MAX)?;
        Ok(loops)
    }

    /// Extends the tables for registers that were added to the function.
    pub(crate) fn add_registers(&mut self, count: usize) -> Result<(), Error> {
        self.read.resize(count, u32::MAX)?;
        self.definitions.resize(count, None)?;
        Ok(())
    }

    /// Returns the number of blocks and instructions of the present loop.
    pub(crate) fn size(&self, function: &Function<'_>) -> usize {
        let sizes = self.members.iter();
        sizes
            .map(|&member| 1 + function.insns(member).count())
            .sum()
    }

    /// Returns whether the present loop calls.
    pub(crate) fn has_call(&self, function: &Function<'_>) -> bool {
        let is_call = |insn| function.insn(insn).opcode.generic() == Some(Generic::Call);
        let mut members = self.members.iter();
        members.any(|&member| function.insns(member).any(is_call))
    }

    /// Collects the natural loop of a header. Returns the one block that it is entered from.
    pub(crate) fn find(
        &mut self,
        flow: &Flow<'_>,
        header: BlockId,
    ) -> Result<Option<BlockId>, Error> {
        self.members.clear();
        let mut outside = None;
        let mut several = false;
        for &from in flow.edges.predecessors(header) {
            if !flow.dominates(header, from) {
                several |= outside.replace(from).is_some();
            } else if self.stamps[from.index()] != header.number() {
                self.stamps[from.index()] = header.number();
                self.members.push(from)?;
            }
        }
        if self.members.is_empty() || several {
            return Ok(None);
        }
        if self.stamps[header.index()] != header.number() {
            self.stamps[header.index()] = header.number();
            self.members.push(header)?;
        }
        let mut next = 0;
        while let Some(&member) = self.members.get(next) {
            next += 1;
            if member == header {
                continue;
            }
            for &from in flow.edges.predecessors(member) {
                if flow.place(from).is_some() && self.stamps[from.index()] != header.number() {
                    self.stamps[from.index()] = header.number();
                    self.members.push(from)?;
                }
            }
        }
        Ok(outside)
    }

    /// Returns whether an operand is loop-invariant in the present loop.
    pub(crate) fn is_fixed(
        &self,
        function: &Function<'_>,
        header: BlockId,
        operand: Operand,
    ) -> bool {
        match (operand.vreg(), operand.as_reg()) {
            (Some(vreg), _) => {
                let definition = self.definitions.get(vreg.index()).copied().flatten();
                definition.is_some_and(|insn| {
                    let block = function.insn(insn).block();
                    self.stamps[block.index()] != header.number()
                })
            }
            (None, Some(reg)) => reg.is_none(),
            _ => true,
        }
    }

    /// Returns the number of registers of each bank that the loop needs besides those for values
    /// that it computes for itself.
    pub(crate) fn pressure(&mut self, function: &Function<'_>, header: BlockId) -> [usize; 2] {
        let mut counts = [0; 2];
        for &member in &self.members {
            for insn in function.insns(member) {
                for &operand in function.operands(insn) {
                    let Some(vreg) = operand.vreg() else {
                        continue;
                    };
                    let is_counted = if operand.is_def() {
                        is_phi(function, insn) && member == header
                    } else {
                        self.is_fixed(function, header, operand)
                    };
                    if is_counted && self.read.get(vreg.index()) != Some(&header.number()) {
                        if let Some(place) = self.read.get_mut(vreg.index()) {
                            *place = header.number();
                        }
                        counts[function.vreg(vreg).bank as usize] += 1;
                    }
                }
            }
        }
        counts
    }
}

/// Returns the number of registers of a bank that values may occupy all through a loop, leaving a
/// few for what the loop computes.
pub(crate) fn registers_for(isa: &dyn Isa, bank: Bank, has_call: bool) -> usize {
    let registers = isa.registers();
    let class = registers.class((registers.class_of)(bank, LowType::S64));
    let order = class.order;
    match (bank, has_call) {
        (_, false) => order.len().saturating_sub(4),
        // Values that live across calls have only the callee-saved registers.
        (Bank::General, true) => (order.len() / 2).saturating_sub(2),
        (Bank::Floating, true) => {
            let units = |row: u16| registers.units(Reg::physical(row));
            let saved = order
                .iter()
                .filter(|&&row| registers.saved.contains(units(row)));
            saved.count().saturating_sub(2)
        }
    }
}

/// Returns whether indexes are scaled by instructions apart from loads and stores.
pub(crate) fn scales_apart(isa: &dyn Isa) -> bool {
    let scaled = AddressForm {
        has_frame: false,
        has_index: true,
        scale: 8,
        displacement: 0,
    };
    !isa.takes_address(LowType::S64, &scaled)
}
