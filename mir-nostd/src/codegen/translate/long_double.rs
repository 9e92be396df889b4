//! Long doubles: instructions on places in memory, or calls of the runtime.

use super::Translator;
use super::meaning::Kind;
use super::values::{def, no_index};
use crate::codegen::helper::Helper;
use crate::ir::Operand as IrOperand;
use crate::machine::{Constant, FloatPredicate, FrameId, Generic, IntPredicate, LowType, Operand};
use crate::target::error::Error;

impl Translator<'_, '_, '_, '_> {
    /// Reads a long double: a frame object or a constant.
    pub(super) fn long_double(&mut self, operand: IrOperand) -> Result<Operand, Error> {
        match operand {
            IrOperand::Reg(reg) => match self.variable(reg)? {
                super::VariableLocation::Memory(frame) => Ok(Operand::frame(frame)),
                _ => Err(self.internal()),
            },
            IrOperand::Mem(mem) => {
                let address = self.address(&mem)?;
                let temp = Operand::frame(self.function.add_local(16, 16)?);
                self.copy_bytes(no_index(temp, 0), address, 16)?;
                Ok(temp)
            }
            IrOperand::LongDouble(bits) => {
                let target = self.isa.target();
                let value = crate::num::LongDouble(bits);
                let bytes = target.long_double.to_bytes(value, target.big_endian);
                let id = self.function.add_constant(Constant {
                    bytes,
                    len: 16,
                    symbol: None,
                })?;
                Ok(Operand::constant(id))
            }
            _ => Err(self.internal()),
        }
    }

    /// Emits `d = a op b`.
    pub(super) fn long_binary(
        &mut self,
        generic: Generic,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        if self.isa.description().has_long_double(generic) {
            return self.emit(generic, self.long_type(), &[to, a, b]);
        }
        let helper = match generic {
            Generic::Fadd => Helper::LdAdd,
            Generic::Fsub => Helper::LdSub,
            Generic::Fmul => Helper::LdMul,
            _ => Helper::LdDiv,
        };
        let (a, b) = (self.place(a)?, self.place(b)?);
        self.call_helper(helper, &[to, a, b])?;
        Ok(())
    }

    /// Emits `d = -a`.
    pub(super) fn long_negate(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        if self.isa.description().has_long_double(Generic::Fneg) {
            return self.emit(Generic::Fneg, self.long_type(), &[to, a]);
        }
        let a = self.place(a)?;
        self.call_helper(Helper::LdNeg, &[to, a])?;
        Ok(())
    }

    /// Converts an integer to a long double.
    pub(super) fn long_from_int(
        &mut self,
        generic: Generic,
        to: Operand,
        a: Operand,
    ) -> Result<(), Error> {
        if self.isa.description().has_long_double(generic) {
            return self.emit(generic, self.long_type(), &[to, a]);
        }
        let helper = match generic {
            Generic::Sitofp => Helper::LdFromInt,
            _ => Helper::LdFromUnsigned,
        };
        self.call_helper(helper, &[to, a])?;
        Ok(())
    }

    /// Converts a long double to an integer.
    pub(super) fn long_to_int(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        if self.isa.description().has_long_double(Generic::FptosiSat) {
            return self.emit(Generic::FptosiSat, self.long_type(), &[def(to), a]);
        }
        let a = self.place(a)?;
        let result = self.call_helper(Helper::LdToInt, &[a])?;
        self.copy(to, result)
    }

    /// Converts a float or double to a long double.
    pub(super) fn long_extend(&mut self, to: Operand, from: Kind, a: Operand) -> Result<(), Error> {
        let bits = if from == Kind::Float { 32 } else { 64 };
        if self.isa.description().has_long_double(Generic::Fpext) {
            let operands = [to, a, Operand::imm(bits)];
            return self.emit(Generic::Fpext, self.long_type(), &operands);
        }
        let temp = self.function.add_local(8, 8)?;
        let ty = from.class().ty();
        self.store(a, ty, no_index(Operand::frame(temp), 0))?;
        let helper = if from == Kind::Float {
            Helper::LdFromFloat
        } else {
            Helper::LdFromDouble
        };
        self.call_helper(helper, &[to, Operand::frame(temp)])?;
        Ok(())
    }

    /// Converts a long double to a float or double.
    pub(super) fn long_truncate(
        &mut self,
        to: Operand,
        kind: Kind,
        a: Operand,
    ) -> Result<(), Error> {
        if self.isa.description().has_long_double(Generic::Fptrunc) {
            let ty = self.type_of(kind.class());
            let bits = self.long_type().bits() as i32;
            return self.emit(Generic::Fptrunc, ty, &[def(to), a, Operand::imm(bits)]);
        }
        let temp = self.function.add_local(8, 8)?;
        let helper = if kind == Kind::Float {
            Helper::LdToFloat
        } else {
            Helper::LdToDouble
        };
        let a = self.place(a)?;
        self.call_helper(helper, &[Operand::frame(temp), a])?;
        self.load_into(to, kind.class().ty(), no_index(Operand::frame(temp), 0))
    }

    /// Returns a new register that is not 0 if a comparison of long doubles holds, for targets that
    /// cannot compare them.
    pub(super) fn long_compare(
        &mut self,
        predicate: FloatPredicate,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Error> {
        let (a, b) = (self.place(a)?, self.place(b)?);
        let outcome = self.call_helper(Helper::LdCompare, &[a, b])?;
        let wanted = match predicate {
            FloatPredicate::Oeq => 2,
            FloatPredicate::Une => 1 | 4 | 8,
            FloatPredicate::Olt => 1,
            FloatPredicate::Ole => 1 | 2,
            FloatPredicate::Ogt => 4,
            _ => 2 | 4,
        };
        let temp = self.temp()?;
        let operands = [def(temp), outcome, Operand::imm(wanted)];
        self.emit(Generic::And, LowType::S64, &operands)?;
        Ok(temp)
    }

    /// Sets `d` to 1 if an integer is not 0, else to 0.
    pub(super) fn truth(&mut self, to: Operand, value: Operand) -> Result<(), Error> {
        let not_equal = Operand::int_predicate(IntPredicate::Ne);
        let operands = [def(to), not_equal, value, Operand::imm(0)];
        self.emit(Generic::Icmp, LowType::S64, &operands)
    }

    /// Returns a long double in a frame object, so that it has an address.
    fn place(&mut self, value: Operand) -> Result<Operand, Error> {
        if value.as_constant().is_none() {
            return Ok(value);
        }
        let frame: FrameId = self.function.add_local(16, 16)?;
        self.copy_bytes(no_index(Operand::frame(frame), 0), no_index(value, 0), 16)?;
        Ok(Operand::frame(frame))
    }
}
