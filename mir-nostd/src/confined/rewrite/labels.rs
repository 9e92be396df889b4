//! Labels as values: numbers of the program, which an indirect jump looks up.

use super::Body;
use crate::ir::{Code, FaultKind, InsnId, Operand, Problem, Result, Type};
use crate::mem::Vec;

impl Body<'_, '_, '_> {
    pub(super) fn label_address(&mut self, insn: InsnId) -> Result<()> {
        let operands = self.operands(insn)?;
        let [to, Operand::Label(label)] = operands[..] else {
            return Err(Problem::OperandCount.into());
        };
        let value = self.module.placed.label(label);
        self.set(to, Type::I64, value.into())
    }

    /// Turns an indirect jump into a `switch` over the labels of the function whose values are
    /// taken.
    pub(super) fn jump_to(&mut self, insn: InsnId) -> Result<()> {
        let operands = self.operands(insn)?;
        let to = self.value(operands[0])?;
        let placed = self.module.placed;
        let (labels, first) = placed.labels_of(self.func);
        let distance = self.binary(Code::Sub, to, first)?;
        let low = self.binary(Code::And, distance, 15)?;
        self.ensure(low, 1, FaultKind::BadLabel, to)?;
        let number = self.binary(Code::Ursh, distance, 4)?;
        self.ensure(number, labels.len() as i64, FaultKind::BadLabel, to)?;
        if labels.is_empty() {
            return Ok(());
        }
        let mut targets = Vec::new(self.module.allocator());
        targets.push(number.into())?;
        for &label in labels {
            targets.push(Operand::Label(self.module.label(label)?))?;
        }
        self.emit(Code::Switch, &targets[..])
    }

    /// Rewrites a branch on a property: all count as 0, as wherever fuel is counted.
    pub(super) fn property_branch(&mut self, insn: InsnId, code: Code) -> Result<()> {
        let operands = self.operands(insn)?;
        let [Operand::Label(label), _, constant] = operands[..] else {
            return Err(Problem::OperandCount.into());
        };
        let is_zero = matches!(constant, Operand::Int(0) | Operand::Uint(0));
        match is_zero == (code == Code::Prbeq) {
            true => {
                let label = self.module.label(label)?;
                self.emit(Code::Jmp, (label,))
            }
            false => Ok(()),
        }
    }
}
