//! Calling conventions: the signatures that clang has lowered for a target, as arguments and
//! results of Medium IR.

use super::parts::{Kind, Part};
use super::platform::{Arrays, Pairs, Platform, Short};
use super::results::Returned;
use super::{Importer, broken};
use crate::ast::{Attributes, Function};
use crate::error::{Result, SourcePosition};
use crate::types::{DEPTH, Type, TypeId, Types};
use mir_nostd::ir::{
    ArgSpec, ItemId, Mem, Operand, Reg, SignatureSpec, TAIL_CALL, Type as MediumType,
};
use mir_nostd::target::{Argument, ArgumentKind, Cursor};

/// The description of how one argument of Medium IR is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Passed {
    pub(super) ty: MediumType,
    /// The size in bytes of a block.
    pub(super) size: u32,
    pub(super) form: Form,
}

/// The content of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// One part of the value.
    Part,
    /// One part, a float that shares its word with the preceding one: in an array of floats on
    /// ppc64le.
    Sharing,
    /// A copy of the pointer's target; the one part is the address.
    Pointee,
    /// Several parts, each in its own word of the block; on big-endian machines the last one first,
    /// as in memory an integer has its high word there.
    Words(u8),
    /// Several floats in one word: from its start, or in its second half.
    Floats(u8, Half),
    /// One part, a floating value of 16 bits, in these bits of a `float`.
    Short(Short),
    /// No content: takes up a register or stack space that the next argument must not have.
    Filler,
}

/// The half of an 8-byte word that the first float is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Half {
    First,
    Second,
}

impl Half {
    pub(super) const fn offset(self) -> i64 {
        match self {
            Half::First => 0,
            Half::Second => 4,
        }
    }
}

/// The arguments so far, and the registers and stack space that they use.
#[derive(Default)]
pub(super) struct Arguments {
    cursor: Cursor,
    /// The arguments added since they were last taken.
    passed: Vec<Passed>,
    /// The kind of the arguments that follow.
    pub(super) kind: ArgumentKind,
}

impl Passed {
    pub(super) const fn scalar(ty: MediumType, form: Form) -> Passed {
        Passed { ty, size: 0, form }
    }

    const fn part(ty: MediumType) -> Passed {
        Passed::scalar(ty, Form::Part)
    }

    pub(super) const fn block(size: u32, form: Form) -> Passed {
        let ty = MediumType::Blk0;
        Passed { ty, size, form }
    }

    /// Returns the argument as calling conventions place it.
    pub(super) fn argument(&self) -> Argument {
        Argument {
            ty: self.ty,
            size: self.size.into(),
        }
    }

    /// Returns the operand of a call for a register: the value, or a block at its address.
    pub(super) fn operand(&self, reg: Reg) -> Operand {
        if self.ty.is_block() {
            return Operand::Mem(Mem::new(self.ty, i64::from(self.size), reg));
        }
        Operand::Reg(reg)
    }
}

/// The key by which prototypes are equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ProtoKey {
    results: Vec<MediumType>,
    args: Vec<Passed>,
    vararg: bool,
    /// True if calls by it give up the frame.
    is_tail: bool,
}

/// Returns the type in which an integer of some width is passed.
fn int_type(width: u32, attributes: &Attributes) -> MediumType {
    let unsigned = attributes.zeroext;
    match (width, unsigned) {
        (..=8, true) => MediumType::U8,
        (..=8, false) if width == 1 && !attributes.signext => MediumType::U8,
        (..=8, false) => MediumType::I8,
        (..=16, true) => MediumType::U16,
        (..=16, false) => MediumType::I16,
        (..=32, true) => MediumType::U32,
        (..=32, false) => MediumType::I32,
        _ => MediumType::I64,
    }
}

fn part_type(kind: Kind, attributes: &Attributes) -> MediumType {
    match kind {
        Kind::Int(width) => int_type(width, attributes),
        Kind::Float => MediumType::F,
        Kind::Double => MediumType::D,
        Kind::LongDouble => MediumType::Ld,
    }
}

/// Returns whether aarch64 passes an array of these in registers entirely or not at all: two words,
/// up to four floating values.
fn goes_together(parts: &[Part]) -> bool {
    match parts {
        [first, second] if first.kind == Kind::Int(64) => second.kind == Kind::Int(64),
        [first, ..] => !matches!(first.kind, Kind::Int(_)) && parts.len() <= 4,
        [] => false,
    }
}

/// Returns the argument that is the address of memory for a result of so many bytes.
pub(super) const fn address_of(size: u32) -> Passed {
    let ty = MediumType::Rblk;
    Passed {
        ty,
        ..Passed::block(size, Form::Pointee)
    }
}

fn is_pair_of_floats(types: &Types, platform: &Platform, ty: TypeId) -> bool {
    platform.float_pairs
        && matches!(types.vector(ty), Some((2, element)) if *types.get(element) == Type::Float)
}

/// Returns whether a type is or has a vector that is passed lane by lane, or a float of 16 bits
/// that is passed as an integer: one in an aggregate, or any where C has none.
pub(super) fn goes_by_lanes(types: &Types, platform: &Platform, ty: TypeId) -> bool {
    platform.short(types.get(ty)).is_none()
        && has_within(types, ty, DEPTH, &|ty| match types.get(ty) {
            Type::Vector(..) => !is_pair_of_floats(types, platform, ty),
            Type::Half | Type::BFloat => true,
            _ => false,
        })
}

/// Returns whether this holds for a type, or for one that it consists of.
pub(super) fn has_within(
    types: &Types,
    ty: TypeId,
    depth: u32,
    holds: &dyn Fn(TypeId) -> bool,
) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let inner: &[TypeId] = match types.get(ty) {
        Type::Array(_, element) => core::slice::from_ref(element),
        Type::Struct { fields, .. } => fields,
        _ => &[],
    };
    holds(ty) || inner.iter().any(|&ty| has_within(types, ty, depth, holds))
}

impl Importer<'_, '_> {
    /// Returns how the next parameter is passed: one argument or several.
    pub(super) fn pass(
        &mut self,
        arguments: &mut Arguments,
        ty: TypeId,
        attributes: &Attributes,
        place: SourcePosition,
    ) -> Result<Vec<Passed>> {
        match attributes.byval.or(attributes.sret) {
            Some(pointee) => self.pass_pointee(arguments, pointee, attributes, place)?,
            None => self.pass_parts(arguments, ty, attributes, place)?,
        }
        Ok(core::mem::take(&mut arguments.passed))
    }

    /// Passes the address of memory for a result, if it is returned there.
    pub(super) fn pass_address(
        &self,
        arguments: &mut Arguments,
        returned: &Returned,
        place: SourcePosition,
    ) -> Result<Vec<Passed>> {
        if let Some(address) = returned.address() {
            self.add(arguments, address, place)?;
        }
        Ok(core::mem::take(&mut arguments.passed))
    }

    fn pass_pointee(
        &self,
        arguments: &mut Arguments,
        pointee: TypeId,
        attributes: &Attributes,
        place: SourcePosition,
    ) -> Result<()> {
        let unknown = || place.error("the size of what is passed is not known");
        let extent = self.source.types.extent(pointee).ok_or_else(unknown)?;
        let size = u32::try_from(extent.size).map_err(|_| unknown())?;
        if attributes.sret.is_some() {
            return self.add(arguments, address_of(size), place);
        }
        if extent.align.max(attributes.align) >= 16 {
            self.align_stack(arguments, place)?;
        }
        self.add(arguments, Passed::block(size, Form::Pointee), place)
    }

    /// Adds an argument and advances past its registers and stack space.
    fn add(&self, arguments: &mut Arguments, passed: Passed, place: SourcePosition) -> Result<()> {
        let argument = Argument {
            ty: passed.ty,
            size: u64::from(passed.size),
        };
        let kind = arguments.kind;
        let placed = (self.target.abi.place_argument)(&mut arguments.cursor, argument, kind);
        placed.map_err(|_| place.error("the arguments take too much memory"))?;
        arguments.passed.push(passed);
        Ok(())
    }

    /// Aligns the stack arguments that follow to 16 bytes.
    fn align_stack(&self, arguments: &mut Arguments, place: SourcePosition) -> Result<()> {
        match self.platform.filler {
            Some(filler) if !arguments.cursor.stack.is_multiple_of(16) => {
                self.add(arguments, filler, place)
            }
            _ => Ok(()),
        }
    }

    /// Returns the memory of a word of a block.
    pub(super) fn word(&self, number: u8, count: u8, block: Reg) -> Mem {
        let place = match self.target.big_endian {
            true => count - 1 - number,
            false => number,
        };
        Mem::new(MediumType::I64, 8 * i64::from(place), block)
    }

    /// Passes the parts of a value one by one, those of arrays and wide integers together where the
    /// platform requires it.
    fn pass_parts(
        &mut self,
        arguments: &mut Arguments,
        ty: TypeId,
        attributes: &Attributes,
        place: SourcePosition,
    ) -> Result<()> {
        // Fails for types that cannot be expressed.
        let parts = self.parts(ty, place)?;
        let types = &self.source.types;
        match types.get(ty) {
            Type::Int(129..) => {
                let name = types.name(ty);
                let problem = format!("arguments of type {name} cannot be expressed in Medium IR");
                Err(place.error(problem))
            }
            Type::Int(65..) => self.pass_pair(arguments, place),
            Type::Array(count, _)
                if self.platform.arrays == Arrays::Together
                    && *count == parts.len() as u64
                    && goes_together(&parts) =>
            {
                self.pass_together(arguments, parts[0].kind, parts.len() as u8, place)
            }
            Type::Array(..)
                if arguments.kind == ArgumentKind::Variable
                    && self.platform.arrays == Arrays::Words
                    && parts.iter().all(|part| part.kind == Kind::Float) =>
            {
                self.pass_packed(arguments, MediumType::I64, parts.len() as u8, place)
            }
            Type::Array(..)
                if self.platform.arrays == Arrays::Words
                    && parts.iter().all(|part| part.kind == Kind::Float) =>
            {
                self.pass_sharing(arguments, parts.len(), place)
            }
            Type::Struct { .. } | Type::Array(..) => {
                let count = types.count(ty).unwrap_or(0);
                let is_aligned = matches!(*types.get(ty), Type::Array(_, element)
                    if types.int_width(element) == Some(128));
                if is_aligned && self.platform.arrays == Arrays::Words {
                    self.align_stack(arguments, place)?;
                }
                for index in 0..count {
                    if let Some(element) = self.source.types.element(ty, index) {
                        self.pass_parts(arguments, element, &Attributes::default(), place)?;
                    }
                }
                Ok(())
            }
            _ => self.pass_scalars(arguments, ty, attributes, place),
        }
    }

    /// Passes a value that is no aggregate.
    fn pass_scalars(
        &mut self,
        arguments: &mut Arguments,
        ty: TypeId,
        attributes: &Attributes,
        place: SourcePosition,
    ) -> Result<()> {
        for mut passed in self.pass_value(ty, attributes, place)? {
            if passed.form == Form::Short(Short::High)
                && arguments.cursor.floats >= self.target.abi.exhausted.floats
            {
                // On the stack any value is at the end of its slot.
                passed.form = Form::Short(Short::Low);
            }
            let is_float = passed.ty == MediumType::F && passed.form == Form::Part;
            if arguments.kind == ArgumentKind::Variable && is_float {
                // On s390x a float lies at the start of its register, and at the end of its stack
                // slot.
                let exhausted = &self.target.abi.exhausted;
                let on_stack = arguments.cursor.floats >= exhausted.floats;
                let half = if self.target.big_endian && on_stack {
                    Half::Second
                } else {
                    Half::First
                };
                passed = Passed::scalar(MediumType::D, Form::Floats(1, half));
            }
            self.add(arguments, passed, place)?;
        }
        Ok(())
    }

    /// Passes an integer of two words, which is aligned to 16 bytes in memory and on some platforms
    /// in registers.
    fn pass_pair(&self, arguments: &mut Arguments, place: SourcePosition) -> Result<()> {
        let word = Passed::part(MediumType::I64);
        let filler = Passed::scalar(MediumType::I64, Form::Filler);
        let most = self.target.abi.exhausted.ints;
        let both = Passed::block(16, Form::Words(2));
        match self.platform.pairs {
            // The copy is the callee's, as that of any block.
            Pairs::ByAddress => return self.add(arguments, both, place),
            Pairs::Whole if arguments.cursor.ints + 2 > most => {
                self.align_stack(arguments, place)?;
                return self.add(arguments, both, place);
            }
            pairs @ (Pairs::Even | Pairs::EvenIfVariable) => {
                let is_even = pairs == Pairs::Even || arguments.kind == ArgumentKind::Variable;
                if is_even && !arguments.cursor.ints.is_multiple_of(2) {
                    self.add(arguments, filler, place)?;
                }
                if arguments.cursor.ints >= most {
                    self.align_stack(arguments, place)?;
                }
            }
            _ => {}
        }
        self.add(arguments, word, place)?;
        self.add(arguments, word, place)
    }

    /// Passes elements that aarch64 puts in registers entirely or not at all.
    fn pass_together(
        &self,
        arguments: &mut Arguments,
        kind: Kind,
        count: u8,
        place: SourcePosition,
    ) -> Result<()> {
        if matches!(kind, Kind::Int(_)) {
            return self.add(arguments, Passed::block(16, Form::Words(2)), place);
        }
        let most = self.target.abi.exhausted.floats;
        let fits = arguments.cursor.floats + count <= most;
        let filler = Passed::scalar(MediumType::D, Form::Filler);
        while !fits && arguments.cursor.floats < most {
            self.add(arguments, filler, place)?;
        }
        let passed = match kind {
            Kind::Float if !fits => {
                return self.pass_packed(arguments, MediumType::D, count, place);
            }
            Kind::Float if arguments.kind == ArgumentKind::Variable => {
                Passed::scalar(MediumType::D, Form::Floats(1, Half::First))
            }
            kind => Passed::part(part_type(kind, &Attributes::default())),
        };
        (0..count).try_for_each(|_| self.add(arguments, passed, place))
    }

    /// Passes floats in registers of their own, two of which take up one word of the argument area.
    fn pass_sharing(
        &self,
        arguments: &mut Arguments,
        count: usize,
        place: SourcePosition,
    ) -> Result<()> {
        for number in 0..count {
            let before = arguments.cursor;
            if number % 2 == 0 {
                self.add(arguments, Passed::part(MediumType::F), place)?;
                continue;
            }
            let second = Passed::scalar(MediumType::F, Form::Sharing);
            self.add(arguments, second, place)?;
            arguments.cursor.ints = before.ints;
            arguments.cursor.stack = before.stack;
        }
        Ok(())
    }

    /// Returns the order in which arguments are passed, by their numbers. In Medium IR each
    /// argument takes up at least a word. If floats share words, all other arguments keep their
    /// places when floats are passed where there are words for them and the rest come last: each
    /// float has the same register, and its word does not matter.
    pub(super) fn order(&self, passed: &[Passed], vararg: bool) -> Vec<usize> {
        let is_float = |passed: &Passed| matches!(passed.ty, MediumType::F | MediumType::D);
        let floats = passed.iter().filter(|passed| is_float(passed)).count();
        let shares = passed.iter().any(|passed| passed.form == Form::Sharing);
        let has_long_double = passed.iter().any(|passed| passed.ty == MediumType::Ld);
        let in_registers = floats <= usize::from(self.target.abi.exhausted.floats);
        if !shares || vararg || has_long_double || !in_registers {
            return (0..passed.len()).collect();
        }
        let (mut order, mut waiting) = (Vec::new(), std::collections::VecDeque::new());
        for (number, passed) in passed.iter().enumerate() {
            if !is_float(passed) {
                order.push(number);
                continue;
            }
            waiting.push_back(number);
            if passed.form != Form::Sharing {
                order.extend(waiting.pop_front());
            }
        }
        order.extend(waiting);
        order
    }

    /// Passes floats two to a word, as an array of them lies in memory.
    fn pass_packed(
        &self,
        arguments: &mut Arguments,
        word: MediumType,
        count: u8,
        place: SourcePosition,
    ) -> Result<()> {
        for first in (0..count).step_by(2) {
            let passed = Passed::scalar(word, Form::Floats((count - first).min(2), Half::First));
            self.add(arguments, passed, place)?;
        }
        Ok(())
    }

    /// Returns how a value is passed part by part: results, and most parts of arguments.
    pub(super) fn pass_value(
        &mut self,
        ty: TypeId,
        attributes: &Attributes,
        place: SourcePosition,
    ) -> Result<Vec<Passed>> {
        // Fails for types that cannot be expressed.
        let parts = self.parts(ty, place)?;
        let types = &self.source.types;
        match types.get(ty) {
            short @ (Type::Half | Type::BFloat) => {
                if let Some(bits) = self.platform.short(short) {
                    return Ok(vec![Passed::scalar(MediumType::F, Form::Short(bits))]);
                }
            }
            Type::Vector(..) if self.is_pair_of_floats(ty) => {
                let pair = Form::Floats(2, Half::First);
                return Ok(vec![Passed::scalar(MediumType::D, pair)]);
            }
            Type::Struct { fields, .. } => {
                let mut passed = Vec::new();
                for field in fields.clone() {
                    passed.extend(self.pass_value(field, &Attributes::default(), place)?);
                }
                return Ok(passed);
            }
            _ => {}
        }
        Ok(parts
            .iter()
            .map(|part| Passed::part(part_type(part.kind, attributes)))
            .collect())
    }

    /// Returns whether a type is two floats in one floating register, as C passes them.
    fn is_pair_of_floats(&self, ty: TypeId) -> bool {
        is_pair_of_floats(&self.source.types, self.platform, ty)
    }

    /// Returns whether a type is or has a vector that is passed lane by lane, as no C compiler does
    /// it.
    pub(super) fn goes_by_lanes(&self, ty: TypeId) -> bool {
        goes_by_lanes(&self.source.types, self.platform, ty)
    }

    /// Returns whether a type is a floating one of 16 bits.
    pub(super) fn is_short(&self, ty: TypeId) -> bool {
        matches!(self.source.types.get(ty), Type::Half | Type::BFloat)
    }

    /// Returns whether a function takes or returns vectors lane by lane: only functions of this
    /// module can call it.
    pub(super) fn takes_lanes(&self, function: &Function) -> bool {
        let params = function.params.iter().map(|param| param.ty);
        let mut types = params.chain([function.result]);
        types.any(|ty| self.goes_by_lanes(ty))
    }

    /// Returns the prototype of calls with these results and arguments.
    pub(super) fn proto(
        &mut self,
        results: &[MediumType],
        args: &[Passed],
        vararg: bool,
        place: SourcePosition,
    ) -> Result<ItemId> {
        let key = ProtoKey {
            results: results.to_vec(),
            args: args.to_vec(),
            vararg,
            is_tail: false,
        };
        self.proto_of(key, place)
    }

    /// Returns the prototype by which calls give up the frame.
    pub(super) fn tail_proto(
        &mut self,
        results: &[MediumType],
        args: &[Passed],
        place: SourcePosition,
    ) -> Result<ItemId> {
        let key = ProtoKey {
            results: results.to_vec(),
            args: args.to_vec(),
            vararg: false,
            is_tail: true,
        };
        self.proto_of(key, place)
    }

    pub(super) fn proto_of(&mut self, key: ProtoKey, place: SourcePosition) -> Result<ItemId> {
        if let Some(&known) = self.protos.get(&key) {
            return Ok(known);
        }
        let names: Vec<String> = (0..key.args.len())
            .map(|number| format!("a{number}"))
            .collect();
        let specs: Vec<ArgSpec<'_>> = key
            .args
            .iter()
            .zip(&names)
            .map(|(arg, name)| arg.spec(name))
            .collect();
        let spec = SignatureSpec {
            results: &key.results,
            args: &specs,
            vararg: key.vararg,
        };
        let kind = if key.is_tail { TAIL_CALL } else { "$p" };
        let name = format!("{kind}{}", self.protos.len() + 1);
        let item = self
            .module
            .proto(name.as_bytes(), spec)
            .map_err(broken(place))?;
        self.needed.protos.push(key.clone());
        self.protos.insert(key, item);
        Ok(item)
    }
}
