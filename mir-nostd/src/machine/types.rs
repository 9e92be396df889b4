//! Low level types, banks, classes, predicates, register units.

use core::num::NonZero;

/// The type of a generic instruction or virtual register: a number of bits of any meaning.
///
/// There is no type of addresses (LLVM's `p0`). Medium IR has one for arguments and memory only.
/// Its variables are integers of 64 bits, which the same instructions compute with in any case, so
/// that stages could only guess which of them hold addresses, and no stage would use it. Where LLVM
/// requires pointers, in loads, stores, calls and jumps, the printer of generic functions makes
/// them of integers (`G_INTTOPTR`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum LowType {
    /// 8 bits.
    S8,
    /// 16 bits.
    S16,
    /// 32 bits; in the floating bank a float.
    S32,
    /// 64 bits; also an address, and in the floating bank a double.
    S64,
    /// An x87 long double, in memory only.
    S80,
    /// A long double of 128 bits, quad or double-double, in memory only.
    S128,
}

impl LowType {
    /// Returns the size in memory in bytes; 16 for both long doubles.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            LowType::S8 => 1,
            LowType::S16 => 2,
            LowType::S32 => 4,
            LowType::S64 => 8,
            LowType::S80 | LowType::S128 => 16,
        }
    }

    /// Returns the width in bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            LowType::S80 => 80,
            other => other.bytes() * 8,
        }
    }

    /// Returns whether values of the type live in memory only.
    #[must_use]
    pub const fn is_long_double(self) -> bool {
        matches!(self, LowType::S80 | LowType::S128)
    }
}

/// The register bank of a virtual register, before it has a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bank {
    /// Registers for integers and addresses.
    General,
    /// Registers for floats and doubles.
    Floating,
}

/// A register class: its number in the target's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassId(pub u8);

/// A set of register units. A unit is a part of the register file that is allocated as one:
/// registers that overlap share units.
///
/// ```
/// use mir_nostd::machine::UnitSet;
///
/// let (low, high) = (UnitSet::unit(2), UnitSet::unit(3));
/// let pair = low.union(high);
/// assert!(pair.contains(low) && pair.overlaps(high) && !low.overlaps(high));
/// assert_eq!(pair.without(low), high);
/// assert!(pair.iter().eq([2, 3]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct UnitSet(pub u128);

impl UnitSet {
    /// The set without units.
    pub const EMPTY: UnitSet = UnitSet(0);

    /// Returns the set of one unit.
    #[must_use]
    pub const fn unit(number: u8) -> UnitSet {
        UnitSet(1 << (number & 127))
    }

    /// Returns the units of both.
    #[must_use]
    pub const fn union(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 | other.0)
    }

    /// Returns the units of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 & !other.0)
    }

    /// Returns whether the sets have a unit in common.
    #[must_use]
    pub const fn overlaps(self, other: UnitSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether all units of the other are in this set.
    #[must_use]
    pub const fn contains(self, other: UnitSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns whether there is no unit.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the units, lowest first.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        // This goes by halves, as counting the zeros of a number that is not 0 is one instruction.
        let (mut low, mut high) = (self.0 as u64, (self.0 >> 64) as u64);
        core::iter::from_fn(move || {
            if let Some(left) = NonZero::new(low) {
                low &= low - 1;
                return Some(left.trailing_zeros() as u8);
            }
            let left = NonZero::new(high)?;
            high &= high - 1;
            Some(64 + left.trailing_zeros() as u8)
        })
    }
}

macro_rules! predicates {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal $inverse:ident $swapped:ident;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl $name {
            const ALL: &[$name] = &[$($name::$variant),*];

            /// Returns the predicate of this number, if there is one.
            #[must_use]
            pub fn from_number(number: u32) -> Option<$name> {
                $name::ALL.get(number as usize).copied()
            }

            /// Returns LLVM's word for it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// Returns the predicate that is true where this one is false.
            #[must_use]
            pub const fn inverse(self) -> $name {
                match self { $($name::$variant => $name::$inverse,)* }
            }

            /// Returns the predicate for exchanged operands.
            #[must_use]
            pub const fn swapped(self) -> $name {
                match self { $($name::$variant => $name::$swapped,)* }
            }
        }
    };
}

predicates! {
    /// A comparison of two integers.
    IntPredicate {
        Eq "eq" Ne Eq; Ne "ne" Eq Ne;
        Slt "slt" Sge Sgt; Sle "sle" Sgt Sge; Sgt "sgt" Sle Slt; Sge "sge" Slt Sle;
        Ult "ult" Uge Ugt; Ule "ule" Ugt Uge; Ugt "ugt" Ule Ult; Uge "uge" Ult Ule;
    }
}

predicates! {
    /// A comparison of two floats: the `o` ones are false for NaN, the `u` ones true. These are the
    /// comparisons of Medium IR and their inverses, so LLVM's `one` and `ueq` are not among them.
    FloatPredicate {
        Oeq "oeq" Une Oeq; Une "une" Oeq Une;
        Olt "olt" Uge Ogt; Ole "ole" Ugt Oge; Ogt "ogt" Ule Olt; Oge "oge" Ult Ole;
        Ult "ult" Oge Ugt; Ule "ule" Ogt Uge; Ugt "ugt" Ole Ult; Uge "uge" Olt Ule;
    }
}

/// The number of times that a block is executed for each execution of the function: an estimate
/// from 2⁻⁸ to 2²³, with three bits of precision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Frequency(u8);

impl Frequency {
    /// The number of the lowest bits of a float that a frequency does not keep.
    const DROPPED: u32 = 20;
    /// The float of frequency 0, without those.
    const LEAST: u32 = (127 - 8) << 3;

    /// Returns the frequency next below a number, which is not negative; the least or the greatest
    /// one for numbers out of range.
    ///
    /// ```
    /// use mir_nostd::machine::Frequency;
    ///
    /// assert_eq!(Frequency::new(8.0).value(), 8.0);
    /// assert_eq!(Frequency::new(0.9).value(), 0.875);
    /// assert_eq!(Frequency::new(0.0).value(), 1.0 / 256.0);
    /// ```
    #[must_use]
    pub fn new(value: f32) -> Frequency {
        let kept = (value.to_bits() >> Frequency::DROPPED).saturating_sub(Frequency::LEAST);
        Frequency(kept.min(u32::from(u8::MAX)) as u8)
    }

    /// Returns the frequency as a number.
    #[must_use]
    pub fn value(self) -> f32 {
        f32::from_bits((u32::from(self.0) + Frequency::LEAST) << Frequency::DROPPED)
    }
}

impl Default for Frequency {
    fn default() -> Frequency {
        Frequency::new(1.0)
    }
}
