//! Selection for addresses, loads and stores.

use super::{Selector, small};
use crate::insns::Op;
use crate::registers::ZERO;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// Base and displacement: 12 bits, or any displacement from a frame object.
type Address = [Operand; 2];

impl Selector<'_, '_, '_> {
    pub(super) fn memory(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Load | G::ZextLoad | G::SextLoad => {
                let [base, displacement] = self.address(1)?;
                let op = self.load_op(to);
                self.emit(op, &[to, base, displacement])
            }
            G::Store => {
                let [base, displacement] = self.address(1)?;
                let value = self.register(to)?;
                let op = self.store_op(value);
                self.emit(op, &[value, base, displacement])
            }
            G::FrameIndex => self.frame_address(to, a, self.operand(2)),
            G::GlobalValue => self.symbol(to, a),
            G::BlockAddr => self.emit(Op::PseudoLLA, &[to, a]),
            _ if self.generic.is_atomic() => self.atomic(),
            _ => self.control(),
        }
    }

    fn load_op(&self, to: Operand) -> Op {
        let is_unsigned = self.generic == Generic::ZextLoad;
        match self.ty {
            LowType::S32 if self.is_float(to) => Op::FLW,
            _ if self.is_float(to) => Op::FLD,
            LowType::S8 if is_unsigned => Op::LBU,
            LowType::S8 => Op::LB,
            LowType::S16 if is_unsigned => Op::LHU,
            LowType::S16 => Op::LH,
            LowType::S32 if is_unsigned => Op::LWU,
            LowType::S32 => Op::LW,
            _ => Op::LD,
        }
    }

    fn store_op(&self, value: Operand) -> Op {
        match self.ty {
            LowType::S32 if self.is_float(value) => Op::FSW,
            _ if self.is_float(value) => Op::FSD,
            LowType::S8 => Op::SB,
            LowType::S16 => Op::SH,
            LowType::S32 => Op::SW,
            _ => Op::SD,
        }
    }

    /// Returns the address at operand `first`, in a form that instructions take.
    fn address(&mut self, first: usize) -> Result<Address, Error> {
        let [mut base, index] = [self.operand(first), self.operand(first + 1)];
        let [scale, displacement] = [self.operand(first + 2), self.operand(first + 3)];
        if base.as_constant().is_some() {
            let place = self.new_int()?;
            self.emit(Op::PseudoLLA, &[place, base])?;
            base = place;
        }
        if index != Operand::NO_REG {
            base = self.indexed(base, index, scale)?;
        }
        if base == Operand::NO_REG {
            base = Operand::reg(ZERO);
        }
        if base.as_frame().is_some() {
            if self.out.immediate(displacement).and_then(small).is_some() {
                return Ok([base, displacement]);
            }
            base = self.new_with_immediate(Op::ADDI, base, 0)?;
        }
        let base = self.register(base)?;
        let Some(value) = self.out.immediate(displacement) else {
            return self.unknown();
        };
        if small(value).is_some() {
            return Ok([base, displacement]);
        }
        let low = value << 52 >> 52;
        let high = self.new_int()?;
        self.constant(high, value.wrapping_sub(low))?;
        let near = self.new_with(Op::ADD, high, base)?;
        Ok([near, Operand::imm(low as i32)])
    }

    /// Emits `to` = an address in a frame object.
    fn frame_address(&mut self, to: Operand, frame: Operand, at: Operand) -> Result<(), Error> {
        if self.out.immediate(at).and_then(small).is_some() {
            return self.emit(Op::ADDI, &[to, frame, at]);
        }
        let start = self.new_with_immediate(Op::ADDI, frame, 0)?;
        let at = self.register(at)?;
        self.emit(Op::ADD, &[to, start, at])
    }

    /// Emits `base + index * scale` and returns its register.
    fn indexed(&mut self, base: Operand, index: Operand, scale: Operand) -> Result<Operand, Error> {
        let scaled = match scale.small() {
            Some(1) => index,
            Some(scale) if scale > 0 && scale.count_ones() == 1 => {
                self.new_with_immediate(Op::SLLI, index, scale.trailing_zeros() as i32)?
            }
            _ => {
                let scale = self.register(scale)?;
                self.new_with(Op::MUL, index, scale)?
            }
        };
        if base == Operand::NO_REG {
            return Ok(scaled);
        }
        let base = match base.as_frame() {
            Some(_) => self.new_with_immediate(Op::ADDI, base, 0)?,
            None => self.register(base)?,
        };
        self.new_with(Op::ADD, scaled, base)
    }
}
