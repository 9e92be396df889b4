//! Everything that the pages of the repository name exists: files behind links, headings behind
//! `#`, paths in backticks; pages that comments name exist too. Comments keep to their form.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files and folders of the repository, without what tools made.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let is_made = name == "target" && path.join("CACHEDIR.TAG").exists();
        if is_made || name.to_string_lossy().starts_with('.') {
            continue;
        }
        found.push(path.clone());
        if entry.file_type().unwrap().is_dir() {
            files(&path, found);
        }
    }
}

/// The prose of a page: its lines outside fenced blocks.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let mut is_fenced = false;
    let lines = (1..).zip(page.lines());
    lines
        .filter(|(_, line)| {
            let is_fence = line.trim_start().starts_with("```");
            is_fenced ^= is_fence;
            !is_fence && !is_fenced
        })
        .collect()
}

/// The names by which links reach places in a page: those of headings as GitHub makes them, and `<a
/// id>`.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(page) {
        if let Some(id) = line.strip_prefix("<a id=\"") {
            anchors.extend(id.split('"').next().map(str::to_owned));
        }
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            let name = heading.trim().to_lowercase();
            let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
            anchors.insert(
                name.chars()
                    .filter(kept)
                    .collect::<String>()
                    .replace(' ', "-"),
            );
        }
    }
    anchors
}

/// The targets of the links of a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

/// The paths in backticks on a line: words with a slash and an extension or a slash at the end, and
/// names of Rust files.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let spans = line.split('`').skip(1).step_by(2);
    spans.flat_map(str::split_whitespace).filter(|word| {
        let is_path = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
        let (folder, file) = word.rsplit_once('/').unwrap_or(("", word));
        let is_file = match file.rsplit_once('.') {
            Some((_, "rs")) => true,
            Some((stem, extension)) => {
                let is_extension = extension.starts_with(|first: char| first.is_ascii_lowercase());
                !folder.is_empty() && !stem.is_empty() && is_extension
            }
            None => !folder.is_empty() && file.is_empty(),
        };
        is_file && word.bytes().all(is_path) && !word.starts_with(['/', '.', '-'])
    })
}

fn check_link(root: &Path, page: &Path, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = match file {
        "" => page.to_owned(),
        _ => page.parent().unwrap_or(root).join(file),
    };
    if !path.exists() {
        return Some(format!("no file {link}"));
    }
    if anchor.is_empty() || anchors(&std::fs::read_to_string(path).unwrap()).contains(anchor) {
        return None;
    }
    Some(format!("no heading {link}"))
}

/// A path may leave out the folders that it begins with. `ISA` in it stands for any of the five,
/// `NAME` and `SEED` for any name.
fn check_path(files: &[PathBuf], path: &str) -> Option<String> {
    let path = path.replace("ISA", "x86_64");
    let exists = path.contains("NAME")
        || path.contains("SEED")
        || files.iter().any(|file| file.ends_with(&path));
    (!exists).then(|| format!("no file `{path}`"))
}

#[test]
fn pages_that_comments_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap();
    let mut files = Vec::new();
    self::files(&root, &mut files);
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|end| end == "rs"))
    {
        let text = std::fs::read_to_string(file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let comment = line.split_once("//").map_or("", |(_, comment)| comment);
            let is_part = |byte: char| byte.is_ascii_alphanumeric() || "_-./".contains(byte);
            let words = comment
                .split(|byte| !is_part(byte))
                .map(|word| word.trim_end_matches('.'));
            for word in words.filter(|word| word.starts_with("docs/") && word.ends_with(".md")) {
                count += 1;
                if !root.join(word).exists() {
                    wrong.push(format!("{}:{number}: no page {word}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 10);
}

#[test]
fn what_pages_name_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap();
    let (mut files, mut wrong) = (Vec::new(), Vec::new());
    self::files(&root, &mut files);
    files.sort();
    let is_page = |file: &&PathBuf| file.extension().is_some_and(|extension| extension == "md");
    let pages: Vec<&PathBuf> = files.iter().filter(is_page).collect();
    assert!(pages.len() > 20);
    for page in pages {
        let text = std::fs::read_to_string(page).unwrap();
        let name = page.strip_prefix(&root).unwrap().display();
        for (number, line) in prose(&text) {
            let links = links(line).filter_map(|link| check_link(&root, page, link));
            let paths = paths(line).filter_map(|path| check_path(&files, path));
            wrong.extend(
                links
                    .chain(paths)
                    .map(|what| format!("{name}:{number}: {what}")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the text of a comment that takes a line of its own.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim_start())
}

#[test]
fn comments_are_sentences_within_100_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    files(&root, &mut all);
    all.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let (mut wrong, mut seen) = (String::new(), 0);
    for path in all {
        let source = std::fs::read_to_string(&path).unwrap();
        for (number, line) in (1..).zip(source.lines()) {
            let Some(text) = comment(line) else { continue };
            seen += 1;
            let first = text.split(' ').next().unwrap_or_default();
            let has_no_subject = ["What", "Whether", "Where", "Which"].contains(&first);
            if line.chars().count() > 100 || has_no_subject {
                wrong += &format!("{}:{number}: {text}\n", path.display());
            }
        }
    }
    assert!(seen > 10_000, "{seen}");
    assert!(wrong.is_empty(), "too long, or without a subject:\n{wrong}");
}
