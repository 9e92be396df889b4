//! Arbitrary bytes as a program that is run confined, interpreted and compiled: see
//! `testkit::confined::run`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::confined::run(bytes);
});
