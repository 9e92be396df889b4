//! Rewrites instructions on vectors as instructions on their elements, called lanes here.
//!
//! A vector is its lanes: each is a scalar with a register of its own, as the fields of a structure
//! are. So whatever moves whole values (loads, stores, PHIs, calls, returns) needs no rule for
//! vectors; an operation becomes one per lane, of the scalar type, with all that the import knows
//! of scalars; and shuffles, insertions and extractions only rename lanes and are no code at all.
//! This is what LLVM's own scalarizer does for machines without vector instructions.
//!
//! Bits have an order among lanes only where a vector is seen as other lanes or as an integer:
//! lane 0 is in the least significant bits on a little-endian machine, in the most significant ones
//! on a big-endian machine ([`bits`]). Vectors whose lanes are no whole bytes are in memory what
//! the integer of their bits is.
//!
//! Undefined lanes are zero. Cost: as many instructions as lanes.

mod aarch64;
mod bits;
mod calls;
mod reduction;
mod x86;

use super::locals::Locals;
use crate::ast::{Binary, Call, Cast, Const, Function, Insn, LocalId, Module, Op, Typed, Value};
use crate::error::SourcePosition;
use crate::types::{Type, TypeId, Types};
use core::ops::Range;
use std::collections::HashMap;

/// The limit on the lanes of a vector that is taken apart; longer ones are left to be refused.
const MOST: u64 = 1024;

/// Rewrites the functions of a module.
pub(super) fn scalarize(source: &mut Module) {
    let mut functions = core::mem::take(&mut source.functions);
    for function in &mut functions {
        function_body(function, &mut source.types);
    }
    source.functions = functions;
}

fn function_body(function: &mut Function, types: &mut Types) {
    let Some(body) = &mut function.body else {
        return;
    };
    let mut scalarizer = Scalarizer {
        big_endian: types.layout.big_endian,
        types,
        locals: Locals::of(body),
        place: function.place,
        insns: Vec::new(),
        lanes: HashMap::new(),
    };
    let entry = body.order.first().map(|block| block.0 as usize);
    for (number, block) in body.blocks.iter_mut().enumerate() {
        if Some(number) == entry {
            let params = function.params.iter();
            params
                .filter_map(|param| param.local)
                .for_each(|local| scalarizer.split(local));
        }
        scalarizer.block(core::mem::take(&mut block.insns));
        block.insns = core::mem::take(&mut scalarizer.insns);
    }
    let count = scalarizer.locals.len();
    scalarizer.locals.put_back(body);
    while drop_unused(body, count) {}
}

/// Drops the pieces and unions of values that nothing uses; returns whether there were any.
fn drop_unused(body: &mut crate::ast::Body, count: usize) -> bool {
    let mut used = vec![false; count];
    for insn in body.blocks.iter().flat_map(|block| &block.insns) {
        insn.op.each_value(&mut |value| {
            if let Value::Local(local) = value {
                used[local.0 as usize] = true;
            }
        });
    }
    let mut dropped = false;
    for block in &mut body.blocks {
        block.insns.retain(|insn| {
            let is_move = matches!(insn.op, Op::Parts(..) | Op::Join(_));
            let kept = !is_move || insn.result.is_none_or(|result| used[result.0 as usize]);
            dropped |= !kept;
            kept
        });
    }
    dropped
}

/// The rewriting of a function.
struct Scalarizer<'a> {
    types: &'a mut Types,
    big_endian: bool,
    locals: Locals,
    place: SourcePosition,
    /// The instructions of the block so far.
    insns: Vec<Insn>,
    /// The lanes of vectors that were defined or used so far.
    lanes: HashMap<LocalId, Lanes>,
}

/// The lanes of a vector.
enum Lanes {
    /// The vector was used before its definition, which is to define these values.
    Promised(Vec<LocalId>),
    Defined(Vec<Value>),
}

/// The form that an instruction takes, after the instructions that were added for it.
enum Rewritten {
    /// Another one.
    Insn(Op),
    /// The lanes of its result.
    Lanes(Vec<Value>),
}

/// Returns an integer as an operand.
fn number(value: i128) -> Value {
    Value::Const(Const::Int(value.cast_unsigned()))
}

impl Scalarizer<'_> {
    fn block(&mut self, insns: Vec<Insn>) {
        // PHIs come first in a block, so that their lanes are taken after the last.
        let mut phis = Vec::new();
        for insn in insns {
            self.place = insn.place;
            if !matches!(insn.op, Op::Phi(..)) {
                core::mem::take(&mut phis)
                    .into_iter()
                    .for_each(|phi| self.split(phi));
                self.insn(insn);
                continue;
            }
            phis.extend(insn.result);
            self.insns.push(insn);
        }
    }

    fn insn(&mut self, insn: Insn) {
        let ty = insn.result.and_then(|result| self.locals.ty(result));
        match (self.rewritten(insn.op, ty), insn.result, ty) {
            (Rewritten::Lanes(lanes), Some(result), Some(ty)) => self.define(result, ty, lanes),
            (Rewritten::Lanes(_), ..) => {}
            (Rewritten::Insn(op), result, _) => {
                self.insns.push(Insn { op, ..insn });
                if let Some(result) = result {
                    self.split(result);
                }
            }
        }
    }

    // ---- lanes

    /// Returns the number and type of the lanes of a vector that is taken apart.
    fn vector(&self, ty: TypeId) -> Option<(usize, TypeId)> {
        let (count, element) = self.types.vector(ty)?;
        (count <= MOST).then_some((count as usize, element))
    }

    /// Defines a vector by its lanes.
    fn define(&mut self, vector: LocalId, ty: TypeId, lanes: Vec<Value>) {
        let Some((_, element)) = self.vector(ty) else {
            return;
        };
        if let Some(Lanes::Promised(promised)) = self.lanes.remove(&vector) {
            for (result, lane) in promised.into_iter().zip(&lanes) {
                self.push(result, Op::Join(vec![(element, lane.clone())]));
            }
        }
        let joined = lanes.iter().map(|lane| (element, lane.clone())).collect();
        self.push(vector, Op::Join(joined));
        self.lanes.insert(vector, Lanes::Defined(lanes));
    }

    /// Takes the lanes of a vector that was defined as a whole.
    fn split(&mut self, vector: LocalId) {
        let ty = self.locals.ty(vector);
        let Some((ty, (count, element))) = ty.and_then(|ty| Some((ty, self.vector(ty)?))) else {
            return;
        };
        let promised = match self.lanes.remove(&vector) {
            Some(Lanes::Promised(promised)) => promised,
            _ => self.new_lanes(count, element),
        };
        for (number, &lane) in promised.iter().enumerate() {
            let parts = self.parts_of_lane(element, number);
            self.push(lane, Op::Parts((ty, Value::Local(vector)), parts));
        }
        let lanes = promised.into_iter().map(Value::Local).collect();
        self.lanes.insert(vector, Lanes::Defined(lanes));
    }

    fn new_lanes(&mut self, count: usize, element: TypeId) -> Vec<LocalId> {
        let lane = |_| self.locals.add("lane", element);
        (0..count).map(lane).collect()
    }

    /// Returns which parts of a vector belong to a lane: an integer of more than 64 bits has
    /// several.
    fn parts_of_lane(&self, element: TypeId, number: usize) -> Range<usize> {
        let words = self.types.int_width(element).unwrap_or(1).div_ceil(64) as usize;
        number * words..(number + 1) * words
    }

    /// Returns the lanes of an operand that is a vector.
    fn lanes(&mut self, ty: TypeId, value: &Value) -> Vec<Value> {
        let Some((count, element)) = self.vector(ty) else {
            return vec![value.clone()];
        };
        match value {
            Value::Const(Const::Aggregate(lanes)) => {
                let lanes = lanes.iter();
                lanes.map(|(_, lane)| Value::Const(lane.clone())).collect()
            }
            Value::Local(local) => match self.lanes.get(local) {
                Some(Lanes::Defined(lanes)) => lanes.clone(),
                Some(Lanes::Promised(lanes)) => lanes.iter().copied().map(Value::Local).collect(),
                None => {
                    let promised = self.new_lanes(count, element);
                    let lanes = promised.iter().copied().map(Value::Local).collect();
                    self.lanes.insert(*local, Lanes::Promised(promised));
                    lanes
                }
            },
            Value::Const(Const::Zero) | Value::Metadata => vec![Value::Const(Const::Zero); count],
            Value::Const(_) => {
                let whole = (ty, value.clone());
                let lane = |number| {
                    let parts = self.parts_of_lane(element, number);
                    self.add(Op::Parts(whole.clone(), parts), element)
                };
                (0..count).map(lane).collect()
            }
        }
    }

    /// Returns the lanes of an operand that is a vector, or of one that all lanes share.
    fn lanes_or_splat(&mut self, ty: TypeId, value: &Value, count: usize) -> Vec<Value> {
        match self.vector(ty) {
            Some(_) => self.lanes(ty, value),
            None => vec![value.clone(); count],
        }
    }

    // ---- instructions

    fn push(&mut self, result: LocalId, op: Op) {
        self.insns.push(Insn {
            place: self.place,
            result: Some(result),
            op,
        });
    }

    /// Adds an instruction; returns its result.
    fn add(&mut self, op: Op, ty: TypeId) -> Value {
        let local = self.locals.add("lane", ty);
        self.push(local, op);
        Value::Local(local)
    }

    fn int(&mut self, bits: u32) -> TypeId {
        self.types.add(Type::Int(bits))
    }

    fn binary(&mut self, op: Binary, ty: TypeId, a: Value, b: Value) -> Value {
        self.add(Op::Binary(op, ty, a, b), ty)
    }

    fn cast(&mut self, cast: Cast, from: TypeId, value: Value, to: TypeId) -> Value {
        match from == to {
            true => value,
            false => self.add(Op::Cast(cast, (from, value), to), to),
        }
    }

    fn select(&mut self, condition: Value, ty: TypeId, a: Value, b: Value) -> Value {
        self.add(Op::Select(condition, ty, a, b), ty)
    }

    /// Adds a call of an intrinsic of LLVM's.
    fn call(&mut self, name: &str, result: TypeId, args: Vec<Typed>) -> Value {
        self.add(Call::of(name, result, args), result)
    }

    /// Rewrites an instruction whose result is of this type.
    fn rewritten(&mut self, op: Op, result: Option<TypeId>) -> Rewritten {
        let lanes_of_result = result.and_then(|ty| self.vector(ty));
        match op {
            Op::Load(ty, pointer) if self.types.is_packed(ty) => self.load_packed(ty, pointer),
            Op::Store((ty, value), pointer) if self.types.is_packed(ty) => {
                self.store_packed(ty, &value, pointer)
            }
            Op::Cast(Cast::Bits, (from, ref value), to)
                if self.vector(from).is_some() || self.vector(to).is_some() =>
            {
                self.reinterpreted(from, value, to)
            }
            Op::ExtractElement((ty, ref value), ref index) if self.vector(ty).is_some() => {
                self.extracted(ty, value, index)
            }
            Op::Call(call) => self.rewritten_call(call, result),
            op => match lanes_of_result {
                Some((count, element)) => self.by_lanes(op, count, element),
                None => Rewritten::Insn(op),
            },
        }
    }

    /// Rewrites an operation whose result is a vector, lane by lane.
    fn by_lanes(&mut self, op: Op, count: usize, element: TypeId) -> Rewritten {
        let lanes = match &op {
            Op::Binary(binary, ty, a, b) => self.each_pair(*ty, [a, b], element, |lane, a, b| {
                Op::Binary(*binary, lane, a, b)
            }),
            Op::Icmp(predicate, ty, a, b) => self.each_pair(*ty, [a, b], element, |lane, a, b| {
                Op::Icmp(*predicate, lane, a, b)
            }),
            Op::Fcmp(predicate, ty, a, b) => self.each_pair(*ty, [a, b], element, |lane, a, b| {
                Op::Fcmp(*predicate, lane, a, b)
            }),
            Op::Fneg(ty, value) => {
                let values = self.lanes(*ty, value);
                let negate = |value| self.add(Op::Fneg(element, value), element);
                values.into_iter().map(negate).collect()
            }
            Op::Cast(cast, (from, value), _) => {
                let Some((_, from_element)) = self.vector(*from) else {
                    return Rewritten::Insn(op);
                };
                let values = self.lanes(*from, value);
                let convert = |value| self.cast(*cast, from_element, value, element);
                values.into_iter().map(convert).collect()
            }
            Op::Select(condition, ty, a, b) => match self.conditions(condition) {
                Some(bits) => self.selected(bits, *ty, [a, b], element),
                None => return Rewritten::Insn(op),
            },
            Op::InsertElement((ty, vector), (_, value), index) => {
                let lanes = self.lanes(*ty, vector);
                self.inserted(lanes, element, value, index)
            }
            Op::ShuffleVector(ty, a, b, numbers) => {
                let mut both = self.lanes(*ty, a);
                both.extend(self.lanes(*ty, b));
                let zero = Value::Const(Const::Zero);
                let lane = |number: &u32| both.get(*number as usize).unwrap_or(&zero).clone();
                numbers.iter().map(lane).collect()
            }
            Op::Address { .. } => self.addresses(&op, count, element),
            _ => return Rewritten::Insn(op),
        };
        Rewritten::Lanes(lanes)
    }

    /// Adds an instruction for each pair of lanes; `result` is the type of its result, and `op`
    /// gets that of the operands.
    fn each_pair(
        &mut self,
        ty: TypeId,
        [a, b]: [&Value; 2],
        result: TypeId,
        op: impl Fn(TypeId, Value, Value) -> Op,
    ) -> Vec<Value> {
        let lane = self.vector(ty).map_or(ty, |(_, element)| element);
        let pairs = self.lanes(ty, a).into_iter().zip(self.lanes(ty, b));
        let pairs: Vec<_> = pairs.collect();
        let apply = |(a, b)| self.add(op(lane, a, b), result);
        pairs.into_iter().map(apply).collect()
    }

    /// Returns the lanes of a condition, if it is a vector.
    fn conditions(&mut self, condition: &Value) -> Option<Vec<Value>> {
        match condition {
            Value::Local(local) => {
                let ty = self.locals.ty(*local)?;
                self.vector(ty)?;
                Some(self.lanes(ty, condition))
            }
            Value::Const(Const::Aggregate(lanes)) => {
                let lanes = lanes.iter();
                Some(lanes.map(|(_, lane)| Value::Const(lane.clone())).collect())
            }
            _ => None,
        }
    }

    fn selected(
        &mut self,
        bits: Vec<Value>,
        ty: TypeId,
        [a, b]: [&Value; 2],
        element: TypeId,
    ) -> Vec<Value> {
        let pairs = self.lanes(ty, a).into_iter().zip(self.lanes(ty, b));
        let pairs: Vec<_> = pairs.collect();
        let lanes = bits.into_iter().zip(pairs);
        lanes
            .map(|(bit, (a, b))| self.select(bit, element, a, b))
            .collect()
    }

    /// Returns the addresses of a `getelementptr` with vectors among its operands.
    fn addresses(&mut self, op: &Op, count: usize, pointer: TypeId) -> Vec<Value> {
        let Op::Address {
            element,
            base,
            indices,
        } = op
        else {
            return Vec::new();
        };
        let bases = match self.conditions(base) {
            Some(bases) => bases,
            None => vec![base.clone(); count],
        };
        let lanes_of_indices: Vec<(TypeId, Vec<Value>)> = indices
            .iter()
            .map(|(ty, index)| {
                let lane = self.vector(*ty).map_or(*ty, |(_, element)| element);
                (lane, self.lanes_or_splat(*ty, index, count))
            })
            .collect();
        let mut addresses = Vec::new();
        for (number, base) in bases.into_iter().enumerate() {
            let indices = lanes_of_indices
                .iter()
                .filter_map(|(ty, lanes)| Some((*ty, lanes.get(number)?.clone())));
            let op = Op::Address {
                element: *element,
                base,
                indices: indices.collect(),
            };
            addresses.push(self.add(op, pointer));
        }
        addresses
    }

    // ---- single lanes

    fn extracted(&mut self, ty: TypeId, value: &Value, index: &Typed) -> Rewritten {
        let lanes = self.lanes(ty, value);
        let Some((_, element)) = self.vector(ty) else {
            return Rewritten::Lanes(lanes);
        };
        let zero = Value::Const(Const::Zero);
        let lane = match constant_index(index) {
            Some(number) => lanes.get(number).cloned().unwrap_or(zero),
            None => {
                let mut lanes = lanes.into_iter().enumerate();
                let mut lane = lanes.next().map_or(zero, |(_, first)| first);
                for (number, other) in lanes {
                    let is_here = self.is_index(index, number);
                    lane = self.select(is_here, element, other, lane);
                }
                lane
            }
        };
        Rewritten::Insn(Op::Join(vec![(element, lane)]))
    }

    fn inserted(
        &mut self,
        mut lanes: Vec<Value>,
        element: TypeId,
        value: &Value,
        index: &Typed,
    ) -> Vec<Value> {
        if let Some(number) = constant_index(index) {
            if let Some(lane) = lanes.get_mut(number) {
                *lane = value.clone();
            }
            return lanes;
        }
        let lanes = lanes.into_iter().enumerate();
        lanes
            .map(|(number, lane)| {
                let is_here = self.is_index(index, number);
                self.select(is_here, element, value.clone(), lane)
            })
            .collect()
    }

    /// Returns whether an index that is only known when the program runs is this number.
    fn is_index(&mut self, (ty, index): &Typed, number: usize) -> Value {
        let number = Value::Const(Const::Int(number as u128));
        let bit = self.int(1);
        let op = Op::Icmp(crate::ast::IntPredicate::Eq, *ty, index.clone(), number);
        self.add(op, bit)
    }
}

/// Returns an index that is constant; an undefined one is 0.
fn constant_index((_, index): &Typed) -> Option<usize> {
    match index {
        Value::Const(Const::Int(index)) => Some(usize::try_from(*index).unwrap_or(usize::MAX)),
        Value::Const(_) => Some(0),
        _ => None,
    }
}
