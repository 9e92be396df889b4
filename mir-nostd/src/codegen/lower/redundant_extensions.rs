//! Removal of superfluous extensions, after selection: on targets with 32-bit instructions that
//! sign-extend their results, most extensions of such a result change nothing.

use crate::machine::{Function, Generic, InsnId, LayoutCursor, Operand, OperandFlags, VReg};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;
use crate::target::{Isa, UpperHalf};

/// The most rounds. Facts spread along copies, at worst by one step per round; functions that need
/// more are left unchanged.
const ROUNDS: usize = 12;

/// Replaces extensions of values that are extended already by copies, and has readers of their
/// results read the sources.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn drop_extensions(function: &mut Function<'_>, isa: &dyn Isa) -> Result<(), Error> {
    let allocator = function.allocator();
    let mut known = Vec::new(allocator);
    known.resize(function.vreg_count(), SignFacts::default())?;
    let mut pass = Pass {
        function,
        isa,
        known,
        epoch: 0,
    };
    if !pass.find() {
        return Ok(());
    }
    for place in 0..pass.function.layout.len() {
        pass.block(place)?;
    }
    Ok(())
}

/// The facts about a virtual register.
#[derive(Clone, Copy)]
struct SignFacts {
    /// True if every definition leaves copies of the sign of the low half in the upper half.
    is_signed: bool,
    definitions: u8,
    /// The version, which grows with each definition.
    version: u32,
    /// The register that it is a copy of, the version of that, and the block in which this holds.
    copied: Option<(VReg, u32, u32)>,
}

impl Default for SignFacts {
    fn default() -> SignFacts {
        SignFacts {
            is_signed: true,
            definitions: 0,
            version: 0,
            copied: None,
        }
    }
}

struct Pass<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    known: Vec<'f, SignFacts>,
    epoch: u32,
}

impl Pass<'_, '_> {
    /// Finds the registers with sign-extended values. Returns whether that came to an end.
    fn find(&mut self) -> bool {
        for round in 0..ROUNDS {
            let mut changed = false;
            let mut layout = LayoutCursor::default();
            while let Some(block) = layout.next(self.function) {
                for insn in self.function.insns(block) {
                    let mut extends = self.extends(insn);
                    for operand in self.function.operands(insn) {
                        let Some(vreg) = operand.vreg().filter(|_| operand.is_def()) else {
                            continue;
                        };
                        let known = &mut self.known[vreg.index()];
                        if round == 0 {
                            known.definitions = known.definitions.saturating_add(1);
                        }
                        changed |= known.is_signed && !extends;
                        known.is_signed &= extends;
                        // Only the first definition is known.
                        extends = false;
                    }
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// Returns whether an instruction's first definition has the sign in its upper half.
    fn extends(&self, insn: InsnId) -> bool {
        let is_copy = self.function.insn(insn).opcode.generic() == Some(Generic::Copy);
        let half = if is_copy {
            UpperHalf::SignOfSources
        } else {
            self.isa.upper_half(self.function, insn)
        };
        let sources = self.function.operands(insn).iter();
        match half {
            UpperHalf::Unknown | UpperHalf::Zero | UpperHalf::ZeroExtension => false,
            UpperHalf::Sign | UpperHalf::Extension => true,
            UpperHalf::SignOfSources => sources
                .filter(|operand| !operand.is_def() && operand.as_reg().is_some())
                .all(|operand| match operand.vreg() {
                    Some(vreg) => self.known[vreg.index()].is_signed,
                    None => self.isa.description().is_zero(*operand),
                }),
        }
    }

    fn block(&mut self, place: usize) -> Result<(), Error> {
        let Some(&block) = self.function.layout.get(place) else {
            return Ok(());
        };
        self.epoch += 1;
        let mut cursor = self.function.cursor(block);
        while let Some(insn) = cursor.next(self.function) {
            self.read_sources(insn);
            let source = self.superfluous(insn);
            for number in 0..self.function.operands(insn).len() {
                let operand = self.function.operands(insn).get(number);
                if let Some(vreg) = operand.filter(|o| o.is_def()).and_then(|o| o.vreg()) {
                    self.known[vreg.index()].version += 1;
                }
            }
            if let Some((to, from)) = source {
                let operands = [to, from];
                self.function.set_opcode(insn, Generic::Copy.into());
                self.function.set_operands(insn, &operands)?;
                self.note(to, from);
            }
        }
        Ok(())
    }

    /// Replaces results of removed extensions by their sources in the operands of an instruction.
    fn read_sources(&mut self, insn: InsnId) {
        let Pass {
            function,
            known,
            epoch,
            ..
        } = self;
        for operand in function.operands_mut(insn) {
            let is_plain =
                !operand.flags().intersects(OperandFlags::DEF) && operand.tied().is_none();
            let Some(vreg) = operand.vreg().filter(|_| is_plain) else {
                continue;
            };
            let Some((from, version, block)) = known[vreg.index()].copied else {
                continue;
            };
            if block == *epoch && known[from.index()].version == version {
                *operand = operand.on(crate::machine::Reg::virt(from));
            }
        }
    }

    /// Returns result and source of an extension of a value that is extended already.
    fn superfluous(&self, insn: InsnId) -> Option<(Operand, Operand)> {
        self.function.insn(insn).opcode.row()?;
        if self.isa.upper_half(self.function, insn) != UpperHalf::Extension {
            return None;
        }
        let operands = self.function.operands(insn);
        let (&to, &from) = (operands.first()?, operands.get(1)?);
        to.vreg()?;
        self.known[from.vreg()?.index()]
            .is_signed
            .then_some((to, from))
    }

    /// Notes that a register with this only definition is a copy.
    fn note(&mut self, to: Operand, from: Operand) {
        let (Some(to), Some(from)) = (to.vreg(), from.vreg()) else {
            return;
        };
        let is_same_class = self.function.vreg(to).class == self.function.vreg(from).class;
        if self.known[to.index()].definitions == 1 && is_same_class {
            let version = self.known[from.index()].version;
            self.known[to.index()].copied = Some((from, version, self.epoch));
        }
    }
}
