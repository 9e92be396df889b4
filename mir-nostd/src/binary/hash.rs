//! The strict hash of the format: check value of the container, buckets of its encoder.
//! `docs/reference/binary.md` describes the format.

const P1: u64 = 0x6586_2b62_bdf5_ef4d;
const P2: u64 = 0x288e_ea21_6831_e6a7;
const LOW: u64 = 0xFFFF_FFFF;

/// Returns the product of two 64-bit numbers folded to 64 bits, less the carry of its middle sum.
const fn fold(value: u64, constant: u64) -> u64 {
    let (high, low) = (value >> 32, value & LOW);
    let (constant_high, constant_low) = (constant >> 32, constant & LOW);
    let middle = low
        .wrapping_mul(constant_high)
        .wrapping_add(high.wrapping_mul(constant_low));
    high.wrapping_mul(constant_high)
        .wrapping_add(middle >> 32)
        .wrapping_add(low.wrapping_mul(constant_low))
        .wrapping_add(middle << 32)
}

/// Returns at most eight bytes as a little-endian number, moved to the upper end of the word.
fn part(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |word, &byte| word >> 8 | u64::from(byte) << 56)
}

/// Returns the hash of `bytes`.
pub(super) fn strict_hash(bytes: &[u8], seed: u64) -> u64 {
    let mut state = seed.wrapping_add(bytes.len() as u64);
    let (words, rest) = bytes.as_chunks::<8>();
    let (pairs, single) = words.as_chunks::<2>();
    for [first, second] in pairs {
        state ^= fold(u64::from_le_bytes(*first), P1);
        state ^= fold(u64::from_le_bytes(*second), P2);
        state ^= fold(state, P1);
    }
    for word in single {
        state ^= fold(u64::from_le_bytes(*word), P1);
    }
    if !rest.is_empty() {
        state ^= fold(part(rest), P2);
    }
    state ^= fold(state, P1);
    state ^ fold(state, P2)
}

#[cfg(test)]
mod tests {
    use super::strict_hash;

    #[test]
    fn hashes_are_those_of_the_specification() {
        let counting: std::vec::Vec<u8> = (0..=0x20).collect();
        for (bytes, seed, hash) in [
            (&b""[..], 42, 0x677b_c970_fcd3_5c06),
            (b"a", 0, 0xee42_b1f6_35fa_66f3),
            (b"abcd", 24, 0x4a4d_fb9a_0b9e_e0c3),
            (b"abcdefgh", 0, 0x9ba8_0bff_d7dd_3c57),
            (&counting[..0x0F], 1, 0x44fd_e5a2_7a09_4e15),
            (&counting[..0x10], 1, 0x14f3_cf2b_adf7_8c05),
            (&counting, 42, 0x67d6_95d1_7bf4_1f39),
        ] {
            assert_eq!(strict_hash(bytes, seed), hash, "{bytes:?}");
        }
    }
}
