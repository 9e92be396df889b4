//! Selection for arithmetic with overflow.

use super::{
    Condition, NOT_SHIFTED, Op, SXTW, Selector, ZERO, immediates, right_by, sign_right_by,
};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, Operand};
use mir_nostd::target::Materialise;

impl Selector<'_, '_, '_> {
    pub(super) fn overflow(&mut self) -> Result<(), Error> {
        use Generic as G;
        match self.generic {
            G::Saddo => self.sum(Condition::OVERFLOW),
            G::Uaddo => self.sum(Condition::CARRY),
            G::Ssubo => self.difference(Condition::OVERFLOW),
            G::Usubo => self.difference(Condition::NO_CARRY),
            G::Smulo if self.is_wide() => self.signed_product(),
            G::Umulo if self.is_wide() => self.unsigned_product(),
            G::Smulo | G::Umulo => self.short_product(),
            _ => self.memory(),
        }
    }

    fn sum(&mut self, condition: Condition) -> Result<(), Error> {
        let [a, b] = self.immediate_last(self.operand(2), self.operand(3));
        self.with_flags(a, b, false, condition)
    }

    fn difference(&mut self, condition: Condition) -> Result<(), Error> {
        self.with_flags(self.operand(2), self.operand(3), true, condition)
    }

    /// Emits the sum or difference, and whether the flags then meet the condition.
    fn with_flags(
        &mut self,
        a: Operand,
        b: Operand,
        subtracts: bool,
        condition: Condition,
    ) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let a = self.register(a)?;
        let immediate = self.immediate(b).and_then(|value| {
            let value = u64::try_from(value).ok()?;
            immediates::arithmetic(value)
        });
        if let Some([bits, shift]) = immediate {
            let ops = if subtracts {
                [Op::SUBSXri, Op::SUBSWri]
            } else {
                [Op::ADDSXri, Op::ADDSWri]
            };
            self.emit_sized(ops, &[to, a, Operand::imm(bits), Operand::imm(shift)])?;
        } else {
            let ops = if subtracts {
                [Op::SUBSXrs, Op::SUBSWrs]
            } else {
                [Op::ADDSXrs, Op::ADDSWrs]
            };
            let b = self.register(b)?;
            self.emit_sized(ops, &[to, a, b, NOT_SHIFTED])?;
        }
        self.set(overflow, condition)
    }

    /// Returns the two factors in registers.
    fn factors(&mut self) -> Result<[Operand; 2], Error> {
        let a = self.register_or_zero(self.operand(2))?;
        let b = self.register_or_zero(self.operand(3))?;
        Ok([a, b])
    }

    /// Emits a signed product: it overflows unless the high half consists of copies of the low
    /// half's sign.
    fn signed_product(&mut self) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [a, b] = self.factors()?;
        let high = self.new_int()?;
        self.emit(Op::SMULHrr, &[high, a, b])?;
        self.emit(Op::MADDXrrr, &[to, a, b, ZERO])?;
        self.emit(Op::SUBSXrs, &[ZERO, high, to, sign_right_by(63)])?;
        self.set(overflow, Condition::NOT_EQUAL)
    }

    /// Emits an unsigned product: it overflows unless the high half is 0.
    fn unsigned_product(&mut self) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [a, b] = self.factors()?;
        let high = self.new_int()?;
        self.emit(Op::UMULHrr, &[high, a, b])?;
        self.emit(Op::MADDXrrr, &[to, a, b, ZERO])?;
        self.emit(Op::SUBSXri, &[ZERO, high, Operand::imm(0), Operand::imm(0)])?;
        self.set(overflow, Condition::NOT_EQUAL)
    }

    /// Emits a product of 32-bit factors in 64 bits; its high half is tested likewise.
    fn short_product(&mut self) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [a, b] = self.factors()?;
        let product = self.new_int()?;
        if self.generic == Generic::Smulo {
            self.emit(Op::SMADDLrrr, &[product, a, b, ZERO])?;
            self.emit(Op::SUBSXrx, &[ZERO, product, product, SXTW])?;
        } else {
            self.emit(Op::UMADDLrrr, &[product, a, b, ZERO])?;
            self.emit(Op::SUBSXrs, &[ZERO, ZERO, product, right_by(32)])?;
        }
        self.copy(to, product)?;
        self.set(overflow, Condition::NOT_EQUAL)
    }
}
