//! Arbitrary bytes as LLVM IR: see `testkit::readers::llvm_ir`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    testkit::readers::llvm_ir(bytes, &fuzz::TARGETS);
});
