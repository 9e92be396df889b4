//! Arbitrary bytes as a program, made harmless and run: see `testkit::engines::interpret`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::engines::interpret(bytes, target_all::TARGETS[0]);
});
