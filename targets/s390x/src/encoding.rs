//! The column of the instruction table that says how an instruction is encoded.
//!
//! The formats are those of the Principles of Operation. Register operands and immediates are taken
//! in the order of the row; tied registers are left out.

/// The encoding of an instruction, packed into the column of its row.
#[derive(Clone, Copy)]
pub(crate) struct Encoding(u64);

macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident $function:ident;)*) => {
        /// The format of an instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Form {
            $($(#[$doc])* $name,)*
        }

        const FORMS: &[Form] = &[$(Form::$name),*];

        $(
            $(#[$doc])*
            pub(crate) const fn $function(opcode: u16) -> Encoding {
                Encoding(opcode as u64 | (Form::$name as u64) << FORM)
            }
        )*
    };
}

const FORM: u32 = 16;
/// The position of a register that is part of the opcode.
const FIXED: u32 = 24;

forms! {
    /// No operands; all bytes are opcode. A pseudo has the opcode 0.
    Raw raw;
    /// RR: two registers.
    Rr rr;
    /// RR: a condition that is part of the opcode, and a register.
    Branch branch;
    /// RRE: two registers, or one.
    Rre rre;
    /// RRD: a sum, and the two factors of what is added to it.
    Rrd rrd;
    /// RRF-a: the result, then the register of the low digit, then that of the high one.
    RrfA rrf_a;
    /// RRF-c: two registers, a mask; the set of possible condition codes comes before the mask.
    RrfC rrf_c;
    /// RRF-e: two registers with a mask between them and perhaps another one after them.
    RrfE rrf_e;
    /// RI: a register and 16 bits.
    Ri ri;
    /// RI: a branch by 16 bits on a condition.
    RiBranch ri_branch;
    /// RI: a jump by 16 bits.
    RiJump ri_jump;
    /// RIL: a register and 32 bits.
    Ril ril;
    /// RIL: a register and a place of the code, 32 bits away.
    RilPlace ril_place;
    /// RIL: a branch by 32 bits on a condition.
    RilBranch ril_branch;
    /// RIL: a jump by 32 bits.
    RilJump ril_jump;
    /// RIE-b: a comparison of two registers, a mask, a place.
    RieB rie_b;
    /// RIE-c: a comparison of a register with 8 bits, a mask, a place.
    RieC rie_c;
    /// RIE-d: two registers, 16 bits.
    RieD rie_d;
    /// RIE-f: two registers, three times 8 bits.
    RieF rie_f;
    /// RIE-f with the flag that clears the other bits of the result.
    RieFZero rie_f_zero;
    /// RIE-g: a register, 16 bits, a mask; the set of possible condition codes comes before the
    /// mask.
    RieG rie_g;
    /// RX: a register and memory.
    Rx rx;
    /// RXY, with E3: a register and memory with 20 bits of displacement.
    Rxy rxy;
    /// RXY, with ED.
    RxyFloat rxy_float;
    /// RXE, with ED: a register and memory.
    Rxe rxe;
    /// RSY, with EB: two registers and a base with 20 bits of displacement.
    Rsy rsy;
    /// SI: memory and 8 bits.
    Si si;
    /// SIY, with EB: memory with 20 bits of displacement, and 8 bits.
    Siy siy;
    /// SIL: memory and 16 bits.
    Sil sil;
}

impl Encoding {
    /// Sets the register that is part of the opcode.
    pub(crate) const fn fixed(self, register: u64) -> Encoding {
        Encoding(self.0 | register << FIXED)
    }

    /// Returns the encoding as the number of the column.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the encoding that a column holds.
    pub(crate) const fn of(bits: u64) -> Encoding {
        Encoding(bits)
    }

    /// Returns whether the displacement has 20 signed bits.
    pub(crate) fn has_long_displacement(self) -> bool {
        let form = self.form();
        matches!(form, Form::Rxy | Form::RxyFloat | Form::Rsy | Form::Siy)
    }

    pub(crate) fn form(self) -> Form {
        let number = usize::from((self.0 >> FORM) as u8);
        FORMS.get(number).copied().unwrap_or(Form::Raw)
    }

    pub(crate) const fn opcode(self) -> u16 {
        self.0 as u16
    }

    pub(crate) const fn register(self) -> u8 {
        (self.0 >> FIXED) as u8
    }
}
