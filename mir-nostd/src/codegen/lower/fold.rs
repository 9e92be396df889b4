//! The peephole folder: merges an instruction that computes or loads a value which is read once
//! into the instruction that reads it, where the target has a form that does both.

use crate::codegen::fired::RuleSet;
use crate::machine::{Function, Generic, InsnId, LayoutCursor, Opcode, Operand};
use crate::mem::{Entity, Vec};
use crate::target::emitter::Emitter;
use crate::target::error::{Error, Phase};
use crate::target::{
    FoldedLoad, FoldedSource, InsnFlags, InsnRow, InsnView, Isa, OperandRow, RegisterFile,
    UpperHalf,
};
use core::ops::Range;

/// The most explicit operands of an instruction with memory.
const MOST: usize = 16;

/// The most instructions that are folded into one.
const MOST_FOLDS: usize = 4;

/// The largest number of register units.
const UNITS: usize = 128;

/// Folds each instruction with a value that is read once, in the same block, with nothing between
/// that may change its sources. Returns the rules that fired: folded loads, then peepholes.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn fold(function: &mut Function<'_>, isa: &dyn Isa) -> Result<RuleSet, Error> {
    let allocator = function.allocator();
    let mut known = Vec::new(allocator);
    known.resize(function.vreg_count(), RegisterUses::default())?;
    for &block in &function.layout {
        for (_, row) in function.rows(block) {
            // An instruction that tests a register reads it by two operands in a row.
            let mut last = None;
            for operand in function.operands_of(row) {
                let Some(vreg) = operand.vreg() else {
                    continue;
                };
                let known = &mut known[vreg.index()];
                if operand.is_def() {
                    known.definitions = known.definitions.saturating_add(1);
                } else if last != Some(vreg) {
                    known.uses = known.uses.saturating_add(1);
                    last = Some(vreg);
                }
            }
        }
    }
    let mut folder = Folder {
        function,
        isa,
        rows: isa.insns(),
        registers: isa.registers(),
        known,
        time: 0,
        began: 0,
        changed: 0,
        units: [0; UNITS],
        fired: RuleSet::EMPTY,
    };
    folder.run()?;
    Ok(folder.fired)
}

/// The facts about a virtual register. Times count instructions from 1.
#[derive(Clone, Copy, Default)]
struct RegisterUses {
    definitions: u8,
    /// The number of instructions that read it, or more.
    uses: u8,
    /// The time of the last definition.
    defined: u32,
    /// The instruction that defined it, if it has no other effect.
    source: Option<InsnId>,
}

struct Folder<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    rows: &'static [InsnRow],
    registers: &'static RegisterFile,
    known: Vec<'f, RegisterUses>,
    time: u32,
    /// The time at which the block began.
    began: u32,
    /// The time at which memory was last changed, or the block began.
    changed: u32,
    /// The time at which each register unit was last changed.
    units: [u32; UNITS],
    /// The rules that fired, by number: folded loads, then peepholes.
    fired: RuleSet,
}

impl Folder<'_, '_> {
    fn run(&mut self) -> Result<(), Error> {
        let mut layout = LayoutCursor::default();
        while let Some(block) = layout.next(self.function) {
            self.time += 1;
            (self.began, self.changed) = (self.time, self.time);
            let mut cursor = self.function.cursor(block);
            while let Some(insn) = cursor.next(self.function) {
                self.time += 1;
                self.insn(insn)?;
            }
        }
        Ok(())
    }

    fn row(&self, insn: InsnId) -> Option<&'static InsnRow> {
        let row = self.function.insn(insn).opcode.row()?;
        self.rows.get(row)
    }

    fn insn(&mut self, insn: InsnId) -> Result<(), Error> {
        let mut insn = insn;
        if self.extends_extended(insn) {
            self.make_copy(insn)?;
            self.note(insn);
            return Ok(());
        }
        // Each iteration removes an instruction; few can be folded in a row.
        for _ in 0..MOST_FOLDS {
            match self.fold_any(insn)? {
                Some(folded) => insn = folded,
                None => break,
            }
        }
        self.note(insn);
        Ok(())
    }

    /// Returns whether an instruction is the zero extension of a value with zero in its upper half,
    /// as the instruction of this block has left it that defined it last.
    fn extends_extended(&self, insn: InsnId) -> bool {
        if self.isa.upper_half(self.function, insn) != UpperHalf::ZeroExtension {
            return false;
        }
        let mut operands = self.function.operands(insn).iter();
        let Some(vreg) = operands.find_map(|operand| operand.read_vreg()) else {
            return false;
        };
        let known = &self.known[vreg.index()];
        let source = known.source.filter(|_| known.defined > self.began);
        source.is_some_and(|source| {
            let half = self.isa.upper_half(self.function, source);
            matches!(half, UpperHalf::Zero | UpperHalf::ZeroExtension)
        })
    }

    /// Makes an extension a copy of the whole register, of which allocation makes nothing.
    fn make_copy(&mut self, insn: InsnId) -> Result<(), Error> {
        let operands = self.function.operands(insn);
        let to = operands.first().and_then(|to| to.as_reg());
        let from = operands.iter().find_map(|operand| operand.read_vreg());
        if let Some((to, from)) = to.zip(from) {
            let operands = [Operand::def(to), Operand::from(from)];
            self.function.set_opcode(insn, Generic::Copy.into());
            self.function.set_operands(insn, &operands)?;
        }
        Ok(())
    }

    /// Folds the source of one operand of an instruction. Returns the instruction that results.
    fn fold_any(&mut self, insn: InsnId) -> Result<Option<InsnId>, Error> {
        let count = self.row(insn).map_or(0, |row| row.operands.len());
        let mut behind = 0;
        while let Some(number) = self.next_foldable(insn, behind..count) {
            behind = number + 1;
            let Some(source) = self.source_of(insn, number) else {
                continue;
            };
            if self.is_load(source) && self.fold_load(insn, number, source)? {
                return Ok(Some(insn));
            }
            if let Some((rule, folded)) = self.peephole(insn, number, source) {
                self.fired = self.fired.with(self.loads().len() + rule);
                return Ok(Some(self.replace(insn, source, &folded)?));
            }
        }
        self.fold_overwriting(insn)
    }

    /// Folds the source of the first operand of an instruction, if that source overwrites a copy
    /// which was made for it. Returns the instruction that results.
    fn fold_overwriting(&mut self, insn: InsnId) -> Result<Option<InsnId>, Error> {
        let Some((source, copy)) = self.overwriting_source(insn) else {
            return Ok(None);
        };
        // The rules see what reads the value that was copied.
        let (Some(&to), Some(&from)) = (
            self.function.operands(source).first(),
            self.function.operands(copy).get(1),
        ) else {
            return Ok(None);
        };
        let mut operands = heapless::Vec::<Operand, MOST>::new();
        let is_tied = |operand: &Operand| operand.as_reg() == to.as_reg() && !operand.is_def();
        operands.extend(
            { self.function.operands(source).iter().take(MOST) }
                .map(|&operand| if is_tied(&operand) { from } else { operand }),
        );
        let view = InsnView::new(self.function, source);
        let seen = FoldedSource::new(view.opcode, &operands);
        let Some((rule, folded)) = self.peephole_of(insn, 0, &seen.in_place_of(&view)) else {
            return Ok(None);
        };
        self.fired = self.fired.with(self.loads().len() + rule);
        let folded = self.replace(insn, source, &folded)?;
        self.function.remove(copy);
        Ok(Some(folded))
    }

    /// Returns the instruction that computes the first operand of another one, which alone reads
    /// it, by overwriting a copy, and that copy; both come right before.
    fn overwriting_source(&self, insn: InsnId) -> Option<(InsnId, InsnId)> {
        let vreg = self.function.operands(insn).first()?.read_vreg()?;
        let known = self.known.get(vreg.index())?;
        // The source itself reads the copy.
        let is_once = known.definitions == 2 && known.uses == 2 && known.defined > self.began;
        let source = known.source.filter(|_| is_once)?;
        let copy = self.function.insn(source).previous()?;
        let is_copy = self.function.insn(copy).opcode == Generic::Copy.into();
        let &[to, from] = self.function.operands(copy) else {
            return None;
        };
        let is_made_for_it = is_copy && to.vreg() == Some(vreg) && from.vreg().is_some();
        let changes = |operand: &Operand| match (operand.vreg(), operand.as_reg()) {
            (Some(vreg), _) => self.known[vreg.index()].defined >= known.defined,
            // Flags that it leaves are not read: no stage before this one reads those of a result.
            (None, Some(reg)) => !operand.is_def() && !reg.is_none(),
            _ => false,
        };
        let operands = self.function.operands(source);
        let is_changed = changes(&from)
            || (operands.iter()).any(|operand| operand.vreg() != Some(vreg) && changes(operand));
        let is_tied = operands.get(1)?.tied() == Some(0);
        (is_made_for_it && is_tied && !is_changed && !self.is_load(source))
            .then_some((source, copy))
    }

    fn loads(&self) -> &'static [FoldedLoad] {
        self.isa.description().folded_loads
    }

    /// Returns the instruction that the first rule that applies makes of an instruction and the
    /// source of its operand, with the number of the rule.
    fn peephole(
        &self,
        insn: InsnId,
        number: usize,
        source: InsnId,
    ) -> Option<(usize, FoldedSource)> {
        self.peephole_of(insn, number, &InsnView::new(self.function, source))
    }

    /// Does as [`Folder::peephole`] for a source that is seen as given.
    fn peephole_of(
        &self,
        insn: InsnId,
        number: usize,
        source: &InsnView<'_>,
    ) -> Option<(usize, FoldedSource)> {
        let user = InsnView::new(self.function, insn);
        let mut rules = self.isa.description().peepholes.iter().enumerate();
        rules.find_map(|(rule, row)| {
            let folded = (row.fold)(&user, number, source)?;
            let is_possible = !self.reads(&folded, user.at(number))
                && !self.needs_register(&folded)
                && (row.takes_copies || !self.needs_copy(&folded));
            is_possible.then_some((rule, folded))
        })
    }

    /// Returns whether an instruction reads the register of an operand.
    fn reads(&self, folded: &FoldedSource, operand: Operand) -> bool {
        let row = (folded.opcode.row()).and_then(|row| self.rows.get(row));
        let kinds = row.iter().flat_map(|row| row.operands.iter());
        let is_def =
            |kind: &OperandRow| matches!(kind, OperandRow::Def(_) | OperandRow::EarlyDef(_));
        let mut parts = folded.operands().iter().zip(kinds);
        parts.any(|(part, kind)| !is_def(kind) && part.as_reg() == operand.as_reg())
    }

    /// Returns whether an instruction would overwrite a register that others read, too, so that it
    /// needs a copy.
    fn needs_copy(&self, folded: &FoldedSource) -> bool {
        let row = (folded.opcode.row()).and_then(|row| self.rows.get(row));
        let kinds = row.iter().flat_map(|row| row.operands.iter());
        let is_read_elsewhere = |part: &Operand| {
            let known = part.vreg().and_then(|vreg| self.known.get(vreg.index()));
            known.is_none_or(|known| known.uses > 1)
        };
        let mut parts = folded.operands().iter().zip(kinds);
        parts.any(|(part, kind)| matches!(kind, OperandRow::Tied(..)) && is_read_elsewhere(part))
    }

    /// Returns whether an instruction would need another register for its result: that has to be
    /// the register of one input, and is read as another input.
    fn needs_register(&self, folded: &FoldedSource) -> bool {
        let operands = folded.operands();
        let register = |place: usize| operands.get(place).and_then(|operand| operand.as_reg());
        let row = (folded.opcode.row()).and_then(|row| self.rows.get(row));
        let mut kinds = row.iter().flat_map(|row| row.operands.iter().enumerate());
        kinds.any(|(number, kind)| {
            let OperandRow::Tied(_, def) = *kind else {
                return false;
            };
            let def = usize::from(def);
            let to = register(def);
            let is_other = |&place: &usize| place != number && place != def;
            let mut others = (0..operands.len()).filter(is_other);
            to != register(number) && others.any(|place| register(place) == to)
        })
    }

    /// Returns the first of these operands that reads a value which is read once and defined in
    /// this block.
    fn next_foldable(&self, insn: InsnId, numbers: Range<usize>) -> Option<usize> {
        let operands = self.function.operands(insn);
        let operands = operands.get(..numbers.end).unwrap_or(operands);
        let found = operands.get(numbers.start..)?.iter().position(|operand| {
            let known = operand
                .read_vreg()
                .and_then(|vreg| self.known.get(vreg.index()));
            known.is_some_and(|known| known.uses == 1 && known.defined > self.began)
        });
        Some(numbers.start + found?)
    }

    /// Replaces both instructions by the folded one.
    fn replace(
        &mut self,
        insn: InsnId,
        source: InsnId,
        folded: &FoldedSource,
    ) -> Result<InsnId, Error> {
        let block = self.function.insn(insn).block();
        let mut out = Emitter::new(self.function, self.isa, block, Some(insn));
        let new = out.emit_insn(folded.opcode, folded.operands())?;
        if self.function.vreg_count() > self.known.len() {
            // Nothing is known of a register that is new, nor of what is copied from it.
            return Err(Phase::Selection.internal(Some(new)));
        }
        self.function.remove(insn);
        self.function.remove(source);
        Ok(new)
    }

    fn is_load(&self, insn: InsnId) -> bool {
        let row = self.row(insn);
        row.is_some_and(|row| row.flags.contains(InsnFlags::LOAD))
    }

    /// Notes the registers and memory that an instruction changes.
    fn note(&mut self, insn: InsnId) {
        let row = self.row(insn);
        let effects = InsnFlags::STORE
            .union(InsnFlags::CALL)
            .union(InsnFlags::TERMINATOR)
            .union(InsnFlags::PSEUDO);
        let is_source = row.is_some_and(|row| !row.flags.intersects(effects));
        for (number, operand) in self.function.operands(insn).iter().enumerate() {
            if !operand.is_def() {
                continue;
            }
            if let Some(vreg) = operand.vreg() {
                let known = &mut self.known[vreg.index()];
                known.defined = self.time;
                known.source = (is_source && number == 0).then_some(insn);
            } else if let Some(reg) = operand.as_reg() {
                for unit in self.registers.units(reg).iter() {
                    self.units[usize::from(unit)] = self.time;
                }
            }
        }
        let changes = InsnFlags::STORE.union(InsnFlags::CALL);
        if row.is_some_and(|row| row.flags.intersects(changes)) {
            self.changed = self.time;
        }
        if row.is_some_and(|row| row.flags.contains(InsnFlags::CALL)) {
            self.units = [self.time; UNITS];
        }
    }

    /// Folds the load of an operand, if that is possible.
    fn fold_load(&mut self, insn: InsnId, number: usize, load: InsnId) -> Result<bool, Error> {
        let (opcode, loading) = (
            self.function.insn(insn).opcode,
            self.function.insn(load).opcode,
        );
        let found = (self.isa.description()).folded_load(opcode, number, loading);
        let Some((rule, folded)) = found else {
            return Ok(false);
        };
        let count = self.row(load).map_or(0, |row| row.operands.len());
        let [user, source] = [insn, load].map(|insn| InsnView::new(self.function, insn));
        let Some(mut operands) = user.with_address(number, &source, count) else {
            return Ok(false);
        };
        if !self.tie(insn, folded, &mut operands)? {
            return Ok(false);
        }
        self.function.set_opcode(insn, folded);
        self.function.set_operands(insn, &operands)?;
        self.function.remove(load);
        self.fired = self.fired.with(rule);
        Ok(true)
    }

    /// Makes the source that the form with memory writes to, if it has one, the register of the
    /// definition, by a copy before the instruction. Returns false if another operand reads that
    /// register.
    fn tie(
        &mut self,
        insn: InsnId,
        folded: Opcode,
        operands: &mut [Operand],
    ) -> Result<bool, Error> {
        let row = folded.row().and_then(|row| self.isa.insns().get(row));
        let tied = row.and_then(|row| {
            let mut kinds = row.operands.iter().enumerate();
            kinds.find_map(|(number, kind)| match *kind {
                OperandRow::Tied(_, to) => Some((number, usize::from(to))),
                _ => None,
            })
        });
        let Some((number, to)) = tied else {
            return Ok(true);
        };
        let (Some(&source), Some(&target)) = (operands.get(number), operands.get(to)) else {
            return Ok(false);
        };
        let (Some(from), Some(reg)) = (source.as_reg(), target.as_reg()) else {
            return Ok(false);
        };
        if from != reg {
            let mut others = operands.iter().enumerate();
            if others.any(|(place, o)| place != number && place != to && o.as_reg() == Some(reg)) {
                return Ok(false);
            }
            let block = self.function.insn(insn).block();
            let mut out = Emitter::new(self.function, self.isa, block, Some(insn));
            out.copy(Operand::reg(reg), Operand::reg(from))?;
        }
        if let Some(place) = operands.get_mut(number) {
            *place = source.on(reg).tied_to(to as u8);
        }
        Ok(true)
    }

    /// Returns the instruction that computes an operand, if it can be moved here.
    fn source_of(&self, insn: InsnId, number: usize) -> Option<InsnId> {
        let operand = *self.function.operands(insn).get(number)?;
        let is_plain = !operand.is_def() && operand.tied().is_none();
        let known = self.known.get(operand.vreg()?.index())?;
        let is_once = known.definitions == 1 && known.uses == 1;
        let is_here = known.defined > self.began;
        let source = known.source.filter(|_| is_plain && is_once && is_here)?;
        if self.is_load(source) && known.defined <= self.changed {
            return None;
        }
        let registers = self.registers;
        let mut operands = self.function.operands(source).iter().skip(1);
        let is_same = operands.all(|part| match (part.vreg(), part.as_reg()) {
            (Some(vreg), _) => self.known[vreg.index()].defined < known.defined,
            (None, Some(reg)) if !part.is_def() => {
                let mut units = registers.units(reg).iter();
                units.all(|unit| self.units[usize::from(unit)] < known.defined)
            }
            // Other registers that it changes must not matter in between.
            (None, Some(reg)) => registers.units(reg).is_empty(),
            _ => true,
        });
        is_same.then_some(source)
    }
}
