//! Finds the 32-bit integers that are kept sign-extended to 64 bits.
//!
//! The `int` of C counts loops and indexes arrays, and an index is extended to 64 bits. Where LLVM
//! IR promises that an operation does not overflow (`nsw`), the 64-bit operation on sign-extended
//! operands has the sign-extended result, and nothing is left to extend.
//!
//! **Idea.** Values that are extended somewhere, and what these are computed from, are candidates.
//! The largest set of candidates is kept of which each is sign-extended if those in the set that it
//! is computed from are: candidates leave it one after the other.
//!
//! **Invariant.** The register of a value in the set is sign-extended, but where an operation
//! overflowed that was promised not to. Such a value is poison, which only `freeze` makes a value
//! of: it extends anew.
//!
//! **Cost.** Linear in the operands of the function's instructions.

use crate::ast::{Binary, Body, Cast, Const, Insn, LocalId, Op, Param, Value};
use crate::types::{TypeId, Types};
use std::collections::{HashMap, HashSet};

/// The values that a value is sign-extended with: all of these have to be.
type Sources = Vec<LocalId>;

/// Returns the 32-bit values, and the variables in `promoted`, that are kept sign-extended.
pub(super) fn kept_signed(
    body: &Body,
    params: &[Param],
    types: &Types,
    is_promoted: impl Fn(LocalId) -> bool,
) -> HashSet<LocalId> {
    let insns = || body.blocks.iter().flat_map(|block| &block.insns);
    let mut wanted: Vec<LocalId> = Vec::new();
    for insn in insns() {
        wanted.extend(extended(&insn.op, types));
    }
    if wanted.is_empty() {
        return HashSet::new();
    }
    let finder = Finder {
        body,
        types,
        is_promoted: &is_promoted,
    };
    let mut sources: HashMap<LocalId, Option<Sources>> = HashMap::new();
    for insn in insns() {
        finder.note(insn, &mut sources);
    }
    for local in params.iter().filter_map(|param| param.local) {
        sources.insert(local, Some(Vec::new()));
    }
    largest_set(wanted, &sources)
}

/// Returns the values that an instruction extends from 32 bits.
fn extended(op: &Op, types: &Types) -> Vec<LocalId> {
    let is_int = |ty: TypeId| types.int_width(ty) == Some(32);
    let local = |value: &Value| match value {
        Value::Local(local) => Some(*local),
        _ => None,
    };
    match op {
        Op::Cast(Cast::Sext, (from, value), _) if is_int(*from) => {
            local(value).into_iter().collect()
        }
        Op::Address { indices, .. } => {
            let indices = indices.iter().filter(|(ty, _)| is_int(*ty));
            indices.filter_map(|(_, index)| local(index)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the largest set of what `wanted` needs in which each value has all its sources.
fn largest_set(
    mut waiting: Vec<LocalId>,
    sources: &HashMap<LocalId, Option<Sources>>,
) -> HashSet<LocalId> {
    let mut set = HashSet::new();
    let mut users: HashMap<LocalId, Vec<LocalId>> = HashMap::new();
    let mut leaving = Vec::new();
    while let Some(value) = waiting.pop() {
        if !set.insert(value) {
            continue;
        }
        match sources.get(&value) {
            Some(Some(from)) => {
                for &source in from {
                    users.entry(source).or_default().push(value);
                    waiting.push(source);
                }
            }
            _ => leaving.push(value),
        }
    }
    while let Some(value) = leaving.pop() {
        if set.remove(&value) {
            leaving.extend(users.remove(&value).unwrap_or_default());
        }
    }
    set
}

struct Finder<'b> {
    body: &'b Body,
    types: &'b Types,
    is_promoted: &'b dyn Fn(LocalId) -> bool,
}

impl Finder<'_> {
    /// Notes the sources of the value that an instruction computes, or of the variable that it
    /// stores to; `None` if that is not sign-extended.
    fn note(&self, insn: &Insn, sources: &mut HashMap<LocalId, Option<Sources>>) {
        if let (Op::Store((ty, value), Value::Local(variable)), None) = (&insn.op, insn.result) {
            if (self.is_promoted)(*variable) {
                let stored = self.all(*ty, [value]);
                let known = sources.entry(*variable).or_insert(Some(Vec::new()));
                match (known.as_mut(), stored) {
                    (Some(known), Some(stored)) => known.extend(stored),
                    _ => *known = None,
                }
            }
            return;
        }
        if let Some(result) = insn.result
            && !matches!(insn.op, Op::Alloca { .. })
        {
            sources.insert(result, self.sources(result, &insn.op));
        }
    }

    fn sources(&self, result: LocalId, op: &Op) -> Option<Sources> {
        use Binary as B;
        match op {
            Op::Binary(B::Add | B::Sub | B::Mul, ty, a, b)
                if self.body.no_signed_wrap.contains(&result) =>
            {
                self.all(*ty, [a, b])
            }
            Op::Binary(B::Shl, ty, a, b) if self.body.no_signed_wrap.contains(&result) => {
                shifts_less(b).then(|| self.all(*ty, [a]))?
            }
            Op::Binary(B::And | B::Or | B::Xor, ty, a, b) => self.all(*ty, [a, b]),
            // Others are faster as divisions of 32 bits.
            Op::Binary(B::Sdiv | B::Srem, ty, a, b) => {
                is_power_of_two(b).then(|| self.all(*ty, [a]))?
            }
            Op::Binary(B::Ashr, ty, a, b) => shifts_less(b).then(|| self.all(*ty, [a]))?,
            Op::Phi(ty, from) => self.all(*ty, from.iter().map(|(value, _)| value)),
            Op::Select(_, ty, a, b) => self.all(*ty, [a, b]),
            Op::Load(ty, Value::Local(variable)) if (self.is_promoted)(*variable) => {
                self.is_int(*ty).then(|| vec![*variable])
            }
            Op::Load(ty, _) => self.is_int(*ty).then(Vec::new),
            Op::Cast(Cast::Sext | Cast::Zext, (from, _), to) => {
                let is_narrow = self.types.int_width(*from).is_some_and(|width| width < 32);
                (is_narrow && self.is_int(*to)).then(Vec::new)
            }
            _ => None,
        }
    }

    fn is_int(&self, ty: TypeId) -> bool {
        self.types.int_width(ty) == Some(32)
    }

    /// Returns the values among these, constants apart; `None` if one can never be sign-extended.
    fn all<'v>(&self, ty: TypeId, values: impl IntoIterator<Item = &'v Value>) -> Option<Sources> {
        let mut sources = Vec::new();
        for value in values {
            match value {
                Value::Local(local) => sources.push(*local),
                Value::Const(Const::Int(_) | Const::Zero) => {}
                _ => return None,
            }
        }
        self.is_int(ty).then_some(sources)
    }
}

/// Returns whether a divisor is a positive power of two.
fn is_power_of_two(divisor: &Value) -> bool {
    matches!(divisor, Value::Const(Const::Int(divisor))
        if divisor.is_power_of_two() && *divisor < 1 << 31)
}

/// Returns whether a 32-bit value is shifted by a constant that is less than 32.
fn shifts_less(count: &Value) -> bool {
    matches!(count, Value::Const(Const::Int(count)) if *count < 32)
}
