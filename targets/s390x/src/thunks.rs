//! Thunks: `lgrl %r1, entry; lgr %r0, %r1; lg %r1, 0(%r1); br %r1; entry: .quad`.

use mir_nostd::machine::UnitSet;
use mir_nostd::target::Thunk;

/// The thunk has 32 bytes; %r0 holds the entry for the code that catches calls.
pub(crate) const THUNK: Thunk = Thunk {
    bytes: 32,
    clobbers: UnitSet::unit(0).union(UnitSet::unit(1)),
    write,
};

#[rustfmt::skip] // one instruction per line
const CODE: [u8; 24] = [
    0xC4, 0x18, 0x00, 0x00, 0x00, 0x0C,
    0xB9, 0x04, 0x00, 0x01,
    0xE3, 0x10, 0x10, 0x00, 0x00, 0x04,
    0x07, 0xF1,
    0x07, 0x00, 0x07, 0x00, 0x07, 0x00,
];

fn write(code: &mut [u8], entry: u64) -> bool {
    let Some(place) = code.get_mut(..32) else {
        return false;
    };
    let (instructions, word) = place.split_at_mut(CODE.len());
    instructions.copy_from_slice(&CODE);
    word.copy_from_slice(&entry.to_be_bytes());
    true
}
