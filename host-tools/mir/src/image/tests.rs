//! Fields of relocations at the ends of their reach; that they mean what the machine takes them for
//! is shown by the programs that the suite `image` runs.

use super::relocations::{Field, fill};
use super::stubs::{restore_toc, size, stub};
use mir_image::Machine;

/// Fills a field of bytes that are all ones.
fn filled(machine: Machine, field: Field, value: i64, place: i64) -> Option<[u8; 8]> {
    let mut bytes = [0xFF; 8];
    fill(machine, field, &mut bytes, value, place).map(|()| bytes)
}

/// Checks that a field takes distances from `-reach` to below `reach`, less `step` at the end.
fn reaches(machine: Machine, field: Field, (low, high): (i64, i64), step: i64) {
    let fits = |value| filled(machine, field, value, 0).is_some();
    assert!(fits(low) && fits(high), "{field:?}");
    assert!(!fits(low - step) && !fits(high + step), "{field:?}");
}

#[test]
fn distances_that_do_not_fit_are_refused() {
    const GIB: i64 = 1 << 30;
    reaches(Machine::X86_64, Field::Distance, (-2 * GIB, 2 * GIB - 1), 1);
    reaches(
        Machine::S390x,
        Field::HalfDistance,
        (-4 * GIB, 4 * GIB - 2),
        2,
    );
    reaches(Machine::Aarch64, Field::Page, (-4 * GIB, 4 * GIB - 1), 1);
    reaches(
        Machine::Aarch64,
        Field::Branch26,
        (-(1 << 27), (1 << 27) - 4),
        4,
    );
    reaches(
        Machine::Riscv64,
        Field::High20,
        (-2 * GIB - 2048, 2 * GIB - 2049),
        1,
    );
    reaches(
        Machine::Riscv64,
        Field::High20Low12,
        (-2 * GIB - 2048, 2 * GIB - 2049),
        1,
    );
    reaches(
        Machine::Ppc64le,
        Field::Branch24,
        (-(1 << 25), (1 << 25) - 4),
        4,
    );
    reaches(
        Machine::Ppc64le,
        Field::High16,
        (-2 * GIB - 32768, 2 * GIB - 32769),
        1,
    );
    reaches(
        Machine::Ppc64le,
        Field::Prefixed34,
        (-8 * GIB, 8 * GIB - 1),
        1,
    );
    // Code addresses halves, and words of eight bytes at multiples of eight.
    assert_eq!(filled(Machine::S390x, Field::HalfDistance, 3, 0), None);
    assert_eq!(filled(Machine::Aarch64, Field::PageOffset(3), 4, 0), None);
    // Addresses are for the loader.
    assert_eq!(filled(Machine::X86_64, Field::Word, 0, 0), None);
}

#[test]
fn fields_leave_the_rest_of_an_instruction_alone() {
    // The encodings are those of `llvm-mc`.
    let adrp = |value, place| {
        let mut bytes = 0x9000_0010_u32.to_le_bytes();
        fill(Machine::Aarch64, Field::Page, &mut bytes, value, place).expect("it fits");
        u32::from_le_bytes(bytes)
    };
    // adrp x16, #0x5000; adrp x16, #-0x1000, whatever the place in the page is
    assert_eq!(adrp(0x5000, 0), 0xB000_0030);
    assert_eq!(adrp(0x5000 - 0xFF0, 0xFF0), 0xB000_0030);
    assert_eq!(adrp(-0x1000, 0), 0xF0FF_FFF0);
    // auipc t3, 0x12346; ld t3, -1417(t3)
    let mut pair = [0x17, 0x0E, 0, 0, 0x03, 0x3E, 0x0E, 0];
    fill(
        Machine::Riscv64,
        Field::High20Low12,
        &mut pair,
        0x1234_5A77,
        0,
    )
    .expect("it fits");
    assert_eq!(pair, [0x17, 0x6E, 0x34, 0x12, 0x03, 0x3E, 0x7E, 0xA7]);
}

#[test]
fn stubs_refer_to_their_word_or_are_refused() {
    for machine in Machine::ALL {
        let made = stub(machine, 0x100, 0x5008, 0xC000).expect("it is near");
        assert_eq!(made.len() as i64, size(machine));
        assert!(stub(machine, 0, 1 << 40, 0).is_none());
    }
    // jmp [rip + 0x5008 - 0x10A]
    let made = stub(Machine::X86_64, 0x100, 0x5008, 0).expect("it is near");
    assert_eq!(made[4..10], [0xFF, 0x25, 0xFE, 0x4E, 0, 0]);
    let mut call = [1, 0, 0, 0x48, 0, 0, 0, 0x60];
    assert_eq!(restore_toc(&mut call), Some(()));
    assert_eq!(call, [1, 0, 0, 0x48, 0x18, 0, 0x41, 0xE8]);
    assert_eq!(restore_toc(&mut call), None);
}
