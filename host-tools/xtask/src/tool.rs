//! Programs of cargo's that a task needs: found, or installed.

use std::process::{Command, Stdio};

use crate::workspace;

/// Installs a subcommand of cargo, such as `cargo-fuzz`, unless it is there.
///
/// # Errors
/// One line that says what to install.
pub(crate) fn ensure(name: &str) -> Result<(), String> {
    let word = name.strip_prefix("cargo-").unwrap_or(name);
    if is_there(workspace::cargo().args([word, "--version"])) {
        return Ok(());
    }
    println!("to install: {name}");
    succeed(workspace::cargo().args(["install", "--locked", name]))
        .map_err(|_| format!("install {name}: cargo install --locked {name}"))
}

/// Installs the nightly toolchain unless it is there.
///
/// # Errors
/// As [`ensure`].
pub(crate) fn ensure_nightly() -> Result<(), String> {
    if is_there(Command::new("rustc").args(["+nightly", "--version"])) {
        return Ok(());
    }
    let words = ["toolchain", "install", "nightly", "--profile", "minimal"];
    println!("to install: Rust's nightly toolchain");
    succeed(Command::new("rustup").args(words)).map_err(|_| {
        format!(
            "install Rust's nightly toolchain: rustup {}",
            words.join(" ")
        )
    })
}

fn is_there(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Runs a command that the user sees.
///
/// # Errors
/// How it failed.
pub(crate) fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().display().to_string();
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name}: {status}")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}
