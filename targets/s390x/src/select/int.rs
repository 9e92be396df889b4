//! Selection for integers: addition, subtraction, shifts, comparisons.

use super::{Condition, EQUAL, GREATER, LESS, Pair, Selector};
use crate::insns::Op;
use mir_nostd::codegen::Error;
use mir_nostd::machine::{Generic, IntPredicate, Operand};
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
            G::Shl => self.shift([Op::SLLG, Op::SLLK]),
            G::Lshr => self.shift([Op::SRLG, Op::SRLK]),
            G::Ashr => self.shift([Op::SRAG, Op::SRAK]),
            G::Rotl => self.rotate(),
            G::Bswap => self.emit_sized([Op::LRVGR, Op::LRVR], &[to, a]),
            G::Saddo => self.add_overflowing(self.operand(3)),
            G::Ssubo => self.sub_overflowing(),
            G::Uaddo => {
                let registers = [Op::ALGRK, Op::ALRK];
                self.unsigned_overflowing(registers, [Op::ALGFI, Op::ALFI], Condition::CARRY)
            }
            G::Usubo => {
                let registers = [Op::SLGRK, Op::SLRK];
                self.unsigned_overflowing(registers, [Op::SLGFI, Op::SLFI], Condition::BORROW)
            }
            G::Icmp => {
                let condition = self.compare(1)?;
                self.set(to, condition)
            }
            G::BrIcmp => self.compare_and_branch(),
            G::Select => self.choose(to),
            _ => self.logic(),
        }
    }

    fn extend(&mut self, to: Operand, a: Operand, bits: Operand) -> Result<(), Error> {
        let is_signed = self.generic == Generic::SextInreg;
        let op = match (bits.small(), is_signed) {
            (Some(8), true) => Op::LGBR,
            (Some(16), true) => Op::LGHR,
            (Some(32), true) => Op::LGFR,
            (Some(8), false) => Op::LLGCR,
            (Some(16), false) => Op::LLGHR,
            (Some(32), false) => Op::LLGFR,
            _ => return self.unknown(),
        };
        let a = self.register(a)?;
        self.emit(op, &[to, a])
    }

    fn add(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        match self.immediate(b).map(i32::try_from) {
            Some(Ok(0)) => self.copy(to, a),
            Some(Ok(value)) => self.add_immediate(to, a, value),
            _ => {
                let b = self.register(b)?;
                self.emit_sized([Op::AGRK, Op::ARK], &[to, a, b])
            }
        }
    }

    /// Emits the addition of a number: in place, or as an address, or in three operands.
    fn add_immediate(&mut self, to: Operand, a: Operand, value: i32) -> Result<(), Error> {
        let none = Operand::NO_REG;
        let number = Operand::imm(value);
        let is_short = i16::try_from(value).is_ok();
        if is_short && to.as_reg() == a.as_reg() {
            return self.emit_sized([Op::AGHI, Op::AHI], &[to, a, number]);
        }
        if (0..4096).contains(&value) {
            return self.emit(Op::LA, &[to, a, number, none]);
        }
        if is_short {
            return self.emit_sized([Op::AGHIK, Op::AHIK], &[to, a, number]);
        }
        if crate::is_reached(value) {
            return self.emit(Op::LAY, &[to, a, number, none]);
        }
        self.emit_sized([Op::AGFI, Op::AFI], &[to, a, number])
    }

    fn sub(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        if self.immediate(a) == Some(0) {
            let b = self.register(b)?;
            return self.emit_sized([Op::LCGR, Op::LCR], &[to, b]);
        }
        let negated = self.immediate(b).and_then(i64::checked_neg);
        if let Some(negated) = negated.and_then(|value| i32::try_from(value).ok()) {
            return self.add(to, a, Operand::imm(negated));
        }
        let [a, b] = [self.register(a)?, self.register(b)?];
        self.emit_sized([Op::SGRK, Op::SRK], &[to, a, b])
    }

    /// Emits a shift. The machine takes the last 6 bits of the amount, which is one too many for 32
    /// bits.
    fn shift(&mut self, ops: Pair) -> Result<(), Error> {
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        let a = self.register(a)?;
        let mask = if self.is_wide() { 63 } else { 31 };
        if let Some(by) = self.out.immediate(b) {
            return match by as i32 & mask {
                0 => self.copy(to, a),
                by => self.emit_sized(ops, &[to, a, Operand::NO_REG, Operand::imm(by)]),
            };
        }
        let mut amount = b;
        if !self.is_wide() {
            amount = self.new_int()?;
            self.bits(amount, b, [59, 63])?;
        }
        self.emit_sized(ops, &[to, a, amount, Operand::imm(0)])
    }

    fn rotate(&mut self) -> Result<(), Error> {
        let [to, a, b] = [self.operand(0), self.operand(1), self.operand(2)];
        let (a, none) = (self.register(a)?, Operand::NO_REG);
        let [by, more] = match self.out.immediate(b) {
            Some(by) => [none, Operand::imm(by as i32 & 63)],
            None => [b, Operand::imm(0)],
        };
        self.emit_sized([Op::RLLG, Op::RLL], &[to, a, by, more])
    }

    // ---- overflow

    fn add_overflowing(&mut self, b: Operand) -> Result<(), Error> {
        let [to, overflow, a] = [self.operand(0), self.operand(1), self.operand(2)];
        let [a, b] = self.immediate_last(a, b);
        let a = self.register(a)?;
        match self.immediate(b).map(i32::try_from) {
            Some(Ok(value)) => self.add_number_overflowing(to, overflow, a, value),
            _ => {
                let b = self.register(b)?;
                // These opcodes are never folded into instructions that do not set the overflow.
                self.emit_sized([Op::AGR, Op::AR], &[to, a, b])?;
                self.set(overflow, Condition::OVERFLOW)
            }
        }
    }

    fn sub_overflowing(&mut self) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [a, b] = [self.operand(2), self.operand(3)];
        let value = self
            .immediate(b)
            .and_then(|value| i32::try_from(value).ok());
        if let Some(negated) = value.and_then(i32::checked_neg) {
            let a = self.register(a)?;
            return self.add_number_overflowing(to, overflow, a, negated);
        }
        let [a, b] = [self.register(a)?, self.register(b)?];
        self.emit_sized([Op::SGR, Op::SR], &[to, a, b])?;
        self.set(overflow, Condition::OVERFLOW)
    }

    fn add_number_overflowing(
        &mut self,
        to: Operand,
        overflow: Operand,
        a: Operand,
        value: i32,
    ) -> Result<(), Error> {
        let is_short = i16::try_from(value).is_ok();
        let ops = if is_short {
            [Op::AGHIK, Op::AHIK]
        } else {
            [Op::AGFI, Op::AFI]
        };
        self.emit_sized(ops, &[to, a, Operand::imm(value)])?;
        self.set(overflow, Condition::OVERFLOW)
    }

    fn unsigned_overflowing(
        &mut self,
        registers: Pair,
        immediate: Pair,
        condition: Condition,
    ) -> Result<(), Error> {
        let [to, overflow] = [self.operand(0), self.operand(1)];
        let [mut a, mut b] = [self.operand(2), self.operand(3)];
        if self.generic == Generic::Uaddo {
            [a, b] = self.immediate_last(a, b);
        }
        a = self.register(a)?;
        match self.unsigned(b) {
            Some(value) => {
                let value = self.out.function.int(value)?;
                self.emit_sized(immediate, &[to, a, value])?;
            }
            None => {
                b = self.register(b)?;
                self.emit_sized(registers, &[to, a, b])?;
            }
        }
        self.set(overflow, condition)
    }

    /// Returns an immediate as an unsigned number of 32 bits.
    fn unsigned(&self, operand: Operand) -> Option<i64> {
        let value = self.out.immediate(operand)?;
        if self.is_wide() {
            u32::try_from(value).ok().map(i64::from)
        } else {
            Some(i64::from(value as u32))
        }
    }

    // ---- comparisons

    /// Returns the predicate at operand `first` and the two operands after it, with an immediate
    /// second.
    fn comparison(&self, first: usize) -> Result<(IntPredicate, Operand, Operand), Error> {
        let Some(mut predicate) = self.operand(first).as_int_predicate() else {
            return self.unknown();
        };
        let given = [self.operand(first + 1), self.operand(first + 2)];
        let [a, b] = self.immediate_last(given[0], given[1]);
        if a != given[0] {
            predicate = predicate.swapped();
        }
        Ok((predicate, a, b))
    }

    /// Emits the comparison that operand `first`, the predicate, and the two operands after it
    /// describe.
    fn compare(&mut self, first: usize) -> Result<Condition, Error> {
        let (predicate, a, b) = self.comparison(first)?;
        let a = self.register(a)?;
        self.emit_comparison(predicate, a, b)?;
        Ok(condition(predicate))
    }

    fn emit_comparison(
        &mut self,
        predicate: IntPredicate,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let signed = self
            .immediate(b)
            .and_then(|value| i32::try_from(value).ok());
        let any = is_any(predicate);
        if let (Some(value), false) = (signed, is_unsigned(predicate)) {
            let is_short = i16::try_from(value).is_ok();
            let ops = if is_short {
                [Op::CGHI, Op::CHI]
            } else {
                [Op::CGFI, Op::CFI]
            };
            return self.emit_sized(ops, &[a, Operand::imm(value)]);
        }
        if let (Some(value), true) = (self.unsigned(b), any || is_unsigned(predicate)) {
            let value = self.out.function.int(value)?;
            return self.emit_sized([Op::CLGFI, Op::CLFI], &[a, value]);
        }
        let b = self.register(b)?;
        let ops = if is_unsigned(predicate) {
            [Op::CLGR, Op::CLR]
        } else {
            [Op::CGR, Op::CR]
        };
        self.emit_sized(ops, &[a, b])
    }

    /// Emits `to` = the fourth operand if the comparison holds, else the fifth: 64 bits, whatever
    /// the type of the comparison.
    fn choose(&mut self, to: Operand) -> Result<(), Error> {
        let [x, y] = [self.operand(4), self.operand(5)];
        // Values that need instructions of their own come before the comparison, which sets the
        // flags.
        let [x, y] = [self.register(x)?, self.register(y)?];
        let [valid, mask] = self.compare(1)?.operands();
        self.emit(Op::LOCGR, &[to, y, x, valid, mask])
    }

    /// Emits a compare-and-branch instruction if there is one for the operands, else a comparison
    /// and a branch.
    fn compare_and_branch(&mut self) -> Result<(), Error> {
        let (predicate, a, b) = self.comparison(0)?;
        let block = self.operand(3);
        let mask = Operand::imm(condition(predicate).mask);
        let a = self.register(a)?;
        if self.out.immediate(b).is_none() {
            let b = self.register(b)?;
            let ops = if is_unsigned(predicate) {
                [Op::CLGRJ, Op::CLRJ]
            } else {
                [Op::CGRJ, Op::CRJ]
            };
            return self.emit_sized(ops, &[a, b, mask, block]);
        }
        let signed = self.immediate(b).and_then(|value| i8::try_from(value).ok());
        if let (Some(value), false) = (signed, is_unsigned(predicate)) {
            let value = Operand::imm(i32::from(value));
            return self.emit_sized([Op::CGIJ, Op::CIJ], &[a, value, mask, block]);
        }
        let unsigned = self.unsigned(b).and_then(|value| u8::try_from(value).ok());
        let any = is_any(predicate);
        if let (Some(value), true) = (unsigned, any || is_unsigned(predicate)) {
            let value = Operand::imm(i32::from(value));
            return self.emit_sized([Op::CLGIJ, Op::CLIJ], &[a, value, mask, block]);
        }
        self.emit_comparison(predicate, a, b)?;
        self.branch(block, condition(predicate))
    }
}

/// Returns whether a predicate is the same for signed and unsigned numbers.
const fn is_any(predicate: IntPredicate) -> bool {
    matches!(predicate, IntPredicate::Eq | IntPredicate::Ne)
}

const fn is_unsigned(predicate: IntPredicate) -> bool {
    use IntPredicate as P;
    matches!(predicate, P::Ult | P::Ule | P::Ugt | P::Uge)
}

const fn condition(predicate: IntPredicate) -> Condition {
    use IntPredicate as P;
    Condition::compared(match predicate {
        P::Eq => EQUAL,
        P::Ne => LESS | GREATER,
        P::Slt | P::Ult => LESS,
        P::Sle | P::Ule => LESS | EQUAL,
        P::Sgt | P::Ugt => GREATER,
        P::Sge | P::Uge => GREATER | EQUAL,
    })
}
