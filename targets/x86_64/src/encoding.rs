//! The column of the instruction table that says how an instruction is encoded.

/// How an instruction is encoded, packed into the column of its row.
#[derive(Clone, Copy)]
pub(crate) struct Encoding(u64);

/// Where the operands go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Nowhere.
    Raw,
    /// The register into the opcode.
    PlusReg,
    /// The first register or memory into ModRM.rm, the other register into ModRM.reg.
    Mr,
    /// The first register into ModRM.reg, the other one or memory into ModRM.rm.
    Rm,
    /// The register or memory into ModRM.rm, a digit into ModRM.reg.
    Digit,
}

/// The immediate at the end.
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
    /// 64 bits.
    Bits64,
    /// 32 bits, or a shorter form of the instruction where there is one.
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

// Bits of the column.
const FORM: u32 = 8;
const DIGIT: u32 = 12;
const PREFIX: u32 = 16;
const IMMEDIATE: u32 = 24;
/// The opcode follows 0F.
pub(crate) const ESCAPE: u64 = 1 << 32;
/// REX.W.
pub(crate) const WIDE: u64 = 1 << 33;
/// A block, 8 bits away.
pub(crate) const NEAR: u64 = 1 << 35;
/// A block, 32 bits away.
pub(crate) const FAR: u64 = 1 << 36;

/// ModRM.rm of an instruction without operands.
const FIXED_RM: u32 = 40;

const fn form(opcode: u8, form: Form) -> Encoding {
    Encoding(opcode as u64 | (form as u64) << FORM)
}

/// An opcode alone.
pub(crate) const fn raw(opcode: u8) -> Encoding {
    form(opcode, Form::Raw)
}

/// A register in the opcode.
pub(crate) const fn plus_reg(opcode: u8) -> Encoding {
    form(opcode, Form::PlusReg)
}

/// `r/m, reg`.
pub(crate) const fn mr(opcode: u8) -> Encoding {
    form(opcode, Form::Mr)
}

/// `reg, r/m`.
pub(crate) const fn rm(opcode: u8) -> Encoding {
    form(opcode, Form::Rm)
}

/// `r/m` with a digit that belongs to the opcode.
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

    /// The opcode follows 0F.
    pub(crate) const fn map(self) -> Encoding {
        self.with(ESCAPE)
    }

    /// 64 bits.
    pub(crate) const fn w(self) -> Encoding {
        self.with(WIDE)
    }

    /// Prefix 66.
    pub(crate) const fn p66(self) -> Encoding {
        self.with(0x66 << PREFIX)
    }

    /// Prefix F2.
    pub(crate) const fn pf2(self) -> Encoding {
        self.with(0xF2 << PREFIX)
    }

    /// Prefix F3.
    pub(crate) const fn pf3(self) -> Encoding {
        self.with(0xF3 << PREFIX)
    }

    /// ModRM.rm, where there is no operand for it.
    pub(crate) const fn fixed_rm(self, rm: u8) -> Encoding {
        self.with((rm as u64) << FIXED_RM)
    }

    /// A block, 8 bits away.
    pub(crate) const fn near(self) -> Encoding {
        self.with(NEAR)
    }

    /// A block, 32 bits away.
    pub(crate) const fn far(self) -> Encoding {
        self.with(FAR)
    }

    /// An immediate of 8 bits.
    pub(crate) const fn imm8(self) -> Encoding {
        self.immediate(Immediate::Bits8)
    }

    /// An immediate of 16 bits.
    pub(crate) const fn imm16(self) -> Encoding {
        self.immediate(Immediate::Bits16)
    }

    /// An immediate of 32 bits.
    pub(crate) const fn imm32(self) -> Encoding {
        self.immediate(Immediate::Bits32)
    }

    /// An immediate of 64 bits.
    pub(crate) const fn imm64(self) -> Encoding {
        self.immediate(Immediate::Bits64)
    }

    /// 32 bits, or the shorter forms of arithmetic, multiplication and shifts.
    pub(crate) const fn short(self) -> Encoding {
        self.immediate(Immediate::Short)
    }

    /// The condition is part of the opcode.
    pub(crate) const fn condition(self) -> Encoding {
        self.immediate(Immediate::Condition)
    }

    /// The column.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// What a column says.
    pub(crate) const fn of(column: u64) -> Encoding {
        Encoding(column)
    }

    /// The opcode's last byte.
    pub(crate) const fn opcode(self) -> u8 {
        self.0 as u8
    }

    /// The mandatory prefix, 0 if there is none.
    pub(crate) const fn prefix(self) -> u8 {
        (self.0 >> PREFIX) as u8
    }

    /// The digit.
    pub(crate) const fn digit(self) -> u8 {
        (self.0 >> DIGIT) as u8 & 7
    }

    /// ModRM.rm of an instruction without operands.
    pub(crate) const fn rm_without_operand(self) -> u8 {
        (self.0 >> FIXED_RM) as u8 & 7
    }

    /// Whether one of these bits is set.
    pub(crate) const fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    /// Where the operands go.
    pub(crate) fn form(self) -> Form {
        let number = (self.0 >> FORM) as usize & 7;
        FORMS.get(number).copied().unwrap_or(Form::Raw)
    }

    /// The immediate.
    pub(crate) fn immediate_kind(self) -> Immediate {
        let number = (self.0 >> IMMEDIATE) as usize & 7;
        let kind = IMMEDIATES.get(number).copied();
        kind.unwrap_or(Immediate::None)
    }
}
