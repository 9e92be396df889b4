//! Tail recursion: a call by which a function calls itself and returns the results unchanged
//! becomes a jump to the start of its body, with other arguments, which takes no stack.

use super::{Translator, VariableLocation, bank_and_type};
use crate::ir::{Code, Flags, InsnId, Operand as IrOperand, Reg as Variable, Signature, Type};
use crate::machine::{BlockId, Operand};
use crate::mem::Entity;
use crate::target::error::Error;

/// The most instructions between a call and the return that are followed.
const MOST_STEPS: usize = 8;
/// The most results that are followed.
const MOST_RESULTS: usize = 4;

impl Translator<'_, '_, '_, '_> {
    /// Begins a block after the entry for calls that become jumps, if there may be any.
    pub(super) fn begin_again(&mut self) -> Result<(), Error> {
        if self.may_begin_again() {
            let block = self.function.add_block()?;
            self.start(block)?;
            self.again = Some(block);
        }
        Ok(())
    }

    /// Returns whether the function calls itself, and cannot make its frame known to a callee.
    /// Requires a conditional branch: unbounded recursion must stay a reported stack overflow
    /// instead of becoming a hang.
    fn may_begin_again(&self) -> bool {
        let module = self.module;
        let signature = module.func(self.func).signature;
        if !self.inlines()
            || self.follows
            || self.function.is_jumped_to
            || self.function.is_jumped_back_into
            || signature.is_vararg()
            || !(module.args(&signature).iter()).all(|arg| is_plain(arg.ty))
        {
            return false;
        }
        let (mut calls_itself, mut decides) = (false, false);
        for insn in module.insns(self.func) {
            let code = module.code(insn);
            decides |= code.flags().contains(Flags::BRANCH) && code != Code::Jmp;
            match code {
                Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => return false,
                Code::Alloca | Code::Bstart => return false,
                Code::Call | Code::Inline => calls_itself |= self.calls(insn, self.func),
                _ => {}
            }
        }
        calls_itself && decides
    }

    /// Returns the block that a call of the function itself becomes a jump to, if it can.
    pub(super) fn jump_for(&self, insn: InsnId, signature: &Signature) -> Option<BlockId> {
        let module = self.module;
        let own = &module.func(self.func).signature;
        let may = self.inlines()
            && self.inlined.is_none()
            && self.calls(insn, self.func)
            && self.agrees(signature, self.func)
            && module.results(signature) == module.results(own)
            && self.returns_results(insn, module.results(own).len());
        self.again.filter(|_| may)
    }

    /// Returns whether nothing but the return of its results follows a call; if fuel is charged, in
    /// its block, as fuel for other blocks would be due after each call.
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
            let Some(next) = module.next(insn).filter(|_| are_apart) else {
                return false;
            };
            insn = next;
            let mut operands = module.operands(insn);
            match module.code(insn) {
                Code::Ret => {
                    let mut pairs = operands.by_ref().zip(held.iter());
                    return pairs.all(|(operand, held)| operand_variable(Some(operand)) == *held);
                }
                Code::Mov | Code::Fmov | Code::Dmov => {
                    let to = self.result_variable(operands.next());
                    let from = operand_variable(operands.next());
                    match held.iter_mut().find(|held| **held == from) {
                        Some(held) => *held = to,
                        None => return false,
                    }
                }
                Code::Label if !self.settings.charges_fuel() => {}
                Code::Jmp if !self.settings.charges_fuel() => {
                    let Some(IrOperand::Label(label)) = operands.next() else {
                        return false;
                    };
                    match module.label_insn(label) {
                        Some(label) => insn = label,
                        None => return false,
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// Returns the variable that an operand is, if only the function sees its value.
    fn result_variable(&self, operand: Option<IrOperand>) -> Option<Variable> {
        let variable = operand_variable(operand)?;
        match self.variables.get(variable.index())? {
            VariableLocation::Register(reg) if reg.vreg().is_some() => Some(variable),
            _ => None,
        }
    }

    /// Assigns the arguments of a call to the variables, all at once, and jumps to the start of the
    /// body.
    pub(super) fn jump_again(
        &mut self,
        insn: InsnId,
        signature: &Signature,
        again: BlockId,
    ) -> Result<(), Error> {
        let module = self.module;
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
        self.branch(again)
    }

    /// Returns the register of an argument's variable.
    fn home(&self, number: usize) -> Option<Operand> {
        match self.variables.get(number)? {
            VariableLocation::Register(reg) => Some(Operand::reg(*reg)),
            _ => None,
        }
    }
}

/// Returns whether arguments of a type are values in registers.
fn is_plain(ty: Type) -> bool {
    ty != Type::Ld && !ty.is_block()
}

fn operand_variable(operand: Option<IrOperand>) -> Option<Variable> {
    match operand {
        Some(IrOperand::Reg(variable)) => Some(variable),
        _ => None,
    }
}
