//! Selection for integers.

use super::{Condition, NOT_SHIFTED, Op, Pair, Selector, UXTX, ZERO, immediates, left_by};
use crate::registers::SP;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, IntPredicate, Operand};
use mir_nostd::target::Materialise;

/// A bitwise operation: its opcodes with a pattern as immediate, and with registers of which the
/// second is shifted.
#[derive(Clone, Copy)]
pub(super) struct Bitwise {
    pattern: Pair,
    registers: Pair,
}

pub(super) const AND: Bitwise = Bitwise {
    pattern: [Op::ANDXri, Op::ANDWri],
    registers: [Op::ANDXrs, Op::ANDWrs],
};
pub(super) const OR: Bitwise = Bitwise {
    pattern: [Op::ORRXri, Op::ORRWri],
    registers: [Op::ORRXrs, Op::ORRWrs],
};
const XOR: Bitwise = Bitwise {
    pattern: [Op::EORXri, Op::EORWri],
    registers: [Op::EORXrs, Op::EORWrs],
};

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
            G::Smulh => self.of_registers([Op::SMULHrr; 2], to, a, b),
            G::Umulh => self.of_registers([Op::UMULHrr; 2], to, a, b),
            G::And => self.bitwise(&AND, to, a, b),
            G::Or => self.bitwise(&OR, to, a, b),
            G::Xor => self.xor(to, a, b),
            G::Sdiv => self.of_registers([Op::SDIVXr, Op::SDIVWr], to, a, b),
            G::Udiv => self.of_registers([Op::UDIVXr, Op::UDIVWr], to, a, b),
            G::Srem => self.remainder([Op::SDIVXr, Op::SDIVWr], to, a, b),
            G::Urem => self.remainder([Op::UDIVXr, Op::UDIVWr], to, a, b),
            G::Shl | G::Lshr | G::Ashr => self.shift(to, a, b),
            G::Rotl => self.rotate(to, a, b),
            G::Ctlz => self.emit_sized([Op::CLZXr, Op::CLZWr], &[to, a]),
            G::Bswap => self.emit_sized([Op::REVXr, Op::REVWr], &[to, a]),
            G::Bitreverse => self.emit_sized([Op::RBITXr, Op::RBITWr], &[to, a]),
            G::Select => self.choose(to),
            G::Icmp => self.compare_into(to),
            G::BrIcmp => self.compare_and_branch(),
            _ => self.overflow(),
        }
    }

    /// Emits an operation on registers only.
    fn of_registers(
        &mut self,
        ops: Pair,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let a = self.register_or_zero(a)?;
        let b = self.register_or_zero(b)?;
        self.emit_sized(ops, &[to, a, b])
    }

    fn add(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        if let Some(value) = self.immediate(b) {
            return self.add_value(to, a, value);
        }
        let b = self.register(b)?;
        if a.as_reg() == Some(SP) {
            return self.emit(Op::ADDXrx64, &[to, a, b, UXTX]);
        }
        self.emit_sized([Op::ADDXrs, Op::ADDWrs], &[to, a, b, NOT_SHIFTED])
    }

    /// Emits `to = a + value`, where `a` may be the stack pointer.
    pub(super) fn add_value(&mut self, to: Operand, a: Operand, value: i64) -> Result<(), Error> {
        let size = value.unsigned_abs();
        let ops = if value < 0 {
            [Op::SUBXri, Op::SUBWri]
        } else {
            [Op::ADDXri, Op::ADDWri]
        };
        if size == 0 {
            return self.copy(to, a);
        }
        if let Some([bits, shift]) = immediates::arithmetic(size) {
            let operands = [to, a, Operand::imm(bits), Operand::imm(shift)];
            return self.emit_sized(ops, &operands);
        }
        if size < 1 << 24 {
            let sum = self.new_int()?;
            let [high, low] = [(size >> 12) as i32, (size & 0xFFF) as i32];
            let operands = [sum, a, Operand::imm(high), Operand::imm(12)];
            self.emit_sized(ops, &operands)?;
            return self.emit_sized(ops, &[to, sum, Operand::imm(low), Operand::imm(0)]);
        }
        let term = self.new_int()?;
        self.constant(term, value)?;
        if a.as_reg() == Some(SP) {
            return self.emit(Op::ADDXrx64, &[to, a, term, UXTX]);
        }
        self.emit_sized([Op::ADDXrs, Op::ADDWrs], &[to, a, term, NOT_SHIFTED])
    }

    fn sub(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        if let Some(value) = self.immediate(b).filter(|_| self.immediate(a).is_none()) {
            return self.add_value(to, a, value.wrapping_neg());
        }
        let a = self.register_or_zero(a)?;
        let b = self.register(b)?;
        self.emit_sized([Op::SUBXrs, Op::SUBWrs], &[to, a, b, NOT_SHIFTED])
    }

    fn mul(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register_or_zero(a)?;
        if let Some(value) = self.immediate(b) {
            let is_power = |value: i64| value > 0 && value.count_ones() == 1;
            if is_power(value) {
                return self.shift_left(to, a, value.trailing_zeros() as i32);
            }
            if is_power(value.wrapping_sub(1)) {
                let by = left_by((value - 1).trailing_zeros() as i32);
                return self.emit_sized([Op::ADDXrs, Op::ADDWrs], &[to, a, a, by]);
            }
            if value == 0 || value == -1 {
                let from = if value == 0 { ZERO } else { a };
                return self.emit_sized([Op::SUBXrs, Op::SUBWrs], &[to, ZERO, from, NOT_SHIFTED]);
            }
        }
        let b = self.register(b)?;
        self.emit_sized([Op::MADDXrrr, Op::MADDWrrr], &[to, a, b, ZERO])
    }

    /// Emits `to = a - a / b * b`.
    fn remainder(&mut self, ops: Pair, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let a = self.register_or_zero(a)?;
        let b = self.register_or_zero(b)?;
        let quotient = self.new_int()?;
        self.emit_sized(ops, &[quotient, a, b])?;
        self.emit_sized([Op::MSUBXrrr, Op::MSUBWrrr], &[to, quotient, b, a])
    }

    /// Returns the encoded pattern of an immediate, if instructions of this type can have it.
    fn pattern(&self, operand: Operand) -> Option<Operand> {
        let value = self.immediate(operand)?.cast_unsigned();
        let bits = if self.is_wide() { 64 } else { 32 };
        immediates::logical(value, bits).map(Operand::imm)
    }

    pub(super) fn bitwise(
        &mut self,
        op: &Bitwise,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register_or_zero(a)?;
        if let Some(pattern) = self.pattern(b) {
            return self.emit_sized(op.pattern, &[to, a, pattern]);
        }
        let b = self.register_or_zero(b)?;
        self.emit_sized(op.registers, &[to, a, b, NOT_SHIFTED])
    }

    fn xor(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        if self.immediate(b) != Some(-1) {
            return self.bitwise(&XOR, to, a, b);
        }
        let a = self.register_or_zero(a)?;
        self.emit_sized([Op::ORNXrs, Op::ORNWrs], &[to, ZERO, a, NOT_SHIFTED])
    }

    fn extend(&mut self, to: Operand, a: Operand, bits: Operand) -> Result<(), Error> {
        let a = self.register(a)?;
        let Some(bits @ (8 | 16 | 32)) = bits.small() else {
            return self.unknown();
        };
        let (zero, top) = (Operand::imm(0), Operand::imm(bits - 1));
        match self.generic {
            Generic::SextInreg => self.emit(Op::SBFMXri, &[to, a, zero, top]),
            _ if bits == 32 => self.emit(Op::ORRWrs, &[to, ZERO, a, NOT_SHIFTED]),
            _ => self.emit(Op::UBFMWri, &[to, a, zero, top]),
        }
    }

    fn shift(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let a = self.register_or_zero(a)?;
        let last = if self.is_wide() { 63 } else { 31 };
        let Some(by) = self.out.immediate(b) else {
            let ops = match self.generic {
                Generic::Shl => [Op::LSLVXr, Op::LSLVWr],
                Generic::Lshr => [Op::LSRVXr, Op::LSRVWr],
                _ => [Op::ASRVXr, Op::ASRVWr],
            };
            return self.emit_sized(ops, &[to, a, b]);
        };
        let by = by as i32 & last;
        let (from, to_bit) = (Operand::imm(by), Operand::imm(last));
        match self.generic {
            _ if by == 0 && a != ZERO => self.copy(to, a),
            Generic::Shl => self.shift_left(to, a, by),
            Generic::Lshr => self.emit_sized([Op::UBFMXri, Op::UBFMWri], &[to, a, from, to_bit]),
            _ => self.emit_sized([Op::SBFMXri, Op::SBFMWri], &[to, a, from, to_bit]),
        }
    }

    fn shift_left(&mut self, to: Operand, a: Operand, by: i32) -> Result<(), Error> {
        let last = if self.is_wide() { 63 } else { 31 };
        let operands = [to, a, Operand::imm(-by & last), Operand::imm(last - by)];
        self.emit_sized([Op::UBFMXri, Op::UBFMWri], &operands)
    }

    /// Emits a rotation; the instructions only rotate to the right.
    fn rotate(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let a = self.register_or_zero(a)?;
        let last = if self.is_wide() { 63 } else { 31 };
        if let Some(by) = self.out.immediate(b) {
            let right = Operand::imm((by as i32).wrapping_neg() & last);
            return self.emit_sized([Op::EXTRXrri, Op::EXTRWrri], &[to, a, a, right]);
        }
        let right = self.new_int()?;
        self.emit_sized([Op::SUBXrs, Op::SUBWrs], &[right, ZERO, b, NOT_SHIFTED])?;
        self.emit_sized([Op::RORVXr, Op::RORVWr], &[to, a, right])
    }

    // ---- comparisons

    /// Emits a select between two values of 64 bits, whatever the type of the comparison.
    fn choose(&mut self, to: Operand) -> Result<(), Error> {
        let [x, y] = [self.operand(4), self.operand(5)];
        // Values that need instructions of their own come before the comparison, which sets the
        // flags.
        let [x, y] = [self.register(x)?, self.register(y)?];
        let condition = self.compare(1)?;
        self.emit(Op::CSELXr, &[to, x, y, condition.operand()])
    }

    fn compare_into(&mut self, to: Operand) -> Result<(), Error> {
        let [a, b] = [self.operand(2), self.operand(3)];
        let predicate = self.operand(1).as_int_predicate();
        if let (Some(IntPredicate::Slt), Some(0), true) =
            (predicate, self.immediate(b), self.out.is_register(a))
        {
            let last = Operand::imm(if self.is_wide() { 63 } else { 31 });
            return self.emit_sized([Op::UBFMXri, Op::UBFMWri], &[to, a, last, last]);
        }
        let condition = self.compare(1)?;
        self.set(to, condition)
    }

    fn compare_and_branch(&mut self) -> Result<(), Error> {
        use IntPredicate as P;
        let [a, b, block] = [self.operand(1), self.operand(2), self.operand(3)];
        let predicate = self.operand(0).as_int_predicate();
        if self.immediate(b) == Some(0) && self.out.is_register(a) {
            let last = Operand::imm(if self.is_wide() { 63 } else { 31 });
            match predicate {
                Some(P::Eq | P::Ule) => {
                    return self.emit_sized([Op::CBZX, Op::CBZW], &[a, block]);
                }
                Some(P::Ne | P::Ugt) => {
                    return self.emit_sized([Op::CBNZX, Op::CBNZW], &[a, block]);
                }
                Some(P::Slt) => {
                    return self.emit_sized([Op::TBNZX, Op::TBNZW], &[a, last, block]);
                }
                Some(P::Sge) => {
                    return self.emit_sized([Op::TBZX, Op::TBZW], &[a, last, block]);
                }
                _ => {}
            }
        }
        let condition = self.compare(0)?;
        self.branch(block, condition)
    }

    /// Emits the comparison that operand `first`, the predicate, and the two operands after it
    /// describe.
    fn compare(&mut self, first: usize) -> Result<Condition, Error> {
        let Some(mut predicate) = self.operand(first).as_int_predicate() else {
            return self.unknown();
        };
        let given = [self.operand(first + 1), self.operand(first + 2)];
        let [a, b] = self.immediate_last(given[0], given[1]);
        if a != given[0] {
            predicate = predicate.swapped();
        }
        let a = self.register(a)?;
        if let Some(value) = self.immediate(b) {
            let is_negative = value < 0 && value != i64::MIN;
            let size = if is_negative { -value } else { value };
            if let Some([bits, shift]) = immediates::arithmetic(size.cast_unsigned()) {
                let ops = if is_negative {
                    [Op::ADDSXri, Op::ADDSWri]
                } else {
                    [Op::SUBSXri, Op::SUBSWri]
                };
                let operands = [ZERO, a, Operand::imm(bits), Operand::imm(shift)];
                self.emit_sized(ops, &operands)?;
                return Ok(condition(predicate));
            }
        }
        let b = self.register(b)?;
        self.emit_sized([Op::SUBSXrs, Op::SUBSWrs], &[ZERO, a, b, NOT_SHIFTED])?;
        Ok(condition(predicate))
    }
}

const fn condition(predicate: IntPredicate) -> Condition {
    match predicate {
        IntPredicate::Eq => Condition::EQUAL,
        IntPredicate::Ne => Condition::NOT_EQUAL,
        IntPredicate::Slt => Condition::LESS,
        IntPredicate::Sle => Condition::LESS_EQUAL,
        IntPredicate::Sgt => Condition::GREATER,
        IntPredicate::Sge => Condition::GREATER_EQUAL,
        IntPredicate::Ult => Condition::NO_CARRY,
        IntPredicate::Ule => Condition::LOWER_SAME,
        IntPredicate::Ugt => Condition::HIGHER,
        IntPredicate::Uge => Condition::CARRY,
    }
}
