//! The column of the instruction table that says how an instruction is encoded.

/// The encoding of an instruction, packed into the column of its row: the word with all fields 0,
/// above it the number of a field for each operand, in five bits, and above them the flag of a
/// prefix.
#[derive(Clone, Copy)]
pub(crate) struct Encoding(u64);

/// The number of bits of a field's number.
const FIELD: u32 = 5;
/// The maximum number of operands.
pub(crate) const MOST: usize = 6;
/// The flag in the column of a prefixed instruction.
const PREFIXED: u64 = 1 << 62;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// A field of an instruction, or a stand-in for no field.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Field {
            $($(#[$doc])* $name,)*
        }

        const FIELDS: &[Field] = &[$(Field::$name),*];
    };
}

fields! {
    /// No field: the operand shares its register with another.
    No
    /// No operand: a NOP comes after the instruction.
    Nop
    /// A register at bit 21 from the right.
    Rt
    /// A register at bit 16.
    Ra
    /// A register at bit 11.
    Rb
    /// A register at bit 6.
    Rc
    /// A vector-scalar register at bit 21; those used here are below 32.
    Xt
    /// The same register in three places.
    Xtab
    /// A field of the condition register at bit 23.
    Crf
    /// A field of the condition register as one bit of eight at bit 12.
    Fxm
    /// A predicate in LLVM's form: the branch options in the low five bits, the bit of the field
    /// above them.
    Pred
    /// The field of the condition register that a predicate tests.
    PredCr
    /// A signed immediate of 16 bits.
    Si
    /// An unsigned immediate of 16 bits.
    Ui
    /// A signed immediate of 16 bits whose two low zeros are left out.
    Ds
    /// The high half of a distance, adjusted as the next instruction adds the signed low half.
    Ha
    /// A shift of 6 bits whose highest bit is apart.
    Sh6
    /// A mask's begin or end of 6 bits whose highest bit is last.
    Mb6
    /// A shift of 5 bits at bit 11.
    Sh5
    /// A mask's begin at bit 6.
    Mb5
    /// A mask's end at bit 1.
    Me5
    /// A block, 24 bits away.
    Li
    /// A block, 14 bits away.
    Bd
    /// A signed immediate of 34 bits, the upper 18 in the prefix of an instruction that exists
    /// without it too.
    Mls
    /// A signed immediate of 34 bits in an instruction whose word is valid only after the prefix.
    Els
    /// The distance of a place from the instruction, otherwise as the two before.
    MlsPc
    ElsPc
    /// The number 0: no base.
    Zero
    /// The kind of a barrier, of 2 bits at bit 21.
    Sync
}

impl Field {
    /// Returns the prefix that an instruction with this field has, with all bits of the immediate
    /// 0.
    pub(crate) const fn prefix(self) -> Option<u32> {
        match self {
            Field::Mls => Some(0x0600_0000),
            Field::Els => Some(0x0400_0000),
            Field::MlsPc => Some(0x0610_0000),
            Field::ElsPc => Some(0x0410_0000),
            _ => None,
        }
    }
}

/// Makes the encoding of a word and its operands' fields.
pub(crate) const fn word(word: u32, fields: &[Field]) -> Encoding {
    let mut bits = word as u64;
    let mut place = 0;
    while place < fields.len() {
        bits |= (fields[place] as u64) << (32 + FIELD * place as u32);
        if fields[place].prefix().is_some() {
            bits |= PREFIXED;
        }
        place += 1;
    }
    Encoding(bits)
}

/// Makes the encoding of a pseudo-instruction, which is replaced before.
pub(crate) const fn pseudo() -> Encoding {
    word(0, &[])
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

    /// Returns the word with all fields 0.
    pub(crate) const fn word(self) -> u32 {
        self.0 as u32
    }

    /// Returns whether there is a prefix before the word.
    pub(crate) const fn is_prefixed(self) -> bool {
        self.0 & PREFIXED != 0
    }

    /// Returns the field of an operand.
    pub(crate) fn field(self, operand: usize) -> Field {
        let number = self.0 >> (32 + FIELD * operand.min(MOST - 1) as u32) & ((1 << FIELD) - 1);
        FIELDS.get(number as usize).copied().unwrap_or(Field::No)
    }
}
