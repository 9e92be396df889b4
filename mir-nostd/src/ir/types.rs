//! The types of the language.

/// A type of Medium IR, numbered as in the binary form, where its tag is 43 plus the number
/// (docs/reference/binary.md).
///
/// Registers have one of the four classes that [`Type::class`] returns; the other types say how
/// memory is read and written and how arguments and results are passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Type {
    /// Signed 8-bit integer.
    I8 = 0,
    /// Unsigned 8-bit integer.
    U8,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 64-bit integer.
    U64,
    /// IEEE single precision.
    F,
    /// IEEE double precision.
    D,
    /// Long double: its format is a property of the target.
    Ld,
    /// Pointer: a 64-bit integer.
    P,
    /// Block passed by value, class 0. The classes say how the platform passes it.
    Blk0,
    /// Block passed by value, class 1.
    Blk1,
    /// Block passed by value, class 2.
    Blk2,
    /// Block passed by value, class 3.
    Blk3,
    /// Block passed by value, class 4.
    Blk4,
    /// Block passed by address, for results.
    Rblk,
}

/// The class of a value in a register, which an operand mode requires.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    /// 64-bit integer.
    Int,
    /// IEEE single precision.
    Float,
    /// IEEE double precision.
    Double,
    /// Long double.
    LongDouble,
}

impl Type {
    /// Every type, in the order of their numbers.
    pub const ALL: [Type; 18] = [
        Type::I8,
        Type::U8,
        Type::I16,
        Type::U16,
        Type::I32,
        Type::U32,
        Type::I64,
        Type::U64,
        Type::F,
        Type::D,
        Type::Ld,
        Type::P,
        Type::Blk0,
        Type::Blk1,
        Type::Blk2,
        Type::Blk3,
        Type::Blk4,
        Type::Rblk,
    ];

    /// Returns the type of this number, if there is one.
    ///
    /// ```
    /// use mir_nostd::ir::Type;
    /// assert_eq!(Type::from_number(6), Some(Type::I64));
    /// assert_eq!(Type::from_number(18), None);
    /// ```
    #[must_use]
    pub fn from_number(number: u8) -> Option<Type> {
        Type::ALL.get(usize::from(number)).copied()
    }

    /// Returns the type of the blocks of this class, as `va_block_arg` numbers them: every class
    /// but 1 to 4 is class 0.
    #[must_use]
    pub const fn block_of_class(class: i64) -> Type {
        match class {
            1 => Type::Blk1,
            2 => Type::Blk2,
            3 => Type::Blk3,
            4 => Type::Blk4,
            _ => Type::Blk0,
        }
    }

    /// Returns the type's word in text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Type::I8 => "i8",
            Type::U8 => "u8",
            Type::I16 => "i16",
            Type::U16 => "u16",
            Type::I32 => "i32",
            Type::U32 => "u32",
            Type::I64 => "i64",
            Type::U64 => "u64",
            Type::F => "f",
            Type::D => "d",
            Type::Ld => "ld",
            Type::P => "p",
            Type::Blk0 => "blk0",
            Type::Blk1 => "blk1",
            Type::Blk2 => "blk2",
            Type::Blk3 => "blk3",
            Type::Blk4 => "blk4",
            Type::Rblk => "rblk",
        }
    }

    /// Returns the type of a word, `blk` (= `blk0`) included.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Option<Type> {
        if name == b"blk" {
            return Some(Type::Blk0);
        }
        Type::ALL
            .into_iter()
            .find(|ty| ty.name().as_bytes() == name)
    }

    /// Returns the size in memory in bytes; 8 for blocks, which are represented by their address.
    /// Long double takes 16 in every format but double; the type does not occur where it is double.
    #[must_use]
    pub const fn size(self) -> u32 {
        match self {
            Type::I8 | Type::U8 => 1,
            Type::I16 | Type::U16 => 2,
            Type::I32 | Type::U32 | Type::F => 4,
            Type::Ld => 16,
            _ => 8,
        }
    }

    /// Returns whether this is one of the integer types, `p` included.
    #[must_use]
    pub const fn is_int(self) -> bool {
        (self as u8) <= Type::U64 as u8 || matches!(self, Type::P)
    }

    /// Returns whether this is `blk0` to `blk4` or `rblk`.
    #[must_use]
    pub const fn is_block(self) -> bool {
        self as u8 >= Type::Blk0 as u8
    }

    /// Returns whether an integer of this type is sign-extended when read.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64)
    }

    /// Returns the class of a register that holds a value of this type (a block: its address).
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Type::F => Class::Float,
            Type::D => Class::Double,
            Type::Ld => Class::LongDouble,
            _ => Class::Int,
        }
    }
}

impl core::fmt::Display for Type {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

impl Class {
    /// Returns the type of a register of this class.
    #[must_use]
    pub const fn ty(self) -> Type {
        match self {
            Class::Int => Type::I64,
            Class::Float => Type::F,
            Class::Double => Type::D,
            Class::LongDouble => Type::Ld,
        }
    }
}
