//! The registers of aarch64.

use mir_nostd::machine::{self, ClassId, LowType, Reg, SubIndex, UnitSet};
use mir_nostd::target::Bank::{self, Float, Int};
use mir_nostd::target::Role::{self, Reserved, Saved, Volatile};
use mir_nostd::target::{
    ClassRow, HardRegister, Name, RegisterFile, RegisterRow, ReturnAddress, units_of_classes,
};

const fn row(name: &'static str, bank: Bank, role: Role) -> HardRegister {
    HardRegister { name, bank, role }
}

/// All registers; the reserved ones are the frame and stack pointers and the code generator's
/// temporaries. Calls preserve the low halves of v8 to v15 only, not enough for a long double.
pub(crate) static REGISTERS: &[HardRegister] = &[
    row("r0", Int, Volatile),
    row("r1", Int, Volatile),
    row("r2", Int, Volatile),
    row("r3", Int, Volatile),
    row("r4", Int, Volatile),
    row("r5", Int, Volatile),
    row("r6", Int, Volatile),
    row("r7", Int, Volatile),
    row("r8", Int, Volatile),
    row("r9", Int, Reserved),
    row("r10", Int, Reserved),
    row("r11", Int, Volatile),
    row("r12", Int, Volatile),
    row("r13", Int, Volatile),
    row("r14", Int, Volatile),
    row("r15", Int, Volatile),
    row("r16", Int, Volatile),
    row("r17", Int, Volatile),
    row("r18", Int, Volatile),
    row("r19", Int, Saved),
    row("r20", Int, Saved),
    row("r21", Int, Saved),
    row("r22", Int, Saved),
    row("r23", Int, Saved),
    row("r24", Int, Saved),
    row("r25", Int, Saved),
    row("r26", Int, Saved),
    row("r27", Int, Saved),
    row("r28", Int, Saved),
    row("r29", Int, Reserved),
    row("r30", Int, Volatile),
    row("sp", Int, Reserved),
    row("v0", Float, Volatile),
    row("v1", Float, Volatile),
    row("v2", Float, Volatile),
    row("v3", Float, Volatile),
    row("v4", Float, Volatile),
    row("v5", Float, Volatile),
    row("v6", Float, Volatile),
    row("v7", Float, Volatile),
    row("v8", Float, Volatile),
    row("v9", Float, Volatile),
    row("v10", Float, Volatile),
    row("v11", Float, Volatile),
    row("v12", Float, Volatile),
    row("v13", Float, Volatile),
    row("v14", Float, Volatile),
    row("v15", Float, Volatile),
    row("v16", Float, Reserved),
    row("v17", Float, Reserved),
    row("v18", Float, Volatile),
    row("v19", Float, Volatile),
    row("v20", Float, Volatile),
    row("v21", Float, Volatile),
    row("v22", Float, Volatile),
    row("v23", Float, Volatile),
    row("v24", Float, Volatile),
    row("v25", Float, Volatile),
    row("v26", Float, Volatile),
    row("v27", Float, Volatile),
    row("v28", Float, Volatile),
    row("v29", Float, Volatile),
    row("v30", Float, Volatile),
    row("v31", Float, Volatile),
];

// ---- the register file of the code generator

pub(crate) const SUB_32: SubIndex = SubIndex(1);
const SSUB: SubIndex = SubIndex(2);
const DSUB: SubIndex = SubIndex(3);

/// The first row of each kind of register; the rows of a kind are in the order of the encoding.
const X: u16 = 1;
const SP_ROW: u16 = X + 31;
const XZR_ROW: u16 = X + 32;
const W: u16 = XZR_ROW + 1;
const WSP_ROW: u16 = W + 31;
const WZR_ROW: u16 = W + 32;
const D: u16 = WZR_ROW + 1;
const S: u16 = D + 32;
const Q: u16 = S + 32;
const NZCV_ROW: u16 = Q + 32;
const FPCR_ROW: u16 = NZCV_ROW + 1;
const COUNT: usize = FPCR_ROW as usize + 1;

/// Returns the general register of this encoding.
pub(crate) const fn x(encoding: u16) -> Reg {
    Reg::physical(X + encoding)
}

const fn d(encoding: u16) -> Reg {
    Reg::physical(D + encoding)
}

pub(crate) const X16: Reg = x(16);
pub(crate) const X17: Reg = x(17);
pub(crate) const FP: Reg = x(29);
pub(crate) const LR: Reg = x(30);
pub(crate) const SP: Reg = Reg::physical(SP_ROW);
pub(crate) const XZR: Reg = Reg::physical(XZR_ROW);
pub(crate) const WZR: Reg = Reg::physical(WZR_ROW);
pub(crate) const NZCV: Reg = Reg::physical(NZCV_ROW);
pub(crate) const FPCR: Reg = Reg::physical(FPCR_ROW);

/// The first unit of the floating registers; the unit of a general register is its encoding.
const FLOAT_UNITS: u8 = 32;
const FLAGS_UNIT: u8 = 64;

/// Returns whether the register is a floating one.
pub(crate) const fn is_float(reg: Reg) -> bool {
    matches!(reg.row(), Some(row) if D <= row && row < NZCV_ROW)
}

/// Returns the register of 128 bits that a `d` register is the low half of.
pub(crate) const fn quad(reg: Reg) -> Reg {
    match reg.row() {
        Some(row) if D <= row && row < S => Reg::physical(row - D + Q),
        _ => reg,
    }
}

/// Returns the callee-saved register of a unit.
pub(crate) const fn saved_register(unit: u8) -> Reg {
    if unit < FLOAT_UNITS {
        x(unit as u16)
    } else {
        d((unit - FLOAT_UNITS) as u16)
    }
}

const fn register(name: &'static str, encoding: u8, units: UnitSet, dwarf: i16) -> RegisterRow {
    RegisterRow {
        name: Name::new(name),
        encoding,
        units,
        dwarf,
        parts: &[],
    }
}

/// The rows of the numbered registers, by encoding: the names of the general ones as 64 and 32
/// bits, of the floating ones as 64, 32 and 128.
macro_rules! numbered {
    ($($encoding:literal $x:literal $w:literal $d:literal $s:literal $q:literal;)*) => {
        const GENERAL_ROWS: [[RegisterRow; 2]; 32] = [$([
            RegisterRow {
                parts: &[(SUB_32, W + $encoding)],
                ..register($x, $encoding, general_unit($encoding), $encoding)
            },
            register($w, $encoding, general_unit($encoding), $encoding),
        ]),*];
        const FLOAT_ROWS: [[RegisterRow; 3]; 32] = [$([
            RegisterRow {
                parts: &[(SSUB, S + $encoding)],
                ..register($d, $encoding, UnitSet::unit(FLOAT_UNITS + $encoding), 64 + $encoding)
            },
            register($s, $encoding, UnitSet::unit(FLOAT_UNITS + $encoding), 64 + $encoding),
            RegisterRow {
                parts: &[(DSUB, D + $encoding), (SSUB, S + $encoding)],
                ..register($q, $encoding, UnitSet::unit(FLOAT_UNITS + $encoding), 64 + $encoding)
            },
        ]),*];
    };
}

/// Returns the unit of a general register; frame and stack pointer have none, as they are never
/// allocated.
const fn general_unit(encoding: u8) -> UnitSet {
    match encoding {
        29 | 31 => UnitSet::EMPTY,
        other => UnitSet::unit(other),
    }
}

numbered! {
    0 "x0" "w0" "d0" "s0" "q0";
    1 "x1" "w1" "d1" "s1" "q1";
    2 "x2" "w2" "d2" "s2" "q2";
    3 "x3" "w3" "d3" "s3" "q3";
    4 "x4" "w4" "d4" "s4" "q4";
    5 "x5" "w5" "d5" "s5" "q5";
    6 "x6" "w6" "d6" "s6" "q6";
    7 "x7" "w7" "d7" "s7" "q7";
    8 "x8" "w8" "d8" "s8" "q8";
    9 "x9" "w9" "d9" "s9" "q9";
    10 "x10" "w10" "d10" "s10" "q10";
    11 "x11" "w11" "d11" "s11" "q11";
    12 "x12" "w12" "d12" "s12" "q12";
    13 "x13" "w13" "d13" "s13" "q13";
    14 "x14" "w14" "d14" "s14" "q14";
    15 "x15" "w15" "d15" "s15" "q15";
    16 "x16" "w16" "d16" "s16" "q16";
    17 "x17" "w17" "d17" "s17" "q17";
    18 "x18" "w18" "d18" "s18" "q18";
    19 "x19" "w19" "d19" "s19" "q19";
    20 "x20" "w20" "d20" "s20" "q20";
    21 "x21" "w21" "d21" "s21" "q21";
    22 "x22" "w22" "d22" "s22" "q22";
    23 "x23" "w23" "d23" "s23" "q23";
    24 "x24" "w24" "d24" "s24" "q24";
    25 "x25" "w25" "d25" "s25" "q25";
    26 "x26" "w26" "d26" "s26" "q26";
    27 "x27" "w27" "d27" "s27" "q27";
    28 "x28" "w28" "d28" "s28" "q28";
    29 "fp" "w29" "d29" "s29" "q29";
    30 "lr" "w30" "d30" "s30" "q30";
    31 "sp" "wsp" "d31" "s31" "q31";
}

static ROWS: [RegisterRow; COUNT] = rows();

const fn rows() -> [RegisterRow; COUNT] {
    let mut rows = [register("noreg", 0, UnitSet::EMPTY, -1); COUNT];
    let mut number = 0;
    while number < 32 {
        rows[X as usize + number] = GENERAL_ROWS[number][0];
        rows[W as usize + number] = GENERAL_ROWS[number][1];
        rows[D as usize + number] = FLOAT_ROWS[number][0];
        rows[S as usize + number] = FLOAT_ROWS[number][1];
        rows[Q as usize + number] = FLOAT_ROWS[number][2];
        number += 1;
    }
    rows[XZR_ROW as usize] = RegisterRow {
        parts: &[(SUB_32, WZR_ROW)],
        ..register("xzr", 31, UnitSet::EMPTY, 31)
    };
    rows[WSP_ROW as usize] = register("wsp", 31, UnitSet::EMPTY, 31);
    rows[WZR_ROW as usize] = register("wzr", 31, UnitSet::EMPTY, 31);
    rows[NZCV_ROW as usize] = register("nzcv", 0, UnitSet::unit(FLAGS_UNIT), -1);
    rows[FPCR_ROW as usize] = register("fpcr", 0, UnitSet::EMPTY, -1);
    rows
}

/// Returns the allocation order: first the registers that calls may clobber. Left out are the
/// scratch registers x9, x10, v16 and v17, x16 and x17, which frame and calls use, x18, which
/// belongs to the platform, frame pointer, link register, stack pointer.
const fn general_order(first: u16) -> [u16; 24] {
    let mut order = [0; 24];
    let mut place = 0;
    while place < 24 {
        order[place] = first
            + match place as u16 {
                encoding @ 0..=8 => encoding,
                place @ 9..=13 => place + 2,
                place => place + 5,
            };
        place += 1;
    }
    order
}

const fn float_order(first: u16) -> [u16; 30] {
    let mut order = [0; 30];
    let mut place = 0;
    while place < 30 {
        order[place] = first
            + match place as u16 {
                encoding @ 0..=7 => encoding,
                place @ 8..=21 => place + 10,
                place => place - 14,
            };
        place += 1;
    }
    order
}

macro_rules! classes {
    ($($id:ident $name:literal $bank:ident $bytes:literal $part:expr, $order:expr;)*) => {
        enum Number { $($id),* }
        $(pub(crate) const $id: ClassId = ClassId(Number::$id as u8);)*

        pub(crate) static CLASSES: &[ClassRow] = &[$(ClassRow {
            name: Name::new($name),
            bank: machine::Bank::$bank,
            spill_bytes: $bytes,
            part: $part,
            order: &const { $order },
        }),*];
    };
}

const WHOLE: SubIndex = SubIndex(0);

classes! {
    GPR64COMMON "gpr64common" General 8 WHOLE, general_order(X);
    GPR64 "gpr64" General 8 WHOLE, general_order(X);
    GPR64SP "gpr64sp" General 8 WHOLE, general_order(X);
    TCGPR64 "tcgpr64" General 8 WHOLE, [X + 16, X + 17];
    GPR32 "gpr32" General 8 SUB_32, general_order(W);
    GPR32SP "gpr32sp" General 8 SUB_32, general_order(W);
    FPR64 "fpr64" Floating 8 WHOLE, float_order(D);
    FPR32 "fpr32" Floating 8 SSUB, float_order(S);
    FPR128 "fpr128" Floating 16 WHOLE, float_order(Q);
}

/// Returns the class of a virtual register: floats are parts of registers for doubles.
const fn class_of(bank: machine::Bank, _: LowType) -> ClassId {
    match bank {
        machine::Bank::General => GPR64COMMON,
        machine::Bank::Floating => FPR64,
    }
}

/// The registers of [`REGISTERS`], in the order of that table.
const HARD: [u16; 64] = {
    let mut hard = [0; 64];
    let mut number = 0;
    while number < 64 {
        hard[number] = if number < 32 { X } else { D - 32 } + number as u16;
        number += 1;
    }
    hard
};

/// Returns the first registers of a kind, in order.
const fn first<const N: usize>(row: u16) -> [Reg; N] {
    let mut regs = [Reg::NONE; N];
    let mut number = 0;
    while number < N {
        regs[number] = Reg::physical(row + number as u16);
        number += 1;
    }
    regs
}

/// The callee-saved registers of C: x19 to x28, d8 to d15.
const SAVED: UnitSet = UnitSet(0x3FF << 19 | 0xFF << (FLOAT_UNITS + 8));

pub(crate) static FILE: RegisterFile = RegisterFile {
    registers: &ROWS,
    classes: CLASSES,
    allocatable: units_of_classes(&ROWS, CLASSES),
    parts: &["", "sub_32", "ssub", "dsub"],
    class_of,
    stack_pointer: SP,
    frame_pointer: FP,
    saved: SAVED,
    hard: &HARD,
    scratch_general: &[x(9), x(10)],
    scratch_floating: &[d(16), d(17)],
    spare: &[],
    stack_arguments: 0,
    return_address: ReturnAddress::Register(LR),
    // Register number 8 is the indirect result register.
    int_arguments: &first::<9>(X),
    float_arguments: &first::<8>(D),
    int_results: &first::<8>(X),
    float_results: &first::<8>(D),
    variadic_floats: None,
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions that make the tables, run as any other.
    #[test]
    fn tables_are_the_same_at_run_time() {
        assert_eq!(rows(), ROWS);
        assert_eq!(row("r0", Int, Volatile), REGISTERS[0]);
        assert_eq!(general_order(X), CLASSES[0].order);
        assert_eq!(float_order(D), CLASSES[usize::from(FPR64.0)].order);
        assert_eq!(first::<9>(X), FILE.int_arguments);
        let units = [3, 29, 31].map(general_unit);
        assert_eq!(units, [UnitSet::unit(3), UnitSet::EMPTY, UnitSet::EMPTY]);
    }
}
