//! Loads into the instruction that reads them, where the target has a form with memory.

use super::{Emitter, Error};
use crate::machine::{Function, InsnId, Opcode, Operand, OperandFlags};
use crate::mem::{Entity, Vec};
use crate::target::{InsnFlags, InsnRow, Isa, OperandRow};

/// The most explicit operands of an instruction with memory.
const MOST: usize = 16;

/// Folds each load whose value is read once, in the same block, with nothing between that may change memory or address.
///
/// # Errors
///
/// Out of memory.
pub(super) fn fold_loads(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    let allocator = function.allocator();
    let mut known = Vec::new(allocator);
    known.resize(function.vreg_count(), Known::default())?;
    for &block in &function.layout {
        for insn in function.insns(block) {
            for operand in function.operands(insn) {
                if let Some(vreg) = operand.vreg() {
                    let known = &mut known[vreg.index()];
                    let count = if operand.is_def() {
                        &mut known.definitions
                    } else {
                        &mut known.uses
                    };
                    *count = count.saturating_add(1);
                }
            }
        }
    }
    let mut folder = Folder {
        function,
        isa,
        known,
        time: 0,
        changed: 0,
    };
    folder.run()
}

/// What is known of a virtual register. Times count instructions from 1.
#[derive(Clone, Copy, Default)]
struct Known {
    definitions: u8,
    uses: u8,
    /// When it was defined last.
    defined: u32,
    /// The load that defined it.
    load: Option<InsnId>,
}

struct Folder<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    known: Vec<'f, Known>,
    time: u32,
    /// When memory was changed last, or the block began.
    changed: u32,
}

impl Folder<'_, '_> {
    fn run(&mut self) -> Result<(), Error> {
        for place in 0..self.function.layout.len() {
            let Some(&block) = self.function.layout.get(place) else {
                break;
            };
            self.time += 1;
            self.changed = self.time;
            let mut next = self.function.block(block).first();
            while let Some(insn) = next {
                next = self.function.insn(insn).next();
                self.time += 1;
                self.insn(insn)?;
            }
        }
        Ok(())
    }

    fn row(&self, insn: InsnId) -> Option<&'static InsnRow> {
        let row = self.function.insn(insn).opcode.row()?;
        self.isa.insns().get(row)
    }

    fn insn(&mut self, insn: InsnId) -> Result<(), Error> {
        let row = self.row(insn);
        if let Some(row) = row {
            for number in 0..row.operands.len() {
                if self.fold(insn, number)? {
                    break;
                }
            }
        }
        let is_load = row.is_some_and(|row| {
            let others = InsnFlags::STORE.union(InsnFlags::CALL);
            row.flags.contains(InsnFlags::LOAD) && !row.flags.intersects(others)
        });
        for number in 0..self.function.operands(insn).len() {
            let operand = self.function.operands(insn).get(number);
            if let Some(vreg) = operand.filter(|o| o.is_def()).and_then(|o| o.vreg()) {
                let known = &mut self.known[vreg.index()];
                known.defined = self.time;
                known.load = (is_load && number == 0).then_some(insn);
            }
        }
        let changes = InsnFlags::STORE.union(InsnFlags::CALL);
        if row.is_some_and(|row| row.flags.intersects(changes)) {
            self.changed = self.time;
        }
        Ok(())
    }

    /// Folds the load behind an operand, if that may be.
    fn fold(&mut self, insn: InsnId, number: usize) -> Result<bool, Error> {
        let Some(load) = self.load_of(insn, number) else {
            return Ok(false);
        };
        let (opcode, loading) = (
            self.function.insn(insn).opcode,
            self.function.insn(load).opcode,
        );
        let Some(folded) = self.isa.fold_load(opcode, number, loading) else {
            return Ok(false);
        };
        let address = self.row(load).map_or(0, |row| row.operands.len());
        let given = self.function.operands(insn);
        let memory = self.function.operands(load).get(1..address).unwrap_or(&[]);
        let (before, rest) = given.split_at(number);
        let behind = rest.get(1..).unwrap_or(&[]);
        let mut operands = [Operand::NO_REG; MOST];
        let all = before.iter().chain(memory).chain(behind);
        let len = before.len() + memory.len() + behind.len();
        let Some(places) = operands.get_mut(..len) else {
            return Ok(false);
        };
        for (place, &operand) in places.iter_mut().zip(all) {
            *place = operand;
        }
        if !self.tie(insn, folded, places)? {
            return Ok(false);
        }
        self.function.set_opcode(insn, folded);
        let places = operands.get(..len).unwrap_or(&[]);
        self.function.set_operands(insn, places)?;
        self.function.remove(load);
        Ok(true)
    }

    /// Makes the source that the form with memory writes to, if it has one, the register of the definition, by a copy before
    /// the instruction; false if another operand reads that register.
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

    /// The load that an operand's value comes from, if it may as well happen here.
    fn load_of(&self, insn: InsnId, number: usize) -> Option<InsnId> {
        let operand = *self.function.operands(insn).get(number)?;
        let is_plain = !operand.is_def() && operand.tied().is_none();
        let known = self.known.get(operand.vreg()?.index())?;
        let is_once = known.definitions == 1 && known.uses == 1;
        let load = known
            .load
            .filter(|_| is_plain && is_once && known.defined > self.changed)?;
        let address = self.function.operands(load).get(1..)?;
        let is_same = address
            .iter()
            .all(|part| match (part.vreg(), part.as_reg()) {
                (Some(vreg), _) => self.known[vreg.index()].defined < known.defined,
                (None, Some(reg)) => {
                    part.flags().contains(OperandFlags::IMPLICIT)
                        || self.isa.registers().units(reg).is_empty()
                }
                _ => true,
            });
        is_same.then_some(load)
    }
}
