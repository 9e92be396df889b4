//! Parses instructions.

use super::Parser;
use super::functions::Names;
use super::lexer::Token;
use crate::ast::{
    Access, Argument, Assembly, Attributes, Binary, BlockId, Call, Cast, Clause, Const,
    FloatPredicate, IntPredicate, LandingPad, Op, Predicate, Typed, Value,
};
use crate::error::{Result, SourcePosition};
use crate::types::{Type, TypeId};
use mir_nostd::ir::Order;

/// An instruction and the type of its result, if it has one.
type Read = (Op, Option<TypeId>);

impl Op {
    /// Returns whether the instruction is a terminator.
    pub(crate) const fn is_terminator(&self) -> bool {
        matches!(
            self,
            Op::Ret(_)
                | Op::Br(_)
                | Op::CondBr(..)
                | Op::Switch(..)
                | Op::IndirectBr(..)
                | Op::Unreachable
                | Op::Invoked(..)
                | Op::Resume(_)
        )
    }
}

/// Returns whether a word is a flag of instructions: a promise that changes no defined result.
/// Only `nsw` is remembered.
fn is_flag(word: &str) -> bool {
    const FLAGS: [&str; 16] = [
        "nsw", "nuw", "exact", "nneg", "disjoint", "samesign", "fast", "nnan", "ninf", "nsz",
        "arcp", "contract", "afn", "reassoc", "volatile", "weak",
    ];
    FLAGS.contains(&word)
}

/// The limit on the elements of a shuffled vector, more than a value may have.
const MOST_LANES: u64 = 1 << 16;

/// Returns the number of an element in the mask of `shufflevector`; one that is undefined may be
/// any.
fn lane_number(lane: &Const) -> Option<u32> {
    match lane {
        Const::Zero => Some(0),
        Const::Int(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}

fn int_predicate(word: &str) -> Option<IntPredicate> {
    use IntPredicate as P;
    Some(match word {
        "eq" => P::Eq,
        "ne" => P::Ne,
        "ugt" => P::Ugt,
        "uge" => P::Uge,
        "ult" => P::Ult,
        "ule" => P::Ule,
        "sgt" => P::Sgt,
        "sge" => P::Sge,
        "slt" => P::Slt,
        "sle" => P::Sle,
        _ => return None,
    })
}

fn float_predicate(word: &str) -> Option<FloatPredicate> {
    use FloatPredicate as P;
    Some(match word {
        "false" => P::False,
        "oeq" => P::Oeq,
        "ogt" => P::Ogt,
        "oge" => P::Oge,
        "olt" => P::Olt,
        "ole" => P::Ole,
        "one" => P::One,
        "ord" => P::Ord,
        "uno" => P::Uno,
        "ueq" => P::Ueq,
        "ugt" => P::Ugt,
        "uge" => P::Uge,
        "ult" => P::Ult,
        "ule" => P::Ule,
        "une" => P::Une,
        "true" => P::True,
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn insn(&mut self, names: &mut Names) -> Result<Read> {
        let place = self.place();
        let word = self.word("an instruction")?;
        if let Some(op) = Binary::from_name(&word) {
            let is_disjoint = self.flags()?;
            let (ty, a) = self.typed(names)?;
            self.expect(b',')?;
            let b = self.value(ty, names)?;
            let op = match (op, &b) {
                // Addresses are made of sums, and a sum of two registers costs more than one.
                (Binary::Or, Value::Const(Const::Int(_)))
                    if is_disjoint && self.types.int_width(ty).is_some_and(|width| width <= 64) =>
                {
                    Binary::Add
                }
                _ => op,
            };
            return Ok((Op::Binary(op, ty, a, b), Some(ty)));
        }
        if let Some(cast) = Cast::from_name(&word) {
            self.flags()?;
            let from = self.typed(names)?;
            self.expect_word("to")?;
            let to = self.ty()?;
            return Ok((Op::Cast(cast, from, to), Some(to)));
        }
        match word.as_str() {
            "tail" | "musttail" | "notail" => {
                self.expect_word("call")?;
                self.call(&word, names)
            }
            // The terminator follows from the block that the call names.
            "call" | "invoke" => self.call(&word, names),
            "landingpad" => self.landing_pad(),
            "load" => self.load(names),
            "store" => self.store(names),
            "getelementptr" => self.address(names),
            "alloca" => self.alloca(names),
            "icmp" | "fcmp" => self.compare(word == "icmp", names),
            "phi" => self.phi(names),
            "select" => self.select(names),
            "extractvalue" | "insertvalue" => self.member(word == "insertvalue", names),
            "extractelement" | "insertelement" => {
                self.vector_element(word == "insertelement", names)
            }
            "shufflevector" => self.shuffle(names),
            "fneg" => {
                self.flags()?;
                let (ty, value) = self.typed(names)?;
                Ok((Op::Fneg(ty, value), Some(ty)))
            }
            "freeze" => {
                let value = self.typed(names)?;
                let ty = value.0;
                Ok((Op::Freeze(value), Some(ty)))
            }
            "atomicrmw" | "cmpxchg" | "fence" => self.atomic(&word, names),
            "ret" | "br" | "switch" | "indirectbr" | "unreachable" | "resume" => {
                self.terminator(&word, names)
            }
            "callbr" => self.branching_assembly(place),
            _ => Err(place.error(unknown(&word))),
        }
    }

    /// Skips flags; returns whether one says that the operands of an `or` have no bit in common.
    /// Such an operation does not overflow either.
    fn flags(&mut self) -> Result<bool> {
        let mut is_disjoint = false;
        while let Token::Word(word) = self.token()
            && is_flag(word)
        {
            let promises = matches!(word.as_str(), "nsw" | "disjoint");
            is_disjoint |= word == "disjoint";
            self.promises_no_wrap |= promises;
            self.advance()?;
        }
        Ok(is_disjoint)
    }

    fn typed(&mut self, names: &mut Names) -> Result<Typed> {
        let ty = self.ty()?;
        Ok((ty, self.value(ty, names)?))
    }

    pub(super) fn value(&mut self, ty: TypeId, names: &mut Names) -> Result<Value> {
        if let Token::Local(name) = self.token() {
            let id = names.local(name, self.next.place);
            self.advance()?;
            return Ok(Value::Local(id));
        }
        if self.accept_word("asm")? {
            return Ok(Value::Const(Const::Assembly(Box::new(self.assembly()?))));
        }
        Ok(Value::Const(self.constant(ty)?))
    }

    /// Reads inline assembly after `asm`.
    fn assembly(&mut self) -> Result<Assembly> {
        const WORDS: [&str; 4] = ["sideeffect", "alignstack", "inteldialect", "unwind"];
        while matches!(self.token(), Token::Word(word) if WORDS.contains(&word.as_str())) {
            self.advance()?;
        }
        let template = self.string()?;
        self.expect(b',')?;
        Ok(Assembly {
            template,
            constraints: self.string()?,
        })
    }

    /// Returns the error on `callbr`, which shows its assembly.
    fn branching_assembly<T>(&mut self, place: SourcePosition) -> Result<T> {
        while !self.accept_word("asm")? {
            if self.next.starts_line || *self.token() == Token::End {
                return Err(place.error("`callbr` cannot be expressed in Medium IR"));
            }
            self.advance()?;
        }
        let template = self.assembly()?.template;
        let template = template.trim().escape_debug();
        Err(place.error(format!(
            "`callbr`: inline assembly `{template}` cannot be expressed in Medium IR"
        )))
    }

    fn block_operand(&mut self, names: &mut Names) -> Result<BlockId> {
        self.expect_word("label")?;
        self.block_name(names)
    }

    fn block_name(&mut self, names: &mut Names) -> Result<BlockId> {
        let place = self.place();
        match self.advance()? {
            Token::Local(name) => Ok(names.block(&name, place)),
            _ => Err(place.error("expected a block")),
        }
    }

    fn load(&mut self, names: &mut Names) -> Result<Read> {
        let is_atomic = self.accept_word("atomic")?;
        let is_volatile = self.accept_word("volatile")?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let (_, pointer) = self.typed(names)?;
        let op = match self.access(ty, is_atomic, is_volatile)? {
            Some(access) => Op::AtomicLoad(ty, pointer, access),
            None => Op::Load(ty, pointer),
        };
        Ok((op, Some(ty)))
    }

    fn store(&mut self, names: &mut Names) -> Result<Read> {
        let is_atomic = self.accept_word("atomic")?;
        let is_volatile = self.accept_word("volatile")?;
        let value = self.typed(names)?;
        self.expect(b',')?;
        let (_, pointer) = self.typed(names)?;
        let op = match self.access(value.0, is_atomic, is_volatile)? {
            Some(access) => Op::AtomicStore(value, pointer, access),
            None => Op::Store(value, pointer),
        };
        Ok((op, None))
    }

    /// Reads what follows the address of an access: the order of one that is atomic, the alignment.
    /// Returns how it is made, if it is made once and as a whole.
    fn access(&mut self, ty: TypeId, is_atomic: bool, is_volatile: bool) -> Result<Option<Access>> {
        if is_atomic {
            return Ok(Some(Access::Atomic(self.ordering()?)));
        }
        // A vector of bits is the integer of them in memory, and is taken apart later.
        if !is_volatile || self.types.is_packed(ty) {
            return Ok(None);
        }
        let align = match self.accept_alignment()? {
            0 => self.types.extent(ty).map_or(1, |extent| extent.align),
            stated => stated,
        };
        Ok(Some(Access::Volatile(align)))
    }

    /// Reads `, align 4`, or metadata in its place; returns the alignment, 0 without one.
    fn accept_alignment(&mut self) -> Result<u64> {
        if !self.is_punctuation(b',') || self.next.starts_line {
            return Ok(0);
        }
        self.advance()?;
        if self.accept_word("align")? {
            return self.unsigned();
        }
        self.advance()?;
        self.metadata()?;
        Ok(0)
    }

    /// Reads `syncscope("x") acquire`.
    fn ordering(&mut self) -> Result<Order> {
        if self.accept_word("syncscope")? {
            self.skip_group()?;
        }
        let place = self.place();
        Ok(match self.word("an ordering")?.as_str() {
            "unordered" | "monotonic" => Order::Relaxed,
            "acquire" => Order::Acquire,
            "release" => Order::Release,
            "acq_rel" => Order::AcqRel,
            "seq_cst" => Order::SeqCst,
            _ => return Err(place.error("expected an ordering")),
        })
    }

    fn address(&mut self, names: &mut Names) -> Result<Read> {
        self.address_flags()?;
        let element = self.ty()?;
        self.expect(b',')?;
        let (mut ty, base) = self.typed(names)?;
        let mut indices = Vec::new();
        while self.is_punctuation(b',') {
            self.advance()?;
            if let Token::Metadata(_) = self.token() {
                self.advance()?;
                self.metadata()?;
                break;
            }
            let index = self.typed(names)?;
            if self.types.vector(ty).is_none() {
                ty = self.for_each_lane(index.0, ty);
            }
            indices.push(index);
        }
        let op = Op::Address {
            element,
            base,
            indices,
        };
        Ok((op, Some(ty)))
    }

    fn alloca(&mut self, names: &mut Names) -> Result<Read> {
        if self.is_word("inalloca") || self.is_word("swifterror") {
            return self.error("this kind of alloca cannot be expressed in Medium IR");
        }
        let place = self.place();
        let ty = self.ty()?;
        let (mut count, mut align) = (None, 0);
        while self.is_punctuation(b',') && !self.next.starts_line {
            self.advance()?;
            if self.accept_word("align")? {
                align = self.unsigned()?;
            } else if self.accept_word("addrspace")? {
                self.skip_group()?;
            } else if let Token::Metadata(_) = self.token() {
                self.advance()?;
                self.metadata()?;
            } else {
                count = Some(self.typed(names)?);
            }
        }
        if self.types.extent(ty).is_none() {
            return Err(place.error(self.no_size(ty)));
        }
        let pointer = self.types.add(Type::Ptr);
        Ok((Op::Alloca { ty, count, align }, Some(pointer)))
    }

    fn no_size(&self, ty: TypeId) -> String {
        format!("the type {} has no size", self.types.name(ty))
    }

    /// Reads the predicate of `icmp` or `fcmp`.
    pub(super) fn predicate(&mut self, is_int: bool) -> Result<Predicate> {
        let place = self.place();
        let word = self.word("a predicate")?;
        let found = if is_int {
            int_predicate(&word).map(Predicate::Int)
        } else {
            float_predicate(&word).map(Predicate::Float)
        };
        found.ok_or_else(|| place.error(format!("`{word}` is no predicate")))
    }

    fn compare(&mut self, is_int: bool, names: &mut Names) -> Result<Read> {
        self.flags()?;
        let predicate = self.predicate(is_int)?;
        let (ty, a) = self.typed(names)?;
        self.expect(b',')?;
        let b = self.value(ty, names)?;
        let op = match predicate {
            Predicate::Int(predicate) => Op::Icmp(predicate, ty, a, b),
            Predicate::Float(predicate) => Op::Fcmp(predicate, ty, a, b),
        };
        let bit = self.types.add(Type::Int(1));
        Ok((op, Some(self.for_each_lane(ty, bit))))
    }

    /// Returns a scalar type for a scalar, and a vector of it for a vector.
    fn for_each_lane(&mut self, like: TypeId, scalar: TypeId) -> TypeId {
        match self.types.vector(like) {
            Some((count, _)) => self.types.add(Type::Vector(count, scalar)),
            None => scalar,
        }
    }

    fn phi(&mut self, names: &mut Names) -> Result<Read> {
        self.flags()?;
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.value(ty, names)?;
            self.expect(b',')?;
            let block = self.block_name(names)?;
            self.expect(b']')?;
            incoming.push((value, block));
            if !self.is_punctuation(b',') {
                break;
            }
            self.advance()?;
            if let Token::Metadata(_) = self.token() {
                self.advance()?;
                self.metadata()?;
                break;
            }
        }
        Ok((Op::Phi(ty, incoming), Some(ty)))
    }

    fn select(&mut self, names: &mut Names) -> Result<Read> {
        self.flags()?;
        let place = self.place();
        let (condition_type, condition) = self.typed(names)?;
        let bit = self.types.vector(condition_type);
        let bit = bit.map_or(condition_type, |(_, element)| element);
        if self.types.int_width(bit) != Some(1) {
            return Err(place.error("the condition of `select` is of type i1, or a vector of them"));
        }
        self.expect(b',')?;
        let (ty, a) = self.typed(names)?;
        self.expect(b',')?;
        let (_, b) = self.typed(names)?;
        Ok((Op::Select(condition, ty, a, b), Some(ty)))
    }

    /// Reads `extractvalue` and `insertvalue`.
    fn member(&mut self, inserts: bool, names: &mut Names) -> Result<Read> {
        let aggregate = self.typed(names)?;
        let whole = aggregate.0;
        let mut inserted = None;
        if inserts {
            self.expect(b',')?;
            inserted = Some(self.typed(names)?);
        }
        let (mut ty, mut indices) = (whole, Vec::new());
        while self.is_punctuation(b',') {
            self.advance()?;
            if let Token::Metadata(_) = self.token() {
                self.advance()?;
                self.metadata()?;
                break;
            }
            let place = self.place();
            let index = self.unsigned()?;
            let element = self.types.element(ty, index);
            let count = self.types.count(ty).unwrap_or(0);
            ty = element.filter(|_| index < count).ok_or_else(|| {
                place.error(format!(
                    "the type {} has no element {index}",
                    self.types.name(ty)
                ))
            })?;
            indices.push(index);
        }
        Ok(match inserted {
            Some(inserted) => (Op::Insert(aggregate, inserted, indices), Some(whole)),
            None => (Op::Extract(aggregate, indices), Some(ty)),
        })
    }

    fn vector_element(&mut self, inserts: bool, names: &mut Names) -> Result<Read> {
        let place = self.place();
        let vector = self.typed(names)?;
        let whole = vector.0;
        let Type::Vector(_, element) = *self.types.get(whole) else {
            return Err(place.error("expected a vector"));
        };
        self.expect(b',')?;
        if !inserts {
            let index = self.typed(names)?;
            return Ok((Op::ExtractElement(vector, index), Some(element)));
        }
        let inserted = self.typed(names)?;
        self.expect(b',')?;
        let index = self.typed(names)?;
        Ok((Op::InsertElement(vector, inserted, index), Some(whole)))
    }

    fn shuffle(&mut self, names: &mut Names) -> Result<Read> {
        let place = self.place();
        let (ty, a) = self.typed(names)?;
        let Some((_, element)) = self.types.vector(ty) else {
            return Err(place.error("expected a vector"));
        };
        self.expect(b',')?;
        let (_, b) = self.typed(names)?;
        self.expect(b',')?;
        let place = self.place();
        let (mask_type, mask) = self.typed_constant()?;
        let lanes: Option<Vec<u32>> = match mask {
            Const::Zero => self
                .types
                .count(mask_type)
                .filter(|&count| count <= MOST_LANES)
                .map(|count| vec![0; count as usize]),
            Const::Aggregate(lanes) => lanes.iter().map(|(_, lane)| lane_number(lane)).collect(),
            _ => None,
        };
        let Some(lanes) = lanes.filter(|_| self.types.vector(mask_type).is_some()) else {
            return Err(place.error("expected a vector of constant integers"));
        };
        let result = self.types.add(Type::Vector(lanes.len() as u64, element));
        Ok((Op::ShuffleVector(ty, a, b, lanes), Some(result)))
    }

    fn atomic(&mut self, word: &str, names: &mut Names) -> Result<Read> {
        if word == "fence" {
            return Ok((Op::Fence(self.ordering()?), None));
        }
        self.flags()?;
        if word == "atomicrmw" {
            let operation = self.word("an operation")?;
            let (_, pointer) = self.typed(names)?;
            self.expect(b',')?;
            let value = self.typed(names)?;
            let ty = value.0;
            let order = self.ordering()?;
            return Ok((Op::AtomicRmw(operation, pointer, value, order), Some(ty)));
        }
        let (_, pointer) = self.typed(names)?;
        self.expect(b',')?;
        let expected = self.typed(names)?;
        self.expect(b',')?;
        let (ty, new) = self.typed(names)?;
        let orders = [self.ordering()?, self.ordering()?];
        let bit = self.types.add(Type::Int(1));
        let result = self.types.add(Type::Struct {
            fields: vec![ty, bit],
            packed: false,
        });
        Ok((Op::Cmpxchg(pointer, expected, new, orders), Some(result)))
    }

    fn terminator(&mut self, word: &str, names: &mut Names) -> Result<Read> {
        let op = match word {
            "unreachable" => Op::Unreachable,
            "resume" => Op::Resume(self.typed(names)?),
            "ret" if self.accept_word("void")? => Op::Ret(None),
            "ret" => Op::Ret(Some(self.typed(names)?)),
            "br" if self.is_word("label") => Op::Br(self.block_operand(names)?),
            "br" => {
                let (_, condition) = self.typed(names)?;
                self.expect(b',')?;
                let yes = self.block_operand(names)?;
                self.expect(b',')?;
                Op::CondBr(condition, yes, self.block_operand(names)?)
            }
            "switch" => self.switch(names)?,
            _ => {
                let (_, target) = self.typed(names)?;
                self.expect(b',')?;
                self.expect(b'[')?;
                let mut blocks = Vec::new();
                while !self.accept(b']')? {
                    blocks.push(self.block_operand(names)?);
                    if !self.is_punctuation(b']') {
                        self.expect(b',')?;
                    }
                }
                Op::IndirectBr(target, blocks)
            }
        };
        Ok((op, None))
    }

    fn switch(&mut self, names: &mut Names) -> Result<Op> {
        let value = self.typed(names)?;
        self.expect(b',')?;
        let default = self.block_operand(names)?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.accept(b']')? {
            let place = self.place();
            let (_, Const::Int(case)) = self.typed_constant()? else {
                return Err(place.error("expected an integer"));
            };
            self.expect(b',')?;
            cases.push((case, self.block_operand(names)?));
        }
        Ok(Op::Switch(value, default, cases))
    }

    fn call(&mut self, mark: &str, names: &mut Names) -> Result<Read> {
        self.flags()?;
        let promises = self.is_word("tailcc") || self.is_word("swifttailcc");
        let must_tail = mark == "musttail" || (mark == "tail" && promises);
        let (is_fast, foreign) = self.calling_convention()?;
        let result_attributes = self.attributes()?;
        if self.accept_word("addrspace")? {
            self.skip_group()?;
        }
        let place = self.place();
        let mut result = self.result_type()?;
        let mut fixed = None;
        if self.is_punctuation(b'(') {
            (result, fixed) = self.called_type(result)?;
        }
        let pointer = self.types.add(Type::Ptr);
        let callee = self.value(pointer, names)?;
        self.words.clear();
        let args = self.arguments(names)?;
        self.after_call()?;
        if fixed.is_some_and(|fixed| fixed > args.len()) {
            return Err(place.error("the call has too few arguments"));
        }
        let is_void = matches!(self.types.get(result), Type::Void);
        if let Value::Const(Const::Global(name)) = &callee
            && let Some(name) = name.strip_prefix("llvm.experimental.constrained.")
        {
            let op = self.unconstrained(name, result, args, place)?;
            return Ok((op, (!is_void).then_some(result)));
        }
        let call = Call {
            result,
            result_attributes,
            callee,
            args,
            fixed,
            is_fast,
            must_tail,
            foreign,
            unwind: None,
        };
        Ok((Op::Call(Box::new(call)), (!is_void).then_some(result)))
    }

    /// Returns the operation that a constrained intrinsic on floating values is, if it is
    /// constrained to nothing but what all are: rounding to nearest, no look at exceptions.
    fn unconstrained(
        &self,
        name: &str,
        result: TypeId,
        mut args: Vec<Argument>,
        place: SourcePosition,
    ) -> Result<Op> {
        let is_plain = |word: &String| {
            matches!(word.as_str(), "round.tonearest" | "fpexcept.ignore")
                || float_predicate(word).is_some()
        };
        if let Some(word) = self.words.iter().find(|&word| !is_plain(word)) {
            let message = format!("`{word}` of llvm.experimental.constrained.{name}");
            return Err(place.error(format!("{message} cannot be expressed in Medium IR")));
        }
        args.retain(|arg| arg.value != Value::Metadata);
        let base = name.split('.').next().unwrap_or(name);
        let predicate = self.words.iter().find_map(|word| float_predicate(word));
        let of_two = Binary::from_name(base);
        let cast = Cast::from_name(base);
        Ok(match (args.as_slice(), of_two, cast, base, predicate) {
            ([a, b], Some(op), ..) => Op::Binary(op, a.ty, a.value.clone(), b.value.clone()),
            ([a], _, Some(cast), ..) => Op::Cast(cast, (a.ty, a.value.clone()), result),
            ([a, b], _, _, "fcmp" | "fcmps", Some(predicate)) => {
                Op::Fcmp(predicate, a.ty, a.value.clone(), b.value.clone())
            }
            _ => Op::Call(Box::new(Call {
                result,
                result_attributes: Attributes::default(),
                callee: Value::Const(Const::Global(format!("llvm.{name}"))),
                args,
                fixed: None,
                is_fast: false,
                must_tail: false,
                foreign: None,
                unwind: None,
            })),
        })
    }

    /// Reads the blocks to which an `invoke` goes, after the call: its terminator.
    pub(super) fn invoked(&mut self, call: &mut Op, names: &mut Names) -> Result<Op> {
        self.expect_word("to")?;
        let normal = self.block_operand(names)?;
        self.expect_word("unwind")?;
        let unwind = self.block_operand(names)?;
        if let Op::Call(call) = call {
            call.unwind = Some(unwind);
        }
        Ok(Op::Invoked(normal, unwind))
    }

    fn landing_pad(&mut self) -> Result<Read> {
        let ty = self.ty()?;
        let mut pad = LandingPad {
            is_cleanup: self.accept_word("cleanup")?,
            clauses: Vec::new(),
        };
        loop {
            let clause = if self.accept_word("catch")? {
                Clause::Catch(self.typed_constant()?.1)
            } else if self.accept_word("filter")? {
                let place = self.place();
                match self.typed_constant()?.1 {
                    Const::Zero => Clause::Filter(Vec::new()),
                    Const::Aggregate(types) => {
                        Clause::Filter(types.into_iter().map(|(_, each)| each).collect())
                    }
                    _ => return Err(place.error("expected an array of types")),
                }
            } else {
                return Ok((Op::LandingPad(Box::new(pad)), Some(ty)));
            };
            pad.clauses.push(clause);
        }
    }

    /// Reads the rest of a function type in a call: its result, and the number of fixed arguments
    /// if others may follow.
    fn called_type(&mut self, result: TypeId) -> Result<(TypeId, Option<usize>)> {
        self.expect(b'(')?;
        let (mut count, mut vararg) = (0, false);
        while !self.accept(b')')? {
            if self.accept(b'.')? {
                vararg = true;
            } else {
                self.ty()?;
                count += 1;
            }
            if !self.is_punctuation(b')') {
                self.expect(b',')?;
            }
        }
        Ok((result, vararg.then_some(count)))
    }

    fn arguments(&mut self, names: &mut Names) -> Result<Vec<Argument>> {
        self.expect(b'(')?;
        let mut args = Vec::new();
        while !self.accept(b')')? {
            if self.is_punctuation(b'.') {
                let what = "a `musttail` call that forwards variable arguments";
                return self.error(format!("{what} cannot be expressed in Medium IR"));
            }
            let ty = self.ty()?;
            if matches!(self.types.get(ty), Type::Metadata) {
                self.skip_metadata_argument()?;
                args.push(Argument {
                    ty,
                    attributes: Attributes::default(),
                    value: Value::Metadata,
                });
            } else {
                let attributes = self.attributes()?;
                let value = self.value(ty, names)?;
                args.push(Argument {
                    ty,
                    attributes,
                    value,
                });
            }
            if !self.is_punctuation(b')') {
                self.expect(b',')?;
            }
        }
        Ok(args)
    }

    /// Skips an argument that is metadata; a string is remembered.
    fn skip_metadata_argument(&mut self) -> Result<()> {
        while !self.is_punctuation(b',') && !self.is_punctuation(b')') {
            if let Token::String(bytes) = self.token() {
                let word = String::from_utf8_lossy(bytes).into_owned();
                self.words.push(word);
            }
            if *self.token() == Token::End {
                return self.error("expected `)`");
            }
            if !self.skip_group()? {
                self.advance()?;
            }
        }
        Ok(())
    }

    /// Skips attributes and operand bundles.
    fn after_call(&mut self) -> Result<()> {
        while !self.next.starts_line {
            match self.token() {
                // The blocks of an `invoke` follow.
                Token::Word(word) if word == "to" => break,
                Token::AttributeGroup | Token::Word(_) | Token::String(_) => {
                    self.advance()?;
                    if self.accept(b'=')? {
                        self.advance()?;
                    }
                    self.skip_parenthesis()?;
                }
                Token::Punctuation(b'[') => {
                    self.skip_group()?;
                }
                _ => break,
            }
        }
        Ok(())
    }
}

/// Returns the error message for an unknown instruction.
fn unknown(word: &str) -> String {
    match word {
        "cleanuppad" | "catchpad" | "catchswitch" | "cleanupret" | "catchret" => {
            format!("`{word}`: exceptions of Windows cannot be expressed in Medium IR")
        }
        "va_arg" => {
            "`va_arg` cannot be expressed in Medium IR: clang writes out what it does".into()
        }
        _ => format!("`{word}` is no instruction"),
    }
}
