//! `mir_try` in objects, which `mir import` makes calls of that may throw: its code, how its frame
//! is unwound, and the personality routine, which is Medium IR. What they do is described in
//! `host-tools/mir-host/src/exceptions.rs`, where `mir run` has its own.

use super::Writer;
use super::support::own_module;
use super::symbols::{Scope, SymbolOffset, new_symbol};
use crate::failure::Refusal;
use crate::isa::llvm_isa;
use crate::unwind::Unwinding;
use llvm_mir::target::Isa;
use mir_nostd::codegen::Compiler;
use mir_nostd::mem::Entity;
use object::{SymbolKind, SymbolScope};

const PERSONALITY: &str = include_str!("support/exceptions.mir");

/// The code of `mir_try` on one ISA: it saves a register that calls preserve, has the context
/// there, calls its first argument with the context, and returns.
struct Try {
    code: &'static [u8],
    /// The offset at which the frame is there.
    body: u32,
    /// The register, by its number in DWARF, and the offset from it of the frame's address.
    frame: (u16, i32),
    /// The registers that are saved, with their offsets from the frame's address.
    saved: &'static [(u16, i32)],
    /// The register that has the context.
    context: u16,
}

#[rustfmt::skip]
const X86_64: Try = Try {
    code: &[
        0xf3, 0x0f, 0x1e, 0xfa, // endbr64
        0x53,                   // push rbx
        0x48, 0x89, 0xf3,       // mov rbx, rsi
        0x48, 0x89, 0xf8,       // mov rax, rdi
        0x48, 0x89, 0xf7,       // mov rdi, rsi
        0xff, 0xd0,             // call rax
        0x5b,                   // pop rbx
        0xc3,                   // ret
    ],
    body: 5,
    frame: (7, 16),
    saved: &[(3, -16)],
    context: 3,
};

#[rustfmt::skip]
const AARCH64: Try = Try {
    code: &[
        0x5f, 0x24, 0x03, 0xd5, // bti c
        0xfd, 0x7b, 0xbe, 0xa9, // stp x29, x30, [sp, #-32]!
        0xf3, 0x0b, 0x00, 0xf9, // str x19, [sp, #16]
        0xfd, 0x03, 0x00, 0x91, // mov x29, sp
        0xf3, 0x03, 0x01, 0xaa, // mov x19, x1
        0xe9, 0x03, 0x00, 0xaa, // mov x9, x0
        0xe0, 0x03, 0x01, 0xaa, // mov x0, x1
        0x20, 0x01, 0x3f, 0xd6, // blr x9
        0xf3, 0x0b, 0x40, 0xf9, // ldr x19, [sp, #16]
        0xfd, 0x7b, 0xc2, 0xa8, // ldp x29, x30, [sp], #32
        0xc0, 0x03, 0x5f, 0xd6, // ret
    ],
    body: 12,
    frame: (31, 32),
    saved: &[(29, -32), (30, -24), (19, -16)],
    context: 19,
};

#[rustfmt::skip]
const PPC64LE: Try = Try {
    code: &[
        0xa6, 0x02, 0x08, 0x7c, // mflr 0
        0x10, 0x00, 0x01, 0xf8, // std 0, 16(1)
        0xf8, 0xff, 0xe1, 0xfb, // std 31, -8(1)
        0xd1, 0xff, 0x21, 0xf8, // stdu 1, -48(1)
        0x18, 0x00, 0x41, 0xf8, // std 2, 24(1)
        0x78, 0x23, 0x9f, 0x7c, // mr 31, 4
        0x78, 0x1b, 0x6c, 0x7c, // mr 12, 3
        0xa6, 0x03, 0x89, 0x7d, // mtctr 12
        0x78, 0x23, 0x83, 0x7c, // mr 3, 4
        0x21, 0x04, 0x80, 0x4e, // bctrl
        0x18, 0x00, 0x41, 0xe8, // ld 2, 24(1)
        0x30, 0x00, 0x21, 0x38, // addi 1, 1, 48
        0xf8, 0xff, 0xe1, 0xeb, // ld 31, -8(1)
        0x10, 0x00, 0x01, 0xe8, // ld 0, 16(1)
        0xa6, 0x03, 0x08, 0x7c, // mtlr 0
        0x20, 0x00, 0x80, 0x4e, // blr
    ],
    body: 16,
    frame: (1, 48),
    saved: &[(65, 16), (31, -8)],
    context: 31,
};

#[rustfmt::skip]
const RISCV64: Try = Try {
    code: &[
        0x13, 0x01, 0x01, 0xff, // addi sp, sp, -16
        0x23, 0x34, 0x11, 0x00, // sd ra, 8(sp)
        0x23, 0x30, 0x91, 0x00, // sd s1, 0(sp)
        0x93, 0x84, 0x05, 0x00, // mv s1, a1
        0x93, 0x02, 0x05, 0x00, // mv t0, a0
        0x13, 0x85, 0x05, 0x00, // mv a0, a1
        0xe7, 0x80, 0x02, 0x00, // jalr t0
        0x83, 0x30, 0x81, 0x00, // ld ra, 8(sp)
        0x83, 0x34, 0x01, 0x00, // ld s1, 0(sp)
        0x13, 0x01, 0x01, 0x01, // addi sp, sp, 16
        0x67, 0x80, 0x00, 0x00, // ret
    ],
    body: 12,
    frame: (2, 16),
    saved: &[(1, -8), (9, -16)],
    context: 9,
};

#[rustfmt::skip]
const S390X: Try = Try {
    code: &[
        0xeb, 0x6f, 0xf0, 0x30, 0x00, 0x24, // stmg %r6, %r15, 48(%r15)
        0xb9, 0x04, 0x00, 0x1f,             // lgr %r1, %r15
        0xa7, 0xfb, 0xff, 0x60,             // aghi %r15, -160
        0xe3, 0x10, 0xf0, 0x00, 0x00, 0x24, // stg %r1, 0(%r15)
        0xb9, 0x04, 0x00, 0xb3,             // lgr %r11, %r3
        0xb9, 0x04, 0x00, 0x12,             // lgr %r1, %r2
        0xb9, 0x04, 0x00, 0x23,             // lgr %r2, %r3
        0x0d, 0xe1,                         // basr %r14, %r1
        0xeb, 0x6f, 0xf0, 0xd0, 0x00, 0x04, // lmg %r6, %r15, 208(%r15)
        0x07, 0xfe,                         // br %r14
    ],
    body: 14,
    frame: (15, 320),
    saved: &[(11, -72), (14, -48), (15, -40)],
    context: 11,
};

/// The frame of `mir_try` in an object: where it starts, how it is unwound, its personality.
pub(super) struct TryFrame {
    pub(super) start: SymbolOffset,
    pub(super) unwinding: Unwinding,
    pub(super) personality: SymbolOffset,
}

impl Writer {
    /// Adds `mir_try`, if the program imports it and no module defines it.
    pub(super) fn add_try(&mut self, compiler: &mut Compiler<'static>) -> Result<(), Refusal> {
        let known = self.globals.get(b"mir_try".as_slice()).copied();
        let Some(symbol) = known.filter(|&known| self.object.symbol(known).is_undefined()) else {
            return Ok(());
        };
        let own = match llvm_isa(self.isa.target()) {
            Isa::X86_64 => X86_64,
            Isa::Aarch64 => AARCH64,
            Isa::Ppc64le => PPC64LE,
            Isa::Riscv64 => RISCV64,
            Isa::S390x => S390X,
        };
        let at = self.append_code(self.routines, own.code, 1);
        let size = own.code.len() as u64;
        let its = self.object.symbol_mut(symbol);
        (its.scope, its.kind) = (SymbolScope::Compilation, SymbolKind::Text);
        (self.object).set_symbol_data(symbol, self.routines, at, size);
        let personality = self.add_personality(own.context, compiler)?;
        self.try_frame = Some(TryFrame {
            start: SymbolOffset { symbol, addend: 0 },
            unwinding: Unwinding::with(size as u32, own.body, own.frame, own.saved),
            personality: SymbolOffset {
                symbol: personality,
                addend: 0,
            },
        });
        Ok(())
    }

    /// Adds the personality routine; returns its symbol.
    fn add_personality(
        &mut self,
        context: u16,
        compiler: &mut Compiler<'static>,
    ) -> Result<object::write::SymbolId, Refusal> {
        let runtime = |name: &[u8; 8]| u64::from_be_bytes(*name).to_string();
        let text = PERSONALITY
            .replace("{CONTEXT}", &context.to_string())
            .replace("{LIBSTDCXX}", &runtime(b"GNUCC++\0"))
            .replace("{LIBCXXABI}", &runtime(b"CLNGC++\0"));
        let verified = own_module(self.isa.target(), &text)?;
        let module = verified.module();
        let mut scope = Scope::new(module);
        let (func, _) = module.funcs().next().ok_or("no personality routine")?;
        let name = b"mir.personality";
        let symbol = new_symbol(name, SymbolKind::Text, SymbolScope::Compilation);
        let symbol = self.object.add_symbol(symbol);
        scope.items[module.func(func).item.index()] = Some(symbol);
        self.add_function(&mut scope, func, self.routines, compiler)?;
        Ok(symbol)
    }
}
