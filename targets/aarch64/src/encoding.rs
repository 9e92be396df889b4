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
        /// The forms of instructions, by the fields of their operands.
        #[expect(non_camel_case_types, reason = "named as the functions")]
        #[derive(Clone, Copy)]
        enum Form {
            $($form,)*
        }

        /// The fields of each form, in the order of the operands.
        const FORMS: &[&[Field]] = &[$(&[$($field),*]),*];

        $(
            /// Returns the encoding with these fixed bits, whose operands go to the fields of the
            /// form.
            pub(crate) const fn $form(bits: u32) -> Encoding {
                Encoding((Form::$form as u64) << 32 | bits as u64)
            }
        )*
    };
}

use Field::{
    Bit, Code14, Code19, Code21, Code26, Extended, IndexSign, Nothing, Reg, Shift12, Shift16,
    Shifted, Signed, Tied, Unsigned,
};

forms! {
    none              [];
    rn                [Reg(5)];
    tail_rn           [Reg(5), Nothing];
    rd_rn             [Reg(0), Reg(5)];
    rd_rn_rm          [Reg(0), Reg(5), Reg(16)];
    rn_rm             [Reg(5), Reg(16)];
    rd_rn_rm_ra       [Reg(0), Reg(5), Reg(16), Reg(10)];
    rd_rn_imm12       [Reg(0), Reg(5), Unsigned(10, 12), Shift12];
    rd_rn_rm_shift    [Reg(0), Reg(5), Reg(16), Shifted];
    rd_rn_rm_extend   [Reg(0), Reg(5), Reg(16), Extended];
    rd_rn_logical32   [Reg(0), Reg(5), Unsigned(10, 12)];
    rd_rn_logical64   [Reg(0), Reg(5), Unsigned(10, 13)];
    rd_rn_bits32      [Reg(0), Reg(5), Unsigned(16, 5), Unsigned(10, 5)];
    rd_rn_bits64      [Reg(0), Reg(5), Unsigned(16, 6), Unsigned(10, 6)];
    rd_rn_rm_bit32    [Reg(0), Reg(5), Reg(16), Unsigned(10, 5)];
    rd_rn_rm_bit64    [Reg(0), Reg(5), Reg(16), Unsigned(10, 6)];
    rd_imm16          [Reg(0), Unsigned(5, 16), Shift16];
    rd_tied_imm16     [Reg(0), Tied, Unsigned(5, 16), Shift16];
    rd_code21         [Reg(0), Code21];
    rd_rn_rm_cond     [Reg(0), Reg(5), Reg(16), Unsigned(12, 4)];
    code26            [Code26];
    cond_code19       [Unsigned(0, 4), Code19];
    rt_code19         [Reg(0), Code19];
    rt_bit_code14     [Reg(0), Bit, Code14];
    imm7              [Unsigned(5, 7)];
    imm4              [Unsigned(8, 4)];
    rs_rt_rn          [Reg(16), Reg(0), Reg(5)];
    rt_rs_rn          [Reg(0), Reg(16), Reg(5)];
    tied_rs_rt_rn     [Reg(16), Tied, Reg(0), Reg(5)];
    rt_rn_offset12    [Reg(0), Reg(5), Unsigned(10, 12)];
    rt_rn_offset9     [Reg(0), Reg(5), Signed(12, 9)];
    rt_rn_rm_index    [Reg(0), Reg(5), Reg(16), IndexSign, Unsigned(12, 1)];
    rt_rt2_rn_offset7 [Reg(0), Reg(10), Reg(5), Signed(15, 7)];
    pair_pre          [Reg(5), Reg(0), Reg(10), Tied, Signed(15, 7)];
    rd_float8         [Reg(0), Unsigned(13, 8)];
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
