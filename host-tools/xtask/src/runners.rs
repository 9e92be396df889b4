//! The `mir` command of every ISA, and the registration by which `mir run --on ISA` finds it
//! (docs/runners.md).

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command;
use crate::isa::Isa;
use crate::workspace;

const BUILD_LIMIT: Duration = Duration::from_secs(30 * 60);

/// Builds and registers the runner of each of `isas`.
///
/// # Errors
/// Says what is missing, or what the compiler printed.
pub(crate) fn build_all(isas: &[Isa]) -> Result<(), String> {
    crate::setup::ensure(isas)?;
    for isa in isas {
        println!("building mir for {}", isa.name());
        let program = build(*isa)?;
        println!("{:8} {}", isa.name(), program.display());
    }
    Ok(())
}

/// Builds the released `mir` for `isa`, registers it unless it is the host's own, and returns its
/// path.
///
/// # Errors
/// Says what the compiler or the file system reported.
pub(crate) fn build(isa: Isa) -> Result<PathBuf, String> {
    build_with(isa, "release")
}

/// Builds `mir` for `isa` in the profile of the suites, registers it likewise, and returns its
/// path.
///
/// # Errors
/// As [`build`].
pub(crate) fn build_for_tests(isa: Isa) -> Result<PathBuf, String> {
    build_with(isa, workspace::SUITE_PROFILE)
}

fn build_with(isa: Isa, profile: &str) -> Result<PathBuf, String> {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--quiet", "--profile", profile, "--bin", "mir"]);
    match profile {
        workspace::SUITE_PROFILE => cargo.args(workspace::MEMBERS),
        _ => cargo.args(["--package", "mir"]),
    };
    if !isa.is_host() {
        cargo.args(["--target", isa.triple()]);
    }
    let built = command::run(&mut cargo, BUILD_LIMIT);
    if !built.success {
        return Err(built.stderr);
    }
    if isa.is_host() {
        return Ok(workspace::target().join(profile).join("mir"));
    }
    let made = workspace::target()
        .join(isa.triple())
        .join(profile)
        .join("mir");
    register(isa, &made)
        .map_err(|error| format!("registering the runner of {}: {error}", isa.name()))
}

/// Copies a program to its place and writes the file `command` beside it: one word of the command
/// per line.
fn register(isa: Isa, made: &Path) -> std::io::Result<PathBuf> {
    let target = workspace::target();
    let directory = target.join("runners").join(isa.name());
    fs::create_dir_all(&directory)?;
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
