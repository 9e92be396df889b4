//! Hardware loops: a loop whose number of iterations is known before the first one counts them down
//! in the target's count register. One branch replaces a comparison and a branch, and the counter,
//! too, if nothing else reads it.

use crate::codegen::analysis::phis::{first_terminator, is_phi};
use crate::codegen::helper::ends_run;
use crate::codegen::opt::strength_reduction::{Counter, Reduction, Test, beyond};
use crate::machine::{BlockId, Generic, InsnId, IntPredicate, Operand, OperandFlags, Reg};
use crate::mem::Entity;
use crate::target::error::Error;

/// The number of iterations up to which setting the register is not worth it.
const FEW_ITERATIONS: i64 = 3;

impl Reduction<'_, '_> {
    /// Has a loop count down, if one of its counters determines the number of iterations.
    pub(super) fn count_down(&mut self, header: BlockId, outside: BlockId) -> Result<(), Error> {
        let Some(count) = self.count.filter(|_| self.keeps_count(header)) else {
            return Ok(());
        };
        let mut cursor = self.function.cursor(header);
        while let Some(phi) = cursor.next_if(self.function, is_phi) {
            if let Some(counter) = self.counter(phi, header, outside)
                && let Some(test) = self.counting_test(counter)
                && let Some(trips) = self.trip_count(counter, &test)?
            {
                return self.count_in(counter, &test, count, trips);
            }
        }
        Ok(())
    }

    /// Returns whether only its step and derived values read a counter, since the loop ends by the
    /// count register.
    pub(super) fn is_counted_apart(&self, counter: Counter) -> bool {
        let read = |number: usize| self.uses.get(number).copied().unwrap_or(0);
        let readers = self.linear[counter.now.index()].map_or(0, |linear| linear.readers);
        self.count.is_some()
            && read(counter.now.index()) == readers + 1
            && read(counter.next.index()) == 1
    }

    /// Returns whether each block of a loop runs at most once per iteration, and nothing in the
    /// loop uses the count register.
    fn keeps_count(&self, header: BlockId) -> bool {
        let flow = self.flow;
        self.loops.members(header).iter().all(|&member| {
            let mut nexts = flow.edges.successors(member).iter();
            let is_forward = nexts.all(|&next| {
                !self.loops.contains(header, next)
                    || next == header
                    || flow.place(next) > flow.place(member)
            });
            is_forward && { self.function.insns(member) }.all(|insn| self.leaves_count(insn))
        })
    }

    /// Returns whether an instruction is sure not to use the count register.
    fn leaves_count(&self, insn: InsnId) -> bool {
        let generic = self.function.insn(insn).opcode.generic();
        generic.is_some_and(|generic| {
            let uses = matches!(
                generic,
                Generic::Call | Generic::Brjt | Generic::Brindirect | Generic::SetCount
            );
            !uses && !generic.is_property()
        })
    }

    /// Returns an exit test of the loop on a counter that is executed in each iteration, but none
    /// that leads to a fault: a check stays the comparison that it is.
    fn counting_test(&self, counter: Counter) -> Option<Test> {
        let mut members = self.loops.members(counter.header).iter();
        members.find_map(|&member| {
            let mut last = self.function.block(member).last();
            while let Some(insn) = last.filter(|&insn| self.is(insn, Generic::Br)) {
                last = self.function.insn(insn).previous();
            }
            let insn = last.filter(|&insn| self.is(insn, Generic::BrIcmp) && !self.faults(insn))?;
            let mut reads = [counter.now, counter.next].into_iter();
            reads.find_map(|read| self.test(counter, insn, read))
        })
    }

    /// Returns whether a branch goes to a block that ends the run, or to one before such a block.
    fn faults(&self, branch: InsnId) -> bool {
        let function = &self.function;
        let target = function.operands(branch).get(3);
        let Some(exit) = target.and_then(|target| target.as_block()) else {
            return false;
        };
        let ends = |block| function.insns(block).any(|insn| ends_run(function, insn));
        ends(exit)
            || self
                .flow
                .edges
                .successors(exit)
                .iter()
                .any(|&next| ends(next))
    }

    /// Returns the number of times that the test is executed, computed before the loop; `None` if
    /// it is not known.
    fn trip_count(&mut self, counter: Counter, test: &Test) -> Result<Option<Operand>, Error> {
        let (start, bound) = (counter.start, test.bound);
        if let (Some(first), Some(last)) = (self.value(start), self.value(bound)) {
            let trips = constant_trip_count(counter.step, test, first, last);
            let trips = trips.filter(|&trips| trips > FEW_ITERATIONS);
            return Ok(match trips {
                Some(trips) => Some(self.function.int(trips)?),
                None => None,
            });
        }
        if counter.step.unsigned_abs() != 1 || !self.is_sure(counter, test) {
            return Ok(None);
        }
        // The count goes from the start to the end value, plus one if the test reads the value
        // before the step.
        let more = counter.step * beyond(test.predicate) + i64::from(!test.is_next);
        let [high, low] = if counter.step > 0 {
            [bound, start]
        } else {
            [start, bound]
        };
        let trips = match (self.value(high), self.value(low)) {
            (_, Some(low)) => {
                let more = self.function.int(more.wrapping_sub(low))?;
                self.compute(counter, Generic::Add, [high, more])?
            }
            (Some(high), None) => {
                let high = self.function.int(high.wrapping_add(more))?;
                self.compute(counter, Generic::Sub, [high, low])?
            }
            (None, None) => {
                let way = self.compute(counter, Generic::Sub, [high, low])?;
                let more = self.function.int(more)?;
                self.compute(counter, Generic::Add, [way, more])?
            }
        };
        Ok(Some(trips))
    }

    /// Sets the count register before the loop, and has the exit test count it down.
    fn count_in(
        &mut self,
        counter: Counter,
        test: &Test,
        count: Reg,
        trips: Operand,
    ) -> Result<(), Error> {
        let to = Operand::reg(count);
        let before = first_terminator(self.function, counter.outside);
        let set = [to.with(OperandFlags::DEF), trips];
        self.insert(counter.outside, before, Generic::SetCount, &set)?;
        let target = self.function.operands(test.insn).get(3).copied();
        let target = target.unwrap_or(Operand::NO_REG);
        let goes_on = target
            .as_block()
            .is_some_and(|target| self.loops.contains(counter.header, target));
        let predicate = if goes_on {
            IntPredicate::Ne
        } else {
            IntPredicate::Eq
        };
        let operands = [
            Operand::int_predicate(predicate),
            to,
            Operand::imm(0),
            target,
        ];
        self.count(test.insn, false);
        self.function.set_operands(test.insn, &operands)?;
        self.count(test.insn, true);
        Ok(())
    }
}

/// Returns the number of times that an exit test between constants is executed, if the counter does
/// not wrap before the end.
fn constant_trip_count(step: i64, test: &Test, start: i64, bound: i64) -> Option<i64> {
    use IntPredicate as P;
    let is_unsigned = matches!(test.predicate, P::Ult | P::Ule | P::Ugt | P::Uge);
    let ends_there = match test.predicate {
        P::Ne => true,
        P::Slt | P::Sle | P::Ult | P::Ule => step > 0,
        P::Sgt | P::Sge | P::Ugt | P::Uge => step < 0,
        P::Eq => false,
    };
    if !ends_there || is_unsigned && (start < 0 || bound < 0) {
        return None;
    }
    // The values are mirrored so that the counter counts up.
    let sign = i128::from(step.signum());
    let [start, step, end] = [
        i128::from(start),
        i128::from(step),
        i128::from(bound) + i128::from(beyond(test.predicate)),
    ]
    .map(|value| value * sign);
    let first = if test.is_next { start + step } else { start };
    let way = end - first;
    let steps = (way + step - 1) / step;
    let is_exact = test.predicate != P::Ne || way % step == 0;
    // Below 0 numbers without a sign wrap, and the loop goes on.
    let last = i64::try_from((first + steps * step) * sign);
    let is_within = last.is_ok_and(|last| last >= 0 || !is_unsigned);
    let is_there = way >= 0 && is_exact && is_within;
    is_there.then(|| i64::try_from(steps + 1).ok())?
}
