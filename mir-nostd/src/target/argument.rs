//! The arguments of calls, and the registers and stack bytes that they take one after the other.

use crate::ir::{Arg, Type};

/// The list of a variadic function's arguments that an argument is of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ArgumentKind {
    /// The signature names it, as it names all arguments of other functions.
    #[default]
    Named,
    /// It is in place of the three dots.
    Variable,
}

/// The type of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its type.
    pub ty: Type,
    /// The size of a block in bytes; unused for other types.
    pub size: u64,
}

impl Argument {
    /// Returns an argument that is not a block.
    #[must_use]
    pub const fn scalar(ty: Type) -> Argument {
        Argument { ty, size: 0 }
    }

    /// Returns a block of `size` bytes of type `ty`.
    #[must_use]
    pub const fn block(ty: Type, size: u64) -> Argument {
        Argument { ty, size }
    }

    /// True if the bytes of a block are passed, not only its address.
    #[must_use]
    pub const fn is_copied(self) -> bool {
        self.ty.is_block() && !matches!(self.ty, Type::Rblk)
    }

    /// Returns the number of bytes passed: all those of a block that is copied.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        if self.is_copied() {
            self.size
        } else {
            self.ty.size() as u64
        }
    }
}

impl From<Arg> for Argument {
    fn from(arg: Arg) -> Argument {
        Argument {
            ty: arg.ty,
            size: arg.size,
        }
    }
}

/// The location of one piece of an argument or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// An integer register, by its number in the order in which the ABI assigns them. A piece
    /// longer than 8 bytes takes the following ones too. On aarch64 number 8 is the indirect result
    /// register x8.
    Int(u8),
    /// A floating-point register, likewise.
    Float(u8),
    /// A register of the x87 stack, for results only.
    X87(u8),
    /// The stack. For arguments: offset in bytes from the start of the stack arguments. For
    /// results: offset in the area of further results.
    Memory(u32),
}

/// The registers and stack bytes that the arguments placed so far use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cursor {
    /// The number of integer registers used.
    pub ints: u8,
    /// The number of floating-point registers used.
    pub floats: u8,
    /// The number of bytes of stack arguments used.
    pub stack: u32,
    /// The number of arguments placed.
    pub placed: u32,
}

/// The most bytes that stack arguments, with the copies that are passed by address, may take in one
/// call.
pub const MAX_STACK_BYTES: u32 = 1 << 24;

/// The error that arguments need more than [`MAX_STACK_BYTES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Cursor {
    /// Takes `size` bytes of stack, rounded up to 8, at a multiple of `align` (a power of two).
    ///
    /// # Errors
    ///
    /// [`TooLarge`].
    pub fn take_stack(&mut self, size: u64, align: u32) -> Result<u32, TooLarge> {
        let start = self.stack.next_multiple_of(align);
        let size = u32::try_from(size).map_err(|_| TooLarge)?;
        if size > MAX_STACK_BYTES || start > MAX_STACK_BYTES {
            return Err(TooLarge);
        }
        let end = (start + size).next_multiple_of(8);
        if end > MAX_STACK_BYTES {
            return Err(TooLarge);
        }
        self.stack = end;
        Ok(start)
    }

    /// Takes the next `count` integer registers if there are that many below number `limit`.
    pub fn take_ints(&mut self, count: u8, limit: u8) -> Option<Location> {
        let first = self.ints;
        let used = first.checked_add(count).filter(|&used| used <= limit)?;
        self.ints = used;
        Some(Location::Int(first))
    }

    /// Takes the next `count` floating-point registers if there are that many below number `limit`.
    pub fn take_floats(&mut self, count: u8, limit: u8) -> Option<Location> {
        let first = self.floats;
        let used = first.checked_add(count).filter(|&used| used <= limit)?;
        self.floats = used;
        Some(Location::Float(first))
    }
}
