//! Limits that compiled code keeps: fuel, charged for each region of Medium IR when control enters
//! it, and the lowest address of the stack.
//!
//! Both are words of the embedder's. If a limit is reached, a runtime routine asks the embedder for
//! more, or ends the run.
//!
//! A function keeps its fuel in a register. The word is exact wherever something else may look at
//! it: in calls, in faults and after returns.

use super::Translator;
use super::values::{Address, def, no_index};
use crate::codegen::helper::Helper;
use crate::codegen::options::Fuel;
use crate::ir::costs::{self, Block};
use crate::ir::{Code, FaultKind, InsnId, Type};
use crate::machine::{Bank, BlockId, Generic, IntPredicate, LowType, Operand, StackLimit, Symbol};
use crate::mem::Vec;
use crate::target::error::Error;

/// The position of translation in the blocks of a function's Medium IR.
pub(super) struct Meter<'f> {
    blocks: Vec<'f, Block>,
    next: usize,
}

impl Meter<'_> {
    /// Passes an instruction. Returns what is charged before it, 0 if nothing.
    pub(super) fn insn(&mut self, insn: InsnId) -> u32 {
        let begun = self.blocks.get(self.next);
        begun
            .filter(|block| block.first == insn)
            .map_or(0, |block| {
                self.next += 1;
                block.cost
            })
    }
}

impl<'f> Translator<'_, 'f, '_, '_> {
    /// Returns the meter of the current function, if fuel is charged.
    pub(super) fn meter(&self) -> Result<Option<Meter<'f>>, Error> {
        if !self.settings.charges_fuel() {
            return Ok(None);
        }
        let blocks = costs::blocks(self.module, self.func, self.function.allocator())?;
        Ok(Some(Meter { blocks, next: 0 }))
    }

    /// Has the function keep its fuel in a register. Blocks that are compiled one by one, and
    /// functions that others come back to by `jret`, keep it in its word.
    pub(super) fn take_fuel(&mut self) -> Result<(), Error> {
        let is_kept =
            self.settings.charges_fuel() && !self.settings.is_by_block() && self.jump_calls == 0;
        if is_kept {
            self.fuel = Some(self.vreg(Bank::General, LowType::S64)?);
        }
        self.load_fuel()
    }

    /// Emits code that reads the fuel anew, after whatever may have changed the word.
    pub(super) fn load_fuel(&mut self) -> Result<(), Error> {
        let Some(fuel) = self.fuel else {
            return Ok(());
        };
        let word = self.fuel_word()?;
        self.load_into(fuel.into(), Type::I64, word)
    }

    /// Emits code that writes the fuel to its word, before whatever may look at it.
    pub(super) fn store_fuel(&mut self) -> Result<(), Error> {
        let Some(fuel) = self.fuel else {
            return Ok(());
        };
        let word = self.fuel_word()?;
        self.store(fuel.into(), Type::I64, word)
    }

    fn fuel_word(&mut self) -> Result<Address, Error> {
        let word = self.global(Symbol::Helper(Helper::FuelWord.id()))?;
        Ok(no_index(word, 0))
    }

    /// Emits code that takes fuel for a block, or ends the run or asks for more if there is too
    /// little.
    pub(super) fn charge(&mut self, cost: u32) -> Result<(), Error> {
        let short = self.function.add_block()?;
        self.cold.push(short)?;
        let cost = self.function.int(i64::from(cost))?;
        let is_final = self.settings.execution.limits.fuel == Fuel::Final;
        let check = match is_final {
            true => short,
            false => {
                let check = self.function.add_block()?;
                self.start(check)?;
                check
            }
        };
        self.take(cost, short)?;
        let back = core::mem::replace(&mut self.block, short);
        self.store_fuel()?;
        self.ask(cost, is_final)?;
        if is_final {
            self.never_return()?;
        } else {
            self.load_fuel()?;
            self.emit(Generic::Br, LowType::S64, &[Operand::block(check)])?;
        }
        self.block = back;
        Ok(())
    }

    /// Emits the call of the routine that asks for more fuel, or ends the run.
    fn ask(&mut self, cost: Operand, is_final: bool) -> Result<(), Error> {
        if self.settings.execution.traces {
            let helper = match is_final {
                true => Helper::OutOfFuelAt,
                false => Helper::FuelAt,
            };
            return self.call_helper_at(helper, 0, cost);
        }
        let callable = self.symbol(Symbol::Callable(self.func))?;
        let number = self.told_number()?;
        match is_final {
            true => self.call_helper(Helper::OutOfFuel, &[callable, number])?,
            false => self.call_helper(Helper::AskForFuel, &[callable, number, cost])?,
        };
        Ok(())
    }

    /// Emits code that takes fuel from where it is kept, or goes to `short`.
    fn take(&mut self, cost: Operand, short: BlockId) -> Result<(), Error> {
        let ty = LowType::S64;
        if let Some(fuel) = self.fuel {
            let fuel = Operand::from(fuel);
            self.branch_if(IntPredicate::Ult, ty, fuel, cost, short)?;
            return self.emit(Generic::Sub, ty, &[def(fuel), fuel, cost]);
        }
        let word = self.fuel_word()?;
        let fuel = self.load(Type::I64, word)?;
        self.branch_if(IntPredicate::Ult, ty, fuel, cost, short)?;
        let left = self.temp()?;
        self.emit(Generic::Sub, ty, &[def(left), fuel, cost])?;
        self.store(left, Type::I64, word)
    }

    /// Emits code that faults if the stack has grown too far. A function that calls nothing needs
    /// none: it has only its frame, which is limited, below that of a function that was checked.
    pub(super) fn check_stack(&mut self) -> Result<(), Error> {
        if !self.settings.execution.limits.stack {
            return Ok(());
        }
        let takes_stack =
            |code: Code| code.is_call() || matches!(code, Code::Alloca | Code::Bstart);
        let mut insns = self.module.insns(self.func);
        if !insns.any(|insn| takes_stack(self.module.code(insn))) {
            self.function.stack_limit = StackLimit::Bounded;
            return Ok(());
        }
        self.function.stack_limit = StackLimit::Checked;
        let (here, limit) = self.stack_and_limit()?;
        let fault = self.fault_block(FaultKind::Stack)?;
        self.branch_if(IntPredicate::Ult, LowType::S64, here, limit, fault)
    }

    /// Emits code that faults if the stack has no room for so many bytes more. It has not grown too
    /// far before, so the difference is the room that is left.
    pub(super) fn check_room(&mut self, bytes: Operand) -> Result<(), Error> {
        if !self.settings.execution.limits.stack {
            return Ok(());
        }
        let (here, limit) = self.stack_and_limit()?;
        let room = self.temp()?;
        self.emit(Generic::Sub, LowType::S64, &[def(room), here, limit])?;
        let fault = self.fault_block(FaultKind::Stack)?;
        self.branch_if(IntPredicate::Ult, LowType::S64, room, bytes, fault)
    }

    /// Emits code that reads the stack pointer and the lowest address that it may have.
    fn stack_and_limit(&mut self) -> Result<(Operand, Operand), Error> {
        let word = self.global(Symbol::Helper(Helper::StackWord.id()))?;
        let limit = self.load(Type::I64, no_index(word, 0))?;
        Ok((self.stack_pointer_now()?, limit))
    }

    /// Emits code that reads the stack pointer.
    pub(super) fn stack_pointer_now(&mut self) -> Result<Operand, Error> {
        let here = self.temp()?;
        let stack_pointer = Operand::reg(self.isa.registers().stack_pointer);
        let operands = [def(here), stack_pointer, Operand::imm(0)];
        self.emit(Generic::Add, LowType::S64, &operands)?;
        Ok(here)
    }
}
