//! The column of the instruction table that says how an instruction is encoded: its fixed bits, and
//! a field for each operand.

/// The encoding of an instruction, packed into the column of its row: fixed bits, and above them
/// the number of the form.
#[derive(Clone, Copy)]
pub(crate) struct Encoding(u64);

/// The field of an operand. Positions are those of the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// A register.
    Reg(u8),
    /// No field: the register is tied to another operand.
    Tied,
    /// An unsigned integer of this many bits.
    Unsigned(u8, u8),
    /// A signed integer of this many bits.
    Signed(u8, u8),
    /// The shift of an immediate: 0 or 12.
    Shift12,
    /// The shift of an immediate: 0, 16, 32 or 48.
    Shift16,
    /// The shift of a register: the kind above six bits of amount.
    Shifted,
    /// The extension of a register: the kind above three bits of amount.
    Extended,
    /// The sign of an index of 32 bits: 1 for sign extension.
    IndexSign,
    /// The bit of a register that is tested.
    Bit,
    /// A place in the code: 26 bits, in words.
    Code26,
    /// A place in the code: 19 bits, in words.
    Code19,
    /// A place in the code: 14 bits, in words.
    Code14,
    /// A place in the code: 21 bits, in bytes.
    Code21,
    /// No field: the operand is not encoded.
    Nothing,
}

macro_rules! forms {
    ($($form:ident [$($field:expr),*];)*) => {
        /// The fields of an instruction's operands, in the order of the operands.
        #[derive(Clone, Copy)]
        pub(crate) enum Form {
            $($form,)*
        }

        const FORMS: &[&[Field]] = &[$(&[$($field),*]),*];
    };
}

use Field::{
    Bit, Code14, Code19, Code21, Extended, IndexSign, Nothing, Reg, Shift12, Shift16, Shifted,
    Signed, Tied, Unsigned,
};

forms! {
    None [];
    Rn [Reg(5)];
    TailRn [Reg(5), Nothing];
    RdRn [Reg(0), Reg(5)];
    RdRnRm [Reg(0), Reg(5), Reg(16)];
    RnRm [Reg(5), Reg(16)];
    RdRnRmRa [Reg(0), Reg(5), Reg(16), Reg(10)];
    RdRnImm12 [Reg(0), Reg(5), Unsigned(10, 12), Shift12];
    RdRnRmShift [Reg(0), Reg(5), Reg(16), Shifted];
    RdRnRmExtend [Reg(0), Reg(5), Reg(16), Extended];
    RdRnLogical32 [Reg(0), Reg(5), Unsigned(10, 12)];
    RdRnLogical64 [Reg(0), Reg(5), Unsigned(10, 13)];
    RdRnBits32 [Reg(0), Reg(5), Unsigned(16, 5), Unsigned(10, 5)];
    RdRnBits64 [Reg(0), Reg(5), Unsigned(16, 6), Unsigned(10, 6)];
    RdRnRmBit32 [Reg(0), Reg(5), Reg(16), Unsigned(10, 5)];
    RdRnRmBit64 [Reg(0), Reg(5), Reg(16), Unsigned(10, 6)];
    RdImm16 [Reg(0), Unsigned(5, 16), Shift16];
    RdTiedImm16 [Reg(0), Tied, Unsigned(5, 16), Shift16];
    RdCode21 [Reg(0), Code21];
    RdRnRmCond [Reg(0), Reg(5), Reg(16), Unsigned(12, 4)];
    Code26 [Field::Code26];
    CondCode19 [Unsigned(0, 4), Code19];
    RtCode19 [Reg(0), Code19];
    RtBitCode14 [Reg(0), Bit, Code14];
    Imm16 [Unsigned(5, 16)];
    Imm7 [Unsigned(5, 7)];
    RtRnOffset12 [Reg(0), Reg(5), Unsigned(10, 12)];
    RtRnOffset9 [Reg(0), Reg(5), Signed(12, 9)];
    RtRnRmIndex [Reg(0), Reg(5), Reg(16), IndexSign, Unsigned(12, 1)];
    RtRt2RnOffset7 [Reg(0), Reg(10), Reg(5), Signed(15, 7)];
    PairPre [Reg(5), Reg(0), Reg(10), Tied, Signed(15, 7)];
    RdFloat8 [Reg(0), Unsigned(13, 8)];
}

/// Returns the encoding with these fixed bits, whose operands go to the fields of a form.
pub(crate) const fn form(form: Form, bits: u32) -> Encoding {
    Encoding((form as u64) << 32 | bits as u64)
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

    /// Returns the bits that no operand changes.
    pub(crate) const fn fixed(self) -> u32 {
        self.0 as u32
    }

    /// Returns the fields of the operands.
    pub(crate) fn fields(self) -> &'static [Field] {
        let number = (self.0 >> 32) as usize;
        FORMS.get(number).copied().unwrap_or(&[])
    }
}
