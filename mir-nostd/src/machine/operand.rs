//! Registers and operands in packed form.

use super::types::{FloatPredicate, IntPredicate};
use super::{BlockId, ConstantId, FrameId, SymbolId, TableId, VReg};
use crate::ir::Order;
use crate::mem::Entity;

/// A register: none, physical (a row of the target's register table) or virtual.
///
/// ```
/// use mir_nostd::machine::{Reg, VReg};
/// use mir_nostd::mem::Entity;
///
/// let (physical, virt) = (Reg::physical(3), Reg::virt(VReg::new(0)));
/// assert_eq!((physical.row(), physical.vreg()), (Some(3), None));
/// assert_eq!((virt.row(), virt.vreg()), (None, Some(VReg::new(0))));
/// assert!(Reg::NONE.is_none() && !virt.is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Reg(u32);

impl Reg {
    /// `$noreg`: no register.
    pub const NONE: Reg = Reg(0);

    /// Returns the physical register of row `number` of the target's table; row 0 is no register.
    #[must_use]
    pub const fn physical(number: u16) -> Reg {
        Reg(number as u32)
    }

    /// Returns a virtual register.
    #[must_use]
    pub const fn virt(vreg: VReg) -> Reg {
        Reg(vreg.bits())
    }

    /// Returns the virtual register, if it is one.
    #[must_use]
    pub const fn vreg(self) -> Option<VReg> {
        if self.0 & VReg::MARK != 0 {
            Some(VReg::of_bits(self.0))
        } else {
            None
        }
    }

    /// Returns the row of the target's register table, if it is a physical register.
    #[must_use]
    pub const fn row(self) -> Option<u16> {
        if self.0 & VReg::MARK == 0 && self.0 != 0 {
            Some(self.0 as u16)
        } else {
            None
        }
    }

    /// Returns whether it is no register.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns whether it is a physical register.
    #[must_use]
    pub const fn is_physical(self) -> bool {
        self.row().is_some()
    }
}

impl core::fmt::Debug for Reg {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (self.vreg(), self.row()) {
            (Some(vreg), _) => write!(f, "{vreg:?}"),
            (_, Some(row)) => write!(f, "${row}"),
            _ => f.write_str("$noreg"),
        }
    }
}

/// A sub-register index: its number in the target's table; 0 is the whole register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SubIndex(pub u8);

/// The relocation specifier of an operand that is no register, such as "the low 12 bits of" or "the
/// entry of the global offset table for": its number in `Description::target_flags`; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TargetFlag(pub u8);

bitflags::bitflags! {
    /// The flags of a register operand.
    ///
    /// [`OperandFlags::KILL`] and [`OperandFlags::DEAD`] exist only on request: stages neither keep
    /// nor read them, and [`mark_last_uses`](crate::codegen::mark_last_uses) computes them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct OperandFlags: u8 {
        /// The register is written, not read.
        const DEF = 1;
        /// The operand does not appear in assembly text.
        const IMPLICIT = 2;
        /// It is the last use of the value.
        const KILL = 4;
        /// The value written is never read.
        const DEAD = 8;
        /// The value read does not matter; on the definition of a part, the other parts do not.
        const UNDEF = 16;
        /// The register is written before all inputs are read.
        const EARLY_CLOBBER = 32;
    }
}

/// More than the number of kinds of operands: a power of two, below which each kind is.
const NUMBERS: usize = 16;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident,)*) => {
        /// The kind of an operand.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum OperandKind {
            $($(#[$doc])* $kind,)*
        }

        impl OperandKind {
            const ALL: &[OperandKind] = &[$(OperandKind::$kind),*];

            /// The kinds by their numbers, for any of [`NUMBERS`].
            const BY_NUMBER: [OperandKind; NUMBERS] = {
                let mut kinds = [OperandKind::Register; NUMBERS];
                let mut number = 0;
                while number < OperandKind::ALL.len() {
                    kinds[number] = OperandKind::ALL[number];
                    number += 1;
                }
                kinds
            };
        }
    };
}

kinds! {
    /// A register, see [`Operand::reg`].
    Register,
    /// An integer of at most 32 bits.
    Immediate,
    /// An integer that does not fit; see [`super::Function::immediate`].
    WideImmediate,
    /// A block.
    Block,
    /// A frame object.
    Frame,
    /// An entry of the constant pool.
    Constant,
    /// A jump table.
    Table,
    /// Something outside the function.
    Symbol,
    /// The registers that a call preserves; see [`super::Function::mask`].
    Mask,
    /// An [`IntPredicate`].
    IntPredicate,
    /// A [`FloatPredicate`].
    FloatPredicate,
}

/// An operand in eight bytes, which are one number, so that compilers keep it in one register. From
/// the lowest byte on it holds the kind (marked if it is a virtual register), the flags, the part
/// (or the target flag, if it is no register), 1 + the number of the operand that this one shares
/// its register with (0 if none), and 32 bits of value.
///
/// ```
/// use mir_nostd::machine::{Operand, OperandFlags, OperandKind, Reg, SubIndex, VReg};
/// use mir_nostd::mem::Entity;
///
/// // The last read of the part 1 of a register, which operand 0 is put into.
/// let register = Reg::physical(3);
/// let last = Operand::reg(register).part(SubIndex(1)).tied_to(0).with(OperandFlags::KILL);
/// assert_eq!((last.as_reg(), last.sub(), last.tied()), (Some(register), SubIndex(1), Some(0)));
/// assert!(last.flags().contains(OperandFlags::KILL) && !last.is_def());
///
/// // Written before the inputs are read, and never read.
/// let early = OperandFlags::EARLY_CLOBBER.union(OperandFlags::DEAD);
/// let scratch = Operand::def(register).with(early);
/// assert!(scratch.is_def() && scratch.flags().contains(early));
///
/// // Read by an instruction that does not name it.
/// let implicit = Operand::implicit_use(register);
/// assert_eq!(implicit.flags(), OperandFlags::IMPLICIT);
/// assert_eq!(Operand::implicit_def(register), implicit.with(OperandFlags::DEF));
///
/// let number = Operand::imm(-5);
/// assert_eq!((number.kind(), number.small()), (OperandKind::Immediate, Some(-5)));
/// assert_eq!(number.as_reg(), None);
///
/// let variable = VReg::new(7);
/// assert_eq!(Operand::from(variable).read_vreg(), Some(variable));
/// assert_eq!(Operand::def(Reg::virt(variable)).read_vreg(), None);
/// assert_eq!((last.read_vreg(), number.read_vreg()), (None, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Operand(u64);

/// The first bit of each field of an operand.
const FLAGS: u32 = 8;
const PART: u32 = 16;
const TIED: u32 = 24;
const VALUE: u32 = 32;

/// The byte of the kind of virtual registers, whose mark is their mark in [`Reg`]: one comparison
/// tells them from all other operands.
const VIRTUAL_REGISTER: u8 = OperandKind::Register as u8 | 0x80;

impl Operand {
    /// No register: an absent base or index.
    pub const NO_REG: Operand = Operand::reg(Reg::NONE);

    const fn new(kind: OperandKind, value: u32) -> Operand {
        Operand(kind as u64 | (value as u64) << VALUE)
    }

    const fn value(self) -> u32 {
        (self.0 >> VALUE) as u32
    }

    /// Returns whether the operand is of a kind other than a register.
    const fn is(self, kind: OperandKind) -> bool {
        self.0 as u8 == kind as u8
    }

    /// Returns the operand with another byte from this bit on.
    const fn with_byte(self, first: u32, byte: u8) -> Operand {
        Operand(self.0 & !(0xFF << first) | (byte as u64) << first)
    }

    /// Returns a register that is read.
    #[must_use]
    pub const fn reg(reg: Reg) -> Operand {
        let mark = (reg.0 & VReg::MARK) >> 24;
        Operand((OperandKind::Register as u32 | mark) as u64 | (reg.0 as u64) << VALUE)
    }

    /// Returns a register that is written.
    #[must_use]
    pub const fn def(reg: Reg) -> Operand {
        Operand::reg(reg).with(OperandFlags::DEF)
    }

    /// Returns a register that an instruction writes without naming it.
    #[must_use]
    pub const fn implicit_def(reg: Reg) -> Operand {
        Operand::def(reg).with(OperandFlags::IMPLICIT)
    }

    /// Returns a register that an instruction reads without naming it.
    #[must_use]
    pub const fn implicit_use(reg: Reg) -> Operand {
        Operand::reg(reg).with(OperandFlags::IMPLICIT)
    }

    /// Returns an integer of at most 32 bits; for others see [`super::Function::int`].
    #[must_use]
    pub const fn imm(value: i32) -> Operand {
        Operand::new(OperandKind::Immediate, value.cast_unsigned())
    }

    /// Returns a block.
    #[must_use]
    pub fn block(block: BlockId) -> Operand {
        Operand::new(OperandKind::Block, block.number())
    }

    /// Returns a frame object: its address as a base, its place as a long double.
    #[must_use]
    pub fn frame(frame: FrameId) -> Operand {
        Operand::new(OperandKind::Frame, frame.number())
    }

    /// Returns an entry of the constant pool.
    #[must_use]
    pub fn constant(constant: ConstantId) -> Operand {
        Operand::new(OperandKind::Constant, constant.number())
    }

    /// Returns a jump table.
    #[must_use]
    pub fn table(table: TableId) -> Operand {
        Operand::new(OperandKind::Table, table.number())
    }

    /// Returns something outside the function.
    #[must_use]
    pub fn symbol(symbol: SymbolId) -> Operand {
        Operand::new(OperandKind::Symbol, symbol.number())
    }

    pub(super) const fn indexed(kind: OperandKind, number: u32) -> Operand {
        Operand::new(kind, number)
    }

    /// Returns an integer comparison.
    #[must_use]
    pub const fn int_predicate(predicate: IntPredicate) -> Operand {
        Operand::new(OperandKind::IntPredicate, predicate as u32)
    }

    /// Returns a floating comparison.
    #[must_use]
    pub const fn float_predicate(predicate: FloatPredicate) -> Operand {
        Operand::new(OperandKind::FloatPredicate, predicate as u32)
    }

    /// Returns the kind of the operand.
    #[must_use]
    pub const fn kind(self) -> OperandKind {
        OperandKind::BY_NUMBER[self.0 as usize % NUMBERS]
    }

    /// Returns its flags.
    #[must_use]
    pub const fn flags(self) -> OperandFlags {
        OperandFlags::from_bits_retain((self.0 >> FLAGS) as u8)
    }

    /// Returns the operand with further flags.
    #[must_use]
    pub const fn with(self, flags: OperandFlags) -> Operand {
        Operand(self.0 | (flags.bits() as u64) << FLAGS)
    }

    /// Returns the operand without these flags.
    #[must_use]
    pub const fn without(self, flags: OperandFlags) -> Operand {
        Operand(self.0 & !((flags.bits() as u64) << FLAGS))
    }

    /// Returns the operand for a part of the register.
    #[must_use]
    pub const fn part(self, sub: SubIndex) -> Operand {
        self.with_byte(PART, sub.0)
    }

    /// Returns the part of the register.
    #[must_use]
    pub const fn sub(self) -> SubIndex {
        SubIndex((self.0 >> PART) as u8)
    }

    /// Returns the operand, which is no register, with this target flag.
    #[must_use]
    pub const fn flagged(self, flag: TargetFlag) -> Operand {
        self.part(SubIndex(flag.0))
    }

    /// Returns the target flag of the operand, which is no register.
    #[must_use]
    pub const fn target_flag(self) -> TargetFlag {
        TargetFlag(self.sub().0)
    }

    /// Returns a use that must be in the register of operand `number`, a definition.
    #[must_use]
    pub const fn tied_to(self, number: u8) -> Operand {
        self.with_byte(TIED, number + 1)
    }

    /// Returns the definition whose register this use shares.
    #[must_use]
    pub const fn tied(self) -> Option<usize> {
        ((self.0 >> TIED) as u8 as usize).checked_sub(1)
    }

    /// Returns the same operand on another register.
    #[must_use]
    pub const fn on(self, reg: Reg) -> Operand {
        Operand(self.0 as u32 as u64 & !0xFF | Operand::reg(reg).0)
    }

    /// Returns the register, if it is one, [`Reg::NONE`] included.
    #[must_use]
    pub const fn as_reg(self) -> Option<Reg> {
        if self.0 as u8 & 0x7F == OperandKind::Register as u8 {
            Some(Reg(self.value()))
        } else {
            None
        }
    }

    /// Returns the virtual register, if it is one.
    #[must_use]
    #[inline]
    pub const fn vreg(self) -> Option<VReg> {
        if self.0 as u8 != VIRTUAL_REGISTER {
            return None;
        }
        Some(VReg::of_bits(self.value()))
    }

    /// Returns the virtual register, if it is one that is read.
    #[must_use]
    #[inline]
    pub const fn read_vreg(self) -> Option<VReg> {
        const DEF: u32 = (OperandFlags::DEF.bits() as u32) << FLAGS;
        // One comparison for both, as passes ask this of each operand.
        if self.0 as u32 & (DEF | 0xFF) != VIRTUAL_REGISTER as u32 {
            return None;
        }
        Some(VReg::of_bits(self.value()))
    }

    /// Returns whether it is a register that is written.
    #[must_use]
    pub const fn is_def(self) -> bool {
        self.flags().contains(OperandFlags::DEF)
    }

    /// Returns the integer, if it has at most 32 bits; for others see
    /// [`super::Function::immediate`].
    #[must_use]
    pub const fn small(self) -> Option<i32> {
        if self.is(OperandKind::Immediate) {
            Some(self.value().cast_signed())
        } else {
            None
        }
    }

    /// Returns the order of an atomic access, if it is the number of one.
    #[must_use]
    pub const fn as_order(self) -> Option<Order> {
        match self.small() {
            Some(number) => Order::from_number(number.cast_unsigned() as u64),
            None => None,
        }
    }

    /// Returns the block, if it is one.
    #[must_use]
    pub fn as_block(self) -> Option<BlockId> {
        self.numbered(OperandKind::Block).map(BlockId::new)
    }

    /// Returns the frame object, if it is one.
    #[must_use]
    pub fn as_frame(self) -> Option<FrameId> {
        self.numbered(OperandKind::Frame).map(FrameId::new)
    }

    /// Returns the constant, if it is one.
    #[must_use]
    pub fn as_constant(self) -> Option<ConstantId> {
        self.numbered(OperandKind::Constant).map(ConstantId::new)
    }

    /// Returns the jump table, if it is one.
    #[must_use]
    pub fn as_table(self) -> Option<TableId> {
        self.numbered(OperandKind::Table).map(TableId::new)
    }

    /// Returns the symbol, if it is one.
    #[must_use]
    pub fn as_symbol(self) -> Option<SymbolId> {
        self.numbered(OperandKind::Symbol).map(SymbolId::new)
    }

    /// Returns the integer comparison, if it is one.
    #[must_use]
    pub fn as_int_predicate(self) -> Option<IntPredicate> {
        IntPredicate::from_number(self.numbered(OperandKind::IntPredicate)?)
    }

    /// Returns the floating comparison, if it is one.
    #[must_use]
    pub fn as_float_predicate(self) -> Option<FloatPredicate> {
        FloatPredicate::from_number(self.numbered(OperandKind::FloatPredicate)?)
    }

    pub(super) fn numbered(self, kind: OperandKind) -> Option<u32> {
        self.is(kind).then_some(self.value())
    }
}

impl From<VReg> for Operand {
    /// Returns a virtual register that is read.
    fn from(vreg: VReg) -> Operand {
        Operand::reg(Reg::virt(vreg))
    }
}

impl core::fmt::Debug for Operand {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if !self.flags().is_empty() {
            write!(f, "{} ", Lower(self.flags()))?;
        }
        match self.kind() {
            OperandKind::Register => write!(f, "{:?}", Reg(self.value()))?,
            OperandKind::Immediate => write!(f, "{}", self.value().cast_signed())?,
            OperandKind::Block => write!(f, "bb.{}", self.value())?,
            OperandKind::Frame => write!(f, "stack.{}", self.value())?,
            OperandKind::Constant => write!(f, "const.{}", self.value())?,
            kind => write!(f, "{kind:?}.{}", self.value())?,
        }
        if self.sub().0 != 0 {
            write!(f, ".sub{}", self.sub().0)?;
        }
        Ok(())
    }
}

/// The flags, shown by one letter each.
struct Lower(OperandFlags);

impl core::fmt::Display for Lower {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (name, _) in self.0.iter_names() {
            f.write_str(name.get(..1).unwrap_or(""))?;
        }
        Ok(())
    }
}

const _: () = assert!(size_of::<Operand>() == 8);
