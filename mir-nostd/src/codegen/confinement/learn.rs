//! The facts that a branch tells of the values that it compares.

use super::interval::Interval;
use super::state::Verifier;
use super::terms::{Kind, Known, LowHalf, Value};
use crate::machine::{Generic, InsnId, IntPredicate, LowType};
use crate::mem::OutOfMemory;

impl Verifier<'_, '_> {
    /// Notes what holds where control takes an edge: the branches before it were not taken, and the
    /// one that it belongs to was. The values are those at the end of the block that it leaves.
    pub(super) fn learn_from(&mut self, edge: u32) -> Result<(), OutOfMemory> {
        let edge = self.graph.edges[edge as usize];
        let block = self.graph.blocks[edge.from as usize];
        let mut ordinal = 0;
        for insn in self.function.insns(block) {
            let generic = self.function.insn(insn).opcode.generic();
            if !generic.is_some_and(Generic::is_terminator) {
                continue;
            }
            let is_taken = ordinal == edge.ordinal;
            if generic == Some(Generic::BrIcmp) {
                self.learn_branch(insn, is_taken)?;
            }
            // All others with more than one edge end their block.
            if is_taken || !matches!(generic, Some(Generic::BrIcmp | Generic::BrFcmp)) {
                return Ok(());
            }
            ordinal += 1;
        }
        Ok(())
    }

    fn learn_branch(&mut self, insn: InsnId, is_taken: bool) -> Result<(), OutOfMemory> {
        let &[predicate, a, b, ..] = self.function.operands(insn) else {
            return Ok(());
        };
        let Some(predicate) = predicate.as_int_predicate() else {
            return Ok(());
        };
        let predicate = match is_taken {
            true => predicate,
            false => predicate.inverse(),
        };
        let (a, b) = (self.value(a)?, self.value(b)?);
        match self.function.insn(insn).ty {
            LowType::S64 => self.learn(predicate, a, b),
            LowType::S32 => match (a.as_constant(), b.as_constant()) {
                (None, Some(b)) => self.learn_low(predicate, a, b as u32),
                (Some(a), None) => self.learn_low(predicate.swapped(), b, a as u32),
                (Some(a), Some(b)) => {
                    // Numbers that are extended from 32 bits, with the sign, are in the order of
                    // their low halves: as signed ones, and as unsigned ones.
                    let [a, b] = [a, b].map(|number| i64::from(number as i32).cast_unsigned());
                    self.learn(predicate, Value::constant(a), Value::constant(b))
                }
                (None, None) => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Notes that a comparison of a value's low 32 bits with a constant holds, if they are then
    /// between two numbers.
    fn learn_low(&mut self, predicate: IntPredicate, a: Value, b: u32) -> Result<(), OutOfMemory> {
        let Some((least, most)) = bounds_of_low_half(predicate, b) else {
            return Ok(());
        };
        self.note_low(a, least, most)?;
        if let Some(Kind::Extended(source, 32)) = self.terms.single(a).map(|atom| atom.kind)
            && a.offset == 0
        {
            self.note_low(source, least, most)?;
        }
        // The low bits are then all of a number that was extended from 32.
        let interval = self.terms.interval(a);
        if interval.plus(1 << 31).is_within(u32::MAX.into()) {
            let [least, most] =
                [least, most].map(|bound| i64::from(bound.cast_signed()).cast_unsigned());
            self.refine(a, Interval::between(least, most))
        } else if interval.is_within(u32::MAX.into()) {
            self.refine(a, Interval::between(least.into(), most.into()))
        } else {
            Ok(())
        }
    }

    /// Notes bounds of a value's low 32 bits, besides those that are known of the same value. Of
    /// those of a term plus two constants, the closer ones are kept.
    fn note_low(&mut self, value: Value, least: u32, most: u32) -> Result<(), OutOfMemory> {
        let known = self.terms.known(value.term);
        let mut low = LowHalf {
            offset: value.offset,
            least,
            most,
        };
        match known.low {
            Some(before) if before.offset == low.offset => {
                low.least = least.max(before.least);
                low.most = most.min(before.most);
                if low.least > low.most {
                    self.is_dead = true;
                    return Ok(());
                }
            }
            Some(before) if before.most - before.least <= most - least => return Ok(()),
            _ => {}
        }
        let low = Some(low);
        self.terms.note(value.term, Known { low, ..known })
    }

    /// Notes that a comparison holds.
    fn learn(&mut self, predicate: IntPredicate, a: Value, b: Value) -> Result<(), OutOfMemory> {
        match predicate {
            IntPredicate::Ult => self.learn_below(a, b, 1),
            IntPredicate::Ule => self.learn_below(a, b, 0),
            IntPredicate::Ugt => self.learn_below(b, a, 1),
            IntPredicate::Uge => self.learn_below(b, a, 0),
            IntPredicate::Slt => self.learn_less(a, b, 1),
            IntPredicate::Sle => self.learn_less(a, b, 0),
            IntPredicate::Sgt => self.learn_less(b, a, 1),
            IntPredicate::Sge => self.learn_less(b, a, 0),
            IntPredicate::Eq => {
                let (of_a, of_b) = (self.terms.interval(a), self.terms.interval(b));
                self.refine(a, of_b)?;
                self.refine(b, of_a)
            }
            IntPredicate::Ne => {
                self.learn_unequal(a, b)?;
                self.learn_unequal(b, a)
            }
        }
    }

    /// Notes that `a + least <= b`, signed and without overflow; `least` is 0 or 1.
    fn learn_less(&mut self, a: Value, b: Value, least: u64) -> Result<(), OutOfMemory> {
        // Signed numbers are in the order of unsigned ones that are 2^63 greater.
        const HALF: u64 = 1 << 63;
        let (low, _) = self.terms.interval(a).plus(HALF).bounds();
        let (_, high) = self.terms.interval(b).plus(HALF).bounds();
        let (Some(most), Some(fewest)) = (high.checked_sub(least), low.checked_add(least)) else {
            self.is_dead = true;
            return Ok(());
        };
        self.refine(a, Interval::between(0, most).plus(HALF))?;
        self.refine(b, Interval::between(fewest, u64::MAX).plus(HALF))
    }

    /// Notes that `a + least <= b`, unsigned and without overflow; `least` is 0 or 1.
    fn learn_below(&mut self, a: Value, b: Value, least: u64) -> Result<(), OutOfMemory> {
        let (low, _) = self.terms.interval(a).bounds();
        let (_, high) = self.terms.interval(b).bounds();
        let Some(most) = high.checked_sub(least) else {
            self.is_dead = true;
            return Ok(());
        };
        self.refine(a, Interval::between(0, most))?;
        self.refine(b, Interval::between(low.saturating_add(least), u64::MAX))?;
        if a.term == 0 || b.term == 0 {
            return Ok(());
        }
        if let Some(room) = high.checked_sub(low).filter(|&room| room >= least)
            && let Some(difference) = self.terms.combine(b, a, -1)?
        {
            self.refine(difference, Interval::between(least, room))?;
        }
        if least == 0 {
            return Ok(());
        }
        let known = self.terms.known(a.term);
        let below = Some((a.offset, b));
        self.terms.note(a.term, Known { below, ..known })
    }

    /// Notes that a value is another number than a constant, if that is the first or the last that
    /// it can be.
    fn learn_unequal(&mut self, a: Value, b: Value) -> Result<(), OutOfMemory> {
        let (Some(number), interval) = (b.as_constant(), self.terms.interval(a)) else {
            return Ok(());
        };
        let Some(span) = interval.span.checked_sub(1) else {
            return Ok(());
        };
        let last = interval.start.wrapping_add(interval.span);
        let start = match number {
            _ if interval == Interval::ALL => {
                let start = number.wrapping_add(1);
                return self.refine(a, Interval { start, span });
            }
            _ if number == interval.start => number.wrapping_add(1),
            _ if number == last => interval.start,
            _ => return Ok(()),
        };
        self.refine(a, Interval { start, span })
    }

    /// Notes that a value is in an interval, besides what was known.
    pub(super) fn refine(&mut self, value: Value, interval: Interval) -> Result<(), OutOfMemory> {
        let before = self.terms.interval(value);
        let Some(after) = before.meet(interval) else {
            self.is_dead = true;
            return Ok(());
        };
        if after == before {
            return Ok(());
        }
        let known = self.terms.known(value.term);
        let interval = after.plus(value.offset.wrapping_neg());
        self.terms.note(value.term, Known { interval, ..known })?;
        let kind = self.terms.single(value).map(|atom| atom.kind);
        match (kind, after) {
            (Some(Kind::And(a, mask)), Interval { start: 0, span: 0 })
                if value.offset == 0 && mask.as_constant().is_some_and(|mask| mask & 15 == 15) =>
            {
                let known = self.terms.known(a.term);
                let multiple = Some(a.offset);
                self.terms.note(a.term, Known { multiple, ..known })
            }
            (None, _) => self.refine_multiplied(value.term, interval),
            _ => Ok(()),
        }
    }

    /// Notes in which interval an atom is of which a multiple is in one, if the multiples of all
    /// numbers that it can be are numbers of 64 bits.
    fn refine_multiplied(&mut self, term: u32, multiple: Interval) -> Result<(), OutOfMemory> {
        let mut parts = self.terms.parts(term);
        let (Some(part), None) = (parts.next(), parts.next()) else {
            return Ok(());
        };
        let atom = self.terms.of_atom(part.atom);
        let (low, high) = self.terms.interval(atom).signed_bounds();
        let factor = i64::from(part.factor);
        let is_whole = low.checked_mul(factor).is_some() && high.checked_mul(factor).is_some();
        let (least, most) = multiple.signed_bounds();
        if factor < 2 || !is_whole || (least, most) == (i64::MIN, i64::MAX) {
            return Ok(());
        }
        // The greatest number of which the multiple is not above `most`, and the least one of which
        // it is not below `least`: Euclidean division rounds down.
        let high = most.div_euclid(factor).min(high);
        let low = least.div_euclid(factor) + i64::from(least.rem_euclid(factor) != 0);
        let interval = Interval::between(low.cast_unsigned(), high.cast_unsigned());
        match low <= high {
            true => self.refine(atom, interval),
            false => Ok(()),
        }
    }

    /// Returns whether it is known that a comparison of the low 32 bits of a value with a constant
    /// holds.
    pub(super) fn holds_low(&self, predicate: IntPredicate, a: Value, b: u32) -> bool {
        let low = self.terms.known(a.term).low;
        match (low, bounds_of_low_half(predicate, b)) {
            (Some(low), Some((least, most))) if low.offset == a.offset => {
                least <= low.least && low.most <= most
            }
            _ => false,
        }
    }

    /// Returns whether a comparison holds, if that is known.
    pub(super) fn decide(&self, predicate: IntPredicate, a: Value, b: Value) -> Option<bool> {
        let (a, b) = (
            self.terms.interval(a).bounds(),
            self.terms.interval(b).bounds(),
        );
        let is_below = |a: (u64, u64), b: (u64, u64)| match () {
            () if a.1 < b.0 => Some(true),
            () if a.0 >= b.1 => Some(false),
            () => None,
        };
        match predicate {
            IntPredicate::Ult => is_below(a, b),
            IntPredicate::Uge => is_below(a, b).map(|is| !is),
            IntPredicate::Ugt => is_below(b, a),
            IntPredicate::Ule => is_below(b, a).map(|is| !is),
            _ => None,
        }
    }
}

/// Returns the least and the most, unsigned, of the numbers of 32 bits for which a comparison with
/// a constant holds, if these are all numbers between the two.
fn bounds_of_low_half(predicate: IntPredicate, b: u32) -> Option<(u32, u32)> {
    const LEAST: u32 = i32::MIN.cast_unsigned();
    const MOST: u32 = i32::MAX.cast_unsigned();
    let bounds = match predicate {
        IntPredicate::Eq => (b, b),
        IntPredicate::Ult => (0, b.checked_sub(1)?),
        IntPredicate::Ule => (0, b),
        IntPredicate::Ugt => (b.checked_add(1)?, u32::MAX),
        IntPredicate::Uge => (b, u32::MAX),
        IntPredicate::Ne if b == 0 => (1, u32::MAX),
        IntPredicate::Ne if b == u32::MAX => (0, u32::MAX - 1),
        IntPredicate::Ne => return None,
        // The negative numbers are those from `LEAST` on.
        IntPredicate::Slt => (LEAST, b.wrapping_sub(1)),
        IntPredicate::Sle => (LEAST, b),
        IntPredicate::Sgt => (b.wrapping_add(1), MOST),
        IntPredicate::Sge => (b, MOST),
    };
    (bounds.0 <= bounds.1).then_some(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::analysis::constants::holds;

    #[test]
    fn bounds_hold_all_numbers_and_no_other() {
        const HALF: u32 = 1 << 31;
        let numbers = [0, HALF].into_iter().flat_map(|middle: u32| {
            (0..7).map(move |near| middle.wrapping_add(near).wrapping_sub(3))
        });
        for predicate in (0..16).filter_map(IntPredicate::from_number) {
            for b in numbers.clone() {
                let bounds = bounds_of_low_half(predicate, b);
                for a in numbers.clone() {
                    if let Some((least, most)) = bounds {
                        let is_between = (least..=most).contains(&a);
                        assert_eq!(
                            is_between,
                            holds(predicate, LowType::S32, a.into(), b.into()),
                            "{predicate:?} {a} {b}"
                        );
                    }
                }
            }
        }
        assert_eq!(
            bounds_of_low_half(IntPredicate::Slt, 0),
            Some((HALF, u32::MAX))
        );
        assert_eq!(
            bounds_of_low_half(IntPredicate::Uge, 4096),
            Some((4096, u32::MAX))
        );
    }
}
