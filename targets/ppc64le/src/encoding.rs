//! The column of the instruction table that says how an instruction is encoded.

/// How an instruction is encoded, packed into the column of its row: the word with all fields 0, above it five bits per
/// operand that say which field it goes to, above them whether there is a prefix.
#[derive(Clone, Copy)]
pub(crate) struct Encoding(u64);

/// The bits of a field's number.
const FIELD: u32 = 5;
/// The most operands.
pub(crate) const MOST: usize = 6;
/// Set in the column of an instruction with a prefix.
const PREFIXED: u64 = 1 << 62;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// A field of an instruction, or what stands for no field.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(crate) enum Field {
            $($(#[$doc])* $name,)*
        }

        const FIELDS: &[Field] = &[$(Field::$name),*];
    };
}

fields! {
    /// Nothing: the operand shares its register with another.
    No
    /// No operand: a NOP comes behind the instruction.
    Nop
    /// A register at bit 21 from the right.
    T
    /// A register at bit 16.
    A
    /// A register at bit 11.
    B
    /// A register at bit 6.
    C
    /// A vector-scalar register at bit 21; those used here are below 32.
    X
    /// The same register in three places.
    Xxx
    /// A field of the condition register at bit 23.
    Crf
    /// A field of the condition register as one bit of eight at bit 12.
    Fxm
    /// A predicate in LLVM's form: how to branch in the low five bits, the bit of the field above them.
    Pred
    /// The field of the condition register that a predicate is about.
    PredCr
    /// A signed immediate of 16 bits.
    Si
    /// An unsigned immediate of 16 bits.
    Ui
    /// A signed immediate of 16 bits of which two zeros are left out.
    Ds
    /// The high half of a distance that the next instruction adds the signed low half to.
    Ha
    /// A shift of 6 bits whose highest is apart.
    Sh6
    /// A mask's begin or end of 6 bits whose highest is last.
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
    /// A signed immediate of 34 bits, the upper 18 in a prefix of an instruction that is one without it as well.
    Mls
    /// The same of an instruction that has a word of its own behind the prefix.
    Els
    /// The distance of a place from the instruction, otherwise as the two before.
    MlsPc
    ElsPc
    /// The number 0: no base.
    Zero
}

impl Field {
    /// The prefix that the field makes of its instruction, with all bits of the immediate 0.
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

/// An instruction word with its operands' fields.
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

impl Encoding {
    /// The column.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// What a column says.
    pub(crate) const fn of(column: u64) -> Encoding {
        Encoding(column)
    }

    /// The word with all fields 0.
    pub(crate) const fn word(self) -> u32 {
        self.0 as u32
    }

    /// Whether there is a prefix before the word.
    pub(crate) const fn is_prefixed(self) -> bool {
        self.0 & PREFIXED != 0
    }

    /// Where an operand goes.
    pub(crate) fn field(self, operand: usize) -> Field {
        let number = self.0 >> (32 + FIELD * operand.min(MOST - 1) as u32) & ((1 << FIELD) - 1);
        FIELDS.get(number as usize).copied().unwrap_or(Field::No)
    }
}
