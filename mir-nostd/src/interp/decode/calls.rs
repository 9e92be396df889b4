//! Lowering of calls: the kind of each, and the values that it passes.

use super::super::code::Op;
use super::super::values::assign_cells;
use super::extensions::Extensions;
use super::operand::Source;
use super::{DecodeError, Decoder, Extra, Var, Width};
use crate::ir::{Class, Code, InsnId, ItemId, ItemKind, Mem, Operand, Signature, Type};
use crate::link::Callable;
use crate::mem::{Entity, Vec};

/// The target of a call.
#[derive(Clone, Copy)]
enum Callee<'a, 'm> {
    /// A function that fits the prototype.
    Function(&'a Callable<'m>),
    /// An address that the instruction names: of native code, a closure, or a function that does
    /// not fit.
    Named(usize),
    /// An address in a register.
    Register(Var),
}

impl<'a, 'm> Decoder<'a, 'm> {
    /// Lowers `call`, `inline` and `jcall`.
    pub(super) fn call(&mut self, insn: InsnId, code: Code) -> Result<(), DecodeError> {
        let module = self.module;
        let Some(Operand::Item(proto)) = module.operand(insn, 0) else {
            return Err(DecodeError::Invalid);
        };
        let ItemKind::Proto(signature) = module.item(proto).kind else {
            return Err(DecodeError::Invalid);
        };
        let callee = self.callee(insn, &signature)?;
        if code == Code::Jcall
            && let Callee::Named(address) = callee
            && self.context.is_set_jump(address)
        {
            self.sets_jump = true;
            return self.push(Op::SetJump, &[]);
        }
        if let Callee::Function(callable) = callee
            && code != Code::Jcall
            && self.first_var == 0
            && self.can_inline(callable, &signature)
        {
            return self.inline_call(insn, &signature, callable);
        }
        let result_count = module.results(&signature).len();
        let first = 2 + result_count;
        let on_stack = self.passes_on_stack(insn, first, &signature, callee);
        let mark = self.temp(Width::Cell)?;
        if on_stack {
            self.push(Op::Bstart, &[mark.0])?;
            self.written(mark);
        }
        let Some(arguments) = self.arguments(insn, first, &signature, callee)? else {
            return self.push(Op::BadSignature, &[]);
        };
        self.emit_call(insn, proto, &signature, callee, &arguments)?;
        if on_stack {
            self.push(Op::Bend, &[mark.0])?;
        }
        if code == Code::Jcall {
            self.push(Op::JmpiReturned, &[])?;
        }
        Ok(())
    }

    fn callee(
        &mut self,
        insn: InsnId,
        signature: &Signature,
    ) -> Result<Callee<'a, 'm>, DecodeError> {
        let operand = self.module.operand(insn, 1).ok_or(DecodeError::Invalid)?;
        let address = match self.source(operand, 64)? {
            // Only calls through sites give up the frame.
            source if self.module.is_tail_call(self.func, insn) => {
                return Ok(Callee::Register(self.in_var(source)?));
            }
            Source::Constant(address) => address as usize,
            Source::Var(var) => return Ok(Callee::Register(var)),
        };
        match self.context.callable_at(address) {
            Some(callable) if !callable.is_native() && self.fits(callable, signature) => {
                Ok(Callee::Function(callable))
            }
            _ => Ok(Callee::Named(address)),
        }
    }

    /// True if the callable is a function without variable arguments that the prototype describes.
    fn fits(&self, callable: &Callable<'m>, signature: &Signature) -> bool {
        let Some((linked, func)) = callable.func() else {
            return false;
        };
        let theirs = linked.module();
        let its = &theirs.func(func).signature;
        let results = self.module.results(signature);
        let its_results = theirs.results(its);
        let args = self.module.args(signature);
        let its_args = theirs.args(its);
        let abi = &self.context.target().abi;
        !its.is_vararg()
            && results.len() == its_results.len()
            && its_args.len() <= args.len()
            && { its_results.iter() }
                .zip(results)
                .all(|(&its, &own)| abi.returns_alike(its, own))
            && { its_args.iter() }
                .zip(args)
                .all(|(&its, &own)| abi.passes_alike(own.into(), its.into()))
    }

    /// True if the call puts copies of blocks or variable arguments on the interpreter's stack.
    fn passes_on_stack(
        &self,
        insn: InsnId,
        first: usize,
        signature: &Signature,
        callee: Callee<'_, '_>,
    ) -> bool {
        let is_native =
            matches!(callee, Callee::Named(address) if self.context.is_native_at(address));
        let is_block = |operand| matches!(operand, Operand::Mem(mem) if is_copied(mem));
        !is_native
            && (signature.is_vararg() || self.module.operands(insn).skip(first).any(is_block))
    }

    /// Returns the variables with the values of all arguments, extended as the prototype says;
    /// `None` if one cannot be passed.
    fn arguments(
        &mut self,
        insn: InsnId,
        first: usize,
        signature: &Signature,
        callee: Callee<'_, '_>,
    ) -> Result<Option<Vec<'m, Var>>, DecodeError> {
        let module = self.module;
        let is_native =
            matches!(callee, Callee::Named(address) if self.context.is_native_at(address));
        let args = module.args(signature);
        let mut vars = Vec::new(self.context.allocator());
        for (index, operand) in module.operands(insn).skip(first).enumerate() {
            let fixed = args.get(index).map(|arg| arg.ty);
            let var = match operand {
                Operand::Mem(mem) if mem.ty.is_block() => {
                    let address = self.address_of_block(mem)?;
                    match is_native || !is_copied(mem) {
                        true => address,
                        false => self.copy_of_block(mem, address)?,
                    }
                }
                _ => {
                    let ty = fixed.unwrap_or(Type::I64);
                    if fixed.is_none() && self.class_of(operand) == Class::Float {
                        return Ok(None);
                    }
                    let source = self.extended(operand, ty)?;
                    self.in_var(source)?
                }
            };
            vars.push(var)?;
        }
        Ok(Some(vars))
    }

    /// Returns the address of a block argument.
    fn address_of_block(&mut self, mem: Mem) -> Result<Var, DecodeError> {
        let base = match mem.base {
            Some(base) => self.source(Operand::Reg(base), 64)?,
            None => Source::Constant(0),
        };
        self.in_var(base)
    }

    /// Returns the address of a copy of the block argument at this address.
    fn copy_of_block(&mut self, mem: Mem, base: Var) -> Result<Var, DecodeError> {
        let copy = self.temp(Width::Cell)?;
        let [low, high] = super::operand::wide(mem.disp);
        self.push(Op::CopyBlock, &[copy.0, base.0, low, high])?;
        self.written(copy);
        Ok(copy)
    }

    /// Returns the class of an operand's value.
    fn class_of(&self, operand: Operand) -> Class {
        match operand {
            Operand::Reg(reg) => {
                let registers = self.module.func(self.func).registers();
                registers
                    .get(reg.index())
                    .map_or(Class::Int, |register| register.ty.class())
            }
            Operand::Float(_) => Class::Float,
            Operand::Double(_) => Class::Double,
            Operand::LongDouble(_) => Class::LongDouble,
            Operand::Mem(mem) => mem.ty.class(),
            _ => Class::Int,
        }
    }

    /// Returns the type by which a variable argument is passed.
    pub(super) fn variable_type(&self, operand: Operand) -> Type {
        match operand {
            Operand::Mem(mem) if mem.ty.is_block() => mem.ty,
            _ => self.class_of(operand).ty(),
        }
    }

    fn emit_call(
        &mut self,
        insn: InsnId,
        proto: ItemId,
        signature: &Signature,
        callee: Callee<'a, 'm>,
        arguments: &[Var],
    ) -> Result<(), DecodeError> {
        let module = self.module;
        let types = module.results(signature);
        let mut targets = Vec::new(self.context.allocator());
        for index in 0..types.len() {
            let operand = module
                .operand(insn, 2 + index)
                .ok_or(DecodeError::Invalid)?;
            let target = self.target(operand)?;
            targets.push(target)?;
        }
        let mut writes = Vec::new(self.context.allocator());
        for target in &targets {
            writes.push(target.var.0)?;
        }
        let writes = self.add_list(&writes)?;
        let reads = self.passed(arguments, callee)?;
        let (op, extra) = self.call_operation(proto, signature, callee)?;
        let extra = self.add_extra(Extra {
            reads,
            writes,
            ..extra
        })?;
        let operand = match callee {
            Callee::Register(var) => var.0,
            _ => 0,
        };
        self.push_with(op, &[0, 0, operand], extra)?;
        self.memory_changed();
        if let Callee::Named(address) = callee
            && self.context.is_set_jump(address)
        {
            self.sets_jump = true;
            self.forget_all();
        }
        let extended = self.results_are_extended(callee, types);
        for (target, &ty) in targets.iter().zip(types) {
            self.written(target.var);
            if extended {
                self.written_extended(target.var, Extensions::of(ty));
            } else if !self.is_read_within(target.var, ty) {
                self.extend_in_place(target.var, ty)?;
            }
        }
        for &target in &targets {
            self.finish(target)?;
        }
        Ok(())
    }

    /// Returns the variables that the call reads: all arguments, or those that the function takes.
    fn passed(
        &mut self,
        arguments: &[Var],
        callee: Callee<'_, '_>,
    ) -> Result<super::Span, DecodeError> {
        let count = match callee {
            Callee::Function(callable) => callable.func().map_or(0, |(linked, func)| {
                let theirs = linked.module();
                theirs.args(&theirs.func(func).signature).len()
            }),
            _ => arguments.len(),
        };
        let mut numbers = Vec::new(self.context.allocator());
        for var in arguments.iter().take(count) {
            numbers.push(var.0)?;
        }
        self.add_list(&numbers)
    }

    fn call_operation(
        &self,
        proto: ItemId,
        signature: &Signature,
        callee: Callee<'_, '_>,
    ) -> Result<(Op, Extra), DecodeError> {
        let extra = Extra {
            proto: proto.number(),
            ..Extra::default()
        };
        Ok(match callee {
            Callee::Function(callable) => {
                let address = core::ptr::from_ref(callable).expose_provenance();
                let extended = self.arguments_are_extended(callable, signature);
                (
                    Op::CallN,
                    Extra {
                        address,
                        extended,
                        ..extra
                    },
                )
            }
            Callee::Named(address) => (Op::CallNative, Extra { address, ..extra }),
            Callee::Register(_) => (Op::CallSite, extra),
        })
    }

    /// True if the caller has extended every narrow argument of the function to its type.
    fn arguments_are_extended(&self, callable: &Callable<'_>, signature: &Signature) -> bool {
        let Some((linked, func)) = callable.func() else {
            return false;
        };
        let theirs = linked.module();
        let its_args = theirs.args(&theirs.func(func).signature);
        its_args
            .iter()
            .zip(self.module.args(signature))
            .all(|(its, ours)| its.ty == ours.ty || super::lower::extension_of(its.ty).is_none())
    }

    /// True if the results come extended to the types of the prototype.
    fn results_are_extended(&self, callee: Callee<'_, '_>, types: &[Type]) -> bool {
        match callee {
            Callee::Function(callable) => callable.func().is_some_and(|(linked, func)| {
                let theirs = linked.module();
                let its = theirs.results(&theirs.func(func).signature);
                its.iter()
                    .zip(types)
                    .all(|(its, ours)| its == ours || super::lower::extension_of(*ours).is_none())
            }),
            // Native code and closures return their results through a site, which extends them.
            Callee::Named(address) => self
                .context
                .callable_at(address)
                .is_none_or(|callable| callable.host().is_some() || callable.is_native()),
            Callee::Register(_) => false,
        }
    }

    /// Appends the cells of arguments of these types as they lie in the callee's frame, as offsets
    /// in the caller's.
    pub(super) fn argument_cells(
        &self,
        offsets: impl Iterator<Item = (u32, Type)>,
        cells: &mut Vec<'m, u32>,
    ) -> Result<(), DecodeError> {
        for (offset, ty) in offsets {
            let (at, end) = assign_cells(cells.len() as u32, ty);
            while (cells.len() as u32) < at {
                cells.push(offset)?;
            }
            for cell in 0..end - at {
                cells.push(offset + 8 * cell)?;
            }
        }
        Ok(())
    }
}

/// True if the operand is a block that is passed by value.
fn is_copied(mem: Mem) -> bool {
    mem.ty.is_block() && mem.ty != Type::Rblk
}
