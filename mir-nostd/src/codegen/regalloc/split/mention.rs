//! The instructions that mention virtual registers without a register, and the positions at which
//! they need one.

use crate::machine::{InsnId, Operand, OperandFlags};

/// An instruction that reads or writes a virtual register without a register.
#[derive(Clone, Copy)]
pub(super) struct Mention {
    pub(super) insn: InsnId,
    pub(super) number: u32,
    /// The index of its block in the layout.
    pub(super) place: u32,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// The number of scratch registers that it passes through.
    pub(super) count: u8,
    /// True if it is the last one of its block that writes the register.
    pub(super) is_last: bool,
    pub(super) is_copy: bool,
    pub(super) is_early: bool,
    pub(super) is_terminator: bool,
}

impl Mention {
    /// Returns the position from which a register is needed that is first used here.
    pub(super) fn start(&self) -> u32 {
        let is_late = self.writes && !self.reads && !self.is_early;
        2 * self.number + u32::from(is_late)
    }

    /// Returns the position until which a register is needed that is last used here.
    pub(super) fn end(&self) -> u32 {
        2 * self.number + 1 + u32::from(self.writes)
    }

    /// Notes how an operand uses the register.
    pub(super) fn note(&mut self, operand: Operand) {
        let flags = operand.flags();
        self.writes |= operand.is_def();
        self.reads |= !operand.is_def() && !flags.contains(OperandFlags::UNDEF);
        self.is_early |= flags.contains(OperandFlags::EARLY_CLOBBER);
    }
}
