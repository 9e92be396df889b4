//! Where arguments and results go: the vocabulary shared by every target, by the interpreter's native gate and by
//! the code generator.
//!
//! A target gives one function, [`Abi::place_argument`], which places arguments one after the other by means of a
//! [`Cursor`], and says by data how results come back. Nothing here allocates or touches a machine register, so that
//! every target's rules can be asked on every host.

use crate::ir::{Arg, Type};

/// The type of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its type.
    pub ty: Type,
    /// The size in bytes of a block; unused for other types.
    pub size: u64,
}

impl Argument {
    /// An argument that is no block.
    #[must_use]
    pub const fn scalar(ty: Type) -> Argument {
        Argument { ty, size: 0 }
    }

    /// A block of `size` bytes of type `ty`.
    #[must_use]
    pub const fn block(ty: Type, size: u64) -> Argument {
        Argument { ty, size }
    }

    /// Whether the bytes of a block are passed, not its address only.
    #[must_use]
    pub const fn is_copied(self) -> bool {
        self.ty.is_block() && !matches!(self.ty, Type::Rblk)
    }

    /// The bytes that are passed: of a block all of them.
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
            size: u64::from(arg.size),
        }
    }
}

impl From<Type> for Argument {
    fn from(ty: Type) -> Argument {
        Argument::scalar(ty)
    }
}

/// What a call looks like from both sides.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// The results, any number: see `docs/abi.md` for those that C cannot return.
    pub results: &'a [Type],
    /// All arguments of this call, variable ones included.
    pub arguments: &'a [Argument],
    /// For a variadic function, how many of the arguments are named.
    pub variadic: Option<usize>,
}

/// A place that one piece of an argument or result is passed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// Integer register, counted in the order in which the ABI hands them out. A piece longer than 8 bytes takes the
    /// following ones too. On aarch64 number 8 is the indirect result register x8.
    Int(u8),
    /// Floating register, counted and continued likewise.
    Float(u8),
    /// Register of the x87 stack: results only.
    X87(u8),
    /// Arguments: offset in bytes from the start of the stack arguments. Results: offset in the area of further
    /// results.
    Memory(u32),
}

/// A run of bytes of a value and where it is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Offset in the value.
    pub offset: u32,
    /// Length in bytes.
    pub size: u32,
    /// Where it goes.
    pub at: Location,
}

/// Where one argument or result is passed: up to three pieces.
///
/// A piece may be passed twice (ppc64le: in a floating and in an integer register); a receiver takes any one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    pieces: [Piece; 3],
    len: u8,
    /// The pieces are those of the 8-byte address of a copy that belongs to the callee, not of the value.
    pub by_address: bool,
}

impl Placement {
    /// Nothing is passed (an empty block).
    pub const NOTHING: Placement = Placement {
        pieces: [Piece {
            offset: 0,
            size: 0,
            at: Location::Memory(0),
        }; 3],
        len: 0,
        by_address: false,
    };

    /// The whole value in one piece.
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

    /// The address of a copy of the value.
    #[must_use]
    pub const fn address(at: Location) -> Placement {
        let mut placement = Placement::whole(8, at);
        placement.by_address = true;
        placement
    }

    /// With one more piece; the fourth and later ones are lost.
    #[must_use]
    pub fn and(mut self, offset: u32, size: u32, at: Location) -> Placement {
        if let Some(piece) = self.pieces.get_mut(usize::from(self.len)) {
            *piece = Piece { offset, size, at };
            self.len += 1;
        }
        self
    }

    /// The pieces in order.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        self.pieces.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

/// How far the places for arguments are used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cursor {
    /// Integer registers used.
    pub ints: u8,
    /// Floating registers used.
    pub floats: u8,
    /// Bytes of stack arguments used.
    pub stack: u32,
    /// Arguments placed.
    pub placed: u32,
}

/// Stack arguments, with the copies that are passed by address, may take at most this many bytes in one call.
pub const MAX_STACK_BYTES: u32 = 1 << 24;

/// The arguments need more than [`MAX_STACK_BYTES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Cursor {
    /// Takes `size` bytes of stack, at a multiple of `align` (a power of two), in units of 8 bytes.
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

    /// Takes `count` integer registers of `limit` if they are left.
    pub fn take_ints(&mut self, count: u8, limit: u8) -> Option<Location> {
        let first = self.ints;
        let used = first.checked_add(count).filter(|&used| used <= limit)?;
        self.ints = used;
        Some(Location::Int(first))
    }

    /// Takes `count` floating registers of `limit` if they are left.
    pub fn take_floats(&mut self, count: u8, limit: u8) -> Option<Location> {
        let first = self.floats;
        let used = first.checked_add(count).filter(|&used| used <= limit)?;
        self.floats = used;
        Some(Location::Float(first))
    }
}

/// The calling convention of a platform.
#[derive(Clone, Copy, Debug)]
pub struct Abi {
    /// Places the next argument; the flag says that it is a variable one.
    pub place_argument: fn(&mut Cursor, Argument, bool) -> Result<Placement, TooLarge>,
    /// A cursor with no register left: where variable arguments start that are all in memory.
    pub exhausted: Cursor,
    /// How results come back.
    pub results: Results,
    /// How a float lies in a floating register.
    pub single: Single,
    /// Whether `u32` is passed sign-extended.
    pub u32_sign_extended: bool,
    /// How many stack slots at the start belong to integer registers: the callee may store them there.
    pub home_slots: u8,
    /// Where registers lie in the image that the gates load and save.
    pub image: ImageLayout,
    /// Where a variadic function stores the integer argument registers, from where the stack arguments start, if they and
    /// the stack arguments must be one array, which `va_list` then points into; floating registers hold no variable
    /// arguments then.
    pub variadic_image: Option<i32>,
    /// The platform's `va_list`.
    pub va_list: super::VaListOperations,
}

impl Abi {
    /// Whether an argument that is passed as `sent` is read as `taken` as if both were one type: where both are integers,
    /// sender and taker extend them alike.
    #[must_use]
    pub fn passes_alike(&self, sent: Argument, taken: Argument) -> bool {
        match (sent.ty.is_block(), taken.ty.is_block()) {
            (false, false) => self.is_alike(sent.ty, taken.ty),
            (true, true) => sent.ty == taken.ty && (sent.size == taken.size || !sent.is_copied()),
            _ => false,
        }
    }

    /// The same of a result.
    #[must_use]
    pub fn returns_alike(&self, given: Type, taken: Type) -> bool {
        self.is_alike(given, taken)
    }

    fn is_alike(&self, from: Type, to: Type) -> bool {
        let changes_sign = self.u32_sign_extended && from == Type::U32 && to.size() == 8;
        from.class() == to.class() && !changes_sign
    }
}

/// The registers that results come back in; all others go to the area of further results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Results {
    /// Integer registers.
    pub ints: u8,
    /// Floating registers.
    pub floats: u8,
    /// Where a long double goes.
    pub long_double: LongDoubleResult,
}

/// Where a long double result goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LongDoubleResult {
    /// One of this many registers of the x87 stack.
    X87(u8),
    /// One floating register.
    Float,
    /// Two floating registers.
    FloatPair,
    /// The first two integer registers.
    IntPair,
    /// The area of further results.
    Memory,
}

/// How a float lies in a floating register of the machine.
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

/// Offsets in bytes of the registers in an image of them.
///
/// Integer registers take 8 bytes each. Result registers lie where the argument registers of the same number do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageLayout {
    /// The first integer register.
    pub ints: u32,
    /// The first floating register.
    pub floats: u32,
    /// From one floating register to the next.
    pub float_stride: u32,
    /// The first x87 result, 16 bytes each.
    pub x87: u32,
}

/// Places results one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultCursor {
    rule: Results,
    ints: u8,
    floats: u8,
    x87: u8,
    memory: u32,
}

impl ResultCursor {
    /// Starts with all result registers free.
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

    /// Places the next result: in the next register of its class, or in the next 16 bytes of the area of further
    /// results.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if the area is.
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

    /// Bytes of the area of further results so far; 0 means that there is none.
    #[must_use]
    pub const fn area_bytes(&self) -> u32 {
        self.memory
    }

    /// Floating registers used so far.
    #[must_use]
    pub const fn floats(&self) -> u8 {
        self.floats
    }

    /// Registers of the x87 stack used so far.
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
