//! Loop-invariant code motion, and the preheaders and dedicated exits that it needs. In SSA form.
//!
//! An instruction is loop-invariant if all its operands are constants or defined outside the loop.
//! It moves to the preheader, the one block before the loop, if it computes without an effect,
//! cannot fault, and a register is left for its result all through the loop: the registers that the
//! loop wants anyway are counted first. A division stays, since it might not have been executed at
//! all (Muchnick, "Advanced Compiler Design and Implementation", 13.2).
//!
//! Headers are visited in reverse order, inner loops before outer ones, so that what is invariant
//! in those as well moves outward again. The total size of the loops that are visited is bounded by
//! a multiple of the function's.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::liveness::mark_depths;
use crate::codegen::opt::block_merging::rename_source;
use crate::codegen::ssa::construction::{definitions, first_terminator, is_phi};
use crate::machine::{Bank, BlockId, Facts, Function, Generic, InsnId, LowType, Operand, Reg};
use crate::mem::{Entity, Vec};
use crate::target::Isa;
use crate::target::error::Error;

/// The work for all loops, in instructions per instruction of the function.
const MOST_WORK: usize = 12;

/// Moves loop-invariant instructions that are worth a register to the preheaders. Returns whether
/// any was moved.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn hoist(
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

/// Gives each loop that has none a preheader. The control-flow graph changes.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn add_entries(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<(), Error> {
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

/// Gives loops dedicated exits where an edge leaves for a block with PHIs and its source leads
/// elsewhere, too: the copies for the PHIs are not executed in each iteration then. Returns whether
/// there were any, in which case the control-flow graph changes.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn add_exits(function: &mut Function<'_>, flow: &Flow<'_>) -> Result<bool, Error> {
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

/// Returns whether an edge leads to a smaller loop depth and to a block that begins with PHIs.
fn leaves_for_phis(function: &Function<'_>, from: BlockId, to: BlockId) -> bool {
    let first = function.block(to).first();
    function.block(to).depth < function.block(from).depth
        && !function.block(to).address_taken
        && first.is_some_and(|first| is_phi(function, first))
}

/// Redirects the branches at the end of a block from `old` to `new`. Returns whether there were
/// any.
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

/// Returns whether all branches of a block can be redirected, which those through jump tables
/// cannot.
fn branches_plainly(function: &Function<'_>, block: BlockId) -> bool {
    let last = function.block(block).last();
    let last = last.and_then(|last| function.insn(last).opcode.generic());
    !matches!(last, Some(Generic::Brjt | Generic::Brindirect))
}

/// Returns the one block that a loop is entered from, if it leads elsewhere, too, and a preheader
/// can be put between.
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
    // The block before it in the layout must not fall through into the preheader from inside the
    // loop.
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

/// Returns whether an instruction is worth a register all through a loop. A division is not, as it
/// might not be executed at all.
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
