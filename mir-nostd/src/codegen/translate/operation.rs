//! The operations that C has no operators for: one generic instruction where the target has it,
//! else several that do the same.
//!
//! The sequences are those of H. S. Warren, Hacker's Delight, chapters 2, 5 and 7, but for the
//! floating ones, which go through integers, so that they do not depend on the rounding mode.

use super::Translator;
use super::meaning::Kind;
use super::values::{def, no_index};
use crate::codegen::helper::Helper;
use crate::ir::{InsnId, Type};
use crate::machine::{Bank, BlockId, FloatPredicate, Generic, IntPredicate, LowType, Operand};
use crate::num::Operation;
use crate::target::error::Error;

/// The masks of groups of 1, 2, 4 and so on bits, every other group.
const MASKS: [i64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
];

/// The sources of an operation on floats of a type.
#[derive(Clone, Copy)]
struct Floats {
    ty: LowType,
    to: Operand,
    a: Operand,
    b: Operand,
    c: Operand,
}

impl Translator<'_, '_, '_, '_> {
    pub(super) fn operation(
        &mut self,
        insn: InsnId,
        operation: Operation,
        ty: Type,
    ) -> Result<(), Error> {
        let kind = match ty {
            Type::F => Kind::Float,
            Type::D => Kind::Double,
            _ => return self.operation_on_integers(insn, operation, ty),
        };
        self.with_output(insn, kind.class(), |this, to| {
            let count = this.module.code(insn).modes().len();
            let mut sources = [Operand::NO_REG; 3];
            for (number, source) in (1..count).zip(&mut sources) {
                *source = this.float_operand(insn, number, kind)?;
            }
            let [a, b, c] = sources;
            let ty = this.type_of(kind.class());
            this.operation_on_floats(operation, Floats { ty, to, a, b, c })
        })
    }

    // ---- integers

    fn operation_on_integers(
        &mut self,
        insn: InsnId,
        operation: Operation,
        ty: Type,
    ) -> Result<(), Error> {
        use Operation as O;
        let low = match ty.size() {
            8 => LowType::S64,
            _ => LowType::S32,
        };
        self.with_output(insn, crate::ir::Class::Int, |this, to| {
            let a = this.int_operand(insn, 1)?;
            let a = this.in_register(a)?;
            let result = match operation {
                O::Rotl | O::Rotr => {
                    let by = this.int_operand(insn, 2)?;
                    return this.rotate(to, low, a, by, operation == O::Rotl);
                }
                O::Min | O::Max => {
                    let b = this.int_operand(insn, 2)?;
                    let is_less = match ty.is_signed() {
                        true => IntPredicate::Slt,
                        false => IntPredicate::Ult,
                    };
                    let holds = match operation {
                        O::Min => is_less,
                        _ => is_less.swapped(),
                    };
                    return this.choose_one(to, low, holds, a, b);
                }
                O::Clz => this.leading_zeros(low, a)?,
                O::Ctz => this.trailing_zeros(low, a)?,
                O::Popcnt => this.population(low, a)?,
                O::Bswap if ty.size() == 2 => this.swap_two_bytes(a)?,
                O::Bswap => this.swap_bytes(low, a)?,
                _ => this.reverse_bits(low, a)?,
            };
            this.copy(to, result)
        })
    }

    /// Returns the result of a generic instruction on integers.
    fn computed(
        &mut self,
        generic: Generic,
        ty: LowType,
        sources: &[Operand],
    ) -> Result<Operand, Error> {
        let result = self.temp()?;
        self.emit_to(result, generic, ty, sources)?;
        Ok(result)
    }

    fn emit_to(
        &mut self,
        to: Operand,
        generic: Generic,
        ty: LowType,
        sources: &[Operand],
    ) -> Result<(), Error> {
        match *sources {
            [a] => self.emit(generic, ty, &[def(to), a]),
            [a, b] => self.emit(generic, ty, &[def(to), a, b]),
            [a, b, c] => self.emit(generic, ty, &[def(to), a, b, c]),
            _ => Err(self.internal()),
        }
    }

    /// Returns the result of an instruction on a register and a number of the type.
    fn with_number(
        &mut self,
        generic: Generic,
        ty: LowType,
        a: Operand,
        number: i64,
    ) -> Result<Operand, Error> {
        let number = match ty {
            LowType::S32 => i64::from(number as i32),
            _ => number,
        };
        let number = self.function.int(number)?;
        self.computed(generic, ty, &[a, number])
    }

    fn has(&self, generic: Generic) -> bool {
        self.isa.description().has(generic)
    }

    fn rotate(
        &mut self,
        to: Operand,
        ty: LowType,
        a: Operand,
        by: Operand,
        is_left: bool,
    ) -> Result<(), Error> {
        let last = i64::from(ty.bits()) - 1;
        let negated = match self.function.immediate(by) {
            Some(by) => self.function.int(by.wrapping_neg() & last)?,
            None => self.computed(Generic::Sub, ty, &[Operand::imm(0), by])?,
        };
        let by = match self.function.immediate(by) {
            Some(by) => self.function.int(by & last)?,
            None => by,
        };
        let (up, down) = if is_left {
            (by, negated)
        } else {
            (negated, by)
        };
        if self.function.immediate(up) == Some(0) {
            return self.copy(to, a);
        }
        if self.has(Generic::Rotl) {
            return self.emit(Generic::Rotl, ty, &[def(to), a, up]);
        }
        let high = self.computed(Generic::Shl, ty, &[a, up])?;
        let low = self.computed(Generic::Lshr, ty, &[a, down])?;
        self.emit(Generic::Or, LowType::S64, &[def(to), high, low])
    }

    /// Emits `to` = `a` if it compares so with `b`, else `b`.
    fn choose_one(
        &mut self,
        to: Operand,
        ty: LowType,
        holds: IntPredicate,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let predicate = Operand::int_predicate(holds);
        let other = self.in_register(b)?;
        if self.has(Generic::Select) {
            let operands = [def(to), predicate, a, b, a, other];
            return self.emit(Generic::Select, ty, &operands);
        }
        let holds = self.computed(Generic::Icmp, ty, &[predicate, a, b])?;
        let mask = self.computed(Generic::Sub, LowType::S64, &[Operand::imm(0), holds])?;
        let difference = self.computed(Generic::Xor, LowType::S64, &[a, other])?;
        let kept = self.computed(Generic::And, LowType::S64, &[difference, mask])?;
        self.emit(Generic::Xor, LowType::S64, &[def(to), other, kept])
    }

    fn leading_zeros(&mut self, ty: LowType, a: Operand) -> Result<Operand, Error> {
        if self.has(Generic::Ctlz) {
            return self.computed(Generic::Ctlz, ty, &[a]);
        }
        let mut filled = a;
        for by in (0..6).map(|power| 1 << power).filter(|&by| by < ty.bits()) {
            let below = self.with_number(Generic::Lshr, ty, filled, i64::from(by))?;
            filled = self.computed(Generic::Or, LowType::S64, &[filled, below])?;
        }
        let above = self.with_number(Generic::Xor, LowType::S64, filled, -1)?;
        self.population(ty, above)
    }

    fn trailing_zeros(&mut self, ty: LowType, a: Operand) -> Result<Operand, Error> {
        if self.has(Generic::Cttz) {
            return self.computed(Generic::Cttz, ty, &[a]);
        }
        if self.has(Generic::Bitreverse) && self.has(Generic::Ctlz) {
            let reversed = self.computed(Generic::Bitreverse, ty, &[a])?;
            return self.computed(Generic::Ctlz, ty, &[reversed]);
        }
        // Ones where the zeros are.
        let less = self.with_number(Generic::Add, LowType::S64, a, -1)?;
        let inverse = self.with_number(Generic::Xor, LowType::S64, a, -1)?;
        let zeros = self.computed(Generic::And, LowType::S64, &[inverse, less])?;
        if self.has(Generic::Ctlz) && !self.has(Generic::Ctpop) {
            let above = self.computed(Generic::Ctlz, ty, &[zeros])?;
            let width = Operand::imm(ty.bits() as i32);
            return self.computed(Generic::Sub, LowType::S64, &[width, above]);
        }
        self.population(ty, zeros)
    }

    /// Counts the ones; the count is the whole result.
    fn population(&mut self, ty: LowType, a: Operand) -> Result<Operand, Error> {
        let ones = self.ones(ty, a)?;
        if ty != LowType::S32 {
            return Ok(ones);
        }
        // Instructions on 32 bits may leave anything in the high half.
        let half = Operand::imm(32);
        self.computed(Generic::ZextInreg, LowType::S64, &[ones, half])
    }

    /// Counts the ones: in groups of 2, 4 and 8 bits at once, which a product adds.
    fn ones(&mut self, ty: LowType, a: Operand) -> Result<Operand, Error> {
        if self.has(Generic::Ctpop) {
            return self.computed(Generic::Ctpop, ty, &[a]);
        }
        let [twos, fours, eights, ..] = MASKS;
        let upper = self.with_number(Generic::Lshr, ty, a, 1)?;
        let upper = self.with_number(Generic::And, ty, upper, twos)?;
        let pairs = self.computed(Generic::Sub, ty, &[a, upper])?;
        let upper = self.with_number(Generic::Lshr, ty, pairs, 2)?;
        let upper = self.with_number(Generic::And, ty, upper, fours)?;
        let lower = self.with_number(Generic::And, ty, pairs, fours)?;
        let nibbles = self.computed(Generic::Add, ty, &[lower, upper])?;
        let upper = self.with_number(Generic::Lshr, ty, nibbles, 4)?;
        let sums = self.computed(Generic::Add, ty, &[nibbles, upper])?;
        let bytes = self.with_number(Generic::And, ty, sums, eights)?;
        let all = self.with_number(Generic::Mul, ty, bytes, 0x0101_0101_0101_0101)?;
        self.with_number(Generic::Lshr, ty, all, i64::from(ty.bits()) - 8)
    }

    fn swap_two_bytes(&mut self, a: Operand) -> Result<Operand, Error> {
        let ty = LowType::S64;
        let upper = self.with_number(Generic::Lshr, ty, a, 8)?;
        let upper = self.with_number(Generic::And, ty, upper, 0xFF)?;
        let lower = self.with_number(Generic::And, ty, a, 0xFF)?;
        let lower = self.with_number(Generic::Shl, ty, lower, 8)?;
        self.computed(Generic::Or, ty, &[upper, lower])
    }

    fn swap_bytes(&mut self, ty: LowType, a: Operand) -> Result<Operand, Error> {
        if self.has(Generic::Bswap) {
            return self.computed(Generic::Bswap, ty, &[a]);
        }
        self.exchange_groups(ty, a, 3)
    }

    fn reverse_bits(&mut self, ty: LowType, a: Operand) -> Result<Operand, Error> {
        if self.has(Generic::Bitreverse) {
            return self.computed(Generic::Bitreverse, ty, &[a]);
        }
        if !self.has(Generic::Bswap) {
            return self.exchange_groups(ty, a, 0);
        }
        let mut reversed = a;
        for power in 0..3 {
            reversed = self.exchange_neighbours(ty, reversed, power)?;
        }
        self.swap_bytes(ty, reversed)
    }

    /// Reverses the order of groups of 2 to the power `first` bits: neighbours are exchanged, then
    /// pairs of them, and so on; at last the halves.
    fn exchange_groups(&mut self, ty: LowType, a: Operand, first: u32) -> Result<Operand, Error> {
        let last = ty.bits().trailing_zeros() - 1;
        let mut reversed = a;
        for power in first..last {
            reversed = self.exchange_neighbours(ty, reversed, power)?;
        }
        let result = self.temp()?;
        let half = Operand::imm(1 << last);
        self.rotate(result, ty, reversed, half, true)?;
        Ok(result)
    }

    fn exchange_neighbours(
        &mut self,
        ty: LowType,
        a: Operand,
        power: u32,
    ) -> Result<Operand, Error> {
        let mask = MASKS.get(power as usize).copied().unwrap_or(0);
        let by = 1 << power;
        let upper = self.with_number(Generic::Lshr, ty, a, by)?;
        let upper = self.with_number(Generic::And, ty, upper, mask)?;
        let lower = self.with_number(Generic::And, ty, a, mask)?;
        let lower = self.with_number(Generic::Shl, ty, lower, by)?;
        self.computed(Generic::Or, LowType::S64, &[upper, lower])
    }

    // ---- floats

    fn operation_on_floats(&mut self, operation: Operation, of: Floats) -> Result<(), Error> {
        use Operation as O;
        let Floats { ty, to, a, b, c } = of;
        let (generic, count) = match operation {
            O::Sqrt => (Generic::Fsqrt, 1),
            O::Copysign => (Generic::Fcopysign, 2),
            O::Floor => (Generic::Ffloor, 1),
            O::Ceil => (Generic::Fceil, 1),
            O::Trunc => (Generic::Ftrunc, 1),
            O::Nearest => (Generic::Froundeven, 1),
            O::Fmin => (Generic::Fminimumnum, 2),
            O::Fmax => (Generic::Fmaximumnum, 2),
            _ => (Generic::Fma, 3),
        };
        if matches!(operation, O::Sqrt | O::Copysign) || self.has(generic) {
            let sources = [a, b, c];
            return self.emit_to(to, generic, ty, sources.get(..count).unwrap_or(&[]));
        }
        match operation {
            O::Fma => self.fused_product(of),
            O::Fmin => self.choose_number(of, FloatPredicate::Olt),
            O::Fmax => self.choose_number(of, FloatPredicate::Ogt),
            _ => self.round_through_integer(of, operation),
        }
    }

    fn new_float(&mut self, ty: LowType) -> Result<Operand, Error> {
        Ok(self.vreg(Bank::Floating, ty)?.into())
    }

    /// Returns a floating constant, which both types have.
    fn number(&mut self, ty: LowType, number: f32) -> Result<Operand, Error> {
        let bits = match ty {
            LowType::S32 => i64::from(number.to_bits()),
            _ => f64::from(number).to_bits().cast_signed(),
        };
        let (constant, bits) = (self.new_float(ty)?, self.function.int(bits)?);
        self.emit(Generic::FConstant, ty, &[def(constant), bits])?;
        Ok(constant)
    }

    /// Goes to the block if the comparison of floats holds, else on in a new block.
    fn branch_on_floats(
        &mut self,
        ty: LowType,
        predicate: FloatPredicate,
        [a, b]: [Operand; 2],
        target: BlockId,
    ) -> Result<(), Error> {
        let predicate = Operand::float_predicate(predicate);
        self.emit(
            Generic::BrFcmp,
            ty,
            &[predicate, a, b, Operand::block(target)],
        )?;
        self.go_on()
    }

    /// Emits a product plus a number by a routine of the runtime, which replaces the first of three
    /// numbers in memory.
    fn fused_product(&mut self, of: Floats) -> Result<(), Error> {
        let (ty, helper) = match of.ty {
            LowType::S32 => (Type::F, Helper::FmaFloat),
            _ => (Type::D, Helper::FmaDouble),
        };
        let numbers = Operand::frame(self.function.add_local(24, 8)?);
        for (number, value) in (0..).zip([of.a, of.b, of.c]) {
            let place = no_index(numbers, number * ty.size() as i32);
            self.store(value, ty, place)?;
        }
        self.call_helper(helper, &[numbers])?;
        self.load_into(of.to, ty, no_index(numbers, 0))
    }

    /// Emits `to` = `a` if it compares so with `b`, else `b`; the number of one and a NaN; of zeros
    /// the negative one if less is chosen, else the positive one.
    fn choose_number(&mut self, of: Floats, holds: FloatPredicate) -> Result<(), Error> {
        let Floats { ty, to, a, b, .. } = of;
        let (chosen, join) = (self.new_float(ty)?, self.function.add_block()?);
        self.copy(chosen, a)?;
        self.branch_on_floats(ty, holds, [a, b], join)?;
        self.branch_on_floats(ty, FloatPredicate::Une, [b, b], join)?;
        self.copy(chosen, b)?;
        self.branch_on_floats(ty, FloatPredicate::Une, [a, b], join)?;
        // They are equal, so that only the sign of zeros matters.
        let (one, zero) = (self.number(ty, 1.0)?, self.number(ty, 0.0)?);
        let signed = self.new_float(ty)?;
        self.emit(Generic::Fcopysign, ty, &[def(signed), one, a])?;
        self.branch_on_floats(ty, holds.swapped(), [signed, zero], join)?;
        self.copy(chosen, a)?;
        self.start(join)?;
        self.copy(to, chosen)
    }

    /// Rounds to an integer: what is large enough is one, and what is not fits into a register.
    fn round_through_integer(&mut self, of: Floats, operation: Operation) -> Result<(), Error> {
        let Floats { ty, to, a, .. } = of;
        let (rounded, join) = (self.new_float(ty)?, self.function.add_block()?);
        self.copy(rounded, a)?;
        let limit = match ty {
            LowType::S32 => 8_388_608.0,
            _ => 4_503_599_627_370_496.0,
        };
        let [above, below] = [self.number(ty, limit)?, self.number(ty, -limit)?];
        self.branch_on_floats(ty, FloatPredicate::Uge, [a, above], join)?;
        self.branch_on_floats(ty, FloatPredicate::Ule, [a, below], join)?;
        let integer = self.computed(Generic::FptosiSat, ty, &[a])?;
        let mut whole = self.new_float(ty)?;
        self.emit(Generic::Sitofp, ty, &[def(whole), integer])?;
        if operation != Operation::Trunc {
            let right = self.neighbour(of, operation, integer, whole)?;
            whole = self.new_float(ty)?;
            self.emit(Generic::Sitofp, ty, &[def(whole), right])?;
        }
        self.emit(Generic::Fcopysign, ty, &[def(rounded), whole, a])?;
        self.start(join)?;
        self.copy(to, rounded)
    }

    /// Returns the integer that a number is rounded to, the one toward zero or the one beside it.
    fn neighbour(
        &mut self,
        Floats { ty, a, .. }: Floats,
        operation: Operation,
        integer: Operand,
        whole: Operand,
    ) -> Result<Operand, Error> {
        use FloatPredicate as P;
        if operation != Operation::Nearest {
            let (predicate, generic) = match operation {
                Operation::Floor => (P::Olt, Generic::Sub),
                _ => (P::Ogt, Generic::Add),
            };
            let is_beyond = self.compares(ty, predicate, a, whole)?;
            return self.computed(generic, LowType::S64, &[integer, is_beyond]);
        }
        let rest = self.new_float(ty)?;
        self.emit(Generic::Fsub, ty, &[def(rest), a, whole])?;
        let odd = self.with_number(Generic::And, LowType::S64, integer, 1)?;
        let mut nearest = integer;
        for (half, beyond, or_equal, generic) in [
            (0.5, P::Ogt, P::Oge, Generic::Add),
            (-0.5, P::Olt, P::Ole, Generic::Sub),
        ] {
            let half = self.number(ty, half)?;
            let is_beyond = self.compares(ty, beyond, rest, half)?;
            let is_there = self.compares(ty, or_equal, rest, half)?;
            let to_even = self.computed(Generic::And, LowType::S64, &[is_there, odd])?;
            let step = self.computed(Generic::Or, LowType::S64, &[is_beyond, to_even])?;
            nearest = self.computed(generic, LowType::S64, &[nearest, step])?;
        }
        Ok(nearest)
    }

    /// Returns 1 if a comparison of floats holds, else 0.
    fn compares(
        &mut self,
        ty: LowType,
        predicate: FloatPredicate,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, Error> {
        self.computed(
            Generic::Fcmp,
            ty,
            &[Operand::float_predicate(predicate), a, b],
        )
    }
}
