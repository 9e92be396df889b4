//! Thunks: the entry's address goes to r11 in five instructions, then `ld r12, 0(r11); mtctr r12;
//! bctr`.
//!
//! A thunk assumes nothing of r12 or r2 at entry, so that compiled code may branch to it directly.

use mir_nostd::machine::UnitSet;
use mir_nostd::target::Thunk;

/// The thunk has 32 bytes; r11 holds the entry for the code that catches calls, r12 the address of
/// that code, as the ABI requires.
pub(crate) const THUNK: Thunk = Thunk {
    bytes: 32,
    clobbers: UnitSet::unit(11).union(UnitSet::unit(12)),
    write,
};

fn write(code: &mut [u8], entry: u64) -> bool {
    let part = |shift: u32| (entry >> shift) as u32 & 0xFFFF;
    let instructions = [
        0x3D60_0000 | part(48), // lis r11, ..
        0x616B_0000 | part(32), // ori r11, r11, ..
        0x796B_07C6,            // sldi r11, r11, 32
        0x656B_0000 | part(16), // oris r11, r11, ..
        0x616B_0000 | part(0),  // ori r11, r11, ..
        0xE98B_0000,            // ld r12, 0(r11)
        0x7D89_03A6,            // mtctr r12
        0x4E80_0420,            // bctr
    ];
    let Some(place) = code.get_mut(..32) else {
        return false;
    };
    for (place, instruction) in place.chunks_exact_mut(4).zip(instructions) {
        place.copy_from_slice(&u32::to_le_bytes(instruction));
    }
    true
}
