//! Runs the body of the fuzz target for Machine IR for a second, on mutated output of the stages.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use core::time::Duration;
use fastrand::Rng;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use testkit::readers::alter;

/// Returns the words that run the command.
fn words() -> &'static [String] {
    testkit::command::words(env!("CARGO_BIN_EXE_mir"))
}

/// Returns the output of `mir machine` for a program, after the bytes that say how to continue.
fn seeds() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seeds = Vec::new();
    for (isa, name) in (0..).zip(["x86_64", "aarch64", "ppc64le", "riscv64", "s390x"]) {
        for level in 0..4_u8 {
            let program = ["frames.mir", "early-returns.mir"][usize::from(level) % 2];
            let output = Command::new(&words()[0])
                .args(&words()[1..])
                .args(["machine", "--stop-after=select", "--target", name])
                .arg(format!("-O{level}"))
                .arg(root.join("filetests/run").join(program))
                .output()
                .unwrap();
            assert!(output.status.success(), "{program} for {name}");
            seeds.push([&[4 * isa + level, 0][..], &output.stdout].concat());
        }
    }
    seeds
}

#[test]
fn altered_texts_give_code_or_an_error() {
    let seeds = seeds();
    for seed in &seeds {
        let gone_on = mir::continue_stages(seed);
        assert!(gone_on.is_ok_and(|text| text.starts_with(b"--- |")));
    }
    let mut random = Rng::with_seed(1);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        let mut bytes = seeds[random.usize(..seeds.len())].clone();
        alter(&mut bytes, &seeds[random.usize(..seeds.len())], &mut random);
        let _ = mir::continue_stages(&bytes);
    }
}
