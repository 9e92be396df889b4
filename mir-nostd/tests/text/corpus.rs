//! Whole programs are read and printed. The expected text is the reference's, from `corpus/`.

use crate::{print_all, read};
use mir_nostd::num::LongDoubleFormat;
use std::fs;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// Returns all files below a folder with this ending.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, end));
        } else if path.to_str().unwrap().ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns some of the corpus's small texts.
pub(crate) fn texts() -> Vec<Vec<u8>> {
    let mut paths = files(&corpus().join("handwritten"), ".mir");
    paths.extend(files(&corpus().join("mir/x86_64"), ".mir"));
    paths.extend(files(&corpus().join("../filetests/print"), ".mir"));
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn format_of(path: &Path) -> LongDoubleFormat {
    let within = path.strip_prefix(corpus()).unwrap_or(path);
    let has = |name: &str| within.components().any(|part| part.as_os_str() == name);
    if has("aarch64") || has("riscv64") || has("s390x") {
        LongDoubleFormat::Quad
    } else if has("ppc64le") {
        LongDoubleFormat::DoubleDouble
    } else {
        LongDoubleFormat::X87
    }
}

/// Returns the text with labels numbered by first mention, as reading numbers them; a file printed
/// from binary has its author's numbers.
fn renumbered(text: &str) -> String {
    let mut labels = Vec::new();
    let mut out = String::new();
    let in_name = |c: char| c.is_ascii_alphanumeric() || "_$%.:\"".contains(c);
    for word in text.split_inclusive(|c| !in_name(c)) {
        let name = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        if let (Ok(number), Err(_), false) =
            (name.parse::<u64>(), name.parse::<i64>(), out.ends_with('-'))
        {
            // An unsigned constant, which reads as the signed one with the same bits.
            out.push_str(&format!("{}{}", number as i64, &word[name.len()..]));
            continue;
        }
        let is_label = name
            .strip_prefix('L')
            .is_some_and(|number| number.parse::<u32>().is_ok());
        if !is_label {
            out.push_str(word);
            continue;
        }
        let number = labels
            .iter()
            .position(|label| *label == name)
            .unwrap_or_else(|| {
                labels.push(name);
                labels.len() - 1
            });
        out.push_str(&format!("L{}{}", number + 1, &word[name.len()..]));
    }
    out
}

#[test]
fn what_the_reference_printed_is_printed_again() {
    let files = files(&corpus().join("reference"), ".printed.mir");
    assert!(files.len() > 100);
    for path in files {
        let source = fs::read(&path).unwrap();
        let modules =
            read(&source, format_of(&path)).unwrap_or_else(|errors| panic!("{path:?}: {errors:?}"));
        let printed = print_all(&modules);
        let (printed, source) = (
            renumbered(&printed),
            renumbered(&String::from_utf8_lossy(&source)),
        );
        if printed != source {
            let differing = printed
                .lines()
                .zip(source.lines())
                .find(|(ours, theirs)| ours != theirs);
            panic!("{path:?}: {differing:?}");
        }
    }
}

#[test]
fn all_texts_of_the_corpus_are_read_and_stable() {
    let mut paths = files(&corpus().join("mir"), ".mir");
    paths.extend(files(&corpus().join("handwritten"), ".mir"));
    paths.extend(files(&corpus().join("../examples"), ".mir"));
    for path in paths {
        let source = fs::read(&path).unwrap();
        let modules =
            read(&source, format_of(&path)).unwrap_or_else(|errors| panic!("{path:?}: {errors:?}"));
        let first = print_all(&modules);
        let again = print_all(&read(&first, format_of(&path)).unwrap());
        assert_eq!(first, again, "{path:?}");
    }
}
