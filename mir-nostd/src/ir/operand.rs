//! Operands of instructions, and their compact form.

use super::entities::{ItemId, Label, Name, Reg, Str};
use super::types::Type;
use crate::mem::{Entity, OutOfMemory, Vec};

/// A memory operand: the address is `disp + base + index * scale` (docs/reference/types.md).
///
/// As an argument of a call with a block type it means the block itself: `disp` is its size and
/// `base` holds its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mem {
    /// The type of the value in memory.
    pub ty: Type,
    /// Displacement in bytes.
    pub disp: i64,
    /// Base register.
    pub base: Option<Reg>,
    /// Index register.
    pub index: Option<Reg>,
    /// The factor of the index. Any factor is valid, and compilers write 16 for long double; 1
    /// without an index.
    pub scale: u8,
    /// Alias name: accesses with different alias names do not overlap (docs/reference/types.md).
    pub alias: Option<Name>,
    /// Nonalias name: accesses with the same nonalias name do not overlap.
    pub nonalias: Option<Name>,
}

impl Mem {
    /// Makes a memory operand at the address in `base` plus `disp`.
    #[must_use]
    pub const fn new(ty: Type, disp: i64, base: Reg) -> Mem {
        Mem::at(ty, disp, Some(base))
    }

    /// Makes a memory operand at the address in `base`, if there is one, plus `disp`.
    pub(crate) const fn at(ty: Type, disp: i64, base: Option<Reg>) -> Mem {
        Mem {
            ty,
            disp,
            base,
            index: None,
            scale: 1,
            alias: None,
            nonalias: None,
        }
    }

    /// Makes a memory operand at `disp + base + index * scale`.
    #[must_use]
    pub const fn indexed(ty: Type, disp: i64, base: Reg, index: Reg, scale: u8) -> Mem {
        Mem {
            index: Some(index),
            scale,
            ..Mem::new(ty, disp, base)
        }
    }
}

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// A register of the function.
    Reg(Reg),
    /// A 64-bit integer, written as signed.
    Int(i64),
    /// A 64-bit integer, written as unsigned. Its meaning is that of the signed integer of the same
    /// bits.
    Uint(u64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// A long double: its bits in the module's format (see [`crate::num`]).
    LongDouble(u128),
    /// The address of a string.
    Str(Str),
    /// The address of an item.
    Item(ItemId),
    /// A label.
    Label(Label),
    /// Memory.
    Mem(Mem),
}

impl Operand {
    /// Returns the zero of a type.
    #[must_use]
    pub const fn zero(ty: Type) -> Operand {
        match ty {
            Type::F => Operand::Float(0.0),
            Type::D => Operand::Double(0.0),
            Type::Ld => Operand::LongDouble(0),
            _ => Operand::Int(0),
        }
    }
}

macro_rules! from {
    ($($from:ty => $operand:ident),*) => {$(
        impl From<$from> for Operand {
            fn from(value: $from) -> Operand {
                Operand::$operand(value.into())
            }
        }
    )*};
}
from!(Reg => Reg, i64 => Int, i32 => Int, u64 => Uint, f32 => Float, f64 => Double, Str => Str, ItemId => Item,
    Label => Label, Mem => Mem);

/// Operands for one instruction: a tuple, array or slice of anything that becomes an [`Operand`].
pub trait Operands {
    /// Calls `take` with each operand in order until it fails.
    ///
    /// # Errors
    ///
    /// The error that `take` returned.
    fn each<Error>(self, take: impl FnMut(Operand) -> Result<(), Error>) -> Result<(), Error>;
}

impl Operands for &[Operand] {
    fn each<Error>(self, take: impl FnMut(Operand) -> Result<(), Error>) -> Result<(), Error> {
        self.iter().copied().try_for_each(take)
    }
}

impl<const N: usize> Operands for [Operand; N] {
    fn each<Error>(self, take: impl FnMut(Operand) -> Result<(), Error>) -> Result<(), Error> {
        self.into_iter().try_for_each(take)
    }
}

impl Operands for () {
    fn each<E>(self, _: impl FnMut(Operand) -> Result<(), E>) -> Result<(), E> {
        Ok(())
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        #[expect(non_snake_case, reason = "a variable for each type")]
        impl<$($name: Into<Operand>),*> Operands for ($($name,)*) {
            fn each<Error>(self, take: impl FnMut(Operand) -> Result<(), Error>) -> Result<(), Error> {
                let ($($name,)*) = self;
                [$($name.into()),*].into_iter().try_for_each(take)
            }
        }
    )*};
}
tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; }

/// An operand in eight bytes: a tag in the low byte, then a value, or the index of a wide value in
/// the pools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed(u64);

/// The tags of [`Packed`]. Small forms hold the value in the upper 56 bits, wide forms its index in
/// a pool.
mod tag {
    pub(super) const REG: u8 = 0;
    pub(super) const INT: u8 = 1;
    pub(super) const INT_WIDE: u8 = 2;
    pub(super) const UINT: u8 = 3;
    pub(super) const UINT_WIDE: u8 = 4;
    pub(super) const FLOAT: u8 = 5;
    pub(super) const DOUBLE_WIDE: u8 = 6;
    pub(super) const LONG_DOUBLE: u8 = 7;
    pub(super) const STR: u8 = 8;
    pub(super) const ITEM: u8 = 9;
    pub(super) const LABEL: u8 = 10;
    /// Memory at a base, with an alias. The value holds the type in bits 0 to 7, base + 1 in 8 to
    /// 23, the displacement in 24 to 39, alias + 1 from 40 on.
    pub(super) const MEM_NEAR: u8 = 11;
    /// Memory at a base, without alias: the displacement takes all bits from 24 on.
    pub(super) const MEM_FAR: u8 = 12;
    /// Memory at a base and index, without displacement. Bits 5 to 7 hold the logarithm of the
    /// scale, index + 1 replaces the displacement; otherwise as near memory.
    pub(super) const MEM_INDEXED: u8 = 13;
    pub(super) const MEM_WIDE: u8 = 14;
}

/// The values that do not fit into a [`Packed`] operand.
#[derive(Debug)]
pub(super) struct WideValues<'m> {
    words: Vec<'m, u64>,
    long_doubles: Vec<'m, u128>,
    mems: Vec<'m, PackedMem>,
}

/// A [`Mem`] in 32 bytes; `u32::MAX` stands for an absent register or name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PackedMem {
    disp: i64,
    base: u32,
    index: u32,
    alias: u32,
    nonalias: u32,
    ty: Type,
    scale: u8,
}

fn pack_option<T: Entity>(entity: Option<T>) -> u32 {
    entity.map_or(u32::MAX, Entity::number)
}

/// Returns a number plus 1 in 16 bits, if it fits; 0 for none.
fn pack_small<T: Entity>(entity: Option<T>) -> Option<u64> {
    let number = entity.map_or(Some(0), |entity| entity.number().checked_add(1))?;
    u16::try_from(number).ok().map(u64::from)
}

fn unpack_small<T: Entity>(number: u64) -> Option<T> {
    let number = u32::from(number as u16).checked_sub(1)?;
    Some(T::new(number))
}

fn unpack_option<T: Entity>(number: u32) -> Option<T> {
    (number != u32::MAX).then(|| T::new(number))
}

impl Packed {
    const fn new(tag: u8, value: u64) -> Packed {
        Packed(value << 8 | tag as u64)
    }

    const fn tag(self) -> u8 {
        self.0 as u8
    }

    const fn value(self) -> u64 {
        self.0 >> 8
    }

    /// Returns the form of memory without a wide value, if it has one.
    fn memory(mem: &Mem) -> Option<Packed> {
        let base = pack_small(mem.base)? << 8 | mem.ty as u64;
        if mem.nonalias.is_some() {
            return None;
        }
        let (near, alias) = (i16::try_from(mem.disp), pack_small(mem.alias));
        match (mem.index, mem.scale, near, alias) {
            (None, 1, Ok(disp), Some(alias)) => {
                let value = alias << 40 | u64::from(disp as u16) << 24 | base;
                Some(Packed::new(tag::MEM_NEAR, value))
            }
            (None, 1, _, Some(0)) => {
                let disp = u64::from(i32::try_from(mem.disp).ok()? as u32);
                Some(Packed::new(tag::MEM_FAR, disp << 24 | base))
            }
            (Some(index), scale, Ok(0), Some(alias)) if scale.is_power_of_two() => {
                let scale = u64::from(scale.trailing_zeros()) << 5;
                let value = alias << 40 | pack_small(Some(index))? << 24 | base | scale;
                Some(Packed::new(tag::MEM_INDEXED, value))
            }
            _ => None,
        }
    }

    /// Returns the memory operand that one of the three forms of [`Packed::memory`] holds.
    fn as_memory(self) -> Mem {
        let (tag, value) = (self.tag(), self.value());
        let is_indexed = tag == tag::MEM_INDEXED;
        Mem {
            ty: Type::ALL[value as usize & 31],
            disp: match tag {
                tag::MEM_NEAR => i64::from((value >> 24) as i16),
                tag::MEM_FAR => i64::from((value >> 24) as i32),
                _ => 0,
            },
            base: unpack_small(value >> 8),
            index: unpack_small(value >> 24).filter(|_| is_indexed),
            scale: if is_indexed { 1 << (value >> 5 & 7) } else { 1 },
            alias: unpack_small(value >> 40).filter(|_| tag != tag::MEM_FAR),
            nonalias: None,
        }
    }

    /// Returns the register, if the operand is one: a fast path for translation.
    pub(super) fn reg(self) -> Option<Reg> {
        (self.tag() == tag::REG).then(|| Reg::new(self.value() as u32))
    }

    /// Returns the label, if the operand is one: a fast path for patching and for finding labels.
    pub(super) fn label(self) -> Option<Label> {
        (self.tag() == tag::LABEL).then(|| Label::new(self.value() as u32))
    }
}

impl<'m> WideValues<'m> {
    pub(super) fn new(allocator: &'m dyn crate::mem::Allocator) -> WideValues<'m> {
        WideValues {
            words: Vec::new(allocator),
            long_doubles: Vec::new(allocator),
            mems: Vec::new(allocator),
        }
    }

    /// Returns the compact form of an operand; wide values go to the pools.
    #[cfg_attr(not(small_code), inline(always))]
    pub(super) fn pack(&mut self, operand: Operand) -> Result<Packed, OutOfMemory> {
        Ok(match operand {
            Operand::Reg(reg) => Packed::new(tag::REG, u64::from(reg.number())),
            Operand::Int(value) if value << 8 >> 8 == value => Packed::new(tag::INT, value as u64),
            Operand::Int(value) => Packed::new(tag::INT_WIDE, self.word(value as u64)?),
            Operand::Uint(value) if value >> 56 == 0 => Packed::new(tag::UINT, value),
            Operand::Uint(value) => Packed::new(tag::UINT_WIDE, self.word(value)?),
            Operand::Float(value) => Packed::new(tag::FLOAT, u64::from(value.to_bits())),
            Operand::Double(value) => Packed::new(tag::DOUBLE_WIDE, self.word(value.to_bits())?),
            Operand::LongDouble(bits) => {
                self.long_doubles.push(bits)?;
                Packed::new(tag::LONG_DOUBLE, self.long_doubles.len() as u64 - 1)
            }
            Operand::Str(string) => Packed::new(tag::STR, u64::from(string.number())),
            Operand::Item(item) => Packed::new(tag::ITEM, u64::from(item.number())),
            Operand::Label(label) => Packed::new(tag::LABEL, u64::from(label.number())),
            Operand::Mem(mem) => self.mem(mem)?,
        })
    }

    fn word(&mut self, word: u64) -> Result<u64, OutOfMemory> {
        self.words.push(word)?;
        Ok(self.words.len() as u64 - 1)
    }

    fn mem(&mut self, mem: Mem) -> Result<Packed, OutOfMemory> {
        if let Some(packed) = Packed::memory(&mem) {
            return Ok(packed);
        }
        self.mems.push(PackedMem {
            disp: mem.disp,
            base: pack_option(mem.base),
            index: pack_option(mem.index),
            alias: pack_option(mem.alias),
            nonalias: pack_option(mem.nonalias),
            ty: mem.ty,
            scale: mem.scale,
        })?;
        Ok(Packed::new(tag::MEM_WIDE, self.mems.len() as u64 - 1))
    }

    /// Returns the operand of a compact form that this `WideValues` made.
    pub(super) fn unpack(&self, packed: Packed) -> Operand {
        let value = packed.value();
        let number = value as u32;
        match packed.tag() {
            tag::REG => Operand::Reg(Reg::new(number)),
            tag::INT => Operand::Int(packed.0 as i64 >> 8),
            tag::INT_WIDE => Operand::Int(self.words[value as usize] as i64),
            tag::UINT => Operand::Uint(value),
            tag::UINT_WIDE => Operand::Uint(self.words[value as usize]),
            tag::FLOAT => Operand::Float(f32::from_bits(number)),
            tag::DOUBLE_WIDE => Operand::Double(f64::from_bits(self.words[value as usize])),
            tag::LONG_DOUBLE => Operand::LongDouble(self.long_doubles[value as usize]),
            tag::STR => Operand::Str(Str::new(number)),
            tag::ITEM => Operand::Item(ItemId::new(number)),
            tag::LABEL => Operand::Label(Label::new(number)),
            tag::MEM_NEAR | tag::MEM_FAR | tag::MEM_INDEXED => Operand::Mem(packed.as_memory()),
            _ => Operand::Mem(self.mems[value as usize].unpack()),
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.words.shrink_to_fit();
        self.long_doubles.shrink_to_fit();
        self.mems.shrink_to_fit();
    }
}

impl PackedMem {
    fn unpack(self) -> Mem {
        Mem {
            ty: self.ty,
            disp: self.disp,
            base: unpack_option(self.base),
            index: unpack_option(self.index),
            scale: self.scale,
            alias: unpack_option(self.alias),
            nonalias: unpack_option(self.nonalias),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::tests::System;

    #[test]
    fn operands_survive_packing() {
        let reg = |number| Some(Reg::new(number));
        let name = |number| Some(Name::new(number));
        let mem = |disp, base, index, scale, alias, nonalias| {
            Operand::Mem(Mem {
                ty: Type::U16,
                disp,
                base,
                index,
                scale,
                alias,
                nonalias,
            })
        };
        let mut values = WideValues::new(&System);
        for operand in [
            Operand::Reg(Reg::new(70_000)),
            Operand::Int(0),
            Operand::Int(-1),
            Operand::Int(i64::MIN),
            Operand::Int((1 << 55) - 1),
            Operand::Int(1 << 55),
            Operand::Int(-1 << 55),
            Operand::Int((-1 << 55) - 1),
            Operand::Uint(u64::MAX),
            Operand::Uint((1 << 56) - 1),
            Operand::Float(-1.5),
            Operand::Double(1e300),
            Operand::LongDouble(u128::MAX - 7),
            Operand::Str(Str::new(3)),
            Operand::Item(ItemId::new(u32::MAX - 1)),
            Operand::Label(Label::new(9)),
            mem(-8, reg(0), None, 1, None, None),
            mem(i64::from(i32::MIN), reg(65_534), None, 1, None, None),
            mem(8, reg(65_535), None, 1, None, None),
            mem(1 << 31, None, None, 1, None, None),
            mem(5, None, None, 1, None, None),
            mem(i64::from(i16::MIN), reg(7), None, 1, name(65_534), None),
            mem(1 << 15, reg(7), None, 1, None, None),
            mem(1 << 15, reg(7), None, 1, name(3), None),
            mem(-1, reg(7), None, 1, name(65_535), None),
            mem(0, reg(1), reg(65_534), 128, name(65_534), None),
            mem(0, reg(1), reg(65_535), 2, None, None),
            mem(0, reg(1), reg(2), 3, None, None),
            mem(0, reg(1), reg(2), 0, None, None),
            mem(4, reg(1), reg(2), 1, None, None),
            mem(0, None, None, 2, None, None),
            mem(0, reg(u32::MAX - 1), None, 1, None, None),
            mem(0, reg(1), reg(2), 8, None, None),
            mem(0, None, reg(2), 4, name(1), None),
            mem(0, reg(1), None, 1, None, name(0)),
        ] {
            let packed = values.pack(operand).unwrap();
            assert_eq!(values.unpack(packed), operand);
        }
    }
}
