//! `cargo xtask coverage`: the lines and branches of each room that the native suites run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::{tool, workspace};

/// `cargo xtask coverage`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Report on the last run again instead of running the tests
    #[arg(long)]
    report_only: bool,
    /// Also print the lines that are not covered, of the rooms with this in their names
    #[arg(long, value_name = "ROOM")]
    uncovered: Option<String>,
}

/// The profile of a process that a test stops, or keeps from writing, is not whole; the others
/// still count.
const PARTIAL: &str = "--failure-mode=all";

/// Runs the tests, prints a table, and writes annotated pages to target/coverage.
///
/// # Errors
/// Says what is missing, or that tests failed.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    tool::ensure_nightly()?;
    let component = ["component", "add", "llvm-tools", "--toolchain", "nightly"];
    tool::succeed(Command::new("rustup").args(component))?;
    tool::ensure("cargo-llvm-cov")?;
    if !args.report_only {
        // Counts of an earlier run do not count.
        tool::succeed(&mut llvm_cov(&["clean", "--workspace", "--profraw-only"]))?;
        let tests = [
            "--no-report",
            "--workspace",
            "--exclude",
            "xtask",
            "--no-fail-fast",
        ];
        tool::succeed(llvm_cov(&["--branch"]).args(tests))?;
    }
    let pages = workspace::root().join("target/coverage");
    tool::succeed(llvm_cov(&["report", PARTIAL, "--html", "--output-dir"]).arg(&pages))?;
    let list = pages.join("lcov.info");
    tool::succeed(llvm_cov(&["report", PARTIAL, "--lcov", "--output-path"]).arg(&list))?;
    let list = std::fs::read_to_string(&list).map_err(|error| error.to_string())?;
    let files = files(&list);
    print_table(&files);
    if let Some(room) = &args.uncovered {
        print_uncovered(&files, room);
    }
    println!("pages: {}", pages.join("html/index.html").display());
    Ok(())
}

/// Returns a command of `llvm-cov` on nightly, which alone counts branches.
fn llvm_cov(words: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .args(["+nightly", "llvm-cov"])
        .args(words)
        .current_dir(workspace::root());
    command
}

/// The execution counts of each line of a file, and of each branch of a line.
#[derive(Default)]
struct File {
    path: String,
    lines: BTreeMap<usize, u64>,
    branches: Vec<u64>,
}

impl File {
    /// Returns the room: a directory of the runtime, or the crate that the file is in.
    fn room(&self) -> &str {
        let depth = match self.path.starts_with("mir-nostd/src/") {
            true => 3,
            false => 2,
        };
        let end = self.path.match_indices('/').nth(depth - 1);
        let is_root = |end: usize| !self.path[..end].contains('/');
        match end {
            Some((end, _)) if !is_root(end) => &self.path[..end],
            _ => &self.path,
        }
    }
}

/// Reads the report of `llvm-cov` on the files of the runtime and the targets, in lcov's form.
fn files(list: &str) -> Vec<File> {
    let root = workspace::root();
    let (mut files, mut file, mut end) = (Vec::new(), File::default(), usize::MAX);
    for line in list.lines() {
        let (word, rest) = line.split_once(':').unwrap_or((line, ""));
        let mut numbers = rest.split(',').map(|number| number.parse().unwrap_or(0));
        match word {
            "SF" => {
                let path = Path::new(rest);
                let own = path.strip_prefix(&root).unwrap_or(path);
                file.path = own.display().to_string();
                end = tests_begin(path);
            }
            "DA" => {
                let (line, count) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
                if (line as usize) < end {
                    file.lines.insert(line as usize, count);
                }
            }
            "BRDA" => {
                let (line, count) = (numbers.next().unwrap_or(0), numbers.nth(2).unwrap_or(0));
                if (line as usize) < end {
                    file.branches.push(count);
                }
            }
            "end_of_record" => files.push(core::mem::take(&mut file)),
            _ => {}
        }
    }
    files.retain(|file: &File| {
        let is_ours = file.path.starts_with("mir-nostd/src/") || file.path.starts_with("targets/");
        is_ours && !file.path.ends_with("/tests.rs") && !file.path.contains("/tests/")
    });
    files
}

/// Returns the line at which the unit tests of a file begin, which are not counted.
fn tests_begin(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let is_tests = |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ");
    let found = lines.windows(2).position(is_tests);
    found.map_or(usize::MAX, |before| before + 1)
}

fn print_table(files: &[File]) {
    let mut rooms: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for file in files {
        let counts = rooms.entry(file.room()).or_default();
        let hit = |counts: &mut dyn Iterator<Item = &u64>| counts.filter(|&&n| n > 0).count();
        counts[0] += hit(&mut file.lines.values());
        counts[1] += file.lines.len();
        counts[2] += hit(&mut file.branches.iter());
        counts[3] += file.branches.len();
    }
    println!(
        "{:24} {:>13} {:>6} {:>13} {:>6}",
        "room", "lines", "", "branches", ""
    );
    for (room, [lines, all_lines, branches, all_branches]) in rooms {
        println!(
            "{room:24} {lines:6}/{all_lines:6} {:>6.1} {branches:6}/{all_branches:6} {:>6.1}",
            percent(lines, all_lines),
            percent(branches, all_branches)
        );
    }
}

fn percent(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// Prints the lines that are not covered, in runs.
fn print_uncovered(files: &[File], room: &str) {
    for file in files.iter().filter(|file| file.room().contains(room)) {
        let mut missed = file
            .lines
            .iter()
            .filter(|(_, count)| **count == 0)
            .map(|(line, _)| *line);
        let Some(first) = missed.next() else { continue };
        let mut runs = vec![(first, first)];
        for line in missed {
            match runs.last_mut() {
                Some(run) if file.lines.range(run.1 + 1..line).next().is_none() => run.1 = line,
                _ => runs.push((line, line)),
            }
        }
        let runs: Vec<String> = runs
            .iter()
            .map(|(from, to)| match from == to {
                true => from.to_string(),
                false => format!("{from}-{to}"),
            })
            .collect();
        println!("{}: {}", file.path, runs.join(" "));
    }
}
