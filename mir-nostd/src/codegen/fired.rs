//! The rules of a stage that fired, by their numbers in its list.

/// A set of rules out of a list of at most 128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RuleSet(u128);

impl RuleSet {
    pub(crate) const EMPTY: RuleSet = RuleSet(0);
    pub(crate) const ALL: RuleSet = RuleSet(u128::MAX);

    /// Returns the set with one more rule.
    #[must_use]
    pub(crate) const fn with(self, number: usize) -> RuleSet {
        match 1_u128.checked_shl(number as u32) {
            Some(rule) => RuleSet(self.0 | rule),
            None => self,
        }
    }

    /// Returns the rules that are in either set.
    #[must_use]
    pub(crate) const fn union(self, other: RuleSet) -> RuleSet {
        RuleSet(self.0 | other.0)
    }

    /// True if it has a rule.
    pub(crate) const fn contains(self, number: usize) -> bool {
        self.0 & RuleSet::EMPTY.with(number).0 != 0
    }
}
