//! Tests of the binary form: the specification's example, the corpus, damaged files.

use super::*;
use crate::mem::tests::System;
use std::path::{Path, PathBuf};
use std::vec::Vec as StdVec;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// All binary files below a folder of the corpus.
fn files(folder: &str) -> StdVec<PathBuf> {
    let mut folders = std::vec![corpus().join(folder)];
    let mut found = StdVec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "bmir")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What the reader must know of a file, by the target in its path.
fn options(path: &Path) -> ReadOptions {
    let is_for = |target: &str| path.components().any(|part| part.as_os_str() == target);
    let format = if is_for("ppc64le") {
        LongDoubleFormat::DoubleDouble
    } else if is_for("aarch64") || is_for("riscv64") || is_for("s390x") {
        LongDoubleFormat::Quad
    } else {
        LongDoubleFormat::X87
    };
    ReadOptions::new(format, is_for("s390x"))
}

fn read_file(path: &Path) -> (StdVec<u8>, Vec<'static, Module<'static>>) {
    let bytes = std::fs::read(path).unwrap();
    let modules = read(&bytes, &System, &options(path));
    (
        bytes,
        modules.unwrap_or_else(|error| panic!("{path:?}: {error}")),
    )
}

/// The unpacked contents of a file.
fn unpacked(bytes: &[u8]) -> Result<StdVec<u8>> {
    let mut unpacker = Unpacker::new(bytes, u64::MAX, &System)?;
    let mut contents = StdVec::new();
    while !unpacker.is_at_end() {
        let (start, end) = unpacker.next_block(0..0)?;
        contents.extend_from_slice(&unpacker.bytes()[start..end]);
    }
    Ok(contents)
}

fn packed(contents: &[u8], pack: bool) -> StdVec<u8> {
    let mut file = Vec::new(&System);
    let mut packer = Packer::new(&mut file, pack, &System).unwrap();
    packer.take(contents).unwrap();
    packer.finish().unwrap();
    file.to_vec()
}

#[test]
fn every_file_of_the_corpus_unpacks_and_packs_to_the_same_bytes() {
    let all = files(".");
    assert!(all.len() > 300);
    for path in all {
        let bytes = std::fs::read(&path).unwrap();
        let contents = unpacked(&bytes).unwrap();
        assert!(packed(&contents, true) == bytes, "{path:?}");
        assert_eq!(unpacked(&packed(&contents, false)).unwrap(), contents);
    }
}

#[test]
fn what_the_reference_assembled_is_written_as_it_was_read() {
    let all = files("reference");
    assert!(all.len() > 100);
    for path in all {
        let (bytes, modules) = read_file(&path);
        let write_options = WriteOptions::new(options(&path).big_endian);
        let written = write(&modules, &System, &write_options).unwrap();
        assert!(written[..] == bytes, "{path:?}");
    }
}

#[test]
fn every_file_of_the_corpus_is_read_and_survives_writing() {
    for path in files("bmir").into_iter().chain(files("csmith")) {
        let (_, modules) = read_file(&path);
        let write_options = WriteOptions::new(options(&path).big_endian);
        let written = write(&modules, &System, &write_options).unwrap();
        let again = read(&written, &System, &options(&path)).unwrap();
        let rewritten = write(&again, &System, &write_options).unwrap();
        assert!(written[..] == rewritten[..], "{path:?}");
    }
}
