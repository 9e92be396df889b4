//! Raises generic instructions.

use super::calls::is_call;
use super::function::{Raise, error};
use crate::ast::{
    Binary, BlockId, Call, Cast, Const, FloatPredicate, IntPredicate, Op, Typed, Value,
};
use crate::error::Result;
use crate::types::{Type, TypeId};
use llvm_mir::model::{Instruction, IntPredicate as GenericPredicate, MemorySize, OperandKind};
use mir_nostd::ir::Order;

/// Instructions that inform the compiler and do nothing in the program.
const SILENT: [&str; 19] = [
    "ADJCALLSTACKDOWN",
    "ADJCALLSTACKUP",
    "ADJCALLSTACKDOWN64",
    "ADJCALLSTACKUP64",
    "CFI_INSTRUCTION",
    "DBG_VALUE",
    "DBG_VALUE_LIST",
    "DBG_LABEL",
    "LIFETIME_START",
    "LIFETIME_END",
    "FAKE_USE",
    "KILL",
    "IMPLICIT_DEF",
    "MOV8ri",
    "G_JUMP_TABLE",
    "G_FENCE",
    "G_PREFETCH",
    "VASTART_SAVE_XMM_REGS",
    "PSEUDO_PROBE",
];

/// Returns the operation of an instruction with two operands of the result's type.
fn binary_of(name: &str) -> Option<Binary> {
    use Binary as B;
    Some(match name {
        "G_ADD" => B::Add,
        "G_SUB" => B::Sub,
        "G_MUL" => B::Mul,
        "G_UDIV" => B::Udiv,
        "G_SDIV" => B::Sdiv,
        "G_UREM" => B::Urem,
        "G_SREM" => B::Srem,
        "G_AND" => B::And,
        "G_OR" => B::Or,
        "G_XOR" => B::Xor,
        "G_SHL" => B::Shl,
        "G_LSHR" => B::Lshr,
        "G_ASHR" => B::Ashr,
        "G_FADD" | "G_STRICT_FADD" => B::Fadd,
        "G_FSUB" | "G_STRICT_FSUB" => B::Fsub,
        "G_FMUL" | "G_STRICT_FMUL" => B::Fmul,
        "G_FDIV" | "G_STRICT_FDIV" => B::Fdiv,
        "G_FREM" | "G_STRICT_FREM" => B::Frem,
        _ => return None,
    })
}

fn cast_of(name: &str) -> Option<Cast> {
    Some(match name {
        "G_FPTRUNC" => Cast::Fptrunc,
        "G_FPEXT" => Cast::Fpext,
        "G_FPTOSI" => Cast::Fptosi,
        "G_FPTOUI" => Cast::Fptoui,
        "G_SITOFP" => Cast::Sitofp,
        "G_UITOFP" => Cast::Uitofp,
        _ => return None,
    })
}

/// Returns the intrinsic function of the same meaning. Its operands are of one type, that of the
/// result unless they are listed.
fn intrinsic_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "G_SMAX" => "smax",
        "G_SMIN" => "smin",
        "G_UMAX" => "umax",
        "G_UMIN" => "umin",
        "G_UADDSAT" => "uadd.sat",
        "G_USUBSAT" => "usub.sat",
        "G_SADDSAT" => "sadd.sat",
        "G_SSUBSAT" => "ssub.sat",
        "G_BSWAP" => "bswap",
        "G_BITREVERSE" => "bitreverse",
        "G_CTPOP" => "ctpop",
        "G_FABS" => "fabs",
        "G_FSQRT" | "G_STRICT_FSQRT" => "sqrt",
        "G_FMA" | "G_STRICT_FMA" => "fma",
        "G_FCOPYSIGN" => "copysign",
        "G_FMINNUM" | "G_FMINNUM_IEEE" => "minnum",
        "G_FMAXNUM" | "G_FMAXNUM_IEEE" => "maxnum",
        "G_FMINIMUM" => "minimum",
        "G_FMAXIMUM" => "maximum",
        "G_FMINIMUMNUM" => "minimumnum",
        "G_FMAXIMUMNUM" => "maximumnum",
        "G_FCEIL" => "ceil",
        "G_FFLOOR" => "floor",
        "G_FRINT" => "rint",
        "G_FNEARBYINT" => "nearbyint",
        "G_INTRINSIC_TRUNC" => "trunc",
        "G_INTRINSIC_ROUND" => "round",
        "G_INTRINSIC_ROUNDEVEN" => "roundeven",
        "G_FPOW" => "pow",
        "G_FEXP" => "exp",
        "G_FEXP2" => "exp2",
        "G_FEXP10" => "exp10",
        "G_FLOG" => "log",
        "G_FLOG2" => "log2",
        "G_FLOG10" => "log10",
        "G_FSIN" => "sin",
        "G_FCOS" => "cos",
        "G_FTAN" => "tan",
        "G_FASIN" => "asin",
        "G_FACOS" => "acos",
        "G_FATAN" => "atan",
        "G_FATAN2" => "atan2",
        "G_FSINH" => "sinh",
        "G_FCOSH" => "cosh",
        "G_FTANH" => "tanh",
        "G_FCANONICALIZE" => "canonicalize",
        _ => return None,
    })
}

/// Returns the intrinsic function that returns a result and a flag.
fn overflow_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "G_SADDO" => "sadd",
        "G_UADDO" => "uadd",
        "G_SSUBO" => "ssub",
        "G_USUBO" => "usub",
        "G_SMULO" => "smul",
        "G_UMULO" => "umul",
        _ => return None,
    })
}

fn atomic_of(name: &str) -> Option<String> {
    Some(name.strip_prefix("G_ATOMICRMW_")?.to_ascii_lowercase())
}

const fn int_predicate(predicate: GenericPredicate) -> IntPredicate {
    use GenericPredicate as G;
    match predicate {
        G::Eq => IntPredicate::Eq,
        G::Ne => IntPredicate::Ne,
        G::Sgt => IntPredicate::Sgt,
        G::Sge => IntPredicate::Sge,
        G::Slt => IntPredicate::Slt,
        G::Sle => IntPredicate::Sle,
        G::Ugt => IntPredicate::Ugt,
        G::Uge => IntPredicate::Uge,
        G::Ult => IntPredicate::Ult,
        G::Ule => IntPredicate::Ule,
    }
}

const fn float_predicate(predicate: llvm_mir::model::FloatPredicate) -> FloatPredicate {
    use llvm_mir::model::FloatPredicate as G;
    match predicate {
        G::False => FloatPredicate::False,
        G::Oeq => FloatPredicate::Oeq,
        G::Ogt => FloatPredicate::Ogt,
        G::Oge => FloatPredicate::Oge,
        G::Olt => FloatPredicate::Olt,
        G::Ole => FloatPredicate::Ole,
        G::One => FloatPredicate::One,
        G::Ord => FloatPredicate::Ord,
        G::Uno => FloatPredicate::Uno,
        G::Ueq => FloatPredicate::Ueq,
        G::Ugt => FloatPredicate::Ugt,
        G::Uge => FloatPredicate::Uge,
        G::Ult => FloatPredicate::Ult,
        G::Ule => FloatPredicate::Ule,
        G::Une => FloatPredicate::Une,
        G::True => FloatPredicate::True,
    }
}

impl Raise<'_> {
    pub(super) fn insn(&mut self, insn: &Instruction) -> Result<()> {
        let name = self.name(insn);
        if SILENT.contains(&name) || self.is_known(insn) {
            return Ok(());
        }
        if let Some(is_last) = is_call(name) {
            return self.call(insn, is_last);
        }
        match name {
            "COPY" => self.copy(insn),
            "RET_ReallyLR" | "PseudoRET" | "RET" | "RET64" => self.ret(),
            "G_PHI" | "PHI" => self.phi(insn),
            "G_BR" | "G_BRCOND" | "G_BRJT" | "G_BRINDIRECT" => self.branch(insn, name),
            "G_LOAD" | "G_SEXTLOAD" | "G_ZEXTLOAD" => self.load(insn, name),
            "G_STORE" => self.store(insn),
            "G_PTR_ADD" => self.address(insn),
            "G_MEMCPY" | "G_MEMMOVE" | "G_MEMSET" | "G_MEMCPY_INLINE" | "G_BZERO" => {
                self.memory_call(insn, name)
            }
            "G_INTRINSIC"
            | "G_INTRINSIC_W_SIDE_EFFECTS"
            | "G_INTRINSIC_CONVERGENT"
            | "G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS" => self.intrinsic(insn),
            "G_TRAP" | "G_UBSANTRAP" | "G_DEBUGTRAP" => self.simple_call("llvm.trap", Vec::new()),
            "G_VASTART" => {
                let pointer = self.types.add(Type::Ptr);
                let list = self.operand(insn, 0, pointer)?;
                self.simple_call("llvm.va_start", vec![(pointer, list)])
            }
            "G_STACKRESTORE" => {
                let saved = self.held(insn, 0)?;
                self.simple_call("llvm.stackrestore", vec![saved])
            }
            _ => self.valued(insn, name),
        }
    }

    /// Returns whether the instruction defines a single register, whose value is already known.
    fn is_known(&self, insn: &Instruction) -> bool {
        let defined = self.register(insn, 0);
        let is_def = insn.left_count() == 1;
        defined.is_ok_and(|register| is_def && self.known[register].is_some())
    }

    fn unsupported<T>(&self, name: &str) -> Result<T> {
        let block = self.block;
        Err(error(format!(
            "{name} in block {block} cannot be expressed in Medium IR"
        )))
    }

    /// Raises instructions that define a value.
    fn valued(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        if let Some(operation) = binary_of(name) {
            return self.two_operands(insn, operation);
        }
        if let Some(cast) = cast_of(name) {
            let (to, from) = (self.result_type(insn)?, self.held(insn, 1)?);
            return self.define(self.register(insn, 0)?, Op::Cast(cast, from, to), to);
        }
        if let Some(intrinsic) = intrinsic_of(name) {
            let ty = self.result_type(insn)?;
            let mut args = Vec::new();
            for at in 1..insn.explicit_count() {
                args.push((ty, self.operand(insn, at, ty)?));
            }
            return self.define_call(insn, intrinsic, args, ty);
        }
        if let Some(operation) = overflow_of(name) {
            return self.with_overflow(insn, operation);
        }
        if let Some(operation) = atomic_of(name) {
            return self.atomic(insn, operation);
        }
        self.valued_by_name(insn, name)
    }

    /// Raises instructions that define a value and that none of the tables has.
    fn valued_by_name(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        match name {
            "G_ZEXT"
            | "G_ANYEXT"
            | "G_TRUNC"
            | "G_PTRTOINT"
            | "G_INTTOPTR"
            | "G_BITCAST"
            | "G_FREEZE"
            | "G_ASSERT_ZEXT"
            | "G_ASSERT_SEXT"
            | "G_ASSERT_ALIGN"
            | "G_CONSTANT_FOLD_BARRIER"
            | "G_ADDRSPACE_CAST" => self.same(insn),
            "G_SEXT" => self.sign_extension(insn),
            "G_SEXT_INREG" => self.sign_extension_within(insn),
            "G_ICMP" | "G_FCMP" => self.comparison(insn),
            "G_SELECT" => self.selection(insn),
            "G_FNEG" => {
                let ty = self.result_type(insn)?;
                let value = self.operand(insn, 1, ty)?;
                self.define(self.register(insn, 0)?, Op::Fneg(ty, value), ty)
            }
            "G_MERGE_VALUES" | "G_BUILD_VECTOR" | "G_CONCAT_VECTORS" => self.merge(insn),
            "G_UNMERGE_VALUES" => self.unmerge(insn),
            "G_EXTRACT_VECTOR_ELT" => self.element(insn),
            "G_CTLZ" | "G_CTTZ" | "G_CTLZ_ZERO_UNDEF" | "G_CTTZ_ZERO_UNDEF" | "G_ABS" => {
                self.counted(insn, name)
            }
            "G_FSHL" | "G_FSHR" | "G_ROTL" | "G_ROTR" => self.funnel_shift(insn, name),
            "G_UMULH" | "G_SMULH" => self.high_product(insn, name == "G_SMULH"),
            "G_PTRMASK" => self.masked_pointer(insn),
            "G_FPOWI" => self.with_int(insn, "powi"),
            "G_FLDEXP" | "G_STRICT_FLDEXP" => self.with_int(insn, "ldexp"),
            "G_LROUND" => self.rounded(insn, "lround"),
            "G_LLROUND" => self.rounded(insn, "llround"),
            "G_INTRINSIC_LRINT" => self.rounded(insn, "lrint"),
            "G_INTRINSIC_LLRINT" => self.rounded(insn, "llrint"),
            "G_FPTOSI_SAT" => self.rounded(insn, "fptosi.sat"),
            "G_FPTOUI_SAT" => self.rounded(insn, "fptoui.sat"),
            "G_ATOMIC_CMPXCHG" | "G_ATOMIC_CMPXCHG_WITH_SUCCESS" => self.exchange(insn),
            "G_DYN_STACKALLOC" => self.allocation(insn),
            "G_STACKSAVE" => {
                let ty = self.result_type(insn)?;
                self.define_call(insn, "stacksave", Vec::new(), ty)
            }
            _ => self.unsupported(name),
        }
    }

    // ---- helpers

    /// Returns the type of the first result.
    fn result_type(&self, insn: &Instruction) -> Result<TypeId> {
        self.type_of(self.register(insn, 0)?)
    }

    /// Returns the integer type of the first result's width.
    fn result_int(&mut self, insn: &Instruction) -> Result<(TypeId, u32)> {
        let bits = self.bits(self.result_type(insn)?)?;
        Ok((self.types.add(Type::Int(bits)), bits))
    }

    fn simple_call(&mut self, name: &str, args: Vec<Typed>) -> Result<()> {
        let void = self.types.add(Type::Void);
        self.perform(Call::of(name, void, args));
        Ok(())
    }

    /// Returns the suffix of an intrinsic's name for a type.
    fn suffix(&self, ty: TypeId) -> String {
        match self.types.get(ty) {
            Type::Int(width) => format!("i{width}"),
            Type::Float => "f32".into(),
            Type::Double => "f64".into(),
            Type::X86Fp80 => "f80".into(),
            Type::Fp128 => "f128".into(),
            _ => "p0".into(),
        }
    }

    /// Defines the first result by a call of an intrinsic function.
    fn define_call(
        &mut self,
        insn: &Instruction,
        name: &str,
        args: Vec<Typed>,
        result: TypeId,
    ) -> Result<()> {
        let of = args.last().map_or(result, |(ty, _)| *ty);
        let name = format!("llvm.{name}.{}", self.suffix(of));
        let op = Call::of(&name, result, args);
        self.define(self.register(insn, 0)?, op, result)
    }

    // ---- arithmetic

    fn two_operands(&mut self, insn: &Instruction, operation: Binary) -> Result<()> {
        use Binary as B;
        let is_float = matches!(operation, B::Fadd | B::Fsub | B::Fmul | B::Fdiv | B::Frem);
        let ty = if is_float {
            self.result_type(insn)?
        } else {
            self.result_int(insn)?.0
        };
        self.refuse_vector(insn)?;
        // The shift count may have another type.
        let (a, b) = (self.operand(insn, 1, ty)?, self.operand(insn, 2, ty)?);
        let op = Op::Binary(operation, ty, a, b);
        self.define(self.register(insn, 0)?, op, ty)
    }

    /// Fails on vectors: they are held as integers, which only operations on all bits can use.
    fn refuse_vector(&self, insn: &Instruction) -> Result<()> {
        let register = self.register(insn, 0)?;
        let ty = self.generic.registers[register].ty;
        if ty.is_some_and(|ty| ty.is_vector()) {
            return self.unsupported(&format!("{} of vectors", self.name(insn)));
        }
        Ok(())
    }

    fn same(&mut self, insn: &Instruction) -> Result<()> {
        let value = self.held(insn, 1)?;
        self.set(self.register(insn, 0)?, value)
    }

    fn sign_extension(&mut self, insn: &Instruction) -> Result<()> {
        let (_, bits) = self.result_int(insn)?;
        let value = self.held(insn, 1)?;
        let wide = self.resized(value, bits, Cast::Sext)?;
        self.set(self.register(insn, 0)?, wide)
    }

    fn sign_extension_within(&mut self, insn: &Instruction) -> Result<()> {
        let (_, bits) = self.result_int(insn)?;
        let value = self.held(insn, 1)?;
        let within = u32::try_from(self.immediate(insn, 2)?).unwrap_or(bits);
        let narrow = self.resized(value, within.min(bits), Cast::Zext)?;
        let wide = self.resized(narrow, bits, Cast::Sext)?;
        self.set(self.register(insn, 0)?, wide)
    }

    fn comparison(&mut self, insn: &Instruction) -> Result<()> {
        let (a, b) = (self.held(insn, 2)?, self.held(insn, 3)?);
        let b = self.convert(b, a.0)?;
        let op = match insn.operands.get(1).map(|operand| &operand.kind) {
            Some(&OperandKind::IntPredicate(predicate)) => {
                let bits = self.bits(a.0)?;
                let int = if matches!(self.types.get(a.0), Type::Ptr) {
                    a.0
                } else {
                    self.types.add(Type::Int(bits))
                };
                let (left, right) = (self.convert(a.clone(), int)?, self.convert((a.0, b), int)?);
                Op::Icmp(int_predicate(predicate), int, left, right)
            }
            Some(&OperandKind::FloatPredicate(predicate)) => {
                Op::Fcmp(float_predicate(predicate), a.0, a.1, b)
            }
            _ => return self.unsupported(self.name(insn)),
        };
        self.refuse_vector(insn)?;
        let bit = self.types.add(Type::Int(1));
        self.define(self.register(insn, 0)?, op, bit)
    }

    fn condition(&mut self, insn: &Instruction, at: usize) -> Result<Value> {
        let bit = self.types.add(Type::Int(1));
        self.operand(insn, at, bit)
    }

    fn selection(&mut self, insn: &Instruction) -> Result<()> {
        let ty = self.result_type(insn)?;
        let condition = self.condition(insn, 1)?;
        let (a, b) = (self.operand(insn, 2, ty)?, self.operand(insn, 3, ty)?);
        let op = Op::Select(condition, ty, a, b);
        self.define(self.register(insn, 0)?, op, ty)
    }

    fn merge(&mut self, insn: &Instruction) -> Result<()> {
        let mut parts = Vec::new();
        for at in 1..insn.explicit_count() {
            parts.push(self.held(insn, at)?);
        }
        let merged = self.merged(&parts)?;
        self.set(self.register(insn, 0)?, merged)
    }

    fn unmerge(&mut self, insn: &Instruction) -> Result<()> {
        let count = insn.left_count();
        let bits = self.bits(self.result_type(insn)?)?;
        let whole = self.held(insn, count)?;
        for (at, part) in self.split(whole, bits)?.into_iter().enumerate().take(count) {
            self.set(self.register(insn, at)?, part)?;
        }
        Ok(())
    }

    fn element(&mut self, insn: &Instruction) -> Result<()> {
        let bits = self.bits(self.result_type(insn)?)?;
        let (whole, index) = (self.held(insn, 1)?, self.held(insn, 2)?);
        let Value::Const(Const::Int(index)) = index.1 else {
            return self.unsupported("an element of a vector by a number that is not constant");
        };
        let parts = self.split(whole, bits)?;
        match parts.into_iter().nth(index as usize) {
            Some(part) => self.set(self.register(insn, 0)?, part),
            None => self.unsupported("an element that is not there"),
        }
    }

    fn with_overflow(&mut self, insn: &Instruction, operation: &str) -> Result<()> {
        let (ty, bits) = self.result_int(insn)?;
        let bit = self.types.add(Type::Int(1));
        let both = self.types.add(Type::Struct {
            fields: vec![ty, bit],
            packed: false,
        });
        let args = vec![
            (ty, self.operand(insn, 2, ty)?),
            (ty, self.operand(insn, 3, ty)?),
        ];
        let name = format!("llvm.{operation}.with.overflow.i{bits}");
        let result = self.emit(Call::of(&name, both, args), both);
        let (value, flag) = ((both, result.clone()), (both, result));
        self.define(self.register(insn, 0)?, Op::Extract(value, vec![0]), ty)?;
        self.define(self.register(insn, 1)?, Op::Extract(flag, vec![1]), bit)
    }

    /// Raises counts of zeros, and absolute values. The intrinsics have the operand's type and a
    /// flag as the second argument.
    fn counted(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        let value = self.held(insn, 1)?;
        let intrinsic = match name {
            "G_ABS" => "abs",
            _ if name.starts_with("G_CTLZ") => "ctlz",
            _ => "cttz",
        };
        let name = format!("llvm.{intrinsic}.{}", self.suffix(value.0));
        let (ty, flag) = (value.0, self.int(1, 0));
        let op = Call::of(&name, ty, vec![value, flag]);
        self.define(self.register(insn, 0)?, op, ty)
    }

    fn funnel_shift(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        let (ty, _) = self.result_int(insn)?;
        let first = (ty, self.operand(insn, 1, ty)?);
        let is_rotation = name.starts_with("G_ROT");
        let (second, count) = if is_rotation {
            (first.clone(), 2)
        } else {
            ((ty, self.operand(insn, 2, ty)?), 3)
        };
        let count = (ty, self.operand(insn, count, ty)?);
        let is_left = name.ends_with('L');
        let intrinsic = if is_left { "fshl" } else { "fshr" };
        self.define_call(insn, intrinsic, vec![first, second, count], ty)
    }

    fn high_product(&mut self, insn: &Instruction, is_signed: bool) -> Result<()> {
        let (_, bits) = self.result_int(insn)?;
        let widen = if is_signed { Cast::Sext } else { Cast::Zext };
        if bits > 64 {
            return self.unsupported(self.name(insn));
        }
        let (a, b) = (self.held(insn, 1)?, self.held(insn, 2)?);
        let (a, b) = (
            self.resized(a, 2 * bits, widen)?,
            self.resized(b, 2 * bits, widen)?,
        );
        let product = self.binary(Binary::Mul, &a, &b);
        let count = self.int(2 * bits, u128::from(bits));
        let high = self.binary(Binary::Lshr, &product, &count);
        self.set(self.register(insn, 0)?, high)
    }

    fn masked_pointer(&mut self, insn: &Instruction) -> Result<()> {
        let word = self.types.add(Type::Int(64));
        let (a, b) = (self.operand(insn, 1, word)?, self.operand(insn, 2, word)?);
        let masked = self.binary(Binary::And, &(word, a), &(word, b));
        self.set(self.register(insn, 0)?, masked)
    }

    /// Raises a floating function whose second argument is an integer.
    fn with_int(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        let ty = self.result_type(insn)?;
        let first = (ty, self.operand(insn, 1, ty)?);
        let second = self.held(insn, 2)?;
        self.define_call(insn, name, vec![first, second], ty)
    }

    /// Raises a rounding of a floating value to an integer.
    fn rounded(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        let (ty, bits) = self.result_int(insn)?;
        let value = self.held(insn, 1)?;
        self.define_call(insn, &format!("{name}.i{bits}"), vec![value], ty)
    }

    // ---- memory

    /// Returns the type in memory of a register of some type.
    fn memory_type(&mut self, insn: &Instruction, ty: TypeId) -> Result<TypeId> {
        let Some(MemorySize::Type(low)) = insn.memory.first().map(|memory| memory.size) else {
            return Ok(ty);
        };
        if low.bits() == u64::from(self.bits(ty)?) {
            return Ok(ty);
        }
        let found = self.low_type(low, false);
        found.ok_or_else(|| error("an access of a type that cannot be expressed"))
    }

    fn load(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        let pointer = self.types.add(Type::Ptr);
        let to = self.result_type(insn)?;
        let ty = self.memory_type(insn, to)?;
        let address = self.operand(insn, 1, pointer)?;
        let op = Op::Load(ty, address);
        if ty == to {
            return self.define(self.register(insn, 0)?, op, ty);
        }
        let value = (ty, self.emit(op, ty));
        let widen = if name == "G_SEXTLOAD" {
            Cast::Sext
        } else {
            Cast::Zext
        };
        let bits = self.bits(to)?;
        let wide = self.resized(value, bits, widen)?;
        self.set(self.register(insn, 0)?, wide)
    }

    fn store(&mut self, insn: &Instruction) -> Result<()> {
        let value = self.held(insn, 0)?;
        let address = self.register(insn, 1)?;
        if let Some(&offset) = self.outgoing_addresses.get(&address) {
            self.outgoing.insert(offset, value);
            return Ok(());
        }
        let pointer = self.types.add(Type::Ptr);
        let address = self.operand(insn, 1, pointer)?;
        let ty = self.memory_type(insn, value.0)?;
        let value = self.convert(value, ty)?;
        self.perform(Op::Store((ty, value), address));
        Ok(())
    }

    fn address(&mut self, insn: &Instruction) -> Result<()> {
        let (to, base) = (self.register(insn, 0)?, self.register(insn, 1)?);
        let (pointer, word) = (self.types.add(Type::Ptr), self.types.add(Type::Int(64)));
        let offset = self.operand(insn, 2, word)?;
        if let Some(&from) = self.outgoing_addresses.get(&base) {
            let Value::Const(Const::Int(offset)) = offset else {
                return self.unsupported("an argument at a place that is not constant");
            };
            let address = from.wrapping_add(offset as u64);
            self.outgoing_addresses.insert(to, address);
            return Ok(());
        }
        let base = self.operand(insn, 1, pointer)?;
        let element = self.types.add(Type::Int(8));
        let indices = vec![(word, offset)];
        let op = Op::Address {
            element,
            base,
            indices,
        };
        self.define(to, op, pointer)
    }

    fn memory_call(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        let pointer = self.types.add(Type::Ptr);
        let (byte, word) = (self.types.add(Type::Int(8)), self.types.add(Type::Int(64)));
        let to = (pointer, self.operand(insn, 0, pointer)?);
        let is_zero = name == "G_BZERO";
        let from = match name {
            "G_BZERO" => self.int(8, 0),
            "G_MEMSET" => (byte, self.operand(insn, 1, byte)?),
            _ => (pointer, self.operand(insn, 1, pointer)?),
        };
        let size = self.operand(insn, if is_zero { 1 } else { 2 }, word)?;
        let name = match name {
            "G_MEMMOVE" => "llvm.memmove.p0.p0.i64",
            "G_MEMSET" | "G_BZERO" => "llvm.memset.p0.i64",
            _ => "llvm.memcpy.p0.p0.i64",
        };
        self.simple_call(name, vec![to, from, (word, size)])
    }

    fn atomic(&mut self, insn: &Instruction, operation: String) -> Result<()> {
        let pointer = self.types.add(Type::Ptr);
        let (ty, address) = (self.result_type(insn)?, self.operand(insn, 1, pointer)?);
        let value = self.operand(insn, 2, ty)?;
        let op = Op::AtomicRmw(operation, address, (ty, value), Order::SeqCst);
        self.define(self.register(insn, 0)?, op, ty)
    }

    fn exchange(&mut self, insn: &Instruction) -> Result<()> {
        let results = insn.left_count();
        let (ty, bit) = (self.result_type(insn)?, self.types.add(Type::Int(1)));
        let pointer = self.types.add(Type::Ptr);
        let address = self.operand(insn, results, pointer)?;
        let expected = self.operand(insn, results + 1, ty)?;
        let new = self.operand(insn, results + 2, ty)?;
        let both = self.types.add(Type::Struct {
            fields: vec![ty, bit],
            packed: false,
        });
        let op = Op::Cmpxchg(address, (ty, expected), new, [Order::SeqCst; 2]);
        let result = (both, self.emit(op, both));
        let old = Op::Extract(result.clone(), vec![0]);
        self.define(self.register(insn, 0)?, old, ty)?;
        if results > 1 {
            let success = Op::Extract(result, vec![1]);
            self.define(self.register(insn, 1)?, success, bit)?;
        }
        Ok(())
    }

    fn allocation(&mut self, insn: &Instruction) -> Result<()> {
        let word = self.types.add(Type::Int(64));
        let count = Some((word, self.operand(insn, 1, word)?));
        let align = u64::try_from(self.immediate(insn, 2)?).unwrap_or(0).max(1);
        let (ty, pointer) = (self.types.add(Type::Int(8)), self.types.add(Type::Ptr));
        let op = Op::Alloca { ty, count, align };
        self.define(self.register(insn, 0)?, op, pointer)
    }

    fn intrinsic(&mut self, insn: &Instruction) -> Result<()> {
        let results = insn.left_count();
        let Some(OperandKind::Intrinsic(name)) =
            insn.operands.get(results).map(|operand| &operand.kind)
        else {
            return self.unsupported(self.name(insn));
        };
        let name = name.to_string();
        let mut args = Vec::new();
        for at in results + 1..insn.explicit_count() {
            match &insn.operands[at].kind {
                OperandKind::Register(_) => args.push(self.held(insn, at)?),
                OperandKind::Immediate(value) => {
                    args.push(self.int(64, i128::from(*value).cast_unsigned()));
                }
                _ => return self.unsupported(&name),
            }
        }
        match results {
            0 => self.simple_call(&name, args),
            1 => {
                let ty = self.result_type(insn)?;
                let op = Call::of(&name, ty, args);
                self.define(self.register(insn, 0)?, op, ty)
            }
            _ => self.unsupported(&name),
        }
    }

    // ---- control

    fn target(&self, insn: &Instruction, at: usize) -> Result<BlockId> {
        match insn.operands.get(at).map(|operand| &operand.kind) {
            Some(&OperandKind::Block(block)) => Ok(BlockId(block)),
            _ => self.unsupported(self.name(insn)),
        }
    }

    fn phi(&mut self, insn: &Instruction) -> Result<()> {
        let ty = self.result_type(insn)?;
        let mut incoming = Vec::new();
        for at in (1..insn.explicit_count()).step_by(2) {
            let (of, value) = self.held(insn, at)?;
            if of != ty {
                return self.unsupported("a PHI of several types");
            }
            incoming.push((value, self.target(insn, at + 1)?));
        }
        self.define(self.register(insn, 0)?, Op::Phi(ty, incoming), ty)
    }

    fn branch(&mut self, insn: &Instruction, name: &str) -> Result<()> {
        if let Some((condition, yes)) = self.branch.take() {
            if name != "G_BR" {
                return self.unsupported("a block with several conditional branches");
            }
            let no = self.target(insn, 0)?;
            self.perform(Op::CondBr(condition, yes, no));
            return Ok(());
        }
        match name {
            "G_BR" => {
                let to = self.target(insn, 0)?;
                self.perform(Op::Br(to));
            }
            "G_BRCOND" => {
                let condition = self.condition(insn, 0)?;
                self.branch = Some((condition, self.target(insn, 1)?));
            }
            "G_BRJT" => return self.table_branch(insn),
            _ => {
                let pointer = self.types.add(Type::Ptr);
                let address = self.operand(insn, 0, pointer)?;
                let successors = &self.generic.blocks[self.block].successors;
                let targets = successors.iter().map(|to| BlockId(to.block)).collect();
                self.perform(Op::IndirectBr(address, targets));
            }
        }
        Ok(())
    }

    /// Raises a branch through a jump table, whose index is in range.
    fn table_branch(&mut self, insn: &Instruction) -> Result<()> {
        let index = self.held(insn, 2)?;
        let table = match insn.operands.get(1).map(|operand| &operand.kind) {
            Some(&OperandKind::JumpTable(number)) => self.generic.jump_tables.get(number as usize),
            _ => None,
        };
        let Some((&last, first)) = table.and_then(|table| table.blocks.split_last()) else {
            return self.unsupported("a branch through a table that is not there");
        };
        let cases = first.iter().zip(0_u128..);
        let cases = cases.map(|(&to, number)| (number, BlockId(to))).collect();
        self.perform(Op::Switch(index, BlockId(last), cases));
        Ok(())
    }
}
