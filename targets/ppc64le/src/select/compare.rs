//! Selection for comparisons: the condition register field that they set, and branches and numbers
//! made from it.

use super::Selector;
use crate::insns::Op;
use crate::registers::{CR0, CR0EQ, CR0GT, CR0LT, CR0UN, CTR8};
use mir_nostd::codegen::Error;
use mir_nostd::machine::{FloatPredicate, Generic, IntPredicate, LowType, Operand, Reg};
use mir_nostd::target::Materialise;

/// A condition: a bit of the field that comparisons set, and the value it must have.
#[derive(Clone, Copy)]
pub(super) struct Condition {
    bit: u8,
    is_set: bool,
}

const BITS: [Reg; 4] = [CR0LT, CR0GT, CR0EQ, CR0UN];
const LESS: u8 = 0;
const GREATER: u8 = 1;
const EQUAL: u8 = 2;
const UNORDERED: u8 = 3;

impl Condition {
    const fn new(bit: u8, is_set: bool) -> Condition {
        Condition { bit, is_set }
    }

    /// Returns LLVM's number of the predicate: the branch options, and above them the bit.
    fn operand(self) -> Operand {
        let branch = if self.is_set { 12 } else { 4 };
        Operand::imm(i32::from(self.bit) << 5 | branch)
    }
}

const fn condition(predicate: IntPredicate) -> Condition {
    match predicate {
        IntPredicate::Eq => Condition::new(EQUAL, true),
        IntPredicate::Ne => Condition::new(EQUAL, false),
        IntPredicate::Slt | IntPredicate::Ult => Condition::new(LESS, true),
        IntPredicate::Sge | IntPredicate::Uge => Condition::new(LESS, false),
        IntPredicate::Sgt | IntPredicate::Ugt => Condition::new(GREATER, true),
        IntPredicate::Sle | IntPredicate::Ule => Condition::new(GREATER, false),
    }
}

const fn is_unsigned(predicate: IntPredicate) -> bool {
    use IntPredicate as P;
    matches!(predicate, P::Ult | P::Ule | P::Ugt | P::Uge)
}

impl Selector<'_, '_, '_> {
    /// Branches to the block if the condition holds.
    fn branch(&mut self, block: Operand, condition: Condition) -> Result<(), Error> {
        self.emit(Op::BCC, &[condition.operand(), Operand::reg(CR0), block])
    }

    /// Emits `to` = 1 if the condition holds, else 0.
    fn set(&mut self, to: Operand, Condition { bit, is_set }: Condition) -> Result<(), Error> {
        let fields = self.compute(Op::MFOCRF8, &[Operand::reg(CR0)])?;
        let rotation = i32::from(bit) + 1;
        if is_set {
            return self.rotate_word(to, fields, rotation, 31, 31);
        }
        let value = self.new_int()?;
        self.rotate_word(value, fields, rotation, 31, 31)?;
        self.emit(Op::XORI8, &[to, value, Operand::imm(1)])
    }

    /// Emits `to` = `a` if the field's bit is set, else `b`.
    pub(super) fn choose(
        &mut self,
        to: Operand,
        a: Operand,
        b: Operand,
        bit: Reg,
    ) -> Result<(), Error> {
        self.emit(Op::ISEL8, &[to, a, b, Operand::reg(bit)])
    }

    /// Selects a comparison of integers, for its value or for a branch.
    pub(super) fn comparison(&mut self) -> Result<(), Error> {
        let first = usize::from(self.generic != Generic::BrIcmp);
        let Some(predicate) = self.operand(first).as_int_predicate() else {
            return self.unknown();
        };
        let given = [self.operand(first + 1), self.operand(first + 2)];
        if self.generic == Generic::BrIcmp && given[0].as_reg() == Some(CTR8) {
            let is_taken_at_zero = predicate == IntPredicate::Eq;
            let op = if is_taken_at_zero {
                Op::BDZ8
            } else {
                Op::BDNZ8
            };
            let block = self.operand(3);
            return self.emit(op, &[block]);
        }
        let [a, b] = self.immediate_last(given[0], given[1]);
        let predicate = if a == given[0] {
            predicate
        } else {
            predicate.swapped()
        };
        let a = self.register(a)?;
        if self.generic == Generic::BrIcmp {
            self.compare(predicate, a, b)?;
            return self.branch(self.operand(3), condition(predicate));
        }
        let to = self.operand(0);
        if self.generic == Generic::Select {
            return self.select_value(to, predicate, a, b);
        }
        if !self.set_without_field(to, predicate, a, b)? {
            self.compare(predicate, a, b)?;
            self.set(to, condition(predicate))?;
        }
        Ok(())
    }

    /// Emits `to` = the fourth operand if the comparison holds, else the fifth.
    fn select_value(
        &mut self,
        to: Operand,
        predicate: IntPredicate,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let Condition { bit, is_set } = condition(predicate);
        let [one, other] = [self.operand(4), self.operand(5)];
        let [one, other] = if is_set { [one, other] } else { [other, one] };
        let [one, other] = [self.register(one)?, self.register(other)?];
        self.compare(predicate, a, b)?;
        let bit = BITS.get(usize::from(bit)).copied();
        self.choose(to, one, other, bit.unwrap_or(CR0EQ))
    }

    fn compare(&mut self, predicate: IntPredicate, a: Operand, b: Operand) -> Result<(), Error> {
        let is_equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        let field = Operand::reg(CR0);
        let value = self.immediate(b);
        let bits = value.map(|value| {
            if self.is_wide() {
                value.cast_unsigned()
            } else {
                u64::from(value as u32)
            }
        });
        let signed = value.and_then(|value| i16::try_from(value).ok());
        if let (Some(value), false) = (signed, is_unsigned(predicate)) {
            let value = Operand::imm(i32::from(value));
            return self.emit_sized([Op::CMPDI, Op::CMPWI], &[field, a, value]);
        }
        let unsigned = bits.and_then(|bits| u16::try_from(bits).ok());
        if let (Some(value), true) = (unsigned, is_unsigned(predicate) || is_equality) {
            let value = Operand::imm(i32::from(value));
            return self.emit_sized([Op::CMPLDI, Op::CMPLWI], &[field, a, value]);
        }
        let b = self.register(b)?;
        let op = if is_unsigned(predicate) {
            [Op::CMPLD, Op::CMPLW]
        } else {
            [Op::CMPD, Op::CMPW]
        };
        self.emit_sized(op, &[field, a, b])
    }

    /// Computes the value of a comparison by arithmetic, if that is shorter; returns whether it
    /// did.
    fn set_without_field(
        &mut self,
        to: Operand,
        predicate: IntPredicate,
        a: Operand,
        b: Operand,
    ) -> Result<bool, Error> {
        use IntPredicate as P;
        let value = self.immediate(b);
        match (predicate, value) {
            (P::Eq | P::Ne, _) => {
                let difference = self.difference(a, b)?;
                self.set_by_zeros(to, predicate == P::Eq, difference)?;
            }
            (P::Slt, Some(0)) => self.sign(to, a)?,
            (P::Sge, Some(0)) | (P::Sgt, Some(-1)) => {
                let inverse = self.compute(Op::NOR8, &[a, a])?;
                self.sign(to, inverse)?;
            }
            (P::Ult, None) if self.is_wide() => self.is_below(to, a, b)?,
            (P::Ugt, None) if self.is_wide() => self.is_below(to, b, a)?,
            (P::Uge, None) if self.is_wide() => self.is_not_below(to, a, b)?,
            (P::Ule, None) if self.is_wide() => self.is_not_below(to, b, a)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns a register that is 0 if and only if the sources are equal.
    fn difference(&mut self, a: Operand, b: Operand) -> Result<Operand, Error> {
        match self.immediate(b) {
            Some(0) => Ok(a),
            Some(value) if u16::try_from(value).is_ok() => {
                self.emit_new(Op::XORI8, &[a], value as i32)
            }
            Some(value) if i16::try_from(value).is_ok() => {
                self.emit_new(Op::ADDI8, &[a], -(value as i32))
            }
            _ => {
                let b = self.register(b)?;
                self.compute(Op::XOR8, &[a, b])
            }
        }
    }

    /// Emits `to` = whether `a` is 0, or whether it is not: only 0 has as many leading zeros as
    /// bits.
    fn set_by_zeros(&mut self, to: Operand, is_equal: bool, a: Operand) -> Result<(), Error> {
        if !is_equal && self.is_wide() {
            return self.is_not_zero(to, a);
        }
        let zeros = self.compute(self.sized([Op::CNTLZD, Op::CNTLZW]), &[a])?;
        if self.is_wide() {
            return self.shift_right(to, zeros, 6);
        }
        let is_zero = if is_equal { to } else { self.new_int()? };
        self.rotate_word(is_zero, zeros, 27, 5, 31)?;
        if is_equal {
            return Ok(());
        }
        self.emit(Op::XORI8, &[to, is_zero, Operand::imm(1)])
    }

    fn is_below(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        let difference = self.compute(Op::SUBFC8, &[b, a])?;
        self.borrow(to, difference)
    }

    fn is_not_below(&mut self, to: Operand, a: Operand, b: Operand) -> Result<(), Error> {
        self.compute(Op::SUBFC8, &[b, a])?;
        let zero = self.emit_new(Op::LI8, &[], 0)?;
        self.emit(Op::ADDZE8, &[to, zero])
    }

    /// Selects a comparison of floats, for its value or for a branch.
    pub(super) fn float_comparison(&mut self) -> Result<(), Error> {
        let first = usize::from(self.generic == Generic::Fcmp);
        let Some(predicate) = self.operand(first).as_float_predicate() else {
            return self.unknown();
        };
        let [a, b] = [self.operand(first + 1), self.operand(first + 2)];
        let condition = self.float_condition(predicate, a, b)?;
        if self.generic == Generic::Fcmp {
            self.set(self.operand(0), condition)
        } else {
            self.branch(self.operand(3), condition)
        }
    }

    fn float_condition(
        &mut self,
        predicate: FloatPredicate,
        a: Operand,
        b: Operand,
    ) -> Result<Condition, Error> {
        use FloatPredicate as P;
        let op = if self.ty == LowType::S32 {
            Op::FCMPUS
        } else {
            Op::FCMPUD
        };
        self.emit(op, &[Operand::reg(CR0), a, b])?;
        let either = match predicate {
            P::Oeq => return Ok(Condition::new(EQUAL, true)),
            P::Une => return Ok(Condition::new(EQUAL, false)),
            P::Olt => return Ok(Condition::new(LESS, true)),
            P::Uge => return Ok(Condition::new(LESS, false)),
            P::Ogt => return Ok(Condition::new(GREATER, true)),
            P::Ule => return Ok(Condition::new(GREATER, false)),
            P::Ole | P::Ugt => LESS,
            P::Oge | P::Ult => GREATER,
        };
        self.join_with_equal(either)?;
        let is_set = matches!(predicate, P::Ole | P::Oge);
        Ok(Condition::new(UNORDERED, is_set))
    }

    /// Sets the last bit of the field to the OR of a bit and that for equality.
    fn join_with_equal(&mut self, a: u8) -> Result<(), Error> {
        let bit = |bit: u8| {
            BITS.get(usize::from(bit))
                .map_or(Operand::NO_REG, |&bit| Operand::reg(bit))
        };
        self.emit(Op::CROR, &[bit(UNORDERED), bit(a), bit(EQUAL)])
    }
}
