//! What is the same in each turn of a loop is computed before it, as far as registers go. In SSA form.
//!
//! Inner loops first, so that what is the same in outer ones too goes on outward.

use super::Error;
use super::flow::Flow;
use super::liveness::mark_depths;
use super::merge::rename_source;
use super::ssa::{definitions, first_terminator, is_phi};
use crate::machine::{Bank, BlockId, Facts, Function, Generic, InsnId, LowType, Operand, Reg};
use crate::mem::{Entity, Vec};
use crate::target::Isa;

/// The work for all loops, in instructions per instruction of the function.
const MOST_WORK: usize = 12;

/// Moves what is worth it out of loops; whether anything was.
///
/// # Errors
///
/// Out of memory.
pub(super) fn hoist(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
) -> Result<bool, Error> {
    let mut moved = false;
    if !flow.has_loops() {
        return Ok(moved);
    }
    let mut loops = Loops::new(function)?;
    let mut budget = MOST_WORK * (function.insn_count() + 16);
    for place in (1..flow.order.len()).rev() {
        let Some(&header) = flow.order.get(place) else {
            break;
        };
        let Some(outside) = loops.find(flow, header)? else {
            continue;
        };
        let size = loops.size(function);
        if size > budget {
            break;
        }
        budget -= size;
        if let &[next] = flow.edges.successors(outside)
            && next == header
        {
            moved |= loops.hoist(function, isa, header, outside);
        }
    }
    Ok(moved)
}

/// Gives each loop that has none a block before it that leads nowhere else; the edges change.
///
/// # Errors
///
/// Out of memory.
pub(super) fn add_entries(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<(), Error> {
    let allocator = function.allocator();
    let mut layout = Vec::with_capacity(allocator, function.layout.len())?;
    for place in 0..function.layout.len() {
        let Some(&header) = function.layout.get(place) else {
            break;
        };
        if let Some(from) = entry_edge(function, flow, header, place) {
            let entry = function.add_block()?;
            layout.push(entry)?;
            redirect(function, from, header, entry);
            rename_source(function, header, from, entry);
            let to = [Operand::block(header)];
            function.append(entry, Generic::Br, LowType::S64, &to)?;
        }
        layout.push(header)?;
    }
    function.layout = layout;
    Ok(())
}

/// Gives the ways out of loops to where PHIs are blocks of their own, if their sources lead elsewhere too: what is copied
/// for the PHIs is not copied in each turn then. Whether there were any; the edges change.
///
/// # Errors
///
/// Out of memory.
pub(super) fn add_exits(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<bool, Error> {
    mark_depths(function, &flow.edges)?;
    let allocator = function.allocator();
    let mut layout = Vec::with_capacity(allocator, function.layout.len())?;
    let mut last = Vec::new(allocator);
    for place in 0..function.layout.len() {
        let Some(&from) = function.layout.get(place) else {
            break;
        };
        layout.push(from)?;
        let nexts = flow.edges.successors(from);
        if nexts.len() < 2 || !branches_plainly(function, from) {
            continue;
        }
        for &to in nexts {
            if !leaves_for_phis(function, from, to) {
                continue;
            }
            let exit = function.add_block()?;
            if redirect(function, from, to, exit) {
                last.push(exit)?;
            } else {
                layout.push(exit)?;
            }
            rename_source(function, to, from, exit);
            function.append(exit, Generic::Br, LowType::S64, &[Operand::block(to)])?;
        }
    }
    let changed = layout.len() + last.len() > function.layout.len();
    layout.extend_from_slice(&last)?;
    function.layout = layout;
    Ok(changed)
}

/// Whether a block is outside of the innermost loop of another, and begins with PHIs.
fn leaves_for_phis(function: &Function<'_>, from: BlockId, to: BlockId) -> bool {
    let first = function.block(to).first();
    function.block(to).depth < function.block(from).depth
        && !function.block(to).address_taken
        && first.is_some_and(|first| is_phi(function, first))
}

/// Lets the branches at the end of a block go elsewhere; whether there were any that led there.
fn redirect(function: &mut Function<'_>, from: BlockId, old: BlockId, new: BlockId) -> bool {
    let mut was_there = false;
    let mut last = function.block(from).last();
    while let Some(insn) = last {
        let generic = function.insn(insn).opcode.generic();
        if !generic.is_some_and(Generic::is_terminator) {
            break;
        }
        last = function.insn(insn).previous();
        for operand in function.operands_mut(insn) {
            if operand.as_block() == Some(old) {
                *operand = Operand::block(new);
                was_there = true;
            }
        }
    }
    was_there
}

/// Whether all blocks that a block leads to can be other ones: jump tables are not changed.
fn branches_plainly(function: &Function<'_>, block: BlockId) -> bool {
    let last = function.block(block).last();
    let last = last.and_then(|last| function.insn(last).opcode.generic());
    !matches!(last, Some(Generic::Brjt | Generic::Brindirect))
}

/// The one block that a loop is entered from, if it leads elsewhere too and a block can be put between.
fn entry_edge(
    function: &Function<'_>,
    flow: &Flow<'_>,
    header: BlockId,
    place: usize,
) -> Option<BlockId> {
    let (mut outside, mut is_loop) = (None, false);
    for &from in flow.edges.predecessors(header) {
        if flow.dominates(header, from) {
            is_loop = true;
        } else if outside.replace(from).is_some() {
            return None;
        }
    }
    let from = outside.filter(|_| is_loop && !function.block(header).address_taken)?;
    if flow.edges.successors(from).len() < 2 {
        return None;
    }
    // What comes before in the layout must not fall into the loop from within.
    let before = function.layout.get(place.checked_sub(1)?).copied()?;
    let falls = function.block(before).last().is_none_or(|last| {
        let generic = function.insn(last).opcode.generic();
        generic.is_none_or(|generic| {
            !generic.is_terminator() || matches!(generic, Generic::BrIcmp | Generic::BrFcmp)
        })
    });
    (branches_plainly(function, from) && (before == from || !falls)).then_some(from)
}

/// The loops of a function, one at a time.
pub(super) struct Loops<'m> {
    /// The blocks of the present loop.
    pub(super) members: Vec<'m, BlockId>,
    /// The header of the loop that a block was last found in.
    pub(super) stamps: Vec<'m, u32>,
    /// The header of the loop in which a register was last counted.
    read: Vec<'m, u32>,
    pub(super) definitions: Vec<'m, Option<InsnId>>,
}

impl<'m> Loops<'m> {
    pub(super) fn new(function: &Function<'m>) -> Result<Loops<'m>, Error> {
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

    /// There are registers that were not there at first.
    pub(super) fn add_registers(&mut self, count: usize) -> Result<(), Error> {
        self.read.resize(count, u32::MAX)?;
        self.definitions.resize(count, None)?;
        Ok(())
    }

    /// How many blocks and instructions the present loop has.
    pub(super) fn size(&self, function: &Function<'_>) -> usize {
        let sizes = self.members.iter();
        sizes
            .map(|&member| 1 + function.insns(member).count())
            .sum()
    }

    /// Whether the present loop calls.
    pub(super) fn has_call(&self, function: &Function<'_>) -> bool {
        let is_call = |insn| function.insn(insn).opcode.generic() == Some(Generic::Call);
        let mut members = self.members.iter();
        members.any(|&member| function.insns(member).any(is_call))
    }

    /// Collects the loop of a header; gives the one block that it is entered from.
    pub(super) fn find(
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

    /// Whether an operand is the same in each turn.
    pub(super) fn is_fixed(
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

    /// How many registers of each bank the loop wants besides what it computes for itself.
    pub(super) fn pressure(&mut self, function: &Function<'_>, header: BlockId) -> [usize; 2] {
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

    fn hoist(
        &mut self,
        function: &mut Function<'_>,
        isa: &dyn Isa,
        header: BlockId,
        outside: BlockId,
    ) -> bool {
        let mut moved = false;
        let has_call = self.has_call(function);
        let mut room = self.pressure(function, header);
        for (room, bank) in room.iter_mut().zip([Bank::General, Bank::Floating]) {
            *room = registers_for(isa, bank, has_call).saturating_sub(*room);
        }
        for number in 0..self.members.len() {
            let Some(&member) = self.members.get(number) else {
                break;
            };
            let mut next = function.block(member).first();
            while let Some(insn) = next {
                next = function.insn(insn).next();
                let row = *function.insn(insn);
                let is_wanted = (row.opcode.generic())
                    .is_some_and(|generic| is_worth_it(function, isa, insn, generic));
                let is_fixed = (function.operands(insn).iter())
                    .all(|&operand| operand.is_def() || self.is_fixed(function, header, operand));
                let computes = function.operands(insn).first().and_then(|to| to.vreg());
                let Some(computes) = computes.filter(|_| is_wanted && is_fixed) else {
                    continue;
                };
                let room = &mut room[function.vreg(computes).bank as usize];
                if *room == 0 || row.ty.is_long_double() {
                    continue;
                }
                let before = first_terminator(function, outside);
                function.move_insn(insn, outside, before);
                moved = true;
                *room -= 1;
            }
        }
        moved
    }
}

/// How many registers of a bank may be taken all through a loop, a few being left for what it computes.
pub(super) fn registers_for(isa: &dyn Isa, bank: Bank, has_call: bool) -> usize {
    let registers = isa.registers();
    let class = registers.class((registers.class_of)(bank, LowType::S64));
    let order = class.order;
    match (bank, has_call) {
        (_, false) => order.len().saturating_sub(4),
        // What lives across calls has only the registers that calls preserve.
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

/// Whether an instruction is worth a register all through a loop. No division: it might not have been done at all.
fn is_worth_it(function: &Function<'_>, isa: &dyn Isa, insn: InsnId, generic: Generic) -> bool {
    use Generic as G;
    if matches!(generic, G::Constant | G::FConstant) {
        let value = function.operands(insn).get(1).copied();
        let value = value.and_then(|value| function.immediate(value));
        let ty = function.insn(insn).ty;
        return value.is_some_and(|value| !isa.takes_immediate(generic, ty, 1, value));
    }
    generic.is(Facts::HOISTED)
}
