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
}

bitflags::bitflags! {
    /// The shape of an operand: how its register was computed, or that it is none.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) struct Shape: u16 {
        /// A register of which nothing is known, or an operand of another kind.
        const UNKNOWN = 1 << 0;
        /// An integer.
        const IMMEDIATE = 1 << 1;
        /// A register with [`Fact::Constant`]; the following likewise.
        const CONSTANT = 1 << 2;
        const COPY = 1 << 3;
        const OFFSET = 1 << 4;
        const SUM = 1 << 5;
        const SCALED = 1 << 6;
        const FRAME = 1 << 7;
        const SIGNED = 1 << 8;
        const UNSIGNED = 1 << 9;
        const EXTENDED = 1 << 10;

        /// All shapes.
        const ANY = (1 << Self::COUNT) - 1;
        /// All shapes but that of an integer.
        const REGISTER = Self::ANY.bits() & !Self::IMMEDIATE.bits();
    }
}

impl Shape {
    /// The number of shapes.
    pub(super) const COUNT: usize = 11;

    /// Returns the number of a single shape.
    pub(super) const fn number(self) -> usize {
        self.bits().trailing_zeros() as usize
    }
}

impl Fact {
    const fn shape(&self) -> Shape {
        match self {
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
        }
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
    /// The block in which the fact holds.
    epoch: u32,
    fact: Fact,
    /// The number of definitions in the whole function, up to 2, unless in SSA form.
    definitions: u8,
    /// The block that it occurs in, if it is only one, unless in SSA form.
    extent: Extent,
    /// A register that holds this one extended, as long as neither changes.
    extended: Option<Source>,
    /// True if a PHI reads it, so that it may be the next value of an induction variable.
    feeds_phi: bool,
}

impl ValueFacts {
    const NOTHING: ValueFacts = ValueFacts {
        version: 0,
        epoch: 0,
        fact: Fact::Nothing,
        definitions: 0,
        extent: Extent::Nowhere,
        extended: None,
        feeds_phi: false,
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
    epoch: u32,
    version: u32,
    is_ssa: bool,
}

impl<'f> Values<'f> {
    /// Returns what is known before the first block.
    pub(super) fn new(function: &Function<'f>, form: Form) -> Result<Values<'f>, OutOfMemory> {
        let is_ssa = form == Form::Ssa;
        let mut known = Vec::new(function.allocator());
        known.resize(function.vreg_count(), ValueFacts::NOTHING)?;
        let mut values = Values {
            known,
            epoch: 0,
            version: 0,
            is_ssa,
        };
        if is_ssa {
            values.mark_merged(function);
        } else {
            values.count_definitions(function);
        }
        Ok(values)
    }

    fn count_definitions(&mut self, function: &Function<'_>) {
        for &block in &function.layout {
            for insn in function.insns(block) {
                let is_phi = function.insn(insn).opcode.generic() == Some(Generic::Phi);
                for operand in function.operands(insn) {
                    let Some(vreg) = operand.vreg() else {
                        continue;
                    };
                    let known = &mut self.known[vreg.index()];
                    known.feeds_phi |= is_phi && !operand.is_def();
                    known.extent = match known.extent {
                        Extent::Nowhere => Extent::Block(block),
                        extent if extent == Extent::Block(block) => extent,
                        _ => Extent::Blocks,
                    };
                    if operand.is_def() {
                        known.definitions = (known.definitions + 1).min(2);
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
                for operand in function.operands(insn) {
                    if let (false, Some(vreg)) = (operand.is_def(), operand.vreg()) {
                        self.known[vreg.index()].feeds_phi = true;
                    }
                }
            }
        }
    }

    /// Goes on to another block.
    pub(super) const fn enter_block(&mut self) {
        self.epoch += 1;
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
    pub(super) fn shape(&self, operand: Operand) -> Shape {
        let known = operand.vreg().and_then(|vreg| self.known.get(vreg.index()));
        match (known, operand.kind()) {
            (Some(known), _) => known.fact_in(self.epoch).shape(),
            (_, OperandKind::Immediate | OperandKind::WideImmediate) => Shape::IMMEDIATE,
            _ => Shape::UNKNOWN,
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
        let known = self.known.get(operand.vreg()?.index())?;
        self.current(known.extended?)
    }

    fn feeds_phi(&self, operand: Operand) -> bool {
        let known = operand.vreg().and_then(|vreg| self.known.get(vreg.index()));
        known.is_some_and(|known| known.feeds_phi)
    }

    fn define(&mut self, operand: Operand, fact: Fact) {
        let Some(vreg) = operand.vreg() else {
            return;
        };
        self.version += 1;
        let known = &mut self.known[vreg.index()];
        known.version = self.version;
        let is_lasting = self.is_ssa || matches!(fact, Fact::Constant(_));
        let holds_everywhere = is_lasting && (self.is_ssa || known.definitions == 1);
        known.epoch = if holds_everywhere {
            EVERYWHERE
        } else {
            self.epoch
        };
        known.fact = fact;
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
            Some(generic) => self.fact_of(function, generic, ty, operands),
            _ => Fact::Nothing,
        };
        self.define(first, fact);
        if let Fact::Extended { of, .. } = fact {
            let extended = self.source(first);
            self.known[of.vreg.index()].extended = extended;
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
        let (known, computed) = (self.known[to.index()], self.known[from.index()]);
        let fact = self.fact(value);
        let is_value =
            matches!(computed.extent, Extent::Block(_)) && known.extent == Extent::Blocks;
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
            (Generic::SextInreg | Generic::ZextInreg, &[to, from, bits]) => {
                let signed = generic == Generic::SextInreg;
                let bits = bits.small().unwrap_or(64) as u8;
                match self.source(from) {
                    Some(of) if !is_own(of, to) => Fact::Extended { signed, bits, of },
                    _ if signed => Fact::Signed(bits),
                    _ => Fact::Unsigned(bits),
                }
            }
            (Generic::SextLoad, _) => Fact::Signed(ty.bits() as u8),
            (Generic::ZextLoad, _) => Fact::Unsigned(ty.bits() as u8),
            (Generic::Icmp | Generic::Fcmp, _) => Fact::Unsigned(1),
            _ => Fact::Nothing,
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
