//! Integers of more than 128 bits, word by word: clang's packed bit-fields, and `_BitInt` except
//! division.

use super::function::Lower;
use super::integers::{Outcome, held_of, is_signed};
use super::parts::Kind;
use super::values::Held;
use crate::ast::{Binary, IntPredicate, LocalId};
use crate::error::Result;
use mir_nostd::ir::Code;

impl Lower<'_, '_, '_> {
    pub(super) fn long_binary(
        &mut self,
        result: LocalId,
        op: Binary,
        width: u32,
        a: &[Held],
        b: &[Held],
    ) -> Result<()> {
        let words = match op {
            Binary::And => self.each_word(Code::And, a, b)?,
            Binary::Or => self.each_word(Code::Or, a, b)?,
            Binary::Xor => self.each_word(Code::Xor, a, b)?,
            Binary::Add | Binary::Sub => self.long_sum(op == Binary::Sub, a, b)?,
            Binary::Mul => self.long_product(a, b)?,
            Binary::Shl | Binary::Lshr | Binary::Ashr => {
                let mut words = a.to_vec();
                if op != Binary::Shl {
                    self.extend_top(&mut words, width, op == Binary::Ashr)?;
                }
                match b[0] {
                    Held::Int(count) => {
                        let count = count.cast_unsigned() % u64::from(width);
                        self.long_shifted(op, &words, count)?
                    }
                    count => self.long_shifted_by(op, words, width, count)?,
                }
            }
            _ => return self.unsupported(format!("a division of i{width}")),
        };
        self.define(result, words)
    }

    fn each_word(&mut self, code: Code, a: &[Held], b: &[Held]) -> Result<Vec<Held>> {
        let pairs = a.iter().zip(b);
        pairs
            .map(|(&a, &b)| self.int_operation(code, a, b))
            .collect()
    }

    fn long_sum(&mut self, subtracts: bool, a: &[Held], b: &[Held]) -> Result<Vec<Held>> {
        let code = if subtracts { Code::Sub } else { Code::Add };
        let (mut words, mut carry) = (Vec::with_capacity(a.len()), Held::Int(0));
        for (&a, &b) in a.iter().zip(b) {
            let first = self.int_operation(code, a, b)?;
            let whole = self.int_operation(code, first, carry)?;
            // A carry is due if the sum is less than its terms, a borrow if the minuend is less
            // than the subtrahend.
            let [from_terms, from_carry] = if subtracts {
                [(a, b), (first, carry)]
            } else {
                [(first, a), (whole, first)]
            };
            let from_terms = self.int_operation(Code::Ult, from_terms.0, from_terms.1)?;
            let from_carry = self.int_operation(Code::Ult, from_carry.0, from_carry.1)?;
            carry = self.int_operation(Code::Or, from_terms, from_carry)?;
            words.push(whole);
        }
        Ok(words)
    }

    fn long_product(&mut self, a: &[Held], b: &[Held]) -> Result<Vec<Held>> {
        let mut sum = vec![Held::Int(0); a.len()];
        for (number, &a) in a.iter().enumerate() {
            for (at, &b) in (number..sum.len()).zip(b) {
                let [low, high] = self.full_product(a, b)?;
                let mut term = vec![Held::Int(0); sum.len() - at];
                term[0] = low;
                if let Some(next) = term.get_mut(1) {
                    *next = high;
                }
                let upper = self.long_sum(false, &sum[at..], &term)?;
                sum.splice(at.., upper);
            }
        }
        Ok(sum)
    }

    /// Shifts by a variable count: by each power of two that is set in it.
    fn long_shifted_by(
        &mut self,
        op: Binary,
        mut words: Vec<Held>,
        width: u32,
        count: Held,
    ) -> Result<Vec<Held>> {
        for power in 0..width.next_power_of_two().ilog2() {
            let bit = self.int_operation(Code::Ursh, count, Held::Int(power.into()))?;
            let bit = self.int_operation(Code::And, bit, Held::Int(1))?;
            let shifted = self.long_shifted(op, &words, 1 << power)?;
            words = self.long_chosen(bit, &shifted, &words)?;
        }
        Ok(words)
    }

    /// Returns `a` if a bit is set, else `b`.
    fn long_chosen(&mut self, bit: Held, a: &[Held], b: &[Held]) -> Result<Vec<Held>> {
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| self.chosen_by(bit, a, b)).collect()
    }

    /// Returns the lesser or greater of two values, as the comparison says.
    pub(super) fn long_extreme(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        a: &[Held],
        b: &[Held],
    ) -> Result<Vec<Held>> {
        let bit = self.temp(Kind::Int(1))?;
        self.compare_long(predicate, width, a, b, Outcome::Register(bit))?;
        self.long_chosen(Held::Reg(bit), a, b)
    }

    /// Shifts the words of a value by less than its width.
    fn long_shifted(&mut self, op: Binary, words: &[Held], count: u64) -> Result<Vec<Held>> {
        if op == Binary::Shl {
            self.long_shifted_left(words, count)
        } else {
            self.long_shifted_right(words, count, op == Binary::Ashr)
        }
    }

    fn long_shifted_left(&mut self, words: &[Held], count: u64) -> Result<Vec<Held>> {
        let (whole, bits) = ((count / 64) as usize, count % 64);
        let mut shifted = vec![Held::Int(0); whole];
        let mut below = Held::Int(0);
        for &word in words.iter().take(words.len() - whole) {
            shifted.push(self.window(word, below, 64 - bits)?);
            below = word;
        }
        Ok(shifted)
    }

    fn long_shifted_right(
        &mut self,
        words: &[Held],
        count: u64,
        signed: bool,
    ) -> Result<Vec<Held>> {
        let mut words = words.to_vec();
        let above = match words.last() {
            Some(&last) if signed => self.sign_of(last)?,
            _ => Held::Int(0),
        };
        let (whole, bits) = ((count / 64) as usize, count % 64);
        let length = words.len();
        words.resize(length + whole + 1, above);
        let shifted = words[whole..].windows(2).take(length);
        let shifted: Vec<_> = shifted.map(|pair| (pair[1], pair[0])).collect();
        shifted
            .into_iter()
            .map(|(high, low)| self.window(high, low, bits))
            .collect()
    }

    /// Returns 64 bits of two adjacent words, from bit `from` of the lower one on.
    fn window(&mut self, high: Held, low: Held, from: u64) -> Result<Held> {
        match from {
            0 => return Ok(low),
            64 => return Ok(high),
            _ => {}
        }
        let from = from.cast_signed();
        let low = self.int_operation(Code::Ursh, low, Held::Int(from))?;
        let high = self.int_operation(Code::Lsh, high, Held::Int(64 - from))?;
        self.int_operation(Code::Or, high, low)
    }

    /// Extends the last word from the width to 64 bits.
    fn extend_top(&mut self, words: &mut [Held], width: u32, signed: bool) -> Result<()> {
        let below = 64 * (words.len() as u32 - 1);
        if let Some(last) = words.last_mut() {
            *last = held_of(self.extended(*last, width - below, signed)?);
        }
        Ok(())
    }

    pub(super) fn compare_long(
        &mut self,
        predicate: IntPredicate,
        width: u32,
        a: &[Held],
        b: &[Held],
        outcome: Outcome,
    ) -> Result<()> {
        use IntPredicate as P;
        let signed = is_signed(predicate);
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        self.extend_top(&mut a, width, signed)?;
        self.extend_top(&mut b, width, signed)?;
        if matches!(predicate, P::Eq | P::Ne) {
            let mut any = Held::Int(0);
            for word in self.each_word(Code::Xor, &a, &b)? {
                any = self.int_operation(Code::Or, any, word)?;
            }
            return self.compare_ints(predicate, 64, any, Held::Int(0), outcome);
        }
        let (x, y) = if matches!(predicate, P::Ult | P::Uge | P::Slt | P::Sge) {
            (a, b)
        } else {
            (b, a)
        };
        let mut less = Held::Int(0);
        for (number, (&x_word, &y_word)) in x.iter().zip(&y).enumerate() {
            let code = if signed && number + 1 == x.len() {
                Code::Lt
            } else {
                Code::Ult
            };
            let here = self.int_operation(code, x_word, y_word)?;
            let equal = self.int_operation(Code::Eq, x_word, y_word)?;
            let below = self.int_operation(Code::And, equal, less)?;
            less = self.int_operation(Code::Or, here, below)?;
        }
        let holds = match predicate {
            P::Ult | P::Ugt | P::Slt | P::Sgt => P::Ne,
            _ => P::Eq,
        };
        self.compare_ints(holds, 64, less, Held::Int(0), outcome)
    }
}
