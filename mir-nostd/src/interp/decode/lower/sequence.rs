//! Sequences of instructions that the rewriting of confined programs makes, as one operation each.
//!
//! Only that rewriting makes `ensure` instructions, and the variables between the instructions of a
//! sequence are read nowhere else. All instructions of one belong to the same instruction of the
//! program, so that a fault in the operation has the same place.

use super::super::super::code::Op;
use super::super::operand::wide;
use super::super::{DecodeError, Decoder};
use crate::ir::{Code, Confinement, FaultKind, InsnId, Operand, Reg};

/// The instructions that take stack: load the pointer, compute the room that is left then, check
/// it, move the pointer, store it.
const TAKE: [Code; 5] = [Code::Mov, Code::Sub, Code::Ensure, Code::Sub, Code::Mov];

/// Those that give it back: compute the pointer, store it.
const GIVE: [Code; 2] = [Code::Add, Code::Mov];

/// Those that look up a function: compute the offset in the table and check it, compute the address
/// of the row, check the signature, load the function's address.
const LOOK_UP: [Code; 9] = [
    Code::Sub,
    Code::And,
    Code::Ensure,
    Code::Mov,
    Code::Ensure,
    Code::Add,
    Code::Xor,
    Code::Ensure,
    Code::Mov,
];

/// Those that end the run if an import failed: load the word that says so, check it.
const CHECK_FAILED: [Code; 2] = [Code::Mov, Code::Ensure];

impl Decoder<'_, '_> {
    /// Lowers the sequence that begins with this instruction. Returns the number of its
    /// instructions; 0 if there is none.
    #[cfg_attr(small_code, inline(never))]
    pub(super) fn sequence(&mut self, insn: InsnId) -> Result<u32, DecodeError> {
        let Some(words) = self.module.confinement() else {
            return Ok(0);
        };
        let done = match self.module.code(insn) {
            Code::Mov if self.word(insn, 1) == Some(words.stack_pointer) => {
                self.take_stack(insn, &words)?
            }
            Code::Mov if self.word(insn, 1) == Some(words.failed) => {
                self.check_failed(insn, words.failed)?
            }
            Code::Add if self.word(insn, 1) == Some(words.stack_pointer) => {
                self.give_back(insn, &words)?
            }
            Code::Sub => self.look_up(insn, &words)?,
            _ => None,
        };
        Ok(done.map_or(0, |length| length as u32))
    }

    /// Returns the address of a memory operand that is a word of the host's.
    fn word(&self, insn: InsnId, index: usize) -> Option<u64> {
        match self.module.operand(insn, index)? {
            Operand::Mem(mem) if mem.base.is_none() && mem.index.is_none() => {
                Some(mem.disp.cast_unsigned())
            }
            _ => None,
        }
    }

    /// Returns an operand that is a variable.
    fn variable(&self, insn: InsnId, index: usize) -> Option<Reg> {
        match self.module.operand(insn, index)? {
            Operand::Reg(reg) => Some(reg),
            _ => None,
        }
    }

    fn integer(&self, insn: InsnId, index: usize) -> Option<i64> {
        match self.module.operand(insn, index)? {
            Operand::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the instructions from this one on if they are these.
    fn these<const N: usize>(&self, first: InsnId, codes: &[Code; N]) -> Option<[InsnId; N]> {
        let mut insns = [first; N];
        let mut next = Some(first);
        for (insn, &code) in insns.iter_mut().zip(codes) {
            *insn = next.filter(|&insn| self.module.code(insn) == code)?;
            next = self.module.next(*insn);
        }
        Some(insns)
    }

    #[cfg_attr(small_code, inline(never))]
    fn take_stack(
        &mut self,
        insn: InsnId,
        words: &Confinement,
    ) -> Result<Option<usize>, DecodeError> {
        let Some([load, room, check, step, store]) = self.these(insn, &TAKE) else {
            return Ok(None);
        };
        let (Some(top), Some(lowest), Some(bytes)) = (
            self.variable(load, 0),
            self.integer(room, 2),
            self.integer(step, 2),
        ) else {
            return Ok(None);
        };
        if self.integer(check, 2) != Some(FaultKind::Stack as i64) {
            return Ok(None);
        }
        // The limit of the check follows from the others.
        let is_meant = lowest == words.stack_low.cast_signed().wrapping_add(bytes)
            && self.variable(step, 0) == Some(top)
            && self.word(store, 0) == Some(words.stack_pointer);
        debug_assert!(is_meant, "nothing else takes a constant part of the stack");
        let Ok(bytes @ 0..) = i32::try_from(bytes) else {
            return Ok(None);
        };
        if !is_meant {
            return Ok(None);
        }
        let var = self.var_of(top);
        let [w0, w1] = wide(words.stack_pointer.cast_signed());
        let [l0, l1] = wide(words.stack_low.cast_signed() - 1);
        self.push(Op::TakeStack, &[var.0, w0, w1, l0, l1, bytes as u32])?;
        self.memory_changed();
        self.written(var);
        Ok(Some(TAKE.len()))
    }

    #[cfg_attr(small_code, inline(never))]
    fn give_back(
        &mut self,
        insn: InsnId,
        words: &Confinement,
    ) -> Result<Option<usize>, DecodeError> {
        let Some([add, store]) = self.these(insn, &GIVE) else {
            return Ok(None);
        };
        let bytes = self.integer(add, 2).map(i32::try_from);
        match bytes {
            Some(Ok(bytes))
                if self.word(store, 0) == Some(words.stack_pointer)
                    && self.variable(store, 1) == self.variable(add, 0) =>
            {
                let [w0, w1] = wide(words.stack_pointer.cast_signed());
                self.push(Op::GiveBack, &[w0, w1, bytes as u32])?;
                self.memory_changed();
                Ok(Some(GIVE.len()))
            }
            _ => Ok(None),
        }
    }

    #[cfg_attr(small_code, inline(never))]
    fn look_up(&mut self, insn: InsnId, words: &Confinement) -> Result<Option<usize>, DecodeError> {
        let Some([offset, _, check, bytes, _, row, kind, _, load]) = self.these(insn, &LOOK_UP)
        else {
            return Ok(None);
        };
        let (Some(first), Some(kind)) = (self.integer(offset, 2), self.integer(kind, 2)) else {
            return Ok(None);
        };
        let is_meant = self.integer(check, 2) == Some(FaultKind::BadFunction as i64)
            && self.word(bytes, 1) == Some(words.functions_bytes)
            && self.word(row, 2) == Some(words.functions)
            && words.functions_bytes == words.functions + 8;
        if !is_meant {
            return Ok(None);
        }
        let value = self.input_at(offset, 1, 64)?;
        let target = self.target_of(load)?;
        let ([f0, f1], [w0, w1]) = (wide(first), wide(words.functions.cast_signed()));
        let slots = [target.var.0, value.0, f0, f1, w0, w1, kind as u32];
        self.push(Op::LookUp, &slots)?;
        self.written(target.var);
        self.finish(target)?;
        Ok(Some(LOOK_UP.len()))
    }

    fn check_failed(&mut self, insn: InsnId, word: u64) -> Result<Option<usize>, DecodeError> {
        if self.these(insn, &CHECK_FAILED).is_none() {
            return Ok(None);
        }
        let [w0, w1] = wide(word.cast_signed());
        self.push(Op::CheckFailed, &[w0, w1])?;
        Ok(Some(CHECK_FAILED.len()))
    }
}
