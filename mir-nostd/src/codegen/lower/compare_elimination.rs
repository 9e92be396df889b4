//! Compare elimination, after register allocation: a comparison with zero of what an instruction
//! has computed is left out where that instruction sets the flags, or another one that does the
//! same would, and a comparison that was made just before.
//!
//! Idea: each block is walked from its end, with the instructions that read the flags next. Where
//! none does, an instruction that leaves the flags alone may as well set them (an addition in place
//! of x86's LEA, once both have the same register), so that form is taken. Where one does, and what
//! wrote the flags is a comparison with zero, the nearest instruction before it that sets flags or
//! defines the register takes its place, if the target's rules say so
//! ([`FlagRules`](crate::target::FlagRules)). Invariant: flags are written and read within a block.
//! Cost: linear in the instructions.

use crate::machine::{Function, Insn, InsnId, LayoutCursor, Operand, Reg};
use crate::target::emitter::Emitter;
use crate::target::error::{Error, Phase};
use crate::target::{FlagRules, FoldedSource, InsnFlags, InsnRow, InsnView, Isa};

/// The most instructions between a comparison and the one whose flags take its place.
const MOST_BETWEEN: usize = 4;

/// The most operands of an instruction that sets the flags, implicit ones included.
const MOST_OPERANDS: usize = 12;

/// Leaves out comparisons with zero.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn eliminate_compares(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    let Some(rules) = isa.description().flag_rules else {
        return Ok(());
    };
    let rows = isa.insns();
    let mut pass = Pass {
        function,
        isa,
        rules,
        rows,
        definition: Operand::implicit_def(rules.register),
        read: Operand::implicit_use(rules.register),
    };
    let mut layout = LayoutCursor::default();
    while let Some(block) = layout.next(pass.function) {
        let last = pass.function.block(block).last();
        pass.block(last)?;
    }
    Ok(())
}

/// The instructions that read the flags which an instruction leaves.
#[derive(Clone, Copy)]
enum Readers {
    None,
    One(InsnId),
    Several,
}

/// The effect of an instruction on the flags.
#[derive(Clone, Copy)]
struct Effect {
    writes: bool,
    reads: bool,
}

impl Effect {
    const NONE: Effect = Effect {
        writes: false,
        reads: false,
    };
}

struct Pass<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    rules: &'static FlagRules,
    rows: &'static [InsnRow],
    /// The operands by which rows write and read the flags.
    definition: Operand,
    read: Operand,
}

impl Pass<'_, '_> {
    /// Walks a block from its last instruction to its first.
    fn block(&mut self, last: Option<InsnId>) -> Result<(), Error> {
        let mut readers = Readers::None;
        let mut next = last;
        while let Some(insn) = next {
            let row = self.function.insn(insn);
            next = row.previous();
            let effect = self.effect(row);
            if effect.writes && self.is_repeated(insn) {
                self.function.remove(insn);
                continue;
            }
            match readers {
                Readers::None if !effect.writes && self.rules.may_set.contains(&row.opcode) => {
                    self.set_flags(insn)?;
                }
                Readers::One(reader) if effect.writes => {
                    if let Some(result) = self.reuse(insn, reader)? {
                        next = Some(result);
                        continue;
                    }
                }
                _ => {}
            }
            if effect.writes {
                readers = Readers::None;
            }
            if effect.reads {
                readers = match readers {
                    Readers::None => Readers::One(insn),
                    _ => Readers::Several,
                };
            }
        }
        Ok(())
    }

    fn effect(&self, insn: &Insn) -> Effect {
        let row = insn.opcode.row().and_then(|row| self.rows.get(row));
        let Some(row) = row else {
            return Effect::NONE;
        };
        let mut effect = Effect {
            writes: row.flags.contains(InsnFlags::CALL),
            reads: false,
        };
        for operand in row.implicit.iter() {
            effect.writes |= *operand == self.definition;
            effect.reads |= *operand == self.read;
        }
        effect
    }

    /// Returns whether an instruction does nothing but repeat the comparison that wrote the flags,
    /// as those of several selects by one condition do.
    fn is_repeated(&self, compare: InsnId) -> bool {
        let row = self.function.insn(compare);
        let operands = self.function.operands_of(row);
        let accesses = (row.opcode.row().and_then(|row| self.rows.get(row)))
            .is_none_or(|row| row.flags.intersects(InsnFlags::LOAD.union(InsnFlags::CALL)));
        let defines_more = |operand: &Operand| operand.is_def() && *operand != self.definition;
        if accesses || operands.iter().any(defines_more) {
            return false;
        }
        let registers = self.isa.registers();
        let units = |operand: &Operand| registers.units(operand.as_reg().unwrap_or(Reg::NONE));
        let mut insn = row.previous();
        for _ in 0..=MOST_BETWEEN {
            let Some(other) = insn.map(|insn| self.function.insn(insn)) else {
                return false;
            };
            let changed = self.function.operands_of(other);
            if self.effect(other).writes {
                return other.opcode == row.opcode && changed == operands;
            }
            let mut changed = changed.iter().filter(|operand| operand.is_def());
            if changed.any(|def| { operands.iter() }.any(|read| units(read).overlaps(units(def)))) {
                return false;
            }
            insn = other.previous();
        }
        false
    }

    /// Replaces an instruction after which nothing reads the flags by one that sets them, if there
    /// is one.
    fn set_flags(&mut self, insn: InsnId) -> Result<(), Error> {
        match (self.rules.setting)(&InsnView::new(self.function, insn)) {
            Some(setting) => self.replace(insn, &setting),
            None => Ok(()),
        }
    }

    /// Makes an instruction another one. It keeps its number, by which debug information knows it.
    fn replace(&mut self, insn: InsnId, by: &FoldedSource) -> Result<(), Error> {
        let block = self.function.insn(insn).block();
        let mut out = Emitter::new(self.function, self.isa, block, Some(insn));
        let new = out.emit_insn(by.opcode, by.operands())?;
        let given = self.function.operands(new);
        let mut operands = [Operand::NO_REG; MOST_OPERANDS];
        let Some(places) = operands.get_mut(..given.len()) else {
            return Err(Phase::Selection.internal(Some(insn)));
        };
        places.copy_from_slice(given);
        self.function.set_opcode(insn, by.opcode);
        self.function.set_operands(insn, places)?;
        self.function.remove(new);
        Ok(())
    }

    /// Removes a comparison whose flags one instruction reads, if those of an instruction before it
    /// say the same. Returns that instruction.
    fn reuse(&mut self, compare: InsnId, reader: InsnId) -> Result<Option<InsnId>, Error> {
        let Some(result) = self.result_before(compare) else {
            return Ok(None);
        };
        let [compared, read] = [compare, reader].map(|insn| InsnView::new(self.function, insn));
        let view = InsnView::new(self.function, result);
        let setting = match self.effect(self.function.insn(result)).writes {
            true => None,
            false => (self.rules.setting)(&view),
        };
        let found = match &setting {
            Some(setting) => (self.rules.reuse)(&setting.in_place_of(&view), &compared, &read),
            None => (self.rules.reuse)(&view, &compared, &read),
        };
        let Some((number, operand)) = found else {
            return Ok(None);
        };
        if let Some(setting) = setting {
            self.replace(result, &setting)?;
        }
        if let Some(place) = self.function.operands_mut(reader).get_mut(number) {
            *place = operand;
        }
        self.function.remove(compare);
        Ok(Some(result))
    }

    /// Returns the nearest instruction before a comparison that writes the flags or defines what is
    /// compared.
    fn result_before(&self, compare: InsnId) -> Option<InsnId> {
        let registers = self.isa.registers();
        let compared = self.function.operands(compare).first()?.as_reg()?;
        let units = registers.units(compared);
        let mut insn = compare;
        for _ in 0..=MOST_BETWEEN {
            insn = self.function.insn(insn).previous()?;
            let is_compared = |operand: &Operand| {
                let reg = operand.as_reg().filter(|_| operand.is_def());
                reg.is_some_and(|reg| registers.units(reg).overlaps(units))
            };
            let writes = self.effect(self.function.insn(insn)).writes;
            if writes || self.function.operands(insn).iter().any(is_compared) {
                return Some(insn);
            }
        }
        None
    }
}
