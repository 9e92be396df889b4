//! Arbitrary bytes as an image: see `testkit::images::check`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::images::check(bytes);
});
