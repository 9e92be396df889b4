//! Selection for addresses, loads and stores.

use super::Selector;
use crate::fold::far_form;
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// Base, displacement, index. The displacement has 20 bits, and an instruction without a long form
/// gets one of 12; for a frame object, the form is chosen when the frame is laid out.
pub(super) type Address = [Operand; 3];

/// Returns an address without index.
pub(super) const fn at(base: Operand, displacement: i32) -> Address {
    [base, Operand::imm(displacement), Operand::NO_REG]
}

impl Selector<'_, '_, '_> {
    pub(super) fn memory(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a] = [self.operand(0), self.operand(1)];
        match self.generic {
            G::Load | G::ZextLoad | G::SextLoad => {
                let address = self.address(1)?;
                self.emit_load(self.load_op(to), to, address)
            }
            G::Store => self.store(to),
            G::FrameIndex => {
                let displacement = self.operand(2).small().unwrap_or(0);
                self.emit(
                    Op::LA,
                    &[to, a, Operand::imm(displacement), Operand::NO_REG],
                )
            }
            G::GlobalValue => self.symbol(to, a),
            G::BlockAddr => self.emit(Op::LARL, &[to, a]),
            _ if self.generic.is_atomic() => self.atomic(),
            _ => self.control(),
        }
    }

    /// Returns the form of an instruction that has the displacement of an address.
    fn form(op: Op, [base, displacement, _]: Address) -> Op {
        let displacement = displacement.small().unwrap_or(0);
        if base.as_frame().is_some() || (0..4096).contains(&displacement) {
            return op;
        }
        far_form(op).unwrap_or(op)
    }

    /// Emits `to = op address`.
    pub(super) fn emit_load(&mut self, op: Op, to: Operand, address: Address) -> Result<(), Error> {
        let [base, displacement, index] = address;
        self.emit(Self::form(op, address), &[to, base, displacement, index])
    }

    /// Emits `op from, address`.
    pub(super) fn emit_store(
        &mut self,
        op: Op,
        from: Operand,
        address: Address,
    ) -> Result<(), Error> {
        let [base, displacement, index] = address;
        self.emit(Self::form(op, address), &[from, base, displacement, index])
    }

    fn load_op(&self, to: Operand) -> Op {
        let is_signed = self.generic == Generic::SextLoad;
        match self.ty {
            LowType::S32 if self.is_float(to) => Op::LE,
            _ if self.is_float(to) => Op::LD,
            LowType::S8 if is_signed => Op::LGB,
            LowType::S16 if is_signed => Op::LGH,
            LowType::S32 if is_signed => Op::LGF,
            LowType::S8 => Op::LLGC,
            LowType::S16 => Op::LLGH,
            LowType::S32 if self.generic == Generic::Load => Op::L,
            LowType::S32 => Op::LLGF,
            _ => Op::LG,
        }
    }

    fn store(&mut self, value: Operand) -> Result<(), Error> {
        let address = self.address(1)?;
        if let Some(immediate) = self.out.immediate(value)
            && self.store_immediate(immediate, address)?
        {
            return Ok(());
        }
        let value = self.register(value)?;
        let op = match self.ty {
            LowType::S32 if self.is_float(value) => Op::STE,
            _ if self.is_float(value) => Op::STD,
            LowType::S8 => Op::STC,
            LowType::S16 => Op::STH,
            LowType::S32 => Op::ST,
            _ => Op::STG,
        };
        self.emit_store(op, value, address)
    }

    /// Emits a store of an immediate; returns whether there is such an instruction.
    fn store_immediate(&mut self, value: i64, address: Address) -> Result<bool, Error> {
        let [base, displacement, index] = address;
        let is_near = displacement.small().is_some_and(|d| (0..4096).contains(&d));
        let (op, value) = match self.ty {
            LowType::S8 => (Op::MVI, i64::from(value as u8)),
            LowType::S16 => (Op::MVHHI, i64::from(value as i16)),
            LowType::S32 => (Op::MVHI, i64::from(value as i32)),
            _ => (Op::MVGHI, value),
        };
        let is_small = i16::try_from(value).is_ok();
        let op = if is_near { Some(op) } else { far_form(op) };
        let (Some(op), true, true) = (op, is_small, index == Operand::NO_REG) else {
            return Ok(false);
        };
        self.emit(op, &[base, displacement, Operand::imm(value as i32)])?;
        Ok(true)
    }

    /// Returns the address at operand `first`, in a form that instructions take.
    fn address(&mut self, first: usize) -> Result<Address, Error> {
        let [mut base, mut index] = [self.operand(first), self.operand(first + 1)];
        let [scale, displacement] = [self.operand(first + 2), self.operand(first + 3)];
        let none = Operand::NO_REG;
        if index != none {
            index = self.scaled(index, scale.small().unwrap_or(1))?;
        }
        if base.as_constant().is_some() {
            let place = self.new_int()?;
            self.emit(Op::LARL, &[place, base])?;
            base = place;
        }
        base = self.register(base)?;
        if base == none {
            (base, index) = (index, none);
        }
        let is_frame = base.as_frame().is_some();
        match displacement.small() {
            Some(value) if is_frame || crate::is_reached(value) => Ok([base, displacement, index]),
            _ => {
                let far = self.register(displacement)?;
                let sum = self.new_int()?;
                self.emit(Op::LA, &[sum, base, Operand::imm(0), far])?;
                Ok([sum, Operand::imm(0), index])
            }
        }
    }

    /// Returns a register times a factor.
    fn scaled(&mut self, index: Operand, factor: i32) -> Result<Operand, Error> {
        if factor == 1 {
            return Ok(index);
        }
        let scaled = self.new_int()?;
        if factor > 0 && factor.count_ones() == 1 {
            let by = Operand::imm(factor.trailing_zeros() as i32);
            self.emit(Op::SLLG, &[scaled, index, Operand::NO_REG, by])?;
        } else {
            self.emit(Op::MSGFI, &[scaled, index, Operand::imm(factor)])?;
        }
        Ok(scaled)
    }
}
