//! The bodies of the fuzz targets for a second each, over altered files of the corpus; those for LLVM's texts are in `llvm-ir` and
//! `llvm-mir`.

use std::fs;
use std::path::Path;
use std::time::Instant;

use core::time::Duration;
use mir_nostd::target::{Isa, Target};
use testkit::engines;
use testkit::readers::{self, Random, alter, binary, contents_of_binary, contents_of_text, text};

const TARGETS: [&Target; 5] = [
    &target_x86_64::TARGET,
    &target_aarch64::TARGET,
    &target_ppc64le::TARGET,
    &target_riscv64::TARGET,
    &target_s390x::TARGET,
];

const ISAS: [&dyn Isa; 5] = [
    &target_x86_64::ISA,
    &target_aarch64::ISA,
    &target_ppc64le::ISA,
    &target_riscv64::ISA,
    &target_s390x::ISA,
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

fn for_a_second(seeds: &[Vec<u8>], body: impl Fn(&[u8], &[&'static Target])) {
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

/// What the programs of the repository unpack to.
fn contents() -> Vec<Vec<u8>> {
    let texts = seeds(
        &[
            "corpus/handwritten",
            "filetests/run",
            "filetests/verify",
            "filetests/print",
        ],
        "mir",
    );
    let files = seeds(
        &["corpus/bmir/x86_64", "corpus/reference/handwritten"],
        "bmir",
    );
    let of_texts = texts.iter().filter_map(|text| contents_of_text(text));
    let of_files = files.iter().filter_map(|file| contents_of_binary(file));
    of_texts.chain(of_files).collect()
}

#[test]
fn altered_contents() {
    for_a_second(&contents(), readers::contents);
}

#[test]
fn altered_programs_are_interpreted() {
    for_a_second(&contents(), |bytes, targets| {
        engines::interpret(bytes, targets[bytes.len() % targets.len()]);
    });
}

#[test]
fn altered_programs_are_compiled() {
    let settings = |seed: Vec<u8>| {
        let (isa, flags) = (seed.len() % ISAS.len(), seed.len() / ISAS.len() % 32);
        (0..4).map(move |level| [&[4 * isa as u8 + level, flags as u8][..], &seed].concat())
    };
    let seeds: Vec<Vec<u8>> = contents().into_iter().flat_map(settings).collect();
    for_a_second(&seeds, |bytes, _| engines::compile(bytes, &ISAS));
}
