//! `cargo xtask mutants`: small changes to a room, each of which some test must notice.

use std::path::Path;

use crate::{tool, workspace};

/// `cargo xtask mutants`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A directory or file of the runtime (`num`, `codegen/check.rs`), or of the project (`targets/s390x/src/select`)
    room: String,
    /// The k-th of n parts, k from 0
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,
    /// How many run at a time
    #[arg(long, default_value_t = 1)]
    jobs: u32,
    /// Only list the mutants
    #[arg(long)]
    list: bool,
}

/// The crates whose tests may notice a change to the runtime or a target.
const TESTS: [&str; 3] = ["mir-nostd", "testkit", "abi-test"];

/// Mutates the files of a room and runs the native tests on each mutant.
///
/// # Errors
/// What is missing, or that a mutant lives.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    tool::ensure("cargo-mutants")?;
    let room = room(&args.room)?;
    let pattern = match workspace::root().join(&room).is_dir() {
        true => format!("{room}/**/*.rs"),
        false => room,
    };
    let mut cargo = workspace::cargo();
    cargo.args(["mutants", "--workspace", "--file", &pattern, "--no-shuffle"]);
    cargo.arg(format!("--jobs={}", args.jobs));
    cargo.arg("--output").arg(workspace::root().join("target"));
    cargo.args(["--test-package", &tests(&pattern).join(",")]);
    // Those that loop are stopped; a mutant is compiled and run at the speed of an unoptimised build.
    cargo.args(["--minimum-test-timeout", "60"]);
    if let Some(shard) = &args.shard {
        cargo.args(["--shard", shard]);
    }
    if args.list {
        cargo.arg("--list");
    }
    tool::succeed(&mut cargo).map_err(|error| {
        format!("{error}: some mutant lives or makes a test hang; target/mutants.out names it")
    })
}

/// The room's path in the project.
fn room(name: &str) -> Result<String, String> {
    let name = name.trim_end_matches('/');
    let places = [format!("mir-nostd/src/{name}"), name.to_string()];
    let found = places
        .into_iter()
        .find(|place| workspace::root().join(Path::new(place)).exists());
    found.ok_or_else(|| format!("there is no room {name}"))
}

/// The packages whose tests are run.
fn tests(pattern: &str) -> Vec<String> {
    let mut tests = TESTS.map(String::from).to_vec();
    let target = pattern.strip_prefix("targets/");
    let isa = target.and_then(|target| target.split('/').next());
    tests.extend(isa.map(|isa| format!("target-{isa}")));
    tests
}
