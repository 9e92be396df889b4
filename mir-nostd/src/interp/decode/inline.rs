//! Inlining of functions so small that entering them would cost more than running them.
//!
//! Only straight-line functions qualify that cannot stop, call, branch or take stack, so that no
//! fault, no backtrace and no address tells the difference. Fuel is charged as for the call. In
//! confined programs, where every engine has to stop at the same place, the call is made after all
//! if the fuel does not suffice.

use super::super::code::Op;
use super::lower::is_straight;
use super::operand::Source;
use super::{DecodeError, Decoder, Extra, Var, Width};
use crate::ir::{Class, Code, InsnId, Signature};
use crate::link::Callable;
use crate::mem::Vec;

/// The most instructions of a function that is inlined.
const LARGEST: usize = 24;

impl<'a, 'm> Decoder<'a, 'm> {
    /// True if the function, which fits the prototype, can be inlined.
    pub(super) fn can_inline(&self, callable: &Callable<'m>, signature: &Signature) -> bool {
        let Some((linked, func)) = callable.func() else {
            return false;
        };
        let module = linked.module();
        let function = module.func(func);
        let plain = |ty: crate::ir::Type| !ty.is_block() && ty.class() != Class::LongDouble;
        let results = self.module.results(signature);
        function.insn_count() <= LARGEST
            && results.len() <= 1
            && results.iter().all(|&ty| plain(ty))
            && module
                .args(&function.signature)
                .iter()
                .all(|arg| plain(arg.ty))
            && function
                .registers()
                .iter()
                .all(|register| register.hard_reg.is_none() && plain(register.ty))
            && function.last().is_some_and(|last| {
                module.insns(func).all(|insn| {
                    if insn == last {
                        module.code(insn) == Code::Ret
                    } else {
                        is_straight(module, insn)
                    }
                })
            })
    }

    /// Puts the function's instructions in the place of the call `insn`.
    pub(super) fn inline_call(
        &mut self,
        insn: InsnId,
        signature: &Signature,
        callable: &'a Callable<'m>,
    ) -> Result<(), DecodeError> {
        let (linked, func) = callable.func().ok_or(DecodeError::Invalid)?;
        let callee = linked.module();
        let its = callee.func(func).signature;
        let result_count = self.module.results(signature).len();
        let mut sources = Vec::new(self.context.allocator());
        let args = self.module.args(signature);
        let operands = self.module.operands(insn).skip(2 + result_count);
        for ((operand, arg), its) in operands.zip(args).zip(callee.args(&its)) {
            let source = self.extended(operand, arg.ty)?;
            sources.push(self.extend_source(source, its.ty)?)?;
        }
        if self.fuel.is_charged() {
            let cost = callee
                .insns(func)
                .filter(|&insn| callee.code(insn) != Code::Label)
                .count() as u32;
            match linked.is_confined() {
                true => self.pay_or_call(callable, cost, &sources, result_count)?,
                false => self.push(Op::Fuel, &[cost])?,
            }
        }
        let first = self.vars.len() as u32;
        for _ in callee.func(func).registers() {
            self.temp(Width::Cell)?;
        }
        for (number, &source) in (first..).zip(&sources) {
            self.copy(Var(number), source)?;
        }
        let ours = (self.module, self.linked, self.func, self.first_var);
        (self.module, self.linked, self.func, self.first_var) = (callee, linked, func, first);
        let lowered = self.lower_straight();
        (self.module, self.linked, self.func, self.first_var) = ours;
        let result = lowered?;
        if let (Some(source), Some(&ty)) = (result, self.module.results(signature).first()) {
            let source = self.extend_source(source, ty)?;
            let output = self.module.operand(insn, 2).ok_or(DecodeError::Invalid)?;
            self.move_to(output, source)?;
        }
        Ok(())
    }

    /// Pays for a function, or calls it if the fuel does not suffice: then it ends there.
    fn pay_or_call(
        &mut self,
        callable: &Callable<'m>,
        cost: u32,
        sources: &[Source],
        results: usize,
    ) -> Result<(), DecodeError> {
        let pay = self.nodes.len();
        self.push(Op::PayOrCall, &[cost, 0])?;
        let mut reads = Vec::new(self.context.allocator());
        for &source in sources {
            let var = match source {
                Source::Var(var) => var,
                Source::Constant(value) => {
                    let var = self.temp(Width::Cell)?;
                    self.push_constant(var, value)?;
                    var
                }
            };
            reads.push(var.0)?;
        }
        let reads = self.add_list(&reads)?;
        let mut writes = Vec::new(self.context.allocator());
        for _ in 0..results {
            writes.push(self.temp(Width::Cell)?.0)?;
        }
        let writes = self.add_list(&writes)?;
        let address = core::ptr::from_ref(callable).expose_provenance();
        let extra = self.add_extra(Extra {
            reads,
            writes,
            address,
            extended: true,
            ..Extra::default()
        })?;
        self.push_with(Op::CallN, &[], extra)?;
        self.nodes[pay].slots[1] = (self.nodes.len() - pay) as u32;
        Ok(())
    }

    /// Lowers the function's instructions up to its `ret`; returns the value of that.
    fn lower_straight(&mut self) -> Result<Option<Source>, DecodeError> {
        let module = self.module;
        for insn in module.insns(self.func) {
            match module.code(insn) {
                // Nothing branches here.
                Code::Label => continue,
                Code::Ret => {}
                code => {
                    self.instruction(insn, code, 0)?;
                    continue;
                }
            }
            let results = module.results(&module.func(self.func).signature);
            return match (module.operand(insn, 0), results.first()) {
                (Some(operand), Some(&ty)) => self.extended(operand, ty).map(Some),
                _ => Ok(None),
            };
        }
        Ok(None)
    }

    /// Returns the variable of a register of the function whose instructions are lowered.
    pub(super) fn var_of(&self, reg: crate::ir::Reg) -> Var {
        Var(self.first_var + crate::mem::Entity::number(reg))
    }
}
