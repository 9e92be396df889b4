//! Limits that compiled code keeps: fuel, charged for each block of Medium IR when control enters
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
use crate::ir::{Code, FaultKind, Operand as IrOperand, Type};
use crate::machine::{Bank, BlockId, Generic, IntPredicate, LowType, Operand, Symbol};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The position of translation in the blocks of a function's Medium IR, and the cost of each block:
/// its number of instructions. The costs are those of the interpreter.
pub(super) struct Meter<'f> {
    costs: Vec<'f, u32>,
    /// True if something refers to the label of this block.
    used: Vec<'f, bool>,
    block: usize,
    /// True if the next instruction is the first of its block.
    begins: bool,
}

impl Meter<'_> {
    /// Passes a label that begins the machine block of this number.
    pub(super) fn label(&mut self, block: usize) {
        if self.used.get(block) == Some(&true) && !self.begins {
            self.block += 1;
            self.begins = true;
        }
    }

    /// Passes an instruction. Returns the cost of its block if it is the first.
    pub(super) fn insn(&mut self, code: Code) -> Option<u32> {
        let cost = (self.costs.get(self.block).copied()).filter(|_| self.begins);
        self.begins = code.ends_block();
        self.block += usize::from(self.begins);
        cost
    }
}

impl<'f> Translator<'_, 'f, '_, '_> {
    /// Returns the meter of the current function, if fuel is charged.
    pub(super) fn meter(&self) -> Result<Option<Meter<'f>>, Error> {
        if !self.settings.charges_fuel() {
            return Ok(None);
        }
        let module = self.module;
        let allocator = self.function.allocator();
        let mut used = Vec::new(allocator);
        for block in self.function.block_ids() {
            used.push(self.function.block(block).address_taken)?;
        }
        for insn in module.insns(self.func) {
            if module.label_of(insn).is_some() {
                continue;
            }
            for operand in module.operands(insn) {
                if let IrOperand::Label(label) = operand
                    && let Some(place) = used.get_mut(self.label(label).index())
                {
                    *place = true;
                }
            }
        }
        let mut meter = Meter {
            costs: Vec::new(allocator),
            used,
            block: 0,
            begins: true,
        };
        for insn in module.insns(self.func) {
            if let Some(label) = module.label_of(insn) {
                meter.label(self.label(label).index());
                continue;
            }
            meter.costs.resize(meter.block + 1, 0)?;
            meter.costs[meter.block] += 1;
            meter.insn(module.code(insn));
        }
        (meter.block, meter.begins) = (0, true);
        Ok(Some(meter))
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
            false => self.function.add_block()?,
        };
        if !is_final {
            self.start(check)?;
        }
        let is_taken = match self.fuel {
            Some(fuel) => self.charge_register(fuel.into(), cost, short)?,
            None => self.charge_word(cost, short)?,
        };
        let back = core::mem::replace(&mut self.block, short);
        if let (Some(fuel), true) = (self.fuel, is_taken) {
            let fuel = Operand::from(fuel);
            self.emit(Generic::Add, LowType::S64, &[def(fuel), fuel, cost])?;
        }
        self.store_fuel()?;
        let callable = self.symbol(Symbol::Callable(self.func))?;
        let number = self.function.int(i64::from(self.number))?;
        if is_final {
            self.call_helper(Helper::OutOfFuel, &[callable, number])?;
        } else {
            self.call_helper(Helper::AskForFuel, &[callable, number, cost])?;
            self.load_fuel()?;
        }
        self.emit(Generic::Br, LowType::S64, &[Operand::block(check)])?;
        self.block = back;
        Ok(())
    }

    /// Emits code that takes fuel from the register. Returns whether it is taken in the block
    /// `short`, too.
    fn charge_register(
        &mut self,
        fuel: Operand,
        cost: Operand,
        short: BlockId,
    ) -> Result<bool, Error> {
        let ty = LowType::S64;
        let value = self.function.immediate(cost).unwrap_or(0);
        let subtracts_first = self.settings.options.built_level() > 0
            && self.isa.takes_immediate(Generic::Usubo, ty, 3, value);
        if subtracts_first {
            let borrow = self.temp()?;
            let operands = [def(fuel), def(borrow), fuel, cost];
            self.emit(Generic::Usubo, ty, &operands)?;
            self.branch_if(IntPredicate::Ne, ty, borrow, Operand::imm(0), short)?;
        } else {
            self.branch_if(IntPredicate::Ult, ty, fuel, cost, short)?;
            self.emit(Generic::Sub, ty, &[def(fuel), fuel, cost])?;
        }
        Ok(subtracts_first)
    }

    /// Emits code that takes fuel from the word.
    fn charge_word(&mut self, cost: Operand, short: BlockId) -> Result<bool, Error> {
        let word = self.fuel_word()?;
        let fuel = self.load(Type::I64, word)?;
        self.branch_if(IntPredicate::Ult, LowType::S64, fuel, cost, short)?;
        let left = self.temp()?;
        self.emit(Generic::Sub, LowType::S64, &[def(left), fuel, cost])?;
        self.store(left, Type::I64, word)?;
        Ok(false)
    }

    /// Emits code that faults if the stack has grown too far.
    pub(super) fn check_stack(&mut self) -> Result<(), Error> {
        if !self.settings.execution.limits.stack {
            return Ok(());
        }
        self.function.checks_stack = true;
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
        let here = self.temp()?;
        let stack_pointer = Operand::reg(self.isa.registers().stack_pointer);
        let operands = [def(here), stack_pointer, Operand::imm(0)];
        self.emit(Generic::Add, LowType::S64, &operands)?;
        Ok((here, limit))
    }
}
