//! Selection for arithmetic with overflow: there are no flags, so the results are compared.

use super::Selector;
use crate::insns::Op;
use crate::registers::ZERO;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, LowType, Operand};

impl Selector<'_, '_, '_> {
    /// Emits the operation. The result is written last, as its register may be a source too.
    pub(super) fn overflowing(&mut self) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let (a, b) = (self.operand(2), self.operand(3));
        let (a, b) = (self.whole(a)?, self.whole(b)?);
        let is_wide = self.ty == LowType::S64;
        let result = match (self.generic, is_wide) {
            (Generic::Saddo, true) => {
                let sum = self.new_with(Op::ADD, a, b)?;
                self.differ(overflow, [sum, a], [b, Operand::reg(ZERO)])?;
                sum
            }
            (Generic::Ssubo, true) => {
                let difference = self.new_with(Op::SUB, a, b)?;
                self.differ(overflow, [difference, a], [Operand::reg(ZERO), b])?;
                difference
            }
            (Generic::Saddo, false) => self.narrow(overflow, Op::ADD, Op::ADDW, a, b)?,
            (Generic::Ssubo, false) => self.narrow(overflow, Op::SUB, Op::SUBW, a, b)?,
            // Sign extension keeps the order of unsigned numbers.
            (Generic::Uaddo, _) => {
                let sum = self.new_with(self.sized([Op::ADD, Op::ADDW]), a, b)?;
                self.emit(Op::SLTU, &[overflow, sum, a])?;
                sum
            }
            (Generic::Usubo, _) => {
                let difference = self.new_with(self.sized([Op::SUB, Op::SUBW]), a, b)?;
                self.emit(Op::SLTU, &[overflow, a, b])?;
                difference
            }
            (Generic::Smulo, true) => self.signed_product(overflow, a, b)?,
            (Generic::Smulo, false) => self.narrow(overflow, Op::MUL, Op::MULW, a, b)?,
            (Generic::Umulo, true) => {
                let product = self.new_with(Op::MUL, a, b)?;
                let high = self.new_with(Op::MULHU, a, b)?;
                self.set_unless_zero(overflow, high)?;
                product
            }
            (Generic::Umulo, false) => self.unsigned_product_of_words(overflow, a, b)?,
            _ => return self.unknown(),
        };
        self.copy(to, result)
    }

    /// Emits `to` = 1 if signed comparisons of two pairs of values come out differently, else 0.
    fn differ(
        &mut self,
        to: Operand,
        first: [Operand; 2],
        second: [Operand; 2],
    ) -> Result<(), Error> {
        let first = self.new_with(Op::SLT, first[0], first[1])?;
        let second = self.new_with(Op::SLT, second[0], second[1])?;
        self.emit(Op::XOR, &[to, first, second])
    }

    /// Emits `to` = 1 if a value is not zero, else 0.
    fn set_unless_zero(&mut self, to: Operand, value: Operand) -> Result<(), Error> {
        self.emit(Op::SLTU, &[to, Operand::reg(ZERO), value])
    }

    /// Multiplies: the product overflows if its high half is not the low half's sign.
    fn signed_product(
        &mut self,
        overflow: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Error> {
        let product = self.new_with(Op::MUL, a, b)?;
        let high = self.new_with(Op::MULH, a, b)?;
        let sign = self.new_with_immediate(Op::SRAI, product, 63)?;
        let rest = self.new_with(Op::XOR, high, sign)?;
        self.set_unless_zero(overflow, rest)?;
        Ok(product)
    }

    /// Multiplies factors of 32 bits. With both shifted to the upper half, the high half of the
    /// product is the whole product.
    fn unsigned_product_of_words(
        &mut self,
        overflow: Operand,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Error> {
        let a = self.new_with_immediate(Op::SLLI, a, 32)?;
        let b = self.new_with_immediate(Op::SLLI, b, 32)?;
        let product = self.new_with(Op::MULHU, a, b)?;
        let high = self.new_with_immediate(Op::SRLI, product, 32)?;
        self.set_unless_zero(overflow, high)?;
        Ok(product)
    }

    /// Computes in 64 bits and in 32: the results differ if the latter overflows.
    fn narrow(
        &mut self,
        overflow: Operand,
        wide: Op,
        narrow: Op,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Error> {
        let whole = self.new_with(wide, a, b)?;
        let result = self.new_with(narrow, a, b)?;
        let rest = self.new_with(Op::XOR, whole, result)?;
        self.set_unless_zero(overflow, rest)?;
        Ok(result)
    }
}
