//! The instructions one by one.

use super::meaning::{Kind, Meaning, meaning};
use super::values::def;
use super::{Translator, VariableLocation};
use crate::codegen::helper::Helper;
use crate::ir::{Class, Code, FaultKind, Flags, InsnId, Operand as IrOperand};
use crate::machine::{BlockId, FloatPredicate, Generic, IntPredicate, LowType, Operand};
use crate::mem::Vec;
use crate::target::error::Error;

impl Translator<'_, '_, '_, '_> {
    pub(super) fn operand(&self, insn: InsnId, number: usize) -> Result<IrOperand, Error> {
        if let Some(reg) = self.module.register_operand(insn, number) {
            return Ok(IrOperand::Reg(reg));
        }
        let operand = self.module.operand(insn, number);
        operand.ok_or_else(|| self.internal())
    }

    pub(super) fn target_label(&self, insn: InsnId, number: usize) -> Result<BlockId, Error> {
        match self.operand(insn, number)? {
            IrOperand::Label(label) => Ok(self.label(label)),
            _ => Err(self.internal()),
        }
    }

    pub(super) fn insn(&mut self, insn: InsnId) -> Result<(), Error> {
        let code = self.module.code(insn);
        match meaning(code) {
            Meaning::Move => self.move_value(insn, code),
            Meaning::Int(generic, ty) => self.int_binary(insn, generic, ty),
            Meaning::Division(generic, ty) => self.division(insn, generic, ty),
            Meaning::Float(generic, kind) => self.float_binary(insn, generic, kind),
            Meaning::FloatNegate(kind) => self.float_negate(insn, kind),
            Meaning::Negate(ty) => self.with_output(insn, Class::Int, |this, to| {
                let a = this.int_operand(insn, 1)?;
                this.emit(Generic::Sub, ty, &[def(to), Operand::imm(0), a])
            }),
            Meaning::Extend(generic, bits) => self.with_output(insn, Class::Int, |this, to| {
                let a = this.int_operand(insn, 1)?;
                let bits = Operand::imm(bits as i32);
                this.emit(generic, LowType::S64, &[def(to), a, bits])
            }),
            Meaning::FromInt(generic, kind) => self.int_to_float(insn, generic, kind),
            Meaning::ToInt(kind) => self.float_to_int(insn, kind),
            Meaning::Convert(to, from) => self.convert(insn, to, from),
            Meaning::Compare(predicate, ty) => self.with_output(insn, Class::Int, |this, to| {
                let (a, b) = (this.int_operand(insn, 1)?, this.int_operand(insn, 2)?);
                let predicate = Operand::int_predicate(predicate);
                this.emit(Generic::Icmp, ty, &[def(to), predicate, a, b])
            }),
            Meaning::CompareFloat(predicate, kind) => self.compare_float(insn, predicate, kind),
            Meaning::Branch(predicate, ty) => {
                let (a, b) = (self.int_operand(insn, 1)?, self.int_operand(insn, 2)?);
                let target = self.target_label(insn, 0)?;
                self.branch_if(predicate, ty, a, b, target)
            }
            Meaning::BranchZero(predicate, ty) => {
                let a = self.int_operand(insn, 1)?;
                let target = self.target_label(insn, 0)?;
                self.branch_if(predicate, ty, a, Operand::imm(0), target)
            }
            Meaning::BranchFloat(predicate, kind) => self.branch_float(insn, predicate, kind),
            Meaning::Overflow(signed, unsigned, plain, ty) => {
                let flagged = match self.overflow_branch(insn) {
                    Some(true) => signed,
                    Some(false) => unsigned,
                    None => None,
                };
                self.overflow(insn, flagged, plain, ty)
            }
            Meaning::BranchOverflow(predicate) => {
                let target = self.target_label(insn, 0)?;
                let flag = self.overflow.ok_or(self.internal())?.into();
                self.branch_if(predicate, LowType::S64, flag, Operand::imm(0), target)
            }
            Meaning::Operation(operation, ty) => self.operation(insn, operation, ty),
            Meaning::Special => self.special(insn, code),
        }
    }

    fn int_to_float(&mut self, insn: InsnId, generic: Generic, kind: Kind) -> Result<(), Error> {
        self.with_output(insn, kind.class(), |this, to| {
            let a = this.int_operand(insn, 1)?;
            if kind == Kind::Long {
                return this.long_from_int(generic, to, a);
            }
            let ty = this.type_of(kind.class());
            this.emit(generic, ty, &[def(to), a])
        })
    }

    fn float_to_int(&mut self, insn: InsnId, kind: Kind) -> Result<(), Error> {
        self.with_output(insn, Class::Int, |this, to| {
            let a = this.float_operand(insn, 1, kind)?;
            if kind == Kind::Long {
                return this.long_to_int(to, a);
            }
            let ty = this.type_of(kind.class());
            this.emit(Generic::FptosiSat, ty, &[def(to), a])
        })
    }

    pub(super) fn int_operand(&mut self, insn: InsnId, number: usize) -> Result<Operand, Error> {
        let operand = self.operand(insn, number)?;
        self.int(operand)
    }

    pub(super) fn float_operand(
        &mut self,
        insn: InsnId,
        number: usize,
        kind: Kind,
    ) -> Result<Operand, Error> {
        let operand = self.operand(insn, number)?;
        self.float(operand, kind)
    }

    /// Computes the first operand, an output of this class.
    pub(super) fn with_output(
        &mut self,
        insn: InsnId,
        class: Class,
        compute: impl FnOnce(&mut Self, Operand) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let output = self.operand(insn, 0)?;
        let to = self.output(output, class)?;
        compute(self, to)?;
        self.finish(output, class, to)
    }

    /// Translates a move, without a temporary register if one side is in a register already.
    fn move_value(&mut self, insn: InsnId, code: Code) -> Result<(), Error> {
        let class = code.modes().first().and_then(|mode| mode.class());
        let class = class.unwrap_or(Class::Int);
        let (output, input) = (self.operand(insn, 0)?, self.operand(insn, 1)?);
        if class == Class::LongDouble {
            let from = self.long_double(input)?;
            let to = match output {
                IrOperand::Mem(mem) => self.address(&mem)?,
                _ => super::values::no_index(self.output(output, class)?, 0),
            };
            return self.copy_bytes(to, super::values::no_index(from, 0), 16);
        }
        let kind = if class == Class::Float {
            Kind::Float
        } else {
            Kind::Double
        };
        if let IrOperand::Mem(mem) = output {
            let value = match class {
                Class::Int => self.int(input)?,
                _ => self.float(input, kind)?,
            };
            let address = self.address(&mem)?;
            return self.store(value, mem.ty, address);
        }
        let to = self.output(output, class)?;
        match (input, class) {
            (IrOperand::Mem(mem), _) => {
                let address = self.address(&mem)?;
                self.load_into(to, mem.ty, address)?;
            }
            (_, Class::Int) => {
                let value = self.int(input)?;
                self.set(to, value)?;
            }
            _ => {
                let value = self.float(input, kind)?;
                self.copy(to, value)?;
            }
        }
        self.finish(output, class, to)
    }

    fn int_binary(&mut self, insn: InsnId, generic: Generic, ty: LowType) -> Result<(), Error> {
        self.with_output(insn, Class::Int, |this, to| {
            let (a, b) = (this.int_operand(insn, 1)?, this.int_operand(insn, 2)?);
            this.emit(generic, ty, &[def(to), a, b])
        })
    }

    fn float_binary(&mut self, insn: InsnId, generic: Generic, kind: Kind) -> Result<(), Error> {
        self.with_output(insn, kind.class(), |this, to| {
            let a = this.float_operand(insn, 1, kind)?;
            let b = this.float_operand(insn, 2, kind)?;
            if kind == Kind::Long {
                return this.long_binary(generic, to, a, b);
            }
            let ty = this.type_of(kind.class());
            this.emit(generic, ty, &[def(to), a, b])
        })
    }

    fn float_negate(&mut self, insn: InsnId, kind: Kind) -> Result<(), Error> {
        self.with_output(insn, kind.class(), |this, to| {
            let a = this.float_operand(insn, 1, kind)?;
            if kind == Kind::Long {
                return this.long_negate(to, a);
            }
            let ty = this.type_of(kind.class());
            this.emit(Generic::Fneg, ty, &[def(to), a])
        })
    }

    fn convert(&mut self, insn: InsnId, to_kind: Kind, from: Kind) -> Result<(), Error> {
        self.with_output(insn, to_kind.class(), |this, to| {
            let a = this.float_operand(insn, 1, from)?;
            match (to_kind, from) {
                (Kind::Long, _) => this.long_extend(to, from, a),
                (_, Kind::Long) => this.long_truncate(to, to_kind, a),
                (Kind::Double, _) => {
                    let operands = [def(to), a, Operand::imm(32)];
                    this.emit(Generic::Fpext, LowType::S64, &operands)
                }
                _ => {
                    let operands = [def(to), a, Operand::imm(64)];
                    this.emit(Generic::Fptrunc, LowType::S32, &operands)
                }
            }
        })
    }

    fn compare_float(
        &mut self,
        insn: InsnId,
        predicate: FloatPredicate,
        kind: Kind,
    ) -> Result<(), Error> {
        self.with_output(insn, Class::Int, |this, to| {
            let a = this.float_operand(insn, 1, kind)?;
            let b = this.float_operand(insn, 2, kind)?;
            if kind == Kind::Long && !this.isa.description().has_long_double(Generic::Fcmp) {
                let outcome = this.long_compare(predicate, a, b)?;
                return this.truth(to, outcome);
            }
            let ty = this.type_of(kind.class());
            let predicate = Operand::float_predicate(predicate);
            this.emit(Generic::Fcmp, ty, &[def(to), predicate, a, b])
        })
    }

    fn branch_float(
        &mut self,
        insn: InsnId,
        predicate: FloatPredicate,
        kind: Kind,
    ) -> Result<(), Error> {
        let a = self.float_operand(insn, 1, kind)?;
        let b = self.float_operand(insn, 2, kind)?;
        let target = self.target_label(insn, 0)?;
        if kind == Kind::Long && !self.isa.description().has_long_double(Generic::BrFcmp) {
            let outcome = self.long_compare(predicate, a, b)?;
            let zero = Operand::imm(0);
            return self.branch_if(IntPredicate::Ne, LowType::S64, outcome, zero, target);
        }
        let ty = self.type_of(kind.class());
        let operands = [
            Operand::float_predicate(predicate),
            a,
            b,
            Operand::block(target),
        ];
        self.emit(Generic::BrFcmp, ty, &operands)?;
        self.go_on()
    }

    /// A new block for what follows a conditional branch.
    pub(super) fn go_on(&mut self) -> Result<(), Error> {
        let next = self.function.add_block()?;
        self.start(next)
    }

    /// Goes to the block if the comparison holds, else on in a new block.
    pub(super) fn branch_if(
        &mut self,
        predicate: IntPredicate,
        ty: LowType,
        a: Operand,
        b: Operand,
        target: BlockId,
    ) -> Result<(), Error> {
        let operands = [
            Operand::int_predicate(predicate),
            a,
            b,
            Operand::block(target),
        ];
        self.emit(Generic::BrIcmp, ty, &operands)?;
        self.go_on()
    }

    /// Division: the divisor is tested first, for zero and where the machine needs it for -1.
    fn division(&mut self, insn: InsnId, generic: Generic, ty: LowType) -> Result<(), Error> {
        self.with_output(insn, Class::Int, |this, to| {
            let (a, b) = (this.int_operand(insn, 1)?, this.int_operand(insn, 2)?);
            let signed = matches!(generic, Generic::Sdiv | Generic::Srem);
            let constant = this.function.immediate(b).map(|value| match ty {
                LowType::S32 => i64::from(value as i32),
                _ => value,
            });
            if constant.is_none_or(|value| value == 0) {
                let fault = this.fault_block(FaultKind::DivisionByZero)?;
                let zero = Operand::imm(0);
                this.branch_if(IntPredicate::Eq, ty, b, zero, fault)?;
            }
            match constant {
                Some(-1) if signed => this.divide_by_minus_one(to, generic, ty, a),
                None if signed && this.isa.description().division_traps => {
                    this.guarded_division(to, generic, ty, a, b)
                }
                _ => this.emit(generic, ty, &[def(to), a, b]),
            }
        })
    }

    fn divide_by_minus_one(
        &mut self,
        to: Operand,
        generic: Generic,
        ty: LowType,
        a: Operand,
    ) -> Result<(), Error> {
        let zero = Operand::imm(0);
        if generic == Generic::Srem {
            return self.set(to, zero);
        }
        self.emit(Generic::Sub, ty, &[def(to), zero, a])
    }

    fn guarded_division(
        &mut self,
        to: Operand,
        generic: Generic,
        ty: LowType,
        a: Operand,
        b: Operand,
    ) -> Result<(), Error> {
        let (special, join) = (self.function.add_block()?, self.function.add_block()?);
        self.cold.push(special)?;
        self.branch_if(IntPredicate::Eq, ty, b, Operand::imm(-1), special)?;
        self.emit(generic, ty, &[def(to), a, b])?;
        let back = core::mem::replace(&mut self.block, special);
        self.divide_by_minus_one(to, generic, ty, a)?;
        self.emit(Generic::Br, LowType::S64, &[Operand::block(join)])?;
        self.block = back;
        self.start(join)
    }

    /// Returns the flag that the branch after an overflow instruction tests: the signed one, the
    /// unsigned one, or none.
    fn overflow_branch(&self, insn: InsnId) -> Option<bool> {
        let sets = Flags::SETS_SIGNED.union(Flags::SETS_UNSIGNED);
        let keeps_flags = |code: Code| {
            code != Code::Label && !code.ends_block() && !code.flags().intersects(sets)
        };
        let mut next = self.module.next(insn)?;
        while keeps_flags(self.module.code(next)) {
            next = self.module.next(next)?;
        }
        let flags = self.module.code(next).flags();
        if flags.contains(Flags::TESTS_SIGNED) {
            Some(true)
        } else {
            flags.contains(Flags::TESTS_UNSIGNED).then_some(false)
        }
    }

    fn overflow(
        &mut self,
        insn: InsnId,
        flagged: Option<Generic>,
        plain: Generic,
        ty: LowType,
    ) -> Result<(), Error> {
        let Some(generic) = flagged else {
            return self.int_binary(insn, plain, ty);
        };
        let flag = self.vreg(crate::machine::Bank::General, LowType::S64)?;
        self.overflow = Some(flag);
        self.with_output(insn, Class::Int, |this, to| {
            let (a, b) = (this.int_operand(insn, 1)?, this.int_operand(insn, 2)?);
            this.emit(generic, ty, &[def(to), def(flag.into()), a, b])
        })
    }

    fn special(&mut self, insn: InsnId, code: Code) -> Result<(), Error> {
        match code {
            Code::Jmp => {
                let target = self.target_label(insn, 0)?;
                self.branch(target)
            }
            Code::Switch => self.switch(insn),
            Code::Laddr => {
                let IrOperand::Label(label) = self.operand(insn, 1)? else {
                    return Err(self.internal());
                };
                self.with_output(insn, Class::Int, |this, to| this.label_address(to, label))
            }
            Code::Jmpi => {
                let to = self.operand(insn, 0)?;
                let to = self.int_register(to)?;
                self.jump_to(to)
            }
            Code::Call | Code::Inline => self.call(insn),
            Code::Jcall => self.jump_call(insn),
            Code::Ret => self.ret(insn),
            Code::Jret => {
                let to = self.operand(insn, 0)?;
                let to = self.int(to)?;
                self.store_fuel()?;
                // A register that the epilogue leaves alone.
                let result = self.isa.registers().int_results.first().copied();
                let register = result.ok_or(self.internal())?;
                self.set_physical(register, to)?;
                let to = Operand::reg(register);
                self.emit(Generic::TailJump, LowType::S64, &[to])?;
                self.is_open = false;
                Ok(())
            }
            Code::Addr | Code::Addr8 | Code::Addr16 | Code::Addr32 => {
                self.address_of_variable(insn, code)
            }
            Code::Alloca => self.alloca(insn),
            Code::Bstart => self.with_output(insn, Class::Int, |this, to| {
                this.function.has_dynamic_stack = true;
                this.emit(Generic::Stacksave, LowType::S64, &[def(to)])
            }),
            Code::Bend => {
                let from = self.operand(insn, 0)?;
                let from = self.int_register(from)?;
                self.emit(Generic::Stackrestore, LowType::S64, &[from])
            }
            Code::VaStart => self.va_start(insn),
            Code::VaArg => self.va_arg(insn),
            Code::VaBlockArg => self.va_block_arg(insn),
            Code::VaEnd => Ok(()),
            Code::Ensure => self.ensure(insn),
            Code::Fence => self.fence(insn),
            _ if code.is_atomic() => self.atomic(insn, code),
            Code::Reach => self.reach(insn),
            Code::Prset => self.set_property(insn),
            Code::Prbeq | Code::Prbne => self.property_branch(insn, code),
            _ => Err(self.internal()),
        }
    }

    fn switch(&mut self, insn: InsnId) -> Result<(), Error> {
        let index = self.operand(insn, 0)?;
        let index = self.int_register(index)?;
        let mut blocks = Vec::new(self.function.allocator());
        for operand in self.module.operands(insn).skip(1) {
            if let IrOperand::Label(label) = operand {
                blocks.push(self.label(label))?;
            }
        }
        let count = self.function.int(blocks.len() as i64)?;
        let fault = self.fault_block(FaultKind::SwitchRange)?;
        self.branch_if(IntPredicate::Uge, LowType::S64, index, count, fault)?;
        let table = self.function.add_table(&blocks)?;
        self.emit(Generic::Brjt, LowType::S64, &[index, Operand::table(table)])?;
        self.is_open = false;
        Ok(())
    }

    fn address_of_variable(&mut self, insn: InsnId, code: Code) -> Result<(), Error> {
        let IrOperand::Reg(variable) = self.operand(insn, 1)? else {
            return Err(self.internal());
        };
        let VariableLocation::Memory(frame) = self.variable(variable)? else {
            return Err(self.internal());
        };
        let disp = match code {
            _ if !self.isa.target().big_endian => 0,
            Code::Addr8 => 7,
            Code::Addr16 => 6,
            Code::Addr32 => 4,
            _ => 0,
        };
        self.with_output(insn, Class::Int, |this, to| {
            let operands = [def(to), Operand::frame(frame), Operand::imm(disp)];
            this.emit(Generic::FrameIndex, LowType::S64, &operands)
        })
    }

    fn alloca(&mut self, insn: InsnId) -> Result<(), Error> {
        let (output, size) = (self.operand(insn, 0)?, self.operand(insn, 1)?);
        if let IrOperand::Reg(reg) = output
            && let VariableLocation::Address(_) = self.variable(reg)?
        {
            return Ok(());
        }
        self.function.has_dynamic_stack = true;
        let bytes = self.int(size)?;
        let bytes = match self.function.immediate(bytes) {
            Some(bytes) => self.constant_room(bytes)?,
            None => self.computed_room(bytes)?,
        };
        self.check_room(bytes)?;
        let to = self.output(output, Class::Int)?;
        self.emit(Generic::DynStackalloc, LowType::S64, &[def(to), bytes])?;
        self.finish(output, Class::Int, to)
    }

    /// Returns a constant number of bytes as `alloca` takes it: at least 1, rounded up.
    fn constant_room(&mut self, bytes: i64) -> Result<Operand, Error> {
        let align = self.isa.target().alloca_align;
        let bytes = bytes.max(1).cast_unsigned();
        let rounded = bytes.checked_next_multiple_of(u64::from(align));
        let rounded = rounded.unwrap_or(u64::MAX >> 1);
        self.function
            .int(rounded.cast_signed())
            .map_err(Error::from)
    }

    /// Emits code that brings a number of bytes to what `alloca` takes: at least 1, rounded up.
    /// Rounding a number that is too large for that yields 2^63, for which there is no room.
    fn computed_room(&mut self, bytes: Operand) -> Result<Operand, Error> {
        let align = self.isa.target().alloca_align as i32;
        let predicate = Operand::int_predicate(IntPredicate::Slt);
        let is_less = self.temp()?;
        let operands = [def(is_less), predicate, bytes, Operand::imm(1)];
        self.emit(Generic::Icmp, LowType::S64, &operands)?;
        // All ones where the number counts, 0 where 1 counts instead.
        let mask = self.binary(Generic::Add, is_less, Operand::imm(-1))?;
        let counted = self.binary(Generic::And, bytes, mask)?;
        let least = self.binary(Generic::Add, counted, is_less)?;
        let sum = self.binary(Generic::Add, least, Operand::imm(align - 1))?;
        self.binary(Generic::And, sum, Operand::imm(-align))
    }

    fn binary(&mut self, generic: Generic, a: Operand, b: Operand) -> Result<Operand, Error> {
        let result = self.temp()?;
        self.emit(generic, LowType::S64, &[def(result), a, b])?;
        Ok(result)
    }

    fn va_start(&mut self, insn: InsnId) -> Result<(), Error> {
        let list = self.int_operand(insn, 0)?;
        let image = self.image.ok_or(self.internal())?;
        let stack = self.incoming_start()?;
        let named = self.named;
        let used = u64::from(named.ints)
            | u64::from(named.floats) << 8
            | u64::from(named.placed.min(0xFFFF)) << 16
            | u64::from(named.stack) << 32;
        let used = self.function.int(used.cast_signed())?;
        let arguments = [list, Operand::frame(image), Operand::frame(stack), used];
        self.call_helper(Helper::VaStart, &arguments)?;
        Ok(())
    }

    fn va_arg(&mut self, insn: InsnId) -> Result<(), Error> {
        let IrOperand::Mem(mem) = self.operand(insn, 2)? else {
            return Err(self.internal());
        };
        self.with_output(insn, Class::Int, |this, to| {
            let list = this.int_operand(insn, 1)?;
            let ty = Operand::imm(mem.ty as i32);
            let address = this.call_helper(Helper::VaArg, &[list, ty])?;
            this.copy(to, address)
        })
    }

    fn va_block_arg(&mut self, insn: InsnId) -> Result<(), Error> {
        let mut arguments = [Operand::NO_REG; 4];
        for (number, argument) in arguments.iter_mut().enumerate() {
            *argument = self.int_operand(insn, number)?;
        }
        self.call_helper(Helper::VaBlockArg, &arguments)?;
        Ok(())
    }
}
