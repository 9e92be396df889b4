//! Thunks: `auipc t1, 0; ld t1, 16(t1); ld t2, 0(t1); jr t2; entry: .quad`.

use mir_nostd::machine::UnitSet;
use mir_nostd::target::Thunk;

/// The thunk has 32 bytes; t1 holds the entry for the code that catches calls.
pub(crate) const THUNK: Thunk = Thunk {
    bytes: 32,
    clobbers: UnitSet::unit(6).union(UnitSet::unit(7)),
    write,
};

const CODE: [u32; 4] = [0x0000_0317, 0x0103_3303, 0x0003_3383, 0x0003_8067];

fn write(code: &mut [u8], entry: u64) -> bool {
    let Some(place) = code.get_mut(..32) else {
        return false;
    };
    let (instructions, data) = place.split_at_mut(16);
    for (place, instruction) in instructions.chunks_exact_mut(4).zip(CODE) {
        place.copy_from_slice(&instruction.to_le_bytes());
    }
    let (word, rest) = data.split_at_mut(8);
    word.copy_from_slice(&entry.to_le_bytes());
    rest.fill(0);
    true
}
