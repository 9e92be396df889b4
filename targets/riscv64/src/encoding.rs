//! The column of the instruction table that says how an instruction is encoded: the word without
//! its operands, and the fields of the operands.

/// The encoding of an instruction, packed into the column of its row.
#[derive(Clone, Copy)]
pub(crate) struct Encoding(u64);

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident,)*) => {
        /// Returns the operands' form.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Format {
            $($(#[$doc])* $format,)*
        }

        const FORMATS: &[Format] = &[$(Format::$format),*];
    };
}

formats! {
    /// No encoding: the instruction is replaced before.
    None,
    /// No operands.
    Fixed,
    /// rd, rs1, rs2.
    Register,
    /// rd, rs2, rs1.
    Atomic,
    /// rd, rs1, 12 bits.
    Immediate,
    /// rd, rs1, 6 bits.
    Shift,
    /// rs2, rs1, 12 bits.
    Store,
    /// rs1, rs2, a block.
    Branch,
    /// rd, 20 bits or a place of the code.
    Upper,
    /// A block.
    Jump,
    /// A symbol: two instructions.
    Symbol,
    /// rs1, and 12 bits if there is another operand.
    Through,
    /// rd, rs1, rs2, rounding mode.
    Round,
    /// rd, rs1, rs2, rs3, rounding mode.
    Fused,
    /// rd, rs1, rounding mode.
    Unary,
    /// rd, rs1.
    Move,
    /// Accesses before, accesses after.
    Fence,
}

const FORMAT: u32 = 32;

const fn encoding(word: u32, format: Format) -> Encoding {
    Encoding(word as u64 | (format as u64) << FORMAT)
}

const fn functions(funct3: u32, funct7: u32, opcode: u32) -> u32 {
    funct7 << 25 | funct3 << 12 | opcode
}

/// An instruction without an encoding: it is replaced before.
pub(crate) const fn none() -> Encoding {
    encoding(0, Format::None)
}

/// A whole instruction.
pub(crate) const fn fixed(word: u32) -> Encoding {
    encoding(word, Format::Fixed)
}

/// `rd, rs1, rs2`.
pub(crate) const fn register(funct3: u32, funct7: u32, opcode: u32) -> Encoding {
    encoding(functions(funct3, funct7, opcode), Format::Register)
}

/// `rd, rs1, imm`.
pub(crate) const fn immediate(funct3: u32, opcode: u32) -> Encoding {
    encoding(functions(funct3, 0, opcode), Format::Immediate)
}

/// `rd, rs1, count`.
pub(crate) const fn shift(funct3: u32, funct7: u32, opcode: u32) -> Encoding {
    encoding(functions(funct3, funct7, opcode), Format::Shift)
}

/// `rd, imm(rs1)`.
pub(crate) const fn load(funct3: u32, opcode: u32) -> Encoding {
    encoding(functions(funct3, 0, opcode), Format::Immediate)
}

/// `rs2, imm(rs1)`.
pub(crate) const fn store(funct3: u32, opcode: u32) -> Encoding {
    encoding(functions(funct3, 0, opcode), Format::Store)
}

/// `rs1, rs2, block`.
pub(crate) const fn branch(funct3: u32) -> Encoding {
    encoding(functions(funct3, 0, 0x63), Format::Branch)
}

/// `rd, imm`.
pub(crate) const fn upper(opcode: u32) -> Encoding {
    encoding(opcode, Format::Upper)
}

/// `jal zero, block`.
pub(crate) const fn jump() -> Encoding {
    encoding(0x6F, Format::Jump)
}

/// `jalr zero, imm(rs1)`.
pub(crate) const fn return_by() -> Encoding {
    encoding(0x67, Format::Through)
}

/// `jalr ra, (rs1)`.
pub(crate) const fn call() -> Encoding {
    encoding(0xE7, Format::Through)
}

/// `auipc ra` and `jalr ra, (ra)`.
pub(crate) const fn call_symbol() -> Encoding {
    encoding(0x97, Format::Symbol)
}

/// `rd, rs1, rs2, rm`.
pub(crate) const fn round(funct7: u32) -> Encoding {
    encoding(functions(0, funct7, 0x53), Format::Round)
}

/// `rd, rs1, rs2, rs3, rm`, of floats (0) or doubles (1).
pub(crate) const fn fused(width: u32) -> Encoding {
    encoding(functions(0, width, 0x43), Format::Fused)
}

/// `rd, rs1, rm`, with a part of the opcode in the field of rs2.
pub(crate) const fn unary(funct7: u32, rs2: u32) -> Encoding {
    encoding(functions(0, funct7, 0x53) | rs2 << 20, Format::Unary)
}

/// `rd, rs2, (rs1)`, or `rd, (rs1)` for a load: an operation of the extension A, with the order of
/// its bits aq and rl.
pub(crate) const fn atomic(funct3: u32, operation: u32, order: u32) -> Encoding {
    encoding(
        functions(funct3, operation << 2 | order, 0x2F),
        Format::Atomic,
    )
}

/// `rd, (rs1)`: a load-reserved.
pub(crate) const fn reserve(funct3: u32, order: u32) -> Encoding {
    encoding(functions(funct3, 2 << 2 | order, 0x2F), Format::Move)
}

/// `fence pred, succ`.
pub(crate) const fn fence() -> Encoding {
    encoding(0x0F, Format::Fence)
}

/// `rd, rs1`.
pub(crate) const fn move_float(funct7: u32) -> Encoding {
    encoding(functions(0, funct7, 0x53), Format::Move)
}

impl Encoding {
    /// Returns the encoding as the number of the column.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the encoding that a column holds.
    pub(crate) const fn of(column: u64) -> Encoding {
        Encoding(column)
    }

    /// Returns the word without operands.
    pub(crate) const fn word(self) -> u32 {
        self.0 as u32
    }

    /// Returns the operands' format.
    pub(crate) fn format(self) -> Format {
        let number = (self.0 >> FORMAT) as usize;
        FORMATS.get(number).copied().unwrap_or(Format::None)
    }
}
