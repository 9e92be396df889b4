//! Random programs in Medium IR that end, and whose result tells what they computed.
//!
//! A [`Program`] is a tree, so that what a test finds can be made small without leaving what the language defines: any
//! statement can go, any operand can become a constant, and the text still verifies, ends and keeps to its memory.
//! - Loops count in variables of their own; functions call only later ones; what all of it costs is bounded.
//! - The upper half of 32-bit results is unspecified: variables that hold them ([`Class::Short`]) are read as 32 bits.
//! - Which NaN an operation gives is unspecified: floats are stored only where they are read as floats, and the result
//!   takes every NaN as the same.
//! - Addresses are masked to the size of their area and aligned to what is accessed.

mod generate;
mod print;
mod shrink;

pub use shrink::shrink;

use mir_nostd::ir::Code;

/// Statements in a row.
pub type Body = Vec<Stmt>;

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// 64 bits of integer.
    Wide,
    /// 32 bits of integer; nobody knows the others.
    Short,
    /// A float.
    Float,
    /// A double.
    Double,
    /// A long double.
    Long,
}

/// A variable of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(pub Class, pub usize);

/// Memory that programs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Of the module, one for integers and one per type of floats.
    Module(Class),
    /// Of the `alloca` that so many others are around.
    Stack(usize),
    /// Of the argument of this number, which is a block.
    Block(usize),
    /// The variable itself, by its address.
    Variable(Place),
}

/// A memory operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// What it is in.
    pub area: Area,
    /// The type's word.
    pub ty: &'static str,
    /// Where in the area.
    pub offset: usize,
    /// What is added: a variable of integers, its mask, a scale.
    pub index: Option<(Place, usize, usize)>,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A variable.
    Place(Place),
    /// An integer.
    Number(i64),
    /// A floating constant, without suffix.
    Real(&'static str),
    /// The counter of the loop that so many others are around; its number where there is none.
    Counter(usize),
    /// Memory.
    Memory(Memory),
    /// The address of a block that many 16 bytes into the integers of the module.
    Block(usize),
}

/// How a loop counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Upwards, tested behind the body.
    Up,
    /// Downwards to 0, tested behind the body.
    Down,
    /// Upwards, tested before the body.
    Before,
    /// Upwards in 32 bits.
    Short,
    /// Upwards in 32 bits, extended at once.
    Extended,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// An instruction that computes a value.
    Insn {
        /// Which.
        code: Code,
        /// Where the value goes.
        out: Operand,
        /// What it is computed from.
        ins: Vec<Operand>,
        /// Whether the last operand is made odd first, so that it is not 0.
        odd: bool,
    },
    /// An instruction that overflows, and a branch on it.
    Overflow {
        /// Which.
        code: Code,
        /// Where the value goes.
        out: Operand,
        /// What it is computed from.
        ins: Vec<Operand>,
        /// A move between the two.
        copy: Option<(Place, Place)>,
        /// The branch.
        test: Code,
        /// Where it goes, and where it does not.
        arms: [Body; 2],
    },
    /// Two ways.
    If {
        /// The branch.
        test: Code,
        /// What it looks at.
        ins: Vec<Operand>,
        /// Where it goes, and where it does not.
        arms: [Body; 2],
        /// Whether control gets there by the address of a label.
        by_address: bool,
    },
    /// Some turns.
    Loop {
        /// How they are counted.
        form: Form,
        /// How many at most: a constant, or a variable of which only the low bits count.
        times: Operand,
        /// What is done.
        body: Body,
    },
    /// A loop is left or goes on with its next turn.
    Leave {
        /// The branch.
        test: Code,
        /// What it looks at.
        ins: Vec<Operand>,
        /// Whether the loop goes on.
        again: bool,
    },
    /// Many ways.
    Switch {
        /// Which.
        on: Operand,
        /// The ways.
        arms: Vec<Body>,
        /// Whether the index is brought into range first.
        masked: bool,
    },
    /// A call.
    Call {
        /// The number of the function.
        callee: usize,
        /// How.
        kind: CallKind,
        /// Where results go.
        outs: Vec<Operand>,
        /// Arguments.
        ins: Vec<Operand>,
    },
    /// Memory on the stack.
    Stack {
        /// Decides on the size.
        size: Option<Place>,
        /// Whether it is given back behind the body.
        scoped: bool,
        /// Who uses it.
        body: Body,
    },
    /// A property of a variable, on which nothing depends.
    Property {
        /// The variable.
        place: Place,
        /// The property.
        number: usize,
        /// What is done either way.
        body: Body,
    },
    /// Something is done with variables that no one initialised.
    Undefined(Undefined),
    /// The function is left.
    Return {
        /// The branch.
        test: Code,
        /// What it looks at.
        ins: Vec<Operand>,
        /// Results.
        values: Vec<Operand>,
    },
}

/// What is done with variables that begin undefined, of which nothing that is observed depends: `a` and `b` are their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// One is copied to another.
    Copy(usize, usize),
    /// One gets a value.
    Define(usize, Place),
    /// One becomes the sum of itself and another.
    Add(usize, usize),
    /// A call takes one and gives another.
    Call(usize, usize),
    /// One is read, and 0 made of it is added to a variable.
    Read(usize, Place),
    /// As a copy, of doubles.
    CopyDouble(usize, usize),
    /// Two doubles are compared, and 0 made of the outcome is added to a variable.
    CompareDoubles(usize, usize, Place),
}

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// By name.
    Call,
    /// By name, to be inlined.
    Inline,
    /// By its address.
    Indirect,
}

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A value of the type with this word, in a variable.
    Value(&'static str, Place),
    /// A block of the type with this word, of this size.
    Block(&'static str, usize),
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Arguments.
    pub arguments: Vec<Argument>,
    /// The words of the types of its results.
    pub results: Vec<&'static str>,
    /// Constants that variables begin with; those that are not here begin with 0.
    pub start: Vec<(Place, Operand)>,
    /// What it does.
    pub body: Body,
    /// What it gives.
    pub values: Vec<Operand>,
}

/// A program: the first function, `run`, takes two integers and gives one.
#[derive(Clone, Debug)]
pub struct Program {
    /// Each calls later ones alone.
    pub functions: Vec<Function>,
    /// The variables of the first function that its result tells of.
    pub observed: Vec<Place>,
    /// Whether its result tells of memory.
    pub observes_memory: bool,
    /// Whether accesses to different areas say that they do not overlap.
    pub has_aliases: bool,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 5] = [
        Class::Wide,
        Class::Short,
        Class::Float,
        Class::Double,
        Class::Long,
    ];

    /// The class of results of a type.
    #[must_use]
    pub fn of(ty: &str) -> Class {
        match ty {
            "f" => Class::Float,
            "d" => Class::Double,
            "ld" => Class::Long,
            _ => Class::Wide,
        }
    }

    /// Whether it is one of the two classes of integers.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Class::Wide | Class::Short)
    }
}
