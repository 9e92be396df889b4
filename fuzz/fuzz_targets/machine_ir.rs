//! Arbitrary bytes as LLVM's Machine IR: see `testkit::readers::machine_ir`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::readers::machine_ir(bytes);
});
