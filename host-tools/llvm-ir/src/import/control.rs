//! Imports the ends of blocks: branches, switches, returns, and the moves into PHIs on the edges.

use super::constants::truncated;
use super::function::{Lower, move_code};
use super::integers::Outcome;
use super::parts::Kind;
use super::signature::{Form, Half};
use super::values::Held;
use crate::ast::{BlockId, IntPredicate, Op, Typed, Value};
use crate::error::Result;
use mir_nostd::ir::{Code, Label, Mem, Operand, Reg, Type as MediumType};
use std::collections::{HashMap, VecDeque};

/// A move into a register of a PHI.
struct Move {
    kind: Kind,
    to: Reg,
    from: Operand,
}

/// A switch gets a jump table if it has at least this many cases and one case for each four
/// entries.
const LEAST_TABLE: usize = 4;

/// Below this number of cases the values are compared one after the other.
const FEW: usize = 8;

impl<'s> Lower<'_, 's, '_> {
    pub(super) fn terminator(
        &mut self,
        op: &'s Op,
        block: BlockId,
        next: Option<BlockId>,
    ) -> Result<()> {
        match op {
            Op::Ret(value) => self.ret(value.as_ref()),
            Op::Br(target) => {
                self.flow(block, *target)?;
                self.jump(*target, next)
            }
            Op::CondBr(condition, yes, no) => self.conditional(condition, *yes, *no, block, next),
            Op::Switch(value, default, cases) => self.switch(value, *default, cases, block),
            Op::IndirectBr(target, targets) => {
                let target = self.pointer(target)?;
                let target = self.register(target)?;
                let mut done = std::collections::HashSet::new();
                for &to in targets {
                    if done.insert(to) {
                        self.flow(block, to)?;
                    }
                }
                self.emit(Code::Jmpi, (target,))
            }
            Op::Invoked(normal, unwind) => self.invoked(*normal, *unwind, block, next),
            Op::Resume(exception) => self.resume(exception),
            _ => self.never(),
        }
    }

    /// Ends a block that is never left: Medium IR needs an instruction there.
    pub(super) fn never(&mut self) -> Result<()> {
        let types = self.returned.types();
        let values: Vec<_> = types
            .iter()
            .map(|&ty| Operand::zero(ty.class().ty()))
            .collect();
        self.emit(Code::Ret, values.as_slice())
    }

    fn ret(&mut self, value: Option<&Typed>) -> Result<()> {
        let Some((ty, value)) = value else {
            return self.never();
        };
        let held = self.value(*ty, value)?;
        if let Some(address) = self.result_address {
            self.store_parts(*ty, held, Held::Reg(address))?;
            return self.emit(Code::Ret, ());
        }
        let mut parts = held.into_iter();
        let mut operands = Vec::new();
        for passed in self.returned.clone().results() {
            let Some(first) = parts.next() else { break };
            operands.push(match passed.form {
                Form::Floats(_, half) => {
                    let second = parts.next().unwrap_or(first);
                    let pair = self.packed_floats(passed.ty, &[first, second], half)?;
                    Operand::Reg(pair)
                }
                Form::Short(bits) => Operand::Reg(self.float_of_short(bits, first)?),
                _ => self.operand(first)?,
            });
        }
        self.emit(Code::Ret, operands.as_slice())
    }

    /// Packs floats into a register of one word.
    pub(super) fn packed_floats(
        &mut self,
        ty: MediumType,
        floats: &[Held],
        half: Half,
    ) -> Result<Reg> {
        let place = self.scratch()?;
        for (number, &held) in (0..).zip(floats) {
            let operand = self.operand(held)?;
            let memory = Mem::new(MediumType::F, half.offset() + 4 * number, place);
            self.emit(Code::Fmov, (memory, operand))?;
        }
        let (kind, code) = match ty {
            MediumType::D => (Kind::Double, Code::Dmov),
            _ => (Kind::Int(64), Code::Mov),
        };
        let word = self.temp(kind)?;
        self.emit(code, (word, Mem::new(ty, 0, place)))?;
        Ok(word)
    }

    pub(super) fn jump(&mut self, target: BlockId, next: Option<BlockId>) -> Result<()> {
        if next == Some(target) {
            return Ok(());
        }
        self.emit(Code::Jmp, (self.labels[target.0 as usize],))
    }

    fn has_phis(&self, block: BlockId) -> bool {
        let first = self.body.blocks[block.0 as usize].insns.first();
        matches!(first.map(|insn| &insn.op), Some(Op::Phi(..)))
    }

    fn conditional(
        &mut self,
        condition: &Value,
        yes: BlockId,
        no: BlockId,
        block: BlockId,
        next: Option<BlockId>,
    ) -> Result<()> {
        if yes == no {
            if let Value::Local(local) = condition {
                self.deferred.remove(local);
            }
            self.flow(block, no)?;
            return self.jump(no, next);
        }
        if !self.has_phis(yes) {
            self.branch_if(condition, true, self.labels[yes.0 as usize])?;
            self.flow(block, no)?;
            return self.jump(no, next);
        }
        // The moves for this edge are emitted after the other edge's branch.
        let edge = self.new_label()?;
        self.branch_if(condition, true, edge)?;
        self.flow(block, no)?;
        self.emit(Code::Jmp, (self.labels[no.0 as usize],))?;
        self.place_label(edge)?;
        self.flow(block, yes)?;
        self.jump(yes, next)
    }

    // ---- switches

    fn switch(
        &mut self,
        (ty, value): &Typed,
        default: BlockId,
        cases: &[(u128, BlockId)],
        block: BlockId,
    ) -> Result<()> {
        let width = self.importer.source.types.int_width(*ty).unwrap_or(64);
        if width > 128 {
            return self.unsupported("a switch on more than 128 bits");
        }
        let held = self.value(*ty, value)?;
        let mut edges: Vec<(BlockId, Label)> = Vec::new();
        let mut targets: HashMap<BlockId, Label> = HashMap::new();
        for target in cases.iter().map(|&(_, target)| target).chain([default]) {
            if targets.contains_key(&target) {
                continue;
            }
            let label = if self.has_phis(target) {
                let label = self.new_label()?;
                edges.push((target, label));
                label
            } else {
                self.labels[target.0 as usize]
            };
            targets.insert(target, label);
        }
        let labelled = cases
            .iter()
            .map(|&(case, target)| (truncated(case, width), targets[&target]));
        match *held.as_slice() {
            [low] => {
                let value = self.zero_extended(low, width)?;
                let mut sorted: Vec<(u64, Label)> = labelled
                    .map(|(case, target)| (case as u64, target))
                    .collect();
                sorted.sort_by_key(|&(case, _)| case);
                self.choose(value, &sorted, targets[&default])?;
            }
            [low, high] => {
                for (case, target) in labelled.collect::<Vec<_>>() {
                    let case = [case as u64, (case >> 64) as u64];
                    let case = case.map(|word| Held::Int(word.cast_signed()));
                    let outcome = Outcome::Branch(target);
                    self.compare_wide(IntPredicate::Eq, width, [low, high], case, outcome)?;
                }
                self.emit(Code::Jmp, (targets[&default],))?;
            }
            _ => return self.unsupported("a switch on such a value"),
        }
        for (target, label) in edges {
            self.place_label(label)?;
            self.flow(block, target)?;
            self.keep_phis(target)?;
            self.emit(Code::Jmp, (self.labels[target.0 as usize],))?;
        }
        Ok(())
    }

    /// Emits a binary search for the label of a value's case; the cases are sorted.
    fn choose(&mut self, value: Operand, cases: &[(u64, Label)], default: Label) -> Result<()> {
        let mut waiting = VecDeque::from([(None, cases)]);
        while let Some((label, cases)) = waiting.pop_front() {
            if let Some(label) = label {
                self.place_label(label)?;
            }
            let span = match (cases.first(), cases.last()) {
                (Some((first, _)), Some((last, _))) => last - first,
                _ => 0,
            };
            if cases.len() >= LEAST_TABLE && span / 4 <= cases.len() as u64 {
                self.table(value, cases, span, default)?;
            } else if cases.len() <= FEW {
                for &(case, label) in cases {
                    self.emit(Code::Beq, (label, value, case.cast_signed()))?;
                }
                self.emit(Code::Jmp, (default,))?;
            } else {
                let (low, high) = cases.split_at(cases.len() / 2);
                let (below, above) = (self.new_label()?, self.new_label()?);
                self.emit(Code::Ublt, (below, value, high[0].0.cast_signed()))?;
                self.emit(Code::Jmp, (above,))?;
                waiting.push_back((Some(below), low));
                waiting.push_back((Some(above), high));
            }
        }
        Ok(())
    }

    fn table(
        &mut self,
        value: Operand,
        cases: &[(u64, Label)],
        span: u64,
        default: Label,
    ) -> Result<()> {
        let first = cases.first().map_or(0, |&(case, _)| case);
        let index = self.temp(Kind::Int(64))?;
        self.emit(Code::Sub, (index, value, first.cast_signed()))?;
        self.emit(Code::Ubgt, (default, index, span.cast_signed()))?;
        let mut operands = vec![Operand::Reg(index)];
        operands.extend(core::iter::repeat_n(
            Operand::Label(default),
            span as usize + 1,
        ));
        for &(case, label) in cases {
            operands[(case - first) as usize + 1] = Operand::Label(label);
        }
        self.emit(Code::Switch, operands.as_slice())
    }

    // ---- PHIs

    /// Keeps the registers of a block's PHIs, unless control only comes from one block.
    fn keep_phis(&mut self, block: BlockId) -> Result<()> {
        let body = self.body;
        for insn in &body.blocks[block.0 as usize].insns {
            let (Op::Phi(_, incoming), Some(result)) = (&insn.op, insn.result) else {
                break;
            };
            let Some((_, first)) = incoming.first() else {
                break;
            };
            if incoming.iter().any(|(_, block)| block != first) {
                let regs = self.pinned_regs(result)?;
                self.switched.extend(regs);
            }
        }
        Ok(())
    }

    /// Emits the moves into the PHIs of a successor.
    pub(super) fn flow(&mut self, from: BlockId, to: BlockId) -> Result<()> {
        let body = self.body;
        let mut moves = Vec::new();
        for insn in &body.blocks[to.0 as usize].insns {
            let (Op::Phi(ty, incoming), Some(result)) = (&insn.op, insn.result) else {
                break;
            };
            let Some((value, _)) = incoming.iter().find(|(_, block)| *block == from) else {
                return Err(insn
                    .place
                    .error("the phi has no value for a block that comes here"));
            };
            let held = self.value(*ty, value)?;
            let regs = match self.shadows.get(&result) {
                Some(shadow) => shadow.clone(),
                None => self.pinned_regs(result)?,
            };
            let parts = self.importer.parts(*ty, self.place)?;
            for ((part, held), to) in parts.iter().zip(held).zip(regs) {
                let from = self.operand(held)?;
                if from != Operand::Reg(to) {
                    let kind = part.kind;
                    moves.push(Move { kind, to, from });
                }
            }
        }
        self.move_together(moves)
    }

    /// Emits parallel moves: no register is overwritten before its last read.
    fn move_together(&mut self, moves: Vec<Move>) -> Result<()> {
        let mut readers: HashMap<Reg, usize> = HashMap::new();
        for Move { from, .. } in &moves {
            if let Operand::Reg(from) = from {
                *readers.entry(*from).or_default() += 1;
            }
        }
        let mut writer_of: HashMap<Reg, usize> = HashMap::new();
        for (number, Move { to, .. }) in moves.iter().enumerate() {
            writer_of.insert(*to, number);
        }
        let is_free =
            |readers: &HashMap<Reg, usize>, to: &Reg| readers.get(to).copied().unwrap_or(0) == 0;
        let mut pending: Vec<Option<Move>> = moves.into_iter().map(Some).collect();
        let mut ready: Vec<usize> = (0..pending.len())
            .filter(|&number| {
                pending[number]
                    .as_ref()
                    .is_some_and(|each| is_free(&readers, &each.to))
            })
            .collect();
        let mut renamed: HashMap<Reg, Reg> = HashMap::new();
        let mut next_cycle = 0;
        loop {
            while let Some(number) = ready.pop() {
                let Some(Move { kind, to, from }) = pending[number].take() else {
                    continue;
                };
                let source = match from {
                    Operand::Reg(reg) => Operand::Reg(renamed.get(&reg).copied().unwrap_or(reg)),
                    other => other,
                };
                self.emit(move_code(kind), (to, source))?;
                let Operand::Reg(read) = from else { continue };
                let left = readers.entry(read).or_insert(1);
                *left = left.saturating_sub(1);
                if *left == 0
                    && let Some(&writer) = writer_of.get(&read)
                {
                    ready.push(writer);
                }
            }
            // Only cycles are left: each is broken with a copy of one register.
            while next_cycle < pending.len() && pending[next_cycle].is_none() {
                next_cycle += 1;
            }
            let Some(Some(Move { kind, to, .. })) = pending.get(next_cycle) else {
                return Ok(());
            };
            let (kind, to) = (*kind, *to);
            let aside = self.temp(kind)?;
            self.emit(move_code(kind), (aside, to))?;
            renamed.insert(to, aside);
            readers.insert(to, 0);
            ready.push(next_cycle);
        }
    }
}
