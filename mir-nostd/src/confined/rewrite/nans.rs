//! NaNs whose bits a program can see.
//!
//! **Idea.** Which NaN an instruction computes depends on the machine and on what the compiler made
//! of it. A program sees bits of floats in memory only, and the embedder those that leave. So the
//! former are made canonical where they are stored (`fcanon` and its kin), the latter where they
//! leave ([`settle`]), and nothing is done between. A NaN that is only moved is as it was, as
//! moves do not depend on the machine: only variables that may hold a computed one are stored so.

use super::Body;
use crate::ir::{Class, Code, FuncId, InsnId, Mode, Module, Operand, Reg, Result, Type};
use crate::mem::{Entity, Vec};
use crate::num::{LongDoubleFormat, canonical_f32, canonical_f64};
use crate::target::Value;

/// True if the instruction writes a float of any kind that may be a NaN.
pub(super) fn writes_nans(code: Code) -> bool {
    let is_float = matches!(code.mode(0), Mode::OutF | Mode::OutD | Mode::OutL);
    is_float && code.mode(1) != Mode::I
}

/// True if the instruction keeps the bits of a NaN, but for its sign.
fn keeps_bits(code: Code) -> bool {
    matches!(
        code,
        Code::Fmov | Code::Dmov | Code::Ldmov | Code::Fneg | Code::Dneg | Code::Ldneg
    )
}

/// Returns for each variable of a function whether it may hold a NaN that was computed.
pub(super) fn find_computed<'m>(module: &Module<'m>, func: FuncId) -> Result<Vec<'m, bool>> {
    let allocator = module.allocator();
    let function = module.func(func);
    let (mut computed, mut copies) = (Vec::new(allocator), Vec::new(allocator));
    for (number, register) in function.registers().iter().enumerate() {
        let is_argument = number < function.arg_count();
        computed.push(is_argument && register.ty.class() != Class::Int)?;
    }
    for insn in module.insns(func) {
        let code = module.code(insn);
        let results = match code.is_call() {
            true => 2..2 + super::calls::result_count(module, insn),
            false => 0..usize::from(writes_nans(code)),
        };
        for (number, operand) in module.operands(insn).enumerate() {
            let Operand::Reg(to) = operand else {
                continue;
            };
            if !results.contains(&number) {
                continue;
            }
            match module.operand(insn, 1) {
                Some(Operand::Reg(from)) if keeps_bits(code) => copies.push((from, to))?,
                Some(_) if keeps_bits(code) => {}
                _ => computed[to.index()] = true,
            }
        }
    }
    follow_copies(&mut computed, &copies)?;
    Ok(computed)
}

/// Notes what is copied from variables that hold computed ones.
fn follow_copies(computed: &mut Vec<'_, bool>, copies: &[(Reg, Reg)]) -> Result<()> {
    let allocator = computed.allocator();
    // For each variable the last copy of it, for each copy the one before of the same, 1 more than
    // their numbers.
    let (mut last, mut before) = (Vec::new(allocator), Vec::new(allocator));
    last.resize(computed.len(), 0_usize)?;
    for (number, (from, _)) in copies.iter().enumerate() {
        before.push(core::mem::replace(&mut last[from.index()], number + 1))?;
    }
    let mut found = Vec::new(allocator);
    for (number, _) in computed.iter().enumerate().filter(|(_, is)| **is) {
        found.push(Reg::new(number as u32))?;
    }
    while let Some(from) = found.pop() {
        let mut next = last[from.index()];
        while let Some(number) = next.checked_sub(1) {
            let (_, to) = copies[number];
            if !core::mem::replace(&mut computed[to.index()], true) {
                found.push(to)?;
            }
            next = before[number];
        }
    }
    Ok(())
}

impl Body<'_, '_, '_> {
    /// Rewrites an instruction that writes a float. What goes to memory is computed before.
    pub(super) fn float(&mut self, insn: InsnId, code: Code) -> Result<()> {
        let (to, class) = match self.old().operand(insn, 0) {
            Some(to @ Operand::Mem(mem)) => (to, mem.ty.class()),
            Some(to @ Operand::Reg(reg)) if self.frame.slot(reg).is_some() => {
                (to, self.type_of(to).class())
            }
            _ => return self.plain(insn, code),
        };
        let operands = self.operands(insn)?;
        if keeps_bits(code) && !self.may_be_computed(operands[1]) {
            return self.plain(insn, code);
        }
        if matches!(code, Code::Fmov | Code::Dmov | Code::Ldmov) {
            let value = self.value(operands[1])?;
            return self.set(to, class.ty(), value);
        }
        let result = self.temporary(class.ty())?;
        let mut values = Vec::new(self.module.allocator());
        values.push(result.into())?;
        for &input in operands.iter().skip(1) {
            values.push(self.value(input)?)?;
        }
        self.emit(code, &values[..])?;
        self.set(to, class.ty(), result.into())
    }

    /// True if an old operand may be a NaN that was computed. Those in memory are canonical.
    pub(super) fn may_be_computed(&self, operand: Operand) -> bool {
        match operand {
            Operand::Reg(reg) => {
                let is_computed = self.frame.computed.get(reg.index()) == Some(&true);
                is_computed && self.frame.slot(reg).is_none()
            }
            _ => false,
        }
    }

    /// Emits code that assigns a value, which may be a NaN that was computed, to a new operand.
    pub(super) fn assign(
        &mut self,
        ty: Type,
        to: impl Into<Operand>,
        value: impl Into<Operand>,
    ) -> Result<()> {
        let to = to.into();
        let (Some(code), Operand::Mem(mem)) = (canonical_of(ty.class()), to) else {
            return self.copy(ty, to, value);
        };
        self.emit_internal(code, (to, value.into()))?;
        match self.has_padding(mem.ty) {
            true => self.clear_padding(mem),
            false => Ok(()),
        }
    }

    /// Returns a variable with the new value of an old operand, a NaN as the canonical one.
    pub(super) fn canonical(&mut self, old: Operand, value: Operand) -> Result<Operand> {
        let ty = self.type_of(old);
        let Some(code) = canonical_of(ty.class()) else {
            return Ok(value);
        };
        let to = self.temporary(ty)?;
        self.emit_internal(code, (to, value))?;
        Ok(to.into())
    }
}

/// Returns the instruction that copies values of a class, NaNs as the canonical one.
fn canonical_of(class: Class) -> Option<Code> {
    Some(match class {
        Class::Int => return None,
        Class::Float => Code::Fcanon,
        Class::Double => Code::Dcanon,
        Class::LongDouble => Code::Ldcanon,
    })
}

/// Makes the NaNs among values of these types canonical, which leave the program.
pub(in super::super) fn settle(
    types: impl Iterator<Item = Type>,
    values: &mut [Value],
    format: LongDoubleFormat,
) {
    for (ty, value) in types.zip(values) {
        *value = match ty {
            Type::F => Value::from_f32_bits(canonical_f32(value.f32_bits())),
            Type::D => Value::from_f64_bits(canonical_f64(value.f64_bits())),
            Type::Ld => Value::from_long_double(format.canonical(value.long_double())),
            _ => continue,
        };
    }
}
