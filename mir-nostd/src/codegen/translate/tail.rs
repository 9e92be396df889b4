//! Tail recursion: a call by which a function calls itself and returns the results becomes a jump
//! to the start of its body, with other arguments, which takes no stack.
//!
//! A single integer may be changed on the way from the call to the return, as in
//! `return fibonacci(n - 1) + fibonacci(n - 2)`, by one operation that can be done in any order,
//! if another call of the function stays, which takes stack: an accumulator
//! begins with the value that changes nothing, each jump changes it as the call's result would be
//! changed, and each return changes its result by it. Only the bits that are returned count, and
//! these operations compute them from bits no higher.

use super::meaning::{Meaning, meaning};
use super::values::def;
use super::{Translator, VariableLocation, bank_and_type};
use crate::ir::{Code, InsnId, Operand as IrOperand, Reg as Variable, Signature, Type};
use crate::machine::{Generic, LowType, Operand, VReg};
use crate::mem::Entity;
use crate::target::error::Error;

/// The most instructions between a call and the return that are followed.
const MOST_STEPS: usize = 8;
/// The most results that are followed.
const MOST_RESULTS: usize = 4;
/// The most operations on a result that are followed.
const MOST_TERMS: usize = 4;

/// The register in which the operations on the results of calls that became jumps are done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulator {
    pub(super) generic: Generic,
    ty: LowType,
    value: VReg,
}

/// A call that can become a jump.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct TailCall {
    /// The operation that changes the result, if it is changed.
    generic: Option<Generic>,
    /// The other sources of the operation, each time that it is done.
    terms: [Option<IrOperand>; MOST_TERMS],
}

/// The variables that hold the result of a call, as it was or changed.
#[derive(Default)]
struct Held {
    variables: [Option<Variable>; MOST_STEPS],
    count: usize,
}

impl Held {
    fn add(&mut self, variable: Variable) {
        if let Some(place) = self.variables.get_mut(self.count) {
            *place = Some(variable);
            self.count += 1;
        }
    }

    fn contains(&self, variable: Variable) -> bool {
        self.variables.contains(&Some(variable))
    }
}

impl Translator<'_, '_, '_, '_> {
    /// Begins a block for calls in tail position, which jump to it with other arguments.
    pub(super) fn begin_again(&mut self, generic: Option<Generic>) -> Result<(), Error> {
        if let Some(generic) = generic {
            let ty = match self.only_result() {
                Some(ty) if ty.size() < 8 => LowType::S32,
                _ => LowType::S64,
            };
            let value = self.int_vreg()?;
            let neutral = Operand::imm(neutral(generic).unwrap_or(0));
            self.set(value.into(), neutral)?;
            self.accumulator = Some(Accumulator { generic, ty, value });
        }
        let block = self.function.add_block()?;
        self.start(block)?;
        self.again = Some(block);
        Ok(())
    }

    /// Returns the operation by which the first call of the function itself that can become a jump
    /// changes its result, of those that do. There is none unless another call of the function
    /// stays: where each takes an accumulator, recursion without end would run for ever instead of
    /// being a stack overflow.
    pub(super) fn accumulation(&self) -> Option<Generic> {
        let calls = { self.module.insns(self.func) }.filter(|&insn| self.is_self_call(insn));
        let calls = calls.map(|insn| self.tail_call(insn, &self.prototype(insn)?));
        let generic = { calls.clone().flatten() }.find_map(|call| call.generic)?;
        let mut stay = calls.filter(|call| match call {
            Some(call) => call.generic.is_some_and(|other| other != generic),
            None => true,
        });
        stay.next().map(|_| generic)
    }

    /// Returns the type of the function's result, if it has one only.
    fn only_result(&self) -> Option<Type> {
        let signature = self.module.func(self.func).signature;
        match self.module.results(&signature) {
            &[ty] => Some(ty),
            _ => None,
        }
    }

    /// Returns how a call of the function itself becomes a jump to its start, if it can.
    pub(super) fn jump_for(&self, insn: InsnId, signature: &Signature) -> Option<TailCall> {
        self.again?;
        if !self.calls(insn, self.func) {
            return None;
        }
        let generic = self.accumulator.map(|accumulator| accumulator.generic);
        let call = self.tail_call(insn, signature)?;
        (call.generic.is_none() || call.generic == generic).then_some(call)
    }

    /// Returns how a call of the function itself can become a jump to its start.
    fn tail_call(&self, insn: InsnId, signature: &Signature) -> Option<TailCall> {
        let module = self.module;
        let own = &module.func(self.func).signature;
        let results = module.results(own);
        if !self.agrees(signature, self.func) || module.results(signature) != results {
            return None;
        }
        match self.only_result() {
            Some(ty) if ty.is_int() => self.changes(insn, ty),
            _ => self
                .returns_results(insn, results.len())
                .then_some(TailCall::default()),
        }
    }

    /// Returns the operations on the integer that a call returns, if nothing else happens until the
    /// result is returned.
    fn changes(&self, call: InsnId, ty: Type) -> Option<TailCall> {
        let module = self.module;
        let mut tail = TailCall::default();
        let mut terms = tail.terms.iter_mut();
        let mut held = Held::default();
        let mut result = self.result_variable(module.operand(call, 2));
        let mut insn = call;
        for _ in 0..MOST_STEPS {
            held.add(result?);
            insn = self.next_step(insn)?;
            let (code, to) = (module.code(insn), module.operand(insn, 0));
            if code == Code::Ret {
                return (operand_variable(to) == result).then_some(tail);
            }
            let (first, second) = (module.operand(insn, 1), module.operand(insn, 2));
            let is_first = operand_variable(first) == result;
            match meaning(code) {
                Meaning::Move if is_first => {}
                Meaning::Extend(_, bits) if is_first && 8 * ty.size() <= bits => {}
                Meaning::Int(generic, low)
                    if neutral(generic).is_some()
                        && tail.generic.is_none_or(|one| one == generic)
                        && ty.size() <= low.bytes() =>
                {
                    let (changed, term) = if is_first {
                        (first, second)
                    } else {
                        (second, first)
                    };
                    if operand_variable(changed) != result || !self.can_wait(term, &held) {
                        return None;
                    }
                    *terms.next()? = term;
                    tail.generic = Some(generic);
                }
                _ => return None,
            }
            result = self.result_variable(to);
        }
        None
    }

    /// Returns whether an operand has the value after a call that it had before, which is not the
    /// result of the call either.
    fn can_wait(&self, operand: Option<IrOperand>, results: &Held) -> bool {
        match operand {
            Some(IrOperand::Int(_) | IrOperand::Uint(_)) => true,
            operand => { self.result_variable(operand) }
                .is_some_and(|variable| !results.contains(variable)),
        }
    }

    /// Returns whether nothing but the return of its results follows a call.
    fn returns_results(&self, call: InsnId, count: usize) -> bool {
        let module = self.module;
        let mut held = [None; MOST_RESULTS];
        let Some(held) = held.get_mut(..count) else {
            return false;
        };
        for (number, held) in held.iter_mut().enumerate() {
            *held = self.result_variable(module.operand(call, 2 + number));
        }
        let mut insn = call;
        for _ in 0..MOST_STEPS {
            let are_apart = (held.iter().enumerate()).all(|(number, one)| {
                one.is_some() && !held.iter().skip(number + 1).any(|other| other == one)
            });
            let Some(next) = self.next_step(insn).filter(|_| are_apart) else {
                return false;
            };
            insn = next;
            let mut operands = module.operands(insn);
            match meaning(module.code(insn)) {
                _ if module.code(insn) == Code::Ret => {
                    let mut pairs = operands.by_ref().zip(held.iter());
                    return pairs.all(|(operand, held)| operand_variable(Some(operand)) == *held);
                }
                Meaning::Move => {
                    let to = self.result_variable(operands.next());
                    let from = operand_variable(operands.next());
                    match held.iter_mut().find(|held| **held == from) {
                        Some(held) => *held = to,
                        None => return false,
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// Returns the instruction that follows, after labels and jumps; if fuel is charged, in the
    /// same block, as fuel for other blocks would be due after each call.
    fn next_step(&self, insn: InsnId) -> Option<InsnId> {
        let module = self.module;
        let mut insn = module.next(insn)?;
        for _ in 0..MOST_STEPS {
            let next = match (module.code(insn), module.operand(insn, 0)) {
                (Code::Label, _) => module.next(insn)?,
                (Code::Jmp, Some(IrOperand::Label(label))) => module.label_insn(label)?,
                _ => return Some(insn),
            };
            if self.settings.charges_fuel() {
                return None;
            }
            insn = next;
        }
        None
    }

    /// Returns the variable that an operand is, if only the function sees its value.
    fn result_variable(&self, operand: Option<IrOperand>) -> Option<Variable> {
        let variable = operand_variable(operand)?;
        match self.variables.get(variable.index())? {
            VariableLocation::Register(reg) if reg.vreg().is_some() => Some(variable),
            _ => None,
        }
    }

    /// Accumulates the changes of a call's result, assigns the arguments to the variables, all at
    /// once, and jumps to the start of the body.
    pub(super) fn jump_again(
        &mut self,
        insn: InsnId,
        signature: &Signature,
        call: &TailCall,
    ) -> Result<(), Error> {
        let module = self.module;
        for &term in call.terms.iter().flatten() {
            let term = self.int(term)?;
            self.accumulate(term)?;
        }
        let args = module.args(&module.func(self.func).signature);
        let mut values = self.inline_arguments(insn, signature)?;
        for (number, (value, arg)) in values.iter_mut().zip(args).enumerate() {
            if value.as_reg().is_some() && self.home(number) != value.as_reg().map(Operand::reg) {
                let (bank, low) = bank_and_type(arg.ty);
                let copy = Operand::from(self.vreg(bank, low)?);
                self.copy(copy, *value)?;
                *value = copy;
            }
        }
        for (number, (&value, arg)) in values.iter().zip(args).enumerate() {
            let place = self.variables.get(number).copied();
            self.set_variable(place.ok_or(self.internal())?, arg.ty, value)?;
        }
        let again = self.again.ok_or(self.internal())?;
        self.branch(again)
    }

    /// Changes the accumulator by a value.
    fn accumulate(&mut self, value: Operand) -> Result<(), Error> {
        let Some(accumulator) = self.accumulator else {
            return Err(self.internal());
        };
        let register = Operand::from(accumulator.value);
        let operands = [def(register), register, value];
        self.emit(accumulator.generic, accumulator.ty, &operands)
    }

    /// Returns an integer result changed by the accumulator, if there is one.
    pub(super) fn accumulated(&mut self, value: Operand) -> Result<Operand, Error> {
        let Some(accumulator) = self.accumulator else {
            return Ok(value);
        };
        let changed = self.temp()?;
        let operands = [def(changed), accumulator.value.into(), value];
        self.emit(accumulator.generic, accumulator.ty, &operands)?;
        Ok(changed)
    }

    /// Returns the register of an argument's variable.
    fn home(&self, number: usize) -> Option<Operand> {
        match self.variables.get(number)? {
            VariableLocation::Register(reg) => Some(Operand::reg(*reg)),
            _ => None,
        }
    }
}

fn operand_variable(operand: Option<IrOperand>) -> Option<Variable> {
    match operand {
        Some(IrOperand::Reg(variable)) => Some(variable),
        _ => None,
    }
}

/// Returns the value that changes nothing in an operation that can be done in any order.
fn neutral(generic: Generic) -> Option<i32> {
    match generic {
        Generic::Add | Generic::Or | Generic::Xor => Some(0),
        Generic::Mul => Some(1),
        Generic::And => Some(-1),
        _ => None,
    }
}
