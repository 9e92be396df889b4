//! Selection for integers: multiplication and division, in part in the pair r0 and r1.

use super::{Condition, Selector};
use crate::insns::Op;
use crate::registers::{R0, R0Q, R1};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand, Reg};
use mir_nostd::target::Materialise;

const PAIR: Operand = Operand::reg(R0Q);

impl Selector<'_, '_, '_> {
    pub(super) fn multiply(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        match self.generic {
            G::Mul => self.mul(to, a, b),
            G::Umulh => {
                self.whole_product(a, b)?;
                self.copy(to, Operand::reg(R0))
            }
            G::Smulh => {
                let [a, b] = [self.register(a)?, self.register(b)?];
                self.signed_high(to, None, a, b)
            }
            G::Ctlz => self.leading_zeros(to, a),
            G::Sdiv => self.divide(R1, to, a, b),
            G::Srem => self.divide(R0, to, a, b),
            G::Udiv => self.divide_unsigned(R1, to, a, b),
            G::Urem => self.divide_unsigned(R0, to, a, b),
            G::Smulo => self.signed_overflowing(),
            G::Umulo => self.unsigned_product_overflowing(),
            _ => self.memory(),
        }
    }

    fn mul(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        let value = self
            .immediate(b)
            .and_then(|value| i32::try_from(value).ok());
        match value {
            Some(1) => self.copy(to, a),
            Some(value) if value > 0 && value.count_ones() == 1 => {
                let by = Operand::imm(value.trailing_zeros() as i32);
                self.emit_sized([Op::SLLG, Op::SLLK], &[to, a, Operand::NO_REG, by])
            }
            Some(value) if i16::try_from(value).is_ok() => {
                self.emit_sized([Op::MGHI, Op::MHI], &[to, a, Operand::imm(value)])
            }
            Some(value) => self.emit_sized([Op::MSGFI, Op::MSFI], &[to, a, Operand::imm(value)]),
            None => {
                let b = self.register(b)?;
                if b.as_reg() == to.as_reg() {
                    return self.emit_sized([Op::MSGR, Op::MSR], &[to, b, a]);
                }
                self.emit_sized([Op::MSGR, Op::MSR], &[to, a, b])
            }
        }
    }

    /// Moves an integer into a register that an instruction works on.
    fn put(&mut self, to: Reg, from: Operand) -> Result<(), Error> {
        match self.out.immediate(from) {
            Some(value) => self.constant(Operand::reg(to), value),
            None => self.copy(Operand::reg(to), from),
        }
    }

    /// Emits the unsigned product: its high half in r0, its low half in r1.
    fn whole_product(&mut self, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        self.put(R1, b)?;
        self.emit(Op::MLGR, &[PAIR, PAIR, a])
    }

    /// Emits `high` = the high half of the signed product, `low` = the low half. The unsigned
    /// product is too large by each factor whose other one is negative.
    fn signed_high(
        &mut self,
        high: Operand,
        low: Option<Operand>,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let [of_a, of_b, both] = [self.new_int()?, self.new_int()?, self.new_int()?];
        let [sign_a, sign_b, unsigned] = [self.new_int()?, self.new_int()?, self.new_int()?];
        let (none, all) = (Operand::NO_REG, Operand::imm(63));
        self.emit(Op::SRAG, &[sign_a, a, none, all])?;
        self.emit(Op::NGRK, &[of_b, sign_a, b])?;
        self.emit(Op::SRAG, &[sign_b, b, none, all])?;
        self.emit(Op::NGRK, &[of_a, sign_b, a])?;
        self.emit(Op::AGRK, &[both, of_a, of_b])?;
        self.whole_product(a, b)?;
        self.copy(unsigned, Operand::reg(R0))?;
        if let Some(low) = low {
            self.copy(low, Operand::reg(R1))?;
        }
        self.emit(Op::SGRK, &[high, unsigned, both])
    }

    fn signed_overflowing(&mut self) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [a, b] = [
            self.register(self.operand(2))?,
            self.register(self.operand(3))?,
        ];
        let [product, shown, sign] = [self.new_int()?, self.new_int()?, self.new_int()?];
        if self.is_wide() {
            self.signed_high(shown, Some(product), a, b)?;
            let all = Operand::imm(63);
            self.emit(Op::SRAG, &[sign, product, Operand::NO_REG, all])?;
            self.emit(Op::CGR, &[shown, sign])?;
        } else {
            let [wide_a, wide_b] = [self.new_int()?, self.new_int()?];
            self.emit(Op::LGFR, &[wide_a, a])?;
            self.emit(Op::LGFR, &[wide_b, b])?;
            self.emit(Op::MSGR, &[product, wide_a, wide_b])?;
            self.emit(Op::LGFR, &[shown, product])?;
            self.emit(Op::CGR, &[shown, product])?;
        }
        self.copy(to, product)?;
        self.set(overflow, Condition::NOT_EQUAL)
    }

    fn unsigned_product_overflowing(&mut self) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [a, b] = [
            self.register(self.operand(2))?,
            self.register(self.operand(3))?,
        ];
        let [product, high] = [self.new_int()?, self.new_int()?];
        if self.is_wide() {
            self.whole_product(a, b)?;
            self.copy(high, Operand::reg(R0))?;
            self.copy(product, Operand::reg(R1))?;
        } else {
            let [wide_a, wide_b] = [self.new_int()?, self.new_int()?];
            self.emit(Op::LLGFR, &[wide_a, a])?;
            self.emit(Op::LLGFR, &[wide_b, b])?;
            self.emit(Op::MSGR, &[product, wide_a, wide_b])?;
            let half = Operand::imm(32);
            self.emit(Op::SRLG, &[high, product, Operand::NO_REG, half])?;
        }
        self.emit(Op::CGHI, &[high, Operand::imm(0)])?;
        self.copy(to, product)?;
        self.set(overflow, Condition::NOT_EQUAL)
    }

    /// Emits `to` = the number of zeros above the highest one, which r0 receives.
    fn leading_zeros(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        if self.is_wide() {
            self.emit(Op::FLOGR, &[PAIR, a])?;
            return self.copy(to, Operand::reg(R0));
        }
        let whole = self.new_int()?;
        self.emit(Op::LLGFR, &[whole, a])?;
        self.emit(Op::FLOGR, &[PAIR, whole])?;
        self.emit(Op::AGHIK, &[to, Operand::reg(R0), Operand::imm(-32)])
    }

    /// Divides r1 by `b`; `result` is the register of the quotient (r1) or the remainder (r0).
    fn divide(&mut self, result: Reg, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let b = self.register(b)?;
        if self.is_wide() {
            self.put(R1, a)?;
            self.emit(Op::DSGR, &[PAIR, PAIR, b])?;
        } else {
            let a = self.register(a)?;
            self.emit(Op::LGFR, &[Operand::reg(R1), a])?;
            self.emit(Op::DSGFR, &[PAIR, PAIR, b])?;
        }
        self.copy(to, Operand::reg(result))
    }

    /// Divides the pair of r0 and r1 by `b`; `result` is as above.
    fn divide_unsigned(
        &mut self,
        result: Reg,
        to: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let b = self.register(b)?;
        self.constant(Operand::reg(R0), 0)?;
        self.put(R1, a)?;
        let op = if self.is_wide() { Op::DLGR } else { Op::DLR };
        self.emit(op, &[PAIR, PAIR, b])?;
        self.copy(to, Operand::reg(result))
    }
}
