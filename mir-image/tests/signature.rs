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
    0x3a, 0x4e, 0x2a, 0x00, 0xc2, 0xf1, 0xd9, 0xa9, 0xfd, 0x9f, 0x43, 0x62, 0xa2, 0x34, 0x7c, 0xc2,
    0x86, 0x28, 0x3a, 0x48, 0x6f, 0x47, 0x7d, 0x5f, 0x04, 0x88, 0x80, 0xd3, 0x29, 0x9d, 0xdb, 0xaf,
    0x99, 0x91, 0x3e, 0xcb, 0x65, 0xbe, 0x07, 0x00, 0xa1, 0xe7, 0xdd, 0x83, 0x14, 0x5f, 0x38, 0x1e,
    0x92, 0xf8, 0xcd, 0x7d, 0x62, 0xaa, 0x14, 0x5f, 0xd4, 0x77, 0x66, 0xe6, 0x89, 0xb0, 0xdd, 0x02,
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
