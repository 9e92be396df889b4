//! Thunks: `endbr64; movabs r10, entry; jmp [r10]`.

use mir_nostd::machine::UnitSet;
use mir_nostd::target::Thunk;

/// 32 bytes; r10 holds the entry for the code that catches calls.
pub(crate) const THUNK: Thunk = Thunk {
    bytes: 32,
    clobbers: UnitSet::EMPTY,
    write,
};

fn write(code: &mut [u8], entry: u64) -> bool {
    let [a, b, c, d, e, f, g, h] = entry.to_le_bytes();
    let bytes = [
        0xF3, 0x0F, 0x1E, 0xFA, 0x49, 0xBA, a, b, c, d, e, f, g, h, 0x41, 0xFF, 0x22,
    ];
    let Some(place) = code.get_mut(..32) else {
        return false;
    };
    let (head, rest) = place.split_at_mut(bytes.len());
    head.copy_from_slice(&bytes);
    rest.fill(0xCC);
    true
}
