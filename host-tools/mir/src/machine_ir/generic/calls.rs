//! Conversion of calls and returns.

use super::{GenericConverter, Result, used};
use crate::machine_ir::convert::platform_mask;
use llvm_mir::model::{
    Global, Instruction, LowType, Operand, OperandFlags, OperandKind, Register, RegisterKind,
};
use llvm_mir::target::Isa as LlvmIsa;
use mir_nostd::machine::{self, Generic, InsnId, LowType as Type, Symbol};

impl GenericConverter<'_, '_, '_> {
    /// Begins a call before its first argument is stored on the stack: in a frame that grows, LLVM
    /// makes room there.
    pub(super) fn begin_stack_arguments(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
    ) -> Result<()> {
        let is_load = matches!(
            generic,
            Generic::Load | Generic::SextLoad | Generic::ZextLoad
        );
        let mut registers = operands.iter().filter_map(|operand| operand.as_reg());
        if is_load || self.in_call || !registers.any(|reg| self.is_stack_pointer(reg)) {
            return Ok(());
        }
        self.begin_call()
    }

    fn begin_call(&mut self) -> Result<()> {
        self.in_call = true;
        self.adjust(match self.target.isa() {
            LlvmIsa::X86_64 => "ADJCALLSTACKDOWN64",
            _ => "ADJCALLSTACKDOWN",
        })
    }

    pub(super) fn end_call(&mut self) -> Result<()> {
        self.in_call = false;
        self.adjust(match self.target.isa() {
            LlvmIsa::X86_64 => "ADJCALLSTACKUP64",
            _ => "ADJCALLSTACKUP",
        })
    }

    fn adjust(&mut self, name: &str) -> Result<()> {
        let mut insn = self.instruction(name)?;
        insn.operands = vec![
            Operand::imm(i64::from(self.from.outgoing_bytes)),
            Operand::imm(0),
        ];
        if name == "ADJCALLSTACKDOWN64" {
            insn.operands.push(Operand::imm(0));
        }
        insn.add_implicit_operands(self.target);
        self.push(insn);
        Ok(())
    }

    /// Converts a call, which the instructions `behind` follow in its block.
    pub(super) fn call(&mut self, operands: &[machine::Operand], behind: &[InsnId]) -> Result<()> {
        let symbol = operands[0].as_symbol().map(|id| self.from.symbol(id));
        let indirect = match symbol {
            Some(_) => None,
            None => Some(self.called_register(operands[0])?),
        };
        // A helper routine within the argument set-up of a call takes nothing on the stack.
        let is_within = self.in_call && matches!(symbol, Some(Symbol::Helper(_)));
        if !self.in_call {
            self.begin_call()?;
        }
        let mut call = match (symbol, indirect) {
            (Some(symbol), _) => self.direct_call(symbol)?,
            (None, Some(register)) => self.indirect_call(register)?,
            (None, None) => return Err("a call of nothing".into()),
        };
        let mask = self.target.mask(platform_mask(self.target.isa()));
        let mask = mask.ok_or("LLVM has no mask of calls")?;
        call.operands.push(OperandKind::Mask(mask).into());
        call.add_implicit_operands(self.target);
        let results = self.long_results(behind)?;
        for operand in &operands[2..] {
            let Some(reg) = operand.as_reg() else {
                continue;
            };
            let flags = if operand.is_def() {
                OperandFlags::DEF.with(OperandFlags::IMPLICIT)
            } else {
                OperandFlags::IMPLICIT
            };
            let known = if operand.is_def() {
                &results
            } else {
                &self.wide
            };
            let wide = known.iter().find(|(ours, _)| *ours == reg);
            let register = match wide {
                Some(&(_, wide)) => wide,
                None => self.physical(reg, 64)?,
            };
            call.operands.push(Operand::reg(register, flags));
        }
        for (_, register) in results.iter().filter(|(ours, _)| ours.is_none()) {
            let flags = OperandFlags::DEF.with(OperandFlags::IMPLICIT);
            call.operands.push(Operand::reg(*register, flags));
        }
        self.wide.clear();
        self.push(call);
        if is_within {
            return Ok(());
        }
        self.end_call()
    }

    fn direct_call(&mut self, symbol: Symbol) -> Result<Instruction> {
        let (name, flag): (_, &[u8]) = match self.target.isa() {
            LlvmIsa::Aarch64 => ("BL", b""),
            LlvmIsa::Riscv64 => ("PseudoCALL", b"riscv-call"),
            _ => ("CALL64pcrel32", b""),
        };
        let mut call = self.instruction(name)?;
        let callee = self.naming.symbol(symbol);
        let kind = OperandKind::Global(Box::new(Global::Named(callee.into())), 0);
        let target_flags = self.target.direct_flag(flag).unwrap_or(0);
        call.operands.push(Operand { kind, target_flags });
        Ok(call)
    }

    fn indirect_call(&mut self, callee: Register) -> Result<Instruction> {
        let mut call = self.instruction(match self.target.isa() {
            LlvmIsa::Aarch64 => "BLR",
            LlvmIsa::Riscv64 => "PseudoCALLIndirect",
            _ => "CALL64r",
        })?;
        call.operands.push(used(callee));
        Ok(call)
    }

    /// Returns the registers that long double results are returned in, with the registers that
    /// stand for them here, if any.
    fn long_results(&self, behind: &[InsnId]) -> Result<Vec<(machine::Reg, Register)>> {
        let mut found = Vec::new();
        for &insn in behind {
            let (opcode, ty) = (
                self.from.insn(insn).opcode.generic(),
                self.from.insn(insn).ty,
            );
            let operands = self.from.operands(insn);
            match (opcode, ty) {
                (Some(Generic::Call), _) => break,
                (Some(Generic::TakeResult), _) => {
                    let register = self.x87(operands[1])?;
                    found.push((machine::Reg::NONE, register));
                }
                (Some(Generic::Store), Type::S128) => {
                    let reg = operands[0].as_reg().filter(|reg| reg.vreg().is_none());
                    if let Some(reg) = reg {
                        found.push((reg, self.physical(reg, 128)?));
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Returns the register that an indirect call takes.
    fn called_register(&mut self, operand: machine::Operand) -> Result<Register> {
        let value = self.source(operand, 64)?;
        let pointer = self.value("G_INTTOPTR", LowType::pointer(0), vec![used(value)])?;
        let class = match self.target.isa() {
            LlvmIsa::Riscv64 => "gprjalr",
            LlvmIsa::X86_64 => "gr64",
            _ => "gpr64",
        };
        self.in_class(pointer, class)
    }

    /// Returns a value in a register of a class, as machine instructions take it.
    pub(super) fn in_class(&mut self, value: Register, class: &str) -> Result<Register> {
        let id = self.target.class(class.as_bytes());
        let id = id.ok_or_else(|| format!("LLVM has no class {class}"))?;
        let index = value.virtual_index().unwrap_or(0);
        let ty = self.to.registers[index].ty.unwrap_or(LowType::scalar(64));
        let copy = self.value("COPY", ty, vec![used(value)])?;
        let index = copy.virtual_index().unwrap_or(0);
        self.to.registers[index].kind = RegisterKind::Class(id);
        Ok(copy)
    }

    pub(super) fn ret(&mut self, operands: &[machine::Operand]) -> Result<()> {
        let mut insn = self.instruction(match self.target.isa() {
            LlvmIsa::Aarch64 => "RET_ReallyLR",
            LlvmIsa::Riscv64 => "PseudoRET",
            _ => "RET",
        })?;
        if self.target.isa() == LlvmIsa::X86_64 {
            insn.operands.push(Operand::imm(0));
        }
        for operand in operands {
            let Some(reg) = operand.as_reg() else {
                continue;
            };
            let wide = self.wide.iter().find(|(ours, _)| *ours == reg);
            let register = match wide {
                Some(&(_, wide)) => wide,
                None => self.physical(reg, 64)?,
            };
            insn.operands
                .push(Operand::reg(register, OperandFlags::IMPLICIT));
        }
        for register in core::mem::take(&mut self.given) {
            insn.operands
                .push(Operand::reg(register, OperandFlags::IMPLICIT));
        }
        self.wide.clear();
        self.push(insn);
        Ok(())
    }
}
