//! Intervals of values that loops step, by induction.
//!
//! **Idea.** Of a pointer that goes up nothing below its start needs a test, but that it is never
//! there follows only if it was not before. So a walk supposes of each value that meets others at a
//! loop that it stays between those that come from before the loop, or else is never below them, or
//! else never above them. What a value from the end of the loop does not keep to is withdrawn, and
//! the next walk goes by what is left, until all of it holds. This is what Flanagan and Leino do in
//! "Houdini, an annotation assistant for ESC/Java", 2001.
//!
//! **Invariant.** What a walk notes holds if its suppositions do. After the last walk, which
//! withdraws none, they hold before each loop, and after each iteration if they did before it.
//!
//! **Cost.** At most [`MOST_ROUNDS`] walks; if those are too few all suppositions are withdrawn.

use super::interval::Interval;
use super::state::{Phi, Supposed, Verifier};
use super::terms::Kind;
use crate::target::error::Error;

/// The most walks that suppositions are tried in.
const MOST_ROUNDS: usize = 48;

/// The most walks by which the interval of a value becomes wider.
const MOST_WIDER: u8 = 3;

/// The distance that a value may be from its start. It is so small that no step wraps.
const MOST_DISTANT: u64 = 1 << 62;

impl Supposed {
    /// Returns the next supposition to try, and the interval that a value is then in, if those from
    /// before the loop are in one interval and all that met in another.
    fn next(self, start: Interval, met: Interval) -> (Supposed, Interval) {
        let (_, last) = start.bounds();
        match self {
            Supposed::Nothing => (Supposed::Within(0), start),
            Supposed::Within(walks) if walks < MOST_WIDER => (Supposed::Within(walks + 1), met),
            Supposed::Within(_) if start.span <= MOST_DISTANT => {
                let span = MOST_DISTANT;
                (Supposed::Above, Interval { span, ..start })
            }
            Supposed::Above if last <= MOST_DISTANT => {
                (Supposed::Below, Interval::between(0, last))
            }
            _ => (Supposed::Withdrawn, Interval::ALL),
        }
    }
}

impl Verifier<'_, '_> {
    /// Finds the intervals of values that loops step, in walks that begin anew with what is known
    /// of phis.
    pub(super) fn induce(&mut self) -> Result<(), Error> {
        self.is_inducing = true;
        for _ in 0..MOST_ROUNDS {
            self.forget_bounds();
            self.collect()?;
            if !self.withdraw() {
                for number in 0..self.phis.len() {
                    let phi = self.phis[number];
                    if let (true, Some(met)) = (phi.is_supposed(), phi.met) {
                        self.set_interval(number, met);
                    }
                }
                return Ok(());
            }
        }
        for phi in self.phis.iter_mut().filter(|phi| phi.is_supposed()) {
            (phi.supposed, phi.assumed) = (Supposed::Withdrawn, Interval::ALL);
        }
        self.is_inducing = false;
        self.forget_bounds();
        self.collect()
    }

    /// Forgets the intervals of all phis but what is supposed.
    fn forget_bounds(&mut self) {
        for number in 0..self.phis.len() {
            let phi = self.phis[number];
            if phi.is_open() {
                self.set_interval(number, phi.assumed);
            }
        }
    }

    fn set_interval(&mut self, number: usize, interval: Interval) {
        let atom = self.phis[number].atom;
        (self.terms).reset(atom, Kind::Phi(number as u32), interval);
    }

    /// Supposes something of a phi whose block the walk enters, if the block begins a loop.
    pub(super) fn suppose(&mut self, number: u32) {
        let phi = self.phis[number as usize];
        let mut edges = self.graph.incoming.of(phi.block).iter();
        let is_loop = edges.any(|&edge| self.graph.edges[edge as usize].from >= phi.block);
        if let Some(start) = phi.entered
            && is_loop
            && self.is_inducing
            && phi.is_open()
            && phi.supposed == Supposed::Nothing
            && phi.assumed == Interval::ALL
            && start.span <= MOST_DISTANT
        {
            let (supposed, assumed) = phi.supposed.next(start, start);
            let phi = &mut self.phis[number as usize];
            (phi.supposed, phi.assumed) = (supposed, assumed);
            self.set_interval(number as usize, assumed);
        }
    }

    /// Withdraws what the last walk found not to hold. Returns whether there was any.
    fn withdraw(&mut self) -> bool {
        let mut is_changed = false;
        for phi in self.phis.iter_mut().filter(|phi| phi.is_supposed()) {
            if let (Some(start), Some(met)) = (phi.entered, phi.met)
                && !phi.assumed.has_all_of(met)
            {
                (phi.supposed, phi.assumed) = phi.supposed.next(start, met);
                is_changed = true;
            }
        }
        is_changed
    }
}

impl Phi {
    /// Returns whether nothing but its interval is known of the value.
    pub(super) const fn is_open(&self) -> bool {
        // The entry of the function has values that come from no block.
        self.resolved.is_none() && self.block != 0 && self.most == 0
    }

    const fn is_supposed(&self) -> bool {
        !matches!(self.supposed, Supposed::Nothing | Supposed::Withdrawn)
    }
}
