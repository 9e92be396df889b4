//! Inlining of functions so small that entering them would cost more than running them.
//!
//! Only straight-line functions qualify that cannot stop, call, branch or take stack, so that no
//! fault, no backtrace and no address tells the difference. Fuel is charged as for the call. In
//! confined programs, where every engine has to stop at the same place, the call is made after all
//! if the fuel does not suffice.

use super::super::code::Op;
use super::lower::{Reads, is_straight, narrow_bits};
use super::operand::Source;
use super::{DecodeError, Decoder, Extra, Var, Width};
use crate::ir::{Class, Code, FuncId, InsnId, Module, Operand, Reg, Signature, Type};
use crate::link::Callable;
use crate::mem::{Entity, Vec};

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
        let first = self.vars.len() as u32;
        for _ in callee.func(func).registers() {
            self.temp(Width::Cell)?;
        }
        self.note_reads(callee, func, first);
        let mut sources = Vec::new(self.context.allocator());
        let args = self.module.args(signature);
        let operands = self.module.operands(insn).skip(2 + result_count);
        for (((operand, arg), its), number) in
            operands.zip(args).zip(callee.args(&its)).zip(first..)
        {
            let types = [arg.ty, its.ty];
            // A confined program may call the function after all, with extended arguments.
            let is_narrow = |ty| !linked.is_confined() && self.is_read_within(Var(number), ty);
            sources.push(match types.into_iter().all(is_narrow) {
                true => self.source(operand, 64)?,
                false => self.extended_twice(operand, types)?,
            })?;
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
        for (number, &source) in (first..).zip(&sources) {
            self.copy(Var(number), source)?;
        }
        let ours = (self.module, self.linked, self.func, self.first_var);
        (self.module, self.linked, self.func, self.first_var) = (callee, linked, func, first);
        let lowered = self.lower_straight();
        (self.module, self.linked, self.func, self.first_var) = ours;
        let result = lowered?;
        if let (Some((source, its)), Some(&ty)) = (result, self.module.results(signature).first()) {
            let output = self.module.operand(insn, 2).ok_or(DecodeError::Invalid)?;
            let is_narrow = |ty| self.is_output_read_within(output, ty);
            let source = match [its, ty].into_iter().all(is_narrow) {
                true => source,
                false => {
                    let source = self.extend_source(source, its)?;
                    self.extend_source(source, ty)?
                }
            };
            self.move_to(output, source)?;
        }
        Ok(())
    }

    /// Returns an input extended as one type says, then as another one does.
    fn extended_twice(
        &mut self,
        operand: Operand,
        types: [Type; 2],
    ) -> Result<Source, DecodeError> {
        let source = self.extended(operand, types[0])?;
        self.extend_source(source, types[1])
    }

    /// Notes how many bits a straight function reads of its registers, which are the variables from
    /// `first` on.
    fn note_reads(&mut self, module: &Module<'_>, func: FuncId, first: u32) {
        let var = |reg: Reg| Var(first + reg.number());
        let result = module.results(&module.func(func).signature).first();
        for facts in self.vars.iter_mut().skip(first as usize) {
            facts.bits_read = 0;
        }
        // The instructions that read a copy come after it.
        for insn in module.insns(func).rev() {
            let code = module.code(insn);
            let bits = match Reads::of(module, insn) {
                _ if code == Code::Ret => {
                    result.and_then(|&ty| narrow_bits(ty)).unwrap_or(64) as u8
                }
                Reads::Bits(bits) => bits as u8,
                Reads::AsResult(to, copied) => match self.var(var(to)).bits_read {
                    bits if u32::from(bits) <= copied => bits,
                    _ => 64,
                },
            };
            let outputs = usize::from(code.modes().first().is_some_and(|mode| mode.is_output()));
            for (index, operand) in module.operands(insn).enumerate() {
                let (regs, bits) = match operand {
                    Operand::Reg(reg) if index >= outputs => ([Some(reg), None], bits),
                    Operand::Mem(mem) => ([mem.base, mem.index], 64),
                    _ => continue,
                };
                for reg in regs.into_iter().flatten() {
                    let facts = self.var_mut(var(reg));
                    facts.bits_read = facts.bits_read.max(bits);
                }
            }
        }
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

    /// Lowers the function's instructions up to its `ret`. Returns the value of that, not extended
    /// yet, and its type.
    fn lower_straight(&mut self) -> Result<Option<(Source, Type)>, DecodeError> {
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
                (Some(operand), Some(&ty)) => Ok(Some((self.source(operand, 64)?, ty))),
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
