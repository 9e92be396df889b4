//! Checks that virtual registers have a value wherever they are read.
//!
//! Each register is followed from the blocks that need it back to those that define it; a value
//! that must come from the entry block but is not defined there is missing. Reads within the entry
//! block are not judged, as in LLVM.

use super::Checker;
use crate::model::{FunctionProperty, Instruction, OperandFlags, OperandKind, RegisterOperand};
use std::collections::HashSet;

/// The uses and definitions of virtual registers in a block.
#[derive(Default)]
struct BlockUse {
    /// Registers that are read before they are written.
    needed: Vec<usize>,
    defined: HashSet<usize>,
    /// Registers that are killed and not written again.
    killed: HashSet<usize>,
}

impl Checker<'_> {
    /// Collects the uses, definitions and kills of each block.
    fn block_uses(&mut self) -> Vec<BlockUse> {
        let mut uses: Vec<BlockUse> = Vec::with_capacity(self.function.blocks.len());
        let is_defined: Vec<bool> = self
            .definitions()
            .iter()
            .map(|blocks| !blocks.is_empty())
            .collect();
        for (block, number) in self.function.blocks.iter().zip(0_u32..) {
            let mut of = BlockUse::default();
            let mut needed = HashSet::new();
            for insn in &block.instructions {
                self.at = (Some(number), Some(insn));
                if !self.is_debug(insn) {
                    self.add_reads(insn, &mut of, &mut needed, &is_defined);
                    add_writes(insn, &mut of);
                }
            }
            of.needed = needed.into_iter().collect();
            of.needed.sort_unstable();
            uses.push(of);
        }
        uses
    }

    fn add_reads(
        &mut self,
        insn: &Instruction,
        of: &mut BlockUse,
        needed: &mut HashSet<usize>,
        is_defined: &[bool],
    ) {
        for operand in insn
            .operands
            .iter()
            .filter_map(|operand| operand.register())
        {
            let index = operand
                .register
                .virtual_index()
                .filter(|_| operand.is_read());
            if index.is_some_and(|index| is_defined.get(index) == Some(&false)) {
                self.report("Reading virtual register without a def");
            }
        }
        if self.opcodes.is_phi(insn) {
            return;
        }
        let mut kills = Vec::new();
        for operand in insn
            .operands
            .iter()
            .filter_map(|operand| operand.register())
        {
            let Some(index) = operand.register.virtual_index() else {
                continue;
            };
            if !operand.is_read() {
                continue;
            }
            if of.killed.contains(&index) {
                self.report("Using a killed virtual register");
            } else if !of.defined.contains(&index) {
                needed.insert(index);
            }
            if operand.flags.contains(OperandFlags::KILLED) {
                kills.push(index);
            }
        }
        of.killed.extend(kills);
    }

    /// Returns the registers that PHIs read, each with the predecessor at whose end it is needed,
    /// in ascending order.
    fn needs_of_phis(&self) -> Vec<(usize, u32)> {
        let mut needs: Vec<(usize, u32)> = Vec::new();
        let insns = self.function.instructions();
        for insn in insns.filter(|insn| self.opcodes.is_phi(insn)) {
            for (operand, from) in inputs(insn) {
                let index = operand.register.virtual_index();
                if let Some(index) = index.filter(|_| operand.is_read()) {
                    needs.push((index, from));
                }
            }
        }
        needs.sort_unstable();
        needs
    }

    pub(super) fn check_flow(&mut self) {
        let uses = self.block_uses();
        let mut needs: Vec<(usize, u32)> = Vec::new();
        for (of, number) in uses.iter().zip(0_u32..) {
            needs.extend(of.needed.iter().map(|register| (*register, number)));
        }
        needs.sort_unstable();
        let at_end = self.needs_of_phis();
        let mut flow = Flow {
            uses: &uses,
            predecessors: &self.predecessors,
            seen: vec![usize::MAX; uses.len()],
            open: Vec::new(),
            undefined: false,
            killed: Vec::new(),
        };
        let mut found = Vec::new();
        let registers = self.function.registers.len();
        let (mut next_need, mut next_end) = (0, 0);
        for register in 0..registers {
            flow.begin();
            while let Some((_, block)) = needs.get(next_need).filter(|need| need.0 == register) {
                flow.need(register, *block);
                next_need += 1;
            }
            while let Some((_, block)) = at_end.get(next_end).filter(|need| need.0 == register) {
                flow.need_at_end(register, *block);
                next_end += 1;
            }
            flow.run(register);
            if flow.undefined {
                found.push((None, "Virtual register defs don't dominate all uses."));
            }
            let killed = flow.killed.drain(..);
            found.extend(killed.map(|block| {
                (
                    Some(block),
                    "Virtual register killed in block, but needed live out.",
                )
            }));
        }
        for (block, message) in found {
            self.at = (block, None);
            self.report(message);
        }
    }

    /// Checks that PHIs have one value from each predecessor, and one that can be available there.
    pub(super) fn check_phis(&mut self) {
        if self.has(FunctionProperty::NoPhis) {
            return;
        }
        let reachable = self.reachable();
        let available = self.has(FunctionProperty::TracksRegLiveness);
        let definitions = self.definitions();
        for (block, number) in self.function.blocks.iter().zip(0_u32..) {
            let predecessors: HashSet<u32> =
                self.predecessors[number as usize].iter().copied().collect();
            for insn in block
                .instructions
                .iter()
                .filter(|insn| self.opcodes.is_phi(insn))
            {
                self.at = (Some(number), Some(insn));
                if !reachable[number as usize] {
                    // In an unreachable block only the predecessors of a PHI are checked, not its
                    // values.
                    if inputs(insn).any(|(_, from)| !predecessors.contains(&from)) {
                        self.report("PHI operand is not in the CFG");
                    }
                    continue;
                }
                self.check_phi_flags(insn);
                let mut seen = HashSet::new();
                for (operand, from) in inputs(insn) {
                    if !predecessors.contains(&from) {
                        self.report("PHI input is not a predecessor block");
                        continue;
                    }
                    seen.insert(from);
                    let index = operand.register.virtual_index();
                    if index.is_none() {
                        self.report("Expected first PHI operand to be a register");
                    }
                    let missing =
                        index.is_some_and(|index| !self.reaches(&definitions, index, from));
                    if available && missing && operand.is_read() && reachable[from as usize] {
                        self.report("PHI operand is not live-out from predecessor");
                    }
                }
                for from in self.predecessors[number as usize].clone() {
                    if reachable[from as usize] && !seen.contains(&from) {
                        self.report("Missing PHI operand");
                    }
                }
            }
        }
    }

    /// Checks that the registers of a PHI have no unexpected flags.
    fn check_phi_flags(&mut self, insn: &Instruction) {
        let unexpected = [
            OperandFlags::IMPLICIT,
            OperandFlags::INTERNAL,
            OperandFlags::EARLY_CLOBBER,
            OperandFlags::DEBUG_USE,
        ];
        for operand in insn
            .operands
            .iter()
            .filter_map(|operand| operand.register())
        {
            if unexpected.iter().any(|flag| operand.flags.contains(*flag)) {
                self.report("Unexpected flag on PHI operand");
            }
        }
    }

    /// Returns the blocks that define each register.
    fn definitions(&self) -> Vec<Vec<u32>> {
        let mut definitions = vec![Vec::new(); self.function.registers.len()];
        for (block, number) in self.function.blocks.iter().zip(0_u32..) {
            let operands = block.instructions.iter().flat_map(|insn| &insn.operands);
            for operand in operands.filter_map(|operand| operand.register()) {
                let index = operand
                    .register
                    .virtual_index()
                    .filter(|_| operand.is_def());
                if let Some(list) = index.and_then(|index| definitions.get_mut(index)) {
                    list.push(number);
                }
            }
        }
        definitions
    }

    /// Returns whether a definition of the register reaches the end of the block on some path.
    fn reaches(&self, definitions: &[Vec<u32>], register: usize, end: u32) -> bool {
        let blocks = definitions.get(register).map_or(&[][..], |list| list);
        if blocks.contains(&end) {
            return true;
        }
        let mut seen = HashSet::from([end]);
        let mut open = vec![end];
        while let Some(block) = open.pop() {
            for &from in &self.predecessors[block as usize] {
                if blocks.contains(&from) {
                    return true;
                }
                if seen.insert(from) {
                    open.push(from);
                }
            }
        }
        false
    }

    fn reachable(&self) -> Vec<bool> {
        let mut reachable = vec![false; self.function.blocks.len()];
        let mut open = vec![0_u32];
        while let Some(block) = open.pop() {
            if let Some(flag) = reachable.get_mut(block as usize)
                && !*flag
            {
                *flag = true;
                let block = &self.function.blocks[block as usize];
                open.extend(block.successors.iter().map(|to| to.block));
            }
        }
        reachable
    }
}

fn add_writes(insn: &Instruction, of: &mut BlockUse) {
    for operand in insn
        .operands
        .iter()
        .filter_map(|operand| operand.register())
    {
        if let Some(index) = operand
            .register
            .virtual_index()
            .filter(|_| operand.is_def())
        {
            of.defined.insert(index);
            of.killed.remove(&index);
            if operand.flags.contains(OperandFlags::DEAD) {
                of.killed.insert(index);
            }
        }
    }
}

/// Returns the incoming registers of a PHI with their blocks.
fn inputs(insn: &Instruction) -> impl Iterator<Item = (&RegisterOperand, u32)> {
    let pairs = insn.operands.get(1..).unwrap_or(&[]).chunks_exact(2);
    pairs.filter_map(|pair| match (&pair[0].kind, &pair[1].kind) {
        (OperandKind::Register(register), OperandKind::Block(block)) => Some((register, *block)),
        _ => None,
    })
}

/// The search for one register's value, backwards.
struct Flow<'a> {
    uses: &'a [BlockUse],
    predecessors: &'a [Vec<u32>],
    /// The register for which each block was last found to need a value.
    seen: Vec<usize>,
    open: Vec<u32>,
    undefined: bool,
    killed: Vec<u32>,
}

impl Flow<'_> {
    fn begin(&mut self) {
        self.undefined = false;
        self.open.clear();
    }

    /// Records that the value is needed at the start of a block.
    fn need(&mut self, register: usize, block: u32) {
        if let Some(seen) = self.seen.get_mut(block as usize)
            && *seen != register
        {
            *seen = register;
            self.open.push(block);
        }
    }

    /// Records that the value is needed at the end of a block.
    fn need_at_end(&mut self, register: usize, block: u32) {
        let Some(of) = self.uses.get(block as usize) else {
            return;
        };
        if of.killed.contains(&register) && !self.killed.contains(&block) {
            self.killed.push(block);
        }
        if !of.defined.contains(&register) {
            self.undefined |= block == 0;
            self.need(register, block);
        }
    }

    fn run(&mut self, register: usize) {
        while let Some(block) = self.open.pop() {
            let predecessors = self.predecessors;
            for from in &predecessors[block as usize] {
                self.need_at_end(register, *from);
            }
        }
    }
}
