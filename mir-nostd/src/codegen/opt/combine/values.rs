//! How virtual registers were computed, as far as a forward pass over the blocks knows it.
//!
//! Outside SSA form registers may have several definitions: a fact about one ends with the block,
//! unless it is a constant with a single definition. In SSA form nothing ever changes, and a fact
//! holds wherever the register may be read.

use crate::codegen::form::Form;
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, OperandKind, VReg,
};
use crate::mem::{Entity, OutOfMemory, Vec};

/// The computation of a virtual register. Its sources come with the version that they had.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Fact {
    Nothing,
    Constant(i64),
    Copy(Source),
    /// A register plus a constant.
    Offset(Source, i32),
    Sum(Source, Source),
    /// A register times 2, 4 or 8.
    Scaled(Source, i32),
    /// The address of a frame object plus a constant.
    Frame(Operand, i32),
    /// A value of which only the low bits (8, 16, 32) are not copies of the sign.
    Signed(u8),
    /// A value of which only the low bits are not 0.
    Unsigned(u8),
    /// The low bits of a register, sign-extended or zero-extended.
    Extended {
        signed: bool,
        bits: u8,
        of: Source,
    },
    /// The result of this comparison, in SSA form.
    Compared(InsnId),
    /// A floating constant, by its bits.
    FloatConstant(i64),
    /// The bits of a register of the other bank, of this type.
    Bits(Source, LowType),
}

bitflags::bitflags! {
    /// Shapes that an operand may have: how its register was computed, or that it is none.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) struct Shape: u16 {
        /// A register of which nothing is known, or an operand of another kind.
        const UNKNOWN = 1 << 0;
        /// A register with [`Fact::Constant`]; the following likewise.
        const CONSTANT = 1 << 1;
        const COPY = 1 << 2;
        const OFFSET = 1 << 3;
        const SUM = 1 << 4;
        const SCALED = 1 << 5;
        const FRAME = 1 << 6;
        const SIGNED = 1 << 7;
        const UNSIGNED = 1 << 8;
        const EXTENDED = 1 << 9;
        /// An integer.
        const IMMEDIATE = 1 << 10;

        const COMPARED = 1 << 11;
        const FLOAT_CONSTANT = 1 << 12;
        const BITS = 1 << 13;

        /// All shapes.
        const ANY = (1 << 14) - 1;
        /// All shapes but that of an integer.
        const REGISTER = Self::ANY.bits() & !Self::IMMEDIATE.bits();
    }
}

impl Shape {
    /// True if the shape of this number is one of them.
    pub(super) const fn has(self, number: ShapeNumber) -> bool {
        self.bits() >> number.index() & 1 != 0
    }

    /// Returns the number of a single shape.
    const fn number(self) -> ShapeNumber {
        ShapeNumber(self.bits().trailing_zeros() as u8)
    }
}

/// The number of a shape: of its bit in [`Shape`].
#[derive(Clone, Copy)]
pub(super) struct ShapeNumber(u8);

impl ShapeNumber {
    /// More than the number of shapes: a power of two, below which each number is.
    pub(super) const COUNT: usize = 16;

    /// Returns the number of the shape that has this index in a table.
    pub(super) const fn new(index: usize) -> ShapeNumber {
        ShapeNumber(index as u8)
    }

    /// Returns the index in a table of all shapes.
    pub(super) const fn index(self) -> usize {
        self.0 as usize % ShapeNumber::COUNT
    }
}

impl Fact {
    const fn shape(&self) -> ShapeNumber {
        let shape = match self {
            Fact::Nothing => Shape::UNKNOWN,
            Fact::Constant(_) => Shape::CONSTANT,
            Fact::Copy(_) => Shape::COPY,
            Fact::Offset(..) => Shape::OFFSET,
            Fact::Sum(..) => Shape::SUM,
            Fact::Scaled(..) => Shape::SCALED,
            Fact::Frame(..) => Shape::FRAME,
            Fact::Signed(_) => Shape::SIGNED,
            Fact::Unsigned(_) => Shape::UNSIGNED,
            Fact::Extended { .. } => Shape::EXTENDED,
            Fact::Compared(_) => Shape::COMPARED,
            Fact::FloatConstant(_) => Shape::FLOAT_CONSTANT,
            Fact::Bits(..) => Shape::BITS,
        };
        shape.number()
    }
}

/// A register at one moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Source {
    vreg: VReg,
    version: u32,
}

/// The facts about a virtual register.
#[derive(Clone, Copy, Debug)]
struct ValueFacts {
    /// The version, which changes with every definition.
    version: u32,
    /// The epoch in which the fact holds.
    epoch: u32,
    fact: Fact,
}

// There is one per register: a power of two is quick to find, and less to clear.
const _: () = assert!(size_of::<ValueFacts>() == 32);

impl ValueFacts {
    const NOTHING: ValueFacts = ValueFacts {
        version: 0,
        epoch: EVERYWHERE,
        fact: Fact::Nothing,
    };

    /// Returns the fact that holds in this epoch.
    const fn fact_in(&self, epoch: u32) -> &Fact {
        if self.epoch == epoch || self.epoch == EVERYWHERE {
            &self.fact
        } else {
            &Fact::Nothing
        }
    }
}

/// The occurrences of a virtual register in a function that is not in SSA form.
#[derive(Clone, Copy, Debug)]
struct Occurrences {
    /// The number of definitions in the whole function, up to 2.
    definitions: u8,
    /// The block that it occurs in, if it is only one.
    extent: Extent,
    /// A register that holds this one extended, as long as neither changes.
    extended: Option<Source>,
}

impl Occurrences {
    const NONE: Occurrences = Occurrences {
        definitions: 0,
        extent: Extent::Nowhere,
        extended: None,
    };
}

/// The blocks that a virtual register occurs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Nowhere,
    Block(BlockId),
    Blocks,
}

/// The epoch of facts that hold everywhere.
const EVERYWHERE: u32 = u32::MAX;

/// The facts on all virtual registers of a function at one place.
pub(super) struct Values<'f> {
    known: Vec<'f, ValueFacts>,
    /// Outside SSA form the occurrences of each register.
    occurrences: Vec<'f, Occurrences>,
    /// In SSA form true for the registers that a PHI reads, which may be next values of induction
    /// variables.
    feeds_phi: Vec<'f, bool>,
    /// The number of the block; in SSA form always 0, as facts hold everywhere.
    epoch: u32,
    version: u32,
    is_ssa: bool,
}

impl<'f> Values<'f> {
    /// Returns what is known before the first block.
    pub(super) fn new(function: &Function<'f>, form: Form) -> Result<Values<'f>, OutOfMemory> {
        let allocator = function.allocator();
        let mut values = Values {
            known: Vec::new(allocator),
            occurrences: Vec::new(allocator),
            feeds_phi: Vec::new(allocator),
            epoch: 0,
            version: 0,
            is_ssa: form == Form::Ssa,
        };
        let count = function.vreg_count();
        values.known.resize(count, ValueFacts::NOTHING)?;
        if values.is_ssa {
            values.feeds_phi.resize(count, false)?;
            values.mark_merged(function);
        } else {
            values.occurrences.resize(count, Occurrences::NONE)?;
            values.count_definitions(function);
        }
        Ok(values)
    }

    fn count_definitions(&mut self, function: &Function<'_>) {
        for &block in &function.layout {
            for (_, row) in function.rows(block) {
                for operand in function.operands_of(row) {
                    let Some(vreg) = operand.vreg() else {
                        continue;
                    };
                    let register = &mut self.occurrences[vreg.index()];
                    register.extent = match register.extent {
                        Extent::Nowhere => Extent::Block(block),
                        extent if extent == Extent::Block(block) => extent,
                        _ => Extent::Blocks,
                    };
                    if operand.is_def() {
                        register.definitions = (register.definitions + 1).min(2);
                    }
                }
            }
        }
    }

    /// Notes the registers that PHIs read. In SSA form each has one definition, so nothing else
    /// needs counting.
    fn mark_merged(&mut self, function: &Function<'_>) {
        for &block in &function.layout {
            for insn in function.insns(block) {
                if function.insn(insn).opcode.generic() != Some(Generic::Phi) {
                    break;
                }
                for vreg in function
                    .operands(insn)
                    .iter()
                    .filter_map(|read| read.read_vreg())
                {
                    self.feeds_phi[vreg.index()] = true;
                }
            }
        }
    }

    /// Goes on to another block.
    pub(super) const fn enter_block(&mut self) {
        if !self.is_ssa {
            self.epoch += 1;
        }
    }

    pub(super) const fn is_ssa(&self) -> bool {
        self.is_ssa
    }

    /// Returns how the register of an operand was computed.
    pub(super) fn fact(&self, operand: Operand) -> Fact {
        let known = operand.vreg().and_then(|vreg| self.known.get(vreg.index()));
        known.map_or(Fact::Nothing, |known| *known.fact_in(self.epoch))
    }

    /// Returns the shape of an operand.
    #[inline]
    pub(super) fn shape(&self, operand: Operand) -> ShapeNumber {
        let known = operand.vreg().and_then(|vreg| self.known.get(vreg.index()));
        match (known, operand.kind()) {
            (Some(known), _) => known.fact_in(self.epoch).shape(),
            (_, OperandKind::Immediate | OperandKind::WideImmediate) => Shape::IMMEDIATE.number(),
            _ => Shape::UNKNOWN.number(),
        }
    }

    /// Returns the shape of a virtual register.
    #[inline]
    pub(super) fn shape_of(&self, vreg: VReg) -> ShapeNumber {
        match self.known.get(vreg.index()) {
            Some(known) => known.fact_in(self.epoch).shape(),
            None => Shape::UNKNOWN.number(),
        }
    }

    pub(super) fn source(&self, operand: Operand) -> Option<Source> {
        let vreg = operand.vreg()?;
        let version = self.known.get(vreg.index())?.version;
        Some(Source { vreg, version })
    }

    /// Returns the register, if it still has the version of the source.
    pub(super) fn current(&self, source: Source) -> Option<Operand> {
        let known = self.known.get(source.vreg.index())?;
        (known.version == source.version).then(|| source.vreg.into())
    }

    /// Returns a register that holds this one extended.
    pub(super) fn extended(&self, operand: Operand) -> Option<Operand> {
        let register = self.occurrences.get(operand.vreg()?.index())?;
        self.current(register.extended?)
    }

    fn feeds_phi(&self, operand: Operand) -> bool {
        let vreg = operand.vreg();
        let feeds_phi = vreg.and_then(|vreg| self.feeds_phi.get(vreg.index()));
        feeds_phi.is_some_and(|&feeds_phi| feeds_phi)
    }

    fn define(&mut self, operand: Operand, fact: Fact) {
        let Some(vreg) = operand.vreg() else {
            return;
        };
        self.version += 1;
        let is_only = |register: &Occurrences| register.definitions == 1;
        let is_lasting = matches!(fact, Fact::Constant(_))
            && self.occurrences.get(vreg.index()).is_some_and(is_only);
        self.known[vreg.index()] = ValueFacts {
            version: self.version,
            epoch: if is_lasting { EVERYWHERE } else { self.epoch },
            fact,
        };
    }

    /// Notes the facts that an instruction establishes.
    pub(super) fn note(&mut self, function: &Function<'_>, insn: InsnId) {
        let row = function.insn(insn);
        let (generic, ty) = (row.opcode.generic(), row.ty);
        let operands = function.operands(insn);
        // Definitions of virtual registers come first.
        let mut defs = operands.iter().take_while(|operand| operand.is_def());
        let Some(&first) = defs.next() else {
            if let (true, Some(Generic::BrIcmp)) = (self.is_ssa, generic) {
                self.forget_offset(operands);
            }
            return;
        };
        let second = defs.next().copied();
        let fact = match generic {
            Some(Generic::Icmp) if self.is_ssa => Fact::Compared(insn),
            Some(generic) => self.fact_of(function, generic, ty, operands),
            _ => Fact::Nothing,
        };
        self.define(first, fact);
        if let Fact::Extended { of, .. } = fact {
            let extended = self.source(first);
            if let Some(register) = self.occurrences.get_mut(of.vreg.index()) {
                register.extended = extended;
            }
        }
        if let Some(second) = second {
            self.define(second, Fact::Nothing);
        }
        if let (false, Some(Generic::Copy), &[to, from]) = (self.is_ssa, generic, operands) {
            self.prefer_variable(to, from);
        }
    }

    /// After a test of the range of a sum with a constant, has later readers read the sum, which is
    /// in a register, so that what it was computed from need not be.
    fn forget_offset(&mut self, operands: &[Operand]) {
        use IntPredicate as P;
        let &[predicate, tested, limit, _] = operands else {
            return;
        };
        let is_range = matches!(predicate.as_int_predicate(), Some(P::Ult | P::Uge));
        let known = { tested.vreg() }.and_then(|vreg| self.known.get_mut(vreg.index()));
        if let Some(known) = known
            && is_range
            && limit.as_reg().is_none()
            && matches!(known.fact, Fact::Offset(..))
        {
            known.fact = Fact::Nothing;
        }
    }

    /// After a value was copied to a variable, has later readers of the value read the variable, so
    /// that the two can share a register.
    fn prefer_variable(&mut self, variable: Operand, value: Operand) {
        let (Some(to), Some(from)) = (variable.vreg(), value.vreg()) else {
            return;
        };
        let extent = |vreg: VReg| self.occurrences[vreg.index()].extent;
        let is_value = matches!(extent(from), Extent::Block(_)) && extent(to) == Extent::Blocks;
        let (known, fact) = (self.known[to.index()], self.fact(value));
        if is_value && matches!(known.fact, Fact::Copy(_)) && !matches!(fact, Fact::Constant(_)) {
            self.known[to.index()].fact = fact;
            self.known[from.index()].epoch = self.epoch;
            self.known[from.index()].fact = Fact::Copy(Source {
                vreg: to,
                version: known.version,
            });
        }
    }

    /// Returns the fact about the first definition of an instruction. One that reads the register
    /// that it writes tells nothing of it: the source is gone.
    fn fact_of(
        &self,
        function: &Function<'_>,
        generic: Generic,
        ty: LowType,
        operands: &[Operand],
    ) -> Fact {
        let is_own = |source: Source, to: Operand| to.vreg() == Some(source.vreg);
        match (generic, operands) {
            (Generic::Constant, &[_, value]) => {
                let value = function.immediate(value);
                value.map_or(Fact::Nothing, Fact::Constant)
            }
            (Generic::FConstant, &[_, bits]) if !ty.is_long_double() => {
                let bits = function.immediate(bits);
                bits.map_or(Fact::Nothing, Fact::FloatConstant)
            }
            (Generic::Bitcast, &[_, from]) => {
                let source = self.source(from);
                source.map_or(Fact::Nothing, |source| Fact::Bits(source, ty))
            }
            (Generic::Copy, &[to, from]) => match (self.source(from), to.vreg()) {
                (Some(source), Some(_)) if !is_own(source, to) && same_bank(function, to, from) => {
                    Fact::Copy(source)
                }
                _ => Fact::Nothing,
            },
            (Generic::FrameIndex, &[_, frame, disp]) => {
                Fact::Frame(frame, disp.small().unwrap_or(0))
            }
            (Generic::Add, &[to, a, b]) if ty == LowType::S64 => self.sum(to, a, b),
            (Generic::Shl, &[to, a, count]) if ty == LowType::S64 => {
                match (self.source(a), count.small()) {
                    (Some(a), Some(count @ 1..=3)) if !is_own(a, to) => Fact::Scaled(a, 1 << count),
                    _ => Fact::Nothing,
                }
            }
            (Generic::Lshr, &[_, _, count]) if ty == LowType::S64 => match count.small() {
                Some(count @ 1..=63) => Fact::Unsigned(64 - count as u8),
                _ => Fact::Nothing,
            },
            (Generic::SextInreg | Generic::ZextInreg, &[to, from, bits]) => {
                let signed = generic == Generic::SextInreg;
                let bits = bits.small().unwrap_or(64) as u8;
                match self.source(from) {
                    Some(of) if !is_own(of, to) => Fact::Extended { signed, bits, of },
                    _ if signed => Fact::Signed(bits),
                    _ => Fact::Unsigned(bits),
                }
            }
            (Generic::Phi, [_, sources @ ..]) if self.is_ssa => self.merged(sources),
            (Generic::SextLoad, _) => Fact::Signed(ty.bits() as u8),
            (Generic::ZextLoad, _) => Fact::Unsigned(ty.bits() as u8),
            (Generic::Icmp | Generic::Fcmp, _) => Fact::Unsigned(1),
            _ => Fact::Nothing,
        }
    }

    /// Returns the fact about a PHI of values that were all computed before it: none comes around a
    /// loop.
    fn merged(&self, sources: &[Operand]) -> Fact {
        // The bits that the values take, without and with a sign.
        let (mut unsigned, mut signed) = (0, 0);
        for &value in sources.iter().step_by(2) {
            let (without, with) = match self.fact(value) {
                Fact::Constant(value @ 0..) => {
                    (64 - value.leading_zeros(), 65 - value.leading_zeros())
                }
                Fact::Constant(value) => (64, 65 - value.leading_ones()),
                Fact::Unsigned(bits)
                | Fact::Extended {
                    signed: false,
                    bits,
                    ..
                } => (bits.into(), u32::from(bits) + 1),
                Fact::Signed(bits) | Fact::Extended { bits, .. } => (64, bits.into()),
                _ => return Fact::Nothing,
            };
            (unsigned, signed) = (unsigned.max(without), signed.max(with));
        }
        let width = |bits: u32| {
            [8_u8, 16, 32]
                .into_iter()
                .find(|&width| bits <= width.into())
        };
        match (width(unsigned), width(signed)) {
            (Some(bits), _) => Fact::Unsigned(bits),
            (None, Some(bits)) => Fact::Signed(bits),
            (None, None) => Fact::Nothing,
        }
    }

    /// Returns the fact about a sum of 64 bits.
    fn sum(&self, to: Operand, a: Operand, b: Operand) -> Fact {
        let is_own = |source: Source| to.vreg() == Some(source.vreg);
        match (self.fact(a), self.source(a), b.small(), self.source(b)) {
            (Fact::Frame(frame, first), _, Some(more), _) => {
                let sum = first.checked_add(more);
                sum.map_or(Fact::Nothing, |sum| Fact::Frame(frame, sum))
            }
            // The next value of an induction variable is to be read itself, so that the old one is
            // dead by then.
            _ if self.feeds_phi(to) => Fact::Nothing,
            (_, Some(a), Some(more), _) if !is_own(a) => Fact::Offset(a, more),
            (_, Some(a), _, Some(b)) if !is_own(a) && !is_own(b) => Fact::Sum(a, b),
            _ => Fact::Nothing,
        }
    }
}

/// True if two registers are virtual and of one bank.
pub(super) fn same_bank(function: &Function<'_>, a: Operand, b: Operand) -> bool {
    match (a.vreg(), b.vreg()) {
        (Some(a), Some(b)) => function.vreg(a) == function.vreg(b),
        _ => false,
    }
}
