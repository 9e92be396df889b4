//! Arbitrary bytes as text: see `testkit::readers::text`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::readers::text(bytes, target_all::TARGETS);
});
