//! Instruction combining: simplifies generic instructions by how their sources were computed.
//! Constants are folded into their users and additions into addresses, copies and extensions that
//! change nothing are removed, and so is everything that is unused afterwards.
//!
//! One forward pass over the blocks knows how each virtual register was computed as long as none of
//! the sources has changed, and one backward pass removes dead instructions. Both are linear.
//! Outside SSA form registers may have several definitions: a fact about one ends with the block,
//! unless it is a constant with a single definition. In SSA form nothing ever changes, and a fact
//! holds wherever the register may be read.

use crate::codegen::analysis::constants::{compute, holds};
use crate::machine::{
    BlockId, Facts, Function, Generic, InsnId, IntPredicate, LowType, Opcode, Operand,
    OperandFlags, VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::error::Error;

/// The computation of a virtual register. Its sources come with the version that they had.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fact {
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

/// A register at one moment.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Source {
    vreg: VReg,
    version: u32,
}

/// The facts about a virtual register.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The version, which changes with every definition.
    version: u32,
    /// The block in which the fact holds.
    epoch: u32,
    fact: Fact,
    /// The number of definitions in the whole function, up to 2, unless in SSA form.
    definitions: u8,
    /// The block that it occurs in, if it is only one, unless in SSA form.
    home: Home,
    /// A register that holds this one extended, as long as neither changes.
    extended: Option<Source>,
    /// True if a PHI reads it, so that it may be the next value of an induction variable.
    feeds_phi: bool,
}

impl Known {
    /// Returns the fact that holds in this epoch.
    const fn fact_in(&self, epoch: u32) -> Fact {
        if self.epoch == epoch || self.epoch == EVERYWHERE {
            self.fact
        } else {
            Fact::Nothing
        }
    }
}

/// The blocks that a virtual register occurs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    Nowhere,
    Block(BlockId),
    Blocks,
}

/// The epoch of facts that hold everywhere.
const EVERYWHERE: u32 = u32::MAX;

/// Simplifies a function of generic instructions, which is in SSA form or not. Returns whether the
/// control-flow graph changed.
///
/// # Errors
///
/// Out of memory.
pub fn combine(function: &mut Function<'_>, is_ssa: bool) -> Result<bool, Error> {
    let allocator = function.allocator();
    let mut known = Vec::new(allocator);
    let nothing = Known {
        version: 0,
        epoch: 0,
        fact: Fact::Nothing,
        definitions: 0,
        home: Home::Nowhere,
        extended: None,
        feeds_phi: false,
    };
    let vregs = function.vreg_count();
    known.resize(vregs, nothing)?;
    let mut combiner = Combiner {
        function,
        known,
        epoch: 0,
        version: 0,
        is_ssa,
        uses: Vec::new(allocator),
        branches_changed: false,
        decided: None,
    };
    combiner.uses.resize(vregs, 0)?;
    if is_ssa {
        combiner.mark_merged();
    } else {
        combiner.count_definitions();
    }
    combiner.forward()?;
    combiner.remove_unused();
    Ok(combiner.branches_changed)
}

struct Combiner<'a, 'f> {
    function: &'a mut Function<'f>,
    known: Vec<'f, Known>,
    epoch: u32,
    version: u32,
    is_ssa: bool,
    /// The number of reads of each virtual register in the instructions visited so far.
    uses: Vec<'f, u32>,
    branches_changed: bool,
    /// The outcome of the present branch, if it is always or never taken.
    decided: Option<bool>,
}

impl Combiner<'_, '_> {
    fn count_definitions(&mut self) {
        for &block in &self.function.layout {
            for insn in self.function.insns(block) {
                let is_phi = self.function.insn(insn).opcode.generic() == Some(Generic::Phi);
                for operand in self.function.operands(insn) {
                    let Some(vreg) = operand.vreg() else {
                        continue;
                    };
                    let known = &mut self.known[vreg.index()];
                    known.feeds_phi |= is_phi && !operand.is_def();
                    known.home = match known.home {
                        Home::Nowhere => Home::Block(block),
                        home if home == Home::Block(block) => home,
                        _ => Home::Blocks,
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
    fn mark_merged(&mut self) {
        for &block in &self.function.layout {
            for insn in self.function.insns(block) {
                if self.function.insn(insn).opcode.generic() != Some(Generic::Phi) {
                    break;
                }
                for operand in self.function.operands(insn) {
                    if let (false, Some(vreg)) = (operand.is_def(), operand.vreg()) {
                        self.known[vreg.index()].feeds_phi = true;
                    }
                }
            }
        }
    }

    fn forward(&mut self) -> Result<(), Error> {
        for place in 0..self.function.layout.len() {
            let Some(&block) = self.function.layout.get(place) else {
                break;
            };
            self.epoch += 1;
            let mut next = self.function.block(block).first();
            while let Some(insn) = next {
                next = self.function.insn(insn).next();
                self.insn(insn)?;
                let decided = self.decided.take();
                if decided != Some(false) {
                    self.count_uses(insn);
                }
                if decided == Some(true) {
                    // The rest of the block is unreachable.
                    break;
                }
            }
        }
        Ok(())
    }

    /// Counts the reads of an instruction in its final form.
    fn count_uses(&mut self, insn: InsnId) {
        for operand in self.function.operands(insn) {
            if let (false, Some(vreg)) = (operand.is_def(), operand.vreg()) {
                self.uses[vreg.index()] += 1;
            }
        }
    }

    // ---- facts

    fn fact(&self, operand: Operand) -> Fact {
        let Some(vreg) = operand.vreg() else {
            return Fact::Nothing;
        };
        let known = self.known.get(vreg.index());
        known.map_or(Fact::Nothing, |known| known.fact_in(self.epoch))
    }

    fn source(&self, operand: Operand) -> Option<Source> {
        let vreg = operand.vreg()?;
        let version = self.known.get(vreg.index())?.version;
        Some(Source { vreg, version })
    }

    /// Returns the register, if it still has the version of the source.
    fn current(&self, source: Source) -> Option<Operand> {
        let known = self.known.get(source.vreg.index())?;
        (known.version == source.version).then(|| source.vreg.into())
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

    // ---- the pass

    fn insn(&mut self, insn: InsnId) -> Result<(), Error> {
        let Some(generic) = self.function.insn(insn).opcode.generic() else {
            return Ok(());
        };
        self.propagate_copies(insn, generic);
        self.propagate_constants(insn, generic)?;
        self.read_narrow(insn, generic);
        match generic {
            Generic::Load | Generic::SextLoad | Generic::ZextLoad => self.fold_address(insn, 1)?,
            Generic::Store => self.fold_address(insn, 1)?,
            _ => {}
        }
        match (generic, self.function.insn(insn).ty) {
            (Generic::Icmp | Generic::Select, LowType::S64) => self.narrow_comparison(insn, 1),
            (Generic::BrIcmp, LowType::S64) => self.narrow_comparison(insn, 0),
            _ => {}
        }
        self.simplify(insn, generic)?;
        self.note(insn);
        Ok(())
    }

    /// Replaces copies by their sources in the operands of an instruction.
    fn propagate_copies(&mut self, insn: InsnId, generic: Generic) {
        if matches!(generic, Generic::Call | Generic::Ret) {
            return;
        }
        for operand in self.function.operands_mut(insn) {
            if let (false, Some(vreg)) = (operand.is_def(), operand.vreg())
                && let Some(known) = self.known.get(vreg.index())
                && let Fact::Copy(source) = known.fact_in(self.epoch)
                && let Some(original) = self.known.get(source.vreg.index())
                && original.version == source.version
            {
                *operand = source.vreg.into();
            }
        }
    }

    fn set(&mut self, insn: InsnId, number: usize, operand: Operand) {
        if let Some(place) = self.function.operands_mut(insn).get_mut(number) {
            *place = operand;
        }
    }

    /// Replaces integer sources by the constants that they hold.
    fn propagate_constants(&mut self, insn: InsnId, generic: Generic) -> Result<(), Error> {
        for number in generic.immediates() {
            let Some(&operand) = self.function.operands(insn).get(number) else {
                break;
            };
            if let Fact::Constant(value) = self.fact(operand) {
                let value = self.function.int(value)?;
                self.set(insn, number, value);
            }
        }
        Ok(())
    }

    // ---- addresses

    /// Folds the computations of the base and index of an address into the address.
    fn fold_address(&mut self, insn: InsnId, first: usize) -> Result<(), Error> {
        // Each iteration goes to an earlier definition; a few suffice for the code of front ends.
        for _ in 0..4 {
            if !self.fold_base(insn, first) && !self.fold_index(insn, first) {
                break;
            }
        }
        Ok(())
    }

    fn address(&self, insn: InsnId, first: usize) -> Option<[Operand; 4]> {
        self.function
            .operands(insn)
            .get(first..first + 4)?
            .try_into()
            .ok()
    }

    fn fold_base(&mut self, insn: InsnId, first: usize) -> bool {
        let Some([base, index, scale, disp]) = self.address(insn, first) else {
            return false;
        };
        let Some(disp) = disp.small() else {
            return false;
        };
        match self.fact(base) {
            // A constant may have become the base by an earlier step: the index becomes the base
            // then.
            Fact::Constant(value) if index != Operand::NO_REG && scale.small() == Some(1) => {
                let sum = value.checked_add(i64::from(disp));
                if let Some(disp) = sum.and_then(|sum| i32::try_from(sum).ok()) {
                    self.set(insn, first, index);
                    self.set(insn, first + 1, Operand::NO_REG);
                    self.set(insn, first + 3, Operand::imm(disp));
                    return true;
                }
            }
            Fact::Offset(source, more) => {
                if let (Some(base), Some(disp)) = (self.current(source), disp.checked_add(more)) {
                    self.set(insn, first, base);
                    self.set(insn, first + 3, Operand::imm(disp));
                    return true;
                }
            }
            Fact::Frame(frame, more) => {
                if let Some(disp) = disp.checked_add(more) {
                    self.set(insn, first, frame);
                    self.set(insn, first + 3, Operand::imm(disp));
                    return true;
                }
            }
            Fact::Sum(left, right) if index == Operand::NO_REG => {
                if let (Some(left), Some(right)) = (self.current(left), self.current(right)) {
                    self.set(insn, first, left);
                    self.set(insn, first + 1, right);
                    self.set(insn, first + 2, Operand::imm(1));
                    return true;
                }
            }
            _ => {}
        }
        false
    }

    fn fold_index(&mut self, insn: InsnId, first: usize) -> bool {
        let Some([_, index, scale, disp]) = self.address(insn, first) else {
            return false;
        };
        let (Some(scale), Some(disp)) = (scale.small(), disp.small()) else {
            return false;
        };
        match self.fact(index) {
            Fact::Constant(value) => {
                let offset = value.checked_mul(i64::from(scale));
                let sum = offset.and_then(|offset| offset.checked_add(i64::from(disp)));
                if let Some(disp) = sum.and_then(|sum| i32::try_from(sum).ok()) {
                    self.set(insn, first + 1, Operand::NO_REG);
                    self.set(insn, first + 2, Operand::imm(1));
                    self.set(insn, first + 3, Operand::imm(disp));
                    return true;
                }
            }
            Fact::Offset(source, more) => {
                let sum = more
                    .checked_mul(scale)
                    .and_then(|more| disp.checked_add(more));
                if let (Some(index), Some(disp)) = (self.current(source), sum) {
                    self.set(insn, first + 1, index);
                    self.set(insn, first + 3, Operand::imm(disp));
                    return true;
                }
            }
            Fact::Scaled(source, factor) if factor * scale <= 8 => {
                if let Some(index) = self.current(source) {
                    self.set(insn, first + 1, index);
                    self.set(insn, first + 2, Operand::imm(factor * scale));
                    return true;
                }
            }
            _ => {}
        }
        false
    }

    // ---- single instructions

    fn simplify(&mut self, insn: InsnId, generic: Generic) -> Result<(), Error> {
        let ty = self.function.insn(insn).ty;
        match (generic, self.function.operands(insn)) {
            (Generic::Copy, &[to, from]) if from.as_reg().is_none() => {
                self.replace(insn, Generic::Constant, LowType::S64, &[to, from])
            }
            (Generic::SextInreg | Generic::ZextInreg, &[to, from, bits]) => {
                self.simplify_extension(insn, generic, [to, from, bits])
            }
            (Generic::Sitofp, &[to, from]) if !ty.is_long_double() => {
                self.convert_constant(insn, ty, [to, from])
            }
            (Generic::BrIcmp, &[predicate, a, b, target]) => {
                self.simplify_branch(insn, ty, [predicate, a, b, target])
            }
            (_, &[to, a, b]) if generic.is(Facts::COMPUTED) => {
                self.simplify_binary(insn, generic, ty, [to, a, b])
            }
            _ => Ok(()),
        }
    }

    /// Folds the conversion of a constant to a float or double.
    fn convert_constant(
        &mut self,
        insn: InsnId,
        ty: LowType,
        [to, from]: [Operand; 2],
    ) -> Result<(), Error> {
        let (Fact::Constant(value), LowType::S32 | LowType::S64) = (self.fact(from), ty) else {
            return Ok(());
        };
        let bits = if ty == LowType::S64 {
            (value as f64).to_bits().cast_signed()
        } else {
            i64::from((value as f32).to_bits())
        };
        let bits = self.function.int(bits)?;
        self.replace(insn, Generic::FConstant, ty, &[to, bits])
    }

    fn replace(
        &mut self,
        insn: InsnId,
        generic: Generic,
        ty: LowType,
        operands: &[Operand],
    ) -> Result<(), Error> {
        let function = &mut *self.function;
        function.set_opcode(insn, Opcode::from(generic));
        function.set_type(insn, ty);
        Ok(function.set_operands(insn, operands)?)
    }

    fn simplify_extension(
        &mut self,
        insn: InsnId,
        generic: Generic,
        [to, from, bits]: [Operand; 3],
    ) -> Result<(), Error> {
        let width = bits.small().unwrap_or(64);
        let shift = 64 - width.clamp(1, 64);
        if let Some(value) = self.function.immediate(from) {
            let high = value << shift;
            let value = if generic == Generic::SextInreg {
                high >> shift
            } else {
                (high.cast_unsigned() >> shift).cast_signed()
            };
            let value = self.function.int(value)?;
            return self.replace(insn, Generic::Constant, LowType::S64, &[to, value]);
        }
        let is_there = match (self.fact(from), generic) {
            (Fact::Signed(known), Generic::SextInreg) => i32::from(known) <= width,
            (Fact::Unsigned(known), Generic::SextInreg) => i32::from(known) < width,
            (Fact::Unsigned(known), _) => i32::from(known) <= width,
            (Fact::Extended { signed, bits, .. }, Generic::SextInreg) => {
                i32::from(bits) < width || signed && i32::from(bits) == width
            }
            (Fact::Extended { signed, bits, .. }, _) => !signed && i32::from(bits) <= width,
            _ => false,
        };
        if is_there {
            return self.replace(insn, Generic::Copy, LowType::S64, &[to, from]);
        }
        if !self.is_ssa
            && let Some(same) = self.extended_already(generic, width, from)
        {
            return self.replace(insn, Generic::Copy, LowType::S64, &[to, same]);
        }
        Ok(())
    }

    /// Returns a register in which the same extension was computed before in this block.
    fn extended_already(&self, generic: Generic, width: i32, from: Operand) -> Option<Operand> {
        let from = self.source(from)?;
        let candidate = self.known.get(from.vreg.index())?.extended?;
        let register = self.current(candidate)?;
        match self.fact(register) {
            Fact::Extended { signed, bits, of } => {
                let same = signed == (generic == Generic::SextInreg) && i32::from(bits) == width;
                (same && of == from).then_some(register)
            }
            _ => None,
        }
    }

    /// Replaces sources of which only low bits are read by the registers that they were extended
    /// from.
    fn read_narrow(&mut self, insn: InsnId, generic: Generic) {
        let row = self.function.insn(insn);
        let (bits, sources) = match (generic, row.ty) {
            (Generic::Store, ty) if ty.bits() < 64 => (ty.bits(), 0..1),
            (Generic::SextInreg | Generic::ZextInreg, _) => {
                let bits = self.function.operands(insn).get(2).and_then(|o| o.small());
                (bits.unwrap_or(64).cast_unsigned(), 1..2)
            }
            (Generic::Icmp | Generic::Select, LowType::S32) => (32, 2..4),
            (Generic::BrIcmp, LowType::S32) => (32, 1..3),
            (Generic::Rotl, LowType::S32) => (32, 1..3),
            (_, LowType::S32) if generic.is(Facts::COMPUTED) => (32, 1..3),
            _ => return,
        };
        for number in sources {
            let Some(&operand) = self.function.operands(insn).get(number) else {
                break;
            };
            if let Fact::Extended { bits: kept, of, .. } = self.fact(operand)
                && u32::from(kept) >= bits
                && let Some(source) = self.current(of)
                && self.same_kind(source, operand)
            {
                self.set(insn, number, source);
            }
        }
    }

    /// Compares 32 bits instead of 64 where both sides are extended from them.
    fn narrow_comparison(&mut self, insn: InsnId, first: usize) {
        let operands = self.function.operands(insn);
        let (Some(&predicate), Some(&a), Some(&b)) = (
            operands.get(first),
            operands.get(first + 1),
            operands.get(first + 2),
        ) else {
            return;
        };
        let Fact::Extended {
            signed,
            bits: 32,
            of,
        } = self.fact(a)
        else {
            return;
        };
        let is_equality = matches!(
            predicate.as_int_predicate(),
            Some(IntPredicate::Eq | IntPredicate::Ne)
        );
        let right = match (self.fact(b), b.small()) {
            (_, Some(value)) if signed || is_equality && value >= 0 => Some(b),
            (
                Fact::Extended {
                    signed: same,
                    bits: 32,
                    of,
                },
                _,
            ) if same == signed => self.current(of).filter(|_| signed || is_equality),
            _ => None,
        };
        if let (Some(left), Some(right)) = (self.current(of), right) {
            self.set(insn, first + 1, left);
            self.set(insn, first + 2, right);
            self.function.set_type(insn, LowType::S32);
        }
    }

    /// Decides a branch on constants.
    fn simplify_branch(
        &mut self,
        insn: InsnId,
        ty: LowType,
        [predicate, a, b, target]: [Operand; 4],
    ) -> Result<(), Error> {
        let (Some(compare), Some(left), Some(right)) = (
            predicate.as_int_predicate(),
            self.function.immediate(a),
            self.function.immediate(b),
        ) else {
            return Ok(());
        };
        self.branches_changed = true;
        let is_taken = holds(compare, ty, left, right);
        self.decided = Some(is_taken);
        if is_taken {
            self.replace(insn, Generic::Br, LowType::S64, &[target])?;
            // The rest of the block is unreachable.
            while let Some(next) = self.function.insn(insn).next() {
                self.function.remove(next);
            }
        } else {
            self.function.remove(insn);
        }
        Ok(())
    }

    fn simplify_binary(
        &mut self,
        insn: InsnId,
        generic: Generic,
        ty: LowType,
        [to, a, b]: [Operand; 3],
    ) -> Result<(), Error> {
        let (left, right) = (self.function.immediate(a), self.function.immediate(b));
        if let (Some(left), Some(right)) = (left, right) {
            if let Some(value) = compute(generic, ty, left, right) {
                let value = self.function.int(value)?;
                return self.replace(insn, Generic::Constant, LowType::S64, &[to, value]);
            }
            return Ok(());
        }
        if left.is_some() && generic.is(Facts::COMMUTES) {
            return self.simplify_binary_constant(insn, generic, ty, [to, b, a]);
        }
        self.simplify_binary_constant(insn, generic, ty, [to, a, b])
    }

    /// Simplifies a binary instruction, of which a constant operand, if any, is on the right.
    fn simplify_binary_constant(
        &mut self,
        insn: InsnId,
        generic: Generic,
        ty: LowType,
        [to, a, b]: [Operand; 3],
    ) -> Result<(), Error> {
        let right = self.function.immediate(b);
        let is_neutral = match generic {
            Generic::Add | Generic::Sub | Generic::Or | Generic::Xor => right == Some(0),
            Generic::Shl | Generic::Lshr | Generic::Ashr => right == Some(0),
            _ => generic == Generic::Mul && right == Some(1),
        };
        if is_neutral {
            return self.replace(insn, Generic::Copy, LowType::S64, &[to, a]);
        }
        if let (Generic::Mul, Some(factor)) = (generic, right)
            && (1..1 << 31).contains(&factor)
            && factor.count_ones() == 1
        {
            let count = Operand::imm(factor.trailing_zeros() as i32);
            return self.replace(insn, Generic::Shl, ty, &[to, a, count]);
        }
        // An addition can be folded into addresses.
        if let (Generic::Sub, LowType::S64, Some(less)) = (generic, ty, right)
            && let Ok(more) = i32::try_from(-i128::from(less))
        {
            let operands = [to, a, Operand::imm(more)];
            return self.replace(insn, Generic::Add, ty, &operands);
        }
        // x + 1 + 2
        if let (Generic::Add, LowType::S64, Some(more)) = (generic, ty, right)
            && let Fact::Offset(source, first) = self.fact(a)
            && let Some(original) = self.current(source)
            && let Some(sum) = i64::from(first).checked_add(more)
        {
            let sum = self.function.int(sum)?;
            return self.replace(insn, Generic::Add, ty, &[to, original, sum]);
        }
        self.replace(insn, generic, ty, &[to, a, b])
    }

    // ---- facts of instructions

    /// Notes the facts that an instruction establishes.
    fn note(&mut self, insn: InsnId) {
        let row = self.function.insn(insn);
        let (generic, ty) = (row.opcode.generic(), row.ty);
        let operands = self.function.operands(insn);
        // Definitions of virtual registers come first.
        let mut defs = operands.iter().take_while(|operand| operand.is_def());
        let Some(&first) = defs.next() else {
            return;
        };
        let second = defs.next().copied();
        let fact = match generic {
            Some(generic) => self.fact_of(generic, ty, operands),
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
        if let (false, Some(Generic::Copy), &[to, from]) =
            (self.is_ssa, generic, self.function.operands(insn))
        {
            self.prefer_variable(to, from);
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
        let is_value = matches!(computed.home, Home::Block(_)) && known.home == Home::Blocks;
        if is_value && matches!(known.fact, Fact::Copy(_)) && !matches!(fact, Fact::Constant(_)) {
            self.known[to.index()].fact = fact;
            self.known[from.index()].epoch = self.epoch;
            self.known[from.index()].fact = Fact::Copy(Source {
                vreg: to,
                version: known.version,
            });
        }
    }

    fn fact_of(&self, generic: Generic, ty: LowType, operands: &[Operand]) -> Fact {
        let is_own = |source: Source, to: Operand| to.vreg() == Some(source.vreg);
        match (generic, operands) {
            (Generic::Constant, &[_, value]) => {
                let value = self.function.immediate(value);
                value.map_or(Fact::Nothing, Fact::Constant)
            }
            (Generic::Copy, &[to, from]) => match (self.source(from), to.vreg()) {
                (Some(source), Some(_)) if !is_own(source, to) && self.same_kind(to, from) => {
                    Fact::Copy(source)
                }
                _ => Fact::Nothing,
            },
            (Generic::FrameIndex, &[_, frame, disp]) => {
                Fact::Frame(frame, disp.small().unwrap_or(0))
            }
            (Generic::Add, &[to, a, b]) if ty == LowType::S64 => {
                match (self.fact(a), self.source(a), b.small(), self.source(b)) {
                    (Fact::Frame(frame, first), _, Some(more), _) => {
                        let sum = first.checked_add(more);
                        sum.map_or(Fact::Nothing, |sum| Fact::Frame(frame, sum))
                    }
                    // The next value of an induction variable is to be read itself, so that the old
                    // one is dead by then.
                    _ if self.feeds_phi(to) => Fact::Nothing,
                    (_, Some(a), Some(more), _) if !is_own(a, to) => Fact::Offset(a, more),
                    (_, Some(a), _, Some(b)) if !is_own(a, to) && !is_own(b, to) => Fact::Sum(a, b),
                    _ => Fact::Nothing,
                }
            }
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

    fn feeds_phi(&self, operand: Operand) -> bool {
        let known = operand.vreg().and_then(|vreg| self.known.get(vreg.index()));
        known.is_some_and(|known| known.feeds_phi)
    }

    /// Returns whether two registers are of one class.
    fn same_kind(&self, a: Operand, b: Operand) -> bool {
        match (a.vreg(), b.vreg()) {
            (Some(a), Some(b)) => self.function.vreg(a) == self.function.vreg(b),
            _ => false,
        }
    }

    // ---- removal

    /// Removes instructions that only compute values that nothing reads.
    fn remove_unused(&mut self) {
        let uses = &mut self.uses;
        for place in (0..self.function.layout.len()).rev() {
            let Some(&block) = self.function.layout.get(place) else {
                continue;
            };
            let mut previous = self.function.block(block).last();
            while let Some(insn) = previous {
                previous = self.function.insn(insn).previous();
                let generic = self.function.insn(insn).opcode.generic();
                let operands = self.function.operands(insn);
                let is_unused = |operand: &Operand| {
                    let is_implicit = operand.flags().contains(OperandFlags::IMPLICIT);
                    !operand.is_def()
                        || !is_implicit
                            && operand.vreg().is_some_and(|vreg| uses[vreg.index()] == 0)
                };
                let is_dead = generic.is_some_and(|generic| {
                    only_computes(generic) && operands.iter().all(is_unused)
                });
                if !is_dead {
                    continue;
                }
                for operand in operands.iter().filter(|operand| !operand.is_def()) {
                    if let Some(vreg) = operand.vreg() {
                        uses[vreg.index()] -= 1;
                    }
                }
                self.function.remove(insn);
            }
        }
    }
}

/// Returns whether an instruction only computes its definitions, which are registers whatever its
/// type.
const fn only_computes(generic: Generic) -> bool {
    let others = Facts::PROPERTY
        .union(Facts::EFFECT)
        .union(Facts::LONG_DOUBLE);
    !generic.is(others)
}
