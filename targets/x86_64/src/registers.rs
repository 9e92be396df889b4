//! The registers of `x86_64`.

use mir_nostd::machine::{self, ClassId, LowType, Reg, SubIndex, UnitSet};
use mir_nostd::target::Bank::{self, Float, Int, X87};
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
    row("rax", Int, Volatile),
    row("rcx", Int, Volatile),
    row("rdx", Int, Volatile),
    row("rbx", Int, Saved),
    row("rsp", Int, Reserved),
    row("rbp", Int, Reserved),
    row("rsi", Int, Volatile),
    row("rdi", Int, Volatile),
    row("r8", Int, Volatile),
    row("r9", Int, Volatile),
    row("r10", Int, Reserved),
    row("r11", Int, Reserved),
    row("r12", Int, Saved),
    row("r13", Int, Saved),
    row("r14", Int, Saved),
    row("r15", Int, Saved),
    row("xmm0", Float, Volatile),
    row("xmm1", Float, Volatile),
    row("xmm2", Float, Volatile),
    row("xmm3", Float, Volatile),
    row("xmm4", Float, Volatile),
    row("xmm5", Float, Volatile),
    row("xmm6", Float, Volatile),
    row("xmm7", Float, Volatile),
    row("xmm8", Float, Reserved),
    row("xmm9", Float, Reserved),
    row("xmm10", Float, Volatile),
    row("xmm11", Float, Volatile),
    row("xmm12", Float, Volatile),
    row("xmm13", Float, Volatile),
    row("xmm14", Float, Volatile),
    row("xmm15", Float, Volatile),
    row("st0", X87, Reserved),
    row("st1", X87, Reserved),
];

// ---- the register file of the code generator

const SUB_8: SubIndex = SubIndex(1);
const SUB_16: SubIndex = SubIndex(2);
pub(crate) const SUB_32: SubIndex = SubIndex(3);

const GENERAL_64: u16 = 1;
const GENERAL_32: u16 = 17;
const GENERAL_16: u16 = 33;
const GENERAL_8: u16 = 49;
const XMM: u16 = 65;
const ST: u16 = 81;

/// Returns the 64-bit register of this encoding.
const fn general(encoding: u16) -> Reg {
    Reg::physical(GENERAL_64 + encoding)
}

/// Returns the xmm register of this encoding.
const fn xmm(encoding: u16) -> Reg {
    Reg::physical(XMM + encoding)
}

pub(crate) const RAX: Reg = general(0);
pub(crate) const RCX: Reg = general(1);
pub(crate) const RDX: Reg = general(2);
pub(crate) const RSP: Reg = general(4);
pub(crate) const RBP: Reg = general(5);
pub(crate) const RSI: Reg = general(6);
pub(crate) const RDI: Reg = general(7);
pub(crate) const R11: Reg = general(11);
pub(crate) const AL: Reg = Reg::physical(GENERAL_8);
pub(crate) const AX: Reg = Reg::physical(GENERAL_16);
pub(crate) const EAX: Reg = Reg::physical(GENERAL_32);
pub(crate) const EDX: Reg = Reg::physical(GENERAL_32 + 2);
pub(crate) const CL: Reg = Reg::physical(GENERAL_8 + 1);
pub(crate) const ST0: Reg = Reg::physical(ST);
pub(crate) const ST1: Reg = Reg::physical(ST + 1);
pub(crate) const RIP: Reg = Reg::physical(89);
pub(crate) const EFLAGS: Reg = Reg::physical(90);
pub(crate) const MXCSR: Reg = Reg::physical(91);
pub(crate) const FPCW: Reg = Reg::physical(92);
pub(crate) const FPSW: Reg = Reg::physical(93);
pub(crate) const SSP: Reg = Reg::physical(94);

/// The unit of the flags. General registers have the units 0 to 15, xmm registers 16 to 31;
/// registers that are never allocated have none.
const FLAGS_UNIT: u8 = 32;

const fn general_unit(encoding: u8) -> UnitSet {
    match encoding {
        4 => UnitSet::EMPTY,
        other => UnitSet::unit(other),
    }
}

/// Returns the 64-bit register of which a 32-bit one is the low half; another one unchanged.
pub(crate) const fn whole(reg: Reg) -> Reg {
    match reg.row() {
        Some(row) if GENERAL_32 <= row && row < GENERAL_16 => general(row - GENERAL_32),
        _ => reg,
    }
}

/// Returns whether an 8-bit register is encoded with a REX prefix, without which its number means
/// another one.
pub(crate) const fn needs_rex(reg: Reg) -> bool {
    matches!(reg.row(), Some(row) if GENERAL_8 + 4 <= row && row < GENERAL_8 + 8)
}

/// Returns whether the register is an xmm one.
pub(crate) const fn is_xmm(reg: Reg) -> bool {
    matches!(reg.row(), Some(row) if XMM <= row && row < ST)
}

const fn part(name: &'static str, encoding: u8, parts: &'static [(SubIndex, u16)]) -> RegisterRow {
    RegisterRow {
        name: Name::new(name),
        encoding,
        units: general_unit(encoding),
        dwarf: -1,
        parts,
    }
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

/// The general registers by encoding: the DWARF number and the names as 64, 32, 16 and 8 bits.
macro_rules! general_registers {
    ($($encoding:literal $dwarf:literal $r64:literal $r32:literal $r16:literal $r8:literal;)*) => {
        const GENERAL_ROWS: [[RegisterRow; 16]; 4] = [
            [$(RegisterRow {
                dwarf: $dwarf,
                ..part($r64, $encoding, &[
                    (SUB_32, GENERAL_32 + $encoding),
                    (SUB_16, GENERAL_16 + $encoding),
                    (SUB_8, GENERAL_8 + $encoding),
                ])
            }),*],
            [$(part($r32, $encoding, &[
                (SUB_16, GENERAL_16 + $encoding),
                (SUB_8, GENERAL_8 + $encoding),
            ])),*],
            [$(part($r16, $encoding, &[(SUB_8, GENERAL_8 + $encoding)])),*],
            [$(part($r8, $encoding, &[])),*],
        ];
    };
}

general_registers! {
    0 0 "rax" "eax" "ax" "al";
    1 2 "rcx" "ecx" "cx" "cl";
    2 1 "rdx" "edx" "dx" "dl";
    3 3 "rbx" "ebx" "bx" "bl";
    4 7 "rsp" "esp" "sp" "spl";
    5 6 "rbp" "ebp" "bp" "bpl";
    6 4 "rsi" "esi" "si" "sil";
    7 5 "rdi" "edi" "di" "dil";
    8 8 "r8" "r8d" "r8w" "r8b";
    9 9 "r9" "r9d" "r9w" "r9b";
    10 10 "r10" "r10d" "r10w" "r10b";
    11 11 "r11" "r11d" "r11w" "r11b";
    12 12 "r12" "r12d" "r12w" "r12b";
    13 13 "r13" "r13d" "r13w" "r13b";
    14 14 "r14" "r14d" "r14w" "r14b";
    15 15 "r15" "r15d" "r15w" "r15b";
}

const XMM_NAMES: [&str; 16] = [
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
    "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
];
const ST_NAMES: [&str; 8] = ["st0", "st1", "st2", "st3", "st4", "st5", "st6", "st7"];

pub(crate) static ROWS: [RegisterRow; 95] = rows();

const fn rows() -> [RegisterRow; 95] {
    let mut rows = [other("noreg", 0, UnitSet::EMPTY, -1); 95];
    let mut number = 0;
    while number < 16 {
        let mut width = 0;
        while width < 4 {
            rows[1 + 16 * width + number] = GENERAL_ROWS[width][number];
            width += 1;
        }
        let encoding = number as u8;
        let units = UnitSet::unit(16 + encoding);
        rows[XMM as usize + number] = other(XMM_NAMES[number], encoding, units, 17 + number as i16);
        if number < 8 {
            let dwarf = 33 + number as i16;
            rows[ST as usize + number] = other(ST_NAMES[number], encoding, UnitSet::EMPTY, dwarf);
        }
        number += 1;
    }
    rows[89] = other("rip", 0, UnitSet::EMPTY, 16);
    rows[90] = other("eflags", 0, UnitSet::unit(FLAGS_UNIT), 49);
    rows[91] = other("mxcsr", 0, UnitSet::EMPTY, -1);
    rows[92] = other("fpcw", 0, UnitSet::EMPTY, -1);
    rows[93] = other("fpsw", 0, UnitSet::EMPTY, -1);
    rows[94] = other("ssp", 0, UnitSet::EMPTY, -1);
    rows
}

/// Returns the allocation order by encoding: first the registers that calls may clobber. The stack
/// pointer and the scratch registers r10, r11, xmm8 and xmm9 are left out; rbp is reserved in
/// functions where it is the frame pointer.
const fn general_order(first: u16) -> [u16; 13] {
    let encodings = [0, 1, 2, 6, 7, 8, 9, 3, 5, 14, 15, 12, 13];
    let mut order = [0; 13];
    let mut place = 0;
    while place < 13 {
        order[place] = first + encodings[place];
        place += 1;
    }
    order
}

const XMM_ORDER: [u16; 14] = {
    let mut order = [0; 14];
    let mut place = 0;
    while place < 14 {
        order[place] = XMM + place as u16 + if place < 8 { 0 } else { 2 };
        place += 1;
    }
    order
};

pub(crate) const GR64: ClassId = ClassId(0);
pub(crate) const GR32: ClassId = ClassId(1);
pub(crate) const GR16: ClassId = ClassId(2);
pub(crate) const GR8: ClassId = ClassId(3);
pub(crate) const FR64: ClassId = ClassId(4);
pub(crate) const FR32: ClassId = ClassId(5);
/// The class of xmm registers of which only the low 64 bits are used.
pub(crate) const VR128: ClassId = ClassId(6);
pub(crate) const GR64_NOSP: ClassId = ClassId(7);
pub(crate) const GR64_TC: ClassId = ClassId(8);
pub(crate) const SEGMENT_REG: ClassId = ClassId(9);
pub(crate) const RST: ClassId = ClassId(10);

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

pub(crate) static CLASSES: [ClassRow; 11] = {
    use machine::Bank::{Floating, General};
    const WHOLE: SubIndex = SubIndex(0);
    const ORDER_64: [u16; 13] = general_order(GENERAL_64);
    [
        class("gr64", General, WHOLE, &ORDER_64),
        class(
            "gr32",
            General,
            SUB_32,
            &const { general_order(GENERAL_32) },
        ),
        class(
            "gr16",
            General,
            SUB_16,
            &const { general_order(GENERAL_16) },
        ),
        class("gr8", General, SUB_8, &const { general_order(GENERAL_8) }),
        class("fr64", Floating, WHOLE, &XMM_ORDER),
        class("fr32", Floating, WHOLE, &XMM_ORDER),
        class("vr128", Floating, WHOLE, &XMM_ORDER),
        class("gr64_nosp", General, WHOLE, &ORDER_64),
        class("gr64_tc", General, WHOLE, &[1, 2, 3, 7, 8, 9, 10]),
        class("segment_reg", General, WHOLE, &[]),
        class("rst", Floating, WHOLE, &[]),
    ]
};

fn class_of(bank: machine::Bank, ty: LowType) -> ClassId {
    match (bank, ty) {
        // Instructions take the stack pointer only as some operands.
        (machine::Bank::General, _) => GR64_NOSP,
        (machine::Bank::Floating, LowType::S32) => FR32,
        (machine::Bank::Floating, _) => FR64,
    }
}

/// The registers of [`REGISTERS`], in the order of that table.
const HARD: [u16; 34] = {
    let mut hard = [0; 34];
    let mut number = 0;
    while number < 32 {
        hard[number] = if number < 16 { 1 } else { XMM - 16 } + number as u16;
        number += 1;
    }
    hard[32] = ST;
    hard[33] = ST + 1;
    hard
};

/// The callee-saved registers of C besides the stack pointer: rbx, rbp, r12 to r15.
pub(crate) const SAVED: UnitSet = UnitSet(1 << 3 | 1 << 5 | 0xF << 12);

pub(crate) static FILE: RegisterFile = RegisterFile {
    registers: &ROWS,
    classes: &CLASSES,
    allocatable: units_of_classes(&ROWS, &CLASSES),
    parts: &["", "sub_8bit", "sub_16bit", "sub_32bit"],
    class_of,
    stack_pointer: RSP,
    frame_pointer: RBP,
    saved: SAVED,
    hard: &HARD,
    scratch_general: &[general(10), R11],
    scratch_floating: &[xmm(8), xmm(9)],
    spare: &[R11, xmm(9)],
    stack_arguments: 0,
    return_address: ReturnAddress::Frame(-8),
    int_arguments: &[RDI, RSI, RDX, RCX, general(8), general(9)],
    float_arguments: &[
        xmm(0),
        xmm(1),
        xmm(2),
        xmm(3),
        xmm(4),
        xmm(5),
        xmm(6),
        xmm(7),
    ],
    int_results: &[RAX, RDX],
    float_results: &[xmm(0), xmm(1)],
    variadic_floats: Some(RAX),
};

/// Returns the callee-saved register of a unit.
pub(crate) const fn saved_register(unit: u8) -> Reg {
    general(unit as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions that make the tables, run as any other.
    #[test]
    fn tables_are_the_same_at_run_time() {
        assert_eq!(rows(), ROWS);
        assert_eq!(row("rax", Int, Volatile), REGISTERS[0]);
        assert_eq!(part("al", 0, &[]), ROWS[usize::from(GENERAL_8)]);
        let [whole, low] = [&CLASSES[0], &CLASSES[1]];
        let made = |row: &ClassRow, name| class(name, row.bank, row.part, row.order);
        assert_eq!([made(whole, "gr64"), made(low, "gr32")], [*whole, *low]);
        assert_eq!(general_order(GENERAL_64), whole.order);
        assert_eq!(general_order(GENERAL_32), low.order);
        assert_eq!(FILE.row(xmm(8)).name, Name::new("xmm8"));
        assert!(general_unit(4).is_empty());
    }
}
