//! Imports intrinsics on fixed-point numbers, and shifts that saturate.

use super::function::Lower;
use super::integers::held_of;
use super::values::Held;
use crate::ast::{Call, Const, IntPredicate, Value};
use crate::error::Result;
use mir_nostd::ir::Code;

/// The limit on the bits of numbers whose product is computed in 64.
const MOST: u32 = 32;

impl<'s> Lower<'_, 's, '_> {
    /// Returns the result of an intrinsic; `None` if it is none of these. `name` is what follows
    /// `llvm.`.
    pub(super) fn fixed(&mut self, name: &str, width: u32, call: &'s Call) -> Result<Option<Held>> {
        let mut words = name.split('.');
        let [Some(base), Some(kind)] = [words.next(), words.next()] else {
            return Ok(None);
        };
        let signed = base.starts_with('s');
        match (base, kind) {
            ("sshl" | "ushl", "sat") if width <= 64 => {
                let [value, count] = self.first_args(call)?;
                self.saturated_shift(signed, width, value, count).map(Some)
            }
            ("smul" | "umul" | "sdiv" | "udiv", "fix") if width <= MOST => {
                let scale = call.args.get(2).map(|arg| &arg.value);
                let scale = match scale {
                    Some(Value::Const(Const::Int(scale))) => u32::try_from(*scale).ok(),
                    Some(Value::Const(Const::Zero)) => Some(0),
                    _ => None,
                };
                let most = if signed { width - 1 } else { width };
                let Some(scale) = scale.filter(|&scale| scale <= most) else {
                    return Ok(None);
                };
                let [a, b] = self.first_args(call)?;
                let a = held_of(self.extended(a, width, signed)?);
                let b = held_of(self.extended(b, width, signed)?);
                let whole = match base.ends_with("mul") {
                    true => self.fixed_product(signed, scale, a, b)?,
                    false => self.fixed_quotient(signed, scale, a, b)?,
                };
                match words.next() {
                    Some("sat") => self.clamped(signed, width, whole).map(Some),
                    _ => Ok(Some(whole)),
                }
            }
            _ => Ok(None),
        }
    }

    /// Shifts to the left; a result that does not fit becomes the nearest that does.
    fn saturated_shift(
        &mut self,
        signed: bool,
        width: u32,
        value: Held,
        count: Held,
    ) -> Result<Held> {
        let value = held_of(self.extended(value, width, signed)?);
        let count = held_of(self.zero_extended(count, width)?);
        let shifted = self.int_operation(Code::Lsh, value, count)?;
        let shifted = held_of(self.extended(shifted, width, signed)?);
        let back = if signed { Code::Rsh } else { Code::Ursh };
        let back = self.int_operation(back, shifted, count)?;
        let overflows = self.int_operation(Code::Ne, back, value)?;
        let most = u64::MAX >> (64 - width);
        let limit = if signed {
            // The limit has the sign of the value.
            let sign = self.int_operation(Code::Rsh, value, Held::Int(63))?;
            self.int_operation(Code::Xor, sign, Held::Int((most >> 1).cast_signed()))?
        } else {
            Held::Int(most.cast_signed())
        };
        self.chosen_by(overflows, limit, shifted)
    }

    /// Returns the product of two numbers, of which so many bits are behind the point, rounded
    /// down.
    fn fixed_product(&mut self, signed: bool, scale: u32, a: Held, b: Held) -> Result<Held> {
        let product = self.int_operation(Code::Mul, a, b)?;
        let shift = if signed { Code::Rsh } else { Code::Ursh };
        self.int_operation(shift, product, Held::Int(scale.into()))
    }

    /// Returns the quotient, rounded down.
    fn fixed_quotient(&mut self, signed: bool, scale: u32, a: Held, b: Held) -> Result<Held> {
        let a = self.int_operation(Code::Lsh, a, Held::Int(scale.into()))?;
        if !signed {
            return self.int_operation(Code::Udiv, a, b);
        }
        let quotient = self.int_operation(Code::Div, a, b)?;
        // It is one less if there is a remainder and the signs differ.
        let product = self.int_operation(Code::Mul, quotient, b)?;
        let rest = self.int_operation(Code::Ne, product, a)?;
        let signs = self.int_operation(Code::Xor, a, b)?;
        let sign = self.int_operation(Code::Ursh, signs, Held::Int(63))?;
        let less = self.int_operation(Code::And, rest, sign)?;
        self.int_operation(Code::Sub, quotient, less)
    }

    /// Returns the nearest number of so many bits to one of 64.
    fn clamped(&mut self, signed: bool, width: u32, value: Held) -> Result<Held> {
        let most = (u64::MAX >> (64 - width)).cast_signed();
        if !signed {
            return self.chosen(IntPredicate::Ult, 64, value, Held::Int(most));
        }
        let most = most >> 1;
        let value = self.chosen(IntPredicate::Slt, 64, value, Held::Int(most))?;
        self.chosen(IntPredicate::Sgt, 64, value, Held::Int(!most))
    }
}
