//! Arbitrary bytes as binary: see `testkit::readers::binary`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::readers::binary(bytes, target_all::TARGETS);
});
