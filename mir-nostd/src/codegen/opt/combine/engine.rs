//! The engine: walks over a function, tries the rules, and applies what they return. It knows none
//! of them.

use super::Combined;
use super::dispatch::{Candidates, INSN_RULES, INSNS, OPERAND_RULES, OPERANDS};
use super::rule::{Rewrite, Site, Value};
use super::unused::Uses;
use super::values::Values;
use crate::codegen::analysis::preserved::Preserved;
use crate::codegen::fired::RuleSet;
use crate::codegen::form::Form;
use crate::machine::{Function, Generic, InsnId, LayoutCursor, LowType, Operand};
use crate::mem::OutOfMemory;
use crate::target::error::Error;

/// The most rewrites of an instruction that keep its opcode. Each goes to an earlier definition; a
/// few suffice for the code of front ends.
const MOST_REWRITES: usize = 4;

/// The fate of an instruction that the rules were tried on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The instruction may be read again.
    Stays,
    /// The instruction is gone.
    Removed,
    /// The instruction is a jump now, and the rest of the block is gone.
    EndsBlock,
}

pub(super) struct Engine<'a, 'f> {
    function: &'a mut Function<'f>,
    values: Values<'f>,
    uses: Uses<'f>,
    branches_changed: bool,
    fired: RuleSet,
}

impl<'a, 'f> Engine<'a, 'f> {
    pub(super) fn new(
        function: &'a mut Function<'f>,
        form: Form,
    ) -> Result<Engine<'a, 'f>, OutOfMemory> {
        Ok(Engine {
            values: Values::new(function, form)?,
            uses: Uses::new(function)?,
            function,
            branches_changed: false,
            fired: RuleSet::EMPTY,
        })
    }

    /// Walks forward over all blocks.
    pub(super) fn run(&mut self) -> Result<(), Error> {
        let mut layout = LayoutCursor::default();
        while let Some(block) = layout.next(self.function) {
            self.values.enter_block();
            let mut cursor = self.function.cursor(block);
            while let Some(insn) = cursor.next(self.function) {
                let outcome = self.insn(insn)?;
                if outcome != Outcome::Removed {
                    self.uses.count(self.function, insn);
                }
                if outcome == Outcome::EndsBlock {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Removes what nothing reads any more.
    pub(super) fn finish(self) -> Combined {
        self.uses.remove_unused(self.function);
        Combined {
            preserved: Preserved::control_flow_unless(self.branches_changed),
            fired: self.fired,
        }
    }

    fn insn(&mut self, insn: InsnId) -> Result<Outcome, Error> {
        let Some(generic) = self.function.insn(insn).opcode.generic() else {
            return Ok(Outcome::Stays);
        };
        self.replace_operands(insn, generic)?;
        let outcome = self.rewrite(insn, generic)?;
        if outcome != Outcome::Removed {
            self.values.note(self.function, insn);
        }
        Ok(outcome)
    }

    fn site(&self, insn: InsnId, generic: Generic) -> Site<'_, 'f> {
        Site {
            function: self.function,
            block: self.function.insn(insn).block(),
            values: &self.values,
            generic,
            ty: self.function.insn(insn).ty,
            operands: self.function.operands(insn),
        }
    }

    // ---- operands

    /// Tries the rules for operands on each that an instruction reads.
    fn replace_operands(&mut self, insn: InsnId, generic: Generic) -> Result<(), Error> {
        let mut from = 0;
        while let Some(place) = self.next_replaced(insn, generic, from) {
            self.replace_operand(insn, generic, place)?;
            from = place + 1;
        }
        Ok(())
    }

    /// Returns the next operand with a shape that some rule is for.
    fn next_replaced(&self, insn: InsnId, generic: Generic, from: usize) -> Option<usize> {
        let shapes = OPERANDS.shapes(generic, 0);
        let operands = self.function.operands(insn).get(from..)?;
        // No rule is for anything but virtual registers, of which something is known.
        let is_replaced = |operand: &Operand| {
            let vreg = operand.read_vreg();
            vreg.is_some_and(|vreg| shapes.has(self.values.shape_of(vreg)))
        };
        Some(from + operands.iter().position(is_replaced)?)
    }

    /// Tries the rules for operands on one, each once.
    fn replace_operand(
        &mut self,
        insn: InsnId,
        generic: Generic,
        place: usize,
    ) -> Result<(), Error> {
        let mut rules = OPERANDS.of(generic);
        while rules != 0 {
            let site = self.site(insn, generic);
            let candidates = rules & OPERANDS.with(0, self.values.shape(site.at(place)));
            if candidates == 0 {
                break;
            }
            let number = candidates.trailing_zeros() as usize;
            if let Some(value) = (OPERAND_RULES[number].rewrite)(&site, place) {
                let operand = self.operand(value)?;
                self.fired = self.fired.with(number);
                self.set_operands(insn, place, &[operand]);
            }
            // The rules after it remain.
            rules &= Candidates::MAX << number << 1;
        }
        Ok(())
    }

    /// Sets the operands from a number on.
    fn set_operands(&mut self, insn: InsnId, first: usize, operands: &[Operand]) {
        let places = self.function.operands_mut(insn).iter_mut().skip(first);
        for (place, &operand) in places.zip(operands) {
            *place = operand;
        }
    }

    // ---- instructions

    /// Tries the rules for instructions: again on the result as long as the opcode stays.
    fn rewrite(&mut self, insn: InsnId, generic: Generic) -> Result<Outcome, Error> {
        for _ in 0..MOST_REWRITES {
            let Some((rule, rewrite)) = self.first_match(insn, generic) else {
                break;
            };
            self.fired = self.fired.with(OPERAND_RULES.len() + rule);
            match rewrite {
                Rewrite::Sources(first, sources, ty) => {
                    self.set_operands(insn, first, &sources);
                    self.function.set_type(insn, ty);
                }
                Rewrite::Comparison(comparison, ty) => {
                    self.compare(insn, generic, comparison, ty)?;
                    if generic == Generic::Xor {
                        break;
                    }
                }
                Rewrite::Address(address) => self.set_operands(insn, 1, &address.operands()),
                Rewrite::Jump(target) => return self.jump(insn, target),
                Rewrite::Nothing => {
                    self.branches_changed = true;
                    self.function.remove(insn);
                    return Ok(Outcome::Removed);
                }
                Rewrite::Insn(generic, ty, sources) => {
                    self.replace(insn, generic, ty, &sources)?;
                    break;
                }
            }
        }
        Ok(Outcome::Stays)
    }

    /// Sets the predicate, the sides and the type of a comparison; of an instruction that is none
    /// makes one that defines the same register.
    fn compare(
        &mut self,
        insn: InsnId,
        generic: Generic,
        comparison: [Operand; 3],
        ty: LowType,
    ) -> Result<(), Error> {
        match generic {
            Generic::BrIcmp => self.set_operands(insn, 0, &comparison),
            Generic::Icmp | Generic::Select => self.set_operands(insn, 1, &comparison),
            _ => {
                let [predicate, a, b] = comparison.map(|operand| Some(Value::Operand(operand)));
                return self.replace(insn, Generic::Icmp, ty, &[predicate, a, b]);
            }
        }
        self.function.set_type(insn, ty);
        Ok(())
    }

    /// Returns the first rule that replaces the instruction, with the replacement.
    fn first_match(&self, insn: InsnId, generic: Generic) -> Option<(usize, Rewrite)> {
        let mut candidates = self.candidates(insn, generic);
        if candidates == 0 {
            return None;
        }
        let site = self.site(insn, generic);
        while candidates != 0 {
            let number = candidates.trailing_zeros() as usize;
            if let Some(rewrite) = (INSN_RULES[number].rewrite)(&site) {
                return Some((number, rewrite));
            }
            candidates &= candidates - 1;
        }
        None
    }

    /// Returns the rules that match an instruction by its opcode and the shapes of its operands.
    fn candidates(&self, insn: InsnId, generic: Generic) -> Candidates {
        let mut candidates = INSNS.of(generic);
        if candidates != 0 {
            let sources = self.function.operands(insn).iter().skip(1);
            for (number, &source) in sources.take(2).enumerate() {
                candidates &= INSNS.with(number, self.values.shape(source));
            }
        }
        candidates
    }

    /// Replaces an instruction by another one that defines the same register.
    fn replace(
        &mut self,
        insn: InsnId,
        generic: Generic,
        ty: LowType,
        sources: &[Option<Value>],
    ) -> Result<(), Error> {
        let mut operands = [Operand::NO_REG; 4];
        let (mut count, to) = (1, self.function.operands(insn).first());
        operands[0] = to.copied().unwrap_or(Operand::NO_REG);
        for &value in sources.iter().flatten() {
            operands[count] = self.operand(value)?;
            count += 1;
        }
        Ok((self.function).replace(insn, generic, ty, &operands[..count])?)
    }

    fn operand(&mut self, value: Value) -> Result<Operand, Error> {
        match value {
            Value::Int(value) => Ok(self.function.int(value)?),
            Value::Operand(operand) => Ok(operand),
        }
    }

    /// Replaces a branch by a jump, after which the rest of the block is unreachable.
    fn jump(&mut self, insn: InsnId, target: Operand) -> Result<Outcome, Error> {
        self.branches_changed = true;
        let function = &mut *self.function;
        function.replace(insn, Generic::Br, LowType::S64, &[target])?;
        while let Some(next) = function.insn(insn).next() {
            function.remove(next);
        }
        Ok(Outcome::EndsBlock)
    }
}
