//! Opcodes: the one table of generic instructions, and the numbers of the target's.

/// An opcode: generic, or a row of the target's instruction table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Opcode(u16);

/// The first number of the target's opcodes.
const TARGET: u16 = 256;

impl Opcode {
    /// The target's instruction of this row.
    #[must_use]
    pub const fn target(row: u16) -> Opcode {
        Opcode(TARGET + row)
    }

    /// The generic instruction, if it is one.
    #[must_use]
    pub fn generic(self) -> Option<Generic> {
        Generic::ALL.get(usize::from(self.0)).copied()
    }

    /// The row of the target's instruction table, if it is one.
    #[must_use]
    pub const fn row(self) -> Option<usize> {
        match self.0.checked_sub(TARGET) {
            Some(row) => Some(row as usize),
            None => None,
        }
    }
}

impl Generic {
    /// Whether it is about properties.
    #[must_use]
    pub const fn is_property(self) -> bool {
        matches!(
            self,
            Generic::PropertySet | Generic::PropertyMove | Generic::PropertyBranch
        )
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

macro_rules! table {
    ($($(#[$doc:meta])* $variant:ident $name:literal $defs:literal $terminator:literal;)*) => {
        /// A generic instruction. The type below is the instruction's own; `d` is written, `a b` are read.
        ///
        /// An *address* is four operands: base (register, frame object, constant, symbol or none), index (register or
        /// none), scale (immediate: 1, 2, 4, 8 or any other), displacement (immediate).
        ///
        /// Integer instructions take registers of the general bank; any source may be an immediate instead. Instructions
        /// of a long double type take frame objects or constants where others take floating registers.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub enum Generic {
            $($(#[$doc])* $variant,)*
        }

        impl Generic {
            const ALL: &[Generic] = &[$(Generic::$variant),*];

            /// LLVM's name for it, or a name like LLVM's where it has none.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Generic::$variant => $name,)* }
            }

            /// How many of the first operands are written, those that are registers.
            #[must_use]
            pub const fn defs(self) -> usize {
                match self { $(Generic::$variant => $defs,)* }
            }

            /// Whether it ends a block.
            #[must_use]
            pub const fn is_terminator(self) -> bool {
                match self { $(Generic::$variant => $terminator,)* }
            }
        }
    };
}

table! {
    /// `d, a`: d = a, of registers of one bank. The only generic instruction that allocation sees, but for those of
    /// properties.
    Copy "COPY" 1 false;
    /// `d, a, block, b, block ...`: d = what comes with the block that control came from. At the start of a block.
    Phi "PHI" 1 false;
    /// `d`: any value.
    ImplicitDef "IMPLICIT_DEF" 1 false;
    /// `d, imm`: an integer of 64 bits.
    Constant "G_CONSTANT" 1 false;
    /// `d, imm`: a float or double (by the type), given by its bits.
    FConstant "G_FCONSTANT" 1 false;
    /// `d, symbol`: the address of something outside the function.
    GlobalValue "G_GLOBAL_VALUE" 1 false;
    /// `d, frame, imm`: the address of a frame object plus the immediate.
    FrameIndex "G_FRAME_INDEX" 1 false;
    /// `d, block`: the address of a block.
    BlockAddr "G_BLOCK_ADDR" 1 false;
    /// `d, address`: d = memory of the type, 32 or 64 bits, into either bank; upper bits undefined.
    Load "G_LOAD" 1 false;
    /// `d, address`: d = memory of the type, sign-extended to 64 bits.
    SextLoad "G_SEXTLOAD" 1 false;
    /// `d, address`: d = memory of the type, zero-extended to 64 bits.
    ZextLoad "G_ZEXTLOAD" 1 false;
    /// `a, address`: memory of the type = a, of either bank; a may be an immediate.
    Store "G_STORE" 0 false;
    /// `d, a, imm`: the low imm bits of a (8, 16, 32), sign-extended to 64.
    SextInreg "G_SEXT_INREG" 1 false;
    /// `d, a, imm`: the low imm bits of a (8, 16, 32), zero-extended to 64.
    ZextInreg "G_ZEXT_INREG" 1 false;
    /// `d, a, b`
    Add "G_ADD" 1 false;
    /// `d, a, b`
    Sub "G_SUB" 1 false;
    /// `d, a, b`
    Mul "G_MUL" 1 false;
    /// `d, a, b`, 64 bits: the high half of the signed product.
    Smulh "G_SMULH" 1 false;
    /// `d, a, b`, 64 bits, or 32 where `Isa::has` says so: the high half of the unsigned product.
    Umulh "G_UMULH" 1 false;
    /// `d, a, b`: b is not 0; if `Isa::division_traps`, nor is it -1 with the most negative a.
    Sdiv "G_SDIV" 1 false;
    /// `d, a, b`: as `Sdiv`.
    Udiv "G_UDIV" 1 false;
    /// `d, a, b`: as `Sdiv`.
    Srem "G_SREM" 1 false;
    /// `d, a, b`: as `Sdiv`.
    Urem "G_UREM" 1 false;
    /// `d, a, b`
    And "G_AND" 1 false;
    /// `d, a, b`
    Or "G_OR" 1 false;
    /// `d, a, b`
    Xor "G_XOR" 1 false;
    /// `d, a, b`: b counts modulo the width.
    Shl "G_SHL" 1 false;
    /// `d, a, b`: b counts modulo the width.
    Lshr "G_LSHR" 1 false;
    /// `d, a, b`: b counts modulo the width.
    Ashr "G_ASHR" 1 false;
    /// `d, a, b`: the bits of a rotated to the left; b counts modulo the width. Only where `Isa::has` says so.
    Rotl "G_ROTL" 1 false;
    /// `d, o, a, b`: d = a + b; o = 0 or 1 in 64 bits, whether it overflows as signed.
    Saddo "G_SADDO" 2 false;
    /// `d, o, a, b`: likewise unsigned.
    Uaddo "G_UADDO" 2 false;
    /// `d, o, a, b`: d = a - b, signed.
    Ssubo "G_SSUBO" 2 false;
    /// `d, o, a, b`: d = a - b, unsigned.
    Usubo "G_USUBO" 2 false;
    /// `d, o, a, b`: d = a * b, signed.
    Smulo "G_SMULO" 2 false;
    /// `d, o, a, b`: d = a * b, unsigned.
    Umulo "G_UMULO" 2 false;
    /// `d, predicate, a, b`: compares integers of the type, 32 or 64 bits; d = 0 or 1 in 64 bits.
    Icmp "G_ICMP" 1 false;
    /// `d, predicate, a, b`: compares floats of the type; d = 0 or 1 in 64 bits.
    Fcmp "G_FCMP" 1 false;
    /// `d, predicate, a, b, x, y`: d = x if the comparison of a and b, integers of the type, holds, else y; x, y and d have
    /// 64 bits. Only where `Isa::has` says so.
    Select "G_SELECT_ICMP" 1 false;
    /// `predicate, a, b, block`: goes to the block if the comparison holds, else on.
    BrIcmp "G_BR_ICMP" 0 true;
    /// `predicate, a, b, block`: likewise with floats.
    BrFcmp "G_BR_FCMP" 0 true;
    /// `block`: goes there.
    Br "G_BR" 0 true;
    /// `a, table`: goes to the block of number a, which is within the table.
    Brjt "G_BRJT" 0 true;
    /// `a`, perhaps a mask: goes to the address of a block, by [`super::Block::address_taken`] one of those; with a mask
    /// on the way to there registers change as in a call.
    Brindirect "G_BRINDIRECT" 0 true;
    /// `a`: jumps to an address outside the function, whose frame is given up before.
    TailJump "G_TAIL_JUMP" 0 true;
    /// `a (register or symbol), mask, then implicit uses and definitions`: calls.
    Call "G_CALL" 0 false;
    /// `implicit uses`: returns.
    Ret "G_RET" 0 true;
    /// `d, a, b`
    Fadd "G_FADD" 1 false;
    /// `d, a, b`
    Fsub "G_FSUB" 1 false;
    /// `d, a, b`
    Fmul "G_FMUL" 1 false;
    /// `d, a, b`
    Fdiv "G_FDIV" 1 false;
    /// `d, a`: the sign flipped, of zeros and NaNs too.
    Fneg "G_FNEG" 1 false;
    /// `d, a, imm`: to the instruction's type from the narrower floating type of imm bits.
    Fpext "G_FPEXT" 1 false;
    /// `d, a, imm`: to the instruction's type from the wider floating type of imm bits.
    Fptrunc "G_FPTRUNC" 1 false;
    /// `d, a`: 64-bit integer d from a float of the instruction's type, toward zero, saturating, NaN gives 0.
    FptosiSat "G_FPTOSI_SAT" 1 false;
    /// `d, a`: float d of the instruction's type from a signed 64-bit integer, to nearest even.
    Sitofp "G_SITOFP" 1 false;
    /// `d, a`: float d of the instruction's type from an unsigned 64-bit integer, to nearest even.
    Uitofp "G_UITOFP" 1 false;
    /// `d, imm`: takes the long double result number imm of the call before (x87: in st0) into the frame object d.
    TakeResult "G_TAKE_RESULT" 1 false;
    /// `a, imm`: makes the frame object a the long double result number imm of the return that follows.
    GiveResult "G_GIVE_RESULT" 0 false;
    /// `d, a`: lowers the stack pointer by a bytes, a multiple of the target's `alloca` alignment (register or
    /// immediate); d = the start of the new area, behind the area for outgoing arguments, whose size `frame` fills in.
    DynStackalloc "G_DYN_STACKALLOC" 1 false;
    /// `d`: d = the stack pointer.
    Stacksave "G_STACKSAVE" 1 false;
    /// `a`: the stack pointer = a.
    Stackrestore "G_STACKRESTORE" 0 false;
    /// `imm, imm`: the property of the variable of the first number becomes the second. The property instructions have no
    /// code and stay to the end: what makes blocks lazily follows properties from one to the next.
    PropertySet "G_PROPERTY_SET" 0 false;
    /// `imm, imm`: the property of the variable of the first number becomes that of the second.
    PropertyMove "G_PROPERTY_MOVE" 0 false;
    /// `predicate, imm, imm, block`: goes to the block if the property of the variable of the first number and the second
    /// are equal or, by the predicate, not.
    PropertyBranch "G_PROPERTY_BRANCH" 0 true;
    /// `d, a`: d, the register of `Isa::count_register`, = a. Only where there is one.
    SetCount "G_SET_COUNT" 1 false;
}
