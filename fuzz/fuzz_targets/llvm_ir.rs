//! Arbitrary bytes as LLVM IR: see `testkit::readers::llvm_ir`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Each input is imported for one ISA: five take five times as long.
    let isa = target_all::ISAS[bytes.len() % target_all::ISAS.len()];
    testkit::readers::llvm_ir(bytes, &[isa.description()]);
});
