//! Selection for sums, differences and products with overflow.

use super::Selector;
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    /// Emits `to, overflow = a op b`. The result goes to its register last, after the sources are
    /// read.
    pub(super) fn overflowing(&mut self) -> Result<(), Error> {
        use Generic as G;
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [a, b] = [self.operand(2), self.operand(3)];
        let [a, b] = match self.generic {
            G::Ssubo | G::Usubo => [a, b],
            _ => self.immediate_last(a, b),
        };
        let a = self.register(a)?;
        let result = match self.generic {
            G::Saddo | G::Ssubo => self.signed_sum(overflow, a, b)?,
            G::Uaddo | G::Usubo => self.unsigned_sum(overflow, a, b)?,
            _ => self.product(overflow, a, b)?,
        };
        self.copy(to, result)
    }

    /// Emits `to` = the sign bit as 0 or 1.
    pub(super) fn sign(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        if self.is_wide() {
            self.shift_right(to, a, 63)
        } else {
            self.rotate_word(to, a, 1, 31, 31)
        }
    }

    /// Emits a signed sum or difference. A sum overflows if its sign differs from that of both
    /// sources; a difference, if the sources' signs differ and its own is not that of the first.
    fn signed_sum(&mut self, overflow: Operand, a: Operand, b: Operand) -> Result<Operand, Error> {
        let is_sum = self.generic == Generic::Saddo;
        let result = self.new_int()?;
        if let (Some(value), true) = (self.immediate(b), self.is_wide())
            && let Some(added) = if is_sum {
                Some(value)
            } else {
                value.checked_neg()
            }
        {
            // The sign of the addend says in which direction the sum may overflow.
            let operand = self.out.function.int(added)?;
            self.add(result, a, operand)?;
            let [now, before] = if added < 0 { [a, result] } else { [result, a] };
            let wrong = self.compute(Op::ANDC8, &[now, before])?;
            self.sign(overflow, wrong)?;
            return Ok(result);
        }
        let b = self.register(b)?;
        let from_a = self.new_int()?;
        if is_sum {
            self.emit(Op::ADD8, &[result, a, b])?;
            self.emit(Op::XOR8, &[from_a, result, a])?;
        } else {
            self.emit(Op::SUBF8, &[result, b, a])?;
            self.emit(Op::XOR8, &[from_a, a, b])?;
        }
        let other = if is_sum { b } else { a };
        let from_b = self.compute(Op::XOR8, &[result, other])?;
        let both = self.compute(Op::AND8, &[from_a, from_b])?;
        self.sign(overflow, both)?;
        Ok(result)
    }

    /// Emits an unsigned sum or difference: the carry of 64 bits, or the bit above the result of
    /// 32.
    fn unsigned_sum(
        &mut self,
        overflow: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Error> {
        let is_sum = self.generic == Generic::Uaddo;
        let b = self.register(b)?;
        let result = self.new_int()?;
        if !self.is_wide() {
            let [low_a, low_b] = [self.new_int()?, self.new_int()?];
            self.low_bits(low_a, a, 32)?;
            self.low_bits(low_b, b, 32)?;
            if is_sum {
                self.emit(Op::ADD8, &[result, low_a, low_b])?;
                self.shift_right(overflow, result, 32)?;
            } else {
                self.emit(Op::SUBF8, &[result, low_b, low_a])?;
                self.shift_right(overflow, result, 63)?;
            }
        } else if is_sum {
            self.emit(Op::ADDC8, &[result, a, b])?;
            let zero = self.emit_new(Op::LI8, &[], 0)?;
            self.emit(Op::ADDZE8, &[overflow, zero])?;
        } else {
            self.emit(Op::SUBFC8, &[result, b, a])?;
            self.borrow(overflow, result)?;
        }
        Ok(result)
    }

    /// Emits `to` = 1 if the carry is clear, else 0.
    pub(super) fn borrow(&mut self, to: Operand, any: Operand) -> Result<(), Error> {
        let all = self.compute(Op::SUBFE8, &[any, any])?;
        self.emit(Op::NEG8, &[to, all])
    }

    /// Emits a product. A signed one overflows if its high half does not consist of copies of its
    /// sign, an unsigned one if that half is not 0.
    fn product(&mut self, overflow: Operand, a: Operand, b: Operand) -> Result<Operand, Error> {
        let is_signed = self.generic == Generic::Smulo;
        let b = self.register(b)?;
        let result = self.new_int()?;
        let wrong = if self.is_wide() {
            let high = if is_signed { Op::MULHD } else { Op::MULHDU };
            let high = self.compute(high, &[a, b])?;
            self.emit(Op::MULLD, &[result, a, b])?;
            if is_signed {
                let sign = self.emit_new(Op::SRADI, &[result], 63)?;
                self.compute(Op::XOR8, &[high, sign])?
            } else {
                high
            }
        } else if is_signed {
            let [a, b] = [
                self.compute(Op::EXTSW, &[a])?,
                self.compute(Op::EXTSW, &[b])?,
            ];
            self.emit(Op::MULLD, &[result, a, b])?;
            let low = self.compute(Op::EXTSW, &[result])?;
            self.compute(Op::XOR8, &[low, result])?
        } else {
            let [low_a, low_b, high] = [self.new_int()?, self.new_int()?, self.new_int()?];
            self.low_bits(low_a, a, 32)?;
            self.low_bits(low_b, b, 32)?;
            self.emit(Op::MULLD, &[result, low_a, low_b])?;
            self.shift_right(high, result, 32)?;
            high
        };
        self.is_not_zero(overflow, wrong)?;
        Ok(result)
    }

    /// Emits `to` = 1 if any of 64 bits is set, else 0.
    pub(super) fn is_not_zero(&mut self, to: Operand, a: Operand) -> Result<(), Error> {
        let less = self.emit_new(Op::ADDIC8, &[a], -1)?;
        self.emit(Op::SUBFE8, &[to, less, a])
    }
}
