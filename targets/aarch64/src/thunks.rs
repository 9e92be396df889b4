//! Thunks: `bti jc; ldr x16, entry; ldr x17, [x16]; br x17; entry: .quad`.

use mir_nostd::machine::UnitSet;
use mir_nostd::target::Thunk;

/// The thunk has 32 bytes; x16 holds the entry for the code that catches calls.
pub(crate) const THUNK: Thunk = Thunk {
    bytes: 32,
    clobbers: UnitSet::EMPTY,
    write,
};

const CODE: [u32; 4] = [0xD503_24DF, 0x5800_0070, 0xF940_0211, 0xD61F_0220];

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
