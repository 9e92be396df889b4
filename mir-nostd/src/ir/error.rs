//! Errors in a program, and their places.

use super::entities::{FuncId, InsnId, ItemId, Reg};
use crate::mem::OutOfMemory;
use core::fmt;

/// The kinds of error, as the language numbers them (docs/reference/faults.md).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum ErrorKind {
    /// Text that does not follow the grammar.
    Syntax = 1,
    /// Binary input or output that does not follow the format, or an `expr` item that cannot be
    /// one.
    BinaryIo = 2,
    /// Out of memory, or a program over a limit.
    Alloc = 3,
    /// An attempt to finish while a function or module is open.
    Finish = 4,
    /// An item outside a module.
    NoModule = 5,
    /// A module inside a module.
    NestedModule = 6,
    /// The end of a function that was not begun.
    NoFunc = 7,
    /// A function that breaks a rule of its form.
    Func = 8,
    /// Variable arguments that are not allowed, or `ret` and `jret` in one function.
    VarargFunc = 9,
    /// A function inside a function.
    NestedFunc = 10,
    /// A wrong use of the interface.
    WrongParamValue = 11,
    /// A hard register that does not exist or cannot hold the variable.
    HardReg = 12,
    /// A register name that the language keeps for itself.
    ReservedName = 13,
    /// Imports, exports and definitions of one name that contradict each other.
    ImportExport = 14,
    /// A register that was not declared.
    UndeclaredFuncReg = 15,
    /// A second declaration of one name.
    RepeatedDecl = 16,
    /// A register of a wrong type.
    RegType = 17,
    /// A wrong type of result, data, memory or block argument.
    WrongType = 18,
    /// A temporary register for which no number is left.
    UniqueReg = 19,
    /// A name without a definition.
    UndeclaredOpRef = 20,
    /// A wrong number of operands.
    OpsNum = 21,
    /// A call that does not fit its prototype.
    CallOp = 22,
    /// An instruction for internal use.
    UnspecOp = 23,
    /// A label reference whose labels belong to different functions.
    WrongLref = 24,
    /// Results that the target cannot return.
    Ret = 25,
    /// An operand of a wrong class.
    OpMode = 26,
    /// An output operand that cannot be assigned.
    OutOp = 27,
    /// An instruction at a place where it is not allowed.
    InvalidInsn = 28,
    /// A change of something that cannot be changed.
    CtxChange = 29,
}

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident: $kind:ident, $text:literal;)*) => {
        /// The exact problem. `Display` writes the sentence, [`Problem::kind`] returns the kind.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Problem {
            $(#[doc = $text] $(#[$doc])* $name,)*
        }

        impl Problem {
            /// Returns the kind of error.
            #[must_use]
            pub const fn kind(self) -> ErrorKind {
                match self {
                    $(Problem::$name => ErrorKind::$kind,)*
                }
            }

            /// Returns the sentence that states the problem.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Problem::$name => $text,)*
                }
            }
        }
    };
}

// Rows are grouped by the room that reports them.
problems! {
    OutOfMemory: Alloc, "out of memory";
    TooLarge: Alloc, "the program is over a limit of the format";

    // ir: declarations
    ImportOfDefinition: ImportExport, "import of a name that this module defines or exports";
    AlreadyImported: ImportExport, "the name is already imported";
    RepeatedItem: RepeatedDecl, "the name already belongs to another item";
    AlreadyProto: RepeatedDecl, "the name already belongs to a prototype";
    RepeatedReg: RepeatedDecl, "the function already has a register of this name";
    HardRegTypes: RepeatedDecl, "two variables of different types are tied to one hard register";
    ReservedRegName: ReservedName, "register names that begin with `.lc`, or are `hr` and digits, are reserved";
    RegisterType: RegType, "a variable must be i64, f, d or ld";
    ResultType: WrongType, "a result cannot be a block";
    DataType: WrongType, "data elements cannot be of this type";
    VarargWithoutFixed: VarargFunc, "a function with variable arguments needs at least one fixed argument";
    UndeclaredName: UndeclaredOpRef, "undeclared name";
    UndeclaredReg: UndeclaredFuncReg, "undeclared register";
    OperandCount: OpsNum, "wrong number of operands";
    TooManyOperands: OpsNum, "too many operands";
    InternalInsn: UnspecOp, "the instruction is for internal use";
    NotAFunction: WrongParamValue, "the item is not a function";
    NotInFunction: WrongParamValue, "the instruction is not in this function";
    LabelDefinedTwice: RepeatedDecl, "the label is defined twice";
    LongDoubleForeign: WrongType, "this build has the machine's own long double format only";

    // link
    UnresolvedImport: UndeclaredOpRef, "no module exports the imported name, and the resolver does not know it";
    OtherTarget: WrongParamValue, "the module was checked for another target than the context's";
    RedefinedExport: RepeatedDecl, "a function of this name is already exported by another module";
    // confined
    ConfinedSize: WrongParamValue, "the memory of a confined program has 4 KiB to 4 GiB";
    ConfinedSpace: WrongParamValue, "the space belongs to another program, or its program runs";
    ConfinedFuel: WrongParamValue, "confined programs need an engine that counts fuel";
    ConfinedLinked: WrongParamValue, "the confined program is linked already";
    ConfinedImport: WrongParamValue, "an import of a confined program takes no blocks and no variable arguments";
    ConfinedWindow: WrongParamValue, "windows lie from 2^33 on, and are few, in a space that was made for them";
    ConfinedData: Alloc, "the program's data does not fit in its memory";
    ConfinedHardRegister: HardReg, "a confined program cannot tie variables to hard registers";
    ConfinedInsn: InvalidInsn, "a confined program cannot use this instruction, or not with operands that are no constants";

    ListEntry: WrongParamValue, "a list of constructors or destructors has addresses of the program's functions only";
    LinkUnderWay: WrongParamValue, "the context is being linked: the resolver cannot link";
    ExprStopped: BinaryIo, "the function that gives the value of an expr faults";
    LinkFuel: Alloc, "the functions that give the values of expr items take more fuel than linking may";

    // verify: items
    NeverDefined: UndeclaredOpRef, "the name is declared, but never defined";
    LrefUndefined: WrongLref, "the label is not placed in any function";
    LrefFunctions: WrongLref, "the labels are not of one function";
    ExprFunction: BinaryIo, "an expr needs a function of this module with one result, without arguments, calls and memory operands";
    LongDoubleOfTarget: WrongType, "the module's long double format is not the target's";
    FloatRefused: WrongType, "floating values are refused here";
    // verify: functions
    UnknownHardReg: HardReg, "the target has no such hard register";
    ReservedHardReg: HardReg, "the hard register is reserved";
    HardRegClass: HardReg, "the hard register cannot hold a variable of this type";
    HardRegAddress: HardReg, "a variable tied to a hard register has no address";
    RunsOffEnd: Func, "control may run off the end of the function";
    VaStartWithoutVararg: VarargFunc, "`va_start` in a function without variable arguments";
    RetCount: VarargFunc, "ret needs one operand for each result of the function";
    JretWithResults: VarargFunc, "jret in a function with results";
    JretWithRet: VarargFunc, "jret and ret in one function";
    OverflowBranch: InvalidInsn, "no instruction right before the branch sets the overflow flag that it tests";
    // verify: operands
    LabelUndefined: UndeclaredOpRef, "the label is never placed";
    LabelOfOtherFunction: UndeclaredOpRef, "the label belongs to another function";
    NotAssignable: OutOp, "the result must go to a register or memory";
    NotInteger: OpMode, "an integer is expected here";
    NotFloat: OpMode, "a float is expected here";
    NotDouble: OpMode, "a double is expected here";
    NotLongDouble: OpMode, "a long double is expected here";
    NotLabel: OpMode, "a label is expected here";
    NotRegister: OpMode, "a register is expected here";
    NotMemory: OpMode, "a memory operand is expected here";
    NotConstant: OpMode, "an integer constant is expected here";
    NotAtomic: OpMode, "an integer in memory is expected here";
    NotOrder: OpMode, "the instruction cannot have this order";
    NotVariable: OpMode, "a register or memory operand is expected here";
    AddressRegister: RegType, "base and index registers must be integers";
    BlockOutsideCall: WrongType, "block memory may only be an argument of a call";
    // verify: calls
    NotPrototype: CallOp, "the first operand of a call must be a prototype";
    NotCallable: CallOp, "the item is not a function";
    OtherSignature: CallOp, "the function has another signature than the call's prototype";
    CallOperandCount: OpsNum, "the call does not have as many operands as its prototype asks for";
    CallTooLarge: CallOp, "the arguments and results of the call take more than 16 MiB";
    BlockWanted: WrongType, "the prototype asks for a block of another type or size here";
    BlockNotWanted: WrongType, "the prototype asks for no block here";
    BlockForm: WrongType, "a block argument is a size and the register that holds its address";
    FloatVariadic: CallOp, "a float cannot be a variable argument; it is passed as a double";
    RblkVariadic: WrongType, "an rblk cannot be a variable argument";
    LabelArgument: OpMode, "a label cannot be an argument";
    JcallOfSetjmp: InvalidInsn, "jcall of setjmp";

    // text
    UnknownByte: Syntax, "this byte cannot begin a word, a number or a string";
    NulByte: Syntax, "text has no NUL; in a string it is written `\\0`";
    UnfinishedString: Syntax, "the string has no closing quote on its line";
    HexEscape: Syntax, "two hexadecimal digits must follow `\\x`";
    NumberAfterSign: Syntax, "a number must follow the sign";
    OctalDigit: Syntax, "a number that begins with 0 is octal: its digits are 0 to 7";
    HexDigits: Syntax, "hexadecimal digits must follow `0x`";
    HexReal: Syntax, "floating-point numbers are decimal";
    ExponentDigits: Syntax, "the exponent has no digits";
    IntegerSuffix: Syntax, "an integer has no suffix; a floating-point number needs a point or an exponent, as in `1.0f`";
    NumberEnd: Syntax, "the number runs into a name";
    IntegerTooLarge: Syntax, "the integer does not fit in 64 bits: its value here is -1";
    NanBits: Syntax, "the bits of a NaN of this type are written `nan(0xBITS)`";
    ExpectedStatement: Syntax, "expected a label, a directive or an instruction";
    ExpectedName: Syntax, "expected a name";
    ExpectedInt: Syntax, "expected an integer";
    ExpectedString: Syntax, "expected a string";
    ExpectedType: Syntax, "expected a type";
    ExpectedColon: Syntax, "expected `:`";
    ExpectedComma: Syntax, "expected `,` or the end of the statement";
    ExpectedClose: Syntax, "expected `)`";
    ExpectedEnd: Syntax, "expected the end of the statement";
    ExpectedLabel: Syntax, "expected the name of a label";
    ExpectedOperand: Syntax, "expected an operand";
    ExpectedAddress: Syntax, "expected an address: `DISPLACEMENT(BASE, INDEX, SCALE)`";
    ExpectedRegister: Syntax, "expected a register";
    ExpectedAlias: Syntax, "expected the name of an alias";
    ExpectedHardReg: Syntax, "expected `:` and a hard register";
    UnknownType: Syntax, "this is not a type";
    UnknownStatement: Syntax, "there is no such directive or instruction";
    VaStackArg: Syntax, "there is no `va_stack_arg`: write `va_block_arg ADDRESS, VA_LIST, SIZE, CLASS`";
    BlockArg: Syntax, "a block is written `blk:SIZE(NAME)`";
    BlockSize: Syntax, "the size of a block must be from 0 to 4294967295";
    ResultAfterArg: Syntax, "results stand before the arguments";
    DotsLast: Syntax, "`...` must be the last part";
    NameAsDisplacement: Syntax, "a name is no displacement, and the access is to null; registers stand in parentheses";
    Scale: Syntax, "the scale must be an integer from 0 to 255";
    BssLength: Syntax, "expected a length: an integer that is not negative";
    DataValue: Syntax, "the value is not of the type of the data";
    LabelNotAllowed: Syntax, "no label can stand before this directive";
    OneLabel: Syntax, "one name must stand before this directive, as in `NAME:`";
    LabelAtEnd: Syntax, "an instruction must follow the label";
    OutsideModule: NoModule, "this belongs in a module";
    OutsideFunction: Syntax, "this belongs in a function";
    ItemInFunction: Syntax, "this cannot be in a function: `endfunc` is missing before it";
    NestedModule: NestedModule, "`endmodule` is missing before this";
    NoFunction: NoFunc, "there is no function to end";
    MissingEndfunc: Syntax, "`endfunc` is missing before this";
    MissingEndmodule: Syntax, "`endmodule` is missing at the end";
    // binary: the container
    WrongMagic: BinaryIo, "this is no binary file: it does not begin with `MIR`";
    CutShort: BinaryIo, "the file is cut short";
    WrongContainerNumber: BinaryIo, "the file is damaged: a number does not begin as numbers do";
    WrongLiteralCount: BinaryIo, "the file is damaged: a run of bytes is too long";
    WrongDistance: BinaryIo, "the file is damaged: a reference goes back too far or nowhere";
    WrongMatchLength: BinaryIo, "the file is damaged: a reference is too long";
    WrongCheck: BinaryIo, "the file is damaged: the check value does not agree with the contents";
    AfterEnd: BinaryIo, "something follows the end of the file's contents";
    OverLimit: Alloc, "the file unpacks to more than the limit that was set";
    OutputRefused: BinaryIo, "the output takes no more bytes";

    // binary: the tokens
    Unfinished: BinaryIo, "the contents end too early";
    NewVersion: BinaryIo, "the file is of a newer version of the format";
    WrongToken: BinaryIo, "a token that cannot stand here";
    NotUnsigned: BinaryIo, "an unsigned integer should be here";
    NotSigned: BinaryIo, "a signed integer should be here";
    NotReg: BinaryIo, "a register should be here";
    NotName: BinaryIo, "a name should be here";
    NotType: BinaryIo, "a type should be here";
    NotDataElement: BinaryIo, "a value of the data's type should be here";
    StringNumber: BinaryIo, "there is no string of this number";
    WrongScale: BinaryIo, "a scale must be below 256";
    HardRegCount: HardReg, "the function uses more hard registers than any target has";
    LabelNumber: BinaryIo, "a label cannot have this number";
    NamelessItem: BinaryIo, "files cannot refer to an item without a name";
    NameEnd: BinaryIo, "a name must end in NUL and have no other";
    WordUnknown: BinaryIo, "no statement begins with this word";
    WrongInsnCode: BinaryIo, "there is no instruction of this number in files";
    OperandMissing: OpsNum, "the instruction needs more operands";
    LabelsBeforeDirective: BinaryIo, "labels must be followed by an instruction or the end of the function";
    ItemOutsideModule: NoModule, "an item outside a module";
    InsnOutsideFunc: NoFunc, "an instruction or label outside a function";
    ModuleInModule: NestedModule, "a module inside a module";
    FuncInFunc: NestedFunc, "a function inside a function";
    EndOfNoModule: NoModule, "the end of a module that was not begun";
    EndOfNoFunc: NoFunc, "the end of a function that was not begun";
    ModuleNotEnded: Finish, "the module is not ended";
    FuncNotEnded: Finish, "the function is not ended";
}

impl Problem {
    /// Returns true if the problem does not keep a text from being read.
    #[must_use]
    pub const fn is_warning(self) -> bool {
        matches!(self, Problem::IntegerTooLarge | Problem::NameAsDisplacement)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The place of an error in a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// No particular place; the caller knows it.
    Unknown,
    /// A place in text.
    Text {
        /// Line, from 1.
        line: u32,
        /// Column in bytes, from 1.
        column: u32,
        /// Length in bytes of the faulty part; 0 for a point.
        len: u32,
    },
    /// A byte of a binary file, from 0.
    Byte(u64),
    /// A byte of the unpacked contents of a binary file, from 0.
    Unpacked(u64),
    /// An item of the module.
    Item(ItemId),
    /// A register of a function.
    Register {
        /// The function.
        func: FuncId,
        /// The register.
        reg: Reg,
    },
    /// An instruction of a function, or one of its operands.
    Insn {
        /// The function.
        func: FuncId,
        /// The instruction.
        insn: InsnId,
        /// The operand's number, from 0; `u16::MAX` if the error is not about one operand.
        operand: u16,
    },
}

/// An error: the problem and its place.
///
/// ```
/// use mir_nostd::ir::{Error, ErrorKind, Place, Problem};
/// let error = Error::at(Problem::UndeclaredName, Place::Text { line: 3, column: 7, len: 4 });
/// assert_eq!(error.kind(), ErrorKind::UndeclaredOpRef);
/// assert_eq!(format!("{error}"), "3:7: undeclared name");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    /// The problem.
    pub problem: Problem,
    /// The place of the problem.
    pub place: Place,
}

/// The result of a fallible operation.
pub type Result<T, E = Error> = core::result::Result<T, E>;

impl Error {
    /// Makes an error without a place.
    #[must_use]
    pub const fn new(problem: Problem) -> Error {
        Error {
            problem,
            place: Place::Unknown,
        }
    }

    /// Makes an error at a place.
    #[must_use]
    pub const fn at(problem: Problem, place: Place) -> Error {
        Error { problem, place }
    }

    /// Returns the kind of error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.problem.kind()
    }

    /// Returns the error at `place` if it has no place yet.
    #[must_use]
    pub fn or_at(self, place: Place) -> Error {
        match self.place {
            Place::Unknown => Error { place, ..self },
            _ => self,
        }
    }
}

impl From<OutOfMemory> for Error {
    fn from(_: OutOfMemory) -> Error {
        Error::new(Problem::OutOfMemory)
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        Error::new(problem)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Unknown => {}
            Place::Text { line, column, .. } => write!(f, "{line}:{column}: ")?,
            Place::Byte(offset) => write!(f, "byte {offset}: ")?,
            Place::Unpacked(offset) => write!(f, "unpacked byte {offset}: ")?,
            Place::Item(item) => write!(f, "{item:?}: ")?,
            Place::Register { func, reg } => write!(f, "{func:?}, {reg:?}: ")?,
            Place::Insn {
                func,
                insn,
                operand: u16::MAX,
            } => write!(f, "{func:?}, {insn:?}: ")?,
            Place::Insn {
                func,
                insn,
                operand,
            } => write!(f, "{func:?}, {insn:?}, operand {}: ", operand + 1)?,
        }
        self.problem.fmt(f)
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_small() {
        assert!(size_of::<Error>() <= 24);
    }
}
