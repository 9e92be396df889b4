//! Imports calls.

use super::function::Lower;
use super::globals::register_type;
use super::parts::Kind;
use super::results::Returned;
use super::signature::{Arguments, Form, Passed};
use super::values::Held;
use crate::ast::{Call, Const, LocalId, Value};
use crate::error::Result;
use crate::types::Type;
use mir_nostd::ir::{Code, Operand, Reg, Type as MediumType};
use mir_nostd::target::ArgumentKind;

impl<'s> Lower<'_, 's, '_> {
    /// Returns how the fixed arguments of a call are passed, and the operands for all arguments:
    /// the first is the address of memory for the result, if that is returned there.
    fn pass_arguments(
        &mut self,
        call: &'s Call,
        returned: &Returned,
        memory: Option<Reg>,
    ) -> Result<(Vec<Passed>, Vec<Operand>)> {
        // Without a prototype all arguments are passed as if they were fixed.
        let fixed = call.fixed.filter(|&fixed| fixed > 0);
        let fixed = fixed.unwrap_or(call.args.len());
        let mut arguments = Arguments::default();
        let address = (self.importer).pass_address(&mut arguments, returned, self.place)?;
        let (mut passed_fixed, mut operands) = (address, Vec::new());
        if let (Some(address), Some(memory)) = (passed_fixed.first(), memory) {
            operands.push(address.operand(memory));
        }
        for (number, arg) in call.args.iter().enumerate() {
            let kind = match number < fixed {
                true => ArgumentKind::Named,
                false => ArgumentKind::Variable,
            };
            arguments.kind = kind;
            let passed = self
                .importer
                .pass(&mut arguments, arg.ty, &arg.attributes, self.place)?;
            let held = self.value(arg.ty, &arg.value)?;
            self.pass_operands(&passed, held, arg, kind, &mut operands)?;
            if kind == ArgumentKind::Named {
                passed_fixed.extend(passed);
            }
        }
        Ok((passed_fixed, operands))
    }

    pub(super) fn call(&mut self, result: Option<LocalId>, call: &'s Call) -> Result<()> {
        if let Value::Const(Const::Global(name)) = &call.callee
            && let Some(intrinsic) = name.strip_prefix("llvm.")
        {
            return self.intrinsic(result, intrinsic, call);
        }
        if let Value::Const(Const::Assembly(assembly)) = &call.callee {
            return self.assembly(result, assembly, call);
        }
        self.check_convention(call)?;
        self.check_vectors(call)?;
        let returned =
            (self.importer).returned(call.result, &call.result_attributes, self.place)?;
        self.check_returned(call, &returned)?;
        let memory = self.memory_of_result(&returned)?;
        let (passed_fixed, operands) = self.pass_arguments(call, &returned, memory)?;
        let types = returned.types();
        let vararg = call.fixed.is_some_and(|fixed| fixed > 0);
        let order = self.importer.order(&passed_fixed, vararg);
        let passed_fixed: Vec<_> = order.iter().map(|&number| passed_fixed[number]).collect();
        let is_tail = core::mem::take(&mut self.is_tail);
        let proto = if is_tail {
            self.check_tail(call, &returned, &passed_fixed)?;
            (self.importer).tail_proto(&types, &passed_fixed, self.place)?
        } else {
            (self.importer).proto(&types, &passed_fixed, vararg, self.place)?
        };
        let callee = self.pointer(&call.callee)?;
        let mut all = vec![Operand::Item(proto), self.operand(callee)?];
        let mut regs = Vec::new();
        for ty in &types {
            let kind = match ty {
                MediumType::F => Kind::Float,
                MediumType::D => Kind::Double,
                MediumType::Ld => Kind::LongDouble,
                _ => Kind::Int(64),
            };
            let reg = self.temp(kind)?;
            regs.push(reg);
            all.push(Operand::Reg(reg));
        }
        all.extend(order.iter().filter_map(|&number| operands.get(number)));
        all.extend(operands.iter().skip(order.len()));
        match call.unwind {
            Some(unwind) => self.try_call(&all, types.len(), unwind)?,
            None => self.emit(Code::Call, all.as_slice())?,
        }
        if is_tail {
            let returned: Vec<_> = regs.iter().copied().map(Operand::Reg).collect();
            self.emit(Code::Ret, returned.as_slice())?;
        } else if let Some(result) = result {
            let held = self.returned_value(call.result, &returned, &regs, memory)?;
            self.define(result, held)?;
        }
        self.release_scratches();
        Ok(())
    }

    /// Checks that a call can give up the frame of its function: all arguments are in registers,
    /// and the results are those of the function.
    fn check_tail(&self, call: &Call, returned: &Returned, args: &[Passed]) -> Result<()> {
        let named = args.iter().map(|arg| arg.argument());
        let why = if call.fixed.is_some_and(|fixed| fixed > 0) {
            "with variable arguments"
        } else if !self.importer.isa.passes_in_registers(named) {
            "with arguments that are not all in registers which a call may change"
        } else if returned.address().is_some()
            || self.result_address.is_some()
            || returned.types() != self.returned.types()
        {
            "whose result is not in the registers of the function's own"
        } else {
            return Ok(());
        };
        self.unsupported(format!("a `musttail` call {why}"))
    }

    /// Checks that vectors are passed only between functions of the module: the registers in which
    /// C passes them do not exist in Medium IR.
    fn check_vectors(&self, call: &Call) -> Result<()> {
        let variable = call.fixed.filter(|&fixed| fixed > 0);
        let variable = call.args.iter().skip(variable.unwrap_or(call.args.len()));
        if variable
            .map(|arg| arg.ty)
            .any(|ty| self.importer.goes_by_lanes(ty) || self.importer.is_short(ty))
        {
            return self.unsupported("a variable argument that is a vector or a half float");
        }
        let Value::Const(Const::Global(name)) = &call.callee else {
            return Ok(());
        };
        let args = call.args.iter().map(|arg| arg.ty);
        let mut types = args.chain([call.result]);
        if self.importer.defines(name) || !types.any(|ty| self.importer.goes_by_lanes(ty)) {
            return Ok(());
        }
        self.unsupported(format!(
            "the call of @{name}, a function of another module that takes or returns vectors or half floats,"
        ))
    }

    /// Adds the operands of a call for one argument.
    fn pass_operands(
        &mut self,
        passed: &[Passed],
        held: Vec<Held>,
        arg: &crate::ast::Argument,
        kind: ArgumentKind,
        operands: &mut Vec<Operand>,
    ) -> Result<()> {
        let mut parts = held.into_iter();
        for passed in passed {
            match passed.form {
                Form::Part | Form::Sharing => {
                    let Some(part) = parts.next() else { break };
                    let operand = if kind == ArgumentKind::Variable {
                        self.variable(part, arg)?
                    } else {
                        self.operand(part)?
                    };
                    operands.push(operand);
                }
                Form::Pointee => {
                    let Some(part) = parts.next() else { break };
                    let address = self.register(part)?;
                    operands.push(passed.operand(address));
                }
                Form::Words(count) => {
                    let block = self.kept_scratch()?;
                    for (number, part) in (0..).zip(parts.by_ref().take(count.into())) {
                        let operand = self.operand(part)?;
                        let memory = self.importer.word(number, count, block);
                        self.emit(Code::Mov, (memory, operand))?;
                    }
                    operands.push(passed.operand(block));
                }
                Form::Floats(count, half) => {
                    let floats: Vec<_> = parts.by_ref().take(count.into()).collect();
                    let word = self.packed_floats(passed.ty, &floats, half)?;
                    operands.push(Operand::Reg(word));
                }
                Form::Short(bits) => {
                    let Some(part) = parts.next() else { break };
                    operands.push(Operand::Reg(self.float_of_short(bits, part)?));
                }
                Form::Filler => {
                    let filler = match passed.ty {
                        MediumType::D => Operand::Double(0.0),
                        MediumType::I64 => Operand::Int(0),
                        _ => passed.operand(self.kept_scratch()?),
                    };
                    operands.push(filler);
                }
            }
        }
        Ok(())
    }

    /// Extends an integer passed as a variable argument to 64 bits.
    fn variable(&mut self, part: Held, arg: &crate::ast::Argument) -> Result<Operand> {
        let width = match self.importer.source.types.get(arg.ty) {
            Type::Int(width) if *width < 64 => *width,
            _ => return self.operand(part),
        };
        self.extended(part, width, !arg.attributes.zeroext)
    }

    /// Calls a library function that returns one value.
    pub(super) fn call_library(
        &mut self,
        name: &str,
        result: Kind,
        args: &[(Kind, Held)],
    ) -> Result<Held> {
        let held = self.call_library_parts(name, &[result], args)?;
        match held.as_slice() {
            &[held] => Ok(held),
            _ => self.unsupported("this call"),
        }
    }

    pub(super) fn call_library_parts(
        &mut self,
        name: &str,
        results: &[Kind],
        args: &[(Kind, Held)],
    ) -> Result<Vec<Held>> {
        let callee = self.importer.library_function(name)?;
        let types: Vec<_> = results.iter().map(|&kind| register_type(kind)).collect();
        let passed: Vec<_> = args
            .iter()
            .map(|&(kind, _)| Passed {
                ty: match kind {
                    // Narrower integers are passed as an `int`.
                    Kind::Int(width) if width <= 32 => MediumType::I32,
                    kind => register_type(kind),
                },
                size: 0,
                form: Form::Part,
            })
            .collect();
        let proto = self.importer.proto(&types, &passed, false, self.place)?;
        let mut operands = vec![Operand::Item(proto), Operand::Item(callee)];
        let mut held = Vec::new();
        for &kind in results {
            let reg = self.temp(kind)?;
            operands.push(Operand::Reg(reg));
            held.push(Held::Reg(reg));
        }
        for &(_, arg) in args {
            operands.push(self.operand(arg)?);
        }
        self.emit(Code::Call, operands.as_slice())?;
        Ok(held)
    }
}
