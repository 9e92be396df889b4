//! What a target's ELF objects are made of: numbers of its ABI supplement.

use crate::codegen::FixupKind;

/// Facts for writing objects.
#[derive(Clone, Copy, Debug)]
pub struct Elf {
    /// `e_machine`.
    pub machine: u16,
    /// `e_flags`.
    pub flags: u32,
    /// The relocation type for 64 bits of address.
    pub address: u32,
    /// The relocation type for 32 bits of distance from the place.
    pub distance: u32,
    /// The relocations for a fixup of this kind; none if the kind only serves inside a function.
    pub relocations: fn(FixupKind) -> &'static [ElfRelocation],
    /// The return address's number in unwind tables.
    pub return_address: u16,
    /// How far the canonical frame address is above the stack pointer at the entry of a function.
    pub entry_cfa_offset: u32,
    /// `st_other` of functions that begin with what refers to a symbol of the linker's.
    pub function_other: u8,
    /// What comes behind the code of a function.
    pub behind: &'static [u8],
    /// An instruction that stops the process.
    pub trap: &'static [u8],
    /// What a note says of an object in which everything that control may come to through a register or memory begins with a
    /// landing pad: type and bits of a program property.
    pub landing_pads: Option<(u32, u32)>,
}

/// A relocation at or near the place of a fixup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElfRelocation {
    /// Its type.
    pub number: u32,
    /// How many bytes behind the fixup's place it is.
    pub behind: u8,
    /// What is added to the symbol's address besides what the fixup says.
    pub addend: i64,
    /// What it refers to.
    pub to: ElfReference,
    /// Whether the linker does it even if it refers to the same section.
    pub always: bool,
}

/// What an ELF relocation refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElfReference {
    /// What the fixup refers to.
    Target,
    /// The fixup's place itself, which gets a label (the second half of a pair on riscv64).
    Place,
    /// A symbol of the linker's own (`.TOC.`).
    Linker(&'static str),
    /// Nothing: a mark for the linker.
    Nothing,
}

impl ElfRelocation {
    /// A relocation at the place itself that refers to the fixup's target.
    #[must_use]
    pub const fn new(number: u32, addend: i64) -> ElfRelocation {
        ElfRelocation {
            number,
            behind: 0,
            addend,
            to: ElfReference::Target,
            always: false,
        }
    }

    /// The same, never done before linking.
    #[must_use]
    pub const fn always(mut self) -> ElfRelocation {
        self.always = true;
        self
    }

    /// The same, some bytes further.
    #[must_use]
    pub const fn behind(mut self, bytes: u8) -> ElfRelocation {
        self.behind = bytes;
        self
    }

    /// The same, referring to something else.
    #[must_use]
    pub const fn to(mut self, to: ElfReference) -> ElfRelocation {
        self.to = to;
        self
    }
}
