//! Opcodes and their descriptions.

use super::ClassId;
use super::packed::{Packed, Section};

/// An opcode of a target: a number of our own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opcode(pub(super) u16);

/// Properties of an opcode, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Properties(u32);

macro_rules! properties {
    ($($bit:literal $name:ident $doc:literal)*) => {
        impl Properties {
            $(#[doc = $doc] #[must_use] pub const fn $name(self) -> bool { self.0 >> $bit & 1 != 0 })*
        }
    };
}

properties! {
    0 is_variadic "More operands than described may follow."
    2 is_pseudo "No machine instruction."
    3 is_meta "Makes no code at all."
    4 is_return "Returns from the function."
    5 is_call "Calls."
    6 is_barrier "Control does not go on to what follows."
    7 is_terminator "Ends a block."
    8 is_branch "Branches."
    9 is_indirect "Branches to an address that is computed."
    12 is_generic "A generic opcode: before selection."
    13 may_load "May read memory."
    14 may_store "May write memory."
    15 has_side_effects "Does more than its operands say."
    21 is_common "Of all targets."
    20 has_variadic_defs "The operands that follow the described ones are written."
}

/// The kind of an operand that an opcode expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A register of a class.
    Class(ClassId),
    /// An integer.
    Immediate,
    /// A part of an address.
    Memory,
    /// An address relative to the instruction.
    PcRelative,
    /// An operand of any kind.
    Any,
    /// A kind of the target's own.
    Own(u16),
    /// A register of a type, which operands with the same type index share.
    Type(u16),
    /// An immediate of a generic opcode.
    UnsignedImmediate(u16),
    /// Any register.
    Register,
}

/// The description of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandInfo(u32);

impl OperandInfo {
    /// Returns the expected kind.
    #[must_use]
    pub fn kind(self) -> Kind {
        let value = self.0 as u16;
        match self.0 >> 16 & 15 {
            0 => Kind::Class(ClassId(value)),
            1 => Kind::Immediate,
            2 => Kind::Memory,
            3 => Kind::PcRelative,
            4 => Kind::Any,
            5 => Kind::Own(value),
            6 => Kind::Type(value),
            7 => Kind::UnsignedImmediate(value),
            _ => Kind::Register,
        }
    }

    /// Returns whether the class depends on the mode of the processor.
    #[must_use]
    pub fn depends_on_mode(self) -> bool {
        self.0 >> 20 & 1 != 0
    }

    /// Returns whether the definition is written before all inputs are read.
    #[must_use]
    pub fn is_early_clobber(self) -> bool {
        self.0 >> 21 & 1 != 0
    }

    /// Returns whether it is a definition that may be `$noreg`.
    #[must_use]
    pub fn is_optional_def(self) -> bool {
        self.0 >> 22 & 1 != 0
    }

    /// Returns the operand whose register this one shares.
    #[must_use]
    pub fn tied(self) -> Option<usize> {
        ((self.0 >> 25) as usize).checked_sub(1)
    }

    /// Returns the type index of the operand, for generic opcodes.
    #[must_use]
    pub fn type_index(self) -> Option<u16> {
        match self.kind() {
            Kind::Type(index) => Some(index),
            _ => None,
        }
    }
}

/// The description of an opcode: operands, properties, implicit registers.
#[derive(Clone, Copy)]
pub struct Signature {
    packed: Packed,
    counts: u32,
    properties: u32,
    kinds: usize,
    implicit: usize,
}

impl core::fmt::Debug for Signature {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list()
            .entries((0..self.operand_count()).map(|at| self.operand(at)))
            .finish()
    }
}

impl Signature {
    pub(super) fn new(packed: Packed, row: usize) -> Signature {
        let word = |at| packed.word(Section::Signatures, 4 * row + at);
        Signature {
            packed,
            counts: word(0),
            properties: word(1),
            kinds: word(2) as usize,
            implicit: word(3) as usize,
        }
    }

    /// Returns the properties.
    #[must_use]
    pub fn properties(&self) -> Properties {
        Properties(self.properties)
    }

    /// Returns the number of explicit definitions.
    #[must_use]
    pub fn def_count(&self) -> usize {
        (self.counts & 0xFF) as usize
    }

    /// Returns the number of described operands.
    #[must_use]
    pub fn operand_count(&self) -> usize {
        (self.counts >> 8 & 0xFF) as usize
    }

    /// Returns the description of an operand.
    #[must_use]
    pub fn operand(&self, at: usize) -> Option<OperandInfo> {
        let known = at < self.operand_count();
        known.then(|| OperandInfo(self.packed.word(Section::Kinds, self.kinds + at)))
    }

    /// Returns the registers that it defines implicitly.
    pub fn implicit_defs(&self) -> impl Iterator<Item = u16> {
        self.implicit_range(0, (self.counts >> 16 & 0xFF) as usize)
    }

    /// Returns the registers that it uses implicitly.
    pub fn implicit_uses(&self) -> impl Iterator<Item = u16> {
        self.implicit_range(
            (self.counts >> 16 & 0xFF) as usize,
            (self.counts >> 24) as usize,
        )
    }

    fn implicit_range(&self, skip: usize, count: usize) -> impl Iterator<Item = u16> + use<> {
        let (packed, first) = (self.packed, self.implicit + skip);
        (first..first + count).map(move |at| packed.word(Section::Implicit, at) as u16)
    }
}
