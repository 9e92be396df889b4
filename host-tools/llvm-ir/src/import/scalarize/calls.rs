//! Calls of LLVM's intrinsics on vectors.

use super::{Rewritten, Scalarizer, number};
use crate::ast::{Argument, Call, Const, IntPredicate, Op, Typed, Value};
use crate::types::{Type, TypeId};

/// The beginnings of names of intrinsics that work on whole vectors: not lane by lane.
const WHOLE: [&str; 10] = [
    "vector.", "masked.", "matrix.", "vp.", "x86.", "aarch64.", "arm.", "ppc.", "s390.", "riscv.",
];

impl Scalarizer<'_> {
    /// Rewrites a call. Calls of functions stay as they are: vectors are passed lane by lane.
    pub(super) fn rewritten_call(&mut self, call: Box<Call>, result: Option<TypeId>) -> Rewritten {
        let Value::Const(Const::Global(name)) = &call.callee else {
            return Rewritten::Insn(Op::Call(call));
        };
        let (Some(name), Some(result)) = (name.strip_prefix("llvm."), result) else {
            return Rewritten::Insn(Op::Call(call));
        };
        let rewritten = if let Some(name) = name.strip_prefix("vector.reduce.") {
            self.reduction(name, &call)
        } else if let Some(name) = name.strip_prefix("vector.") {
            self.rearranged(name, &call, result)
        } else if let Some(name) = name.strip_prefix("x86.") {
            (self.are_lanes_words(&call, result))
                .then(|| self.x86(name, &call, result))
                .flatten()
        } else if let Some(name) = name.strip_prefix("aarch64.neon.") {
            (self.are_lanes_words(&call, result))
                .then(|| self.neon(name, &call, result))
                .flatten()
        } else if name.starts_with("stepvector") {
            let count = self.vector(result).map(|(count, _)| count);
            count.map(|count| {
                Rewritten::Lanes((0..count).map(|lane| number(lane as i128)).collect())
            })
        } else if name.starts_with("get.active.lane.mask") {
            self.active_lanes(&call, result)
        } else if WHOLE.iter().any(|whole| name.starts_with(whole)) {
            None
        } else {
            self.by_lanes_of(name, &call, result)
        };
        rewritten.unwrap_or(Rewritten::Insn(Op::Call(call)))
    }

    /// Returns whether no lane of a call has more than 64 bits, as no ISA's instruction has any: a
    /// text may declare an intrinsic with whatever types.
    fn are_lanes_words(&self, call: &Call, result: TypeId) -> bool {
        let members = match self.types.get(result) {
            Type::Struct { fields, .. } => fields.clone(),
            _ => vec![result],
        };
        let mut types = call.args.iter().map(|arg| arg.ty).chain(members);
        types.all(|ty| {
            let element = self.types.vector(ty).map(|(_, element)| element);
            element
                .is_none_or(|element| self.types.int_width(element).is_none_or(|bits| bits <= 64))
        })
    }

    /// Returns the lanes of an argument.
    pub(super) fn arg(&mut self, call: &Call, number: usize) -> Option<Vec<Value>> {
        let arg = call.args.get(number)?;
        self.vector(arg.ty)?;
        Some(self.lanes(arg.ty, &arg.value))
    }

    /// Returns an argument that is no vector.
    pub(super) fn scalar_arg(call: &Call, number: usize) -> Option<Typed> {
        let Argument { ty, value, .. } = call.args.get(number)?;
        Some((*ty, value.clone()))
    }

    pub(super) fn lane_type(&self, call: &Call, number: usize) -> Option<TypeId> {
        let (_, element) = self.vector(call.args.get(number)?.ty)?;
        Some(element)
    }

    /// Calls an intrinsic once per lane; those that return two values have a vector of each.
    fn by_lanes_of(&mut self, name: &str, call: &Call, result: TypeId) -> Option<Rewritten> {
        let members = match self.types.get(result).clone() {
            Type::Struct { fields, .. } => fields,
            _ => vec![result],
        };
        let vectors: Option<Vec<_>> = members.iter().map(|&ty| self.vector(ty)).collect();
        let vectors = vectors?;
        let &(count, first) = vectors.first()?;
        if vectors.iter().any(|&(other, _)| other != count) {
            return None;
        }
        let lane_result = if members.len() == 1 && members[0] == result {
            first
        } else {
            let fields = vectors.iter().map(|&(_, element)| element).collect();
            let packed = false;
            self.types.add(Type::Struct { fields, packed })
        };
        let lanes = self.calls_of_lanes(name, call, lane_result, count)?;
        if lane_result == first {
            return Some(Rewritten::Lanes(lanes));
        }
        let mut whole = Vec::new();
        for (field, &(_, element)) in (0..).zip(&vectors) {
            for lane in &lanes {
                let op = Op::Extract((lane_result, lane.clone()), vec![field]);
                whole.push((element, self.add(op, element)));
            }
        }
        Some(Rewritten::Insn(Op::Join(whole)))
    }

    fn calls_of_lanes(
        &mut self,
        name: &str,
        call: &Call,
        result: TypeId,
        count: usize,
    ) -> Option<Vec<Value>> {
        let name = format!("llvm.{}", scalar_name(name));
        let mut args = Vec::new();
        for arg in &call.args {
            let lane = match self.vector(arg.ty) {
                Some((lanes, element)) => (lanes == count).then_some(element)?,
                None => arg.ty,
            };
            args.push((lane, self.lanes_or_splat(arg.ty, &arg.value, count)));
        }
        let mut lanes = Vec::new();
        for number in 0..count {
            let args: Option<Vec<Typed>> = args
                .iter()
                .map(|(ty, values)| Some((*ty, values.get(number)?.clone())))
                .collect();
            lanes.push(self.call(&name, result, args?));
        }
        Some(lanes)
    }

    /// Rewrites intrinsics that rearrange lanes.
    fn rearranged(&mut self, name: &str, call: &Call, result: TypeId) -> Option<Rewritten> {
        let base = name.split(".v").next().unwrap_or(name);
        let constant = |number: usize| match call.args.get(number)?.value {
            Value::Const(Const::Int(index)) => usize::try_from(index).ok(),
            Value::Const(Const::Zero) => Some(0),
            _ => None,
        };
        let mut lanes = self.arg(call, 0)?;
        match base {
            "reverse" => lanes.reverse(),
            "extract" => {
                let (count, _) = self.vector(result)?;
                let first = constant(1)?;
                lanes = lanes.get(first..first.checked_add(count)?)?.to_vec();
            }
            "insert" => {
                let (added, first) = (self.arg(call, 1)?, constant(2)?);
                let replaced = first..first.checked_add(added.len())?;
                lanes.get(replaced.clone())?;
                lanes.splice(replaced, added);
            }
            "interleave2" => {
                let pairs = lanes.into_iter().zip(self.arg(call, 1)?);
                lanes = pairs.flat_map(|(a, b)| [a, b]).collect();
            }
            "deinterleave2" => {
                let element = self.lane_type(call, 0)?;
                let half = |first| lanes.iter().skip(first).step_by(2);
                let both = half(0).chain(half(1));
                let both = both.map(|lane| (element, lane.clone())).collect();
                return Some(Rewritten::Insn(Op::Join(both)));
            }
            "splice" | "splice.left" | "splice.right" => {
                let count = match call.args.get(2)?.value {
                    Value::Const(Const::Int(count)) => count,
                    Value::Const(Const::Zero) => 0,
                    _ => return None,
                };
                // A negative count of `splice` is one of lanes that are kept of the first vector.
                let count = count as u32;
                let is_kept = base == "splice.right" || base == "splice" && count >> 31 == 1;
                let length = lanes.len();
                lanes.extend(self.arg(call, 1)?);
                let first = match is_kept {
                    true if base == "splice" => length.checked_sub(count.wrapping_neg() as usize)?,
                    true => length.checked_sub(count as usize)?,
                    false => count as usize,
                };
                lanes = lanes.get(first..first.checked_add(length)?)?.to_vec();
            }
            _ => return None,
        }
        Some(Rewritten::Lanes(lanes))
    }

    /// Returns which lanes of a loop's iteration are within its bound: `base + lane < limit`,
    /// without wrapping.
    fn active_lanes(&mut self, call: &Call, result: TypeId) -> Option<Rewritten> {
        let (count, bit) = self.vector(result)?;
        let ((ty, base), (_, limit)) = (Self::scalar_arg(call, 0)?, Self::scalar_arg(call, 1)?);
        let width = self.types.int_width(ty)?;
        let mut lanes = Vec::new();
        for number in 0..count {
            let number = Value::Const(Const::Int(number as u128));
            let args = vec![(ty, base.clone()), (ty, number)];
            let index = self.call(&format!("llvm.uadd.sat.i{width}"), ty, args);
            let op = Op::Icmp(IntPredicate::Ult, ty, index, limit.clone());
            lanes.push(self.add(op, bit));
        }
        Some(Rewritten::Lanes(lanes))
    }
}

/// Returns the name of an intrinsic for one lane: `umax.v4i32` is `umax.i32`.
fn scalar_name(name: &str) -> String {
    let parts = name.split('.').map(|part| {
        let lane = part.strip_prefix('v').map(|rest| {
            let lane = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
            (lane, lane.len() < rest.len())
        });
        match lane {
            Some((lane, true)) if !lane.is_empty() => lane,
            _ => part,
        }
    });
    parts.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::scalar_name;

    #[test]
    fn names_of_scalars_are_those_of_vectors_without_the_count() {
        for (vector, scalar) in [
            ("umax.v4i32", "umax.i32"),
            ("fptosi.sat.v4i32.v4f64", "fptosi.sat.i32.f64"),
            ("sadd.with.overflow.v16i8", "sadd.with.overflow.i8"),
            ("va_start.p0", "va_start.p0"),
            ("powi.v2f32.i32", "powi.f32.i32"),
        ] {
            assert_eq!(scalar_name(vector), scalar);
        }
    }
}
