//! Functions: registers and the list of instructions.

use super::code::Code;
use super::entities::{InsnId, ItemId, Name};
use super::item::Signature;
use super::types::Type;
use crate::mem::{Entity, Vec};

/// A variable of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// The variable's name.
    pub name: Name,
    /// `i64`, `f`, `d` or `ld`.
    pub ty: Type,
    /// The hard register that the variable is tied to.
    pub hard_reg: Option<Name>,
}

/// A function: its signature, its registers, and the ends of its list of instructions.
#[derive(Debug)]
pub struct Function<'m> {
    /// The function's item.
    pub item: ItemId,
    /// Results and arguments.
    pub signature: Signature,
    pub(super) regs: Vec<'m, Register>,
    pub(super) first: Option<InsnId>,
    pub(super) last: Option<InsnId>,
    pub(super) insns: u32,
}

impl Function<'_> {
    /// Returns the function's registers: arguments, then locals and globals in order of
    /// declaration. A [`super::Reg`] is an index into them.
    #[must_use]
    pub fn registers(&self) -> &[Register] {
        &self.regs
    }

    /// Returns the number of arguments, which are the first registers.
    #[must_use]
    pub const fn arg_count(&self) -> usize {
        self.signature.args.len as usize
    }

    /// Returns the number of instructions and labels.
    #[must_use]
    pub const fn insn_count(&self) -> usize {
        self.insns as usize
    }

    /// Returns the first instruction.
    #[must_use]
    pub const fn first(&self) -> Option<InsnId> {
        self.first
    }

    /// Returns the last instruction.
    #[must_use]
    pub const fn last(&self) -> Option<InsnId> {
        self.last
    }
}

/// An instruction in its list: code, operands in the module's pool, neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Insn {
    /// The code in the upper 8 bits, the number of operands in the lower 24.
    code_and_count: u32,
    pub(super) operands: u32,
    previous: u32,
    next: u32,
}

/// The maximum number of operands of an instruction.
pub(super) const MAX_OPERANDS: usize = (1 << 24) - 1;

fn link(insn: Option<InsnId>) -> u32 {
    insn.map_or(u32::MAX, Entity::number)
}

fn unlink(number: u32) -> Option<InsnId> {
    (number != u32::MAX).then(|| InsnId::new(number))
}

impl Insn {
    /// Makes an instruction outside any list; `count` is at most [`MAX_OPERANDS`].
    pub(super) fn new(code: Code, operands: u32, count: u32) -> Insn {
        Insn {
            code_and_count: u32::from(code.number()) << 24 | count,
            operands,
            previous: u32::MAX,
            next: u32::MAX,
        }
    }

    pub(super) fn code(self) -> Code {
        Code::ALL[(self.code_and_count >> 24) as usize]
    }

    pub(super) const fn count(self) -> u32 {
        self.code_and_count & 0xFF_FFFF
    }

    pub(super) fn next(self) -> Option<InsnId> {
        unlink(self.next)
    }

    pub(super) fn previous(self) -> Option<InsnId> {
        unlink(self.previous)
    }

    pub(super) fn set_next(&mut self, insn: Option<InsnId>) {
        self.next = link(insn);
    }

    pub(super) fn set_previous(&mut self, insn: Option<InsnId>) {
        self.previous = link(insn);
    }
}
