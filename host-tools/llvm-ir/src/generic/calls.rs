//! Raises calls and returns: physical registers and stack accesses become arguments and results.

use super::abi::{self, Carrier, Spot, carrier};
use super::function::{Raise, error};
use super::values::global_name;
use super::{callee_name, calls_of};
use crate::ast::{Argument, Attributes, Call, Const, Op, Typed, Value};
use crate::error::Result;
use crate::types::{Type, TypeId};
use llvm_mir::model::{Instruction, OperandKind, Register};

/// The types of a call, as in LLVM IR.
struct Signature {
    result: TypeId,
    result_attributes: Attributes,
    args: Vec<(TypeId, Attributes)>,
    fixed: Option<usize>,
    is_fast: bool,
}

impl Signature {
    fn of_call(call: &Call) -> Signature {
        let args = call.args.iter();
        Signature {
            result: call.result,
            result_attributes: call.result_attributes.clone(),
            args: args.map(|arg| (arg.ty, arg.attributes.clone())).collect(),
            fixed: call.fixed,
            is_fast: call.is_fast,
        }
    }

    fn is_variable(&self, number: usize) -> bool {
        self.fixed.is_some_and(|fixed| number >= fixed)
    }
}

/// Returns `None` if the instruction is no call, else whether it is a tail call.
pub(super) fn is_call(name: &str) -> Option<bool> {
    match name {
        "BL" | "BLR" | "BLRNoIP" | "PseudoCALL" | "PseudoCALLIndirect" | "CALL64pcrel32"
        | "CALL64r" => Some(false),
        "TCRETURNdi" | "TCRETURNri" | "TCRETURNdi64" | "TCRETURNri64" | "PseudoTAIL"
        | "PseudoTAILIndirect" => Some(true),
        _ => None,
    }
}

impl<'a> Raise<'a> {
    pub(super) fn carrier(&self, register: Register) -> Option<Carrier> {
        let (target, registers) = (self.context.target, self.context.registers);
        carrier(registers, target.register_name(register.number()?))
    }

    /// Raises a `COPY` between physical and virtual registers.
    pub(super) fn copy(&mut self, insn: &Instruction) -> Result<()> {
        let register = |at: usize| {
            let operand = insn.operands.get(at).and_then(|operand| operand.register());
            operand.map(|operand| operand.register)
        };
        let (Some(to), Some(from)) = (register(0), register(1)) else {
            return Err(error("COPY without registers"));
        };
        match (to.virtual_index(), from.virtual_index()) {
            (Some(to), Some(from)) => {
                if let Some(&offset) = self.outgoing_addresses.get(&from) {
                    self.outgoing_addresses.insert(to, offset);
                    return Ok(());
                }
                let value = self.held_register(from)?;
                self.set(to, value)
            }
            (None, Some(_)) => {
                if let Some(carrier) = self.carrier(to) {
                    let value = self.held(insn, 1)?;
                    self.physical.insert(carrier, value);
                }
                Ok(())
            }
            (Some(to), None) => {
                let (target, registers) = (self.context.target, self.context.registers);
                let name = target.register_name(from.number().unwrap_or(0));
                if name == registers.row(registers.stack_pointer).name.text() {
                    self.outgoing_addresses.insert(to, 0);
                    return Ok(());
                }
                let held = self.carrier(from).and_then(|from| self.physical.get(&from));
                let ty = self.type_of(to)?;
                let held = held.cloned().unwrap_or((ty, Value::Const(Const::Zero)));
                self.set(to, held)
            }
            (None, None) => Ok(()),
        }
    }

    /// Raises a call; a tail call also returns the callee's result.
    pub(super) fn call(&mut self, insn: &Instruction, is_last: bool) -> Result<()> {
        let callee = match insn.operands.first().map(|operand| &operand.kind) {
            Some(OperandKind::Global(global, 0)) => {
                Value::Const(Const::Global(global_name(global)?))
            }
            Some(OperandKind::External(name, 0)) => Value::Const(Const::Global(name.to_string())),
            Some(OperandKind::Register(_)) => {
                let pointer = self.types.add(Type::Ptr);
                self.operand(insn, 0, pointer)?
            }
            _ => return Err(error("a call of something else than a function")),
        };
        let signature = self.signature(&callee)?;
        let convention = self.convention(signature.is_fast);
        let args = signature.args.iter().enumerate();
        let args = args.map(|(at, (ty, attributes))| (*ty, attributes, signature.is_variable(at)));
        let placed = abi::arguments(self.types, convention, args)
            .ok_or_else(|| error("an argument is passed in a way that is not known"))?;
        let mut args = Vec::new();
        for ((ty, attributes), leaves) in signature.args.into_iter().zip(placed) {
            let value = self.assembled(ty, &leaves, &mut |raise, spot, ty| {
                raise.passed(spot, ty, is_last)
            })?;
            args.push(Argument {
                ty,
                attributes,
                value,
            });
        }
        let call = Call {
            result: signature.result,
            result_attributes: signature.result_attributes.clone(),
            callee,
            args,
            fixed: signature.fixed,
            is_fast: signature.is_fast,
            must_tail: false,
            foreign: None,
            unwind: None,
        };
        self.physical.clear();
        self.outgoing.clear();
        let op = Op::Call(Box::new(call));
        if matches!(self.types.get(signature.result), Type::Void) {
            self.perform(op);
        } else {
            let ty = signature.result;
            let result = (ty, self.emit(op, ty));
            let leaves = abi::result(self.types, convention, ty)
                .ok_or_else(|| error("a result comes in a way that is not known"))?;
            for (spot, piece) in self.pieces(result, &signature.result_attributes, &leaves)? {
                if let Spot::Register(carrier) = spot {
                    self.physical.insert(carrier, piece);
                }
            }
        }
        if is_last { self.ret() } else { Ok(()) }
    }

    /// Returns the value at the location of an argument.
    fn passed(&mut self, spot: Spot, ty: TypeId, is_last: bool) -> Result<Typed> {
        let found = match spot {
            Spot::Register(carrier) => self.physical.get(&carrier),
            Spot::Stack(offset) => self.outgoing.get(&offset),
        };
        if let Some(found) = found {
            return Ok(found.clone());
        }
        // The stack arguments of a tail call are in the function's own argument area.
        let Spot::Stack(offset) = spot else {
            return Ok((ty, Value::Const(Const::Zero)));
        };
        let objects = self.generic.fixed_stack.iter().zip(&self.fixed);
        let mut objects = objects.filter(|_| is_last);
        let found = objects.find(|(object, _)| u64::try_from(object.offset) == Ok(offset));
        match found.map(|(_, address)| address.clone()) {
            Some(address) => Ok((ty, self.emit(Op::Load(ty, address), ty))),
            None => Ok((ty, Value::Const(Const::Zero))),
        }
    }

    /// Returns the types of a call: those of the same call in LLVM IR, or else of the called
    /// function.
    fn signature(&mut self, callee: &Value) -> Result<Signature> {
        let name = match callee {
            Value::Const(Const::Global(name)) => Some(name.as_str()),
            _ => None,
        };
        if let Some(call) = self.matching_call(name) {
            return Ok(Signature::of_call(call));
        }
        let number = name.and_then(|name| self.context.by_name.get(name));
        let function = number.map(|&number| &self.context.functions[number]);
        let Some(function) = function.filter(|function| !function.vararg) else {
            let what = name.map_or("an indirect call".into(), |name| {
                format!("the call of @{name}")
            });
            return Err(error(format!(
                "{what} is not found in the function's LLVM IR, which has its types"
            )));
        };
        let params = function.params.iter();
        Ok(Signature {
            result: function.result,
            result_attributes: function.result_attributes.clone(),
            args: params
                .map(|param| (param.ty, param.attributes.clone()))
                .collect(),
            fixed: None,
            is_fast: function.is_fast,
        })
    }

    /// Returns the next call of this function, or through a pointer, in the corresponding block of
    /// LLVM IR.
    fn matching_call(&mut self, name: Option<&str>) -> Option<&'a Call> {
        let block = self.ir_block?;
        let body = self.header.body.as_ref()?;
        let met = self.calls_met.entry(block).or_default();
        let calls = calls_of(body.blocks.get(block)?).enumerate().skip(*met);
        let (number, call) = calls
            .into_iter()
            .find(|(_, call)| callee_name(call) == name)?;
        *met = number + 1;
        Some(call)
    }

    pub(super) fn ret(&mut self) -> Result<()> {
        let header = self.header;
        if matches!(self.types.get(header.result), Type::Void) {
            self.perform(Op::Ret(None));
            return Ok(());
        }
        let convention = self.convention(header.is_fast);
        let leaves = abi::result(self.types, convention, header.result)
            .ok_or_else(|| error("the result is given in a way that is not known"))?;
        let value = self.assembled(header.result, &leaves, &mut |raise, spot, ty| {
            raise.passed(spot, ty, false)
        })?;
        self.perform(Op::Ret(Some((header.result, value))));
        Ok(())
    }
}
