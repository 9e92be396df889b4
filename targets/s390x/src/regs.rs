//! The registers of s390x.

use mir_nostd::target::Bank::{self, Float, Int};
use mir_nostd::target::HardRegister;
use mir_nostd::target::Role::{self, Reserved, Saved, Volatile};

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
