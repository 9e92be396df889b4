//! Operands in the form that LLVM's instructions take: registers read and written, addresses.

use super::{GenericConverter, RegisterLocation, Result, used};
use crate::machine_ir::convert::Contents;
use llvm_mir::model::{Frame, Global, LowType, Operand, OperandFlags, OperandKind, Register};
use llvm_mir::target::Isa as LlvmIsa;
use mir_nostd::machine::{self, Bank, VReg};
use mir_nostd::mem::Entity;

impl GenericConverter<'_, '_, '_> {
    /// Returns LLVM's physical register that has this many bits of one of the target's tables.
    pub(super) fn physical(&self, reg: machine::Reg, bits: u32) -> Result<Register> {
        let name = self.isa.registers().row(reg).name.text();
        let name = match (self.target.isa(), bits) {
            (LlvmIsa::Aarch64, 32) => name.replace('d', "s").replace('x', "w"),
            (LlvmIsa::Aarch64, 128) => self.quad_name(name).ok_or("a long double elsewhere")?,
            (LlvmIsa::Riscv64, 32) => name.replace("_d", "_f"),
            _ => name.into(),
        };
        self.named(&name)
    }

    /// Returns the register of this name.
    pub(super) fn named(&self, name: &str) -> Result<Register> {
        let number = self.target.register(name.as_bytes());
        let number = number.ok_or_else(|| format!("LLVM has no register {name}"))?;
        Ok(Register::physical(number))
    }

    /// Returns the name of the 128-bit register whose lower half a register is.
    pub(super) fn quad_name(&self, name: &str) -> Option<String> {
        let number = name.strip_prefix('d')?;
        (self.target.isa() == LlvmIsa::Aarch64).then(|| format!("q{number}"))
    }

    pub(super) fn is_general(&self, reg: machine::Reg) -> bool {
        let name = self.isa.registers().row(reg).name.text();
        match self.target.isa() {
            LlvmIsa::X86_64 => !name.starts_with("xmm"),
            _ => name.starts_with('x') || name == "sp",
        }
    }

    /// Returns the width of a physical register as the target's tables name it.
    pub(super) fn physical_bits(&self, reg: machine::Reg) -> u32 {
        if self.target.isa() == LlvmIsa::X86_64 {
            return if self.is_general(reg) { 64 } else { 128 };
        }
        let name = self.isa.registers().row(reg).name.text();
        let is_half = name.ends_with("_f") || (name.starts_with('s') && name != "sp");
        if is_half { 32 } else { 64 }
    }

    /// True for the stack pointer, relative to which calls store their arguments.
    pub(super) fn is_stack_pointer(&self, reg: machine::Reg) -> bool {
        let name = match self.target.isa() {
            LlvmIsa::Aarch64 => "sp",
            LlvmIsa::Riscv64 => "x2",
            _ => "rsp",
        };
        reg.vreg().is_none() && !reg.is_none() && self.isa.registers().row(reg).name.text() == name
    }

    pub(super) fn bank(&self, vreg: VReg) -> Bank {
        self.from.vreg(vreg).bank
    }

    /// Returns the value of a source in a register of this width.
    pub(super) fn source(&mut self, operand: machine::Operand, bits: u32) -> Result<Register> {
        if let Some(value) = self.from.immediate(operand) {
            return self.constant(bits, value);
        }
        let reg = operand.as_reg().ok_or("an operand that is no register")?;
        let Some(vreg) = reg.vreg() else {
            if let Some(slot) = self.kept_argument(reg) {
                let address = self.frame_address(Frame::Stack(slot))?;
                let whole = if self.is_general(reg) { 64 } else { bits };
                let value = self.load("G_LOAD", whole, address, whole)?;
                return self.resized(value, bits);
            }
            let whole = self.physical_bits(reg).max(bits & 128);
            let from = self.physical(reg, whole)?;
            let value = self.value("COPY", LowType::scalar(whole), vec![used(from)])?;
            return self.resized(value, bits);
        };
        match self.homes[vreg.index()] {
            RegisterLocation::Register(Some(register)) => self.resized(register, bits),
            RegisterLocation::Slot(slot) => {
                let address = self.frame_address(Frame::Stack(slot))?;
                let whole = if self.bank(vreg) == Bank::Floating {
                    bits
                } else {
                    64
                };
                let value = self.load("G_LOAD", whole, address, whole)?;
                self.resized(value, bits)
            }
            _ => self.value("G_IMPLICIT_DEF", LowType::scalar(bits), Vec::new()),
        }
    }

    /// Returns the object that the first block stored a physical register in, if this block reads
    /// the register before it writes it.
    fn kept_argument(&self, reg: machine::Reg) -> Option<u32> {
        if self.block == self.from.layout.first().copied() {
            return None;
        }
        let found = self.arguments.iter().find(|(known, _)| *known == reg);
        found
            .filter(|_| !self.written.contains(&reg))
            .map(|&(_, slot)| slot)
    }

    /// Assigns a value to a destination.
    pub(super) fn set(&mut self, operand: machine::Operand, value: Register) -> Result<()> {
        let reg = operand.as_reg().ok_or("a result that is no register")?;
        let Some(vreg) = reg.vreg() else {
            let value = match self.physical_bits(reg) {
                64 if !self.is_general(reg) => value,
                whole => self.resized(value, whole)?,
            };
            let to = self.physical(reg, self.bits(value))?;
            if self.bits(value) == 128 {
                self.wide.push((reg, to));
            }
            let operands = vec![Operand::reg(to, OperandFlags::DEF), used(value)];
            return self.plain("COPY", operands);
        };
        let value = match self.bank(vreg) {
            Bank::General => self.resized(value, 64)?,
            Bank::Floating => value,
        };
        match self.homes[vreg.index()] {
            RegisterLocation::Slot(slot) => {
                let address = self.frame_address(Frame::Stack(slot))?;
                self.store(value, address)
            }
            _ => {
                self.homes[vreg.index()] = RegisterLocation::Register(Some(value));
                Ok(())
            }
        }
    }

    /// Returns the address computed from base, index, scale and displacement.
    pub(super) fn address(&mut self, operands: &[machine::Operand]) -> Result<Register> {
        let &[base, index, scale, disp] = operands else {
            return Err("an address of other than four operands".into());
        };
        let number = |operand| self.from.immediate(operand).unwrap_or(0);
        let (scale, mut disp) = (number(scale), number(disp));
        let mut address = if let Some(frame) = base.as_frame() {
            self.frame_address(self.frame[frame.index()])?
        } else if let Some(symbol) = base.as_symbol() {
            self.global(symbol)?
        } else if let Some(constant) = base.as_constant() {
            self.constant_address(constant)?
        } else if base.as_reg().is_some_and(|reg| reg.is_none()) {
            let disp = core::mem::take(&mut disp);
            let value = self.constant(64, disp)?;
            self.value("G_INTTOPTR", LowType::pointer(0), vec![used(value)])?
        } else {
            let value = self.source(base, 64)?;
            self.value("G_INTTOPTR", LowType::pointer(0), vec![used(value)])?
        };
        if !index.as_reg().is_some_and(|reg| reg.is_none()) {
            let mut offset = self.source(index, 64)?;
            if scale != 1 {
                let scale = self.constant(64, scale)?;
                offset = self.value(
                    "G_MUL",
                    LowType::scalar(64),
                    vec![used(offset), used(scale)],
                )?;
            }
            address = self.moved(address, offset)?;
        }
        if disp != 0 {
            let known = self.addresses.get(&address).copied();
            let offset = self.constant(64, disp)?;
            address = self.moved(address, offset)?;
            if let Some((frame, start)) = known {
                self.addresses.insert(address, (frame, start + disp));
            }
        }
        Ok(address)
    }

    pub(super) fn moved(&mut self, address: Register, offset: Register) -> Result<Register> {
        let operands = vec![used(address), used(offset)];
        self.value("G_PTR_ADD", LowType::pointer(0), operands)
    }

    pub(super) fn constant_address(&mut self, id: machine::ConstantId) -> Result<Register> {
        let constant = &self.from.constants[id];
        if constant.symbol.is_some() {
            return Err("addresses among constants have no form in LLVM yet".into());
        }
        let bytes = &constant.bytes[..usize::from(constant.len)];
        self.data_address("constant", id.number(), &Contents::Bytes(bytes))
    }

    /// Returns the address of data that belong to the function.
    pub(super) fn data_address(
        &mut self,
        what: &str,
        number: u32,
        data: &Contents<'_>,
    ) -> Result<Register> {
        let name = self.naming.data(&format!("{what}.{number}"), data);
        self.address_of(name)
    }

    pub(super) fn global(&mut self, symbol: machine::SymbolId) -> Result<Register> {
        let name = self.naming.symbol(self.from.symbol(symbol));
        self.address_of(name)
    }

    pub(super) fn address_of(&mut self, name: Vec<u8>) -> Result<Register> {
        let global = OperandKind::Global(Box::new(Global::Named(name.into())), 0);
        self.value("G_GLOBAL_VALUE", LowType::pointer(0), vec![global.into()])
    }

    pub(super) fn address_as_int(&mut self, address: Register) -> Result<Register> {
        self.value("G_PTRTOINT", LowType::scalar(64), vec![used(address)])
    }
}
