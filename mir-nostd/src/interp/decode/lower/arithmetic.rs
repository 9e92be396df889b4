//! Lowering of arithmetic: folded for constants, with an immediate operand where there is an
//! operation for that.

use super::super::super::code::Op;
use super::super::extensions::Extensions;
use super::super::operand::Source;
use super::super::{DecodeError, Decoder, Var, Width};
use super::families::{Binary, binary, convert, extension, extension_of, narrow_bits};
use crate::ir::{Code, InsnId, Operand, Type};

impl Decoder<'_, '_> {
    pub(super) fn binary(
        &mut self,
        insn: InsnId,
        code: Code,
        row: &Binary,
    ) -> Result<(), DecodeError> {
        let mut a = self.source_at(insn, 1, row.bits())?;
        let mut b = self.source_at(insn, 2, row.bits())?;
        if row.facts.commutes && matches!(a, Source::Constant(_)) {
            (a, b) = (b, a);
        }
        let output = self.operand(insn, 0)?;
        self.binary_of(output, code, row, a, b)
    }

    fn binary_of(
        &mut self,
        output: Operand,
        code: Code,
        row: &Binary,
        a: Source,
        b: Source,
    ) -> Result<(), DecodeError> {
        let constant = match (a, b) {
            (Source::Constant(a), Source::Constant(b)) => {
                return self.move_to(output, Source::Constant((row.facts.compute)(a, b)));
            }
            (_, Source::Constant(b)) if row.bits() == 32 => Some(b as i32),
            (_, Source::Constant(b)) => i32::try_from(b).ok(),
            _ => None,
        };
        let a = self.in_var(a)?;
        let Some(constant) = constant else {
            let b = self.in_var(b)?;
            let rotation = self.rotation(row.op, a, b);
            let (op, inputs) = rotation.unwrap_or((row.op, [a.0, b.0]));
            let target = self.target(output)?;
            return self.compute(target, op, &inputs, Extensions::of_result(code, None));
        };
        match (code, constant) {
            (Code::Add, 0) | (Code::Mul, 1) => return self.move_to(output, Source::Var(a)),
            (Code::Adds, 0) | (Code::Muls, 1) if self.is_extended(a, Type::I32) => {
                return self.move_to(output, Source::Var(a));
            }
            _ => {}
        }
        let version = self.var(a).version;
        let target = self.target(output)?;
        let extensions = Extensions::of_result(code, Some(constant.into()));
        self.compute(
            target,
            row.with_constant,
            &[a.0, constant as u32],
            extensions,
        )?;
        if code == Code::Add {
            self.learn_sum(target.var, a, version, i64::from(constant));
        }
        Ok(())
    }

    /// Returns the rotation that an or of two variables is, and its inputs: of a value shifted to
    /// the left, and the same shifted to the right by the rest of the width.
    fn rotation(&self, or: Op, a: Var, b: Var) -> Option<(Op, [u32; 2])> {
        let (op, up, down, bits) = match or {
            Op::Or => (Op::RotlI, Op::LshI, Op::UrshI, 64),
            Op::Ors => (Op::RotlsI, Op::LshsI, Op::UrshsI, 32),
            _ => return None,
        };
        let (first, second) = (self.made_by(a)?, self.made_by(b)?);
        let (left, right) = match first.0 == up {
            true => (first, second),
            false => (second, first),
        };
        let ([value, count, _], [same, rest, _]) = (left.1, right.1);
        let is_meant = left.0 == up && right.0 == down && value == same;
        (is_meant && count < bits && count + rest == bits).then_some((op, [value, count]))
    }

    pub(super) fn subtract(&mut self, insn: InsnId, code: Code) -> Result<(), DecodeError> {
        let bits = if code == Code::Subs { 32 } else { 64 };
        let a = self.source_at(insn, 1, bits)?;
        let b = self.source_at(insn, 2, bits)?;
        let output = self.operand(insn, 0)?;
        if let Source::Constant(constant) = b {
            let sum = if code == Code::Subs {
                Code::Adds
            } else {
                Code::Add
            };
            let row = binary(sum).ok_or(DecodeError::Invalid)?;
            return self.binary_of(
                output,
                sum,
                &row,
                a,
                Source::Constant(constant.wrapping_neg()),
            );
        }
        let (a, b) = (self.in_var(a)?, self.in_var(b)?);
        let op = if code == Code::Subs {
            Op::Subs
        } else {
            Op::Sub
        };
        let target = self.target(output)?;
        self.compute(target, op, &[a.0, b.0], Extensions::of_result(code, None))
    }

    pub(super) fn extend(
        &mut self,
        insn: InsnId,
        ty: Type,
        op: Op,
        compute: fn(i64) -> i64,
    ) -> Result<(), DecodeError> {
        let bits = 8 * ty.size();
        let source = self.source_at(insn, 1, 64)?;
        let output = self.operand(insn, 0)?;
        let var = match source {
            Source::Constant(value) => {
                return self.move_to(output, Source::Constant(compute(value)));
            }
            Source::Var(var) => var,
        };
        if self.is_extended(var, ty) {
            return self.move_to(output, source);
        }
        if self.is_output_read_within(output, ty) {
            let source = self.resolve(var, bits);
            return self.move_to(output, source);
        }
        let from = match self.resolve(var, bits) {
            Source::Var(from) => from,
            Source::Constant(value) => {
                return self.move_to(output, Source::Constant(compute(value)));
            }
        };
        let target = self.target(output)?;
        self.push(op, &[target.var.0, from.0])?;
        self.written(target.var);
        self.learn_copy(target.var, from, bits, Extensions::of(ty));
        self.finish(target)
    }

    /// True if nothing reads more of a variable than the bits of a narrow type.
    pub(in super::super) fn is_read_within(&self, var: Var, ty: Type) -> bool {
        narrow_bits(ty).is_some_and(|bits| u32::from(self.var(var).bits_read) <= bits)
    }

    /// As [`Decoder::is_read_within`], of an output.
    pub(in super::super) fn is_output_read_within(&self, output: Operand, ty: Type) -> bool {
        match output {
            Operand::Reg(reg) => self.is_read_within(self.var_of(reg), ty),
            _ => false,
        }
    }

    pub(super) fn plain(
        &mut self,
        insn: InsnId,
        code: Code,
        op: Op,
        bits: u32,
    ) -> Result<(), DecodeError> {
        let first = self.source_at(insn, 1, bits)?;
        let output = self.operand(insn, 0)?;
        if let Source::Constant(value) = first
            && let Some(converted) = convert(code, value)
        {
            return self.move_to(output, Source::Constant(converted));
        }
        let first = self.in_var(first)?;
        let mut inputs = [first.0, 0];
        let count = code.modes().len() - 1;
        if count == 2 {
            inputs[1] = self.input_at(insn, 2, bits)?.0;
        }
        let target = self.target(output)?;
        self.compute(
            target,
            op,
            inputs.get(..count).unwrap_or(&inputs),
            Extensions::of_result(code, None),
        )
    }

    pub(super) fn division(
        &mut self,
        insn: InsnId,
        code: Code,
        op: Op,
        with_constant: Op,
        bits: u32,
    ) -> Result<(), DecodeError> {
        let a = self.input_at(insn, 1, bits)?;
        let b = self.source_at(insn, 2, bits)?;
        let constant = match b {
            Source::Constant(b) if bits == 32 => Some(b as i32),
            Source::Constant(b) => i32::try_from(b).ok(),
            Source::Var(_) => None,
        };
        let by_power = match code {
            Code::Divs => Some(Op::DivsPower),
            Code::Mods => Some(Op::ModsPower),
            _ => None,
        };
        let (op, b) = match (constant, by_power) {
            (Some(b), Some(op)) if b > 0 && b.count_ones() == 1 => (op, b.trailing_zeros()),
            (Some(b), _) => (with_constant, b as u32),
            (None, _) => (op, self.in_var(b)?.0),
        };
        let target = self.target_of(insn)?;
        self.compute(target, op, &[a.0, b], Extensions::of_result(code, None))
    }

    /// Returns a value as an argument or result of type `ty` is passed: integers extended.
    pub(in super::super) fn extended(
        &mut self,
        operand: Operand,
        ty: Type,
    ) -> Result<Source, DecodeError> {
        let bits = if ty == Type::Ld { 128 } else { 64 };
        let source = self.source(operand, bits)?;
        self.extend_source(source, ty)
    }

    /// Returns a source as an argument or result of type `ty` is passed: integers extended.
    pub(in super::super) fn extend_source(
        &mut self,
        source: Source,
        ty: Type,
    ) -> Result<Source, DecodeError> {
        let Some((ty, op, compute)) = extension_of(ty).and_then(extension) else {
            return Ok(source);
        };
        match source {
            Source::Constant(value) => Ok(Source::Constant(compute(value))),
            Source::Var(var) if self.is_extended(var, ty) => Ok(source),
            Source::Var(var) => {
                let temp = self.temp(Width::Cell)?;
                self.push(op, &[temp.0, var.0])?;
                self.written_extended(temp, Extensions::of(ty));
                Ok(Source::Var(temp))
            }
        }
    }

    /// Extends a variable in place as type `ty` says.
    pub(in super::super) fn extend_in_place(
        &mut self,
        var: Var,
        ty: Type,
    ) -> Result<(), DecodeError> {
        if let Some((ty, op, _)) = extension_of(ty).and_then(extension) {
            self.push(op, &[var.0, var.0])?;
            self.written_extended(var, Extensions::of(ty));
        }
        Ok(())
    }
}
