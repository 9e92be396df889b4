//! Integers of 65 to 128 bits: a low half of 64 bits and a high half with the rest.

use super::function::Lower;
use super::integers::{Outcome, held_of, is_signed};
use super::parts::Kind;
use super::signature::{Form, Passed};
use super::values::Held;
use super::{Importer, broken};
use crate::ast::{Binary, IntPredicate, LocalId};
use crate::error::{Result, SourcePosition};
use mir_nostd::ir::{ArgSpec, Code, FuncBuilder, ItemId, Operand, Reg, SignatureSpec, Type};

/// The two halves of a value.
pub(super) type Halves = [Held; 2];

impl Lower<'_, '_, '_> {
    pub(super) fn wide_binary(
        &mut self,
        result: LocalId,
        op: Binary,
        width: u32,
        a: Halves,
        b: Halves,
    ) -> Result<()> {
        let high_width = width - 64;
        let halves = match op {
            Binary::And | Binary::Or | Binary::Xor => {
                let code = match op {
                    Binary::And => Code::And,
                    Binary::Or => Code::Or,
                    _ => Code::Xor,
                };
                let low = self.int_operation(code, a[0], b[0])?;
                [low, self.int_operation(code, a[1], b[1])?]
            }
            Binary::Add | Binary::Sub => self.wide_sum(op == Binary::Sub, a, b)?,
            Binary::Mul => self.wide_product(a, b)?,
            Binary::Shl => self.wide_shift(op, a, b)?,
            Binary::Lshr | Binary::Ashr => {
                let signed = op == Binary::Ashr;
                let high = held_of(self.extended(a[1], high_width, signed)?);
                self.wide_shift(op, [a[0], high], b)?
            }
            _ => self.wide_division(op, high_width, a, b)?,
        };
        self.define(result, halves.to_vec())
    }

    /// Shifts all 128 bits.
    pub(super) fn wide_shift(
        &mut self,
        op: Binary,
        value: Halves,
        count: Halves,
    ) -> Result<Halves> {
        let (name, build): (_, Build) = match op {
            Binary::Shl => ("$i128.shl", shift_left),
            Binary::Lshr => ("$i128.lshr", shift_right),
            _ => ("$i128.ashr", shift_right_signed),
        };
        self.wide_call(name, build, value, count)
    }

    pub(super) fn int_operation(&mut self, code: Code, a: Held, b: Held) -> Result<Held> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        let reg = self.temp(Kind::Int(64))?;
        self.emit(code, (reg, a, b))?;
        Ok(Held::Reg(reg))
    }

    pub(super) fn wide_sum(&mut self, subtracts: bool, a: Halves, b: Halves) -> Result<Halves> {
        let code = if subtracts { Code::Sub } else { Code::Add };
        let low = self.int_operation(code, a[0], b[0])?;
        // A carry is due if the sum is less than its terms, a borrow if the minuend is less than
        // the subtrahend.
        let carry = if subtracts {
            self.int_operation(Code::Ult, a[0], b[0])?
        } else {
            self.int_operation(Code::Ult, low, a[0])?
        };
        let high = self.int_operation(code, a[1], b[1])?;
        Ok([low, self.int_operation(code, high, carry)?])
    }

    fn wide_product(&mut self, a: Halves, b: Halves) -> Result<Halves> {
        let [low, high] = self.full_product(a[0], b[0])?;
        let cross = self.int_operation(Code::Mul, a[0], b[1])?;
        let high = self.int_operation(Code::Add, high, cross)?;
        let cross = self.int_operation(Code::Mul, a[1], b[0])?;
        Ok([low, self.int_operation(Code::Add, high, cross)?])
    }

    /// Returns all 128 bits of the unsigned product of two 64-bit integers.
    pub(super) fn full_product(&mut self, a: Held, b: Held) -> Result<Halves> {
        let mask = Held::Int(0xffff_ffff);
        let a0 = self.int_operation(Code::And, a, mask)?;
        let a1 = self.int_operation(Code::Ursh, a, Held::Int(32))?;
        let b0 = self.int_operation(Code::And, b, mask)?;
        let b1 = self.int_operation(Code::Ursh, b, Held::Int(32))?;
        let low = self.int_operation(Code::Mul, a0, b0)?;
        let carry = self.int_operation(Code::Ursh, low, Held::Int(32))?;
        let middle = self.int_operation(Code::Mul, a1, b0)?;
        let middle = self.int_operation(Code::Add, middle, carry)?;
        let middle_low = self.int_operation(Code::And, middle, mask)?;
        let middle_high = self.int_operation(Code::Ursh, middle, Held::Int(32))?;
        let other = self.int_operation(Code::Mul, a0, b1)?;
        let other = self.int_operation(Code::Add, other, middle_low)?;
        let other_high = self.int_operation(Code::Ursh, other, Held::Int(32))?;
        let high = self.int_operation(Code::Mul, a1, b1)?;
        let high = self.int_operation(Code::Add, high, middle_high)?;
        let high = self.int_operation(Code::Add, high, other_high)?;
        Ok([self.int_operation(Code::Mul, a, b)?, high])
    }

    pub(super) fn wide_division(
        &mut self,
        op: Binary,
        high_width: u32,
        a: Halves,
        b: Halves,
    ) -> Result<Halves> {
        let signed = matches!(op, Binary::Sdiv | Binary::Srem);
        let a = [a[0], held_of(self.extended(a[1], high_width, signed)?)];
        let b = [b[0], held_of(self.extended(b[1], high_width, signed)?)];
        let (a, a_sign) = self.magnitude(a, signed)?;
        let (b, b_sign) = self.magnitude(b, signed)?;
        let divides = matches!(op, Binary::Udiv | Binary::Sdiv);
        let (name, build): (_, Build) = if divides {
            ("$i128.udiv", quotient)
        } else {
            ("$i128.urem", remainder)
        };
        let whole = self.wide_call(name, build, a, b)?;
        if !signed {
            return Ok(whole);
        }
        let sign = if divides {
            self.int_operation(Code::Xor, a_sign, b_sign)?
        } else {
            a_sign
        };
        self.negated_by(whole, sign)
    }

    /// Returns the absolute value, and the sign: 0 or -1.
    pub(super) fn magnitude(&mut self, value: Halves, signed: bool) -> Result<(Halves, Held)> {
        if !signed {
            return Ok((value, Held::Int(0)));
        }
        let sign = self.sign_of(value[1])?;
        Ok((self.negated_by(value, sign)?, sign))
    }

    /// Returns the value, negated if `sign` is -1.
    pub(super) fn negated_by(&mut self, value: Halves, sign: Held) -> Result<Halves> {
        let low = self.int_operation(Code::Xor, value[0], sign)?;
        let high = self.int_operation(Code::Xor, value[1], sign)?;
        self.wide_sum(true, [low, high], [sign, sign])
    }

    /// Calls a helper function of two values, which is built when first needed.
    fn wide_call(&mut self, name: &str, build: Build, a: Halves, b: Halves) -> Result<Halves> {
        let callee = self.importer.wide_function(name, build, self.place)?;
        let word = Passed {
            ty: Type::I64,
            size: 0,
            form: Form::Part,
        };
        let proto = self
            .importer
            .proto(&[Type::I64; 2], &[word; 4], false, self.place)?;
        let (low, high) = (self.temp(Kind::Int(64))?, self.temp(Kind::Int(64))?);
        let mut operands = vec![
            Operand::Item(proto),
            Operand::Item(callee),
            Operand::Reg(low),
            Operand::Reg(high),
        ];
        for held in a.into_iter().chain(b) {
            operands.push(self.operand(held)?);
        }
        self.emit(Code::Call, operands.as_slice())?;
        Ok([Held::Reg(low), Held::Reg(high)])
    }

    pub(super) fn compare_wide(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        a: Halves,
        b: Halves,
        outcome: Outcome,
    ) -> Result<()> {
        use IntPredicate as P;
        let signed = is_signed(predicate);
        let a_high = held_of(self.extended(a[1], width - 64, signed)?);
        let b_high = held_of(self.extended(b[1], width - 64, signed)?);
        if matches!(predicate, P::Eq | P::Ne) {
            let low = self.int_operation(Code::Xor, a[0], b[0])?;
            let high = self.int_operation(Code::Xor, a_high, b_high)?;
            let difference = self.int_operation(Code::Or, low, high)?;
            return self.compare_ints(predicate, 64, difference, Held::Int(0), outcome);
        }
        // The high halves decide; if they are equal, the low ones do, which are unsigned.
        let (strict, low_code) = match predicate {
            P::Sgt | P::Sge => (
                Code::Gt,
                if predicate == P::Sgt {
                    Code::Ugt
                } else {
                    Code::Uge
                },
            ),
            P::Slt | P::Sle => (
                Code::Lt,
                if predicate == P::Slt {
                    Code::Ult
                } else {
                    Code::Ule
                },
            ),
            P::Ugt => (Code::Ugt, Code::Ugt),
            P::Uge => (Code::Ugt, Code::Uge),
            P::Ult => (Code::Ult, Code::Ult),
            _ => (Code::Ult, Code::Ule),
        };
        let above = self.int_operation(strict, a_high, b_high)?;
        let equal = self.int_operation(Code::Eq, a_high, b_high)?;
        let low = self.int_operation(low_code, a[0], b[0])?;
        let low = self.int_operation(Code::And, equal, low)?;
        let holds = self.int_operation(Code::Or, above, low)?;
        self.compare_ints(P::Ne, 64, holds, Held::Int(0), outcome)
    }
}

/// Writes the body of a function of two 128-bit values, given the registers of their halves.
type Build = fn(&mut FuncBuilder<'_, '_>, [Reg; 4]) -> mir_nostd::ir::Result<()>;

impl Importer<'_, '_> {
    fn wide_function(&mut self, name: &str, build: Build, place: SourcePosition) -> Result<ItemId> {
        let item = self.library_function(name)?;
        if !self.made.insert(name.into()) {
            return Ok(item);
        }
        let args = ["%a", "%b", "%c", "%d"].map(|name| ArgSpec::new(Type::I64, name));
        let spec = SignatureSpec {
            results: &[Type::I64; 2],
            args: &args,
            vararg: false,
        };
        let mut built = || {
            let mut func = self.module.build_func(name, spec)?;
            let args = [0, 1, 2, 3].map(|number| func.arg(number));
            build(&mut func, args)?;
            func.finish()
        };
        built().map_err(broken(place))?;
        Ok(item)
    }
}

fn shift_left(
    func: &mut FuncBuilder<'_, '_>,
    [low, high, count, _]: [Reg; 4],
) -> mir_nostd::ir::Result<()> {
    let (far, none) = (func.new_label()?, func.new_label()?);
    let (rest, carried) = (
        func.local(Type::I64, "%rest")?,
        func.local(Type::I64, "%carried")?,
    );
    func.emit(Code::Ubge, (far, count, 64))?;
    func.emit(Code::Beq, (none, count, 0))?;
    func.emit(Code::Sub, (rest, 64, count))?;
    func.emit(Code::Ursh, (carried, low, rest))?;
    func.emit(Code::Lsh, (high, high, count))?;
    func.emit(Code::Or, (high, high, carried))?;
    func.emit(Code::Lsh, (low, low, count))?;
    func.label(none)?;
    func.emit(Code::Ret, (low, high))?;
    func.label(far)?;
    func.emit(Code::Sub, (rest, count, 64))?;
    func.emit(Code::Lsh, (high, low, rest))?;
    func.emit(Code::Ret, (0, high))?;
    Ok(())
}

fn shift_right(func: &mut FuncBuilder<'_, '_>, args: [Reg; 4]) -> mir_nostd::ir::Result<()> {
    shift_right_with(func, args, Code::Ursh)
}

fn shift_right_signed(func: &mut FuncBuilder<'_, '_>, args: [Reg; 4]) -> mir_nostd::ir::Result<()> {
    shift_right_with(func, args, Code::Rsh)
}

fn shift_right_with(
    func: &mut FuncBuilder<'_, '_>,
    [low, high, count, _]: [Reg; 4],
    shift: Code,
) -> mir_nostd::ir::Result<()> {
    let (far, none) = (func.new_label()?, func.new_label()?);
    let (rest, carried) = (
        func.local(Type::I64, "%rest")?,
        func.local(Type::I64, "%carried")?,
    );
    func.emit(Code::Ubge, (far, count, 64))?;
    func.emit(Code::Beq, (none, count, 0))?;
    func.emit(Code::Sub, (rest, 64, count))?;
    func.emit(Code::Lsh, (carried, high, rest))?;
    func.emit(Code::Ursh, (low, low, count))?;
    func.emit(Code::Or, (low, low, carried))?;
    func.emit(shift, (high, high, count))?;
    func.label(none)?;
    func.emit(Code::Ret, (low, high))?;
    func.label(far)?;
    func.emit(Code::Sub, (rest, count, 64))?;
    func.emit(shift, (low, high, rest))?;
    // Zeros or copies of the sign are shifted in.
    if shift == Code::Rsh {
        func.emit(Code::Rsh, (high, high, 63))?;
    } else {
        func.emit(Code::Mov, (high, 0))?;
    }
    func.emit(Code::Ret, (low, high))?;
    Ok(())
}

fn quotient(func: &mut FuncBuilder<'_, '_>, args: [Reg; 4]) -> mir_nostd::ir::Result<()> {
    divide(func, args, true)
}

fn remainder(func: &mut FuncBuilder<'_, '_>, args: [Reg; 4]) -> mir_nostd::ir::Result<()> {
    divide(func, args, false)
}

/// Emits long division, one bit per iteration; values of 64 bits are left to the machine, and so is
/// division by zero.
fn divide(
    func: &mut FuncBuilder<'_, '_>,
    [low, high, by_low, by_high]: [Reg; 4],
    gives_quotient: bool,
) -> mir_nostd::ir::Result<()> {
    let mut local = |name: &str| func.local(Type::I64, name);
    let (rest_low, rest_high, rounds) = (local("%rl")?, local("%rh")?, local("%rounds")?);
    let (bit, less, equal) = (local("%bit")?, local("%less")?, local("%equal")?);
    let (long, again, skip) = (func.new_label()?, func.new_label()?, func.new_label()?);
    func.emit(Code::Or, (bit, high, by_high))?;
    func.emit(Code::Bt, (long, bit))?;
    func.emit(
        if gives_quotient {
            Code::Udiv
        } else {
            Code::Umod
        },
        (low, low, by_low),
    )?;
    func.emit(Code::Ret, (low, 0))?;
    func.label(long)?;
    func.emit(Code::Or, (bit, by_low, by_high))?;
    // A fault here is the program's division by zero.
    func.emit(Code::Udiv, (bit, 1, bit))?;
    func.emit(Code::Mov, (rest_low, 0))?;
    func.emit(Code::Mov, (rest_high, 0))?;
    func.emit(Code::Mov, (rounds, 128))?;
    func.label(again)?;
    // If a bit leaves the remainder at the top, the remainder is larger than any divisor.
    let over = func.local(Type::I64, "%over")?;
    func.emit(Code::Ursh, (over, rest_high, 63))?;
    for (to, below) in [(rest_high, rest_low), (rest_low, high), (high, low)] {
        func.emit(Code::Lsh, (to, to, 1))?;
        func.emit(Code::Ursh, (bit, below, 63))?;
        func.emit(Code::Or, (to, to, bit))?;
    }
    func.emit(Code::Lsh, (low, low, 1))?;
    func.emit(Code::Eq, (equal, rest_high, by_high))?;
    func.emit(Code::Ult, (less, rest_low, by_low))?;
    func.emit(Code::And, (less, less, equal))?;
    func.emit(Code::Ult, (equal, rest_high, by_high))?;
    func.emit(Code::Or, (less, less, equal))?;
    func.emit(Code::Xor, (over, over, 1))?;
    func.emit(Code::And, (less, less, over))?;
    func.emit(Code::Bt, (skip, less))?;
    func.emit(Code::Ult, (bit, rest_low, by_low))?;
    func.emit(Code::Sub, (rest_low, rest_low, by_low))?;
    func.emit(Code::Sub, (rest_high, rest_high, by_high))?;
    func.emit(Code::Sub, (rest_high, rest_high, bit))?;
    func.emit(Code::Or, (low, low, 1))?;
    func.label(skip)?;
    func.emit(Code::Sub, (rounds, rounds, 1))?;
    func.emit(Code::Bt, (again, rounds))?;
    if gives_quotient {
        func.emit(Code::Ret, (low, high))?;
    } else {
        func.emit(Code::Ret, (rest_low, rest_high))?;
    }
    Ok(())
}
