//! Induction variable widening: 32-bit values that provably stay in the range of signed 32-bit
//! integers are kept sign-extended in 64 bits, so that their uses need no extension. In SSA form.
//!
//! One pass in reverse postorder computes ranges. A basic induction variable whose initial value
//! has a range, which steps by a constant and is tested at the latch, stays between its initial
//! value and the bound of that test; so neither it nor its step wraps. Arithmetic on values with
//! ranges that stays within 32 bits is done in 64, and extensions of such values become copies.
//!
//! The invariant: a register with a range holds that value in all 64 bits.
//!
//! On targets with addresses that do not scale an index for free, comparisons of such values become
//! 64-bit ones, too: they need no extension there, and strength reduction can tell where the loop
//! ends. The cost is linear.

use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::loops::scales_apart;
use crate::codegen::analysis::phis::{definitions, first_terminator};
use crate::codegen::analysis::ranges::Range;
use crate::machine::{
    BlockId, Function, Generic, InsnId, IntPredicate, LowType, Opcode, Operand, OperandFlags,
};
use crate::mem::{Entity, Vec};
use crate::target::Isa;
use crate::target::error::Error;

const INT: Range = (i32::MIN as i64, i32::MAX as i64);

/// Widens what can be widened, and removes the extensions of that. Returns the known ranges of
/// virtual registers, of all their 64 bits; each is within signed 32-bit integers.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn widen<'m>(
    function: &mut Function<'m>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
) -> Result<Vec<'m, Option<Range>>, Error> {
    let mut ranges = Vec::new(function.allocator());
    ranges.resize(function.vreg_count(), None)?;
    let mut widening = Widening {
        definitions: definitions(function)?,
        function,
        flow,
        ranges,
        compares_whole: scales_apart(isa),
    };
    for &block in &flow.order {
        let mut cursor = widening.function.cursor(block);
        while let Some(insn) = cursor.next(widening.function) {
            widening.insn(block, insn)?;
        }
    }
    Ok(widening.ranges)
}

struct Widening<'a, 'f> {
    function: &'a mut Function<'f>,
    flow: &'a Flow<'a>,
    definitions: Vec<'f, Option<InsnId>>,
    /// The known ranges of registers.
    ranges: Vec<'f, Option<Range>>,
    /// True if comparisons of extended values become 64-bit ones.
    compares_whole: bool,
}

impl Widening<'_, '_> {
    fn range(&self, operand: Operand) -> Option<Range> {
        match operand.vreg() {
            Some(vreg) => self.ranges.get(vreg.index()).copied().flatten(),
            None => {
                let value = self.function.immediate(operand)?;
                within((value, value))
            }
        }
    }

    fn note(&mut self, operand: Operand, range: Range) {
        if let Some(place) = operand
            .vreg()
            .and_then(|vreg| self.ranges.get_mut(vreg.index()))
        {
            *place = within(range);
        }
    }

    fn insn(&mut self, block: BlockId, insn: InsnId) -> Result<(), Error> {
        let row = *self.function.insn(insn);
        let Some(generic) = row.opcode.generic() else {
            return Ok(());
        };
        let Some(&to) = self.function.operands(insn).first() else {
            return Ok(());
        };
        match (generic, self.function.operands(insn)) {
            (Generic::Phi, _) => self.phi(block, insn, to),
            (Generic::Constant, &[_, value]) => {
                if let Some(range) = self.range(value) {
                    self.note(to, range);
                }
            }
            (Generic::Copy, &[_, from]) => {
                if let Some(range) = self.range(from) {
                    self.note(to, range);
                }
            }
            (Generic::SextInreg | Generic::ZextInreg, &[_, from, bits]) => {
                let bits = bits.small().unwrap_or(64);
                return self.extension(insn, generic, [to, from], bits);
            }
            (Generic::SextLoad, _) => self.note(to, signed(row.ty.bits())),
            (Generic::ZextLoad, _) if row.ty.bits() < 32 => {
                self.note(to, (0, (1 << row.ty.bits()) - 1));
            }
            (Generic::BrIcmp, _) => return self.branch(block, insn),
            (Generic::Icmp | Generic::Select, _) => self.comparison(insn, 2),
            (Generic::Fcmp, _) => self.note(to, (0, 1)),
            (_, &[_, a, b]) => self.binary(insn, generic, row.ty, [to, a, b]),
            _ => {}
        }
        if generic == Generic::Icmp {
            self.note(to, (0, 1));
        }
        Ok(())
    }

    /// Makes a comparison of the operands from `first` on a 64-bit one if both have ranges.
    fn comparison(&mut self, insn: InsnId, first: usize) {
        let [a, b] = [first, first + 1].map(|number| self.function.operands(insn).get(number));
        let (Some(&a), Some(&b)) = (a, b) else {
            return;
        };
        let is_known = self.range(a).is_some() && self.range(b).is_some();
        if self.compares_whole && is_known && self.function.insn(insn).ty == LowType::S32 {
            self.function.set_type(insn, LowType::S64);
        }
    }

    /// Makes the test of a loop a 64-bit one by extending the loop-invariant side that has no
    /// range. The extension is loop-invariant, too, so code motion takes it out of the loop.
    fn branch(&mut self, block: BlockId, insn: InsnId) -> Result<(), Error> {
        self.comparison(insn, 1);
        let row = *self.function.insn(insn);
        let &[_, a, b, _] = self.function.operands(insn) else {
            return Ok(());
        };
        if !self.compares_whole || row.ty != LowType::S32 {
            return Ok(());
        }
        let (number, bound) = match (self.range(a), self.range(b)) {
            (Some(_), None) if a.vreg().is_some() => (2, b),
            (None, Some(_)) if b.vreg().is_some() => (1, a),
            _ => return Ok(()),
        };
        let Some(bound) = bound.vreg().filter(|_| self.is_fixed(block, bound)) else {
            return Ok(());
        };
        let extended = self.function.add_vreg(self.function.vreg(bound))?;
        let operands = [
            Operand::from(extended).with(OperandFlags::DEF),
            Operand::from(bound),
            Operand::imm(32),
        ];
        let before = first_terminator(self.function, block);
        let extension = Generic::SextInreg.into();
        self.function
            .insert(block, before, extension, LowType::S64, &operands)?;
        if let Some(place) = self.function.operands_mut(insn).get_mut(number) {
            *place = Operand::from(extended);
        }
        self.function.set_type(insn, LowType::S64);
        Ok(())
    }

    /// Returns whether a register is defined outside the loop of which a block is the header or the
    /// latch.
    fn is_fixed(&self, block: BlockId, operand: Operand) -> bool {
        let vreg = operand.vreg();
        let definition = vreg.and_then(|vreg| *self.definitions.get(vreg.index())?);
        let Some(from) = definition.map(|insn| self.function.insn(insn).block()) else {
            return false;
        };
        let begins = |header| {
            let mut sources = self.flow.edges.predecessors(header).iter();
            sources.any(|&source| self.flow.dominates(header, source))
        };
        let goes_back = |&&header: &&BlockId| self.flow.dominates(header, block);
        let mut nexts = self.flow.edges.successors(block).iter();
        let header = nexts.find(goes_back).copied();
        let header = header.or_else(|| begins(block).then_some(block));
        header.is_some_and(|header| from != header && self.flow.dominates(from, header))
    }

    fn extension(
        &mut self,
        insn: InsnId,
        generic: Generic,
        [to, from]: [Operand; 2],
        bits: i32,
    ) -> Result<(), Error> {
        let all = match generic {
            Generic::SextInreg => signed(bits.cast_unsigned()),
            _ => (0, (1 << bits.clamp(0, 62)) - 1),
        };
        let known = self.range(from);
        if let Some((low, high)) = known
            && from.vreg().is_some()
            && all.0 <= low
            && high <= all.1
        {
            self.note(to, (low, high));
            self.function.set_opcode(insn, Opcode::from(Generic::Copy));
            self.function.set_operands(insn, &[to, from])?;
        } else if bits < 32 || generic == Generic::SextInreg {
            self.note(to, all);
        }
        Ok(())
    }

    /// Makes an operation on values with ranges a 64-bit one if its result stays within 32 bits.
    fn binary(&mut self, insn: InsnId, generic: Generic, ty: LowType, [to, a, b]: [Operand; 3]) {
        if !matches!(ty, LowType::S32 | LowType::S64) {
            return;
        }
        // The upper bits of the other side do not matter.
        let mask = self.function.immediate(b).filter(|&mask| mask >= 0);
        let range = if let (Generic::And, Some(mask)) = (generic, mask) {
            Some((0, mask))
        } else {
            let (Some(left), Some(right)) = (self.range(a), self.range(b)) else {
                return;
            };
            compute(generic, left, right)
        };
        if let Some(range) = range.and_then(within) {
            self.function.set_type(insn, LowType::S64);
            self.note(to, range);
        }
    }

    fn phi(&mut self, block: BlockId, phi: InsnId, to: Operand) {
        if let Some((range, next, step)) = self.counter(block, phi) {
            self.note(to, range);
            self.function.set_type(next, LowType::S64);
            if let Some(&stepped) = self.function.operands(next).first() {
                self.note(stepped, (range.0 + step, range.1 + step));
            }
            return;
        }
        let mut all: Option<Range> = None;
        for &value in self.function.operands(phi).iter().skip(1).step_by(2) {
            let Some((low, high)) = self.range(value) else {
                return;
            };
            let (least, greatest) = all.unwrap_or((low, high));
            all = Some((least.min(low), greatest.max(high)));
        }
        if let Some(range) = all {
            self.note(to, range);
        }
    }

    /// Returns the range of a PHI that is a basic induction variable, the instruction that computes
    /// its next value, and the step.
    fn counter(&self, header: BlockId, phi: InsnId) -> Option<(Range, InsnId, i64)> {
        let &[to, a, from_a, b, from_b] = self.function.operands(phi) else {
            return None;
        };
        let (from_a, from_b) = (from_a.as_block()?, from_b.as_block()?);
        let (start, next, latch) = if self.flow.dominates(header, from_b) {
            (a, b, from_b)
        } else if self.flow.dominates(header, from_a) {
            (b, a, from_a)
        } else {
            return None;
        };
        let (least, greatest) = self.range(start)?;
        let stepping = (*self.definitions.get(next.vreg()?.index())?)?;
        let row = self.function.insn(stepping);
        let step = match (row.opcode.generic()?, self.function.operands(stepping)) {
            (Generic::Add, &[_, of, by]) if of.vreg() == to.vreg() => i64::from(by.small()?),
            (Generic::Sub, &[_, of, by]) if of.vreg() == to.vreg() => -i64::from(by.small()?),
            _ => return None,
        };
        if row.ty != LowType::S32 || step == 0 {
            return None;
        }
        let (predicate, bound) = self.test(latch, header, next)?;
        // The range of the next value when the loop goes back follows from the bound of the test.
        let (low, high) = self.range(bound).unwrap_or(INT);
        let is_known = self.range(bound).is_some() && bound.vreg().is_none();
        let range = match (predicate, step > 0) {
            (IntPredicate::Slt, true) => (least, greatest.max(high - 1)),
            (IntPredicate::Sle, true) => (least, greatest.max(high)),
            (IntPredicate::Ne, true) if is_known && step == 1 && greatest < high => {
                (least, high - 1)
            }
            (IntPredicate::Ult, true) if is_known && low > 0 && least >= 0 => {
                (least, greatest.max(high - 1))
            }
            (IntPredicate::Sgt, false) => (least.min(low + 1), greatest),
            (IntPredicate::Sge, false) => (least.min(low), greatest),
            (IntPredicate::Ne, false) if is_known && step == -1 && least > low => {
                (low + 1, greatest)
            }
            _ => return None,
        };
        within((range.0 + step, range.1 + step))?;
        Some((range, stepping, step))
    }

    /// Returns the bound that a value is compared with at the latch, and the predicate under which
    /// the loop goes back.
    fn test(
        &self,
        latch: BlockId,
        header: BlockId,
        value: Operand,
    ) -> Option<(IntPredicate, Operand)> {
        let mut insn = self.function.block(latch).last()?;
        let is = |insn, generic: Generic| self.function.insn(insn).opcode == Opcode::from(generic);
        if is(insn, Generic::Br) {
            insn = self.function.insn(insn).previous()?;
        }
        let other = self.function.insn(insn).previous();
        let is_branch = |insn| {
            let generic = self.function.insn(insn).opcode.generic();
            generic.is_some_and(Generic::is_terminator)
        };
        if !is(insn, Generic::BrIcmp)
            || self.function.insn(insn).ty != LowType::S32
            || other.is_some_and(is_branch)
        {
            return None;
        }
        let &[predicate, a, b, target] = self.function.operands(insn) else {
            return None;
        };
        let mut predicate = predicate.as_int_predicate()?;
        if target.as_block() != Some(header) {
            predicate = predicate.inverse();
        }
        if a.vreg() == value.vreg() {
            return Some((predicate, b));
        }
        (b.vreg() == value.vreg()).then(|| (predicate.swapped(), a))
    }
}

/// Returns the range, if it is within signed 32-bit integers.
fn within((low, high): Range) -> Option<Range> {
    (INT.0 <= low && low <= high && high <= INT.1).then_some((low, high))
}

const fn signed(bits: u32) -> Range {
    let half = 1_i64 << (bits - 1);
    (-half, half - 1)
}

fn compute(generic: Generic, (a, b): Range, (c, d): Range) -> Option<Range> {
    match generic {
        Generic::Add => Some((a + c, b + d)),
        Generic::Sub => Some((a - d, b - c)),
        Generic::Mul => {
            let all = [a * c, a * d, b * c, b * d];
            Some((all.into_iter().min()?, all.into_iter().max()?))
        }
        Generic::Shl if c == d && (0..31).contains(&c) => Some((a << c, b << c)),
        Generic::Ashr if c == d && (0..31).contains(&c) => Some((a >> c, b >> c)),
        Generic::Lshr if c == d && (0..31).contains(&c) && a >= 0 => Some((a >> c, b >> c)),
        Generic::And if a >= 0 && c >= 0 => Some((0, b.min(d))),
        _ => None,
    }
}
