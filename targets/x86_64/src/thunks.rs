//! Thunks: `movabs r10, entry; jmp [r10]`.

use mir_nostd::machine::UnitSet;
use mir_nostd::target::Thunk;

/// 16 bytes; r10 holds the entry for the code that catches calls.
pub(crate) const THUNK: Thunk = Thunk {
    bytes: 16,
    clobbers: UnitSet::EMPTY,
    write,
};

fn write(code: &mut [u8], entry: u64) -> bool {
    let [a, b, c, d, e, f, g, h] = entry.to_le_bytes();
    let bytes = [
        0x49, 0xBA, a, b, c, d, e, f, g, h, 0x41, 0xFF, 0x22, 0xCC, 0xCC, 0xCC,
    ];
    let Some(place) = code.get_mut(..bytes.len()) else {
        return false;
    };
    place.copy_from_slice(&bytes);
    true
}
