//! Limits that compiled code keeps: fuel, charged for each block of Medium IR when control enters
//! it, and the lowest address of the stack.
//!
//! Both are words of the embedder's. If a limit is reached, a runtime routine asks the embedder for
//! more, or ends the run.

use super::Translator;
use super::values::{def, no_index};
use crate::codegen::helper::Helper;
use crate::ir::{Code, FaultKind, Operand as IrOperand, Type};
use crate::machine::{Generic, IntPredicate, LowType, Operand, Symbol};
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
        if !self.settings.execution.limits.fuel {
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

    /// Emits code that takes fuel for a block, or ends the run if there is too little.
    pub(super) fn charge(&mut self, cost: u32) -> Result<(), Error> {
        let check = self.function.add_block()?;
        let short = self.function.add_block()?;
        self.cold.push(short)?;
        self.start(check)?;
        let cost = self.function.int(i64::from(cost))?;
        let word = self.global(Symbol::Helper(Helper::FuelWord.id()))?;
        let fuel = self.load(Type::I64, no_index(word, 0))?;
        self.branch_if(IntPredicate::Ult, LowType::S64, fuel, cost, short)?;
        let left = self.temp()?;
        self.emit(Generic::Sub, LowType::S64, &[def(left), fuel, cost])?;
        self.store(left, Type::I64, no_index(word, 0))?;
        let back = core::mem::replace(&mut self.block, short);
        let callable = self.function.add_symbol(Symbol::Callable(self.func))?;
        let number = self.function.int(i64::from(self.number))?;
        self.call_helper(Helper::OutOfFuel, &[callable, cost, number])?;
        self.emit(Generic::Br, LowType::S64, &[Operand::block(check)])?;
        self.block = back;
        Ok(())
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
