//! Opcodes: the one table of generic instructions, and the numbers of target instructions.

use bitflags::bitflags;
use core::ops::Range;

/// An opcode: generic, or a row of the target's instruction table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Opcode(u16);

/// The first number of target opcodes.
const TARGET: u16 = 256;

impl Opcode {
    /// Returns the opcode of the target instruction of this row.
    #[must_use]
    pub const fn target(row: u16) -> Opcode {
        Opcode(TARGET + row)
    }

    /// Returns the generic instruction, if it is one.
    #[must_use]
    pub fn generic(self) -> Option<Generic> {
        Generic::ALL.get(usize::from(self.0)).copied()
    }

    /// Returns the row of the target's instruction table, if it is one.
    #[must_use]
    pub const fn row(self) -> Option<usize> {
        match self.0.checked_sub(TARGET) {
            Some(row) => Some(row as usize),
            None => None,
        }
    }
}

bitflags! {
    /// The facts about a generic instruction on which passes rely.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Facts: u16 {
        /// It can be folded at compile time if it has two integers: see [`crate::num::fold`].
        const COMPUTED = 1 << 0;
        /// It is commutative in its two sources.
        const COMMUTES = 1 << 1;
        /// Its one result depends on its operands alone, so that equal ones can be value-numbered.
        const SHARED = 1 << 2;
        /// It may be hoisted: its result is worth a register through a whole loop, and computing it
        /// before the loop is harmless. A division, which the loop might never reach, is not.
        const HOISTED = 1 << 3;
        /// It is so cheap that it may be computed speculatively.
        const CHEAP = 1 << 4;
        /// Rematerialising its result costs less than keeping it in a register between blocks.
        const FREE = 1 << 5;
        /// It reads memory.
        const LOADS = 1 << 6;
        /// Its result lies in the frame if its type is a long double.
        const LONG_DOUBLE = 1 << 7;
        /// It changes memory or the stack, or decides where control goes.
        const EFFECT = 1 << 8;
        /// It is one of the property instructions.
        const PROPERTY = 1 << 9;
        /// It ends a block.
        const TERMINATOR = 1 << 10;
        /// Control never continues after it.
        const BARRIER = 1 << 11;
        /// It branches to blocks that it names.
        const TO_BLOCKS = 1 << 12;
        /// It branches to the address of a block of the function.
        const TO_ADDRESS = 1 << 13;
        /// It leaves the function.
        const LEAVES = 1 << 14;
        /// It calls a function.
        const CALLS = 1 << 15;

        /// A conditional branch.
        const BRANCH = Self::TO_BLOCKS.bits() | Self::TERMINATOR.bits() | Self::EFFECT.bits();
        /// A jump to one of the blocks that it names.
        const JUMP = Self::BRANCH.bits() | Self::BARRIER.bits();
        /// A jump to the address of a block.
        const INDIRECT = Self::TO_ADDRESS.bits()
            | Self::TERMINATOR.bits()
            | Self::BARRIER.bits()
            | Self::EFFECT.bits();
        /// A return, or a tail call.
        const RETURN = Self::LEAVES.bits()
            | Self::TERMINATOR.bits()
            | Self::BARRIER.bits()
            | Self::EFFECT.bits();
        /// A call, after which control continues.
        const CALL = Self::CALLS.bits() | Self::EFFECT.bits();
        /// A branch on a property: a branch without the fact `EFFECT`.
        const PROPERTY_BRANCH =
            Self::PROPERTY.bits() | Self::TO_BLOCKS.bits() | Self::TERMINATOR.bits();
    }
}

impl From<Generic> for Opcode {
    fn from(generic: Generic) -> Opcode {
        Opcode(generic as u16)
    }
}

impl core::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.generic() {
            Some(generic) => f.write_str(generic.name()),
            None => write!(f, "target{}", self.0.wrapping_sub(TARGET)),
        }
    }
}

/// Makes the enum of the generic instructions and their facts from the rows below.
macro_rules! table {
    ($($(#[$doc:meta])* $variant:ident $name:literal $defs:literal $from:literal..$to:literal
        [$($fact:ident)*];)*) => {
        /// A generic instruction. The type below is the instruction's own; `d` is written, `a b`
        /// are read.
        ///
        /// An *address* is four operands: base (register, frame object, constant, symbol or none),
        /// index (register or none), scale (immediate: 1, 2, 4, 8 or any other), displacement
        /// (immediate).
        ///
        /// Integer instructions take registers of the general bank; any source may be an immediate
        /// instead. Instructions of a long double type take frame objects or constants where others
        /// take floating registers.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub enum Generic {
            $($(#[$doc])* $variant,)*
        }

        impl Generic {
            /// All generic instructions, in the order of their numbers.
            pub const ALL: &[Generic] = &[$(Generic::$variant),*];

            /// Returns LLVM's name for it, or a name in LLVM's style if LLVM has none.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Generic::$variant => $name,)* }
            }

            /// Returns how many of the first operands are written, if they are registers.
            #[must_use]
            pub const fn defs(self) -> usize {
                match self { $(Generic::$variant => $defs,)* }
            }

            /// Returns the numbers of the operands that optimisation may make immediates.
            #[must_use]
            pub const fn immediates(self) -> Range<usize> {
                match self { $(Generic::$variant => $from..$to,)* }
            }

            /// Returns the facts about it.
            #[must_use]
            pub const fn facts(self) -> Facts {
                const FACTS: &[Facts] = &[$(Facts::empty()$(.union(Facts::$fact))*),*];
                FACTS[self as usize]
            }
        }
    };
}

impl Generic {
    /// Returns whether one of these facts is true of it.
    #[must_use]
    pub const fn is(self, fact: Facts) -> bool {
        self.facts().intersects(fact)
    }

    /// Returns whether it ends a block.
    #[must_use]
    pub const fn is_terminator(self) -> bool {
        self.is(Facts::TERMINATOR)
    }

    /// Returns whether it is an atomic instruction, a fence included.
    #[must_use]
    pub const fn is_atomic(self) -> bool {
        self as u16 >= Generic::AtomicLoad as u16 && self as u16 <= Generic::Fence as u16
    }

    /// Returns whether it is one of the property instructions.
    #[must_use]
    pub const fn is_property(self) -> bool {
        self.is(Facts::PROPERTY)
    }

    /// Returns whether target instructions are selected for it; the others stay as they are.
    #[must_use]
    pub const fn is_selected(self) -> bool {
        !matches!(self, Generic::Copy) && !self.is_property()
    }
}

// The columns: name, LLVM's name, number of operands written, operands that may become immediates,
// facts.
table! {
    /// `d, a`: d = a, of registers of one bank. Besides the property instructions, it is the only
    /// generic instruction that register allocation sees.
    Copy "COPY"                      1 1..2 [CHEAP];
    /// `d, a, block, b, block ...`: d = the value that belongs to the block that control came from.
    /// At the start of a block.
    Phi "PHI"                        1 0..0 [];
    /// `d`: any value.
    ImplicitDef "IMPLICIT_DEF"       1 0..0 [];
    /// `d, imm`: an integer of 64 bits.
    Constant "G_CONSTANT"            1 0..0 [CHEAP];
    /// `d, imm`: the float or double (by the type) of these bits.
    FConstant "G_FCONSTANT"          1 0..0 [SHARED FREE];
    /// `d, symbol`: the address of something outside the function.
    GlobalValue "G_GLOBAL_VALUE"     1 0..0 [SHARED HOISTED FREE];
    /// `d, frame, imm`: the address of a frame object plus the immediate.
    FrameIndex "G_FRAME_INDEX"       1 0..0 [SHARED HOISTED FREE];
    /// `d, block`: the address of a block.
    BlockAddr "G_BLOCK_ADDR"         1 0..0 [];
    /// `d, address`: d = memory of the type, 32 or 64 bits, into either bank; upper bits undefined.
    Load "G_LOAD"                    1 0..0 [LOADS];
    /// `d, address`: d = memory of the type, sign-extended to 64 bits.
    SextLoad "G_SEXTLOAD"            1 0..0 [LOADS];
    /// `d, address`: d = memory of the type, zero-extended to 64 bits.
    ZextLoad "G_ZEXTLOAD"            1 0..0 [LOADS];
    /// `a, address`: memory of the type = a, of either bank; a may be an immediate.
    Store "G_STORE"                  0 0..1 [EFFECT];
    /// `d, p, order`: d = memory of the type at the address p, a multiple of its size; the upper
    /// bits are undefined. The immediate of atomic instructions is the number of an
    /// [`Order`](crate::ir::Order).
    AtomicLoad "G_ATOMIC_LOAD"       1 0..0 [LOADS EFFECT];
    /// `a, p, order`: memory of the type = a.
    AtomicStore "G_ATOMIC_STORE"     0 0..0 [EFFECT];
    /// `d, p, a, b, order`: d = memory of the type, which becomes b if it is a.
    AtomicCmpxchg "G_ATOMIC_CMPXCHG" 1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: d = memory of the type, which becomes a. This and those that follow are
    /// selected only where `Description::has_atomic` returns true.
    AtomicXchg "G_ATOMICRMW_XCHG"    1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: d = memory of the type, which becomes d + a.
    AtomicAdd "G_ATOMICRMW_ADD"      1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: d = memory of the type, which becomes d & a.
    AtomicAnd "G_ATOMICRMW_AND"      1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: d = memory of the type, which becomes d | a.
    AtomicOr "G_ATOMICRMW_OR"        1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: d = memory of the type, which becomes d ^ a.
    AtomicXor "G_ATOMICRMW_XOR"      1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: d = memory of the type, which becomes the lesser of d and a, signed.
    AtomicMin "G_ATOMICRMW_MIN"      1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: d = memory of the type, which becomes the greater of d and a, signed.
    AtomicMax "G_ATOMICRMW_MAX"      1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: as `AtomicMin`, unsigned.
    AtomicUmin "G_ATOMICRMW_UMIN"    1 0..0 [LOADS EFFECT];
    /// `d, p, a, order`: as `AtomicMax`, unsigned.
    AtomicUmax "G_ATOMICRMW_UMAX"    1 0..0 [LOADS EFFECT];
    /// `order`: what is before it stays before what is after it, as the order says.
    Fence "G_FENCE"                  0 0..0 [EFFECT];
    /// `d, a, imm`: the low imm bits of a (8, 16, 32), sign-extended to 64.
    SextInreg "G_SEXT_INREG"         1 1..2 [SHARED HOISTED CHEAP];
    /// `d, a, imm`: the low imm bits of a (8, 16, 32), zero-extended to 64.
    ZextInreg "G_ZEXT_INREG"         1 1..2 [SHARED HOISTED CHEAP];
    /// `d, a, b`
    Add "G_ADD"                      1 1..3 [COMPUTED COMMUTES SHARED HOISTED CHEAP];
    /// `d, a, b`
    Sub "G_SUB"                      1 1..3 [COMPUTED SHARED HOISTED CHEAP];
    /// `d, a, b`
    Mul "G_MUL"                      1 1..3 [COMPUTED COMMUTES SHARED HOISTED];
    /// `d, a, b`, 64 bits: the high half of the signed product.
    Smulh "G_SMULH"                  1 0..0 [SHARED HOISTED];
    /// `d, a, b`, 64 bits, or 32 on targets for which `Description::has` returns true: the high
    /// half of the unsigned product.
    Umulh "G_UMULH"                  1 0..0 [SHARED HOISTED];
    /// `d, a, b`: b is not 0; if `Description::division_traps`, nor is it -1 with the most negative
    /// a.
    Sdiv "G_SDIV"                    1 1..3 [SHARED];
    /// `d, a, b`: as `Sdiv`.
    Udiv "G_UDIV"                    1 1..3 [SHARED];
    /// `d, a, b`: as `Sdiv`.
    Srem "G_SREM"                    1 1..3 [SHARED];
    /// `d, a, b`: as `Sdiv`.
    Urem "G_UREM"                    1 1..3 [SHARED];
    /// `d, a, b`
    And "G_AND"                      1 1..3 [COMPUTED COMMUTES SHARED HOISTED CHEAP];
    /// `d, a, b`
    Or "G_OR"                        1 1..3 [COMPUTED COMMUTES SHARED HOISTED CHEAP];
    /// `d, a, b`
    Xor "G_XOR"                      1 1..3 [COMPUTED COMMUTES SHARED HOISTED CHEAP];
    /// `d, a, b`: b is taken modulo the width.
    Shl "G_SHL"                      1 1..3 [COMPUTED SHARED HOISTED CHEAP];
    /// `d, a, b`: b is taken modulo the width.
    Lshr "G_LSHR"                    1 1..3 [COMPUTED SHARED HOISTED CHEAP];
    /// `d, a, b`: b is taken modulo the width.
    Ashr "G_ASHR"                    1 1..3 [COMPUTED SHARED HOISTED CHEAP];
    /// `d, a, b`: the bits of a rotated to the left; b is taken modulo the width. Only on targets
    /// for which `Description::has` returns true.
    Rotl "G_ROTL"                    1 0..0 [SHARED HOISTED];
    /// `d, a`: the number of zeros above the highest one, the width for 0. This and the four that
    /// follow only on targets for which `Description::has` returns true.
    Ctlz "G_CTLZ"                    1 0..0 [SHARED HOISTED];
    /// `d, a`: the number of zeros below the lowest one, the width for 0.
    Cttz "G_CTTZ"                    1 0..0 [SHARED HOISTED];
    /// `d, a`: the number of ones.
    Ctpop "G_CTPOP"                  1 0..0 [SHARED HOISTED];
    /// `d, a`: the bytes in reverse order.
    Bswap "G_BSWAP"                  1 0..0 [SHARED HOISTED];
    /// `d, a`: the bits in reverse order.
    Bitreverse "G_BITREVERSE"        1 0..0 [SHARED HOISTED];
    /// `d, o, a, b`: d = a + b; o = 1 in 64 bits if the signed sum overflows, else 0.
    Saddo "G_SADDO"                  2 2..4 [];
    /// `d, o, a, b`: d = a + b; o likewise for the unsigned sum.
    Uaddo "G_UADDO"                  2 2..4 [];
    /// `d, o, a, b`: d = a - b, signed.
    Ssubo "G_SSUBO"                  2 2..4 [];
    /// `d, o, a, b`: d = a - b, unsigned.
    Usubo "G_USUBO"                  2 2..4 [];
    /// `d, o, a, b`: d = a * b, signed.
    Smulo "G_SMULO"                  2 0..0 [];
    /// `d, o, a, b`: d = a * b, unsigned.
    Umulo "G_UMULO"                  2 0..0 [];
    /// `d, predicate, a, b`: compares integers of the type, 32 or 64 bits; d = 0 or 1 in 64 bits.
    Icmp "G_ICMP"                    1 2..4 [SHARED HOISTED];
    /// `d, predicate, a, b`: compares floats of the type; d = 0 or 1 in 64 bits.
    Fcmp "G_FCMP"                    1 0..0 [SHARED];
    /// `d, predicate, a, b, x, y`: d = x if the comparison of a and b, integers of the type, holds,
    /// else y; x, y and d have 64 bits. Only on targets for which `Description::has` returns true.
    Select "G_SELECT_ICMP"           1 2..4 [SHARED HOISTED];
    /// `predicate, a, b, block`: branches to the block if the comparison holds.
    BrIcmp "G_BR_ICMP"               0 1..3 [BRANCH];
    /// `predicate, a, b, block`: branches to the block if the comparison of floats holds.
    BrFcmp "G_BR_FCMP"               0 0..0 [BRANCH];
    /// `block`: branches to the block.
    Br "G_BR"                        0 0..0 [JUMP];
    /// `a, table`: branches to the block of number a, which is within the table.
    Brjt "G_BRJT"                    0 0..0 [JUMP];
    /// `a`, then an optional mask: branches to the address of a block for which
    /// [`super::Block::address_taken`] is true; with a mask, registers change on the path there as
    /// in a call.
    Brindirect "G_BRINDIRECT"        0 0..0 [INDIRECT];
    /// `a, mask, then implicit uses`: jumps to an address outside the function, after the
    /// epilogue. Where a function begins there, the mask says what it preserves.
    TailJump "G_TAIL_JUMP"           0 0..0 [RETURN];
    /// `a (register or symbol), mask, then implicit uses and definitions`: calls a function.
    Call "G_CALL"                    0 0..0 [CALL];
    /// `implicit uses`: returns from the function.
    Ret "G_RET"                      0 0..0 [RETURN];
    /// `d, a, b`
    Fadd "G_FADD"                    1 0..0 [SHARED LONG_DOUBLE];
    /// `d, a, b`
    Fsub "G_FSUB"                    1 0..0 [SHARED LONG_DOUBLE];
    /// `d, a, b`
    Fmul "G_FMUL"                    1 0..0 [SHARED LONG_DOUBLE];
    /// `d, a, b`
    Fdiv "G_FDIV"                    1 0..0 [SHARED LONG_DOUBLE];
    /// `d, a`: d = a with its sign flipped, even of zeros and NaNs.
    Fneg "G_FNEG"                    1 0..0 [SHARED LONG_DOUBLE];
    /// `d, a`: the square root.
    Fsqrt "G_FSQRT"                  1 0..0 [SHARED];
    /// `d, a, b`: d = a with the sign of b, even of NaNs.
    Fcopysign "G_FCOPYSIGN"          1 0..0 [SHARED];
    /// `d, a, b, c`: d = a * b + c, rounded once. This and those that follow up to `Fmaximumnum`
    /// only on targets for which `Description::has` returns true.
    Fma "G_FMA"                      1 0..0 [SHARED];
    /// `d, a`: a rounded to an integer toward negative infinity.
    Ffloor "G_FFLOOR"                1 0..0 [SHARED];
    /// `d, a`: a rounded to an integer toward positive infinity.
    Fceil "G_FCEIL"                  1 0..0 [SHARED];
    /// `d, a`: a rounded to an integer toward zero.
    Ftrunc "G_INTRINSIC_TRUNC"       1 0..0 [SHARED];
    /// `d, a`: a rounded to the nearest integer, ties to even.
    Froundeven "G_INTRINSIC_ROUNDEVEN" 1 0..0 [SHARED];
    /// `d, a, b`: the lesser of a and b, -0 before +0; of a number and a NaN the number.
    Fminimumnum "G_FMINIMUMNUM"      1 0..0 [SHARED];
    /// `d, a, b`: the greater one, likewise.
    Fmaximumnum "G_FMAXIMUMNUM"      1 0..0 [SHARED];
    /// `d, a, imm`: extends to the instruction's type from the narrower floating type of imm bits.
    Fpext "G_FPEXT"                  1 0..0 [SHARED LONG_DOUBLE];
    /// `d, a, imm`: rounds to the instruction's type from the wider floating type of imm bits.
    Fptrunc "G_FPTRUNC"              1 0..0 [SHARED LONG_DOUBLE];
    /// `d, a`: the bits of a, in a register of the other bank: one of them an integer, the other a
    /// float of the type. The upper bits of an integer of 32 bits are undefined. One of 32 bits
    /// only on targets for which `Description::has` returns true.
    Bitcast "G_BITCAST"              1 0..0 [SHARED];
    /// `d, a`: 64-bit integer d from a float of the instruction's type, toward zero, saturating;
    /// NaN becomes 0.
    FptosiSat "G_FPTOSI_SAT"         1 0..0 [SHARED];
    /// `d, a`: float d of the instruction's type from a signed 64-bit integer, to nearest even.
    Sitofp "G_SITOFP"                1 0..0 [SHARED LONG_DOUBLE];
    /// `d, a`: float d of the instruction's type from an unsigned 64-bit integer, to nearest even.
    Uitofp "G_UITOFP"                1 0..0 [SHARED LONG_DOUBLE];
    /// `d, imm`: stores the long double result number imm of the call before (x87: in st0) in the
    /// frame object d.
    TakeResult "G_TAKE_RESULT"       1 0..0 [EFFECT];
    /// `a, imm`: makes the frame object a the long double result number imm of the return that
    /// follows.
    GiveResult "G_GIVE_RESULT"       0 0..0 [EFFECT];
    /// `d, a`: lowers the stack pointer by a bytes, a multiple of the target's `alloca` alignment
    /// (register or immediate); d = the start of the new area, above the area for outgoing
    /// arguments, whose size `frame` fills in.
    DynStackalloc "G_DYN_STACKALLOC" 1 0..0 [EFFECT];
    /// `d`: d = the stack pointer.
    Stacksave "G_STACKSAVE"          1 0..0 [EFFECT];
    /// `a`: the stack pointer = a.
    Stackrestore "G_STACKRESTORE"    0 0..0 [EFFECT];
    /// `imm, imm`: the property of the variable of the first number becomes the second. The
    /// property instructions have no code and stay to the end, as the lazy compilation of blocks
    /// follows properties from one block to the next.
    PropertySet "G_PROPERTY_SET"     0 0..0 [PROPERTY];
    /// `imm, imm`: the property of the variable of the first number becomes that of the second.
    PropertyMove "G_PROPERTY_MOVE"   0 0..0 [PROPERTY];
    /// `predicate, imm, imm, block`: branches to the block if the property of the variable of the
    /// first number and the second are equal or, by the predicate, not equal.
    PropertyBranch "G_PROPERTY_BRANCH" 0 0..0 [PROPERTY_BRANCH];
    /// `d, a`: d = a, where d is the register of `Description::count_register`. Only on targets
    /// that have one.
    SetCount "G_SET_COUNT"           1 0..0 [];
}
