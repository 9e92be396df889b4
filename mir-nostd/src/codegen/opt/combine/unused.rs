//! Removal of instructions that only compute values that nothing reads.

use crate::machine::{Facts, Function, Generic, InsnId, OperandFlags, VReg};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The number of reads of each virtual register in the instructions counted so far.
pub(super) struct Uses<'f>(Vec<'f, u32>);

impl<'f> Uses<'f> {
    pub(super) fn new(function: &Function<'f>) -> Result<Uses<'f>, OutOfMemory> {
        let mut uses = Vec::new(function.allocator());
        uses.resize(function.vreg_count(), 0)?;
        Ok(Uses(uses))
    }

    /// Counts the reads of an instruction.
    pub(super) fn count(&mut self, function: &Function<'_>, insn: InsnId) {
        for operand in function.operands(insn) {
            if let Some(vreg) = operand.read_vreg() {
                self.0[vreg.index()] += 1;
            }
        }
    }

    /// Removes instructions without a reader, last ones first, when all are counted.
    pub(super) fn remove_unused(mut self, function: &mut Function<'_>) {
        for place in (0..function.layout.len()).rev() {
            let Some(&block) = function.layout.get(place) else {
                continue;
            };
            let mut previous = function.block(block).last();
            while let Some(insn) = previous {
                previous = function.insn(insn).previous();
                if self.is_dead(function, insn) {
                    self.discount(function, insn);
                    function.remove(insn);
                }
            }
        }
    }

    fn is_dead(&self, function: &Function<'_>, insn: InsnId) -> bool {
        let generic = function.insn(insn).opcode.generic();
        generic.is_some_and(only_computes)
            && function.operands(insn).iter().all(|operand| {
                let is_implicit = operand.flags().contains(OperandFlags::IMPLICIT);
                let is_unread = |vreg: VReg| self.0[vreg.index()] == 0;
                !operand.is_def() || !is_implicit && operand.vreg().is_some_and(is_unread)
            })
    }

    fn discount(&mut self, function: &Function<'_>, insn: InsnId) {
        for operand in function.operands(insn) {
            if let Some(vreg) = operand.read_vreg() {
                self.0[vreg.index()] -= 1;
            }
        }
    }
}

/// True if an instruction only computes its definitions, which are registers whatever its type.
const fn only_computes(generic: Generic) -> bool {
    let others = Facts::PROPERTY
        .union(Facts::EFFECT)
        .union(Facts::LONG_DOUBLE);
    !generic.is(others)
}
