//! Thunks: `endbr64; movabs r10, entry; jmp [r10]`.

use mir_nostd::machine::UnitSet;
use mir_nostd::target::Thunk;

/// The thunk has 24 bytes; r10 holds the entry for the code that catches calls.
///
/// The size is not a multiple of 16: indirect branch prediction uses the low bits of recent
/// targets, and functions lie at multiples of 16 already. A loop of calls through a table (Zen 4)
/// takes twice as long with thunks every 16, 32 or 64 bytes, wherever else it lies, and never so
/// with 20, 24 or 40.
pub(crate) const THUNK: Thunk = Thunk {
    bytes: BYTES,
    clobbers: UnitSet::unit(10),
    write,
};

const BYTES: usize = 24;

fn write(code: &mut [u8], entry: u64) -> bool {
    let [a, b, c, d, e, f, g, h] = entry.to_le_bytes();
    let bytes = [
        0xF3, 0x0F, 0x1E, 0xFA, 0x49, 0xBA, a, b, c, d, e, f, g, h, 0x41, 0xFF, 0x22,
    ];
    let Some(place) = code.get_mut(..BYTES) else {
        return false;
    };
    let (head, rest) = place.split_at_mut(bytes.len());
    head.copy_from_slice(&bytes);
    rest.fill(0xCC);
    true
}
