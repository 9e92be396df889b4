//! Intervals of numbers modulo 2^64.

/// The numbers from `start` to `start + span`, modulo 2^64: never empty. That of all numbers starts
/// at 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) start: u64,
    pub(super) span: u64,
}

impl Interval {
    /// All numbers.
    pub(super) const ALL: Interval = Interval {
        start: 0,
        span: u64::MAX,
    };

    /// Returns the interval of one number.
    pub(super) const fn exactly(number: u64) -> Interval {
        Interval {
            start: number,
            span: 0,
        }
    }

    /// Returns the interval of a number and so many after it.
    pub(super) const fn new(start: u64, span: u64) -> Interval {
        match span {
            u64::MAX => Interval::ALL,
            _ => Interval { start, span },
        }
    }

    /// Returns the interval from one number to another.
    pub(super) const fn between(low: u64, high: u64) -> Interval {
        Interval::new(low, high.wrapping_sub(low))
    }

    /// Returns the interval of the numbers that a signed integer of so many bits extends to.
    pub(super) fn signed(bits: u32) -> Interval {
        match bits {
            1..64 => Interval {
                start: (u64::MAX) << (bits - 1),
                span: (1 << bits) - 1,
            },
            _ => Interval::ALL,
        }
    }

    /// Returns the interval of the numbers of so many bits.
    pub(super) fn unsigned(bits: u32) -> Interval {
        match bits {
            1..64 => Interval::between(0, (1 << bits) - 1),
            _ => Interval::ALL,
        }
    }

    /// Returns the least and the greatest of its numbers, as unsigned ones.
    pub(super) const fn bounds(self) -> (u64, u64) {
        match self.start.checked_add(self.span) {
            Some(end) => (self.start, end),
            None => (0, u64::MAX),
        }
    }

    /// Returns the least and the greatest of its numbers, as signed ones.
    pub(super) const fn signed_bounds(self) -> (i64, i64) {
        // Signed numbers are in the order of unsigned ones that are 2^63 greater.
        const HALF: u64 = 1 << 63;
        let (low, high) = self.plus(HALF).bounds();
        (
            low.wrapping_sub(HALF).cast_signed(),
            high.wrapping_sub(HALF).cast_signed(),
        )
    }

    /// Returns the interval of its numbers plus a constant.
    pub(super) const fn plus(self, offset: u64) -> Interval {
        Interval::new(self.start.wrapping_add(offset), self.span)
    }

    /// Returns an interval that holds all sums of a number of each.
    pub(super) fn sum(self, other: Interval) -> Interval {
        match self.span.checked_add(other.span) {
            Some(span) => Interval::new(self.start.wrapping_add(other.start), span),
            None => Interval::ALL,
        }
    }

    /// Returns an interval that holds all products with a factor.
    pub(super) fn times(self, factor: i32) -> Interval {
        let size = u64::from(factor.unsigned_abs());
        let Some(span) = self.span.checked_mul(size) else {
            return Interval::ALL;
        };
        let first = match factor < 0 {
            true => self.start.wrapping_add(self.span).wrapping_neg(),
            false => self.start,
        };
        Interval::new(first.wrapping_mul(size), span)
    }

    /// Returns an interval that holds all products of a number of each, if none of them is too
    /// large as unsigned ones, or as signed ones.
    pub(super) fn product(self, other: Interval) -> Interval {
        let unsigned = self.unsigned_product(other);
        let signed = self.signed_product(other);
        match unsigned.span <= signed.span {
            true => unsigned,
            false => signed,
        }
    }

    fn unsigned_product(self, other: Interval) -> Interval {
        let (a, b) = (self.bounds(), other.bounds());
        match a.1.checked_mul(b.1) {
            Some(most) => Interval::between(a.0 * b.0, most),
            None => Interval::ALL,
        }
    }

    fn signed_product(self, other: Interval) -> Interval {
        let (a, b) = (self.signed_bounds(), other.signed_bounds());
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        for (x, y) in [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)] {
            let Some(product) = x.checked_mul(y) else {
                return Interval::ALL;
            };
            least = least.min(product);
            most = most.max(product);
        }
        Interval::between(least.cast_unsigned(), most.cast_unsigned())
    }

    /// Returns an interval that holds its numbers shifted right by fewer than 64 bits, as signed
    /// ones.
    pub(super) const fn shifted(self, bits: u32) -> Interval {
        let (low, high) = self.signed_bounds();
        Interval::between(
            (low >> bits).cast_unsigned(),
            (high >> bits).cast_unsigned(),
        )
    }

    /// Returns an interval that holds its numbers shifted right by any number of bits, as signed
    /// ones: each comes nearer to 0, or to -1 if it is below 0.
    pub(super) fn shifted_by_any(self) -> Interval {
        let (low, high) = self.signed_bounds();
        Interval::between(low.min(0).cast_unsigned(), high.max(-1).cast_unsigned())
    }

    /// Returns an interval that holds all numbers that both hold; `None` if there is none.
    pub(super) fn meet(self, other: Interval) -> Option<Interval> {
        let (first, second) = match other.start.wrapping_sub(self.start) <= self.span {
            true => (self, other),
            false => (other, self),
        };
        let distance = second.start.wrapping_sub(first.start);
        let rest = first.span.checked_sub(distance)?;
        let comes_round = first.start.wrapping_sub(second.start) <= second.span;
        if distance > 0 && comes_round {
            // Their intersection is in two pieces.
            return match first.span < second.span {
                true => Some(first),
                false => Some(second),
            };
        }
        Some(Interval {
            start: second.start,
            span: rest.min(second.span),
        })
    }

    /// Returns an interval that holds all numbers that either holds.
    pub(super) fn hull(self, other: Interval) -> Interval {
        match [self.up_to(other), other.up_to(self)] {
            [Some(one), Some(two)] if one.span > two.span => two,
            [Some(one), _] | [None, Some(one)] => one,
            [None, None] => Interval::ALL,
        }
    }

    /// Returns whether all numbers of another interval are in this one.
    pub(super) const fn has_all_of(self, other: Interval) -> bool {
        let distance = other.start.wrapping_sub(self.start);
        match distance.checked_add(other.span) {
            Some(last) => last <= self.span,
            None => self.span == u64::MAX,
        }
    }

    /// Returns the interval that begins as this one and holds all numbers of another, too; `None`
    /// if that goes round.
    fn up_to(self, other: Interval) -> Option<Interval> {
        let distance = other.start.wrapping_sub(self.start);
        let span = distance.checked_add(other.span)?.max(self.span);
        Some(Interval::new(self.start, span))
    }

    /// Returns whether all of its numbers are at most `most`.
    pub(super) const fn is_within(self, most: u64) -> bool {
        self.bounds().1 <= most
    }
}

#[cfg(test)]
mod tests {
    use super::Interval;
    use fastrand::Rng;

    /// Returns an interval of one of the kinds that matter, and a number in it.
    fn random(random: &mut Rng) -> (Interval, u64) {
        let start = match random.u8(..4) {
            0 => random.u64(..100),
            1 => u64::MAX - random.u64(..100),
            2 => i64::MIN.cast_unsigned() + random.u64(..100),
            _ => random.u64(..),
        };
        let span = match random.u8(..4) {
            0 => 0,
            1 => random.u64(..100),
            2 => u64::MAX - random.u64(..100),
            _ => random.u64(..),
        };
        let within = match span {
            u64::MAX => random.u64(..),
            _ => random.u64(..=span),
        };
        (Interval::new(start, span), start.wrapping_add(within))
    }

    fn holds(interval: Interval, number: u64) -> bool {
        number.wrapping_sub(interval.start) <= interval.span
    }

    #[test]
    fn results_hold_what_is_computed_of_numbers() {
        let mut rng = Rng::with_seed(1);
        let mut met = 0;
        for _ in 0..200_000 {
            let ((a, x), (b, y)) = (random(&mut rng), random(&mut rng));
            let factor = rng.i32(-9..9);
            let product = x.wrapping_mul(i64::from(factor).cast_unsigned());
            assert!(holds(a.sum(b), x.wrapping_add(y)), "{a:?} + {b:?}");
            assert!(holds(a.times(factor), product), "{a:?} * {factor}");
            assert!(holds(a.product(b), x.wrapping_mul(y)), "{a:?} * {b:?}");
            assert!(holds(a.plus(y), x.wrapping_add(y)), "{a:?} + {y}");
            let bits = rng.u32(0..64);
            let shifted = (x.cast_signed() >> bits).cast_unsigned();
            assert!(holds(a.shifted(bits), shifted), "{a:?} >> {bits}");
            assert!(holds(a.shifted_by_any(), shifted), "{a:?} >> {bits}");
            let hull = a.hull(b);
            assert!(holds(hull, x) && holds(hull, y), "{a:?} or {b:?}");
            assert!(hull.has_all_of(a) && hull.has_all_of(b), "{a:?} or {b:?}");
            assert!(Interval::ALL.has_all_of(a), "{a:?}");
            let (low, high) = a.bounds();
            assert!(low <= x && x <= high, "{a:?}");
            assert!(!a.is_within(y) || x <= y, "{a:?}");
            if holds(b, x) {
                met += 1;
                let meet = a.meet(b);
                assert!(meet.is_some_and(|meet| holds(meet, x)), "{a:?} and {b:?}");
            }
        }
        assert!(met > 1000);
    }

    #[test]
    fn what_has_nothing_in_common_does_not_meet() {
        let [low, high] = [Interval::between(3, 5), Interval::between(6, 9)];
        assert_eq!((low.meet(high), high.meet(low)), (None, None));
        let around = Interval {
            start: u64::MAX - 1,
            span: 5,
        };
        assert_eq!(around.meet(low), Some(Interval::exactly(3)));
        assert_eq!(Interval::between(3, 20).meet(high), Some(high));
    }

    #[test]
    fn of_all_numbers_there_is_one_interval() {
        let high = Interval::exactly(u64::MAX).hull(Interval::exactly(1));
        assert_eq!(high.span, 2);
        assert!(Interval::ALL.has_all_of(high));
        for all in [
            Interval::ALL.plus(4),
            Interval::ALL.sum(Interval::exactly(4)),
            Interval::ALL.times(-1),
            Interval::between(4, 3),
            Interval::between(0, 9).hull(Interval::between(5, 4)),
        ] {
            assert_eq!(all, Interval::ALL);
        }
    }

    #[test]
    fn hulls_are_small() {
        let [low, high] = [Interval::between(3, 5), Interval::between(8, 9)];
        let both = Interval::between(3, 9);
        assert_eq!((low.hull(high), high.hull(low)), (both, both));
        assert_eq!(low.hull(both), both);
        let minus_one = Interval::exactly(u64::MAX);
        let around = Interval {
            start: u64::MAX,
            span: 6,
        };
        assert_eq!((minus_one.hull(low), low.hull(minus_one)), (around, around));
        assert_eq!(Interval::ALL.hull(low).span, u64::MAX);
    }

    #[test]
    fn extensions_have_the_numbers_of_their_bits() {
        let signed = Interval::signed(8);
        assert!(holds(signed, 127) && holds(signed, i64::from(i8::MIN).cast_unsigned()));
        assert!(!holds(signed, 128) && !holds(signed, 127_u64.wrapping_neg() - 2));
        assert_eq!(Interval::unsigned(16), Interval::between(0, 0xFFFF));
        assert_eq!(Interval::unsigned(64), Interval::ALL);
    }
}
