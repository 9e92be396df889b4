//! The blocks of natural loops, and the registers that they leave free.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::loop_forest::LoopForest;
use crate::codegen::analysis::phis::{definitions, is_phi};
use crate::machine::{Bank, BlockId, Function, Generic, InsnId, LowType, Operand, Reg, VReg};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;
use crate::target::{AddressForm, Isa};

/// The loops of a function with their blocks. A loop is known by its header.
pub(crate) struct Loops<'m> {
    /// The blocks of all loops. Those of one loop are a run that begins with its header, in which
    /// the runs of inner loops lie; a block comes after those of the run that dominate it.
    blocks: Vec<'m, BlockId>,
    /// The index of each block in `blocks`; that of no loop's is at the end.
    places: Vec<'m, u32>,
    /// The number of blocks of the loop with each header, 0 for other blocks.
    counts: Vec<'m, u32>,
    /// The header of the loop in which each register was last counted.
    counted: Vec<'m, u32>,
    /// How often each register is read in that loop.
    reads: Vec<'m, u32>,
    pub(crate) definitions: Vec<'m, Option<InsnId>>,
}

impl<'m> Loops<'m> {
    pub(crate) fn new(function: &Function<'m>, flow: &Flow<'_>) -> Result<Loops<'m>, Error> {
        let allocator = function.allocator();
        let mut loops = Loops {
            blocks: Vec::new(allocator),
            places: Vec::new(allocator),
            counts: Vec::new(allocator),
            counted: Vec::new(allocator),
            reads: Vec::new(allocator),
            definitions: definitions(function)?,
        };
        loops.counted.resize(function.vreg_count(), u32::MAX)?;
        loops.reads.resize(function.vreg_count(), 0)?;
        loops.counts.resize(function.block_count(), 0)?;
        loops.places.resize(function.block_count(), u32::MAX)?;
        if let Some(forest) = LoopForest::find(flow, function.block_count(), allocator)? {
            loops.collect(&forest, flow)?;
        }
        Ok(loops)
    }

    /// Lists the blocks of the loops of a forest. Headers come before their loops in the reverse
    /// postorder, so inner loops are counted first and placed last.
    fn collect(&mut self, forest: &LoopForest<'m>, flow: &Flow<'_>) -> Result<(), Error> {
        let allocator = self.blocks.allocator();
        let mut total = 0;
        for &block in flow.order.iter().rev() {
            let Some(header) = forest.inner(block) else {
                continue;
            };
            self.counts[header.index()] += 1;
            total += 1;
            if header == block
                && let Some(outer) = forest.outer(header)
            {
                self.counts[outer.index()] += self.counts[header.index()];
            }
        }
        // The place in each loop, and last outside of all, that is free for its next block.
        let outside = self.counts.len();
        let mut free = Vec::new(allocator);
        free.resize(outside + 1, 0_u32)?;
        self.blocks.resize(total, BlockId::new(0))?;
        for &block in &flow.order {
            let Some(header) = forest.inner(block) else {
                continue;
            };
            if header == block {
                let around = forest.outer(header).map_or(outside, Entity::index);
                free[header.index()] = free[around];
                free[around] += self.counts[header.index()];
            }
            let place = free[header.index()];
            free[header.index()] += 1;
            self.blocks[place as usize] = block;
            self.places[block.index()] = place;
        }
        Ok(())
    }

    /// Extends the tables for registers that were added to the function.
    pub(crate) fn add_registers(&mut self, count: usize) -> Result<(), Error> {
        self.counted.resize(count, u32::MAX)?;
        self.reads.resize(count, 0)?;
        self.definitions.resize(count, None)?;
        Ok(())
    }

    /// Returns the blocks of a loop, its header first.
    pub(crate) fn members(&self, header: BlockId) -> &[BlockId] {
        let start = self.places[header.index()] as usize;
        let count = self.counts[header.index()] as usize;
        let run = start..start.saturating_add(count);
        self.blocks.get(run).unwrap_or_default()
    }

    /// Returns whether a block is one of a loop's.
    pub(crate) fn contains(&self, header: BlockId, block: BlockId) -> bool {
        let distance = self.places[block.index()].wrapping_sub(self.places[header.index()]);
        distance < self.counts[header.index()]
    }

    /// Returns the number of blocks and instructions of a loop.
    pub(crate) fn size(&self, function: &Function<'_>, header: BlockId) -> usize {
        let sizes = self.members(header).iter();
        sizes
            .map(|&member| 1 + function.insns(member).count())
            .sum()
    }

    /// Returns whether a loop calls.
    pub(crate) fn has_call(&self, function: &Function<'_>, header: BlockId) -> bool {
        let is_call = |insn| function.insn(insn).opcode.generic() == Some(Generic::Call);
        let mut members = self.members(header).iter();
        members.any(|&member| function.insns(member).any(is_call))
    }

    /// Returns the one block that a loop is entered from; `None` if there are several, or if the
    /// block is not a header.
    pub(crate) fn entering_block(&self, flow: &Flow<'_>, header: BlockId) -> Option<BlockId> {
        if self.counts[header.index()] == 0 {
            return None;
        }
        let sources = flow.edges.predecessors(header).iter();
        let mut outside = sources.filter(|&&from| !flow.dominates(header, from));
        let first = outside.next().copied();
        first.filter(|_| outside.next().is_none())
    }

    /// Returns whether an operand is loop-invariant.
    pub(crate) fn is_fixed(
        &self,
        function: &Function<'_>,
        header: BlockId,
        operand: Operand,
    ) -> bool {
        match (operand.vreg(), operand.as_reg()) {
            (Some(vreg), _) => {
                let definition = self.definitions.get(vreg.index()).copied().flatten();
                definition.is_some_and(|insn| !self.contains(header, function.insn(insn).block()))
            }
            (None, Some(reg)) => reg.is_none(),
            _ => true,
        }
    }

    /// Returns the number of registers of each bank that the loop needs besides those for values
    /// that it computes for itself. Counts how often each register is read in the loop.
    pub(crate) fn pressure(&mut self, function: &Function<'_>, header: BlockId) -> [usize; 2] {
        let mut counts = [0; 2];
        for index in 0..self.members(header).len() {
            let Some(&member) = self.members(header).get(index) else {
                break;
            };
            for insn in function.insns(member) {
                let enters = is_phi(function, insn) && member == header;
                for &operand in function.operands(insn) {
                    let Some(vreg) = operand.vreg() else {
                        continue;
                    };
                    // The loop needs no more the value that a PHI begins with.
                    if enters && !operand.is_def() && self.is_fixed(function, header, operand) {
                        continue;
                    }
                    let is_first = self.count_read(vreg, header, operand);
                    let is_wanted = if operand.is_def() {
                        enters
                    } else {
                        is_first && self.is_fixed(function, header, operand)
                    };
                    counts[function.vreg(vreg).bank as usize] += usize::from(is_wanted);
                }
            }
        }
        counts
    }

    /// Counts an operand of a loop if it reads its register. Returns whether it is the first read.
    fn count_read(&mut self, vreg: VReg, header: BlockId, operand: Operand) -> bool {
        let (Some(counted), Some(reads)) = (
            self.counted.get_mut(vreg.index()),
            self.reads.get_mut(vreg.index()),
        ) else {
            return false;
        };
        if *counted != header.number() {
            (*counted, *reads) = (header.number(), 0);
        }
        *reads += u32::from(!operand.is_def());
        *reads == 1 && !operand.is_def()
    }

    /// Returns the number of registers of each bank that the loop whose pressure was found last
    /// needs no more without an instruction, whose operands are loop-invariant.
    pub(crate) fn frees(&self, function: &Function<'_>, insn: InsnId) -> [usize; 2] {
        let mut freed = [0; 2];
        let operands = function.operands(insn);
        let is_read = |operand: &Operand, vreg| !operand.is_def() && operand.vreg() == Some(vreg);
        for (number, operand) in operands.iter().enumerate() {
            let Some(vreg) = operand.vreg().filter(|_| !operand.is_def()) else {
                continue;
            };
            let is_again = operands.iter().take(number).any(|o| is_read(o, vreg));
            let count = operands.iter().filter(|o| is_read(o, vreg)).count();
            if !is_again && self.reads.get(vreg.index()) == Some(&(count as u32)) {
                freed[function.vreg(vreg).bank as usize] += 1;
            }
        }
        freed
    }

    /// Returns how often the loop whose pressure was found last reads one of its registers.
    pub(crate) fn reads(&self, vreg: VReg) -> u32 {
        self.reads.get(vreg.index()).copied().unwrap_or(0)
    }

    /// Notes that an instruction leaves the loop whose pressure was found last.
    pub(crate) fn leave(&mut self, function: &Function<'_>, insn: InsnId) {
        for vreg in function.operands(insn).iter().filter_map(|o| o.read_vreg()) {
            self.forget_read(vreg);
        }
    }

    /// Notes that a register is read once less in the loop whose pressure was found last.
    pub(crate) fn forget_read(&mut self, vreg: VReg) {
        if let Some(reads) = self.reads.get_mut(vreg.index()) {
            *reads = reads.saturating_sub(1);
        }
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
