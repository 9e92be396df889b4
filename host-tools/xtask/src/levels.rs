//! The code generator without its upper levels: the remaining levels compile to the same bytes as
//! in the whole build.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::report::Counts;
use crate::runners;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(15 * 60);

/// The arguments that leave levels out of `mir`, and the highest level that is left.
const BUILDS: [(&[&str], u8); 2] = [
    (&["--no-default-features"], 0),
    (&["--no-default-features", "--features", "level-2"], 2),
];

const PROGRAMS: [&str; 2] = ["examples/sieve.mir", "corpus/csmith/1002.bmir"];

/// Compiles programs for all ISAs at level 3 by each of the builds, and at the highest level of
/// each by the whole `mir`; returns how many were the same and how many not, and the messages.
pub(crate) fn run() -> Counts {
    objects_of_builds().unwrap_or_else(|message| (0, 1, message))
}

fn objects_of_builds() -> Result<Counts, String> {
    let host = Isa::all().find(|isa| isa.is_host());
    let whole = runners::build_for_tests(host.ok_or("this machine is none of the ISAs")?)?;
    let (mut passed, mut details) = (0, String::new());
    for (features, level) in BUILDS {
        let partial = build(features)?;
        for (isa, program) in Isa::all().flat_map(|isa| PROGRAMS.map(|program| (isa, program))) {
            if object(&partial, 3, isa, program)? == object(&whole, level, isa, program)? {
                passed += 1;
            } else {
                let isa = isa.name();
                details +=
                    &format!("    {program}, {isa}: other code than that of level {level}\n");
            }
        }
    }
    let all = BUILDS.len() * Isa::all().count() * PROGRAMS.len();
    Ok((passed, all - passed, details))
}

/// Builds `mir` with these arguments and returns its path. It compiles a few programs only, so it
/// is quickest when it is not optimised; other suites use the whole command, which lies elsewhere.
fn build(features: &[&str]) -> Result<PathBuf, String> {
    let directory = workspace::target().join("levels");
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--quiet", "--package", "mir-cli", "--bin", "mir"]);
    cargo.args(features).arg("--target-dir").arg(&directory);
    workspace::unoptimised(&mut cargo);
    let outcome = command::run(&mut cargo, LIMIT);
    match outcome.success {
        true => Ok(directory.join("debug/mir")),
        false => Err(outcome.stderr),
    }
}

/// Returns the object that a `mir` writes for a program at a level.
fn object(mir: &Path, level: u8, isa: Isa, program: &str) -> Result<Vec<u8>, String> {
    let made = workspace::target().join("levels.o");
    let mut command = Command::new(mir);
    command.current_dir(workspace::root());
    command.args(["obj", "--target", isa.name(), &format!("-O{level}")]);
    let outcome = command::run(command.arg(program).arg("-o").arg(&made), LIMIT);
    if !outcome.success {
        return Err(outcome.stderr);
    }
    fs::read(&made).map_err(|error| error.to_string())
}
