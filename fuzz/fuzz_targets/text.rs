//! Arbitrary bytes as text: see `testkit::readers::text`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let targets = [
        &target_x86_64::TARGET,
        &target_aarch64::TARGET,
        &target_ppc64le::TARGET,
        &target_riscv64::TARGET,
        &target_s390x::TARGET,
    ];
    testkit::readers::text(bytes, &targets);
});
