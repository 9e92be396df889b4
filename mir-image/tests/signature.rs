//! Signatures of images, as OpenSSL makes them.

use mir_image::{Image, Machine};
use testkit::images;

/// The public key of the first test of RFC 8032, section 7.1.
const KEY: [u8; 32] = [
    0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64, 0x07, 0x3a,
    0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a,
];

/// The signature of the sample for riscv64 by the secret key of that test, made as
/// `docs/images.md` says.
const SIGNATURE: [u8; 64] = [
    0x31, 0x01, 0x39, 0x21, 0x7a, 0x21, 0xb0, 0x4f, 0xbe, 0x2d, 0xa4, 0x84, 0xd8, 0x6b, 0x1f, 0x0b,
    0x20, 0x5f, 0x91, 0x02, 0x53, 0x2c, 0x3e, 0x41, 0x4e, 0x3e, 0xba, 0xe2, 0x74, 0xac, 0xaa, 0x02,
    0x71, 0xee, 0x53, 0x90, 0x49, 0x37, 0x83, 0xba, 0xa9, 0x5c, 0x9b, 0x4b, 0x6f, 0x57, 0x72, 0x27,
    0xb0, 0x72, 0xe2, 0xf7, 0x51, 0xcf, 0xb5, 0xef, 0xea, 0x2e, 0x6a, 0xf3, 0x33, 0x8e, 0xf9, 0x02,
];

/// The place of the signature in an image.
const SIGNATURE_AT: usize = 16;

/// Returns whether the sample with this signature is signed by the holder of a key.
fn is_signed(signature: &[u8; 64], key: &[u8; 32]) -> bool {
    let mut bytes = images::sample(Machine::Riscv64);
    bytes[SIGNATURE_AT..SIGNATURE_AT + 64].copy_from_slice(signature);
    let image = Image::parse(&bytes, Machine::Riscv64);
    image.is_ok_and(|image| image.is_signed_by(key))
}

#[test]
fn an_image_that_openssl_signed_is_signed() {
    assert!(is_signed(&SIGNATURE, &KEY));
}

#[test]
fn no_other_signature_or_key_will_do() {
    for bit in (0..512).step_by(7) {
        let mut signature = SIGNATURE;
        signature[bit / 8] ^= 1 << (bit % 8);
        assert!(!is_signed(&signature, &KEY), "bit {bit} of the signature");
    }
    for bit in (0..256).step_by(7) {
        let mut key = KEY;
        key[bit / 8] ^= 1 << (bit % 8);
        assert!(!is_signed(&SIGNATURE, &key), "bit {bit} of the key");
    }
    assert!(!is_signed(&[0; 64], &[0; 32]));
}
