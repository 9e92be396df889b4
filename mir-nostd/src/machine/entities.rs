//! The numbers by which the parts of a function are named.

use crate::mem::{Entity, entity};
use core::num::NonZeroU32;

/// A virtual register: its number, with the mark that tells it from physical registers in
/// [`Reg`](super::Reg) and in operands, so that nothing is computed when it is taken from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct VReg(NonZeroU32);

impl VReg {
    /// The mark.
    pub(super) const MARK: u32 = 1 << 31;

    /// Returns the register of this number, marked or not.
    pub(super) const fn of_bits(bits: u32) -> VReg {
        match NonZeroU32::new(bits | VReg::MARK) {
            Some(bits) => VReg(bits),
            // The mark is never 0.
            None => VReg(NonZeroU32::MAX),
        }
    }

    /// Returns its number with the mark.
    pub(super) const fn bits(self) -> u32 {
        self.0.get()
    }
}

impl Entity for VReg {
    fn new(number: u32) -> VReg {
        VReg::of_bits(number)
    }

    fn number(self) -> u32 {
        self.0.get() & !VReg::MARK
    }
}

impl core::fmt::Debug for VReg {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "%{}", self.number())
    }
}

entity! {
    /// A block.
    pub struct BlockId; "bb."
}
entity! {
    /// An instruction, numbered in order of creation, not of execution.
    pub struct InsnId; "insn"
}
entity! {
    /// A frame object.
    pub struct FrameId; "%stack."
}
entity! {
    /// An entry of the constant pool.
    pub struct ConstantId; "%const."
}
entity! {
    /// A jump table.
    pub struct TableId; "%jump-table."
}
entity! {
    /// Something outside the function to which it refers.
    pub struct SymbolId; "@"
}
