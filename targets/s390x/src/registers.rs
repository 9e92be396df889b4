//! The registers of s390x: as the language names them, and as the code generator's register file
//! with LLVM's names.

use mir_nostd::machine::{self, ClassId, LowType, Reg, SubIndex, UnitSet};
use mir_nostd::target::Bank::{self, Float, Int};
use mir_nostd::target::Role::{self, Reserved, Saved, Volatile};
use mir_nostd::target::{
    ClassRow, HardRegister, Name, RegisterFile, RegisterRow, ReturnAddress, units_of_classes,
};

const fn row(name: &'static str, bank: Bank, role: Role) -> HardRegister {
    HardRegister { name, bank, role }
}

/// All registers; the reserved ones are the stack and frame pointers and the code generator's
/// temporaries.
pub(crate) static REGISTERS: &[HardRegister] = &[
    row("r0", Int, Reserved),
    row("r1", Int, Reserved),
    row("r2", Int, Volatile),
    row("r3", Int, Volatile),
    row("r4", Int, Volatile),
    row("r5", Int, Volatile),
    row("r6", Int, Saved),
    row("r7", Int, Saved),
    row("r8", Int, Saved),
    row("r9", Int, Reserved),
    row("r10", Int, Saved),
    row("r11", Int, Reserved),
    row("r12", Int, Saved),
    row("r13", Int, Saved),
    row("r14", Int, Volatile),
    row("r15", Int, Reserved),
    row("f0", Float, Volatile),
    row("f1", Float, Volatile),
    row("f2", Float, Volatile),
    row("f3", Float, Volatile),
    row("f4", Float, Volatile),
    row("f5", Float, Volatile),
    row("f6", Float, Volatile),
    row("f7", Float, Volatile),
    row("f8", Float, Reserved),
    row("f9", Float, Saved),
    row("f10", Float, Reserved),
    row("f11", Float, Saved),
    row("f12", Float, Saved),
    row("f13", Float, Saved),
    row("f14", Float, Saved),
    row("f15", Float, Saved),
];

// ---- the register file of the code generator

/// The low 32 bits of a general register.
const SUB_L32: SubIndex = SubIndex(1);
/// The high 32 bits of a floating register, which hold a float.
const SUB_H32: SubIndex = SubIndex(2);
/// The first register of a pair.
const SUB_H64: SubIndex = SubIndex(3);
/// The second register of a pair.
const SUB_L64: SubIndex = SubIndex(4);

const GENERAL_64: u16 = 1;
const GENERAL_32: u16 = 17;
const GENERAL_128: u16 = 33;
const FLOAT_64: u16 = 41;
const FLOAT_32: u16 = 57;
const FLOAT_128: u16 = 73;
const CONDITION: u16 = 81;
const CONTROL: u16 = 82;
const ROW_COUNT: usize = 83;

/// Returns the 64-bit register of this number.
pub(crate) const fn general(number: u16) -> Reg {
    Reg::physical(GENERAL_64 + number)
}

/// Returns the floating register of this number.
pub(crate) const fn float(number: u16) -> Reg {
    Reg::physical(FLOAT_64 + number)
}

pub(crate) const R0: Reg = general(0);
pub(crate) const R1: Reg = general(1);
pub(crate) const R11: Reg = general(11);
pub(crate) const R14: Reg = general(14);
pub(crate) const R15: Reg = general(15);
/// The pair of r0 and r1, in which multiplication and division work: no variable lives there.
pub(crate) const R0Q: Reg = Reg::physical(GENERAL_128);
pub(crate) const F0: Reg = float(0);
pub(crate) const F2: Reg = float(2);
pub(crate) const F4: Reg = float(4);
pub(crate) const F6: Reg = float(6);
/// The pair of f0 and f2.
pub(crate) const F0Q: Reg = Reg::physical(FLOAT_128);
/// The pair of f4 and f6.
pub(crate) const F4Q: Reg = Reg::physical(FLOAT_128 + 2);
pub(crate) const CC: Reg = Reg::physical(CONDITION);
pub(crate) const FPC: Reg = Reg::physical(CONTROL);

/// The kinds of registers that values are moved between.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A general register.
    General,
    /// A floating register.
    Double,
    /// The half of a floating register that holds a float.
    Single,
}

/// Returns the kind of a register.
pub(crate) const fn kind(reg: Reg) -> Kind {
    match reg.row() {
        Some(row) if FLOAT_64 <= row && row < FLOAT_32 => Kind::Double,
        Some(row) if FLOAT_32 <= row && row < FLOAT_128 => Kind::Single,
        _ => Kind::General,
    }
}

/// The first unit of floating registers; general registers have the units 0 to 15.
const FLOAT_UNITS: u8 = 16;
const CONDITION_UNIT: u8 = 32;

/// Returns the unit of a general register; the stack pointer has none, as it is never allocated.
const fn general_unit(number: u8) -> UnitSet {
    match number {
        15 => UnitSet::EMPTY,
        other => UnitSet::unit(other),
    }
}

const fn float_unit(number: u8) -> UnitSet {
    UnitSet::unit(FLOAT_UNITS + number)
}

const fn register(
    name: &'static str,
    encoding: u8,
    units: UnitSet,
    dwarf: i16,
    parts: &'static [(SubIndex, u16)],
) -> RegisterRow {
    RegisterRow {
        name: Name::new(name),
        encoding,
        units,
        dwarf,
        parts,
    }
}

static ROWS: [RegisterRow; ROW_COUNT] = rows();

/// The registers by number: general registers of 64 and 32 bits, floating ones of 64 and 32 bits
/// with their DWARF numbers, and pairs of each by the number of the first.
macro_rules! registers {
    (
        general $($number:literal $r64:literal $r32:literal;)*
        float $($float:literal $dwarf:literal $f64:literal $f32:literal;)*
        pairs $($pair:literal $place:literal $r128:literal;)*
        float_pairs $($first:literal $second:literal $at:literal $f128:literal;)*
    ) => {
        const fn rows() -> [RegisterRow; ROW_COUNT] {
            let mut rows = [register("noreg", 0, UnitSet::EMPTY, -1, &[]); ROW_COUNT];
            $(
                let units = general_unit($number);
                rows[GENERAL_64 as usize + $number] =
                    register($r64, $number, units, $number, &[(SUB_L32, GENERAL_32 + $number)]);
                rows[GENERAL_32 as usize + $number] = register($r32, $number, units, -1, &[]);
            )*
            $(
                let units = float_unit($float);
                rows[FLOAT_64 as usize + $float] =
                    register($f64, $float, units, $dwarf, &[(SUB_H32, FLOAT_32 + $float)]);
                rows[FLOAT_32 as usize + $float] = register($f32, $float, units, -1, &[]);
            )*
            $(
                let units = general_unit($pair).union(general_unit($pair + 1));
                rows[GENERAL_128 as usize + $place] = register($r128, $pair, units, -1, &[
                    (SUB_H64, GENERAL_64 + $pair),
                    (SUB_L64, GENERAL_64 + $pair + 1),
                ]);
            )*
            $(
                let units = float_unit($first).union(float_unit($second));
                rows[FLOAT_128 as usize + $at] = register($f128, $first, units, -1, &[
                    (SUB_H64, FLOAT_64 + $first),
                    (SUB_L64, FLOAT_64 + $second),
                ]);
            )*
            let condition = UnitSet::unit(CONDITION_UNIT);
            rows[CONDITION as usize] = register("cc", 0, condition, -1, &[]);
            rows[CONTROL as usize] = register("fpc", 0, UnitSet::EMPTY, -1, &[]);
            rows
        }
    };
}

registers! {
    general
    0 "r0d" "r0l"; 1 "r1d" "r1l"; 2 "r2d" "r2l"; 3 "r3d" "r3l";
    4 "r4d" "r4l"; 5 "r5d" "r5l"; 6 "r6d" "r6l"; 7 "r7d" "r7l";
    8 "r8d" "r8l"; 9 "r9d" "r9l"; 10 "r10d" "r10l"; 11 "r11d" "r11l";
    12 "r12d" "r12l"; 13 "r13d" "r13l"; 14 "r14d" "r14l"; 15 "r15d" "r15l";
    float
    0 16 "f0d" "f0s"; 1 20 "f1d" "f1s"; 2 17 "f2d" "f2s"; 3 21 "f3d" "f3s";
    4 18 "f4d" "f4s"; 5 22 "f5d" "f5s"; 6 19 "f6d" "f6s"; 7 23 "f7d" "f7s";
    8 24 "f8d" "f8s"; 9 28 "f9d" "f9s"; 10 25 "f10d" "f10s"; 11 29 "f11d" "f11s";
    12 26 "f12d" "f12s"; 13 30 "f13d" "f13s"; 14 27 "f14d" "f14s"; 15 31 "f15d" "f15s";
    pairs
    0 0 "r0q"; 2 1 "r2q"; 4 2 "r4q"; 6 3 "r6q"; 8 4 "r8q"; 10 5 "r10q"; 12 6 "r12q"; 14 7 "r14q";
    float_pairs
    0 2 0 "f0q"; 1 3 1 "f1q"; 4 6 2 "f4q"; 5 7 3 "f5q";
    8 10 4 "f8q"; 9 11 5 "f9q"; 12 14 6 "f12q"; 13 15 7 "f13q";
}

/// Returns the allocation order by number: first the registers that calls may clobber. Left out are
/// the stack pointer, r14, which reaches far places of the frame, and the scratch registers r0, r1,
/// r9, f8 and f10. Functions whose stack grows have no r11.
const fn general_order(first: u16) -> [u16; 11] {
    ordered(first, [2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13])
}

const fn float_order(first: u16) -> [u16; 14] {
    ordered(first, [0, 2, 4, 6, 1, 3, 5, 7, 9, 11, 12, 13, 14, 15])
}

const fn ordered<const N: usize>(first: u16, numbers: [u16; N]) -> [u16; N] {
    let mut order = numbers;
    let mut place = 0;
    while place < N {
        order[place] += first;
        place += 1;
    }
    order
}

pub(crate) const GR64: ClassId = ClassId(0);
/// All general registers but r0, which means no register in an address; the default class of
/// virtual registers.
pub(crate) const ADDR64: ClassId = ClassId(1);
pub(crate) const GR32: ClassId = ClassId(2);
pub(crate) const ADDR32: ClassId = ClassId(3);
pub(crate) const GR128: ClassId = ClassId(4);
pub(crate) const FP64: ClassId = ClassId(5);
pub(crate) const FP32: ClassId = ClassId(6);
pub(crate) const FP128: ClassId = ClassId(7);

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

pub(crate) static CLASSES: [ClassRow; 8] = {
    use machine::Bank::{Floating, General};
    const WHOLE: SubIndex = SubIndex(0);
    const ORDER_64: [u16; 11] = general_order(GENERAL_64);
    const ORDER_32: [u16; 11] = general_order(GENERAL_32);
    const DOUBLES: [u16; 14] = float_order(FLOAT_64);
    const SINGLES: [u16; 14] = float_order(FLOAT_32);
    [
        class("gr64bit", General, 8, WHOLE, &ORDER_64),
        class("addr64bit", General, 8, WHOLE, &ORDER_64),
        class("gr32bit", General, 8, SUB_L32, &ORDER_32),
        class("addr32bit", General, 8, SUB_L32, &ORDER_32),
        class("gr128bit", General, 16, WHOLE, &[]),
        class("fp64bit", Floating, 8, WHOLE, &DOUBLES),
        class("fp32bit", Floating, 4, SUB_H32, &SINGLES),
        class("fp128bit", Floating, 16, WHOLE, &[]),
    ]
};

fn class_of(bank: machine::Bank, ty: LowType) -> ClassId {
    match (bank, ty) {
        (machine::Bank::General, _) => ADDR64,
        (machine::Bank::Floating, LowType::S32) => FP32,
        (machine::Bank::Floating, _) => FP64,
    }
}

/// The registers of [`REGISTERS`], in the order of that table.
const HARD: [u16; 32] = {
    let mut hard = [0; 32];
    let mut number = 0;
    while number < 16 {
        hard[number] = GENERAL_64 + number as u16;
        hard[16 + number] = FLOAT_64 + number as u16;
        number += 1;
    }
    hard
};

/// The callee-saved registers of C besides the stack pointer: r6 to r13, f8 to f15.
pub(crate) const SAVED: UnitSet = UnitSet(0x3FC0 | 0xFF00 << FLOAT_UNITS);

pub(crate) static FILE: RegisterFile = RegisterFile {
    registers: &ROWS,
    classes: &CLASSES,
    allocatable: units_of_classes(&ROWS, &CLASSES),
    parts: &["", "subreg_l32", "subreg_h32", "subreg_h64", "subreg_l64"],
    class_of,
    stack_pointer: R15,
    frame_pointer: R11,
    saved: SAVED,
    hard: &HARD,
    scratch_general: &[R1, general(9)],
    scratch_floating: &[float(8), float(10)],
    spare: &[],
    stack_arguments: 160,
    return_address: ReturnAddress::Frame(112 - 160),
    int_arguments: &[general(2), general(3), general(4), general(5), general(6)],
    float_arguments: &[F0, F2, F4, F6],
    int_results: &[general(2), general(3), general(4), general(5)],
    float_results: &[F0, F2, F4, F6],
    variadic_floats: None,
};

/// Returns the lowest general register of the units, if there is one.
pub(crate) fn lowest_general(units: UnitSet) -> Option<u16> {
    units
        .iter()
        .next()
        .filter(|&unit| unit < FLOAT_UNITS)
        .map(u16::from)
}

/// Returns the highest general register of the units, if there is one.
pub(crate) fn highest_general(units: UnitSet) -> Option<u16> {
    let general = units.iter().take_while(|&unit| unit < FLOAT_UNITS);
    general.last().map(u16::from)
}

/// Returns the floating registers of the units.
pub(crate) fn floats(units: UnitSet) -> impl Iterator<Item = Reg> {
    let floating = |unit: u8| unit.checked_sub(FLOAT_UNITS).filter(|&number| number < 16);
    units
        .iter()
        .filter_map(floating)
        .map(|number| float(u16::from(number)))
}

/// Returns whether r14 is among the units.
pub(crate) const fn has_r14(units: UnitSet) -> bool {
    units.contains(general_unit(14))
}

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
            "gr64bit",
            whole.bank,
            whole.spill_bytes,
            whole.part,
            whole.order,
        );
        assert_eq!(made, *whole);
        assert_eq!(general_order(GENERAL_64), whole.order);
        assert_eq!(float_order(FLOAT_64), CLASSES[usize::from(FP64.0)].order);
    }
}
