//! Stubs: the code through which calls reach imports, whose addresses are words of the program's
//! memory.

use super::relocations::{Field, fill};
use mir_image::Machine;

/// The instructions of a stub, before the place of the word is filled in.
struct Stub {
    code: &'static [u8],
    /// The fields that say where the word is, with their offsets.
    fields: &'static [(usize, Field)],
}

#[rustfmt::skip] // one instruction per line
const X86_64: Stub = Stub {
    code: &[
        0xF3, 0x0F, 0x1E, 0xFA,       // endbr64
        0xFF, 0x25, 0, 0, 0, 0,       // jmp [rip + word]
        0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC,
    ],
    fields: &[(6, Field::Distance)],
};

#[rustfmt::skip] // one instruction per line
const AARCH64: Stub = Stub {
    code: &[
        0x5F, 0x24, 0x03, 0xD5, // bti c
        0x10, 0x00, 0x00, 0x90, // adrp x16, word
        0x11, 0x02, 0x40, 0xF9, // ldr x17, [x16, :lo12:word]
        0x20, 0x02, 0x1F, 0xD6, // br x17
    ],
    fields: &[(4, Field::Page), (8, Field::PageOffset(3))],
};

#[rustfmt::skip] // one instruction per line
const PPC64LE: Stub = Stub {
    code: &[
        0x18, 0x00, 0x41, 0xF8, // std 2, 24(1)
        0x00, 0x00, 0x82, 0x3D, // addis 12, 2, word@toc@ha
        0x00, 0x00, 0x8C, 0xE9, // ld 12, word@toc@l(12)
        0xA6, 0x03, 0x89, 0x7D, // mtctr 12
        0x20, 0x04, 0x80, 0x4E, // bctr
        0x00, 0x00, 0x00, 0x60, // nop
        0x00, 0x00, 0x00, 0x60, // nop
        0x00, 0x00, 0x00, 0x60, // nop
    ],
    fields: &[(4, Field::High16), (8, Field::Low16Ds)],
};

#[rustfmt::skip] // one instruction per line
const RISCV64: Stub = Stub {
    code: &[
        0x17, 0x0E, 0x00, 0x00, // auipc t3, word
        0x03, 0x3E, 0x0E, 0x00, // ld t3, word(t3)
        0x67, 0x00, 0x0E, 0x00, // jr t3
        0x13, 0x00, 0x00, 0x00, // nop
    ],
    fields: &[(0, Field::High20Low12)],
};

#[rustfmt::skip] // one instruction per line
const S390X: Stub = Stub {
    code: &[
        0xC0, 0x10, 0, 0, 0, 0,             // larl %r1, word
        0xE3, 0x10, 0x10, 0x00, 0x00, 0x04, // lg %r1, 0(%r1)
        0x07, 0xF1,                         // br %r1
        0x07, 0x00,                         // nopr
    ],
    fields: &[(2, Field::HalfDistance)],
};

const fn of(machine: Machine) -> Stub {
    match machine {
        Machine::X86_64 => X86_64,
        Machine::Aarch64 => AARCH64,
        Machine::Ppc64le => PPC64LE,
        Machine::Riscv64 => RISCV64,
        Machine::S390x => S390X,
    }
}

/// Returns the bytes of a stub.
pub(super) const fn size(machine: Machine) -> i64 {
    of(machine).code.len() as i64
}

/// Returns the stub at `at` for the word at `word`, if that is in reach; `toc` is the value of the
/// TOC pointer.
pub(super) fn stub(machine: Machine, at: i64, word: i64, toc: i64) -> Option<Vec<u8>> {
    let stub = of(machine);
    let mut code = stub.code.to_vec();
    for &(offset, field) in stub.fields {
        let place = at + offset as i64;
        let value = match (machine, field) {
            (Machine::Ppc64le, _) => word - toc,
            (_, Field::PageOffset(_)) => word,
            // The processor counts from the end of the instruction.
            (Machine::X86_64, _) => word - place - 4,
            // The field is two bytes after the start of the instruction.
            (Machine::S390x, _) => word - place + 2,
            _ => word - place,
        };
        fill(machine, field, code.get_mut(offset..)?, value, place)?;
    }
    Some(code)
}

/// The instruction after a call that may go to another module, and what becomes of it if it does:
/// `ld 2, 24(1)`.
const NOP: [u8; 4] = [0x00, 0x00, 0x00, 0x60];
const RESTORE_TOC: [u8; 4] = [0x18, 0x00, 0x41, 0xE8];

/// Has the call at the start of the bytes restore the TOC pointer, which its stub has saved.
pub(super) fn restore_toc(bytes: &mut [u8]) -> Option<()> {
    let behind = bytes.get_mut(4..8)?;
    (*behind == NOP).then(|| behind.copy_from_slice(&RESTORE_TOC))
}
