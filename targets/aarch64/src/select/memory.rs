//! Selection for addresses, loads and stores.

use super::{Op, Selector, ZERO, left_by};
use crate::memory::{Access, AddressMode, LOADS, STORES};
use crate::registers::{SP, quad};
use crate::target_flags::{PAGE, PAGE_OFFSET};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn memory(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Load | G::ZextLoad | G::SextLoad => self.load(to),
            G::Store => self.store(to),
            G::FrameIndex => {
                let operands = [to, a, self.operand(2), Operand::imm(0)];
                self.emit(Op::ADDXri, &operands)
            }
            G::GlobalValue => self.symbol(to, a),
            G::BlockAddr => self.address_of(to, a),
            _ if self.generic.is_atomic() => self.atomic(),
            _ => self.control(),
        }
    }

    /// Emits `to` = the address of a place in the function's own code.
    pub(super) fn address_of(&mut self, to: Operand, what: Operand) -> Result<(), Error> {
        let is_elsewhere = self.out.function.is_position_independent && what.as_block().is_none();
        if is_elsewhere {
            self.emit(Op::ADRP, &[to, what.flagged(PAGE)])?;
            let zero = Operand::imm(0);
            return self.emit(Op::ADDXri, &[to, to, what.flagged(PAGE_OFFSET), zero]);
        }
        if self.is_large() && !self.out.function.is_position_independent {
            return self.emit(Op::MOVaddr, &[to, what, what]);
        }
        self.emit(Op::ADR, &[to, what])
    }

    fn load(&mut self, to: Operand) -> Result<(), Error> {
        let is_signed = self.generic == Generic::SextLoad;
        let to = self.whole(to);
        let number = match self.ty {
            LowType::S8 if is_signed => 1,
            LowType::S8 => 0,
            LowType::S16 if is_signed => 3,
            LowType::S16 => 2,
            LowType::S32 if self.is_float(to) => 7,
            LowType::S32 if is_signed => 5,
            LowType::S32 => 4,
            LowType::S64 if self.is_float(to) => 8,
            LowType::S64 => 6,
            _ => 9,
        };
        let access = LOADS.get(number).copied();
        self.access(access, to, 1)
    }

    fn store(&mut self, value: Operand) -> Result<(), Error> {
        let value = match self.out.immediate(value) {
            Some(0) => ZERO,
            _ => self.register(value)?,
        };
        let value = self.whole(value);
        let number = match self.ty {
            LowType::S8 => 0,
            LowType::S16 => 1,
            LowType::S32 if self.is_float(value) => 4,
            LowType::S32 => 2,
            LowType::S64 if self.is_float(value) => 5,
            LowType::S64 => 3,
            _ => 6,
        };
        let access = STORES.get(number).copied();
        self.access(access, value, 1)
    }

    /// Returns the register as wide as the instruction's type: all of a floating one for 128 bits.
    fn whole(&self, operand: Operand) -> Operand {
        match operand.as_reg() {
            Some(reg) if self.ty == LowType::S128 => operand.on(quad(reg)),
            _ => operand,
        }
    }

    /// Loads or stores a register at the address that begins at operand `first`.
    fn access(
        &mut self,
        access: Option<Access>,
        register: Operand,
        first: usize,
    ) -> Result<(), Error> {
        let Some(access) = access else {
            return self.unknown();
        };
        match self.address(&access, first)? {
            AddressMode::Offset(base, offset) if base.as_frame().is_some() => {
                // The frame is laid out later, so any offset is valid here.
                let (op, offset) = access.with_any_offset(offset);
                self.emit(op, &[register, base, Operand::imm(offset)])
            }
            AddressMode::Offset(base, offset) => match access.with_offset(offset) {
                Some((op, offset)) => self.emit(op, &[register, base, Operand::imm(offset)]),
                None => {
                    let far = self.new_int()?;
                    self.constant(far, i64::from(offset))?;
                    let zero = Operand::imm(0);
                    self.emit(access.indexed, &[register, base, far, zero, zero])
                }
            },
            AddressMode::Indexed(base, index, is_scaled) => {
                let scaled = Operand::imm(i32::from(is_scaled));
                let operands = [register, base, index, Operand::imm(0), scaled];
                self.emit(access.indexed, &operands)
            }
        }
    }

    /// Returns the address that begins at operand `first`, in a form that the access takes.
    fn address(&mut self, access: &Access, first: usize) -> Result<AddressMode, Error> {
        let [base, index] = [self.operand(first), self.operand(first + 1)];
        let scale = self.operand(first + 2).small().unwrap_or(1);
        let (mut base, offset) = self.base(base, self.operand(first + 3))?;
        if index == Operand::NO_REG {
            return Ok(AddressMode::Offset(base, offset));
        }
        if base == Operand::NO_REG {
            let scaled = self.scaled(index, scale)?;
            return Ok(AddressMode::Offset(scaled, offset));
        }
        if base.as_frame().is_some() {
            let start = self.new_int()?;
            let operands = [start, base, Operand::imm(offset), Operand::imm(0)];
            self.emit(Op::ADDXri, &operands)?;
            base = start;
            return self.indexed(access, base, index, scale);
        }
        if offset == 0 {
            return self.indexed(access, base, index, scale);
        }
        let sum = self.new_int()?;
        if matches!(scale, 1 | 2 | 4 | 8) && base.as_reg() != Some(SP) {
            let by = left_by(scale.trailing_zeros() as i32);
            self.emit(Op::ADDXrs, &[sum, base, index, by])?;
        } else {
            let scaled = self.scaled(index, scale)?;
            self.add_registers(sum, base, scaled)?;
        }
        Ok(AddressMode::Offset(sum, offset))
    }

    fn indexed(
        &mut self,
        access: &Access,
        base: Operand,
        index: Operand,
        scale: i32,
    ) -> Result<AddressMode, Error> {
        if scale == 1 {
            return Ok(AddressMode::Indexed(base, index, false));
        }
        if scale == access.bytes {
            return Ok(AddressMode::Indexed(base, index, true));
        }
        let scaled = self.scaled(index, scale)?;
        Ok(AddressMode::Indexed(base, scaled, false))
    }

    /// Returns the index times the scale.
    fn scaled(&mut self, index: Operand, scale: i32) -> Result<Operand, Error> {
        if scale == 1 {
            return Ok(index);
        }
        let scaled = self.new_int()?;
        if scale.count_ones() == 1 && scale > 0 {
            let by = scale.trailing_zeros() as i32;
            let operands = [scaled, index, Operand::imm(-by & 63), Operand::imm(63 - by)];
            self.emit(Op::UBFMXri, &operands)?;
        } else {
            let factor = self.register(Operand::imm(scale))?;
            self.emit(Op::MADDXrrr, &[scaled, index, factor, ZERO])?;
        }
        Ok(scaled)
    }

    /// Returns a base (a register, a frame object or none) and its offset.
    fn base(&mut self, base: Operand, offset: Operand) -> Result<(Operand, i32), Error> {
        let base = if base.as_constant().is_some() {
            let place = self.new_int()?;
            self.address_of(place, base)?;
            place
        } else {
            self.register(base)?
        };
        if let Some(small) = offset.small() {
            if base == Operand::NO_REG && self.operand(2) == Operand::NO_REG {
                return Ok((self.register(offset)?, 0));
            }
            return Ok((base, small));
        }
        let far = self.register(offset)?;
        if base == Operand::NO_REG {
            return Ok((far, 0));
        }
        let start = if base.as_frame().is_some() {
            let start = self.new_int()?;
            let zero = Operand::imm(0);
            self.emit(Op::ADDXri, &[start, base, zero, zero])?;
            start
        } else {
            base
        };
        let sum = self.new_int()?;
        self.add_registers(sum, start, far)?;
        Ok((sum, 0))
    }
}
