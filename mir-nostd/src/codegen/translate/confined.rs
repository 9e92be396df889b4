//! Tests of values and addresses, in confined programs.
//!
//! The host's address that `reach` computes is the sum of a base and an offset. The instruction
//! after it that accesses memory there takes both as parts of its address, so that the sum itself
//! is not computed.

use super::values::def;
use super::{Reported, Translator, Variable};
use crate::codegen::helper::Helper;
use crate::ir::{Class, FaultKind, FuncId, InsnId, LOWEST_ADDRESS, Mem, Operand as IrOperand};
use crate::machine::{Generic, IntPredicate, LowType, Operand, Symbol};
use crate::target::error::Error;

/// A host's address whose sum is not computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    func: FuncId,
    /// The number of the one instruction that reads it.
    number: u32,
    variable: Variable,
    base: Operand,
    offset: Operand,
}

impl Translator<'_, '_, '_, '_> {
    pub(super) fn ensure(&mut self, insn: InsnId) -> Result<(), Error> {
        let (value, limit) = (self.operand(insn, 0)?, self.operand(insn, 1)?);
        let (value, limit) = (self.int(value)?, self.int(limit)?);
        let kind = FaultKind::from_number(self.constant(insn, 2)?);
        let reported = self.operand(insn, 3)?;
        let reported = match kind.has_value() {
            true => Reported::Value(reported),
            false => Reported::Nothing,
        };
        let fault = self.fault_block_with(kind, reported)?;
        // That 0 is all that is allowed is what instructions test more cheaply.
        let (predicate, limit) = match self.function.immediate(limit) {
            Some(1) => (IntPredicate::Ne, Operand::imm(0)),
            _ => (IntPredicate::Uge, limit),
        };
        self.branch_if(predicate, LowType::S64, value, limit, fault)
    }

    pub(super) fn reach(&mut self, insn: InsnId) -> Result<(), Error> {
        let (base, limit) = (self.operand(insn, 2)?, self.operand(insn, 3)?);
        let (base, limit) = (self.int(base)?, self.int(limit)?);
        let lowest = LOWEST_ADDRESS as i32;
        let offset = self.offset(insn)?;
        let windows = self.constant(insn, 5)?;
        if windows == 0 {
            // The address itself need not stay in a register.
            let reported = Reported::Above(offset, lowest);
            let fault = self.fault_block_with(FaultKind::BadAddress, reported)?;
            self.branch_if(IntPredicate::Uge, LowType::S64, offset, limit, fault)?;
        } else {
            self.reach_window(insn, [base, limit], offset, windows)?;
        }
        let to = self.operand(insn, 0)?;
        if let Some(variable) = self.read_as_base(insn, to) {
            self.reached = Some(Reached {
                func: self.func,
                number: self.number.saturating_add(1),
                variable,
                base: self.in_register(base)?,
                offset,
            });
            return Ok(());
        }
        self.reached = None;
        self.with_output(insn, Class::Int, |this, to| {
            this.emit(Generic::Add, LowType::S64, &[def(to), base, offset])
        })
    }

    /// Emits code that computes how far the memory operand of a `reach` is above the lowest
    /// address.
    fn offset(&mut self, insn: InsnId) -> Result<Operand, Error> {
        let IrOperand::Mem(mem) = self.operand(insn, 1)? else {
            return Err(self.internal());
        };
        let ty = LowType::S64;
        let mut sum = None;
        if let Some(index) = mem.index {
            let mut index = self.int(index.into())?;
            if mem.scale != 1 {
                let scaled = self.temp()?;
                let operands = [def(scaled), index, Operand::imm(mem.scale.into())];
                self.emit(Generic::Mul, ty, &operands)?;
                index = scaled;
            }
            sum = Some(index);
        }
        if let Some(base) = mem.base {
            let base = self.int(base.into())?;
            sum = Some(match sum {
                None => base,
                Some(index) => {
                    let both = self.temp()?;
                    self.emit(Generic::Add, ty, &[def(both), base, index])?;
                    both
                }
            });
        }
        let distance = self.function.int(mem.disp.wrapping_sub(LOWEST_ADDRESS))?;
        let offset = self.temp()?;
        match sum {
            Some(sum) => self.emit(Generic::Add, ty, &[def(offset), sum, distance])?,
            None => self.emit(Generic::Constant, ty, &[def(offset), distance])?,
        }
        Ok(offset)
    }

    /// Emits code that asks the table of windows where the offset is not below the limit, and
    /// changes the offset to what leads to the window.
    fn reach_window(
        &mut self,
        insn: InsnId,
        [base, limit]: [Operand; 2],
        offset: Operand,
        windows: u64,
    ) -> Result<(), Error> {
        let access = u32::try_from(self.constant(insn, 4)?).map_err(|_| Error::TooLarge)?;
        let (outside, inside) = (self.function.add_block()?, self.function.add_block()?);
        self.cold.push(outside)?;
        let predicate = Operand::int_predicate(IntPredicate::Uge);
        let operands = [predicate, offset, limit, Operand::block(outside)];
        self.emit(Generic::BrIcmp, LowType::S64, &operands)?;
        self.start(inside)?;
        let back = core::mem::replace(&mut self.block, outside);
        self.store_fuel()?;
        let callable = self.symbol(Symbol::Callable(self.func))?;
        let number = self.module.origin(self.func, self.number);
        let place = i64::from(access) << 32 | i64::from(number);
        let place = self.function.int(place)?;
        let table = self.function.int(windows.cast_signed())?;
        let address = self.temp()?;
        let operands = [def(address), offset, Operand::imm(LOWEST_ADDRESS as i32)];
        self.emit(Generic::Add, LowType::S64, &operands)?;
        let all = [callable, place, address, table];
        let told = match self.function.is_position_independent {
            true => &all[..3],
            false => &all[..],
        };
        let host = self.call_helper(Helper::Window, told)?;
        self.emit(Generic::Sub, LowType::S64, &[def(offset), host, base])?;
        self.emit(Generic::Br, LowType::S64, &[Operand::block(inside)])?;
        self.block = back;
        Ok(())
    }

    /// Returns an operand that must be a constant.
    fn constant(&self, insn: InsnId, number: usize) -> Result<u64, Error> {
        match self.operand(insn, number)? {
            IrOperand::Int(value) => Ok(value.cast_unsigned()),
            IrOperand::Uint(value) => Ok(value),
            _ => Err(self.internal()),
        }
    }

    /// Returns the variable that a `reach` writes, if the next instruction reads it only as base of
    /// memory operands without an index. No other instruction reads it then.
    fn read_as_base(&self, insn: InsnId, to: IrOperand) -> Option<Variable> {
        let IrOperand::Reg(variable) = to else {
            return None;
        };
        let mut is_base = false;
        for operand in self.module.operands(self.module.next(insn)?) {
            match operand {
                IrOperand::Reg(reg) if reg == variable => return None,
                IrOperand::Mem(mem) if mem.index == Some(variable) => return None,
                IrOperand::Mem(mem) if mem.base == Some(variable) => {
                    if mem.index.is_some() || mem.ty.is_block() {
                        return None;
                    }
                    is_base = true;
                }
                _ => {}
            }
        }
        is_base.then_some(variable)
    }

    /// Returns base and offset of a memory operand that the instruction before reached.
    pub(super) fn reached_by(&self, mem: &Mem) -> Option<[Operand; 2]> {
        let reached = self.reached.filter(|reached| {
            mem.base == Some(reached.variable)
                && (reached.func, reached.number) == (self.func, self.number)
        })?;
        Some([reached.base, reached.offset])
    }

    /// True if the variable has no value, as a `reach` left its sum out.
    pub(super) fn is_unset(&self, variable: Variable) -> bool {
        self.reached
            .is_some_and(|reached| (reached.func, reached.variable) == (self.func, variable))
    }
}
