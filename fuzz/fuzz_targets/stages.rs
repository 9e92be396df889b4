//! Arbitrary bytes as our Machine IR, taken on from a stage: see `mir::continue_stages`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = mir::continue_stages(bytes);
});
