//! Lowering of the tests of values and addresses, in confined programs.

use super::super::super::code::Op;
use super::super::Decoder;
use super::super::operand::{Source, wide};
use crate::ir::{FaultKind, InsnId, LOWEST_ADDRESS, Operand};
use crate::link::Reason;

impl Decoder<'_, '_> {
    pub(super) fn ensure(&mut self, insn: InsnId) -> Result<(), Reason> {
        let value = self.source_at(insn, 0, 64)?;
        let limit = self.source_at(insn, 1, 64)?;
        if let (Source::Constant(value), Source::Constant(limit)) = (value, limit)
            && (value as u64) < limit as u64
        {
            return Ok(());
        }
        let kind = self.constant_at(insn, 2)?;
        let value = self.in_var(value)?;
        let reported = match FaultKind::from_number(kind).has_value() {
            true => self.input_at(insn, 3, 64)?,
            false => value,
        };
        match limit {
            Source::Constant(limit) if i32::try_from(limit).is_ok() => {
                let slots = [value.0, limit as u32, kind as u32, reported.0];
                self.push(Op::EnsureI, &slots)
            }
            limit => {
                let limit = self.in_var(limit)?;
                self.push(Op::Ensure, &[value.0, limit.0, kind as u32, reported.0])
            }
        }
    }

    pub(super) fn reach(&mut self, insn: InsnId) -> Result<(), Reason> {
        let address = self.source_at(insn, 1, 64)?;
        let base = self.source_at(insn, 2, 64)?;
        let limit = self.source_at(insn, 3, 64)?;
        let access = u32::try_from(self.constant_at(insn, 4)?).map_err(|_| Reason::TooLarge)?;
        let windows = self.constant_at(insn, 5)?;
        if let (Source::Constant(base), Source::Constant(limit)) = (base, limit) {
            if let Source::Constant(address) = address {
                let offset = address.wrapping_sub(LOWEST_ADDRESS);
                if (offset as u64) < limit as u64 {
                    let output = self.operand(insn, 0)?;
                    return self.move_to(output, Source::Constant(base.wrapping_add(offset)));
                }
            }
            if windows == 0 {
                let address = self.in_var(address)?;
                let ([b0, b1], [l0, l1]) = (wide(base), wide(limit));
                let target = self.target_of(insn)?;
                return self.compute(target, Op::ReachI, &[address.0, b0, b1, l0, l1], None);
            }
        }
        let address = self.in_var(address)?;
        let (base, limit) = (self.in_var(base)?, self.in_var(limit)?);
        let target = self.target_of(insn)?;
        if windows == 0 {
            return self.compute(target, Op::Reach, &[address.0, base.0, limit.0], None);
        }
        let [w0, w1] = wide(windows as i64);
        let inputs = [address.0, base.0, limit.0, access, w0, w1];
        self.compute(target, Op::ReachWindow, &inputs, None)
    }

    /// Returns an operand that must be a constant.
    fn constant_at(&self, insn: InsnId, index: usize) -> Result<u64, Reason> {
        match self.operand(insn, index)? {
            Operand::Int(value) => Ok(value as u64),
            Operand::Uint(value) => Ok(value),
            _ => Err(Reason::Invalid),
        }
    }
}
