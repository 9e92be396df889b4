//! Selection for floats and doubles.

use super::memory::at;
use super::{Condition, EQUAL, GREATER, LESS, Pair, Selector, UNORDERED};
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{FloatPredicate, Generic, LowType, Operand};
use mir_nostd::target::Materialise;

/// Rounding toward zero, as an operand of conversions to integers.
pub(super) const TOWARD_ZERO: Operand = Operand::imm(5);

/// Returns the condition after a comparison of floats.
pub(super) const fn condition(predicate: FloatPredicate) -> Condition {
    use FloatPredicate as P;
    Condition::any(match predicate {
        P::Oeq => EQUAL,
        P::Olt => LESS,
        P::Ole => LESS | EQUAL,
        P::Ogt => GREATER,
        P::Oge => GREATER | EQUAL,
        P::Une => LESS | GREATER | UNORDERED,
        P::Ult => LESS | UNORDERED,
        P::Ule => LESS | EQUAL | UNORDERED,
        P::Ugt => GREATER | UNORDERED,
        P::Uge => GREATER | EQUAL | UNORDERED,
    })
}

impl Selector<'_, '_, '_> {
    pub(super) fn float(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::FConstant => self.float_constant(to, a),
            G::Fadd => self.emit_float([Op::ADBR, Op::AEBR], true),
            G::Fsub => self.emit_float([Op::SDBR, Op::SEBR], false),
            G::Fmul => self.emit_float([Op::MDBR, Op::MEEBR], true),
            G::Fdiv => self.emit_float([Op::DDBR, Op::DEBR], false),
            G::Fneg => self.emit_sized([Op::LCDFR, Op::LCDFR_32], &[to, a]),
            G::Fsqrt => self.emit_sized([Op::SQDBR, Op::SQEBR], &[to, a]),
            G::Fcopysign => self.emit_sized([Op::CPSDRdd, Op::CPSDRss], &[to, a, b]),
            G::Fma => {
                let c = self.operand(3);
                self.emit_sized([Op::MADBR, Op::MAEBR], &[to, c, a, b])
            }
            G::Froundeven => self.round(to, 4, a),
            G::Ftrunc => self.round(to, 5, a),
            G::Fceil => self.round(to, 6, a),
            G::Ffloor => self.round(to, 7, a),
            G::Fpext if b.small() == Some(32) => self.emit(Op::LDEBR, &[to, a]),
            G::Fptrunc if b.small() == Some(64) => self.emit(Op::LEDBR, &[to, a]),
            G::Bitcast if self.is_float(to) => self.float_of_bits(to, a),
            G::Bitcast => self.bits_of_float(to, a),
            G::FptosiSat => {
                let raw = self.new_int()?;
                self.emit_sized([Op::CGDBR, Op::CGEBR], &[raw, TOWARD_ZERO, a])?;
                self.emit_sized([Op::CDBR, Op::CEBR], &[a, a])?;
                self.zero_if_unordered(to, raw)
            }
            G::Sitofp => {
                let a = self.register(a)?;
                self.emit_sized([Op::CDGBR, Op::CEGBR], &[to, a])
            }
            G::Uitofp => {
                let a = self.register(a)?;
                let zero = Operand::imm(0);
                self.emit_sized([Op::CDLGBR, Op::CELGBR], &[to, zero, a, zero])
            }
            G::Fcmp => {
                let condition = self.float_compare(1)?;
                self.set(to, condition)
            }
            G::BrFcmp => {
                let condition = self.float_compare(0)?;
                self.branch(self.operand(3), condition)
            }
            _ => self.unknown(),
        }
    }

    /// Emits `to` = `a` rounded to an integer in a mode.
    fn round(&mut self, to: Operand, mode: i32, a: Operand) -> Result<(), Error> {
        self.emit_sized([Op::FIDBR, Op::FIEBR], &[to, Operand::imm(mode), a])
    }

    fn float_constant(&mut self, to: Operand, bits: Operand) -> Result<(), Error> {
        let Some(bits) = self.out.immediate(bits) else {
            return self.unknown();
        };
        let bits = if self.is_wide() {
            bits.cast_unsigned()
        } else {
            u64::from(bits as u32)
        };
        if bits == 0 {
            return self.emit_sized([Op::LZDR, Op::LZER], &[to]);
        }
        let len = if self.is_wide() { 8 } else { 4 };
        let constant = self.out.constant(u128::from(bits), len)?;
        let place = self.new_int()?;
        self.emit(Op::LARL, &[place, constant])?;
        let op = if self.is_wide() { Op::LD } else { Op::LE };
        self.emit_load(op, to, at(place, 0))
    }

    /// Emits the float of these bits: it lies in the upper half of a register.
    fn float_of_bits(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        if self.is_wide() {
            return self.emit(Op::LDGR, &[to, a]);
        }
        let (whole, upper) = (self.new_float(LowType::S64)?, self.new_int()?);
        let by = Operand::imm(32);
        self.emit(Op::SLLG, &[upper, a, Operand::NO_REG, by])?;
        self.emit(Op::LDGR, &[whole, upper])?;
        self.emit(Op::LDR32, &[to, whole])
    }

    /// Emits the opposite of [`Selector::float_of_bits`].
    fn bits_of_float(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        if self.is_wide() {
            return self.emit(Op::LGDR, &[to, a]);
        }
        let (whole, upper) = (self.new_float(LowType::S64)?, self.new_int()?);
        self.emit(Op::LDR32, &[whole, a])?;
        self.emit(Op::LGDR, &[upper, whole])?;
        let by = Operand::imm(32);
        self.emit(Op::SRLG, &[to, upper, Operand::NO_REG, by])
    }

    fn emit_float(&mut self, ops: Pair, commutes: bool) -> Result<(), Error> {
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        if commutes && b.as_reg() == to.as_reg() {
            self.emit_sized(ops, &[to, b, a])
        } else {
            self.emit_sized(ops, &[to, a, b])
        }
    }

    /// Emits `to` = `a`, or 0 if a comparison found a NaN, for which the conversion does not
    /// saturate.
    pub(super) fn zero_if_unordered(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let [valid, mask] = Condition::UNORDERED.operands();
        self.emit(Op::LOCGHI, &[to, a, Operand::imm(0), valid, mask])
    }

    /// Emits the comparison that operand `first`, the predicate, and the two operands after it
    /// describe.
    fn float_compare(&mut self, first: usize) -> Result<Condition, Error> {
        let Some(predicate) = self.operand(first).as_float_predicate() else {
            return self.unknown();
        };
        let [a, b] = [self.operand(first + 1), self.operand(first + 2)];
        self.emit_sized([Op::CDBR, Op::CEBR], &[a, b])?;
        Ok(condition(predicate))
    }
}
