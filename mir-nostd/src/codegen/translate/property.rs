//! Properties of variables: known only where blocks are made lazily, elsewhere each counts as 0.
//!
//! Where they are followed, `prset` and what changes variables leave instructions behind that have no code. Followed are
//! variables in registers, outside of inlined functions; everything else keeps 0, which is always right.

use super::meaning::{Meaning, meaning};
use super::{Place, Translator};
use crate::codegen::Error;
use crate::ir::{Code, InsnId, Operand as IrOperand};
use crate::machine::{Generic, IntPredicate, LowType, Operand};
use crate::mem::Entity;

impl Translator<'_, '_, '_, '_> {
    /// Whether the function sets properties of registers.
    pub(super) fn sets_properties(&self) -> bool {
        let module = self.module;
        module.insns(self.func).any(|insn| {
            module.code(insn) == Code::Prset
                && matches!(module.operand(insn, 0), Some(IrOperand::Reg(_)))
        })
    }

    /// The variable's number, if its property is followed.
    fn followed(&self, operand: Option<IrOperand>) -> Option<Operand> {
        let Some(IrOperand::Reg(reg)) = operand else {
            return None;
        };
        let place = self.variables.get(reg.index())?;
        let is_followed = self.follows
            && self.inlined.is_none()
            && matches!(place, Place::Register(reg) if reg.vreg().is_some());
        is_followed.then_some(Operand::imm(reg.index() as i32))
    }

    fn property(&self, insn: InsnId, number: usize) -> Result<i64, Error> {
        match self.operand(insn, number)? {
            IrOperand::Int(value) => Ok(value),
            IrOperand::Uint(value) => Ok(value.cast_signed()),
            _ => Err(Error::Unsupported),
        }
    }

    pub(super) fn set_property(&mut self, insn: InsnId) -> Result<(), Error> {
        let Some(variable) = self.followed(self.module.operand(insn, 0)) else {
            return Ok(());
        };
        let value = self.property(insn, 1)?;
        let value = self.function.int(value)?;
        self.emit(Generic::PropertySet, LowType::S64, &[variable, value])
    }

    pub(super) fn property_branch(&mut self, insn: InsnId, code: Code) -> Result<(), Error> {
        let value = self.property(insn, 2)?;
        let target = self.target_label(insn, 0)?;
        if let Some(variable) = self.followed(self.module.operand(insn, 1)) {
            let predicate = match code {
                Code::Prbeq => IntPredicate::Eq,
                _ => IntPredicate::Ne,
            };
            let value = self.function.int(value)?;
            let operands = [
                Operand::int_predicate(predicate),
                variable,
                value,
                Operand::block(target),
            ];
            self.emit(Generic::PropertyBranch, LowType::S64, &operands)?;
            return self.go_on();
        }
        if (value == 0) == (code == Code::Prbeq) {
            self.branch(target)
        } else {
            Ok(())
        }
    }

    /// Notes what an instruction that was translated does to properties: moves between variables take them along, all
    /// other writes clear them.
    pub(super) fn follow_properties(&mut self, insn: InsnId) -> Result<(), Error> {
        let module = self.module;
        let code = module.code(insn);
        if !self.is_open || code == Code::Prset {
            return Ok(());
        }
        let results = if code.is_call() {
            self.result_count(insn)
        } else {
            0
        };
        for (number, operand) in module.operands(insn).enumerate() {
            let is_output = code.mode(number).is_output()
                || code.is_call() && (2..2 + results).contains(&number);
            let to = self.followed(Some(operand));
            let (true, Some(to)) = (is_output, to) else {
                continue;
            };
            let from = match meaning(code) {
                Meaning::Move => self.followed(module.operand(insn, 1)),
                _ => None,
            };
            let (generic, from) = match from {
                Some(from) => (Generic::PropertyMove, from),
                None => (Generic::PropertySet, Operand::imm(0)),
            };
            self.emit(generic, LowType::S64, &[to, from])?;
        }
        Ok(())
    }
}
