//! Vectors as other lanes, as integers, and in memory where their lanes are no whole bytes.

use super::{Rewritten, Scalarizer};
use crate::ast::{Binary, Cast, Const, Op, Typed, Value};
use crate::types::{Type, TypeId};

impl Scalarizer<'_> {
    /// Loads the integer of a vector's bits and takes it apart.
    pub(super) fn load_packed(&mut self, ty: TypeId, pointer: Value) -> Rewritten {
        let Some(int) = self.int_of(ty) else {
            return Rewritten::Insn(Op::Load(ty, pointer));
        };
        let whole = self.add(Op::Load(int, pointer), int);
        Rewritten::Lanes(self.repacked(int, &whole, ty))
    }

    pub(super) fn store_packed(&mut self, ty: TypeId, value: &Value, pointer: Value) -> Rewritten {
        let Some(int) = self.int_of(ty) else {
            return Rewritten::Insn(Op::Store((ty, value.clone()), pointer));
        };
        let whole = self.single(ty, value, int);
        Rewritten::Insn(Op::Store((int, whole), pointer))
    }

    /// Returns the integer type of as many bits.
    fn int_of(&mut self, ty: TypeId) -> Option<TypeId> {
        let bits = u32::try_from(self.types.bits(ty)?).ok()?;
        self.vector(ty)?;
        Some(self.int(bits))
    }

    /// Rewrites `bitcast`, `ptrtoint` and their kin from or to a vector.
    pub(super) fn reinterpreted(&mut self, from: TypeId, value: &Value, to: TypeId) -> Rewritten {
        if let (Some((count, from_lane)), Some((same, to_lane))) =
            (self.vector(from), self.vector(to))
            && count == same
        {
            let lanes = self.lanes(from, value);
            let cast = |lane| self.cast(Cast::Bits, from_lane, lane, to_lane);
            return Rewritten::Lanes(lanes.into_iter().map(cast).collect());
        }
        if self.vector(to).is_some() {
            return Rewritten::Lanes(self.repacked(from, value, to));
        }
        let whole = self.single(from, value, to);
        Rewritten::Insn(Op::Join(vec![(to, whole)]))
    }

    /// Returns the bits of a value as a scalar.
    pub(super) fn single(&mut self, from: TypeId, value: &Value, to: TypeId) -> Value {
        let mut whole = self.repacked(from, value, to);
        whole.pop().unwrap_or(Value::Const(Const::Zero))
    }

    /// Returns the bits of a value as the lanes of another type with as many bits; a scalar is one
    /// lane.
    pub(super) fn repacked(&mut self, from: TypeId, value: &Value, to: TypeId) -> Vec<Value> {
        let from_lane = self.vector(from).map_or(from, |(_, element)| element);
        let to_lane = self.vector(to).map_or(to, |(_, element)| element);
        let width = |ty| {
            self.types
                .bits(ty)
                .and_then(|bits| u32::try_from(bits).ok())
        };
        let (Some(narrow), Some(wide), Some(total)) = (width(from_lane), width(to_lane), width(to))
        else {
            // The types cannot be expressed, which the import tells.
            return vec![self.add(Op::Cast(Cast::Bits, (from, value.clone()), to), to)];
        };
        let (narrow_int, wide_int) = (self.int(narrow), self.int(wide));
        let lanes = self.lanes(from, value);
        let as_int = |lane| self.cast(Cast::Bits, from_lane, lane, narrow_int);
        let lanes: Vec<_> = lanes.into_iter().map(as_int).collect();
        let lanes = if wide.is_multiple_of(narrow) {
            self.merged_all(&lanes, narrow, wide)
        } else if narrow.is_multiple_of(wide) {
            self.split_all(&lanes, narrow, wide)
        } else {
            let whole = self.merged(&lanes, narrow, total);
            self.split_bits(&whole, total, wide)
        };
        let as_lane = |lane| self.cast(Cast::Bits, wide_int, lane, to_lane);
        lanes.into_iter().map(as_lane).collect()
    }

    fn merged_all(&mut self, lanes: &[Value], narrow: u32, wide: u32) -> Vec<Value> {
        let groups = lanes.chunks((wide / narrow) as usize);
        groups
            .map(|group| self.merged(group, narrow, wide))
            .collect()
    }

    fn split_all(&mut self, lanes: &[Value], wide: u32, narrow: u32) -> Vec<Value> {
        let lanes = lanes.iter();
        lanes
            .flat_map(|lane| self.split_bits(lane, wide, narrow))
            .collect()
    }

    /// Returns the integer of some lanes' bits.
    fn merged(&mut self, lanes: &[Value], narrow: u32, wide: u32) -> Value {
        if let [lane] = lanes {
            return lane.clone();
        }
        let mut lanes = lanes.to_vec();
        // An integer of more than 64 bits is its words, the least significant first.
        if wide.is_multiple_of(64) && wide > 64 {
            if narrow < 64 && 64_u32.is_multiple_of(narrow) {
                let words = self.merged_all(&lanes, narrow, 64);
                return self.merged(&words, 64, wide);
            }
            if narrow.is_multiple_of(64) {
                self.order_of_bits(&mut lanes);
                let word = self.int(narrow);
                let words = lanes.into_iter().map(|lane| (word, lane)).collect();
                let whole = self.int(wide);
                return self.add(Op::Join(words), whole);
            }
        }
        self.order_of_bits(&mut lanes);
        let (from, to) = (self.int(narrow), self.int(wide));
        let mut whole: Option<Value> = None;
        for (number, lane) in (0..).zip(lanes) {
            let lane = self.cast(Cast::Zext, from, lane, to);
            whole = Some(match whole {
                None => lane,
                Some(below) => {
                    let count = Value::Const(Const::Int(number * u128::from(narrow)));
                    let lane = self.binary(Binary::Shl, to, lane, count);
                    self.binary(Binary::Or, to, below, lane)
                }
            });
        }
        whole.unwrap_or(Value::Const(Const::Zero))
    }

    /// Returns the lanes that the bits of an integer are.
    fn split_bits(&mut self, value: &Value, wide: u32, narrow: u32) -> Vec<Value> {
        if wide == narrow {
            return vec![value.clone()];
        }
        let (from, to) = (self.int(wide), self.int(narrow));
        let whole: Typed = (from, value.clone());
        if wide > 64 && wide.is_multiple_of(64) && 64_u32.is_multiple_of(narrow) && narrow < 64 {
            let words = self.split_bits(value, wide, 64);
            return self.split_all(&words, 64, narrow);
        }
        let mut lanes = Vec::new();
        for number in 0..wide / narrow {
            lanes.push(if wide > 64 && narrow.is_multiple_of(64) {
                let parts = self.parts_of_lane(to, number as usize);
                self.add(Op::Parts(whole.clone(), parts), to)
            } else {
                let count = Value::Const(Const::Int(u128::from(number * narrow)));
                let shifted = match number {
                    0 => value.clone(),
                    _ => self.binary(Binary::Lshr, from, value.clone(), count),
                };
                self.cast(Cast::Trunc, from, shifted, to)
            });
        }
        self.order_of_bits(&mut lanes);
        lanes
    }

    /// Turns lanes in their order to the order of their bits, or back.
    pub(super) fn order_of_bits(&self, lanes: &mut [Value]) {
        if self.big_endian {
            lanes.reverse();
        }
    }

    /// Returns the type of a vector.
    pub(super) fn vector_of(&mut self, count: usize, element: TypeId) -> TypeId {
        self.types.add(Type::Vector(count as u64, element))
    }
}
