//! Random programs in Medium IR that terminate, and whose result depends on their computations.
//!
//! A [`Program`] is a tree, so that a failing one can be shrunk within the rules of the language:
//! any statement can be removed, any operand can become a constant, and the text still verifies,
//! terminates and accesses only its own memory.
//! - Loops have counters of their own; functions call only later ones; the total cost is bounded.
//! - The upper half of 32-bit results is unspecified: variables that hold them ([`Class::Short`])
//!   are read as 32 bits.
//! - The NaN that an operation returns is unspecified: floats are stored only where they are read
//!   as floats, and all NaNs are equal in the result.
//! - Addresses are masked to the size of their area and aligned to the access.

mod generate;
mod print;
mod shrink;

pub use shrink::shrink;

use mir_nostd::ir::Code;

/// A sequence of statements.
pub type Body = Vec<Stmt>;

/// The class of values that a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A 64-bit integer.
    Wide,
    /// A 32-bit integer; the upper half is undefined.
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
pub struct Variable(pub Class, pub usize);

/// A memory area that programs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// An area of the module, one for integers and one per type of floats.
    Module(Class),
    /// The memory of the `alloca` at this nesting depth.
    Stack(usize),
    /// The block passed as the argument of this number.
    Block(usize),
    /// A variable, by its address.
    Variable(Variable),
}

/// A memory operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The area that it accesses.
    pub area: Area,
    /// The name of the type.
    pub ty: &'static str,
    /// The offset in the area.
    pub offset: usize,
    /// The index: a variable of integers, its mask, and a scale.
    pub index: Option<(Variable, usize, usize)>,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A variable.
    Variable(Variable),
    /// An integer.
    Number(i64),
    /// A floating constant, without suffix.
    Real(&'static str),
    /// The counter of the loop at this nesting depth; the depth itself if there is no such loop.
    Counter(usize),
    /// A memory operand.
    Memory(Memory),
    /// The address of a block at this multiple of 16 bytes in the module's integers.
    Block(usize),
}

/// The form of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Counts up and tests after the body.
    Up,
    /// Counts down to 0 and tests after the body.
    Down,
    /// Counts up and tests before the body.
    Before,
    /// Counts up in 32 bits.
    Short,
    /// Counts up in 32 bits, extended after each step.
    Extended,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// An instruction that computes a value.
    Insn {
        /// The instruction.
        code: Code,
        /// The destination of the value.
        out: Operand,
        /// The inputs.
        ins: Vec<Operand>,
        /// True if the last operand is made odd first, so that it is not 0.
        odd: bool,
    },
    /// An instruction that sets overflow flags, and a branch on them.
    Overflow {
        /// The instruction.
        code: Code,
        /// The destination of the value.
        out: Operand,
        /// The inputs.
        ins: Vec<Operand>,
        /// A move between the two.
        copy: Option<(Variable, Variable)>,
        /// The branch.
        test: Code,
        /// The bodies for the branch taken and not taken.
        arms: [Body; 2],
    },
    /// A conditional statement.
    If {
        /// The branch.
        test: Code,
        /// The operands of the branch.
        ins: Vec<Operand>,
        /// The bodies for the branch taken and not taken.
        arms: [Body; 2],
        /// True if control gets there through the address of a label.
        by_address: bool,
    },
    /// A loop.
    Loop {
        /// Its form.
        form: Form,
        /// The maximum number of iterations: a constant, or a variable of which only the low bits
        /// count.
        times: Operand,
        /// The body.
        body: Body,
    },
    /// A conditional exit from a loop, or jump to its next iteration.
    Leave {
        /// The branch.
        test: Code,
        /// The operands of the branch.
        ins: Vec<Operand>,
        /// True if the loop continues.
        again: bool,
    },
    /// A switch.
    Switch {
        /// The index.
        on: Operand,
        /// The bodies of the cases.
        arms: Vec<Body>,
        /// True if the index is brought into range first.
        masked: bool,
    },
    /// A call.
    Call {
        /// The number of the function.
        callee: usize,
        /// The kind of the call.
        kind: CallKind,
        /// The destinations of the results.
        outs: Vec<Operand>,
        /// The arguments.
        ins: Vec<Operand>,
    },
    /// An `alloca`.
    Stack {
        /// A variable that determines the size.
        size: Option<Variable>,
        /// True if it is freed after the body.
        scoped: bool,
        /// The statements that use it.
        body: Body,
    },
    /// A property of a variable, which has no effect on the result.
    Property {
        /// The variable.
        place: Variable,
        /// The property.
        number: usize,
        /// The body on either path.
        body: Body,
    },
    /// A use of variables that no one initialised.
    Undefined(Undefined),
    /// A conditional return.
    Return {
        /// The branch.
        test: Code,
        /// The operands of the branch.
        ins: Vec<Operand>,
        /// The results.
        values: Vec<Operand>,
    },
}

/// A use of variables that begin undefined, on which nothing observable depends; the numbers
/// are those of the variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// One is copied to another.
    Copy(usize, usize),
    /// One gets a value.
    Define(usize, Variable),
    /// One becomes the sum of itself and another.
    Add(usize, usize),
    /// A call takes one and gives another.
    Call(usize, usize),
    /// One is read, and 0 made of it is added to a variable.
    Read(usize, Variable),
    /// As a copy, of doubles.
    CopyDouble(usize, usize),
    /// Two doubles are compared, and 0 made of the outcome is added to a variable.
    CompareDoubles(usize, usize, Variable),
}

/// The kind of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// A direct call.
    Call,
    /// A direct call that is to be inlined.
    Inline,
    /// A call through the function's address.
    Indirect,
}

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A value of the type with this name, in a variable.
    Value(&'static str, Variable),
    /// A block of the type with this name, of this size.
    Block(&'static str, usize),
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The names of the result types.
    pub results: Vec<&'static str>,
    /// The initial constants of variables; those that are not here begin with 0.
    pub start: Vec<(Variable, Operand)>,
    /// The statements.
    pub body: Body,
    /// The results.
    pub values: Vec<Operand>,
}

/// A program: its first function, `run`, takes two integers and returns one.
#[derive(Clone, Debug)]
pub struct Program {
    /// The functions, each of which calls only later ones.
    pub functions: Vec<Function>,
    /// The variables of the first function on which its result depends.
    pub observed: Vec<Variable>,
    /// True if its result depends on memory.
    pub observes_memory: bool,
    /// True if accesses to different areas are marked as not overlapping.
    pub has_aliases: bool,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 5] = [
        Class::Wide,
        Class::Short,
        Class::Float,
        Class::Double,
        Class::Long,
    ];

    /// Returns the class of results of a type.
    #[must_use]
    pub fn of(ty: &str) -> Class {
        match ty {
            "f" => Class::Float,
            "d" => Class::Double,
            "ld" => Class::Long,
            _ => Class::Wide,
        }
    }

    /// Returns whether it is one of the two classes of integers.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Class::Wide | Class::Short)
    }
}
