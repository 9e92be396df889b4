//! The bodies of the fuzz targets for a second each, over altered files of the corpus.

use std::fs;
use std::path::Path;
use std::time::Instant;

use core::time::Duration;
use mir_nostd::target::Target;
use testkit::readers::{self, Random, alter, binary, contents_of_text, text};

const TARGETS: [&Target; 5] = [
    &target_x86_64::TARGET,
    &target_aarch64::TARGET,
    &target_ppc64le::TARGET,
    &target_riscv64::TARGET,
    &target_s390x::TARGET,
];

/// The files of `folders` of the repository that end in `extension`, the small ones.
fn seeds(folders: &[&str], extension: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = folders.iter().flat_map(|folder| {
        fs::read_dir(root.join(folder))
            .into_iter()
            .flatten()
            .flatten()
    });
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    let contents = files.iter().filter_map(|file| fs::read(file).ok());
    contents.filter(|bytes| bytes.len() < 20_000).collect()
}

fn for_a_second(seeds: &[Vec<u8>], body: impl Fn(&[u8], &[&Target])) {
    assert!(seeds.len() > 10);
    for seed in seeds.iter().take(8) {
        body(seed, &TARGETS);
    }
    let mut random = Random::new(1);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        alter(&mut bytes, &seeds[random.below(seeds.len())], &mut random);
        body(&bytes, &TARGETS);
    }
}

#[test]
fn altered_text() {
    for_a_second(
        &seeds(
            &[
                "corpus/handwritten",
                "filetests/run",
                "filetests/verify",
                "filetests/syntax",
            ],
            "mir",
        ),
        text,
    );
}

#[test]
fn altered_binary() {
    for_a_second(
        &seeds(
            &["corpus/bmir/x86_64", "corpus/reference/handwritten"],
            "bmir",
        ),
        binary,
    );
}

#[test]
fn altered_contents() {
    let texts = seeds(&["corpus/handwritten", "filetests/run"], "mir");
    let contents: Vec<Vec<u8>> = texts
        .iter()
        .filter_map(|source| contents_of_text(source))
        .collect();
    for_a_second(&contents, readers::contents);
}
