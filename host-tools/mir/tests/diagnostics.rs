//! The words of the command for wrong programs: those of `tests/diagnostics`, with the text that is
//! expected beside them. `MIR_BLESS=1` writes the texts, and `docs/errors.md`, which is made of
//! them; a person reads each: it must be clear to somebody who has never seen the language.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use core::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of `tests/diagnostics`.
struct Case {
    path: PathBuf,
    /// The code and title, then the explanation, as comments.
    head: String,
    /// The command and its options.
    command: String,
    program: Vec<u8>,
    expected: String,
}

/// The line between the head and the program.
const RULE: &str = "#---\n";
/// The start of the lines that are expected.
const EXPECTED: &str = "#|";

impl Case {
    fn read(path: &Path) -> Case {
        let bytes = std::fs::read(path).unwrap();
        let rule = find(&bytes, RULE.as_bytes()).unwrap_or_else(|| panic!("{path:?}: no head"));
        let (head, rest) = (&bytes[..rule], &bytes[rule + RULE.len()..]);
        let head = String::from_utf8(head.to_vec()).unwrap();
        let end = match rest.starts_with(EXPECTED.as_bytes()) {
            true => 0,
            false => find(rest, b"\n#|").map_or(rest.len(), |at| at + 1),
        };
        let expected = String::from_utf8(rest[end..].to_vec()).unwrap();
        let command = head
            .lines()
            .find_map(|line| line.strip_prefix("# command: "));
        Case {
            path: path.to_owned(),
            command: command.unwrap_or("check").to_owned(),
            head,
            program: rest[..end].to_vec(),
            expected: expected.replace(EXPECTED, ""),
        }
    }

    fn name(&self) -> &str {
        self.path.file_stem().unwrap().to_str().unwrap()
    }

    /// True if the program runs, on the machine that the file was written for.
    fn runs(&self) -> bool {
        self.command.starts_with("run")
    }

    /// Returns what the command says of the program.
    fn told(&self) -> String {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("diagnostics")
            .join(self.name());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("program.mir"), &self.program).unwrap();
        let words = testkit::command::words(env!("CARGO_BIN_EXE_mir"));
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .args(self.command.split_whitespace());
        let has_target = ["check", "machine", "import"];
        if has_target.iter().any(|name| self.command.starts_with(name)) {
            command.args(["--target", "x86_64"]);
        }
        command.args(["--color", "never", "program.mir"]);
        let output = command.current_dir(folder).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    }

    fn bless(&self, told: &str) {
        let mut file = self.head.clone().into_bytes();
        file.extend_from_slice(RULE.as_bytes());
        file.extend_from_slice(&self.program);
        for line in told.lines() {
            file.extend_from_slice(format!("{EXPECTED}{line}\n").as_bytes());
        }
        std::fs::write(&self.path, file).unwrap();
    }

    /// Returns the section of the page on the code.
    fn section(&self) -> String {
        let mut lines = self
            .head
            .lines()
            .map(|line| line.trim_start_matches('#').trim());
        let title = lines.next().unwrap();
        let words = lines.filter(|line| !line.starts_with("command: "));
        let words = words.collect::<Vec<_>>().join(" ");
        let mut section = format!("### {title}\n{}\n", filled(&words));
        if !self.program.is_empty() {
            let program = String::from_utf8_lossy(&self.program).replace('\0', "\u{2400}");
            let command = match self.command.as_str() {
                "check" => String::new(),
                command => format!("\n`mir {command}` says:\n\n"),
            };
            let told = &self.expected;
            let _ = write!(
                section,
                "\n```text\n{program}```\n{command}```text\n{told}```\n"
            );
        }
        section
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// Returns the words in lines of at most 120 characters.
fn filled(words: &str) -> String {
    let mut lines = vec![String::new()];
    for word in words.split_whitespace() {
        let line = lines.last_mut().unwrap();
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + word.chars().count() < 120 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

fn cases() -> Vec<Case> {
    let entries = folder().read_dir().unwrap().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "mir"));
    paths.sort();
    paths.iter().map(|path| Case::read(path)).collect()
}

fn is_blessing() -> bool {
    std::env::var_os("MIR_BLESS").is_some()
}

#[test]
fn every_wrong_program_is_told_as_expected() {
    check_programs();
    // It is made of what was just blessed.
    check_page();
}

fn check_programs() {
    let can_run = cfg!(all(target_arch = "x86_64", target_os = "linux"));
    let mut failures = String::new();
    let mut count = 0;
    for case in cases() {
        if case.program.is_empty() || case.runs() && !can_run {
            continue;
        }
        count += 1;
        let told = case.told();
        if is_blessing() {
            case.bless(&told);
        } else if told != case.expected {
            let _ = writeln!(
                failures,
                "{}:\n{told}expected:\n{}",
                case.name(),
                case.expected
            );
        }
        // A file that is called by a code shows it.
        let is_code = case.head.starts_with(&format!("# {}:", case.name()));
        if is_code && !told.contains(case.name()) {
            let _ = writeln!(failures, "{}: the code is not told:\n{told}", case.name());
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count >= 100, "{count}");
}

fn check_page() {
    let contents = std::fs::read_to_string(folder().join("contents")).unwrap();
    let mut page = String::from(INTRODUCTION);
    for line in contents.lines() {
        if line.starts_with("## ") {
            let _ = write!(page, "\n{line}\n");
        } else if line.len() == 5 && line[1..].bytes().all(|byte| byte.is_ascii_digit()) {
            let case = Case::read(&folder().join(format!("{line}.mir")));
            let _ = write!(page, "\n{}", case.section());
        } else {
            let _ = writeln!(page, "{line}");
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    if is_blessing() {
        std::fs::write(path, page).unwrap();
    } else {
        assert_eq!(std::fs::read_to_string(path).unwrap(), page);
    }
}

const INTRODUCTION: &str = "# Codes of errors and warnings

Each diagnostic ends with a code in brackets, which stays the same in all versions. `mir explain CODE` prints what is said of it
here; `mir explain` lists all. The examples are programs with that error, and what `mir check` says of them. This page is made of
the files in `host-tools/mir/tests/diagnostics`.
";
