//! The tables of a backend: registers, register classes, instructions. They are static data with
//! LLVM's names, one row each.

use crate::machine::{Bank, ClassId, LowType, Operand, OperandFlags, Reg, SubIndex, UnitSet};
use core::ops::Deref;

/// LLVM's name of a row of a table. It takes no space without the feature `listing`, as only people
/// read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name(#[cfg(feature = "listing")] &'static str);

impl Name {
    /// Returns the name with this text.
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

    /// Returns its text; empty without the feature `listing`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        #[cfg(feature = "listing")]
        return self.0;
        #[cfg(not(feature = "listing"))]
        return "";
    }
}

/// A list in a row of a table. It takes half the space of a slice there, as most rows share a few
/// lists.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// A register class: registers that are interchangeable as an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassRow {
    /// LLVM's name in lower case: `gr64`.
    pub name: Name,
    /// The bank that it belongs to.
    pub bank: Bank,
    /// The bytes that a spilled register takes, also their alignment.
    pub spill_bytes: u8,
    /// The sub-register index of this class's registers in those of the bank's default class (see
    /// [`RegisterFile::class_of`]); 0 if they are those themselves.
    pub part: SubIndex,
    /// Its registers in allocation order, those first that cost nothing to use. Scratch registers,
    /// stack and frame pointer are not among them.
    pub order: &'static [u16],
}

impl ClassRow {
    /// Returns whether a physical register is one of the class.
    pub(crate) fn has(&self, reg: Reg) -> bool {
        reg.row().is_some_and(|row| self.order.contains(&row))
    }
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
    /// Returns the class of virtual registers of a bank and type.
    pub class_of: fn(Bank, LowType) -> ClassId,
    /// The stack pointer.
    pub stack_pointer: Reg,
    /// The frame pointer, through which frame objects are addressed.
    pub frame_pointer: Reg,
    /// Registers that calls to C preserve.
    pub saved: UnitSet,
    /// The registers that [`super::Target::registers`] lists, in the same order; row 0 for those
    /// without one.
    pub hard: &'static [u16],
    /// The scratch registers of the general bank, which only spill code uses: two at least, in the
    /// bank's default class.
    pub scratch_general: &'static [Reg],
    /// The scratch registers of the floating-point bank.
    pub scratch_floating: &'static [Reg],
    /// The scratch registers, the last one of its bank each, that nothing but spill code uses
    /// without naming them. They hold values where spill code does not need them.
    pub spare: &'static [Reg],
    /// The offset of the stack arguments above the stack pointer at a call, in bytes.
    pub stack_arguments: u32,
    /// The place of the return address in a function that makes calls.
    pub return_address: ReturnAddress,
    /// Argument registers for integers, in the order of `Location::Int`.
    pub int_arguments: &'static [Reg],
    /// Argument registers for floats, in the order of `Location::Float`, in the class of doubles.
    pub float_arguments: &'static [Reg],
    /// Result registers for integers.
    pub int_results: &'static [Reg],
    /// Result registers for floats.
    pub float_results: &'static [Reg],
    /// The register that holds the number of floating-point registers with arguments in a call of a
    /// variadic function, if there is one.
    pub variadic_floats: Option<Reg>,
}

/// The place of the return address in a function that makes calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReturnAddress {
    /// A register holds it at the entry, also after the prologue.
    Register(Reg),
    /// Memory at this offset from the start of the stack arguments holds it after the prologue.
    Frame(i32),
}

impl RegisterFile {
    /// Returns the row of a physical register; row 0 for anything else.
    #[must_use]
    pub fn row(&self, reg: Reg) -> &'static RegisterRow {
        let number = usize::from(reg.row().unwrap_or(0));
        self.registers.get(number).unwrap_or(&NO_REGISTER)
    }

    /// Returns the units of a physical register.
    #[must_use]
    pub fn units(&self, reg: Reg) -> UnitSet {
        self.row(reg).units
    }

    /// Returns the row of a class.
    #[must_use]
    pub fn class(&self, class: ClassId) -> &'static ClassRow {
        self.classes.get(usize::from(class.0)).unwrap_or(&NO_CLASS)
    }

    /// Returns the units of all registers that virtual registers can get, spare ones among them.
    pub(crate) fn with_spare(&self) -> UnitSet {
        let spare = self.spare.iter();
        spare.fold(self.allocatable, |units, &reg| units.union(self.units(reg)))
    }

    /// Returns the scratch registers of a bank.
    pub(crate) const fn scratch(&self, bank: Bank) -> &'static [Reg] {
        match bank {
            Bank::General => self.scratch_general,
            Bank::Floating => self.scratch_floating,
        }
    }

    /// Returns the register that values of a type are in, given that of its bank's 64-bit values:
    /// `reg` itself or a part of it.
    #[must_use]
    pub fn of_type(&self, reg: Reg, bank: Bank, ty: LowType) -> Reg {
        self.part(reg, self.class((self.class_of)(bank, ty)).part)
    }

    /// Returns the part `sub` of a physical register; the register itself for 0 or a part that it
    /// does not have.
    #[must_use]
    pub fn part(&self, reg: Reg, sub: SubIndex) -> Reg {
        let parts = self.row(reg).parts;
        match parts.iter().find(|(index, _)| *index == sub) {
            Some(&(_, number)) => Reg::physical(number),
            None => reg,
        }
    }
}

/// Returns the units of all registers of some classes.
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
    /// The effects of an instruction beyond its computation.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct InsnFlags: u16 {
        /// Ends a block.
        const TERMINATOR = 1;
        /// Branches to a block among its operands.
        const BRANCH = 2;
        /// Control never goes on to the next instruction.
        const BARRIER = 4;
        /// Jumps to any block whose address is taken, unless it has a jump table among its
        /// operands.
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
        /// Only computes its one definition from immediates, so that it may be rematerialised.
        const REMATERIALIZABLE = 512;
    }
}

/// The kind of an operand in the row of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandRow {
    /// A register of the class that the instruction writes.
    Def(ClassId),
    /// A register of the class that is written before all inputs are read (early clobber).
    EarlyDef(ClassId),
    /// A register of the class that the instruction reads.
    Use(ClassId),
    /// A register of the class that is read and must be that of the definition of this number.
    Tied(ClassId, u8),
    /// A register of the class or none; also a frame object or constant in its place before
    /// `frame`.
    Address(ClassId),
    /// An immediate; if the instruction allows it, a symbol, constant or jump table.
    Immediate,
    /// A block.
    Label,
}

/// The explicit operands of a row in the form that emission reads: a byte for each, which is 0 if
/// the operand is no register.
#[derive(Clone, Copy, Debug)]
pub struct OperandShapes(u64);

impl OperandShapes {
    /// The flags that an operand gets.
    const FLAGS: OperandFlags = OperandFlags::DEF.union(OperandFlags::EARLY_CLOBBER);
    /// The first bit of the part of the virtual register that is meant.
    const PART: u32 = 1;
    /// The bits of the part.
    const PARTS: u8 = 15;
    /// The bit of an operand that is tied to a definition.
    const TIED: u8 = 1 << 6;
    /// The bit of an operand that may be a register.
    const REGISTER: u8 = 1 << 7;

    /// Returns the shapes of operands of these classes; `None` if there are more than eight
    /// operands, or a class that is not among these or of a part beyond the fifteenth.
    #[must_use]
    pub const fn new(operands: &[OperandRow], classes: &[ClassRow]) -> Option<OperandShapes> {
        let mut bytes = [0; 8];
        if operands.len() > bytes.len() {
            return None;
        }
        let mut number = 0;
        while number < operands.len() {
            bytes[number] = match OperandShapes::of(operands[number], classes) {
                Some(shape) => shape,
                None => return None,
            };
            number += 1;
        }
        Some(OperandShapes(u64::from_le_bytes(bytes)))
    }

    const fn of(operand: OperandRow, classes: &[ClassRow]) -> Option<u8> {
        let (class, bits) = match operand {
            OperandRow::Def(class) => (class, OperandFlags::DEF.bits()),
            OperandRow::EarlyDef(class) => (class, OperandShapes::FLAGS.bits()),
            OperandRow::Use(class) | OperandRow::Address(class) => (class, 0),
            OperandRow::Tied(class, _) => (class, OperandShapes::TIED),
            OperandRow::Immediate | OperandRow::Label => return Some(0),
        };
        if class.0 as usize >= classes.len() {
            return None;
        }
        let SubIndex(part) = classes[class.0 as usize].part;
        if part > OperandShapes::PARTS {
            return None;
        }
        Some(OperandShapes::REGISTER | bits | part << OperandShapes::PART)
    }

    /// Returns whether any operand is tied to a definition.
    pub(crate) const fn has_ties(self) -> bool {
        self.0 & u64::from_le_bytes([OperandShapes::TIED; 8]) != 0
    }

    /// Returns the shape of the next operand.
    #[inline(always)]
    pub(crate) const fn next(&mut self) -> OperandShape {
        let shape = OperandShape(self.0 as u8);
        self.0 >>= 8;
        shape
    }
}

/// The shape of an operand of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OperandShape(u8);

impl OperandShape {
    /// Returns whether the operand may be a register.
    #[inline(always)]
    pub(crate) const fn is_register(self) -> bool {
        self.0 & OperandShapes::REGISTER != 0
    }

    /// Returns the flags of the register.
    #[inline(always)]
    pub(crate) const fn flags(self) -> OperandFlags {
        OperandFlags::from_bits_retain(self.0 & OperandShapes::FLAGS.bits())
    }

    /// Returns the part that the class of the operand is of the default class of its bank.
    #[inline(always)]
    pub(crate) const fn part(self) -> SubIndex {
        SubIndex(self.0 >> OperandShapes::PART & OperandShapes::PARTS)
    }
}

/// An instruction: a row of the target's instruction table.
#[derive(Clone, Copy, Debug)]
pub struct InsnRow {
    /// LLVM's name of the opcode: `ADD64rr`.
    pub name: Name,
    /// The explicit operands, definitions first.
    pub operands: List<OperandRow>,
    /// The same, as emission reads them.
    pub shapes: OperandShapes,
    /// The registers that it writes implicitly, then those that it reads, as the operands that
    /// follow its explicit ones.
    pub implicit: List<Operand>,
    /// Its effects beyond the computation.
    pub flags: InsnFlags,
    /// The bytes of each of its memory accesses; 0 if there is none, or if the size depends on its
    /// operands.
    pub bytes: u8,
    /// The data for the target's encoder.
    pub encoding: u64,
}

impl InsnRow {
    /// Returns the registers that it writes implicitly.
    pub fn implicit_defs(&self) -> impl Iterator<Item = Reg> {
        let defs = self.implicit.iter().filter(|operand| operand.is_def());
        defs.filter_map(|operand| operand.as_reg())
    }

    /// Returns the registers that it reads implicitly.
    pub fn implicit_uses(&self) -> impl Iterator<Item = Reg> {
        let uses = self.implicit.iter().filter(|operand| !operand.is_def());
        uses.filter_map(|operand| operand.as_reg())
    }
}
