//! The rules of a stage that fired, by their numbers in its list.

/// A set of rules out of a list of at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct RuleSet(u64);

impl RuleSet {
    pub(crate) const EMPTY: RuleSet = RuleSet(0);

    /// Returns the set with one more rule.
    #[must_use]
    pub(crate) const fn with(self, number: usize) -> RuleSet {
        RuleSet(self.0 | 1 << number)
    }

    /// Returns the rules that are in either set.
    #[must_use]
    pub(crate) const fn union(self, other: RuleSet) -> RuleSet {
        RuleSet(self.0 | other.0)
    }

    /// Returns the numbers of the rules, in order.
    pub(crate) fn numbers(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |number| self.0 >> number & 1 != 0)
    }
}
