//! Selection for integers.

use super::{Pair, Selector};
use crate::encode::is_long;
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn int(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::ImplicitDef => Ok(()),
            G::Constant => match self.out.immediate(a) {
                Some(value) => self.constant(to, value),
                None => self.unknown(),
            },
            G::SextInreg | G::ZextInreg => self.extend(to, a, b),
            G::Add => self.add(to, a, b),
            G::Sub => self.sub(to, a, b),
            G::Mul => self.mul(to, a, b),
            G::Smulh => self.on_registers(Op::MULHD, to, a, b),
            G::Umulh => self.on_registers(self.sized([Op::MULHDU, Op::MULHWU]), to, a, b),
            G::And => self.and(to, a, b),
            G::Or => self.or(to, a, b),
            G::Xor => self.xor(to, a, b),
            G::Sdiv => self.on_registers(self.sized([Op::DIVD, Op::DIVW]), to, a, b),
            G::Udiv => self.on_registers(self.sized([Op::DIVDU, Op::DIVWU]), to, a, b),
            G::Srem => self.remainder([Op::DIVD, Op::DIVW], to, a, b),
            G::Urem => self.remainder([Op::DIVDU, Op::DIVWU], to, a, b),
            G::Shl => self.shift([Op::SLD, Op::SLW], to, a, b),
            G::Lshr => self.shift([Op::SRD, Op::SRW], to, a, b),
            G::Ashr => self.shift([Op::SRAD, Op::SRAW], to, a, b),
            G::Rotl => self.rotate(to, a, b),
            G::Ctlz => self.emit_sized([Op::CNTLZD, Op::CNTLZW], &[to, a]),
            G::Ctpop => self.emit_sized([Op::POPCNTD, Op::POPCNTW], &[to, a]),
            G::Saddo | G::Uaddo | G::Ssubo | G::Usubo | G::Smulo | G::Umulo => self.overflowing(),
            G::Icmp | G::BrIcmp | G::Select => self.comparison(),
            _ => self.memory(),
        }
    }

    pub(super) fn on_registers(
        &mut self,
        op: Op,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let [a, b] = [self.register(a)?, self.register(b)?];
        self.emit(op, &[to, a, b])
    }

    pub(super) fn add(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        match self.immediate(b) {
            Some(0) => self.copy(to, a),
            Some(value) => self.add_constant(to, a, value),
            None => self.on_registers(Op::ADD8, to, a, b),
        }
    }

    /// Emits `to = a + value`, by one prefixed instruction, or by a high and a low half if they
    /// suffice.
    fn add_constant(&mut self, to: Operand, a: Operand, value: i64) -> Result<(), Error> {
        let low = i64::from(value as i16);
        let high = value.wrapping_sub(low) >> 16;
        let [low_half, high_half] = [Operand::imm(low as i32), Operand::imm(high as i32)];
        if high == 0 {
            return self.emit(Op::ADDI8, &[to, a, low_half]);
        }
        let is_high = low == 0 && i16::try_from(high).is_ok();
        if self.has_prefixes && is_long(value) && !is_high {
            let value = self.out.function.int(value)?;
            return self.emit(Op::PADDI8, &[to, a, value]);
        }
        if i16::try_from(high).is_err() {
            let b = self.new_int()?;
            self.constant(b, value)?;
            return self.emit(Op::ADD8, &[to, a, b]);
        }
        if low == 0 {
            return self.emit(Op::ADDIS8, &[to, a, high_half]);
        }
        let temp = self.new_int()?;
        self.emit(Op::ADDIS8, &[temp, a, high_half])?;
        self.emit(Op::ADDI8, &[to, temp, low_half])
    }

    fn sub(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        if self.immediate(a) == Some(0) {
            let b = self.register(b)?;
            return self.emit(Op::NEG8, &[to, b]);
        }
        if let Some(value) = self.small(a) {
            let b = self.register(b)?;
            return self.emit(Op::SUBFIC8, &[to, b, Operand::imm(value)]);
        }
        match self.immediate(b) {
            Some(value) if value != i64::MIN => {
                let negated = self.out.function.int(-value)?;
                self.add(to, a, negated)
            }
            _ => self.on_registers(Op::SUBF8, to, b, a),
        }
    }

    fn mul(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        match self.immediate(b) {
            Some(1) => self.copy(to, a),
            Some(value) if value > 0 && value.count_ones() == 1 => {
                self.shift_left(to, a, value.trailing_zeros() as i32)
            }
            Some(value) if i16::try_from(value).is_ok() => {
                self.emit(Op::MULLI8, &[to, a, Operand::imm(value as i32)])
            }
            _ => self.on_registers(self.sized([Op::MULLD, Op::MULLW]), to, a, b),
        }
    }

    /// Emits the remainder: the dividend less the product of quotient and divisor.
    fn remainder(&mut self, op: Pair, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = [self.register(a)?, self.register(b)?];
        let quotient = self.compute(self.sized(op), &[a, b])?;
        let product = self.compute(self.sized([Op::MULLD, Op::MULLW]), &[quotient, b])?;
        self.emit(Op::SUBF8, &[to, product, a])
    }

    fn and(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        match self.immediate(b) {
            Some(value) if self.is_wide() => self.mask(to, a, value.cast_unsigned()),
            Some(value) => match run(value as u32) {
                Some([begin, end]) => self.rotate_word(to, a, 0, begin, end),
                None => self.mask(to, a, u64::from(value as u32)),
            },
            None => self.on_registers(Op::AND8, to, a, b),
        }
    }

    /// Emits `to = a & mask`, of 64 bits.
    fn mask(&mut self, to: Operand, a: Operand, mask: u64) -> Result<(), Error> {
        let [leading, trailing] = [mask.leading_zeros() as i32, mask.trailing_zeros() as i32];
        let zero = Operand::imm(0);
        if mask == 0 {
            return self.constant(to, 0);
        }
        if mask & mask.wrapping_add(1) == 0 {
            return self.emit(Op::RLDICL, &[to, a, zero, Operand::imm(leading)]);
        }
        if !mask & (!mask).wrapping_add(1) == 0 {
            let end = Operand::imm(63 - trailing);
            return self.emit(Op::RLDICR, &[to, a, zero, end]);
        }
        if let (Ok(low), Some([begin, end])) = (u32::try_from(mask), run(mask as u32))
            && begin <= end
            && low != 0
        {
            return self.rotate_word(to, a, 0, begin, end);
        }
        if let Ok(low) = u16::try_from(mask) {
            return self.emit(Op::ANDI8_rec, &[to, a, Operand::imm(i32::from(low))]);
        }
        if let (0, Ok(high)) = (mask & 0xFFFF, u16::try_from(mask >> 16)) {
            return self.emit(Op::ANDIS8_rec, &[to, a, Operand::imm(i32::from(high))]);
        }
        let shifted = mask >> trailing;
        if shifted & shifted.wrapping_add(1) == 0 {
            let low = self.new_int()?;
            let rotation = Operand::imm(64 - trailing);
            let begin = Operand::imm(leading + trailing);
            self.emit(Op::RLDICL, &[low, a, rotation, begin])?;
            return self.shift_left(to, low, trailing);
        }
        let b = self.new_int()?;
        self.constant(b, mask.cast_signed())?;
        self.emit(Op::AND8, &[to, a, b])
    }

    /// Emits `to` = the low half of `a` rotated left, masked from bit `begin` to `end`, counted
    /// from the left.
    pub(super) fn rotate_word(
        &mut self,
        to: Operand,
        a: Operand,
        by: i32,
        begin: i32,
        end: i32,
    ) -> Result<(), Error> {
        let [by, begin, end] = [by, begin, end].map(Operand::imm);
        self.emit(Op::RLWINM8, &[to, a, by, begin, end])
    }

    /// Returns the halves of an immediate of at most 32 bits, for two instructions that take one
    /// each.
    fn halves(&self, operand: Operand) -> Option<[i32; 2]> {
        let value = self.immediate(operand)?;
        let value = if self.is_wide() {
            u32::try_from(value).ok()?
        } else {
            value as u32
        };
        Some([(value >> 16) as i32, (value & 0xFFFF) as i32])
    }

    fn or(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        match self.halves(b) {
            Some(halves) => self.both_halves([Op::ORIS8, Op::ORI8], to, a, halves),
            None => self.on_registers(Op::OR8, to, a, b),
        }
    }

    fn xor(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        if self.immediate(b) == Some(-1) {
            let a = self.register(a)?;
            return self.emit(Op::NOR8, &[to, a, a]);
        }
        match self.halves(b) {
            Some(halves) => self.both_halves([Op::XORIS8, Op::XORI8], to, a, halves),
            None => self.on_registers(Op::XOR8, to, a, b),
        }
    }

    fn both_halves(
        &mut self,
        [high_op, low_op]: Pair,
        to: Operand,
        a: Operand,
        [high, low]: [i32; 2],
    ) -> Result<(), Error> {
        let a = self.register(a)?;
        match (high, low) {
            (0, 0) => self.copy(to, a),
            (0, low) => self.emit(low_op, &[to, a, Operand::imm(low)]),
            (high, 0) => self.emit(high_op, &[to, a, Operand::imm(high)]),
            (high, low) => {
                let temp = self.emit_new(high_op, &[a], high)?;
                self.emit(low_op, &[to, temp, Operand::imm(low)])
            }
        }
    }

    fn extend(&mut self, to: Operand, a: Operand, bits: Operand) -> Result<(), Error> {
        let a = self.register(a)?;
        match (bits.small(), self.generic == Generic::SextInreg) {
            (Some(8), true) => self.emit(Op::EXTSB8, &[to, a]),
            (Some(16), true) => self.emit(Op::EXTSH8, &[to, a]),
            (Some(32), true) => self.emit(Op::EXTSW, &[to, a]),
            (Some(bits @ (8 | 16 | 32)), false) => self.low_bits(to, a, bits),
            _ => self.unknown(),
        }
    }

    fn rotate(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let a = self.register(a)?;
        let zero = Operand::imm(0);
        match (self.out.immediate(b), self.is_wide()) {
            (Some(by), true) => {
                let by = Operand::imm(by as i32 & 63);
                self.emit(Op::RLDICL, &[to, a, by, zero])
            }
            (Some(by), false) => self.rotate_word(to, a, by as i32 & 31, 0, 31),
            (None, true) => self.emit(Op::RLDCL, &[to, a, b, zero]),
            (None, false) => self.emit(Op::RLWNM, &[to, a, b, zero, Operand::imm(31)]),
        }
    }

    /// Emits a shift. By a register it uses one bit more than the width has, so the count is masked
    /// before.
    fn shift(
        &mut self,
        by_register: Pair,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let a = self.register(a)?;
        let width = self.ty.bits() as i32;
        let Some(by) = self.out.immediate(b) else {
            let by = self.new_int()?;
            self.low_bits(by, b, width.ilog2() as i32)?;
            return self.emit_sized(by_register, &[to, a, by]);
        };
        let by = by as i32 & (width - 1);
        match (self.generic, self.is_wide()) {
            _ if by == 0 => self.copy(to, a),
            (Generic::Shl, true) => self.shift_left(to, a, by),
            (Generic::Lshr, true) => self.shift_right(to, a, by),
            (Generic::Shl, false) => self.rotate_word(to, a, by, 0, 31 - by),
            (Generic::Lshr, false) => self.rotate_word(to, a, 32 - by, by, 31),
            _ => self.emit_sized([Op::SRADI, Op::SRAWI], &[to, a, Operand::imm(by)]),
        }
    }
}

/// Returns the first and the last bit, counted from the left, of a number that is one run of ones;
/// the run may wrap around.
pub(super) fn run(value: u32) -> Option<[i32; 2]> {
    if value == 0 {
        return None;
    }
    let is_run = |value: u32| {
        let low = value.unbounded_shr(value.trailing_zeros());
        low & low.wrapping_add(1) == 0
    };
    let ends = |value: u32| [value.leading_zeros() as i32, value.trailing_zeros() as i32];
    if is_run(value) {
        let [leading, trailing] = ends(value);
        return Some([leading, 31 - trailing]);
    }
    let [leading, trailing] = ends(!value);
    is_run(!value).then_some([32 - trailing, leading - 1])
}

/// Returns whether an AND of 64 bits with the number is one instruction.
pub(super) fn is_mask(mask: u64) -> bool {
    let is_run = |mask: u64| mask & mask.wrapping_add(1) == 0;
    let fits = |bits: u64| u16::try_from(bits).is_ok();
    let is_word = || {
        let bits = u32::try_from(mask).ok().and_then(run);
        bits.is_some_and(|[begin, end]| begin <= end)
    };
    is_run(mask)
        || is_run(!mask)
        || fits(mask)
        || mask & 0xFFFF == 0 && fits(mask >> 16)
        || is_word()
}
