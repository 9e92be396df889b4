//! Arithmetic on ranges of signed 64-bit numbers: exact, or unknown where a value could wrap.

use crate::machine::IntPredicate;

/// The least and the greatest value of a 64-bit register.
pub(crate) type Range = (i64, i64);

/// The range of a register of which nothing is known.
pub(super) const ALL: Range = (i64::MIN, i64::MAX);

/// Returns the range of numbers of so many bits.
pub(super) const fn signed(bits: u32) -> Range {
    match bits {
        1..64 => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
        _ => ALL,
    }
}

pub(super) fn unsigned(bits: u32) -> Option<Range> {
    (bits < 64).then(|| (0, (1 << bits) - 1))
}

pub(super) const fn is_in(inner: Range, outer: Range) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

/// Returns what two ranges have in common; `None` if that is nothing, as where control never comes.
pub(super) fn meet(a: Range, b: Range) -> Option<Range> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

pub(super) fn sum(a: Range, b: Range) -> Option<Range> {
    a.0.checked_add(b.0).zip(a.1.checked_add(b.1))
}

pub(super) fn difference(a: Range, b: Range) -> Option<Range> {
    a.0.checked_sub(b.1).zip(a.1.checked_sub(b.0))
}

pub(super) fn product(a: Range, b: Range) -> Option<Range> {
    let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let mut range = (i64::MAX, i64::MIN);
    for (a, b) in corners {
        let product = a.checked_mul(b)?;
        range = (range.0.min(product), range.1.max(product));
    }
    Some(range)
}

/// Returns the range of the quotient by a positive number.
pub(super) const fn quotient(range: Range, by: i64) -> Range {
    (range.0 / by, range.1 / by)
}

/// Returns the range of the remainder by a positive number.
pub(super) fn remainder(range: Range, by: i64) -> Range {
    (range.0.clamp(1 - by, 0), range.1.clamp(0, by - 1))
}

/// Returns the range of `a` where its comparison with `b` holds.
pub(super) fn narrowed(predicate: IntPredicate, a: Range, b: Range) -> Option<Range> {
    let (least, most) = (i64::MIN, i64::MAX);
    let implied = match predicate {
        IntPredicate::Eq => b,
        IntPredicate::Slt => (least, b.1.checked_sub(1)?),
        IntPredicate::Sle => (least, b.1),
        IntPredicate::Sgt => (b.0.checked_add(1)?, most),
        IntPredicate::Sge => (b.0, most),
        IntPredicate::Ult if b.0 >= 0 => (0, b.1.checked_sub(1)?),
        IntPredicate::Ule if b.0 >= 0 => (0, b.1),
        IntPredicate::Ugt if a.0 >= 0 && b.0 >= 0 => (b.0.checked_add(1)?, most),
        IntPredicate::Uge if a.0 >= 0 && b.0 >= 0 => (b.0, most),
        _ => return None,
    };
    meet(a, implied)
}

/// Returns whether a comparison of any values of two ranges always or never holds.
pub(super) fn decided(predicate: IntPredicate, a: Range, b: Range) -> Option<bool> {
    let is_natural = a.0 >= 0 && b.0 >= 0;
    let less = |a: Range, b: Range| match () {
        () if a.1 < b.0 => Some(true),
        () if a.0 >= b.1 => Some(false),
        () => None,
    };
    match predicate {
        IntPredicate::Slt => less(a, b),
        IntPredicate::Sge => less(a, b).map(|less| !less),
        IntPredicate::Sgt => less(b, a),
        IntPredicate::Sle => less(b, a).map(|less| !less),
        IntPredicate::Ult if is_natural => less(a, b),
        IntPredicate::Uge if is_natural => less(a, b).map(|less| !less),
        IntPredicate::Ugt if is_natural => less(b, a),
        IntPredicate::Ule if is_natural => less(b, a).map(|less| !less),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, decided, meet, narrowed, product, signed, unsigned};
    use crate::machine::IntPredicate as P;

    #[test]
    fn comparisons_of_ranges_are_decided_only_where_all_values_agree() {
        let all = [
            P::Slt,
            P::Sle,
            P::Sgt,
            P::Sge,
            P::Ult,
            P::Ule,
            P::Ugt,
            P::Uge,
        ];
        let numbers = [-3_i64, -1, 0, 1, 2, 5];
        let ranges = || {
            let from = numbers.into_iter().enumerate();
            from.flat_map(|(at, low)| numbers[at..].iter().map(move |&high| (low, high)))
        };
        let holds = |predicate, a: i64, b: i64| {
            let (natural_a, natural_b) = (a.cast_unsigned(), b.cast_unsigned());
            match predicate {
                P::Slt => a < b,
                P::Sle => a <= b,
                P::Sgt => a > b,
                P::Sge => a >= b,
                P::Ult => natural_a < natural_b,
                P::Ule => natural_a <= natural_b,
                P::Ugt => natural_a > natural_b,
                _ => natural_a >= natural_b,
            }
        };
        let mut decisions = 0;
        for (predicate, a, b) in all
            .into_iter()
            .flat_map(|p| ranges().flat_map(move |a| ranges().map(move |b| (p, a, b))))
        {
            let of = |range: (i64, i64)| range.0..=range.1;
            let pairs = || of(a).flat_map(|a| of(b).map(move |b| (a, b)));
            if let Some(decision) = decided(predicate, a, b) {
                assert!(pairs().all(|(a, b)| holds(predicate, a, b) == decision));
                decisions += 1;
            }
            let narrow = narrowed(predicate, a, b);
            for (x, y) in pairs() {
                if holds(predicate, x, y)
                    && let Some((low, high)) = narrow
                {
                    assert!((low..=high).contains(&x), "{predicate:?} {a:?} {b:?}");
                }
            }
        }
        assert!(decisions > 500);
    }

    #[test]
    fn ranges_that_would_wrap_are_unknown() {
        assert_eq!(product((1, i64::MAX / 2), (3, 3)), None);
        assert_eq!(product((-2, 3), (-4, -4)), Some((-12, 8)));
        assert_eq!(product((-2, 3), (-4, 5)), Some((-12, 15)));
        assert_eq!(meet((0, 1), (2, 3)), None);
        assert_eq!((signed(8), signed(64)), ((-128, 127), ALL));
        assert_eq!((unsigned(32), unsigned(64)), (Some((0, 0xFFFF_FFFF)), None));
    }
}
