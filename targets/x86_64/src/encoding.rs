//! The column of the instruction table that says how an instruction is encoded.

/// The encoding of an instruction, packed into the column of its row.
#[derive(Clone, Copy)]
pub(crate) struct Encoding(u64);

/// Returns the operands' form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// No operands.
    Raw,
    /// The register goes into the opcode.
    PlusReg,
    /// The first register or memory goes into ModRM.rm, the other register into ModRM.reg.
    Mr,
    /// The first register goes into ModRM.reg, the other one or memory into ModRM.rm.
    Rm,
    /// The register or memory goes into ModRM.rm, a digit into ModRM.reg.
    Digit,
}

/// The immediate at the end of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Immediate {
    /// Nothing.
    None,
    /// 8 bits.
    Bits8,
    /// 16 bits.
    Bits16,
    /// 32 bits.
    Bits32,
    /// Makes the operation one of 64 bits.
    Bits64,
    /// 32 bits, or 16 after the prefix 66, or a shorter form of the instruction where there is one.
    Short,
    /// The condition, added to the opcode.
    Condition,
}

const FORMS: [Form; 5] = [Form::Raw, Form::PlusReg, Form::Mr, Form::Rm, Form::Digit];
const IMMEDIATES: [Immediate; 7] = [
    Immediate::None,
    Immediate::Bits8,
    Immediate::Bits16,
    Immediate::Bits32,
    Immediate::Bits64,
    Immediate::Short,
    Immediate::Condition,
];

// Positions in the column.
const FORM: u32 = 8;
const DIGIT: u32 = 12;
const PREFIX: u32 = 16;
const IMMEDIATE: u32 = 24;
/// The flag of an opcode after 0F.
pub(crate) const ESCAPE: u64 = 1 << 32;
/// The flag of REX.W.
pub(crate) const WIDE: u64 = 1 << 33;
/// The flag of the prefix LOCK.
pub(crate) const LOCK: u64 = 1 << 34;
/// The mandatory prefix and LOCK: most instructions have neither.
pub(crate) const PREFIXES: u64 = 0xFF << PREFIX | LOCK;
/// The flag of a block, 8 bits away.
pub(crate) const NEAR: u64 = 1 << 35;
/// The flag of a block, 32 bits away.
pub(crate) const FAR: u64 = 1 << 36;

/// The position of ModRM.rm for an instruction without operands.
const FIXED_RM: u32 = 40;

const fn form(opcode: u8, form: Form) -> Encoding {
    Encoding(opcode as u64 | (form as u64) << FORM)
}

/// Makes an encoding that is an opcode alone.
pub(crate) const fn raw(opcode: u8) -> Encoding {
    form(opcode, Form::Raw)
}

/// Makes an encoding with a register in the opcode.
pub(crate) const fn plus_reg(opcode: u8) -> Encoding {
    form(opcode, Form::PlusReg)
}

/// Makes an encoding for `r/m, reg`.
pub(crate) const fn mr(opcode: u8) -> Encoding {
    form(opcode, Form::Mr)
}

/// Makes an encoding for `reg, r/m`.
pub(crate) const fn rm(opcode: u8) -> Encoding {
    form(opcode, Form::Rm)
}

/// Makes an encoding for `r/m` with a digit that belongs to the opcode.
pub(crate) const fn digit(opcode: u8, digit: u8) -> Encoding {
    Encoding(form(opcode, Form::Digit).0 | (digit as u64) << DIGIT)
}

impl Encoding {
    const fn with(self, bits: u64) -> Encoding {
        Encoding(self.0 | bits)
    }

    const fn immediate(self, immediate: Immediate) -> Encoding {
        self.with((immediate as u64) << IMMEDIATE)
    }

    /// Puts 0F before the opcode.
    pub(crate) const fn map(self) -> Encoding {
        self.with(ESCAPE)
    }

    /// Makes the operation one of 64 bits.
    pub(crate) const fn w(self) -> Encoding {
        self.with(WIDE)
    }

    /// Adds the prefix 66.
    pub(crate) const fn p66(self) -> Encoding {
        self.with(0x66 << PREFIX)
    }

    /// Adds the prefix F2.
    pub(crate) const fn pf2(self) -> Encoding {
        self.with(0xF2 << PREFIX)
    }

    /// Adds the prefix F3.
    pub(crate) const fn pf3(self) -> Encoding {
        self.with(0xF3 << PREFIX)
    }

    /// Adds the prefix LOCK.
    pub(crate) const fn lock(self) -> Encoding {
        self.with(LOCK)
    }

    /// Sets ModRM.rm, if there is no operand for it.
    pub(crate) const fn fixed_rm(self, rm: u8) -> Encoding {
        self.with((rm as u64) << FIXED_RM)
    }

    /// Adds a block, 8 bits away.
    pub(crate) const fn near(self) -> Encoding {
        self.with(NEAR)
    }

    /// Adds a block, 32 bits away.
    pub(crate) const fn far(self) -> Encoding {
        self.with(FAR)
    }

    /// Adds an immediate of 8 bits.
    pub(crate) const fn imm8(self) -> Encoding {
        self.immediate(Immediate::Bits8)
    }

    /// Adds an immediate of 16 bits.
    pub(crate) const fn imm16(self) -> Encoding {
        self.immediate(Immediate::Bits16)
    }

    /// Adds an immediate of 32 bits.
    pub(crate) const fn imm32(self) -> Encoding {
        self.immediate(Immediate::Bits32)
    }

    /// Adds an immediate of 64 bits.
    pub(crate) const fn imm64(self) -> Encoding {
        self.immediate(Immediate::Bits64)
    }

    /// Adds an immediate of 32 bits, or 16 after the prefix 66, or uses the shorter forms of
    /// arithmetic, multiplication and shifts.
    pub(crate) const fn short(self) -> Encoding {
        self.immediate(Immediate::Short)
    }

    /// Adds the condition to the opcode.
    pub(crate) const fn condition(self) -> Encoding {
        self.immediate(Immediate::Condition)
    }

    /// Returns the encoding as the number of the column.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the encoding that a column holds.
    pub(crate) const fn of(column: u64) -> Encoding {
        Encoding(column)
    }

    /// Returns the opcode's last byte.
    pub(crate) const fn opcode(self) -> u8 {
        self.0 as u8
    }

    /// Returns the mandatory prefix; 0 if there is none.
    pub(crate) const fn prefix(self) -> u8 {
        (self.0 >> PREFIX) as u8
    }

    /// Returns the digit.
    pub(crate) const fn digit(self) -> u8 {
        (self.0 >> DIGIT) as u8 & 7
    }

    /// Returns ModRM.rm of an instruction without operands.
    pub(crate) const fn rm_without_operand(self) -> u8 {
        (self.0 >> FIXED_RM) as u8 & 7
    }

    /// Returns whether one of these bits is set.
    pub(crate) const fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    /// Returns the operands' form.
    pub(crate) fn form(self) -> Form {
        let number = (self.0 >> FORM) as usize & 7;
        FORMS.get(number).copied().unwrap_or(Form::Raw)
    }

    /// Returns the kind of immediate.
    pub(crate) fn immediate_kind(self) -> Immediate {
        let number = (self.0 >> IMMEDIATE) as usize & 7;
        let kind = IMMEDIATES.get(number).copied();
        kind.unwrap_or(Immediate::None)
    }
}
