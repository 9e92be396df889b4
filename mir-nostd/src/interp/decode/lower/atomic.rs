//! Lowering of atomic instructions.

use super::super::super::atomic::Access;
use super::super::super::code::Op;
use super::super::extensions::Extensions;
use super::super::{DecodeError, Decoder};
use crate::ir::{Code, InsnId, Mode, Operand, Type};

impl Decoder<'_, '_> {
    /// Lowers an atomic instruction. All are of the strongest order here.
    pub(super) fn atomic(&mut self, insn: InsnId, code: Code) -> Result<(), DecodeError> {
        self.memory_changed();
        if code == Code::Fence {
            return self.push(Op::Fence, &[]);
        }
        let has_output = code.mode(0) == Mode::OutI;
        let place = usize::from(has_output);
        let Operand::Mem(mem) = self.operand(insn, place)? else {
            return Err(DecodeError::Invalid);
        };
        let address = self.address_of(mem)?;
        let mut inputs = [address; 2];
        for (number, input) in (place + 1..).zip(&mut inputs) {
            if code.mode(number) == Mode::I {
                *input = self.input_at(insn, number, 64)?;
            }
        }
        let [a, b] = inputs;
        let access = Access { code, ty: mem.ty }.number();
        if !has_output {
            let to = self.temp(super::super::Width::Cell)?;
            return self.push(Op::Atomic, &[to.0, address.0, a.0, b.0, access]);
        }
        let target = self.target_of(insn)?;
        if matches!((code, mem.ty), (Code::AtomicLoad, Type::U32)) {
            self.push(Op::AtomicLoadU32, &[target.var.0, address.0, 0])?;
            self.written_extended(target.var, Extensions::of(mem.ty));
            return self.finish(target);
        }
        self.push(Op::Atomic, &[target.var.0, address.0, a.0, b.0, access])?;
        self.written_extended(target.var, Extensions::empty());
        self.finish(target)
    }
}
