//! `cargo xtask mutants`: small changes to a room, each of which some test must notice.
//!
//! A change is first met by the tests that are meant for the room; what they miss is met by all
//! that the project has for this machine.

use core::time::Duration;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{tool, workspace};

/// `cargo xtask mutants`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A directory or file of the runtime (`num`, `codegen/regalloc/checker.rs`), or of the
    /// project (`targets/s390x/src/select`)
    room: String,
    /// The k-th of n parts, k from 0
    #[arg(long, value_name = "K/N", conflicts_with = "sample")]
    shard: Option<String>,
    /// About this many mutants, spread evenly over the room
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Only the mutants whose lines in the list match this (may be given several times)
    #[arg(long = "re", value_name = "REGEX")]
    only: Vec<String>,
    /// How many run at a time
    #[arg(long, default_value_t = 1)]
    jobs: u32,
    /// Change this tree instead of a copy, so that the next run need not build everything
    #[arg(long, conflicts_with = "jobs")]
    in_place: bool,
    /// Only list the mutants
    #[arg(long)]
    list: bool,
}

/// The tests that are meant for a room.
struct Suite {
    /// The beginning of the room's path.
    room: &'static str,
    packages: &'static [&'static str],
    /// The arguments by which cargo chooses test programs of these packages.
    programs: &'static [&'static str],
}

/// The first that fits is taken.
#[rustfmt::skip] // columns
const SUITES: [Suite; 6] = [
    Suite { room: "mir-nostd/src/num",              packages: &["mir-nostd", "testkit"],        programs: &["--lib", "--test=filetests"] },
    Suite { room: "mir-nostd/src/verify",           packages: &["mir-nostd", "testkit"],        programs: &["--lib", "--test=verify", "--test=filetests"] },
    Suite { room: "mir-nostd/src/link",             packages: &["mir-nostd", "testkit"],        programs: &["--lib", "--test=link", "--test=runtime", "--test=filetests", "--test=compiled"] },
    Suite { room: "mir-nostd/src/binary",           packages: &["mir-nostd"],                   programs: &["--lib", "--test=binary"] },
    Suite { room: "mir-nostd/src/codegen/regalloc", packages: &["mir-nostd", "mir-cli", "testkit"], programs: &["--lib", "--test=codegen", "--test=passes", "--test=machine", "--test=filetests", "--test=every_isa"] },
    Suite { room: "targets/",                       packages: &["mir-cli", "testkit"],              programs: &["--lib", "--test=tables", "--test=machine", "--test=filetests", "--test=every_isa"] },
];

/// The crates whose tests may notice a change to the runtime or a target.
const ALL: [&str; 5] = [
    "mir-nostd",
    "mir-cli",
    "testkit",
    "abi-test",
    "confined-test",
];

/// The seconds that tests may take at least: a busy machine is not a mutant that loops.
const PATIENCE: u64 = 180;
/// The seconds that a build may take: the first one in a copy builds everything.
const BUILD_PATIENCE: u64 = 1800;

/// Mutates the files of a room and runs the native tests on each mutant.
///
/// # Errors
/// Says what is missing, or that a mutant survives.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    tool::ensure("cargo-mutants")?;
    let room = room(&args.room)?;
    let mut chosen: Vec<String> = args.only.iter().map(|re| format!("--re={re}")).collect();
    chosen.extend(args.shard.iter().map(|shard| format!("--shard={shard}")));
    if let Some(size) = args.sample {
        let all = list(&room, &chosen)?;
        let parts = all.lines().count().div_ceil(size.max(1)).max(1);
        chosen.extend([
            format!("--shard=0/{parts}"),
            "--sharding=round-robin".into(),
        ]);
    }
    if args.list {
        print!("{}", list(&room, &chosen)?);
        return Ok(());
    }
    let suite = SUITES.iter().find(|suite| room.starts_with(suite.room));
    let Some(suite) = suite else {
        return test(args, &room, &chosen, &packages(&room, &ALL), &[]);
    };
    let own = packages(&room, suite.packages);
    if test(args, &room, &chosen, &own, suite.programs).is_ok() {
        return Ok(());
    }
    let missed = missed()?;
    println!("all tests on what lives:");
    test(args, &room, &missed, &packages(&room, &ALL), &[])
}

/// Runs tests on the mutants of a room that are chosen.
fn test(
    args: &Args,
    room: &str,
    chosen: &[String],
    packages: &[String],
    programs: &[&str],
) -> Result<(), String> {
    let patience = pass_unchanged(packages, programs)?.as_secs() * 3;
    let mut cargo = mutants(room, chosen);
    cargo.arg("--output").arg(workspace::root().join("target"));
    match args.in_place {
        true => cargo.arg("--in-place"),
        false => cargo.arg(format!("--jobs={}", args.jobs)),
    };
    cargo.args(["--test-package", &packages.join(","), "--baseline=skip"]);
    cargo.arg(format!("--timeout={}", patience.max(PATIENCE)));
    cargo.arg(format!("--build-timeout={BUILD_PATIENCE}"));
    cargo.arg("--").args(programs);
    build_quickly(&mut cargo);
    tool::succeed(&mut cargo).map_err(|error| {
        format!("{error}: some mutant lives or makes a test hang; target/mutants.out names it")
    })
}

/// Runs tests on the tree as it is, which they must pass; cargo-mutants would run those of the
/// changed crate alone. Returns how long that took.
fn pass_unchanged(packages: &[String], programs: &[&str]) -> Result<Duration, String> {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet"]).args(programs);
    cargo.args(packages.iter().map(|name| format!("--package={name}")));
    build_quickly(&mut cargo);
    let start = Instant::now();
    tool::succeed(cargo.stdout(Stdio::null()))?;
    Ok(start.elapsed())
}

/// Has a cargo command build without what a debugger would want, and keep what did not change.
fn build_quickly(cargo: &mut Command) {
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
    cargo.env("CARGO_INCREMENTAL", "1");
}

/// Returns `cargo mutants` for the mutants of a room that are chosen.
fn mutants(room: &str, chosen: &[String]) -> Command {
    let mut cargo = workspace::cargo();
    cargo.args(["mutants", "--workspace", "--no-shuffle"]);
    // A module is a file and the directory of its children.
    for pattern in ["", ".rs", "/**/*.rs"] {
        cargo.arg(format!("--file={room}{pattern}"));
    }
    cargo.args(chosen);
    cargo
}

/// Returns the list of the mutants that are chosen, one a line.
fn list(room: &str, chosen: &[String]) -> Result<String, String> {
    let mut cargo = mutants(room, chosen);
    let output = cargo.arg("--list").stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cargo mutants: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("cargo mutants: {}", output.status)),
    }
}

/// Returns the arguments that choose the mutants that the last run missed, or that took too long.
fn missed() -> Result<Vec<String>, String> {
    let out = workspace::root().join("target/mutants.out");
    let mut chosen = Vec::new();
    for name in ["missed.txt", "timeout.txt"] {
        let file = out.join(name);
        let lines = std::fs::read_to_string(&file);
        let lines = lines.map_err(|error| format!("{}: {error}", file.display()))?;
        chosen.extend(
            lines
                .lines()
                .map(|line| format!("--re=^{}$", escaped(line))),
        );
    }
    match chosen.is_empty() {
        true => Err("cargo mutants failed before it had tested a mutant".into()),
        false => Ok(chosen),
    }
}

/// Returns the regular expression that only this text matches.
fn escaped(text: &str) -> String {
    // Escaped angle brackets would be the edges of a word.
    let escape = |c: char| match c.is_ascii_punctuation() && !"<>".contains(c) {
        true => format!("\\{c}"),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Returns the room's path in the project.
fn room(name: &str) -> Result<String, String> {
    let name = name.trim_end_matches('/');
    let places = [format!("mir-nostd/src/{name}"), name.to_string()];
    let found = places
        .into_iter()
        .find(|place| workspace::root().join(Path::new(place)).exists());
    found.ok_or_else(|| format!("there is no room {name}"))
}

/// Returns packages whose tests are run, and before them the target that the room is in.
fn packages(room: &str, others: &[&str]) -> Vec<String> {
    let target = room.strip_prefix("targets/");
    let isa = target.and_then(|target| target.split('/').next());
    let own = isa.map(|isa| format!("target-{isa}"));
    own.into_iter()
        .chain(others.iter().map(|name| name.to_string()))
        .collect()
}
