//! Selection for integers.

use super::{Pair, Selector, small};
use crate::insns::Op;
use crate::registers::ZERO;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};
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
            G::SextInreg | G::ZextInreg => {
                let a = self.register(a)?;
                self.extend(to, a, b.small(), self.generic == G::SextInreg)
            }
            G::Add => self.add(to, a, b),
            G::Sub => self.sub(to, a, b),
            G::Mul => self.mul(to, a, b),
            G::Smulh => self.plain(Op::MULH, to, a, b),
            G::Umulh => self.plain(Op::MULHU, to, a, b),
            G::And => self.and(to, a, b),
            G::Or => self.logical([Op::OR, Op::ORI], to, a, b),
            G::Xor => self.logical([Op::XOR, Op::XORI], to, a, b),
            G::Sdiv => self.plain(self.sized([Op::DIV, Op::DIVW]), to, a, b),
            G::Udiv => self.plain(self.sized([Op::DIVU, Op::DIVUW]), to, a, b),
            G::Srem => self.plain(self.sized([Op::REM, Op::REMW]), to, a, b),
            G::Urem => self.plain(self.sized([Op::REMU, Op::REMUW]), to, a, b),
            G::Shl => self.shift([Op::SLL, Op::SLLW], [Op::SLLI, Op::SLLIW]),
            G::Lshr => self.shift([Op::SRL, Op::SRLW], [Op::SRLI, Op::SRLIW]),
            G::Ashr => self.shift([Op::SRA, Op::SRAW], [Op::SRAI, Op::SRAIW]),
            G::Saddo | G::Uaddo | G::Ssubo | G::Usubo | G::Smulo | G::Umulo => self.overflowing(),
            G::Icmp => self.set_comparison(),
            G::BrIcmp => self.branch_comparison(),
            _ => self.memory(),
        }
    }

    /// Emits an instruction on registers only.
    fn plain(&mut self, op: Op, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let (a, b) = (self.register(a)?, self.register(b)?);
        self.emit(op, &[to, a, b])
    }

    pub(super) fn add(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        let add = self.sized([Op::ADDI, Op::ADDIW]);
        match self.immediate(b) {
            Some(0) => self.copy(to, a),
            Some(value) if small(value).is_some() => self.with_immediate(add, to, a, value as i32),
            // Two additions are shorter than a constant in a register.
            Some(value @ (-4096..=4094)) => {
                let first = (value / 2) as i32;
                let half = self.new_with_immediate(add, a, first)?;
                self.with_immediate(add, to, half, value as i32 - first)
            }
            _ => {
                let b = self.register(b)?;
                self.emit_sized([Op::ADD, Op::ADDW], &[to, a, b])
            }
        }
    }

    pub(super) fn sub(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        if let Some(value) = self.immediate(b).and_then(i64::checked_neg) {
            let value = self.out.function.int(value)?;
            return self.add(to, a, value);
        }
        self.plain(self.sized([Op::SUB, Op::SUBW]), to, a, b)
    }

    fn mul(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        let shift = self.sized([Op::SLLI, Op::SLLIW]);
        let count = |value: i64| {
            (value > 0 && value.count_ones() == 1).then(|| value.trailing_zeros() as i32)
        };
        let Some(value) = self.immediate(b) else {
            return self.plain(self.sized([Op::MUL, Op::MULW]), to, a, b);
        };
        let (below, above) = (value.wrapping_sub(1), value.wrapping_add(1));
        match (count(value), count(below), count(above)) {
            (Some(0), ..) => self.copy(to, a),
            (Some(by), ..) => self.with_immediate(shift, to, a, by),
            (_, Some(by), _) => {
                let most = self.new_with_immediate(shift, a, by)?;
                self.emit_sized([Op::ADD, Op::ADDW], &[to, most, a])
            }
            (.., Some(by)) => {
                let more = self.new_with_immediate(shift, a, by)?;
                self.emit_sized([Op::SUB, Op::SUBW], &[to, more, a])
            }
            _ => self.plain(self.sized([Op::MUL, Op::MULW]), to, a, b),
        }
    }

    fn logical(
        &mut self,
        [registers, immediate]: Pair,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        match self.small(b) {
            Some(value) => self.with_immediate(immediate, to, a, value),
            None => {
                let b = self.register(b)?;
                self.emit(registers, &[to, a, b])
            }
        }
    }

    /// Emits an AND; masks of low or of high bits are two shifts.
    fn and(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let Some(value) = self.immediate(b).filter(|&value| small(value).is_none()) else {
            return self.logical([Op::AND, Op::ANDI], to, a, b);
        };
        let (ones, zeros) = (value.trailing_ones(), value.trailing_zeros());
        let shifts = if ones + value.leading_zeros() == 64 {
            (Op::SLLI, Op::SRLI, 64 - ones)
        } else if zeros + value.leading_ones() == 64 && self.ty == LowType::S64 {
            (Op::SRLI, Op::SLLI, zeros)
        } else {
            return self.logical([Op::AND, Op::ANDI], to, a, b);
        };
        let a = self.register(a)?;
        self.shifts(to, a, shifts)
    }

    /// Emits two shifts by the same number of bits.
    fn shifts(
        &mut self,
        to: Operand,
        a: Operand,
        (first, second, by): (Op, Op, u32),
    ) -> Result<(), Error> {
        let through = self.new_with_immediate(first, a, by as i32)?;
        self.with_immediate(second, to, through, by as i32)
    }

    /// Emits an extension of the low bits of a register.
    pub(super) fn extend(
        &mut self,
        to: Operand,
        a: Operand,
        bits: Option<i32>,
        is_signed: bool,
    ) -> Result<(), Error> {
        match (bits, is_signed) {
            (Some(32), true) => self.with_immediate(Op::ADDIW, to, a, 0),
            (Some(8), false) => self.with_immediate(Op::ANDI, to, a, 255),
            (Some(bits @ (8 | 16)), true) => {
                self.shifts(to, a, (Op::SLLI, Op::SRAI, 64 - bits.cast_unsigned()))
            }
            (Some(bits @ (16 | 32)), false) => {
                self.shifts(to, a, (Op::SLLI, Op::SRLI, 64 - bits.cast_unsigned()))
            }
            _ => self.unknown(),
        }
    }

    /// Returns a source as 64 bits: for a narrow instruction the low half, sign-extended.
    pub(super) fn whole(&mut self, a: Operand) -> Result<Operand, Error> {
        match self.immediate(a) {
            Some(value) => {
                let value = self.out.function.int(value)?;
                self.register(value)
            }
            None if self.ty == LowType::S64 || a.as_reg() == Some(ZERO) => Ok(a),
            None => self.new_with_immediate(Op::ADDIW, a, 0),
        }
    }

    fn shift(&mut self, by_register: Pair, by_immediate: Pair) -> Result<(), Error> {
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        let a = self.register(a)?;
        let Some(by) = self.out.immediate(b) else {
            return self.plain(self.sized(by_register), to, a, b);
        };
        let mask = if self.ty == LowType::S64 { 63 } else { 31 };
        match by as i32 & mask {
            0 => self.copy(to, a),
            by => self.with_immediate(self.sized(by_immediate), to, a, by),
        }
    }
}
