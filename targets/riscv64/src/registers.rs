//! The registers of riscv64.

use mir_nostd::machine::{self, ClassId, LowType, Reg, SubIndex, UnitSet};
use mir_nostd::target::Bank::{self, Float, Int};
use mir_nostd::target::Role::{self, Reserved, Saved, Volatile};
use mir_nostd::target::{
    ClassRow, HardRegister, Name, RegisterFile, RegisterRow, ReturnAddress, units_of_classes,
};

const fn row(name: &'static str, bank: Bank, role: Role) -> HardRegister {
    HardRegister { name, bank, role }
}

/// All registers; the reserved ones are zero, the stack, global, thread and frame pointers and the
/// code generator's temporaries.
pub(crate) static REGISTERS: &[HardRegister] = &[
    row("r0", Int, Reserved),
    row("r1", Int, Volatile),
    row("r2", Int, Reserved),
    row("r3", Int, Reserved),
    row("r4", Int, Reserved),
    row("r5", Int, Volatile),
    row("r6", Int, Volatile),
    row("r7", Int, Volatile),
    row("r8", Int, Reserved),
    row("r9", Int, Saved),
    row("r10", Int, Volatile),
    row("r11", Int, Volatile),
    row("r12", Int, Volatile),
    row("r13", Int, Volatile),
    row("r14", Int, Volatile),
    row("r15", Int, Volatile),
    row("r16", Int, Volatile),
    row("r17", Int, Volatile),
    row("r18", Int, Saved),
    row("r19", Int, Saved),
    row("r20", Int, Saved),
    row("r21", Int, Saved),
    row("r22", Int, Saved),
    row("r23", Int, Saved),
    row("r24", Int, Saved),
    row("r25", Int, Saved),
    row("r26", Int, Saved),
    row("r27", Int, Saved),
    row("r28", Int, Volatile),
    row("r29", Int, Volatile),
    row("r30", Int, Reserved),
    row("r31", Int, Reserved),
    row("f0", Float, Volatile),
    row("f1", Float, Volatile),
    row("f2", Float, Volatile),
    row("f3", Float, Volatile),
    row("f4", Float, Volatile),
    row("f5", Float, Volatile),
    row("f6", Float, Volatile),
    row("f7", Float, Volatile),
    row("f8", Float, Saved),
    row("f9", Float, Saved),
    row("f10", Float, Volatile),
    row("f11", Float, Volatile),
    row("f12", Float, Volatile),
    row("f13", Float, Volatile),
    row("f14", Float, Volatile),
    row("f15", Float, Volatile),
    row("f16", Float, Volatile),
    row("f17", Float, Volatile),
    row("f18", Float, Saved),
    row("f19", Float, Saved),
    row("f20", Float, Saved),
    row("f21", Float, Saved),
    row("f22", Float, Saved),
    row("f23", Float, Saved),
    row("f24", Float, Saved),
    row("f25", Float, Saved),
    row("f26", Float, Saved),
    row("f27", Float, Saved),
    row("f28", Float, Volatile),
    row("f29", Float, Volatile),
    row("f30", Float, Reserved),
    row("f31", Float, Reserved),
];

// ---- the register file of the code generator

const SUB_32: SubIndex = SubIndex(1);

const GENERAL: u16 = 1;
const DOUBLE: u16 = 33;
const FLOAT: u16 = 65;

/// Returns the integer register of this number.
pub(crate) const fn x(number: u16) -> Reg {
    Reg::physical(GENERAL + number)
}

/// Returns the floating register of this number.
const fn f(number: u16) -> Reg {
    Reg::physical(DOUBLE + number)
}

pub(crate) const ZERO: Reg = x(0);
pub(crate) const RA: Reg = x(1);
pub(crate) const SP: Reg = x(2);
pub(crate) const FP: Reg = x(8);
/// The two scratch registers: only spill code, and code written after allocation, uses them.
pub(crate) const SCRATCH: [Reg; 2] = [x(30), x(31)];
/// The rounding mode. Instructions that round as the program last asked for read it.
pub(crate) const FRM: Reg = Reg::physical(97);

/// The unit of the return address register.
pub(crate) const RA_UNIT: UnitSet = UnitSet::unit(1);

/// The first unit of the floating registers.
const FLOAT_UNITS: u8 = 32;

/// Returns the unit of an integer register, which is its number; zero, the stack, global, thread
/// and frame pointers have none, as they are never allocated.
const fn general_units(number: u8) -> UnitSet {
    match number {
        0 | 2 | 3 | 4 | 8 => UnitSet::EMPTY,
        other => UnitSet::unit(other),
    }
}

/// Returns whether a register is a floating one.
pub(crate) const fn is_floating(reg: Reg) -> bool {
    matches!(reg.row(), Some(row) if DOUBLE <= row && row < FLOAT + 32)
}

/// Returns whether a register is one of 32 bits.
pub(crate) const fn is_float(reg: Reg) -> bool {
    matches!(reg.row(), Some(row) if FLOAT <= row && row < FLOAT + 32)
}

/// Returns the callee-saved register of a unit.
pub(crate) const fn saved_register(unit: u8) -> Reg {
    if unit < FLOAT_UNITS {
        x(unit as u16)
    } else {
        f((unit - FLOAT_UNITS) as u16)
    }
}

/// Makes LLVM's names of the registers of one number, and the `sub_32` part of the double.
macro_rules! register_names {
    ($($number:literal $x:literal $d:literal $f:literal;)*) => {
        const GENERAL_NAMES: [&str; 32] = [$($x),*];
        const DOUBLE_NAMES: [&str; 32] = [$($d),*];
        const FLOAT_NAMES: [&str; 32] = [$($f),*];
        const DOUBLE_PARTS: [&[(SubIndex, u16)]; 32] = [$(&[(SUB_32, FLOAT + $number)]),*];
    };
}

register_names! {
    0 "x0" "f0_d" "f0_f";
    1 "x1" "f1_d" "f1_f";
    2 "x2" "f2_d" "f2_f";
    3 "x3" "f3_d" "f3_f";
    4 "x4" "f4_d" "f4_f";
    5 "x5" "f5_d" "f5_f";
    6 "x6" "f6_d" "f6_f";
    7 "x7" "f7_d" "f7_f";
    8 "x8" "f8_d" "f8_f";
    9 "x9" "f9_d" "f9_f";
    10 "x10" "f10_d" "f10_f";
    11 "x11" "f11_d" "f11_f";
    12 "x12" "f12_d" "f12_f";
    13 "x13" "f13_d" "f13_f";
    14 "x14" "f14_d" "f14_f";
    15 "x15" "f15_d" "f15_f";
    16 "x16" "f16_d" "f16_f";
    17 "x17" "f17_d" "f17_f";
    18 "x18" "f18_d" "f18_f";
    19 "x19" "f19_d" "f19_f";
    20 "x20" "f20_d" "f20_f";
    21 "x21" "f21_d" "f21_f";
    22 "x22" "f22_d" "f22_f";
    23 "x23" "f23_d" "f23_f";
    24 "x24" "f24_d" "f24_f";
    25 "x25" "f25_d" "f25_f";
    26 "x26" "f26_d" "f26_f";
    27 "x27" "f27_d" "f27_f";
    28 "x28" "f28_d" "f28_f";
    29 "x29" "f29_d" "f29_f";
    30 "x30" "f30_d" "f30_f";
    31 "x31" "f31_d" "f31_f";
}

static ROWS: [RegisterRow; 98] = rows();

const fn rows() -> [RegisterRow; 98] {
    let none = RegisterRow {
        name: Name::new("noreg"),
        encoding: 0,
        units: UnitSet::EMPTY,
        dwarf: -1,
        parts: &[],
    };
    let mut rows = [none; 98];
    let mut number = 0;
    while number < 32 {
        let encoding = number as u8;
        rows[GENERAL as usize + number] = RegisterRow {
            name: Name::new(GENERAL_NAMES[number]),
            encoding,
            units: general_units(encoding),
            dwarf: number as i16,
            parts: &[],
        };
        let double = RegisterRow {
            name: Name::new(DOUBLE_NAMES[number]),
            encoding,
            units: UnitSet::unit(FLOAT_UNITS + encoding),
            dwarf: 32 + number as i16,
            parts: DOUBLE_PARTS[number],
        };
        rows[DOUBLE as usize + number] = double;
        rows[FLOAT as usize + number] = RegisterRow {
            name: Name::new(FLOAT_NAMES[number]),
            parts: &[],
            ..double
        };
        number += 1;
    }
    rows[97] = RegisterRow {
        name: Name::new("frm"),
        ..none
    };
    rows
}

/// Allocation orders by number: first the registers that compressed instructions reach, then all
/// others that calls may clobber. The return address register is left out, although leaf functions
/// could use it.
const GENERAL_NUMBERS: [u16; 24] = [
    15, 14, 13, 12, 11, 10, 16, 17, 5, 6, 7, 28, 29, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
];
const FLOATING_NUMBERS: [u16; 30] = [
    15, 14, 13, 12, 11, 10, 16, 17, 0, 1, 2, 3, 4, 5, 6, 7, 28, 29, 8, 9, 18, 19, 20, 21, 22, 23,
    24, 25, 26, 27,
];
/// Registers that an indirect jump may go through without being predicted as a return.
const JUMP_NUMBERS: [u16; 23] = [
    15, 14, 13, 12, 11, 10, 16, 17, 6, 7, 28, 29, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
];
/// Registers that still hold their values after the frame is freed.
const TAIL_NUMBERS: [u16; 12] = [15, 14, 13, 12, 11, 10, 16, 17, 6, 7, 28, 29];

const fn order<const N: usize>(first: u16, numbers: [u16; N]) -> [u16; N] {
    let mut order = numbers;
    let mut place = 0;
    while place < N {
        order[place] += first;
        place += 1;
    }
    order
}

pub(crate) const GPR: ClassId = ClassId(0);
pub(crate) const FPR64: ClassId = ClassId(1);
pub(crate) const FPR32: ClassId = ClassId(2);
pub(crate) const GPRJALR: ClassId = ClassId(3);
pub(crate) const GPRTC: ClassId = ClassId(4);

const fn class(
    name: &'static str,
    bank: machine::Bank,
    spill_bytes: u8,
    part: SubIndex,
    order: &'static [u16],
) -> ClassRow {
    ClassRow {
        name: Name::new(name),
        bank,
        spill_bytes,
        part,
        order,
    }
}

pub(crate) static CLASSES: [ClassRow; 5] = {
    use machine::Bank::{Floating, General};
    const WHOLE: SubIndex = SubIndex(0);
    const INTS: &[u16] = &order(GENERAL, GENERAL_NUMBERS);
    const DOUBLES: &[u16] = &order(DOUBLE, FLOATING_NUMBERS);
    const FLOATS: &[u16] = &order(FLOAT, FLOATING_NUMBERS);
    const JUMPS: &[u16] = &order(GENERAL, JUMP_NUMBERS);
    const TAILS: &[u16] = &order(GENERAL, TAIL_NUMBERS);
    [
        class("gpr", General, 8, WHOLE, INTS),
        class("fpr64", Floating, 8, WHOLE, DOUBLES),
        class("fpr32", Floating, 4, SUB_32, FLOATS),
        class("gprjalr", General, 8, WHOLE, JUMPS),
        class("gprtc", General, 8, WHOLE, TAILS),
    ]
};

const fn class_of(bank: machine::Bank, ty: LowType) -> ClassId {
    match (bank, ty) {
        (machine::Bank::General, _) => GPR,
        (machine::Bank::Floating, LowType::S32) => FPR32,
        (machine::Bank::Floating, _) => FPR64,
    }
}

/// The registers of [`REGISTERS`], in the order of that table.
const HARD: [u16; 64] = {
    let mut hard = [0; 64];
    let mut number = 0;
    while number < 64 {
        hard[number] = GENERAL + number as u16;
        number += 1;
    }
    hard
};

/// The callee-saved registers of C besides the stack and frame pointers: ra (which the caller
/// needs), s1 to s11 and fs0 to fs11.
pub(crate) const SAVED: UnitSet = {
    let numbers = 0x0FFC_0200;
    UnitSet(2 | numbers | (numbers | 0x100) << FLOAT_UNITS)
};

pub(crate) static FILE: RegisterFile = RegisterFile {
    registers: &ROWS,
    classes: &CLASSES,
    allocatable: units_of_classes(&ROWS, &CLASSES),
    parts: &["", "sub_32"],
    class_of,
    stack_pointer: SP,
    frame_pointer: FP,
    saved: SAVED,
    hard: &HARD,
    scratch_general: &SCRATCH,
    scratch_floating: &[f(30), f(31)],
    spare: &[],
    stack_arguments: 0,
    return_address: ReturnAddress::Register(RA),
    int_arguments: &[x(10), x(11), x(12), x(13), x(14), x(15), x(16), x(17)],
    float_arguments: &[f(10), f(11), f(12), f(13), f(14), f(15), f(16), f(17)],
    int_results: &[x(10), x(11)],
    float_results: &[f(10), f(11)],
    variadic_floats: None,
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions that make the tables, run as any other.
    #[test]
    fn tables_are_the_same_at_run_time() {
        assert_eq!(rows(), ROWS);
        assert_eq!(row("r0", Int, Reserved), REGISTERS[0]);
        let whole = &CLASSES[0];
        let made = class(
            "gpr",
            whole.bank,
            whole.spill_bytes,
            whole.part,
            whole.order,
        );
        assert_eq!(made, *whole);
        assert_eq!(order(GENERAL, GENERAL_NUMBERS), whole.order);
    }
}
