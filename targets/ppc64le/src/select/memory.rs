//! Selection for addresses, loads and stores.

use super::Selector;
use crate::encode::is_long;
use crate::frame::Forms;
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// The form of an address: a displacement of 16 or of 34 bits and a base, or a base and an index.
#[derive(Clone, Copy)]
enum Address {
    Near([Operand; 2]),
    Far([Operand; 2]),
    Indexed([Operand; 2]),
}

/// The forms of a load or store: with a displacement and with an index; `step` divides every
/// displacement.
struct Access {
    near: Op,
    indexed: Op,
    step: i32,
}

const fn access(near: Op, indexed: Op) -> Access {
    let step = match near {
        Op::LD | Op::STD | Op::LWA => 4,
        _ => 1,
    };
    Access {
        near,
        indexed,
        step,
    }
}

impl Selector<'_, '_, '_> {
    pub(super) fn memory(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::SextLoad if self.ty == LowType::S8 => {
                let byte = self.new_int()?;
                self.access(&access(Op::LBZ8, Op::LBZX8), byte)?;
                self.emit(Op::EXTSB8, &[to, byte])
            }
            G::Load | G::ZextLoad | G::SextLoad => self.access(&self.load(to), to),
            G::Store => {
                let value = self.register(to)?;
                self.access(&self.store(value), value)
            }
            G::FrameIndex => self.emit(Op::ADDI8, &[to, a, b]),
            G::GlobalValue => self.symbol(to, a),
            G::BlockAddr => self.block_address(to, a),
            _ if self.generic.is_atomic() => self.atomic(),
            _ => self.control(),
        }
    }

    fn load(&self, to: Operand) -> Access {
        let is_signed = self.generic == Generic::SextLoad;
        match self.ty {
            LowType::S32 if self.is_float(to) => access(Op::LFS, Op::LFSX),
            _ if self.is_float(to) => access(Op::LFD, Op::LFDX),
            LowType::S8 => access(Op::LBZ8, Op::LBZX8),
            LowType::S16 if is_signed => access(Op::LHA8, Op::LHAX8),
            LowType::S16 => access(Op::LHZ8, Op::LHZX8),
            LowType::S32 if is_signed => access(Op::LWA, Op::LWAX),
            LowType::S32 => access(Op::LWZ8, Op::LWZX8),
            _ => access(Op::LD, Op::LDX),
        }
    }

    fn store(&self, value: Operand) -> Access {
        match self.ty {
            LowType::S32 if self.is_float(value) => access(Op::STFS, Op::STFSX),
            _ if self.is_float(value) => access(Op::STFD, Op::STFDX),
            LowType::S8 => access(Op::STB8, Op::STBX8),
            LowType::S16 => access(Op::STH8, Op::STHX8),
            LowType::S32 => access(Op::STW8, Op::STWX8),
            _ => access(Op::STD, Op::STDX),
        }
    }

    /// Loads or stores at the address that begins at operand 1.
    fn access(&mut self, access: &Access, value: Operand) -> Result<(), Error> {
        match self.address(1, access.step)? {
            Address::Near([displacement, base]) => {
                self.emit(access.near, &[value, displacement, base])
            }
            Address::Far([displacement, base]) => {
                let op = Forms::of(access.near.into())?.prefixed;
                self.emit(op, &[value, displacement, base])
            }
            Address::Indexed([base, index]) => self.emit(access.indexed, &[value, base, index]),
        }
    }

    /// Returns the address that begins at operand `first`, in a form that instructions take whose
    /// displacements are multiples of `step`.
    fn address(&mut self, first: usize, step: i32) -> Result<Address, Error> {
        let [base, index] = [self.operand(first), self.operand(first + 1)];
        let [scale, displacement] = [self.operand(first + 2), self.operand(first + 3)];
        let index = self.scaled(index, scale)?;
        let displacement = self.out.immediate(displacement).unwrap_or(0);
        let none = Operand::NO_REG;
        let (base, index) = match base {
            base if base == none => (index, none),
            base => (base, index),
        };
        if base == none {
            return self.absolute(displacement, step);
        }
        if base.as_constant().is_some() {
            return self.in_pool(base, index, displacement, step);
        }
        let base = self.register(base)?;
        self.at(base, index, displacement, step)
    }

    /// Returns the index times its scale; no register if there is no index.
    fn scaled(&mut self, index: Operand, scale: Operand) -> Result<Operand, Error> {
        let scale = scale.small().unwrap_or(1);
        if index == Operand::NO_REG || scale == 1 {
            return Ok(index);
        }
        let scaled = self.new_int()?;
        if scale > 0 && scale.count_ones() == 1 {
            self.shift_left(scaled, index, scale.trailing_zeros() as i32)?;
        } else {
            let by = self.register(Operand::imm(scale))?;
            self.emit(Op::MULLD, &[scaled, index, by])?;
        }
        Ok(scaled)
    }

    /// Returns the address of a base, an index that may be missing, and a displacement.
    fn at(
        &mut self,
        base: Operand,
        index: Operand,
        displacement: i64,
        step: i32,
    ) -> Result<Address, Error> {
        if index == Operand::NO_REG {
            return self.at_distance(base, displacement, step);
        }
        let base = self.plain(base)?;
        if displacement == 0 {
            return Ok(Address::Indexed([base, index]));
        }
        let sum = self.compute(Op::ADD8, &[base, index])?;
        self.at_distance(sum, displacement, step)
    }

    /// Returns the address of a frame object in a register; a register as it is.
    fn plain(&mut self, base: Operand) -> Result<Operand, Error> {
        if base.as_frame().is_none() {
            return Ok(base);
        }
        self.emit_new(Op::ADDI8, &[base], 0)
    }

    fn at_distance(
        &mut self,
        base: Operand,
        displacement: i64,
        step: i32,
    ) -> Result<Address, Error> {
        let low = displacement as i16;
        let high = (displacement.wrapping_sub(i64::from(low))) >> 16;
        let is_multiple = i32::from(low) % step == 0;
        let low_half = Operand::imm(i32::from(low));
        if high == 0 && is_multiple {
            return Ok(Address::Near([low_half, base]));
        }
        // The displacement and the offset of a frame object must both fit in 32 bits.
        let most = i32::try_from(displacement);
        if self.has_prefixes && (most.is_ok() || base.as_frame().is_none() && is_long(displacement))
        {
            let displacement = self.out.function.int(displacement)?;
            return Ok(Address::Far([displacement, base]));
        }
        let base = self.plain(base)?;
        match i16::try_from(high) {
            Ok(high) if is_multiple => {
                let near = self.emit_new(Op::ADDIS8, &[base], i32::from(high))?;
                Ok(Address::Near([low_half, near]))
            }
            _ => {
                let index = self.new_int()?;
                self.constant(index, displacement)?;
                Ok(Address::Indexed([base, index]))
            }
        }
    }

    /// Returns an address that is a number.
    fn absolute(&mut self, address: i64, step: i32) -> Result<Address, Error> {
        let low = i64::from(address as i16) / i64::from(step) * i64::from(step);
        let base = self.new_int()?;
        self.constant(base, address.wrapping_sub(low))?;
        Ok(Address::Near([Operand::imm(low as i32), base]))
    }

    /// Returns the address of something in the constant pool.
    fn in_pool(
        &mut self,
        constant: Operand,
        index: Operand,
        displacement: i64,
        step: i32,
    ) -> Result<Address, Error> {
        if self.has_prefixes {
            let base = self.new_int()?;
            self.address_near(base, constant)?;
            return self.at(base, index, displacement, step);
        }
        let [low, near] = self.near(constant)?;
        if index == Operand::NO_REG && displacement == 0 {
            return Ok(Address::Near([low, near]));
        }
        let base = self.new_int()?;
        self.emit(Op::ADDI8, &[base, near, low])?;
        self.at(base, index, displacement, step)
    }
}
