//! Lowering of the operations that C has no operators for.

use super::super::super::code::Op;
use super::super::super::operation::HAS_SQUARE_ROOT;
use super::super::extensions::Extensions;
use super::super::{DecodeError, Decoder};
use crate::ir::{Code, InsnId, Type};
use crate::num::Operation;

impl Decoder<'_, '_> {
    /// Lowers an operation on values of a type.
    pub(super) fn operation(
        &mut self,
        insn: InsnId,
        code: Code,
        ty: Type,
    ) -> Result<(), DecodeError> {
        let bits = match ty {
            Type::I64 | Type::U64 | Type::F | Type::D => 64,
            _ => 32,
        };
        let first = self.input_at(insn, 1, bits)?.0;
        let mut slots = [first; 5];
        let inputs = slots.iter_mut().enumerate().take(code.modes().len());
        for (number, slot) in inputs.skip(2) {
            *slot = self.input_at(insn, number, bits)?.0;
        }
        let target = self.target_of(insn)?;
        if HAS_SQUARE_ROOT && matches!(code.operation(), Some((Operation::Sqrt, Type::D))) {
            return self.compute(target, Op::Dsqrt, &[first], Extensions::empty());
        }
        slots[0] = target.var.0;
        slots[4] = code.number().into();
        self.push(Op::Operation, &slots)?;
        self.written_extended(target.var, Extensions::of_result(code, None));
        self.finish(target)
    }
}
