//! Reload elimination, after register allocation: a spilled value is read from the register that
//! still holds it, or from memory by the instruction that needs it, where the target has such a
//! form. Else it would be loaded into a scratch register first.
//!
//! **Idea.** Only code of the allocator accesses spill slots, so the registers that hold the values
//! of slots are known within a block: those that were stored to them or loaded from them since. A
//! reload into a scratch register is for the next instruction alone, unless a spare register gets a
//! value for longer; that instruction reads the holding register, or the slot (as LLVM's
//! `InlineSpiller` folds memory operands).
//!
//! **Invariant.** A register is noted as holding a slot's value only until either is written.
//! Scratch registers are never noted: what becomes of frame objects later may use them. Where
//! control may come back into the middle of a function, nothing is changed.
//!
//! **Cost.** One walk over the instructions; few slots are noted at a time.

use crate::machine::{
    FrameId, FrameKind, Function, InsnId, LayoutCursor, Opcode, Operand, Reg, UnitSet,
};
use crate::target::emitter::Emitter;
use crate::target::error::Error;
use crate::target::{FoldedSource, InsnFlags, InsnRow, InsnView, Isa, OperandRow, RegisterFile};

/// The most slots whose registers are noted at a time.
const MOST_HELD: usize = 8;

/// The most instructions that are searched for a further use of a spare register.
const FARTHEST: usize = 64;

/// The most reloads for one instruction.
const MOST_RELOADS: usize = 3;

/// A register that holds the value of a spill slot.
#[derive(Clone, Copy)]
struct Held {
    slot: FrameId,
    reg: Reg,
}

/// The fate of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Kept,
    Gone,
}

/// Eliminates the reloads of a function that need not be.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn eliminate_reloads(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    let spills = |function: &Function<'_>| {
        let mut objects = function.frame.values().iter();
        objects.any(|object| object.kind == FrameKind::Spill)
    };
    if function.is_jumped_back_into || !spills(function) {
        return Ok(());
    }
    let mut pass = Pass {
        function,
        isa,
        rows: isa.insns(),
        registers: isa.registers(),
        held: heapless::Vec::new(),
        folded: None,
    };
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(pass.function) {
        pass.held.clear();
        let mut next = pass.function.block(block).first();
        while let Some(insn) = next {
            let previous = pass.function.insn(insn).previous();
            next = match (pass.insn(insn)?, previous) {
                (Outcome::Kept, _) => pass.function.insn(insn).next(),
                (Outcome::Gone, Some(previous)) => pass.function.insn(previous).next(),
                (Outcome::Gone, None) => pass.function.block(block).first(),
            };
        }
    }
    Ok(())
}

struct Pass<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    rows: &'static [InsnRow],
    registers: &'static RegisterFile,
    held: heapless::Vec<Held, MOST_HELD>,
    /// The last instruction that was made to read a slot.
    folded: Option<InsnId>,
}

impl Pass<'_, '_> {
    fn insn(&mut self, insn: InsnId) -> Result<Outcome, Error> {
        let reload = self.reload(insn);
        if let Some((to, slot)) = reload
            && self.eliminate(insn, to, slot)?
        {
            self.function.remove(insn);
            return Ok(Outcome::Gone);
        }
        self.forget_written(insn);
        if let Some((reg, slot)) = reload {
            self.note(slot, reg);
        } else if let Some((reg, slot)) = self.spill(insn) {
            self.held.retain(|held| held.slot != slot);
            self.note(slot, reg);
        }
        Ok(Outcome::Kept)
    }

    /// Notes that a register holds the value of a slot.
    fn note(&mut self, slot: FrameId, reg: Reg) {
        // Others may write a register that is reserved: a global variable is tied to it.
        let is_reserved = self.function.reserved.overlaps(self.registers.units(reg));
        if self.is_scratch(reg) || is_reserved {
            return;
        }
        if self.held.is_full() {
            self.held.remove(0);
        }
        // There is room.
        let _ = self.held.push(Held { slot, reg });
    }

    fn row(&self, insn: InsnId) -> Option<&'static InsnRow> {
        let row = self.function.insn(insn).opcode.row()?;
        self.rows.get(row)
    }

    /// Returns the spill slot among the operands of an instruction.
    fn slot(&self, insn: InsnId) -> Option<FrameId> {
        let operands = self.function.operands(insn).iter();
        let slot = { operands }.find_map(|operand| operand.as_frame())?;
        let object = self.function.frame.get(slot)?;
        (object.kind == FrameKind::Spill).then_some(slot)
    }

    /// Returns the register and the slot of an instruction that only loads one from the other.
    fn reload(&self, insn: InsnId) -> Option<(Reg, FrameId)> {
        let row = self.row(insn)?;
        if !row.flags.contains(InsnFlags::LOAD) || self.folded == Some(insn) {
            return None;
        }
        let is_plain = (row.operands.iter().skip(1))
            .all(|kind| matches!(kind, OperandRow::Address(_) | OperandRow::Immediate));
        let [first, ..] = self.function.operands(insn) else {
            return None;
        };
        let to = first.as_reg().filter(|_| first.is_def() && is_plain)?;
        Some((to, self.slot(insn)?)).filter(|_| self.is_whole(to))
    }

    /// Returns the slot that an instruction stores to, and the register that it then holds the
    /// value of, none if that is not known.
    fn spill(&self, insn: InsnId) -> Option<(Reg, FrameId)> {
        let row = self.row(insn)?;
        if !row.flags.contains(InsnFlags::STORE) {
            return None;
        }
        let slot = self.slot(insn)?;
        let operands = self.function.operands(insn).iter().zip(row.operands.iter());
        let mut stored = operands.filter(|(_, kind)| matches!(kind, OperandRow::Use(_)));
        let stored = stored.next().and_then(|(operand, _)| operand.as_reg());
        // A part would not be all that the slot holds.
        let whole = stored.filter(|&reg| self.is_whole(reg));
        Some((whole.unwrap_or(Reg::NONE), slot))
    }

    /// Returns whether a register is one that whole values of a bank are in.
    fn is_whole(&self, reg: Reg) -> bool {
        let mut classes = self.registers.classes.iter();
        self.is_scratch(reg) || classes.any(|class| class.part.0 == 0 && class.has(reg))
    }

    fn is_scratch(&self, reg: Reg) -> bool {
        let registers = self.registers;
        let mut scratch = { registers.scratch_general.iter() }.chain(registers.scratch_floating);
        reg.is_none() || scratch.any(|&scratch| scratch == reg)
    }

    /// Forgets the registers that an instruction writes.
    fn forget_written(&mut self, insn: InsnId) {
        if self.held.is_empty() {
            return;
        }
        let mut written = UnitSet::EMPTY;
        for &operand in self.function.operands(insn) {
            if let Some(preserved) = self.function.mask(operand) {
                let registers = self.registers;
                self.held
                    .retain(|held| preserved.contains(registers.units(held.reg)));
            } else if let Some(reg) = operand.as_reg().filter(|_| operand.is_def()) {
                written = written.union(self.registers.units(reg));
            }
        }
        let registers = self.registers;
        self.held
            .retain(|held| !registers.units(held.reg).overlaps(written));
    }

    /// Has others do without a reload of a slot into a register. Returns whether they do.
    fn eliminate(&mut self, insn: InsnId, to: Reg, slot: FrameId) -> Result<bool, Error> {
        let known = self.held.iter().find(|held| held.slot == slot);
        let holder = known.map(|held| held.reg);
        if holder == Some(to) {
            return Ok(true);
        }
        let user = match self.is_scratch(to) {
            true => self.user(insn, to),
            false => None,
        };
        let Some(user) = user else {
            return Ok(false);
        };
        let is_read_elsewhere = holder.is_some_and(|holder| self.read_from(user, to, holder));
        Ok(is_read_elsewhere || self.fold(insn, to, user)?)
    }

    /// Returns the instruction that a scratch register is loaded for: the next one that is no
    /// reload.
    fn user(&self, reload: InsnId, scratch: Reg) -> Option<InsnId> {
        let mut user = self.function.insn(reload).next()?;
        for _ in 1..MOST_RELOADS {
            match self.reload(user) {
                Some((other, _)) if other != scratch => user = self.function.insn(user).next()?,
                _ => break,
            }
        }
        let row = self.row(user)?;
        let becomes_others = InsnFlags::PSEUDO.union(InsnFlags::SPLITS);
        let is_last = !self.registers.spare.contains(&scratch) || self.is_last_use(user, scratch);
        (!row.flags.intersects(becomes_others) && is_last).then_some(user)
    }

    /// Returns whether it is certain that no instruction after `user` reads the value that a spare
    /// register has there: it is written before it is read, or the block ends, into whose
    /// terminators values are loaded that leave it.
    fn is_last_use(&self, user: InsnId, spare: Reg) -> bool {
        let units = self.registers.units(spare);
        let mut next = Some(user);
        for _ in 0..FARTHEST {
            let Some(insn) = next else {
                return true;
            };
            let (mut is_read, mut is_written) = (false, false);
            for operand in self.function.operands(insn) {
                let reg = operand.as_reg().unwrap_or(Reg::NONE);
                if self.registers.units(reg).overlaps(units) {
                    is_read |= !operand.is_def();
                    is_written |= operand.is_def();
                }
            }
            if is_read && insn != user {
                return false;
            }
            if is_written {
                return true;
            }
            next = self.function.insn(insn).next();
        }
        false
    }

    /// Has an instruction read another register in place of a scratch register, if all operands
    /// take it. Returns whether it does.
    fn read_from(&mut self, user: InsnId, scratch: Reg, holder: Reg) -> bool {
        let (Some(row), registers) = (self.row(user), self.registers) else {
            return false;
        };
        let units = registers.units(scratch);
        let mut replaced = heapless::Vec::<(usize, Reg), 4>::new();
        for (number, &operand) in self.function.operands(user).iter().enumerate() {
            let Some(reg) = operand.as_reg() else {
                continue;
            };
            let kind = row.operands.get(number).copied();
            if operand.is_def() {
                let is_early = matches!(kind, Some(OperandRow::EarlyDef(_)));
                if is_early && registers.units(reg).overlaps(registers.units(holder)) {
                    return false;
                }
                continue;
            }
            if !registers.units(reg).overlaps(units) {
                continue;
            }
            let (Some(OperandRow::Use(class) | OperandRow::Address(class)), None) =
                (kind, operand.tied())
            else {
                return false;
            };
            let Some(new) = part_like(registers, scratch, reg, holder) else {
                return false;
            };
            if !registers.class(class).has(new) || replaced.push((number, new)).is_err() {
                return false;
            }
        }
        for &(number, new) in &replaced {
            if let Some(operand) = self.function.operands_mut(user).get_mut(number) {
                *operand = operand.on(new);
            }
        }
        !replaced.is_empty()
    }

    /// Has an instruction read the slot of a reload in place of the register, if it has such a
    /// form. Returns whether it does.
    fn fold(&mut self, reload: InsnId, scratch: Reg, user: InsnId) -> Result<bool, Error> {
        let units = self.registers.units(scratch);
        let given = self.function.operands(user);
        let is_read = |operand: &Operand| {
            let reg = operand.as_reg().filter(|_| !operand.is_def());
            reg.is_some_and(|reg| self.registers.units(reg).overlaps(units))
        };
        let mut numbers = (0..given.len()).filter(|&number| is_read(&given[number]));
        let Some(number) = numbers.next() else {
            return Ok(false);
        };
        let is_read_once = numbers.next().is_none();
        if is_read_once && self.fold_load(reload, user, number)? {
            return Ok(true);
        }
        let source = InsnView::new(self.function, reload);
        let view = InsnView::new(self.function, user);
        let mut rules = self.isa.description().peepholes.iter();
        let folded = rules.find_map(|rule| (rule.fold)(&view, number, &source));
        let Some(folded) = folded.filter(|folded| self.is_in_place(folded, units)) else {
            return Ok(false);
        };
        let block = self.function.insn(user).block();
        let mut out = Emitter::new(self.function, self.isa, block, Some(user));
        let new = out.emit_insn(folded.opcode, folded.operands())?;
        self.folded = Some(new);
        self.function.remove(user);
        Ok(true)
    }

    /// Returns whether an instruction needs no copies, and reads none of these units.
    fn is_in_place(&self, folded: &FoldedSource, units: UnitSet) -> bool {
        let row = (folded.opcode.row()).and_then(|row| self.rows.get(row));
        let mut kinds = row.iter().flat_map(|row| row.operands.iter());
        let operands = folded.operands();
        operands.iter().all(|operand| {
            let kind = kinds.next();
            let reg = operand.as_reg();
            let is_def = matches!(kind, Some(OperandRow::Def(_) | OperandRow::EarlyDef(_)));
            let is_read = reg.is_some_and(|reg| self.registers.units(reg).overlaps(units));
            let is_tied = match kind {
                Some(&OperandRow::Tied(_, def)) => {
                    operands.get(usize::from(def)).and_then(|def| def.as_reg()) == reg
                }
                _ => true,
            };
            is_tied && (is_def || !is_read)
        })
    }

    /// Puts the address of a reload in place of an operand, if there is a rule for that. Returns
    /// whether there is.
    fn fold_load(&mut self, reload: InsnId, user: InsnId, number: usize) -> Result<bool, Error> {
        let [opcode, loading] = [user, reload].map(|insn| self.function.insn(insn).opcode);
        let found = (self.isa.description()).folded_load(opcode, number, loading);
        let Some((_, folded)) = found else {
            return Ok(false);
        };
        let count = self.row(reload).map_or(0, |row| row.operands.len());
        let [view, source] = [user, reload].map(|insn| InsnView::new(self.function, insn));
        let Some(mut operands) = view.with_address(number, &source, count) else {
            return Ok(false);
        };
        if !self.tie(folded, &mut operands) {
            return Ok(false);
        }
        self.function.set_operands(user, &operands)?;
        self.function.set_opcode(user, folded);
        self.folded = Some(user);
        Ok(true)
    }

    /// Ties the operands that a row ties to definitions. Returns whether they are in the registers
    /// of these.
    fn tie(&self, opcode: Opcode, operands: &mut [Operand]) -> bool {
        let row = opcode.row().and_then(|row| self.rows.get(row));
        let kinds = row.iter().flat_map(|row| row.operands.iter().enumerate());
        for (number, kind) in kinds {
            let OperandRow::Tied(_, def) = *kind else {
                continue;
            };
            let register = |place: usize| operands.get(place).and_then(|operand| operand.as_reg());
            if register(number) != register(usize::from(def)) {
                return false;
            }
            if let Some(operand) = operands.get_mut(number) {
                *operand = operand.tied_to(def);
            }
        }
        true
    }
}

/// Returns the part of `other` that `part` is of `whole`.
fn part_like(registers: &RegisterFile, whole: Reg, part: Reg, other: Reg) -> Option<Reg> {
    if part == whole {
        return Some(other);
    }
    let parts = registers.row(whole).parts.iter();
    let sub = { parts }.find(|&&(_, row)| Reg::physical(row) == part)?.0;
    let new = registers.part(other, sub);
    (new != other).then_some(new)
}
