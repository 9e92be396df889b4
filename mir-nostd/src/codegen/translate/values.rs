//! Operands of Medium IR as operands of Machine IR: reads, writes, addresses.

use super::meaning::Kind;
use super::{Translator, VariableLocation, bank_and_type};
use crate::ir::{Class, ItemId, Mem, Operand as IrOperand, Type};
use crate::machine::{Bank, FrameId, Generic, LowType, Operand, Reg, Symbol};
use crate::target::error::Error;

/// A memory address: base, index, scale, displacement.
pub(super) type Address = [Operand; 4];

impl Kind {
    pub(super) const fn class(self) -> Class {
        match self {
            Kind::Float => Class::Float,
            Kind::Double => Class::Double,
            Kind::Long => Class::LongDouble,
        }
    }
}

/// Returns an address without an index.
pub(super) const fn no_index(base: Operand, disp: i32) -> Address {
    [base, Operand::NO_REG, Operand::imm(1), Operand::imm(disp)]
}

impl Translator<'_, '_, '_, '_> {
    /// Returns the type of instructions on values of a class.
    pub(super) fn type_of(&self, class: Class) -> LowType {
        match class {
            Class::Float => LowType::S32,
            Class::LongDouble => self.long_type(),
            _ => LowType::S64,
        }
    }

    /// Returns the type of the target's long double.
    pub(super) fn long_type(&self) -> LowType {
        match self.isa.target().long_double {
            crate::num::LongDoubleFormat::X87 => LowType::S80,
            _ => LowType::S128,
        }
    }

    /// Reads an integer: a register or an immediate.
    pub(super) fn int(&mut self, operand: IrOperand) -> Result<Operand, Error> {
        match operand {
            IrOperand::Reg(reg) if self.is_unset(reg) => Err(self.internal()),
            IrOperand::Reg(reg) => match self.variable(reg)? {
                VariableLocation::Register(reg) => Ok(Operand::reg(reg)),
                VariableLocation::Memory(frame) => {
                    self.load(Type::I64, no_index(Operand::frame(frame), 0))
                }
                VariableLocation::Address(frame) => self.frame_address(frame, 0),
            },
            IrOperand::Int(value) => Ok(self.function.int(value)?),
            IrOperand::Uint(value) => Ok(self.function.int(value.cast_signed())?),
            IrOperand::Mem(mem) => {
                let address = self.address(&mem)?;
                self.load(mem.ty, address)
            }
            IrOperand::Item(item) => {
                let item = self.module.resolve(item);
                self.global(Symbol::Item(item))
            }
            IrOperand::Str(string) => self.global(Symbol::Str(string)),
            _ => Err(self.internal()),
        }
    }

    /// Reads an integer into a register.
    pub(super) fn int_register(&mut self, operand: IrOperand) -> Result<Operand, Error> {
        let value = self.int(operand)?;
        self.in_register(value)
    }

    /// Moves an immediate to a register; returns registers unchanged.
    pub(super) fn in_register(&mut self, value: Operand) -> Result<Operand, Error> {
        if value.as_reg().is_some() {
            return Ok(value);
        }
        let temp = self.temp()?;
        self.emit(Generic::Constant, LowType::S64, &[def(temp), value])?;
        Ok(temp)
    }

    /// Returns a symbol as an operand, a near one if it is private to the module or belongs to the
    /// runtime.
    pub(super) fn symbol(&mut self, symbol: Symbol) -> Result<Operand, Error> {
        let is_near = match symbol {
            Symbol::Item(item) | Symbol::Callee(item) => self.is_private(item),
            _ => true,
        };
        Ok(if is_near {
            self.function.add_near_symbol(symbol)?
        } else {
            self.function.add_symbol(symbol)?
        })
    }

    /// Returns whether an item is defined in the module and not exported.
    pub(super) fn is_private(&self, item: ItemId) -> bool {
        !self.module.item(item).kind.is_declaration() && !self.module.is_exported(item)
    }

    pub(super) fn global(&mut self, symbol: Symbol) -> Result<Operand, Error> {
        let temp = self.temp()?;
        let symbol = self.symbol(symbol)?;
        self.emit(Generic::GlobalValue, LowType::S64, &[def(temp), symbol])?;
        Ok(temp)
    }

    /// Returns the address of a frame object plus some bytes, in a new register.
    pub(super) fn frame_address(&mut self, frame: FrameId, disp: i32) -> Result<Operand, Error> {
        let temp = self.temp()?;
        let operands = [def(temp), Operand::frame(frame), Operand::imm(disp)];
        self.emit(Generic::FrameIndex, LowType::S64, &operands)?;
        Ok(temp)
    }

    /// Reads a float, double or long double: a register, or for long double a frame object or
    /// constant.
    pub(super) fn float(&mut self, operand: IrOperand, kind: Kind) -> Result<Operand, Error> {
        if kind == Kind::Long {
            return self.long_double(operand);
        }
        let ty = kind.class().ty();
        match operand {
            IrOperand::Reg(reg) => match self.variable(reg)? {
                VariableLocation::Register(reg) => Ok(Operand::reg(reg)),
                VariableLocation::Memory(frame) => {
                    self.load(ty, no_index(Operand::frame(frame), 0))
                }
                VariableLocation::Address(_) => Err(self.internal()),
            },
            IrOperand::Mem(mem) => {
                let address = self.address(&mem)?;
                self.load(mem.ty, address)
            }
            IrOperand::Float(value) => self.float_constant(ty, i64::from(value.to_bits())),
            IrOperand::Double(value) => self.float_constant(ty, value.to_bits().cast_signed()),
            _ => Err(self.internal()),
        }
    }

    fn float_constant(&mut self, ty: Type, bits: i64) -> Result<Operand, Error> {
        let (bank, ty) = bank_and_type(ty);
        let temp = Operand::from(self.vreg(bank, ty)?);
        let bits = self.function.int(bits)?;
        self.emit(Generic::FConstant, ty, &[def(temp), bits])?;
        Ok(temp)
    }

    /// Loads a value of a type other than long double into a new register.
    pub(super) fn load(&mut self, ty: Type, address: Address) -> Result<Operand, Error> {
        let temp = Operand::from(self.variable_vreg(ty)?);
        self.load_into(temp, ty, address)?;
        Ok(temp)
    }

    /// Loads a value of a type other than long double; integers are extended to 64 bits.
    pub(super) fn load_into(
        &mut self,
        to: Operand,
        ty: Type,
        address: Address,
    ) -> Result<(), Error> {
        let (generic, low) = match ty {
            Type::I8 => (Generic::SextLoad, LowType::S8),
            Type::U8 => (Generic::ZextLoad, LowType::S8),
            Type::I16 => (Generic::SextLoad, LowType::S16),
            Type::U16 => (Generic::ZextLoad, LowType::S16),
            Type::I32 => (Generic::SextLoad, LowType::S32),
            Type::U32 => (Generic::ZextLoad, LowType::S32),
            Type::F => (Generic::Load, LowType::S32),
            _ => (Generic::Load, LowType::S64),
        };
        let [base, index, scale, disp] = address;
        self.emit(generic, low, &[def(to), base, index, scale, disp])
    }

    /// Stores a value of a type other than long double.
    pub(super) fn store(
        &mut self,
        value: Operand,
        ty: Type,
        address: Address,
    ) -> Result<(), Error> {
        let low = match ty.size() {
            1 => LowType::S8,
            2 => LowType::S16,
            4 => LowType::S32,
            _ => LowType::S64,
        };
        let [base, index, scale, disp] = address;
        self.emit(Generic::Store, low, &[value, base, index, scale, disp])
    }

    /// Returns the address of a memory operand: scale 1, 2, 4 or 8, displacement of 32 bits.
    pub(super) fn address(&mut self, mem: &Mem) -> Result<Address, Error> {
        let mut scale = i32::from(mem.scale);
        let [mut base, mut index] = match self.reached_by(mem) {
            Some(reached) => {
                scale = 1;
                reached
            }
            None => self.base_and_index(mem)?,
        };
        if index != Operand::NO_REG && !matches!(scale, 1 | 2 | 4 | 8) {
            let scaled = self.temp()?;
            let factor = Operand::imm(scale);
            self.emit(Generic::Mul, LowType::S64, &[def(scaled), index, factor])?;
            (index, scale) = (scaled, 1);
        }
        let disp = match i32::try_from(mem.disp) {
            Ok(disp) if mem.base.is_some() || mem.index.is_some() => disp,
            _ => {
                base = self.far_base(base, mem.disp)?;
                0
            }
        };
        Ok([base, index, Operand::imm(scale), Operand::imm(disp)])
    }

    fn base_and_index(&mut self, mem: &Mem) -> Result<[Operand; 2], Error> {
        let base = match mem.base {
            None => Operand::NO_REG,
            Some(reg) => match self.variable(reg)? {
                VariableLocation::Address(frame) => Operand::frame(frame),
                _ => self.int(IrOperand::Reg(reg))?,
            },
        };
        let index = match mem.index {
            None => Operand::NO_REG,
            Some(reg) => self.int(IrOperand::Reg(reg))?,
        };
        Ok([base, index])
    }

    /// Returns `base + disp` in a register, for displacements that do not fit.
    fn far_base(&mut self, base: Operand, disp: i64) -> Result<Operand, Error> {
        let disp = self.function.int(disp)?;
        if base == Operand::NO_REG {
            return self.in_register(disp);
        }
        let base = match base.as_frame() {
            Some(frame) => self.frame_address(frame, 0)?,
            None => base,
        };
        let sum = self.temp()?;
        self.emit(Generic::Add, LowType::S64, &[def(sum), base, disp])?;
        Ok(sum)
    }

    /// Returns the place in which to compute an output for `operand`: a register, or for long
    /// double a frame object.
    pub(super) fn output(&mut self, operand: IrOperand, class: Class) -> Result<Operand, Error> {
        if let IrOperand::Reg(reg) = operand {
            match self.variable(reg)? {
                VariableLocation::Register(reg) => return Ok(Operand::reg(reg)),
                VariableLocation::Memory(frame) if class == Class::LongDouble => {
                    return Ok(Operand::frame(frame));
                }
                _ => {}
            }
        }
        match class {
            Class::LongDouble => Ok(Operand::frame(self.function.add_local(16, 16)?)),
            Class::Int => self.temp(),
            _ => {
                let ty = self.type_of(class);
                Ok(self.vreg(Bank::Floating, ty)?.into())
            }
        }
    }

    /// Stores the computed value to its operand, if [`Translator::output`] returned another place.
    pub(super) fn finish(
        &mut self,
        operand: IrOperand,
        class: Class,
        computed: Operand,
    ) -> Result<(), Error> {
        let (ty, address) = match operand {
            IrOperand::Mem(mem) => (mem.ty, self.address(&mem)?),
            IrOperand::Reg(reg) => match self.variable(reg)? {
                VariableLocation::Memory(frame) if class != Class::LongDouble => {
                    (class.ty(), no_index(Operand::frame(frame), 0))
                }
                _ => return Ok(()),
            },
            _ => return Err(self.internal()),
        };
        if class == Class::LongDouble {
            self.copy_bytes(address, no_index(computed, 0), 16)
        } else {
            self.store(computed, ty, address)
        }
    }

    /// Copies bytes between addresses, by pieces of up to 8.
    pub(super) fn copy_bytes(
        &mut self,
        to: Address,
        from: Address,
        bytes: u32,
    ) -> Result<(), Error> {
        let mut done = 0;
        while done < bytes {
            let ty = match bytes - done {
                1 => Type::U8,
                2 | 3 => Type::U16,
                4..=7 => Type::U32,
                _ => Type::U64,
            };
            let from = self.advance(from, done)?;
            let piece = self.load(ty, from)?;
            let to = self.advance(to, done)?;
            self.store(piece, ty, to)?;
            done += ty.size();
        }
        Ok(())
    }

    /// Returns an address some bytes further.
    pub(super) fn advance(&mut self, address: Address, bytes: u32) -> Result<Address, Error> {
        let [base, index, scale, disp] = address;
        let disp = i64::from(disp.small().unwrap_or(0)) + i64::from(bytes);
        match i32::try_from(disp) {
            Ok(disp) => Ok([base, index, scale, Operand::imm(disp)]),
            Err(_) => Ok([self.far_base(base, disp)?, index, scale, Operand::imm(0)]),
        }
    }

    pub(super) fn copy(&mut self, to: Operand, from: Operand) -> Result<(), Error> {
        if to.as_reg() == from.as_reg() {
            return Ok(());
        }
        self.emit(Generic::Copy, LowType::S64, &[def(to), from])
    }

    /// Moves an integer, register or immediate, to a register.
    pub(super) fn set(&mut self, to: Operand, from: Operand) -> Result<(), Error> {
        if from.as_reg().is_some() {
            self.copy(to, from)
        } else {
            self.emit(Generic::Constant, LowType::S64, &[def(to), from])
        }
    }

    /// Moves an integer, or the address of a frame object or symbol, to a physical register.
    pub(super) fn set_physical(&mut self, to: Reg, from: Operand) -> Result<(), Error> {
        let to = Operand::reg(to);
        if from.as_frame().is_some() {
            let operands = [def(to), from, Operand::imm(0)];
            return self.emit(Generic::FrameIndex, LowType::S64, &operands);
        }
        if from.as_symbol().is_some() {
            return self.emit(Generic::GlobalValue, LowType::S64, &[def(to), from]);
        }
        self.set(to, from)
    }

    /// Returns an integer truncated to the type's width and extended to 64 bits.
    pub(super) fn extend(&mut self, ty: Type, value: Operand) -> Result<Operand, Error> {
        if ty.size() == 8 || ty.is_block() {
            return Ok(value);
        }
        if let Some(constant) = self.function.immediate(value) {
            let extended = crate::target::extend(ty, constant.cast_unsigned());
            return Ok(self.function.int(extended.cast_signed())?);
        }
        let temp = self.temp()?;
        self.extend_into(temp, ty, value)?;
        Ok(temp)
    }

    pub(super) fn extend_into(
        &mut self,
        to: Operand,
        ty: Type,
        from: Operand,
    ) -> Result<(), Error> {
        if ty.size() == 8 || ty.is_block() {
            return self.set(to, from);
        }
        let generic = if ty.is_signed() {
            Generic::SextInreg
        } else {
            Generic::ZextInreg
        };
        let bits = Operand::imm(ty.size() as i32 * 8);
        self.emit(generic, LowType::S64, &[def(to), from, bits])
    }
}

/// Returns the operand as a definition, if it is a register; frame objects stay as they are.
pub(super) const fn def(operand: Operand) -> Operand {
    match operand.as_reg() {
        Some(_) => operand.with(crate::machine::OperandFlags::DEF),
        None => operand,
    }
}
