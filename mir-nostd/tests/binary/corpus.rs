//! Tests with the files of the corpus: what the reference implementation wrote and printed.

use mir_nostd::binary::{self, ReadOptions, WriteOptions};
use mir_nostd::ir::Module;
use mir_nostd::num::LongDoubleFormat;
use std::path::{Path, PathBuf};
use testkit::SystemAllocator;

use super::Modules;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// One file in this many is tested, as emulated machines are slow.
const STEP: usize = if cfg!(target_arch = "x86_64") { 1 } else { 10 };

/// Returns all binary files of the corpus.
fn files() -> Vec<PathBuf> {
    let mut folders = vec![corpus()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "bmir") {
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

fn read(path: &Path, bytes: &[u8]) -> Modules {
    let modules = binary::read(bytes, &SystemAllocator, &options(path));
    modules.unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn write(path: &Path, modules: &[Module<'_>], pack: bool) -> Vec<u8> {
    let big_endian = options(path).big_endian;
    let options = WriteOptions { big_endian, pack };
    let written = binary::write(modules, &SystemAllocator, &options);
    written.unwrap().to_vec()
}

#[test]
fn what_the_reference_wrote_is_written_as_it_was_read() {
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let modules = read(&path, &bytes);
        assert!(write(&path, &modules, true) == bytes, "{path:?}");
    }
}

#[test]
fn files_that_are_not_packed_are_read_alike() {
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let plain = write(&path, &read(&path, &bytes), false);
        assert!(plain.len() > bytes.len(), "{path:?}");
        let again = read(&path, &plain);
        assert!(write(&path, &again, true) == bytes, "{path:?}");
    }
}

/// Returns the files of a folder of the corpus whose names end in `ending`, each with its folder's
/// name and its own name without that ending.
#[cfg(feature = "text")]
fn references(ending: &str) -> Vec<(PathBuf, String, String)> {
    let mut found = Vec::new();
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
            _ => format!("mir/{target}"),
        };
        let text = std::fs::read(corpus().join(folder).join(name + ".mir")).unwrap();
        let format = options(&path).long_double;
        let modules = mir_nostd::text::parse(&text, &SystemAllocator, format, &mut |_| ());
        let written = write(&path, &modules.unwrap(), true);
        assert!(written == std::fs::read(&path).unwrap(), "{path:?}");
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
        let modules = read(&binary, &std::fs::read(&binary).unwrap());
        let text = super::print(&modules).into_bytes();
        assert!(text == std::fs::read(&path).unwrap(), "{path:?}");
    }
}
