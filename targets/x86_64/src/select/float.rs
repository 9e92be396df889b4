//! Selection for floats and doubles.

use super::memory::in_code;
use super::{Condition, Pair, Selector};
use crate::insns::Op;
use crate::registers::VR128;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Bank, FloatPredicate, Generic, LowType, Operand, VRegInfo};
use mir_nostd::target::Materialise;

/// The conditions of the flags, after a comparison, that a predicate needs.
pub(super) enum Test {
    One(Condition),
    Both(Condition, Condition),
    Either(Condition, Condition),
}

/// Returns whether to compare with the operands exchanged, and the test. "Unordered" sets the flags
/// of "below", "equal" and parity.
pub(super) const fn test(predicate: FloatPredicate) -> (bool, Test) {
    use FloatPredicate as P;
    match predicate {
        P::Oeq => (false, Test::Both(Condition::EQUAL, Condition::NOT_PARITY)),
        P::Une => (false, Test::Either(Condition::NOT_EQUAL, Condition::PARITY)),
        P::Ogt => (false, Test::One(Condition::ABOVE)),
        P::Oge => (false, Test::One(Condition::ABOVE_EQUAL)),
        P::Ult => (false, Test::One(Condition::BELOW)),
        P::Ule => (false, Test::One(Condition::BELOW_EQUAL)),
        P::Olt => (true, Test::One(Condition::ABOVE)),
        P::Ole => (true, Test::One(Condition::ABOVE_EQUAL)),
        P::Ugt => (true, Test::One(Condition::BELOW)),
        P::Uge => (true, Test::One(Condition::BELOW_EQUAL)),
    }
}

impl Selector<'_, '_, '_> {
    pub(super) fn float(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::FConstant => self.float_constant(to, a),
            G::Fadd => self.emit_float([Op::ADDSDrr, Op::ADDSSrr], true),
            G::Fsub => self.emit_float([Op::SUBSDrr, Op::SUBSSrr], false),
            G::Fmul => self.emit_float([Op::MULSDrr, Op::MULSSrr], true),
            G::Fdiv => self.emit_float([Op::DIVSDrr, Op::DIVSSrr], false),
            G::Fneg => self.float_negate(to, a),
            G::Fsqrt => self.emit_sized([Op::SQRTSDr, Op::SQRTSSr], &[to, a]),
            G::Fcopysign => self.copy_sign(to, a, b),
            G::Fpext if b.small() == Some(32) => self.emit(Op::CVTSS2SDrr, &[to, a]),
            G::Fptrunc if b.small() == Some(64) => self.emit(Op::CVTSD2SSrr, &[to, a]),
            G::Bitcast if self.is_float(to) => {
                self.emit_sized([Op::MOV64toSDrr, Op::MOVDI2SSrr], &[to, a])
            }
            G::Bitcast => self.emit_sized([Op::MOVSDto64rr, Op::MOVSS2DIrr], &[to, a]),
            G::FptosiSat => self.float_to_int(to, a),
            G::Sitofp => {
                let a = self.register(a)?;
                self.float_from_signed(to, a)
            }
            G::Uitofp => self.float_from_unsigned(to, a),
            G::Fcmp => {
                let test = self.float_compare(1)?;
                self.set_float(to, test)
            }
            G::BrFcmp => {
                let test = self.float_compare(0)?;
                self.branch_float(self.operand(3), test)
            }
            _ => self.unknown(),
        }
    }

    fn float_constant(&mut self, to: Operand, bits: Operand) -> Result<(), Error> {
        let Some(bits) = self.out.immediate(bits) else {
            return self.unknown();
        };
        let is_double = self.ty == LowType::S64;
        let bits = if is_double {
            bits.cast_unsigned()
        } else {
            u64::from(bits as u32)
        };
        if bits == 0 {
            return self.emit_sized([Op::FsFLD0SD, Op::FsFLD0SS], &[to]);
        }
        let constant = self
            .out
            .constant(u128::from(bits), if is_double { 8 } else { 4 })?;
        let op = if is_double {
            Op::MOVSDrm_alt
        } else {
            Op::MOVSSrm_alt
        };
        self.emit_load(op, to, in_code(constant))
    }

    fn emit_float(&mut self, ops: Pair, commutes: bool) -> Result<(), Error> {
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        if commutes && b.as_reg() == to.as_reg() {
            self.emit_sized(ops, &[to, b, a])
        } else {
            self.emit_sized(ops, &[to, a, b])
        }
    }

    /// Flips the sign bit, by an operation on whole xmm registers.
    fn float_negate(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let sign = self.sized([1 << 63, 1 << 31]);
        let whole = self.masked(Op::XORPSrm, a, sign)?;
        self.copy(to, whole)
    }

    /// Joins the bits of `a` below the sign with the sign of `b`.
    fn copy_sign(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let sign = self.sized([1 << 63, 1 << 31]);
        let magnitude = self.masked(Op::ANDPSrm, a, sign - 1)?;
        let sign = self.masked(Op::ANDPSrm, b, sign)?;
        self.emit(Op::ORPSrr, &[magnitude, magnitude, sign])?;
        self.copy(to, magnitude)
    }

    /// Returns a whole xmm register with the result of a logical operation on a number and a mask.
    fn masked(&mut self, op: Op, a: Operand, mask: u128) -> Result<Operand, Error> {
        let ty = self.ty;
        let whole = Operand::from(self.out.function.add_vreg(VRegInfo {
            ty,
            bank: Bank::Floating,
            class: VR128,
        })?);
        let mask = self.out.constant(mask, 16)?;
        let [base, scale, index, displacement, segment] = in_code(mask);
        self.copy(whole, a)?;
        let operands = [whole, whole, base, scale, index, displacement, segment];
        self.emit(op, &operands)?;
        Ok(whole)
    }

    /// Emits a conversion that saturates. The machine's conversion yields the most negative number
    /// for everything out of range.
    fn float_to_int(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let is_double = self.ty == LowType::S64;
        let limit = if is_double {
            self.out.constant(0x43E0_0000_0000_0000, 8)?
        } else {
            self.out.constant(0x5F00_0000, 4)?
        };
        let [most, zero, raw] = [self.new_int()?, self.new_int()?, self.new_int()?];
        self.constant(most, i64::MAX)?;
        self.constant(zero, 0)?;
        self.emit_sized([Op::CVTTSD2SI64rr, Op::CVTTSS2SI64rr], &[raw, a])?;
        let compare = if is_double {
            Op::UCOMISDrm
        } else {
            Op::UCOMISSrm
        };
        self.emit_load(compare, a, in_code(limit))?;
        self.choose(raw, raw, most, Condition::ABOVE_EQUAL)?;
        self.choose(to, raw, zero, Condition::PARITY)
    }

    /// Emits `to` = `b` if the flags meet the condition, else `a`.
    pub(super) fn choose(
        &mut self,
        to: Operand,
        a: Operand,
        b: Operand,
        condition: Condition,
    ) -> Result<(), Error> {
        self.emit(Op::CMOV64rr, &[to, a, b, condition.operand()])
    }

    /// Converts the number, or half of it if its top bit is set: the half has a sticky last bit, so
    /// that it rounds correctly. The exponent then doubles the result.
    fn float_from_unsigned(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let a = self.register(a)?;
        let [half, lost, number] = [self.new_int()?, self.new_int()?, self.new_int()?];
        let [bits, exponent, sum] = [self.new_int()?, self.new_int()?, self.new_int()?];
        let ty = self.ty;
        let float = self.new_float(ty)?;
        let one = Operand::imm(1);
        self.emit(Op::SHR64ri, &[half, a, one])?;
        self.emit(Op::AND32ri, &[lost, a, one])?;
        self.emit(Op::OR64rr, &[half, half, lost])?;
        self.emit(Op::SHR64ri, &[exponent, a, Operand::imm(63)])?;
        let place = if self.ty == LowType::S64 { 52 } else { 23 };
        self.emit(Op::SHL64ri, &[exponent, exponent, Operand::imm(place)])?;
        self.emit(Op::TEST64rr, &[a, a])?;
        self.choose(number, half, a, Condition::NOT_SIGN)?;
        self.float_from_signed(float, number)?;
        self.emit_sized([Op::MOVSDto64rr, Op::MOVSS2DIrr], &[bits, float])?;
        self.emit_sized([Op::ADD64rr, Op::ADD32rr], &[sum, bits, exponent])?;
        self.emit_sized([Op::MOV64toSDrr, Op::MOVDI2SSrr], &[to, sum])
    }

    /// Emits a conversion from a signed integer. The instruction keeps the upper part of its
    /// register, so the register is zeroed first to break the dependence on its old value.
    fn float_from_signed(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let ty = self.ty;
        let zero = self.new_float(ty)?;
        self.emit_sized([Op::FsFLD0SD, Op::FsFLD0SS], &[zero])?;
        let ty = self.ty;
        let whole = Operand::from(self.out.function.add_vreg(VRegInfo {
            ty,
            bank: Bank::Floating,
            class: VR128,
        })?);
        self.copy(whole, zero)?;
        let convert = [Op::CVTSI642SDrr_Int, Op::CVTSI642SSrr_Int];
        self.emit_sized(convert, &[whole, whole, a])?;
        self.copy(to, whole)
    }

    /// Emits the comparison that operand `first`, the predicate, and the two operands after it
    /// describe.
    fn float_compare(&mut self, first: usize) -> Result<Test, Error> {
        let Some(predicate) = self.operand(first).as_float_predicate() else {
            return self.unknown();
        };
        let [a, b] = [self.operand(first + 1), self.operand(first + 2)];
        let (is_swapped, test) = test(predicate);
        let operands = if is_swapped { [b, a] } else { [a, b] };
        self.emit_sized([Op::UCOMISDrr, Op::UCOMISSrr], &operands)?;
        Ok(test)
    }

    /// Emits `to` = 1 if the flags pass the test, else 0.
    pub(super) fn set_float(&mut self, to: Operand, test: Test) -> Result<(), Error> {
        let (op, a, b) = match test {
            Test::One(condition) => return self.set(to, condition),
            Test::Both(a, b) => (Op::AND32rr, a, b),
            Test::Either(a, b) => (Op::OR32rr, a, b),
        };
        let [a, b] = [self.set_byte(a)?, self.set_byte(b)?];
        let both = self.new_int()?;
        self.emit(op, &[both, a, b])?;
        self.emit(Op::MOVZX32rr8, &[to, both])
    }

    /// Branches to the block if the flags pass the test.
    pub(super) fn branch_float(&mut self, block: Operand, test: Test) -> Result<(), Error> {
        match test {
            Test::One(condition) => self.branch(block, condition),
            Test::Either(a, b) => {
                self.branch(block, a)?;
                self.branch(block, b)
            }
            Test::Both(a, b) => {
                let [a, b] = [self.set_byte(a)?, self.set_byte(b)?];
                self.emit(Op::TEST8rr, &[a, b])?;
                self.branch(block, Condition::NOT_EQUAL)
            }
        }
    }
}
