//! Peepholes: the rules by which one instruction does the work of two, and flags are used again.

use crate::machine::{Function, InsnId, Opcode, Operand, OperandFlags, Reg};
use heapless::Vec;

/// The most operands of an instruction that reads memory in place of a register.
pub(crate) const MOST_OPERANDS: usize = 16;

/// An instruction with its explicit operands, for a [`Peephole`].
#[derive(Clone, Copy, Debug)]
pub struct InsnView<'f> {
    /// Its opcode.
    pub opcode: Opcode,
    /// Its explicit operands, definitions first.
    pub operands: &'f [Operand],
    function: &'f Function<'f>,
    insn: InsnId,
}

impl<'f> InsnView<'f> {
    /// Returns the instruction `insn` of a function.
    #[must_use]
    pub fn new(function: &'f Function<'f>, insn: InsnId) -> InsnView<'f> {
        InsnView {
            opcode: function.insn(insn).opcode,
            operands: function.operands(insn),
            function,
            insn,
        }
    }

    /// Returns the instruction after it in its block, if it is not the last one.
    #[must_use]
    pub fn next(&self) -> Option<InsnView<'f>> {
        let next = self.function.insn(self.insn).next()?;
        Some(InsnView::new(self.function, next))
    }

    /// True if it has this opcode.
    #[must_use]
    pub fn is(&self, opcode: impl Into<Opcode>) -> bool {
        self.opcode == opcode.into()
    }

    /// Returns an operand; [`Operand::NO_REG`] if there are not that many.
    #[must_use]
    pub fn at(&self, number: usize) -> Operand {
        self.operands
            .get(number)
            .copied()
            .unwrap_or(Operand::NO_REG)
    }

    /// Returns the operands of the same instruction with the address that `load` reads, its first
    /// `count` explicit operands but the result, in place of operand `number`; `None` if another
    /// operand is the same register, or there are too many.
    pub(crate) fn with_address(
        &self,
        number: usize,
        load: &InsnView<'_>,
        count: usize,
    ) -> Option<Vec<Operand, MOST_OPERANDS>> {
        let (before, rest) = self.operands.split_at_checked(number)?;
        let (gone, behind) = rest.split_first()?;
        let mut others = before.iter().chain(behind);
        if others.any(|other| other.as_reg() == gone.as_reg()) {
            return None;
        }
        let mut operands = Vec::new();
        for part in [before, load.operands.get(1..count)?, behind] {
            operands.extend_from_slice(part).ok()?;
        }
        Some(operands)
    }

    /// Returns the value of an operand that is an immediate of 32 bits.
    #[must_use]
    pub fn immediate(&self, number: usize) -> Option<i32> {
        self.at(number).small()
    }
}

/// An instruction that does the work of two: see [`Peephole`].
#[derive(Clone, Debug)]
pub struct FoldedSource {
    /// Its opcode.
    pub opcode: Opcode,
    operands: Vec<Operand, 7>,
}

impl FoldedSource {
    /// Returns an instruction with these explicit operands, at most seven. Their roles come from
    /// its row, except that `UNDEF` uses stay so.
    #[must_use]
    pub fn new(opcode: impl Into<Opcode>, given: &[Operand]) -> FoldedSource {
        let mut operands = Vec::new();
        for operand in given {
            let plain = match operand.as_reg() {
                // A definition of a sub-register has the flag, too.
                Some(reg) if !operand.is_def() && operand.flags().contains(OperandFlags::UNDEF) => {
                    Operand::reg(reg).with(OperandFlags::UNDEF)
                }
                Some(reg) => Operand::reg(reg),
                None => *operand,
            };
            // An eighth operand is lost: no row that a peephole makes has one.
            let _ = operands.push(plain);
        }
        let opcode = opcode.into();
        FoldedSource { opcode, operands }
    }

    /// Returns its operands.
    #[must_use]
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// Returns it as it would be in the place of another instruction.
    #[must_use]
    pub(crate) fn in_place_of<'f>(&'f self, insn: &InsnView<'f>) -> InsnView<'f> {
        InsnView {
            opcode: self.opcode,
            operands: &self.operands,
            ..*insn
        }
    }
}

/// A peephole: a rule by which one instruction does the work of two.
#[derive(Clone, Copy, Debug)]
pub struct Peephole {
    /// The name by which tests ask for it.
    pub name: &'static str,
    /// Returns what replaces the first instruction so that it computes by itself what the second
    /// one computes for its register operand of this number, if the rule applies. No other
    /// instruction reads that operand's value, and the inputs of the second instruction have not
    /// changed since.
    pub fold: fn(&InsnView<'_>, usize, &InsnView<'_>) -> Option<FoldedSource>,
    /// True if the rule applies although the result overwrites a register that is read elsewhere,
    /// too, and so needs a copy of it.
    pub takes_copies: bool,
}

impl Peephole {
    /// Returns the rule of this name, which takes copies.
    #[must_use]
    pub const fn new(
        name: &'static str,
        fold: fn(&InsnView<'_>, usize, &InsnView<'_>) -> Option<FoldedSource>,
    ) -> Peephole {
        Peephole {
            name,
            fold,
            takes_copies: true,
        }
    }

    /// Returns the same rule, applied only where no register that the result overwrites is read
    /// elsewhere: where a copy would be as much as the rule saves.
    #[must_use]
    pub const fn without_copies(self) -> Peephole {
        Peephole {
            takes_copies: false,
            ..self
        }
    }
}

/// A rule by which an instruction reads an operand from memory in place of the load of a register.
#[derive(Clone, Copy, Debug)]
pub struct FoldedLoad {
    /// The opcode of the instruction that reads the register.
    pub user: Opcode,
    /// The number of the operand.
    pub operand: u8,
    /// The opcode of the load.
    pub load: Opcode,
    /// The opcode of the instruction that does both: the address operands of the load take the
    /// place of the operand.
    pub folded: Opcode,
}

/// The rules by which a comparison with zero is left out because the instruction that computed what
/// it compares has set the flags.
#[derive(Clone, Copy, Debug)]
pub struct FlagRules {
    /// The register that comparisons write. No block reads it before it writes it.
    pub register: Reg,
    /// The opcodes for which `setting` may return something.
    pub may_set: &'static [Opcode],
    /// Returns the instruction that does the same as another one, which leaves the flags alone, and
    /// sets them, if there is one that is as fast.
    pub setting: fn(&InsnView<'_>) -> Option<FoldedSource>,
    /// Returns the operand that the reader of a comparison's flags must have, and its number, in
    /// order to read the flags of the instruction that computed what is compared instead. It takes
    /// that instruction, the comparison and the reader, which is the only one; it returns `None` if
    /// the second does not compare with zero what the first defines, or the flags of the first do
    /// not say as much.
    pub reuse: fn(&InsnView<'_>, &InsnView<'_>, &InsnView<'_>) -> Option<(usize, Operand)>,
}

/// Makes a list of [`FoldedLoad`]s of a backend's `Op`: per line the number of the operand, the
/// load, and pairs of the instruction that reads the register and the one that reads memory.
#[macro_export]
macro_rules! folded_loads {
    ($(#[$doc:meta])* $list:ident: $($operand:literal $load:ident: $($user:ident $folded:ident),*;)*) => {
        $(#[$doc])*
        pub(crate) static $list: &[$crate::target::FoldedLoad] = &[$($($crate::target::FoldedLoad {
            user: Op::$user.opcode(),
            operand: $operand,
            load: Op::$load.opcode(),
            folded: Op::$folded.opcode(),
        },)*)*];
    };
}
