//! Arbitrary bytes as a program, compiled as its first bytes say: see `testkit::engines::compile`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::engines::compile(bytes, target_all::ISAS);
});
