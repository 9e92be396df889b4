//! Rewrites operations on `half` and `bfloat` as operations on `float`.
//!
//! Such a value is held, and lies in memory, as the integer of its 16 bits. An operation extends
//! its operands to `float`, computes there, and rounds the result to 16 bits again, after each one,
//! as LLVM does for machines without such instructions. `float` has more than twice the bits of
//! either type and two more, so that sums, products, quotients and square roots are rounded right.
//!
//! This comes after vectors were taken apart, so that all operations are on scalars. The functions
//! that convert are written in LLVM IR here and become functions of the module.

use super::function::Lower;
use super::integers::held_of;
use super::locals::Locals;
use super::parts::Kind;
use super::platform::Short;
use super::values::Held;
use crate::ast::{Binary, Body, Call, Cast, Const, Function, Insn, Module, Op, Value};
use crate::error::{Result, SourcePosition};
use crate::parse;
use crate::types::{Type, TypeId, Types};
use mir_nostd::ir::{Code, Reg, Type as MediumType};

/// The bits of a format of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    /// The number of bits of the fraction.
    fraction: u32,
    /// The exponent of 1.
    bias: u64,
}

const HALF: Format = Format {
    fraction: 10,
    bias: 15,
};
const BFLOAT: Format = Format {
    fraction: 7,
    bias: 127,
};

/// The functions that convert.
const FLOAT_OF_HALF: &str = "$float_of_half";
const HALF_OF_DOUBLE: &str = "$half_of_double";
const BFLOAT_OF_DOUBLE: &str = "$bfloat_of_double";

/// The sign bit, and all others.
const SIGN: u128 = 0x8000;
const MAGNITUDE: u128 = 0x7fff;

/// Converts a `half` to a `float`: one that is finite has the fraction at its place there, and the
/// exponent short of 112.
const TEXT_OF_FLOAT: &str = r#"
define internal float @"$float_of_half"(i16 %half) {
  %wide = zext i16 %half to i32
  %sign.bit = and i32 %wide, 32768
  %sign = shl i32 %sign.bit, 16
  %size = and i32 %wide, 32767
  %shifted = shl i32 %size, 13
  %special = icmp uge i32 %size, 31744
  br i1 %special, label %infinite, label %finite
infinite:
  %all.ones = or i32 %shifted, 2139095040
  br label %end
finite:
  %small = bitcast i32 %shifted to float
  %scaled = fmul float %small, 0x46F0000000000000
  %bits = bitcast float %scaled to i32
  br label %end
end:
  %unsigned = phi i32 [ %all.ones, %infinite ], [ %bits, %finite ]
  %signed = or i32 %unsigned, %sign
  %float = bitcast i32 %signed to float
  ret float %float
}
"#;

impl Format {
    pub(crate) fn of(ty: &Type) -> Option<Format> {
        match ty {
            Type::Half => Some(HALF),
            Type::BFloat => Some(BFLOAT),
            _ => None,
        }
    }

    /// Returns the number of bits of the fraction.
    pub(super) const fn fraction(self) -> u32 {
        self.fraction
    }

    /// Returns the bits of infinity.
    const fn infinity(self) -> u64 {
        0x7fff >> self.fraction << self.fraction
    }

    /// Returns the bits that hold the exponent of a double of this power of two.
    const fn power(exponent: i64) -> u64 {
        ((exponent + 1023) as u64) << 52
    }

    /// Returns the bits of the double from which on values are rounded to infinity, of the least
    /// normal one, and of the one whose last bit has the weight of this format's last.
    const fn limits(self) -> [u64; 3] {
        let bias = self.bias.cast_signed();
        let most = Format::power(bias + 1) - (1 << (51 - self.fraction));
        let least = 1 - bias;
        let last = least - self.fraction as i64;
        [most, Format::power(least), Format::power(last + 52)]
    }

    /// Returns the bits of a double rounded to this format.
    pub(crate) fn rounded(self, double: u64) -> u16 {
        let sign = (double >> 48) as u16 & 0x8000;
        let (size, shift) = (double & (u64::MAX >> 1), 52 - self.fraction);
        let [most, least, unit] = self.limits();
        let bits = if f64::from_bits(size).is_nan() {
            let kept = size >> shift & ((1 << self.fraction) - 1);
            kept | self.infinity() | 1 << (self.fraction - 1)
        } else if size >= most {
            self.infinity()
        } else if size < least {
            (f64::from_bits(size) + f64::from_bits(unit)).to_bits() - unit
        } else {
            let even = size >> shift & 1;
            let rounded = size + (1 << (shift - 1)) - 1 + even;
            (rounded >> shift) - ((1023 - self.bias) << self.fraction)
        };
        sign | bits as u16
    }

    const fn function(self) -> &'static str {
        match self.fraction {
            10 => HALF_OF_DOUBLE,
            _ => BFLOAT_OF_DOUBLE,
        }
    }

    /// Returns the function that does the same as [`Format::rounded`].
    fn text(self) -> String {
        let (name, shift) = (self.function(), 52 - self.fraction);
        let [most, least, unit] = self.limits();
        let infinity = self.infinity();
        let fraction = (1_u64 << self.fraction) - 1;
        let quiet = infinity | 1 << (self.fraction - 1);
        let rest = (1_u64 << (shift - 1)) - 1;
        let excess = (1023 - self.bias) << self.fraction;
        format!(
            r#"
define internal i16 @"{name}"(double %double) {{
  %bits = bitcast double %double to i64
  %high = lshr i64 %bits, 48
  %sign = and i64 %high, 32768
  %size = and i64 %bits, 9223372036854775807
  %above = icmp ugt i64 %size, 9218868437227405312
  br i1 %above, label %nan, label %number
nan:
  %kept = lshr i64 %size, {shift}
  %cut = and i64 %kept, {fraction}
  %quiet = or i64 %cut, {quiet}
  br label %end
number:
  %large = icmp uge i64 %size, {most}
  br i1 %large, label %end, label %finite
finite:
  %small = icmp ult i64 %size, {least}
  br i1 %small, label %subnormal, label %normal
subnormal:
  %value = bitcast i64 %size to double
  %unit = bitcast i64 {unit} to double
  %sum = fadd double %value, %unit
  %sum.bits = bitcast double %sum to i64
  %count = sub i64 %sum.bits, {unit}
  br label %end
normal:
  %last = lshr i64 %size, {shift}
  %even = and i64 %last, 1
  %more = add i64 %size, {rest}
  %rounded = add i64 %more, %even
  %shifted = lshr i64 %rounded, {shift}
  %moved = sub i64 %shifted, {excess}
  br label %end
end:
  %unsigned = phi i64 [ %quiet, %nan ], [ {infinity}, %number ], [ %count, %subnormal ], [ %moved, %normal ]
  %signed = or i64 %unsigned, %sign
  %short = trunc i64 %signed to i16
  ret i16 %short
}}
"#
        )
    }
}

/// Rewrites the functions of a module.
///
/// # Errors
///
/// The module has a function of the name of one that is needed.
pub(super) fn soften(source: &mut Module) -> Result<()> {
    let mut softener = Softener {
        short: source.types.add(Type::Int(16)),
        word: source.types.add(Type::Int(32)),
        float: source.types.add(Type::Float),
        double: source.types.add(Type::Double),
        locals: Locals::default(),
        insns: Vec::new(),
        place: SourcePosition::default(),
        needed: [false; 3],
    };
    let mut functions = core::mem::take(&mut source.functions);
    for function in &mut functions {
        softener.function(function, &source.types);
    }
    source.functions = functions;
    let texts = [TEXT_OF_FLOAT.to_owned(), HALF.text(), BFLOAT.text()];
    let needed = texts.iter().zip(softener.needed);
    for (text, _) in needed.filter(|&(_, needed)| needed) {
        parse::parse_into(text.as_bytes(), source)?;
    }
    Ok(())
}

/// The rewriting of a module's functions.
struct Softener {
    short: TypeId,
    word: TypeId,
    float: TypeId,
    double: TypeId,
    locals: Locals,
    /// The instructions of the block so far.
    insns: Vec<Insn>,
    place: SourcePosition,
    /// True for the functions that convert and are needed: to `float`, to `half`, to `bfloat`.
    needed: [bool; 3],
}

impl Softener {
    fn function(&mut self, function: &mut Function, types: &Types) {
        let Some(body) = &mut function.body else {
            return;
        };
        if !has_any(body, types) {
            return;
        }
        self.locals = Locals::of(body);
        for block in &mut body.blocks {
            for insn in core::mem::take(&mut block.insns) {
                self.place = insn.place;
                let op = self.rewritten(&insn.op, types).unwrap_or(insn.op);
                self.insns.push(Insn { op, ..insn });
            }
            block.insns = core::mem::take(&mut self.insns);
        }
        core::mem::take(&mut self.locals).put_back(body);
    }

    /// Returns the instruction in place of one, after those that it needs; `None` if it stays.
    fn rewritten(&mut self, op: &Op, types: &Types) -> Option<Op> {
        let format = |ty: TypeId| Format::of(types.get(ty));
        match op {
            Op::Binary(op, ty, a, b) => {
                let format = format(*ty)?;
                let (a, b) = (self.extended(format, a), self.extended(format, b));
                let result = self.add(Op::Binary(*op, self.float, a, b), self.float);
                Some(self.rounded(format, self.float, result))
            }
            Op::Fneg(ty, value) => {
                format(*ty)?;
                Some(self.bits(Binary::Xor, value, SIGN))
            }
            Op::Fcmp(predicate, ty, a, b) => {
                let format = format(*ty)?;
                let (a, b) = (self.extended(format, a), self.extended(format, b));
                Some(Op::Fcmp(*predicate, self.float, a, b))
            }
            Op::Cast(cast, (from, value), to) => self.cast(
                *cast,
                (*from, value),
                *to,
                [format(*from), format(*to)],
                types,
            ),
            Op::Call(call) => self.call(call, types),
            _ => None,
        }
    }

    fn cast(
        &mut self,
        cast: Cast,
        (from, value): (TypeId, &Value),
        to: TypeId,
        formats: [Option<Format>; 2],
        types: &Types,
    ) -> Option<Op> {
        match (cast, formats) {
            (Cast::Bits, _) => None,
            (_, [Some(format), _]) => {
                let value = self.extended(format, value);
                Some(match to == self.float {
                    true => self.same(to, value),
                    false => Op::Cast(cast, (self.float, value), to),
                })
            }
            (Cast::Fptrunc, [_, Some(format)]) => match types.get(from) {
                Type::Float | Type::Double => Some(self.rounded(format, from, value.clone())),
                _ => None,
            },
            (_, [_, Some(format)]) => {
                let cast = Op::Cast(cast, (from, value.clone()), self.float);
                let result = self.add(cast, self.float);
                Some(self.rounded(format, self.float, result))
            }
            _ => None,
        }
    }

    /// Rewrites a call of an intrinsic.
    fn call(&mut self, call: &Call, types: &Types) -> Option<Op> {
        let Value::Const(Const::Global(name)) = &call.callee else {
            return None;
        };
        let name = name.strip_prefix("llvm.")?;
        let args = || call.args.iter().map(|arg| (arg.ty, &arg.value));
        let values: Vec<&Value> = args().map(|(_, value)| value).collect();
        if let [value] = *values.as_slice() {
            if name.starts_with("convert.from.fp16") {
                let float = self.extended(HALF, value);
                return Some(match call.result == self.float {
                    true => self.same(self.float, float),
                    false => Op::Cast(Cast::Fpext, (self.float, float), call.result),
                });
            }
            let is_rounded = name.starts_with("convert.to.fp16");
            if is_rounded && matches!(types.get(call.args[0].ty), Type::Float | Type::Double) {
                return Some(self.rounded(HALF, call.args[0].ty, value.clone()));
            }
        }
        let format_of_result = Format::of(types.get(call.result));
        let is_any = args().any(|(ty, _)| Format::of(types.get(ty)).is_some());
        if !is_any && format_of_result.is_none() {
            return None;
        }
        match (name.split('.').next(), values.as_slice()) {
            (Some("fabs"), [value]) => return Some(self.bits(Binary::And, value, MAGNITUDE)),
            (Some("copysign"), [size, sign]) => {
                let sign = self.bits(Binary::And, sign, SIGN);
                let sign = self.add(sign, self.short);
                let size = self.bits(Binary::And, size, MAGNITUDE);
                let size = self.add(size, self.short);
                return Some(Op::Binary(Binary::Or, self.short, size, sign));
            }
            // The class of a value is not that of the same one as `float`.
            (Some("is"), _) => return None,
            _ => {}
        }
        let mut args_of_float = Vec::new();
        for (ty, value) in args() {
            let arg = match Format::of(types.get(ty)) {
                Some(format) => (self.float, self.extended(format, value)),
                None => (ty, value.clone()),
            };
            args_of_float.push(arg);
        }
        let name = name.replace(".bf16", ".f32").replace(".f16", ".f32");
        let result = format_of_result.map_or(call.result, |_| self.float);
        let op = Call::of(&format!("llvm.{name}"), result, args_of_float);
        Some(match format_of_result {
            Some(format) => {
                let result = self.add(op, self.float);
                self.rounded(format, self.float, result)
            }
            None => op,
        })
    }

    // ---- instructions

    /// Adds an instruction; returns its result.
    fn add(&mut self, op: Op, ty: TypeId) -> Value {
        let local = self.locals.add("half", ty);
        self.insns.push(Insn {
            place: self.place,
            result: Some(local),
            op,
        });
        Value::Local(local)
    }

    fn same(&self, ty: TypeId, value: Value) -> Op {
        Op::Join(vec![(ty, value)])
    }

    fn bits(&self, op: Binary, value: &Value, mask: u128) -> Op {
        let mask = Value::Const(Const::Int(mask));
        Op::Binary(op, self.short, value.clone(), mask)
    }

    /// Returns a value as a `float`.
    fn extended(&mut self, format: Format, value: &Value) -> Value {
        if format == HALF {
            self.needed[0] = true;
            let call = Call::of(FLOAT_OF_HALF, self.float, vec![(self.short, value.clone())]);
            return self.add(call, self.float);
        }
        let wide = Op::Cast(Cast::Zext, (self.short, value.clone()), self.word);
        let wide = self.add(wide, self.word);
        let distance = Value::Const(Const::Int(16));
        let shifted = Op::Binary(Binary::Shl, self.word, wide, distance);
        let shifted = self.add(shifted, self.word);
        self.add(
            Op::Cast(Cast::Bits, (self.word, shifted), self.float),
            self.float,
        )
    }

    /// Returns the instruction that rounds a `float` or `double`.
    fn rounded(&mut self, format: Format, from: TypeId, value: Value) -> Op {
        self.needed[if format == HALF { 1 } else { 2 }] = true;
        let double = match from == self.double {
            true => value,
            false => self.add(
                Op::Cast(Cast::Fpext, (from, value), self.double),
                self.double,
            ),
        };
        Call::of(format.function(), self.short, vec![(self.double, double)])
    }
}

impl Lower<'_, '_, '_> {
    /// Returns the register of a `float` in which the bits of such a value are passed.
    pub(super) fn float_of_short(&mut self, bits: Short, value: Held) -> Result<Reg> {
        let value = held_of(self.zero_extended(value, 16)?);
        let word = match bits {
            Short::Low => value,
            Short::Boxed => self.int_operation(Code::Or, value, Held::Int(0xffff_0000))?,
            Short::High => self.int_operation(Code::Lsh, value, Held::Int(16))?,
        };
        let word = self.operand(word)?;
        let float = self.temp(Kind::Float)?;
        let to = (MediumType::F, Code::Fmov, float);
        self.through_memory((MediumType::U32, Code::Mov, word), to)?;
        Ok(float)
    }

    /// Returns the bits of such a value, as [`Self::float_of_short`] has put them into a `float`.
    pub(super) fn short_of_float(&mut self, bits: Short, float: Reg) -> Result<Held> {
        let word = self.temp(Kind::Int(64))?;
        let from = (MediumType::F, Code::Fmov, float.into());
        self.through_memory(from, (MediumType::U32, Code::Mov, word))?;
        let word = match bits {
            Short::Low | Short::Boxed => Held::Reg(word),
            Short::High => self.int_operation(Code::Ursh, Held::Reg(word), Held::Int(16))?,
        };
        Ok(held_of(self.zero_extended(word, 16)?))
    }
}

/// Returns whether a function has any value of these types, or converts one.
fn has_any(body: &Body, types: &Types) -> bool {
    let is_short = |ty: TypeId| Format::of(types.get(ty)).is_some();
    let locals = body.local_types.iter().flatten();
    let mut insns = body.blocks.iter().flat_map(|block| &block.insns);
    locals.copied().any(is_short)
        || insns.any(|insn| match &insn.op {
            Op::Fcmp(_, ty, ..) | Op::Cast(_, (ty, _), _) => is_short(*ty),
            Op::Call(call) => {
                call.args.iter().any(|arg| is_short(arg.ty))
                    || (insn.op.called()).is_some_and(|name| name.starts_with("llvm.convert."))
            }
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_rounded_to_the_nearest_value_of_16_bits() {
        // Numbers of IEEE 754's binary16: the largest and what rounds to it, ties, the least ones.
        for (value, bits) in [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65519.99, 0x7bff),
            (65520.0, 0x7c00),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (2.0_f64.powi(-14), 0x0400),
            (2.0_f64.powi(-24), 0x0001),
            (2.0_f64.powi(-25), 0x0000),
            (1.5 * 2.0_f64.powi(-24), 0x0002),
            (f64::NEG_INFINITY, 0xfc00),
        ] {
            assert_eq!(HALF.rounded(value.to_bits()), bits, "{value}");
        }
        // The upper half of a `float`, rounded.
        for (value, bits) in [
            (1.0, 0x3f80),
            (1.0 + 1.0 / 256.0, 0x3f80),
            (1.0 + 3.0 / 256.0, 0x3f82),
            (3.0e38, 0x7f62),
            (f64::from(f32::MAX), 0x7f80),
            (2.0_f64.powi(-133), 0x0001),
            (2.0_f64.powi(-134), 0x0000),
        ] {
            assert_eq!(BFLOAT.rounded(value.to_bits()), bits, "{value}");
        }
    }
}
