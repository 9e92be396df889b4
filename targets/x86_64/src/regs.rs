//! The registers of `x86_64`.

use mir_nostd::target::Bank::{self, Float, Int, X87};
use mir_nostd::target::HardRegister;
use mir_nostd::target::Role::{self, Reserved, Saved, Volatile};

const fn row(name: &'static str, bank: Bank, role: Role) -> HardRegister {
    HardRegister { name, bank, role }
}

/// All registers; the reserved ones are the stack and frame pointers and the code generator's temporaries.
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
