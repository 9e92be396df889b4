//! Variables that may be read before they are written, which begin as zeros.
//!
//! **Idea.** A variable is among them if a path leads from the function's start to a read of it
//! without a write before. Most are written first in each block that reads them; for the others
//! blocks are searched backwards, from such reads to writes or to the start.
//!
//! **Cost.** A bounded number of steps per instruction. Variables for which they do not suffice
//! count as undefined, as do all of a function with an indirect jump that a search has to begin
//! for.

use crate::ir::{Code, Flags, FuncId, InsnId, Label, Module, Operand, Reg, Result};
use crate::mem::{Entity, Vec, sort_by_key};

/// The edges that may be followed for each instruction of the function.
const STEPS: usize = 16;

/// Returns the local variables of a function that may be read before they are written.
pub(super) fn find<'m>(module: &Module<'m>, func: FuncId) -> Result<Vec<'m, Reg>> {
    let allocator = module.allocator();
    let mut finder = Finder {
        module,
        edges: Vec::new(allocator),
        reads: Vec::new(allocator),
        writes: Vec::new(allocator),
        seen: Vec::new(allocator),
        steps: 0,
    };
    let labels = finder.labels(func)?;
    finder.blocks(func, &labels)?;
    sort_by_key(&mut finder.edges, |&(_, to)| to);
    sort_by_key(&mut finder.reads, |read| read.variable);
    sort_by_key(&mut finder.writes, |write| write.variable);
    finder.search(module.func(func).arg_count())
}

/// A read or a write of a variable in a block.
#[derive(Clone, Copy)]
struct Event {
    variable: usize,
    block: u32,
}

/// A function's blocks, by number: one begins at each label and after each branch.
struct Finder<'a, 'm> {
    module: &'a Module<'m>,
    /// The blocks that control goes from and to, sorted by the second.
    edges: Vec<'m, (u32, u32)>,
    /// The blocks that read a variable before they write it, sorted by variable.
    reads: Vec<'m, Event>,
    /// The blocks that write a variable, sorted by variable.
    writes: Vec<'m, Event>,
    /// For each block 1 more than the last variable for which it was seen.
    seen: Vec<'m, usize>,
    /// The steps that are left.
    steps: usize,
}

impl<'m> Finder<'_, 'm> {
    /// Returns the labels of the function, sorted, with the blocks that they begin.
    fn labels(&mut self, func: FuncId) -> Result<Vec<'m, (Label, u32)>> {
        let module = self.module;
        let mut labels = Vec::new(module.allocator());
        let (mut block, mut has_indirect_jump) = (0, false);
        for insn in module.insns(func) {
            let code = module.code(insn);
            block += u32::from(code == Code::Label);
            if let Some(label) = module.label_of(insn) {
                labels.push((label, block))?;
            }
            block += u32::from(code.ends_block());
            has_indirect_jump |= code == Code::Jmpi;
            self.steps += STEPS;
        }
        if has_indirect_jump {
            self.steps = 0;
        }
        self.seen.resize(block as usize + 1, 0)?;
        sort_by_key(&mut labels, |&(label, _)| label);
        Ok(labels)
    }

    /// Notes what blocks do with variables, and where control goes from them.
    fn blocks(&mut self, func: FuncId, labels: &[(Label, u32)]) -> Result<()> {
        let module = self.module;
        // For each variable 1 more than the last block that read it first, and that wrote it.
        let mut uses = Vec::new(module.allocator());
        uses.resize(module.func(func).registers().len(), [0; 2])?;
        let mut block = 0;
        for insn in module.insns(func) {
            let code = module.code(insn);
            if code == Code::Label {
                self.edges.push((block, block + 1))?;
                block += 1;
                continue;
            }
            self.variables(insn, block, &mut uses)?;
            if !code.ends_block() {
                continue;
            }
            for operand in module.operands(insn) {
                if let Operand::Label(label) = operand
                    && let Ok(index) = labels.binary_search_by_key(&label, |&(label, _)| label)
                {
                    self.edges.push((block, labels[index].1))?;
                }
            }
            if !code.flags().contains(Flags::TERMINATOR) {
                self.edges.push((block, block + 1))?;
            }
            block += 1;
        }
        Ok(())
    }

    /// Notes the variables that an instruction reads and writes.
    fn variables(&mut self, insn: InsnId, block: u32, uses: &mut [[u32; 2]]) -> Result<()> {
        let module = self.module;
        let code = module.code(insn);
        let results = match code.is_call() {
            true => 2..2 + super::calls::result_count(module, insn),
            false => 0..0,
        };
        let is_output = |index: usize| results.contains(&index) || code.mode(index).is_output();
        for (index, operand) in module.operands(insn).enumerate() {
            let regs = match operand {
                Operand::Reg(reg) if !is_output(index) => [Some(reg), None],
                Operand::Mem(mem) => [mem.base, mem.index],
                _ => [None; 2],
            };
            for variable in regs.into_iter().flatten().map(Reg::index) {
                if !uses[variable].contains(&(block + 1)) {
                    uses[variable][0] = block + 1;
                    self.reads.push(Event { variable, block })?;
                }
            }
        }
        for (index, operand) in module.operands(insn).enumerate() {
            if let Operand::Reg(reg) = operand
                && is_output(index)
                && uses[reg.index()][1] != block + 1
            {
                let variable = reg.index();
                uses[variable][1] = block + 1;
                self.writes.push(Event { variable, block })?;
            }
        }
        Ok(())
    }

    /// Returns the variables from `first` on that a path reads without a write before.
    fn search(&mut self, first: usize) -> Result<Vec<'m, Reg>> {
        let allocator = self.module.allocator();
        let (mut undefined, mut blocks) = (Vec::new(allocator), Vec::new(allocator));
        let (mut read, mut write) = (0, 0);
        while let Some(&Event { variable, .. }) = self.reads.get(read) {
            while let Some(&event) = self.writes.get(write)
                && event.variable <= variable
            {
                // A search comes from the end of a block, so from after its write.
                if event.variable == variable {
                    self.seen[event.block as usize] = variable + 1;
                }
                write += 1;
            }
            blocks.clear();
            while let Some(&event) = self.reads.get(read)
                && event.variable == variable
            {
                blocks.push(event.block)?;
                read += 1;
            }
            if variable >= first && self.reaches_start(variable, &mut blocks)? {
                undefined.push(Reg::new(variable as u32))?;
            }
        }
        Ok(undefined)
    }

    /// True if control may come from the function's start to the start of one of these blocks
    /// without passing one that was seen for the variable.
    fn reaches_start(&mut self, variable: usize, blocks: &mut Vec<'m, u32>) -> Result<bool> {
        while let Some(block) = blocks.pop() {
            let Some(left) = self.steps.checked_sub(1) else {
                return Ok(true);
            };
            self.steps = left;
            if block == 0 {
                return Ok(true);
            }
            let edges = self.edges.partition_point(|&(_, to)| to < block);
            for index in edges..self.edges.len() {
                let (from, to) = self.edges[index];
                if to != block {
                    break;
                }
                self.steps = self.steps.saturating_sub(1);
                if core::mem::replace(&mut self.seen[from as usize], variable + 1) != variable + 1 {
                    blocks.push(from)?;
                }
            }
        }
        Ok(false)
    }
}
