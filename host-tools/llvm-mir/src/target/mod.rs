//! LLVM's tables of a target: opcodes, registers, classes, banks, masks, flags.
//!
//! Everything comes from the tables of LLVM 22 in `tables/`. Numbers of registers, classes and
//! sub-register indices are LLVM's; opcodes have numbers of our own.

mod opcode;
mod packed;
mod registers;
mod triple;

pub use opcode::{Kind, Opcode, OperandInfo, Properties, Signature};
pub use registers::RegisterSet;
pub use triple::{Triple, data_layout};

use packed::{Packed, Section};
use registers::Registers;
use std::sync::OnceLock;

/// One of the five targets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Isa {
    /// AMD64.
    X86_64,
    /// Arm, 64 bits, little-endian.
    Aarch64,
    /// PowerPC, 64 bits, little-endian.
    Ppc64le,
    /// RISC-V, 64 bits.
    Riscv64,
    /// z/Architecture.
    S390x,
}

impl Isa {
    /// All five ISAs.
    pub const ALL: [Isa; 5] = [
        Isa::X86_64,
        Isa::Aarch64,
        Isa::Ppc64le,
        Isa::Riscv64,
        Isa::S390x,
    ];

    /// Returns the name of the ISA.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Isa::X86_64 => "x86_64",
            Isa::Aarch64 => "aarch64",
            Isa::Ppc64le => "ppc64le",
            Isa::Riscv64 => "riscv64",
            Isa::S390x => "s390x",
        }
    }
}

/// A register class by LLVM's number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassId(pub u16);

/// A register bank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BankId(pub u8);

/// A register mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MaskId(pub u16);

/// A sub-register index by LLVM's number; 0 is the whole register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SubIndex(pub u16);

impl SubIndex {
    /// The index of the whole register.
    pub const WHOLE: SubIndex = SubIndex(0);
}

/// The tables of one target.
pub struct Target {
    isa: Isa,
    packed: Packed,
    registers: OnceLock<Registers>,
}

impl core::fmt::Debug for Target {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Target").field(&self.isa).finish()
    }
}

macro_rules! tables {
    ($name:literal) => {
        Packed(include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".bin")))
    };
}

static TARGETS: [Target; 5] = [
    Target::new(Isa::X86_64, tables!("x86_64")),
    Target::new(Isa::Aarch64, tables!("aarch64")),
    Target::new(Isa::Ppc64le, tables!("ppc64le")),
    Target::new(Isa::Riscv64, tables!("riscv64")),
    Target::new(Isa::S390x, tables!("s390x")),
];

impl Target {
    const fn new(isa: Isa, packed: Packed) -> Target {
        let registers = OnceLock::new();
        Target {
            isa,
            packed,
            registers,
        }
    }

    /// Returns the tables of an ISA.
    #[must_use]
    pub fn of(isa: Isa) -> &'static Target {
        &TARGETS[isa as usize]
    }

    /// Returns the ISA of these tables.
    #[must_use]
    pub fn isa(&self) -> Isa {
        self.isa
    }

    fn opcode_name_at(&self, row: usize) -> &'static str {
        self.packed
            .name(self.packed.word(Section::Opcodes, 2 * row))
    }

    /// Returns the opcode of this name.
    #[must_use]
    pub fn opcode(&self, name: &[u8]) -> Option<Opcode> {
        let row = self
            .packed
            .find(Section::OpcodeIndex, name, |row| self.opcode_name_at(row))?;
        u16::try_from(row).ok().map(Opcode)
    }

    /// Returns the name of an opcode.
    #[must_use]
    pub fn opcode_name(&self, opcode: Opcode) -> &'static str {
        self.opcode_name_at(usize::from(opcode.0))
    }

    /// Returns the description of an opcode.
    #[must_use]
    pub fn signature(&self, opcode: Opcode) -> Signature {
        let row = self
            .packed
            .word(Section::Opcodes, 2 * usize::from(opcode.0) + 1);
        Signature::new(self.packed, row as usize)
    }

    fn register_name_at(&self, row: usize) -> &'static str {
        self.packed
            .name(self.packed.word(Section::Registers, 4 * row))
    }

    /// Returns the register of this name.
    #[must_use]
    pub fn register(&self, name: &[u8]) -> Option<u16> {
        let row = self.packed.find(Section::RegisterIndex, name, |row| {
            self.register_name_at(row)
        })?;
        u16::try_from(row + 1).ok()
    }

    /// Returns the name of a register.
    #[must_use]
    pub fn register_name(&self, register: u16) -> &'static str {
        match usize::from(register).checked_sub(1) {
            Some(row) => self.register_name_at(row),
            None => "noreg",
        }
    }

    /// Returns the number of registers; they are numbered from 1.
    #[must_use]
    pub fn register_count(&self) -> usize {
        self.packed.len(Section::Registers) / 4
    }

    /// Returns the DWARF number of a register.
    #[must_use]
    pub fn dwarf_number(&self, register: u16) -> Option<u32> {
        let row = usize::from(register).checked_sub(1)?;
        let number = self
            .packed
            .word(Section::Registers, 4 * row + 2)
            .cast_signed();
        u32::try_from(number).ok()
    }

    /// Returns the register that LLVM names for a DWARF number: of several, the one that is part of
    /// all others.
    #[must_use]
    pub fn register_of_dwarf(&self, number: u32) -> Option<u16> {
        let named = self
            .packed
            .pair(Section::DwarfNames, |_, value| value == number);
        if let Some((name, _)) = named {
            return self.register(name.as_bytes());
        }
        let has = |register: &u16| self.dwarf_number(*register) == Some(number);
        let last = u16::try_from(self.register_count()).unwrap_or(u16::MAX);
        let first = (1..=last).find(has)?;
        let smaller = self.parts(first).map(|(_, part)| part).filter(has);
        Some(
            smaller
                .min_by_key(|part| self.parts(*part).count())
                .unwrap_or(first),
        )
    }

    /// Returns the parts of a register, by sub-register index.
    pub fn parts(&self, register: u16) -> impl Iterator<Item = (SubIndex, u16)> {
        let row = usize::from(register).wrapping_sub(1);
        let at = self
            .packed
            .word(Section::Registers, row.wrapping_mul(4).wrapping_add(3));
        let start = (at & 0xFF_FFFF) as usize;
        (start..start + (at >> 24) as usize).map(|part| {
            let word = self.packed.word(Section::Parts, part);
            (SubIndex((word >> 16) as u16), word as u16)
        })
    }

    /// Returns a part of a register.
    #[must_use]
    pub fn part(&self, register: u16, sub: SubIndex) -> Option<u16> {
        self.parts(register)
            .find(|(index, _)| *index == sub)
            .map(|(_, part)| part)
    }

    /// Returns the sub-register index of this name.
    #[must_use]
    pub fn sub_index(&self, name: &[u8]) -> Option<SubIndex> {
        let mut indices = self.packed.pairs(Section::SubIndices).zip(1..);
        let found = indices.find(|((known, _), _)| known.as_bytes() == name);
        found.map(|(_, number)| SubIndex(number))
    }

    /// Returns the name of a sub-register index, if it exists.
    #[must_use]
    pub fn sub_index_name(&self, sub: SubIndex) -> Option<&'static str> {
        let row = usize::from(sub.0).checked_sub(1)?;
        let known = 2 * row < self.packed.len(Section::SubIndices);
        known.then(|| {
            self.packed
                .name(self.packed.word(Section::SubIndices, 2 * row))
        })
    }

    /// Returns the number of bits that a sub-register index selects, if they are contiguous.
    #[must_use]
    pub fn sub_index_bits(&self, sub: SubIndex) -> Option<u32> {
        let row = usize::from(sub.0).checked_sub(1)?;
        let bits = self.packed.word(Section::SubIndices, 2 * row + 1) & 0xFFFF;
        (bits != 0 && bits != 0xFFFF).then_some(bits)
    }

    /// Returns the class of this name, written in lower case.
    #[must_use]
    pub fn class(&self, name: &[u8]) -> Option<ClassId> {
        let row = self.packed.find(Section::ClassIndex, name, |row| {
            self.packed
                .name(self.packed.word(Section::Classes, 3 * row + 2))
        })?;
        u16::try_from(row).ok().map(ClassId)
    }

    /// Returns the number of register classes.
    #[must_use]
    pub fn class_count(&self) -> usize {
        self.packed.len(Section::Classes) / 3
    }

    /// Returns the name of a class, in lower case.
    #[must_use]
    pub fn class_name(&self, class: ClassId) -> &'static str {
        self.packed.name(
            self.packed
                .word(Section::Classes, 3 * usize::from(class.0) + 2),
        )
    }

    /// Returns the name of a class as it is declared.
    #[must_use]
    pub fn declared_class_name(&self, class: ClassId) -> &'static str {
        self.packed
            .name(self.packed.word(Section::Classes, 3 * usize::from(class.0)))
    }

    /// Returns the number of bits of the registers of a class.
    #[must_use]
    pub fn class_bits(&self, class: ClassId) -> u32 {
        self.packed
            .word(Section::Classes, 3 * usize::from(class.0) + 1)
            & !(1 << 31)
    }

    /// Returns whether virtual registers may have the class.
    #[must_use]
    pub fn is_allocatable_class(&self, class: ClassId) -> bool {
        self.packed
            .word(Section::Classes, 3 * usize::from(class.0) + 1)
            >> 31
            == 0
    }

    /// Returns the registers of a class.
    #[must_use]
    pub fn class_members(&self, class: ClassId) -> RegisterSet {
        RegisterSet::new(
            self.packed,
            Section::ClassSets,
            usize::from(class.0),
            self.set_words(),
        )
    }

    fn set_words(&self) -> usize {
        self.register_count() / 32 + 1
    }

    /// Returns the registers that never hold a value of the program, in any function.
    #[must_use]
    pub fn reserved(&self) -> RegisterSet {
        RegisterSet::new(self.packed, Section::Reserved, 0, self.set_words())
    }

    /// Returns the mask of this name.
    #[must_use]
    pub fn mask(&self, name: &[u8]) -> Option<MaskId> {
        let row = self.packed.find(Section::MaskIndex, name, |row| {
            self.packed.name(self.packed.word(Section::Masks, row))
        })?;
        u16::try_from(row).ok().map(MaskId)
    }

    /// Returns the name of a mask.
    #[must_use]
    pub fn mask_name(&self, mask: MaskId) -> &'static str {
        self.packed
            .name(self.packed.word(Section::Masks, usize::from(mask.0)))
    }

    /// Returns the registers that a mask preserves.
    #[must_use]
    pub fn mask_members(&self, mask: MaskId) -> RegisterSet {
        RegisterSet::new(
            self.packed,
            Section::MaskSets,
            usize::from(mask.0),
            self.set_words(),
        )
    }

    /// Returns the register bank of this name.
    #[must_use]
    pub fn bank(&self, name: &[u8]) -> Option<BankId> {
        let found = self
            .packed
            .pair(Section::Banks, |known, _| known.as_bytes() == name);
        found
            .and_then(|(_, number)| u8::try_from(number).ok())
            .map(BankId)
    }

    /// Returns the name of a register bank.
    #[must_use]
    pub fn bank_name(&self, bank: BankId) -> &'static str {
        let found = self
            .packed
            .pair(Section::Banks, |_, number| number == u32::from(bank.0));
        found.map_or("", |(name, _)| name)
    }

    /// Returns the direct target flag of an operand by name.
    #[must_use]
    pub fn direct_flag(&self, name: &[u8]) -> Option<u32> {
        self.value(Section::DirectFlags, name)
    }

    /// Returns the bit of a target flag of an operand by name.
    #[must_use]
    pub fn bit_flag(&self, name: &[u8]) -> Option<u32> {
        self.value(Section::BitFlags, name)
    }

    /// Returns the bit of a target flag of a memory operand by name.
    #[must_use]
    pub fn memory_flag(&self, name: &[u8]) -> Option<u32> {
        self.value(Section::MemoryFlags, name)
    }

    /// Returns the number of a target index by name.
    #[must_use]
    pub fn target_index(&self, name: &[u8]) -> Option<u32> {
        self.value(Section::TargetIndices, name)
    }

    fn value(&self, section: Section, name: &[u8]) -> Option<u32> {
        let found = self
            .packed
            .pair(section, |known, _| known.as_bytes() == name);
        found.map(|(_, value)| value)
    }

    /// Returns the name of a target index.
    #[must_use]
    pub fn target_index_name(&self, number: u32) -> Option<&'static str> {
        let found = self
            .packed
            .pair(Section::TargetIndices, |_, value| value == number);
        found.map(|(name, _)| name)
    }

    /// Returns the names of an operand's target flags, in the order in which they are written.
    #[must_use]
    pub fn flag_names(&self, flags: u32) -> Vec<&'static str> {
        let bits: u32 = self
            .packed
            .pairs(Section::BitFlags)
            .map(|(_, bit)| bit)
            .fold(0, |a, b| a | b);
        let direct = self
            .packed
            .pair(Section::DirectFlags, |_, value| value == flags & !bits);
        let set = self
            .packed
            .pairs(Section::BitFlags)
            .filter(|(_, bit)| flags & bit != 0);
        direct
            .into_iter()
            .chain(set)
            .map(|(name, _)| name)
            .collect()
    }

    /// Returns the names of a memory operand's target flags.
    pub fn memory_flag_names(&self, flags: u32) -> impl Iterator<Item = &'static str> {
        let all = self.packed.pairs(Section::MemoryFlags);
        all.filter(move |(_, bit)| flags & bit != 0)
            .map(|(name, _)| name)
    }

    fn registers(&self) -> &Registers {
        self.registers.get_or_init(|| Registers::new(self))
    }

    /// Returns the mask of the C calling convention.
    #[must_use]
    pub fn conventional_mask(&self) -> Option<MaskId> {
        self.mask(match self.isa {
            Isa::X86_64 => b"csr_64",
            Isa::Aarch64 => b"csr_aarch64_aapcs",
            // This mask includes the TOC pointer, which is an ordinary register where the function
            // does not reserve it.
            Isa::Ppc64le => b"csr_ppc64_r2_altivec",
            Isa::Riscv64 => b"csr_ilp32d_lp64d",
            Isa::S390x => b"csr_systemz_elf",
        })
    }

    /// Returns whether the register overlaps no other.
    #[must_use]
    pub fn is_alone(&self, register: u16) -> bool {
        self.registers().is_alone(register)
    }

    /// Returns the register units of a register: two registers overlap if they share one.
    #[must_use]
    pub fn units(&self, register: u16) -> &[u16] {
        self.registers().units(register)
    }

    /// Returns the number of register units.
    #[must_use]
    pub fn unit_count(&self) -> usize {
        self.registers().unit_count()
    }
}
