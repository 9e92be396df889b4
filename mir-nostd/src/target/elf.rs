//! The facts that a target's ELF objects are made of: numbers of its ABI supplement.

use crate::target::code::FixupKind;

/// The facts for writing ELF objects.
#[derive(Clone, Copy, Debug)]
pub struct Elf {
    /// `e_machine`.
    pub machine: u16,
    /// `e_flags`.
    pub flags: u32,
    /// The relocation type for 64 bits of address.
    pub address: u32,
    /// The relocation type for a 32-bit distance from the place.
    pub distance: u32,
    /// Returns the relocations for a fixup of this kind; none if the kind only serves inside a
    /// function.
    pub relocations: fn(FixupKind) -> &'static [ElfRelocation],
    /// The DWARF number of the return address in unwind tables.
    pub return_address: u16,
    /// The distance of the canonical frame address above the stack pointer at the entry of a
    /// function.
    pub entry_cfa_offset: u32,
    /// The `st_other` of functions that begin by computing the TOC pointer from a linker-defined
    /// symbol.
    pub function_other: u8,
    /// The bytes that follow the code of a function.
    pub behind: &'static [u8],
    /// An instruction that stops the process.
    pub trap: &'static [u8],
    /// The type and bits of the program property with which a note marks an object in which every
    /// target of an indirect branch begins with a landing pad.
    pub landing_pads: Option<(u32, u32)>,
}

/// A relocation at or near the place of a fixup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElfRelocation {
    /// Its type.
    pub number: u32,
    /// Its distance in bytes after the fixup's place.
    pub behind: u8,
    /// The addend beside that of the fixup.
    pub addend: i64,
    /// The symbol that it refers to.
    pub to: ElfReference,
    /// True if the relocation is left to the linker even if it refers to the same section.
    pub always: bool,
}

/// The symbol that an ELF relocation refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElfReference {
    /// The target of the fixup.
    Target,
    /// A label at the fixup's place itself, for the second half of a pair on riscv64.
    Place,
    /// A symbol that the linker defines (`.TOC.`).
    Linker(&'static str),
    /// Nothing: the relocation is only a mark for the linker.
    Nothing,
}

impl ElfRelocation {
    /// Returns a relocation at the place itself that refers to the fixup's target.
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

    /// Makes the relocation one that is always left to the linker.
    #[must_use]
    pub const fn always(mut self) -> ElfRelocation {
        self.always = true;
        self
    }

    /// Moves the relocation some bytes further.
    #[must_use]
    pub const fn behind(mut self, bytes: u8) -> ElfRelocation {
        self.behind = bytes;
        self
    }

    /// Makes the relocation refer to something else.
    #[must_use]
    pub const fn to(mut self, to: ElfReference) -> ElfRelocation {
        self.to = to;
        self
    }
}
