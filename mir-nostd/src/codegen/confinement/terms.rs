//! Values as linear combinations of atoms: results of instructions that are not looked into.
//!
//! A value is a *term*, a sum of atoms with factors, plus a constant. Terms are interned, so that
//! two values whose terms have the same number differ by a constant, whatever happened to the
//! instructions that computed them; and what a branch says of a value is noted at its term.

use super::interval::Interval;
use crate::machine::{FrameId, IntPredicate, Symbol};
use crate::mem::{Allocator, HashKey, HashTable, OutOfMemory, Vec};

/// The most atoms of what an instruction computes. A value with more is an atom of its own.
const MOST_COMPUTED: usize = 4;

/// The most atoms of a term: an address adds its base, or the table of functions, to what was
/// computed.
const MOST_PARTS: usize = MOST_COMPUTED + 1;

/// A value: a term plus a constant, modulo 2^64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub(super) term: u32,
    pub(super) offset: u64,
}

impl Value {
    /// Returns a constant: the term of number 0 has no atoms.
    pub(super) const fn constant(number: u64) -> Value {
        Value {
            term: 0,
            offset: number,
        }
    }

    /// Returns the number, if the value is a constant.
    pub(super) const fn as_constant(self) -> Option<u64> {
        match self.term {
            0 => Some(self.offset),
            _ => None,
        }
    }

    pub(super) const fn plus(self, offset: u64) -> Value {
        Value {
            term: self.term,
            offset: self.offset.wrapping_add(offset),
        }
    }
}

/// The kind of an atom, which says how it was made as far as that matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Opaque,
    /// The value of a variable at the start of a block, by its number among all such.
    Phi(u32),
    /// The address of a frame object.
    Frame(FrameId),
    /// The address of a symbol.
    Symbol(Symbol),
    /// The address of the program's memory, in code that is made ahead.
    Memory,
    /// The stack pointer.
    StackPointer,
    /// The address of memory of the caller's: so many bytes.
    Caller(u32, Access),
    /// The address that the table of windows has for an access of so many bytes.
    Window(u64, Access),
    /// The address of a block of so many bytes.
    Block(Value, Access),
    /// The address of the table of functions.
    Functions,
    /// An address of a function, from that table.
    Callee,
    /// So many low bits of a value, extended to 64.
    Extended(Value, u32),
    /// The bitwise and of two values.
    And(Value, Value),
    /// 1 if the comparison holds, else 0.
    Comparison(IntPredicate, Value, Value),
    /// 1 if the comparison of the low 32 bits of a value with a constant holds, else 0.
    LowComparison(IntPredicate, Value, u32),
}

/// The access that an instruction makes, or that memory admits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Access {
    Read,
    Write,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    pub(super) kind: Kind,
    /// The term that is the atom alone.
    pub(super) term: u32,
    /// The number of the block in which it is computed; 0 for what all blocks know.
    pub(super) block: u32,
}

/// An atom of a term with its factor; a factor of 0 ends the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) atom: u32,
    pub(super) factor: i32,
}

const NO_PART: Part = Part { atom: 0, factor: 0 };

/// The atoms of a term, by their numbers.
pub(super) type Parts = [Part; MOST_PARTS];

/// The facts about a term where the walk is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) interval: Interval,
    /// A constant and a value: the term plus the constant is below the value, both unsigned.
    pub(super) below: Option<(u64, Value)>,
    /// A constant: the term plus the constant is a multiple of 16.
    pub(super) multiple: Option<u64>,
    pub(super) low: Option<LowHalf>,
}

/// The bounds of the low 32 bits of a term plus a constant, as an unsigned number.
#[derive(Clone, Copy, Debug)]
pub(super) struct LowHalf {
    pub(super) offset: u64,
    pub(super) least: u32,
    pub(super) most: u32,
}

impl LowHalf {
    /// Returns an interval that holds the numbers extended to 64 bits, with their sign or without.
    const fn extended(self) -> Interval {
        let most = (self.most.cast_signed() as i64).cast_unsigned();
        Interval::between(self.least as u64, most)
    }
}

impl Known {
    pub(super) const NOTHING: Known = Known {
        interval: Interval::ALL,
        below: None,
        multiple: None,
        low: None,
    };
}

/// All terms and atoms of a function.
pub(super) struct Terms<'m> {
    parts: Vec<'m, Parts>,
    /// The facts about each term.
    known: Vec<'m, Known>,
    atoms: Vec<'m, Atom>,
    table: HashTable<'m>,
    key: HashKey,
    /// The facts about terms before, to go back to.
    log: Vec<'m, (u32, Known)>,
}

impl<'m> Terms<'m> {
    pub(super) fn new(allocator: &'m dyn Allocator) -> Result<Terms<'m>, OutOfMemory> {
        let mut terms = Terms {
            parts: Vec::new(allocator),
            known: Vec::new(allocator),
            atoms: Vec::new(allocator),
            table: HashTable::new(allocator),
            key: HashKey::new(allocator.hash_seed()),
            log: Vec::new(allocator),
        };
        terms.intern([NO_PART; MOST_PARTS])?;
        terms.known[0].interval = Interval::exactly(0);
        Ok(terms)
    }

    pub(super) fn atom(&self, atom: u32) -> &Atom {
        &self.atoms[atom as usize]
    }

    /// Returns the atoms of a term.
    pub(super) fn parts(&self, term: u32) -> impl Iterator<Item = Part> + use<> {
        let parts = self.parts[term as usize];
        parts.into_iter().take_while(|part| part.factor != 0)
    }

    /// Returns the atom that a value is, without a factor or anything added but a constant.
    pub(super) fn single(&self, value: Value) -> Option<&Atom> {
        let mut parts = self.parts(value.term);
        match (parts.next(), parts.next()) {
            (Some(Part { atom, factor: 1 }), None) => Some(self.atom(atom)),
            _ => None,
        }
    }

    /// Returns a new atom as a value, always in an interval.
    pub(super) fn add_atom(
        &mut self,
        kind: Kind,
        interval: Interval,
        block: u32,
    ) -> Result<(u32, Value), OutOfMemory> {
        let atom = self.atoms.len() as u32;
        let mut parts = [NO_PART; MOST_PARTS];
        parts[0] = Part { atom, factor: 1 };
        let term = self.intern(parts)?;
        self.known[term as usize].interval = interval;
        self.atoms.push(Atom { kind, term, block })?;
        Ok((atom, Value { term, offset: 0 }))
    }

    /// Changes what an atom always is, when the instruction that computes it is walked again.
    pub(super) fn reset(&mut self, atom: u32, kind: Kind, interval: Interval) {
        let atom = &mut self.atoms[atom as usize];
        atom.kind = kind;
        self.known[atom.term as usize] = Known {
            interval,
            ..Known::NOTHING
        };
    }

    pub(super) fn of_atom(&self, atom: u32) -> Value {
        let term = self.atom(atom).term;
        Value { term, offset: 0 }
    }

    fn hash(&self, parts: &Parts) -> u32 {
        let mut bytes = [0; 8 * MOST_PARTS];
        for (to, part) in bytes.chunks_exact_mut(8).zip(parts) {
            let [atom, factor] = [part.atom.to_le_bytes(), part.factor.to_le_bytes()];
            for (to, from) in to.iter_mut().zip(atom.into_iter().chain(factor)) {
                *to = from;
            }
        }
        self.key.bytes(&bytes)
    }

    fn find(&self, parts: &Parts) -> Option<u32> {
        let hash = self.hash(parts);
        (self.table).find(hash, |term| self.parts[term as usize] == *parts)
    }

    fn intern(&mut self, parts: Parts) -> Result<u32, OutOfMemory> {
        if let Some(known) = self.find(&parts) {
            return Ok(known);
        }
        let term = self.parts.len() as u32;
        self.parts.push(parts)?;
        self.known.push(Known::NOTHING)?;
        self.table.insert(self.hash(&parts), term)?;
        Ok(term)
    }

    /// Returns `a + factor * b`; `None` if that has too many atoms or a factor is too large.
    pub(super) fn combine(
        &mut self,
        a: Value,
        b: Value,
        factor: i32,
    ) -> Result<Option<Value>, OutOfMemory> {
        let offset = (b.offset).wrapping_mul(i64::from(factor).cast_unsigned());
        let offset = a.offset.wrapping_add(offset);
        if b.term == 0 || factor == 0 {
            let term = a.term;
            return Ok(Some(Value { term, offset }));
        }
        match self.sum(a.term, b.term, factor) {
            Some(parts) => {
                let term = self.intern(parts)?;
                Ok(Some(Value { term, offset }))
            }
            None => Ok(None),
        }
    }

    /// Returns whether a value has no more atoms than what an instruction computes may have, not
    /// counting the address that it is added to.
    pub(super) fn is_short(&self, value: Value) -> bool {
        let is_base = |part: &Part| {
            let kind = self.atom(part.atom).kind;
            matches!(kind, Kind::Memory | Kind::Functions)
        };
        let parts = self.parts(value.term);
        parts.filter(|part| !is_base(part)).count() <= MOST_COMPUTED
    }

    /// Returns the atoms of a term plus those of another times a factor.
    fn sum(&self, a: u32, b: u32, factor: i32) -> Option<Parts> {
        let (mut left, mut right) = (self.parts(a).peekable(), self.parts(b).peekable());
        let mut parts = [NO_PART; MOST_PARTS];
        let mut count = 0;
        loop {
            let part = match (left.peek().copied(), right.peek().copied()) {
                (None, None) => return Some(parts),
                (Some(one), Some(other)) if one.atom == other.atom => {
                    left.next();
                    right.next();
                    let other = other.factor.checked_mul(factor)?;
                    let factor = one.factor.checked_add(other)?;
                    Part { factor, ..one }
                }
                (Some(one), other) if other.is_none_or(|other| one.atom < other.atom) => {
                    left.next();
                    one
                }
                (_, Some(other)) => {
                    right.next();
                    let factor = other.factor.checked_mul(factor)?;
                    Part { factor, ..other }
                }
                (Some(_), None) => return None,
            };
            if part.factor != 0 {
                *parts.get_mut(count)? = part;
                count += 1;
            }
        }
    }

    /// Returns the interval of a value where the walk is: what branches said of its term, or of a
    /// part of it, and what its atoms always are.
    pub(super) fn interval(&self, value: Value) -> Interval {
        self.interval_of_term(value.term).plus(value.offset)
    }

    fn interval_of_term(&self, term: u32) -> Interval {
        let mut parts = self.parts(term);
        if let (Some(Part { atom, factor: 1 }), None) = (parts.next(), parts.next()) {
            return self.interval_of_atom(atom);
        }
        let noted = self.known[term as usize].interval;
        let parts = self.interval_of_parts(term);
        noted.meet(parts).unwrap_or(noted)
    }

    /// Returns the interval of a term that follows from those of its parts.
    fn interval_of_parts(&self, term: u32) -> Interval {
        let mut sum = Interval::exactly(0);
        for part in self.parts(term) {
            sum = sum.sum(self.interval_of_part(part));
        }
        if sum != Interval::ALL {
            return sum;
        }
        for part in self.parts(term) {
            // This finds what is noted of a sum that has the atom once, not a multiple of it.
            let all_but_one = part.factor - part.factor.signum();
            for factor in [part.factor, all_but_one] {
                if let Some(interval) = self.interval_without(term, Part { factor, ..part }) {
                    sum = sum.meet(interval).unwrap_or(sum);
                }
            }
        }
        sum
    }

    /// Returns the interval of a term that follows from what branches said of it without a part,
    /// which may be that of an atom with a smaller factor.
    fn interval_without(&self, term: u32, part: Part) -> Option<Interval> {
        let atom = self.atom(part.atom).term;
        let rest = self.sum(term, atom, part.factor.checked_neg()?)?;
        let rest = self.known[self.find(&rest)? as usize].interval;
        Some(rest.sum(self.interval_of_part(part)))
    }

    /// Returns the interval that follows for a number that was extended of what branches said of
    /// the number that it is the low bits of, or of its low 32 bits.
    fn low(&self, atom: u32) -> Option<Interval> {
        let Kind::Extended(source, bits) = self.atom(atom).kind else {
            return None;
        };
        let known = self.known[source.term as usize];
        let whole = known.interval.plus(source.offset);
        if whole.is_within((1 << (bits - 1)) - 1) {
            return Some(whole);
        }
        let low = known.low?;
        (bits == 32 && low.offset == source.offset).then(|| low.extended())
    }

    /// Returns whether what is known of a part of a value contradicts itself, so that control never
    /// is where the walk is.
    pub(super) fn is_contradicted(&self, value: Value) -> bool {
        self.parts(value.term).any(|part| {
            let noted = self.known[self.atom(part.atom).term as usize].interval;
            let low = self.low(part.atom);
            low.is_some_and(|low| noted.meet(low).is_none())
        })
    }

    fn interval_of_part(&self, part: Part) -> Interval {
        self.interval_of_atom(part.atom).times(part.factor)
    }

    /// Returns the interval of an atom: what is noted of it, and what is known of the number that
    /// it is extended from.
    fn interval_of_atom(&self, atom: u32) -> Interval {
        let noted = self.known[self.atom(atom).term as usize].interval;
        let low = self.low(atom);
        low.and_then(|low| noted.meet(low)).unwrap_or(noted)
    }

    pub(super) fn known(&self, term: u32) -> Known {
        self.known[term as usize]
    }

    /// Changes what is known of a term, until the walk goes back.
    pub(super) fn note(&mut self, term: u32, known: Known) -> Result<(), OutOfMemory> {
        if term != 0 {
            let place = &mut self.known[term as usize];
            self.log.push((term, *place))?;
            *place = known;
        }
        Ok(())
    }

    /// Returns the moment to which [`Terms::go_back`] goes back.
    pub(super) fn now(&self) -> usize {
        self.log.len()
    }

    /// Forgets what was noted since then.
    pub(super) fn go_back(&mut self, then: usize) {
        while self.log.len() > then {
            if let Some((term, known)) = self.log.pop() {
                self.known[term as usize] = known;
            }
        }
    }
}
