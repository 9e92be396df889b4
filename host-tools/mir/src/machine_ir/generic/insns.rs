//! Conversion of generic instructions to LLVM's.

use super::control::block;
use super::{GenericConverter, Result, used};
use llvm_mir::model::{
    Float, IntPredicate, LowType, Operand, OperandFlags, OperandKind, Register, StackObject,
};
use llvm_mir::target::Isa as LlvmIsa;
use mir_nostd::machine::{self, Generic, InsnId, LowType as Type};

/// The upper bound (exclusive) of 64-bit integers.
const LIMIT: f64 = 9_223_372_036_854_775_808.0;

impl GenericConverter<'_, '_, '_> {
    /// Converts an instruction, after which the instructions `behind` come in its block.
    pub(super) fn insn(&mut self, id: InsnId, behind: &[InsnId]) -> Result<()> {
        use Generic as G;
        let (insn, operands) = (*self.from.insn(id), self.from.operands(id).to_vec());
        let generic = insn
            .opcode
            .generic()
            .ok_or("an instruction behind selection")?;
        self.begin_stack_arguments(generic, &operands)?;
        if insn.ty == Type::S80 {
            return self.long_double(generic, &operands);
        }
        let bits = insn.ty.bits();
        match generic {
            G::PropertySet | G::PropertyMove => Ok(()),
            G::FConstant => self.float_constant(&operands, insn.ty),
            G::Store => {
                let value = self.source(operands[0], bits)?;
                let address = self.address(&operands[1..5])?;
                self.store(value, address)
            }
            G::Rotl if self.is_x86_64() => self.rotation(&operands, bits),
            G::Saddo | G::Ssubo | G::Smulo | G::Umulo if self.is_x86_64() => {
                self.overflow_spelt_out(generic, &operands, bits)
            }
            G::Saddo | G::Uaddo | G::Ssubo | G::Usubo | G::Smulo | G::Umulo => {
                self.with_overflow(generic, &operands, bits)
            }
            G::BrIcmp | G::BrFcmp => {
                let bit = self.comparison(&operands[..3], bits)?;
                let to = block(operands[3])?;
                self.plain("G_BRCOND", vec![used(bit), to])
            }
            G::Br => {
                let to = block(operands[0])?;
                self.plain("G_BR", vec![to])
            }
            G::Brjt => self.table_branch(&operands),
            G::Brindirect => self.indirect_branch(operands[0]),
            G::BlockAddr => self.block_address(&operands),
            G::Call => self.call(&operands, behind),
            G::Ret => self.ret(&operands),
            G::Fpext | G::Fptrunc | G::Fneg | G::FptosiSat | G::Sitofp | G::Uitofp => {
                self.conversion(generic, &operands, bits)
            }
            G::Ctlz | G::Cttz | G::Ctpop | G::Bswap | G::Bitreverse => {
                self.unary(generic, &operands, bits, bits)
            }
            G::Fsqrt | G::Ffloor | G::Fceil | G::Ftrunc | G::Froundeven => {
                self.unary(generic, &operands, bits, bits)
            }
            G::Stackrestore => {
                let value = self.source(operands[0], 64)?;
                let saved = self.value("G_INTTOPTR", LowType::pointer(0), vec![used(value)])?;
                self.plain("G_STACKRESTORE", vec![used(saved)])
            }
            _ => {
                let value = self.computed(generic, &operands, bits)?;
                self.set(operands[0], value)
            }
        }
    }

    fn is_x86_64(&self) -> bool {
        self.target.isa() == LlvmIsa::X86_64
    }

    /// Computes the one value of an instruction: a copy, a constant, an address, the content of
    /// memory, or what [`GenericConverter::arithmetic`] computes.
    fn computed(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        bits: u32,
    ) -> Result<Register> {
        use Generic as G;
        match generic {
            // Scalars of LLVM have no banks.
            G::Copy | G::Bitcast => self.source(operands[1], bits),
            G::ImplicitDef => self.value("G_IMPLICIT_DEF", LowType::scalar(bits), Vec::new()),
            G::Constant => self.source(operands[1], 64),
            G::GlobalValue => {
                let symbol = operands[1].as_symbol().ok_or("a symbol without number")?;
                let address = self.global(symbol)?;
                self.address_as_int(address)
            }
            G::FrameIndex => {
                let none = machine::Operand::NO_REG;
                let parts = [operands[1], none, machine::Operand::imm(1), operands[2]];
                let address = self.address(&parts)?;
                self.address_as_int(address)
            }
            G::Load | G::SextLoad | G::ZextLoad => {
                let address = self.address(&operands[1..5])?;
                if generic == G::Load || bits == 64 {
                    self.load("G_LOAD", bits, address, bits)
                } else {
                    self.load(generic.name(), 64, address, bits)
                }
            }
            G::DynStackalloc => {
                let size = self.source(operands[1], 64)?;
                let operation = vec![used(size), Operand::imm(16)];
                let address = self.value("G_DYN_STACKALLOC", LowType::pointer(0), operation)?;
                self.to.stack.push(StackObject {
                    kind: llvm_mir::model::ObjectKind::VariableSized,
                    alignment: 16,
                    ..StackObject::default()
                });
                self.address_as_int(address)
            }
            G::Stacksave => {
                let saved = self.value("G_STACKSAVE", LowType::pointer(0), Vec::new())?;
                self.address_as_int(saved)
            }
            _ => self.arithmetic(generic, operands, bits),
        }
    }

    /// Computes a shift or rotation, by the count modulo the width.
    fn shift(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        bits: u32,
    ) -> Result<Register> {
        let ty = LowType::scalar(bits);
        let a = self.source(operands[1], bits)?;
        let count = self.source(operands[2], bits)?;
        let mask = self.constant(bits, i64::from(bits) - 1)?;
        let count = self.value("G_AND", ty, vec![used(count), used(mask)])?;
        self.value(generic.name(), ty, vec![used(a), used(count)])
    }

    /// Computes the value of an extension, a shift, a comparison, a selection, or an operation on
    /// two values.
    fn arithmetic(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        bits: u32,
    ) -> Result<Register> {
        use Generic as G;
        let (ty, word) = (LowType::scalar(bits), LowType::scalar(64));
        match generic {
            G::SextInreg => {
                let value = self.source(operands[1], 64)?;
                let width = Operand::imm(self.from.immediate(operands[2]).unwrap_or(64));
                self.value("G_SEXT_INREG", word, vec![used(value), width])
            }
            G::ZextInreg => {
                let width = self.from.immediate(operands[2]).unwrap_or(32) as u32;
                let value = self.source(operands[1], width)?;
                self.value("G_ZEXT", word, vec![used(value)])
            }
            G::Shl | G::Lshr | G::Ashr | G::Rotl => self.shift(generic, operands, bits),
            G::Icmp | G::Fcmp => {
                let bit = self.comparison(&operands[1..4], bits)?;
                self.value("G_ZEXT", word, vec![used(bit)])
            }
            G::Select => {
                let bit = self.comparison(&operands[1..4], bits)?;
                let x = self.source(operands[4], 64)?;
                let y = self.source(operands[5], 64)?;
                self.value("G_SELECT", word, vec![used(bit), used(x), used(y)])
            }
            G::Add
            | G::Sub
            | G::Mul
            | G::Smulh
            | G::Umulh
            | G::Sdiv
            | G::Udiv
            | G::Srem
            | G::Urem
            | G::And
            | G::Or
            | G::Xor
            | G::Fadd
            | G::Fsub
            | G::Fmul
            | G::Fdiv
            | G::Fcopysign
            | G::Fminimumnum
            | G::Fmaximumnum => {
                let a = self.source(operands[1], bits)?;
                let b = self.source(operands[2], bits)?;
                if generic == G::Smulh && self.is_x86_64() {
                    return self.upper_half((a, b), 64, true);
                }
                self.value(generic.name(), ty, vec![used(a), used(b)])
            }
            G::Fma => {
                let [a, b, c] = [1, 2, 3].map(|number| self.source(operands[number], bits));
                let sources = vec![used(a?), used(b?), used(c?)];
                self.value(generic.name(), ty, sources)
            }
            _ => Err(format!("{} has no form in LLVM yet", generic.name())),
        }
    }

    /// Converts an operation on one floating value, or between a float and an integer.
    fn conversion(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        bits: u32,
    ) -> Result<()> {
        match generic {
            Generic::Fpext | Generic::Fptrunc => {
                let width = self.from.immediate(operands[2]).unwrap_or(32) as u32;
                if width > 64 {
                    return self.shortened(operands, bits);
                }
                self.unary(generic, operands, width, bits)
            }
            Generic::FptosiSat if self.target.isa() != LlvmIsa::Aarch64 => {
                let value = self.source(operands[1], bits)?;
                let converted = self.value("G_FPTOSI", LowType::scalar(64), vec![used(value)])?;
                self.saturated(operands[0], value, converted)
            }
            Generic::FptosiSat => self.unary(generic, operands, bits, 64),
            Generic::Sitofp | Generic::Uitofp => self.unary(generic, operands, 64, bits),
            _ => self.unary(generic, operands, bits, bits),
        }
    }

    pub(super) fn float_constant(&mut self, operands: &[machine::Operand], ty: Type) -> Result<()> {
        let bits = self
            .from
            .immediate(operands[1])
            .unwrap_or(0)
            .cast_unsigned();
        let float = match ty {
            Type::S32 => Float::single(f32::from_bits(bits as u32)),
            _ => Float::double(f64::from_bits(bits)),
        };
        let float = OperandKind::Float(Box::new(float));
        let value = self.value(
            "G_FCONSTANT",
            LowType::scalar(ty.bits()),
            vec![float.into()],
        )?;
        self.set(operands[0], value)
    }

    pub(super) fn unary(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        from: u32,
        to: u32,
    ) -> Result<()> {
        let value = self.source(operands[1], from)?;
        let value = self.value(generic.name(), LowType::scalar(to), vec![used(value)])?;
        self.set(operands[0], value)
    }

    /// Converts to an integer where LLVM has no saturating form, by comparisons with the bounds and
    /// for NaN.
    pub(super) fn saturated(
        &mut self,
        to: machine::Operand,
        value: Register,
        converted: Register,
    ) -> Result<()> {
        use llvm_mir::model::FloatPredicate as P;
        let word = LowType::scalar(64);
        let mut result = converted;
        for (predicate, bound, instead) in [
            (P::Oge, LIMIT, i64::MAX),
            (P::Olt, -LIMIT, i64::MIN),
            (P::Uno, 0.0, 0),
        ] {
            let bound = self.float(bound, self.bits(value))?;
            let predicate = OperandKind::FloatPredicate(predicate).into();
            let comparison = vec![predicate, used(value), used(bound)];
            let bit = self.value("G_FCMP", LowType::scalar(1), comparison)?;
            let instead = self.constant(64, instead)?;
            let choice = vec![used(bit), used(instead), used(result)];
            result = self.value("G_SELECT", word, choice)?;
        }
        self.set(to, result)
    }

    /// Returns one of the bounds of conversions.
    pub(super) fn float(&mut self, value: f64, bits: u32) -> Result<Register> {
        let float = match bits {
            32 => Float::single(value as f32),
            64 => Float::double(value),
            _ => return self.long_bound(value),
        };
        let float = OperandKind::Float(Box::new(float)).into();
        self.value("G_FCONSTANT", LowType::scalar(bits), vec![float])
    }

    pub(super) fn with_overflow(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        bits: u32,
    ) -> Result<()> {
        let (a, b) = (
            self.source(operands[2], bits)?,
            self.source(operands[3], bits)?,
        );
        let (value, flag) = (
            self.new_register(LowType::scalar(bits)),
            self.new_register(LowType::scalar(1)),
        );
        let def = |register| Operand::reg(register, OperandFlags::DEF);
        self.plain(
            generic.name(),
            vec![def(value), def(flag), used(a), used(b)],
        )?;
        let flag = self.value("G_ZEXT", LowType::scalar(64), vec![used(flag)])?;
        self.set(operands[0], value)?;
        self.set(operands[1], flag)
    }

    /// Computes overflow where LLVM has no instruction for it.
    pub(super) fn overflow_spelt_out(
        &mut self,
        generic: Generic,
        operands: &[machine::Operand],
        bits: u32,
    ) -> Result<()> {
        use Generic as G;
        let ty = LowType::scalar(bits);
        let (a, b) = (
            self.source(operands[2], bits)?,
            self.source(operands[3], bits)?,
        );
        let name = match generic {
            G::Saddo => "G_ADD",
            G::Ssubo => "G_SUB",
            _ => "G_MUL",
        };
        let value = self.value(name, ty, vec![used(a), used(b)])?;
        let (predicate, left, right) = if generic == G::Saddo || generic == G::Ssubo {
            // The result overflows if its sign differs from that of `a` although the sign of `b`
            // excludes that.
            let with_b = if generic == G::Saddo { value } else { a };
            let first = self.value("G_XOR", ty, vec![used(a), used(value)])?;
            let second = self.value("G_XOR", ty, vec![used(b), used(with_b)])?;
            let both = self.value("G_AND", ty, vec![used(first), used(second)])?;
            (IntPredicate::Slt, both, self.constant(bits, 0)?)
        } else {
            // The upper half of the product tells whether it overflows.
            let is_signed = generic == G::Smulo;
            let upper = self.upper_half((a, b), bits, is_signed)?;
            let expected = if is_signed {
                let count = self.constant(bits, i64::from(bits) - 1)?;
                self.value("G_ASHR", ty, vec![used(value), used(count)])?
            } else {
                self.constant(bits, 0)?
            };
            (IntPredicate::Ne, upper, expected)
        };
        let predicate = OperandKind::IntPredicate(predicate).into();
        let comparison = vec![predicate, used(left), used(right)];
        let bit = self.value("G_ICMP", LowType::scalar(1), comparison)?;
        let flag = self.value("G_ZEXT", LowType::scalar(64), vec![used(bit)])?;
        self.set(operands[0], value)?;
        self.set(operands[1], flag)
    }

    pub(super) fn upper_half(
        &mut self,
        (a, b): (Register, Register),
        bits: u32,
        is_signed: bool,
    ) -> Result<Register> {
        if bits == 64 {
            let upper = self.value("G_UMULH", LowType::scalar(64), vec![used(a), used(b)])?;
            return if is_signed {
                self.signed_upper_half(upper, (a, b))
            } else {
                Ok(upper)
            };
        }
        let word = LowType::scalar(64);
        let name = if is_signed { "G_SEXT" } else { "G_ZEXT" };
        let a = self.value(name, word, vec![used(a)])?;
        let b = self.value(name, word, vec![used(b)])?;
        let product = self.value("G_MUL", word, vec![used(a), used(b)])?;
        let count = self.constant(64, i64::from(bits))?;
        let upper = self.value("G_LSHR", word, vec![used(product), used(count)])?;
        self.resized(upper, bits)
    }

    /// Returns the signed upper half of a product, computed from the unsigned one: LLVM selects no
    /// valid code for `G_SMULH`.
    fn signed_upper_half(
        &mut self,
        upper: Register,
        (a, b): (Register, Register),
    ) -> Result<Register> {
        let word = LowType::scalar(64);
        let mut result = upper;
        for (sign_of, other) in [(a, b), (b, a)] {
            let count = self.constant(64, 63)?;
            let mask = self.value("G_ASHR", word, vec![used(sign_of), used(count)])?;
            let part = self.value("G_AND", word, vec![used(mask), used(other)])?;
            result = self.value("G_SUB", word, vec![used(result), used(part)])?;
        }
        Ok(result)
    }

    /// Converts a rotate where LLVM has none.
    pub(super) fn rotation(&mut self, operands: &[machine::Operand], bits: u32) -> Result<()> {
        let ty = LowType::scalar(bits);
        let (a, count) = (
            self.source(operands[1], bits)?,
            self.source(operands[2], bits)?,
        );
        let (zero, mask) = (
            self.constant(bits, 0)?,
            self.constant(bits, i64::from(bits) - 1)?,
        );
        let left = self.value("G_AND", ty, vec![used(count), used(mask)])?;
        let right = self.value("G_SUB", ty, vec![used(zero), used(count)])?;
        let right = self.value("G_AND", ty, vec![used(right), used(mask)])?;
        let left = self.value("G_SHL", ty, vec![used(a), used(left)])?;
        let right = self.value("G_LSHR", ty, vec![used(a), used(right)])?;
        let value = self.value("G_OR", ty, vec![used(left), used(right)])?;
        self.set(operands[0], value)
    }

    /// Returns the bit that a comparison computes from a predicate and two values.
    pub(super) fn comparison(
        &mut self,
        operands: &[machine::Operand],
        bits: u32,
    ) -> Result<Register> {
        let (a, b) = (
            self.source(operands[1], bits)?,
            self.source(operands[2], bits)?,
        );
        self.compared(operands[0], a, b)
    }

    /// Returns the bit that says whether a predicate holds.
    pub(super) fn compared(
        &mut self,
        operand: machine::Operand,
        a: Register,
        b: Register,
    ) -> Result<Register> {
        let (name, predicate) = predicate(operand)?;
        self.value(name, LowType::scalar(1), vec![predicate, used(a), used(b)])
    }
}

/// Returns a predicate and the comparison that takes it. LLVM's words for predicates are the same.
fn predicate(operand: machine::Operand) -> Result<(&'static str, Operand)> {
    use llvm_mir::model::FloatPredicate;
    if let Some(ours) = operand.as_int_predicate() {
        let mut table = IntPredicate::TABLE.iter();
        let found = table.find(|(_, word)| *word == ours.name());
        let found = found.ok_or("LLVM has no such predicate")?;
        return Ok(("G_ICMP", OperandKind::IntPredicate(found.0).into()));
    }
    let ours = operand
        .as_float_predicate()
        .ok_or("a comparison without predicate")?;
    let mut table = FloatPredicate::TABLE.iter();
    let found = table.find(|(_, word)| *word == ours.name());
    let found = found.ok_or("LLVM has no such predicate")?;
    Ok(("G_FCMP", OperandKind::FloatPredicate(found.0).into()))
}
