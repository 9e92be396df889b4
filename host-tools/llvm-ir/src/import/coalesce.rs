//! Coalesces registers: two that a move connects become one where they are never needed at the same
//! time, and the move goes. Most moves are those into PHIs at the ends of loops.
//!
//! **Idea.** Chaitin's aggressive coalescing. Liveness of the registers that moves connect is
//! solved over the blocks of the emitted function; a register interferes with those that are live
//! after one of its definitions, but for a move's source. Moves are tried from the innermost loops
//! out, and what interferes with one of two that became one interferes with both.
//!
//! **Invariant.** Registers of one class hold one value wherever any of them is live.
//!
//! **Limits.** PHIs that a `switch` brings values to by an edge of its own stay as they are: with
//! the moves gone, nothing is left between the `switch` and the block of the PHI, and the code
//! generator then makes the moves before the `switch`, for all its cases. That made a loop over a
//! `switch` 1.6 times slower when compiled.
//!
//! **Cost.** Bits: candidates times blocks for liveness, candidates squared for interference. Of a
//! function with very many candidates the rest stays as it is, and so does a function for which
//! liveness takes very many passes.

use super::debug_values::{self, Placed};
use crate::lines::ValueChanges;
use mir_nostd::ir::{
    Code, Flags, FuncId, InsnId, ItemKind, Label, Mem, Module, Operand, Reg, Result,
};
use mir_nostd::mem::Entity;
use std::collections::{HashMap, HashSet};

/// The most registers of a function that are considered.
const CANDIDATES: usize = 1 << 13;

/// The most bits in the sets of one kind.
const BITS: usize = 1 << 28;

/// The most passes over the blocks; there are a few more than loops are nested.
const PASSES: usize = 64;

/// A move between two candidates.
struct Move {
    insn: InsnId,
    to: usize,
    from: usize,
    /// The number of loops around it.
    depth: u32,
}

/// A set of candidates.
#[derive(Clone, PartialEq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    fn new(candidates: usize) -> Set {
        Set(vec![0; candidates.div_ceil(64)])
    }

    fn insert(&mut self, candidate: usize) {
        self.0[candidate / 64] |= 1 << (candidate % 64);
    }

    fn remove(&mut self, candidate: usize) {
        self.0[candidate / 64] &= !(1 << (candidate % 64));
    }

    pub(super) fn contains(&self, candidate: usize) -> bool {
        self.0[candidate / 64] >> (candidate % 64) & 1 != 0
    }

    fn add_all(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    fn remove_all(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }

    fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

/// A block: a run of instructions that control enters at the first and leaves after the last.
pub(super) struct Block {
    pub(super) is_first: bool,
    /// The labels at its start.
    pub(super) labels: Vec<InsnId>,
    pub(super) insns: Vec<InsnId>,
    pub(super) successors: Vec<usize>,
    live_out: Set,
}

/// A function whose registers are coalesced.
pub(super) struct Coalescing<'a, 'm> {
    module: &'a mut Module<'m>,
    func: FuncId,
    /// The registers that stay as they are.
    kept: &'a HashSet<Reg>,
    /// The number of each candidate by its register.
    pub(super) numbers: HashMap<Reg, usize>,
    registers: Vec<Reg>,
    moves: Vec<Move>,
    pub(super) blocks: Vec<Block>,
    /// The candidates that each interferes with.
    interferes: Vec<Set>,
}

/// Coalesces the registers of a function that is complete, but for those in `kept`. Control comes
/// to the labels in `addressed` from indirect jumps. Returns the values of the variables of the
/// source that these records name.
pub(super) fn coalesce(
    module: &mut Module<'_>,
    func: FuncId,
    kept: &HashSet<Reg>,
    addressed: &[Label],
    records: &[Placed],
) -> Result<Vec<ValueChanges>> {
    let mut coalescing = Coalescing {
        module,
        func,
        kept,
        numbers: HashMap::new(),
        registers: Vec::new(),
        moves: Vec::new(),
        blocks: Vec::new(),
        interferes: Vec::new(),
    };
    coalescing.find_moves();
    if coalescing.moves.is_empty() && records.is_empty() {
        return Ok(Vec::new());
    }
    coalescing.find_blocks(addressed);
    if !coalescing.solve_liveness() {
        return Ok(Vec::new());
    }
    coalescing.find_interference();
    let classes = coalescing.merge();
    let mut variables = match records {
        [] => Vec::new(),
        records => debug_values::values(&coalescing, &classes, records),
    };
    for variable in &mut variables {
        variable.replace(&|reg| coalescing.class(&classes, reg));
    }
    coalescing.rewrite(&classes)?;
    Ok(variables)
}

impl Coalescing<'_, '_> {
    /// Finds the moves between local registers, from the innermost loops out.
    fn find_moves(&mut self) {
        let order: Vec<InsnId> = self.module.insns(self.func).collect();
        let depths = loop_depths(self.module, &order);
        for (&insn, depth) in order.iter().zip(depths) {
            let Some((to, from)) = self.moved(insn) else {
                continue;
            };
            if let (Some(to), Some(from)) = (self.number(to), self.number(from)) {
                self.moves.push(Move {
                    insn,
                    to,
                    from,
                    depth,
                });
            }
        }
        self.moves
            .sort_by_key(|each| core::cmp::Reverse(each.depth));
    }

    /// Returns the registers of a move from one local register to another.
    pub(super) fn moved(&self, insn: InsnId) -> Option<(Reg, Reg)> {
        let (to, from) = moved(self.module, insn)?;
        let function = self.module.func(self.func);
        let is_local = |reg: Reg| {
            let is_argument = reg.index() < function.arg_count();
            let is_hard = function.registers()[reg.index()].hard_reg.is_some();
            !is_argument && !is_hard && !self.kept.contains(&reg)
        };
        (is_local(to) && is_local(from)).then_some((to, from))
    }

    /// Returns the number of a candidate, which becomes one if there are not too many.
    fn number(&mut self, reg: Reg) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&reg) {
            return Some(known);
        }
        let number = self.registers.len();
        let insns = self.module.func(self.func).insn_count().max(1);
        (number < CANDIDATES.min(BITS / insns)).then(|| {
            self.numbers.insert(reg, number);
            self.registers.push(reg);
            number
        })
    }

    /// Splits the function into blocks.
    fn find_blocks(&mut self, addressed: &[Label]) {
        let module = &*self.module;
        let mut starts: HashMap<Label, usize> = HashMap::new();
        let mut blocks: Vec<Vec<InsnId>> = vec![Vec::new()];
        let mut labels: HashMap<usize, Vec<InsnId>> = HashMap::new();
        for insn in module.insns(self.func) {
            if let Some(label) = module.label_of(insn) {
                if blocks.last().is_some_and(|last| !last.is_empty()) {
                    blocks.push(Vec::new());
                }
                starts.insert(label, blocks.len() - 1);
                labels.entry(blocks.len() - 1).or_default().push(insn);
                continue;
            }
            if let Some(last) = blocks.last_mut() {
                last.push(insn);
            }
            if module.code(insn).ends_block() {
                blocks.push(Vec::new());
            }
        }
        let count = blocks.len();
        let candidates = self.registers.len();
        for (number, insns) in blocks.into_iter().enumerate() {
            let mut successors = Vec::new();
            let last = insns.last().map(|&last| (last, module.code(last)));
            if let Some((last, code)) = last.filter(|(_, code)| code.ends_block()) {
                for operand in module.operands(last) {
                    if let Operand::Label(label) = operand {
                        successors.extend(starts.get(&label));
                    }
                }
                if code == Code::Jmpi {
                    successors.extend(addressed.iter().filter_map(|label| starts.get(label)));
                }
            }
            let ends = last.is_some_and(|(_, code)| code.flags().contains(Flags::TERMINATOR));
            if !ends && number + 1 < count {
                successors.push(number + 1);
            }
            self.blocks.push(Block {
                is_first: number == 0,
                labels: labels.remove(&number).unwrap_or_default(),
                insns,
                successors,
                live_out: Set::new(candidates),
            });
        }
    }

    /// Returns the candidates that an instruction writes and reads.
    fn written_and_read(&self, insn: InsnId) -> (Vec<usize>, Vec<usize>) {
        let module = &*self.module;
        let code = module.code(insn);
        let results = match code.is_call() {
            true => 2..2 + result_count(module, insn),
            false => 0..0,
        };
        let (mut written, mut read) = (Vec::new(), Vec::new());
        for (index, operand) in module.operands(insn).enumerate() {
            let is_output = results.contains(&index) || code.mode(index).is_output();
            match operand {
                Operand::Reg(reg) if is_output => written.extend(self.numbers.get(&reg)),
                Operand::Reg(reg) => read.extend(self.numbers.get(&reg)),
                Operand::Mem(mem) => {
                    let regs = [mem.base, mem.index].into_iter().flatten();
                    read.extend(regs.filter_map(|reg| self.numbers.get(&reg)));
                }
                _ => {}
            }
        }
        (written, read)
    }

    /// Returns the registers that an instruction assigns.
    pub(super) fn outputs(&self, insn: InsnId) -> Vec<Reg> {
        let module = &*self.module;
        let code = module.code(insn);
        let results = match code.is_call() {
            true => 2..2 + result_count(module, insn),
            false => 0..0,
        };
        let operands = module.operands(insn).enumerate();
        let assigned = operands.filter_map(|(index, operand)| match operand {
            Operand::Reg(reg) if results.contains(&index) || code.mode(index).is_output() => {
                Some(reg)
            }
            _ => None,
        });
        assigned.collect()
    }

    /// Returns the register that one becomes.
    pub(super) fn class(&self, classes: &[Reg], reg: Reg) -> Reg {
        self.numbers
            .get(&reg)
            .map_or(reg, |&number| classes[number])
    }

    /// Returns the candidates that are live at the start of a block, and after each instruction.
    pub(super) fn live_in_block(&self, block: &Block) -> Vec<Set> {
        let mut all = vec![block.live_out.clone()];
        for &insn in block.insns.iter().rev() {
            let mut live = all.last().cloned().unwrap_or_else(|| Set::new(0));
            let (written, read) = self.written_and_read(insn);
            written.iter().for_each(|&each| live.remove(each));
            read.iter().for_each(|&each| live.insert(each));
            all.push(live);
        }
        all.reverse();
        all
    }

    /// Returns for each block the candidates that it reads before it writes them, and those that it
    /// writes.
    fn block_effects(&self) -> (Vec<Set>, Vec<Set>) {
        let none = Set::new(self.registers.len());
        let mut reads = Vec::new();
        let mut writes = Vec::new();
        for block in &self.blocks {
            let (mut read_first, mut written) = (none.clone(), none.clone());
            for &insn in block.insns.iter().rev() {
                let (writes, reads) = self.written_and_read(insn);
                for each in writes {
                    read_first.remove(each);
                    written.insert(each);
                }
                reads.into_iter().for_each(|each| read_first.insert(each));
            }
            reads.push(read_first);
            writes.push(written);
        }
        (reads, writes)
    }

    /// Fills in the candidates that are live at the end of each block. False if that takes too many
    /// passes.
    fn solve_liveness(&mut self) -> bool {
        let none = Set::new(self.registers.len());
        let (reads, writes) = self.block_effects();
        let mut live_in = reads.clone();
        let (mut has_changed, mut passes) = (true, 0);
        while has_changed {
            has_changed = false;
            passes += 1;
            if passes > PASSES {
                return false;
            }
            for number in (0..self.blocks.len()).rev() {
                let mut live = none.clone();
                for &next in &self.blocks[number].successors {
                    live.add_all(&live_in[next]);
                }
                if live != self.blocks[number].live_out {
                    self.blocks[number].live_out = live.clone();
                    live.remove_all(&writes[number]);
                    live.add_all(&reads[number]);
                    live_in[number] = live;
                    has_changed = true;
                }
            }
        }
        // All that is live at the start holds a value of its own there.
        let first = live_in.first().cloned().unwrap_or(none);
        self.interferes = vec![Set::new(self.registers.len()); self.registers.len()];
        for candidate in 0..self.registers.len() {
            if first.0[candidate / 64] >> (candidate % 64) & 1 != 0 {
                self.interferes[candidate].add_all(&first);
            }
        }
        true
    }

    /// Notes for each definition what is live after it.
    fn find_interference(&mut self) {
        let moved: HashMap<InsnId, usize> = (self.moves.iter())
            .map(|each| (each.insn, each.from))
            .collect();
        for number in 0..self.blocks.len() {
            let mut live = self.blocks[number].live_out.clone();
            for place in (0..self.blocks[number].insns.len()).rev() {
                let insn = self.blocks[number].insns[place];
                let (written, read) = self.written_and_read(insn);
                // Results interfere with one another, read or not.
                written.iter().for_each(|&each| live.insert(each));
                for &each in &written {
                    let already = moved
                        .get(&insn)
                        .filter(|&&from| live.0[from / 64] >> (from % 64) & 1 != 0);
                    if let Some(&from) = already {
                        live.remove(from);
                    }
                    self.interferes[each].add_all(&live);
                    if let Some(&from) = already {
                        live.insert(from);
                    }
                }
                written.iter().for_each(|&each| live.remove(each));
                read.iter().for_each(|&each| live.insert(each));
            }
        }
        for (candidate, set) in self.interferes.iter_mut().enumerate() {
            set.remove(candidate);
        }
    }

    /// Merges classes along the moves; returns the register that each candidate becomes.
    fn merge(&mut self) -> Vec<Reg> {
        let count = self.registers.len();
        let mut class: Vec<usize> = (0..count).collect();
        let mut members: Vec<Set> = vec![Set::new(count); count];
        (0..count).for_each(|each| members[each].insert(each));
        for each in &self.moves {
            let (a, b) = (class[each.to], class[each.from]);
            if a == b
                || self.interferes[a].meets(&members[b])
                || self.interferes[b].meets(&members[a])
            {
                continue;
            }
            // The class of the PHI keeps its number.
            let joined = core::mem::replace(&mut members[b], Set::new(0));
            members[a].add_all(&joined);
            let more = core::mem::replace(&mut self.interferes[b], Set::new(0));
            self.interferes[a].add_all(&more);
            for each in &mut class {
                if *each == b {
                    *each = a;
                }
            }
        }
        class
            .into_iter()
            .map(|class| self.registers[class])
            .collect()
    }

    /// Replaces candidates by what they became, and removes the moves that are left to themselves.
    fn rewrite(self, classes: &[Reg]) -> Result<()> {
        let Self {
            module,
            func,
            numbers,
            ..
        } = self;
        let became = |reg: Reg| numbers.get(&reg).map_or(reg, |&number| classes[number]);
        let order: Vec<InsnId> = module.insns(func).collect();
        for insn in order {
            for index in 0..module.operand_count(insn) {
                let Some(operand) = module.operand(insn, index) else {
                    continue;
                };
                let now = match operand {
                    Operand::Reg(reg) => Operand::Reg(became(reg)),
                    Operand::Mem(mem) => Operand::Mem(Mem {
                        base: mem.base.map(became),
                        index: mem.index.map(became),
                        ..mem
                    }),
                    other => other,
                };
                if now != operand {
                    module.set_operand(insn, index, now)?;
                }
            }
            if moved(module, insn).is_some_and(|(to, from)| to == from) {
                module.remove(func, insn);
            }
        }
        Ok(())
    }
}

/// Returns the registers of a move from one register to another.
fn moved(module: &Module<'_>, insn: InsnId) -> Option<(Reg, Reg)> {
    if !matches!(
        module.code(insn),
        Code::Mov | Code::Fmov | Code::Dmov | Code::Ldmov
    ) {
        return None;
    }
    match (module.operand(insn, 0)?, module.operand(insn, 1)?) {
        (Operand::Reg(to), Operand::Reg(from)) => Some((to, from)),
        _ => None,
    }
}

/// Returns the number of results of a call.
fn result_count(module: &Module<'_>, insn: InsnId) -> usize {
    let Some(Operand::Item(item)) = module.operand(insn, 0) else {
        return 0;
    };
    match &module.item(module.resolve(item)).kind {
        ItemKind::Proto(signature) => module.results(signature).len(),
        _ => 0,
    }
}

/// Returns how many loops each instruction is in: parts that a branch backwards leads to the start
/// of.
fn loop_depths(module: &Module<'_>, order: &[InsnId]) -> Vec<u32> {
    let mut places: HashMap<Label, usize> = HashMap::new();
    // For each start the end of the last loop that begins there.
    let mut ends: HashMap<usize, usize> = HashMap::new();
    for (place, &insn) in order.iter().enumerate() {
        if let Some(label) = module.label_of(insn) {
            places.insert(label, place);
            continue;
        }
        for operand in module.operands(insn) {
            if let Operand::Label(label) = operand
                && let Some(&start) = places.get(&label)
            {
                ends.insert(start, place);
            }
        }
    }
    let mut changes = vec![0_i64; order.len() + 1];
    for (start, end) in ends {
        changes[start] += 1;
        changes[end + 1] -= 1;
    }
    let mut depth = 0;
    let running = changes.iter().map(|change| {
        depth += change;
        u32::try_from(depth).unwrap_or(0)
    });
    running.take(order.len()).collect()
}
