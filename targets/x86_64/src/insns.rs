//! The instruction table of `x86_64`: LLVM's opcode names, operands, implicit registers, encodings.
//!
//! Sections are those of Intel's Software Developer's Manual, volume 1, chapter 5, which lists the
//! instructions by group; volume 2 describes each under its name. A memory operand is five operands
//! as LLVM has them: base, scale, index, displacement, segment.

use super::encoding::{digit, mr, plus_reg, raw, rm};
use super::registers::{
    AL, AX, CL, CLASSES, EAX, EDX, EFLAGS, FPCW, FPSW, FR32, FR64, GR8, GR16, GR32, GR64,
    GR64_NOSP, GR64_TC, MXCSR, RAX, RDX, RSP, RST, SEGMENT_REG, SSP, ST0, VR128,
};
use mir_nostd::target::OperandRow::{self, Address, Def, Immediate, Label, Tied, Use};

// Operands: D a definition, T a use tied to the first one, U a use; of 64, 32, 16 and 8 bits, those
// that tail calls take (TC), doubles (D), floats (S), whole xmm registers (V), the x87 stack (ST).
const D64: OperandRow = Def(GR64);
const D32: OperandRow = Def(GR32);
const D16: OperandRow = Def(GR16);
const D8: OperandRow = Def(GR8);
const DD: OperandRow = Def(FR64);
const DS: OperandRow = Def(FR32);
const DV: OperandRow = Def(VR128);
const T64: OperandRow = Tied(GR64, 0);
const T32: OperandRow = Tied(GR32, 0);
const T16: OperandRow = Tied(GR16, 0);
const T8: OperandRow = Tied(GR8, 0);
const TD: OperandRow = Tied(FR64, 0);
const TS: OperandRow = Tied(FR32, 0);
const TV: OperandRow = Tied(VR128, 0);
const U64: OperandRow = Use(GR64);
const U32: OperandRow = Use(GR32);
const U16: OperandRow = Use(GR16);
const U8: OperandRow = Use(GR8);
const UTC: OperandRow = Use(GR64_TC);
const UD: OperandRow = Use(FR64);
const US: OperandRow = Use(FR32);
const UV: OperandRow = Use(VR128);
const UST: OperandRow = Use(RST);
/// The base of an address.
const A: OperandRow = Address(GR64);
/// The index of an address.
const X: OperandRow = Address(GR64_NOSP);
/// The segment of an address.
const S: OperandRow = Address(SEGMENT_REG);
/// An immediate: the scale and the displacement of an address, too.
const I: OperandRow = Immediate;
/// A block or a symbol.
const L: OperandRow = Label;

mir_nostd::instruction_table! {
    classes &CLASSES;

    // Name          Operands            Writes           Reads      Flags              Encoding

    // 5.1.1 Data Transfer Instructions.
    MOV64rr          [D64 U64]           []               []         []                 mr(0x89).w();
    MOV32rr          [D32 U32]           []               []         []                 mr(0x89);
    MOV32ri          [D32 I]             []               []         [REMATERIALIZABLE] plus_reg(0xB8).imm32();
    MOV64ri32        [D64 I]             []               []         [REMATERIALIZABLE] digit(0xC7, 0).w().imm32();
    MOV64ri          [D64 I]             []               []         [REMATERIALIZABLE] plus_reg(0xB8).w().imm64();
    MOV32r0          [D32]               [EFLAGS]         []         [PSEUDO]           raw(0);
    MOV8mr           [A I X I S U8]      []               []         [STORE(1)]         mr(0x88);
    MOV16mr          [A I X I S U16]     []               []         [STORE(2)]         mr(0x89).p66();
    MOV32mr          [A I X I S U32]     []               []         [STORE(4)]         mr(0x89);
    MOV64mr          [A I X I S U64]     []               []         [STORE(8)]         mr(0x89).w();
    MOV8mi           [A I X I S I]       []               []         [STORE(1)]         digit(0xC6, 0).imm8();
    MOV16mi          [A I X I S I]       []               []         [STORE(2)]         digit(0xC7, 0).p66().imm16();
    MOV32mi          [A I X I S I]       []               []         [STORE(4)]         digit(0xC7, 0).imm32();
    MOV64mi32        [A I X I S I]       []               []         [STORE(8)]         digit(0xC7, 0).w().imm32();
    MOV32rm          [D32 A I X I S]     []               []         [LOAD(4)]          rm(0x8B);
    MOV64rm          [D64 A I X I S]     []               []         [LOAD(8)]          rm(0x8B).w();
    MOVZX32rm8       [D32 A I X I S]     []               []         [LOAD(1)]          rm(0xB6).map();
    MOVZX32rm16      [D32 A I X I S]     []               []         [LOAD(2)]          rm(0xB7).map();
    MOVSX64rm8       [D64 A I X I S]     []               []         [LOAD(1)]          rm(0xBE).map().w();
    MOVSX64rm16      [D64 A I X I S]     []               []         [LOAD(2)]          rm(0xBF).map().w();
    MOVSX64rm32      [D64 A I X I S]     []               []         [LOAD(4)]          rm(0x63).w();
    MOVZX32rr8       [D32 U8]            []               []         []                 rm(0xB6).map();
    MOVZX32rr16      [D32 U16]           []               []         []                 rm(0xB7).map();
    MOVSX64rr8       [D64 U8]            []               []         []                 rm(0xBE).map().w();
    MOVSX64rr16      [D64 U16]           []               []         []                 rm(0xBF).map().w();
    MOVSX64rr32      [D64 U32]           []               []         []                 rm(0x63).w();

    // 5.1.13 Miscellaneous Instructions.
    LEA64r           [D64 A I X I S]     []               []         []                 rm(0x8D).w();
    LEA64_32r        [D32 A I X I S]     []               []         []                 rm(0x8D);

    // 5.1.1 Data Transfer Instructions.
    PUSH64r          [U64]               [RSP]            [RSP]      [STORE(8)]         plus_reg(0x50);
    POP64r           [D64]               [RSP]            [RSP]      [LOAD(8)]          plus_reg(0x58);

    // 5.1.2 Binary Arithmetic and 5.1.4 Logical Instructions.
    ADD64rr          [D64 T64 U64]       [EFLAGS]         []         []                 mr(0x01).w();
    ADD32rr          [D32 T32 U32]       [EFLAGS]         []         []                 mr(0x01);
    ADD64ri32        [D64 T64 I]         [EFLAGS]         []         []                 digit(0x81, 0).w().short();
    ADD32ri          [D32 T32 I]         [EFLAGS]         []         []                 digit(0x81, 0).short();
    ADD64rm          [D64 T64 A I X I S] [EFLAGS]         []         [LOAD(8)]          rm(0x03).w();
    ADD32rm          [D32 T32 A I X I S] [EFLAGS]         []         [LOAD(4)]          rm(0x03);
    OR64rr           [D64 T64 U64]       [EFLAGS]         []         []                 mr(0x09).w();
    OR32rr           [D32 T32 U32]       [EFLAGS]         []         []                 mr(0x09);
    OR64ri32         [D64 T64 I]         [EFLAGS]         []         []                 digit(0x81, 1).w().short();
    OR32ri           [D32 T32 I]         [EFLAGS]         []         []                 digit(0x81, 1).short();
    OR64rm           [D64 T64 A I X I S] [EFLAGS]         []         [LOAD(8)]          rm(0x0B).w();
    OR32rm           [D32 T32 A I X I S] [EFLAGS]         []         [LOAD(4)]          rm(0x0B);
    AND64rr          [D64 T64 U64]       [EFLAGS]         []         []                 mr(0x21).w();
    AND32rr          [D32 T32 U32]       [EFLAGS]         []         []                 mr(0x21);
    AND64ri32        [D64 T64 I]         [EFLAGS]         []         []                 digit(0x81, 4).w().short();
    AND32ri          [D32 T32 I]         [EFLAGS]         []         []                 digit(0x81, 4).short();
    AND64rm          [D64 T64 A I X I S] [EFLAGS]         []         [LOAD(8)]          rm(0x23).w();
    AND32rm          [D32 T32 A I X I S] [EFLAGS]         []         [LOAD(4)]          rm(0x23);
    SUB64rr          [D64 T64 U64]       [EFLAGS]         []         []                 mr(0x29).w();
    SUB32rr          [D32 T32 U32]       [EFLAGS]         []         []                 mr(0x29);
    SUB64ri32        [D64 T64 I]         [EFLAGS]         []         []                 digit(0x81, 5).w().short();
    SUB32ri          [D32 T32 I]         [EFLAGS]         []         []                 digit(0x81, 5).short();
    SUB64rm          [D64 T64 A I X I S] [EFLAGS]         []         [LOAD(8)]          rm(0x2B).w();
    SUB32rm          [D32 T32 A I X I S] [EFLAGS]         []         [LOAD(4)]          rm(0x2B);
    XOR64rr          [D64 T64 U64]       [EFLAGS]         []         []                 mr(0x31).w();
    XOR32rr          [D32 T32 U32]       [EFLAGS]         []         []                 mr(0x31);
    XOR64ri32        [D64 T64 I]         [EFLAGS]         []         []                 digit(0x81, 6).w().short();
    XOR32ri          [D32 T32 I]         [EFLAGS]         []         []                 digit(0x81, 6).short();
    XOR64rm          [D64 T64 A I X I S] [EFLAGS]         []         [LOAD(8)]          rm(0x33).w();
    XOR32rm          [D32 T32 A I X I S] [EFLAGS]         []         [LOAD(4)]          rm(0x33);

    // 5.1.2 Binary Arithmetic and 5.1.6 Bit and Byte Instructions: comparisons.
    CMP64rr          [U64 U64]           [EFLAGS]         []         []                 mr(0x39).w();
    CMP32rr          [U32 U32]           [EFLAGS]         []         []                 mr(0x39);
    CMP64ri32        [U64 I]             [EFLAGS]         []         []                 digit(0x81, 7).w().short();
    CMP32ri          [U32 I]             [EFLAGS]         []         []                 digit(0x81, 7).short();
    CMP64rm          [U64 A I X I S]     [EFLAGS]         []         [LOAD(8)]          rm(0x3B).w();
    CMP32rm          [U32 A I X I S]     [EFLAGS]         []         [LOAD(4)]          rm(0x3B);
    CMP64mi32        [A I X I S I]       [EFLAGS]         []         [LOAD(8)]          digit(0x81, 7).w().short();
    CMP32mi          [A I X I S I]       [EFLAGS]         []         [LOAD(4)]          digit(0x81, 7).short();
    CMP16mi          [A I X I S I]       [EFLAGS]         []         [LOAD(2)]          digit(0x81, 7).p66().short();
    CMP8mi           [A I X I S I]       [EFLAGS]         []         [LOAD(1)]          digit(0x80, 7).imm8();

    // 5.1.4 Logical Instructions: a probe of the stack.
    OR64mi32         [A I X I S I]       [EFLAGS]         []         [LOAD STORE(8)]    digit(0x81, 1).w().short();

    // 5.1.6 Bit and Byte Instructions.
    TEST64rr         [U64 U64]           [EFLAGS]         []         []                 mr(0x85).w();
    TEST32rr         [U32 U32]           [EFLAGS]         []         []                 mr(0x85);
    TEST8rr          [U8 U8]             [EFLAGS]         []         []                 mr(0x84);
    TEST64ri32       [U64 I]             [EFLAGS]         []         []                 digit(0xF7, 0).w().short();
    TEST32ri         [U32 I]             [EFLAGS]         []         []                 digit(0xF7, 0).short();
    TEST32mi         [A I X I S I]       [EFLAGS]         []         [LOAD(4)]          digit(0xF7, 0).short();
    TEST8mi          [A I X I S I]       [EFLAGS]         []         [LOAD(1)]          digit(0xF6, 0).imm8();

    // 5.1.2 Binary Arithmetic Instructions: products and quotients.
    IMUL64rr         [D64 T64 U64]       [EFLAGS]         []         []                 rm(0xAF).map().w();
    IMUL32rr         [D32 T32 U32]       [EFLAGS]         []         []                 rm(0xAF).map();
    IMUL64rm         [D64 T64 A I X I S] [EFLAGS]         []         [LOAD(8)]          rm(0xAF).map().w();
    IMUL32rm         [D32 T32 A I X I S] [EFLAGS]         []         [LOAD(4)]          rm(0xAF).map();
    IMUL64rri32      [D64 U64 I]         [EFLAGS]         []         []                 rm(0x69).w().short();
    IMUL32rri        [D32 U32 I]         [EFLAGS]         []         []                 rm(0x69).short();
    MUL64r           [U64]               [RAX RDX EFLAGS] [RAX]      []                 digit(0xF7, 4).w();
    MUL32r           [U32]               [EAX EDX EFLAGS] [EAX]      []                 digit(0xF7, 4);
    IMUL64r          [U64]               [RAX RDX EFLAGS] [RAX]      []                 digit(0xF7, 5).w();
    DIV64r           [U64]               [RAX RDX EFLAGS] [RAX RDX]  []                 digit(0xF7, 6).w();
    DIV32r           [U32]               [EAX EDX EFLAGS] [EAX EDX]  []                 digit(0xF7, 6);
    IDIV64r          [U64]               [RAX RDX EFLAGS] [RAX RDX]  []                 digit(0xF7, 7).w();
    IDIV32r          [U32]               [EAX EDX EFLAGS] [EAX EDX]  []                 digit(0xF7, 7);

    // 5.1.1 Data Transfer Instructions: sign extension.
    CQO              []                  [RAX RDX]        [RAX]      []                 raw(0x99).w();
    CDQ              []                  [EAX EDX]        [EAX]      []                 raw(0x99);

    // 5.1.2 Binary Arithmetic and 5.1.4 Logical Instructions with one operand.
    NEG64r           [D64 T64]           [EFLAGS]         []         []                 digit(0xF7, 3).w();
    NEG32r           [D32 T32]           [EFLAGS]         []         []                 digit(0xF7, 3);
    NOT64r           [D64 T64]           []               []         []                 digit(0xF7, 2).w();
    NOT32r           [D32 T32]           []               []         []                 digit(0xF7, 2);

    // 5.1.5 Shift and Rotate Instructions.
    SHL64rCL         [D64 T64]           [EFLAGS]         [CL]       []                 digit(0xD3, 4).w();
    SHL32rCL         [D32 T32]           [EFLAGS]         [CL]       []                 digit(0xD3, 4);
    SHL64ri          [D64 T64 I]         [EFLAGS]         []         []                 digit(0xC1, 4).w().short();
    SHL32ri          [D32 T32 I]         [EFLAGS]         []         []                 digit(0xC1, 4).short();
    SHR64rCL         [D64 T64]           [EFLAGS]         [CL]       []                 digit(0xD3, 5).w();
    SHR32rCL         [D32 T32]           [EFLAGS]         [CL]       []                 digit(0xD3, 5);
    SHR64ri          [D64 T64 I]         [EFLAGS]         []         []                 digit(0xC1, 5).w().short();
    SHR32ri          [D32 T32 I]         [EFLAGS]         []         []                 digit(0xC1, 5).short();
    SAR64rCL         [D64 T64]           [EFLAGS]         [CL]       []                 digit(0xD3, 7).w();
    SAR32rCL         [D32 T32]           [EFLAGS]         [CL]       []                 digit(0xD3, 7);
    SAR64ri          [D64 T64 I]         [EFLAGS]         []         []                 digit(0xC1, 7).w().short();
    SAR32ri          [D32 T32 I]         [EFLAGS]         []         []                 digit(0xC1, 7).short();
    ROL64rCL         [D64 T64]           [EFLAGS]         [CL]       []                 digit(0xD3, 0).w();
    ROL32rCL         [D32 T32]           [EFLAGS]         [CL]       []                 digit(0xD3, 0);
    ROL64ri          [D64 T64 I]         [EFLAGS]         []         []                 digit(0xC1, 0).w().short();
    ROL32ri          [D32 T32 I]         [EFLAGS]         []         []                 digit(0xC1, 0).short();

    // 5.1.6 Bit and Byte Instructions: scans, which keep the result for 0; 5.1.1, the order of
    // bytes.
    BSF64rr          [D64 T64 U64]       [EFLAGS]         []         []                 rm(0xBC).map().w();
    BSF32rr          [D32 T32 U32]       [EFLAGS]         []         []                 rm(0xBC).map();
    BSR64rr          [D64 T64 U64]       [EFLAGS]         []         []                 rm(0xBD).map().w();
    BSR32rr          [D32 T32 U32]       [EFLAGS]         []         []                 rm(0xBD).map();
    BSWAP64r         [D64 T64]           []               []         []                 plus_reg(0xC8).map().w();
    BSWAP32r         [D32 T32]           []               []         []                 plus_reg(0xC8).map();

    // 5.1.6 Bit and Byte Instructions: on a condition.
    SETCCr           [D8 I]              []               [EFLAGS]   []                 digit(0x90, 0).map().condition();

    // 5.1.1 Data Transfer Instructions: on a condition.
    CMOV64rr         [D64 T64 U64 I]     []               [EFLAGS]   []                 rm(0x40).map().w().condition();

    // 5.1.1 Data Transfer Instructions: exchanges, which lock memory, and the fence of 5.6.4.
    XCHG64rm         [D64 T64 A I X I S] []               []         [LOAD STORE(8)]    rm(0x87).w();
    XCHG32rm         [D32 T32 A I X I S] []               []         [LOAD STORE(4)]    rm(0x87);
    XCHG16rm         [D16 T16 A I X I S] []               []         [LOAD STORE(2)]    rm(0x87).p66();
    XCHG8rm          [D8 T8 A I X I S]   []               []         [LOAD STORE(1)]    rm(0x86);
    LXADD64          [D64 T64 A I X I S] [EFLAGS]         []         [LOAD STORE(8)]    rm(0xC1).map().w().lock();
    LXADD32          [D32 T32 A I X I S] [EFLAGS]         []         [LOAD STORE(4)]    rm(0xC1).map().lock();
    LXADD16          [D16 T16 A I X I S] [EFLAGS]         []         [LOAD STORE(2)]    rm(0xC1).map().p66().lock();
    LXADD8           [D8 T8 A I X I S]   [EFLAGS]         []         [LOAD STORE(1)]    rm(0xC0).map().lock();
    LCMPXCHG64       [A I X I S U64]     [RAX EFLAGS]     [RAX]      [LOAD STORE(8)]    mr(0xB1).map().w().lock();
    LCMPXCHG32       [A I X I S U32]     [EAX EFLAGS]     [EAX]      [LOAD STORE(4)]    mr(0xB1).map().lock();
    LCMPXCHG16       [A I X I S U16]     [AX EFLAGS]      [AX]       [LOAD STORE(2)]    mr(0xB1).map().p66().lock();
    LCMPXCHG8        [A I X I S U8]      [AL EFLAGS]      [AL]       [LOAD STORE(1)]    mr(0xB0).map().lock();
    MFENCE           []                  []               []         [LOAD STORE]       digit(0xAE, 6).fixed_rm(0).map();
    // Nothing moves across it; it has no code.
    MEMBARRIER       []                  []               []         [PSEUDO LOAD STORE] raw(0);

    // 5.1.7 Control Transfer Instructions.
    JCC_1            [L I]               []               [EFLAGS]   [TERMINATOR BRANCH] raw(0x70).condition().near();
    JCC_4            [L I]               []               [EFLAGS]   [TERMINATOR BRANCH] raw(0x80).map().condition().far();
    JMP_1            [L]                 []               []         [BARRIER TERMINATOR BRANCH] raw(0xEB).near();
    JMP_4            [L]                 []               []         [BARRIER TERMINATOR BRANCH] raw(0xE9).far();
    JMP64r           [U64]               []               []         [BARRIER TERMINATOR BRANCH INDIRECT] digit(0xFF, 4);
    TAILJMPr64       [UTC]               []               [RSP SSP]  [RETURN BARRIER TERMINATOR] digit(0xFF, 4);
    CALL64r          [U64]               []               [RSP SSP]  [CALL]             digit(0xFF, 2);
    CALL64pcrel32    [L]                 []               [RSP SSP]  [CALL]             raw(0xE8).far();
    RET64            []                  []               []         [RETURN BARRIER TERMINATOR] raw(0xC3);

    // Control-flow enforcement: a landing pad of indirect branches.
    ENDBR64          []                  []               []         []                 digit(0x1E, 7).fixed_rm(2).map().pf3();

    // Expanded to a loop when the frame is known.
    PROBED_ALLOCA_64 [D64 U64]           [RAX RSP EFLAGS] [RSP]      [PSEUDO SPLITS]    raw(0);

    // Zero, which becomes an exclusive or of the register with itself.
    FsFLD0SS         [DS]                []               []         [PSEUDO REMATERIALIZABLE] raw(0);
    FsFLD0SD         [DD]                []               []         [PSEUDO REMATERIALIZABLE] raw(0);

    // 5.5.1.1 and 5.6.1.1, SSE and SSE2: Data Transfer Instructions.
    MOVSSrm_alt      [DS A I X I S]      []               []         [LOAD(4)]          rm(0x10).map().pf3();
    MOVSDrm_alt      [DD A I X I S]      []               []         [LOAD(8)]          rm(0x10).map().pf2();
    MOVSSmr          [A I X I S US]      []               []         [STORE(4)]         mr(0x11).map().pf3();
    MOVSDmr          [A I X I S UD]      []               []         [STORE(8)]         mr(0x11).map().pf2();
    MOVAPSrr         [DV UV]             []               []         []                 rm(0x28).map();
    MOV64toSDrr      [DD U64]            []               []         []                 rm(0x6E).map().p66().w();
    MOVSDto64rr      [D64 UD]            []               []         []                 mr(0x7E).map().p66().w();
    MOVDI2SSrr       [DS U32]            []               []         []                 rm(0x6E).map().p66();
    MOVSS2DIrr       [D32 US]            []               []         []                 mr(0x7E).map().p66();

    // 5.5.1.2 and 5.6.1.2, SSE and SSE2: Arithmetic Instructions.
    ADDSSrr          [DS TS US]          []               [MXCSR]    []                 rm(0x58).map().pf3();
    ADDSDrr          [DD TD UD]          []               [MXCSR]    []                 rm(0x58).map().pf2();
    ADDSSrm          [DS TS A I X I S]   []               [MXCSR]    [LOAD(4)]          rm(0x58).map().pf3();
    ADDSDrm          [DD TD A I X I S]   []               [MXCSR]    [LOAD(8)]          rm(0x58).map().pf2();
    SUBSSrr          [DS TS US]          []               [MXCSR]    []                 rm(0x5C).map().pf3();
    SUBSDrr          [DD TD UD]          []               [MXCSR]    []                 rm(0x5C).map().pf2();
    SUBSSrm          [DS TS A I X I S]   []               [MXCSR]    [LOAD(4)]          rm(0x5C).map().pf3();
    SUBSDrm          [DD TD A I X I S]   []               [MXCSR]    [LOAD(8)]          rm(0x5C).map().pf2();
    MULSSrr          [DS TS US]          []               [MXCSR]    []                 rm(0x59).map().pf3();
    MULSDrr          [DD TD UD]          []               [MXCSR]    []                 rm(0x59).map().pf2();
    MULSSrm          [DS TS A I X I S]   []               [MXCSR]    [LOAD(4)]          rm(0x59).map().pf3();
    MULSDrm          [DD TD A I X I S]   []               [MXCSR]    [LOAD(8)]          rm(0x59).map().pf2();
    DIVSSrr          [DS TS US]          []               [MXCSR]    []                 rm(0x5E).map().pf3();
    DIVSDrr          [DD TD UD]          []               [MXCSR]    []                 rm(0x5E).map().pf2();
    DIVSSrm          [DS TS A I X I S]   []               [MXCSR]    [LOAD(4)]          rm(0x5E).map().pf3();
    DIVSDrm          [DD TD A I X I S]   []               [MXCSR]    [LOAD(8)]          rm(0x5E).map().pf2();

    SQRTSSr          [DS US]             []               [MXCSR]    []                 rm(0x51).map().pf3();
    SQRTSDr          [DD UD]             []               [MXCSR]    []                 rm(0x51).map().pf2();

    // 5.5.1.4 SSE Logical Instructions.
    ANDPSrm          [DV TV A I X I S]   []               []         [LOAD(16)]         rm(0x54).map();
    ORPSrr           [DV TV UV]          []               []         []                 rm(0x56).map();
    XORPSrr          [DV TV UV]          []               []         []                 rm(0x57).map();
    XORPSrm          [DV TV A I X I S]   []               []         [LOAD(16)]         rm(0x57).map();

    // 5.5.1.3 and 5.6.1.4, SSE and SSE2: Comparison Instructions.
    UCOMISSrr        [US US]             [EFLAGS]         [MXCSR]    []                 rm(0x2E).map();
    UCOMISDrr        [UD UD]             [EFLAGS]         [MXCSR]    []                 rm(0x2E).map().p66();
    UCOMISSrm        [US A I X I S]      [EFLAGS]         [MXCSR]    [LOAD(4)]          rm(0x2E).map();
    UCOMISDrm        [UD A I X I S]      [EFLAGS]         [MXCSR]    [LOAD(8)]          rm(0x2E).map().p66();

    // 5.5.1.6 and 5.6.1.6, SSE and SSE2: Conversion Instructions.
    CVTSI642SSrr_Int [DV TV U64]         []               [MXCSR]    []                 rm(0x2A).map().pf3().w();
    CVTSI642SDrr_Int [DV TV U64]         []               [MXCSR]    []                 rm(0x2A).map().pf2().w();
    CVTTSS2SI64rr    [D64 US]            []               [MXCSR]    []                 rm(0x2C).map().pf3().w();
    CVTTSD2SI64rr    [D64 UD]            []               [MXCSR]    []                 rm(0x2C).map().pf2().w();
    CVTSS2SDrr       [DD US]             []               [MXCSR]    []                 rm(0x5A).map().pf3();
    CVTSD2SSrr       [DS UD]             []               [MXCSR]    []                 rm(0x5A).map().pf2();

    // 5.2.1 x87 FPU Data Transfer Instructions.
    LD_F32m          [A I X I S]         [FPSW]           [FPCW]     [LOAD(4)]          digit(0xD9, 0);
    LD_F64m          [A I X I S]         [FPSW]           [FPCW]     [LOAD(8)]          digit(0xDD, 0);
    LD_F80m          [A I X I S]         [FPSW]           [FPCW]     [LOAD(10)]         digit(0xDB, 5);
    ST_FP32m         [A I X I S]         [FPSW]           [FPCW]     [STORE(4)]         digit(0xD9, 3);
    ST_FP64m         [A I X I S]         [FPSW]           [FPCW]     [STORE(8)]         digit(0xDD, 3);
    ST_FP80m         [A I X I S]         [FPSW]           [FPCW]     [STORE(10)]        digit(0xDB, 7);
    ILD_F64m         [A I X I S]         [FPSW]           [FPCW]     [LOAD(8)]          digit(0xDF, 5);
    IST_FP64m        [A I X I S]         [FPSW]           [FPCW]     [STORE(8)]         digit(0xDF, 7);

    // 5.2.2 x87 FPU Basic Arithmetic Instructions.
    ADD_F32m         [A I X I S]         [FPSW]           [FPCW]     [LOAD(4)]          digit(0xD8, 0);
    ADD_FPrST0       [UST]               [FPSW]           [FPCW]     []                 digit(0xDE, 0);
    MUL_FPrST0       [UST]               [FPSW]           [FPCW]     []                 digit(0xDE, 1);
    SUB_FPrST0       [UST]               [FPSW]           [FPCW]     []                 digit(0xDE, 5);
    DIV_FPrST0       [UST]               [FPSW]           [FPCW]     []                 digit(0xDE, 7);
    CHS_F            []                  [FPSW]           []         []                 digit(0xD9, 4);

    // 5.2.3 x87 FPU Comparison Instructions.
    UCOM_FIPr        [UST]               [EFLAGS FPSW]    [ST0 FPCW] []                 digit(0xDF, 5);

    // 5.2.1 x87 FPU Data Transfer Instructions.
    ST_FPrr          [UST]               [FPSW]           [FPCW]     []                 digit(0xDD, 3);
    XCH_F            [UST]               [FPSW]           [FPCW]     []                 digit(0xD9, 1);

    // 5.2.6 x87 FPU Control Instructions.
    FNSTCW16m        [A I X I S]         [FPSW]           [FPCW]     [STORE(2)]         digit(0xD9, 7);
    FLDCW16m         [A I X I S]         [FPSW FPCW]      []         [LOAD(2)]          digit(0xD9, 5);
}
