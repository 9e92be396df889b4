//! Imports LLVM's intrinsic functions on integers of 65 to 128 bits.

use super::function::Lower;
use super::integers::{Outcome, held_of};
use super::intrinsics::{extreme, overflow_operation};
use super::parts::Kind;
use super::values::Held;
use super::wide::Halves;
use crate::ast::{Binary, Call, IntPredicate, LocalId};
use crate::error::Result;
use mir_nostd::ir::Code;

const ZERO: Halves = [Held::Int(0); 2];

impl<'s> Lower<'_, 's, '_> {
    /// Lowers an intrinsic on such integers; returns whether it was one.
    pub(super) fn wide_intrinsic(
        &mut self,
        result: LocalId,
        name: &str,
        call: &'s Call,
    ) -> Result<bool> {
        let Some(first) = call.args.first() else {
            return Ok(false);
        };
        let width = self.width_of(first);
        if width <= 64 || self.importer.source.types.int_width(first.ty).is_none() {
            return Ok(false);
        }
        let base = name.split('.').next().unwrap_or(name);
        if width > 128
            && matches!(base, "smax" | "smin" | "umax" | "umin")
            && let [a, b] = call.args.as_slice()
        {
            let (a, b) = (self.value(a.ty, &a.value)?, self.value(b.ty, &b.value)?);
            let held = self.long_extreme(extreme(base), width, &a, &b)?;
            self.define(result, held)?;
            return Ok(true);
        }
        if width > 128 {
            return self.unsupported(format!("the intrinsic llvm.{name}"));
        }
        let mut args = Vec::new();
        for arg in &call.args {
            let held = self.value(arg.ty, &arg.value)?;
            args.push([
                held.first().copied().unwrap_or(Held::Int(0)),
                held.get(1).copied().unwrap_or(Held::Int(0)),
            ]);
        }
        match self.wide_valued(name, width, &args)? {
            Some(held) => self.define(result, held)?,
            None => return self.unsupported(format!("the intrinsic llvm.{name}")),
        }
        Ok(true)
    }

    /// Returns the result of an intrinsic; `None` if the intrinsic is not known.
    fn wide_valued(
        &mut self,
        name: &str,
        width: u32,
        args: &[Halves],
    ) -> Result<Option<Vec<Held>>> {
        let base = name.split('.').next().unwrap_or(name);
        let held = match (base, args) {
            (_, &[a, b]) if overflow_operation(name).is_some() => {
                let Some((op, signed)) = overflow_operation(name) else {
                    return Ok(None);
                };
                let (whole, overflows) = self.wide_overflow(op, signed, width, a, b)?;
                return Ok(Some(vec![whole[0], whole[1], overflows]));
            }
            ("uadd" | "usub" | "sadd" | "ssub", &[a, b]) if name.contains(".sat.") => {
                self.wide_saturated(base, width, a, b)?
            }
            ("smax" | "smin" | "umax" | "umin", &[a, b]) => {
                let bit = self.wide_comparison(extreme(base), width, a, b)?;
                self.wide_chosen(bit, a, b)?
            }
            ("scmp" | "ucmp", &[a, b]) => {
                let (above, below) = if base == "scmp" {
                    (IntPredicate::Sgt, IntPredicate::Slt)
                } else {
                    (IntPredicate::Ugt, IntPredicate::Ult)
                };
                let above = self.wide_comparison(above, width, a, b)?;
                let below = self.wide_comparison(below, width, a, b)?;
                return Ok(Some(vec![self.int_operation(Code::Sub, above, below)?]));
            }
            ("abs", &[value, ..]) => {
                let value = self.wide_extended(value, width, true)?;
                let sign = self.sign_of(value[1])?;
                self.negated_by(value, sign)?
            }
            ("fshl" | "fshr", &[high, low, count]) => {
                self.wide_funnel(base == "fshl", width, high, low, count)?
            }
            ("expect", &[value, ..]) | ("ssa" | "arithmetic", &[value]) => value,
            ("is", _) if name.starts_with("is.constant") => {
                return Ok(Some(vec![Held::Int(0)]));
            }
            _ => match self.wide_bits(base, width, args)? {
                Some(held) => held,
                None => return Ok(None),
            },
        };
        Ok(Some(held.to_vec()))
    }

    /// Returns the result of an intrinsic that counts bits or moves them; `None` if it is none of
    /// these.
    fn wide_bits(&mut self, base: &str, width: u32, args: &[Halves]) -> Result<Option<Halves>> {
        let unused = 128 - width;
        Ok(Some(match (base, args) {
            ("ctpop", &[value]) => {
                let value = self.wide_extended(value, width, false)?;
                let (low, high) = (self.ones(64, value[0])?, self.ones(64, value[1])?);
                [self.int_operation(Code::Add, low, high)?, Held::Int(0)]
            }
            ("ctlz", &[value, ..]) => {
                let value = self.wide_extended(value, width, false)?;
                let zeros = self.wide_zeros(value[1], value[0], true)?;
                let unused = Held::Int(i64::from(unused));
                [self.int_operation(Code::Sub, zeros, unused)?, Held::Int(0)]
            }
            ("cttz", &[value, ..]) => {
                let mut value = self.wide_extended(value, width, false)?;
                if width < 128 {
                    // A bit above the width ends the count.
                    let above = Held::Int(1 << (width - 64));
                    value[1] = self.int_operation(Code::Or, value[1], above)?;
                }
                [self.wide_zeros(value[0], value[1], false)?, Held::Int(0)]
            }
            ("bswap", &[value]) => {
                let high = self.swapped_bytes(64, value[0])?;
                let low = self.swapped_bytes(64, value[1])?;
                self.wide_shifted_right([low, high], unused)?
            }
            ("bitreverse", &[value]) => {
                let high = self.reversed_bits(64, value[0])?;
                let low = self.reversed_bits(64, value[1])?;
                self.wide_shifted_right([low, high], unused)?
            }
            _ => return Ok(None),
        }))
    }

    /// Extends a value from its width to all 128 bits.
    fn wide_extended(&mut self, value: Halves, width: u32, signed: bool) -> Result<Halves> {
        Ok([
            value[0],
            held_of(self.extended(value[1], width - 64, signed)?),
        ])
    }

    fn wide_comparison(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        a: Halves,
        b: Halves,
    ) -> Result<Held> {
        let bit = self.temp(Kind::Int(1))?;
        self.compare_wide(predicate, width, a, b, Outcome::Register(bit))?;
        self.know_bit(Held::Reg(bit));
        Ok(Held::Reg(bit))
    }

    /// Returns `a` if a bit is set, else `b`.
    pub(super) fn wide_chosen(&mut self, bit: Held, a: Halves, b: Halves) -> Result<Halves> {
        let low = self.chosen_by(bit, a[0], b[0])?;
        Ok([low, self.chosen_by(bit, a[1], b[1])?])
    }

    /// Shifts right without sign by a constant less than 64.
    fn wide_shifted_right(&mut self, value: Halves, count: u32) -> Result<Halves> {
        if count == 0 {
            return Ok(value);
        }
        let (by, rest) = (
            Held::Int(i64::from(count)),
            Held::Int(i64::from(64 - count)),
        );
        let low = self.int_operation(Code::Ursh, value[0], by)?;
        let carried = self.int_operation(Code::Lsh, value[1], rest)?;
        let low = self.int_operation(Code::Or, low, carried)?;
        Ok([low, self.int_operation(Code::Ursh, value[1], by)?])
    }

    /// Counts the zeros of the word counted first, and those of the other if the first is 0.
    fn wide_zeros(&mut self, first: Held, second: Held, leading: bool) -> Result<Held> {
        let count = |lower: &mut Self, value| {
            if leading {
                lower.leading_zeros(64, value)
            } else {
                lower.trailing_zeros(64, value)
            }
        };
        let first_count = count(self, first)?;
        let second_count = count(self, second)?;
        let second_count = self.int_operation(Code::Add, second_count, Held::Int(64))?;
        let nonzero = self.int_operation(Code::Ne, first, Held::Int(0))?;
        self.chosen_by(nonzero, first_count, second_count)
    }

    /// Returns the result, and whether it overflows the width.
    fn wide_overflow(
        &mut self,
        op: Binary,
        signed: bool,
        width: u32,
        a: Halves,
        b: Halves,
    ) -> Result<(Halves, Held)> {
        let a = self.wide_extended(a, width, signed)?;
        let b = self.wide_extended(b, width, signed)?;
        let (whole, overflows) = match op {
            Binary::Mul if signed => self.wide_signed_product(a, b)?,
            Binary::Mul => self.wide_checked_product(a, b)?,
            _ => {
                let whole = self.wide_sum(op == Binary::Sub, a, b)?;
                let overflows = if signed {
                    self.overflow_of_words(op, true, whole[1], a[1], b[1])?
                } else if op == Binary::Add {
                    self.wide_comparison(IntPredicate::Ult, 128, whole, a)?
                } else {
                    self.wide_comparison(IntPredicate::Ult, 128, a, b)?
                };
                (whole, overflows)
            }
        };
        if width == 128 {
            self.know_bit(overflows);
            return Ok((whole, overflows));
        }
        let kept = self.wide_extended(whole, width, signed)?;
        let differs = self.int_operation(Code::Ne, kept[1], whole[1])?;
        let overflows = self.int_operation(Code::Or, overflows, differs)?;
        self.know_bit(overflows);
        Ok((whole, overflows))
    }

    /// Returns the unsigned product of two values, and whether it has more than 128 bits.
    fn wide_checked_product(&mut self, a: Halves, b: Halves) -> Result<(Halves, Held)> {
        let [low, high] = self.full_product(a[0], b[0])?;
        // If both high halves are non-zero, their product begins at bit 128.
        let (a_long, b_long) = (
            self.int_operation(Code::Ne, a[1], Held::Int(0))?,
            self.int_operation(Code::Ne, b[1], Held::Int(0))?,
        );
        let mut overflows = self.int_operation(Code::And, a_long, b_long)?;
        let mut sum = high;
        for [x, y] in [[a[0], b[1]], [a[1], b[0]]] {
            let [cross, above] = self.full_product(x, y)?;
            let above = self.int_operation(Code::Ne, above, Held::Int(0))?;
            let next = self.int_operation(Code::Add, sum, cross)?;
            let carry = self.int_operation(Code::Ult, next, sum)?;
            let more = self.int_operation(Code::Or, above, carry)?;
            overflows = self.int_operation(Code::Or, overflows, more)?;
            sum = next;
        }
        Ok(([low, sum], overflows))
    }

    fn wide_signed_product(&mut self, a: Halves, b: Halves) -> Result<(Halves, Held)> {
        let (a, a_sign) = self.magnitude(a, true)?;
        let (b, b_sign) = self.magnitude(b, true)?;
        let (whole, overflows) = self.wide_checked_product(a, b)?;
        let sign = self.int_operation(Code::Xor, a_sign, b_sign)?;
        let whole = self.negated_by(whole, sign)?;
        // A non-zero product must have the sign of its factors.
        let any = self.int_operation(Code::Or, whole[0], whole[1])?;
        let any = self.int_operation(Code::Ne, any, Held::Int(0))?;
        let differs = self.int_operation(Code::Xor, whole[1], sign)?;
        let differs = self.int_operation(Code::Lt, differs, Held::Int(0))?;
        let wrong = self.int_operation(Code::And, differs, any)?;
        Ok((whole, self.int_operation(Code::Or, overflows, wrong)?))
    }

    fn wide_saturated(&mut self, base: &str, width: u32, a: Halves, b: Halves) -> Result<Halves> {
        let signed = base.starts_with('s');
        let op = if base.ends_with("add") {
            Binary::Add
        } else {
            Binary::Sub
        };
        let (whole, overflows) = self.wide_overflow(op, signed, width, a, b)?;
        let limit = match (signed, op) {
            (false, Binary::Add) => [Held::Int(-1); 2],
            (false, _) => ZERO,
            (true, _) => {
                // The limit has the sign of the first operand.
                let a = self.wide_extended(a, width, true)?;
                let sign = self.sign_of(a[1])?;
                let most = Held::Int(u64::MAX.checked_shr(129 - width).unwrap_or(0).cast_signed());
                [
                    self.int_operation(Code::Xor, sign, Held::Int(-1))?,
                    self.int_operation(Code::Xor, sign, most)?,
                ]
            }
        };
        self.wide_chosen(overflows, limit, whole)
    }

    /// Returns a window of `width` bits of the concatenation of two values.
    fn wide_funnel(
        &mut self,
        left: bool,
        width: u32,
        high: Halves,
        low: Halves,
        count: Halves,
    ) -> Result<Halves> {
        let count = if width == 128 {
            [
                self.int_operation(Code::And, count[0], Held::Int(127))?,
                Held::Int(0),
            ]
        } else {
            let divisor = [Held::Int(i64::from(width)), Held::Int(0)];
            self.wide_division(Binary::Urem, width - 64, count, divisor)?
        };
        let low = self.wide_extended(low, width, false)?;
        let last = Held::Int(i64::from(width) - 1);
        let rest = [self.int_operation(Code::Sub, last, count[0])?, Held::Int(0)];
        let one = [Held::Int(1), Held::Int(0)];
        // The value that is shifted the opposite way needs two shifts, as the sum is `width` if the
        // count is 0.
        let (high, low) = if left {
            let low = self.wide_shift(Binary::Lshr, low, one)?;
            (
                self.wide_shift(Binary::Shl, high, count)?,
                self.wide_shift(Binary::Lshr, low, rest)?,
            )
        } else {
            let high = self.wide_shift(Binary::Shl, high, one)?;
            (
                self.wide_shift(Binary::Shl, high, rest)?,
                self.wide_shift(Binary::Lshr, low, count)?,
            )
        };
        Ok([
            self.int_operation(Code::Or, high[0], low[0])?,
            self.int_operation(Code::Or, high[1], low[1])?,
        ])
    }
}
