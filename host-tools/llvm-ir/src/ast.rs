//! The syntax tree of a module of LLVM IR.

use crate::error::SourcePosition;
use crate::types::{TypeId, Types};
use core::fmt;
use core::ops::Range;
use mir_nostd::ir::Order;
use std::collections::HashSet;

/// A value of a function: an argument or the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LocalId(pub(crate) u32);

/// A basic block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BlockId(pub(crate) u32);

/// A constant, or part of one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Const {
    /// An integer of at most 128 bits, in two's complement.
    Int(u128),
    /// An integer of more than 128 bits: its words, the least significant first.
    Long(Vec<u64>),
    /// A `float` or `double`, as the bits of a double; `float` is exact in it.
    Double(u64),
    /// A long double: the bits, of the format that its type says.
    LongDouble(u128),
    /// `null`, `zeroinitializer`, and undefined values.
    Zero,
    Bytes(Vec<u8>),
    Aggregate(Vec<(TypeId, Const)>),
    /// The address of a global or function.
    Global(String),
    BlockAddress(String, String),
    Expression(Box<Expression>),
    /// Inline assembly, only as what is called.
    Assembly(Box<Assembly>),
}

/// Inline assembly.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Assembly {
    /// The instructions, with references to operands.
    pub(crate) template: String,
    /// The outputs, inputs and clobbers, separated by commas.
    pub(crate) constraints: String,
}

/// A constant expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expression {
    Cast {
        cast: Cast,
        from: (TypeId, Const),
        to: TypeId,
    },
    Address {
        /// The type of the result: a pointer.
        ty: TypeId,
        element: TypeId,
        operands: Vec<(TypeId, Const)>,
    },
    Binary {
        op: Binary,
        ty: TypeId,
        a: Const,
        b: Const,
    },
    Compare {
        predicate: Predicate,
        /// The type of the result: one bit.
        bit: TypeId,
        /// The type of the operands.
        ty: TypeId,
        a: Const,
        b: Const,
    },
    Select {
        condition: Const,
        bit: TypeId,
        ty: TypeId,
        a: Const,
        b: Const,
    },
}

/// An operand whose type is known from the instruction.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Local(LocalId),
    Const(Const),
    /// Metadata, an operand only of intrinsics that are dropped.
    Metadata,
}

/// An operand with its type.
pub(crate) type Typed = (TypeId, Value);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    Shl,
    Lshr,
    Ashr,
    And,
    Or,
    Xor,
    Fadd,
    Fsub,
    Fmul,
    Fdiv,
    Frem,
}

impl Binary {
    pub(crate) fn from_name(name: &str) -> Option<Binary> {
        use Binary as B;
        Some(match name {
            "add" => B::Add,
            "sub" => B::Sub,
            "mul" => B::Mul,
            "udiv" => B::Udiv,
            "sdiv" => B::Sdiv,
            "urem" => B::Urem,
            "srem" => B::Srem,
            "shl" => B::Shl,
            "lshr" => B::Lshr,
            "ashr" => B::Ashr,
            "and" => B::And,
            "or" => B::Or,
            "xor" => B::Xor,
            "fadd" => B::Fadd,
            "fsub" => B::Fsub,
            "fmul" => B::Fmul,
            "fdiv" => B::Fdiv,
            "frem" => B::Frem,
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cast {
    Trunc,
    Zext,
    Sext,
    Fptrunc,
    Fpext,
    Fptosi,
    Fptoui,
    Sitofp,
    Uitofp,
    /// `ptrtoint`, `inttoptr`, `bitcast`, `addrspacecast`: the bits are unchanged.
    Bits,
}

impl Cast {
    pub(crate) fn from_name(name: &str) -> Option<Cast> {
        Some(match name {
            "trunc" => Cast::Trunc,
            "zext" => Cast::Zext,
            "sext" => Cast::Sext,
            "fptrunc" => Cast::Fptrunc,
            "fpext" => Cast::Fpext,
            "fptosi" => Cast::Fptosi,
            "fptoui" => Cast::Fptoui,
            "sitofp" => Cast::Sitofp,
            "uitofp" => Cast::Uitofp,
            "ptrtoint" | "inttoptr" | "bitcast" | "addrspacecast" | "ptrtoaddr" => Cast::Bits,
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// The predicate of `fcmp`: an ordered comparison, or the negation of one.
///
/// `ult` is "not ordered greater or equal", and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatPredicate {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// The predicate of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Predicate {
    Int(IntPredicate),
    Float(FloatPredicate),
}

/// The attributes of an argument or result that affect how it is passed.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Attributes {
    pub(crate) signext: bool,
    pub(crate) zeroext: bool,
    /// The address of the result, of this type.
    pub(crate) sret: Option<TypeId>,
    /// Passed as a copy of the object that the pointer points to, of this type.
    pub(crate) byval: Option<TypeId>,
    /// The alignment in bytes; 0 if it is not stated.
    pub(crate) align: u64,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) ty: TypeId,
    pub(crate) attributes: Attributes,
    pub(crate) local: Option<LocalId>,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Argument {
    pub(crate) ty: TypeId,
    pub(crate) attributes: Attributes,
    pub(crate) value: Value,
}

/// The kind of an access that is made once, as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Atomic(Order),
    /// `volatile`, with the alignment in bytes.
    Volatile(u64),
}

/// A call.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    pub(crate) result: TypeId,
    pub(crate) result_attributes: Attributes,
    pub(crate) callee: Value,
    pub(crate) args: Vec<Argument>,
    /// The number of fixed arguments, if variable ones may follow.
    pub(crate) fixed: Option<usize>,
    /// `fastcc`: caller and callee agree; it matters where physical registers are examined.
    pub(crate) is_fast: bool,
    /// `musttail`, or `tail` by a convention that makes the same promise: the call takes no more
    /// stack than its caller had.
    pub(crate) must_tail: bool,
    /// A calling convention by which arguments and results are elsewhere than in C.
    pub(crate) foreign: Option<&'static str>,
    /// The block to which an exception goes that the callee throws, of an `invoke`.
    pub(crate) unwind: Option<BlockId>,
}

impl Call {
    /// Returns a call of a function by its name, with arguments that have no attributes.
    pub(crate) fn of(name: &str, result: TypeId, args: Vec<(TypeId, Value)>) -> Op {
        let argument = |(ty, value)| Argument {
            ty,
            attributes: Attributes::default(),
            value,
        };
        Op::Call(Box::new(Call {
            result,
            result_attributes: Attributes::default(),
            callee: Value::Const(Const::Global(name.into())),
            args: args.into_iter().map(argument).collect(),
            fixed: None,
            is_fast: false,
            must_tail: false,
            foreign: None,
            unwind: None,
        }))
    }
}

/// `landingpad`: the exceptions that are caught in a block.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LandingPad {
    pub(crate) clauses: Vec<Clause>,
    /// True if the block is entered for exceptions that no clause catches, too.
    pub(crate) is_cleanup: bool,
}

/// A clause of `landingpad`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Clause {
    /// Exceptions of this type; null: all.
    Catch(Const),
    /// Exceptions of none of these types.
    Filter(Vec<Const>),
}

/// The operation of an instruction, with its operands.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Op {
    Binary(Binary, TypeId, Value, Value),
    Fneg(TypeId, Value),
    Icmp(IntPredicate, TypeId, Value, Value),
    Fcmp(FloatPredicate, TypeId, Value, Value),
    Select(Value, TypeId, Value, Value),
    Cast(Cast, Typed, TypeId),
    Freeze(Typed),
    Alloca {
        ty: TypeId,
        count: Option<Typed>,
        align: u64,
    },
    Load(TypeId, Value),
    Store(Typed, Value),
    /// An access that is made once, as a whole.
    AtomicLoad(TypeId, Value, Access),
    AtomicStore(Typed, Value, Access),
    Address {
        element: TypeId,
        base: Value,
        indices: Vec<Typed>,
    },
    Phi(TypeId, Vec<(Value, BlockId)>),
    Call(Box<Call>),
    Extract(Typed, Vec<u64>),
    Insert(Typed, Typed, Vec<u64>),
    ExtractElement(Typed, Typed),
    InsertElement(Typed, Typed, Typed),
    /// The elements of two vectors of a type, counted through both, that have these numbers.
    ShuffleVector(TypeId, Value, Value, Vec<u32>),
    /// Some parts of a value as a value of their own: a lane of a vector, words of an integer.
    /// Parts are the registers that the import gives a value; LLVM IR has no such instruction.
    Parts(Typed, Range<usize>),
    /// A value whose parts are those of others, in their order.
    Join(Vec<Typed>),
    AtomicRmw(String, Value, Typed, Order),
    /// The orders are those of success and failure.
    Cmpxchg(Value, Typed, Value, [Order; 2]),
    Fence(Order),
    Ret(Option<Typed>),
    Br(BlockId),
    CondBr(Value, BlockId, BlockId),
    Switch(Typed, BlockId, Vec<(u128, BlockId)>),
    IndirectBr(Value, Vec<BlockId>),
    Unreachable,
    /// The end of a block whose call was an `invoke`: the blocks to which control goes if it
    /// returned, and if it threw.
    Invoked(BlockId, BlockId),
    LandingPad(Box<LandingPad>),
    /// Continues unwinding an exception.
    Resume(Typed),
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Insn {
    pub(crate) place: SourcePosition,
    pub(crate) result: Option<LocalId>,
    pub(crate) op: Op,
}

/// A basic block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) insns: Vec<Insn>,
}

/// A function, or the declaration of one.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) place: SourcePosition,
    pub(crate) name: String,
    pub(crate) linkage: Linkage,
    pub(crate) weakness: Weakness,
    pub(crate) result: TypeId,
    pub(crate) result_attributes: Attributes,
    pub(crate) params: Vec<Param>,
    pub(crate) vararg: bool,
    /// `fastcc`.
    pub(crate) is_fast: bool,
    /// The function whose address this one stands for, of one that the import made for that.
    pub(crate) behind: Option<String>,
    /// A calling convention by which arguments and results are elsewhere than in C.
    pub(crate) foreign: Option<&'static str>,
    /// `None` for a declaration.
    pub(crate) body: Option<Body>,
}

/// The blocks of a function, in order of their definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// The blocks in order, and the contents of each.
    pub(crate) order: Vec<BlockId>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) block_names: Vec<String>,
    /// The names and types of the values. The type of a value that is never defined is `None`.
    pub(crate) local_names: Vec<String>,
    pub(crate) local_types: Vec<Option<TypeId>>,
    /// The results of operations that do not overflow as signed ones (`nsw`).
    pub(crate) no_signed_wrap: HashSet<LocalId>,
    /// The values that variables of the source have, in the order of their lines.
    pub(crate) records: Vec<DebugRecord>,
}

/// A statement that a variable of the source has a value, from its line on until the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DebugRecord {
    pub(crate) line: u32,
    /// The node of the variable.
    pub(crate) variable: u32,
    /// The node of the location, whose scope the variable is in.
    pub(crate) location: u32,
    pub(crate) value: DebugValue,
}

/// The value of a variable of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DebugValue {
    Local(LocalId),
    Int(i64),
    /// Unknown, or computed of others.
    Unknown,
}

/// The visibility of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Linkage {
    /// `private`, `internal`
    Local,
    /// `linkonce`, `linkonce_odr`, `available_externally`: each module has the copies that it
    /// needs.
    Copied,
    /// `linkonce` and `linkonce_odr` of a variable that may change: all files share one.
    Shared,
    /// All other linkages.
    Global,
}

/// The way in which a global gives way to others of its name.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Weakness {
    #[default]
    Strong,
    /// `weak_odr`, `linkonce_odr`, `common`: all are alike, and one is taken.
    Alike,
    /// `weak`, `linkonce`: another may differ. Of a declaration (`extern_weak`): null if nothing
    /// defines it.
    Weak,
}

/// A global variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) place: SourcePosition,
    pub(crate) name: String,
    pub(crate) linkage: Linkage,
    pub(crate) weakness: Weakness,
    pub(crate) ty: TypeId,
    /// `None` for a declaration.
    pub(crate) initializer: Option<Const>,
    /// True if each thread has one of its own.
    pub(crate) is_thread_local: bool,
    /// The alignment in bytes; 0 if it is not stated.
    pub(crate) align: u64,
}

/// An alias: another name of a global.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    pub(crate) place: SourcePosition,
    pub(crate) name: String,
    pub(crate) linkage: Linkage,
    pub(crate) aliasee: Const,
}

/// A module.
pub(crate) struct Module {
    pub(crate) triple: Option<String>,
    pub(crate) source_filename: Option<String>,
    pub(crate) types: Types,
    pub(crate) variables: Vec<Variable>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) functions: Vec<Function>,
    /// True if it says which variables of the source `alloca`s are.
    pub(crate) names_variables: bool,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module")
            .field("functions", &self.functions.len())
            .finish_non_exhaustive()
    }
}
