//! The tables of a backend: registers, register classes, instructions. Static data, one row each, LLVM's names.

use crate::machine::{Bank, ClassId, LowType, Reg, SubIndex, UnitSet};
use core::ops::Deref;

/// LLVM's name of a row of a table. Takes no room without the feature `listing`, as only people read it.
#[derive(Clone, Copy, Debug)]
pub struct Name(#[cfg(feature = "listing")] &'static str);

impl Name {
    /// This name.
    #[must_use]
    #[cfg_attr(
        not(feature = "listing"),
        expect(unused_variables, reason = "left out")
    )]
    pub const fn new(text: &'static str) -> Name {
        Name(
            #[cfg(feature = "listing")]
            text,
        )
    }

    /// Its text; empty without the feature `listing`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        #[cfg(feature = "listing")]
        return self.0;
        #[cfg(not(feature = "listing"))]
        return "";
    }
}

/// A list of a row of a table. Takes half the room of a slice there, as most rows share a few lists.
#[derive(Debug)]
pub struct List<T: 'static>(pub &'static &'static [T]);

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0
    }
}

/// A physical register: a row of the target's register table. Row 0 is no register.
#[derive(Clone, Copy, Debug)]
pub struct RegisterRow {
    /// LLVM's name in lower case: `rax`, `eax`.
    pub name: Name,
    /// Its number in instructions.
    pub encoding: u8,
    /// The register units that it consists of.
    pub units: UnitSet,
    /// Its number in unwind tables; -1 if it has none.
    pub dwarf: i16,
    /// The registers that are parts of it, by index.
    pub parts: &'static [(SubIndex, u16)],
}

/// A register class: registers that can take each other's place.
#[derive(Clone, Copy, Debug)]
pub struct ClassRow {
    /// LLVM's name in lower case: `gr64`.
    pub name: Name,
    /// The bank that it belongs to.
    pub bank: Bank,
    /// Bytes that a spilled register takes, also their alignment.
    pub spill_bytes: u8,
    /// Which part of a register of the bank's default class (see [`RegisterFile::class_of`]) this class's registers
    /// are; 0 if they are those themselves.
    pub part: SubIndex,
    /// Its registers in allocation order: those first that cost nothing to use. Scratch registers, stack and frame
    /// pointer are not among them.
    pub order: &'static [u16],
}

/// The register file of a target.
///
/// ```
/// use mir_nostd::machine::{Reg, SubIndex};
/// use mir_nostd::target::Isa;
///
/// let registers = target_x86_64::ISA.registers();
/// let find = |name| {
///     let mut rows = (0..).zip(registers.registers);
///     let found = rows.find(|(_, row)| row.name.text() == name);
///     Reg::physical(found.unwrap().0)
/// };
/// let (rax, eax, rbx) = (find("rax"), find("eax"), find("rbx"));
///
/// // A part has a name of its own, and shares units with the whole: they are aliases.
/// let part = registers.parts.iter().position(|&name| name == "sub_32bit");
/// assert_eq!(registers.part(rax, SubIndex(part.unwrap() as u8)), eax);
/// assert!(registers.units(rax).overlaps(registers.units(eax)));
/// assert!(!registers.units(rax).overlaps(registers.units(rbx)));
/// assert!(registers.saved.contains(registers.units(rbx)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RegisterFile {
    /// All registers.
    pub registers: &'static [RegisterRow],
    /// All classes.
    pub classes: &'static [ClassRow],
    /// LLVM's names of sub-register indices; the first, for 0, is empty.
    pub parts: &'static [&'static str],
    /// The units of all registers that virtual registers can get: [`units_of_classes`].
    pub allocatable: UnitSet,
    /// The class of virtual registers of a bank and type.
    pub class_of: fn(Bank, LowType) -> ClassId,
    /// The stack pointer.
    pub stack_pointer: Reg,
    /// The frame pointer: frame references go through it.
    pub frame_pointer: Reg,
    /// Registers that calls to C preserve.
    pub saved: UnitSet,
    /// The registers that [`super::Target::registers`] lists, in the same order; row 0 for those without one.
    pub hard: &'static [u16],
    /// Registers of the general bank that only spill code uses: two at least, in the bank's default class.
    pub scratch_general: &'static [Reg],
    /// Likewise of the floating bank.
    pub scratch_floating: &'static [Reg],
    /// Where stack arguments start above the stack pointer at a call, in bytes.
    pub stack_arguments: u32,
    /// Argument registers for integers, in the order of `Location::Int`.
    pub int_arguments: &'static [Reg],
    /// Argument registers for floats, in the order of `Location::Float`, in the class of doubles.
    pub float_arguments: &'static [Reg],
    /// Result registers for integers.
    pub int_results: &'static [Reg],
    /// Result registers for floats.
    pub float_results: &'static [Reg],
    /// The register that tells a variadic function how many floating registers hold arguments, if there is one.
    pub variadic_floats: Option<Reg>,
}

impl RegisterFile {
    /// The row of a physical register; row 0 for anything else.
    #[must_use]
    pub fn row(&self, reg: Reg) -> &'static RegisterRow {
        let number = usize::from(reg.row().unwrap_or(0));
        self.registers.get(number).unwrap_or(&NO_REGISTER)
    }

    /// The units of a physical register.
    #[must_use]
    pub fn units(&self, reg: Reg) -> UnitSet {
        self.row(reg).units
    }

    /// A class.
    #[must_use]
    pub fn class(&self, class: ClassId) -> &'static ClassRow {
        self.classes.get(usize::from(class.0)).unwrap_or(&NO_CLASS)
    }

    /// The register that values of a type are in, of one that is in the class of its bank's 64-bit values: itself or a part.
    #[must_use]
    pub fn of_type(&self, reg: Reg, bank: Bank, ty: LowType) -> Reg {
        self.part(reg, self.class((self.class_of)(bank, ty)).part)
    }

    /// The part `sub` of a physical register; the register itself for 0 or a part that it has not.
    #[must_use]
    pub fn part(&self, reg: Reg, sub: SubIndex) -> Reg {
        let parts = self.row(reg).parts;
        match parts.iter().find(|(index, _)| *index == sub) {
            Some(&(_, number)) => Reg::physical(number),
            None => reg,
        }
    }
}

/// The units of all registers of some classes.
#[must_use]
pub const fn units_of_classes(registers: &[RegisterRow], classes: &[ClassRow]) -> UnitSet {
    let mut units = UnitSet::EMPTY;
    let mut class = 0;
    while class < classes.len() {
        let order = classes[class].order;
        let mut place = 0;
        while place < order.len() {
            units = units.union(registers[order[place] as usize].units);
            place += 1;
        }
        class += 1;
    }
    units
}

static NO_REGISTER: RegisterRow = RegisterRow {
    name: Name::new("noreg"),
    encoding: 0,
    units: UnitSet::EMPTY,
    dwarf: -1,
    parts: &[],
};

static NO_CLASS: ClassRow = ClassRow {
    name: Name::new("none"),
    bank: Bank::General,
    spill_bytes: 8,
    part: SubIndex(0),
    order: &[],
};

bitflags::bitflags! {
    /// What an instruction does beyond computing.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct InsnFlags: u16 {
        /// Ends a block.
        const TERMINATOR = 1;
        /// Goes to a block among its operands.
        const BRANCH = 2;
        /// Control never goes on to the next instruction.
        const BARRIER = 4;
        /// Goes to any block whose address is taken, unless it has a jump table among its operands.
        const INDIRECT = 8;
        /// Calls; has a mask operand.
        const CALL = 16;
        /// Leaves the function.
        const RETURN = 32;
        /// Reads memory.
        const LOAD = 64;
        /// Writes memory.
        const STORE = 128;
        /// Has no encoding: replaced after allocation.
        const PSEUDO = 256;
        /// Becomes several blocks when it is replaced.
        const SPLITS = 1024;
        /// Only computes its one definition from immediates: may be computed again instead of kept.
        const REMATERIALIZABLE = 512;
    }
}

/// What an operand of an instruction must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandRow {
    /// A register of the class that is written.
    Def(ClassId),
    /// The same, written before all inputs are read.
    EarlyDef(ClassId),
    /// A register of the class that is read.
    Use(ClassId),
    /// The same; must be the register of the definition of this number.
    Tied(ClassId, u8),
    /// A register of the class or none; also a frame object or constant in its place before `frame`.
    Address(ClassId),
    /// An immediate; where the instruction allows it a symbol, constant or jump table.
    Immediate,
    /// A block.
    Label,
}

/// An instruction: a row of the target's instruction table.
#[derive(Clone, Copy, Debug)]
pub struct InsnRow {
    /// LLVM's name of the opcode: `ADD64rr`.
    pub name: Name,
    /// The explicit operands, definitions first.
    pub operands: List<OperandRow>,
    /// Registers that it writes beside them.
    pub implicit_defs: List<Reg>,
    /// Registers that it reads beside them.
    pub implicit_uses: List<Reg>,
    /// What it does beyond computing.
    pub flags: InsnFlags,
    /// The bytes of each of its accesses to memory; 0 if there is none, or it depends on its operands.
    pub bytes: u8,
    /// What the target's encoder wants to know.
    pub encoding: u64,
}
