//! The registers of ppc64le.

use mir_nostd::machine::{self, ClassId, LowType, Reg, SubIndex, UnitSet};
use mir_nostd::target::Bank::{self, Float, Int};
use mir_nostd::target::Role::{self, Reserved, Saved, Volatile};
use mir_nostd::target::{
    ClassRow, HardRegister, Name, RegisterFile, RegisterRow, ReturnAddress, units_of_classes,
};

const fn row(name: &'static str, bank: Bank, role: Role) -> HardRegister {
    HardRegister { name, bank, role }
}

/// All registers; the reserved ones are the stack, TOC, thread and frame pointers, the link
/// register and the code generator's temporaries.
pub(crate) static REGISTERS: &[HardRegister] = &[
    row("r0", Int, Reserved),
    row("r1", Int, Reserved),
    row("r2", Int, Reserved),
    row("r3", Int, Volatile),
    row("r4", Int, Volatile),
    row("r5", Int, Volatile),
    row("r6", Int, Volatile),
    row("r7", Int, Volatile),
    row("r8", Int, Volatile),
    row("r9", Int, Volatile),
    row("r10", Int, Volatile),
    row("r11", Int, Reserved),
    row("r12", Int, Reserved),
    row("r13", Int, Reserved),
    row("r14", Int, Saved),
    row("r15", Int, Saved),
    row("r16", Int, Saved),
    row("r17", Int, Saved),
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
    row("r28", Int, Saved),
    row("r29", Int, Saved),
    row("r30", Int, Saved),
    row("r31", Int, Reserved),
    row("lr", Int, Reserved),
    row("f0", Float, Volatile),
    row("f1", Float, Volatile),
    row("f2", Float, Volatile),
    row("f3", Float, Volatile),
    row("f4", Float, Volatile),
    row("f5", Float, Volatile),
    row("f6", Float, Volatile),
    row("f7", Float, Volatile),
    row("f8", Float, Volatile),
    row("f9", Float, Volatile),
    row("f10", Float, Volatile),
    row("f11", Float, Reserved),
    row("f12", Float, Reserved),
    row("f13", Float, Volatile),
    row("f14", Float, Saved),
    row("f15", Float, Saved),
    row("f16", Float, Saved),
    row("f17", Float, Saved),
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
    row("f28", Float, Saved),
    row("f29", Float, Saved),
    row("f30", Float, Saved),
    row("f31", Float, Saved),
];

// ---- the register file of the code generator

const SUB_32: SubIndex = SubIndex(1);
const SUB_LT: SubIndex = SubIndex(2);
const SUB_GT: SubIndex = SubIndex(3);
const SUB_EQ: SubIndex = SubIndex(4);
const SUB_UN: SubIndex = SubIndex(5);

const GENERAL_64: u16 = 1;
const GENERAL_32: u16 = 33;
const FLOAT: u16 = 65;
const FIELD: u16 = 97;
const BIT: u16 = 105;
const SPECIAL: u16 = 137;
const COUNT: usize = 144;

/// Returns the 64-bit register of this number.
pub(crate) const fn general(number: u16) -> Reg {
    Reg::physical(GENERAL_64 + number)
}

/// Returns the floating register of this number.
pub(crate) const fn float(number: u16) -> Reg {
    Reg::physical(FLOAT + number)
}

pub(crate) const X0: Reg = general(0);
pub(crate) const X1: Reg = general(1);
pub(crate) const X2: Reg = general(2);
pub(crate) const X11: Reg = general(11);
pub(crate) const X12: Reg = general(12);
pub(crate) const X31: Reg = general(31);
/// The field of the condition register that comparisons set. It is never live between generic
/// instructions.
pub(crate) const CR0: Reg = Reg::physical(FIELD);
pub(crate) const CR0LT: Reg = Reg::physical(BIT);
pub(crate) const CR0GT: Reg = Reg::physical(BIT + 1);
pub(crate) const CR0EQ: Reg = Reg::physical(BIT + 2);
pub(crate) const CR0UN: Reg = Reg::physical(BIT + 3);
/// The number 0, in operands for which an instruction takes 0 instead of register 0.
pub(crate) const ZERO8: Reg = Reg::physical(SPECIAL);
pub(crate) const LR8: Reg = Reg::physical(SPECIAL + 1);
pub(crate) const CTR8: Reg = Reg::physical(SPECIAL + 2);
pub(crate) const CARRY: Reg = Reg::physical(SPECIAL + 3);
pub(crate) const RM: Reg = Reg::physical(SPECIAL + 4);
/// The number 0 as a 32-bit base, which is written `r0`.
const ZERO: u16 = SPECIAL + 5;

/// The first units of each kind: general registers have the units 0 to 31, floating ones 32 to 63,
/// fields of the condition register 64 to 71. Registers that are never allocated have none.
const FLOAT_UNIT: u8 = 32;
const FIELD_UNIT: u8 = 64;
const CTR_UNIT: u8 = 72;
const CARRY_UNIT: u8 = 73;

const fn general_units(number: u8) -> UnitSet {
    match number {
        // The stack, TOC, thread and frame pointers.
        1 | 2 | 13 | 31 => UnitSet::EMPTY,
        other => UnitSet::unit(other),
    }
}

/// Returns whether the register is a floating one.
pub(crate) const fn is_float(reg: Reg) -> bool {
    matches!(reg.row(), Some(row) if FLOAT <= row && row < FIELD)
}

const fn other(name: &'static str, encoding: u8, units: UnitSet, dwarf: i16) -> RegisterRow {
    RegisterRow {
        name: Name::new(name),
        encoding,
        units,
        dwarf,
        parts: &[],
    }
}

macro_rules! numbered {
    ($($number:literal)*) => {
        const GENERAL_ROWS: [[RegisterRow; 32]; 3] = [
            [$(RegisterRow {
                parts: &[(SUB_32, GENERAL_32 + $number)],
                ..other(concat!("x", $number), $number, general_units($number), $number)
            }),*],
            [$(other(concat!("r", $number), $number, general_units($number), -1)),*],
            [$(other(
                concat!("f", $number),
                $number,
                UnitSet::unit(FLOAT_UNIT + $number),
                32 + $number,
            )),*],
        ];
    };
}

numbered! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 }

macro_rules! fields {
    ($($number:literal)*) => {
        const FIELD_ROWS: [RegisterRow; 8] = [$(RegisterRow {
            parts: &[
                (SUB_LT, BIT + 4 * $number),
                (SUB_GT, BIT + 4 * $number + 1),
                (SUB_EQ, BIT + 4 * $number + 2),
                (SUB_UN, BIT + 4 * $number + 3),
            ],
            ..other(
                concat!("cr", $number),
                $number,
                UnitSet::unit(FIELD_UNIT + $number),
                68 + $number,
            )
        }),*];
        const BIT_ROWS: [[RegisterRow; 4]; 8] = [$([
            bit(concat!("cr", $number, "lt"), 4 * $number),
            bit(concat!("cr", $number, "gt"), 4 * $number + 1),
            bit(concat!("cr", $number, "eq"), 4 * $number + 2),
            bit(concat!("cr", $number, "un"), 4 * $number + 3),
        ]),*];
    };
}

const fn bit(name: &'static str, number: u8) -> RegisterRow {
    other(name, number, UnitSet::unit(FIELD_UNIT + number / 4), -1)
}

fields! { 0 1 2 3 4 5 6 7 }

static ROWS: [RegisterRow; COUNT] = rows();

const fn rows() -> [RegisterRow; COUNT] {
    let mut rows = [other("noreg", 0, UnitSet::EMPTY, -1); COUNT];
    let mut number = 0;
    while number < 32 {
        rows[GENERAL_64 as usize + number] = GENERAL_ROWS[0][number];
        rows[GENERAL_32 as usize + number] = GENERAL_ROWS[1][number];
        rows[FLOAT as usize + number] = GENERAL_ROWS[2][number];
        rows[BIT as usize + number] = BIT_ROWS[number / 4][number % 4];
        if number < 8 {
            rows[FIELD as usize + number] = FIELD_ROWS[number];
        }
        number += 1;
    }
    let special = SPECIAL as usize;
    rows[special] = RegisterRow {
        parts: &[(SUB_32, ZERO)],
        ..other("zero8", 0, UnitSet::EMPTY, -1)
    };
    rows[special + 1] = other("lr8", 8, UnitSet::EMPTY, 65);
    rows[special + 2] = other("ctr8", 9, UnitSet::unit(CTR_UNIT), 66);
    rows[special + 3] = other("carry", 1, UnitSet::unit(CARRY_UNIT), 76);
    rows[special + 4] = other("rm", 0, UnitSet::EMPTY, -1);
    rows[special + 5] = other("zero", 0, UnitSet::EMPTY, -1);
    rows
}

/// Returns the allocation order of general registers: first those that calls may clobber, arguments
/// last to first. The stack, TOC, thread and frame pointers and the scratch registers 0, 11 and 12
/// are left out.
const fn general_order(first: u16) -> [u16; 25] {
    let mut order = [0; 25];
    let mut place = 0;
    while place < 25 {
        let number = if place < 8 {
            10 - place
        } else {
            30 + 8 - place
        };
        order[place] = first + number as u16;
        place += 1;
    }
    order
}

/// The allocation order of floating registers, without the scratch registers 11 and 12.
const FLOAT_ORDER: [u16; 30] = {
    let mut order = [0; 30];
    let mut place = 0;
    while place < 30 {
        order[place] = FLOAT
            + match place {
                0 => 0,
                1 => 13,
                2..12 => 12 - place as u16,
                _ => 31 + 12 - place as u16,
            };
        place += 1;
    }
    order
};

/// The class of every virtual register for integers: register 0 means the number 0 in addresses.
pub(crate) const G8RC_NOT_0: ClassId = ClassId(0);
pub(crate) const G8RC: ClassId = ClassId(1);
pub(crate) const G8RC_NOX0: ClassId = ClassId(2);
pub(crate) const GPRC: ClassId = ClassId(3);
pub(crate) const F8RC: ClassId = ClassId(4);
pub(crate) const F4RC: ClassId = ClassId(5);
pub(crate) const VSFRC: ClassId = ClassId(6);
pub(crate) const CRRC: ClassId = ClassId(7);
pub(crate) const CRBITRC: ClassId = ClassId(8);
pub(crate) const VSSRC: ClassId = ClassId(9);

const fn class(
    name: &'static str,
    bank: machine::Bank,
    part: SubIndex,
    order: &'static [u16],
) -> ClassRow {
    ClassRow {
        name: Name::new(name),
        bank,
        spill_bytes: 8,
        part,
        order,
    }
}

pub(crate) static CLASSES: [ClassRow; 10] = {
    use machine::Bank::{Floating, General};
    const WHOLE: SubIndex = SubIndex(0);
    const ORDER_64: [u16; 25] = general_order(GENERAL_64);
    const ORDER_32: [u16; 25] = general_order(GENERAL_32);
    [
        class("g8rc_and_g8rc_nox0", General, WHOLE, &ORDER_64),
        class("g8rc", General, WHOLE, &ORDER_64),
        class("g8rc_nox0", General, WHOLE, &ORDER_64),
        class("gprc", General, SUB_32, &ORDER_32),
        class("f8rc", Floating, WHOLE, &FLOAT_ORDER),
        class("f4rc", Floating, WHOLE, &FLOAT_ORDER),
        class("vsfrc", Floating, WHOLE, &FLOAT_ORDER),
        class("crrc", General, WHOLE, &[]),
        class("crbitrc", General, WHOLE, &[]),
        class("vssrc", Floating, WHOLE, &FLOAT_ORDER),
    ]
};

fn class_of(bank: machine::Bank, ty: LowType) -> ClassId {
    match (bank, ty) {
        (machine::Bank::General, _) => G8RC_NOT_0,
        (machine::Bank::Floating, LowType::S32) => F4RC,
        (machine::Bank::Floating, _) => F8RC,
    }
}

/// The registers of [`REGISTERS`], in the order of that table.
const HARD: [u16; 65] = {
    let mut hard = [0; 65];
    let mut number = 0;
    while number < 32 {
        hard[number] = GENERAL_64 + number as u16;
        hard[33 + number] = FLOAT + number as u16;
        number += 1;
    }
    hard[32] = SPECIAL + 1;
    hard
};

/// The callee-saved registers of C besides the stack, thread and frame pointers: r14 to r30, f14 to
/// f31.
const SAVED: UnitSet = UnitSet(0x7FFF_C000 | 0xFFFF_C000 << FLOAT_UNIT);

pub(crate) static FILE: RegisterFile = RegisterFile {
    registers: &ROWS,
    classes: &CLASSES,
    allocatable: units_of_classes(&ROWS, &CLASSES),
    parts: &["", "sub_32", "sub_lt", "sub_gt", "sub_eq", "sub_un"],
    class_of,
    stack_pointer: X1,
    frame_pointer: X31,
    saved: SAVED,
    hard: &HARD,
    scratch_general: &[X11, X12],
    scratch_floating: &[float(11), float(12)],
    spare: &[],
    stack_arguments: 32,
    return_address: ReturnAddress::Frame(16 - 32),
    int_arguments: &INTS,
    float_arguments: &FLOATS,
    int_results: &INTS,
    float_results: &FLOATS,
    variadic_floats: None,
};

/// The integer argument registers, r3 to r10.
const INTS: [Reg; 8] = {
    let mut regs = [Reg::NONE; 8];
    let mut number = 0;
    while number < 8 {
        regs[number] = general(3 + number as u16);
        number += 1;
    }
    regs
};

/// The floating argument registers, f1 to f13.
const FLOATS: [Reg; 13] = {
    let mut regs = [Reg::NONE; 13];
    let mut number = 0;
    while number < 13 {
        regs[number] = float(1 + number as u16);
        number += 1;
    }
    regs
};

/// Returns the callee-saved register of a unit.
pub(crate) const fn saved_register(unit: u8) -> Reg {
    if unit < FLOAT_UNIT {
        general(unit as u16)
    } else {
        float((unit - FLOAT_UNIT) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions that make the tables, run as any other.
    #[test]
    fn tables_are_the_same_at_run_time() {
        assert_eq!(rows(), ROWS);
        assert_eq!(row("r0", Int, Reserved), REGISTERS[0]);
        assert_eq!(bit("cr7un", 31), ROWS[usize::from(BIT) + 31]);
        let whole = &CLASSES[0];
        let made = class("g8rc_and_g8rc_nox0", whole.bank, whole.part, whole.order);
        assert_eq!(made, *whole);
        assert_eq!(general_order(GENERAL_64), whole.order);
        let units = [3, 1, 31].map(general_units);
        assert_eq!(units, [UnitSet::unit(3), UnitSet::EMPTY, UnitSet::EMPTY]);
    }
}
