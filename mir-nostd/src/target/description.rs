//! The facts about an ISA that are data.

use super::{
    Argument, ArgumentKind, Cursor, Elf, FixupKind, FlagRules, FoldedLoad, InsnRow, Location,
    Peephole, Piece, RegisterFile, Target,
};
use crate::ir::Type;
use crate::machine::{Generic, Opcode, Operand, Reg};

/// The facts about an ISA that are the same for all functions: its tables, and what it is capable
/// of. What must be computed is in the traits that [`Isa`](super::Isa) includes.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The platform ABI.
    pub target: &'static Target,
    /// The register file.
    pub registers: &'static RegisterFile,
    /// The instruction table, indexed by [`Opcode::row`].
    pub insns: &'static [InsnRow],
    /// True if the division instructions trap or have no defined result for the most negative
    /// number divided by -1, so that the code generator tests for -1 before.
    pub division_traps: bool,
    /// The optional generic instructions that selection supports, of `Rotl`, `Select`, `Umulh` and
    /// `Bitcast` of 32 bits, `Ctlz` to `Bitreverse`, `Fma` to `Fmaximumnum`, and the atomic ones
    /// that modify memory. A supported `Select` must cost about as much as an addition, and no
    /// branch.
    pub optional: &'static [Generic],
    /// The fewest bytes that the optional atomic instructions access, those of `optional`.
    pub atomic_bytes: u32,
    /// The generic instructions that selection supports on the target's long double type; the
    /// others become calls of routines of the runtime.
    pub long_double: &'static [Generic],
    /// The register that always holds 0, if there is one.
    pub zero: Option<Reg>,
    /// The register that counted loops count down in, if there is one. `SetCount` sets it, and
    /// selection turns a 64-bit `BrIcmp` that compares it with 0 for equality into a branch that
    /// first decrements it. It is never allocated; besides, only calls, indirect jumps and the
    /// stubs that compile blocks when control reaches them may change it.
    pub count_register: Option<Reg>,
    /// True if loads at any address take about the time of those at multiples of their sizes.
    pub unaligned_loads: bool,
    /// True if most operations on two registers write their result to that of the first source.
    pub overwrites_sources: bool,
    /// The loads that other instructions do by themselves.
    pub folded_loads: &'static [FoldedLoad],
    /// The peepholes, in the order in which they are tried.
    pub peepholes: &'static [Peephole],
    /// The rules by which comparisons with zero are eliminated, if any are.
    pub flag_rules: Option<&'static FlagRules>,
    /// The opcodes of branches whose short forms have another one, each before that of the short
    /// form.
    pub short_opcodes: &'static [(Opcode, Opcode)],
    /// The kinds of fixups that refer to their targets by the distance from the start of the
    /// function's code, so that their own places do not matter.
    pub from_start: &'static [FixupKind],
    /// LLVM's names of the target flags of operands that are not registers, by number of the
    /// [`TargetFlag`](crate::machine::TargetFlag); several are separated by `, `, the direct one
    /// first. The first, for 0, is empty.
    pub target_flags: &'static [&'static str],
    /// The facts for writing ELF objects, if position-independent code is supported.
    pub elf: Option<&'static Elf>,
    /// The alignment of the code of functions, at least 16.
    pub code_align: u32,
    /// The bytes of the lines in which processors fetch code, a power of two: from level 2 on small
    /// loops lie in one. 0 if loops lie anywhere.
    pub line_bytes: u32,
}

impl Description {
    /// Returns the description of an ISA with these tables that is capable of nothing special.
    #[must_use]
    pub const fn new(
        target: &'static Target,
        registers: &'static RegisterFile,
        insns: &'static [InsnRow],
    ) -> Description {
        Description {
            target,
            registers,
            insns,
            division_traps: false,
            optional: &[],
            atomic_bytes: 1,
            long_double: &[],
            zero: None,
            count_register: None,
            unaligned_loads: false,
            overwrites_sources: false,
            folded_loads: &[],
            peepholes: &[],
            flag_rules: None,
            short_opcodes: &[],
            from_start: &[],
            target_flags: &[""],
            elf: None,
            code_align: 16,
            line_bytes: 0,
        }
    }

    /// True if selection supports an optional generic instruction.
    #[must_use]
    pub fn has(&self, generic: Generic) -> bool {
        self.optional.contains(&generic)
    }

    /// True if selection supports an optional atomic instruction on so many bytes.
    #[must_use]
    pub fn has_atomic(&self, generic: Generic, bytes: u32) -> bool {
        bytes >= self.atomic_bytes && self.has(generic)
    }

    /// True if selection supports a generic instruction on the target's long double type.
    #[must_use]
    pub fn has_long_double(&self, generic: Generic) -> bool {
        self.long_double.contains(&generic)
    }

    /// True if an operand is the register that always holds 0.
    #[must_use]
    pub fn is_zero(&self, operand: Operand) -> bool {
        self.zero.is_some() && operand.as_reg() == self.zero
    }

    /// Returns the instruction that reads from memory the operand that `user` reads from register
    /// number `operand`, if there is one, with the number of its rule.
    #[must_use]
    pub fn folded_load(
        &self,
        user: Opcode,
        operand: usize,
        load: Opcode,
    ) -> Option<(usize, Opcode)> {
        let mut rules = self.folded_loads.iter().enumerate();
        let found = rules.find(|(_, rule)| {
            usize::from(rule.operand) == operand && rule.user == user && rule.load == load
        });
        found.map(|(number, rule)| (number, rule.folded))
    }

    /// True if all arguments of a call are passed in registers, none of which the epilogue of the
    /// caller restores: so compiled code can jump to the callee instead of calling it.
    #[must_use]
    pub fn passes_in_registers(&self, args: impl IntoIterator<Item = Argument>) -> bool {
        let registers = self.registers;
        let mut cursor = Cursor::default();
        args.into_iter().all(|argument| {
            let placed =
                (self.target.abi.place_argument)(&mut cursor, argument, ArgumentKind::Named);
            placed.is_ok_and(|placed| {
                let is_kept = |piece: &Piece| {
                    let (list, first) = match piece.at {
                        Location::Int(first) => (registers.int_arguments, first),
                        Location::Float(first) => (registers.float_arguments, first),
                        _ => return false,
                    };
                    let last = usize::from(first) + piece.size.div_ceil(8).max(1) as usize;
                    let used = list.get(usize::from(first)..last).unwrap_or(&[]);
                    let are_free = |&reg| !registers.units(reg).overlaps(registers.saved);
                    !used.is_empty() && used.iter().all(are_free)
                };
                !placed.by_address
                    && argument.ty != Type::Ld
                    && !argument.is_copied()
                    && placed.pieces().iter().all(is_kept)
            })
        })
    }

    /// Returns the opcode of the short form of a branch, if it differs from that of the long form.
    #[must_use]
    pub fn short_opcode(&self, long: Opcode) -> Option<Opcode> {
        let found = self.short_opcodes.iter().find(|pair| pair.0 == long);
        found.map(|pair| pair.1)
    }
}
