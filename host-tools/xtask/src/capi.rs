//! The C interface: the example in C, built with the gcc of each ISA and run.

use core::time::Duration;
use std::process::Command;

use crate::command;
use crate::isa::Isa;
use crate::workspace;

const LIMIT: Duration = Duration::from_secs(15 * 60);

/// Builds the library and its example for `isa` and runs it; returns how many passed and failed,
/// and the messages.
pub(crate) fn run(isa: Isa) -> (usize, usize, String) {
    match built_and_run(isa) {
        Ok(()) => (1, 0, String::new()),
        Err(message) => (0, 1, message),
    }
}

fn built_and_run(isa: Isa) -> Result<(), String> {
    let directory = workspace::root().join("capi");
    let mut cargo = workspace::cargo();
    cargo
        .current_dir(&directory)
        .args(["build", "--quiet", "--release", "--target", isa.triple()])
        // Optimisation changes nothing here but the time that it takes.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    done(&mut cargo)?;
    // A relative directory is relative to where cargo ran.
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let made = directory.join(target).join(isa.triple()).join("release");
    let program = made.join("firmware");
    let mut gcc = Command::new(isa.gcc());
    gcc.current_dir(&directory);
    gcc.args([
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O1",
        "-Iinclude",
        "examples/firmware.c",
    ]);
    gcc.arg(made.join("libmir_nostd.a")).arg("-o").arg(&program);
    done(&mut gcc)?;
    let outcome = command::run(&mut isa.command(&program), LIMIT);
    if outcome.success && outcome.text().ends_with("all as it should be\n") {
        return Ok(());
    }
    Err(format!("{}{}", outcome.text(), outcome.stderr))
}

fn done(command: &mut Command) -> Result<(), String> {
    let outcome = command::run(command, LIMIT);
    if outcome.success {
        return Ok(());
    }
    Err(format!("{command:?}: {}", outcome.stderr))
}
