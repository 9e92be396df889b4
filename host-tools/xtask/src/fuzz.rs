//! `cargo xtask fuzz`: builds a fuzz target, seeds it with the programs of the repository, and runs
//! it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{tool, workspace};

/// `cargo xtask fuzz`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The target, one of `fuzz/fuzz_targets`; all are listed without it
    target: Option<String>,
    /// How long it runs
    #[arg(long, default_value_t = 1)]
    minutes: u64,
    /// How many run at a time
    #[arg(long, default_value_t = 1)]
    jobs: u32,
}

/// The longest input in bytes.
const LONGEST: u32 = 30_000;

/// The seconds after which an input counts as a hang.
const HANGS: u32 = 20;

/// The memory in megabytes that no input may take.
const MEMORY: u32 = 2048;

/// The settings of the sanitizer's instrumentation: it watches the heap, not the stack. A fault
/// leaves calls under way without their ends, which would tell it what is free again, and runs are
/// told apart by the addresses of variables on the stack, so these stay there.
const SANITIZER: &str = "-Cllvm-args=-asan-stack=0";

/// Runs a target.
///
/// # Errors
/// Says what is missing, or what the target found.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let fuzz = workspace::root().join("fuzz");
    let Some(target) = &args.target else {
        println!("{}", targets(&fuzz)?.join("\n"));
        return Ok(());
    };
    if !targets(&fuzz)?.contains(target) {
        return Err(format!(
            "no such target; there are: {}",
            targets(&fuzz)?.join(" ")
        ));
    }
    tool::ensure_nightly()?;
    tool::ensure("cargo-fuzz")?;
    let (corpus, seeds) = (
        fuzz.join("target/corpus").join(target),
        fuzz.join("target/seeds").join(target),
    );
    std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    write_seeds(target, &seeds)?;
    let mut command = Command::new("cargo");
    command
        .args(["+nightly", "fuzz", "run", "--fuzz-dir", ".", target])
        .args([&corpus, &seeds])
        .arg("--")
        .arg(format!("-artifact_prefix=target/found-{target}-"))
        .arg(format!("-max_total_time={}", 60 * args.minutes))
        .arg(format!("-max_len={LONGEST}"))
        .arg(format!("-timeout={HANGS}"))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .arg("-print_final_stats=1")
        .arg(format!(
            "-fork={}",
            if args.jobs == 1 { 0 } else { args.jobs }
        ))
        .env("RUSTFLAGS", SANITIZER)
        .current_dir(&fuzz);
    let executions = watch(&mut command)?;
    println!(
        "{target}: {executions} executions in {} minutes",
        args.minutes
    );
    Ok(())
}

/// Returns the names of the targets.
fn targets(fuzz: &Path) -> Result<Vec<String>, String> {
    let directory = fuzz.join("fuzz_targets");
    let entries = std::fs::read_dir(&directory);
    let entries = entries.map_err(|error| format!("{}: {error}", directory.display()))?;
    let stem = |entry: std::fs::DirEntry| {
        let path = entry.path();
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    let mut names: Vec<String> = entries.flatten().filter_map(stem).collect();
    names.sort();
    Ok(names)
}

/// Writes the programs of the repository in the form that a target takes.
fn write_seeds(target: &str, directory: &Path) -> Result<(), String> {
    tool::succeed(workspace::cargo().args(["build", "--quiet", "--package", "mir-cli"]))?;
    let mir = workspace::target().join("debug/mir");
    let mut cargo = workspace::cargo();
    cargo
        .args([
            "run",
            "--quiet",
            "--package",
            "testkit",
            "--example",
            "seeds",
        ])
        .args(["--", target])
        .args([directory, &mir]);
    tool::succeed(&mut cargo)
}

/// Runs a fuzzer to its end, shows its output, and returns how many inputs it executed.
fn watch(command: &mut Command) -> Result<u64, String> {
    let failed = |error: std::io::Error| format!("cargo fuzz: {error}");
    let spawned = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(failed)?;
    let mut executions = 0;
    for line in child
        .stderr
        .take()
        .map(BufReader::new)
        .into_iter()
        .flat_map(BufRead::lines)
    {
        let line = line.map_err(failed)?;
        eprintln!("{line}");
        executions = executed(&line).unwrap_or(executions);
    }
    if child.wait().map_err(failed)?.success() {
        Ok(executions)
    } else {
        Err(format!(
            "the target found something, after {executions} executions; the input is named above"
        ))
    }
}

/// Returns the number of executions in a line of libFuzzer's: `#NUMBER` at its start, or the final
/// statistics.
fn executed(line: &str) -> Option<u64> {
    let number = match line.strip_prefix("stat::number_of_executed_units:") {
        Some(number) => number.trim(),
        None => line
            .strip_prefix('#')?
            .split(|c: char| !c.is_ascii_digit())
            .next()?,
    };
    number.parse().ok()
}
