//! The instruction table: the one list of Medium IR instructions.
//!
//! Each row holds the instruction's name in Rust, its code in binary files, its name in text, its
//! operand modes and its flags; rows of long double instructions also hold the instruction that
//! replaces them on targets where long double is double, and rows of integer instructions of two
//! inputs that only compute hold what they compute ([`Binary`]). Those that C has no operators for
//! hold the operation and its type: operands are read and the result is extended as the type says.
//! Parser, printer, reader, writer, verifier, interpreter and translator derive from it.
//! `docs/reference/instructions/README.md` describes every instruction.
//!
//! Names: a leading `F`, `D`, `Ld` means float, double, long double; a leading `U` means unsigned;
//! a trailing `S` means the low 32 bits; a `B` before a comparison means that it branches.

bitflags::bitflags! {
    /// The effects of an instruction beyond computing outputs from inputs.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Flags: u16 {
        /// Control may go to a label among the operands.
        const BRANCH = 1;
        /// Control never continues with the next instruction.
        const TERMINATOR = 2;
        /// The instruction is a call: its operands are prototype, address, results, arguments.
        const CALL = 4;
        /// The number of operands is variable.
        const VARIABLE = 8;
        /// The instruction sets the signed overflow flag.
        const SETS_SIGNED = 16;
        /// The instruction sets the unsigned overflow flag.
        const SETS_UNSIGNED = 32;
        /// The instruction branches on the signed overflow flag.
        const TESTS_SIGNED = 64;
        /// The instruction branches on the unsigned overflow flag.
        const TESTS_UNSIGNED = 128;
        /// The instruction is internal: it is never written in files.
        const INTERNAL = 256;
        /// The instruction is an extension: the C implementation of the language does not have it.
        const EXTENSION = 512;
    }
}

/// The kind of operand that an instruction requires. `Out` modes are outputs: a register or memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// An integer.
    I,
    /// A float.
    F,
    /// A double.
    D,
    /// A long double.
    L,
    /// An integer output.
    OutI,
    /// A float output.
    OutF,
    /// A double output.
    OutD,
    /// A long double output.
    OutL,
    /// A label.
    Label,
    /// A register of any type.
    Reg,
    /// Any memory operand, which is not accessed: its type or its address matters.
    Memory,
    /// Any operand.
    Any,
    /// An integer constant.
    Constant,
    /// A register or memory of any type.
    Variable,
    /// An integer in memory that an atomic instruction accesses.
    Atomic,
    /// The order of an atomic instruction: an integer constant, the number of an
    /// [`Order`](super::Order).
    Order,
}

impl Mode {
    /// Returns whether the instruction writes the operand.
    #[must_use]
    pub const fn is_output(self) -> bool {
        matches!(self, Mode::OutI | Mode::OutF | Mode::OutD | Mode::OutL)
    }

    /// Returns the class of value that the operand holds, if the mode fixes it.
    #[must_use]
    pub const fn class(self) -> Option<Class> {
        match self {
            Mode::I | Mode::OutI => Some(Class::Int),
            Mode::F | Mode::OutF => Some(Class::Float),
            Mode::D | Mode::OutD => Some(Class::Double),
            Mode::L | Mode::OutL => Some(Class::LongDouble),
            _ => None,
        }
    }
}

use super::types::{Class, Type};
use crate::mem::InlineList;
use crate::num::{Operation, fold};

macro_rules! table {
    ($($variant:ident = $code:literal, $name:literal, [$($mode:ident),*], [$($flag:ident),*] $(=> $double:ident)?
        $(, ($order:ident $compute:ident $result:ident))? $(, {$operation:ident $ty:ident})?;)*) => {
        /// An instruction, numbered as in binary files.
        ///
        /// ```
        /// use mir_nostd::ir::{Code, Mode};
        /// assert_eq!(Code::from_name(b"addo"), Some(Code::Addo));
        /// assert_eq!(Code::Addo.number(), 110);
        /// assert_eq!(Code::Addo.modes(), [Mode::OutI, Mode::I, Mode::I]);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`")] $variant = $code,)*
        }

        impl Code {
            /// Every instruction, in the order of their numbers.
            pub const ALL: [Code; Code::COUNT] = [$(Code::$variant),*];
            /// The number of instructions.
            pub const COUNT: usize = [$($code),*].len();

            /// Returns the facts of an integer instruction of two inputs that only computes.
            pub(crate) const fn binary(self) -> Option<Binary> {
                match self {
                    $($(Code::$variant => Some(Binary {
                        compute: fold::$compute,
                        commutes: table!(@commutes $order),
                        result: Type::$result,
                    }),)?)*
                    _ => None,
                }
            }
        }

        impl Code {
            /// Returns the operation of an instruction that C has no operator for, and its type.
            #[must_use]
            pub const fn operation(self) -> Option<(Operation, Type)> {
                match self {
                    $($(Code::$variant => Some((Operation::$operation, Type::$ty)),)?)*
                    _ => None,
                }
            }
        }

        static ROWS: [Row; Code::COUNT] = [$(Row {
            modes: InlineList::new(&[$(Mode::$mode),*], Mode::Any),
            flags: Flags::empty()$(.union(Flags::$flag))*,
            double: table!(@double $($double)?),
        }),*];

        /// The names, which programs without the text form do not have.
        static NAMES: [&str; Code::COUNT] = [$($name),*];
    };
    (@commutes commutes) => { true };
    (@commutes ordered) => { false };
    (@double) => { None };
    (@double $double:ident) => { Some(Code::$double) };
}

/// The facts of an integer instruction of two inputs that only computes: it cannot fault and sets
/// no flag.
#[derive(Clone, Copy)]
pub(crate) struct Binary {
    /// Its meaning.
    pub(crate) compute: fn(i64, i64) -> i64,
    /// True if the order of the inputs does not matter.
    pub(crate) commutes: bool,
    /// The type of the result, by which it is extended to 64 bits: inputs of a shorter one are read
    /// as their low 32 bits.
    pub(crate) result: Type,
}

/// The most modes of an instruction.
const MOST_MODES: usize = 6;

struct Row {
    modes: InlineList<Mode, MOST_MODES>,
    flags: Flags,
    double: Option<Code>,
}

#[rustfmt::skip] // one row, one line
table! {
    Mov        =   0, "mov", [OutI, I], [];
    Fmov       =   1, "fmov", [OutF, F], [];
    Dmov       =   2, "dmov", [OutD, D], [];
    Ldmov      =   3, "ldmov", [OutL, L], [] => Dmov;
    Ext8       =   4, "ext8", [OutI, I], [];
    Ext16      =   5, "ext16", [OutI, I], [];
    Ext32      =   6, "ext32", [OutI, I], [];
    Uext8      =   7, "uext8", [OutI, I], [];
    Uext16     =   8, "uext16", [OutI, I], [];
    Uext32     =   9, "uext32", [OutI, I], [];
    I2f        =  10, "i2f", [OutF, I], [];
    I2d        =  11, "i2d", [OutD, I], [];
    I2ld       =  12, "i2ld", [OutL, I], [] => I2d;
    Ui2f       =  13, "ui2f", [OutF, I], [];
    Ui2d       =  14, "ui2d", [OutD, I], [];
    Ui2ld      =  15, "ui2ld", [OutL, I], [] => Ui2d;
    F2i        =  16, "f2i", [OutI, F], [];
    D2i        =  17, "d2i", [OutI, D], [];
    Ld2i       =  18, "ld2i", [OutI, L], [] => D2i;
    F2d        =  19, "f2d", [OutD, F], [];
    F2ld       =  20, "f2ld", [OutL, F], [] => F2d;
    D2f        =  21, "d2f", [OutF, D], [];
    D2ld       =  22, "d2ld", [OutL, D], [] => Dmov;
    Ld2f       =  23, "ld2f", [OutF, L], [] => D2f;
    Ld2d       =  24, "ld2d", [OutD, L], [] => Dmov;
    Neg        =  25, "neg", [OutI, I], [];
    Negs       =  26, "negs", [OutI, I], [];
    Fneg       =  27, "fneg", [OutF, F], [];
    Dneg       =  28, "dneg", [OutD, D], [];
    Ldneg      =  29, "ldneg", [OutL, L], [] => Dneg;
    Addr       =  30, "addr", [OutI, Reg], [];
    Addr8      =  31, "addr8", [OutI, Reg], [];
    Addr16     =  32, "addr16", [OutI, Reg], [];
    Addr32     =  33, "addr32", [OutI, Reg], [];
    Add        =  34, "add", [OutI, I, I], [], (commutes add I64);
    Adds       =  35, "adds", [OutI, I, I], [], (commutes adds I32);
    Fadd       =  36, "fadd", [OutF, F, F], [];
    Dadd       =  37, "dadd", [OutD, D, D], [];
    Ldadd      =  38, "ldadd", [OutL, L, L], [] => Dadd;
    Sub        =  39, "sub", [OutI, I, I], [];
    Subs       =  40, "subs", [OutI, I, I], [];
    Fsub       =  41, "fsub", [OutF, F, F], [];
    Dsub       =  42, "dsub", [OutD, D, D], [];
    Ldsub      =  43, "ldsub", [OutL, L, L], [] => Dsub;
    Mul        =  44, "mul", [OutI, I, I], [], (commutes mul I64);
    Muls       =  45, "muls", [OutI, I, I], [], (commutes muls I32);
    Fmul       =  46, "fmul", [OutF, F, F], [];
    Dmul       =  47, "dmul", [OutD, D, D], [];
    Ldmul      =  48, "ldmul", [OutL, L, L], [] => Dmul;
    Div        =  49, "div", [OutI, I, I], [];
    Divs       =  50, "divs", [OutI, I, I], [];
    Udiv       =  51, "udiv", [OutI, I, I], [];
    Udivs      =  52, "udivs", [OutI, I, I], [];
    Fdiv       =  53, "fdiv", [OutF, F, F], [];
    Ddiv       =  54, "ddiv", [OutD, D, D], [];
    Lddiv      =  55, "lddiv", [OutL, L, L], [] => Ddiv;
    Mod        =  56, "mod", [OutI, I, I], [];
    Mods       =  57, "mods", [OutI, I, I], [];
    Umod       =  58, "umod", [OutI, I, I], [];
    Umods      =  59, "umods", [OutI, I, I], [];
    And        =  60, "and", [OutI, I, I], [], (commutes and I64);
    Ands       =  61, "ands", [OutI, I, I], [], (commutes ands I32);
    Or         =  62, "or", [OutI, I, I], [], (commutes or I64);
    Ors        =  63, "ors", [OutI, I, I], [], (commutes ors I32);
    Xor        =  64, "xor", [OutI, I, I], [], (commutes xor I64);
    Xors       =  65, "xors", [OutI, I, I], [], (commutes xors I32);
    Lsh        =  66, "lsh", [OutI, I, I], [], (ordered lsh I64);
    Lshs       =  67, "lshs", [OutI, I, I], [], (ordered lshs I32);
    Rsh        =  68, "rsh", [OutI, I, I], [], (ordered rsh I64);
    Rshs       =  69, "rshs", [OutI, I, I], [], (ordered rshs I32);
    Ursh       =  70, "ursh", [OutI, I, I], [], (ordered ursh I64);
    Urshs      =  71, "urshs", [OutI, I, I], [], (ordered urshs U32);
    Eq         =  72, "eq", [OutI, I, I], [];
    Eqs        =  73, "eqs", [OutI, I, I], [];
    Feq        =  74, "feq", [OutI, F, F], [];
    Deq        =  75, "deq", [OutI, D, D], [];
    Ldeq       =  76, "ldeq", [OutI, L, L], [] => Deq;
    Ne         =  77, "ne", [OutI, I, I], [];
    Nes        =  78, "nes", [OutI, I, I], [];
    Fne        =  79, "fne", [OutI, F, F], [];
    Dne        =  80, "dne", [OutI, D, D], [];
    Ldne       =  81, "ldne", [OutI, L, L], [] => Dne;
    Lt         =  82, "lt", [OutI, I, I], [];
    Lts        =  83, "lts", [OutI, I, I], [];
    Ult        =  84, "ult", [OutI, I, I], [];
    Ults       =  85, "ults", [OutI, I, I], [];
    Flt        =  86, "flt", [OutI, F, F], [];
    Dlt        =  87, "dlt", [OutI, D, D], [];
    Ldlt       =  88, "ldlt", [OutI, L, L], [] => Dlt;
    Le         =  89, "le", [OutI, I, I], [];
    Les        =  90, "les", [OutI, I, I], [];
    Ule        =  91, "ule", [OutI, I, I], [];
    Ules       =  92, "ules", [OutI, I, I], [];
    Fle        =  93, "fle", [OutI, F, F], [];
    Dle        =  94, "dle", [OutI, D, D], [];
    Ldle       =  95, "ldle", [OutI, L, L], [] => Dle;
    Gt         =  96, "gt", [OutI, I, I], [];
    Gts        =  97, "gts", [OutI, I, I], [];
    Ugt        =  98, "ugt", [OutI, I, I], [];
    Ugts       =  99, "ugts", [OutI, I, I], [];
    Fgt        = 100, "fgt", [OutI, F, F], [];
    Dgt        = 101, "dgt", [OutI, D, D], [];
    Ldgt       = 102, "ldgt", [OutI, L, L], [] => Dgt;
    Ge         = 103, "ge", [OutI, I, I], [];
    Ges        = 104, "ges", [OutI, I, I], [];
    Uge        = 105, "uge", [OutI, I, I], [];
    Uges       = 106, "uges", [OutI, I, I], [];
    Fge        = 107, "fge", [OutI, F, F], [];
    Dge        = 108, "dge", [OutI, D, D], [];
    Ldge       = 109, "ldge", [OutI, L, L], [] => Dge;
    Addo       = 110, "addo", [OutI, I, I], [SETS_SIGNED, SETS_UNSIGNED];
    Addos      = 111, "addos", [OutI, I, I], [SETS_SIGNED, SETS_UNSIGNED];
    Subo       = 112, "subo", [OutI, I, I], [SETS_SIGNED, SETS_UNSIGNED];
    Subos      = 113, "subos", [OutI, I, I], [SETS_SIGNED, SETS_UNSIGNED];
    Mulo       = 114, "mulo", [OutI, I, I], [SETS_SIGNED];
    Mulos      = 115, "mulos", [OutI, I, I], [SETS_SIGNED];
    Umulo      = 116, "umulo", [OutI, I, I], [SETS_UNSIGNED];
    Umulos     = 117, "umulos", [OutI, I, I], [SETS_UNSIGNED];
    Jmp        = 118, "jmp", [Label], [BRANCH, TERMINATOR];
    Bt         = 119, "bt", [Label, I], [BRANCH];
    Bts        = 120, "bts", [Label, I], [BRANCH];
    Bf         = 121, "bf", [Label, I], [BRANCH];
    Bfs        = 122, "bfs", [Label, I], [BRANCH];
    Beq        = 123, "beq", [Label, I, I], [BRANCH];
    Beqs       = 124, "beqs", [Label, I, I], [BRANCH];
    Fbeq       = 125, "fbeq", [Label, F, F], [BRANCH];
    Dbeq       = 126, "dbeq", [Label, D, D], [BRANCH];
    Ldbeq      = 127, "ldbeq", [Label, L, L], [BRANCH] => Dbeq;
    Bne        = 128, "bne", [Label, I, I], [BRANCH];
    Bnes       = 129, "bnes", [Label, I, I], [BRANCH];
    Fbne       = 130, "fbne", [Label, F, F], [BRANCH];
    Dbne       = 131, "dbne", [Label, D, D], [BRANCH];
    Ldbne      = 132, "ldbne", [Label, L, L], [BRANCH] => Dbne;
    Blt        = 133, "blt", [Label, I, I], [BRANCH];
    Blts       = 134, "blts", [Label, I, I], [BRANCH];
    Ublt       = 135, "ublt", [Label, I, I], [BRANCH];
    Ublts      = 136, "ublts", [Label, I, I], [BRANCH];
    Fblt       = 137, "fblt", [Label, F, F], [BRANCH];
    Dblt       = 138, "dblt", [Label, D, D], [BRANCH];
    Ldblt      = 139, "ldblt", [Label, L, L], [BRANCH] => Dblt;
    Ble        = 140, "ble", [Label, I, I], [BRANCH];
    Bles       = 141, "bles", [Label, I, I], [BRANCH];
    Uble       = 142, "uble", [Label, I, I], [BRANCH];
    Ubles      = 143, "ubles", [Label, I, I], [BRANCH];
    Fble       = 144, "fble", [Label, F, F], [BRANCH];
    Dble       = 145, "dble", [Label, D, D], [BRANCH];
    Ldble      = 146, "ldble", [Label, L, L], [BRANCH] => Dble;
    Bgt        = 147, "bgt", [Label, I, I], [BRANCH];
    Bgts       = 148, "bgts", [Label, I, I], [BRANCH];
    Ubgt       = 149, "ubgt", [Label, I, I], [BRANCH];
    Ubgts      = 150, "ubgts", [Label, I, I], [BRANCH];
    Fbgt       = 151, "fbgt", [Label, F, F], [BRANCH];
    Dbgt       = 152, "dbgt", [Label, D, D], [BRANCH];
    Ldbgt      = 153, "ldbgt", [Label, L, L], [BRANCH] => Dbgt;
    Bge        = 154, "bge", [Label, I, I], [BRANCH];
    Bges       = 155, "bges", [Label, I, I], [BRANCH];
    Ubge       = 156, "ubge", [Label, I, I], [BRANCH];
    Ubges      = 157, "ubges", [Label, I, I], [BRANCH];
    Fbge       = 158, "fbge", [Label, F, F], [BRANCH];
    Dbge       = 159, "dbge", [Label, D, D], [BRANCH];
    Ldbge      = 160, "ldbge", [Label, L, L], [BRANCH] => Dbge;
    Bo         = 161, "bo", [Label], [BRANCH, TESTS_SIGNED];
    Ubo        = 162, "ubo", [Label], [BRANCH, TESTS_UNSIGNED];
    Bno        = 163, "bno", [Label], [BRANCH, TESTS_SIGNED];
    Ubno       = 164, "ubno", [Label], [BRANCH, TESTS_UNSIGNED];
    Laddr      = 165, "laddr", [OutI, Label], [];
    Jmpi       = 166, "jmpi", [I], [TERMINATOR];
    Call       = 167, "call", [], [CALL, VARIABLE];
    Inline     = 168, "inline", [], [CALL, VARIABLE];
    Jcall      = 169, "jcall", [], [TERMINATOR, CALL, VARIABLE];
    Switch     = 170, "switch", [], [TERMINATOR, BRANCH, VARIABLE];
    Ret        = 171, "ret", [], [TERMINATOR, VARIABLE];
    Jret       = 172, "jret", [I], [TERMINATOR];
    Alloca     = 173, "alloca", [OutI, I], [];
    Bstart     = 174, "bstart", [OutI], [];
    Bend       = 175, "bend", [I], [];
    VaArg      = 176, "va_arg", [OutI, I, Memory], [];
    VaBlockArg = 177, "va_block_arg", [I, I, I, I], [];
    VaStart    = 178, "va_start", [I], [];
    VaEnd      = 179, "va_end", [I], [];
    Label      = 180, "label", [], [INTERNAL];
    Unspec     = 181, "unspec", [], [INTERNAL];
    Prset      = 182, "prset", [Any, Constant], [];
    Prbeq      = 183, "prbeq", [Label, Variable, Constant], [BRANCH];
    Prbne      = 184, "prbne", [Label, Variable, Constant], [BRANCH];
    Use        = 185, "use", [], [INTERNAL];
    Phi        = 186, "phi", [], [INTERNAL];
    Invalid    = 187, "invalid-insn", [], [INTERNAL];
    AtomicLoad    = 188, "atomic_load", [OutI, Atomic, Order], [EXTENSION];
    AtomicStore   = 189, "atomic_store", [Atomic, I, Order], [EXTENSION];
    AtomicXchg    = 190, "atomic_xchg", [OutI, Atomic, I, Order], [EXTENSION];
    AtomicCmpxchg = 191, "atomic_cmpxchg", [OutI, Atomic, I, I, Order, Order], [EXTENSION];
    AtomicAdd     = 192, "atomic_add", [OutI, Atomic, I, Order], [EXTENSION];
    AtomicSub     = 193, "atomic_sub", [OutI, Atomic, I, Order], [EXTENSION];
    AtomicAnd     = 194, "atomic_and", [OutI, Atomic, I, Order], [EXTENSION];
    AtomicNand    = 195, "atomic_nand", [OutI, Atomic, I, Order], [EXTENSION];
    AtomicOr      = 196, "atomic_or", [OutI, Atomic, I, Order], [EXTENSION];
    AtomicXor     = 197, "atomic_xor", [OutI, Atomic, I, Order], [EXTENSION];
    AtomicMin     = 198, "atomic_min", [OutI, Atomic, I, Order], [EXTENSION];
    AtomicMax     = 199, "atomic_max", [OutI, Atomic, I, Order], [EXTENSION];
    Fence         = 200, "fence", [Order], [EXTENSION];
    Clz           = 201, "clz", [OutI, I], [EXTENSION], {Clz I64};
    Clzs          = 202, "clzs", [OutI, I], [EXTENSION], {Clz U32};
    Ctz           = 203, "ctz", [OutI, I], [EXTENSION], {Ctz I64};
    Ctzs          = 204, "ctzs", [OutI, I], [EXTENSION], {Ctz U32};
    Popcnt        = 205, "popcnt", [OutI, I], [EXTENSION], {Popcnt I64};
    Popcnts       = 206, "popcnts", [OutI, I], [EXTENSION], {Popcnt U32};
    Bswap         = 207, "bswap", [OutI, I], [EXTENSION], {Bswap I64};
    Bswaps        = 208, "bswaps", [OutI, I], [EXTENSION], {Bswap U32};
    Bswap16       = 209, "bswap16", [OutI, I], [EXTENSION], {Bswap U16};
    Bitrev        = 210, "bitrev", [OutI, I], [EXTENSION], {Bitrev I64};
    Bitrevs       = 211, "bitrevs", [OutI, I], [EXTENSION], {Bitrev U32};
    Rotl          = 212, "rotl", [OutI, I, I], [EXTENSION], {Rotl I64};
    Rotls         = 213, "rotls", [OutI, I, I], [EXTENSION], {Rotl U32};
    Rotr          = 214, "rotr", [OutI, I, I], [EXTENSION], {Rotr I64};
    Rotrs         = 215, "rotrs", [OutI, I, I], [EXTENSION], {Rotr U32};
    Min           = 216, "min", [OutI, I, I], [EXTENSION], {Min I64};
    Mins          = 217, "mins", [OutI, I, I], [EXTENSION], {Min I32};
    Umin          = 218, "umin", [OutI, I, I], [EXTENSION], {Min U64};
    Umins         = 219, "umins", [OutI, I, I], [EXTENSION], {Min U32};
    Max           = 220, "max", [OutI, I, I], [EXTENSION], {Max I64};
    Maxs          = 221, "maxs", [OutI, I, I], [EXTENSION], {Max I32};
    Umax          = 222, "umax", [OutI, I, I], [EXTENSION], {Max U64};
    Umaxs         = 223, "umaxs", [OutI, I, I], [EXTENSION], {Max U32};
    Fsqrt         = 224, "fsqrt", [OutF, F], [EXTENSION], {Sqrt F};
    Dsqrt         = 225, "dsqrt", [OutD, D], [EXTENSION], {Sqrt D};
    Fcopysign     = 226, "fcopysign", [OutF, F, F], [EXTENSION], {Copysign F};
    Dcopysign     = 227, "dcopysign", [OutD, D, D], [EXTENSION], {Copysign D};
    Ffloor        = 228, "ffloor", [OutF, F], [EXTENSION], {Floor F};
    Dfloor        = 229, "dfloor", [OutD, D], [EXTENSION], {Floor D};
    Fceil         = 230, "fceil", [OutF, F], [EXTENSION], {Ceil F};
    Dceil         = 231, "dceil", [OutD, D], [EXTENSION], {Ceil D};
    Ftrunc        = 232, "ftrunc", [OutF, F], [EXTENSION], {Trunc F};
    Dtrunc        = 233, "dtrunc", [OutD, D], [EXTENSION], {Trunc D};
    Fnearest      = 234, "fnearest", [OutF, F], [EXTENSION], {Nearest F};
    Dnearest      = 235, "dnearest", [OutD, D], [EXTENSION], {Nearest D};
    Fmin          = 236, "fmin", [OutF, F, F], [EXTENSION], {Fmin F};
    Dmin          = 237, "dmin", [OutD, D, D], [EXTENSION], {Fmin D};
    Fmax          = 238, "fmax", [OutF, F, F], [EXTENSION], {Fmax F};
    Dmax          = 239, "dmax", [OutD, D, D], [EXTENSION], {Fmax D};
    Ffma          = 240, "ffma", [OutF, F, F, F], [EXTENSION], {Fma F};
    Dfma          = 241, "dfma", [OutD, D, D, D], [EXTENSION], {Fma D};
    // Never in files, so that their numbers may change.
    Ensure        = 242, "ensure", [I, I, Constant, I], [INTERNAL];
    Reach         = 243, "reach", [OutI, Memory, I, I, Constant, Constant], [INTERNAL];
}

impl Code {
    const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the instruction of this number, if there is one.
    #[must_use]
    pub fn from_number(number: u64) -> Option<Code> {
        Code::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns the instruction's number in binary files.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns the instruction of this name in text, the internal ones included.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Option<Code> {
        let found = BY_NAME
            .binary_search_by(|&code| Code::ALL[code as usize].name().as_bytes().cmp(name))
            .ok()?;
        Code::from_number(u64::from(BY_NAME[found]))
    }

    /// Returns the instruction's name in text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns the modes of the operands; none for instructions with a variable number, see
    /// [`Code::mode`].
    #[must_use]
    pub const fn modes(self) -> &'static [Mode] {
        self.row().modes.as_slice()
    }

    /// Returns the mode of operand number `index`, those of `switch` included. Operands of calls
    /// and `ret` depend on the prototype and the function and are [`Mode::Any`] here.
    #[must_use]
    pub fn mode(self, index: usize) -> Mode {
        match self {
            Code::Switch if index == 0 => Mode::I,
            Code::Switch => Mode::Label,
            _ => self.modes().get(index).copied().unwrap_or(Mode::Any),
        }
    }

    /// Returns the effects of the instruction beyond computing.
    #[must_use]
    pub const fn flags(self) -> Flags {
        self.row().flags
    }

    /// Returns whether the number of operands varies: calls, `switch` and `ret`.
    #[must_use]
    pub const fn is_variable(self) -> bool {
        self.flags().contains(Flags::VARIABLE)
    }

    /// Returns whether the instruction ends a basic block, as labels do that something refers to.
    #[must_use]
    pub const fn ends_block(self) -> bool {
        self.flags()
            .intersects(Flags::BRANCH.union(Flags::TERMINATOR))
    }

    /// Returns whether the C implementation of the language does not have the instruction.
    #[must_use]
    pub const fn is_extension(self) -> bool {
        self.flags().contains(Flags::EXTENSION)
    }

    /// Returns whether this is an atomic access of memory: `fence` is none.
    #[must_use]
    pub const fn is_atomic(self) -> bool {
        self.number() >= Code::AtomicLoad.number() && self.number() <= Code::AtomicMax.number()
    }

    /// Returns whether this is `call`, `inline` or `jcall`.
    #[must_use]
    pub const fn is_call(self) -> bool {
        self.flags().contains(Flags::CALL)
    }

    /// Returns the instruction that replaces this one on targets where long double is double.
    #[must_use]
    pub const fn as_double(self) -> Code {
        match self.row().double {
            Some(code) => code,
            None => self,
        }
    }
}

/// The numbers of all instructions, sorted by name at compile time.
static BY_NAME: [u8; Code::COUNT] = sorted_by_name();

/// Inserts each number at the place that a binary search finds: every build of the crate computes
/// this, and comparing names is what takes the compiler's evaluator long.
const fn sorted_by_name() -> [u8; Code::COUNT] {
    let mut sorted = [0; Code::COUNT];
    let mut count = 0;
    while count < Code::COUNT {
        let name = NAMES[count].as_bytes();
        let (mut place, mut end) = (0, count);
        while place < end {
            let middle = usize::midpoint(place, end);
            if precedes(name, NAMES[sorted[middle] as usize].as_bytes()) {
                end = middle;
            } else {
                place = middle + 1;
            }
        }
        let mut moved = count;
        while moved > place {
            sorted[moved] = sorted[moved - 1];
            moved -= 1;
        }
        sorted[place] = count as u8;
        count += 1;
    }
    sorted
}

const fn precedes(left: &[u8], right: &[u8]) -> bool {
    let mut index = 0;
    while index < left.len() && index < right.len() {
        if left[index] != right[index] {
            return left[index] < right[index];
        }
        index += 1;
    }
    left.len() < right.len()
}

/// The lowest address of a confined program's memory, from which `reach` counts.
pub(crate) const LOWEST_ADDRESS: i64 = 4096;

/// The names of the C functions that may return a second time. Variables of their callers then keep
/// the values that they were assigned in between.
pub const SET_JUMPS: [&[u8]; 4] = [b"setjmp", b"_setjmp", b"sigsetjmp", b"__sigsetjmp"];

/// The beginning of the names of prototypes by which calls give up the frame of their function, if
/// nothing but the return of their results follows: [`Module::is_tail_call`](super::Module).
pub const TAIL_CALL: &str = "$tail";

/// The name of functions whose calls compiled code replaces by the address that the caller of
/// them returns to. The name is that of a function of the module, which says what other engines
/// give.
pub const RETURN_ADDRESS: &str = "$return_address";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_names_are_found() {
        for (number, code) in Code::ALL.into_iter().enumerate() {
            assert_eq!(code as usize, number);
            assert_eq!(Code::from_name(code.name().as_bytes()), Some(code));
            assert_eq!(Code::from_number(number as u64), Some(code));
        }
        assert_eq!(
            (
                Code::COUNT,
                Code::from_number(244),
                Code::from_name(b"umul")
            ),
            (244, None, None)
        );
    }
}
