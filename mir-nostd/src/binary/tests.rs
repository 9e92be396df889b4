//! Tests of the binary form: the specification's example, the corpus, damaged files.

use super::*;
use crate::mem::tests::System;
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec as StdVec;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// One file in this many is tested, as emulated machines are slow.
const STEP: usize = if cfg!(target_arch = "x86_64") { 1 } else { 10 };

/// Returns all binary files of the corpus.
fn files() -> StdVec<PathBuf> {
    let mut folders = std::vec![corpus()];
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
    assert!(found.len() > 300);
    found.into_iter().step_by(STEP).collect()
}

/// Returns the options for reading a file, by the target in its path.
fn options(path: &Path) -> ReadOptions {
    let within = path.strip_prefix(corpus()).unwrap_or(path);
    let is_for = |target: &str| within.components().any(|part| part.as_os_str() == target);
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

/// Returns the unpacked contents of a file.
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
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let contents = unpacked(&bytes).unwrap();
        assert!(packed(&contents, true) == bytes, "{path:?}");
        assert_eq!(unpacked(&packed(&contents, false)).unwrap(), contents);
    }
}

#[test]
fn what_the_reference_wrote_is_written_as_it_was_read() {
    for path in files() {
        let (bytes, modules) = read_file(&path);
        let write_options = WriteOptions::new(options(&path).big_endian);
        let written = write(&modules, &System, &write_options).unwrap();
        assert!(written[..] == bytes, "{path:?}");
    }
}

/// Returns the files of a folder of the corpus whose names end in `ending`, each with its folder's
/// name and its own name without that ending.
#[cfg(feature = "text")]
fn references(ending: &str) -> StdVec<(PathBuf, String, String)> {
    let mut found = StdVec::new();
    for folder in std::fs::read_dir(corpus().join("reference")).unwrap() {
        let folder = folder.unwrap().path();
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if let Some(name) = name.strip_suffix(ending) {
                let folder = folder.file_name().unwrap().to_str().unwrap();
                found.push((path.clone(), folder.into(), name.into()));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100);
    found.into_iter().step_by(STEP).collect()
}

#[cfg(feature = "text")]
#[test]
fn text_is_assembled_as_the_reference_does() {
    for (path, target, name) in references(".assembled.bmir") {
        let folder = match target.as_str() {
            "handwritten" => target.clone(),
            _ => std::format!("mir/{target}"),
        };
        let text = std::fs::read(corpus().join(folder).join(name + ".mir")).unwrap();
        let options = options(&path);
        let modules = crate::text::parse(&text, &System, options.long_double, &mut |_| ()).unwrap();
        let write_options = WriteOptions::new(options.big_endian);
        let written = write(&modules, &System, &write_options).unwrap();
        assert!(written[..] == std::fs::read(&path).unwrap(), "{path:?}");
    }
}

#[cfg(feature = "text")]
#[test]
fn binary_files_are_printed_as_the_reference_prints_them() {
    for (path, target, name) in references(".printed.mir") {
        let binary = match target.as_str() {
            "handwritten" => path.with_file_name(name + ".assembled.bmir"),
            _ => corpus().join("bmir").join(target).join(name + ".bmir"),
        };
        let mut text = StdVec::new();
        for module in &read_file(&binary).1 {
            let mut take = |bytes: &[u8]| {
                text.extend_from_slice(bytes);
                Ok(())
            };
            crate::text::print(module, &mut take).unwrap();
        }
        assert!(text == std::fs::read(&path).unwrap(), "{path:?}");
    }
}
