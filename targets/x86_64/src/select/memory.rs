//! Selection for addresses, loads and stores.

use super::Selector;
use crate::insns::Op;
use crate::registers::RIP;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// Base, scale, index, displacement, segment.
pub(super) type Address = [Operand; 5];

/// Returns the address of a place in the function's own code or constants.
pub(super) const fn in_code(target: Operand) -> Address {
    let none = Operand::NO_REG;
    [Operand::reg(RIP), Operand::imm(1), none, target, none]
}

/// Returns an address without index.
pub(super) const fn at(base: Operand) -> Address {
    let none = Operand::NO_REG;
    [base, Operand::imm(1), none, Operand::imm(0), none]
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
                let [base, scale, index, _, segment] = at(a);
                self.emit_load(
                    Op::LEA64r,
                    to,
                    [base, scale, index, self.operand(2), segment],
                )
            }
            G::GlobalValue => self.symbol(to, a),
            G::BlockAddr => self.emit_load(Op::LEA64r, to, in_code(a)),
            _ if self.generic.is_atomic() => self.atomic(),
            _ => self.control(),
        }
    }

    /// Emits `to = op address`.
    pub(super) fn emit_load(
        &mut self,
        op: Op,
        to: Operand,
        [base, scale, index, displacement, segment]: Address,
    ) -> Result<(), Error> {
        self.emit(op, &[to, base, scale, index, displacement, segment])
    }

    /// Emits `op address, from`.
    pub(super) fn emit_store(
        &mut self,
        op: Op,
        [base, scale, index, displacement, segment]: Address,
        from: Operand,
    ) -> Result<(), Error> {
        self.emit(op, &[base, scale, index, displacement, segment, from])
    }

    pub(super) fn load_op(&self, to: Operand) -> Op {
        let is_signed = self.generic == Generic::SextLoad;
        match self.ty {
            LowType::S32 if self.is_float(to) => Op::MOVSSrm_alt,
            _ if self.is_float(to) => Op::MOVSDrm_alt,
            LowType::S8 if is_signed => Op::MOVSX64rm8,
            LowType::S16 if is_signed => Op::MOVSX64rm16,
            LowType::S32 if is_signed => Op::MOVSX64rm32,
            LowType::S8 => Op::MOVZX32rm8,
            LowType::S16 => Op::MOVZX32rm16,
            LowType::S32 => Op::MOV32rm,
            _ => Op::MOV64rm,
        }
    }

    fn store(&mut self, value: Operand) -> Result<(), Error> {
        let address = self.address(1)?;
        if let Some(immediate) = self.out.immediate(value) {
            let small = match self.ty {
                LowType::S8 => Some((Op::MOV8mi, i32::from(immediate as i8))),
                LowType::S16 => Some((Op::MOV16mi, i32::from(immediate as i16))),
                LowType::S32 => Some((Op::MOV32mi, immediate as i32)),
                _ => (i32::try_from(immediate).ok()).map(|value| (Op::MOV64mi32, value)),
            };
            if let Some((op, value)) = small {
                return self.emit_store(op, address, Operand::imm(value));
            }
        }
        let value = self.register(value)?;
        let op = match self.ty {
            LowType::S32 if self.is_float(value) => Op::MOVSSmr,
            _ if self.is_float(value) => Op::MOVSDmr,
            LowType::S8 => Op::MOV8mr,
            LowType::S16 => Op::MOV16mr,
            LowType::S32 => Op::MOV32mr,
            _ => Op::MOV64mr,
        };
        self.emit_store(op, address, value)
    }

    /// Returns the address at operand `first`, in a form that instructions take.
    fn address(&mut self, first: usize) -> Result<Address, Error> {
        let [mut base, mut index] = [self.operand(first), self.operand(first + 1)];
        let [mut scale, mut displacement] = [self.operand(first + 2), self.operand(first + 3)];
        let none = Operand::NO_REG;
        if !matches!(scale.small(), Some(1 | 2 | 4 | 8)) {
            if index != none {
                let scaled = self.new_int()?;
                self.emit(Op::IMUL64rri32, &[scaled, index, scale])?;
                index = scaled;
            }
            scale = Operand::imm(1);
        }
        if base.as_constant().is_some() {
            if index == none && displacement.small() == Some(0) {
                return Ok(in_code(base));
            }
            let place = self.new_int()?;
            self.emit_load(Op::LEA64r, place, in_code(base))?;
            base = place;
        }
        base = self.register(base)?;
        if displacement.small().is_none() {
            let far = self.register(displacement)?;
            let sum = self.new_int()?;
            let zero = Operand::imm(0);
            self.emit_load(Op::LEA64r, sum, [base, Operand::imm(1), far, zero, none])?;
            (base, displacement) = (sum, zero);
        }
        if base == none && scale.small() == Some(1) {
            (base, index) = (index, none);
        }
        Ok([base, scale, index, displacement, none])
    }
}
