//! Selection for integers: and, or, exclusive or; runs of bits.

use super::{Pair, Selector};
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand, OperandFlags};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn logic(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        let [a, b] = match self.generic {
            G::And | G::Or | G::Xor => self.immediate_last(a, b),
            _ => return self.multiply(),
        };
        match (self.generic, self.immediate(b)) {
            (G::And, Some(mask)) => self.and_immediate(to, a, b, mask),
            (G::Or, Some(value)) => self.or_immediate(to, a, b, value),
            (G::Xor, Some(value)) => self.xor_immediate(to, a, b, value),
            (G::And, None) => self.registers([Op::NGRK, Op::NRK], to, a, b),
            (G::Or, None) => self.registers([Op::OGRK, Op::ORK], to, a, b),
            _ => self.registers([Op::XGRK, Op::XRK], to, a, b),
        }
    }

    fn registers(&mut self, ops: Pair, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = [self.register(a)?, self.register(b)?];
        self.emit_sized(ops, &[to, a, b])
    }

    /// Emits `to` = the bits `first` to `last` of `a`, counted from the left, with the others 0.
    pub(super) fn bits(
        &mut self,
        to: Operand,
        a: Operand,
        [first, last]: [i32; 2],
    ) -> Result<(), Error> {
        let before = to.with(OperandFlags::UNDEF);
        let [first, last] = [Operand::imm(first), Operand::imm(last)];
        self.emit(Op::RISBGNZ, &[to, before, a, first, last, Operand::imm(0)])
    }

    fn and_immediate(
        &mut self,
        to: Operand,
        a: Operand,
        b: Operand,
        mask: i64,
    ) -> Result<(), Error> {
        let a = self.register(a)?;
        let bits = if self.is_wide() {
            mask.cast_unsigned()
        } else {
            u64::from(mask as u32)
        };
        let extension = match bits {
            0xFF => Some(Op::LLGCR),
            0xFFFF => Some(Op::LLGHR),
            0xFFFF_FFFF => Some(Op::LLGFR),
            _ => None,
        };
        if let Some(op) = extension {
            return self.emit(op, &[to, a]);
        }
        if let Some(run) = run_of_bits(bits) {
            return self.bits(to, a, run);
        }
        let (high, low) = (bits >> 32, bits & 0xFFFF_FFFF);
        if !self.is_wide() {
            let low = self.out.function.int(low as i64)?;
            return self.emit(Op::NILF, &[to, a, low]);
        }
        if bits >> 16 == u64::MAX >> 16 {
            let low = Operand::imm((bits & 0xFFFF) as i32);
            return self.emit(Op::NILL64, &[to, a, low]);
        }
        if high == 0xFFFF_FFFF {
            let low = self.out.function.int(low as i64)?;
            return self.emit(Op::NILF64, &[to, a, low]);
        }
        if low == 0xFFFF_FFFF {
            let high = self.out.function.int(high as i64)?;
            return self.emit(Op::NIHF64, &[to, a, high]);
        }
        self.registers([Op::NGRK, Op::NRK], to, a, b)
    }

    fn or_immediate(
        &mut self,
        to: Operand,
        a: Operand,
        b: Operand,
        value: i64,
    ) -> Result<(), Error> {
        let a = self.register(a)?;
        let bits = value.cast_unsigned();
        let (high, low) = (bits >> 32, bits & 0xFFFF_FFFF);
        if bits <= 0xFFFF {
            let low = Operand::imm(low as i32);
            return self.emit(Op::OILL64, &[to, a, low]);
        }
        if !self.is_wide() || high == 0 {
            let low = self.out.function.int(low as i64)?;
            return self.emit_sized([Op::OILF64, Op::OILF], &[to, a, low]);
        }
        if low == 0 {
            let high = self.out.function.int(high as i64)?;
            return self.emit(Op::OIHF64, &[to, a, high]);
        }
        self.registers([Op::OGRK, Op::ORK], to, a, b)
    }

    fn xor_immediate(
        &mut self,
        to: Operand,
        a: Operand,
        b: Operand,
        value: i64,
    ) -> Result<(), Error> {
        let a = self.register(a)?;
        let bits = value.cast_unsigned();
        let (high, low) = (bits >> 32, bits & 0xFFFF_FFFF);
        if !self.is_wide() || high == 0 {
            let low = self.out.function.int(low as i64)?;
            return self.emit_sized([Op::XILF64, Op::XILF], &[to, a, low]);
        }
        if low == 0 {
            let high = self.out.function.int(high as i64)?;
            return self.emit(Op::XIHF64, &[to, a, high]);
        }
        self.registers([Op::XGRK, Op::XRK], to, a, b)
    }
}

/// Returns whether one instruction clears the bits that are 0 in a mask of 64 bits.
pub(super) fn is_mask(bits: u64) -> bool {
    let (high, low) = (bits >> 32, bits as u32);
    run_of_bits(bits).is_some()
        || bits >> 16 == u64::MAX >> 16
        || high == 0xFFFF_FFFF
        || low == u32::MAX
}

/// Returns whether all ones of a number are in one of its halves.
pub(super) const fn is_half(bits: u64) -> bool {
    bits >> 32 == 0 || bits as u32 == 0
}

/// Returns the first and the last bit, counted from the left, of a number that is one run of ones;
/// the run may wrap around.
pub(crate) fn run_of_bits(bits: u64) -> Option<[i32; 2]> {
    if bits == 0 || bits == u64::MAX {
        return None;
    }
    let start = if bits >> 63 == 1 && bits & 1 == 1 {
        (64 - (!bits).trailing_zeros()) % 64
    } else {
        bits.leading_zeros()
    };
    let turned = bits.rotate_left(start);
    let length = turned.leading_ones();
    let is_run = length == bits.count_ones();
    let last = (start + length - 1) % 64;
    is_run.then_some([start as i32, last as i32])
}
