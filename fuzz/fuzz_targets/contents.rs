//! Arbitrary bytes as what a binary file unpacks to: see `testkit::readers::contents`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::readers::contents(bytes, target_all::TARGETS);
});
