//! Selection for integers.

use super::{Condition, Pair, Selector};
use crate::insns::Op;
use crate::registers::{RAX, RCX, RDX};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, IntPredicate, LowType, Operand, Reg};
use mir_nostd::target::Materialise;

/// The opcodes of a two-operand operation: on registers, and with an immediate.
struct Binary {
    registers: Pair,
    immediate: Pair,
    commutes: bool,
}

macro_rules! binary {
    ($name:ident $commutes:literal $rr64:ident $rr32:ident $ri64:ident $ri32:ident) => {
        const $name: Binary = Binary {
            registers: [Op::$rr64, Op::$rr32],
            immediate: [Op::$ri64, Op::$ri32],
            commutes: $commutes,
        };
    };
}

binary!(ADD true ADD64rr ADD32rr ADD64ri32 ADD32ri);
binary!(SUB false SUB64rr SUB32rr SUB64ri32 SUB32ri);
binary!(AND true AND64rr AND32rr AND64ri32 AND32ri);
binary!(OR true OR64rr OR32rr OR64ri32 OR32ri);
binary!(XOR true XOR64rr XOR32rr XOR64ri32 XOR32ri);
binary!(MUL true IMUL64rr IMUL32rr IMUL64rri32 IMUL32rri);

/// A shift or rotation, by a count in CL and by a constant, of 64 and of 32 bits.
#[derive(Clone, Copy)]
struct Shift {
    by_register: Pair,
    by_immediate: Pair,
}

macro_rules! shift {
    ($name:ident $rcl64:ident $rcl32:ident $ri64:ident $ri32:ident) => {
        const $name: Shift = Shift {
            by_register: [Op::$rcl64, Op::$rcl32],
            by_immediate: [Op::$ri64, Op::$ri32],
        };
    };
}

shift!(SHL SHL64rCL SHL32rCL SHL64ri SHL32ri);
shift!(SHR SHR64rCL SHR32rCL SHR64ri SHR32ri);
shift!(SAR SAR64rCL SAR32rCL SAR64ri SAR32ri);
shift!(ROL ROL64rCL ROL32rCL ROL64ri ROL32ri);

/// A constant factor by which a shift and an addition or subtraction multiply. They take two cycles
/// where a multiplication takes three, which shows in hashes, whose every step waits for the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NearPower {
    /// Two to this power, and 1.
    Above(i32),
    /// Two to this power, less 1.
    Below(i32),
}

impl NearPower {
    /// Returns the form of a factor; `None` if it has none.
    fn of(factor: i32) -> Option<NearPower> {
        let power = |number: i32| {
            let is_power = number > 1 && number.cast_unsigned().is_power_of_two();
            is_power.then(|| number.trailing_zeros() as i32)
        };
        let above = power(factor.wrapping_sub(1)).map(NearPower::Above);
        above.or_else(|| power(factor.wrapping_add(1)).map(NearPower::Below))
    }
}

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
            G::Smulh => self.high_product(Op::IMUL64r, to, a, b),
            G::Umulh => self.high_product(Op::MUL64r, to, a, b),
            G::And => self.and(to, a, b),
            G::Or => self.binary(&OR, to, a, b),
            G::Xor => self.xor(to, a, b),
            G::Sdiv => self.divide(true, RAX, to, a, b),
            G::Udiv => self.divide(false, RAX, to, a, b),
            G::Srem => self.divide(true, RDX, to, a, b),
            G::Urem => self.divide(false, RDX, to, a, b),
            G::Shl => self.shift_left(to, a, b),
            G::Lshr => self.shift(SHR, to, a, b),
            G::Ashr => self.shift(SAR, to, a, b),
            G::Rotl => self.shift(ROL, to, a, b),
            G::Ctlz => self.leading_zeros(to, a),
            G::Cttz => {
                let width = self.sized([64, 32]);
                self.scan([Op::BSF64rr, Op::BSF32rr], to, a, width)
            }
            G::Bswap => self.emit_sized([Op::BSWAP64r, Op::BSWAP32r], &[to, a]),
            G::Saddo => self.overflowing(&ADD, Condition::OVERFLOW),
            G::Uaddo => self.overflowing(&ADD, Condition::BELOW),
            G::Ssubo => self.overflowing(&SUB, Condition::OVERFLOW),
            G::Usubo => self.overflowing(&SUB, Condition::BELOW),
            G::Smulo => self.overflowing(&MUL, Condition::OVERFLOW),
            G::Umulo => self.overflowing_unsigned_mul(),
            G::Icmp => {
                let condition = self.compare(1)?;
                self.set(to, condition)
            }
            G::Select => self.select(),
            G::BrIcmp => {
                let condition = self.compare(0)?;
                self.branch(self.operand(3), condition)
            }
            _ => self.memory(),
        }
    }

    /// Emits `to` = the number of a one bit, or another number if there is none.
    fn scan(&mut self, ops: Pair, to: Operand, a: Operand, none: i32) -> Result<(), Error> {
        let otherwise = self.new_int()?;
        self.constant(otherwise, none.into())?;
        self.emit_sized(ops, &[to, otherwise, a])
    }

    /// Emits `to` = the number of zeros above the highest one: what is missing to the highest
    /// number of a bit.
    fn leading_zeros(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let highest = self.new_int()?;
        let last = self.sized([63, 31]);
        self.scan([Op::BSR64rr, Op::BSR32rr], highest, a, 2 * last + 1)?;
        self.emit_sized(
            [Op::XOR64ri32, Op::XOR32ri],
            &[to, highest, Operand::imm(last)],
        )
    }

    fn binary(&mut self, op: &Binary, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [mut a, mut b] = if op.commutes {
            self.immediate_last(a, b)
        } else {
            [a, b]
        };
        if op.commutes && b.as_reg().is_some() && b.as_reg() == to.as_reg() {
            (a, b) = (b, a);
        }
        let a = self.register(a)?;
        match self.small(b) {
            Some(value) => self.emit_sized(op.immediate, &[to, a, Operand::imm(value)]),
            None => {
                let b = self.register(b)?;
                self.emit_sized(op.registers, &[to, a, b])
            }
        }
    }

    /// Emits an addition; it is LEA if the result goes to a register of its own.
    fn add(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        let is_apart = to.as_reg() != a.as_reg() && to.as_reg() != b.as_reg();
        let (one, none) = (Operand::imm(1), Operand::NO_REG);
        let lea = [Op::LEA64r, Op::LEA64_32r];
        match self.small(b) {
            Some(0) => self.copy(to, a),
            Some(value) if is_apart => {
                self.emit_sized(lea, &[to, a, one, none, Operand::imm(value), none])
            }
            None if is_apart => {
                let b = self.register(b)?;
                self.emit_sized(lea, &[to, a, one, b, Operand::imm(0), none])
            }
            _ => self.binary(&ADD, to, a, b),
        }
    }

    fn sub(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        if self.small(a) == Some(0) {
            let b = self.register(b)?;
            return self.emit_sized([Op::NEG64r, Op::NEG32r], &[to, b]);
        }
        match self.small(b).and_then(i32::checked_neg) {
            Some(negated) if to.as_reg() != a.as_reg() => self.add(to, a, Operand::imm(negated)),
            _ => self.binary(&SUB, to, a, b),
        }
    }

    fn mul(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        match self.small(b) {
            Some(1) => {
                let a = self.register(a)?;
                self.copy(to, a)
            }
            Some(value) if value.count_ones() == 1 && value > 0 => {
                let a = self.register(a)?;
                self.shift_left(to, a, Operand::imm(value.trailing_zeros() as i32))
            }
            Some(value @ (3 | 5 | 9)) => {
                let a = self.register(a)?;
                self.sum(to, a, value - 1, a)
            }
            Some(value) if let Some(near) = NearPower::of(value) => {
                let a = self.register(a)?;
                self.near_power(to, a, near)
            }
            _ => self.binary(&MUL, to, a, b),
        }
    }

    /// Emits `to` = `a` times a factor near a power of two.
    fn near_power(&mut self, to: Operand, a: Operand, near: NearPower) -> Result<(), Error> {
        let (NearPower::Above(power) | NearPower::Below(power)) = near;
        let shifted = self.new_int()?;
        self.shift(SHL, shifted, a, Operand::imm(power))?;
        match near {
            NearPower::Above(_) => self.sum(to, shifted, 1, a),
            NearPower::Below(_) => self.binary(&SUB, to, shifted, a),
        }
    }

    /// Emits `to` = `base` + `scale` * `index`.
    fn sum(&mut self, to: Operand, base: Operand, scale: i32, index: Operand) -> Result<(), Error> {
        let (none, zero) = (Operand::NO_REG, Operand::imm(0));
        let operands = [to, base, Operand::imm(scale), index, zero, none];
        self.emit_sized([Op::LEA64r, Op::LEA64_32r], &operands)
    }

    fn and(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        match self.out.immediate(b) {
            Some(0xFF) => self.extend_from(Op::MOVZX32rr8, to, a),
            Some(0xFFFF) => self.extend_from(Op::MOVZX32rr16, to, a),
            Some(0xFFFF_FFFF) => self.extend_from(Op::MOV32rr, to, a),
            // The upper half of the result is 0, as 32-bit instructions leave it.
            Some(mask) if (0..=i64::from(i32::MAX)).contains(&mask) => {
                let a = self.register(a)?;
                self.emit(Op::AND32ri, &[to, a, Operand::imm(mask as i32)])
            }
            _ => self.binary(&AND, to, a, b),
        }
    }

    fn xor(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        if self.small(b) != Some(-1) {
            return self.binary(&XOR, to, a, b);
        }
        let a = self.register(a)?;
        self.emit_sized([Op::NOT64r, Op::NOT32r], &[to, a])
    }

    fn extend(&mut self, to: Operand, a: Operand, bits: Operand) -> Result<(), Error> {
        let is_signed = self.generic == Generic::SextInreg;
        match (bits.small(), is_signed) {
            (Some(8), true) => self.extend_from(Op::MOVSX64rr8, to, a),
            (Some(16), true) => self.extend_from(Op::MOVSX64rr16, to, a),
            (Some(32), true) => self.extend_from(Op::MOVSX64rr32, to, a),
            (Some(8), false) => self.extend_from(Op::MOVZX32rr8, to, a),
            (Some(16), false) => self.extend_from(Op::MOVZX32rr16, to, a),
            (Some(32), false) => self.extend_from(Op::MOV32rr, to, a),
            _ => self.unknown(),
        }
    }

    fn extend_from(&mut self, op: Op, to: Operand, a: Operand) -> Result<(), Error> {
        let a = self.register(a)?;
        self.emit(op, &[to, a])
    }

    /// Moves an integer into a register that an instruction works on.
    pub(super) fn put(&mut self, to: Reg, from: Operand) -> Result<(), Error> {
        match self.out.immediate(from) {
            Some(value) => self.constant(Operand::reg(to), value),
            None => self.copy(Operand::reg(to), from),
        }
    }

    /// Emits a division; `result` is the register of the quotient or the remainder.
    fn divide(
        &mut self,
        is_signed: bool,
        result: Reg,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let b = self.register(b)?;
        self.put(RAX, a)?;
        if is_signed {
            self.emit_sized([Op::CQO, Op::CDQ], &[])?;
            self.emit_sized([Op::IDIV64r, Op::IDIV32r], &[b])?;
        } else {
            self.put(RDX, Operand::imm(0))?;
            self.emit_sized([Op::DIV64r, Op::DIV32r], &[b])?;
        }
        self.copy(to, Operand::reg(result))
    }

    fn high_product(&mut self, op: Op, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        self.put(RAX, b)?;
        self.emit(op, &[a])?;
        self.copy(to, Operand::reg(RDX))
    }

    /// Emits a shift to the left; by 1 to 3 bits it is LEA if the result goes to a register of its
    /// own, which may become part of another LEA.
    fn shift_left(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let (one, zero, none) = (Operand::imm(1), Operand::imm(0), Operand::NO_REG);
        let is_apart = a.vreg().is_some() && to.as_reg() != a.as_reg();
        let operands = match self.small(b) {
            Some(1) if is_apart => [to, a, one, a, zero, none],
            Some(by @ (2 | 3)) if is_apart => [to, none, Operand::imm(1 << by), a, zero, none],
            _ => return self.shift(SHL, to, a, b),
        };
        self.emit_sized([Op::LEA64r, Op::LEA64_32r], &operands)
    }

    fn shift(&mut self, ops: Shift, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let a = self.register(a)?;
        let Some(by) = self.out.immediate(b) else {
            self.put(RCX, b)?;
            return self.emit_sized(ops.by_register, &[to, a]);
        };
        let mask = if self.ty == LowType::S64 { 63 } else { 31 };
        match by as i32 & mask {
            0 => self.copy(to, a),
            by => self.emit_sized(ops.by_immediate, &[to, a, Operand::imm(by)]),
        }
    }

    fn overflowing(&mut self, op: &Binary, condition: Condition) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        self.binary(op, to, self.operand(2), self.operand(3))?;
        self.set(overflow, condition)
    }

    fn overflowing_unsigned_mul(&mut self) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [b, a] = self.immediate_last(self.operand(2), self.operand(3));
        let b = self.register(b)?;
        self.put(RAX, a)?;
        self.emit_sized([Op::MUL64r, Op::MUL32r], &[b])?;
        self.copy(to, Operand::reg(RAX))?;
        self.set(overflow, Condition::OVERFLOW)
    }

    /// Emits a select. Both values must be in registers before the flags are set, as loading an
    /// immediate may change them.
    fn select(&mut self) -> Result<(), Error> {
        let (x, y) = (
            self.register(self.operand(4))?,
            self.register(self.operand(5))?,
        );
        let condition = self.compare(1)?;
        let operands = [self.operand(0), y, x, condition.operand()];
        self.emit(Op::CMOV64rr, &operands)
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
        match self.small(b) {
            Some(0) => self.emit_sized([Op::TEST64rr, Op::TEST32rr], &[a, a])?,
            Some(value) => {
                let value = Operand::imm(value);
                self.emit_sized([Op::CMP64ri32, Op::CMP32ri], &[a, value])?;
            }
            None => {
                let b = self.register(b)?;
                self.emit_sized([Op::CMP64rr, Op::CMP32rr], &[a, b])?;
            }
        }
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
        IntPredicate::Ult => Condition::BELOW,
        IntPredicate::Ule => Condition::BELOW_EQUAL,
        IntPredicate::Ugt => Condition::ABOVE,
        IntPredicate::Uge => Condition::ABOVE_EQUAL,
    }
}
