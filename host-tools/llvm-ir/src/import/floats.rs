//! Imports operations on floating values.

use super::function::Lower;
use super::half::Format;
use super::integers::Outcome;
use super::parts::{Kind, Part};
use super::platform::Pairs;
use super::values::Held;
use super::wide::Halves;
use crate::ast::{Binary, Cast, FloatPredicate, LocalId, Value};
use crate::error::Result;
use crate::types::TypeId;
use mir_nostd::ir::{Code, Operand, Reg};
use mir_nostd::num::LongDoubleFormat;

/// The low and the high half of an integer of 128 bits in big-endian memory.
const BIG_ENDIAN: [Part; 2] = [
    Part {
        kind: Kind::Int(64),
        offset: 8,
    },
    Part {
        kind: Kind::Int(64),
        offset: 0,
    },
];

/// The instruction for each of the three floating types.
type Three = [Code; 3];

const fn of(kind: Kind, codes: Three) -> Option<Code> {
    match kind {
        Kind::Float => Some(codes[0]),
        Kind::Double => Some(codes[1]),
        Kind::LongDouble => Some(codes[2]),
        Kind::Int(_) => None,
    }
}

/// Comparisons that are false if an operand is a NaN, except `Ne`: those that return 0 or 1, and
/// those that branch.
#[derive(Clone, Copy)]
enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

const fn relation_codes(relation: Relation) -> [Three; 2] {
    match relation {
        Relation::Eq => [
            [Code::Feq, Code::Deq, Code::Ldeq],
            [Code::Fbeq, Code::Dbeq, Code::Ldbeq],
        ],
        Relation::Ne => [
            [Code::Fne, Code::Dne, Code::Ldne],
            [Code::Fbne, Code::Dbne, Code::Ldbne],
        ],
        Relation::Lt => [
            [Code::Flt, Code::Dlt, Code::Ldlt],
            [Code::Fblt, Code::Dblt, Code::Ldblt],
        ],
        Relation::Le => [
            [Code::Fle, Code::Dle, Code::Ldle],
            [Code::Fble, Code::Dble, Code::Ldble],
        ],
        Relation::Gt => [
            [Code::Fgt, Code::Dgt, Code::Ldgt],
            [Code::Fbgt, Code::Dbgt, Code::Ldbgt],
        ],
        Relation::Ge => [
            [Code::Fge, Code::Dge, Code::Ldge],
            [Code::Fbge, Code::Dbge, Code::Ldbge],
        ],
    }
}

/// The test that a predicate stands for.
enum Test {
    Constant(i64),
    /// The relation, or its negation.
    One(Relation, bool),
    /// Less or greater, or the negation.
    Differs(bool),
    /// Both operands are numbers, or the negation.
    Ordered(bool),
}

const fn test_of(predicate: FloatPredicate) -> Test {
    use FloatPredicate as P;
    match predicate {
        P::False => Test::Constant(0),
        P::True => Test::Constant(1),
        P::Oeq => Test::One(Relation::Eq, true),
        P::Une => Test::One(Relation::Ne, true),
        P::Ogt => Test::One(Relation::Gt, true),
        P::Oge => Test::One(Relation::Ge, true),
        P::Olt => Test::One(Relation::Lt, true),
        P::Ole => Test::One(Relation::Le, true),
        P::Ugt => Test::One(Relation::Le, false),
        P::Uge => Test::One(Relation::Lt, false),
        P::Ult => Test::One(Relation::Ge, false),
        P::Ule => Test::One(Relation::Gt, false),
        P::One => Test::Differs(true),
        P::Ueq => Test::Differs(false),
        P::Ord => Test::Ordered(true),
        P::Uno => Test::Ordered(false),
    }
}

impl Lower<'_, '_, '_> {
    fn float_kind(&mut self, ty: TypeId) -> Result<Kind> {
        let parts = self.importer.parts(ty, self.place)?;
        match *parts {
            [part] if !matches!(part.kind, Kind::Int(_)) => Ok(part.kind),
            _ => {
                let name = self.importer.source.types.name(ty);
                self.unsupported(format!("an operation on {name}"))
            }
        }
    }

    fn float_code(&self, kind: Kind, codes: Three) -> Result<Code> {
        of(kind, codes).map_or_else(|| self.unsupported("this operation on integers"), Ok)
    }

    pub(super) fn float_binary(
        &mut self,
        result: LocalId,
        op: Binary,
        ty: TypeId,
        a: &Value,
        b: &Value,
    ) -> Result<()> {
        // A pair of floats, the form in which x86_64 passes two, is computed part by part.
        let parts = self.importer.parts(ty, self.place)?;
        let (a, b) = (self.value(ty, a)?, self.value(ty, b)?);
        let mut held = Vec::new();
        for ((part, a), b) in parts.iter().zip(a).zip(b) {
            held.push(self.float_operation(op, part.kind, a, b)?);
        }
        self.define(result, held)
    }

    fn float_operation(&mut self, op: Binary, kind: Kind, a: Held, b: Held) -> Result<Held> {
        let codes = match op {
            Binary::Fadd => [Code::Fadd, Code::Dadd, Code::Ldadd],
            Binary::Fsub => [Code::Fsub, Code::Dsub, Code::Ldsub],
            Binary::Fmul => [Code::Fmul, Code::Dmul, Code::Ldmul],
            Binary::Fdiv => [Code::Fdiv, Code::Ddiv, Code::Lddiv],
            _ => {
                let name = self.math_name("fmod", kind);
                return self.call_library(&name, kind, &[(kind, a), (kind, b)]);
            }
        };
        let code = self.float_code(kind, codes)?;
        self.float_result(code, kind, &[a, b]).map(Held::Reg)
    }

    /// Returns the name of a function of the C mathematical library for a type.
    #[expect(clippy::unused_self, reason = "reads like the others")]
    pub(super) fn math_name(&self, name: &str, kind: Kind) -> String {
        match kind {
            Kind::Float => format!("{name}f"),
            Kind::LongDouble => format!("{name}l"),
            _ => name.into(),
        }
    }

    /// Emits an instruction into a new register, which it returns.
    pub(super) fn float_result(&mut self, code: Code, kind: Kind, sources: &[Held]) -> Result<Reg> {
        let mut operands = vec![Operand::Int(0)];
        for &source in sources {
            operands.push(self.operand(source)?);
        }
        let reg = self.temp(kind)?;
        operands[0] = Operand::Reg(reg);
        self.emit(code, operands.as_slice())?;
        Ok(reg)
    }

    pub(super) fn float_negation(
        &mut self,
        result: LocalId,
        ty: TypeId,
        value: &Value,
    ) -> Result<()> {
        let parts = self.importer.parts(ty, self.place)?;
        let value = self.value(ty, value)?;
        let mut held = Vec::new();
        for (part, value) in parts.iter().zip(value) {
            let code = self.float_code(part.kind, [Code::Fneg, Code::Dneg, Code::Ldneg])?;
            held.push(Held::Reg(self.float_result(code, part.kind, &[value])?));
        }
        self.define(result, held)
    }

    pub(super) fn compare_floats(
        &mut self,
        predicate: FloatPredicate,
        ty: TypeId,
        a: &Value,
        b: &Value,
        outcome: Outcome,
    ) -> Result<()> {
        let kind = self.float_kind(ty)?;
        let (a, b) = (self.single(ty, a)?, self.single(ty, b)?);
        let value = match test_of(predicate) {
            Test::Constant(value) => Held::Int(value),
            Test::One(relation, true) => {
                let [values, branches] = relation_codes(relation);
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                return match outcome {
                    Outcome::Register(reg) => {
                        let code = self.float_code(kind, values)?;
                        self.emit(code, (reg, a, b))
                    }
                    Outcome::Branch(label) => {
                        let code = self.float_code(kind, branches)?;
                        self.emit(code, (label, a, b))
                    }
                };
            }
            Test::One(relation, false) => {
                if let Outcome::Branch(label) = outcome {
                    let otherwise = self.new_label()?;
                    let [_, branches] = relation_codes(relation);
                    let code = self.float_code(kind, branches)?;
                    let (a, b) = (self.operand(a)?, self.operand(b)?);
                    self.emit(code, (otherwise, a, b))?;
                    self.emit(Code::Jmp, (label,))?;
                    return self.place_label(otherwise);
                }
                let holds = self.relation(relation, kind, a, b)?;
                self.int_operation(Code::Xor, holds, Held::Int(1))?
            }
            Test::Differs(differs) => {
                let less = self.relation(Relation::Lt, kind, a, b)?;
                let greater = self.relation(Relation::Gt, kind, a, b)?;
                let either = self.int_operation(Code::Or, less, greater)?;
                if differs {
                    either
                } else {
                    self.int_operation(Code::Xor, either, Held::Int(1))?
                }
            }
            Test::Ordered(ordered) => {
                // Only a NaN is unequal to itself.
                let a_is = self.relation(Relation::Eq, kind, a, a)?;
                let b_is = self.relation(Relation::Eq, kind, b, b)?;
                let both = self.int_operation(Code::And, a_is, b_is)?;
                if ordered {
                    both
                } else {
                    self.int_operation(Code::Xor, both, Held::Int(1))?
                }
            }
        };
        let operand = self.operand(value)?;
        match outcome {
            Outcome::Register(reg) => self.emit(Code::Mov, (reg, operand)),
            Outcome::Branch(label) => self.emit(Code::Bt, (label, operand)),
        }
    }

    /// Returns the smaller or larger of two values, where -0 is less than +0, which C's `fmin`
    /// leaves open. If one is a NaN, the names that end in `num` return the other value, and
    /// `minimum` and `maximum` return a NaN.
    pub(super) fn extreme_float(
        &mut self,
        base: &str,
        kind: Kind,
        a: Held,
        b: Held,
    ) -> Result<Held> {
        let smaller = base.starts_with("min");
        let relation = if smaller { Relation::Lt } else { Relation::Gt };
        let before = self.float_code(kind, relation_codes(relation)[1])?;
        let equal = self.float_code(kind, relation_codes(Relation::Eq)[1])?;
        let differ = self.float_code(kind, relation_codes(Relation::Ne)[1])?;
        let copy = self.float_code(kind, [Code::Fmov, Code::Dmov, Code::Ldmov])?;
        let add = self.float_code(kind, [Code::Fadd, Code::Dadd, Code::Ldadd])?;
        let subtract = self.float_code(kind, [Code::Fsub, Code::Dsub, Code::Ldsub])?;
        let negate = self.float_code(kind, [Code::Fneg, Code::Dneg, Code::Ldneg])?;
        let zero = self.zero(kind);
        let (a, b, zero) = (self.operand(a)?, self.operand(b)?, self.operand(zero)?);
        let result = self.temp(kind)?;
        let (same, done) = (self.new_label()?, self.new_label()?);
        self.emit(equal, (same, a, b))?;
        self.emit(copy, (result, a))?;
        self.emit(before, (done, a, b))?;
        if base.ends_with("num") {
            // The result is `b`, unless only `b` is a NaN.
            self.emit(differ, (done, b, b))?;
        }
        self.emit(copy, (result, b))?;
        self.emit(before, (done, b, a))?;
        if !base.ends_with("num") {
            // If one is a NaN, the sum is one too.
            self.emit(add, (result, a, b))?;
        }
        self.emit(Code::Jmp, (done,))?;
        self.place_label(same)?;
        self.emit(copy, (result, a))?;
        self.emit(differ, (done, a, zero))?;
        // Both are zeros: the sum is +0 if one is, and the negated sum of the negated values is -0
        // if one is.
        if smaller {
            self.emit(negate, (result, a))?;
            self.emit(subtract, (result, result, b))?;
            self.emit(negate, (result, result))?;
        } else {
            self.emit(add, (result, a, b))?;
        }
        self.place_label(done)?;
        Ok(Held::Reg(result))
    }

    fn relation(&mut self, relation: Relation, kind: Kind, a: Held, b: Held) -> Result<Held> {
        let code = self.float_code(kind, relation_codes(relation)[0])?;
        self.int_operation(code, a, b)
    }

    // ---- classes

    /// Tests whether a value is of one of these classes, as `llvm.is.fpclass` numbers them: two
    /// kinds of NaN; infinite, normal, subnormal and zero with negative sign; the same with
    /// positive sign in the opposite order.
    /// The value is given as its bits, as [`Lower::bits_of`] returns them.
    pub(super) fn float_class(
        &mut self,
        (bits, fraction): (Held, u32),
        classes: u32,
    ) -> Result<Held> {
        let sign = self.int_operation(Code::Ursh, bits, Held::Int(63))?;
        let size = self.int_operation(Code::And, bits, Held::Int(i64::MAX))?;
        let infinite = i64::MAX >> fraction << fraction;
        let quiet = infinite | 1 << (fraction - 1);
        let least_normal = 1_i64 << fraction;
        // Each class is a half-open range of the bits without sign.
        let ranges = [
            (0b00_0000_0001, 0, infinite + 1, quiet),
            (0b00_0000_0010, 0, quiet, i64::MIN),
            (0b00_0000_0100, 0b10_0000_0000, infinite, infinite + 1),
            (0b00_0000_1000, 0b01_0000_0000, least_normal, infinite),
            (0b00_0001_0000, 0b00_1000_0000, 1, least_normal),
            (0b00_0010_0000, 0b00_0100_0000, 0, 1),
        ];
        let mut any = Held::Int(0);
        for (negative, positive, from, to) in ranges {
            let signs = [negative, positive].map(|class| class != 0 && classes & class != 0);
            let either_sign = positive == 0 || signs == [true, true];
            if signs == [false, false] {
                continue;
            }
            let distance = self.int_operation(Code::Sub, size, Held::Int(from))?;
            let length = Held::Int(to.wrapping_sub(from));
            let mut within = self.int_operation(Code::Ult, distance, length)?;
            if !either_sign {
                let wanted = Held::Int(i64::from(signs[0]));
                let fits = self.int_operation(Code::Eq, sign, wanted)?;
                within = self.int_operation(Code::And, within, fits)?;
            }
            any = self.int_operation(Code::Or, any, within)?;
        }
        Ok(any)
    }

    /// Returns the bits of a value with the sign on top, and the number of fraction bits among the
    /// 64. For wider values the last bit is set if any bit that was cut off is.
    pub(super) fn bits_of(&mut self, value: Held, kind: Kind) -> Result<(Held, u32)> {
        let place = self.kept_scratch()?;
        let part = |kind, offset| Part { kind, offset };
        self.store_part(part(kind, 0), Held::Reg(place), value)?;
        let word = |lower: &mut Self, width, offset| {
            lower
                .load_part(part(Kind::Int(width), offset), Held::Reg(place))
                .map(Held::Reg)
        };
        let long_double = self.importer.target.long_double;
        let found = match kind {
            Kind::Float => {
                let bits = word(self, 32, 0)?;
                (self.int_operation(Code::Lsh, bits, Held::Int(32))?, 55)
            }
            Kind::LongDouble if long_double == LongDoubleFormat::X87 => {
                let (fraction, top) = (word(self, 64, 0)?, word(self, 16, 8)?);
                // The explicit integer bit is dropped.
                let fraction = self.int_operation(Code::Lsh, fraction, Held::Int(1))?;
                let rest = self.int_operation(Code::Lsh, fraction, Held::Int(48))?;
                let fraction = self.int_operation(Code::Ursh, fraction, Held::Int(16))?;
                let top = self.int_operation(Code::Lsh, top, Held::Int(48))?;
                let bits = self.int_operation(Code::Or, top, fraction)?;
                (self.with_rest(bits, rest)?, 48)
            }
            Kind::LongDouble if long_double == LongDoubleFormat::Quad => {
                let (top, rest) = if self.importer.target.big_endian {
                    (0, 8)
                } else {
                    (8, 0)
                };
                let (top, rest) = (word(self, 64, top)?, word(self, 64, rest)?);
                (self.with_rest(top, rest)?, 48)
            }
            // The first of the two doubles determines the class.
            _ => (word(self, 64, 0)?, 52),
        };
        self.release_scratches();
        Ok(found)
    }

    /// Returns the same of a value of 16 bits.
    pub(super) fn bits_of_short(&mut self, value: Held, format: Format) -> Result<(Held, u32)> {
        let bits = self.int_operation(Code::Lsh, value, Held::Int(48))?;
        Ok((bits, format.fraction() + 48))
    }

    fn with_rest(&mut self, bits: Held, rest: Held) -> Result<Held> {
        let any = self.int_operation(Code::Ne, rest, Held::Int(0))?;
        self.int_operation(Code::Or, bits, any)
    }

    // ---- conversions

    pub(super) fn float_cast(
        &mut self,
        result: LocalId,
        cast: Cast,
        from: TypeId,
        value: &Value,
        to: TypeId,
    ) -> Result<()> {
        let types = &self.importer.source.types;
        let (from_width, to_width) = (types.int_width(from), types.int_width(to));
        if from_width.or(to_width).is_some_and(|width| width > 64) {
            return self.wide_float_cast(result, cast, from, value, to);
        }
        let held = self.single(from, value)?;
        let converted = match (cast, from_width, to_width) {
            (Cast::Sitofp | Cast::Uitofp, Some(width), None) => {
                let kind = self.float_kind(to)?;
                self.float_of_int(held, width, kind, cast == Cast::Sitofp)?
            }
            (Cast::Fptosi | Cast::Fptoui, None, Some(width)) => {
                let kind = self.float_kind(from)?;
                self.int_of_float(held, width, kind, cast == Cast::Fptosi)?
            }
            (Cast::Fptrunc | Cast::Fpext, None, None) => {
                let (from, to) = (self.float_kind(from)?, self.float_kind(to)?);
                self.float_of_float(held, from, to)?
            }
            _ => return self.unsupported("this conversion"),
        };
        self.define(result, vec![converted])
    }

    fn float_of_float(&mut self, held: Held, from: Kind, to: Kind) -> Result<Held> {
        let code = match (from, to) {
            (Kind::Float, Kind::Double) => Code::F2d,
            (Kind::Float, Kind::LongDouble) => Code::F2ld,
            (Kind::Double, Kind::Float) => Code::D2f,
            (Kind::Double, Kind::LongDouble) => Code::D2ld,
            (Kind::LongDouble, Kind::Float) => Code::Ld2f,
            (Kind::LongDouble, Kind::Double) => Code::Ld2d,
            _ => return Ok(held),
        };
        self.float_result(code, to, &[held]).map(Held::Reg)
    }

    fn float_of_int(&mut self, held: Held, width: u32, kind: Kind, signed: bool) -> Result<Held> {
        let int = super::integers::held_of(self.extended(held, width, signed)?);
        // Integers of fewer than 64 bits are never negative as signed 64-bit values.
        let codes = if signed || width < 64 {
            [Code::I2f, Code::I2d, Code::I2ld]
        } else {
            [Code::Ui2f, Code::Ui2d, Code::Ui2ld]
        };
        let code = self.float_code(kind, codes)?;
        self.float_result(code, kind, &[int]).map(Held::Reg)
    }

    pub(super) fn int_of_float(
        &mut self,
        held: Held,
        width: u32,
        kind: Kind,
        signed: bool,
    ) -> Result<Held> {
        let code = self.float_code(kind, [Code::F2i, Code::D2i, Code::Ld2i])?;
        let reg = self.float_result(code, Kind::Int(64), &[held])?;
        if signed || width < 64 {
            return Ok(Held::Reg(reg));
        }
        // From 2^63 on, the difference to 2^63 is converted and the highest bit set.
        let limit = self.float_constant(kind, 9_223_372_036_854_775_808.0);
        let limit = self.operand(limit)?;
        let done = self.new_label()?;
        let branch = self.float_code(kind, [Code::Fblt, Code::Dblt, Code::Ldblt])?;
        let value = self.operand(held)?;
        self.emit(branch, (done, value, limit))?;
        let subtract = self.float_code(kind, [Code::Fsub, Code::Dsub, Code::Ldsub])?;
        let above = self.temp(kind)?;
        self.emit(subtract, (above, value, limit))?;
        self.emit(code, (reg, above))?;
        self.emit(Code::Xor, (reg, reg, i64::MIN))?;
        self.place_label(done)?;
        Ok(Held::Reg(reg))
    }

    /// Converts integers of 128 bits by functions of the compiler's support library.
    fn wide_float_cast(
        &mut self,
        result: LocalId,
        cast: Cast,
        from: TypeId,
        value: &Value,
        to: TypeId,
    ) -> Result<()> {
        let types = &self.importer.source.types;
        let width = types.int_width(from).or(types.int_width(to)).unwrap_or(128);
        if width > 128 {
            return self.unsupported(format!("a conversion of i{width}"));
        }
        let mut held = self.value(from, value)?;
        let to_int = matches!(cast, Cast::Fptosi | Cast::Fptoui);
        let kind = self.float_kind_of(if to_int { from } else { to })?;
        let unsigned = if matches!(cast, Cast::Fptoui | Cast::Uitofp) {
            "un"
        } else {
            ""
        };
        if width < 128
            && !to_int
            && let Some(high) = held.pop()
        {
            let high = self.extended(high, width - 64, cast == Cast::Sitofp)?;
            held.push(super::integers::held_of(high));
        }
        let word = Kind::Int(64);
        if to_int {
            let Some(&value) = held.first() else {
                return self.unsupported("this conversion");
            };
            let halves = self.wide_of_float(value, kind, cast == Cast::Fptosi)?;
            return self.define(result, halves.to_vec());
        }
        let name = format!("__float{unsigned}ti{}f", self.letter_of(kind));
        let args: Vec<_> = if self.importer.platform.pairs == Pairs::ByAddress {
            let place = Held::Reg(self.kept_scratch()?);
            for (part, held) in BIG_ENDIAN.into_iter().zip(held) {
                self.store_part(part, place, held)?;
            }
            vec![(word, place)]
        } else {
            held.into_iter().map(|held| (word, held)).collect()
        };
        let value = self.call_library_parts(&name, &[kind], &args)?;
        self.release_scratches();
        self.define(result, value)
    }

    /// Returns the letter of a type in the names of the compiler's support library.
    fn letter_of(&self, kind: Kind) -> char {
        match (kind, self.importer.target.long_double) {
            (Kind::Float, _) => 's',
            (Kind::Double, _) => 'd',
            (_, LongDoubleFormat::X87) => 'x',
            _ => 't',
        }
    }

    /// Converts a floating value to an integer of 128 bits.
    fn wide_of_float(&mut self, value: Held, kind: Kind, signed: bool) -> Result<Halves> {
        let unsigned = if signed { "" } else { "uns" };
        let name = format!("__fix{unsigned}{}fti", self.letter_of(kind));
        let word = Kind::Int(64);
        let halves = if self.importer.platform.pairs == Pairs::ByAddress {
            let place = Held::Reg(self.kept_scratch()?);
            self.call_library_parts(&name, &[], &[(word, place), (kind, value)])?;
            self.release_scratches();
            let [low, high] = BIG_ENDIAN;
            vec![
                Held::Reg(self.load_part(low, place)?),
                Held::Reg(self.load_part(high, place)?),
            ]
        } else {
            self.call_library_parts(&name, &[word, word], &[(kind, value)])?
        };
        match *halves.as_slice() {
            [low, high] => Ok([low, high]),
            _ => self.unsupported("this conversion"),
        }
    }

    /// Converts a floating value to the nearest integer of 65 to 128 bits; 0 for a NaN.
    pub(super) fn wide_saturated_int(
        &mut self,
        value: Held,
        kind: Kind,
        width: u32,
        signed: bool,
    ) -> Result<Halves> {
        let most = 2.0_f64.powi((width - u32::from(signed)).cast_signed());
        let least = if signed { -most } else { 0.0 };
        let all = i128::MAX >> (128 - width);
        let (greatest, smallest) = match signed {
            true => (all, !all),
            false => ((all << 1) | 1, 0),
        };
        let halves = |whole: i128| [Held::Int(whole as i64), Held::Int((whole >> 64) as i64)];
        let mut found = self.wide_of_float(value, kind, signed)?;
        let bound = self.float_constant(kind, least);
        let within = self.relation(Relation::Gt, kind, value, bound)?;
        found = self.wide_chosen(within, found, halves(smallest))?;
        let bound = self.float_constant(kind, most);
        let above = self.relation(Relation::Ge, kind, value, bound)?;
        found = self.wide_chosen(above, halves(greatest), found)?;
        let number = self.relation(Relation::Eq, kind, value, value)?;
        self.wide_chosen(number, found, halves(0))
    }

    fn float_constant(&self, kind: Kind, value: f64) -> Held {
        Held::Constant(match kind {
            Kind::Float => Operand::Float(value as f32),
            Kind::Double => Operand::Double(value),
            _ => Operand::LongDouble(self.importer.target.long_double.from_f64(value).0),
        })
    }

    fn float_kind_of(&mut self, ty: TypeId) -> Result<Kind> {
        self.float_kind(ty)
    }
}
