//! Strength reduction: a multiple of an induction variable becomes an induction variable of its
//! own, which steps with the first one. For scaled indexes and pointers; on targets whose addresses
//! scale an index for free, and whose instructions overwrite a source, only where there is a
//! multiple that they do not scale by, as the index of an array of structures. In SSA form.
//!
//! A basic induction variable is a PHI of a loop header whose value from the latch is itself plus a
//! constant (a *counter* here). A chain of at most six additions of loop-invariant values, shifts
//! and multiplications by constants, and at most one by a loop-invariant register, as the index of
//! a matrix of any width, derives others from it. The ends of these chains, which other
//! instructions read, get a PHI, an initial value computed in the preheader, and an addition of
//! scale times step; the chain goes when nothing reads it any more. This is the classical form
//! (Muchnick, "Advanced Compiler Design and Implementation", 14.1), found on SSA graphs as in
//! Cooper, Simpson and Vick, "Operator strength reduction" (2001), but for one loop at a time.
//!
//! All of it is 64-bit arithmetic, which wraps alike in either form, so the values are the same in
//! every iteration. If only the exit test still reads the counter, the test is replaced by one of a
//! derived variable (linear function test replacement), but only if the counter is known to reach
//! its end value exactly. Where the target has a count register, innermost loops count down in it
//! (`count`).
//!
//! A loop is changed only if that saves instructions in each iteration and registers are left. The
//! total size of the loops that are visited is bounded by a multiple of the function's.

mod count;

use crate::codegen::analysis::constants::holds;
use crate::codegen::analysis::control_flow::Flow;
use crate::codegen::analysis::loops::scales_apart;
use crate::codegen::analysis::loops::{Loops, registers_for};
use crate::codegen::analysis::phis::{first_terminator, is_phi};
use crate::machine::{
    Bank, BlockId, Function, Generic, InsnId, IntPredicate, LowType, Operand, OperandFlags, Reg,
    VReg,
};
use crate::mem::{Entity, Vec};
use crate::target::Isa;
use crate::target::emitter::{computation, new_int};
use crate::target::error::Error;

/// The work for all loops, in instructions per instruction of the function.
const MOST_WORK: usize = 12;
/// The most instructions between a counter and a value derived from it.
const MOST_STEPS: u8 = 6;
/// The most branches before a loop that are searched for one which guards it.
const MOST_GUARDS: usize = 4;
/// The largest scale of a derived variable that the exit test may use. Larger counters wrap only
/// after more time than anybody waits.
const MOST_SCALE: u64 = 1 << 12;

/// Strength-reduces the values derived from counters, and has loops count down in a register, if
/// there is one for it. Values step by what is in a register only if `has_factors` says so.
///
/// # Errors
///
/// Out of memory.
pub(crate) fn reduce(
    function: &mut Function<'_>,
    isa: &dyn Isa,
    flow: &Flow<'_>,
    count: Option<Reg>,
    has_factors: bool,
) -> Result<(), Error> {
    // Targets that keep their sources shift in the addition that reads the multiple.
    let is_wanted = scales_apart(isa) || isa.description().overwrites_sources;
    if !is_wanted || !flow.has_loops() {
        return Ok(());
    }
    let allocator = function.allocator();
    let mut budget = MOST_WORK * (function.insn_count() + 16);
    let mut reduction = Reduction {
        isa,
        flow,
        count,
        has_factors,
        scales_apart: scales_apart(isa),
        loops: Loops::new(function, flow)?,
        uses: Vec::new(allocator),
        linear: Vec::new(allocator),
        derived: Vec::new(allocator),
        function,
    };
    reduction.count_uses()?;
    for place in (1..flow.order.len()).rev() {
        let Some(&header) = flow.order.get(place) else {
            break;
        };
        let Some(outside) = reduction.loops.entering_block(flow, header) else {
            continue;
        };
        let size = reduction.loops.size(reduction.function, header);
        if size > budget {
            break;
        }
        budget -= size;
        if flow.edges.successors(outside) == [header] {
            reduction.in_loop(header, outside)?;
        }
    }
    Ok(())
}

/// A basic induction variable.
#[derive(Clone, Copy)]
struct Counter {
    header: BlockId,
    outside: BlockId,
    latch: BlockId,
    /// Its value in this iteration, and in the next one.
    now: VReg,
    next: VReg,
    /// Its value in the first iteration.
    start: Operand,
    /// The instruction that computes its next value.
    stepping: InsnId,
    step: i64,
}

/// A linear function of a counter: a multiple of it plus something loop-invariant.
#[derive(Clone, Copy)]
struct Linear {
    /// The counter.
    of: VReg,
    scale: i64,
    /// The loop-invariant register by which the multiple is multiplied, if any.
    factor: Option<VReg>,
    /// The number of instructions between it and the counter.
    steps: u8,
    /// The number of instructions that derive further linear functions from it.
    readers: u32,
}

/// An exit test: a branch that leaves a loop depending on its counter.
struct Test {
    insn: InsnId,
    /// True if it reads the next value.
    is_next: bool,
    /// The condition under which the loop goes on.
    predicate: IntPredicate,
    bound: Operand,
}

struct Reduction<'a, 'f> {
    function: &'a mut Function<'f>,
    isa: &'a dyn Isa,
    flow: &'a Flow<'a>,
    /// The register that loops may count down in.
    count: Option<Reg>,
    /// True if values may be multiplied by loop-invariant registers.
    has_factors: bool,
    /// True if addresses do not scale an index for free.
    scales_apart: bool,
    loops: Loops<'f>,
    /// The number of reads of each register.
    uses: Vec<'f, u32>,
    linear: Vec<'f, Option<Linear>>,
    /// The instructions that derive values from the present counter.
    derived: Vec<'f, InsnId>,
}

impl Reduction<'_, '_> {
    fn count_uses(&mut self) -> Result<(), Error> {
        self.uses.resize(self.function.vreg_count(), 0)?;
        self.linear.resize(self.function.vreg_count(), None)?;
        for &block in &self.function.layout {
            for insn in self.function.insns(block) {
                let read = self.function.operands(insn).iter().filter(|o| !o.is_def());
                for vreg in read.filter_map(|operand| operand.vreg()) {
                    self.uses[vreg.index()] += 1;
                }
            }
        }
        Ok(())
    }

    fn in_loop(&mut self, header: BlockId, outside: BlockId) -> Result<(), Error> {
        self.count_down(header, outside)?;
        let mut cursor = self.function.cursor(header);
        while let Some(phi) = cursor.next_if(self.function, is_phi) {
            if let Some(counter) = self.counter(phi, header, outside) {
                let is_reduced = self.reduce_derived(counter, self.has_factors)?;
                if !is_reduced && self.derived.iter().any(|&insn| self.is_product(insn)) {
                    self.reduce_derived(counter, false)?;
                }
            }
        }
        Ok(())
    }

    /// Strength-reduces the values that are derived from a counter, also by loop-invariant factors
    /// if `has_factors` says so. Returns false, with nothing changed, if that is not worth it.
    fn reduce_derived(&mut self, counter: Counter, has_factors: bool) -> Result<bool, Error> {
        self.find_derived(counter, has_factors)?;
        let test = self.only_test(counter);
        let ends_apart = match test {
            Some(_) => self.has_end(),
            None => self.is_counted_apart(counter),
        };
        if !self.is_worth_it(counter, ends_apart) {
            return Ok(false);
        }
        self.step_roots(counter, test)?;
        Ok(true)
    }

    fn definition(&self, operand: Operand) -> Option<InsnId> {
        *self.loops.definitions.get(operand.vreg()?.index())?
    }

    /// Returns the constant that a register holds, if it is one.
    fn value(&self, operand: Operand) -> Option<i64> {
        if let Some(value) = self.function.immediate(operand) {
            return Some(value);
        }
        let insn = self.definition(operand)?;
        match self.function.operands(insn) {
            &[_, value] if self.is(insn, Generic::Constant) => self.function.immediate(value),
            _ => None,
        }
    }

    fn is(&self, insn: InsnId, generic: Generic) -> bool {
        self.function.insn(insn).opcode.generic() == Some(generic)
    }

    fn counter(&self, phi: InsnId, header: BlockId, outside: BlockId) -> Option<Counter> {
        let &[now, a, from_a, b, from_b] = self.function.operands(phi) else {
            return None;
        };
        let (from_a, from_b) = (from_a.as_block()?, from_b.as_block()?);
        let (start, next, latch) = match from_a == outside {
            true => (a, b, from_b),
            false if from_b == outside => (b, a, from_a),
            false => return None,
        };
        let stepping = self.definition(next)?;
        let &[_, of, by] = self.function.operands(stepping) else {
            return None;
        };
        let row = self.function.insn(stepping);
        let step = match row.opcode.generic()? {
            Generic::Add => i64::from(by.small()?),
            Generic::Sub => -i64::from(by.small()?),
            _ => return None,
        };
        let is_whole = row.ty == LowType::S64 && step != 0;
        (is_whole && of.vreg().is_some() && of.vreg() == now.vreg()).then_some(Counter {
            header,
            outside,
            latch,
            now: now.vreg()?,
            next: next.vreg()?,
            start,
            stepping,
            step,
        })
    }

    // ---- derived variables

    /// Lists the instructions of the loop that compute linear functions of a counter.
    fn find_derived(&mut self, counter: Counter, has_factors: bool) -> Result<(), Error> {
        // Those that are still listed were found for nothing.
        while let Some(insn) = self.derived.pop() {
            if let Some(to) = self
                .function
                .operands(insn)
                .first()
                .and_then(|to| to.vreg())
            {
                self.linear[to.index()] = None;
            }
        }
        let itself = Linear {
            of: counter.now,
            scale: 1,
            factor: None,
            steps: 0,
            readers: 0,
        };
        self.linear[counter.now.index()] = Some(itself);
        for &member in self.loops.members(counter.header) {
            let mut cursor = self.function.cursor(member);
            while let Some(insn) = cursor.next(self.function) {
                let to = self
                    .function
                    .operands(insn)
                    .first()
                    .and_then(|to| to.vreg());
                if let (Some((linear, from)), Some(to)) =
                    (self.linear_of(counter, insn, has_factors), to)
                    && insn != counter.stepping
                {
                    self.linear[to.index()] = Some(linear);
                    if let Some(from) = &mut self.linear[from.index()] {
                        from.readers += 1;
                    }
                    self.derived.push(insn)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the linear function that an instruction computes, and the operand of it that changes
    /// with the counter.
    fn linear_of(
        &self,
        counter: Counter,
        insn: InsnId,
        has_factors: bool,
    ) -> Option<(Linear, VReg)> {
        let row = self.function.insn(insn);
        let &[_, a, b] = self.function.operands(insn) else {
            return None;
        };
        let linear = |operand: Operand| {
            let vreg = operand.vreg()?;
            let linear = self.linear.get(vreg.index()).copied().flatten();
            let linear = linear?;
            let is_near = linear.of == counter.now && linear.steps < MOST_STEPS;
            is_near.then_some((linear, vreg))
        };
        let is_fixed = |operand| self.loops.is_fixed(self.function, counter.header, operand);
        let generic = row.opcode.generic().filter(|_| row.ty == LowType::S64)?;
        let ((from, vreg), scale, factor) = match generic {
            Generic::Add if is_fixed(a) => (linear(b)?, 1, None),
            Generic::Add | Generic::Sub if is_fixed(b) => (linear(a)?, 1, None),
            Generic::Shl => {
                let by = self.function.immediate(b)?;
                let scale = 1 << u32::try_from(by).ok().filter(|&by| by < 32)?;
                (linear(a)?, scale, None)
            }
            Generic::Mul => match (a.vreg(), b.vreg()) {
                (_, None) => (linear(a)?, i64::from(b.small()?), None),
                (Some(_), factor) if is_fixed(b) => (linear(a)?, 1, factor),
                (factor, Some(_)) if is_fixed(a) => (linear(b)?, 1, factor),
                _ => return None,
            },
            _ => return None,
        };
        if factor.is_some() && (from.factor.is_some() || !has_factors) {
            return None;
        }
        let linear = Linear {
            of: counter.now,
            scale: from.scale.checked_mul(scale).filter(|&scale| scale != 0)?,
            factor: factor.or(from.factor),
            steps: from.steps + 1,
            readers: 0,
        };
        Some((linear, vreg))
    }

    /// Returns the result of `insn`, if it has a use outside the tree of values derived from the
    /// counter.
    fn is_root(&self, insn: InsnId) -> Option<VReg> {
        let to = self.function.operands(insn).first()?.vreg()?;
        let readers = self.linear[to.index()]?.readers;
        (self.uses[to.index()] > readers).then_some(to)
    }

    /// Returns whether reduction saves instructions in each iteration, and registers are left for
    /// it.
    fn is_worth_it(&mut self, counter: Counter, ends_apart: bool) -> bool {
        if !self.scales_apart && !self.derived.iter().any(|&insn| self.is_multiple(insn)) {
            return false;
        }
        let (mut gain, mut count) = (if ends_apart { 2 } else { 0 }, 0);
        for &insn in &self.derived {
            let block = self.function.insn(insn).block();
            let is_always = self.flow.dominates(block, counter.latch);
            gain += if is_always { 2 } else { 1 };
            // The counter is copied before it is shifted in place, and a product takes longest.
            let is_copied = !self.scales_apart && self.is(insn, Generic::Shl);
            gain += i32::from(is_always && (is_copied || self.is_product(insn)));
            let Some(root) = self.is_root(insn) else {
                continue;
            };
            let linear = self.linear[root.index()];
            let by = linear.and_then(|linear| linear.scale.checked_mul(counter.step));
            let factor = linear.and_then(|linear| linear.factor);
            let is_taken = |by| self.isa.takes_immediate(Generic::Add, LowType::S64, 2, by);
            if !by.is_some_and(|by| factor.is_some() || is_taken(by)) {
                return false;
            }
            gain -= 2;
            // The step of a product takes the place of the factor, unless that is still read.
            let is_kept = factor.is_some_and(|factor| self.uses[factor.index()] > 1);
            count += if is_kept && by != Some(1) { 2 } else { 1 };
        }
        if gain <= 0 || count == 0 {
            return false;
        }
        let has_call = self.loops.has_call(self.function, counter.header);
        let [wanted, _] = self.loops.pressure(self.function, counter.header);
        wanted + count <= registers_for(self.isa, Bank::General, has_call)
    }

    /// Returns whether an instruction computes a multiple that no address has for free.
    fn is_multiple(&self, insn: InsnId) -> bool {
        self.is(insn, Generic::Shl) || self.is(insn, Generic::Mul)
    }

    /// Returns whether an instruction multiplies by a register.
    fn is_product(&self, insn: InsnId) -> bool {
        let by = self.function.operands(insn).get(2);
        self.is(insn, Generic::Mul) && by.is_some_and(|by| by.vreg().is_some())
    }

    /// Returns whether a derived value can be compared with its value after the last iteration: a
    /// multiple of a register may be the same in all.
    fn can_end(&self, root: VReg) -> bool {
        self.linear[root.index()].is_some_and(|linear| {
            linear.factor.is_none() && linear.scale.unsigned_abs() <= MOST_SCALE
        })
    }

    /// Returns whether the exit test can compare a derived value that other instructions read.
    fn has_end(&self) -> bool {
        let mut roots = { self.derived.iter() }.filter_map(|&insn| self.is_root(insn));
        roots.any(|root| self.can_end(root))
    }

    /// Strength-reduces the derived values that other instructions read.
    fn step_roots(&mut self, counter: Counter, test: Option<Test>) -> Result<(), Error> {
        let mut roots = Vec::new(self.function.allocator());
        for number in 0..self.derived.len() {
            let Some(&insn) = self.derived.get(number) else {
                break;
            };
            if let Some(root) = self.is_root(insn) {
                let mut start = self.at(counter, root, counter.start)?;
                if start.vreg().is_none() {
                    start = self.emit(counter, Generic::Constant, &[start])?;
                }
                let by = self.step_of(counter, root)?;
                roots.push((insn, root, start, by))?;
            }
        }
        let mut end = None;
        let mut ends = roots.iter().filter(|&&(_, root, ..)| self.can_end(root));
        if let (Some(test), Some(&(_, root, ..))) = (test, ends.next()) {
            let bound = self.end(counter, &test)?;
            let bound = self.at(counter, root, bound)?;
            end = Some((test, root, self.taken(counter, Generic::BrIcmp, 2, bound)?));
        }
        for &(insn, root, start, by) in &roots {
            self.remove(insn);
            let next = self.step(counter, root, start, by)?;
            if let Some((test, of, bound)) = &end
                && *of == root
            {
                let value = if test.is_next { next } else { root };
                self.ask(counter, test, value, *bound)?;
            }
        }
        self.remove_unread(counter);
        Ok(())
    }

    /// Returns the distance of a derived value from one iteration to the next, computed before the
    /// loop.
    fn step_of(&mut self, counter: Counter, root: VReg) -> Result<Operand, Error> {
        let linear = self.linear[root.index()].ok_or(Error::WrongForm)?;
        let step = linear.scale.wrapping_mul(counter.step);
        let by = self.function.int(step)?;
        match linear.factor.map(Operand::from) {
            None => Ok(by),
            Some(factor) if step == 1 => Ok(factor),
            Some(factor) if step > 0 && step.count_ones() == 1 => {
                let shift = Operand::imm(step.trailing_zeros() as i32);
                self.compute(counter, Generic::Shl, [factor, shift])
            }
            Some(factor) => self.compute(counter, Generic::Mul, [factor, by]),
        }
    }

    /// Makes a register an induction variable that steps by an operand. Returns the register with
    /// its next value.
    fn step(
        &mut self,
        counter: Counter,
        root: VReg,
        start: Operand,
        by: Operand,
    ) -> Result<VReg, Error> {
        let next = self.function.add_vreg(self.function.vreg(root))?;
        let [from_outside, from_latch] = [counter.outside, counter.latch].map(Operand::block);
        let to = Operand::from(root).with(OperandFlags::DEF);
        let phi = [to, start, from_outside, Operand::from(next), from_latch];
        let first = self.function.block(counter.header).first();
        self.insert(counter.header, first, Generic::Phi, &phi)?;
        let behind = self.function.insn(counter.stepping).next();
        let block = self.function.insn(counter.stepping).block();
        let to = Operand::from(next).with(OperandFlags::DEF);
        let step = [to, Operand::from(root), by];
        self.insert(block, behind, Generic::Add, &step)?;
        Ok(next)
    }

    /// Removes derived values that only fed those which are induction variables now, and the
    /// counter if nothing reads it any more.
    fn remove_unread(&mut self, counter: Counter) {
        while let Some(insn) = self.derived.pop() {
            let to = self
                .function
                .operands(insn)
                .first()
                .and_then(|to| to.vreg());
            let is_there = to.is_some_and(|to| self.loops.definitions[to.index()] == Some(insn));
            if is_there && to.is_some_and(|to| self.uses[to.index()] == 0) {
                self.remove(insn);
            }
        }
        let is_read = [counter.now, counter.next].map(|vreg| self.uses[vreg.index()] != 1);
        let phi = self.loops.definitions[counter.now.index()];
        if let (Some(phi), [false, false]) = (phi, is_read) {
            self.remove(phi);
            self.remove(counter.stepping);
        }
    }

    // ---- the end of the loop

    /// Returns the one branch that reads a counter, or its next value, apart from instructions that
    /// derive values, if it is executed in each iteration, leaves the loop, and is sure to do so
    /// when the counter has reached one certain value.
    fn only_test(&self, counter: Counter) -> Option<Test> {
        let readers = self.linear[counter.now.index()]?.readers + 1;
        let left = self.uses[counter.now.index()].checked_sub(readers)?;
        let left_next = self.uses[counter.next.index()].checked_sub(1)?;
        if left + left_next != 1 {
            return None;
        }
        let read = if left == 1 { counter.now } else { counter.next };
        for &member in self.loops.members(counter.header) {
            let mut last = self.function.block(member).last();
            while let Some(insn) = last.filter(|&insn| self.is(insn, Generic::Br)) {
                last = self.function.insn(insn).previous();
            }
            let Some(insn) = last.filter(|&insn| self.is(insn, Generic::BrIcmp)) else {
                continue;
            };
            if let Some(test) = self.test(counter, insn, read) {
                return self.is_sure(counter, &test).then_some(test);
            }
        }
        None
    }

    fn test(&self, counter: Counter, insn: InsnId, read: VReg) -> Option<Test> {
        let row = self.function.insn(insn);
        let &[predicate, a, b, target] = self.function.operands(insn) else {
            return None;
        };
        let predicate = predicate.as_int_predicate()?;
        let (predicate, bound) = match (a.vreg(), b.vreg()) {
            (Some(a), _) if a == read => (predicate, b),
            (_, Some(b)) if b == read => (predicate.swapped(), a),
            _ => return None,
        };
        let header = counter.header;
        let mut nexts = self.flow.edges.successors(row.block()).iter();
        let leaves = nexts.any(|&next| !self.loops.contains(header, next));
        let goes_on = self.loops.contains(header, target.as_block()?);
        let is_plain = row.ty == LowType::S64
            && self.flow.edges.successors(row.block()).len() == 2
            && leaves
            && self.flow.dominates(row.block(), counter.latch)
            && (self.value(bound).is_some() || self.loops.is_fixed(self.function, header, bound));
        is_plain.then_some(Test {
            insn,
            is_next: read == counter.next,
            predicate: if goes_on {
                predicate
            } else {
                predicate.inverse()
            },
            bound,
        })
    }

    /// Returns whether the counter is sure to reach exactly the first value for which the loop
    /// ends.
    fn is_sure(&self, counter: Counter, test: &Test) -> bool {
        use IntPredicate as P;
        let ends_above = matches!(test.predicate, P::Slt | P::Sle | P::Ult | P::Ule);
        let ends_below = matches!(test.predicate, P::Sgt | P::Sge | P::Ugt | P::Uge);
        let has_end = match test.predicate {
            P::Ne => return true,
            P::Slt | P::Ult | P::Sgt | P::Ugt => true,
            P::Sle | P::Sge => self.is_narrow(test.bound),
            _ => false,
        };
        if !has_end || !(ends_above && counter.step > 0 || ends_below && counter.step < 0) {
            return false;
        }
        match (self.value(counter.start), self.value(test.bound)) {
            (Some(start), Some(bound)) => {
                let end = bound.wrapping_add(beyond(test.predicate));
                let way = end.checked_sub(start);
                let is_whole = way.is_some_and(|way| way % counter.step == 0);
                is_whole && holds(test.predicate, LowType::S64, start, bound)
            }
            _ => counter.step.unsigned_abs() == 1 && self.is_guarded(counter, test),
        }
    }

    /// Returns whether a value is in the range of signed 32-bit integers.
    fn is_narrow(&self, operand: Operand) -> bool {
        if let Some(value) = self.value(operand) {
            return i32::try_from(value).is_ok();
        }
        self.definition(operand).is_some_and(|insn| {
            let bits = match (self.function.operands(insn), self.function.insn(insn).ty) {
                (&[_, _, bits], _) if self.is(insn, Generic::SextInreg) => bits.small(),
                (_, ty) if self.is(insn, Generic::SextLoad) => i32::try_from(ty.bits()).ok(),
                _ => None,
            };
            bits.is_some_and(|bits| bits <= 32)
        })
    }

    /// Returns whether the loop is only entered if the initial value of the counter passes the
    /// test.
    fn is_guarded(&self, counter: Counter, test: &Test) -> bool {
        let mut block = counter.outside;
        for _ in 0..MOST_GUARDS {
            let &[from] = self.flow.edges.predecessors(block) else {
                return false;
            };
            let mut last = self.function.block(from).last();
            while let Some(insn) = last.filter(|&insn| self.is(insn, Generic::Br)) {
                last = self.function.insn(insn).previous();
            }
            if let Some(insn) = last.filter(|&insn| self.is(insn, Generic::BrIcmp))
                && self.flow.edges.successors(from).len() == 2
                && self.implies(insn, block, counter.start, test)
            {
                return true;
            }
            block = from;
        }
        false
    }

    /// Returns whether a branch that led to block `to` implies that the loop goes on.
    fn implies(&self, insn: InsnId, to: BlockId, start: Operand, test: &Test) -> bool {
        use IntPredicate as P;
        let ty = self.function.insn(insn).ty;
        let &[predicate, a, b, target] = self.function.operands(insn) else {
            return false;
        };
        let Some(mut known) = predicate.as_int_predicate() else {
            return false;
        };
        if target.as_block() != Some(to) {
            known = known.inverse();
        }
        let wanted = test.predicate;
        let is_stronger = |known| match wanted {
            P::Sle => matches!(known, P::Sle | P::Slt),
            P::Sge => matches!(known, P::Sge | P::Sgt),
            _ => known == wanted,
        };
        let is_same = |guard, own| self.is_same(ty, guard, own);
        if is_same(a, start) && is_same(b, test.bound) && is_stronger(known)
            || is_same(b, start) && is_same(a, test.bound) && is_stronger(known.swapped())
        {
            return true;
        }
        // Between a register and a constant.
        let (of, other, known) = match (self.value(a), self.value(b)) {
            (None, Some(value)) => (a, value, known),
            (Some(value), None) => (b, value, known.swapped()),
            _ => return false,
        };
        let (own, constant, wanted) = match (self.value(start), self.value(test.bound)) {
            (Some(value), None) => (test.bound, value, wanted.swapped()),
            (None, Some(value)) => (start, value, wanted),
            _ => return false,
        };
        if !is_same(of, own) {
            return false;
        }
        let other = if ty == LowType::S32 {
            i64::from(other as i32)
        } else {
            other
        };
        match (known, wanted) {
            (P::Sgt, P::Sgt) => other >= constant,
            (P::Sgt, P::Sge) => other >= constant.saturating_sub(1),
            (P::Sge, P::Sgt) => other > constant,
            (P::Sge, P::Sge) => other >= constant,
            (P::Slt, P::Slt) => other <= constant,
            (P::Slt, P::Sle) => other <= constant.saturating_add(1),
            (P::Sle, P::Slt) => other < constant,
            (P::Sle, P::Sle) => other <= constant,
            (P::Ne, P::Ugt) => other == 0 && constant == 0,
            _ => false,
        }
    }

    /// Returns whether an operand that a guard compares in type `ty` has the 64-bit value that the
    /// loop compares.
    fn is_same(&self, ty: LowType, guard: Operand, own: Operand) -> bool {
        let values = (self.value(guard), self.value(own));
        if let (Some(guard), Some(own)) = values {
            return guard == own && (ty == LowType::S64 || i32::try_from(own).is_ok());
        }
        let is_equal = guard.vreg().is_some() && guard.vreg() == own.vreg();
        if ty == LowType::S64 {
            return is_equal;
        }
        let extended = self
            .definition(own)
            .filter(|&insn| self.is(insn, Generic::SextInreg));
        let source = extended.and_then(|insn| match *self.function.operands(insn) {
            [_, source, bits] if bits.small() == Some(32) => source.vreg(),
            _ => None,
        });
        ty == LowType::S32
            && (is_equal && self.is_narrow(own) || source.is_some() && source == guard.vreg())
    }

    /// Returns the value of the counter when the loop ends.
    fn end(&mut self, counter: Counter, test: &Test) -> Result<Operand, Error> {
        let beyond = beyond(test.predicate);
        match self.value(test.bound) {
            Some(bound) => Ok(self.function.int(bound.wrapping_add(beyond))?),
            None if beyond == 0 => Ok(test.bound),
            None => {
                let by = self.function.int(beyond)?;
                self.compute(counter, Generic::Add, [test.bound, by])
            }
        }
    }

    /// Has the exit test compare a derived variable instead of the counter.
    fn ask(
        &mut self,
        counter: Counter,
        test: &Test,
        value: VReg,
        bound: Operand,
    ) -> Result<(), Error> {
        let target = self.function.operands(test.insn).get(3).copied();
        let target = target.unwrap_or(Operand::NO_REG);
        let goes_on =
            (target.as_block()).is_some_and(|target| self.loops.contains(counter.header, target));
        let predicate = if goes_on {
            IntPredicate::Ne
        } else {
            IntPredicate::Eq
        };
        let predicate = Operand::int_predicate(predicate);
        let operands = [predicate, Operand::from(value), bound, target];
        self.count(test.insn, false);
        self.function.set_operands(test.insn, &operands)?;
        self.count(test.insn, true);
        Ok(())
    }

    // ---- code before the loop

    /// Returns the value of a derived variable where the counter has a given value, computed before
    /// the loop.
    fn at(&mut self, counter: Counter, root: VReg, value: Operand) -> Result<Operand, Error> {
        let mut way = [None; MOST_STEPS as usize];
        let (mut vreg, mut count) = (root, 0);
        while vreg != counter.now {
            let insn = self.loops.definitions[vreg.index()].ok_or(Error::WrongForm)?;
            let place = way.get_mut(count).ok_or(Error::TooLarge)?;
            let mut read = self.function.operands(insn).iter().enumerate().skip(1);
            let changes = read.find_map(|(number, operand)| {
                let vreg = operand.vreg()?;
                let linear = self.linear.get(vreg.index()).copied().flatten()?;
                (linear.of == counter.now).then_some((number, vreg))
            });
            let (number, next) = changes.ok_or(Error::WrongForm)?;
            *place = Some((insn, number));
            count += 1;
            vreg = next;
        }
        let mut value = value;
        for &(insn, number) in way.iter().rev().flatten() {
            let generic = self.function.insn(insn).opcode.generic();
            let generic = generic.ok_or(Error::WrongForm)?;
            let mut sources = match *self.function.operands(insn) {
                [_, a, b] => [a, b],
                _ => return Err(Error::WrongForm),
            };
            if let Some(place) = sources.get_mut(number - 1) {
                *place = value;
            }
            value = self.compute(counter, generic, sources)?;
        }
        Ok(value)
    }

    /// Returns the result of a 64-bit instruction before the loop, or a known operand that equals
    /// it.
    fn compute(
        &mut self,
        counter: Counter,
        generic: Generic,
        [a, b]: [Operand; 2],
    ) -> Result<Operand, Error> {
        match (generic, self.value(a), self.value(b)) {
            (Generic::Add, Some(0), None) => return Ok(b),
            (Generic::Add | Generic::Sub, None, Some(0)) => return Ok(a),
            (Generic::Mul | Generic::Shl, Some(0), None) => return Ok(a),
            (Generic::Mul, None, Some(0)) | (Generic::Mul, Some(1), None) => return Ok(b),
            (Generic::Mul, None, Some(1)) => return Ok(a),
            (_, Some(a), Some(b)) => {
                let value = match generic {
                    Generic::Add => a.wrapping_add(b),
                    Generic::Sub => a.wrapping_sub(b),
                    Generic::Mul => a.wrapping_mul(b),
                    _ => a.wrapping_shl(b as u32),
                };
                return Ok(self.function.int(value)?);
            }
            _ => {}
        }
        let (a, b) = match (generic, a.vreg()) {
            (Generic::Add | Generic::Mul, None) => (b, a),
            _ => (a, b),
        };
        let [a, b] = [
            self.taken(counter, generic, 1, a)?,
            self.taken(counter, generic, 2, b)?,
        ];
        self.emit(counter, generic, &[a, b])
    }

    /// Returns the operand, in a register if the target's instruction does not take it as it is.
    fn taken(
        &mut self,
        counter: Counter,
        generic: Generic,
        number: usize,
        operand: Operand,
    ) -> Result<Operand, Error> {
        let is_shift = generic == Generic::Shl && number == 2;
        match self.function.immediate(operand) {
            Some(value)
                if !is_shift
                    && !(self.isa).takes_immediate(generic, LowType::S64, number, value) =>
            {
                self.emit(counter, Generic::Constant, &[operand])
            }
            _ => Ok(operand),
        }
    }

    fn emit(
        &mut self,
        counter: Counter,
        generic: Generic,
        sources: &[Operand],
    ) -> Result<Operand, Error> {
        let to = new_int(self.function, self.isa)?;
        let before = first_terminator(self.function, counter.outside);
        let (operands, len) = computation(to, sources);
        let operands = operands.get(..len).unwrap_or(&[]);
        self.insert(counter.outside, before, generic, operands)?;
        Ok(to)
    }

    // ---- instructions

    fn insert(
        &mut self,
        block: BlockId,
        before: Option<InsnId>,
        generic: Generic,
        operands: &[Operand],
    ) -> Result<(), Error> {
        let insn = self
            .function
            .insert(block, before, generic.into(), LowType::S64, operands)?;
        let count = self.function.vreg_count();
        self.uses.resize(count, 0)?;
        self.linear.resize(count, None)?;
        self.loops.add_registers(count)?;
        if let Some(to) = operands.first().and_then(|to| to.vreg()) {
            self.loops.definitions[to.index()] = Some(insn);
        }
        self.count(insn, true);
        Ok(())
    }

    fn remove(&mut self, insn: InsnId) {
        self.count(insn, false);
        let to = self
            .function
            .operands(insn)
            .first()
            .and_then(|to| to.vreg());
        if let Some(to) = to
            && self.loops.definitions[to.index()] == Some(insn)
        {
            self.loops.definitions[to.index()] = None;
        }
        self.function.remove(insn);
    }

    /// Counts the reads of an instruction, or takes them back.
    fn count(&mut self, insn: InsnId, is_read: bool) {
        let read = self.function.operands(insn).iter().filter(|o| !o.is_def());
        for vreg in read.filter_map(|operand| operand.vreg()) {
            let uses = &mut self.uses[vreg.index()];
            *uses = if is_read {
                *uses + 1
            } else {
                uses.saturating_sub(1)
            };
        }
    }
}

/// Returns the distance from the bound that a counter is compared with to its value when the loop
/// ends.
const fn beyond(predicate: IntPredicate) -> i64 {
    match predicate {
        IntPredicate::Sle | IntPredicate::Ule => 1,
        IntPredicate::Sge | IntPredicate::Uge => -1,
        _ => 0,
    }
}
