//! The vocabulary of calling conventions, shared by every target, the interpreter's native gate and
//! the code generator.
//!
//! A target provides one function, [`Abi::place_argument`], which places arguments one after the
//! other by means of a [`Cursor`], and describes by data how results are returned. Nothing here
//! allocates or touches a machine register, so that every target's rules can be applied on every
//! host.

use super::argument::{Argument, ArgumentKind, Cursor, Location, MAX_STACK_BYTES, TooLarge};
use crate::ir::Type;

/// The signature of a call, as both sides see it.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// The results, in any number: `docs/abi.md` has the rule for those that C cannot return.
    pub results: &'a [Type],
    /// All arguments of this call, variable ones included.
    pub arguments: &'a [Argument],
    /// The number of named arguments of a variadic function; `None` for other functions.
    pub variadic: Option<usize>,
}

/// A run of bytes of a value and its location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its offset in the value.
    pub offset: u32,
    /// Its length in bytes.
    pub size: u32,
    /// Its location.
    pub at: Location,
}

/// The locations of one argument or result: up to three pieces.
///
/// A piece may be passed twice (ppc64le: in a floating and in an integer register); a receiver
/// takes any one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    pieces: [Piece; 3],
    len: u8,
    /// True if the pieces are those of the 8-byte address of a copy that belongs to the callee, not
    /// of the value.
    pub by_address: bool,
}

impl Placement {
    /// The placement of an empty block, of which nothing is passed.
    pub const NOTHING: Placement = Placement {
        pieces: [Piece {
            offset: 0,
            size: 0,
            at: Location::Memory(0),
        }; 3],
        len: 0,
        by_address: false,
    };

    /// Returns the placement of a whole value in one piece.
    #[must_use]
    pub const fn whole(size: u32, at: Location) -> Placement {
        let mut placement = Placement::NOTHING;
        placement.pieces[0] = Piece {
            offset: 0,
            size,
            at,
        };
        placement.len = 1;
        placement
    }

    /// Returns the placement of the address of a copy of the value.
    #[must_use]
    pub const fn address(at: Location) -> Placement {
        let mut placement = Placement::whole(8, at);
        placement.by_address = true;
        placement
    }

    /// Adds one more piece; the fourth and later ones are lost.
    #[must_use]
    pub fn and(mut self, offset: u32, size: u32, at: Location) -> Placement {
        if let Some(piece) = self.pieces.get_mut(usize::from(self.len)) {
            *piece = Piece { offset, size, at };
            self.len += 1;
        }
        self
    }

    /// Returns the pieces in order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        self.pieces.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

/// The calling convention of a platform.
#[derive(Clone, Copy, Debug)]
pub struct Abi {
    /// Places the next argument.
    pub place_argument: fn(&mut Cursor, Argument, ArgumentKind) -> Result<Placement, TooLarge>,
    /// A cursor with no register left: the start of variable arguments that are all in memory.
    pub exhausted: Cursor,
    /// The registers that results are returned in.
    pub results: Results,
    /// The form of a float in a floating-point register.
    pub single: Single,
    /// True if `u32` is passed sign-extended.
    pub u32_sign_extended: bool,
    /// The number of stack slots at the start that belong to integer registers: the callee may
    /// store them there.
    pub home_slots: u8,
    /// The layout of the register image that the gates load and save.
    pub image: ImageLayout,
    /// The offset from the start of the stack arguments at which a variadic function stores the
    /// integer argument registers, where the two must be one array for `va_list` to point into;
    /// floating-point registers hold no variable arguments then.
    pub variadic_image: Option<i32>,
    /// The platform's `va_list`.
    pub va_list: super::VaListOperations,
}

impl Abi {
    /// Returns whether an argument that is passed as `sent` is read as `taken` as if both were one
    /// type: where both are integers, sender and taker extend them alike.
    #[must_use]
    pub fn passes_alike(&self, sent: Argument, taken: Argument) -> bool {
        match (sent.ty.is_block(), taken.ty.is_block()) {
            (false, false) => self.is_alike(sent.ty, taken.ty),
            (true, true) => sent.ty == taken.ty && (sent.size == taken.size || !sent.is_copied()),
            _ => false,
        }
    }

    /// True if a result is passed alike.
    #[must_use]
    pub fn returns_alike(&self, given: Type, taken: Type) -> bool {
        self.is_alike(given, taken)
    }

    fn is_alike(&self, from: Type, to: Type) -> bool {
        let changes_sign = self.u32_sign_extended && from == Type::U32 && to.size() == 8;
        from.class() == to.class() && !changes_sign
    }
}

/// The registers that results are returned in; all other results go to the area of further results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Results {
    /// The number of integer registers.
    pub ints: u8,
    /// The number of floating-point registers.
    pub floats: u8,
    /// The place of a long double.
    pub long_double: LongDoubleResult,
}

/// The place that a long double result is returned in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LongDoubleResult {
    /// One of this many registers of the x87 stack.
    X87(u8),
    /// One floating-point register.
    Float,
    /// Two floating-point registers.
    FloatPair,
    /// The first two integer registers.
    IntPair,
    /// The area of further results.
    Memory,
}

/// The form of a float in a floating-point register of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Single {
    /// In the low 32 bits.
    Low,
    /// In the low 32 bits, all others set.
    Boxed,
    /// In the high 32 bits.
    High,
    /// As the double of the same value.
    Widened,
}

/// The offsets in bytes of the registers in their image.
///
/// Integer registers take 8 bytes each. A result register lies at the offset of the argument
/// register of the same number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageLayout {
    /// The offset of the first integer register.
    pub ints: u32,
    /// The offset of the first floating-point register.
    pub floats: u32,
    /// The distance from one floating-point register to the next.
    pub float_stride: u32,
    /// The offset of the first x87 result; each takes 16 bytes.
    pub x87: u32,
}

/// The cursor that places results one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultCursor {
    rule: Results,
    ints: u8,
    floats: u8,
    x87: u8,
    memory: u32,
}

impl ResultCursor {
    /// Returns a cursor with all result registers free.
    #[must_use]
    pub const fn new(abi: &Abi) -> ResultCursor {
        ResultCursor {
            rule: abi.results,
            ints: 0,
            floats: 0,
            x87: 0,
            memory: 0,
        }
    }

    /// Places the next result: in the next register of its class, or in the next 16 bytes of the
    /// area of further results.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if the area of further results exceeds [`MAX_STACK_BYTES`].
    pub fn place(&mut self, ty: Type) -> Result<Placement, TooLarge> {
        let place = match ty {
            Type::F | Type::D => self.float(1),
            Type::Ld => self.long_double(),
            _ => self.int(1),
        };
        let at = match place {
            Some(at) => at,
            None => self.further()?,
        };
        let size = if ty.is_int() { 8 } else { ty.size() };
        Ok(Placement::whole(size, at))
    }

    /// Returns the bytes of the area of further results so far; 0 means that there is none.
    #[must_use]
    pub const fn area_bytes(&self) -> u32 {
        self.memory
    }

    /// Returns the number of floating-point registers used so far.
    #[must_use]
    pub const fn floats(&self) -> u8 {
        self.floats
    }

    /// Returns the number of registers of the x87 stack used so far.
    #[must_use]
    pub const fn x87(&self) -> u8 {
        self.x87
    }

    fn int(&mut self, count: u8) -> Option<Location> {
        let first = self.ints;
        let used = first.checked_add(count)?;
        if used > self.rule.ints {
            return None;
        }
        self.ints = used;
        Some(Location::Int(first))
    }

    fn float(&mut self, count: u8) -> Option<Location> {
        let first = self.floats;
        let used = first.checked_add(count)?;
        if used > self.rule.floats {
            return None;
        }
        self.floats = used;
        Some(Location::Float(first))
    }

    fn long_double(&mut self) -> Option<Location> {
        match self.rule.long_double {
            LongDoubleResult::X87(count) if self.x87 < count => {
                self.x87 += 1;
                Some(Location::X87(self.x87 - 1))
            }
            LongDoubleResult::X87(_) | LongDoubleResult::Memory => None,
            LongDoubleResult::Float => self.float(1),
            LongDoubleResult::FloatPair => self.float(2),
            LongDoubleResult::IntPair => self.int(2),
        }
    }

    fn further(&mut self) -> Result<Location, TooLarge> {
        let start = self.memory;
        if start >= MAX_STACK_BYTES {
            return Err(TooLarge);
        }
        self.memory += 16;
        Ok(Location::Memory(start))
    }
}
