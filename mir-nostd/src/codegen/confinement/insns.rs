//! The values that instructions compute, and what has to be proven of them.

use super::interval::Interval;
use super::state::{Goal, Verifier};
use super::terms::{Access, Kind, Value};
use super::unproven;
use crate::codegen::helper::{Helper, helper_of};
use crate::ir::ItemKind;
use crate::machine::{FrameKind, Generic, InsnId, IntPredicate, LowType, Operand, Symbol};
use crate::target::error::Error;

impl Verifier<'_, '_> {
    /// Follows an instruction.
    pub(super) fn insn(&mut self, insn: InsnId) -> Result<(), Error> {
        let generic = self.function.insn(insn).opcode.generic();
        let generic = generic.ok_or(Error::WrongForm)?;
        match generic {
            Generic::Load | Generic::SextLoad | Generic::ZextLoad => self.load(insn, generic),
            Generic::Store => self.store(insn),
            Generic::AtomicLoad => self.atomic(insn, Access::Read),
            Generic::AtomicStore
            | Generic::AtomicCmpxchg
            | Generic::AtomicXchg
            | Generic::AtomicAdd
            | Generic::AtomicAnd
            | Generic::AtomicOr
            | Generic::AtomicXor
            | Generic::AtomicMin
            | Generic::AtomicMax
            | Generic::AtomicUmin
            | Generic::AtomicUmax => self.atomic(insn, Access::Write),
            Generic::Call => self.call(insn),
            Generic::Ret => self.prove_stack(insn),
            Generic::TailJump => {
                self.callee(insn)?;
                self.prove_stack(insn)
            }
            Generic::Brjt => self.jump(insn),
            Generic::DynStackalloc | Generic::Stackrestore => Err(unproven(insn)),
            Generic::SetCount => {
                let count = self.value(self.operand(insn, 1))?;
                Ok(self.set_count(count)?)
            }
            Generic::BrIcmp if self.counts_down(insn) => {
                // The end of its block finds out what a branch says of the register.
                let block = self.function.insn(insn).block();
                let mut before = self
                    .function
                    .insns(block)
                    .take_while(|&other| other != insn);
                if before.any(|before| self.counts_down(before)) {
                    return Err(unproven(insn));
                }
                let count = self.count()?;
                Ok(self.set_count(count.plus(u64::MAX))?)
            }
            _ if generic.is_terminator() => Ok(()),
            _ => {
                self.check_frames(insn, generic)?;
                self.compute(insn, generic)
            }
        }
    }

    fn operand(&self, insn: InsnId, number: usize) -> Operand {
        let operands = self.function.operands(insn);
        operands.get(number).copied().unwrap_or(Operand::NO_REG)
    }

    /// Ensures that long doubles are where there is room for them.
    fn check_frames(&self, insn: InsnId, generic: Generic) -> Result<(), Error> {
        if generic == Generic::FrameIndex {
            return Ok(());
        }
        let mut frames = { self.function.operands(insn).iter() }.filter_map(|o| o.as_frame());
        let is_large = |frame| (self.function.frame.get(frame)).is_some_and(|o| o.bytes >= 16);
        let written = self.operand(insn, 0).as_frame();
        match frames.all(is_large) && written.is_none_or(|frame| self.may_write_frame(frame)) {
            true => Ok(()),
            false => Err(unproven(insn)),
        }
    }

    /// Sets what an instruction writes, apart from memory.
    fn compute(&mut self, insn: InsnId, generic: Generic) -> Result<(), Error> {
        let value = match self.computed(insn, generic)? {
            Some(value) => value,
            None => {
                let (kind, interval) = self.made(insn, generic)?;
                self.result(insn, kind, interval)?
            }
        };
        self.set_results(insn, value)
    }

    /// Sets the first register that an instruction writes; others may be anything.
    fn set_results(&mut self, insn: InsnId, value: Value) -> Result<(), Error> {
        let operands = self.function.operands(insn).iter();
        for (number, &operand) in operands.filter(|operand| operand.is_def()).enumerate() {
            let value = match number {
                0 => value,
                1 => self.second_result(insn)?,
                _ => self.unknown()?,
            };
            self.set(operand, value)?;
        }
        Ok(())
    }

    /// Returns the result of an instruction, if it is a linear combination of its operands.
    fn computed(&mut self, insn: InsnId, generic: Generic) -> Result<Option<Value>, Error> {
        if self.function.insn(insn).ty != LowType::S64 {
            return Ok(None);
        }
        let (a, b) = (self.operand(insn, 1), self.operand(insn, 2));
        Ok(match generic {
            Generic::Copy | Generic::Constant | Generic::GlobalValue => Some(self.value(a)?),
            Generic::Add | Generic::FrameIndex => self.sum(a, b, 1)?,
            Generic::Sub => self.sum(a, b, -1)?,
            Generic::Mul => match (self.constant(a)?, self.constant(b)?) {
                (_, Some(factor)) => self.multiple(a, factor)?,
                (Some(factor), None) => self.multiple(b, factor)?,
                _ => None,
            },
            Generic::Shl => match self.constant(b)? {
                Some(bits) => self.multiple(a, 1 << (bits & 63))?,
                None => None,
            },
            Generic::And => match (self.constant(a)?, self.constant(b)?) {
                (_, Some(u64::MAX)) => Some(self.value(a)?),
                (Some(u64::MAX), _) => Some(self.value(b)?),
                (Some(a), Some(b)) => Some(Value::constant(a & b)),
                _ => None,
            },
            _ => None,
        })
    }

    fn constant(&mut self, operand: Operand) -> Result<Option<u64>, Error> {
        Ok(self.value(operand)?.as_constant())
    }

    fn sum(&mut self, a: Operand, b: Operand, factor: i32) -> Result<Option<Value>, Error> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let sum = self.terms.combine(a, b, factor)?;
        Ok(sum.filter(|&sum| self.terms.is_short(sum)))
    }

    fn multiple(&mut self, a: Operand, factor: u64) -> Result<Option<Value>, Error> {
        let a = self.value(a)?;
        match i32::try_from(factor.cast_signed()) {
            Ok(factor) => Ok(self.terms.combine(Value::constant(0), a, factor)?),
            Err(_) => Ok(None),
        }
    }

    /// Returns how a number that is extended from its low bits is made, and its interval, which
    /// lies in that of all such numbers.
    fn extended(
        &mut self,
        number: Operand,
        bits: u32,
        all: Interval,
    ) -> Result<(Kind, Interval), Error> {
        let value = self.value(number)?;
        // A number that is extended already stays the same.
        let interval = self.terms.interval(value);
        let distance = all.start.wrapping_neg();
        let is_extended = interval.plus(distance).is_within(all.span);
        let kind = match bits {
            1..64 => Kind::Extended(value, bits),
            _ => Kind::Opaque,
        };
        Ok((kind, if is_extended { interval } else { all }))
    }

    /// Returns the atom that the result of any other instruction is.
    fn made(&mut self, insn: InsnId, generic: Generic) -> Result<(Kind, Interval), Error> {
        let ty = self.function.insn(insn).ty;
        let (a, b) = (self.operand(insn, 1), self.operand(insn, 2));
        match generic {
            Generic::Fcmp => return Ok((Kind::Opaque, Interval::unsigned(1))),
            Generic::Icmp if ty != LowType::S64 => {
                let kind = self.low_comparison(insn)?;
                return Ok((kind, Interval::unsigned(1)));
            }
            // The type is that of what is compared.
            Generic::Select => {}
            _ if ty != LowType::S64 => return Ok((Kind::Opaque, Interval::ALL)),
            _ => {}
        }
        let bits = b.small().unwrap_or(64).cast_unsigned();
        Ok(match generic {
            Generic::SextInreg | Generic::ZextInreg => {
                let all = match generic {
                    Generic::SextInreg => Interval::signed(bits),
                    _ => Interval::unsigned(bits),
                };
                self.extended(a, bits, all)?
            }
            Generic::Lshr if b.small().is_some() => {
                let a = self.value(a)?;
                let (low, high) = self.terms.interval(a).bounds();
                let bits = bits & 63;
                (Kind::Opaque, Interval::between(low >> bits, high >> bits))
            }
            Generic::Ashr if b.small().is_some() => {
                let a = self.value(a)?;
                (Kind::Opaque, self.terms.interval(a).shifted(bits & 63))
            }
            Generic::Lshr => {
                let a = self.value(a)?;
                let (_, high) = self.terms.interval(a).bounds();
                (Kind::Opaque, Interval::between(0, high))
            }
            Generic::Ashr => {
                let a = self.value(a)?;
                (Kind::Opaque, self.terms.interval(a).shifted_by_any())
            }
            Generic::Add | Generic::Sub | Generic::Mul => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let [a, b] = [a, b].map(|one| self.terms.interval(one));
                let interval = match generic {
                    Generic::Add => a.sum(b),
                    Generic::Sub => a.sum(b.times(-1)),
                    _ => a.product(b),
                };
                (Kind::Opaque, interval)
            }
            Generic::And => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let most = [a, b].map(|one| self.terms.interval(one).bounds().1);
                let most = most[0].min(most[1]);
                (Kind::And(a, b), Interval::between(0, most))
            }
            Generic::Select => {
                let [x, y] = [4, 5].map(|number| self.operand(insn, number));
                let (x, y) = (self.value(x)?, self.value(y)?);
                let [x, y] = [x, y].map(|one| self.terms.interval(one));
                (Kind::Opaque, x.hull(y))
            }
            Generic::Icmp => {
                let predicate = a.as_int_predicate().unwrap_or(IntPredicate::Eq);
                let (a, b) = (self.value(b)?, self.value(self.operand(insn, 3))?);
                (Kind::Comparison(predicate, a, b), Interval::unsigned(1))
            }
            _ => (Kind::Opaque, Interval::ALL),
        })
    }

    /// Returns how the result of a comparison of fewer than 64 bits is made.
    fn low_comparison(&mut self, insn: InsnId) -> Result<Kind, Error> {
        let [a, b] = [2, 3].map(|number| self.operand(insn, number));
        let (a, b) = (self.value(a)?, self.value(b)?);
        let predicate = self.operand(insn, 1).as_int_predicate();
        Ok(
            match (self.function.insn(insn).ty, predicate, b.as_constant()) {
                (LowType::S32, Some(predicate), Some(b)) => {
                    Kind::LowComparison(predicate, a, b as u32)
                }
                _ => Kind::Opaque,
            },
        )
    }

    /// Returns the value of an address, whose first operand has this number.
    fn address(&mut self, insn: InsnId, first: usize) -> Result<Value, Error> {
        let [base, index, scale, disp] = [0, 1, 2, 3].map(|part| self.operand(insn, first + part));
        let base = self.value(base)?;
        let index = self.value(index)?;
        let scale = scale.small().unwrap_or(0);
        let sum = self.terms.combine(base, index, scale)?;
        let disp = self.function.immediate(disp).unwrap_or(0);
        match sum {
            Some(sum) => Ok(sum.plus(disp.cast_unsigned())),
            None => Ok(self.unknown()?),
        }
    }

    fn load(&mut self, insn: InsnId, generic: Generic) -> Result<(), Error> {
        let ty = self.function.insn(insn).ty;
        if self.operand(insn, 1).as_constant().is_some() {
            self.check_constant(insn, ty)?;
            let value = self.result(insn, Kind::Opaque, Interval::ALL)?;
            return self.set_results(insn, value);
        }
        let address = self.address(insn, 1)?;
        self.prove_goal(insn, address, Goal::Access(ty.bytes().into(), Access::Read))?;
        let known = match ty {
            LowType::S64 => self.loaded(insn, address)?,
            _ => None,
        };
        let interval = match generic {
            Generic::SextLoad => Interval::signed(ty.bits()),
            Generic::ZextLoad => Interval::unsigned(ty.bits()),
            _ => Interval::ALL,
        };
        let value = match known {
            Some(value) => value,
            None => self.result(insn, Kind::Opaque, interval)?,
        };
        self.set_results(insn, value)
    }

    /// Ensures that a load from the constant pool is within its entry.
    fn check_constant(&self, insn: InsnId, ty: LowType) -> Result<(), Error> {
        let constant = self.operand(insn, 1).as_constant();
        let constant = constant.and_then(|constant| self.function.constants.get(constant));
        let len = constant.map_or(0, |constant| i64::from(constant.len));
        let disp = self.function.immediate(self.operand(insn, 4));
        let end = disp.map(|disp| disp.saturating_add(ty.bytes().into()));
        let has_index = self.operand(insn, 2) != Operand::NO_REG;
        match (disp, end) {
            (Some(0..), Some(end)) if end <= len && !has_index => Ok(()),
            _ => Err(unproven(insn)),
        }
    }

    /// Returns what is known of 8 bytes at an address that is proven.
    fn loaded(&mut self, insn: InsnId, address: Value) -> Result<Option<Value>, Error> {
        let words = self.confinement;
        if let Some(address) = self.host_address(address) {
            return Ok(match address {
                _ if address == words.stack_pointer => {
                    // That was proven of all that was stored there.
                    let value = self.program_stack()?;
                    let stack = Interval::between(words.stack_low, words.stack_high);
                    self.refine(value, stack)?;
                    Some(value)
                }
                _ if words.symbols().is_some() => None,
                _ if address == words.functions => Some(self.functions),
                _ if address == words.functions_bytes => Some(self.functions_bytes),
                _ => None,
            });
        }
        if self.is_row(address, 8) {
            return Ok(Some(self.result(insn, Kind::Callee, Interval::ALL)?));
        }
        let Some(Kind::Frame(frame)) = self.terms.single(address).map(|atom| atom.kind) else {
            return Ok(None);
        };
        match (self.frame_kind(frame), address.offset) {
            (Some(FrameKind::Incoming(at)), 0) => {
                let lent = self.lent_places.iter().find(|(place, _)| *place == at);
                Ok(lent.map(|&(_, value)| value))
            }
            _ => Ok(None),
        }
    }

    fn store(&mut self, insn: InsnId) -> Result<(), Error> {
        let ty = self.function.insn(insn).ty;
        let address = self.address(insn, 1)?;
        let is_stack_pointer = self.host_address(address) == Some(self.confinement.stack_pointer);
        if is_stack_pointer && ty == LowType::S64 && self.may_set_stack(insn) {
            let value = self.value(self.operand(insn, 0))?;
            self.prove_goal(insn, value, Goal::Stack)?;
            return Ok(self.set_program_stack(value)?);
        }
        let access = Goal::Access(ty.bytes().into(), Access::Write);
        self.prove_goal(insn, address, access)
    }

    fn atomic(&mut self, insn: InsnId, access: Access) -> Result<(), Error> {
        let bytes = self.function.insn(insn).ty.bytes();
        let address = self.value(self.operand(insn, 1))?;
        self.prove_goal(insn, address, Goal::Access(bytes.into(), access))?;
        let value = self.unknown()?;
        self.set_results(insn, value)
    }

    /// Proves that the program's stack pointer is the one that the function was called with.
    fn prove_stack(&mut self, insn: InsnId) -> Result<(), Error> {
        let value = self.program_stack()?;
        self.prove_goal(insn, value, Goal::EntryStack)
    }

    /// Proves that a jump through a table stays in it.
    fn jump(&mut self, insn: InsnId) -> Result<(), Error> {
        let table = { self.function.operands(insn).iter() }.find_map(|operand| operand.as_table());
        let count = table.map_or(0, |table| self.function.table(table).len());
        let count_register = self.unknown()?;
        self.set_count(count_register)?;
        let index = self.value(self.operand(insn, 0))?;
        self.prove_goal(insn, index, Goal::Index(count as u64))
    }

    fn call(&mut self, insn: InsnId) -> Result<(), Error> {
        let mut result = None;
        match helper_of(self.function, insn) {
            Some(helper) => result = self.call_helper(insn, helper)?,
            None => self.callee(insn)?,
        }
        self.forget_all_physical();
        let count = self.unknown()?;
        self.set_count(count)?;
        let result = match result {
            Some(value) => value,
            None => self.result(insn, Kind::Opaque, Interval::ALL)?,
        };
        self.set_results(insn, result)
    }

    /// Proves that a call goes to a function that the program may call, and that the arguments of
    /// the function that copies blocks are right.
    fn callee(&mut self, insn: InsnId) -> Result<(), Error> {
        let callee = self.value(self.operand(insn, 0))?;
        self.prove_goal(insn, callee, Goal::Callee)?;
        let kind = self.terms.single(callee).map(|atom| atom.kind);
        let Some(Kind::Symbol(Symbol::Callee(item))) = kind else {
            return Ok(());
        };
        let item = self.module.resolve(item);
        match self.module.item(item).kind {
            ItemKind::Func(func) if Some(func) == self.confinement.copier => self.copy(insn),
            _ => Ok(()),
        }
    }

    /// Proves that a call of the function that copies blocks may access what it is told to.
    fn copy(&mut self, insn: InsnId) -> Result<(), Error> {
        let mut values = [Value::constant(0); 3];
        for (number, value) in values.iter_mut().enumerate() {
            let reg = self.argument_register(number).ok_or(unproven(insn))?;
            *value = self.physical(reg)?;
        }
        let [to, from, bytes] = values;
        let bytes = bytes.as_constant().filter(|&bytes| bytes >= 8);
        let bytes = bytes.ok_or(unproven(insn))?;
        self.prove_goal(insn, to, Goal::Access(bytes, Access::Write))?;
        self.prove_goal(insn, from, Goal::Access(bytes, Access::Read))
    }

    /// Proves what a routine of the runtime accesses. Returns what is known of its result.
    fn call_helper(&mut self, insn: InsnId, helper: Helper) -> Result<Option<Value>, Error> {
        use Access::{Read, Write};
        let accesses: &[(u64, Access)] = match helper {
            Helper::Fault
            | Helper::FaultWith
            | Helper::FaultAt
            | Helper::OutOfFuel
            | Helper::OutOfFuelAt
            | Helper::AskForFuel
            | Helper::FuelAt => &[],
            Helper::Window => return self.window(insn).map(Some),
            Helper::LdAdd | Helper::LdSub | Helper::LdMul | Helper::LdDiv => {
                &[(16, Write), (16, Read), (16, Read)]
            }
            Helper::LdNeg => &[(16, Write), (16, Read)],
            Helper::LdCompare => &[(16, Read), (16, Read)],
            Helper::LdFromInt | Helper::LdFromUnsigned => &[(16, Write)],
            Helper::LdToInt => &[(16, Read)],
            Helper::LdFromFloat => &[(16, Write), (4, Read)],
            Helper::LdFromDouble => &[(16, Write), (8, Read)],
            Helper::LdToFloat => &[(4, Write), (16, Read)],
            Helper::LdToDouble => &[(8, Write), (16, Read)],
            Helper::FmaFloat | Helper::FmaDouble => &[(24, Write)],
            Helper::FuelWord
            | Helper::StackWord
            | Helper::CopyBlock
            | Helper::VaStart
            | Helper::VaArg
            | Helper::VaBlockArg => return Err(unproven(insn)),
        };
        for (number, &(bytes, access)) in (1..).zip(accesses) {
            let address = self.helper_argument(insn, number)?;
            self.prove_goal(insn, address, Goal::Access(bytes, access))?;
        }
        Ok(None)
    }

    /// Returns an argument of a routine of the runtime, of which number 0 is the runtime itself;
    /// objects have no runtime.
    fn helper_argument(&mut self, insn: InsnId, number: usize) -> Result<Value, Error> {
        let place = number.checked_sub(self.function.is_position_independent.into());
        let reg = place.and_then(|place| self.argument_register(place));
        let reg = reg.ok_or(unproven(insn))?;
        Ok(self.physical(reg)?)
    }

    /// Returns what the table of windows has for an access.
    fn window(&mut self, insn: InsnId) -> Result<Value, Error> {
        let place = self.helper_argument(insn, 2)?.as_constant();
        let place = place.ok_or(unproven(insn))?;
        // A program that may have no windows has no table. Objects do not say where it is.
        let is_right = self.function.is_position_independent
            || self.helper_argument(insn, 4)?.as_constant() == Some(self.confinement.windows);
        if self.confinement.windows == 0 || !is_right {
            return Err(unproven(insn));
        }
        let access = match place >> 32 & 1 {
            0 => Access::Read,
            _ => Access::Write,
        };
        let kind = Kind::Window(place >> 33, access);
        Ok(self.result(insn, kind, Interval::ALL)?)
    }
}
