//! The bodies of the fuzz targets for a second each, over altered files of the corpus; those for
//! LLVM's texts are in `llvm-ir` and `llvm-mir`.

use std::time::Instant;

use core::time::Duration;
use fastrand::Rng;
use mir_nostd::target::Target;
use target_all::{ISAS, TARGETS};
use testkit::readers::{self, alter};
use testkit::{confined, engines, images, seeds};

fn for_a_second(seeds: &[Vec<u8>], body: impl Fn(&[u8], &[&'static Target])) {
    assert!(seeds.len() > 10);
    for seed in seeds.iter().take(8) {
        body(seed, TARGETS);
    }
    let mut random = Rng::with_seed(1);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        let mut bytes = seeds[random.usize(..seeds.len())].clone();
        alter(&mut bytes, &seeds[random.usize(..seeds.len())], &mut random);
        body(&bytes, TARGETS);
    }
}

#[test]
fn altered_text() {
    for_a_second(&seeds::texts(), readers::text);
}

#[test]
fn altered_binary() {
    for_a_second(&seeds::binaries(), readers::binary);
}

#[test]
fn altered_contents() {
    for_a_second(&seeds::contents(), readers::contents);
}

#[test]
fn altered_images() {
    for_a_second(&seeds::images(), |bytes, _| images::check(bytes));
}

#[test]
fn altered_programs_are_interpreted() {
    for_a_second(&seeds::contents(), |bytes, targets| {
        engines::interpret(bytes, targets[bytes.len() % targets.len()]);
    });
}

#[test]
fn altered_programs_keep_to_their_memory() {
    for_a_second(&seeds::confined(), |bytes, _| confined::run(bytes));
}

#[test]
fn altered_programs_are_compiled() {
    for_a_second(&seeds::settings(ISAS.len()), |bytes, _| {
        engines::compile(bytes, ISAS);
    });
}
