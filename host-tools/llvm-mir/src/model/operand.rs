//! Operands of instructions.

use super::{Float, Integer, Text};
use crate::target::{MaskId, SubIndex};

/// A register: none, physical (LLVM's number) or virtual (an index of
/// [`super::Function::registers`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Register(u32);

const VIRTUAL: u32 = 1 << 31;

impl Register {
    /// No register: `$noreg`.
    pub const NONE: Register = Register(0);

    /// Returns a physical register of the target.
    #[must_use]
    pub const fn physical(number: u16) -> Register {
        Register(number as u32)
    }

    /// Returns a virtual register by its index.
    #[must_use]
    pub const fn virt(index: u32) -> Register {
        Register(VIRTUAL | index)
    }

    /// Returns the index of a virtual register.
    #[must_use]
    pub const fn virtual_index(self) -> Option<usize> {
        if self.0 & VIRTUAL != 0 {
            Some((self.0 & !VIRTUAL) as usize)
        } else {
            None
        }
    }

    /// Returns the number of a physical register; `None` for `$noreg`.
    #[must_use]
    pub const fn number(self) -> Option<u16> {
        if self.0 & VIRTUAL == 0 && self.0 != 0 {
            Some(self.0 as u16)
        } else {
            None
        }
    }

    /// Returns whether it is `$noreg`.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl core::fmt::Debug for Register {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.virtual_index() {
            Some(index) => write!(f, "%{index}"),
            None => write!(f, "${}", self.0),
        }
    }
}

/// The flags of a register operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct OperandFlags(u16);

macro_rules! operand_flags {
    ($($bit:literal $name:ident $word:literal $doc:literal)*) => {
        impl OperandFlags {
            $(#[doc = $doc] pub const $name: OperandFlags = OperandFlags(1 << $bit);)*
            /// All flags with their words, in the order of printing.
            pub const TABLE: &'static [(OperandFlags, &'static str)] =
                &[$((OperandFlags::$name, $word)),*];
        }
    };
}

operand_flags! {
    0 DEF "def" "Written."
    1 IMPLICIT "implicit" "Not part of the instruction's text."
    2 INTERNAL "internal" "Defined within the same bundle."
    3 DEAD "dead" "The value written is never read."
    4 KILLED "killed" "The last use of the value."
    5 UNDEF "undef" "The value does not matter."
    6 EARLY_CLOBBER "early-clobber" "Written before all inputs are read."
    7 RENAMABLE "renamable" "Another physical register would do."
    8 DEBUG_USE "debug-use" "Read by debug information only."
}

impl OperandFlags {
    /// The empty set of flags.
    pub const NONE: OperandFlags = OperandFlags(0);

    /// Returns whether all flags of `other` are set.
    #[must_use]
    pub const fn contains(self, other: OperandFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns these flags and others.
    #[must_use]
    pub const fn with(self, other: OperandFlags) -> OperandFlags {
        OperandFlags(self.0 | other.0)
    }

    /// Returns these flags without others.
    #[must_use]
    pub const fn without(self, other: OperandFlags) -> OperandFlags {
        OperandFlags(self.0 & !other.0)
    }
}

impl core::fmt::Debug for OperandFlags {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let words = Self::TABLE.iter().filter(|(flag, _)| self.contains(*flag));
        f.debug_set().entries(words.map(|(_, word)| word)).finish()
    }
}

/// A register operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegisterOperand {
    /// The register.
    pub register: Register,
    /// The sub-register index.
    pub sub: SubIndex,
    /// The flags.
    pub flags: OperandFlags,
    /// The operand whose register this use shares; `None` also if the opcode's description has the
    /// tie.
    pub tied: Option<u16>,
}

impl RegisterOperand {
    /// Returns whether the operand is a definition.
    #[must_use]
    pub const fn is_def(&self) -> bool {
        self.flags.contains(OperandFlags::DEF)
    }

    /// Returns whether the operand is implicit.
    #[must_use]
    pub const fn is_implicit(&self) -> bool {
        self.flags.contains(OperandFlags::IMPLICIT)
    }

    /// Returns whether the operand's value does not matter.
    #[must_use]
    pub const fn is_undef(&self) -> bool {
        self.flags.contains(OperandFlags::UNDEF)
    }

    /// Returns whether the register's value is read; the definition of a sub-register reads the
    /// rest.
    #[must_use]
    pub fn is_read(&self) -> bool {
        let keeps = self.is_def() && self.sub != SubIndex::WHOLE;
        !self.is_undef()
            && !self.flags.contains(OperandFlags::INTERNAL)
            && (!self.is_def() || keeps)
    }
}

/// A frame object as an index of one of the function's lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Frame {
    /// `%stack.N`.
    Stack(u32),
    /// `%fixed-stack.N`.
    Fixed(u32),
}

/// A global value of the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Global {
    /// `@name`.
    Named(Text),
    /// `@N`.
    Number(u32),
}

/// A block of the LLVM IR function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum IrBlock {
    /// A block with a label.
    Named(Text),
    /// A block without: its number among the unnamed values.
    Number(u32),
}

/// A reference to metadata.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Metadata {
    /// `!N`.
    Node(u32),
    /// `!DIExpression(…)`, `!DILocation(…)`: as it is written.
    Inline(Text),
}

/// A predicate of `G_ICMP`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the words of LLVM")]
pub enum IntPredicate {
    Eq,
    Ne,
    Sgt,
    Sge,
    Slt,
    Sle,
    Ugt,
    Uge,
    Ult,
    Ule,
}

impl IntPredicate {
    /// All predicates with their words.
    pub const TABLE: [(IntPredicate, &'static str); 10] = [
        (IntPredicate::Eq, "eq"),
        (IntPredicate::Ne, "ne"),
        (IntPredicate::Sgt, "sgt"),
        (IntPredicate::Sge, "sge"),
        (IntPredicate::Slt, "slt"),
        (IntPredicate::Sle, "sle"),
        (IntPredicate::Ugt, "ugt"),
        (IntPredicate::Uge, "uge"),
        (IntPredicate::Ult, "ult"),
        (IntPredicate::Ule, "ule"),
    ];
}

/// A predicate of `G_FCMP`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the words of LLVM")]
pub enum FloatPredicate {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

impl FloatPredicate {
    /// All predicates with their words.
    pub const TABLE: [(FloatPredicate, &'static str); 16] = [
        (FloatPredicate::False, "false"),
        (FloatPredicate::Oeq, "oeq"),
        (FloatPredicate::Ogt, "ogt"),
        (FloatPredicate::Oge, "oge"),
        (FloatPredicate::Olt, "olt"),
        (FloatPredicate::Ole, "ole"),
        (FloatPredicate::One, "one"),
        (FloatPredicate::Ord, "ord"),
        (FloatPredicate::Uno, "uno"),
        (FloatPredicate::Ueq, "ueq"),
        (FloatPredicate::Ugt, "ugt"),
        (FloatPredicate::Uge, "uge"),
        (FloatPredicate::Ult, "ult"),
        (FloatPredicate::Ule, "ule"),
        (FloatPredicate::Une, "une"),
        (FloatPredicate::True, "true"),
    ];
}

/// A directive of call frame information. Registers are physical.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the words of LLVM")]
pub enum Cfi {
    SameValue(u16),
    Offset(u16, i64),
    RelOffset(u16, i64),
    DefCfaRegister(u16),
    DefCfaOffset(i64),
    AdjustCfaOffset(i64),
    DefCfa(u16, i64),
    LlvmDefAspaceCfa(u16, i64, u32),
    Restore(u16),
    Undefined(u16),
    Register(u16, u16),
    Escape(Text),
    RememberState,
    RestoreState,
    WindowSave,
    NegateRaSignState,
    NegateRaSignStateWithPc,
}

/// An operand with its target flags.
#[derive(Clone, PartialEq, Debug)]
pub struct Operand {
    /// The kind and value of the operand.
    pub kind: OperandKind,
    /// The target's flags; 0 for registers.
    pub target_flags: u32,
}

impl From<OperandKind> for Operand {
    fn from(kind: OperandKind) -> Operand {
        Operand {
            kind,
            target_flags: 0,
        }
    }
}

impl Operand {
    /// Returns the register operand, if it is one.
    #[must_use]
    pub fn register(&self) -> Option<&RegisterOperand> {
        match &self.kind {
            OperandKind::Register(register) => Some(register),
            _ => None,
        }
    }

    /// Returns a register operand with flags.
    #[must_use]
    pub fn reg(register: Register, flags: OperandFlags) -> Operand {
        let sub = SubIndex::WHOLE;
        OperandKind::Register(RegisterOperand {
            register,
            sub,
            flags,
            tied: None,
        })
        .into()
    }

    /// Returns an immediate operand.
    #[must_use]
    pub fn imm(value: i64) -> Operand {
        OperandKind::Immediate(value).into()
    }

    /// Returns an operand for a block, by its index.
    #[must_use]
    pub fn block(index: u32) -> Operand {
        OperandKind::Block(index).into()
    }
}

/// The kind of an operand, with its value.
#[derive(Clone, PartialEq, Debug)]
pub enum OperandKind {
    /// A register.
    Register(RegisterOperand),
    /// An immediate. Where a sub-register index belongs, it is printed as one.
    Immediate(i64),
    /// An integer with a width, of `G_CONSTANT` and the like.
    Integer(Box<Integer>),
    /// A floating constant.
    Float(Box<Float>),
    /// A block by its index.
    Block(u32),
    /// A frame object.
    Frame(Frame),
    /// An entry of the constant pool, and an offset.
    Constant(u32, i64),
    /// A jump table.
    JumpTable(u32),
    /// A target index, and an offset.
    TargetIndex(u32, i64),
    /// A global value, and an offset.
    Global(Box<Global>, i64),
    /// A symbol outside the module, and an offset.
    External(Text, i64),
    /// The address of a block of a function, and an offset.
    BlockAddress(Box<(Global, IrBlock)>, i64),
    /// A symbol of the assembler.
    Symbol(Text),
    /// The registers that a call preserves: a mask of the target.
    Mask(MaskId),
    /// The registers that a call preserves: any, in ascending order.
    CustomMask(Box<[u16]>),
    /// The registers that are live after, in ascending order.
    LiveOut(Box<[u16]>),
    /// `intpred(…)`.
    IntPredicate(IntPredicate),
    /// `floatpred(…)`.
    FloatPredicate(FloatPredicate),
    /// `intrinsic(@…)`: its name without types.
    Intrinsic(Text),
    /// `shufflemask(…)`; `None` is `undef`.
    ShuffleMask(Box<[Option<i32>]>),
    /// `dbg-instr-ref(I, O)`.
    DebugReference(u32, u32),
    /// Call frame information.
    Cfi(Box<Cfi>),
    /// Metadata.
    Metadata(Metadata),
}
