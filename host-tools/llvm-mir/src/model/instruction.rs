//! Instructions.

use super::{Global, MemoryOperand, Metadata, Operand, OperandFlags, OperandKind, Text};
use crate::target::{Opcode, Target};

macro_rules! insn_flags {
    ($($name:ident $word:literal)*) => {
        /// A flag of an instruction, in the order of printing.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "the words of LLVM")]
        pub enum InsnFlag { $($name),* }

        impl InsnFlag {
            /// All flags with their words.
            pub const TABLE: &'static [(InsnFlag, &'static str)] =
                &[$((InsnFlag::$name, $word)),*];
        }
    };
}

insn_flags! {
    FrameSetup "frame-setup"
    FrameDestroy "frame-destroy"
    FmNoNans "nnan"
    FmNoInfs "ninf"
    FmNsz "nsz"
    FmArcp "arcp"
    FmContract "contract"
    FmAfn "afn"
    FmReassoc "reassoc"
    NoUWrap "nuw"
    NoSWrap "nsw"
    IsExact "exact"
    NoFpExcept "nofpexcept"
    NoMerge "nomerge"
    Unpredictable "unpredictable"
    NoConvergent "noconvergent"
    NonNeg "nneg"
    Disjoint "disjoint"
    NoUsWrap "nusw"
    SameSign "samesign"
    InBounds "inbounds"
    LrSplit "lr-split"
}

/// Flags of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct InsnFlags(u32);

impl InsnFlags {
    /// Returns whether the flag is set.
    #[must_use]
    pub const fn contains(self, flag: InsnFlag) -> bool {
        self.0 >> flag as u32 & 1 != 0
    }

    /// Returns these flags and another.
    #[must_use]
    pub const fn with(self, flag: InsnFlag) -> InsnFlags {
        InsnFlags(self.0 | 1 << flag as u32)
    }

    /// Returns whether no flag is set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The parts after the operands that few instructions have.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trailers {
    /// A symbol before the instruction.
    pub pre_symbol: Option<Text>,
    /// A symbol after the instruction.
    pub post_symbol: Option<Text>,
    /// The type that a call allocates.
    pub heap_alloc_marker: Option<Metadata>,
    /// Metadata recorded with the instruction's address.
    pub pc_sections: Option<Metadata>,
    /// The type of an indirect call; 0 is none.
    pub cfi_type: u32,
    /// A symbol whose definition turns the instruction into a no-op.
    pub deactivation_symbol: Option<Global>,
    /// The instruction's number for debug information; 0 is none.
    pub debug_number: u32,
    /// The source location.
    pub debug_location: Option<Metadata>,
}

/// A byte offset in the text that something was read from. It is no part of the content, so all
/// positions compare equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position(pub u32);

impl PartialEq for Position {
    fn eq(&self, _: &Position) -> bool {
        true
    }
}

impl Position {
    /// Returns the position of an offset in a text, 0 if it does not fit.
    #[must_use]
    pub fn of(offset: usize) -> Position {
        Position(u32::try_from(offset).unwrap_or(0))
    }
}

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// The operation.
    pub opcode: Opcode,
    /// The flags.
    pub flags: InsnFlags,
    /// Explicit definitions, explicit uses, implicit ones.
    pub operands: Vec<Operand>,
    /// The accesses to memory.
    pub memory: Vec<MemoryOperand>,
    /// The parts after the operands, if there are any.
    pub trailers: Option<Box<Trailers>>,
    /// True if it is in a bundle with the preceding instruction.
    pub in_bundle: bool,
    /// The position in the text that it was read from.
    pub position: Position,
}

impl Instruction {
    /// Returns an instruction without operands.
    #[must_use]
    pub fn new(opcode: Opcode) -> Instruction {
        Instruction {
            opcode,
            flags: InsnFlags::default(),
            operands: Vec::new(),
            memory: Vec::new(),
            trailers: None,
            in_bundle: false,
            position: Position::default(),
        }
    }

    /// Returns the number of operands before the `=`: register definitions that are not implicit.
    #[must_use]
    pub fn left_count(&self) -> usize {
        let left = self.operands.iter().take_while(|operand| {
            operand
                .register()
                .is_some_and(|register| register.is_def() && !register.is_implicit())
        });
        left.count()
    }

    /// Returns the number of operands before the implicit ones.
    #[must_use]
    pub fn explicit_count(&self) -> usize {
        let implicit = |operand: &Operand| operand.register().is_some_and(|r| r.is_implicit());
        self.operands
            .iter()
            .position(implicit)
            .unwrap_or(self.operands.len())
    }

    /// Adds the implicit operands of the opcode's description, as definitions and uses without
    /// further flags.
    pub fn add_implicit_operands(&mut self, target: &Target) {
        let signature = target.signature(self.opcode);
        let def = OperandFlags::DEF.with(OperandFlags::IMPLICIT);
        let operand = |number, flags| Operand::reg(super::Register::physical(number), flags);
        self.operands
            .extend(signature.implicit_defs().map(|number| operand(number, def)));
        let uses = signature.implicit_uses();
        self.operands
            .extend(uses.map(|number| operand(number, OperandFlags::IMPLICIT)));
    }

    /// Sets the ties and early clobbers of the opcode's description.
    pub fn tie_operands(&mut self, target: &Target) {
        let signature = target.signature(self.opcode);
        for (at, operand) in self.operands.iter_mut().enumerate() {
            let (Some(info), OperandKind::Register(register)) =
                (signature.operand(at), &mut operand.kind)
            else {
                continue;
            };
            if register.is_def() && info.is_early_clobber() {
                register.flags = register.flags.with(OperandFlags::EARLY_CLOBBER);
            }
            if let Some(tied) = info.tied()
                && !register.is_def()
                && register.tied.is_none()
            {
                register.tied = u16::try_from(tied).ok();
            }
        }
    }
}
