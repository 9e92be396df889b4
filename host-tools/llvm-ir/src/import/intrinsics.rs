//! Imports LLVM's intrinsic functions.

use super::extension::Bits;
use super::function::Lower;
use super::half::Format;
use super::integers::held_of;
use super::parts::Kind;
use super::values::Held;
use crate::ast::{Argument, Binary, Call, Const, IntPredicate, LocalId, Value};
use crate::error::Result;
use mir_nostd::ir::{Code, Operand, Order};

/// Names of mathematical functions that C's library has under the same name.
const MATH: [&str; 27] = [
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "exp10",
    "log",
    "log10",
    "log2",
    "pow",
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "copysign",
];

/// Intrinsics that inform the optimiser and do nothing in the program.
const SILENT: [&str; 19] = [
    "lifetime.",
    "assume",
    "dbg.",
    "donothing",
    "sideeffect",
    "invariant.",
    "experimental.noalias.scope.decl",
    "va_end",
    "prefetch",
    "pseudoprobe",
    "instrprof.",
    "var.annotation",
    "codeview",
    "fake.use",
    "stackprotector",
    "allow.",
    "x86.sse2.pause",
    "aarch64.hint",
    "aarch64.isb",
];

impl<'s> Lower<'_, 's, '_> {
    /// Imports an intrinsic. `name` is what follows `llvm.`: the intrinsic's name, and its types.
    pub(super) fn intrinsic(
        &mut self,
        result: Option<LocalId>,
        name: &str,
        call: &'s Call,
    ) -> Result<()> {
        if SILENT.iter().any(|silent| name.starts_with(silent)) {
            return self.silent(result);
        }
        if self.effect(name, call)? || self.masked(result, name, call)? {
            return Ok(());
        }
        let Some(result) = result else {
            return self.unsupported(format!("the intrinsic llvm.{name}"));
        };
        if name == "eh.typeid.for" || name.starts_with("eh.typeid.for.") {
            return self.type_number(result, call);
        }
        if self.wide_intrinsic(result, name, call)? {
            return Ok(());
        }
        let held = self.valued(name, call)?;
        match held {
            Some(mut held) => {
                let parts = self.parts_of(result)?;
                for (held, part) in held.iter_mut().zip(parts.iter()) {
                    if part.kind == Kind::Int(1) {
                        *held = held_of(self.zero_extended(*held, 1)?);
                    }
                }
                self.define(result, held)
            }
            None => self.unsupported(format!("the intrinsic llvm.{name}")),
        }
    }

    /// Imports an intrinsic that is called for its effect; returns whether it is one.
    fn effect(&mut self, name: &str, call: &'s Call) -> Result<bool> {
        let is = |intrinsic: &str| {
            let rest = name.strip_prefix(intrinsic);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if name.contains(".element.unordered.atomic") {
            // A copy of which each element is moved at once is no ordinary one.
            return Ok(false);
        }
        if is("memcpy") || is("memmove") || is("memcpy.inline") {
            let [to, from, length] = self.first_args(call)?;
            let function = if is("memmove") { "memmove" } else { "memcpy" };
            match self.volatile_align(call) {
                Some(align) => self.volatile_copy(function, [to, from, length], align)?,
                None => self.copy(function, to, from, length)?,
            }
        } else if is("memset") || is("memset.inline") {
            let [to, byte, length] = self.first_args(call)?;
            match self.volatile_align(call) {
                Some(align) => self.volatile_fill([to, byte, length], align)?,
                None => self.fill(to, byte, length)?,
            }
        } else if is("va_start") {
            let [list] = self.first_args(call)?;
            let list = self.operand(list)?;
            self.emit(Code::VaStart, (list,))?;
        } else if is("va_copy") {
            let [to, from] = self.first_args(call)?;
            let bytes = self.importer.target.abi.va_list.bytes;
            self.copy("memmove", to, from, Held::Int(bytes.into()))?;
        } else if is("stackrestore") {
            let [saved] = self.first_args(call)?;
            let saved = self.operand(saved)?;
            self.emit(Code::Bend, (saved,))?;
        } else if is("clear_cache") {
            self.clear_cache(call)?;
        } else if is("set.rounding") {
            self.set_rounding(call)?;
        } else if ["x86.sse2.mfence", "x86.sse2.lfence", "x86.sse.sfence"]
            .iter()
            .chain(&["aarch64.dmb", "aarch64.dsb"])
            .any(|fence| is(fence))
        {
            self.fence(Order::SeqCst)?;
        } else if is("trap") || is("debugtrap") || is("ubsantrap") {
            self.call_library_parts("abort", &[], &[])?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn silent(&mut self, result: Option<LocalId>) -> Result<()> {
        let Some(result) = result else {
            return Ok(());
        };
        let parts = self.parts_of(result)?;
        let zeros = parts.iter().map(|part| self.zero(part.kind)).collect();
        self.define(result, zeros)
    }

    /// Returns the first arguments, each of one part.
    pub(super) fn first_args<const N: usize>(&mut self, call: &'s Call) -> Result<[Held; N]> {
        let mut held = [Held::Int(0); N];
        for (held, arg) in held.iter_mut().zip(&call.args) {
            *held = self.single(arg.ty, &arg.value)?;
        }
        if call.args.len() < N {
            return self.unsupported("an intrinsic with too few arguments");
        }
        Ok(held)
    }

    pub(super) fn width_of(&self, arg: &Argument) -> u32 {
        self.importer.source.types.int_width(arg.ty).unwrap_or(64)
    }

    /// Returns the kind of an argument.
    fn kind_of(&mut self, arg: &Argument) -> Result<Kind> {
        let parts = self.importer.parts(arg.ty, self.place)?;
        match *parts {
            [part] => Ok(part.kind),
            _ => self.unsupported("an intrinsic of such a value"),
        }
    }

    /// Returns the result of an intrinsic; `None` if the intrinsic is not known.
    fn valued(&mut self, name: &str, call: &'s Call) -> Result<Option<Vec<Held>>> {
        let base = name.split('.').next().unwrap_or(name);
        let Some(first) = call.args.first() else {
            return self.without_arguments(name);
        };
        if call.args.iter().any(|arg| arg.value == Value::Metadata) {
            return Ok(None);
        }
        let Ok(kind) = self.kind_of(first) else {
            return Ok(None);
        };
        if let Some(held) = self.math_of_two(base, kind, call)? {
            return Ok(Some(held));
        }
        if let Some(held) = self.math(name, base, kind, call)? {
            return Ok(Some(vec![held]));
        }
        let width = self.width_of(first);
        if let Some(operation) = overflow_operation(name) {
            let [a, b] = self.first_args(call)?;
            return self.with_overflow(operation, width, a, b).map(Some);
        }
        if let ("fptosi" | "fptoui", true) = (base, name.contains(".sat.")) {
            return self
                .saturated_conversion(kind, base == "fptosi", call)
                .map(Some);
        }
        let held = match self.of_bits(name, base, width, call)? {
            Some(held) => Some(held),
            None => self.of_the_compiler(name, base, kind, call)?,
        };
        Ok(held.map(|held| vec![held]))
    }

    /// Returns the result of an intrinsic on integers; `None` if it is none of these.
    fn of_bits(
        &mut self,
        name: &str,
        base: &str,
        width: u32,
        call: &'s Call,
    ) -> Result<Option<Held>> {
        let held = match base {
            "smax" | "smin" | "umax" | "umin" => {
                let [a, b] = self.first_args(call)?;
                self.chosen(extreme(base), width, a, b)?
            }
            "scmp" | "ucmp" => {
                let [a, b] = self.first_args(call)?;
                self.three_way(base == "scmp", width, a, b)?
            }
            "abs" => {
                let [value] = self.first_args(call)?;
                self.absolute(width, value)?
            }
            "uadd" | "usub" | "sadd" | "ssub" if name.contains(".sat.") => {
                let [a, b] = self.first_args(call)?;
                self.saturated(base, width, a, b)?
            }
            "ctpop" => {
                let [value] = self.first_args(call)?;
                self.ones(width, value)?
            }
            "ctlz" => {
                let [value] = self.first_args(call)?;
                self.leading_zeros(width, value)?
            }
            "cttz" => {
                let [value] = self.first_args(call)?;
                self.trailing_zeros(width, value)?
            }
            "bswap" => {
                let [value] = self.first_args(call)?;
                self.swapped_bytes(width, value)?
            }
            "bitreverse" => {
                let [value] = self.first_args(call)?;
                self.reversed_bits(width, value)?
            }
            "fshl" | "fshr" => {
                let [a, b, count] = self.first_args(call)?;
                self.funnel_shift(base == "fshl", width, a, b, count)?
            }
            _ => return self.fixed(name, width, call),
        };
        Ok(Some(held))
    }

    /// Returns the result of an intrinsic by which front ends and passes tell each other something,
    /// or of one on addresses; `None` if it is none of these.
    fn of_the_compiler(
        &mut self,
        name: &str,
        base: &str,
        kind: Kind,
        call: &'s Call,
    ) -> Result<Option<Held>> {
        let held = match base {
            "expect" | "launder" | "strip" | "ssa" | "threadlocal" | "arithmetic"
            | "annotation" => {
                let [value] = self.first_args(call)?;
                value
            }
            "objectsize" => Held::Int(if self.is_true(call, 1) { 0 } else { -1 }),
            "is" if name.starts_with("is.constant") => Held::Int(0),
            "is" if name.starts_with("is.fpclass") => {
                let [value] = self.first_args(call)?;
                let classes = call.args.get(1).map(|arg| &arg.value);
                let Some(Value::Const(Const::Int(classes))) = classes else {
                    return Ok(None);
                };
                let ty = call.args.first().map(|arg| arg.ty);
                let short = ty.and_then(|ty| Format::of(self.importer.source.types.get(ty)));
                let found = match short {
                    Some(format) => self.bits_of_short(value, format)?,
                    None => self.bits_of(value, kind)?,
                };
                self.float_class(found, *classes as u32)?
            }
            "ptr" if name.starts_with("ptr.annotation.") => {
                let [value] = self.first_args(call)?;
                value
            }
            "ptrmask" => {
                let [pointer, mask] = self.first_args(call)?;
                self.int_operation(Code::And, pointer, mask)?
            }
            "load" if name.starts_with("load.relative") => {
                let [table, offset] = self.first_args(call)?;
                let at = self.int_operation(Code::Add, table, offset)?;
                let part = super::parts::Part {
                    kind: Kind::Int(32),
                    offset: 0,
                };
                let distance = Held::Reg(self.load_part(part, at)?);
                let distance = held_of(self.sign_extended(distance, 32)?);
                self.int_operation(Code::Add, table, distance)?
            }
            "frameaddress" => self.frame_address(call)?,
            // For the callers' return addresses LLVM allows null.
            "returnaddress" if self.is_zero(call, 0) => self.return_address()?,
            "returnaddress" => Held::Int(0),
            _ => return Ok(None),
        };
        Ok(Some(held))
    }

    /// Converts a floating value to an integer, to the nearest there is.
    fn saturated_conversion(
        &mut self,
        kind: Kind,
        signed: bool,
        call: &'s Call,
    ) -> Result<Vec<Held>> {
        let [value] = self.first_args(call)?;
        let to = self.importer.source.types.int_width(call.result);
        let to = to.unwrap_or(64);
        if (65..=128).contains(&to) {
            let halves = self.wide_saturated_int(value, kind, to, signed)?;
            return Ok(halves.to_vec());
        }
        Ok(vec![self.saturated_int(value, kind, to, signed)?])
    }

    fn without_arguments(&mut self, name: &str) -> Result<Option<Vec<Held>>> {
        Ok(match name {
            "get.rounding" => Some(vec![self.rounding()?]),
            "readcyclecounter" if self.importer.target.name == "x86_64" => {
                Some(vec![self.call_library("mir_rdtsc", Kind::Int(64), &[])?])
            }
            "x86.rdtsc" => Some(vec![self.call_library("mir_rdtsc", Kind::Int(64), &[])?]),
            _ if name.starts_with("stacksave") => {
                let saved = self.temp(Kind::Int(64))?;
                self.emit(Code::Bstart, (saved,))?;
                Some(vec![Held::Reg(saved)])
            }
            _ => None,
        })
    }

    #[expect(clippy::unused_self, reason = "reads like the others")]
    fn is_true(&self, call: &Call, number: usize) -> bool {
        let value = call.args.get(number).map(|arg| &arg.value);
        matches!(value, Some(Value::Const(Const::Int(bit))) if bit & 1 == 1)
    }

    #[expect(clippy::unused_self, reason = "reads like the others")]
    fn is_zero(&self, call: &Call, number: usize) -> bool {
        let value = call.args.get(number).map(|arg| &arg.value);
        matches!(value, Some(Value::Const(Const::Int(0) | Const::Zero)))
    }

    // ---- floating values

    fn math(&mut self, name: &str, base: &str, kind: Kind, call: &'s Call) -> Result<Option<Held>> {
        if matches!(kind, Kind::Int(_)) {
            return Ok(None);
        }
        let least = match base {
            "fma" | "fmuladd" => 3,
            "minimum" | "maximum" | "minimumnum" | "maximumnum" | "minnum" | "maxnum"
            | "copysign" | "pow" | "powi" | "ldexp" | "atan2" => 2,
            _ => 1,
        };
        if call.args.len() < least {
            return Ok(None);
        }
        let mut args = Vec::new();
        for arg in &call.args {
            let kind = self.kind_of(arg)?;
            args.push((kind, self.single(arg.ty, &arg.value)?));
        }
        if let Some(code) = self.extension_of_math(base, kind) {
            let sources: Vec<Held> = args.iter().map(|&(_, held)| held).collect();
            return self
                .float_result(code, kind, &sources)
                .map(Held::Reg)
                .map(Some);
        }
        let (function, result) = match base {
            "fmuladd" => return self.multiply_add(kind, &args).map(Some),
            "fabs" => return self.absolute_float(kind, args[0].1).map(Some),
            "minimum" | "maximum" | "minimumnum" | "maximumnum" => {
                return self
                    .extreme_float(base, kind, args[0].1, args[1].1)
                    .map(Some);
            }
            "minnum" => ("fmin", kind),
            "maxnum" => ("fmax", kind),
            "fma" | "ldexp" => (base, kind),
            "powi" => {
                let power = self.float_of_power(kind, args[1].1)?;
                args[1] = (kind, power);
                ("pow", kind)
            }
            "lround" | "llround" | "lrint" | "llrint" => (base, Kind::Int(64)),
            _ if MATH.contains(&base) => (base, kind),
            "canonicalize" | "arithmetic" => return Ok(Some(args[0].1)),
            _ if name.starts_with("experimental.") => return Ok(None),
            _ => return Ok(None),
        };
        let function = self.math_name(function, kind);
        self.call_library(&function, result, &args).map(Some)
    }

    /// Emits mathematical functions of two results; C's functions store the second at an address.
    fn math_of_two(&mut self, base: &str, kind: Kind, call: &'s Call) -> Result<Option<Vec<Held>>> {
        if matches!(kind, Kind::Int(_)) || !matches!(base, "frexp" | "modf" | "sincos") {
            return Ok(None);
        }
        let [value] = self.first_args(call)?;
        let word = Kind::Int(64);
        let second = Held::Reg(self.kept_scratch()?);
        let second_part = super::parts::Part {
            kind: if base == "frexp" { Kind::Int(32) } else { kind },
            offset: 0,
        };
        let first = if base == "sincos" {
            let first = Held::Reg(self.kept_scratch()?);
            let name = self.math_name(base, kind);
            self.call_library_parts(&name, &[], &[(kind, value), (word, first), (word, second)])?;
            let part = super::parts::Part { kind, offset: 0 };
            Held::Reg(self.load_part(part, first)?)
        } else {
            let name = self.math_name(base, kind);
            self.call_library(&name, kind, &[(kind, value), (word, second)])?
        };
        let second = Held::Reg(self.load_part(second_part, second)?);
        self.release_scratches();
        Ok(Some(vec![first, second]))
    }

    /// Clears the sign bit, also that of a NaN.
    fn absolute_float(&mut self, kind: Kind, value: Held) -> Result<Held> {
        let (memory, bits, code) = match kind {
            Kind::Float => (mir_nostd::ir::Type::U32, 0x7fff_ffff, Code::Fmov),
            Kind::Double => (mir_nostd::ir::Type::I64, i64::MAX, Code::Dmov),
            _ => {
                let name = self.math_name("fabs", kind);
                return self.call_library(&name, kind, &[(kind, value)]);
            }
        };
        let float = super::globals::register_type(kind);
        let int = self.temp(Kind::Int(64))?;
        let value = self.operand(value)?;
        self.through_memory((float, code, value), (memory, Code::Mov, int))?;
        self.emit(Code::And, (int, int, bits))?;
        let result = self.temp(kind)?;
        self.through_memory(
            (memory, Code::Mov, Operand::Reg(int)),
            (float, code, result),
        )?;
        Ok(Held::Reg(result))
    }

    fn multiply_add(&mut self, kind: Kind, args: &[(Kind, Held)]) -> Result<Held> {
        let (multiply, add) = match kind {
            Kind::Float => (Code::Fmul, Code::Fadd),
            Kind::Double => (Code::Dmul, Code::Dadd),
            _ => (Code::Ldmul, Code::Ldadd),
        };
        let product = self.float_result(multiply, kind, &[args[0].1, args[1].1])?;
        self.float_result(add, kind, &[Held::Reg(product), args[2].1])
            .map(Held::Reg)
    }

    fn float_of_power(&mut self, kind: Kind, power: Held) -> Result<Held> {
        let power = held_of(self.sign_extended(power, 32)?);
        let code = match kind {
            Kind::Float => Code::I2f,
            Kind::Double => Code::I2d,
            _ => Code::I2ld,
        };
        self.float_result(code, kind, &[power]).map(Held::Reg)
    }

    /// Converts to the nearest integer of a width, with saturation.
    fn saturated_int(&mut self, value: Held, kind: Kind, width: u32, signed: bool) -> Result<Held> {
        if width > 64 {
            return self.unsupported("this conversion");
        }
        let converted = self.int_of_float(
            value,
            if signed { width } else { 64.min(width) },
            kind,
            signed,
        )?;
        if width == 64 {
            return if signed {
                Ok(converted)
            } else {
                self.not_below_zero(value, converted, kind)
            };
        }
        let (least, most) = if signed {
            (-(1_i64 << (width - 1)), (1_i64 << (width - 1)) - 1)
        } else {
            (0, (1_i64 << width) - 1)
        };
        let bounded = self.chosen(IntPredicate::Slt, 64, converted, Held::Int(most))?;
        self.chosen(IntPredicate::Sgt, 64, bounded, Held::Int(least))
    }

    /// Returns 0 if the value is negative and so has no unsigned integer, else the converted value.
    fn not_below_zero(&mut self, value: Held, converted: Held, kind: Kind) -> Result<Held> {
        let zero = self.zero(kind);
        let code = match kind {
            Kind::Float => Code::Fgt,
            Kind::Double => Code::Dgt,
            _ => Code::Ldgt,
        };
        let positive = self.int_operation(code, value, zero)?;
        let mask = self.int_operation(Code::Sub, Held::Int(0), positive)?;
        self.int_operation(Code::And, converted, mask)
    }

    // ---- integers

    /// Returns the result, and whether it overflows the width.
    fn with_overflow(
        &mut self,
        (op, signed): (Binary, bool),
        width: u32,
        a: Held,
        b: Held,
    ) -> Result<Vec<Held>> {
        let (a, b) = (
            held_of(self.extended(a, width, signed)?),
            held_of(self.extended(b, width, signed)?),
        );
        let code = match op {
            Binary::Add => Code::Add,
            Binary::Sub => Code::Sub,
            _ => Code::Mul,
        };
        let whole = self.int_operation(code, a, b)?;
        let overflows = if width <= 32 || (width < 64 && op != Binary::Mul) {
            // The result is exact in 64 bits; it overflows if truncation to the width changes it.
            let kept = held_of(self.extended(whole, width, signed)?);
            self.int_operation(Code::Ne, kept, whole)?
        } else {
            let of_words = self.overflow_of_words(op, signed, whole, a, b)?;
            if width == 64 {
                of_words
            } else {
                let kept = held_of(self.extended(whole, width, signed)?);
                let differs = self.int_operation(Code::Ne, kept, whole)?;
                self.int_operation(Code::Or, of_words, differs)?
            }
        };
        self.know_bit(overflows);
        Ok(vec![whole, overflows])
    }

    pub(super) fn know_bit(&mut self, held: Held) {
        if let Held::Reg(reg) = held {
            self.zero_above.insert(reg, 1);
        }
    }

    pub(super) fn overflow_of_words(
        &mut self,
        op: Binary,
        signed: bool,
        whole: Held,
        a: Held,
        b: Held,
    ) -> Result<Held> {
        match (op, signed) {
            (Binary::Add, false) => self.int_operation(Code::Ult, whole, a),
            (Binary::Sub, false) => self.int_operation(Code::Ult, a, b),
            (Binary::Add, true) => {
                // A sum overflows if both terms have the sign that it does not have.
                let first = self.int_operation(Code::Xor, whole, a)?;
                let second = self.int_operation(Code::Xor, whole, b)?;
                let both = self.int_operation(Code::And, first, second)?;
                self.int_operation(Code::Lt, both, Held::Int(0))
            }
            (Binary::Sub, true) => {
                let first = self.int_operation(Code::Xor, a, b)?;
                let second = self.int_operation(Code::Xor, a, whole)?;
                let both = self.int_operation(Code::And, first, second)?;
                self.int_operation(Code::Lt, both, Held::Int(0))
            }
            (_, signed) => {
                let code = if signed { Code::Mulo } else { Code::Umulo };
                let branch = if signed { Code::Bno } else { Code::Ubno };
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                let (product, overflows) = (self.temp(Kind::Int(64))?, self.temp(Kind::Int(1))?);
                let done = self.new_label()?;
                self.emit(Code::Mov, (overflows, 0))?;
                self.emit(code, (product, a, b))?;
                self.emit(branch, (done,))?;
                self.emit(Code::Mov, (overflows, 1))?;
                self.place_label(done)?;
                Ok(Held::Reg(overflows))
            }
        }
    }

    fn saturated(&mut self, base: &str, width: u32, a: Held, b: Held) -> Result<Held> {
        let signed = base.starts_with('s');
        let op = if base.ends_with("add") {
            Binary::Add
        } else {
            Binary::Sub
        };
        let parts = self.with_overflow((op, signed), width, a, b)?;
        let &[whole, overflows] = parts.as_slice() else {
            return self.unsupported("this operation");
        };
        let limit = match (signed, op) {
            (false, Binary::Add) => Held::Int(-1),
            (false, _) => Held::Int(0),
            (true, _) => {
                // The limit has the sign of the first operand.
                let sign = held_of(self.sign_extended(a, width)?);
                let sign = self.sign_of(sign)?;
                self.int_operation(
                    Code::Xor,
                    sign,
                    Held::Int(u64::MAX.checked_shr(65 - width).unwrap_or(0).cast_signed()),
                )?
            }
        };
        self.chosen_by(overflows, limit, whole)
    }

    /// Returns `a` if a bit is set, else `b`.
    pub(super) fn chosen_by(&mut self, bit: Held, a: Held, b: Held) -> Result<Held> {
        let (a, b, bit) = (self.operand(a)?, self.operand(b)?, self.operand(bit)?);
        let reg = self.temp(Kind::Int(64))?;
        let done = self.new_label()?;
        self.emit(Code::Mov, (reg, a))?;
        self.emit(Code::Bt, (done, bit))?;
        self.emit(Code::Mov, (reg, b))?;
        self.place_label(done)?;
        Ok(Held::Reg(reg))
    }

    fn three_way(&mut self, signed: bool, width: u32, a: Held, b: Held) -> Result<Held> {
        let (a, b) = (
            held_of(self.extended(a, width, signed)?),
            held_of(self.extended(b, width, signed)?),
        );
        let (above, below) = if signed {
            (Code::Gt, Code::Lt)
        } else {
            (Code::Ugt, Code::Ult)
        };
        let above = self.int_operation(above, a, b)?;
        let below = self.int_operation(below, a, b)?;
        self.int_operation(Code::Sub, above, below)
    }

    fn absolute(&mut self, width: u32, value: Held) -> Result<Held> {
        let value = held_of(self.sign_extended(value, width)?);
        let sign = self.sign_of(value)?;
        let flipped = self.int_operation(Code::Xor, value, sign)?;
        self.int_operation(Code::Sub, flipped, sign)
    }

    /// Counts the bits that are set.
    pub(super) fn ones(&mut self, width: u32, value: Held) -> Result<Held> {
        if let Some(ones) = self.extension_of_bits(Bits::Ones, width, value)? {
            return Ok(ones);
        }
        let value = held_of(self.zero_extended(value, width)?);
        self.population(value)
    }

    /// Counts the bits that are set among 64: adds up pairs, groups of four and eight, then bytes.
    fn population(&mut self, value: Held) -> Result<Held> {
        const PAIRS: Held = Held::Int(0x5555_5555_5555_5555);
        const FOURS: Held = Held::Int(0x3333_3333_3333_3333);
        const BYTES: Held = Held::Int(0x0f0f_0f0f_0f0f_0f0f);
        const ONES: Held = Held::Int(0x0101_0101_0101_0101);
        let half = self.int_operation(Code::Ursh, value, Held::Int(1))?;
        let half = self.int_operation(Code::And, half, PAIRS)?;
        let pairs = self.int_operation(Code::Sub, value, half)?;
        let low = self.int_operation(Code::And, pairs, FOURS)?;
        let high = self.int_operation(Code::Ursh, pairs, Held::Int(2))?;
        let high = self.int_operation(Code::And, high, FOURS)?;
        let fours = self.int_operation(Code::Add, low, high)?;
        let high = self.int_operation(Code::Ursh, fours, Held::Int(4))?;
        let bytes = self.int_operation(Code::Add, fours, high)?;
        let bytes = self.int_operation(Code::And, bytes, BYTES)?;
        let sum = self.int_operation(Code::Mul, bytes, ONES)?;
        self.int_operation(Code::Ursh, sum, Held::Int(56))
    }

    /// Counts the leading zeros: sets all bits below the highest set bit and counts the others.
    pub(super) fn leading_zeros(&mut self, width: u32, value: Held) -> Result<Held> {
        if let Some(zeros) = self.extension_of_bits(Bits::LeadingZeros, width, value)? {
            return Ok(zeros);
        }
        let mut value = held_of(self.zero_extended(value, width)?);
        for shift in [1, 2, 4, 8, 16, 32]
            .into_iter()
            .filter(|&shift| shift < width)
        {
            let below = self.int_operation(Code::Ursh, value, Held::Int(i64::from(shift)))?;
            value = self.int_operation(Code::Or, value, below)?;
        }
        let set = self.population(value)?;
        self.int_operation(Code::Sub, Held::Int(i64::from(width)), set)
    }

    /// Counts the bits below the lowest bit that is set.
    pub(super) fn trailing_zeros(&mut self, width: u32, value: Held) -> Result<Held> {
        if let Some(zeros) = self.extension_of_bits(Bits::TrailingZeros, width, value)? {
            return Ok(zeros);
        }
        let value = held_of(self.zero_extended(value, width)?);
        let value = if width < 64 {
            // A bit above the width ends the count.
            self.int_operation(Code::Or, value, Held::Int(1 << width))?
        } else {
            value
        };
        let below = self.int_operation(Code::Sub, value, Held::Int(1))?;
        let cleared = self.int_operation(Code::Xor, value, Held::Int(-1))?;
        let zeros = self.int_operation(Code::And, below, cleared)?;
        self.population(zeros)
    }

    pub(super) fn swapped_bytes(&mut self, width: u32, value: Held) -> Result<Held> {
        if let Some(swapped) = self.extension_of_bits(Bits::Bytes, width, value)? {
            return Ok(swapped);
        }
        let steps = [
            (8, 0x00ff_00ff_00ff_00ff),
            (16, 0x0000_ffff_0000_ffff),
            (32, 0xffff_ffff),
        ];
        let swapped = self.swapped(value, &steps)?;
        self.int_operation(Code::Ursh, swapped, Held::Int(i64::from(64 - width)))
    }

    pub(super) fn reversed_bits(&mut self, width: u32, value: Held) -> Result<Held> {
        if let Some(reversed) = self.extension_of_bits(Bits::Reversed, width, value)? {
            return Ok(reversed);
        }
        let steps = [
            (1, 0x5555_5555_5555_5555),
            (2, 0x3333_3333_3333_3333),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (8, 0x00ff_00ff_00ff_00ff),
            (16, 0x0000_ffff_0000_ffff),
            (32, 0xffff_ffff),
        ];
        let reversed = self.swapped(value, &steps)?;
        self.int_operation(Code::Ursh, reversed, Held::Int(i64::from(64 - width)))
    }

    /// Swaps neighbouring groups of bits in 64 bits.
    fn swapped(&mut self, mut value: Held, steps: &[(i64, i64)]) -> Result<Held> {
        for &(shift, mask) in steps {
            let high = self.int_operation(Code::Ursh, value, Held::Int(shift))?;
            let high = self.int_operation(Code::And, high, Held::Int(mask))?;
            let low = self.int_operation(Code::And, value, Held::Int(mask))?;
            let low = self.int_operation(Code::Lsh, low, Held::Int(shift))?;
            value = self.int_operation(Code::Or, high, low)?;
        }
        Ok(value)
    }

    /// Returns a window of `width` bits of the concatenation of two values.
    fn funnel_shift(
        &mut self,
        left: bool,
        width: u32,
        high: Held,
        low: Held,
        count: Held,
    ) -> Result<Held> {
        if let Held::Int(count) = count {
            // The count has as many bits as the values, at most 64, and counts modulo that number.
            let count = (count as u64) << (64 - width) >> (64 - width);
            let count = (count % u64::from(width)) as u32;
            return match (count, left) {
                (0, true) => Ok(high),
                (0, false) => Ok(low),
                (count, true) => self.funnel_shift_by(count, width, high, low),
                (count, false) => self.funnel_shift_by(width - count, width, high, low),
            };
        }
        let count = held_of(self.zero_extended(count, width)?);
        let count = if width.is_power_of_two() {
            self.int_operation(Code::And, count, Held::Int(i64::from(width) - 1))?
        } else {
            self.int_operation(Code::Umod, count, Held::Int(i64::from(width)))?
        };
        let low = held_of(self.zero_extended(low, width)?);
        let last = i64::from(width) - 1;
        let rest = self.int_operation(Code::Sub, Held::Int(last), count)?;
        // The value that is shifted the opposite way needs two shifts, as the sum is `width` if the
        // count is 0.
        if left {
            let high = self.int_operation(Code::Lsh, high, count)?;
            let low = self.int_operation(Code::Ursh, low, Held::Int(1))?;
            let low = self.int_operation(Code::Ursh, low, rest)?;
            self.int_operation(Code::Or, high, low)
        } else {
            let low = self.int_operation(Code::Ursh, low, count)?;
            let high = self.int_operation(Code::Lsh, high, Held::Int(1))?;
            let high = self.int_operation(Code::Lsh, high, rest)?;
            self.int_operation(Code::Or, high, low)
        }
    }

    /// Shifts two values to the left by a constant that is neither 0 nor the width, and returns the
    /// upper one.
    fn funnel_shift_by(&mut self, count: u32, width: u32, high: Held, low: Held) -> Result<Held> {
        let (low, [left, right, or]) = match width {
            32 => (low, [Code::Lshs, Code::Urshs, Code::Ors]),
            _ => {
                let low = held_of(self.zero_extended(low, width)?);
                (low, [Code::Lsh, Code::Ursh, Code::Or])
            }
        };
        let high = self.int_operation(left, high, Held::Int(count.into()))?;
        let low = self.int_operation(right, low, Held::Int((width - count).into()))?;
        self.int_operation(or, high, low)
    }
}

/// Returns the operation of an intrinsic that also returns its overflow, and whether it is signed.
pub(super) fn overflow_operation(name: &str) -> Option<(Binary, bool)> {
    let (operation, _) = name.split_once(".with.overflow")?;
    Some(match operation {
        "sadd" => (Binary::Add, true),
        "uadd" => (Binary::Add, false),
        "ssub" => (Binary::Sub, true),
        "usub" => (Binary::Sub, false),
        "smul" => (Binary::Mul, true),
        "umul" => (Binary::Mul, false),
        _ => return None,
    })
}

pub(super) fn extreme(base: &str) -> IntPredicate {
    match base {
        "smax" => IntPredicate::Sgt,
        "smin" => IntPredicate::Slt,
        "umax" => IntPredicate::Ugt,
        _ => IntPredicate::Ult,
    }
}
