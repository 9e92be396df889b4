//! Properties of variables and memory: known only in functions that are compiled lazily, block by
//! block; elsewhere each counts as 0.
//!
//! There `prset` and changes of variables or memory leave instructions that have no code. They
//! number the variables and places that have properties: a variable has its own number, memory its
//! index in a list, after all variables. Properties are followed for variables that are no hard
//! registers, and for memory that `prset`, `prbeq` or `prbne` names, as long as the registers of
//! its address are not written; outside of inlined functions. All others keep 0, which is always
//! right.
//!
//! Memory, and variables with their addresses taken, lose their properties by calls, and by stores
//! that are not known to go elsewhere.

use super::meaning::{Meaning, meaning};
use super::{Translator, VariableLocation};
use crate::ir::{Code, InsnId, Mem, Operand as IrOperand, Reg};
use crate::machine::{Generic, IntPredicate, LowType, Operand};
use crate::mem::Entity;
use crate::target::error::Error;

/// The most places in memory that are followed: each write of memory may have to clear all of them.
const MOST_KEPT: usize = 16;

impl Translator<'_, '_, '_, '_> {
    /// Returns whether the function sets properties.
    pub(super) fn sets_properties(&self) -> bool {
        let module = self.module;
        (module.insns(self.func)).any(|insn| module.code(insn) == Code::Prset)
    }

    /// Lists the places in memory with properties that some instruction tests or sets.
    pub(super) fn find_kept(&mut self) -> Result<(), Error> {
        let module = self.module;
        for insn in module.insns(self.func) {
            let number = match module.code(insn) {
                Code::Prset => 0,
                Code::Prbeq | Code::Prbne => 1,
                _ => continue,
            };
            let Some(operand) = module.operand(insn, number) else {
                continue;
            };
            let is_kept = match operand {
                IrOperand::Reg(reg) => self.is_in_memory(reg),
                IrOperand::Mem(mem) => self.is_fixed(&mem),
                _ => false,
            };
            if is_kept && self.kept.len() < MOST_KEPT && !self.kept.contains(&operand) {
                self.kept.push(operand)?;
            }
        }
        Ok(())
    }

    fn is_in_memory(&self, reg: Reg) -> bool {
        matches!(
            self.variables.get(reg.index()),
            Some(VariableLocation::Memory(_))
        )
    }

    /// Returns whether an address changes only by writes of registers, which translation sees.
    fn is_fixed(&self, mem: &Mem) -> bool {
        let is_seen = |reg: Reg| match self.variables.get(reg.index()) {
            Some(VariableLocation::Register(reg)) => reg.vreg().is_some(),
            Some(VariableLocation::Address(_)) => true,
            _ => false,
        };
        !mem.ty.is_block() && [mem.base, mem.index].into_iter().flatten().all(is_seen)
    }

    /// Returns the number of a variable or of memory, if its property is followed.
    fn followed(&self, operand: Option<IrOperand>) -> Option<Operand> {
        if !self.follows || self.inlined.is_some() {
            return None;
        }
        let operand = operand?;
        let kept = self.kept.iter().position(|kept| *kept == operand);
        let number = match operand {
            IrOperand::Reg(reg) => match self.variables.get(reg.index())? {
                VariableLocation::Register(place) => place.vreg().map(|_| reg.index()),
                _ => kept.map(|_| reg.index()),
            },
            IrOperand::Mem(_) => kept.map(|place| self.variables.len() + place),
            _ => None,
        };
        number.map(|number| Operand::imm(number as i32))
    }

    fn property(&self, insn: InsnId, number: usize) -> Result<i64, Error> {
        match self.operand(insn, number)? {
            IrOperand::Int(value) => Ok(value),
            IrOperand::Uint(value) => Ok(value.cast_signed()),
            _ => Err(self.internal()),
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

    /// Notes the effect of a translated instruction on properties: moves copy them, all other
    /// writes clear them.
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
        let is_output = |number: usize| {
            code.mode(number).is_output() || code.is_call() && (2..2 + results).contains(&number)
        };
        let outputs = || {
            let operands = module.operands(insn).enumerate();
            operands.filter(|&(number, _)| is_output(number))
        };
        for (_, output) in outputs() {
            if let Some(to) = self.followed(Some(output)) {
                let from = match meaning(code) {
                    Meaning::Move if keeps_value(&output) => self.followed(module.operand(insn, 1)),
                    _ => None,
                };
                let (generic, from) = match from {
                    Some(from) => (Generic::PropertyMove, from),
                    None => (Generic::PropertySet, Operand::imm(0)),
                };
                self.emit(generic, LowType::S64, &[to, from])?;
            }
        }
        let writes_anywhere = code.is_call()
            || code.is_atomic()
            || matches!(
                code,
                Code::VaStart | Code::VaArg | Code::VaBlockArg | Code::VaEnd
            );
        for place in 0..self.kept.len() {
            let kept = self.kept.get(place).copied();
            let is_lost = |kept| {
                writes_anywhere || outputs().any(|(_, output)| self.may_change(output, kept))
            };
            if let (true, Some(lost)) = (kept.is_some_and(is_lost), self.followed(kept)) {
                self.emit(Generic::PropertySet, LowType::S64, &[lost, Operand::imm(0)])?;
            }
        }
        Ok(())
    }

    /// Returns whether writing an operand may change another place that is followed, or its
    /// address.
    fn may_change(&self, output: IrOperand, kept: IrOperand) -> bool {
        if output == kept {
            return false;
        }
        match (output, kept) {
            (IrOperand::Reg(reg), IrOperand::Mem(mem)) => {
                self.is_in_memory(reg) || [mem.base, mem.index].contains(&Some(reg))
            }
            (IrOperand::Mem(stored), IrOperand::Mem(mem)) => may_overlap(&stored, &mem),
            (IrOperand::Mem(_), _) => true,
            _ => false,
        }
    }
}

/// Returns whether an operand holds a value that is moved to it unchanged.
fn keeps_value(operand: &IrOperand) -> bool {
    !matches!(operand, IrOperand::Mem(mem) if mem.ty.is_int() && mem.ty.size() < 8)
}

/// Returns whether two places in memory may share bytes: not if their addresses differ by a
/// constant that is large enough.
fn may_overlap(a: &Mem, b: &Mem) -> bool {
    let are_alike =
        a.base == b.base && a.index == b.index && (a.index.is_none() || a.scale == b.scale);
    let behind = a.disp.wrapping_sub(b.disp).cast_unsigned();
    !are_alike || behind < u64::from(b.ty.size()) || behind.wrapping_neg() < u64::from(a.ty.size())
}
