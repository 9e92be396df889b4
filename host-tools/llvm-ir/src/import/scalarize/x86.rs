//! The SSE2 intrinsics that clang and rustc make of `emmintrin.h` and `core::arch`; most of those
//! headers is plain LLVM IR. What they give is told by Intel's manual under the instruction.

use super::{Rewritten, Scalarizer, number};
use crate::ast::{Binary, Call, Cast, Const, FloatPredicate, IntPredicate, Op, Value};
use crate::types::{Type, TypeId};

/// The conditions of `cmpps` and its kin, by their number.
const CONDITIONS: [FloatPredicate; 8] = [
    FloatPredicate::Oeq,
    FloatPredicate::Olt,
    FloatPredicate::Ole,
    FloatPredicate::Uno,
    FloatPredicate::Une,
    FloatPredicate::Uge,
    FloatPredicate::Ugt,
    FloatPredicate::Ord,
];

impl Scalarizer<'_> {
    /// Rewrites an intrinsic; `name` follows `llvm.x86.`.
    pub(super) fn x86(&mut self, name: &str, call: &Call, result: TypeId) -> Option<Rewritten> {
        let (set, name) = name.split_once('.')?;
        if set != "sse" && set != "sse2" {
            return None;
        }
        let lanes = match name {
            "pmovmskb.128" | "movmsk.ps" | "movmsk.pd" => return self.signs(call, result),
            "packsswb.128" | "packssdw.128" => self.packed(call, result, true)?,
            "packuswb.128" => self.packed(call, result, false)?,
            "psad.bw" => self.differences(call)?,
            "pmadd.wd" => self.products_of_pairs(call, result)?,
            "pmulh.w" => self.high_products(call, result, Cast::Sext)?,
            "pmulhu.w" => self.high_products(call, result, Cast::Zext)?,
            "pavg.b" | "pavg.w" => self.averages(call, result)?,
            _ if name.starts_with("psll") => self.shifts(Binary::Shl, call, result)?,
            _ if name.starts_with("psrl") => self.shifts(Binary::Lshr, call, result)?,
            _ if name.starts_with("psra") => self.shifts(Binary::Ashr, call, result)?,
            "cmp.ps" | "cmp.pd" => self.masks(call, result, usize::MAX)?,
            "cmp.ss" | "cmp.sd" => self.masks(call, result, 1)?,
            "max.ps" | "max.pd" => self.extremes(call, FloatPredicate::Ogt, usize::MAX)?,
            "min.ps" | "min.pd" => self.extremes(call, FloatPredicate::Olt, usize::MAX)?,
            "max.ss" | "max.sd" => self.extremes(call, FloatPredicate::Ogt, 1)?,
            "min.ss" | "min.sd" => self.extremes(call, FloatPredicate::Olt, 1)?,
            _ if name.starts_with("comi") || name.starts_with("ucomi") => {
                return self.compared(name, call, result);
            }
            _ if name.starts_with("cvt") => return self.converted(name, call, result),
            _ => return None,
        };
        Some(Rewritten::Lanes(lanes))
    }

    fn compare(&mut self, predicate: IntPredicate, ty: TypeId, a: Value, b: Value) -> Value {
        let bit = self.int(1);
        self.add(Op::Icmp(predicate, ty, a, b), bit)
    }

    fn compare_floats(
        &mut self,
        predicate: FloatPredicate,
        ty: TypeId,
        a: Value,
        b: Value,
    ) -> Value {
        let bit = self.int(1);
        self.add(Op::Fcmp(predicate, ty, a, b), bit)
    }

    /// Returns the sign bits of all lanes, that of lane 0 lowest.
    fn signs(&mut self, call: &Call, result: TypeId) -> Option<Rewritten> {
        let (ty, lane) = (call.args.first()?.ty, self.lane_type(call, 0)?);
        let int = self.int(u32::try_from(self.types.bits(lane)?).ok()?);
        let mut bits = Vec::new();
        for lane_value in self.arg(call, 0)? {
            let lane = self.cast(Cast::Bits, lane, lane_value, int);
            bits.push(self.compare(IntPredicate::Slt, int, lane, number(0)));
        }
        self.order_of_bits(&mut bits);
        let (count, bit) = (self.vector(ty)?.0, self.int(1));
        let mask = self.vector_of(count, bit);
        let whole = self.int(count as u32);
        let joined = bits.into_iter().map(|value| (bit, value)).collect();
        let joined = self.add_vector(Op::Join(joined), mask);
        let whole_value = self.single(mask, &joined, whole);
        let widened = self.cast(Cast::Zext, whole, whole_value, result);
        Some(Rewritten::Insn(Op::Join(vec![(result, widened)])))
    }

    /// Adds an instruction whose result is a vector.
    fn add_vector(&mut self, op: Op, ty: TypeId) -> Value {
        let value = self.add(op, ty);
        if let Value::Local(local) = value {
            self.split(local);
        }
        value
    }

    /// Returns the lanes of both arguments in half the bits, with saturation.
    fn packed(&mut self, call: &Call, result: TypeId, signed: bool) -> Option<Vec<Value>> {
        let (from, (_, to)) = (self.lane_type(call, 0)?, self.vector(result)?);
        let bits = self.types.int_width(to)?;
        let (least, most) = match signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        };
        let mut lanes = self.arg(call, 0)?;
        lanes.extend(self.arg(call, 1)?);
        let mut packed = Vec::new();
        for lane in lanes {
            let lane = self.call_of_two("smax", from, lane, number(least))?;
            let lane = self.call_of_two("smin", from, lane, number(most))?;
            packed.push(self.cast(Cast::Trunc, from, lane, to));
        }
        Some(packed)
    }

    /// Returns the sums of the absolute differences of eight bytes each.
    fn differences(&mut self, call: &Call) -> Option<Vec<Value>> {
        let (byte, word) = (self.lane_type(call, 0)?, self.int(64));
        let pairs = self.arg(call, 0)?.into_iter().zip(self.arg(call, 1)?);
        let pairs: Vec<_> = pairs.collect();
        let mut sums = Vec::new();
        for eight in pairs.chunks(8) {
            let mut sum = number(0);
            for (a, b) in eight.iter().cloned() {
                let (a, b) = (
                    self.cast(Cast::Zext, byte, a, word),
                    self.cast(Cast::Zext, byte, b, word),
                );
                let difference = self.binary(Binary::Sub, word, a, b);
                let bit = (self.int(1), number(0));
                let args = vec![(word, difference), bit];
                let difference = self.call("llvm.abs.i64", word, args);
                sum = self.binary(Binary::Add, word, sum, difference);
            }
            sums.push(sum);
        }
        Some(sums)
    }

    /// Returns the products of lanes in a wider type.
    fn products(&mut self, call: &Call, wide: TypeId, extension: Cast) -> Option<Vec<Value>> {
        let lane = self.lane_type(call, 0)?;
        let pairs = self.arg(call, 0)?.into_iter().zip(self.arg(call, 1)?);
        let pairs: Vec<_> = pairs.collect();
        let mut products = Vec::new();
        for (a, b) in pairs {
            let (a, b) = (
                self.cast(extension, lane, a, wide),
                self.cast(extension, lane, b, wide),
            );
            products.push(self.binary(Binary::Mul, wide, a, b));
        }
        Some(products)
    }

    fn products_of_pairs(&mut self, call: &Call, result: TypeId) -> Option<Vec<Value>> {
        let (_, wide) = self.vector(result)?;
        let products = self.products(call, wide, Cast::Sext)?;
        let sum = |pair: &[Value]| match pair {
            [a, b] => Some(self.binary(Binary::Add, wide, a.clone(), b.clone())),
            _ => None,
        };
        products.chunks(2).map(sum).collect()
    }

    fn high_products(
        &mut self,
        call: &Call,
        result: TypeId,
        extension: Cast,
    ) -> Option<Vec<Value>> {
        let ((_, lane), wide) = (self.vector(result)?, self.int(32));
        let mut high = Vec::new();
        for product in self.products(call, wide, extension)? {
            let upper = self.binary(Binary::Lshr, wide, product, number(16));
            high.push(self.cast(Cast::Trunc, wide, upper, lane));
        }
        Some(high)
    }

    /// Returns the averages, rounded up.
    fn averages(&mut self, call: &Call, result: TypeId) -> Option<Vec<Value>> {
        let ((_, lane), wide) = (self.vector(result)?, self.int(32));
        let pairs = self.arg(call, 0)?.into_iter().zip(self.arg(call, 1)?);
        let pairs: Vec<_> = pairs.collect();
        let mut averages = Vec::new();
        for (a, b) in pairs {
            let (a, b) = (
                self.cast(Cast::Zext, lane, a, wide),
                self.cast(Cast::Zext, lane, b, wide),
            );
            let sum = self.binary(Binary::Add, wide, a, b);
            let sum = self.binary(Binary::Add, wide, sum, number(1));
            let half = self.binary(Binary::Lshr, wide, sum, number(1));
            averages.push(self.cast(Cast::Trunc, wide, half, lane));
        }
        Some(averages)
    }

    /// Shifts all lanes by one count: an integer, or the low 64 bits of a vector. Beyond the width
    /// nothing is left but the sign.
    fn shifts(&mut self, op: Binary, call: &Call, result: TypeId) -> Option<Vec<Value>> {
        let (_, lane) = self.vector(result)?;
        let (bits, word) = (self.types.int_width(lane)?, self.int(64));
        let (ty, count) = Self::scalar_arg(call, 1)?;
        let count = if self.vector(ty).is_some() {
            let words = self.vector_of(2, word);
            self.repacked(ty, &count, words).into_iter().next()?
        } else {
            self.cast(Cast::Zext, ty, count, word)
        };
        let last = number(i128::from(bits) - 1);
        let beyond = self.compare(IntPredicate::Ugt, word, count.clone(), last.clone());
        let count = self.select(beyond.clone(), word, last, count);
        let count = self.cast(Cast::Trunc, word, count, lane);
        let mut shifted = Vec::new();
        for value in self.arg(call, 0)? {
            let value = self.binary(op, lane, value, count.clone());
            shifted.push(match op {
                Binary::Ashr => value,
                _ => self.select(beyond.clone(), lane, number(0), value),
            });
        }
        Some(shifted)
    }

    /// Returns all ones or zeros for each of the first lanes, as the condition of the third
    /// argument holds; the others are those of the first argument.
    fn masks(&mut self, call: &Call, result: TypeId, most: usize) -> Option<Vec<Value>> {
        let (_, float) = self.vector(result)?;
        let (_, Value::Const(condition)) = Self::scalar_arg(call, 2)? else {
            return None;
        };
        let condition = match condition {
            Const::Int(number) => usize::try_from(number).ok()?,
            _ => 0,
        };
        let predicate = *CONDITIONS.get(condition)?;
        let int = self.int(u32::try_from(self.types.bits(float)?).ok()?);
        let mut masks = self.arg(call, 0)?;
        for (lane, b) in masks.iter_mut().zip(self.arg(call, 1)?).take(most) {
            let bit = self.compare_floats(predicate, float, lane.clone(), b);
            let bits = self.int(1);
            let mask = self.cast(Cast::Sext, bits, bit, int);
            *lane = self.cast(Cast::Bits, int, mask, float);
        }
        Some(masks)
    }

    /// Returns the greater or lesser of the first lanes, the second if the comparison does not
    /// hold; the others are those of the first argument.
    fn extremes(
        &mut self,
        call: &Call,
        predicate: FloatPredicate,
        most: usize,
    ) -> Option<Vec<Value>> {
        let float = self.lane_type(call, 0)?;
        let mut lanes = self.arg(call, 0)?;
        for (lane, b) in lanes.iter_mut().zip(self.arg(call, 1)?).take(most) {
            let bit = self.compare_floats(predicate, float, lane.clone(), b.clone());
            *lane = self.select(bit, float, lane.clone(), b);
        }
        Some(lanes)
    }

    /// Returns whether lanes 0 compare.
    fn compared(&mut self, name: &str, call: &Call, result: TypeId) -> Option<Rewritten> {
        let condition = name.trim_start_matches("ucomi").trim_start_matches("comi");
        let predicate = match condition.split('.').next()? {
            "eq" => FloatPredicate::Oeq,
            "lt" => FloatPredicate::Olt,
            "le" => FloatPredicate::Ole,
            "gt" => FloatPredicate::Ogt,
            "ge" => FloatPredicate::Oge,
            "neq" => FloatPredicate::Une,
            _ => return None,
        };
        let float = self.lane_type(call, 0)?;
        let (a, b) = (
            self.arg(call, 0)?.into_iter().next()?,
            self.arg(call, 1)?.into_iter().next()?,
        );
        let bit = self.compare_floats(predicate, float, a, b);
        let bits = self.int(1);
        let whole = self.cast(Cast::Zext, bits, bit, result);
        Some(Rewritten::Insn(Op::Join(vec![(result, whole)])))
    }

    /// Converts floats to integers, by truncation (`cvtt`) or as the rounding mode says; what does
    /// not fit is the least integer.
    fn converted(&mut self, name: &str, call: &Call, result: TypeId) -> Option<Rewritten> {
        let (name, rounding) = match name.strip_prefix("cvtt") {
            Some(name) => (name, "trunc"),
            None => (name.strip_prefix("cvt")?, "rint"),
        };
        let float = self.lane_type(call, 0)?;
        let lanes = self.arg(call, 0)?;
        match name {
            "sd2si" | "sd2si64" | "ss2si" | "ss2si64" => {
                let lane = lanes.into_iter().next()?;
                let whole = self.nearest_int(lane, float, rounding, result)?;
                Some(Rewritten::Insn(Op::Join(vec![(result, whole)])))
            }
            "ps2dq" | "pd2dq" => {
                let (count, int) = self.vector(result)?;
                let mut ints = Vec::new();
                for lane in lanes {
                    ints.push(self.nearest_int(lane, float, rounding, int)?);
                }
                ints.resize(count, number(0));
                Some(Rewritten::Lanes(ints))
            }
            _ => None,
        }
    }

    fn nearest_int(
        &mut self,
        value: Value,
        float: TypeId,
        rounding: &str,
        int: TypeId,
    ) -> Option<Value> {
        let suffix = match self.types.get(float) {
            Type::Float => "f32",
            _ => "f64",
        };
        let bits = self.types.int_width(int)?;
        let name = format!("llvm.{rounding}.{suffix}");
        let whole = self.call(&name, float, vec![(float, value)]);
        // Both ends of the range are exact.
        let end = 2_f64.powi(bits.cast_signed() - 1);
        let [least, end] = [-end, end].map(|end| Value::Const(Const::Double(end.to_bits())));
        let above = self.compare_floats(FloatPredicate::Oge, float, whole.clone(), least);
        let below = self.compare_floats(FloatPredicate::Olt, float, whole.clone(), end);
        let bit = self.int(1);
        let fits = self.binary(Binary::And, bit, above, below);
        let converted = self.cast(Cast::Fptosi, float, whole, int);
        Some(self.select(fits, int, converted, number(-1 << (bits - 1))))
    }
}
