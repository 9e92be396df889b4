//! Miri: the runtime interpreted by what knows what undefined behaviour is.
//!
//! It checks each access against two models of what references allow, and runs the tests as a
//! big-endian machine too. It has no machine code: gates and compiled code have tests of their own.

use core::time::Duration;
use std::process::Command;

use crate::command;
use crate::parallel;
use crate::report::{Counts, add};
use crate::workspace;

/// A machine that the tests run on, and the aliasing model.
struct Run {
    name: &'static str,
    triple: Option<&'static str>,
    flags: &'static str,
}

/// Programs address memory by numbers, so addresses that were exposed give pointers.
const RUNS: [Run; 3] = [
    Run {
        name: "stacked borrows",
        triple: None,
        flags: "-Zmiri-permissive-provenance",
    },
    Run {
        name: "tree borrows",
        triple: None,
        flags: "-Zmiri-permissive-provenance -Zmiri-tree-borrows",
    },
    Run {
        name: "s390x",
        triple: Some("s390x-unknown-linux-gnu"),
        flags: "-Zmiri-permissive-provenance",
    },
];

/// The tests that are run whole: the library's own tests, but for those of arithmetic, hashes and
/// formats (safe code, many turns), and the tests of linking, of the interpreter and of the whole
/// way.
const ALL: [&str; 11] = [
    "--lib",
    "--test",
    "link",
    "--test",
    "interp",
    "--test",
    "runtime",
    "--no-fail-fast",
    "--",
    "--skip=num::",
    "--skip=link::globals",
];

/// The part that is run each time: the test of the whole way.
const PART: [&str; 2] = ["--test", "runtime"];

const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Runs everything under Miri.
///
/// # Errors
/// Says what is missing and could not be installed, or what failed.
pub(crate) fn run_all() -> Result<(), String> {
    ensure(RUNS.iter())?;
    let (passed, failed, details) = run(&RUNS, &ALL);
    println!("{details}{passed} passed, {failed} failed");
    match failed {
        0 => Ok(()),
        _ => Err(format!("{failed} failed")),
    }
}

/// Makes sure that [`suite`] can run.
///
/// # Errors
/// Says what is missing and could not be installed.
pub(crate) fn is_ready() -> Result<(), String> {
    ensure(RUNS.iter().take(1))
}

/// Runs the test of the whole way under the stricter model.
pub(crate) fn suite() -> (usize, usize, String) {
    let [stacked, ..] = &RUNS;
    run([stacked], &PART)
}

/// Makes sure that there is Miri for what the runs need, on a nightly toolchain that is there.
fn ensure<'r>(runs: impl Iterator<Item = &'r Run>) -> Result<(), String> {
    let nightly = quiet("rustc", &["+nightly", "--version"]);
    if !nightly {
        return Err("it needs a nightly toolchain: `rustup toolchain install nightly`".into());
    }
    if !quiet("cargo", &["+nightly", "miri", "--version"]) {
        let parts = ["component", "add", "miri", "rust-src"];
        let mut rustup = Command::new("rustup");
        let outcome = command::run(rustup.args(parts).args(["--toolchain", "nightly"]), LIMIT);
        if !outcome.success {
            let by_hand = "rustup component add miri rust-src --toolchain nightly";
            return Err(format!("the nightly toolchain has no Miri: `{by_hand}`"));
        }
    }
    for run in runs {
        let mut cargo = miri(run, "setup");
        let outcome = command::run(&mut cargo, LIMIT);
        if !outcome.success {
            let last = outcome.stderr.lines().last().unwrap_or_default();
            return Err(format!("`cargo +nightly miri setup` failed: {last}"));
        }
    }
    Ok(())
}

/// Returns the runner of test programs by which Miri runs them.
fn runner() -> Option<String> {
    let mut rustup = Command::new("rustup");
    let found = command::run(
        rustup.args(["which", "--toolchain", "nightly", "cargo-miri"]),
        LIMIT,
    );
    let path = found.text();
    found.success.then(|| format!("{} runner", path.trim()))
}

fn quiet(program: &str, arguments: &[&str]) -> bool {
    // rustup's proxies choose the toolchain; cargo's own variables would make them take ours.
    let mut command = Command::new(program);
    command.args(arguments).env_remove("RUSTUP_TOOLCHAIN");
    command::run(&mut command, LIMIT).success
}

/// A cargo command of Miri for a run.
fn miri(run: &Run, task: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(workspace::root());
    cargo.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    cargo.args(["+nightly", "miri", task]);
    cargo.args(run.triple.iter().flat_map(|triple| ["--target", triple]));
    cargo.env("MIRIFLAGS", run.flags);
    if let (Some(triple), Some(runner)) = (run.triple, runner()) {
        // The project's own runner of the triple is QEMU.
        let variable = triple.to_uppercase().replace('-', "_");
        cargo.env(format!("CARGO_TARGET_{variable}_RUNNER"), runner);
    }
    cargo
}

/// Does the runs, two at a time, each on one processor: Miri runs no two threads at once.
fn run<'r>(runs: impl IntoIterator<Item = &'r Run>, tests: &[&str]) -> Counts {
    let counts = parallel::on(2, runs.into_iter().collect(), |one| run_one(one, tests));
    counts.into_iter().fold((0, 0, String::new()), add)
}

fn run_one(run: &Run, tests: &[&str]) -> Counts {
    let mut cargo = miri(run, "test");
    // The models are options of the interpreter: what the first builds serves the second, which
    // waits for it. Cargo's lock is given back before the tests run.
    let directory = workspace::target().join("miri");
    cargo.arg("--target-dir").arg(directory);
    cargo
        .args(["--quiet", "--package", "mir-nostd"])
        .args(tests);
    let (passed, failed, shown) = crate::tests::counted(&mut cargo);
    let shown = match failed {
        0 => format!("{}: {passed} passed\n", run.name),
        _ => format!("{}: {passed} passed, {failed} failed\n{shown}", run.name),
    };
    (passed, failed, shown)
}
