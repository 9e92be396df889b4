//! A container of binary files written from the format's description alone: contents as literals.
//!
//! With it a test reaches the checks that come after the check value, with any contents.

/// The most bytes in a block, and the most literals in an element.
const BLOCK: usize = 1 << 18;
const RUN: usize = 2047;

/// Returns a file that unpacks to `contents`.
#[must_use]
pub fn pack(contents: &[u8]) -> Vec<u8> {
    let mut file = b"MIR".to_vec();
    let mut check = 42;
    for block in contents.chunks(BLOCK) {
        for run in block.chunks(RUN) {
            // A tag for a literal count after it and no reference, then the count in 14 bits.
            file.push(7 << 5);
            file.push(0x40 | (run.len() >> 8) as u8);
            file.push(run.len() as u8);
            file.extend_from_slice(run);
        }
        check = hash(block, check);
    }
    file.push(0);
    file.extend_from_slice(&check.to_le_bytes());
    file
}

/// Returns the contents of a file of literals only; `None` if it is anything else.
#[must_use]
pub fn unpack(file: &[u8]) -> Option<Vec<u8>> {
    let mut rest = file.strip_prefix(b"MIR")?;
    let mut contents = Vec::new();
    loop {
        let (&tag, after) = rest.split_first()?;
        let (len, after) = match tag {
            0 => return Some(contents),
            tag if tag & 0x1F != 0 => return None,
            tag if tag >> 5 < 7 => (usize::from(tag >> 5), after),
            _ => match after {
                [short, after @ ..] if *short >= 0x80 => (usize::from(short & 0x7F), after),
                [high, low, after @ ..] => {
                    (usize::from(high & 0x3F) << 8 | usize::from(*low), after)
                }
                _ => return None,
            },
        };
        contents.extend_from_slice(after.get(..len)?);
        rest = after.get(len..)?;
    }
}

const P1: u64 = 0x6586_2b62_bdf5_ef4d;
const P2: u64 = 0x288e_ea21_6831_e6a7;

/// Returns the hash of which the check value is made.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    let mut r = seed.wrapping_add(bytes.len() as u64);
    let (pairs, rest) = bytes.as_chunks::<16>();
    for pair in pairs {
        r ^= mum(part(&pair[..8]), P1);
        r ^= mum(part(&pair[8..]), P2);
        r ^= mum(r, P1);
    }
    let (eights, rest) = rest.as_chunks::<8>();
    for eight in eights {
        r ^= mum(part(eight), P1);
    }
    if !rest.is_empty() {
        r ^= mum(part(rest), P2);
    }
    let s = r ^ mum(r, P1);
    s ^ mum(s, P2)
}

fn mum(v: u64, c: u64) -> u64 {
    let (v1, v2, c1, c2) = (v >> 32, v & 0xFFFF_FFFF, c >> 32, c & 0xFFFF_FFFF);
    let middle = (v2.wrapping_mul(c1)).wrapping_add(v1.wrapping_mul(c2));
    let high = v1.wrapping_mul(c1).wrapping_add(middle >> 32);
    high.wrapping_add(v2.wrapping_mul(c2))
        .wrapping_add(middle << 32)
}

/// Returns up to 8 bytes as a number, the first the lowest, shifted to the top.
fn part(bytes: &[u8]) -> u64 {
    let mut number = [0; 8];
    number[8 - bytes.len()..].copy_from_slice(bytes);
    u64::from_le_bytes(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the values of the format's description.
    #[test]
    fn hashes() {
        let counted: Vec<u8> = (0..=0x20).collect();
        assert_eq!(hash(b"", 42), 0x677b_c970_fcd3_5c06);
        assert_eq!(hash(b"a", 0), 0xee42_b1f6_35fa_66f3);
        assert_eq!(hash(b"abcd", 24), 0x4a4d_fb9a_0b9e_e0c3);
        assert_eq!(hash(b"abcdefgh", 0), 0x9ba8_0bff_d7dd_3c57);
        assert_eq!(hash(&counted[..15], 1), 0x44fd_e5a2_7a09_4e15);
        assert_eq!(hash(&counted[..16], 1), 0x14f3_cf2b_adf7_8c05);
        assert_eq!(hash(&counted, 42), 0x67d6_95d1_7bf4_1f39);
    }

    #[test]
    fn contents_come_back() {
        let contents: Vec<u8> = (0..3 * BLOCK as u32).map(|number| number as u8).collect();
        assert_eq!(unpack(&pack(&contents)), Some(contents));
    }
}
