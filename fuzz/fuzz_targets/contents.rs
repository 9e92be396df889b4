//! Arbitrary bytes as what a binary file unpacks to: see `testkit::readers::contents`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let targets = [
        &target_x86_64::TARGET,
        &target_aarch64::TARGET,
        &target_ppc64le::TARGET,
        &target_riscv64::TARGET,
        &target_s390x::TARGET,
    ];
    testkit::readers::contents(bytes, &targets);
});
