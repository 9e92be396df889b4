//! The inputs that fuzzing and the tests with altered inputs begin with: the programs of the
//! repository.

use crate::images;
use crate::readers::{contents_of_binary, contents_of_text};
use crate::wild::Wild;
use mir_image::Machine;
use std::fs;
use std::path::{Path, PathBuf};

/// The most bytes of a seed: short ones are altered where it matters.
const MOST: usize = 20_000;

/// Returns the contents of files of the repository, the short ones, that end in `extension`.
#[must_use]
pub fn files(folders: &[&str], extension: &str) -> Vec<Vec<u8>> {
    let contents = paths(folders, extension).into_iter();
    let contents = contents.filter_map(|file| fs::read(file).ok());
    contents.filter(|bytes| bytes.len() < MOST).collect()
}

/// Returns the files in `folders` of the repository that end in `extension`.
#[must_use]
pub fn paths(folders: &[&str], extension: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let entries = folders.iter().flat_map(|folder| {
        let entries = fs::read_dir(root.join(folder)).into_iter();
        entries.flatten().flatten()
    });
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// Returns programs as text.
#[must_use]
pub fn texts() -> Vec<Vec<u8>> {
    let folders = [
        "corpus/handwritten",
        "filetests/run",
        "filetests/verify",
        "filetests/syntax",
        "filetests/print",
    ];
    files(&folders, "mir")
}

/// Returns programs as binary files.
#[must_use]
pub fn binaries() -> Vec<Vec<u8>> {
    let folders = ["corpus/bmir/x86_64", "corpus/reference/handwritten"];
    files(&folders, "bmir")
}

/// Returns what programs unpack to.
#[must_use]
pub fn contents() -> Vec<Vec<u8>> {
    let (texts, binaries) = (texts(), binaries());
    let of_texts = texts.iter().filter_map(|text| contents_of_text(text));
    let of_binaries = binaries.iter().filter_map(|file| contents_of_binary(file));
    of_texts.chain(of_binaries).collect()
}

/// Returns what programs unpack to, each after settings for [`crate::engines::compile`]: every
/// level, the ISAs and flags in turn.
#[must_use]
pub fn settings(isas: usize) -> Vec<Vec<u8>> {
    let with_levels = |seed: Vec<u8>| {
        let (isa, flags) = (seed.len() % isas, seed.len() / isas % 32);
        (0..4).map(move |level| [&[4 * isa as u8 + level, flags as u8][..], &seed].concat())
    };
    contents().into_iter().flat_map(with_levels).collect()
}

/// Returns what programs unpack to, wild ones among them, each after settings for
/// [`crate::confined::run`]: every level and way in turn.
#[must_use]
pub fn confined() -> Vec<Vec<u8>> {
    let wild = (0..200).map(|seed| Wild::random(seed).text.into_bytes());
    let wild = wild.filter_map(|text| contents_of_text(&text));
    let all = wild.chain(contents()).enumerate();
    all.map(|(number, seed)| [&[number as u8, (number / 16) as u8][..], &seed].concat())
        .collect()
}

/// Returns programs in LLVM IR.
#[must_use]
pub fn llvm_ir() -> Vec<Vec<u8>> {
    let folders = [
        "filetests/import",
        "filetests/import/errors",
        "examples/import",
        "corpus/llvm-ir/x86_64",
    ];
    files(&folders, "ll")
}

/// Returns images for the five machines: the samples, and the same without parts.
#[must_use]
pub fn images() -> Vec<Vec<u8>> {
    let samples = Machine::ALL.map(images::sample);
    let confined = Machine::ALL.map(images::confined_sample);
    let windows = Machine::ALL.map(images::windows_sample);
    let shorter = samples.iter().flat_map(|sample| {
        // No import, no fixup: the counts are at these offsets.
        [128, 136].map(|at| {
            let mut bytes = sample.clone();
            bytes[at..at + 4].fill(0);
            images::make_whole(&mut bytes);
            bytes
        })
    });
    let whole = samples.iter().chain(&confined).chain(&windows).cloned();
    whole.chain(shorter).collect()
}
