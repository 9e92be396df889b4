//! The `mir` command of every ISA, and the registration by which `mir run --on ISA` finds it
//! (docs/runners.md).

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::isa::Isa;
use crate::{command, tool, workspace};

const BUILD_LIMIT: Duration = Duration::from_secs(30 * 60);

/// The features of a runner: what it takes to run a program, and not to look inside one.
const FEATURES: [&str; 3] = ["--no-default-features", "--features", "level-3"];

/// Builds the runner of each of `isas` but this machine's, shown as cargo shows it, and registers
/// it below `directory`, or where `target/release/mir` looks.
///
/// # Errors
/// Says what is missing or did not build.
pub(crate) fn build_all(isas: &[Isa], directory: Option<&Path>) -> Result<(), String> {
    crate::setup::ensure(isas)?;
    let isas: Vec<Isa> = isas.iter().copied().filter(|isa| !isa.is_host()).collect();
    for (place, isa) in isas.iter().enumerate() {
        println!("[{}/{}] mir for {}", place + 1, isas.len(), isa.name());
        let mut cargo = build(*isa, "release");
        tool::succeed(cargo.args(["--package", "mir-cli"]).args(FEATURES))?;
        let program = register(*isa, &built(*isa, "release"), directory)?;
        println!("{:8} {}", isa.name(), program.display());
    }
    Ok(())
}

/// Builds `mir` for `isa` in the profile of the suites, registers it unless it is the host's own,
/// and returns its path.
///
/// # Errors
/// Says what the compiler or the file system reported.
pub(crate) fn build_for_tests(isa: Isa) -> Result<PathBuf, String> {
    let profile = workspace::SUITE_PROFILE;
    let mut cargo = build(isa, profile);
    cargo.arg("--quiet").args(workspace::MEMBERS);
    let outcome = command::run(cargo.args(workspace::features(isa)), BUILD_LIMIT);
    let made = built(isa, profile);
    match (outcome.success, isa.is_host()) {
        (false, _) => Err(outcome.stderr),
        (_, true) => Ok(made),
        (_, false) => register(isa, &made, None),
    }
}

/// Returns cargo's command that builds `mir` for an ISA; the packages are for the caller to say.
fn build(isa: Isa, profile: &str) -> Command {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--profile", profile, "--bin", "mir"]);
    if !isa.is_host() {
        cargo.args(["--target", isa.triple()]);
    }
    cargo
}

/// Returns the path of the program that [`build`] makes.
fn built(isa: Isa, profile: &str) -> PathBuf {
    let mut directory = workspace::target();
    if !isa.is_host() {
        directory.push(isa.triple());
    }
    directory.join(profile).join("mir")
}

/// Copies a program to its place and writes the file `command` beside it: one word of the command
/// per line.
fn register(isa: Isa, made: &Path, directory: Option<&Path>) -> Result<PathBuf, String> {
    let target = workspace::target().join("runners");
    let directory = directory.unwrap_or(&target).join(isa.name());
    let registered = copy(isa, made, &directory);
    registered.map_err(|error| format!("the runner of {}: {error}", isa.name()))
}

fn copy(isa: Isa, made: &Path, directory: &Path) -> std::io::Result<PathBuf> {
    fs::create_dir_all(directory)?;
    // The path is written down: it has to be one from any directory.
    let directory = directory.canonicalize()?;
    let program = directory.join("mir");
    let fresh = directory.join("mir.new");
    fs::copy(made, &fresh)?;
    // A rename replaces a runner in use instead of writing over it.
    fs::rename(&fresh, &program)?;
    let mut words = isa.emulation();
    words.push(program.display().to_string());
    fs::write(directory.join("command"), words.join("\n") + "\n")?;
    Ok(program)
}
