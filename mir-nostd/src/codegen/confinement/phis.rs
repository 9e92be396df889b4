//! Values that meet at a block.

use super::interval::Interval;
use super::state::{Phi, Purpose, UNSET, Verifier};
use super::terms::{Kind, Value};
use crate::mem::{OutOfMemory, Vec};
use crate::target::error::Error;
use core::ops::Range;

/// The most phis before one in its block that it is compared with.
const MOST_COMPARED: usize = 16;

/// The most phis of a variable where different values meet, beyond which none of it is looked into.
const MOST_CONFLICTS: usize = 64;

/// The most times that phis are looked for that others lead to.
const MOST_ROUNDS: usize = 4;

/// The most passes over all phis in which their hulls grow.
const MOST_PASSES: usize = 64;

/// The most atoms that are replaced in a value.
const MOST_REPLACED: usize = 32;

/// The assumption about a phi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Assumed {
    /// It may count as any value.
    Any,
    /// It is this value.
    Value(Value),
    /// It is no other value that is known.
    Itself,
}

impl Verifier<'_, '_> {
    /// Walks to find out the values that meet.
    pub(super) fn collect(&mut self) -> Result<(), Error> {
        self.purpose = Purpose::Collect;
        self.operands.fill(UNSET);
        self.is_walked.fill(false);
        for phi in self.phis.iter_mut() {
            (phi.met, phi.entered) = (None, None);
        }
        self.walk()
    }

    /// Notes in which interval each phi always is that a loop leads to: see [`Self::bound`].
    pub(super) fn bound_phis(&mut self) -> Result<(), OutOfMemory> {
        for number in 0..self.phis.len() as u32 {
            self.bound(number);
        }
        self.bound_copies()
    }

    /// Notes in which interval phis always are that constants and copies of each other lead to, in
    /// whatever loops: the hull of these, which grows until nothing changes.
    fn bound_copies(&mut self) -> Result<(), OutOfMemory> {
        let mut hulls = Vec::new(self.function.allocator());
        for phi in self.phis.iter() {
            let known = self.terms.interval(self.terms.of_atom(phi.atom));
            hulls.push((!phi.is_open()).then_some(known))?;
        }
        let mut passes = 0;
        while self.widen_hulls(&mut hulls)? {
            passes += 1;
            if passes == MOST_PASSES {
                return Ok(());
            }
        }
        for (number, hull) in hulls.iter().enumerate() {
            if let Some(hull) = *hull {
                self.narrow(number as u32, hull);
            }
        }
        Ok(())
    }

    /// Adds to the hull of each phi what meets there. Returns whether anything changed.
    fn widen_hulls(&mut self, hulls: &mut [Option<Interval>]) -> Result<bool, OutOfMemory> {
        let mut is_changed = false;
        for number in 0..hulls.len() {
            let phi = self.phis[number];
            for place in 0..phi.count * u32::from(phi.is_open()) {
                let value = self.operand_of(phi, place)?;
                let Some(met) = self.hull_of(hulls, value) else {
                    continue;
                };
                let hull = match hulls[number] {
                    Some(hull) if hull.has_all_of(met) => continue,
                    Some(hull) => hull.hull(met),
                    None => met,
                };
                hulls[number] = Some(hull);
                is_changed = true;
            }
        }
        Ok(is_changed)
    }

    /// Returns the interval of a value that meets others; `None` if that is not known yet.
    fn hull_of(&self, hulls: &[Option<Interval>], value: Value) -> Option<Interval> {
        if value == UNSET {
            return None;
        }
        match self.terms.single(value).map(|atom| atom.kind) {
            Some(Kind::Phi(number)) if value.offset == 0 => hulls[number as usize],
            _ => Some(value.as_constant().map_or(Interval::ALL, Interval::exactly)),
        }
    }

    /// Notes in which interval a phi always is whose block the walk enters, if all values that meet
    /// there are known by then. The walk goes to a block after all that lead to it without a loop,
    /// so that phis of phis are bounded too.
    pub(super) fn bound_on_entry(&mut self, number: u32) {
        let phi = self.phis[number as usize];
        let operands = &self.operands[phi.first as usize..][..phi.count as usize];
        if self.purpose == Purpose::Collect && !operands.contains(&UNSET) {
            self.bound(number);
        }
    }

    /// Notes in which interval a phi always is: that of all values that the last walk found to meet
    /// there, about which it only noted what holds.
    fn bound(&mut self, number: u32) {
        if let Some(met) = self.phis[number as usize].met {
            self.narrow(number, met);
        }
    }

    /// Notes in which interval a phi always is, if that says more than what is known.
    fn narrow(&mut self, number: u32, interval: Interval) {
        let phi = self.phis[number as usize];
        let known = self.terms.interval(self.terms.of_atom(phi.atom));
        if phi.is_open() && known != interval && known.has_all_of(interval) {
            self.terms.reset(phi.atom, Kind::Phi(number), interval);
        }
    }

    /// Finds phis that are always another value, plus a constant. Returns whether there are any.
    pub(super) fn resolve_phis(&mut self) -> Result<bool, OutOfMemory> {
        let mut found = false;
        for _ in 0..MOST_ROUNDS {
            let copies = self.resolve_copies()?;
            let shifted = self.resolve_shifted()?;
            found |= copies || shifted;
            if !shifted {
                break;
            }
        }
        Ok(found)
    }

    /// Finds phis that are always another value, variable by variable.
    fn resolve_copies(&mut self) -> Result<bool, OutOfMemory> {
        let mut assumed = Vec::new(self.function.allocator());
        assumed.resize(self.phis.len(), Assumed::Itself)?;
        let (mut found, mut start) = (false, 0);
        while let Some(first) = self.phis.get(start) {
            let variable = first.variable;
            let rest = self.phis[start..].iter();
            let end = start + rest.take_while(|phi| phi.variable == variable).count();
            found |= self.resolve_variable(&mut assumed, start..end)?;
            start = end;
        }
        Ok(found)
    }

    /// Finds phis of a variable for which all values that meet are the same, if phis of it for
    /// which that is so count as that value: each counts as any at first. One where two values meet
    /// is known to be no other; all is forgotten then that was assumed on the way to that.
    fn resolve_variable(
        &mut self,
        assumed: &mut [Assumed],
        range: Range<usize>,
    ) -> Result<bool, OutOfMemory> {
        let mut found = false;
        // The entry of the function has values that come from no block.
        let is_open = |phi: &Phi| phi.resolved.is_none() && phi.block != 0;
        let mut open = Vec::new(self.function.allocator());
        open.extend_from_slice(&assumed[..range.len()])?;
        for (place, phi) in open.iter_mut().zip(&self.phis[range.clone()]) {
            *place = match is_open(phi) {
                true => Assumed::Any,
                false => Assumed::Itself,
            };
        }
        for _ in 0..MOST_CONFLICTS {
            assumed[range.clone()].copy_from_slice(&open);
            let Some(conflict) = self.settle(assumed, range.clone())? else {
                for number in range.clone() {
                    if let Assumed::Value(value) = assumed[number] {
                        self.phis[number].resolved = Some(value);
                        found = true;
                    }
                }
                break;
            };
            open[conflict - range.start] = Assumed::Itself;
        }
        assumed[range].fill(Assumed::Itself);
        Ok(found)
    }

    /// Finds out what phis are, under what is assumed and found on the way, until nothing changes.
    /// Returns the first where two values meet.
    fn settle(
        &mut self,
        assumed: &mut [Assumed],
        range: Range<usize>,
    ) -> Result<Option<usize>, OutOfMemory> {
        let mut is_changing = true;
        while is_changing {
            is_changing = false;
            for number in range.clone() {
                let before = assumed[number];
                if before == Assumed::Itself {
                    continue;
                }
                let now = self.assume(assumed, number)?;
                match (before, now) {
                    (_, Assumed::Itself) => return Ok(Some(number)),
                    (Assumed::Value(a), Assumed::Value(b)) if a != b => return Ok(Some(number)),
                    _ => {}
                }
                is_changing |= now != before;
                assumed[number] = now;
            }
        }
        Ok(None)
    }

    /// Returns what a phi is, if others are what is assumed of them.
    fn assume(&mut self, assumed: &[Assumed], number: usize) -> Result<Assumed, OutOfMemory> {
        let phi = self.phis[number];
        let mut found = Assumed::Any;
        for place in 0..phi.count {
            let value = self.operand_of(phi, place)?;
            if value == UNSET {
                continue;
            }
            let Some(value) = self.under(assumed, value)? else {
                continue;
            };
            found = match found {
                Assumed::Any => Assumed::Value(value),
                Assumed::Value(other) if other == value => found,
                _ => return Ok(Assumed::Itself),
            };
        }
        Ok(found)
    }

    /// Returns a value under assumptions; `None` if it may be any.
    fn under(&mut self, assumed: &[Assumed], value: Value) -> Result<Option<Value>, OutOfMemory> {
        let mut value = value;
        for _ in 0..MOST_REPLACED {
            let found = self.terms.parts(value.term).find_map(|part| {
                let Kind::Phi(number) = self.terms.atom(part.atom).kind else {
                    return None;
                };
                match assumed[number as usize] {
                    Assumed::Itself => None,
                    Assumed::Any => Some((part, None)),
                    Assumed::Value(other) => Some((part, Some(other))),
                }
            });
            let (part, other) = match found {
                None => break,
                Some((_, None)) => return Ok(None),
                Some((part, Some(other))) => (part, other),
            };
            match self.replaced(value, part, other)? {
                Some(replaced) => value = replaced,
                None => break,
            }
        }
        Ok(Some(value))
    }

    /// Finds phis that differ by a constant from another in their block.
    fn resolve_shifted(&mut self) -> Result<bool, OutOfMemory> {
        let mut found = self.find_counts()?;
        for number in 0..self.phis.len() {
            let phi = self.phis[number];
            if phi.resolved.is_none() && phi.block != 0 {
                let resolved = match self.shifted(number)? {
                    Some(value) => Some(value),
                    None => self.counted(number)?,
                };
                found |= resolved.is_some();
                self.phis[number].resolved = resolved;
            }
        }
        Ok(found)
    }

    /// Returns the value of a phi on an edge.
    fn operand_of(&mut self, phi: Phi, place: u32) -> Result<Value, OutOfMemory> {
        self.resolved(self.operands[(phi.first + place) as usize])
    }

    /// Returns a value without the phis that are always others.
    pub(super) fn resolved(&mut self, mut value: Value) -> Result<Value, OutOfMemory> {
        if value == UNSET {
            return Ok(UNSET);
        }
        for _ in 0..MOST_REPLACED {
            let found = self.terms.parts(value.term).find_map(|part| {
                let Kind::Phi(number) = self.terms.atom(part.atom).kind else {
                    return None;
                };
                Some((part, self.phis[number as usize].resolved?))
            });
            let Some((part, other)) = found else {
                break;
            };
            match self.replaced(value, part, other)? {
                Some(replaced) => value = replaced,
                None => break,
            }
        }
        Ok(value)
    }

    /// Returns a value with another in place of one of its atoms.
    pub(super) fn replaced(
        &mut self,
        value: Value,
        part: super::terms::Part,
        other: Value,
    ) -> Result<Option<Value>, OutOfMemory> {
        let atom = self.terms.of_atom(part.atom);
        let Some(factor) = part.factor.checked_neg() else {
            return Ok(None);
        };
        match self.terms.combine(value, atom, factor)? {
            Some(rest) => self.terms.combine(rest, other, part.factor),
            None => Ok(None),
        }
    }

    /// Returns a phi before this one in its block plus a distance, if they always differ by that:
    /// if they do on each edge, provided that they did in the block.
    fn shifted(&mut self, number: usize) -> Result<Option<Value>, OutOfMemory> {
        let phi = self.phis[number];
        let first = self.operand_of(phi, 0)?;
        let list = self.phis_of.of(phi.block);
        let end = list.partition_point(|&other| (other as usize) < number);
        let start = end.saturating_sub(MOST_COMPARED);
        for place in start..end {
            let other = self.phis[self.phis_of.of(phi.block)[place] as usize];
            let from = self.operand_of(other, 0)?;
            if other.resolved.is_some() || from == UNSET || first == UNSET {
                continue;
            }
            if let Some(distance) = self.distance(from, first)?
                && let Some(assumed) = self.always_differ(phi, other, distance)?
            {
                return Ok(Some(assumed));
            }
        }
        Ok(None)
    }

    /// Returns what is added to a value to get another, if that is the same wherever control is: a
    /// constant, or one and the address of the program's memory, added or taken away.
    fn distance(&mut self, from: Value, to: Value) -> Result<Option<Value>, OutOfMemory> {
        let distance = self.terms.combine(to, from, -1)?;
        Ok(distance.filter(|distance| {
            let mut parts = self.terms.parts(distance.term);
            parts.all(|part| self.terms.atom(part.atom).kind == Kind::Memory)
        }))
    }

    /// Finds the loops that the count register counts: it begins with a constant and goes down by
    /// one. That it never gets to 0 there is proven later, on each edge.
    fn find_counts(&mut self) -> Result<bool, OutOfMemory> {
        let mut found = false;
        for number in 0..self.phis.len() {
            let phi = self.phis[number];
            if phi.variable != self.count_variable() || phi.block == 0 || phi.most > 0 {
                continue;
            }
            let down = self.terms.of_atom(phi.atom).plus(u64::MAX);
            let mut most = 0;
            let mut is_counted = true;
            for place in 0..phi.count {
                let value = self.operand_of(phi, place)?;
                match value.as_constant() {
                    Some(number) => most = most.max(number),
                    None => is_counted &= value == down || value == UNSET,
                }
            }
            if is_counted && most > 0 {
                self.phis[number].most = most;
                let interval = Interval::between(1, most);
                self.terms
                    .reset(phi.atom, Kind::Phi(number as u32), interval);
                found = true;
            }
        }
        Ok(found)
    }

    /// Returns a phi as a multiple of the count register, if it steps as that counts.
    fn counted(&mut self, number: usize) -> Result<Option<Value>, OutOfMemory> {
        let phi = self.phis[number];
        let list = self.phis_of.of(phi.block).iter();
        let mut others = list.map(|&other| self.phis[other as usize]);
        let Some(count) = others.find(|other| other.most > 0 && other.atom != phi.atom) else {
            return Ok(None);
        };
        let (mut step, mut start) = (None, None);
        for place in 0..phi.count {
            let value = self.operand_of(phi, place)?;
            let turns = self.operand_of(count, place)?;
            if value.term == self.terms.of_atom(phi.atom).term {
                step = i32::try_from(value.offset.cast_signed()).ok();
            } else if turns.as_constant().is_some() {
                start = Some((value, turns));
            }
        }
        let (Some(step), Some((start, turns))) = (step, start) else {
            return Ok(None);
        };
        let Some(back) = step.checked_neg() else {
            return Ok(None);
        };
        let Some(end) = self.terms.combine(start, turns, step)? else {
            return Ok(None);
        };
        let counter = self.terms.of_atom(count.atom);
        let Some(assumed) = self.terms.combine(end, counter, back)? else {
            return Ok(None);
        };
        for place in 0..phi.count {
            let mut value = self.operand_of(phi, place)?;
            let turns = self.operand_of(count, place)?;
            if value == UNSET || turns == UNSET {
                continue;
            }
            let part = { self.terms.parts(value.term) }.find(|part| part.atom == phi.atom);
            if let Some(part) = part {
                let Some(replaced) = self.replaced(value, part, assumed)? else {
                    return Ok(None);
                };
                value = replaced;
            }
            if self.terms.combine(end, turns, back)? != Some(value) {
                return Ok(None);
            }
        }
        Ok(Some(assumed))
    }

    /// Returns a phi plus a distance if another is that on each edge, provided that it was before.
    fn always_differ(
        &mut self,
        a: Phi,
        b: Phi,
        distance: Value,
    ) -> Result<Option<Value>, OutOfMemory> {
        let atom = self.terms.of_atom(b.atom);
        let Some(assumed) = self.terms.combine(atom, distance, 1)? else {
            return Ok(None);
        };
        for place in 0..a.count {
            let mut of_a = self.operand_of(a, place)?;
            let of_b = self.operand_of(b, place)?;
            if of_a == UNSET || of_b == UNSET {
                continue;
            }
            let part = { self.terms.parts(of_a.term) }.find(|part| part.atom == a.atom);
            if let Some(part) = part {
                let Some(replaced) = self.replaced(of_a, part, assumed)? else {
                    return Ok(None);
                };
                of_a = replaced;
            }
            if self.terms.combine(of_b, distance, 1)? != Some(of_a) {
                return Ok(None);
            }
        }
        Ok(Some(assumed))
    }
}
