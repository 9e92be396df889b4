//! Runs the body of the fuzz target for a second, over altered files of the corpus.

use core::time::Duration;
use fastrand::Rng;
use std::time::Instant;
use testkit::readers::{alter, machine_ir};

#[test]
fn altered_files_give_a_result_or_an_error() {
    let small = testkit::llvm::files()
        .iter()
        .filter(|(name, text)| name.ends_with(".mir") && text.len() < 12_000);
    let seeds: Vec<&Vec<u8>> = small.map(|(_, text)| text).collect();
    assert!(seeds.len() > 50);
    let mut random = Rng::with_seed(1);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        let mut bytes = seeds[random.usize(..seeds.len())].clone();
        alter(&mut bytes, seeds[random.usize(..seeds.len())], &mut random);
        machine_ir(&bytes);
    }
}
